"""Values of the hardware page: how each part is, and what may be set; choices go up again as they came down."""

from dataclasses import dataclass
from typing import TypeAlias

#: How a part is: it works; only people can see whether it does; it should be there and is not; it is not wired; it is
#: there, but something has to be done about it; nothing is known of it; there is none, and none is missing.
STATES = ("works", "silent", "gone", "absent", "bad", "unknown", "none")


@dataclass(frozen=True, slots=True, kw_only=True)
class PartView:
    """A part of the table's hardware."""

    name: str  # "display", "lamp 1", "loudspeaker" …, with words of the subject technik
    state: str  # one of STATES
    code: str = ""  # what is to be said and done about it, with words of the subject technik; empty: nothing
    detail: str = ""  # the value that the words name


@dataclass(frozen=True, slots=True, kw_only=True)
class SoundChoice:
    """How signals are given."""

    device: str = ""  # "": no loudspeaker
    volume: int = 70  # percent
    quiet: str = ""  # "22:00-07:00"; "": none
    speak: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class LightChoice:
    """How bright the screen is."""

    brightness: int = 100  # percent
    rest: int = 30  # percent, at rest
    rest_after: int = 10  # minutes without a touch or an event; 0: never


@dataclass(frozen=True, slots=True, kw_only=True)
class HardwareView:
    """Everything that the page shows."""

    parts: tuple[PartView, ...] = ()
    about: str = ""  # versions and machine, in a line
    devices: tuple[str, ...] = ()  # loudspeakers that can be chosen
    sound: SoundChoice = SoundChoice()
    light: LightChoice = LightChoice()


@dataclass(frozen=True, slots=True)
class NoticeView:
    """A package that the table is made of, and whole what it says of its licence."""

    name: str
    version: str
    licence: str
    text: str


@dataclass(frozen=True, slots=True)
class ShowNotices:
    """Somebody wants to read the notices; they come by ``packages``."""


@dataclass(frozen=True, slots=True)
class ShowHardware:
    """The page is open, or no longer."""

    wanted: bool


@dataclass(frozen=True, slots=True)
class TestPart:
    """A part shall show or sound."""

    __test__ = False  # pytest would take it for a test

    name: str


@dataclass(frozen=True, slots=True)
class ChooseSound:
    """Signals are given like this from now on."""

    choice: SoundChoice


@dataclass(frozen=True, slots=True)
class ChooseLight:
    """The screen is as bright as this from now on."""

    choice: LightChoice


HardwareRequest: TypeAlias = ShowHardware | ShowNotices | TestPart | ChooseSound | ChooseLight
