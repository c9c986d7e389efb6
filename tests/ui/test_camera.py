"""Looking through the camera on the table's screen: what is wrong is said in words, and what to do about it."""

from pathlib import Path
from typing import Any

import cv2
import numpy
import pytest

from kiosk.ui.camera.camera_view import CameraView
from vision.messages import CameraSetting, CameraState, Finding

PICTURE = cv2.imencode(".jpg", numpy.full((360, 640, 3), 90, numpy.uint8))[1].tobytes()

#: Every code that vision may give, with what it says.
FINDINGS = {
    "camera": Finding("camera", True),
    "dark": Finding("dark", True, value=9.0),
    "dim": Finding("dim", False, value=60.0),
    "bright": Finding("bright", True, value=120.0),
    "no_mat": Finding("no_mat", True),
    "other_mat": Finding("other_mat", True, where="A3, 5"),
    "few_marks": Finding("few_marks", True, value=2.0),
    "marks": Finding("marks", False, where="top_left bottom_right", value=2.0),
    "cut": Finding("cut", False, where="top_left top_right"),
    "middle_cut": Finding("middle_cut", True),
    "small": Finding("small", True, value=63.0),
    "blurred": Finding("blurred", True, value=0.9),
    "tilted": Finding("tilted", False, value=37.0),
    "uneven": Finding("uneven", False, value=2.4),
    "glare": Finding("glare", True, where="seat 3", value=140.0),
    "sun": Finding("sun", True, where="middle", value=2.9),
    "moved": Finding("moved", False, value=12.0),
    "unknown": Finding("unknown", False),
}


def told(hand: Any) -> list[tuple[str, str]]:
    """Title and what to do, as the screen says it."""
    from kiosk.ui.camera.camera_screen import FindingRow

    rows = [one for one in hand.app.root.walk() if isinstance(one, FindingRow)]
    return [(row.title, row.todo) for row in rows]


def look(hand: Any, *findings: Finding, **more: Any) -> None:
    values: dict[str, Any] = {"picture": PICTURE, "deck": "verein", "decks": ("verein",), **more}
    hand.app.camera(CameraView(findings=findings, **values))
    hand.stage.step(3)


@pytest.fixture
def camera(hand: Any) -> Any:
    hand.touch("Kamera")
    assert hand.sent.pop() == {"event": "camera", "do": "open"}
    return hand


@pytest.mark.slow
@pytest.mark.parametrize("language", ["de", "en"])
@pytest.mark.parametrize("code", FINDINGS)
def test_each_finding_is_said_in_words(camera: Any, code: str, language: str) -> None:
    camera.app.speak(language)
    look(camera, FINDINGS[code])
    ((title, todo),) = told(camera)
    assert len(title) > 5 and len(todo) > 5 and "{" not in title + todo
    assert title != code


SETTINGS = (
    CameraSetting(code="focus", held=True, value=35.0),
    CameraSetting(code="exposure", held=True, value=30.0),
    CameraSetting(code="white", held=False, value=4000.0),
    CameraSetting(code="mains", held=True, value=50.0),
)


def test_the_camera_is_named_with_its_settings_and_set_anew(camera: Any) -> None:
    state = CameraState(name="HD Webcam C920", socket="1", size=(1280, 720), fps=14.9, settings=SETTINGS)
    look(camera, camera=state)
    assert told(camera)[-1] == (
        "HD Webcam C920, 1280 × 720, 15 Bilder je Sekunde",
        "Schärfe fest · Belichtung 30 ms fest · Weißabgleich automatisch · Netz 50 Hz",
    )
    camera.touch("Kamera neu einstellen")
    assert camera.sent.pop() == {"event": "SetCameraAnew"}
    look(camera, camera=CameraState(name="old one"))
    assert told(camera)[-1][1] == "Sie sagt nicht, wie sie eingestellt ist."
    look(camera, FINDINGS["dark"], FINDINGS["cut"], FINDINGS["glare"], camera=state)
    assert len(told(camera)) == 3  # what is wrong comes first


@pytest.mark.parametrize("one", SETTINGS, ids=lambda one: one.code)
@pytest.mark.parametrize("held", ["held", "free"])
def test_each_setting_has_its_words(one: CameraSetting, held: str) -> None:
    from kiosk.language import has

    assert has("camera_settings", f"{one.code}_{held}")


def test_every_code_of_the_diagnosis_has_words() -> None:
    import re

    import vision.teaching.view_diagnosis
    from kiosk.language import has

    source = Path(vision.teaching.view_diagnosis.__file__).read_text(encoding="utf-8")
    codes = set(re.findall(r'Finding\("(\w+)"', source)) | {"camera"}
    assert codes == set(FINDINGS)
    assert all(has("setup", f"setup_{code}") for code in codes)
    assert all(has("setup", f"setup_{code}_do") for code in codes - {"camera"})


def test_places_are_named(camera: Any) -> None:
    look(camera, FINDINGS["glare"], FINDINGS["cut"])
    assert [title for title, _ in told(camera)] == [
        "Spiegelung bei Platz 3",
        "Die Matte ragt aus dem Bild: oben links, oben rechts",
    ]


def test_when_nothing_is_wrong(camera: Any) -> None:
    look(camera, card_px=132.6, cards=("HT", "CQ", "?"))
    (good, words), (cards, _) = told(camera)
    assert good == "Alles gut" and "133 Bildpunkte" in words
    assert "10" in cards and "?" in cards


def test_many_findings_are_counted(camera: Any) -> None:
    look(camera, *(FINDINGS[code] for code in ("cut", "marks", "dim", "glare", "blurred")))
    assert [title for title, _ in told(camera)][-1] == "und 2 weitere"
    assert told(camera)[0][0].startswith(("Spiegelung", "Unscharf"))


def test_without_a_picture(camera: Any) -> None:
    """Its cause is told in the language of the screen; the error itself is the log's."""
    look(camera, Finding("camera", True, "busy"), picture=b"")
    assert told(camera)[0][1].startswith("Ein anderes Programm benutzt die Kamera")
    look(camera, Finding("camera", True, "something new"), picture=b"")
    assert told(camera)[0][1].startswith("Die Kamera geht nicht")
    assert camera.app.screen("camera").live is None


def test_no_deck_leads_to_learning_it(camera: Any) -> None:
    look(camera, deck="", decks=(), fits=False)
    assert told(camera)[0][0] == "Kein Blatt gelernt"
    assert camera.app.screen("camera").urgent
    camera.touch("Blatt lernen")
    camera.touch("Ohne R\u00fcckseite")
    camera.touch("bayerisch")
    assert camera.sent == [{"event": "lesson", "do": "begin", "faces": "schafkopf", "back": True}]


@pytest.mark.parametrize(("language", "said"), [("de", "im Spiel gelernt"), ("en", "learned in play")])
def test_a_deck_learned_in_play_demands_nothing(camera: Any, language: str, said: str) -> None:
    camera.app.speak(language)
    look(camera, deck="", decks=(), fits=False, in_play=True, cards=("HT",))
    screen = camera.app.screen("camera")
    assert said in told(camera)[0][0] and said in screen.deck and not screen.urgent
    assert len(told(camera)) == 2  # and the card that is seen


def test_another_deck_by_a_touch(camera: Any) -> None:
    look(camera, deck="b", decks=("b", "a", "c"))
    camera.touch("Blatt · Tippen: a")
    look(camera, deck="c", decks=("b", "a", "c"))
    camera.touch("Blatt · Tippen: b")
    look(camera, deck="x", decks=("b", "a"), fits=False)
    camera.touch("Blatt · Tippen: b")
    assert [one["name"] for one in camera.sent] == ["a", "b", "b"]


def test_back_to_the_seats_or_to_the_table(camera: Any) -> None:
    camera.touch("Zur\u00fcck")
    assert camera.sent == [{"event": "camera", "do": "close"}]
    assert camera.app.current == "seats"


def test_a_lesson_ends_at_the_camera(camera: Any) -> None:
    from vision.messages import LessonState, LessonStep

    camera.app.lesson(LessonStep(at=0.0, state=LessonState(asked="CA", verdict="nothing", learned=(), total=24)))
    camera.stage.step(2)
    assert camera.app.current == "lesson"
    camera.app.lesson(None)
    camera.stage.step(2)
    assert camera.app.current == "camera"


def test_the_seats_say_that_a_deck_is_missing(hand: Any) -> None:
    hand.app.notice("deck", "no deck")
    hand.stage.step(2)
    assert "Blatt lernen" in hand.stage.key("Kamera").text
    hand.app.notice("deck", "")
    hand.stage.step(2)
    assert hand.app.screen("seats").camera_wrong == ""
