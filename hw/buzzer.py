"""Play the signals' rhythm on the buzzer, with time as input."""

from collections import deque

from hw.signals import SIGNALS, rhythm

#: Name → seconds sounding, silent, sounding …
PATTERNS: dict[str, tuple[float, ...]] = {name: rhythm(notes) for name, notes in SIGNALS.items()}

#: Seconds of silence between two patterns.
PATTERN_GAP_S = 0.8


class Ringer:
    """Player of patterns one after the other, each once, whatever the time between two calls."""

    def __init__(self) -> None:
        self._waiting: deque[str] = deque()
        self._playing = ""
        self._started = 0.0
        self._free_at = float("-inf")

    def ring(self, pattern: str) -> None:
        """Play a pattern as soon as those before it are over; one that already waits is not put in again.

        :raises KeyError: a pattern that is not in ``PATTERNS``.
        """
        PATTERNS[pattern]
        if pattern not in self._waiting:
            self._waiting.append(pattern)

    def silence(self) -> None:
        """Stop the pattern in play and forget those that wait."""
        self._waiting.clear()
        self._playing = ""

    def advance(self, at: float) -> tuple[str, bool]:
        """Return the pattern in play (empty: none) and whether it sounds at this moment; ``at`` must not go back."""
        if self._playing:
            elapsed = at - self._started
            for index, length in enumerate(PATTERNS[self._playing]):
                if elapsed < length:
                    return self._playing, index % 2 == 0
                elapsed -= length
            self._playing = ""
            self._free_at = at - elapsed + PATTERN_GAP_S
        if self._waiting and at >= self._free_at:
            self._playing = self._waiting.popleft()
            self._started = at
            return self._playing, True
        return "", False
