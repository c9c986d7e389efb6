"""Indices found and read on cards that the project draws itself; the networks have never seen them."""

import math
from functools import lru_cache
from importlib import resources

import cv2
import numpy as np
import pytest

from vision.indices import networks as indices
from vision.simulation.french import draw_french

TALL_INDEX = 0.16  # about, of a card's height


@lru_cache
def _faces() -> dict[str, np.ndarray]:
    return dict(draw_french("stichwart").faces)


def _table(label: str, height: float, angle: float, light: tuple[float, float, float] = (1, 1, 1)) -> np.ndarray:
    """A card on green cloth in the middle of 480 x 480 px; ``height`` is about that of its index."""
    face = _faces()[label]
    scale = height / TALL_INDEX / face.shape[0]
    small = cv2.resize(face, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    rng = np.random.default_rng(5)
    ground = np.float32((60, 95, 40)) + rng.normal(0, 4, (480, 480, 1)).astype(np.float32)
    c, s = math.cos(angle), math.sin(angle)
    w, h = small.shape[1] / 2, small.shape[0] / 2
    matrix = np.array([[c, -s, 240 - c * w + s * h], [s, c, 240 - s * w - c * h]])
    card = cv2.warpAffine(small, matrix, (480, 480), flags=cv2.INTER_LINEAR).astype(np.float32)
    alpha = card[..., 3:] / 255
    picture = (card[..., :3] * alpha + ground * (1 - alpha)) * np.float32(light)
    return cv2.GaussianBlur(np.clip(picture, 0, 255).astype(np.uint8), (0, 0), 0.6)


CASES = [
    pytest.param("HK", 30, 0.0, (1, 1, 1), id="upright"),
    pytest.param("SA", 26, 2.0, (1, 1, 1), id="turned"),
    pytest.param("DT", 40, -1.2, (1, 1, 1), id="ten"),
    pytest.param("CQ", 34, math.pi, (1, 1, 1), id="German queen on her head"),
    pytest.param("DJ", 44, 0.7, (1, 1, 1), id="German knave"),
    pytest.param("S9", 20, 0.3, (1, 1, 1), id="small"),
    pytest.param("H7", 60, -0.4, (1, 0.45, 0.5), id="blue light"),
    pytest.param("C8", 48, 1.5, (0.25, 0.25, 0.25), id="dim"),
]


@pytest.mark.parametrize(("label", "height", "angle", "light"), CASES)
@pytest.mark.slow
def test_both_indices_are_found(label: str, height: float, angle: float, light: tuple[float, float, float]) -> None:
    found = [i for i in indices.find_indices(_table(label, height, angle, light)) if i.certainty > 0.4]
    assert {i.label for i in found} == {label}
    turns = [abs(math.remainder(i.angle - angle, 2 * math.pi)) for i in found]
    assert any(turn < 0.15 for turn in turns)
    assert any(turn > math.pi - 0.15 for turn in turns)
    assert all(0.75 * height < i.height < 1.35 * height for i in found)


@pytest.mark.slow
def test_an_index_is_the_same_every_time() -> None:
    picture = _table("HK", 30, 0.5)
    assert indices.find_indices(picture) == indices.find_indices(picture)


@pytest.mark.slow
def test_a_place_that_is_a_little_off_is_mended() -> None:
    picture = _table("DT", 40, 0.0)
    exact = next(i for i in indices.find_indices(picture) if abs(i.angle) < 0.2)
    off = indices.IndexPlace(exact.x + 5, exact.y - 4, exact.angle + 0.15, exact.height * 1.15)
    read = indices.read_index(picture, off)
    assert read.label == "DT"
    assert math.hypot(read.x - exact.x, read.y - exact.y) < 3
    assert abs(read.angle - exact.angle) < 0.1


@pytest.mark.slow
@pytest.mark.parametrize("part", [-0.25, 0.25], ids=["its head", "its foot"])
@pytest.mark.parametrize("angle", [0.0, 2.0], ids=["upright", "turned"])
def test_an_index_of_which_a_part_was_found_is_read_in_its_height(
    monkeypatch: pytest.MonkeyPatch, part: float, angle: float
) -> None:
    picture = _table("SK", 40, angle)
    exact = next(i for i in indices.find_indices(picture) if abs(math.remainder(i.angle - angle, math.tau)) < 0.2)
    x, y = (
        exact.x - part * exact.height * math.sin(exact.angle),
        exact.y + part * exact.height * math.cos(exact.angle),
    )
    found_part = indices.IndexPlace(x, y, exact.angle, 0.4 * exact.height)
    monkeypatch.setattr(indices, "find_places", lambda *_: [found_part])

    def read(usual: float | None) -> list[tuple[str, bool]]:
        found = indices.find_indices(picture, usual=usual)
        return [(one.label, math.hypot(one.x - exact.x, one.y - exact.y) < 4) for one in found]

    assert ("SK", True) not in read(None) and read(exact.height) == [("SK", True)]


def test_nothing_is_read_where_nothing_is() -> None:
    rng = np.random.default_rng(1)
    cloth = np.clip(rng.normal(90, 12, (300, 400, 3)), 0, 255).astype(np.uint8)
    assert indices.find_indices(cloth) == []
    assert indices.read_places(indices.pyramid(cloth), []) == []
    assert indices.read_index(cloth, indices.IndexPlace(200, 150, 0.3, 30)).score < 0.5


@pytest.mark.slow
def test_a_pip_alone_is_no_index() -> None:
    picture = _table("HT", 60, 0.0)
    height, width = (round(60 / TALL_INDEX * part) for part in (0.55, 0.3))
    middle = picture[240 - height // 2 : 240 + height // 2, 240 - width // 2 : 240 + width // 2]
    assert [i for i in indices.find_indices(np.ascontiguousarray(middle)) if i.certainty > 0.5] == []


HEIGHT = 40.0
IN_HEIGHT = [
    pytest.param(indices.IndexPlace(100, 100, 0.0, 40), [], [], id="of that height"),
    pytest.param(indices.IndexPlace(100, 100, 0.0, 20), [], [(100, 90), (100, 100), (100, 110)], id="lower"),
    pytest.param(indices.IndexPlace(100, 100, math.pi / 2, 60), [], [(90, 100), (100, 100), (110, 100)], id="higher"),
    pytest.param(indices.IndexPlace(100, 100, 0.0, 20), [(110, 100, 40, 0.95)], [], id="one was read there"),
    pytest.param(indices.IndexPlace(100, 100, 0.0, 20), [(110, 100, 20, 0.95)], 3, id="read there, as low"),
    pytest.param(indices.IndexPlace(100, 100, 0.0, 20), [(110, 100, 40, 0.5)], 3, id="read there, not surely"),
    pytest.param(indices.IndexPlace(100, 100, 0.0, 20), [(130, 100, 40, 0.95)], 3, id="read beside"),
]


@pytest.mark.parametrize(("place", "read", "expected"), IN_HEIGHT)
def test_where_an_index_of_known_height_may_be(
    place: indices.IndexPlace, read: list[tuple[float, float, float, float]], expected: list[tuple[float, float]] | int
) -> None:
    known = [indices.Index(x, y, 0.0, height, score, (1.0,), (1.0,)) for x, y, height, score in read]
    found = indices._in_height([place], HEIGHT, known)
    assert all(one.height == HEIGHT and one.angle == place.angle for one in found)
    places = sorted((round(one.x, 3), round(one.y, 3)) for one in found)
    assert places == expected if isinstance(expected, list) else len(places) == expected


@pytest.mark.parametrize(
    ("rank", "found"), [(0.9, True), (0.3, False)], ids=["read as some card", "an index of no card in particular"]
)
def test_what_is_read_in_another_height_is_some_card(monkeypatch: pytest.MonkeyPatch, rank: float, found: bool) -> None:
    low = indices.IndexPlace(100, 100, 0.0, 20)
    monkeypatch.setattr(indices, "find_places", lambda *_: [low])

    def read(_: object, places: list[indices.IndexPlace]) -> list[indices.Index]:
        return [
            indices.Index(one.x, one.y, 0.0, one.height, 0.9 * (one is not low), (rank, 1 - rank), (1.0,))
            for one in places
        ]

    monkeypatch.setattr(indices, "read_places", read)
    picture = np.full((200, 200, 3), 90, np.uint8)
    assert bool(indices.find_indices(picture, score=0.7, usual=HEIGHT)) is found


@pytest.mark.parametrize("size", [(20, 20), (33, 500), (70, 41)])
def test_any_size_of_picture_is_taken(size: tuple[int, int]) -> None:
    assert indices.find_indices(np.full((*size, 3), 90, np.uint8)) == []


def test_probabilities_sum_to_one() -> None:
    index = indices.find_indices(_table("SA", 30, 0.0))[0]
    assert math.isclose(sum(index.ranks), 1, abs_tol=1e-6)
    assert math.isclose(sum(index.suits), 1, abs_tol=1e-6)
    assert len(index.ranks) == len(indices.RANKS) == 13
    assert index.label == "SA"


def test_the_networks_are_small_and_come_with_the_package() -> None:
    folder = resources.files("vision.indices") / "onnx"
    sizes = [len((folder / f"{name}.onnx").read_bytes()) for name in ("finder", "reader")]
    assert sum(sizes) <= 1_000_000
