from dataclasses import FrozenInstanceError, dataclass, replace

import pytest

from kiosk.rules.engine.evolve import evolve


@dataclass(frozen=True, kw_only=True)
class Value:
    one: int
    two: tuple[int, ...] = ()


def test_as_replace() -> None:
    value = Value(one=1)
    assert evolve(value, two=(2,)) == replace(value, two=(2,)) == Value(one=1, two=(2,))
    assert value == Value(one=1)


def test_still_frozen() -> None:
    with pytest.raises(FrozenInstanceError):
        evolve(Value(one=1), one=2).one = 3  # type: ignore[misc]


def test_unknown_field() -> None:
    with pytest.raises(KeyError):
        evolve(Value(one=1), three=3)
