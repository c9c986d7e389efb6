"""A deck that nobody has taught is learned from certain games, and given up where somebody corrects it."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

import kiosk.app.played_deck_desk as module
from kiosk.app.decks import choose_deck, chosen_deck, note_played_deck, played_decks
from kiosk.app.played_deck_desk import PlayedDeckDesk
from kiosk.rules.books import BOOKS
from kiosk.table.events.values import CardCorrected, CardInserted, CardPlayed, GameDealt
from vision.messages import Blind, FaceNamed, LearnPlayed, NameFace, PlayedFaces, VisionSettings


class Vision:
    """What the desk asks of the camera's process."""

    def __init__(self, deck: str = "") -> None:
        self.settings = VisionSettings(deck=deck)
        self.sent: list[Any] = []
        self.expected: list[tuple[str, ...]] = []
        self.forgotten = self.restarts = 0

    def send(self, command: Any) -> None:
        self.sent.append(command)

    def expect(self, faces: tuple[str, ...]) -> None:
        self.expected.append(faces)

    def forget_deck(self) -> None:
        self.settings = replace(self.settings, deck="")
        self.forgotten += 1


class Game:
    def __init__(self, number: int) -> None:
        self.number = number


class Seated:
    """A table of which only its events count."""

    def __init__(self, book: str) -> None:
        self.round: Any = self
        self.book, self.games, self.log = BOOKS[book], [], []
        self.doubts: list[Any] = []
        self.noted: list[Any] = []
        self.heard: Callable[[int, Any], None] = lambda number, event: None

    def picture(self, number: int) -> bytes | None:
        return b"picture %d" % number if number < 10 else None

    def note(self, event: Any, picture: bytes | None = None) -> int:
        self.noted.append(event)
        return 0

    def listen(self, heard: Callable[[int, Any], None]) -> None:
        self.heard = heard


@pytest.fixture
def notices() -> dict[str, Any]:
    return {}


def seated(vision: Vision, folder: Path, notices: dict[str, Any], book: str = "bsv") -> tuple[PlayedDeckDesk, Seated]:
    def notice(kind: str, text: Any) -> None:
        notices[kind] = text if isinstance(text, str) else text("de")

    desk = PlayedDeckDesk(vision, folder, notice)  # type: ignore[arg-type]
    table = Seated(book)
    desk.sit(table)  # type: ignore[arg-type]
    return desk, table


CARD = CardPlayed(seat=1, card="HT", place=(0.0, 0.0), margin=0.6)


def doubt(event: int, perhaps: dict[int, int] | None = None) -> Any:
    return SimpleNamespace(event=event, perhaps=perhaps or {})


CARDS = (("HT", b"a"), ("SQ", b"b"))


def test_a_certain_game_is_sent_once_and_what_is_known_is_told(tmp_path, notices, monkeypatch):
    certain: dict[int, tuple[tuple[str, bytes], ...]] = {}
    monkeypatch.setattr(module, "confirmed", lambda table, game: certain.get(game.number, ()))
    vision = Vision()
    desk, table = seated(vision, tmp_path, notices)
    faces = tuple(dict.fromkeys(BOOKS["bsv"].deck))
    assert vision.expected == [faces] and "0 von 20" in notices["learning"]
    table.games.append(Game(1))
    table.heard(5, CARD)
    assert not vision.sent
    certain[1] = CARDS
    table.heard(6, CARD)
    table.heard(7, CARD)
    assert vision.sent == [LearnPlayed(name="im-spiel-gelernt", faces=faces, copies=2, cards=CARDS)]
    desk.heard(PlayedFaces(known=13, of=20))
    assert "13 von 20" in notices["learning"]


def test_a_whole_deck_is_chosen_and_the_notice_goes(tmp_path, notices):
    (tmp_path / "im-spiel-gelernt.npz").write_bytes(b"whole")
    desk, _ = seated(Vision(), tmp_path, notices)
    desk.heard(PlayedFaces(known=20, of=20, deck="im-spiel-gelernt"))
    assert played_decks(tmp_path) == ("im-spiel-gelernt",)
    assert chosen_deck(tmp_path, "other") == "im-spiel-gelernt" and notices["learning"] == ""


def test_a_deck_that_was_taught_and_came_back_is_chosen_and_stays_taught(tmp_path, notices):
    (tmp_path / "verein.npz").write_bytes(b"whole")
    desk, _ = seated(Vision(), tmp_path, notices)
    desk.heard(PlayedFaces(known=20, of=20, deck="verein"))
    assert played_decks(tmp_path) == () and chosen_deck(tmp_path, "") == "verein"


@pytest.mark.parametrize(("event", "played", "gone"), [
    pytest.param(CardCorrected(of=3, card="SQ", by="seat 2"), True, True, id="a person says another card"),
    pytest.param(CardCorrected(of=3, card="HT", by="seat 2"), True, False, id="a person says the same"),
    pytest.param(CardCorrected(of=3, card=None, by="table"), True, False, id="there was no card"),
    pytest.param(CardCorrected(of=3, card="SQ", by="camera"), True, False, id="the camera looked again"),
    pytest.param(CardCorrected(of=4, card="SQ", by="seat 2"), True, False, id="an answer to a doubt"),
    pytest.param(CardCorrected(of=3, card="SQ", by="seat 2"), False, False, id="of a deck that was taught"),
])  # fmt: skip
def test_what_somebody_corrects_was_learned_wrongly(tmp_path, notices, event, played, gone):
    file = tmp_path / "im-spiel-gelernt.npz"
    file.write_bytes(b"whole")
    (note_played_deck if played else choose_deck)(tmp_path, "im-spiel-gelernt")
    vision = Vision("im-spiel-gelernt")
    _, table = seated(vision, tmp_path, notices)
    table.log = [(3, CARD), (4, replace(CARD, doubt=("HT", "SQ")))]
    table.heard(5, event)
    assert (vision.forgotten == 1, not file.exists(), chosen_deck(tmp_path, "") == "") == (gone, gone, gone)


def test_where_people_name_many_cards_another_deck_is_on_the_table(tmp_path, notices):
    file = tmp_path / "im-spiel-gelernt.npz"
    file.write_bytes(b"whole")
    note_played_deck(tmp_path, "im-spiel-gelernt")
    vision = Vision("im-spiel-gelernt")
    _, table = seated(vision, tmp_path, notices)
    table.log = [(4, replace(CARD, doubt=("HT", "SQ")))]
    few = [CardCorrected(of=4 + n, card="SQ", by="seat 2") for n in range(module.STRANGE_CARDS - 1)]
    composition = CardCorrected(of=9, card="SQ", by="composition")
    for event in (*few, GameDealt(dealer=1), *few, *few, composition):
        table.heard(20, event)
    assert vision.forgotten == 0
    table.heard(21, CardInserted(after=4, seat=1, card="SQ"))
    assert vision.forgotten == 1 and file.exists()  # it may come back


def test_what_is_said_late_of_cards_before_the_deck_was_known_does_not_count_against_it(tmp_path, notices):
    (tmp_path / "im-spiel-gelernt.npz").write_bytes(b"whole")
    vision = Vision()
    desk, table = seated(vision, tmp_path, notices)
    table.log = [(number, replace(CARD, doubt=("HT", "SQ"))) for number in range(30)]
    table.heard(9, CARD)
    desk.heard(PlayedFaces(known=20, of=20, deck="im-spiel-gelernt"))
    vision.settings = replace(vision.settings, deck="im-spiel-gelernt")
    for number, forgotten in [*((n, 0) for n in range(4, 10)), *((n, 0) for n in (10, 11, 12)), (13, 1)]:
        table.heard(20, CardCorrected(of=number, card="SQ", by="seat 2"))
        assert vision.forgotten == forgotten, number


def test_people_are_told_to_teach_a_deck_whose_indices_are_hard_to_read(tmp_path, notices, monkeypatch):
    monkeypatch.setattr(module, "confirmed", lambda table, game: ())
    desk, table = seated(Vision(), tmp_path, notices)
    table.log = [(4, replace(CARD, doubt=("HT", "SQ")))]
    answers = [CardCorrected(of=4 + n, card="SQ", by="seat 2") for n in range(module.UNREADABLE_CARDS)]
    machine = CardCorrected(of=20, card="SQ", by="composition")
    few = answers[:-1]
    for event in (*few, GameDealt(dealer=1), *few, *few, machine):
        table.heard(25, event)
    assert notices["deck"] == ""
    table.heard(26, answers[-1])
    assert "schlecht" in notices["deck"]
    desk.heard(PlayedFaces(known=13, of=20))
    assert "13 von 20" in notices["learning"] and "schlecht" in notices["deck"]
    desk.heard(PlayedFaces(known=20, of=20, deck="vereinsblatt"))
    assert notices == {"learning": "", "deck": ""}


@pytest.mark.parametrize(("event", "sent"), [
    pytest.param(CardCorrected(of=4, card="SQ", by="seat 2"), True, id="a person names it"),
    pytest.param(CardCorrected(of=4, card="SQ", by="camera"), False, id="the camera looked again"),
    pytest.param(CardCorrected(of=4, card="SQ", by="composition"), False, id="the deck leaves no other"),
    pytest.param(CardCorrected(of=4, card=None, by="seat 2"), False, id="there was no card"),
    pytest.param(CardCorrected(of=11, card="SQ", by="seat 2"), False, id="nobody saw it"),
])  # fmt: skip
@pytest.mark.parametrize("deck", ["", "verein"])
@pytest.mark.parametrize("book", ["bsv", "schaffkopf"])
def test_the_picture_of_a_card_that_a_person_names_names_its_like(
    tmp_path, notices, monkeypatch, event, sent, deck, book
):
    monkeypatch.setattr(module, "confirmed", lambda table, game: ())
    vision = Vision(deck)
    _, table = seated(vision, tmp_path, notices, book)
    table.log = [(4, replace(CARD, doubt=("HT", "SQ")))]
    table.doubts = [doubt(4), doubt(5), doubt(6, perhaps={6: 2}), doubt(11)]
    table.heard(20, event)
    twice = ((5, b"picture 5"),) if book == "bsv" else ()  # a Bavarian deck has no other card that looks so
    named = NameFace(label="SQ", picture=b"picture 4", open=twice)
    assert vision.sent == ([named] if sent and not deck else [])


@pytest.mark.parametrize("deck", ["", "verein"])
def test_after_a_power_cut_what_people_had_named_is_known_again(tmp_path, notices, deck):
    vision = Vision(deck)
    table = Seated("schaffkopf")
    by_person, by_camera = (CardCorrected(of=4, card="SU", by=by) for by in ("seat 2", "camera"))
    table.log = [(3, CARD), (4, CARD), (5, by_camera), (6, by_person), (7, replace(by_person, of=11))]
    table.doubts = [doubt(3)]
    PlayedDeckDesk(vision, tmp_path, lambda kind, text: None).sit(table)  # type: ignore[arg-type]
    assert vision.sent == ([] if deck else [NameFace(label="SU", picture=b"picture 4")])


def test_a_process_that_is_begun_anew_is_told_once_what_people_had_named(tmp_path, notices):
    vision = Vision()
    desk, table = seated(vision, tmp_path, notices, "schaffkopf")
    table.log = [(4, CARD), (6, CardCorrected(of=4, card="SU", by="seat 2"))]
    desk.heard(Blind(at=1.0, why=""))
    vision.restarts = 1
    desk.heard(Blind(at=2.0, why="camera"))
    assert not vision.sent
    for at in (3.0, 4.0):
        desk.heard(Blind(at=at, why=""))
    assert vision.sent == [NameFace(label="SU", picture=b"picture 4")]


def test_nothing_is_told_a_process_that_is_begun_anew_before_a_table_sits(tmp_path):
    vision = Vision()
    desk = PlayedDeckDesk(vision, tmp_path, lambda kind, text: None)  # type: ignore[arg-type]
    vision.restarts = 1
    desk.heard(Blind(at=2.0, why=""))
    assert not vision.sent


def test_what_people_had_named_counts_on_when_a_deck_learned_in_play_is_given_up(tmp_path, notices):
    (tmp_path / "im-spiel-gelernt.npz").write_bytes(b"whole")
    note_played_deck(tmp_path, "im-spiel-gelernt")
    vision = Vision("im-spiel-gelernt")
    _, table = seated(vision, tmp_path, notices)
    named = CardCorrected(of=4, card="SQ", by="seat 2")
    table.log = [(4, CARD), (5, named)]
    table.heard(5, named)
    assert vision.forgotten == 1
    assert vision.sent == [NameFace(label="SQ", picture=b"picture 4")]


def test_cards_that_look_like_one_that_was_named_are_put_right_unless_somebody_has_named_them(tmp_path, notices):
    desk, table = seated(Vision(), tmp_path, notices)
    table.doubts = [doubt(4), doubt(6, perhaps={6: 2}), doubt(7)]
    desk.heard(FaceNamed(label="SQ", alike=((4, 0.9), (5, 0.9), (6, 0.8), (7, 0.7))))
    said = [(event.of, event.card, event.by, event.margin) for event in table.noted]
    assert said == [(4, "SQ", "camera", 0.9), (7, "SQ", "camera", 0.7)]


def test_of_cards_without_indices_people_are_told_that_each_is_asked_for(tmp_path, notices):
    vision = Vision()
    desk, _ = seated(vision, tmp_path, notices, "schaffkopf")
    assert vision.expected == [tuple(dict.fromkeys(BOOKS["schaffkopf"].deck))]
    assert "fragt" in notices["deck"] and "0 von 32" in notices["learning"]
    desk.heard(PlayedFaces(known=32, of=32, deck="vereinsblatt"))
    assert notices == {"learning": "", "deck": ""}
