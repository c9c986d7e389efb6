"""The change gate: motion and change are told from light, noise and bands."""

from collections.abc import Callable
from functools import cache

import cv2
import numpy as np
import pytest

from vision.camera.frame import Frame
from vision.tracking.change_detection import ChangeDetector, FrameChange
from vision.tracking.coarse_plane import CELL

SIZE = (480, 640)


def scene(
    rng: np.random.Generator,
    *,
    card: bool = False,
    gain: float = 1.0,
    band: float = 0.0,
    phase: float = 0.0,
    x: int = 380,
) -> np.ndarray:
    """A mat with one card, perhaps a second one at ``x``, in some light, with noise."""
    image = np.full((*SIZE, 3), (60, 110, 50), np.uint8)
    cv2.rectangle(image, (100, 100), (190, 240), (190, 195, 200), -1)
    cv2.putText(image, "K", (110, 160), cv2.FONT_HERSHEY_SIMPLEX, 2, (20, 20, 20), 4)
    if card:
        cv2.rectangle(image, (x, 200), (x + 90, 340), (190, 195, 200), -1)
    light = gain * (1 + band * np.sin(np.arange(SIZE[0]) / 70 + phase))
    lit = image * light.astype(np.float32)[:, None, None]
    return cv2.add(lit, np.roll(noise(), int(rng.integers(lit.size))), dtype=cv2.CV_8U)


@cache
def noise() -> np.ndarray:
    """A camera's noise for one frame; each has it from another place on, for to draw it anew takes long."""
    return np.random.default_rng(0).normal(0, 5, (*SIZE, 3)).astype(np.float32)


def step(gate: ChangeDetector, image: np.ndarray, at: float) -> FrameChange:
    return gate.update(Frame(image, at).quarter, at)


def watched(*frames: np.ndarray) -> list[FrameChange]:
    gate = ChangeDetector()
    return [step(gate, frame, i / 15) for i, frame in enumerate(frames)]


@pytest.mark.parametrize(
    "lights",
    [
        pytest.param([{} for _ in range(12)], id="noise only"),
        pytest.param([{"gain": 1 - 0.03 * i} for i in range(12)], id="exposure drifts down"),
        pytest.param([{"gain": 0.7 + 0.04 * i} for i in range(12)], id="exposure drifts up"),
        pytest.param([{"gain": 1.0 if i < 6 else 0.6} for i in range(12)], id="a lamp goes out"),
        pytest.param([{"band": 0.1, "phase": 0.9 * i} for i in range(12)], id="bands of a 50 Hz lamp"),
    ],
)
def test_light_is_no_motion(lights: list[dict[str, float]]) -> None:
    rng = np.random.default_rng(1)
    for change in watched(*(scene(rng, **light) for light in lights)):  # type: ignore[arg-type]
        assert not change.moving
        assert not change.differs.any()
        assert change.blind == ""


@pytest.mark.parametrize("light", [{}, {"gain": 0.8}, {"band": 0.08}], ids=["even", "dimmer", "bands"])
def test_a_card_is_a_change_where_it_lies_until_accepted(light: dict[str, float]) -> None:
    rng = np.random.default_rng(2)
    gate = ChangeDetector()
    for i in range(4):
        step(gate, scene(rng), i / 15)
    change = step(gate, scene(rng, card=True, **light), 4 / 15)  # type: ignore[arg-type]
    assert change.moving
    for i in range(5, 8):
        change = step(gate, scene(rng, card=True, **light), i / 15)  # type: ignore[arg-type]
        assert not change.moving
        rows, columns = np.nonzero(change.differs)
        assert (columns.min() * CELL, columns.max() * CELL) == (pytest.approx(380, abs=12), pytest.approx(470, abs=12))
        assert (rows.min() * CELL, rows.max() * CELL) == (pytest.approx(200, abs=12), pytest.approx(340, abs=12))
    assert change.rest[32, 53] == pytest.approx(3 / 15, abs=0.01)
    gate.accept(change.differs)
    assert not step(gate, scene(rng, card=True, **light), 8 / 15).differs.any()  # type: ignore[arg-type]
    assert step(gate, scene(rng, **light), 9 / 15).differs.sum() > 100  # type: ignore[arg-type]


def test_a_thing_that_creeps_is_seen() -> None:
    rng = np.random.default_rng(3)
    changes = watched(*(scene(rng, card=True, x=380 + 2 * i) for i in range(12)))
    assert sum(c.moving for c in changes) >= 5
    assert changes[-1].differs.any()


@pytest.mark.slow
def test_slow_daylight_is_followed() -> None:
    rng = np.random.default_rng(4)
    gate = ChangeDetector()
    ramp = np.linspace(0, 1, SIZE[1], dtype=np.float32)[None, :, None]
    for i in range(120):  # one side loses 40 % of its light
        image = np.clip(scene(rng).astype(np.float32) * (1 - 0.4 * ramp * i / 120), 0, 255).astype(np.uint8)
        change = step(gate, image, i / 15)
        assert not change.differs.any()


@pytest.mark.parametrize(
    ("image", "blind"),
    [
        (np.full((*SIZE, 3), 3, np.uint8), "dark"),
        (np.full((*SIZE, 3), 90, np.uint8), "covered"),
        (scene(np.random.default_rng(5)), ""),
    ],
    ids=["dark", "capped", "open"],
)
def test_blind(image: np.ndarray, blind: str) -> None:
    assert watched(image, image)[-1].blind == blind


def with_a_card(rng: np.random.Generator) -> tuple[ChangeDetector, np.ndarray]:
    """A gate that knows the bare mat and has a card lying on it, and the cells that stay open."""
    gate = ChangeDetector()
    open_mat = ~cells((360, 180), (490, 360)) & ~cells((80, 80), (210, 260))
    for i in range(4):
        step(gate, scene(rng), i / 15)
    gate.learn_bare(np.ones_like(open_mat))
    step(gate, scene(rng, card=True), 4 / 15)
    gate.accept()
    return gate, open_mat


@pytest.mark.slow
def test_the_bare_mat_below_a_card_is_known_again_after_a_lamp_went_out() -> None:
    rng = np.random.default_rng(6)
    gate, open_mat = with_a_card(rng)
    for i in range(5, 50):
        step(gate, scene(rng, card=True, gain=0.6), i / 15)
        gate.learn_bare(open_mat)
    step(gate, scene(rng, gain=0.6), 50 / 15)
    bare, _ = gate.bare()
    assert bare[cells((390, 210), (460, 330))].all()


@pytest.mark.parametrize(
    "tint",
    [
        pytest.param((1.6, 1.03, 0.6), id="a lamp of another colour that is as bright on the mat"),
        pytest.param((0.5, 0.97, 1.5), id="a warm one"),
        pytest.param((1.1, 1.0, 0.9), id="white balance"),
    ],
)
def test_the_bare_mat_below_a_card_is_known_again_in_another_colour_of_light(tint: tuple[float, float, float]) -> None:
    """An LED lamp, then a candle: a gain explained the grey levels, and by its colour the whole mat was none."""
    rng = np.random.default_rng(6)
    gate, open_mat = with_a_card(rng)
    for i in range(5, 11):
        assert not step(gate, lit(scene(rng, card=True), np.array(tint)), i / 5).differs.any()
        gate.learn_bare(open_mat)
    step(gate, lit(scene(rng), np.array(tint)), 11 / 5)
    shown, known = gate.bare()
    place = cells((390, 210), (460, 330))
    assert shown[place].all() and known[place].all()
    assert known[open_mat].all()


@pytest.mark.parametrize("gain", [1.0, 0.8], ids=["in the same light", "a lamp darker"])
def test_a_thing_that_lay_there_before_is_known_again_and_the_mat_is_none(gain: float) -> None:
    rng = np.random.default_rng(9)
    gate, open_mat = with_a_card(rng)  # learned as it was without the thing
    before, place = gate.settled, cells((390, 210), (460, 330))
    assert before is not None

    def laid(image: np.ndarray) -> np.ndarray:
        return cv2.rectangle(image, (350, 180), (500, 360), (20, 20, 200), -1)

    step(gate, laid(scene(rng, card=True, gain=gain)), 1.0)
    assert not gate.things_again(before)[place].any()
    step(gate, scene(rng, card=True, gain=gain), 1.1)
    assert gate.things_again(before)[place].all()
    assert not gate.things_again(before)[open_mat].any()


@pytest.mark.slow
def test_light_that_moves_over_the_mat_is_followed_below_a_card() -> None:
    rng = np.random.default_rng(7)
    gate, open_mat = with_a_card(rng)
    right = np.where(np.arange(SIZE[1]) < 320, 1.0, 1.5)[:, None]
    for i in range(5, 60):
        sunny = 1 + (right - 1) * min(1.0, (i - 5) / 40)
        step(gate, np.clip(scene(rng, card=True) * sunny, 0, 255).astype(np.uint8), i / 15)
        gate.accept()
        gate.learn_bare(open_mat)
    step(gate, np.clip(scene(rng) * right, 0, 255).astype(np.uint8), 4.0)
    bare, _ = gate.bare()
    assert bare[cells((390, 210), (460, 330))].mean() > 0.9


@pytest.mark.parametrize(
    ("colour", "bare"),
    [((108, 198, 90), True), ((36, 66, 30), True), ((160, 158, 156), False), ((190, 195, 200), False)],
    ids=["mat in the sun", "mat in the shade", "a grey thing", "a card"],
)
@pytest.mark.parametrize("at_first", [1.0, 0.3], ids=["seen at once", "seen bit by bit"])
def test_a_coloured_mat_is_known_in_sun_and_shade(colour: tuple[int, int, int], bare: bool, at_first: float) -> None:
    rng = np.random.default_rng(8)
    gate = ChangeDetector()
    for i in range(4):
        step(gate, scene(rng), i / 15)
        mat = np.ones((SIZE[0] // CELL, SIZE[1] // CELL), bool)
        mat[:, round(mat.shape[1] * at_first) :] = i == 3  # what a hand has hidden till now
        gate.learn_bare(mat)
    image = cv2.rectangle(scene(rng).copy(), (360, 180), (500, 360), colour, -1)
    step(gate, image, 4 / 15)
    assert (gate.bare()[0][cells((376, 196), (480, 340))] == bare).all()


@pytest.mark.parametrize(
    ("lay_s", "mat_s", "known", "bare"),
    [
        pytest.param(2.0, 0.0, False, False, id="for a short time: not known for certain"),
        pytest.param(2.0, 1.0, True, True, id="for a short time, and the mat was seen again"),
        pytest.param(8.0, 0.0, True, False, id="for longer than the mat was seen: it is the mat"),
        pytest.param(8.0, 10.0, True, True, id="for longer, and the mat was seen for as long again"),
    ],
)
def test_the_bare_mat_stays_known_where_a_thing_lies_for_a_short_time(
    lay_s: float, mat_s: float, known: bool, bare: bool
) -> None:
    """A dealt card's tip was let go and learned in 0.3 s; then no card was found gone from that place."""
    rng = np.random.default_rng(8)
    gate, everywhere = ChangeDetector(), np.ones((SIZE[0] // CELL, SIZE[1] // CELL), bool)
    at = 0.0

    def watch(seconds: float, *, card: bool) -> None:
        nonlocal at
        for _ in range(round(seconds * 5)):
            at += 0.2
            step(gate, scene(rng, card=card), at)
            gate.accept()  # as what is no card is let go
            gate.learn_bare(everywhere)

    watch(4.0, card=False)
    watch(lay_s, card=True)
    watch(mat_s, card=False)
    step(gate, scene(rng), at + 0.2)
    place = cells((390, 210), (460, 330))
    shown, sure = gate.bare()
    assert (sure[place] == known).all()
    assert (shown[place] == bare).all()
    assert shown[~cells((350, 170), (500, 370))].all()


def cells(start: tuple[int, int], end: tuple[int, int]) -> np.ndarray:
    mask = np.zeros((SIZE[0] // CELL, SIZE[1] // CELL), bool)
    mask[start[1] // CELL : end[1] // CELL, start[0] // CELL : end[0] // CELL] = True
    return mask


def test_a_hand_in_deep_shadow_is_not_the_mat() -> None:
    """As dark as the green mat round about, and of another colour."""
    rng = np.random.default_rng(0)
    mat = np.full((*SIZE, 3), (24, 40, 16), np.uint8)
    hand = mat.copy()
    cv2.rectangle(hand, (200, 160), (360, 320), (34, 44, 58), -1)
    gate, everywhere = ChangeDetector(), np.ones((SIZE[0] // CELL, SIZE[1] // CELL), bool)
    for i, image in enumerate([mat] * 3 + [hand] * 3):
        step(gate, np.clip(image + rng.normal(0, 4, image.shape), 0, 255).astype(np.uint8), i / 15)
        if i == 2:
            gate.learn_bare(everywhere)
    bare, _ = gate.bare()
    place = np.s_[160 // CELL + 2 : 320 // CELL - 2, 200 // CELL + 2 : 360 // CELL - 2]
    assert not bare[place].any()
    elsewhere = bare.copy()
    elsewhere[160 // CELL - 2 : 320 // CELL + 2, 200 // CELL - 2 : 360 // CELL + 2] = True
    assert elsewhere.mean() > 0.99


LAMP_SIDE = np.linspace(0.75, 1.35, SIZE[1], dtype=np.float32)[None, :, None]  # another lamp's light over the old one's


def lit(image: np.ndarray, light: np.ndarray | float) -> np.ndarray:
    return np.clip(image * light, 0, 255).astype(np.uint8)


@pytest.mark.parametrize(
    "light",
    [
        pytest.param(LAMP_SIDE, id="from another side"),
        pytest.param(np.where(np.arange(SIZE[1]) < 250, 0.7, 1.2)[None, :, None], id="a shadow with an edge"),
        pytest.param(0.6 + 0.5 * (np.arange(SIZE[0]) > 200)[:, None, None], id="an edge across a card"),
        pytest.param(np.array((0.6, 1.0, 1.3)) * LAMP_SIDE, id="and warmer"),
    ],
)
def test_another_lamp_changes_neither_cards_nor_the_mat_below_them(light: np.ndarray) -> None:
    rng = np.random.default_rng(10)
    gate, _ = with_a_card(rng)
    for i in range(5, 9):
        step(gate, scene(rng, card=True), i / 15)
    for i in range(9, 16):
        change = step(gate, lit(scene(rng, card=True), light), i / 15)
        assert not change.moving
        assert not change.differs.any()
    change = step(gate, lit(scene(rng), light), 16 / 15)
    place = cells((390, 210), (460, 330))
    assert change.differs[place].all()
    assert gate.bare()[0][place].mean() > 0.9


@pytest.mark.parametrize(
    ("laid", "lamp"), [(9, 9), (9, 10), (10, 9)], ids=["at that moment", "just before", "just after"]
)
def test_a_card_laid_while_another_lamp_is_lit_is_a_change(laid: int, lamp: int) -> None:
    rng = np.random.default_rng(11)
    gate = ChangeDetector()
    for i in range(20):
        image = scene(rng, card=i >= laid)
        change = step(gate, lit(image, LAMP_SIDE) if i >= lamp else image, i / 15)
    place = cells((390, 210), (460, 330))
    assert change.differs[place].all()
    assert not change.differs[~cells((360, 180), (490, 360))].any()


@pytest.mark.parametrize(
    "what",
    [
        pytest.param(lambda image: np.roll(image, 24, axis=1), id="pushed"),
        pytest.param(lambda image: cv2.rectangle(image, (150, 0), (400, 480), (90, 120, 170), -1), id="leant over"),
    ],
)
def test_what_is_moved_by_people_is_no_lamp(what: Callable[[np.ndarray], np.ndarray]) -> None:
    rng = np.random.default_rng(12)
    gate = ChangeDetector()
    for i in range(8):
        step(gate, scene(rng), i / 15)
    change = step(gate, what(scene(rng).copy()), 8 / 15)
    assert change.moving
    assert change.differs.sum() > 100
