"""Simulate a camera over a table where cards are laid and tricks are taken, on a clock of its own."""

from collections.abc import Sequence
from pathlib import Path

import cv2
import numpy as np

from vision.camera.frame import Frame, JpegFrame
from vision.camera.jpeg import encode_jpeg
from vision.camera.source import Source
from vision.geometry.projection import PlaneProjection
from vision.mat.layout import MatLayout
from vision.simulation import acts
from vision.simulation.artwork import Art
from vision.simulation.geometry import SIZE, CardPose, Homography
from vision.simulation.habits import edge_pose, free_pose, pile_pose, towards_player
from vision.simulation.lights import LIGHTS, Light
from vision.simulation.rendering import TableRenderer
from vision.simulation.scene import SceneCard
from vision.simulation.tabletop import PlacedCard
from vision.simulation.things import thing

#: Seconds between two acts that follow each other.
PAUSE_S = 0.25


class SimCamera(Source):
    """Frames of a table, (H, W, 3) uint8, one each 1 / ``fps`` seconds of simulated time.

    Nothing happens by itself: ``lay``, ``collect`` and the others are what people do, and the frames show it. The same
    seed and the same calls give the same frames. What is on the table is known: ``cards``, ``won``.

    :param light: a name of ``lights.LIGHTS`` or a ``Light``.
    :param size: width and height of the frames in pixels.
    :param lens: a name of ``geometry.LENSES``; the mat is in the picture whole all the same.
    :param jpeg: quality of the JPEG pictures as which the frames come, 1 … 100; None as they are drawn.
    :param won_on_mat: tricks won lie on their places; otherwise they are carried out of the picture.
    """

    def __init__(
        self,
        art: Art,
        layout: MatLayout | None = None,
        seed: int = 0,
        *,
        light: str | Light = "lamp",
        fps: float = 15.0,
        won_on_mat: bool = True,
        size: tuple[int, int] = SIZE,
        lens: str | None = None,
        jpeg: int | None = None,
        name: str = "sim:",
    ) -> None:
        self.name, self.art, self.fps, self.jpeg, self.size = name, art, fps, jpeg, size
        self.layout = layout if layout is not None else MatLayout()
        self.seats = self.layout.seats
        self._rng = np.random.default_rng(seed)
        lit = LIGHTS[light] if isinstance(light, str) else light
        self.renderer = TableRenderer(art, self.layout, lit, self._rng, seed, size=size, lens=lens)
        self._won_on_mat = won_on_mat
        self._acts: list[acts.TimedAct] = []
        self._count = 0
        self._trick: list[PlacedCard] = []  # laid or about to be
        self._things: list[PlacedCard] = []
        self._piles = {seat: list[PlacedCard]() for seat in self.layout.seat_places}

    # --- what is on the table -----------------------------------------------------------------------------------------

    @property
    def now(self) -> float:
        """Seconds since the start; the time of the next frame."""
        return self._count / self.fps

    @property
    def busy(self) -> bool:
        """Whether acts are outstanding."""
        return any(act.end >= self.now for act in self._acts)

    @property
    def free_at(self) -> float:
        """When all acts asked for so far will be over."""
        return max([self.now, *(act.end for act in self._acts)])

    @property
    def homography(self) -> Homography:
        """mm on the mat → px, true, before the lens bends it."""
        return self.renderer.table.view

    @property
    def view(self) -> PlaneProjection:
        """The same with the lens."""
        return PlaneProjection(self.renderer.table.view, self.size, self.renderer.lens)

    @property
    def cards(self) -> tuple[SceneCard, ...]:
        """Cards face up, lowest first."""
        up = (card for card in self.renderer.table.cards if not card.face_down and card.thing is None)
        size = self.art.size_mm
        return tuple(SceneCard(card.label, card.pose, self.view.project(card.pose.quad(size))) for card in up)

    @property
    def won(self) -> dict[int, int]:
        """Seat → tricks on its pile on the mat."""
        there = {id(card) for card in self.renderer.table.cards}
        return {seat: sum(id(card) in there for card in pile) for seat, pile in self._piles.items()}

    # --- what people do --------------------------------------------------------------------------------------------

    def lay(
        self,
        label: str,
        seat: int,
        at: float | None = None,
        pose: CardPose | None = None,
        *,
        face_down: bool = False,
        tempo: float = 1.0,
    ) -> acts.Lay:
        """Let a seat's hand lay a card before it, somewhat towards the middle.

        :param at: when the hand sets out; by default when all that was asked for before is over.
        :param pose: where it comes to lie; by default the seat's place with people's scatter, over other cards too,
            but so that of each card at least 40 % and one index stay visible.
        :param face_down: its back is seen.
        :param tempo: it takes so many times as long as usual.
        :returns: the act; ``at_rest`` and ``uncovered``: when the card lies still and when it is seen.
        :raises KeyError: for a label that the deck does not have.
        """
        if label not in self.art.faces:
            raise KeyError(f"the deck {self.art.name!r} has no card {label!r}")
        if pose is None:
            taken = [card.pose for card in self._trick]
            pose = free_pose(self.layout, seat, taken, self.art.size_mm, self._rng, self.renderer.shows)
        card = PlacedCard(label, pose, face_down)
        start = self._start(at)
        aim = towards_player(self.layout, seat)
        grip = (pose.x + 0.2 * aim[0] + self._rng.normal(0, 4), pose.y + 0.2 * aim[1] + self._rng.normal(0, 4))
        end = acts.end_of_laying(start, tempo)
        act = acts.Lay(start=start, end=end, seat=seat, card=card, grip=grip, tempo=tempo)
        self._trick.append(card)
        self._acts.append(act)
        return act

    def lay_upon(self, label: str, seat: int, at: float | None = None) -> acts.Lay:
        """Let a seat lay a card right upon the last one of the trick, of which next to nothing is seen then."""
        if not self._trick:
            return self.lay(label, seat, at)
        below = self._trick[-1].pose
        dx, dy, turn = self._rng.normal(0, 1, 3) * (1.5, 1.5, 0.02)
        return self.lay(label, seat, at, CardPose(below.x + dx, below.y + dy, below.angle + turn))

    def put(self, name: str, seat: int, at: float | None = None, pose: CardPose | None = None) -> acts.Lay:
        """Let a seat's hand put something that is no card on the table, by default at the sheet's edge before it.

        :raises KeyError: for a name that is not in ``things.OBJECTS``.
        """
        what = thing(name, int(self._rng.integers(1000)))
        aim = towards_player(self.layout, seat)
        near = edge_pose(self.layout, seat, self._rng)  # drawn in any case: what follows stays the same
        lying = PlacedCard(name, pose if pose is not None else near, thing=what)
        start = self._start(at)
        grip = (lying.pose.x + 0.2 * aim[0], lying.pose.y + 0.2 * aim[1])
        self._things.append(lying)
        act = acts.Lay(start=start, end=acts.end_of_laying(start), seat=seat, card=lying, grip=grip)
        self._acts.append(act)
        return act

    def remove(self, name: str, seat: int, at: float | None = None) -> acts.Take:
        """Let a seat take a thing away, the last one put of that name.

        :raises ValueError: if no such thing lies there.
        """
        what = next((lying for lying in reversed(self._things) if lying.label == name), None)
        if what is None:
            raise ValueError(f"no {name!r} lies there; there are: {', '.join(t.label for t in self._things) or 'none'}")
        self._things.remove(what)
        return self._take(seat, [what], None, None, at)

    def collect(self, seat: int, at: float | None = None) -> acts.Take:
        """Let a seat's hand take the cards in the middle together and put them on its pile, face down.

        :raises ValueError: if no card lies there or is on its way.
        """
        if not self._trick:
            raise ValueError("there is no trick to collect")
        cards, self._trick = self._trick, []
        target, lays = None, None
        if self._won_on_mat:
            target = pile_pose(self.layout, seat, len(self._piles[seat]), self._rng)
            lays = PlacedCard(cards[-1].label, target, face_down=True)
            self._piles[seat].append(lays)
        return self._take(seat, cards, target, lays, at)

    def take_back(self, label: str, seat: int, at: float | None = None) -> acts.Take:
        """Let a seat take one card of the trick back into the hand; the last laid of two equal ones.

        :raises ValueError: if no such card lies in the middle.
        """
        card = next((card for card in reversed(self._trick) if card.label == label), None)
        if card is None:
            there = " ".join(card.label for card in self._trick) or "nothing"
            raise ValueError(f"no {label!r} to take back; in the middle: {there}")
        self._trick.remove(card)
        return self._take(seat, [card], None, None, at)

    def clear(self, at: float | None = None) -> None:
        """Take all piles off the mat, each by its own seat and all at once, for the next deal."""
        start = self._start(at)
        for seat, pile in self._piles.items():
            if pile:
                self._take(seat, list(pile), None, None, start)
                pile.clear()

    def _take(
        self, seat: int, cards: list[PlacedCard], target: CardPose | None, lays: PlacedCard | None, at: float | None
    ) -> acts.Take:
        start = self._start(at)
        act = acts.Take(start=start, end=0.0, seat=seat, cards=cards, target=target, lays=lays)
        act.end = act.gone + (acts.LEAVE_S if target is not None else 0.0)
        self._acts.append(act)
        return act

    def hover(self, seat: int, seconds: float = 1.5, at: float | None = None) -> None:
        """Let a hand stay over the middle and do nothing."""
        start = self._start(at)
        x, y = self.layout.seat_places[seat]
        aim = (0.3 * x + float(self._rng.normal(0, 12)), 0.3 * y + float(self._rng.normal(0, 12)))
        self._acts.append(acts.Hover(start=start, end=start + seconds, seat=seat, aim=aim))

    def flicker(self, seconds: float = 2.0, depth: float = 0.12, hertz: float = 3.0, at: float | None = None) -> None:
        """Make the lamp flicker, up to ``depth`` darker."""
        start = self.now if at is None else at
        self._acts.append(acts.LampChange(start=start, end=start + seconds, depth=depth, hertz=hertz))

    def drift(self, depth: float, seconds: float = 3.0, at: float | None = None) -> None:
        """Let the exposure drift and stay there: ``depth`` 0.1 is 10 % darker than at first, -0.1 brighter."""
        start = self.now if at is None else at
        self._acts.append(acts.Drift(start=start, end=start + seconds, level=1 - depth))

    def darken(self, seconds: float = 2.0, depth: float = 0.97, at: float | None = None) -> None:
        """Put the light out for a while."""
        start = self.now if at is None else at
        self._acts.append(acts.LampChange(start=start, end=start + seconds, depth=depth, hertz=0))

    def push_mat(self, dx: float, dy: float, turn: float = 0.0, seconds: float = 0.4, at: float | None = None) -> None:
        """Push the mat with the cards on it, mm and radians."""
        start = self._start(at)
        pushes = [act for act in self._acts if isinstance(act, acts.Push)]
        before = pushes[-1].after if pushes else self.renderer.mat_at
        after = (before[0] + dx, before[1] + dy, before[2] + turn)
        self._acts.append(acts.Push(start=start, end=start + seconds, before=before, after=after))

    def wait(self, seconds: float) -> None:
        """Delay the next act that names no time by so much."""
        start = self.free_at
        self._acts.append(acts.TimedAct(start=start, end=start + seconds))

    def _start(self, at: float | None) -> float:
        if at is not None:
            return max(at, self.now)
        return self.free_at + (PAUSE_S if self.busy else 0.0)

    # --- frames ----------------------------------------------------------------------------------------------------

    def __next__(self) -> Frame:
        now = self.now
        for act in self._acts:
            if act.start <= now:
                act.change(self.renderer, now)
        self._acts = [act for act in self._acts if act.end > now]
        seen = self.renderer.render([act for act in self._acts if act.start <= now], now)
        self._count += 1
        return Frame(seen, now) if self.jpeg is None else JpegFrame(encode_jpeg(seen, self.jpeg), now, self.name)


def write_pictures(camera: SimCamera, folder: Path, count: int, every: int = 1) -> list[Path]:
    """Write every ``every``-th of the next ``count`` frames of a camera as PNG files, for a ``folder:`` source."""
    folder.mkdir(parents=True, exist_ok=True)
    paths = []
    for n in range(count):
        frame = next(camera)
        if n % every == 0:
            paths.append(folder / f"{n:06d}.png")
            cv2.imwrite(str(paths[-1]), frame.image)
    return paths


def write_video(camera: SimCamera, path: Path, count: int) -> Path:
    """Write the next ``count`` frames of a camera as a video (MJPEG in AVI), for a ``file:`` source."""
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), camera.fps, camera.size)
    if not writer.isOpened():
        raise OSError(f"cannot write a video to {path}")
    try:
        for _ in range(count):
            writer.write(next(camera).image)
    finally:
        writer.release()
    return path


def play_tricks(
    camera: SimCamera, labels: Sequence[str], tricks: int, rng: np.random.Generator
) -> list[tuple[int, str]]:
    """Ask for whole tricks of the first cards of ``labels``; returns (seat, label) in the order they are laid."""
    laid: list[tuple[int, str]] = []
    leader = 1
    stack = iter(labels)
    for _ in range(tricks):
        for n in range(4):
            seat = (leader - 1 + n) % camera.seats + 1
            label = next(stack)
            camera.lay(label, seat)
            laid.append((seat, label))
        leader = int(rng.integers(1, camera.seats + 1))
        camera.wait(0.6)
        camera.collect(leader)
    return laid
