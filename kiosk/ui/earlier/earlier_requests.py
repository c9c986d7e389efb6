"""What people ask for about the rounds of a table: the next one, those before, and a list to take away."""

from dataclasses import dataclass, field
from typing import TypeAlias

from kiosk.table.evenings import RoundKey
from kiosk.table.events.values import Consent


@dataclass(frozen=True, slots=True)
class NextRound:
    """People sit down for the next round of an evening; of a new evening where none is named."""

    evening: str = ""
    consent: Consent = field(default_factory=Consent)


@dataclass(frozen=True, slots=True)
class ListRounds:
    """The rounds that were begun at this table are wanted."""


@dataclass(frozen=True, slots=True)
class ShowRound:
    """The list of a round that was begun at this table is wanted."""

    key: RoundKey


@dataclass(frozen=True, slots=True)
class ResumeRound:
    """A round whose list was not handed in goes on."""

    key: RoundKey
    consent: Consent = field(default_factory=Consent)


RoundsRequest: TypeAlias = NextRound | ListRounds | ShowRound | ResumeRound
