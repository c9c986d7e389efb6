"""Accept or reject card hypotheses, and turn those accepted into readings."""

from dataclasses import dataclass

from vision.deck.deck import BACK
from vision.geometry.projection import PlaneProjection, card_corners
from vision.recognition.card_reading import CardReading
from vision.recognition.classification import CardHypothesis


@dataclass(frozen=True, slots=True, kw_only=True)
class CardAcceptanceParams:
    """Parameters of when a hypothesis is a card, and when its label counts as read."""

    #: Least evidence of printed tiles. 0.5 … 2; paper without print has at most 0.7.
    min_print: float = 0.8
    #: Least of it where little is absent and the margin is ``clear_margin``: an ace in a narrow gap. 0.3 … 0.8.
    min_print_clear: float = 0.38
    clear_margin: float = 0.4
    #: Share of visible print that may be absent. 0.15 … 0.4; phantoms lack 0.3 … 0.7.
    max_absent: float = 0.25
    #: Of cards with much evidence more may: so much for each unit of evidence of print, up to a limit.
    max_absent_per_print: float = 0.055
    max_absent_ever: float = 0.55
    #: Margin from which a label counts as read. 0 … 0.5; more asks a person more often.
    sure_margin: float = 0.15
    #: The same where the evidence of print is below ``strong_print``: few tiles may all err alike.
    sure_margin_weak_print: float = 0.25
    strong_print: float = 4.0
    #: Share of the blank paper of a card of little print on which something else may be, a hand mostly. 0.4 … 0.55;
    #: true aces that only cards cover have 0, a telephone's icons taken for one 0.6 … 0.8.
    max_soiled_weak_print: float = 0.5
    #: Share of its tiles that must show of a card of little print. 0.2 … 0.3; where 40 % of a card shows it is 0.28.
    min_open_share_weak_print: float = 0.26


PARAMS = CardAcceptanceParams()


def is_card(card: CardHypothesis) -> bool:
    """Decide whether a hypothesis is a card at all: enough of its print is there, and little is not that should be.

    The grain of wood and print under a skew pose agree with a few tiles of some face, but not with its others; such
    phantoms are of no face in particular, so one in doubt must show more.
    """
    little_shows = card.open.mean() < PARAMS.min_open_share_weak_print or card.soiled > PARAMS.max_soiled_weak_print
    return shows_enough_print(card) and not (card.printed < PARAMS.strong_print and little_shows)


def shows_enough_print(card: CardHypothesis) -> bool:
    """Decide whether enough of a hypothesis's print is there, and little is not that should be, however little shows.

    Where something else says that a card lies there, this is enough.
    """
    if not has_certain_label(card):
        return card.printed >= 1.5 * PARAMS.min_print and card.refuted <= 0.5 * PARAMS.max_absent
    if card.margin >= PARAMS.clear_margin and card.refuted <= 0.2 * PARAMS.max_absent:
        return card.printed >= PARAMS.min_print_clear
    more = PARAMS.max_absent_per_print * (card.printed - PARAMS.min_print)
    return card.printed >= PARAMS.min_print and card.refuted <= min(PARAMS.max_absent_ever, PARAMS.max_absent + more)


def has_certain_label(card: CardHypothesis) -> bool:
    """Decide whether a card's first label is far enough ahead to be named: the farther, the more of it is absent."""
    least = PARAMS.sure_margin if card.printed >= PARAMS.strong_print else PARAMS.sure_margin_weak_print
    return card.margin >= least + card.refuted


def reading_of(card: CardHypothesis, size_mm: tuple[float, float], view: PlaneProjection) -> CardReading:
    """Turn a hypothesis into a reading: with a label only if it is certain, without one if it is a back."""
    quad = view.project(card_corners(card.pose, size_mm))
    x, y, angle = (float(v) for v in card.pose)
    label = card.labels[0][0] if has_certain_label(card) else None
    faces = tuple(item for item in card.labels if item[0] != BACK)
    if label == BACK:
        return CardReading(None, card.margin, (), quad, (x, y, angle), face_down=True)
    return CardReading(label, card.margin, faces, quad, (x, y, angle))
