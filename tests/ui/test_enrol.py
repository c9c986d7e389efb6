"""What people see at a table that the direction has not admitted: its code, as letters and as QR code."""

import os
from typing import Any

import pytest

from kiosk.ui.enrol.enrol_view import EnrolView
from tests.ui import views

pytestmark = pytest.mark.render

CODE, ADDRESS = "K7QF2MTX", "http://192.0.2.7:8377"


@pytest.fixture
def table(hand: Any) -> Any:
    """The app of a table that nobody sits at; as it was before, afterwards."""
    yield hand
    hand.app.enrolling = None
    hand.app.sheets.close()
    hand.app.show(None)
    hand.stage.step(3)


def ask(hand: Any, *more: str, address: str = ADDRESS) -> Any:
    hand.app.enrol(EnrolView(CODE, address, *more))
    hand.stage.step(3)
    return hand.app.sheets.current


def test_the_code_is_on_the_screen_until_it_is_closed_and_comes_again_by_the_start_key(table):
    sheet = ask(table)
    assert sheet.code == "K7QF 2MTX" and ADDRESS in sheet.where and not sheet.wrong
    sheet.close()
    table.stage.step(3)
    assert table.app.sheets.current is None
    table.sent.clear()
    table.app.screen("seats").start()
    assert table.app.sheets.current.code == "K7QF 2MTX" and table.sent == []  # nobody sits down before


def test_a_telephone_reads_the_picture_from_the_screen(table, tmp_path):
    import cv2

    ask(table)
    path = tmp_path / "screen.png"
    table.stage.picture(path)
    assert cv2.QRCodeDetector().detectAndDecode(cv2.imread(os.fspath(path)))[0] == f"{ADDRESS}/#/access/{CODE}"


@pytest.mark.parametrize(
    ("trouble", "told"),
    [
        pytest.param(("away",), "antwortet nicht", id="away"),
        pytest.param(("refused", "zu viele [b]warten"), "zu viele &bl;b&br;warten", id="refused"),
        pytest.param(("false",), "kennt den Code nicht", id="somebody else answers"),
    ],
)
def test_what_is_wrong_is_said_until_the_direction_answers(table, trouble, told):
    table.app.speak("de")
    sheet = ask(table, *trouble)
    assert sheet.wrong and told in sheet.told and sheet.picture is None
    ask(table)
    assert table.app.sheets.current is sheet and not sheet.wrong and sheet.picture is not None


@pytest.mark.parametrize("language", ["de", "en"])
def test_another_certificate_is_told_before_anybody_types_the_code(table, language):
    """The code is there all the same: the direction may have been set up anew."""
    from kiosk.ui.parts.whole import cut

    table.app.speak(language)
    table.app.enrol(EnrolView(CODE, "https://192.0.2.7:8377", changed=True))
    table.stage.step(3)
    sheet = table.app.sheets.current
    assert sheet.title == {"de": "Hier weist sich eine andere Turnierleitung aus"}.get(language, sheet.title)
    assert {"de": "Nur wenn", "en": "Only if"}[language] in sheet.told
    assert sheet.code == "K7QF 2MTX" and sheet.picture is not None and not sheet.wrong
    told = [
        one for one in sheet.walk() if getattr(one, "text", "") in (sheet.told, sheet.title, sheet.code, sheet.where)
    ]
    assert len(told) == 4 and [(one.text, cut(one)) for one in told if cut(one)] == []


def test_once_the_direction_knows_the_device_the_code_goes(table):
    assert ask(table) is not None
    table.app.enrol(None)
    table.stage.step(3)
    assert table.app.sheets.current is None and table.app.enrolling is None


@pytest.mark.parametrize("address", ["http://127.0.0.1:8377", "http://[::1]:8377", "http://localhost:8377"])
def test_no_picture_leads_where_no_telephone_comes(table, address):
    assert ask(table, address=address).picture is None


def test_it_closes_nothing_that_players_have_open(table):
    table.show(views.playing())
    table.app.sheets.open("more")
    before = table.app.sheets.current
    assert ask(table) is before


@pytest.mark.parametrize("view", [None, "playing"])
def test_the_code_stands_in_one_line(table, view):
    from kiosk.ui.parts.whole import cut

    if view:
        table.show(getattr(views, view)())
    sheet = ask(table)
    (code,) = (one for one in sheet.walk() if getattr(one, "text", "") == sheet.code)
    assert cut(code) == ""
    assert code.texture_size[0] <= code.width and code._label.content_height < 1.5 * code.font_size
    assert sheet.title == (
        "Die Turnierleitung kennt dieses Gerät nicht mehr" if view else "Dieses Gerät ist noch kein Tisch"
    )
