"""What is refused names the bad value, and never more than a line of it."""

import sys
from typing import Any

import pytest

from kiosk.errors import BadEvent, shorten
from kiosk.rules.composed.file import BadBook
from kiosk.rules.composed.known import book_of_text
from kiosk.table.events.codec import decode
from kiosk.table.round.fold import fold

LONG = "x" * 5000
HUGE = 10**300
OPEN = {"event": "open", "format": 1, "rules": "eppstein", "table": 7, "round": 1, "players": ["A", "B", "C", "D"]}
DEAL = {"event": "deal", "dealer": 4}
SCHAFKOPF = {**OPEN, "rules": "schaffkopf"}

BAD: dict[str, list[dict[str, Any]]] = {
    "book": [{**OPEN, "rules": LONG}],
    "option": [{**OPEN, "options": {LONG: 1}}],
    "value": [{**OPEN, "options": {"pflichtsoli": LONG}}],
    "number": [{**OPEN, "options": {"pflichtsoli": HUGE}}],
    "card": [OPEN, DEAL, {"event": "card", "seat": 1, "card": LONG}],
    "doubt": [OPEN, DEAL, {"event": "card", "seat": 1, "card": "CA", "doubt": [LONG]}],
    "seat": [OPEN, DEAL, {"event": "card", "seat": HUGE, "card": "CA"}],
    "hand": [OPEN, DEAL, {"event": "hand", "seat": 1, "cards": [LONG]}],
    "call": [OPEN, DEAL, {"event": "call", "seat": 1, "call": LONG}],
    "game": [OPEN, DEAL, {"event": "declare", "seat": 1, "game": LONG}],
    "suit": [OPEN, DEAL, {"event": "declare", "seat": 1, "game": "farbsolo", "suit": LONG}],
    "condition": [OPEN, DEAL, {"event": "declare", "seat": 1, "game": "hochzeit", "condition": LONG}],
    "called": [SCHAFKOPF, DEAL, {"event": "declare", "seat": 1, "game": "rufspiel", "card": LONG}],
    "class": [SCHAFKOPF, DEAL, {"event": "bid", "seat": 1, "class": LONG}],
    "raise": [{**OPEN, "rules": "durchgaenge"}, DEAL,
              {"event": "declare", "seat": 1, "game": "damensolo", "raise": ["bock"] * 99}],
    "announcement": [OPEN, DEAL, {"event": "announce", "seat": 1, "call": LONG}],
    "claim": [OPEN, DEAL, {"event": "claim", "seat": 1, "kind": "rest", "order": [LONG]}],
    "taken back": [OPEN, DEAL, {"event": "retract", "seat": 1, "card": LONG}],
    "ruling": [OPEN, DEAL, {"event": "rule", "class": LONG}],
    "correction": [OPEN, DEAL, {"event": "correct", "of": HUGE, "card": "CA"}],
    "word": [OPEN, DEAL, {"event": "correct", "of": HUGE, "word": None}],
    "place": [OPEN, DEAL, {"event": "correct", "after": HUGE, "seat": 1, "card": "CA"}],
    "breach": [OPEN, DEAL, {"event": "object", "seat": 1, "breach": HUGE}],
    "event": [OPEN, DEAL, {"event": LONG}],
}  # fmt: skip


@pytest.mark.parametrize("events", BAD.values(), ids=BAD)
def test_a_message_echoes_a_line_of_a_bad_value_at_most(events: list[dict[str, Any]]) -> None:
    with pytest.raises(BadEvent) as refused:
        fold(map(decode, events))
    text = str(refused.value)
    assert "x" * 80 not in text and "0" * 80 not in text and text.count("bock") < 20


@pytest.mark.parametrize(
    "lines",
    [
        pytest.param(f'base = "{LONG[:400]}"', id="a base"),
        pytest.param(f'base = "bsv"\n{LONG} = 1', id="a key"),
        pytest.param(f'base = "bsv"\n{LONG} = 1\n{LONG} = 2', id="a key twice"),
        pytest.param(f'base = "bsv"\n[options]\n{LONG} = 1', id="an option"),
        pytest.param(f'base = "bsv"\n[options]\nsecond_ht = "{LONG[:400]}"', id="an option's value"),
        pytest.param(f'base = "bsv"\n[options]\ngames = {"9" * 300}', id="a number"),
        pytest.param(f'base = "bsv"\n[{LONG}]\nsection = "1"', id="a chapter"),
        pytest.param(f'base = "bsv"\n[games.{LONG}]\ntrumps = ["CQ"]', id="a game"),
        pytest.param(f'base = "bsv"\n[rules]\n{LONG} = "x"', id="a point"),
        pytest.param(f'base = "bsv"\n[rules]\nbock = "{LONG[:400]}"', id="a choice"),
        pytest.param(f'base = "bsv"\n= {LONG}', id="no TOML"),
    ],
)
def test_a_club_s_book_is_refused_in_few_words(lines: str) -> None:
    head, *rest = lines.split("\n")
    text = "\n".join((head, 'title = "T"', 'source = "S"', 'date = "2026"', *rest))
    with pytest.raises(BadBook) as refused:
        book_of_text("myclub", text, "myclub.toml")
    for language in ("de", "en"):
        assert "x" * 81 not in refused.value.told(language) and "9" * 81 not in refused.value.told(language)


@pytest.mark.parametrize(
    ("value", "named"),
    [
        pytest.param("CX", "'CX'", id="short"),
        pytest.param("x" * 79, "'" + "x" * 78 + "…", id="a letter too long"),
        pytest.param("x" * 78, "'" + "x" * 78 + "'", id="just short enough"),
        pytest.param(10 ** (sys.get_int_max_str_digits() + 1), "this int", id="a number that cannot be written"),
    ],
)
def test_shorten(value: object, named: str) -> None:
    assert shorten(value) == named and len(shorten(value)) <= 80
