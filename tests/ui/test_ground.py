"""A key's ground is drawn where the key stands: a plate in its tone, or an outline while it cannot be touched."""

from typing import Any

import numpy


def drawn(canvas: Any) -> Any:
    """What a canvas draws, (60, 100, 3) uint8 from the lower left, RGB."""
    from kivy.graphics import Fbo

    fbo = Fbo(size=(100, 60))
    fbo.add(canvas)
    fbo.draw()
    return numpy.frombuffer(fbo.pixels, numpy.uint8).reshape(60, 100, 4)[..., :3]


def bytes_of(colour: Any) -> list[int]:
    return [round(255 * part) for part in colour[:3]]


def key(**what: Any) -> Any:
    from kiosk.ui.parts.look import Key

    return Key(size=(80, 40), pos=(10, 10), **what)


def test_a_key_is_a_plate_in_its_tone(hand: Any) -> None:
    from kiosk.ui.parts import look

    one = key(tone="gold")
    assert drawn(one.canvas.before)[30, 30].tolist() == bytes_of(look.hex(look.GOLD))
    one.tone = "green"
    assert drawn(one.canvas.before)[30, 30].tolist() == bytes_of(look.hex(look.PLATE_LIGHT))
    one.state = "down"
    assert drawn(one.canvas.before)[30, 30].tolist() == bytes_of(look.hex(look.TONES["green"][1]))
    assert not drawn(one.canvas.before)[5].any() and not drawn(one.canvas.before)[:, 95].any(), "no larger than it is"


def test_a_ground_goes_with_its_key(hand: Any) -> None:
    one = key(tone="gold")
    one.pos, one.size = (50, 5), (40, 20)
    seen = drawn(one.canvas.before)
    assert seen[15, 70].any() and not seen[30, 30].any() and not seen[40].any()


def test_a_key_that_cannot_be_touched_is_an_outline(hand: Any) -> None:
    """Where it stands, also after it has moved; and none any more once it can be touched again."""
    from kiosk.ui.parts import look

    one, felt = key(tone="gold", disabled=True), bytes_of(look.hex(look.FELT))
    seen = drawn(one.canvas.before)
    assert seen[30, 30].tolist() == felt
    assert seen[11, 50].max() > max(felt) + 20, "its edge"
    one.pos = (10, 15)
    assert drawn(one.canvas.before)[16, 50].max() > max(felt) + 20
    one.disabled = False
    plain = drawn(one.canvas.before)
    assert (plain[16:54, 25:75] == bytes_of(look.hex(look.GOLD))).all()


def test_the_ring_is_drawn_while_a_key_is_held(hand: Any) -> None:
    from kiosk.ui.parts.hold import HoldKey

    one = HoldKey(size=(80, 40), pos=(10, 10), calm_text="Re")
    assert not drawn(one.canvas.after).any()
    one.part = 0.5
    half = drawn(one.canvas.after)
    assert half[:, 60:].any() and not half[25:35, :20].any(), "clockwise from its top"
    one.part = 1.0
    assert drawn(one.canvas.after)[25:35, :20].any()
    one.part = 0
    assert not drawn(one.canvas.after).any()
