"""Take releases at a table: from a stick on people's wish, or as the direction offers them.

Root lays what is brought (``kiosk.release.incoming``); here it is brought, followed, told, and asked for: the program
makes way for it when the table rests (``kiosk.app.updating``).
"""

import json
import logging
import re
import secrets
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import replace
from typing import Any, Protocol

from hw.stick import Stick, Sticks
from kiosk.app.bringing import Brought, ReleaseMessage, SticksSearched, copy, fetch, search
from kiosk.app.desk import Desk
from kiosk.app.jobs import StartJob, in_thread
from kiosk.app.stick_desk import SticksSeen
from kiosk.errors import LineError, Refused
from kiosk.release.incoming import ENDING, answered
from kiosk.release.layout import Layout, put
from kiosk.sync.fetching import SPEED, Fetching
from kiosk.sync.state import ReleaseOffered, ReleaseWished
from kiosk.ui.hardware.release_view import BundleLine, LookForReleases, ReleaseView, TakeRelease
from kiosk.ui.requests import ScreenRequest

log = logging.getLogger(__name__)

#: Seconds between two looks at root's answer, after which root does not answer, and to the next try of the direction.
_LOOK_S, _SILENT_S, _AGAIN_S = 1.0, 120.0, 15.0

#: Seconds after people have opened the page in which a stick that is plugged in is looked through.
_SEARCH_S = 600.0

#: Bytes a second that are fetched while a list is open.
_SLOW = 500_000

#: The direction is told of percent in such steps.
_STEP = 5


class ReleaseScreen(Protocol):
    """What releases need of a screen."""

    def releases(self, view: ReleaseView) -> None: ...


class ReleaseDesk(Desk):
    """Answers requests about releases and offers of the direction; the loop that owns the table calls it.

    :param deliver: brings messages of its threads to the inbox.
    :param at_rest: whether nobody minds a restart.
    :param run: starts a job beside the loop.
    """

    hears = (SticksSeen, SticksSearched, Brought, ReleaseWished)

    def __init__(
        self,
        layout: Layout,
        sticks: Sticks,
        *,
        deliver: Callable[[ReleaseMessage], None],
        screen: Callable[[], ReleaseScreen | None],
        at_rest: Callable[[], bool],
        run: StartJob = in_thread,
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        self._layout, self._sticks, self._deliver, self._screen = layout, sticks, deliver, screen
        self._at_rest, self._run, self._now = at_rest, run, now
        self._view = ReleaseView(runs=layout.current)
        self._searches_until = 0.0  # somebody looks for releases
        self._told = False  # the screen knows that this machine takes releases
        self._seen: tuple[Stick, ...] = ()
        self._search_again = False  # others were plugged in while sticks were looked through
        self._job = 0  # number of the last one; what an earlier one says does not count
        laid = sorted(layout.incoming.glob(f"*{ENDING}"))
        self._laid = laid[0].name if laid else ""  # the bundle that root has, perhaps since before a restart
        self._laid_at = 0.0
        self._look_at = 0.0
        self._offer: ReleaseOffered | None = None
        self._offered = False  # what is being taken is the direction's offer
        self._again_at = float("inf")  # when the offer is tried (again)
        self._kept = self._read_kept()

    # --- what it hears

    def takes(self, request: ScreenRequest) -> bool:
        """Carry out a request about releases; return False if it is none.

        :raises Refused: it is not possible now.
        """
        match request:
            case LookForReleases():
                self._searches_until = self._now() + _SEARCH_S
                self._search()
            case TakeRelease(device=device, file=file, referee=referee):
                if self._view.busy:
                    raise Refused("not_now", "", "a release is being taken already")
                if not referee and not self._at_rest():
                    raise Refused("not_now", "", "a list is open; the referee may do it all the same")
                self._take(device, file)
            case _:
                return False
        return True

    def heard(self, message: ReleaseMessage | ReleaseWished | SticksSeen) -> None:
        """Process a message of a thread, of sticks or of the direction."""
        match message:
            case SticksSeen(sticks):
                self._seen = sticks
                self._search()
            case ReleaseWished(offer):
                self.offered(offer)
            case SticksSearched(found):
                self._tell(searching=False, found=found)
                if self._search_again:
                    self._search()
            case Brought(job=job) if job == self._job:
                self._brought(message)

    def offered(self, offer: ReleaseOffered | None) -> None:
        """Hear which release the direction offers; None: none any more."""
        if offer is not None and self._offer is not None and offer.order == self._offer.order:
            self._offer = offer  # perhaps from another address
            return
        before, self._offer = self._offer, offer
        self._again_at = float("inf") if offer is None else self._now()
        if offer is None or before is not None:
            self._take_back()

    def beat(self) -> None:
        """Follow what root does, and begin what the direction offers."""
        now = self._now()
        if not self._told:
            self._tell()
        if now < self._look_at:
            return
        self._look_at = now + _LOOK_S
        if self._laid:
            self._follow()
        elif not self._view.busy and now >= self._again_at:
            self._begin_offer()

    @property
    def report(self) -> dict[str, Any]:
        """What the direction is told: of which order it is, and what becomes of it."""
        if self._offer is None:
            return {}
        view, order = self._view, {"order": self._offer.order}
        if self._offer.version == self._layout.current:
            return {"release": {**order, "state": "runs"}}
        if not self._offered:
            return {"release": {**order, "state": "offered"}}
        told = {**order, "state": view.state, "percent": view.percent // _STEP * _STEP}
        return {"release": told if not view.code else {**told, "code": view.code, "values": dict(view.values)}}

    # --- sticks

    def _search(self) -> None:
        sticks = self._seen
        self._search_again = self._view.searching
        if self._view.searching:
            return
        if self._now() >= self._searches_until or self._view.busy or not sticks:
            self._tell(sticks=len(sticks), found=() if not sticks else self._view.found)
            return
        self._tell(sticks=len(sticks), searching=True, found=())
        self._run(lambda: self._deliver(search(self._sticks, sticks, self._layout)))

    def _take(self, device: str, file: str) -> None:
        stick = next((one for one in self._seen if one.device == device), None)
        line = next((one for one in self._view.found if (one.device, one.file) == (device, file)), None)
        if stick is None or line is None:
            self._refused("stick_gone", {})
            return
        if line.code:
            self._refused(line.code, line.values)
            return
        self._offered = False
        if self._layout.is_ready(line.release):
            self._ready(line.release)
            return
        job, name = self._next_job(), f"stick-{secrets.token_hex(4)}{ENDING}"
        self._tell(state="copying", release=line.release, percent=0, code="", values={})
        self._run(lambda: self._copy(job, stick, line, name))

    def _copy(self, job: int, stick: Stick, line: BundleLine, name: str) -> None:
        """Beside the loop."""

        def told(state: str, percent: int) -> None:
            self._deliver(Brought(job=job, state=state, percent=percent))

        code, why = copy(self._sticks, stick, line.file, self._layout, name, told)
        self._end_of(job, name, code, why)

    def _end_of(self, job: int, name: str, code: str, why: str) -> None:
        if code:
            self._deliver(Brought(job=job, state="failed", code=code, values={"why": why} if why else {}))
        else:
            self._deliver(Brought(job=job, state="laid", values={"file": name}))

    # --- the direction's offer

    def _begin_offer(self) -> None:
        offer = self._offer
        assert offer is not None
        self._again_at, self._offered = float("inf"), True
        if offer.version == self._layout.current:
            self._tell(state="", release="", code="", values={})
            return
        name = f"{offer.sha256[:16]}-{offer.order}{ENDING}"
        done = self._kept if self._kept.get("order") == offer.order else {}
        if done.get("code"):
            self._tell(state="refused", release=offer.version, code=str(done["code"]), values=done.get("values") or {})
        elif done and self._layout.failed == offer.version:
            self._refused("bundle_failed", {"version": offer.version})
        elif not self._layout.lasts:
            self._refused("bundle_memory", {})
        elif offer.made < self._layout.made(self._layout.current):
            self._refused("bundle_older", {"version": offer.version})
        elif self._layout.is_ready(offer.version):
            self._ready(offer.version)
        elif answered(self._layout).file == name:
            self._laid, self._laid_at = name, self._now()
        else:
            job = self._next_job()
            self._tell(state="fetching", release=offer.version, code="", values={})
            self._run(lambda: self._fetch(job, offer, name))

    def _fetch(self, job: int, offer: ReleaseOffered, name: str) -> None:
        """Beside the loop."""
        fetching = Fetching(
            offer.url,
            offer.headers,
            offer.authority,
            size=offer.size,
            sha256=offer.sha256,
            told=lambda percent: self._deliver(Brought(job=job, state="fetching", percent=percent)),
            goes_on=lambda: job == self._job,
            speed=lambda: SPEED if self._at_rest() else _SLOW,
        )
        try:
            code, why = fetch(fetching, self._layout, offer.sha256, name)
        except LineError as error:
            log.info("%s", error)
            self._deliver(Brought(job=job, state="failed", again=True))
        else:
            self._end_of(job, name, code, why)

    def _take_back(self) -> None:
        """The direction's offer does not stand any more."""
        if self._kept and self._layout.wanted == self._kept.get("version"):
            with suppress(OSError):
                self._layout.want_no_other()
        if self._kept and self._offer is None:
            self._keep({})
        if self._offered:
            self._offered, self._laid = False, ""
            self._next_job()
            self._tell(state="", release="", percent=0, code="", values={})

    # --- both

    def _next_job(self) -> int:
        self._job += 1
        return self._job

    def _brought(self, message: Brought) -> None:
        match message.state:
            case "laid":
                self._laid, self._laid_at = str(message.values["file"]), self._now()
                self._tell(state="check", percent=100)
            case "failed" if message.again:
                self._again_at, self._offered = self._now() + _AGAIN_S, False
                self._tell(state="")
            case "failed":
                self._refused(message.code, message.values)
            case state:
                self._tell(state=state, percent=message.percent)

    def _follow(self) -> None:
        answer = answered(self._layout)
        if answer.file != self._laid:
            if self._now() - self._laid_at > _SILENT_S:
                with suppress(OSError):
                    (self._layout.incoming / self._laid).unlink()
                self._refused("bundle_silent", {})
        elif answer.state == "refused":
            self._refused(answer.code, answer.values)
        elif answer.state == "ready":
            self._ready(answer.release)
        else:
            self._tell(state=answer.state, percent=round(100 * answer.share))

    def _ready(self, release: str) -> None:
        """Ask for a release that lies there whole; it starts when the table rests."""
        order, self._laid = self._order, ""
        if order is not None:
            self._keep({"order": order, "version": release})
        try:
            self._layout.want(release)
        except OSError as error:
            self._refused("bundle_disk", {"why": error.strerror or str(error)})
            return
        self._tell(state="waits", release=release, percent=100, code="", values={})

    @property
    def _order(self) -> int | None:
        """The direction's order that is being carried out; after a restart its bundle's name says which it was."""
        if self._offered and self._offer is not None:
            return self._offer.order
        fetched = re.fullmatch(rf"[0-9a-f]{{16}}-(\d+){re.escape(ENDING)}", self._laid)
        return int(fetched[1]) if fetched is not None else None

    def _refused(self, code: str, values: Mapping[str, Any]) -> None:
        order, self._laid = self._order, ""
        if order is not None:
            self._keep({"order": order, "code": code, "values": dict(values)})
        self._tell(state="refused", code=code, values=values)

    def _tell(self, **change: Any) -> None:
        self._view = replace(self._view, **change)
        if screen := self._screen():
            self._told = True
            screen.releases(self._view)

    # --- what outlives a restart: what became of the last offer

    def _read_kept(self) -> dict[str, Any]:
        try:
            kept = json.loads((self._layout.state / "offer").read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return {}
        return kept if isinstance(kept, dict) else {}

    def _keep(self, kept: dict[str, Any]) -> None:
        self._kept = kept
        try:
            put(self._layout.state / "offer", json.dumps(kept))
        except OSError as error:
            log.error("what became of the direction's offer is not kept: %s", error)
