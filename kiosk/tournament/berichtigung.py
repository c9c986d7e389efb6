"""Put lists right, and take in lists on paper: the direction's notes on a table's list, folded over it.

The table's events stay as they were. A note of ``NOTES`` is kept with its list (``noted``); ``counted`` gives the list
that counts. A note that does not fit any more, because it was made of a list that was set aside since, changes nothing.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Any

from kiosk.rules.engine.book import RuleBook
from kiosk.rules.engine.listing import ListRow
from kiosk.rules.options.option import Options
from kiosk.table.events.values import RoundOpened
from kiosk.table.round.fold import Round, open_round
from kiosk.table.scoresheet.counted import Apart, CountedList, Mend, as_written
from kiosk.table.scoresheet.spielliste import list_words
from kiosk.tournament.notes import BadNote
from kiosk.tournament.people import clean_name

#: Notes on a list: what was put right; a photograph; that it is kept on paper, its rows, result and end.
PAPER, PAPER_ROW, PAPER_RESULT, CLOSED = "paper", "paper_row", "paper_result", "list_closed"
BERICHTIGUNG, PHOTO = "berichtigung", "photo"
NOTES = (BERICHTIGUNG, PHOTO, PAPER, PAPER_ROW, PAPER_RESULT, CLOSED)

#: What a Berichtigung may be of, with the sections that speak of it.
SECTIONS: Mapping[str, Mapping[str, str]] = MappingProxyType(
    {
        "points": {"eppstein": "8.2.2", "bsv": "7.3", "schaffkopf": "III 1.2"},  # obvious errors of reckoning
        "strike": {"eppstein": "8.2.2", "schaffkopf": "III 1.2"},  # without replacement once the round is over
        "row": {"eppstein": "6.3.3", "bsv": "7.3", "schaffkopf": "III 1.2"},
        "seats": {"eppstein": "7.3", "bsv": "8.3"},
        "name": {},
        "penalty": {"eppstein": "8.7.2", "schaffkopf": "III 1.2"},  # bsv 9.5 knows no deduction
        "disqualified": {"eppstein": "8.7.2", "bsv": "9.5", "schaffkopf": "III 1.2"},
        "reopen": {"schaffkopf": "III 3"},
    }
)

#: Points that the Schiedsgericht may deduct at most (eppstein 8.7.2 b); the other books set no bound.
DEDUCTION_MOST: Mapping[str, int] = MappingProxyType({"eppstein": 12})

#: No game of any book comes near: what is larger was mistyped.
_MOST_POINTS = 999

#: How somebody may have played alone, on a list on paper.
ALONE = ("duty", "lust", "solo", "still", "hochzeit")


@dataclass(frozen=True, slots=True, kw_only=True)
class ListNote:
    """A note on one list."""

    number: int  # of the note
    at: int  # ms since the epoch
    body: Mapping[str, Any]


ListNotes = Mapping[tuple[int, int], tuple[ListNote, ...]]  # by round and table


def noted(lists: ListNotes, body: Mapping[str, Any], at: int, number: int) -> ListNotes:
    """Keep one more note with its list.

    :raises BadNote: it does not say which.
    """
    key = (body.get("round"), body.get("table"))
    if not all(type(one) is int and one > 0 for one in key):
        raise BadNote("malformed", f"round and table {key!r}: numbers from 1 on are wanted")
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
    return open_round(opening)


def counted(written: Round, notes: Sequence[ListNote] = ()) -> CountedList:
    """Fold the direction's notes over the list that the table wrote."""
    return replayed(written, notes)[0]


def replayed(written: Round, notes: Sequence[ListNote]) -> tuple[CountedList, tuple[int, ...]]:
    """Fold the notes; beside the list the numbers of those that do not fit and were passed over."""
    listed, passed = as_written(written), []
    for one in notes:
        try:
            if one.body.get("of") != opened_at(written):
                raise BadNote("other_list", "the note is of a list that was set aside since")
            listed = step(listed, one)
        except BadNote:
            passed.append(one.number)
    return listed, tuple(passed)


def opened_at(written: Round) -> int | None:
    """Tell one list of a table from another: when it was opened, ms since the epoch; None on paper."""
    at = written.log[0][1].at
    return None if at is None else int(at)


def step(listed: CountedList, one: ListNote) -> CountedList:
    """Apply one note.

    :raises BadNote: it cannot be, as the list stands.
    """
    body = one.body
    if body.get("note") == PHOTO:
        return replace(listed, photos=(*listed.photos, int(body["photo"])))
    if body.get("note") == PAPER:
        return replace(listed, paper=True)
    if body.get("note") == PAPER_ROW:
        return _typed(listed, body)
    if body.get("note") == PAPER_RESULT:
        return _result(listed, body)
    if body.get("note") == CLOSED:
        return replace(listed, closed=True, signed=frozenset(listed.written.seats))
    what = body.get("what")
    change = _WHAT.get(str(what))
    if change is None:
        raise BadNote("malformed", f"what {what!r}: {', '.join(_WHAT)} can be put right")
    mend = Mend(
        number=one.number,
        what=str(what),
        game=body.get("game"),
        seat=body.get("seat"),
        before=body.get("before"),
        after=body.get("after"),
        reason=str(body.get("reason", "")),
        section=str(body.get("section", "")),
        actor=str(body.get("actor", "")),
        at=one.at,
    )
    return replace(change(listed, body), mends=(*listed.mends, mend))


# what each does to the list


def _points(listed: CountedList, body: Mapping[str, Any]) -> CountedList:
    row = _row(listed, body)
    return _with_row(listed, _scored(listed, row, _scores(listed, body.get("after"))))


def _strike(listed: CountedList, body: Mapping[str, Any]) -> CountedList:
    row = _row(listed, body)
    if row.struck:
        raise BadNote("struck_already", f"game {row.game} is struck already", game=row.game)
    nothing = dict.fromkeys(listed.written.seats, 0)
    return _with_row(listed, replace(row, score=nothing, won=frozenset(), struck=True, void=True))


def _add(listed: CountedList, body: Mapping[str, Any]) -> CountedList:
    return _added(listed, body, body.get("after"))


def _typed(listed: CountedList, body: Mapping[str, Any]) -> CountedList:
    if listed.closed:
        raise BadNote("closed", "the list is closed; what is wrong in it is put right by a Berichtigung")
    if any(one.what == "result" for one in listed.apart):
        raise BadNote("result_there", "the result of this list is entered already; undo it to enter rows")
    game = body.get("game")
    if game in listed.typed:  # typed wrong a moment ago
        listed = replace(listed, rows=tuple(row for row in listed.rows if row.game != game))
    after = _added(listed, body, body.get("row"))
    return replace(after, typed=listed.typed | {int(body["game"])}, paper=True)


def _added(listed: CountedList, body: Mapping[str, Any], row: object) -> CountedList:
    if not isinstance(row, Mapping):
        raise BadNote("malformed", f"row {row!r}: an object with scores is wanted")
    game = body.get("game")
    there = {one.game for one in listed.rows}
    if type(game) is not int or game in there or game != 1 + max((one for one in there if one < game), default=0):
        last = max(there, default=0)
        raise BadNote("row_taken", f"game {game!r}: the list has {last} games; look at it again", game=last + 1)
    seats = listed.written.seats
    due = _seat(listed, row.get("due", due_dealer(listed, game)))
    dealer = _seat(listed, row.get("dealer", due))
    score = _scores(listed, row.get("score"))
    alone = None if row.get("alone") is None else _seat(listed, row["alone"])
    how = row.get("how")
    if how not in ((None,) if alone is None else ALONE):
        raise BadNote("malformed", f"how {how!r}: one of {', '.join(ALONE)} is wanted where somebody played alone")
    if len(seats) > 4 and score[dealer]:
        raise BadNote(
            "dealer_scores", f"seat {dealer} deals and sits out; no points can be written for it", seat=dealer
        )
    kind = _kind(listed.written.book, row.get("kind"), alone, how)
    new = ListRow(
        game=game,
        dealer=dealer,
        due=due,
        kind=kind,
        suit=None,
        declarer=alone,
        duty=how == "duty",
        alone=alone,
        score=score,
        total=score,
        won=frozenset(),
        points=0,
        void=False,
        struck=False,
        open=False,
        solo=how,
        who="" if alone is None else listed.players[alone - 1],
    )
    rows = sorted((*listed.rows, _scored(listed, new, score)), key=lambda one: one.game)
    return replace(listed, rows=_totalled(rows))


def _result(listed: CountedList, body: Mapping[str, Any]) -> CountedList:
    if listed.closed or listed.typed:
        raise BadNote("rows_there", "rows of this list are entered; a result alone is for a list without rows")
    others = tuple(one for one in listed.apart if one.what != "result")
    apart = Apart(what="result", score=_scores(listed, body.get("score"), 100 * _MOST_POINTS))
    return replace(listed, apart=(*others, apart), paper=True)


def _seats_changed(listed: CountedList, body: Mapping[str, Any]) -> CountedList:
    names = body.get("after")
    if not isinstance(names, list) or sorted(map(str, names)) != sorted(listed.players):
        raise BadNote("malformed", f"seats {names!r}: the names on the list, each once, are wanted")
    was = {listed.players[seat - 1] for seat in listed.substitutes}
    seats = frozenset(seat for seat, name in enumerate(names, start=1) if name in was)
    return _renamed(replace(listed, substitutes=seats), tuple(map(str, names)))


def _name(listed: CountedList, body: Mapping[str, Any]) -> CountedList:
    seat = _seat(listed, body.get("seat"))
    others = [name for at, name in enumerate(listed.players, start=1) if at != seat]
    name = clean_name(body.get("after"), others)
    return _renamed(listed, tuple(name if at == seat else one for at, one in enumerate(listed.players, start=1)))


def _renamed(listed: CountedList, names: tuple[str, ...]) -> CountedList:
    """Who played alone is named anew, but for somebody who had left before."""
    new = dict(zip(listed.players, names, strict=True))
    rows = tuple(replace(row, who=new.get(row.who, row.who)) for row in listed.rows)
    return replace(listed, players=names, rows=rows)


def _penalty(listed: CountedList, body: Mapping[str, Any]) -> CountedList:
    """A deduction, nobody gains by it (eppstein 8.7.2 b)."""
    seat, points, book = _seat(listed, body.get("seat")), body.get("after"), listed.written.book
    most = DEDUCTION_MOST.get(book.name, _MOST_POINTS)
    if type(points) is not int or not 0 < -points <= most:
        raise BadNote("deduction", f"{points!r}: a deduction of 1 to {most} points is wanted", most=most)
    score = {one: points if one == seat else 0 for one in listed.written.seats}
    return replace(listed, apart=(*listed.apart, Apart(what="penalty", score=score)))


def _disqualified(listed: CountedList, body: Mapping[str, Any]) -> CountedList:
    name = listed.players[_seat(listed, body.get("seat")) - 1]
    return replace(listed, disqualified=listed.disqualified | {name})


def _reopen(listed: CountedList, _body: Mapping[str, Any]) -> CountedList:
    return replace(listed, signed=frozenset(), closed=False)


_WHAT: Mapping[str, Callable[[CountedList, Mapping[str, Any]], CountedList]] = {
    "points": _points,
    "strike": _strike,
    "row": _add,
    "seats": _seats_changed,
    "name": _name,
    "penalty": _penalty,
    "disqualified": _disqualified,
    "reopen": _reopen,
}


def _row(listed: CountedList, body: Mapping[str, Any]) -> ListRow:
    row = next((row for row in listed.rows if row.game == body.get("game")), None)
    if row is None:
        raise BadNote("no_row", f"game {body.get('game')!r} is not on the list; choose one of its rows")
    return row


def _seat(listed: CountedList, seat: object) -> int:
    if type(seat) is not int or seat not in listed.written.seats:
        raise BadNote("malformed", f"seat {seat!r}: this table has seats 1 to {len(listed.players)}")
    return seat


def _scores(listed: CountedList, scores: object, most: int = _MOST_POINTS) -> dict[int, int]:
    wanted = {str(seat) for seat in listed.written.seats}
    if (
        not isinstance(scores, Mapping)
        or set(scores) != wanted
        or not all(type(points) is int and abs(points) <= most for points in scores.values())
    ):
        raise BadNote("scores", f"points {scores!r}: a whole number for each of seats 1 to {len(wanted)} is wanted")
    return {seat: scores[str(seat)] for seat in listed.written.seats}


def _kind(book: RuleBook, kind: object, alone: int | None, how: object) -> str:
    """What was played; where the paper does not say it, what it amounts to."""
    if kind in (None, ""):
        return "normal" if alone is None else str(how) if how in ("still", "hochzeit") else solo_kinds(book)[0]
    if kind not in ("normal", "still", "hochzeit", *(one.game for one in book.kinds)):
        raise BadNote("malformed", f"kind {kind!r}: no game of {book.name}")
    return str(kind)


def solo_kinds(book: RuleBook) -> list[str]:
    """List the solos that may be declared by the book."""
    return [kind.game for kind in book.kinds if kind.solo]


def _scored(listed: CountedList, row: ListRow, score: Mapping[int, int]) -> ListRow:
    """The row with other points: a game is won by whom points in plus are written for (schaffkopf III 3.1)."""
    won = frozenset(seat for seat, points in score.items() if points > 0)
    return replace(row, score=score, won=won, points=_value(row, score))


def _value(row: ListRow, score: Mapping[int, int]) -> int:
    """The value of a game by its points: a soloist who alone has points has three times as many (eppstein 6.1)."""
    found = sorted({abs(points) for points in score.values() if points})
    if row.alone is not None and len([points for points in score.values() if points]) == 1 and found[0] % 3 == 0:
        return found[0] // 3
    return found[0] if found else 0


def _with_row(listed: CountedList, row: ListRow) -> CountedList:
    return replace(listed, rows=_totalled([row if one.game == row.game else one for one in listed.rows]))


def _totalled(rows: Sequence[ListRow]) -> tuple[ListRow, ...]:
    """Add the totals up anew."""
    total: dict[int, int] = {}
    found = []
    for row in rows:
        total = {seat: total.get(seat, 0) + points for seat, points in row.score.items()}
        found.append(replace(row, total=total))
    return tuple(found)


def due_dealer(listed: CountedList, game: int) -> int:
    """Return who is due to deal a game by the rows before it (eppstein 2.2.1: after a Pflichtsolo the same again)."""
    before = next((row for row in reversed(listed.rows) if row.game < game), None)
    written = listed.written
    if before is None:
        return written.book.first_dealer(written.options)
    if written.games and written.games[-1].number == before.game:
        return written.turn_to_deal()[0]
    again = deals_again(written.book, written.options, before, len(listed.players))
    return before.due if again else written.after(before.due)


def deals_again(book: RuleBook, options: Options, row: ListRow, players: int) -> bool:
    """Report whether a row's dealer deals again, by what paper says of it (eppstein 2.2.1, schnittchen 4)."""
    if book.duties(options):
        return row.duty
    return bool(row.solo == "solo" and players == 4 and options.get("same_dealer_after_solo") == "four_players")


# noting


def mend_note(listed: CountedList, notes: Sequence[ListNote], wish: Mapping[str, Any]) -> dict[str, Any]:
    """Make the note of a Berichtigung, with what was there before; ``wish["seen"]``: notes the page had seen.

    :raises BadNote: it cannot be, would change nothing, or somebody has changed the list meanwhile.
    """
    need_seen(notes, wish)
    reason = " ".join(str(wish.get("reason") or "").split())[:200]
    if not reason or not reason.isprintable():
        raise BadNote("reason", "say in a few words why the list is put right: it stands below the list")
    body = _mend_body(listed, wish) | {"reason": reason, "section": _section(listed.written.book, wish)}
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
    body |= {key: wish[key] for key in ("game", "seat") if wish.get(key) is not None}
    body |= {"round": listed.written.round, "table": listed.written.table, "of": opened_at(listed.written)}
    if what in ("points", "strike"):
        row = _row(listed, body)
        return body | {"before": {str(seat): points for seat, points in row.score.items()}}
    if what == "seats":
        return body | {"before": list(listed.players)}
    if what == "name":
        return body | {"before": listed.players[_seat(listed, body.get("seat")) - 1]}
    if what == "disqualified":
        return body | {"after": listed.players[_seat(listed, body.get("seat")) - 1]}
    if what == "reopen":
        return body | {"before": sorted(listed.signed)}
    return body


def _section(book: RuleBook, wish: Mapping[str, Any]) -> str:
    """The section given, else the book's own on such a thing; with the book's name."""
    said = " ".join(str(wish.get("section") or "").split())[:40]
    if not said.isprintable():
        raise BadNote("malformed", f"section {said!r}: it holds signs that cannot be printed")
    said = said or SECTIONS.get(str(wish.get("what")), {}).get(book.name, "")
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
        raise BadNote("malformed", f"note {kind!r}: nothing of that name can be noted of a list")
    step(listed, ListNote(number=-1, at=0, body=body))
    return body


def _row_typed(listed: CountedList, wish: Mapping[str, Any]) -> dict[str, Any]:
    game = wish.get("game")
    row = {key: wish[key] for key in ("dealer", "alone", "how", "kind") if wish.get(key) not in (None, "")}
    score = wish.get("score")
    if score is None and isinstance(wish.get("totals"), Mapping) and type(game) is int:
        before = next((one.total for one in reversed(listed.rows) if one.game < game), {})
        totals = _scores(listed, wish["totals"], 100 * _MOST_POINTS)
        score = {str(seat): points - before.get(seat, 0) for seat, points in totals.items()}
    return {**row, "score": score}


def doubts(listed: CountedList, game: int) -> list[dict[str, Any]]:
    """List what is strange in a row by the book: its own checks, the dealer, a Pflichtsolo too many."""
    row = next(one for one in listed.rows if one.game == game)
    written = listed.written
    alone = [replace(row, total=row.score)]
    checks = written.book.columns(listed.players, alone, list_words("de"))["checks"]
    found = [{**one, "seat": None} for one in checks if not one["ok"]]
    if row.dealer != row.due:
        found.append({"check": "due", "section": "", "seat": row.due})
    duties = [one for one in listed.rows if one.duty and one.alone == row.alone and not one.struck]
    if row.duty and len(duties) > written.book.duties(written.options):
        found.append({"check": "duty", "section": "", "seat": row.alone})
    return found
