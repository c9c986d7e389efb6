"""Set up a table that nobody directs, with its screen, a stick that is a folder, and perhaps a simulated camera."""

import time
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from hw.stick import Stick, Sticks
from kiosk.app.config import DeckConfig, MatConfig, TableConfig
from kiosk.app.hardware_page import Configured
from kiosk.app.inbox import Asked
from kiosk.app.kept_settings import KeptSettings
from kiosk.app.kiosk import Kiosk
from kiosk.app.own_rounds import OwnRounds
from kiosk.app.start import show_hardware
from kiosk.app.stick_desk import StickDesk
from kiosk.table.clock import boot_id
from kiosk.table.events.log_file import LogFile
from kiosk.table.events.values import RoundOpened
from kiosk.table.table import Table
from kiosk.ui.requests import ScreenRequest
from vision.mat.layout import MatLayout
from vision.messages import Blind

if TYPE_CHECKING:  # the window opens with its import
    from kiosk.ui.app import KioskApp


class Planned(Protocol):
    """What a table must know of the evening that is played at it."""

    @property
    def book(self) -> str: ...
    @property
    def language(self) -> str: ...
    @property
    def options(self) -> dict[str, Any]: ...


class FolderStick(Sticks):
    """A stick that is a folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.stick = Stick(device="/dev/folder1", name="FOLDER", size_bytes=4_000_000_000, filesystem="vfat")

    def look(self) -> tuple[Stick, ...]:
        return (self.stick,)

    def mount(self, stick: Stick, *, to_read: bool = False) -> Path:
        self.folder.mkdir(parents=True, exist_ok=True)
        return self.folder

    def unmount(self, stick: Stick) -> None:
        """Nothing is buffered."""


class Screen:
    """The one window of this process, in which table after table is shown."""

    def __init__(self, size: tuple[int, int]) -> None:
        from kiosk.ui import build_app
        from kiosk.ui.display import prepare

        prepare(size)
        self._kiosk: Kiosk | None = None
        self.app: KioskApp = build_app(self._send, "de", size, on_language=self._spoken)
        from kivy.clock import Clock

        from kiosk.ui.stage import Stage

        Clock._max_fps = 0  # nobody waits for a frame
        self.stage = Stage(self.app).up()
        Clock.schedule_interval(self._beat, 0)

    def _send(self, request: ScreenRequest) -> None:
        if self._kiosk is not None:
            self._kiosk.deliver(Asked(request))

    def _spoken(self, language: str) -> None:
        if self._kiosk is not None:
            self._kiosk.outputs.language = language

    def _beat(self, _: float) -> None:
        if self._kiosk is not None:
            self._kiosk.beat()

    def show(self, kiosk: Kiosk | None, size: tuple[int, int], language: str) -> None:
        """Show another table, or none, in this size and language."""
        self._kiosk = kiosk
        self.stage.size(*size)
        if self.app.language != language:
            self.app.speak(language)
        self.stage.step(3)


@dataclass(slots=True)
class EveningTable:
    """A table at work without a director."""

    kiosk: Kiosk
    stick: Path  # what was written to the stick
    blind: Callable[[str], None]  # the camera does not see, and why; "": it sees

    @property
    def table(self) -> Table | None:
        return self.kiosk.table


def sit_alone(
    stack: ExitStack, folder: Path, screen: Screen, planned: Planned, now: Callable[[], float] | None = None
) -> EveningTable:
    """Build a table that nobody directs, as ``kiosk.app.start`` does it.

    :param planned: its language, and its options where the round is a short one.
    :param now: its time in seconds; None: the machine's.
    """
    begun = time.monotonic()
    now = now or (lambda: time.monotonic() - begun)
    config = TableConfig(table=1, data=folder, deck=DeckConfig(name="evening"), mat=MatConfig(seats=5))
    if planned.options:
        config = replace(config, round=replace(config.round, rules=planned.book, options=planned.options))
    file = stack.enter_context(LogFile(folder / "table.sqlite"))
    kiosk = Kiosk(None, now=now, language=planned.language)
    centres = MatLayout(seats=config.mat.seats).seat_places

    def opened(opening: RoundOpened | None, evening: str, number: int) -> Table:
        events = file.log(evening, config.table, number)
        return Table(events, now=now(), opening=opening, centres=centres, boot=boot_id(), directed=False)

    rounds = OwnRounds(
        kiosk,
        file,
        config,
        reopen=lambda key: rounds.released(opened(None, key.evening, key.round)),
        screen=lambda: kiosk.outputs.screen,
    )

    def open_table(opening: RoundOpened) -> Table:
        opening = rounds.checked(opening)
        from kiosk.table.evenings import note_sitting

        note_sitting(file, file.log(opening.tournament or "", config.table, opening.round))
        return rounds.released(opened(opening, opening.tournament or "", opening.round))

    kiosk.add(rounds)
    kiosk.opener.open_table = open_table
    kiosk.opener.mat_seats = config.mat.seats
    sticks = StickDesk(
        FolderStick(folder / "stick"),
        file,
        deliver=kiosk.deliver,
        table=lambda: kiosk.table,
        screen=lambda: kiosk.outputs.screen,
        language=lambda: kiosk.outputs.language,
        disks=lambda: frozenset({"folder1"}),
        run=lambda job: job(),
    )
    kiosk.add(sticks)
    show_hardware(kiosk, Configured(data=folder, seats=config.mat.seats), KeptSettings(None))
    screen.app.gate = "hold"
    kiosk.outputs.screen = screen.app
    screen.app.sit_down(rounds.seating())
    return EveningTable(kiosk, folder / "stick", lambda why: kiosk.deliver(Blind(at=now(), why=why)))
