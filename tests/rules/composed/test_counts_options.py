"""Options that a way of counting brings, and those that go with the one before."""

from dataclasses import replace
from typing import Any

import pytest

from kiosk.rules.composed import counted
from kiosk.rules.composed.points import shipped
from kiosk.rules.composed.scoring import SPECIAL, missing_cards
from kiosk.rules.describe import probe
from kiosk.rules.engine.scoring import against_queens, special_against_queens, total
from tests.rules.composed.books import made

READ = {
    "factor_re_kontra", "value_re_kontra", "factor_bock", "value_reached", "value_against_queens",
    "against_queens_in_solo", "doppelkopf_augen", "value_doppelkopf", "value_fuchs", "value_karlchen",
    "value_karlchen_caught", "karlchen_caught_by", "value_fuchs_last", "value_dulle", "second_dulle", "value_herzstich",
}  # fmt: skip


@pytest.mark.parametrize(
    ("base", "points", "wanted"),
    [
        ("bsv", {"calls": "doubled", "special": [], "queens": "never", "reached": False}, "factor_re_kontra"),
        ("bsv", {"calls": "added", "special": [], "queens": "never", "reached": True}, "value_re_kontra value_reached"),
        ("bsv", {"calls": "added", "special": [], "queens": "special", "reached": False},
         "value_re_kontra value_against_queens"),
        ("bsv", {"calls": "added", "special": [], "queens": "special_in_solos_too", "reached": False},
         "value_re_kontra value_against_queens against_queens_in_solo"),
        ("eppstein", {"calls": "added", "special": [], "queens": "value", "reached": False},
         "value_re_kontra value_against_queens against_queens_in_solo"),
        ("schnittchen", {"special": [], "queens": "never", "reached": False}, "factor_re_kontra factor_bock"),
        *(("bsv", {"calls": "doubled", "special": [name], "queens": "never", "reached": False},
           f"factor_re_kontra {options}") for name, options in {
               "doppelkopf": "doppelkopf_augen value_doppelkopf", "fuchs": "value_fuchs", "karlchen": "value_karlchen",
               "karlchen_caught": "value_karlchen_caught karlchen_caught_by", "fuchs_last": "value_fuchs_last",
               "dulle": "value_dulle second_dulle", "herzstich": "value_herzstich"}.items()),
    ],
)  # fmt: skip
def test_what_is_counted_brings_its_options_alone(base: str, points: dict[str, Any], wanted: str) -> None:
    book = made(base, points=points)
    assert {one.name for one in book.options} & READ == set(wanted.split())


def test_where_bock_is_said_no_more_its_factor_goes() -> None:
    book = made("schnittchen", rules={"calls": "by_hand"}, points={"calls": "doubled"})
    assert "factor_bock" not in book.settle({}) and "factor_re_kontra" in book.settle({})


@pytest.mark.parametrize(
    ("base", "written", "doubled", "each_side"),
    [
        ("eppstein", None, False, True),
        ("eppstein", None, True, False),
        ("eppstein", "plus_minus", False, False),
        ("schnittchen", None, False, False),
        ("durchgaenge", None, False, False),
        ("durchgaenge", "plus", False, True),
        ("durchgaenge", "plus", True, False),
        ("bsv", None, True, False),
    ],
)
def test_losers_keep_their_special_points_only_where_losers_are_written_nothing(
    base: str, written: str | None, doubled: bool, each_side: bool
) -> None:
    rules = {"written": written, "list": "plus_minus"} if written == "plus_minus" else {"written": written}
    more = {"rules": rules} if written else {}
    book = made(base, points={"special": ["fuchs"], "special_doubled": doubled}, **more)
    assert ("each_side" in book.option("losers_special_points").values) == each_side


@pytest.mark.parametrize(
    ("queens", "normal", "alone"),
    [("value", 1, 1), ("special", 1, None), ("special_in_solos_too", 1, 1), ("never", None, None)],
)
def test_against_the_queens(queens: str, normal: int | None, alone: int | None) -> None:
    book = made("bsv", points={"queens": queens, "special": []})
    options = {"against_queens_in_solo": True} if queens in ("value", "special_in_solos_too") else {}
    for soloist, wanted in ((None, normal), (1, alone)):
        ended = probe.tally(book, book.settle(options), 100, soloist=soloist)
        found = [abs(item.number) for item in probe.items(book, ended) if item.name == "against_queens"]
        assert found == ([] if wanted is None else [wanted])


@pytest.mark.parametrize(("doubled", "value"), [(True, 4), (False, 3)])
def test_special_points_against_the_queens_are_doubled_with_the_others(doubled: bool, value: int) -> None:
    points = {"calls": "doubled", "queens": "special", "special": [], "special_doubled": doubled}
    book = made("bsv", points=points | {"reached": False})
    ended = probe.tally(book, book.settle({}), 110, levels=(0, 1))
    assert total(probe.items(book, ended)) == value


def test_a_row_that_counts_nothing_against_the_queens() -> None:
    bsv = shipped("bsv")
    without = tuple(rule for rule in bsv.scoring if rule not in (special_against_queens, against_queens))
    assert counted._queens(replace(bsv, scoring=without), False) == "never"


def test_a_special_point_whose_card_is_no_trump_is_named() -> None:
    book = made("bsv", trumps={"normal": ["Q"]}, points={"special": []})
    assert missing_cards(list(SPECIAL), book.normal) == ["fuchs", "karlchen", "karlchen_caught", "fuchs_last", "dulle"]
