"""What a tournament's direction may set: a number of the book, or a decision that the book leaves open."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from itertools import pairwise
from types import MappingProxyType
from typing import Final, TypeAlias

Value: TypeAlias = bool | str | int

#: All options of a book with the values of a round.
Options: TypeAlias = Mapping[str, Value]

#: Words for people, German and English.
Text: TypeAlias = tuple[str, str]

LANGUAGES: Final = ("de", "en")

#: Chapters in which options are shown, in this order.
CHAPTERS: Final[Mapping[str, Text]] = MappingProxyType(
    {
        "round": ("Rahmen der Runde", "Frame of the round"),
        "finding": ("Spielfindung", "Finding the game"),
        "play": ("Spielverlauf", "Play"),
        "calls": ("An- und Absagen", "Announcements"),
        "scoring": ("Wertung", "Scoring"),
        "offences": ("Regelverstöße", "Offences"),
        "money": ("Kasse", "Money"),
    }
)

_YES: Final[Text] = ("ja", "yes")
_NO: Final[Text] = ("nein", "no")


class BadOption(ValueError):
    """An option that the book does not have, a value it cannot take, or two that contradict each other."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Meaning:
    """What an option means, the same in every book that has it."""

    chapter: str  # of CHAPTERS
    told: Text  # a sentence
    unit: Text  # of a number, ("", "") if it has none
    one: Text  # of the number 1
    unit_first: bool  # Platz 4, mal 2
    words: Mapping[Value, Text]  # of values that do not speak for themselves


@dataclass(frozen=True, slots=True, kw_only=True)
class Option:
    """A number of a book, or a decision that it leaves to the direction (a D of RULES.md)."""

    name: str
    default: Value
    values: Sequence[Value]  # all it may be; numbers as a range
    section: str  # where the book has the number, or is silent or unclear
    about: Meaning

    @property
    def meaning(self) -> str:
        """What it means, an English sentence; see :meth:`told`."""
        return self.about.told[1]

    @property
    def chapter(self) -> str:
        """The chapter of :data:`CHAPTERS` it belongs to."""
        return self.about.chapter

    @property
    def type(self) -> str:
        """``yes_no`` (true or false), ``number`` (a whole one) or ``choice`` (one of a few words)."""
        if isinstance(self.default, bool):
            return "yes_no"
        return "number" if isinstance(self.default, int) else "choice"

    def told(self, language: str = "de") -> str:
        """What it means, a sentence."""
        return self.about.told[LANGUAGES.index(language)]

    def value_told(self, value: Value, language: str = "de") -> str:
        """A value in words: ``11 Karten``, ``ja``, ``der nächste Geber``."""
        number = LANGUAGES.index(language)
        if value in self.about.words:
            return self.about.words[value][number]
        if isinstance(value, bool):
            return (_YES if value else _NO)[number]
        unit = (self.about.one if value == 1 else self.about.unit)[number]
        if not unit or not isinstance(value, int):
            return str(value)
        return f"{unit} {value}" if self.about.unit_first else f"{value} {unit}"

    def allowed_told(self, language: str = "de") -> str:
        """The values it may take, in words: ``1 bis 200``, ``0 bis 99 in Dreierschritten``, ``ja / nein``."""
        number = LANGUAGES.index(language)
        if isinstance(self.values, range) and len(self.values) > 1:
            text = f"{self.values[0]} {('bis', 'to')[number]} {self.values[-1]}"
            if self.values.step > 1:
                text += (f" in Schritten von {self.values.step}", f" in steps of {self.values.step}")[number]
            named = [one for one in self.about.words if one in self.values]
            return text + "".join(f"; {one}: {self.value_told(one, language)}" for one in named)
        return " / ".join(self.value_told(one, language) for one in self.values)

    def takes(self, value: object) -> bool:
        """Whether it may have that value; true is no number."""
        return type(value) is type(self.default) and value in self.values

    def choices(self) -> str:
        """The values it may take, as an error names them."""
        if isinstance(self.values, range) and len(self.values) > 1:
            steps = f" in steps of {self.values.step}" if self.values.step > 1 else ""
            return f"a whole number from {self.values[0]} to {self.values[-1]}{steps}"
        if len(self.values) == 1:
            return f"{self.values[0]!r}, the only value it has"
        return "one of " + ", ".join(repr(one) for one in self.values)


#: Why the values of several options contradict each other, with the way out; "" if they do not.
Contradiction: TypeAlias = Callable[[Options], str]


def descending(section: str, names: Sequence[str]) -> Contradiction:
    """Cards in hand for steps, lowest step first: each is at most the one before, for one can only hold fewer later."""

    def reason(options: Options) -> str:
        for before, after in pairwise(names):
            high, low = int(options[before]), int(options[after])
            if low > high:
                return (
                    f"option {after!r} cannot be {low} with {before!r} at {high}: the time for a step would "
                    f"end before that of the step below it ({section}); choose at most {high} for {after!r}, or at "
                    f"least {low} for {before!r}"
                )
        return ""

    return reason


def ascending(section: str, names: Sequence[str], why: str) -> Contradiction:
    """Each of these numbers must be higher than the one before it."""

    def reason(options: Options) -> str:
        for before, after in pairwise(names):
            low, high = int(options[before]), int(options[after])
            if high <= low:
                return (
                    f"option {after!r} cannot be {high} with {before!r} at {low}: {why} ({section}); choose at least "
                    f"{low + 1} for {after!r}, or at most {high - 1} for {before!r}"
                )
        return ""

    return reason


def rising(section: str, names: Sequence[str]) -> Contradiction:
    """None of these numbers is lower than the one before it."""

    def reason(options: Options) -> str:
        for before, after in pairwise(names):
            low, high = int(options[before]), int(options[after])
            if high < low:
                return (
                    f"option {after!r} cannot be {high} with {before!r} at {low}: who comes later would pay less "
                    f"({section}); choose at least {low} for {after!r}, or at most {high} for {before!r}"
                )
        return ""

    return reason


def pflichtsoli_fit(options: Options) -> str:
    """The Pflichtsoli of all players must fit into the games of a round (eppstein 7.4.1, 7.5.1)."""
    each = int(options["pflichtsoli"])
    for players, name in ((4, "games"), (5, "games_5")):
        games = int(options[name])
        if players * each > games:
            return (
                f"option {name!r} cannot be {games} with 'pflichtsoli' at {each}: {players} players must play "
                f"{players * each} Pflichtsoli in it (eppstein 7.5.1); choose at least {players * each} for {name!r}, "
                f"or at most {games // players} for 'pflichtsoli'"
            )
    return ""


def settle(book: str, options: Sequence[Option], contradictions: Sequence[Contradiction], given: object) -> Options:
    """All options of ``book`` with the values of a round.

    :raises BadOption: for a name the book does not have, a value the option cannot take, or a contradiction.
    """
    if not isinstance(given, Mapping):
        raise BadOption(f"options must be a table of names and values, not {given!r}")
    known = {option.name: option for option in options}
    chosen: dict[str, Value] = {option.name: option.default for option in options}
    for name, value in given.items():
        option = known.get(name)
        if option is None:
            raise BadOption(_unknown(book, known, str(name)))
        if not option.takes(value):
            raise BadOption(
                f"option {name!r} cannot be {value!r}; choose {option.choices()} ({book} {option.section}: "
                f"{option.meaning})"
            )
        chosen[name] = value
    settled = MappingProxyType(chosen)
    for contradiction in contradictions if given else ():
        reason = contradiction(settled)
        if reason:
            raise BadOption(reason)
    return settled


def _unknown(book: str, known: Mapping[str, Option], name: str) -> str:
    """What is said about an option that the book does not have."""
    from kiosk.rules.books import BOOKS  # the books import this module

    others = [other.name for other in BOOKS.values() if any(option.name == name for option in other.options)]
    near = get_close_matches(name, known, n=1)
    if others:
        text = f"unknown option {name!r} of {book}; it belongs to {', '.join(others)}"
    elif near:
        text = f"unknown option {name!r} of {book}; did you mean {near[0]!r}?"
    else:
        text = f"unknown option {name!r} of {book}; it has {', '.join(known)}"
    return f"{text} (stichwart rules {book} explains all it has)"
