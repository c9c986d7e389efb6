"""ddv at the table: finding the game, leading, Hochzeit, calls, who has won and for how much, breaches, list, time.

Sections are those of the Turnierspielregeln of the Deutscher Doppelkopf-Verband (2000).
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest

from kiosk.errors import BadEvent
from kiosk.rules.books import DDV, EPPSTEIN
from kiosk.rules.describe import compare
from kiosk.rules.engine.announcements import KONTRA, RE
from kiosk.rules.engine.contract import TRUMP
from kiosk.rules.engine.listing import ListRow, ListWords
from kiosk.rules.engine.rights import claimants
from kiosk.rules.engine.scoring import Tally
from kiosk.rules.engine.tricks import Laid, Trick
from kiosk.table.scoresheet.spielliste import list_data

TABLE = "ddv"
HAVE_HT = "HT CQ SQ HQ DQ CJ SJ HJ DJ"


def coded(table: Any) -> list[tuple[str, int, str]]:
    return [(offence.code, offence.event, offence.section) for offence in table.game.offences]


def found_of(table: Any, event: int) -> list[tuple[str, str]]:
    return [(code, section) for code, at, section in coded(table) if at == event]


def no_duties(by_book: Any, players: int = 4, **options: Any) -> Any:
    return by_book(TABLE, players, pflichtsoli=0, **options)


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


LEVELS = {"": 0, "R": 1, "K": 1, "90": 2, "60": 3, "30": 4, "s": 5}


def tally(
    points: int,
    re: str = "",
    kontra: str = "",
    *,
    taken: tuple[int, int] | None = None,
    soloist: int | None = None,
    tricks: Sequence[Trick] = (),
    **options: Any,
) -> tuple[str | None, dict[str, int], dict[int, int]]:
    """Who has won, the reasons by name, the score; seats 1 and 3 are Re, alone seat 1."""
    found = Tally(
        seats=(1, 2, 3, 4),
        re=frozenset((1,)) if soloist else frozenset((1, 3)),
        soloist=soloist,
        tricks=tuple(tricks),
        complete=True,
        points={RE: points, KONTRA: 240 - points},
        taken=dict(zip((RE, KONTRA), taken or (int(points > 0) * 5, int(points < 240) * 5), strict=True)),
        level={RE: LEVELS[re], KONTRA: LEVELS[kontra]},
        options=DDV.settle(options),
        bock=False,
        doubled=False,
    )
    found = replace(found, winner=DDV.winner(found))
    items = tuple(item for rule in DDV.scoring for item in rule(found))
    value: dict[str, int] = {}
    for item in items:
        value[item.name] = value.get(item.name, 0) + item.number
    return found.winner, value, DDV.write(found, items)


def trick(cards: str, leader: int = 1, winner: int = 1, points: int = 20) -> Trick:
    seats = [(leader - 1 + step) % 4 + 1 for step in range(4)]
    laid = tuple(Laid(n, seat, card) for n, (seat, card) in enumerate(zip(seats, cards.split(), strict=True)))
    return Trick(cards=laid, leader=leader, winner=winner, points=points)


@pytest.mark.parametrize(
    ("points", "re", "kontra", "winner"),
    [
        pytest.param(121, "", "", RE, id="7.1 Re 1"),
        pytest.param(120, "", "", KONTRA, id="7.1 Kontra 1"),
        pytest.param(120, "R", "", KONTRA, id="7.1 Kontra 2"),
        pytest.param(121, "R", "", RE, id="7.1 Re 2"),
        pytest.param(121, "R", "K", RE, id="7.1 Re 3"),
        pytest.param(120, "R", "K", KONTRA, id="7.1 Kontra 3"),
        pytest.param(120, "", "K", RE, id="7.1 Re 4"),
        pytest.param(119, "", "K", KONTRA, id="7.1 Kontra 4"),
        pytest.param(151, "90", "", RE, id="7.1 Re 5, 151"),
        pytest.param(150, "90", "", KONTRA, id="7.1 Kontra 7, 90"),
        pytest.param(181, "60", "", RE, id="7.1 Re 5, 181"),
        pytest.param(180, "60", "", KONTRA, id="7.1 Kontra 7, 60"),
        pytest.param(211, "30", "", RE, id="7.1 Re 5, 211"),
        pytest.param(210, "30", "", KONTRA, id="7.1 Kontra 7, 30"),
        pytest.param(240, "s", "", RE, id="7.1 Re 6"),
        pytest.param(239, "s", "", KONTRA, id="7.1 Kontra 8"),
        pytest.param(90, "", "90", RE, id="7.1 Re 7, 90"),
        pytest.param(89, "", "90", KONTRA, id="7.1 Kontra 5, 151"),
        pytest.param(90, "R", "90", RE, id="7.1 Re 7 with an Ansage"),
        pytest.param(60, "", "60", RE, id="7.1 Re 7, 60"),
        pytest.param(59, "", "60", KONTRA, id="7.1 Kontra 5, 181"),
        pytest.param(30, "", "30", RE, id="7.1 Re 7, 30"),
        pytest.param(29, "", "30", KONTRA, id="7.1 Kontra 5, 211"),
        pytest.param(1, "", "s", RE, id="7.1 Re 8"),
        pytest.param(0, "", "s", KONTRA, id="7.1 Kontra 6"),
        pytest.param(130, "90", "90", None, id="6.4 both missed"),
        pytest.param(150, "90", "s", None, id="7.1 Re 8 only without an own Absage"),
    ],
)
def test_who_has_won(points: int, re: str, kontra: str, winner: str | None) -> None:
    assert tally(points, re, kontra)[0] == winner


@pytest.mark.parametrize(
    ("points", "re", "kontra", "more", "value", "score"),
    [
        pytest.param(121, "", "", {}, {"won": 1}, (1, -1, 1, -1), id="7.2 won"),
        pytest.param(
            120, "", "", {}, {"won": 1, "against_queens": 1}, (-2, 2, -2, 2), id="7.2 against the queens"
        ),
        pytest.param(151, "", "", {}, {"won": 1, "under90": 1}, (2, -2, 2, -2), id="7.2 under 90"),
        pytest.param(
            240, "", "", {}, {"won": 1, "under90": 1, "under60": 1, "under30": 1, "schwarz": 1}, (5, -5, 5, -5),
            id="7.2 schwarz",
        ),
        pytest.param(121, "R", "K", {}, {"won": 1, "re": 2, "kontra": 2}, (5, -5, 5, -5), id="7.2 Re and Kontra"),
        pytest.param(
            185, "60", "", {},
            {"won": 1, "under90": 1, "under60": 1, "re": 2, "said_keine90": 1, "said_keine60": 1}, (7, -7, 7, -7),
            id="7.2 Absagen",
        ),
        pytest.param(
            125, "", "60", {},
            {"won": 1, "kontra": 2, "said_keine90": 1, "said_keine60": 1, "reached120": 1, "reached90": 1},
            (7, -7, 7, -7), id="7.2 reached against an Absage",
        ),
        pytest.param(
            115, "90", "", {},
            {"won": 1, "re": 2, "said_keine90": 1, "reached120": 1, "against_queens": 1},
            (-6, 6, -6, 6), id="7.2 125 against keine 90",
        ),
        pytest.param(
            200, "R", "s", {}, {"won": 1, "re": 2, "kontra": 2, "under90": 1, "under60": 1, "said_keine90": 1,
            "said_keine60": 1, "said_keine30": 1, "said_schwarz": 1, "reached120": 1, "reached90": 1,
            "reached60": 1, "reached30": 1}, (15, -15, 15, -15), id="7.2 all that is reached",
        ),
        pytest.param(
            170, "", "", {"soloist": 1}, {"won": 1, "under90": 1}, (6, -2, -2, -2), id="7.2 a solo won",
        ),
        pytest.param(100, "", "", {"soloist": 1}, {"won": 1}, (-3, 1, 1, 1), id="7.2 lost: no special points"),
        pytest.param(
            125, "90", "90", {}, {"reached120": 1}, (1, -1, 1, -1), id="6.4 nobody: no Absagen, no Ansagen"
        ),
        pytest.param(
            120, "90", "90", {}, {}, (0, 0, 0, 0), id="6.4 nobody: both reached 120",
        ),
    ],
)  # fmt: skip
def test_value(
    points: int, re: str, kontra: str, more: dict[str, Any], value: dict[str, int], score: tuple[int, ...]
) -> None:
    _, found, written = tally(points, re, kontra, **more)
    assert {name: number for name, number in found.items() if number} == value
    assert tuple(written.values()) == score and sum(score) == 0


def test_nobody_has_won_by_option() -> None:
    """6.4: what is written then is left open; the balance of the rest, or nothing."""
    fox = trick("DK DA CT CK", winner=1)
    assert tally(125, "90", "90", tricks=[fox])[1:] == ({"reached120": 1, "fuchs": 1}, {1: 2, 2: -2, 3: 2, 4: -2})
    assert tally(125, "90", "90", tricks=[fox], nobody_has_won="nothing")[1:] == ({}, dict.fromkeys((1, 2, 3, 4), 0))
    assert tally(121, tricks=[fox], nobody_has_won="nothing")[1] == {"won": 1, "fuchs": 1}


@pytest.mark.parametrize(
    ("tricks", "value", "score"),
    [
        pytest.param([trick("CA CA CT CT", points=42)], {"doppelkopf": 1}, 2, id="Doppelkopf"),
        pytest.param([trick("CA CA CT CK", points=39)], {}, 1, id="39 Augen are none"),
        pytest.param([trick("CA CA CT HT", points=40)], {"doppelkopf": 1}, 2, id="40 Augen"),
        pytest.param([trick("HT DA DK DK")], {"fuchs": 1}, 2, id="Fuchs of the other side"),
        pytest.param([trick("HT DK DA DK")], {}, 1, id="Fuchs of one's own side"),
        pytest.param([trick("HT DA DK DA")], {"fuchs": 2}, 3, id="both"),
        pytest.param([trick("DA DK DK HT", winner=4)], {"fuchs": -1}, 0, id="the losers catch one"),
        pytest.param([trick("CJ DK DK DK")], {"karlchen": 1}, 2, id="Karlchen in the last trick"),
        pytest.param([trick("CJ DK DK DK"), trick("HT DK DK DK")], {}, 1, id="not before it"),
        pytest.param([trick("DA DK DK DK")], {}, 1, id="a Fuchs in the last trick is nothing"),
        pytest.param([trick("DK CJ DK DK", winner=2)], {"karlchen": -1}, 0, id="the losers' Karlchen"),
    ],
)
def test_special_points(tricks: list[Trick], value: dict[str, int], score: int) -> None:
    """7.2: set off against each other and the rest; none in a solo, a Stille Hochzeit is one."""
    _, found, written = tally(125, tricks=tricks)
    assert found == {"won": 1, **value} and written == {1: score, 2: -score, 3: score, 4: -score}
    _, alone, _ = tally(125, tricks=tricks, soloist=1)
    assert alone == {"won": 1}


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


def row(game: int, scores: Sequence[int], alone: int | None = None) -> ListRow:
    score = dict(enumerate(scores, start=1))
    return ListRow(
        game=game, dealer=1, due=1, kind="normal", suit=None, declarer=alone, duty=False, alone=alone, score=score,
        total=score, won=frozenset(), points=1, void=False, struck=False, open=False,
    )  # fmt: skip


WORDS = ListWords(game=lambda row: row.kind, word=lambda code: code)


def test_the_list() -> None:
    """7.3: sum of a row 0, all even or all odd but for Strafpunkte to a soloist, winners marked; 10.1 at five."""
    rows = [row(1, (1, -1, 1, -1)), row(2, (3, 0, 0, -3), alone=1), row(3, (2, -1, -1, 0)), row(4, (1, 1, 1, 0))]
    made = DDV.list_of("ABCD", rows, WORDS)
    assert made["columns"] == [*"ABCD", "winners", "value", "game"]
    assert made["winners"] == [[1, 3], [1], [1], [1, 2, 3]]
    sums, even, winners = made["checks"]
    assert (sums["section"], sums["games"]) == ("ddv 7.3", [4])
    assert (even["section"], even["games"], even["excused"]) == ("ddv 7.3", [3, 4], [2])
    assert (winners["section"], winners["ok"]) == ("ddv 7.3", True)
    five = DDV.list_of("ABCDE", [row(1, (0, 1, -1, 1, -1))], WORDS)["checks"][1]
    assert (five["section"], five["ok"]) == ("ddv 10.1", True)


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
