"""Follow one card on the mat: its pose, the votes of all its readings, and what was reported of it."""

import math
from collections import defaultdict
from dataclasses import dataclass, field

import numpy as np

from vision.geometry.pose import Pose, half_turn_difference
from vision.messages import CardLaid
from vision.recognition.card_reading import CardReading
from vision.tracking.arms import Arm
from vision.tracking.cell_grid import CellGrid
from vision.tracking.coarse_plane import Cells, Plane


@dataclass(frozen=True, slots=True, kw_only=True)
class SameCardLimits:
    """How far two readings of one card may be apart; beyond that they are of two cards."""

    distance_mm: float = 9.0
    turn_rad: float = 0.22  # of the long axis


SAME_CARD = SameCardLimits()
#: Labels that a report names at most.
REPORTED_CHOICES = 4


@dataclass(slots=True, eq=False)
class TrackedCard:
    """One physical card; ``number`` stays with it for good."""

    number: int
    pose: Pose
    since: float
    votes: defaultdict[str, float] = field(default_factory=lambda: defaultdict(float))
    scores: dict[str, float] = field(default_factory=dict)  # the recogniser's, of the best reading
    sure: defaultdict[str, float] = field(default_factory=lambda: defaultdict(float))  # votes of readings without doubt
    weight: float = 0.0
    readings: int = 0
    read_at: float = 0.0  # of the last one
    reported: tuple[str | None, bool] | None = None  # the likeliest label as last reported, and whether in doubt
    face_down: bool = False
    picture: bytes | None = None  # JPEG
    later_picture: bytes | None = None  # of a later reading: the hand that laid it has gone as a rule
    laid_between: tuple[float, float] | None = None  # s; None: that was not seen
    arm: Arm | None = None  # that has brought it
    before: Plane | None = None  # the settled picture before it came to where it lies

    @classmethod
    def known(cls, report: CardLaid) -> "TrackedCard":
        """Make a card from an earlier report."""
        card = cls(report.card, (report.x, report.y, report.angle), report.at, face_down=report.face_down)
        card.scores = dict(report.choices)
        best = report.label if report.label is not None else next(iter(card.scores), None)
        if best is not None:
            card.scores.setdefault(best, 1.0)
            card.votes[best] = report.margin
            if report.label is not None:
                card.sure[best] = report.margin
            card.reported = (best, report.label is None)
        card.weight, card.readings = 1.0, 1
        return card

    def vote(self, reading: CardReading, at: float, weight: float = 1.0) -> None:
        """Count a reading; ``weight`` 0 … 1 is how much of the card was visible."""
        self.readings += 1
        self.read_at = at
        self.weight += weight
        if not reading.choices:
            return
        self.votes[reading.choices[0][0]] += reading.margin * weight
        if reading.label is not None:
            self.sure[reading.label] += reading.margin * weight
        for label, score in reading.choices:
            self.scores[label] = max(score, self.scores.get(label, -1.0))

    @property
    def ranked(self) -> list[str]:
        """Labels, likeliest first: by votes, then by the scores of those that never won a reading."""
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
        """The label, if readings were sure of it, and the votes for any other are less than half as many.

        Many readings in doubt do not outvote the one that was sure: they may all be deceived by the same light.
        """
        best = self.ranked[0] if self.scores else ""
        rival = max((votes for label, votes in self.votes.items() if label != best), default=0.0)
        surest = best in self.sure and self.sure[best] >= max(self.sure.values())
        return best if surest and self.votes[best] > 2.0 * rival else None

    @property
    def unread(self) -> bool:
        """Whether it lies face up, as it seems, and nothing is known of its label."""
        return not self.face_down and not self.scores

    @property
    def named(self) -> str | None:
        """The label, once it was reported."""
        return self.label if self.reported is not None else None

    def report(self, at: float, picture: bytes | None) -> CardLaid:
        """Make the report of how it is read now."""
        choices = tuple((label, round(self.scores[label], 4)) for label in self.ranked[:REPORTED_CHOICES])
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
            not_before=round(self.laid_between[0], 3) if self.laid_between else None,
            rested=round(self.laid_between[1], 3) if self.laid_between else None,
            arm=round(self.arm.bearing, 3) if self.arm else None,
            arm_share=round(self.arm.share, 2) if self.arm else 0.0,
        )


def pose_distance(one: Pose, other: Pose) -> float:
    """Measure the distance of two poses in mm; infinite if their long axes are not those of one card."""
    if half_turn_difference(one[2], other[2]) >= SAME_CARD.turn_rad:
        return math.inf
    return math.hypot(one[0] - other[0], one[1] - other[1])


def visible_cells(grid: CellGrid, cards: list[TrackedCard]) -> list[Cells]:
    """Find the cells of each card that no other occludes; ``cards`` lowest first."""
    above = np.zeros(grid.shape, bool)
    result: list[Cells] = []
    for card in reversed(cards):
        cells = grid.card(card.pose)
        result.append(cells & ~above)
        above |= cells
    return result[::-1]
