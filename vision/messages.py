"""Define every value that crosses the border between the vision process and the kiosk: frozen, standard library only.

Reports state what happened on the mat, commands are what the kiosk asks for, answers are what comes back.

Times are seconds on the source's monotonic clock. Positions are millimetres on the mat: origin at its centre, x to the
right and y downwards as the camera sees it upright; seat 1 sits below, the others follow clockwise.
"""

from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TypeAlias

Point: TypeAlias = tuple[float, float]

# --- reports: what happened on the mat -------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class CardLaid:
    """A card at rest on the mat that was not there before, or an earlier one with another label or another position.

    ``card`` numbers the physical cards since the start: a report with a number seen before replaces that reading.
    ``label`` is None for a card in doubt; without ``choices`` nothing is known but that it lies there, face up.

    ``not_before``, ``rested``: it was not there yet at the one time and lay untouched from the other on; of two cards
    whose times overlap nobody has seen which was laid first. ``arm``: bearing, from the mat's centre in radians (0
    right, a quarter turn down), of the place at the rim from where an arm brought it; ``arm_share``, 0 … 1: how far
    that arm is ahead of any other in the pictures of its coming.
    """

    at: float
    card: int
    label: str | None  # None: in doubt
    margin: float  # 0 … 1; how far the label is ahead of its rival
    choices: tuple[tuple[str, float], ...]  # labels with their scores, likeliest first
    x: float
    y: float
    angle: float  # radians, of the card's upright axis
    face_down: bool = False
    picture: bytes | None = None  # JPEG of the card alone, upright; None for a back
    not_before: float | None = None  # None: that was not seen
    rested: float | None = None
    arm: float | None = None  # None: no arm was seen
    arm_share: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class CardGone:
    """A card that was taken back while others stayed.

    ``foreign``: it is still there, but a whole trick has gone whose last card came later: a thing that is like a card.
    """

    at: float
    card: int
    foreign: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class TrickTaken:
    """Cards of a trick that left the middle together; ``x, y`` is where they went, if seen."""

    at: float
    cards: tuple[int, ...]
    x: float | None = None
    y: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ArmReached:
    """An arm that reached into the middle and has gone: perhaps it laid a card that was not seen.

    ``since``, ``until``: when it crossed the middle's rim; ``bearing``: where, from the mat's centre in radians (0
    right, a quarter turn down).
    """

    at: float
    since: float
    until: float
    bearing: float


@dataclass(frozen=True, slots=True, kw_only=True)
class HandInTheWay:
    """Something that moves over the middle or hides it; ``gone`` ends it."""

    at: float
    gone: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Blind:
    """Loss of the view of the mat; ``why`` is empty when it is seen again."""

    at: float
    why: str  # "" | camera | dark | mat | covered


@dataclass(frozen=True, slots=True, kw_only=True)
class Tick:
    """End of a frame's processing; all its reports came before."""

    at: float


@dataclass(frozen=True, slots=True, kw_only=True)
class CameraTrouble:
    """Fault of the camera or its process, in an administrator's words; empty: it works again.

    ``code`` is its cause: ``camera``, ``missing``, ``busy``, ``silent``, ``pictures``, ``program``, ``setting`` (see
    ``vision.errors``), ``process`` (vision itself has ended), or what ``Blind.why`` says.
    """

    text: str
    code: str = ""


Report: TypeAlias = CardLaid | CardGone | TrickTaken | ArmReached | HandInTheWay | Blind | Tick

# --- settings: what the process is started with ----------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class SimSettings:
    """The simulated table: the art of its cards, and what else ``vision.simulation.film.SimCamera`` takes.

    ``ticks``: seconds of granted time within which only the last of several ticks without a report between is sent.
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
    """Settings of the vision process at its start.

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
    corners: tuple[Point, Point, Point, Point] | None = None
    corners_mm: tuple[float, float] = (420.0, 297.0)
    sim: SimSettings | None = None
    speed: float | None = None
    threads: int = 1
    lying: tuple[CardLaid, ...] = ()  # cards known to be on the mat at the start
    first_card: int = 1  # number of the next card
    recent: float = 0.0
    faces: tuple[str, ...] = ()  # labels of the cards that are played with, for a table without a deck
    camera_file: Path | None = None  # where the camera's focus and identity are kept; None: nowhere


# --- commands: what the kiosk asks for -------------------------------------------------------------------------------

#: What acts of the simulated table take: labels and names, seats, seconds, shares, mm and radians, and switches.
ActArgument: TypeAlias = str | int | float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Act:
    """Something that people do at the simulated table: a method of ``BusyTable`` and its arguments.

    ``name``: one of ``ACTS`` in ``vision/service/worker.py``.
    """

    name: str
    arguments: tuple[ActArgument, ...] = ()
    named: dict[str, ActArgument] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Grant:
    """Let simulated time run on up to ``until``."""

    until: float


@dataclass(frozen=True, slots=True, kw_only=True)
class AskSnapshot:
    """Ask for a ``Snapshot`` of the next frame."""

    width: int = 960


@dataclass(frozen=True, slots=True, kw_only=True)
class WatchMat:
    """Send a ``MatPicture`` of at most ``width`` px about ten times a second from now on; ``on=False`` ends it."""

    on: bool = True
    width: int = 960


@dataclass(frozen=True, slots=True, kw_only=True)
class WatchCodes:
    """Send ``CodesRead`` of QR codes before the camera from now on; ``on=False`` ends it."""

    on: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class AskRecording:
    """Ask for a ``Recording`` of the last seconds; ``name`` comes back with it.

    ``latest``: only the newest picture of the mat is wanted.
    """

    name: str
    latest: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Recalibrate:
    """Search for the mat again, and let the camera find its exposure again."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Improve:
    """Adapt the deck's references to this light and wear when there is nothing else to do; ``Recalibrate`` forgets it.

    ``cards``: cards of which it is certain what they were, with their pictures as ``CardLaid`` brought them.
    """

    cards: tuple[tuple[str, bytes], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Expect:
    """Read cards of these labels from now on, as long as there is no deck: by their indices, if they have any."""

    faces: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class NameFace:
    """Take it that the card of a picture, as ``CardLaid`` brought it, is ``label``: somebody has said so.

    As long as there is no deck, other cards that look like it are named so. ``open``: numbers and pictures of cards
    that are still in doubt; those that look like it come back in a ``FaceNamed``.
    """

    label: str
    picture: bytes
    open: tuple[tuple[int, bytes], ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class LearnPlayed:
    """Learn faces from cards of a game that was played to its end; answered by ``PlayedFaces``.

    ``cards``: cards of which it is certain what they were, with their pictures as ``CardLaid`` brought them. Once all
    ``faces`` are known the deck is kept as ``name``, and cards are read by it as soon as none lies on the mat.
    """

    name: str
    faces: tuple[str, ...]
    copies: int
    cards: tuple[tuple[str, bytes], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadHand:
    """Read the hand that is laid open on the mat from now on, as a fan or in a row; ``on=False`` ends it.

    Answered by a ``HandRead`` once what lies there is at rest, and whenever it has changed. Asked for again it goes on.
    ``faces``: labels that a card of it may have. ``cards``: that lie open, 0: not known; where fewer are read by their
    indices, they are read by what else shows of them as well, which takes longer. ``alone``: cards are not tracked
    meanwhile.
    """

    on: bool = True
    faces: tuple[str, ...] = ()
    cards: int = 0
    alone: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class ForgetDeck:
    """Read cards of these labels by their indices again: the deck learned in play is not to be trusted.

    Its file is the sender's to remove.
    """

    faces: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Teach:
    """Begin the lesson of a deck before the camera; answered by a ``LessonStep`` for frames until it is stopped.

    Cards are not tracked meanwhile. A film starts again.
    """

    name: str
    labels: tuple[str, ...]
    copies: int | None = None
    with_back: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class LessonKey:
    """Key that a person presses during the lesson.

    ``do``: ``skip``, ``back`` (the last once more), ``again`` (these labels once more), ``insist`` (the card is the one
    asked for, whatever its indices show), ``stop``.
    """

    do: str
    labels: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Stop:
    """End the process."""


Command: TypeAlias = (
    Act
    | Grant
    | AskSnapshot
    | WatchMat
    | WatchCodes
    | AskRecording
    | Recalibrate
    | Improve
    | Expect
    | NameFace
    | LearnPlayed
    | ReadHand
    | ForgetDeck
    | Teach
    | LessonKey
    | Stop
)

# --- answers: what comes back to a command ---------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class Acted:
    """Time at which an act of the simulated table takes place, in simulated seconds; answers an ``Act``.

    ``at_rest`` and ``uncovered`` are those of a card that is laid, else both the end.
    """

    name: str
    start: float
    end: float
    at_rest: float
    uncovered: float


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that is wrong with the camera's view of the table.

    ``code``: ``camera`` (no picture; ``where``: the code of a :class:`CameraTrouble`), ``dark``,
    ``dim``, ``bright``, ``no_mat``, ``other_mat`` (``where``: its paper
    and seats), ``few_marks``, ``marks`` (``where``: the picture's corners at which marks are hidden), ``cut``
    (``where``: the picture's corners at which the sheet leaves it), ``middle_cut``, ``small`` (``value``: px across a
    card), ``blurred`` (``value``: mm), ``tilted`` (``value``: degrees), ``uneven`` (``value``: px), ``glare`` and
    ``sun`` (``where``: ``seat N`` or ``middle``), ``moved`` (``value``: mm), ``unknown`` (a card not of the deck).

    ``grave``: cards cannot be read so; otherwise it works, but less surely.
    """

    code: str
    grave: bool
    where: str = ""
    value: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class CameraSetting:
    """A setting of the camera as it was read back from its driver.

    ``code``: ``focus`` (no unit for a webcam, dioptres at the Pi's), ``exposure`` (ms), ``white`` (K; none at the
    Pi's), ``mains`` (Hz: 50, 60, 0 none). ``held``: it stays; otherwise the camera changes it by itself.
    """

    code: str
    held: bool
    value: float | None = None  # None: the camera does not tell


@dataclass(frozen=True, slots=True, kw_only=True)
class CameraState:
    """Which camera gives the pictures, and how it is set; no settings where it tells none."""

    name: str  # what its driver or its source calls it
    socket: str = ""  # where it is plugged in, of USB cameras
    size: tuple[int, int] = (0, 0)  # px
    fps: float = 0.0  # pictures a second of the last ones; 0: not known yet
    settings: tuple[CameraSetting, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Snapshot:
    """Picture for setting up: a JPEG with mat, seats and cards drawn in, and facts in words.

    ``picture`` is empty where the camera gives none; then ``findings`` states that, and ``facts`` why.
    """

    at: float
    picture: bytes
    facts: tuple[str, ...]
    findings: tuple[Finding, ...] = ()
    cards: tuple[str, ...] = ()  # labels of the cards read, "?" for a doubt
    card_px: float = 0.0  # width of a card in the picture; 0: the mat is not seen
    camera: CameraState | None = None  # None: a film, or a simulated table


@dataclass(frozen=True, slots=True, kw_only=True)
class CardInPicture:
    """A tracked card as a ``MatPicture`` shows it."""

    card: int  # number, as in ``CardLaid``
    quad: tuple[Point, Point, Point, Point]  # corners in the picture's px, clockwise from the card's upper left
    label: str | None  # the likeliest one; None: a back, or nothing was read
    margin: float  # 0 … 1; how far the label is ahead of its rival
    doubt: bool  # no reading was sure of the label, or readings contradict each other
    face_down: bool
    x: float  # pose on the mat: mm, and radians of the card's upright axis
    y: float
    angle: float


@dataclass(frozen=True, slots=True, kw_only=True)
class MatPicture:
    """Picture of the mat and what was read of it, for people to watch; sent while ``WatchMat`` is on.

    Outlines are in the picture's px: ``changed`` of what differs from the settled picture, ``moving`` of what differs
    from the frame before. Without a deck or a mat there are no cards.
    """

    at: float
    picture: bytes  # JPEG
    size: tuple[int, int]  # width and height of the picture in px
    cards: tuple[CardInPicture, ...] = ()  # the lowest first
    changed: tuple[tuple[Point, ...], ...] = ()
    moving: tuple[tuple[Point, ...], ...] = ()
    fps: float = 0.0  # frames processed a second; 0: not known yet


@dataclass(frozen=True, slots=True, order=True)
class ConfusablePair:
    """Two faces that are alike.

    ``margin`` (-1 … 1) is by how much the right one is ahead where the card is whole, ``half`` where half of it is
    covered; the worse of the two faces counts.
    """

    margin: float
    half: float
    one: str
    other: str


@dataclass(frozen=True, slots=True, kw_only=True)
class LessonState:
    """State of the lesson of a deck after a frame.

    ``verdict``: ``nothing`` (no card seen), ``moving``, ``reading`` (hold still), ``good`` (learned just now), ``next``
    (that one is learned: show the card that is asked for), ``cut`` (reaches out of the picture, or a hand holds it),
    ``odd`` (not one whole card: two, or something beside it), ``small``, ``blur``, ``glare``, ``flat`` (no print),
    ``down`` (its back is seen), ``same`` (resembles ``rival``, which was shown before), ``other`` (by its indices it
    is ``rival``, not the card that is asked for: show that, or ``insist``), ``dark``, ``camera`` (no picture;
    ``detail`` states why), ``unfit`` (the deck cannot be kept; ``detail`` states why), ``done``.
    """

    asked: str | None  # label; None when all are learned
    verdict: str
    learned: tuple[str, ...]  # in the order of showing
    total: int
    rival: str | None = None
    detail: str = ""
    picture: bytes | None = None  # JPEG of the card just judged, rectified
    outline: tuple[Point, ...] | None = None  # its four corners, px in the frame

    def scaled(self, scale: float) -> "LessonState":
        """Scale the outline to a frame made smaller by ``scale``."""
        if self.outline is None:
            return self
        return replace(self, outline=tuple((x * scale, y * scale) for x, y in self.outline))


@dataclass(frozen=True, slots=True, kw_only=True)
class LessonStep:
    """Present step of the lesson.

    ``picture``: JPEG of what the camera sees, empty where there is none; ``state.outline`` is in its pixels. ``pairs``:
    once the deck is kept, its faces that are alike.
    """

    at: float
    state: LessonState
    picture: bytes = b""
    pairs: tuple[ConfusablePair, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Recording:
    """The last seconds of the mat: (time, JPEG) of each picture kept, the oldest first.

    A picture stands until the next; where nothing moved few are kept.
    """

    at: float
    name: str
    pictures: tuple[tuple[float, bytes], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class CodesRead:
    """The QR codes that the camera sees now; sent while ``WatchCodes`` is on, at first and whenever they change."""

    at: float
    texts: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownCard:
    """A card of an open hand as it was read.

    ``x``, ``y``: mm on the mat, of what shows of it (its index, or all of it).
    """

    label: str | None  # None: in doubt
    margin: float  # 0 … 1; how far the label is ahead of its rival
    choices: tuple[tuple[str, float], ...]  # labels with their scores, likeliest first
    x: float
    y: float


@dataclass(frozen=True, slots=True, kw_only=True)
class HandRead:
    """The hand laid open on the mat, in the order in which its cards lie; all cards that lie open are among it.

    ``by``: ``indices`` (each index that shows is a card), ``faces`` (a deck whose cards have no index that can be read:
    what overlaps too far is missing), ``nothing`` (the mat is not seen, or nothing is known of these cards).
    """

    at: float
    cards: tuple[ShownCard, ...]
    by: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayedFaces:
    """What is learned in play so far: ``known`` of the ``of`` faces; ``deck``: once cards are read by it its name, or
    that of a kept one that looks like it.

    ``why``: what keeps the whole deck from being kept, in words for the log.
    """

    known: int
    of: int
    deck: str = ""
    why: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class FaceNamed:
    """Cards, by the numbers of a ``NameFace``, that look like the one that was named, each with its likeness 0 … 1."""

    label: str
    alike: tuple[tuple[int, float], ...]


VisionMessage: TypeAlias = (
    Report
    | CameraTrouble
    | Acted
    | Snapshot
    | MatPicture
    | LessonStep
    | Recording
    | CodesRead
    | HandRead
    | PlayedFaces
    | FaceNamed
)


@dataclass(frozen=True, slots=True)
class WorkerStatus:
    """Between the process and its watchdog only: a sign of life, or trouble in words (empty: it is over)."""

    kind: str  # alive | trouble | ended | failed
    text: str = ""
    code: str = ""  # of a CameraTrouble
