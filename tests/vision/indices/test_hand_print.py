"""What the print beside the indices of an open hand adds to these."""

from dataclasses import replace

import numpy as np
import pytest

from tests.vision.indices.test_hand import VIEW
from vision.geometry.projection import card_corners
from vision.indices import hand_print
from vision.indices.hand import FaceIndices, read_hand_by_indices
from vision.recognition.card_reading import CardReading
from vision.recognition.classification import CardHypothesis
from vision.recognition.deck_features import DeckFeatures
from vision.recognition.single_card import KnownPlace
from vision.simulation.art import load_art
from vision.simulation.fans import random_fan
from vision.simulation.learning import kept_deck


def by_index(label: str | None, x: float, y: float, *choices: str) -> CardReading:
    """An index with its middle at this place, mm; without a label in doubt."""
    quad = VIEW.project(np.array([[x - 2, y - 3], [x + 2, y - 3], [x + 2, y + 3], [x - 2, y + 3]]))
    return CardReading(label, 0.9, tuple((one, 0.5) for one in choices or (label or "",)), quad, (x, y, 0.0))


def by_face(label: str | None, x: float, margin: float = 1.0) -> CardReading:
    """A card with its middle at this place, mm: 59 × 91, its indices 25 beside and 38 above or below that."""
    pose = (x, 0.0, 0.0)
    return CardReading(label, margin, ((label or "", 9.0),), VIEW.project(card_corners(pose, (59.0, 91.0))), pose)


#: Where the three cards of a hand have their index, mm: 20 apart.
PLACES = ((-25.0, -38.0), (-5.0, -38.0), (15.0, -38.0))
FIRST, LAST = by_index("HT", *PLACES[0]), by_index("SA", *PLACES[2])
TOLD_BY_FACES = {
    "what has no index": ([FIRST, LAST], [by_face("CQ", 20.0)], ["HT", "CQ", "SA"]),
    "the same by both": ([FIRST, LAST], [by_face("HT", 0.0), by_face("SA", 40.0)], ["HT", "SA"]),
    "a second one": ([FIRST, LAST], [by_face("HT", 0.0), by_face("HT", 20.0)], ["HT", "HT", "SA"]),
    "a doubt": ([FIRST, by_index(None, *PLACES[1], "CQ", "CK"), LAST], [by_face("CQ", 20.0)], ["HT", "CQ", "SA"]),
    "a doubt of others": ([FIRST, by_index(None, *PLACES[1], "C9", "CK"), LAST], [by_face("CQ", 20.0)],
                          ["HT", None, "SA"]),
    "another name by the index": ([FIRST, by_index("CK", *PLACES[1]), LAST], [by_face("CQ", 20.0)],
                                  ["HT", "CK", "SA"]),
    "both indices of one, each read as a card": (
        [FIRST, LAST, by_index("SA", 15.0 + 50.0, 38.0)], [by_face("HT", 0.0), by_face("SA", 40.0)], ["HT", "SA"]),
    "two equal cards side by side": (
        [FIRST, by_index("SA", *PLACES[1]), LAST], [by_face("SA", 40.0), by_face("SA", 20.0)], ["HT", "SA", "SA"]),
    "a face in doubt": ([FIRST, LAST], [by_face(None, 20.0), by_face("CQ", 20.0, 0.1)], ["HT", "SA"]),
    "no index at all": ([], [by_face("CQ", 20.0), by_face("HT", 0.0)], ["HT", "CQ"]),
}  # fmt: skip


@pytest.mark.parametrize(("indices", "faces", "labels"), TOLD_BY_FACES.values(), ids=TOLD_BY_FACES)
def test_faces_tell_what_indices_do_not(
    indices: list[CardReading], faces: list[CardReading], labels: list[str | None]
) -> None:
    learned = FaceIndices({})
    learned.between_mm = (50.0, 76.0)
    found = hand_print.with_faces(indices, faces, VIEW, learned)
    assert [one.label for one in found] == labels
    for one in found:
        assert one.pose is not None and abs(one.pose[1]) == pytest.approx(38), "where an index of it is"


def strip(label: str, margin: float, printed: float, refuted: float = 0.0) -> CardHypothesis:
    """What a strip shows that is a tenth of its card."""
    tiles, open_ = np.ones(4, bool), np.zeros((10, 10), np.uint8)
    open_[:, 0] = 1
    return CardHypothesis(np.zeros(3), ((label, 1.0),), margin, printed, printed, refuted, 0.0, 0, tiles, open_)


DOUBT = CardReading(None, 0.5, (("SQ", 0.8), ("SJ", 0.2)), np.zeros((4, 2)), (0.0, 0.0, 0.0))
SETTLED = {
    "the index's first": (strip("SQ", 0.3, 1.0), "SQ"),
    "not enough print": (strip("SQ", 0.3, 0.7), None),
    "little print, but none of another": (strip("SQ", 0.6, 0.5), "SQ"),
    "hardly ahead": (strip("SQ", 0.2, 1.5), None),
    "print that is not there": (strip("SQ", 0.9, 1.5, 0.5), None),
    "the index's second": (strip("SJ", 0.9, 3.0), "SJ"),
    "its second, with less print": (strip("SJ", 0.9, 1.3), None),
    "what the index does not consider": (strip("HA", 1.0, 5.0), None),
}


@pytest.mark.parametrize(("shown", "label"), SETTLED.values(), ids=SETTLED)
def test_a_strip_settles_a_doubt(monkeypatch: pytest.MonkeyPatch, shown: CardHypothesis, label: str | None) -> None:
    monkeypatch.setattr(KnownPlace, "among", lambda self, labels: shown)
    features, faces = DeckFeatures(kept_deck("stichwart")), FaceIndices({})
    frame, sure = np.zeros((720, 1280, 3), np.uint8), replace(DOUBT, label="CK", pose=(20.0, 0.0, 0.0))
    (found, other) = hand_print.settled_by_strips(frame, VIEW, features, faces, [DOUBT, sure])
    assert found.label == label and (found == DOUBT or label is not None) and other == sure
    (unknown,) = hand_print.settled_by_strips(frame, VIEW, features, faces, [replace(DOUBT, choices=(("XX", 0.8),))])
    assert unknown.label is None, "no face that was learned"


FIRST_PLACE = hand_print._PlacedIndex(0, (-25.0, -38.0, 0.0), (0.0, 0.0, 0.0))
COVERS = {
    "the next, whose index lies on the first": (hand_print._PlacedIndex(1, (-5.0, -38.0, 0.0), (20.0, 0.0, 0.0)), True),
    "a later one under whose face the first's index would be hidden": (
        hand_print._PlacedIndex(1, (-45.0, -38.0, 0.0), (-20.0, 0.0, 0.0)), False),
    "one before that has its index on the first": (
        hand_print._PlacedIndex(-1, (-5.0, -38.0, 0.0), (20.0, 0.0, 0.0)), True),
    "one before that lies aside": (hand_print._PlacedIndex(-1, (-125.0, -38.0, 0.0), (-100.0, 0.0, 0.0)), False),
}  # fmt: skip


@pytest.mark.parametrize(("other", "covers"), COVERS.values(), ids=COVERS)
def test_which_card_of_a_hand_lies_over_another(other: hand_print._PlacedIndex, covers: bool) -> None:
    assert hand_print._covers(other, FIRST_PLACE, (59.0, 91.0)) is covers
    assert not hand_print._covers(FIRST_PLACE, FIRST_PLACE, (59.0, 91.0)), "none lies over itself"


@pytest.mark.slow
@pytest.mark.parametrize("seed", [201, 203], ids=["a fan", "a row"])
def test_strips_tell_the_cards_of_a_hand_by_themselves(seed: int) -> None:
    """Each card is doubted in turn: its strip names it, or says nothing, also where the index has another first."""
    art, deck = load_art("stichwart"), kept_deck("stichwart")
    scene, features, faces = random_fan(seed, art), DeckFeatures(deck), FaceIndices(deck.faces)
    cards = read_hand_by_indices(scene.frame, scene.view, art.doppelkopf, faces)
    labels = [card.label for card in cards]
    assert labels == [card.label for card in scene.cards]
    for first in (0, 1):
        doubts = [
            replace(
                card, label=None, choices=((str(card.label), 0.5), (other_rank(str(card.label)), 0.5))[:: 1 - 2 * first]
            )
            for card in cards
        ]
        told = [card.label for card in hand_print.settled_by_strips(scene.frame, scene.view, features, faces, doubts)]
        assert all(one in (None, label) for one, label in zip(told, labels, strict=True))
        assert sum(one is not None for one in told) >= (0.8 - 0.3 * first) * len(labels)


def other_rank(label: str) -> str:
    """A card of the same suit whose index is the likeliest to be taken for it."""
    return label[0] + {"Q": "J", "J": "Q", "K": "J", "T": "9", "9": "T", "A": "K"}[label[1]]
