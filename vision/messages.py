"""What passes between the vision process and its parent: settings, commands, answers."""

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeAlias

from vision.diagnose import Finding
from vision.lesson import LessonState
from vision.reports import CardLaid, Report
from vision.rivals import Rivals

#: Seconds between signs of life while there are no frames.
HEARTBEAT = 1.0
#: Seconds between two ticks of a camera that has nothing else to say: each costs the parent's process as well.
TICKS = 0.2

Place: TypeAlias = tuple[float, float]


@dataclass(frozen=True, slots=True, kw_only=True)
class SimSettings:
    """The simulated table: the art of its cards, and what else ``vision.sim.film.SimCamera`` takes.

    ``ticks``: seconds of granted time within which ticks that nothing lies between are left out but for the last.
    """

    art: str = "stichwart"
    seed: int = 0
    light: str = "lamp"
    wear: str | None = None
    lens: str | None = None
    jpeg: int | None = None
    won_on_mat: bool = True
    ticks: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class VisionSettings:
    """What the child needs to know.

    ``corners``: four corners (px, clockwise from the upper left) of a rectangle of ``corners_mm``, for a table without
    the sheet. ``speed``: seconds of film a second; None is as fast as granted for ``sim``, else 1. ``deck``: empty
    where none has been learned yet; then no card is read, but the camera can be set up and a deck taught. ``recent``:
    seconds of the mat that are kept in memory for an ``AskRecording``; 0 keeps none.
    """

    deck: str
    deck_folder: Path | None = None
    source: str = "v4l2:/dev/video0"
    size: tuple[int, int] = (1280, 720)
    fps: float = 15.0
    paper: str = "A3"
    seats: int = 4
    corners: tuple[Place, Place, Place, Place] | None = None
    corners_mm: tuple[float, float] = (420.0, 297.0)
    sim: SimSettings | None = None
    speed: float | None = None
    threads: int = 1
    lying: tuple[CardLaid, ...] = ()  # known to lie there at the start
    first_card: int = 1  # number of the next card
    recent: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Act:
    """Something that people do at the simulated table: a method of ``SimCamera`` and its arguments.

    ``name``: lay, collect, take_back, clear, put, remove, hover, flicker, drift, darken, push_mat or wait.
    """

    name: str
    arguments: tuple[Any, ...] = ()
    named: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Grant:
    """Simulated time may run on up to ``until``."""

    until: float


@dataclass(frozen=True, slots=True, kw_only=True)
class AskSnapshot:
    """Asks for a ``Snapshot`` of the next frame."""

    width: int = 960


@dataclass(frozen=True, slots=True, kw_only=True)
class Recalibrate:
    """Look for the mat now, and let the camera find its exposure again."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Improve:
    """Cards of which it is certain what they were, with their pictures as ``CardLaid`` brought them: the deck's
    references are adapted to this light and wear when there is nothing else to do. ``Recalibrate`` forgets it."""

    cards: tuple[tuple[str, bytes], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Teach:
    """Begin the lesson of a deck before the camera; answered by a ``LessonStep`` for frames until it is stopped.

    Cards are not watched meanwhile. A film begins anew.
    """

    name: str
    labels: tuple[str, ...]
    copies: int | None = None
    with_back: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class LessonKey:
    """What a person presses during the lesson: ``skip``, ``back`` (the last once more), ``again`` (these labels once
    more), ``insist`` (the card is the one asked for, whatever its indices say), ``stop``."""

    do: str
    labels: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class AskRecording:
    """Asks for a ``Recording`` of the last seconds; ``name`` comes back with it."""

    name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Stop:
    """End."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Acted:
    """When an act of the simulated table takes place, in simulated seconds; answers an ``Act``.

    ``at_rest`` and ``uncovered`` are those of a card that is laid, else both the end.
    """

    name: str
    start: float
    end: float
    at_rest: float
    uncovered: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Snapshot:
    """What the camera sees, for setting up: a JPEG with mat, seats and cards drawn in, and facts in words.

    ``picture`` is empty where the camera gives none; then ``findings`` says so, and ``facts`` why.
    """

    at: float
    picture: bytes
    facts: tuple[str, ...]
    findings: tuple[Finding, ...] = ()
    cards: tuple[str, ...] = ()  # labels of the cards read, "?" for a doubt
    card_px: float = 0.0  # width of a card in the picture; 0: the mat is not seen


@dataclass(frozen=True, slots=True, kw_only=True)
class LessonStep:
    """How the lesson stands. ``picture``: JPEG of what the camera sees; ``state.outline`` is in its pixels.

    ``rivals``: once the deck is kept, its faces that are alike, see ``vision.rivals``.
    """

    at: float
    state: LessonState
    picture: bytes
    rivals: tuple[Rivals, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Recording:
    """The last seconds of the mat: (time, JPEG) of each picture kept, the oldest first. A picture stands until the
    next; where nothing moved few are kept."""

    at: float
    name: str
    pictures: tuple[tuple[float, bytes], ...]


Command: TypeAlias = Act | Grant | AskSnapshot | AskRecording | Recalibrate | Improve | Teach | LessonKey | Stop
Message: TypeAlias = Report | Acted | Snapshot | LessonStep | Recording


@dataclass(frozen=True, slots=True)
class Word:
    """Between child and parent only: a sign of life, or trouble in words (empty: it is over)."""

    kind: str  # alive | trouble | ended | failed
    text: str = ""
