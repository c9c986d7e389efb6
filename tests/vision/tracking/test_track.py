"""Tracking over time. The reader is told the truth here (which cards can be seen, and where): what is tested is what
the tracker makes of frames and readings. Reading itself has its own tests; both together are measured over films."""

from collections.abc import Callable
from dataclasses import dataclass, replace

import cv2
import numpy as np
import pytest

from kiosk.bench.tracking import track_film
from vision.camera.frame import Frame
from vision.deck.deck import Deck
from vision.geometry.projection import Array, PlaneProjection
from vision.images import Picture
from vision.mat.calibration import calibrate_from_corners
from vision.messages import ArmReached, Blind, CardGone, CardLaid, HandInTheWay, Report, TrickTaken
from vision.recognition.card_reading import CardReading
from vision.simulation.artwork import Art, rounded
from vision.simulation.film import SimCamera
from vision.simulation.geometry import CardPose
from vision.tracking.tracker import Tracker

pytestmark = pytest.mark.slow

#: Of the frames, px: as a camera's; and half as wide and high, which is enough for most of what the tracker does.
FINE, SIZE = (1280, 720), (640, 360)
LABELS = tuple(s + r for s in "CSHD" for r in "ATKQJ9")


@pytest.fixture(scope="module")
def art() -> Art:
    """Plain faces: index in two corners, and a sign."""
    faces = {}
    for label in LABELS:
        card = np.full((364, 236, 3), (236, 240, 242), np.uint8)
        ink = (30, 30, 190) if label[0] in "HD" else (40, 35, 30)
        cv2.putText(card, label, (10, 44), cv2.FONT_HERSHEY_SIMPLEX, 1.2, ink, 4)
        card[182:] = card[:182][::-1, ::-1]
        cv2.putText(card, label, (60, 205), cv2.FONT_HERSHEY_SIMPLEX, 2.6, ink, 8)
        faces[label] = rounded(card)
    back = np.full((364, 236, 3), (120, 60, 40), np.uint8)
    back[::12] = (200, 180, 170)
    return Art("plain", (59.0, 91.0), faces, rounded(back))


@pytest.fixture(scope="module")
def deck(art: Art) -> Deck:
    return Deck("plain", art.size_mm, {label: face[..., :3] for label, face in art.faces.items()}, 2)


class Truth:
    """Reads what really lies there, as far as 35 % of it can be seen; ``doubts`` first looks are in doubt."""

    def __init__(self, camera: SimCamera, doubts: int = 0) -> None:
        self.camera, self.doubts, self.looks = camera, doubts, 0
        self._rng = np.random.default_rng(0)

    def __call__(
        self, frame: Picture, deck: Deck, view: PlaneProjection | None = None, region: Array | None = None
    ) -> list[CardReading]:
        self.looks += 1
        found = []
        cards = self.camera.cards
        for n, card in enumerate(cards):
            mask = np.zeros(frame.shape[:2], np.uint8)
            cv2.fillConvexPoly(mask, card.quad.astype(np.int32), 1)
            whole = int(mask.sum())
            if region is not None:
                asked = cv2.fillConvexPoly(np.zeros_like(mask), region.astype(np.int32), 1)
                if not (mask & asked).any():
                    continue
            for above in cards[n + 1 :]:
                cv2.fillConvexPoly(mask, above.quad.astype(np.int32), 0)
            if int(mask.sum()) < 0.35 * whole:
                continue
            assert view is not None
            centre = view.unproject([card.quad.mean(0)])[0] + self._rng.normal(0, 0.5, 2)
            top = view.unproject([(card.quad[0] + card.quad[1]) / 2])[0]
            up = top - view.unproject([card.quad.mean(0)])[0]
            pose = (float(centre[0]), float(centre[1]), float(np.arctan2(up[0], -up[1])))
            choices = ((card.label, 0.9), ("C9", 0.5))
            seen = CardReading(card.label, 0.4, choices, card.quad, pose)
            if self.looks <= self.doubts:
                seen = replace(seen, label=None, margin=0.05)
            found.append(seen)
        return found


@dataclass
class Table:
    """A camera, and the tracker that watches it."""

    camera: SimCamera
    tracker: Tracker
    change: Callable[[Frame], Frame] = lambda frame: frame

    def watch(self, seconds: float = 0.0) -> list[Report]:
        """Reports until all acts are over, and some time more."""
        self.camera.wait(seconds)
        reports: list[Report] = []
        while self.camera.busy:
            reports += self.tracker.process(self.change(next(self.camera)))
        return reports


@pytest.fixture
def size() -> tuple[int, int]:
    return SIZE


@pytest.fixture
def table(art: Art, deck: Deck, size: tuple[int, int]) -> Table:
    camera = SimCamera(art, seed=4, size=size)
    table = Table(camera, Tracker(deck, camera.layout, recogniser=Truth(camera)))
    assert table.watch(0.5) == []
    return table


def laid(reports: list[Report]) -> list[str | None]:
    return [r.label for r in reports if isinstance(r, CardLaid)]


def only(kind: type, reports: list[Report]) -> list[Report]:
    return [r for r in reports if isinstance(r, kind)]


@pytest.mark.parametrize(("seed", "size"), [(1, FINE), (2, SIZE)], ids=["fine", "coarse"])
def test_tricks_of_hurried_players(art: Art, deck: Deck, seed: int, size: tuple[int, int]) -> None:
    figures = track_film(deck, art, seed, 4, reader=Truth, hands=0.3, hurry=0.6, size=size)
    assert (figures.cards, figures.right) == (16, 16)
    assert (figures.wrong, figures.missed, figures.phantom, figures.gone) == ([], [], [], 0)
    assert (figures.tricks_right, figures.takers_right) == (4, 4)
    assert max(figures.from_rest) < 1.0


def test_a_card_is_said_once_with_its_place(table: Table) -> None:
    table.camera.lay("HT", 1, pose=CardPose(10.0, 42.0, 0.3))
    reports = table.watch(2.0)
    (card,) = only(CardLaid, reports)
    assert isinstance(card, CardLaid)
    assert (card.label, card.card) == ("HT", 1)
    assert (card.x, card.y, card.angle) == pytest.approx((10.0, 42.0, 0.3), abs=1.5)
    assert card.picture is not None
    hands = [r.gone for r in reports if isinstance(r, HandInTheWay)]
    assert hands == [False, True]


def test_equal_cards_are_two_only_if_two_were_laid(table: Table) -> None:
    table.camera.lay("HT", 1)
    table.camera.hover(3)
    first = table.watch(1.0)
    table.camera.lay("HT", 3)
    second = table.watch(1.0)
    assert laid(first) == ["HT"]
    assert laid(second) == ["HT"]
    assert only(CardGone, first + second) == []


def test_equal_cards_nearly_on_top_of_each_other(table: Table) -> None:
    table.camera.lay("HT", 1, pose=CardPose(0.0, 0.0, 0.0))
    table.camera.lay("HT", 3, pose=CardPose(16.0, 8.0, 0.1))
    assert laid(table.watch(1.0)) == ["HT", "HT"]


@pytest.mark.parametrize("size", [FINE], ids=["fine"])
def test_a_card_that_is_pushed_keeps_its_number(table: Table) -> None:
    table.camera.lay("HT", 1, pose=CardPose(0.0, 30.0, 0.0))
    table.camera.lay("CA", 3, pose=CardPose(0.0, -45.0, 0.0))
    table.watch(1.0)
    lying = table.camera.renderer.table
    lying.turn(lying.cards[0], pose=CardPose(18.0, 36.0, 0.15))
    (now,) = [r for r in table.watch(3.0) if not isinstance(r, HandInTheWay)]
    assert isinstance(now, CardLaid)
    assert (now.card, now.label, now.x, now.y) == (1, "HT", pytest.approx(18, abs=2), pytest.approx(36, abs=2))
    table.camera.take_back("CA", 3)
    assert [r.card for r in table.watch(2.0) if isinstance(r, CardGone)] == [2]


def test_a_card_taken_back_is_gone_the_others_stay(table: Table) -> None:
    for seat, label in enumerate(("HT", "CA", "S9"), 1):
        table.camera.lay(label, seat)
    table.camera.take_back("CA", 2)
    reports = table.watch(2.5)
    assert laid(reports) == ["HT", "CA", "S9"]
    assert [r.card for r in reports if isinstance(r, CardGone)] == [2]
    table.camera.lay("CK", 2)
    table.camera.collect(2)
    reports = table.watch(1.0)
    assert laid(reports) == ["CK"]
    (taken,) = only(TrickTaken, reports)
    assert isinstance(taken, TrickTaken)
    assert taken.cards == (1, 3, 4)


def test_a_single_card_taken_back(table: Table) -> None:
    table.camera.lay("HT", 1)
    table.camera.take_back("HT", 1)
    reports = table.watch(2.0)
    assert laid(reports) == ["HT"]
    assert [r.card for r in reports if isinstance(r, CardGone)] == [1]
    assert only(TrickTaken, reports) == []


def test_a_hidden_card_keeps_its_name(table: Table) -> None:
    table.camera.lay("HT", 1, pose=CardPose(0.0, 0.0, 0.0))
    table.camera.lay("CA", 2, pose=CardPose(6.0, 4.0, 0.02))
    table.camera.lay("S9", 3, pose=CardPose(-4.0, 2.0, 1.5))
    reports = table.watch(1.0)
    table.camera.collect(1)
    reports += table.watch(1.0)
    assert laid(reports) == ["HT", "CA", "S9"]
    assert only(CardGone, reports) == []
    assert [r.cards for r in reports if isinstance(r, TrickTaken)] == [(1, 2, 3)]


@pytest.mark.parametrize("size", [FINE], ids=["fine"])
def test_the_next_lead_right_after_a_trick(table: Table) -> None:
    for seat, label in enumerate(("HT", "CA", "S9", "DQ"), 1):
        table.camera.lay(label, seat)
    take = table.camera.collect(3)
    table.camera.lay("HT", 3, at=take.gone - 0.3)  # the other Herz 10, before the first hand is away
    reports = table.watch(1.5)
    kinds = [type(r).__name__ for r in reports if isinstance(r, CardLaid | TrickTaken | CardGone)]
    assert kinds == ["CardLaid"] * 4 + ["TrickTaken", "CardLaid"]
    assert laid(reports)[-1] == "HT"


@pytest.mark.parametrize("size", [FINE], ids=["fine"])
def test_hands_and_light_are_no_cards(table: Table) -> None:
    table.camera.lay("HT", 1)
    table.watch(0.5)
    table.camera.hover(2, 2.5)
    table.camera.flicker(2.0, 0.15)
    table.camera.drift(0.2, 2.0)
    table.camera.wait(2.0)
    table.camera.hover(4, 1.0)
    reports = table.watch(1.0)
    assert [r for r in reports if not isinstance(r, HandInTheWay | ArmReached)] == []


def test_dark_and_light_again(table: Table) -> None:
    table.camera.lay("HT", 1)
    table.watch(0.5)
    table.camera.darken(3.0)
    reports = table.watch(1.5)
    assert [r.why for r in reports if isinstance(r, Blind)] == ["dark", ""]
    assert laid(reports) == []
    assert only(CardGone, reports) + only(TrickTaken, reports) == []


def test_a_capped_lens_is_said(table: Table) -> None:
    table.camera.lay("HT", 1)
    table.watch(0.5)
    table.change = lambda frame: Frame(np.full_like(frame.image, 70), frame.at)
    assert [r.why for r in table.watch(2.0) if isinstance(r, Blind)] == ["covered"]
    table.change = lambda frame: frame
    reports = table.watch(2.0)
    assert [r.why for r in reports if isinstance(r, Blind)] == [""]
    assert laid(reports) == []


def test_a_pushed_mat(table: Table) -> None:
    table.camera.lay("HT", 1)
    table.watch(0.5)
    table.camera.push_mat(7.0, -4.0, 0.02)
    assert laid(table.watch(6.0)) == []
    table.camera.lay("CA", 3, pose=CardPose(-5.0, -40.0, 0.0))
    reports = table.watch(1.0)
    (card,) = only(CardLaid, reports)
    assert isinstance(card, CardLaid)
    assert (card.x, card.y) == pytest.approx((-5.0, -40.0), abs=2.0)
    assert only(CardGone, reports) == []


def test_a_doubt_is_asked_with_a_picture_and_settled_by_later_looks(art: Art, deck: Deck) -> None:
    camera = SimCamera(art, seed=4, size=FINE)
    truth = Truth(camera, doubts=3)
    table = Table(camera, Tracker(deck, camera.layout, recogniser=truth))
    table.watch(0.5)
    truth.looks = 0
    camera.lay("HT", 1)
    doubt, settled = only(CardLaid, table.watch(3.0))
    assert isinstance(doubt, CardLaid)
    assert isinstance(settled, CardLaid)
    assert (doubt.label, settled.label, doubt.card) == (None, "HT", settled.card)
    assert doubt.choices[0][0] == "HT"
    assert doubt.picture is not None
    assert cv2.imdecode(np.frombuffer(doubt.picture, np.uint8), cv2.IMREAD_COLOR).shape == (364, 236, 3)


def test_a_doubt_that_the_next_looks_settle_is_not_asked(art: Art, deck: Deck) -> None:
    camera = SimCamera(art, seed=4, size=SIZE)
    truth = Truth(camera, doubts=2)
    table = Table(camera, Tracker(deck, camera.layout, recogniser=truth))
    table.watch(0.5)
    truth.looks = 0
    camera.lay("HT", 1)
    assert laid(table.watch(3.0)) == ["HT"]


def test_a_card_misread_below_the_hand_is_no_second_one(art: Art, deck: Deck) -> None:
    """The first look is wrong and hardly sure; before it is said the hand lays the card free and it is read rightly."""
    camera = SimCamera(art, seed=4, size=SIZE)
    truth = Truth(camera)
    read_at: list[float] = []

    def read(
        frame: Picture, deck: Deck, view: PlaneProjection | None = None, region: Array | None = None
    ) -> list[CardReading]:
        seen = truth(frame, deck, view, region)
        if seen and not read_at:
            read_at.append(camera.now)
            return [replace(look, label="C9", margin=0.13, choices=(("C9", 0.9), ("HT", 0.8))) for look in seen]
        return seen

    def sleeve(frame: Frame) -> Frame:
        if read_at or not camera.cards:
            return frame
        x, y, width, height = cv2.boundingRect(camera.cards[0].quad.astype(np.int32))
        return Frame(paste(frame.image, (x, y, width, height // 2), (90, 130, 120)), frame.at)

    table = Table(camera, Tracker(deck, camera.layout, recogniser=read), sleeve)
    table.watch(0.5)
    camera.lay("HT", 2)
    assert laid(table.watch(1.5)) == ["HT"]


def test_a_card_laid_after_one_in_doubt_is_said_after_it(art: Art, deck: Deck) -> None:
    camera = SimCamera(art, seed=4, size=SIZE)
    truth = Truth(camera, doubts=10**6)
    table = Table(camera, Tracker(deck, camera.layout, recogniser=truth))
    table.watch(0.5)
    first = camera.lay("HT", 2)
    camera.lay("CA", 4, first.at_rest + 0.1)
    camera.collect(3, first.at_rest + 2.0)
    reports = table.watch(2.0)
    said = [r for r in reports if isinstance(r, CardLaid | TrickTaken)]
    assert [r.choices[0][0] if isinstance(r, CardLaid) else r.cards for r in said] == ["HT", "CA", (1, 2)]


def test_a_card_that_recognition_overlooks_is_read_by_itself(art: Art, deck: Deck) -> None:
    camera = SimCamera(art, seed=4, size=SIZE)
    table = Table(camera, Tracker(deck, camera.layout, recogniser=lambda frame, deck, view=None, region=None: []))
    table.watch(0.5)
    camera.lay("HT", 1, pose=CardPose(5.0, 30.0, 0.2))
    (card,) = only(CardLaid, table.watch(4.0))
    assert isinstance(card, CardLaid)
    assert card.choices[0][0] == "HT"
    assert (card.x, card.y) == pytest.approx((5.0, 30.0), abs=2.0)


def test_cards_that_lay_there_before_a_restart_are_not_laid_again(table: Table, deck: Deck) -> None:
    for seat, label in enumerate(("HT", "CA"), 1):
        table.camera.lay(label, seat)
    before = [r for r in table.watch(1.0) if isinstance(r, CardLaid)]
    table.tracker = Tracker(deck, table.camera.layout, recogniser=Truth(table.camera), lying=before, first_card=3)
    assert table.watch(2.0) == []
    table.camera.lay("S9", 3)
    assert [(r.card, r.label) for r in table.watch(1.0) if isinstance(r, CardLaid)] == [(3, "S9")]


def test_cards_that_lie_there_at_the_start_are_told(table: Table, deck: Deck) -> None:
    table.camera.lay("HT", 1)
    table.watch(1.0)
    table.tracker = Tracker(deck, table.camera.layout, recogniser=Truth(table.camera))
    assert laid(table.watch(1.0)) == ["HT"]


def test_a_trick_begun_before_the_start(table: Table, deck: Deck) -> None:
    for seat, label in enumerate(("HT", "CA", "S9"), 1):
        table.camera.lay(label, seat)
    table.watch(1.0)
    table.tracker = Tracker(deck, table.camera.layout, recogniser=Truth(table.camera))
    assert sorted(map(str, laid(table.watch(1.0)))) == ["CA", "HT", "S9"]
    table.camera.lay("DQ", 4)
    table.camera.collect(4)
    reports = table.watch(1.0)
    assert laid(reports) == ["DQ"]
    assert [r.cards for r in reports if isinstance(r, TrickTaken)] == [(1, 2, 3, 4)]


def test_a_table_without_the_sheet_set_by_hand(table: Table, deck: Deck) -> None:
    half = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * (150.0, 100.0)
    corners = cv2.perspectiveTransform(half.reshape(1, -1, 2), table.camera.homography)[0]
    table.tracker = Tracker(
        deck, None, calibrate_from_corners(corners, SIZE, (300, 200)), recogniser=Truth(table.camera)
    )
    table.watch(0.5)
    table.camera.lay("HT", 1, pose=CardPose(10.0, 42.0, 0.3))
    table.camera.lay("CA", 2)
    table.camera.collect(4)
    reports = table.watch(1.0)
    first, _ = only(CardLaid, reports)
    assert isinstance(first, CardLaid)
    assert (first.x, first.y) == pytest.approx((10.0, 42.0), abs=1.5)
    (taken,) = only(TrickTaken, reports)
    assert isinstance(taken, TrickTaken)
    assert taken.x is not None
    assert taken.x > 80  # towards seat 4, on the right


def paste(image: np.ndarray, box: tuple[int, int, int, int], colour: tuple[int, int, int]) -> np.ndarray:
    x, y, width, height = box
    image = image.copy()
    cv2.rectangle(image, (x, y), (x + width, y + height), colour, -1)
    cv2.rectangle(image, (x + 5, y + 5), (x + width - 5, y + height - 5), (90, 60, 40), 2)
    return image


def test_a_thing_put_down_is_no_card_and_hides_none(table: Table) -> None:
    table.camera.lay("HT", 1, pose=CardPose(-30.0, 20.0, 0.0))
    table.watch(0.5)
    table.change = lambda frame: Frame(paste(frame.image, (320, 125, 65, 65), (200, 190, 60)), frame.at)
    reports = table.watch(9.0)
    table.camera.lay("CA", 3)
    reports += table.watch(1.0)
    table.change = lambda frame: frame
    reports += table.watch(3.0)
    assert laid(reports) == ["CA"]
    assert [r for r in reports if isinstance(r, CardGone | TrickTaken | Blind)] == []


def test_a_thing_put_down_while_a_trick_is_taken_does_not_hold_it_up(table: Table) -> None:
    for seat, label in enumerate(("HT", "CA", "S9", "DQ"), 1):
        table.camera.lay(label, seat)
    table.watch(0.5)
    table.camera.collect(1)
    taken = table.camera.free_at
    table.change = lambda frame: (
        Frame(paste(frame.image, (350, 215, 55, 45), (200, 190, 60)), frame.at) if frame.at > taken - 1.0 else frame
    )
    (trick,) = only(TrickTaken, table.watch(1.5))
    assert isinstance(trick, TrickTaken)
    assert trick.at < taken + 1.0


@pytest.mark.parametrize(
    ("taken_s", "late_s"),
    [
        pytest.param(1.0, 2.8, id="its place was tried to be read"),
        pytest.param(1.0, 3.4, id="and it came to rest just then"),
        pytest.param(2.0, 3.5, id="who took the trick in was waited for until then"),
    ],
)
def test_a_card_laid_just_before_a_thing_counts_as_part_of_the_table_is_told(
    table: Table, taken_s: float, late_s: float
) -> None:
    """The thing was tried to be read with all that a trick left behind, and the lead lies where a card of that lay."""
    for seat, label in enumerate(("HT", "CA", "S9", "DQ"), 1):
        table.camera.lay(label, seat)
    table.watch(0.5)
    put = table.camera.free_at
    table.change = lambda frame: (
        Frame(paste(frame.image, (385, 125, 65, 65), (200, 190, 60)), frame.at) if frame.at > put else frame
    )
    table.camera.collect(3, at=put + taken_s)
    table.camera.lay("HK", 1, at=put + late_s)
    table.camera.lay("H9", 2, at=table.camera.free_at + 0.3)
    reports = table.watch(2.0)
    assert laid(reports) == ["HK", "H9"]


def test_a_newspaper_over_all_is_said(table: Table) -> None:
    table.camera.lay("HT", 1)
    table.watch(0.5)
    table.change = lambda frame: Frame(paste(frame.image, (165, 60, 325, 250), (180, 185, 190)), frame.at)
    assert [r.why for r in table.watch(8.0) if isinstance(r, Blind)] == ["covered"]
    table.change = lambda frame: frame
    reports = table.watch(2.0)
    assert [r.why for r in reports if isinstance(r, Blind)] == [""]
    assert [r for r in reports if isinstance(r, CardLaid | CardGone | TrickTaken)] == []


def test_without_the_mat(art: Art, deck: Deck) -> None:
    camera = SimCamera(art, seed=4, size=SIZE)
    table = Table(camera, Tracker(deck, camera.layout, recogniser=Truth(camera)))
    table.change = lambda frame: Frame(cv2.GaussianBlur(frame.image, (0, 0), 6), frame.at)
    assert [r.why for r in table.watch(2.0) if isinstance(r, Blind)] == ["mat"]
    assert "no mark" in table.tracker.state.trouble
    table.change = lambda frame: frame
    assert [r.why for r in table.watch(2.0) if isinstance(r, Blind)] == [""]
