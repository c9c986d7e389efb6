"""Define what the set-up screen shows of the camera."""

from dataclasses import dataclass

from vision.messages import CameraState, Finding


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class CameraView:
    """The camera's picture with its faults; ``picture`` is a JPEG, empty where there is none."""

    picture: bytes
    findings: tuple[Finding, ...] = ()
    cards: tuple[str, ...] = ()  # labels of the cards read, "?" for a doubt
    card_px: float = 0.0
    deck: str = ""  # the deck in use; "": none
    decks: tuple[str, ...] = ()  # those that have the book's cards
    fits: bool = True  # the deck has all cards of the book
    in_play: bool = False  # there is none, and its cards are read by their indices until they are learned in play
    faces: str = "doppelkopf"  # what a deck for this book has
    may_learn: bool = True  # no game is running
    camera: CameraState | None = None  # which camera it is and how it is set; None: no camera
