"""Define the lights over the simulated table by name, for single pictures and films alike."""

from dataclasses import dataclass
from types import MappingProxyType

import cv2
import numpy as np

from vision.simulation.geometry import SIZE


@dataclass(frozen=True, slots=True, kw_only=True)
class Light:
    """The lamp over a table and the camera's answer to it. What moves by itself is ``lightplay``'s."""

    exposure: float = 1.0
    warm: float = 0.0  # red against blue, ±
    slope: float = 0.15  # brightness across the picture, ±
    corners: float = 0.12  # darker towards the picture's corners
    glare: float = 0.0  # brightness of reflexes on the mat, grey levels
    noise: float = 3.0  # sigma, grey levels
    blur: float = 0.6  # sigma, px
    colour: tuple[float, float, float] = (1.0, 1.0, 1.0)  # BGR factors of a coloured lamp
    side: float = 0.0  # share of the light that a deep shadow takes from a part of the table
    sun: float = 0.0  # how much brighter a patch of sun is; it wanders, and clouds pass
    gloss: float = 0.0  # reflexes on varnished cards, grey levels
    switched: float = 0.0  # share of the light that goes while one of the lamps is off; switched now and then
    automatic: float = 0.0  # how fast exposure follows the picture, share of the error a frame; above 0.3 it hunts
    drift: float = 0.0  # slow drift of the exposure, ±

    @property
    def changes(self) -> bool:
        """Whether it changes by itself while a film runs."""
        return bool(self.sun or self.switched or self.automatic or self.drift)


#: By name, as ``SimCamera`` and ``IMAGING`` take them.
LIGHTS = MappingProxyType(
    {
        "lamp": Light(warm=0.06, slope=0.2),
        "day": Light(exposure=1.06, warm=-0.05, slope=0.3, corners=0.06, noise=2.0),
        "dim": Light(exposure=0.62, warm=0.12, slope=0.3, corners=0.2, noise=6.0, blur=0.8),
        "hard": Light(exposure=1.1, slope=0.5, corners=0.2, glare=70.0, noise=4.0),
        "hall": Light(exposure=0.42, warm=0.1, slope=0.35, corners=0.25, noise=9.0, blur=0.9),
        "candle": Light(exposure=0.8, warm=0.32, slope=0.4, corners=0.25, noise=5.0),
        "cold": Light(exposure=0.95, warm=-0.28, slope=0.2),
        "blue": Light(exposure=0.85, colour=(1.3, 0.75, 0.5), slope=0.3, noise=5.0),
        "pink": Light(exposure=0.9, colour=(1.05, 0.55, 1.15), slope=0.3, noise=5.0),
        "side": Light(exposure=1.05, side=0.62, slope=0.5, corners=0.15, noise=4.0),
        "sun": Light(exposure=0.62, sun=1.0, slope=0.2, noise=3.0),
        "varnish": Light(gloss=110.0, slope=0.3, noise=3.0),
        "switched": Light(switched=0.45, warm=0.05, slope=0.25, noise=4.0),
        "automatic": Light(automatic=0.12, slope=0.25, noise=3.5),
        "hunting": Light(automatic=0.36, slope=0.25, noise=3.5),
        "drifting": Light(drift=0.22, slope=0.25),
    }
)


def colours(light: Light) -> np.ndarray:
    """Compute the BGR factors of the lamp's colour, (3,) float64."""
    return np.array([1 - light.warm, 1, 1 + light.warm]) * light.colour


def side_shadow(light: Light, rng: np.random.Generator, size: tuple[int, int] = SIZE) -> np.ndarray:
    """Draw the shadow of something high between a low lamp and a part of the table: (H, W) float32 factors."""
    width, height = (side // 4 for side in size)
    shade = np.zeros((height, width), np.float32)
    turn = rng.uniform(0, 2 * np.pi)
    along, across = np.array([np.cos(turn), np.sin(turn)]), np.array([-np.sin(turn), np.cos(turn)])
    edge = np.array([width, height]) / 2 + along * rng.uniform(-0.2, 0.2) * height
    far = 2.0 * width
    band = [
        edge + across * far,
        edge - across * far,
        edge - across * far + along * far,
        edge + across * far + along * far,
    ]
    cv2.fillConvexPoly(shade, np.round(band).astype(np.int32), 1.0)
    for _ in range(2):  # heads and shoulders before the lamp
        centre = edge + across * rng.uniform(-0.7, 0.7) * height
        axes = (int(rng.uniform(0.08, 0.2) * height), int(rng.uniform(0.15, 0.35) * height))
        cv2.ellipse(shade, tuple(np.round(centre).astype(int).tolist()), axes, float(np.degrees(turn)), 0, 360, 1.0, -1)
    soft = cv2.GaussianBlur(shade, (0, 0), rng.uniform(1.5, 8))
    return np.asarray(1 - light.side * cv2.resize(soft, size), np.float32)


def sun_patch(rng: np.random.Generator, spare: int = 0, size: tuple[int, int] = SIZE) -> np.ndarray:
    """Draw a window's patch with its bars, about a third of the table: (H + 2 spare, W + 2 spare) float32, 0 … 1."""
    width, height = ((side + 2 * spare) // 2 for side in size)
    patch = np.zeros((height, width), np.float32)
    centre = np.array([width, height]) * rng.uniform(0.38, 0.62, 2)
    turn, skew = rng.uniform(0, np.pi), rng.uniform(-0.5, 0.5)
    along = np.array([np.cos(turn), np.sin(turn)]) * rng.uniform(0.2, 0.3) * size[1] / 2
    across = np.array([-np.sin(turn), np.cos(turn)]) * rng.uniform(0.25, 0.4) * size[1] / 2 + skew * along
    for i in (-1, 1):
        for j in (-1, 1):  # four panes
            middle = centre + i * along / 1.9 + j * across / 1.9
            pane = [middle + a * along / 2.2 + b * across / 2.2 for a, b in ((-1, -1), (1, -1), (1, 1), (-1, 1))]
            cv2.fillConvexPoly(patch, np.round(pane).astype(np.int32), 1.0)
    soft = cv2.GaussianBlur(patch, (0, 0), rng.uniform(1.5, 5))
    return cv2.resize(soft, (size[0] + 2 * spare, size[1] + 2 * spare))


def reflexes(rng: np.random.Generator, count: int = 2, size: tuple[int, int] = SIZE) -> np.ndarray:
    """Draw lamps mirrored by something flat and shiny, soft tubes and bulbs: (H, W) float32, 0 … 1."""
    width, height = (side // 4 for side in size)
    yy, xx = np.mgrid[0:height, 0:width].astype(np.float32)
    shine = np.zeros((height, width), np.float32)
    for _ in range(count):
        centre = np.array([width, height]) * rng.uniform(0.25, 0.75, 2)
        spread, turn = (rng.uniform(18, 45), rng.uniform(5, 12)), rng.uniform(0, np.pi)
        dx, dy = xx - centre[0], yy - centre[1]
        u = (dx * np.cos(turn) + dy * np.sin(turn)) / spread[0]
        v = (dy * np.cos(turn) - dx * np.sin(turn)) / spread[1]
        shine = np.maximum(shine, np.exp(-0.5 * (u * u + v * v)).astype(np.float32))
    return cv2.resize(shine, size)
