"""Hands laid open as a fan or in a row are read by the index that each card shows."""

import io
import json
import math
from collections import Counter
from dataclasses import replace
from functools import cache
from pathlib import Path

import cv2
import numpy as np
import pytest

from kiosk.app.commands.recognise import recognise_files
from vision.errors import DeckError
from vision.geometry.projection import PlaneProjection
from vision.indices import hand
from vision.indices.hand import FaceIndices, read_hand_by_indices
from vision.indices.networks import Index
from vision.indices.reading import IndexReading
from vision.simulation.art import load_art
from vision.simulation.fans import random_fan
from vision.simulation.geometry import visible
from vision.simulation.learning import kept_deck

#: A fan and a row of the project's own deck, each read whole.
HANDS = (201, 203)


@cache
def learned_faces() -> FaceIndices:
    """Where the indices of the project's own deck stand; to look for them takes half a second."""
    return FaceIndices(kept_deck("stichwart").faces)


@pytest.mark.parametrize(
    ("x", "y", "turn", "four", "one_card"),
    [
        pytest.param(47, 67, math.pi, False, True, id="diagonally, turned by half"),
        pytest.param(47, 67, 0.0, False, False, id="diagonally, upright: two cards"),
        pytest.param(0, 67, math.pi, False, False, id="straight below, a deck with two indices"),
        pytest.param(0, 67, math.pi, True, True, id="straight below, a deck with four"),
        pytest.param(47, 0, 0.0, True, True, id="beside, a deck with four"),
        pytest.param(47, 0, 0.0, False, False, id="beside, a deck with two: twins in a row"),
        pytest.param(18, 0, 0.0, True, False, id="the next card's"),
        pytest.param(47, 67, math.pi - 0.3, False, False, id="too slanted"),
        pytest.param(47, -67, math.pi, False, False, id="above"),
    ],
)
@pytest.mark.parametrize("angle", [0.0, 2.0], ids=["upright", "turned"])
def test_two_indices_of_one_card(x: float, y: float, turn: float, four: bool, one_card: bool, angle: float) -> None:
    cos, sin = math.cos(angle), math.sin(angle)
    first, second = np.zeros(2), np.array([cos * x - sin * y, sin * x + cos * y])
    apart = (hand.PARAMS.across_mm, hand.PARAMS.along_mm)
    assert hand._of_one_card((first, angle), (second, angle + turn), apart, four) is one_card


@pytest.mark.parametrize(
    ("x", "one_card"), [(48, True), (37, False), (58, False)], ids=["its other index", "a twin beside it", "further"]
)
def test_a_learned_deck_says_how_far_its_indices_are_apart(x: float, one_card: bool) -> None:
    """Forty cards in four rows lie 37 mm apart, nearer than the two upper indices of one card (48 mm in this deck)."""
    here, beside = (np.zeros(2), 0.0), (np.array([x, 0.0]), 0.0)
    assert hand._of_one_card(here, beside, learned_faces().apart_mm, four=True) is one_card


#: A table seen from above, 2 px/mm, its middle in the middle of the picture.
VIEW = PlaneProjection(np.array([(2.0, 0, 640), (0, 2.0, 360), (0, 0, 1)]), (1280, 720))


def index(
    x: float, y: float, angle: float = 0.0, sure: float = 0.99, score: float = 1.0, label: int = 0
) -> hand._Index:
    """Make an index at a place of the table, mm; read surely or not."""
    up = np.array([math.sin(angle), -math.cos(angle)])
    labels = np.full(52, (1 - sure) / 51)
    labels[label] = sure
    reading = IndexReading(np.array([640 + 2 * x, 360 + 2 * y]), up, 34.0, labels, score)
    return hand._Index(reading, labels)


#: Indices between two equal ones that are as far apart as the two upper ones of a card of a deck with four.
BETWEEN = {
    "cards of a row: twins": ([index(16, 0, label=1), index(32, 1, label=2)], 4),
    "nothing: one card, the top one": ([], 1),
    "what is no index surely: one card": ([index(24, 0, sure=0.6, label=1)], 2),
    "a card further down: one card": ([index(24, 30, label=1)], 2),
    "a card beyond: one card": ([index(64, 0, label=1)], 2),
}


@pytest.mark.parametrize(("between", "cards"), BETWEEN.values(), ids=BETWEEN)
@pytest.mark.parametrize("angle", [0.0, 2.0], ids=["upright", "turned"])
def test_equal_cards_of_a_row_are_two(between: list[hand._Index], cards: int, angle: float) -> None:
    def turned(one: IndexReading) -> IndexReading:
        x, y = hand._turned((one.centre - (640, 360)) / 2, angle)
        return replace(index(x, y, angle).reading, labels=one.labels, score=one.score)

    indices = [replace(one, reading=turned(one.reading)) for one in (index(0, 0), *between, index(48, 0))]
    faces = FaceIndices({})
    faces.four = True
    assert len(hand._cards_of(indices, VIEW, faces)) == cards


@pytest.mark.parametrize(
    ("sure", "in_glare", "learned", "named"),
    [
        pytest.param(0.93, [False], True, True, id="read clearly"),
        pytest.param(0.93, [True], True, False, id="nearly hidden by a reflex"),
        pytest.param(0.97, [True], True, True, id="surer"),
        pytest.param(0.93, [True, False], True, True, id="its other index is not"),
        pytest.param(0.93, [True], False, True, id="no deck learned"),
    ],
)
def test_what_a_reflex_nearly_hides_must_be_surer(
    sure: float, in_glare: list[bool], learned: bool, named: bool
) -> None:
    shown = [replace(index(0, 0, sure=sure), in_glare=one, agreed=0) for one in in_glare]
    names = list(hand.LABELS)
    assert (hand._reading(shown, names, VIEW, learned=learned).label == names[0]) is named


@pytest.mark.parametrize(
    ("learned_mm", "found"),
    [
        pytest.param(None, [12.0, 15.0, 15.5], id="not learned: about as high as most"),
        pytest.param(15.0, [15.0, 15.5], id="learned: as high as the deck's"),
        pytest.param(24.0, [], id="another deck's than was learned"),
    ],
)
def test_how_high_an_index_may_be(
    monkeypatch: pytest.MonkeyPatch, learned_mm: float | None, found: list[float]
) -> None:
    heights = (5.0, 8.0, 12.0, 15.0, 15.5, 40.0)
    scale = hand._px_per_mm(VIEW)
    every = [
        Index(
            *map(float, VIEW.project(np.array([(20.0 * n, 0.0)]))[0]), 0.0, high * scale, 0.9, (1.0,) * 13, (1.0,) * 4
        )
        for n, high in enumerate(heights)
    ]
    monkeypatch.setattr(hand, "find_indices", lambda *_, **__: every)
    ((_, readings),) = hand._found(np.zeros((720, 1280, 3), np.uint8), VIEW, learned_mm)
    assert [one.height / scale for one in readings] == pytest.approx(found)


#: Five cards in a row, 15 mm from each other, each at its index.
ROW = [index(15.0 * n, 0.0) for n in range(5)]


@pytest.mark.parametrize(
    ("one", "stays"),
    [
        pytest.param(index(22.0, 1.0, sure=0.5), True, id="among them, in doubt"),
        pytest.param(index(80.0, 3.0, 0.1, sure=0.5), True, id="the next one, in doubt"),
        pytest.param(index(10.0, 70.0, sure=0.5), False, id="at a card's foot: it would lie on the mat"),
        pytest.param(index(10.0, 70.0), True, id="there, but read surely"),
        pytest.param(index(-20.0, 72.0, math.pi, sure=0.5), False, id="upside down, of no card that is seen"),
        pytest.param(index(46.5, 70.0, math.pi, sure=0.5), True, id="the first card's other index"),
        pytest.param(index(200.0, 0.0, sure=0.5), False, id="far away"),
        pytest.param(index(200.0, 0.0, score=0.4), False, id="far away, hardly an index"),
    ],
)
def test_what_would_lie_apart_from_the_hand_is_none_of_it(one: hand._Index, stays: bool) -> None:
    kept = hand._lying_together([*ROW, one], VIEW, None)
    assert [id(each) for each in kept[:5]] == [id(each) for each in ROW]
    assert any(each is one for each in kept) is stays


def test_of_a_few_cards_nothing_is_said_to_lie_apart() -> None:
    cards = [ROW[0], ROW[4], index(200.0, 0.0, sure=0.5)]
    assert list(hand._lying_together(cards, VIEW, None)) == cards


@pytest.mark.slow
@pytest.mark.parametrize("learned", [True, False], ids=["deck learned", "no deck learned"])
@pytest.mark.parametrize("seed", HANDS)
def test_a_hand_is_read_in_its_order(seed: int, learned: bool) -> None:
    art = load_art("stichwart")
    scene = random_fan(seed, art)
    faces = learned_faces() if learned else None
    seen = read_hand_by_indices(scene.frame, scene.view, art.doppelkopf, faces)
    assert [card.label for card in seen] == [card.label for card in scene.cards]


@pytest.mark.slow
def test_hands_show_an_index_of_each_card() -> None:
    """Of no card below others more shows than a strip, of each its upper end."""
    for seed in HANDS:
        scene = random_fan(seed, load_art("stichwart"))
        quads = [card.quad for card in scene.cards]
        assert 5 <= len(quads) <= 12
        shown = [visible(quad, quads[n + 1 :]) for n, quad in enumerate(quads)]
        assert shown[-1] > 0.99 and max(shown[:-1]) < 0.7


@pytest.mark.slow
def test_a_picture_of_a_hand_on_the_command_line(tmp_path: Path) -> None:
    scene = random_fan(HANDS[0], load_art("stichwart"))
    pictures = [tmp_path / "hand.png", tmp_path / "bare.png"]
    cv2.imwrite(str(pictures[0]), scene.frame)
    cv2.imwrite(str(pictures[1]), np.full_like(scene.frame, 90))
    out, err = io.StringIO(), io.StringIO()
    assert recognise_files(pictures, as_json=True, out=out, err=err, hand=True) == 1
    read, bare = map(json.loads, out.getvalue().splitlines())
    assert Counter(one["label"] for one in read["cards"]) == Counter(card.label for card in scene.cards)
    assert "mat" in bare["error"] and bare["cards"] == []


@pytest.mark.slow
def test_a_deck_without_indices_is_refused(tmp_path: Path) -> None:
    deck = kept_deck("stichwart-bavarian")
    deck.save(tmp_path)
    with pytest.raises(DeckError, match="stichwart-bavarian"):
        recognise_files([], deck.name, tmp_path, hand=True)
