"""The sheet of key caps: true size, every key that the pad knows, one page for three seats."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from hw.keyboard_reader import PAD_SIGNS
from kiosk.cli import main
from kiosk.paper.key_caps import CAP_MM, CAPS, key_caps

needs_poppler = pytest.mark.skipif(shutil.which("pdftotext") is None, reason="apt install poppler-utils")


def test_each_sign_of_a_pad_has_a_cap_or_types_nothing():
    codes = {"+": "plus", "-": "minus"}
    wanted = {codes.get(sign, sign) for sign in PAD_SIGNS.values()} - {"0"}
    assert {cap.code for cap in CAPS} == wanted


def test_no_two_caps_lie_on_each_other():
    cells = [(cap.column, cap.row + below) for cap in CAPS for below in range(1 + (cap.high > CAP_MM))]
    assert len(set(cells)) == len(cells)


def test_same_bytes_each_time():
    assert key_caps(4) == key_caps(4)


@needs_poppler
@pytest.mark.parametrize(
    ("seats", "language", "words"),
    [(4, "de", ["Platz 4", "gilt! halten", "Diese Linie ist 100 mm lang"]), (5, "en", ["Seat 5", "yes! hold"])],
)
def test_words_and_pages(tmp_path, capsys, seats, language, words):
    path = tmp_path / "caps.pdf"
    assert main(["keycaps", "--pdf", str(path), "--seats", str(seats), "--language", language]) == 0
    assert str(path) in capsys.readouterr().out
    told = subprocess.run(["pdftotext", "-layout", path, "-"], capture_output=True, text=True, check=True).stdout
    flat = " ".join(told.split())
    missing = [word for word in words if word not in flat and not all(part in flat for part in word.split())]
    assert missing == []
    assert told.count("\f") == 2
    assert len(re.findall(r"Platz \d|Seat \d", told)) == seats


def test_folder_that_is_not_there(tmp_path, capsys):
    assert main(["keycaps", "--pdf", str(Path(tmp_path) / "none" / "caps.pdf")]) == 2
    assert "caps.pdf" in capsys.readouterr().err
