"""Define options: a number of the book, or a decision that the book leaves open, set by the tournament's direction."""

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


def number_of(language: str) -> int:
    """Return which of the two texts is said in a language; those that a club has added have none here."""
    return LANGUAGES.index(language) if language in LANGUAGES else 0


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


@dataclass(frozen=True, slots=True, kw_only=True)
class Meaning:
    """The meaning of an option, the same in every book that has it."""

    chapter: str  # of CHAPTERS
    told: Text  # a sentence
    unit: Text  # of a number, ("", "") if it has none
    one: Text  # of the number 1
    unit_first: bool  # Platz 4, mal 2
    words: Mapping[Value, Text]  # of values that do not speak for themselves


@dataclass(frozen=True, slots=True, kw_only=True)
class Option:
    """A number of a book, or a decision that it leaves to the direction (see docs/rules.md)."""

    name: str
    default: Value
    values: Sequence[Value]  # all it may be; numbers as a range
    section: str  # where the book has the number, or is silent or unclear
    about: Meaning

    @property
    def meaning(self) -> str:
        """Its meaning, an English sentence; see :meth:`told`."""
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
        """Format its meaning as a sentence."""
        return self.about.told[number_of(language)]

    def value_told(self, value: Value, language: str = "de") -> str:
        """Format a value in words: ``11 Karten``, ``ja``, ``der nächste Geber``."""
        number = number_of(language)
        if value in self.about.words:
            return self.about.words[value][number]
        if isinstance(value, bool):
            return (_YES if value else _NO)[number]
        unit = (self.about.one if value == 1 else self.about.unit)[number]
        if not unit or not isinstance(value, int):
            return str(value)
        return f"{unit} {value}" if self.about.unit_first else f"{value} {unit}"

    def allowed_told(self, language: str = "de") -> str:
        """Format the allowed values in words: ``1 bis 200``, ``0 bis 99 in Dreierschritten``, ``ja / nein``."""
        number = number_of(language)
        if isinstance(self.values, range) and len(self.values) > 1:
            text = f"{self.values[0]} {('bis', 'to')[number]} {self.values[-1]}"
            if self.values.step > 1:
                text += (f" in Schritten von {self.values.step}", f" in steps of {self.values.step}")[number]
            named = [one for one in self.about.words if one in self.values]
            return text + "".join(f"; {one}: {self.value_told(one, language)}" for one in named)
        return " / ".join(self.value_told(one, language) for one in self.values)

    def takes(self, value: object) -> bool:
        """Report whether it may have that value; true is no number."""
        return type(value) is type(self.default) and value in self.values

    def choices(self, language: str = "en") -> str:
        """Format the allowed values as an error names them."""
        number = number_of(language)
        if isinstance(self.values, range) and len(self.values) > 1:
            low, high, steps = self.values[0], self.values[-1], self.values.step
            by = (f" in Schritten von {steps}", f" in steps of {steps}")[number] if steps > 1 else ""
            return (f"eine ganze Zahl von {low} bis {high}", f"a whole number from {low} to {high}")[number] + by
        if len(self.values) == 1:
            return f"{self.values[0]!r}, " + ("den einzigen Wert", "the only value it has")[number]
        return ("eines von ", "one of ")[number] + ", ".join(repr(one) for one in self.values)


class BadOption(ValueError):
    """An option that the book does not have, a value it cannot take, or two that contradict each other.

    Its text is for administrators: English, options by name. ``told`` is for the people of a club.

    :param reason: what is wrong and the way out; options by their names in single quotes.
    """

    def __init__(self, reason: Text, options: Sequence[Option] = ()) -> None:
        super().__init__(reason[1])
        self._reason, self._options = reason, options

    def told(self, language: str = "de") -> str:
        """Format what is wrong and the way out, options by their meanings."""
        number = number_of(language)
        text = self._reason[number]
        for option in self._options:
            meaning = option.told(language).rstrip(".")
            text = text.replace(repr(option.name), (f"„{meaning}“", f"“{meaning}”")[number])
        return text


class UnknownOption(BadOption):
    """The book has no option of that name; ``books.settle`` adds which other book has it."""

    def __init__(self, book: str, known: Sequence[Option], name: str, others: Sequence[str] = ()) -> None:
        self.name = name
        names = [option.name for option in known]
        near = get_close_matches(name, names, n=1)
        if others:
            it = f"sie gehört zu {', '.join(others)}", f"it belongs to {', '.join(others)}"
        elif near:
            it = f"ist {near[0]!r} gemeint?", f"did you mean {near[0]!r}?"
        else:
            it = f"es gibt {', '.join(names)}", f"it has {', '.join(names)}"
        super().__init__(
            (
                f"Eine Option {name!r} hat {book} nicht; {it[0]} (stichwart rules {book} erklärt alle)",
                f"unknown option {name!r} of {book}; {it[1]} (stichwart rules {book} explains all it has)",
            )
        )


#: Why the values of several options contradict each other, with the way out; None if they do not.
Contradiction: TypeAlias = Callable[[Options], Text | None]

#: A value of an option that goes with another option's.
_Bound: TypeAlias = tuple[Text, int]

_MOST: Final[Text] = ("höchstens", "at most")
_LEAST: Final[Text] = ("mindestens", "at least")


def _clash(options: Options, one: str, other: str, why: Text, section: str, ways: tuple[_Bound, _Bound]) -> Text:
    """Why ``one`` cannot be what it is with ``other``, and what either may be instead."""
    (first, much), (second, many) = ways
    return (
        f"{one!r} kann nicht {options[one]} sein, wenn {other!r} {options[other]} ist: {why[0]} ({section}); "
        f"möglich: {first[0]} {much} für {one!r}, oder {second[0]} {many} für {other!r}",
        f"option {one!r} cannot be {options[one]} with {other!r} at {options[other]}: {why[1]} ({section}); choose "
        f"{first[1]} {much} for {one!r}, or {second[1]} {many} for {other!r}",
    )


def descending(section: str, names: Sequence[str]) -> Contradiction:
    """Make the check that each step's cards in hand are at most those of the step before, for hands only shrink."""
    why = (
        "die Frist einer Stufe würde vor der der Stufe darunter enden",
        "the time for a step would end before that of the step below it",
    )

    def reason(options: Options) -> Text | None:
        for before, after in pairwise(names):
            high, low = int(options[before]), int(options[after])
            if low > high:
                return _clash(options, after, before, why, section, ((_MOST, high), (_LEAST, low)))
        return None

    return reason


def ascending(section: str, names: Sequence[str], why: Text) -> Contradiction:
    """Make the check that each of these numbers is higher than the one before it."""

    def reason(options: Options) -> Text | None:
        for before, after in pairwise(names):
            low, high = int(options[before]), int(options[after])
            if high <= low:
                return _clash(options, after, before, why, section, ((_LEAST, low + 1), (_MOST, high - 1)))
        return None

    return reason


def rising(section: str, names: Sequence[str]) -> Contradiction:
    """Make the check that none of these numbers is lower than the one before it."""
    why = "wer später kommt, würde weniger zahlen", "who comes later would pay less"

    def reason(options: Options) -> Text | None:
        for before, after in pairwise(names):
            low, high = int(options[before]), int(options[after])
            if high < low:
                return _clash(options, after, before, why, section, ((_LEAST, low), (_MOST, high)))
        return None

    return reason


def pflichtsoli_fit(options: Options) -> Text | None:
    """Check that the Pflichtsoli of all players fit into the games of a round (eppstein 7.4.1, 7.5.1)."""
    each = int(options["pflichtsoli"])
    for players, name in ((4, "games"), (5, "games_5")):
        games, duties = int(options[name]), players * each
        if duties > games:
            why = (
                f"{players} Spieler müssen darin {duties} Pflichtsoli spielen",
                f"{players} players must play {duties} Pflichtsoli in it",
            )
            ways = ((_LEAST, duties), (_MOST, games // players))
            return _clash(options, name, "pflichtsoli", why, "eppstein 7.5.1", ways)
    return None


def settle(book: str, options: Sequence[Option], contradictions: Sequence[Contradiction], given: object) -> Options:
    """Complete all options of ``book`` with the values of a round.

    :raises BadOption: for a name the book does not have, a value the option cannot take, or a contradiction.
    """
    if not isinstance(given, Mapping):
        raise BadOption(
            (
                f"Optionen sind Werte mit ihren Namen, nicht {given!r}",
                f"options must be a table of names and values, not {given!r}",
            )
        )
    known = {option.name: option for option in options}
    chosen: dict[str, Value] = {option.name: option.default for option in options}
    for name, value in given.items():
        option = known.get(name)
        if option is None:
            raise UnknownOption(book, options, str(name))
        if not option.takes(value):
            raise BadOption(
                (
                    f"{name!r} kann nicht {value!r} sein; möglich: {option.choices('de')} ({book} {option.section})",
                    f"option {name!r} cannot be {value!r}; choose {option.choices()} ({book} {option.section}: "
                    f"{option.meaning})",
                ),
                options,
            )
        chosen[name] = value
    settled = MappingProxyType(chosen)
    for contradiction in contradictions if given else ():
        reason = contradiction(settled)
        if reason is not None:
            raise BadOption(reason, options)
    return settled
