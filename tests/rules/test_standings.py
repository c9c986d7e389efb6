"""Who is first, by each book; what holds whatever the lists say."""

import hashlib
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kiosk.rules.books import BOOKS
from kiosk.rules.engine.listing import ListRow
from kiosk.rules.engine.standings import (
    BY_POINTS,
    POINTS,
    Finished,
    Place,
    StandingRule,
    draw,
    is_final,
    ranking,
    standings,
    to_draw,
    year,
)
from kiosk.tournament.ranking import finished, standing_data

NAMES = ("Anna", "Bernd", "Cem", "Dora", "Emil", "Fritz", "Gerd", "Hanna")


def row(score: dict[int, int], alone: int | None = None) -> ListRow:
    return ListRow(
        game=1,
        dealer=1,
        due=1,
        kind="normal",
        suit=None,
        declarer=alone,
        duty=False,
        alone=alone,
        score=score,
        total=score,
        won=frozenset(seat for seat, points in score.items() if points > 0),
        points=1,
        void=False,
        struck=False,
        open=False,
    )


def a_list(number: int, table: int, players: tuple[str, ...], *scores: tuple[int, ...], **keys: Any) -> Finished:
    rows = tuple(row(dict(enumerate(score, start=1))) for score in scores)
    return Finished(**{"round": number, "table": table, "players": players, "rows": rows, "closed": True, **keys})


def placed(places: tuple[Place, ...]) -> list[tuple[int | None, str]]:
    return [(one.place, one.name) for one in places]


@pytest.mark.parametrize(
    ("book", "measures", "lot", "all_rounds", "trophies", "section"),
    [
        pytest.param("eppstein", ["points"], False, False, (), "", id="eppstein: silent"),
        pytest.param("bsv", ["points"], False, False, (), "", id="bsv: silent"),
        pytest.param("durchgaenge", ["points"], False, False, (), "", id="durchgaenge: silent"),
        pytest.param("schnittchen", ["points"], False, False, ("day", "year"), "Pokale", id="schnittchen: Pokale"),
        pytest.param(
            "schaffkopf",
            ["points", "games_won", "alleinspiele_won"],
            True,
            True,
            (),
            "III 2.6",
            id="schaffkopf III 2.6",
        ),
    ],
)
def test_books(book: str, measures: list[str], lot: bool, all_rounds: bool, trophies: Any, section: str) -> None:
    rule = BOOKS[book].standing
    assert [measure.name for measure in rule.measures] == measures
    assert (rule.lot, rule.all_rounds, rule.trophies, rule.section) == (lot, all_rounds, trophies, section)


class TestSilentBooks:
    """The sum of the rounds; equal sums share a place."""

    def test_equal_sums_share_a_place(self) -> None:
        lists = [a_list(1, 1, NAMES[:4], (5, 5, 0, 9)), a_list(2, 1, NAMES[:4], (2, 2, 7, 0))]
        places = standings(BY_POINTS, lists)
        assert placed(places) == [(1, "Dora"), (2, "Anna"), (2, "Bernd"), (2, "Cem")]
        assert not to_draw(places) and {one.decided for one in places} == {1}

    def test_who_came_for_one_round_has_a_place(self) -> None:
        lists = [a_list(1, 1, NAMES[:4], (5, 0, 0, 0)), a_list(2, 1, NAMES[1:5], (0, 0, 0, 7))]
        assert placed(standings(BY_POINTS, lists))[:2] == [(1, "Emil"), (2, "Anna")]

    def test_a_substitute_has_none(self) -> None:
        lists = [a_list(1, 1, NAMES[:4], (5, 0, 1, 0), substitutes=frozenset({"Anna"}))]
        places = standings(BY_POINTS, lists)
        assert placed(places) == [(1, "Cem"), (2, "Bernd"), (2, "Dora"), (None, "Anna")]
        assert (places[-1].out, places[-1].values) == ("substitute", (5,))

    def test_a_round_that_somebody_left_gives_him_nothing(self) -> None:
        lists = [
            a_list(1, 1, NAMES[:4], (5, 0, 0, 0)),
            a_list(2, 1, NAMES[:4], (9, 0, 0, 0), left=frozenset({"Anna"})),
        ]
        best = standings(BY_POINTS, lists)[0]
        assert (best.name, best.values, best.out) == ("Anna", (5,), "")

    def test_who_left_his_only_round(self) -> None:
        """Somebody else sits there now, with whom the list goes on."""
        lists = [a_list(1, 1, NAMES[:4], (5, 0, 1, 2), substitutes=frozenset({"Anna"}), left=frozenset({"Zoe"}))]
        places = standings(BY_POINTS, lists)
        assert [(one.name, one.out) for one in places if one.out] == [("Anna", "substitute"), ("Zoe", "left")]

    def test_five_at_a_table(self) -> None:
        """A sitting dealer is written 0 (bsv 10.1), so sums compare with those of four."""
        lists = [a_list(1, 1, NAMES[:5], (0, 1, 1, -1, -1), (1, 0, 1, -1, -1))]
        assert placed(standings(BY_POINTS, lists)) == [
            (1, "Cem"),
            (2, "Anna"),
            (2, "Bernd"),
            (4, "Dora"),
            (4, "Emil"),
        ]

    def test_struck_games_do_not_count(self, play: Any) -> None:
        """eppstein 8.2.1; and a list that is not handed in is provisional."""
        table = play()
        for _ in range(3):
            table.deal()
            table.finish()
        before = {one.name: one.values[0] for one in standings(BY_POINTS, [finished(table.round)])}
        table.do("strike", game=2)
        first = table.round.games[1].result.score
        places = standings(BY_POINTS, [finished(table.round)])
        assert {one.name: one.values[0] for one in places} == {
            name: before[name] - first[seat] for seat, name in enumerate(table.round.players, start=1)
        }
        assert not any(one.final for one in places) and not is_final([finished(table.round)], None)
        table.do("close")
        assert is_final([finished(table.round)], None) and not is_final([finished(table.round)], 2)
        assert not is_final([], None)


class TestEqualPlaces:
    """Where a book is silent the direction may choose what decides between equal sums."""

    LISTS = (
        a_list(1, 1, NAMES[:4], (3, 1, 0, 4)),
        a_list(2, 1, NAMES[:4], (0, 2, 3, -1), (0, 0, 0, 0)),
    )

    @pytest.mark.parametrize("book", [name for name, one in BOOKS.items() if "equal_places" in one.settle({})])
    @pytest.mark.parametrize(
        ("value", "places", "to_be_drawn"),
        [
            ("shared", [1, 1, 1, 1], []),
            ("lot", [1, 1, 1, 1], [("Anna", "Bernd", "Cem", "Dora")]),
            ("games_won", [1, 2, 2, 2], [("Anna", "Cem", "Dora")]),
        ],
    )
    def test_option(self, book: str, value: str, places: list[int], to_be_drawn: list[tuple[str, ...]]) -> None:
        rule = BOOKS[book].standing_by(BOOKS[book].settle({"equal_places": value}))
        found = standings(rule, self.LISTS)
        assert [one.place for one in found] == places and found[0].name == ("Bernd" if value == "games_won" else "Anna")
        assert list(to_draw(found)) == to_be_drawn
        assert rule.trophies == BOOKS[book].standing.trophies

    def test_the_books_own(self) -> None:
        assert BOOKS["schaffkopf"].standing_by(BOOKS["schaffkopf"].settle({})) == BOOKS["schaffkopf"].standing
        assert BOOKS["bsv"].standing_by(BOOKS["bsv"].settle({})) == BY_POINTS


class TestLot:
    def test_anybody_can_check_it(self) -> None:
        """SHA-256 of seed, line end, name."""
        digests = {name: hashlib.sha256(f"7\n{name}".encode()).hexdigest() for name in NAMES}
        assert draw(reversed(NAMES), "7") == tuple(sorted(NAMES, key=lambda name: digests[name]))

    @given(st.sets(st.text(min_size=1), min_size=2, max_size=8), st.text(), st.data())
    @settings(max_examples=50, deadline=None)
    @pytest.mark.slow
    def test_nobody_else_matters(self, names: set[str], seed: str, data: st.DataObject) -> None:
        some = data.draw(st.sets(st.sampled_from(sorted(names))))
        assert draw(some, seed) == tuple(name for name in draw(names, seed) if name in some)

    def test_every_order_comes_about(self) -> None:
        orders = [draw(["Anna", "Bernd", "Cem"], str(seed)) for seed in range(600)]
        assert len(set(orders)) == 6
        assert min(orders.count(order) for order in set(orders)) > 60


def test_what_decided() -> None:
    """III 2.6: each measure only for those between whom the one before decided nothing."""
    names = ("Alone", "Games 2", "Games 1", "Solo 1", "Solo 0", "Lot 1", "Lot 2", "Out")
    points = (9, 5, 5, 3, 3, 1, 1, 9)
    wins = ({1}, {1, 2}, {1}, {1}, {1}, set(), set(), {1})
    lists = []
    for name, total, won in zip(names, points, wins, strict=True):
        first = replace(row({1: total}, 1 if name == "Solo 1" else None), won=frozenset({1} if 1 in won else ()))
        second = replace(row({1: 0}), won=frozenset({1} if 2 in won else ()))
        lists.append(Finished(round=1, table=1, players=(name,), rows=(first, second), closed=name != "Lot 2"))
    lists[-1] = replace(lists[-1], substitutes=frozenset({"Out"}))
    rule = BOOKS["schaffkopf"].standing
    places = standings(rule, lists, [("Lot 2", "Lot 1")])
    assert [(one.place, one.name, one.decided, one.lot) for one in places] == [
        (1, "Alone", 1, None),
        (2, "Games 2", 2, None),
        (3, "Games 1", 2, None),
        (4, "Solo 1", 3, None),
        (5, "Solo 0", 3, None),
        (6, "Lot 2", 3, 1),
        (7, "Lot 1", 3, 2),
        (None, "Out", 1, None),
    ]
    assert [one.name for one in places if not one.final] == ["Lot 2"]
    assert not to_draw(places)
    data = standing_data(BOOKS["schaffkopf"], lists, draws=[("Lot 2", "Lot 1")], rounds=1)
    assert data["columns"] == ["games_won", "alleinspiele_won", "lot"] and data["measures"][0] == "points"
    assert [one["decided"] for one in data["places"]][:6:5] == [[], ["games_won", "alleinspiele_won", "lot"]]
    assert list(data["places"][3]["values"]) == ["points", "games_won", "alleinspiele_won"]
    assert data["not_closed"] == [{"round": 1, "table": 1}]


def test_who_left_one_of_two_rounds() -> None:
    """In two parts of a round: final is who has all lists in."""
    lists = [
        a_list(1, 1, NAMES[:4], (1, 0, 0, 0), closed=True),
        a_list(2, 1, NAMES[:4], (1, 0, 0, 0), closed=False),
        a_list(1, 2, NAMES[4:], (1, 0, 0, 0), closed=True),
    ]
    final = {one.name: one.final for one in standings(BY_POINTS, lists)}
    assert final == {name: name in NAMES[4:] for name in NAMES}
    schaffkopf = BOOKS["schaffkopf"].standing
    assert {one.out for one in standings(schaffkopf, lists)} == {""}  # round 2 is not over: nobody misses it yet
    over = [*lists[:1], replace(lists[1], closed=True), lists[2]]
    missing = {one.name for one in standings(schaffkopf, over) if one.out == "missing"}
    assert missing == set(NAMES[4:])


_SCORES = st.integers(-3, 3)
_GAME = st.tuples(_SCORES, _SCORES, _SCORES, _SCORES)


@st.composite
def tournaments(draw_: st.DrawFn) -> list[Finished]:
    """Two rounds at two tables; some Alleinspiele, some substitutes, some who left."""
    lists = []
    for number in (1, 2):
        seated = draw_(st.permutations(NAMES))
        for table in (1, 2):
            games = draw_(st.lists(st.tuples(_GAME, st.sampled_from([None, 1, 2, 3, 4])), max_size=3))
            players = tuple(seated[4 * table - 4 : 4 * table])
            lists.append(
                Finished(
                    round=number,
                    table=table,
                    players=players,
                    rows=tuple(row(dict(enumerate(score, start=1)), alone) for score, alone in games),
                    closed=draw_(st.booleans()),
                    substitutes=frozenset(draw_(st.sets(st.sampled_from(players), max_size=1))),
                    left=frozenset(draw_(st.sets(st.sampled_from(players), max_size=1))),
                )
            )
    return lists


RULES = [pytest.param(book.standing, id=name) for name, book in BOOKS.items()]


@pytest.mark.parametrize("rule", RULES)
@given(lists=tournaments(), seed=st.integers(0, 99), data=st.data())
@settings(max_examples=40, deadline=None)
@pytest.mark.slow
def test_whatever_the_lists(rule: StandingRule, lists: list[Finished], seed: int, data: st.DataObject) -> None:
    drawn = (draw(NAMES, str(seed)),)
    places = standings(rule, lists, drawn)
    assert sorted(one.name for one in places) == list(NAMES)  # nobody is lost
    inside = [one for one in places if one.place is not None]
    assert places[: len(inside)] == tuple(inside) and all(one.out for one in places[len(inside) :])
    for number, one in enumerate(inside):  # the order is total, a place is one more than those before it
        for other in inside[number + 1 :]:
            assert one.values >= other.values and one.place <= other.place
            assert (one.place == other.place) <= (one.values == other.values)
        assert one.place == 1 + sum(other.place < one.place for other in inside)
        assert one.values[0] == sum(
            sum(part.score[of.players.index(one.name) + 1] for part in of.rows)
            for of in lists
            if one.name in of.players and (rule.all_rounds or one.name not in of.left)
        )
    if rule.lot:  # drawn between all: nobody is equal any more
        assert [one.place for one in inside] == list(range(1, len(inside) + 1)) and not to_draw(places)
        undrawn = standings(rule, lists)
        groups = [set(names) for names in to_draw(undrawn)]
        assert {one.name for one in undrawn if one.needs_lot} == set().union(*groups)
        assert all(len(names) > 1 for names in groups)
    # in whatever order the tables and the seats come
    turn = data.draw(st.integers(0, 3))
    turned = [
        replace(
            one,
            players=one.players[turn:] + one.players[:turn],
            rows=tuple(
                row(
                    {(seat - 1 - turn) % 4 + 1: points for seat, points in part.score.items()},
                    None if part.alone is None else (part.alone - 1 - turn) % 4 + 1,
                )
                for part in one.rows
            ),
        )
        for one in data.draw(st.permutations(lists))
    ]
    again = standings(rule, turned, drawn)
    assert [(one.place, one.name, one.values, one.rounds, one.out) for one in again] == [
        (one.place, one.name, one.values, one.rounds, one.out) for one in places
    ]


def test_year_and_its_ranking() -> None:
    """schnittchen "Pokale": by points; equal points share a place."""
    sums = year([{"Anna": 3, "Bernd": -3}, {"Bernd": 7, "Cem": -7}, {}])
    assert ranking(sums) == [(1, "Bernd", 4), (2, "Anna", 3), (3, "Cem", -7)]
    assert ranking({"Anna": 3, "Bernd": 5, "Cem": 3, "Dora": -11}) == [
        (1, "Bernd", 5),
        (2, "Anna", 3),
        (2, "Cem", 3),
        (4, "Dora", -11),
    ]


def test_points_are_what_the_list_says() -> None:
    assert POINTS.of(row({1: 4, 2: -4}), 2) == -4
