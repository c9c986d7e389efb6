"""Explain a scene: which of the possible cards are there; each then owns what it explains.

Cards cover each other, so a tile belongs to one card only. Greedy: take the pose and face with the most evidence,
classify it against the rivals at the same pose on the same tiles, give it the tiles it explains, go on with what is
left.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from vision.geometry.pose import Pose, half_turn_difference, non_maximum_suppression, poses_near
from vision.geometry.projection import Array
from vision.geometry.rectification import RectifiedPlane
from vision.recognition.classification import CardHypothesis
from vision.recognition.deck_features import DeckFeatures
from vision.recognition.occlusion import Occlusions, find_occlusions
from vision.recognition.ownership import OwnershipRaster
from vision.recognition.placed_card import PARAMS as PLACED_PARAMS
from vision.recognition.placed_card import PlacedCards
from vision.recognition.pose_evidence import PoseEvidence, tile_centres
from vision.recognition.tiles import PARAMS as TILE_PARAMS
from vision.recognition.tiles import tile_support
from vision.recognition.unexplained_paper import unexplained_paper_mask


@dataclass(frozen=True, slots=True, kw_only=True)
class SceneExplanationParams:
    """Parameters of which cards are taken, and which are taken back."""

    #: Least evidence of a card: sum over its free tiles. 0.5 … 2.
    min_evidence: float = 0.65
    #: Share of a card's tiles that no other may explain. 0.1 … 0.25; where 40 % of a card shows it is 0.17 at least.
    min_free_share: float = 0.13
    #: Two poses closer than this are the same card. 8 … 20 mm.
    same_card_mm: float = 12.0
    same_card_rad: float = 0.4
    #: Poses closer than this to one that no card is at are given up with it. 1 … 4 mm.
    given_up_mm: float = 2.5
    given_up_rad: float = 0.1
    #: Share of its print that may be refuted where a card lies, as long as others may still be found on it. 0.4 … 0.7.
    max_refuted_share: float = 0.55
    #: Faces compared at each pose. 6 … 24; time grows with it.
    faces_per_pose: int = 10


PARAMS = SceneExplanationParams()


@dataclass(frozen=True, slots=True, kw_only=True)
class RelocationParams:
    """Parameters of the search for a card elsewhere: pips repeat, and a face some pips away may fit as well."""

    #: A card may lie elsewhere if the evidence of its print is below this … 3 … 6.
    weak_print: float = 4.5
    #: … and below this share of what its visible print could give. 0.4 … 0.6.
    weak_print_share: float = 0.5
    #: Or if it is below this, 8 … 14, and …
    strong_print: float = 10.0
    #: … more than this share of its print is absent. 0.04 … 0.1.
    absent_share: float = 0.05
    #: How far it is then searched for across and along it, mm, and in what steps. 5 … 10; 15 … 30; 1.5 … 2.5.
    across_mm: float = 8.0
    along_mm: float = 24.0
    step_mm: float = 2.0
    #: Of these places, those that are compared in detail. 2 … 6.
    compared: int = 3
    #: Two of them, refined, that are closer than this are one. 0.5 … 2 mm, 0.02 … 0.05 rad.
    same_place_mm: float = 1.0
    same_place_rad: float = 0.03
    #: A card closer than this to one known to lie there is that one. 2 … 6 mm; pips are 10 apart at least. 0.05 … 0.2.
    known_mm: float = 4.0
    known_rad: float = 0.1


RELOCATION = RelocationParams()


class SceneExplanation:
    """The cards taken so far, in the order of their evidence, and what they own; ``hypotheses`` classifies them.

    ``taken``: pose and face (as column of ``evidence.rows``) of each.
    """

    def __init__(self, plane: RectifiedPlane, features: DeckFeatures, poses: Array, rows: Array) -> None:
        self.plane, self.features = plane, features
        self.evidence = PoseEvidence(plane, features.fine, poses, rows)
        self.owned = OwnershipRaster(plane, float(np.hypot(*features.fine.size_mm)) / 2)
        self.taken: list[tuple[int, int]] = []
        self._cards = PlacedCards(features, self.evidence)
        self._given_up: list[Array] = []  # poses at which no card can be
        self._occlusions: tuple[list[tuple[int, int]], Occlusions] | None = None  # of the cards taken when last asked
        self.take()

    def take(self) -> None:
        """Take poses and faces in the order of their evidence, each with the tiles no earlier one owns."""
        evidence = self.evidence
        left = ~self._is_given_up(evidence.poses)
        for i, _ in self.taken:
            left &= ~self._same_card(i)
        support = evidence.support()
        cells = self.owned.cells(evidence.x, evidence.y)
        while left.any():
            free = self.owned.owner[cells] == 0
            scores = (support * free[:, None]).sum(2)
            scores[~left | (free.mean(1) < PARAMS.min_free_share)] = -9
            i, k = (int(n) for n in np.unravel_index(int(scores.argmax()), scores.shape))
            if scores[i, k] < PARAMS.min_evidence:
                break
            self.taken.append((i, k))
            self._own(len(self.taken) - 1, free[i])
            left &= ~self._same_card(i)

    def free_tiles(self, poses: Array) -> Array:
        """Find the tiles of ``poses`` (n, 3) that no card explains, (n, tiles) bool; none where a card is taken."""
        free = self.owned.owners(*tile_centres(self.features.fine, poses)) == 0
        for i, _ in self.taken:
            free[poses_near(poses, self.evidence.poses[i], PARAMS.same_card_mm, PARAMS.same_card_rad)] = False
        free[self._is_given_up(poses)] = False
        return np.asarray(free)

    def unexplained_paper(self) -> Array | None:
        """Mask paper that no card taken explains, as ``unexplained_paper_mask`` does; None where there is none.

        Cards of which more is refuted than shown are taken back before.
        """
        for n in reversed(range(len(self.taken))):
            i, k = self.taken[n]
            tiles = np.isin(self._owners_of_tiles(i), (0, n + 1))
            printed = self.features.fine.print_weights[self.evidence.rows[i, k]] * tiles
            absent = printed * (self.evidence.agreement[i, k] < TILE_PARAMS.absent_below)
            if absent.sum() > PARAMS.max_refuted_share * printed.sum():
                self._take_back(n)
        return unexplained_paper_mask(self.plane, self.owned.owner, self.owned.corner) if self.taken else None

    def hypotheses(self, lying: Sequence[tuple[Pose, str]] = ()) -> list[CardHypothesis]:
        """Classify each card with what the cards above it leave to see; most evidence first.

        ``lying``: poses and labels of cards known to lie there; none of them may lie elsewhere.
        """
        rivals = {
            n: self._relocate(n)
            for n, card in enumerate(self._classified())
            if self._may_lie_elsewhere(card) and not any(_is_known(card, *known) for known in lying)
        }
        found = self._classified()
        for n, rival in rivals.items():
            margin = 1 - rival / max(_confirmed_print(found[n]), 1e-6)
            found[n] = replace(found[n], margin=float(np.clip(margin, 0, found[n].margin)))
        return sorted(found, key=lambda card: -card.evidence)

    # --- taking back --------------------------------------------------------------------------------------------

    def give_up(self, stands: Callable[[CardHypothesis], bool]) -> bool:
        """Take back for good cards that do not stand; whether there were any.

        Only those that no other of them covers: with these gone, and others found there, what they covered may stand.
        """
        bad = {n for n, card in enumerate(self._classified()) if not stands(card)}
        above = self.occlusions()[1]
        for n in sorted({n for n in bad if not bad & set(above[n])} or bad, reverse=True):
            self._give_up(n)
        return bool(bad)

    def standing(self, stands: Callable[[CardHypothesis], bool]) -> dict[tuple[int, int], CardHypothesis]:
        """Select, by pose and face, those of the cards taken that stand."""
        each = zip(self.taken, self._classified(), strict=True)
        return {which: card for which, card in each if stands(card)}

    def defend(self, before: dict[tuple[int, int], CardHypothesis], stands: Callable[[CardHypothesis], bool]) -> None:
        """Take back for good new cards under which those that stood ``before`` and explain more would no longer."""
        each = self._classified()
        above = self.occlusions()[1]
        harm = np.zeros(len(each))
        for n, card in enumerate(each):
            if self.taken[n] in before and not stands(card):
                harm[[m for m in above[n] if self.taken[m] not in before]] += before[self.taken[n]].evidence
        for n in reversed(range(len(each))):
            if harm[n] > (each[n].evidence if stands(each[n]) else 0):
                self._give_up(n)

    def _give_up(self, n: int) -> None:
        self._given_up.append(self.evidence.poses[self.taken[n][0]])
        self._take_back(n)

    def _take_back(self, n: int) -> None:
        del self.taken[n]
        self.owned.remove(n)

    def _is_given_up(self, poses: Array) -> Array:
        """Find those of ``poses`` (n, 3) that are given up: (n,) bool."""
        near = [poses_near(poses, pose, PARAMS.given_up_mm, PARAMS.given_up_rad) for pose in self._given_up]
        return np.asarray(np.any(near, 0)) if near else np.zeros(len(poses), bool)

    # --- a card some pips away ----------------------------------------------------------------------------------

    def _may_lie_elsewhere(self, card: CardHypothesis) -> bool:
        """Check whether so little of a card's print is found, or so much absent, that it may be one some pips away."""
        possible = float(self.features.sharp.print_weights[card.row][card.visible].sum())
        print_lacks = card.printed < min(RELOCATION.weak_print, RELOCATION.weak_print_share * possible)
        absent = card.refuted > RELOCATION.absent_share and card.printed < RELOCATION.strong_print
        shows = card.evidence > 0.5 * PLACED_PARAMS.weak_print and card.refuted <= PARAMS.max_refuted_share
        return shows and (print_lacks or absent)

    def _relocate(self, n: int) -> float:
        """Move the card taken with number ``n`` to where more print agrees; return the best other face's print there.

        The outline of a card in a narrow gap may be off, and pips, which repeat, then agree with those of a face that
        has more or fewer of them.
        """
        here = self._classified()
        i = self.taken[n][0]
        others = [m + 1 for m, card in enumerate(here) if m != n and card.printed >= PLACED_PARAMS.weak_print]
        added, free = self._add_relocations(i, here[n].pose, others)
        if not added:
            return 0.0
        tries = [(here[n], self.taken[n])]
        for j, open_ in zip(added, free, strict=True):
            self.taken[n] = j, int((self.evidence.support(j) * open_).sum(1).argmax())
            (there,) = self._classified(n)
            tries.append((there, self.taken[n]))
        card, self.taken[n] = max(tries, key=lambda one: _confirmed_print(one[0]))
        if self.taken[n][0] != i:
            self.owned.clear(n)
            self._own(n, ~np.isin(self._owners_of_tiles(self.taken[n][0]), others))
        return max(
            (_confirmed_print(other) for other, _ in tries if other.labels[0][0] != card.labels[0][0]), default=0.0
        )

    def _add_relocations(self, i: int, known: Array, others: list[int]) -> tuple[list[int], Array]:
        """Add the likeliest poses round pose ``i`` but for that of a ``known`` one (3,) to the evidence.

        Returns their numbers, and the tiles (n, tiles) bool of each that none of some owners, the ``others``, has.
        """
        pose, reach = self.evidence.poses[i], RELOCATION
        x, y = (
            grid.ravel()
            for grid in np.mgrid[
                -reach.across_mm : reach.across_mm + 0.1 : reach.step_mm,
                -reach.along_mm : reach.along_mm + 0.1 : reach.step_mm,
            ]
        )
        cos, sin = np.cos(pose[2]), np.sin(pose[2])
        poses = pose + np.column_stack([cos * x - sin * y, sin * x + cos * y, np.zeros(len(x))])
        free = ~np.isin(self.owned.owners(*tile_centres(self.features.fine, poses)), others)
        coarse = self.features.coarse
        support = tile_support(coarse.agreement_at(self.plane, poses))
        scores = np.einsum("nft,ft,nt->nf", support, coarse.weights, free)
        best = np.argsort(-scores.max(1))[: RELOCATION.compared]
        rows = np.argsort(-scores[best], 1)[:, : self.evidence.rows.shape[1]]
        poses = self.features.fine_refiner.refine(self.plane, poses[best], rows[:, 0], 3, free[best])
        new = _elsewhere(poses, known)
        first = len(self.evidence.poses)
        if new:
            self.evidence.add(poses[new], rows[new])
        return list(range(first, first + len(new))), free[best[new]]

    # --- the cards taken ----------------------------------------------------------------------------------------

    def occlusions(self) -> Occlusions:
        """Find what of the cards taken is visible, and which of them lie on each; see ``find_occlusions``."""
        if self._occlusions is None or self._occlusions[0] != self.taken:
            self._occlusions = self.taken.copy(), find_occlusions(self.evidence, self.taken)
        return self._occlusions[1]

    def _classified(self, only: int | None = None) -> list[CardHypothesis]:
        """Classify each card taken, or one ``only``."""
        return self._cards.classify(self.taken, *self.occlusions(), only)

    def _same_card(self, i: int) -> Array:
        """Find the poses (n,) bool that would be the same card as that at pose ``i``."""
        return self.evidence.near(i, PARAMS.same_card_mm, PARAMS.same_card_rad)

    def _owners_of_tiles(self, i: int) -> Array:
        """Look up 1 + number of the card that owns each tile of pose ``i``, (tiles,)."""
        return self.owned.owners(self.evidence.x[i], self.evidence.y[i])

    def _own(self, n: int, free: Array) -> None:
        """Let the card taken with number ``n`` own what it explains of its ``free`` tiles."""
        i, column = self.taken[n]
        x, y, angle = self.evidence.poses[i]
        cos, sin = np.cos(angle), np.sin(angle)
        fine = self.features.fine
        half = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * fine.tile_size_mm / 2
        tiles = free & (self.evidence.agreement[i, column] > TILE_PARAMS.explained_above)
        quads = (fine.centres[tiles][:, None] + half) @ np.array([[cos, sin], [-sin, cos]]) + [x, y]
        self.owned.claim(n, quads)


def _elsewhere(poses: Array, known: Array) -> list[int]:
    """Select those of ``poses`` (n, 3), the best first, that are neither at a ``known`` one (3,) nor at one before."""
    every = np.vstack([known, poses])
    mm, rad = RELOCATION.same_place_mm, RELOCATION.same_place_rad
    kept = non_maximum_suppression(range(len(every)), len(every), lambda k: poses_near(every, every[k], mm, rad))
    return [k - 1 for k in kept[1:]]


def _is_known(card: CardHypothesis, pose: Pose, label: str) -> bool:
    """Check whether a card is one known to lie at ``pose``."""
    x, y, angle = card.pose
    near = math.hypot(x - pose[0], y - pose[1]) < RELOCATION.known_mm
    return card.labels[0][0] == label and near and half_turn_difference(angle, pose[2]) < RELOCATION.known_rad


def _confirmed_print(card: CardHypothesis) -> float:
    """Compute the evidence of print, less where much is absent."""
    return card.printed * (1 - card.refuted)
