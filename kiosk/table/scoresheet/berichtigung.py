"""Fold the direction's notes on a list over what the table wrote: lists put right, lists on paper.

The table's events stay as they were. Director and table fold the same notes by this module, so that both have the same
list. A note that does not fit any more, because it was made of a list that was set aside since, changes nothing.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from kiosk.errors import BadNote, shorten
from kiosk.rules.engine.book import Kind, RuleBook
from kiosk.rules.engine.listing import ListRow, RowId
from kiosk.rules.options.option import Options
from kiosk.table.round.fold import Round
from kiosk.table.scoresheet.counted import Apart, CountedList, Mend, as_written

#: Notes on a list: what was put right; a photograph; that it is kept on paper, its rows, result and end.
PAPER, PAPER_ROW, PAPER_RESULT, CLOSED = "paper", "paper_row", "paper_result", "list_closed"
BERICHTIGUNG, PHOTO = "berichtigung", "photo"
NOTES = (BERICHTIGUNG, PHOTO, PAPER, PAPER_ROW, PAPER_RESULT, CLOSED)

#: No game of any book comes near: what is larger was mistyped.
MOST_POINTS = 999

#: How somebody may have played alone, on a list on paper.
ALONE = ("duty", "lust", "solo", "still", "hochzeit")


@dataclass(frozen=True, slots=True, kw_only=True)
class ListNote:
    """A note on one list."""

    number: int  # of the note
    at: int  # ms since the epoch
    body: Mapping[str, Any]


def note_data(one: ListNote) -> dict[str, Any]:
    """Format a note as it goes to its table."""
    return {"number": one.number, "at": one.at, "body": dict(one.body)}


def notes_told(told: object) -> tuple[ListNote, ...]:
    """Read the notes of a list as a table is told them; what is none is left out."""
    if not isinstance(told, list):
        return ()
    return tuple(
        ListNote(number=one["number"], at=one["at"], body=one["body"])
        for one in told
        if isinstance(one, dict)
        and all(type(one.get(key)) is int for key in ("number", "at"))
        and isinstance(one.get("body"), dict)
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Replayed:
    """A list with notes folded over it."""

    listed: CountedList
    passed: tuple[int, ...]  # numbers of the notes that do not fit and were passed over
    touched: Mapping[int, RowId]  # note → the row that it changes, whatever number that has by then


def counted(written: Round, notes: Sequence[ListNote] = ()) -> CountedList:
    """Fold the direction's notes over the list that the table wrote."""
    return replayed(written, notes).listed


def replayed(written: Round, notes: Sequence[ListNote]) -> Replayed:
    """Fold the notes, and say which do not fit and which row each changes."""
    listed, passed, touched = as_written(written), [], {}
    for one in notes:
        try:
            if one.body.get("of") != opened_at(written):
                raise BadNote("other_list", "the note is of a list that was set aside since")
            row = next((row for row in listed.rows if row.game == one.body.get("game")), None)
            listed = step(listed, one)
        except BadNote:
            passed.append(one.number)
            if one.body.get("note") == BERICHTIGUNG and one.body.get("of") == opened_at(written):
                listed = replace(listed, lapsed=(*listed.lapsed, _mend(listed, one)))
        else:
            if row is not None and not one.body.get("insert"):
                touched[one.number] = row.id
    return Replayed(listed=listed, passed=tuple(passed), touched=touched)


def opened_at(written: Round) -> int | None:
    """Tell one list of a table from another: when it was opened, ms since the epoch; None on paper."""
    at = written.opening.at  # the log may be packed, and every card of a hall asks
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
        return _typed(listed, body, one.number)
    if body.get("note") == PAPER_RESULT:
        return _result(listed, body)
    if body.get("note") == CLOSED:
        return replace(listed, closed=True, signed=frozenset(listed.written.seats))
    what = body.get("what")
    change = _WHAT.get(str(what))
    if change is None:
        raise BadNote("malformed", f"what {shorten(what)}: {', '.join(_WHAT)} can be put right")
    mend = _mend(listed, one)
    after = change(listed, body, one.number)
    return replace(after, mends=(*after.mends, mend))


def _mend(listed: CountedList, one: ListNote) -> Mend:
    body = one.body
    return Mend(
        number=one.number,
        what=str(body.get("what")),
        game=body.get("game"),
        seat=body.get("seat"),
        before=body.get("before"),
        after=body.get("after"),
        reason=str(body.get("reason", "")),
        section=str(body.get("section", "")),
        actor=str(body.get("actor", "")),
        at=one.at,
        found=_found(listed, body),
        late=bool(body.get("late")),
    )


def _found(listed: CountedList, body: Mapping[str, Any]) -> Any:
    """What the list said of a row when that is not what the direction had seen: the table has put it right since."""
    row = next((row for row in listed.rows if row.game == body.get("game")), None)
    if row is None or body.get("what") not in ("points", "strike") or body.get("before") is None:
        return None
    now = {str(seat): points for seat, points in row.score.items()}
    return now if now != body["before"] else None


# what each does to the list


def _points(listed: CountedList, body: Mapping[str, Any], _number: int) -> CountedList:
    row = _counting_row(listed, body)
    return _with_row(listed, _scored(row, scores_of(listed, body.get("after"))))


def _strike(listed: CountedList, body: Mapping[str, Any], _number: int) -> CountedList:
    row = _counting_row(listed, body)
    nothing = dict.fromkeys(listed.written.seats, 0)
    return _with_row(listed, replace(row, score=nothing, won=frozenset(), struck=True, void=True))


def _counting_row(listed: CountedList, body: Mapping[str, Any]) -> ListRow:
    row = row_of(listed, body)
    if row.struck:
        raise BadNote("struck_already", f"game {row.game} is struck already", game=row.game)
    return row


def _add(listed: CountedList, body: Mapping[str, Any], number: int) -> CountedList:
    return _added(listed, body, body.get("after"), number)


def _typed(listed: CountedList, body: Mapping[str, Any], number: int) -> CountedList:
    if listed.closed:
        raise BadNote("closed", "the list is closed; what is wrong in it is put right by a Berichtigung")
    if any(one.what == "result" for one in listed.apart):
        raise BadNote("result_there", "the result of this list is entered already; undo it to enter rows")
    game = body.get("game")
    if game in listed.typed and not body.get("insert"):  # typed wrong a moment ago
        again = _typed_again(listed, body, number)
        by_totals = listed.by_totals - {again.id} | ({again.id} if _says_totals(body.get("row")) else set())
        return replace(_with_row(listed, again), paper=True, by_totals=by_totals)
    after = _added(listed, body, body.get("row"), number)
    return replace(after, typed=after.typed | {int(body["game"])}, paper=True)


def _typed_again(listed: CountedList, body: Mapping[str, Any], number: int) -> ListRow:
    """The row as typed now; it stays in its place, and its number for notes on it."""
    was = row_of(listed, body)
    return replace(_new_row(listed, was.game, was.due, body.get("row"), number), added=was.added)


def _added(listed: CountedList, body: Mapping[str, Any], row: object, number: int) -> CountedList:
    """Add a game after the last one, or with ``insert`` in the middle: then those behind it move on by one."""
    game, last = body.get("game"), max((one.game for one in listed.rows), default=0)
    if type(game) is not int or (not 1 <= game <= last if body.get("insert") else game != last + 1):
        raise BadNote("row_taken", f"game {shorten(game)}: the list has {last} games; look at it again", game=last + 1)
    new = _new_row(listed, game, due_dealer(listed, game), row, number)
    if game <= last:
        again = deals_again(listed.written.book, listed.written.options, new, len(listed.players))
        listed = _moved_on(listed, game, 0 if again else 1)
        behind = row_of(listed, {"game": game + 1})
        if _says_totals(row) and behind.id in listed.by_totals:
            rest = {seat: points - new.score[seat] for seat, points in behind.score.items()}
            listed = _with_row(listed, _scored(behind, rest))  # its own total stays as it stands on the list
    rows = sorted((*listed.rows, new), key=lambda one: one.game)
    by_totals = listed.by_totals | ({new.id} if _says_totals(row) else set())
    return replace(listed, rows=_totalled(rows), by_totals=by_totals)


def _says_totals(row: object) -> bool:
    """Whether a row's points were typed as the running totals that stand on the list."""
    return isinstance(row, Mapping) and bool(row.get("totals"))


def _new_row(listed: CountedList, game: int, due: int, row: object, number: int) -> ListRow:
    """Make a row of what was typed or noted: ``score``, and where they apply ``dealer alone how kind suit``."""
    if not isinstance(row, Mapping):
        raise BadNote("malformed", f"row {shorten(row)}: an object with scores is wanted")
    seats = listed.written.seats
    due = seat_of(listed, row.get("due", due))
    dealer = seat_of(listed, row.get("dealer", due))
    score = scores_of(listed, row.get("score"))
    alone = None if row.get("alone") is None else seat_of(listed, row["alone"])
    how = row.get("how")
    if how not in ((None,) if alone is None else ALONE):
        raise BadNote(
            "malformed", f"how {shorten(how)}: one of {', '.join(ALONE)} is wanted where somebody played alone"
        )
    if len(seats) > 4 and score[dealer]:
        raise BadNote(
            "dealer_scores", f"seat {dealer} deals and sits out; no points can be written for it", seat=dealer
        )
    kind, suit = _kind(listed.written.book, row, alone, how)
    new = ListRow(
        game=game,
        dealer=dealer,
        due=due,
        kind=kind,
        suit=suit,
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
        own=None,
        added=number,
    )
    return _scored(new, score)


def _moved_on(listed: CountedList, game: int, turns: int) -> CountedList:
    """Move the games from ``game`` on by one number, and who was due to deal them by ``turns`` seats.

    Who dealt stays as it was noted; of a row on paper of which only the turn was known the dealer goes with it.
    """

    def moved(row: ListRow) -> ListRow:
        if row.game < game:
            return row
        due = _seats_on(listed, row.due, turns)
        follows = row.game in listed.typed and row.dealer == row.due and not (len(row.score) > 4 and row.score[due])
        return replace(row, game=row.game + 1, due=due, dealer=due if follows else row.dealer)

    def number(one: int) -> int:
        return one + (one >= game)

    mends = tuple(one if one.game is None else replace(one, game=number(one.game)) for one in listed.mends)
    typed = frozenset(map(number, listed.typed))
    return replace(listed, rows=tuple(map(moved, listed.rows)), mends=mends, typed=typed)


def _seats_on(listed: CountedList, seat: int, by: int) -> int:
    return (seat - 1 + by) % len(listed.players) + 1


def _result(listed: CountedList, body: Mapping[str, Any]) -> CountedList:
    if listed.closed or listed.typed:
        raise BadNote("rows_there", "rows of this list are entered; a result alone is for a list without rows")
    others = tuple(one for one in listed.apart if one.what != "result")
    apart = Apart(what="result", score=scores_of(listed, body.get("score"), 100 * MOST_POINTS))
    return replace(listed, apart=(*others, apart), paper=True)


def _seats_changed(listed: CountedList, body: Mapping[str, Any], _number: int) -> CountedList:
    names = body.get("after")
    if not isinstance(names, list) or sorted(map(str, names)) != sorted(listed.players):
        raise BadNote("malformed", f"seats {shorten(names)}: the names on the list, each once, are wanted")
    was = {listed.players[seat - 1] for seat in listed.substitutes}
    seats = frozenset(seat for seat, name in enumerate(names, start=1) if name in was)
    return _renamed(replace(listed, substitutes=seats), tuple(map(str, names)))


def _name(listed: CountedList, body: Mapping[str, Any], _number: int) -> CountedList:
    seat = seat_of(listed, body.get("seat"))
    name = str(body.get("after"))
    others = {one.casefold() for at, one in enumerate(listed.players, start=1) if at != seat}
    if name.casefold() in others:
        raise BadNote("same_name", f"name {shorten(name)}: it stands on the list already", name=name)
    return _renamed(listed, tuple(name if at == seat else one for at, one in enumerate(listed.players, start=1)))


def _renamed(listed: CountedList, names: tuple[str, ...]) -> CountedList:
    """Who played alone is named anew, but for somebody who had left before."""
    new = dict(zip(listed.players, names, strict=True))
    rows = tuple(replace(row, who=new.get(row.who, row.who)) for row in listed.rows)
    return replace(listed, players=names, rows=rows)


def _penalty(listed: CountedList, body: Mapping[str, Any], _number: int) -> CountedList:
    """A deduction, nobody gains by it (eppstein 8.7.2 b)."""
    seat, points = seat_of(listed, body.get("seat")), body.get("after")
    most = int(listed.written.options["deduction_most"])
    if not most:
        raise BadNote("no_deduction", f"{listed.written.book.name} knows no deduction; the option allows one")
    if type(points) is not int or not 0 < -points <= most:
        raise BadNote("deduction", f"{shorten(points)}: a deduction of 1 to {most} points is wanted", most=most)
    score = {one: points if one == seat else 0 for one in listed.written.seats}
    return replace(listed, apart=(*listed.apart, Apart(what="penalty", score=score)))


def _disqualified(listed: CountedList, body: Mapping[str, Any], _number: int) -> CountedList:
    name = listed.players[seat_of(listed, body.get("seat")) - 1]
    return replace(listed, disqualified=listed.disqualified | {name})


def _reopen(listed: CountedList, _body: Mapping[str, Any], _number: int) -> CountedList:
    return replace(listed, signed=frozenset(), closed=False)


_WHAT: Mapping[str, Callable[[CountedList, Mapping[str, Any], int], CountedList]] = {
    "points": _points,
    "strike": _strike,
    "row": _add,
    "seats": _seats_changed,
    "name": _name,
    "penalty": _penalty,
    "disqualified": _disqualified,
    "reopen": _reopen,
}


def row_of(listed: CountedList, body: Mapping[str, Any]) -> ListRow:
    row = next((row for row in listed.rows if row.game == body.get("game")), None)
    if row is None:
        raise BadNote("no_row", f"game {shorten(body.get('game'))} is not on the list; choose one of its rows")
    return row


def seat_of(listed: CountedList, seat: object) -> int:
    if type(seat) is not int or seat not in listed.written.seats:
        raise BadNote("malformed", f"seat {shorten(seat)}: this table has seats 1 to {len(listed.players)}")
    return seat


def scores_of(listed: CountedList, scores: object, most: int = MOST_POINTS) -> dict[int, int]:
    wanted = {str(seat) for seat in listed.written.seats}
    if (
        not isinstance(scores, Mapping)
        or set(scores) != wanted
        or not all(type(points) is int and abs(points) <= most for points in scores.values())
    ):
        raise BadNote(
            "scores", f"points {shorten(scores)}: a whole number for each of seats 1 to {len(wanted)} is wanted"
        )
    return {seat: scores[str(seat)] for seat in listed.written.seats}


def _kind(book: RuleBook, row: Mapping[str, Any], alone: int | None, how: object) -> tuple[str, str | None]:
    """What was played, with its suit; where that is not said, what it amounts to."""
    kind, suit = row.get("kind"), row.get("suit")
    if kind in (None, ""):
        kind = "normal" if alone is None else str(how) if how in ("still", "hochzeit") else _unnamed_solo(book)
        return kind, None
    named = next((one for one in book.kinds if one.game == kind), None)
    if named is None and kind not in (book.normal.game, "still"):
        raise BadNote("malformed", f"kind {shorten(kind)}: no game of {book.name}")
    if how in ("duty", "lust", "solo") and named not in solo_kinds(book):
        raise BadNote("no_solo", f"{shorten(kind)} cannot be played as a solo; choose one of the solos of {book.name}")
    if suit is not None and (named is None or suit not in named.suits):
        raise BadNote("malformed", f"suit {shorten(suit)}: {shorten(kind)} has no such suit")
    return str(kind), suit


def solo_kinds(book: RuleBook) -> list[Kind]:
    """List the games of the book that are played alone, declared."""
    alone = {game for (game, _), contract in book.contracts.items() if contract.solo}
    return [kind for kind in book.kinds if kind.game in alone]


def _unnamed_solo(book: RuleBook) -> str:
    """What a solo is called of which the paper does not say more."""
    games = [kind.game for kind in solo_kinds(book)]
    return "solo" if "solo" in games else games[0]


def _scored(row: ListRow, score: Mapping[int, int]) -> ListRow:
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
    """Return who is due to deal a game by the rows before it (eppstein 2.2.1: after a Pflichtsolo the same again).

    Where the list goes on behind it, it is who was due in that place so far.
    """
    there = next((row for row in listed.rows if row.game == game), None)
    if there is not None:
        return there.due
    before = next((row for row in reversed(listed.rows) if row.game < game), None)
    written = listed.written
    if before is None:
        return written.book.first_dealer(written.options)
    if written.games and written.games[-1].number == before.own:
        return _seats_on(listed, written.turn_to_deal()[0], before.due - written.games[-1].due)
    again = deals_again(written.book, written.options, before, len(listed.players))
    return before.due if again else written.after(before.due)


def deals_again(book: RuleBook, options: Options, row: ListRow, players: int) -> bool:
    """Report whether a row's dealer deals again, by what paper says of it (eppstein 2.2.1, schnittchen 4)."""
    if book.duties(options):
        return row.duty
    return bool(row.solo == "solo" and players == 4 and options.get("same_dealer_after_solo") == "four_players")
