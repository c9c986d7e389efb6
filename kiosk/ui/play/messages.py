"""Show the messages below the cards: each whole, each with its own target, the most urgent first."""

from collections.abc import Callable
from typing import Any

from kivy.graphics.texture import Texture
from kivy.properties import DictProperty, ListProperty, ObjectProperty, StringProperty
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.floatlayout import FloatLayout

from kiosk.ui.parts.look import GOLD, INK, IVORY, RED_DARK, Key, Sheet, dp, hex, kv
from kiosk.ui.parts.pictures import texture_of
from kiosk.ui.parts.touchable import Touchable
from kiosk.ui.play.areas import Rect
from kiosk.ui.play.messages_text import Message, messages

#: Ground and ink of a message by its tone.
TONES = {"red": (hex(RED_DARK), hex(IVORY)), "gold": (hex(GOLD), hex(INK)), "plain": ([0, 0, 0, 0], hex(IVORY))}

#: Gap between two messages, in units.
GAP_UNITS = 6


class MessagePlate(Touchable, BoxLayout):
    """A message, as high as its words need; one without an act takes no touches."""

    text = StringProperty("")
    ground = ListProperty([0, 0, 0, 0])
    ink = ListProperty([1, 1, 1, 1])
    texture: Texture | None = ObjectProperty(None, allownone=True)
    act = ObjectProperty(())
    _written: tuple[Any, ...] = ()  # what its words were measured for

    def show(self, message: Message) -> None:
        """Show a message about the same thing as before."""
        self.text, self.act = message.text, message.act
        self.meaning = message.act
        self.ground, self.ink = TONES[message.tone]
        self.texture = texture_of(message.picture)

    def height_for(self, width: float) -> float:
        """Set the width, and return the height that the words need."""
        self.width = width
        label = self.ids.label
        picture = dp(44) + self.spacing if self.texture else 0
        room = width - self.padding[0] - self.padding[2] - picture
        written = label.text, room, label.font_size, label.bold
        if written != self._written:
            self._written = written
            label.text_size = room, None
            label.texture_update()
        least = dp(52) if self.act else 0
        return max(float(least), float(label.texture_size[1] + self.padding[1] + self.padding[3]))

    def on_touch_down(self, touch: Any) -> bool:
        return bool(self.act and super().on_touch_down(touch))


class Messages(FloatLayout):
    """As many messages as there is room for; a key says how many more there are, and opens all of them."""

    act: Callable[..., None]
    words = DictProperty({})
    more = ObjectProperty(None)

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self._shown: tuple[Message, ...] = ()
        self._plates: dict[str, MessagePlate] = {}
        self.more = Key(size_hint=(None, None), tone="gold", bold=True)
        self.more.bind(on_release=lambda *_: self.act("messages"))

    @property
    def text(self) -> str:
        """All that the messages say, one a line."""
        return "\n".join(message.text for message in self._shown)

    def plate(self, key: str) -> MessagePlate:
        """Return the plate of the message about that."""
        return self._plates[key]

    def show(self, shown: tuple[Message, ...]) -> bool:
        """Take the messages; return whether they differ from those before."""
        if shown == self._shown:
            return False
        self._shown = shown
        self._plates = {message.key: self._plates.get(message.key) or self._plate() for message in shown}
        for message in shown:
            self._plates[message.key].show(message)
        return True

    def _plate(self) -> MessagePlate:
        plate = MessagePlate(size_hint=(None, None))
        plate.bind(on_release=lambda plate: self.act(*plate.act))
        return plate

    def arrange(self, free: Rect, rest: float) -> float:
        """Stack the messages at the foot of what is free, the most urgent highest, and return the height they take.

        :param rest: so much is left above them where that is possible, px.
        """
        gap, plates = dp(GAP_UNITS), list(self._plates.values())
        heights = [plate.height_for(free.width) + gap for plate in plates]
        count = len(plates)
        while count > 1 and sum(heights[:count]) > free.height - rest:
            count -= 1
        if count == 1 and heights[0] - gap > free.height + gap:
            count = 0  # unfolded choices leave a key's height alone
        hidden = len(plates) - count
        wanted: list[Any] = plates[:count]
        if hidden:
            wanted.append(self.more)
            self._place_more(free, hidden, heights, count)
        top = free.y + sum(heights[:count])
        for plate, height in zip(plates[:count], heights, strict=False):
            plate.height, plate.pos = height - gap, (free.x, top - height)
            top -= height
        if [*reversed(self.children)] != wanted:
            self.clear_widgets()
            for widget in wanted:
                self.add_widget(widget)
        return float(sum(heights[:count])) if count else float(self.more.height + gap) if hidden else 0.0

    def _place_more(self, free: Rect, hidden: int, heights: list[float], count: int) -> None:
        """Lay the key to the other messages beside the last one; alone where no message has room."""
        gap, key = dp(GAP_UNITS), dp(52)
        if not count:
            self.more.text = f"{self.words['messages']}: {hidden}"
            self.more.size, self.more.pos = (free.width, key), (free.x, free.y)
            return
        narrow = free.width - key - gap
        heights[count - 1] = list(self._plates.values())[count - 1].height_for(narrow) + gap
        self.more.text = f"+{hidden}"
        self.more.size, self.more.pos = (key, heights[count - 1] - gap), (free.x + narrow + gap, free.y)


class MessagesSheet(Sheet):
    """All messages at once."""

    def __init__(self, app: Any, **kwargs: Any) -> None:
        self._shown: tuple[Message, ...] = ()
        super().__init__(app, **kwargs)
        self.title = app.words["messages"]

    def show(self, view: Any) -> None:
        shown = messages(self.app, view)
        if len(shown) < 2:
            self.close()
        elif shown != self._shown:
            self._shown = shown
            self.ids.list.clear_widgets()
            for message in shown:
                plate = MessagePlate(size_hint_y=None)
                plate.show(message)
                plate.height = plate.height_for(dp(self.wide) - 2 * dp(14))
                plate.bind(on_release=lambda plate: self._go(plate.act))
                self.ids.list.add_widget(plate)

    def _go(self, act: tuple[Any, ...]) -> None:
        self.close()
        self.app.screen("play").ids.messages.act(*act)


kv(__file__)
