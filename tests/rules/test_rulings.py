"""Rulings, penalties, shortening, who may claim (eppstein 4.3, 8)."""

from typing import Any

import pytest

from kiosk.demo.play import simulate
from kiosk.errors import BadEvent
from kiosk.rules.books import BOOKS, EPPSTEIN
from kiosk.rules.rights import claimants, may_see_last_trick
from kiosk.table.fold import fold
from kiosk.table.spielliste import replay_data


def scores(table: Any, game: int = -1) -> tuple[int, ...]:
    return tuple(points for _, points in sorted(table.round.games[game].result.score.items()))


def last(table: Any) -> dict[str, Any]:
    return replay_data(table.round)[-2]


@pytest.fixture
def solo(play: Any) -> Any:
    """Seat 1 plays a Pflichtsolo, three tricks are done."""
    table = play()
    table.deal(4)
    table.do("declare", seat=1, game="damensolo", duty=True)
    table.lay(12)
    return table


@pytest.fixture
def normal(play: Any) -> Any:
    """Seats 1 and 3 are Re, which their CQ have shown; two tricks are done."""
    table = play()
    table.deal(4, seed=3)
    table.card(1, "CQ")
    table.lay(1)
    table.card(3, "CQ")
    table.lay(1)
    table.lay(4)
    return table


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
        with_penalty = scores(solo)
        value = sum(item.number for item in solo.game.result.value)
        won = solo.game.result.won_by == "re"
        plain = (3 * value, 0, 0, 0) if won else (0, value, value, value)
        assert tuple(a - b for a, b in zip(with_penalty, plain, strict=True)) == penalty

    def test_after_the_last_card(self, normal: Any) -> None:
        normal.finish()
        before = scores(normal)
        normal.do("object", seat=1, against=2)
        normal.do("rule", **{"class": "minor", "offender": 2})
        assert scores(normal) == tuple(a + b for a, b in zip(before, (1, -3, 1, 1), strict=True))

    def test_scores_replace_the_preset(self, normal: Any) -> None:
        normal.finish()
        before = scores(normal)
        normal.do("rule", **{"class": "minor", "offender": 2, "scores": {"2": -5}})
        assert scores(normal) == (before[0], before[1] - 5, before[2], before[3])


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
        assert scores(table) == expected
        game = last(table)
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
        assert scores(table) == expected
        assert last(table)["void"] is True
        assert (table.round.games_left, table.round.duties_left[1], table.round.next_dealer) == (15, 0, 1)

    def test_by_the_soloist(self, solo: Any) -> None:
        """As in a normal game; no game used up, Pflichtsolo still owed."""
        solo.do("announce", seat=2, call="kontra")
        solo.do("rule", **{"class": "serious", "offender": 1})
        assert scores(solo) == (-12, 4, 4, 4)
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
        assert last(table)["re"] == []
        assert scores(table) == (4, -12, 4, 4)

    def test_a_silent_solo_is_judged_at_the_breach(self, play: Any) -> None:
        """Before its second CQ it is a normal game (RULES, Rulings)."""
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
            assert scores(table) == expected, tricks


class TestDecided:
    """8.5.1."""

    def test_rest_to_the_other_side_and_minor(self, normal: Any) -> None:
        done = sum(t.points for t in normal.game.tricks if t.winner in (1, 3))
        normal.lay(2)
        normal.do("rule", **{"class": "decided", "offender": 1})
        game = last(normal)
        assert (game["void"], game["re"], game["points"]) == (False, [1, 3], {"re": done, "kontra": 240 - done})
        names = [name for name, _ in game["value"]]
        assert "karlchen" not in names and "fuchs_last" not in names
        assert game["won_by"] == "kontra"
        value = sum(number for _, number in game["value"])
        assert scores(normal) == (-3, value + 1, 1, value + 1)
        assert normal.round.games_left == 15

    def test_the_rest_is_at_least_a_trick(self, play: Any) -> None:
        """Kontra has said schwarz; Re, given the rest, has its first trick (RULES, Rulings; 6.1.2)."""
        table = play()
        table.deal(4, seed=3)
        table.do("announce", seat=2, call="schwarz", side="kontra")
        table.card(1, "CQ")
        table.lay(1)
        table.card(3, "CQ")
        table.do("rule", **{"class": "decided", "offender": 2})
        assert last(table)["won_by"] == "re"
        assert last(table)["points"] == {"re": 240, "kontra": 0}
        assert ["schwarz", 1] in last(table)["value"]  # Kontra has no trick


class TestCustom:
    def test_resume_adds(self, normal: Any) -> None:
        normal.do("rule", **{"class": "custom", "offender": 2, "scores": {"2": -1}, "resume": True})
        assert normal.round.running
        normal.finish()
        assert last(normal)["void"] is False

    def test_without_resume_ends(self, normal: Any) -> None:
        normal.do("rule", **{"class": "custom", "offender": 2, "scores": {"1": 2, "2": -6}, "fines": {"2": 1.5}})
        assert last(normal)["void"] is True and scores(normal) == (2, -6, 0, 0)
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
        assert scores(table) == (4, -12, 4, 4)
        assert (table.round.next_dealer, table.round.games_left) == (1, 16)
        assert last(table)["kind"] == "schmeissen" and last(table)["void"] is True

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
        playing = fold(events[: 1 + next(n for n, event in enumerate(events) if event["event"] == "card")])
        with pytest.raises(BadEvent, match="rule: a ruling of class minor needs an offender who plays"):
            playing.apply({"event": "rule", "class": "minor", "offender": None})


class TestClaim:
    """4.3."""

    def test_rest(self, solo: Any) -> None:
        done = sum(t.points for t in solo.game.tricks if t.winner == 1)
        others = sum(t.points for t in solo.game.tricks) - done
        solo.do("claim", seat=1, kind="rest", order=[])
        assert last(solo)["points"] == {"re": 240 - others, "kontra": others}
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
        assert last(solo)["points"] == {"re": done, "kontra": 240 - done}
        assert len(last(solo)["tricks"]) == 3

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
        table.hands = {}
        for _ in range(show):
            table.card(1, "CQ")
            for other in (2, 3, 4):
                table.card(other, "DK")
        keys = {"kind": "concede", "order": order.split()}
        if may:
            table.do("claim", seat=seat, **keys)
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
        alone = scores(table)
        table.do("announce", seat=2, call="kontra")
        assert scores(table) == tuple(2 * points for points in alone)
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
        assert last(solo)["points"] == {"re": done, "kontra": 240 - done}

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
    """RULES, Fine points: order and equality."""
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
        plain = last(table)
        if end:
            table.do("rule", **end)
        assert ("karlchen" in [name for name, _ in last(table)["value"]]) is counts
        assert (last(table)["points"], last(table)["value"]) == (plain["points"], plain["value"])

    def test_broken_off(self, play: Any) -> None:
        """8.5.1: the last finished trick is not the last one."""
        table = play()
        table.deal(4)
        table.hands = {}
        for card in ["CQ", "D9", "CQ", "DK", "CJ", "D9", "DK", "DJ"]:
            table.card(table.game.turn, card)
        table.do("rule", **{"class": "decided", "offender": 2})
        assert last(table)["won_by"] and "karlchen" not in [name for name, _ in last(table)["value"]]

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
        assert ["schwarz", 1] in last(table)["value"]
        table.do("rule", **{"class": "decided", "offender": 1})
        assert ["schwarz", 1] in last(table)["value"]


class TestKnownOnlyByHands:
    """A game broken off: who plays alone may be certain by hands that were scanned."""

    def test_both_queens_in_the_only_hand_left(self, play: Any) -> None:
        table = play()
        table.deal(4, re=(1, 1))
        for seat in (2, 3, 4):
            table.do("hand", seat=seat, cards=table.hands[seat])
        table.do("rule", **{"class": "decided", "offender": 2})
        game = last(table)
        assert (game["kind"], game["re"]) == ("still", [1])
        value = sum(number for _, number in game["value"])
        assert scores(table) == (3 * value + 1, -3, 1, 1)

    def test_a_misread_makes_nobody_a_soloist(self, play: Any) -> None:
        """All hands scanned, one CQ read as another card."""
        table = play()
        table.deal(4, re=(1, 3))
        for seat in (1, 2, 3, 4):
            cards = ["C9" if seat == 3 and card == "CQ" else card for card in table.hands[seat]]
            table.do("hand", seat=seat, cards=cards)
        table.do("rule", **{"class": "decided", "offender": 2})
        game = last(table)
        assert (game["kind"], game["re"]) == ("normal", [1])
        assert len(set(scores(table))) == 3


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
    assert last(table)["won_by"] == "re"
    table = play()
    table.deal(4)
    table.do("declare", seat=1, game="fleischlos", duty=True)
    table.do("announce", seat=2, call="schwarz", side="kontra")
    table.do("claim", seat=1, kind="concede")
    assert last(table)["won_by"] == "kontra"


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
        assert scores(table) == (0, 0, 0, 0) and last(table)["void"] is True

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
        assert scores(table) == (1, -3, 1, 1) and last(table)["void"] is True
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
    """8.4.3; RULES, Rulings: whether it was a solo is judged at the breach."""

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
        """A misread somewhere: no revoke is proved any more."""
        table = play()
        table.deal(4)
        hand = list(table.hands[2])
        table.do("hand", seat=2, cards=hand)
        scan = table.do("hand", seat=3, cards=hand)
        assert table.codes() == [("impossible_card", scan, scan)] and table.game.misread
        (offence,) = table.game.offences
        assert (offence.section, offence.seat) == ("eppstein 1.2.1", 3)
        assert claimants(table.game, offence) == ()  # a misread, no offence
        table.hands = {}
        table.card(1, "CA")
        other = next(card for card in hand if table.game.contract.classes[card] != "C")
        table.card(2, other)
        assert [code for code, _, _ in table.codes()] == ["impossible_card"]


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
