"""Read of a hand laid open what its indices do not tell, by the print that shows beside them; the deck is learned."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np

from vision.geometry.pose import Pose
from vision.geometry.projection import Array, PlaneProjection, card_corners
from vision.images import Picture
from vision.indices.hand import PARAMS as HAND_PARAMS
from vision.indices.hand import FaceIndices, in_order
from vision.recognition.card_acceptance import has_certain_label, shows_enough_print
from vision.recognition.card_reading import CardReading
from vision.recognition.deck_features import DeckFeatures
from vision.recognition.recognise import recognise
from vision.recognition.single_card import CLEAR_MARGIN, KnownPlace


@dataclass(frozen=True, slots=True, kw_only=True)
class HandPrintParams:
    """Parameters of what the print of a card's strip says of a doubt."""

    #: Least evidence of print for another label than the index has first: one of the two errs. 1.2 … 3;
    #: of 340 strips those that were taken for another face had 0.5 at most.
    min_print_against: float = 1.5


PARAMS = HandPrintParams()


def read_beside_indices(
    frame: Picture, view: PlaneProjection, features: DeckFeatures, faces: FaceIndices, by_index: Sequence[CardReading]
) -> list[CardReading]:
    """Read a hand's print as well: add cards whose index did not tell, and settle doubts. Takes seconds.

    :param features: of the learned deck, as ``faces``.
    :param by_index: what ``read_hand_by_indices`` read of the same picture.
    """
    cards = with_faces(by_index, recognise(frame, features, view), view, faces)
    return settled_by_strips(frame, view, features, faces, cards)


def with_faces(
    by_index: Sequence[CardReading], by_face: Sequence[CardReading], view: PlaneProjection, faces: FaceIndices
) -> list[CardReading]:
    """Add to cards read by their indices those that were read by their faces alone, and settle doubts by these.

    A name that was read by an index counts more than what the face there resembles. Where both indices of a face were
    read as a card each, they are one.
    """
    cards, met, twice = list(by_index), set[int](), set[int]()
    for face in by_face:
        if face.label is None or face.pose is None or face.margin < CLEAR_MARGIN:
            continue
        own = next((n for n, one in enumerate(cards) if n not in met and _shows(one, face)), None)
        places = card_corners(face.pose, faces.between_mm)[::2]  # of its indices, upper left and lower right
        here = [n for n, one in enumerate(cards) if one.pose and _near(one.pose, places) < HAND_PARAMS.own_index_mm]
        doubt = next((n for n in here if cards[n].label is None and face.label in dict(cards[n].choices)), None)
        if own is not None:
            twice |= {n for n in here if n not in met | {own} and cards[n].label == face.label}
            met |= {own} | twice
        elif doubt is not None:
            met.add(doubt)
            cards[doubt] = replace(cards[doubt], label=face.label, margin=face.margin, choices=face.choices)
        elif not here:
            shows = min(places, key=lambda place: min((_near(one.pose, place) for one in cards if one.pose), default=0))
            pose = (float(shows[0]), float(shows[1]), face.pose[2])
            reach = HAND_PARAMS.own_index_mm
            quad = view.project(card_corners(pose, (reach, 2 * reach)))
            met.add(len(cards))
            cards.append(replace(face, pose=pose, quad=quad))
    return in_order([card for n, card in enumerate(cards) if n not in twice])


def settled_by_strips(
    frame: Picture, view: PlaneProjection, features: DeckFeatures, faces: FaceIndices, cards: Sequence[CardReading]
) -> list[CardReading]:
    """Settle doubts by the strip of each card that the others leave open; ``cards`` in the order in which they lie.

    The index says where its card lies, so that a strip tells which no card would be found by. What the index does not
    consider at all is no answer.
    """
    hand = [_PlacedIndex(n, one.pose, _pose_of_card(one.pose, faces)) for n, one in enumerate(cards) if one.pose]
    settled = list(cards)
    for this in hand:
        if cards[this.number].label is None:
            above = [other.card for other in hand if _covers(other, this, features.size_mm)]
            settled[this.number] = _settled(cards[this.number], KnownPlace(frame, features, view, this.card, above))
    return settled


@dataclass(frozen=True, slots=True)
class _PlacedIndex:
    """An index of a hand: its number from the left, where it is, and where its card lies."""

    number: int
    index: Pose
    card: Pose


def _covers(one: _PlacedIndex, other: _PlacedIndex, size_mm: tuple[float, float]) -> bool:
    """Check whether a card lies over another of the hand: an index that shows lies under no card."""
    if one is other or _lies_on(other.index, one.card, size_mm):
        return False
    return one.number > other.number or _lies_on(one.index, other.card, size_mm)


def _settled(card: CardReading, place: KnownPlace) -> CardReading:
    """Name a card in doubt, if the strip that shows of it does."""
    choices = [label for label, _ in card.choices if label in place.features.deck.faces]
    if not choices:
        return card
    strip = place.among(choices)
    label = strip.labels[0][0]
    sure = label in choices and has_certain_label(strip) and shows_enough_print(strip)
    if not sure or (label != card.choices[0][0] and strip.printed < PARAMS.min_print_against):
        return card
    return replace(card, label=label, margin=strip.margin, choices=strip.labels)


def _pose_of_card(index: Pose, faces: FaceIndices) -> Pose:
    """Place the card of which an index lies upright at a pose, in its upper left corner."""
    x, y = card_corners(index, faces.between_mm)[2]  # the lower right corner of its indices' rectangle, put about one
    return (float(x), float(y), index[2])


def _lies_on(index: Pose, card: Pose, size_mm: tuple[float, float]) -> bool:
    """Check whether the middle of an index lies on a card."""
    return cv2.pointPolygonTest(card_corners(card, size_mm).astype(np.float32), index[:2], False) >= 0


def _shows(index: CardReading, face: CardReading) -> bool:
    """Check whether an index says the same as the face that it lies on."""
    x, y = index.quad.mean(0)
    return index.label == face.label and cv2.pointPolygonTest(face.quad.astype(np.float32), (x, y), False) >= 0


def _near(pose: Pose, places: Array) -> float:
    """Return how far a card's index is from the nearest of some places, mm."""
    return float(np.hypot(*(np.atleast_2d(places) - pose[:2]).T).min())
