"""The core of recognition: from possible poses in a rectified picture to cards."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from vision.board import Pose
from vision.bykeypoints import PrintPoses
from vision.centring import centred
from vision.choose import FACES, LEAST_FREE, Chooser
from vision.deck import BACK, Deck
from vision.features import PrintIndex
from vision.outlines import Outlines
from vision.plane import Plane
from vision.refine import Slopes, refined
from vision.settle import Choice
from vision.tiles import References
from vision.view import Array, View, card_corners


@dataclass(frozen=True, eq=False)
class Seen:
    """One card in one frame.

    ``label`` is None where the label is in doubt; then ``choices`` names the likely ones. ``margin`` (0 … 1) says how
    far the best label is ahead of its rival. ``quad`` is (4, 2) float64, corners in pixels clockwise from the upper
    left corner of the card itself. ``pose`` is (x mm, y mm, angle rad) on the view's plane.
    ``face_down``: it shows its back, which the deck must know; it has no label then.
    """

    label: str | None
    margin: float
    choices: tuple[tuple[str, float], ...]
    quad: Array
    pose: tuple[float, float, float] | None = None
    face_down: bool = False


@dataclass(frozen=True, eq=False)
class Prepared:
    """What recognition computes once of a deck."""

    coarse: References
    fine: References
    slopes: Slopes
    fine_slopes: Slopes
    sharp: References
    deck: Deck

    @cached_property
    def print_index(self) -> PrintIndex:
        """Keypoints of the faces, for looks without a view."""
        return PrintIndex.of(self.deck)

    @cached_property
    def print_poses(self) -> PrintPoses:
        """Keypoints of the faces as a view shows them."""
        return PrintPoses.of(self.deck)

    @classmethod
    def of(cls, deck: Deck) -> "Prepared":
        """Of ``deck``; kept with it after the first call."""
        kept = deck.__dict__.get("_prepared")
        if kept is None:
            own = replace(deck, faces={label: centred(face) for label, face in deck.faces.items()})
            coarse = References.of(own, 8, 0.5)
            sharp = References.of(own, 24, 0.6)
            fine = References.of(own, 16, 0.8)
            kept = cls(coarse, fine, Slopes.of(coarse), Slopes.of(fine), sharp, own)
            deck.__dict__["_prepared"] = kept
        return kept


#: Poses refined, the best by coarse agreement. 20 … 60.
REFINED = 36
#: Poses kept after that. 16 … 40.
KEPT = 24
#: Poses by outline that are looked at again where paper is left: those with the best outlines, and of how many of them
#: and those by print the best are refined. 30 … 130; 10 … 30.
OUTLINES, AGAIN = 60, 20
#: How often what turned out to be no card is taken back, and further cards are looked for. 1 … 3.
ROUNDS = 4
#: Least evidence of printed tiles. 0.5 … 2; paper without print has at most 0.7.
PRINT = 0.8
#: Least of it where nothing is absent and the margin is ``CLEAR``: an ace in a narrow gap. 0.3 … 0.8.
LITTLE_PRINT, CLEAR = 0.38, 0.4
#: Share of visible print that may be absent, more for cards with much evidence. 0.15 … 0.4; phantoms lack 0.3 … 0.7.
ABSENT = 0.25
#: Margin from which a label counts as read. 0 … 0.5; more asks a person more often.
SURE = 0.15
#: The same for a card of which little print shows (evidence below ``MUCH``): few tiles may all err alike.
SURE_OF_LITTLE = 0.25
MUCH = 4.0
#: Share of its tiles that must show of a card of little print. 0.2 … 0.3; where 40 % of a card shows it is 0.28.
SHOWN = 0.26


def real(choice: Choice) -> bool:
    """Whether a choice is a card at all: enough of its print is there, and little is not that should be.

    The grain of wood and print under a skew pose agree with a few tiles of some face, but not with its others; such
    phantoms are of no face in particular, so one in doubt must show more.
    """
    if choice.printed < MUCH and choice.open.mean() < SHOWN:
        return False
    if not sure(choice):
        return choice.printed >= 1.5 * PRINT and choice.refuted <= 0.5 * ABSENT
    if choice.margin >= CLEAR and choice.refuted <= 0.2 * ABSENT:
        return choice.printed >= LITTLE_PRINT
    return choice.printed >= PRINT and choice.refuted <= min(0.55, ABSENT + 0.055 * (choice.printed - PRINT))


def sure(choice: Choice) -> bool:
    """Whether a choice's first label is far enough ahead of its rivals to be named: the farther, the more is absent."""
    return choice.margin >= (SURE if choice.printed >= MUCH else SURE_OF_LITTLE) + choice.refuted


def chosen(
    plane: Plane,
    known: Prepared,
    poses: Array,
    most: int = REFINED,
    outlines: Outlines | None = None,
    lying: Sequence[tuple[Pose, str]] = (),
) -> list[Choice]:
    """Cards among possible ``poses`` (n, 3: mm, mm, rad), most evidence first; ``real`` tells which can stand.

    ``most``: how many poses are refined; fewer where few cards can be. ``outlines`` of the whole plane, if cards are
    looked for by their print too, and by sides whose corners are covered, where these poses explain not all.
    ``lying``: poses and labels of cards known to lie there.
    """
    if not len(poses):
        return []
    possible = _possible(plane, known, poses, most, KEPT)
    chooser = Chooser(plane, known.fine, known.fine_slopes, known.sharp, known.coarse, *possible)
    if outlines is not None:
        for _ in range(ROUNDS):
            before = chooser.standing(real)
            _further(chooser, plane, known, poses, outlines)
            chooser.defend(before, real)
            if not chooser.give_up(real):
                break
        while chooser.give_up(real):
            pass
    return chooser.choices(lying)


def _further(chooser: Chooser, plane: Plane, known: Prepared, poses: Array, outlines: Outlines) -> None:
    """Looks for cards where those taken do not explain the picture."""
    left = chooser.unexplained()
    more = [
        outlines.covered(
            lambda places: chooser.owner(places + plane.origin),
            lambda poses: chooser.free(poses + np.append(plane.origin, 0.0)).mean(1) > LEAST_FREE,
        )
        + np.append(plane.origin, 0.0)
    ]
    if left is not None:
        more += [known.print_poses.poses(plane, left, chooser.corner), poses[:OUTLINES]]
    tried = np.vstack(more)
    free = chooser.free(tried)
    open_ = free.mean(1) > LEAST_FREE
    if open_.any():
        chooser.add(*_possible(plane, known, tried[open_], AGAIN, AGAIN, free[open_]))
    chooser.take()


def _possible(
    plane: Plane, known: Prepared, poses: Array, most: int, kept: int, free: Array | None = None
) -> tuple[Array, Array]:
    """The best ``most`` of ``poses`` refined, of these the best ``kept``, none twice; and rows of faces for each.

    ``free``: (n, tiles) bool, the only tiles that have a say: print of a covering card would be taken for a court's.
    """
    coarse = known.coarse
    says = np.ones((len(poses), coarse.weights.shape[1]), bool) if free is None else free

    def score(poses: Array, says: Array) -> Array:
        agreement = coarse.agreement_at(plane, poses)
        return np.asarray(np.einsum("nft,nt->nf", coarse.weights[None] * np.clip(agreement - 0.3, 0, 1), says))

    first = score(poses, says)
    order = np.argsort(-first.max(1))[:most]
    poses, says = poses[order], says[order]
    poses = refined(plane, coarse, known.slopes, poses, first[order].argmax(1), steps=4, visible=says)
    then = score(poses, says)
    found: list[int] = []
    for k in np.argsort(-then.max(1)):
        turn = np.abs(np.mod(poses[found, 2] - poses[k, 2] + np.pi / 2, np.pi) - np.pi / 2)
        if not ((np.hypot(*(poses[found, :2] - poses[k, :2]).T) < 1.0) & (turn < 0.03)).any():
            found.append(int(k))
    found = found[:kept]
    return poses[found], np.argsort(-then[found], 1)[:, :FACES]


def seen_of(choice: Choice, deck: Deck, view: View) -> Seen:
    """A choice in the words of the interface; a label only if it is sure, none for a back."""
    quad = view.project(card_corners(choice.pose, deck.size_mm))
    x, y, angle = (float(v) for v in choice.pose)
    label = choice.labels[0][0] if sure(choice) else None
    faces = tuple(item for item in choice.labels if item[0] != BACK)
    if label == BACK:
        return Seen(None, choice.margin, (), quad, (x, y, angle), face_down=True)
    return Seen(label, choice.margin, faces, quad, (x, y, angle))
