"""Count the cards of a deck that is spread out before the camera, at once or in several goes."""

from collections.abc import Sequence

from vision.messages import ShownCard

#: At most so many cards lie there after a go was taken away: one or two may be forgotten, or be a thing on the mat.
MOST_BETWEEN_GOES = 2
#: Share of a go's cards below which what lies there is what is left of it while it is taken away.
LEAST_SHARE_OF_A_GO = 0.75
#: A doubt whose likeliest label is less likely is no card: part of a picture that looked like a letter.
LEAST_LIKELY_OF_A_CARD = 0.35


class SpreadDeck:
    """All goes that have been read: the last reading of each, before its cards were taken away.

    :param size: cards of a deck; after so many the next go is another deck.
    """

    def __init__(self, size: int) -> None:
        self._size = size
        self._before: list[str | None] = []  # of the goes that were taken away
        self._now: list[str | None] = []
        self._most = 0  # cards of this go at its fullest

    def take(self, cards: Sequence[ShownCard]) -> None:
        """Take a reading of all that lies open."""
        read = [card.label for card in cards if card.label is not None or _may_be_one(card)]
        if len(read) <= MOST_BETWEEN_GOES:
            self._before += self._now
            self._now, self._most = [], 0
        elif len(read) >= LEAST_SHARE_OF_A_GO * self._most:
            if len(self._before) >= self._size:
                self._before = []
            self._now, self._most = read, max(self._most, len(read))

    @property
    def seen(self) -> tuple[str | None, ...]:
        """Every card of every go; None is one that could not be read."""
        return (*self._before, *self._now)


def _may_be_one(doubt: ShownCard) -> bool:
    return bool(doubt.choices) and doubt.choices[0][1] >= LEAST_LIKELY_OF_A_CARD
