"""Associate readings with tracked cards: which are known, which are new, which were moved, which are gone."""

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from math import inf
from operator import itemgetter

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.geometry.pose import Pose
from vision.recognition.card_reading import CardReading
from vision.recognition.single_card import CLEAR_MARGIN
from vision.tracking.arrivals import LATEST_SHARE
from vision.tracking.cell_grid import CellGrid, MatRegions
from vision.tracking.change_detection import FrameChange
from vision.tracking.coarse_plane import Cells, Plane, count_cells
from vision.tracking.label_voting import AT_REST_S
from vision.tracking.tracked_card import SAME_CARD, TrackedCard, pose_distance, visible_cells


@dataclass(frozen=True, slots=True, kw_only=True)
class AssociationLimits:
    """Limits of associating readings with cards."""

    #: Share of a card that must have changed for it to be worth a reading.
    worth_share: float = 0.12
    #: Share of a new card's cells in which the picture must have changed; the rest may resemble what was there before.
    support_share: float = 0.3
    #: The same that no other new card explains, of one that is read clearly and of which no equal one is there: of two
    #: that came at once, one more than half upon the other, either leaves the other less.
    own_share: float = 0.15
    #: How much a reading's margin adds to its support, and from which margin on no more: of two that explain the same
    #: change the surer one is taken first.
    margin_weight: float = 0.5
    margin_cap: float = 0.5
    #: Share of a new card's cells that may move in the very picture in which it is not read clearly: a trick that is
    #: pushed together and smeared by its motion is like some card. At rest it is 0, where it was smeared 0.3.
    moving_share: float = 0.1
    #: mm round a new card whose change it explains as well.
    explained_mm: float = 4.0
    #: Share of a card's visible cells that must show the mat, or what lay there before it came, for it to be gone.
    gone_share: float = 0.6
    #: Share of a card that must be visible for its absence to be seen; the same at the start, where all counts as
    #: changed and a part of a card may not be read; and where it was on the mat itself, whose picture is known.
    visible_share: float = 0.1
    visible_share_at_start: float = 0.5
    visible_share_on_mat: float = 0.04
    #: mm within which an equal card in another place is the same one, pushed; and the share of what the new place
    #: leaves visible of the old one that must have changed, of what can be told.
    pushed_mm: float = 60.0
    pushed_changed_share: float = 0.5
    #: mm round a card that its shadow and a wrong calibration may take.
    shadow_mm: float = 6.0
    #: mm round a card within which what changed besides touches it: beyond its shadow, and a cell or two more.
    beside_mm: float = 12.0


LIMITS = AssociationLimits()


@dataclass(frozen=True, slots=True, eq=False)
class MatChange:
    """Cells where the mat has changed and come to rest, and where it is seen without cards."""

    mat: MatRegions
    ripe: Cells  # changed and at rest
    bare: Cells  # shows the bare mat now
    bare_known: Cells  # has ever shown the bare mat

    @property
    def worth(self) -> float:
        """Cells that must have changed for a reading to be worth its time."""
        return LIMITS.worth_share * self.mat.grid.card_cells


def match_known(
    cards: list[TrackedCard], readings: list[CardReading], grid: CellGrid, ripe: Cells, rested: NDArray[np.floating]
) -> tuple[dict[TrackedCard, CardReading], list[CardReading]]:
    """Match readings with the cards that are where they were, the nearest first; the other readings come second.

    Another label in the same place, where the picture has changed, is a card that was laid right on top; unless the
    first was read so badly, half below the hand mostly, that it was not even reported, or unless what is read now lay
    there already when the first was read: then that was this one, of which not all had come to rest.

    :param rested: by cell: since when it is at rest, s.
    """
    came = [_came_to_rest(reading, grid, ripe, rested) for reading in readings]
    pairs = sorted(
        (
            (pose_distance(card.pose, reading.pose), i, j)
            for i, card in enumerate(cards)
            for j, reading in enumerate(readings)
            if reading.pose is not None and not (came[j] > card.since and _is_another(card, reading))
        ),
        key=lambda pair: pair[0],
    )
    known: dict[TrackedCard, CardReading] = {}
    used: set[int] = set()
    for distance, i, j in pairs:
        card = cards[i]
        if distance < SAME_CARD.distance_mm and card not in known and j not in used:
            known[card] = readings[j]
            used.add(j)
    return known, [reading for j, reading in enumerate(readings) if j not in used]


def _came_to_rest(reading: CardReading, grid: CellGrid, ripe: Cells, rested: NDArray[np.floating]) -> float:
    """Find when all that is read had come to rest, s, later on the safe side; -inf where nothing has changed."""
    cells = grid.card(reading.pose) if reading.pose is not None else np.zeros_like(ripe)
    if not cells.any() or float(ripe[cells].mean()) <= LIMITS.support_share:
        return -inf
    return float(np.quantile(rested[cells & ripe], 1 - LATEST_SHARE))


def _is_another(card: TrackedCard, reading: CardReading) -> bool:
    """Check whether a reading where the picture has changed is of another card than the tracked one there."""
    if reading.label is not None and card.named not in (None, reading.label):
        return True
    return reading.face_down != card.face_down


def find_new(
    readings: list[CardReading],
    change: MatChange,
    matter: Cells,
    hidden: Cells,
    rest: np.ndarray,
    at: float,
    labels: Collection[str | None] = (),
) -> list[tuple[TrackedCard, CardReading]]:
    """Select the readings that explain the change, the best first; each must explain a part of its own.

    :param labels: of the cards that were there before.
    :param matter: cells that have changed and do not show the bare mat.
    :param hidden: cells that should show the mat and do not: a back in its tone may differ by its colour alone.
    :param rest: seconds since each cell last moved; those that have been at rest longest are laid first.
    """
    grid = change.mat.grid
    unexplained, missing = matter.copy(), matter | hidden
    found: list[tuple[float, TrackedCard, CardReading]] = []
    taken = {*labels}
    waiting = [reading for reading in readings if reading.pose and change.mat.holds(reading.pose)]
    while waiting:
        best, best_score = None, 0.0
        for reading in waiting:
            assert reading.pose is not None
            cells = grid.card(reading.pose)
            evidence = missing if reading.face_down else unexplained
            support = count_cells(cells & evidence) / max(1, count_cells(cells))
            score = support + LIMITS.margin_weight * min(reading.margin, LIMITS.margin_cap)
            if _explains(reading, cells, support, matter, taken) and score > best_score:
                best, best_score = reading, score
        if best is None or best.pose is None:
            break
        waiting.remove(best)
        taken.add(best.label)
        explained = grid.card(best.pose, LIMITS.explained_mm)
        unexplained &= ~explained
        missing &= ~explained
        at_rest = float(rest[grid.card(best.pose)].mean())
        found.append((at_rest, TrackedCard(0, best.pose, at, face_down=best.face_down), best))
    found.sort(key=lambda item: -item[0])
    return [(card, reading) for _, card, reading in found]


def _explains(reading: CardReading, cells: Cells, own: float, matter: Cells, labels: Collection[str | None]) -> bool:
    """Check whether a card explains enough of a change to be new.

    :param own: share of its cells that have changed, and that no other new card explains.
    :param labels: of the cards that were there before, and of the other new ones.
    """
    if own >= LIMITS.support_share:
        return True
    if own < LIMITS.own_share or reading.label is None or reading.label in labels or reading.margin < CLEAR_MARGIN:
        return False
    return count_cells(cells & matter) >= LIMITS.support_share * count_cells(cells)


def lying_still(
    new: list[tuple[TrackedCard, CardReading]], grid: CellGrid, moved: Cells
) -> list[tuple[TrackedCard, CardReading]]:
    """Select the new cards that are read clearly, or on which nothing moves; others are read in a picture to come.

    :param moved: cells that have changed since the picture before.
    """
    return [
        (card, reading)
        for card, reading in new
        if reading.face_down
        or reading.margin >= CLEAR_MARGIN
        or count_cells(grid.card(card.pose) & moved) <= LIMITS.moving_share * grid.card_cells
    ]


def without_things(
    new: list[tuple[TrackedCard, CardReading]],
    known: Collection[TrackedCard],
    matter: Cells,
    where: MatChange,
) -> list[tuple[TrackedCard, CardReading]]:
    """Leave out new cards of which nothing is read and that touch what no card explains: a newspaper has columns.

    What has changed elsewhere, where the sun wanders or a hand rests, says nothing of them.

    :param known: cards that are where they were.
    :param matter: cells that have changed and do not show the bare mat.
    """
    left = matter.copy()
    for card in (*known, *(card for card, _ in new)):
        left &= ~where.mat.grid.card(card.pose, LIMITS.shadow_mm)
    if count_cells(left) < where.worth:
        return new
    patches = np.asarray(cv2.connectedComponents(left.view(np.uint8), connectivity=8)[1], np.int32)
    return [
        (card, reading)
        for card, reading in new
        if reading.choices or reading.face_down or not _is_beside(card, patches, where)
    ]


def _is_beside(card: TrackedCard, patches: NDArray[np.int32], where: MatChange) -> bool:
    """Check whether patches that no card explains (their numbers by cell, 0: none) touch a card and are large."""
    near = np.unique(patches[where.mat.grid.card(card.pose, LIMITS.beside_mm)])
    return count_cells(np.isin(patches, near[near > 0])) >= where.worth


def find_moved(
    cards: list[TrackedCard],
    new: list[tuple[TrackedCard, CardReading]],
    known: Collection[TrackedCard],
    where: MatChange,
    change: FrameChange,
    misplaced: Callable[[TrackedCard, CardReading], bool],
) -> dict[TrackedCard, tuple[TrackedCard, Pose]]:
    """Find new cards that are old ones, pushed or read in the wrong place, with the old one and its new pose.

    The card keeps its number. Of two equal ones that were both pushed each is the nearest.

    :param misplaced: whether a card was only the print of an equal one that is read now.
    """
    grid = where.mat.grid
    equal: list[tuple[float, TrackedCard, CardReading, TrackedCard, Cells]] = []
    for fresh, reading in new:
        for card, cells in zip(cards, visible_cells(grid, cards), strict=True):
            if card in known or not reading.choices or card.ranked[:1] != [reading.choices[0][0]]:
                continue
            away = float(np.hypot(card.pose[0] - fresh.pose[0], card.pose[1] - fresh.pose[1]))
            if away <= LIMITS.pushed_mm:
                equal.append((away, fresh, reading, card, cells))
    moved: dict[TrackedCard, tuple[TrackedCard, Pose]] = {}
    for away, fresh, reading, card, cells in sorted(equal, key=itemgetter(0)):
        if fresh in moved or any(card is old for old, _ in moved.values()):
            continue
        place = grid.card(fresh.pose, LIMITS.shadow_mm)  # its shadow changes what is visible of an equal card below it
        if _was_pushed(cells & ~place, away, where, change) or misplaced(card, reading):
            moved[fresh] = card, fresh.pose
    return moved


def _was_pushed(left: Cells, away_mm: float, where: MatChange, change: FrameChange) -> bool:
    """Check whether a card has left the cells that an equal one beside it leaves visible; or is too near to decide.

    What is still covered by the hand that pushed it, or was a moment ago, says nothing of it; but the mat does at once.
    """
    least = LIMITS.visible_share_on_mat * where.mat.grid.card_cells
    if count_cells(left) < least:
        return away_mm < SAME_CARD.distance_mm
    now_otherwise = left & (where.ripe | (where.bare & change.differs))
    as_before = left & ~now_otherwise & ~change.differs & (change.rest >= AT_REST_S)
    decided = max(least, count_cells(now_otherwise | as_before))
    return count_cells(now_otherwise) > LIMITS.pushed_changed_share * decided


def find_gone(
    cards: list[TrackedCard],
    kept: Collection[TrackedCard],
    new: list[TrackedCard],
    change: MatChange,
    things_again: Callable[[Plane], Cells],
    *,
    start: bool,
) -> list[TrackedCard]:
    """Find the cards that are no longer where they were: the mat is seen there, or what has lain there before.

    :param things_again: finds the cells that look as in an earlier picture, where something lay on the mat.
    :param start: nothing was read yet, and all counts as changed.
    """
    grid = change.mat.grid
    gone: list[TrackedCard] = []
    places = {card: grid.card(card.pose) for card in cards}
    for _ in range(2):  # what was hidden below cards that are gone is found in a second round
        rest = [card for card in cards if card not in gone]
        for card, cells in zip(rest, visible_cells(grid, [*rest, *new]), strict=False):
            if card in kept:
                continue
            inside = cells & change.mat.laid_on  # elsewhere no change is read, and packets pass for the table
            if card.face_down and count_cells(change.ripe & inside) < LIMITS.worth_share * max(1, count_cells(inside)):
                continue  # from afar a back's fine print may have the tone of the mat
            below = _union(places, without=[card, *gone], shape=grid.shape)
            if _has_left(inside, inside & ~below, change, start=start) or _shows_thing(
                card, inside, change, things_again
            ):
                gone.append(card)
    return gone


def find_turned_up(
    cards: list[TrackedCard], kept: Collection[TrackedCard], new: list[TrackedCard]
) -> list[TrackedCard]:
    """Find the backs in whose places faces are: nobody lays a card so exactly upon a back, they were turned over."""
    return [
        card
        for card in cards
        if card.face_down
        and card not in kept
        and any(not one.face_down and pose_distance(card.pose, one.pose) < SAME_CARD.distance_mm for one in new)
    ]


def hidden_cells(cards: list[TrackedCard], change: MatChange, rest: np.ndarray) -> Cells:
    """Find the cells at rest that should show the mat and do not, as no card is known to lie there."""
    hidden = change.bare_known & ~change.bare & (rest >= AT_REST_S)
    for card in cards:
        hidden &= ~change.mat.grid.card(card.pose, LIMITS.shadow_mm)
    return hidden


def _union(places: Mapping[TrackedCard, Cells], without: list[TrackedCard], shape: tuple[int, int]) -> Cells:
    cells = np.zeros(shape, bool)
    for card, place in places.items():
        if card not in without:
            cells |= place
    return cells


def _has_left(cells: Cells, on_mat: Cells, change: MatChange, *, start: bool) -> bool:
    """Check whether a card's visible ``cells``, of which some were ``on_mat`` itself, show that it is gone."""
    full = change.mat.grid.card_cells
    known = on_mat & change.bare_known
    if count_cells(known) >= LIMITS.visible_share_on_mat * full:
        return float(change.bare[known].mean()) >= LIMITS.gone_share
    least = LIMITS.visible_share_at_start if start else LIMITS.visible_share
    return count_cells(cells) >= least * full and float(change.ripe[cells].mean()) >= LIMITS.gone_share


def _shows_thing(card: TrackedCard, cells: Cells, change: MatChange, things_again: Callable[[Plane], Cells]) -> bool:
    """Check whether a card's visible ``cells`` have changed to a thing that lay below it, a telephone, and the mat."""
    if card.before is None or count_cells(cells) < LIMITS.visible_share * change.mat.grid.card_cells:
        return False
    if float(change.ripe[cells].mean()) < LIMITS.gone_share:
        return False
    thing = things_again(card.before) & cells
    return bool(thing.any()) and float((change.bare | thing)[cells].mean()) >= LIMITS.gone_share


def some_vanished(cards: list[TrackedCard], change: MatChange) -> bool:
    """Check whether the mat is seen where a card was on it."""
    grid = change.mat.grid
    places = [grid.card(card.pose) for card in cards]
    for k, cells in enumerate(visible_cells(grid, cards)):
        on_mat = cells & change.bare_known
        for below in places[:k]:
            on_mat &= ~below
        known = count_cells(on_mat)
        least = LIMITS.visible_share_on_mat * grid.card_cells
        if known >= least and count_cells(on_mat & change.bare) >= LIMITS.gone_share * known:
            return True
    return False
