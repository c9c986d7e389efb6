"""The simulated camera: what people do is what its frames show."""

from collections.abc import Callable
from pathlib import Path

import cv2
import numpy as np
import pytest

from vision.camera.frame import JpegFrame
from vision.camera.source import open_source
from vision.errors import CameraError
from vision.mat.layout import DICTIONARY, MatLayout
from vision.simulation.art import load_art
from vision.simulation.artwork import Art
from vision.simulation.film import SimCamera, play_tricks, write_pictures, write_video
from vision.simulation.geometry import CardPose, to_px
from vision.simulation.lights import LIGHTS
from vision.simulation.scene import readable
from vision.simulation.source import open_sim

pytestmark = pytest.mark.slow

#: Of most frames, px: what people do is seen at half of a camera's width, for a quarter of the time.
SIZE = (640, 360)


@pytest.fixture(scope="module")
def art() -> Art:
    return load_art("stichwart")


def run(camera: SimCamera) -> np.ndarray:
    """The frame after all acts."""
    while camera.busy:
        next(camera)
    return next(camera).image


def inside(quad: np.ndarray) -> np.ndarray:
    mask = np.zeros(SIZE[::-1], np.uint8)
    cv2.fillConvexPoly(mask, quad.round().astype(np.int32), 1)
    return mask.astype(bool)


def changed(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """Where two frames differ by more than noise."""
    return cv2.absdiff(cv2.blur(a, (5, 5)), cv2.blur(b, (5, 5))).max(2) > 12


def test_same_seed_and_acts_same_frames(art: Art) -> None:
    def film(seed: int) -> list[np.ndarray]:
        camera = SimCamera(art, seed=seed, size=SIZE)
        camera.lay("CK", 1)
        camera.lay("HA", 2)
        return [next(camera).image for _ in range(30)]

    one, two, other = film(3), film(3), film(4)
    assert all(np.array_equal(a, b) for a, b in zip(one, two, strict=True))
    assert not np.array_equal(one[0], other[0])


def test_frames_come_as_jpegs_if_that_is_asked_for(art: Art) -> None:
    as_drawn, as_jpeg = next(SimCamera(art, seed=3, size=SIZE)), next(SimCamera(art, seed=3, jpeg=90, size=SIZE))
    assert isinstance(as_jpeg, JpegFrame) and not isinstance(as_drawn, JpegFrame)
    off = np.abs(as_drawn.image.astype(int) - as_jpeg.image)
    assert 0 < off.mean() < 8


def test_time_runs_by_frames(art: Art) -> None:
    camera = SimCamera(art, fps=15)
    assert [next(camera).at for _ in range(3)] == pytest.approx([0, 1 / 15, 2 / 15])
    assert next(camera).image.shape == (720, 1280, 3)


@pytest.mark.parametrize(("number", "light"), [*enumerate(LIGHTS)], ids=LIGHTS)
def test_marks_are_where_the_homography_says(art: Art, number: int, light: str) -> None:
    """The sheets take turns: what lights the table does not look at what is printed."""
    layout = MatLayout(*(("A3", 4), ("A2", 5))[number % 2])
    camera = SimCamera(art, layout, seed=6, light=light)
    detector = cv2.aruco.ArucoDetector(cv2.aruco.getPredefinedDictionary(DICTIONARY))
    corners, ids, _ = detector.detectMarkers(next(camera).image)
    assert len(ids) >= 6
    for found, number in zip(corners, ids.ravel(), strict=True):
        truth = to_px(camera.homography, layout.marks[int(number)])
        assert np.abs(found[0].mean(0) - truth.mean(0)).max() < 1.0


@pytest.mark.parametrize("seat", [1, 2, 3, 4])
def test_a_card_is_laid(art: Art, seat: int) -> None:
    camera = SimCamera(art, seed=seat, size=SIZE)
    before = next(camera).image
    act = camera.lay("ST", seat)
    assert camera.busy and not camera.cards
    covered = 0
    while camera.now < act.uncovered:
        frame = next(camera).image
        covered += bool(changed(before, frame).mean() > 0.01)
    assert covered >= 8  # the hand was seen for half a second
    after = run(camera)
    (card,) = camera.cards
    assert card.label == "ST"
    x, y = camera.layout.seat_places[seat]
    assert np.hypot(card.pose.x - x, card.pose.y - y) < 60
    where, truth = changed(before, after), inside(card.quad)
    grown = cv2.dilate(truth.astype(np.uint8), np.ones((25, 25), np.uint8)).astype(bool)
    assert where[truth].mean() > 0.9  # a card is there
    assert where[~grown].mean() < 0.001  # and the hand is gone
    assert not changed(after, next(camera).image).any()


def test_a_trick_is_taken_in(art: Art) -> None:
    camera = SimCamera(art, seed=1, size=SIZE)
    empty = next(camera).image
    for seat, label in enumerate(("CA", "CA", "HT", "D9"), 1):
        camera.lay(label, seat)
    run(camera)
    poses = [card.pose for card in camera.cards]
    assert [card.label for card in camera.cards] == ["CA", "CA", "HT", "D9"]
    assert readable(poses, art.size_mm)
    middle = np.any([inside(card.quad) for card in camera.cards], axis=0)
    act = camera.collect(3)
    after = run(camera)
    assert act.gone < camera.now
    assert not camera.cards and camera.won == {1: 0, 2: 0, 3: 1, 4: 0}
    x, y, width, height = camera.layout.won_fields[3]
    field = inside(
        to_px(camera.homography, np.array([(x, y), (x + width, y), (x + width, y + height), (x, y + height)]))
    )
    where = changed(empty, after)
    assert where[field].mean() > 0.6
    assert where[middle & ~field].mean() < 0.03
    camera.clear()
    assert changed(empty, run(camera)).mean() < 0.001
    assert not any(camera.won.values())


def test_tricks_may_be_carried_off(art: Art) -> None:
    camera = SimCamera(art, seed=1, won_on_mat=False, size=SIZE)
    empty = next(camera).image
    camera.lay("CA", 1)
    camera.collect(2)
    assert changed(empty, run(camera)).mean() < 0.001


def test_a_card_is_taken_back(art: Art) -> None:
    camera = SimCamera(art, seed=2, size=SIZE)
    camera.lay("CA", 1)
    camera.lay("SQ", 2)
    camera.take_back("CA", 1)
    run(camera)
    assert [card.label for card in camera.cards] == ["SQ"]
    with pytest.raises(ValueError, match=r"'CA'.*in the middle: SQ"):
        camera.take_back("CA", 1)


def test_nothing_to_collect_and_no_such_card(art: Art) -> None:
    camera = SimCamera(art, size=SIZE)
    with pytest.raises(ValueError, match="no trick"):
        camera.collect(1)
    with pytest.raises(KeyError, match="C2"):
        camera.lay("C2", 1)


@pytest.mark.parametrize(
    ("disturb", "most"),
    [
        pytest.param(lambda c: c.darken(1.0), 8, id="dark"),
        pytest.param(lambda c: c.flicker(1.0, depth=0.3), 90, id="flicker"),
    ],
)
def test_light_goes_and_comes_back(art: Art, disturb: Callable[[SimCamera], None], most: float) -> None:
    camera = SimCamera(art, seed=2, size=SIZE)
    before = next(camera).image.mean()
    disturb(camera)
    levels = []
    while camera.busy:
        levels.append(next(camera).image.mean())
    assert min(levels) < min(most, 0.8 * before)
    assert next(camera).image.mean() == pytest.approx(before, rel=0.02)


def test_exposure_drifts_and_stays(art: Art) -> None:
    camera = SimCamera(art, seed=2, size=SIZE)
    before = next(camera).image.mean()
    camera.drift(0.1, seconds=1.0)
    assert run(camera).mean() == pytest.approx(0.9 * before, rel=0.02)
    camera.flicker(0.5)
    assert run(camera).mean() == pytest.approx(0.9 * before, rel=0.02)
    camera.drift(0, seconds=0.5)
    assert run(camera).mean() == pytest.approx(before, rel=0.02)


def test_a_hand_hovers_and_leaves_nothing(art: Art) -> None:
    camera = SimCamera(art, seed=2, size=SIZE)
    before = next(camera).image
    camera.hover(4, 1.2)
    most = 0.0
    while camera.busy:
        most = max(most, float(changed(before, next(camera).image).mean()))
    assert most > 0.04
    assert not changed(before, next(camera).image).any()


def test_the_mat_is_pushed_with_its_cards(art: Art) -> None:
    camera = SimCamera(art, seed=2, size=SIZE)
    camera.lay("HA", 1, pose=CardPose(0, 0, 0))
    run(camera)
    corner = camera.cards[0].quad
    before = camera.homography
    camera.push_mat(12, -5, 0.04)
    run(camera)
    assert camera.cards[0].pose == CardPose(0, 0, 0)  # on the mat it lies where it lay
    moved = to_px(before, np.array([(12.0, -5.0)]))
    assert np.allclose(camera.cards[0].quad.mean(0), moved, atol=1.0)
    assert np.abs(camera.cards[0].quad - corner).max() > 15


def test_whole_tricks_stay_readable(art: Art) -> None:
    camera = SimCamera(art, seed=9, size=SIZE)
    labels = list(art.doppelkopf)
    laid = play_tricks(camera, labels, 3, np.random.default_rng(0))
    assert [label for _, label in laid] == labels[:12]
    run(camera)
    assert sum(camera.won.values()) == 3


def test_film_is_written_for_other_sources(art: Art, tmp_path: Path) -> None:
    camera = SimCamera(art, seed=1, size=SIZE)
    camera.lay("HA", 1)
    write_video(camera, tmp_path / "film.avi", 12)
    with open_source(f"file:{tmp_path / 'film.avi'}") as film:
        assert sum(1 for _ in film) == 12
    assert len(write_pictures(camera, tmp_path / "pictures", 6, every=2)) == 3
    with open_source(f"folder:{tmp_path / 'pictures'}") as pictures:
        assert next(pictures).image.shape == (*SIZE[::-1], 3)


def test_sim_source_shows_every_face_to_learn() -> None:
    table = open_sim("stichwart,learn,seed=4", size=(640, 360))
    assert next(table).image.shape == (360, 640, 3)
    seen = []
    while len(seen) < 2:
        next(table)
        up = [card.label for card in table.camera.cards]
        if up and up[0] not in seen:
            seen.append(up[0])
    assert seen == list(table.camera.art.faces)[:2]


@pytest.mark.parametrize(
    ("spec", "words"), [("tarot", "'tarot'"), ("stichwart,fast", "'fast'"), ("stichwart,light=moon", "lights: lamp")]
)
def test_sim_source_names_what_it_does_not_know(spec: str, words: str) -> None:
    with pytest.raises(CameraError, match=words):
        open_sim(spec)
