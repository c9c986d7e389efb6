"""Describe a table for the page: plain JSON values from the table's view; the page adds the words."""

from collections.abc import Mapping
from functools import cache
from typing import Any

from kiosk.director.pages.offered import offered
from kiosk.director.tables.copy import Copy
from kiosk.director.tables.desks import TableDesk
from kiosk.director.tables.held_back import HeldBack
from kiosk.director.tables.rivals import described
from kiosk.language import Language, languages
from kiosk.language.rules import limits_words
from kiosk.language.scoresheet import list_word
from kiosk.rules.books import BOOKS
from kiosk.rules.engine.values import MISREAD, Offence
from kiosk.table.events.codec import encode
from kiosk.table.events.values import PlayingTimeEnded
from kiosk.table.round.fold import Round
from kiosk.table.scoresheet.berichtigung import opened_at
from kiosk.table.scoresheet.counted import CountedList
from kiosk.table.scoresheet.pace import pace
from kiosk.table.scoresheet.spielliste import games_left, list_data, played_out
from kiosk.table.scoresheet.written import checks, mend_line, ruling_line, state
from kiosk.table.view.book_view import book_view
from kiosk.table.view.glance import glance
from kiosk.table.view.spoken import as_said, words_back
from kiosk.table.view.table_view import CallView, DutyView, LeaveView, SeatView, TableView, TrickView

#: Events that a director wants to read; cards are left out, since past tricks are nobody's to look at (eppstein 4.4.4).
_TOLD = {
    "open", "release", "call", "declare", "leave", "announce", "retract", "claim", "object", "rule", "void", "strike",
    "time_up", "sign", "close", "correct", "bid", "substitute",
}  # fmt: skip
_KEYS = (
    "event", "seat", "call", "game", "suit", "duty", "granted", "side", "card", "by", "why", "kind", "accepted",
    "against", "code", "offender", "class", "minutes", "scores", "fines", "replay", "at", "player", "of", "word",
)  # fmt: skip
_FEED_LINES = 40

#: Answers in the asking that nobody wants to read again.
_UNSAID = ("gesund", "weiter", "recht")

#: What is said within a game.
_IN_A_GAME = {"call", "bid", "declare", "leave", "announce", "retract", "claim", "object", "rule", "void"}

#: Of a row of the list what the page marks; its cells come ready to print.
_ROW = ("game", "dealer", "score", "total", "kind", "alone", "solo", "void", "struck", "open", "marks", "typed")


def card(copy: Copy, counted: CountedList | None) -> dict[str, Any]:
    """Describe the table as one card in the hall; ``counted``: its list as it counts, None where there is none."""
    base = {
        "table": copy.key.table,
        "round": copy.key.round,
        "events": copy.count,
        "trouble": copy.trouble,
        "players": [] if counted is None else list(counted.players),
        "paper": counted is not None and counted.paper,
        "mended": 0 if counted is None else len(counted.mends),
    }
    round_ = copy.round
    if round_ is None:
        return base | ({"phase": "empty"} if counted is None else _on_paper(counted))
    assert counted is not None  # a table that has opened its list has one
    now, totals = glance(round_), counted.totals
    return base | {
        "opened": opened_at(round_),
        **_of_book(round_.book.name),
        "phase": "over" if now.phase in ("dealing", "scored") and played_out(counted) else now.phase,
        "game": now.game + len(counted.added),
        "own": now.game,
        "games_left": games_left(counted),
        "kind": now.kind,
        "declarer": now.declarer,
        "dealer": now.dealer,
        "totals": [totals[seat] for seat in round_.seats],
        "duty_open": now.duty_open,
        "must_play": now.must_play,
        "trick": now.trick,
        "doubts": now.doubts,
        "open_rows": now.open_rows,
        "offences": [_offence(offence) for offence in now.offences],
        "objection": now.objection,
        "paused": now.paused,
        "signed": sorted(counted.signed),
        "sign_anew": counted.sign_anew,
        "timed": round_.minutes is not None,
        "substitutes": sorted(round_.substitutes),
        "changes": [{"seat": one.seat, "left": one.left} for one in round_.changes],
        "released": copy.has("release"),
        "time_up": copy.has("time_up") and any(isinstance(event, PlayingTimeEnded) for _, event in round_.facts),
        "closed": counted.closed,
        "reopened": round_.closed and not counted.closed,
        "leave": _leave(now.leave),
        **_pace(round_),
    }


@cache
def _of_book(name: str) -> Mapping[str, Any]:
    """What the page needs of a book, its buttons too: classes of rulings, whether it knows leave and money."""
    book = BOOKS[name]
    return {
        "rules": book.name,
        "title": book.title,
        "bavarian": book_view(book.name).bavarian,
        "classes": {kind: book.cite(section) for kind, section in book.rulings.items()},
        "knows_leave": book.needs_leave is not None,
        "knows_money": bool(book.payments),
    }


def _pace(round_: Round) -> dict[str, Any]:
    """Say when something last happened at the table, and how long a game takes there, both by the table's own clock.

    ``last_at``: ms since the epoch; ``games_done``; ``game_ms``: on average, from the release to the last game's end.
    """
    now = pace(round_)
    return {"last_at": now.last_at, "games_done": now.games, "game_ms": now.game_ms}


def held_back(held: HeldBack) -> dict[str, Any]:
    """Describe what a table has decided by itself, and how much of its list waits behind that."""
    told = [
        {key: event[key] for key in _KEYS if key in event} | {"number": number, "ordered": "order_number" in event}
        for number, event in held.decided
    ]
    return {"last": held.last, "events": len(held.events), "since": held.since, "decided": told}


def rival(desk: TableDesk, here: bool) -> dict[str, Any] | None:
    """Describe the stored list and the one that contradicts it, side by side; ``here``: the device is connected.

    None where there is no contradiction, or the stored list is not folded yet.
    """
    found = desk.rival
    if not desk.conflict or found is None or not desk.copy.count:
        return None
    stored = described(desk.copy)
    return {
        "last": found.last,
        "chain": found.chain,
        "differs": found.differs,
        "here": here,
        "lists": {"stored": stored, "sent": dict(found.told)},
    }


def _on_paper(counted: CountedList) -> dict[str, Any]:
    """A table without a device, as far as its list is typed in."""
    written, totals = counted.written, counted.totals
    return {
        "phase": "paper",
        "rules": written.book.name,
        "title": written.book.title,
        "game": len(counted.rows),
        "games_left": None if counted.closed else list_data(counted)["games_left"],
        "totals": [totals[seat] for seat in written.seats],
        "closed": counted.closed,
        "signed": sorted(counted.signed),
        "timed": False,
        "released": True,
        "time_up": False,
    }


def sheet(copy: Copy, view: TableView | None, counted: CountedList | None) -> dict[str, Any]:
    """Describe the table's own page: its whole list, the trick on the table, and the last events."""
    if counted is None:
        return {"lists": {}, "feed": [], "seats": [], "offers": offered(copy.round, None)}
    lists = {language: _list(counted, language) for language in languages()}
    if view is None or copy.round is None:
        return {"lists": lists, "feed": [], "seats": [], "offers": offered(None, counted)}
    noted = copy.round.noted
    return {
        "lists": lists,
        "offers": offered(copy.round, counted),
        "bavarian": view.book.bavarian,
        "limits": {
            language: limits_words(view.limits, copy.round.book.calls.counted, language) for language in languages()
        },
        "game": {
            "kind": view.kind,
            "suit": view.suit,
            "declarer": view.declarer,
            "called": view.called,
            "renonce": view.renonce,
            "raised": list(view.raised),
            "doubled": view.doubled,
            "bock_left": view.bock_left,
        },
        "seats": [_seat(seat, view) for seat in view.seats],
        "open_trick": _trick(view.trick),
        "doubts": [
            {"event": doubt.event, "seat": doubt.seat, "game": doubt.game, "trick": doubt.trick,
             "choices": list(doubt.choices)}
            for doubt in view.doubts
        ],
        "offences": [
            {"code": one.code, "seat": one.seat, "section": one.section, "event": one.event, "proved": one.proved,
             "at": None if (proved := noted(one.proved)) is None else proved.at}
            for one in [one for one in copy.round.offences if one.code != MISREAD][-_FEED_LINES:]
        ],
        "feed": _feed(copy.round),
        "spoken": _spoken(copy.round),
        "alternatives": view.book.alternatives,
    }  # fmt: skip


def _feed(round_: Round) -> list[dict[str, Any]]:
    """The last events that the direction reads."""
    told: list[dict[str, Any]] = []
    for number, event in reversed(round_.log):
        if event.name in _TOLD and len(told) < _FEED_LINES:
            body = encode(event)
            if body.get("call") not in _UNSAID:
                told.append({"number": number, **{key: body[key] for key in _KEYS if key in body}})
    return told[::-1]


def _spoken(round_: Round) -> list[dict[str, Any]]:
    """All that can be put right in the round, with the game it was said in."""
    deals = [(game.dealt, game.number) for game in (*round_.games, *([round_.game] if round_.game else []))]
    told = []
    for number, event in words_back(round_):
        said, counts = as_said(event), round_.words.get(number, event)
        if said.get("call") in _UNSAID:
            continue
        game = None
        if event.name in _IN_A_GAME:
            game = next((deal for dealt, deal in reversed(deals) if dealt < number), None)
        told.append({"event": number, "game": game, "said": said, "word": None if counts is None else as_said(counts)})
    return told[::-1]


def _leave(leave: LeaveView | None) -> dict[str, Any] | None:
    """The leave that the game in play needs."""
    if leave is None:
        return None
    return {"seat": leave.seat, "game": leave.game, "section": leave.section, "state": leave.state}


def _list(counted: CountedList, language: Language) -> dict[str, Any]:
    """The book's own list in one language, as it is printed."""
    data = list_data(counted, language)
    marked = {row["solo"]: list_word(f"mark_{row['solo']}", language) for row in data["rows"] if row["solo"]}
    return {
        "name": data["name"],
        "columns": data["columns"],
        "fields": data["fields"],
        "rows": [
            {key: row[key] for key in _ROW} | {"own": one.own}
            for row, one in zip(data["rows"], counted.rows, strict=True)
        ],
        "lines": data["lines"],
        "foot": data["foot"],
        "solos": marked,
        "checks": checks(data),
        "state": state({**data, "mended": [], "paper": False}),
        "mended": [
            {"number": one["number"], "at": one["at"], "line": mend_line(data, one), "mark": one["mark"]}
            for one in data["mended"]
        ],
        "paper": data["paper"],
        "photos": counted.photos,
        "rulings": [ruling_line(data, ruling) for ruling in data["rulings"]],
    }


def _seat(seat: SeatView, view: TableView) -> dict[str, Any]:
    return {
        "seat": seat.seat,
        "name": seat.name,
        "dealer": seat.dealer,
        "sits_out": seat.sits_out,
        "turn": seat.turn,
        "cards_left": seat.cards_left,
        "tricks_won": seat.tricks_won,
        "total": seat.total,
        "duty_open": seat.duty_open,
        "said": list(seat.said),
        "answer": seat.answer,
        "bid": seat.bid,
        "side": seat.side,
        "ran": seat.ran,
        "euros": view.fines[seat.seat - 1] if view.fines else 0,
        "may_say": [_limit(call) | {"call": call.call} for call in seat.calls],
        "owes": None if seat.owes is None else _limit(seat.owes) | {"certain": seat.owes.certain},
    }


def _limit(what: CallView | DutyView) -> dict[str, Any]:
    return {"cards": what.cards_left, "counted": what.counted}


def _offence(offence: Offence) -> dict[str, Any]:
    return {"code": offence.code, "seat": offence.seat, "section": offence.section, "event": offence.event}


def _trick(trick: TrickView | None) -> list[dict[str, Any]]:
    if trick is None:
        return []
    return [{"seat": card.seat, "card": None if card.down else card.card, "doubt": card.doubt} for card in trick.cards]
