"""A game as if some of its cards had been others is the one that a correction of these cards makes."""

import random
from typing import Any

import pytest

from kiosk.bench.proof_games import Noise, play
from kiosk.errors import BadEvent
from kiosk.rules.engine.breaches import readings_of
from kiosk.rules.engine.game import Game
from kiosk.rules.engine.recast import recast
from kiosk.table.events.codec import decode
from kiosk.table.round.course import course
from kiosk.table.round.fold import Round, fold
from tests.rules.as_played import SCAN, played
from tests.rules.composed.books import made

NOISE = Noise(doubt=0.03, unseen=0.005, retracted=0.06, calls=0.15, scans=0.2, revokes=0.05)


def by_course(game: Game) -> dict[str, Any]:
    """What a game's calls and duties are judged by, and how."""
    return {
        "tricks": [(trick.leader, trick.winner, trick.points) for trick in game.tricks],
        "klaerung": (game.klaerung, game.klaerung_event),
        "queens": game.queens,
        "sides": game.certain_sides,
        "known": game.known_sides,
        "moments": [one.moment for one in game.said],
        "verdicts": [(one.code, one.side, one.level) for one in game.judged()[0]],
        "duty": [one.event for one in game.offences if one.code == "missed_duty"],
    }


def corrected(round: Round, reading: dict[int, str]) -> Game | None:
    """The game with each card put right by a correction; None where an event could not have happened then."""
    try:
        for event, card in reading.items():
            round = round.apply(decode({"event": "correct", "of": event, "card": card, "by": "table"}))
    except BadEvent:
        return None
    return round.game


CASES = [
    *((book, None) for book in ("bsv", "ddv", "durchgaenge", "eppstein", "schnittchen")),
    *((book, {"game": "hochzeit"}) for book in ("bsv", "durchgaenge", "eppstein", "schnittchen")),
    ("durchgaenge", {"game": "damensolo"}),
]


@pytest.mark.parametrize(("book", "declared"), CASES, ids=lambda one: one["game"] if isinstance(one, dict) else one)
def test_it_is_what_a_correction_makes(book: str, declared: dict[str, str] | None) -> None:
    compared = 0
    for seed in range(4):
        events = play(book, 400 + seed, NOISE, declared=declared).events
        rng = random.Random(seed)
        cut = rng.randrange(len(events) // 3, len(events) + 1)
        round = fold(map(decode, events[:cut]))
        assert round.game is not None
        readings = readings_of(round.game).all(12) or []
        for reading in rng.sample(readings, min(2, len(readings))):
            there = corrected(round, reading)
            if there is not None:
                due = there.lapsed.event if there.lapsed else None
                assert by_course(recast(round.game, course(round, round.game), reading, due)) == by_course(there)
                compared += bool(reading)
    assert compared >= 2


ARMUT = made("bsv", games={"played": ["trumpfsolo", "armut", "hochzeit"]})


@pytest.mark.parametrize(
    ("book", "cards"),
    [
        pytest.param("eppstein", "1CQ/SQ 2kontra 2DK 3DK 4DT", id="said after a Queen, perhaps"),
        pytest.param("eppstein", "1CQ 2DK 3DJ 4D9/DA 1CQ 2DK 3DJ 4re", id="both Queens of a hand"),
        pytest.param("eppstein", "1CQ 1-CQ 1CQ 2DK 3DJ/HJ 2re", id="one that was taken back and laid again"),
        pytest.param("eppstein", "1C9/CK 2CK/CA 3C9/CT 4CT/CA", id="a trick of which each card is in doubt"),
        pytest.param("eppstein", "1hochzeit 1C9 2CA 3CT/CK 4CK 4-CK 4HA 3kontra", id="the Klärungsstich taken back"),
        pytest.param("eppstein", "1hochzeit 1C9 2CA 3CK 4HA 2HT 3DK/DT 4D9 1DJ 1-DJ 1DQ 3kontra", id="one after it"),
        pytest.param("eppstein", f"{SCAN} 1HA 2CK/C9 3CT 4CA 3re", id="a hand that holds one of two"),
        pytest.param("eppstein", f"{SCAN} 1CA 2CT/C9 3CK 4CA 3re", id="a hand that holds both"),
        pytest.param(ARMUT.name, "1armut 1CA 2CT/CK 3CQ 4CK 3HA 2kontra", id="sides clear before the first card"),
        pytest.param("schaffkopf", "1rufspiel 1E7 2E8/EK 3ET 4E9 2claim=EA", id="the called card is named in a claim"),
        pytest.param("schaffkopf", "1rufspiel 1E7 2E8/EK 3ET 4EA 2claim=GA", id="another is"),
    ],
)
def test_how_a_game_went_otherwise(by_book: Any, book: str, cards: str) -> None:
    table = played(lambda: by_book(book), cards)
    readings = readings_of(table.game).all(40)
    assert readings is not None
    compared = 0
    for reading in readings:
        there = corrected(table.round, reading)
        if there is not None:
            due = there.lapsed.event if there.lapsed else None
            assert by_course(recast(table.game, course(table.round, table.game), reading, due)) == by_course(there)
            compared += 1
    assert compared >= 2


def lay(table: Any, cards: str) -> list[int]:
    made = []
    for one in cards.split():
        seat, *choices = int(one[0]), *one[1:].split("/")
        made.append(table.do("card", seat=seat, card=choices[0], **({"doubt": choices} if choices[1:] else {})))
    return made


def test_a_card_put_in_lies_where_it_was_put(play: Any) -> None:
    """One that nobody saw, laid before a call and noted after it."""
    table = play()
    table.do("deal", dealer=4)
    first, *_, doubtful = lay(table, "1CA 2CT 4CK/SK")
    table.do("announce", seat=2, call="kontra")
    table.do("correct", after=first + 1, seat=3, card="CQ", by="table")
    reading = {doubtful: "SK"}
    went = course(table.round, table.game)
    assert [step.card if hasattr(step, "card") else step.call for step in went] == ["CA", "CT", "CQ", "CK", "kontra"]
    there = corrected(table.round, reading)
    assert there is not None
    assert by_course(recast(table.game, went, reading, None)) == by_course(there)
    assert there.said[0].moment.queens == (3,)


def test_a_word_taken_back_and_a_card_that_there_was_not_are_left_out(play: Any) -> None:
    table = play()
    table.do("deal", dealer=4)
    first, phantom = lay(table, "1CA/CK 2CT")
    said = table.do("announce", seat=3, call="kontra")
    table.do("correct", of=phantom, card=None, by="table")
    table.do("correct", of=said, word=None, by="seat 3", why="")
    back = lay(table, "2HA")
    table.do("retract", seat=2, card="HA")
    again = lay(table, "2CK")
    steps = course(table.round, table.game)
    assert [getattr(step, "event", step) for step in steps] == [first, *back, 2, *again]
