"""The lesson of a deck on the screen."""

from typing import Any

import pytest

pytestmark = pytest.mark.slow


def test_the_lesson(sized: Any, measure: Any) -> None:
    import cv2
    import numpy

    from vision.messages import LessonState, LessonStep

    picture = cv2.imencode(".jpg", numpy.zeros((90, 160, 3), numpy.uint8))[1].tobytes()
    quad = ((10.0, 10.0), (50.0, 10.0), (50.0, 70.0), (10.0, 70.0))
    state = LessonState(
        asked="HQ", verdict="same", learned=("CA",), total=24, rival="DQ", picture=picture, outline=quad
    )
    sized.app.lesson(LessonStep(at=0.0, state=state, picture=picture))
    sized.stage.step(3)
    screen = sized.app.screen("lesson")
    assert sized.app.current == "lesson" and screen.ids.card.card == "HQ" and len(screen.outline) == 8
    measure.check(sized.app.root, measure.SETTING_UP_MM)
    sized.touch("Letzte noch einmal")
    assert sized.sent == [{"event": "lesson", "do": "back"}]
    sized.app.lesson(None)
    sized.stage.step(2)
    assert sized.app.current == "camera"
    measure.check(sized.app.root, measure.SETTING_UP_MM)


def test_every_verdict_of_the_lesson_has_words() -> None:
    from kiosk.language import has, words

    assert [verdict for verdict in words("verdicts") if not has("setup", f"lesson_{verdict}")] == []


def test_the_finished_lesson_names_faces_that_are_alike(sized: Any, measure: Any) -> None:
    from vision.messages import ConfusablePair, LessonState, LessonStep

    done = LessonState(asked=None, verdict="done", learned=("HJ", "DJ"), total=2)
    sized.app.lesson(LessonStep(at=0.0, state=done, pairs=(ConfusablePair(0.21, 0.1, "HJ", "DJ"),)))
    sized.stage.step(3)
    screen = sized.app.screen("lesson")
    assert "Abstand 0,21" in screen.advice
    measure.check(sized.app.root, measure.SETTING_UP_MM)
    sized.touch("noch einmal zeigen")
    assert sized.sent.pop() == {"event": "lesson", "do": "again", "labels": ["HJ", "DJ"]}
    sized.app.lesson(LessonStep(at=0.0, state=done))
    sized.stage.step(2)
    assert screen.again == "" and "gut zu unterscheiden" in screen.advice
    sized.touch("Fertig")
    assert sized.sent == [{"event": "lesson", "do": "stop"}]


def test_that_a_card_is_learned_stays_long_enough_to_be_read(hand: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    import kiosk.ui.camera.lesson
    from vision.messages import LessonState, LessonStep

    now = 100.0
    monkeypatch.setattr(kiosk.ui.camera.lesson.time, "monotonic", lambda: now)
    screen = hand.app.screen("lesson")
    screen.show(LessonStep(at=0.0, state=LessonState(asked="CA", verdict="reading", learned=(), total=24)))
    screen.show(LessonStep(at=0.0, state=LessonState(asked="CT", verdict="next", learned=("CA",), total=24)))
    assert screen.verdict == "Gelernt!"
    now += 2
    screen.show(LessonStep(at=0.0, state=LessonState(asked="CT", verdict="next", learned=("CA",), total=24)))
    assert screen.verdict.startswith("Die kenne ich")
