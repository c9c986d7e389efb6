"""What is made of a few fields is made anew when one of them is another object, and only then."""

from dataclasses import dataclass

import pytest

from kiosk.rules.engine.evolve import evolve, remembered


@dataclass(frozen=True)
class Pair:
    left: tuple[int, ...]
    right: tuple[int, ...]

    def made(self, calls: list[int]) -> int:
        def make() -> int:
            calls.append(1)
            return sum(self.left)

        return remembered(self, "kept_sum", (self.left,), make)


@pytest.mark.parametrize(
    ("change", "again"),
    [({"right": (9,)}, False), ({"left": (1000, 5)}, True), ({"left": (1000, 2)}, True)],
    ids=["another field", "this field", "an equal one that is another object"],
)
def test_it_is_carried_along_as_long_as_it_holds(change: dict[str, tuple[int, ...]], again: bool) -> None:
    calls: list[int] = []
    pair = Pair((1000, 2), ())
    changed = {name: tuple(number for number in value) for name, value in change.items()}
    assert pair.made(calls) == pair.made(calls) == 1002 and len(calls) == 1
    then = evolve(pair, **changed)
    assert then.made(calls) == sum(then.left)
    assert len(calls) == 1 + again
    assert pair.made(calls) == 1002 and len(calls) == 1 + again
    assert evolve(pair, right=()) == Pair((1000, 2), ()), "what is kept is no field"
