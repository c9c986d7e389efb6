"""Define the records of a game: answers, declarations, offences, claims, rulings, its result."""

from collections.abc import Mapping
from dataclasses import dataclass

from kiosk.rules.engine.cards import Card
from kiosk.rules.engine.contract import Contract
from kiosk.rules.engine.scoring import Item


class Impossible(ValueError):
    """A step that is not possible at that point of a game; the text names the error."""


@dataclass(frozen=True, slots=True)
class Answer:
    """An answer of the asking."""

    event: int
    seat: int
    call: str
    implied: bool = False  # by what another has said, or by the first card: its seat may still say otherwise


@dataclass(frozen=True, slots=True)
class Bid:
    """A class of game bid by one of several who want to play; None: no higher one (schaffkopf II 2.1.3)."""

    event: int
    seat: int
    game: str | None


@dataclass(frozen=True, slots=True)
class Knock:
    """A seat has knocked on its first cards (Klopfen, Legen): the game counts double."""

    event: int
    seat: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Raised:
    """Both copies of a card in one hand were said to be above all trumps (Schweinchen)."""

    event: int
    seat: int
    call: str
    card: Card
    trick: int  # from which, from 0, it is so
    before: Contract  # by which earlier tricks are taken


@dataclass(frozen=True, slots=True)
class Leave:
    """The direction's decision on a game that needs its leave (schaffkopf II 2.2)."""

    event: int
    seat: int
    granted: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Declaration:
    """The declaration of a game."""

    event: int
    seat: int
    game: str
    suit: str | None = None
    duty: bool = False
    condition: str | None = None
    card: Card | None = None  # called (schaffkopf II 3.1.6)
    renonce: bool = False  # without a card of its suit (schaffkopf II 3.1.7)
    raised: tuple[str, ...] = ()  # calls that raise a solo
    ahead: bool = False  # named before all have answered: it falls if another wants to play, too
    partner: int | None = None  # who has taken its trumps, see ``exchange``
    trumps: int | None = None  # so many trumps are said to have come back


@dataclass(frozen=True, slots=True, kw_only=True)
class Owed:
    """A duty to announce that can still be done."""

    seat: int
    trick: int  # with which it came, from 0
    left: int  # cards that may still be laid before it is too late, its owner's or anybody's: see CallRules.counted
    counted: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Lapsed:
    """A duty to announce whose time has run out; whether it was done depends on the sides."""

    event: int  # the card with which it ran out
    seat: int  # who owed it
    trick: int  # with which it came, from 0
    said: int  # number of calls made by then


#: Code of more copies of a card than the deck has: no offence, one of them was misread, and people are asked.
MISREAD = "impossible_card"


@dataclass(frozen=True, slots=True, kw_only=True)
class Offence:
    """A breach that is certain: ``event`` broke the rule, with ``proved`` it became certain."""

    code: str
    seat: int
    event: int
    proved: int
    section: str  # with the book's name: eppstein 4.2.4
    told: int = -1  # the event that settled the doubt on which it hung: nobody could be told of it before


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim:
    """A shortening of the game (eppstein 4.3)."""

    event: int
    seat: int
    kind: str  # rest, concede
    order: tuple[Card, ...]
    accepted: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Objection:
    """A Reklamation (eppstein 8.8)."""

    event: int
    seat: int
    against: int | None
    code: str | None
    breach: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Ruling:
    """The referee's decision."""

    event: int
    offender: int | None
    kind: str  # the protocol's class: none minor serious decided custom
    breach: int  # event of the breach
    harms_soloist: bool
    scores: Mapping[int, int] | None  # replaces the preset
    fines: Mapping[int, float]
    minutes: float
    resume: bool

    @property
    def ends(self) -> bool:
        """Whether it ends play."""
        return self.kind in ("serious", "decided") or (self.kind == "custom" and not self.resume)


@dataclass(frozen=True, slots=True, kw_only=True)
class Result:
    """How a game ended, with the data that the list and the replay print of it."""

    kind: str  # normal hochzeit still …
    duty: bool
    declarer: int | None
    re: tuple[int, ...]
    points: Mapping[str, int]
    won_by: str | None
    value: tuple[Item, ...]
    score: Mapping[int, int]  # of the seats that played
    void: bool
    counted: bool  # uses up a game of the round
    won: frozenset[int]  # seats with points of the game itself, penalties beside it left out
    struck: bool  # played without the leave it needs: left out of every total
