"""Write what a seat's panel says of its player: the words spoken, the score, and what is left."""

from dataclasses import dataclass
from typing import Any

from kiosk import language
from kiosk.table.view.book_view import BookView
from kiosk.table.view.table_view import SeatView, TableView


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatWords:
    """The words of a panel; where there are several choices, the first that fits is written."""

    name: str
    total: str
    said: tuple[str, ...]
    info: tuple[str, ...]
    owes: bool  # the info says what is owed


def seat_words(app: Any, seat: SeatView, view: TableView) -> SeatWords:
    """Write a seat's words for a view."""
    owes = seat.owes is not None and view.phase == "playing"
    return SeatWords(
        name=seat.name,
        total=str(seat.total),
        said=_said(app, seat, view),
        info=(app.words["owes"],) if owes else _info(app, seat, view),
        owes=owes,
    )


def _said(app: Any, seat: SeatView, view: TableView) -> tuple[str, ...]:
    """What the seat has said; where there is no room long words are short, Absagen that a later one contains gone."""
    say, text = app.say, app.words
    if view.phase == "scored" and view.result is not None and not seat.sits_out:
        gained = view.result.score[seat.seat - 1]
        return (f"{gained:+d}" if gained else "",)
    if seat.ran:
        return (text["ran"],)
    before = []
    if view.phase in ("asking", "bidding", "declaring") and (seat.bid or seat.answer):
        answer = say(seat.bid or seat.answer)
        before = [f"({answer})" if seat.implied and not seat.bid else answer]  # said by nobody, implied
    if seat.side and seat.side not in seat.said:
        before.append(f"({side_word(app, seat.side, view.book)})")
    words = [*before, *(short_word(app, call) for call in seat.said)]
    whole = " · ".join([*before, *(say(call) for call in seat.said)])
    fewer = (" · ".join(words), " · ".join([*words[:1], *words[1:][-1:]]), " · ".join(words[-1:]))
    return (whole, *fewer) if whole != fewer[0] else fewer


def short_word(app: Any, call: str) -> str:
    """Name a call as it is said in short, where a table has such a word."""
    return language.say("calls_short", call, app.language) if language.has("calls_short", call) else str(app.say(call))


def _info(app: Any, seat: SeatView, view: TableView) -> tuple[str, ...]:
    """What is left to the seat, in ever fewer words."""
    text = app.words
    if seat.sits_out:
        return (text["sits_out"],)
    if view.phase not in ("playing", "resting"):
        return (text["duty_open"] if seat.duty_open else "",)
    cards = text["card"] if seat.cards_left == 1 else text["cards"].format(n=seat.cards_left)
    if seat.tricks_won is None:
        return cards, ""
    tricks = text["trick"] if seat.tricks_won == 1 else text["tricks"].format(n=seat.tricks_won)
    return f"{tricks} · {cards}", tricks, ""


def side_word(app: Any, side: str, book: BookView) -> str:
    """Name a side: by its announcement where the book has one, else by who plays."""
    return str(app.say(side) if side in book.calls else app.words["plays_" + side])
