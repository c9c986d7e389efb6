"""Take what the direction gives: fetched, looked through, and at rest taken all at once, by a start of the program.

And the other way: a deck that was learned here goes to the direction, or on a stick.
"""

import logging
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from hashlib import sha256
from pathlib import Path
from typing import Any, Protocol

import httpx

from hw.stick import Stick, StickError, Sticks, write_files
from kiosk.app.desk import Desk
from kiosk.app.given import GivenFolder
from kiosk.app.jobs import StartJob, in_thread
from kiosk.app.stick_desk import SticksSeen
from kiosk.errors import LineError, Refused, shorten
from kiosk.parcel.check import check_parcel
from kiosk.parcel.parcel import LARGEST, BadParcel, Parcel, check_name
from kiosk.sync.fetching import SPEED, Fetching
from kiosk.sync.state import ParcelOffered, ParcelsWished
from kiosk.sync.trust import trust
from kiosk.ui.hardware.parcels_view import ParcelLine, ParcelsView, SendDeck, ShowParcels, StoreDeck
from kiosk.ui.requests import ScreenRequest
from vision.deck.folder import deck_names, deck_path
from vision.errors import DeckError

log = logging.getLogger(__name__)

#: Seconds to the next try of a direction that is away, and between two looks at the decks learned here.
_AGAIN_S, _LOOK_S = 15.0, 5.0

#: Bytes a second that are fetched while a list is open.
_SLOW = 500_000

#: The direction is told of percent in such steps, of so many decks, and signs of a hash.
_STEP, _MOST, DIGEST = 10, 8, 12

#: Folder on a stick.
_ON_STICK = "stichwart"


@dataclass(frozen=True, slots=True, kw_only=True)
class ParcelBrought:
    """A parcel is on its way, is here, or could not be taken."""

    sha256: str
    job: int
    state: str  # fetching here refused away
    percent: int = 0
    code: str = ""  # why it was refused: words of the subject parcels
    values: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class DeckGone:
    """A deck is on its way to the direction or a stick, is there, or could not be brought there."""

    name: str
    state: str  # sent written failed
    code: str = ""
    values: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class OwnDecks:
    """The decks that were learned here, with the beginning of their hashes."""

    found: tuple[tuple[str, str], ...]


ParcelMessage = ParcelBrought | DeckGone | OwnDecks


class ParcelScreen(Protocol):
    """What parcels need of a screen."""

    def parcels(self, view: ParcelsView) -> None: ...


class ParcelDesk(Desk):
    """Follows what the direction gives, and answers requests about it; the loop that owns the table calls it.

    :param have: what counts since this start.
    :param at_rest: whether nobody minds a start of the program.
    :param anew: starts the program anew.
    :param run: starts a job beside the loop.
    """

    hears = (SticksSeen, ParcelsWished, ParcelBrought, DeckGone, OwnDecks)

    def __init__(
        self,
        given: GivenFolder,
        have: tuple[Parcel, ...],
        decks: Path,
        sticks: Sticks,
        *,
        deliver: Callable[[ParcelMessage], None],
        screen: Callable[[], ParcelScreen | None],
        at_rest: Callable[[], bool],
        anew: Callable[[], None],
        run: StartJob = in_thread,
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        self._given, self._have, self._decks, self._sticks = given, have, decks, sticks
        self._deliver, self._screen, self._at_rest, self._anew = deliver, screen, at_rest, anew
        self._run, self._now = run, now
        self._wished: ParcelsWished | None = None
        self._here: set[str] = {one.sha256 for one in have}  # hashes of whole files
        self._refused: dict[str, BadParcel] = {}  # by hash, of this order
        self._job, self._fetching = 0, ""  # which is fetched, by its hash; "": none
        self._again_at = self._look_at = float("-inf")
        self._own: tuple[tuple[str, str], ...] = ()
        self._looked: object = None  # names and times of the decks' files when they were looked at last
        self._seen: tuple[Stick, ...] = ()
        self._ending = False
        self._view = ParcelsView()
        self._shown = False

    # --- what it hears

    def takes(self, request: ScreenRequest) -> bool:
        """Carry out a request about parcels; return False if it is none.

        :raises Refused: it is not possible now.
        """
        match request:
            case ShowParcels():
                if not self._doing:
                    self._tell(doing="", deck="", why="")
            case SendDeck(name=name) | StoreDeck(name=name):
                if self._doing or name not in [own for own, _ in self._own]:
                    raise Refused("not_now", "", f"{shorten(name)} cannot be brought anywhere now")
                self._bring(name, request)
            case _:
                return False
        return True

    def wished(self, wished: ParcelsWished) -> None:
        """Hear what the direction wants this table to have."""
        if self._wished is None or self._wished.order != wished.order:
            self._refused = {}
            if self._fetching not in {one.sha256 for one in wished.parcels}:
                self._next_job()
            self._again_at = float("-inf")
        for one in wished.parcels:
            try:
                check_name(one.kind, one.name)  # it becomes a file's
            except BadParcel as error:
                self._refused[one.sha256] = error
        self._wished = wished
        self._tell()

    def heard(self, message: ParcelMessage | ParcelsWished | SticksSeen) -> None:
        """Process a message of a thread, of sticks or of the direction."""
        match message:
            case SticksSeen(sticks):
                self._seen = sticks
                self._tell()
            case ParcelsWished():
                self.wished(message)
            case OwnDecks(found):
                self._own = found
                self._tell()
            case DeckGone(name=name, state=state, code=code, values=values):
                self._tell(doing=state, deck=name, why=code, why_values=values)
            case ParcelBrought(job=job) if job == self._job:
                self._brought(message)

    def beat(self) -> None:
        """Fetch what is missing, and take all in at rest."""
        now = self._now()
        if not self._shown:
            self._tell()
        if now >= self._look_at:
            self._look_at = now + _LOOK_S
            self._look()
        wished = self._wished
        if wished is None or wished.order == 0 or self._fetching or self._ending:
            return
        if missing := self._missing:
            if now >= self._again_at:
                self._again_at = now + _AGAIN_S
                self._begin(missing[0], wished)
        elif self._target != self._have and self._at_rest() and self._given.name(self._target):
            log.info("%s given by the direction count from now on; starting anew", len(self._target))
            self._ending = True
            self._anew()

    @property
    def report(self) -> dict[str, Any]:
        """What the direction is told: what is here, what becomes of what it gives, which decks were learned here."""
        wished, view = self._wished, self._view
        told: dict[str, Any] = {"order": wished.order if wished is not None else 0, "state": view.state or "has"}
        if view.state == "fetching":
            told["percent"] = view.percent // _STEP * _STEP
        told["have"] = [[one.kind, one.name, one.sha256[:DIGEST]] for one in self._have]
        if refused := self._refused:
            names = {one.sha256: one.name for one in wished.parcels} if wished is not None else {}
            told["refused"] = [
                {"name": names.get(digest, ""), "code": why.code, "values": why.values}
                for digest, why in refused.items()
            ]
        if self._own:
            told["decks"] = [list(one) for one in self._own[:_MOST]]
        return {"parcels": told}

    # --- what is given

    @property
    def _target(self) -> tuple[Parcel, ...]:
        """What this table is to have: what it shall, and what it had instead of what could not be taken."""
        if self._wished is None or self._wished.order == 0:
            return self._have
        before = {one.slot: one for one in self._have}
        found: list[Parcel] = []
        for one in self._wished.parcels:
            parcel = Parcel(kind=one.kind, name=one.name, sha256=one.sha256, size=one.size)
            if one.sha256 not in self._refused:
                found.append(parcel)
            elif parcel.slot in before:
                found.append(before[parcel.slot])
        return tuple(found)

    @property
    def _missing(self) -> list[ParcelOffered]:
        if self._wished is None or self._wished.order == 0:
            return []
        return [one for one in self._wished.parcels if one.sha256 not in self._here and one.sha256 not in self._refused]

    def _begin(self, offer: ParcelOffered, wished: ParcelsWished) -> None:
        job, self._fetching = self._next_job(), offer.sha256
        self._tell(percent=0)
        self._run(lambda: self._fetch(job, offer, wished))

    def _fetch(self, job: int, offer: ParcelOffered, wished: ParcelsWished) -> None:
        """Beside the loop."""

        def told(state: str, **more: Any) -> None:
            self._deliver(ParcelBrought(sha256=offer.sha256, job=job, state=state, **more))

        try:
            if offer.size > LARGEST[offer.kind]:
                raise BadParcel("parcel_size", f"{offer.size} bytes", size=f"{LARGEST[offer.kind] / 1e6:g}")
            path = self._given.path(offer.sha256)
            if not self._given.is_here(offer.sha256):
                path = self._given.part(offer.sha256)
                Fetching(
                    f"{wished.url}/{offer.sha256}",
                    wished.headers,
                    wished.authority,
                    size=offer.size,
                    sha256=offer.sha256,
                    told=lambda percent: told("fetching", percent=percent),
                    goes_on=lambda: job == self._job,
                    speed=lambda: SPEED if self._at_rest() else _SLOW,
                ).run(path)
            check_parcel(offer.kind, offer.name, path.read_bytes())
            self._given.take(path, offer.sha256)
        except BadParcel as error:
            log.error("%s %r is not taken: %s", offer.kind, offer.name, error)
            self._given.part(offer.sha256).unlink(missing_ok=True)
            told("refused", code=error.code, values=error.values)
        except LineError as error:
            log.info("%s", error)
            told("away")
        except OSError as error:
            log.error("%s %r cannot be kept: %s", offer.kind, offer.name, error)
            told("refused", code="parcel_disk", values={"why": error.strerror or str(error)})
        else:
            told("here")

    def _brought(self, message: ParcelBrought) -> None:
        match message.state:
            case "fetching":
                self._tell(percent=message.percent)
                return
            case "here":
                self._here.add(message.sha256)
            case "refused":
                self._refused[message.sha256] = BadParcel(message.code, message.code, **message.values)
        self._fetching = ""
        if message.state != "away":
            self._again_at = float("-inf")  # the next one at once
        self._tell()

    def _next_job(self) -> int:
        self._job, self._fetching = self._job + 1, ""
        return self._job

    # --- a deck that was learned here

    @property
    def _doing(self) -> bool:
        return self._view.doing in ("sending", "writing")

    def _look(self) -> None:
        """Hash the decks that were learned here, where another one is there than before."""
        laid = self._given.laid_decks()
        try:
            paths = [deck_path(name, self._decks) for name in deck_names(self._decks) if name not in laid]
            looked = tuple((path, path.stat().st_mtime_ns, path.stat().st_size) for path in paths)
        except (OSError, DeckError):  # one goes just now, or has a name that no deck gets here
            return
        if looked != self._looked:
            self._looked = looked
            self._run(lambda: self._deliver(OwnDecks(tuple(_hashed(path) for path in paths))))

    def _bring(self, name: str, request: SendDeck | StoreDeck) -> None:
        path, wished, sticks = deck_path(name, self._decks), self._wished, self._seen
        if isinstance(request, SendDeck):
            if wished is None:
                raise Refused("not_now", "", "the direction is away")
            self._tell(doing="sending", deck=name, why="")
            self._run(lambda: self._send(path, wished))
        else:
            if not sticks:
                raise Refused("not_now", "", "no stick is plugged in")
            self._tell(doing="writing", deck=name, why="")
            self._run(lambda: self._store(path, sticks[0]))

    def _send(self, path: Path, wished: ParcelsWished) -> None:
        """Beside the loop."""
        name = path.stem
        try:
            with httpx.Client(verify=trust(wished.authority), trust_env=False, timeout=60) as http:
                answer = http.post(
                    wished.url, params={"name": name}, headers=dict(wished.headers), content=path.read_bytes()
                )
            told = answer.json() if answer.status_code == 400 else {}
            if answer.status_code == 400 and isinstance(told, dict) and isinstance(told.get("code"), str):
                values = told.get("values")
                self._deliver(DeckGone(name=name, state="failed", code=told["code"][:40], values=values or {}))
                return
            answer.raise_for_status()
        except (OSError, ValueError, httpx.HTTPError) as error:
            log.error("the deck %r was not sent: %s", name, error)
            self._deliver(DeckGone(name=name, state="failed", code="parcel_not_sent"))
        else:
            self._deliver(DeckGone(name=name, state="sent"))

    def _store(self, path: Path, stick: Stick) -> None:
        """Beside the loop."""
        try:
            folder = self._sticks.mount(stick)
            try:
                write_files(folder, [(f"{_ON_STICK}/{path.name}", path.read_bytes())], lambda number, name: None)
            finally:
                self._sticks.unmount(stick)
        except StickError as error:
            log.error("%s: %s", stick.device, error)
            self._deliver(DeckGone(name=path.stem, state="failed", code=f"stick_{error.code}"))
        except OSError as error:
            log.error("the deck %r cannot be read: %s", path, error)
            self._deliver(
                DeckGone(name=path.stem, state="failed", code="parcel_disk", values={"why": error.strerror or ""})
            )
        else:
            self._deliver(DeckGone(name=path.stem, state="written"))

    # --- the screen

    def _tell(self, **change: Any) -> None:
        given = [ParcelLine(kind=one.kind, name=one.name, digest=one.sha256[:DIGEST]) for one in self._have]
        own = [ParcelLine(kind="deck", name=name, digest=digest, own=True) for name, digest in self._own]
        first = next(iter(self._refused.items()), None)
        names = {one.sha256: one.name for one in self._wished.parcels} if self._wished is not None else {}
        self._view = replace(
            self._view,
            lines=(*own, *given),
            state="fetching" if self._missing else "waits" if self._target != self._have else "",
            refused=names.get(first[0], "") if first is not None else "",
            code=first[1].code if first is not None else "",
            values=first[1].values if first is not None else {},
            direction=self._wished is not None,
            stick=self._seen[0].name if self._seen else "",
            **change,
        )
        if screen := self._screen():
            self._shown = True
            screen.parcels(self._view)


def _hashed(path: Path) -> tuple[str, str]:
    try:
        return path.stem, sha256(path.read_bytes()).hexdigest()[:DIGEST]
    except OSError:
        return path.stem, ""
