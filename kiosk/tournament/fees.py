"""Say who pays the entry fee, what comes in, and what of fees and prizes stands in the cash book."""

from collections.abc import Iterable

from kiosk.rules.engine.money import CLUB
from kiosk.tournament.cash import DEBT, PAID, Entry
from kiosk.tournament.notes import Noted
from kiosk.tournament.people import Person
from kiosk.tournament.purse import AWARDED
from kiosk.tournament.tournament import Tournament


def payers(tournament: Tournament) -> list[Person]:
    """List who owes the fee: who was here or has paid, also who left or was disqualified since (schaffkopf III 1.2)."""
    seated = {name for plan in tournament.plans.values() for names in plan.seats.values() for name in names}
    return [
        one
        for one in tournament.people.values()
        if not one.substitute and (one.paid_ms is not None or one.checked_in_ms is not None or one.name in seated)
    ]


def income(tournament: Tournament) -> int:
    """Sum what comes in: fees of all who owe one, each as it was when it was paid, and the gift."""
    return tournament.purse.gift + sum(_fee(tournament, one) for one in payers(tournament))


def open_fee(tournament: Tournament, name: object) -> int:
    """Return the cents of the entry fee that somebody still owes."""
    return next((_fee(tournament, one) for one in payers(tournament) if one.name == name and one.paid_ms is None), 0)


def entries(tournament: Tournament, notes: Iterable[Noted]) -> list[Entry]:
    """List fees and prizes for the cash book; what was paid twice, or without being owed, is to be given back."""
    found = []
    for one in payers(tournament) if tournament.purse.fees else ():
        fee = _fee(tournament, one)
        if fee:
            at = one.checked_in_ms if one.paid_ms is None else min(one.checked_in_ms or one.paid_ms, one.paid_ms)
            found.append(Entry(kind=DEBT, at=at, payer=one.name, payee=CLUB, cents=fee, what="fee"))
    for one in tournament.people.values():
        for at in one.payments_ms:
            if fee := tournament.purse.fee_at(at):
                found.append(Entry(kind=PAID, at=at, payer=one.name, payee=CLUB, cents=fee, what="payment"))
    given = awarded(notes)
    for award in given.body["awards"] if given is not None else ():
        if given is not None and award["cents"]:
            name = tournament.called(award["name"])
            found.append(Entry(kind=DEBT, at=given.at, payer=CLUB, payee=name, cents=award["cents"], what="prize"))
    return found


def awarded(notes: Iterable[Noted]) -> Noted | None:
    """Return the note by which prizes were given; None: they were not yet."""
    return next((one for one in notes if one.body.get("note") == AWARDED), None)


def _fee(tournament: Tournament, one: Person) -> int:
    return tournament.purse.fee if one.paid_ms is None else tournament.purse.fee_at(one.paid_ms)
