"""Make up games as arguments of a book's functions, so that a description states what the engine does."""

from collections.abc import Sequence
from functools import cache

from kiosk.rules.engine.announcements import KONTRA, RE, Moment, Said, Verdict
from kiosk.rules.engine.book import Breach, Kind, Klaerung, RuleBook
from kiosk.rules.engine.cards import Card, augen
from kiosk.rules.engine.evolve import evolve
from kiosk.rules.engine.game import Game, deal
from kiosk.rules.engine.proof import know
from kiosk.rules.engine.scoring import Item, Tally
from kiosk.rules.engine.tricks import Laid, Trick
from kiosk.rules.engine.values import Answer, Declaration, Lapsed, Objection, Result, Ruling
from kiosk.rules.options.option import Options
from kiosk.rules.steps import asking

SEATS = (1, 2, 3, 4)


def whole(book: RuleBook) -> int:
    """Count all Augen of the deck."""
    return _augen_of(book.deck)


@cache
def _augen_of(deck: tuple[Card, ...]) -> int:
    return sum(map(augen, deck))


def fresh(book: RuleBook, options: Options, *, players: int = 4, led_up: int | None = None, lost: int = 0) -> Game:
    """Make a deal with players on the seats 1 to 4, forehand 1, all of the book's Pflichtsoli owed.

    ``led_up``: who is vorgeführt; ``lost``: Alleinspiele that each has lost before.
    """
    return deal(
        book,
        options,
        event=0,
        number=1,
        dealer=players,
        due=players,
        seats=SEATS,
        must_play=led_up,
        duties_open=frozenset(SEATS if book.duties(options) else ()),
        lost=dict.fromkeys(SEATS, lost),
        doubled=False,
    )


def declared(game: Game, kind: Kind, seat: int = 1, *, duty: bool = False, card: Card | None = None) -> Game:
    """Make the game after a declaration by ``seat``."""
    suit = kind.suits[0] if kind.suits else None
    called = card or (kind.cards[0] if kind.cards else None)
    partner = next(other for other in game.seats if other != seat) if kind.exchange else None
    named = Declaration(event=1, seat=seat, game=kind.game, suit=suit, duty=duty, card=called, partner=partner)
    return asking.declare(game, named)


def alone(book: RuleBook) -> Kind | None:
    """Return a game that is played alone, not the highest; None where a club plays none."""
    played = [kind for kind in book.kinds if kind.played and not kind.ends_deal]
    solos = {game for (game, _), contract in book.contracts.items() if contract.solo}
    return next((kind for kind in reversed(played) if kind.game in solos), None)


def kind_named(book: RuleBook, game: str) -> Kind | None:
    """Return the game of that name, None if it cannot be declared."""
    return next((kind for kind in book.kinds if kind.game == game), None)


def finished(game: Game) -> Game:
    """Make a game that its declarer has played to the end and won."""
    declaration = game.declaration
    result = Result(
        kind=declaration.game if declaration else "normal",
        duty=declaration is not None and declaration.duty,
        declarer=declaration.seat if declaration else None,
        re=(1,),
        points={RE: 200, KONTRA: 40},
        won_by=RE,
        value=(),
        score=dict.fromkeys(SEATS, 0),
        void=False,
        counted=True,
        won=frozenset({1}),
        struck=False,
    )
    return evolve(game, result=result, ended="cards")


def trick(cards: str, winner: int, points: int = 0, leader: int = 1) -> Trick:
    """Make a trick; the seats lay clockwise from ``leader`` on."""
    laid = tuple(Laid(10 + number, (leader + number - 1) % 4 + 1, card) for number, card in enumerate(cards.split()))
    return Trick(cards=laid, leader=leader, winner=winner, points=points)


def after(game: Game, tricks: Sequence[Trick], klaerung: Klaerung | None = None) -> Game:
    """Make the game after these tricks."""
    return evolve(game, tricks=tuple(tricks), klaerung=klaerung)


def broken(book: RuleBook, options: Options, kind: str, code: str, found: int) -> tuple[Game, Ruling]:
    """Make a game in its fourth trick, ruled on seat 2's breach in the second; ``found``: event of the Reklamation.

    The tricks are the events 100 to 103, 110 to 113 and 120 to 123.
    """
    cards = list(dict.fromkeys(book.deck))
    tricks = []
    for number in range(3):
        laid = tuple(Laid(100 + 10 * number + n, n + 1, cards[4 * number + n]) for n in range(4))
        tricks.append(Trick(cards=laid, leader=1, winner=1, points=0))
    made = Objection(event=found, seat=1, against=2, code=code, breach=111)
    open_ = (Laid(130, 1, cards[12]),)
    game = evolve(fresh(book, options), tricks=tuple(tricks), open_trick=open_, objections=(made,), last_event=139)
    ruling = Ruling(
        event=140,
        offender=2,
        kind=kind,
        breach=111,
        harms_soloist=False,
        scores=None,
        fines={},
        minutes=0,
        resume=False,
    )
    return game, ruling


def allowed(game: Game, kind: Kind, hand: Sequence[Card], card: Card | None = None, renonce: bool = False) -> bool:
    """Report whether a known hand entitles seat 1 to a game."""
    book = game.book
    known = know(book.deck, book.hand_size, dict.fromkeys(SEATS, ()), {1: tuple(hand)})
    named = Declaration(
        event=1,
        seat=1,
        game=kind.game,
        suit=kind.suits[0] if kind.suits else None,
        duty=False,
        condition=None,
        card=card or (kind.cards[0] if kind.cards else None),
        renonce=renonce,
        raised=(),
    )
    return kind.allowed(game, known, named)


def wanting(game: Game, number: int) -> Game:
    """Make an asking in which the first ``number`` seats want to play; in a book of two answers it is the second."""
    first, second = game.book.answers[1], game.book.answers[-1]
    passing = game.book.answers[0]
    answers = [
        Answer(1 + seat, seat, (first if seat == 1 else second) if seat <= number else passing) for seat in SEATS
    ]
    return evolve(game, answers=tuple(answers))


def lapsed(seat: int) -> Lapsed:
    """Make a duty to announce of ``seat``, from the first trick, whose time has run out."""
    return Lapsed(event=20, seat=seat, trick=0, said=1)


def verdict(seat: int, side: str, laid: int) -> Verdict:
    """Make the verdict on Re or Kontra in time, said with this many cards laid."""
    said = Said(event=15, seat=seat, call=side, side=side, together=False, moment=moment(10, laid))
    return Verdict(said=said, side=side, code=None, section="", level=1)


def moment(hand: int, laid: int, shift: int = 0) -> Moment:
    """Make the moment of a call after the game is found."""
    return Moment(hand=hand, laid=laid, shift=shift, early=False, ruled=None, queens=())


def breach(
    options: Options, *, offender: int, soloist: int | None, absagen: int = 0, ansagen: int = 0, harm: bool = False
) -> Breach:
    """Make the breach of a ruling."""
    return Breach(
        offender=offender,
        seats=SEATS,
        soloist=soloist,
        absagen=absagen,
        ansagen=ansagen,
        harms_soloist=harm,
        options=options,
    )


def tally(
    book: RuleBook,
    options: Options,
    re_points: int,
    *,
    levels: tuple[int, int] = (0, 0),
    game: str | None = None,
    soloist: int | None = None,
    tricks: Sequence[Trick] = (),
    taken: tuple[int, int] = (1, 1),
) -> Tally:
    """Make the count of a game's end in which seats 1 and 3, or the soloist alone, are Re."""
    found = Tally(
        seats=SEATS,
        re=frozenset({1, 3} if soloist is None else {soloist}),
        soloist=soloist,
        tricks=tuple(tricks),
        complete=True,
        points={RE: re_points, KONTRA: whole(book) - re_points},
        taken={RE: taken[0], KONTRA: taken[1]},
        level={RE: levels[0], KONTRA: levels[1]},
        options=options,
        game=game,
        bock=False,
        doubled=False,
    )
    return evolve(found, winner=book.winner(found))


def items(book: RuleBook, ended: Tally) -> tuple[Item, ...]:
    """List the reasons of the game's value."""
    return tuple(item for rule in book.scoring for item in rule(ended) if item.number)
