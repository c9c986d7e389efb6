"""Describe a table for the page: plain JSON values from the table's view; the page adds the words."""

from typing import Any

from kiosk.director.tables.copy import Copy
from kiosk.language import Language, languages
from kiosk.language.rules import limits_words
from kiosk.language.scoresheet import list_word
from kiosk.table.round.fold import Round
from kiosk.table.scoresheet.spielliste import list_data
from kiosk.table.scoresheet.written import checks, ruling_line, state
from kiosk.table.view.spoken import spoken
from kiosk.table.view.table_view import CallView, DutyView, OffenceView, SeatView, TableView, TrickView

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
_ROW = ("game", "dealer", "score", "total", "kind", "alone", "solo", "void", "struck", "open")


def card(copy: Copy, view: TableView | None) -> dict[str, Any]:
    """Describe the table as one card in the hall."""
    base = {
        "table": copy.key.table,
        "round": copy.key.round,
        "events": len(copy.events),
        "trouble": copy.trouble,
        "players": _players(copy),
    }
    if view is None:
        return base | {"phase": "empty"}
    return base | {
        "rules": view.rules,
        "title": view.title,
        "phase": view.phase,
        "bavarian": view.book.bavarian,
        "game": view.game,
        "games_left": view.games_left,
        "kind": view.kind,
        "declarer": view.declarer,
        "dealer": next((seat.seat for seat in view.seats if seat.dealer), None),
        "totals": [seat.total for seat in view.seats],
        "duty_open": [seat.seat for seat in view.seats if seat.duty_open],
        "must_play": view.must_play,
        "trick": view.trick_number,
        "doubts": len(view.doubts),
        "open_rows": [row.game for row in view.rows if row.open],
        "offences": [_offence(offence) for offence in view.offences if not offence.ruled],
        "objection": view.objection,
        "paused": view.paused,
        "signed": list(view.signed),
        "timed": copy.round is None or copy.round.minutes is not None,
        "substitutes": sorted(copy.round.substitutes) if copy.round else [],
        "changes": [{"seat": one.seat, "left": one.left} for one in copy.round.changes] if copy.round else [],
        "released": copy.has("release"),
        "time_up": copy.has("time_up"),
        "closed": copy.round is not None and copy.round.closed,
        **_book(copy),
        "leave": _leave(view),
    }


def sheet(copy: Copy, view: TableView | None) -> dict[str, Any]:
    """Describe the table's own page: its whole list, the trick on the table, and the last events."""
    feed = [
        {"number": number, **{key: event[key] for key in _KEYS if key in event}}
        for number, event in enumerate(copy.events)
        if event.get("event") in _TOLD and event.get("call") not in _UNSAID
    ][-_FEED_LINES:]
    if view is None or copy.round is None:
        return {"lists": {}, "feed": feed, "seats": []}
    return {
        "lists": {language: _list(copy.round, language) for language in languages()},
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
             "at": copy.events[one.proved].get("at") if one.proved < len(copy.events) else None}
            for one in copy.round.offences
        ][-_FEED_LINES:],
        "feed": feed,
        "spoken": _spoken(copy.round),
        "alternatives": view.book.alternatives,
    }  # fmt: skip


def _spoken(round_: Round) -> list[dict[str, Any]]:
    """All that can be put right in the round, with the game it was said in."""
    deals = [(game.dealt, game.number) for game in (*round_.games, *([round_.game] if round_.game else []))]
    return [
        {
            "event": one.event,
            "game": max([deal for deal in deals if deal[0] < one.event], default=(0, None))[1]
            if one.said["event"] in _IN_A_GAME
            else None,
            "said": dict(one.said),
            "word": None if one.word is None else dict(one.word),
        }
        for one in spoken(round_, since=0)
        if one.said.get("call") not in _UNSAID
    ]


def _book(copy: Copy) -> dict[str, Any]:
    """What the director's buttons need of the book: its classes of rulings, whether it knows leave and money."""
    if copy.round is None:
        return {}
    book = copy.round.book
    return {
        "classes": {kind: book.cite(section) for kind, section in book.rulings.items()},
        "knows_leave": book.needs_leave is not None,
        "knows_money": bool(book.payments),
    }


def _leave(view: TableView) -> dict[str, Any] | None:
    """The leave that the game in play needs."""
    if view.leave is None:
        return None
    return {"seat": view.leave.seat, "game": view.leave.game, "section": view.leave.section, "state": view.leave.state}


def _list(round_: Round, language: Language) -> dict[str, Any]:
    """The book's own list in one language, as it is printed."""
    data = list_data(round_, language)
    marked = {row["solo"]: list_word(f"mark_{row['solo']}", language) for row in data["rows"] if row["solo"]}
    return {
        "name": data["name"],
        "columns": data["columns"],
        "fields": data["fields"],
        "rows": [{key: row[key] for key in _ROW} for row in data["rows"]],
        "lines": data["lines"],
        "foot": data["foot"],
        "solos": marked,
        "checks": checks(data),
        "state": state(data),
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


def _players(copy: Copy) -> list[str]:
    names: Any = copy.round.players if copy.round else copy.events[0].get("players") if copy.events else None
    return [str(name) for name in names] if isinstance(names, list | tuple) else []


def _offence(offence: OffenceView) -> dict[str, Any]:
    return {"code": offence.code, "seat": offence.seat, "section": offence.section, "event": offence.event}


def _trick(trick: TrickView | None) -> list[dict[str, Any]]:
    if trick is None:
        return []
    return [{"seat": card.seat, "card": None if card.down else card.card, "doubt": card.doubt} for card in trick.cards]
