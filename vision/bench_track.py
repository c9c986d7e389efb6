"""How well whole films are tracked, and what it costs: figures for ``stichwart bench``."""

import math
import os
import statistics
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, fields, replace
from pathlib import Path

import cv2
import numpy as np

from vision.deck import Deck
from vision.frames import JpegFrame
from vision.gate import Gate
from vision.jpegs import encoded
from vision.mat import MatLayout
from vision.messages import Improve, VisionSettings
from vision.process import VisionProcess
from vision.reports import CardGone, CardLaid, Report, Tick, TrickTaken
from vision.sim import acts
from vision.sim.art import load_art
from vision.sim.artwork import Art
from vision.sim.film import SimCamera, play_tricks, write_video
from vision.sim.geometry import SIZE
from vision.track import Reader, Tracker

#: ms of work for one card that are worth a note.
SLOW = 100.0


@dataclass(slots=True, kw_only=True)
class TrackFigures:
    """What came of a film of tricks."""

    cards: int = 0
    right: int = 0  # named rightly, at the first word or a later one
    doubted: int = 0  # left in doubt
    asked: int = 0  # in doubt at the first word
    wrong: list[tuple[str, str | None]] = field(default_factory=list)  # truth, report
    missed: list[str] = field(default_factory=list)
    phantom: list[str | None] = field(default_factory=list)
    tricks: int = 0
    tricks_right: int = 0  # taken in with just their cards
    takers_right: int = 0  # and seen going to the right pile
    gone: int = 0  # cards said to be taken back (nobody took any)
    from_rest: list[float] = field(default_factory=list)  # s of film from a card at rest to its report
    from_sight: list[float] = field(default_factory=list)  # s of film from the hand off it to its report
    label_ms: list[float] = field(default_factory=list)  # CPU of all frames from the hand off a card to its report
    fourth_ms: list[float] = field(default_factory=list)  # of these, with three other cards lying
    slow: list[tuple[float, str, float]] = field(default_factory=list)  # s of film, card, ms: above ``SLOW``
    work: dict[float, float] = field(default_factory=dict)  # frame's time → its CPU in ms

    def lines(self) -> list[str]:
        """For people."""
        film, work, fourth = (sorted(x) or [0.0] for x in (self.from_rest, self.label_ms, self.fourth_ms))
        spent = list(self.work.values()) or [0.0]
        return [
            f"{self.cards} cards: {self.right} right, {self.doubted} doubted, {len(self.wrong)} wrong,"
            f" {len(self.missed)} missed, {len(self.phantom)} phantom; {self.asked} asked at first",
            f"{self.tricks} tricks: {self.tricks_right} taken in right, {self.takers_right} to the right pile;"
            f" {self.gone} cards wrongly said to be taken back",
            f"from a card at rest to its report, median / 95 % / worst: {percentile(film, 50):.2f} /"
            f" {percentile(film, 95):.2f} / {film[-1]:.2f} s of film",
            f"work from the hand off a card to its report, median / 99 % / worst: {percentile(work, 50):.0f} /"
            f" {percentile(work, 99):.0f} / {work[-1]:.0f} ms ({len(self.label_ms)}); with a trick lying:"
            f" {percentile(fourth, 50):.0f} / {percentile(fourth, 99):.0f} / {fourth[-1]:.0f} ms"
            f" ({len(self.fourth_ms)})",
            f"work a frame: {statistics.median(spent):.2f} ms at rest, {statistics.fmean(spent):.1f} ms in play"
            f" ({len(self.work)} frames)",
        ]

    def __iadd__(self, other: "TrackFigures") -> "TrackFigures":
        """Counts of another film added; its frames' times follow this one's."""
        for item in fields(self):
            mine, its = getattr(self, item.name), getattr(other, item.name)
            if isinstance(mine, dict):
                last = max(mine, default=0.0)
                mine.update({last + 1 + at: spent for at, spent in its.items()})
            else:
                setattr(self, item.name, mine + its)
        return self


def percentile(values: Sequence[float], share: float) -> float:
    """The least value that ``share`` percent do not exceed; 0 of none."""
    ordered = sorted(values)
    return ordered[max(0, math.ceil(share / 100 * len(ordered)) - 1)] if ordered else 0.0


def deal(art: Art, rng: np.random.Generator) -> list[str]:
    """A shuffled pack."""
    copies = 2 if len(art.doppelkopf) == 24 else 1
    labels = [label for label in art.doppelkopf for _ in range(copies)]
    return [labels[n] for n in rng.permutation(len(labels))]


def track_film(
    deck: Deck,
    art: Art,
    seed: int,
    tricks: int = 30,
    *,
    reader: Callable[[SimCamera], Reader] | None = None,
    light: str = "lamp",
    hands: float = 0.15,
    hurry: float = 0.3,
    won_on_mat: bool = True,
    things: Sequence[str] = (),
    size: tuple[int, int] = SIZE,
    lens: str | None = None,
    jpeg: int | None = None,
    observe: Callable[[SimCamera, object, list[Report]], None] | None = None,
) -> TrackFigures:
    """Plays ``tricks`` before the simulated camera and compares what is tracked with what was laid.

    ``hands``: how often a hand hovers between two cards. ``hurry``: how often a hand sets out before the one before it
    has left. ``things``: names of ``vision.sim.things.OBJECTS``, one more of which is put or taken away after each
    trick. ``size``, ``lens``: of the camera. ``jpeg``: quality of the JPEG pictures as which its frames come, 1 … 100.
    """
    rng = np.random.default_rng([seed, 77])
    camera = SimCamera(art, MatLayout(), seed, light=light, won_on_mat=won_on_mat, size=size, lens=lens)
    tracker = Tracker(deck, camera.layout, read=reader(camera) if reader else None)
    figures = TrackFigures()
    pack: list[str] = []
    script: list[tuple[acts.Lay, str]] = []
    truth: list[tuple[list[tuple[acts.Lay, str]], int]] = []
    reports: list[Report] = []
    lying: set[str] = set()  # things
    camera.wait(1.0)
    leader = 1
    for _ in range(tricks):
        if len(pack) < 4:
            pack = deal(art, rng)
            camera.clear()
            camera.wait(0.5)
        laid: list[tuple[acts.Lay, str]] = []
        for n in range(4):
            if rng.random() < hands:
                camera.hover((leader + n) % 4 + 1, float(rng.uniform(0.6, 1.4)))
            at = laid[-1][0].end - 0.3 if laid and rng.random() < hurry and camera.free_at <= laid[-1][0].end else None
            label = pack.pop()
            act = camera.lay(label, (leader - 1 + n) % 4 + 1, at)
            laid.append((act, label))
            if rng.random() > hurry:
                camera.wait(float(rng.uniform(0.1, 0.8)))
        leader = int(rng.integers(1, 5))
        camera.wait(float(rng.uniform(0.5, 1.2)))
        camera.collect(leader)
        camera.wait(float(rng.uniform(0.0, 0.6)))
        truth.append((laid, leader))
        script += laid
        if things:
            name, seat = things[len(truth) % len(things)], int(rng.integers(1, 5))
            if name in lying:
                camera.remove(name, seat)
            else:
                camera.put(name, seat)
            lying ^= {name}
        while camera.busy:
            _step(camera, tracker, figures, reports, observe, jpeg)
    camera.wait(1.5)
    while camera.busy:
        _step(camera, tracker, figures, reports, observe, jpeg)
    _compare(truth, reports, camera.layout, figures)
    return figures


def _step(
    camera: SimCamera,
    tracker: Tracker,
    figures: TrackFigures,
    reports: list[Report],
    observe: Callable[[SimCamera, object, list[Report]], None] | None,
    jpeg: int | None,
) -> None:
    frame = next(camera)
    data = encoded(frame.image, jpeg) if jpeg else b""
    start = time.process_time()
    if data:
        frame = JpegFrame(data, frame.at, camera.name)
    new = tracker.look(frame)
    figures.work[frame.at] = 1000 * (time.process_time() - start)
    reports += new
    if observe is not None:
        observe(camera, frame, new)


def _compare(
    truth: list[tuple[list[tuple[acts.Lay, str]], int]],
    reports: list[Report],
    layout: MatLayout,
    figures: TrackFigures,
) -> None:
    first: dict[int, CardLaid] = {}
    last: dict[int, CardLaid] = {}
    for report in reports:
        if isinstance(report, CardLaid):
            first.setdefault(report.card, report)
            last[report.card] = report
    number_of: dict[int, int] = {}  # id of the act → card
    open_numbers = set(first)
    acts_by_time = [item for laid, _ in truth for item in laid]
    fourth = {id(laid[3][0]) for laid, _ in truth if len(laid) == 4}
    for act, label in acts_by_time:
        figures.cards += 1
        near = [
            n
            for n in open_numbers
            if -0.3 <= first[n].at - act.at_rest < 8.0
            and np.hypot(last[n].x - act.card.pose.x, last[n].y - act.card.pose.y) < 12
        ]
        if not near:
            figures.missed.append(label)
            continue
        number = min(near, key=lambda n: first[n].at)
        open_numbers.discard(number)
        number_of[id(act)] = number
        figures.from_rest.append(first[number].at - act.at_rest)
        figures.from_sight.append(first[number].at - act.uncovered)
        begun = min(act.uncovered, first[number].at)
        spent = sum(ms for at, ms in figures.work.items() if begun <= at <= first[number].at)
        figures.label_ms.append(spent)
        if id(act) in fourth:
            figures.fourth_ms.append(spent)
        if spent > SLOW:
            figures.slow.append((first[number].at, label, spent))
        figures.asked += first[number].label is None
        named = last[number].label
        if named is None:
            figures.doubted += 1
        elif named == label:
            figures.right += 1
        else:
            figures.wrong.append((label, named))
    figures.phantom = [last[n].label for n in sorted(open_numbers)]
    figures.gone = sum(isinstance(r, CardGone) for r in reports)
    taken = [r for r in reports if isinstance(r, TrickTaken)]
    for laid, leader in truth:
        figures.tricks += 1
        numbers = {number_of.get(id(act)) for act, _ in laid}
        fitting = [t for t in taken if set(t.cards) == numbers]
        if fitting:
            figures.tricks_right += 1
            t = fitting[0]
            if t.x is not None and t.y is not None:
                x, y = t.x, t.y
                nearest = min(
                    layout.won_places, key=lambda s: np.hypot(layout.won_places[s][0] - x, layout.won_places[s][1] - y)
                )
                figures.takers_right += nearest == leader


def gate_ms(frames: int = 300, seed: int = 0) -> float:
    """Mean CPU milliseconds of the change gate for a frame of 1280 × 720 that was just decoded, on one thread.

    Decoded at a quarter of its size, as cameras' JPEG pictures are (``vision.frames``).
    """
    cv2.setNumThreads(1)
    camera = SimCamera(load_art("stichwart"), MatLayout(), seed)
    camera.lay("HA", 1)
    camera.hover(2, 3.0)
    pictures = [next(camera).quarter for _ in range(60)]
    gate, decoded, spent = Gate(), np.empty_like(pictures[0]), 0.0
    for n in range(frames):
        np.copyto(decoded, pictures[n % len(pictures)])  # as a decoder leaves it, not cold in main memory
        start = time.process_time()
        gate.step(decoded, n / 15)
        spent += time.process_time() - start
    return 1000 * spent / frames


@dataclass(frozen=True, slots=True, kw_only=True)
class ProcessFigures:
    """What the vision process takes with a video file (MJPEG, 1280 × 720) for a camera."""

    idle_share: float  # of one core at 15 frames a second, three cards lying still; decoding included
    peak_mb: float  # greatest resident memory while tricks were played, and the deck adapted to what was seen
    cards: int  # read meanwhile


def process_figures(deck: Deck, art: Art, seed: int = 0, idle: float = 40.0) -> ProcessFigures:
    """Runs the vision process over a film of six tricks, a pause in which the deck is adapted, and a table at rest for
    ``idle`` seconds of film; the last seconds are kept as at a table.

    :raises CameraError: if the process fails
    """
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder)
        replace(deck, name="measured").save(path)
        camera = SimCamera(art, MatLayout(), seed)
        camera.wait(1.0)
        labels = deal(art, np.random.default_rng(seed))
        play_tricks(camera, labels, 6, np.random.default_rng(seed))
        camera.wait(15.0)
        adapting = camera.free_at - 14.0
        for seat in range(1, 4):
            camera.lay(labels[7 + seat], seat)
        played = camera.free_at + 4.0  # sure cards have had their second look, the mat is found again
        write_video(camera, path / "film.avi", int((played + idle) * camera.fps))
        source = f"file:{path / 'film.avi'}"
        settings = VisionSettings(deck="measured", deck_folder=path, source=source, speed=1000.0, recent=20.0)
        cards: dict[int, tuple[str, bytes]] = {}
        adapted, at_rest, last, peak = False, 0.0, 0.0, 0.0
        with VisionProcess(settings) as process:
            for message in process.until(played + idle - 0.5):
                if isinstance(message, CardLaid) and message.label and message.picture:
                    cards[message.card] = message.label, message.picture
                if isinstance(message, Tick):
                    if message.at >= adapting and not adapted:
                        adapted = True
                        process.send(Improve(cards=tuple(cards.values())))
                    spent, peak = _spent(process.pid), max(peak, _peak_mb(process.pid))
                    at_rest = at_rest or (spent if message.at >= played else 0.0)
                    last = spent
    return ProcessFigures(idle_share=(last - at_rest) / idle, peak_mb=peak, cards=len(cards))


def _spent(pid: int | None) -> float:
    """CPU seconds that a process has used so far."""
    words = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(words[11]) + int(words[12])) / os.sysconf("SC_CLK_TCK")


def _peak_mb(pid: int | None) -> float:
    """Greatest resident memory of a process so far, in millions of bytes."""
    status = Path(f"/proc/{pid}/status").read_text()
    return next(int(line.split()[1]) for line in status.splitlines() if line.startswith("VmHWM")) * 1024 / 1e6
