"""Serve a table's games to referee and direction: as they were noted, and with the pictures that the table has."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from fastapi import APIRouter, Request

from kiosk.director.access.access import Access
from kiosk.director.key import ListKey
from kiosk.director.pages import guard
from kiosk.director.refusals import UnknownTable
from kiosk.director.tables.hall import Hall
from kiosk.director.web.languages import Language
from kiosk.director.web.paths import Number, Round, Table
from kiosk.table.round.fold import Round as Folded
from kiosk.table.view.book_view import book_view
from kiosk.table.view.played_game import PlayedBreach, PlayedCard, PlayedGame, PlayedStep, games_of, played_game
from kiosk.table.view.played_words import breach_told, how_told

router = APIRouter()

_BASE64 = re.compile(r"[A-Za-z0-9+/]+={0,2}")


@router.get("/api/{tournament}/{round_}/{table}/games/{number}")
async def a_game(
    request: Request, tournament: str, round_: Round, table: Table, number: Number, language: Language = "de"
) -> dict[str, Any]:
    """Send a game of a table as it was played, trick by trick; all of it, also while it is in play."""
    guard.need(request, "order")
    hall, folded = _hall(request), _folded(request, ListKey(tournament, round_, table))
    return await hall.threads.folding(_told, folded, number, language)


@router.post("/api/{tournament}/{round_}/{table}/games/{number}/pictures")
async def pictures(request: Request, tournament: str, round_: Round, table: Table, number: Number) -> dict[str, Any]:
    """Ask the table for the pictures of a game: ``{"cards": {"17": "/9j/…"}, "mats": {}}``, JPEG in base64.

    They come from the table's own disk while it is connected, and are kept nowhere here.
    """
    guard.need(request, "order")
    key = ListKey(tournament, round_, table)
    hall, folded = _hall(request), _folded(request, key)
    shown = await hall.threads.folding(_played, folded, number)
    end = next((desk.line for desk in hall.desks.of_table(table) if desk.line is not None), None)
    came = await hall.pictures.fetch(end, tournament, round_, shown.stamps)
    access: Access = request.app.state.access
    where = {"tournament": tournament, "round": round_, "table": table, "game": number}
    await access.act("pictures_seen", guard.address(request), where)
    return {kind: {event: jpeg for event, jpeg in one.items() if _is_jpeg(jpeg)} for kind, one in came.items()}


def _is_jpeg(text: str) -> bool:
    """Whether a table has sent a picture: what it says goes into a page."""
    return text.startswith("/9j/") and _BASE64.fullmatch(text) is not None


def _played(folded: Folded, game: int) -> PlayedGame:
    shown = played_game(folded, game, whole=True)
    if shown is None:
        raise UnknownTable(f"there is no game {game} in this list")
    return shown


def _told(folded: Folded, number: int, language: Language) -> dict[str, Any]:
    """A game as the page shows it."""
    game, games = _played(folded, number), [one.number for one in games_of(folded)]
    place = games.index(number)
    bavarian = book_view(folded.book.name).bavarian
    return {
        "game": number,
        "kind": game.kind,
        "declarer": game.declarer,
        "dealer": game.dealer,
        "running": game.running,
        "bavarian": bavarian,
        "players": list(folded.players),
        "before": games[place - 1] if place else None,
        "after": games[place + 1] if place + 1 < len(games) else None,
        "tricks": [
            {
                "number": trick.number,
                "winner": trick.winner,
                "points": trick.points,
                "mats": [event for event, _ in trick.mats],
                "steps": [_step(step, folded.players, language, bavarian=bavarian) for step in trick.steps],
            }
            for trick in game.tricks
        ],
    }


def _step(step: PlayedStep, names: Sequence[str], language: Language, *, bavarian: bool) -> Mapping[str, Any]:
    if isinstance(step, PlayedCard):
        return {
            "card": step.card,
            "event": step.event,
            "seat": step.seat,
            "down": step.down,
            "doubt": bool(step.doubt),
            "gone": bool(step.gone),
            "how": how_told(step, names, language, bavarian=bavarian),
            "pictures": [event for event, _ in step.pictures],
        }
    if isinstance(step, PlayedBreach):
        return {"breach": breach_told(step, names, language), "section": step.offence.section}
    return {"said": dict(step.said), "word": None if step.word is None else dict(step.word)}


def _folded(request: Request, key: ListKey) -> Folded:
    hall = _hall(request)
    folded = hall.desks[key].copy.round if key in hall.desks else None
    if folded is None:
        raise UnknownTable(f"{key}: has no list here")
    return folded


def _hall(request: Request) -> Hall:
    hall: Hall = request.app.state.hall
    return hall
