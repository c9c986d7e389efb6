"""Define the table's events as frozen values, one class for each event of the protocol.

They are in the past tense, hold what the fold needs under its own names and types, and know nothing of their text:
:mod:`kiosk.table.events.codec` has the one table that turns bodies (JSON objects) into values and values into bodies.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar, TypeAlias, TypeVar, get_args

from kiosk.rules.engine.cards import Card

Body: TypeAlias = Mapping[str, Any]  # an event as the JSON object of its line

#: Who corrects without being a person.
MACHINES = ("camera", "composition")


@dataclass(frozen=True, slots=True, kw_only=True)  # a direction keeps some hundred thousand of them
class TableEvent:
    """Base of all events."""

    name: ClassVar[str]  # in the protocol, the value of its key "event"

    at: float | None = None  # milliseconds since 1970
    order_number: int | None = None  # of the director's order that the event carries out
    sign_anew: bool = False  # the list says something else since: signatures given before it do not count any more
    #: The body it was decoded from: keys that nobody here looks at, and the order of all. None: made by the table.
    body: Body | None = field(default=None, compare=False, repr=False)


Some = TypeVar("Some", bound=TableEvent)


def stamped(event: Some, at: float) -> Some:
    """Add the time at which it was noted, the last key of the event's body."""
    body = event.body if event.body is None else {**event.body, "at": at}
    return replace(event, at=at, body=body)


def signing_anew(event: Some) -> Some:
    """Mark an event as one after which the list is to be signed anew."""
    body = event.body if event.body is None else {**event.body, "sign_anew": True}
    return replace(event, sign_anew=True, body=body)


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundOpened(TableEvent):
    """People sat down at a table."""

    name = "open"

    format: int = 1  # version of the protocol
    rules: str  # name of the book; a club's own has digits of its content behind it
    players: tuple[str, ...]  # seat 1 first, clockwise
    table: int = 0
    round: int = 0
    options: Mapping[str, Any] = field(default_factory=dict)  # of the book, by name, as a director may set them
    minutes: float | None = None  # of playing time where the direction sets them
    substitutes: tuple[int, ...] = ()  # seats of those who are counted here and left out of the standing
    tournament: str | None = None
    book: Mapping[str, Any] | None = None  # content of a club's own book: the list is folded by it wherever it comes


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundReleased(TableEvent):
    """The direction has released the round."""

    name = "release"


@dataclass(frozen=True, slots=True, kw_only=True)
class GameDealt(TableEvent):
    """Dealing has begun."""

    name = "deal"

    dealer: int


@dataclass(frozen=True, slots=True, kw_only=True)
class HandScanned(TableEvent):
    """A scanner has read a hand, as dealt."""

    name = "hand"

    seat: int
    cards: tuple[Card, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class AskingAnswered(TableEvent):
    """A seat has answered in the asking: gesund, vorbehalt, weiter …"""

    name = "call"

    seat: int
    call: str
    implied: bool = False  # nobody has spoken it: another's word or the first card says it


@dataclass(frozen=True, slots=True, kw_only=True)
class BidMade(TableEvent):
    """One of several who want to play has bid a class of games, or said that he has no higher one."""

    name = "bid"

    seat: int
    game: str | None  # the class


@dataclass(frozen=True, slots=True, kw_only=True)
class GameDeclared(TableEvent):
    """A seat has named the game."""

    name = "declare"

    seat: int
    game: str
    duty: bool = False  # Pflichtsolo
    suit: str | None = None
    card: Card | None = None  # called
    renonce: bool = False  # without a card of its suit
    condition: str | None = None  # of a Hochzeit: first, plain, trump
    raised: tuple[str, ...] = ()  # calls that raise a solo
    ahead: bool = False  # before all have answered: it stands unless another wants to play, too
    partner: int | None = None  # who has taken the cards that its player gives away
    trumps: int | None = None  # so many trumps are said to have come back


@dataclass(frozen=True, slots=True, kw_only=True)
class LeaveDecided(TableEvent):
    """The direction has given or refused its leave."""

    name = "leave"

    seat: int
    granted: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class CallAnnounced(TableEvent):
    """A seat has announced re, kontra or an Absage."""

    name = "announce"

    seat: int
    call: str
    side: str | None = None
    together: bool = False  # at the same time as the one before


@dataclass(frozen=True, slots=True, kw_only=True)
class CardSeen(TableEvent):
    """A card that counts as laid, with what the camera has read of it."""

    seat: int
    card: Card
    place: tuple[float, float] | None = None  # mm on the mat
    margin: float | None = None  # of the reading, 0 … 1
    sure: float | None = None  # of the seat, 0 … 1, where it is below 1
    arm: tuple[float, float] | None = None  # that has brought it: its bearing in rad, and its share (``CardLaid``)
    down: bool = False  # face down
    doubt: tuple[Card, ...] = ()  # what it may be, likeliest first; () if it was seen clearly
    unseen: bool = False  # nobody saw it: the doubt is what it may have been
    rivals: tuple[Card, ...] = ()  # what else a clear card looked like
    scores: tuple[float, ...] = ()  # evidence of the doubt's cards, or of the card and its rivals


@dataclass(frozen=True, slots=True, kw_only=True)
class CardPlayed(CardSeen):
    """A card lies on the table."""

    name = "card"


@dataclass(frozen=True, slots=True, kw_only=True)
class CardInserted(CardSeen):
    """A card that nobody saw was laid right after another event."""

    name = "correct"

    after: int
    by: str = "table"  # "seat N", table (a finger on its screen), referee, camera, composition
    why: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class CardCorrected(TableEvent):
    """The card of an event counts as another one, perhaps of another seat; or there was none."""

    name = "correct"

    of: int  # the event of the card
    card: Card | None  # None: there was no card
    seat: int | None = None
    by: str = "table"
    why: str | None = None
    margin: float | None = None  # of the camera's second reading

    @property
    def by_person(self) -> bool:
        """Whether neither the camera nor the deck's composition reported it."""
        return self.by not in MACHINES


@dataclass(frozen=True, slots=True, kw_only=True)
class CardsReseated(TableEvent):
    """Cards turned out to belong to other seats."""

    name = "correct"

    seats: Mapping[int, int]  # by the events of the cards
    perhaps: Mapping[int, int] = field(default_factory=dict)  # as likely of these instead: people are asked
    at_once: bool = False  # nobody has seen which of them was laid first: turn order says it, also of people's answer
    by: str = "table"
    why: str | None = None

    @property
    def by_person(self) -> bool:
        """Whether somebody has said so."""
        return self.by not in MACHINES


@dataclass(frozen=True, slots=True, kw_only=True)
class WordCorrected(TableEvent):
    """What was said, signed or ruled counts as if it had been said otherwise, or not at all."""

    name = "correct"

    of: int  # the event of the word
    word: "Event | None"  # as it should have been, an event of the same name; None: it was not said
    by: str = "table"  # who put it right: "seat N" alone, all, referee, direction
    agreed: tuple[int, ...] = ()  # seats that have agreed by touching their own seat
    why: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class CardRetracted(TableEvent):
    """A player has taken a card back."""

    name = "retract"

    seat: int
    card: Card


@dataclass(frozen=True, slots=True, kw_only=True)
class GameClaimed(TableEvent):
    """A player has shortened the game."""

    name = "claim"

    seat: int
    kind: str  # rest, concede
    order: tuple[Card, ...] = ()
    accepted: bool = True
    contested: int | None = None  # the seat that said no


@dataclass(frozen=True, slots=True, kw_only=True)
class ObjectionRaised(TableEvent):
    """A Reklamation: play rests, the referee is called."""

    name = "object"

    seat: int
    against: int | None = None
    code: str | None = None
    breach: int | None = None  # number of an event


@dataclass(frozen=True, slots=True, kw_only=True)
class RulingGiven(TableEvent):
    """The referee has ruled."""

    name = "rule"

    offender: int | None = None
    kind: str  # the protocol's class: none minor serious decided custom
    breach: int | None = None  # number of an event
    harms_soloist: bool = False
    scores: Mapping[int, int] | None = None  # by seat, instead of the preset
    fines: Mapping[int, float] | None = None  # euros by seat
    minutes: float | None = None  # Nachspielzeit
    resume: bool = False
    answers: bool = True  # False: Nachspielzeit of the direction that leaves a Reklamation standing
    why: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class DealVoided(TableEvent):
    """The deal does not count and is dealt again."""

    name = "void"

    why: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class GameStruck(TableEvent):
    """A noted game was struck."""

    name = "strike"

    game: int  # running number
    replay: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayingTimeEnded(TableEvent):
    """The end of the playing time was signalled."""

    name = "time_up"


@dataclass(frozen=True, slots=True, kw_only=True)
class ListSigned(TableEvent):
    """A player has confirmed the list."""

    name = "sign"

    seat: int


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerSubstituted(TableEvent):
    """Somebody else takes a seat for the rest of the round."""

    name = "substitute"

    seat: int
    player: str
    ranked: bool = False  # the one who had left and is back


@dataclass(frozen=True, slots=True, kw_only=True)
class BreakBegun(TableEvent):
    """The table has a break."""

    name = "pause"


@dataclass(frozen=True, slots=True, kw_only=True)
class BreakEnded(TableEvent):
    """The table goes on after its break."""

    name = "resume"


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatNamed(TableEvent):
    """Who sits there all along has given a name."""

    name = "name"

    seat: int
    player: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatsSwapped(TableEvent):
    """Two who sat down on each other's seats turn out to be each other."""

    name = "swap"

    seats: tuple[int, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class ListHandedIn(TableEvent):
    """The list was handed in."""

    name = "close"


Event: TypeAlias = (
    RoundOpened
    | RoundReleased
    | GameDealt
    | HandScanned
    | AskingAnswered
    | BidMade
    | GameDeclared
    | LeaveDecided
    | CallAnnounced
    | CardPlayed
    | CardInserted
    | CardCorrected
    | CardsReseated
    | WordCorrected
    | CardRetracted
    | GameClaimed
    | ObjectionRaised
    | RulingGiven
    | DealVoided
    | GameStruck
    | PlayingTimeEnded
    | ListSigned
    | PlayerSubstituted
    | BreakBegun
    | BreakEnded
    | SeatNamed
    | SeatsSwapped
    | ListHandedIn
)


#: What is said, signed or ruled: it can be corrected by ``WordCorrected``. Cards have corrections of their own; a
#: release has set the clock of the hall going.
Word: TypeAlias = (
    GameDealt
    | AskingAnswered
    | BidMade
    | GameDeclared
    | LeaveDecided
    | CallAnnounced
    | CardRetracted
    | GameClaimed
    | ObjectionRaised
    | RulingGiven
    | DealVoided
    | GameStruck
    | PlayingTimeEnded
    | ListSigned
    | PlayerSubstituted
    | SeatNamed
    | SeatsSwapped
    | ListHandedIn
)

#: The same for ``isinstance``, which is quicker with a tuple than with a union.
WORDS: tuple[type[TableEvent], ...] = get_args(Word)


@dataclass(frozen=True, slots=True, kw_only=True)
class Consent:
    """Say who stands behind a request, and how: what a binding act needs."""

    deliberate: bool = False  # a press held until its ring was full, or what counts as much on another device
    seats: frozenset[int] = frozenset()  # who has agreed by touching his own seat
    referee: bool = False  # by code or badge
    direction: bool = False  # an order of the director


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """A request of a person or the direction to note something."""

    event: Event
    anyway: bool = False  # it is noted although it breaks a rule: the word is out, and others may object
    consent: Consent = field(default_factory=Consent)


@dataclass(frozen=True, slots=True)
class AnswerForRest:
    """A person reports that nobody else wants to play: who has not answered is *weiter*, or it is *recht* to him."""

    consent: Consent = field(default_factory=Consent)


@dataclass(frozen=True, slots=True)
class FinishGame:
    """A person reports the game in play as over: the cards that the camera has missed are noted as in doubt."""

    consent: Consent = field(default_factory=Consent)


#: What a person can ask the table for.
TableRequest: TypeAlias = Request | FinishGame | AnswerForRest
