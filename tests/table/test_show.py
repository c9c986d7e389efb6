"""What the table's view offers and shows."""

from typing import Any

import pytest

from kiosk.demo.play import simulate
from kiosk.table.events.codec import decode
from kiosk.table.round.fold import fold
from kiosk.table.view.explanation import explain, explain_withdrawn
from kiosk.table.view.show import view
from kiosk.table.view.table_view import TableView

Event = dict[str, Any]

OPEN: Event = {"event": "open", "format": 1, "rules": "eppstein", "table": 7, "round": 2, "players": list("ABCD")}
RELEASE: Event = {"event": "release"}
DEALT = [OPEN, RELEASE, {"event": "deal", "dealer": 1}]


def call(seat: int, word: str) -> Event:
    return {"event": "call", "seat": seat, "call": word}


def say(seat: int, word: str, **other: Any) -> Event:
    return {"event": "announce", "seat": seat, "call": word, **other}


def declare(seat: int, game: str, **other: Any) -> Event:
    return {"event": "declare", "seat": seat, "game": game, **other}


def cards(text: str) -> list[Event]:
    return [{"event": "card", "seat": int(word[0]), "card": word[1:]} for word in text.split()]


GESUND = [*DEALT, *(call(seat, "gesund") for seat in (2, 3, 4, 1))]
ONE_TRICK = [*GESUND, *cards("2CA 3C9 4CK 1CT")]


def shown(events: list[Event]) -> TableView:
    return view(fold(map(decode, events)))


PHASES = {
    "waiting": [OPEN],
    "dealing": [OPEN, RELEASE],
    "asking": [*DEALT, call(2, "gesund")],
    "declaring": [*DEALT, call(2, "vorbehalt"), *(call(seat, "gesund") for seat in (3, 4, 1))],
    "playing": [*GESUND, *cards("2CA")],
    "resting": [*ONE_TRICK, {"event": "object", "seat": 2, "against": 3, "code": "revoke", "breach": 8}],
    "scored": [*DEALT, call(2, "vorbehalt"), declare(2, "damensolo", duty=True),
               {"event": "claim", "seat": 2, "kind": "concede"}],
}  # fmt: skip


@pytest.mark.parametrize(("phase", "events"), PHASES.items(), ids=PHASES)
def test_phases(phase: str, events: list[Event]) -> None:
    assert shown(events).phase == phase


def test_the_asking_offers_words_in_turn_and_their_correction() -> None:
    seats = shown([*DEALT, call(2, "gesund")]).seats
    assert [seat.asks for seat in seats] == [(), ("vorbehalt",), ("gesund", "vorbehalt"), ()]
    assert [seat.turn for seat in seats] == [False, False, True, False]
    assert [seat.answer for seat in seats] == [None, "gesund", None, None]
    assert seats[0].dealer


def test_a_vorbehalt_may_be_named_and_what_it_may_be() -> None:
    (_, seat, *_) = shown(PHASES["declaring"]).seats
    games = [(game["game"], game.get("suit"), game.get("duty", False)) for game in seat.games]
    assert ("damensolo", None, True) in games
    assert ("farbsolo", "H", True) in games
    assert ("damensolo", None, False) not in games  # the Pflichtsolo comes first (3.3.1)
    assert ("schmeissen", None, False) in games
    assert ("hochzeit", None, False) in games


def test_with_two_vorbehalte_hochzeit_is_out_and_the_higher_one_goes_first() -> None:
    two = [*DEALT, call(2, "vorbehalt"), call(3, "vorbehalt"), call(4, "gesund"), call(1, "gesund")]
    seats = shown(two).seats
    assert all(game["game"] != "hochzeit" for seat in seats for game in seat.games)
    named = shown([*two, declare(2, "schmeissen")])
    assert named.phase == "dealing"
    named = shown([*two, declare(3, "damensolo", duty=True)])
    assert {game["game"] for game in named.seats[1].games} == {
        "damensolo", "bubensolo", "farbsolo", "trumpfsolo", "fleischlos",
    }  # fmt: skip
    assert all(game.get("duty") for game in named.seats[1].games)


def test_nobody_takes_the_solo_from_who_is_vorgefuehrt() -> None:
    events = [OPEN, RELEASE, {"event": "time_up"}, {"event": "deal", "dealer": 1}]  # only Pflichtsoli are left (7.5)
    asking = shown(events)
    assert asking.must_play == 2
    both = shown([*events, call(2, "vorbehalt"), call(3, "vorbehalt"), call(4, "gesund"), call(1, "gesund")])
    assert both.seats[1].games
    assert both.seats[2].games == ()
    assert asking.seats[1].games  # at once: nobody can come before (3.1.7)
    assert asking.seats[1].asks == ()
    assert {game["game"] for game in asking.seats[1].games} == {
        "trumpfsolo", "damensolo", "bubensolo", "farbsolo", "fleischlos",
    }  # fmt: skip
    assert shown([*events, declare(2, "damensolo", duty=True)]).phase == "playing"


CALLS = {
    "before the first card everybody may say everything": (
        GESUND, 2, {("re", None): 1, ("kontra", None): 1, ("keine90", "re"): 1, ("schwarz", "kontra"): 1}),
    "with eleven cards Re is in time until the next card": (ONE_TRICK, 2, {("re", None): 0, ("kontra", None): 0}),
    "with ten cards it is too late": ([*ONE_TRICK, *cards("2SA")], 2, {}),
    "an own Absage after Re": ([*ONE_TRICK, say(2, "re")], 2, {("keine90", None): 1, ("keine60", None): 1}),
    "a reply has one card more": ([*ONE_TRICK, say(2, "re"), *cards("2SA 3S9")], 3, {("kontra", None): 0}),
    "in a Hochzeit nothing before the Klaerungsstich": (
        [*DEALT, call(2, "gesund"), call(3, "gesund"), call(4, "gesund"), call(1, "vorbehalt"), declare(1, "hochzeit")],
        1, {}),
    "the soloist cannot say Kontra": (
        [*DEALT, call(2, "vorbehalt"), declare(2, "damensolo", duty=True)], 2, {("re", None): 1, ("keine90", None): 1}),
    "while play rests nothing": (PHASES["resting"], 2, {}),
}  # fmt: skip


@pytest.mark.parametrize(("events", "seat", "expected"), CALLS.values(), ids=CALLS)
def test_calls_offered_are_lawful_and_say_how_long(
    events: list[Event], seat: int, expected: dict[tuple[str, str | None], int]
) -> None:
    round = fold(map(decode, events))
    offered = {(one.call, one.side): one.cards_left for one in view(round).seats[seat - 1].calls}
    assert expected.items() <= offered.items()
    assert bool(offered) == bool(expected)
    for call_, side in offered:
        after = round.apply(decode(say(seat, call_, **({"side": side} if side else {}))))
        assert after.offences == round.offences


def test_a_doubtful_card_proves_nothing_until_it_is_settled() -> None:
    doubt = {"event": "card", "seat": 3, "card": "S9", "doubt": ["S9", "C9"]}
    events = [*GESUND, *cards("2CA"), doubt, *cards("4CK 1CT 2SA 3CK")]
    # seat 3 did not follow clubs with S9 and shows CK later: a revoke, if it was S9
    assert fold(map(decode, events)).offences == ()
    asked = shown(events)
    assert asked.offences == ()
    assert [(d.seat, d.choices, d.game, d.trick) for d in asked.doubts] == [(3, ("S9", "C9"), 1, 1)]
    settled = shown([*events, {"event": "correct", "of": 8, "card": "S9", "by": "seat 3"}])
    (offence,) = settled.offences
    assert (offence.code, offence.seat, offence.section) == ("revoke", 3, "eppstein 4.2.4")
    assert offence.claimants == (1, 2, 4)
    assert (offence.trick, offence.led, offence.card, offence.shown) == (1, "CA", "S9", "CK")
    assert explain(offence, ["Anna", "Bernd", "Cem", "Dora"]) == (
        "Stich 1: Cem legt Pik 9 auf Kreuz As. Später legt Cem Kreuz König – damit wäre zu bedienen gewesen."
    )


def test_a_card_that_nobody_saw_accuses_nobody() -> None:
    unseen = {
        "event": "card",
        "seat": 3,
        "card": "S9",
        "doubt": ["S9", "H9", "C9", "CJ", "SJ", "DJ", "HK"],
        "unseen": True,
    }
    events = [*GESUND, *cards("2CA"), unseen, *cards("4CK 1CT 2SA 3CK")]
    assert fold(map(decode, events)).offences == shown(events).offences == ()
    late = shown([*events, *cards("4SK 1ST"), say(2, "re")])
    assert [offence.code for offence in late.offences] == ["late_announcement"]


def test_what_was_certain_before_a_doubt_stays_certain() -> None:
    events = [*GESUND, *cards("2CA 3S9 4CK 1CT 2SA 3CK")]
    doubt = {"event": "card", "seat": 4, "card": "SK", "doubt": ["SK", "ST"]}
    assert [offence.code for offence in shown([*events, doubt]).offences] == ["revoke"]


def test_breaches_are_explained_by_what_people_saw() -> None:
    names = ["Anna", "Bernd", "Cem", "Dora"]
    (turn,) = shown([*GESUND, *cards("3CA")]).offences
    assert explain(turn, names) == "Stich 1: Cem legt Kreuz As, an der Reihe war Bernd."
    (turn,) = shown([*ONE_TRICK, *cards("2SA 4SK")]).offences
    assert explain(turn, names, "en") == "Trick 2: Dora lays king of spades; it was the turn of Cem."
    (late,) = shown([*ONE_TRICK, *cards("2SA 3S9 4SK 1ST"), say(2, "re")]).offences
    assert explain(late, names) == "Bernd sagt Re mit 10 Karten in der Hand."
    (early,) = shown([*DEALT, call(2, "vorbehalt"), declare(2, "damensolo")]).offences
    assert (early.section, explain(early, names)) == ("eppstein 3.3.1", "Bernd sagt Damensolo.")
    kontra = [*GESUND, say(2, "kontra"), *cards("2CQ 3D9 4D9 1DK")]
    (wrong,) = shown(kontra).offences
    assert explain(wrong, names) == ("Bernd sagt Kontra mit 12 Karten in der Hand. Das zeigt sich mit Kreuz Dame.")


def test_who_goes_on_playing_loses_the_claim() -> None:
    events = [*GESUND, *cards("2CA 3S9 4CK 1CT 2SA 3CK")]
    (offence,) = shown(events).offences
    assert offence.claimants == (1, 2, 4)
    (offence,) = shown([*events, *cards("4SK")]).offences
    assert offence.claimants == (1, 2)


def test_a_third_copy_is_asked_about_and_accuses_nobody() -> None:
    view_ = shown([*GESUND, *cards("2CA 3CA 4CK 1CA")])
    assert [(offence.code, offence.claimants) for offence in view_.offences] == [("impossible_card", ())]
    assert len(view_.doubts) == 1


def test_the_last_trick_can_be_seen_until_the_next_is_full() -> None:
    view_ = shown([*ONE_TRICK, *cards("2SA 3S9 4SK")])
    assert view_.last_trick is not None
    assert [card.card for card in view_.last_trick.cards] == ["CA", "C9", "CK", "CT"]
    view_ = shown([*ONE_TRICK, *cards("2SA 3S9 4SK 1ST")])
    assert view_.last_trick is not None
    assert view_.last_trick.cards[0].card == "SA"


def test_the_result_stays_until_the_next_deal() -> None:
    view_ = shown(PHASES["scored"])
    assert view_.result is not None
    assert (view_.result.kind, view_.result.won_by, view_.result.declarer) == ("damensolo", "kontra", 2)
    assert view_.result.score == view_.rows[0].score
    assert (view_.next_dealer, view_.may_deal) == (1, True)  # the same dealer after a Pflichtsolo (2.2.1)
    assert shown([*PHASES["scored"], {"event": "deal", "dealer": 1}]).result is None


def test_in_a_complete_game_the_missing_cards_are_offered_first() -> None:
    truth = list(simulate("eppstein", 1, 1))
    laid = [number for number, event in enumerate(truth) if event["event"] == "card"]
    number = laid[7]
    card = truth[number]["card"]
    wrong = [other for other in ("C9", "S9", "H9") if other != card][:2]
    truth[number] = {**truth[number], "card": wrong[0], "doubt": wrong}
    round = fold(map(decode, truth))
    (asked,) = view(round).doubts
    assert asked.choices == (card, *wrong)
    assert view(round).rows[0].open


@pytest.mark.slow
def test_the_end_of_a_round_is_signed_and_handed_in() -> None:
    truth = list(simulate("eppstein", 3))
    end = next(number for number, event in enumerate(truth) if event["event"] == "sign")
    over = shown(truth[:end])
    assert (over.phase, over.next_dealer, over.may_deal) == ("over", None, False)
    assert (over.may_sign, over.may_close) == ((1, 2, 3, 4), True)
    assert over.result is not None
    assert shown(truth[: end + 1]).may_sign == (2, 3, 4)
    closed = shown(truth)
    assert (closed.signed, closed.may_sign, closed.may_close) == ((1, 2, 3, 4), (), False)


def test_a_round_that_its_book_leaves_open_is_signed_between_games() -> None:
    """It ends when people like; who signs and plays on after all has signed another list."""
    truth = list(simulate("schnittchen", 4, 2))
    began = next(number for number, event in enumerate(truth) if event["event"] == "deal")
    assert shown(truth[:began]).may_sign == (), "nothing has been played"
    assert shown(truth[:-1]).may_sign == (), "a game runs"
    between = shown(truth)
    assert (between.may_sign, between.may_close, between.may_deal) == ((1, 2, 3, 4), True, True)
    signed = [*truth, *({"event": "sign", "seat": seat} for seat in (1, 2, 3, 4))]
    assert (shown(signed).signed, shown(signed).may_sign) == ((1, 2, 3, 4), ())
    closed = shown([*signed, {"event": "close"}])
    assert (closed.phase, closed.may_sign, closed.may_close, closed.may_deal) == ("over", (), False, False)
    on = shown([*signed, {"event": "deal", "dealer": between.next_dealer}])
    assert (on.signed, on.may_sign, on.may_close) == ((), (), False)


def test_a_withdrawn_breach_says_so_and_names_the_cards_in_doubt() -> None:
    before = [*GESUND, *cards("2CA 3S9 4C9 1CT 2HA 3CK 4H9 1HK 2SA 3SK 4S9 1ST 2CK")]
    assert [(one.code, one.seat) for one in shown(before).offences] == [("revoke", 3)]
    assert (shown(before).withdrawn, shown(before).doubted) == ((), ())
    after = shown([*before, *cards("3CK")])
    assert [one.code for one in after.offences] == ["impossible_card"]
    (gone,) = after.withdrawn
    assert (gone.code, gone.seat, gone.claimants) == ("revoke", 3, ())
    assert [(one.seat, one.card) for one in after.doubted] == [(3, "CK"), (2, "CK"), (3, "CK")]
    names = ["Anna", "Bernd", "Cem", "Dora"]
    assert explain_withdrawn(after, names) == (
        "Zurückgezogen: Nicht bedient (Cem). Zu oft gelesen: Kreuz König (Cem, Bernd)"
    )
    (asked,) = after.doubts
    assert asked.event in {one.event for one in after.doubted}
    settled = shown([*before, *cards("3CK"), {"event": "correct", "of": asked.event, "card": "SQ", "by": "seat 3"}])
    assert (settled.withdrawn, settled.doubted) == ((), ())


def test_what_a_wrong_scan_said_is_withdrawn() -> None:
    scan = {
        "event": "hand",
        "seat": 3,
        "cards": ["CK", "CT", "C9", "SQ", "SQ", "CJ", "CJ", "SA", "ST", "HA", "HA", "DK"],
    }
    table = shown([*DEALT, scan, *(call(seat, "gesund") for seat in (2, 3, 4, 1)), *cards("2CA 3SA 4C9 1CT 2HK 3H9")])
    assert [one.code for one in table.offences] == ["card_not_held"]
    assert explain_withdrawn(table, ["Anna", "Bernd", "Cem", "Dora"], "en") == (
        "Withdrawn: Revoke (Cem). What was scanned is wrong"
    )
