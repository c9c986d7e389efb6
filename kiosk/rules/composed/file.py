"""Read a club's book from its file: what may stand there, and what is wrong with it, by file, line, key and value."""

import datetime
import json
import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields, is_dataclass
from difflib import get_close_matches
from hashlib import sha256
from typing import TYPE_CHECKING, Any, ClassVar, get_args, get_type_hints

from kiosk.errors import SpokenError
from kiosk.language import say
from kiosk.rules.describe.told import refusal_named, tell
from kiosk.rules.options.option import BadOption
from kiosk.rules.options.words import Filling, Text, Words, join

if TYPE_CHECKING:
    from pydantic_core import ErrorDetails

#: What a club's book may be called: it is a file's name, and cited with its sections.
NAME = re.compile(r"[a-z][a-z0-9-]{1,23}")

#: Bytes of a book as it goes with a round, letters of a text in it, and of a value that an error shows.
LARGEST, LONGEST_TEXT, _LONGEST_SHOWN = 12_000, 400, 80

#: What clubs play and no book can be put together of (docs/books.md): who asks for it is told so.
NOT_COMPOSED = ("genscher", "genschern", "ramsch", "schieber", "kurze-karte", "superschweinchen", "trumpfabgabe")

#: Hexadecimal digits of a book's content that stand behind its name.
_DIGITS = 12

#: Bytes that the file itself may have, its comments included.
LARGEST_FILE = 60_000

_UNSEEN = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]")

Key = tuple[str | int, ...]

_NO_OTHER_KEYS: dict[str, Any] = {"extra": "forbid"}


@dataclass(frozen=True, slots=True)
class Source:
    """Where a book's content was written: a file with its lines, or a round that carries it."""

    name: str
    text: str = ""  # "" where there are no lines

    def bad(
        self,
        key: Key,
        why: Text | BadOption,
        *,
        given: object = None,
        with_key: Key = (),
        between: tuple[Key, ...] = (),
    ) -> "BadBook":
        """Make an error about a key, and about another one that contradicts it."""
        return BadBook(self, why, key=key, given=given, with_key=with_key, between=between)

    def at(self, key: Key, language: str) -> str:
        """Tell where a key stands."""
        number = line_of(self.text, key) if self.text else 0
        dotted = _cut(".".join(str(part + 1) if isinstance(part, int) else part for part in key))
        return say("book_errors", "line", language, number=number, key=dotted) if number else dotted


class BadBook(SpokenError, ValueError):
    """A club's book that cannot be played by; its text names file, line, key, value and the way out.

    :param why: what is wrong; options whose values contradict each other as they are refused anywhere.
    :param key: what it is about; (): the file as a whole.
    :param with_key: what contradicts it; (): nothing does.
    :param between: both as they would stand in a file that says them; () where they do.
    """

    def __init__(
        self,
        source: Source,
        why: Text | BadOption,
        *,
        key: Key = (),
        given: object = None,
        with_key: Key = (),
        between: tuple[Key, ...] = (),
    ) -> None:
        super().__init__(source, why)
        self.source, self.why, self.key, self.given, self.with_key = source, why, key, given, with_key
        self.fields = between or tuple(one for one in (key, with_key) if one)

    def told(self, language: str) -> str:
        """Tell what is wrong with file, lines, keys and value."""
        why = refusal_named(self.why, language) if isinstance(self.why, BadOption) else tell(self.why, language)
        at = self.source.at(self.key, language) if self.key else ""
        value = f" = {shown(self.given)}" if self.key and self.given is not None else ""
        against = say("book_errors", "against", language, at=self.source.at(self.with_key, language))
        other = f" ({against})" if self.with_key else ""
        return ": ".join(filter(None, (self.source.name, f"{at}{value}{other}", why)))


def wrong(code: str, **fill: Filling) -> Words:
    """Return the words for what is wrong with a book."""
    return Words("book_errors", code, tuple(fill.items()))


def known(name: object, there: Sequence[str], code: str = "there_are") -> Text:
    """Return the words that name what there is, and before them what may have been meant by ``name``."""
    if str(name).lower() in NOT_COMPOSED:
        return join([wrong("not_composed", name=str(name)), wrong(code, names=", ".join(there))], " ")
    near = get_close_matches(str(name)[:80], list(there), 1)
    guess = [wrong("did_you_mean", name=repr(near[0]))] if near else []
    return join([*guess, wrong(code, names=", ".join(there))], " ")


def shown(value: object) -> str:
    """Show a value as it stands in a file, at most 80 letters of it."""
    return _cut(json.dumps(value, ensure_ascii=False, default=str))


def _cut(text: str) -> str:
    return text if len(text) <= _LONGEST_SHOWN else text[: _LONGEST_SHOWN - 1] + "…"


_HEADER = re.compile(r"\s*(\[\[?)\s*([^\]\n]+?)\s*\]\]?\s*(?:#.*)?")
_ASSIGNED = re.compile(r"""\s*([\w.\-"']+)\s*=""")


def line_of(text: str, key: Key) -> int:
    """Return the line, from 1, in which a key or its section stands; 0: it cannot be said."""
    wanted = [part for part in key if isinstance(part, str)]
    index = next((part for part in key if isinstance(part, int)), 0)
    section: list[str] = []
    counted: dict[str, int] = {}
    place = found = 0
    for number, line in enumerate(text.splitlines(), start=1):
        header = _HEADER.fullmatch(line)
        assigned = None if header else _ASSIGNED.match(line)
        if header:
            section = _parts(header[2])
            place = counted[header[2]] = counted.get(header[2], -1) + 1
        at = section + (_parts(assigned[1]) if assigned else [])
        if (header or assigned) and (section != wanted[: len(section)] or place == (index if counted else 0)):
            if at == wanted:
                return number
            if at == wanted[: len(at)] and len(at) > 0:
                found = number
    return found


def _parts(dotted: str) -> list[str]:
    return [part.strip().strip("\"'") for part in dotted.split(".")]


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnRule:
    """A rule that the club words or numbers itself."""

    __pydantic_config__: ClassVar[dict[str, Any]] = _NO_OTHER_KEYS

    about: tuple[str, ...]  # options, games and points of the book that it stands for
    section: str
    text: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class GamesPart:
    """Which games are played, and whose Vorbehalt goes first."""

    __pydantic_config__: ClassVar[dict[str, Any]] = _NO_OTHER_KEYS

    played: tuple[str, ...] | None = None  # None: those of the base
    order: tuple[tuple[str, ...], ...] | None = None  # groups of equals, the highest first; None: as the base has it


@dataclass(frozen=True, slots=True, kw_only=True)
class PointsPart:
    """For what a game counts; None: as the base has it."""

    __pydantic_config__: ClassVar[dict[str, Any]] = _NO_OTHER_KEYS

    calls: str | None = None
    queens: str | None = None
    reached: bool | None = None
    special: tuple[str, ...] | None = None
    special_doubled: bool | None = None
    laufende: bool | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class BookFile:
    """A club's book as its file has it."""

    __pydantic_config__: ClassVar[dict[str, Any]] = _NO_OTHER_KEYS

    base: str
    title: str
    source: str
    date: str = ""
    tables: tuple[int, ...] | None = None  # numbers of players at a table; None: those of the base
    options: Mapping[str, bool | int | str] = field(default_factory=dict)
    rules: Mapping[str, str] = field(default_factory=dict)  # point → which of the rules that the engine has for it
    games: GamesPart = GamesPart()
    trumps: Mapping[str, tuple[str, ...]] = field(default_factory=dict)  # game → its trumps, strongest first
    points: PointsPart = PointsPart()
    rule: tuple[OwnRule, ...] = ()


def read_text(text: str, source: Source) -> dict[str, Any]:
    """Return what a file holds, as it goes with a round: texts, numbers, truth values, lists and tables of them.

    :raises BadBook: it is no TOML.
    """
    if len(text.encode()) > LARGEST_FILE:
        raise BadBook(source, wrong("file_too_large", size=len(text.encode()), most=LARGEST_FILE))
    try:
        content = tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        raise BadBook(source, wrong("no_toml", why=str(error))) from None
    return {key: _plain(value) for key, value in content.items()}


def _plain(value: Any) -> Any:
    if isinstance(value, datetime.date | datetime.time):
        return value.isoformat()
    if isinstance(value, dict):
        return {key: _plain(one) for key, one in value.items()}
    return [_plain(one) for one in value] if isinstance(value, list) else value


def digest(content: Mapping[str, Any]) -> str:
    """Return the digits by which a content is known: comments and the order of keys do not count."""
    return sha256(_canonical(content)).hexdigest()[:_DIGITS]


def _canonical(content: Mapping[str, Any]) -> bytes:
    return json.dumps(content, sort_keys=True, separators=(",", ":"), ensure_ascii=False, default=str).encode()


def read(content: object, source: Source) -> tuple[BookFile, Mapping[str, Any]]:
    """Check the shape of a book's content, its keys and the kinds of their values; return it and a copy of the content.

    :raises BadBook: a key is not known or missing, a value of another kind, a text too long.
    """
    from pydantic import TypeAdapter, ValidationError

    if not isinstance(content, Mapping):
        raise BadBook(source, wrong("no_book", given=shown(content)))
    try:
        size = len(_canonical(content))
    except (ValueError, RecursionError):
        raise BadBook(source, wrong("too_deep")) from None
    if size > LARGEST:
        raise BadBook(source, wrong("too_large", size=size, most=LARGEST))
    _check_texts(content, source)
    try:
        canonical = _canonical(content)
        return _adapter(TypeAdapter).validate_json(canonical, strict=True), json.loads(canonical)
    except ValidationError as error:
        raise _worded(source, min(error.errors(include_url=False), key=_urgency)) from None


_ADAPTER: list[Any] = []


def _adapter(make: Any) -> Any:
    """Pydantic's reader of a book, made once; imported only where a club has one."""
    if not _ADAPTER:
        _ADAPTER.append(make(BookFile))
    return _ADAPTER[0]


def _check_texts(content: Mapping[str, Any], source: Source) -> None:
    rest: list[tuple[Key, Any]] = [((key,), value) for key, value in content.items()]
    while rest:
        key, value = rest.pop()
        if isinstance(value, Mapping):
            rest += [((*key, str(name)), one) for name, one in value.items()]
        elif isinstance(value, list | tuple):
            rest += [((*key, number), one) for number, one in enumerate(value)]
        texts = [part for part in (key[-1], value) if isinstance(part, str)]
        if any(_UNSEEN.search(text) for text in texts):
            raise source.bad(key, wrong("not_one_line"), given=value)
        if any(len(text) > LONGEST_TEXT for text in texts):
            raise source.bad(key, wrong("text_too_long", most=LONGEST_TEXT), given=value)


#: Pydantic's kinds of errors → what is needed instead.
_NEEDED = {
    "bool_type": wrong("needs_yes_no"),
    "bool_parsing": wrong("needs_yes_no"),
    "int_type": wrong("needs_number"),
    "int_parsing": wrong("needs_number"),
    "string_type": wrong("needs_text"),
    "tuple_type": wrong("needs_list"),
    "dict_type": wrong("needs_section"),
    "dataclass_type": wrong("needs_section"),
}


def _urgency(error: "ErrorDetails") -> int:
    """Order errors: what is misspelt comes before what is missing, because it may be the same key."""
    return {"unexpected_keyword_argument": 0, "missing": 2}.get(error["type"], 1)


def _worded(source: Source, error: "ErrorDetails") -> BadBook:
    """Put one of pydantic's errors into our words."""
    key: Key = tuple(part for part in error["loc"] if part not in ("bool", "int", "str"))
    names = [part for part in key if isinstance(part, str)]
    match error["type"]:
        case "unexpected_keyword_argument":
            there = [item.name for item in fields(_part(names[:-1]))]
            return source.bad(key, join([wrong("unknown_key"), known(names[-1], there, "known_here")], " "))
        case "missing":
            return source.bad(key, wrong("missing"))
        case other:
            return source.bad(key, _NEEDED.get(other, wrong("not_understood", why=error["msg"])), given=error["input"])


def _part(names: Sequence[str]) -> Any:
    """The dataclass behind these keys; of a list, that of its items."""
    kind: Any = BookFile
    for name in names:
        hint = get_type_hints(kind)[name]
        kind = next((item for item in get_args(hint) if is_dataclass(item)), hint)
    return kind
