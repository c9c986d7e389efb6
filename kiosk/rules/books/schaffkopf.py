"""Define the rules of the 1. Schaffkopfverein München alone, as functions for its fields in ``schaffkopf_book.py``."""

from dataclasses import replace
from itertools import product

from kiosk.rules.engine.announcements import KONTRA, RE, CallRules, Left, Moment
from kiosk.rules.engine.book import Breach, Klaerung
from kiosk.rules.engine.called_card import suit_cards
from kiosk.rules.engine.cards import Card
from kiosk.rules.engine.contract import Contract
from kiosk.rules.engine.game import Game
from kiosk.rules.engine.proof import Knowledge, Move, Suspicion
from kiosk.rules.engine.tricks import Laid
from kiosk.rules.engine.values import Bid, Declaration, Objection, Offence, Ruling
from kiosk.rules.options.option import Options

#: Classes of games, lowest first (II 2).
CLASSES = ("rufspiel", "wenz", "solo", "wenz-tout", "solo-tout", "sie")

#: The least class to be named by the first to fourth who wants to play (II 2).
DEMANDED = ("rufspiel", "wenz", "solo", "wenz-tout")

CALLED_SUITS = "EGS"
TOP_EIGHT = frozenset(suit + rank for suit in "EGHS" for rank in "OU")  # II 4.1.1
_LEAVE_SECTIONS = {"sie": "II 4.1.1", "solo-tout": "II 4.1.2", "wenz-tout": "II 4.1.3"}


def first_dealer(options: Options) -> int:
    """Return the seat that drew place 1 as first dealer (III 2.3)."""
    return int(options["first_dealer"])


def scorer(players: int, options: Options) -> int:
    """Return the seat that drew place 1 as scorer (III 3.1)."""
    return int(options["scorer"])


def no_pflichtsoli(options: Options) -> int:
    """Return 0 Pflichtsoli: there are none."""
    return 0


def leader(game: Game) -> int:
    """Return the dealer's left neighbour (II 4)."""
    return game.seats[0]


# Finding the game (II 2)


def bidders(game: Game) -> tuple[int, ...]:
    """List the seats that want to play, in the order of their words."""
    wanting: dict[int, None] = {}
    for answer in game.answers:
        if answer.call in game.book.wanting:
            wanting.setdefault(answer.seat)
        else:
            wanting.pop(answer.seat, None)
    if game.implied:  # who was passed over by mistake comes where he sits
        return tuple(sorted(wanting, key=game.seats.index))
    return tuple(wanting)


def standing_bids(game: Game) -> dict[int, str]:
    """Collect the last bid class of each bidder."""
    wanting = bidders(game)
    return {bid.seat: bid.game for bid in game.bids if bid.game is not None and bid.seat in wanting}


def finding(game: Game) -> tuple[str, int | None]:
    """Return phase and speaker: the asking goes round, several bid, then the Spielmacher names his game (II 2.1, 3)."""
    spoken = game.spoken
    if len(spoken) < len(game.seats):
        return "asking", next(seat for seat in game.seats if seat not in spoken)
    wanting = bidders(game)
    if game.each_alone:
        return "playing", game.book.leader(game)
    if not wanting:  # a Muss-Spiel; who holds Eichel Ober is known only from a scan (II 2.1.1)
        return "declaring", next((seat for seat, hand in game.hands.items() if "EO" in hand), None)
    if len(wanting) > 1:
        have_bid = {bid.seat for bid in game.bids}
        waiting = [seat for seat in wanting if seat not in have_bid]
        if waiting:
            return "bidding", waiting[0]
    bids = standing_bids(game)
    classes = game.book.classes
    return "declaring", max(bids, key=lambda seat: classes.index(bids[seat]), default=wanting[0])


def _refused(game: Game, seat: int | None = None) -> bool:
    """Whether the direction has refused a leave in this deal: what was said may be revised (II 2.2)."""
    return any(not leave.granted for leave in game.leaves if seat in (None, leave.seat))


def late_answer(game: Game, seat: int, call: str) -> bool:
    """Report whether an answer is late: answers bind (II 2.2), but after a refused leave some speak again.

    Who has not spoken himself may until the first card, if the game was named ahead of him.
    """
    if game.cards_laid or (game.declaration and not game.ahead):
        return True
    spoken = game.spoken
    if game.ahead or seat in game.implied:
        return seat == game.declarer or (seat in spoken and seat not in game.implied)
    if seat not in spoken:
        return seat != next(other for other in game.seats if other not in spoken)
    return not _refused(game)


def _demanded(game: Game, seat: int, demanded: tuple[str, ...]) -> int:
    """Rank of the least class that the seat must name by its place among the bidders; the lowest without any."""
    wanting = bidders(game)
    return game.book.classes.index(demanded[wanting.index(seat)]) if demanded else 0


def bid_fault(game: Game, bid: Bid, demanded_by_place: tuple[str, ...] = DEMANDED) -> tuple[str, str]:
    """Return code and section that a bid breaks: too low a class (II 2.2), or before one's turn (II 2.1.3)."""
    classes = game.book.classes
    wanting = bidders(game)
    if bid.seat not in wanting:
        return "call_out_of_turn", "II 2.1.3"
    demanded = _demanded(game, bid.seat, demanded_by_place)
    bids = standing_bids(game)
    own = bids.get(bid.seat)
    if bid.game is not None:
        rank = classes.index(bid.game)
        if rank < demanded or (own is not None and rank < classes.index(own) and not _refused(game, bid.seat)):
            return "not_entitled", "II 2.2"
    elif own is None and all(classes.index(other) < demanded for other in bids.values()):
        return "not_entitled", "II 2.2"  # only over a game as high as he must name he may say that he has no higher one
    before = wanting[: wanting.index(bid.seat)]
    have_bid = {other.seat for other in game.bids}
    if len(game.spoken) < len(game.seats) or any(seat not in have_bid for seat in before):
        return "call_out_of_turn", "II 2.1.3"
    return "", ""


def declaration_refused(game: Game, declaration: Declaration, demanded_by_place: tuple[str, ...] = DEMANDED) -> str:
    """Return the section that a declaration breaks in itself: too low a class, or another is Spielmacher."""
    wanting, seat, classes = bidders(game), declaration.seat, game.book.classes
    if declaration.game in ("muss", "hochzeit"):
        return "II 2.1.1" if wanting else ""
    if seat in wanting:
        rank = classes.index(declaration.game)
        if rank < _demanded(game, seat, demanded_by_place):
            return "II 2.2"
        own = standing_bids(game).get(seat)
        if own is not None and rank < classes.index(own) and not _refused(game, seat):
            return "II 3.2"
    if len(game.spoken) < len(game.seats) or _refused(game):
        return ""
    if not wanting:
        return "II 2.1.1"
    phase, due = finding(game)
    if seat not in wanting or (phase == "declaring" and due != seat):
        return "II 2.1.2" if len(wanting) == 1 else "II 2.1.3"
    return ""


def needs_leave(game: Game, declaration: Declaration) -> str:
    """Return the section of the leave needed: Sie, Tout (II 4.1.1 to 4.1.3), Alleinspiel after three lost (II 2.2)."""
    if declaration.game in _LEAVE_SECTIONS:
        return _LEAVE_SECTIONS[declaration.game]
    limit = game.options["lost_alleinspiele"]
    assert isinstance(limit, int)
    alone = game.book.contracts[declaration.game, declaration.suit].solo
    return "II 2.2" if alone and game.lost[declaration.seat] >= limit else ""


# What cards entitle to (II 3.1)


def any_cards(game: Game, knowledge: Knowledge, declaration: Declaration) -> bool:
    """Report that every hand entitles."""
    return True


def may_sie(game: Game, knowledge: Knowledge, declaration: Declaration) -> bool:
    """Report whether a hand may declare Sie: all Ober and Unter (II 4.1.1)."""
    return knowledge.fits(declaration.seat, TOP_EIGHT, ())


def may_call(game: Game, knowledge: Knowledge, declaration: Declaration) -> bool:
    """Report whether a hand may call in a Rufspiel: an ace that it lacks, of a suit that it holds (II 3.1.6)."""
    return _calls(knowledge, declaration, ())


def _calls(knowledge: Knowledge, declaration: Declaration, held: tuple[Card, ...]) -> bool:
    card, seat = declaration.card, declaration.seat
    assert card is not None
    others = suit_cards(card[0]) - {card}
    return any(knowledge.fits(seat, (*held, other), (card,)) for other in others)


def may_muss(game: Game, knowledge: Knowledge, declaration: Declaration) -> bool:
    """Report whether a hand with Eichel Ober may call the card in a Muss-Spiel (II 2.1.1, 3.1.7, its four cases)."""
    card, seat = declaration.card, declaration.seat
    assert card is not None
    aces = tuple(suit + "A" for suit in CALLED_SUITS)
    if card[1] == "T":  # 3. he has all aces
        return knowledge.fits(seat, ("EO", *aces), (card,))
    if card[1] == "K":  # 4. and all tens
        return knowledge.fits(seat, ("EO", *aces, *(suit + "T" for suit in CALLED_SUITS)), (card,))
    if not declaration.renonce:  # 1. he can call the ace as in a Rufspiel
        return _calls(knowledge, declaration, ("EO",))
    # 2. of each suit he has the ace or nothing, of the called one nothing
    others = [suit for suit in CALLED_SUITS if suit != card[0]]
    for has_ace in product((True, False), repeat=len(others)):
        chosen = dict(zip(others, has_ace, strict=True))
        held = [suit + "A" for suit, ace in chosen.items() if ace]
        lacking = [
            other for suit in (card[0], *(s for s, ace in chosen.items() if not ace)) for other in suit_cards(suit)
        ]
        if knowledge.fits(seat, ("EO", *held), lacking):
            return True
    return False


# Play


def second_wins(contract: Contract, options: Options) -> frozenset[Card]:
    """Return no card of which the second wins: there is one of each (I 2)."""
    return frozenset()


def as_laid(cards: tuple[Laid, ...]) -> tuple[Laid, ...]:
    """Keep the order of laying: there are no two equal cards."""
    return cards


def face_down(game: Game, laid: Laid) -> str:
    """Return the section broken by a card laid face down: cards are laid openly (I 3.2, Ausspielen)."""
    return "I 3.2"


def last_laid(game: Game, seat: int, card: Card) -> bool:
    """Report whether the card may be taken back: only the last one laid (II 4.2.3)."""
    cards = game.open_trick or game.tricks[-1].cards
    return cards[-1].seat == seat and cards[-1].card == card  # cards that nobody has read yet go by one label


def no_card(game: Game, card: Card) -> bool:
    """Report that a player may hold any card: nothing is laid face down."""
    return False


def contract_as_it_is(contract: Contract, options: Options) -> Contract:
    """Return the contract unchanged: no option changes the trumps."""
    return contract


def no_klaerung(game: Game) -> Klaerung | None:
    """Settle no Klärung: there is no Hochzeit."""
    return None


def no_time(moment: Moment, level: int, side: str) -> int:
    """Return a limit that is over: there are no announcements (II 5.2)."""
    return -1


def always_silent(moment: Moment) -> bool:
    """Report that nobody may call: there are no announcements (II 5.2)."""
    return True


def calls_as_they_are(rules: CallRules, options: Options) -> CallRules:
    """Return the call rules unchanged: no option changes them."""
    return rules


def anybody(game: Game, kind: str, order: tuple[Card, ...], seat: int) -> bool:
    """Report that anybody may claim: who lays down or throws in ends the game (II 4.2.1)."""
    return True


# Rulings (II 4.2)


def _objection(game: Game, ruling: Ruling) -> Objection | None:
    """The Reklamation that a ruling answers."""
    made = (one for one in reversed(game.objections) if one.event < ruling.event)
    return next((one for one in made if ruling.breach in (one.breach, one.event)), None)


def _on_revoke(game: Game, ruling: Ruling) -> bool:
    """Whether it punishes falsches Bedienen: as the Reklamation says, else as the card of the breach shows."""
    made = _objection(game, ruling)
    if made is not None and made.code:
        return made.code == "revoke"
    codes = {fault.code for fault in game.faults if fault.event == ruling.breach}
    if codes:
        return "revoke" in codes
    elsewhere = {seat for _, seat in game.queens}
    unproved: list[Suspicion | Move] = [*(one for one in game.suspicions if elsewhere <= {one.seat}), *game.moves]
    # Of a hand that is known to the last card what is not proved was lawful.
    return any(ruling.breach == one.event and (game.known.sizes[one.seat] or game.misread) for one in unproved)


def _trick_of(game: Game, event: int) -> int:
    """Number of the trick, from 0, in which the event happened."""
    for number, trick in enumerate(game.tricks):
        if any(laid.event == event for laid in trick.cards):
            return number
    return sum(all(laid.event < event for laid in trick.cards) for trick in game.tricks)


def found_late(game: Game, ruling: Ruling) -> bool:
    """Report whether a ruling punishes a revoke found later than the next trick's end, or after the game (II 4.2.5)."""
    if ruling.kind != "serious" or not _on_revoke(game, ruling):
        return False
    made = _objection(game, ruling)
    found = made.event if made else ruling.event
    if game.claim is not None and game.claim.event < found:
        return True
    if len(game.tricks) == game.book.hand_size and all(laid.event < found for laid in game.tricks[-1].cards):
        return True
    later = _trick_of(game, ruling.breach) + 2
    if game.options["revoke_in_time"] == "fourth_card":
        return any(all(laid.event < found for laid in trick.cards) for trick in game.tricks[later - 1 :])
    beyond = [laid for trick in game.tricks[later:] for laid in trick.cards]
    if len(game.tricks) >= later:
        beyond += game.open_trick
    return any(laid.event < found for laid in beyond)


def falls_from(game: Game, ruling: Ruling) -> int | None:
    """Return the trick from which on all cards fall to the other side.

    Of a revoke in time from its trick on; found late all of them: lost schwarz (II 4.2.5). Of other breaches the open
    trick and the unplayed cards (II 4.2.1 to 4.2.4).
    """
    if found_late(game, ruling):
        return 0
    if ruling.kind == "serious" and _on_revoke(game, ruling):
        return _trick_of(game, ruling.breach)
    return None if len(game.tricks) == game.book.hand_size else len(game.tricks)


def standing_ruling(game: Game) -> Ruling | None:
    """Return the standing ruling: the last one, but a revoke found late precedes another breach (II 4.2.6)."""
    ending = [ruling for ruling in game.rulings if ruling.ends]
    if not ending:
        return None
    last = ending[-1]
    if last.kind == "serious" and not found_late(game, last):
        late = [one for one in ending[:-1] if one.offender != last.offender and found_late(game, one)]
        return late[-1] if late else last
    return last


def repeated(game: Game, re: frozenset[int]) -> bool:
    """Report whether the game is repeated: players of both sides have revoked, each found late (II 4.2.6)."""
    ending = [ruling for ruling in game.rulings if ruling.ends]
    if not re or not ending or ending[-1].kind != "serious":
        return False
    sides = {RE if ruling.offender in re else KONTRA for ruling in ending if found_late(game, ruling)}
    return len(sides) == 2


def always_counts(breach: Breach | None) -> bool:
    """Report that a game whose score the direction has fixed counts as played (III 1.2)."""
    return True


def never_lost(game: Game, seat: int, offence: Offence) -> bool:
    """Report that the right to claim is never lost: a revoke can be found even after the game (II 4.2.5)."""
    return False


def next_deals(game: Game) -> bool:
    """Report that the deal goes round; only a repeated game has the same dealer again (II 1)."""
    return False


def same_dealer_always(options: Options) -> bool:
    """Report that a repeated game is dealt by the same player (II 1)."""
    return True


def no_bockrunde(game: Game, players: int) -> int:
    """Return 0 doubled games: no game makes others count double."""
    return 0


def bock_games_by_events(game: Game, players: int) -> int:
    """Count the games that double after a game, in clubs.

    After 60 Augen each, a lost Alleinspiel, a Herz-Solo, a lost Kontra or Re.
    """
    each = {"table": players, "four": 4, "none": 0}[str(game.options["bockrunde"])]
    result = game.result
    if result is None or result.void or result.struck:
        return 0
    options, contract = game.options, game.contract
    sides = result.won_by is not None and not contract.each_alone
    even = bool(options["bock_even"]) and sides and result.points[RE] == result.points[KONTRA]
    lost = bool(options["bock_lost_solo"]) and contract.solo and result.won_by == KONTRA
    herz = bool(options["bock_herz_solo"]) and contract.game in ("solo", "solo-tout") and contract.suit == "H"
    said = bool(options["bock_lost_call"]) and sides and _said(game, KONTRA if result.won_by == RE else RE)
    return each * (even + lost + herz + said)


def _said(game: Game, side: str) -> bool:
    """Whether a side has said Kontra or Re."""
    return bool(game.said) and game.judged()[1].level[side] > 0


def kontra_re_in_time(cards: int) -> Left:
    """Make the window of Kontra and Re in clubs: until so many cards lie."""

    def left(moment: Moment, level: int, side: str) -> int:
        return cards - 1 - moment.laid

    return left


def kontra_re_by(calls: CallRules, options: Options) -> CallRules:
    """Time Kontra and Re by the card until which they may be said."""
    return replace(calls, left=kontra_re_in_time(int(options["others_until"])))
