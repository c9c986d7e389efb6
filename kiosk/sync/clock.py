"""Measure the director's time over the socket."""

from collections import deque


class DirectorClock:
    """Offset of the director's clock against the table's monotonic one.

    Of the last measurements the one with the shortest way there and back counts, as in NTP's clock filter
    (RFC 5905, 10): its error is at most half of that way.
    """

    def __init__(self, keep: int = 8) -> None:
        self._samples: deque[tuple[float, float]] = deque(maxlen=keep)

    def measured(self, sent: float, received: float, director: float) -> None:
        """Record a round trip: the question left at ``sent``, its answer came at ``received`` (monotonic seconds).

        In between the director's clock showed ``director`` (seconds since the epoch).
        """
        self._samples.append((received - sent, director - (sent + received) / 2))

    def forget(self) -> None:
        """Forget the offset: the next socket may lead to another clock."""
        self._samples.clear()

    @property
    def offset(self) -> float | None:
        """Seconds to add to the monotonic clock to get the director's time since the epoch; None: not measured."""
        return min(self._samples)[1] if self._samples else None

    @property
    def error(self) -> float | None:
        """Largest error of the offset in seconds."""
        return min(self._samples)[0] / 2 if self._samples else None
