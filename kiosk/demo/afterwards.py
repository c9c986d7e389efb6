"""What people do once a card lies, each with chances of its own: acts of the simulated table."""

from collections.abc import Callable, Iterator, Sequence
from random import Random
from types import MappingProxyType

from vision.messages import ActArgument

#: An act of the simulated table with its arguments.
Doing = tuple[str, tuple[ActArgument, ...]]

#: Lamps that are lit instead of the one that shines.
LAMPS = ("lamp", "day", "dim", "hard", "candle", "cold")


def _hand_stays(rng: Random, seat: int, seats: Sequence[int]) -> Iterator[Doing]:
    yield "hover", (rng.choice(seats), rng.choice((0.8, 1.5, 4.0)))


def _push_straight(rng: Random, seat: int, seats: Sequence[int]) -> Iterator[Doing]:
    yield "straighten", (rng.choice(seats),)


def _lean(rng: Random, seat: int, seats: Sequence[int]) -> Iterator[Doing]:
    if rng.random() < 0.5:
        yield "lean", (rng.choice(seats), rng.uniform(0.8, 3.0), rng.uniform(0.35, 1.0))
    else:
        yield "reach_across", (rng.choice(seats), rng.uniform(1.2, 3.0))


def _cover(rng: Random, seat: int, seats: Sequence[int]) -> Iterator[Doing]:
    yield "cover", (seat,)
    yield "wait", (rng.uniform(0.5, 2.5),)
    yield "remove", ("score sheet", seat)


def _push_mat(rng: Random, seat: int, seats: Sequence[int]) -> Iterator[Doing]:
    turn = rng.gauss(0, 0.06 if rng.random() < 0.3 else 0.012)
    yield "push_mat", (rng.gauss(0, 6), rng.gauss(0, 6), turn)


def _knock_camera(rng: Random, seat: int, seats: Sequence[int]) -> Iterator[Doing]:
    yield "knock", (rng.gauss(0, 7), rng.gauss(0, 7), rng.gauss(0, 0.012))


def _lamp_fails(rng: Random, seat: int, seats: Sequence[int]) -> Iterator[Doing]:
    if rng.random() < 0.5:
        yield "flicker", ()
    else:
        yield "darken", (rng.uniform(0.5, 1.5),)


def _light_another(rng: Random, seat: int, seats: Sequence[int]) -> Iterator[Doing]:
    yield "relight", (rng.choice(LAMPS),)


#: By name: takes chance, the seat that laid and all seats.
AFTERWARDS: MappingProxyType[str, Callable[[Random, int, Sequence[int]], Iterator[Doing]]] = MappingProxyType(
    {
        "hand-stays": _hand_stays,
        "pushed-straight": _push_straight,
        "leaning": _lean,
        "under-sheet": _cover,
        "mat-pushed": _push_mat,
        "camera-knocked": _knock_camera,
        "lamp": _lamp_fails,
        "lamp-changed": _light_another,
    }
)
