"""Check who stands behind a request: the one table of what each act needs, for all devices alike.

What binds wants to be meant: a press held until its ring is full, or what counts as much on another device. What undoes
what others have a part in wants them all, each at his own seat, or the referee. The direction's orders need no more.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from enum import Enum
from typing import TypeVar

from kiosk.errors import Refused
from kiosk.table.default_names import is_default
from kiosk.table.events.values import (
    AnswerForRest,
    AskingAnswered,
    BidMade,
    BreakBegun,
    BreakEnded,
    CallAnnounced,
    CardCorrected,
    CardInserted,
    CardPlayed,
    CardRetracted,
    CardsReseated,
    Consent,
    DealVoided,
    Event,
    FinishGame,
    GameClaimed,
    GameDealt,
    GameDeclared,
    GameStruck,
    HandScanned,
    LeaveDecided,
    ListHandedIn,
    ListSigned,
    ObjectionRaised,
    PlayerSubstituted,
    PlayingTimeEnded,
    Request,
    RoundOpened,
    RoundReleased,
    RulingGiven,
    SeatNamed,
    SeatsSwapped,
    TableEvent,
    TableRequest,
    WordCorrected,
)
from kiosk.table.round.fold import Round
from kiosk.table.round.taking_back import Who, who_may


class Need(Enum):
    """What an act needs, the least first."""

    PLAIN = "a touch"
    BINDING = "a press that is held"
    ALL = "everybody at the table, or the referee"


#: Everybody at the table stands behind it, with a press that was held: simulated people do.
BY_ALL = Consent(deliberate=True, seats=frozenset(range(1, 6)))


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """What an act needs, and what it needs where something more is the case."""

    usual: Need
    where: str = ""  # the case in words
    other: Need | None = None
    case: Callable[[Round, Event], bool] = lambda round, event: False

    def need(self, round: Round, event: Event) -> Need:
        """Say what this very act needs now."""
        return self.other if self.other is not None and self.case(round, event) else self.usual


def _binds(round: Round, event: Event) -> bool:
    return bool(round.book.classes)


def _begun(round: Round, event: Event) -> bool:
    game = round.game if round.running else None
    return game is not None and bool(
        game.spoken or game.bids or game.said or game.declaration or game.open_trick or game.tricks
    )


def _has_name(round: Round, event: Event) -> bool:
    seats = range(1, len(round.players) + 1)
    return isinstance(event, SeatNamed) and event.seat in seats and not is_default(round.players[event.seat - 1])


def _unsigned(round: Round, event: Event) -> bool:
    return not set(round.seats) <= set(round.signed)


def _stops_clock(round: Round, event: Event) -> bool:
    return bool(round.options["break_stops_clock"])


def _dealt(round: Round, event: Event) -> bool:
    return round.game is not None


def _acted_on(round: Round, event: Event) -> bool:
    return isinstance(event, WordCorrected) and who_may(round, event) is not Who.SEAT


_PLAIN, _BINDING, _ALL = (Rule(usual=need) for need in Need)

#: Every event and what asking for it needs. There is no default: an event that is missing here cannot be asked for.
ACTS: dict[type[TableEvent], Rule] = {
    RoundOpened: _PLAIN,
    RoundReleased: _ALL,
    GameDealt: _PLAIN,  # the first word or card of a game deals it as well
    HandScanned: _PLAIN,
    AskingAnswered: Rule(
        usual=Need.PLAIN, where="nobody takes back what he said (schaffkopf II 2.2)", other=Need.BINDING, case=_binds
    ),
    BidMade: _BINDING,
    GameDeclared: _BINDING,
    LeaveDecided: _ALL,
    CallAnnounced: _BINDING,
    CardPlayed: _PLAIN,
    CardInserted: _PLAIN,
    CardCorrected: _PLAIN,
    CardsReseated: _PLAIN,
    WordCorrected: Rule(
        usual=Need.PLAIN, where="it is a word that its seat may not take back any more", other=Need.ALL, case=_acted_on
    ),
    CardRetracted: _PLAIN,
    GameClaimed: _BINDING,
    ObjectionRaised: _BINDING,
    RulingGiven: _ALL,
    DealVoided: Rule(
        usual=Need.BINDING, where="a word was said or a card laid in this game", other=Need.ALL, case=_begun
    ),
    GameStruck: _ALL,
    PlayingTimeEnded: _ALL,
    ListSigned: _BINDING,
    PlayerSubstituted: _ALL,
    BreakBegun: Rule(usual=Need.PLAIN, where="the clock stops in a break", other=Need.ALL, case=_stops_clock),
    BreakEnded: _PLAIN,
    SeatsSwapped: Rule(usual=Need.PLAIN, where="a game was dealt", other=Need.ALL, case=_dealt),
    SeatNamed: Rule(usual=Need.PLAIN, where="the seat has a name already", other=Need.ALL, case=_has_name),
    ListHandedIn: Rule(usual=Need.BINDING, where="a signature is missing", other=Need.ALL, case=_unsigned),
}

#: What needs more than one event: reporting a game as over, and answering for those who were not heard (each may still
#: say otherwise).
OTHERS: dict[type[FinishGame] | type[AnswerForRest], Need] = {FinishGame: Need.BINDING, AnswerForRest: Need.PLAIN}


def need(round: Round, request: TableRequest) -> Need:
    """Say what a request needs now; what is entered although it breaks a rule is meant at least."""
    if not isinstance(request, Request):
        return OTHERS[type(request)]
    wanted = ACTS[type(request.event)].need(round, request.event)
    return Need.BINDING if request.anyway and wanted is Need.PLAIN else wanted


def check_consent(round: Round, request: TableRequest) -> None:
    """Refuse what nobody meant, and what needs others than those who ask for it.

    Who may put a word right the book has a say in: ``decide`` asks for that by :mod:`kiosk.table.round.taking_back`.
    """
    if isinstance(request, Request) and isinstance(request.event, WordCorrected):
        return
    wanted, consent = need(round, request), request.consent
    everybody = consent.seats >= set(round.seats)
    if consent.direction or consent.referee or everybody or wanted is Need.PLAIN:
        return
    if wanted is Need.ALL:
        raise Refused("needs_all", "", f"{_name(request)} needs {Need.ALL.value}; {sorted(consent.seats)} agreed")
    if not consent.deliberate:
        raise Refused("needs_hold", "", f"{_name(request)} needs {Need.BINDING.value}")


def _name(request: TableRequest) -> str:
    return request.event.name if isinstance(request, Request) else type(request).__name__


Asked = TypeVar("Asked", Request, FinishGame)


def held(request: Asked) -> Asked:
    """Mark a request as made by a press that was held until its ring was full, or what counts as much."""
    return replace(request, consent=replace(request.consent, deliberate=True))


def by_referee(request: Request) -> Request:
    """Mark a request as the referee's, who has shown that he is it."""
    return replace(request, consent=replace(request.consent, deliberate=True, referee=True))


def by_direction(request: Request) -> Request:
    """Mark a request as an order of the direction."""
    return replace(request, consent=replace(request.consent, direction=True))


def needing_all(round: Round) -> frozenset[str]:
    """Name the acts that need everybody or the referee as things stand: what a screen offers them by."""
    asked: tuple[Event, ...] = (DealVoided(), ListHandedIn(), BreakBegun(), SeatsSwapped(seats=(1, 2)))
    return frozenset(event.name for event in asked if ACTS[type(event)].need(round, event) is Need.ALL)
