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


#: Players, rows → what a check of the list came to; its section as the book numbers it.
Check: TypeAlias = Callable[[Sequence[str], Sequence[ListRow]], dict[str, Any]]

#: Players, rows, words → a book's own part of the list, ready to print.
Columns: TypeAlias = Callable[[Sequence[str], Sequence[ListRow], ListWords], dict[str, Any]]


def cumulated(
    *, value: str = "value", game: str = "game", winners: bool = False, ranking: bool = False, checks: Sequence[Check]
) -> Columns:
    """Make a list of cumulated points: a column a player, then the game's points and its kind.

    Of its result ``name`` is what the list is called, ``columns`` are the headings, ``fields`` what each column holds,
    ``lines`` the cells ready to print, ``foot`` the lines under them, ``sums`` each player's points added up game by
    game, ``solos`` who played alone and when, ``checks`` what each of them came to, ``winners`` by row the seats with
    plus points, ``ranking`` the places so far.

    :param value: code of the heading over the game's points, ``game``: of that over its kind.
    :param winners: the seats with plus points have a column. ``ranking``: the places so far belong to the list.
    """

    def columns(players: Sequence[str], rows: Sequence[ListRow], words: ListWords) -> dict[str, Any]:
        cells = _cells(players, rows, words, value, game)
        if winners:
            cells |= _with_winners(players, rows, words, cells)
        if ranking:
            cells["ranking"] = _places(cells["sums"])
        return {**cells, "checks": [check(players, rows) for check in checks]}

    return columns


def _cells(players: Sequence[str], rows: Sequence[ListRow], words: ListWords, value: str, game: str) -> dict[str, Any]:
    seats = range(1, len(players) + 1)
    sums = [sum(row.score[seat] for row in rows) for seat in seats]
    return {
        "name": words.word("list"),
        "columns": [*players, words.word(value), words.word(game)],
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


def _with_winners(
    players: Sequence[str], rows: Sequence[ListRow], words: ListWords, cells: dict[str, Any]
) -> dict[str, Any]:
    """The column of the winners by their positions, before the game's points."""
    found = [_winners(row) for row in rows]
    ((result, sums),) = cells["foot"]
    return {
        "columns": [*players, words.word("winners"), *cells["columns"][-2:]],
        "fields": [*cells["fields"][:-2], field("winners"), *cells["fields"][-2:]],
        "lines": [
            [*line[:-2], " ".join(map(str, seats)), *line[-2:]]
            for line, seats in zip(cells["lines"], found, strict=True)
        ],
        "foot": [[result, [*sums, ""]]],
        "winners": found,
    }


def _winners(row: ListRow) -> list[int]:
    return [seat for seat, points in sorted(row.score.items()) if points > 0]


def _places(sums: Sequence[int]) -> list[dict[str, int]]:
    seats = sorted(range(len(sums)), key=lambda index: (-sums[index], index))
    return [
        {"place": 1 + sum(other > sums[index] for other in sums), "seat": index + 1, "points": sums[index]}
        for index in seats
    ]


def totals_add_up(section: str) -> Check:
    """Make the check that the last totals are the points added up game by game (eppstein 6.3.5)."""

    def check(players: Sequence[str], rows: Sequence[ListRow]) -> dict[str, Any]:
        ok = not rows or all(rows[-1].total[seat] == sum(row.score[seat] for row in rows) for seat in rows[-1].total)
        return {"check": "cumulated", "section": section, "ok": ok}

    return check


def dealers_in_order(section: str) -> Check:
    """Make the check that whoever was due has dealt (eppstein 6.3.5, schaffkopf II 1)."""

    def check(players: Sequence[str], rows: Sequence[ListRow]) -> dict[str, Any]:
        others = [row.game for row in rows if row.dealer != row.due]
        return {"check": "dealers", "section": section, "ok": not others, "games": others}

    return check


def rows_sum_to_nothing(section: str) -> Check:
    """Make the check that each game's points add up to 0 (bsv 7.3, ddv 7.3, schnittchen 6.2, schaffkopf III 3.1)."""

    def check(players: Sequence[str], rows: Sequence[ListRow]) -> dict[str, Any]:
        wrong = [row.game for row in rows if sum(row.score.values())]
        return {"check": "row_sums", "section": section, "ok": not wrong, "games": wrong}

    return check


def _solo_penalty(row: ListRow) -> bool:
    """Whether a row holds Strafpunkte in favour of a soloist: to him what one opponent loses beside the solo's points.

    +3, 0, 0, −3 and the like, alone or upon the points of the solo (bsv 7.3).
    """
    if row.alone is None:
        return False
    others = sorted((points for seat, points in row.score.items() if seat != row.alone), reverse=True)
    penalty = others[0] - others[-1]
    return penalty > 0 and others[0] == others[1] and row.score[row.alone] == penalty - 3 * others[0]


def all_even_or_all_odd(section: str, section_5: str) -> Check:
    """Make the check of the even-odd rule, row by row (bsv 7.3): results that agreed agree after an even or odd row.

    It does not hold at a table of five (``section_5``) nor for Strafpunkte to a soloist.
    """

    def check(players: Sequence[str], rows: Sequence[ListRow]) -> dict[str, Any]:
        mixed = [row.game for row in rows if len({points % 2 for points in row.score.values()}) > 1]
        excused = [row.game for row in rows if row.game in mixed and _solo_penalty(row)]
        odd = [] if len(players) > 4 else [game for game in mixed if game not in excused]
        where = section if len(players) == 4 else section_5
        return {"check": "even_odd", "section": where, "ok": not odd, "games": odd, "excused": excused}

    return check


def winners_marked(section: str) -> Check:
    """Make the check that each game with points has its winners marked (bsv 7.3)."""

    def check(players: Sequence[str], rows: Sequence[ListRow]) -> dict[str, Any]:
        unmarked = [row.game for row in rows if any(row.score.values()) and not _winners(row)]
        return {"check": "winners", "section": section, "ok": not unmarked, "games": unmarked}

    return check
