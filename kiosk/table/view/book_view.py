"""Summarise a rule book for screens, as plain values."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from kiosk.rules.books import BOOKS, DEFAULT
from kiosk.rules.engine.announcements import HYPERSCHWEINCHEN, SCHWEINCHEN
from kiosk.rules.engine.book import RuleBook
from kiosk.rules.engine.cards import Card
from kiosk.rules.engine.schweinchen import UNTIL
from kiosk.table.view.forms import forms

#: Sections that a screen cites, by what they are about: why a deal is void, and how to object.
_CITED = ("void_count", "void_shown", "void_dealer", "void_other", "claim")

#: The book by which a table plays where nobody has said by which.
USUAL = DEFAULT

#: Options whose values are shown as numbers of their own, not as deviations from the book.
_FRAME = ("games", "games_5", "minutes", "minutes_5", "rounds")


@dataclass(frozen=True, slots=True, kw_only=True)
class KindView:
    """A kind of game that can be named."""

    game: str
    solo: bool
    variants: bool  # it is named with a suit, with a called card or with who takes its trumps
    exchange: bool  # cards change hands
    rank: int  # among Vorbehalte, lower goes first
    section: str  # as cited


@dataclass(frozen=True, slots=True, kw_only=True)
class BookView:
    """A rule book, as far as screens differ by it."""

    name: str
    title: str
    deck: tuple[Card, ...]
    bavarian: bool  # its cards are
    tables: tuple[int, ...]  # numbers of players that may sit at a table
    calls: tuple[str, ...]  # words of its announcements, () if there are none
    counted: str  # whose cards limit them: "hand" or "table"
    owes_calls: bool  # a seat may be obliged to announce
    needs_leave: bool  # some games need the direction's leave
    wanting: frozenset[str]  # answers with which a seat wants to declare
    classes: tuple[str, ...]  # what is bid, lowest first; () if there is no bidding
    kinds: Mapping[str, KindView]  # by game
    alternatives: Mapping[str, tuple[Mapping[str, Any], ...]]  # event → all that can be said by it, as its keys
    shortens: bool  # a game may be shortened
    rulings: Mapping[str, str]  # classes of breaches → section as cited
    pays: bool  # rulings may cost euros
    sections: Mapping[str, str]  # as cited, "" where the book has none: void_count …, claim
    sentences: Mapping[str, str]  # what its sections say as other books do (``RuleBook.sentences``)
    own_words: Mapping[str, str]  # by section as cited, the rule in a club's own words


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundFrame:
    """The frame of a round by the options that the direction has set."""

    games: int | None  # None: open
    minutes: float | None  # None: without a playing time
    deviations: int  # other options that differ from the book


def said_in(book: RuleBook) -> tuple[str, ...]:
    """List the words that may be said while a game of the book is played, by whatever options."""
    raising = (SCHWEINCHEN, HYPERSCHWEINCHEN) if any(one.name == UNTIL for one in book.options) else ()
    return (*book.calls.words, *raising)


@cache
def book_view(rules: str) -> BookView:
    """Summarise a book for the screens.

    :raises KeyError: there is no such book.
    """
    book = BOOKS[rules]
    return BookView(
        name=book.name,
        title=book.title,
        deck=book.deck,
        bavarian="EO" in book.deck,
        tables=book.tables,
        calls=said_in(book),
        counted=book.calls.counted,
        owes_calls=book.must_announce is not None,
        needs_leave=book.needs_leave is not None,
        wanting=book.wanting,
        classes=book.classes,
        kinds={
            kind.game: KindView(
                game=kind.game,
                solo=kind.solo,
                variants=bool(kind.suits or kind.cards or kind.exchange),
                exchange=kind.exchange,
                rank=kind.rank,
                section=book.cite(kind.section),
            )
            for kind in book.kinds
        },
        alternatives={
            "call": tuple({"call": answer} for answer in book.answers),
            "bid": tuple({"class": name} for name in (*book.classes, None)) if book.classes else (),
            "declare": tuple(form for kind in book.kinds for form in forms(kind, duty=False)),
            "leave": ({"granted": True}, {"granted": False}),
            "announce": tuple({"call": word} for word in said_in(book)),
            "claim": ({"kind": "rest"}, {"kind": "concede"}),
        },
        shortens=bool(book.sections["shorten"]),
        rulings={name: book.cite(section) for name, section in book.rulings.items()},
        pays=bool(book.payments),
        sections={name: book.cite(book.sections.get(name, "")) for name in _CITED},
        sentences=book.sentences,
        own_words=book.own.sentences if book.own else {},
    )


def round_frame(rules: str, options: Mapping[str, object], players: int) -> RoundFrame:
    """Work out the frame of a round for a number of players at the table."""
    book = BOOKS[rules]
    settled, default = book.settle(options), book.settle({})
    return RoundFrame(
        games=book.games(players, settled),
        minutes=book.minutes(players, settled),
        deviations=sum(settled[name] != default[name] for name in settled if name not in _FRAME),
    )
