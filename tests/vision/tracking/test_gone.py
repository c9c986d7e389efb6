"""Which cards are gone, and when those that are missed may still be in somebody's hand."""

from dataclasses import replace

import numpy as np
import pytest

from tests.vision.taught import taught
from vision.geometry.pose import Pose
from vision.geometry.projection import PlaneProjection
from vision.mat.calibration import Calibration
from vision.mat.layout import MatLayout
from vision.messages import CardGone, CardLaid, Report
from vision.recognition.card_reading import CardReading
from vision.recognition.single_card import CLEAR_MARGIN
from vision.tracking.association import LIMITS, MatChange, find_gone, find_moved, match_known
from vision.tracking.cell_grid import MatRegions
from vision.tracking.change_detection import FrameChange
from vision.tracking.frame_context import FrameContext
from vision.tracking.label_voting import AT_REST_S
from vision.tracking.tracked_card import TrackedCard
from vision.tracking.tracker import Association, Tracker

VIEW = PlaneProjection(np.array([(2.0, 0, 640), (0, 2.0, 360), (0, 0, 1)]), (1280, 720))
MAT = MatRegions.of(Calibration(VIEW, MatLayout(), 0.3, 0.5, {}), MatLayout(), (59.0, 91.0))
NOWHERE = np.zeros(MAT.grid.shape, bool)
STILL = FrameChange(NOWHERE, np.ones(MAT.grid.shape, np.float32), NOWHERE, NOWHERE, "", 1.0)


def lying(number: int, label: str | None, pose: Pose = (0.0, 0.0, 0.0)) -> TrackedCard:
    card = TrackedCard(number, pose, 1.0, face_down=label is None)
    if label is not None:
        card.vote(reading(label, 1.0), 1.0)
    return card


def reading(label: str, margin: float) -> CardReading:
    choices = ((label, 2.0), ("C9", 1.0))
    return CardReading(label if margin >= CLEAR_MARGIN else None, margin, choices, np.zeros((4, 2)), (0.0, 0.0, 0.0))


SA, SK, BACK = lying(1, "SA"), lying(2, "SK"), lying(3, None)
TRICK = [SA, SK, lying(4, "DK"), lying(5, "ST")]
THING = lying(6, "HA")

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
    "a whole trick is missed, and a thing lies there": ([*TRICK, THING], TRICK, [], True, False, False),
    "a whole trick is missed, and one of it is read elsewhere": (
        [*TRICK, THING], TRICK, [("SK", 1.0)], True, False, True),
    "all but one of a trick are missed": (TRICK, TRICK[:3], [], True, False, True),
    "another card was laid since": ([SA, SK], [SA, SK], [("DK", 1.0)], True, False, False),
    "something like another card is there": ([SA, SK], [SA, SK], [("DK", CLEAR_MARGIN - 0.1)], True, False, True),
    "another card was laid since, something moves": ([SA, SK], [SA, SK], [("DK", 1.0)], True, True, True),
}  # fmt: skip


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
    found = Association({}, laid, {}, gone, NOWHERE, NOWHERE)
    assert found.may_be_in_a_hand(cards, left=left, stirs=stirs) is expected


@pytest.mark.parametrize("taken", [True, False], ids=["taken up", "lying"])
@pytest.mark.parametrize("pose", [(0.0, 0.0, 0.0), (139.0, -13.0, 0.0)], ids=["in the middle", "half beyond it"])
def test_a_back_is_gone_once_the_mat_is_seen_where_it_lay(pose: Pose, taken: bool) -> None:
    back = lying(1, None, pose)
    seen = MAT.grid.card(pose) & MAT.laid_on if taken else NOWHERE  # elsewhere the mat's picture may be a packet's
    where = MatChange(MAT, seen, seen, ~NOWHERE)
    assert find_gone([back], [], [], where, np.zeros_like, start=False) == ([back] if taken else [])


@pytest.mark.parametrize(
    ("changed", "thing", "bare", "gone"),
    [
        pytest.param(1.0, 1.0, 0.0, True, id="taken up from upon a thing"),
        pytest.param(1.0, 0.5, 0.4, True, id="half of it lay upon a thing"),
        pytest.param(1.0, 0.3, 0.0, False, id="a hand lies upon it"),
        pytest.param(1.0, 0.0, 0.5, False, id="no thing was there, and little of the mat is seen"),
        pytest.param(0.0, 1.0, 0.0, False, id="an equal card below, and it lies there"),
        pytest.param(0.3, 1.0, 0.0, False, id="little has changed yet"),
    ],
)
def test_a_card_that_lay_upon_a_thing_is_gone_once_the_thing_is_seen_again(
    changed: float, thing: float, bare: float, gone: bool
) -> None:
    """A telephone lies in the middle: the bare mat is not seen when the card upon it is taken up."""
    card, earlier = lying(1, "HA"), np.zeros(MAT.grid.shape, np.float32)
    card.before = earlier
    place = np.argwhere(MAT.grid.card(card.pose))

    def some(start: float, share: float) -> np.ndarray:
        cells = NOWHERE.copy()
        cells[tuple(place[round(start * len(place)) : round((start + share) * len(place))].T)] = True
        return cells

    where = MatChange(MAT, some(0, changed), some(thing, bare), ~NOWHERE)

    def things_again(plane: np.ndarray) -> np.ndarray:
        assert plane is earlier
        return some(0, thing)

    assert find_gone([card], [], [], where, things_again, start=False) == ([card] if gone else [])


#: Numbers of the cards that lie there, and of those that go; which of them is reported as foreign.
FOREIGN = {
    "nothing else lies there": ((1, 2, 3, 4), [(1, 2, 3, 4)], []),
    "a thing that was there before": ((1, 2, 3, 4, 5), [(2, 3, 4, 5)], [1]),
    "one that came with the trick": ((1, 2, 3, 4, 5), [(1, 2, 4, 5)], [3]),
    "the next one's lead": ((1, 2, 3, 4, 5), [(1, 2, 3, 4)], []),
    "the trick goes in two": ((1, 2, 3, 4, 5), [(1, 2), (4, 5)], [3]),
    "three go, and one stays": ((1, 2, 3, 4), [(1, 2, 4)], []),
}


@pytest.mark.parametrize(("there", "going", "foreign"), FOREIGN.values(), ids=FOREIGN)
def test_what_lies_on_when_a_whole_trick_has_gone(
    there: tuple[int, ...], going: list[tuple[int, ...]], foreign: list[int]
) -> None:
    known = [
        CardLaid(at=1.0, card=n, label="HA", margin=1.0, choices=(("HA", 1.0),), x=40.0 * n - 120, y=0, angle=0.0)
        for n in there
    ]
    tracker = Tracker(taught(labels=("HA",)), MatLayout(), lying=known)
    reports: list[Report] = []
    for gone in going:
        cards = [card for card in tracker.state.cards if card.number in gone]
        context = FrameContext(MAT, np.zeros((720, 1280, 3), np.uint8), 2.0, reports)
        tracker._apply(context, Association({}, [], {}, cards, NOWHERE, NOWHERE))
    assert [one.card for one in reports if isinstance(one, CardGone) and one.foreign] == foreign
    left = set(there) - {number for gone in going for number in gone} - set(foreign)
    assert {card.number for card in tracker.state.cards} == left


@pytest.mark.parametrize("turned", [False, True], ids=["first the one, then the other is read", "the other way round"])
@pytest.mark.parametrize(
    ("to", "moved"),
    [
        pytest.param([(-11.0, 41.0), (-50.0, 24.0)], {0: 1, 1: 2}, id="both were pushed"),
        pytest.param([(-11.0, 41.0)], {0: 1}, id="one was pushed, the other is hidden or gone"),
        pytest.param([(-11.0, 41.0), (60.0, -20.0)], {0: 1}, id="one was pushed, an equal one laid elsewhere"),
    ],
)
def test_of_equal_cards_that_were_pushed_each_is_the_nearest(
    to: list[tuple[float, float]], moved: dict[int, int], turned: bool
) -> None:
    """The second comes to lie where the first had been nearer than it is to any other card."""
    cards = [lying(1, "HA", (-23.0, 51.0, 0.0)), lying(2, "HA", (-71.0, 9.0, 0.0))]
    new = [(lying(0, "HA", (x, y, 0.0)), reading("HA", 1.0)) for x, y in to]
    changed = np.ones(MAT.grid.shape, bool)
    where = MatChange(MAT, changed, NOWHERE, NOWHERE)
    found = find_moved(cards, new[::-1] if turned else new, (), where, STILL, lambda card, reading: False)
    fresh = [card for card, _ in new]
    assert {place: found[card][0].number for place, card in enumerate(fresh) if card in found} == moved


@pytest.mark.parametrize(
    ("changed", "mat", "as_before", "moved"),
    [
        pytest.param(1.0, 0.0, 0.0, True, id="all has changed"),
        pytest.param(0.0, 0.0, 1.0, False, id="all looks as before"),
        pytest.param(0.0, 1.0, 0.0, True, id="the mat is seen where a hand was a moment ago"),
        pytest.param(0.0, 0.0, 0.0, False, id="a hand is upon all of it"),
        pytest.param(0.1, 0.3, 0.0, True, id="a hand is upon most of it"),
        pytest.param(0.1, 0.3, 0.5, False, id="more looks as before than has changed"),
        pytest.param(0.05, 0.05, 0.0, False, id="of too little can anything be told"),
    ],
)
def test_what_an_equal_card_leaves_visible_of_another_tells_whether_it_is_that_one(
    changed: float, mat: float, as_before: float, moved: bool
) -> None:
    """A spade ten was pushed by 13 mm and turned by a third of a right angle, and told as the second one."""
    card, fresh = lying(1, "ST", (33.9, -25.6, 0.70)), lying(0, "ST", (45.9, -29.8, 0.14))
    left = np.flatnonzero(MAT.grid.card(card.pose) & ~MAT.grid.card(fresh.pose, LIMITS.shadow_mm))
    ripe, bare, differs, rest = NOWHERE.copy(), NOWHERE.copy(), ~NOWHERE, np.zeros(MAT.grid.shape, np.float32)
    first, second, third = np.cumsum(np.round(len(left) * np.array([changed, mat, as_before])).astype(int))
    ripe.flat[left[:first]] = True
    bare.flat[left[first:second]] = True
    differs.flat[left[second:third]] = False
    rest.flat[[*left[:first], *left[second:third]]] = AT_REST_S
    change = FrameChange(NOWHERE, rest, differs, differs, "", 1.0)
    where = MatChange(MAT, ripe, bare, ~NOWHERE)
    found = find_moved([card], [(fresh, reading("ST", 1.0))], (), where, change, lambda card, reading: False)
    assert (fresh in found) == moved


@pytest.mark.parametrize(
    ("label", "rested_s", "changed", "new"),
    [
        pytest.param("SK", 10.1, True, True, id="it came to rest after the other was read: it lies on top"),
        pytest.param("SK", 9.9, True, False, id="it lay there when the other was read: that was this one, misread"),
        pytest.param("SK", 10.1, False, False, id="nothing has changed there: it is misread now"),
        pytest.param("SA", 10.1, True, False, id="the same label"),
    ],
)
def test_another_label_in_the_place_of_a_card(label: str, rested_s: float, changed: bool, new: bool) -> None:
    lower = lying(1, "SA")
    lower.since, lower.reported = 10.0, ("SA", False)
    read = replace(reading(label, 1.0), pose=(6.0, 0.0, 0.0))
    ripe = np.full(MAT.grid.shape, changed)
    known, unmatched = match_known([lower], [read], MAT.grid, ripe, np.full(MAT.grid.shape, rested_s))
    assert (unmatched == [read], lower in known) == (new, not new)


@pytest.mark.parametrize(("other", "share", "otherwise"), [
    pytest.param(None, 1.0, True, id="it was turned up"),
    pytest.param(None, 0.2, True, id="a hand has gone from it"),
    pytest.param(None, 0.05, False, id="a shadow"),
    pytest.param("above", 1.0, False, id="another card lies upon it"),
    pytest.param("new", 1.0, False, id="another card was laid upon it"),
    pytest.param("below", 1.0, True, id="it lies upon another card"),
])  # fmt: skip
def test_a_card_of_which_nothing_is_read_looks_otherwise(other: str | None, share: float, otherwise: bool) -> None:
    tracker = Tracker(taught(labels=("HA",)), MatLayout())
    card, beside = TrackedCard(1, (0.0, 0.0, 0.0), 1.0), TrackedCard(2, (30.0, 10.0, 0.2), 1.0)
    tracker._cards = {"above": [card, beside], "below": [beside, card]}.get(other or "", [card])
    cells = np.argwhere(MAT.grid.card(card.pose))
    changed = NOWHERE.copy()
    changed[tuple(cells[: round(share * len(cells))].T)] = True
    new = [(beside, reading("SA", 0.5))] if other == "new" else []
    found = Association({}, new, {}, [], NOWHERE, changed)
    assert tracker._looks_otherwise(MAT.grid, card, found) is otherwise
