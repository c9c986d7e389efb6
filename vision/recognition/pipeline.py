"""Find all cards of a rectified picture: proposals are refined and ranked, classified, and explained as a scene."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from vision.geometry.pose import Pose, non_maximum_suppression, poses_near
from vision.geometry.projection import Array
from vision.geometry.rectification import RectifiedPlane
from vision.recognition.card_acceptance import is_card
from vision.recognition.classification import CardHypothesis
from vision.recognition.deck_features import DeckFeatures
from vision.recognition.edge_proposals import EdgeProposals
from vision.recognition.scene_explanation import PARAMS as SCENE_PARAMS
from vision.recognition.scene_explanation import SceneExplanation
from vision.recognition.tiles import ranking_score


@dataclass(frozen=True, slots=True, kw_only=True)
class PipelineParams:
    """How many proposals are followed up; time grows with them."""

    #: Poses refined, the best on coarse tiles. 20 … 60.
    refined: int = 36
    #: Poses kept after that. 16 … 40.
    kept: int = 24
    #: Refined poses closer than this are one.
    same_place_mm: float = 1.0
    same_place_rad: float = 0.03
    #: Edge proposals that are tried again where paper is left, the best supported. 30 … 130.
    edges_tried_again: int = 60
    #: Of these and those by print, the poses that are refined. 10 … 30.
    refined_again: int = 20
    #: How often what turned out to be no card is taken back, and further cards are searched for. 1 … 3.
    rounds: int = 4


PARAMS = PipelineParams()


def find_cards(
    plane: RectifiedPlane,
    features: DeckFeatures,
    poses: Array,
    max_refined: int = PARAMS.refined,
    edges: EdgeProposals | None = None,
    lying: Sequence[tuple[Pose, str]] = (),
) -> list[CardHypothesis]:
    """Explain a scene by cards at possible ``poses`` (n, 3: mm, mm, rad), most evidence first; not all need be cards.

    ``max_refined``: how many poses are refined; fewer where few cards can be. ``edges`` of the whole plane, if cards
    are searched for by their print too, and by sides whose corners are covered, where these poses explain not all.
    ``lying``: poses and labels of cards known to lie there.
    """
    if not len(poses):
        return []
    scene = SceneExplanation(plane, features, *refine_and_rank(plane, features, poses, max_refined, PARAMS.kept))
    if edges is not None:
        for _ in range(PARAMS.rounds):
            before = scene.standing(is_card)
            _take_further(scene, poses, edges)
            scene.defend(before, is_card)
            if not scene.give_up(is_card):
                break
        while scene.give_up(is_card):
            pass
    return scene.hypotheses(lying)


def _take_further(scene: SceneExplanation, poses: Array, edges: EdgeProposals) -> None:
    """Look for cards where those taken do not explain the picture, and take them."""
    plane, features = scene.plane, scene.features
    origin = np.append(plane.origin, 0.0)

    def is_open(poses: Array) -> Array:
        return np.asarray(scene.free_tiles(poses).mean(1) > SCENE_PARAMS.min_free_share)

    paper = scene.unexplained_paper()
    x, y = plane.origin
    covered = edges.with_covered_corners(
        lambda places: scene.owned.owners(places[..., 0] + x, places[..., 1] + y), lambda poses: is_open(poses + origin)
    )
    tried = [covered + origin]
    if paper is not None:
        by_print = features.keypoint_proposals.poses(plane, paper, scene.owned.corner)
        tried += [by_print, poses[: PARAMS.edges_tried_again]]
    every = np.vstack(tried)
    free = scene.free_tiles(every)
    open_ = free.mean(1) > SCENE_PARAMS.min_free_share
    if open_.any():
        max_refined = PARAMS.refined_again
        scene.evidence.add(*refine_and_rank(plane, features, every[open_], max_refined, max_refined, free[open_]))
    scene.take()


def refine_and_rank(
    plane: RectifiedPlane,
    features: DeckFeatures,
    poses: Array,
    max_refined: int,
    kept: int,
    visible: Array | None = None,
) -> tuple[Array, Array]:
    """Refine the best ``max_refined`` of ``poses``; return the best ``kept`` of them, none twice, and faces for each.

    ``visible``: (n, tiles) bool, the only tiles that count: print of a covering card would be taken for a court's.
    """
    coarse = features.coarse
    tiles = np.ones((len(poses), coarse.weights.shape[1]), bool) if visible is None else visible
    first = ranking_score(coarse.weights, coarse.agreement_at(plane, poses), tiles)
    order = np.argsort(-first.max(1))[:max_refined]
    poses, tiles = poses[order], tiles[order]
    poses = features.coarse_refiner.refine(plane, poses, first[order].argmax(1), 4, tiles)
    score = ranking_score(coarse.weights, coarse.agreement_at(plane, poses), tiles)
    found = non_maximum_suppression(
        np.argsort(-score.max(1)),
        len(poses),
        lambda k: poses_near(poses, poses[k], PARAMS.same_place_mm, PARAMS.same_place_rad),
        kept,
    )
    return poses[found], np.argsort(-score[found], 1)[:, : SCENE_PARAMS.faces_per_pose]
