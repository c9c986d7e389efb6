"""Find cards by their print, at any scale: keypoints matched with the references.

SIFT (Lowe, *Distinctive image features from scale-invariant keypoints*, 2004). Pips repeat on a card and between
cards, so a rival does not refute a match: no ratio test; every match votes for place, angle and scale of its
card, and votes that agree are tried with a homography.
"""

import itertools
from dataclasses import dataclass
from functools import cached_property

import cv2
import numpy as np

from vision.deck.deck import REFERENCE_SCALE, Deck
from vision.geometry.projection import Array, card_corners


@dataclass(frozen=True, slots=True, kw_only=True)
class KeypointIndexParams:
    """Parameters of the search for cards by their print at any scale."""

    #: Keypoints kept of a picture. 1000 … 6000; time grows with it.
    of_picture: int = 3000
    #: Keypoints kept of a face.
    of_face: int = 700
    #: Matches kept for each keypoint and face. 1 … 4; pips need several.
    matches_per_face: int = 2
    #: Votes kept for each face, the most similar. 200 … 1000; time grows with their square.
    votes_per_face: int = 400
    #: Least similarity (cosine of descriptors). 0.7 … 0.9.
    min_similarity: float = 0.78
    #: How much less similar than a keypoint's best match another may be.
    below_best: float = 0.1
    #: Least matches that agree on one homography. 6 … 12; fewer give wrong views that cost time.
    min_agreeing: int = 7
    #: Votes of one card differ by less: share of its width, rad, natural log of the scale.
    vote_distance: float = 0.3
    vote_angle_rad: float = 0.3
    vote_log_scale: float = 0.35
    #: Cards searched for of one face.
    cards_per_face: int = 3
    #: Share of a card's width by which a match may miss the homography.
    inlier_share: float = 0.025


PARAMS = KeypointIndexParams()


@dataclass(frozen=True, eq=False)
class Keypoints:
    """``places`` (n, 2) px or mm, ``angles`` (n,) rad, ``sizes`` (n,), ``descriptors`` (n, 128) of unit length."""

    places: Array
    angles: Array
    sizes: Array
    descriptors: Array

    @classmethod
    def of(cls, picture: Array, max_keypoints: int) -> "Keypoints":
        """Detect the strongest keypoints of a picture ((h, w, 3) uint8)."""
        grey = cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY)
        found, descriptors = cv2.SIFT.create(max_keypoints, contrastThreshold=0.02).detectAndCompute(grey, None)
        if not found:
            return cls(np.zeros((0, 2)), np.zeros(0), np.zeros(0), np.zeros((0, 128), np.float32))
        unit = descriptors / np.maximum(np.linalg.norm(descriptors, axis=1, keepdims=True), 1e-6)
        places = np.array([point.pt for point in found])
        angles = np.deg2rad([point.angle for point in found])
        return cls(places, angles, np.array([point.size for point in found]), unit.astype(np.float32))


@dataclass(frozen=True, eq=False)
class KeypointIndex:
    """Keypoints of all faces of a deck; places in mm from the card's middle."""

    keypoints: Keypoints
    faces: Array  # (n,) number of the face
    size_mm: tuple[float, float]

    @classmethod
    def of(cls, deck: Deck) -> "KeypointIndex":
        """Detect the keypoints of all faces."""
        parts, faces = [], []
        for number, face in enumerate(deck.faces.values()):
            part = Keypoints.of(face, PARAMS.of_face)
            parts.append(part)
            faces.append(np.full(len(part.angles), number))
        places = np.vstack([part.places for part in parts]) / REFERENCE_SCALE - np.array(deck.size_mm) / 2
        whole = Keypoints(
            places,
            np.concatenate([part.angles for part in parts]),
            np.concatenate([part.sizes for part in parts]) / REFERENCE_SCALE,
            np.vstack([part.descriptors for part in parts]),
        )
        return cls(whole, np.concatenate(faces), deck.size_mm)

    @cached_property
    def _count(self) -> int:
        return int(self.faces.max()) + 1 if len(self.faces) else 0

    def quads(self, picture: Array, max_quads: int = 12) -> list[tuple[int, Array]]:
        """Find cards in a picture: (agreeing matches, (4, 2) px corners), most matches first."""
        seen = Keypoints.of(picture, PARAMS.of_picture)
        if len(seen.angles) < PARAMS.min_agreeing:
            return []
        query, ref = self._matches(seen.descriptors @ self.keypoints.descriptors.T)
        turn = seen.angles[query] - self.keypoints.angles[ref]
        scale = seen.sizes[query] / self.keypoints.sizes[ref]
        cos, sin = np.cos(turn) * scale, np.sin(turn) * scale
        place = self.keypoints.places[ref]
        x = seen.places[query, 0] - cos * place[:, 0] + sin * place[:, 1]
        y = seen.places[query, 1] - sin * place[:, 0] - cos * place[:, 1]
        found: list[tuple[int, Array]] = []
        for face in range(self._count):
            mine = np.flatnonzero(self.faces[ref] == face)
            votes = np.column_stack([x[mine], y[mine], np.log(scale[mine]), turn[mine]])
            matches = seen.places[query[mine]], place[mine]
            found += self._quads_of_face(votes, *matches)
        found.sort(key=lambda item: -item[0])
        return found[:max_quads]

    def _matches(self, similarity: Array) -> tuple[Array, Array]:
        """Select pairs (keypoint seen, keypoint of a face) worth a vote, of a matrix of similarities; it is used up."""
        values, columns = [], []
        bounds = np.searchsorted(self.faces, np.arange(self._count + 1))
        every = np.arange(len(similarity))
        for first, after in itertools.pairwise(bounds):
            for _ in range(PARAMS.matches_per_face):
                best = similarity[:, first:after].argmax(1) + first
                values.append(similarity[every, best])
                columns.append(best)
                similarity[every, best] = -1
        value, column = np.column_stack(values), np.column_stack(columns)
        good = (value > PARAMS.min_similarity) & (value > value.max(1, keepdims=True) - PARAMS.below_best)
        votes, matches = PARAMS.votes_per_face, PARAMS.matches_per_face
        for k in range(0, value.shape[1], matches):  # of each face the surest votes only
            mine = np.where(good[:, k : k + matches], value[:, k : k + matches], 0)
            if np.count_nonzero(mine) > votes:
                good[:, k : k + matches] &= mine > np.partition(mine.ravel(), -votes)[-votes]
        query, slot = np.nonzero(good)
        return query, column[query, slot]

    def _quads_of_face(self, votes: Array, seen: Array, mm: Array) -> list[tuple[int, Array]]:
        """Find the quads of one face from its matches' votes (n, 4: x px, y px, log scale, rad)."""
        found: list[tuple[int, Array]] = []
        width = self.size_mm[0]
        left = np.ones(len(votes), bool)
        for _ in range(PARAMS.cards_per_face):
            if left.sum() < PARAMS.min_agreeing:
                break
            size = width * np.exp(votes[:, 2])
            apart = np.hypot(votes[:, None, 0] - votes[None, :, 0], votes[:, None, 1] - votes[None, :, 1])
            turned = np.abs(np.angle(np.exp(1j * (votes[:, None, 3] - votes[None, :, 3]))))
            near = (apart < PARAMS.vote_distance * size[:, None]) & (turned < PARAMS.vote_angle_rad)
            near &= (np.abs(votes[:, None, 2] - votes[None, :, 2]) < PARAMS.vote_log_scale) & left[None] & left[:, None]
            seed = int(near.sum(1).argmax())
            group = np.flatnonzero(near[seed])
            if len(group) < PARAMS.min_agreeing:
                break
            left[group] = False
            matrix, inliers = cv2.findHomography(
                mm[group], seen[group], cv2.RANSAC, PARAMS.inlier_share * float(size[seed])
            )
            if matrix is None or int(inliers.sum()) < PARAMS.min_agreeing:
                continue
            corners = card_corners((0, 0, 0), self.size_mm).reshape(-1, 1, 2)
            quad = cv2.perspectiveTransform(corners, matrix).reshape(-1, 2)
            if card_like(quad, self.size_mm):
                found.append((int(inliers.sum()), quad))
        return found


def card_like(quad: Array, size_mm: tuple[float, float]) -> bool:
    """Check whether a quad can be a card seen from roughly above: convex, clockwise, its shape not far off."""
    if not cv2.isContourConvex(quad.astype(np.float32)) or cv2.contourArea(quad.astype(np.float32), oriented=True) < 0:
        return False
    sides = np.linalg.norm(quad - np.roll(quad, -1, axis=0), axis=1)
    if sides.min() < 20 or max(sides[0] / sides[2], sides[1] / sides[3]) > 1.8:
        return False
    if min(sides[0] / sides[2], sides[1] / sides[3]) < 1 / 1.8:
        return False
    ratio = (sides[1] + sides[3]) / (sides[0] + sides[2]) / (size_mm[1] / size_mm[0])
    return bool(0.6 < ratio < 1.65)
