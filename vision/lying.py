"""A card that lies on the mat, with all that was ever read of it."""

import math
from collections import defaultdict
from dataclasses import dataclass, field

import numpy as np

from vision.board import Grid, Pose
from vision.gate import Cells
from vision.reading import Seen
from vision.reports import CardLaid

#: How far two readings of one card may lie apart: mm, and radians of its long axis.
SAME_PLACE, SAME_TURN = 9.0, 0.22


@dataclass(slots=True, eq=False)
class LyingCard:
    """One physical card; ``number`` stays with it for good."""

    number: int
    pose: Pose
    since: float
    votes: defaultdict[str, float] = field(default_factory=lambda: defaultdict(float))
    scores: dict[str, float] = field(default_factory=dict)  # the recogniser's, of the best look
    sure: set[str] = field(default_factory=set)  # labels that a look gave without doubt
    weight: float = 0.0
    looks: int = 0
    looked_at: float = 0.0
    said: tuple[str | None, bool] | None = None  # label as last reported
    face_down: bool = False
    picture: bytes | None = None  # JPEG

    @classmethod
    def known(cls, report: CardLaid) -> "LyingCard":
        """A card as it was reported before."""
        card = cls(report.card, (report.x, report.y, report.angle), report.at, face_down=report.face_down)
        card.scores = dict(report.choices)
        best = report.label if report.label is not None else next(iter(card.scores), None)
        if best is not None:
            card.scores.setdefault(best, 1.0)
            card.votes[best] = report.margin
            card.sure = {best} if report.label is not None else set()
            card.said = (best, report.label is None)
        card.weight, card.looks = 1.0, 1
        return card

    def vote(self, seen: Seen, at: float, weight: float = 1.0) -> None:
        """Count a look at the card; ``weight`` 0 … 1 is how much of it was to be seen."""
        self.looks += 1
        self.looked_at = at
        self.weight += weight
        if not seen.choices:
            return
        self.votes[seen.choices[0][0]] += seen.margin * weight
        if seen.label is not None:
            self.sure.add(seen.label)
        for label, score in seen.choices:
            self.scores[label] = max(score, self.scores.get(label, -1.0))

    @property
    def ranked(self) -> list[str]:
        """Labels, likeliest first: by votes, then by the scores of those that never won a look."""
        return sorted(self.scores, key=lambda label: (-self.votes.get(label, 0.0), -self.scores[label]))

    @property
    def margin(self) -> float:
        """Mean lead of the best label over its rival, 0 … 1."""
        ahead = sorted(self.votes.values(), reverse=True)
        if not ahead or not self.weight:
            return 0.0
        return max(0.0, min(1.0, (ahead[0] - (ahead[1] if len(ahead) > 1 else 0.0)) / self.weight))

    @property
    def label(self) -> str | None:
        """The label, if a look was sure of it and no other look speaks for another one nearly as loud."""
        best = self.ranked[0] if self.scores else ""
        rival = max((votes for label, votes in self.votes.items() if label != best), default=0.0)
        return best if best in self.sure and self.votes[best] > 2.0 * rival else None

    @property
    def named(self) -> str | None:
        """The label, once it was said."""
        return self.label if self.said is not None else None

    def report(self, at: float, picture: bytes | None) -> CardLaid:
        """What to say of it now."""
        choices = tuple((label, round(self.scores[label], 4)) for label in self.ranked[:4])
        return CardLaid(
            at=at,
            card=self.number,
            label=self.label,
            margin=round(self.margin, 4),
            choices=choices,
            x=round(self.pose[0], 2),
            y=round(self.pose[1], 2),
            angle=round(self.pose[2], 4),
            face_down=self.face_down,
            picture=picture,
        )


def apart(one: Pose, other: Pose) -> float:
    """Distance in mm of two readings of a pose; infinite if their long axes point elsewhere."""
    turn = abs(math.remainder(one[2] - other[2], math.pi))
    return math.hypot(one[0] - other[0], one[1] - other[1]) if turn < SAME_TURN else math.inf


def visible(grid: Grid, cards: list[LyingCard]) -> list[Cells]:
    """Cells of each card that none above it covers; ``cards`` lowest first."""
    above = np.zeros(grid.shape, bool)
    result: list[Cells] = []
    for card in reversed(cards):
        cells = grid.card(card.pose)
        result.append(cells & ~above)
        above |= cells
    return result[::-1]
