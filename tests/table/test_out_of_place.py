"""Every event in every phase of a round: what cannot happen there is named with its line, its event and the reason."""

import io
from pathlib import Path
from typing import Any

import pytest

from kiosk.rules.books import BOOKS
from kiosk.table.events.codec import format_body
from kiosk.table.replay import replay_files

DEAL = {"event": "deal", "dealer": 4}
VOID, RELEASE, TIME_UP, CLOSE = ({"event": name} for name in ("void", "release", "time_up", "close"))

#: A column of the tables below for each.
PHASES = (
    "opened",
    "released",
    "dealt",
    "asked",
    "named",
    "card",
    "trick",
    "resting",
    "ruled",
    "void",
    "time_up",
    "closed",
)

#: For each event whether it can happen (+) in the phases in their order, and words of the reasons why not.
DOPPELKOPF = {
    "open": ("------------", "open: a round is opened only once"),
    "release": ("+++++++++++-", "handed in"),
    "deal": ("++------++?-", "game 1 is still running|handed in|complete"),
    "hand": ("--++++++----", "deal first|belongs after its deal|handed in"),
    "call": ("--++++++----", "deal first|handed in"),
    "bid": ("------------", "knows no bid|deal first|handed in"),
    "declare": ("--+++-------", "after the first card|deal first|handed in"),
    "leave": ("------------", "knows no leave|deal first|handed in"),
    "announce": ("--++++++----", "deal first|handed in"),
    "card": ("--++++++----", "deal first|handed in"),
    "second card": ("--+++-+-----", "already a card in the open trick; seat 2 is to lay|deal first|handed in"),
    "retract": ("-----+-+----", "cannot be taken back|deal first|handed in"),
    "claim": ("----?-??----", "may not claim|deal first|handed in"),
    "object": ("--+++++++---", "deal first|the last deal was void|handed in"),
    "rule": ("--+++++++---", "deal first|the last deal was void|handed in"),
    "void": ("--++++++----", "deal first|handed in"),
    "strike": ("--------+---", "game 1 is not on the list; it has 0 games"),
    "time_up": ("++++++++++++", ""),
    "sign": ("++------++++", "game 1 is still running"),
    "substitute": ("+++++++++++-", "handed in"),
    "name": ("+++++++++++-", "handed in"),
    "swap": ("+++++++++++-", "handed in"),
    "pause": ("+++++++++++-", "handed in"),
    "resume": ("------------", "has no break|handed in"),
    "correct": ("------+++---", "no card that could be corrected"),
    "close": ("++------+++-", "game 1 is still running|handed in"),
}
SCHAFKOPF = {
    **DOPPELKOPF,
    "bid": ("--+++-------", "after the first card|deal first|handed in"),
    "leave": ("--+++-------", "before the first card|deal first|handed in"),
    "announce": ("------------", "has no announcement 'kontra'; it has none|deal first|handed in"),
    "claim": ("--++++++----", "deal first|handed in"),
}


def phases(book: str) -> dict[str, list[dict[str, Any]]]:
    """A list of events that ends in each phase."""
    schafkopf = book == "schaffkopf"
    opened = {"event": "open", "format": 1, "rules": book, "players": ["A", "B", "C", "D"]}
    words = ("spielen", "weiter", "weiter", "weiter") if schafkopf else ("gesund",) * 4
    asked = [{"event": "call", "seat": seat, "call": word} for seat, word in enumerate(words, start=1)]
    named = {"event": "declare", "seat": 1, "game": "wenz" if schafkopf else "damensolo"}
    cards = [{"event": "card", "seat": n, "card": card} for n, card in enumerate(names(book), start=1)]
    rest, rule = events(book)["object"], events(book)["rule"]
    after: dict[str, list[dict[str, Any]]] = {
        "opened": [],
        "released": [RELEASE],
        "dealt": [DEAL],
        "asked": [DEAL, *asked],
        "named": [DEAL, *asked, named],
        "card": [DEAL, *asked, *([named] if schafkopf else []), cards[0]],
        "trick": [DEAL, named, *cards],
        "resting": [DEAL, named, cards[0], rest],
        "ruled": [DEAL, named, cards[0], rule],
        "void": [DEAL, VOID],
        "time_up": [TIME_UP],
        "closed": [CLOSE],
    }
    return {phase: [opened, *after[phase]] for phase in PHASES}


def names(book: str) -> list[str]:
    return ["EA", "ET", "EK", "E9"] if book == "schaffkopf" else ["CA", "CT", "CK", "CT"]


def events(book: str) -> dict[str, dict[str, Any]]:
    """One event of each kind, possible somewhere."""
    first, second, *_ = names(book)
    schafkopf = book == "schaffkopf"
    return {
        "open": {"event": "open", "format": 1, "rules": book, "players": ["A", "B", "C", "D"]},
        "release": RELEASE,
        "deal": DEAL,
        "hand": {"event": "hand", "seat": 2, "cards": [second]},
        "call": {"event": "call", "seat": 2, "call": "weiter" if schafkopf else "gesund"},
        "bid": {"event": "bid", "seat": 2, "class": "wenz"},
        "declare": {"event": "declare", "seat": 1, "game": "wenz" if schafkopf else "damensolo"},
        "leave": {"event": "leave", "seat": 1, "granted": True},
        "announce": {"event": "announce", "seat": 2, "call": "kontra"},
        "card": {"event": "card", "seat": 2, "card": second},
        "second card": {"event": "card", "seat": 1, "card": second},
        "retract": {"event": "retract", "seat": 1, "card": first},
        "claim": {"event": "claim", "seat": 1, "kind": "rest"},
        "object": {"event": "object", "seat": 2, "against": 1, "code": "revoke"},
        "rule": {"event": "rule", "class": "custom", "offender": 1, "scores": {"2": 5}},
        "void": VOID,
        "strike": {"event": "strike", "game": 1},
        "time_up": TIME_UP,
        "sign": {"event": "sign", "seat": 1},
        "substitute": {"event": "substitute", "seat": 1, "player": "Zoe"},
        "name": {"event": "name", "seat": 1, "player": "Zoe"},
        "swap": {"event": "swap", "seats": [1, 3]},
        "pause": {"event": "pause"},
        "resume": {"event": "resume"},
        "correct": {"event": "correct", "of": 3, "card": second},
        "close": CLOSE,
    }


@pytest.mark.parametrize("event", DOPPELKOPF)
@pytest.mark.parametrize("book", BOOKS)
def test_event_by_phase(book: str, event: str, tmp_path: Path) -> None:
    possible, reasons = (SCHAFKOPF if book == "schaffkopf" else DOPPELKOPF)[event]
    path = tmp_path / "round.jsonl"
    for phase, expected in zip(phases(book).items(), possible, strict=True):
        lines = [*phase[1], events(book)[event]]
        path.write_text("".join(format_body(line) + "\n" for line in lines))
        out, err = io.StringIO(), io.StringIO()
        status = replay_files([path], True, out, err)
        said = err.getvalue()
        if status == 0:
            assert expected in "+?", f"{event} can happen when {phase[0]}"
            assert out.getvalue() and not said
        else:
            assert status == 2 and expected in "-?", f"{event} cannot happen when {phase[0]}: {said}"
            assert said.startswith(f"line {len(lines) - 1}: {lines[-1]['event']}: ") and said.count("\n") == 1
            assert any(reason in said for reason in reasons.split("|")), said
            assert not out.getvalue()


def test_every_event_is_in_the_table() -> None:
    from kiosk.table.events.codec import NAMES

    assert {event["event"] for event in events("eppstein").values()} == set(NAMES)
