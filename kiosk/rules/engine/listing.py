"""Lay out the books' lists: the columns of each besides game, dealer, score and total."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

#: Who wrote a row, and its number with him.
RowId: TypeAlias = tuple[str, int | None]


@dataclass(frozen=True, slots=True, kw_only=True)
class ListRow:
    """A row of the list. Scores are by seat for all at the table, 0 for a dealer who sits out."""

    game: int
    dealer: int
    due: int  # who was due to deal, by the list
    kind: str
    suit: str | None  # of a Farbsolo
    declarer: int | None
    duty: bool
    alone: int | None  # who played alone, declared or not
    score: Mapping[int, int]
    total: Mapping[int, int]
    won: frozenset[int]  # seats that the game itself was written for; penalties beside it do not matter
    points: int  # of this game: the value each winner is written, a solo's once
    void: bool
    struck: bool
    open: bool  # a doubtful card may still change it
    solo: str | None = None  # how it was played alone: duty, lust, solo (no Pflichtsoli in the book), still, hochzeit
    bock: bool = False  # counted double in a Bockrunde
    leave: bool = False  # the direction gave its leave (schaffkopf III 3.1)
    ruled: bool = False  # the referee has ruled in it
    again: bool = False  # struck and to be played again
    who: str = ""  # who declared it or played alone, by the name of who sat there then
    own: int | None = None  # number that the game has at its table; None: the table did not write it
    added: int | None = None  # number of the direction's note that added it

    @property
    def id(self) -> RowId:
        """What tells this row from all others of its list, also when another game was put in before it."""
        return ("table", self.own) if self.own is not None else ("note", self.added)


@dataclass(frozen=True, slots=True)
class ListWords:
    """Words of a list in one language."""

    game: Callable[[ListRow], str]  # a row's game as people call it
    word: Callable[[str], str]  # a word of the list, by its code


def field(kind: str, seat: int | None = None) -> dict[str, Any]:
    """Return the content of a column.

    ``total`` (cumulated), ``plus`` and ``minus`` (single games) of a seat, ``winners``, ``value``, ``game``.
    """
    return {"kind": kind, "seat": seat}


def note(row: ListRow, words: ListWords) -> str:
    """Describe a row's game and its remarkable facts, as a scribe would write them."""
    parts = []
    if row.kind != "normal":
        parts.append(f"{words.game(row)} {row.who}".rstrip())
    if row.solo == "hochzeit":
        parts.append(words.word("alone"))
    if row.bock:
        parts.append(words.word("doubled"))
    if row.struck:
        parts.append(words.word("struck_again" if row.again else "struck"))
    elif row.void:
        parts.append(words.word("broken_off"))
    elif row.ruled:
        parts.append(words.word("ruled"))
    if row.leave and not row.struck:
        parts.append(words.word("leave"))
    return ", ".join(parts)


def _cumulated(players: Sequence[str], rows: Sequence[ListRow], words: ListWords) -> dict[str, Any]:
    """What all lists with cumulated totals have in common; headings of the last two columns are the book's own."""
    seats = range(1, len(players) + 1)
    sums = [sum(row.score[seat] for row in rows) for seat in seats]
    return {
        "name": words.word("list"),
        "columns": [*players, words.word("value"), words.word("game")],
        "fields": [*(field("total", seat) for seat in seats), field("value"), field("game")],
        "lines": [
            [*(row.total[seat] for seat in seats), "" if row.void else row.points, note(row, words)] for row in rows
        ],
        "foot": [[words.word("result"), [*sums, "", ""]]],
        "sums": sums,
        "solos": [
            {"game": row.game, "seat": row.alone, "kind": row.kind, "duty": row.duty}
            for row in rows
            if row.alone is not None
        ],
    }


def plus_points(players: Sequence[str], rows: Sequence[ListRow], words: ListWords) -> dict[str, Any]:
    """Lay out the list of eppstein 6.3: cumulated Plus points, a column per player, the last game's points and kind.

    Of the result ``name`` is what the list is called, ``columns`` are the headings, ``fields`` what each column holds,
    ``lines`` the cells ready to print, ``foot`` the lines under them, ``sums`` each player's points added up game by
    game, ``solos`` who played alone and when, ``checks`` the points of 6.3.5 with what they came to.
    """
    cells = _cumulated(players, rows, words)
    last = [rows[-1].total[seat] for seat in rows[-1].total] if rows else cells["sums"]
    others = [row.game for row in rows if row.dealer != row.due]
    return {
        **cells,
        "columns": [*players, words.word("value_eppstein"), words.word("game_eppstein")],
        "checks": [
            {"check": "cumulated", "section": "eppstein 6.3.5", "ok": cells["sums"] == last},
            {"check": "dealers", "section": "eppstein 6.3.5", "ok": not others, "games": others},
        ],
    }


def _row_sums(rows: Sequence[ListRow], section: str) -> dict[str, Any]:
    wrong = [row.game for row in rows if sum(row.score.values())]
    return {"check": "row_sums", "section": section, "ok": not wrong, "games": wrong}


def _solo_penalty(row: ListRow) -> bool:
    """Whether a row holds Strafpunkte in favour of a soloist: to him what one opponent loses beside the solo's points.

    +3, 0, 0, −3 and the like, alone or upon the points of the solo (bsv 7.3).
    """
    if row.alone is None:
        return False
    others = sorted((points for seat, points in row.score.items() if seat != row.alone), reverse=True)
    penalty = others[0] - others[-1]
    return penalty > 0 and others[0] == others[1] and row.score[row.alone] == penalty - 3 * others[0]


def plus_minus_by_bsv(players: Sequence[str], rows: Sequence[ListRow], words: ListWords) -> dict[str, Any]:
    """Lay out the list of bsv 7.3: cumulated plus and minus points, winners by position, the three checks.

    ``winners``: by row the seats with plus points. The even-odd rule is looked at row by row: results that agreed
    before agree after a row whose points are all even or all odd. It does not hold at a table of five (10.1) nor for
    Strafpunkte to a soloist.
    """
    cells = _cumulated(players, rows, words)
    winners = [[seat for seat, points in sorted(row.score.items()) if points > 0] for row in rows]
    mixed = [row.game for row in rows if len({points % 2 for points in row.score.values()}) > 1]
    excused = [row.game for row in rows if row.game in mixed and _solo_penalty(row)]
    odd = [] if len(players) > 4 else [game for game in mixed if game not in excused]
    unmarked = [row.game for row, seats in zip(rows, winners, strict=True) if any(row.score.values()) and not seats]
    ((result, sums),) = cells["foot"]
    return {
        **cells,
        "columns": [*players, words.word("winners"), *cells["columns"][-2:]],
        "fields": [*cells["fields"][:-2], field("winners"), *cells["fields"][-2:]],
        "lines": [
            [*line[:-2], " ".join(map(str, seats)), *line[-2:]]
            for line, seats in zip(cells["lines"], winners, strict=True)
        ],
        "foot": [[result, [*sums, ""]]],
        "winners": winners,
        "checks": [
            _row_sums(rows, "bsv 7.3"),
            {
                "check": "even_odd",
                "section": "bsv 7.3" if len(players) == 4 else "bsv 10.1",
                "ok": not odd,
                "games": odd,
                "excused": excused,
            },
            {"check": "winners", "section": "bsv 7.3", "ok": not unmarked, "games": unmarked},
        ],
    }


def plus_and_minus(players: Sequence[str], rows: Sequence[ListRow], words: ListWords) -> dict[str, Any]:
    """Lay out the list of durchgaenge: plus and minus points, cumulated; the book has no checks.

    The value is that of 6c and 6d before the Bonuspunkte.
    """
    cells = _cumulated(players, rows, words)
    return {**cells, "columns": [*players, words.word("value_durchgaenge"), words.word("game")], "checks": []}


def plus_minus_by_schnittchen(players: Sequence[str], rows: Sequence[ListRow], words: ListWords) -> dict[str, Any]:
    """Lay out the list of schnittchen 6.2: plus and minus, cumulated, and the Tageswertung so far ("Pokale")."""
    cells = _cumulated(players, rows, words)
    sums = cells["sums"]
    seats = sorted(range(len(players)), key=lambda index: (-sums[index], index))
    places = [
        {"place": 1 + sum(other > sums[index] for other in sums), "seat": index + 1, "points": sums[index]}
        for index in seats
    ]
    return {**cells, "ranking": places, "checks": [_row_sums(rows, "schnittchen 6.2")]}
