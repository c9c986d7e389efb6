"""One window for all tests of the screens: drawn offscreen, turned frame by frame."""

import gc
import importlib.util
import os
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from kiosk.ui.requests import ScreenRequest


class Hand:
    """The app on its stage, and the requests it sent."""

    def __init__(self, stage: Any, sent: list[dict[str, Any]], asked: list[Any]) -> None:
        self.stage, self.app, self.sent, self.asked = stage, stage.app, sent, asked

    def show(self, view: Any) -> None:
        self.app.show(view)
        self.stage.step(3)

    def touch(self, words: str) -> None:
        """Touch the key with these words."""
        self.stage.touch(self.stage.key(words))

    def hold(self, words: str) -> None:
        """Hold the key with these words until its ring is full."""
        self.stage.hold(self.stage.key(words))

    def all_agree(self) -> None:
        """Hold every seat's key of the agreement, one after the other."""
        for key in list(self.app.sheets.current._keys.values()):
            self.stage.hold(key)


def as_text(request: "ScreenRequest") -> dict[str, Any]:
    """A request as the protocol's text has it; those of setting up, which never become text, likewise."""
    from kiosk.table.events.codec import decode, encode
    from kiosk.table.events.values import AnswerForRest, FinishGame, Request

    match request:
        case Request(event=event, anyway=anyway):
            assert decode(encode(event)) == event  # the value says what its text does
            return {**encode(event), "anyway": True} if anyway else encode(event)
        case FinishGame():
            return {"event": "finish"}
        case AnswerForRest():
            return {"event": "rest"}
        case _:
            return beside_the_game(request)


def beside_the_game(request: "ScreenRequest") -> dict[str, Any]:
    """A request of setting up or about the referee."""
    from kiosk.ui.camera.set_up_requests import BeginLesson, ChooseDeck, ShowCamera
    from kiosk.ui.devices.device_requests import Forget, Teach
    from kiosk.ui.referee.calling import CallReferee, GiveCode, WithdrawCall
    from vision.messages import LessonKey

    match request:
        case CallReferee(seat=seat):
            return {"event": "call_referee", "seat": seat}
        case WithdrawCall():
            return {"event": "withdraw_call"}
        case GiveCode(code=code):
            return {"event": "code", "code": code}
        case Teach(what):
            return {"event": "teach", "what": what}
        case Forget(what):
            return {"event": "forget", "what": what}
        case ShowCamera(wanted):
            return {"event": "camera", "do": "open" if wanted else "close"}
        case ChooseDeck(name):
            return {"event": "deck", "name": name}
        case BeginLesson(faces=faces, with_back=back):
            return {"event": "lesson", "do": "begin", "faces": faces, "back": back}
        case LessonKey(do=do, labels=labels):
            return {"event": "lesson", "do": do, **({"labels": list(labels)} if labels else {})}
    return of_hardware(request)


def of_hardware(request: "ScreenRequest") -> dict[str, Any]:
    """A request of the hardware page."""
    from kiosk.ui.hardware.hardware_view import ChooseLight, ChooseSound, ShowHardware, ShowNotices, TestPart

    match request:
        case ShowHardware(wanted):
            return {"event": "hardware", "do": "open" if wanted else "close"}
        case ShowNotices():
            return {"event": "notices"}
        case TestPart(name):
            return {"event": "try", "part": name}
        case ChooseSound(choice) | ChooseLight(choice):
            return {"event": type(request).__name__, **asdict(choice)}
    return {"event": type(request).__name__}


#: Each test opens what others have opened: words that were laid out are kept for all of them.
KEPT_BYTES = 64 * 1024 * 1024

#: A key is 300 objects, all that a touch opens is 20,000: it shall be dead when dead objects are looked for.
GC_THRESHOLD = (50_000, 5, 10)


@pytest.fixture(scope="session")
def window() -> Iterator[tuple[Any, list[dict[str, Any]], list[Any]]]:
    os.environ["SDL_VIDEODRIVER"] = "offscreen"
    from kiosk.ui import build_app
    from kiosk.ui.display import prepare

    prepare((800, 480))
    from kiosk.ui.parts.preview_request import ShowPreview
    from kiosk.ui.parts.written import WRITTEN
    from kiosk.ui.play.claim_question import CheckRest, ShowHand

    WRITTEN.most_bytes = KEPT_BYTES

    sent: list[dict[str, Any]] = []
    asked: list[Any] = []

    def send(request: "ScreenRequest") -> None:
        if not isinstance(request, ShowPreview | CheckRest | ShowHand):  # nobody has said anything
            sent.append(as_text(request))
        asked.append(request)

    app = build_app(send, "de", (800, 480))
    from kiosk.ui.stage import Stage

    stage = Stage(app, still=True).up()
    gc.collect()
    gc.freeze()  # as the kiosk does with what stands (kiosk.ui.tidying)
    gc.set_threshold(*GC_THRESHOLD)
    yield stage, sent, asked


@pytest.fixture
def hand(request: pytest.FixtureRequest, window: tuple[Any, list[dict[str, Any]], list[Any]]) -> Hand:
    """A fresh evening: nobody sits, nothing sent; in German, or as the fixture ``module_language`` says.

    The screen stands upright; it lies flat for the fixture ``flat``, or a parameter of that name that is true. It is
    left as it stands from test to test, for every change makes all seats anew.
    """
    from kiosk.ui.parts.places import ScreenPlace

    chosen = "module_language"
    language = request.getfixturevalue(chosen) if chosen in request.fixturenames else "de"
    stage, sent, asked = window
    app = stage.app
    app.show(None)
    chosen_by_test = getattr(request.node, "callspec", None)
    lies = chosen_by_test.params.get("flat", True) if chosen_by_test else True
    place = ScreenPlace(flat="flat" in request.fixturenames and lies)
    if app.place != place:
        app.stand(place)
    app.gate = "hold"
    app.referee_call = None
    app.notices.clear()
    seats = app.screen("seats")
    seats.names[:] = [""] * 4
    stage.step(2)
    if app.language != language:
        app.speak(language)
    app.go("seats")
    # The key that takes a word back stands for some seconds from when this test, not an earlier one, shows the word.
    for panel in app.screen("play").panels.values():
        panel._just_said = None
        panel._forgetting.cancel()
    app.refusal.hide()
    stage.step(2)
    sent.clear()
    asked.clear()
    return Hand(stage, sent, asked)


@pytest.fixture
def flat(hand: Hand) -> Hand:
    """The hand at a screen that lies flat."""
    assert hand.app.place.flat
    return hand


@pytest.fixture
def flat_spoken(flat: Hand, spoken: Hand) -> Hand:
    """The hand at a screen that lies flat, of each size, in each language."""
    assert flat is spoken
    return flat


def _beside(name: str) -> Any:
    """A module beside this one, loaded by its path: tests are no package."""
    spec = importlib.util.spec_from_file_location(f"ui_{name}", Path(__file__).with_name(f"{name}.py"))
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="session")
def views(window: Any) -> Any:
    """Sample values for each phase of a table."""
    return _beside("views")


@pytest.fixture(scope="session")
def measure(window: Any) -> Any:
    """What measures a screen."""
    return _beside("measure")


#: The smallest screen, and a usual one; pixels.
SIZES = [(800, 480), (1280, 800)]


def resize(stage: Any, size: tuple[int, int]) -> None:
    """Give the window that size, unless it has it: all screens are built anew."""
    from kivy.core.window import Window

    if tuple(Window.size) != size:
        stage.size(*size)


@pytest.fixture(scope="module", params=SIZES, ids=["800x480", "1280x800"])
def size(request: pytest.FixtureRequest, window: Any) -> Iterator[tuple[int, int]]:
    """The window in each size."""
    stage = window[0]
    resize(stage, request.param)
    yield request.param
    resize(stage, SIZES[0])


@pytest.fixture
def sized(size: tuple[int, int], hand: Hand) -> Hand:
    """The hand at a screen of each size."""
    return hand


@pytest.fixture(scope="module", params=["de", "en"])
def module_language(request: pytest.FixtureRequest) -> str:
    """A language for all tests of a size in a row: to change it all screens are written anew."""
    return str(request.param)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Draw a pairwise covering set of what has two or more of: a size, a language, a screen that may lie flat.

    A case is drawn in one language on the smallest screen and in the other one on the larger screen, the next case the
    other way round: so each case meets each size and each language, and each size each language. Screens of both sizes
    are drawn for the same units, so that a word that is cut at one is cut at the other. ``HYPOTHESIS_PROFILE=explore``
    draws all, and so does a case asked for by name. What is drawn on the larger screen is slow.
    """
    for item in items:
        if indices(item).get("size"):
            item.add_marker("slow")
    if os.environ.get("HYPOTHESIS_PROFILE") == "explore" or any("[" in word for word in config.args):
        return
    left_out = {item for item in items if _is_drawn_elsewhere(item)}
    if left_out:
        items[:] = [item for item in items if item not in left_out]
        config.hook.pytest_deselected(items=[*left_out])


#: Parameters that change how a case is drawn, not what is drawn; each has two values.
DRAWN_BY = {"size", "module_language", "flat"}


def indices(item: pytest.Item) -> dict[str, int]:
    """Return which of its values each parameter of a test has."""
    return dict(getattr(getattr(item, "callspec", None), "indices", {}))


def _is_drawn_elsewhere(item: pytest.Item) -> bool:
    places = indices(item)
    return len(DRAWN_BY & places.keys()) > 1 and sum(places.values()) % 2 != 0


@pytest.fixture
def spoken(module_language: str, sized: Hand) -> Hand:
    """The hand at a screen of each size, in each language."""
    assert sized.app.language == module_language
    return sized
