"""Make entries of a table's lines: names put together, marks and numbers read, what is odd named."""

import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from kiosk.tournament.intake.columns import NO, YES, Columns, Use, people_lines
from kiosk.tournament.intake.table import Line, Table
from kiosk.tournament.people import LARGEST_NUMBER, LONGEST_CLUB, LONGEST_NAME

#: Words that stand below the names of a list.
_SUMS = frozenset({"summe", "gesamt", "gesamtsumme", "anzahl", "insgesamt", "total", "sum", "summa"})


@dataclass(frozen=True, slots=True)
class Doubt:
    """What is odd about a line; ``values`` fill its words."""

    code: str
    values: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """A line of a list as a person."""

    line: int
    name: str
    number: int | None = None
    club: str = ""
    paid: bool = False
    substitute: bool = False
    doubts: tuple[Doubt, ...] = ()
    possible: bool = True  # whether it can be taken in although it is in doubt


def entries_of(table: Table, columns: Columns) -> list[Entry]:
    """Make an entry of each line that is a person, odd ones too."""
    return [_entry(line, columns) for line in people_lines(table, columns)]


def _entry(line: Line, columns: Columns) -> Entry:
    cells: dict[Use, str] = {use: line.cell(column) for column, use in enumerate(columns.uses) if use}
    name, doubts = _name(cells)
    number, odd_number = _number(cells.get("number", ""))
    paid, odd_paid = _mark(cells.get("paid", ""), "odd_paid")
    substitute, odd_substitute = _mark(cells.get("substitute", ""), "odd_substitute")
    club = _letters(cells.get("club", ""))
    if len(club) > LONGEST_CLUB:
        odd_club, club = [Doubt("long_club", {"most": LONGEST_CLUB})], club[:LONGEST_CLUB].rstrip()
    else:
        odd_club = []
    return Entry(
        line=line.number,
        name=name,
        number=number,
        club=club,
        paid=paid,
        substitute=substitute,
        doubts=(*doubts, *odd_number, *odd_paid, *odd_substitute, *odd_club),
        possible=bool(name) and len(name) <= LONGEST_NAME and name.isprintable(),
    )


def _letters(words: str) -> str:
    """Composed letters without signs that nobody sees."""
    plain = "".join(
        sign for sign in unicodedata.normalize("NFC", words) if unicodedata.category(sign) not in ("Cf", "Cc")
    )
    return " ".join(plain.split())


def _name(cells: Mapping[Use, str]) -> tuple[str, list[Doubt]]:
    """The name, first name first, and what is odd about it."""
    whole = _letters(cells.get("name", ""))
    if not whole:
        whole = _letters(f"{cells.get('first', '')} {cells.get('last', '')}")
    elif whole.count(",") == 1:  # "Ott, Anna"
        last, first = whole.split(",")
        whole = _letters(f"{first} {last}")
    if not whole:
        return "", [Doubt("no_name")]
    if len(whole) > LONGEST_NAME:
        return whole, [Doubt("long_name", {"most": LONGEST_NAME})]
    odd = [Doubt("odd_name")] if _is_odd(whole) else []
    return whole, odd


def _is_odd(name: str) -> bool:
    """Whether it may be no name: digits, signs, letters that were decoded wrongly, the word below a sum."""
    wrong = re.search(r"[\d@,;:/\\?!#%&*+=<>\[\]{}|§¶¤\ufffd]|Ã.|Â.|\b[a-zß]+[ŠŸ]", name)
    return bool(wrong) or not any(sign.isalpha() for sign in name) or name.casefold().strip(":") in _SUMS


def _number(cell: str) -> tuple[int | None, list[Doubt]]:
    if not cell or cell in ("-", "–"):
        return None, []
    found = re.fullmatch(r"#?\s*0*(\d{1,6})(?:[.,]0*)?", cell)
    number = int(found[1]) if found else 0
    if not 1 <= number <= LARGEST_NUMBER:
        return None, [Doubt("odd_number", {"text": cell[:20]})]
    return number, []


def _mark(cell: str, odd: str) -> tuple[bool, list[Doubt]]:
    """Yes or no: a mark, a word, an amount, the day on which it was paid."""
    words = cell.casefold().strip(" .!")
    if words in YES | NO:
        return words in YES, []
    amount = re.fullmatch(r"(?:€|eur|euro)?\s*(\d+)(?:[.,](\d{1,2}|-|–))?\s*(?:€|eur|euro)?", words)
    if amount:
        return int(amount[1]) > 0 or (amount[2] or "").strip("-–0") != "", []
    if re.fullmatch(r"\d{4}-\d\d-\d\d(t.*)?|\d{1,2}\.\d{1,2}\.(\d{2,4})?", words):
        return True, []
    return False, [Doubt(odd, {"text": cell[:20]})]
