"""Change the light while a film runs: sun and clouds, lamps switched, exposure that follows or drifts."""

import math
from collections import deque

import cv2
import numpy as np

from vision.simulation.geometry import SIZE
from vision.simulation.lights import Light, sun_patch

#: How far in px the sun's patch moves to each side, and its speed in px a second: a window some metres away.
SUN_REACH_PX = 48
SUN_PX_PER_S = 0.8
#: Frames after which automatic exposure acts on what it measured; the delay makes it oscillate.
EXPOSURE_DELAY_FRAMES = 3
#: Seconds between two uses of the light switch, least and most.
SWITCH_INTERVAL_S = (8.0, 25.0)


class LightPlay:
    """The changes of one ``Light``; the same seed and the same pictures give the same changes."""

    def __init__(self, light: Light, rng: np.random.Generator, size: tuple[int, int] = SIZE) -> None:
        self._light, self._rng, self._size = light, rng, size
        self._phase = rng.uniform(0, 2 * math.pi, 3)
        self._patch: np.ndarray | None = None
        if light.sun:
            factors = 64 * (1 + light.sun * sun_patch(rng, SUN_REACH_PX, size))
            self._patch = cv2.merge([np.clip(factors, 0, 255).astype(np.uint8)] * 3)
        self._level = 1.0
        self._wanted: float | None = None
        self._measured: deque[float] = deque(maxlen=EXPOSURE_DELAY_FRAMES)
        self._lamp, self._is_on, self._next_switch = 1.0, True, rng.uniform(*SWITCH_INTERVAL_S)

    def over(self, picture: np.ndarray, now: float, gain: float) -> np.ndarray:
        """Return the table's picture, (H, W, 3) uint8, in the light of this moment; a new picture."""
        if self._patch is not None:
            x, y = self._wandered(now)
            lit = cv2.multiply(picture, self._patch[y : y + self._size[1], x : x + self._size[0]], scale=1 / 64)
            cloud = 0.5 + 0.5 * math.sin(0.21 * now + self._phase[0])  # 1: the sun is out
            clear = 1 / (1 + math.exp(-9 * (cloud - 0.35)))
            picture = cv2.addWeighted(lit, clear, picture, 1 - clear, 0) if clear < 0.99 else lit
        factors = np.full(3, gain * self._drifted(now))
        factors *= self._switched(now)
        if self._light.automatic:
            factors *= self._exposed(picture, float(factors.mean()))
        return _times(picture, factors)

    def _wandered(self, now: float) -> tuple[int, int]:
        way = SUN_PX_PER_S * now / SUN_REACH_PX + self._phase[1]
        return round(SUN_REACH_PX * (1 + math.sin(way))), round(
            SUN_REACH_PX * (1 + 0.6 * math.sin(0.7 * way + self._phase[2]))
        )

    def _drifted(self, now: float) -> float:
        return math.exp(self._light.drift * math.sin(2 * math.pi * now / 23 + self._phase[0]))

    def _switched(self, now: float) -> np.ndarray:
        """Compute the lamps' BGR factors: with one off the rest is darker and colder; the filament takes two frames."""
        if not self._light.switched:
            return np.ones(3)
        if now >= self._next_switch:
            self._is_on = not self._is_on
            self._next_switch = now + self._rng.uniform(*SWITCH_INTERVAL_S)
        self._lamp += 0.6 * ((1.0 if self._is_on else 0.0) - self._lamp)
        off = self._light.switched * (1 - self._lamp)
        return np.array([1 - 0.85 * off, 1 - off, 1 - 1.1 * off])

    def _exposed(self, picture: np.ndarray, gain: float) -> float:
        seen = float(np.minimum(picture[::16, ::16].astype(np.float32) * (gain * self._level), 255).mean())
        if self._wanted is None:
            self._wanted = max(seen, 1.0)
        self._measured.append(seen)
        if len(self._measured) == EXPOSURE_DELAY_FRAMES:
            error = math.log(self._wanted / max(self._measured[0], 1.0))
            if abs(error) > 0.02:
                self._level = min(3.0, max(0.3, self._level * math.exp(self._light.automatic * error)))
        return self._level


_LEVELS = np.repeat(np.arange(256, dtype=np.uint8)[None, :, None], 3, 2)


def _times(picture: np.ndarray, factors: np.ndarray) -> np.ndarray:
    """Multiply a (H, W, 3) uint8 picture by BGR factors (3,)."""
    exact, matrix = np.append(factors, 0.0), np.diag(factors)
    if np.array_equal(cv2.transform(_LEVELS, matrix), cv2.multiply(_LEVELS, exact)):  # all but always
        return cv2.transform(picture, matrix)  # at a quarter of the cost
    return cv2.multiply(picture, exact)
