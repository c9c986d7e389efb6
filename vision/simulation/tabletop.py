"""Keep what is on the simulated table as one lit picture that changes only when something is laid or taken."""

import math
from dataclasses import dataclass, replace

import cv2
import numpy as np

from vision.mat.layout import MatLayout
from vision.simulation import paint
from vision.simulation.artwork import Art
from vision.simulation.geometry import SIZE, CardPose, Homography, to_px
from vision.simulation.hand import Box
from vision.simulation.lights import Light, colours, reflexes, side_shadow
from vision.simulation.things import Thing


@dataclass(frozen=True, slots=True, eq=False)
class PlacedCard:
    """A card on the table. ``label`` is its face even if it lies face down, or a thing's name."""

    label: str
    pose: CardPose
    face_down: bool = False
    thing: Thing | None = None  # it is no card at all


class Tabletop:
    """The table as the camera sees it without hands, noise and flicker; cards are in mm on the mat."""

    def __init__(
        self,
        art: Art,
        layout: MatLayout | None,
        view: Homography,
        light: Light,
        rng: np.random.Generator,
        size: tuple[int, int] = SIZE,
    ) -> None:
        self.art, self.layout, self.size = art, layout, size
        self.view = view
        self.cards: list[PlacedCard] = []  # lowest first
        self._rng = rng
        self._faces: dict[str, np.ndarray] = {}
        self._first_ground = self._ground = paint.ground(rng, "wood" if layout is not None else "green", size)
        self._light_up(light)
        self.shadow = rng.uniform(-1, 1, 2)  # direction in which shadows fall
        self._empty = self._bare()
        self.picture = self._empty.copy()
        self.changes = 0  # how often the picture has changed

    def relight(self, light: Light) -> None:
        """Let another lamp shine from now on."""
        self._light_up(light)
        self._empty = self._bare()
        self._redraw()

    def _light_up(self, light: Light) -> None:
        self.light = light
        self.lamp = self._lamp()
        width, height = self.size
        #: Light on something small anywhere, (3,) BGR.
        self.tint = self.lamp[height // 4 : -height // 4, width // 4 : -width // 4].mean((0, 1))

    def _lamp(self) -> np.ndarray:
        """Compute the lamp's BGR factors, (H, W, 3) float32."""
        width, height = self.size
        yy, xx = paint.rows_and_columns(height, width)
        xx, yy = xx / width - 0.5, yy / height - 0.5
        turn = self._rng.uniform(0, 2 * np.pi)
        level = self.light.exposure * (1 + self.light.slope * (xx * np.cos(turn) + yy * np.sin(turn)))
        level = level * (1 - self.light.corners * (xx * xx + yy * yy) / 0.5)
        own = np.random.default_rng(int(1e6 * turn))  # what only some lights have leaves the others' chances alone
        if self.light.side:
            level = level * side_shadow(self.light, own, self.size)
        self._shine = self.light.gloss * reflexes(own, size=self.size) if self.light.gloss else None
        lit: np.ndarray = cv2.merge([(level * weight).astype(np.float32) for weight in colours(self.light)])
        return lit

    def _bare(self) -> np.ndarray:
        """Return the lit table without cards, (H, W, 3) uint8."""
        picture = self._ground.copy()
        if self.layout is not None:
            paint.lay_mat(picture, self.layout, self.view, np.random.default_rng(1))
        picture *= self.lamp
        if self.light.glare:
            yy, xx = paint.rows_and_columns(self.size[1], self.size[0])
            centre = np.array(self.size) * (0.5 + 0.6 * self.shadow / 2)
            far = ((xx - centre[0]) / 90) ** 2 + ((yy - centre[1]) / 60) ** 2
            picture += (self.light.glare * np.exp(-0.5 * far))[..., None]
        soft = cv2.GaussianBlur(picture, (0, 0), self.light.blur)
        rounded: np.ndarray = cv2.addWeighted(soft, 1, soft, 0, 0, dtype=cv2.CV_8U)
        return rounded

    def lay(self, card: PlacedCard) -> None:
        """Put a card on top of all others."""
        self.cards.append(card)
        self.draw(self.picture, card)
        self.changes += 1

    def take(self, cards: list[PlacedCard]) -> None:
        """Take cards away; what lay below them is seen again."""
        gone = {id(card) for card in cards}
        self.cards = [card for card in self.cards if id(card) not in gone]
        self._redraw()

    def turn(self, card: PlacedCard, **change: object) -> PlacedCard:
        """Replace a card in its place in the pile by a changed one (``pose``, ``face_down``); returns it."""
        changed = replace(card, **change)  # type: ignore[arg-type]
        self.cards = [changed if other is card else other for other in self.cards]
        self._redraw()
        return changed

    def move(self, view: Homography, camera: Homography | None = None) -> None:
        """Change the view of the mat and all that lies on it, as when it is pushed; the table stays.

        :param camera: where the camera was moved, px as it hung at first → px now: the table is seen elsewhere, too.
        """
        self.view = view
        if camera is not None:
            reflected = cv2.BORDER_REFLECT
            self._ground = cv2.warpPerspective(self._first_ground, camera, self.size, borderMode=reflected)
        self._empty = self._bare()
        self._redraw()

    def _redraw(self) -> None:
        self.picture = self._empty.copy()
        for card in self.cards:
            self.draw(self.picture, card)
        self.changes += 1

    def quad(self, pose: CardPose, lift: float = 0.0, size_mm: tuple[float, float] | None = None) -> np.ndarray:
        """Project the corners of a card that lies there or is held ``lift`` mm above, which makes it larger, to px.

        ``size_mm``: of something else.
        """
        quad = to_px(self.view, pose.quad(size_mm or self.art.size_mm))
        if lift:
            centre = quad.mean(0)
            quad = centre + (quad - centre) * (1 + lift / 550)
        return quad

    def _face(self, card: PlacedCard, quad: np.ndarray) -> np.ndarray:
        """Prepare the picture of its upper side; cards here are all of about one size, so each is prepared once."""
        if card.thing is not None:
            return paint.prepared(card.thing.picture, quad)
        name = "" if card.face_down else card.label
        if name not in self._faces:
            self._faces[name] = paint.prepared(self.art.faces[name] if name else self.art.back, quad)
        return self._faces[name]

    def draw(
        self, picture: np.ndarray, card: PlacedCard, lift: float = 0.0, smear: tuple[float, float] = (0.0, 0.0)
    ) -> Box | None:
        """Draw a card with its shadow into a (H, W, 3) uint8 picture; returns where it has changed, if anywhere.

        :param lift: height over the table in mm.
        :param smear: how far it moves while the shutter is open, px.
        """
        quad = self.quad(card.pose, lift, card.thing.size_mm if card.thing else self.art.picture_mm)
        face = self._face(card, quad)
        spread = 2.0 + 0.1 * lift
        away = np.round(self.shadow * (1.5 + 0.28 * lift)).astype(int)
        reach = max(map(abs, smear))
        margin = int(np.ceil(3 * spread + abs(away).max() + reach))
        x, y, width, height = paint.window(quad, margin, self.size)  # of card and shadow
        if min(width, height) < 2:  # beyond the border, or a last sliver of it
            return None
        near = min(margin, int(np.ceil(5 * self.light.blur + reach)) + 2)
        # In bytes throughout: a film draws thousands of cards, and half a grey level is nothing beside its noise.
        seen, (left, top) = paint.warp_bytes(face, quad, near, self.size)
        bx, by = (int(abs(v)) | 1 for v in smear)
        if not seen.size:
            pass
        elif bx > 1 or by > 1:
            seen = cv2.blur(seen, (bx, by))
        else:
            seen = cv2.GaussianBlur(seen, (0, 0), self.light.blur)
        inner = np.s_[top - y : top - y + seen.shape[0], left - x : left - x + seen.shape[1]]
        covered = np.zeros((height, width), np.uint8)
        if seen.size:
            cv2.extractChannel(seen, 3, covered[inner])
        small = cv2.resize(covered, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA)
        matrix = np.array([(1, 0, away[0] / 2), (0, 1, away[1] / 2)], np.float32)
        shade = cv2.warpAffine(small, matrix, (small.shape[1], small.shape[0]))
        shade = cv2.GaussianBlur(shade.astype(np.float32), (0, 0), spread / 2)
        dark = cv2.convertScaleAbs(shade, alpha=-0.34 if lift else -0.3, beta=255.0)
        dark = cv2.resize(dark, (width, height))
        keep = cv2.multiply(cv2.bitwise_not(covered), dark, scale=1 / 255)
        part = picture[y : y + height, x : x + width]
        cv2.multiply(part, cv2.merge([keep, keep, keep]), part, 1 / 255)
        if seen.size:
            lamp = self.lamp[top : top + seen.shape[0], left : left + seen.shape[1]]
            lit = cv2.multiply(cv2.cvtColor(seen, cv2.COLOR_BGRA2BGR), lamp, dtype=cv2.CV_8U)
            if self._shine is not None:  # cards are a little crooked, so each mirrors the lamp at another place
                dx, dy = (round(120 * math.sin(7.1 * card.pose.angle + k)) for k in (0.0, card.pose.x))
                there = np.array([(1, 0, dx - left), (0, 1, dy - top)], np.float32)
                shine = cv2.warpAffine(self._shine, there, (lamp.shape[1], lamp.shape[0]))
                shine = cv2.multiply(shine, covered[inner], scale=1 / 255, dtype=cv2.CV_8U)
                cv2.add(lit, cv2.merge([shine, shine, shine]), lit)
            cv2.add(part[inner], lit, part[inner])
        return np.s_[y : y + height, x : x + width]
