"""Keep the cash book: fines by rulings and for coming late, debts and payments. Amounts are whole cents."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from kiosk.language import Language, has, say
from kiosk.language.cash import cash_word
from kiosk.language.table import word
from kiosk.rules.engine.book import RuleBook
from kiosk.rules.engine.game import Game
from kiosk.rules.engine.money import CLUB, Payment, balances, euros_text, open_debts, who_pays_whom
from kiosk.rules.options.option import Options
from kiosk.table.round.fold import Round
from kiosk.table.scoresheet import grid

DEBT, PAID = "debt", "paid"


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """A line of the cash book: somebody owes an amount, or has paid it. None is the club."""

    kind: str  # debt or paid
    at: float | None  # ms since the epoch
    payer: str | None
    payee: str | None
    cents: int  # negative: a payment taken back
    what: str  # an offence's code, "ruling", "late", "payment" or "withdrawn"
    section: str = ""  # with the book's name
    round: int | None = None
    table: int | None = None
    game: int | None = None  # running number; None: of no game, or of a deal that was dealt again
    event: int | None = None  # the ruling's number
    minutes: int | None = None  # how late

    @property
    def payment(self) -> Payment[str]:
        return Payment(self.payer, self.payee, self.cents)


def has_money(book: RuleBook) -> bool:
    """Report whether the book has people pay."""
    return bool(book.payments) or book.late_fine is not None


def fines(round_: Round) -> list[Entry]:
    """List the fines of a table's rulings in their order."""
    times = {number: event.at for number, event in round_.log} if round_.fined else {}
    games = {game.dealt: game for game in round_.games}
    if round_.game is not None:
        games.setdefault(round_.game.dealt, round_.game)
    found = []
    for fined in round_.fined:
        game = games.get(fined.deal) if fined.deal is not None else None
        code, section = _breach(round_, game, fined.event)
        for one in who_pays_whom({seat: fined.amounts[seat] for seat in sorted(fined.amounts)}):
            found.append(
                Entry(
                    kind=DEBT,
                    at=times.get(fined.event),
                    payer=_name(round_, one.payer, fined.event),
                    payee=_name(round_, one.payee, fined.event),
                    cents=one.cents,
                    what=code if fined.preset else "ruling",
                    section=section if fined.preset else "",
                    round=round_.round,
                    table=round_.table,
                    game=game.number if game is not None and game.result is not None else None,
                    event=fined.event,
                )
            )
    return found


def _name(round_: Round, seat: int | None, event: int) -> str | None:
    """Who sat there when it happened; others may have come since."""
    if seat is None:
        return CLUB
    later = (one.left for one in round_.changes if one.seat == seat and one.event > event)
    return next(later, round_.players[seat - 1])


def _breach(round_: Round, game: Game | None, event: int) -> tuple[str, str]:
    """Code and section of what the ruling was about."""
    ruling = next((one for one in game.rulings if one.event == event), None) if game is not None else None
    if game is None or ruling is None:
        return "ruling", ""
    by = [one for one in game.offences if one.seat == ruling.offender]
    offence = next((one for one in by if one.event == ruling.breach), by[-1] if by else None)
    objection = next((one for one in reversed(game.objections) if one.code and one.event < event), None)
    if offence is not None:
        return offence.code, offence.section
    return (objection.code if objection is not None and objection.code else "ruling"), ""


def late(book: RuleBook, options: Options, start: int, came: Mapping[str, int]) -> list[Entry]:
    """List fines for coming late, by whole minutes after ``start``; times in ms since the epoch; to the club."""
    found = []
    for name, at in sorted(came.items(), key=lambda one: (one[1], one[0])):
        minutes = (at - start) // 60_000
        euros = book.late_fine(minutes, options) if book.late_fine is not None else 0
        if euros:
            found.append(
                Entry(kind=DEBT, at=at, payer=name, payee=CLUB, cents=100 * euros, what="late", minutes=minutes)
            )
    return found


def cash_data(book: RuleBook, entries: Iterable[Entry]) -> dict[str, Any]:
    """Compute the cash book: ``entries`` by time with the running balance, ``open`` debts, ``people`` sums.

    The balance is what all together still have to pay after an entry: debts less payments; what was paid too much is
    to be paid back.
    """
    ordered = sorted(entries, key=lambda one: (one.at is None, one.at or 0))
    debts = [one.payment for one in ordered if one.kind == DEBT]
    paid = [one.payment for one in ordered if one.kind == PAID]
    listed: list[dict[str, Any]] = []
    owing: list[Payment[str]] = []
    giving: list[Payment[str]] = []
    for one in ordered:
        (owing if one.kind == DEBT else giving).append(one.payment)
        listed.append(
            {
                "kind": one.kind,
                "at": one.at,
                "payer": one.payer,
                "payee": one.payee,
                "cents": one.cents,
                "balance": sum(payment.cents for payment in open_debts(owing, giving)),
                "what": one.what,
                "section": one.section,
                "round": one.round,
                "table": one.table,
                "game": one.game,
                "event": one.event,
                "minutes": one.minutes,
            }
        )
    still = open_debts(debts, paid)
    names = sorted({who for one in ordered for who in (one.payer, one.payee) if who is not CLUB})
    owed, given = balances(debts), balances(paid)
    return {
        "rules": book.name,
        "title": book.title,
        "entries": listed,
        "balance": sum(one.cents for one in still),
        "open": [{"payer": one.payer, "payee": one.payee, "cents": one.cents} for one in still],
        "people": [
            {
                "name": name,
                "pays": sum(one.cents for one in debts if one.payer == name),
                "gets": sum(one.cents for one in debts if one.payee == name),
                "paid": sum(one.cents for one in paid if one.payer == name),
                "owes": sum(one.cents for one in still if one.payer == name),
            }
            for name in names
        ],
        "club": {"due": owed.get(CLUB, 0), "paid": given.get(CLUB, 0)},
    }


def entry_text(one: Mapping[str, Any], language: Language = "de", line: bool = True) -> str:
    """Describe an entry: ``Falsch bedient, Spiel 5, Runde 1 Tisch 2, Zeile 311`` of the table's events."""
    code = one["what"]
    what = cash_word(code, language, minutes=one["minutes"]) if has("cash", code) else word(code, language)
    parts = [what[:1].upper() + what[1:]]
    if one["game"] is not None:
        parts.append(cash_word("game", language, game=one["game"]))
    if one["table"] is not None:
        parts.append(cash_word("table", language, round=one["round"], table=one["table"]))
    if one["event"] is not None and line:
        parts.append(cash_word("line", language, event=one["event"]))
    return ", ".join(parts)


def who(name: str | None, language: Language = "de") -> str:
    """Return a name, or the club."""
    return cash_word("club", language) if name is CLUB else name


def time_text(at: int | None) -> str:
    """Format a time as ``21.11. 19:41`` by the local clock."""
    return "" if at is None else datetime.fromtimestamp(at / 1000).strftime("%d.%m. %H:%M")


def cash_cells(
    data: Mapping[str, Any], language: Language = "de", line: bool = True
) -> tuple[list[str], list[list[grid.Cell]]]:
    """Return headings and lines of the cash book; with or without the lines of rulings in the tables' events."""
    heads = [cash_word(name, language) for name in ("time", "who", "whom", "what", "debt", "paid", "balance")]
    lines: list[list[grid.Cell]] = []
    for one in data["entries"]:
        amount = euros_text(one["cents"], language)
        debt = one["kind"] == DEBT
        lines.append(
            [
                time_text(one["at"]),
                who(one["payer"], language),
                who(one["payee"], language),
                entry_text(one, language, line),
                amount if debt else "",
                "" if debt else amount,
                euros_text(one["balance"], language),
            ]
        )
    return heads, lines


def open_cells(data: Mapping[str, Any], language: Language = "de") -> tuple[list[str], list[list[grid.Cell]]]:
    """Return headings and lines of the open debts: payer, payee, amount."""
    heads = [cash_word(name, language) for name in ("who", "whom", "owes")]
    return heads, [
        [who(one["payer"], language), who(one["payee"], language), euros_text(one["cents"], language)]
        for one in data["open"]
    ]


def people_cells(data: Mapping[str, Any], language: Language = "de") -> tuple[list[str], list[list[grid.Cell]]]:
    """Return headings and lines of everybody's sums."""
    heads = [cash_word(name, language) for name in ("name", "pays", "gets", "has_paid", "owes")]
    return heads, [
        [one["name"], *(euros_text(one[key], language) for key in ("pays", "gets", "paid", "owes"))]
        for one in data["people"]
    ]


def club_text(club: Mapping[str, int], language: Language = "de") -> str:
    """Say what the cash box takes in or pays out in all, and how much of it has happened.

    :param club: ``due`` and ``paid`` in cents; below nothing it pays out, as where somebody's gift is given as prizes.
    """
    due, paid = club["due"], club["paid"]
    return cash_word(
        "in_club",
        language,
        due=cash_word("club_gets" if due >= 0 else "club_pays", language, euros=euros_text(abs(due), language)),
        paid=cash_word("club_got" if paid >= 0 else "club_paid", language, euros=euros_text(abs(paid), language)),
    )


def cash_text(data: Mapping[str, Any], language: Language = "de") -> str:
    """Format the cash book as a page of text: entries, open debts, everybody's sums."""
    parts = [cash_word("title", language), data["title"], ""]
    if not data["entries"]:
        return "\n".join([*parts, cash_word("empty", language)]) + "\n"
    parts += grid.as_text(*cash_cells(data, language), left=(0, 1, 2, 3))
    parts += ["", cash_word("still", language)]
    parts += (
        grid.as_text(*open_cells(data, language), left=(0, 1)) if data["open"] else [cash_word("nothing", language)]
    )
    parts += ["", cash_word("people", language), *grid.as_text(*people_cells(data, language), left=(0,))]
    return "\n".join([*parts, "", club_text(data["club"], language)]) + "\n"


def cash_csv(data: Mapping[str, Any], language: Language = "de") -> str:
    """Format the entries as CSV; amounts with a comma, as spreadsheets in Germany read them, no currency sign."""
    heads, _ = cash_cells(data, language)
    point = say("numbers", "decimal", language)
    lines: list[Sequence[grid.Cell]] = [
        [
            time_text(one["at"]),
            who(one["payer"], language),
            who(one["payee"], language),
            entry_text(one, language),
            *((_plain(one["cents"], point), "") if one["kind"] == DEBT else ("", _plain(one["cents"], point))),
            _plain(one["balance"], point),
        ]
        for one in data["entries"]
    ]
    return grid.as_csv(heads, lines)


def _plain(cents: int, point: str) -> str:
    sign = "-" if cents < 0 else ""
    return f"{sign}{abs(cents) // 100}{point}{abs(cents) % 100:02}"
