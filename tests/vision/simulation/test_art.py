"""Faces drawn by the project and faces from Debian's decks."""

from dataclasses import replace
from itertools import combinations
from pathlib import Path
from types import MappingProxyType

import cv2
import numpy as np
import pytest

from vision.errors import DeckError
from vision.simulation import debian
from vision.simulation.art import drawn, load_art
from vision.simulation.artwork import BACK, BAVARIAN_LABELS, BAVARIAN_MM, FRENCH_LABELS, FRENCH_MM, PX_PER_MM

pytestmark = pytest.mark.slow


def small(face: np.ndarray) -> np.ndarray:
    return cv2.resize(face[..., :3], (59, 91), interpolation=cv2.INTER_AREA).astype(np.float32)


@pytest.mark.parametrize(
    ("name", "labels", "size"),
    [("stichwart", FRENCH_LABELS, FRENCH_MM), ("stichwart-bavarian", BAVARIAN_LABELS, BAVARIAN_MM)],
)
def test_drawn_deck_is_whole(name: str, labels: tuple[str, ...], size: tuple[float, float]) -> None:
    art = load_art(name)
    assert tuple(art.faces) == labels and art.size_mm == size
    for face in (*art.faces.values(), art.back):
        assert face.dtype == np.uint8
        assert face.shape == (round(size[1] * PX_PER_MM), round(size[0] * PX_PER_MM), 4)
        assert face[0, 0, 3] == 0 and face[face.shape[0] // 2, 0, 3] == 255  # round corners, straight sides


@pytest.mark.parametrize("name", drawn())
def test_every_face_is_told_from_every_other(name: str) -> None:
    art = load_art(name)
    faces = {label: small(face) for label, face in art.faces.items()} | {"back": small(art.back)}
    for (one, a), (two, b) in combinations(faces.items(), 2):
        for way in (b, b[::-1, ::-1]):
            assert (np.abs(a - way).max(2) > 60).mean() > 0.01, (one, two)  # a hundredth of the card


def test_french_courts_stand_on_both_ends() -> None:
    art = load_art("stichwart")
    for label in ("CK", "SQ", "HJ", "DT", "HA"):
        face = small(art.faces[label])
        if label[1] not in "TA":
            assert np.abs(face - face[::-1, ::-1]).mean() < 1.0, label


def test_doppelkopf_leaves_out_sevens_and_eights() -> None:
    assert len(load_art("stichwart").doppelkopf) == 24
    assert len(load_art("stichwart-bavarian").doppelkopf) == 32


def test_unknown_art_is_named() -> None:
    with pytest.raises(DeckError, match=r"'tarot'.*stichwart.*lattmann"):
        load_art("tarot")


def test_missing_package_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    gone = replace(debian.DECKS["berlin"], file="/nowhere/berlin.svgz")
    monkeypatch.setattr(debian, "DECKS", MappingProxyType({"berlin": gone}))
    with pytest.raises(DeckError, match=r"/nowhere/berlin.svgz.*apt install gnome-cards-data librsvg2-bin"):
        debian.load("berlin")


#: Pixels a mm that all decks but one are rendered with here: as fine as for a table they took half a minute.
COARSE = 2


@pytest.mark.parametrize(
    ("name", "px_per_mm"), [(name, PX_PER_MM if name == "berlin" else COARSE) for name in debian.DECKS]
)
def test_debian_deck(name: str, px_per_mm: float, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    sheet = debian.DECKS[name]
    if not Path(sheet.file).is_file():
        pytest.skip(f"{sheet.package} is not installed")
    size = round(sheet.size_mm[0] * px_per_mm), round(sheet.size_mm[1] * px_per_mm)
    monkeypatch.setattr(debian, "user_cache_dir", lambda _: str(tmp_path))
    if px_per_mm != PX_PER_MM:
        monkeypatch.setattr(debian, "pixels", lambda _: size)
    rendered = debian.load(name)
    kept = debian.load(name)
    assert len(rendered.faces) == 32 and list(tmp_path.rglob("*.npz"))
    assert set(rendered.faces) == set(BAVARIAN_LABELS if sheet.size_mm == BAVARIAN_MM else FRENCH_LABELS)
    assert all(np.array_equal(rendered.faces[label], kept.faces[label]) for label in rendered.faces)
    edge = round(40 / PX_PER_MM * px_per_mm)
    for face in rendered.faces.values():
        assert face.shape == (size[1], size[0], 4)
        assert face[edge:-edge, edge:-edge, 3].min() == 255  # whole cards, well cut


def test_broken_cache_is_rendered_anew(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rendered: list[str] = []

    def render(name: str, sheet: object) -> dict[str, np.ndarray]:
        rendered.append(name)
        return {**load_art("stichwart").faces, BACK: load_art("stichwart").back}

    monkeypatch.setattr(debian, "_render", render)
    monkeypatch.setattr(debian, "DECKS", MappingProxyType({"berlin": replace(debian.DECKS["berlin"], file=__file__)}))
    monkeypatch.setattr(debian, "user_cache_dir", lambda _: str(tmp_path))
    debian.load("berlin")
    (kept,) = tmp_path.rglob("*.npz")
    debian.load("berlin")
    assert rendered == ["berlin"]
    kept.write_bytes(kept.read_bytes()[:1000])
    assert len(debian.load("berlin").faces) == 32
    assert rendered == ["berlin", "berlin"]
