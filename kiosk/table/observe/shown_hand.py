"""Keep a hand that is laid open apart from what is laid: with a claim, or before it is said.

Its cards come together and side by side, as nobody lays cards. They are noted as none of the game; what was noted of
them before anybody knew is taken back. Once nobody claims any more they are taken up again, and play goes on.
"""

from collections.abc import Callable, Sequence
from math import hypot, pi, remainder

from kiosk.table.inference.open_hand import without_trick
from kiosk.table.inference.position import Lying
from kiosk.table.observe.desk import Desk
from kiosk.table.observe.gone import NumberedCard
from kiosk.table.observe.limits import LIMITS
from kiosk.table.observe.noted import NotedCards
from vision.messages import CardGone, CardLaid, HandRead, ShownCard, TrickTaken

#: Why cards that were noted are none.
_OF_A_HAND = "of a hand laid open"


class ShownHand:
    """The cards of a hand laid open.

    :param known: vision's numbers → cards, shared with the observer.
    :param lay: notes a card as one that was laid after all.
    """

    def __init__(
        self, desk: Desk, known: dict[int, NumberedCard], noted: NotedCards, lay: Callable[[CardLaid], None]
    ) -> None:
        self._desk, self._known, self._noted, self._lay = desk, known, noted, lay
        self.claimed = False  # somebody claims the rest: nobody lays a card
        self._more_read = False  # cards that lie with it were read, and not seen as cards
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
        """Keep a card of it, which belongs to no game."""
        self._known[report.card] = NumberedCard(event=None, since=report.at)
        self._keep(report)

    def keep_apart(self, least: int, waiting: Sequence[CardLaid], now: Sequence[CardLaid] = ()) -> bool:
        """Take back what was noted of a hand laid open, and keep its cards apart; return whether there is one.

        :param least: so many cards make a hand. :param waiting: cards that are still to be noted, which may be of it.
        :param now: cards that are reported now, and may be of it.
        """
        no_more = {one.event for one in self._desk.position().seen if one.fixed} | {None}
        there = {number for number, one in self._known.items() if not one.gone and one.event not in no_more}
        noted = [one for one in self._noted.cards if one.card in there]
        hand = hand_among([*noted, *waiting, *now], least)
        if not hand or any(one not in hand for one in now):
            return False
        for one in reversed(hand):
            if one not in noted or self._noted.withdraw([one], _OF_A_HAND):
                self.add(one)
        return True

    def read(self, read: HandRead, came: Sequence[CardLaid], lying: Sequence[Lying]) -> None:
        """Take back what was noted of a claimed hand of which more is read now than was seen as cards.

        :param came: noted cards that may have come with it. :param lying: the cards that lie there.
        """
        more = len(read.cards) > len(lying)  # else one of the trick was read as another
        if self.claimed and more and any_beside(came, without_trick(read.cards, lying)):
            for one in reversed(came):
                if self._noted.withdraw([one], _OF_A_HAND):
                    self.add(one)
                    self._more_read = True

    def seen_again(self, report: CardLaid) -> None:
        """Keep what is known of a card by now."""
        if report.card in self._cards:
            self._keep(report)

    def _keep(self, report: CardLaid) -> None:
        self._cards[report.card] = report
        self._changed = report.at

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
            left = self._more_read or len(self._cards) > 1
            self._forget()
            for one in there if left else ():
                self._lay(one)

    def _forget(self) -> None:
        self._cards.clear()
        self._more_read = False


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
