"""What the networks learn from is made the same way every time, and the marks lie where the indices are."""

import math
import re
import subprocess
import sys
from pathlib import Path

import cv2
import numpy as np
import pytest

from vision.indices.networks import PATCH_PX, IndexPlace, patch, pyramid
from vision.training import faces, marks, samples, scenes, shards

pytestmark = pytest.mark.slow

KEPT_OUT = ("berlin", "rheinland", "dondorf", "anglo", "standard", "white")


@pytest.fixture(scope="module")
def recipe() -> shards.Recipe:
    """Drawn cards only: no package of card art is needed."""
    if not marks.fonts() or not marks.sign_fonts():
        pytest.skip("no fonts with letters and suit signs are installed")
    return shards.Recipe(debian=False)


def test_the_same_number_gives_the_same_scenes(recipe: shards.Recipe) -> None:
    once, again = (list(recipe.scenes(3, 4)) for _ in range(2))
    assert [m for _, m in once] == [m for _, m in again]
    assert all(np.array_equal(a, b) for (a, _), (b, _) in zip(once, again, strict=True))
    other = next(iter(recipe.scenes(4, 1)))
    assert not np.array_equal(once[0][0], other[0])


def test_a_shard_is_read_as_it_was_written(recipe: shards.Recipe, tmp_path: Path) -> None:
    made = list(recipe.scenes(5, 6))
    shards.write(tmp_path / "shard-0005.npz", iter(made))
    pictures, table = shards.read(tmp_path / "shard-0005.npz")
    assert [bytes(p) for p in pictures] == [bytes(d) for d, _ in made]
    assert len(table) == sum(len(m) for _, m in made)
    shelf = samples.Shelf(tmp_path)
    assert shelf.open_new() == 6
    rng = np.random.default_rng(0)
    batch = samples.patches(rng, shelf, 32)
    assert batch.inputs.shape == (32, 3, PATCH_PX[1], PATCH_PX[0])
    assert 0 < batch.index.sum() < 32
    assert ((batch.ranks >= 0) == (batch.index > 0.5)).all()
    many = samples.canvases(rng, shelf, 3)
    assert many.inputs.shape == (3, 3, samples.CANVAS_PX, samples.CANVAS_PX)


def test_marks_lie_on_the_ink() -> None:
    """A card turned and tilted: the patch cut at its mark shows the index upright, as the drawn card has it."""
    rng = np.random.default_rng(2)
    style = faces.random_style(rng, marks.split(marks.fonts())[0])
    face = faces.draw(style, "K", "S", rng, faces.FaceMiddles([]))
    spot = face.spots[0]
    flat = (face.texture[..., :3] * (face.texture[..., 3:] > 0)).astype(np.uint8)
    own = patch(pyramid(flat), IndexPlace(spot.x, spot.y, 0.0, spot.height))
    turn = cv2.getRotationMatrix2D((0, 0), -50, 1.0)
    matrix = np.vstack([turn, (0, 0, 1)])
    centre = matrix @ (spot.x, spot.y, 1)
    matrix[:2, 2] += 128 - centre[:2]
    canvas, owner = np.zeros((scenes.SIZE, scenes.SIZE, 3), np.float32), np.zeros((scenes.SIZE, scenes.SIZE), np.int16)
    assert scenes.lay_card(canvas, owner, face.texture, matrix, 1, np.random.default_rng(8))
    mark = scenes.annotate_index(spot, matrix, owner, 1)
    assert mark is not None
    assert math.isclose(mark.angle, math.radians(50), abs_tol=1e-3)
    assert mark.shown > 0.95
    seen = patch(pyramid(canvas.astype(np.uint8)), IndexPlace(mark.x, mark.y, mark.angle, mark.height))
    likeness = np.corrcoef(own[8:-8, 8:-8].ravel(), seen[8:-8, 8:-8].ravel())[0, 1]
    assert likeness > 0.9


def test_a_covered_index_is_not_taught() -> None:
    owner = np.zeros((scenes.SIZE, scenes.SIZE), np.int16)
    spot = faces.Spot(100, 100, 40, 20, False, "A", "H")
    owner[:108] = 1
    mark = scenes.annotate_index(spot, np.eye(3), owner, 1)
    assert mark is not None
    assert scenes.HIDDEN_UP_TO_SHARE < mark.shown < scenes.VISIBLE_FROM_SHARE


def test_fonts_kept_back_are_of_other_families() -> None:
    trained, kept = marks.split(marks.fonts())
    assert not {marks.family(f) for f in trained} & {marks.family(f) for f in kept}


def test_no_held_out_deck_is_trained_on() -> None:
    names = {deck.name for deck in faces.TRAINED}
    assert not names & set(KEPT_OUT)
    assert not names & {deck.name for deck in faces.VALIDATED}


def test_the_recipe_needs_no_pytorch() -> None:
    code = "import sys; sys.modules['torch'] = None; import vision.training.shards, vision.training.mine"
    subprocess.run([sys.executable, "-W", "error", "-c", code], check=True, timeout=120)


def test_nothing_that_runs_imports_the_training() -> None:
    root = Path(__file__).parents[3]
    imports = re.compile(r"^\s*(from|import) vision\.training\b", re.MULTILINE)
    for package in ("vision", "kiosk", "hw"):
        for file in (root / package).rglob("*.py"):
            if "training" not in file.parts:
                assert not imports.search(file.read_text()), file
