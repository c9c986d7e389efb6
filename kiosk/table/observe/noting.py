"""Note a card that the camera reports: its seat, its reading, and corrections by a second reading."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from kiosk.errors import BadEvent
from kiosk.table.events.values import CardCorrected, CardPlayed
from kiosk.table.inference.doubts import in_order
from kiosk.table.inference.position import Position
from kiosk.table.inference.seats import Owner, Place, Sight, owner
from kiosk.table.observe.desk import Desk, second_thought
from kiosk.table.observe.missed import cards_left
from vision.messages import CardLaid


def is_unread(report: CardLaid) -> bool:
    """Whether nothing is known of a card but that it lies there, face up as it seems."""
    return report.label is None and not report.choices and not report.face_down


def sight_of(report: CardLaid) -> Sight:
    """Return what a report says of who laid the card."""
    return Sight((report.x, report.y), None if report.arm is None else (report.arm, report.arm_share))


def owner_of(report: CardLaid, position: Position, centres: Mapping[int, Place]) -> Owner:
    """Find the seat that laid a card where the next one is due."""
    assert position.due is not None
    return owner(sight_of(report), position.due, position.waiting, centres, position.perhaps_due)


def note_card(
    desk: Desk, centres: Mapping[int, Place], report: CardLaid, position: Position, seat: int | None = None
) -> int | None:
    """Note a card; its event, None if it belongs to no game.

    :param seat: whose it is, where that is known better than from this card alone.
    """
    assert position.due is not None
    whose = owner_of(report, position, centres) if seat is None else Owner(seat=seat, sure=1.0)
    event = CardPlayed(
        seat=whose.seat,
        place=(round(report.x), round(report.y)),
        margin=round(report.margin, 3),
        sure=round(whose.sure, 2) if whose.sure < 0.995 else None,
        arm=None if report.arm is None else (round(report.arm, 2), round(report.arm_share, 2)),
        **_reading(report, whose.seat, position),
    )
    seats = [whose.seat, *(seat for seat in (position.due, *position.waiting) if seat != whose.seat)]
    for seat in dict.fromkeys(seats):
        try:
            return desk.note(replace(event, seat=seat), report.picture)
        except BadEvent:
            continue  # that seat cannot have laid it (its cards are used up): the next likely one
    desk.notices["stray_card", None] = None
    return None


def note_covered(desk: Desk, centres: Mapping[int, Place], report: CardLaid, position: Position) -> int | None:
    """Note a card laid face down where the book allows it (durchgaenge 4b); the deck's composition decides its label.

    Other backs are those of tricks won, or of a hand put down. A card of which nothing can be read counts as a back
    there: those of a deck that nobody has taught are not known.
    """
    if not (report.face_down or is_unread(report)):
        return None
    left = [card for card in position.covers if card in cards_left(position)]
    if position.due is None or not left:
        return None
    if owner_of(report, position, centres).seat != position.due:
        return None
    place = (round(report.x), round(report.y))
    margin = 1.0 if report.face_down else None  # a back that was seen; else it may lie open after all
    event = CardPlayed(
        seat=position.due, place=place, card=left[0], down=True, doubt=tuple(left), unseen=True, margin=margin
    )
    return second_thought(desk, event, report.picture)


def read_again(desk: Desk, report: CardLaid, event: int, position: Position) -> None:
    lying = next((one for one in (*position.open_trick, *position.last_trick) if one.event == event), None)
    if lying is None or lying.settled:
        return
    if report.label is None:
        if not report.choices and lying.doubt and report.picture is not None:
            desk.renew_picture(event, report.picture)
        return
    if report.label != lying.card or lying.doubt:
        why = "seen again" if lying.doubt else f"seen again, {report.label} instead of {lying.card}"
        margin = round(report.margin, 3)
        said = CardCorrected(of=event, card=report.label, by="camera", why=why, margin=margin)
        second_thought(desk, said, report.picture)


def _reading(report: CardLaid, seat: int, position: Position) -> dict[str, Any]:
    """What was read, and what else it may have been: fields of ``CardPlayed``."""
    scores = {label: round(score, 3) for label, score in report.choices if label in position.deck}
    if report.label is None and not report.choices:
        left = tuple(cards_left(position))
        doubt = left if len(left) > 1 else tuple(dict.fromkeys((*left, *position.deck)))
        return {"card": doubt[0], "doubt": doubt}
    if report.label is None and not scores:
        return {"card": report.choices[0][0]}  # a card of another deck
    if report.label is None:
        order = in_order(tuple(scores.items()), report.margin, seat, position.seen, position.deck, position.hands)
        labels = list(dict.fromkeys((*order, *scores)))
        return {"card": labels[0], "doubt": tuple(labels), "scores": tuple(scores[label] for label in labels)}
    if len(scores) < 2 or report.label not in scores:
        return {"card": report.label}
    rivals = tuple(label for label in scores if label != report.label)
    return {"card": report.label, "rivals": rivals, "scores": tuple(scores[label] for label in (report.label, *rivals))}
