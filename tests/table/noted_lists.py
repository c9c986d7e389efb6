"""Make lists that the direction has put right or typed in, from its notes."""

from functools import cache
from typing import Any

import pytest

from kiosk.errors import BadNote
from kiosk.table.events.codec import decode
from kiosk.table.round.fold import Round, fold
from kiosk.table.scoresheet.berichtigung import (
    ListNote,
    step,
)
from kiosk.table.scoresheet.counted import CountedList, as_written

NAMES = ("Anna", "Bernd", "Cem", "Dora", "Emil")
OPENED = 1_790_000_000_000


@cache
def empty(rules: str = "bsv", players: int = 4, **options: Any) -> Round:
    opening = {"event": "open", "format": 1, "rules": rules, "players": list(NAMES[:players]), "options": options}
    return fold([decode(opening)])


@cache
def written(rules: str = "bsv", players: int = 4) -> Round:
    """Two games that the referee has scored: dealers 1 and 2."""
    events = [
        {
            "event": "open",
            "format": 1,
            "rules": rules,
            "players": list(NAMES[:players]),
            "at": OPENED,
            "substitutes": [2],
        },
        {"event": "deal", "dealer": 1},
        {"event": "rule", "class": "custom", "scores": {"2": 3, "3": 3, "4": -6}},
        {"event": "deal", "dealer": 2},
        {"event": "rule", "class": "custom", "scores": {"1": 5, "3": -5}},
    ]
    return fold(map(decode, events))


def by_seat(*score: int) -> dict[str, int]:
    return {str(seat): points for seat, points in enumerate(score, start=1)}


def note(number: int = 0, **body: Any) -> ListNote:
    return ListNote(number=number, at=9, body=body)


def mend(what: str, **more: Any) -> ListNote:
    return note(7, **{"note": "berichtigung", "of": OPENED, "what": what, **more})


def row(game: int, *score: int, number: int = 0, insert: bool = False, **more: Any) -> ListNote:
    """A row typed in."""
    body = {"note": "paper_row", "of": None, "game": game, "row": {"score": by_seat(*score), **more}}
    return note(number, **body | ({"insert": True} if insert else {}))


def typed(*rows: ListNote, rules: str = "bsv", players: int = 4, **options: Any) -> CountedList:
    """The list of these rows; each of them must fit."""
    listed = as_written(empty(rules, players, **options))
    for one in rows:
        listed = step(listed, one)
    return listed


def refusal(listed: CountedList, one: ListNote) -> tuple[str, str, dict[str, Any]]:
    with pytest.raises(BadNote) as refused:
        step(listed, one)
    return refused.value.code, str(refused.value), dict(refused.value.values)
