"""Take what ends a game, or its referee says of it: claims, Reklamationen, rulings, a deal that does not count."""

from kiosk.rules.engine.cards import Card
from kiosk.rules.engine.evolve import evolve
from kiosk.rules.engine.game import Game
from kiosk.rules.engine.result import penalty, score
from kiosk.rules.engine.values import Claim, Impossible, Objection, Ruling
from kiosk.rules.steps.laying import contradicted, lying, showing
from kiosk.rules.steps.proving import prove
from kiosk.rules.steps.step import check_playing, end


def claim(game: Game, event: int, seat: int, kind: str, order: tuple[Card, ...], accepted: bool) -> Game:
    """Shorten the game (eppstein 4.3); it ends and is scored."""
    check_playing(game, seat)
    if game.each_alone:
        raise Impossible("a Ramsch is played to the last card: there are no sides to whom the rest could fall")
    if not game.book.may_claim(game, kind, order, seat):
        raise Impossible(f"seat {seat} may not claim; only who is known to play alone may shorten the game")
    made = Claim(event=event, seat=seat, kind=kind, order=order, accepted=accepted)
    held = {card: order.count(card) for card in order}
    for laid in lying(game):
        if laid.seat == seat and laid.card in held:
            held[laid.card] += 1
    before = game
    game = evolve(game, claim=made, last_event=event, **showing(game, event, seat, held))
    game = contradicted(game, before, event)
    return end(prove(game, event), "claim")


def object_(game: Game, made: Objection) -> Game:
    """Raise a Reklamation: play rests and the referee is called (eppstein 8.8.5)."""
    return evolve(game, objection=made, objections=(*game.objections, made), last_event=made.event)


def rule(game: Game, ruling: Ruling) -> Game:
    """Book the referee's ruling; it may end the game or change the score of the game just ended."""
    game = evolve(game, rulings=(*game.rulings, ruling), objection=None, last_event=ruling.event)
    penalty(game, ruling)  # what cannot be booked is refused now, not with the game's last card
    if ruling.ends and not game.ended:
        return end(game, "ruling")
    if game.ended == "dealt_again" and ruling.kind != "none":
        game = evolve(game, dealt_again=True)  # thrown in: listed for the penalty's sake alone
        return end(game, "ruling")
    return evolve(game, result=score(game)) if game.result else game


def void(game: Game, event: int) -> Game:
    """Void the deal: it does not count (eppstein 2.2.8, 2.2.9)."""
    check_playing(game)
    return evolve(game, ended="void", objection=None, last_event=event)
