"""What a claim or ruling leaves of the last trick, and what is known of hands and sides when one ends a game."""

from typing import Any

import pytest

from kiosk.errors import BadEvent
from kiosk.rules.books import EPPSTEIN
from kiosk.rules.engine.rights import may_see_last_trick


def whole(table: Any, last_trick: str, until: int = 12) -> None:
    """Lays the pack out trick by trick, whoever has the turn, so that the last trick is this one."""
    table.hands = {}
    rest = list(EPPSTEIN.deck)
    for card in last_trick.split():
        rest.remove(card)
    for card in (*rest, *last_trick.split())[: 4 * until]:
        table.card(table.game.turn, card)


class TestLastTrick:
    """6.2.3: only what is won with the last card of a game counts as the last trick."""

    @pytest.mark.parametrize(
        ("end", "counts"),
        [
            pytest.param(None, True, id="played to the end"),
            pytest.param({"class": "minor", "offender": 2}, True, id="8.4.2 a minor breach"),
            pytest.param({"class": "decided", "offender": 2}, True, id="8.5.1 after the last card nothing falls"),
        ],
    )
    def test_played_to_the_end(self, play: Any, end: dict[str, Any] | None, counts: bool) -> None:
        table = play()
        table.deal(4)
        whole(table, "CJ D9 D9 DK")
        plain = table.last()
        if end:
            table.do("rule", **end)
        assert ("karlchen" in [name for name, _ in table.last()["value"]]) is counts
        assert (table.last()["points"], table.last()["value"]) == (plain["points"], plain["value"])

    def test_broken_off(self, play: Any) -> None:
        """8.5.1: the last finished trick is not the last one."""
        table = play()
        table.deal(4)
        table.hands = {}
        for card in ["CQ", "D9", "CQ", "DK", "CJ", "D9", "DK", "DJ"]:
            table.card(table.game.turn, card)
        table.do("rule", **{"class": "decided", "offender": 2})
        assert table.last()["won_by"] and "karlchen" not in [name for name, _ in table.last()["value"]]

    def test_schwarz_stays_schwarz(self, play: Any) -> None:
        """After the last card no trick is left that could fall to the side that has none."""
        table = play()
        table.deal(4)
        table.do("declare", seat=1, game="fleischlos", duty=True)
        table.hands = {}
        suits = {suit: [suit + rank for rank in "ATKQJ9" for _ in (1, 2)] for suit in "CSHD"}
        for number in range(12):
            for suit in "CSHD":
                table.card(table.game.turn, suits[suit][number])
        assert ["schwarz", 1] in table.last()["value"]
        table.do("rule", **{"class": "decided", "offender": 1})
        assert ["schwarz", 1] in table.last()["value"]


class TestKnownOnlyByHands:
    """A game broken off: who plays alone may be certain by hands that were scanned."""

    def test_both_queens_in_the_only_hand_left(self, play: Any) -> None:
        table = play()
        table.deal(4, re=(1, 1))
        for seat in (2, 3, 4):
            table.do("hand", seat=seat, cards=table.hands[seat])
        table.do("rule", **{"class": "decided", "offender": 2})
        game = table.last()
        assert (game["kind"], game["re"]) == ("still", [1])
        value = sum(number for _, number in game["value"])
        assert table.scores() == (3 * value + 1, -3, 1, 1)

    def test_a_misread_makes_nobody_a_soloist(self, play: Any) -> None:
        """All hands scanned, one CQ read as another card."""
        table = play()
        table.deal(4, re=(1, 3))
        for seat in (1, 2, 3, 4):
            cards = ["C9" if seat == 3 and card == "CQ" else card for card in table.hands[seat]]
            table.do("hand", seat=seat, cards=cards)
        table.do("rule", **{"class": "decided", "offender": 2})
        game = table.last()
        assert (game["kind"], game["re"]) == ("normal", [1])
        assert len(set(table.scores())) == 3


def test_against_schwarz_one_trick_is_enough(play: Any) -> None:
    """6.1.2: one that was played."""
    table = play()
    table.deal(4)
    table.do("declare", seat=1, game="fleischlos", duty=True)
    table.do("announce", seat=2, call="schwarz", side="kontra")
    table.hands = {}
    for card in ("CA", "SA", "HA", "DA"):
        table.card(table.game.turn, card)
    table.do("claim", seat=1, kind="concede")
    assert table.last()["won_by"] == "re"
    table = play()
    table.deal(4)
    table.do("declare", seat=1, game="fleischlos", duty=True)
    table.do("announce", seat=2, call="schwarz", side="kontra")
    table.do("claim", seat=1, kind="concede")
    assert table.last()["won_by"] == "kontra"


class TestWhatRulingsBook:
    def test_won(self, play: Any) -> None:
        """Who a game was written for: penalties beside it do not matter; one that ends a solo does."""
        table = play()
        table.deal(4)
        table.do("rule", **{"class": "minor", "offender": 2})
        table.finish()
        side = table.game.result.won_by
        assert table.game.result.won == {seat for seat in (1, 2, 3, 4) if table.game.certain_sides[seat] == side}
        values = set()
        for seed in range(12):
            table = play()
            table.deal(4, seed=seed)
            table.finish()
            result = table.game.result
            values.add(sum(item.number for item in result.value))
            assert result.won == {seat for seat, points in result.score.items() if points}
        assert 1 in values  # the least that a game is worth
        table = play()
        table.deal(4)
        table.do("declare", seat=1, game="damensolo", duty=True)
        table.lay(5)
        table.do("rule", **{"class": "serious", "offender": 2})
        assert table.game.result.won == {1}
        table = play()
        table.deal(4)
        table.do("rule", **{"class": "serious", "offender": 2})
        assert table.game.result.won == set()  # it does not count
        table = play()
        table.deal(4)
        table.do("declare", seat=1, game="damensolo", duty=True)
        table.do("rule", **{"class": "decided", "offender": 2})
        assert table.game.result.won == {1}

    def test_who_sits_out_can_be_written_points(self, play: Any) -> None:
        table = play(5)
        table.deal(1)
        table.do("rule", **{"class": "custom", "offender": 1, "scores": {"1": -3, "2": 1}})
        assert dict(table.game.result.score) == {1: -3, 2: 1, 3: 0, 4: 0, 5: 0}
        assert table.round.totals == {1: -3, 2: 1, 3: 0, 4: 0, 5: 0}

    def test_custom_without_points_needs_no_offender(self, play: Any) -> None:
        table = play()
        table.deal(4)
        table.do("rule", **{"class": "custom", "offender": None})
        assert table.scores() == (0, 0, 0, 0) and table.last()["void"] is True

    @pytest.mark.parametrize("offender", [None, 1])
    def test_minor_needs_an_offender_at_once(self, play: Any, offender: int | None) -> None:
        """Accepted now it would refuse the last card of the game."""
        table = play(5)
        table.deal(1)
        with pytest.raises(BadEvent, match="of class minor needs an offender who plays in this game, or scores"):
            table.do("rule", **{"class": "minor", "offender": offender})
        table.do("rule", **{"class": "minor", "offender": offender, "scores": {"2": -3}})
        table.finish()
        assert not table.round.running

    def test_minor_in_a_deal_that_was_thrown_in(self, play: Any) -> None:
        table = play()
        table.deal(1)
        table.do("declare", seat=2, game="schmeissen")
        table.do("rule", **{"class": "minor", "offender": 2})
        assert table.scores() == (1, -3, 1, 1) and table.last()["void"] is True
        assert (table.round.next_dealer, table.round.games_left, table.game.result.counted) == (1, 16, False)
        assert table.game.ended == "ruling"

    def test_none_in_a_deal_that_was_thrown_in_changes_nothing(self, play: Any) -> None:
        table = play()
        table.deal(1)
        table.do("declare", seat=2, game="schmeissen")
        table.do("rule", **{"class": "none", "offender": None})
        assert table.game.ended == "dealt_again" and table.round.games == ()


class TestNamedWithoutRight:
    def test_a_pflichtsolo_too_many(self, play: Any) -> None:
        """7.5.1."""
        table = play()
        table.deal(1)
        table.do("declare", seat=2, game="damensolo", duty=True)
        table.finish()
        table.deal(1)
        number = table.do("declare", seat=2, game="damensolo", duty=True)
        assert [(o.code, o.event, o.section) for o in table.game.offences] == [
            ("not_entitled", number, "eppstein 7.5.1")
        ]

    def test_face_down(self, play: Any) -> None:
        """4.2.1."""
        table = play()
        table.deal(4)
        number = table.card(1, table.hands[1][0], down=True)
        assert [(o.code, o.event, o.section) for o in table.game.offences] == [
            ("not_entitled", number, "eppstein 4.2.1")
        ]

    @pytest.mark.parametrize(
        ("condition", "first", "settled"),
        [
            ("plain", "CK CA C9 CT", True),
            ("plain", "CK D9 C9 CT", True),
            ("plain", "DK HT S9 CT", False),
            ("trump", "DK HT S9 CT", True),
            ("trump", "CK D9 D9 CT", False),
            ("first", "CK D9 D9 CT", True),
            ("first", "DK HT S9 CT", True),
        ],
    )
    def test_conditions(self, play: Any, condition: str, first: str, settled: bool) -> None:
        """3.5.3 a: it goes by the card led, not by the others."""
        table = play()
        table.deal(4)
        table.do("declare", seat=1, game="hochzeit", condition=condition)
        table.hands = {}
        for card in first.split():
            table.card(table.game.turn, card)
        assert (table.game.klaerung is not None) is settled


class TestSoloistAt:
    """8.4.3; docs/rules.md, Rulings: whether it was a solo is judged at the breach."""

    def test_declared(self, play: Any) -> None:
        table = play()
        table.deal(4)
        declared = table.do("declare", seat=1, game="damensolo", duty=True)
        assert [table.game.soloist_at(declared + step) for step in (-1, 0, 1)] == [None, 1, 1]

    def test_silent(self, play: Any) -> None:
        table = play()
        table.deal(4, re=(1, 1))
        table.hands = {}
        table.card(1, "CQ")
        for seat in (2, 3, 4):
            table.card(seat, "D9")
        second = table.card(1, "CQ")
        assert [table.game.soloist_at(second + step) for step in (-1, 0, 1)] == [None, 1, 1]
        assert (table.game.soloist, table.game.kind) == (1, "still")

    def test_a_hochzeit_alone(self, play: Any) -> None:
        """Up to and with the Klärungsstich a normal game."""
        table = play()
        table.deal(4, re=(1, 1))
        table.do("declare", seat=1, game="hochzeit")
        assert table.game.declaration.condition == "first"
        table.hands = {}
        for _ in range(3):
            klaerung = [table.card(seat, "HT" if seat == 1 else "D9") for seat in (1, 2, 3, 4)][-1]
        assert table.game.klaerung.partner is None
        assert [table.game.soloist_at(klaerung + step) for step in (-1, 0, 1)] == [None, None, 1]
        assert table.game.soloist == 1

    def test_a_hochzeit_with_a_partner(self, play: Any) -> None:
        table = play()
        table.deal(4, re=(1, 1))
        table.do("declare", seat=1, game="hochzeit")
        table.hands = {}
        assert table.game.certain_sides == table.game.known_sides == {1: "re"}
        for seat, card in ((1, "D9"), (2, "HT"), (3, "D9"), (4, "DK")):
            table.card(seat, card)
        assert table.game.soloist is None
        assert table.game.certain_sides == table.game.known_sides == {1: "re", 2: "re", 3: "kontra", 4: "kontra"}

    def test_a_hochzeit_broken_off_has_no_sides(self, play: Any) -> None:
        table = play()
        table.deal(4, re=(1, 1))
        table.do("declare", seat=1, game="hochzeit")
        table.do("rule", **{"class": "serious", "offender": 2})
        assert table.game.certain_sides == {} and table.game.result.re == ()


def test_what_everybody_knows_of_the_sides(play: Any) -> None:
    """By calls and by CQ laid, never by scans."""
    table = play()
    table.deal(4)
    table.do("hand", seat=1, cards=table.hands[1])
    assert (table.game.known_sides, table.game.certain_sides) == ({}, {1: "re"})
    table.do("announce", seat=3, call="re")
    assert table.game.known_sides == {3: "re"} and not table.game.clear
    table.do("announce", seat=2, call="kontra")
    table.do("announce", seat=4, call="kontra")
    assert table.game.known_sides == {2: "kontra", 3: "re", 4: "kontra"}  # seat 3 may play alone
    table.do("announce", seat=1, call="re")
    assert table.game.known_sides == {1: "re", 2: "kontra", 3: "re", 4: "kontra"} and table.game.clear


def test_cards_that_are_left(play: Any) -> None:
    table = play()
    table.deal(4)
    table.lay(6)
    first, second = (laid.seat for laid in table.game.open_trick)
    assert table.game.hand_sizes == {seat: 10 if seat in (first, second) else 11 for seat in (1, 2, 3, 4)}


def test_doubtful_cards_are_listed_with_their_trick(play: Any) -> None:
    table = play()
    table.deal(4)
    table.hands = {}
    for seat, card, keys in (
        (1, "CA", {}),
        (2, "CK", {"doubt": ["CK", "C9"]}),
        (3, "CT", {}),
        (4, "C9", {}),
        (1, "SA", {"doubt": ["SA", "CA"]}),
        (2, "SK", {}),
    ):
        table.card(seat, card, **keys)
    assert [(number, laid.card) for number, laid in table.game.doubts] == [(1, "CK"), (2, "SA")]


class TestTakenBack:
    def test_out_of_turn_is_put_right(self, play: Any) -> None:
        """4.1.3: a card taken back is not out of turn; other offences stay."""
        table = play()
        table.deal(4)
        table.hands = {}
        early = table.do("announce", seat=3, call="re")
        table.do("call", seat=1, call="gesund")
        table.card(2, "CA")
        assert [code for code, _, _ in table.codes()] == ["early_announcement", "out_of_turn"]
        table.do("retract", seat=2, card="CA")
        assert table.codes() == [("early_announcement", early, early)]

    def test_a_misread_one_by_either_name(self, play: Any) -> None:
        table = play()
        table.deal(4)
        number = table.card(1, "CA")
        table.do("correct", of=number, card="CT", by="referee", why="misread")
        table.do("retract", seat=1, card="CA")
        assert table.game.open_trick == () and table.game.turn == 1

    def test_what_was_wrong_before_the_klaerungsstich_stays(self, play: Any) -> None:
        """The Hochzeiter is Re from his declaration on; only what that trick proved is taken back with it."""
        table = play()
        table.deal(4, re=(1, 1))
        table.do("declare", seat=1, game="hochzeit")
        table.hands = {}
        own = table.do("announce", seat=1, call="kontra")
        other = table.do("announce", seat=4, call="re")
        for seat, card in ((1, "CK"), (2, "CA"), (3, "C9")):
            table.card(seat, card)
        shown = table.card(4, "ST")

        def wrong() -> list[tuple[int, int]]:
            return [(event, proved) for code, event, proved in table.codes() if code == "wrong_side"]

        assert wrong() == [(own, own), (other, shown)]
        table.do("retract", seat=4, card="ST")
        assert wrong() == [(own, own)] and table.game.klaerung is None
        again = table.card(4, "C9")
        assert wrong() == [(own, own), (other, again)]
        assert len([code for code, _, _ in table.codes() if code == "early_announcement"]) == 2


class TestScans:
    def test_a_scan_that_a_card_laid_contradicts(self, play: Any) -> None:
        """The breach is the card, the proof the scan; the scan is not used."""
        table = play()
        table.deal(4)
        table.hands = {}
        table.card(1, "HK")
        table.card(2, "CK")
        card = table.card(3, "HK")
        table.card(4, "H9")
        scan = table.do("hand", seat=3, cards=["CA", "CA", "CT", "CT", "CK", "C9", "SA", "SA", "ST", "ST", "SK", "S9"])
        assert table.codes() == [("card_not_held", card, scan)]
        assert table.game.offences[0].section == "eppstein 5.4.1" and table.game.hands == {}

    def test_two_scans_of_more_cards_than_there_are(self, play: Any) -> None:
        """Neither is used, and nobody is told of a misread: no card lies."""
        table = play()
        table.deal(4)
        hand = list(table.hands[2])
        table.do("hand", seat=2, cards=hand)
        table.do("hand", seat=3, cards=hand)
        assert table.codes() == [] and not table.game.misread
        table.hands = {}
        table.card(1, "CA")
        other = next(card for card in hand if table.game.contract.classes[card] != "C")
        breach = table.card(2, other)
        assert table.codes() == []
        table.card(3, "S9" if "S9" not in hand else "SA")
        held = table.game.tricks or table.game.open_trick
        assert held and [code for code, _, _ in table.codes()] == ["card_not_held"]  # the other scan is used again
        assert 3 not in table.game.hands and 2 in table.game.hands and breach


class TestShownByAClaim:
    """4.3.3: the order he names shows the cards that he still holds."""

    def solo(self, play: Any) -> Any:
        table = play()
        table.deal(4)
        table.do("declare", seat=1, game="damensolo", duty=True)
        table.hands = {}
        for seat, card in ((1, "CA"), (2, "C9"), (3, "CT"), (4, "CK")):
            table.card(seat, card)
        return table

    def test_beside_those_he_has_laid(self, play: Any) -> None:
        table = self.solo(play)
        table.do("claim", seat=1, kind="rest", order=["CA", "CT"])
        assert table.game.shown[1] == ("CA", "CA", "CT")
        assert table.game.shown[3] == ("CT",)

    def test_one_that_is_known_already(self, play: Any) -> None:
        table = self.solo(play)
        table.card(1, "SA")
        table.do("retract", seat=1, card="SA")
        table.do("claim", seat=1, kind="rest", order=["SA", "CQ", "CQ"])
        assert table.game.shown[1] == ("CA", "SA", "CQ", "CQ")


class TestEarly:
    """5.2.1: nothing is announced before the game is found."""

    @pytest.mark.parametrize(
        ("before", "after", "early"),
        [
            pytest.param([], [(1, "gesund")], True, id="an answer follows"),
            pytest.param([(1, "gesund")], [], True, id="the asking is not over"),
            pytest.param([(1, "gesund"), (2, "vorbehalt"), (3, "gesund"), (4, "gesund")], [], True, id="not named"),
            pytest.param([(seat, "gesund") for seat in (1, 2, 3, 4)], [], False, id="all are gesund"),
            pytest.param([(seat, "gesund") for seat in (1, 2, 3, 4)], [(4, "gesund")], False, id="a word too many"),
        ],
    )
    def test_call(self, play: Any, before: list[Any], after: list[Any], early: bool) -> None:
        table = play()
        table.deal(4)
        for seat, word in before:
            table.do("call", seat=seat, call=word)
        said = table.do("announce", seat=1, call="re")
        for seat, word in after:
            table.do("call", seat=seat, call=word)
        codes = [(code, event) for code, event, _ in table.codes() if code == "early_announcement"]
        assert codes == ([("early_announcement", said)] if early else [])


def test_when_the_last_trick_lies_open(play: Any) -> None:
    """4.4.4: not before the first, in the last one's place until the next deal."""
    table = play()
    table.deal(4)
    table.lay(3)
    assert not may_see_last_trick(table.game)
    table.finish()
    assert may_see_last_trick(table.game)
