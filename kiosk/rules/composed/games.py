"""Put together which games of Doppelkopf may be named, with which trumps and whose Vorbehalt goes first."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final

from kiosk.rules.books.doppelkopf import any_cards
from kiosk.rules.composed.file import BookFile, Key, Source, known, wrong
from kiosk.rules.composed.points import shipped
from kiosk.rules.engine.book import Kind, RuleBook
from kiosk.rules.engine.cards import FRENCH_SUITS, Card
from kiosk.rules.engine.contract import Contract, contract
from kiosk.rules.engine.exchange import with_trumps
from kiosk.rules.options.known import option
from kiosk.rules.options.option import Option

#: Solos with their trumps in the notation of a club's file; None: those of a normal game.
SOLOS: Final[Mapping[str, tuple[str, ...] | None]] = {
    "trumpfsolo": None,
    "farbsolo": ("HT", "Q", "J", "suit"),
    "damensolo": ("Q",),
    "bubensolo": ("J",),
    "koenigssolo": ("K",),
    "neunersolo": ("9",),
    "koehlersolo": ("K", "Q", "J"),
    "damenbubensolo": ("Q", "J"),
    "fleischlos": (),
}

#: What else may be named, with the book that has it and the options it reads.
OTHERS: Final[Mapping[str, tuple[str, tuple[str, ...]]]] = {
    "schmeissen": ("eppstein", ("schmeissen_nines", "schmeissen_trumps")),
    "trumpfschwach": ("bsv", ("trumpfschwach_trumps",)),
    "hochzeit": ("bsv", ()),
}

#: What no shipped book has: the game with its options.
OWN: Final[Mapping[str, tuple[Kind, tuple[Option, ...]]]] = {
    "armut": (
        Kind(
            game="armut",
            solo=False,
            suits=(),
            cards=(),
            conditions=(),
            ends_deal=False,
            played=True,
            raises=(),
            rank=1,
            allowed=with_trumps(least=0, most=lambda options: int(options["armut_trumps"])),
            section="",
            exchange=True,
            told_back=(0, 1, 2, 3),
            untaken_ends=True,
        ),
        (option("armut_trumps", 3, range(1, 4), ""),),
    ),
}

#: In which order they go where neither club nor base says it.
_GROUPS = (tuple(SOLOS), ("schmeissen", "trumpfschwach"), ("armut",), ("hochzeit",))


def played(file: BookFile, base: RuleBook) -> tuple[str, ...]:
    """List the games that may be named."""
    return file.games.played or tuple(kind.game for kind in base.kinds)


def kinds_of(file: BookFile, base: RuleBook, hochzeit: Kind | None, source: Source) -> tuple[Kind, ...]:
    """Make the games that may be named.

    :param hochzeit: as the club has it; None: as the base has.
    :raises BadBook: there is no game of that name, one twice, or the order is not of these games.
    """
    own = {kind.game: kind for kind in base.kinds}
    names = played(file, base)
    key: Key = ("games", "played")
    there = [*SOLOS, *OTHERS, *OWN]
    for name in names:
        if name not in there and name not in own:
            raise source.bad(key, known(name, there, "no_such_game"), given=name)
        if names.count(name) > 1:
            raise source.bad(key, wrong("twice"), given=name)
    if "neunersolo" in names and not any(card[1] == "9" for card in base.deck):
        raise source.bad(key, wrong("without_nines", base=file.base), given="neunersolo", with_key=("base",))
    ranks = _ranks(file, base, names, source)
    return tuple(replace(_kind(name, own, hochzeit), rank=ranks[name]) for name in names)


def _kind(name: str, own: Mapping[str, Kind], hochzeit: Kind | None) -> Kind:
    if name == "hochzeit" and hochzeit is not None:
        return hochzeit
    if name in own:
        return own[name]
    if name in OWN:
        return OWN[name][0]
    if name in OTHERS:
        of = shipped(OTHERS[name][0])
        return next(kind for kind in of.kinds if kind.game == name)
    return Kind(
        game=name,
        solo=True,
        suits=tuple(FRENCH_SUITS) if name == "farbsolo" else (),
        cards=(),
        conditions=(),
        ends_deal=False,
        played=True,
        raises=next((kind.raises for kind in own.values() if kind.solo), ()),
        rank=1,
        allowed=any_cards,
        section="",
    )


def _ranks(file: BookFile, base: RuleBook, names: Sequence[str], source: Source) -> Mapping[str, int]:
    """Each game's rank, the lowest goes first."""
    order = file.games.order
    if order is not None:
        named = [name for group in order for name in group]
        for name in named:
            if name not in names or named.count(name) > 1:
                raise source.bad(("games", "order"), wrong("order_of_others"), given=name, with_key=("games", "played"))
        left = [name for name in names if name not in named]
        if left:
            raise source.bad(
                ("games", "order"), wrong("order_lacks", names=", ".join(left)), with_key=("games", "played")
            )
        return {name: rank for rank, group in enumerate(order, start=1) for name in group}
    own = {kind.game: kind.rank for kind in base.kinds}
    if all(name in own for name in names):
        return own
    first = next(rank for game, rank in own.items() if game in SOLOS)  # that of all solos
    return {name: own[name] if name in SOLOS and name in own else first + 20 * _group(name) for name in names}


def _group(name: str) -> int:
    return next(number for number, group in enumerate(_GROUPS) if name in group)


def contracts_of(
    file: BookFile, base: RuleBook, names: Sequence[str], source: Source
) -> tuple[Contract, Mapping[tuple[str, str | None], Contract]]:
    """Make the normal game's contract and all others, by game and suit.

    :raises BadBook: trumps are of a game that is not played, or none of this deck's cards.
    """
    for name in file.trumps:
        if name != "normal" and (name not in names or name not in SOLOS):
            there = ", ".join(("normal", *(one for one in names if one in SOLOS)))
            why = wrong("no_such_solo", names=there)
            raise source.bad(("trumps", name), why, with_key=("games", "played"))

    def made(name: str, told: Sequence[str], suit: str | None, like: Contract) -> Contract:
        trumps = _trumps(base, told, suit, ("trumps", name), source)
        solo = name not in ("normal", "hochzeit", "armut")
        return contract(
            game=name,
            suit=suit,
            solo=solo,
            re_card=like.re_card if name == "normal" else None,
            trumps=trumps,
            plain_ranks=like.plain_ranks,
            deck=base.deck,
        )

    normal = base.normal
    if "normal" in file.trumps:
        normal = made("normal", file.trumps["normal"], None, base.normal)
    found: dict[tuple[str, str | None], Contract] = {}
    for name in names:
        if name in ("schmeissen", "trumpfschwach"):
            continue
        suits: tuple[str | None, ...] = tuple(FRENCH_SUITS) if name == "farbsolo" else (None,)
        for suit in suits:
            told = file.trumps.get(name)
            kept = base.contracts.get((name, suit))
            if (
                told is None
                and kept is not None
                and not (name in ("hochzeit", "trumpfsolo") and normal is not base.normal)
            ):
                found[name, suit] = kept
                continue
            told = told if told is not None else SOLOS.get(name)
            found[name, suit] = made(name, normal.trumps if told is None else told, suit, base.normal)
    return normal, found


def _trumps(base: RuleBook, told: Sequence[str], suit: str | None, key: Key, source: Source) -> tuple[Card, ...]:
    """The trumps, strongest first, of cards (``HT``), ranks (``Q``), suits (``D``) and ``suit``, the one named."""
    cards = list(dict.fromkeys(base.deck))
    ranks = base.normal.plain_ranks
    found: dict[Card, None] = {}
    for one in told:
        if one == "suit" and suit is not None:
            more = [suit + rank for rank in ranks]
        elif one in cards:
            more = [one]
        elif len(one) == 1 and one in ranks:
            more = [letter + one for letter in FRENCH_SUITS]
        elif len(one) == 1 and one in FRENCH_SUITS:
            more = [one + rank for rank in ranks]
        else:
            code = "no_card" if suit is None else "no_card_of_suit"
            why = wrong(code, ranks=" ".join(ranks), suits=" ".join(FRENCH_SUITS))
            raise source.bad(key, why, given=one)
        found.update(dict.fromkeys(card for card in more if card in cards))
    return tuple(found)
