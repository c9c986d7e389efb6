"""bsv at the table: finding the game, Hochzeit, calls, duties, rulings, the round, the list."""

from typing import Any, ClassVar

import pytest

from kiosk.errors import BadEvent
from kiosk.rules.books import BSV
from kiosk.rules.rights import claimants
from kiosk.rules.values import Owed
from kiosk.table.spielliste import list_data, text


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
        """Kontra has spoken and the owner may belong to it: missed only once his CQ is seen (PROTOCOL, Proof)."""
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


class TestRulings:
    @pytest.mark.parametrize(
        ("harms", "score"),
        [(False, {1: -14, 2: 2, 3: 6, 4: 6}), (True, {1: -12, 2: 2, 3: 5, 4: 5})],
        ids=["as eppstein 8.4.2", "7.3 (+3, 0, 0, -3)"],
    )
    def test_minor(self, forty: Any, harms: bool, score: dict[int, int]) -> None:
        """Upon a solo lost schwarz: -15, 5, 5, 5."""
        table = forty("bsv")
        table.deal(4)
        table.do("declare", seat=1, game="fleischlos")
        table.do("rule", offender=2, harms_soloist=harms, **{"class": "minor"})
        table.do("claim", seat=1, kind="concede")
        assert table.game.result.score == score

    def test_serious_needs_the_referees_points(self, forty: Any) -> None:
        """7.3; RULES, Rulings."""
        table = forty("bsv")
        table.deal(4)
        with pytest.raises(
            BadEvent, match=r"'serious_penalty' leaves these Strafpunkte to the referee; .* needs scores"
        ):
            table.do("rule", offender=2, **{"class": "serious"})
        table.do("rule", offender=2, scores={"2": -15, "1": 5, "3": 5, "4": 5}, **{"class": "serious"})
        assert table.round.totals == {1: 5, 2: -15, 3: 5, 4: 5}
        assert (table.round.games_left == 24 and table.round.next_dealer == 4) or table.round.next_dealer == 1

    @pytest.mark.parametrize("points", [15, 21])
    def test_serious_presets(self, forty: Any, points: int) -> None:
        """7.3: (+15, 0, 0, -15) or (+21, 0, 0, -21)."""
        table = forty("bsv", serious_penalty=points)
        table.deal(4)
        table.do("rule", offender=2, **{"class": "serious"})
        assert table.game.result.score == {2: -points, 1: points // 3, 3: points // 3, 4: points // 3}
        assert not table.game.result.counted
        table.deal()
        table.do("declare", seat=3, game="fleischlos")
        table.do("rule", offender=2, **{"class": "serious"})
        assert table.game.result.score == {1: 0, 2: -points, 3: points, 4: 0}
        assert table.game.result.counted

    @pytest.mark.parametrize("calls", [[], [(1, "re"), (1, "keine60")]])
    def test_absagen_add_nothing(self, forty: Any, calls: list[tuple[int, str]]) -> None:
        """7.3: 15 or 21, whatever was announced."""
        table = forty("bsv", serious_penalty=15)
        table.deal(4)
        table.do("declare", seat=1, game="fleischlos")
        for seat, call in calls:
            table.do("announce", seat=seat, call=call)
        table.do("rule", offender=2, **{"class": "serious"})
        assert table.game.result.score == {1: 15, 2: -15, 3: 0, 4: 0}

    @pytest.mark.parametrize(("place", "first"), [(0, 0), (3, 0), (4, 1), (5, 1), (7, 1), (8, 2), (9, 2)])
    def test_from_which_trick_on(self, forty: Any, place: int, first: int) -> None:
        """9.4: the trick of the breach and all later ones, also the open one and those not played."""
        table = forty("bsv")
        table.deal(4)
        table.do("declare", seat=1, game="farbsolo", suit="D")
        start = table.round.events
        table.lay(10)
        kept = [trick for trick in table.game.tricks[:first] if trick.winner == 1]
        table.do("rule", offender=1, breach=start + place, **{"class": "decided"})
        assert table.game.result.points["re"] == sum(trick.points for trick in kept)

    def test_after_the_last_card_a_breach_without_its_trick_takes_nothing(self, forty: Any) -> None:
        """9.4: there is no rest, so that who has no trick stays without one."""
        table = forty("bsv")
        table.deal(4)
        table.do("declare", seat=1, game="fleischlos")
        table.hands = {}
        for rank in "ATKQJ":
            for _ in (1, 2):
                for suit in "CSHD":
                    table.card(table.game.turn, suit + rank)
        value = list(table.game.result.value)
        assert "schwarz" in [item.name for item in value]
        table.do("rule", offender=1, **{"class": "decided"})
        assert list(table.game.result.value) == value

    def test_who_gave_the_rest_away_claims_nothing(self, forty: Any) -> None:
        """5.4."""
        table = forty("bsv")
        table.deal(4)
        table.do("declare", seat=1, game="farbsolo", suit="D")
        table.do("announce", seat=3, call="re")
        (offence,) = table.game.offences
        assert claimants(table.game, offence) == (1,)
        table.do("claim", seat=1, kind="concede")
        assert claimants(table.game, offence) == ()

    def test_points_of_the_schiedsgericht_beside_a_minor_breach(self, forty: Any) -> None:
        """9.4: they replace the game's own, of whoever sits at the table; another penalty is added."""
        table = forty("bsv", players=5)
        table.deal(1)
        table.do("declare", seat=2, game="fleischlos")
        table.do("rule", offender=3, scores={"1": -1, "2": 6, "3": -2, "4": -2, "5": -2}, **{"class": "decided"})
        assert table.game.result.score == {1: -1, 2: 6, 3: -2, 4: -2, 5: -2}
        table.do("rule", offender=4, **{"class": "minor"})
        assert table.game.result.score == {1: -1, 2: 7, 3: -1, 4: -5, 5: -1}
        assert table.game.result.won == {2}

    def test_decided(self, forty: Any) -> None:
        """9.4: every trick from that of the breach on falls to the other side, without a penalty."""
        table = forty("bsv")
        table.deal(4, re=(1, 3), seed=4)
        for seat in (1, 2, 3, 4):
            table.do("hand", seat=seat, cards=table.hands[seat])
        table.lay(12)
        first = table.game.tricks[0]
        breach = table.game.tricks[1].cards[2].event
        table.do("rule", offender=2, breach=breach, **{"class": "decided"})
        result = table.game.result
        re = first.points if first.winner in (1, 3) else 0
        assert result.points == {"re": 240 - (first.points - re), "kontra": first.points - re}
        assert not result.void and sum(result.score.values()) == 0

    @pytest.mark.parametrize("kind", ["rest", "concede"])
    def test_shortening(self, forty: Any, kind: str) -> None:
        """5.4: a soloist may only give the rest away."""
        table = forty("bsv")
        table.deal(4)
        table.do("declare", seat=1, game="fleischlos")
        if kind == "rest":
            with pytest.raises(BadEvent, match="may not claim"):
                table.do("claim", seat=1, kind=kind)
            return
        table.do("claim", seat=1, kind=kind)
        assert table.game.result.points == {"re": 0, "kontra": 240}
        said = table.do("announce", seat=2, call="kontra")
        assert not [o for o in table.game.offences if o.event == said]
        with pytest.raises(BadEvent):
            table.do("announce", seat=1, call="re")

    def test_claimants(self, forty: Any) -> None:
        """9.6: with the partnership clear only the other side; nobody who has played on."""
        table = forty("bsv")
        table.deal(4)
        table.do("declare", seat=1, game="fleischlos")
        table.card(2, table.hands[2][0])
        wrong = table.game.offences[0]
        assert wrong.code == "out_of_turn" and claimants(table.game, wrong) == (1,)
        table.card(1, table.hands[1][0])
        assert claimants(table.game, wrong) == ()


class TestRound:
    def test_dealers_and_time(self, forty: Any) -> None:
        """3.3, 8.5: outstanding games are struck at time-up."""
        table = forty("bsv")
        for dealer in (1, 2, 3, 4, 1):
            table.deal()
            assert table.game.dealer == dealer
            table.finish()
        assert table.round.games_left == 19
        table.deal()
        table.do("time_up")
        table.finish()
        assert table.round.over

    def test_five(self, forty: Any) -> None:
        """10.1: the dealer sits and scores nothing."""
        table = forty("bsv", players=5)
        table.deal()
        assert table.game.seats == (2, 3, 4, 5)
        table.finish()
        row = table.scored()
        assert row["score"]["1"] == 0 and table.round.games_left == 29


class TestList:
    def test_checks(self, forty: Any) -> None:
        """7.3: row sums, even-odd, winners."""
        table = forty("bsv")
        for _ in range(3):
            table.deal()
            table.finish()
        data = list_data(table.round)
        assert [check["ok"] for check in data["checks"]] == [True] * 3
        for row, seats in zip(data["rows"], data["winners"], strict=True):
            assert seats == [int(seat) for seat, points in row["score"].items() if points > 0]
        assert data["scorer"] == 4 and "Gewinner" in text(table.round)

    @pytest.mark.parametrize("played", [False, True])
    def test_even_odd_excuses_a_penalty_to_the_soloist(self, forty: Any, played: bool) -> None:
        """7.3 point 2: (+3, 0, 0, -3), alone or upon the solo's points."""
        table = forty("bsv")
        table.deal(4)
        table.do("declare", seat=1, game="fleischlos")
        if played:
            table.do("rule", offender=2, harms_soloist=True, **{"class": "minor"})
            table.finish()
        else:
            table.do("rule", scores={"1": 15, "2": -15}, offender=2, **{"class": "serious"})
        check = list_data(table.round)["checks"][1]
        assert check == {"check": "even_odd", "section": "bsv 7.3", "ok": True, "games": [], "excused": [1]}

    def test_what_the_checks_find(self, forty: Any) -> None:
        table = forty("bsv")
        table.deal(4)
        table.do("rule", scores={"1": -2, "2": 1}, **{"class": "custom"})
        data = list_data(table.round)["checks"]
        assert [(check["ok"], check["games"]) for check in data] == [(False, [1]), (False, [1]), (True, [])]

    def test_even_odd_at_a_table_of_five(self, forty: Any) -> None:
        """10.1."""
        table = forty("bsv", players=5)
        table.deal()
        table.finish()
        assert list_data(table.round)["checks"][1]["section"] == "bsv 10.1"
        assert list_data(table.round)["checks"][1]["ok"]
