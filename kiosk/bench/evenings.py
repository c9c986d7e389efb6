"""Play whole rounds on the screen by finger alone, in every book, size and language."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import product
from pathlib import Path
from typing import Any

from kiosk.demo.finger import Finger, FingerError
from kiosk.demo.play import simulate
from kiosk.errors import Refused
from kiosk.rules.books import BOOKS
from kiosk.table.events.codec import decode, decode_opening
from kiosk.table.events.log import MemoryLog
from kiosk.table.events.values import TableRequest
from kiosk.table.round.fold import fold
from kiosk.table.table import Table
from kiosk.table.view.show import view
from kiosk.ui.requests import ScreenRequest
from vision.messages import Blind

SIZES_PX = ((800, 480), (1280, 800))
LANGUAGES = ("de", "en")

#: So many words and cards lie between two pictures.
PICTURE_INTERVAL = 40


@dataclass(slots=True)
class Played:
    """A round by finger."""

    book: str
    size: tuple[int, int]
    language: str
    done: int = 0  # words said and cards laid
    wrong: list[str] = field(default_factory=list)  # what could not be done, or was noted otherwise


class Evenings:
    """One app after the other's round, at tables without a camera.

    :param pictures: folder for a picture now and then.
    """

    def __init__(self, pictures: Path | None = None) -> None:
        from kiosk.ui import build_app
        from kiosk.ui.display import prepare

        prepare(SIZES_PX[0])
        from kivy.config import Config

        Config.set("graphics", "maxfps", "0")
        self._pictures = pictures
        self._table: Table | None = None
        self._refused = ""
        self.app = build_app(self._send, "de", SIZES_PX[0])
        from kiosk.ui.stage import Stage

        self.stage = Stage(self.app).up()

    def _send(self, request: ScreenRequest) -> None:
        if self._table is None or not isinstance(request, TableRequest):
            return
        try:
            self._table.request(request, 1.0)
        except Refused as error:
            self._refused = f", refused: {error}"
        self.app.show(self._table.view(1.0))

    def play(self, played: Played, events: Sequence[dict[str, Any]]) -> None:
        """Do with a finger what the events of a round say, up to the first that cannot be done."""
        self.stage.size(*played.size)
        if self.app.language != played.language:
            self.app.speak(played.language)
        table = self._table = Table(MemoryLog(), opening=decode_opening(events[0]), now=0.0)
        table.observe(Blind(at=0.0, why="camera"), 0.0)
        self.app.show(table.view(1.0))
        self.stage.step(3)
        finger = Finger(self.stage, table)
        for event in events[1:]:
            try:
                finger.do(event)
            except (FingerError, LookupError, StopIteration) as error:
                played.wrong.append(f"{event}: {error!r}{self._refused}")
                break
            played.done += 1
            self._look(played)
        else:
            if view(fold(map(decode, events))).rows != table.view(1.0).rows:
                played.wrong.append("the list is not as the round was played")
        self._table = None
        self.app.show(None)
        self.stage.step(3)

    def _look(self, played: Played) -> None:
        if self._pictures is not None and played.done % PICTURE_INTERVAL == 1:
            name = f"{played.book}-{played.size[0]}-{played.language}-{played.done:04}.png"
            self.stage.picture(self._pictures / name)


def rounds(games: int | None, *, quick: bool = False, pictures: Path | None = None) -> Iterator[Played]:
    """Play a round of every book in each size and language.

    :param games: of each round; None: all, with signatures and handing in.
    :param quick: in the first size and language only.
    """
    evenings = Evenings(pictures)
    kinds = product(SIZES_PX[:1], LANGUAGES[:1], BOOKS) if quick else product(SIZES_PX, LANGUAGES, BOOKS)
    for seed, (size, language, book) in enumerate(kinds, 1):
        played = Played(book, size, language)
        evenings.play(played, list(simulate(book, seed, games)))
        yield played
