"""The mat as the camera sees it, beside the table's screen or in its place: what a demo shows to who watches."""

from collections.abc import Iterator
from typing import Any

import cv2
import numpy
import pytest

from kiosk.ui import Spectator
from vision.messages import CardInPicture, MatPicture, Point

pytestmark = pytest.mark.slow

PICTURE = cv2.imencode(".jpg", numpy.full((360, 640, 3), 90, numpy.uint8))[1].tobytes()
SPLIT, NARROW = (1600, 900), (1024, 600)


def card(number: int, label: str | None, margin: float = 0.9, doubt: bool = False) -> CardInPicture:
    left = 40.0 * number
    quad: tuple[Point, Point, Point, Point] = ((left, 50.0), (left + 30, 50.0), (left + 30, 96.0), (left, 96.0))
    return CardInPicture(
        card=number, quad=quad, label=label, margin=margin, doubt=doubt, face_down=label is None, x=0, y=0, angle=0
    )


def picture(*cards: CardInPicture, at: float = 1.0, **more: Any) -> MatPicture:
    return MatPicture(at=at, picture=PICTURE, size=(640, 360), cards=cards, fps=14.9, **more)


class Watched:
    """The screen with somebody who watches, and what was asked for."""

    def __init__(self, hand: Any) -> None:
        self.hand, self.widths, self.opened = hand, list[int](), 0
        hand.app.spectator = Spectator(watch=self.widths.append, page="http://127.0.0.1:8377", open_page=self._open)

    def _open(self) -> None:
        self.opened += 1

    def size(self, size: tuple[int, int]) -> "Watched":
        self.hand.stage.size(*size)
        return self

    def see(self, picture: MatPicture) -> None:
        self.hand.app.mat(picture)
        self.hand.stage.step(3)

    def rows(self) -> list[tuple[str, float]]:
        """Name and margin of each reading listed, the newest first."""
        from kiosk.ui.mat.mat_panel import ReadingRow

        rows = [one for one in self.hand.app.root.walk() if isinstance(one, ReadingRow)]
        return [(row.name, round(row.margin, 2)) for row in rows]

    def texts(self) -> str:
        return " | ".join(getattr(one, "text", "") for one in self.hand.app.root.walk())


@pytest.fixture
def watched(hand: Any) -> Iterator[Watched]:
    yield Watched(hand)
    hand.app.spectator = None
    hand.stage.size(800, 480)


def test_on_a_wide_screen_the_mat_stands_beside_the_table(watched: Watched) -> None:
    watched.size(SPLIT)
    assert watched.widths[-1] == 640
    root = watched.hand.app.root
    assert root.ids.table.width == 960 and root.ids.table.height == 900
    watched.see(picture(card(1, "HA", 0.98), card(2, "DQ", 0.41, doubt=True), card(3, None)))
    name = watched.hand.app.faces.name
    assert watched.rows() == [(name("DQ"), 0.41), (name("HA"), 0.98)]
    assert "15 Bilder/s" in watched.texts() and "alles liegt still" in watched.texts()
    watched.hand.touch("Kamera")  # the table's keys are where they are drawn
    assert watched.hand.sent[-1] == {"event": "camera", "do": "open"}


def outlines(watched: Watched) -> list[tuple[list[float], float]]:
    """Points and width of the lines that are drawn over the picture."""
    from kivy.graphics import Line

    from kiosk.ui.mat.mat_panel import MatPictureView

    view = watched.hand.stage.find(MatPictureView)
    return [(one.points, one.width) for one in view.canvas.children if isinstance(one, Line)]


def test_a_reading_is_drawn_in_its_place_with_its_margin(watched: Watched) -> None:
    from kiosk.ui.mat.mat_panel import MatPictureView

    watched.size(SPLIT)
    sure, doubt = card(1, "HA", 0.98), card(2, "DQ", 0.08, doubt=True)
    watched.see(picture(sure, doubt))
    view = watched.hand.stage.find(MatPictureView)
    assert "0.98" in view.reading(sure) and "♥" in view.reading(sure) and "?" not in view.reading(sure)
    assert "?" in view.reading(doubt)
    drawn = outlines(watched)
    assert len(drawn) == 2
    scale = view.width / 640
    assert drawn[0][0][:2] == pytest.approx([view.x + 40 * scale, view.top - 50 * scale])
    fresh = drawn[0][1]
    watched.see(picture(sure, doubt, at=9.0))
    assert outlines(watched)[0][1] < fresh  # read a while ago


@pytest.mark.parametrize(("what", "words"), [("moving", "bewegt sich"), ("changed", "anders als zuvor")])
def test_what_changes_is_said_and_outlined(watched: Watched, what: str, words: str) -> None:
    watched.size(SPLIT)
    watched.see(picture())
    assert outlines(watched) == []
    watched.see(picture(**{what: (((10.0, 10.0), (90.0, 10.0), (90.0, 80.0)),)}))
    assert words in watched.texts() and len(outlines(watched)) == 1


def test_a_reading_that_changes_stays_in_its_place(watched: Watched) -> None:
    watched.size(SPLIT)
    watched.see(picture(card(1, "HA", 0.2)))
    watched.see(picture(card(1, "HK", 0.7), card(2, "DQ")))
    name = watched.hand.app.faces.name
    assert watched.rows() == [(name("DQ"), 0.9), (name("HK"), 0.7)]


def test_on_a_narrow_screen_a_key_changes_between_table_and_mat(watched: Watched) -> None:
    watched.size(NARROW)
    assert watched.widths == [] and "Kamera" in watched.texts()
    watched.hand.touch("Matte zeigen")
    assert watched.widths == [960] and "Kamera]" not in watched.texts()
    watched.see(picture(card(1, "HA")))
    assert watched.rows() == [(watched.hand.app.faces.name("HA"), 0.9)]
    watched.hand.touch("Zurück zum Tisch")
    assert watched.widths == [960, 0]  # nobody sees it: nothing is encoded
    watched.hand.touch("Kamera")
    assert watched.hand.sent[-1] == {"event": "camera", "do": "open"}


@pytest.mark.parametrize("size", [SPLIT, NARROW])
def test_the_directors_page_is_one_touch_away(watched: Watched, size: tuple[int, int]) -> None:
    watched.size(size)
    watched.hand.touch("http://127.0.0.1:8377")
    assert watched.opened == 1
    if size == NARROW:
        watched.hand.touch("Matte zeigen")
        watched.hand.touch("http://127.0.0.1:8377")
        assert watched.opened == 2


def test_pictures_that_stop_coming_are_asked_for_again(watched: Watched, monkeypatch: pytest.MonkeyPatch) -> None:
    from kiosk.ui.mat import mat_panel

    watched.size(SPLIT)
    asked = len(watched.widths)
    panel = watched.hand.stage.find(mat_panel.MatPanel)
    panel.tick()
    assert len(watched.widths) == asked
    monkeypatch.setattr(mat_panel, "SILENT_S", -1.0)
    panel.tick()
    assert watched.widths[asked:] == [640]


def test_a_table_without_a_spectator_shows_no_mat(hand: Any) -> None:
    from kiosk.ui.mat.mat_panel import MatBar, MatPanel

    hand.app.mat(picture(card(1, "HA")))
    hand.stage.step(3)
    assert not [one for one in hand.app.root.walk() if isinstance(one, MatPanel | MatBar)]


def test_on_a_small_touchscreen_nothing_stands_below_the_table(watched: Watched, measure: Any, views: Any) -> None:
    """Sizes hold as in play: the lamps are drawn in the rail, the menu brings the mat."""
    app = watched.hand.app
    app.with_strip = True
    try:
        watched.size((800, 480))
        watched.hand.show(views.playing())
        app.lamps({"display": "72:52", "lamps": dict.fromkeys(range(1, 6), "turn"), "referee": True, "buzzer": True})
        watched.hand.stage.step(3)
        assert app.screen("play").height == 480
        assert [lamp.text for lamp in reversed(app.root.rail.ids.lamps.children)] == [*"12345S♪"]
        measure.check_targets(app.root)
        measure.check_type(app.root)
        measure.check_whole(app.root)
        watched.hand.touch("Mehr")
        measure.check_targets(app.sheets.current)
        watched.hand.touch("Matte zeigen")
        assert watched.widths == [800]
        app.mat(picture(card(1, "HA")))
        watched.hand.stage.step(3)
        assert app.root.mat_panel.status.startswith("15 ")
        measure.check_whole(app.root.mat_panel)
        measure.check_targets(app.root)
        watched.hand.touch("Zurück zum Tisch")
        assert watched.widths == [800, 0] and app.current == "play"
    finally:
        app.with_strip = False
