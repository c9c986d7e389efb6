"""Who sits there all along gives a name: at any time, for all games, and nobody is replaced by it."""

from typing import Any

import pytest

from kiosk.demo.play import simulate
from kiosk.errors import BadEvent, Refused
from kiosk.language import languages
from kiosk.table.consent import BY_ALL, by_referee, check_consent, held
from kiosk.table.decide import decide
from kiosk.table.default_names import is_default
from kiosk.table.events.codec import decode, decode_request, encode
from kiosk.table.events.values import Request, SeatNamed
from kiosk.table.round.fold import Round, fold
from kiosk.table.scoresheet.spielliste import list_data

NAMES = ["Platz 1", "Seat 2", "Cem", "Platz 4"]


def named(seat: int, player: str, *before: dict[str, Any], games: int = 1) -> Round:
    opening, *events = simulate("bsv", 1, games=games)
    events = [one for one in events if one["event"] not in ("sign", "close")]
    bodies = [{**opening, "players": NAMES}, *events, *before, {"event": "name", "seat": seat, "player": player}]
    return fold(map(decode, bodies))


@pytest.mark.parametrize(
    ("name", "default"),
    [
        ("Platz 1", True),
        ("Seat 5", True),
        ("", True),
        (" ", True),
        ("Platz 6", False),
        ("platz 1", False),
        ("Anna", False),
    ],
)
def test_seats_that_nobody_has_named(name: str, default: bool) -> None:
    assert is_default(name) == default
    assert len(languages()) >= 2


def test_a_name_counts_for_the_games_before() -> None:
    round = named(1, "Anna", games=2)
    assert round.players == ("Anna", *NAMES[1:]) and round.substitutes == frozenset() and round.left == frozenset()
    data = list_data(round)
    assert data["players"][0] == "Anna" and data["changes"] == []


def test_a_substitute_without_a_name_is_named_where_he_came() -> None:
    came = {"event": "substitute", "seat": 3, "player": "Platz 3"}
    round = named(3, "Xaver", came)
    assert [(one.left, one.came) for one in round.changes] == [("Cem", "Xaver")] and round.substitutes == {3}


@pytest.mark.parametrize(
    ("seat", "player", "why"),
    [(1, "Cem", "sits at this table already"), (5, "Anna", "unknown seat 5"), (1, " ", "a name")],
)
def test_what_cannot_be(seat: int, player: str, why: str) -> None:
    with pytest.raises(BadEvent, match=why):
        named(seat, player)


@pytest.mark.parametrize(
    ("seat", "request_of", "refused"),
    [
        (1, lambda one: one, None),
        (2, lambda one: one, None),
        (3, lambda one: one, "needs_all"),
        (3, held, "needs_all"),
        (3, by_referee, None),
        (3, lambda one: Request(event=one.event, consent=BY_ALL), None),
        (9, lambda one: one, None),
    ],
    ids=["default", "default in English", "has a name", "held", "referee", "all", "no such seat"],
)
def test_who_may(seat: int, request_of: Any, refused: str | None) -> None:
    round = fold([decode({**next(iter(simulate("bsv", 1))), "players": NAMES})])
    request = request_of(Request(event=SeatNamed(seat=seat, player="Anna")))
    if refused is None:
        check_consent(round, request)
        return
    with pytest.raises(Refused) as caught:
        check_consent(round, request)
    assert caught.value.code == refused


def test_its_text() -> None:
    body = {"event": "name", "seat": 2, "player": "Anna"}
    assert encode(decode_request(body).event) == body


def test_a_badge_names_its_seat_while_play_rests() -> None:
    """Who waits for the referee may say who he is; once it was refused until the ruling."""
    opening, *events = simulate("schnittchen", 1, games=1)
    played = [one for one in events if one["event"] not in ("sign", "close")][:12]
    said = [{**opening, "players": NAMES}, *played, {"event": "object", "seat": 3, "against": 2}]
    round = fold(map(decode, said))
    assert round.game is not None and round.game.objection
    request = decode_request({"event": "name", "seat": 1, "player": "Anna"})
    check_consent(round, request)
    assert decide(round, request) == SeatNamed(seat=1, player="Anna")
