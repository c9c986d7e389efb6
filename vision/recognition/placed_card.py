"""Classify a card at its pose: refine the pose, and search round about where it agrees badly."""

from dataclasses import dataclass
from functools import partial

import numpy as np

from vision.geometry.projection import Array
from vision.geometry.rectification import RectifiedPlane
from vision.recognition.classification import CardHypothesis, classify, padded_patch
from vision.recognition.deck_features import DeckFeatures
from vision.recognition.occlusion import open_part
from vision.recognition.pose_evidence import PoseEvidence
from vision.recognition.tiles import tile_evidence


@dataclass(frozen=True, slots=True, kw_only=True)
class PlacedCardParams:
    """Parameters of the search for a better pose near a refined one."""

    #: Evidence of print below which a better place is searched for. 0.8 … 2.
    weak_print: float = 1.2
    #: Then only of a card of which a smaller share shows: of others the outline is exact. 0.6 … 0.9.
    gap_open_share: float = 0.8
    #: And so far each way, mm, in steps of 1 mm.
    gap_reach_mm: int = 3
    #: Of these places, those that are compared in detail. 8 … 49.
    compared: int = 12
    #: Margin up to which a card's pose may be wrong. 0.3 … 0.6.
    shaky_margin: float = 0.5
    #: Share of refuted print from which it may be wrong. 0.1 … 0.25.
    shaky_refuted: float = 0.15
    #: Factor by which more print must agree at a better pose. 1.02 … 1.2.
    better: float = 1.05
    #: How often a better one is searched for from the better one on.
    rounds: int = 2


PARAMS = PlacedCardParams()
#: Steps in mm of a card in a narrow gap, along each axis.
_GAP_STEPS_MM = range(-PARAMS.gap_reach_mm, PARAMS.gap_reach_mm + 1)
#: Moves (mm, mm, rad) for a card in a narrow gap.
GAP_MOVES = np.array([(x, y, 0.0) for y in _GAP_STEPS_MM for x in _GAP_STEPS_MM])
#: Moves (mm, mm, rad) for a card whose pose may be wrong.
SHAKY_MOVES = np.array([(x, y, turn) for turn in (-0.05, 0, 0.05) for y in range(-4, 5, 2) for x in range(-4, 5, 2)])


def classify_refined(
    plane: RectifiedPlane, features: DeckFeatures, pose: Array, visible: Array, above: Array
) -> CardHypothesis:
    """Classify the card at a refined pose.

    ``visible``: (tiles,) bool, hardly covered; ``above``: (m, 3) the cards that cover it.
    """
    sharp = features.sharp
    patch = plane.sharp_patches(pose[None], *padded_patch(sharp))[0]
    patches_at = partial(_patches_where_each_fits, plane, features, pose, visible)
    return classify(sharp, pose, patch, visible, open_part(sharp, pose, above), patches_at)


def classify_moved(
    plane: RectifiedPlane, features: DeckFeatures, poses: Array, rows: Array, visible: Array, above: Array
) -> CardHypothesis:
    """Classify the card at that of ``poses`` (n, 3) where one of the references ``rows`` (m,) agrees best, refined.

    ``visible``: (tiles,) bool, hardly covered; ``above``: (m, 3) the cards that cover it.
    """
    for references, fine in ((features.coarse, False), (features.fine, True)):
        agreement = references.agreement(references.tiles_at(plane, poses, fine), rows)
        evidence = tile_evidence(references.weights[rows], agreement, visible)
        if not fine:
            poses = poses[np.argsort(-evidence.max(1))[: PARAMS.compared]]
    best, column = np.unravel_index(int(evidence.argmax()), evidence.shape)
    (pose,) = features.fine_refiner.refine(plane, poses[[best]], rows[[column]], 3, visible[None])
    return classify_refined(plane, features, pose, visible, above)


def _patches_where_each_fits(
    plane: RectifiedPlane, features: DeckFeatures, pose: Array, visible: Array, rows: Array
) -> Array:
    """Cut a padded patch for each of the references ``rows`` (m,) where the card would lie if it were that one."""
    poses, tiles = np.repeat(pose[None], len(rows), 0), np.repeat(visible[None], len(rows), 0)
    poses = features.fine_refiner.refine(plane, poses, rows, 2, tiles)
    return plane.sharp_patches(poses, *padded_patch(features.sharp))


class PlacedCards:
    """Classifies the cards that are taken from some ``evidence``; one with the same cards above it only once."""

    def __init__(self, features: DeckFeatures, evidence: PoseEvidence) -> None:
        self._plane, self._features, self._evidence = evidence.plane, features, evidence
        self._exact: dict[tuple[int, int], Array] = {}
        self._classified: dict[tuple[tuple[int, int], frozenset[tuple[int, int]]], CardHypothesis] = {}

    def classify(
        self, taken: list[tuple[int, int]], visible: list[Array], above: list[list[int]], only: int | None = None
    ) -> list[CardHypothesis]:
        """Classify all cards taken (pose and face of each), or one ``only``, with what ``find_occlusions`` found."""
        keys = {n: (taken[n], frozenset(taken[m] for m in above[n])) for n in range(len(taken)) if only in (None, n)}
        new = [n for n, key in keys.items() if key not in self._classified]
        if new:
            index = np.array([taken[n][0] for n in new])
            rows = self._evidence.rows[index, [taken[n][1] for n in new]]
            shown = np.array([visible[n] for n in new])
            poses = self._evidence.poses[index]
            exact = self._features.fine_refiner.refine(self._plane, poses, rows, 3, shown)
            self._exact.update({taken[n]: pose for n, pose in zip(new, exact, strict=True)})
        for n in new:
            over = np.array([self._exact[taken[m]] for m in above[n]]).reshape(-1, 3)
            self._classified[keys[n]] = self._best_near(taken[n], visible[n], over)
        return [self._classified[key] for key in keys.values()]

    def _best_near(self, card: tuple[int, int], visible: Array, above: Array) -> CardHypothesis:
        """Classify a card at its refined pose, and at better ones near it where it agrees badly."""
        rows = self._evidence.rows[card[0]]
        found = classify_refined(self._plane, self._features, self._exact[card], visible, above)
        weak = found.printed < PARAMS.weak_print
        if found.evidence > 0.5 * PARAMS.weak_print and weak and found.open.mean() < PARAMS.gap_open_share:
            again = self._search(found, rows, above, GAP_MOVES)
            return again if again.printed > found.printed else found
        for _ in range(PARAMS.rounds):
            if found.printed < PARAMS.weak_print or (
                found.margin > PARAMS.shaky_margin and found.refuted < PARAMS.shaky_refuted
            ):
                break
            again = self._search(found, rows, above, SHAKY_MOVES)
            if again.printed < PARAMS.better * found.printed:
                break
            found = again
        return found

    def _search(self, found: CardHypothesis, rows: Array, above: Array, moves: Array) -> CardHypothesis:
        """Classify a card where it agrees best after one of ``moves``.

        The outline of an ace in a narrow gap may be off by 3 mm, and its small index then agrees with nothing; in glare
        a pose may have stopped as far from the right one, where pips meet others.
        """
        pose = found.pose.copy()
        pose[2] -= np.pi * (found.row % 2)
        rows = np.unique(np.r_[rows, found.row])
        return classify_moved(self._plane, self._features, pose + moves, rows, found.visible, above)
