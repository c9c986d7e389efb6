"""Write a list to a USB stick: which stick, which list, and when it can be pulled."""

from typing import Any

from kivy.properties import BooleanProperty, StringProperty

from kiosk.table.evenings import RoundKey
from kiosk.ui.earlier.stick_view import StickLine, StickView, WriteToStick
from kiosk.ui.parts.look import Key, Sheet, kv, plain, sign, two_lines

#: Sticks that are shown; more have no room.
MOST = 3


class StickSheet(Sheet):
    """The sticks, a key for the list and one for the whole evening each; then what becomes of it.

    :param key: the round; None: the one that is up.
    """

    told = StringProperty("")
    below = StringProperty("")
    good = BooleanProperty(False)
    wrong = BooleanProperty(False)

    def __init__(self, app: Any, key: RoundKey | None = None, **kwargs: Any) -> None:
        self._key = key
        self._shown: tuple[StickLine, ...] | None = None
        super().__init__(app, **kwargs)
        self.title = app.words["stick_title"]
        self.draw()

    def draw(self) -> None:
        """Draw the sticks and what becomes of the files."""
        text, stick = self.app.words, self.app.stick_view or StickView()
        busy = stick.state in ("writing", "closing")
        self.good, self.wrong = stick.state == "done", stick.state == "failed"
        self.told, self.below = stick_words(text, stick)
        lines = () if busy else stick.sticks[:MOST]
        if lines == self._shown:
            return
        self._shown = lines
        box = self.ids.sticks
        box.clear_widgets()
        for line in lines:
            told = text["stick_told"].format(name=plain(line.name), size=f"{line.gigabytes:g}")
            for whole, word in ((False, "stick_round"), (True, "stick_evening")):
                key = Key(text=two_lines(text[word], told), tone="green" if whole else "gold")
                key.meaning = (line, whole)
                key.bind(on_release=lambda _, line=line, whole=whole: self._write(line, whole))
                box.add_widget(key)

    def _write(self, line: StickLine, whole: bool) -> None:
        self.app.request(WriteToStick(device=line.device, key=self._key, whole=whole))


def stick_words(text: Any, stick: StickView) -> tuple[str, str]:
    """Say what becomes of the files, and what people should do."""
    match stick.state:
        case "writing":
            told = text["stick_writing"].format(n=stick.done, of=stick.of), plain(stick.name)
        case "closing":
            told = text["stick_closing"], text["stick_stay"]
        case "done":
            told = (
                f"{sign('✓')} {text['stick_done']}",
                text["stick_where"].format(n=stick.done, folder=plain(stick.name)),
            )
        case "failed":
            told = text["stick_" + stick.wrong], text["stick_again"]
        case _:
            told = ("", "") if stick.sticks else (text["stick_none"], text["stick_none_hint"])
    return told


kv(__file__)
