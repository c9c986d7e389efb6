"""A card of a game that is in the list is put right once people have seen what that changes there."""

import importlib.util
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from kiosk.demo.play import simulate
from kiosk.errors import Refused
from kiosk.rules.books import BOOKS
from kiosk.table.events.codec import decode, request_for
from kiosk.table.events.values import CardCorrected, Request
from kiosk.table.preview import Preview

pytestmark = pytest.mark.render


def _load(name: str) -> Any:
    spec = importlib.util.spec_from_file_location(f"ui_{name}", Path(__file__).with_name(f"{name}.py"))
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


Evening, NAMES = _load("test_put_right").Evening, _load("test_put_right").NAMES


@pytest.fixture
def evening(hand: Any) -> Any:
    """A table whose first game has just been noted."""
    made = Evening(hand, "eppstein")
    for event in map(decode, simulate("eppstein", 3, 1)):
        if made.table.round.games:
            break
        if event.name not in ("open", "release"):
            made.table.note(event)
    made.happens()
    assert made.table.view().phase == "scored"
    return made


def corrections(evening: Any) -> Iterator[tuple[Request, Preview]]:
    """What each other card in place of each one laid would change, the last tricks first."""
    laid = [card for trick in evening.table.view().result.tricks for card in trick.cards]
    for one in reversed(laid):
        for card in dict.fromkeys(BOOKS["eppstein"].deck):
            if card != one.card:
                request = request_for(CardCorrected, of=one.event, card=card, by="table", why="finger")
                yield request, evening.table.preview(request)


def changes_rows(preview: Preview) -> bool:
    return bool(preview.rows) and preview.refused is None


def changes_nothing(preview: Preview) -> bool:
    return not preview.rows and preview.refused is None


def put_right(evening: Any, request: Request) -> None:
    """Touch the card in the game's tricks, and then the right one."""
    app, stage = evening.hand.app, evening.hand.stage
    app.sheets.open("correct", 0, of=request.event.of)
    stage.step(3)
    rows = app.sheets.current.ids.picker.children
    key = next(key for row in rows for key in row.children if key.card == request.event.card)
    stage.touch(key)
    evening.answer()


def points(evening: Any) -> list[tuple[int, ...]]:
    return [row.score for row in evening.table.view().rows]


def test_what_changes_is_seen_before_and_sent_by_a_key(evening: Any) -> None:
    request, preview = next(one for one in corrections(evening) if changes_rows(one[1]))
    before, events = points(evening), len(evening.table.events)
    put_right(evening, request)
    sheet = evening.hand.app.sheets.current
    (change,) = preview.rows.values()
    named = [name for name, old, new in zip(NAMES, change.before, change.after, strict=True) if old != new]
    assert type(sheet).__name__ == "ChangeSheet" and "Spiel 1: " in sheet.change and "›" in sheet.change
    assert named and all(name in sheet.change for name in named)
    assert (points(evening), len(evening.table.events)) == (before, events), "nothing is noted before"
    evening.on_sheet("Richtigstellen")
    assert points(evening) == [change.after] and evening.last["event"] == "correct"
    assert evening.hand.app.sheets.current is None


def test_back_leaves_the_list_as_it_is(evening: Any) -> None:
    request, _ = next(one for one in corrections(evening) if changes_rows(one[1]))
    before, events = points(evening), len(evening.table.events)
    put_right(evening, request)
    evening.on_sheet("Zurück")
    assert (points(evening), len(evening.table.events)) == (before, events)
    assert evening.hand.app.sheets.current is None


def test_what_changes_nothing_is_not_asked_twice(evening: Any) -> None:
    request, _ = next(one for one in corrections(evening) if changes_nothing(one[1]))
    put_right(evening, request)
    evening.answer()
    assert evening.hand.app.sheets.current is None and evening.last["of"] == request.event.of


def test_what_cannot_be_says_why_and_cannot_be_sent(evening: Any) -> None:
    request, _ = next(corrections(evening))
    app, events = evening.hand.app, len(evening.table.events)
    app.sheets.open("change", 0, request=request, told="♣ 10 › ♣ K")
    app.preview(Preview(request=request, rows={}, refused=Refused("not_now", "")))
    evening.hand.stage.step(3)
    sheet = app.sheets.current
    offered = evening.keys()
    assert sheet.change == app.say("not_now") and "Zurück" in offered and "Richtigstellen" not in offered
    sheet.close()
    assert len(evening.table.events) == events


@pytest.mark.parametrize("asked", [False, True], ids=["by himself", "asked by the table"])
def test_two_players_who_have_laid_each_other_s_cards(hand: Any, asked: bool) -> None:
    """The table takes the answer that its screen offers, and of two answers the last one counts."""
    evening = Evening(hand, "eppstein", {"event": "deal", "dealer": 1})
    for seat, card in ((2, "CA"), (3, "CK"), (4, "C9")):
        evening.happens({"event": "card", "seat": seat, "card": card})
    event = len(evening.table.events) - 2

    def laid() -> list[tuple[int, str]]:
        trick = evening.table.view().trick
        return [(card.seat, card.card) for card in trick.cards] if trick is not None else []

    for whose, then in ((NAMES[3], ["C9", "CK"]), (NAMES[2], ["CK", "C9"])):
        if asked:
            seats = {str(one.event): one.seat for one in evening.table.view().trick.cards if one.event >= event}
            perhaps = dict(zip(seats, reversed(seats.values()), strict=True))
            evening.happens({"event": "correct", "seats": seats, "perhaps": perhaps, "by": "camera"})
            hand.app.sheets.ask_about(event)
        else:
            hand.app.sheets.open("correct", 0, of=event)
            hand.stage.step(3)
            hand.app.sheets.current.whose()
        evening.on_sheet(whose)
        assert not evening.refused
        assert sorted(laid()) == [(2, "CA"), *zip((3, 4), then, strict=True)]


def test_while_the_game_is_played_a_touch_is_enough(hand: Any, views: Any) -> None:
    hand.show(views.playing())
    hand.app.sheets.open("correct", 0, of=41)
    hand.stage.step(3)
    key = next(key for row in hand.app.sheets.current.ids.picker.children for key in row.children if key.card == "CK")
    hand.stage.touch(key)
    assert [one["event"] for one in hand.sent] == ["correct"] and hand.app.sheets.current is None


def test_nothing_is_sent_before_people_were_told_what_it_changes(evening: Any) -> None:
    """A slow table answers late; and a list that has changed meanwhile is asked anew."""
    request, preview = next(one for one in corrections(evening) if changes_rows(one[1]))
    app, stage, events = evening.hand.app, evening.hand.stage, len(evening.table.events)

    def offered() -> bool:
        stage.step(3)
        words = evening.keys()
        return "Richtigstellen" in words

    app.sheets.open("change", 0, request=request, told="♣ 10 › ♣ K")
    assert not offered()
    app.preview(preview)
    assert offered()
    view = evening.table.view()
    app.show(replace(view, rows=()))
    assert not offered() and not app.sheets.current.change
    app.sheets.close()
    assert len(evening.table.events) == events


def test_of_a_signed_list_all_agree_to_what_it_changes(evening: Any) -> None:
    """One finger alone once changed the points below the others' signatures."""
    request, preview = next(one for one in corrections(evening) if changes_rows(one[1]))
    evening.table.note(decode({"event": "time_up"}))
    evening.table.note(decode({"event": "sign", "seat": 2}))
    evening.happens()
    before, events = points(evening), len(evening.table.events)
    put_right(evening, request)
    (change,) = preview.rows.values()
    assert "Spiel 1: " in evening.hand.app.sheets.current.change
    evening.on_sheet("Richtigstellen")
    sheet = evening.hand.app.sheets.current
    assert type(sheet).__name__ == "AgreementSheet" and "Spiel 1: " in sheet.change
    assert (points(evening), len(evening.table.events)) == (before, events)
    evening.hand.all_agree()
    evening.answer()
    assert points(evening) == [change.after]


@pytest.mark.parametrize("swapped", [False, True], ids=["so it stays", "each has laid the other's"])
def test_who_has_laid_a_card_of_an_earlier_game_is_answered_in_the_next(evening: Any, swapped: bool) -> None:
    """The question stands in the log; people see what their answer changes in the list before it counts."""
    game = evening.table.round.games[0]
    one, two = game.tricks[-1].cards[:2]
    seats = {str(one.event): one.seat, str(two.event): two.seat}
    perhaps = {str(one.event): two.seat, str(two.event): one.seat}
    evening.happens({"event": "correct", "seats": seats, "perhaps": perhaps, "by": "camera"})
    evening.happens({"event": "deal", "dealer": evening.table.round.next_dealer})
    assert evening.table.view().rows[0].open
    evening.hand.app.sheets.ask_about(one.event)
    evening.on_sheet(NAMES[(two if swapped else one).seat - 1])
    evening.answer()  # what changes no row is sent by itself
    if evening.hand.app.sheets.current is not None:
        evening.on_sheet("Richtigstellen")
    assert not evening.refused and not evening.table.view().doubts and not evening.table.view().rows[0].open
    trick = evening.table.round.games[0].tricks[-1].cards
    assert {(card.card, card.seat) for card in trick if card.event in (one.event, two.event)} == (
        {(one.card, two.seat), (two.card, one.seat)} if swapped else {(one.card, one.seat), (two.card, two.seat)}
    )
