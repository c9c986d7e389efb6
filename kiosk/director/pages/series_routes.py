"""Serve series over evenings: people's and clubs' ranking, and to which series an evening belongs."""

from typing import Annotated, Any

from fastapi import APIRouter, Path, Request, Response

from kiosk.director.pages import guard
from kiosk.director.pages.tallies import known_of, of_all_lists, rounds_of
from kiosk.director.pages.tally_routes import Kind, answer_of, note_of
from kiosk.director.refusals import UnknownTournament
from kiosk.director.tables.hall import Hall
from kiosk.director.web.body import read_object
from kiosk.director.web.languages import Language
from kiosk.errors import shorten
from kiosk.paper.series import series_pdf
from kiosk.tournament.notes import in_force
from kiosk.tournament.overtaken import NEVER, based_by
from kiosk.tournament.series import SERIES, all_series, series_csv, series_note, series_of, series_text

router = APIRouter()

Name = Annotated[str, Path(max_length=40)]


@router.get("/series.json")
async def the_names(request: Request) -> list[str]:
    """List the series that evenings belong to."""
    return sorted(await _series(request.app.state.hall))


@router.get("/series/{name:path}.{kind}")
async def the_series(request: Request, name: Name, kind: Kind, language: Language = "de") -> Response:
    """Send the ranking of a series."""
    found = await _series(request.app.state.hall)
    if name not in found:
        raise UnknownTournament(f"no evening belongs to a series {shorten(name)}")
    return await answer_of(found[name], kind, name, language, series_text, series_csv, series_pdf)


@router.get("/api/{tournament}/series")
async def the_series_of(request: Request, tournament: str) -> dict[str, Any]:
    """Send to which series an evening belongs, and the number of the note that says so."""
    guard.need_director(request)
    hall: Hall = request.app.state.hall

    def noted() -> dict[str, Any]:
        known, _, notes = known_of(hall, tournament)
        one = series_of(in_force(notes))
        said = {"name": "", "best": None, "club_best": None} if one is None else one.body
        return {key: said[key] for key in ("name", "best", "club_best")} | {"saved": known.saved.get(SERIES, NEVER)}

    return await hall.threads.on_disk(noted)


@router.post("/api/{tournament}/series")
async def set_series(request: Request, tournament: str) -> dict[str, Any]:
    """Say to which series an evening belongs, "": to none.

    ``{"name": "Saison 2026", "best": 5, "club_best": 4, "based_on": 12}``
    """
    guard.need_director(request)
    wish = await read_object(request)
    return dict(await note_of(request.app.state.hall, tournament, lambda *_known: based_by(wish, series_note(wish))))


async def _series(hall: Hall) -> dict[str, dict[str, Any]]:
    def found() -> dict[str, dict[str, Any]]:
        all_known = (known_of(hall, name) for name in hall.store.tournaments())
        return all_series((known, rounds_of(copies), in_force(notes)) for known, copies, notes in all_known)

    return await of_all_lists(hall, found)
