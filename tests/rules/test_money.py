"""Amounts to the cent, and who pays whom."""

import re
from decimal import Decimal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kiosk.rules.engine.money import (
    CLUB,
    Payment,
    balances,
    cents,
    euros_text,
    in_euros,
    is_amount,
    open_debts,
    who_pays_whom,
)


@pytest.mark.parametrize(
    ("euros", "amount"),
    [
        (0, 0),
        (3, 300),
        (-1, -100),
        (0.1, 10),
        (0.29, 29),
        (1.15, 115),
        ("2.50", 250),
        (Decimal("0.01"), 1),
        (4.0, 400),
        (10**9, 10**11),
    ],
)
def test_cents(euros: int | float | str | Decimal, amount: int) -> None:
    assert cents(euros) == amount
    assert cents(in_euros(amount)) == amount


@pytest.mark.parametrize(
    "euros", [0.001, 1.005, "", "drei", float("inf"), float("nan"), "1000000000.01", "-1000000000.01"]
)
def test_no_amount(euros: int | float | str) -> None:
    with pytest.raises(ValueError, match=f"{re.escape(repr(euros))} is no amount in euros"):
        cents(euros)
    assert not is_amount(euros)


@pytest.mark.parametrize("value", ["1", True, None, [1], Decimal(1)])
def test_only_numbers_come_in_events(value: object) -> None:
    assert not is_amount(value)
    assert is_amount(2) and is_amount(-2.5)


def test_whole_euros_are_whole_numbers() -> None:
    assert [repr(in_euros(amount)) for amount in (20000, 300, -100, 50, 10101)] == ["200", "3", "-1", "0.5", "101.01"]


@given(st.integers(-(10**11), 10**11))
@settings(max_examples=100, deadline=None)
def test_every_amount_survives_as_a_number(amount: int) -> None:
    """0.1 + 0.2 is never added up in floats."""
    assert cents(in_euros(amount)) == amount


@pytest.mark.parametrize(
    ("amount", "german", "english"),
    [
        (0, "0,00 €", "€0.00"),
        (5, "0,05 €", "€0.05"),
        (2000, "20,00 €", "€20.00"),
        (123456789, "1.234.567,89 €", "€1,234,567.89"),
        (-150, "−1,50 €", "−€1.50"),
    ],
)
def test_text(amount: int, german: str, english: str) -> None:
    assert (euros_text(amount), euros_text(amount, "en")) == (german, english)


@pytest.mark.parametrize(
    ("amounts", "payments"),
    [
        pytest.param({1: -100, 2: 300, 3: -100, 4: -100}, [(2, 1, 100), (2, 3, 100), (2, 4, 100)], id="to each"),
        pytest.param({1: -400, 2: 400}, [(2, 1, 400)], id="to the soloist"),
        pytest.param({3: 500}, [(3, CLUB, 500)], id="to the club"),
        pytest.param({3: 500, 1: -200}, [(3, 1, 200), (3, CLUB, 300)], id="the rest to the club"),
        pytest.param({3: -500}, [(CLUB, 3, 500)], id="from the club"),
        pytest.param({1: 100, 2: 200, 3: -150, 4: -150}, [(1, 3, 100), (2, 3, 50), (2, 4, 150)], id="two pay"),
        pytest.param({1: 0}, [], id="nothing"),
        pytest.param({1: 0, 2: 1, 3: -1, 4: 0}, [(2, 3, 1)], id="a cent, and who has nothing to do with it"),
        pytest.param({1: 1}, [(1, CLUB, 1)], id="a cent to the club"),
        pytest.param({1: -1}, [(CLUB, 1, 1)], id="a cent from the club"),
        pytest.param({1: 300, 2: 100, 3: -100, 4: -300}, [(1, 3, 100), (1, 4, 200), (2, 4, 100)], id="in their order"),
        pytest.param({1: 100, 2: 300, 3: -300, 4: -100}, [(1, 3, 100), (2, 3, 200), (2, 4, 100)], id="theirs too"),
    ],
)
def test_who_pays_whom(amounts: dict[int, int], payments: list[tuple[int | None, int | None, int]]) -> None:
    assert [(one.payer, one.payee, one.cents) for one in who_pays_whom(amounts)] == payments


@given(st.dictionaries(st.integers(1, 5), st.integers(-9999, 9999)))
@settings(max_examples=100, deadline=None)
def test_payments_make_up_the_amounts(amounts: dict[int, int]) -> None:
    payments = who_pays_whom(amounts)
    assert all(one.cents > 0 and one.payer != one.payee for one in payments)
    found = balances(payments)
    assert sum(found.values()) == 0
    assert {who: -found.get(who, 0) for who in amounts} == amounts
    assert found.get(CLUB, 0) == sum(amounts.values())


_PEOPLE = st.sampled_from([CLUB, "Anna", "Bernd", "Cem"])
_PAYMENTS = st.lists(
    st.builds(Payment, _PEOPLE, _PEOPLE, st.integers(1, 5000)).filter(lambda one: one.payer != one.payee), max_size=12
)


@given(_PAYMENTS, _PAYMENTS)
@settings(max_examples=100, deadline=None)
@pytest.mark.slow
def test_what_is_open(debts: list[Payment[str]], paid: list[Payment[str]]) -> None:
    still = open_debts(debts, paid)
    owed, given_, open_ = balances(debts), balances(paid), balances(still)
    for who in (CLUB, "Anna", "Bernd", "Cem"):  # to the cent, whoever paid too much
        assert open_.get(who, 0) == owed.get(who, 0) - given_.get(who, 0)
    assert open_debts(debts, debts) == ()
    assert sum(one.cents for one in open_debts(debts, [])) == sum(one.cents for one in debts)


def test_paid_too_much_comes_back() -> None:
    assert open_debts([Payment("Anna", CLUB, 100)], [Payment("Anna", CLUB, 250)]) == (Payment(CLUB, "Anna", 150),)
