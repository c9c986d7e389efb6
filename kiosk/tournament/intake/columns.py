"""Tell what the columns of a table mean: by their heads, German or English, or by what is in them."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias, get_args

from kiosk.tournament.intake.table import Line, Table

#: What a column holds: the whole name, the last or the first one, club, start number, whether the entry fee is paid,
#: whether it is a substitute; "": nothing that is wanted here.
Use: TypeAlias = Literal["name", "last", "first", "club", "number", "paid", "substitute", ""]

#: All uses, in the order in which a person chooses.
USES: Final[tuple[Use, ...]] = get_args(Use)

#: Heads as they stand in lists of clubs, by their letters alone.
_HEADS: Final[dict[str, Use]] = {
    **dict.fromkeys(
        (
            *("name", "namen", "namevorname", "vorundnachname", "vornachname", "vornamename", "vornamenachname"),
            *("nachnamevorname", "spieler", "spielerin", "spielername", "teilnehmer", "teilnehmerin", "person"),
            *(
                "namedesspielers",
                "player",
                "playername",
                "participant",
                "fullname",
                "completename",
                "lastnamefirstname",
            ),
        ),
        "name",
    ),
    **dict.fromkeys(
        ("nachname", "familienname", "zuname", "nname", "lastname", "surname", "familyname", "secondname"), "last"
    ),
    **dict.fromkeys(("vorname", "rufname", "vname", "firstname", "givenname", "forename", "christianname"), "first"),
    **dict.fromkeys(
        ("verein", "vereinsname", "club", "klub", "clubname", "mannschaft", "team", "vereinort", "heimatverein"), "club"
    ),
    **dict.fromkeys(
        (
            *("nr", "no", "num", "nummer", "number", "startnr", "startnummer", "startno", "startnumber", "spielernr"),
            *("spielernummer", "teilnehmernr", "teilnehmernummer", "tnnr", "lfdnr", "laufendenummer", "ausweisnr"),
            *("ausweis", "playernumber", "playerno", "bib", "badge"),
        ),
        "number",
    ),
    **dict.fromkeys(
        (
            *("bezahlt", "gezahlt", "startgeld", "startgebühr", "startgeldbezahlt", "startgebührbezahlt", "eingezahlt"),
            *("zahlung", "gebührbezahlt", "paid", "fee", "feepaid", "entryfee", "entryfeepaid", "payment"),
        ),
        "paid",
    ),
    **dict.fromkeys(("ersatz", "ersatzspieler", "reserve", "substitute", "sub"), "substitute"),
}

_NAMES: Final = ("name", "last", "first")

#: How many lines may stand above the heads: a title, the day, a blank.
_HEAD_WITHIN = 10

#: Marks of yes and no.
YES: Final = frozenset(
    {"x", "xx", "ja", "j", "yes", "y", "1", "true", "wahr", "ok", "✓", "✔", "bezahlt", "paid", "bar"}
)
NO: Final = frozenset({"", "-", "–", "nein", "n", "no", "0", "false", "falsch", "offen", "open", "unpaid"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Columns:
    """What the columns of a table mean."""

    uses: tuple[Use, ...]
    head: Line | None  # the line with the heads; it and what is above are no people


def head_use(words: str) -> Use:
    """Tell what a column with this head holds; "": nothing that is known."""
    letters = re.sub(r"[^a-zäöüß]", "", words.casefold())
    return "number" if words.strip() == "#" else _HEADS.get(letters, "")


def told_columns(table: Table, uses: Sequence[str] | None = None, headed: bool | None = None) -> Columns:
    """Tell the columns of a table.

    :param uses: what a person chose, by column; None: to be found out.
    :param headed: whether there are heads; None: to be found out.
    """
    head = _head(table) if headed is None else _any_head(table) if headed else None
    if uses is not None:
        chosen: list[Use] = [one if one in USES else "" for one in uses][: table.columns]
        chosen += [""] * (table.columns - len(chosen))
        return Columns(uses=tuple(chosen), head=head)
    found = _by_heads(head, table.columns) if head is not None else None
    if found is None or not any(use in _NAMES for use in found):
        found = _by_cells(table, head)
    return Columns(uses=found, head=head)


def people_lines(table: Table, columns: Columns) -> tuple[Line, ...]:
    """List the lines that are people."""
    first = 0 if columns.head is None else columns.head.number + 1
    return tuple(line for line in table.lines if line.number >= first)


def _head(table: Table) -> Line | None:
    """The first line in which a column of names has its head."""
    for line in table.lines[:_HEAD_WITHIN]:
        if any(head_use(cell) in _NAMES for cell in line.cells):
            return line
    return None


def _any_head(table: Table) -> Line:
    return _head(table) or table.lines[0]


def _by_heads(head: Line, columns: int) -> tuple[Use, ...]:
    """Each use once, the first column with that head; "Name" beside a first name is the last one."""
    found: list[Use] = []
    for column in range(columns):
        use = head_use(head.cell(column))
        found.append("" if use in found else use)
    if "first" in found and "last" not in found and "name" in found:
        found[found.index("name")] = "last"
    if "name" in found:  # the whole name is there, its parts beside it say nothing new
        found = ["" if use in ("first", "last") else use for use in found]
    return tuple(found)


def _by_cells(table: Table, head: Line | None) -> tuple[Use, ...]:
    """Columns without heads: numbers, marks, then whole names and a club, or last name, first name and a club."""
    lines = [line for line in table.lines if head is None or line.number > head.number] or list(table.lines)
    found: list[Use] = []
    for column in range(table.columns):
        cells = [cell for line in lines if (cell := line.cell(column))]
        found.append(_use_of(cells, len(lines), found))
    words = [column for column, use in enumerate(found) if use == "name"]
    whole = [column for column in words if _whole_names([line.cell(column) for line in lines])]
    order: Sequence[Use] = ("name", "club") if whole[:1] == words[:1] or len(words) == 1 else ("last", "first", "club")
    for place, column in enumerate(words):
        found[column] = order[place] if place < len(order) else ""
    return tuple(found)


def _use_of(cells: Sequence[str], lines: int, before: Sequence[Use]) -> Use:
    if not cells:
        return ""
    if all(re.fullmatch(r"\d{1,5}\.?", cell) for cell in cells):
        return "number" if "number" not in before and len(set(cells)) == len(cells) == lines else ""
    if all(cell.casefold() in YES | NO for cell in cells):
        return "paid" if "paid" not in before else ""
    letters = sum(any(sign.isalpha() for sign in cell) and "@" not in cell for cell in cells)
    return "name" if 2 * letters > len(cells) and not any(re.search(r"\d{3}", cell) for cell in cells) else ""


def _whole_names(cells: Sequence[str]) -> bool:
    """Whether most of these are of more than one word."""
    return 2 * sum(len(cell.split()) > 1 or "," in cell for cell in cells) > len(cells)
