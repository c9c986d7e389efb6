"""Draw from random numbers where people lay cards and things, and where their hands grip them."""

import math
from collections.abc import Callable, Sequence

import numpy as np

from vision.mat.layout import MatLayout
from vision.simulation.geometry import CardPose
from vision.simulation.scene import readable


def towards_player(layout: MatLayout, seat: int) -> tuple[float, float]:
    """Return the way from a seat's card to its player, about the length of a card in mm."""
    angle = layout.seat_angle(seat)
    return 90 * math.cos(angle), 90 * math.sin(angle)


def free_pose(
    layout: MatLayout,
    seat: int,
    taken: Sequence[CardPose],
    size_mm: tuple[float, float],
    rng: np.random.Generator,
    in_picture: Callable[[CardPose], bool],
) -> CardPose:
    """Draw where a player lays a card so that it is in the picture and all cards of the trick stay readable."""
    for attempt in range(60):
        pose = _scattered_pose(layout, seat, rng, crowded=attempt >= 40)
        if in_picture(pose) and readable([*taken, pose], size_mm):
            return pose
    x, y = layout.seat_places[seat]
    return CardPose(1.1 * x, 1.1 * y, layout.seat_angle(seat) - math.pi / 2)


def edge_pose(layout: MatLayout, seat: int, rng: np.random.Generator) -> CardPose:
    """Draw where a player puts a thing: at the sheet's edge before the seat, at any turn."""
    x, y = layout.seat_places[seat]
    dx, dy = towards_player(layout, seat)
    return CardPose(x + 0.9 * dx + rng.normal(0, 12), y + 0.9 * dy + rng.normal(0, 12), rng.uniform(0, 2 * math.pi))


def _scattered_pose(layout: MatLayout, seat: int, rng: np.random.Generator, crowded: bool) -> CardPose:
    """Draw a pose about a seat's place, turned to the seat, now and then sloppily; ``crowded``: farther out."""
    x, y = layout.seat_places[seat]
    sloppy = 2.2 if rng.random() < 0.15 else 1.0
    spread = rng.normal(0, 8 * sloppy, 2)
    pull = 1.05 if crowded else rng.uniform(0.72, 1.08)  # cards drift towards the middle
    facing = layout.seat_angle(seat) - math.pi / 2
    angle = facing + rng.normal(0, 0.16 * sloppy) + (math.pi if rng.random() < 0.5 else 0.0)
    return CardPose(pull * x + spread[0], pull * y + spread[1], angle)


def pile_pose(layout: MatLayout, seat: int, tricks: int, rng: np.random.Generator) -> CardPose:
    """Draw where the next trick is put on a seat's pile of so many: crosswise on the one before."""
    x, y = layout.won_places[seat]
    _, _, width, height = layout.won_fields[seat]
    upright = 0.0 if height > width else math.pi / 2
    crossed = tricks % 2 * 0.12
    spread = rng.normal(0, 2.2, 2)
    return CardPose(x + spread[0], y + spread[1], upright + crossed + rng.normal(0, 0.05))
