"""Badges and seat cards on labels: each code is read from the drawn page, in its label, and long names stand whole."""

import re
import shutil
import subprocess
from pathlib import Path

import cv2
import numpy as np
import pytest
import zxingcpp
from hypothesis import given, settings
from hypothesis import strategies as st

from hw.scanned import Badge, classify
from kiosk.paper.label_formats import FORMATS
from kiosk.paper.labels import Label, labels_pdf
from kiosk.paper.sheet import PAGE_MM
from kiosk.tournament.people import LONGEST_NAME

PDFTOPPM = shutil.which("pdftoppm")
needs_picture = pytest.mark.skipif(PDFTOPPM is None, reason="pdftoppm (Debian: poppler-utils) is not installed")
DPI = 200
NAMES = [
    "Anna Ott", "Łukasz Żółć", "İbrahim Çağlayan-Şimşek", "Nguyễn Thị Ánh", "Maximiliane-Wilhelmine v. Hohenstein-Wal",
    "W" * LONGEST_NAME,
]  # fmt: skip


def many(count: int, **more) -> list[Label]:
    names = [NAMES[i % len(NAMES)] for i in range(count)]
    return [Label(name=name, head="Herbst 2026", number=99_999 - i, **more) for i, name in enumerate(names)]


def pictures(content: bytes, folder: Path, dpi: int = DPI) -> list[np.ndarray]:
    """The pages as drawn, grey."""
    path = folder / "labels.pdf"
    path.write_bytes(content)
    command = [str(PDFTOPPM), "-r", str(dpi), "-gray", str(path), str(folder / "page")]
    subprocess.run(command, check=True)
    found = [cv2.imread(str(one), cv2.IMREAD_GRAYSCALE) for one in sorted(folder.glob("page*.pgm"))]
    return [one for one in found if one is not None]


def read(picture: np.ndarray) -> dict[str, tuple[float, float]]:
    """What scanners read on a page, and the middle of each code in mm."""
    scale = 25.4 / DPI
    return {
        one.text: (
            (one.position.top_left.x + one.position.bottom_right.x) / 2 * scale,
            (one.position.top_left.y + one.position.bottom_right.y) / 2 * scale,
        )
        for one in zxingcpp.read_barcodes(picture)
    }


@pytest.mark.slow
@needs_picture
@pytest.mark.parametrize("code", ["qr", "bars"])
@pytest.mark.parametrize("name", FORMATS)
def test_each_code_is_read_from_the_drawn_page_in_its_label(name, code, tmp_path):
    form = FORMATS[name]
    start = max(1, form.each - 4)  # the last labels of a sheet that was begun, and the first of the next one
    place = "Tisch 3 · Platz 2" if form.folded else ""
    labels = many(form.each - start + 3, club="Schaffkopfverein München 1900 e. V.", place=place)
    pages = pictures(labels_pdf(form, labels, start=start, code=code), tmp_path)
    assert len(pages) == 2
    found = [read(page) for page in pages]
    for count, label in enumerate(labels, start=start - 1):
        text = label.scanned if code == "qr" else f"P:{label.number}"
        x, y = found[count // form.each][text]
        left, top = form.place(count % form.each)
        assert left < x < left + form.wide and top < y < top + form.high
        badge = classify(text, 0.0)  # as the tables' scanners take it
        assert isinstance(badge, Badge) and badge.number == label.number
        assert badge.name == (label.name if code == "qr" else "")
    assert sum(map(len, found)) == len(labels)


@pytest.mark.slow
@needs_picture
def test_another_reader_reads_them_too(tmp_path):
    (page,) = pictures(labels_pdf(FORMATS["L4785"], many(4)), tmp_path)
    ok, texts, _, _ = cv2.QRCodeDetector().detectAndDecodeMulti(page)
    assert ok and {one.scanned for one in many(4)} == set(texts)


@pytest.mark.parametrize("name", FORMATS)
def test_labels_lie_on_the_sheet_and_beside_each_other(name):
    form = FORMATS[name]
    places = [form.place(label) for label in range(form.each)]
    assert all(x >= 0 and x + form.wide <= PAGE_MM[0] + 0.2 and y >= 0 for x, y in places)
    assert all(y + form.high <= PAGE_MM[1] + 0.01 for _, y in places)
    assert form.step_x >= form.wide and form.step_y >= form.high


@pytest.mark.slow
@needs_picture
@pytest.mark.parametrize("name", [name for name, form in FORMATS.items() if not form.plain])
def test_nothing_is_printed_beyond_a_label_or_at_the_papers_edge(name, tmp_path):
    form, dot = FORMATS[name], 100 / 25.4
    labels = [Label(name=one, head="Herbst 2026", number=1, club="W" * 60, place="Tisch 12 · Platz 4") for one in NAMES]
    for code in ("qr", "bars"):
        (page,) = pictures(labels_pdf(form, labels, code=code), tmp_path, 100)
        dark, edge = page < 128, round(4 * dot)
        assert dark.any() and not (dark[:edge].any() or dark[:, :edge].any() or dark[:, -edge:].any())
        for label in range(form.each):
            x, y = (round(mm * dot) for mm in form.place(label))
            dark[y : y + round(form.high * dot), x : x + round(form.wide * dot)] = False
        assert not dark.any()


@pytest.mark.slow
@needs_picture
@pytest.mark.parametrize("name", FORMATS)
def test_long_names_stand_whole(name, tmp_path):
    names = [*NAMES, "Donaudampfschifffahrtsgesellschaftskapit", "Anna " * 7 + "Otter"]
    for code in ("qr", "bars"):
        path = tmp_path / f"{code}.pdf"
        path.write_bytes(
            labels_pdf(FORMATS[name], [Label(name=one, head="", number=1, club="SV") for one in names], code=code)
        )
        said = subprocess.run(["pdftotext", "-raw", str(path), "-"], check=True, capture_output=True).stdout.decode()
        together = re.sub(r"\s", "", said)
        assert [one for one in names if re.sub(r"\s", "", one) not in together] == []


def test_the_same_labels_are_the_same_bytes_and_many_sheets_follow():
    form = FORMATS["3474"]
    content = labels_pdf(form, many(5), start=24)
    assert content == labels_pdf(form, many(5), start=24)
    assert len(re.findall(rb"/Type /Page\b(?!s)", content)) == 2


@pytest.mark.slow
@settings(deadline=None, max_examples=60)
@given(
    name=st.text(st.characters(codec="utf-8", exclude_categories=("Cs", "Cc")), min_size=1, max_size=LONGEST_NAME),
    club=st.text(max_size=60), form=st.sampled_from(sorted(FORMATS)), number=st.none() | st.integers(1, 99_999),
    code=st.sampled_from(["qr", "bars", "none"]),
)  # fmt: skip
def test_any_name_can_be_printed(name, club, form, number, code):
    label = Label(name=name, head="t", number=number, club=club, place="Tisch 1 · Platz 1")
    assert labels_pdf(FORMATS[form], [label], code=code).startswith(b"%PDF")
