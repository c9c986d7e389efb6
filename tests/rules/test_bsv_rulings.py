"""bsv after a breach and over a round: rulings, dealers, the list."""

from typing import Any

import pytest

from kiosk.errors import BadEvent
from kiosk.rules.engine.rights import claimants
from kiosk.table.scoresheet.spielliste import list_data, text


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
        """7.3; docs/rules.md, Rulings."""
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
