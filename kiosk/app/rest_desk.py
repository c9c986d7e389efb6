"""Have a hand that is laid open read, and find out beside play whether the rest that is claimed with it holds.

The latter may take some seconds of a small computer.
"""

import logging
import threading
from collections.abc import Callable

from kiosk.app.desk import Desk
from kiosk.app.outputs import Outputs
from kiosk.errors import Refused
from kiosk.rules.engine.claimed_rest import as_all_know, judge_rest
from kiosk.rules.engine.game import Game
from kiosk.table.inference.open_hand import cards_of_hand
from kiosk.table.standing_claim import StandingClaim
from kiosk.table.table import Table
from kiosk.ui.play.claim_question import CheckRest, HandSeen, RestChecked, ShowHand
from kiosk.ui.requests import ScreenRequest
from vision.messages import Command, HandRead, ReadHand

log = logging.getLogger(__name__)


#: Seconds after which the camera's process is asked once more: it may have been started anew.
ASK_AGAIN_S = 5.0


class RestDesk(Desk):
    """What a claimed rest comes to, by what everybody at the table can know.

    :param deliver: called from a thread with each answer.
    :param now: seconds; the table's time.
    """

    hears = (RestChecked, HandRead)

    def __init__(
        self, outputs: Outputs, deliver: Callable[[RestChecked], None], now: Callable[[], float] = lambda: 0.0
    ) -> None:
        self._outputs, self._deliver, self._now = outputs, deliver, now
        self._table: Table | None = None
        self._claim: StandingClaim | None = None  # a hand is laid open
        self._asked = 0.0  # the camera's process, s
        self.send: Callable[[Command], None] = lambda _: None  # to the camera's process, where there is one

    def sit(self, table: Table) -> None:
        """Serve this table from now on, and go on with what was claimed there when the program ended."""
        self._table = table
        self._claim = table.claim_left
        if self._claim is not None:
            self._ask()
            self._outputs.claim_left(self._claim)

    def begin(self) -> None:
        """The screen is up: what was claimed when the program ended stands there."""
        if self._table is not None and self._table.claim_left is not None:
            self._outputs.claim_left(self._table.claim_left)

    def takes(self, request: ScreenRequest) -> bool:
        """Begin to find out, or have the hand read; return False if it is another request."""
        if isinstance(request, ShowHand):
            self._show(request.claim)
            return True
        if not isinstance(request, CheckRest):
            return False
        game = self._game
        if game is None or game.phase != "playing" or request.seat not in game.seats:
            raise Refused("not_now", "", f"no rest of seat {request.seat} can be claimed now")
        threading.Thread(target=self._check, args=(request, game), name="claimed-rest", daemon=True).start()
        return True

    @property
    def _game(self) -> Game | None:
        return self._table.round.game if self._table is not None else None

    def _show(self, claim: StandingClaim | None) -> None:
        """Have a hand read from now on, or no longer; no card of it is laid."""
        before, self._claim = self._claim, claim
        if self._table is not None:
            self._table.show_hand(claim is not None, self._now(), claim)
        if claim is None or not claim.is_of(before):
            self._ask()

    def _ask(self) -> None:
        self._asked = self._now()
        if self._table is None or self._claim is None:
            self.send(ReadHand(on=False))
            return
        cards = self._size(self._claim) + len(self._table.observer.lying)
        self.send(ReadHand(faces=tuple(dict.fromkeys(self._table.round.book.deck)), cards=cards))

    def _size(self, claim: StandingClaim) -> int:
        game = self._game
        return game.hand_sizes.get(claim.seat, 0) if game is not None else 0

    def beat(self) -> None:
        """Ask for the reading once more now and then; what is shown after the game is nobody's claim."""
        if self._claim is not None and (self._game is None or self._game.phase != "playing"):
            self._show(None)
        elif self._claim is not None and self._now() - self._asked >= ASK_AGAIN_S:
            self._ask()

    def _check(self, asked: CheckRest, game: Game) -> None:
        verdict = judge_rest(as_all_know(game), asked.seat, asked.hand, asked.order)
        log.info("the rest of seat %d: holds %s %s", asked.seat, verdict.holds, verdict.why)
        trick = tuple((laid.seat, laid.card) for laid in game.open_trick)
        self._deliver(RestChecked(asked=asked, verdict=verdict, trick=trick))

    def heard(self, message: RestChecked | HandRead) -> None:
        """Show the answer, or what is seen of the hand."""
        if isinstance(message, RestChecked):
            self._outputs.rest_checked(message)
        elif self._table is not None and self._claim is not None:
            self._table.hand_read(message, self._claim.seat, self._now())
            self._outputs.hand_seen(self._seen(message, self._table, self._claim))

    def _seen(self, read: HandRead, table: Table, claim: StandingClaim) -> HandSeen:
        cards = cards_of_hand(read.cards, table.position(), table.observer.lying, self._size(claim))
        return HandSeen(seat=claim.seat, game=claim.game, cards=cards, by=read.by)
