"""The numbers of bsv, durchgaenge and schnittchen that the direction may set: what they change."""

from typing import Any

import pytest

from kiosk.rules.books.schnittchen import SCHNITTCHEN, late_fine
from kiosk.table.scoresheet.spielliste import list_data


@pytest.mark.parametrize(
    ("rules", "players", "given", "games"),
    [
        ("bsv", 4, None, 24),
        ("bsv", 5, None, 30),
        ("bsv", 4, 7, 7),
        ("durchgaenge", 4, None, 12),
        ("durchgaenge", 4, 3, 3),
        ("schnittchen", 4, None, None),
        ("schnittchen", 4, 16, 16),
    ],
)
def test_games(forty: Any, rules: str, players: int, given: int | None, games: int | None) -> None:
    options = {} if given is None else {"games": given}
    assert forty(rules, players=players, **options).round.games_left == games


@pytest.mark.parametrize(
    ("name", "call", "default"),
    [
        ("limit_ansage", "re", 9),
        ("limit_keine90", "keine90", 8),
        ("limit_keine60", "keine60", 7),
        ("limit_keine30", "keine30", 6),
        ("limit_schwarz", "schwarz", 5),
    ],
)
def test_bsv_limits(forty: Any, name: str, call: str, default: int) -> None:
    steps = ["re", "keine90", "keine60", "keine30", "schwarz"]
    for limit in (default, default - 1):
        for cards, late in ((limit, False), (limit - 1, True)):
            table = forty("bsv", **{name: limit})
            table.deal(4, re=(1, 3), seed=4)
            for step in steps[: steps.index(call)]:
                table.do("announce", seat=1, call=step)
            table.lay(4 * (10 - cards))
            said = table.do("announce", seat=1, call=call)
            assert [o.code for o in table.game.offences if o.event == said] == ["late_announcement"] * late


@pytest.mark.parametrize(("augen", "missed"), [(30, True), (42, True), (43, False)])
def test_bsv_duty_call(forty: Any, augen: int, missed: bool) -> None:
    table = forty("bsv", duty_call_augen=augen)
    table.deal(4, {0: "CA DK", 1: "CT DJ", 2: "CT DT", 3: "CA DA"})
    table.trick("CA CT CT CA")
    table.finish()
    assert ("missed_duty" in [o.code for o in table.game.offences]) is missed


@pytest.mark.parametrize(("limit", "entitled"), [(3, False), (4, True)])
def test_bsv_trumpfschwach(forty: Any, limit: int, entitled: bool) -> None:
    table = forty("bsv", trumpfschwach_trumps=limit)
    hand = ["HT", "HT", "DA", "DK", "CA", "CA", "CT", "CT", "CK", "CK"]
    table.deal(4, {0: hand})
    table.do("hand", seat=1, cards=hand)
    table.do("declare", seat=1, game="trumpfschwach")
    assert ("not_entitled" not in [o.code for o in table.game.offences]) is entitled


def test_bsv_minor(forty: Any) -> None:
    table = forty("bsv", minor_penalty=6)
    table.deal(4)
    table.do("declare", seat=1, game="fleischlos")
    table.do("rule", offender=2, **{"class": "minor"})
    table.do("claim", seat=1, kind="concede")
    assert table.game.result.score == {1: -13, 2: -1, 3: 7, 4: 7}


def test_durchgaenge_points(forty: Any) -> None:
    table = forty("durchgaenge", serious_penalty=30, bonus=0, lost_solo_bonus=0)
    table.deal()
    table.do("rule", offender=2, **{"class": "serious"})
    assert table.round.totals == {1: 10, 2: -30, 3: 10, 4: 10}
    table.deal(4, seed=2)
    table.do("declare", seat=1, game="damensolo")
    table.finish()
    score = table.game.result.score
    value = sum(item.number for item in table.game.result.value)
    assert score[1] == 3 * value if table.game.result.won_by == "re" else score == {
        1: -3 * value, 2: value, 3: value, 4: value
    }  # fmt: skip


@pytest.mark.parametrize(("option", "call", "seat"), [("re_until", "re", 1), ("others_until", "kontra", 2)])
def test_schnittchen_windows(forty: Any, option: str, call: str, seat: int) -> None:
    for laid, late in ((11, False), (12, True)):
        table = forty("schnittchen", **{option: 12})
        table.deal(4, re=(1, 3), seed=4)
        table.lay(laid)
        table.do("announce", seat=seat, call=call)
        assert [o.code for o in table.game.offences if "announcement" in o.code] == ["late_announcement"] * late


def test_schnittchen_money(forty: Any) -> None:
    names = ("revoke_to_soloist", "revoke_to_soloist_after_one", "revoke_to_soloist_after_two")
    for number, (name, calls) in enumerate(zip(names, ([], ["re"], ["re", "kontra"]), strict=True)):
        table = forty("schnittchen", **{name: 10 + number})
        table.deal(4)
        table.do("declare", seat=1, game="damensolo")
        for call in calls:
            table.do("announce", seat=1 if call == "re" else 2, call=call)
        table.do("rule", offender=2, **{"class": "serious"})
        assert list_data(table.round)["fines"] == {"1": -10 - number, "2": 10 + number}
    table = forty("schnittchen", revoke_euros=2)
    table.deal(4)
    table.do("rule", offender=2, **{"class": "serious"})
    assert list_data(table.round)["fines"] == {"1": -2, "2": 6, "3": -2, "4": -2}
    steps = ("", "_second", "_third", "_fourth")
    given = {f"late_euros{step}": n for n, step in enumerate(steps, start=1)}
    given |= {f"late_from{step}": 10 * n for n, step in enumerate(steps, start=1)}
    options = SCHNITTCHEN.settle(given)
    assert [late_fine(minutes, options) for minutes in (9, 10, 20, 30, 39, 40)] == [0, 1, 2, 3, 3, 4]
