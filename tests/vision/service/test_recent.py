"""The last seconds of the mat: only the mat, only so long, only so much."""

import cv2
import numpy as np
import pytest

from vision.camera.frame import Frame
from vision.mat.calibration import Calibration, find_mat
from vision.mat.layout import MatLayout
from vision.service.recent_frames import LIMITS, RecentFrames, RecentLimits
from vision.simulation.art import load_art
from vision.simulation.film import SimCamera


@pytest.fixture(scope="module")
def still() -> tuple[np.ndarray, Calibration]:
    camera = SimCamera(load_art("stichwart"), MatLayout(), 5)
    image = next(camera).image
    return image, find_mat(image)


def decoded(jpeg: bytes) -> np.ndarray:
    picture = cv2.imdecode(np.frombuffer(jpeg, np.uint8), cv2.IMREAD_COLOR)
    assert picture is not None
    return np.asarray(picture)


def moving(image: np.ndarray, n: int) -> np.ndarray:
    changed = image.copy()
    cv2.circle(changed, (400 + 10 * n, 360), 60, (120, 160, 210), -1)
    return changed


@pytest.mark.slow
def test_movement_is_kept_for_so_long(still: tuple[np.ndarray, Calibration]) -> None:
    image, calibration = still
    kept = RecentFrames(2.0)
    for n in range(45):
        kept.add(Frame(moving(image, n), n / 15), calibration)
    times = [at for at, _ in kept.pictures]
    assert times[0] >= 44 / 15 - 2.0 - 1e-6
    assert len(times) == 31
    assert times[-1] == pytest.approx(44 / 15)


@pytest.mark.slow
def test_a_table_at_rest_costs_a_picture_now_and_then(still: tuple[np.ndarray, Calibration]) -> None:
    image, calibration = still
    noise = np.random.default_rng(1).integers(-6, 7, (5, *image.shape)).astype(np.int16)
    kept = RecentFrames(6.0)
    for n in range(90):
        noisy = np.clip(image + noise[n % 5], 0, 255).astype(np.uint8)
        kept.add(Frame(noisy, n / 15), calibration)
    assert len(kept.pictures) <= 4


def test_nothing_but_the_mat_is_kept(still: tuple[np.ndarray, Calibration]) -> None:
    image, calibration = still
    x, y = calibration.layout.size_mm if calibration.layout is not None else (0, 0)
    quad = calibration.view.project(np.array([[-x, -y], [x, -y], [x, y], [-x, y]]) / 2)
    inside = cv2.fillConvexPoly(np.zeros(image.shape[:2], np.uint8), quad.round().astype(np.int32), 255)
    face = image.copy()
    face[inside == 0] = (255, 0, 255)  # what nobody wants to be kept
    kept = RecentFrames(6.0)
    kept.add(Frame(face, 0.0), calibration)
    ((_, jpeg),) = kept.pictures
    picture = decoded(jpeg).astype(int)
    magenta = (picture[..., 0] > 150) & (picture[..., 2] > 150) & (picture[..., 1] < 90)
    assert magenta.mean() < 0.01
    assert picture.shape[1] <= LIMITS.width_px


def test_without_a_mat_nothing_is_kept(still: tuple[np.ndarray, Calibration]) -> None:
    kept = RecentFrames(6.0)
    kept.add(Frame(still[0], 0.0), None)
    assert kept.pictures == ()


def test_memory_is_bounded(still: tuple[np.ndarray, Calibration]) -> None:
    image, calibration = still
    kept = RecentFrames(600.0, RecentLimits(most_bytes=100_000))
    for n in range(30):
        kept.add(Frame(moving(image, n), n / 15), calibration)
    assert sum(len(jpeg) for _, jpeg in kept.pictures) <= 100_000
    assert kept.pictures[-1][0] == pytest.approx(29 / 15)
