"""Solve the assignment of cards to places of limited room at the least cost: exact, small, in plain Python.

The transportation problem as successive shortest paths (Ahuja, Magnanti, Orlin, *Network Flows*, 1993, ch. 9.7), on the
graph of the places alone: an edge from one place to another costs what the cheapest card that lies there pays for going
over. There are at most some fifty cards and two dozen kinds of them, so a solution takes a few milliseconds.
"""

from collections.abc import Collection, Sequence
from math import inf

#: ``costs[card][place]``: what it costs to put a card there; ``inf`` where it cannot be.
Costs = Sequence[Sequence[float]]


def assign(costs: Costs, room: Sequence[int]) -> list[int] | None:
    """Assign each card a place at the least sum of costs, none fuller than its ``room``; None if they do not fit."""
    if sum(room) < len(costs) or any(min(row, default=inf) == inf for row in costs):
        return None
    places = [min(range(len(row)), key=row.__getitem__) for row in costs]
    left = list(room)
    for place in places:
        left[place] -= 1
    while (full := next((place for place, free in enumerate(left) if free < 0), None)) is not None:
        edges = _edges(costs, places)
        away, step = _to_room(edges, [place for place, free in enumerate(left) if free > 0])
        if away[full] == inf:
            return None
        while full in step:
            goal = step[full]
            places[edges[full][goal][1]] = goal
            left[full] += 1
            left[goal] -= 1
            full = goal
    return places


def dearer(costs: Costs, room: Sequence[int], places: Sequence[int], card: int) -> list[float]:
    """Compute by how much the best assignment with ``card`` in each place costs more than the best of all, ``places``.

    0 for the place where it lies; ``inf`` where the others could not be put any more.
    """
    left = list(room)
    for place in places:
        left[place] -= 1
    here, own = places[card], costs[card]
    free = [place for place, room_left in enumerate(left) if room_left > 0]
    blank = [0.0] * len(left)  # as if a card lay in each of these that goes anywhere for nothing: then all is full
    edges = _edges([*costs, *[blank] * len(free)], [*places, *free], without={card})
    away, _ = _to_room(edges, [here])  # but for its own place
    return [own[place] - own[here] + away[place] for place in range(len(left))]


_Edges = list[dict[int, tuple[float, int]]]


def _edges(costs: Costs, places: Sequence[int], without: Collection[int] = ()) -> _Edges:
    """From each place to each other: the cheapest move of a card that lies there, with the card."""
    edges: _Edges = [{} for _ in costs[0]]
    for card, (row, here) in enumerate(zip(costs, places, strict=True)):
        if card in without:
            continue
        for place, cost in enumerate(row):
            if place != here:
                move = cost - row[here], card
                edges[here][place] = min(edges[here].get(place, move), move)
    return edges


def _to_room(edges: _Edges, free: Sequence[int]) -> tuple[list[float], dict[int, int]]:
    """The cheapest chain of moves from each place to a free one, and its first step (Bellman and Ford)."""
    away = [inf] * len(edges)
    for place in free:
        away[place] = 0.0
    step: dict[int, int] = {}
    changed = True
    while changed:
        changed = False
        for place, out in enumerate(edges):
            for goal, (cost, _) in out.items():  # none turns in a circle for less than nothing: it comes to an end
                if cost + away[goal] < away[place] - 1e-9:
                    away[place], step[place] = cost + away[goal], goal
                    changed = True
    return away, step
