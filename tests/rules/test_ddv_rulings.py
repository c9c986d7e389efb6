"""ddv at the table: clear partnership, who may claim, breaches and what follows from them.

Sections are those of the Turnierspielregeln of the Deutscher Doppelkopf-Verband (2000).
"""

from typing import Any

import pytest

from kiosk.errors import BadEvent
from kiosk.rules.books import DDV
from kiosk.rules.engine.rights import claimants
from kiosk.table.scoresheet.spielliste import list_data
from tests.rules.ddv import TABLE, coded


class TestClearPartnership:
    """5.5: who discards a plain card on a trump led belongs to Kontra."""

    def test_three_discards_leave_one_alone(self, by_book: Any) -> None:
        table = by_book(TABLE)
        table.deal(4, {0: "CQ CQ HT", 1: "CA", 2: "CT", 3: "CK"})
        table.trick("HT CA CT CK")
        assert table.game.known_sides == {1: "re", 2: "kontra", 3: "kontra", 4: "kontra"}
        assert table.game.clear

    def test_two_with_a_queen_do_not(self, by_book: Any) -> None:
        """He may hold both Kreuz Damen."""
        table = by_book(TABLE)
        table.deal(4, {0: "CQ", 1: "CA", 2: "CT", 3: "CQ DK"})
        table.trick("CQ CA CT DK")
        assert table.game.known_sides == {1: "re", 2: "kontra", 3: "kontra"} and not table.game.clear

    def test_two_with_both_queens(self, by_book: Any) -> None:
        table = by_book(TABLE)
        table.deal(4, {0: "CQ HT", 1: "CA CK", 2: "DK DJ", 3: "CQ DQ"})
        table.trick("HT CA DK DQ")
        assert table.game.known_sides == {2: "kontra"}
        table.do("announce", seat=1, call="re")
        assert not table.game.clear
        table.do("announce", seat=4, call="re")
        assert table.game.clear and table.game.known_sides[3] == "kontra"

    @pytest.mark.parametrize(
        ("cards", "known"),
        [
            pytest.param("CA DK DJ HJ", {}, id="a plain suit trumped"),
            pytest.param("CA SA CT CK", {}, id="a plain suit discarded on"),
            pytest.param("DK HT DJ HJ", {}, id="followed"),
            pytest.param("DK HT CA DJ", {3: "kontra"}, id="discarded"),
        ],
    )
    def test_what_tells(self, by_book: Any, cards: str, known: dict[int, str]) -> None:
        table = by_book(TABLE)
        table.deal(4, dict(enumerate(cards.split())))
        table.trick(cards)
        assert table.game.known_sides == known

    def test_in_the_open_trick(self, by_book: Any) -> None:
        table = by_book(TABLE)
        table.deal(4, {0: "DK", 1: "CA"})
        table.trick("DK CA")
        assert table.game.known_sides == {2: "kontra"}

    def test_who_has_laid_a_queen_stays_re(self, by_book: Any) -> None:
        table = by_book(TABLE)
        table.deal(4, {0: "CQ DK", 1: "HT", 2: "CA", 3: "DJ DJ"})
        table.trick("CQ HT")
        table.card(3, "CA")
        table.card(4, "DJ")
        assert table.game.known_sides == {1: "re", 3: "kontra"}
        table = by_book(TABLE)
        table.deal(4, {0: "CQ CA", 1: "HT DK", 2: "DT DJ", 3: "DK DJ"})
        table.trick("CQ HT DT DK")
        assert table.game.turn == 2
        table.card(2, "DK")
        table.card(3, "DJ")
        table.card(4, "DJ")
        table.card(1, "CA")  # he held no other trump, his queen lies
        assert table.game.known_sides == {1: "re"}

    def test_a_card_face_down_tells_nothing(self, by_book: Any) -> None:
        table = by_book(TABLE)
        table.deal(4, {0: "DK", 1: "CA"})
        table.card(1, "DK")
        table.card(2, "CA", down=True)
        assert table.game.known_sides == {}

    def test_not_in_a_game_that_was_named(self, by_book: Any) -> None:
        """In a Hochzeit the Klärungsstich alone makes sides."""
        table = by_book(TABLE)
        table.deal(4, {0: "CQ CQ HT DK", 1: "CA", 2: "DJ", 3: "DK"})
        table.do("declare", seat=1, game="hochzeit")
        table.trick("HT CA DJ DK")
        assert table.game.known_sides == {1: "re"}

    def test_only_the_other_side_claims_then(self, by_book: Any) -> None:
        """9.7."""
        table = by_book(TABLE)
        table.deal(4, {0: "CQ CQ HT", 1: "CA SA", 2: "CT", 3: "CK"})
        table.trick("HT CA CT CK")
        table.card(2, "SA")  # not his turn to lead
        (offence,) = table.game.offences
        assert (offence.code, claimants(table.game, offence)) == ("out_of_turn", (1,))


class TestWhoMayClaim:
    """9.7: who plays on has lost the right: by an answer, a name, a card or a call after the breach became certain."""

    def test_while_vorbehalte_are_asked(self, by_book: Any) -> None:
        table = by_book(TABLE)
        table.deal(4)
        table.do("call", seat=1, call="vorbehalt")
        table.do("call", seat=3, call="gesund")
        (offence,) = table.game.offences
        assert claimants(table.game, offence) == (1, 2, 4)
        table.do("call", seat=2, call="gesund")
        assert claimants(table.game, offence) == (1, 4)
        table.do("call", seat=4, call="gesund")
        assert claimants(table.game, offence) == (1,)
        table.do("declare", seat=1, game="damensolo", duty=True)
        assert claimants(table.game, offence) == ()

    def test_by_cards_and_calls(self, by_book: Any) -> None:
        table = by_book(TABLE)
        table.deal(4, {0: "CA", 1: "CK", 2: "CT", 3: "C9"})
        breach = table.card(2, "CK")
        (offence,) = table.game.offences
        assert claimants(table.game, offence) == (1, 3, 4) and offence.event == breach
        table.do("announce", seat=3, call="kontra")
        assert claimants(table.game, offence) == (1, 4)
        table.card(4, "C9")
        offence = next(one for one in table.game.offences if one.seat == 2)
        assert claimants(table.game, offence) == (1,)
        assert not DDV.partner_may_claim

    @pytest.mark.parametrize(("kind", "kept"), [("rest", True), ("concede", False)])
    def test_who_gives_the_rest_away(self, by_book: Any, kind: str, kept: bool) -> None:
        """5.4: he forfeits the right to claim earlier breaches; who shows his cards does not."""
        table = by_book(TABLE)
        table.deal(4)
        table.do("declare", seat=1, game="fleischlos", duty=True)
        table.lay(2)
        table.card(4, table.hands[4][0])  # out of turn
        offence = next(one for one in table.game.offences if one.seat == 4 and one.code == "out_of_turn")
        assert 1 in claimants(table.game, offence)
        table.do("claim", seat=1, kind=kind)
        assert (1 in claimants(table.game, offence)) is kept

    @pytest.mark.parametrize("kind", ["rest", "concede"])
    def test_only_a_soloist_shortens(self, by_book: Any, kind: str) -> None:
        """5.4."""
        table = by_book(TABLE)
        table.deal(4)
        table.lay(2)
        with pytest.raises(BadEvent, match="may not claim"):
            table.do("claim", seat=1, kind=kind)
        table = by_book(TABLE)
        table.deal(4)
        table.do("declare", seat=2, game="fleischlos", duty=True)
        with pytest.raises(BadEvent, match="may not claim"):
            table.do("claim", seat=1, kind=kind)
        table.do("claim", seat=2, kind=kind)
        assert table.game.result.points["re"] == (240 if kind == "rest" else 0)

    def test_the_others_may_still_call_after_a_claim(self, by_book: Any) -> None:
        """5.4."""
        table = by_book(TABLE)
        table.deal(4)
        table.do("declare", seat=2, game="fleischlos", duty=True)
        table.do("claim", seat=2, kind="rest")
        before = dict(table.game.result.score)
        table.do("announce", seat=1, call="kontra")
        assert table.game.result.score[2] == before[2] + 6 and coded(table) == []


class TestRulings:
    def test_classes(self) -> None:
        assert dict(DDV.rulings) == {"minor": "9.3", "serious": "9.4", "decided": "9.5"}
        assert set(DDV.penalties) == {"minor", "serious", "decided"} and DDV.scored_rulings == {"decided"}
        assert dict(DDV.berichtigung) == {
            "points": "7.3", "strike": "", "row": "7.3", "seats": "8.4", "name": "", "penalty": "9.6",
            "disqualified": "9.6", "reopen": "8.5",
        }  # fmt: skip
        assert dict(DDV.sections) == {
            "release": "8.5", "led_up": "4.2", "rest": "9.7", "claim": "9.7", "claim_over": "9.7", "shorten": "5.4",
            "take_back": "5.1", "void_count": "3.3", "void_shown": "3.3", "void_dealer": "9.7",
        }  # fmt: skip

    @pytest.mark.parametrize(
        ("offender", "soloist", "harms", "score"),
        [
            pytest.param(2, None, False, {1: 1, 2: -3, 3: 1, 4: 1}, id="9.3.1"),
            pytest.param(1, 1, False, {1: -3, 2: 1, 3: 1, 4: 1}, id="9.3.2 the soloist"),
            pytest.param(2, 1, True, {1: 3, 2: -3}, id="9.3.2 to the soloist's harm"),
            pytest.param(2, 1, False, {1: 1, 2: -3, 3: 1, 4: 1}, id="9.3.2 not to his harm"),
        ],
    )
    def test_minor(self, by_book: Any, offender: int, soloist: int | None, harms: bool, score: dict[int, int]) -> None:
        table = by_book(TABLE)
        table.deal(4, seed=9)
        if soloist:
            table.do("declare", seat=soloist, game="fleischlos", duty=True)
        table.lay(2)
        table.do("rule", offender=offender, harms_soloist=harms, **{"class": "minor"})
        assert table.game.phase == "playing"
        table.finish()
        plain = dict.fromkeys((1, 2, 3, 4), 0)
        result = table.game.result
        game = sum(item.number for item in result.value)
        for seat in plain:
            ahead = 1 if (seat in result.re) == (result.won_by == "re") else -1
            plain[seat] = ahead * game * (3 if soloist == seat else 1)
        assert result.score == {seat: plain[seat] + score.get(seat, 0) for seat in plain}

    @pytest.mark.parametrize(
        ("absage", "points"), [("", 12), ("keine90", 15), ("keine60", 18), ("keine30", 21), ("schwarz", 24)]
    )
    def test_serious_in_a_normal_game(self, by_book: Any, absage: str, points: int) -> None:
        """9.4.1: not played, dealt again; 12 and 3 for each Absage of the other side, 4, 5 … to each other."""
        table = by_book(TABLE)
        table.deal(1, {0: "CQ", 1: "DK", 2: "CQ"})
        if absage:
            table.do("announce", seat=2, call="re")
            table.do("announce", seat=2, call=absage)
        table.do("announce", seat=3, call="kontra")
        table.do("rule", offender=3, **{"class": "serious"})
        assert table.game.result.score == {2: points // 3, 3: -points, 4: points // 3, 1: points // 3}
        assert not table.game.result.counted and table.round.next_dealer == 1 and table.round.games_left == 24

    def test_serious_in_a_solo(self, by_book: Any) -> None:
        """9.4.2: by an opponent it counts as played, 12, 15 … to the soloist; by the soloist it does not."""
        table = by_book(TABLE)
        table.deal(1)
        table.do("declare", seat=2, game="damensolo", duty=True)
        table.do("announce", seat=2, call="re")
        table.do("announce", seat=2, call="keine90")
        table.do("rule", offender=3, **{"class": "serious"})
        assert table.game.result.score == {2: 15, 3: -15, 4: 0, 1: 0}
        assert table.game.result.counted and list_data(table.round)["duties_left"]["2"] == 0
        table.deal()
        table.do("declare", seat=3, game="damensolo", duty=True)
        table.do("rule", offender=3, **{"class": "serious"})
        assert table.game.result.score[3] == -12 and not table.game.result.counted
        assert list_data(table.round)["duties_left"]["3"] == 1

    @pytest.mark.parametrize(("place", "first"), [(0, 0), (3, 0), (4, 1), (7, 1), (8, 2), (9, 2)])
    def test_decided(self, by_book: Any, place: int, first: int) -> None:
        """9.5: all from the breach on goes to the other side, and the minor penalty besides."""
        table = by_book(TABLE)
        table.deal(4)
        table.do("declare", seat=1, game="farbsolo", suit="D", duty=True)
        start = table.round.events
        table.lay(10)
        kept = [trick for trick in table.game.tricks[:first] if trick.winner == 1]
        table.do("rule", offender=1, breach=start + place, **{"class": "decided"})
        result = table.game.result
        assert result.points["re"] == sum(trick.points for trick in kept) and result.counted
        game = sum(item.number for item in result.value)
        assert result.score == {1: -3 * game - 3, 2: game + 1, 3: game + 1, 4: game + 1}

    def test_penalties_are_options(self, by_book: Any) -> None:
        table = by_book(TABLE, serious_penalty=24, serious_penalty_opponent=30, serious_penalty_step=6)
        table.deal(1)
        table.do("declare", seat=2, game="damensolo", duty=True)
        table.do("announce", seat=2, call="keine90")
        table.do("rule", offender=3, **{"class": "serious"})
        assert table.game.result.score == {2: 36, 3: -36, 4: 0, 1: 0}
