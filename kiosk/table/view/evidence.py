"""Collect the evidence of a breach for the people at the table: trick, card and proof."""

from typing import Any

from kiosk.rules.engine.announcements import Said
from kiosk.rules.engine.game import Game
from kiosk.rules.engine.tricks import Laid
from kiosk.rules.engine.values import Offence


def evidence(game: Game, offence: Offence) -> dict[str, Any]:
    """Collect the facts of an offence, as keys of ``OffenceView``; what does not apply is missing."""
    tricks = [*(trick.cards for trick in game.tricks), game.open_trick]
    said = next((said for said in game.said if said.event == offence.event), None)
    if said is not None:
        return _announced(game, tricks, offence, said)
    if offence.code == "missed_duty":
        return _missed_duty(game, tricks, offence)
    words = {answer.event: answer.call for answer in game.answers}
    words.update({bid.event: bid.game or "no_higher" for bid in game.bids})
    if game.declaration is not None:
        words[game.declaration.event] = game.declaration.game
    if offence.event in words:
        return {"call": words[offence.event], "shown": _laid_at(tricks, offence)}
    for number, cards in enumerate(tricks, start=1):
        for place, laid in enumerate(cards):
            if laid.event == offence.event:
                return _card_facts(game, tricks, offence, number, place)
    return {}


def _announced(game: Game, tricks: list[tuple[Laid, ...]], offence: Offence, said: Said) -> dict[str, Any]:
    """The call, and how many cards were held, or lay, when it was made."""
    when = said.moment
    facts: dict[str, Any] = {"call": said.call, "cards_left": when.hand, "shown": _laid_at(tricks, offence)}
    if game.calls.counted == "table":
        facts["laid"] = when.laid - 4 * when.shift  # in a Hochzeit from its Klärungsstich on
    return facts


def _card_facts(
    game: Game, tricks: list[tuple[Laid, ...]], offence: Offence, number: int, place: int
) -> dict[str, Any]:
    """The trick and the card that broke the rule, with what it had to follow or whose turn it was."""
    cards = tricks[number - 1]
    laid = cards[place]
    facts: dict[str, Any] = {"trick": number, "card": laid.card}
    match offence.code:
        case "not_entitled":
            facts.update(down=laid.down, shown=_laid_at(tricks, offence))
        case "revoke" if _about_called(game, cards, place):
            facts["called"] = game.contract.re_card
        case "revoke":
            facts.update(led=cards[0].card, shown=_shown(game, tricks, offence, cards[0]))
        case "out_of_turn":
            facts["due"] = _due(game, number, cards[:place])
    return facts


def _missed_duty(game: Game, tricks: list[tuple[Laid, ...]], offence: Offence) -> dict[str, Any]:
    """The trick that brought the duty to announce, and the card with which its time ran out."""
    if game.lapsed is None:
        return {}  # who is vorgeführt and plays no solo
    last = next((laid.card for cards in tricks for laid in cards if laid.event == offence.event), None)
    return {"trick": game.lapsed.trick + 1, "shown": last}


def _about_called(game: Game, cards: tuple[Laid, ...], place: int) -> bool:
    """Whether a card broke the rules of the called card: it was led, it followed, or it is that card thrown away."""
    classes, card = game.contract.classes, cards[place].card
    return place == 0 or classes[card] == classes[cards[0].card] or card == game.contract.re_card


def _laid_at(tricks: list[tuple[Laid, ...]], offence: Offence) -> str | None:
    """The card that made a spoken word's breach certain later."""
    if offence.proved == offence.event:
        return None
    return next((laid.card for cards in tricks for laid in cards if laid.event == offence.proved), None)


def _shown(game: Game, tricks: list[tuple[Laid, ...]], offence: Offence, led: Laid) -> str | None:
    """The card by which the seat itself showed that it could have followed; None if counting proves it."""
    classes = game.contract.classes
    for cards in tricks:
        for laid in cards:
            if laid.event == offence.proved and laid.seat == offence.seat and classes[laid.card] == classes[led.card]:
                return laid.card
    return None


def _due(game: Game, trick: int, before: tuple[Laid, ...]) -> int:
    """Whose turn it was with the cards before it on the table."""
    if not before:
        return game.tricks[trick - 2].winner if trick > 1 else game.book.leader(game)
    start = game.seats.index(before[0].seat)
    around = game.seats[start:] + game.seats[:start]
    laid = {card.seat for card in before}
    return next(seat for seat in around if seat not in laid)
