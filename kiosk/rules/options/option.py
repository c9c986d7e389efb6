"""Define options: a number of the book, or a decision that the book leaves open, set by the tournament's direction."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from itertools import pairwise
from types import MappingProxyType
from typing import TypeAlias

from kiosk.errors import shorten
from kiosk.rules.options.words import Filling, Words

Value: TypeAlias = bool | str | int

#: All options of a book with the values of a round.
Options: TypeAlias = Mapping[str, Value]


@dataclass(frozen=True, slots=True, kw_only=True)
class Option:
    """A number of a book, or a decision that it leaves to the direction (see docs/rules.md)."""

    name: str
    default: Value
    values: Sequence[Value]  # all it may be; numbers as a range
    section: str  # where the book has the number, or is silent or unclear
    chapter: str  # of ``known.CHAPTERS``
    unit: str  # of a number, a code of the catalogues; "" if it has none

    @property
    def type(self) -> str:
        """``yes_no`` (true or false), ``number`` (a whole one) or ``choice`` (one of a few words)."""
        if isinstance(self.default, bool):
            return "yes_no"
        return "number" if isinstance(self.default, int) else "choice"

    def takes(self, value: object) -> bool:
        """Report whether it may have that value; true is no number."""
        return type(value) is type(self.default) and value in self.values

    def choices(self) -> Words:
        """Return the allowed values as an error names them."""
        if isinstance(self.values, range) and len(self.values) > 1:
            low, high, step = self.values[0], self.values[-1], self.values.step
            if step > 1:
                return _refusal("whole_number_in_steps", first=low, last=high, step=step)
            return _refusal("whole_number", first=low, last=high)
        if len(self.values) == 1:
            return _refusal("only_value", value=repr(self.values[0]))
        return _refusal("one_of", values=", ".join(repr(one) for one in self.values))


def _refusal(code: str, **fill: Filling) -> Words:
    return Words("option_refusals", code, tuple(fill.items()))


class BadOption(ValueError):
    """An option that the book does not have, a value it cannot take, or two that contradict each other.

    Its text is for developers; what people and administrators read, ``describe.told`` finds.

    :param reason: what is wrong and the way out; options by their names in single quotes.
    :param options: those that it may name.
    """

    def __init__(self, reason: Words, options: Sequence[Option] = ()) -> None:
        super().__init__(str(reason))
        self.reason, self.options = reason, options


class UnknownOption(BadOption):
    """The book has no option of that name; ``books.settle`` adds which other book has it."""

    def __init__(self, book: str, known: Sequence[Option], name: str, others: Sequence[str] = ()) -> None:
        self.name = name
        names = [option.name for option in known]
        near = get_close_matches(name[:80], names, n=1)
        if others:
            hint = _refusal("belongs_to", books=", ".join(others))
        elif near:
            hint = _refusal("is_meant", name=repr(near[0]))
        else:
            hint = _refusal("there_are", names=", ".join(names))
        super().__init__(_refusal("unknown", name=shorten(name), book=book, hint=hint))


#: Name of the book, options → why their values contradict each other, with the way out; None if they do not.
Contradiction: TypeAlias = Callable[[str, Options], Words | None]


def _clash(options: Options, names: tuple[str, str], why: Words, section: str, ways: tuple[Words, Words]) -> Words:
    """Why the first cannot be what it is with the other, and what either may be instead."""
    one, other = names
    return _refusal(
        "clash",
        one=repr(one),
        its=str(options[one]),
        other=repr(other),
        others=str(options[other]),
        why=why,
        section=section,
        first=ways[0],
        second=ways[1],
    )


def _most(number: int) -> Words:
    return _refusal("at_most", n=number)


def _least(number: int) -> Words:
    return _refusal("at_least", n=number)


def descending(section: str, names: Sequence[str]) -> Contradiction:
    """Make the check that each step's cards in hand are at most those of the step before, for hands only shrink."""
    why = _refusal("step_ends_early")

    def reason(book: str, options: Options) -> Words | None:
        for before, after in pairwise(names):
            high, low = int(options[before]), int(options[after])
            if low > high:
                return _clash(options, (after, before), why, f"{book} {section}", (_most(high), _least(low)))
        return None

    return reason


def ascending(section: str, names: Sequence[str], why: str) -> Contradiction:
    """Make the check that each of these numbers is higher than the one before it; ``why``: a code of the catalogues."""

    def reason(book: str, options: Options) -> Words | None:
        for before, after in pairwise(names):
            low, high = int(options[before]), int(options[after])
            if high <= low:
                ways = _least(low + 1), _most(high - 1)
                return _clash(options, (after, before), _refusal(why), f"{book} {section}", ways)
        return None

    return reason


def rising(section: str, names: Sequence[str]) -> Contradiction:
    """Make the check that none of these numbers is lower than the one before it."""
    why = _refusal("late_pays_less")

    def reason(book: str, options: Options) -> Words | None:
        for before, after in pairwise(names):
            low, high = int(options[before]), int(options[after])
            if high < low:
                return _clash(options, (after, before), why, f"{book} {section}", (_least(low), _most(high)))
        return None

    return reason


def pflichtsoli_fit(section: str) -> Contradiction:
    """Make the check that the Pflichtsoli of all players fit into the games of a round (eppstein 7.5.1, ddv 8.6)."""

    def reason(book: str, options: Options) -> Words | None:
        each = int(options["pflichtsoli"])
        for players, name in ((4, "games"), (5, "games_5")):
            games, duties = int(options.get(name, 0)), players * each
            if name in options and duties > games:
                why = _refusal("duties_must_fit", players=players, duties=duties)
                ways = _least(duties), _most(games // players)
                return _clash(options, (name, "pflichtsoli"), why, f"{book} {section}", ways)
        return None

    return reason


def settle(
    book: str,
    options: Sequence[Option],
    contradictions: Sequence[Contradiction],
    given: object,
    cite: Callable[[str], str],
) -> Options:
    """Complete all options of ``book`` with the values of a round.

    :param cite: cites a section of the book.

    :raises BadOption: for a name the book does not have, a value the option cannot take, or a contradiction.
    """
    if not isinstance(given, Mapping):
        raise BadOption(_refusal("no_table", given=shorten(given)))
    known = {option.name: option for option in options}
    chosen: dict[str, Value] = {option.name: option.default for option in options}
    for name, value in given.items():
        option = known.get(name)
        if option is None:
            raise UnknownOption(book, options, str(name))
        if not option.takes(value):
            where = cite(option.section)
            wrong = _refusal(
                "bad_value", option=shorten(name), value=shorten(value), choices=option.choices(), section=where
            )
            raise BadOption(wrong, (option,))
        chosen[name] = value
    settled = MappingProxyType(chosen)
    for contradiction in contradictions if given else ():
        reason = contradiction(book, settled)
        if reason is not None:
            raise BadOption(reason, options)
    return settled
