"""Propose poses by print: for cards whose outline is lost, paper on paper or in glare.

SIFT keypoints (Lowe 2004) of what no card explains yet are matched with the faces'. The scale is known, so one match
gives a pose; poses on which at least two agree are tried.
"""

from dataclasses import dataclass

import cv2
import numpy as np

from vision.deck.deck import BACK, Deck
from vision.geometry.projection import Array
from vision.geometry.rectification import SCALE, RectifiedPlane
from vision.recognition.keypoints import Keypoints


@dataclass(frozen=True, slots=True, kw_only=True)
class KeypointProposalParams:
    """Parameters of poses by print where the scale is known."""

    #: Pixels a millimetre at which keypoints are searched for. 1 … 2; time grows with its square.
    px_per_mm: float = 1.5
    #: Keypoints of a face, 60 … 300, and of what is compared with it, 150 … 600.
    of_face: int = 150
    of_table: int = 400
    #: Least similarity of descriptors (cosine). 0.7 … 0.9.
    min_similarity: float = 0.75
    #: How much less similar than a keypoint's best match another may be. 0.03 … 0.2; pips have many.
    below_best: float = 0.08
    #: Keypoints may differ in size by this much, natural log.
    log_size: float = 0.3
    #: Places of two matches of a card differ by less, mm, 1.5 … 4, and by this share of their distance.
    same_place_mm: float = 2.5
    same_place_share: float = 0.08
    #: Their angles differ by less, rad. 0.2 … 0.5.
    same_angle_rad: float = 0.35
    #: Matches tried of a face, the most similar. 30 … 100; time grows with its square.
    matches_per_face: int = 60
    #: Cards searched for of one face.
    cards_per_face: int = 4
    #: Distance of matches, mm, from which they show the angle better than one keypoint does.
    angle_from_mm: float = 9.0
    #: Poses proposed. 10 … 40.
    proposed: int = 24


PARAMS = KeypointProposalParams()


@dataclass(frozen=True, eq=False)
class KeypointProposals:
    """Keypoints of a deck's faces as seen on the table; places in mm from the card's middle."""

    keypoints: Keypoints
    faces: Array  # (n,) number of the face

    @classmethod
    def of(cls, deck: Deck) -> "KeypointProposals":
        """Detect the keypoints of all faces, and of the back if it is known."""
        parts, faces = [], []
        pictures = dict(deck.faces) if deck.back is None else {**deck.faces, BACK: deck.back}
        shape = tuple(round(side * PARAMS.px_per_mm) for side in deck.size_mm)
        for number, face in enumerate(pictures.values()):
            small = cv2.resize(face, shape, interpolation=cv2.INTER_AREA)
            parts.append(Keypoints.of(small, PARAMS.of_face))
            faces.append(np.full(len(parts[-1].angles), number))
        places = np.vstack([(p.places + 0.5) / PARAMS.px_per_mm for p in parts]) - np.array(deck.size_mm) / 2
        angles, sizes = (np.concatenate([getattr(p, name) for p in parts]) for name in ("angles", "sizes"))
        return cls(Keypoints(places, angles, sizes, np.vstack([p.descriptors for p in parts])), np.concatenate(faces))

    def poses(self, plane: RectifiedPlane, open_: Array, corner: Array) -> Array:
        """Propose poses (n, 3: mm, mm, rad) that print supports, the best first.

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
        ratio = PARAMS.px_per_mm / SCALE
        small = cv2.resize(part, None, fx=ratio, fy=ratio, interpolation=cv2.INTER_AREA)
        seen = Keypoints.of(small, PARAMS.of_table)
        if not len(seen.angles):
            return nothing
        places = (seen.places + 0.5) / PARAMS.px_per_mm + low / SCALE + plane.origin
        at = np.clip((places - corner).astype(int), 0, np.array(open_.shape[::-1]) - 1)
        free = np.flatnonzero(open_[at[:, 1], at[:, 0]])
        similar = seen.descriptors[free] @ self.keypoints.descriptors.T
        similar[np.abs(np.log(seen.sizes[free][:, None] / self.keypoints.sizes[None])) > PARAMS.log_size] = 0
        least = np.maximum(similar.max(1, keepdims=True, initial=0) - PARAMS.below_best, PARAMS.min_similarity)
        query, ref = np.nonzero(similar > least)
        found = []
        for face in np.unique(self.faces[ref]):
            mine = np.flatnonzero(self.faces[ref] == face)
            mine = mine[np.argsort(-similar[query[mine], ref[mine]])[: PARAMS.matches_per_face]]
            angles = seen.angles[free[query[mine]]] - self.keypoints.angles[ref[mine]]
            found += _agreed(places[free[query[mine]]], self.keypoints.places[ref[mine]], angles, query[mine])
        found.sort(key=lambda item: -item[0])
        return np.array([pose for _, pose in found[: PARAMS.proposed]]) if found else nothing


def _agreed(seen: Array, mm: Array, angles: Array, query: Array) -> list[tuple[int, Array]]:
    """Find poses (x, y, angle) on which matches of one face agree, with how many do; each match in one pose."""
    cos, sin = np.cos(angles)[:, None], np.sin(angles)[:, None]
    x = seen[:, :1] + cos * (mm[:, 0] - mm[:, :1]) - sin * (mm[:, 1] - mm[:, 1:])
    y = seen[:, 1:] + sin * (mm[:, 0] - mm[:, :1]) + cos * (mm[:, 1] - mm[:, 1:])
    turn = np.abs(np.angle(np.exp(1j * (angles[:, None] - angles[None]))))
    near = np.hypot(x - seen[:, 0], y - seen[:, 1]) < PARAMS.same_place_mm + PARAMS.same_place_share * np.hypot(
        mm[:, 0] - mm[:, :1], mm[:, 1] - mm[:, 1:]
    )
    near &= turn < PARAMS.same_angle_rad
    left = np.ones(len(seen), bool)
    found: list[tuple[int, Array]] = []
    for _ in range(PARAMS.cards_per_face):
        seed = int((near & left).sum(1).argmax())
        group = np.flatnonzero(near[seed] & left)
        count = len(np.unique(query[group]))
        if count < 2:
            break
        left[group] = False
        here, there = mm[group] - mm[group].mean(0), seen[group] - seen[group].mean(0)
        across = (here[:, 0] * there[:, 1] - here[:, 1] * there[:, 0]).sum()
        along = (here * there).sum()
        angle = np.arctan2(across, along) if np.hypot(across, along) > PARAMS.angle_from_mm else angles[seed]
        c, s = np.cos(angle), np.sin(angle)
        middle = seen[group].mean(0) - mm[group].mean(0) @ np.array([[c, s], [-s, c]])
        found.append((count, np.array([*middle, angle])))
    return found
