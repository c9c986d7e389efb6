"""A game gone through on the screen: reached by touch, trick by trick, its pictures, words and corrections."""

import importlib.util
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from kiosk.table.evenings import RoundKey
from kiosk.ui.parts.played_view import LookAtGame

_spec = importlib.util.spec_from_file_location("ui_views", Path(__file__).with_name("views.py"))
assert _spec is not None and _spec.loader is not None
views: Any = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(views)

pytestmark = pytest.mark.render

LONG = ("Anna-Katharina von der Heyden", "Bernd-Maximilian", "Çem Öztürk-Weißgerber", "Dora")


def opened(hand: Any, played: Any) -> Any:
    hand.show(views.scored())
    hand.app.played(played)
    hand.stage.step(3)
    return hand.app.sheets.current


def columns(sheet: Any) -> list[tuple[str, str, bool]]:
    """Of each card from the left: who laid it, what it was noted as, whether its picture is there."""
    return [(one.player, one.card, one.texture is not None) for one in reversed(sheet.ids.cards.children)]


def test_a_trick_shows_who_laid_what_with_its_picture(hand: Any) -> None:
    sheet = opened(hand, views.played())
    found = columns(sheet)
    assert [name.split(" ")[0] for name, _, _ in found] == ["Bernd", "Cem", "Dora", "Dora", "Anna"]
    assert [card for _, card, _ in found] == ["Kreuz As", "Pik 9", "[s]Herz 10[/s]", "Kreuz König", "Kreuz 9"]
    assert [there for _, _, there in found] == [True, True, True, False, True]  # the finger's has none
    assert sheet.title == "Spiel 1 · Stich 1 geht an Bernd · 15 Augen"
    notes = sheet.notes.split("\n")
    assert notes[0] == "Vor dem Stich: Bernd: Re"
    assert "Bernd, Kreuz As: Zweifel (Kreuz As oder Pik As), geklärt: aus den übrigen Karten" in notes
    assert "Nach der 2. Karte: Dora: Kontra" in notes
    assert "Dora, Herz 10: zurückgenommen" in notes
    assert "Dora, Kreuz König: von Hand eingegeben" in notes
    assert "Anna, Kreuz 9: vorher Kreuz 10 (Anna), berichtigt: Cem" in notes
    assert any("Cem: Nicht bedient" in line for line in notes)


def test_keys_go_through_tricks_games_and_to_the_mat(hand: Any) -> None:
    sheet = opened(hand, views.played())
    assert (sheet.has_before, sheet.has_after, sheet.first) == (False, True, True)
    hand.touch("Matte")
    assert sheet.large is not None and sheet.large is sheet.mat_texture
    hand.touch("Karten")
    assert sheet.large is None
    sheet.step(1)
    hand.stage.wait(1)
    assert [card for _, card, _ in columns(sheet)] == ["Karo As", "Kreuz 9", "Karo Dame", "Karo Bube"]
    assert sheet.last and not sheet.first and sheet.mat_texture is None
    hand.touch("Spiel danach")
    assert hand.asked[-1] == LookAtGame(2)
    second = views.played()
    second = replace(second, asked=LookAtGame(2), game=replace(second.game, number=2), before=1, after=None)
    hand.app.played(second)
    hand.stage.step(3)
    assert hand.app.sheets.current is sheet and sheet.title.startswith("Spiel 2 · Stich 1")
    hand.stage.wait(1)
    hand.touch("Spiel davor")
    assert hand.asked[-1] == LookAtGame(1)
    hand.app.played(views.played())
    hand.stage.step(3)
    assert sheet.title.startswith("Spiel 1 · Stich 2"), "who goes back comes from behind"


@pytest.mark.parametrize(
    ("place", "enlarged"), [(0, True), (3, False), (4, True)], ids=["first", "without a picture", "last"]
)
def test_a_touched_card_is_shown_large_until_it_is_touched_again(hand: Any, place: int, enlarged: bool) -> None:
    sheet = opened(hand, views.played())
    hand.stage.wait(1)
    column = list(reversed(sheet.ids.cards.children))[place]
    touch = column.to_window(*column.center)
    hand.stage.touch_at(*touch)
    assert sheet.large is (column.texture if enlarged else None)
    hand.stage.wait(1)
    hand.stage.touch_at(*touch)
    assert sheet.large is None


def test_the_next_trick_shows_its_mat_where_the_mat_is_shown_and_its_cards_where_a_card_is(hand: Any) -> None:
    played = views.played()
    mats = {event: jpeg for trick in played.game.tricks for event, _ in trick.mats for jpeg in played.mats.values()}
    sheet = opened(hand, replace(played, mats=mats))
    for shown, kept in ((sheet.mat_texture, True), (sheet.ids.cards.children[-1].texture, False)):
        sheet.enlarge(shown)
        sheet.step(1)
        assert (sheet.large is not None and sheet.large is sheet.mat_texture) is kept
        sheet.step(-1)


@pytest.mark.parametrize("offered", [True, False], ids=["gone, or taken over", "none are kept"])
def test_without_pictures_the_cards_are_there_and_it_is_said(hand: Any, offered: bool) -> None:
    sheet = opened(hand, replace(views.played(pictures=False, mat=False), offered=offered))
    assert {there for _, _, there in columns(sheet)} == {False}
    assert hand.app.words["played_no_pictures" if offered else "played_pictures_off"] in sheet.notes


def test_a_picture_that_cannot_be_read_is_missing(hand: Any) -> None:
    played = views.played()
    sheet = opened(hand, replace(played, cards=dict.fromkeys(played.cards, b"\xff\xd8 no more \xff\xd9")))
    assert {there for _, _, there in columns(sheet)} == {False}


@pytest.mark.slow
@pytest.mark.parametrize("trick", [0, 1])
def test_long_names_have_room(spoken: Any, measure: Any, trick: int) -> None:
    sheet = opened(spoken, views.played(names=LONG))
    sheet.step(trick)
    spoken.stage.step(3)
    measure.check(sheet)


@pytest.mark.slow
def test_towards_a_side_all_has_room(hand: Any, flat: Any, measure: Any) -> None:
    sheet = opened(hand, views.played(names=LONG))
    for _ in range(3):
        hand.app.sheets.turn_on()
        hand.stage.step(3)
        measure.check(sheet)


def touch_row(hand: Any, place: int, screen: Any) -> None:
    row = screen.rows.seen[place]
    x, y = row.to_window(row.center_x, row.center_y)
    hand.stage.touch_at(x, y)


def test_a_row_of_the_list_opens_its_game(hand: Any) -> None:
    hand.show(views.full_list())
    hand.app.go("list")
    hand.stage.wait(1)
    screen = hand.app.screen("list")
    for place in (len(hand.app.view.rows) - 1, len(hand.app.view.rows) - 3):
        touch_row(hand, place, screen)
        assert hand.asked[-1] == LookAtGame(hand.app.view.rows[place].listed.own)
        hand.stage.wait(1)


def test_what_the_direction_has_added_was_not_played_here(hand: Any) -> None:
    view = views.full_list()
    rows = tuple(replace(row, listed=replace(row.listed, own=None)) for row in view.rows)
    hand.show(replace(view, rows=rows))
    hand.app.go("list")
    hand.stage.wait(1)
    before = len(hand.asked)
    touch_row(hand, len(rows) - 1, hand.app.screen("list"))
    assert len(hand.asked) == before
    assert not hand.app.screen("list").rows.seen[len(rows) - 1].opens


def test_the_list_of_a_round_before_opens_that_rounds_game(hand: Any) -> None:
    from kiosk.ui.earlier.earlier_view import EarlierView

    key = RoundKey(evening="2026-11-22 Abend", table=7, round=1)
    hand.show(views.scored())
    hand.app.go("earlier")
    hand.app.earlier(EarlierView(key=key, view=views.full_list(), may_resume=False, may_follow=False))
    hand.stage.wait(1)
    sheet = hand.app.screen("earlier").sheet
    place = max(sheet.rows.seen)
    touch_row(hand, place, sheet)
    assert hand.asked[-1] == LookAtGame(views.full_list().rows[place].listed.own, key)


@pytest.mark.parametrize(("gate", "referee"), [("code", True), ("hold", False), ("shut", False)])
def test_the_referee_sees_all_by_his_code_alone(
    hand: Any, monkeypatch: pytest.MonkeyPatch, gate: str, referee: bool
) -> None:
    monkeypatch.setattr(hand.app, "gate", gate)
    hand.show(views.playing())
    hand.app.sheets.open("direction")
    hand.stage.wait(1)
    hand.touch("Spiel ansehen")
    assert hand.asked[-1] == LookAtGame(referee=referee)


@pytest.mark.parametrize(("phase", "sheet"), [("playing", "last"), ("scored", "tricks")])
def test_tricks_lead_to_their_pictures(hand: Any, phase: str, sheet: str) -> None:
    hand.show(views.PHASES[phase]())
    hand.app.sheets.open(sheet)
    hand.stage.wait(1)
    hand.touch("Bilder der Karten")
    assert hand.asked[-1] == LookAtGame()
