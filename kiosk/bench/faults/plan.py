"""Plan the faults of an evening: what fails, where, when and for how long; the same seed plans the same."""

import random
from dataclasses import dataclass
from enum import StrEnum


class Kind(StrEnum):
    """What fails."""

    KILL = "table killed"
    STOP = "table stopped"
    SPARE = "table replaced by spare"
    CUT = "network cut"
    STALL = "network stalls"
    FULL = "table's disk full"
    BROKEN = "table's disk takes nothing (EIO)"
    CLOCK = "table's clock jumps"
    DIRECTOR_KILL = "director killed"
    DIRECTOR_STOP = "director stopped"
    DIRECTOR_FULL = "director's disk full"
    DIRECTOR_BROKEN = "director's disk takes nothing (EIO)"
    DIRECTOR_CLOCK = "director's clock jumps"
    BACKUP = "director replaced by backup"
    HALL_CUT = "network of the hall away"


#: Kind → how often, which of the lanes of its table or of the direction it takes, and for how many seconds.
_SHARES: dict[Kind, tuple[int, str, tuple[float, float]]] = {
    Kind.KILL: (16, "process", (0.0, 4.0)),
    Kind.STOP: (10, "process", (1.0, 14.0)),
    Kind.SPARE: (9, "process", (0.0, 2.0)),
    Kind.CUT: (11, "network", (0.0, 12.0)),
    Kind.STALL: (9, "network", (1.0, 12.0)),
    Kind.FULL: (8, "disk", (1.0, 9.0)),
    Kind.BROKEN: (8, "disk", (1.0, 9.0)),
    Kind.CLOCK: (6, "clock", (0.0, 0.0)),
    Kind.DIRECTOR_KILL: (6, "direction", (0.0, 4.0)),
    Kind.DIRECTOR_STOP: (4, "direction", (1.0, 10.0)),
    Kind.DIRECTOR_FULL: (3, "direction", (1.0, 6.0)),
    Kind.DIRECTOR_BROKEN: (3, "direction", (1.0, 6.0)),
    Kind.DIRECTOR_CLOCK: (2, "direction clock", (0.0, 0.0)),
    Kind.BACKUP: (5, "direction", (0.0, 2.0)),
    Kind.HALL_CUT: (3, "hall", (1.0, 8.0)),
}

#: Kinds that fail the direction, or all tables at once.
OF_DIRECTION = frozenset(kind for kind, (_, lane, _) in _SHARES.items() if lane in ("direction", "direction clock"))
OF_ALL = OF_DIRECTION | {Kind.HALL_CUT}

#: Seconds by which a clock jumps: a second, summer time, a machine that has lost its battery.
_JUMPS = (-86_400.0, -3600.0, -60.0, -1.0, 1.0, 60.0, 3600.0, 86_400.0)


@dataclass(frozen=True, slots=True, kw_only=True)
class Fault:
    """One fault."""

    number: int
    kind: Kind
    at: float  # seconds after the first card
    table: int  # 0: the direction, or all tables
    seconds: float  # for which it lasts
    jump: float = 0.0  # of a clock, seconds
    pick: float = 0.0  # 0 … 1: which of the backups, 1 the newest

    @property
    def lane(self) -> tuple[int, str]:
        """Faults of a lane come one after another, those of different lanes at once."""
        return self.table, _SHARES[self.kind][1]

    def __str__(self) -> str:
        where = f" at table {self.table}" if self.table else ""
        more = f" by {self.jump:+.0f} s" if self.jump else f", {self.seconds:.1f} s" if self.seconds else ""
        return f"fault {self.number}: {self.kind}{where}{more}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Evening:
    """How large the evening is."""

    seed: int
    tables: int = 8
    faults: int = 200
    seconds: float = 560.0  # within which the faults begin
    games: int = 16  # of the round at each table

    @classmethod
    def short(cls, seed: int) -> "Evening":
        """Make one that is over in twenty seconds."""
        return cls(seed=seed, tables=2, faults=10, seconds=8.0, games=4)

    def planned(self) -> list[Fault]:
        """Return its faults, in order; each kind is among them, where there are enough."""
        rng = random.Random(self.seed)
        kinds = list(_SHARES)
        drawn = kinds[: self.faults] if self.faults >= len(kinds) else rng.sample(kinds, self.faults)
        weights = [_SHARES[kind][0] for kind in kinds]
        drawn += rng.choices(kinds, weights, k=self.faults - len(drawn))
        rng.shuffle(drawn)
        times = sorted(rng.uniform(0, self.seconds) for _ in drawn)
        scale = min(1.0, self.seconds / 60)  # what lasts long has no place in a short evening
        return [
            self._fault(rng, number, kind, at, scale)
            for number, (kind, at) in enumerate(zip(drawn, times, strict=True), 1)
        ]

    def _fault(self, rng: random.Random, number: int, kind: Kind, at: float, scale: float) -> Fault:
        low, high = _SHARES[kind][2]
        clock = kind in (Kind.CLOCK, Kind.DIRECTOR_CLOCK)
        return Fault(
            number=number,
            kind=kind,
            at=at,
            table=0 if kind in OF_ALL else rng.randint(1, self.tables),
            seconds=scale * rng.uniform(low, high),
            jump=rng.choice(_JUMPS) if clock else 0.0,
            pick=rng.random(),
        )
