"""Schweinchen and Hyperschweinchen: both copies of a card in one hand, raised above all trumps by a word."""

from dataclasses import replace
from typing import Any

import pytest

from kiosk.errors import BadEvent, Refused
from kiosk.rules.composed.file import BadBook
from kiosk.rules.describe import probe
from kiosk.rules.engine.book import RuleBook
from kiosk.rules.engine.claimed_rest import judge_rest
from kiosk.rules.engine.game import Game
from kiosk.table.decide import decide
from kiosk.table.events.codec import decode
from kiosk.table.events.values import Request
from kiosk.table.round.fold import Round, fold
from kiosk.table.view.offers import calls
from tests.rules.composed.books import made

RULES = {"schweinchen": "both_in_one_hand"}
PLAYED = ["trumpfsolo", "farbsolo", "damensolo", "hochzeit"]
WITH_FIRST = {"schweinchen_until": "first_of_both"}

Event = dict[str, Any]


def book(**options: Any) -> RuleBook:
    return made("eppstein", rules=RULES, games={"played": PLAYED}, options=WITH_FIRST | options)


def dealt(by: RuleBook, players: str = "ABCD") -> Round:
    assert by.own is not None
    opened: Event = {"event": "open", "format": 1, "rules": by.name, "players": list(players), "book": by.own.content}
    return fold(map(decode, [opened, {"event": "release"}, {"event": "deal", "dealer": 4}]))


def after(state: Round, *events: Event | str) -> Round:
    """Cards are written as ``1 HT``, words as ``1 schweinchen``."""
    for event in events:
        if isinstance(event, str):
            seat, what = event.split()
            card = what in state.book.deck
            event = {"event": "card" if card else "announce", "seat": int(seat), "card" if card else "call": what}
        state = state.apply(decode(event))
    return state


def game(state: Round) -> Game:
    assert state.game is not None
    return state.game


def codes(state: Round) -> list[tuple[str, int]]:
    return [(one.code, one.seat) for one in game(state).offences]


def offered(state: Round, call: str = "schweinchen") -> set[int]:
    return {seat for seat, found in calls(game(state)).items() if any(one.call == call for one in found)}


@pytest.mark.parametrize(
    ("events", "winner"),
    [
        ("1 HT|2 DA|3 HT|4 DK", 3),
        ("1 HT|2 schweinchen|2 DA|3 HT|4 DK", 2),
        ("1 HT|2 DA|2 schweinchen|3 HT|4 DK", 2),
        ("1 HT|2 DK|3 HT|4 DA|4 schweinchen", 4),
        ("4 schweinchen|1 HT|2 DK|3 HT|4 DA", 4),
        ("4 schweinchen|1 HT|2 DK|3 HT|4 DT", 3),
        ("1 CK|2 CT|3 DA|3 schweinchen|4 CA", 3),
        ("2 schweinchen|4 hyperschweinchen|1 HT|2 DA|3 HT|4 D9", 4),
    ],
    ids=[
        "not said",
        "before it",
        "with it",
        "with the last card",
        "at once",
        "not laid",
        "on a plain trick",
        "Hyperschweinchen",
    ],
)
def test_who_takes_the_trick(events: str, winner: int) -> None:
    """In eppstein the second Herz 10 beats the first, whatever is above it."""
    state = after(dealt(book(hyperschweinchen="9")), *events.split("|"))
    assert game(state).tricks[0].winner == winner
    assert codes(after(state, f"{winner} SK")) == []


def test_a_trick_before_the_word_stays_as_it_was() -> None:
    state = after(
        dealt(book()), "1 HT", "2 DK", "3 CK", "4 DT", "1 CK", "2 DA", "2 schweinchen", "3 CA", "4 CT", "2 SK"
    )
    assert [trick.winner for trick in game(state).tricks] == [1, 2] and codes(state) == []


@pytest.mark.parametrize(
    ("options", "events"),
    [({}, "1 HT|2 DA|3 HT"), ({"schweinchen_until": "first_card"}, "1 HT")],
    ids=["after the card that follows it", "after the first card"],
)
def test_late_it_is_refused_and_raises_nothing(options: dict[str, Any], events: str) -> None:
    state = after(dealt(book(**options)), *events.split("|"))
    assert 2 not in offered(state)
    with pytest.raises(Refused) as refused:
        decide(state, Request(event=decode({"event": "announce", "seat": 2, "call": "schweinchen"})))
    assert refused.value.code == "late_announcement" and refused.value.section == ""
    late = after(state, "2 schweinchen")
    assert codes(late) == [("late_announcement", 2)] and game(late).contract == game(state).contract


def test_who_sits_out_says_nothing() -> None:
    with pytest.raises(BadEvent, match="seat 4 does not play in this game; seats 1, 2, 3, 5 do"):
        after(dealt(book(), "ABCDE"), "4 schweinchen")


def test_who_does_not_hold_both_is_found_out() -> None:
    rule = {"about": ["schweinchen"], "section": "7", "text": "Beide Füchse in einer Hand sind Schweinchen."}
    own = made("ddv", rules=RULES, options=WITH_FIRST, rule=[rule])
    state = after(dealt(own), "2 schweinchen", "1 DK", "2 DT", "3 DA", "4 DK")
    assert codes(state) == [("not_entitled", 2)] and game(state).offences[0].section == "mittwoch 7"
    assert codes(after(state, {"event": "hand", "seat": 3, "cards": ["DA"] * 2 + ["CK"] * 10})) == [("not_entitled", 2)]


def test_a_doubtful_fuchs_accuses_nobody() -> None:
    doubtful = {"event": "card", "seat": 3, "card": "DA", "doubt": ["DA", "HA"]}
    state = after(dealt(book()), "2 schweinchen", "1 DK", "2 DT", doubtful, "4 DK")
    assert codes(state) == []
    assert codes(after(state, {"event": "card", "seat": 3, "card": "DA"})) == [("not_entitled", 2)]


@pytest.mark.parametrize(
    ("events", "says"),
    [
        ("2 schweinchen|2 schweinchen", "has been said"),
        ("2 schweinchen|3 schweinchen", "has been said"),
        ("4 hyperschweinchen", "which nobody has said"),
        ("solo|2 schweinchen", "no schweinchen in this game"),
    ],
)
def test_what_cannot_be(events: str, says: str) -> None:
    state = dealt(book(hyperschweinchen="9"))
    solo = {"event": "declare", "seat": 1, "game": "damensolo"}
    with pytest.raises(BadEvent, match=says):
        after(state, *[solo if one == "solo" else one for one in events.split("|")])


@pytest.mark.parametrize(
    ("named", "in_solo", "there"),
    [
        ({"game": "hochzeit"}, False, True),
        ({"game": "trumpfsolo"}, False, False),
        ({"game": "trumpfsolo"}, True, True),
        ({"game": "farbsolo", "suit": "D"}, True, True),
        ({"game": "farbsolo", "suit": "C"}, True, False),
    ],
    ids=str,
)
def test_in_which_games_they_are(named: Event, in_solo: bool, there: bool) -> None:
    state = after(dealt(book(schweinchen_in_solo=in_solo)), {"event": "declare", "seat": 1, **named})
    assert bool(offered(state)) == there


def test_what_is_offered_goes_by_what_all_can_see() -> None:
    state = dealt(book(hyperschweinchen="9"))
    assert offered(state) == {1, 2, 3, 4} and offered(state, "hyperschweinchen") == set()
    assert offered(after(state, "1 DA")) == {1}
    assert offered(after(state, "1 DA", "2 DK")) == set()
    said = after(state, "1 schweinchen")
    assert offered(said) == set() and offered(said, "hyperschweinchen") == {1, 2, 3, 4}
    assert offered(after(said, "1 D9"), "hyperschweinchen") == {1}


def test_the_word_is_said_of_the_game_that_is_played() -> None:
    state = after(dealt(book()), "2 schweinchen", {"event": "declare", "seat": 1, "game": "hochzeit"})
    assert not game(state).raised and not game(state).contract.raised and offered(state) == {1, 2, 3, 4}


def test_a_word_taken_back_raises_nothing() -> None:
    state = after(dealt(book()), "1 HT", "2 DA", "2 schweinchen")
    number = state.events - 1
    back = after(
        state, {"event": "correct", "of": number, "word": None, "by": "referee", "why": "verhört"}, "3 HT", "4 DK"
    )
    assert game(back).tricks[0].winner == 3


def test_a_klaerungsstich_is_anothers_by_the_word() -> None:
    state = after(dealt(book()), {"event": "declare", "seat": 1, "game": "hochzeit"}, "1 HT", "2 DK", "3 DT", "4 DA")
    assert game(state).klaerung is None
    said = game(after(state, "4 schweinchen"))
    assert said.klaerung is not None and said.klaerung.partner == 4
    theirs = after(dealt(book()), {"event": "declare", "seat": 2, "game": "hochzeit"}, "1 HT", "2 DK", "3 DT", "4 DA")
    for state, partner in ((theirs, 1), (after(theirs, "4 schweinchen"), 4)):
        settled = game(state).klaerung
        assert settled is not None and settled.partner == partner


@pytest.mark.parametrize(
    ("before", "doubt", "later"),
    [
        (["1 HT", "2 DK"], (3, "DA", "HA"), ["4 DT", "3 CK", "2 schweinchen"]),
        (["1 HT", "2 DA", "2 schweinchen"], (3, "CK", "SK"), ["4 DT", "1 CK"]),
    ],
    ids=["said after the trick", "said in it"],
)
def test_where_a_card_is_in_doubt_each_trick_goes_by_what_was_said_by_then(
    before: list[str], doubt: tuple[int, str, str], later: list[str]
) -> None:
    seat, *kinds = doubt
    doubtful = {"event": "card", "seat": seat, "card": kinds[0], "doubt": kinds}
    state = after(dealt(book()), *before, doubtful, *later)
    assert [code for code, _ in codes(state)] == ["out_of_turn"]


def test_a_schweinchen_is_no_fuchs() -> None:
    own = made("ddv", rules=RULES, points={"special": ["fuchs", "fuchs_last"]})
    options = own.settle({})
    ended = probe.tally(own, options, 125, tricks=(probe.trick("D9 DA CK CT", winner=1), probe.trick("DA DK CK CT", 1)))
    assert {item.name for item in probe.items(own, ended)} >= {"fuchs", "fuchs_last"}
    raised = {item.name for item in probe.items(own, replace(ended, raised=("DA", "D9")))}
    assert not raised & {"fuchs", "fuchs_last"}


def test_a_claimed_rest_waits_for_what_another_may_say_and_counts_what_he_has_said() -> None:
    solo: Event = {"event": "declare", "seat": 1, "game": "trumpfsolo"}
    state = after(dealt(book(schweinchen_in_solo=True)), solo)
    hand = ["HT", "HT", "CQ", "SQ", "HQ", "DQ", "CJ", *["DK"] * 2, "CA", "CA", "CT"]
    assert judge_rest(game(state), 1, hand).why == "raised"
    said = after(state, "3 schweinchen")
    verdict = judge_rest(game(said), 1, hand)
    assert verdict.holds is False and verdict.hands[3].count("DA") == 2


@pytest.mark.parametrize(
    ("base", "content", "says"),
    [
        ("bsv", {"options": {"hyperschweinchen": "9"}}, r"one of 'none', 'K', 'T'"),
        ("bsv", {"trumps": {"normal": ["HT", "Q", "J", "C"]}}, r"rules\.schweinchen \(against trumps\.normal\)"),
        ("bsv", {"trumps": {"normal": ["HT", "DA", "Q"]}, "options": {"hyperschweinchen": "K"}}, r"DK.*no trump"),
    ],
    ids=["no nines", "no trump", "Hyperschweinchen no trump"],
)
def test_what_is_refused(base: str, content: dict[str, Any], says: str) -> None:
    with pytest.raises(BadBook, match=says):
        made(base, rules=RULES, points={"special": []}, **content)
    with pytest.raises(BadBook, match=r"\[rules\] schweinchen"):
        made("bsv", options={"hyperschweinchen": "K"})
