"""Decide when a change is read: once it has come to rest, and again, ever more seldom, while it is unexplained."""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.tracking.cell_grid import MatRegions
from vision.tracking.change_detection import FrameChange
from vision.tracking.coarse_plane import Cells, count_cells
from vision.tracking.label_voting import AT_REST_S


@dataclass(frozen=True, slots=True, kw_only=True)
class SettlingLimits:
    """Limits of when a change is read."""

    #: Seconds at rest after which cells are read although something moves in their patch; and how much of such a patch
    #: there must be, as a share of a card: a hand stays beside a card that was laid.
    long_at_rest_s: float = 3 * AT_REST_S
    long_patch_share: float = 0.8
    #: Seconds within which cells must have come to rest to be of one card.
    together_s: float = 0.6
    #: Cells in the middle that must differ and move for something to be stirring there.
    stirring_cells: int = 6
    #: Seconds between the readings of something that is not explained; after the last one it is left alone until more
    #: changes.
    retry_intervals_s: tuple[float, ...] = (0.12, 0.25, 0.5, 1.0, 2.0)
    #: Readings after which a thing of a card's size that was overlooked is read by itself.
    overlooked_readings: int = 3
    #: Seconds that something unexplained beside vanished cards, a hand as a rule, is waited for.
    patience_s: float = 4.0
    #: Seconds after which a thing that is no card counts as part of the table.
    foreign_s: float = 5.0


LIMITS = SettlingLimits()


@dataclass(slots=True)
class _Attempt:
    """Readings of a change that is not explained yet."""

    cells: Cells
    at: float
    count: int
    tried: NDArray[np.float64]  # by cell: since when it is unexplained, s
    since: float


class ChangeAttempts:
    """Counts how often the present change was read in vain."""

    def __init__(self) -> None:
        self._attempt: _Attempt | None = None
        self.held_back = False  # cards are missed, but a hand is still about

    @property
    def retrying(self) -> bool:
        """Whether the present change was read in vain before."""
        return self._attempt is not None

    @property
    def overlooked(self) -> bool:
        """Whether it was read so often that something must have been overlooked."""
        return self._attempt is not None and self._attempt.count >= LIMITS.overlooked_readings

    def due(self, ripe: Cells, at: float, worth: float) -> bool:
        """Check whether to read a change now: it is a new one, more has changed, or the next try is due.

        So it is once more where somebody who may be gathering is waited for no longer.

        :param worth: cells that must have changed besides those read before.
        """
        attempt = self._attempt
        if attempt is None:
            return True
        tries = len(LIMITS.retry_intervals_s)
        wait = LIMITS.retry_intervals_s[min(attempt.count, tries) - 1]
        waiting = attempt.count > tries or at - attempt.at < wait
        patience_ends = self.held_back and attempt.at < attempt.since + LIMITS.patience_s <= at
        return not waiting or patience_ends or count_cells(ripe & ~attempt.cells) >= worth

    def failed(self, ripe: Cells, at: float) -> int:
        """Note that a change was read in vain; how often by now."""
        before = self._attempt
        same = before if before is not None and (ripe & before.cells).any() else None
        tried = np.full(ripe.shape, at) if same is None else np.where(same.cells, same.tried, at)
        self._attempt = _Attempt(ripe.copy(), at, same.count + 1 if same else 1, tried, same.since if same else at)
        return self._attempt.count

    def watch(self, differs: Cells) -> None:
        """Forget cells of the change that differ no more: what differs there later is another one."""
        if self._attempt is not None:
            self._attempt.cells &= differs

    def end(self) -> None:
        """Note that there is no unexplained change."""
        self._attempt = None

    def patient(self, at: float) -> bool:
        """Check whether somebody who may be gathering is still waited for."""
        return self._attempt is None or at - self._attempt.since < LIMITS.patience_s

    def given_up(self, at: float) -> Cells | None:
        """Return the cells of what counts as part of the table, for it was read in vain for so long; None: nothing."""
        attempt = self._attempt
        if attempt is None or attempt.count <= len(LIMITS.retry_intervals_s):
            return None
        foreign = attempt.cells & (at - attempt.tried > LIMITS.foreign_s)
        return foreign if foreign.any() else None


def ripe_cells(mat: MatRegions, change: FrameChange, differs: Cells) -> Cells:
    """Select changed cells at rest in patches that nothing moves in or touches, or that have been so for long."""
    if not differs.any():
        return differs
    number, patches = cv2.connectedComponents(differs.view(np.uint8), connectivity=8)
    rest = change.rest >= AT_REST_S
    long = change.rest >= LIMITS.long_at_rest_s
    ripe = np.zeros(differs.shape, bool)
    for k in range(1, number):
        patch = patches == k
        if rest[patch].all():
            ripe |= patch
        elif count_cells(patch & long) > LIMITS.long_patch_share * mat.grid.card_cells:
            ripe |= patch & long
    return ripe


def with_field_cells(mat: MatRegions, change: FrameChange, ripe: Cells) -> Cells:
    """Add to changed cells at rest in the middle those in a pile's field that touch them and came to rest with them.

    A card may lie half upon such a field. A trick that was put there lies otherwise: it came at another time.
    """
    field = change.differs & mat.piles & (change.rest >= AT_REST_S)
    if not field.any():
        return ripe
    both = ripe | field
    number, patches = cv2.connectedComponents(both.view(np.uint8), connectivity=8)
    for k in range(1, number):
        patch = patches == k
        own = patch & ripe
        if own.any():
            together = np.abs(change.rest - float(np.median(change.rest[own]))) <= LIMITS.together_s
            both &= ~patch | own | together
        else:
            both &= ~patch
    return both


def stirring(mat: MatRegions, change: FrameChange) -> bool:
    """Check whether something moves in the middle just now."""
    return count_cells((change.rest < AT_REST_S) & change.differs & mat.middle) >= LIMITS.stirring_cells
