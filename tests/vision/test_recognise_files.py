"""``stichwart recognise``: films over time, annotated pictures, and what people may do wrong."""

import io
import json
from collections.abc import Sequence
from pathlib import Path

import cv2
import numpy as np
import pytest

from kiosk.app.commands.annotate import DOUBT_BGR, READ_BGR, annotated, readable
from kiosk.app.commands.recognise import recognise_files
from tests.vision.taught import taught
from vision.deck.deck import Deck
from vision.errors import VisionError
from vision.images import Picture
from vision.recognition.card_reading import CardReading
from vision.simulation.art import load_art
from vision.simulation.geometry import CardPose, look_down
from vision.simulation.scene import render_scene
from vision.tracking.film_labels import FilmReader, FilmWriter, read_film

pytestmark = pytest.mark.slow

ART = load_art("stichwart")
CARDS = [("SQ", CardPose(-60, 0, 0.5)), ("HK", CardPose(50, 25, 1.3))]


def card(label: str | None, x: float = 100.0, margin: float = 0.8, choices: Sequence[str] = ()) -> CardReading:
    quad = np.array([(x, 100.0), (x + 63, 100), (x + 63, 188), (x, 188)])
    return CardReading(label, margin, tuple((name, 0.5) for name in choices), quad)


def grey(level: int) -> Picture:
    return np.full((240, 320, 3), level, np.uint8)


def told(readings: Sequence[Sequence[CardReading]]) -> list[tuple[int, list[str]]]:
    """Reading's number and labels, each time something changed; every frame differs from the one before."""
    left = list(readings)
    reader = FilmReader(lambda _: list(left.pop(0)))
    changes = []
    for number in range(len(readings)):
        now = reader.read(grey(60 + 40 * (number % 2)), number / 4)
        if now.changed:
            changes.append((number, sorted(one.label or "?" for one in now.cards)))
    return changes


@pytest.mark.parametrize(
    ("readings", "changes"),
    [
        pytest.param([[], [card("SQ")], [card("SQ")], [card("SQ")]], [(2, ["SQ"])], id="settles"),
        pytest.param([[card("SQ")], [], [], []], [], id="flash"),
        pytest.param([[card("SQ")]] * 3 + [[]] * 3, [(1, ["SQ"]), (4, [])], id="taken"),
        pytest.param([[card("SQ")]] * 3 + [[card("CQ")]] + [[card("SQ")]] * 3, [(1, ["SQ"])], id="misread-once"),
        pytest.param([[card("SQ")]] * 3 + [[]] + [[card("SQ")]] * 2, [(1, ["SQ"])], id="missed-once"),
        pytest.param([[card("SQ"), card("SQ", 180.0)]] * 3, [(1, ["SQ", "SQ"])], id="two-equal-cards-stay-two"),
        pytest.param([[card("SQ", 100.0 + 6 * k)] for k in range(6)], [(1, ["SQ"])], id="hand-held"),
        pytest.param([[card(None, choices=["SQ", "CQ"])]] * 3, [(1, ["?"])], id="doubt"),
        pytest.param([[card(None, choices=["SQ"])]] + [[card("SQ")]] * 3, [(1, ["SQ"])], id="doubt-resolved"),
        pytest.param([[card("SQ")], [card("CQ")]] * 3, [(1, ["?"])], id="never-of-one-mind"),
        pytest.param([[card("SQ")]] * 6 + [[card("H9")]] * 3, [(1, ["SQ"]), (7, ["H9"])], id="another-on-top"),
        pytest.param(
            [[card("SQ")]] * 4 + [[card(None, choices=["H9"])], [card("H9")], [card("H9", 110.0)]],
            [(1, ["SQ"]), (5, ["H9"])],
            id="another-on-top-in-doubt-at-first",
        ),
    ],
)
def test_readings_vote(readings: list[list[CardReading]], changes: list[tuple[int, list[str]]]) -> None:
    assert told(readings)[: len(changes) + 1] == changes


def test_frames_that_show_the_same_are_not_read_again() -> None:
    calls = []

    def reader(picture: Picture) -> list[CardReading]:
        calls.append(picture)
        return [card("SQ")]

    film = FilmReader(reader)
    for number in range(8):
        film.read(grey(60), number / 4)
    assert len(calls) == 2


HEAP = [suit + rank for rank in "97A2" for suit in "CHSD"]


@pytest.mark.parametrize("rate", [10, 15, 30])
def test_every_card_of_a_heap_is_told_while_it_is_on_top(rate: int, tmp_path: Path) -> None:
    """A card every 0.75 s in nearly the same place; a hand hides the heap for a third of that."""
    size, path = (320, 240), tmp_path / "heap.avi"
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), rate, size)
    for number in range(int(0.75 * rate * len(HEAP))):
        laid, since = divmod(number / rate, 0.75)
        frame = np.full((size[1], size[0], 3), 110, np.uint8)
        level = 5 if since < 0.25 else 80 + 10 * int(laid)  # a dark sleeve; else the card, each a little lighter
        frame[60:180, 100:220] = level
        writer.write(frame)
    writer.release()

    def reader(frame: Picture) -> list[CardReading]:
        number = round((float(frame[120, 160].mean()) - 80) / 10)
        return [card(HEAP[number], 100.0 + 5 * (number % 3))] if number >= 0 else []

    names = [[one.label for one in told.cards] for told in read_film(path, reader) if told.changed and told.cards]
    assert names == [[label] for label in HEAP]


def test_another_card_in_the_same_place_is_a_change_though_little_else_changes() -> None:
    calls = []

    def reader(picture: Picture) -> list[CardReading]:
        calls.append(picture)
        return [card("SQ")]

    film = FilmReader(reader)
    frame = grey(60)
    for number in range(8):
        if number == 4:
            frame = frame.copy()
            frame[100:124, 100:124] = 200
        film.read(frame, number / 4)
    assert len(calls) == 3


def test_outlines_and_names_are_drawn() -> None:
    picture = grey(90)
    drawn = annotated(picture, [card("HT"), card(None, 200.0, choices=["S9", "C9"])])
    assert (picture == 90).all()

    def has(colour: tuple[int, int, int], x0: int, x1: int) -> bool:
        return bool((np.abs(drawn[:, x0:x1].astype(int) - colour).sum(2) < 80).any())

    assert has(READ_BGR, 90, 175) and not has(READ_BGR, 195, 320)
    assert has(DOUBT_BGR, 190, 320) and not has(DOUBT_BGR, 0, 160)
    down = CardReading(None, 0.5, (), card("SQ").quad, face_down=True)
    assert (annotated(picture, [down], french=False) != picture).any()


def test_small_pictures_are_enlarged_for_reading() -> None:
    large, (one,) = readable(grey(90), [card("HT")])
    assert large.shape == (720, 960, 3) and (one.quad == (card("HT").quad + 0.5) * 3 - 0.5).all()
    wide = np.zeros((720, 1280, 3), np.uint8)
    assert readable(wide, [])[0] is wide


@pytest.fixture(scope="module")
def deck() -> Deck:
    return taught(labels=("SQ", "HK", "DA", "C9"))


@pytest.fixture(scope="module")
def frames() -> list[Picture]:
    view = look_down(1300.0, 2.4, 0.1, 1.0)
    return [render_scene(11, ART, CARDS[:number], view).frame for number in range(3)]


def test_a_film_is_read_and_drawn(deck: Deck, frames: list[Picture], tmp_path: Path) -> None:
    deck.save(tmp_path)
    path = tmp_path / "a.mp4"
    writer = FilmWriter(path, 8.0)
    for frame in [frames[1]] * 6 + [frames[2]] * 6:
        writer.write(frame)
    writer.close()
    out, err = io.StringIO(), io.StringIO()
    assert recognise_files([path], deck.name, tmp_path, True, out, err, tmp_path / "drawn") == 0
    lines = [json.loads(line) for line in out.getvalue().splitlines()]
    assert [sorted(one["label"] for one in line["cards"]) for line in lines] == [["SQ"], ["HK", "SQ"]]
    assert 0 < lines[0]["at"] < lines[1]["at"] < 1.5 and err.getvalue() == ""
    seen = list(read_film(tmp_path / "drawn" / "a-read.mp4", lambda _: [], every_frame=True))
    assert len(seen) == 12 and seen[0].frame.shape == frames[0].shape
    assert (np.abs(seen[-1].frame.astype(int) - READ_BGR).sum(2) < 120).any()


def test_pictures_of_one_name_are_drawn_apart(deck: Deck, frames: list[Picture], tmp_path: Path) -> None:
    deck.save(tmp_path)
    paths = [tmp_path / "a" / "x.png", tmp_path / "b" / "x.png"]
    for path in paths:
        path.parent.mkdir()
        cv2.imwrite(str(path), np.full((120, 160, 3), 90, np.uint8))
    out = io.StringIO()
    assert recognise_files(paths, deck.name, tmp_path, out=out, draw=tmp_path / "drawn") == 0
    assert sorted(path.name for path in (tmp_path / "drawn").iterdir()) == ["x-read-2.jpg", "x-read.jpg"]
    assert out.getvalue().count("no card") == 2


@pytest.mark.parametrize("name", ["none.mp4", "broken.mp4", "empty.mp4", "none.jpg"])
def test_files_that_cannot_be_read(deck: Deck, name: str, tmp_path: Path) -> None:
    deck.save(tmp_path)
    (tmp_path / "broken.mp4").write_bytes(b"no film" * 99)
    (tmp_path / "empty.mp4").write_bytes(b"")
    out, err = io.StringIO(), io.StringIO()
    assert recognise_files([tmp_path / name], deck.name, tmp_path, True, out, err, tmp_path / "drawn") == 1
    record = json.loads(out.getvalue())
    assert record["cards"] == [] and name in record["error"] and name in err.getvalue()


def test_a_folder_that_cannot_be_written(deck: Deck, tmp_path: Path) -> None:
    deck.save(tmp_path)
    (tmp_path / "file").write_text("")
    with pytest.raises(VisionError, match=r"file.*name another folder"):
        recognise_files([], deck.name, tmp_path, draw=tmp_path / "file")


def test_without_a_deck_cards_are_read_by_their_indices(frames: list[Picture], tmp_path: Path) -> None:
    cv2.imwrite(str(tmp_path / "a.png"), frames[2])
    out = io.StringIO()
    assert recognise_files([tmp_path / "a.png"], as_json=True, out=out) == 0
    named = {one["label"] for one in json.loads(out.getvalue())["cards"]} - {None}
    assert named and named <= {"SQ", "HK"}
