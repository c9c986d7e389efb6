"""Keep a hand that is laid open apart from what is laid: with a claim, or before it is said.

Its cards come together and side by side, as nobody lays cards. They are noted as none of the game; what was noted of
them before anybody knew is taken back. Once nobody claims any more they are taken up again, and play goes on.
"""

from collections.abc import Callable, Mapping, Sequence
from math import hypot, pi, remainder

from kiosk.table.observe.gone import NumberedCard
from kiosk.table.observe.limits import LIMITS
from vision.messages import CardGone, CardLaid, ShownCard, TrickTaken


class ShownHand:
    """The cards of a hand laid open.

    :param known: vision's numbers → cards, the observer's.
    :param lay: notes a card as one that was laid after all.
    """

    def __init__(self, known: Mapping[int, NumberedCard], lay: Callable[[CardLaid], None]) -> None:
        self._known, self._lay = known, lay
        self.claimed = False  # somebody claims the rest: nobody lays a card
        self.more_read = False  # cards that lie with it were read, and not seen as cards
        self._cards: dict[int, CardLaid] = {}
        self._changed = 0.0  # when a card of it came or went last
        self._departed: list[CardGone | TrickTaken] = []  # while somebody claims

    @property
    def there(self) -> list[CardLaid]:
        """Its cards that lie there."""
        return [one for number, one in self._cards.items() if not self._known[number].gone]

    def takes(self, report: CardLaid) -> bool:
        """Whether a card that was laid now is one of it, or is laid beside it while nobody plays."""
        return self.claimed or any(_parallel(report, one, LIMITS.beside_shown_rad) for one in self.there)

    def add(self, report: CardLaid) -> None:
        """Keep a card of it."""
        self._cards[report.card] = report
        self._changed = report.at

    def seen_again(self, report: CardLaid) -> None:
        """Keep what is known of a card by now."""
        if report.card in self._cards:
            self.add(report)

    def postpones(self, report: CardGone | TrickTaken) -> bool:
        """Whether what has left the mat says nothing of a trick: while somebody claims all may be swept together."""
        numbers = report.cards if isinstance(report, TrickTaken) else (report.card,)
        if self._cards.keys() & set(numbers):
            self._changed = report.at
        if self.claimed:
            for number in numbers:
                if number in self._cards:
                    self._known[number].gone = True
            self._departed.append(report)
        return self.claimed

    def postponed(self) -> list[CardGone | TrickTaken]:
        """Return what has left the mat meanwhile, to be judged now that nobody claims any more."""
        departed, self._departed = self._departed, []
        return departed

    def settle(self, at: float) -> None:
        """Let play go on once it is taken up; a card that he leaves there is the one that he lays."""
        if self.claimed or not self._cards:
            return
        there = self.there
        if there and at - self._changed >= LIMITS.shown_s:
            self._forget()  # it stays there, and is none of the tricks
        elif len(there) <= 1 and at - self._changed >= LIMITS.lifted_together_s:
            left = self.more_read or len(self._cards) > 1
            self._forget()
            for one in there if left else ():
                self._lay(one)

    def _forget(self) -> None:
        self._cards.clear()
        self.more_read = False


def hand_among(cards: Sequence[CardLaid], least: int) -> list[CardLaid]:
    """Find the newest hand laid open among cards that lie there, in the order in which they came; [] if there is none.

    They have come together, and each lies side by side with another: two people's cards do not.

    :param least: so many cards make a hand.
    """
    for newest in reversed(cards):
        found = _beside([newest], [one for one in cards if one is not newest])
        if len(found) >= least:
            return [one for one in cards if one in found]
    return []


def newest_together(cards: Sequence[CardLaid]) -> list[CardLaid]:
    """Find the cards that came with the newest and lie side by side with it, it among them; [] if it came alone.

    They may be of a hand laid open of which no more was read; a fan of which cards are missing is wider.
    """
    if not cards:
        return []
    found = _beside([cards[-1]], list(cards[:-1]), LIMITS.beside_shown_rad)
    return found if len(found) > 1 else []


def any_beside(cards: Sequence[CardLaid], read: Sequence[ShownCard]) -> bool:
    """Whether anything that was read of a hand is as near to one of these cards as those of a hand lie."""
    return any(hypot(one.x - card.x, one.y - card.y) <= LIMITS.fan_mm for one in read for card in cards)


def _beside(found: list[CardLaid], rest: list[CardLaid], turn_rad: float = LIMITS.fan_rad) -> list[CardLaid]:
    """Add to some cards all that came with them and lie in one row or fan with them."""
    while more := [one for one in rest if any(_together(one, two) and _parallel(one, two, turn_rad) for two in found)]:
        found, rest = [*found, *more], [one for one in rest if one not in more]
    return found


def _together(one: CardLaid, other: CardLaid) -> bool:
    """Report whether two cards came at about the same time, and no two arms were clearly seen to bring them."""
    rested = one.at if one.rested is None else one.rested
    if abs(rested - (other.at if other.rested is None else other.rested)) > LIMITS.shown_together_s:
        return False
    if one.arm is None or other.arm is None or min(one.arm_share, other.arm_share) < LIMITS.clear_arm_share:
        return True
    return abs(remainder(one.arm - other.arm, 2 * pi)) <= LIMITS.seat_arm_rad


def _parallel(one: CardLaid, other: CardLaid, turn_rad: float = LIMITS.fan_rad) -> bool:
    near = hypot(one.x - other.x, one.y - other.y) <= LIMITS.fan_mm
    return near and abs(remainder(one.angle - other.angle, pi)) <= turn_rad
