"""One game, from the deal to its score, as a value: what happened and what follows from it.

What can happen to it is in :mod:`kiosk.rules.steps`.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import chain

from kiosk.rules.engine import announcements
from kiosk.rules.engine.announcements import KONTRA, RE, CallRules, Judge, Moment, Said, Verdict
from kiosk.rules.engine.book import Klaerung, MustAnnounce, RuleBook
from kiosk.rules.engine.cards import Card
from kiosk.rules.engine.contract import Contract
from kiosk.rules.engine.evolve import remembered
from kiosk.rules.engine.proof import Knowledge, Move, Suspicion, know, re_placings
from kiosk.rules.engine.tricks import Laid, Trick, best, points_of
from kiosk.rules.engine.values import (
    Answer,
    Bid,
    Claim,
    Declaration,
    Knock,
    Lapsed,
    Leave,
    Objection,
    Offence,
    Raised,
    Result,
    Ruling,
)
from kiosk.rules.options.option import Options


@dataclass(frozen=True, kw_only=True)  # no slots: copied with every event, see evolve
class Game:
    """A game in play or ended. Seats as at the table; ``seats`` are the four who play, forehand first.

    What follows from its fields are properties: books, list and view ask them all of this one value, and most of them
    of each other. What takes more than the value alone stands in modules of functions (``rights``, ``result``).
    """

    book: RuleBook
    options: Options
    number: int  # running number in the list, if it comes to be printed
    dealer: int
    due: int  # who was due to deal, by the list
    seats: tuple[int, ...]
    must_play: int | None  # who is vorgeführt in this deal (eppstein 3.2.3)
    duties_open: frozenset[int]  # seats whose Pflichtsolo was outstanding at the deal
    lost: Mapping[int, int]  # by seat, solos declared and lost in this round before (schaffkopf II 2.2)
    dealt: int  # event of the deal
    answers: tuple[Answer, ...] = ()
    bids: tuple[Bid, ...] = ()
    leaves: tuple[Leave, ...] = ()
    knocks: tuple[Knock, ...] = ()  # of seats that have doubled the game before the asking
    declaration: Declaration | None = None
    contract: Contract
    raised: tuple[Raised, ...] = ()  # said of cards that are above all trumps since
    hands: Mapping[int, tuple[Card, ...]]  # scanned hands that nothing contradicts
    shown: Mapping[int, tuple[Card, ...]]  # cards that a seat has certainly been dealt, by what it showed
    known: Knowledge  # what follows from the two
    queens: tuple[tuple[int, int], ...] = ()  # (event, seat) of each CQ or called card shown (contract's re_card)
    tricks: tuple[Trick, ...] = ()
    open_trick: tuple[Laid, ...] = ()
    said: tuple[Said, ...] = ()  # calls as spoken; for what they came to see verdicts
    moves: tuple[Move, ...] = ()  # cards that did not follow, not proved a revoke
    suspicions: tuple[Suspicion, ...] = ()  # cards that may break the rules of a called card, not proved
    covered: tuple[Move, ...] = ()  # cards laid face down that a card in the hand would forbid
    lapsed: Lapsed | None = None
    doubled: bool  # in a Bockrunde
    doubtful: tuple[Declaration, ...] = ()  # declarations to which the cards have to entitle
    wrong_side: tuple[int, ...] = ()  # calls proved to name the wrong side, as long as no card is in doubt
    faults: tuple[Offence, ...] = ()  # offences but those of calls' timing
    misread: bool = False  # a card turned up too often, so one of its copies is another card
    unsure: bool = False  # a card is in doubt, weak or misread, or a scan contradicted: see breaches
    taken_back: tuple[tuple[int, Laid], ...] = ()  # cards that were laid and taken back, with their trick, from 0
    withdrawn: tuple[Offence, ...] = ()  # breaches shown that rested on what the deck's count contradicts
    klaerung: Klaerung | None = None
    klaerung_event: int = -1
    claim: Claim | None = None
    objection: Objection | None = None  # that now stops play
    objections: tuple[Objection, ...] = ()
    rulings: tuple[Ruling, ...] = ()
    ended: str | None = None  # cards, claim, ruling, not_played, dealt_again, void
    dealt_again: bool = False  # thrown in before a ruling ended it
    last_event: int  # the latest event that belongs to it
    result: Result | None = None

    # Who may do what

    @property
    def phase(self) -> str:
        """asking, bidding, declaring, playing, resting or scored."""
        if self.ended:
            return "scored"
        if self.objection:
            return "resting"
        if self.tricks or self.open_trick or self.declaration:
            return "playing"
        return self.book.finding(self)[0]

    @property
    def spoken(self) -> dict[int, str]:
        """The answers that stand, by seat (a later one corrects an earlier one)."""
        return {answer.seat: answer.call for answer in self.answers}

    @property
    def implied(self) -> frozenset[int]:
        """Seats whose answer nobody has spoken: another's word, or the first card, says it for them."""
        spoken = {answer.seat: answer.implied for answer in self.answers}
        return frozenset(seat for seat, implied in spoken.items() if implied)

    @property
    def ahead(self) -> bool:
        """Whether the game is named and not all have answered themselves: they still may, until the first card."""
        named = self.declaration
        if named is None or self.cards_laid or not self.book.classes:
            return False
        return named.ahead or bool(self.implied)

    @property
    def reserved(self) -> tuple[int, ...]:
        """Seats with a Vorbehalt, or that want to play, forehand first."""
        spoken = self.spoken
        return tuple(seat for seat in self.seats if spoken.get(seat) in self.book.wanting)

    @property
    def found(self) -> bool:
        """Whether the game is found and named, so that calls may be made (eppstein 5.2.1)."""
        if self.declaration or self.tricks or self.open_trick or not self.answers:
            return True
        return len(self.spoken) == len(self.seats) and not self.reserved

    @property
    def may_knock(self) -> tuple[int, ...]:
        """Seats that may still knock: in a book that has Klopfen, until the first has answered the asking."""
        most = int(self.options.get("klopfen_most", 0))
        if self.ended or self.answers or self.declaration or self.cards_laid or len(self.knocks) >= most:
            return ()
        return tuple(seat for seat in self.seats if seat not in {one.seat for one in self.knocks})

    @property
    def turn(self) -> int | None:
        """Who is to speak, to declare or to lay; None while play rests or is over, or where nobody can know it."""
        phase = self.phase
        if phase == "playing":
            return self.next_to_lay
        return None if phase in ("resting", "scored") else self.book.finding(self)[1]

    @property
    def leader(self) -> int:
        """Who leads or has led the open trick."""
        if self.open_trick:
            return self.open_trick[0].seat
        return self.tricks[-1].winner if self.tricks else self.book.leader(self)

    @property
    def next_to_lay(self) -> int:
        """The first seat, clockwise from the leader, without a card in the open trick."""
        if not self.open_trick:
            return self.leader
        laid = {card.seat for card in self.open_trick}
        start = self.seats.index(self.open_trick[0].seat)
        return next(s for s in self.seats[start:] + self.seats[:start] if s not in laid)

    @property
    def hand_sizes(self) -> dict[int, int]:
        """Cards each of the four still holds."""
        left = self.book.hand_size - len(self.tricks)
        laid = {card.seat for card in self.open_trick}
        return {seat: left - (seat in laid) for seat in self.seats}

    @property
    def cards_laid(self) -> int:
        """Cards that lie or have been taken in."""
        return 4 * len(self.tricks) + len(self.open_trick)

    @property
    def doubts(self) -> tuple[tuple[int, Laid], ...]:
        """Cards read with doubt and not settled, with the number of their trick (1 is the first)."""
        return remembered(self, "kept_doubts", (self.tricks, self.open_trick), self._doubts)

    def _doubts(self) -> tuple[tuple[int, Laid], ...]:
        return tuple(one for one in self.laid if one[1].doubt)

    @property
    def laid(self) -> Iterator[tuple[int, Laid]]:
        """All cards in the order of laying, with the number of their trick (1 is the first)."""
        for number, cards in enumerate(chain((trick.cards for trick in self.tricks), (self.open_trick,)), start=1):
            yield from ((number, laid) for laid in cards)

    def contract_in(self, trick: int) -> Contract:
        """Return the contract by which a trick, from 0, is taken: cards may have been raised after it."""
        return next((one.before for one in self.raised if trick < one.trick), self.contract)

    @property
    def calls(self) -> CallRules:
        """How calls are timed with the options of the round."""
        return self.book.calls_by(self.book.calls, self.options)

    # Sides

    @property
    def declarer(self) -> int | None:
        """Who named the game."""
        return self.declaration.seat if self.declaration else None

    @property
    def kind(self) -> str:
        """normal, still once everybody knows it, or the declared game."""
        if self.result:
            return self.result.kind
        if self.declaration:
            return self.declaration.game
        return "ramsch" if self.each_alone else "still" if self._double_queen() is not None else "normal"

    @property
    def each_alone(self) -> bool:
        """Whether a Ramsch is played: nobody wants to play, in a book that has one."""
        if not self.contract.each_alone or self.reserved:
            return False
        return bool(self.tricks or self.open_trick) or len(self.spoken) == len(self.seats)

    def _double_queen(self) -> int | None:
        """The seat that showed both CQ in a game nobody declared (eppstein 3.5.5)."""
        seats = [seat for _, seat in self.queens]
        return next((seat for seat in seats if seats.count(seat) > 1), None) if not self.declaration else None

    @property
    def ruled(self) -> frozenset[int] | None:
        """The Re side where a rule makes it certain: a solo named, the Klärungsstich, the called card; else None."""
        if self.declaration is None:
            return None
        if self.contract.solo:
            return frozenset((self.declaration.seat,))
        if self.contract.re_card is not None:
            return frozenset((self.declaration.seat, self.queens[0][1])) if self.queens else None
        if self.klaerung is None:
            return None
        return frozenset(s for s in (self.declaration.seat, self.klaerung.partner) if s is not None)

    def soloist_at(self, event: int) -> int | None:
        """The soloist if it was certain at that event that a solo is played (eppstein 8.4.3; docs/rules.md)."""
        if self.declaration is not None:
            if self.contract.solo:
                return self.declaration.seat if self.declaration.event <= event else None
            alone = self.klaerung is not None and self.klaerung.partner is None
            return self.declaration.seat if alone and event > self.klaerung_event else None
        shown = [seat for number, seat in self.queens if number <= event]
        return next((seat for seat in shown if shown.count(seat) > 1), None)

    @property
    def soloist(self) -> int | None:
        """Who certainly plays alone, as everybody can know."""
        return self.soloist_at(self.last_event + 1)

    @property
    def certain_sides(self) -> dict[int, str]:
        """Sides that are certain, by rule, cards shown and scanned hands; not all of it is public."""
        if self.result:
            return self._certain_sides()
        of = self.declaration, self.contract, self.queens, self.klaerung, self.known, self.ended, self.seats
        return remembered(self, "kept_certain_sides", of, self._certain_sides)

    def _certain_sides(self) -> dict[int, str]:
        if self.ruled is not None:
            return {seat: RE if seat in self.ruled else KONTRA for seat in self.seats}
        if self.contract.re_card is None:
            return {self.declaration.seat: RE} if self.declaration is not None and not self.ended else {}
        placings = self.re_sides
        sides = {}
        for seat in self.seats:
            held = {seat in placing for placing in placings}
            if len(held) == 1:
                sides[seat] = RE if held.pop() else KONTRA
        return sides

    @property
    def re_sides(self) -> list[frozenset[int]]:
        """All Re sides that the cards leave open, where cards make them: the ``CQ``, or the called card."""
        if self.contract.re_card is None:
            return []
        placings = re_placings(self.known, self.contract.re_card)
        if self.declaration is None:
            return placings
        if placings == [frozenset()]:
            return []
        return [placing | {self.declaration.seat} for placing in placings]  # with nobody: it was laid as another card

    def judged(self) -> tuple[list[Verdict], Judge]:
        """The verdicts on all calls and the levels they came to."""
        sides = self.certain_sides if self.said else {}
        return announcements.judge(self.calls, self.seats, sides, self.said)

    @property
    def known_sides(self) -> dict[int, str]:
        """Sides as everybody can know them: by rule, CQ laid and what calls told; never by scans."""
        if self.result:  # it stays for the evening, and is asked for it a few times
            return self._known_sides()
        cards = (self.tricks, self.open_trick) if self.book.shown_sides else ()
        of = self.declaration, self.contract, self.queens, self.klaerung, self.said, self.options, self.seats, *cards
        return remembered(self, "kept_known_sides", of, self._known_sides)

    def _known_sides(self) -> dict[int, str]:
        if self.ruled is not None:
            return {seat: RE if seat in self.ruled else KONTRA for seat in self.seats}
        if self.declaration is not None:  # a Hochzeit before the Klärungsstich, which alone gives the others sides
            return {self.declaration.seat: RE}
        told = announcements.judge(self.calls, self.seats, {}, self.said)[1].told
        if self.book.shown_sides:
            told = {**told, **self.book.shown_sides(self)}
        sets = announcements.re_sets(self.seats, [seat for _, seat in self.queens], told, None)
        sides = {}
        for seat in self.seats:
            held = {seat in players for players in sets}
            if len(held) == 1:
                sides[seat] = RE if held.pop() else KONTRA
        return sides

    @property
    def clear(self) -> bool:
        """Whether the partnership is clear: everybody knows every player's side."""
        return len(self.known_sides) == len(self.seats)

    # What came of it

    @property
    def offences(self) -> tuple[Offence, ...]:
        """All breaches that are certain, in the order of their events."""
        cite = self.book.cite
        found = list(self.faults)
        section = self.leave_missing
        if section and self.declaration:
            event, seat = self.declaration.event, self.declaration.seat
            found.append(Offence(code="no_leave", seat=seat, event=event, proved=event, section=cite(section)))
        verdicts = self.judged()[0] if self.said or self.lapsed else []
        duty = self.book.must_announce
        if self.lapsed and duty and not self._may_have_announced(duty, self.lapsed, verdicts):
            found.append(
                Offence(
                    code="missed_duty",
                    seat=self.lapsed.seat,
                    event=self.lapsed.event,
                    proved=self.lapsed.event,
                    section=cite(duty.section),
                )
            )
        if self.said:
            for verdict in verdicts:
                if verdict.code:
                    said = verdict.said
                    found.append(
                        Offence(
                            code=verdict.code,
                            seat=said.seat,
                            event=said.event,
                            proved=said.event,
                            section=cite(verdict.section),
                        )
                    )
        return tuple(sorted(found, key=lambda offence: (offence.event, offence.proved)))

    def _may_have_announced(self, duty: MustAnnounce, lapsed: Lapsed, verdicts: list[Verdict]) -> bool:
        """Whether a duty to announce may have been done, by any side that its owner can belong to."""
        certain = self.certain_sides.get(lapsed.seat)
        sides = (certain,) if certain else (RE, KONTRA)
        return any(duty.met(lapsed, side, verdicts[: lapsed.said], self.options) for side in sides)

    @property
    def leave_missing(self) -> str:
        """The section by which the game needs a leave that its player has not got; "" if it does not."""
        if self.declaration is None or self.book.needs_leave is None:
            return ""
        seat = self.declaration.seat
        given = next((leave.granted for leave in reversed(self.leaves) if leave.seat == seat), False)
        return "" if given else self.book.needs_leave(self, self.declaration)


def deal(
    book: RuleBook,
    options: Options,
    *,
    event: int,
    number: int,
    dealer: int,
    due: int,
    seats: tuple[int, ...],
    must_play: int | None,
    duties_open: frozenset[int],
    lost: Mapping[int, int],
    doubled: bool,
) -> Game:
    """A game just dealt; ``seats``: the four who play, forehand first."""
    nothing: dict[int, tuple[Card, ...]] = dict.fromkeys(seats, ())
    return Game(
        book=book,
        options=options,
        number=number,
        dealer=dealer,
        due=due,
        seats=seats,
        must_play=must_play,
        duties_open=duties_open,
        lost=lost,
        dealt=event,
        contract=book.normal,
        hands={},
        shown=nothing,
        known=know(book.deck, book.hand_size, nothing, {}),
        last_event=event,
        doubled=doubled,
    )


def taken(game: Game, number: int, cards: tuple[Laid, ...]) -> Trick:
    """Return a full trick, the one of that number from 0, with its winner."""
    contract = game.contract_in(number)
    top = best(contract, game.book.equal_order(cards), game.book.second_wins(contract, game.options))
    return Trick(cards=cards, leader=cards[0].seat, winner=top.seat, points=points_of(cards))


def moment(game: Game, seat: int) -> Moment:
    """What the windows of a call by ``seat`` now are judged by."""
    hochzeit = game.declaration is not None and not game.contract.solo and game.contract.re_card is None
    return Moment(
        hand=game.hand_sizes[seat],
        laid=game.cards_laid,
        shift=game.klaerung.first if game.klaerung else 0,
        early=not game.found or (hochzeit and game.klaerung is None),
        ruled=game.ruled,
        queens=tuple(queen for _, queen in game.queens),
    )
