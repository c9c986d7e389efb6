"""The mat found by its marks: how exactly, with marks hidden, and why not."""

from collections.abc import Callable
from pathlib import Path

import cv2
import numpy as np
import pytest

from kiosk.app.commands.mat import calibrate_camera
from vision.camera.source import open_source
from vision.errors import MatError
from vision.geometry.projection import PlaneProjection
from vision.mat.calibration import MatNotSeen, calibrate_from_corners, find_mat, find_mat_in_frames
from vision.mat.layout import MatLayout
from vision.mat.printed_sheet import draw

pytestmark = pytest.mark.slow

SIZE = (1280, 720)


def true_view(
    turn: float = 0.0, tilt: float = 0.12, height: float = 640.0, shift: tuple[float, float] = (0, 0)
) -> PlaneProjection:
    """A camera ``height`` mm above the mat with a focal length of 1000 px."""
    rotation = cv2.Rodrigues(np.array([tilt, 0.5 * tilt, 0.0]))[0] @ cv2.Rodrigues(np.array([0.0, 0.0, turn]))[0]
    inner = np.array([[1000.0, 0, SIZE[0] / 2], [0, 1000.0, SIZE[1] / 2], [0, 0, 1]])
    return PlaneProjection(inner @ np.c_[rotation[:, 0], rotation[:, 1], [*shift, height]], SIZE)


def photograph(
    view: PlaneProjection, layout: MatLayout, hidden: tuple[int, ...] = (), light: float = 1.0, seed: int = 0
) -> np.ndarray:
    """The sheet on a table as the camera sees it, some marks under beer mats."""
    k = 4.0
    sheet = draw(layout, k)
    half = np.array(layout.size_mm) / 2
    to_mm = np.array([[1 / k, 0, -half[0] + 0.5 / k], [0, 1 / k, -half[1] + 0.5 / k], [0, 0, 1]])
    image = np.full((SIZE[1], SIZE[0], 3), (60, 90, 120), np.uint8)
    cv2.warpPerspective(sheet, view.H @ to_mm, SIZE, dst=image, flags=cv2.INTER_AREA, borderMode=cv2.BORDER_TRANSPARENT)
    for number in hidden:
        centre = view.project([layout.marks[number].mean(0) + 8])[0]
        cv2.circle(image, np.round(centre).astype(int).tolist(), 30, (200, 200, 190), -1)
    image = cv2.GaussianBlur(image, (0, 0), 0.8)
    rng = np.random.default_rng(seed)
    return np.clip(image * light + rng.normal(0, 4, image.shape), 0, 255).astype(np.uint8)


def grey(value: int) -> np.ndarray:
    """Nothing but one shade."""
    return np.full((SIZE[1], SIZE[0], 3), value, np.uint8)


def error(found: PlaneProjection, true: PlaneProjection, layout: MatLayout) -> float:
    a, b = layout.middle
    places = [(0, 0), (a, 0), (0, b), (-a, -b / 2)]
    return float(np.linalg.norm(found.project(places) - true.project(places), axis=1).max())


@pytest.mark.parametrize(
    ("layout", "turn", "hidden", "light"),
    [
        pytest.param(MatLayout("A3", 4), 0.0, (), 1.0, id="all marks"),
        pytest.param(MatLayout("A3", 4), 3.1, (), 1.0, id="camera upside down"),
        pytest.param(MatLayout("A3", 5), 0.1, (), 1.0, id="five seats"),
        pytest.param(MatLayout("A3", 4), 0.0, (0, 2, 5, 6), 1.0, id="half of them covered"),
        pytest.param(MatLayout("A3", 4), 0.0, (1, 4, 5, 6, 7), 1.0, id="three left"),
        pytest.param(MatLayout("A3", 4), 0.2, (3,), 0.25, id="dim"),
        pytest.param(MatLayout("A3", 4), -0.1, (), 1.6, id="over-exposed"),
    ],
)
def test_the_mat_is_found_to_a_pixel(layout: MatLayout, turn: float, hidden: tuple[int, ...], light: float) -> None:
    true = true_view(turn)
    found = find_mat(photograph(true, layout, hidden, light))
    assert found.layout == layout
    assert set(hidden).isdisjoint(found.marks)
    assert len(found.marks) == 8 - len(hidden)
    assert found.residual < 1.0
    assert error(found.view, true, layout) < 1.5  # one millimetre
    assert found.scale == pytest.approx(true.pixels_per_mm(), rel=0.01)


@pytest.mark.parametrize(
    ("image", "layout", "code", "says"),
    [
        pytest.param(lambda: grey(4), None, "dark", "lamp", id="dark"),
        pytest.param(lambda: grey(120), None, "none", "no mark", id="no sheet"),
        pytest.param(
            lambda: photograph(true_view(), MatLayout(), (0, 2, 3, 4, 5, 6, 7)), None, "few", "only mark 1 can",
            id="one mark",
        ),
        pytest.param(
            lambda: photograph(true_view(), MatLayout("A3", 5)), MatLayout(), "other", "A3 for 5", id="other sheet"
        ),
    ],
)  # fmt: skip
def test_why_the_mat_is_not_seen(
    image: Callable[[], np.ndarray], layout: MatLayout | None, code: str, says: str
) -> None:
    with pytest.raises(MatNotSeen, match=says) as caught:
        find_mat(image(), layout)
    assert caught.value.code == code


def test_a_pushed_mat_is_noticed() -> None:
    layout = MatLayout()
    before = find_mat(photograph(true_view(), layout))
    again = find_mat(photograph(true_view(), layout, seed=1))
    pushed = find_mat(photograph(true_view(shift=(4, 0)), layout))
    assert before.shift(again) < 0.5
    assert before.shift(pushed) == pytest.approx(4 / 640 * 1000, abs=1)


def test_by_hand() -> None:
    true = true_view()
    half = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * (148.5, 105)
    found = calibrate_from_corners(true.project(half), SIZE, (297, 210))
    assert error(found.view, true, MatLayout()) < 1e-3


@pytest.mark.parametrize(
    ("corners", "size_mm", "says"),
    [
        ([(0, 0), (100, 0), (100, 100)], (420, 297), "four corners"),
        ([(200, 100), (200, 600), (1000, 600), (1000, 100)], (420, 297), "clockwise"),
        ([(200, 100), (1000, 600), (1000, 100), (200, 600)], (420, 297), "no rectangle"),
        ([(200, 100), (1000, 100), (1000, 600), (200, 600)], (4.2, 2.97), "millimetres"),
    ],
    ids=["three", "anticlockwise", "crossed", "in decimetres"],
)
def test_by_hand_with_nonsense(corners: list[tuple[float, float]], size_mm: tuple[float, float], says: str) -> None:
    with pytest.raises(MatError, match=says):
        calibrate_from_corners(corners, SIZE, size_mm)


def test_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = tmp_path / "frames"
    folder.mkdir()
    cv2.imwrite(str(folder / "0.png"), photograph(true_view(), MatLayout(), (0,)))
    picture = tmp_path / "seen.png"
    assert calibrate_camera(f"folder:{folder}", picture=picture) == 0
    said = capsys.readouterr().out
    assert "marks seen: 1, 2, 3, 4, 5, 6, 7; not seen: 0" in said
    assert cv2.imread(str(picture)).shape == (720, 1280, 3)
    cv2.imwrite(str(folder / "0.png"), np.full((720, 1280, 3), 120, np.uint8))
    assert calibrate_camera(f"folder:{folder}") == 1
    assert "no mark" in capsys.readouterr().out


def test_the_best_of_some_frames_counts(tmp_path: Path) -> None:
    for i, hidden in enumerate(((0, 1, 2), (), (3,))):
        cv2.imwrite(str(tmp_path / f"{i}.png"), photograph(true_view(), MatLayout(), hidden))
    with open_source(f"folder:{tmp_path}") as source:
        _, calibration = find_mat_in_frames(source, MatLayout())
    assert len(calibration.marks) == 8
