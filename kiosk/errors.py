"""What can go wrong in the kiosk, in one family."""

from abc import abstractmethod
from collections.abc import Mapping
from typing import Any

#: Letters of a bad value that a message has at most; every name that may be given stands in it whole.
LONGEST_SHOWN = 80


def shorten(value: object) -> str:
    """Return how a value is written in Python, cut where it is long: a message names it, and its reader reads on."""
    try:
        return cut(repr(value))
    except (RecursionError, ValueError):  # nested too deep, a number of too many digits
        return f"this {type(value).__name__}"


def cut(text: str) -> str:
    """Return a text, cut where it is too long for a message."""
    return text if len(text) <= LONGEST_SHOWN else text[: LONGEST_SHOWN - 1] + "…"


class KioskError(Exception):
    """Base of every error that Stichwart raises on purpose; its text names the value and the way out."""


class SpokenError(KioskError):
    """An error that has its words in each language; its text is English."""

    @abstractmethod
    def told(self, language: str) -> str:
        """Tell what is wrong and the way out."""

    def __str__(self) -> str:
        return self.told("en")


class BadEvent(KioskError, ValueError):
    """An event that is malformed or cannot happen where it stands."""


class CannotStand(BadEvent):
    """A correction after which a later event could not have happened.

    :param number: that event's number.
    :param name: its name in the protocol.
    """

    def __init__(self, number: int, name: str, why: object) -> None:
        super().__init__(
            f"with this correction event {number} cannot stand: {name}: {why}; put event {number} right first"
        )
        self.number, self.event_name = number, name


class Refused(KioskError):
    """A person's request that the book does not allow now.

    ``code`` is an offence code of the protocol, or a word of ``kiosk.language.table``; ``section`` names book and
    section (``eppstein 5.3.4``), or is empty where no book speaks.

    :param way: what stands in its way, as ``kiosk.table.view.in_the_way`` has it; None: nothing that happened.
    """

    def __init__(self, code: str, section: str = "", detail: str = "", way: Mapping[str, Any] | None = None) -> None:
        super().__init__(detail or code)
        self.code, self.section, self.detail, self.way = code, section, detail, way


class BadConfig(KioskError, ValueError):
    """A configuration that cannot be used as it is."""


class LocalisedError(KioskError, ValueError):
    """A refusal that a page words in its reader's language: ``code`` and the ``values`` in it; the text is English."""

    def __init__(self, code: str, text: str, **values: object) -> None:
        super().__init__(text)
        self.code, self.values = code, values


class BadNote(LocalisedError):
    """A note of the direction that the tournament, or a list, does not allow as it stands."""


class PaperError(KioskError):
    """Something that cannot be printed or written."""


class LineError(KioskError):
    """The director did not give what was asked of it."""
