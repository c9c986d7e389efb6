"""What the direction puts up for everybody in the hall."""

import pytest

from kiosk.errors import BadNote
from kiosk.tournament.notes import Noted, in_force
from kiosk.tournament.notice_board import LONGEST, MOST
from kiosk.tournament.tournament import begin, folded


def board(*bodies):
    notes = [Noted(number=number, at=1000 + number, body=body) for number, body in enumerate(bodies)]
    return folded(begin("t"), in_force(notes)).board


def announcement(text):
    return {"note": "announcement", "text": text}


def test_announcements_hang_until_they_are_taken_down():
    hung = [announcement("Pause bis 20 Uhr"), announcement("  Zwei\n Zeilen ")]
    assert [one.text for one in board(*hung).announcements] == ["Pause bis 20 Uhr", "Zwei Zeilen"]
    assert [one.number for one in board(*hung, {"note": "undo", "number": 0}).announcements] == [1]


@pytest.mark.parametrize(
    "text", ["", "   ", None, 7, "x" * (LONGEST + 1), "a\x00b", "\u202eabc"], ids=lambda text: repr(text)[:12]
)
def test_a_text_that_cannot_be_is_refused(text):
    with pytest.raises(BadNote) as caught:
        begin("t").after(announcement(text), 0, 1)
    assert caught.value.code == "odd_announcement"


def test_no_more_hang_than_are_read():
    tournament = begin("t")
    for number in range(MOST):
        tournament = tournament.after(announcement(f"Ansage {number}"), 0, number)
    with pytest.raises(BadNote) as caught:
        tournament.after(announcement("noch eine"), 0, MOST)
    assert caught.value.code == "many_announcements"


def test_the_sign_is_the_last_one_put_up():
    signs = [{"note": "sign", "picture": number} for number in (1, 2)]
    assert board(*signs).sign == 2
    assert board(*signs, {"note": "undo", "number": 1}).sign == 1
    assert board(*signs, {"note": "sign", "picture": 0}).sign == 0


@pytest.mark.parametrize("picture", [-1, "1", None, True, 1.0])
def test_a_sign_that_is_no_picture_is_refused(picture):
    with pytest.raises(BadNote):
        begin("t").after({"note": "sign", "picture": picture}, 0, 1)
