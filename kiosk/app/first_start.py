"""Carry out the first start: what people answer is kept at once, so that a power cut loses no step of it."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated, Protocol, TypeAlias

from hw.network import Networks
from kiosk.app.config import NOT_NUMBERED, DirectorLine, TableConfig, check_url
from kiosk.app.desk import Desk
from kiosk.app.kept_settings import KeptSettings
from kiosk.app.network_desk import NetworkDesk, NetworkMessage, NetworkSeen, NetworkTold
from kiosk.app.toml_file import checked, one_of
from kiosk.errors import BadConfig, Refused
from kiosk.sync.state import DirectionsFound, FoundDirection
from kiosk.ui.first_start.network_view import ForgetWifi, JoinWifi
from kiosk.ui.first_start.start_view import (
    STEPS,
    ChooseDirection,
    DirectionLine,
    KeepLanguage,
    KeepTouch,
    KeepTurn,
    ShowStep,
    StartView,
)
from kiosk.ui.requests import ScreenRequest
from vision.messages import CodesRead

#: Number of a table that belongs to nobody.
ALONE = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Answers:
    """What people have answered, kept beside what the table's file says."""

    step: Annotated[str, checked(one_of(*STEPS))] = STEPS[0]  # where they are, until it is over
    url: Annotated[str, checked(check_url)] = ""  # of the direction that they chose
    alone: bool = False  # this table belongs to nobody
    file: str = ""  # the direction of the table's file when they chose: where it names another since, that one counts

    def director(self, of_file: DirectorLine) -> DirectorLine:
        """The line to the direction that counts."""
        if self.file != of_file.url or not (self.url or self.alone) or self.url == of_file.url:
            return of_file
        return DirectorLine(url=self.url)


def answered(config: TableConfig, path: Path, *, headless: bool) -> tuple[TableConfig, bool]:
    """Return the configuration with what people have answered, and whether it is the first start still.

    :raises BadConfig: nobody could be asked.
    """
    kept = KeptSettings(config.data)
    answers = kept.over("start", Answers())
    director = answers.director(config.director)
    screen = kept.over("screen", config.screen)
    numbered = config.table != NOT_NUMBERED
    first = not numbered and not director.url and not answers.alone
    if first and headless:
        raise BadConfig(f'{path}: table = "none": without a screen nobody can be asked; write its number')
    if not numbered and not director.url:
        config = replace(config, table=ALONE)
    return replace(config, director=director, screen=screen), first


class StartScreen(Protocol):
    """What the first start calls on a screen."""

    def start(self, view: StartView | None) -> None: ...


class Door(Protocol):
    """Where this table asks to be admitted, as ``kiosk.app.doorstep.Doorstep``."""

    def turn_to(self, director: DirectorLine) -> None: ...


class Looking(Protocol):
    """A search that goes on, as ``kiosk.sync.finding.Finder``."""

    def stop(self) -> None: ...


StartMessage: TypeAlias = DirectionsFound | NetworkMessage
Found: TypeAlias = Callable[[tuple[FoundDirection, ...]], None]


def look_around(deliver: Found) -> Looking:
    """Begin to look; what that needs, 10 MB, is no memory of a table that never does."""
    from kiosk.sync.finding import Finder

    return Finder(deliver).start()


class FirstStart(Desk):
    """Answers the requests of the first start, also when somebody opens it later.

    :param file: the table's configuration as its file has it.
    :param config: the same with what people have answered before.
    :param first: nobody has answered where this table belongs.
    :param may_change: whether this table may go elsewhere now: no list is open.
    :param anew: starts the program anew with what was chosen.
    """

    hears = (DirectionsFound, NetworkSeen, NetworkTold, CodesRead)

    def __init__(
        self,
        file: TableConfig,
        config: TableConfig,
        kept: KeptSettings,
        door: Door,
        *,
        first: bool,
        screen: Callable[[], StartScreen | None],
        may_change: Callable[[], bool],
        anew: Callable[[], None],
        deliver: Callable[[StartMessage], None],
        networks: Networks,
        look: Callable[[Found], Looking] | None = None,
    ) -> None:
        self._file, self._config, self._kept, self._door = file, config, kept, door
        self._screen, self._may_change, self._anew = screen, may_change, anew
        self._deliver, self._look = deliver, look or look_around
        self._network = NetworkDesk(networks, deliver, self._tell)
        self._answers = kept.over("start", Answers())
        self._admitted = bool(config.director.token)
        self._looking: Looking | None = None
        self._found: tuple[FoundDirection, ...] | None = None
        self._up = False
        self._first = first
        self._reading = False
        #: Has QR codes read before the camera, or no longer.
        self.read_codes: Callable[[bool], None] = lambda on: None

    def begin(self) -> None:
        """Show the step at which people were, if it is not over."""
        if self._first or self._waits:
            self._show(self._answers.step)

    @property
    def _waits(self) -> bool:
        """Whether people have chosen a direction, which has not admitted this table yet."""
        return self._file.table == NOT_NUMBERED and bool(self._answers.url) and not self._admitted

    def stop(self) -> None:
        """End."""
        self._network.watch(False)
        self._stop_looking()

    def _stop_looking(self) -> None:
        if self._looking is not None:
            self._looking.stop()
            self._looking = None

    def takes(self, request: ScreenRequest) -> bool:
        """Carry out a request of the first start; return False if it is none.

        :raises Refused: a list is open, or the network is being changed.
        """
        match request:
            case ShowStep(step):
                self._show(step)
            case KeepLanguage(language):
                self._keep_screen(language=language)
            case KeepTurn(degrees):
                self._keep_screen(turn=degrees)
            case KeepTouch(name):
                self._keep_screen(touch=name)
            case ChooseDirection(url):
                self._choose(url)
            case JoinWifi() | ForgetWifi():
                self._network.takes(request)
            case _:
                return False
        return True

    def heard(self, message: StartMessage | CodesRead) -> None:
        """Take who answers in the network, what this machine is connected to, and a code held before the camera."""
        if isinstance(message, NetworkSeen | NetworkTold):
            self._network.heard(message)
        elif isinstance(message, CodesRead):
            if self._reading:
                self._network.seen(message.texts)
        elif self._looking is not None:
            self._found = message.found
            self._tell()

    def _show(self, step: str) -> None:
        self._up = step in STEPS
        if self._up:
            self._keep(replace(self._answers, step=step))
        looks = self._up and step == "direction"
        if looks and self._looking is None:
            self._found = None
            self._looking = self._look(lambda found: self._deliver(DirectionsFound(found)))
        elif not looks:
            self._stop_looking()
        network = self._up and step == "network"
        self._network.watch(network)
        if network != self._reading:
            self._reading = network
            self.read_codes(network)
        self._tell()

    def _choose(self, url: str) -> None:
        if not self._first and not self._may_change():
            raise Refused("not_now", "", "a list is open at this table")
        before = self._answers.director(self._file.director)
        now = replace(self._answers, url=url, alone=not url, file=self._file.director.url)
        self._keep(now)
        director = now.director(self._file.director)
        started_alone = not self._config.director.url
        if director == before and url:
            self._tell()
            self._door.turn_to(director)
        elif not url and started_alone:
            self._door.turn_to(director)
            self._first = False
            self._show("")
        elif url and started_alone:
            self._door.turn_to(director)
            self._tell()
        else:
            self._anew()

    def _keep(self, answers: Answers) -> None:
        if answers != self._answers:
            self._answers = answers
            self._kept.keep("start", Answers(), answers)

    def _keep_screen(self, **chosen: object) -> None:
        screen = self._kept.over("screen", self._file.screen)
        self._kept.keep("screen", self._file.screen, replace(screen, **chosen))  # type: ignore[arg-type]

    def _tell(self) -> None:
        screen = self._screen()
        if screen is None:
            return
        if not self._up:
            screen.start(None)
            return
        director = self._answers.director(self._file.director)
        found = self._found
        lines = None if found is None else tuple(DirectionLine(one.name, one.url) for one in found)
        screen.start(
            StartView(
                step=self._answers.step,
                first=self._first or self._waits,
                network=self._network.view,
                url=director.url,
                alone=self._answers.alone,
                found=lines,
            )
        )
