"""Rulings, penalties, shortening, who may claim (eppstein 4.3, 8)."""

from typing import Any

import pytest

from kiosk.demo.play import simulate
from kiosk.errors import BadEvent
from kiosk.rules.books import BOOKS
from kiosk.rules.engine.rights import claimants, may_see_last_trick
from kiosk.table.events.codec import decode
from kiosk.table.round.fold import fold
from kiosk.table.scoresheet.spielliste import replay_data


class TestMinor:
    """8.4."""

    def test_normal(self, normal: Any) -> None:
        """8.4.2: 3 Strafpunkte, one to each other; the game goes on."""
        normal.do("rule", **{"class": "minor", "offender": 2})
        assert normal.round.running
        normal.finish()
        penalty = {1: 1, 2: -3, 3: 1, 4: 1}
        result = normal.game.result
        plain = {seat: result.score[seat] - penalty[seat] for seat in penalty}
        winners = (1, 3) if result.won_by == "re" else (2, 4)
        assert all((points > 0) == (seat in winners) or points == 0 for seat, points in plain.items())
        assert normal.round.games_left == 15

    @pytest.mark.parametrize(
        ("offender", "harms", "penalty"),
        [
            pytest.param(1, False, (-3, 1, 1, 1), id="8.4.3 a soloist"),
            pytest.param(2, True, (3, -3, 0, 0), id="8.4.3 b.1"),
            pytest.param(2, False, (1, -3, 1, 1), id="8.4.3 b.2"),
            pytest.param(1, True, (-3, 1, 1, 1), id="8.4.3 a whatever harms"),
        ],
    )
    def test_solo(self, solo: Any, offender: int, harms: bool, penalty: tuple[int, ...]) -> None:
        solo.do("rule", **{"class": "minor", "offender": offender, "harms_soloist": harms})
        solo.finish()
        with_penalty = solo.scores()
        value = sum(item.number for item in solo.game.result.value)
        won = solo.game.result.won_by == "re"
        plain = (3 * value, 0, 0, 0) if won else (0, value, value, value)
        assert tuple(a - b for a, b in zip(with_penalty, plain, strict=True)) == penalty

    def test_after_the_last_card(self, normal: Any) -> None:
        normal.finish()
        before = normal.scores()
        normal.do("object", seat=1, against=2)
        normal.do("rule", **{"class": "minor", "offender": 2})
        assert normal.scores() == tuple(a + b for a, b in zip(before, (1, -3, 1, 1), strict=True))

    def test_scores_replace_the_preset(self, normal: Any) -> None:
        normal.finish()
        before = normal.scores()
        normal.do("rule", **{"class": "minor", "offender": 2, "scores": {"2": -5}})
        assert normal.scores() == (before[0], before[1] - 5, before[2], before[3])


class TestSerious:
    """8.6.2."""

    @pytest.mark.parametrize(
        ("call", "expected"),
        [
            pytest.param(None, (4, -12, 4, 4), id="no Absage"),
            pytest.param("re", (4, -12, 4, 4), id="an Ansage is no Absage"),
            pytest.param("keine90", (5, -15, 5, 5), id="one Absage"),
            pytest.param("keine60", (6, -18, 6, 6), id="two, one left out"),
            pytest.param("schwarz", (8, -24, 8, 8), id="four"),
        ],
    )
    def test_normal(self, play: Any, call: str | None, expected: tuple[int, ...]) -> None:
        table = play()
        table.deal(4, seed=3)
        if call:
            table.do("announce", seat=1, call=call, **({"side": "re"} if call != "re" else {}))
        table.card(1, "CQ")
        table.lay(1)
        table.card(3, "CQ")
        table.lay(3)
        breach = table.round.events - 1
        table.do("announce", seat=3, call="schwarz") if call is None else None
        table.do("object", seat=3, against=2, code="revoke", breach=breach)
        assert table.game.phase == "resting" and table.game.turn is None
        table.do("rule", **{"class": "serious", "offender": 2})
        assert table.scores() == expected
        game = table.last()
        assert (game["void"], game["won_by"], game["value"], game["re"]) == (True, None, [], [1, 3])
        assert sum(game["points"].values()) == sum(trick["points"] for trick in game["tricks"])
        assert (table.round.games_left, table.round.next_dealer) == (16, 1)

    @pytest.mark.parametrize(
        ("call", "expected"), [(None, (12, -12, 0, 0)), ("keine90", (15, -15, 0, 0)), ("schwarz", (24, -24, 0, 0))]
    )
    def test_by_an_opponent_of_the_soloist(self, play: Any, call: str | None, expected: tuple[int, ...]) -> None:
        """It counts as played, Pflichtsolo done; the same dealer as after any Pflichtsolo."""
        table = play()
        table.deal(1)
        table.do("declare", seat=1, game="damensolo", duty=True)
        if call:
            table.do("announce", seat=1, call=call)
        table.lay(5)
        table.do("rule", **{"class": "serious", "offender": 2})
        assert table.scores() == expected
        assert table.last()["void"] is True
        assert (table.round.games_left, table.round.duties_left[1], table.round.next_dealer) == (15, 0, 1)

    def test_by_the_soloist(self, solo: Any) -> None:
        """As in a normal game; no game used up, Pflichtsolo still owed."""
        solo.do("announce", seat=2, call="kontra")
        solo.do("rule", **{"class": "serious", "offender": 1})
        assert solo.scores() == (-12, 4, 4, 4)
        assert (solo.round.games_left, solo.round.duties_left[1], solo.round.next_dealer) == (16, 1, 1)

    def test_it_ends_the_game(self, normal: Any) -> None:
        normal.do("rule", **{"class": "serious", "offender": 2})
        with pytest.raises(BadEvent, match="no game is running"):
            normal.do("card", seat=1, card="CA")

    def test_sides_that_cannot_be_known(self, play: Any) -> None:
        table = play()
        table.deal(4, seed=3)
        table.card(1, "CQ")
        table.do("rule", **{"class": "serious", "offender": 2})
        assert table.last()["re"] == []
        assert table.scores() == (4, -12, 4, 4)

    def test_a_silent_solo_is_judged_at_the_breach(self, play: Any) -> None:
        """Before its second CQ it is a normal game (docs/rules.md, Rulings)."""
        for tricks, expected in ((0, (4, -12, 4, 4)), (1, (12, -12, 0, 0))):
            table = play()
            table.deal(4, seed=3, re=(1, 1))
            table.card(1, "CQ")
            table.lay(3)
            breach = table.round.events - 1
            while table.game.turn != 1:
                table.lay()
            table.card(1, "CQ")
            table.lay(3)
            if tricks:
                breach = table.round.events - 1
            table.do("rule", **{"class": "serious", "offender": 2, "breach": breach})
            assert table.scores() == expected, tricks


class TestDecided:
    """8.5.1."""

    def test_rest_to_the_other_side_and_minor(self, normal: Any) -> None:
        done = sum(t.points for t in normal.game.tricks if t.winner in (1, 3))
        normal.lay(2)
        normal.do("rule", **{"class": "decided", "offender": 1})
        game = normal.last()
        assert (game["void"], game["re"], game["points"]) == (False, [1, 3], {"re": done, "kontra": 240 - done})
        names = [name for name, _ in game["value"]]
        assert "karlchen" not in names and "fuchs_last" not in names
        assert game["won_by"] == "kontra"
        value = sum(number for _, number in game["value"])
        assert normal.scores() == (-3, value + 1, 1, value + 1)
        assert normal.round.games_left == 15

    def test_the_rest_is_at_least_a_trick(self, play: Any) -> None:
        """Kontra has said schwarz; Re, given the rest, has its first trick (docs/rules.md, Rulings; 6.1.2)."""
        table = play()
        table.deal(4, seed=3)
        table.do("announce", seat=2, call="schwarz", side="kontra")
        table.card(1, "CQ")
        table.lay(1)
        table.card(3, "CQ")
        table.do("rule", **{"class": "decided", "offender": 2})
        assert table.last()["won_by"] == "re"
        assert table.last()["points"] == {"re": 240, "kontra": 0}
        assert ["schwarz", 1] in table.last()["value"]  # Kontra has no trick


class TestCustom:
    def test_resume_adds(self, normal: Any) -> None:
        normal.do("rule", **{"class": "custom", "offender": 2, "scores": {"2": -1}, "resume": True})
        assert normal.round.running
        normal.finish()
        assert normal.last()["void"] is False

    def test_without_resume_ends(self, normal: Any) -> None:
        normal.do("rule", **{"class": "custom", "offender": 2, "scores": {"1": 2, "2": -6}, "fines": {"2": 1.5}})
        assert normal.last()["void"] is True and normal.scores() == (2, -6, 0, 0)
        assert replay_data(normal.round)[-1]["list"]["fines"] == {"2": 1.5}

    def test_none_resumes(self, normal: Any) -> None:
        normal.do("object", seat=1, against=2)
        normal.do("rule", **{"class": "none", "offender": None, "minutes": 5})
        assert normal.game.phase == "playing"
        normal.finish()
        assert normal.round.extra_minutes == 5

    def test_a_throw_in_that_was_none(self, play: Any) -> None:
        """3.4.3, 8.6: the penalty gets its row, the deal does not count."""
        table = play()
        table.deal(1)
        table.do("declare", seat=2, game="schmeissen")
        table.do("rule", **{"class": "serious", "offender": 2})
        assert table.scores() == (4, -12, 4, 4)
        assert (table.round.next_dealer, table.round.games_left) == (1, 16)
        assert table.last()["kind"] == "schmeissen" and table.last()["void"] is True

    @pytest.mark.parametrize("offender", [None, 1])
    def test_a_preset_needs_an_offender_who_plays(self, play: Any, offender: int | None) -> None:
        table = play(5)
        table.deal(1)
        with pytest.raises(BadEvent, match="offender"):
            table.do("rule", **{"class": "serious", "offender": offender})

    @pytest.mark.parametrize("book", BOOKS)
    def test_a_minor_breach_without_an_offender_is_refused_at_once(self, book: str) -> None:
        """Not with the card that ends the game."""
        events = [event for event in simulate(book, 1, 1) if event["event"] != "close"]
        playing = fold(map(decode, events[: 1 + next(n for n, event in enumerate(events) if event["event"] == "card")]))
        with pytest.raises(BadEvent, match="rule: a ruling of class minor needs an offender who plays"):
            playing.apply(decode({"event": "rule", "class": "minor", "offender": None}))


class TestClaim:
    """4.3."""

    def test_rest(self, solo: Any) -> None:
        done = sum(t.points for t in solo.game.tricks if t.winner == 1)
        others = sum(t.points for t in solo.game.tricks) - done
        solo.do("claim", seat=1, kind="rest", order=[])
        assert solo.last()["points"] == {"re": 240 - others, "kontra": others}
        assert not solo.round.running

    @pytest.mark.parametrize(
        "keys",
        [
            pytest.param({"kind": "rest", "accepted": False}, id="4.3.5 in error"),
            pytest.param({"kind": "concede"}, id="4.3.6 handed over"),
        ],
    )
    def test_rest_to_the_others(self, solo: Any, keys: dict[str, Any]) -> None:
        solo.lay(2)
        done = sum(t.points for t in solo.game.tricks if t.winner == 1)
        solo.do("claim", seat=1, **keys)
        assert solo.last()["points"] == {"re": done, "kontra": 240 - done}
        assert len(solo.last()["tricks"]) == 3

    def test_only_the_soloist(self, solo: Any, normal: Any) -> None:
        for table, seat in ((solo, 2), (normal, 1)):
            with pytest.raises(BadEvent, match="may not claim"):
                table.do("claim", seat=seat, kind="rest")

    @pytest.mark.parametrize("book", ["eppstein", "bsv"])
    @pytest.mark.parametrize(
        ("scan", "show", "order", "may"),
        [
            pytest.param(None, 0, "", False, id="nobody has seen a CQ"),
            pytest.param(None, 1, "", False, id="one has been laid"),
            pytest.param(None, 1, "CQ", True, id="one laid, one in the order"),
            pytest.param(None, 0, "CQ CQ", True, id="both in the order"),
            pytest.param(None, 2, "", True, id="both laid"),
            pytest.param(1, 0, "", True, id="both scanned"),
            pytest.param(1, 0, "* CQ CQ", True, id="both scanned, and named after another card"),
            pytest.param(3, 0, "CQ CQ", False, id="another's scan, without"),
        ],
    )
    def test_a_silent_solo(
        self, play: Any, forty: Any, book: str, scan: int | None, show: int, order: str, may: bool
    ) -> None:
        """3.5.5, 4.3.2; bsv 5.4: its player is known by both CQ."""
        seat = scan if scan == 3 else 1
        table = play() if book == "eppstein" else forty("bsv")
        table.deal(4, re=(1, 1))
        if scan:
            table.do("hand", seat=scan, cards=table.hands[scan])
        another, table.hands = table.hands[1][-1], {}
        for _ in range(show):
            table.card(1, "CQ")
            for other in (2, 3, 4):
                table.card(other, "DK")
        keys = {"kind": "concede", "order": order.replace("*", another).split()}
        if may:
            table.do("claim", seat=seat, **keys)
            assert table.game.soloist == (None if scan and not order else seat)  # what all can see
        else:
            with pytest.raises(BadEvent, match="may not claim"):
                table.do("claim", seat=seat, **keys)

    @pytest.mark.parametrize("book", ["eppstein", "bsv"])
    def test_no_hochzeit_before_the_klaerungsstich(self, play: Any, forty: Any, book: str) -> None:
        table = play() if book == "eppstein" else forty("bsv")
        table.deal(4, re=(1, 1))
        table.do("hand", seat=1, cards=table.hands[1])
        table.do("declare", seat=1, game="hochzeit")
        with pytest.raises(BadEvent, match="may not claim"):
            table.do("claim", seat=1, kind="concede")

    def test_the_others_may_still_announce(self, play: Any) -> None:
        """4.3.7."""
        table = play()
        table.deal(4)
        table.do("declare", seat=1, game="damensolo", duty=True)
        table.lay(4)
        table.do("claim", seat=1, kind="rest")
        alone = table.scores()
        table.do("announce", seat=2, call="kontra")
        assert table.scores() == tuple(2 * points for points in alone)
        assert table.codes() == []
        with pytest.raises(BadEvent, match="other side"):
            table.do("announce", seat=1, call="re")
        table.do("object", seat=1, against=2)
        with pytest.raises(BadEvent, match="directly"):
            table.do("announce", seat=2, call="keine90")

    def test_decided_after_a_claim(self, solo: Any) -> None:
        """A rule before the next deal replaces the score: the rest goes to the others (8.5.1)."""
        done = sum(t.points for t in solo.game.tricks if t.winner == 1)
        solo.do("claim", seat=1, kind="rest")
        solo.do("rule", **{"class": "decided", "offender": 1})
        assert solo.last()["points"] == {"re": done, "kontra": 240 - done}

    def test_late_after_a_claim(self, solo: Any) -> None:
        solo.do("claim", seat=1, kind="rest")
        said = solo.do("announce", seat=2, call="kontra")
        assert ("late_announcement", said, said) in solo.codes()

    def test_a_named_order_is_shown(self, play: Any) -> None:
        table = play()
        table.deal(4)
        table.hands = {}
        table.do("declare", seat=1, game="damensolo", duty=True)
        table.card(1, "CA")
        table.card(2, "C9")
        table.card(3, "CT")
        table.card(4, "CK")
        table.card(1, "SA")
        table.card(2, "S9")
        table.card(3, "ST")
        table.card(4, "SK")
        table.card(1, "SK")
        table.card(2, "ST")
        table.card(3, "S9")
        table.card(4, "HA")
        table.card(2, "HA")
        table.card(3, "H9")
        table.card(4, "HK")
        breach = table.card(1, "D9")
        claim = table.do("claim", seat=1, kind="rest", order=["CQ", "CQ", "HT"])
        assert ("revoke", breach, claim) in table.codes()


def test_claimants(normal: Any, play: Any) -> None:
    """8.8.1, 8.8.3."""

    said = normal.do("announce", seat=2, call="schwarz", side="kontra")
    (offence,) = [o for o in normal.game.offences if o.event == said]
    assert claimants(normal.game, offence) == (1, 3)  # clear: only the other side
    turn = normal.game.turn
    normal.lay()
    assert claimants(normal.game, offence) == tuple(seat for seat in (1, 3) if seat != turn)
    table = play()
    table.deal(4, seed=3)
    out = table.card(3, table.hands[3][-1])
    (offence,) = [o for o in table.game.offences if o.event == out]
    assert claimants(table.game, offence) == (1, 2, 4)  # not clear: all but the offender


def test_who_plays_on_has_lost_the_claim(play: Any) -> None:
    """8.8.3: by a card or a call after the breach became certain; not by the card that proves it."""
    table = play()
    table.deal(4, seed=3)
    table.do("announce", seat=2, call="re")
    table.card(1, "CQ")
    table.lay()
    table.card(3, "CQ")
    offence = next(one for one in table.game.offences if one.code == "wrong_side")
    assert claimants(table.game, offence) == (1, 3)
    table.lay()
    assert claimants(table.game, offence) == (1, 3)
    table.do("announce", seat=3, call="re")
    assert claimants(table.game, offence) == (1,)
    table.hands = {}
    table.card(1, "CA")
    assert claimants(table.game, offence) == ()


def test_who_gives_the_rest_away_has_lost_the_claim_of_a_revoke(play: Any) -> None:
    """4.3.6: of a revoke, nothing else; and not by claiming the rest."""
    for kind, lost in (("concede", True), ("rest", False)):
        table = play()
        table.deal(4)
        table.do("declare", seat=1, game="damensolo", duty=True)
        for seat in (1, 2):
            table.do("hand", seat=seat, cards=table.hands[seat])
        table.lay()
        classes = table.game.contract.classes
        led = classes[table.game.open_trick[0].card]
        card = next(card for card in table.hands[2] if classes[card] != led)
        assert any(classes[one] == led for one in table.hands[2])
        table.card(2, card)
        said = table.do("announce", seat=3, call="re")
        table.do("claim", seat=1, kind=kind)
        revoke, wrong = (next(o for o in table.game.offences if o.code == code) for code in ("revoke", "wrong_side"))
        assert wrong.event == said
        assert (1 in claimants(table.game, revoke)) is not lost
        assert 1 in claimants(table.game, wrong)


def test_turns(play: Any) -> None:
    """docs/rules.md, Fine points: order and equality."""
    table = play()
    table.deal(4)
    table.hands = {}
    wrong = table.card(2, "CA")
    assert (table.game.leader, table.game.turn) == (2, 3)
    early = table.card(4, "CK")
    assert table.game.turn == 3
    table.card(3, "CT")
    assert table.game.turn == 1
    assert table.codes()[:2] == [("out_of_turn", wrong, wrong), ("out_of_turn", early, early)]
    assert [o.section for o in table.game.offences][:2] == ["eppstein 4.1.1", "eppstein 4.2.7"]
    with pytest.raises(BadEvent, match="already a card"):
        table.do("card", seat=2, card="C9")
    with pytest.raises(BadEvent, match="cannot be taken back"):
        table.do("retract", seat=2, card="CA")
    table.card(1, "C9")
    table.do("retract", seat=1, card="C9")
    assert table.game.turn == 1 and len(table.game.open_trick) == 3
    table.card(1, "CJ")
    lead = table.card(1, "HT") if table.game.turn != 1 else table.card(2, "HT")
    assert table.game.offences[-1].event == lead
    assert table.game.offences[-1].section == "eppstein 4.1.2"


def test_cards_are_laid_face_up(play: Any) -> None:
    """4.2.1."""
    table = play()
    table.deal(4)
    table.lay(1)
    card = table.lawful(2)[0]
    covered = table.card(2, card, down=True)
    assert ("not_entitled", covered, covered) in table.codes()


def test_extra_time_before_the_first_deal(play: Any) -> None:
    """A table that begins late is given its time (7.4.1); any other ruling needs a game."""
    table = play()
    table.do("rule", **{"class": "none", "minutes": 10})
    assert table.round.extra_minutes == 10
    with pytest.raises(BadEvent, match="no game is running"):
        table.do("rule", **{"class": "minor", "offender": 1})


def test_extra_time_and_fines_stay_when_the_deal_does_not(play: Any) -> None:
    """7.4.1."""
    table = play()
    table.deal(1)
    table.do("declare", seat=2, game="schmeissen")
    table.do("rule", **{"class": "none", "minutes": 4, "fines": {"2": 1}})
    table.deal(1)
    table.do("void")
    table.do("rule", **{"class": "none", "minutes": 3})
    table.deal(1)
    assert table.round.extra_minutes == 7 and table.round.fines == {2: 1}
    assert table.round.games == ()


def test_the_last_trick(normal: Any) -> None:
    """4.4.4, 8.8.5."""
    assert may_see_last_trick(normal.game)
    normal.lay(3)
    assert may_see_last_trick(normal.game)
    normal.do("object", seat=1, against=2)
    assert not may_see_last_trick(normal.game)
