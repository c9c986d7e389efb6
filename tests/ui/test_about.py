"""What the table is made of, read on its screen: every notice, every word."""

from typing import Any

import pytest

from kiosk.release.notices import notices

pytestmark = pytest.mark.render


@pytest.fixture
def gathered() -> Any:
    from kiosk.ui.hardware.hardware_view import NoticeView

    return tuple(NoticeView(one.name, one.version, one.licence, one.text) for one in notices())


@pytest.mark.slow
def test_the_key_asks_and_each_package_opens_its_notice_from_the_beginning(
    spoken: Any, measure: Any, gathered: Any
) -> None:
    app = spoken.app
    app.open_hardware()
    spoken.stage.wait(1)
    spoken.touch(app.words["about"])
    sheet = app.sheets.current
    assert spoken.sent[-1] == {"event": "notices"}
    app.packages(gathered)
    spoken.stage.wait(1)
    measure.check(sheet, measure.SETTING_UP_MM)
    ours = sheet.ids.packages.children[-1]
    spoken.stage.touch(ours)
    spoken.stage.wait(1)
    assert sheet.one and sheet.title == "Stichwart"
    measure.check(sheet, measure.SETTING_UP_MM)
    assert "MIT License" in {line.text for line in sheet.ids.text.children[0].children}
    spoken.stage.touch(sheet.ids.back_key)
    assert not sheet.one and sheet.title == app.words["about"]


@pytest.mark.slow
def test_no_line_is_lost_and_none_is_too_long() -> None:
    from kiosk.ui.hardware.about import COLUMNS, folded

    for one in notices():
        lines = folded(one.text)
        assert max(map(len, lines)) <= COLUMNS
        assert "".join("".join(lines).split()) == "".join(one.text.split())
