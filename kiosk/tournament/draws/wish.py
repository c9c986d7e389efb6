"""Define what is wanted of a draw: all that its result follows from, and that is noted with it."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any, Final

#: Kinds of draws: by lot; new company; 1–4, 5–8 … by the standing; across all tables by the standing; the best to the
#: first tables by the standing, all others by lot.
LOT, COMPANY, STANDING, SNAKE, FINAL = "lot", "company", "standing", "snake", "final"
KINDS: Final = (LOT, COMPANY, STANDING, SNAKE, FINAL)


@dataclass(frozen=True, slots=True, kw_only=True)
class Apart:
    """People who are not to sit at one table: club mates, couples."""

    names: tuple[str, ...]
    must: bool = False  # else as far as possible


@dataclass(frozen=True, slots=True, kw_only=True)
class Wish:
    """A round's draw as wanted. Everybody's place follows from these values alone, on every machine."""

    round: int
    kind: str  # one of KINDS
    seed: str
    sizes: tuple[int, ...]  # of the tables, table 1 first
    people: tuple[str, ...]  # all who get a seat; where the standing decides, the best first
    earlier: tuple[tuple[str, ...], ...] = ()  # companies that shall not meet again, where new company is wanted
    apart: tuple[Apart, ...] = ()
    fixed: Mapping[str, tuple[int, int | None]] = field(default_factory=dict)  # name → table, seat or None
    halls: tuple[int, ...] = ()  # number of tables of each hall, table 1 first; (): all are one hall
    stays: Mapping[str, int] = field(default_factory=dict)  # name → hall, from 0, in which they are to sit
    finalists: int = 0  # of a final: how many of the best sit at the first tables
    rounds_left: int = 1  # this one and those after it, for which new company is kept possible
    by_design: int = 0  # which known plans without repeats serve: an edition of them, as when it was noted; 0: none

    def as_note(self) -> dict[str, Any]:
        """Write the wish as it is noted."""
        return asdict(self)


def noted_wish(noted: Mapping[str, Any]) -> Wish:
    """Read a wish from its note.

    :raises TypeError: values of another kind; ``ValueError``, ``KeyError``: some are missing or too many.
    """
    values = dict(noted)
    values["sizes"], values["people"] = tuple(values["sizes"]), tuple(values["people"])
    values["halls"] = tuple(values["halls"])
    values["earlier"] = tuple(tuple(names) for names in values["earlier"])
    values["apart"] = tuple(Apart(names=tuple(one["names"]), must=one["must"]) for one in values["apart"])
    values["fixed"] = {name: (table, seat) for name, (table, seat) in values["fixed"].items()}
    return Wish(**values)


@dataclass(frozen=True, slots=True, kw_only=True)
class Drawn:
    """The result of a draw."""

    seats: Mapping[int, tuple[str, ...]]  # table → names, seat 1 first
    met_again: int  # pairs of ``earlier`` companies who sit together again
    together: tuple[tuple[str, str], ...]  # who could not be kept apart
    moved: tuple[str, ...]  # who could not stay in their hall
