"""The cash book of schnittchen: what rulings and coming late cost, who pays whom, exact to the cent."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kiosk.errors import BadEvent
from kiosk.rules.books import BOOKS, SCHNITTCHEN
from kiosk.rules.engine.money import CLUB, cents
from kiosk.table.events.codec import decode
from kiosk.table.round.fold import fold
from kiosk.tournament.cash import DEBT, PAID, Entry, cash_csv, cash_data, cash_text, club_text, fines, has_money, late

START = 1795186800000
OPTIONS = SCHNITTCHEN.settle({})


def test_which_books_have_money() -> None:
    """schaffkopf II 5.2 leaves playing for money to the players, unbooked."""
    assert [name for name, book in BOOKS.items() if has_money(book)] == ["schnittchen"]


class TestRulings:
    @pytest.mark.parametrize(
        ("solo", "offender", "calls", "paid"),
        [
            pytest.param(
                False, 2, [], [("Bernd", "Anna", 100), ("Bernd", "Cem", 100), ("Bernd", "Dora", 100)], id="1 € to each"
            ),
            pytest.param(
                True, 1, [], [("Anna", "Bernd", 100), ("Anna", "Cem", 100), ("Anna", "Dora", 100)], id="the soloist too"
            ),
            pytest.param(True, 2, [], [("Bernd", "Anna", 300)], id="3 € to the soloist"),
            pytest.param(True, 2, [(1, "re")], [("Bernd", "Anna", 400)], id="4 € after one Ansage"),
            pytest.param(True, 2, [(1, "re"), (3, "kontra")], [("Bernd", "Anna", 600)], id="6 € after two"),
        ],
    )
    def test_revoke(self, forty: Any, solo: bool, offender: int, calls: Any, paid: list[Any]) -> None:
        """ "Regelverstösse": it goes to the players, not to the club."""
        table = forty("schnittchen")
        table.deal(4)
        if solo:
            table.do("declare", seat=1, game="damensolo")
        for seat, call in calls:
            table.do("announce", seat=seat, call=call)
        table.do("object", seat=3 if offender != 3 else 4, against=offender, code="revoke")
        number = table.do("rule", offender=offender, at=START, **{"class": "serious"})
        found = fines(table.round)
        assert [(one.payer, one.payee, one.cents) for one in found] == paid
        assert {(one.what, one.at, one.game, one.event) for one in found} == {("revoke", START, 1, number)}

    def test_five_at_the_table(self, forty: Any) -> None:
        """The dealer who sits out is no Spielteilnehmer of that game."""
        table = forty("schnittchen", players=5)
        table.deal(5)
        table.do("rule", offender=2, **{"class": "serious"})
        assert [one.payee for one in fines(table.round)] == ["Anna", "Cem", "Dora"]

    def test_the_offence_is_named(self, forty: Any) -> None:
        table = forty("schnittchen")
        table.deal(4, {0: "CA CA CT CT CK CK SA SA ST ST", 1: "SK SK HA HA HK HK DA DA DT DT"})
        table.trick("CA DA")
        breach = len(table.events) - 1
        table.do("card", seat=3, card="HT")
        table.do("rule", offender=2, breach=breach, **{"class": "serious"})
        one = fines(table.round)[0]
        assert (one.payer, one.what in ("revoke", "ruling")) == ("Bernd", True)

    def test_the_later_ruling_of_a_game_holds(self, forty: Any) -> None:
        """The earlier preset falls away; what a referee fined himself stays."""
        table = forty("schnittchen")
        table.deal(4)
        table.do("rule", offender=1, **{"class": "serious"})
        table.do("rule", offender=None, fines={"4": 2.5}, **{"class": "none"})
        table.do("rule", offender=2, **{"class": "serious"})
        found = [(one.payer, one.payee, one.cents, one.what) for one in fines(table.round)]
        assert found == [
            ("Dora", CLUB, 250, "ruling"),
            ("Bernd", "Anna", 100, "ruling"),
            ("Bernd", "Cem", 100, "ruling"),
            ("Bernd", "Dora", 100, "ruling"),
        ]
        assert table.round.fines == {1: -1, 2: 3, 3: -1, 4: 1.5}
        assert fold(map(decode, table.events)) == table.round

    def test_a_deal_that_is_dealt_again_keeps_its_fine(self, forty: Any) -> None:
        table = forty("schnittchen")
        table.deal(4)
        table.do("rule", offender=None, fines={"4": 1}, resume=True, **{"class": "custom"})
        table.do("void")
        table.deal(4)
        table.finish()
        table.deal()
        table.do("rule", offender=1, **{"class": "serious"})
        found = fines(table.round)
        assert [(one.payer, one.game) for one in found] == [("Dora", None), *[("Anna", 2)] * 3]

    def test_who_sat_there_then_pays(self, forty: Any) -> None:
        """schaffkopf III 1.3 and the like: whoever comes later has not broken the rule."""
        table = forty("schnittchen")
        for player in ("Xaver", "Yvonne"):
            table.do("rule", offender=None, fines={"1": 1, "2": -1}, **{"class": "none"})
            table.do("substitute", seat=1, player=player)
        table.do("rule", offender=None, fines={"1": 1}, **{"class": "none"})
        found = [(one.payer, one.payee) for one in fines(table.round)]
        assert found == [("Anna", "Bernd"), ("Xaver", "Bernd"), ("Yvonne", CLUB)]

    def test_tenths_add_up(self, forty: Any) -> None:
        table = forty("schnittchen")
        for amount in (0.1, 0.2):
            table.do("rule", offender=None, fines={"1": amount}, **{"class": "none"})
        assert table.round.fines == {1: 0.3}
        assert cash_data(SCHNITTCHEN, fines(table.round))["balance"] == 30

    @pytest.mark.parametrize("amount", [0.001, 1e999, float("nan"), "1", True, None])
    def test_less_than_a_cent_is_no_fine(self, forty: Any, amount: object) -> None:
        table = forty("schnittchen")
        with pytest.raises(BadEvent, match="'fines' must be euros, to the cent, by seat"):
            table.do("rule", offender=None, fines={"1": amount}, **{"class": "none"})

    def test_a_referee_may_fine_in_every_book(self, play: Any) -> None:
        table = play()
        table.do("rule", offender=None, fines={"1": 5}, **{"class": "none"})
        assert [(one.payer, one.payee, one.cents, one.game) for one in fines(table.round)] == [
            ("Anna", CLUB, 500, None)
        ]


class TestLate:
    """ "Strafen für 'Zu-Spät-Kommen' ab 2022"; they go to the club."""

    @pytest.mark.parametrize(
        ("came", "euros"),
        [
            ("-10:00", 0),
            ("0:00", 0),
            ("4:59", 0),
            ("5:00", 20),
            ("15:59", 20),
            ("16:00", 30),
            ("30:59", 30),
            ("31:00", 40),
            ("45:59", 40),
            ("46:00", 50),
            ("300:00", 50),
        ],
    )
    def test_the_edges(self, came: str, euros: int) -> None:
        minutes, seconds = came.split(":")
        at = START + 60_000 * int(minutes) + 1000 * int(seconds) + 999 * (seconds == "59")
        found = late(SCHNITTCHEN, OPTIONS, START, {"Cem": at})
        assert [(one.payer, one.payee, one.cents, one.minutes) for one in found] == (
            [("Cem", CLUB, 100 * euros, int(minutes))] if euros else []
        )

    def test_other_books_have_none(self) -> None:
        for name, book in BOOKS.items():
            if name != "schnittchen":
                assert late(book, book.settle({}), START, {"Cem": START + 10**7}) == []


_NAMES = st.sampled_from(["Anna", "Bernd", "Cem", CLUB])
_ENTRIES = st.lists(
    st.builds(
        Entry,
        kind=st.sampled_from([DEBT, PAID]),
        at=st.one_of(st.none(), st.integers(START, START + 9_000_000)),
        payer=_NAMES,
        payee=_NAMES,
        cents=st.integers(1, 10_000),
        what=st.just("ruling"),
    ).filter(lambda one: one.payer != one.payee),
    max_size=10,
)


@given(_ENTRIES)
@settings(max_examples=80, deadline=None)
@pytest.mark.slow
def test_the_balance_is_the_sum_of_the_entries(entries: list[Entry]) -> None:
    data = cash_data(SCHNITTCHEN, entries)
    running = 0
    for one in data["entries"]:
        running += one["cents"] if one["kind"] == DEBT else -one["cents"]
        assert one["balance"] >= running  # more only where too much was paid, which goes back
        if not any(one.kind == PAID for one in entries):
            assert one["balance"] == running
    assert data["balance"] == sum(one["cents"] for one in data["open"])
    timed = [one["at"] for one in data["entries"] if one["at"] is not None]
    assert timed == sorted(timed) and len(data["entries"]) == len(entries)
    # what all pay, all get
    club = data["club"]
    debts = [one for one in entries if one.kind == DEBT]
    from_club = sum(one.cents for one in debts if one.payer is CLUB)
    assert sum(one["pays"] for one in data["people"]) + from_club == sum(one.cents for one in debts)
    assert sum(one["gets"] - one["pays"] for one in data["people"]) + club["due"] == 0
    paid = [
        Entry(kind=PAID, at=None, payer=one["payer"], payee=one["payee"], cents=one["cents"], what="payment")
        for one in data["open"]
    ]
    settled = cash_data(SCHNITTCHEN, [*entries, *paid])
    assert settled["open"] == [] and settled["balance"] == 0
    for language in ("de", "en"):
        assert cash_text(data, language).count("\n") > 3
        lines = cash_csv(data, language).splitlines()
        assert len(lines) == 1 + len(entries)
        point = "," if language == "de" else "."
        shown = [line.split(";")[4:6] for line in lines[1:]]
        assert [cents((owed or paid).replace(point, ".")) for owed, paid in shown] == [
            one["cents"] for one in data["entries"]
        ]


@pytest.mark.parametrize(
    ("due", "paid", "said"),
    [
        pytest.param(18000, 0, "nimmt im Ganzen 180,00 € ein; bisher hat sie 0,00 € eingenommen.", id="fees"),
        pytest.param(-19500, 4500, "zahlt im Ganzen 195,00 € aus; bisher hat sie 45,00 € eingenommen.", id="a gift"),
        pytest.param(-19500, -19500, "zahlt im Ganzen 195,00 € aus; bisher hat sie 195,00 € ausgezahlt.", id="given"),
    ],
)
def test_the_box_is_said_to_take_in_or_pay_out(due: int, paid: int, said: str) -> None:
    club = {"due": due, "paid": paid}
    assert club_text(club) == f"Die Kasse {said}"
    assert not any(sign in club_text(club, "en") for sign in "-−")
