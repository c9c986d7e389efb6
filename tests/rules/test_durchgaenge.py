"""durchgaenge at the table: Hochzeit, cards face down, two windows, the duty to announce, 7a and 7b."""

from typing import Any

import pytest

from kiosk.errors import BadEvent
from kiosk.rules.books import DURCHGAENGE
from kiosk.rules.engine.rights import claimants
from kiosk.rules.engine.values import Owed
from kiosk.table.scoresheet.spielliste import list_data
from kiosk.table.view.offers import games


def coded(table: Any) -> list[tuple[str, int, str]]:
    return [(offence.code, offence.event, offence.section) for offence in table.game.offences]


def codes(table: Any) -> list[str]:
    return [offence.code for offence in table.game.offences]


def test_frame() -> None:
    """1a to 1c."""
    given = DURCHGAENGE.settle({})
    assert len(DURCHGAENGE.deck) == 40 and DURCHGAENGE.packets(given) == (5, 5)
    assert DURCHGAENGE.tables == (4,) and DURCHGAENGE.games(4, given) == 12 and DURCHGAENGE.rounds(given) == 3


@pytest.mark.parametrize(("scorer", "dealer"), [(4, 1), (1, 2), (2, 3), (3, 4)])
def test_first_dealer_is_the_scorers_left_neighbour(forty: Any, scorer: int, dealer: int) -> None:
    """1b; D the scorer is seat 4."""
    table = forty("durchgaenge", scorer=scorer)
    assert table.round.next_dealer == dealer and list_data(table.round)["scorer"] == scorer


def test_four_at_the_table(forty: Any) -> None:
    with pytest.raises(BadEvent, match="not 5"):
        forty("durchgaenge", players=5)


def test_forehand_leads_in_a_solo_too(forty: Any) -> None:
    """1d."""
    table = forty("durchgaenge")
    table.deal(4)
    table.do("declare", seat=3, game="damensolo")
    assert table.game.turn == 1


@pytest.mark.parametrize(("option", "winner"), [("never", 1), ("highest_trump", 3), ("any_trump", 3)])
def test_second_herz_10(forty: Any, option: str, winner: int) -> None:
    table = forty("durchgaenge", second_ht=option)
    table.deal(4, {0: "HT", 1: "DJ", 2: "HT", 3: "DK"})
    table.trick("HT DJ HT DK")
    assert table.game.tricks[0].winner == winner


class TestHochzeit:
    def test_first_plain_trick_of_another(self, forty: Any) -> None:
        """4a: trump tricks settle nothing, nor his own aces."""
        table = forty("durchgaenge")
        table.deal(4, {0: "CQ CQ HT CA SK", 1: "DK CT SA", 2: "DT CK SK", 3: "DA CK ST"})
        table.do("declare", seat=1, game="hochzeit")
        table.trick("HT DK DT DA")
        table.trick("CA CT CK CK")
        assert table.game.klaerung is None
        table.trick("SK SA SK ST")
        assert table.game.klaerung.trick == 2 and table.game.ruled == {1, 2}

    def test_a_trump_trick_with_plain_cards(self, forty: Any) -> None:
        """4a: it goes by the card led."""
        table = forty("durchgaenge")
        table.deal(4, {0: "DK", 1: "SA CA CA CT CT CK CK ST ST SK", 2: "DT", 3: "CQ CQ DA"})
        table.do("declare", seat=4, game="hochzeit")
        table.trick("DK SA DT DA")
        assert table.game.klaerung is None

    @pytest.mark.parametrize(("last", "partner"), [("SK", None), ("DJ", 4)], ids=["he wins it", "overtrumped"])
    def test_with_a_trump(self, forty: Any, last: str, partner: int | None) -> None:
        """4a: who trumps a plain trick before is alone; overtrumped, the other is his partner."""
        table = forty("durchgaenge")
        table.deal(1, {0: "SA", 1: "SK", 2: f"{last} DT", 3: "CQ CQ DK CA"})
        seat = table.game.seats[3]
        table.do("declare", seat=seat, game="hochzeit")
        for laid_by, card in zip(table.game.seats, ["SA", "SK", None, "DK"], strict=True):
            if card:
                table.card(laid_by, card)
        table.card(table.game.seats[2], last)
        alone = partner is None
        assert (table.game.klaerung.partner is None) is alone
        assert table.game.ruled == ({seat} if alone else {seat, table.game.seats[2]})

    def test_never_settled(self, forty: Any) -> None:
        """docs/rules.md, Fine points: he was alone, and there was no Klärungsstich: every call was early."""
        table = forty("durchgaenge")
        trumps = "CQ CQ HT HT SQ SQ HQ HQ DQ DQ"
        table.deal(4, {0: trumps})
        table.do("declare", seat=1, game="hochzeit")
        table.lay(20)
        said = table.do("announce", seat=1, call="re")
        table.finish()
        row = table.scored()
        assert row["kind"] == "hochzeit" and row["re"] == [1]
        assert ("early_announcement", said, "durchgaenge 2c") in coded(table)

    def test_unannounced_it_is_a_solo(self, forty: Any) -> None:
        """4a."""
        table = forty("durchgaenge")
        table.deal(4, {0: "CQ CQ"})
        table.finish()
        assert table.scored()["kind"] == "still"


class TestFaceDown:
    def test_may(self, forty: Any) -> None:
        """4b: the card wins nothing, the Klärungsstich is found."""
        table = forty("durchgaenge")
        table.deal(4, {3: "CQ CQ HT HT SQ SQ HQ HQ DQ DQ", 0: "SA", 1: "SK", 2: "ST"})
        table.do("declare", seat=4, game="hochzeit")
        table.trick("SA SK ST")
        table.card(4, "HT", down=True)
        assert table.game.klaerung.partner == 1 and table.game.tricks[0].points == 11 + 4 + 10 + 10
        table.finish()
        assert not {"not_entitled", "revoke"} & set(codes(table))

    @pytest.mark.parametrize(
        ("hand", "card"),
        [
            pytest.param("CQ CQ DA HT", "DA", id="no Fuchs"),
            pytest.param("CQ CQ HT CK", "CK", id="plain card"),
        ],
    )
    def test_may_not_at_once(self, forty: Any, hand: str, card: str) -> None:
        table = forty("durchgaenge")
        table.deal(4, {3: hand, 0: "SA", 1: "SK", 2: "ST"})
        table.do("declare", seat=4, game="hochzeit")
        table.trick("SA SK ST")
        laid = table.card(4, card, down=True)
        assert ("not_entitled", laid, "durchgaenge 4b") in coded(table)

    def test_taken_back_it_needs_no_right(self, forty: Any) -> None:
        """7a: put right while the trick lies open."""
        table = forty("durchgaenge")
        table.deal(4, {3: "CQ CQ HT CK DK DK HT SQ SQ HQ", 0: "SA DA", 1: "SK DT", 2: "ST DT"})
        table.do("declare", seat=4, game="hochzeit")
        table.trick("SA SK ST")
        table.card(4, "HT", down=True)
        table.do("retract", seat=4, card="HT")
        table.card(4, "CK")
        assert "not_entitled" not in codes(table)

    def test_a_trick_that_another_has_trumped(self, forty: Any) -> None:
        """4b: a plain trick is one that a plain card leads."""
        table = forty("durchgaenge")
        table.deal(4, {2: "CQ CQ HT HT SQ SQ HQ HQ DQ DQ", 0: "SA", 1: "DK CA CA CT CT CK CK HA HA HK"})
        table.do("declare", seat=3, game="hochzeit")
        table.trick("SA DK")
        table.card(3, "HT", down=True)
        assert "not_entitled" not in codes(table)

    def test_nobody_else(self, forty: Any) -> None:
        table = forty("durchgaenge")
        table.deal(4, {0: "SA", 1: "SK"})
        table.card(1, "SA")
        laid = table.card(2, "SK", down=True)
        assert ("not_entitled", laid, "durchgaenge 4b") in coded(table)

    def test_with_a_plain_card_in_hand_is_proved_later(self, forty: Any) -> None:
        """docs/protocol.md: not_entitled at the first event at which no placing allows it."""
        table = forty("durchgaenge")
        table.deal(4, {3: "CQ CQ HT CK DK DK HT SQ SQ HQ", 0: "SA DA", 1: "SK DT", 2: "ST DT"})
        table.do("declare", seat=4, game="hochzeit")
        table.trick("SA SK ST")
        down = table.card(4, "HT", down=True)
        table.trick("DA DT DT")
        table.card(4, "DK")
        assert codes(table) == ["missed_duty"]  # of the winner of the Klärungsstich
        table.do("announce", seat=4, call="kontra")
        assert "wrong_side" in codes(table)  # something else is proved, this stays open
        shown = table.card(4, "CK")
        assert ("not_entitled", down, shown) in table.codes()


class TestCalls:
    @pytest.mark.parametrize(
        ("laid", "code"),
        [
            (0, None),
            (1, "early_announcement"),
            (3, "early_announcement"),
            (4, None),
            (5, "late_announcement"),
        ],
    )
    @pytest.mark.parametrize("call", ["re", "keine90", "keine30"])
    def test_windows(self, forty: Any, laid: int, code: str | None, call: str) -> None:
        """2c, 2d."""
        table = forty("durchgaenge")
        table.deal(4, re=(1, 3), seed=4)
        table.lay(laid)
        said = table.do("announce", seat=1, call=call, side=None if call == "re" else "re")
        section = "durchgaenge 2c" if code == "early_announcement" else "durchgaenge 2d"
        assert [(c, s) for c, e, s in coded(table) if e == said] == ([(code, section)] if code else [])

    @pytest.mark.parametrize(("late", "code"), [(False, None), (True, "late_announcement")])
    def test_after_the_klaerungsstich(self, forty: Any, late: bool, code: str | None) -> None:
        """4b: the Klärungsstich counts as the first trick."""
        table = forty("durchgaenge")
        table.deal(4, {0: "CQ CQ HT SK", 1: "DK SA", 2: "DT SK", 3: "DA ST"})
        table.do("declare", seat=1, game="hochzeit")
        early = table.do("announce", seat=1, call="re")
        table.trick("HT DK DT DA")
        table.trick("SK SA SK ST")
        table.lay(int(late))
        said = table.do("announce", seat=2, call="keine90")
        assert ("early_announcement", early, "durchgaenge 2c") in coded(table)
        assert [c for c, e, _ in coded(table) if e == said] == ([code] if code else [])

    @pytest.mark.parametrize(("option", "code"), [(True, None), (False, "skipped_step")])
    def test_leaving_out(self, forty: Any, option: bool, code: str | None) -> None:
        table = forty("durchgaenge", leaving_out_steps=option)
        table.deal(4, re=(1, 3))
        table.do("announce", seat=1, call="re")
        said = table.do("announce", seat=1, call="keine60")
        assert [c for c, e, _ in coded(table) if e == said] == ([code] if code else [])

    def test_repeating_is_nothing(self, forty: Any) -> None:
        table = forty("durchgaenge")
        table.deal(4, re=(1, 3))
        table.do("announce", seat=1, call="re")
        table.do("announce", seat=3, call="re")
        assert codes(table) == [] and table.game.judged()[1].level["re"] == 1

    def test_a_raised_solo(self, forty: Any) -> None:
        """5b; docs/rules.md, Fine points: with all lower steps, as announced before the first card."""
        table = forty("durchgaenge")
        table.deal(4)
        table.do("declare", seat=1, game="trumpfsolo", **{"raise": ["keine90"]})
        table.do("declare", seat=2, game="damensolo", **{"raise": ["keine60"]})
        assert table.game.judged()[1].level == {"re": 3, "kontra": 0}
        assert {said.seat for said in table.game.said} == {2} and codes(table) == []

    def test_what_outbids(self, forty: Any) -> None:
        """5a, 5b: a higher solo as it is, any other by the next step."""
        table = forty("durchgaenge")
        table.deal(4)
        for seat in (1, 2, 3, 4):
            table.do("call", seat=seat, call="vorbehalt" if seat < 3 else "gesund")
        table.do("declare", seat=1, game="damensolo")
        assert games(table.game, 2) == (
            {"game": "trumpfsolo"},
            {"game": "damensolo", "raise": ["re"]},
            {"game": "bubensolo", "raise": ["re"]},
        )
        table.do("declare", seat=2, **games(table.game, 2)[1])
        assert games(table.game, 1)[0] == {"game": "trumpfsolo", "raise": ["re"]}
        assert games(table.game, 1)[2] == {"game": "bubensolo", "raise": ["keine90"]}
        assert table.game.judged()[1].level["re"] == 1

    @pytest.mark.parametrize("raised", [["bock"], ["kontra"], ["keine90", "x"]])
    def test_what_raises_nothing(self, forty: Any, raised: list[str]) -> None:
        table = forty("durchgaenge")
        table.deal(4)
        with pytest.raises(BadEvent, match="cannot be raised"):
            table.do("declare", seat=1, game="trumpfsolo", **{"raise": raised})


class TestDuty:
    """2c: the winner of the first trick announces, and goes a step on if his side has."""

    @pytest.mark.parametrize(
        ("before", "after", "missed"),
        [
            pytest.param([], [], True, id="nothing said"),
            pytest.param([], [(1, "re")], False, id="said"),
            pytest.param([], [(3, "re")], True, id="by his partner"),
            pytest.param([(1, "re")], [], True, id="his side had spoken"),
            pytest.param([(3, "re")], [(1, "re")], True, id="the same again"),
            pytest.param([(3, "re")], [(1, "keine90")], False, id="a step on"),
            pytest.param([(2, "kontra")], [(1, "re")], False, id="only the other side had"),
            pytest.param([(3, "re"), (3, "schwarz")], [], False, id="none after schwarz"),
        ],
    )
    def test_duty(self, forty: Any, before: Any, after: Any, missed: bool) -> None:
        for solo in (False, True):
            if solo and any(seat == 3 for seat, _ in before + after):
                continue  # nobody is on the soloist's side
            table = forty("durchgaenge")
            table.deal(4, {0: "HT CQ", 1: "DK", 2: "CQ DT", 3: "DJ"})
            if solo:
                table.do("declare", seat=1, game="trumpfsolo")
            for seat, call in before:
                table.do("announce", seat=seat, call=call)
            table.trick("HT DK DT DJ")
            for seat, call in after:
                table.do("announce", seat=seat, call=call)
            card = table.card(1, table.hands[1][0])
            table.finish()
            found = [(o.event, o.seat, o.section) for o in table.game.offences if o.code == "missed_duty"]
            assert found == ([(card, 1, "durchgaenge 2c")] if missed else [])

    def owed(self, table: Any) -> Any:
        duty = DURCHGAENGE.must_announce
        assert duty is not None
        return duty.owed(table.game)

    @pytest.mark.parametrize(
        ("options", "left"),
        [({}, 0), ({"all_until": 6}, 1), ({"all_until": 8}, 3), ({"until_card": "lies"}, 1)],
        ids=["2d the 5th card", "D the 6th", "D the 8th", "D while it lies"],
    )
    def test_how_long(self, forty: Any, options: dict[str, Any], left: int) -> None:
        """2c, 2d."""
        table = forty("durchgaenge", **options)
        table.deal(4, {0: "HT CQ", 1: "DK", 2: "CQ DT", 3: "DJ"})
        assert self.owed(table) is None
        table.trick("HT DK DT DJ")
        assert self.owed(table) == Owed(seat=1, trick=0, left=left, counted="table")
        for _ in range(left):
            assert table.game.lapsed is None
            table.lay()
        assert table.game.lapsed is None
        table.lay()
        assert table.game.lapsed.event == table.round.events - 1

    def test_in_a_hochzeit(self, forty: Any) -> None:
        """4b: of the Klärungsstich; what was said before it was too early and is no step that he makes now."""
        table = forty("durchgaenge")
        table.deal(4, {0: "CQ CQ HT SK", 1: "DK SA", 2: "DT SK", 3: "DA ST"})
        table.do("declare", seat=1, game="hochzeit")
        table.trick("HT DK DT DA")
        assert self.owed(table) is None
        table.do("announce", seat=2, call="re")
        table.trick("SK SA SK ST")
        assert self.owed(table) == Owed(seat=2, trick=1, left=0, counted="table")
        card = table.card(2, table.hands[2][0])
        assert ("missed_duty", card, "durchgaenge 2c") in coded(table)


class TestTakingBack:
    def test_any_card_of_the_open_trick(self, forty: Any) -> None:
        """7a: while the trick lies open; a full one until the next card."""
        table = forty("durchgaenge")
        table.deal(4, {0: "CA", 1: "DK CT", 2: "CK", 3: "CK"})
        table.trick("CA DK CK CK")
        table.do("retract", seat=2, card="DK")
        assert table.game.tricks == () and table.game.turn == 2
        table.card(2, "CT")
        assert table.game.tricks[0].winner == 1 and "revoke" not in codes(table)

    def test_the_led_card_only_alone(self, forty: Any) -> None:
        table = forty("durchgaenge")
        table.deal(4, {0: "CA", 1: "CT"})
        table.card(1, "CA")
        table.do("retract", seat=1, card="CA")
        table.card(1, "CA")
        table.card(2, "CT")
        with pytest.raises(BadEvent, match="cannot be taken back"):
            table.do("retract", seat=1, card="CA")

    def test_not_after_the_next_card(self, forty: Any) -> None:
        table = forty("durchgaenge")
        table.deal(4, {0: "CA SA", 1: "CT", 2: "CK", 3: "CK"})
        table.trick("CA CT CK CK SA")
        with pytest.raises(BadEvent, match="cannot be taken back"):
            table.do("retract", seat=2, card="CT")


class TestRulings:
    @pytest.mark.parametrize(
        ("offender", "score"),
        [
            pytest.param(2, {1: 24, 2: -24, 3: 0, 4: 0}, id="7b the soloist's opponent"),
            pytest.param(1, {1: -24, 2: 8, 3: 8, 4: 8}, id="7a the soloist"),
        ],
    )
    def test_solo(self, forty: Any, offender: int, score: dict[int, int]) -> None:
        table = forty("durchgaenge")
        table.deal(4)
        table.do("declare", seat=1, game="damensolo")
        table.do("rule", offender=offender, **{"class": "serious"})
        assert table.game.result.score == score and table.game.result.counted

    def test_absagen_add_nothing(self, forty: Any) -> None:
        """7a: 3 times 8."""
        table = forty("durchgaenge")
        table.deal()
        table.do("declare", seat=1, game="damensolo", **{"raise": ["keine60"]})
        table.do("rule", offender=2, **{"class": "serious"})
        assert table.game.result.score == {1: 24, 2: -24, 3: 0, 4: 0}

    def test_normal(self, forty: Any) -> None:
        """7a; it counts as played."""
        table = forty("durchgaenge")
        table.deal()
        table.do("rule", offender=2, **{"class": "serious"})
        assert table.round.totals == {1: 8, 2: -24, 3: 8, 4: 8}
        assert table.round.games_left == 11 and table.round.next_dealer == 2

    def test_nobody_shortens(self, forty: Any) -> None:
        table = forty("durchgaenge")
        table.deal(4)
        table.do("declare", seat=1, game="damensolo")
        with pytest.raises(BadEvent, match="may not claim"):
            table.do("claim", seat=1, kind="concede")

    def test_everybody_may_claim(self, forty: Any) -> None:
        """7c."""
        table = forty("durchgaenge")
        table.deal(4)
        table.do("declare", seat=1, game="damensolo")
        table.card(2, table.hands[2][0])
        assert claimants(table.game, table.game.offences[0]) == (1, 3, 4)


def test_list(forty: Any) -> None:
    table = forty("durchgaenge")
    for _ in range(12):
        table.deal()
        table.finish()
    data = list_data(table.round)
    assert table.round.over and data["games_left"] == 0 and len(data["lines"]) == 12
    assert data["sums"] == list(table.round.totals.values())
