"""ddv: frame, ranks, games and their order, options, what it shares with eppstein.

Sections are those of the Turnierspielregeln of the Deutscher Doppelkopf-Verband (2000).
"""

from typing import Any

import pytest

from kiosk.rules.books import DDV, EPPSTEIN
from kiosk.rules.describe import compare
from kiosk.rules.engine.contract import TRUMP
from kiosk.rules.engine.tricks import Laid
from tests.rules.ddv import HAVE_HT, TABLE


def test_frame() -> None:
    """2.1, 3.1, 3.3, 8.3 to 8.6, 10.1, 11."""
    given = DDV.settle({})
    assert (DDV.name, len(DDV.deck), DDV.hand_size, DDV.tables) == ("ddv", 48, 12, (4, 5))
    assert "01.07.2000" in DDV.source and "Doppelkopf-Verband" in DDV.title
    assert all(DDV.deck.count(card) == 2 for card in DDV.deck) and DDV.packets(given) == (3, 3, 3, 3)
    assert [(DDV.games(n, given), DDV.minutes(n, given)) for n in DDV.tables] == [(24, 100), (30, 125)]
    assert [DDV.scorer(players, given) for players in (4, 5)] == [4, 5]
    assert (DDV.first_dealer(given), DDV.duties(given), DDV.rounds(given)) == (1, 1, None)
    assert DDV.seating.fives_section == "8.3" and DDV.seating.court_section == "9.7"
    assert DDV.seating.section == "8.4" and not DDV.seating.lot_alone and not DDV.seating.substitutes_section
    assert DDV.needs_leave is None and DDV.late_fine is None and DDV.must_announce is None
    assert DDV.thrown_in_same_dealer(given) and not DDV.payments and not DDV.classes


@pytest.mark.parametrize(
    ("game", "suit", "trumps", "plain", "number"),
    [
        pytest.param("normal", None, f"{HAVE_HT} DA DT DK D9", "CA CT CK C9", 26, id="2.2.1"),
        pytest.param("hochzeit", None, f"{HAVE_HT} DA DT DK D9", "HA HK H9", 26, id="4.4"),
        pytest.param("farbsolo", "C", f"{HAVE_HT} CA CT CK C9", "DA DT DK D9", 26, id="2.2.2 Kreuz"),
        pytest.param("farbsolo", "S", f"{HAVE_HT} SA ST SK S9", "HA HK H9", 26, id="2.2.2 Pik"),
        pytest.param("farbsolo", "H", f"{HAVE_HT} HA HK H9", "CA CT CK C9", 24, id="2.2.2 Herz, 24 trumps"),
        pytest.param("farbsolo", "D", f"{HAVE_HT} DA DT DK D9", "SA ST SK S9", 26, id="2.2.2 Karo"),
        pytest.param("damensolo", None, "CQ SQ HQ DQ", "HA HT HK HJ H9", 8, id="2.2.2 Damen"),
        pytest.param("bubensolo", None, "CJ SJ HJ DJ", "HA HT HK HQ H9", 8, id="2.2.2 Buben"),
        pytest.param("fleischlos", None, "", "HA HT HK HQ HJ H9", 0, id="2.2.3"),
    ],
)
def test_ranks(game: str, suit: str | None, trumps: str, plain: str, number: int) -> None:
    contract = DDV.normal if game == "normal" else DDV.contracts[game, suit]
    assert list(contract.trumps) == trumps.split()
    assert sum(contract.classes[card] == TRUMP for card in DDV.deck) == number
    order = sorted(plain.split(), key=lambda card: -contract.power[card])
    assert order == plain.split() and {contract.classes[card] for card in order} == {plain[0]}
    assert (contract.game, contract.suit) == (game, suit)
    assert contract.solo == (game not in ("normal", "hochzeit"))
    assert contract.re_card == ("CQ" if game == "normal" else None)  # 2.3.1


def test_games_and_their_order() -> None:
    """4.1: Pflichtsolo, Lustsolo, Hochzeit; 2.2: the four solos, Farbsolo in each suit (2.2.2)."""
    assert [(kind.game, kind.rank) for kind in DDV.kinds] == [
        ("farbsolo", 2), ("damensolo", 2), ("bubensolo", 2), ("fleischlos", 2), ("hochzeit", 3)
    ]  # fmt: skip
    assert [kind.suits for kind in DDV.kinds] == [tuple("CSHD"), (), (), (), ()]
    assert [kind.section for kind in DDV.kinds] == ["4.3"] * 4 + ["4.4"]
    assert [kind.solo for kind in DDV.kinds] == [True] * 4 + [False]
    assert not any(kind.raises or kind.conditions or kind.cards or kind.ends_deal for kind in DDV.kinds)
    assert all(kind.played for kind in DDV.kinds)
    assert set(DDV.contracts) == {(k.game, suit) for k in DDV.kinds for suit in k.suits or (None,)}


def test_what_has_no_part_in_the_book(by_book: Any) -> None:
    table = by_book(TABLE)
    table.deal(4)
    assert DDV.bock_games(table.game, 4) == 0 and DDV.bid_fault(table.game, None) == ("", "")  # type: ignore[arg-type]
    assert not DDV.covering_needs_none(table.game, "CA") and not DDV.repeated(table.game, frozenset())
    assert DDV.beyond_suit(table.game, Laid(1, 1, "CA")) == ()
    assert DDV.contract_by(DDV.normal, DDV.settle({})) is DDV.normal
    assert not DDV.redeals_after_time and EPPSTEIN.redeals_after_time


OPTIONS = {
    "rounds": (0, "8.4", range(100)), "games": (24, "8.5", range(1, 201)), "games_5": (30, "10.1", range(1, 201)),
    "minutes": (100, "8.5", range(1000)), "minutes_5": (125, "10.1", range(1000)),
    "break_stops_clock": (False, "8.5", (False, True)), "pflichtsoli": (1, "8.6", range(11)),
    "first_dealer": (1, "3.3", range(1, 5)), "scorer": (4, "3.1", range(1, 5)), "scorer_5": (5, "10.1", range(1, 6)),
    "equal_places": ("shared", "8.4", ("shared", "lot", "games_won")),
    "deduction_most": (12, "9.6", range(1000)), "appeal_minutes": (0, "8.5", range(10081)),
    "dealing": ("4x3", "3.3", ("4x3", "3x4", "2x6", "6x2")), "klaerung_tricks": (3, "4.4", range(1, 13)),
    "second_ht": ("never", "5.3", ("never", "highest_trump", "any_trump")),
    "words_back": ("next", "4.1", ("next", "trick", "never")), "tell_augen": (False, "9.1", (False, True)),
    "tell_tricks": (False, "5.3", (False, True)), "tell_sides": (False, "2.3.1", (False, True)),
    "look_back": (False, "5.3", (False, True)),
    "limit_ansage": (11, "6.3", range(1, 13)), "limit_keine90": (10, "6.4", range(1, 13)),
    "limit_keine60": (9, "6.4", range(1, 13)), "limit_keine30": (8, "6.4", range(1, 13)),
    "limit_schwarz": (7, "6.4", range(1, 13)), "reply_cards": (1, "6.5", range(12)),
    "win_points": (121, "7.1", range(91, 151)), "nobody_has_won": ("net", "6.4", ("net", "nothing")),
    **{f"value_{name}": (1, "7.2", range(100)) for name in (
        "won", "under", "schwarz", "absage", "reached", "against_queens", "doppelkopf", "fuchs", "karlchen")},
    "value_re_kontra": (2, "7.2", range(100)), "doppelkopf_augen": (40, "7.2", range(1, 45)),
    "minor_penalty": (3, "9.3.1", range(0, 100, 3)), "minor_penalty_opponent": (3, "9.3.2", range(100)),
    "serious_penalty": (12, "9.4.1", range(0, 301, 3)), "serious_penalty_opponent": (12, "9.4.2", range(301)),
    "serious_penalty_step": (3, "9.4.1", range(0, 100, 3)),
}  # fmt: skip


def test_options() -> None:
    """Every number of the book and all that it leaves open, with default, section and what it may be."""
    assert {o.name: (o.default, o.section, o.values) for o in DDV.options} == OPTIONS


@pytest.mark.parametrize(
    ("given", "section"),
    [({"pflichtsoli": 7}, "ddv 8.6"), ({"limit_keine60": 11}, "ddv 6.4"), ({"limit_ansage": 9}, "ddv 6.4")],
)
def test_contradictions(given: dict[str, int], section: str) -> None:
    with pytest.raises(Exception, match=section.replace(".", r"\.")):
        DDV.settle(given)


SENTENCES = {
    "4.1": "asked_in_turn", "4.4": "marry", "5.2": "follow", "not_entitled 5.2": "face_up",
    "out_of_turn 5.2": "clockwise", "6.1": "card_not_held", "6.3": "limits", "early_announcement 6.3": "early",
    "wrong_side 6.3": "sides", "6.4": "limits", "unfounded_announcement 6.4": "backed", "6.5": "steps",
    "late_announcement 6.5": "limits", "8.5": "not_released", "9.7": "resting", "after_serious 9.7": "after_serious",
}  # fmt: skip


def test_sentences_and_facts() -> None:
    assert dict(DDV.sentences) == SENTENCES
    assert dict(DDV.fact_sections) == {
        "deck": "2.1", "augen": "2.1", "tables": "8.3, 10.1", "same_dealer": "3.3, 4.2", "equal_cards": "5.3",
        "game_normal": "2.2.1", "game_hochzeit": "4.4", "game_farbsolo": "2.2.2", "game_damensolo": "2.2.2",
        "game_bubensolo": "2.2.2", "game_fleischlos": "2.2.3", "answers": "4.1", "rank": "4.1", "klaerung": "4.4",
        "leader_in_pflichtsolo": "4.2", "leader_in_solo": "4.3", "hochzeit_shift": "6.5", "redeals_after_time": "8.5",
        "shown_sides": "5.5", "written": "7.2", "written_solo_won": "7.2", "written_solo_lost": "7.2",
        "losers_special_points": "7.2", "columns": "7.3",
    }  # fmt: skip


def test_what_it_shares_with_eppstein_and_what_not() -> None:
    """The books of one family: the differences are told with their sections."""
    found = {one.key: one for one in compare(EPPSTEIN, DDV)}
    both = {key: (one.first.section, one.second.section) for key, one in found.items() if one.first and one.second}
    assert both["games"] == ("7.4.1", "8.5") and both["leads_solo"] == ("3.2.2, 3.3.1", "4.3")
    assert both["redeals_after_time"] == ("7.4.1", "8.5") and both["clear_by"] == ("8.8.1", "5.5")
    assert both["farbsolo_c"] == ("1.3.8", "2.2.2") and both["decided_falls"] == ("8.5", "9.5")
    assert "until_re" not in found and "until_schwarz" not in found and "serious" not in found and "minor" not in found
    assert "leads_pflichtsolo" not in found and "klaerung" not in found and "needed_only_kontra" not in found
    assert found["named_schmeissen"].second is None and found["trumpfsolo"].second is None
