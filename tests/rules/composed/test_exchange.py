"""Cards that change hands: the Hochzeit of Schafkopf, the Armut of Doppelkopf."""

import json
from typing import Any

import pytest

from kiosk.demo.play import simulate
from kiosk.errors import BadEvent
from kiosk.rules.composed.schafkopf import ORDER
from kiosk.rules.engine.book import RuleBook
from kiosk.table.events.codec import decode
from kiosk.table.round.fold import Round, fold
from kiosk.table.scoresheet.spielliste import list_data, replay_data
from kiosk.table.view.offers import games
from tests.rules.composed.books import made
from tests.rules.composed.test_klopfen import said
from tests.rules.composed.test_ramsch import RULES, asked, laid

ARMUT = {"played": ["trumpfsolo", "damensolo", "armut", "hochzeit"]}


def married(ramsch: bool = True, **options: Any) -> RuleBook:
    """A book of Schafkopf with a Hochzeit."""
    rules = RULES if ramsch else {key: value for key, value in RULES.items() if key != "nobody_plays"}
    played = [*ORDER, "hochzeit", *([] if ramsch else ["muss"])]
    return made("schaffkopf", rules=rules, games={"played": played}, options={"first_dealer": 4} | options)


def poor(**options: Any) -> RuleBook:
    """A book of Doppelkopf with an Armut."""
    return made("bsv", games=ARMUT, options={"first_dealer": 4} | options)


def hochzeit(seat: int, partner: int | None) -> dict[str, Any]:
    return {"event": "declare", "seat": seat, "game": "hochzeit", "partner": partner}


def armut(seat: int, partner: int | None = None, trumps: int | None = None) -> dict[str, Any]:
    return {"event": "declare", "seat": seat, "game": "armut", "partner": partner, "trumps": trumps}


def reserved(book: RuleBook, seat: int) -> Round:
    words = tuple("vorbehalt" if one == seat else "gesund" for one in (1, 2, 3, 4))
    return asked(book, words)


@pytest.mark.parametrize("ramsch", [True, False], ids=["a Ramsch else", "a Muss-Spiel else"])
def test_who_may_offer_a_hochzeit(ramsch: bool) -> None:
    state = asked(married(ramsch))
    assert state.game is not None
    for seat in (1, 3):
        offered = [form["partner"] for form in games(state.game, seat) if form["game"] == "hochzeit"]
        assert offered == [*range(seat + 1, 5), *range(1, seat)]
    plays = asked(married(ramsch), ("weiter", "spielen", "recht", "recht")).game
    assert plays is not None and not [form for form in games(plays, 3) if form["game"] == "hochzeit"]
    assert "hochzeit" not in married(ramsch).classes


#: Seat 2 gave its one trump to seat 1 and got a plain card.
HELD = {
    1: "EO GO HO SO EU HA HT HK",
    2: "EA ET EK E9 E8 E7 GA GT",
    3: "GU HU SU H9 H8 H7 GK G9",
    4: "SA ST SK S9 S8 S7 G8 G7",
}


def test_the_two_play_together_and_the_row_says_hochzeit() -> None:
    state = said(asked(married(value_hochzeit=2)), hochzeit(2, 1))
    assert state.game is not None and state.game.clear
    assert state.game.known_sides == {1: "re", 2: "re", 3: "kontra", 4: "kontra"}
    done = laid(state, HELD).game
    assert done is not None and done.result is not None
    assert (done.result.kind, done.result.re, done.result.won_by) == ("hochzeit", (1, 2), "re")
    assert done.result.score[1] == done.result.score[2] == -done.result.score[3] == -done.result.score[4]
    assert not [one for one in done.offences if one.code == "not_entitled"]


def test_cards_taken_back_in_the_first_trick_leave_the_sides_as_they_are() -> None:
    state = said(asked(married()), hochzeit(2, 1), {"event": "card", "seat": 1, "card": "EO"})
    back = said(state, {"event": "retract", "seat": 1, "card": "EO"})
    assert back.game is not None and back.game.known_sides[1] == "re" == back.game.known_sides[2]


@pytest.mark.parametrize(
    ("scans", "cards", "codes"),
    [
        ({2: "H7 ET EK E9 E8 E7 GA GT"}, (), []),
        ({2: "H7 H8 EK E9 E8 E7 GA GT"}, (), ["not_entitled"]),
        ({2: "EA ET EK E9 E8 E7 GA GT"}, (), ["not_entitled"]),
        ({}, ((1, "EO"), (2, "H7")), []),
        ({}, ((1, "EO"), (2, "H7"), (3, "H9"), (4, "SA"), (1, "GO"), (2, "H8")), ["not_entitled"]),
        # What was scanned before tells nothing any more: the H7 has gone, and no card laid contradicts the scan.
        ({2: "H7 ET EK E9 E8 E7 GA GT"}, ((1, "EO"), (2, "SK")), []),
        ({1: "EO GO HO SO EU HA HT SK"}, ((1, "H7"), (2, "SK")), []),
    ],
    ids=["one trump", "two trumps", "none", "one came back", "two cannot have", "a card that came", "the other's"],
)
def test_what_entitles_and_what_proves_that_it_did_not(scans: Any, cards: Any, codes: list[str]) -> None:
    state = asked(married())
    for seat, hand in scans.items():
        state = said(state, {"event": "hand", "seat": seat, "cards": hand.split()})
    state = said(state, hochzeit(2, 1))
    for seat, card in cards:
        state = said(state, {"event": "card", "seat": seat, "card": card})
    assert state.game is not None
    found = [one for one in state.game.offences if one.code != "revoke"]
    assert [one.code for one in found] == codes and all(one.seat == 2 for one in found)


def test_a_revoke_of_a_card_that_came_is_proved() -> None:
    """Seat 2 does not follow hearts and later lays the heart that it was given."""
    state = said(asked(married()), hochzeit(2, 1))
    for seat, card in ((1, "EO"), (2, "EA"), (3, "H9"), (4, "SA"), (1, "GO"), (2, "H7")):
        state = said(state, {"event": "card", "seat": seat, "card": card})
    assert state.game is not None
    assert [(one.code, one.seat) for one in state.game.offences] == [("revoke", 2)]


@pytest.mark.parametrize("partner", [None, 2, 5, 9], ids=["nobody", "oneself", "no seat", "no seat at all"])
def test_a_hochzeit_needs_who_takes_the_trump(partner: int | None) -> None:
    whom = f"hochzeit needs who takes the cards, one of seats 1, 3, 4, not {partner}"
    with pytest.raises(BadEvent, match=whom if partner in (None, 2) else "seat"):
        said(asked(married()), hochzeit(2, partner))


def test_an_armut_that_nobody_takes_is_dealt_anew() -> None:
    state = said(reserved(poor(), 3), armut(3))
    assert state.game is not None and state.game.ended == "dealt_again" and not state.games
    assert said(state, {"event": "deal", "dealer": 4}).running


def test_an_armut_that_is_taken_makes_sides() -> None:
    state = reserved(poor(), 3)
    assert state.game is not None
    forms = [form for form in games(state.game, 3) if form["game"] == "armut"]
    assert forms[0] == {"game": "armut", "partner": 4, "trumps": 0} and forms[-1] == {"game": "armut"}
    assert len(forms) == 13
    taken = said(state, armut(3, 1, 2)).game
    assert taken is not None and taken.known_sides == {1: "re", 2: "kontra", 3: "re", 4: "kontra"}
    assert taken.contract.trumps == taken.book.normal.trumps and not taken.offences
    with pytest.raises(BadEvent, match="of armut at most 3 trumps come back, not 4"):
        said(state, armut(3, 1, 4))


@pytest.mark.parametrize(("trumps", "codes"), [(3, []), (4, ["not_entitled"])], ids=["three came back", "four"])
def test_more_trumps_than_could_come_back_prove_an_armut_wrong(trumps: int, codes: list[str]) -> None:
    state = said(reserved(poor(), 1), armut(1, 2, 3))
    for trick in range(trumps):
        for seat, card in ((1, ["DQ", "DJ", "DT", "DK"][trick]), (2, "HT"), (3, "CQ"), (4, "SQ")):
            if trick < 2 or seat == 1:
                state = said(state, {"event": "card", "seat": seat, "card": card})
            else:
                low = {2: "CA ST", 3: "CT SK", 4: "CK HA"}[seat].split()[trick - 2]
                state = said(state, {"event": "card", "seat": seat, "card": low})
    assert state.game is not None
    assert [one.code for one in state.game.offences if one.code == "not_entitled"] == codes


PLAIN = "CA CT CK ST SK HK HA SA"


@pytest.mark.parametrize(
    ("told", "cards", "found"),
    [
        pytest.param(1, "DQ", [], id="one came back"),
        pytest.param(1, "DQ CA DJ", [5], id="one came back, and two lie"),
        pytest.param(0, "CA DQ", [4], id="none came back, and one lies"),
        pytest.param(0, PLAIN, [], id="none came back"),
        pytest.param(3, "CA CT CK ST SK HK HA", [], id="three cards are left for three"),
        pytest.param(3, PLAIN, [10], id="two cards are left for three"),
        pytest.param(1, "DQ/CA DJ/CT", [], id="one of two in doubt"),
        pytest.param(1, "DQ/DT DJ/HQ", [4], id="two in any case"),
        pytest.param(None, "DQ DJ DT", [], id="nobody has said how many"),
        pytest.param(None, "DQ DJ DT DK", [6], id="nobody has said how many, and four lie"),
    ],
)
def test_what_proves_a_count_wrong(told: int | None, cards: str, found: list[int]) -> None:
    """Seat 1 is poor and lays these; ``found``: which of them proves it, from 3 on."""
    state = said(reserved(poor(), 1), armut(1, 2, told))
    others = iter(f"HT SQ HQ HT SQ HQ CJ SJ HJ CJ SJ HJ DJ DA DA CQ CQ {PLAIN} HK HA".split())
    proved: list[int] = []
    for number, one in enumerate(cards.split(), start=3):
        choices = one.split("/")
        doubt = {"doubt": choices} if choices[1:] else {}
        state = said(state, {"event": "card", "seat": 1, "card": choices[0], **doubt})
        if not proved and "not_entitled" in codes_of(state):
            proved = [number]
        for seat in (2, 3, 4):
            state = said(state, {"event": "card", "seat": seat, "card": next(others)})
    assert proved == found


def codes_of(state: Round) -> list[str]:
    assert state.game is not None
    return [one.code for one in state.game.offences if one.seat == 1]


@pytest.mark.parametrize(
    ("hand", "told", "most", "found"),
    [
        pytest.param("DQ DJ CA CT CK ST SK HK HA SA", 2, 3, False, id="as many as he gave"),
        pytest.param("DQ DJ CA CT CK ST SK HK HA SA", 3, 3, True, id="more than he gave"),
        pytest.param("DQ DJ DT DK CK ST SK HK HA SA", 1, 3, True, id="he had four"),
        pytest.param("DQ DJ DT CA CK ST SK HK HA SA", 1, 2, True, id="the book allows two, and he had three"),
        pytest.param(None, 3, 2, True, id="the book allows two, and three came back"),
        pytest.param("CA CT CK ST SK HK HA SA CA CT", None, 3, False, id="he had none, and nobody has said how many"),
    ],
)
def test_what_a_scanned_hand_says_of_a_count(hand: str | None, told: int | None, most: int, found: bool) -> None:
    state = reserved(poor(armut_trumps=most), 1)
    if hand is not None:
        state = said(state, {"event": "hand", "seat": 1, "cards": hand.split()})
    state = said(state, armut(1, 2, told))
    assert ("not_entitled" in codes_of(state)) == found
    # What was scanned is used no more, and a card in doubt has all weighed again: what was refuted stays so.
    doubtful = said(state, {"event": "card", "seat": 1, "card": "SK", "doubt": ["SK", "SA"]})
    assert ("not_entitled" in codes_of(doubtful)) == found


@pytest.mark.slow
@pytest.mark.parametrize(
    ("book", "seeds"),
    [(married(), (1,)), (poor(), (1,))],
    ids=["Hochzeit", "Armut"],
)
def test_rounds_add_up_and_replay_as_they_were(book: RuleBook, seeds: tuple[int, ...]) -> None:
    kinds = set()
    for seed in seeds:
        events = json.loads(json.dumps(list(simulate(book.name, seed, 20, mistakes=0.01))))
        round_ = fold(map(decode, events))
        for row in replay_data(round_)[:-1]:
            kinds.add(row["kind"])
            assert sum(row["score"].values()) == 0
            if row["re"] and not row["void"]:
                assert sum(row["points"].values()) == (120 if book.classes else 240)
            codes = [one["code"] for one in row["offences"]]
            assert row["kind"] not in ("armut", "hochzeit") or "not_entitled" not in codes
        assert list_data(fold(map(decode, events))) == list_data(round_)
    assert kinds & {"hochzeit", "armut"}
