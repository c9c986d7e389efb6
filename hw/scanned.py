"""From a scanner's bytes to what was scanned.

A line is a player's badge, ``P:1234 Anna Muster`` (number, blank, name; the name may be missing), a barcoded card in
the protocol's notation, ``HT`` (small letters too), or neither. Lines end with CR, LF or both.
"""

import re
from dataclasses import dataclass
from typing import TypeAlias

#: Bytes of the longest line that counts; a badge with a long name has fewer than 100.
LONGEST = 200

#: Seconds after which a begun line is given up: a scanner sends a line in one go, even at 1200 baud.
PATIENCE = 2.0

_BADGE = re.compile(r"[Pp]:\s*(\d{1,9})(?:\s+(.*))?")
_CARD = re.compile(r"[CSHDEG][ATKQJOU987]", re.IGNORECASE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Badge:
    """A player's badge."""

    at: float  # seconds of hw.clock.now
    number: int
    name: str  # as printed; empty if the badge has none


@dataclass(frozen=True, slots=True, kw_only=True)
class CardCode:
    """A barcoded card."""

    at: float
    card: str  # suit and rank, like HT


@dataclass(frozen=True, slots=True, kw_only=True)
class Unreadable:
    """A line that is neither, or that was too long or broke off."""

    at: float
    text: str
    why: str


Scanned: TypeAlias = Badge | CardCode | Unreadable


def classify(text: str, at: float) -> Scanned:
    """What a clean line says."""
    if badge := _BADGE.fullmatch(text):
        return Badge(at=at, number=int(badge[1]), name=" ".join((badge[2] or "").split()))
    if _CARD.fullmatch(text):
        return CardCode(at=at, card=text.upper())
    return Unreadable(at=at, text=text, why="neither a badge (P:1234 Anna Muster) nor a card (HT)")


class Lines:
    """Bytes as they come → what was scanned, line by line."""

    def __init__(self) -> None:
        self._rest = bytearray()
        self._last = 0.0
        self._too_long = False

    def feed(self, data: bytes, at: float) -> list[Scanned]:
        """What these bytes complete. An empty line is nothing; so are bytes that no text can have."""
        found = self.give_up() if data and at - self._last > PATIENCE else []
        self._last = at
        self._rest += data
        *whole, self._rest = re.split(rb"[\r\n]", self._rest)  # type: ignore[assignment]
        for line in whole:
            found += self._scanned(bytes(line), at)
            self._too_long = False
        if len(self._rest) > LONGEST:
            if not self._too_long:
                found += self._scanned(bytes(self._rest), at)
            self._too_long = True
            self._rest = bytearray()
        return found

    def give_up(self) -> list[Scanned]:
        """What was begun and will not be finished: nothing, or one ``Unreadable``."""
        text, self._rest = _clean(bytes(self._rest)), bytearray()
        told, self._too_long = self._too_long, False
        return [Unreadable(at=self._last, text=text, why="the line broke off")] if text and not told else []

    def _scanned(self, line: bytes, at: float) -> list[Scanned]:
        if self._too_long:  # the end of a line that has been told of
            return []
        text = _clean(line[: LONGEST + 1])
        if len(line) > LONGEST:
            return [Unreadable(at=at, text=text[:40] + "…", why=f"longer than {LONGEST} signs")]
        return [classify(text, at)] if text else []


def _clean(line: bytes) -> str:
    """A line as text: UTF-8, else the Windows letters that older scanners send; signs that cannot be seen left out."""
    try:
        text = line.decode("utf-8")
    except UnicodeDecodeError:
        text = line.decode("cp1252", errors="ignore")
    return "".join(sign for sign in text if sign.isprintable()).strip()
