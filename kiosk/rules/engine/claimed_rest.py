"""Decide whether a claimed rest holds, however the unseen cards lie and are laid (eppstein 4.3, schaffkopf II 4.2.1).

Who claims shows his cards, so the others know them; they lay lawfully, partners too, but as badly for him as they can.
What he did not say is taken against him: he lays each suit from the top, but which suit first is open (eppstein 4.3.4);
where he does not lead he takes over with any card that does (4.3.3), or by a book that trusts him with the best.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from kiosk.rules.engine.breaches import readings_of
from kiosk.rules.engine.called_card import enough_to_run, suit_cards
from kiosk.rules.engine.cards import Card
from kiosk.rules.engine.contract import TRUMP
from kiosk.rules.engine.evolve import evolve
from kiosk.rules.engine.game import Game
from kiosk.rules.engine.proof import Knowledge, copies, know
from kiosk.rules.engine.rest_search import Called, RestSearch, TooMany, may_have_run
from kiosk.rules.engine.schweinchen import may_come
from kiosk.rules.engine.tricks import Laid, best
from kiosk.rules.engine.unseen import Unseen

#: Readings of cards in doubt that a claim is decided for, all of them; with more it is not decided.
MOST_READINGS = 32

#: Cards tried in all, before a claim is left undecided: some seconds of a small computer.
MOST_TRIED = 20_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """Whether a claimed rest holds.

    :ivar holds: None: not decided.
    :ivar why: where it is not decided, the reason: ``hand_size``, ``not_in_deck`` (cards shown that lie already),
        ``order``, ``sides`` (who plays with whom is open), ``raised`` (another may yet say Schweinchen), ``misread``,
        ``doubts``, ``too_many`` (positions).
    :ivar hands: where it does not hold, cards that the others can hold by all that is known, by seat.
    :ivar line: and what is laid then, from now on, up to the trick that is lost: seat and card.
    :ivar taken_by: who takes that trick.
    :ivar trumps_first: it does not hold in any order, but it does with the trumps first, then suit by suit.
    """

    holds: bool | None
    why: str = ""
    hands: Mapping[int, tuple[Card, ...]]
    line: tuple[tuple[int, Card], ...] = ()
    taken_by: int = 0
    trumps_first: bool = False


def as_all_know(game: Game) -> Game:
    """Return the game as everybody at the table knows it: without the scanned hands."""
    known = know(game.book.deck, game.book.hand_size, game.shown, {})
    return evolve(game, hands={}, known=known) if game.hands else game


def _undecided(why: str) -> Verdict:
    return Verdict(holds=None, why=why, hands={})


def judge_rest(game: Game, seat: int, hand: Sequence[Card], order: Sequence[Card] = ()) -> Verdict:
    """Decide whether ``seat``, who shows ``hand``, takes the rest of the tricks for its side for certain.

    Pure; a game in play. Nobody's earlier breach is assumed beyond those that are proved.

    :param order: as far as he says it, in which he lays the cards that he may lay.
    """
    why = _unfit(game, seat, hand, order)
    if why:
        return _undecided(why)
    if may_come(game, seat, hand):
        return _undecided("raised")
    foes = _foes(game, seat, hand)
    if foes is None:
        return _undecided("sides")
    verdict = _judged(game, seat, hand, order, foes)
    if verdict.holds is False and not order:
        power, classes = game.contract.power, game.contract.classes
        from_top = sorted(hand, key=lambda card: (classes[card] != TRUMP, classes[card], -power[card]))
        stated = _judged(game, seat, hand, from_top, foes)
        return replace(verdict, trumps_first=stated.holds is True)
    return verdict


def _unfit(game: Game, seat: int, hand: Sequence[Card], order: Sequence[Card]) -> str:
    """Why the cards shown cannot be judged, "" if they can."""
    if len(hand) != game.hand_sizes[seat]:
        return "hand_size"
    count, deck = Counter(hand), copies(game.book.deck)
    if any(number > deck.get(card, 0) for card, number in count.items()):
        return "not_in_deck"
    return "order" if Counter(order) - count else ""


def _foes(game: Game, seat: int, hand: Sequence[Card]) -> dict[int, bool | None] | None:
    """Whether each other plays against ``seat``, None: by who holds the called card; None in all: it is open."""
    others = [one for one in game.seats if one != seat]
    re_card, named = game.contract.re_card, game.declaration
    if game.ruled is not None:
        return {one: (one in game.ruled) != (seat in game.ruled) for one in others}
    if re_card is None:
        return None
    if named is None:
        alone = [*game.shown[seat], *hand].count(re_card) - _still(game, seat, re_card, hand) >= 2
        return dict.fromkeys(others, True) if alone else None
    if re_card in hand:
        return {one: seat == named.seat or one != named.seat for one in others}
    return {one: True if one == named.seat else None for one in others}


def _still(game: Game, seat: int, card: Card, hand: Sequence[Card]) -> int:
    """How many copies of a card both were shown before (a scan, or taken back) and are in the hand now."""
    laid = [one.card for trick in game.tricks for one in trick.cards if one.seat == seat]
    laid += [one.card for one in game.open_trick if one.seat == seat]
    return min(list(hand).count(card), game.shown[seat].count(card) - laid.count(card))


def _judged(
    game: Game, seat: int, hand: Sequence[Card], order: Sequence[Card], foes: Mapping[int, bool | None]
) -> Verdict:
    open_: list[tuple[Mapping[int, Card], Knowledge]] = [({}, game.known)]
    if game.unsure:
        doubts = readings_of(game)
        found = doubts.all(MOST_READINGS) if not doubts.too_many else []
        if found is None:
            return _undecided("doubts")
        if not found or not doubts.consistent:
            return _undecided("misread")
        open_ = [(reading, known) for reading in found for known in doubts.known_by(reading)]
    positions = [_Position(game, seat, hand, reading, known) for reading, known in open_]
    worlds = [(one, *world) for one in positions for world in one.lawful()] or [
        (one, *world) for one in positions for world in one.any_at_all()
    ]
    tried = 0
    for position, unseen, free in worlds:
        search = RestSearch(game, seat, foes, position.called, MOST_TRIED - tried)
        try:
            loss = search.lost(tuple(hand), tuple(order), unseen, position.trick, free)
        except TooMany:
            return _undecided("too_many")
        if loss is not None:
            return Verdict(
                holds=False, hands=search.hands(loss), line=loss.line, taken_by=_taker(game, position.trick, loss.line)
            )
        tried += search.tried
    return Verdict(holds=True, hands={}) if worlds else _undecided("misread")


def _taker(game: Game, trick: Sequence[Laid], line: Sequence[tuple[int, Card]]) -> int:
    """Who takes the last trick of a line that begins in this one."""
    laid = [*trick, *(Laid(game.last_event + n, seat, card) for n, (seat, card) in enumerate(line, start=1))]
    last = game.book.equal_order(tuple(laid[-len(game.seats) :]))
    return best(game.contract, last, game.book.second_wins(game.contract, game.options)).seat


class _Position:
    """What is known of the unseen cards, the cards on the table read in one way."""

    def __init__(
        self, game: Game, seat: int, hand: Sequence[Card], reading: Mapping[int, Card], known: Knowledge
    ) -> None:
        self._game, self._seat, self._hand, self._known = game, seat, hand, known
        tricks = [*(trick.cards for trick in game.tricks), game.open_trick]
        self._tricks = [tuple(replace(one, card=reading.get(one.event, one.card)) for one in cards) for cards in tricks]
        self.trick = self._tricks[-1]
        self._others = [one for one in game.seats if one != seat]
        laid = {one.card for cards in self._tricks for one in cards}
        called, named = game.contract.re_card, game.declaration
        self.called = None
        if called is not None and named is not None and called not in laid:
            free = game.options["after_davonlaufen"] == "free"
            self.called = Called(called, suit_cards(called[0]), enough_to_run(game, called), free)

    def lawful(self) -> list[tuple[Unseen, frozenset[int]]]:
        """List what the unseen cards can be, with the seats that have run away from the called card if it is theirs.

        Nobody is taken to have broken a rule but as is proved.
        """
        start = self._start()
        return [] if start is None else [one for one in self._lawful(start) if one[0].possible]

    def any_at_all(self) -> list[tuple[Unseen, frozenset[int]]]:
        """List what they can be if nothing is taken of who followed suit: breaches that nobody can prove happened."""
        start = self._start()
        return [] if start is None or not start.possible else [(start, frozenset())]

    def _start(self) -> Unseen | None:
        """The cards that neither lie nor are shown, each held where that is known."""
        known, others = self._known, self._others
        everywhere = (1 << len(others)) - 1
        cards: Counter[tuple[Card, int]] = Counter()
        for card, number in known.unseen.items():
            cards[card, everywhere] += number
        mine = Counter(self._hand)
        for place, seat in [*enumerate(others), (-1, self._seat)]:
            held = Counter(known.shown[seat])
            held.subtract(one.card for trick in self._tricks for one in trick if one.seat == seat)
            for card, number in held.items():
                if place < 0:
                    mine[card] -= number
                elif number > 0:
                    cards[card, 1 << place] += number
        for card, number in mine.items():
            cards[card, everywhere] -= number
        if any(number < 0 for number in cards.values()):
            return None
        sizes = self._game.hand_sizes
        return Unseen({one: number for one, number in cards.items() if number}, tuple(sizes[one] for one in others))

    def _lawful(self, start: Unseen) -> list[tuple[Unseen, frozenset[int]]]:
        """What is left if all have followed suit, and the called card's holder laid what he may."""
        game, classes = self._game, self._game.contract.classes
        revoked = {fault.event for fault in game.offences if fault.code == "revoke"}
        unseen, ran = self._with_raised(start), dict[int, int]()
        for number, cards in enumerate(self._tricks):
            for one in cards[1:]:
                led = classes[cards[0].card]
                if one.seat != self._seat and classes[one.card] != led and not (one.down or one.event in revoked):
                    unseen = unseen.lacking(self._others.index(one.seat), game.contract.members[led].__contains__)
            if self.called is not None and cards:
                unseen = self._beside_called(unseen, self.called, number, cards, revoked, ran)
        found = [(unseen, frozenset(ran))]
        for seat, trick in ran.items():
            if self.called is not None and seat != self._seat:
                since = [one for cards in self._tricks[trick:] for one in cards if one.seat == seat]
                need = self.called.enough - sum(one.card in self.called.suit for one in since)
                place = self._others.index(seat)
                found = [(after, free) for one, free in found for after in may_have_run(one, place, self.called, need)]
        return found

    def _with_raised(self, start: Unseen) -> Unseen:
        """What is left if who has raised cards by a word holds both of them."""
        cards = Counter(dict(start.cards))
        wrong = {fault.event for fault in self._game.offences if fault.code == "not_entitled"}
        for one in self._game.raised:
            if one.seat == self._seat or one.event in wrong:
                continue
            own = 1 << self._others.index(one.seat)
            for card, places in list(cards):
                if card == one.card and places & own:
                    cards[card, own] += cards.pop((card, places))
        return Unseen(dict(cards), start.room)

    def _beside_called(
        self,
        unseen: Unseen,
        called: Called,
        number: int,
        cards: tuple[Laid, ...],
        revoked: set[int],
        ran: dict[int, int],
    ) -> Unseen:
        """What is left after a trick, by who laid another card of the suit than the called one."""
        first = cards[0]
        if first.card in called.suit:
            for one in cards[1:]:
                bound = not (called.free and one.seat in ran) and one.seat != self._seat
                if bound and one.card in called.suit and one.event not in revoked:
                    unseen = unseen.lacking(self._others.index(one.seat), called.card.__eq__)
            if first.event not in revoked:
                ran.setdefault(first.seat, number)
        return unseen
