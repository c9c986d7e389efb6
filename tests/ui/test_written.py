"""Words are laid out once: labels that look alike share a picture, and none draws over another's."""

import gc
from typing import Any

import pytest


def label(**what: Any) -> Any:
    from kiosk.ui.parts.label import Label

    made = Label(markup=True, **what)
    made.texture_update()
    return made


def pixels(made: Any) -> bytes:
    made.texture.bind()
    return bytes(made.texture.pixels)


def test_labels_that_look_alike_share_a_picture(hand: Any) -> None:
    one, other = label(text="Kontra", font_size=20), label(text="Kontra", font_size=20)
    assert one.texture is other.texture
    assert one.texture_size == other.texture_size != [0, 0]
    assert any(pixels(one))


@pytest.mark.parametrize(
    "other",
    [{"text": "Re"}, {"font_size": 21}, {"bold": True}, {"color": "#ff0000"}, {"text_size": (150, None)},
     {"padding": 3}, {"line_height": 1.5}, {"font_name": "DejaVuSans"}, {"halign": "right"}, {"valign": "top"}],
    ids=lambda other: next(iter(other)),
)  # fmt: skip
def test_what_looks_otherwise_has_its_own(hand: Any, other: dict[str, Any]) -> None:
    usual = {"text": "Kontra\nsagt Cem", "font_size": 20, "text_size": (150, 90)}
    one, two = label(**usual), label(**{**usual, **other})
    assert one.texture is not two.texture
    assert pixels(one) != pixels(two)


def test_a_label_that_changes_leaves_the_picture_that_it_shared(hand: Any) -> None:
    one, other = label(text="Kontra", font_size=20), label(text="Kontra", font_size=20)
    before = pixels(other)
    one.text = "Reklam"
    one.texture_update()
    assert pixels(one) != before
    assert pixels(other) == before


def test_words_that_change_before_they_are_drawn_are_drawn_as_they_were(hand: Any) -> None:
    """The picture is painted when it is first drawn, and by then its label may say something else."""
    one, other = (label(text="keine 60, bitte", font_size=23) for _ in range(2))
    one.text, one.font_size = "keine 90", 40
    one.texture_update()
    drawn = pixels(other)
    assert drawn == pixels(label(text="keine 60, bitte", font_size=23))
    assert drawn != pixels(label(text="keine 30, bitte", font_size=23))


def test_another_size_of_the_window_is_another_picture(hand: Any) -> None:
    from kivy.metrics import Metrics

    before, text = Metrics.density, "[size=20sp]Kontra[/size]"
    try:
        one = label(text=text, font_size=20)
        Metrics.density = 2 * before
        other = label(text=text, font_size=20)
    finally:
        Metrics.density = before
    assert other.texture_size[0] > 1.5 * one.texture_size[0]


def test_what_was_used_longest_ago_goes_first(hand: Any) -> None:
    from kivy.core.text.markup import MarkupLabel

    from kiosk.ui.parts.written import Written

    def words(text: str) -> Any:
        return MarkupLabel(text=text, font_size=20, text_size=(100, 40))

    of_two = Written(2 * 100 * 40 * 4)
    shown = {}
    for text in ("a", "b", "a", "c", "a", "b"):
        made = words(text)
        of_two.write(made)
        shown.setdefault(text, []).append(made.texture)
    assert shown["a"][0] is shown["a"][1] is shown["a"][2], "used again and again"
    assert shown["b"][0] is not shown["b"][1], "gone when c came"


@pytest.mark.slow
def test_a_picture_that_is_kept_no_more_is_drawn_all_the_same(hand: Any) -> None:
    from kivy.core.text.markup import MarkupLabel

    from kiosk.ui.parts.written import Written

    made = MarkupLabel(text="Bernd", font_size=20, text_size=(100, 40))
    Written(0).write(made)
    gc.collect()  # the words alone hold it now
    made.texture.bind()
    assert any(made.texture.pixels)
