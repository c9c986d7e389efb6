"""Words that are too long are written smaller, then on more lines, and cut only then: a club's own are, too."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kiosk.table.view.table_view import DutyView
from tests.ui import views

pytestmark = pytest.mark.render

#: Text and width in units → the size it is written in, its lines, and whether its end is left out.
CASES = {
    "short": ("Mehr", 120, 28, 1, False),
    "smaller": ("Richtigstellen", 150, 25, 1, False),
    "two lines": ("Schiedsrichter rufen", 150, 20, 2, False),
    "a word too wide": ("Schiedsrichterentscheidung", 120, 20, 1, True),
    "too much": ("Schiedsrichter rufen und dann noch etwas", 150, 20, 2, True),
}


def key(text: str, width: float, height: float = 50, size: float = 28) -> Any:
    from kivy.metrics import dp, sp

    from kiosk.ui.parts.look import Key

    made = Key(text=text, font_size=sp(size), size_hint=(None, None), size=(dp(width + 6), dp(height)))
    made.texture_update()
    return made


@pytest.mark.parametrize(("text", "width", "size", "lines", "shortened"), CASES.values(), ids=CASES)
def test_a_key(window: Any, measure: Any, text: str, width: float, size: float, lines: int, shortened: bool) -> None:
    from kivy.metrics import sp

    made = key(text, width)
    assert made.shown_size == pytest.approx(sp(size), abs=sp(1))
    assert len(made._label._cached_lines) == lines and made.is_shortened is shortened
    assert made.text == text, "what a key means is not changed by how it is written"
    assert bool(measure.cut(made)) is shortened, "what is whole is not called cut, what is cut is"
    written = " ".join("".join(word.text for word in line.words) for line in made._label._cached_lines)
    assert written.removesuffix("…") == text[: len(written) - shortened] and written.endswith("…") is shortened


def test_what_is_smaller_already_stays(window: Any) -> None:
    assert key("Schiedsrichter rufen", 100, size=16).shown_size == pytest.approx(key("x", 100, size=16).font_size)


def test_markup_and_signs_are_not_cut_apart(window: Any) -> None:
    from kiosk.ui.parts.markup import begin

    text = "[b]A&amp;B[/b]\n[size=20sp]lang[/size]"
    assert [begin(text, letters) for letters in (1, 2, 5)] == [
        "[b]A…[/b][size=20sp][/size]",
        "[b]A&amp;…[/b][size=20sp][/size]",
        "[b]A&amp;B[/b]\n[size=20sp]l…[/size]",
    ]


#: Dealer, total → what is written of an owed announcement in a panel at the side: whole on two lines, or nothing.
OWED = {"whole": (False, 7, "muss ansagen"), "no room for a word of it": (True, -127, "")}


@pytest.mark.parametrize(("dealer", "total", "written"), OWED.values(), ids=OWED)
def test_what_is_owed_is_written_whole_or_not_at_all(
    hand: Any, measure: Any, dealer: bool, total: int, written: str
) -> None:
    view = views.playing()
    duty = DutyView(trick=1, cards_left=9, counted="hand", certain=True)
    seats = [
        replace(seat, turn=seat.seat == 2, dealer=dealer, total=total, owes=duty if seat.seat == 2 else None)
        for seat in view.seats
    ]
    hand.show(replace(view, seats=tuple(seats)))
    play = hand.app.screen("play")
    info = play.panels[2].ids.info
    assert play.panels[2].shape == "column" and info.text == f"[b]{written}[/b]"
    assert not info.is_shortened and not measure.cut(info)
    assert "Bernd muss ansagen" in play.ids.messages.text


#: What was said, by number of keys → what is written of it in a panel at the side of a table of five.
SAID = {
    "one word": (("re",), 3, "Re"),
    "two": (("re", "keine90"), 3, "keine 90"),
    "few keys": (("re", "keine90"), 1, "Re\nkeine 90"),
}


@pytest.mark.parametrize(("said", "keys", "written"), SAID.values(), ids=SAID)
def test_a_panel_at_the_side_has_room_at_a_table_of_five(
    hand: Any, measure: Any, said: tuple[str, ...], keys: int, written: str
) -> None:
    view = views.five()
    calls = tuple(views.call(one, 1) for one in ("keine60", "keine30", "schwarz")[:keys])
    seats = (replace(one, said=said, side="re", calls=calls) if one.seat == 2 else one for one in view.seats)
    hand.show(replace(view, phase="playing", seats=tuple(seats)))
    hand.stage.step(5)
    panel = hand.app.screen("play").panels[2]
    assert panel.shape == "column" and len(panel.ids.key_box.children) == keys
    assert panel.said == written
    _, below, _, height = measure.in_window(panel)
    assert below >= 0 and height <= panel.most_high


WORD = st.text("abcdefgnöß", min_size=1, max_size=14)


@pytest.mark.slow
@settings(max_examples=40, deadline=None)
@given(
    words=st.lists(WORD, min_size=1, max_size=6),
    width=st.integers(40, 300),
    height=st.integers(26, 90),
    bold=st.booleans(),
)
def test_what_is_written_has_room(
    window: Any, measure: Any, words: list[str], width: int, height: int, bold: bool
) -> None:
    """Whatever the words: the letters that are written stand in the key, and are cut only where no size is left."""
    from kivy.metrics import sp

    text = " ".join(f"[b]{word}[/b]" if bold else word for word in words)
    made = key(text, width, height)
    assert sp(20) <= made.shown_size <= sp(28)
    assert not made.is_shortened or made.shown_size == pytest.approx(sp(20))
    assert bool(measure.cut(made)) is made.is_shortened
    assert made.texture_size[0] <= made.text_size[0] + 1 and made.texture_size[1] <= made.height + 1


def test_a_clubs_word_said_stays_in_its_seats_panel_and_is_named(
    hand: Any, views: Any, measure: Any, tmp_path: Path
) -> None:
    """What is said keeps its size, which is read from every chair: it takes a second line, and is cut after that."""
    from dataclasses import replace

    from kiosk.language import put_words
    from kiosk.language.own_words import take_words

    said = {"keine90": "mia lassn koane neinzge", "keine60": "mia lassn eich heit gwiss koane sechzge ned zamkema"}
    entries = (f'msgctxt "calls"\nmsgid "{code}"\nmsgstr "{word}"\n' for code, word in said.items())
    (tmp_path / "bar.po").write_text("\n".join(entries), encoding="utf-8")
    try:
        assert take_words(tmp_path) == ()
        hand.app.speak("bar")
        view = views.playing()
        calls = dict(zip((1, 2, 3, 4), ("keine90", "keine90", "keine60", "keine60"), strict=True))
        hand.show(replace(view, seats=tuple(replace(seat, said=(calls[seat.seat],)) for seat in view.seats)))
        hand.app.go("play")
        hand.stage.step(2)
        shortened = {}
        for seat, panel in hand.app.screen("play").panels.items():
            (label,) = (one for one in measure.labels(panel) if one.text == said[calls[seat]])
            shortened[seat] = label.is_shortened
            assert measure.capitals_mm(label, label.shown_size) >= measure.FAR_MM
            assert label.x >= panel.x and label.right <= panel.right and bool(measure.cut(label)) is label.is_shortened
        assert shortened == {1: False, 2: False, 3: True, 4: False}, "a row has two lines, a column as many as it takes"
    finally:
        put_words({})
        hand.app.speak("de")
