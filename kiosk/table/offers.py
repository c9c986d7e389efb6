"""What the book allows somebody to do now: calls still in time, games to declare, breaches to claim."""

from dataclasses import dataclass
from typing import Any

from kiosk.rules.announcements import KONTRA, LEVEL, OTHER, RE, Said
from kiosk.rules.game import Game, moment
from kiosk.rules.values import Offence
from kiosk.table.fold import Round


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenCall:
    """A call that a seat may make now without an offence."""

    call: str
    side: str | None  # to be named with it; None where everybody knows it, or the call says it
    cards_left: int  # own cards it may still lay before the call is too late; 0: with the next card it is


def open_calls(game: Game, seat: int) -> tuple[OpenCall, ...]:
    """All calls that ``seat`` could make now without an offence, Re and Kontra first, then upwards.

    Judged by what everybody knows: a seat whose side is not public is offered the calls of both sides, so that the
    offer betrays nothing. After a claim the other side may still call (eppstein 4.3.7).
    """
    if seat not in game.seats or (game.ended and game.claim is None) or game.objection:
        return ()
    if game.ended and (game.claim is None or game.claim.seat == seat or not _directly_after_claim(game)):
        return ()
    _, state = game.judged()
    now = moment(game, seat)
    rules = game.book.calls
    known = game.known_sides.get(seat)
    found = []
    for side in (known,) if known else (RE, KONTRA):
        for call in rules.words:
            level = LEVEL.get(call)
            if level is None or (level == 1 and call != side):
                continue
            said = Said(
                event=game.last_event + 1,
                seat=seat,
                call=call,
                side=None if level == 1 else side,
                together=False,
                moment=now,
            )
            if seat in state.spoken.get((side, call), ()) or state.would_be_fault(said):
                continue
            if level <= state.level[side] and not state.would_raise(said):
                continue  # stands already, and saying it again does nothing
            left = rules.left(now, level)
            if level == 1 and rules.reply_left and not state.level[side] and state.level[OTHER[side]]:
                left = max(left, rules.reply_left(now, state.level[OTHER[side]]))
            steps = range(max(state.level[side], 1) + 1, level)
            left = min([left, *(rules.left(now, step) for step in steps)])
            if level > 1 and not state.level[side]:
                left = min(left, rules.left(now, 1))
            found.append(OpenCall(call=call, side=None if known or level == 1 else side, cards_left=left))
    return tuple(sorted(found, key=lambda one: (LEVEL[one.call], one.call, one.side or "")))


def _directly_after_claim(game: Game) -> bool:
    return game.claim is not None and game.last_event in (
        game.claim.event,
        game.said[-1].event if game.said else game.claim.event,
    )


def declarations(round_: Round, seat: int) -> tuple[dict[str, Any], ...]:
    """The games that ``seat`` may declare now, as keys of the event ``declare``, highest Vorbehalt first.

    Without regard to its cards, which nobody sees, unless they were scanned. Who is vorgeführt may declare a
    Pflichtsolo only, and nobody else anything (eppstein 3.2.3); Hochzeit never among several Vorbehalte (3.1.6).
    """
    game = round_.game
    if game is None or game.ended or seat not in game.seats or game.tricks or game.open_trick:
        return ()
    if game.must_play not in (None, seat):
        return ()
    if game.spoken.get(seat, game.book.answers[-1]) != game.book.answers[-1]:
        return ()
    duty = seat in game.duties_open
    knowledge = game.knowledge()
    found: list[tuple[int, dict[str, Any]]] = []
    for kind in game.book.kinds:
        if not kind.allowed(game, knowledge, seat) or (game.must_play == seat and not kind.solo):
            continue
        if kind.rank == max(k.rank for k in game.book.kinds) and len(game.reserved) > 1:
            continue
        keys: dict[str, Any] = {"game": kind.game}
        if kind.solo:
            keys["duty"] = duty
        for suit in kind.suits or (None,):
            for condition in kind.conditions or (None,):
                named = dict(keys)
                if suit:
                    named["suit"] = suit
                if condition:
                    named["condition"] = condition
                found.append((kind.rank, named))
    return tuple(named for _, named in sorted(found, key=lambda one: one[0]))


def claimants(game: Game, offence: Offence) -> tuple[int, ...]:
    """The seats that may still claim an offence of this game (eppstein 8.8.1, 8.8.3).

    Not the offender; with the partnership clear only the other side; nobody who has laid a card or called since the
    breach became certain.
    """
    seats = [seat for seat in game.seats if seat != offence.seat]
    if game.clear:
        sides = game.known_sides
        seats = [seat for seat in seats if sides[seat] != sides[offence.seat]]
    return tuple(seat for seat in sorted(seats) if not game.book.claim_lost_by(game, seat, offence))


def may_see_last_trick(game: Game) -> bool:
    """Whether the last trick may be shown again: until the fourth card of the next lies (eppstein 4.4.4)."""
    return bool(game.tricks) and game.phase == "playing"
