"""What each act needs, checked at the table's one way in, whatever device asks."""

from pathlib import Path
from typing import Any, get_args

import pytest

from kiosk.errors import Refused
from kiosk.language import say
from kiosk.rules.engine.evolve import evolve
from kiosk.table.consent import (
    ACTS,
    BY_ALL,
    OTHERS,
    Need,
    at_seat,
    by_direction,
    by_referee,
    check_consent,
    check_opening,
    held,
    need,
    needing_all,
)
from kiosk.table.events.codec import decode, decode_opening, decode_request
from kiosk.table.events.log import MemoryLog
from kiosk.table.events.values import AnswerForRest, Consent, Event, FinishGame, Request
from kiosk.table.round.fold import Round, fold
from kiosk.table.table import Table

DOCS = Path(__file__).parents[2] / "docs" / "table.md"

HELD = Consent(deliberate=True)
REFEREE = Consent(referee=True)
THREE = Consent(deliberate=True, seats=frozenset({1, 2, 3}))


def the_round(*events: dict[str, Any], rules: str = "eppstein", players: str = "ABCD") -> Round:
    opened = {"event": "open", "format": 1, "rules": rules, "players": list(players)}
    return fold(map(decode, (opened, {"event": "release"}, {"event": "deal", "dealer": 1}, *events)))


CALL = {"event": "call", "seat": 2, "call": "gesund"}
WEITER = {"event": "call", "seat": 2, "call": "weiter"}
CARD = {"event": "card", "seat": 2, "card": "CA"}
VOID = {"event": "void"}
CLOSE = {"event": "close"}


def named(*seats: int) -> Round:
    """A table at which these seats have a name of their own."""
    return evolve(
        the_round(),
        players=tuple(
            f"Name {one}" if one in seats else say("screen", "seat_n", "de", seat=one) for one in range(1, 5)
        ),
    )


CASES: dict[str, tuple[Round, dict[str, Any], Need]] = {
    "gesund, which the book lets be corrected": (the_round(), CALL, Need.PLAIN),
    "gesund though it breaks a rule": (the_round(), {**CALL, "anyway": True}, Need.BINDING),
    "weiter, which nobody takes back": (the_round(rules="schaffkopf"), WEITER, Need.BINDING),
    "a bid": (the_round(rules="schaffkopf"), {"event": "bid", "seat": 2, "class": "wenz"}, Need.BINDING),
    "a game named": (the_round(), {"event": "declare", "seat": 2, "game": "hochzeit"}, Need.BINDING),
    "an announcement": (the_round(), {"event": "announce", "seat": 2, "call": "kontra"}, Need.BINDING),
    "a card by finger": (the_round(), CARD, Need.PLAIN),
    "a card against the rule": (the_round(), {**CARD, "anyway": True}, Need.BINDING),
    "a rest claimed": (the_round(), {"event": "claim", "seat": 2, "kind": "rest"}, Need.PLAYERS),
    "a rest claimed and contested": (
        the_round(),
        {"event": "claim", "seat": 2, "kind": "rest", "accepted": False},
        Need.OPPONENT,
    ),
    "a game given up": (the_round(), {"event": "claim", "seat": 2, "kind": "concede"}, Need.BINDING),
    "a Reklamation": (the_round(), {"event": "object", "seat": 2, "against": 3}, Need.BINDING),
    "a ruling": (the_round(), {"event": "rule", "offender": 3, "class": "minor"}, Need.ALL),
    "a fresh deal that does not count": (the_round(), VOID, Need.BINDING),
    "a deal in which a word was said": (the_round(CALL), VOID, Need.ALL),
    "a deal in which a card lies": (the_round(CARD), VOID, Need.ALL),
    "a signature": (the_round(), {"event": "sign", "seat": 2}, Need.BINDING),
    "a list with signatures missing": (evolve(the_round(), signed=(1, 3)), CLOSE, Need.ALL),
    "a list that all have signed": (evolve(the_round(), signed=(1, 2, 3, 4)), CLOSE, Need.BINDING),
    "a break while the clock runs on": (the_round(), {"event": "pause"}, Need.PLAIN),
    "a break in which the clock stops": (
        evolve(the_round(), options={**the_round().options, "break_stops_clock": True}),
        {"event": "pause"},
        Need.ALL,
    ),
    "names exchanged before the first deal": (
        evolve(the_round(), game=None),
        {"event": "swap", "seats": [1, 3]},
        Need.PLAIN,
    ),
    "names exchanged later": (the_round(), {"event": "swap", "seats": [1, 3]}, Need.ALL),
    "a card put right": (the_round(CARD), {"event": "correct", "of": 3, "card": "CK"}, Need.PLAIN),
    "a card put right in a game after who has signed": (
        evolve(the_round(CARD), signed=(1,)),
        {"event": "correct", "of": 3, "card": "CK"},
        Need.PLAIN,
    ),
    "a card put right once somebody has signed": (
        evolve(the_round(CARD, VOID), signed=(1,)),
        {"event": "correct", "of": 3, "card": "CK"},
        Need.ALL,
    ),
    "a card put right before anybody has": (
        the_round(CARD, VOID),
        {"event": "correct", "of": 3, "card": "CK"},
        Need.PLAIN,
    ),
    "a card put right in a list that was handed in": (
        evolve(the_round(CARD, VOID), closed=True),
        {"event": "correct", "of": 3, "card": "CK"},
        Need.ALL,
    ),
    "the first seat named that has a name": (named(1), {"event": "name", "seat": 1, "player": "Bea"}, Need.ALL),
    "the last seat named that has a name": (named(4), {"event": "name", "seat": 4, "player": "Bea"}, Need.ALL),
    "a seat named that has none": (named(3), {"event": "name", "seat": 2, "player": "Bea"}, Need.PLAIN),
    "a seat named that there is not": (named(1, 2, 3, 4), {"event": "name", "seat": 5, "player": "Bea"}, Need.PLAIN),
    "a game struck": (the_round(), {"event": "strike", "game": 1}, Need.ALL),
    "a game over though cards were missed": (the_round(), {"event": "finish"}, Need.BINDING),
}


#: What a request is refused with that lacks what it needs.
CODES = {
    Need.BINDING: "needs_hold",
    Need.OPPONENT: "needs_opponent",
    Need.PLAYERS: "needs_players",
    Need.ALL: "needs_all",
}


@pytest.mark.parametrize(("round", "asked", "wanted"), CASES.values(), ids=CASES)
def test_what_an_act_needs(round: Round, asked: dict[str, Any], wanted: Need) -> None:
    assert need(round, decode_request(asked)) is wanted
    ways = {
        "a tap": (Consent(), {Need.PLAIN}),
        "a hold": (HELD, {Need.PLAIN, Need.BINDING}),
        "three of four": (THREE, {Need.PLAIN, Need.BINDING, Need.OPPONENT}),
        "all": (BY_ALL, set(Need)),
        "the referee": (REFEREE, set(Need)),
        "the direction": (Consent(direction=True), set(Need)),
    }
    for way, (consent, enough_for) in ways.items():
        request = decode_request(asked, consent)
        if wanted in enough_for:
            check_consent(round, request)
            continue
        with pytest.raises(Refused) as refused:
            check_consent(round, request)
        assert refused.value.code == CODES[wanted], way


#: What each act says for its seat, 2; every act that is a seat's own is here.
OF_SEAT_2: dict[str, dict[str, Any]] = {
    "hand": {"cards": ["CA"]},
    "call": {"call": "gesund"},
    "bid": {"class": "wenz"},
    "declare": {"game": "damensolo"},
    "announce": {"call": "kontra"},
    "card": {"card": "CA"},
    "retract": {"card": "CA"},
    "claim": {"kind": "concede"},
    "object": {"against": 3},
    "sign": {},
    "correct": {"of": 3, "word": None, "by": "seat 2"},
}


@pytest.mark.parametrize("name", OF_SEAT_2)
def test_no_seat_speaks_for_another(name: str) -> None:
    """A press at seat 3's key, pad or badge says nothing for seat 2, however long it is held; at seat 2's it does."""
    asked = {"event": name, "seat": 2, **OF_SEAT_2[name]}
    if name == "correct":
        del asked["seat"]
    request = decode_request(asked)
    assert isinstance(request, Request)
    for wrong in (frozenset({3}), frozenset({1, 3, 4})):
        with pytest.raises(Refused) as refused:
            check_consent(the_round(), decode_request(asked, Consent(deliberate=True, seats=wrong)))
        assert refused.value.code == "other_seat"
    check_consent(the_round(), held(at_seat(request, 2)))
    check_consent(the_round(), decode_request(asked, REFEREE))


def test_every_act_of_a_seat_is_known() -> None:
    """An event with a seat is the seat's own, or needs all, or is one that anybody may write down."""
    assert {kind.name for kind, rule in ACTS.items() if rule.own} == set(OF_SEAT_2)
    seated = {kind for kind in ACTS if "seat" in kind.__dataclass_fields__}
    others = {kind.name for kind in seated if not ACTS[kind].own and ACTS[kind].usual is not Need.ALL}
    assert others == {"correct", "name"}, "a card or name is put right by whoever sees that it is wrong"


CLAIM = {"event": "claim", "seat": 2, "kind": "rest"}


@pytest.mark.parametrize(
    ("seats", "accepted", "code"),
    [
        pytest.param({2}, True, "needs_players", id="one finger says yes for all"),
        pytest.param({1, 2, 3}, True, "needs_players", id="one opponent has not answered"),
        pytest.param({1, 3, 4}, True, "other_seat", id="who claims does not show his cards"),
        pytest.param({1, 2, 3, 4}, True, "", id="all agree"),
        pytest.param({2}, False, "needs_opponent", id="who claims contests his own claim"),
        pytest.param({2, 4}, False, "", id="any one may say no"),
        pytest.param(set(), True, "needs_players", id="a device that knows no seat"),
    ],
)
def test_a_rest_is_claimed_before_all_who_play(seats: set[int], accepted: bool, code: str) -> None:
    """eppstein 4.3.3, 4.3.5; schaffkopf II 4.2.1: the others look at the cards, and any one may object."""
    request = decode_request({**CLAIM, "accepted": accepted}, Consent(deliberate=True, seats=frozenset(seats)))
    if not code:
        check_consent(the_round(), request)
        return
    with pytest.raises(Refused) as refused:
        check_consent(the_round(), request)
    assert refused.value.code == code


EVERYBODY = "everybody at the table, or the referee"
PLAYERS = "everybody who plays in the game, each at his own seat, or the referee"
OPPONENT = "a press that is held by the seat and by another that plays, or the referee"


@pytest.mark.parametrize(
    ("asked", "seats", "section", "detail"),
    [
        pytest.param({"event": "strike", "game": 1}, (2, 1), "", f"strike needs {EVERYBODY}; [1, 2] agreed", id="all"),
        pytest.param(CLAIM, (2,), "eppstein 4.3.2", f"claim needs {PLAYERS}; [2] agreed", id="who plays"),
        pytest.param(
            {**CLAIM, "accepted": False}, (2,), "eppstein 4.3.2", f"claim needs {OPPONENT}; [2] agreed", id="another"
        ),
        pytest.param({"event": "sign", "seat": 2}, (), "", "sign needs a press that is held", id="a hold"),
        pytest.param({"event": "finish"}, (), "", "FinishGame needs a press that is held", id="of no single event"),
        pytest.param(
            {"event": "sign", "seat": 2}, (3, 1), "", "sign of seat 2 was asked for at seat 1, 3", id="another's word"
        ),
    ],
)
def test_a_refusal_says_what_would_do(asked: dict[str, Any], seats: tuple[int, ...], section: str, detail: str) -> None:
    with pytest.raises(Refused) as refused:
        check_consent(the_round(), decode_request(asked, Consent(seats=frozenset(seats))))
    assert (refused.value.section, refused.value.detail) == (section, detail)


@pytest.mark.parametrize(
    ("consent", "meant"),
    [(Consent(), False), (HELD, True), (Consent(direction=True), True)],
    ids=["a tap", "a hold", "the direction"],
)
def test_a_round_is_begun_by_who_means_it(consent: Consent, meant: bool) -> None:
    if meant:
        check_opening(consent)
        return
    with pytest.raises(Refused) as refused:
        check_opening(consent)
    assert (refused.value.code, refused.value.section) == ("needs_hold", "")
    assert refused.value.detail == "open needs a press that is held"


def test_who_stands_behind_a_request_is_added_to_it() -> None:
    request = decode_request(CARD)
    assert isinstance(request, Request)
    assert at_seat(at_seat(request, 2), 3).consent == Consent(seats=frozenset({2, 3}))
    assert held(request).consent == HELD
    assert by_referee(request).consent == Consent(deliberate=True, referee=True)
    assert by_direction(request).consent == Consent(direction=True)


def test_a_word_is_its_seat_s_until_the_next_has_acted() -> None:
    back = decode_request({"event": "correct", "of": 3, "word": None, "by": "seat 2"})
    assert need(the_round(CALL), back) is Need.PLAIN
    assert need(the_round(CALL, {"event": "call", "seat": 3, "call": "gesund"}), back) is Need.ALL


def test_at_five_who_sits_out_has_no_say_in_a_claim() -> None:
    """Seat 1 has dealt."""
    playing = Consent(deliberate=True, seats=frozenset({2, 3, 4, 5}))
    check_consent(the_round(players="ABCDE"), decode_request(CLAIM, playing))
    with_dealer = Consent(deliberate=True, seats=frozenset({1, 2}))
    with pytest.raises(Refused) as refused:
        check_consent(the_round(players="ABCDE"), decode_request({**CLAIM, "accepted": False}, with_dealer))
    assert refused.value.code == "needs_opponent"


def test_at_five_the_dealer_agrees_as_well() -> None:
    round = the_round(CARD | {"seat": 2}, players="ABCDE")
    four = Consent(deliberate=True, seats=frozenset({2, 3, 4, 5}))
    with pytest.raises(Refused, match="everybody"):
        check_consent(round, decode_request(VOID, four))
    check_consent(round, decode_request(VOID, BY_ALL))
    assert Consent(deliberate=True, seats=frozenset(round.seats)) == BY_ALL


def table() -> Table:
    opened = {"event": "open", "format": 1, "rules": "eppstein", "players": list("ABCD")}
    made = Table(MemoryLog(), opening=decode_opening(opened), now=0.0)
    made.order(decode_request({"event": "release"}))
    return made


def test_nothing_gets_round_it_at_the_table() -> None:
    at = table()
    at.request(decode_request({"event": "deal", "dealer": 1}))
    for asked in ({"event": "announce", "seat": 2, "call": "re"}, {"event": "finish"}, VOID):
        with pytest.raises(Refused) as refused:
            at.request(decode_request(asked))
        assert refused.value.code == "needs_hold"
    assert len(at.events) == 3
    at.request(decode_request(VOID, HELD))
    assert at.events[-1].name == "void"


def test_a_refused_tap_deals_no_game() -> None:
    at = table()
    with pytest.raises(Refused):
        at.request(decode_request({"event": "declare", "seat": 2, "game": "damensolo"}))
    assert len(at.events) == 2


def test_an_order_of_the_direction_needs_no_finger() -> None:
    at = table()
    at.request(decode_request({"event": "deal", "dealer": 1}))
    at.request(decode_request(CARD))
    at.order(decode_request({**VOID, "order_number": 1}))
    assert at.events[-1].name == "void"


def test_the_same_word_twice_is_refused_nobody() -> None:
    at = table()
    at.request(decode_request({"event": "deal", "dealer": 1}))
    for seat in (2, 3, 4, 1):
        at.request(decode_request({"event": "call", "seat": seat, "call": "gesund"}))
    at.request(decode_request({"event": "announce", "seat": 2, "call": "re"}, HELD))
    assert at.request(decode_request({"event": "announce", "seat": 2, "call": "re"})) == []


def test_every_event_is_in_the_table() -> None:
    assert set(ACTS) == set(get_args(Event)), "there is no default that lets something through"


def test_the_screen_is_told_what_needs_all() -> None:
    assert needing_all(the_round(CALL)) == {"void", "close", "swap"}
    assert needing_all(the_round()) == {"close", "swap"}
    assert table().view().needs_all == {"close"}


def test_the_document_lists_what_the_code_asks_for() -> None:
    """The section of docs/table.md has a row for each act, and no other."""
    rows = [(kind.name, rule.own, rule.usual, rule.cases) for kind, rule in ACTS.items()]
    rows += [
        ({FinishGame: "finish", AnswerForRest: "rest"}[kind], False, wanted, ()) for kind, wanted in OTHERS.items()
    ]
    expected = {
        f"| `{name}` | {'its seat' if own else ''} | {usual.value} | "
        f"{'; '.join(f'{case.needs.value}, where {case.where}' for case in cases)} |"
        for name, own, usual, cases in rows
    }
    section = DOCS.read_text().partition("## Who stands behind a request\n")[2].partition("\n## ")[0]
    assert {line for line in section.splitlines() if line.startswith("| `")} == expected
