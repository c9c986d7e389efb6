"""A game gone through as it was played: what may be seen when, and how each card came to its name."""

from collections.abc import Iterator
from typing import Any

import pytest

from kiosk.demo.play import simulate
from kiosk.rules.books import BOOKS
from kiosk.table.events.codec import decode
from kiosk.table.round.fold import Round, fold
from kiosk.table.round.packed import compact
from kiosk.table.view.played_game import PlayedBreach, PlayedCard, PlayedGame, PlayedWord, games_of, played_game
from kiosk.table.view.played_words import breach_told, how_told

NAMES = ("Anna", "Bernd", "Cem", "Dora")
OPEN = {"event": "open", "format": 1, "rules": "eppstein", "table": 7, "round": 1, "players": list(NAMES)}
BEGUN: list[dict[str, Any]] = [
    OPEN,
    {"event": "release"},
    {"event": "deal", "dealer": 1},
    *({"event": "call", "seat": seat, "call": "gesund"} for seat in (2, 3, 4, 1)),
]
SEEN = {"margin": 0.5, "place": [1, 2]}

#: The first card's event.
FIRST = len(BEGUN)


def played(*events: dict[str, Any], number: int = 1, whole: bool = True) -> PlayedGame:
    round = fold(decode({"at": 1000 * n, **one}) for n, one in enumerate([*BEGUN, *events]))
    game = played_game(round, number, whole=whole)
    assert game is not None
    return game


def card(seat: int, name: str, **keys: Any) -> dict[str, Any]:
    return {"event": "card", "seat": seat, "card": name, **SEEN, **keys}


def finger(seat: int, name: str) -> dict[str, Any]:
    return {"event": "card", "seat": seat, "card": name}


def correct(of: int, name: str | None, by: str = "table", **keys: Any) -> dict[str, Any]:
    return {"event": "correct", "of": of, "card": name, "by": by, **keys}


#: Events after the deal → of each card of the first trick: seat, card, and how it came to that.
CAME: dict[str, tuple[list[dict[str, Any]], list[tuple[int, str, list[str]]]]] = {
    "seen": ([card(2, "CA")], [(2, "CA", [])]),
    "by finger": ([finger(2, "CA")], [(2, "CA", ["von Hand eingegeben"])]),
    "in doubt": (
        [card(2, "CA", doubt=["CA", "SA"], scores=[1, 0.9])],
        [(2, "CA", ["im Zweifel: Kreuz As oder Pik As"])],
    ),
    "settled by a player": (
        [card(2, "CA", doubt=["CA", "SA"], scores=[1, 0.9]), correct(FIRST, "SA", "seat 3")],
        [(2, "SA", ["Zweifel (Kreuz As oder Pik As), geklärt: Cem"])],
    ),
    "settled by the others": (
        [card(2, "CA", doubt=["CA", "SA"], scores=[1, 0.9]), correct(FIRST, "CA", "composition")],
        [(2, "CA", ["Zweifel (Kreuz As oder Pik As), geklärt: aus den übrigen Karten"])],
    ),
    "corrected twice": (
        [card(2, "CA"), correct(FIRST, "SA", "camera"), correct(FIRST, "ST", "referee")],
        [
            (
                2,
                "ST",
                [
                    "vorher Kreuz As (Bernd), berichtigt: zweiter Blick der Kamera",
                    "vorher Pik As (Bernd), berichtigt: Schiedsrichter",
                ],
            )
        ],
    ),
    "corrected to the same": ([card(2, "CA"), correct(FIRST, "CA")], [(2, "CA", [])]),
    "another's": (
        [card(2, "CA"), card(3, "C9"), {"event": "correct", "seats": {str(FIRST): 3, str(FIRST + 1): 2}, "by": "all"}],
        [
            (3, "CA", ["vorher Kreuz As (Bernd), berichtigt: alle am Tisch"]),
            (2, "C9", ["vorher Kreuz 9 (Cem), berichtigt: alle am Tisch"]),
        ],
    ),
    "perhaps another's": (
        [
            card(2, "CA"), card(3, "C9"),
            {
                "event": "correct", "seats": {str(FIRST): 2, str(FIRST + 1): 3}, "by": "camera",
                "perhaps": {str(FIRST): 3, str(FIRST + 1): 2},
            },
        ],
        [(2, "CA", ["vielleicht von Cem"]), (3, "C9", ["vielleicht von Bernd"])],
    ),
    "no card": (
        [card(2, "CA"), card(3, "C9"), correct(FIRST + 1, None), card(3, "CK")],
        [(2, "CA", []), (3, "C9", ["hier lag keine Karte: am Tisch"]), (3, "CK", [])],
    ),
    "taken back": (
        [card(2, "CA"), card(3, "C9"), {"event": "retract", "seat": 3, "card": "C9"}, card(3, "CK")],
        [(2, "CA", []), (3, "C9", ["zurückgenommen"]), (3, "CK", [])],
    ),
    "entered afterwards": (
        [card(2, "CA"), card(4, "CK"), {"event": "correct", "after": FIRST, "seat": 3, "card": "C9", "by": "seat 3"}],
        [(2, "CA", []), (3, "C9", ["nachgetragen: Cem"]), (4, "CK", [])],
    ),
    "seen by nobody": (
        [
            card(2, "CA"),
            {
                "event": "correct", "after": FIRST, "seat": 3, "card": "C9", "doubt": ["C9", "CK"], "unseen": True,
                "by": "camera",
            },
        ],
        [(2, "CA", []), (3, "C9", ["von niemandem gesehen", "im Zweifel: Kreuz 9 oder Kreuz König"])],
    ),
    "by a seat that is none": (
        [card(2, "CA"), correct(FIRST, "SA", "seat 5")],
        [(2, "SA", ["vorher Kreuz As (Bernd), berichtigt: seat 5"])],
    ),
}  # fmt: skip


@pytest.mark.parametrize(("events", "wanted"), CAME.values(), ids=CAME)
def test_how_a_card_came_to_its_name(events: list[dict[str, Any]], wanted: list[Any]) -> None:
    trick = played(*events).tricks[0]
    told = [(one.seat, one.card, how_told(one, NAMES, bavarian=False)) for one in trick.cards]
    assert told == wanted
    for one in trick.cards:
        assert all(how_told(one, NAMES, "en", bavarian=False)) and not set(told[0][2]) & set(
            how_told(one, NAMES, "en", bavarian=False)
        )


def test_pictures_are_looked_for_under_the_card_and_a_second_look() -> None:
    trick = played(
        card(2, "CA", doubt=["CA", "SA"], scores=[1, 0.9]),
        correct(FIRST, "CA", "camera"),
        finger(3, "C9"),
        card(4, "CK"),
        card(1, "CT"),
    ).tricks[0]
    second, first = FIRST + 1, FIRST
    assert trick.cards[0].pictures == ((second, second * 1000), (first, first * 1000))
    assert trick.mats[0] == (FIRST + 4, (FIRST + 4) * 1000)


def test_words_and_breaches_stand_at_their_place() -> None:
    game = played(
        {"event": "announce", "seat": 2, "call": "re"},
        card(2, "CA"),
        card(3, "S9"),
        card(4, "CK"),
        card(1, "CT"),
        card(2, "SA"),
        {"event": "announce", "seat": 3, "call": "kontra"},
        card(3, "C9"),
        {"event": "correct", "of": FIRST + 6, "word": None, "by": "all"},
    )
    told = [
        [
            (step.card if isinstance(step, PlayedCard) else step.word and step.word["call"])
            if not isinstance(step, PlayedBreach)
            else breach_told(step, NAMES)
            for step in trick.steps
        ]
        for trick in game.tricks
    ]
    breach = told[0][3]
    assert told == [["re", "CA", "S9", breach, "CK", "CT"], ["SA", None, "C9"]]
    assert str(breach).startswith("Cem: ") and "Kreuz 9" in str(breach)
    said = game.tricks[1].steps[1]
    assert isinstance(said, PlayedWord) and said.said["call"] == "kontra"


#: Where players may look, by book: the section that says so is the option's.
LOOK_BACK = {
    "eppstein": False,
    "bsv": False,
    "ddv": False,
    "schaffkopf": False,
    "durchgaenge": True,
    "schnittchen": True,
}


def rounds_of(rules: str) -> Iterator[Round]:
    round = None
    for body in simulate(rules, 5, games=2, mistakes=0):
        round = fold([decode(body)]) if round is None else round.apply(decode(body))
        yield round


@pytest.mark.parametrize("rules", BOOKS)
def test_of_a_game_in_play_the_last_trick_alone_is_open(rules: str) -> None:
    option = BOOKS[rules].option("look_back")
    assert option.default is LOOK_BACK[rules] and option.section
    ended = 0
    for n, round in enumerate(rounds_of(rules)):
        for game in games_of(round) if n % 9 == 0 else ():
            seen, all_of_it = played_game(round, game.number), played_game(round, game.number, whole=True)
            assert seen is not None and all_of_it is not None and not all_of_it.hidden
            if game.ended:
                assert seen == all_of_it
                ended += 1
                continue
            shown = [trick.number for trick in seen.tricks]
            assert shown == ([len(game.tricks)] if game.tricks and game.phase == "playing" else [])
            assert seen.hidden == len(all_of_it.tricks) - len(shown)
    assert ended


@pytest.mark.parametrize("rules", BOOKS)
def test_a_game_shows_its_tricks_in_the_order_of_play(rules: str) -> None:
    *_, round = rounds_of(rules)
    for game in round.games:
        shown = played_game(round, game.number)
        assert shown is not None and not shown.hidden
        tricks = [[(one.event, one.seat, one.card) for one in trick.cards if not one.gone] for trick in shown.tricks]
        laid = [[(one.event, one.seat, one.card) for one in trick.cards] for trick in game.tricks]
        assert tricks[: len(laid)] == laid
        assert [trick.winner for trick in shown.tricks][: len(laid)] == [trick.winner for trick in game.tricks]
    assert played_game(round, 99) is None
    assert played_game(compact(round), 1) == played_game(round, 1)


def test_while_play_rests_all_tricks_stay_covered() -> None:
    """eppstein 8.8.5; the referee goes through all of it."""
    events = [card(2, "CA"), card(3, "C9"), card(4, "CK"), card(1, "CT"), {"event": "object", "seat": 2}]
    seen = played(*events, whole=False)
    assert (seen.tricks, seen.hidden, seen.running) == ((), 1, True)
    assert len(played(*events).tricks) == 1
