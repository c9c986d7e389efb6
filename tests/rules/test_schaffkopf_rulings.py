"""Breaches, rulings and shortening (schaffkopf II 4.2)."""

from typing import Any

import pytest

from kiosk.errors import BadEvent
from kiosk.rules.books.schaffkopf import found_late
from kiosk.rules.engine.rights import claimants

# In a Wenz of seat 2 (dealer 1): seat 3 holds a Gras card and lays others on it.
WENZ = {2: "GA GT GK EU EA ET EK E9", 3: "G7 SA ST SK S9 S8 S7 HA"}


def wenz(play: Any, tricks: int = 0) -> Any:
    """Seat 2 plays a Wenz; in the trick after ``tricks`` seat 3 does not follow; the event of the breach."""
    play.deal_hands(WENZ, dealer=1)
    play.alone(2)
    leads = ["GA", "EA", "ET", "EK", "E9", "GT", "GK", "EU"]
    play.leads = [*leads[1 : tricks + 1], "GA", *leads[tricks + 1 :]]
    for _ in range(tricks):
        play.card(2, play.leads.pop(0))
        play.lay(3)
    play.card(2, play.leads.pop(0))
    play.breach = play.card(3, "HA")
    play.lay(2)
    return play


def go_on(play: Any, cards: int) -> None:
    for _ in range(cards):
        if play.game.turn == 2 and not play.game.open_trick:
            play.card(2, play.leads.pop(0))
        else:
            seat = play.game.turn
            rest = [card for card in play.lawful(seat) if card != "G7"] or play.lawful(seat)
            play.card(seat, rest[0])


def serious(play: Any, offender: int = 3, code: str | None = "revoke", **keys: Any) -> None:
    play.do("object", seat=2, against=offender, code=code, breach=keys.pop("about", play.breach))
    play.do("rule", offender=offender, **{"class": "serious"}, **keys)


class TestRevoke:
    @pytest.mark.parametrize(
        ("more", "option", "late"),
        [
            pytest.param(0, "next_card", False, id="the trick just finished"),
            pytest.param(1, "next_card", False, id="in the next trick"),
            pytest.param(3, "next_card", False, id="before its last card"),
            pytest.param(4, "next_card", False, id="at its end"),
            pytest.param(5, "next_card", True, id="with the card after it"),
            pytest.param(3, "fourth_card", False, id="fourth_card: before it"),
            pytest.param(4, "fourth_card", True, id="fourth_card: with it"),
        ],
    )
    def test_by_the_end_of_the_next_trick(self, schafkopf: Any, more: int, option: str, late: bool) -> None:
        """II 4.2.5: that trick and all later cards to the other side; found later: lost schwarz."""
        play = self.with_a_trick_before(schafkopf(revoke_in_time=option))
        go_on(play, more)
        serious(play)
        assert play.result()[0] == "re" and not play.game.result.void
        assert play.game.result.points == ({"re": 120, "kontra": 0} if late else {"re": 109, "kontra": 11})
        assert play.result()[2][2] == (15 if late else 12)

    def test_without_a_trick_before_it_is_schwarz_too(self, schafkopf: Any) -> None:
        play = wenz(schafkopf())
        serious(play)
        assert play.result()[1] == [("base", 3), ("schneider", 1), ("schwarz", 1)]

    @staticmethod
    def with_a_trick_before(play: Any) -> Any:
        """Seat 3, an opponent of the soloist, takes the first trick and revokes in the third."""
        hands = {
            1: "E9 EO G8 G9 GO GU HU SU",
            2: "S9 GA GT GK EA ET EK EU",
            3: "SA ST S7 G7 HA H7 H8 H9",
            4: "S8 SK SO HT HK HO E7 E8",
        }
        play.deal_hands(hands, dealer=1)
        play.alone(2)
        for seat, card in ((2, "S9"), (3, "SA"), (4, "S8"), (1, "E9"), (3, "S7"), (4, "SK"), (1, "EO"), (2, "EU")):
            play.card(seat, card)
        play.card(2, "GA")
        play.breach = play.card(3, "HA")
        play.leads = ["GT", "GK", "EA", "ET", "EK"]
        play.lay(2)
        return play

    def test_in_time_earlier_tricks_stay(self, schafkopf: Any) -> None:
        play = self.with_a_trick_before(schafkopf())
        kept = sum(trick.points for trick in play.game.tricks[:2] if trick.winner != 2)
        serious(play)
        won, value, _ = play.result()
        assert play.game.result.points == {"re": 120 - kept, "kontra": kept}
        assert won == "re" and ("schwarz", 1) not in value

    def test_late_all_is_lost(self, schafkopf: Any) -> None:
        play = self.with_a_trick_before(schafkopf())
        go_on(play, 5)
        serious(play)
        assert play.result() == ("re", [("base", 3), ("schneider", 1), ("schwarz", 1)], {2: 15, 3: -5, 4: -5, 1: -5})

    def test_after_the_end(self, schafkopf: Any) -> None:
        """II 4.2.5: also where it happened in the last trick but one."""
        play = schafkopf()
        play.deal_hands({2: "EA ET EK E9 E8 E7 GA EU", 3: "G7 HA H7 SA ST SK S9 S8", 4: "GT", 1: "GK"}, dealer=1)
        play.alone(2)
        for card in ("EA", "ET", "EK", "E9", "E8", "E7"):
            play.card(2, card)
            for seat in (3, 4, 1):
                hand = play.hands[seat]
                keep = {3: ("G7", "HA"), 4: ("GT",), 1: ("GK",)}[seat]
                classes = play.game.contract.classes
                fitting = [c for c in hand if classes[c] == "E"] or [c for c in hand if c not in keep] or hand
                play.card(seat, fitting[0])
        play.card(2, "GA")
        play.breach = play.card(3, "HA")
        play.finish()
        serious(play)
        assert play.result() == ("re", [("base", 3), ("schneider", 1), ("schwarz", 1)], {2: 15, 3: -5, 4: -5, 1: -5})

    def test_tout_lost_at_its_base(self, schafkopf: Any) -> None:
        play = schafkopf()
        play.deal_hands({2: "GA EA ET EK E9 S9 EU GU", 3: "G9 G8 G7"}, dealer=2)
        play.alone(2, "wenz-tout", leave=True)
        play.card(3, "G9")
        play.lay(2)
        play.breach = play.card(2, "EA")
        while len(play.game.tricks) < 3:
            play.lay()
        serious(play, offender=2)
        assert play.result() == ("kontra", [("base", 6)], {2: -18, 3: 6, 4: 6, 1: 6})

    @pytest.mark.parametrize("code", [None, "revoke"])
    def test_known_by_the_card_if_nobody_named_it(self, schafkopf: Any, code: str | None) -> None:
        play = self.with_a_trick_before(schafkopf())
        go_on(play, 5)
        serious(play, code=code)
        assert play.result()[1][-1] == ("schwarz", 1)

    def test_a_card_of_a_hand_that_is_known_was_lawful_if_nothing_proves_else(self, schafkopf: Any) -> None:
        """Seat 4 has no Gras, as its scan shows: the ruling is on something else, its tricks before stay."""
        play = self.with_a_trick_before(schafkopf())
        kept = sum(trick.points for trick in play.game.tricks[:2] if trick.winner != 2)
        play.do("hand", seat=4, cards=["S8", "SK", "SO", "HT", "HK", "HO", "E7", "E8"])
        play.breach = next(laid.event for laid in play.game.tricks[2].cards if laid.seat == 4)
        go_on(play, 5)
        serious(play, offender=4, code=None)
        assert play.game.result.points == {"re": 120 - kept, "kontra": kept}

    def test_scores_replace_it(self, schafkopf: Any) -> None:
        """II 4.2.1: the sure trick that a side proves is booked by the referee."""
        play = wenz(schafkopf())
        serious(play, scores={"2": 12, "1": -4, "3": -4, "4": -4})
        assert play.result()[2] == {2: 12, 3: -4, 4: -4, 1: -4}
        assert play.result()[0] == "re"

    def test_both_sides_revoked(self, schafkopf: Any) -> None:
        """II 4.2.6: repeated, whoever was first; the same player deals again."""
        play = self.with_a_trick_before(schafkopf())
        breach = play.breach
        go_on(play, 2)
        play.finish()
        play.do("rule", offender=3, breach=breach, **{"class": "serious"})
        own = play.game.tricks[1].cards[-1].event  # EU of the soloist on Schellen
        play.do("object", seat=3, against=2, code="revoke", breach=own)
        play.do("rule", offender=2, **{"class": "serious"})
        assert play.game.result.void and play.result() == (None, [], {1: 0, 2: 0, 3: 0, 4: 0})
        assert play.round.games_left == 32 and play.round.next_dealer == 1

    def test_same_side_twice(self, schafkopf: Any) -> None:
        play = self.with_a_trick_before(schafkopf())
        play.finish()
        for offender in (3, 4):
            play.do("object", seat=2, against=offender, code="revoke", breach=play.breach)
            play.do("rule", offender=offender, **{"class": "serious"})
        assert not play.game.result.void and play.result()[0] == "re"

    def test_the_late_one_decides(self, schafkopf: Any) -> None:
        """II 4.2.6: only one of two breaches would lose schwarz: that one is scored."""
        play = self.with_a_trick_before(schafkopf())
        go_on(play, 5)
        serious(play)
        play.do("object", seat=3, against=2, code="out_of_turn", breach=play.breach)
        play.do("rule", offender=2, **{"class": "serious"})
        assert play.result()[0] == "re" and play.result()[2][2] == 15

    def test_anybody_may_say_so(self, schafkopf: Any) -> None:
        """II 4.2.5: whoever notices; docs/rules.md: there is no limit to it."""
        play = wenz(schafkopf())
        play.finish()
        found = next(offence for offence in play.game.offences if offence.code == "revoke")
        assert {1, 2, 4} <= set(claimants(play.game, found))

    def test_a_lawful_discard_is_no_revoke(self, schafkopf: Any) -> None:
        """After the last card every card is known: what is not proved was lawful, the game stays as it was played."""
        play = self.with_a_trick_before(schafkopf())
        go_on(play, 2)
        discard = play.game.moves[0].event  # the soloist's Unter on Schellen, of which he had none left
        play.finish()
        assert discard not in [event for code, _, event, _, _ in play.offences() if code == "revoke"]
        before = play.result(), play.game.result.points
        play.do("rule", offender=2, breach=discard, **{"class": "serious"})
        assert (play.result(), play.game.result.points) == before

    def test_one_that_did_not_follow_while_cards_are_hidden(self, schafkopf: Any) -> None:
        """The direction has looked: the card of the breach did not follow, so it is a revoke and its trick falls."""
        play = wenz(schafkopf(), tricks=1)
        breach = play.breach
        kept = play.game.tricks[0].points
        assert play.offences() == []
        play.do("rule", offender=3, breach=breach, **{"class": "serious"})
        assert play.game.result.points == {"re": 120, "kontra": 0} and kept
        other = TestRevoke.with_a_trick_before(schafkopf())
        lawful = other.game.tricks[1].cards[-1].event
        assert other.game.tricks[1].winner == 2
        other.do("rule", offender=2, breach=lawful, **{"class": "serious"})
        first = other.game.tricks[0].points
        assert other.game.result.points == {"re": 0, "kontra": 120} and first

    @pytest.mark.parametrize("laid", [1, 3, 4])
    def test_objected_to_in_time_and_ruled_after_the_end(self, schafkopf: Any, laid: int) -> None:
        """II 4.2.5: found is when it is objected to; play went on because the direction was to decide later."""
        play = self.with_a_trick_before(schafkopf())
        go_on(play, laid)
        play.do("object", seat=2, against=3, code="revoke", breach=play.breach)
        play.do("rule", offender=None, **{"class": "none"})
        play.finish()
        play.do("rule", offender=3, breach=play.breach, **{"class": "serious"})
        assert play.game.result.points == {"re": 109, "kontra": 11}

    @pytest.mark.parametrize(("laid", "late"), [(1, False), (3, False), (4, True)])
    def test_by_the_fourth_card_though_ruled_after_the_end(self, schafkopf: Any, laid: int, late: bool) -> None:
        """II 4.2.5, D: it goes by the Reklamation."""
        play = self.with_a_trick_before(schafkopf(revoke_in_time="fourth_card"))
        go_on(play, laid)
        play.do("object", seat=2, against=3, code="revoke", breach=play.breach)
        play.do("rule", offender=None, **{"class": "none"})
        play.finish()
        play.do("rule", offender=3, breach=play.breach, **{"class": "serious"})
        assert play.game.result.points == ({"re": 120, "kontra": 0} if late else {"re": 109, "kontra": 11})

    def test_in_the_last_trick_but_one(self, schafkopf: Any) -> None:
        """II 4.2.5: found during the last trick it is in time, though it is ruled after the end."""
        for during in (True, False):
            play = schafkopf()
            hands = {
                1: "E8 G8 S8 H8 E7 GK S7 HK",
                2: "EU GU HU SU EA ET GA GT",
                3: "E9 G9 S9 H9 SA ST SK HA",
                4: "EK EO GO HO SO G7 HT H7",
            }
            play.deal_hands(hands, dealer=1)
            play.alone(2)
            rounds = ("EU E9 EK E8", "GU S9 EO G8", "HU H9 GO S8", "SU SA HO H8", "EA ST SO E7", "ET SK HT S7")
            for cards in rounds:
                for card in cards.split():
                    play.card(play.game.turn, card)
            play.card(2, "GA")
            breach = play.card(3, "HA")  # he holds the Gras-Neun
            for card in ("G7", "GK", "GT"):
                play.card(play.game.turn, card)
            if during:
                play.do("object", seat=2, against=3, code="revoke", breach=breach)
                play.do("rule", offender=None, **{"class": "none"})
            for card in ("G9", "H7", "HK"):
                play.card(play.game.turn, card)
            assert play.result() and breach in [event for code, _, event, _, _ in play.offences() if code == "revoke"]
            play.do("rule", offender=3, breach=breach, **{"class": "serious"})
            made = next(one for one in play.game.rulings if one.kind == "serious")
            assert found_late(play.game, made) is not during

    def test_reklamation_in_a_trick_that_was_finished(self, schafkopf: Any) -> None:
        """Without its card it is about the trick in which it was made."""
        play = self.with_a_trick_before(schafkopf())
        go_on(play, 2)
        number = play.do("object", seat=2, against=3, code="revoke")
        play.do("rule", offender=None, **{"class": "none"})
        play.finish()
        made = len(play.game.tricks[:3])
        kept = sum(trick.points for trick in play.game.tricks[:made] if trick.winner != 2)
        play.do("rule", offender=3, breach=number, **{"class": "serious"})
        assert play.game.result.points == {"re": 120 - kept, "kontra": kept}

    def test_one_found_late_comes_first_whenever_it_was_ruled(self, schafkopf: Any) -> None:
        """II 4.2.6."""
        play = self.with_a_trick_before(schafkopf())
        go_on(play, 5)
        play.do("object", seat=2, against=4, code="out_of_turn", breach=play.breach)
        play.do("rule", offender=4, **{"class": "serious"})
        serious(play)
        play.do("object", seat=3, against=2, code="out_of_turn", breach=play.breach)
        play.do("rule", offender=2, **{"class": "serious"})
        assert play.result()[0] == "re" and play.result()[2][2] == 15

    def test_breach_that_is_no_card(self, schafkopf: Any) -> None:
        """A Reklamation without its card: the trick in which it was made."""
        play = self.with_a_trick_before(schafkopf())
        kept = sum(trick.points for trick in play.game.tricks[:2] if trick.winner != 2)
        go_on(play, 1)
        taken = sum(trick.points for trick in play.game.tricks if trick.winner != 2)
        assert taken == kept
        play.do("object", seat=2, against=3, code="revoke")
        play.do("rule", offender=3, **{"class": "serious"})
        assert play.game.result.points == {"re": 120 - taken, "kontra": taken}

    def test_a_later_ruling_of_another_kind_holds(self, schafkopf: Any) -> None:
        play = self.with_a_trick_before(schafkopf())
        go_on(play, 5)
        serious(play)
        play.do("rule", offender=2, **{"class": "custom"}, scores={"2": -3, "1": 1, "3": 1, "4": 1})
        assert play.result() == (None, [], {1: 1, 2: -3, 3: 1, 4: 1})

    def test_of_several_the_last_holds(self, schafkopf: Any) -> None:
        """None of them on a revoke that was found late."""
        play = self.with_a_trick_before(schafkopf())
        for seat, won in ((3, "re"), (2, "kontra"), (4, "re")):
            play.do("object", seat=1, against=seat, code="out_of_turn", breach=play.breach)
            play.do("rule", offender=seat, **{"class": "serious"})
            assert play.result()[0] == won


class TestOtherBreaches:
    def test_finished_tricks_stay(self, schafkopf: Any) -> None:
        """II 4.2.3: also where the breach was in one of them; only a revoke takes them."""
        play = TestRevoke.with_a_trick_before(schafkopf())
        before = sum(trick.points for trick in play.game.tricks if trick.winner != 2)
        first = play.game.tricks[0].cards[0].event
        serious(play, offender=3, code="out_of_turn", about=first)
        assert play.game.result.points == {"re": 120 - before, "kontra": before}

    def test_of_cards_that_nobody_has_read_yet_the_last_one_is_taken_back(self, schafkopf: Any) -> None:
        """All go by one label, but each is its seat's."""
        play = schafkopf()
        play.do("deal", dealer=1)
        unread = {"card": "E9", "doubt": ["E9", "E8", "E7"]}
        play.do("card", seat=2, **unread)
        play.do("card", seat=3, **unread)
        with pytest.raises(BadEvent, match="E9 of seat 2 cannot be taken back"):
            play.do("retract", seat=2, card="E9")
        play.do("retract", seat=3, card="E9")

    def test_taken_back_is_the_last_card_only(self, schafkopf: Any) -> None:
        """II 4.2.3."""
        play = wenz(schafkopf())
        play.card(2, play.leads.pop(0))
        cards = [play.game.open_trick[0].card]
        for seat in (3, 4):
            cards.append(play.card(seat, play.lawful(seat)[0]) and play.game.open_trick[-1].card)
        for seat, card in ((2, cards[0]), (3, cards[1])):
            with pytest.raises(BadEvent, match="cannot be taken back"):
                play.do("retract", seat=seat, card=card)
        for _ in range(2):
            play.do("retract", seat=4, card=cards[2])
            play.card(4, cards[2])
        last = play.lawful(1)[0]
        play.card(1, last)
        play.do("retract", seat=1, card=last)  # the fourth card lies open until the next
        play.do("retract", seat=4, card=cards[2])
        play.do("retract", seat=3, card=cards[1])
        assert [laid.seat for laid in play.game.open_trick] == [2]

    def test_no_card_is_laid_face_down(self, schafkopf: Any) -> None:
        """I 3.2, Ausspielen."""
        play = wenz(schafkopf())
        number = play.card(2, play.leads.pop(0), down=True)
        assert ("not_entitled", 2, number, number, "I 3.2") in play.offences()

    def test_open_trick_and_unplayed_cards(self, schafkopf: Any) -> None:
        """II 4.2.3, 4.2.4: they fall to the other side; tricks taken stay."""
        play = TestRevoke.with_a_trick_before(schafkopf())
        play.card(2, "GT")
        before = sum(trick.points for trick in play.game.tricks if trick.winner != 2)
        number = play.do("card", seat=1, card=play.lawful(1)[0])
        assert ("out_of_turn", 1, number, number, "II 4.2.3") in play.offences()
        serious(play, offender=1, code="out_of_turn", about=number)
        assert play.game.result.points == {"re": 120 - before, "kontra": before}

    @pytest.mark.parametrize("kind", ["serious", "decided"])
    def test_needs_an_offender(self, schafkopf: Any, kind: str) -> None:
        play = wenz(schafkopf())
        with pytest.raises(BadEvent, match="needs an offender"):
            play.do("rule", **{"class": kind})

    def test_decided(self, schafkopf: Any) -> None:
        play = wenz(schafkopf())
        play.do("rule", offender=3, **{"class": "decided"})
        assert play.result()[0] == "re" and not play.game.result.void

    def test_custom_is_booked_and_counts(self, schafkopf: Any) -> None:
        """II 1.2, 2.3, 3.2: as a solo lost by that player."""
        play = wenz(schafkopf())
        play.do("rule", offender=3, **{"class": "custom"}, scores={"3": -9, "1": 3, "2": 3, "4": 3})
        assert play.game.result.void and play.result() == (None, [], {3: -9, 1: 3, 2: 3, 4: 3})
        assert play.round.games_left == 31 and play.round.next_dealer == 2

    def test_penalty_points_on_top(self, schafkopf: Any) -> None:
        """III 1.2: Punktstrafen against single players."""
        play = wenz(schafkopf())
        play.do("rule", offender=3, **{"class": "custom"}, scores={"3": -5}, resume=True)
        play.leads = []
        play.finish()
        score = play.game.result.score
        assert sum(score.values()) == -5

    def test_minor_has_no_preset(self, schafkopf: Any) -> None:
        play = wenz(schafkopf())
        play.do("rule", offender=3, **{"class": "minor"})
        assert play.round.running
        play.finish()
        assert sum(play.game.result.score.values()) == 0

    def test_sides_not_known(self, schafkopf: Any) -> None:
        """A Rufspiel broken off before the ace has been seen: nothing can be scored, the referee books it."""
        play = schafkopf()
        play.deal_hands({2: "E7 H7", 4: "EA"})
        play.alone(2, "rufspiel", card="EA")
        play.card(2, "H7")
        play.breach = play.events and play.round.events - 1
        serious(play, offender=2, code="out_of_turn")
        assert play.game.result.re == () and play.result() == (None, [], {1: 0, 2: 0, 3: 0, 4: 0})
        play.do("rule", offender=2, **{"class": "serious"}, scores={"2": -2, "4": -2, "1": 2, "3": 2})
        assert play.round.totals == {1: 2, 2: -2, 3: 2, 4: -2}


class TestShortening:
    """II 4.2.1."""

    @pytest.mark.parametrize(
        ("seat", "kind", "accepted", "won"),
        [
            pytest.param(2, "rest", True, "re", id="the soloist lays down"),
            pytest.param(2, "rest", False, "kontra", id="and is wrong"),
            pytest.param(2, "concede", True, "kontra", id="throws in"),
            pytest.param(3, "rest", True, "kontra", id="an opponent lays down"),
            pytest.param(4, "concede", True, "re", id="an opponent throws in"),
        ],
    )
    def test_whoever(self, schafkopf: Any, seat: int, kind: str, accepted: bool, won: str) -> None:
        play = schafkopf()
        play.deal_hands({}, dealer=1)
        play.alone(2)
        play.lay(2)
        play.do("claim", seat=seat, kind=kind, accepted=accepted)
        assert play.result()[0] == won
        assert play.result()[1] == [("base", 3), ("schneider", 1), ("schwarz", 1)]  # without a trick: schwarz
        assert not play.game.result.void

    def test_tricks_taken_stay(self, schafkopf: Any) -> None:
        play = TestRevoke.with_a_trick_before(schafkopf())
        before = sum(trick.points for trick in play.game.tricks if trick.winner != 2)
        play.do("claim", seat=2, kind="rest")
        assert play.game.result.points == {"re": 120 - before, "kontra": before}
        assert ("schwarz", 1) not in play.result()[1]

    def test_tout(self, schafkopf: Any) -> None:
        play = schafkopf()
        play.deal_hands({2: "EU GU HU SU EA ET EK E9"}, dealer=1)
        play.alone(2, "wenz-tout", leave=True)
        play.do("claim", seat=2, kind="rest", order=["EU", "GU"])
        assert play.result() == ("re", [("base", 6)], {2: 18, 3: -6, 4: -6, 1: -6})

    @pytest.mark.parametrize(
        ("held", "scan", "sides"),
        [
            pytest.param({2: "E7 H7", 3: "EA"}, 3, (2, 3), id="by the partner's hand"),
            pytest.param({2: "E7 H7 EA"}, 2, (2,), id="the Spielmacher holds it himself"),
            pytest.param({2: "E7 H7", 3: "EA"}, 2, (), id="nobody knows"),
        ],
    )
    def test_sides_by_hands(self, schafkopf: Any, held: dict[int, str], scan: int, sides: tuple[int, ...]) -> None:
        """Thrown in before the called ace has been seen: who plays alone is written three times the value."""
        play = schafkopf()
        play.deal_hands(held)
        play.scan(scan)
        play.alone(2, "rufspiel", card="EA")
        assert play.game.re_sides == ([frozenset(sides)] if sides else play.game.re_sides)
        assert all(2 in re for re in play.game.re_sides)
        play.do("claim", seat=2, kind="rest")
        assert play.game.result.re == sides
        assert play.result()[2][2] == {0: 0, 1: 9, 2: 3}[len(sides)]

    def test_the_called_ace_is_shown(self, schafkopf: Any) -> None:
        play = schafkopf()
        play.deal_hands({2: "E7", 3: "EA"})
        play.alone(2, "rufspiel", card="EA")
        play.do("claim", seat=3, kind="rest", order=["EA"])
        assert play.game.result.re == (2, 3) and play.result()[0] == "re"

    def test_a_revoke_found_then_is_late(self, schafkopf: Any) -> None:
        """II 4.2.1: as if found after the end of the game."""
        play = TestRevoke.with_a_trick_before(schafkopf())
        play.do("claim", seat=2, kind="concede")
        assert play.result()[0] == "kontra"
        serious(play)
        assert play.result() == ("re", [("base", 3), ("schneider", 1), ("schwarz", 1)], {2: 15, 3: -5, 4: -5, 1: -5})
