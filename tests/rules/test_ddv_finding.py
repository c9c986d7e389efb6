"""ddv at the table: finding the game, and what of a round follows from it.

Sections are those of the Turnierspielregeln of the Deutscher Doppelkopf-Verband (2000).
"""

from dataclasses import replace
from typing import Any

import pytest

from kiosk.errors import BadEvent
from kiosk.rules.books import DDV
from tests.rules.ddv import TABLE, coded, found_of, no_duties


class TestFinding:
    def test_everybody_healthy_is_a_normal_game(self, by_book: Any) -> None:
        """4.1."""
        table = by_book(TABLE)
        table.deal(4)
        for seat in (1, 2, 3, 4):
            assert table.game.turn == seat and table.game.phase == "asking"
            table.do("call", seat=seat, call="gesund")
        assert table.game.phase == "playing" and table.game.turn == 1 and coded(table) == []

    @pytest.mark.parametrize(
        ("calls", "late"),
        [
            pytest.param([(1, "gesund"), (1, "vorbehalt")], [], id="before the next has spoken"),
            pytest.param([(1, "vorbehalt"), (2, "gesund"), (1, "gesund")], [2], id="after the next"),
            pytest.param([(2, "gesund")], [0], id="out of turn"),
            pytest.param([(s, "vorbehalt") for s in (1, 2, 3, 4)] + [(4, "gesund")], [], id="the last one"),
        ],
    )
    def test_order(self, by_book: Any, calls: list[tuple[int, str]], late: list[int]) -> None:
        """4.1."""
        table = by_book(TABLE)
        table.deal(4)
        numbers = [table.do("call", seat=seat, call=call) for seat, call in calls]
        assert coded(table) == [("call_out_of_turn", numbers[n], "ddv 4.1") for n in late]

    @pytest.mark.parametrize(
        ("reserved", "then", "late"),
        [
            pytest.param((4,), None, False, id="one Vorbehalt, named"),
            pytest.param((4,), "card", True, id="a card was led"),
            pytest.param((4,), "announce", True, id="an announcement was made"),
            pytest.param((2, 4), None, True, id="two Vorbehalte have been asked on"),
        ],
    )
    def test_the_last_ones_correction(
        self, by_book: Any, reserved: tuple[int, ...], then: str | None, late: bool
    ) -> None:
        """4.1: position 4 takes it back until a card, an announcement, or the asking on of several."""
        table = no_duties(by_book)
        table.deal(4)
        for seat in (1, 2, 3, 4):
            table.do("call", seat=seat, call="vorbehalt" if seat in reserved else "gesund")
        table.do("declare", seat=reserved[0], game="damensolo")
        if then == "card":
            table.lay()
        if then == "announce":
            table.do("announce", seat=reserved[0], call="re")
        number = table.do("call", seat=4, call="gesund")
        assert ("call_out_of_turn" in [code for code, event, _ in coded(table) if event == number]) is late

    @pytest.mark.parametrize(
        ("seat", "call", "late"),
        [
            pytest.param(3, "vorbehalt", True, id="no Vorbehalt any more"),
            pytest.param(3, "gesund", False, id="gesund says nothing new"),
            pytest.param(2, "vorbehalt", False, id="who has named it"),
        ],
    )
    def test_named_at_once(self, by_book: Any, seat: int, call: str, late: bool) -> None:
        """4.1: the highest one may be named at once; the others announce none then."""
        table = by_book(TABLE)
        table.deal(4)
        table.do("call", seat=1, call="gesund")
        table.do("call", seat=2, call="vorbehalt")
        table.do("declare", seat=2, game="damensolo", duty=True)
        number = table.do("call", seat=seat, call=call)
        assert found_of(table, number) == ([("call_out_of_turn", "ddv 4.1")] if late else [])
        table.card(2, table.hands[2][0])
        assert table.game.declaration.seat == 2

    def test_a_vorbehalt_that_was_announced_before_it_was_named_is_none_again(self, by_book: Any) -> None:
        """4.1: seat 3 had spoken: a second answer is late because the next has spoken, not because of the name."""
        table = by_book(TABLE)
        table.deal(4)
        for seat, call in ((1, "gesund"), (2, "vorbehalt"), (3, "vorbehalt")):
            table.do("call", seat=seat, call=call)
        table.do("declare", seat=2, game="damensolo", duty=True)
        number = table.do("call", seat=3, call="gesund")
        assert found_of(table, number) == []

    @pytest.mark.parametrize(
        ("first", "second", "broken"),
        [
            pytest.param((2, True), (3, True), "4.1", id="Pflichtsolo further back"),
            pytest.param((3, True), (2, True), "", id="Pflichtsolo further forward"),
            pytest.param((3, True), (3, True), "", id="another game of his own"),
            pytest.param((3, False), (2, True), "", id="Pflichtsolo before Lustsolo"),
            pytest.param((2, True), (3, False), "4.1", id="Lustsolo after a Pflichtsolo"),
            pytest.param((2, False), (3, True), "", id="Pflichtsolo further back before a Lustsolo"),
            pytest.param((3, True), (2, False), "4.1", id="Lustsolo further forward after a Pflichtsolo"),
        ],
    )
    def test_a_lower_vorbehalt_is_not_named_any_more(
        self, by_book: Any, first: tuple[int, bool], second: tuple[int, bool], broken: str
    ) -> None:
        """4.1: all other Vorbehalte are without meaning and may not be named."""
        table = by_book(TABLE)
        table.deal(4)
        # who names a Lustsolo has played his Pflichtsolo before (4.3)
        own = frozenset(seat for seat, duty in (first, second) if duty)
        table.round = replace(table.round, game=replace(table.game, duties_open=own))
        for seat in (1, 2, 3, 4):
            table.do("call", seat=seat, call="vorbehalt" if seat in (first[0], second[0]) else "gesund")
        table.do("declare", seat=first[0], game="damensolo", duty=first[1])
        number = table.do("declare", seat=second[0], game="bubensolo", duty=second[1])
        assert found_of(table, number) == ([("not_entitled", f"ddv {broken}")] if broken else [])

    def test_a_hochzeit_after_a_solo(self, by_book: Any) -> None:
        """4.1: with several Vorbehalte a Hochzeit never comes about."""
        table = no_duties(by_book)
        table.deal(4, re=(1, 1))
        for seat in (1, 2, 3, 4):
            table.do("call", seat=seat, call="vorbehalt" if seat < 3 else "gesund")
        table.do("declare", seat=2, game="damensolo")
        number = table.do("declare", seat=1, game="hochzeit")
        assert found_of(table, number) == [("not_entitled", "ddv 4.1")]

    @pytest.mark.parametrize("queens", [1, 2])
    def test_hochzeit_needs_both_queens(self, by_book: Any, queens: int) -> None:
        """4.4."""
        table = by_book(TABLE)
        table.deal(4, re=(1, 1) if queens == 2 else (1, 2))
        table.do("hand", seat=1, cards=table.hands[1])
        number = table.do("declare", seat=1, game="hochzeit")
        assert found_of(table, number) == ([] if queens == 2 else [("not_entitled", "ddv 4.4")])

    @pytest.mark.parametrize(
        ("duty", "open_", "section"),
        [
            pytest.param(True, True, "", id="8.6 the own Pflichtsolo"),
            pytest.param(False, True, "4.3", id="4.3 the Pflichtsolo comes first"),
            pytest.param(False, False, "", id="4.3 after it"),
            pytest.param(True, False, "8.6", id="8.6 one each"),
        ],
    )
    def test_pflichtsolo_and_lustsolo(self, by_book: Any, duty: bool, open_: bool, section: str) -> None:
        table = by_book(TABLE)
        table.deal(4)
        if not open_:
            table.round = replace(table.round, game=replace(table.game, duties_open=frozenset({2, 3, 4})))
        number = table.do("declare", seat=1, game="fleischlos", duty=duty)
        assert found_of(table, number) == ([("not_entitled", f"ddv {section}")] if section else [])


class TestRound:
    @pytest.mark.parametrize(
        ("duty", "leader"), [pytest.param(True, 3, id="4.2 Pflichtsolo"), pytest.param(False, 1, id="4.3 Lustsolo")]
    )
    def test_who_leads(self, by_book: Any, duty: bool, leader: int) -> None:
        """4.2, 4.3, 5.1."""
        table = by_book(TABLE) if duty else no_duties(by_book)
        table.deal(4)
        assert DDV.leader(table.game) == 1
        table.do("declare", seat=3, game="fleischlos", duty=duty)
        assert table.game.turn == leader

    @pytest.mark.parametrize(
        ("game", "duty", "again"),
        [
            pytest.param("fleischlos", True, True, id="4.2 after a Pflichtsolo"),
            pytest.param("fleischlos", False, False, id="4.3 not after a Lustsolo"),
            pytest.param(None, False, False, id="3.3 not after a normal game"),
        ],
    )
    def test_who_deals_next(self, by_book: Any, game: str | None, duty: bool, again: bool) -> None:
        table = by_book(TABLE) if duty or game is None else no_duties(by_book)
        table.deal()
        if game:
            table.do("declare", seat=2, game=game, duty=duty)
        table.finish()
        assert (table.round.next_dealer == 1) is again and table.round.next_dealer in (1, 2)

    def test_vorgefuehrt(self, by_book: Any) -> None:
        """4.2: with as many Pflichtsoli as games left; nobody takes it from him; the next one deals then."""
        table = by_book(TABLE, games=4)
        table.deal()
        assert table.game.must_play == 2 and table.game.turn == 2
        number = table.do("declare", seat=3, game="fleischlos", duty=True)
        assert found_of(table, number) == [("not_entitled", "ddv 4.2")]
        table.do("declare", seat=2, game="fleischlos", duty=True)
        table.finish()
        assert table.round.next_dealer == 2 and table.round.must_play == 3

    def test_all_duties_are_led_up_in_turn(self, by_book: Any) -> None:
        table = by_book(TABLE, games=4)
        for seat in (2, 3, 4, 1):
            table.deal()
            table.do("declare", seat=seat, game="bubensolo", duty=True)
            assert coded(table) == []
            table.finish()
        assert table.round.over

    def test_five_at_the_table(self, by_book: Any) -> None:
        """10.1: the dealer sits out and gets neither plus nor minus."""
        table = by_book(TABLE, 5)
        table.deal()
        assert table.game.seats == (2, 3, 4, 5)
        table.finish()
        assert table.round.totals[1] == 0 and sum(table.round.totals.values()) == 0
        assert table.round.next_dealer == 2 and table.round.games_left == 29

    def test_nothing_is_repeated_after_the_time(self, by_book: Any) -> None:
        """8.5: not even a deal with too many cards; only Pflichtsoli are still played."""
        table = no_duties(by_book)
        table.deal()
        table.do("time_up")
        assert table.round.games_left == 1
        table.do("void", why="count")
        assert table.round.over
        with pytest.raises(BadEvent):
            table.deal()

    def test_pflichtsoli_are_still_played_after_the_time(self, by_book: Any) -> None:
        """8.5, 8.6."""
        table = by_book(TABLE)
        table.deal()
        table.do("time_up")
        table.do("void", why="count")
        assert (table.round.games_left, table.round.must_play) == (4, 2)
        table.deal()
        table.do("void", why="count")  # a Pflichtsolo is dealt again
        assert (table.round.games_left, table.round.must_play) == (4, 2)

    def test_what_is_dealt_again_in_time(self, by_book: Any) -> None:
        """3.3: dealt wrongly, in time: the same dealer deals again."""
        table = by_book(TABLE)
        table.deal()
        table.do("void", why="count")
        assert (table.round.next_dealer, table.round.games_left) == (1, 24)
