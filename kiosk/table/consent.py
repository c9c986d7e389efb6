"""Check who stands behind a request: the one table of what each act needs, for all devices alike.

What binds wants to be meant: a press held until its ring is full, or what counts as much on another device. What a seat
says for itself no other seat says for it, as far as the device knows whose hand it was. What undoes what others have a
part in wants them all, each at his own seat, or the referee. The direction's orders need no more.
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
    OPPONENT = "a press that is held by the seat and by another that plays, or the referee"
    PLAYERS = "everybody who plays in the game, each at his own seat, or the referee"
    ALL = "everybody at the table, or the referee"


#: Everybody at the table stands behind it, with a press that was held: simulated people do.
BY_ALL = Consent(deliberate=True, seats=frozenset(range(1, 6)))


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """When an act needs something else than usual."""

    needs: Need
    where: str  # it in words
    holds: Callable[[Round, Event], bool]


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """What an act needs, and what it needs in a certain case; of several cases the first that holds counts.

    :param own: the seat of the event says or does it for itself: a press known to be another seat's is refused.
    """

    usual: Need
    own: bool = False
    cases: tuple[Case, ...] = ()

    def need(self, round: Round, event: Event) -> Need:
        """Say what this very act needs now."""
        return next((case.needs for case in self.cases if case.holds(round, event)), self.usual)


def _usually(usual: Need, needs: Need, where: str, holds: Callable[[Round, Event], bool], own: bool = False) -> Rule:
    return Rule(usual=usual, own=own, cases=(Case(needs=needs, where=where, holds=holds),))


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


def _signed(round: Round, event: Event) -> bool:
    return round.closed or (bool(round.signed) and not round.running)


def _stops_clock(round: Round, event: Event) -> bool:
    return bool(round.options["break_stops_clock"])


def _dealt(round: Round, event: Event) -> bool:
    return round.game is not None


def _shows_cards(round: Round, event: Event) -> bool:
    return isinstance(event, GameClaimed) and event.kind == "rest"


def _contested(round: Round, event: Event) -> bool:
    return isinstance(event, GameClaimed) and not event.accepted


def _acted_on(round: Round, event: Event) -> bool:
    return isinstance(event, WordCorrected) and who_may(round, event) is not Who.SEAT


_PLAIN, _BINDING, _ALL = (Rule(usual=need) for need in (Need.PLAIN, Need.BINDING, Need.ALL))
_OWN_PLAIN, _OWN_BINDING = (Rule(usual=need, own=True) for need in (Need.PLAIN, Need.BINDING))

#: Every event and what asking for it needs. There is no default: an event that is missing here cannot be asked for.
ACTS: dict[type[TableEvent], Rule] = {
    RoundOpened: _BINDING,  # book and options stand for the whole round, nobody can change them once it is open
    RoundReleased: _ALL,
    GameDealt: _PLAIN,  # the first word or card of a game deals it as well
    HandScanned: _OWN_PLAIN,
    AskingAnswered: _usually(Need.PLAIN, Need.BINDING, "nobody takes back what he said", _binds, own=True),
    BidMade: _OWN_BINDING,
    GameDeclared: _OWN_BINDING,
    LeaveDecided: _ALL,
    CallAnnounced: _OWN_BINDING,
    CardPlayed: _OWN_PLAIN,
    # Who has signed has confirmed what the list says: nobody else changes it by himself.
    **dict.fromkeys(
        (CardInserted, CardCorrected, CardsReseated),
        _usually(Need.PLAIN, Need.ALL, "somebody has signed the list", _signed),
    ),
    WordCorrected: _usually(
        Need.PLAIN, Need.ALL, "it is a word that its seat may not take back any more", _acted_on, own=True
    ),
    CardRetracted: _OWN_PLAIN,
    # The others look at the cards laid open. With no objection the rest is the claimant's side's (schaffkopf II 4.2.1);
    # if he was wrong, it is the other side's (eppstein 4.3.5). Conceding needs nobody else (eppstein 4.3.6, bsv 5.4).
    GameClaimed: Rule(
        usual=Need.BINDING,
        own=True,
        cases=(
            Case(needs=Need.OPPONENT, where="the rest is claimed and contested", holds=_contested),
            Case(needs=Need.PLAYERS, where="the rest is claimed", holds=_shows_cards),
        ),
    ),
    ObjectionRaised: _OWN_BINDING,
    RulingGiven: _ALL,
    DealVoided: _usually(Need.BINDING, Need.ALL, "a word was said or a card laid in this game", _begun),
    GameStruck: _ALL,
    PlayingTimeEnded: _ALL,
    ListSigned: _OWN_BINDING,
    PlayerSubstituted: _ALL,
    BreakBegun: _usually(Need.PLAIN, Need.ALL, "the clock stops in a break", _stops_clock),
    BreakEnded: _PLAIN,
    SeatsSwapped: _usually(Need.PLAIN, Need.ALL, "a game was dealt", _dealt),
    SeatNamed: _usually(Need.PLAIN, Need.ALL, "the seat has a name already", _has_name),
    ListHandedIn: _usually(Need.BINDING, Need.ALL, "a signature is missing", _unsigned),
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
    """Refuse what nobody meant, what another seat says for a seat, and what needs others than those who ask for it.

    Who may put a word right the book has a say in: ``decide`` asks for that by :mod:`kiosk.table.round.taking_back`.

    :raises Refused: ``other_seat``, ``needs_all``, ``needs_players``, ``needs_opponent`` or ``needs_hold``.
    """
    consent = request.consent
    if consent.direction or consent.referee or consent.seats >= set(round.seats):
        return
    if isinstance(request, Request):
        _check_seat(request.event, consent)
        if isinstance(request.event, WordCorrected):
            return
    wanted = need(round, request)
    if wanted is not Need.PLAIN:
        _check_need(round, request, wanted)


def check_opening(consent: Consent) -> None:
    """Refuse to begin a round that nobody meant: there is no round yet that ``check_consent`` could look at.

    :raises Refused: ``needs_hold``.
    """
    if ACTS[RoundOpened].usual is Need.BINDING and not (consent.deliberate or consent.direction):
        raise Refused("needs_hold", "", f"open needs {Need.BINDING.value}")


def _check_seat(event: Event, consent: Consent) -> None:
    """Refuse what a seat says for itself where the device knows that another seat's hand said it."""
    seat = _speaker(event)
    if ACTS[type(event)].own and consent.seats and seat is not None and seat not in consent.seats:
        detail = f"{event.name} of seat {seat} was asked for at seat {', '.join(map(str, sorted(consent.seats)))}"
        raise Refused("other_seat", "", detail)


def _speaker(event: Event) -> int | None:
    """The seat that an event is said or done by; None: none in particular."""
    if isinstance(event, WordCorrected):
        return int(event.by.removeprefix("seat ")) if event.by.startswith("seat ") else None
    seat = getattr(event, "seat", None)
    return seat if isinstance(seat, int) else None


def _check_need(round: Round, request: TableRequest, wanted: Need) -> None:
    consent = request.consent
    agreed = f"; {sorted(consent.seats)} agreed"
    if wanted is Need.ALL:
        raise Refused("needs_all", "", f"{_name(request)} needs {wanted.value}{agreed}")
    section = round.book.cite(round.book.sections["shorten"])
    playing = round.game.seats if round.game is not None else frozenset(round.seats)
    if wanted is Need.PLAYERS and not consent.seats >= set(playing):
        raise Refused("needs_players", section, f"{_name(request)} needs {wanted.value}{agreed}")
    if wanted is Need.OPPONENT and len(consent.seats & set(playing)) < 2:
        raise Refused("needs_opponent", section, f"{_name(request)} needs {wanted.value}{agreed}")
    if not consent.deliberate:
        raise Refused("needs_hold", "", f"{_name(request)} needs {Need.BINDING.value}")


def _name(request: TableRequest) -> str:
    return request.event.name if isinstance(request, Request) else type(request).__name__


Asked = TypeVar("Asked", Request, FinishGame)


def held(request: Asked) -> Asked:
    """Mark a request as made by a press that was held until its ring was full, or what counts as much."""
    return replace(request, consent=replace(request.consent, deliberate=True))


def at_seat(request: Request, seat: int) -> Request:
    """Mark a request as made at that seat: by a key in its own area, or by its number pad."""
    return replace(request, consent=replace(request.consent, seats=request.consent.seats | {seat}))


def by_referee(request: Request) -> Request:
    """Mark a request as the referee's, who has shown that he is it."""
    return replace(request, consent=replace(request.consent, deliberate=True, referee=True))


def by_direction(request: Request) -> Request:
    """Mark a request as an order of the direction."""
    return replace(request, consent=replace(request.consent, direction=True))


def needing_all(round: Round) -> frozenset[str]:
    """Name the acts that need everybody or the referee as things stand: what a screen offers them by."""
    asked: tuple[Event, ...] = (
        *(DealVoided(), ListHandedIn(), BreakBegun(), SeatsSwapped(seats=(1, 2))),
        CardCorrected(of=0, card=None, by="table", why=""),
    )
    return frozenset(event.name for event in asked if ACTS[type(event)].need(round, event) is Need.ALL)
