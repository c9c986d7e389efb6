"""The round of Schafkopf, its list and its standing (schaffkopf III)."""

from dataclasses import replace
from typing import Any

import pytest

from kiosk.errors import BadEvent
from kiosk.rules.books.schaffkopf_book import SCHAFFKOPF
from kiosk.rules.engine.listing import ListRow
from kiosk.rules.engine.standings import Finished, is_final, standings, to_draw
from kiosk.table.events.codec import decode
from kiosk.table.round.fold import fold
from kiosk.table.scoresheet.rows import rows
from kiosk.table.scoresheet.spielliste import list_data, replay_data, text

STRONG = "EU GU HU SU EA ET EK GA"


def game(play: Any, seat: int = 2, hand: str = STRONG) -> None:
    play.deal_hands({seat: hand})
    play.alone(seat)
    play.finish()


class TestRound:
    def test_thirty_two_games(self, schafkopf: Any) -> None:
        """III 2.3: the first dealer sits at place 1; II 1: then clockwise."""
        play = schafkopf()
        assert play.round.next_dealer == 1
        dealers = []
        while not play.round.over:
            dealers.append(play.round.next_dealer)
            game(play)
        assert dealers == [1, 2, 3, 4] * 8
        with pytest.raises(BadEvent, match="complete"):
            play.do("deal", dealer=1)

    @pytest.mark.parametrize("games", [1, 5])
    def test_the_number_is_an_option(self, schafkopf: Any, games: int) -> None:
        play = schafkopf(games=games)
        for left in range(games, 0, -1):
            assert play.round.games_left == left
            game(play)
        assert play.round.over

    def test_repeated_by_the_same_dealer(self, schafkopf: Any) -> None:
        """II 1."""
        play = schafkopf()
        play.deal_hands({})
        play.do("void", why="a card was turned up")
        assert play.round.next_dealer == 1 and play.round.games == ()
        game(play)
        game(play)
        play.do("strike", game=2, replay=True)
        assert play.round.next_dealer == 2 and play.round.games_left == 31
        game(play)
        assert play.round.next_dealer == 3 and play.round.games_left == 30

    def test_struck_without_replacement(self, schafkopf: Any) -> None:
        play = schafkopf()
        game(play)
        play.do("strike", game=1)
        assert play.round.totals == dict.fromkeys((1, 2, 3, 4), 0)
        assert play.round.games_left == 31 and play.round.next_dealer == 2

    def test_a_tout_without_leave_is_played_again_if_the_direction_says_so(self, schafkopf: Any) -> None:
        play = schafkopf()
        play.deal_hands({2: STRONG})
        play.alone(2, "wenz-tout")
        play.finish()
        assert play.round.games_left == 31
        play.do("strike", game=1, replay=True)
        assert play.round.games_left == 32 and play.round.next_dealer == 1

    def test_nothing_named(self, schafkopf: Any) -> None:
        """What the camera sees is recorded; who plays with whom nobody knows."""
        play = schafkopf()
        play.deal_hands({})
        play.finish()
        assert play.game.result.kind == "normal" and play.result() == (None, [], {1: 0, 2: 0, 3: 0, 4: 0})

    @pytest.mark.parametrize(("dealer", "leader"), [(1, 2), (2, 3), (3, 4), (4, 1)])
    def test_the_dealers_left_leads(self, schafkopf: Any, dealer: int, leader: int) -> None:
        """II 4: in an Alleinspiel too."""
        play = schafkopf()
        play.deal_hands({}, dealer=dealer)
        play.alone(dealer)
        number = play.card(dealer, play.hands[dealer][0])
        assert play.game.leader == dealer
        assert play.offences() == [("out_of_turn", dealer, number, number, "II 4.2.3")]
        other = schafkopf()
        other.deal_hands({}, dealer=dealer)
        assert other.game.leader == leader


class TestTricks:
    @pytest.mark.parametrize(
        ("game", "keys", "cards", "winner"),
        [
            pytest.param("wenz", {}, "EO ET E7 EK", 3, id="4.1.5 the Ober between König and 9"),
            pytest.param("wenz", {}, "E9 EO E8 E7", 3, id="4.1.5 Ober over 9"),
            pytest.param("wenz", {}, "EA SU HU EO", 4, id="4.1.5 Unter E G H S"),
            pytest.param("solo", {"suit": "S"}, "SA SU HO S7", 4, id="4.1.4 Ober over Unter over suit"),
            pytest.param("solo", {"suit": "S"}, "HA S7 HT HK", 3, id="4.1.4 Herz is plain"),
            pytest.param("rufspiel", {"card": "EA"}, "ST SA H7 SK", 4, id="4.1.6 Herz is trump"),
            pytest.param("rufspiel", {"card": "EA"}, "GO EU HA EO", 1, id="4.1.6 Ober E G H S"),
            pytest.param("rufspiel", {"card": "EA"}, "ST E9 GA S8", 2, id="4 another suit does not win"),
            pytest.param("muss", {"card": "EA"}, "HA H9 HT SU", 1, id="4.1.7 as in a Rufspiel"),
        ],
    )
    def test_who_takes_it(self, schafkopf: Any, game: str, keys: dict[str, str], cards: str, winner: int) -> None:
        play = schafkopf()
        play.do("deal", dealer=1)
        play.do("declare", seat=2, game=game, **keys)
        for seat, card in zip((2, 3, 4, 1), cards.split(), strict=True):
            play.do("card", seat=seat, card=card)
        assert play.game.tricks[0].winner == winner


class TestList:
    """III 3."""

    def test_columns_and_sums(self, schafkopf: Any) -> None:
        play = schafkopf()
        game(play, 2)
        game(play, 3, "E7 E8 E9 G7 G8 G9 S7 S8")
        data = list_data(play.round)
        won, lost = play.round.games[0].result.score[2], -play.round.games[1].result.score[3]
        assert data["columns"][:4] == ["Anna +", "Anna −", "Bernd +", "Bernd −"] and data["scorer"] == 1
        assert data["lines"][0][2:4] == [won, ""] and data["lines"][1][4:6] == ["", lost]
        assert data["sums"][1] == [won + lost // 3, 0] and data["sums"][2] == [0, lost + won // 3]
        assert data["results"] == [data["total"][str(seat)] for seat in (1, 2, 3, 4)] and sum(data["results"]) == 0
        assert data["foot"][0][0] == "Σ" and data["foot"][1][0] == "Ergebnis"
        assert all(check["ok"] for check in data["checks"])
        assert "Ergebnis" in text(play.round) and "Wenz Bernd" in text(play.round)

    def test_single_games_not_cumulated(self, schafkopf: Any) -> None:
        play = schafkopf()
        for _ in range(3):
            game(play)
        data = list_data(play.round)
        assert all(line[2] == play.round.games[n].result.score[2] for n, line in enumerate(data["lines"]))
        assert data["rows"][2]["total"]["2"] == sum(line[2] for line in data["lines"])

    def test_a_row_that_is_not_zero(self, schafkopf: Any) -> None:
        play = schafkopf()
        play.deal_hands({})
        play.do("rule", offender=3, **{"class": "custom"}, scores={"3": -9})
        check = list_data(play.round)["checks"][0]
        assert (check["ok"], check["games"], check["section"]) == (False, [1], "schaffkopf III 3.1")
        play.do("strike", game=1)
        assert list_data(play.round)["checks"][0]["ok"]

    def test_struck_and_noted(self, schafkopf: Any) -> None:
        play = schafkopf()
        for leave in (False, True):
            play.deal_hands({2: STRONG})
            play.alone(2, "solo-tout", leave=leave, suit="S")
            play.finish()
        data = list_data(play.round)
        assert data["lines"][0] == [*[""] * 8, "Solo-Tout Schellen Bernd, gestrichen"]
        assert data["lines"][1][8] == "Solo-Tout Schellen Bernd, mit Vermerk der Turnierleitung"
        printed = replay_data(play.round)[0]
        assert printed["void"] and printed["score"] == {"1": 0, "2": 0, "3": 0, "4": 0}
        assert printed["offences"][0]["code"] == "no_leave"

    def test_signed(self, schafkopf: Any) -> None:
        play = schafkopf(games=1)
        game(play)
        play.do("sign", seat=2)
        play.do("close")
        data = list_data(play.round)
        assert data["signatures"] == {"1": False, "2": True, "3": False, "4": False} and data["closed"]
        assert (data["games_left"], data["duties_left"], data["next_dealer"]) == (0, {}, None)

    def test_sie_printed(self, schafkopf: Any) -> None:
        play = schafkopf()
        play.deal_hands({2: "EO GO HO SO EU GU HU SU"})
        play.alone(2, "sie", leave=True)
        printed = replay_data(play.round)[0]
        assert printed["tricks"] == [] and printed["points"] == {"re": 120, "kontra": 0}
        assert (printed["kind"], printed["declarer"], printed["re"]) == ("sie", 2, [2])
        assert printed["value"] == [["base", 12]] and printed["score"]["2"] == 36
        assert fold(map(decode, play.events)) == play.round


def row(number: int, score: tuple[int, int, int, int], alone: int | None = None) -> ListRow:
    seats = dict(enumerate(score, start=1))
    return ListRow(
        game=number,
        dealer=1,
        due=1,
        kind="wenz" if alone else "rufspiel",
        suit=None,
        declarer=alone or 1,
        duty=False,
        alone=alone,
        score=seats,
        total=seats,
        won=frozenset(seat for seat, points in seats.items() if points > 0),
        points=1,
        void=False,
        struck=False,
        open=False,
    )


def lists(first: list[ListRow], second: list[ListRow], **keys: Any) -> list[Finished]:
    names = ("Anna", "Bernd", "Cem", "Dora")
    return [
        Finished(round=1, table=1, players=names, rows=tuple(first), closed=True),
        Finished(round=2, table=1, players=names, rows=tuple(second), closed=True, **keys),
    ]


RULE = SCHAFFKOPF.standing


class TestStanding:
    """III 2.6."""

    @pytest.mark.parametrize(
        ("first", "second", "order"),
        [
            pytest.param(
                [row(1, (-3, 9, -3, -3), 2)],
                [row(1, (1, 1, -1, -1))],
                [("Bernd", 1), ("Anna", 2), ("Cem", 3), ("Dora", 3)],
                id="1. the sum of both rounds",
            ),
            pytest.param(
                [row(1, (2, -2, 2, -2)), row(2, (-1, 1, -1, 1)), row(3, (-1, 1, -1, 1))],
                [row(1, (0, 0, 0, 0))],
                [("Bernd", 1), ("Dora", 1), ("Anna", 3), ("Cem", 3)],
                id="2. equal: games won",
            ),
            pytest.param(
                [row(1, (-3, 9, -3, -3), 2)],
                [row(1, (9, -3, -3, -3))],
                [("Bernd", 1), ("Anna", 2), ("Cem", 3), ("Dora", 3)],
                id="3. equal: Alleinspiele won",
            ),
        ],
    )
    def test_ties(self, first: list[ListRow], second: list[ListRow], order: list[tuple[str, int]]) -> None:
        found = standings(RULE, lists(first, second))
        assert [(one.name, one.place) for one in found] == order
        assert sum(one.values[0] for one in found) == 0

    def test_the_lot(self) -> None:
        """4.: it decides between those who are equal in everything, and only if all of them were in it."""
        tied = lists([row(1, (1, 1, -1, -1))], [row(1, (1, 1, -1, -1))])
        found = standings(RULE, tied)
        assert [(one.place, one.needs_lot) for one in found] == [(1, True), (1, True), (3, True), (3, True)]
        assert to_draw(found) == (("Anna", "Bernd"), ("Cem", "Dora"))
        drawn = standings(RULE, tied, [("Anna", "Emil"), ("Bernd", "Anna"), ("Dora",)])
        assert [(one.name, one.place, one.lot, one.needs_lot) for one in drawn] == [
            ("Bernd", 1, 1, False),
            ("Anna", 2, 2, False),
            ("Cem", 3, None, True),
            ("Dora", 3, None, True),
        ]
        again = standings(RULE, tied, [("Bernd", "Anna"), ("Anna", "Cem", "Bernd", "Dora")])
        assert [one.name for one in again] == ["Anna", "Bernd", "Cem", "Dora"] and not to_draw(again)

    def test_only_who_played_both_rounds_in_full(self) -> None:
        """III 1.3: substitutes are left out, and so is whom they replaced; III 2.6: both rounds."""
        win = [row(1, (1, 1, -1, -1))]

        def out(*tables: Finished) -> dict[str, str]:
            return {one.name: one.out for one in standings(RULE, tables) if one.place is None}

        assert out(*lists(win, win, substitutes=frozenset({"Dora"}))) == {"Dora": "substitute"}
        assert out(*lists(win, win, left=frozenset({"Anna"}))) == {"Anna": "left"}
        once = Finished(round=2, table=1, players=("Emil", "Bernd", "Cem", "Dora"), rows=(), closed=True)
        assert out(lists(win, win)[0], once) == {"Anna": "missing", "Emil": "missing"}

    def test_a_round_that_still_runs_is_missed_by_nobody(self) -> None:
        first = lists([row(1, (1, 1, -1, -1))], [])[0]
        running = Finished(round=2, table=2, players=("Emil", "Fritz", "Gerd", "Hans"), rows=(), closed=False)
        found = {one.name: (one.place, one.out, one.final) for one in standings(RULE, [first, running])}
        assert found["Anna"] == (1, "", True)
        assert found["Emil"] == (None, "missing", False)
        assert not is_final([first, running], 2) and not is_final([first], 2) and is_final([first], 1)

    def test_twice_in_one_round(self) -> None:
        other = Finished(round=1, table=2, players=("Anna", "Emil", "Fritz", "Gerd"), rows=(), closed=True)
        found = {one.name: one for one in standings(RULE, [*lists([], []), other])}
        assert (found["Anna"].place, found["Anna"].out, found["Anna"].tables[1]) == (None, "twice", (1, 2))

    def test_a_penalty_beside_the_game_takes_no_win(self) -> None:
        """III 1.2: penalty points of the direction are no lost game; nor do those it writes the others win one."""
        one = replace(row(1, (-9, 1, -1, -1)), won=frozenset({1, 2}))
        found = {place.name: place.values[1] for place in standings(RULE, lists([one], []))}
        assert found == {"Anna": 1, "Bernd": 1, "Cem": 0, "Dora": 0}

    def test_from_a_table(self, schafkopf: Any) -> None:
        play = schafkopf(games=2)
        game(play)
        game(play)
        done = [
            Finished(round=n, table=1, players=play.round.players, rows=rows(play.round), closed=True) for n in (1, 2)
        ]
        best = standings(RULE, done)[0]
        assert (best.name, *best.values[1:]) == ("Bernd", 4, 4)
        assert best.values[0] == 2 * play.round.totals[2]
        assert best.rounds == {1: play.round.totals[2], 2: play.round.totals[2]}
