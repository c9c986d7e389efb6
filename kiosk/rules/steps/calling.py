"""Take what is said of a game that is found: Ansagen and Absagen, Klopfen before it, words that raise cards."""

from kiosk.errors import shorten
from kiosk.rules.engine.announcements import KLOPFEN, LEVEL, Said
from kiosk.rules.engine.contract import raising
from kiosk.rules.engine.evolve import evolve
from kiosk.rules.engine.game import Game, moment, taken
from kiosk.rules.engine.result import score
from kiosk.rules.engine.schweinchen import UNTIL, raised_by, raising_calls
from kiosk.rules.engine.values import Impossible, Knock
from kiosk.rules.steps.laying import settled, unsettled
from kiosk.rules.steps.proving import prove
from kiosk.rules.steps.step import check_playing, fault


def announce(game: Game, event: int, seat: int, call: str, side: str | None, together: bool) -> Game:
    """Take an Ansage or Absage; after a claim only the other side may still speak, directly (eppstein 4.3.7)."""
    if call in raising_calls(game.options):
        return raise_cards(game, event, seat, call)
    if call == KLOPFEN and "klopfen_most" in game.options:
        return knock(game, event, seat)
    if game.claim is None:
        check_playing(game, seat)
    elif seat not in game.seats:
        check_playing(evolve(game, ended=None), seat)
    elif game.last_event > max([game.claim.event, *(one.event for one in game.said)]):
        raise Impossible("after a claim calls count only directly after it")
    elif seat == game.claim.seat:
        raise Impossible("after a claim only the other side may still announce")
    if game.each_alone:
        raise Impossible("nobody announces in a Ramsch: everybody plays for himself")
    if call not in game.book.calls.words:
        known = ", ".join(game.book.calls.words) or "none"
        raise Impossible(f"{game.book.name} has no announcement {shorten(call)}; it has {known}")
    if side is not None and LEVEL.get(call) == 1 and side != call:
        raise Impossible(f"{call} cannot be said for {side}")
    said = Said(event=event, seat=seat, call=call, side=side, together=together, moment=moment(game, seat))
    game = prove(evolve(game, said=(*game.said, said), last_event=event), event)
    return evolve(game, result=score(game)) if game.ended else game


def knock(game: Game, event: int, seat: int) -> Game:
    """Take a seat's Klopfen: it doubles the game. Late it is a breach, and counts like any call."""
    check_playing(game, seat)
    most = int(game.options["klopfen_most"])
    if game.cards_laid or game.declaration:
        raise Impossible("nobody knocks after the game is named")
    if seat in {one.seat for one in game.knocks} or len(game.knocks) >= most:
        raise Impossible(f"seat {seat} cannot knock: each may once, and at most {most} in a game")
    late = seat not in game.may_knock
    section = game.book.option("klopfen_most").section
    faults = (*game.faults, fault(game, "late_announcement", seat, event, section)) if late else game.faults
    return evolve(game, knocks=(*game.knocks, Knock(event, seat)), faults=faults, last_event=event)


def raise_cards(game: Game, event: int, seat: int, call: str) -> Game:
    """Take the word that raises both copies of a card. Late it is a breach, and raises nothing.

    Said with the last card of a trick it counts in that trick, which is then taken anew.
    """
    check_playing(game, seat)
    made = raised_by(game, event, seat, call)
    if made is None:
        late = fault(game, "late_announcement", seat, event, game.book.option(UNTIL).section)
        return evolve(game, faults=(*game.faults, late), last_event=event)
    contract = raising(game.contract, made.card)
    game = evolve(game, raised=(*game.raised, made), contract=contract, last_event=event)
    if made.trick < len(game.tricks):
        game = unsettled(game, made.trick)
        anew = taken(game, made.trick, game.tricks[-1].cards)
        game = settled(evolve(game, tricks=(*game.tricks[:-1], anew)), event)
    return prove(game, event)
