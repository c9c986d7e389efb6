"""Answer a table's questions as its people would: each knows what he has laid."""

from collections.abc import Iterable
from typing import Any

from kiosk.rules.engine.cards import Card
from kiosk.rules.engine.game import Game
from kiosk.table.view.table_view import DoubtView


def answer_of(doubt: DoubtView, played: Iterable[Game], shown: Card | None = None) -> dict[str, Any] | None:
    """Make the request that answers a question; None where no such trick was played.

    :param played: the games as they were played.
    :param shown: the card that the question's picture shows, as far as one can tell: that is named.
    """
    game = next((one for one in played if one.number == doubt.game), None)
    if game is None or doubt.trick > len(game.tricks):
        return None
    laid = {one.seat: one.card for one in game.tricks[doubt.trick - 1].cards}
    said = {"event": "correct", "by": f"seat {doubt.seat}", "why": "asked"}
    if not doubt.perhaps:
        return {**said, "of": doubt.event, "card": shown or laid[doubt.seat]}
    card = doubt.choices[0]
    who = [seat for seat, one in laid.items() if one == card] or [doubt.seat]
    if doubt.seat not in who and doubt.perhaps[doubt.event] in who:
        return {**said, "seats": {str(event): seat for event, seat in doubt.perhaps.items()}}
    return {**said, "of": doubt.event, "card": card, "seat": doubt.seat if doubt.seat in who else who[0]}


def put_to_owner(
    doubt: DoubtView, played: Iterable[Game], noted: Iterable[Game], shown: Card | None
) -> dict[str, Any] | None:
    """Make the request that puts a card that was named to who has laid it in its trick; None where it is his.

    :param noted: the games as the table has them; who is noted for it gets the other's card.
    """
    there = next((one for one in played if one.number == doubt.game), None)
    told = next((one for one in noted if one.number == doubt.game), None)
    if shown is None or doubt.perhaps or there is None or told is None:
        return None
    if doubt.trick > min(len(there.tricks), len(told.tricks)):
        return None
    laid = {one.seat: one.card for one in there.tricks[doubt.trick - 1].cards}
    owner = next((seat for seat, card in laid.items() if card == shown), doubt.seat)
    other = next((one.event for one in told.tricks[doubt.trick - 1].cards if one.seat == owner), None)
    if laid[doubt.seat] == shown or owner == doubt.seat or other is None:
        return None
    seats = {str(doubt.event): owner, str(other): doubt.seat}
    return {"event": "correct", "by": f"seat {doubt.seat}", "why": "asked", "seats": seats}
