"""Read a TOML file as a frozen dataclass: pydantic checks the values, its errors are reworded in our words.

Our own words, because people at a tournament read them: each names file, key, value and the way out. What stands beside
the fields is our own as well: pydantic, 7 MB of memory, is imported only where a file is read.
"""

import difflib
import os
import re
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields, is_dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypeVar, cast, get_args, get_type_hints

from hw.errors import PinError
from kiosk.errors import BadConfig

if TYPE_CHECKING:
    from pydantic import GetCoreSchemaHandler, ValidationInfo
    from pydantic_core import CoreSchema, ErrorDetails

Value = TypeVar("Value")
Check = Callable[[Any], str | None]  # a value → what is wrong with it and the way out, or None


#: Bytes of a path, with its end, and of a name in it (Linux: PATH_MAX, NAME_MAX).
_LONGEST_PATH, _LONGEST_NAME = 4096, 255

#: Signs of a value that an error shows.
_LONGEST_SHOWN = 120

#: What nobody can see: control characters, and those that end a line or turn its direction.
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]")


def between(low: float, high: float) -> Check:
    """Check a number against its limits."""
    return lambda value: None if low <= value <= high else f"it must lie between {low} and {high}"


def one_of(*choices: object) -> Check:
    """Check a value against the allowed ones."""

    def check(value: object) -> str | None:
        if value in choices:
            return None
        near = difflib.get_close_matches(str(value), [str(choice) for choice in choices], 1)
        guess = f"did you mean {near[0]!r}? " if near else ""
        return f"{guess}Known are {', '.join(str(choice) for choice in choices)}"

    return check


@dataclass(frozen=True, slots=True)
class Checked:
    """Beside a field: what its value is checked by after its type; None, of ``"none"``, passes."""

    check: Check

    def passed(self, value: Any) -> Any:
        """Return the value.

        :raises ValueError: what is wrong with it.
        """
        wrong = None if value is None else self.check(value)
        if wrong:
            raise ValueError(wrong)
        return value

    def __get_pydantic_core_schema__(self, source: Any, handler: "GetCoreSchemaHandler") -> "CoreSchema":
        from pydantic_core import core_schema

        return core_schema.no_info_after_validator_function(self.passed, handler(source))


def checked(check: Check) -> Checked:
    """Check a value after its type; ``"none"`` passes."""
    return Checked(check)


@dataclass(frozen=True, slots=True)
class Before:
    """Beside a field: what makes the value of what the file has; it is given that and the file's folder."""

    make: Callable[[Any, Path], object]

    def __get_pydantic_core_schema__(self, source: Any, handler: "GetCoreSchemaHandler") -> "CoreSchema":
        from pydantic_core import core_schema

        def made(value: object, info: "ValidationInfo") -> object:
            return self.make(value, (info.context or {})["folder"])

        return core_schema.with_info_before_validator_function(made, handler(source))


class _Loose:
    """Beside a section, made from a table of TOML, and a tuple, from a list: strict mode takes neither."""

    def __get_pydantic_core_schema__(self, source: Any, handler: "GetCoreSchemaHandler") -> "CoreSchema":
        schema = handler(source)
        cast(dict[str, Any], handler.resolve_ref_schema(schema))["strict"] = False
        return schema


def none_or(value: object) -> object:
    """Convert ``"none"`` to None."""
    return None if value == "none" else value


def path_in(value: str, folder: Path) -> Path:
    """Return the path that a file of this folder names.

    :raises ValueError: there can be none of that name; the error says the way out.
    """
    if not value.strip():
        raise ValueError("it is empty; write a path, or delete the line")
    if len(value.encode()) >= _LONGEST_PATH or any(len(part.encode()) > _LONGEST_NAME for part in Path(value).parts):
        raise ValueError(f"it is too long: a name may have {_LONGEST_NAME} bytes, a path {_LONGEST_PATH - 1}")
    try:
        return (folder / Path(value).expanduser()).resolve()
    except RuntimeError as error:  # ~somebody, links in a circle
        raise ValueError(f"it leads nowhere ({error}); write the whole path, beginning with /") from None
    except OSError as error:
        raise ValueError(f"it cannot be looked at ({error.strerror}); name another") from None


def _path(value: object, folder: Path) -> object:
    return path_in(value, folder) if isinstance(value, str) else value


def _folder(value: Path) -> str | None:
    """Refuse a file where a folder is wanted; one that is not there yet is made, once it is needed."""
    blocking = next((one for one in (value, *value.parents) if os.path.lexists(one)), None)
    return (
        f"{shown(str(blocking))} is a file; name a folder" if blocking is not None and not blocking.is_dir() else None
    )


SECTION = LIST = _Loose()
OR_NONE = Before(lambda value, _: none_or(value))
PATH = Before(_path)
IS_FOLDER = Checked(_folder)
#: No text becomes a number, no number a truth value; what is not known is an error. Holds for all sections.
STRICT: dict[str, Any] = {"strict": True, "extra": "forbid"}


def _refuse_control_signs(path: Path, content: Mapping[str, Any]) -> None:
    """:raises BadConfig: a text holds what nobody can see: no name, path or address does."""
    rest: list[tuple[str, Any]] = list(content.items())
    while rest:
        name, value = rest.pop()
        if isinstance(value, dict):
            rest += [(f"{name}.{key}", one) for key, one in value.items()]
        elif isinstance(value, list):
            rest += [(name, one) for one in value]
        bad = _CONTROL.search(value) if isinstance(value, str) else _CONTROL.search(name)
        if bad is not None:
            why = f"it holds the control character U+{ord(bad.group()):04X}; write it without"
            raise BadConfig(f"{path}: {shown(name)} = {_toml(value)}: {why}")


def load(path: Path, kind: type[Value]) -> Value:
    """Read a TOML file as ``kind``, a frozen dataclass. Paths in it are relative to the file.

    :raises BadConfig: the file cannot be read, is not TOML, or has an unknown key or a value that cannot be.
    """
    from pydantic import TypeAdapter, ValidationError

    try:
        text = path.read_text(encoding="utf-8")
    except OSError as error:
        raise BadConfig(
            f"{path}: cannot be read: {error.strerror}; name an existing file that this user may read"
        ) from error
    except UnicodeDecodeError as error:
        raise BadConfig(f"{path}: is not UTF-8 text (byte {error.start}); save it as UTF-8") from error
    try:
        content = tomllib.loads(text)
    except (ValueError, RecursionError) as error:  # TOMLDecodeError is a ValueError; so is a number of 5000 digits
        raise BadConfig(f"{path}: is not TOML: {error}; put it right there") from error
    _refuse_control_signs(path, content)
    try:
        adapter: TypeAdapter[Value] = TypeAdapter(Annotated[kind, SECTION])  # type: ignore[arg-type]
        return adapter.validate_python(content, context={"folder": path.parent})
    except ValidationError as error:
        raise _worded(path, kind, min(error.errors(include_url=False), key=_urgency)) from error


def bad_value(path: Path, name: str, value: object, why: str) -> BadConfig:
    """Make an error that names file, key, value and the way out."""
    return BadConfig(f"{path}: {name} = {_toml(value)}: {why}")


def shown(text: str) -> str:
    """Shorten a text for an error, and write out what cannot be seen of it."""
    seen = _CONTROL.sub(lambda sign: f"\\u{ord(sign.group()):04x}", text)
    return seen if len(seen) <= _LONGEST_SHOWN else seen[:_LONGEST_SHOWN] + "…"


def _toml(value: object) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, str | Path):
        return '"' + shown(str(value)).replace('"', '\\"') + '"'
    if isinstance(value, list | tuple):
        return "[" + ", ".join(_toml(item) for item in value) + "]"
    if isinstance(value, dict):
        return "{" + ", ".join(f"{name} = {_toml(item)}" for name, item in value.items()) + "}"
    return str(value)


#: Pydantic's kinds of errors → what is needed instead.
_NEEDED = {
    "bool_type": "true or false is needed here",
    "int_type": "a whole number is needed here",
    "float_type": "a number is needed here",
    "string_type": "text in quotes is needed here",
    "date_type": "a date without quotes, like 2026-11-21, is needed here",
    "is_instance_of": "a path in quotes is needed here",
    "path_type": "a path in quotes is needed here",
    "tuple_type": "a list is needed here, like [1, 2]",
}


def _urgency(error: "ErrorDetails") -> int:
    """Order errors: what is misspelt comes before what is missing, because it may be the same key."""
    return {"unexpected_keyword_argument": 0, "missing": 2}.get(error["type"], 1)


def _worded(path: Path, kind: type, error: "ErrorDetails") -> BadConfig:
    """Put one of pydantic's errors into our words."""
    names = [part for part in error["loc"] if isinstance(part, str)]  # numbers count the items of a list
    dotted = ".".join(names)
    match error["type"]:
        case "unexpected_keyword_argument":
            known = [item.name for item in fields(_section(kind, names[:-1]))]
            near = difflib.get_close_matches(names[-1], known, 1)
            way = f"did you mean {near[0]!r}? " if near else ""
            return BadConfig(f"{path}: {dotted}: unknown key; {way}Known here are {', '.join(known)}")
        case "missing":
            section = is_dataclass(get_type_hints(_section(kind, names[:-1]))[names[-1]])
            return BadConfig(f"{path}: {'section [' + dotted + ']' if section else dotted} is missing; add it")
        case "dataclass_type" | "dict_type":
            why = f"it is a section; write [{dotted}] and its keys below"
        case "value_error":
            reason = error["ctx"]["error"]
            if isinstance(reason, PinError):  # names key and value itself
                return BadConfig(f"{path}: {dotted}.{reason}")
            why = str(reason)
        case other:
            why = _NEEDED.get(other, error["msg"])
    return bad_value(path, dotted, error["input"], why)


def _section(kind: Any, names: list[str]) -> Any:
    """Find the dataclass behind a dotted name; of a list, that of its items."""
    for name in names:
        hint = get_type_hints(kind)[name]
        kind = next((item for item in get_args(hint) if is_dataclass(item)), hint)
    return kind
