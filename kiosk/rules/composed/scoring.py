"""Put together for what a game of Doppelkopf counts, of the reasons that the engine has."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from kiosk.rules.books import BOOKS
from kiosk.rules.books.doppelkopf import decided_only
from kiosk.rules.books.durchgaenge import against
from kiosk.rules.composed.points import shipped
from kiosk.rules.engine.book import RuleBook
from kiosk.rules.engine.contract import Contract
from kiosk.rules.engine.scoring import (
    ScoreRule,
    absagen,
    added_calls,
    against_absage,
    against_queens,
    bock_doublings,
    bockrunde,
    doppelkopf,
    doubled_too,
    doublings,
    fuchs,
    herzstich,
    karlchen_caught,
    last_trick,
    losers_ignored,
    second_dulle,
    special_against_queens,
    under,
    won,
)
from kiosk.rules.options.known import option
from kiosk.rules.options.option import Option

#: Special points by name: what makes each of a normal game's contract, the options that it reads, and its card.
SPECIAL: Mapping[str, tuple[Callable[[Contract], ScoreRule], tuple[str, ...], str]] = {
    "doppelkopf": (lambda normal: doppelkopf, ("doppelkopf_augen", "value_doppelkopf"), ""),
    "fuchs": (lambda normal: fuchs, ("value_fuchs",), "DA"),
    "karlchen": (lambda normal: last_trick("CJ", "karlchen"), ("value_karlchen",), "CJ"),
    "karlchen_caught": (lambda normal: karlchen_caught, ("value_karlchen_caught", "karlchen_caught_by"), "CJ"),
    "fuchs_last": (lambda normal: last_trick("DA", "fuchs_last"), ("value_fuchs_last",), "DA"),
    "dulle": (lambda normal: second_dulle, ("value_dulle", "second_dulle"), "HT"),
    "herzstich": (lambda normal: herzstich(normal.members.get("H", frozenset())), ("value_herzstich",), ""),
}

#: What Re and Kontra do with a game's value, and the options for it.
CALLS: Mapping[str, tuple[str, ...]] = {"doubled": ("factor_re_kontra",), "added": ("value_re_kontra",)}

#: How "gegen die Kreuz Damen" counts.
QUEENS: Mapping[str, tuple[ScoreRule | None, tuple[str, ...]]] = {
    "value": (against_queens, ("value_against_queens", "against_queens_in_solo")),
    "special": (special_against_queens, ("value_against_queens",)),
    "special_in_solos_too": (against, ("value_against_queens", "against_queens_in_solo")),
    "never": (None, ()),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Counts:
    """For what a game counts, all decided."""

    calls: str
    queens: str
    reached: bool
    special: tuple[str, ...]
    special_doubled: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Beside:
    """What else of a book its score rules go by."""

    bock: bool  # Bock may be said
    rounds: bool  # there are Bockrunden
    undecided: bool  # an option says whether a game that nobody has won counts
    plus: bool  # losers are written nothing, and what becomes of their special points is decided with that


def rules_of(counts: Counts, normal: Contract, beside: Beside) -> tuple[ScoreRule, ...]:
    """Make the score rules."""

    def special(rule: ScoreRule) -> ScoreRule:
        if counts.special_doubled:
            return doubled_too(losers_ignored(rule))
        return rule if beside.plus else losers_ignored(rule)

    queens = QUEENS[counts.queens][0]
    rules: list[ScoreRule] = [won]
    if queens is against_queens:
        rules.append(queens)
    rules += [under, *([added_calls] if counts.calls == "added" else []), absagen]
    rules += [against_absage] if counts.reached else []
    if counts.calls == "doubled":
        rules.append(bock_doublings if beside.bock else doublings)
    if queens is not None and queens is not against_queens:
        rules.append(doubled_too(queens) if counts.special_doubled else queens)
    rules += [special(SPECIAL[name][0](normal)) for name in counts.special]
    rules += [bockrunde] if beside.rounds else []
    return tuple(decided_only(rule) for rule in rules) if beside.undecided else tuple(rules)


#: Options of reasons that no shipped book has.
OWN = (
    option("value_karlchen_caught", 1, range(100), ""),
    option("karlchen_caught_by", "any", ("any", "DQ"), ""),
    option("value_herzstich", 1, range(100), ""),
)
_LOSERS = option("losers_special_points", "set_off", ("set_off", "ignored"), "")


def _books() -> list[str]:
    """The names of the shipped books of Doppelkopf."""
    return [name for name in BOOKS.shipped if not BOOKS[name].classes]


def options_for(counts: Counts, base: RuleBook, beside: Beside) -> tuple[Option, ...]:
    """List the options that these rules read: the base's own, else another book's."""
    names = [*CALLS[counts.calls], *QUEENS[counts.queens][1], *(["value_reached"] if counts.reached else [])]
    names += [name for special in counts.special for name in SPECIAL[special][1]]
    names += ["factor_bock"] if beside.bock and counts.calls == "doubled" else []
    known = {one.name: one for book in map(shipped, reversed(_books())) for one in book.options}
    known |= {one.name: one for one in OWN} | {one.name: one for one in base.options}
    each_side = beside.plus and not counts.special_doubled
    own = next((one for one in base.options if one.name == _LOSERS.name), _LOSERS)
    if ("each_side" in own.values) != each_side:
        own = shipped("eppstein").option(own.name) if each_side else _LOSERS
    return (*(known[name] for name in names), own)


def read_by_any() -> frozenset[str]:
    """Return all options that one way of counting reads and another does not."""
    names = {name for _, found, _ in SPECIAL.values() for name in found}
    names |= {name for found in CALLS.values() for name in found} | {
        name for _, found in QUEENS.values() for name in found
    }
    return frozenset(names | {"value_reached", "factor_bock"})


def missing_cards(names: Sequence[str], normal: Contract) -> list[str]:
    """List the special points among ``names`` whose card is no trump of a normal game."""
    return [name for name in names if SPECIAL[name][2] and SPECIAL[name][2] not in normal.trumps]
