"""Tell which game a card belongs to: it may begin the next one, which is dealt then, or be noted in the one before."""

from collections.abc import Mapping, MutableMapping

from kiosk.table.inference.position import Position
from kiosk.table.inference.seats import Place
from kiosk.table.observe.desk import Desk, remove_card
from kiosk.table.observe.gone import NumberedCard
from kiosk.table.observe.missed import is_another_game, play_out
from kiosk.table.observe.noting import note_card
from vision.messages import CardLaid


class NextGame:
    """The pauses in which cards are dealt.

    :param known: vision's numbers → cards, the observer's.
    :param centres: the middle of each seat's field on the mat, in mm.
    :param dealing_s: time in which cards can have been dealt, at least.
    """

    def __init__(
        self,
        desk: Desk,
        known: MutableMapping[int, NumberedCard],
        centres: Mapping[int, Place],
        dealing_s: float,
    ) -> None:
        self._desk, self._known, self._centres, self._dealing_s = desk, known, centres, dealing_s
        self._idle_since: float | None = None  # no game was in play from this report on
        self._after_pause: list[CardLaid] | None = None  # reports of a trick that may be another game's

    def watch(self, at: float) -> None:
        """Keep since when no game is in play."""
        if self._desk.position().playing:
            self._idle_since = None
        elif self._idle_since is None:
            self._idle_since = at

    def ended(self, at: float) -> None:
        """A card that came now showed that the game was over ``at`` this time."""
        self._idle_since = at

    def deal_for(self, report: CardLaid) -> bool:
        """Whether a card that was laid between the games begins the next one, which is dealt then."""
        dealt = self._dealt_by_now(report, self._desk.position())
        strays = any(known.event is None and not known.gone for known in self._known.values())
        if dealt and not strays:
            self._desk.deal()
            return True
        self._known[report.card] = NumberedCard(event=None, since=report.at)
        if dealt:
            self._desk.notices["stray_card", None] = None
        return False

    def led(self, *, paused: bool) -> None:
        """A trick begins; after a pause in which cards can have been dealt it may be another game's."""
        self._after_pause = [] if paused else None

    def was_begun_by(self, report: CardLaid) -> bool:
        """Whether the trick begun after a pause turns out with this card to be the next game's; it is noted there."""
        if self._after_pause is None:
            return False
        self._after_pause.append(report)
        events = {self._known[one.card].event for one in self._after_pause}
        if not is_another_game(self._desk.position(), events):
            return False
        cards, self._after_pause = self._after_pause, None
        # The game before lacks tricks that the camera did not see, which are in doubt.
        for one in reversed(cards):
            remove_card(self._desk, self._known[one.card].event, "of the next game")
        if play_out(self._desk) and self._desk.position().may_deal:
            self._desk.deal()
            for one in cards:
                self._known[one.card].event = note_card(self._desk, self._centres, one, self._desk.position())
        return True

    def _dealt_by_now(self, report: CardLaid, position: Position) -> bool:
        """Whether a new game may have been dealt since the last one ended."""
        return position.may_deal and self._idle_since is not None and report.at - self._idle_since >= self._dealing_s
