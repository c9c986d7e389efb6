"""Put lists right, and take in lists on paper: make the direction's notes on a table's list, and check them.

They are folded over the list by ``kiosk.table.scoresheet.berichtigung``, at the director and at the table alike.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from kiosk.errors import BadNote, shorten
from kiosk.rules.engine.book import RuleBook
from kiosk.table.events.values import RoundOpened
from kiosk.table.round.book_played import with_its_book
from kiosk.table.round.fold import Round, open_round
from kiosk.table.scoresheet.berichtigung import (
    BERICHTIGUNG,
    CLOSED,
    MOST_POINTS,
    PAPER,
    PAPER_RESULT,
    PAPER_ROW,
    ListNote,
    opened_at,
    row_of,
    scores_of,
    seat_of,
    step,
)
from kiosk.table.scoresheet.counted import CountedList
from kiosk.table.scoresheet.spielliste import list_words
from kiosk.tournament.people import clean_name

ListNotes = Mapping[tuple[int, int], tuple[ListNote, ...]]  # by round and table


def noted(lists: ListNotes, body: Mapping[str, Any], at: int, number: int) -> ListNotes:
    """Keep one more note with its list.

    :raises BadNote: it does not say which.
    """
    key = (body.get("round"), body.get("table"))
    if not all(type(one) is int and one > 0 for one in key):
        raise BadNote("malformed", f"round and table {shorten(key)}: numbers from 1 on are wanted")
    round_, table = key
    assert isinstance(round_, int) and isinstance(table, int)
    one = ListNote(number=number, at=at, body=dict(body))
    return {**lists, (round_, table): (*lists.get((round_, table), ()), one)}


def on_paper(
    book: RuleBook,
    players: Sequence[str],
    *,
    round_: int,
    table: int,
    options: Mapping[str, Any],
    substitutes: Iterable[str] = (),
    tournament: str = "",
) -> Round:
    """Open the empty list of a table without a device, its seats as drawn."""
    away = set(substitutes)
    opening = RoundOpened(
        rules=book.name,
        players=tuple(players),
        table=table,
        round=round_,
        options=dict(options),
        substitutes=tuple(seat for seat, name in enumerate(players, start=1) if name in away),
        tournament=tournament,
    )
    return open_round(with_its_book(opening))


def mend_note(
    listed: CountedList, notes: Sequence[ListNote], wish: Mapping[str, Any], *, late: bool = False
) -> dict[str, Any]:
    """Make the note of a Berichtigung, with what was there before; ``wish["seen"]``: notes the page had seen.

    :param late: the time for objections is over.
    :raises BadNote: it cannot be, would change nothing, or somebody has changed the list meanwhile.
    """
    need_seen(notes, wish)
    reason = " ".join(str(wish.get("reason") or "").split())[:200]
    if not reason or not reason.isprintable():
        raise BadNote("reason", "say in a few words why the list is put right: it stands below the list")
    body = _mend_body(listed, wish) | {"reason": reason, "section": _section(listed.written.book, wish)}
    body |= {"late": True} if late else {}
    after = step(listed, ListNote(number=-1, at=0, body=body))
    if replace(after, mends=()) == replace(listed, mends=()):
        raise BadNote("no_change", "that is what the list says already; nothing was noted")
    return body


def need_seen(notes: Sequence[ListNote], wish: Mapping[str, Any]) -> None:
    """:raises BadNote: the list was changed after the page had looked at it: by another, or the same key twice."""
    if wish.get("seen") != len(notes):
        by = str(notes[-1].body.get("actor", "")) if notes else ""
        raise BadNote("seen", f"the list was changed meanwhile (by {by!r}); look at it again", name=by or "–")


def _mend_body(listed: CountedList, wish: Mapping[str, Any]) -> dict[str, Any]:
    what = str(wish.get("what"))
    body: dict[str, Any] = {"note": BERICHTIGUNG, "what": what, "after": wish.get("after")}
    body |= {key: wish[key] for key in ("game", "seat", "insert") if wish.get(key) not in (None, False)}
    body |= {"round": listed.written.round, "table": listed.written.table, "of": opened_at(listed.written)}
    if what in ("points", "strike"):
        row = row_of(listed, body)
        return body | {"before": {str(seat): points for seat, points in row.score.items()}}
    if what == "seats":
        return body | {"before": list(listed.players)}
    if what == "name":
        seat = seat_of(listed, body.get("seat"))
        others = [name for at, name in enumerate(listed.players, start=1) if at != seat]
        return body | {"before": listed.players[seat - 1], "after": clean_name(body["after"], others)}
    if what == "disqualified":
        return body | {"after": listed.players[seat_of(listed, body.get("seat")) - 1]}
    if what == "reopen":
        return body | {"before": sorted(listed.signed)}
    return body


def _section(book: RuleBook, wish: Mapping[str, Any]) -> str:
    """The section given, else the book's own on such a thing; with the book's name."""
    said = " ".join(str(wish.get("section") or "").split())[:40]
    if not said.isprintable():
        raise BadNote("malformed", f"section {shorten(said)}: it holds signs that cannot be printed")
    said = said or book.berichtigung.get(str(wish.get("what")), "")
    return said if not said or said.startswith(book.name) else book.cite(said)


def paper_note(listed: CountedList, notes: Sequence[ListNote], wish: Mapping[str, Any]) -> dict[str, Any]:
    """Make the note of a row, the result or the end of a list on paper.

    Points come as ``score`` of the game, or as ``totals``: as they stand on a list that is cumulated.

    :raises BadNote: it cannot be, or another has typed it meanwhile.
    """
    written, kind = listed.written, wish.get("note")
    body: dict[str, Any] = {"note": kind, "round": written.round, "table": written.table, "of": opened_at(written)}
    if kind == PAPER_ROW:
        body |= {"game": wish.get("game"), "row": _row_typed(listed, wish)}
        body |= {"insert": True} if wish.get("insert") is True else {}
        if wish.get("seen") is not None:
            need_seen(notes, wish)
    elif kind == PAPER:
        if listed.paper:
            raise BadNote("no_change", "the list is kept on paper already")
    elif kind == PAPER_RESULT:
        need_seen(notes, wish)
        body["score"] = wish.get("score")
    elif kind == CLOSED:
        need_seen(notes, wish)
        if listed.closed:
            raise BadNote("closed", "the list is closed already")
        if not listed.rows and not listed.apart:
            raise BadNote("empty_list", "nothing is entered of this list yet; enter its rows or its result")
    else:
        raise BadNote("malformed", f"note {shorten(kind)}: nothing of that name can be noted of a list")
    step(listed, ListNote(number=-1, at=0, body=body))
    return body


def _row_typed(listed: CountedList, wish: Mapping[str, Any]) -> dict[str, Any]:
    game = wish.get("game")
    row = {key: wish[key] for key in ("dealer", "alone", "how", "kind", "suit") if wish.get(key) not in (None, "")}
    score = wish.get("score")
    if score is None and isinstance(wish.get("totals"), Mapping) and type(game) is int:
        before = next((one.total for one in reversed(listed.rows) if one.game < game), {})
        totals = scores_of(listed, wish["totals"], 100 * MOST_POINTS)
        score = {str(seat): points - before.get(seat, 0) for seat, points in totals.items()}
        row["totals"] = True
    return {**row, "score": score}


def doubts(listed: CountedList, game: int) -> list[dict[str, Any]]:
    """List what is strange in a row by the book: its own checks, the dealer, a Pflichtsolo too many."""
    row = next(one for one in listed.rows if one.game == game)
    written = listed.written
    alone = [replace(row, total=row.score)]
    checks = written.book.list_of(listed.players, alone, list_words("de"))["checks"]
    found = [{**one, "seat": None} for one in checks if not one["ok"]]
    if row.dealer != row.due:
        found.append({"check": "due", "section": "", "seat": row.due})
    duties = [one for one in listed.rows if one.duty and one.alone == row.alone and not one.struck]
    if row.duty and len(duties) > written.book.duties(written.options):
        found.append({"check": "duty", "section": "", "seat": row.alone})
    return found
