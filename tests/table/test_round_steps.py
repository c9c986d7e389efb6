"""What each event does to the round, and what cannot happen to it: records, people, money, in a few events each."""

from math import inf

import pytest

from kiosk.errors import BadEvent
from kiosk.rules.books import BOOKS
from kiosk.table.events.codec import decode
from kiosk.table.round.fold import fold, open_round
from kiosk.table.round.record import CountsAs, Fined, SeatChange
from tests.table.short_rounds import (
    CLOSE,
    NAMES,
    RELEASE,
    SCORED,
    UP,
    VOID,
    Body,
    after,
    card,
    deal,
    opening,
    rule,
    solo,
)

# what cannot be


@pytest.mark.parametrize(
    ("events", "says"),
    [
        pytest.param([opening()], "open: a round is opened only once", id="opened twice"),
        pytest.param([CLOSE, deal()], "deal: the list is handed in; only strike, correct, sign", id="closed"),
        pytest.param([deal(5)], "deal: unknown seat 5; this table has seats 1 to 4", id="dealer"),
        pytest.param([deal(), deal()], "deal: game 1 is still running; it ends with its last card", id="dealt twice"),
        pytest.param([card("2CA")], "card: no game is running; deal first", id="nothing dealt"),
        pytest.param([deal(), card("2XX")], "card: unknown card 'XX'; eppstein plays with CA CT CK", id="card"),
        pytest.param([deal(), card("5CA")], "card: unknown seat 5", id="card of nobody"),
        pytest.param(
            [deal(), card("2CA", doubt=["CA", "H7"])], "card: unknown card 'H7'; eppstein plays with", id="choice"
        ),
        pytest.param(
            [deal(), {"event": "hand", "seat": 1, "cards": ["CA"] * 49}], "hand has 48 cards at most, not 49", id="hand"
        ),
        pytest.param(
            [deal(), {"event": "claim", "seat": 2, "kind": "rest", "order": ["CA"] * 13}],
            "a claim's order has 12 cards at most, not 13",
            id="order",
        ),
        pytest.param(
            [deal(), {"event": "claim", "seat": 2, "kind": "rest", "accepted": False, "contested": 5}],
            "claim: unknown seat 5",
            id="contested by nobody",
        ),
        pytest.param(
            [deal(), {"event": "declare", "seat": 2, "game": "hochzeit", "partner": 5}], "unknown seat 5", id="partner"
        ),
        pytest.param([deal(), {"event": "object", "seat": 5}], "object: unknown seat 5", id="objector"),
        pytest.param([deal(), {"event": "object", "seat": 1, "against": 5}], "object: unknown seat 5", id="accused"),
        pytest.param(
            [deal(), {"event": "object", "seat": 1, "breach": 9}],
            "object: event 9 has not happened yet; this is event 2",
            id="breach to come",
        ),
        pytest.param([deal(), VOID, {"event": "object", "seat": 1}], "the last deal was void", id="objected too late"),
        pytest.param([deal(), VOID, rule("minor", offender=1)], "the last deal was void", id="ruled too late"),
        pytest.param([rule("minor", offender=1)], "rule: no game is running; deal first", id="ruled too early"),
        pytest.param([rule("none")], "rule: no game is running; deal first", id="nothing to rule"),
        pytest.param([deal(), rule("minor", offender=5)], "rule: unknown seat 5", id="offender"),
        pytest.param([deal(), rule("custom", scores={"5": 1})], "rule: unknown seat 5", id="scores of nobody"),
        pytest.param([rule("none", fines={"5": 1})], "rule: unknown seat 5", id="fines of nobody"),
        pytest.param([deal(), rule("minor", offender=1, breach=8)], "event 8 has not happened yet; this", id="breach"),
        pytest.param([rule("minor", answers=False)], "answers nothing is of class none and gives", id="answers"),
        pytest.param(
            [rule("none", minutes=0, answers=False)], "answers nothing is of class none and gives", id="no minutes"
        ),
        pytest.param(
            [rule("minor", minutes=3, answers=False)], "answers nothing is of class none and gives", id="no class"
        ),
        pytest.param(
            [{"event": "strike", "game": 1, "replay": True}], "game 1 is not on the list; it has 0 games", id="no game"
        ),
        pytest.param(
            [deal(), SCORED, *[{"event": "strike", "game": 1, "replay": False}] * 2],
            "strike: game 1 is struck already",
            id="struck twice",
        ),
        pytest.param(
            [deal(), SCORED, CLOSE, {"event": "strike", "game": 1, "replay": True}],
            r"strike: after the round a game is struck without replacement \(eppstein 8.2.2\)$",
            id="no replay after the round",
        ),
        pytest.param([{"event": "substitute", "seat": 1, "player": "Dora"}], "'Dora' sits at this table", id="there"),
        pytest.param([{"event": "substitute", "seat": 5, "player": "X"}], "unknown seat 5", id="no seat for him"),
        pytest.param([{"event": "name", "seat": 1, "player": "Dora"}], "'Dora' sits at this table already", id="name"),
        pytest.param([{"event": "name", "seat": 5, "player": "X"}], "unknown seat 5", id="name of no seat"),
        pytest.param([{"event": "resume"}], "resume: the table has no break", id="no break"),
        pytest.param([{"event": "pause"}] * 2, "pause: the table has a break already; resume ends", id="two breaks"),
        pytest.param([deal(), {"event": "sign", "seat": 1}], "sign: game 1 is still running", id="signed in a game"),
        pytest.param([{"event": "sign", "seat": 5}], "sign: unknown seat 5", id="signed by nobody"),
        pytest.param([deal(), CLOSE], "close: game 1 is still running", id="closed in a game"),
        pytest.param([{"event": "correct", "of": 0, "card": "CA"}], "event 0 is no card that could be", id="no card"),
        pytest.param([deal(), card("2CA"), {"event": "correct", "of": 2, "card": "XX"}], "^correct: unknown card 'XX'",
                     id="card to be"),
        pytest.param(
            [deal(), card("2CA"), {"event": "correct", "of": 2, "card": "CA", "seat": 5}], "^correct: unknown seat 5",
            id="whose"
        ),
        pytest.param(
            [deal(), card("2CA"), {"event": "correct", "of": 2, "card": None, "seat": 5}], "^correct: unknown seat 5",
            id="whose, though none lay there"
        ),
        pytest.param(
            [deal(), {"event": "correct", "after": 1, "seat": 2, "card": "XX"}], "^correct: unknown card 'XX'",
            id="put in: card"
        ),
        pytest.param(
            [deal(), {"event": "correct", "after": 1, "seat": 5, "card": "CA"}], "^correct: unknown seat 5",
            id="put in: seat"
        ),
        pytest.param(
            [deal(), {"event": "correct", "after": 2, "seat": 2, "card": "CA"}], "no event 2 before it", id="itself"
        ),
        pytest.param(
            [{"event": "correct", "of": 0, "word": None}], "event 0 is nothing that was said; name", id="no word"
        ),
        pytest.param(
            [deal(), {"event": "correct", "of": 1, "word": {"event": "announce", "seat": 2, "call": "re"}}],
            r"event 1 is deal; it can have been another deal, or nothing \(null\)",
            id="another word",
        ),
        pytest.param(
            [deal(), {"event": "correct", "of": 1, "word": deal(2), "by": "all", "agreed": [1, 5]}],
            "correct: unknown seat 5",
            id="agreed",
        ),
        pytest.param([UP, *[body for seat in (1, 2, 3, 4) for body in (deal(), *solo(seat))], deal()],
                     "the round is complete, nothing is left to be dealt; Nachspielzeit would open it again", id="up"),
    ],
)  # fmt: skip
def test_what_cannot_happen(events: list[Body], says: str) -> None:
    with pytest.raises(BadEvent, match=says):
        after(*events)


def test_a_game_struck_after_the_round_by_a_book_that_says_nothing_of_it() -> None:
    silent = next(name for name, book in BOOKS.items() if not book.berichtigung["strike"])
    with pytest.raises(BadEvent, match=r"^strike: after the round a game is struck without replacement$"):
        after(deal(), SCORED, CLOSE, {"event": "strike", "game": 1, "replay": True}, rules=silent)


def test_a_round_that_is_complete() -> None:
    done = after(options={"pflichtsoli": 0})
    while not done.over:
        for body in (deal(done.next_dealer), *solo(2, duty=False)):
            done = done.apply(decode(body))
    with pytest.raises(BadEvent, match="nothing is left to be dealt; a game struck with replay would be"):
        done.apply(decode(deal()))
    again = done.apply(decode({"event": "strike", "game": 3, "replay": True}))
    assert not again.over and again.apply(decode(deal(again.next_dealer))).running


@pytest.mark.parametrize(
    ("body", "says"),
    [
        (RELEASE, "release: the first event must be open"),
        (opening("skat"), "open: unknown rule set 'skat'; known are eppstein, bsv, ddv, "),
        (opening(players=3), "open: eppstein is played by 4 or 5 at a table, not 3"),
        (opening(substitutes=[5]), "open: unknown seat 5; this table has seats 1 to 4"),
        (opening(options={"pflichtsoli": 99}), "open: .*pflichtsoli"),
    ],
    ids=["no opening", "book", "players", "substitute", "option"],
)
def test_a_round_that_cannot_be_opened(body: Body, says: str) -> None:
    with pytest.raises(BadEvent, match=says):
        open_round(decode(body))


def test_a_round_that_is_opened() -> None:
    first = open_round(decode(opening("bsv", 5, substitutes=[5], options={"first_dealer": 3})), 6)
    assert (first.table, first.round, first.players, first.substitutes) == (7, 2, tuple(NAMES), {5})
    assert (first.events, first.rotation, first.next_dealer) == (7, 3, 3) and first.options["first_dealer"] == 3
    assert [number for number, _ in first.log] == [6] and not first.running and not first.over
    with pytest.raises(BadEvent, match="no events; a round starts with open"):
        fold([])


# the log


def test_events_are_looked_up_by_their_numbers() -> None:
    """More than are copied with each event, one left out by whoever numbers them."""
    round_ = after(RELEASE)
    for place, number in enumerate((5, 6, *range(8, 150))):
        round_ = round_.apply(decode({"event": "resume"} if place % 2 else {"event": "pause"}), number)
    assert round_.events == 150 and len(round_.log) == 2 + 144 and len(round_.lately) <= 64
    numbers = [0, 1, 5, 6, *range(8, 150)]
    assert [number for number, _ in round_.log] == numbers
    assert [number for number, _ in round_.in_order] == numbers
    assert [number for number, _ in round_.latest_first] == numbers[::-1]
    assert all(round_.noted(number) is event for number, event in round_.log)
    assert [round_.noted(number) for number in (2, 4, 7, 150, 999)] == [None] * 5
    assert round_.opening is round_.log[0][1] and after().opening.name == "open"


def test_what_counts_of_what_was_said() -> None:
    round_ = after(
        deal(), {"event": "announce", "seat": 2, "call": "re"}, {"event": "announce", "seat": 3, "call": "re"}
    )
    assert round_.facts == round_.log and round_.corrected == 0
    round_ = round_.apply(decode({"event": "correct", "of": 2, "word": None}))
    other = {"event": "announce", "seat": 3, "call": "kontra"}
    round_ = round_.apply(decode({"event": "correct", "of": 3, "word": other}))
    assert [number for number, _ in round_.facts] == [0, 1, 3, 4, 5] and round_.corrected == 2
    assert dict(round_.facts)[3] == decode(other) and round_.events == 6
    assert round_.game is not None and [one.call for one in round_.game.said] == ["kontra"]


def test_corrections_of_a_card_keep_the_seat_named_last() -> None:
    laid = [deal(), card("2CA"), card("3CK")]
    round_ = after(
        *laid, {"event": "correct", "of": 3, "card": "CT", "seat": 4}, {"event": "correct", "of": 3, "card": "C9"}
    )
    assert round_.corrections == {3: CountsAs("C9", 4)} and round_.game is not None
    assert [(one.seat, one.card, one.read) for one in round_.game.open_trick] == [(2, "CA", None), (4, "C9", "CK")]
    same = after(*laid, {"event": "correct", "of": 3, "card": "CK"}, {"event": "correct", "of": 2, "card": None})
    assert same.game is not None
    assert [(one.seat, one.card, one.read) for one in same.game.open_trick] == [(3, "CK", None)]


def test_a_card_put_in_is_corrected_where_it_was_put() -> None:
    put_in = {"event": "correct", "after": 2, "seat": 3, "card": "CK"}
    round_ = after(deal(), card("2CA"), card("4C9"), put_in, {"event": "correct", "of": 4, "card": "CT"}, put_in | {
        "seat": 1, "card": "C9", "after": 3})  # fmt: skip
    assert round_.game is not None and len(round_.game.tricks) == 1
    assert [(one.seat, one.card) for one in round_.game.tricks[0].cards] == [(2, "CA"), (3, "CT"), (4, "C9"), (1, "C9")]
    assert round_.inserted == {2: (4,), 3: (6,)}


def test_a_breach_that_comes_to_light_when_a_doubt_is_settled() -> None:
    """Nobody could be told of it before: it is told with the event that settled the doubt, and stays so."""
    doubtful = card("3S9", doubt=["S9", "C9"])
    laid = [deal(), card("2CA"), doubtful, card("4CK"), card("1CT"), card("2SA"), card("3CK")]
    before = after(*laid)
    assert before.offences == () and before.told == {}
    settled = before.apply(decode({"event": "correct", "of": 3, "card": "S9"}))
    (revoke,) = settled.offences
    assert (revoke.code, revoke.seat, revoke.event, revoke.told) == ("revoke", 3, 3, 8)
    assert settled.told == {("revoke", 3, 3): 8}
    later = settled.apply(decode(card("4S9"))).apply(decode({"event": "correct", "of": 9, "card": "ST"}))
    assert [one.told for one in later.offences] == [8] and later.told == settled.told
    known = after(*laid[:2], card("3S9"), *laid[3:])
    assert [one.told for one in known.offences] == [-1], "known at once"
    again = settled.apply(decode({"event": "correct", "of": 3, "card": "ST"}))
    assert again.told == settled.told, "settled already: a later correction brings nothing to light"


@pytest.mark.parametrize(
    ("more", "weighed"),
    [
        pytest.param({"margin": 0.02, "rivals": ["CK"], "scores": [0.8, 0.78]}, True, id="read clearly, but weakly"),
        pytest.param(
            {"doubt": ["CA", "CK"], "margin": 0.02, "rivals": ["CK"], "scores": [0.8, 0.78]}, False, id="doubt"
        ),
        pytest.param({}, False, id="by hand"),
    ],
)
def test_a_clear_reading_is_weighed(more: Body, weighed: bool) -> None:
    """What is in doubt is any of its choices anyway, and what nobody has seen by a camera is what it is."""
    game = after(deal(), card("2CA", **more)).game
    assert game is not None and (game.open_trick[0].against < inf) is weighed
    put_right = after(deal(), card("2CA", **more), {"event": "correct", "of": 2, "card": "CA"}).game
    assert put_right is not None and put_right.open_trick[0].against == inf


# people and time


def test_release_is_timed_by_the_first() -> None:
    round_ = after(RELEASE | {"at": 5}, RELEASE | {"at": 9})
    assert round_.released and round_.released_at == 5 and not after().released


def test_who_sits_where() -> None:
    signed = [{"event": "sign", "seat": 1}, {"event": "sign", "seat": 2}]
    round_ = after(deal(), SCORED, *signed, {"event": "substitute", "seat": 2, "player": "Gerd"}, substitutes=[3])
    assert round_.players == ("Anna", "Gerd", "Cem", "Dora") and round_.substitutes == {2, 3} and round_.signed == (1,)
    assert round_.changes == (SeatChange(event=5, seat=2, left="Bernd", came="Gerd", games=1),)
    assert round_.left == {"Bernd"}
    ranked = round_.apply(decode({"event": "substitute", "seat": 3, "player": "Hans", "ranked": True}))
    assert ranked.substitutes == {2} and ranked.left == {"Bernd", "Cem"}
    third = ranked.apply(decode({"event": "substitute", "seat": 2, "player": "Ida"}))
    named = third.apply(decode({"event": "name", "seat": 2, "player": "Ingrid"}))
    assert named.players == ("Anna", "Ingrid", "Hans", "Dora")
    assert [(one.seat, one.left, one.came) for one in named.changes] == [
        (2, "Bernd", "Gerd"), (3, "Cem", "Hans"), (2, "Gerd", "Ingrid"),
    ]  # fmt: skip
    own = named.apply(decode({"event": "name", "seat": 1, "player": "Ada"}))
    assert own.players[0] == "Ada" and own.changes == named.changes
    swapped = own.apply(decode({"event": "swap", "seats": [1, 2]}))
    assert swapped.players == ("Ingrid", "Ada", "Hans", "Dora") and swapped.substitutes == {1}
    assert [one.seat for one in swapped.changes] == [1, 3, 1] and swapped.signed == ()


def test_the_break_and_its_clock() -> None:
    assert after().clock_in_break == "" and not after().clock_stands
    stops = {"options": {"break_stops_clock": True}}
    assert after({"event": "pause"}, minutes=90).clock_in_break == "runs"
    assert after({"event": "pause"}, minutes=90, **stops).clock_in_break == "stands"
    assert after({"event": "pause"}, rules="schnittchen").clock_in_break == "none"
    paused = after({"event": "pause"}, **stops)
    assert paused.clock_stands and not paused.apply(decode({"event": "resume"})).clock_stands
    assert not after(minutes=90, **stops).clock_stands


def test_the_playing_time() -> None:
    book = BOOKS["bsv"]
    assert after(minutes=75, rules="bsv").minutes == 75
    assert after(rules="bsv").minutes == book.minutes(4, book.settle({}))
    assert after(rules="schnittchen").minutes is None


def test_signed_and_handed_in() -> None:
    signed = after({"event": "sign", "seat": 2}, {"event": "sign", "seat": 4}, {"event": "sign", "seat": 2})
    assert signed.signed == (2, 4) and not signed.closed and signed.apply(decode(CLOSE)).closed
    anew = signed.apply(decode({"event": "release", "sign_anew": True}))
    assert anew.signed == () and anew.signed_from == 4
    assert anew.apply(decode({"event": "sign", "seat": 2})).signed == (2,)
    assert anew.apply(decode({"event": "sign", "seat": 2}), 3).signed == (), "given to the list of before"
    assert anew.apply(decode({"event": "sign", "seat": 2}), 4).signed == (2,)


def test_who_signed_and_plays_on_where_a_round_has_no_number_of_games() -> None:
    """schnittchen leaves open how many games are played; in eppstein a signature waits for the others."""
    signed = [deal(), SCORED, {"event": "sign", "seat": 2}, deal()]
    assert after(*signed, rules="schnittchen").signed == () and after(*signed).signed == (2,)


# games


def test_totals_and_games_played() -> None:
    round_ = after(deal(), SCORED, deal(), *solo(3), deal(), *solo(4, duty=False))
    scores = [dict(game.result.score) for game in round_.games if game.result]
    assert round_.totals == {seat: sum(score[seat] for score in scores) for seat in (1, 2, 3, 4)}
    assert round_.played == 2 and round_.duties_left == {1: 1, 2: 1, 3: 0, 4: 1} and len(round_.games) == 3
    assert round_.solos_lost == {1: 0, 2: 0, 3: 1, 4: 1}
    struck = round_.apply(decode({"event": "strike", "game": 2, "replay": True}))
    assert struck.totals == {seat: scores[0][seat] + scores[2][seat] for seat in (1, 2, 3, 4)}
    assert struck.played == 1 and struck.duties_left[3] == 1 and struck.solos_lost[3] == 0
    assert struck.is_struck(struck.games[1]) and not struck.is_struck(struck.games[0])
    for_good = round_.apply(decode({"event": "strike", "game": 2, "replay": False}))
    assert for_good.played == 2 and for_good.duties_left[3] == 0, "struck without replacement it is used up"
    assert round_.games_left == 14 and struck.games_left == 15


def test_a_pflichtsolo_is_owed_once_however_often_it_was_played() -> None:
    twice = after(deal(), *solo(3), deal(), *solo(3))
    assert twice.duties_left == {1: 1, 2: 1, 3: 0, 4: 1}
    assert after(deal(), *solo(3), options={"pflichtsoli": 2}).duties_left[3] == 1
    assert after(options={"pflichtsoli": 0}).duties_left == {} == after(rules="schnittchen").duties_left


def test_which_games_there_are() -> None:
    running = after(deal(), SCORED, deal())
    assert running.running and [game.number for game in running.games_and_running] == [1, 2]
    over = running.apply(decode(SCORED))
    assert not over.running and [game.number for game in over.games_and_running] == [1, 2]
    assert not after().running and after().games_and_running == ()


def test_offences_and_doubts_of_all_games() -> None:
    out_of_turn = [deal(), card("3CA"), card("2CK", doubt=["CK", "CT"]), SCORED]
    assert [one.code for one in after(*out_of_turn[:2]).offences] == ["out_of_turn"]
    both = after(*out_of_turn, *out_of_turn[:3])
    assert [(one.event, one.seat) for one in both.offences] == [(2, 3), (3, 2), (6, 3), (7, 2)]
    assert [(one.event, one.seat, one.card, one.choices, one.game, one.trick) for one in both.doubts] == [
        (3, 2, "CK", ("CK", "CT"), 1, 1),
        (7, 2, "CK", ("CK", "CT"), 2, 1),
    ]
    ended = both.apply(decode(SCORED))
    assert len(ended.offences) == 4 and len(ended.doubts) == 2, "none of them twice"
    assert after(*out_of_turn[:2], VOID).offences and after().offences == () and after().doubts == ()
    assert not after(*out_of_turn[:2], VOID, deal()).offences


def test_when_the_last_game_ended() -> None:
    timed = after(deal() | {"at": 3}, SCORED | {"at": 8}, deal() | {"at": 9})
    assert timed.ended_at == 8 and after(deal()).ended_at is None and after(deal(), SCORED).ended_at is None


# money


def test_who_has_to_pay() -> None:
    events = [
        deal(),
        rule("serious", offender=3),
        rule("none", fines={"1": 0.5, "2": -0.5}),
        rule("none", fines={"1": 1}),
    ]
    round_ = after(*events, rules="schnittchen")
    assert round_.fined == (
        Fined(event=2, deal=1, preset=True, amounts={1: -100, 2: -100, 3: 300, 4: -100}),
        Fined(event=3, deal=1, preset=False, amounts={1: 50, 2: -50}),
        Fined(event=4, deal=1, preset=False, amounts={1: 100}),
    )
    assert round_.fines == {1: 0.5, 2: -1.5, 3: 3, 4: -1}
    later = round_.apply(decode(rule("serious", offender=4)))
    assert [one.event for one in later.fined] == [3, 4, 5] and later.fines == {1: 0.5, 2: -1.5, 3: -1, 4: 3}
    other = later.apply(decode(deal(2))).apply(decode(rule("serious", offender=1)))
    assert [one.event for one in other.fined] == [3, 4, 5, 7], "another game's stay"
    alone = after(rule("none", fines={"2": 2}), rules="schnittchen")
    assert alone.fined == (Fined(event=1, deal=None, preset=False, amounts={2: 200}),) and after().fines == {}


@pytest.mark.parametrize(
    ("events", "breach"),
    [
        pytest.param([rule("serious", offender=3)], 3, id="the ruling itself"),
        pytest.param([rule("serious", offender=3, breach=2)], 2, id="as it says"),
        pytest.param([rule("serious", offender=3, breach=3)], 3, id="as it says, itself"),
        pytest.param([{"event": "object", "seat": 1}, rule("serious", offender=3)], 3, id="the Reklamation"),
        pytest.param([{"event": "object", "seat": 1, "breach": 2}, rule("serious", offender=3)], 2, id="what it names"),
        pytest.param(
            [{"event": "object", "seat": 1, "breach": 2}, {"event": "object", "seat": 4}, rule("serious", offender=3)],
            4,
            id="the last one",
        ),
    ],
)
def test_what_a_ruling_is_about(events: list[Body], breach: int) -> None:
    game = after(deal(), card("2CA"), *events).games[-1]
    assert game.rulings[-1].breach == breach


def test_a_ruling_on_a_game_that_has_ended_changes_that_one_alone() -> None:
    two = after(deal(), *solo(3, duty=False), deal(), *solo(4, duty=False))
    ruled = two.apply(decode(rule("minor", offender=2)))
    assert [game.number for game in ruled.games] == [1, 2] and ruled.games[0] is two.games[0]
    assert [len(game.rulings) for game in ruled.games] == [0, 1]


def test_as_many_cards_as_there_can_be() -> None:
    deck = list(BOOKS["eppstein"].deck)
    scanned = after(deal(), {"event": "hand", "seat": 1, "cards": deck}).game
    assert scanned is not None and len(scanned.hands[1]) == len(deck)


def test_a_ruling_of_no_game_is_about_itself_and_books_no_scores() -> None:
    round_ = after(rule("none", minutes=2))
    assert round_.extra_minutes == 2 and round_.game is None
    beside = after(deal(), rule("none"))
    assert beside.running and beside.game is not None
    assert [(one.kind, one.minutes, one.fines, one.scores) for one in beside.game.rulings] == [("none", 0, {}, None)]
