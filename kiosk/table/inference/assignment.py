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
        source = min((place for place, free in enumerate(left) if free < 0), key=away.__getitem__)
        if away[source] == inf:
            return None
        full = source
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
    edges = _edges(costs, places, without={card})
    for place, free in enumerate(left):
        if free > 0:  # as if a blank card lay there, which goes anywhere for nothing
            for goal in range(len(left)):
                if goal != place and edges[place].get(goal, (inf, 0))[0] > 0:
                    edges[place][goal] = 0.0, -1
    away, _ = _to_room(edges, [here])  # all is full but for its own place
    return [own[place] - own[here] + away[place] if own[place] < inf else inf for place in range(len(left))]


_Edges = list[dict[int, tuple[float, int]]]


def _edges(costs: Costs, places: Sequence[int], without: Collection[int] = ()) -> _Edges:
    """From each place to each other: the cheapest move of a card that lies there, with the card."""
    edges: _Edges = [{} for _ in costs[0]]
    for card, (row, here) in enumerate(zip(costs, places, strict=True)):
        if card in without:
            continue
        out, paid = edges[here], row[here]
        for place, cost in enumerate(row):
            if place != here and cost < inf and (place not in out or cost - paid < out[place][0]):
                out[place] = cost - paid, card
    return edges


def _to_room(edges: _Edges, free: Sequence[int]) -> tuple[list[float], dict[int, int]]:
    """The cheapest chain of moves from each place to a free one, and its first step (Bellman and Ford)."""
    away = [inf] * len(edges)
    for place in free:
        away[place] = 0.0
    step: dict[int, int] = {}
    for _ in edges:
        changed = False
        for place, out in enumerate(edges):
            for goal, (cost, _) in out.items():
                if cost + away[goal] < away[place] - 1e-9:
                    away[place], step[place] = cost + away[goal], goal
                    changed = True
        if not changed:
            break
    return away, step
