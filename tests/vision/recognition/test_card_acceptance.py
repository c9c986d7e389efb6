"""What is a card: enough of its print is there, little is absent, and its paper is paper."""

import cv2
import numpy as np
import pytest

from tests.vision.taught import taught
from vision.recognition.card_acceptance import is_card
from vision.recognition.classification import CardHypothesis, classify
from vision.recognition.deck_features import DeckFeatures
from vision.recognition.tile_correlation import SHIFT


def hypothesis(printed: float, soiled: float = 0.0, refuted: float = 0.0, margin: float = 1.0) -> CardHypothesis:
    every, open_ = np.ones(60, bool), np.ones((90, 60), np.uint8)
    return CardHypothesis(np.zeros(3), (("SA", 1.0),), margin, printed, printed, refuted, soiled, 0, every, open_)


CASES = {
    "an ace": (hypothesis(1.4), True),
    "an ace, a third of it below a hand": (hypothesis(1.4, soiled=0.33), True),
    "icons of a telephone": (hypothesis(1.2, soiled=0.6), False),
    "a court half below a hand": (hypothesis(12.0, soiled=0.6), True),
    "too little print": (hypothesis(0.3), False),
    "much of its print is absent": (hypothesis(1.4, refuted=0.4), False),
    "no name, and little print": (hypothesis(1.0, margin=0.1), False),
    "no name, but enough print": (hypothesis(5.0, margin=0.1), True),
}


@pytest.mark.parametrize(("card", "accepted"), CASES.values(), ids=CASES)
def test_what_is_a_card(card: CardHypothesis, accepted: bool) -> None:
    assert is_card(card) is accepted


@pytest.mark.parametrize(("share", "soiled"), [(0.0, 0.0), (0.5, 0.5), (1.0, 1.0)], ids=["none", "half", "all"])
def test_how_much_of_its_paper_something_lies_on(share: float, soiled: float) -> None:
    """Coloured squares lie on the paper of an ace, from the top down; its print is as it was."""
    references = DeckFeatures(taught(labels=("SA", "HT"))).sharp
    row = 2 * references.labels.index("SA")
    patch = references.patches[row // 2].copy()
    across, side = references.grid[0], references.side
    blank = np.flatnonzero(references.print_weights[row] < 0.15)
    for number, tile in enumerate(blank[: round(share * len(blank))]):
        y, x = divmod(int(tile), across)
        colour = [(40, 200, 60), (200, 60, 40), (60, 40, 200)][number % 3]
        square = patch[y * side : (y + 1) * side, x * side : (x + 1) * side]
        square[side // 4 : -side // 4, side // 4 : -side // 4] = colour
    wide = cv2.copyMakeBorder(patch, SHIFT, SHIFT, SHIFT, SHIFT, cv2.BORDER_REPLICATE)
    every = np.ones(references.weights.shape[1], bool)
    card = classify(references, np.zeros(3), wide, every, np.ones(patch.shape[:2], np.uint8))
    assert card.labels[0][0] == "SA" and card.printed > 1.0
    assert card.soiled == pytest.approx(soiled, abs=0.1)
