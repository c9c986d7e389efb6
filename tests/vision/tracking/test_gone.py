"""Which cards are gone, and when those that are missed may still be in somebody's hand."""

import numpy as np
import pytest

from vision.geometry.pose import Pose
from vision.geometry.projection import PlaneProjection
from vision.mat.calibration import Calibration
from vision.mat.layout import MatLayout
from vision.recognition.card_reading import CardReading
from vision.recognition.single_card import CLEAR_MARGIN
from vision.tracking.association import MatChange, find_gone
from vision.tracking.cell_grid import MatRegions
from vision.tracking.tracked_card import TrackedCard
from vision.tracking.tracker import Association

VIEW = PlaneProjection(np.array([(2.0, 0, 640), (0, 2.0, 360), (0, 0, 1)]), (1280, 720))
MAT = MatRegions.of(Calibration(VIEW, MatLayout(), 0.3, 0.5, {}), MatLayout(), (59.0, 91.0))
NOWHERE = np.zeros(MAT.grid.shape, bool)


def lying(number: int, label: str | None, pose: Pose = (0.0, 0.0, 0.0)) -> TrackedCard:
    card = TrackedCard(number, pose, 1.0, face_down=label is None)
    if label is not None:
        card.vote(reading(label, 1.0), 1.0)
    return card


def reading(label: str, margin: float) -> CardReading:
    choices = ((label, 2.0), ("C9", 1.0))
    return CardReading(label if margin >= CLEAR_MARGIN else None, margin, choices, np.zeros((4, 2)), (0.0, 0.0, 0.0))


SA, SK, BACK = lying(1, "SA"), lying(2, "SK"), lying(3, None)

#: Cards that were there, those that are gone, new ones as (label, margin), whether something is left, whether something
#: stirs → whether somebody may be gathering.
GATHERED = {
    "nothing is missed": ([SA, SK], [], [], True, True, False),
    "one is missed, and nothing is left": ([SA, SK], [SA], [], False, False, False),
    "one is missed, something is left": ([SA, SK], [SA], [], True, False, True),
    "one is missed, something moves": ([SA, SK], [SA], [], False, True, True),
    "every one is missed, a thing is left": ([SA, SK], [SA, SK], [], True, False, False),
    "every face is missed, and a back lies there": ([SA, SK, BACK], [SA, SK], [], True, False, False),
    "every face is missed, and one of them is read elsewhere": ([SA, SK], [SA, SK], [("SK", 1.0)], True, False, True),
    "another card was laid since": ([SA, SK], [SA, SK], [("DK", 1.0)], True, False, False),
    "something like another card is there": ([SA, SK], [SA, SK], [("DK", CLEAR_MARGIN - 0.1)], True, False, True),
    "another card was laid since, something moves": ([SA, SK], [SA, SK], [("DK", 1.0)], True, True, True),
}


@pytest.mark.parametrize(("cards", "gone", "new", "left", "stirs", "expected"), GATHERED.values(), ids=GATHERED)
def test_whether_somebody_may_be_gathering(
    cards: list[TrackedCard],
    gone: list[TrackedCard],
    new: list[tuple[str, float]],
    left: bool,
    stirs: bool,
    expected: bool,
) -> None:
    laid = [(lying(4 + n, label), reading(label, margin)) for n, (label, margin) in enumerate(new)]
    found = Association({}, laid, {}, gone, NOWHERE)
    assert found.may_be_in_a_hand(cards, left=left, stirs=stirs) is expected


@pytest.mark.parametrize("taken", [True, False], ids=["taken up", "lying"])
@pytest.mark.parametrize("pose", [(0.0, 0.0, 0.0), (139.0, -13.0, 0.0)], ids=["in the middle", "half beyond it"])
def test_a_back_is_gone_once_the_mat_is_seen_where_it_lay(pose: Pose, taken: bool) -> None:
    back = lying(1, None, pose)
    seen = MAT.grid.card(pose) & MAT.laid_on if taken else NOWHERE  # elsewhere the mat's picture may be a packet's
    where = MatChange(MAT, seen, seen, ~NOWHERE)
    assert find_gone([back], [], [], where, start=False) == ([back] if taken else [])
