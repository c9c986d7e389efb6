"""What the page is told of a table: plain JSON values, made from the table's view. Words are put in by the page."""

from typing import Any

from kiosk.director.copy import Copy
from kiosk.table.spielliste import rows
from kiosk.table.view import OffenceView, TableView, TrickView

#: Events that a director wants to read; cards are left out, since past tricks are nobody's to look at (eppstein 4.4.4).
_TOLD = {
    "open", "release", "call", "declare", "leave", "announce", "retract", "claim", "object", "rule", "void", "strike",
    "time_up", "sign", "close", "correct",
}  # fmt: skip
_KEYS = (
    "event", "seat", "call", "game", "suit", "duty", "granted", "side", "card", "by", "why", "kind", "accepted",
    "against", "code", "offender", "class", "minutes", "scores", "fines", "replay", "at",
)  # fmt: skip
_FEED = 40


def card(copy: Copy, view: TableView | None) -> dict[str, Any]:
    """The table as one card in the hall."""
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
        "offences": [_offence(offence) for offence in view.offences],
        "objection": view.objection,
        "signed": list(view.signed),
        "released": copy.has("release"),
        "time_up": copy.has("time_up"),
        "closed": copy.has("close"),
    }


def sheet(copy: Copy, view: TableView | None) -> dict[str, Any]:
    """The table's own page: its whole list, the trick on the table, and what happened last."""
    feed = [
        {"number": number, **{key: event[key] for key in _KEYS if key in event}}
        for number, event in enumerate(copy.events)
        if event.get("event") in _TOLD and event.get("call") != "gesund"
    ][-_FEED:]
    if view is None or copy.round is None:
        return {"rows": [], "feed": feed, "seats": []}
    listed = {row.game: row for row in rows(copy.round)}
    return {
        "rows": [
            {
                "game": row.game,
                "dealer": row.dealer,
                "kind": row.kind,
                "declarer": row.declarer,
                "duty": row.duty,
                "suit": listed[row.game].suit,
                "alone": listed[row.game].alone,
                "score": list(row.score),
                "total": list(row.total),
                "points": row.points,
                "void": row.void,
                "open": row.open,
            }
            for row in view.rows
        ],
        "seats": [
            {
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
            }
            for seat in view.seats
        ],
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
        ][-_FEED:],
        "feed": feed,
    }  # fmt: skip


def _players(copy: Copy) -> list[str]:
    names = copy.events[0].get("players") if copy.events else None
    return [str(name) for name in names] if isinstance(names, list) else []


def _offence(offence: OffenceView) -> dict[str, Any]:
    return {"code": offence.code, "seat": offence.seat, "section": offence.section, "event": offence.event}


def _trick(trick: TrickView | None) -> list[dict[str, Any]]:
    if trick is None:
        return []
    return [{"seat": card.seat, "card": None if card.down else card.card, "doubt": card.doubt} for card in trick.cards]
