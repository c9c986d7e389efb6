"""Compute standing, cash book and the year's ranking of a tournament from its tables' rounds and its notes."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import date
from typing import Any

from kiosk.errors import LocalisedError, shorten
from kiosk.rules.engine.book import RuleBook
from kiosk.rules.engine.money import CLUB, Payment, open_debts
from kiosk.rules.engine.standings import YEAR, Finished, draw, is_final
from kiosk.rules.options.option import Options
from kiosk.table.round.fold import Round
from kiosk.table.scoresheet.berichtigung import counted
from kiosk.table.scoresheet.counted import CountedList
from kiosk.tournament import fees
from kiosk.tournament.appeal import closed_ms, mends_after, until
from kiosk.tournament.berichtigung import on_paper
from kiosk.tournament.cash import DEBT, PAID, Entry, cash_data, fines, has_money, late
from kiosk.tournament.notes import Noted
from kiosk.tournament.ranking import day_of, evening, finished, standing_data, year_data
from kiosk.tournament.tournament import Tournament

LOT, PAID_NOTE, PAID_BACK, COUNTS = "lot", "paid", "paid_back", "year_counts"


class NoLot(LocalisedError):
    """A lot that need not be drawn, or not between these people."""


class NoPayment(LocalisedError):
    """A payment that nobody owes, or that cannot be taken back."""


def rounds_of(tournament: Tournament, all_rounds: Iterable[Round]) -> tuple[RuleBook, list[Round], list[Round]]:
    """Return the tournament's book, its tables' rounds by that book, and the uncounted ones by another.

    A round that the programme has played by another book counts by that one.
    """
    rounds = with_paper(tournament, all_rounds)
    played = Counter(one.book.name for one in rounds)
    book = tournament.book
    own = {number: one.rules for number, one in tournament.programme.items() if one.rules is not None}
    if rounds and not own and (not tournament.chosen or book.name not in played):
        name = played.most_common(1)[0][0]
        book = next(one.book for one in rounds if one.book.name == name)
    counted: list[Round] = []
    others: list[Round] = []
    for one in rounds:
        (counted if one.book.name == own.get(one.round, book.name) else others).append(one)
    return book, counted, others


def lists_of(tournament: Tournament, rounds: Iterable[Round]) -> list[Finished]:
    """Convert the lists as they count for a standing, people under today's names."""
    found = []
    excluded = tournament.disqualified()
    for one in rounds:
        listed = finished(counted_list(tournament, one), tournament.substitutes(), tournament.left(one.round))
        names = tuple(tournament.called(name) for name in listed.players)
        found.append(replace(listed, players=names, disqualified=excluded))
    return found


def counted_list(tournament: Tournament, one: Round) -> CountedList:
    """Return a table's list as it counts, with what the direction has noted of it."""
    return counted(one, tournament.lists.get((one.round, one.table), ()))


def paper_list(tournament: Tournament, round_: int, table: int) -> Round | None:
    """Open the list of a table that keeps it on paper: seats by the plan; None where nobody was seated there."""
    plan = tournament.plans.get(round_)
    names = plan.seats.get(table, ()) if plan is not None else ()
    rules = tournament.rules_of(round_)
    if len(names) not in rules.book.tables:
        return None
    return on_paper(
        rules.book,
        names,
        round_=round_,
        table=table,
        options=rules.options,
        substitutes=tournament.substitutes(),
        tournament=tournament.name,
    )


def with_paper(tournament: Tournament, played: Iterable[Round]) -> list[Round]:
    """Return the tables' rounds, and an empty one for each list of which only paper is known."""
    rounds = list(played)
    there = {(one.round, one.table) for one in rounds}
    typed = [paper_list(tournament, *key) for key in sorted(tournament.lists) if key not in there]
    return rounds + [one for one in typed if one is not None]


def draws_of(tournament: Tournament, notes: Iterable[Noted]) -> list[dict[str, Any]]:
    """List every lot drawn, oldest first: ``order`` of names, the ``seed`` ("" if drawn by hand), when."""
    return [
        {
            "at": one.at,
            "seed": one.body.get("seed", ""),
            "order": [tournament.called(name) for name in one.body["order"]],
        }
        for one in notes
        if one.body.get("note") == LOT
    ]


def standing(
    tournament: Tournament, played: Iterable[Round], notes: Sequence[Noted], after: int | None = None
) -> dict[str, Any]:
    """Compute the standing with the lots drawn and the lists of other books left out.

    ``corrected``: what was put right after the last list was in, None if nothing: ``at`` (ms since the epoch) and
    ``lists`` of the Berichtigungen, and whose ``places`` are others now, with ``before`` and ``now``.

    :param after: the round after which it is wanted; None: as it stands now, finalists before all others.
    """
    book, rounds, others = rounds_of(tournament, played)
    rounds = [one for one in rounds if after is None or one.round <= after]
    draws = draws_of(tournament, notes)
    data = _standing_data(tournament, book, rounds, draws, after)
    return {
        **data,
        "after": after,
        "tournament": tournament.name,
        "draws": draws,
        "corrected": None if after else _corrected(tournament, book, rounds, draws, data),
        "other_books": [{"round": one.round, "table": one.table, "rules": one.book.name} for one in others],
    }


def _standing_data(
    tournament: Tournament,
    book: RuleBook,
    rounds: Sequence[Round],
    draws: Sequence[Mapping[str, Any]],
    after: int | None = None,
) -> dict[str, Any]:
    return standing_data(
        book,
        lists_of(tournament, rounds),
        options=_options(tournament, book, rounds),
        draws=[one["order"] for one in draws],
        rounds=after or _rounds(tournament, book),
        first=tournament.finalists() if after is None else (),
    )


def _corrected(
    tournament: Tournament,
    book: RuleBook,
    rounds: Sequence[Round],
    draws: Sequence[Mapping[str, Any]],
    data: Mapping[str, Any],
) -> dict[str, Any] | None:
    ended = _ended_ms(tournament, book, rounds)
    later = [] if ended is None else mends_after(tournament.lists, ended)
    if ended is None or not later:
        return None
    was = _standing_data(replace(tournament, lists=until(tournament.lists, ended)), book, rounds, draws)
    before = {one["name"]: one["place"] for one in was["places"]}
    return {
        "at": later[-1][2].at,
        "lists": [{"round": round_, "table": table} for round_, table in sorted({one[:2] for one in later})],
        "places": [
            {"name": one["name"], "before": before.get(one["name"]), "now": one["place"]}
            for one in data["places"]
            if before.get(one["name"]) != one["place"]
        ],
    }


def ended_ms(tournament: Tournament, played: Iterable[Round]) -> int | None:
    """Return when the last list of the tournament was in, ms since the epoch; None while one is open or to come."""
    book, rounds, _ = rounds_of(tournament, played)
    return _ended_ms(tournament, book, rounds)


def _ended_ms(tournament: Tournament, book: RuleBook, rounds: Sequence[Round]) -> int | None:
    if not is_final(lists_of(tournament, rounds), _rounds(tournament, book)):
        return None
    times = [closed_ms(one, tournament.lists.get((one.round, one.table), ())) for one in rounds]
    return max((at for at in times if at is not None), default=None)


def appeal_over_ms(tournament: Tournament, played: Iterable[Round]) -> int | None:
    """Return when the time for objections ends, by the option ``appeal_minutes``; None: it has no end yet."""
    played = list(played)
    book, rounds, _ = rounds_of(tournament, played)
    minutes = int(_options(tournament, book, rounds)["appeal_minutes"])
    ended = _ended_ms(tournament, book, rounds) if minutes else None
    return None if ended is None else ended + minutes * 60_000


def _options(tournament: Tournament, book: RuleBook, rounds: Sequence[Round]) -> Options:
    """What the direction has chosen by now; where it has chosen nothing, what the tables play by."""
    if tournament.chosen and tournament.book is book:
        return book.settle(tournament.options)
    return rounds[0].options if rounds else book.settle({})


def _rounds(tournament: Tournament, book: RuleBook) -> int | None:
    """How many rounds are to be played; None where neither the direction nor the book says."""
    return (
        len(tournament.programme)
        or tournament.rounds_set
        or book.rounds(book.settle(tournament.options if book is tournament.book else {}))
    )


def lot_note(data: Mapping[str, Any], names: object, order: object, seed: str) -> dict[str, Any]:
    """Make the note of a lot between ``names``: drawn from ``seed``, or by hand in the ``order`` given.

    :raises NoLot: between these people no lot is to be drawn, or the order is not theirs.
    """
    groups = [set(group) for group in data["to_draw"]]
    if not isinstance(names, list) or set(map(str, names)) not in groups:
        raise NoLot("no_lot", f"between {shorten(names)} no lot is to be drawn; look at the standing again")
    if order is None:
        return {"note": LOT, "order": list(draw(map(str, names), seed)), "seed": seed}
    if not isinstance(order, list) or sorted(map(str, order)) != sorted(map(str, names)):
        raise NoLot("lot_order", f"{shorten(order)}: every one of {shorten(names)} once, in the order drawn, is wanted")
    return {"note": LOT, "order": [str(name) for name in order], "seed": ""}


# The cash box


def cash_entries(tournament: Tournament, played: Iterable[Round], notes: Sequence[Noted]) -> list[Entry]:
    """List fines by rulings and for coming late, and payments; people under today's names."""
    book, rounds, others = rounds_of(tournament, played)
    entries = [
        _renamed(entry, tournament)
        for one in (*rounds, *others)
        for entry in _fines(one, counted_list(tournament, one))
    ]
    options = _options(tournament, book, rounds)
    for person in tournament.people.values():
        start = None if person.checked_in_ms is None else tournament.start_ms(person.checked_in_ms)
        if start is not None and person.checked_in_ms is not None:
            entries += late(book, options, start, {person.name: person.checked_in_ms})
    return [*entries, *fees.entries(tournament, notes), *(one for _, one in payments(tournament, notes))]


def _fines(one: Round, listed: CountedList) -> list[Entry]:
    """The fines of a list; where names or seats were put right, those concerned pay and get."""
    named: dict[str | None, str | None] = dict(zip(one.players, listed.players, strict=True))
    return [
        replace(entry, payer=named.get(entry.payer, entry.payer), payee=named.get(entry.payee, entry.payee))
        for entry in fines(one)
    ]


def _renamed(entry: Entry, tournament: Tournament) -> Entry:
    return replace(
        entry,
        payer=entry.payer if entry.payer is CLUB else tournament.called(entry.payer),
        payee=entry.payee if entry.payee is CLUB else tournament.called(entry.payee),
    )


def payments(tournament: Tournament, notes: Iterable[Noted]) -> list[tuple[int, Entry]]:
    """List payments with their notes' numbers, those taken back left out."""
    notes = list(notes)
    back = {one.body.get("number") for one in notes if one.body.get("note") == PAID_BACK}
    return [
        (
            one.number,
            _renamed(
                Entry(
                    kind=PAID,
                    at=one.at,
                    payer=one.body["payer"],
                    payee=one.body["payee"],
                    cents=one.body["cents"],
                    what="payment",
                ),
                tournament,
            ),
        )
        for one in notes
        if one.body.get("note") == PAID_NOTE and one.number not in back
    ]


def cash(tournament: Tournament, played: Iterable[Round], notes: Sequence[Noted]) -> dict[str, Any]:
    """Compute the tournament's cash book; ``payments`` may be taken back by their numbers."""
    played = list(played)
    book, _, _ = rounds_of(tournament, played)
    data = cash_data(book, cash_entries(tournament, played, notes))
    return {
        **data,
        "tournament": tournament.name,
        "start": None if tournament.start is None else tournament.start.isoformat("minutes"),
        "late_fines": book.late_fine is not None,
        "payments": [
            {"number": number, "at": one.at, "payer": one.payer, "payee": one.payee, "cents": one.cents}
            for number, one in payments(tournament, notes)
        ],
    }


def payment_note(entries: Iterable[Entry], wish: Mapping[str, Any], fee: int = 0) -> dict[str, Any]:
    """Make the note of a payment of a debt, or a part of it.

    :param wish: ``payer``, ``payee`` and ``cents``; ``owed``, the debt as it was shown, where it is there.
    :param fee: cents of it that are the entry fee: that is noted with the person, so that nobody pays it twice.
    :raises NoPayment: he does not owe so much, or something else than was shown.
    """
    entries, payer, payee, cents = list(entries), wish.get("payer"), wish.get("payee"), wish.get("cents")
    debts = [one.payment for one in entries if one.kind == DEBT]
    paid = [one.payment for one in entries if one.kind == PAID]
    owed: Payment[str] | None = next(
        (one for one in open_debts(debts, paid) if (one.payer, one.payee) == (payer, payee)), None
    )
    if owed is None or type(cents) is not int or not 0 < cents <= owed.cents:
        open_ = 0 if owed is None else owed.cents
        raise NoPayment(
            "no_debt",
            f"{payer!r} owes {payee!r} {open_} cents; {shorten(cents)} cannot be paid, look at the cash book again",
            cents=open_,
        )
    if wish.get("owed", owed.cents) != owed.cents:
        raise NoPayment(
            "debt_meanwhile",
            f"{payer!r} owes {payee!r} {owed.cents} cents by now: somebody has noted something meanwhile; look again",
            cents=owed.cents,
        )
    if payee is CLUB and cents > owed.cents - fee:
        raise NoPayment(
            "fee_open",
            f"{fee} cents of what {payer!r} owes are the entry fee; note it with the person, then pay the rest here",
            cents=fee,
        )
    return {"note": PAID_NOTE, "payer": payer, "payee": payee, "cents": cents}


def payment_back_note(tournament: Tournament, notes: Iterable[Noted], number: int) -> dict[str, Any]:
    """Make the note that takes a payment back.

    :raises NoPayment: no such payment is noted, or it was taken back already.
    """
    if number not in [one for one, _ in payments(tournament, notes)]:
        raise NoPayment("no_payment", f"payment {number} is not in the cash book, or was taken back already")
    return {"note": PAID_BACK, "number": number}


# The year


def counts(notes: Iterable[Noted]) -> bool:
    """Report whether a tournament counts for its year; a rehearsal may be left out."""
    said = [bool(one.body.get("counts")) for one in notes if one.body.get("note") == COUNTS]
    return said[-1] if said else True


def days_of(tournament: Tournament, rounds: Iterable[Round]) -> dict[date, list[Finished]]:
    """Group a tournament's lists by day: the day set for it, else that on which each was opened."""
    days: dict[date, list[Finished]] = {}
    for one in rounds:
        day = tournament.day or (day_of(one) if any(event.at is not None for _, event in one.in_order) else None)
        day = day or _day_typed(tournament, one)
        if day is not None:
            days.setdefault(day, []).extend(lists_of(tournament, [one]))
    return days


def _day_typed(tournament: Tournament, one: Round) -> date | None:
    """The day on which the first row of a list on paper was typed in."""
    notes = tournament.lists.get((one.round, one.table), ())
    return evening(notes[0].at) if notes else None


def years(
    tournaments: Iterable[tuple[Tournament, Sequence[Round], Sequence[Noted]]],
) -> dict[int, dict[str, Any]]:
    """Compute the ranking of every year for which a book gives a trophy, with the tournaments that count or not."""
    by_book: dict[tuple[int, str], dict[date, list[Finished]]] = {}
    books: dict[str, RuleBook] = {}
    among: dict[int, list[dict[str, Any]]] = {}
    for place, (tournament, played, notes) in enumerate(tournaments):
        book, rounds, _ = rounds_of(tournament, played)
        if YEAR not in book.standing.trophies:
            continue
        books[book.name] = book
        days = days_of(tournament, rounds)
        for number in sorted({day.year for day in days}):
            among.setdefault(number, []).append(
                {
                    "tournament": tournament.name,
                    "days": [day.isoformat() for day in sorted(days) if day.year == number],
                    "counts": counts(notes),
                }
            )
        for day, lists in days.items() if counts(notes) else ():
            by_book.setdefault((day.year, book.name), {}).setdefault(day, []).extend(
                replace(one, round=1000 * place + one.round)
                for one in lists  # two tournaments of one day
            )
    found: dict[int, dict[str, Any]] = {}
    for number, listed in sorted(among.items()):
        own = next((name for year, name in sorted(by_book) if year == number), next(iter(sorted(books))))
        data = year_data(books[own], number, by_book.get((number, own), {}))
        found[number] = {**data, "tournaments": sorted(listed, key=lambda one: (one["days"], one["tournament"]))}
    return found


def money_there(tournament: Tournament, played: Iterable[Round]) -> bool:
    """Report whether there is a cash book to show: the book has people pay, or a referee had them."""
    book, rounds, others = rounds_of(tournament, played)
    return has_money(book) or bool(tournament.purse.fees) or any(one.fined for one in (*rounds, *others))
