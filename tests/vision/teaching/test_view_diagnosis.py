"""What the set-up view says is wrong: each fault on a rendered table, and nothing on tables that are all right."""

import math
from dataclasses import replace

import cv2
import numpy as np
import pytest

from vision.mat.calibration import Calibration, find_mat
from vision.mat.layout import MatLayout
from vision.messages import Finding
from vision.simulation.art import load_art
from vision.simulation.artwork import Art
from vision.simulation.film import SimCamera
from vision.simulation.geometry import SIZE, CardPose, look_down, to_px
from vision.simulation.lights import LIGHTS, Light
from vision.simulation.scene import SceneCard
from vision.simulation.tabletop import PlacedCard, Tabletop
from vision.teaching.view_diagnosis import diagnose_view, edge_blur

pytestmark = pytest.mark.slow

Image = np.ndarray
LAYOUT = MatLayout()


@pytest.fixture(scope="module")
def art() -> Art:
    return load_art("stichwart")


def table(
    art: Art,
    light: str | Light = "lamp",
    *,
    scale: float = 2.25,
    tilt: float = 0.05,
    at: tuple[float, float] = (0, 0),
    layout: MatLayout = LAYOUT,
    seed: int = 0,
) -> Tabletop:
    light = LIGHTS[light] if isinstance(light, str) else light
    return Tabletop(art, layout, look_down(1200, scale, tilt, 1.9, 0.0, at), light, np.random.default_rng(seed))


def codes(image: Image, **more: object) -> dict[str, Finding]:
    return {one.code: one for one in diagnose_view(image, LAYOUT, **more)[1]}  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("light", "cards"), [*((light, "trick") for light in LIGHTS), ("lamp", "bare"), ("sun", "bare"), ("side", "bare")]
)
def test_a_table_that_is_all_right(art: Art, light: str, cards: str) -> None:
    camera = SimCamera(art, MatLayout(seats=5), seed=len(light), light=light)
    if cards == "trick":
        for seat, label in enumerate(("HT", "CQ", "DA", "S9"), 1):
            place = camera.layout.seat_places[seat]
            camera.renderer.lay_down(PlacedCard(label, CardPose(*place, 0.4 * seat)))
    seen, findings = diagnose_view(next(camera).image, camera.layout, cards=[card.quad for card in camera.cards])
    assert isinstance(seen, Calibration)
    assert findings == ()


@pytest.mark.parametrize("gain, code", [(0.05, "dark"), (0.25, "dim"), (3.4, "bright"), (20, "bright")])
def test_light(art: Art, gain: float, code: str) -> None:
    assert codes(cv2.convertScaleAbs(table(art).picture, alpha=gain, beta=30 if gain > 1 else 0))[code]


@pytest.mark.parametrize("sigma", [1.6, 2.2])
def test_out_of_focus(art: Art, sigma: float) -> None:
    image = cv2.GaussianBlur(table(art).picture, (0, 0), sigma)
    found = codes(image)["blurred"]
    assert set(codes(image)) == {"blurred"}  # marks that cannot be made out are not called hidden
    assert found.grave == (sigma > 2)
    assert found.value == pytest.approx(math.hypot(sigma, 0.7) / 2.25, rel=0.2)


def test_blur_is_measured_in_mm_on_the_mat(art: Art) -> None:
    near, far = (table(art, scale=scale).picture for scale in (2.25, 1.5))
    for image, scale in ((near, 2.25), (far, 1.5)):
        blur = edge_blur(image, find_mat(image, LAYOUT))
        assert blur is not None
        assert blur * scale == pytest.approx(0.85, abs=0.2)


@pytest.mark.parametrize(
    "at, where",
    [((-70, -50), {"top_left"}), ((60, 40), {"bottom_right"}), ((0, 40), {"bottom_left", "bottom_right"})],
    ids=["upper left", "lower right", "below"],
)
def test_the_sheet_leaves_the_picture(art: Art, at: tuple[float, float], where: set[str]) -> None:
    found = codes(table(art, at=(-at[0], -at[1])).picture)
    assert where <= set(found["cut"].where.split())


def test_the_middle_leaves_the_picture(art: Art) -> None:
    found = codes(table(art, at=(0, 75)).picture)
    assert found["middle_cut"].grave


def test_marks_are_covered(art: Art) -> None:
    top = table(art)
    image = top.picture.copy()
    px = to_px(top.view, LAYOUT.marks[0])
    cv2.rectangle(
        image, *(tuple(np.round(p).astype(int).tolist()) for p in (px.min(0) - 6, px.max(0) + 6)), (90, 60, 70), -1
    )
    found = codes(image)
    assert set(found) == {"marks"}
    assert (found["marks"].where, found["marks"].value, found["marks"].grave) == ("top_left", 1.0, False)


def test_hardly_a_mark_and_none(art: Art) -> None:
    top = table(art)
    image = top.picture.copy()
    for corners in list(LAYOUT.marks.values())[1:]:
        cv2.fillConvexPoly(image, np.round(to_px(top.view, corners * 1.0)).astype(np.int32), (60, 90, 70))
    assert set(codes(image)) == {"few_marks"}
    assert set(codes(np.full_like(image, 110))) == {"no_mat"}


def test_another_sheet(art: Art) -> None:
    found = codes(table(art, layout=MatLayout("A3", 5)).picture)
    assert found["other_mat"].where == "A3, 5"


def test_too_far_away(art: Art) -> None:
    found = codes(table(art, scale=1.1).picture)["small"]
    assert found.grave and found.value == pytest.approx(65, abs=3)


def test_from_the_side(art: Art) -> None:
    found = codes(table(art, scale=1.7, tilt=math.radians(38)).picture)["tilted"]
    assert found.value == pytest.approx(38, abs=3)


def light_spot(top: Tabletop, place: tuple[float, float], strength: float, spread: float = 45) -> Image:
    x, y = to_px(top.view, np.array([place]))[0]
    yy, xx = np.mgrid[0 : SIZE[1], 0 : SIZE[0]].astype(np.float32)
    spot = strength * np.exp(-((xx - x) ** 2 + (yy - y) ** 2) / (2 * spread**2))
    return np.clip(top.picture + spot[..., None], 0, 255).astype(np.uint8)


@pytest.mark.parametrize("seat", [1, 2, 3, 4])
def test_glare_in_front_of_a_seat(art: Art, seat: int) -> None:
    found = codes(light_spot(table(art), LAYOUT.seat_places[seat], 190))
    assert set(found) == {"glare"}
    assert found["glare"].where == f"seat {seat}"


def test_glare_in_the_middle(art: Art) -> None:
    assert codes(light_spot(table(art), (3, 5), 200))["glare"].where == "middle"


def test_a_patch_of_sunlight(art: Art) -> None:
    top = table(art)
    image = top.picture.astype(np.float32)
    quad = to_px(top.view, np.array([(-90, -20), (-40, -30), (-45, 25), (-95, 20)]))
    mask = np.zeros(image.shape[:2], np.uint8)
    cv2.fillConvexPoly(mask, np.round(quad).astype(np.int32), 1)
    image[mask > 0] *= 2.8
    found = codes(np.clip(image, 0, 255).astype(np.uint8))
    assert found["sun"].where == "seat 2"


def test_mat_or_camera_was_moved(art: Art) -> None:
    before = find_mat(table(art).picture, LAYOUT)
    assert codes(table(art, at=(1, 0)).picture, before=before) == {}
    found = codes(table(art, at=(12, 5)).picture, before=before)
    assert found["moved"].value == pytest.approx(13, abs=1)


def test_a_card_that_the_deck_does_not_have(art: Art) -> None:
    top = table(art)
    card = PlacedCard("HT", CardPose(10, 5, 0.3))
    top.lay(card)
    image, quad = top.picture, top.quad(card.pose)
    assert set(codes(image)) == {"unknown"}
    assert codes(image, cards=[SceneCard("HT", card.pose, quad).quad]) == {}


def test_a_wavy_sheet(art: Art) -> None:
    image = table(art).picture
    yy, xx = np.mgrid[0 : SIZE[1], 0 : SIZE[0]].astype(np.float32)
    bent = cv2.remap(image, xx + 5 * np.sin(xx / 70), yy + 5 * np.sin(yy / 60), cv2.INTER_LINEAR)
    assert codes(bent)["uneven"].value > 2


def test_the_gravest_comes_first(art: Art) -> None:
    image = cv2.GaussianBlur(table(art, at=(0, -75)).picture, (0, 0), 2.5)
    found = diagnose_view(image, LAYOUT)[1]
    assert [one.grave for one in found] == sorted((one.grave for one in found), reverse=True)
    assert len(found) >= 2


def test_a_glossy_table_in_hard_light_can_still_be_played_on(art: Art) -> None:
    """A mild reflex, as the simulation has it, costs no card and is not complained of."""
    for seed in range(4):
        assert "glare" not in codes(table(art, replace(LIGHTS["hard"], glare=70.0), seed=seed).picture)
