"""Where a card may lie by its print: for cards whose outline is lost, paper on paper or in glare.

SIFT keypoints (Lowe 2004) of what no card explains yet are matched with the faces'. The scale is known, so one match
gives a pose; poses on which at least two agree are tried.
"""

from dataclasses import dataclass

import cv2
import numpy as np

from vision.deck import BACK, Deck
from vision.features import Keypoints
from vision.plane import SCALE, Plane
from vision.view import Array

#: Pixels a millimetre at which keypoints are looked for. 1 … 2; time grows with its square.
PRINT_SCALE = 1.5
#: Keypoints of a face, and of what is looked at. 60 … 300; 150 … 600.
OF_FACE, OF_TABLE = 150, 400
#: Least similarity of descriptors (cosine). 0.7 … 0.9.
SIMILAR = 0.75
#: How much less similar than a keypoint's best match another may be. 0.03 … 0.2; pips have many.
NEAR_BEST = 0.08
#: Keypoints may differ in size by this factor (natural log).
SIZE = 0.3
#: Places (mm) and angles (rad) of two matches of a card differ by less. 1.5 … 4; 0.2 … 0.5.
PLACE, ANGLE = 2.5, 0.35
#: Matches tried of a face, the most similar. 30 … 100; time grows with its square.
TRIED = 60
#: Poses handed on. 10 … 40.
MOST = 24


@dataclass(frozen=True, eq=False)
class PrintPoses:
    """Keypoints of a deck's faces as seen on the table; places in mm from the card's middle."""

    keypoints: Keypoints
    faces: Array  # (n,) number of the face

    @classmethod
    def of(cls, deck: Deck) -> "PrintPoses":
        """Of all faces, and the back if it is known."""
        parts, faces = [], []
        pictures = dict(deck.faces) if deck.back is None else {**deck.faces, BACK: deck.back}
        shape = tuple(round(side * PRINT_SCALE) for side in deck.size_mm)
        for number, face in enumerate(pictures.values()):
            small = cv2.resize(face, shape, interpolation=cv2.INTER_AREA)
            parts.append(Keypoints.of(small, OF_FACE))
            faces.append(np.full(len(parts[-1].angles), number))
        places = np.vstack([(p.places + 0.5) / PRINT_SCALE for p in parts]) - np.array(deck.size_mm) / 2
        angles, sizes = (np.concatenate([getattr(p, name) for p in parts]) for name in ("angles", "sizes"))
        return cls(Keypoints(places, angles, sizes, np.vstack([p.descriptors for p in parts])), np.concatenate(faces))

    def poses(self, plane: Plane, open_: Array, corner: Array) -> Array:
        """(n, 3: mm, mm, rad) poses that print speaks for, the best first.

        ``open_``: (h, w) uint8, a pixel a millimetre from ``corner`` (mm) on, not 0 where no card is known yet.
        """
        x, y, width, height = cv2.boundingRect(open_)
        nothing = np.zeros((0, 3))
        low = np.round((np.array([x, y]) + corner - plane.origin) * SCALE).astype(int)
        high = np.minimum(low + np.round(np.array([width, height]) * SCALE).astype(int), plane.fine.shape[1::-1])
        low = np.maximum(low, 0)
        if (high - low < 20).any():
            return nothing
        part = plane.fine[low[1] : high[1], low[0] : high[0]]
        ratio = PRINT_SCALE / SCALE
        small = cv2.resize(part, None, fx=ratio, fy=ratio, interpolation=cv2.INTER_AREA)
        seen = Keypoints.of(small, OF_TABLE)
        if not len(seen.angles):
            return nothing
        places = (seen.places + 0.5) / PRINT_SCALE + low / SCALE + plane.origin
        at = np.clip((places - corner).astype(int), 0, np.array(open_.shape[::-1]) - 1)
        free = np.flatnonzero(open_[at[:, 1], at[:, 0]])
        similar = seen.descriptors[free] @ self.keypoints.descriptors.T
        similar[np.abs(np.log(seen.sizes[free][:, None] / self.keypoints.sizes[None])) > SIZE] = 0
        least = np.maximum(similar.max(1, keepdims=True, initial=0) - NEAR_BEST, SIMILAR)
        query, ref = np.nonzero(similar > least)
        found = []
        for face in np.unique(self.faces[ref]):
            mine = np.flatnonzero(self.faces[ref] == face)
            mine = mine[np.argsort(-similar[query[mine], ref[mine]])[:TRIED]]
            angles = seen.angles[free[query[mine]]] - self.keypoints.angles[ref[mine]]
            found += _agreed(places[free[query[mine]]], self.keypoints.places[ref[mine]], angles, query[mine])
        found.sort(key=lambda item: -item[0])
        return np.array([pose for _, pose in found[:MOST]]) if found else nothing


def _agreed(seen: Array, mm: Array, angles: Array, query: Array) -> list[tuple[int, Array]]:
    """Poses (x, y, angle) on which matches of one face agree, with how many do; each match in one pose."""
    cos, sin = np.cos(angles)[:, None], np.sin(angles)[:, None]
    x = seen[:, :1] + cos * (mm[:, 0] - mm[:, :1]) - sin * (mm[:, 1] - mm[:, 1:])
    y = seen[:, 1:] + sin * (mm[:, 0] - mm[:, :1]) + cos * (mm[:, 1] - mm[:, 1:])
    turn = np.abs(np.angle(np.exp(1j * (angles[:, None] - angles[None]))))
    near = np.hypot(x - seen[:, 0], y - seen[:, 1]) < PLACE + 0.08 * np.hypot(
        mm[:, 0] - mm[:, :1], mm[:, 1] - mm[:, 1:]
    )
    near &= turn < ANGLE
    left = np.ones(len(seen), bool)
    found: list[tuple[int, Array]] = []
    for _ in range(4):
        seed = int((near & left).sum(1).argmax())
        group = np.flatnonzero(near[seed] & left)
        count = len(np.unique(query[group]))
        if count < 2:
            break
        left[group] = False
        here, there = mm[group] - mm[group].mean(0), seen[group] - seen[group].mean(0)
        across = (here[:, 0] * there[:, 1] - here[:, 1] * there[:, 0]).sum()
        along = (here * there).sum()
        angle = np.arctan2(across, along) if np.hypot(across, along) > 9 else angles[seed]
        c, s = np.cos(angle), np.sin(angle)
        middle = seen[group].mean(0) - mm[group].mean(0) @ np.array([[c, s], [-s, c]])
        found.append((count, np.array([*middle, angle])))
    return found
