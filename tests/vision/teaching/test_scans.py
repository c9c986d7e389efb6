"""A deck from a folder of scans or photographs, one card a file, named by its label."""

import io
from pathlib import Path

import cv2
import numpy as np
import pytest

from kiosk.app.commands.lesson import learn_from_pictures
from vision.deck.deck import Deck
from vision.errors import DeckError
from vision.simulation.art import load_art
from vision.teaching.from_scans import label_of, learn_from_folder

LABELS = ("HT", "CQ", "SK", "DA")


def scan(label: str, kind: str) -> np.ndarray:
    """A card's face as a scanner gives it: ``full`` to its edge on a black lid, with a grey ``margin``, or lying
    ``askew`` on green cloth."""
    face = load_art("stichwart").faces[label]
    cover = face[..., 3:].astype(np.float32) / 255
    ground = {"full": (0, 0, 0), "margin": (110, 110, 110), "askew": (60, 95, 40)}[kind]
    card = (face[..., :3] * cover + np.array(ground) * (1 - cover)).astype(np.uint8)
    if kind == "full":
        return card
    height, width = card.shape[:2]
    out = np.full((height + 160, width + 200, 3), ground, np.uint8)
    matrix = cv2.getRotationMatrix2D((width / 2, height / 2), 7 if kind == "askew" else 0, 1.0)
    matrix[:, 2] += (100, 80)
    whole = cv2.warpAffine(cover[..., 0], matrix, out.shape[1::-1])[..., None]
    moved = cv2.warpAffine(face[..., :3], matrix, out.shape[1::-1])
    return (out * (1 - whole) + moved * whole).astype(np.uint8)


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["full", "margin", "askew"])
def test_scans_become_faces(tmp_path: Path, kind: str) -> None:
    for label in LABELS:
        cv2.imwrite(str(tmp_path / f"{label}.png"), scan(label, kind))
    deck = learn_from_folder("club", tmp_path, tmp_path / "decks")
    assert sorted(deck.labels) == sorted(LABELS)
    assert deck.size_mm == (59.0, 91.0)
    for label in LABELS:
        true = cv2.resize(load_art("stichwart").faces[label][..., :3], (236, 364), interpolation=cv2.INTER_AREA)
        inner = (slice(16, -16), slice(16, -16))
        likeness = max(
            np.corrcoef(true[inner].ravel(), face[inner].ravel())[0, 1]
            for face in (deck.faces[label], deck.faces[label][::-1, ::-1])
        )
        assert likeness > 0.93
        assert deck.faces[label][:6, :6].min() > 150  # no ground is left in the corners


@pytest.mark.parametrize(
    ("name", "label"),
    [
        ("HT", "HT"),
        ("h10", "HT"),
        ("HD", "HQ"),
        ("KB", "CJ"),
        ("PD", "SQ"),
        ("EO", "EO"),
        ("back", "back"),
        ("Rückseite", "back"),
    ],
)
def test_files_are_named_by_cards(name: str, label: str) -> None:
    assert label_of(Path(f"{name}.jpg")) == label


def test_what_cannot_be_learned_from(tmp_path: Path) -> None:
    with pytest.raises(DeckError, match="is no folder"):
        learn_from_folder("club", tmp_path / "none")
    with pytest.raises(DeckError, match="no picture"):
        learn_from_folder("club", tmp_path)
    cv2.imwrite(str(tmp_path / "HT.png"), scan("HT", "full"))
    cv2.imwrite(str(tmp_path / "H10.png"), scan("HT", "full"))
    with pytest.raises(DeckError, match="already"):
        learn_from_folder("club", tmp_path)
    (tmp_path / "H10.png").rename(tmp_path / "scan0001.png")
    with pytest.raises(DeckError, match=r"scan0001.*like HT"):
        learn_from_folder("club", tmp_path)
    (tmp_path / "scan0001.png").unlink()
    cv2.imwrite(str(tmp_path / "CQ.png"), np.full((300, 900, 3), 200, np.uint8))
    with pytest.raises(DeckError, match="no card stands out"):
        learn_from_folder("club", tmp_path)


def test_from_the_command_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    from kiosk.cli import main

    for label in LABELS:
        cv2.imwrite(str(tmp_path / f"{label}.png"), scan(label, "full"))
    decks = str(tmp_path / "decks")
    assert main(["deck", "learn", "club", "--from", str(tmp_path), "--size", "56x87", "--folder", decks]) == 0
    assert "4 Karten gelernt, 56 × 87 mm" in capsys.readouterr().out
    assert Deck.load("club", decks).size_mm == (56.0, 87.0)
    assert main(["deck", "check", "club", "--folder", decks, "--language", "en"]) == 0
    assert "checked" in capsys.readouterr().out
    assert main(["deck", "check", "nobody", "--folder", decks]) == 2


def test_what_is_said(tmp_path: Path) -> None:
    for label in LABELS[:2]:
        cv2.imwrite(str(tmp_path / f"{label}.png"), scan(label, "full"))
    out = io.StringIO()
    assert learn_from_pictures("club", tmp_path, tmp_path / "decks", out=out, language="en") == 0
    assert out.getvalue().startswith("club: 2 cards learned, 59 × 91 mm")
