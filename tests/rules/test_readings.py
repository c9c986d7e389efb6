"""Breaches where cards are in doubt, were not seen, misread, or scanned wrongly: event by event."""

from typing import Any

import pytest

from kiosk.rules.books import EPPSTEIN
from kiosk.rules.engine.readings import placed
from kiosk.rules.engine.rights import claimants
from kiosk.table.inference.certain import certain

EVERY = sorted(set(EPPSTEIN.deck))


def laid(table: Any, cards: str) -> list[int]:
    """Lays the cards by seat, ``2CA``; with choices ``2CA/SA``; ``2*`` is one that nobody saw."""
    made = []
    for one in cards.split():
        seat, *choices = int(one[0]), *one[1:].split("/")
        if choices == ["*"]:
            made.append(table.do("card", seat=seat, card="H9", doubt=EVERY, unseen=True))
        else:
            made.append(table.do("card", seat=seat, card=choices[0], **({"doubt": choices} if choices[1:] else {})))
    return made


def breaches(table: Any) -> list[tuple[str, int, int]]:
    return [(one.code, one.seat, one.event) for one in certain(table.round)]


@pytest.mark.parametrize(
    ("cards", "found"),
    [
        pytest.param("1CA 2S9 3C9 4CT 1HA 2CK 3H9 4HK", [("revoke", 2, 3)], id="a clear card proves it"),
        pytest.param("1CA 2S9 3C9 4CT 1HA 2CK/SK 3H9 4H9", [], id="it was SK perhaps"),
        pytest.param("1CA 2S9 3C9 4CT 1HA 2CK/CT 3H9 4H9", [("revoke", 2, 3)], id="both it may be prove it"),
        pytest.param("1CA 2S9 3C9 4CT 1HA 2CK/SK 3H9 4H9 1SA 2CA/SA 3S9 4ST", [], id="both were spades perhaps"),
        pytest.param(
            "1CA 2S9 3C9 4CT 1HA 2CK/ST 3H9 4H9 1SA 2CT/ST 3S9 4ST", [("revoke", 2, 3)],
            id="one ST is left for two cards that may be it",
        ),
        pytest.param("1CA 2S9 3C9 4CT 1HA 2CK/SK 3SK 4SK", [("revoke", 2, 3)], id="the deck has no SK left"),
        pytest.param("1CA 2S9/C9 3C9 4CT 1HA 2CK 3H9 4H9", [], id="it followed perhaps"),
        pytest.param("1CA 2S9/C9 3C9 4C9 1HA 2CK 3H9 4HK", [("revoke", 2, 3)], id="it cannot have followed"),
        pytest.param("1CA/SA 2S9 3C9 4CT 1HA 2CK 3H9 4H9", [], id="spades were led perhaps"),
        pytest.param("1CA/CK 2S9 3C9 4CT 1HA 2CK 3H9 4H9", [("revoke", 2, 3)], id="clubs were led in any case"),
        pytest.param("1CA 2S9 3C9 4CT 1HA 2HK 3* 4H9 1SA 2CK 3S9 4ST", [("revoke", 2, 3)], id="a card nobody saw"),
        pytest.param("1* 2S9 3C9 4CT 1HA 2CK 3H9 4H9", [], id="nobody saw what was led"),
    ],
)  # fmt: skip
def test_doubts_are_taken_together(play: Any, cards: str, found: list[tuple[str, int, int]]) -> None:
    table = play()
    table.do("deal", dealer=4)
    laid(table, cards)
    assert breaches(table) == found


def test_a_doubtful_card_taken_back_proves_nothing(play: Any) -> None:
    table = play()
    table.do("deal", dealer=4)
    laid(table, "1CA 2CT/ST")
    table.do("retract", seat=2, card="CT")
    (breach,) = laid(table, "2S9")
    assert breaches(table) == []
    laid(table, "3C9 4C9 1ST 2CK")
    assert breaches(table) == [("revoke", 2, breach)]


def test_a_card_taken_back_is_one_of_those_that_lie_since(play: Any) -> None:
    """Shown and taken back: it is what lies there in doubt now, or it is still in the hand: held either way."""
    table = play()
    table.do("deal", dealer=4)
    laid(table, "1CA 2CT")
    table.do("retract", seat=2, card="CT")
    (breach,) = laid(table, "2S9/CT")
    assert breaches(table) == []
    laid(table, "3CT 4C9 1SA 2CT")
    assert breaches(table) == [("revoke", 2, breach)]


class TestLateSettling:
    """As long as a card lies there in doubt nobody can be told: the time to object runs from when it is settled."""

    CARDS = "1CA 2S9 3C9 4CT 1HA 2CK/SK 3H9 4HK 1SA 2ST 3S9 4SK"

    def settled(self, play: Any, later: str = "") -> tuple[int, ...]:
        table = play()
        table.do("deal", dealer=4)
        cards = laid(table, self.CARDS)
        assert breaches(table) == []
        table.do("correct", of=cards[5], card="CK", by="seat 2")
        laid(table, later)
        (offence,) = certain(table.round)
        assert (offence.code, offence.event, offence.proved) == ("revoke", cards[1], cards[5])
        return claimants(table.game, offence)

    def test_all_others_may_object(self, play: Any) -> None:
        assert self.settled(play) == (1, 3, 4)

    def test_who_plays_on_may_not(self, play: Any) -> None:
        assert self.settled(play, "1HK 2HJ") == (3, 4)

    def test_a_second_correction_gives_nobody_more_time(self, play: Any) -> None:
        table = play()
        table.do("deal", dealer=4)
        cards = laid(table, self.CARDS)
        table.do("correct", of=cards[5], card="CK", by="seat 2")
        laid(table, "1HK 2HJ")
        table.do("correct", of=cards[0], card="CQ", by="seat 1")
        table.do("correct", of=cards[0], card="CA", by="seat 1")
        assert [claimants(table.game, one) for one in certain(table.round)] == [(3, 4)]

    @pytest.mark.parametrize(
        ("noted", "corrected"),
        [
            pytest.param("CK/SK", ["SK", "CK"], id="of what a person had said"),
            pytest.param("SK", ["CK"], id="of what was read clearly"),
        ],
    )
    def test_a_breach_found_by_a_correction_gives_nobody_more_time(
        self, play: Any, noted: str, corrected: list[str]
    ) -> None:
        """The card lay there for all to see, and the table had not been in doubt."""
        table = play()
        table.do("deal", dealer=4)
        cards = laid(table, self.CARDS.replace("CK/SK", noted))
        for card in corrected:
            assert breaches(table) == []
            table.do("correct", of=cards[5], card=card, by="seat 2")
        assert [claimants(table.game, one) for one in certain(table.round)] == [()]

    def test_one_of_two_breaches_hung_on_the_doubt(self, play: Any) -> None:
        table = play()
        table.do("deal", dealer=4)
        cards = laid(table, "1CA 2S9 3H9 4CT 1HA 2CK/SK 3HK 4HK 1SA 2ST 3CT 4SK 1SA 2S9 3H9 4ST")
        shown = breaches(table)
        table.do("correct", of=cards[5], card="CK", by="seat 2")
        found = {(one.code, one.seat): claimants(table.game, one) for one in certain(table.round)}
        assert shown == [("revoke", 3, cards[2])] and found == {("revoke", 2): (1, 3, 4), ("revoke", 3): ()}

    def test_a_clear_card_was_there_to_be_seen(self, play: Any) -> None:
        table = play()
        table.do("deal", dealer=4)
        laid(table, self.CARDS.replace("CK/SK", "CK"))
        assert [claimants(table.game, one) for one in certain(table.round)] == [()]


class TestTurns:
    """The trick before has to have been somebody else's, however its doubts are read."""

    def test_perhaps_it_was_his(self, play: Any) -> None:
        table = play()
        table.do("deal", dealer=4)
        laid(table, "1C9 2CA/SA 3CK 4CT 4HA")
        assert breaches(table) == []

    def test_his_it_was_in_no_case(self, play: Any) -> None:
        table = play()
        table.do("deal", dealer=4)
        (*_, lead) = laid(table, "1C9 2CA/CT 3CK 4CK 4HA")
        assert breaches(table) == [("out_of_turn", 4, lead)]

    def test_what_the_deck_excludes_does_not_count(self, play: Any) -> None:
        table = play()
        table.do("deal", dealer=4)
        (*_, lead, _, _) = laid(table, "1C9 2CA/SA 3CK 4CT 4HA 1SA 2H9")
        assert breaches(table) == []
        laid(table, "3SA")
        assert breaches(table) == [("out_of_turn", 4, lead)]


class TestMisreads:
    """Too many copies of a card: one of them is another one, nobody knows which."""

    def test_a_card_in_doubt_for_which_there_is_no_place(self, play: Any) -> None:
        """Both SA and both CA lie: the third card is one of these two, so one was misread."""
        table = play()
        table.do("deal", dealer=4)
        made = laid(table, "1CA 2CA 3SA 4SA 1SK 2CA/SA 3CK/ST")
        assert breaches(table) == [("impossible_card", 2, made[5])]

    def test_one_code_for_one_card(self, play: Any) -> None:
        table = play()
        table.deal(4, hands=None)
        table.do("hand", seat=4, cards=["CT", "C9", "SQ", "SQ", "CJ", "CJ", "SA", "ST", "HA", "HA", "DK", "DK"])
        (*_, third) = laid(table, "1CA 2CA 3CK 4CA")
        assert breaches(table) == [("impossible_card", 4, third)]
        assert 4 in table.game.hands

    def test_what_rests_on_one_of_them_is_withdrawn(self, play: Any) -> None:
        table = play()
        table.do("deal", dealer=4)
        cards = laid(table, "1CA 2S9 3C9 4CT 1HA 2CK 3H9 4HK 1SA 2SK 3S9 4ST 1CK")
        assert breaches(table) == [("revoke", 2, cards[1])]
        (third,) = laid(table, "2CK")
        assert breaches(table) == [("impossible_card", 2, third)]
        assert [(one.code, one.event) for one in table.game.withdrawn] == [("revoke", cards[1])]
        laid(table, "3CQ 4CJ 3HT 4H9 1HK 2CT")
        assert breaches(table)[0] == ("revoke", 2, cards[1])  # another club proves it
        assert table.game.withdrawn == ()

    def test_a_card_taken_back_is_one_copy(self, play: Any) -> None:
        """Two lie and one was taken back: too many were shown, so none of them proves anything."""
        table = play()
        table.do("deal", dealer=4)
        laid(table, "1CA 2S9 3C9 4CT 1HA 2CK 3H9 4HK 1CQ 2CJ 3CK")
        assert breaches(table)[0] == ("revoke", 2, 3)
        laid(table, "4CK")
        table.do("retract", seat=4, card="CK")
        assert [code for code, *_ in breaches(table)] == ["impossible_card"]

    def test_a_card_taken_back_and_laid_again_is_no_other(self, play: Any) -> None:
        table = play()
        table.do("deal", dealer=4)
        laid(table, "1CA 2S9 3C9 4CT 1HA 2CK 3H9 4HK 1CQ 2CJ 3CK")
        table.do("retract", seat=3, card="CK")
        laid(table, "3CK 4CQ")
        assert breaches(table) == [("revoke", 2, 3)]

    def test_what_rests_on_others_stays(self, play: Any) -> None:
        table = play()
        table.do("deal", dealer=4)
        cards = laid(table, "1CA 2S9 3C9 4CT 1HA 2CK 3H9 4HK 1ST 2SK 3S9 4SK 1SK")
        assert ("revoke", 2, cards[1]) in breaches(table)
        assert ("impossible_card", 1, cards[-1]) in breaches(table)


class TestScans:
    """A scanned hand is what a scanner has read: what lies contradicts it."""

    HAND = "CT C9 SQ SQ CJ CJ SA ST HA HA DK DK"

    def test_a_scan_proves_at_once(self, play: Any) -> None:
        table = play()
        table.deal(4, hands=None)
        table.do("hand", seat=2, cards=self.HAND.split())
        (*_, breach) = laid(table, "1CA 2SA")
        assert breaches(table) == [("revoke", 2, breach)]

    def test_a_contradicted_scan_takes_its_proofs_along(self, play: Any) -> None:
        table = play()
        table.deal(4, hands=None)
        table.do("hand", seat=2, cards=self.HAND.split())
        (*_, breach) = laid(table, "1CA 2SA")
        (*_, other) = laid(table, "3CK 4CK 1HK 2H9")
        assert breaches(table) == [("card_not_held", 2, other)]
        assert [one.event for one in table.game.withdrawn] == [breach]

    def test_a_scan_that_the_deck_contradicts_proves_nothing(self, play: Any) -> None:
        table = play()
        table.deal(4, hands=None)
        table.do("hand", seat=2, cards=self.HAND.split())
        (*_, breach) = laid(table, "1CA 2SA")
        assert breaches(table) == [("revoke", 2, breach)]
        laid(table, "3HA")  # the scan has both
        assert breaches(table) == []
        assert 2 in table.game.hands  # what it holds of the others is nobody's breach

    def test_a_doubtful_card_that_the_scan_may_hold(self, play: Any) -> None:
        table = play()
        table.deal(4, hands=None)
        table.do("hand", seat=2, cards=self.HAND.split())
        laid(table, "1HK 2H9/HA")
        assert breaches(table) == []
        assert 2 in table.game.hands

    @pytest.mark.parametrize(
        ("cards", "of"),
        [("1CA 2CT 3C9 4CK 1HK 2H9", 5), ("1CA 2CT 3C9 4CK 1CK 2CT 3C9 4CA", 5), ("1CA 2HK 3C9 4CK 1CK 2S9", 1)],
        ids=["another card", "a second copy", "the first of two"],
    )
    def test_what_was_laid_before_it_was_read(self, play: Any, cards: str, of: int) -> None:
        table = play()
        table.deal(4, hands=None)
        made = laid(table, cards)
        table.do("hand", seat=2, cards=self.HAND.split())
        assert [one for one in breaches(table) if one[0] == "card_not_held"] == [("card_not_held", 2, made[of])]
        assert 2 not in table.game.hands

    def test_a_hand_read_too_late_for_the_deck_proves_nothing(self, play: Any) -> None:
        """Both CT lie in other hands, and it has one: what it is without nobody knows."""
        table = play()
        table.deal(4, hands=None)
        laid(table, "1CA 2SA 3CT 4CT")
        table.do("hand", seat=2, cards=self.HAND.split())
        assert breaches(table) == []

    def test_a_doubtful_card_that_it_cannot_hold(self, play: Any) -> None:
        table = play()
        table.deal(4, hands=None)
        table.do("hand", seat=2, cards=self.HAND.split())
        (*_, other) = laid(table, "1HK 2H9/HK")
        assert breaches(table) == [("card_not_held", 2, other)]


@pytest.mark.parametrize(
    ("wants", "room", "fits"),
    [
        pytest.param(["AB", "A"], {"A": 1, "B": 1}, True, id="the first makes room"),
        pytest.param(["AB", "AB", "AB"], {"A": 1, "B": 1}, False, id="three for two"),
        pytest.param(["AB", "BC", "CA", "A"], {"A": 1, "B": 1, "C": 1}, False, id="four for three"),
        pytest.param(["AB", "BC", "C", "A"], {"A": 1, "B": 2, "C": 1}, True, id="two make room"),
        pytest.param([""], {"A": 1}, False, id="none"),
        pytest.param([], {}, True, id="nothing"),
    ],
)
def test_placing(wants: list[str], room: dict[str, int], fits: bool) -> None:
    found = placed(wants, room)
    assert (found is not None) == fits
    if found is not None:
        assert all(kind in want for kind, want in zip(found, wants, strict=True))
        assert all(found.count(kind) <= room[kind] for kind in found)


class TestConfidence:
    """A clear card that may well be another one proves nothing alone; more cards that say the same do."""

    def card(self, table: Any, seat: int, card: str, lead: float) -> int:
        """Lays a card whose reading leads the next one by a share of its evidence."""
        return int(table.do("card", seat=seat, card=card, margin=0.1, rivals=["D9"], scores=[1.0, 1.0 - lead]))

    @pytest.mark.parametrize(
        ("leads", "found"),
        [
            pytest.param((0.5, 0.5, 0.5), True, id="all sure"),
            pytest.param((0.5, 0.5, 0.05), False, id="the club may be another card"),
            pytest.param((0.5, 0.05, 0.5), False, id="what he laid may be another card"),
            pytest.param((0.05, 0.5, 0.5), False, id="what was led may be another card"),
        ],
    )
    def test_a_weak_card(self, play: Any, leads: tuple[float, float, float], found: bool) -> None:
        table = play()
        table.do("deal", dealer=4)
        self.card(table, 1, "CA", leads[0])
        breach = self.card(table, 2, "S9", leads[1])
        laid(table, "3C9 4CT 1HA")
        self.card(table, 2, "CK", leads[2])
        assert breaches(table) == ([("revoke", 2, breach)] if found else [])

    def test_it_grows_with_independent_cards(self, play: Any) -> None:
        table = play()
        table.do("deal", dealer=4)
        (_, breach) = laid(table, "1CA 2S9")
        laid(table, "3C9 4CT 1HA")
        self.card(table, 2, "CK", 0.05)
        assert breaches(table) == []
        laid(table, "3H9 4H9 1SA")
        self.card(table, 2, "CT", 0.05)  # both misread: unlikely enough
        assert breaches(table) == [("revoke", 2, breach)]

    def test_a_turn_hangs_on_a_weak_card(self, play: Any) -> None:
        table = play()
        table.do("deal", dealer=4)
        self.card(table, 1, "CA", 0.05)
        laid(table, "2C9 3CK 4CT")
        (lead,) = laid(table, "4HA")
        assert breaches(table) == []
        table.do("correct", of=2, card="CA", by="seat 1")
        assert breaches(table) == [("out_of_turn", 4, lead)]

    def test_what_somebody_has_named_is_sure(self, play: Any) -> None:
        table = play()
        table.do("deal", dealer=4)
        (_, breach) = laid(table, "1CA 2S9")
        laid(table, "3C9 4CT 1HA")
        club = self.card(table, 2, "CK", 0.05)
        assert breaches(table) == []
        table.do("correct", of=club, card="CK", by="seat 2")
        assert breaches(table) == [("revoke", 2, breach)]
