"""What a table shows, as one value: the screen, the lamps and the director's page are functions of it."""

from dataclasses import dataclass

from kiosk.rules.cards import Card


@dataclass(frozen=True, slots=True, kw_only=True)
class CallView:
    """A call that a seat may still make without breaking a rule."""

    call: str  # re kontra keine90 keine60 keine30 schwarz bock
    side: str | None  # the side it must name where the speaker's side is not known to all (eppstein 5.5.5)
    cards_left: int  # how many more cards the seat may lay before it is too late; 0: with the next card it is


@dataclass(frozen=True, slots=True, kw_only=True)
class CardView:
    """A card on the table."""

    event: int  # number of the event that laid it
    seat: int
    card: Card
    doubt: bool = False  # read with doubt, not settled yet
    down: bool = False  # laid face down


@dataclass(frozen=True, slots=True, kw_only=True)
class TrickView:
    """A trick, open or full."""

    leader: int
    cards: tuple[CardView, ...]  # in the order of laying
    winner: int | None  # None while open
    points: int


@dataclass(frozen=True, slots=True, kw_only=True)
class DoubtView:
    """A card that somebody has to name."""

    event: int
    seat: int
    choices: tuple[Card, ...]  # likeliest first; every other card may be chosen too
    picture: bytes | None  # JPEG of the card as seen
    game: int
    trick: int  # 1 is the first of its game


@dataclass(frozen=True, slots=True, kw_only=True)
class OffenceView:
    """A breach that is certain."""

    code: str
    seat: int
    event: int
    proved: int
    section: str
    claimants: tuple[int, ...]  # seats that may still claim it (eppstein 8.8)
    # What shows it to people, as far as it applies; ``kiosk.table.words.explain`` puts it into a sentence.
    trick: int | None = None  # number of the trick, 1 is the first
    card: Card | None = None  # the card laid against the rule
    led: Card | None = None  # what that trick was led with
    shown: Card | None = (
        None  # the card that proves it; None: the count of the others' cards does, or it needs no proof
    )
    called: Card | None = None  # the called card that the seat held, where its rules were broken (schaffkopf II 4.1.6)
    due: int | None = None  # whose turn it was
    call: str | None = None  # the word that was out of order: a call, an answer or a game
    cards_left: int | None = None  # cards in the caller's hand at that moment


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatView:
    """One seat, clockwise numbered from 1."""

    seat: int
    name: str
    dealer: bool  # of the game in play, else of the next one
    sits_out: bool  # the dealer at five
    turn: bool  # to speak, to declare or to lay
    cards_left: int
    tricks_won: int
    side: str | None  # re or kontra, once everybody can know it
    total: int
    duty_open: bool  # the Pflichtsolo is still to be played
    said: tuple[str, ...]  # calls that count, in order
    answer: str | None  # gesund or vorbehalt, in this asking
    calls: tuple[CallView, ...]
    asks: tuple[str, ...]  # answers open to the seat now: gesund, vorbehalt
    games: tuple[dict[str, object], ...]  # it may declare now: {"game": "farbsolo", "suit": "H", "duty": True} …
    may_claim_rest: bool  # shortening (eppstein 4.3)


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
    score: tuple[int, ...]  # by seat
    void: bool
    open: bool  # a doubt may still change it
    tricks: tuple[TrickView, ...] = ()  # of the whole game: it is over, they may be looked at and put right


@dataclass(frozen=True, slots=True, kw_only=True)
class NoticeView:
    """Something that people at the table should know or put right; ``code`` is a word of ``kiosk.table.words``."""

    code: str
    seat: int | None = None
    event: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ClockView:
    """The round clock."""

    running: bool
    remaining: float  # seconds; negative once over
    extra: float  # seconds of Nachspielzeit within the remaining time
    over: bool  # end of playing time has been signalled


@dataclass(frozen=True, slots=True, kw_only=True)
class TableView:
    """Everything that may be shown of a table."""

    table: int
    round: int
    rules: str  # eppstein …
    title: str  # the book's title
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
    doubts: tuple[DoubtView, ...]
    offences: tuple[OffenceView, ...]  # of the game in play
    rows: tuple[RowView, ...]
    objection: dict[str, object] | None  # the Reklamation that stops play
    signed: tuple[int, ...]
    clock: ClockView
    events: int  # how many events the log holds
    result: ResultView | None = None  # of the last game that ended, until the next deal
    next_dealer: int | None = None  # who deals when the next game begins; None: a game is in play, or no game is left
    may_deal: bool = False  # the button "next game" works now
    may_sign: tuple[int, ...] = ()
    may_close: bool = False
    blind: str = ""  # "" | camera | dark | mat | covered: cards are taken by finger meanwhile
    covered: bool = False  # a hand is in the way just now
    notices: tuple[NoticeView, ...] = ()
    unsaved: int = 0  # events that the disk did not take yet
