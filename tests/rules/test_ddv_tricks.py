"""ddv at the table: leading and following, Hochzeit, calls.

Sections are those of the Turnierspielregeln of the Deutscher Doppelkopf-Verband (2000).
"""

from typing import Any

import pytest

from kiosk.errors import BadEvent
from kiosk.rules.books import DDV
from kiosk.table.scoresheet.spielliste import list_data
from tests.rules.ddv import TABLE, coded, found_of, no_duties


class TestTricks:
    @pytest.mark.parametrize(("option", "winner"), [("never", 1), ("highest_trump", 3), ("any_trump", 3)])
    def test_two_herz_10(self, by_book: Any, option: str, winner: int) -> None:
        """5.3: the one further forward is the higher, Herz 10 too; otherwise by option."""
        table = by_book(TABLE, second_ht=option)
        table.deal(4, {0: "HT", 1: "DJ", 2: "HT", 3: "DK"})
        table.trick("HT DJ HT DK")
        assert table.game.tricks[0].winner == winner
        assert DDV.settle({})["second_ht"] == "never"

    @pytest.mark.parametrize(
        ("order", "winner"), [((1, 2, 3, 4), 2), ((1, 4, 2, 3), 2), ((3, 4, 2, 1), 4), ((4, 2, 3, 1), 4)]
    )
    def test_equal_cards_by_seats(self, by_book: Any, order: tuple[int, ...], winner: int) -> None:
        """5.3: the seat further forward, whatever the order of laying."""
        table = by_book(TABLE)
        table.deal(4, {0: "DK", 1: "CQ", 2: "DK", 3: "CQ"})
        cards = {1: "DK", 2: "CQ", 3: "DK", 4: "CQ"}
        for seat in order:
            table.card(seat, cards[seat])
        assert table.game.tricks[0].winner == winner

    def test_sections_of_breaches(self, by_book: Any) -> None:
        """5.1 lead, 5.2 follow, face up; 6.1 what is in the hand; 2.1 the deck."""
        assert dict(DDV.turn_sections) == {"first_lead": "5.1", "lead": "5.1", "follow": "5.2"}
        assert (DDV.revoke_section, DDV.covering_section, DDV.answer_section) == ("5.2", "5.2", "4.1")
        assert dict(DDV.card_sections) == {"card_not_held": "6.1", "impossible_card": "2.1"}
        table = by_book(TABLE)
        table.deal(4, {0: "CA", 1: "CK SA", 2: "CT", 3: "C9"})
        table.do("hand", seat=2, cards=table.hands[2])
        wrong = table.card(2, "SA")
        assert ("out_of_turn", wrong, "ddv 5.1") in coded(table)
        table = by_book(TABLE)
        table.deal(4, {0: "CA", 1: "CK SA", 2: "CT", 3: "C9"})
        table.do("hand", seat=2, cards=table.hands[2])
        table.card(1, "CA")
        revoke = table.card(2, "SA")
        assert coded(table) == [("revoke", revoke, "ddv 5.2")]
        down = table.card(3, "CT", down=True)
        assert ("not_entitled", down, "ddv 5.2") in coded(table)

    def test_only_the_last_card_is_taken_back(self, by_book: Any) -> None:
        """5.1, 5.2."""
        table = by_book(TABLE)
        table.deal(4, {0: "CA", 1: "CK"})
        table.trick("CA CK")
        with pytest.raises(BadEvent):
            table.do("retract", seat=1, card="CA")
        table.do("retract", seat=2, card="CK")
        assert [laid.card for laid in table.game.open_trick] == ["CA"]


class TestHochzeit:
    HANDS = {0: "CQ CQ HT HT DK DK", 1: "SQ SQ DJ DJ", 2: "DT DT DA DA", 3: "CJ CJ SJ SJ"}  # noqa: RUF012

    def settled(self, by_book: Any, tricks: int) -> Any:
        """A Hochzeit of seat 1 after so many tricks of his own and the Klärungsstich, which seat 2 won."""
        table = by_book(TABLE)
        table.deal(4, self.HANDS)
        table.do("declare", seat=1, game="hochzeit")
        for _ in range(tricks):
            table.trick("HT DJ DT CJ")
            assert table.game.klaerung is None
        table.trick("DK SQ DA SJ")
        return table

    @pytest.mark.parametrize("tricks", [0, 1, 2])
    @pytest.mark.parametrize("late", [False, True])
    def test_partner_and_shift(self, by_book: Any, tricks: int, late: bool) -> None:
        """4.4: the first trick of another within three; 6.5: limits move by the tricks before it."""
        table = self.settled(by_book, tricks)
        assert table.game.klaerung.trick == tricks and table.game.ruled == {1, 2}
        table.lay(4 if late else 0)
        said = table.do("announce", seat=3, call="kontra")
        assert found_of(table, said) == ([("late_announcement", "ddv 6.3")] if late else [])

    def test_nothing_is_said_before_the_klaerungsstich_is_complete(self, by_book: Any) -> None:
        """4.4, 6.5."""
        table = by_book(TABLE)
        table.deal(4, self.HANDS)
        table.do("declare", seat=1, game="hochzeit")
        table.trick("DK SQ DA")
        early = table.do("announce", seat=1, call="re")
        table.trick("SJ")
        assert found_of(table, early) == [("early_announcement", "ddv 6.3")]

    def test_alone_from_the_third(self, by_book: Any) -> None:
        """4.4: scored as a solo, ends no Pflichtsolo, the next player deals."""
        table = by_book(TABLE)
        table.deal(4, {0: "CQ CQ HT HT SQ SQ CA CA SA SA", 1: "DJ DK DA", 2: "DT DT DK", 3: "CJ SJ HJ"})
        table.do("declare", seat=1, game="hochzeit")
        table.trick("HT DJ DT CJ")
        table.trick("HT DK DT SJ")
        table.trick("CQ DA DK HJ")
        assert table.game.klaerung.trick == 2 and table.game.ruled == {1}
        table.finish()
        row = table.scored()
        assert row["kind"] == "hochzeit" and row["re"] == [1] and row["score"]["1"] == -3 * row["score"]["2"]
        assert list_data(table.round)["duties_left"] == {str(seat): 1 for seat in (1, 2, 3, 4)}
        assert table.round.next_dealer == 2  # 3.3

    def test_a_breach_up_to_the_klaerungsstich_is_in_a_normal_game(self, by_book: Any) -> None:
        """4.4."""
        table = by_book(TABLE)
        table.deal(4, {0: "CQ CQ HT HT SQ SQ CA CA SA SA", 1: "DJ DK DA", 2: "DT DT DK", 3: "CJ SJ HJ"})
        table.do("declare", seat=1, game="hochzeit")
        table.trick("HT DJ DT CJ")
        table.trick("HT DK DT SJ")
        third = table.trick("CQ DA DK HJ")
        table.lay(4)
        game = table.game
        assert game.soloist_at(third[0]) is None and game.soloist_at(third[-1]) is None
        assert game.soloist_at(third[-1] + 1) == 1

    def test_a_stille_hochzeit(self, by_book: Any) -> None:
        """4.4: a Farbsolo in Karo for the list of normal games; a solo from the second Kreuz Dame on."""
        table = by_book(TABLE)
        table.deal(4, {0: "CQ CQ HT HT", 1: "DJ DK DA", 2: "DT DT DK", 3: "CJ SJ HJ"})
        first = table.card(1, "CQ")
        table.lay(3)
        while table.game.turn != 1:
            table.lay()
        second = table.card(1, "CQ")
        assert table.game.kind == "still"
        assert table.game.soloist_at(first) is None and table.game.soloist_at(second) == 1
        table.finish()
        row = table.scored()
        assert row["kind"] == "still" and row["score"]["1"] == -3 * row["score"]["2"] and not row["duty"]


class TestCalls:
    def test_words_and_rules(self) -> None:
        """6.3, 6.4, 6.5."""
        calls = DDV.calls
        assert calls.words == ("re", "kontra", "keine90", "keine60", "keine30", "schwarz")
        assert (calls.counted, calls.absage_needs_call, calls.leaving_out) == ("hand", False, True)
        assert (calls.repeated_raises, calls.repeated_offends) == (False, {True, False})
        assert calls.bock_left is None and not calls.bock_by_first and calls.reply_left is not None
        assert dict(calls.sections) == {
            "early": "6.3", "late_call": "6.3", "late_reply": "6.5", "late_absage": "6.4", "unfounded": "6.4",
            "unfounded_reply": "6.5", "skipped": "6.5", "repeated": "6.5", "wrong_side": "6.3",
        }  # fmt: skip

    @pytest.mark.parametrize(("laid", "late"), [(0, False), (4, False), (8, True)])
    def test_first_call(self, by_book: Any, laid: int, late: bool) -> None:
        """6.3: with 11 cards."""
        table = by_book(TABLE)
        table.deal(4, re=(1, 3), seed=4)
        table.lay(laid)
        said = table.do("announce", seat=1, call="re")
        assert found_of(table, said) == ([("late_announcement", "ddv 6.3")] if late else [])

    @pytest.mark.parametrize(("call", "tricks"), [("keine90", 2), ("keine60", 3), ("keine30", 4), ("schwarz", 5)])
    @pytest.mark.parametrize("late", [False, True])
    def test_limits(self, by_book: Any, call: str, tricks: int, late: bool) -> None:
        """6.4: 10, 9, 8, 7 cards."""
        before = ["re", "keine90", "keine60", "keine30"]
        table = by_book(TABLE)
        table.deal(4, re=(1, 3), seed=4)
        for one in before[: before.index(call) if call in before else 4]:
            table.do("announce", seat=1, call=one)
        table.lay(4 * (tricks + late))
        said = table.do("announce", seat=1, call=call)
        assert found_of(table, said) == ([("late_announcement", "ddv 6.4")] if late else [])

    @pytest.mark.parametrize(("laid", "code"), [(8, None), (12, "late_announcement")])
    def test_reply(self, by_book: Any, laid: int, code: str | None) -> None:
        """6.5: one card fewer than the other side's call needed."""
        table = by_book(TABLE)
        table.deal(4, re=(1, 3), seed=4)
        table.do("announce", seat=1, call="re")
        table.lay(laid)
        said = table.do("announce", seat=2, call="kontra")
        assert found_of(table, said) == ([(code, "ddv 6.5")] if code else [])

    def test_absage_after_a_reply_beyond_the_limit(self, by_book: Any) -> None:
        """6.5: only if the reply was in time as an announcement, too."""
        table = by_book(TABLE)
        table.deal(4, re=(1, 3), seed=4)
        table.do("announce", seat=1, call="re")
        table.lay(8)
        table.do("announce", seat=2, call="kontra")
        said = table.do("announce", seat=2, call="keine90", side="kontra")
        assert found_of(table, said) == [("unfounded_announcement", "ddv 6.5")]

    @pytest.mark.parametrize(
        ("laid", "before", "code"),
        [
            (4, False, None),
            (8, False, "unfounded_announcement"),
            (8, True, None),
            (12, True, "skipped_step"),
        ],
    )
    def test_leaving_out(self, by_book: Any, laid: int, before: bool, code: str | None) -> None:
        """6.5: what is left out must be in time itself; 6.4: after an Ansage of one's own side."""
        table = by_book(TABLE)
        table.deal(4, re=(1, 3), seed=4)
        if before:
            table.do("announce", seat=1, call="re")
        table.lay(laid)
        said = table.do("announce", seat=1, call="keine60", side="re")
        section = {"unfounded_announcement": "ddv 6.4", "skipped_step": "ddv 6.5"}
        assert found_of(table, said) == ([(code, section[code])] if code else [])
        if not code:
            assert table.game.judged()[1].level["re"] == 3

    @pytest.mark.parametrize("clear", [False, True])
    def test_repetition(self, by_book: Any, clear: bool) -> None:
        """6.5: another's call again is an offence and no step, one's own is a hint; at the same time it is nothing."""
        table = no_duties(by_book)
        table.deal(4, re=(1, 3), seed=4)
        if clear:
            table.do("declare", seat=1, game="farbsolo", suit="D")
        table.do("announce", seat=2, call="kontra")
        table.do("announce", seat=2, call="kontra")
        table.do("announce", seat=3, call="kontra", together=True)
        said = table.do("announce", seat=4, call="kontra")
        assert [one for one in coded(table) if one[0] != "wrong_side"] == [("repeated_announcement", said, "ddv 6.5")]
        assert table.game.judged()[1].level == {"re": 0, "kontra": 1}

    def test_no_call_before_the_game_is_found(self, by_book: Any) -> None:
        """6.3."""
        table = by_book(TABLE)
        table.deal(4, re=(1, 3))
        table.do("call", seat=1, call="gesund")
        said = table.do("announce", seat=1, call="re")
        table.do("call", seat=2, call="gesund")
        assert found_of(table, said) == [("early_announcement", "ddv 6.3")]

    @pytest.mark.parametrize("limit", [11, 9])
    def test_the_limits_are_options(self, by_book: Any, limit: int) -> None:
        options = {} if limit == 11 else dict.fromkeys(("limit_ansage", "limit_keine90"), 9)
        table = by_book(TABLE, **options)
        table.deal(4, re=(1, 3), seed=4)
        table.lay(12)
        said = table.do("announce", seat=1, call="re")
        assert bool(found_of(table, said)) == (limit == 11)
