"""Apply the referee's events to the round: Reklamationen, rulings, struck games."""

from collections.abc import Mapping
from typing import TypeVar

from kiosk.errors import BadEvent
from kiosk.rules.engine.evolve import evolve
from kiosk.rules.engine.game import Game
from kiosk.rules.engine.money import cents
from kiosk.rules.engine.result import payments
from kiosk.rules.engine.values import Objection, Ruling
from kiosk.rules.steps import ending
from kiosk.table.events.values import GameStruck, ObjectionRaised, RulingGiven
from kiosk.table.round.bounds import State, current_game, event_of, seat_of, with_game
from kiosk.table.round.record import Fined, Replay

Amount = TypeVar("Amount", int, float)


def objected(round: State, number: int, event: ObjectionRaised) -> State:
    """Let play rest until the ruling."""
    made = Objection(
        event=number,
        seat=seat_of(round, event.seat),
        against=event.against if event.against is None else seat_of(round, event.against),
        code=event.code,
        breach=event_of(event.breach, number),
    )
    game = current_game(round)
    if game.ended == "void":
        raise BadEvent("no game is running; the last deal was void")
    return with_game(round, ending.object_(game, made))


def ruled(round: State, number: int, event: RulingGiven) -> State:
    """Book a ruling: on the game in play or just ended, or fines and Nachspielzeit alone."""
    if not event.answers:
        return _time_given(round, event)
    apart = event.kind == "none" and (event.minutes or event.fines)  # needs no game
    game = round.game if apart else current_game(round)
    if game is not None and game.ended == "void" and event.kind != "none":
        raise BadEvent("no game is running; the last deal was void")
    ruling = _ruling(round, number, event, game)
    booked = round if game is None else with_game(round, ending.rule(game, ruling))
    # Nachspielzeit opens the table's time again, also where the ruling comes after its end (eppstein 7.4.1).
    time_up = round.time_up and not ruling.minutes
    return evolve(
        booked,
        fined=_fined(round, ruling, game, booked.game),
        extra_minutes=round.extra_minutes + ruling.minutes,
        time_up=time_up,
    )


def _time_given(round: State, event: RulingGiven) -> State:
    """The direction writes Nachspielzeit and answers no Reklamation by it: play that rests goes on resting."""
    minutes = event.minutes or 0
    if event.kind != "none" or minutes <= 0:
        raise BadEvent("a ruling that answers nothing is of class none and gives minutes")
    return evolve(round, extra_minutes=round.extra_minutes + minutes, time_up=False)


def _ruling(round: State, number: int, event: RulingGiven, game: Game | None) -> Ruling:
    """The ruling with its breach: as named, else that of the last Reklamation, else its own event."""
    breach = event_of(event.breach, number)
    if breach is None:
        breach = number if game is None else breach_meant(game, number)
    return Ruling(
        event=number,
        offender=event.offender if event.offender is None else seat_of(round, event.offender),
        kind=event.kind,
        breach=breach,
        harms_soloist=event.harms_soloist,
        scores=_by_seat(round, event.scores),
        fines=_by_seat(round, event.fines) or {},
        minutes=event.minutes or 0,
        resume=event.resume,
    )


def breach_meant(game: Game, number: int) -> int:
    """Return the breach of a ruling that names none: that of the last Reklamation, else the ruling, ``number``."""
    if not game.objections:
        return number
    last = game.objections[-1]
    return last.event if last.breach is None else last.breach


def _by_seat(round: State, amounts: Mapping[int, Amount] | None) -> dict[int, Amount] | None:
    return None if amounts is None else {seat_of(round, seat): amount for seat, amount in amounts.items()}


def _fined(round: State, ruling: Ruling, before: Game | None, after: Game | None) -> tuple[Fined, ...]:
    """All fines of the round once a ruling is booked, in the order of their rulings."""
    deal = None if before is None else before.dealt
    fined = [one for one in round.fined if not (one.preset and before is not None and one.deal == deal)]
    for of, owed in payments(after).items() if after is not None else ():
        fined.append(Fined(event=of, deal=deal, preset=True, amounts=_cents(owed)))
    if ruling.fines:
        fined.append(Fined(event=ruling.event, deal=deal, preset=False, amounts=_cents(ruling.fines)))
    return tuple(sorted(fined, key=lambda one: one.event))


def _cents(euros: Mapping[int, float]) -> dict[int, int]:
    return {seat: cents(amount) for seat, amount in euros.items()}


def struck(round: State, number: int, event: GameStruck) -> State:
    """Strike a noted game."""
    game = next((game for game in round.games if game.number == event.game), None)
    if game is None:
        raise BadEvent(f"game {event.game} is not on the list; it has {len(round.games)} games")
    if event.game in round.struck:
        raise BadEvent(f"game {event.game} is struck already")
    if event.replay and round.closed:
        where = round.book.cite(round.book.berichtigung["strike"])
        raise BadEvent("after the round a game is struck without replacement" + (f" ({where})" if where else ""))
    replays = round.replays
    if event.replay and game.result and game.result.counted:
        replays += (Replay(game.dealer, not round.used_turn(game)),)
    return evolve(round, struck={**round.struck, event.game: event.replay}, replays=replays)
