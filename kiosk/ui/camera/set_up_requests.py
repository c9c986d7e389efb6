"""What people ask for on the screens that set a table up; the keys of a lesson are ``vision.messages.LessonKey``."""

from dataclasses import dataclass
from typing import TypeAlias

from vision.messages import LessonKey


@dataclass(frozen=True, slots=True)
class ShowCamera:
    """The camera's picture is wanted, or no longer."""

    wanted: bool


@dataclass(frozen=True, slots=True)
class SetCameraAnew:
    """The camera finds focus, exposure and white balance once more, and the mat is searched for."""


@dataclass(frozen=True, slots=True)
class ChooseDeck:
    """Another learned deck is played with."""

    name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class BeginLesson:
    """A deck with these faces is shown to the camera card by card."""

    faces: str  # doppelkopf, schafkopf …
    with_back: bool = False


@dataclass(frozen=True, slots=True)
class CheckDeck:
    """The cards laid before the camera from now on are counted, or no longer.

    ``spread``: they lie there open all at once, overlapping down to their letters.
    """

    wanted: bool
    spread: bool = False


SetUpRequest: TypeAlias = ShowCamera | SetCameraAnew | ChooseDeck | BeginLesson | CheckDeck | LessonKey
