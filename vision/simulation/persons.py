"""Draw what people at a table are like: hands that are not everybody's, and heads seen from above."""

import math
from dataclasses import replace
from types import MappingProxyType
from typing import Any

import cv2
import numpy as np

from vision.simulation.hand import HandAppearance, Sprite

#: Hands that are not everybody's, by name: what is other of them.
DRESSES: MappingProxyType[str, dict[str, Any]] = MappingProxyType(
    {
        "left": {"left": True},
        "child": {"size": 0.66, "glove": None},
        "gloves": {"glove": (58, 52, 50)},
        "rings": {"rings": 3},
        "nails": {"nails": (60, 30, 190)},
        "checks": {"checks": (220, 222, 226), "sleeve": (60, 40, 170), "cuff": 170.0},
    }
)
#: Half axes of a head in mm, and colours of hair, BGR.
HEAD_MM = (78.0, 98.0)
HAIRS = ((30, 34, 44), (48, 70, 104), (96, 146, 186), (150, 152, 154))


def dressed(person: HandAppearance, name: str) -> HandAppearance:
    """Change a person's hands to those of a name of ``DRESSES``.

    :raises KeyError: there is no such name.
    """
    return replace(person, **DRESSES[name])


def draw_head(person: HandAppearance, px_per_mm: float, direction: float, tint: np.ndarray) -> Sprite:
    """Draw a head from above with its neck towards ``direction`` (rad, 0 right, a quarter turn down).

    :param tint: (3,) BGR factors of the light.
    """
    across, along = (half * px_per_mm for half in HEAD_MM)
    side = math.ceil(2.6 * along)
    middle = (side // 2, side // 2)
    cover = np.zeros((side, side), np.uint8)
    turn = math.degrees(direction)
    back = (middle[0] + 0.75 * along * math.cos(direction), middle[1] + 0.75 * along * math.sin(direction))
    neck = (round(back[0]), round(back[1]))
    cv2.ellipse(cover, neck, (round(0.7 * along), round(1.15 * across)), turn, 0, 360, 255, -1, cv2.LINE_AA)
    hair = np.zeros_like(cover)
    cv2.ellipse(hair, middle, (round(along), round(across)), turn, 0, 360, 255, -1, cv2.LINE_AA)
    rng = np.random.default_rng([*person.sleeve, *person.skin])
    strands = cv2.GaussianBlur(rng.normal(0, 60, (side, side)).astype(np.float32), (0, 0), 1.6)
    tone = np.array(HAIRS[rng.integers(len(HAIRS))], np.float32)
    inside = cv2.distanceTransform((hair > 127).astype(np.uint8), cv2.DIST_L2, 3) / across
    shade = 0.55 + 0.55 * np.sqrt(np.clip(inside, 0, 1))
    colours = np.where(hair[..., None] > 0, (tone + strands[..., None]) * shade[..., None], person.sleeve)
    cover = np.maximum(cover, hair)
    share = cover[..., None].astype(np.float32) / 255
    weighed = np.clip(colours * tint * share, 0, 255).astype(np.uint8)
    keep = cv2.bitwise_not(cover)
    return Sprite(weighed, cv2.merge([keep, keep, keep]), middle)
