"""Time the line's waits: its intervals, its growing pauses, and waiting for the first of two events."""

import asyncio
import random
from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class LineTimes:
    """How long the line waits, in seconds."""

    ping: float = 6.0  # without an answer of the director, until it is asked; it takes a table for away after twelve
    status: float = 1.0  # between two messages about the device; a clock in it changes all the time
    silence: float = 12.0  # without a word from the director, after which the socket counts as dead
    log_check: float = 2.0  # after which the log is read though nobody said that it grew
    stuck: float = 15.0  # until the next try after a refusal that only a person can clear


TIMES = LineTimes()


class Backoff:
    """Waiting times that double, with jitter, so that a hall full of tables does not return at the same moment."""

    def __init__(self, slowest: float) -> None:
        self._slowest = slowest
        self.reset()

    def reset(self) -> None:
        """Begin with the shortest wait again."""
        self._next = 0.2

    def next(self) -> float:
        """Return the next wait, seconds."""
        wait = min(self._next, self._slowest)
        self._next = min(self._next * 2, self._slowest)
        return wait * random.uniform(0.5, 1.0)


async def either(first: asyncio.Event, second: asyncio.Event | None, timeout: float) -> None:
    """Wait until one of the events is set, at most ``timeout`` seconds."""
    waits = [asyncio.create_task(event.wait()) for event in (first, second) if event is not None]
    try:
        await asyncio.wait(waits, timeout=timeout, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for wait in waits:
            wait.cancel()
