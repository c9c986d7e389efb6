"""Scans of a real deck on the simulated table."""

from pathlib import Path

import cv2
import numpy as np
import pytest

from kiosk.bench.scenes import measure_scenes
from vision.errors import DeckError
from vision.simulation.art import load_art
from vision.simulation.artwork import BACK, BAVARIAN_MM, pixels
from vision.simulation.scanned import scanned

pytestmark = pytest.mark.slow

LABELS = ("EO", "G9", "HT", "SU")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    where = tmp_path_factory.mktemp("scans")
    art = load_art("stichwart-bavarian")
    for label in (*LABELS, BACK):
        face = art.back if label == BACK else art.faces[label]
        flat = np.where(face[..., 3:] > 0, face[..., :3], 255).astype(np.uint8)
        cv2.imwrite(str(where / f"{label}.png"), cv2.resize(flat, (500, 893)))
    return where


def test_scans_become_cards(folder: Path) -> None:
    art, drawn = scanned("scans", folder), load_art("stichwart-bavarian")
    assert set(art.faces) == set(LABELS) and art.size_mm == BAVARIAN_MM
    for label, face in art.faces.items():
        assert face.shape == (*pixels(BAVARIAN_MM)[::-1], 4) and face[0, 0, 3] == 0
        assert np.abs(face[20:-20, 20:-20, :3].astype(int) - drawn.faces[label][20:-20, 20:-20, :3]).mean() < 4


def test_a_deck_taught_from_scans_is_read_in_print(folder: Path) -> None:
    result = measure_scenes("scans", "isolated", 100, 1, count=2, scans=str(folder))
    assert (result["clean"], result["right"], result["wrong"]) == (1, 2, 0), result["notes"]


def test_a_back_is_needed(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "EO.png").write_bytes((folder / "EO.png").read_bytes())
    with pytest.raises(DeckError, match="no picture of the back"):
        scanned("scans", tmp_path)
