"""Describe what a display chip is sent: four patterns of segments, a colon and a brightness."""

from typing import Protocol, TypeAlias

#: Segments of four digits from the left; bit 0 is a, bit 6 is g.
Patterns: TypeAlias = tuple[int, int, int, int]

#: Brightest level; the darkest is 0. HT16K33 and MAX7219 have sixteen, TM1637 eight.
BRIGHTEST = 15


class Chip(Protocol):
    """A chip that lights its digits by itself.

    Each sending carries everything, its set-up too: a chip that lost its power comes back with the next one.
    """

    answers: bool  # it acknowledges what it is sent, so that its loss is noticed

    def send(self, patterns: Patterns, *, colon: bool, brightness: int) -> None:
        """Light these digits.

        :raises OSError: it does not answer.
        """
        ...

    def close(self) -> None:
        """Let bus and pins go; may be called twice."""
        ...
