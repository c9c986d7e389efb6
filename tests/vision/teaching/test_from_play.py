"""Faces learned from cards in play: only what agrees, nothing from two labels taken for each other."""

from copy import deepcopy
from dataclasses import replace
from functools import cache

import cv2
import numpy as np
import pytest

from vision.deck.deck import Deck
from vision.errors import DeckError
from vision.images import Picture, decoded
from vision.simulation.art import load_art
from vision.teaching.adaptation import registered, small_face
from vision.teaching.from_play import PlayedDeck, laid_on

ART = load_art("stichwart")
LABELS = ("HT", "DT", "CQ", "SQ")
SIZE = ART.size_mm


def look(
    label: str,
    seed: int = 0,
    covered: float = 0.0,
    wider_mm: float = 0.0,
    beside_mm: tuple[float, float] = (0.0, 0.0),
    shaded: float = 0.0,
) -> bytes:
    """A card as a report brings it: shifted by a millimetre, noisy, perhaps turned by half, a share of it covered.

    :param wider_mm: so much more of the mat is cut out with it.
    :param beside_mm: so far from its place it is cut out, x and y: the mat shows on one side.
    :param shaded: share of it on which a shadow lies.
    """
    rng = np.random.default_rng([seed, *label.encode()])
    face = ART.faces[label]
    whole = np.where(face[..., 3:] > 0, face[..., :3], 255).astype(np.uint8)
    width, height = (round(side * 4) for side in SIZE)
    whole = cv2.resize(whole, (width, height), interpolation=cv2.INTER_AREA)
    shift = np.array([[1, 0, rng.uniform(-3, 3)], [0, 1, rng.uniform(-3, 3)]], np.float32)
    whole = cv2.warpAffine(whole, shift, (width, height), borderMode=cv2.BORDER_REPLICATE).astype(np.float32)
    moved = np.array([[1, 0, 4 * beside_mm[0]], [0, 1, 4 * beside_mm[1]]], np.float32)
    whole = cv2.warpAffine(whole, moved, (width, height), borderValue=(60.0, 90.0, 40.0))
    whole[: round(covered * height)] = (60, 90, 140)
    dark = np.where(np.arange(height)[:, None] < shaded * height, 0.4, 1.0) * np.ones((1, width))
    whole *= cv2.GaussianBlur(dark, (0, 0), 12.0)[..., None]
    border = round(2 * wider_mm)
    whole = cv2.copyMakeBorder(whole, border, border, border, border, cv2.BORDER_CONSTANT, value=(60, 90, 40))
    picture = np.clip(whole * 0.8 + rng.normal(0, 4, whole.shape), 0, 255).astype(np.uint8)
    return cv2.imencode(".jpg", picture[::-1, ::-1] if rng.random() < 0.5 else picture)[1].tobytes()


def learned(cards: list[tuple[str, bytes]], deck: PlayedDeck | None = None) -> PlayedDeck:
    deck = deck or PlayedDeck("played", LABELS, 2, SIZE)
    for _ in deck.learn(cards):
        pass
    return deck


@cache
def game() -> list[tuple[str, bytes]]:
    return [(label, look(label, copy)) for copy in range(2) for label in LABELS]


@cache
def _whole() -> PlayedDeck:
    return learned(game())


def whole() -> PlayedDeck:
    """What a whole game makes; for each test its own, learned once."""
    return deepcopy(_whole())


def test_a_whole_game_makes_a_deck():
    deck = learned(game())
    assert deck.whole
    made = deck.deck()
    assert (made.labels, made.copies, made.size_mm) == (LABELS, 2, SIZE)


@pytest.mark.parametrize(
    ("cards", "known"),
    [
        pytest.param(lambda: game()[:-1], {"HT", "DT", "CQ"}, id="one copy waits"),
        pytest.param(
            lambda: [one for one in game() if one[0] != "HT"], {"DT", "CQ", "SQ"}, id="one label was never named",
        ),
        pytest.param(lambda: [*game()[:-1], ("SQ", look("SQ", 5, covered=0.4))], {"HT", "DT", "CQ"}, id="half covered"),
        pytest.param(lambda: [*game()[:-1], ("SQ", b"")], {"HT", "DT", "CQ"}, id="no picture"),
        pytest.param(
            lambda: [*game()[:-1], ("SQ", cv2.imencode(".jpg", np.zeros((9, 9, 3), np.uint8))[1].tobytes())],
            {"HT", "DT", "CQ"}, id="another size",
        ),
        pytest.param(
            lambda: [*game()[:4], *((one, look({"CQ": "SQ", "SQ": "CQ"}.get(one, one), 1)) for one in LABELS)],
            {"HT", "DT"}, id="two faces named for each other once",
        ),
    ],
)  # fmt: skip
def test_what_does_not_agree_is_not_learned(cards, known):
    deck = learned(cards())
    assert set(deck.faces) == known and not deck.whole
    with pytest.raises(DeckError, match="is missing"):
        deck.deck()


@pytest.mark.parametrize("newest", [True, False], ids=["the newest", "the oldest"])
@pytest.mark.parametrize(
    ("others", "known"),
    [
        pytest.param([look("SQ", 5, covered=0.4)], True, id="a hand is upon one of three"),
        pytest.param([look("SQ", 5, covered=0.4), look("SQ", 6, covered=0.3)], True, id="hands are upon two of four"),
        pytest.param([look("CQ", 5)], False, id="one of three shows another label's face"),
        pytest.param([look("CJ", 5), look("CJ", 6)], False, id="two of four are of another pack"),
    ],
)
def test_some_that_do_not_agree_with_the_others(others: list[bytes], known: bool, newest: bool) -> None:
    cards = [("SQ", other) for other in others]
    deck = learned([*game(), *cards] if newest else [*cards, *game()])
    assert ("SQ" in deck.faces) == known
    assert {"HT", "DT"} <= set(deck.faces)


@pytest.mark.parametrize("beside_mm", [(1.2, 0.0), (-1.2, 0.0), (0.0, 1.2), (0.0, -1.2)])
def test_a_face_is_that_of_a_picture_cut_out_at_its_place(beside_mm: tuple[float, float]) -> None:
    beside = ("SQ", look("SQ", 5, beside_mm=beside_mm))
    alone = learned([*(one for one in game() if one[0] != "SQ"), beside, ("SQ", look("SQ", 6, beside_mm=beside_mm))])
    assert set(alone.faces) == {"HT", "DT", "CQ"}
    deck = learned([*game()[:-1], beside])
    rim = max(float(np.std(np.rot90(deck.faces["SQ"], turns)[:4, 24:-24])) for turns in range(4))
    assert rim < 15.0  # where mat is in it it has 24 and more


@pytest.mark.parametrize("label", ["SA", "SK"])
@pytest.mark.parametrize("shift_mm", [(0.0, 1.5), (-1.6, -1.6)])
def test_a_picture_that_is_shifted_is_laid_the_right_way_up(label: str, shift_mm: tuple[float, float]) -> None:
    """Shifted by a millimetre many a face is more like another picture of it turned by half."""
    one = cv2.imdecode(np.frombuffer(look(label, 3), np.uint8), cv2.IMREAD_COLOR)
    shift = np.array([[1, 0, 4 * shift_mm[0]], [0, 1, 4 * shift_mm[1]]], np.float32)
    other = cv2.warpAffine(one, shift, one.shape[1::-1], borderMode=cv2.BORDER_REPLICATE)
    blank = Deck("blank", SIZE, {})
    for picture in (other, other[::-1, ::-1].copy()):
        laid = registered(picture, one, blank, 2.0)
        assert laid is not None and (small_face(laid, blank) * small_face(one, blank)).mean() > 0.97


@pytest.mark.parametrize("shaded", [0.3, 0.5, 0.8])
def test_a_shadow_is_no_part_of_a_face(shaded: float) -> None:
    """Not in the other picture of the same card, nor in that of the one that looks most like it, nor in the face."""
    cards = [(label, look(label, 1, shaded=shaded if label in ("CQ", "HT") else 0.0)) for label in LABELS]
    deck = learned([*cards, *((label, look(label, 2)) for label in LABELS)])
    assert deck.whole
    for label, face in deck.faces.items():
        rows = np.percentile(face[12:-12, 12:-12], 90, axis=(1, 2))  # paper
        assert np.median(rows[:60]) == pytest.approx(np.median(rows[-60:]), rel=0.06), label
    both = [(label, look(label, copy, shaded=shaded)) for copy in (3, 4) for label in LABELS]
    assert learned(both).whole


def warm(shaded: tuple[float, ...]) -> list[tuple[str, bytes]]:
    """A game by a warm lamp; one picture of each card for each share of it that lies in shadow."""
    cards = []
    for label in LABELS:
        for copy, share in enumerate(shaded):
            picture = decoded(look(label, copy, shaded=share)) * np.array([0.6, 0.9, 1.0])
            cards.append((label, cv2.imencode(".jpg", picture.astype(np.uint8))[1].tobytes()))
    return cards


def is_warm(picture: Picture) -> bool:
    blue, _, red = np.percentile(picture[12:-12, 12:-12], 90, axis=(0, 1))
    return bool(blue < 0.7 * red)


@pytest.mark.parametrize(
    ("shaded", "as_seen", "averaged"),
    [
        pytest.param((0.0, 0.0), True, 2, id="in even light, as it was seen"),
        pytest.param((0.5, 0.0), True, 1, id="a shadow across one of the pictures"),
        pytest.param((0.5, 0.5), False, 2, id="a shadow across each: divided by its paper"),
    ],
)
def test_a_face_is_made_of_the_pictures_in_even_light(
    monkeypatch: pytest.MonkeyPatch, shaded: tuple[float, float], as_seen: bool, averaged: int
) -> None:
    counts: list[int] = []
    mean = np.mean
    monkeypatch.setattr(np, "mean", lambda those, axis: counts.append(len(those)) or mean(those, axis=axis))
    faces = learned(warm(shaded)).faces
    assert {"CQ", "SQ"} <= set(faces) and all(is_warm(face) == as_seen for face in faces.values())
    assert set(counts) == {averaged}


@pytest.mark.slow
def test_a_picture_that_does_not_lie_on_another_is_no_part_of_the_face(monkeypatch: pytest.MonkeyPatch) -> None:
    """Made even they agree; as they are they cannot be registered."""

    def lay_even_ones(base: Picture, other: Picture, deck: Deck) -> tuple[Picture, float]:
        return (np.zeros_like(base), 0.0) if is_warm(base) else laid_on(base, other, deck)

    monkeypatch.setattr("vision.teaching.from_play.laid_on", lay_even_ones)
    faces = learned(warm((0.0, 0.0))).faces
    assert len(faces) == len(LABELS) and all(face[:, :, 2].max() > 190 for face in faces.values())


@pytest.mark.parametrize(("wider_mm", "known"), [(1.5, True), (3.0, False)])
def test_a_card_that_was_seen_before_the_size_was_known(wider_mm: float, known: bool) -> None:
    deck = learned([*game()[:-1], ("SQ", look("SQ", 5, wider_mm=wider_mm))])
    assert ("SQ" in deck.faces) == known


@pytest.mark.slow
def test_the_next_game_brings_what_lacks():
    deck = learned([(label, look(label, 3)) for label in LABELS], learned(game()[:-1]))
    assert deck.whole


@pytest.mark.slow
def test_a_deck_that_comes_back_is_known_by_its_look():
    deck = whole()
    again = learned([(label, look(label, copy)) for copy in (7, 8) for label in LABELS])
    assert again.looks_like(deck.deck())
    assert again.looks_like(replace(deck.deck(), size_mm=(SIZE[0] + 0.4, SIZE[1])))
    assert not again.looks_like(replace(deck.deck(), size_mm=(SIZE[0] + 4, SIZE[1])))
    faces = dict(deck.faces)
    aside = {
        label: (face * np.linspace(1.0, 0.25, len(face))[:, None, None]).astype(np.uint8)
        for label, face in faces.items()
    }
    assert again.looks_like(replace(deck.deck(), faces=aside)), "taught by a lamp from aside"
    assert not again.looks_like(replace(deck.deck(), faces={**faces, "CQ": faces["HT"]}))
    assert not again.looks_like(replace(deck.deck(), faces={label: faces[label] for label in LABELS[:3]}))


def test_all_is_forgotten_that_makes_no_deck():
    deck = whole()
    deck.drop()
    assert not deck.faces and not learned([], deck).faces
