"""A camera over a table where cards are laid and tricks are taken, on a clock of its own."""

import math
from collections.abc import Sequence
from functools import cache
from pathlib import Path

import cv2
import numpy as np

from vision.frames import Frame, JpegFrame
from vision.jpegs import encoded
from vision.mat import MatLayout
from vision.sim import acts
from vision.sim.artwork import Art
from vision.sim.geometry import SIZE, Homography, Pose, in_view, lens_of, look_down, through, to_mm, to_px
from vision.sim.hand import Box, Person, Sprite, draw_hand
from vision.sim.lightplay import LightPlay
from vision.sim.lights import LIGHTS, Light
from vision.sim.scene import SceneCard, readable
from vision.sim.tabletop import Lying, Tabletop
from vision.sim.things import thing
from vision.sources import Source
from vision.view import View

#: Between two acts that follow each other, seconds.
PAUSE = 0.25
#: Seconds that the shutter is open.
SHUTTER = 1 / 60
#: Rows of a frame that noise is put over at a time, so that they stay in the processor's cache.
STRIP = 90
#: Pictures of hands that are kept, about 2 MB each.
HANDS = 60


class SimCamera(Source):
    """Frames of a table, (H, W, 3) uint8, one each 1 / ``fps`` seconds of simulated time.

    Nothing happens by itself: ``lay``, ``collect`` and the others say what people do, and the frames show it. The same
    seed and the same calls give the same frames. What lies there is known: ``cards``, ``won``, ``truth``.

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
        self.name, self.art, self.fps, self.jpeg = name, art, fps, jpeg
        self.layout = layout if layout is not None else MatLayout()
        self.seats = self.layout.seats
        self._rng = np.random.default_rng(seed)
        self._grain = np.random.default_rng([seed, 1])
        self._light = LIGHTS[light] if isinstance(light, str) else light
        self.size, self.lens = size, lens_of(lens, size)
        fits = 0.93 * min(size[0] / self.layout.size_mm[0], size[1] / self.layout.size_mm[1])
        if self.lens is not None:
            fits /= max(1.0, 1 + self.lens.k1 + self.lens.k2)
        self._first_view = look_down(
            self._rng.uniform(1050, 1400) * size[0] / SIZE[0],
            fits,
            math.radians(self._rng.uniform(1, 9)),
            self._rng.uniform(0, 2 * math.pi),
            self._rng.normal(0, 0.02),
            (self._rng.normal(0, 4), self._rng.normal(0, 4)),
            size,
        )
        self._table = Tabletop(art, self.layout, self._first_view, self._light, self._rng, size)
        self._scratch = self._table.picture.copy()  # where hands are drawn into
        self._drawn: list[Box] = []  # where it is not the table's picture, but for
        self._copied = self._table.changes  # what has changed there since
        self._scale = fits
        self._people = {seat: Person.drawn_by(self._rng) for seat in range(1, self.seats + 1)}
        self._hands: dict[tuple[int, int, int], Sprite] = {}
        self._noise = _noise_bank(self._light.noise, size)
        self._play = LightPlay(self._light, np.random.default_rng([seed, 3]), size) if self._light.changes else None
        self._won_on_mat = won_on_mat
        self._acts: list[acts.Act] = []
        self._exposure, self._lamp = 1.0, 1.0
        self._mat_at = (0.0, 0.0, 0.0)
        self._count = 0
        self._trick: list[Lying] = []  # laid or about to be
        self._things: list[Lying] = []
        self._piles: dict[int, list[Lying]] = {seat: [] for seat in range(1, self.seats + 1)}

    # --- what lies there -------------------------------------------------------------------------------------------

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
        return self._table.view

    @property
    def view(self) -> View:
        """The same with the lens."""
        return View(self._table.view, self.size, self.lens)

    @property
    def cards(self) -> tuple[SceneCard, ...]:
        """Cards that lie face up, lowest first."""
        up = (card for card in self._table.cards if not card.face_down and card.thing is None)
        size = self.art.size_mm
        return tuple(SceneCard(card.label, card.pose, self.view.project(card.pose.quad(size))) for card in up)

    @property
    def won(self) -> dict[int, int]:
        """Seat → tricks on its pile on the mat."""
        lying = {id(card) for card in self._table.cards}
        return {seat: sum(id(card) in lying for card in pile) for seat, pile in self._piles.items()}

    # --- what people do --------------------------------------------------------------------------------------------

    def lay(
        self, label: str, seat: int, at: float | None = None, pose: Pose | None = None, *, face_down: bool = False
    ) -> acts.Lay:
        """A seat's hand lays a card before it, somewhat towards the middle.

        :param at: when the hand sets out; by default when all that was asked for before is over.
        :param pose: where it comes to lie; by default the seat's place with people's scatter, over other cards too,
            but so that of each card at least 40 % and one index stay visible.
        :param face_down: its back is seen.
        :returns: the act; ``at_rest`` and ``uncovered`` tell when the card lies still and when it is seen.
        :raises KeyError: for a label that the deck does not have.
        """
        if label not in self.art.faces:
            raise KeyError(f"the deck {self.art.name!r} has no card {label!r}")
        pose = pose if pose is not None else self._lie(seat)
        card = Lying(label, pose, face_down)
        start = self._start(at)
        aim = self._towards(seat)
        grip = (pose.x + 0.2 * aim[0] + self._rng.normal(0, 4), pose.y + 0.2 * aim[1] + self._rng.normal(0, 4))
        act = acts.Lay(start=start, end=start + acts.COME + acts.SET_DOWN + acts.LEAVE, seat=seat, card=card, grip=grip)
        self._trick.append(card)
        self._acts.append(act)
        return act

    def put(self, name: str, seat: int, at: float | None = None, pose: Pose | None = None) -> acts.Lay:
        """A seat's hand puts something that is no card on the table, by default at the sheet's edge before it.

        :raises KeyError: for a name that is not in ``things.OBJECTS``.
        """
        what = thing(name, int(self._rng.integers(1000)))
        x, y = self.layout.seat_places[seat]
        aim = self._towards(seat)
        near = Pose(
            x + 0.9 * aim[0] + self._rng.normal(0, 12),
            y + 0.9 * aim[1] + self._rng.normal(0, 12),
            self._rng.uniform(0, 2 * math.pi),
        )
        lying = Lying(name, pose if pose is not None else near, thing=what)
        start = self._start(at)
        grip = (lying.pose.x + 0.2 * aim[0], lying.pose.y + 0.2 * aim[1])
        act = acts.Lay(
            start=start, end=start + acts.COME + acts.SET_DOWN + acts.LEAVE, seat=seat, card=lying, grip=grip
        )
        self._things.append(lying)
        self._acts.append(act)
        return act

    def remove(self, name: str, seat: int, at: float | None = None) -> acts.Take:
        """A seat takes a thing away, the last one put of that name.

        :raises ValueError: if no such thing lies there.
        """
        what = next((lying for lying in reversed(self._things) if lying.label == name), None)
        if what is None:
            raise ValueError(f"no {name!r} lies there; there are: {', '.join(t.label for t in self._things) or 'none'}")
        self._things.remove(what)
        return self._take(seat, [what], None, None, at)

    def collect(self, seat: int, at: float | None = None) -> acts.Take:
        """A seat's hand takes the cards in the middle together and puts them on its pile, face down.

        :raises ValueError: if no card lies there or is on its way.
        """
        if not self._trick:
            raise ValueError("there is no trick to collect")
        cards, self._trick = self._trick, []
        target, lays = None, None
        if self._won_on_mat:
            x, y = self.layout.won_places[seat]
            _, _, width, height = self.layout.won_fields[seat]
            upright = 0.0 if height > width else math.pi / 2
            crossed = len(self._piles[seat]) % 2 * 0.12
            spread = self._rng.normal(0, 2.2, 2)
            target = Pose(x + spread[0], y + spread[1], upright + crossed + self._rng.normal(0, 0.05))
            lays = Lying(cards[-1].label, target, face_down=True)
            self._piles[seat].append(lays)
        return self._take(seat, cards, target, lays, at)

    def take_back(self, label: str, seat: int, at: float | None = None) -> acts.Take:
        """A seat takes one card of the trick back into the hand; the last laid of two equal ones.

        :raises ValueError: if no such card lies in the middle.
        """
        card = next((card for card in reversed(self._trick) if card.label == label), None)
        if card is None:
            lying = " ".join(card.label for card in self._trick) or "nothing"
            raise ValueError(f"no {label!r} to take back; in the middle: {lying}")
        self._trick.remove(card)
        return self._take(seat, [card], None, None, at)

    def clear(self, at: float | None = None) -> None:
        """All piles are taken off the mat, each by its own seat and all at once, for the next deal."""
        start = self._start(at)
        for seat, pile in self._piles.items():
            if pile:
                self._take(seat, list(pile), None, None, start)
                pile.clear()

    def _take(
        self, seat: int, cards: list[Lying], target: Pose | None, lays: Lying | None, at: float | None
    ) -> acts.Take:
        start = self._start(at)
        act = acts.Take(start=start, end=0.0, seat=seat, cards=cards, target=target, lays=lays)
        act.end = act.gone + (acts.LEAVE if target is not None else 0.0)
        self._acts.append(act)
        return act

    def hover(self, seat: int, seconds: float = 1.5, at: float | None = None) -> None:
        """A hand stays over the middle and does nothing."""
        start = self._start(at)
        x, y = self.layout.seat_places[seat]
        aim = (0.3 * x + float(self._rng.normal(0, 12)), 0.3 * y + float(self._rng.normal(0, 12)))
        self._acts.append(acts.Hover(start=start, end=start + seconds, seat=seat, aim=aim))

    def flicker(self, seconds: float = 2.0, depth: float = 0.12, hertz: float = 3.0, at: float | None = None) -> None:
        """The lamp flickers, up to ``depth`` darker."""
        start = self.now if at is None else at
        self._acts.append(acts.Lamp(start=start, end=start + seconds, depth=depth, hertz=hertz))

    def drift(self, depth: float, seconds: float = 3.0, at: float | None = None) -> None:
        """The exposure drifts and stays there: ``depth`` 0.1 is 10 % darker than at first, -0.1 brighter."""
        start = self.now if at is None else at
        self._acts.append(acts.Drift(start=start, end=start + seconds, level=1 - depth))

    def darken(self, seconds: float = 2.0, depth: float = 0.97, at: float | None = None) -> None:
        """The light goes out for a while."""
        start = self.now if at is None else at
        self._acts.append(acts.Lamp(start=start, end=start + seconds, depth=depth, hertz=0))

    def push_mat(self, dx: float, dy: float, turn: float = 0.0, seconds: float = 0.4, at: float | None = None) -> None:
        """The mat is pushed with the cards on it, mm and radians."""
        start = self._start(at)
        pushes = [act for act in self._acts if isinstance(act, acts.Push)]
        before = pushes[-1].after if pushes else self._mat_at
        after = (before[0] + dx, before[1] + dy, before[2] + turn)
        self._acts.append(acts.Push(start=start, end=start + seconds, before=before, after=after))

    def wait(self, seconds: float) -> None:
        """The next act that names no time comes this much later."""
        start = self.free_at
        self._acts.append(acts.Act(start=start, end=start + seconds))

    def _start(self, at: float | None) -> float:
        if at is not None:
            return max(at, self.now)
        return self.free_at + (PAUSE if self.busy else 0.0)

    def _towards(self, seat: int) -> tuple[float, float]:
        """From a seat's card to its player, about the length of a card in mm."""
        angle = self.layout.seat_angle(seat)
        return 90 * math.cos(angle), 90 * math.sin(angle)

    def _lie(self, seat: int) -> Pose:
        """Where a player lays a card: about his place, turned to him, now and then sloppily."""
        x, y = self.layout.seat_places[seat]
        facing = self.layout.seat_angle(seat) - math.pi / 2
        taken = [card.pose for card in self._trick]
        for attempt in range(60):
            sloppy = 2.2 if self._rng.random() < 0.15 else 1.0
            spread = self._rng.normal(0, 8 * sloppy, 2)
            pull = self._rng.uniform(0.72, 1.08) if attempt < 40 else 1.05  # cards drift towards the middle
            angle = facing + self._rng.normal(0, 0.16 * sloppy) + (math.pi if self._rng.random() < 0.5 else 0.0)
            pose = Pose(pull * x + spread[0], pull * y + spread[1], angle)
            if in_view(self._table.view, pose.quad(self.art.size_mm), size=self.size) and readable(
                [*taken, pose], self.art.size_mm
            ):
                return pose
        return Pose(1.1 * x, 1.1 * y, facing)

    # --- frames ----------------------------------------------------------------------------------------------------

    def __next__(self) -> Frame:
        now = self.now
        for act in self._acts:
            if act.start <= now:
                act.change(self, now)
        self._acts = [act for act in self._acts if act.end > now]
        moving = [act for act in self._acts if act.start <= now]
        picture = self._table.picture
        if any(isinstance(act, acts.Lay | acts.Take | acts.Hover) for act in moving):
            picture = self._clean_scratch()
            for act in moving:
                act.draw(self, picture, now)
        self._count += 1
        seen = self._seen(picture, now)
        return Frame(seen, now) if self.jpeg is None else JpegFrame(encoded(seen, self.jpeg), now, self.name)

    def _clean_scratch(self) -> np.ndarray:
        """The table's picture once more, to draw into: only what was drawn into it is copied anew."""
        table = self._table
        boxes = self._drawn if self._copied == table.changes else [np.s_[:, :]]
        for box in boxes:
            self._scratch[box] = table.picture[box]
        self._drawn, self._copied = [], table.changes
        return self._scratch

    def _seen(self, picture: np.ndarray, now: float) -> np.ndarray:
        gain = self._exposure * self._lamp
        if self._play is not None:
            picture = self._play.over(picture, now, gain)
        elif abs(gain - 1) > 1e-3:
            picture = cv2.convertScaleAbs(picture, alpha=gain)
        if self.lens is not None:
            picture = through(self.lens, picture)
        width, height = self.size
        (x0, y0), (x1, y1) = self._grain.integers(0, 128, (2, 2)).tolist()
        more, less = (
            noise[y : y + height, x : x + width] for noise, x, y in zip(self._noise, (x0, x1), (y0, y1), strict=True)
        )
        frame = np.empty_like(picture)
        for top in range(0, height, STRIP):
            rows = np.s_[top : top + STRIP]
            cv2.add(picture[rows], more[rows], frame[rows])
            cv2.subtract(frame[rows], less[rows], frame[rows])
        return frame

    # --- the stage on which acts are drawn ------------------------------------------------------------------------

    def lay_down(self, card: Lying) -> None:
        """A card lies at rest from now on."""
        self._table.lay(card)

    def pick_up(self, cards: list[Lying]) -> None:
        """Cards leave the table."""
        self._table.take(cards)

    def draw_card(self, picture: np.ndarray, card: Lying, lift: float, speed: tuple[float, float]) -> None:
        """Draw a card in the air."""
        smear = (speed[0] * self._scale * SHUTTER, speed[1] * self._scale * SHUTTER)
        self._note(self._table.draw(picture, card, lift, smear))

    def _note(self, box: Box | None) -> None:
        if box is not None:
            self._drawn.append(box)

    def _arm(self, seat: int, aim: tuple[float, float]) -> float:
        """Direction in px from what a seat reaches for to its shoulder."""
        angle = self.layout.seat_angle(seat)
        far = 0.5 * self.layout.size_mm[0] + 260
        side = -140.0 if self._people[seat].left else 140.0
        shoulder = (
            far * math.cos(angle) + side * math.sin(angle),
            far * math.sin(angle) - side * math.cos(angle),
        )
        (x0, y0), (x1, y1) = to_px(self._table.view, np.array([aim, shoulder]))
        return math.atan2(y1 - y0, x1 - x0)

    def _exit(self, seat: int, aim: tuple[float, float]) -> tuple[np.ndarray, float, float]:
        """The aim in px, the arm's direction, and how far along it the picture ends."""
        start = to_px(self._table.view, np.array([aim]))[0]
        direction = round(self._arm(seat, aim) / 0.07) * 0.07
        step = np.array([math.cos(direction), math.sin(direction)])
        ways = [((self.size[k] if step[k] > 0 else 0) - start[k]) / step[k] for k in (0, 1) if abs(step[k]) > 1e-6]
        return start, direction, max(0.0, min(ways))

    def outside(self, seat: int, aim: tuple[float, float]) -> tuple[float, float]:
        """Where the finger tips are when the hand is out of the picture."""
        start, direction, way = self._exit(seat, aim)
        way += 1.35 * max(self.art.size_mm) * self._scale
        px = start + way * np.array([math.cos(direction), math.sin(direction)])
        x, y = to_mm(self._table.view, px[None])[0]
        return float(x), float(y)

    def draw_hand(self, picture: np.ndarray, seat: int, tip: tuple[float, float], aim: tuple[float, float]) -> None:
        """Draw a seat's hand."""
        _, direction, way = self._exit(seat, aim)
        reach = math.ceil((way + 60) / 60) * 60
        key = (seat, round(direction / 0.07), reach)
        sprite = self._hands.pop(key, None)
        if sprite is None:
            if len(self._hands) >= HANDS:
                del self._hands[next(iter(self._hands))]  # the one that was not seen for the longest time
            falls = self._table.shadow * 9
            sprite = draw_hand(
                self._people[seat],
                self._scale * 1.06,
                direction,
                reach,
                self._table.tint,
                (float(falls[0]), float(falls[1])),
            )
        self._hands[key] = sprite
        x, y = to_px(self._table.view, np.array([tip]))[0]
        self._note(sprite.onto(picture, float(x), float(y)))

    def exposed(self) -> float:
        """The exposure to which the camera has drifted."""
        return self._exposure

    def expose(self, level: float) -> None:
        """The exposure from now on."""
        self._exposure = level

    def shine(self, level: float) -> None:
        """The lamp from now on."""
        self._lamp = level

    def shift_mat(self, dx: float, dy: float, turn: float) -> None:
        """The mat lies there, measured from its first place."""
        if (dx, dy, turn) == self._mat_at:
            return
        self._mat_at = (dx, dy, turn)
        c, s = math.cos(turn), math.sin(turn)
        self._table.move(self._first_view @ np.array([(c, -s, dx), (s, c, dy), (0, 0, 1)]))


@cache
def _noise_bank(sigma: float, size: tuple[int, int]) -> tuple[np.ndarray, np.ndarray]:
    """Noise to add and to subtract, somewhat larger than a frame; windows of both give ever new noise."""
    rng = np.random.default_rng(0)
    shape = (size[1] + 128, size[0] + 128, 3)
    wide = sigma / math.sqrt(1 - 1 / math.pi)  # the difference of two halves of a normal is narrower
    up, down = (np.maximum(rng.standard_normal(shape, np.float32), 0) * wide for _ in "+-")
    return up.round().astype(np.uint8), down.round().astype(np.uint8)


def write_pictures(camera: SimCamera, folder: Path, count: int, every: int = 1) -> list[Path]:
    """The next ``count`` frames of a camera as PNG files, each ``every``-th; for a ``folder:`` source."""
    folder.mkdir(parents=True, exist_ok=True)
    paths = []
    for n in range(count):
        frame = next(camera)
        if n % every == 0:
            paths.append(folder / f"{n:06d}.png")
            cv2.imwrite(str(paths[-1]), frame.image)
    return paths


def write_video(camera: SimCamera, path: Path, count: int) -> Path:
    """The next ``count`` frames of a camera as a video (MJPEG in AVI), for a ``file:`` source."""
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
