"""Values of the page of releases: what lies on the sticks, what becomes of a bundle, and what people ask for."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, TypeAlias


@dataclass(frozen=True, slots=True, kw_only=True)
class BundleLine:
    """A bundle on a stick."""

    device: str  # the stick's
    stick: str  # its name
    file: str  # below the stick's folder
    release: str = ""  # "": it cannot be read
    code: str = ""  # why it cannot be taken, with its values: words of the subject bundles; "": it can
    values: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class ReleaseView:
    """Which release runs, what lies on the sticks, and what becomes of the bundle that is being taken."""

    runs: str = ""
    sticks: int = 0  # that are plugged in
    searching: bool = False  # they are being looked through
    found: tuple[BundleLine, ...] = ()
    state: str = ""  # copying fetching check unpack install try waits refused; "": nothing is being taken
    release: str = ""  # that it is about
    percent: int = 0  # of copying, fetching, unpacking
    code: str = ""  # why it was refused, likewise
    values: Mapping[str, Any] = field(default_factory=dict)

    @property
    def busy(self) -> bool:
        """Whether a bundle is being taken now."""
        return self.state not in ("", "waits", "refused")


@dataclass(frozen=True, slots=True)
class LookForReleases:
    """Somebody has opened the page: sticks are looked through for bundles."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TakeRelease:
    """A bundle of a stick shall be taken."""

    device: str
    file: str
    referee: bool = False  # the referee is there; else no list may be open


ReleaseRequest: TypeAlias = LookForReleases | TakeRelease
