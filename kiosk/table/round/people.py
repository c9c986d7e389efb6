"""Apply events about people and time to the round: release, substitution, end of time, the list's signatures."""

from dataclasses import replace

from kiosk.errors import BadEvent, shorten
from kiosk.rules.engine.evolve import evolve
from kiosk.table.events.values import (
    BreakBegun,
    BreakEnded,
    ListHandedIn,
    ListSigned,
    PlayerSubstituted,
    PlayingTimeEnded,
    RoundReleased,
    SeatNamed,
    SeatsSwapped,
)
from kiosk.table.round.bounds import State, seat_of, still_running
from kiosk.table.round.record import SeatChange


def released(round: State, number: int, event: RoundReleased) -> State:
    """Release the round."""
    return evolve(round, released=True, released_at=round.released_at if round.released else event.at)


def substituted(round: State, number: int, event: PlayerSubstituted) -> State:
    """Give a seat to somebody else for the rest of the round (schaffkopf III 1.3)."""
    seat, came = seat_of(round, event.seat), event.player
    if came in round.players:
        raise BadEvent(f"{shorten(came)} sits at this table already")
    changed = SeatChange(event=number, seat=seat, left=round.players[seat - 1], came=came, games=len(round.games))
    return evolve(
        round,
        players=tuple(came if one == seat else name for one, name in enumerate(round.players, start=1)),
        substitutes=round.substitutes - {seat} if event.ranked else round.substitutes | {seat},
        changes=(*round.changes, changed),
        signed=tuple(one for one in round.signed if one != seat),
    )


def named(round: State, number: int, event: SeatNamed) -> State:
    """Give the one who sits there another name, for the games before as well: nobody has come or gone."""
    seat, name = seat_of(round, event.seat), event.player
    if name in round.players:
        raise BadEvent(f"{shorten(name)} sits at this table already")
    last = max((place for place, one in enumerate(round.changes) if one.seat == seat), default=None)
    changes = (replace(one, came=name) if place == last else one for place, one in enumerate(round.changes))
    players = (name if one == seat else before for one, before in enumerate(round.players, start=1))
    return evolve(round, players=tuple(players), changes=tuple(changes))


def swapped(round: State, number: int, event: SeatsSwapped) -> State:
    """Exchange the names of two who sat down on each other's seats.

    They stay where they are, and the games noted stay with who played them: no book has games count for who did not
    play them, and the places drawn only decide who deals (eppstein 7.3.1, bsv 8.4, schaffkopf III 2.2).
    """
    one, other = (seat_of(round, seat) for seat in event.seats)
    other_of = {one: other, other: one}
    return evolve(
        round,
        players=tuple(round.players[other_of.get(seat, seat) - 1] for seat in round.seats),
        substitutes=frozenset(other_of.get(seat, seat) for seat in round.substitutes),
        changes=tuple(replace(change, seat=other_of.get(change.seat, change.seat)) for change in round.changes),
        signed=tuple(seat for seat in round.signed if seat not in other_of),
    )


def break_begun(round: State, number: int, event: BreakBegun) -> State:
    """Begin a break of the table."""
    if round.paused:
        raise BadEvent("the table has a break already; resume ends it")
    return evolve(round, paused=True)


def break_ended(round: State, number: int, event: BreakEnded) -> State:
    """End the table's break."""
    if not round.paused:
        raise BadEvent("the table has no break")
    return evolve(round, paused=False)


def time_ended(round: State, number: int, event: PlayingTimeEnded) -> State:
    """End the playing time; signalled once more it changes nothing."""
    if round.time_up:
        return round
    running = round.game if round.running else None
    return evolve(round, time_up=True, time_up_from=number if running is None else running.dealt)


def signed(round: State, number: int, event: ListSigned) -> State:
    """Take a player's signature; a second one of the same seat changes nothing."""
    seat = seat_of(round, event.seat)
    if number < round.signed_from:
        return round  # of another list
    if round.running:
        raise still_running(round)
    return round if seat in round.signed else evolve(round, signed=(*round.signed, seat))


def handed_in(round: State, number: int, event: ListHandedIn) -> State:
    """Close the list."""
    if round.running:
        raise still_running(round)
    return evolve(round, closed=True)
