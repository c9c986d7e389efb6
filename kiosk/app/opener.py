"""Open the tables of the rounds: for people who sit down, and by the director's plan."""

import logging
from collections.abc import Callable, Mapping
from typing import Any

from kiosk.errors import KioskError, Refused
from kiosk.rules.books import BOOKS
from kiosk.rules.composed.file import BadBook
from kiosk.rules.composed.known import book_by_content
from kiosk.sync.state import Planned
from kiosk.table.default_names import is_default
from kiosk.table.events.codec import decode_opening
from kiosk.table.events.values import RoundOpened
from kiosk.table.table import Table

log = logging.getLogger(__name__)

#: Seconds for which a list that was handed in stays on the screen before the next round's seats come.
LIST_SHOWN_S = 20.0

#: Seconds for which a table without a screen waits for the director's plan before it opens for the people whom its own
#: file names, and after which it tries a plan again that could not be opened.
PLAN_TIMEOUT_S = 15.0

#: Seconds for which it waits for a direction that does not answer where its file names nobody: one that is switched on
#: together with the tables, behind a slow network, has long been there by then.
AWAY_TIMEOUT_S = 120.0


class TableOpener:
    """Players allowed at this table's mat, and the director's plan for it.

    :param now: seconds; the table's time.
    """

    def __init__(self, now: float) -> None:
        self.open_table: Callable[[RoundOpened], Table] | None = None  # once people have sat down
        #: The table of a round that was begun here before, or that a broken device had begun.
        self.resume_table: Callable[[str, int], Table | None] | None = None
        #: Whether the direction may hold a list of this table and has not said so yet.
        self.fetching: Callable[[], bool] = lambda: False
        self.mat_seats = 5  # places on the mat: more people than these are not sat down
        self.tournament = ""  # of a table that was opened without the direction
        self.unattended: dict[str, Any] | None = None  # what opens the table by itself, but for the plan
        self.plan: Planned | None = None  # the director's last word; None: not heard of him yet
        self._followed: Planned | None = None  # the plan that was acted on
        self._closed_at: float | None = None
        self._since = now
        self._failed: Planned | None = None  # a plan that could not be opened
        self._told = ""  # why it waits, as last said

    def sit_down(self, opening: RoundOpened) -> Table:
        """Open the table for which people, or the plan, ask.

        :raises Refused: nobody can sit down so.
        """
        if self.open_table is None:
            raise Refused("not_now", "", "nobody sits at this table yet")
        if wrong := self._mat_too_small(len(opening.players)):
            raise Refused("not_now", "", wrong)
        return self.open_table(opening)

    def name_of(self, number: int) -> str:
        """Return who has that start number, as far as the plan names them; "" if it does not."""
        plan = (self.plan.plan if self.plan is not None else None) or {}
        numbers = plan.get("numbers")
        name = numbers.get(str(number)) if isinstance(numbers, dict) else None
        return name if isinstance(name, str) else ""

    def seated(self) -> None:
        """Note that a table was opened."""
        self._closed_at = None

    def done_with(self, table: Table, has_sent: Callable[[int], bool], now: float) -> bool:
        """Report whether this round is over here and a later one has been seated.

        :param has_sent: whether so many events have reached the director, where there is one.
        """
        plan = self.plan.plan if self.plan is not None else None
        if plan is None or not plan["round"]:
            return False
        if plan["tournament"] == (table.round.opening.tournament or self.tournament):
            over = plan["round"] > table.round.round and table.handed_in
        else:
            over = not table.round.running  # the direction holds another tournament: this list was forgotten
        if not over:
            self._closed_at = None
            return False
        if self._closed_at is None:
            self._closed_at = now
        return has_sent(len(table.events)) and (self.unattended is not None or now - self._closed_at >= LIST_SHOWN_S)

    def planned_table(self, now: float, show: Callable[[dict[str, Any] | None], None]) -> Table | None:
        """Open the table of the director's plan; None while people have to sit down, or nothing is known.

        :param show: shows a new plan to the people who sit down.
        """
        heard, wrong = self.plan, ""
        if heard is not None:
            wrong = self._mat_too_small(len((heard.plan or {}).get("players") or ()))
            if heard != self._followed:
                self._followed = heard
                if (resumed := self._resumed(heard)) is not None:
                    return resumed
                show(heard.plan)
                if wrong:
                    log.error("the table cannot be opened as the direction has set: %s", wrong)
        if wrong or self.unattended is None:  # another plan, another mat, or people are waited for
            return None
        if self.fetching() or self._waits(heard, now):
            return None
        opening, self._since = {**self.unattended, **_opening(heard)}, now
        try:
            table = self.sit_down(decode_opening(opening))
        except KioskError as error:  # tried again after a while, or with another plan
            self._failed = heard
            log.error("the table cannot be opened: %s", error)
            return None
        self._failed, self._told = None, ""
        return table

    def _waits(self, heard: Planned | None, now: float) -> bool:
        """Report whether a table without a screen still waits for who sits there; that it does is told once.

        Seats that are not drawn yet have no names: a list of "Platz 1" to "Platz 4" would be nobody's. A direction that
        does not answer at all is not waited for without an end, for what is played meanwhile would be lost.
        """
        waited, named = now - self._since, self._names_people()
        if heard is None:
            if waited < (PLAN_TIMEOUT_S if named else AWAY_TIMEOUT_S):
                return self._tell("the direction has not answered yet: the table waits for its seats")
            if not named:
                log.warning("the direction has not answered for %.0f s: the table opens with its own seats", waited)
            return False
        if heard == self._failed and waited < PLAN_TIMEOUT_S:
            return True
        if named or (heard.plan or {}).get("players"):
            return False
        return self._tell(
            "the direction has not seated this table yet: it opens once it has; or name the people under round.players "
            "in the table's file"
        )

    def _tell(self, why: str) -> bool:
        """Say why the table waits, unless that was said last; always true."""
        if why != self._told:
            log.warning("%s", why)
        self._told = why
        return True

    def _names_people(self) -> bool:
        """Whether the table's own file says who sits there."""
        return not any(is_default(name) for name in (self.unattended or {}).get("players", ()))

    def _resumed(self, heard: Planned) -> Table | None:
        number = heard.plan.get("round") if heard.plan else None
        if not number or not heard.plan or self.resume_table is None:
            return None
        return self.resume_table(heard.plan["tournament"], number)

    def _mat_too_small(self, many: int) -> str:
        """Why so many people cannot sit down at this table's mat, with the way out; "" if they can."""
        if many <= self.mat_seats:
            return ""
        return (
            f"{many} players, but this table's mat has {self.mat_seats} seats: print another with 'stichwart mat print "
            f"--seats {many}' and set mat.seats = {many} in the table's file, or seat {self.mat_seats} here"
        )


def book_is_known(plan: Mapping[str, Any] | None) -> bool:
    """Report whether this table can play by the book of a plan; a club's own, which the plan carries, it takes.

    What is wrong with it is told: the table goes on with what it had.
    """
    rules, content = (plan or {}).get("rules"), (plan or {}).get("book")
    try:
        if isinstance(rules, str) and isinstance(content, Mapping):
            BOOKS.put(book_by_content(rules, content, "plan"))
    except BadBook as error:
        log.error("the direction's book cannot be played by here: %s; is this table's version older?", error)
        return False
    return True


def _opening(heard: Planned | None) -> dict[str, Any]:
    """What the director's plan says of the event ``open``."""
    plan = (heard.plan if heard is not None else None) or {}
    keys = ["tournament", "rules", "book", "options", "minutes"]
    if plan.get("players"):
        keys += ["round", "players", "substitutes"]
    return {key: plan[key] for key in keys if plan.get(key)}
