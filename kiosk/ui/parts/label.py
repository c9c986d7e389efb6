"""Write words as Kivy's label does, in half of its memory."""

from functools import cache
from typing import Any

from kivy.clock import Clock
from kivy.core.text import Label as PlainWords
from kivy.core.text.markup import MarkupLabel as MarkedWords
from kivy.factory import Factory
from kivy.uix.label import Label as KivyLabel
from kivy.utils import get_hex_from_color

from kiosk.ui.parts import written  # noqa: F401 (by it all words with markup are written)

#: What of a label may be set. Kivy listens to 25 properties more, each in every label, which is 20 kB of it; of these
#: all have the value that they have by themselves.
SET = (
    *("text", "text_size", "font_size", "font_name", "bold", "markup", "color", "disabled_color"),
    *("halign", "valign", "padding", "line_height"),
)


class Label(KivyLabel):
    """Kivy's label, of which only ``SET`` may be set."""

    def __init__(self, **kwargs: Any) -> None:
        self._trigger_texture = Clock.create_trigger(self.texture_update, -1)
        super(KivyLabel, self).__init__(**kwargs)  # past Kivy's label, whose place this takes
        for name in ("disabled", *SET):
            self.fbind(name, self._trigger_texture_update, name)
        self._label: Any = None
        self._create_label()
        self._trigger_texture()

    def texture_update(self, *_: object) -> None:
        """Lay the words out; their picture is painted when it is drawn. Kivy's label paints it at once, for links."""
        words, text = self._label, self.text
        self.texture = None
        if text:
            if self.markup:
                ink = get_hex_from_color(self.disabled_color if self.disabled else self.color)
                words.text = f"[color={ink}]{text}[/color]"
            words.refresh()
            self.texture = words.texture
        self.texture_size = list(words.texture.size) if text else (0, 0)
        self.is_shortened = bool(text) and words.is_shortened

    def _create_label(self) -> None:
        kind = MarkedWords if self.markup else PlainWords
        if type(self._label) is kind:
            return
        options = {**_by_itself(), **{name: getattr(self, name) for name in SET}, "usersize": self.text_size}
        if self.disabled:
            options["color"] = self.disabled_color
        self._label = kind(**options)


def _without_its_surface(words: Any) -> Any:
    """Return the picture of words and forget SDL's own of it, which Kivy keeps for nothing."""
    picture = _render_end(words)
    words._surface = None
    return picture


@cache
def _by_itself() -> dict[str, Any]:
    """What a label has of which nothing is set."""
    plain = KivyLabel()
    return {name: getattr(plain, name) for name in KivyLabel._font_properties}


_render_end = PlainWords._render_end
PlainWords._render_end = _without_its_surface

# Layouts name it ``Label`` as well.
Factory.unregister("Label")
Factory.register("Label", cls=Label)
