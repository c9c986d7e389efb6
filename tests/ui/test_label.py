"""A label listens to what is set of it, and to nothing else."""

import re
from pathlib import Path
from typing import Any

import pytest

LAYOUTS = sorted(Path("kiosk/ui").rglob("*.kv"))


@pytest.mark.parametrize("layout", LAYOUTS, ids=lambda path: path.stem)
def test_layouts_set_nothing_of_a_label_that_it_does_not_listen_to(layout: Path) -> None:
    from kivy.uix.label import Label as KivyLabel

    from kiosk.ui.parts.label import SET

    unheard = set(KivyLabel._font_properties) - set(SET)
    assert not unheard & set(re.findall(r"^\s+(\w+):", layout.read_text(encoding="utf-8"), re.M))


def test_a_label_shows_what_is_set_later(hand: Any) -> None:
    from kiosk.ui.parts.label import Label

    label = Label(text="Re", font_size=20)
    label.texture_update()
    before = label.texture_size[:]
    for name, value in {"text": "Kontra", "font_size": 40, "bold": True, "padding": 9}.items():
        setattr(label, name, value)
        label.texture_update()
        assert label.texture_size > before, name
        before = label.texture_size[:]
    assert label._label.texture.size == tuple(before)


def test_layouts_that_name_a_label_get_this_one(hand: Any) -> None:
    from kivy.factory import Factory

    from kiosk.ui.parts.label import Label

    assert Factory.Label is Label
