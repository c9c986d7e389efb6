"""Answer what is refused: its HTTP status, a word for programs, and what pages and tables need to say it."""

from typing import Any

from kiosk.director.access.refusals import NotAllowed, NotLoggedIn, TooMany, Unknown
from kiosk.director.refusals import (
    BadBackup,
    Contradiction,
    DirectorError,
    Gap,
    NotAnEvent,
    NotFresh,
    NothingHeld,
    NotOrdered,
    OffenderMissing,
    PicturesBusy,
    PicturesGone,
    StillReading,
    StoreFailed,
    TakenOver,
    TooLarge,
    TooSlow,
    UnknownPlace,
    UnknownTable,
    UnknownTournament,
    WrongToken,
)
from kiosk.errors import KioskError, LocalisedError

_STATUS: tuple[tuple[type[KioskError], int, str], ...] = (
    (Gap, 409, "gap"),
    (Contradiction, 409, "contradiction"),
    (OffenderMissing, 422, "offender"),
    (NotAnEvent, 422, "not_an_event"),
    (StoreFailed, 507, "store"),
    (WrongToken, 401, "token"),
    (NotLoggedIn, 403, "login"),
    (TooMany, 429, "too_many"),
    (Unknown, 404, "unknown"),
    (NotAllowed, 403, "not_allowed"),
    (NotOrdered, 422, "not_ordered"),
    (NothingHeld, 409, "nothing_held"),
    (UnknownPlace, 404, "unknown"),
    (NotFresh, 409, "not_fresh"),
    (PicturesGone, 409, "pictures"),
    (PicturesBusy, 503, "pictures"),
    (StillReading, 503, "still_reading"),
    (BadBackup, 400, "bad_backup"),
    (TakenOver, 503, "taken_over"),
    (TooSlow, 408, "too_slow"),
    (TooLarge, 413, "too_large"),
    (UnknownTournament, 404, "tournament"),
    (UnknownTable, 404, "table"),
    (DirectorError, 400, "refused"),
    (LocalisedError, 400, "refused"),
)


def refusal(error: DirectorError | LocalisedError) -> tuple[int, dict[str, Any]]:
    """Return a refusal's HTTP status and its JSON object."""
    status, word = next((status, word) for kind, status, word in _STATUS if isinstance(error, kind))
    content: dict[str, Any] = {"error": word, "message": str(error)}
    if isinstance(error, Gap):
        content["wanted"] = error.wanted
    if isinstance(error, Contradiction):
        content |= {"number": error.number, "stored": error.stored}
    if isinstance(error, LocalisedError):
        content |= {"code": error.code, "values": error.values}
    return status, content
