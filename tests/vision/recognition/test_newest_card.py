"""The newest card alone, and a card whose place is known, read in rendered pictures; what hinders it is told."""

import math
from dataclasses import replace

import cv2
import numpy as np
import pytest

from kiosk.bench.tracking import track_film
from tests.vision.taught import features as features_of
from tests.vision.taught import taught
from vision.deck.deck import Deck
from vision.geometry.projection import PlaneProjection, card_corners
from vision.mat.calibration import find_mat
from vision.mat.layout import MatLayout
from vision.messages import CardGone, CardLaid, Report, TrickTaken
from vision.recognition.card_reading import CardReading
from vision.recognition.deck_features import DeckFeatures
from vision.recognition.single_card import ChangedPlaces, KnownPlace, is_print_of_lower_card, read_held, read_newest
from vision.simulation.art import load_art
from vision.simulation.film import SimCamera
from vision.simulation.geometry import CardPose
from vision.simulation.tabletop import PlacedCard
from vision.tracking import card_reader
from vision.tracking.cell_grid import MatRegions
from vision.tracking.frame_context import FrameContext
from vision.tracking.tracked_card import TrackedCard
from vision.tracking.tracker import Tracker

pytestmark = pytest.mark.slow

SIZE = (59.0, 91.0)
LABELS = ("SA", "SK", "DK", "ST", "CT")


def deck() -> Deck:
    return taught(labels=LABELS)


def features() -> DeckFeatures:
    return features_of(deck())


def picture(*cards: tuple[str, CardPose]) -> tuple[np.ndarray, PlaneProjection]:
    camera = SimCamera(load_art("stichwart"), seed=5)
    for label, pose in cards:
        camera.renderer.lay_down(PlacedCard(label, pose))
    return next(camera).image, PlaneProjection(camera.homography, (1280, 720))


def change(*poses: CardPose, step: float = 3.0) -> ChangedPlaces:
    """What changes where cards are laid, on a grid."""
    grid = np.stack(np.meshgrid(np.arange(-180, 180, step), np.arange(-120, 120, step)), 2).reshape(-1, 2)
    inside = np.zeros(len(grid), bool)
    for pose in poses:
        corners = card_corners((pose.x, pose.y, pose.angle), SIZE).astype(np.float32)
        inside |= [cv2.pointPolygonTest(corners, (float(x), float(y)), False) >= 0 for x, y in grid]
    return ChangedPlaces(grid[inside], step * step)


BELOW, ABOVE = CardPose(0.0, 30.0, 0.1), CardPose(28.0, 8.0, 1.4)


def test_the_newest_card_is_read_though_it_lies_on_others() -> None:
    image, view = picture(("SK", BELOW), ("ST", ABOVE))
    seen = read_newest(image, features(), view, change(ABOVE))
    assert seen is not None
    assert seen.label == "ST"
    assert seen.margin > 0.5
    assert seen.pose is not None
    assert seen.pose[:2] == pytest.approx((28.0, 8.0), abs=1.0)


def test_two_cards_at_once_take_a_closer_look() -> None:
    image, view = picture(("SK", BELOW), ("ST", ABOVE))
    assert read_newest(image, features(), view, change(BELOW, ABOVE)) is None
    far = CardPose(-90.0, -40.0, 0.0)
    assert read_newest(image, features(), view, change(far, ABOVE)) is None


@pytest.mark.parametrize("beside", ["a hand", "a card", "a card known to lie there"])
def test_a_clear_card_is_told_although_a_hand_is_beside_it(beside: str) -> None:
    """A look at all that lies there would take ten times as long. A second card would be told in the wrong order."""
    other = CardPose(98.0, 10.0, 0.2)
    image, view = picture(("SK", BELOW), ("ST", ABOVE), *([] if beside == "a hand" else [("CT", other)]))
    card = change(ABOVE)
    x, y = np.meshgrid(np.arange(75.0, 120.0, 3.0), np.arange(-20.0, 40.0, 3.0))
    both = replace(card, places=np.vstack([card.places, np.column_stack([x.ravel(), y.ravel()])]))
    if beside == "a hand":
        quad = view.project(np.array([[76.0, -18.0], [130.0, -22.0], [130.0, 42.0], [76.0, 38.0]]))
        cv2.fillConvexPoly(image, quad.astype(np.int32), (105, 140, 190))
    known = [BELOW, other] if beside == "a card known to lie there" else [BELOW]
    lying = [(pose.x, pose.y, pose.angle) for pose in known]
    assert read_newest(image, features(), view, both) is None
    seen = read_held(image, features(), view, both, lying)
    assert (seen is not None and seen.label == "ST") is (beside != "a card")


def test_no_card_is_read_where_none_was_laid() -> None:
    image, view = picture(("SK", BELOW))
    assert read_newest(image, features(), view, change(CardPose(-80.0, 0.0, 0.3))) is None
    assert read_newest(image, features(), view, ChangedPlaces(np.zeros((0, 2)), 9.0)) is None


def test_a_card_is_found_again_below_the_one_that_covers_a_part_of_it() -> None:
    image, view = picture(("SK", BELOW), ("ST", ABOVE))
    below = (BELOW.x, BELOW.y, BELOW.angle)
    seen = KnownPlace(image, features(), view, below, [(ABOVE.x, ABOVE.y, ABOVE.angle)]).read()
    assert seen is not None
    assert seen.label == "SK"


def test_a_card_that_was_taken_away_is_not_found() -> None:
    image, view = picture(("ST", ABOVE))
    assert KnownPlace(image, features(), view, (-70.0, 20.0, 0.1)).read() is None


@pytest.mark.parametrize(("label", "there"), [("ST", True), ("DK", False)])
@pytest.mark.parametrize("off", [0.0, 2.5])
def test_a_card_is_asked_for_by_its_label(label: str, there: bool, off: float) -> None:
    image, view = picture(("ST", ABOVE))
    seen = KnownPlace(image, features(), view, (ABOVE.x + off, ABOVE.y, ABOVE.angle)).read(label)
    assert (seen is not None and seen.label == label) is there


@pytest.mark.parametrize(("label", "there"), [("SK", True), ("DK", False), ("SA", False)])
def test_a_glance_confirms_the_face_that_lies_there_alone(label: str, there: bool) -> None:
    image, view = picture(("SK", BELOW), ("ST", ABOVE))
    above = [(ABOVE.x, ABOVE.y, ABOVE.angle)]
    assert KnownPlace(image, features(), view, (BELOW.x, BELOW.y, BELOW.angle), above).has_label(label) is there
    assert not KnownPlace(image, features(), view, (-90.0, -20.0, 0.1)).has_label(label)


@pytest.mark.parametrize(
    ("cards", "below", "is_one"),
    [
        ([("ST", ABOVE)], ABOVE, True),
        ([("ST", ABOVE), ("ST", BELOW)], ABOVE, False),
        ([("ST", BELOW), ("ST", ABOVE)], ABOVE, False),
    ],
    ids=["no other there", "laid on the other", "seen beside the other, which covers it"],
)
def test_an_equal_card_is_the_print_of_another_or_not(
    cards: list[tuple[str, CardPose]], below: CardPose, *, is_one: bool
) -> None:
    image, view = picture(*cards)
    look, known = ((pose.x, pose.y, pose.angle) for pose in (BELOW, below))
    assert is_print_of_lower_card(image, features(), view, (look, "ST"), (known, "ST")) is is_one


def test_a_ten_half_hidden_by_the_hand_is_one_ten() -> None:
    """What the hand leaves free last fits on a ten that lies across, too."""
    art = load_art("stichwart-bavarian")
    camera = SimCamera(art, seed=12, light="hall")
    tracker = Tracker(taught(art.name, ("ST", "S9", "S8", "GT")), camera.layout)
    camera.wait(0.6)
    act = camera.lay("ST", 3, pose=CardPose(7.07, -44.36, 0.19))
    laid: list[Report] = []
    while camera.now < act.end + 0.3:
        laid += [report for report in tracker.process(next(camera)) if isinstance(report, CardLaid)]
    assert [report.label for report in laid if isinstance(report, CardLaid)] == ["ST"]


@pytest.mark.parametrize(
    ("pose", "fits"),
    [((0.0, 0.0, 0.0), True), ((4.0, -3.0, 0.05), True), ((0.0, 0.0, np.pi / 2), False), ((60.0, 0.0, 0.0), False)],
    ids=["there", "nearly", "across", "beside"],
)
def test_a_pose_explains_a_change_or_not(pose: tuple[float, float, float], fits: bool) -> None:
    assert change(CardPose(0.0, 0.0, 0.0)).explained_by(np.array([pose]), SIZE).tolist() == [fits]


@pytest.mark.parametrize("light", ["sun", "switched"])
def test_a_trick_in_light_that_changes(light: str) -> None:
    camera = SimCamera(load_art("stichwart"), seed=301, light=light, fps=10)
    tracker = Tracker(deck(), camera.layout)
    camera.wait(8.0)  # until it has changed
    for number, label in enumerate(LABELS[:4]):
        camera.lay(label, number + 1)
    camera.wait(3.0)
    camera.collect(1)
    camera.wait(1.0)
    reports: list[Report] = []
    while camera.busy:
        reports += tracker.process(next(camera))
    assert [one.label for one in reports if isinstance(one, CardLaid)] == list(LABELS[:4])
    assert not any(isinstance(one, CardGone) for one in reports)
    assert [one.cards for one in reports if isinstance(one, TrickTaken)] == [(1, 2, 3, 4)]


def test_a_trick_seen_by_a_camera_that_gives_jpegs() -> None:
    art = load_art("stichwart")
    figures = track_film(taught(), art, 7, 1, jpeg=85)
    assert (figures.right, figures.tricks_right, figures.phantom) == (4, 1, [])


@pytest.mark.parametrize("both", [False, True], ids=["one card", "two equal ones"])
def test_a_card_read_in_the_wrong_place_is_the_one_that_is_seen_whole(both: bool) -> None:
    """A hand left half of an eight free when it was laid, and pips repeat: it was said to lie 22 mm further."""
    wrong = CardPose(ABOVE.x - 22 * math.sin(ABOVE.angle), ABOVE.y + 22 * math.cos(ABOVE.angle), ABOVE.angle)
    camera = SimCamera(load_art("stichwart"), seed=5)
    tracker = Tracker(deck(), camera.layout)
    camera.wait(1.0)
    if both:
        camera.lay("ST", 1, pose=wrong)
    while camera.busy:
        tracker.process(next(camera))
    if not both:
        said = CardLaid(at=0.0, card=1, label="ST", margin=0.4, choices=(), x=wrong.x, y=wrong.y, angle=wrong.angle)
        tracker._cards, tracker._number = [TrackedCard.known(said)], 1
    camera.lay("ST", 2, pose=ABOVE)
    camera.wait(1.0)
    reports: list[Report] = []
    while camera.busy:
        reports += tracker.process(next(camera))
    (seen,) = [report for report in reports if isinstance(report, CardLaid)]
    assert (seen.card, seen.label) == (2 if both else 1, "ST")
    assert (seen.x, seen.y) == pytest.approx((ABOVE.x, ABOVE.y), abs=1.0)
    assert [card.number for card in tracker.state.cards] == ([1, 2] if both else [1])


@pytest.mark.parametrize(
    ("share", "pose", "known_as", "kept"),
    [
        pytest.param(0.04, (60.0, 0.0, 0.0), "ST", False, id="next to nothing of a new one"),
        pytest.param(0.3, (60.0, 0.0, 0.0), "ST", True, id="a part of a new one"),
        pytest.param(0.04, (1.0, 30.0, 0.1), "ST", True, id="next to nothing of one known to lie there"),
        pytest.param(0.04, (1.0, 30.0, 0.1), None, True, id="which was not read yet"),
        pytest.param(0.04, (1.0, 30.0, 0.1), "SK", False, id="next to nothing of a new one, in the place of another"),
        pytest.param(0.3, (1.0, 30.0, 0.1), "SK", True, id="a part of a new one right upon another"),
    ],
)
def test_what_shows_next_to_nothing_of_its_face_is_no_new_card(
    share: float,
    pose: tuple[float, float, float],
    known_as: str | None,
    kept: bool,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A hand rested on a ten that was just laid, and a nine, of which all but nothing could be, was read below it."""
    image, _ = picture(("SK", BELOW))
    board = MatRegions.of(find_mat(image, MatLayout()), MatLayout(), SIZE)
    sharp = features().sharp
    evidence = share * float(sharp.weights[2 * sharp.labels.index("ST")].sum())
    look = CardReading("ST", 0.7, (("ST", evidence), ("SK", 0.5)), np.zeros((4, 2)), pose)
    monkeypatch.setattr(card_reader, "read_newest", lambda *_: None)
    monkeypatch.setattr(card_reader, "read_held", lambda *_: None)
    monkeypatch.setattr(card_reader, "recognise", lambda *_: [look])
    x, y, angle = BELOW.x, BELOW.y, BELOW.angle
    known = TrackedCard(1, (x, y, angle), 0.0)
    if known_as is not None:
        told = CardLaid(at=0.0, card=1, label=known_as, margin=1.0, choices=((known_as, 9.0),), x=x, y=y, angle=angle)
        known = TrackedCard.known(told)
    matter = board.grid.card((60.0, 0.0, 0.0))
    context = FrameContext(board, image, 0.0, [])
    found = card_reader.CardReader(deck()).read_changed(context, matter, [known], 50.0, closely=True)
    assert found == ([look] if kept else [])
