"""Decks: learned, kept, found again, and what is wrong with a picture to learn from."""

import json
from pathlib import Path

import cv2
import numpy as np
import pytest

from vision.deck.deck import Deck
from vision.deck.face_quality import check_face, same_face
from vision.deck.folder import deck_names
from vision.errors import DeckError
from vision.images import PictureError, read_picture
from vision.simulation.art import load_art
from vision.teaching.from_labels import learn_from_labels

ART = load_art("stichwart")


def face(label: str) -> np.ndarray:
    """A face of the project's own deck on white paper."""
    drawn = ART.faces[label]
    picture = drawn[..., :3]
    if drawn.shape[2] == 4:
        share = drawn[..., 3:].astype(np.float32) / 255
        picture = (picture * share + 240 * (1 - share)).astype(np.uint8)
    return np.ascontiguousarray(cv2.resize(picture, (236, 364), interpolation=cv2.INTER_AREA))


FACES = {label: face(label) for label in ("HT", "HA", "CQ", "SJ")}


def test_a_deck_comes_back_from_its_file(tmp_path: Path) -> None:
    deck = Deck.learn("mine", {**FACES, "back": face("DK")}, (59, 91), copies=2)
    path = deck.save(tmp_path)
    again = Deck.load("mine", tmp_path)
    assert (again.name, again.size_mm, again.labels, again.copies) == ("mine", (59, 91), ("HT", "HA", "CQ", "SJ"), 2)
    assert all(np.array_equal(again.faces[label], deck.faces[label]) for label in deck.labels)
    assert again.back is not None and np.array_equal(again.back, deck.back)
    assert again.suits == ("H", "C", "S") and again.ranks == ("T", "A", "Q", "J")
    assert Deck.load(str(path)).labels == deck.labels
    assert [p.name for p in tmp_path.iterdir()] == ["mine.npz"]


def test_an_unknown_deck_names_those_there(tmp_path: Path) -> None:
    Deck.learn("mine", FACES).save(tmp_path)
    with pytest.raises(DeckError, match=r"no deck 'yours'.*mine"):
        Deck.load("yours", tmp_path)
    with pytest.raises(DeckError, match="stichwart deck learn"):
        Deck.load("yours", tmp_path / "nowhere")
    assert deck_names(tmp_path) == ("mine",)


@pytest.mark.parametrize("content", [b"", b"not a deck", b"PK\x03\x04 cut off"], ids=["empty", "text", "cut"])
def test_a_damaged_file_says_so(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "mine.npz").write_bytes(content)
    with pytest.raises(DeckError, match=r"mine\.npz: is no deck file or is damaged"):
        Deck.load("mine", tmp_path)


def test_a_newer_file_says_so(tmp_path: Path) -> None:
    np.savez(tmp_path / "mine.npz", format=np.array(99))
    with pytest.raises(DeckError, match="newer version"):
        Deck.load("mine", tmp_path)


GLARE = FACES["CQ"].copy()
GLARE = np.clip(GLARE * 0.5, 0, 255).astype(np.uint8)
cv2.circle(GLARE, (120, 180), 60, (255, 255, 255), -1)
CUT = FACES["CQ"].copy()
CUT[:, :30] = 0


@pytest.mark.parametrize(
    ("picture", "code"),
    [
        (FACES["CQ"], None),
        (FACES["HA"], None),
        (GLARE, "glare"),
        (CUT, "cut"),
        (np.full((364, 236, 3), 90, np.uint8), "flat"),
        (cv2.resize(FACES["CQ"], (40, 62)), "small"),
    ],
    ids=["court", "ace", "glare", "cut", "flat", "small"],
)
def test_what_is_wrong_with_a_face(picture: np.ndarray, code: str | None) -> None:
    problem = check_face("CQ", picture)
    assert (problem.code if problem else None) == code


def test_the_same_face_twice() -> None:
    assert same_face(FACES["CQ"], cv2.rotate(FACES["CQ"], cv2.ROTATE_180))
    assert not same_face(FACES["HA"], face("DA"))


@pytest.mark.parametrize(
    ("faces", "wanted", "text"),
    [
        ({}, (), "has no face"),
        (FACES, ("HT", "DK", "DQ"), "DK: is missing.*DQ: is missing"),
        ({"HT": FACES["HT"], "H9": FACES["HT"]}, (), "H9: looks the same as HT"),
        ({"H T": FACES["HT"]}, (), "'H T' is no card"),
        ({"HT": GLARE}, (), "HT: light is mirrored"),
    ],
    ids=["none", "missing", "twins", "label", "glare"],
)
def test_a_deck_that_cannot_be_learned(faces: dict[str, np.ndarray], wanted: tuple[str, ...], text: str) -> None:
    with pytest.raises(DeckError, match=text):
        Deck.learn("mine", faces, wanted=wanted)


@pytest.mark.parametrize("name", ["", "../up", "a/b", ".hidden"])
def test_a_name_that_is_no_file(name: str) -> None:
    with pytest.raises(DeckError, match="deck name"):
        Deck.learn(name, FACES)


def labelled(folder: Path, entries: object) -> Path:
    (folder / "labels.json").write_text(entries if isinstance(entries, str) else json.dumps(entries))
    return folder / "labels.json"


def test_a_deck_from_labelled_pictures(tmp_path: Path) -> None:
    entries = []
    for label, where in (("HT", (100, 60)), ("CQ", (140, 90))):
        picture = np.full((500, 500, 3), (40, 90, 30), np.uint8)
        x, y = where
        picture[y : y + 364, x : x + 236] = FACES[label]
        cv2.imwrite(str(tmp_path / f"one_{label}.png"), picture)
        quad = [[x, y], [x + 236, y], [x + 236, y + 364], [x, y + 364]]
        card = {"label": label, "box": None, "quad": quad, "visible": "full"}
        entries.append({"file": f"one_{label}.png", "size": [500, 500], "cards": [card], "notes": ""})
    entries.append({"file": "other.png", "size": [1, 1], "cards": [{**entries[0]["cards"][0], "label": "SA"}]})
    deck = learn_from_labels("mine", labelled(tmp_path, entries), "one_", tmp_path / "decks")
    assert deck.labels == ("HT", "CQ") and deck.size_mm == (59.0, 91.0)
    assert np.abs(deck.faces["CQ"].astype(int) - FACES["CQ"]).mean() < 3
    assert Deck.load("mine", tmp_path / "decks").labels == deck.labels


@pytest.mark.parametrize(
    ("entries", "text"),
    [
        ("{", "is not JSON"),
        ({"file": "x"}, "expected a list"),
        ([{"cards": []}], "entry 0 has no file"),
        ([{"file": "a.png"}], "has no list of cards"),
        ([{"file": "a.png", "cards": [{"quad": None}]}], "a card without label"),
        ([{"file": "a.png", "cards": [{"label": "HT", "quad": [[0, 0]]}]}], "not four corners"),
        ([{"file": "a.png", "cards": [{"label": "HT", "quad": None}]}], "no card with four corners"),
    ],
    ids=["json", "list", "file", "cards", "label", "quad", "none"],
)
def test_labels_of_another_form(tmp_path: Path, entries: object, text: str) -> None:
    with pytest.raises(DeckError, match=text):
        learn_from_labels("mine", labelled(tmp_path, entries), "", tmp_path)


def test_labels_that_are_not_there(tmp_path: Path) -> None:
    with pytest.raises(DeckError, match=r"nowhere\.json: cannot be read"):
        learn_from_labels("mine", tmp_path / "nowhere.json", "", tmp_path)


@pytest.mark.parametrize("content", [b"", b"GIF? no", None], ids=["empty", "text", "absent"])
def test_a_picture_that_cannot_be_read(tmp_path: Path, content: bytes | None) -> None:
    path = tmp_path / "x.jpg"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(PictureError, match=r"x\.jpg"):
        read_picture(path)
