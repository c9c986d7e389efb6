"""Ask the direction to admit this device as a table, until it does."""

import hmac
import logging
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import httpx

from kiosk.errors import shorten
from kiosk.sync.address import answered_object
from kiosk.sync.door import Door, keep_door, new_door
from kiosk.sync.trust import Direction, fingerprint, is_another, meet, trust
from kiosk.table.enrolment import PUBLIC, CodeKeys, code_keys, enrolment_code, fresh_code

log = logging.getLogger(__name__)

#: Seconds between two questions.
_ASK_S = 2.0

_LONGEST = 200  # signs of a tournament's name


@dataclass(frozen=True, slots=True)
class Enrolling:
    """What the people at the table shall see: a code for the direction, or the number that the table was given."""

    code: str  # "": the direction has not answered yet
    address: str  # of the direction: as the table's file has it, and encrypted where it can be
    trouble: str = ""  # away, refused, false; "": the direction waits for the code
    why: str = ""  # what the direction says where it refuses
    table: int | None = None
    changed: bool = False  # this table knows the direction by another certificate
    over: bool = False  # it is not asked any more: the direction knows this device


@dataclass(frozen=True, slots=True)
class _Met:
    """A direction that has answered, and how this device shows itself there."""

    direction: Direction
    http: httpx.Client
    code: str
    keys: CodeKeys | None  # None: nothing is encrypted, the code follows from the secret
    authority: str = ""  # its fingerprint, or ``PUBLIC``


@dataclass(frozen=True, slots=True)
class _Admitted:
    """What the direction says once somebody has typed the code in."""

    table: int
    tournament: str  # "": it does not say


class Enroller:
    """Asks in a thread of its own.

    :param folder: where the door is kept once the direction has opened it.
    :param told: what the direction shows of this device: version, mat, …
    :param door: with a new secret; None: one for this address.
    :param changed: this table knows the direction by another certificate, and people shall hear so.
    :param deliver: called from the thread with each new state.
    """

    def __init__(
        self,
        url: str,
        folder: Path,
        told: Mapping[str, object],
        deliver: Callable[[Enrolling], None],
        door: Door | None = None,
        changed: bool = False,
    ) -> None:
        self._url, self._folder, self._told, self._deliver = url.rstrip("/"), folder, dict(told), deliver
        self._door, self._changed = door or new_door(self._url), changed
        self._met: _Met | None = None
        self._false = False  # the last answer was of somebody who does not know the code
        self._stopping = threading.Event()
        self._thread = threading.Thread(target=self._run, name="enrolling", daemon=True)

    def start(self) -> "Enroller":
        """Begin to ask."""
        self._thread.start()
        return self

    def stop(self, wait: float = 5.0) -> None:
        """End.

        :param wait: seconds to wait for it at most.
        """
        self._stopping.set()
        if self._thread is not threading.current_thread():
            self._thread.join(wait)

    def _run(self) -> None:
        told = None
        while not self._stopping.is_set():
            now = self._try()
            if self._stopping.is_set():
                break
            if now != told:
                told = now
                self._deliver(now)
            if now.table is not None:
                break
            self._stopping.wait(_ASK_S)
        self._part()

    def _try(self) -> Enrolling:
        """Ask once; return what to show, with the number once the secret that goes with it is kept."""
        try:
            met = self._met or self._meet()
            admitted = self._ask(met)
            if admitted is not None:
                to, authority = met.direction.url, met.direction.authority
                door = replace(self._door, to=to, authority=authority)
                keep_door(self._folder, replace(door, table=admitted.table, tournament=admitted.tournament))
            return replace(self._shows(), table=admitted.table if admitted is not None else None)
        except httpx.HTTPStatusError as error:
            log.warning("the direction at %s refuses: %s", self._url, error)
            said = answered_object(error.response).get("message")
            return replace(self._shows(), trouble="refused", why=str(said or error.response.status_code)[:200])
        except (httpx.HTTPError, ValueError) as error:
            log.info("the direction at %s does not answer: %s", self._url, error)
            if is_another(error):  # it is another one than a moment ago
                self._part()
            return replace(self._shows(), trouble="away")
        except OSError as error:
            log.error("the secret cannot be kept in %s: %s", self._folder, error)
            return replace(self._shows(), trouble="refused", why=str(error)[:200])

    def _shows(self) -> Enrolling:
        met = self._met
        trouble = "false" if self._false else ""
        if met is None:
            return Enrolling("", self._url, trouble, changed=self._changed)
        return Enrolling(met.code, met.direction.url, trouble, changed=self._changed)

    def _meet(self) -> _Met:
        direction = meet(Direction(self._url))
        encrypted = direction.url.startswith("https:")
        http = httpx.Client(trust_env=False, timeout=10, verify=trust(direction.authority))
        if encrypted:
            code = fresh_code()
            authority = fingerprint(direction.authority) if direction.authority else PUBLIC
            self._met = _Met(direction, http, code, code_keys(code, authority), authority)
        else:
            self._met = _Met(direction, http, enrolment_code(self._door.digest), None)
        return self._met

    def _part(self) -> None:
        if self._met is not None:
            self._met.http.close()
            self._met = None

    def _ask(self, met: _Met) -> _Admitted | None:
        wish: dict[str, Any] = {"id": self._door.id, "digest": self._door.digest, "told": self._told}
        if met.keys is not None:
            wish |= {"check": met.keys.check, "authority": met.authority}
        response = met.http.post(f"{met.direction.url}/enrol", json=wish)
        response.raise_for_status()
        answer, self._false = answered_object(response), False
        table = answer.get("table")
        if table is None:
            return None
        if not isinstance(table, int) or not 1 <= table <= 9999:
            raise ValueError(f"the direction gives the number {shorten(table)}; one from 1 to 9999 is wanted")
        if met.keys is not None and not self._proved(met.keys, table, answer.get("proof")):
            log.error("who answers at %s does not know the code of this screen; it is not the direction", self._url)
            self._false = True
            self._part()  # it has had its guess
            return None
        tournament = answer.get("tournament")
        return _Admitted(table, tournament if isinstance(tournament, str) and len(tournament) <= _LONGEST else "")

    def _proved(self, keys: CodeKeys, table: int, proof: object) -> bool:
        wanted = keys.proof(self._door.id, self._door.digest, table)
        return isinstance(proof, str) and hmac.compare_digest(proof.encode(), wanted.encode())
