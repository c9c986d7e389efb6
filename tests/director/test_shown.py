"""What the table's own page is told, book by book: duties, calls in time, doubled games, money, leave, the list."""

import json
from typing import Any

import pytest

from kiosk.demo.play import simulate
from kiosk.director.key import ListKey
from kiosk.director.pages.offered import offered
from kiosk.director.pages.shown import card, sheet
from kiosk.director.tables.copy import Copy
from kiosk.rules.books import BOOKS
from kiosk.table.events.codec import decode
from kiosk.table.round.fold import fold
from kiosk.table.scoresheet.counted import as_written
from kiosk.table.scoresheet.spielliste import list_data
from kiosk.table.view.spoken import spoken

NAMES = ["Anna", "Bernd", "Cem", "Dora"]


def told(rules: str, *events: dict[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    """The card and the sheet of a table after the events."""
    opening = {"event": "open", "format": 1, "rules": rules, "table": 7, "round": 1, "players": NAMES}
    copy = Copy(ListKey("Herbst", 1, 7))
    copy.add([opening, {"event": "release"}, *events])
    assert not copy.trouble
    view = copy.view()
    assert copy.round is not None
    listed = as_written(copy.round)
    return card(copy, listed), sheet(copy, view, listed)


def cards(text: str, first: int = 1) -> list[dict[str, Any]]:
    return [
        {"event": "card", "seat": (first - 1 + number) % 4 + 1, "card": name}
        for number, name in enumerate(text.split())
    ]


def test_a_duty_is_owed() -> None:
    """bsv 6.3.1: thirty Augen in the first trick; until fewer than nine cards are in the hand."""
    _, shown = told("bsv", {"event": "deal", "dealer": 4}, *cards("CA CA CT CT"))
    assert [bool(seat["owes"]) for seat in shown["seats"]] == [True, False, False, False]
    assert shown["seats"][0]["owes"]["counted"] == "hand"
    assert "9" in shown["limits"]["de"]


@pytest.mark.parametrize(("rules", "counted"), [("eppstein", "hand"), ("schnittchen", "table")])
def test_calls_in_time_as_the_book_counts(rules: str, counted: str) -> None:
    _, shown = told(rules, {"event": "deal", "dealer": 4}, *cards("CA"))
    said = shown["seats"][1]["may_say"]
    assert {"re", "kontra"} <= {call["call"] for call in said}
    assert {call["counted"] for call in said} == {counted}


def test_bockrunde_and_money() -> None:
    """schnittchen: a trick of four plain hearts; a revoke costs its player an euro to each."""
    hearts = cards("HA HK HK HA")
    ruling = {"event": "rule", "offender": 2, "class": "serious"}
    face, shown = told("schnittchen", {"event": "deal", "dealer": 4}, *hearts, ruling)
    assert shown["game"]["bock_left"] == 4
    assert [seat["euros"] for seat in shown["seats"]] == [-1, 3, -1, -1]
    assert face["knows_money"] and not face["knows_leave"] and list(face["classes"]) == ["serious"]
    _, shown = told("schnittchen", {"event": "deal", "dealer": 4}, *hearts, ruling, {"event": "deal", "dealer": 1})
    assert shown["game"]["doubled"]


def test_leave_and_the_called_card() -> None:
    """schaffkopf II 2.2 and 4.1.6."""
    deal = {"event": "deal", "dealer": 4}
    face, _ = told("schaffkopf", deal, {"event": "declare", "seat": 1, "game": "solo-tout", "suit": "S"})
    assert (face["leave"]["state"], face["leave"]["seat"]) == ("asked", 1) and face["knows_leave"]
    named = {"event": "declare", "seat": 1, "game": "rufspiel", "card": "GA"}
    face, shown = told("schaffkopf", deal, named, *cards("S7"))
    assert face["leave"] is None and shown["bavarian"]
    assert (shown["game"]["called"], shown["open_trick"][0]["card"]) == ("GA", "S7")


@pytest.mark.parametrize("book", BOOKS)
def test_the_list_is_sent_ready_to_print(book: str) -> None:
    events = list(simulate(book, 6, 3))
    copy = Copy(ListKey("Herbst", 1, 1))
    copy.add(events)
    shown = json.loads(json.dumps(sheet(copy, copy.view(), as_written(fold(map(decode, events))))))
    for language in ("de", "en"):
        data = list_data(fold(map(decode, events)), language)
        sent = shown["lists"][language]
        for key in ("name", "columns", "fields", "lines", "foot"):
            assert sent[key] == json.loads(json.dumps(data[key]))
        assert len(sent["checks"]) == len(data["checks"]) and len(sent["rows"]) == 3


def test_before_anybody_has_sat_down() -> None:
    copy = Copy(ListKey("Herbst", 1, 1))
    nothing = {"lists": {}, "feed": [], "seats": [], "offers": ["callTable", "release"]}
    assert sheet(copy, None, None) == nothing and card(copy, None)["phase"] == "empty"


@pytest.mark.parametrize("book", sorted(BOOKS))
def test_what_was_said_is_told_as_the_table_tells_it(book: str) -> None:
    """With its game, and as it counts; the answers that nobody wants to read again are left out."""
    events = simulate(book, 4, 5, mistakes=0.05, mishaps=0.4)
    copy = Copy(ListKey("t", 1, 1))
    copy.add(events)
    round_ = copy.round
    assert round_ is not None and not copy.trouble
    deals = [(game.dealt, game.number) for game in (*round_.games, *([round_.game] if round_.game else []))]
    told = sheet(copy, copy.view(), as_written(round_))["spoken"]
    words = [one for one in spoken(round_, since=0) if one.said.get("call") not in ("gesund", "weiter", "recht")]
    assert words
    assert [(one["event"], one["said"], one["word"]) for one in told] == [
        (one.event, one.said, one.word) for one in words
    ]
    for one in told:
        dealt = [number for first, number in deals if first < one["event"]]
        assert one["game"] in (None, dealt[-1] if dealt else None)
    assert any(one["game"] is not None for one in told)
    assert ("putRight" in offered(round_, as_written(round_))) == any(one.said.get("call") != "gesund" for one in words)
