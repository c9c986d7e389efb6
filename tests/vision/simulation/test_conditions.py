"""Lights, wear and things by name: the same for the same seed, and each does what its name says."""

import cv2
import numpy as np
import pytest

from vision.simulation.art import load_art
from vision.simulation.artwork import BACK, Art
from vision.simulation.film import SimCamera
from vision.simulation.lights import LIGHTS
from vision.simulation.paint import IMAGING
from vision.simulation.scene import Scene, random_scene
from vision.simulation.things import OBJECTS, thing
from vision.simulation.wear import WEAR, worn

pytestmark = pytest.mark.slow

#: Of most pictures, px: lights, wear and things are seen at half of a camera's width as well.
SIZE = (640, 360)


@pytest.fixture(scope="module")
def art() -> Art:
    return load_art("stichwart")


@pytest.mark.parametrize("name", ["hall", "pink", "side", "sun", "varnish"])
def test_cards_lie_the_same_in_every_light(art: Art, name: str) -> None:
    everyday, one, two = (
        random_scene(5, art, imaging=look, size=SIZE) for look in (IMAGING["lamp"], IMAGING[name], IMAGING[name])
    )
    assert np.array_equal(one.frame, two.frame)
    assert [(card.label, card.pose) for card in one.cards] == [(card.label, card.pose) for card in everyday.cards]
    assert np.abs(one.frame.astype(int) - everyday.frame).mean() > 1


@pytest.mark.parametrize("name", ["sun", "switched", "drifting"])
def test_light_that_changes_by_itself(art: Art, name: str) -> None:
    def film() -> list[np.ndarray]:
        camera = SimCamera(art, seed=3, light=name, fps=2, size=SIZE)
        camera.lay("CA", 1)
        return [next(camera).image[::4, ::4].copy() for _ in range(2 * 20)][::2]

    one, two = film(), film()
    assert all(np.array_equal(a, b) for a, b in zip(one, two, strict=True))
    still = [frame.astype(np.float32) for frame in one[3:]]  # the hand is gone
    changes = [np.abs(cv2.blur(frame - still[0], (5, 5))).max() for frame in still]
    assert max(changes) > 15, "nothing of this light has changed in 17 s"


def test_exposure_that_hunts_swings_longer_than_one_that_follows(art: Art) -> None:
    def levels(name: str) -> np.ndarray:
        camera = SimCamera(art, seed=3, light=name, size=SIZE)
        for seat, label in enumerate(("CA", "HA", "SA", "DA"), 1):
            camera.lay(label, seat, at=1.0)
        return np.array([next(camera).image[:30, :30].mean() for _ in range(60)])  # a corner: wood only

    hunting, automatic = levels("hunting"), levels("automatic")
    assert hunting[:10].std() < 1 and automatic[:10].std() < 1  # nothing has come yet
    assert np.diff(hunting[15:]).std() > 1.5 * np.diff(automatic[15:]).std()
    assert automatic[-1] < automatic[0] - 3  # white cards make the picture darker


@pytest.mark.parametrize("name", WEAR)
def test_worn_cards(art: Art, name: str) -> None:
    one, two, other = worn(art, WEAR[name], 1), worn(art, WEAR[name], 1), worn(art, WEAR[name], 2)
    face = one.faces["HK"]
    assert np.array_equal(face, two.faces["HK"]) and not np.array_equal(face, other.faces["HK"])
    assert list(one.faces) == list(art.faces) and one.size_mm == art.size_mm
    assert face.shape[1] == pytest.approx(one.picture_mm[0] * 6, abs=2)
    new = art.faces["HK"].astype(np.float32)
    edge = (face.shape[1] - new.shape[1]) // 2
    inner = face[edge : edge + new.shape[0], edge : edge + new.shape[1], :3]
    assert 0.3 < np.abs(inner - new[..., :3]).mean() < 45  # worn, and still that card


def test_a_sleeve_stands_out_and_leaves_the_card_where_it_is(art: Art) -> None:
    bare = random_scene(4, art, "isolated", count=1)
    sleeved = random_scene(4, worn(art, WEAR["sleeved"], 1), "isolated", count=1)
    assert np.allclose(bare.cards[0].quad, sleeved.cards[0].quad)
    card = cv2.fillConvexPoly(np.zeros(bare.frame.shape[:2], np.uint8), sleeved.cards[0].quad.astype(int), 1)
    rim = cv2.dilate(card, np.ones((7, 7), np.uint8)) > cv2.dilate(card, np.ones((3, 3), np.uint8))
    assert sleeved.frame[rim].mean() > bare.frame[rim].mean() + 8


@pytest.fixture(scope="module")
def plain(art: Art) -> Scene:
    """A card with nothing beside it."""
    return random_scene(2, art, "isolated", count=1, size=SIZE)


@pytest.mark.parametrize("name", OBJECTS)
def test_things_beside_cards(art: Art, plain: Scene, name: str) -> None:
    what = thing(name, 3)
    assert np.array_equal(what.picture, thing(name, 3).picture) and what.picture[..., 3].max() > 200
    scene = random_scene(2, art, "isolated", count=1, objects=(name,), size=SIZE)
    assert scene.cards[0].pose == plain.cards[0].pose
    assert (np.abs(scene.frame.astype(int) - plain.frame).max(2) > 40).sum() > 75


def test_a_thing_is_put_and_taken(art: Art) -> None:
    camera = SimCamera(art, seed=2, size=SIZE)
    bare = next(camera).image
    camera.put("beer mat", 1)
    camera.lay("HK", 2)
    while camera.busy:
        seen = next(camera).image
    assert [card.label for card in camera.cards] == ["HK"]
    assert (np.abs(seen.astype(int) - bare).max(2) > 40).mean() > 0.03
    camera.remove("beer mat", 1)
    camera.collect(2)
    camera.clear()
    while camera.busy:
        seen = next(camera).image
    assert (np.abs(seen.astype(int) - bare).max(2) > 60).mean() < 1e-4
    with pytest.raises(ValueError, match="'beer mat'"):
        camera.remove("beer mat", 1)
    with pytest.raises(KeyError, match="'beermat'"):
        camera.put("beermat", 1)


def test_a_table_without_cards_and_with_backs(art: Art) -> None:
    assert random_scene(1, art, "isolated", count=0, objects=("phone",)).cards == ()
    scene = random_scene(1, art, "isolated", count=3, backs=2)
    assert [card.label for card in scene.cards][:2] == [BACK, BACK] and scene.cards[2].label != BACK


def test_every_light_serves_both() -> None:
    assert set(LIGHTS) == set(IMAGING)
