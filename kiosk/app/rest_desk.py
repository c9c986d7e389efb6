"""Find out beside play whether a claimed rest holds: it may take some seconds of a small computer."""

import logging
import threading
from collections.abc import Callable

from kiosk.app.desk import Desk
from kiosk.app.outputs import Outputs
from kiosk.errors import Refused
from kiosk.rules.engine.claimed_rest import as_all_know, judge_rest
from kiosk.rules.engine.game import Game
from kiosk.table.table import Table
from kiosk.ui.play.claim_question import CheckRest, RestChecked
from kiosk.ui.requests import ScreenRequest

log = logging.getLogger(__name__)


class RestDesk(Desk):
    """What a claimed rest comes to, by what everybody at the table can know.

    :param deliver: called from a thread with each answer.
    """

    hears = (RestChecked,)

    def __init__(self, outputs: Outputs, deliver: Callable[[RestChecked], None]) -> None:
        self._outputs, self._deliver = outputs, deliver
        self._table: Table | None = None

    def sit(self, table: Table) -> None:
        """Serve this table from now on."""
        self._table = table

    def takes(self, request: ScreenRequest) -> bool:
        """Begin to find out; return False if it is another request."""
        if not isinstance(request, CheckRest):
            return False
        game = self._table.round.game if self._table is not None else None
        if game is None or game.phase != "playing" or request.seat not in game.seats:
            raise Refused("not_now", "", f"no rest of seat {request.seat} can be claimed now")
        threading.Thread(target=self._check, args=(request, game), name="claimed-rest", daemon=True).start()
        return True

    def _check(self, asked: CheckRest, game: Game) -> None:
        verdict = judge_rest(as_all_know(game), asked.seat, asked.hand, asked.order)
        log.info("the rest of seat %d: holds %s %s", asked.seat, verdict.holds, verdict.why)
        trick = tuple((laid.seat, laid.card) for laid in game.open_trick)
        self._deliver(RestChecked(asked=asked, verdict=verdict, trick=trick))

    def heard(self, message: RestChecked) -> None:
        """Show the answer."""
        self._outputs.rest_checked(message)
