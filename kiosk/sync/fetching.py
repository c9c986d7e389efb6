"""Fetch a large file from the direction: it goes on where it was broken off, slowly, so that no evening feels it."""

import hashlib
import logging
import os
import time
from collections.abc import Callable, Mapping
from pathlib import Path

import httpx

from kiosk.errors import LineError
from kiosk.sync.trust import trust

log = logging.getLogger(__name__)

#: Bytes of a piece, and at most how many a second are fetched.
_PIECE, SPEED = 64 * 1024, 4_000_000

#: Seconds after which a direction that sends nothing is away.
_SILENCE_S = 20.0


class Fetching:
    """One file of the direction's.

    :param url: where it is.
    :param headers: they show the table's secret.
    :param authority: by which the direction is recognised, PEM; "": as this machine's own authorities say.
    :param sha256: of the whole file; another one is thrown away.
    :param told: called with the percent that is there.
    :param goes_on: whether it is wanted still.
    :param speed: bytes a second at most, now.
    """

    def __init__(
        self,
        url: str,
        headers: Mapping[str, str],
        authority: str,
        *,
        size: int,
        sha256: str,
        told: Callable[[int], None],
        goes_on: Callable[[], bool] = lambda: True,
        speed: Callable[[], float] = lambda: SPEED,
        transport: httpx.BaseTransport | None = None,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self._url, self._headers, self._authority = url, dict(headers), authority
        self._size, self._sha256, self._told = size, sha256, told
        self._goes_on, self._speed, self._transport, self._sleep = goes_on, speed, transport, sleep

    def run(self, part: Path) -> None:
        """Fetch what ``part`` lacks.

        :raises LineError: the direction is away, refuses, or the file is not wanted any more; what is there stays.
            A file that is not the one expected is removed.
        :raises OSError: this disk does not take it.
        """
        there = part.stat().st_size if part.exists() else 0
        if there > self._size:
            part.unlink()
            there = 0
        if there < self._size:
            self._fetch(part, there)
        digest = hashlib.sha256()
        with part.open("rb") as file:
            while piece := file.read(1 << 20):
                digest.update(piece)
        if digest.hexdigest() != self._sha256:
            part.unlink()
            raise LineError(f"{self._url}: what came is not what the direction offered; it is fetched anew")

    def _fetch(self, part: Path, there: int) -> None:
        headers = {**self._headers, "Range": f"bytes={there}-", "Accept-Encoding": "identity"}
        timeout = httpx.Timeout(_SILENCE_S, connect=5)
        try:
            with (
                httpx.Client(verify=trust(self._authority), trust_env=False, timeout=timeout, transport=self._transport)
                as http,
                http.stream("GET", self._url, headers=headers) as answer,
            ):  # fmt: skip
                if answer.status_code != 206:
                    raise LineError(f"{self._url}: the direction answers {answer.status_code}")
                with part.open("ab") as file:
                    self._take(answer, file.fileno(), there)
        except httpx.TransportError as error:
            raise LineError(f"{self._url}: {type(error).__name__} {error}") from error

    def _take(self, answer: httpx.Response, file: int, there: int) -> None:
        percent = -1
        for piece in answer.iter_bytes(_PIECE):
            if not self._goes_on():
                raise LineError(f"{self._url}: it is not wanted any more")
            if there + len(piece) > self._size:
                raise LineError(f"{self._url}: more comes than was offered")
            left = memoryview(piece)
            while left:
                left = left[os.write(file, left) :]
            there += len(piece)
            if (now := 100 * there // max(1, self._size)) != percent:
                percent = now
                self._told(percent)
            self._sleep(len(piece) / max(1.0, self._speed()))
