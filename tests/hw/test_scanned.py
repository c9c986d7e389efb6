"""What a scanner's bytes say."""

from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hw.scanned import LINE_TIMEOUT_S, LONGEST_LINE_BYTES, Badge, CardCode, Lines, RefereeBadge, Unreadable, classify

ANNA = Badge(at=1, number=1234, name="Anna Muster")


@pytest.mark.parametrize(
    ("text", "scanned"),
    [
        ("P:1234 Anna Muster", ANNA),
        ("p:1234  Anna   Muster", ANNA),
        ("P: 7", Badge(at=1, number=7, name="")),
        ("P:0012 Jörg Groß", Badge(at=1, number=12, name="Jörg Groß")),
        ("R:2468", RefereeBadge(at=1, code="2468")),
        ("r: 123456789012", RefereeBadge(at=1, code="123456789012")),
        ("HT", CardCode(at=1, card="HT")),
        ("eo", CardCode(at=1, card="EO")),
    ],
)
def test_known_lines(text, scanned):
    assert classify(text, 1) == scanned


@pytest.mark.parametrize(
    "text", ["P:", "P:Anna", "P:1234Anna", "P:1234567890 Zuviel", "HX", "HTT", "R:123", "R:24a8", "R:", "4006381333931"]
)
def test_other_lines_are_named(text):
    scanned = classify(text, 1)
    assert isinstance(scanned, Unreadable)
    assert scanned.text == text


@pytest.mark.parametrize(
    ("chunks", "expected"),
    [
        ([b"P:1234 Anna Muster\r\n"], [ANNA]),
        ([b"P:1234 Anna Muster\r"], [ANNA]),
        ([b"P:1234 Anna Muster\n"], [ANNA]),
        ([b"\r\n\r\n", b"HT\n\n"], [CardCode(at=1, card="HT")]),
        ([b"P:12", b"34 Anna", b" Muster\r", b"\nHT\r\n"], [ANNA, CardCode(at=1, card="HT")]),
        ([b"\x00\xff\xfe\x01HT\x02\r"], None),
        ([b"\x00\x02HT\x03\r"], [CardCode(at=1, card="HT")]),
        ([b"\x00\x01\x02\r"], []),
        (["P:7 Jürgen\n".encode()], [Badge(at=1, number=7, name="Jürgen")]),
        (["P:7 Jürgen\n".encode("latin-1")], [Badge(at=1, number=7, name="Jürgen")]),
    ],
    ids=["CRLF", "CR", "LF", "empty lines", "pieces", "noise", "framing", "only noise", "UTF-8", "Latin 1"],
)
def test_lines(chunks, expected):
    lines = Lines()
    found = [scanned for chunk in chunks for scanned in lines.feed(chunk, 1)]
    if expected is None:
        assert [type(scanned) for scanned in found] == [Unreadable]
        assert "HT" in found[0].text
    else:
        assert found == expected


def test_half_line_is_given_up_and_does_not_spoil_the_next():
    lines = Lines()
    assert lines.feed(b"P:12", 1) == []
    found = lines.feed(b"P:1234 Anna Muster\r", 1.1 + LINE_TIMEOUT_S)
    assert found[0] == Unreadable(at=1, text="P:12", why="the line broke off")
    assert found[1] == Badge(at=1.1 + LINE_TIMEOUT_S, number=1234, name="Anna Muster")


def test_overlong_line_is_told_once_and_the_next_one_read():
    lines = Lines()
    found = [scanned for _ in range(50) for scanned in lines.feed(b"A" * 17, 1)]
    found += lines.feed(b"AAA\rHT\r", 1)
    assert [type(scanned) for scanned in found] == [Unreadable, CardCode]
    assert str(LONGEST_LINE_BYTES) in found[0].why
    assert len(found[0].text) < 50
    found = Lines().feed(b"A" * (LONGEST_LINE_BYTES + 1) + b"\rHT\r", 1)
    assert [type(scanned) for scanned in found] == [Unreadable, CardCode]


@given(st.lists(st.binary(max_size=60), max_size=20))
@settings(deadline=None, max_examples=200)
def test_any_noise_is_survived_and_a_badge_after_it_read(chunks):
    lines = Lines()
    for chunk in chunks:
        for scanned in lines.feed(chunk, 1):
            if isinstance(scanned, Unreadable):
                assert scanned.text.isprintable()
    assert lines.feed(b"\rP:1234 Anna Muster\r", 1)[-1] == ANNA


@given(st.binary(max_size=300), st.lists(st.integers(0, 300), max_size=8))
@settings(deadline=None, max_examples=200)
def test_pieces_make_no_difference(data, cuts):
    edges = [0, *sorted(cut for cut in cuts if cut < len(data)), len(data)]
    whole, pieces = Lines(), Lines()
    if any(len(line) > LONGEST_LINE_BYTES for line in data.replace(b"\r", b"\n").split(b"\n")):
        return
    assert [scanned for start, end in pairwise(edges) for scanned in pieces.feed(data[start:end], 1)] == whole.feed(
        data, 1
    )
