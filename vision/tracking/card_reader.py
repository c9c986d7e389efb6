"""Read the cards where the mat has changed: the newest alone first, then those known to be there, then the scene."""

from dataclasses import dataclass
from typing import Protocol

import cv2
import numpy as np

from vision.deck.deck import Deck
from vision.geometry.projection import Array, PlaneProjection
from vision.images import Picture
from vision.recognition.card_reading import CardReading
from vision.recognition.deck_features import DeckFeatures
from vision.recognition.recognise import read_near, recognise
from vision.recognition.single_card import KnownPlace, is_print_of_lower_card, read_held, read_newest
from vision.tracking.cell_grid import MatRegions
from vision.tracking.coarse_plane import Cells, count_cells
from vision.tracking.frame_context import FrameContext
from vision.tracking.tracked_card import SAME_CARD, TrackedCard, pose_distance, visible_cells


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadingLimits:
    """Limits of reading cards on the mat."""

    #: Least share of what its face could give that is seen of a card just laid. 0.06 … 0.15: those below a hand gave
    #: 0.2 at least, a wrong one beside it 0.04.
    least_evidence_share: float = 0.1
    #: Share of a card that must be visible for it to be read again where it was.
    least_visible_share: float = 0.25
    #: mm round a card that change with it: its shadow, a wrong calibration.
    margin_mm: float = 6.0
    #: Share of a card that overlaps another from which the one may be nothing but the other's print.
    overlap_share: float = 0.2
    #: Share of a card that has changed for it to be read again where it was; and if such cards may explain all change.
    changed_share: float = 0.1
    changed_share_if_all: float = 0.03
    #: Least evidence for an overlooked thing of a card's size to be read: backs and the bare mat had at most 1.6, faces
    #: blurred by 5 px had 12.
    least_lone_evidence: float = 2.5
    #: Patches smaller than this, as a share of the least change worth a reading, are left out.
    least_patch_share: float = 0.25


LIMITS = ReadingLimits()


class Recogniser(Protocol):
    """Recognition as the tracker calls it; ``region``: outline (n, 2) px."""

    def __call__(
        self, frame: Picture, deck: Deck, view: PlaneProjection | None = None, region: Array | None = None
    ) -> list[CardReading]: ...


class CardReader:
    """Reads cards by a deck's features; with a ``recogniser`` of one's own that alone is asked.

    ``cards`` are everywhere those known to be on the mat, the lowest first.
    """

    def __init__(self, deck: Deck, recogniser: Recogniser | None = None) -> None:
        self._recogniser = recogniser
        self.features = DeckFeatures(deck)
        if recogniser is None:
            self.features.prepare()  # now, not when the first card is laid

    @property
    def by_features(self) -> bool:
        """Whether cards are read by the deck's features, and not by a recogniser of one's own."""
        return self._recogniser is None

    def take_deck(self, deck: Deck) -> None:
        """Read by other references of the same cards from now on."""
        if deck is not self.features.deck:
            self.features = DeckFeatures(deck)  # the old ones are let go first: two at a time take too much memory
            if self._recogniser is None:
                self.features.prepare()

    def read_by(self, recogniser: Recogniser | None) -> None:
        """Read by a recogniser of one's own from now on; None: by the deck's features, which must be given next."""
        self._recogniser = recogniser

    def read_changed(
        self, context: FrameContext, matter: Cells, cards: list[TrackedCard], worth: float, *, closely: bool
    ) -> list[CardReading] | None:
        """Read the cards in cells ``matter`` where something was laid or the light has changed.

        The newest alone if it explains all; or the ``cards`` known to be there, if little (``worth`` in cells) is left
        beside them. Else None unless it is to be read ``closely``: these and the newest, if it is clear and leaves no
        paper for another card; or whatever meets the place.
        """
        grid, image = context.mat.grid, context.image
        if self._recogniser is not None:
            return self.read_scene(context, matter, cards)
        least_patch = LIMITS.least_patch_share * worth
        newest = read_newest(image, self.features, grid.view, grid.places(_large_patches(matter, least_patch)))
        if newest is not None and self._is_new(context, cards, newest):
            return [newest]
        confirmed: list[CardReading] = []
        rest = matter.copy()
        for card in self._touched(context.mat, matter, cards, worth):
            reading = self.confirm(context, cards, card)
            if reading is not None:
                confirmed.append(reading)
                rest &= ~grid.card(card.pose, LIMITS.margin_mm)
        if confirmed and count_cells(rest) < worth:
            return confirmed
        if not closely:
            return None
        places, poses = grid.places(_large_patches(rest, least_patch)), [card.pose for card in cards]
        held = read_held(image, self.features, grid.view, places, poses)
        if held is not None and self._is_new(context, cards, held):
            return [*confirmed, held]
        return self.read_scene(context, matter, cards)

    def read_scene(self, context: FrameContext, matter: Cells, cards: list[TrackedCard]) -> list[CardReading]:
        """Read whatever meets cells ``matter``, those of the ``cards`` known to be there included."""
        grid, image = context.mat.grid, context.image
        if self._recogniser is not None:
            found = self._recogniser(image, self.features.deck, grid.view, grid.region(matter))
            return [reading for reading in found if reading.pose is not None]
        known = [(card.pose, card.label) for card in cards if card.label is not None]
        scene = recognise(image, self.features, grid.view, grid.region(matter), known)
        return [reading for reading in scene if self._shows_enough(reading, cards)]

    def confirm(self, context: FrameContext, cards: list[TrackedCard], card: TrackedCard) -> CardReading | None:
        """Read a known card where it was, in whatever light; None unless it clearly is there still."""
        if self._recogniser is not None or card.face_down or card.label is None:
            return None
        reading = self._place_of(context, cards, card).read(card.label)
        if reading is None or reading.label != card.label or reading.pose is None:
            return None
        return None if pose_distance(card.pose, reading.pose) > SAME_CARD.distance_mm / 2 else reading

    def read_overlooked(self, context: FrameContext, matter: Cells, cards: list[TrackedCard]) -> CardReading | None:
        """Read a lone thing of a card's size that was overlooked but shows some face: mostly a doubt to be asked.

        It is none of the ``cards`` known to be there, of which a hand may show a part. None also for a deck that
        nobody has taught: it has no faces.
        """
        pose = context.mat.grid.lone_card(matter) if self.features.deck.faces else None
        if pose is None or not context.mat.holds(pose):
            return None
        reading = read_near(context.image, self.features, context.mat.grid.view, pose)
        if reading.pose is None or not reading.choices or reading.choices[0][1] < LIMITS.least_lone_evidence:
            return None
        for card in cards:
            near = pose_distance(card.pose, reading.pose) < SAME_CARD.distance_mm
            if near and reading.choices[0][0] == card.label:
                return None
        return reading

    def read_again(
        self, context: FrameContext, cards: list[TrackedCard], card: TrackedCard, cells: Cells
    ) -> CardReading | None:
        """Read a card once more where it is, in its visible ``cells``; None if none is seen there."""
        grid = context.mat.grid
        if self._recogniser is None:
            reading = self._place_of(context, cards, card).read()
            if reading is None or not reading.pose:
                return None
            return reading if pose_distance(card.pose, reading.pose) < SAME_CARD.distance_mm else None
        found = [
            (pose_distance(card.pose, reading.pose), reading)
            for reading in self._recogniser(context.image, self.features.deck, grid.view, grid.region(cells, 0))
            if reading.pose is not None
        ]
        distance, nearest = min(found, key=lambda pair: pair[0], default=(np.inf, None))
        return nearest if distance < SAME_CARD.distance_mm else None

    def matches_own_face(self, context: FrameContext, cards: list[TrackedCard], card: TrackedCard) -> bool:
        """Compare a card that is sure with its own face alone, which costs a fraction of a reading."""
        assert card.label is not None
        return self._place_of(context, cards, card).has_label(card.label)

    def misplaced(self, context: FrameContext, card: TrackedCard, reading: CardReading) -> bool:
        """Check whether a known card was only the print of an equal one that is read now, a few pips further.

        It was read too early then: a hand covered too large a part of it.
        """
        if self._recogniser is not None or reading.pose is None or reading.label is None or reading.label != card.label:
            return False
        grid = context.mat.grid
        overlap = count_cells(grid.card(reading.pose) & grid.card(card.pose))
        if overlap < LIMITS.overlap_share * grid.card_cells:
            return False
        old, new = (card.pose, card.label), (reading.pose, reading.label)
        return is_print_of_lower_card(context.image, self.features, grid.view, old, new)

    def compare_next(self) -> None:
        """Compute one more step of the comparison of faces, while there is nothing to be read."""
        if self._recogniser is None:
            self.features.sharp.correlate_next()

    def _place_of(self, context: FrameContext, cards: list[TrackedCard], card: TrackedCard) -> KnownPlace:
        """Rectify the mat round a known card, with the cards above it."""
        above = [other.pose for other in cards[cards.index(card) + 1 :]]
        return KnownPlace(context.image, self.features, context.mat.grid.view, card.pose, above)

    def _shows_enough(self, reading: CardReading, cards: list[TrackedCard]) -> bool:
        """Check whether a reading shows enough for a card just laid, or is of one of the ``cards`` known to be there.

        Such a card is above all others; only a hand may be above it, and then it is read again. So must one of another
        label in the place of a known one: beside a hand that stays there blank paper is like any ace's.
        """
        if reading.face_down or reading.pose is None:
            return True
        near = [card for card in cards if pose_distance(card.pose, reading.pose) < SAME_CARD.distance_mm]
        if any(reading.label is None or card.named in (None, reading.label) for card in near):
            return True
        label, evidence = reading.choices[0]
        sharp = self.features.sharp
        full = float(sharp.weights[2 * sharp.labels.index(label)].sum())
        return evidence >= LIMITS.least_evidence_share * full

    def _is_new(self, context: FrameContext, cards: list[TrackedCard], reading: CardReading) -> bool:
        """Check whether a reading is of some card, and not of the print of one of the ``cards`` known to be there."""
        if reading.label is None:
            return reading.face_down
        if reading.pose is None:
            return True
        grid = context.mat.grid
        place, least = grid.card(reading.pose), LIMITS.overlap_share * grid.card_cells
        return not any(
            is_print_of_lower_card(
                context.image, self.features, grid.view, (reading.pose, reading.label), (card.pose, card.label)
            )
            for card in cards
            if card.label is not None
            and count_cells(place & grid.card(card.pose)) > least
            and pose_distance(reading.pose, card.pose) > SAME_CARD.distance_mm
        )

    def _touched(self, mat: MatRegions, matter: Cells, cards: list[TrackedCard], worth: float) -> list[TrackedCard]:
        """Select the known cards where something has changed, of which enough is visible.

        Those of which a small part has changed count only if nothing else has changed.
        """
        grid, full = mat.grid, mat.grid.card_cells
        changed_cards: list[TrackedCard] = []
        slightly_changed: list[TrackedCard] = []
        rest = matter.copy()
        for card, cells in zip(cards, visible_cells(grid, cards) if cards else [], strict=True):
            changed = count_cells(cells & matter)
            enough = count_cells(cells) >= LIMITS.least_visible_share * full
            if changed >= LIMITS.changed_share_if_all * full and enough:
                (changed_cards if changed >= LIMITS.changed_share * full else slightly_changed).append(card)
                rest &= ~grid.card(card.pose, LIMITS.margin_mm)
        return [*changed_cards, *slightly_changed] if count_cells(rest) < worth else changed_cards


def _large_patches(cells: Cells, least: float) -> Cells:
    """Drop patches of fewer than ``least`` cells."""
    number, patches, stats, _ = cv2.connectedComponentsWithStats(cells.view(np.uint8), connectivity=8)
    large = np.append(False, stats[1:number, cv2.CC_STAT_AREA] >= least)
    return np.asarray(large[patches])
