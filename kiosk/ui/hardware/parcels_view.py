"""Values of the page of what the direction gives: what is here, what is on its way, and what people ask for."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, TypeAlias


@dataclass(frozen=True, slots=True, kw_only=True)
class ParcelLine:
    """A deck, words, sounds or settings at this table."""

    kind: str
    name: str
    digest: str  # the beginning of its hash, by which two of one name are told apart
    own: bool = False  # a deck that was learned here


@dataclass(frozen=True, slots=True, kw_only=True)
class ParcelsView:
    """What this table was given, its own decks, and what becomes of what the direction offers."""

    lines: tuple[ParcelLine, ...] = ()
    state: str = ""  # fetching waits; "": all is here
    percent: int = 0  # of fetching
    refused: str = ""  # name of what could not be taken, and why, with values: words of the subject parcels
    code: str = ""
    values: Mapping[str, Any] = field(default_factory=dict)
    direction: bool = False  # it takes decks
    stick: str = ""  # name of the stick that is plugged in; "": none
    doing: str = ""  # sending sent writing written failed, of ``deck``; "": nothing
    deck: str = ""
    why: str = ""  # why it failed: words of the subject parcels
    why_values: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class ShowParcels:
    """Somebody has opened the page."""


@dataclass(frozen=True, slots=True)
class SendDeck:
    """A deck that was learned here shall go to the direction."""

    name: str


@dataclass(frozen=True, slots=True)
class StoreDeck:
    """A deck that was learned here shall go on the stick."""

    name: str


ParcelsRequest: TypeAlias = ShowParcels | SendDeck | StoreDeck
