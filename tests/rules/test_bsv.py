"""bsv at the table: finding the game, Hochzeit, calls, duties, who may claim."""

from typing import Any, ClassVar

import pytest

from kiosk.rules.books import BSV
from kiosk.rules.engine.rights import claimants
from kiosk.rules.engine.values import Owed
from kiosk.table.scoresheet.spielliste import list_data


def coded(table: Any) -> list[tuple[str, int, str]]:
    return [(offence.code, offence.event, offence.section) for offence in table.game.offences]


def test_frame() -> None:
    """2.2.1, 3.3, 8.5, 10.1."""
    assert len(BSV.deck) == 40 and BSV.hand_size == 10 and BSV.packets(BSV.settle({})) == (2,) * 5
    given = BSV.settle({})
    assert [(BSV.games(n, given), BSV.minutes(n, given)) for n in BSV.tables] == [(24, 120), (30, 140)]
    assert [BSV.scorer(players, BSV.settle({})) for players in (4, 5)] == [4, 5]
    assert len(BSV.normal.trumps) == 12


@pytest.mark.parametrize(
    ("game", "suit", "trumps", "plain"),
    [
        pytest.param("farbsolo", "C", "HT CQ SQ HQ DQ CJ SJ HJ DJ CA CT CK", "DA DT DK", id="2.3.5 Kreuz"),
        pytest.param("farbsolo", "H", "HT CQ SQ HQ DQ CJ SJ HJ DJ HA HK", "DA DT DK", id="2.3.5 Herz, 22 trumps"),
        pytest.param("farbsolo", "D", "HT CQ SQ HQ DQ CJ SJ HJ DJ DA DT DK", "HA HK", id="2.3.5 Karo"),
        pytest.param("damensolo", None, "CQ SQ HQ DQ", "HA HT HK HJ", id="2.3.6 Damen"),
        pytest.param("bubensolo", None, "CJ SJ HJ DJ", "HA HT HK HQ", id="2.3.6 Buben"),
        pytest.param("fleischlos", None, "", "HA HT HK HQ HJ", id="2.3.7"),
    ],
)
def test_ranks(game: str, suit: str | None, trumps: str, plain: str) -> None:
    contract = BSV.contracts[game, suit]
    assert list(contract.trumps) == trumps.split()
    order = sorted(plain.split(), key=lambda card: -contract.power[card])
    assert order == plain.split() and {contract.classes[card] for card in order} == {plain[0]}


class TestTricks:
    def test_second_herz_10_wins(self, forty: Any) -> None:
        """5.3."""
        table = forty("bsv")
        table.deal(4, {0: "HT", 1: "DJ", 2: "HT", 3: "DK"})
        table.trick("HT DJ HT DK")
        assert table.game.tricks[0].winner == 3

    @pytest.mark.parametrize(("option", "winner"), [("highest_trump", 3), ("any_trump", 3), ("never", 1)])
    def test_option(self, forty: Any, option: str, winner: int) -> None:
        table = forty("bsv", second_ht=option)
        table.deal(4, {0: "HT", 1: "DJ", 2: "HT", 3: "DK"})
        table.trick("HT DJ HT DK")
        assert table.game.tricks[0].winner == winner

    def test_not_where_it_is_plain(self, forty: Any) -> None:
        table = forty("bsv")
        table.deal(4, {0: "HT", 1: "HK", 2: "HT", 3: "HK"})
        table.do("declare", seat=1, game="damensolo")
        table.trick("HT HK HT HK")
        assert table.game.tricks[0].winner == 1

    @pytest.mark.parametrize(
        ("order", "winner"), [((1, 2, 3, 4), 2), ((1, 4, 2, 3), 2), ((3, 4, 2, 1), 4), ((4, 2, 3, 1), 4)]
    )
    def test_equal_cards_by_seats(self, forty: Any, order: tuple[int, ...], winner: int) -> None:
        """5.3: the seat further forward, whatever the order of laying."""
        table = forty("bsv")
        table.deal(4, {0: "DK", 1: "CQ", 2: "DK", 3: "CQ"})
        cards = {1: "DK", 2: "CQ", 3: "DK", 4: "CQ"}
        for seat in order:
            table.card(seat, cards[seat])
        assert table.game.tricks[0].winner == winner


class TestFinding:
    @pytest.mark.parametrize(
        ("trumps", "entitled"), [("HT HT DA", True), ("HT HT DA DK", False)], ids=["three trumps", "four"]
    )
    def test_trumpfschwach(self, forty: Any, trumps: str, entitled: bool) -> None:
        """4.1: three trumps or fewer."""
        table = forty("bsv")
        hand = [*trumps.split(), *["CA", "CA", "CT", "CT", "CK", "CK", "SA", "SA", "ST", "ST"]][:10]
        table.deal(4, {0: hand})
        table.do("hand", seat=1, cards=hand)
        named = table.do("declare", seat=1, game="trumpfschwach")
        assert table.game.ended == "dealt_again" and table.round.games == ()
        assert (("not_entitled", named, "bsv 4.1") in coded(table)) is not entitled

    @pytest.mark.parametrize(("option", "dealer"), [("same", 1), ("next", 2)])
    def test_dealer_after_trumpfschwach(self, forty: Any, option: str, dealer: int) -> None:
        table = forty("bsv", trumpfschwach_dealer=option)
        table.deal(1)
        table.do("declare", seat=2, game="trumpfschwach")
        assert table.round.next_dealer == dealer and table.round.games_left == 24

    @pytest.mark.parametrize(("option", "leader"), [("forehand", 1), ("soloist", 3)])
    def test_leader_of_a_solo(self, forty: Any, option: str, leader: int) -> None:
        """5.1."""
        table = forty("bsv", leader_in_solo=option)
        table.deal(4)
        table.do("declare", seat=3, game="fleischlos")
        assert table.game.turn == leader

    @pytest.mark.parametrize(
        ("calls", "late"),
        [
            pytest.param([(1, "gesund"), (1, "vorbehalt")], [], id="before the next has spoken"),
            pytest.param([(1, "vorbehalt"), (2, "gesund"), (1, "gesund")], [2], id="after the next"),
            pytest.param([(2, "gesund")], [0], id="out of turn"),
            pytest.param([(s, "vorbehalt") for s in (1, 2, 3, 4)] + [(4, "gesund")], [], id="the last one"),
        ],
    )
    def test_order(self, forty: Any, calls: list[tuple[int, str]], late: list[int]) -> None:
        """4.1."""
        table = forty("bsv")
        table.deal(4)
        numbers = [table.do("call", seat=seat, call=call) for seat, call in calls]
        assert coded(table) == [("call_out_of_turn", numbers[n], "bsv 4.1") for n in late]

    def test_the_last_one_once_the_asking_went_on(self, forty: Any) -> None:
        """4.1: not after the asking of several Vorbehalte has gone on."""
        table = forty("bsv")
        table.deal(4)
        for seat in (1, 2, 3, 4):
            table.do("call", seat=seat, call="vorbehalt")
        table.do("declare", seat=1, game="fleischlos")
        late = table.do("call", seat=4, call="gesund")
        assert coded(table) == [("call_out_of_turn", late, "bsv 4.1")]

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
        self, forty: Any, reserved: tuple[int, ...], then: str | None, late: bool
    ) -> None:
        """4.1: position 4 takes it back until a card, an announcement, or the asking on of several."""
        table = forty("bsv")
        table.deal(4)
        for seat in (1, 2, 3, 4):
            table.do("call", seat=seat, call="vorbehalt" if seat in reserved else "gesund")
        table.do("declare", seat=reserved[0], game="damensolo")
        if then == "card":
            table.lay()
        if then == "announce":
            table.do("announce", seat=4, call="re")
        number = table.do("call", seat=4, call="gesund")
        found = [(code, event) for code, event, _ in coded(table) if code == "call_out_of_turn"]
        assert found == ([("call_out_of_turn", number)] if late else [])

    def test_no_pflichtsolo(self, forty: Any) -> None:
        table = forty("bsv")
        table.deal(4)
        table.do("declare", seat=3, game="farbsolo", suit="D", duty=True)
        table.finish()
        assert table.scored()["duty"] is False and coded(table) == []
        assert list_data(table.round)["duties_left"] == {}


class TestHochzeit:
    def test_partner(self, forty: Any) -> None:
        """4.2.1 a: the first trick of another within three."""
        table = forty("bsv")
        table.deal(4, {0: "CQ CQ HT DK", 1: "HT SQ DJ", 2: "DT DA", 3: "DK DJ"})
        table.do("declare", seat=1, game="hochzeit")
        table.trick("HT SQ DT DK")
        assert table.game.klaerung is None
        table.trick("DK HT DA DJ")
        assert table.game.klaerung.trick == 1 and table.game.ruled == {1, 2}

    def test_partner_in_the_third(self, forty: Any) -> None:
        """4.2.1 a: within the first three tricks."""
        table = forty("bsv")
        table.deal(4, {0: "CQ CQ HT HT DK", 1: "DJ DK SQ", 2: "DT DT DA", 3: "CJ SJ DA"})
        table.do("declare", seat=1, game="hochzeit")
        table.trick("HT DJ DT CJ")
        table.trick("HT DK DT SJ")
        table.trick("DK SQ DA DA")
        assert table.game.klaerung.trick == 2 and table.game.ruled == {1, 2}

    def test_alone_from_the_third(self, forty: Any) -> None:
        """4.2.1 b: scored as a solo, kind stays hochzeit."""
        table = forty("bsv")
        table.deal(4, {0: "CQ CQ HT HT SQ SQ CA CA SA SA", 1: "DJ DK DA", 2: "DT DT DK", 3: "CJ SJ HJ"})
        table.do("declare", seat=1, game="hochzeit")
        table.trick("HT DJ DT CJ")
        table.trick("HT DK DT SJ")
        table.trick("CQ DA DK HJ")
        assert table.game.klaerung.trick == 2 and table.game.ruled == {1}
        table.finish()
        row = table.scored()
        assert row["kind"] == "hochzeit" and row["re"] == [1]
        assert row["score"]["1"] == -3 * row["score"]["2"]


class TestCalls:
    @pytest.mark.parametrize(
        ("laid", "call", "side", "code"),
        [
            pytest.param(4, "re", None, None, id="6.3 with 9"),
            pytest.param(8, "re", None, ("late_announcement", "bsv 6.3"), id="6.3 with 8"),
        ],
    )
    def test_first_call(self, forty: Any, laid: int, call: str, side: Any, code: Any) -> None:
        table = forty("bsv")
        table.deal(4, re=(1, 3), seed=4)
        table.lay(laid)
        said = table.do("announce", seat=1, call=call)
        found = [(c, s) for c, e, s in coded(table) if e == said]
        assert found == ([code] if code else [])

    @pytest.mark.parametrize(("call", "tricks"), [("keine90", 2), ("keine60", 3), ("keine30", 4), ("schwarz", 5)])
    def test_limits(self, forty: Any, call: str, tricks: int) -> None:
        """6.4: 8, 7, 6, 5 cards."""
        before = ["re", "keine90", "keine60", "keine30"]
        for late in (False, True):
            table = forty("bsv")
            table.deal(4, re=(1, 3), seed=4)
            for one in before[: before.index(call) if call in before else 4]:
                table.do("announce", seat=1, call=one)
            table.lay(4 * (tricks + late))
            said = table.do("announce", seat=1, call=call)
            found = [(c, s) for c, e, s in coded(table) if e == said]
            assert found == ([("late_announcement", "bsv 6.4")] if late else [])

    @pytest.mark.parametrize(("laid", "code"), [(8, None), (12, "late_announcement")])
    def test_reply(self, forty: Any, laid: int, code: str | None) -> None:
        """6.5: one card fewer than the other side's call needed."""
        table = forty("bsv")
        table.deal(4, re=(1, 3), seed=4)
        table.do("announce", seat=1, call="re")
        table.lay(laid)
        said = table.do("announce", seat=2, call="kontra")
        assert [c for c, e, _ in coded(table) if e == said] == ([code] if code else [])

    def test_absage_after_a_reply_beyond_the_limit(self, forty: Any) -> None:
        """6.5."""
        table = forty("bsv")
        table.deal(4, re=(1, 3), seed=4)
        table.do("announce", seat=1, call="re")
        table.lay(8)
        table.do("announce", seat=2, call="kontra")
        said = table.do("announce", seat=2, call="keine90", side="kontra")
        assert ("unfounded_announcement", said, "bsv 6.5") in coded(table)

    @pytest.mark.parametrize("laid", [0, 4, 8])
    def test_leaving_out(self, forty: Any, laid: int) -> None:
        """6.5: as many as one likes while they are in time themselves."""
        table = forty("bsv")
        table.deal(4, re=(1, 3), seed=4)
        if laid == 8:
            table.do("announce", seat=1, call="re")
        table.lay(laid + 4 * (laid == 8))
        said = table.do("announce", seat=1, call="keine60")
        assert [c for c, e, _ in coded(table) if e == said] == (["skipped_step"] if laid == 8 else [])

    @pytest.mark.parametrize("clear", [False, True])
    def test_repetition(self, forty: Any, clear: bool) -> None:
        """6.5: another's call again is an offence and no step; one's own is a hint."""
        table = forty("bsv")
        table.deal(4, re=(1, 3), seed=4)
        if clear:
            table.do("declare", seat=1, game="farbsolo", suit="D")
        table.do("announce", seat=2, call="kontra")
        table.do("announce", seat=2, call="kontra")
        said = table.do("announce", seat=4, call="kontra")
        assert coded(table) == [("repeated_announcement", said, "bsv 6.5")]
        assert table.game.judged()[1].level == {"re": 0, "kontra": 1}

    @pytest.mark.parametrize("tricks", [0, 1, 2])
    def test_hochzeit_shifts(self, forty: Any, tricks: int) -> None:
        """6.5, 4.2.1: by the tricks before the Klärungsstich; never before its end."""
        table = forty("bsv")
        table.deal(4, {0: "CQ CQ HT HT DK DK", 1: "SQ SQ DJ DJ", 2: "DT DT DA DA", 3: "CJ CJ SJ SJ"})
        table.do("declare", seat=1, game="hochzeit")
        for played in range(tricks):
            table.trick(["HT DJ DT CJ", "HT DJ DT CJ"][played])
        early = table.do("announce", seat=1, call="re")
        table.trick("DK SQ DA SJ")
        said = table.do("announce", seat=3, call="kontra", together=False)
        table.lay(3 if table.game.turn != 3 else 4)
        assert ("early_announcement", early, "bsv 6.3") in coded(table)
        assert not [c for c, e, _ in coded(table) if e == said]


class TestPflichtansage:
    HANDS: ClassVar = {0: "CA DK", 1: "CT DJ", 2: "CT DT", 3: "CA DA"}  # CA CT CT CA: 42

    def test_missed_with_the_card_below_nine(self, forty: Any) -> None:
        """6.3.1."""
        table = forty("bsv")
        table.deal(4, self.HANDS)
        table.trick("CA CT CT CA")
        card = table.card(1, table.hands[1][0])
        table.finish()
        assert ("missed_duty", card, "bsv 6.3.1") in coded(table)

    @pytest.mark.parametrize("cards", ["CA CK CT CK", "CA CT CT CA"], ids=["29 Augen", "42"])
    def test_thirty(self, forty: Any, cards: str) -> None:
        table = forty("bsv")
        table.deal(4, {place: f"{card} DK" if place < 2 else card for place, card in enumerate(cards.split())})
        table.trick(cards)
        table.finish()
        assert ("missed_duty" in [c for c, _, _ in coded(table)]) is (cards == "CA CT CT CA")

    @pytest.mark.parametrize(("option", "missed"), [(True, False), (False, True)])
    def test_falls_away(self, forty: Any, option: bool, missed: bool) -> None:
        """D: with any earlier call of the owner's side."""
        table = forty("bsv", duty_call_falls_away=option)
        table.deal(4, {0: "CA CQ DK", 1: "CT DJ", 2: "CT DT CQ", 3: "CA DA"})
        table.do("announce", seat=3, call="re")
        table.trick("CA CT CT CA")
        table.finish()
        assert ("missed_duty" in [c for c, _, _ in coded(table)]) is missed

    def test_not_certain_as_long_as_the_sides_are_not(self, forty: Any) -> None:
        """Kontra has spoken, the owner may belong to it: missed once his CQ is seen (docs/protocol.md, Proof)."""
        table = forty("bsv")
        table.deal(4, {0: "CA CQ DK", 1: "CT DJ", 2: "CT DT CQ", 3: "CA DA"})
        table.do("announce", seat=2, call="kontra")
        table.trick("CA CT CT CA")
        card = table.card(1, "DK")
        table.trick("DJ DT DA")
        assert "missed_duty" not in [c for c, _, _ in coded(table)]
        table.card(table.game.turn, table.hands[table.game.turn][-1])
        while table.game.turn != 1:
            table.lay()
        table.card(1, "CQ")
        assert ("missed_duty", card, "bsv 6.3.1") in coded(table)

    @pytest.mark.parametrize(("option", "missed"), [("limit", False), ("next_card", True)])
    def test_until(self, forty: Any, option: str, missed: bool) -> None:
        table = forty("bsv", duty_call_until=option)
        table.deal(4, {0: "CA CQ DK", 1: "CT DJ", 2: "CT DT CQ", 3: "CA DA"})
        table.trick("CA CT CT CA")
        table.card(3, "DT")  # out of turn, not the owner's
        table.do("announce", seat=1, call="re")
        table.finish()
        assert ("missed_duty" in [c for c, _, _ in coded(table)]) is missed

    @pytest.mark.parametrize(("option", "owner"), [("klaerungsstich", 2), ("first_trick", 1), ("none", None)])
    def test_in_a_hochzeit(self, forty: Any, option: str, owner: int | None) -> None:
        table = forty("bsv", duty_call_in_hochzeit=option)
        table.deal(4, {0: "CQ CQ HT DK", 1: "DA HT", 2: "DT DT", 3: "SJ DA"})
        table.do("declare", seat=1, game="hochzeit")
        table.trick("HT DA DT SJ")  # 33
        table.trick("DK HT DT DA")  # 35
        table.finish()
        found = [o.seat for o in table.game.offences if o.code == "missed_duty"]
        assert found == ([owner] if owner else [])


class TestDutyToAnnounce:
    @pytest.mark.parametrize(("option", "left", "counted"), [("next_card", 0, "table"), ("limit", 0, "hand")])
    def test_what_is_left(self, forty: Any, option: str, left: int, counted: str) -> None:
        """6.3.1: with nine cards in hand the owner's next card is too late; D: anybody's."""
        table = forty("bsv", duty_call_until=option)
        table.deal(4, TestPflichtansage.HANDS)
        table.trick("CA CT CT CA")
        duty = BSV.must_announce
        assert duty is not None
        assert duty.owed(table.game) == Owed(seat=1, trick=0, left=left, counted=counted)

    def test_a_lower_limit_leaves_more(self, forty: Any) -> None:
        """D: the limit of Re and Kontra is the duty's, too."""
        table = forty("bsv", limit_ansage=8)
        table.deal(4, TestPflichtansage.HANDS)
        table.trick("CA CT CT CA")
        duty = BSV.must_announce
        assert duty is not None and duty.owed(table.game) == Owed(seat=1, trick=0, left=1, counted="hand")
        table.card(1, table.hands[1][0])
        assert table.game.lapsed is None
        while table.game.lapsed is None:
            table.lay()
        assert table.game.lapsed.event == table.round.events - 1
        assert table.game.hand_sizes[1] == 7  # his card took the hand below the limit

    @pytest.mark.parametrize(("option", "trick", "owner"), [("klaerungsstich", 1, 2), ("first_trick", 0, 1)])
    def test_in_a_hochzeit_the_limit_moves(self, forty: Any, option: str, trick: int, owner: int) -> None:
        """6.5: by the one trick before the Klärungsstich."""
        table = forty("bsv", duty_call_in_hochzeit=option)
        table.deal(4, {0: "CQ CQ HT DK", 1: "DA HT", 2: "DT DT", 3: "SJ DA"})
        table.do("declare", seat=1, game="hochzeit")
        table.trick("HT DA DT SJ")
        table.trick("DK HT DT DA")
        duty = BSV.must_announce
        assert duty is not None and duty.owed(table.game) == Owed(seat=owner, trick=trick, left=0, counted="hand")


def test_cards_lie_face_up(forty: Any) -> None:
    """5.2."""
    table = forty("bsv")
    table.deal(4)
    number = table.card(1, table.hands[1][0], down=True)
    assert ("not_entitled", number, "bsv 5.2") in coded(table)


class TestWhoMayClaim:
    """9.6: who plays on has lost the right: by an answer, a card or a call after the breach became certain."""

    def test_while_vorbehalte_are_asked(self, forty: Any) -> None:
        table = forty("bsv")
        table.deal(4)
        table.do("call", seat=1, call="gesund")
        table.do("call", seat=3, call="gesund")
        (offence,) = table.game.offences
        assert claimants(table.game, offence) == (1, 2, 4)
        table.do("call", seat=2, call="gesund")
        assert claimants(table.game, offence) == (1, 4)

    def test_naming_a_game_is_playing_on(self, forty: Any) -> None:
        """9.6: Taufen eines Vorbehaltes."""
        table = forty("bsv")
        table.deal(4)
        table.do("call", seat=1, call="vorbehalt")
        table.do("call", seat=3, call="gesund")
        (offence,) = table.game.offences
        assert claimants(table.game, offence) == (1, 2, 4)
        table.do("declare", seat=1, game="damensolo")
        assert claimants(table.game, offence) == ()  # it makes the sides clear, and only he is on the other one

    def test_by_cards_and_calls(self, forty: Any) -> None:
        table = forty("bsv")
        table.deal(4, {0: "CQ HT", 2: "CQ"})
        table.do("announce", seat=2, call="re")
        table.card(1, "CQ")
        table.lay()
        table.card(3, "CQ")
        offence = next(one for one in table.game.offences if one.code == "wrong_side")
        assert offence.proved == table.round.events - 1
        assert claimants(table.game, offence) == (1, 3)  # who laid the card that proves it has not played on
        table.lay()
        assert claimants(table.game, offence) == (1, 3)
        table.do("announce", seat=3, call="re")
        assert claimants(table.game, offence) == (1,)
        table.card(1, "HT")
        assert claimants(table.game, offence) == ()
