"""One window for all tests of the screens: drawn offscreen, turned frame by frame."""

import os
from collections.abc import Iterator
from typing import Any

import pytest


class Hand:
    """The app on its stage, and the requests it sent."""

    def __init__(self, stage: Any, sent: list[dict[str, Any]]) -> None:
        self.stage, self.app, self.sent = stage, stage.app, sent

    def show(self, view: Any) -> None:
        self.app.show(view)
        self.stage.step(3)

    def touch(self, words: str) -> None:
        """Touch the key with these words."""
        self.stage.touch(self.stage.key(words))


@pytest.fixture(scope="session")
def window() -> Iterator[tuple[Any, list[dict[str, Any]]]]:
    os.environ["SDL_VIDEODRIVER"] = "offscreen"
    from kiosk.ui import build_app
    from kiosk.ui.display import prepare

    prepare((800, 480))
    from kivy.config import Config

    Config.set("graphics", "maxfps", "0")  # tests need not wait for the next frame

    sent: list[dict[str, Any]] = []
    app = build_app(sent.append, "de", (800, 480))
    from kiosk.ui.stage import Stage

    yield Stage(app).up(), sent


@pytest.fixture
def hand(window: tuple[Any, list[dict[str, Any]]]) -> Hand:
    """A fresh evening: nobody sits, German, nothing sent."""
    stage, sent = window
    app = stage.app
    app.show(None)
    app.referee_pin = None
    app.notices.clear()
    seats = app.screen("seats")
    seats.names[:] = [""] * 4
    stage.step(2)
    if app.language != "de":
        app.speak("de")
    app.go("seats")
    app._hide_refusal()
    app._asked = None
    stage.step(2)
    sent.clear()
    return Hand(stage, sent)
