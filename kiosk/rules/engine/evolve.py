"""Replace fields of the values that change with every event, in a fraction of ``dataclasses.replace``'s time."""

from collections.abc import Callable
from typing import Any, TypeVar

_Value = TypeVar("_Value")
_Made = TypeVar("_Made")


def evolve(value: _Value, **changes: Any) -> _Value:
    """Copy a frozen dataclass without slots with some fields changed: one copy of its dictionary.

    :raises KeyError: for a field that it does not have.
    """
    fields = value.__dict__
    contents = fields.copy()
    contents.update(changes)
    if len(contents) != len(fields):
        raise KeyError(*(changes.keys() - fields.keys()))
    new = object.__new__(type(value))
    object.__setattr__(new, "__dict__", contents)
    return new


def remembered(value: object, name: str, of: tuple[object, ...], make: Callable[[], _Made]) -> _Made:
    """Return what was made of some fields of a frozen dataclass without slots, as long as they are the same objects.

    ``evolve`` carries it along, so that what few events change is computed for these alone.

    :param name: under which it is kept, no field's.
    :param of: these fields; it may be made of nothing else.
    """
    kept: tuple[tuple[object, ...], _Made] | None = value.__dict__.get(name)
    if kept is not None:
        for was, now in zip(kept[0], of, strict=True):
            if was is not now:
                break
        else:
            return kept[1]
    made = make()
    value.__dict__[name] = of, made
    return made


def forget(value: _Value) -> _Value:
    """Copy a frozen dataclass without slots, without what :func:`remembered` keeps: it is to be held for long."""
    new = object.__new__(type(value))
    names = type(value).__dataclass_fields__  # type: ignore[attr-defined]
    object.__setattr__(new, "__dict__", {name: kept for name, kept in value.__dict__.items() if name in names})
    return new
