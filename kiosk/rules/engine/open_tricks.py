"""Ask what tricks can have been where some of their cards are open: laid lawfully, taken by a seat."""

from collections.abc import Sequence
from dataclasses import replace

from kiosk.rules.engine.cards import Card
from kiosk.rules.engine.contract import TRUMP, Contract
from kiosk.rules.engine.readings import Readings
from kiosk.rules.engine.tricks import Laid, best


def may_be_lawful(readings: Readings, trick: int, led: Laid, own: Laid) -> bool:
    """Report whether some world lets ``own`` be laid to ``led``: it follows, or its seat had no such card."""
    contract = readings.game.contract
    led_kinds, own_kinds = readings.of(led), readings.of(own)
    for led_class in {contract.classes[kind] for kind in led_kinds}:
        members = contract.members[led_class]
        asked = led_kinds & members
        if own_kinds & members and readings.possible({led.event: asked, own.event: own_kinds & members}):
            return True
        other = own_kinds - members
        if other and readings.possible({led.event: asked, own.event: other}, own.seat, members, trick):
            return True
    return False


def may_have_won(readings: Readings, cards: Sequence[Laid], seat: int) -> bool:
    """Report whether ``seat`` takes a trick of these cards in some world."""
    if _wins_as_read(readings, cards, seat):
        return True
    contract = _contract_of(readings, cards)
    at = next(place for place, laid in enumerate(cards) if laid.seat == seat)
    for card in sorted(readings.of(cards[at]), key=contract.power.__getitem__, reverse=True):
        led = {card} if at == 0 else readings.of(cards[0])
        for led_class in {contract.classes[kind] for kind in led}:
            beaten = _beaten(readings, cards, at, card, led_class)
            if beaten is not None and readings.possible(beaten):
                return True
    return False


def _contract_of(readings: Readings, cards: Sequence[Laid]) -> Contract:
    """The contract by which the trick of these cards is taken."""
    game = readings.game
    if not game.raised:
        return game.contract
    return game.contract_in(next(number for number, laid in readings.lying if laid.event == cards[0].event))


def _wins_as_read(readings: Readings, cards: Sequence[Laid], seat: int) -> bool:
    """Whether ``seat`` takes the trick in the one world that is known."""
    if readings.reading is None:
        return False
    game, read = readings.game, readings.reading
    known = tuple(replace(laid, card=read[laid.event]) if laid.event in read else laid for laid in cards)
    contract = _contract_of(readings, cards)
    second = game.book.second_wins(contract, game.options)
    return best(contract, game.book.equal_order(known), second).seat == seat


def _beaten(
    readings: Readings, cards: Sequence[Laid], at: int, card: Card, led_class: str
) -> dict[int, frozenset[Card]] | None:
    """What the cards of a trick may be so that the one in place ``at`` takes it as ``card``; None if one cannot."""
    game, own = readings.game, cards[at]
    contract = _contract_of(readings, cards)
    classes, power = contract.classes, contract.power
    counting = (led_class, TRUMP)
    if at and (own.down or classes[card] not in counting):
        return None
    order = [laid.event for laid in game.book.equal_order(tuple(cards))]
    second_wins = card in game.book.second_wins(contract, game.options)
    only = {own.event: frozenset((card,))}
    for place, laid in enumerate(cards):
        if place == at:
            continue
        equal = (order.index(own.event) > order.index(laid.event)) == second_wins
        only[laid.event] = frozenset(
            kind
            for kind in readings.of(laid)
            if (place or classes[kind] == led_class)
            and (
                laid.down
                or classes[kind] not in counting
                or (not own.down and (power[card] > power[kind] or (card == kind and equal)))
            )
        )
        if not only[laid.event]:
            return None
    return only
