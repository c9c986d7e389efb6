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

from kiosk.errors import KioskError

if TYPE_CHECKING:
    from pydantic_core import ErrorDetails

#: What a club's book may be called: it is a file's name, and cited with its sections.
NAME = re.compile(r"[a-z][a-z0-9-]{1,23}")

#: Bytes of a book as it goes with a round, letters of a text in it, and of a value that an error shows.
LARGEST, LONGEST_TEXT, _LONGEST_SHOWN = 12_000, 400, 80

#: Hexadecimal digits of a book's content that stand behind its name.
_DIGITS = 12

#: Bytes that the file itself may have, its comments included.
LARGEST_FILE = 60_000

_UNSEEN = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]")

Key = tuple[str | int, ...]

_NO_OTHER_KEYS: dict[str, Any] = {"extra": "forbid"}


class BadBook(KioskError, ValueError):
    """A club's book that cannot be played by; its text names file, line, key, value and the way out."""


@dataclass(frozen=True, slots=True)
class Source:
    """Where a book's content was written: a file with its lines, or a round that carries it."""

    name: str
    text: str = ""  # "" where there are no lines

    def bad(self, key: Key, why: str, *, given: object = None, with_key: Key = ()) -> BadBook:
        """Make an error about a key, and about another one that contradicts it."""
        value = f" = {shown(given)}" if given is not None else ""
        other = f" (against {self._at(with_key)})" if with_key else ""
        return BadBook(f"{self.name}: {self._at(key)}{value}{other}: {why}")

    def _at(self, key: Key) -> str:
        number = line_of(self.text, key) if self.text else 0
        dotted = ".".join(str(part + 1) if isinstance(part, int) else part for part in key)
        return f"line {number}, {dotted}" if number else dotted


def shown(value: object) -> str:
    """Show a value as it stands in a file, at most 80 letters of it."""
    text = json.dumps(value, ensure_ascii=False, default=str)
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
        raise BadBook(f"{source.name}: {len(text.encode())} bytes; a book's file has at most {LARGEST_FILE}")
    try:
        content = tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        raise BadBook(f"{source.name}: is not TOML: {error}; put it right there") from None
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
        raise BadBook(f"{source.name}: {shown(content)} is no book; a table with base, title and source is wanted")
    try:
        size = len(_canonical(content))
    except (ValueError, RecursionError):
        raise BadBook(f"{source.name}: it is nested too deep; no book is") from None
    if size > LARGEST:
        raise BadBook(f"{source.name}: {size} bytes without comments; a round carries at most {LARGEST}; shorten it")
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
            raise source.bad(key, "it goes over several lines or holds control characters; write one line", given=value)
        if any(len(text) > LONGEST_TEXT for text in texts):
            raise source.bad(key, f"a text has at most {LONGEST_TEXT} letters; shorten it", given=value)


#: Pydantic's kinds of errors → what is needed instead.
_NEEDED = {
    "bool_type": "true or false is needed here",
    "bool_parsing": "true or false is needed here",
    "int_type": "a whole number is needed here",
    "int_parsing": "a whole number is needed here",
    "string_type": "text in quotes is needed here",
    "tuple_type": 'a list is needed here, like ["fuchs", "karlchen"]',
    "dict_type": "it is a section; write [it] and its keys below",
    "dataclass_type": "it is a section; write [it] and its keys below",
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
            known = [item.name for item in fields(_part(names[:-1]))]
            near = get_close_matches(names[-1], known, 1)
            way = f"did you mean {near[0]!r}? " if near else ""
            return source.bad(key, f"unknown key; {way}Known here are {', '.join(known)}")
        case "missing":
            return source.bad(key, "it is missing; add it")
        case other:
            return source.bad(key, _NEEDED.get(other, error["msg"]), given=error["input"])


def _part(names: Sequence[str]) -> Any:
    """The dataclass behind these keys; of a list, that of its items."""
    kind: Any = BookFile
    for name in names:
        hint = get_type_hints(kind)[name]
        kind = next((item for item in get_args(hint) if is_dataclass(item)), hint)
    return kind
