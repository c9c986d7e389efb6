"""Compute a deck's reference tiles, gradients and keypoints once, to pass them to every recognition."""

from dataclasses import dataclass, replace
from functools import cached_property

from vision.deck.centring import centre_print
from vision.deck.deck import Deck
from vision.recognition.keypoint_proposals import KeypointProposals
from vision.recognition.keypoints import KeypointIndex
from vision.recognition.pose_refinement import PoseRefiner
from vision.recognition.tiles import ReferenceTiles


@dataclass(frozen=True, eq=False)
class DeckFeatures:
    """Reference features of a ``deck``, each computed when it is first asked for.

    The parts take tens of megabytes and up to a second for 24 faces: keep the value as long as the deck is in use.
    """

    deck: Deck

    @property
    def size_mm(self) -> tuple[float, float]:
        """Width and height of a card."""
        return self.deck.size_mm

    @cached_property
    def centred(self) -> Deck:
        """The deck with each face's print moved to its middle."""
        return replace(self.deck, faces={label: centre_print(face) for label, face in self.deck.faces.items()})

    @cached_property
    def coarse(self) -> ReferenceTiles:
        """Tiles of 8 px: to compare hundreds of poses with every face."""
        return ReferenceTiles.of(self.centred, 8, 0.5)

    @cached_property
    def fine(self) -> ReferenceTiles:
        """Tiles of 16 px: evidence of the poses that are left."""
        return ReferenceTiles.of(self.centred, 16, 0.8)

    @cached_property
    def sharp(self) -> ReferenceTiles:
        """Tiles of 24 px: to separate similar faces."""
        return ReferenceTiles.of(self.centred, 24, 0.6)

    @cached_property
    def coarse_refiner(self) -> PoseRefiner:
        """Refines poses on the coarse tiles."""
        return PoseRefiner.of(self.coarse, fine=False)

    @cached_property
    def fine_refiner(self) -> PoseRefiner:
        """Refines poses on the fine tiles."""
        return PoseRefiner.of(self.fine, fine=True)

    @cached_property
    def keypoint_index(self) -> KeypointIndex:
        """Keypoints of the faces at any scale, for pictures whose view is not known."""
        return KeypointIndex.of(self.centred)

    @cached_property
    def keypoint_proposals(self) -> KeypointProposals:
        """Keypoints of the faces at the scale of a known view."""
        return KeypointProposals.of(self.centred)

    def prepare(self) -> "DeckFeatures":
        """Compute now what every frame with a known view needs; the keypoints stay for when they are asked for."""
        _ = self.coarse_refiner, self.fine_refiner, self.sharp
        return self
