"""A sheet that opens often is built once: it says what is so now, and to fingers it is new each time."""

from collections.abc import Callable
from typing import Any

import pytest

pytestmark = pytest.mark.render


@pytest.fixture
def more(hand: Any, views: Any) -> Callable[[], Any]:
    """Opens *More* while a game is in play."""

    def opened() -> Any:
        hand.app.sheets.open("more", by=0)
        hand.stage.step(2)
        return hand.app.sheets.current

    hand.show(views.playing())
    return opened


def test_it_is_built_once(hand: Any, more: Callable[[], Any]) -> None:
    first = more()
    hand.app.sheets.close()
    assert more() is first
    assert more() is first  # in place of itself
    assert first.parent == hand.app.root.ids.stage


def test_it_shows_the_state_in_which_it_opens(hand: Any, views: Any, more: Callable[[], Any]) -> None:
    assert not more().ids.missing_key.disabled
    hand.app.sheets.close()
    hand.show(views.PHASES["over"]())
    hand.app.go("play")
    assert more().ids.missing_key.disabled


def _speak(app: Any) -> None:
    app.speak("en" if app.language == "de" else "de")


def _lie_flat(app: Any) -> None:
    from kiosk.ui.parts.places import ScreenPlace

    app.stand(ScreenPlace(flat=not app.place.flat))


@pytest.mark.parametrize("change", [_speak, _lie_flat, lambda app: app.rebuild()], ids=["word", "place", "tree"])
def test_what_it_was_built_for_is_no_more(hand: Any, more: Callable[[], Any], change: Callable[[Any], None]) -> None:
    from kiosk.ui.parts.places import ScreenPlace

    try:
        first = more()
        change(hand.app)
        hand.stage.step(2)
        second = more()
        assert second is not first
        assert second.title == hand.app.words["menu_title"]
        assert bool(second.turns) is hand.app.place.flat
    finally:
        hand.app.sheets.close()
        hand.app.stand(ScreenPlace())
        hand.app.speak("de")


def test_a_finger_of_before_does_nothing_and_a_new_one_waits(hand: Any, more: Callable[[], Any]) -> None:
    from kiosk.ui.parts.touchable import QUIET_S

    key = more().ids.finish_key
    hand.stage.wait(QUIET_S + 0.1)
    finger = hand.stage.put(*hand.stage.middle_of(key))
    assert key.state == "down"
    hand.app.sheets.close()
    sheet = more()
    assert key.state == "normal"
    hand.stage.lift(finger)
    assert hand.app.sheets.current is sheet, "its release is no release of the key that has come back"
    hand.stage.lift(hand.stage.put(*hand.stage.middle_of(key)))
    assert hand.app.sheets.current is sheet, "nobody can have meant it yet"
    hand.stage.wait(QUIET_S + 0.1)
    hand.stage.lift(hand.stage.put(*hand.stage.middle_of(key)))
    assert hand.app.sheets.current is not sheet
    hand.app.sheets.close()
