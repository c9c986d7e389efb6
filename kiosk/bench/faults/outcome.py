"""Say what came of an evening: how long each kind of fault was felt, and what was lost."""

import statistics
from collections.abc import Iterator
from dataclasses import dataclass, field

from kiosk.bench.faults.plan import Evening, Fault, Kind
from kiosk.bench.figure import Figure


@dataclass(frozen=True, slots=True)
class Healed:
    """How long a fault was felt after its end; None: for longer than anybody waits."""

    fault: Fault
    seconds: float | None


@dataclass(slots=True)
class Outcome:
    """What came of an evening."""

    healed: list[Healed] = field(default_factory=list)
    wrong: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)  # what was lost by right, and what the direction decided
    events: int = 0
    rows: int = 0
    lost: int = 0  # events that were on a device that was replaced, and nowhere else
    decided: int = 0  # times that two lists differed and the direction said which one counts
    seconds: float = 0.0

    def by_kind(self) -> dict[Kind, list[float | None]]:
        """Seconds until all was whole again after each kind of fault."""
        found: dict[Kind, list[float | None]] = {}
        for one in self.healed:
            found.setdefault(one.fault.kind, []).append(one.seconds)
        return dict(sorted(found.items()))


def figures(plan: Evening, outcome: Outcome) -> Iterator[Figure]:
    """Tell the figures of an evening."""
    for kind, times in outcome.by_kind().items():
        felt = sorted(one for one in times if one is not None)
        value = f"{statistics.median(felt):.1f} / {felt[-1]:.1f}" if felt else "-"
        never = len(times) - len(felt)
        what = f"{kind}, {len(times)} times: s until all is whole again, median / worst"
        yield Figure("faults", what, value + (f", {never} never" if never else ""), "", not never)
    what = f"seed {plan.seed}: {plan.tables} tables, {len(outcome.healed)} faults, {outcome.seconds:.0f} s"
    value = f"{outcome.events} events, {outcome.rows} rows"
    yield Figure("faults", what, value, f"{plan.faults} faults", len(outcome.healed) == plan.faults)
    what = "events on a replaced device alone; times that the direction said which of two lists counts"
    yield Figure("faults", what, f"{outcome.lost}; {outcome.decided}")
    what = "lists that are not what was played or shown as safe, or other than the direction's; other faults"
    yield Figure("faults", what, str(len(outcome.wrong)), "0", not outcome.wrong)
