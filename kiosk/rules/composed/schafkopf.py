"""Put a club's book of Schafkopf together: its games with their trumps and ranks, Laufende, Kontra, Bockrunden."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from types import MappingProxyType
from typing import Final

from kiosk.rules.books import schaffkopf, schafkopf_scoring
from kiosk.rules.books.schaffkopf_book import SCHAFFKOPF, alone, contract_32
from kiosk.rules.composed.file import BookFile, Key, Source, known, wrong
from kiosk.rules.composed.points import Choice, Point
from kiosk.rules.composed.quoting import quoting
from kiosk.rules.engine.announcements import CallRules, never_silent
from kiosk.rules.engine.book import Kind, RuleBook
from kiosk.rules.engine.cards import BAVARIAN_SUITS, Card
from kiosk.rules.engine.contract import Contract
from kiosk.rules.engine.exchange import with_trumps
from kiosk.rules.engine.ramsch import jungfrauen
from kiosk.rules.engine.scoring import ScoreRule, bockrunde, doublings, knocked
from kiosk.rules.options.known import option
from kiosk.rules.options.option import Option

BASE: Final = "schaffkopf"

#: Games that may be bid, the highest first, as they go where the club says nothing of it.
ORDER: Final = (
    *("sie", "solo-tout", "wenz-tout", "geier-tout", "farbwenz-tout"),
    *("solo", "farbwenz", "wenz", "geier", "bettel", "rufspiel"),
)

#: What is played if nobody wants to, where there is no Ramsch.
MUSS: Final = "muss"

#: What may be offered once nobody wants to play: who has one trump gives it to a partner.
HOCHZEIT: Final = "hochzeit"

_OBER = tuple(suit + "O" for suit in BAVARIAN_SUITS)
_UNTER = tuple(suit + "U" for suit in BAVARIAN_SUITS)

#: What is no class of games that is bid.
UNBID: Final = (HOCHZEIT, MUSS)

#: What a game, or something of it, may be worth: points, or a Wirtshaus' cents.
TARIFF: Final = range(1, 1001)

#: Options for the value of each game that no shipped book has, and of Laufende.
OWN: Final[Mapping[str, tuple[Option, ...]]] = {
    "geier": (option("value_geier", 3, TARIFF, ""),),
    "farbwenz": (option("value_farbwenz", 3, TARIFF, ""),),
    "bettel": (option("value_bettel", 3, TARIFF, ""),),
    "hochzeit": (option("value_hochzeit", 1, TARIFF, ""),),
    "ramsch": (
        option("value_ramsch", 1, TARIFF, ""),
        option("ramsch_equal", "tricks", ("tricks", "last_trick", "all"), ""),
        option("factor_jungfrau", 2, range(1, 10), ""),
        option("durchmarsch", True, (True, False), ""),
        option("value_durchmarsch", 3, TARIFF, ""),
    ),
    "laufende": (
        option("value_laufende", 1, TARIFF, ""),
        option("laufende_from", 3, range(1, 9), ""),
        option("laufende_from_wenz", 2, range(1, 5), ""),
    ),
}

#: The option that holds a game's value, of games that may be left out.
_VALUE = schafkopf_scoring.VALUE_OF


def _contract(game: str, trumps: tuple[Card, ...], plain_ranks: str, suit: str | None = None) -> Contract:
    return contract_32(game, trumps, plain_ranks, solo=True, suit=suit)


#: Contracts that no shipped book has: Ober alone; Unter and a suit; no trumps at all.
_CONTRACTS: Final[Mapping[str, Mapping[str | None, Contract]]] = {
    **{name: {None: _contract(name, _OBER, "ATKU987O")} for name in ("geier", "geier-tout")},
    **{
        name: {
            suit: _contract(name, (*_UNTER, *(suit + rank for rank in "ATKO987")), "ATKO987U", suit)
            for suit in BAVARIAN_SUITS
        }
        for name in ("farbwenz", "farbwenz-tout")
    },
    "bettel": {None: _contract("bettel", (), "ATKOU987")},
    HOCHZEIT: {None: replace(SCHAFFKOPF.normal, game=HOCHZEIT)},
}

_HOCHZEIT: Final = replace(alone(HOCHZEIT, (), ""), exchange=True, allowed=with_trumps(least=1, most=lambda options: 1))

_KONTRA = CallRules(
    words=("kontra", "re"),
    counted="table",
    left=schaffkopf.kontra_re_in_time(5),
    reply_left=None,
    silent=never_silent,
    bock_left=None,
    bock_by_first=False,
    absage_needs_call=False,
    leaving_out=False,
    repeated_raises=False,
    repeated_offends=frozenset(),
    sections=MappingProxyType(
        dict.fromkeys(
            (
                *("early", "late_call", "late_reply", "late_absage", "unfounded", "unfounded_reply"),
                *("skipped", "repeated", "wrong_side"),
            ),
            "",
        )
    ),
)

#: Trumps and order of a Ramsch, in which everybody plays for himself.
_RAMSCH: Final = replace(SCHAFFKOPF.normal, game="ramsch")

POINTS: Final[Mapping[str, Point]] = {
    "nobody_plays": Point(
        fields=("normal",),
        options=tuple(one.name for one in OWN["ramsch"]),
        choices={
            "muss": Choice(of=(BASE,)),
            "ramsch": Choice(fields={"normal": _RAMSCH}, options=OWN["ramsch"]),
        },
    ),
    "bidding": Point(
        fields=("bid_fault", "duty_refused"),
        sections=("least",),
        choices={
            "by_place": Choice(of=(BASE,)),
            "free": Choice(
                of=(BASE,),
                fields={
                    "bid_fault": quoting(partial(schaffkopf.bid_fault, demanded_by_place=()), SCHAFFKOPF),
                    "duty_refused": quoting(partial(schaffkopf.declaration_refused, demanded_by_place=()), SCHAFFKOPF),
                },
            ),
        },
    ),
    "leave": Point(
        fields=("needs_leave",),
        options=("lost_alleinspiele",),
        choices={"of_direction": Choice(of=(BASE,)), "none": Choice(fields={"needs_leave": None})},
    ),
    "calls": Point(
        fields=("calls", "calls_by"),
        options=("others_until", "factor_re_kontra"),
        choices={
            "none": Choice(of=(BASE,)),
            "kontra_re": Choice(
                fields={"calls": _KONTRA, "calls_by": schaffkopf.kontra_re_by},
                options=(
                    option("others_until", 5, range(1, 33), ""),
                    option("factor_re_kontra", 2, range(1, 10), ""),
                ),
            ),
        },
    ),
    "klopfen": Point(
        fields=(),
        options=("klopfen_most", "factor_klopfen"),
        choices={
            "none": Choice(of=(BASE,)),
            "before_the_asking": Choice(
                options=(
                    option("klopfen_most", 4, range(1, 5), ""),
                    option("factor_klopfen", 2, range(1, 10), ""),
                ),
            ),
        },
    ),
    "bock": Point(
        fields=("bock_games",),
        options=("bockrunde", "bock_even", "bock_lost_call", "bock_lost_solo", "bock_herz_solo", "factor_bockrunde"),
        choices={
            "none": Choice(of=(BASE,)),
            "rounds": Choice(
                fields={"bock_games": schaffkopf.bock_games_by_events},
                options=(
                    option("bockrunde", "four", ("four", "table", "none"), ""),
                    option("bock_even", False, (False, True), ""),
                    option("bock_lost_call", False, (False, True), ""),
                    option("bock_lost_solo", True, (True, False), ""),
                    option("bock_herz_solo", False, (False, True), ""),
                    option("factor_bockrunde", 2, range(1, 10), ""),
                ),
            ),
        },
    ),
}


def games_of(
    file: BookFile, base: RuleBook, source: Source, ramsch: bool
) -> tuple[tuple[Kind, ...], Mapping[tuple[str, str | None], Contract]]:
    """Make the games of a club, the highest first, and their contracts.

    :param ramsch: where nobody wants to play there is a Ramsch, no Muss-Spiel.
    :raises BadBook: there is no game of that name, one twice, or the order is not of these games.
    """
    own = {kind.game: kind for kind in base.kinds}
    names = _in_order(file, [kind.game for kind in base.kinds if kind.game != MUSS or not ramsch], source, ramsch)
    kinds: list[Kind] = []
    contracts: dict[tuple[str, str | None], Contract] = {}
    for rank, name in enumerate(names, start=1):
        suits = tuple(suit for suit in _CONTRACTS.get(name, {}) if suit is not None)
        kind = own[name] if name in own else _HOCHZEIT if name == HOCHZEIT else alone(name, suits, "")
        kinds.append(replace(kind, rank=rank))
        contracts |= {(name, suit): one for suit, one in _CONTRACTS.get(name, {}).items()}
        contracts |= {key: one for key, one in base.contracts.items() if key[0] == name}
    return tuple(kinds), contracts


def _in_order(file: BookFile, usual: Sequence[str], source: Source, ramsch: bool) -> list[str]:
    """The names of the games, the highest first, a Muss-Spiel last."""
    key: Key = ("games", "played")
    played = list(file.games.played or usual)
    for name in played:
        if name == "ramsch":
            raise source.bad(key, wrong("ramsch_is_a_rule", choice='nobody_plays = "ramsch"'), given=name)
        if name not in (*ORDER, HOCHZEIT, MUSS):
            raise source.bad(key, known(name, (*ORDER, HOCHZEIT, MUSS), "no_such_game"), given=name)
        if played.count(name) > 1:
            raise source.bad(key, wrong("twice"), given=name)
    if ramsch and MUSS in played:
        raise source.bad(key, wrong("muss_beside_ramsch"), given=MUSS, with_key=("rules", "nobody_plays"))
    last = [name for name in (HOCHZEIT, MUSS) if name in played]
    for name in (*([] if ramsch else [MUSS]), "rufspiel", "solo"):
        if name not in played:
            raise source.bad(key, wrong("always_played", name=name))
    if file.games.order is None:
        return [*(name for name in ORDER if name in played), *last]
    order = [name for group in file.games.order for name in group if name not in last]
    bid = [name for name in played if name not in last]
    if sorted(order) != sorted(bid) or any(len(group) > 1 for group in file.games.order):
        why = wrong("order_of_bids", always=", ".join((HOCHZEIT, MUSS)))
        raise source.bad(("games", "order"), why, with_key=key)
    return [*order, *last]


def values_of(names: Sequence[str], base: RuleBook, laufende: bool) -> tuple[frozenset[str], tuple[Option, ...]]:
    """Return the options of values that no game of these names has, and those that the base does not have."""
    needed = {_VALUE[name] for name in names}
    gone = frozenset(_VALUE.values()) - needed - {_VALUE["ramsch"]}
    new = [one for name, found in OWN.items() if name in names or (name == "laufende" and laufende) for one in found]
    return gone, tuple(new)


def rules_of(
    base: RuleBook, *, laufende: bool, kontra: bool, rounds: bool, ramsch: bool, knocks: bool
) -> tuple[ScoreRule, ...]:
    """Make the score rules."""
    rules = [*base.scoring]
    rules += [jungfrauen] if ramsch else []
    rules += [schafkopf_scoring.laufende] if laufende else []
    rules += [doublings] if kontra else []
    rules += [knocked] if knocks else []
    rules += [bockrunde] if rounds else []
    return tuple(rules)
