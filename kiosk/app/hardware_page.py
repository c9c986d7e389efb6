"""Answer the hardware page: how each part is, trying one out, sound and light as people choose them."""

import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Protocol, TypeAlias, get_args

from hw.device import Condition, Health
from hw.keyboard_reader import KeyboardsSeen
from hw.loudspeaker import loudspeakers
from hw.scanned import Badge, CardCode, RefereeBadge, Unreadable
from hw.scanner import Plugged, ScannerMessage, Unplugged
from kiosk.app.config import LightConfig, SoundConfig
from kiosk.app.desk import Desk
from kiosk.app.inbox import PinsMissing, Pressed
from kiosk.app.kept_settings import KeptSettings
from kiosk.app.machine_parts import about_machine, machine_parts, release_parts
from kiosk.app.outputs import Outputs
from kiosk.app.updating import installed
from kiosk.language import say
from kiosk.release.notices import notices
from kiosk.sync.state import LineState
from kiosk.ui.hardware.hardware_view import (
    ChooseLight,
    ChooseSound,
    HardwareView,
    LightChoice,
    NoticeView,
    PartView,
    ShowHardware,
    ShowNotices,
    SoundChoice,
    TestPart,
)
from kiosk.ui.requests import ScreenRequest
from vision.messages import Tick

#: Seconds between two looks while the page is open.
LOOK_INTERVAL_S = 1.0

#: So long after the last touch of the page, seconds, button and scanner are tried out there; later they do what they
#: are for again, for somebody may have left the page open.
TRY_S = 60.0

#: A camera that has given no frame for so many seconds is gone.
CAMERA_SILENT_S = 10.0

#: What the panel may have, in the order shown; lamps by their number besides.
_PANEL = ("display", "referee_lamp", "buzzer", "button")

_CONDITIONS = {Condition.WORKS: "works", Condition.SILENT: "silent", Condition.GONE: "gone"}


#: What tells how a part is.
_Told: TypeAlias = Tick | LineState | PinsMissing | KeyboardsSeen | ScannerMessage


class HardwareScreen(Protocol):
    """What the page calls on a screen, as ``kiosk.ui.app.KioskApp`` implements it."""

    def hardware(self, view: HardwareView) -> None: ...
    def light(self, choice: LightChoice) -> None: ...
    def packages(self, notices: tuple[NoticeView, ...]) -> None: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Configured:
    """What the table's file says of the hardware."""

    data: Path
    seats: int = 4
    sound: SoundConfig = field(default_factory=SoundConfig)
    light: LightConfig = field(default_factory=LightConfig)
    scanner: bool = False
    director: bool = False
    code: str = ""  # the referee's: "", "hash", "plain"


class HardwarePage(Desk):
    """The hardware page's other side; the table's loop calls it.

    :param blind: why the camera does not see the mat, "" if it does or has said nothing.
    """

    hears = get_args(_Told)

    def __init__(
        self,
        outputs: Outputs,
        configured: Configured,
        kept: KeptSettings,
        *,
        blind: Callable[[], str],
        screen: Callable[[], HardwareScreen | None],
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        self._outputs, self._configured, self._kept = outputs, configured, kept
        self._blind, self._screen, self._now = blind, screen, now
        self.light = kept.over("light", configured.light)
        self.keyboards: Callable[[], Mapping[str, Health]] = dict  # scanner and number pads that are keyboards
        self._pins_missing = ""
        self._scanner: ScannerMessage | None = None  # its last word
        self._read = ""  # what was scanned while the page was open
        self._pressed = False  # the button, likewise
        self._line: LineState | None = None
        self._frame_at: float | None = None  # when the camera has given its last frame
        self._open = False
        self._due = 0.0
        self._trying_until = 0.0
        self._about = about_machine()
        self._installed = installed()
        self._notices: tuple[NoticeView, ...] = ()  # once somebody has asked for them
        self._read_notices = False  # they shall be shown when they are gathered

    def takes(self, request: ScreenRequest) -> bool:
        """Carry out a request of the page; return False if it is none."""
        match request:
            case ShowHardware(wanted):
                self._open, self._read, self._pressed = wanted, "", False
                self._trying_until = self._now() + TRY_S
            case ShowNotices():
                self._show_notices()
            case TestPart(name):
                self._trying_until = self._now() + TRY_S
                self._test(name)
            case ChooseSound(choice):
                chosen = SoundConfig(**asdict(choice))
                self._outputs.herald.change(chosen)
                self._kept.keep("sound", self._configured.sound, chosen)
            case ChooseLight(choice):
                self.light = LightConfig(**asdict(choice))
                self._kept.keep("light", self._configured.light, self.light)
                self._show_light()
            case _:
                return False
        self._due = 0.0
        return True

    # --- what it hears

    def heard(self, message: _Told) -> None:
        """Note how a part is: a tick says that the camera has given a frame."""
        match message:
            case Tick():
                self._frame_at = self._now()
            case LineState():
                self._line = message
            case PinsMissing(why):
                self._pins_missing = why
            case KeyboardsSeen(at=at, scanner=Health() as health):
                self._scanner = self._as_scanner(at, health)
            case KeyboardsSeen():
                pass
            case _:
                self._scanner = message

    def keeps(self, message: Any) -> bool:
        """Keep what is scanned, and a press of the button, while parts are being tried out."""
        if not self._trying:
            return False
        match message:
            case Pressed():
                self._pressed = True
            case Badge() | RefereeBadge() | CardCode() | Unreadable():
                self._scanner, self._read = message, _read(message)
            case _:
                return False
        self._due = 0.0
        return True

    def _as_scanner(self, at: float, health: Health) -> ScannerMessage:
        """Say of a scanner that is a keyboard what one at a serial port would say."""
        if health.condition is Condition.WORKS:
            return Plugged(at=at, port="keyboard")
        why = say("hardware", health.code, self._outputs.language, detail=health.detail)
        return Unplugged(at=at, port="keyboard", why=why)

    @property
    def _trying(self) -> bool:
        """Whether somebody is trying parts out just now."""
        return self._open and self._now() < self._trying_until

    def beat(self) -> None:
        """Show the page anew while it is open."""
        screen = self._screen()
        if self._read_notices and self._notices and screen is not None:
            self._read_notices = False
            screen.packages(self._notices)
        if self._open and screen is not None and self._now() >= self._due:
            self._due = self._now() + LOOK_INTERVAL_S
            screen.hardware(self.view())

    def _show_notices(self) -> None:
        """Gather the notices, beside the table's loop: there are many files; ``beat`` shows them."""
        self._read_notices = True
        if not self._notices:
            threading.Thread(target=self._gather, name="notices", daemon=True).start()

    def _gather(self) -> None:
        self._notices = tuple(NoticeView(one.name, one.version, one.licence, one.text) for one in notices())

    def begin(self) -> None:
        """Set the screen's light once it is up."""
        self._show_light()

    def _show_light(self) -> None:
        screen = self._screen()
        if screen is not None:
            screen.light(LightChoice(**asdict(self.light)))

    @property
    def scanner_state(self) -> str | None:
        """How the scanner is: ``works``, ``gone`` …; None: there is none."""
        part = self._scanner_part()
        return None if part.state == "absent" else part.state

    # --- what it shows

    def view(self) -> HardwareView:
        """How everything is now."""
        herald = self._outputs.herald
        devices = loudspeakers()
        chosen = herald.settings.device
        return HardwareView(
            parts=(*self._panel(), *self._others(), *self._machine(), self._code()),
            about=self._about,
            devices=devices if not chosen or chosen in devices else (*devices, chosen),
            sound=SoundChoice(**asdict(herald.settings)),
            light=LightChoice(**asdict(self.light)),
        )

    def _panel(self) -> list[PartView]:
        names = (*_PANEL, *(f"lamp {seat}" for seat in range(1, self._configured.seats + 1)))
        panel = self._outputs.panel
        if panel is None:
            why = self._pins_missing
            state, code = ("gone", "pins") if why else ("absent", "not_wired")
            return [PartView(name=name, state=state, code=code, detail=why) for name in names]
        found = panel.parts()
        rows = []
        for name in names:
            health = found.get(name)
            if health is None:
                rows.append(PartView(name=name, state="absent", code="not_wired"))
            elif panel.mock:
                rows.append(PartView(name=name, state="absent", code="mock"))
            elif name == "button" and self._pressed:
                rows.append(PartView(name=name, state="works", code="pressed"))
            else:
                state = _CONDITIONS[health.condition]
                to_do = "try_button" if name == "button" else "try_it"
                rows.append(PartView(name=name, state=state, code=health.code or to_do, detail=health.detail))
        return rows

    def _others(self) -> list[PartView]:
        return [self._loudspeaker(), self._scanner_part(), self._pads(), self._camera(), self._network()]

    def _pads(self) -> PartView:
        found = {name.split()[1]: health for name, health in self.keyboards().items() if name.startswith("pad ")}
        lost = [seat for seat, health in found.items() if health.condition is Condition.GONE]
        if not found:
            return PartView(name="pads", state="absent", code="no_pads")
        if lost:
            return PartView(name="pads", state="gone", code="pads_gone", detail=", ".join(lost))
        return PartView(name="pads", state="works", code="pads_there", detail=", ".join(found))

    def _loudspeaker(self) -> PartView:
        herald, name = self._outputs.herald, "loudspeaker"
        if not herald.settings.device:
            return PartView(name=name, state="absent", code="no_loudspeaker")
        if herald.state is None:
            return PartView(name=name, state="silent", code="looking")
        if not herald.state.works:
            return PartView(name=name, state="gone", code="mute", detail=herald.state.why)
        return PartView(name=name, state="works", code="wordless" if herald.state.why else "try_it")

    def _scanner_part(self) -> PartView:
        if self._read:
            return PartView(name="scanner", state="works", code="scanned", detail=self._read)
        keyboard = self.keyboards().get("scanner")
        if keyboard is not None and keyboard.condition is not Condition.WORKS:
            state = _CONDITIONS[keyboard.condition]
            return PartView(name="scanner", state=state, code="no_scanner" if state == "gone" else "looking")
        if keyboard is not None:
            return PartView(name="scanner", state="works", code="try_scanner")
        match self._scanner:
            case Unplugged(why=why):
                return PartView(name="scanner", state="gone", code="no_scanner", detail=why)
            case None if self._configured.scanner:
                return PartView(name="scanner", state="silent", code="looking")
            case None:
                return PartView(name="scanner", state="absent", code="scanner_unset")
        return PartView(name="scanner", state="works", code="try_scanner")

    def _camera(self) -> PartView:
        if blind := self._blind():
            return PartView(name="camera", state="gone", code=f"camera_{blind}")
        if self._frame_at is None:
            return PartView(name="camera", state="silent", code="looking")
        if self._now() - self._frame_at > CAMERA_SILENT_S:
            return PartView(name="camera", state="gone", code="camera_camera")
        return PartView(name="camera", state="works", code="to_camera")

    def _network(self) -> PartView:
        line = self._line
        if not self._configured.director:
            return PartView(name="network", state="absent", code="alone")
        if line is None:
            return PartView(name="network", state="silent", code="looking")
        if line.connected and not line.trouble:
            return PartView(name="network", state="works", code="connected")
        told = line.text(self._outputs.language)
        return PartView(name="network", state="gone", code="line", detail=told)

    def _machine(self) -> tuple[PartView, ...]:
        return (*machine_parts(self._configured.data), *release_parts(self._installed))

    def _code(self) -> PartView:
        codes = {"": ("none", "no_code"), "hash": ("works", ""), "plain": ("bad", "plain_code")}
        state, code = codes[self._configured.code]
        return PartView(name="code", state=state, code=code)

    def _test(self, name: str) -> None:
        outputs = self._outputs
        if name == "loudspeaker":
            outputs.herald.try_out(say("spoken", "trial", outputs.language), outputs.language)
        elif outputs.panel is not None:
            outputs.panel.test(name)


def _read(message: ScannerMessage) -> str:
    """What was read, as it may stand on the screen: the code on the referee's badge may not."""
    match message:
        case Badge(number=number, name=name):
            return f"{number} {name}".strip()
        case RefereeBadge():
            return "R: ••••"
        case CardCode(card=card):
            return card
        case Unreadable(text=text):
            return text
    return ""
