"""Answer a table's questions as its people would: each knows what he has laid."""

from collections.abc import Iterable
from typing import Any

from kiosk.rules.engine.cards import Card
from kiosk.rules.engine.game import Game
from kiosk.table.view.table_view import DoubtView


def answer_of(doubt: DoubtView, played: Iterable[Game], shown: Card | None = None) -> dict[str, Any] | None:
    """Make the request that answers a question; None where no such trick was played.

    :param played: the games as they were played.
    :param shown: the card that the question's picture shows, as far as one can tell: if somebody else has laid that in
        this trick, it is his.
    """
    game = next((one for one in played if one.number == doubt.game), None)
    if game is None or doubt.trick > len(game.tricks):
        return None
    laid = {one.seat: one.card for one in game.tricks[doubt.trick - 1].cards}
    said = {"event": "correct", "by": f"seat {doubt.seat}", "why": "asked"}
    if not doubt.perhaps:
        owner = next((seat for seat, one in laid.items() if one == shown), doubt.seat)
        if owner != doubt.seat and shown != laid[doubt.seat]:
            return {**said, "of": doubt.event, "card": shown, "seat": owner}
        return {**said, "of": doubt.event, "card": laid[doubt.seat]}
    card = doubt.choices[0]
    who = [seat for seat, one in laid.items() if one == card] or [doubt.seat]
    if doubt.seat not in who and doubt.perhaps[doubt.event] in who:
        return {**said, "seats": {str(event): seat for event, seat in doubt.perhaps.items()}}
    return {**said, "of": doubt.event, "card": card, "seat": doubt.seat if doubt.seat in who else who[0]}
