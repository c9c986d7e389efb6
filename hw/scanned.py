"""Decode a scanner's bytes into badges and cards.

A line is a player's badge, ``P:1234 Anna Muster`` (number, blank, name; the name may be missing), a referee's,
``R:2468`` (his code), a barcoded card in the protocol's notation, ``HT`` (small letters too), or none of them. Lines
end with CR, LF or both.
"""

import re
from dataclasses import dataclass, field
from typing import TypeAlias

#: Bytes of the longest line that counts; a badge with a long name has fewer than 100.
LONGEST_LINE_BYTES = 200

#: Seconds after which a begun line is given up: a scanner sends a line in one go, even at 1200 baud.
LINE_TIMEOUT_S = 2.0

_BADGE = re.compile(r"[Pp]:\s*(\d{1,9})(?:\s+(.*))?")
_REFEREE = re.compile(r"[Rr]:\s*(\d{4,12})")
_CARD = re.compile(r"[CSHDEG][ATKQJOU987]", re.IGNORECASE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Badge:
    """A player's badge."""

    at: float  # seconds of hw.clock.now
    number: int
    name: str  # as printed; empty if the badge has none


@dataclass(frozen=True, slots=True, kw_only=True)
class RefereeBadge:
    """A referee's badge."""

    at: float
    code: str = field(repr=False)  # as he would type it


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


Scanned: TypeAlias = Badge | RefereeBadge | CardCode | Unreadable


def classify(text: str, at: float) -> Scanned:
    """Classify a clean line."""
    if badge := _BADGE.fullmatch(text):
        return Badge(at=at, number=int(badge[1]), name=" ".join((badge[2] or "").split()))
    if referee := _REFEREE.fullmatch(text):
        return RefereeBadge(at=at, code=referee[1])
    if _CARD.fullmatch(text):
        return CardCode(at=at, card=text.upper())
    return Unreadable(at=at, text=text, why="neither a badge (P:1234 Anna Muster, R:2468) nor a card (HT)")


class Lines:
    """Decoder of bytes into lines and their meaning, line by line."""

    def __init__(self) -> None:
        self._rest = bytearray()
        self._last = 0.0
        self._too_long = False

    def feed(self, data: bytes, at: float) -> list[Scanned]:
        """Decode these bytes and return what they complete. Empty lines and bytes that no text can have are ignored."""
        found = self.give_up() if data and at - self._last > LINE_TIMEOUT_S else []
        self._last = at
        self._rest += data
        *whole, self._rest = re.split(rb"[\r\n]", self._rest)  # type: ignore[assignment]
        for line in whole:
            found += self._scanned(bytes(line), at)
            self._too_long = False
        if len(self._rest) > LONGEST_LINE_BYTES:
            if not self._too_long:
                found += self._scanned(bytes(self._rest), at)
            self._too_long = True
            self._rest = bytearray()
        return found

    def give_up(self) -> list[Scanned]:
        """Give up an unfinished line: return nothing, or one ``Unreadable``."""
        text, self._rest = _clean(bytes(self._rest)), bytearray()
        told, self._too_long = self._too_long, False
        return [Unreadable(at=self._last, text=text, why="the line broke off")] if text and not told else []

    def _scanned(self, line: bytes, at: float) -> list[Scanned]:
        if self._too_long:  # the end of a line that was reported already
            return []
        text = _clean(line[: LONGEST_LINE_BYTES + 1])
        if len(line) > LONGEST_LINE_BYTES:
            return [Unreadable(at=at, text=text[:40] + "…", why=f"longer than {LONGEST_LINE_BYTES} signs")]
        return [classify(text, at)] if text else []


def _clean(line: bytes) -> str:
    """A line as text: UTF-8, else the Windows letters that older scanners send; signs that cannot be seen left out."""
    try:
        text = line.decode("utf-8")
    except UnicodeDecodeError:
        text = line.decode("cp1252", errors="ignore")
    return "".join(sign for sign in text if sign.isprintable()).strip()
