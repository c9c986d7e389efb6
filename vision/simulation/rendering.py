"""Render the simulated table as its camera sees it: the mat with its cards, hands, light, exposure, lens and noise."""

import math
from functools import cache

import cv2
import numpy as np

from vision.mat.layout import MatLayout
from vision.simulation import acts
from vision.simulation.artwork import Art
from vision.simulation.geometry import SIZE, CardPose, Homography, in_view, lens_of, look_down, through, to_mm, to_px
from vision.simulation.hand import Box, HandAppearance, Sprite, draw_hand
from vision.simulation.lightplay import LightPlay
from vision.simulation.lights import Light
from vision.simulation.persons import draw_head, dressed
from vision.simulation.tabletop import PlacedCard, Tabletop

#: Seconds that the shutter is open: a card in the air is smeared for as long.
SHUTTER_S = 1 / 60
#: Rows of a frame that noise is added to at a time, so that they stay in the processor's cache.
NOISE_ROWS = 90
#: Most pictures of hands that are kept, about 2 MB each.
MAX_HAND_SPRITES = 60
#: How much larger a head over the table is seen than if it lay there: it is that much nearer to the camera.
HEAD_NEARER = 1.35
#: Step in rad to which an arm's direction is rounded, so that pictures of hands can be used again.
ARM_STEP_RAD = 0.07


class TableRenderer:
    """The table's camera picture; acts (``vision.simulation.acts``) lay cards, draw hands and change the light on it.

    The order in which random numbers are drawn decides every picture: ``rng`` is shared with the people at the table.
    """

    def __init__(
        self,
        art: Art,
        layout: MatLayout,
        light: Light,
        rng: np.random.Generator,
        seed: int,
        *,
        size: tuple[int, int] = SIZE,
        lens: str | None = None,
    ) -> None:
        self.art, self.layout, self.size, self.lens = art, layout, size, lens_of(lens, size)
        self._grain = np.random.default_rng([seed, 1])
        self._scale = 0.93 * min(size[0] / layout.size_mm[0], size[1] / layout.size_mm[1])  # px a mm in the middle
        if self.lens is not None:
            self._scale /= max(1.0, 1 + self.lens.k1 + self.lens.k2)
        self._first_view = look_down(
            rng.uniform(1050, 1400) * size[0] / SIZE[0],
            self._scale,
            math.radians(rng.uniform(1, 9)),
            rng.uniform(0, 2 * math.pi),
            rng.normal(0, 0.02),
            (rng.normal(0, 4), rng.normal(0, 4)),
            size,
        )
        self.table = Tabletop(art, layout, self._first_view, light, rng, size)
        self.mat_at = (0.0, 0.0, 0.0)  # mm, mm, rad from its first position
        self._scratch = self.table.picture.copy()  # where hands are drawn into
        self._drawn: list[Box] = []  # where it is not the table's picture, but for
        self._copied = self.table.changes  # what has changed there since
        self._people = {seat: HandAppearance.drawn_by(rng) for seat in range(1, layout.seats + 1)}
        self._hands: dict[tuple[int, int, int], Sprite] = {}
        self._heads: dict[int, Sprite] = {}
        self._camera: Homography = np.eye(3)  # px as the camera hung at first → px now
        self._noise = _noise_bank(light.noise, size)
        self._play = LightPlay(light, np.random.default_rng([seed, 3]), size) if light.changes else None
        self._exposure, self._lamp = 1.0, 1.0

    def render(self, moving: list[acts.TimedAct], now: float) -> np.ndarray:
        """Render the frame at ``now`` with the acts under way, (H, W, 3) uint8 BGR."""
        picture = self.table.picture
        if any(type(act).draw is not acts.TimedAct.draw for act in moving):
            picture = self._clean_scratch()
            for act in moving:
                act.draw(self, picture, now)
        return self._seen(picture, now)

    def shows(self, pose: CardPose) -> bool:
        """Check whether a card is whole in the picture."""
        return in_view(self.table.view, pose.quad(self.art.size_mm), size=self.size)

    def _clean_scratch(self) -> np.ndarray:
        """Return a copy of the table's picture to draw into; only what was drawn into it is copied again."""
        table = self.table
        boxes = self._drawn if self._copied == table.changes else [np.s_[:, :]]
        for box in boxes:
            self._scratch[box] = table.picture[box]
        self._drawn, self._copied = [], table.changes
        return self._scratch

    def _seen(self, picture: np.ndarray, now: float) -> np.ndarray:
        """Apply light, exposure, lens and noise."""
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
        for top in range(0, height, NOISE_ROWS):
            rows = np.s_[top : top + NOISE_ROWS]
            cv2.add(picture[rows], more[rows], frame[rows])
            cv2.subtract(frame[rows], less[rows], frame[rows])
        return frame

    def lay_down(self, card: PlacedCard) -> None:
        """Put a card at rest on the table."""
        self.table.lay(card)

    def pick_up(self, cards: list[PlacedCard]) -> None:
        """Take cards off the table."""
        self.table.take(cards)

    def change_card(self, card: PlacedCard, pose: CardPose, face_down: bool) -> PlacedCard:
        """Change how a card lies, in its place in the heap; returns it as it lies now."""
        return self.table.turn(card, pose=pose, face_down=face_down)

    def draw_card(self, picture: np.ndarray, card: PlacedCard, lift: float, speed: tuple[float, float]) -> None:
        """Draw a card in the air."""
        smear = (speed[0] * self._scale * SHUTTER_S, speed[1] * self._scale * SHUTTER_S)
        self._note(self.table.draw(picture, card, lift, smear))

    def _note(self, box: Box | None) -> None:
        if box is not None:
            self._drawn.append(box)

    def _arm(self, seat: int, aim: tuple[float, float]) -> float:
        """Compute the direction, rad in the picture, from what a seat reaches for to its shoulder."""
        angle = self.layout.seat_angle(seat)
        far = 0.5 * self.layout.size_mm[0] + 260
        side = -140.0 if self._people[seat].left else 140.0
        shoulder = (
            far * math.cos(angle) + side * math.sin(angle),
            far * math.sin(angle) - side * math.cos(angle),
        )
        (x0, y0), (x1, y1) = to_px(self.table.view, np.array([aim, shoulder]))
        return math.atan2(y1 - y0, x1 - x0)

    def _exit(self, seat: int, aim: tuple[float, float]) -> tuple[np.ndarray, float, float]:
        """Compute the aim in px, the arm's direction in rad, and how far along it in px the picture ends."""
        start = to_px(self.table.view, np.array([aim]))[0]
        direction = round(self._arm(seat, aim) / ARM_STEP_RAD) * ARM_STEP_RAD
        step = np.array([math.cos(direction), math.sin(direction)])
        ways = [((self.size[k] if step[k] > 0 else 0) - start[k]) / step[k] for k in (0, 1) if abs(step[k]) > 1e-6]
        return start, direction, max(0.0, min(ways))

    def outside(self, seat: int, aim: tuple[float, float]) -> tuple[float, float]:
        """Compute where the finger tips are, in mm, when the hand is out of the picture."""
        start, direction, way = self._exit(seat, aim)
        way += 1.35 * max(self.art.size_mm) * self._scale
        px = start + way * np.array([math.cos(direction), math.sin(direction)])
        x, y = to_mm(self.table.view, px[None])[0]
        return float(x), float(y)

    def draw_hand(self, picture: np.ndarray, seat: int, tip: tuple[float, float], aim: tuple[float, float]) -> None:
        """Draw a seat's hand."""
        _, direction, way = self._exit(seat, aim)
        reach = math.ceil((way + 60) / 60) * 60
        key = (seat, round(direction / ARM_STEP_RAD), reach)
        sprite = self._hands.pop(key, None)
        if sprite is None:
            if len(self._hands) >= MAX_HAND_SPRITES:
                del self._hands[next(iter(self._hands))]  # the one that was not seen for the longest time
            falls = self.table.shadow * 9
            sprite = draw_hand(
                self._people[seat],
                self._scale * 1.06,
                direction,
                reach,
                self.table.tint,
                (float(falls[0]), float(falls[1])),
            )
        self._hands[key] = sprite
        x, y = to_px(self.table.view, np.array([tip]))[0]
        self._note(sprite.onto(picture, float(x), float(y)))

    def draw_head(self, picture: np.ndarray, seat: int, at: tuple[float, float]) -> None:
        """Draw a seat's head from above with its middle at ``at`` (mm)."""
        if seat not in self._heads:
            towards = self._arm(seat, at)
            self._heads[seat] = draw_head(self._people[seat], self._scale * HEAD_NEARER, towards, self.table.tint)
        x, y = to_px(self.table.view, np.array([at]))[0]
        self._note(self._heads[seat].onto(picture, float(x), float(y)))

    def dress(self, seat: int, as_: str) -> None:
        """Give a seat other hands, a name of ``hand.DRESSES``."""
        self._people[seat] = dressed(self._people[seat], as_)
        self._hands = {key: sprite for key, sprite in self._hands.items() if key[0] != seat}

    def relight(self, light: Light) -> None:
        """Change the lamp for another one, which stays."""
        self.table.relight(light)
        self._hands.clear()
        self._heads.clear()

    def change_view(self, shift: tuple[float, float], turn: float) -> None:
        """Move the camera: everything is seen by so many px and rad elsewhere than at first."""
        middle = (self.size[0] / 2, self.size[1] / 2)
        moved = np.vstack([cv2.getRotationMatrix2D(middle, -math.degrees(turn), 1.0), (0.0, 0.0, 1.0)])
        moved[:2, 2] += shift
        self._camera = moved
        self.table.move(self._camera @ self._mat_view(), moved)

    def exposed(self) -> float:
        """Return the exposure to which the camera has drifted."""
        return self._exposure

    def expose(self, level: float) -> None:
        """Set the exposure from now on."""
        self._exposure = level

    def shine(self, level: float) -> None:
        """Set the lamp from now on."""
        self._lamp = level

    def shift_mat(self, dx: float, dy: float, turn: float) -> None:
        """Move the mat with its cards there, measured from its first position."""
        if (dx, dy, turn) == self.mat_at:
            return
        self.mat_at = (dx, dy, turn)
        self.table.move(self._camera @ self._mat_view())

    def _mat_view(self) -> Homography:
        """Compute the view of the mat where it lies now by the camera as it hung at first."""
        dx, dy, turn = self.mat_at
        c, s = math.cos(turn), math.sin(turn)
        view: Homography = self._first_view @ np.array([(c, -s, dx), (s, c, dy), (0, 0, 1)])
        return view


@cache
def _noise_bank(sigma: float, size: tuple[int, int]) -> tuple[np.ndarray, np.ndarray]:
    """Make noise to add and to subtract, somewhat larger than a frame; random windows of both give new noise."""
    rng = np.random.default_rng(0)
    shape = (size[1] + 128, size[0] + 128, 3)
    wide = sigma / math.sqrt(1 - 1 / math.pi)  # the difference of two halves of a normal is narrower
    up, down = (np.maximum(rng.standard_normal(shape, np.float32), 0) * wide for _ in "+-")
    return up.round().astype(np.uint8), down.round().astype(np.uint8)
