"""Cards of any deck: outlines, pips, and which indices are one card. The indices here are told, not found."""

from collections.abc import Sequence
from dataclasses import replace

import cv2
import numpy as np
import pytest

from vision.geometry.quads import iou
from vision.images import Picture
from vision.indices.card_geometry import CardGeometry, estimate_card_geometry
from vision.indices.card_side import edges_beside, paper_share
from vision.indices.detection import IndexNetworks
from vision.indices.generic_reader import read_cards
from vision.indices.pairing import in_corner, opposite, outline_of, pair_readings
from vision.indices.paper_outlines import outlines
from vision.indices.pips import find_pips
from vision.indices.reading import LABELS, IndexReading, fuse_labels, joint, merge_readings
from vision.simulation.art import load_art
from vision.simulation.geometry import CardPose, Homography, look_down, to_px
from vision.simulation.paint import LEARNING
from vision.simulation.scene import Scene, render_scene

pytestmark = pytest.mark.slow

ART = load_art("stichwart")
VIEW = look_down(1300.0, 2.4, 0.15, 1.0)


def scene(cards: list[tuple[str, CardPose]], seed: int = 11, view: Homography = VIEW) -> Scene:
    return render_scene(seed, ART, cards, view, imaging=LEARNING)


def told(
    label: str, pose: CardPose, corners: str = "02", view: Homography = VIEW, sure: float = 0.98
) -> list[IndexReading]:
    """The readings of a card's corners: 0 upper left, 1 upper right, 2 lower right, 3 lower left."""
    probabilities = np.full(52, (1 - sure) / 51)
    probabilities[LABELS.index(label)] = sure
    width, height = ART.size_mm
    readings = []
    for corner in map(int, corners):
        x, y = (-1 if corner in (0, 3) else 1) * (width / 2 - 5.5), (-1 if corner < 2 else 1) * (height / 2 - 11)
        tall = 8.0 if corner < 2 else -8.0
        centre, top = to_px(view, pose.place(np.array([(x, y), (x, y - tall)])))
        half = float(np.linalg.norm(top - centre))
        readings.append(IndexReading(centre, (top - centre) / half, 2 * half, probabilities, 0.9))
    return readings


class Told:
    """Indices that are known."""

    def __init__(self, readings: list[IndexReading]) -> None:
        self.readings = readings

    def anywhere(self, picture: Picture) -> list[IndexReading]:
        return self.readings

    def in_corners(self, cards: Sequence[Picture], rim: float) -> list[list[IndexReading]]:
        return [[] for _ in cards]

    def again(self, picture: Picture, readings: Sequence[IndexReading]) -> list[IndexReading]:
        return list(readings)


def labels(frame: Picture, readings: list[IndexReading]) -> list[str]:
    """What is read in a frame with these indices."""
    return sorted(card.label or "?" for card in read_cards(frame, Told(readings)))


def grey() -> Picture:
    return np.full((720, 1280, 3), 110, np.uint8)


# outlines


@pytest.mark.parametrize("size", [0.5, 1.0, 1.6])
def test_whole_cards_have_their_outlines(size: float) -> None:
    shown = scene([("SQ", CardPose(-90, 0, 0.5)), ("H9", CardPose(10, 25, 1.3)), ("DA", CardPose(100, -10, 2.2))])
    frame = cv2.resize(shown.frame, None, fx=size, fy=size, interpolation=cv2.INTER_AREA)
    found = outlines(np.asarray(frame))
    for card in shown.cards:
        assert max(iou(quad, card.quad * size) for quad in found) > 0.9


def test_overlapping_cards_have_their_outlines_by_a_whole_side() -> None:
    shown = scene([("SQ", CardPose(-20, 0, 0.1)), ("H9", CardPose(15, 20, -0.25))])
    found = outlines(shown.frame)
    for card in shown.cards:
        assert max(iou(quad, card.quad) for quad in found) > 0.75


def test_nothing_has_no_outline() -> None:
    assert outlines(grey()) == []


# pips


@pytest.mark.parametrize("label", ["HA", "D9", "HT", "S8", "S7"])
def test_pips_are_counted(label: str) -> None:
    shown = scene([(label, CardPose(0, 0, 0.4))])
    body = find_pips(shown.frame, shown.cards[0].quad)
    assert body.count == {"A": 1, "T": 10}.get(label[1]) or body.count == int(label[1])
    assert body.red is (label[0] in "HD")
    assert body.suits["CSHD".index(label[0])] > 0.45
    assert LABELS[int(body.weights().argmax())][1] == label[1]


@pytest.mark.parametrize("label", ["HK", "SQ", "DJ"])
def test_court_cards_have_no_pips_to_count_and_are_full_of_print(label: str) -> None:
    shown = scene([(label, CardPose(0, 0, 0.4))])
    body = find_pips(shown.frame, shown.cards[0].quad)
    assert body.count == 0 and body.court
    likely = {LABELS[n][1] for n in np.flatnonzero(body.weights() > 0.01)}
    assert likely == set("AKQJ")


@pytest.mark.parametrize("label", ["HT", "CA", "S9"])
def test_number_cards_and_aces_are_not_full_of_print(label: str) -> None:
    shown = scene([(label, CardPose(0, 0, 0.4))])
    assert not find_pips(shown.frame, shown.cards[0].quad).court


def test_pips_half_covered_are_not_counted() -> None:
    shown = scene([("HT", CardPose(0, 0, 0.4)), ("SQ", CardPose(20, 30, 1.0))])
    assert find_pips(shown.frame, shown.cards[0].quad).count == 0


def test_a_number_card_is_read_by_its_pips_alone() -> None:
    shown = scene([("H8", CardPose(0, 0, 0.4))])
    assert labels(shown.frame, []) == ["H8"]


# readings


def test_labels_are_in_the_order_of_suits_and_ranks() -> None:
    ranks, suits = np.eye(13)[4], np.eye(4)[3]
    assert LABELS[int(joint(ranks, suits).argmax())] == "DT"


def test_readings_that_differ_leave_doubt() -> None:
    one, other = (told(label, CardPose(0, 0, 0.0))[0].labels for label in ("S9", "C9"))
    assert fuse_labels([one, one]).max() > 0.99
    assert fuse_labels([one, other]).max() < 0.6


def test_readings_of_one_index_are_merged() -> None:
    readings = told("S9", CardPose(0, 0, 0.0))
    near = IndexReading(readings[0].centre + 2, readings[0].up, readings[0].height * 1.1, readings[0].labels, 0.6)
    assert len(merge_readings([*readings, near])) == 2


# pairs


@pytest.mark.parametrize("angle", [0.0, 0.7, 2.0, -1.2])
def test_opposite_indices_are_one_card(angle: float) -> None:
    pose = CardPose(10, 5, angle)
    one, other = told("HK", pose)
    assert opposite(one, other) > 0.5
    (group,) = pair_readings([one, other], [])
    truth = to_px(VIEW, pose.quad(ART.size_mm))
    assert iou(outline_of(group.readings), truth) > 0.85


@pytest.mark.parametrize(
    ("cards", "groups"),
    [
        pytest.param([("HK", CardPose(0, 0, 0.2), "02"), ("HK", CardPose(62, 3, 0.2), "02")], 2, id="equal-beside"),
        pytest.param([("HK", CardPose(0, 0, 0.2), "0"), ("HK", CardPose(20, 3, 0.3), "02")], 2, id="equal-fanned"),
        pytest.param([("HK", CardPose(0, 0, 0.2), "0"), ("SK", CardPose(62, 3, 0.2), "2")], 2, id="different"),
        pytest.param([("HK", CardPose(0, 0, 0.2), "0123")], 1, id="four-indices"),
        pytest.param([("HK", CardPose(0, 0, 0.2), "02"), ("HK", CardPose(0, 95, 0.2), "02")], 2, id="equal-below"),
        pytest.param([("HK", CardPose(0, 0, 0.2), "0"), ("HK", CardPose(120, 0, 0.2), "0")], 2, id="lone-equals"),
        pytest.param(
            [("HK", CardPose(0, 0, 0.2), "0"), ("HK", CardPose(47, 9, 0.2), "0")], 2, id="lone-equals-in-a-row"
        ),
        pytest.param(
            [("SA", CardPose(0, 0, 0.9), "0123"), ("DK", CardPose(60, 20, 0.2), "01")], 2, id="two-upper-of-four"
        ),
        pytest.param(
            [("SA", CardPose(0, 0, 0.9), "0123"), ("DK", CardPose(60, 20, 0.2), "03")], 2, id="two-left-of-four"
        ),
    ],
)
def test_which_indices_are_one_card(cards: list[tuple[str, CardPose, str]], groups: int) -> None:
    readings = [reading for label, pose, corners in cards for reading in told(label, pose, corners)]
    assert len(pair_readings(readings, [])) == groups


def test_indices_at_unusual_places_are_one_card_if_they_are_each_others_half_turn() -> None:
    pose = CardPose(0, 0, 0.4)
    shown = scene([("HK", pose)])
    quad = shown.cards[0].quad
    readings = []
    for reading in told("HK", pose):  # near the middle of the short sides
        aside = reading.right * 0.9 * reading.height
        readings.append(IndexReading(reading.centre + aside, reading.up, reading.height, reading.labels, 0.9))
    (seen,) = read_cards(shown.frame, Told(readings))
    assert seen.label == "HK" and iou(seen.quad, quad) > 0.8


def test_a_half_covered_index_of_a_card_is_no_second_card() -> None:
    pose = CardPose(0, 0, 0.4)
    shown = scene([("H8", pose)])
    first, second = told("H8", pose)
    wrong = IndexReading(second.centre, second.up, second.height, told("HT", pose, sure=0.6)[0].labels, 0.9)
    assert labels(shown.frame, [first, wrong]) == ["H8"]


def test_an_index_stands_in_a_corner() -> None:
    pose = CardPose(0, 0, 0.3)
    quad = to_px(VIEW, pose.quad(ART.size_mm))
    assert [in_corner(reading, quad) for reading in told("HK", pose, "0123")] == [0, 1, 2, 3]
    first = told("HK", pose, "0")[0]
    middle = IndexReading(quad.mean(0), first.up, first.height, first.labels, 0.9)
    turned = IndexReading(first.centre, -first.up, first.height, first.labels, 0.9)
    assert in_corner(middle, quad) is None and in_corner(turned, quad) is None


# the deck's shape


def test_outlines_with_opposite_indices_show_the_decks_shape() -> None:
    pose = CardPose(0, 0, 0.3)
    quad = to_px(VIEW, pose.quad(ART.size_mm))
    two, four = (estimate_card_geometry(told("HK", pose, corners), [quad]) for corners in ("02", "0123"))
    assert two.observed and two.four is False and four.four is True
    assert two.tall == pytest.approx(8 * 2 / ART.size_mm[1], rel=0.05)
    assert two.across == pytest.approx(5.5 / ART.size_mm[0], abs=0.01)
    assert not estimate_card_geometry(told("HK", pose, "0"), [quad]).observed


def test_very_large_indices_show_the_decks_shape_too() -> None:
    """As on decks for poor eyes: index and suit together more than a third of the card's height."""
    pose = CardPose(0, 0, 0.3)
    quad = to_px(VIEW, pose.quad(ART.size_mm))
    width, height = ART.size_mm
    probabilities = told("HK", pose)[0].labels
    readings = []
    for turn in (1, -1):
        x, y = turn * (9.0 - width / 2), turn * (19.0 - height / 2)
        centre, top = to_px(VIEW, pose.place(np.array([(x, y), (x, y - turn * 0.18 * height)])))
        half = float(np.linalg.norm(top - centre))
        readings.append(IndexReading(centre, (top - centre) / half, 2 * half, probabilities, 0.9))
    assert estimate_card_geometry(readings, [quad]).tall == pytest.approx(0.36, rel=0.05)
    (group,) = pair_readings(readings, [])
    assert iou(outline_of(group.readings), quad) > 0.6


def test_two_cards_of_a_row_with_indices_at_both_ends_of_a_side_show_four_indices() -> None:
    readings = told("HK", CardPose(0, 0, 0.2), "03") + told("S9", CardPose(20, 4, 0.2), "03")
    assert estimate_card_geometry(readings, []).four is True
    assert estimate_card_geometry(told("HK", CardPose(0, 0, 0.2), "03"), []) == CardGeometry()


def test_a_doubtful_index_in_another_corner_leaves_open_whether_there_are_four() -> None:
    pose = CardPose(0, 0, 0.3)
    quad = to_px(VIEW, pose.quad(ART.size_mm))
    readings = told("HK", pose, "02") + told("HK", pose, "1", sure=0.3)
    assert estimate_card_geometry(readings, [quad]).four is None


def test_indices_farther_apart_than_the_picture_s_cards_have_them_are_two_cards() -> None:
    one, other = told("HK", CardPose(0, 0, 0.0), "0")[0], told("HK", CardPose(14, 22, 0.0), "2")[0]
    shape = CardGeometry(
        16 / ART.size_mm[1], 5.5 / ART.size_mm[0], 11 / ART.size_mm[1], ART.size_mm[1] / ART.size_mm[0]
    )
    assert opposite(one, other, shape) > 0.5
    assert opposite(one, other, replace(shape, observed=True)) < 0.5 < opposite(*told("HK", CardPose(0, 0, 0.0)), shape)


# where a lone index's card is


@pytest.mark.parametrize("corner", ["0", "1"])
def test_a_lone_index_has_its_card_on_the_side_of_the_paper(corner: str) -> None:
    pose, above = CardPose(0, 0, 0.1), CardPose(0, 30, 1.6)
    whole = CardPose(-110, 0, 0.2)
    cards = [("HK", pose), ("S9", above), ("DA", whole)]
    shown = scene(cards)
    readings = told("HK", pose, corner) + told("S9", above, "0123") + told("DA", whole, "0123")
    seen = {card.label: card.quad for card in read_cards(shown.frame, Told(readings))}
    assert iou(seen["HK"], shown.cards[0].quad) > 0.8


def test_paper_and_edge_tell_the_side() -> None:
    pose = CardPose(0, 0, 0.0)
    shown = scene([("HK", pose)])
    (reading,) = told("HK", pose, "0")
    shape = CardGeometry(
        16 / ART.size_mm[1], 5.5 / ART.size_mm[0], 11 / ART.size_mm[1], ART.size_mm[1] / ART.size_mm[0]
    )
    left, right = (outline_of([reading], shape, right_hand) for right_hand in (False, True))
    assert paper_share(shown.frame, left, reading) > 0.9 > 0.4 > paper_share(shown.frame, right, reading)
    strong, weak = edges_beside(shown.frame, reading, shape)
    assert strong > 1.5 * weak


# cards


def test_cards_are_told_with_their_quads() -> None:
    cards = [("SQ", CardPose(-70, 0, 0.5)), ("HK", CardPose(50, 25, 1.3))]
    shown = scene(cards)
    readings = told(*cards[0], "02") + told(*cards[1], "2")
    seen = read_cards(shown.frame, Told(readings))
    assert [card.label for card in seen] == ["SQ", "HK"]
    for card, truth in zip(seen, shown.cards, strict=True):
        assert iou(card.quad, truth.quad) > 0.85 and 0.5 < card.margin <= 1


def test_pips_do_not_outvote_an_index_that_is_sure() -> None:
    pose = CardPose(0, 0, 0.4)
    shown = scene([("H8", pose)])
    sure, unsure = (replace(told("D5", pose, "0", sure=p)[0], score=0.98) for p in (0.97, 0.6))
    assert labels(shown.frame, [sure]) == ["D5"]
    assert labels(shown.frame, [unsure]) != ["D5"]


def test_a_lone_index_that_is_hardly_one_names_no_card() -> None:
    (reading,) = told("HK", CardPose(0, 0, 0.3), "0", sure=0.93)
    assert labels(grey(), [reading]) == ["?"]
    assert labels(grey(), [replace(reading, score=0.98)]) == ["HK"]


def test_a_covered_card_is_told_by_its_one_index() -> None:
    cards = [("SQ", CardPose(-10, 0, 0.1)), ("HK", CardPose(20, 15, -0.25))]
    shown = scene(cards)
    assert labels(shown.frame, told(*cards[0], "0") + told(*cards[1], "02")) == ["HK", "SQ"]


@pytest.mark.parametrize("corners", ["0", "02"])
def test_an_outline_much_larger_than_the_index_is_not_its_cards(corners: str) -> None:
    pose = CardPose(0, 0, 0.0)
    card = to_px(VIEW, pose.quad(ART.size_mm))
    box = (card - card.mean(0)) * 2.6 + card.mean(0)  # a white box round about, whose corner is near no index
    readings = told("HK", pose, corners)
    (group,) = pair_readings(readings, [box + (card[0] - box[0])] if corners == "0" else [box])
    assert group.outline is None


def test_two_upper_indices_are_one_card_where_the_paper_ends_beyond_them() -> None:
    cards = [("SQ", CardPose(0, 0, 0.1)), ("HK", CardPose(5, 60, 1.4))]
    shown = scene(cards)
    assert labels(shown.frame, told(*cards[0], "01") + told(*cards[1])) == ["HK", "SQ"]
    row = [("SQ", CardPose(0, 0, 0.0)), ("SQ", CardPose(46, 0, 0.0)), ("HK", CardPose(20, 60, 1.5))]
    fanned = scene(row)
    assert labels(fanned.frame, told(*row[0], "0") + told(*row[1], "0") + told(*row[2])) == ["HK", "SQ", "SQ"]


def test_what_is_weak_is_asked_or_left_out() -> None:
    pose = CardPose(0, 0, 0.3)
    assert labels(grey(), told("HK", pose, "0", sure=0.6)) == ["?"]
    assert labels(grey(), told("HK", pose, "02", sure=0.6)) == ["HK"]
    assert labels(grey(), told("HK", pose, "0", sure=0.2)) == []


def test_two_equal_cards_stay_two() -> None:
    cards = [("SQ", CardPose(-60, 0, 0.5)), ("SQ", CardPose(35, 25, 1.3))]
    shown = scene(cards)
    assert labels(shown.frame, told(*cards[0]) + told(*cards[1])) == ["SQ", "SQ"]


# with the networks


@pytest.mark.parametrize("seed", [11, 12])
def test_the_projects_own_deck_is_read_without_having_been_learned(seed: int) -> None:
    shown = scene([("SK", CardPose(-75, 0, 0.4)), ("H9", CardPose(60, 5, 1.9)), ("DA", CardPose(75, 25, 2.4))], seed)
    seen = read_cards(shown.frame)
    for card in seen:
        assert card.label is None or any(
            card.label == truth.label and iou(card.quad, truth.quad) > 0.5 for truth in shown.cards
        )
    assert sum(card.label is not None for card in seen) >= 2


def test_a_table_without_cards_has_none() -> None:
    assert [card.label for card in read_cards(scene([]).frame)] == []


def test_an_index_is_read_again_from_beside() -> None:
    shown = scene([("SK", CardPose(0, 0, 0.4))])
    readings = told("SK", CardPose(0, 0, 0.4))
    for reading, again in zip(readings, IndexNetworks().again(shown.frame, readings), strict=True):
        assert LABELS[again.best] == "SK" and again.score > 0.8
        assert (again.centre == reading.centre).all() and again.probability != reading.probability
