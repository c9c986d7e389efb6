"""Say which of the page's buttons can work on a table's list as it stands: what is offered is what the table takes."""

from kiosk.director.tables.copy import Copy
from kiosk.errors import BadEvent, BadNote, Refused, shorten
from kiosk.table.consent import by_direction, check_consent
from kiosk.table.decide import decide
from kiosk.table.events.values import Event, GameStruck, LeaveDecided, PlayerSubstituted, Request, RulingGiven
from kiosk.table.round.fold import Round
from kiosk.table.scoresheet.counted import CountedList
from kiosk.table.view.spoken import as_said, words_back

#: Events that a table still takes of the direction once its list is handed in.
_AFTER_HAND_IN = ("strike", "correct")

#: A name that nobody bears.
_NOBODY = "\N{HORIZONTAL ELLIPSIS}"


def offered(round_: Round | None, counted: CountedList | None) -> list[str]:
    """List the buttons for a table: those that it would refuse are left out.

    ``release timeUp extra callTable rule clearCall leave strike putRight replacePlayer mend``; who may press them is
    another matter, and so is whether the table is there.

    :param round_: as the table wrote it; None: nobody has sat down, or its list is on paper.
    """
    if round_ is None:
        return ["callTable", "release"] if counted is None else ["mend"]
    timed, running = round_.minutes is not None, not round_.closed
    works = {
        "callTable": True,
        "mend": True,
        "release": running and not round_.released,
        "timeUp": running and timed and round_.released and not round_.time_up,
        "clearCall": round_.game is not None and round_.game.objection is not None,
        "putRight": any(as_said(event).get("call") != "gesund" for _, event in words_back(round_)),
        "extra": timed,
        "leave": round_.book.needs_leave is not None,
    }
    orders = {name: events for name, events in _orders(round_).items() if works.get(name, True)}
    works |= {name: any(_takes(round_, event) for event in events) for name, events in orders.items()}
    return sorted(name for name, does in works.items() if does)


def _orders(round_: Round) -> dict[str, list[Event]]:
    """Orders as the buttons give them, to be tried; whose points and which name does not matter."""
    nothing = dict.fromkeys(round_.seats, 0)
    last = [game.number for game in round_.games if not round_.is_struck(game)][-1:]
    return {
        "extra": [RulingGiven(offender=None, kind="none", minutes=1, answers=False)],
        "rule": [RulingGiven(offender=1, kind="custom", scores=nothing, resume=True)],
        "leave": [LeaveDecided(seat=seat, granted=True) for seat in round_.seats],
        "strike": [GameStruck(game=number, replay=False) for number in last],
        "replacePlayer": [PlayerSubstituted(seat=1, player=_NOBODY)],
    }


def check_open(copy: Copy, body: dict[str, object]) -> None:
    """Check that a list is not handed in where an order would need it open.

    :raises BadNote: it is.
    """
    closed = copy.round is not None and copy.round.closed
    if closed and "call" not in body and body.get("event") not in _AFTER_HAND_IN:
        raise BadNote(
            "handed_in",
            f"table {copy.key.table} has handed its list in, and takes no {shorten(body.get('event'))} any "
            "more; put it right",
            table=copy.key.table,
        )


def _takes(round_: Round, event: Event) -> bool:
    """Whether the table would carry that out as an order."""
    request = by_direction(Request(event=event))
    try:
        check_consent(round_, request)
        decide(round_, request)
    except (Refused, BadEvent):
        return False
    return True
