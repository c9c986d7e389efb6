"""Say which signal an event or a change of the table is worth, and what is spoken about it."""

from collections.abc import Sequence

from kiosk.app.panel import needs_direction
from kiosk.language import has, say
from kiosk.language.games import game_word
from kiosk.rules.engine.values import MISREAD
from kiosk.table.events.values import (
    AskingAnswered,
    BidMade,
    CallAnnounced,
    Event,
    GameDeclared,
    ObjectionRaised,
    WordCorrected,
)
from kiosk.table.view.table_view import TableView

#: Minutes before the end at which a signal says that time is running out.
LAST_MINUTES = (10, 5, 1)

#: Answers in the asking that nobody needs to hear.
_UNSAID = ("gesund", "weiter", "recht")


def signal_of(event: Event) -> str:
    """Name the signal that a new event gives at once; "" for none."""
    return "taken" if isinstance(event, CallAnnounced) else ""


def signals_of_change(before: TableView | None, after: TableView) -> tuple[str, ...]:
    """List the signals for a change of the view; the first view after a start has none."""
    if before is None or (before.table, before.round) != (after.table, after.round):
        return ()
    given = []
    known = {(offence.code, offence.seat, offence.event) for offence in before.offences}
    new = [one for one in after.offences if (one.code, one.seat, one.event) not in known]
    if any(not one.ruled and one.code != MISREAD for one in new):
        given.append("breach")
    if {doubt.event for doubt in after.doubts} - {doubt.event for doubt in before.doubts}:
        given.append("doubt")
    if needs_direction(after) and not needs_direction(before):
        given.append("referee")
    if after.clock.over and not before.clock.over:
        given.append("time_up")
    else:
        passed = [m for m in LAST_MINUTES if before.clock.remaining > 60 * m >= after.clock.remaining]
        given += [f"minutes_{min(passed)}"] if passed else []
    return tuple(given)


def words_of(event: Event, players: Sequence[str], language: str, was: Event | None = None) -> str:
    """Write what is spoken about a new event, so that everybody hears what the table has noted; "" for nothing.

    :param was: the event that this one corrects.
    """
    match event:
        case WordCorrected(word=None) if was is not None:
            words = words_of(was, players, language)
            return say("spoken", "taken_back", language, words=words) if words else ""
        case WordCorrected(word=word) if word is not None:
            return words_of(word, players, language)
        case CallAnnounced(seat=seat, call=call, side=side):
            words = (
                f"{_call(side, language)} {_call(call, language)}" if side and side != call else _call(call, language)
            )
        case AskingAnswered(seat=seat, call=call) if call not in _UNSAID:
            words = _call(call, language)
        case BidMade(seat=seat, game=game):
            words = _call("no_higher", language) if game is None else game_word(game, language=language)
        case GameDeclared(seat=seat, game=game, suit=suit, ahead=False):
            words = game_word(game, suit, language=language)
        case ObjectionRaised(seat=seat):
            words = say("spoken", "objection", language)
        case _:
            return ""
    return f"{players[seat - 1]}: {words}"


def words_of_change(before: TableView | None, after: TableView, language: str) -> str:
    """Write what is spoken of a game named ahead: it is told once all have answered (schaffkopf II 2.3)."""
    if before is None or before.plays is None or after.plays is not None or after.declarer != before.plays:
        return ""
    return f"{after.seat(before.plays).name}: {game_word(str(after.kind), after.suit, language=language)}"


def _call(code: str, language: str) -> str:
    return say("calls", code, language) if has("calls", code) else code
