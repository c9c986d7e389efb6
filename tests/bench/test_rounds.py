"""The list of rounds, and what is told of them."""

from typing import Any

from kiosk.bench.pieces import PieceResult
from kiosk.bench.rounds import COUNT, ROUNDS, planned_rounds
from kiosk.bench.seeds import HELD_OUT
from kiosk.demo.decks import fitting
from kiosk.demo.play import checked_book
from kiosk.rules.books import BOOKS
from vision.simulation.lights import LIGHTS


def test_the_list_goes_over_all_books_decks_and_lights() -> None:
    rounds = list(planned_rounds())
    assert len(rounds) == COUNT >= 100 and rounds == list(planned_rounds())
    assert rounds[:10] == list(planned_rounds(10))  # a longer list begins as the shorter one
    assert {one.rules for one in rounds} == set(BOOKS) and {one.light for one in rounds} == set(LIGHTS)
    for book in BOOKS:
        assert {one.deck for one in rounds if one.rules == book} == set(fitting(BOOKS[book]))
        lights = [one.light for one in rounds if one.rules == book]
        assert len(set(lights)) == len(LIGHTS)
    assert len({one.seed for one in rounds}) == COUNT and min(one.seed for one in rounds) >= HELD_OUT
    assert {one.players for one in rounds} == {4, 5} and {one.offences for one in rounds} == {0.0, 0.002}
    for one in rounds:
        checked_book(one.rules, one.players)


RESULT: dict[str, Any] = {
    "cards": 768, "seen": 768, "asked": 1, "answered": 1, "refused": 0, "games": 16, "wrong": 0, "silent": 0,
    "misnoted": 0, "misplaced": 0, "accused": 0, "people": {},
    "seconds": 90.0, "notes": [], "outcome": "right", "cpu": 76.8,
}  # fmt: skip


def figures(*changes: dict[str, Any]) -> dict[str, tuple[str, bool | None]]:
    pieces = ROUNDS["rounds"].pieces(False)
    done = [PieceResult(piece, {**RESULT, **change}, "x") for piece, change in zip(pieces, changes, strict=False)]
    return {figure.what: (figure.value, figure.met) for figure in ROUNDS["rounds"].figures(done)}


def test_rounds_are_right_asked_or_silently_wrong() -> None:
    wrong = {"wrong": 3, "outcome": "asked", "notes": ["game 3, trick 2, seat 1: HT laid, HK noted"]}
    told = figures({}, {}, wrong, {**wrong, "outcome": "silent"})
    assert told["rounds with every row right"][0].startswith("0.500 (2/4, ")
    assert told["rounds with every row right"][1] is False
    assert told["rounds with a wrong row of which nothing is asked"] == ("1 of 4 (≤ 81 in 100)", False)
    assert told["rounds with a wrong row, and asked"][0] == "1"
    assert told["questions that people had to answer"] == ("4 in 64 games (0.12 in two)", True)
    assert told["processor time a card, s, median"][0] == "0.100"
    assert sum("HT laid, HK noted" in value for value, _ in told.values()) == 2


def test_a_card_for_another_seat_is_a_wrong_card() -> None:
    note = "game 4, trick 2, seat 1: SU laid, S8 noted"
    told = figures({}, {"misnoted": 2, "misplaced": 2, "notes": [note]})
    assert told["cards noted otherwise than laid, nothing asked"] == ("2 (2 for another seat)", False)
    assert sum(note in value for value, _ in told.values()) == 1


def test_who_is_accused_of_what_he_did_not_do_is_told() -> None:
    note = "game 4, seat 2: accused of revoke for 3.1 s, and nobody did it"
    told = figures({}, {"accused": 1, "notes": [note]})
    assert told["accused at any time of what nobody did"] == ("1", False)
    assert sum(note in value for value, _ in told.values()) == 1


def test_what_people_do_besides_has_a_row_each() -> None:
    did = {"upon-another": {"often": 4, "right": 3, "asked": 1, "seconds": [0.2, 0.4, 1.0]}}
    told = figures({"people": did}, {"people": did}, {"people": {}})
    assert told["upon-another: cards right"][0].startswith("0.750 (6/8, ")
    assert told["upon-another: cards right"][1] is False
    assert told["upon-another"][0] == "2 in doubt at first; agreed after 0.4 s, 1.0 s at most"


def test_all_right() -> None:
    told = figures({}, {})
    assert told["rounds with every row right"][1] and told["rounds with a wrong row of which nothing is asked"][1]
    assert not any("laid" in value for value, _ in told.values())


def test_some_are_played_again_before_a_camera_that_gives_jpegs() -> None:
    once, again = ROUNDS["rounds"].pieces(False), ROUNDS["rounds-jpeg"].pieces(False)
    assert [{**piece.options, "jpeg": 90} for piece in once[: len(again)]] == [piece.options for piece in again]
    assert {piece.options["rules"] for piece in again} == set(BOOKS)
    assert len({piece.key for piece in (*once, *again)}) == len(once) + len(again)
