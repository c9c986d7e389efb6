"""Define a rule book as values and functions, without defaults.

A new field breaks every book in ``kiosk/rules/books`` until someone has opened all of them. The engine asks fields,
never which book it plays by. Sections are given as the book numbers them; :meth:`RuleBook.cite` puts the book's
name before.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias

from kiosk.errors import shorten
from kiosk.rules.engine.announcements import CallRules, Verdict
from kiosk.rules.engine.cards import Card
from kiosk.rules.engine.contract import Contract
from kiosk.rules.engine.listing import Columns, ListRow, ListWords
from kiosk.rules.engine.scoring import Item, ScoreRule, Tally
from kiosk.rules.engine.standings import SHARED, StandingRule, decided_by
from kiosk.rules.engine.tricks import Laid
from kiosk.rules.options.option import BadOption, Contradiction, Option, Options, settle

if TYPE_CHECKING:
    from kiosk.rules.engine.game import Game
    from kiosk.rules.engine.proof import Knowledge, Suspicion
    from kiosk.rules.engine.values import Bid, Declaration, Lapsed, Offence, Owed, Ruling

__all__ = [
    "BadOption",
    "Breach",
    "Kind",
    "Klaerung",
    "MustAnnounce",
    "Option",
    "OwnBook",
    "Payment",
    "Penalty",
    "RuleBook",
    "Seating",
]


@dataclass(frozen=True, slots=True, kw_only=True)
class Kind:
    """A game that can be declared."""

    game: str  # the protocol's word
    solo: bool  # may be played as Pflicht- or Lustsolo
    suits: tuple[str, ...]  # suits it must be named with, () if none
    cards: tuple[Card, ...]  # cards of which it must call one, () if none (schaffkopf)
    conditions: tuple[str, ...]  # conditions it may be named with, () if none; the first is the default
    ends_deal: bool  # dealt again without play (Schmeißen)
    played: bool  # False: won with its name, not played out (Sie)
    raises: tuple[str, ...]  # calls that raise it before the first card, () if none (durchgaenge 5b, schnittchen 4)
    rank: int  # among Vorbehalte, lower goes first; solos: the Lustsolo's
    allowed: Callable[["Game", "Knowledge", "Declaration"], bool]  # whether some placing entitles its seat to it
    section: str  # of the entitlement
    exchange: bool = False  # a partner takes its trumps and gives as many cards back, see ``exchange``
    told_back: tuple[int, ...] = ()  # numbers of trumps that may be said to have come back, () if none is said
    untaken_ends: bool = False  # where nobody takes them it is dealt again


@dataclass(frozen=True, slots=True, kw_only=True)
class Klaerung:
    """The settlement of an announced Hochzeit; the trick's number counts from 0."""

    trick: int  # -1: the sides are clear before the first, see ``exchange``
    partner: int | None  # None: the Hochzeiter plays alone

    @property
    def first(self) -> int:
        """The number of the first trick in which the sides are clear, or become so."""
        return max(0, self.trick)


@dataclass(frozen=True, slots=True, kw_only=True)
class Breach:
    """A ruling's breach, with the facts that a book's penalties need."""

    offender: int
    seats: tuple[int, ...]  # the four who play
    soloist: int | None  # if it was a solo when the breach happened
    absagen: int  # steps the other side had said by then, left-out ones included
    ansagen: int  # sides that had announced by then
    harms_soloist: bool
    options: Options


Penalty: TypeAlias = Callable[[Breach], dict[int, int]]
Payment: TypeAlias = Callable[[Breach], dict[int, float]]


@dataclass(frozen=True, slots=True, kw_only=True)
class MustAnnounce:
    """A duty to announce that falls to somebody with a trick (bsv 6.3.1, durchgaenge 2c).

    ``lapses(game, card)``: the duty whose time runs out with that card; ``met(lapsed, side, verdicts)``: whether it
    was done if its owner belongs to ``side``, with the verdicts on all calls made in time.
    """

    owed: Callable[["Game"], "Owed | None"]  # the duty that can still be done
    lapses: Callable[["Game", Laid], "Lapsed | None"]
    met: Callable[["Lapsed", str, Sequence[Verdict], Options], bool]
    section: str


#: Keys of ``RuleBook.sections``: the asking waits for the release, who is vorgeführt must play, play rests at a
#: Reklamation, who may claim it, what ends claims, shortening, taking a card back; and why a deal is void.
POINTS = (
    *("release", "led_up", "rest", "claim", "claim_over", "shorten", "take_back"),
    *("void_count", "void_shown", "void_dealer"),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Seating:
    """A book's rules for seating a tournament. Sections are "" where the book has none."""

    section: str  # of the draw
    lot_alone: str  # by which equal company by chance is no reason to draw again; "": the direction may avoid it
    fives_section: str  # by which tables of five are an exception that the direction decides on
    substitutes_section: str  # of those who fill up tables and are left out of the standing
    court_section: str  # by which a break for the Schiedsgericht extends the time of the tables concerned


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnBook:
    """What a club's own book was made of (docs/books.md)."""

    name: str  # as the club calls it, and as it is cited
    base: str
    content: Mapping[str, Any]  # all of it, as a round carries it
    sentences: Mapping[str, str]  # by section as cited, what the club says there


#: Keys of ``RuleBook.berichtigung``, what the direction may put right of a list: points of a game, a game struck, one
#: added, who sat where, a name, a deduction, a disqualification, the signatures opened again.
MENDS = ("points", "strike", "row", "seats", "name", "penalty", "disqualified", "reopen")


@dataclass(frozen=True, slots=True, kw_only=True, weakref_slot=True)
class RuleBook:
    """One book of tournament rules."""

    name: str  # as events, files and sections name it
    title: str
    source: str  # edition, date
    own: OwnBook | None  # of a club's own book, whose sections name the books that they stand in
    # Frame of a round
    deck: tuple[Card, ...]
    hand_size: int
    tables: tuple[int, ...]  # numbers of players that may sit at a table
    seating: Seating
    first_dealer: Callable[[Options], int]
    scorer: Callable[[int, Options], int]  # of so many players, the seat that keeps the list
    duties: Callable[[Options], int]  # Pflichtsoli of each player
    # Finding the game
    answers: tuple[str, ...]  # words of the asking; of four the last two once somebody wants to play
    wanting: frozenset[str]  # those with which a seat wants to declare
    finding: Callable[["Game"], tuple[str, int | None]]  # before a declaration: the phase, and who is to speak
    classes: tuple[str, ...]  # what several who want to play bid, lowest first; () if there is no bidding
    bid_fault: Callable[["Game", "Bid"], tuple[str, str]]  # code and section that a bid breaks at once, "" if none
    kinds: tuple[Kind, ...]
    normal: Contract  # when nobody declares
    contracts: Mapping[tuple[str, str | None], Contract]  # (game, suit) → contract
    contract_by: Callable[[Contract, Options], Contract]  # a contract as the options have it
    duty_refused: Callable[["Game", "Declaration"], str]  # section that a declaration breaks at once, "" if none
    # Section by which a declared game needs the direction's leave, "" if it does not; None: no leave in this book
    needs_leave: Callable[["Game", "Declaration"], str] | None
    leader: Callable[["Game"], int]  # who leads the first trick
    late_answer: Callable[["Game", int, str], bool]  # whether that answer of the seat now comes out of turn
    answer_section: str
    # Play
    second_wins: Callable[[Contract, Options], frozenset[Card]]  # cards of which the second beats the first
    equal_order: Callable[[tuple[Laid, ...]], tuple[Laid, ...]]  # order in which two equal cards are first and second
    face_down: Callable[["Game", Laid], str]  # section that a card laid face down breaks, "" if it may
    covering_needs_none: Callable[["Game", Card], bool]  # cards that nobody may hold who lays one face down
    covering_section: str
    retractable: Callable[["Game", int, Card], bool]  # whether the seat may take that card back
    beyond_suit: Callable[["Game", Laid], "tuple[Suspicion, ...]"]  # what a card may break besides following suit
    # Sides that cards beside the ``CQ`` tell everybody in a game that nobody has declared; None: none do
    shown_sides: Callable[["Game"], Mapping[int, str]] | None
    klaerung: Callable[["Game"], Klaerung | None]  # whether the last finished trick settled the Hochzeit
    turn_sections: Mapping[str, str]  # first lead, lead, follow: where playing out of turn stands
    revoke_section: str
    card_sections: Mapping[str, str]  # card_not_held, impossible_card
    # Announcements
    calls: CallRules  # with the defaults of the options
    calls_by: Callable[[CallRules, Options], CallRules]  # with the options of a round
    must_announce: MustAnnounce | None
    # Shortening
    may_claim: Callable[["Game", str, tuple[Card, ...], int], bool]  # kind, order, seat
    claimant_takes_with_any: (
        bool  # who claims the rest and does not lead takes over with any card that does, else the best
    )
    # Who has won, for how much
    winner: Callable[[Tally], str | None]
    scoring: tuple[ScoreRule, ...]  # in the order of the book
    write: Callable[[Tally, tuple[Item, ...]], dict[int, int]]
    # Offences
    rulings: Mapping[str, str]  # classes that the book knows, with their sections; none and custom are always there
    penalties: Mapping[str, Penalty]  # minor, serious, decided; where one is missing, scores replace the game's
    payments: Mapping[str, Payment]  # by class: euros that seats pay, negative: get
    scored_rulings: frozenset[str]  # of the rulings that end a game those after which it is scored, not void
    falls_from: Callable[["Game", "Ruling"], int | None]  # with it: the trick from which on all falls to the others
    standing_ruling: Callable[["Game"], "Ruling | None"]  # of several rulings that end a game the one that holds
    repeated: Callable[["Game", frozenset[int]], bool]  # whether rulings have it dealt again, given the Re side
    counts_when_ended: Callable[[Breach | None], bool]  # a game ended void by a ruling, if with an offender, is used up
    partner_may_claim: bool  # where the partnership is clear
    claim_lost_by: Callable[["Game", int, "Offence"], bool]  # whether a seat has lost its right to claim
    # The round
    same_dealer: Callable[["Game"], bool]  # whether the same dealer deals again after it
    thrown_in_same_dealer: Callable[[Options], bool]  # whether he does after a deal that a declaration ended
    redeals_after_time: bool  # a deal that ran when the time was up and does not count is dealt again
    bock_games: Callable[["Game", int], int]  # games that this one makes count double, by players at the table
    # The tournament
    standing: StandingRule
    late_fine: Callable[[int, Options], int] | None  # euros to the club for coming so many whole minutes late
    berichtigung: Mapping[str, str]  # sections that speak of what may be put right (see MENDS), "" where none does
    # The list
    columns: Columns  # sections of its checks as the book numbers them; see ``list_of``
    # Where the book has what a table refuses or does apart from a game's own points (see POINTS); "" if nowhere
    sections: Mapping[str, str]
    fact_sections: Mapping[str, str]  # where it has what describe tells and no option, kind or other field cites
    # Section, or code of an offence or refusal and section → what it says, as other books say it too (subject
    # ``rules`` of the catalogues); what only this book says stands there by its section (subject ``sections``)
    sentences: Mapping[str, str]
    options: tuple[Option, ...]  # all numbers and open decisions, in the order in which people are shown them
    contradictions: tuple[Contradiction, ...]  # which of their values do not go together

    def cite(self, section: str) -> str:
        """Cite book and section as offences name them: ``eppstein 4.2.4``."""
        return f"{self.name} {section}" if section and self.own is None else section

    def list_of(self, players: Sequence[str], rows: Sequence[ListRow], words: ListWords) -> dict[str, Any]:
        """Lay out the book's own part of the list; sections of its checks as cited."""
        made = self.columns(players, rows, words)
        return {**made, "checks": [{**check, "section": self.cite(check["section"])} for check in made["checks"]]}

    def settle(self, given: Mapping[str, object]) -> Options:
        """Complete the options with the values of a round.

        :raises BadOption: for a name the book does not have, a value the option cannot take, or values that
            contradict each other; the text names what is wrong and the way out.
        """
        return settle(self.name, self.options, self.contradictions, given, self.cite)

    def option(self, name: str) -> Option:
        """Return the option of that name.

        :raises KeyError: if the book does not have it.
        """
        for option in self.options:
            if option.name == name:
                return option
        raise KeyError(f"{self.name} has no option {shorten(name)}")

    def games(self, players: int, options: Options) -> int | None:
        """Return the games per round for a number of players at the table; None: open."""
        return int(options["games_5" if players > 4 else "games"]) or None

    def minutes(self, players: int, options: Options) -> int | None:
        """Return the playing time of a round in minutes for a number of players; None: unlimited."""
        return int(options["minutes_5" if players > 4 else "minutes"]) or None

    def rounds(self, options: Options) -> int | None:
        """Return the rounds of a tournament; None: set by the direction."""
        return int(options["rounds"]) or None

    def standing_by(self, options: Options) -> StandingRule:
        """Return the standing rule; where the book is silent on equal sums, as the direction has chosen."""
        return decided_by(self.standing, str(options.get("equal_places", SHARED)))

    def packets(self, options: Options) -> tuple[int, ...]:
        """Return how a hand is dealt: cards of each packet."""
        dealing = str(options["dealing"])
        if "-" in dealing:
            return tuple(map(int, dealing.split("-")))
        times, cards = map(int, dealing.split("x"))
        return (cards,) * times
