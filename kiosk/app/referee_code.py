"""Check the referee's code: kept as a hash (scrypt), five wrong ones, then a wait that a restart does not shorten."""

import base64
import binascii
import hashlib
import hmac
import json
import logging
import secrets
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from kiosk.app.kept_settings import write_whole

log = logging.getLogger(__name__)

#: Wrong codes until the table waits, and how long, seconds; as on the director's page.
WRONG_CODES, PAUSE_S = 5, 30.0

#: Scrypt's cost (RFC 7914): 16 MB and about 50 ms for each try, on a Pi 4 some 200 ms; a thread of its own takes them.
_N, _R, _P = 2**14, 8, 1
_KIND = "scrypt"

#: File in the data folder that counts wrong codes.
TRIES = "referee-tries.json"


@dataclass(frozen=True, slots=True)
class CodeChecked:
    """A code was checked."""

    right: bool
    wait: float = 0.0  # seconds until the next one is looked at


def hashed(code: str) -> str:
    """Hash a code with a salt of its own, as the table's file takes it."""
    salt = secrets.token_bytes(16)
    return f"{_KIND}:{_N}:{_text(salt)}:{_text(_digest(code, salt, _N))}"


def fits(code: str, kept: str) -> bool:
    """Report whether a code is the one that was hashed; what is no hash fits nothing."""
    try:
        kind, cost, salt, digest = kept.split(":")
        if kind != _KIND or not 2 <= int(cost) <= 2**20:
            return False
        found = _digest(code, base64.b64decode(salt, validate=True), int(cost))
        return hmac.compare_digest(found, base64.b64decode(digest, validate=True))
    except (ValueError, binascii.Error):
        return False


def is_hash(kept: str) -> bool:
    """Report whether this is a hash that ``hashed`` has made."""
    parts = kept.split(":")
    try:
        sizes = [len(base64.b64decode(part, validate=True)) for part in parts[2:]]
    except (ValueError, binascii.Error):
        return False
    return len(parts) == 4 and parts[0] == _KIND and parts[1] == str(_N) and sizes == [16, 64]


class RefereeCode:
    """Checker of codes that are entered or scanned, one at a time.

    :param kept: the hash; or the code itself, as older files have it.
    :param folder: where wrong ones are counted; None: in memory alone.
    :param deliver: called from a thread with each answer.
    """

    def __init__(
        self,
        kept: str,
        folder: Path | None,
        deliver: Callable[[CodeChecked], None],
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        self._kept = kept if is_hash(kept) else hashed(kept)
        self._deliver, self._now = deliver, now
        self._path = folder / TRIES if folder is not None else None
        self._checking = threading.Lock()
        self._wrong = self._read()
        # The date may be changed or lost; who pulls the plug waits anew.
        self._until = now() + PAUSE_S if self._wrong >= WRONG_CODES else 0.0

    def ask(self, code: str) -> None:
        """Check a code; the answer is delivered. While one is checked, others are not looked at."""
        if not self._checking.acquire(blocking=False):
            return
        threading.Thread(target=self._check, args=(code,), name="referee-code", daemon=True).start()

    def _check(self, code: str) -> None:
        try:
            answer = self._answer(code)
        finally:
            self._checking.release()
        self._deliver(answer)

    def _answer(self, code: str) -> CodeChecked:
        wait = self._until - self._now()
        if wait > 0:
            return CodeChecked(False, wait)
        if self._wrong >= WRONG_CODES:
            self._wrong = 0
        self._count(self._wrong + 1)  # before it is looked at: pulling the plug in time must not save a try
        if fits(code, self._kept):
            self._count(0)
            return CodeChecked(True)
        if self._wrong >= WRONG_CODES:
            self._until = self._now() + PAUSE_S
            log.warning("%d wrong codes of the referee: no other for %.0f s", self._wrong, PAUSE_S)
            return CodeChecked(False, PAUSE_S)
        return CodeChecked(False)

    def _count(self, wrong: int) -> None:
        self._wrong = wrong
        if self._path is not None:
            write_whole(self._path, json.dumps({"wrong": wrong}) + "\n")

    def _read(self) -> int:
        try:
            kept = json.loads(self._path.read_text(encoding="utf-8")) if self._path is not None else {}
            return max(0, int(kept.get("wrong", 0)))
        except FileNotFoundError:
            return 0
        except (OSError, ValueError, TypeError, AttributeError) as error:
            log.warning("%s cannot be read, so the referee's code waits once: %s", self._path, error)
            return WRONG_CODES


def _digest(code: str, salt: bytes, cost: int) -> bytes:
    return hashlib.scrypt(code.encode(), salt=salt, n=cost, r=_R, p=_P, maxmem=256 * cost * _R)


def _text(data: bytes) -> str:
    return base64.b64encode(data).decode()
