"""Run ``stichwart standings``, ``cash`` and ``year``: read event files, write places, money and the year's ranking.

Text by default, JSON, or files of CSV and PDF that are written.
"""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from pathlib import Path
from typing import Any, TextIO

from kiosk.errors import BadEvent, KioskError, PaperError, shorten
from kiosk.language import Language
from kiosk.paper.command import write
from kiosk.rules.books import BOOKS
from kiosk.rules.engine.standings import TWICE, YEAR, Finished, draw
from kiosk.table.events.codec import encode
from kiosk.table.replay import read
from kiosk.table.round.fold import Round
from kiosk.tournament.cash import cash_csv, cash_data, cash_text, fines, has_money, late
from kiosk.tournament.ranking import (
    day_of,
    finished,
    standing_csv,
    standing_data,
    standing_text,
    year_csv,
    year_data,
    year_text,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Form:
    """Output format: text on the terminal, else JSON there, else the files named."""

    json: bool = False
    csv: Path | None = None
    pdf: Path | None = None
    language: Language = "de"


def read_rounds(paths: Sequence[Path]) -> list[Round]:
    """Read the round of each file; all of one book.

    :raises KioskError: if a file cannot be read, or they are not of one book. A sum without one of them would be wrong.
    """
    rounds: list[Round] = []
    for path in paths:
        try:
            round_, warning = read(path.read_bytes())
        except OSError as error:
            raise KioskError(f"cannot read {path}: {error.strerror or error}") from error
        except BadEvent as error:
            raise KioskError(f"{path}: {error}") from error
        if warning:
            raise KioskError(f"{path}: {warning}; places and money need the whole file, fetch it from its table again")
        for other, before in zip(paths, rounds, strict=False):
            if all(encode(a) == encode(b) for (_, a), (_, b) in zip(before.log, round_.log, strict=False)):
                raise KioskError(f"{path} is the list of {other} once more; give each list once")
        rounds.append(round_)
        if rounds[-1].book.name != rounds[0].book.name:
            raise KioskError(
                f"{paths[0]} is played by {rounds[0].book.name}, {path} by {rounds[-1].book.name}; "
                "give the files of one book at a time"
            )
    return rounds


def _lists(rounds: Sequence[Round], substitutes: Sequence[str], left: Sequence[str]) -> list[Finished]:
    known = {name for one in rounds for name in one.players}
    for option, names in (("--substitute", substitutes), ("--left", left)):
        for name in names:
            if name not in known:
                raise KioskError(
                    f"{option} {shorten(name)} is on none of the lists; on them are {', '.join(sorted(known))}"
                )
    return [finished(one, substitutes, left) for one in rounds]


def _refuse_twice(data: Mapping[str, Any]) -> None:
    for one in data["places"]:
        if one["out"] == TWICE:
            number, tables = next((r, t) for r, t in one["tables"].items() if len(t) > 1)
            raise KioskError(
                f"{shorten(one['name'])} is on several lists of round {number} (tables {', '.join(map(str, tables))}); "
                "give each list once, and people with one name different ones"
            )


def _put(
    form: Form,
    pages: Sequence[Mapping[str, Any]],
    out: TextIO,
    text: Callable[[Mapping[str, Any], Language], str],
    csv: Callable[[Mapping[str, Any], Language], str],
    pdf: str,
) -> int:
    """Writes what was reckoned; ``pdf`` names the function of ``kiosk.paper.tally``, which text need not load."""
    for option, path in (("--csv", form.csv), ("--pdf", form.pdf)):
        if path is not None and len(pages) > 1:
            raise PaperError(f"{option} {path}: the files are of {len(pages)} years; choose one by --year")
    for data in pages:
        if form.json:
            out.write(json.dumps(data, ensure_ascii=False) + "\n")
        if form.csv is not None:
            write(form.csv, b"\xef\xbb\xbf" + csv(data, form.language).encode())
            print(form.csv, file=out)
        if form.pdf is not None:
            from kiosk.paper import tally

            write(form.pdf, getattr(tally, pdf)(data, form.language))
            print(form.pdf, file=out)
    if form == Form(language=form.language):
        out.write("\n".join(text(data, form.language) for data in pages))
    return 0


def standings_files(
    paths: Sequence[Path],
    out: TextIO,
    *,
    form: Form,
    substitutes: Sequence[str] = (),
    left: Sequence[str] = (),
    lots: Sequence[str] = (),
    seed: str | None = None,
    equal: str | None = None,
    of_rounds: int | None = None,
) -> int:
    """Print the standing of a tournament.

    ``lots``: lots drawn by hand, each the names in their order with commas between; ``seed``: draws what is left over;
    ``equal``: what tells equal sums apart where the book is silent, instead of the tables' option.
    """
    rounds = read_rounds(paths)
    book = rounds[0].book
    lists = _lists(rounds, substitutes, left)
    known = {name for one in lists for name in one.players}
    options = dict(rounds[0].options)
    if equal is not None:
        if "equal_places" not in options:
            raise KioskError(
                f"--equal {equal}: {book.name} {book.standing.section} says itself what decides; leave it away"
            )
        options["equal_places"] = equal
    if (lots or seed is not None) and not book.standing_by(options).lot:
        raise KioskError(
            f"{book.name} draws no lot: equal ones share a place; leave --lot and --draw away, or say --equal lot"
        )
    draws: list[tuple[str, ...]] = []
    for text in lots:
        names = tuple(" ".join(name.split()) for name in text.split(","))
        strange = [name for name in names if name not in known]
        if strange or len(set(names)) != len(names) or len(names) < 2:
            raise KioskError(
                f"--lot {shorten(text)}: "
                f"{f'{shorten(strange[0])} is on none of the lists' if strange else 'two names or more'}; "
                "give the names in the order drawn: --lot Anna,Bernd"
            )
        draws.append(names)
    if seed is not None:
        draws.insert(0, draw(known, seed))
    data = standing_data(book, lists, options=options, draws=draws, rounds=of_rounds or book.rounds(rounds[0].options))
    _refuse_twice(data)
    return _put(form, [data], out, standing_text, standing_csv, "standing_pdf")


def cash_files(
    paths: Sequence[Path],
    out: TextIO,
    *,
    form: Form,
    start: time | None = None,
    came: Mapping[str, time] | None = None,
) -> int:
    """Print the cash book of an evening, or of several where no times of arrival are given.

    ``start``: when the evening began; ``came``: by name when somebody came, by the same clock.
    """
    rounds = read_rounds(paths)
    book = rounds[0].book
    entries = [entry for one in rounds for entry in fines(one)]
    if not has_money(book) and not entries:
        having = ", ".join(one.name for one in BOOKS.values() if has_money(one))
        raise KioskError(f"{book.name} knows no fines in money, and no referee gave any; {having} has a cash book")
    if came:
        if start is None:
            raise KioskError("--checkin needs --start, when the evening began: --start 19:30")
        known = {name for one in rounds for name in one.players}
        for name in came:
            if name not in known:
                raise KioskError(
                    f"--checkin {shorten(name)} is on none of the lists; on them are {', '.join(sorted(known))}"
                )
        if book.late_fine is None:
            raise KioskError(f"{book.name} knows no fines for coming late; leave --start and --checkin away")
        days = {day_of(one) for one in rounds}
        if len(days) > 1:
            raise KioskError(
                f"the files are of {len(days)} days ({', '.join(map(str, sorted(days)))}); "
                "give those of one evening with --checkin"
            )
        began = datetime.combine(days.pop(), start)
        at = {name: _ms(_near(began, moment)) for name, moment in came.items()}
        entries += late(book, rounds[0].options, _ms(began), at)
    data = cash_data(book, entries)
    return _put(form, [data], out, cash_text, cash_csv, "cash_pdf")


def _near(began: datetime, moment: time) -> datetime:
    """That time of day closest to the beginning, so that 0:10 is after 23:50."""
    same_day = datetime.combine(began.date(), moment)
    return min((same_day + timedelta(days=d) for d in (-1, 0, 1)), key=lambda one: abs(one - began))


def _ms(moment: datetime) -> int:
    return round(moment.timestamp() * 1000)


def year_files(
    paths: Sequence[Path],
    out: TextIO,
    *,
    form: Form,
    only: int | None = None,
    substitutes: Sequence[str] = (),
) -> int:
    """Print the ranking of each year of the files, or of the year ``only``."""
    rounds = read_rounds(paths)
    book = rounds[0].book
    if YEAR not in book.standing.trophies:
        having = ", ".join(one.name for one in BOOKS.values() if YEAR in one.standing.trophies)
        raise KioskError(
            f"{book.name} knows no ranking of a year ({having} does); 'stichwart standings' sums up a tournament"
        )
    years: dict[int, dict[date, list[Finished]]] = {}
    for one, listed in zip(rounds, _lists(rounds, substitutes, ()), strict=True):
        day = day_of(one)
        years.setdefault(day.year, {}).setdefault(day, []).append(listed)
    if only is not None and only not in years:
        raise KioskError(f"--year {only}: none of the files is of that year; they are of {', '.join(map(str, years))}")
    pages = []
    for number in sorted(years) if only is None else [only]:
        for of_day in years[number].values():
            _refuse_twice(standing_data(book, of_day))
        pages.append(year_data(book, number, years[number]))
    return _put(form, pages, out, year_text, year_csv, "year_pdf")


def clock_time(text: str) -> time:
    """Parse a time of day as people write it: 19:30, 19.30 or 19:30:15.

    :raises ValueError: if it is none.
    """
    parts = text.strip().replace(".", ":").split(":")
    if not 2 <= len(parts) <= 3 or not all(part.isdecimal() and len(part) <= 2 for part in parts):
        raise ValueError(f"{shorten(text)} is no time of day; write it like 19:30")
    try:
        hour, minute, second = (*map(int, parts), 0)[:3]
        return time(hour, minute, second)
    except ValueError:
        raise ValueError(f"{shorten(text)} is no time of day; write it like 19:30") from None
