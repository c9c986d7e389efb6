"""Say how a wired part is, and let it show or sound: what devices offer to a page for setting up."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Protocol


class Condition(Enum):
    """What is known of a wired part."""

    WORKS = "works"  # it answers
    SILENT = "silent"  # it cannot answer, or has not been asked yet: only people can see whether it works
    GONE = "gone"  # it should answer and does not


@dataclass(frozen=True, slots=True, kw_only=True)
class Health:
    """Condition of a part, and why it is gone."""

    condition: Condition
    code: str = ""  # what is wrong, with words of the subject hardware; empty: nothing
    detail: str = ""  # the value that the words name: an address, a port, the system's own error


class Testable(Protocol):
    """A device with parts that can be looked at and tried out. Nothing here waits or raises."""

    def parts(self) -> Mapping[str, Health]:
        """Describe each part that is wired, by its name."""
        ...

    def test(self, part: str) -> None:
        """Let a part show or sound for some seconds; one that is not wired does nothing."""
        ...
