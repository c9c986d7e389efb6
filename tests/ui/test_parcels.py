"""What the direction gives, on the table's screen: what is here, what is on its way, a deck that goes elsewhere."""

from dataclasses import replace
from typing import Any

import pytest

from kiosk.language import words
from kiosk.ui.hardware.parcels_view import ParcelLine, ParcelsView, SendDeck, StoreDeck

pytestmark = pytest.mark.slow

KINDS = ("deck", "words", "sounds", "settings")
OWN = ParcelLine(kind="deck", name="schafkopf", digest="0123456789ab", own=True)
LONG = tuple(ParcelLine(kind=kind, name="Vereinsabend-Doppelkopf-Wolfsburg", digest="0123456789ab") for kind in KINDS)


def test_every_word_about_what_is_given(spoken: Any, measure: Any) -> None:
    values = {"kind": "program", "name": "Vereinsabend-Doppelkopf-Wolfsburg", "size": "16", "n": 60, "why": "No space"}
    values |= {"file": "bar.po", "line": 12, "entry": "screen / deals", "value": "101", "known": "taken.wav, doubt.wav"}
    there = ParcelsView(lines=(OWN, *LONG), direction=True, stick="SanDisk Ultra Fit")
    seen = [
        *(ParcelsView(), there, replace(there, lines=LONG)),
        *(replace(there, state=state, percent=42) for state in ("fetching", "waits")),
        *(replace(there, doing=doing, deck="schafkopf") for doing in ("sending", "sent", "writing", "written")),
        *(replace(there, doing="failed", deck="schafkopf", why=why) for why in ("parcel_not_sent", "stick_full")),
        *(replace(there, refused=str(values["name"]), code=code, values=values) for code in words("parcels")),
    ]
    spoken.app.sheets.open("parcels")
    try:
        for view in seen:
            spoken.app.parcels(view)
            spoken.stage.step(3)
            measure.check(spoken.app.sheets.current, measure.SETTING_UP_MM)
    finally:
        spoken.app.sheets.close()
        spoken.app.parcels_view = None


def keys_of(sheet: Any) -> list[Any]:
    """The keys of the first line: to the direction, on the stick."""
    return [one for one in reversed(sheet.ids.lines.children[-1].children) if hasattr(one, "meaning")]


@pytest.mark.parametrize("direction", [True, False], ids=["direction", "none"])
@pytest.mark.parametrize("stick", ["", "A"], ids=["no stick", "stick"])
def test_a_deck_learned_here_goes_where_somebody_takes_it(hand: Any, direction: bool, stick: str) -> None:
    app = hand.app
    try:
        app.parcels(ParcelsView(lines=(OWN, *LONG), direction=direction, stick=stick))
        app.open_hardware()
        hand.stage.wait(1)
        hand.touch(app.screen("hardware").word("parcels"))
        sheet = app.sheets.current
        before = len(hand.asked)
        for key in keys_of(sheet):
            hand.stage.touch(key)
        wanted = [SendDeck("schafkopf")] * direction + [StoreDeck("schafkopf")] * bool(stick)
        assert hand.asked[before:] == wanted
        app.parcels(ParcelsView(lines=(OWN,), direction=True, stick="A", doing="sending", deck="schafkopf"))
        hand.stage.wait(1)
        hand.stage.touch(keys_of(sheet)[0])
        assert len(hand.asked) == before + len(wanted), "one after the other"
    finally:
        app.sheets.close()
        app.leave_setting_up()
        app.parcels_view = None


def test_more_than_fit_stand_on_pages(hand: Any) -> None:
    app = hand.app
    try:
        app.parcels(ParcelsView(lines=(OWN, *LONG)))
        app.sheets.open("parcels")
        hand.stage.wait(1)
        sheet, seen = app.sheets.current, list[str]()
        for _ in range(2):
            seen += [row.name for row in reversed(sheet.ids.lines.children)]
            sheet.turn(1)
        assert seen == [sheet.name_of(line) for line in (OWN, *LONG)]
        sheet.turn(0)
        assert sheet.ids.lines.children[-1].name == sheet.name_of(OWN), "after the last the first again"
    finally:
        app.sheets.close()
        app.parcels_view = None
