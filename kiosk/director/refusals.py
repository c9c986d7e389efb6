"""Define the refusals of the director's service, each with the value and the way out."""

from collections.abc import Mapping

from kiosk.errors import KioskError, LocalisedError, shorten


class DirectorError(KioskError):
    """Base of the director's errors."""


class Gap(DirectorError, ValueError):
    """Events that do not follow on the stored ones; ``wanted`` is the number to send next."""

    def __init__(self, after: int, wanted: int) -> None:
        super().__init__(f"events after {after} were sent, but number {wanted} is wanted: send from {wanted} on")
        self.wanted = wanted


class Contradiction(DirectorError, ValueError):
    """Events that contradict those sent before; nothing is overwritten.

    ``number`` is the event that differs, or None where only the chain up to ``after`` is known to differ.
    """

    def __init__(
        self, number: int | None, stored: Mapping[str, object] | None, sent: Mapping[str, object] | None, text: str = ""
    ) -> None:
        super().__init__(
            text
            or f"event {number} is stored as {shorten(stored)}, but {shorten(sent)} was sent for it; nothing was "
            "overwritten. Two devices with the same table number, or a table that began anew? Set the stored round of "
            "this table aside on the director's page, or give the device its right table number"
        )
        self.number, self.stored, self.sent = number, stored, sent


class NotAnEvent(DirectorError, ValueError):
    """Data that are no list of events."""


class OffenderMissing(NotAnEvent):
    """A ruling against nobody that needs somebody."""


class StoreFailed(DirectorError, OSError):
    """The database could not be read or written."""


class UnknownTournament(DirectorError, KeyError):
    """No tournament of that key is configured."""

    def __str__(self) -> str:
        return str(self.args[0])


class WrongToken(DirectorError):
    """No table's device has this secret, or another table's has."""


class NotOrdered(DirectorError):
    """A decision of a table that nobody has ordered."""


class OrderedMeanwhile(LocalisedError):
    """An order of the kind that somebody else has just given to the same table; ``values`` say who, when and what."""


class NothingHeld(DirectorError, LookupError):
    """What the direction wants to take of a table is not there any more."""


class PicturesGone(LocalisedError, LookupError):
    """A table whose pictures cannot be had: it is away, or keeps none."""


class PicturesBusy(LocalisedError):
    """So many games are looked at just now."""


class BadBackup(DirectorError, ValueError):
    """A file that is no backup, or that cannot be put back here."""


class UnknownPlace(LocalisedError):
    """A stick that is not plugged in, or has nothing on it."""


class NotFresh(LocalisedError):
    """This machine cannot go on with another one's tournament, or be saved to sticks."""


class TakenOver(DirectorError):
    """Another machine goes on with this one's tournament: tables get nothing here any more."""


class StillReading(DirectorError, TimeoutError):
    """What is made of all lists cannot be made yet: the service has just started and reads them."""


class TooLarge(DirectorError, ValueError):
    """A message larger than any table needs."""


class TooSlow(DirectorError, TimeoutError):
    """A message that does not come to an end."""


class PortInUse(DirectorError, OSError):
    """Another program listens there already."""


class BadCertificate(DirectorError, OSError):
    """A certificate or key that cannot be read, kept or used."""


class UnknownTable(DirectorError, LookupError):
    """No such table, or it has no list yet."""
