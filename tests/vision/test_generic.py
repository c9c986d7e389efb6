"""Cards of any deck: outlines, pips, and which indices are one card. The indices here are told, not found."""

from collections.abc import Sequence
from dataclasses import replace

import cv2
import numpy as np
import pytest

from vision.body import body_of
from vision.finding import Networks
from vision.freehand import overlap
from vision.generic import read_cards
from vision.marks import LABELS, Mark, fused, joint, merged
from vision.pairing import in_corner, opposite, outline_of, paired
from vision.papers import outlines
from vision.pictures import Picture
from vision.placing import edges_beside, paper_share
from vision.shape import Shape, shape_of
from vision.sim.art import load_art
from vision.sim.geometry import Homography, Pose, look_down, to_px
from vision.sim.paint import LEARNING
from vision.sim.scene import Scene, render_scene

ART = load_art("stichwart")
VIEW = look_down(1300.0, 2.4, 0.15, 1.0)


def scene(cards: list[tuple[str, Pose]], seed: int = 11, view: Homography = VIEW) -> Scene:
    return render_scene(seed, ART, cards, view, look=LEARNING)


def told(label: str, pose: Pose, corners: str = "02", view: Homography = VIEW, sure: float = 0.98) -> list[Mark]:
    """The marks of a card's corners: 0 upper left, 1 upper right, 2 lower right, 3 lower left."""
    probabilities = np.full(52, (1 - sure) / 51)
    probabilities[LABELS.index(label)] = sure
    width, height = ART.size_mm
    marks = []
    for corner in map(int, corners):
        x, y = (-1 if corner in (0, 3) else 1) * (width / 2 - 5.5), (-1 if corner < 2 else 1) * (height / 2 - 11)
        tall = 8.0 if corner < 2 else -8.0
        centre, top = to_px(view, pose.place(np.array([(x, y), (x, y - tall)])))
        half = float(np.linalg.norm(top - centre))
        marks.append(Mark(centre, (top - centre) / half, 2 * half, probabilities, 0.9))
    return marks


class Told:
    """Indices that are known."""

    def __init__(self, marks: list[Mark]) -> None:
        self.marks = marks

    def anywhere(self, picture: Picture) -> list[Mark]:
        return self.marks

    def in_corners(self, cards: Sequence[Picture], rim: float) -> list[list[Mark]]:
        return [[] for _ in cards]

    def again(self, picture: Picture, marks: Sequence[Mark]) -> list[Mark]:
        return list(marks)


def labels(frame: Picture, marks: list[Mark]) -> list[str]:
    """What is read in a frame with these indices."""
    return sorted(card.label or "?" for card in read_cards(frame, Told(marks)))


def grey() -> Picture:
    return np.full((720, 1280, 3), 110, np.uint8)


# outlines


@pytest.mark.parametrize("size", [0.5, 1.0, 1.6])
def test_whole_cards_have_their_outlines(size: float) -> None:
    shown = scene([("SQ", Pose(-90, 0, 0.5)), ("H9", Pose(10, 25, 1.3)), ("DA", Pose(100, -10, 2.2))])
    frame = cv2.resize(shown.frame, None, fx=size, fy=size, interpolation=cv2.INTER_AREA)
    found = outlines(np.asarray(frame))
    for card in shown.cards:
        assert max(overlap(quad, card.quad * size) for quad in found) > 0.9


def test_overlapping_cards_have_their_outlines_by_a_whole_side() -> None:
    shown = scene([("SQ", Pose(-20, 0, 0.1)), ("H9", Pose(15, 20, -0.25))])
    found = outlines(shown.frame)
    for card in shown.cards:
        assert max(overlap(quad, card.quad) for quad in found) > 0.75


def test_nothing_has_no_outline() -> None:
    assert outlines(grey()) == []


# pips


@pytest.mark.parametrize("label", ["HA", "D9", "HT", "S8", "S7"])
def test_pips_are_counted(label: str) -> None:
    shown = scene([(label, Pose(0, 0, 0.4))])
    body = body_of(shown.frame, shown.cards[0].quad)
    assert body.pips == {"A": 1, "T": 10}.get(label[1]) or body.pips == int(label[1])
    assert body.red is (label[0] in "HD")
    assert body.suits["CSHD".index(label[0])] > 0.45
    assert LABELS[int(body.weights().argmax())][1] == label[1]


@pytest.mark.parametrize("label", ["HK", "SQ", "DJ"])
def test_court_cards_have_no_pips_to_count(label: str) -> None:
    shown = scene([(label, Pose(0, 0, 0.4))])
    assert body_of(shown.frame, shown.cards[0].quad).pips == 0


def test_pips_half_covered_are_not_counted() -> None:
    shown = scene([("HT", Pose(0, 0, 0.4)), ("SQ", Pose(20, 30, 1.0))])
    assert body_of(shown.frame, shown.cards[0].quad).pips == 0


def test_a_number_card_is_read_by_its_pips_alone() -> None:
    shown = scene([("H8", Pose(0, 0, 0.4))])
    assert labels(shown.frame, []) == ["H8"]


# marks


def test_labels_are_in_the_order_of_suits_and_ranks() -> None:
    ranks, suits = np.eye(13)[4], np.eye(4)[3]
    assert LABELS[int(joint(ranks, suits).argmax())] == "DT"


def test_readings_that_differ_leave_doubt() -> None:
    one, other = (told(label, Pose(0, 0, 0.0))[0].labels for label in ("S9", "C9"))
    assert fused([one, one]).max() > 0.99
    assert fused([one, other]).max() < 0.6


def test_readings_of_one_index_are_merged() -> None:
    marks = told("S9", Pose(0, 0, 0.0))
    near = Mark(marks[0].centre + 2, marks[0].up, marks[0].height * 1.1, marks[0].labels, 0.6)
    assert len(merged([*marks, near])) == 2


# pairs


@pytest.mark.parametrize("angle", [0.0, 0.7, 2.0, -1.2])
def test_opposite_indices_are_one_card(angle: float) -> None:
    pose = Pose(10, 5, angle)
    one, other = told("HK", pose)
    assert opposite(one, other) > 0.5
    (group,) = paired([one, other], [])
    truth = to_px(VIEW, pose.quad(ART.size_mm))
    assert overlap(outline_of(group.marks), truth) > 0.85


@pytest.mark.parametrize(
    ("cards", "groups"),
    [
        pytest.param([("HK", Pose(0, 0, 0.2), "02"), ("HK", Pose(62, 3, 0.2), "02")], 2, id="equal-beside"),
        pytest.param([("HK", Pose(0, 0, 0.2), "0"), ("HK", Pose(20, 3, 0.3), "02")], 2, id="equal-fanned"),
        pytest.param([("HK", Pose(0, 0, 0.2), "0"), ("SK", Pose(62, 3, 0.2), "2")], 2, id="different"),
        pytest.param([("HK", Pose(0, 0, 0.2), "0123")], 1, id="four-indices"),
        pytest.param([("HK", Pose(0, 0, 0.2), "02"), ("HK", Pose(0, 95, 0.2), "02")], 2, id="equal-below"),
        pytest.param([("HK", Pose(0, 0, 0.2), "0"), ("HK", Pose(120, 0, 0.2), "0")], 2, id="lone-equals"),
        pytest.param([("HK", Pose(0, 0, 0.2), "0"), ("HK", Pose(47, 9, 0.2), "0")], 2, id="lone-equals-in-a-row"),
        pytest.param([("SA", Pose(0, 0, 0.9), "0123"), ("DK", Pose(60, 20, 0.2), "01")], 2, id="two-upper-of-four"),
        pytest.param([("SA", Pose(0, 0, 0.9), "0123"), ("DK", Pose(60, 20, 0.2), "03")], 2, id="two-left-of-four"),
    ],
)
def test_which_indices_are_one_card(cards: list[tuple[str, Pose, str]], groups: int) -> None:
    marks = [mark for label, pose, corners in cards for mark in told(label, pose, corners)]
    assert len(paired(marks, [])) == groups


def test_indices_at_unusual_places_are_one_card_if_they_are_each_others_half_turn() -> None:
    pose = Pose(0, 0, 0.4)
    shown = scene([("HK", pose)])
    quad = shown.cards[0].quad
    marks = []
    for mark in told("HK", pose):  # near the middle of the short sides
        aside = mark.right * 0.9 * mark.height
        marks.append(Mark(mark.centre + aside, mark.up, mark.height, mark.labels, 0.9))
    (seen,) = read_cards(shown.frame, Told(marks))
    assert seen.label == "HK" and overlap(seen.quad, quad) > 0.8


def test_a_half_covered_index_of_a_card_is_no_second_card() -> None:
    pose = Pose(0, 0, 0.4)
    shown = scene([("H8", pose)])
    first, second = told("H8", pose)
    wrong = Mark(second.centre, second.up, second.height, told("HT", pose, sure=0.6)[0].labels, 0.9)
    assert labels(shown.frame, [first, wrong]) == ["H8"]


def test_an_index_stands_in_a_corner() -> None:
    pose = Pose(0, 0, 0.3)
    quad = to_px(VIEW, pose.quad(ART.size_mm))
    assert [in_corner(mark, quad) for mark in told("HK", pose, "0123")] == [0, 1, 2, 3]
    first = told("HK", pose, "0")[0]
    middle = Mark(quad.mean(0), first.up, first.height, first.labels, 0.9)
    turned = Mark(first.centre, -first.up, first.height, first.labels, 0.9)
    assert in_corner(middle, quad) is None and in_corner(turned, quad) is None


# the deck's shape


def test_outlines_with_opposite_indices_show_the_decks_shape() -> None:
    pose = Pose(0, 0, 0.3)
    quad = to_px(VIEW, pose.quad(ART.size_mm))
    two, four = (shape_of(told("HK", pose, corners), [quad]) for corners in ("02", "0123"))
    assert two.sure and two.four is False and four.four is True
    assert two.tall == pytest.approx(8 * 2 / ART.size_mm[1], rel=0.05)
    assert two.across == pytest.approx(5.5 / ART.size_mm[0], abs=0.01)
    assert not shape_of(told("HK", pose, "0"), [quad]).sure


def test_very_large_indices_show_the_decks_shape_too() -> None:
    """As on decks for poor eyes: index and suit together more than a third of the card's height."""
    pose = Pose(0, 0, 0.3)
    quad = to_px(VIEW, pose.quad(ART.size_mm))
    width, height = ART.size_mm
    probabilities = told("HK", pose)[0].labels
    marks = []
    for turn in (1, -1):
        x, y = turn * (9.0 - width / 2), turn * (19.0 - height / 2)
        centre, top = to_px(VIEW, pose.place(np.array([(x, y), (x, y - turn * 0.18 * height)])))
        half = float(np.linalg.norm(top - centre))
        marks.append(Mark(centre, (top - centre) / half, 2 * half, probabilities, 0.9))
    assert shape_of(marks, [quad]).tall == pytest.approx(0.36, rel=0.05)
    (group,) = paired(marks, [])
    assert overlap(outline_of(group.marks), quad) > 0.6


def test_two_cards_of_a_row_with_indices_at_both_ends_of_a_side_show_four_indices() -> None:
    marks = told("HK", Pose(0, 0, 0.2), "03") + told("S9", Pose(20, 4, 0.2), "03")
    assert shape_of(marks, []).four is True
    assert shape_of(told("HK", Pose(0, 0, 0.2), "03"), []) == Shape()


def test_a_doubtful_index_in_another_corner_leaves_open_whether_there_are_four() -> None:
    pose = Pose(0, 0, 0.3)
    quad = to_px(VIEW, pose.quad(ART.size_mm))
    marks = told("HK", pose, "02") + told("HK", pose, "1", sure=0.3)
    assert shape_of(marks, [quad]).four is None


def test_indices_farther_apart_than_the_picture_s_cards_have_them_are_two_cards() -> None:
    one, other = told("HK", Pose(0, 0, 0.0), "0")[0], told("HK", Pose(14, 22, 0.0), "2")[0]
    shape = Shape(16 / ART.size_mm[1], 5.5 / ART.size_mm[0], 11 / ART.size_mm[1], ART.size_mm[1] / ART.size_mm[0])
    assert opposite(one, other, shape) > 0.5
    assert opposite(one, other, replace(shape, sure=True)) < 0.5 < opposite(*told("HK", Pose(0, 0, 0.0)), shape)


# where a lone index's card is


@pytest.mark.parametrize("corner", ["0", "1"])
def test_a_lone_index_has_its_card_on_the_side_of_the_paper(corner: str) -> None:
    pose, above = Pose(0, 0, 0.1), Pose(0, 30, 1.6)
    whole = Pose(-110, 0, 0.2)
    cards = [("HK", pose), ("S9", above), ("DA", whole)]
    shown = scene(cards)
    marks = told("HK", pose, corner) + told("S9", above, "0123") + told("DA", whole, "0123")
    seen = {card.label: card.quad for card in read_cards(shown.frame, Told(marks))}
    assert overlap(seen["HK"], shown.cards[0].quad) > 0.8


def test_paper_and_edge_tell_the_side() -> None:
    pose = Pose(0, 0, 0.0)
    shown = scene([("HK", pose)])
    (mark,) = told("HK", pose, "0")
    shape = Shape(16 / ART.size_mm[1], 5.5 / ART.size_mm[0], 11 / ART.size_mm[1], ART.size_mm[1] / ART.size_mm[0])
    left, right = (outline_of([mark], shape, right_hand) for right_hand in (False, True))
    assert paper_share(shown.frame, left, mark) > 0.9 > 0.4 > paper_share(shown.frame, right, mark)
    strong, weak = edges_beside(shown.frame, mark, shape)
    assert strong > 1.5 * weak


# cards


def test_cards_are_told_with_their_quads() -> None:
    cards = [("SQ", Pose(-70, 0, 0.5)), ("HK", Pose(50, 25, 1.3))]
    shown = scene(cards)
    marks = told(*cards[0], "02") + told(*cards[1], "2")
    seen = read_cards(shown.frame, Told(marks))
    assert [card.label for card in seen] == ["SQ", "HK"]
    for card, truth in zip(seen, shown.cards, strict=True):
        assert overlap(card.quad, truth.quad) > 0.85 and 0.5 < card.margin <= 1


def test_pips_do_not_outvote_an_index_that_is_sure() -> None:
    pose = Pose(0, 0, 0.4)
    shown = scene([("H8", pose)])
    sure, unsure = (replace(told("D5", pose, "0", sure=p)[0], score=0.98) for p in (0.97, 0.6))
    assert labels(shown.frame, [sure]) == ["D5"]
    assert labels(shown.frame, [unsure]) != ["D5"]


def test_a_lone_index_that_is_hardly_one_names_no_card() -> None:
    (mark,) = told("HK", Pose(0, 0, 0.3), "0", sure=0.93)
    assert labels(grey(), [mark]) == ["?"]
    assert labels(grey(), [replace(mark, score=0.98)]) == ["HK"]


def test_a_covered_card_is_told_by_its_one_index() -> None:
    cards = [("SQ", Pose(-10, 0, 0.1)), ("HK", Pose(20, 15, -0.25))]
    shown = scene(cards)
    assert labels(shown.frame, told(*cards[0], "0") + told(*cards[1], "02")) == ["HK", "SQ"]


@pytest.mark.parametrize("corners", ["0", "02"])
def test_an_outline_much_larger_than_the_index_is_not_its_cards(corners: str) -> None:
    pose = Pose(0, 0, 0.0)
    card = to_px(VIEW, pose.quad(ART.size_mm))
    box = (card - card.mean(0)) * 2.6 + card.mean(0)  # a white box round about, whose corner is near no index
    marks = told("HK", pose, corners)
    (group,) = paired(marks, [box + (card[0] - box[0])] if corners == "0" else [box])
    assert group.outline is None


def test_two_upper_indices_are_one_card_where_the_paper_ends_beyond_them() -> None:
    cards = [("SQ", Pose(0, 0, 0.1)), ("HK", Pose(5, 60, 1.4))]
    shown = scene(cards)
    assert labels(shown.frame, told(*cards[0], "01") + told(*cards[1])) == ["HK", "SQ"]
    row = [("SQ", Pose(0, 0, 0.0)), ("SQ", Pose(46, 0, 0.0)), ("HK", Pose(20, 60, 1.5))]
    fanned = scene(row)
    assert labels(fanned.frame, told(*row[0], "0") + told(*row[1], "0") + told(*row[2])) == ["HK", "SQ", "SQ"]


def test_what_is_weak_is_asked_or_left_out() -> None:
    pose = Pose(0, 0, 0.3)
    assert labels(grey(), told("HK", pose, "0", sure=0.6)) == ["?"]
    assert labels(grey(), told("HK", pose, "02", sure=0.6)) == ["HK"]
    assert labels(grey(), told("HK", pose, "0", sure=0.2)) == []


def test_two_equal_cards_stay_two() -> None:
    cards = [("SQ", Pose(-60, 0, 0.5)), ("SQ", Pose(35, 25, 1.3))]
    shown = scene(cards)
    assert labels(shown.frame, told(*cards[0]) + told(*cards[1])) == ["SQ", "SQ"]


# with the networks


@pytest.mark.parametrize("seed", [11, 12])
def test_the_projects_own_deck_is_read_without_having_been_learned(seed: int) -> None:
    shown = scene([("SK", Pose(-75, 0, 0.4)), ("H9", Pose(60, 5, 1.9)), ("DA", Pose(75, 25, 2.4))], seed)
    seen = read_cards(shown.frame)
    for card in seen:
        assert card.label is None or any(
            card.label == truth.label and overlap(card.quad, truth.quad) > 0.5 for truth in shown.cards
        )
    assert sum(card.label is not None for card in seen) >= 2


def test_a_table_without_cards_has_none() -> None:
    assert [card.label for card in read_cards(scene([]).frame)] == []


def test_an_index_is_read_again_from_beside() -> None:
    shown = scene([("SK", Pose(0, 0, 0.4))])
    marks = told("SK", Pose(0, 0, 0.4))
    for mark, again in zip(marks, Networks().again(shown.frame, marks), strict=True):
        assert LABELS[again.best] == "SK" and again.score > 0.8
        assert (again.centre == mark.centre).all() and again.sure != mark.sure
