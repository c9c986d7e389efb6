"""A deck checked against itself: nearly equal faces are found, clearly different ones are not complained of."""

import io

import cv2
import numpy as np
import pytest

from kiosk.app.commands.lesson import check_deck, tell_rivals
from vision.deck.deck import Deck
from vision.teaching.confusable_pairs import confusable_pairs, too_similar


def face(rank: str, suit: str, spot: int = 0) -> np.ndarray:
    """A card with its index in two corners and a sign in the middle; ``spot`` draws a small difference."""
    card = np.full((364, 236, 3), 240, np.uint8)
    ink = (30, 30, 190) if suit in "HD" else (40, 35, 30)
    cv2.putText(card, rank, (12, 56), cv2.FONT_HERSHEY_SIMPLEX, 1.7, ink, 6, cv2.LINE_AA)
    cv2.putText(card, suit, (12, 108), cv2.FONT_HERSHEY_SIMPLEX, 1.4, ink, 5, cv2.LINE_AA)
    card[182:] = card[:182][::-1, ::-1]
    cv2.putText(card, rank + suit, (66, 200), cv2.FONT_HERSHEY_SIMPLEX, 2.0, ink, 7, cv2.LINE_AA)
    if spot:
        cv2.circle(card, (118, 250), spot, ink, -1, cv2.LINE_AA)
    return card


@pytest.fixture(scope="module")
def deck() -> Deck:
    faces = {"CA": face("A", "C"), "HK": face("K", "H"), "DQ": face("Q", "D"), "SJ": face("J", "S")}
    near = {"HQ": face("Q", "H", 4), "HJ": face("Q", "H", 7)}
    return Deck("club", (59.0, 91.0), {**faces, **near})


def test_two_nearly_equal_faces_are_found(deck: Deck) -> None:
    found = confusable_pairs(deck)
    assert (found[0].one, found[0].other) == ("HQ", "HJ")
    assert too_similar(found) == (found[0],)
    assert all(-1 <= pair.margin <= 1 for pair in found)


def test_far_away_they_are_more_alike(deck: Deck) -> None:
    margin = {scale: confusable_pairs(deck, scale)[0].margin for scale in (2.6, 1.2)}
    assert margin[1.2] < margin[2.6]


def test_what_is_said_of_it(deck: Deck, tmp_path: object) -> None:
    out = io.StringIO()
    assert tell_rivals(deck, 2.2, out) == 1
    assert out.getvalue().startswith("Herz Dame und Herz Bube sind ähnlich (Abstand ")
    assert out.getvalue().endswith("bitte beide noch einmal zeigen\n")
    good = Deck("club", deck.size_mm, {label: deck.faces[label] for label in ("CA", "HK", "DQ")})
    good.save(str(tmp_path))
    out = io.StringIO()
    assert check_deck("club", str(tmp_path), out=out, language="en") == 0
    assert "no two faces" in out.getvalue()


@pytest.mark.slow
def test_near_rivals_are_told_apart_whoever_else_is_compared() -> None:
    """The Bavarian eight and nine of hearts differ in little; ten and the other suits must not take their tiles."""
    from vision.simulation.art import load_art

    faces = {}
    for label, face in load_art("stichwart-bavarian").faces.items():
        cover = face[..., 3:] / 255.0
        faces[label] = (face[..., :3] * cover + 235 * (1 - cover)).astype(np.uint8)
    wanted = [label for label in faces if label[1] in "T98"]
    found = confusable_pairs(Deck("bavarian", (56.0, 100.0), {label: faces[label] for label in wanted}))
    assert min(pair.margin for pair in found) > 0.5
