"""schnittchen at the table: Hochzeit, calls by cards on the table, Bock, Bockrunden, money, rankings."""

from typing import Any

import pytest

from kiosk.errors import BadEvent
from kiosk.rules.books import SCHNITTCHEN
from kiosk.rules.books.schnittchen import late_fine
from kiosk.rules.engine.standings import ranking, year
from kiosk.table.events.codec import decode
from kiosk.table.round.fold import fold
from kiosk.table.scoresheet.spielliste import list_data, text

HEARTS = {0: "HA", 1: "HA", 2: "HK", 3: "HK"}


def coded(table: Any) -> list[tuple[str, int, str]]:
    return [(offence.code, offence.event, offence.section) for offence in table.game.offences]


def test_frame() -> None:
    """1, 2, 4."""
    given = SCHNITTCHEN.settle({})
    assert len(SCHNITTCHEN.deck) == 40 and SCHNITTCHEN.packets(given) == (3, 4, 3)
    assert SCHNITTCHEN.tables == (4, 5) and all(SCHNITTCHEN.games(n, given) is None for n in (4, 5))


@pytest.mark.parametrize("seat", [1, 2, 3, 4])
def test_first_dealer_and_scorer(forty: Any, seat: int) -> None:
    table = forty("schnittchen", first_dealer=seat, scorer=seat)
    assert table.round.next_dealer == seat and list_data(table.round)["scorer"] == seat


@pytest.mark.parametrize(("karo", "number"), [(True, 12), (False, 9)])
def test_trumpfsolo(forty: Any, karo: bool, number: int) -> None:
    """3.2.3: D with Karo."""
    table = forty("schnittchen", karo_in_trumpfsolo=karo)
    table.deal(4)
    table.do("declare", seat=2, game="trumpfsolo")
    assert (table.game.contract.game, table.game.contract.solo) == ("trumpfsolo", True)
    assert len(table.game.contract.trumps) == number and len(table.game.book.normal.trumps) == 12


def test_first_dulle_wins(forty: Any) -> None:
    """ "Ansonsten"."""
    table = forty("schnittchen")
    table.deal(4, {0: "HT", 1: "DJ", 2: "HT", 3: "DK"})
    table.trick("HT DJ HT DK")
    assert table.game.tricks[0].winner == 1


def test_the_soloist_leads(forty: Any) -> None:
    """4."""
    table = forty("schnittchen")
    table.deal(4)
    table.do("declare", seat=3, game="bubensolo")
    assert table.game.turn == 3


@pytest.mark.parametrize(
    ("players", "option", "solo", "dealer"),
    [
        pytest.param(4, "four_players", True, 1, id="4 the same after a solo"),
        pytest.param(4, "never", True, 2, id="D never"),
        pytest.param(4, "four_players", False, 2, id="a normal game"),
        pytest.param(5, "four_players", True, 2, id="4 not with five"),
    ],
)
def test_dealer_after_a_solo(forty: Any, players: int, option: str, solo: bool, dealer: int) -> None:
    table = forty("schnittchen", players=players, same_dealer_after_solo=option)
    table.deal()
    if solo:
        table.do("declare", seat=3, game="damensolo")
    table.finish()
    assert table.round.next_dealer == dealer


class TestHochzeit:
    @pytest.mark.parametrize(
        ("lead", "partner"), [("SK SA SK ST", 2), ("SA ST SK SK", None)], ids=["another's", "hängen lassen"]
    )
    def test_first_plain_trick(self, forty: Any, lead: str, partner: int | None) -> None:
        """3.3: the first plain trick, whoever wins it."""
        table = forty("schnittchen")
        cards = lead.split()
        table.deal(4, {0: f"CQ CQ HT {cards[0]}", 1: f"DK {cards[1]}", 2: f"DT {cards[2]}", 3: f"DA {cards[3]}"})
        table.do("declare", seat=1, game="hochzeit")
        table.trick("HT DK DT DA")
        assert table.game.klaerung is None
        table.trick(lead)
        assert table.game.klaerung.trick == 1 and table.game.klaerung.partner == partner

    def test_a_trump_trick_with_plain_cards(self, forty: Any) -> None:
        """3.3: it goes by the card led."""
        table = forty("schnittchen")
        table.deal(4, {0: "DK", 1: "SA CA CA CT CT CK CK ST ST SK", 2: "DT", 3: "CQ CQ DA"})
        table.do("declare", seat=4, game="hochzeit")
        table.trick("DK SA DT DA")
        assert table.game.klaerung is None

    def test_no_card_lies_face_down(self, forty: Any) -> None:
        """3."""
        table = forty("schnittchen")
        table.deal(4)
        number = table.card(1, table.hands[1][0], down=True)
        assert ("not_entitled", number, "schnittchen 3") in coded(table)

    def test_alone_is_no_declared_solo(self, forty: Any) -> None:
        """docs/rules.md, Fine points: the dealer goes on."""
        table = forty("schnittchen")
        table.deal(1, {0: "CQ CQ SA", 1: "ST", 2: "SK", 3: "SK"})
        table.do("declare", seat=2, game="hochzeit")
        table.trick("SA ST SK SK")
        table.finish()
        assert table.game.result.re == (2,) and table.round.next_dealer == 2


class TestCalls:
    @pytest.mark.parametrize(
        ("call", "side", "last"),
        [
            pytest.param("re", "re", 4, id="5.1 Re until the 5th"),
            pytest.param("kontra", "kontra", 8, id="5.1 Kontra until the 9th"),
            pytest.param("keine90", "kontra", 8, id="5.2 keine 90 until the 9th"),
            pytest.param("schwarz", "kontra", 8, id="5.2 schwarz until the 9th"),
        ],
    )
    @pytest.mark.parametrize("until", ["touches", "lies"])
    def test_windows(self, forty: Any, call: str, side: str, last: int, until: str) -> None:
        for more in (0, 1):
            table = forty("schnittchen", until_card=until)
            table.deal(4, re=(1, 3), seed=4)
            seat = 1 if side == "re" else 2
            steps = ["kontra", "keine90", "keine60", "keine30", "schwarz"]
            for step in steps[: steps.index(call)] if call in steps else []:
                table.do("announce", seat=seat, call=step)
            table.lay(last + more + (until == "lies"))
            said = table.do("announce", seat=seat, call=call)
            found = [(c, s) for c, e, s in coded(table) if e == said]
            section = "schnittchen 5.1" if call in ("re", "kontra") else "schnittchen 5.2"
            assert found == ([("late_announcement", section)] if more else [])

    def test_only_after_an_own_call(self, forty: Any) -> None:
        """5.2."""
        table = forty("schnittchen")
        table.deal(4, re=(1, 3))
        said = table.do("announce", seat=1, call="keine90", side="re")
        assert coded(table) == [("unfounded_announcement", said, "schnittchen 5.2")]
        assert table.game.judged()[1].level["re"] == 2  # it counts all the same

    def test_no_step_left_out(self, forty: Any) -> None:
        """5.2."""
        table = forty("schnittchen")
        table.deal(4, re=(1, 3))
        table.do("announce", seat=1, call="re")
        said = table.do("announce", seat=1, call="keine60")
        assert coded(table) == [("skipped_step", said, "schnittchen 5.2")]

    @pytest.mark.parametrize(("laid", "code"), [(8, None), (9, "late_announcement")])
    def test_counted_from_the_klaerungsstich(self, forty: Any, laid: int, code: str | None) -> None:
        """5.1, 5.2: one trick before it moves all by four cards."""
        table = forty("schnittchen")
        table.deal(4, {0: "CQ CQ HT SK", 1: "DK SA", 2: "DT SK", 3: "DA ST"})
        table.do("declare", seat=1, game="hochzeit")
        table.trick("HT DK DT DA")
        early = table.do("announce", seat=1, call="re")
        table.trick("SK SA SK ST")
        table.lay(laid - 4)
        said = table.do("announce", seat=3, call="kontra")
        assert ("early_announcement", early, "schnittchen 5.1") in coded(table)
        assert [c for c, e, _ in coded(table) if e == said] == ([code] if code else [])


class TestBock:
    def run(self, forty: Any, calls: list[tuple[int, str]], laid: int = 0, **options: Any) -> tuple[Any, int]:
        table = forty("schnittchen", **options)
        table.deal(4, re=(1, 3), seed=4)
        for seat, call in calls:
            table.do("announce", seat=seat, call=call)
        table.lay(laid)
        return table, table.do("announce", seat=1, call="bock", side="re")

    @pytest.mark.parametrize(
        ("calls", "laid", "code"),
        [
            pytest.param([(1, "re"), (2, "kontra")], 0, None, id="5.2 upon Re and Kontra"),
            pytest.param([(1, "re"), (2, "kontra")], 8, None, id="5.2 until the 9th card"),
            pytest.param([(1, "re"), (2, "kontra")], 9, "late_announcement", id="5.2 not after it"),
            pytest.param([(1, "re")], 0, "unfounded_announcement", id="only Re"),
            pytest.param([], 0, "unfounded_announcement", id="nothing"),
        ],
    )
    def test_when(self, forty: Any, calls: Any, laid: int, code: str | None) -> None:
        table, said = self.run(forty, calls, laid)
        assert [c for c, e, _ in coded(table) if e == said] == ([code] if code else [])
        assert table.game.judged()[1].bock

    @pytest.mark.parametrize(
        ("calls", "option", "code"),
        [
            ([(2, "kontra"), (1, "re")], "either", None),
            ([(2, "kontra"), (1, "re")], "first_side", "unfounded_announcement"),
            ([(1, "re"), (2, "kontra")], "first_side", None),
        ],
    )
    def test_by_whom(self, forty: Any, calls: Any, option: str, code: str | None) -> None:
        table, said = self.run(forty, calls, bock_by=option)
        assert [c for c, e, _ in coded(table) if e == said] == ([code] if code else [])

    def test_once(self, forty: Any) -> None:
        table, _ = self.run(forty, [(1, "re"), (2, "kontra")])
        table.do("announce", seat=2, call="bock", side="kontra")
        assert coded(table) == []
        table.finish()
        assert [pair for pair in table.scored()["value"] if pair[0] == "bock"] in ([["bock", 2]], [])

    def test_other_books_have_none(self, forty: Any) -> None:
        table = forty("bsv")
        table.deal(4)
        with pytest.raises(BadEvent, match="no announcement 'bock'"):
            table.do("announce", seat=1, call="bock")


class TestBockrunde:
    @pytest.mark.parametrize(
        ("players", "option", "games"),
        [(4, "table", 4), (5, "table", 5), (5, "four", 4), (4, "none", 0)],
    )
    def test_after_a_trick_of_hearts(self, forty: Any, players: int, option: str, games: int) -> None:
        """ "Herz-Stich geht durch: Bockrunde"; the game itself is not doubled."""
        table = forty("schnittchen", players=players, bockrunde=option)
        table.deal(None, HEARTS)
        table.trick("HA HA HK HK")
        table.finish()
        assert not table.game.doubled and list_data(table.round)["bock_left"] == games
        for _ in range(games):
            table.deal(None, {0: "HA HA HK HK"}, seed=2)
            assert table.game.doubled
            table.finish()
        table.deal(None, {0: "HA HA HK HK"})
        assert not table.game.doubled

    def test_they_queue_up(self, forty: Any) -> None:
        table = forty("schnittchen")
        for _ in range(2):
            table.deal(None, HEARTS)
            table.trick("HA HA HK HK")
            table.finish()
        assert table.round.bock_left == 7 and "noch 7 Spiele doppelt" in text(table.round)

    def test_a_trumped_trick_makes_none(self, forty: Any) -> None:
        table = forty("schnittchen")
        table.deal(None, {0: "HA", 1: "HA", 2: "HK", 3: "DK CA CA CT CT CK CK SA ST SK"})
        table.trick("HA HA HK DK")
        table.finish()
        assert table.round.bock_left == 0

    def test_only_games_scored_use_one_up(self, forty: Any) -> None:
        """docs/rules.md, Rulings."""
        table = forty("schnittchen")
        table.deal(None, HEARTS)
        table.trick("HA HA HK HK")
        table.finish()
        table.deal(None, {0: "HA HA HK HK"})
        table.do("rule", offender=1, **{"class": "serious"})
        table.deal(None, {0: "HA HA HK HK"})
        table.do("void")
        assert table.round.bock_left == 4
        table.do("strike", game=1)
        assert table.round.bock_left == 0


class TestMoney:
    @pytest.mark.parametrize(
        ("solo", "offender", "calls", "fines"),
        [
            pytest.param(False, 2, [], {"1": -1, "2": 3, "3": -1, "4": -1}, id="1 € to each"),
            pytest.param(True, 1, [], {"1": 3, "2": -1, "3": -1, "4": -1}, id="the soloist as usual"),
            pytest.param(True, 2, [], {"1": -3, "2": 3}, id="3 € without Ansage"),
            pytest.param(True, 2, [(1, "re")], {"1": -4, "2": 4}, id="4 € with one"),
            pytest.param(True, 2, [(1, "re"), (3, "kontra")], {"1": -6, "2": 6}, id="6 € with two"),
        ],
    )
    def test_revoke(self, forty: Any, solo: bool, offender: int, calls: Any, fines: dict[str, int]) -> None:
        """ "Regelverstösse": the game is over, nobody is written anything, it counts as played."""
        table = forty("schnittchen")
        table.deal(4)
        if solo:
            table.do("declare", seat=1, game="damensolo")
        for seat, call in calls:
            table.do("announce", seat=seat, call=call)
        table.do("rule", offender=offender, **{"class": "serious"})
        assert "Kasse" in text(table.round)
        row = table.scored()
        assert row["void"] and row["value"] == [] and set(row["score"].values()) == {0}
        assert list_data(table.round)["fines"] == fines and table.game.result.counted
        table.do("rule", offender=3 if offender != 3 else 4, fines={"3": 2}, **{"class": "serious"})
        assert list_data(table.round)["fines"]["3"] == 2  # the later ruling holds, with the referee's fines
        assert fold(map(decode, table.events)) == table.round

    @pytest.mark.parametrize(
        ("minutes", "euros"),
        [(-9, 0), (0, 0), (4, 0), (5, 20), (15, 20), (16, 30), (30, 30), (31, 40), (45, 40), (46, 50), (200, 50)],
    )
    def test_late(self, minutes: int, euros: int) -> None:
        """ "Strafen für 'Zu-Spät-Kommen'"."""
        assert late_fine(minutes, SCHNITTCHEN.settle({})) == euros

    def test_rankings(self) -> None:
        """ "Pokale": by points; equal points share a place."""
        assert ranking({"Anna": 3, "Bernd": 5, "Cem": 3, "Dora": -11}) == [
            (1, "Bernd", 5),
            (2, "Anna", 3),
            (2, "Cem", 3),
            (4, "Dora", -11),
        ]
        assert ranking(year([{"Anna": 3, "Bernd": -3}, {"Bernd": 7, "Cem": -7}])) == [
            (1, "Bernd", 4),
            (2, "Anna", 3),
            (3, "Cem", -7),
        ]


def test_list(forty: Any) -> None:
    """6.2; the round is open."""
    table = forty("schnittchen", players=5)
    for _ in range(6):
        table.deal()
        table.finish()
    data = list_data(table.round)
    assert data["games_left"] is None and not table.round.over
    assert data["checks"] == [{"check": "row_sums", "section": "schnittchen 6.2", "ok": True, "games": []}]
    assert [one["points"] for one in data["ranking"]] == sorted(table.round.totals.values(), reverse=True)
    table.do("close")
    assert list_data(table.round)["next_dealer"] is None
