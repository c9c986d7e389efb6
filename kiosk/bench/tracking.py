"""Track simulated films of tricks and compare the reports with what was laid; measure the cost of tracking."""

import math
import statistics
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field, fields
from typing import Any

import cv2
import numpy as np

from vision.camera.frame import JpegFrame
from vision.camera.jpeg import encode_jpeg
from vision.deck.deck import Deck
from vision.mat.layout import MatLayout
from vision.messages import CardGone, CardLaid, Report, TrickTaken
from vision.simulation import acts
from vision.simulation.art import load_art
from vision.simulation.artwork import Art
from vision.simulation.film import SimCamera
from vision.simulation.geometry import SIZE
from vision.simulation.wear import WEAR, worn
from vision.tracking.card_reader import Recogniser
from vision.tracking.change_detection import ChangeDetector
from vision.tracking.tracker import Tracker

#: Tricks as they were laid: each act with its label, and who takes the trick in.
Truth = list[tuple[list[tuple[acts.Lay, str]], int]]

#: ms of work for one card that are worth a note.
SLOW_MS = 100.0


@dataclass(slots=True, kw_only=True)
class TrackFigures:
    """Results of a film of tricks."""

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
    slow: list[tuple[float, str, float]] = field(default_factory=list)  # s of film, card, ms: above ``SLOW_MS``
    work: dict[float, float] = field(default_factory=dict)  # frame's time → its CPU in ms

    def lines(self) -> list[str]:
        """Format the figures as lines of text."""
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
    """Return the least value that ``share`` percent do not exceed; 0 of none."""
    ordered = sorted(values)
    return ordered[max(0, math.ceil(share / 100 * len(ordered)) - 1)] if ordered else 0.0


def deal(art: Art, rng: np.random.Generator) -> list[str]:
    """Shuffle a pack."""
    copies = 2 if len(art.doppelkopf) == 24 else 1
    labels = [label for label in art.doppelkopf for _ in range(copies)]
    return [labels[n] for n in rng.permutation(len(labels))]


def track_film(
    deck: Deck,
    art: Art,
    seed: int,
    tricks: int = 30,
    *,
    reader: Callable[[SimCamera], Recogniser] | None = None,
    light: str = "lamp",
    hands: float = 0.15,
    hurry: float = 0.3,
    won_on_mat: bool = True,
    things: Sequence[str] = (),
    size: tuple[int, int] = SIZE,
    lens: str | None = None,
    jpeg: int | None = None,
    observe: Callable[[Tracker, list[Report]], None] | None = None,
) -> TrackFigures:
    """Play ``tricks`` before the simulated camera and compare what is tracked with what was laid.

    ``hands``: how often a hand hovers between two cards. ``hurry``: how often a hand sets out before the one before it
    has left. ``things``: names of ``vision.simulation.things.OBJECTS``, one more of which is put or taken away after
    each trick. ``size``, ``lens``: of the camera. ``jpeg``: quality of the JPEG frames, 1 … 100.
    """
    rng = np.random.default_rng([seed, 77])
    camera = SimCamera(art, MatLayout(), seed, light=light, won_on_mat=won_on_mat, size=size, lens=lens)
    tracker = Tracker(deck, camera.layout, recogniser=reader(camera) if reader else None)
    figures = TrackFigures()
    pack: list[str] = []
    script: list[tuple[acts.Lay, str]] = []
    truth: Truth = []
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
    observe: Callable[[Tracker, list[Report]], None] | None,
    jpeg: int | None,
) -> None:
    frame = next(camera)
    data = encode_jpeg(frame.image, jpeg) if jpeg else b""
    start = time.process_time()
    if data:
        frame = JpegFrame(data, frame.at, camera.name)
    new = tracker.process(frame)
    figures.work[frame.at] = 1000 * (time.process_time() - start)
    reports += new
    if observe is not None:
        observe(tracker, new)


def _compare(truth: Truth, reports: list[Report], layout: MatLayout, figures: TrackFigures) -> None:
    first: dict[int, CardLaid] = {}
    last: dict[int, CardLaid] = {}
    for report in reports:
        if isinstance(report, CardLaid):
            first.setdefault(report.card, report)
            last[report.card] = report
    number_of: dict[int, int] = {}  # id of the act → card
    open_numbers = set(first)
    fourth = {id(laid[3][0]) for laid, _ in truth if len(laid) == 4}
    for act, label in [item for laid, _ in truth for item in laid]:
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
        _count_times(figures, act, label, first[number].at, id(act) in fourth)
        _count_label(figures, label, first[number].label, last[number].label)
    figures.phantom = [last[n].label for n in sorted(open_numbers)]
    figures.gone = sum(isinstance(r, CardGone) for r in reports)
    _compare_tricks(figures, truth, reports, layout, number_of)


def _count_times(figures: TrackFigures, act: acts.Lay, label: str, reported: float, with_trick: bool) -> None:
    """Note how long a card took from its act to its first report, at ``reported`` s of film."""
    figures.from_rest.append(reported - act.at_rest)
    figures.from_sight.append(reported - act.uncovered)
    begun = min(act.uncovered, reported)
    spent = sum(ms for at, ms in figures.work.items() if begun <= at <= reported)
    figures.label_ms.append(spent)
    if with_trick:
        figures.fourth_ms.append(spent)
    if spent > SLOW_MS:
        figures.slow.append((reported, label, spent))


def _count_label(figures: TrackFigures, label: str, at_first: str | None, in_the_end: str | None) -> None:
    figures.asked += at_first is None
    if in_the_end is None:
        figures.doubted += 1
    elif in_the_end == label:
        figures.right += 1
    else:
        figures.wrong.append((label, in_the_end))


def _compare_tricks(
    figures: TrackFigures, truth: Truth, reports: list[Report], layout: MatLayout, number_of: dict[int, int]
) -> None:
    """Count the tricks taken in with just their cards, and those that went to the right pile."""
    taken = [r for r in reports if isinstance(r, TrickTaken)]
    for laid, leader in truth:
        figures.tricks += 1
        numbers = {number_of.get(id(act)) for act, _ in laid}
        trick = next((t for t in taken if set(t.cards) == numbers), None)
        if trick is None:
            continue
        figures.tricks_right += 1
        if trick.x is not None and trick.y is not None:
            x, y = trick.x, trick.y
            nearest = min(
                layout.won_places, key=lambda s: np.hypot(layout.won_places[s][0] - x, layout.won_places[s][1] - y)
            )
            figures.takers_right += nearest == leader


def gate_ms(frames: int = 300, seed: int = 0) -> float:
    """Measure mean CPU milliseconds of the change gate for a frame of 1280 × 720 just decoded, on one thread.

    Decoded at a quarter of its size, as cameras' JPEG pictures are (``vision.camera.frame``).
    """
    cv2.setNumThreads(1)
    camera = SimCamera(load_art("stichwart"), MatLayout(), seed)
    camera.lay("HA", 1)
    camera.hover(2, 3.0)
    pictures = [next(camera).quarter for _ in range(60)]
    gate, decoded, spent = ChangeDetector(), np.empty_like(pictures[0]), 0.0
    for n in range(frames):
        np.copyto(decoded, pictures[n % len(pictures)])  # as a decoder leaves it, not cold in main memory
        start = time.process_time()
        gate.update(decoded, n / 15)
        spent += time.process_time() - start
    return 1000 * spent / frames


def measure_film(
    deck: str, seed: int, tricks: int, light: str, wear: str | None = None, jpeg: int | None = None
) -> dict[str, Any]:
    """Track a film of tricks with hands; plain numbers and lists."""
    from kiosk.demo.decks import simulated_deck_file

    art = load_art(deck)
    shown = art if wear is None else worn(art, WEAR[wear], seed)
    path = simulated_deck_file(deck)
    figures = asdict(track_film(Deck.load(deck, path.parent), shown, seed, tricks, light=light, jpeg=jpeg))
    figures["frames"], figures["frame_ms"] = len(figures["work"]), round(sum(figures.pop("work").values()), 1)
    figures["where"] = [f"{deck}, {light}, seed {seed}"] * (
        len(figures["wrong"]) + len(figures["missed"]) + len(figures["phantom"])
    )
    return {key: _rounded(value) for key, value in figures.items()}


def _rounded(value: object) -> object:
    return [round(one, 3) if isinstance(one, float) else one for one in value] if isinstance(value, list) else value


def measure_change_detection() -> dict[str, Any]:
    """Measure the processor time of the change detection, ms per frame, for three seeds."""
    return {"ms": [round(gate_ms(seed=seed), 3) for seed in range(3)]}
