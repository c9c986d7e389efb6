"""A new card that is not read clearly waits for a picture in which nothing moves upon it."""

from types import SimpleNamespace

import numpy as np
import pytest

from vision.recognition.card_reading import CardReading
from vision.recognition.single_card import CLEAR_MARGIN
from vision.simulation.art import load_art
from vision.simulation.film import SimCamera
from vision.tracking.association import LIMITS, MatChange, lying_still, without_things
from vision.tracking.cell_grid import CellGrid
from vision.tracking.tracked_card import TrackedCard

POSE = (10.0, -20.0, 0.3)


@pytest.fixture(scope="module")
def grid() -> CellGrid:
    return CellGrid(SimCamera(load_art("stichwart"), seed=1, size=(640, 480)).view, (59.0, 91.0))


@pytest.mark.parametrize(
    ("margin", "face_down", "moving", "taken"),
    [
        pytest.param(CLEAR_MARGIN - 0.1, False, 0.0, True, id="at rest"),
        pytest.param(CLEAR_MARGIN - 0.1, False, 0.5 * LIMITS.moving_share, True, id="a finger at its edge"),
        pytest.param(CLEAR_MARGIN - 0.1, False, 3 * LIMITS.moving_share, False, id="a trick that is pushed together"),
        pytest.param(CLEAR_MARGIN, False, 1.0, True, id="read clearly"),
        pytest.param(0.0, True, 1.0, True, id="a back"),
    ],
)
def test_a_card_waits_while_something_moves_upon_it(
    grid: CellGrid, margin: float, face_down: bool, moving: float, taken: bool
) -> None:
    reading = CardReading("SA", margin, (("SA", 1.4), ("CA", 1.0)), np.zeros((4, 2)), POSE, face_down=face_down)
    moved = np.zeros(grid.shape, bool)
    rows, columns = np.nonzero(grid.card(POSE))
    count = round(moving * len(rows))
    moved[rows[:count], columns[:count]] = True
    new = [(TrackedCard(0, POSE, 1.0), reading)]
    assert lying_still(new, grid, moved) == (new if taken else [])


@pytest.mark.parametrize(("choices", "face_down", "beside", "touching", "taken"), [
    pytest.param((), False, 0.0, True, True, id="it is all that has changed"),
    pytest.param((), False, 2.0, True, False, id="a newspaper has come"),
    pytest.param((), False, 2.0, False, True, id="the sun wanders elsewhere"),
    pytest.param((), False, 0.05, True, True, id="its shadow is larger"),
    pytest.param((("SA", 0.4),), False, 2.0, True, True, id="it was read, with doubt"),
    pytest.param((), True, 2.0, True, True, id="a back"),
])  # fmt: skip
def test_a_card_of_which_nothing_is_read_is_all_that_has_changed_there(
    grid, choices, face_down, beside, touching, taken
):
    """``beside``: what else has changed, in cards; ``touching``: what is nearest to the card, or farthest from it."""
    card = grid.card(POSE)
    there = CardReading(None, 0.0, choices, np.zeros((4, 2)), POSE, face_down=face_down)
    new = [(TrackedCard(0, POSE, 1.0), there)]
    places = np.argwhere(~grid.card(POSE, LIMITS.shadow_mm))
    away = np.hypot(*(places - np.argwhere(card).mean(0)).T)
    order = np.argsort(away if touching else -away)
    matter = card.copy()
    matter[tuple(places[order[: round(beside * grid.card_cells)]].T)] = True
    mat = SimpleNamespace(grid=grid)
    where = MatChange(mat, matter, np.zeros_like(card), np.zeros_like(card))  # type: ignore[arg-type]
    assert without_things(new, [], matter, where) == (new if taken else [])
    known = [TrackedCard(1, POSE, 1.0)]
    assert without_things([], known, matter, where) == []


def test_a_card_between_two_that_are_known_is_none_of_their_newspaper(grid):
    """What a known card explains joins nothing."""
    card, beside = grid.card(POSE), (POSE[0] + 150.0, POSE[1], POSE[2])
    new = [(TrackedCard(0, POSE, 1.0), CardReading(None, 0.0, (), np.zeros((4, 2)), POSE))]
    matter = card | grid.card(beside)
    mat = SimpleNamespace(grid=grid)
    where = MatChange(mat, matter, np.zeros_like(card), np.zeros_like(card))  # type: ignore[arg-type]
    assert without_things(new, [TrackedCard(1, beside, 0.5)], matter, where) == new
