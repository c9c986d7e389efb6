"""Replace fields of the values that change with every event, in a fraction of ``dataclasses.replace``'s time."""

from typing import Any, TypeVar

_Value = TypeVar("_Value")


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
