"""Which label a card has by the votes of all its readings."""

import numpy as np
import pytest

from vision.messages import CardLaid
from vision.recognition.card_reading import CardReading
from vision.tracking.tracked_card import TrackedCard

CLEAR, DOUBT = True, False


@pytest.mark.parametrize(
    ("readings", "label"),
    [
        pytest.param([], None, id="not read"),
        pytest.param([("CK", CLEAR, 0.9)], "CK", id="one is clear"),
        pytest.param([("CK", DOUBT, 0.6)] * 5, None, id="none is clear"),
        pytest.param([("CK", CLEAR, 0.9), ("SK", DOUBT, 0.3)], "CK", id="one of them in doubt"),
        pytest.param([("CK", CLEAR, 0.9), ("SK", CLEAR, 0.9)], None, id="one against one"),
        pytest.param([("CK", CLEAR, 0.9), *[("SK", CLEAR, 0.9)] * 3], "SK", id="three clear ones against one"),
        pytest.param([("CK", CLEAR, 0.9), *[("SK", DOUBT, 0.6)] * 4], None, id="many in doubt against a clear one"),
        pytest.param(
            [("CK", CLEAR, 0.99), *[("SK", DOUBT, 0.55)] * 5, ("SK", CLEAR, 0.8)], None,
            id="many in doubt, and one that is less clear than the first",
        ),
        pytest.param(
            [("CK", CLEAR, 0.3), *[("SK", DOUBT, 0.2)] * 3, ("SK", CLEAR, 0.8)], "SK",
            id="one that is clearer than the first, and some in doubt",
        ),
    ],
)  # fmt: skip
def test_a_clear_reading_is_outvoted_by_clear_ones_alone(readings, label):
    card = TrackedCard(1, (0.0, 0.0, 0.0), 0.0)
    for at, (name, clear, margin) in enumerate(readings):
        other = "SK" if name == "CK" else "CK"
        choices = ((name, 0.5 + margin / 2), (other, 0.5 - margin / 2))
        card.vote(CardReading(name if clear else None, margin, choices, np.zeros((4, 2)), card.pose), float(at))
    assert card.label == label


@pytest.mark.parametrize("label", ["CK", None])
def test_a_card_that_a_process_before_had_reported_is_as_sure_as_it_was(label):
    """The camera's process was started anew: what lies there is known by its report."""
    report = CardLaid(
        at=1.0, card=7, label=label, margin=0.9, choices=(("CK", 0.95), ("SK", 0.05)), x=0.0, y=0.0, angle=0.0
    )
    card = TrackedCard.known(report)
    assert card.label == label
    doubt = CardReading(None, 0.6, (("SK", 0.8), ("CK", 0.2)), np.zeros((4, 2)), card.pose)
    for at in range(4):
        card.vote(doubt, float(at))
    assert card.label is None  # in doubt, and no king of spades
