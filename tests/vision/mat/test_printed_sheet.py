"""The printed sheet: true sizes, marks that a small camera reads, nothing on top of anything else."""

import base64
import re
import zlib
from itertools import combinations
from pathlib import Path

import cv2
import numpy as np
import pytest

from vision.errors import MatError
from vision.mat.layout import DICTIONARY, PAPERS, WON_FIELD_MM, MatLayout, layout_of
from vision.mat.printed_sheet import draw, write_pdf

SHEETS = [pytest.param(paper, seats, id=f"{paper}-{seats}") for paper in PAPERS for seats in (4, 5)]
POINT = 72 / 25.4


def found_marks(picture: np.ndarray) -> dict[int, np.ndarray]:
    detector = cv2.aruco.ArucoDetector(cv2.aruco.getPredefinedDictionary(DICTIONARY))
    corners, ids, _ = detector.detectMarkers(picture)
    return {} if ids is None else {int(n): c[0] for n, c in zip(ids.ravel(), corners, strict=True)}


def pdf_streams(data: bytes) -> list[str]:
    raw = re.findall(rb"stream\r?\n(.*?)endstream", data, re.S)
    return [zlib.decompress(base64.a85decode(text.strip().removesuffix(b"~>"))).decode("latin1") for text in raw]


@pytest.mark.parametrize(("paper", "seats"), SHEETS)
def test_marks_are_read_at_640_pixels_where_the_layout_says(paper: str, seats: int) -> None:
    layout = MatLayout(paper, seats)
    scale = 0.92 * 640 / layout.size_mm[0]
    border = 26
    table = cv2.copyMakeBorder(draw(layout, scale), *[border] * 4, cv2.BORDER_CONSTANT, value=(60, 90, 120))
    found = found_marks(table)
    # cv2.aruco drops one in a hundred marks of this size: that is why there are twice as many as needed
    assert set(found) <= set(layout.marks) and len(found) >= 7
    for number in found:
        corners = layout.marks[number]
        expected = (corners + np.array(layout.size_mm) / 2) * scale + border - 0.5
        assert np.abs(found[number] - expected).max() < 3, number  # whole pixels, unrefined
        assert np.abs(found[number].mean(0) - expected.mean(0)).max() < 1, number


@pytest.mark.parametrize(("paper", "seats"), SHEETS)
def test_nothing_lies_on_anything_else(paper: str, seats: int) -> None:
    layout = MatLayout(paper, seats)
    half = np.array(layout.size_mm) / 2
    boxes = {
        f"mark {n}": (c.min(0) - layout.mark_mm / 6, c.max(0) + layout.mark_mm / 6) for n, c in layout.marks.items()
    }
    for seat, (x, y, w, h) in layout.won_fields.items():
        boxes[f"won {seat}"] = (np.array((x, y)), np.array((x + w, y + h)))
        assert {w, h} == set(WON_FIELD_MM)
        assert layout.won_places[seat] == pytest.approx((x + w / 2, y + h / 2))
    for name, (low, high) in boxes.items():
        assert (low >= 5 - half).all() and (high <= half - 5).all(), name
    for (one, (a, b)), (two, (c, d)) in combinations(boxes.items(), 2):
        assert (b <= c).any() or (d <= a).any(), (one, two)
    (x0, y0), (x1, y1) = layout.control_line
    assert np.hypot(x1 - x0, y1 - y0) == 100


@pytest.mark.parametrize(("paper", "seats"), SHEETS)
def test_seats_run_clockwise_from_the_south(paper: str, seats: int) -> None:
    places = MatLayout(paper, seats).seat_places
    x, y = places[1]
    assert abs(x) < 1e-9 and y > 0
    turns = np.unwrap([np.arctan2(y, x) for x, y in places.values()])
    assert (np.diff(turns) > 0).all()  # y points down, so growing angles are clockwise


def test_one_mark_tells_the_sheet() -> None:
    ids: list[int] = []
    for paper in PAPERS:
        for seats in (4, 5):
            layout = MatLayout(paper, seats)
            ids += layout.marks
            assert {layout_of(n) for n in layout.marks} == {layout}
    assert len(ids) == len(set(ids))
    assert layout_of(49) is None


@pytest.mark.parametrize(("paper", "seats"), SHEETS)
def test_pdf_has_true_size(paper: str, seats: int, tmp_path: Path) -> None:
    data = write_pdf(tmp_path / "mat.pdf", MatLayout(paper, seats)).read_bytes()
    box = re.search(rb"/MediaBox \[ ([\d. ]+) \]", data)
    assert box
    layout = MatLayout(paper, seats)
    assert [float(v) / POINT for v in box[1].split()] == pytest.approx([0, 0, *layout.size_mm], abs=0.01)
    (content,) = pdf_streams(data)
    boxes = []
    for path in re.findall(r"((?:[\d.-]+ [\d.-]+ [ml] )+)h f\*? ", content.replace("\n", " ")):
        points = (
            np.array([[float(v) for v in p.split()[:2]] for p in re.findall(r"[\d.-]+ [\d.-]+ [ml]", path)]) / POINT
        )
        if len(points) == 4:
            boxes.append((*points.min(0), *points.max(0)))
    height = layout.size_mm[1]
    for number, corners in layout.marks.items():
        low, high = corners.min(0) + np.array(layout.size_mm) / 2, corners.max(0) + np.array(layout.size_mm) / 2
        expected = (low[0], height - high[1], high[0], height - low[1])
        assert any(np.allclose(box, expected, atol=0.01) for box in boxes), number


def test_pdf_in_tiles(tmp_path: Path) -> None:
    data = write_pdf(tmp_path / "mat.pdf", MatLayout("A2", 4), "A3").read_bytes()
    boxes = re.findall(rb"/MediaBox \[ ([\d. ]+) \]", data)
    assert len(boxes) == 4
    assert [float(v) / POINT for v in boxes[0].split()] == pytest.approx([0, 0, 420, 297], abs=0.01)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        pytest.param(("A1", 4), "A1.*A3, A2", id="paper"),
        pytest.param(("A3", 3), "3 seats; choose 4 or 5", id="seats"),
        pytest.param(("A3", 4, "A3"), "'A3'; choose A4", id="tiles"),
    ],
)
def test_impossible_sheets_are_named(arguments: tuple, words: str, tmp_path: Path) -> None:
    with pytest.raises(MatError, match=words):
        write_pdf(tmp_path / "mat.pdf", MatLayout(*arguments[:2]), *arguments[2:])


def test_unwritable_path_is_named(tmp_path: Path) -> None:
    with pytest.raises(MatError, match=r"nowhere.*choose another"):
        write_pdf(tmp_path / "nowhere" / "mat.pdf", MatLayout())
