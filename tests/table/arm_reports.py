"""Reports of cards and arms over the mat, made by hand."""

from dataclasses import replace

from vision.mat.layout import MatLayout
from vision.messages import ArmReached, CardLaid, HandInTheWay, Report

LAYOUT = MatLayout("A3", 4)
OPEN = {"event": "open", "format": 1, "rules": "eppstein", "table": 1, "round": 1, "players": ["A", "B", "C", "D"]}
#: What each seat lays: seats 3 and 4 have the same card.
CARDS = {2: "HA", 3: "HK", 4: "HK", 1: "H9"}


def laid(
    number: int, seat: int, at: float, *, place: int | None = None, share: float = 1.0, seen_arm: int | None = None
) -> list[Report]:
    """A card of a seat, in the ``place`` and with the arm of another where these are given; then its own arm goes."""
    x, y = LAYOUT.seat_places[place or seat]
    bearing = LAYOUT.seat_angle(seen_arm or seat) + 0.2
    seen = CardLaid(
        at=at, card=number, label=CARDS[seat], margin=0.9, choices=((CARDS[seat], 0.9),), x=x, y=y, angle=0,
        not_before=at - 0.5, rested=at, arm=bearing if share else None, arm_share=share,
    )  # fmt: skip
    return [seen, arm(seat, at)]


def arm(seat: int, at: float) -> ArmReached:
    return ArmReached(at=at + 0.3, since=at - 0.3, until=at + 0.1, bearing=LAYOUT.seat_angle(seat) + 0.2)


def soon(seat: int, at: float, by: float = 0.3) -> ArmReached:
    """One that left before the other, by so many seconds."""
    return ArmReached(at=at + 0.3, since=at - 0.4, until=at + 0.1 - by, bearing=LAYOUT.seat_angle(seat) + 0.2)


def seen(reports: list[Report]) -> CardLaid:
    """The card alone."""
    assert isinstance(reports[0], CardLaid)
    return reports[0]


def late(report: CardLaid) -> CardLaid:
    """A card that nobody saw come."""
    return replace(report, not_before=None, rested=None)


def hand(came: float, gone: float) -> list[Report]:
    return [HandInTheWay(at=came, gone=False), HandInTheWay(at=gone, gone=True)]
