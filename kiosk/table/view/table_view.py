"""Define a table's view as one value: the screen, the lamps and the director's page are functions of it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from kiosk.rules.engine.cards import Card
from kiosk.rules.engine.listing import ListRow
from kiosk.table.view.book_view import BookView


@dataclass(frozen=True, slots=True, kw_only=True)
class CallView:
    """A call that a seat may still make without breaking a rule."""

    call: str  # re kontra keine90 keine60 keine30 schwarz bock klopfen schweinchen hyperschweinchen
    side: str | None  # the side it must name where the speaker's side is not known to all (eppstein 5.5.5)
    cards_left: int  # how many more cards may be laid before it is too late; 0: with the next card it is
    # Whose cards: "hand", the seat's own; "table", anybody's; "asking": no card, until the first has answered;
    # "first_card": until the first of all, "own_card": with the first of the two that it raises
    counted: str = "hand"


@dataclass(frozen=True, slots=True, kw_only=True)
class DutyView:
    """A duty to announce that is still to be done (bsv 6.3.1, durchgaenge 2c)."""

    trick: int  # with which it came, 1 is the first
    cards_left: int
    counted: str
    certain: bool  # False: it falls away if the seat belongs to the side that has spoken


@dataclass(frozen=True, slots=True, kw_only=True)
class CardView:
    """A card on the table."""

    event: int  # number of the event that laid it
    seat: int
    card: Card
    doubt: bool = False  # read with doubt, not settled yet
    down: bool = False  # laid face down
    retractable: bool = False  # its player may take it back now


@dataclass(frozen=True, slots=True, kw_only=True)
class TrickView:
    """A trick, open or full."""

    leader: int
    cards: tuple[CardView, ...]  # in the order of laying
    winner: int | None  # None while open
    points: int | None  # None while the game runs, where the book forbids counting (eppstein 8.1.3)


@dataclass(frozen=True, slots=True, kw_only=True)
class DoubtView:
    """A card whose label people have to name, or its seat."""

    event: int
    seat: int
    choices: tuple[Card, ...]  # likeliest first; every other card may be chosen too
    picture: bytes | None  # JPEG of the card as seen
    game: int
    trick: int  # 1 is the first of its game
    perhaps: Mapping[int, int] = field(default_factory=dict)  # the seats that this card and others may be of instead


@dataclass(frozen=True, slots=True, kw_only=True)
class FilmView:
    """A recording of some seconds of the mat, kept for the referee."""

    event: int  # of the card or the word that it is about
    path: Path


@dataclass(frozen=True, slots=True, kw_only=True)
class OffenceView:
    """A breach that is certain."""

    code: str
    seat: int
    event: int
    proved: int
    section: str
    claimants: tuple[int, ...]  # seats that may still claim it (eppstein 8.8)
    ruled: bool = False  # the referee has ruled on it: it is over
    # What shows it to people, as far as it applies; ``kiosk.table.view.explanation`` puts it into a sentence.
    trick: int | None = None  # number of the trick, 1 is the first
    card: Card | None = None  # the card laid against the rule
    led: Card | None = None  # what that trick was led with
    shown: Card | None = (
        None  # the card that proves it; None: the count of the others' cards does, or it needs no proof
    )
    called: Card | None = None  # the called card that the seat held, where its rules were broken (schaffkopf II 4.1.6)
    down: bool = False  # the card was laid face down
    due: int | None = None  # whose turn it was
    call: str | None = None  # the word that was out of order: a call, an answer or a game
    cards_left: int | None = None  # cards in the caller's hand at that moment
    laid: int | None = None  # cards on the table then, where the book counts those


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatView:
    """One seat, clockwise numbered from 1."""

    seat: int
    name: str
    dealer: bool  # of the game in play, else of the next one
    sits_out: bool  # the dealer at five
    turn: bool  # to speak, to declare or to lay
    cards_left: int
    tricks_won: int | None  # None where the table does not tell it
    side: str | None  # re or kontra, once everybody can know it and where the table tells it
    total: int
    duty_open: bool  # the Pflichtsolo is still to be played
    said: tuple[str, ...]  # calls that count, in order
    answer: str | None  # gesund, vorbehalt, weiter …, in this asking
    bid: str | None  # the class it has bid, no_higher; None: nothing (schaffkopf II 2.1.3)
    calls: tuple[CallView, ...]
    asks: tuple[str, ...]  # answers open to the seat now: gesund, vorbehalt
    bids: tuple[str | None, ...]  # classes it may bid now, None: no higher one
    # It may declare now: {"game": "farbsolo", "suit": "H", "duty": True} …; {"leave": True} with a game that needs the
    # direction's leave first, to be asked for by bidding its class
    games: tuple[dict[str, object], ...]
    claims: tuple[str, ...]  # how it may shorten the game: rest, concede (eppstein 4.3, bsv 5.4, schaffkopf II 4.2.1)
    covers: tuple[Card, ...]  # cards that it may lay face down now (durchgaenge 4b)
    owes: DutyView | None
    ran: bool  # has run away with the called card, as its card shows (schaffkopf II 4.1.6), where the table tells it
    implied: bool = False  # nobody has spoken its answer: it may still say otherwise


@dataclass(frozen=True, slots=True, kw_only=True)
class RowView:
    """A row of the list."""

    game: int
    dealer: int
    kind: str
    declarer: int | None
    duty: bool
    score: tuple[int, ...]  # by seat
    total: tuple[int, ...]
    points: int  # of this game
    void: bool
    open: bool  # a doubt in this game may still change it
    alone: int | None  # who played alone, declared or not
    listed: ListRow  # for what is remarkable about it, put into words by ``listing.note``


@dataclass(frozen=True, slots=True, kw_only=True)
class ListView:
    """The book's own list, beside the data of ``rows``."""

    name: str  # its word of the list: list, turnierliste
    # What each column holds: total, plus, minus (of a seat), winners, value, game (listing.field)
    fields: tuple[tuple[str, int | None], ...]
    lines: tuple[tuple[str, ...], ...]  # the cells, row by row
    foot: tuple[tuple[str, tuple[str, ...]], ...]  # lines below, by their word of the list: Σ, result
    wrong: tuple[tuple[str, str, tuple[int, ...]], ...]  # checks of the book that fail: name, section, games
    marks: tuple[tuple[int, ...], ...] = ()  # row by row: the footnotes of the direction's Berichtigungen
    beside: bool = False  # points count beside the games: the foot has them, and the end result


@dataclass(frozen=True, slots=True, kw_only=True)
class PresetView:
    """Points and payments that a class of ruling books against an offender."""

    kind: str  # the class
    offender: int
    harms: bool  # to the soloist's possible harm
    scores: tuple[int, ...] | None  # by seat; None: nothing preset, or the game is scored as it then stands
    euros: tuple[float, ...]  # by seat what it pays, negative: gets; () without money
    needs_scores: bool  # the book leaves the points to the referee


@dataclass(frozen=True, slots=True, kw_only=True)
class LeaveView:
    """The direction's leave for a game, as far as it is needed (schaffkopf II 2.2)."""

    seat: int
    game: str  # the class
    section: str
    state: str  # asked, granted, refused


@dataclass(frozen=True, slots=True, kw_only=True)
class ResultView:
    """How the last game ended, with the reasons of its value."""

    game: int
    kind: str
    declarer: int | None
    duty: bool
    re: tuple[int, ...]
    points: tuple[int, int]  # Augen of Re and Kontra
    won_by: str | None  # re, kontra, None: nobody
    value: tuple[tuple[str, int], ...]  # [name, number] of the protocol, in the order of the book
    factors: tuple[str, ...]  # names of those that multiply
    score: tuple[int, ...]  # by seat
    void: bool
    open: bool  # a doubt may still change it
    tricks: tuple[TrickView, ...] = ()  # of the whole game: it is over, they may be looked at and put right


@dataclass(frozen=True, slots=True, kw_only=True)
class NoticeView:
    """A notice for the people at the table; ``code`` is a word of ``kiosk.language.table``."""

    code: str
    seat: int | None = None
    event: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class WordView:
    """Something said, signed or ruled that can be put right."""

    event: int
    word: Mapping[str, Any] | None  # as it counts now, as the event's keys in the protocol; None: it was not said
    said: Mapping[str, Any]  # as it was noted
    alone: int | None  # the seat that may put it right by itself now
    who: str  # who else it takes now: all, referee, direction
    seats: tuple[int, ...]  # all of whom would have to agree


@dataclass(frozen=True, slots=True, kw_only=True)
class RulingView:
    """A ruling of the round."""

    game: int | None  # in which it was given, or after which; None: before the first deal
    ruling: WordView


@dataclass(frozen=True, slots=True, kw_only=True)
class ClockView:
    """The round clock."""

    running: bool
    remaining: float  # seconds; negative once over
    extra: float  # seconds of Nachspielzeit within the remaining time
    over: bool  # end of playing time has been signalled
    limited: bool = True  # the book has a playing time
    given: float = 0.0  # seconds of Nachspielzeit given so far, used up or not
    cut: float = 0.0  # seconds that the end of playing time took away


@dataclass(frozen=True, slots=True, kw_only=True)
class TableView:
    """Everything that may be shown of a table."""

    table: int
    round: int
    rules: str  # eppstein …
    title: str  # the book's title
    book: BookView  # what else screens differ by
    phase: str  # waiting (not released), dealing, asking, declaring, playing, resting (referee called), scored, over
    game: int  # running number of the game in play, else of the next one
    games_left: int | None
    kind: str | None  # of the game in play: normal, hochzeit, damensolo …
    declarer: int | None
    seats: tuple[SeatView, ...]  # all players, seat 1 first
    must_play: int | None  # the seat to be vorgeführt in this deal
    trick: TrickView | None  # the open trick
    last_trick: TrickView | None  # only while the book allows it to be seen (eppstein 4.4.4)
    trick_number: int
    lacking: int  # cards of the deck that the game in play has not seen yet
    doubts: tuple[DoubtView, ...]
    offences: tuple[OffenceView, ...]  # of the game in play
    rows: tuple[RowView, ...]
    objection: dict[str, object] | None  # the Reklamation that stops play
    signed: tuple[int, ...]  # a change of what the list says lets signatures fall
    clock: ClockView
    events: int  # how many events the log holds
    opened: int | None = None  # when the list was opened, ms since the epoch
    result: ResultView | None = None  # of the last game that ended, until the next deal
    next_dealer: int | None = None  # who deals when the next game begins; None: a game is in play, or no game is left
    may_deal: bool = False  # the button "next game" works now
    may_sign: tuple[int, ...] = ()
    sign_anew: bool = False  # the list was changed after somebody had signed it, and not all have signed since
    may_close: bool = False
    needs_all: frozenset[str] = frozenset()  # acts that need everybody at the table, or the referee (void, close)
    blind: str = ""  # "" | camera | dark | mat | covered: cards are taken by finger meanwhile
    covered: bool = False  # a hand is in the way just now
    notices: tuple[NoticeView, ...] = ()
    unsaved: int = 0  # events that the disk did not take yet
    packets: tuple[int, ...] = ()  # how a hand is dealt
    duties: int = 0  # Pflichtsoli that each player has to play
    suit: str | None = None  # of the game in play
    called: Card | None = None  # the card that was called (schaffkopf II 3.1.6, 3.1.7)
    renonce: bool = False  # called without a card of its suit
    raised: tuple[str, ...] = ()  # calls by which the solo was raised (durchgaenge 5b, schnittchen 4)
    leave: LeaveView | None = None
    plays: int | None = None  # who alone wants to play so far, while others are asked (schaffkopf II 2)
    rest: str | None = None  # while the asking goes round what one touch may say for all who have not answered
    rest_by_card: bool = False  # the first card says the same
    doubled: bool = False  # the game in play counts double (schnittchen)
    bock_left: int = 0  # games that count double, from the one in play or the next deal on
    fines: tuple[float, ...] = ()  # by seat euros to pay, negative: to get; () while nobody has to
    limits: tuple[tuple[str, int], ...] = ()  # until when each call is in time, as the book counts (CallRules.counted)
    sheet: ListView | None = None  # the book's own list
    films: tuple[FilmView, ...] = ()  # of this round, oldest first
    presets: tuple[PresetView, ...] = ()  # while the referee may rule
    paused: str = ""  # the table has a break: what its clock does meanwhile, "runs", "stands" or "none"
    together: tuple[int, str] | None = None  # the seat and the call just announced: another may have said it as well
    dealt: int | None = None  # event of the deal of the game in play
    closed: bool = False  # the list is handed in
    evening: str = ""  # as the opening names it: an evening of this table, or the direction's tournament
    spoken: tuple[WordView, ...] = ()  # what was said since the last deal, signed and handed in, oldest first
    rulings: tuple[RulingView, ...] = ()  # of the whole round, oldest first
    unpriced: frozenset[str] = frozenset()  # classes of rulings whose points the book leaves to the referee
    mended: tuple[Mapping[str, Any], ...] = ()  # Berichtigungen of the direction, as the protocol's list has them
    on_paper: bool = False  # the list is kept on paper, wholly or from some game on
    corrected: int = 0  # how often something said was put right in this round
    withdrawn: tuple[OffenceView, ...] = ()  # shown before, until the deck's count contradicted what they rest on
    doubted: tuple[CardView, ...] = ()  # cards read clearly of which one at least is another: too many alike lie

    @property
    def names(self) -> tuple[str, ...]:
        """Names of all players, seat 1 first."""
        return tuple(seat.name for seat in self.seats)

    def seat(self, number: int) -> SeatView:
        """Return a seat by its number, 1 is the first."""
        return self.seats[number - 1]
