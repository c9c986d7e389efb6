"""What the set-up screen shows of the camera."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol


class Finding(Protocol):
    """Something that is wrong, as ``vision.diagnose`` tells it."""

    @property
    def code(self) -> str: ...
    @property
    def grave(self) -> bool: ...
    @property
    def where(self) -> str: ...
    @property
    def value(self) -> float: ...


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class CameraView:
    """What the camera sees and what is wrong with it; ``picture`` is a JPEG, empty where there is none."""

    picture: bytes
    findings: Sequence[Finding] = ()
    cards: tuple[str, ...] = ()  # labels of the cards read, "?" for a doubt
    card_px: float = 0.0
    why: str = ""  # in an administrator's words, where there is no picture
    deck: str = ""  # the deck that is gone by; "": none
    decks: tuple[str, ...] = ()  # those that have the book's cards
    fits: bool = True  # the deck has all cards of the book
    faces: str = "doppelkopf"  # what a deck for this book has
    may_learn: bool = True  # no game is running
