"""A deck that nobody has taught is read by its indices, learned in play, and then read by its faces."""

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import cv2
import numpy as np
import pytest

from tests.vision.service.worker_run import messages_over
from tests.vision.teaching.test_from_play import LABELS, game
from tests.vision.teaching.test_known_faces import look
from vision.deck.deck import BAVARIAN_SIZE, FRENCH_SIZE, Deck
from vision.indices.on_mat import MatIndexReader
from vision.mat.layout import MatLayout
from vision.messages import CardLaid, Expect, FaceNamed, LearnPlayed, NameFace, PlayedFaces, VisionSettings
from vision.service.frame_processor import FrameProcessor
from vision.service.message_pipe import MessagePipe
from vision.service.untaught import LATER_PICTURES, UntaughtReading
from vision.service.untaught_recogniser import has_indices
from vision.simulation.art import load_art
from vision.simulation.busy_table import BusyTable
from vision.teaching.measured_size import LIMITS, MeasuredSize
from vision.tracking.tracked_card import TrackedCard

FACES = ("HT", "SQ")


@pytest.mark.parametrize(("faces", "read"), [
    (("HT", "SQ"), True), (("HT", "GO"), False), ((), False),
])  # fmt: skip
def test_french_cards_alone_have_indices(faces, read):
    assert has_indices(faces) is read


class Table:
    """A simulated table before the processor of an untaught camera."""

    def __init__(self, folder: Path, art: str = "stichwart") -> None:
        self.camera = BusyTable(load_art(art), MatLayout(), 7, light="lamp", size=(960, 540))
        self.said: list[Any] = []
        settings = VisionSettings(deck="", deck_folder=folder)
        pipe = MessagePipe(SimpleNamespace(send=self.said.append))  # type: ignore[arg-type]
        self.processor = FrameProcessor(settings, MatLayout(), pipe, lambda: 0.0)
        self.run(1.0)

    def run(self, seconds: float = 0.3) -> None:
        self.camera.wait(seconds)
        while self.camera.busy:
            self.processor.process(next(self.camera), lambda: 0.0, self.camera)

    def lay(self, *labels: str) -> list[CardLaid]:
        before = len(self.said)
        for seat, label in enumerate(labels, start=1):
            self.camera.lay(label, seat)
            self.run(0.6)
        found = {one.card: one for one in self.said[before:] if isinstance(one, CardLaid)}
        return list(found.values())


@pytest.mark.slow
def test_from_the_first_card_to_a_deck_of_its_own_and_back(tmp_path):
    table = Table(tmp_path)
    assert table.lay("HT") == []  # nothing says yet with which cards is played
    table.camera.collect(1)
    table.run(1.0)
    table.processor.expect(FACES)
    table.run(1.0)
    laid = table.lay("HT", "SQ", "SQ", "HT")
    assert [one.label for one in laid] == ["HT", "SQ", "SQ", "HT"]
    cards = tuple((one.label or "", one.picture or b"") for one in laid)
    table.processor.learn_played(LearnPlayed(name="played", faces=FACES, copies=2, cards=cards))
    table.run(1.0)
    assert not any(isinstance(one, PlayedFaces) for one in table.said)  # cards lie on the mat: somebody may wait
    table.camera.collect(2)
    table.run(3.0)
    assert [one for one in table.said if isinstance(one, PlayedFaces)] == [PlayedFaces(known=2, of=2, deck="played")]
    assert Deck.load("played", tmp_path).labels == FACES
    (known,) = table.lay("SQ")
    assert known.label == "SQ" and all(score > 1 for _, score in known.choices[:1])  # evidence, no probability
    table.processor.forget_deck(FACES)
    table.camera.collect(3)
    table.run(1.0)
    (again,) = table.lay("HT")
    assert again.label == "HT" and all(score <= 1 for _, score in again.choices)


@pytest.mark.slow
def test_a_card_whose_index_nobody_can_read_is_told_without_a_label(tmp_path, monkeypatch):
    table = Table(tmp_path)
    table.processor.expect(FACES)
    table.run(1.0)
    reads = MatIndexReader.read
    monkeypatch.setattr(MatIndexReader, "read", lambda *_, **__: [])
    (unread,) = table.lay("HT")
    assert unread.label is None and unread.choices == () and not unread.face_down and unread.picture
    monkeypatch.setattr(MatIndexReader, "read", reads)
    assert "SQ" in [one.label for one in table.lay("SQ")]


@pytest.mark.slow
def test_a_card_without_an_index_is_told_and_named_by_its_look_once_somebody_has_said_what_it_is(tmp_path):
    """Also after the wrong word of somebody who then corrects it."""
    faces = tuple(load_art("stichwart-bavarian").faces)
    table = Table(tmp_path, "stichwart-bavarian")
    table.processor.expect(faces)
    table.run(1.0)
    first = table.lay("EO", "GO", "S7")
    assert [one.label for one in first] == [None] * 3
    left = tuple((one.card, one.picture or b"") for one in first)
    for label, one in zip(("EU", "GO", "S7"), first, strict=True):
        table.processor.name_face(NameFace(label=label, picture=one.picture or b""))
    table.processor.name_face(NameFace(label="EO", picture=first[0].picture or b""))
    table.camera.collect(2)
    table.run(1.0)
    assert [one.label for one in table.lay("GO", "EO", "S8", "S7")] == ["GO", "EO", None, "S7"]
    table.processor.name_face(NameFace(label="HT", picture=b"no picture"))
    table.processor.name_face(NameFace(label="no card", picture=first[0].picture or b""))
    table.camera.collect(1)
    table.run(1.0)
    (again,) = table.lay("EO")
    assert again.label == "EO"
    table.processor.name_face(NameFace(label="EO", picture=again.picture or b"", open=(*left, (99, b"no picture"))))
    (told,) = [one for one in table.said if isinstance(one, FaceNamed)]
    assert told.label == "EO" and [number for number, _ in told.alike] == [first[0].card]


@pytest.mark.slow
def test_a_card_that_is_turned_up_is_one_and_its_picture_is_its_face(tmp_path):
    table = Table(tmp_path, "stichwart-bavarian")
    faces = tuple(load_art("stichwart-bavarian").faces)
    table.processor.expect(faces)
    table.run(1.0)
    before = len(table.said)
    table.camera.lay("EO", 1, face_down=True)
    table.run(1.0)
    table.camera.turn_up("EO", 1)
    table.run(1.0)
    told = [one for one in table.said[before:] if isinstance(one, CardLaid)]
    assert len({one.card for one in told}) == 1 and told[0].picture != told[-1].picture
    table.processor.name_face(NameFace(label="EO", picture=told[-1].picture or b""))
    table.camera.collect(1)
    table.run(1.0)
    assert [one.label for one in table.lay("EO")] == ["EO"]


@pytest.mark.slow
def test_another_card_right_upon_one_of_which_nothing_is_read_is_another(tmp_path):
    table = Table(tmp_path, "stichwart-bavarian")
    table.processor.expect(tuple(load_art("stichwart-bavarian").faces))
    table.run(1.0)
    before = len(table.said)
    table.camera.lay("EO", 1)
    table.run(1.0)
    table.camera.lay_upon("G7", 2)
    table.run(1.5)
    assert len({one.card for one in table.said[before:] if isinstance(one, CardLaid)}) == 2


def test_a_worker_tells_which_cards_look_like_one_that_is_named(tmp_path):
    frame = np.full((240, 320, 3), 90, np.uint8)
    cv2.imwrite(str(tmp_path / "1.png"), frame)
    small = [cv2.IMWRITE_JPEG_QUALITY, 60]  # a pipe that nobody reads yet holds them
    one, same, other = (cv2.imencode(".jpg", look(*of), small)[1].tobytes() for of in (("SQ", 1), ("SQ", 2), ("HK", 3)))
    named = NameFace(label="SQ", picture=one, open=((7, same), (8, other)))
    heard = messages_over(tmp_path, [Expect(faces=("SQ", "HK")), named])
    (told,) = [message for message in heard if isinstance(message, FaceNamed)]
    assert told.label == "SQ" and [number for number, _ in told.alike] == [7]


class Tracked:
    """What is asked of a tracker that is to read other cards."""

    def __init__(self, faces: tuple[str, ...], size_mm: tuple[float, float]) -> None:
        self.deck: Any = SimpleNamespace(faces=dict.fromkeys(faces), size_mm=size_mm)
        self.recogniser: Any = None

    def take_deck(self, deck: Any) -> None:
        self.deck = deck

    def read_by(self, recogniser: Any) -> None:
        self.recogniser = recogniser


BAVARIAN = ("EO", "GO")


def measured_cards(size: tuple[float, float], count: int = LIMITS.enough) -> MeasuredSize:
    measured = MeasuredSize()
    for number in range(count):
        measured.add(number, *size)
    return measured


@pytest.mark.parametrize(("before", "faces", "size", "measured"), [
    pytest.param(FACES, ("SQ", "DK"), (57.0, 88.0), True, id="the same deck, with other cards"),
    pytest.param(FACES, BAVARIAN, BAVARIAN_SIZE, False, id="a Bavarian deck instead"),
    pytest.param(BAVARIAN, FACES, FRENCH_SIZE, False, id="a French deck instead"),
])  # fmt: skip
@pytest.mark.parametrize("known", [True, False], ids=["a deck is given up", "no deck was known"])
def test_the_size_of_cards_is_kept_where_they_may_be_the_same_ones(known, before, faces, size, measured):
    tracker: Any = Tracked(before if known else (), (57.0, 88.0))
    if known:
        untaught = UntaughtReading(faces)
        untaught.begin(tracker)
    else:
        untaught = UntaughtReading(before)
        untaught._recogniser.measured, untaught._measured = True, measured_cards((57.0, 88.0))
        untaught.take_faces(tracker, faces)
        assert untaught._measured.enough is measured
    assert tracker.deck.size_mm == size and tracker.recogniser.measured is measured
    assert untaught._known._deck.size_mm == size or measured


@pytest.mark.slow
def test_cards_that_nothing_names_are_measured(tmp_path):
    table = Table(tmp_path, "stichwart-bavarian")
    table.processor.expect(tuple(load_art("stichwart-bavarian").faces))
    table.run(1.0)
    for label in ("EO", "GO"):
        assert not table.processor._untaught._recogniser.measured
        table.lay(label)
        table.camera.collect(1)
        table.run(1.0)
    assert table.processor._untaught._recogniser.measured
    assert table.processor._tracker.deck.size_mm == BAVARIAN_SIZE


@pytest.mark.parametrize(("numbers", "measured"), [
    pytest.param((1, 2), True, id="two cards"), pytest.param((1, 1, 1), False, id="one card, told again"),
])  # fmt: skip
def test_a_card_that_is_told_again_is_one_card(monkeypatch, numbers, measured):
    monkeypatch.setattr("vision.service.untaught.measure_card", lambda *_: (57.0, 88.0))
    untaught = UntaughtReading(FACES)
    state = SimpleNamespace(cards=[], calibration=SimpleNamespace(view=None, layout=None))
    tracker: Any = SimpleNamespace(state=state, quads=[None], deck=Deck("untaught", FRENCH_SIZE, {}))
    tracker.take_deck = lambda deck: setattr(tracker, "deck", deck)
    for number in numbers:
        lead = CardLaid(at=1.0, card=number, label="HT", margin=1.0, choices=(("HT", 1.0),), x=0, y=0, angle=0)
        untaught.look(tracker, SimpleNamespace(image=None), [lead])
    assert untaught._recogniser.measured is measured
    assert tracker.deck.size_mm == ((57.0, 88.0) if measured else FRENCH_SIZE)


def test_while_a_face_lacks_cards_are_named_by_those_that_are_known():
    untaught = UntaughtReading(LABELS)
    tracker: Any = Tracked((), FRENCH_SIZE)
    cards = tuple((label, picture) for label, picture in game() if label != LABELS[0])
    untaught.take(LearnPlayed(name="played", faces=LABELS, copies=2, cards=cards), None)
    while (told := untaught.step(tracker)) is None:
        pass
    assert (told.known, told.deck) == (len(LABELS) - 1, "") and len(untaught._known) == told.known


def test_a_picture_that_was_taken_once_the_hand_had_gone_is_learned_from():
    """That which was told shows the hand; of the oldest cards nothing is kept."""
    untaught, last = UntaughtReading(FACES), LATER_PICTURES + 1
    for number in range(last + 1):
        card = TrackedCard(number, (0.0, 0.0, 0.0), 0.0)
        card.picture = f"first {number}".encode()
        card.later_picture = f"later {number}".encode() if number != 5 else None
        untaught.look(SimpleNamespace(state=SimpleNamespace(cards=[card], calibration=None), quads=[]), None, [])
    told = ("first 0", "first 1", "first 5", f"first {last}", "of another table")
    cards = tuple(("HT", picture.encode()) for picture in told)
    untaught.take(LearnPlayed(name="played", faces=FACES, copies=2, cards=cards), None)
    learned = [picture.decode() for _, picture in untaught._waiting[0].cards]
    assert learned == ["first 0", "later 1", "first 5", f"later {last}", "of another table"]


@pytest.mark.slow
def test_of_each_card_that_lies_whole_a_later_picture_is_taken_while_no_deck_is_known(tmp_path):
    table = Table(tmp_path)
    table.processor.expect(FACES)
    table.run(1.0)
    laid = table.lay("HT", "SQ")
    table.run(0.5)
    (first, second) = table.processor._tracker.state.cards
    assert [first.picture, second.picture] == [one.picture for one in laid]
    assert first.later_picture and second.later_picture


def test_the_back_that_the_packets_show_is_kept_with_the_faces(tmp_path):
    """The first leads measure the cards; with each lead after them the packets are looked at."""
    untaught, seen = UntaughtReading(LABELS), list[tuple[float, float]]()
    picture = np.full((364, 236, 3), 90, np.uint8)
    back = SimpleNamespace(see=lambda image, view, layout, size: seen.append(size), learned=lambda deck: picture)
    untaught._back, untaught._measured = back, measured_cards(FRENCH_SIZE, LIMITS.enough - 1)
    calibration = SimpleNamespace(layout=MatLayout(), view=None)
    state = SimpleNamespace(cards=[], calibration=calibration)
    tracker = SimpleNamespace(
        state=state,
        quads=[None],
        deck=SimpleNamespace(size_mm=FRENCH_SIZE),
        read_by=lambda one: None,
        take_deck=lambda deck: None,
    )
    lead = CardLaid(at=1.0, card=1, label="HT", margin=1.0, choices=(("HT", 1.0),), x=0, y=0, angle=0)
    untaught._measure = lambda *_: untaught._measured.add(9, *FRENCH_SIZE)
    for _ in range(3):
        untaught.look(tracker, SimpleNamespace(image=picture), [lead])
    assert seen == [FRENCH_SIZE] * 2
    untaught.take(LearnPlayed(name="played", faces=LABELS, copies=2, cards=tuple(game())), tmp_path)
    while (told := untaught.step(tracker)) is None:
        pass
    kept = Deck.load("played", tmp_path)
    assert told.deck == "played" and kept.back is not None and np.abs(kept.back.astype(int) - picture).max() < 3
