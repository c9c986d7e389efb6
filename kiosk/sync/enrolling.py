"""Ask the direction to admit this device as a table, until it does."""

import logging
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

import httpx

from kiosk.sync.address import answered_object
from kiosk.sync.door import keep_door, new_door
from kiosk.table.enrolment import enrolment_code

log = logging.getLogger(__name__)

#: Seconds between two questions.
_ASK_S = 2.0


@dataclass(frozen=True, slots=True)
class Enrolling:
    """What the people at the table shall see: a code for the direction, or the number that the table was given."""

    code: str
    address: str  # of the direction, as the table's file has it
    trouble: str = ""  # away, refused; "": the direction waits for the code
    why: str = ""  # what the direction says where it refuses
    table: int | None = None


class Enroller:
    """Asks in a thread of its own.

    :param folder: where the door is kept once the direction has opened it.
    :param told: what the direction shows of this device: version, mat, …
    :param instead: ``trace`` of the secret in the table's file, which this direction does not take.
    :param deliver: called from the thread with each new state.
    """

    def __init__(
        self,
        url: str,
        folder: Path,
        told: Mapping[str, object],
        deliver: Callable[[Enrolling], None],
        instead: str = "",
    ) -> None:
        self._url, self._folder, self._told, self._deliver = url.rstrip("/"), folder, dict(told), deliver
        self._door = new_door(url, instead)
        self._stopping = threading.Event()
        self._thread = threading.Thread(target=self._run, name="enrolling", daemon=True)

    def start(self) -> "Enroller":
        """Begin to ask."""
        self._thread.start()
        return self

    def stop(self) -> None:
        """End."""
        self._stopping.set()
        if self._thread is not threading.current_thread():
            self._thread.join(5)

    def _run(self) -> None:
        shows = Enrolling(enrolment_code(self._door.digest), self._url)
        told = None
        with httpx.Client(trust_env=False, timeout=10) as http:
            while not self._stopping.is_set():
                now, table = self._try(http, shows)
                if table is not None:
                    self._deliver(replace(shows, table=table))
                    return
                if now != told:
                    told = now
                    self._deliver(now)
                self._stopping.wait(_ASK_S)

    def _try(self, http: httpx.Client, shows: Enrolling) -> tuple[Enrolling, int | None]:
        """Ask once; return what to show, and the number once the secret that goes with it is kept."""
        try:
            table = self._ask(http)
            if table is not None:
                keep_door(self._folder, replace(self._door, table=table))
            return shows, table
        except httpx.HTTPStatusError as error:
            log.warning("the direction at %s refuses: %s", self._url, error)
            said = answered_object(error.response).get("message")
            return replace(shows, trouble="refused", why=str(said or error.response.status_code)[:200]), None
        except (httpx.HTTPError, ValueError) as error:
            log.info("the direction at %s does not answer: %s", self._url, error)
            return replace(shows, trouble="away"), None
        except OSError as error:
            log.error("the secret cannot be kept in %s: %s", self._folder, error)
            return replace(shows, trouble="refused", why=str(error)[:200]), None

    def _ask(self, http: httpx.Client) -> int | None:
        wish = {"id": self._door.id, "digest": self._door.digest, "told": self._told}
        response = http.post(f"{self._url}/enrol", json=wish)
        response.raise_for_status()
        table = response.json()["table"]
        if table is not None and (not isinstance(table, int) or not 1 <= table <= 9999):
            raise ValueError(f"the direction gives the number {table!r}; one from 1 to 9999 is wanted")
        return table
