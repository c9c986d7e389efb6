"""Ask the direction to admit this device as a table, until it does."""

import logging
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

import httpx

from kiosk.sync.door import keep_door, new_door
from kiosk.table.enrolment import enrolment_code

log = logging.getLogger(__name__)

#: Seconds between two questions.
_ASK_S = 2.0


@dataclass(frozen=True, slots=True)
class Enrolling:
    """What the people at the table shall see: a code for the direction, or the number that the table was given."""

    code: str
    table: int | None = None


class Enroller:
    """Asks in a thread of its own.

    :param folder: where the door is kept once the direction has opened it.
    :param told: what the direction shows of this device: version, mat, …
    :param deliver: called from the thread with each new state.
    """

    def __init__(
        self, url: str, folder: Path, told: Mapping[str, object], deliver: Callable[[Enrolling], None]
    ) -> None:
        self._url, self._folder, self._told, self._deliver = url.rstrip("/"), folder, dict(told), deliver
        self._door = new_door(url)
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
        self._deliver(Enrolling(enrolment_code(self._door.digest)))
        with httpx.Client(trust_env=False, timeout=10) as http:
            while not self._stopping.is_set():
                try:
                    table = self._ask(http)
                    if table is not None:
                        keep_door(self._folder, replace(self._door, table=table))
                        self._deliver(Enrolling("", table))
                        return
                except (httpx.HTTPError, OSError, ValueError) as error:
                    log.info("the direction at %s does not answer: %s", self._url, error)
                self._stopping.wait(_ASK_S)

    def _ask(self, http: httpx.Client) -> int | None:
        wish = {"id": self._door.id, "digest": self._door.digest, "told": self._told}
        response = http.post(f"{self._url}/enrol", json=wish)
        response.raise_for_status()
        table = response.json()["table"]
        if table is not None and (not isinstance(table, int) or not 1 <= table <= 9999):
            raise ValueError(f"the direction gives the number {table!r}; one from 1 to 9999 is wanted")
        return table
