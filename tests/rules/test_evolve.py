"""What is made of a few fields is made anew when one of them is another object, and only then."""

from dataclasses import dataclass, fields

import pytest

from kiosk.demo.play import simulate
from kiosk.rules.engine.evolve import evolve, forget, remembered
from kiosk.table.events.codec import decode
from kiosk.table.round.fold import open_round


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


def test_what_is_held_for_long_is_held_without_it() -> None:
    calls: list[int] = []
    pair = Pair((1000, 2), ())
    pair.made(calls)
    assert len(vars(pair)) == 3
    assert forget(pair) == pair and vars(forget(pair)) == {"left": (1000, 2), "right": ()}
    assert forget(pair).made(calls) == 1002 and len(calls) == 2


def test_a_game_that_ended_holds_its_fields_alone() -> None:
    done = list(simulate("eppstein", 3, 2))
    held = open_round(decode(done[0]))
    for body in done[1:]:
        held = held.apply(decode(body))
        if held.game is not None:
            assert held.game.known_sides is not None
    assert held.games and all(vars(game).keys() == {field.name for field in fields(game)} for game in held.games)
