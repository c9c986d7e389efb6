"""Compute with money exactly: amounts are whole cents, debts are lists of payments."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from typing import Generic, TypeVar

from kiosk.errors import shorten

Who = TypeVar("Who")

#: The club's own cash box among those who pay and get.
CLUB = None


def cents(euros: int | float | str | Decimal) -> int:
    """Convert an amount to cents.

    :raises ValueError: if it is no amount to the cent.
    """
    try:
        amount = Decimal(str(euros)) * 100
    except InvalidOperation:
        raise ValueError(f"{shorten(euros)} is no amount in euros") from None
    if not amount.is_finite() or abs(amount) > 10**11 or amount != amount.to_integral_value():
        raise ValueError(f"{shorten(euros)} is no amount in euros and whole cents")
    return int(amount)


def is_amount(value: object) -> bool:
    """Report whether a number is an amount in euros, to the cent."""
    try:
        return type(value) in (int, float) and isinstance(cents(str(value)), int)
    except ValueError:
        return False


def in_euros(amount: int) -> int | float:
    """Convert cents to a number of euros, whole where it is."""
    return amount // 100 if amount % 100 == 0 else amount / 100


def euros_text(amount: int, language: str = "de") -> str:
    """Format an amount as ``1.234,50 €`` or ``€1,234.50``."""
    text = f"{abs(amount) // 100:,}.{abs(amount) % 100:02}"
    sign = "−" if amount < 0 else ""
    if language == "de":
        return sign + text.translate(str.maketrans(",.", ".,")) + " €"
    return f"{sign}€{text}"


@dataclass(frozen=True, slots=True)
class Payment(Generic[Who]):
    """``payer`` owes ``payee`` (or has paid him) this many cents; None is the club."""

    payer: Who | None
    payee: Who | None
    cents: int


def who_pays_whom(amounts: Mapping[Who, int]) -> tuple[Payment[Who], ...]:
    """Split ``amounts``, cents that each pays (+) or gets (−), into payments; the rest goes to the club.

    With one payer everybody gets his own from him; several pay in their order.
    """
    over = sum(amounts.values())
    owing: list[tuple[Who | None, int]] = [(who, amount) for who, amount in amounts.items() if amount > 0]
    getting: list[tuple[Who | None, int]] = [(who, -amount) for who, amount in amounts.items() if amount < 0]
    if over:
        (getting if over > 0 else owing).append((CLUB, abs(over)))
    payments: list[Payment[Who]] = []
    while owing and getting:
        (payer, owed), (payee, due) = owing.pop(0), getting.pop(0)
        amount = min(owed, due)
        payments.append(Payment(payer, payee, amount))
        if owed > amount:
            owing.insert(0, (payer, owed - amount))
        if due > amount:
            getting.insert(0, (payee, due - amount))
    return tuple(payments)


def balances(payments: Iterable[Payment[Who]]) -> dict[Who | None, int]:
    """Sum the cents to get (+) or to pay (−) by person and the club; the sum of all is 0."""
    found: dict[Who | None, int] = {}
    for one in payments:
        found[one.payer] = found.get(one.payer, 0) - one.cents
        found[one.payee] = found.get(one.payee, 0) + one.cents
    return found


def open_debts(debts: Sequence[Payment[Who]], paid: Sequence[Payment[Who]]) -> tuple[Payment[Who], ...]:
    """List the open debts between people in the order in which they arose; an overpayment goes back."""
    between: dict[tuple[Who | None, Who | None], int] = {}
    for sign, payments in ((1, debts), (-1, paid)):
        for one in payments:
            between[one.payer, one.payee] = between.get((one.payer, one.payee), 0) + sign * one.cents
    for payer, payee in list(between):
        there, back = between[payer, payee], between.get((payee, payer), 0)
        if there < 0 or back < 0:
            between[payer, payee], between[payee, payer] = max(0, there - back), max(0, back - there)
    return tuple(Payment(payer, payee, amount) for (payer, payee), amount in between.items() if amount)
