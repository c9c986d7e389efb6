"""Which director a table speaks to."""

import pytest

from kiosk.errors import LineError
from kiosk.sync.address import LineAddress, line_address
from kiosk.sync.directors import MOST, Directors
from kiosk.sync.door import Door, keep_door, read_door

A, B, C = "https://192.168.1.10:8377", "https://192.168.1.11:8377", "https://192.168.1.12:8377"


def address(url: str) -> LineAddress:
    return line_address(url, "geheim", "t", 7, 1)


def spoken_to(directors: Directors) -> str:
    return directors.now.events.partition("/line/")[0]


def after(directors: Directors, failures: int) -> list[str]:
    found = []
    for _ in range(failures):
        directors.next()
        found.append(spoken_to(directors))
    return found


@pytest.mark.parametrize(
    ("others", "then"),
    [((), [A, A]), ((B,), [B, A, B]), ((B, C), [B, C, A, B]), ((A, B, A + "/"), [B, A])],
    ids=["alone", "two", "three", "named twice"],
)
def test_one_after_the_other_is_tried(others, then):
    directors = Directors(A, others, address)
    assert spoken_to(directors) == A
    assert after(directors, len(then)) == then


def test_what_is_named_anew_counts_and_is_told_once():
    directors = Directors(A, (B,), address)
    assert directors.learn([A, B]) is None
    assert directors.learn([A, C]) == (C,)
    assert after(directors, 2) == [C, A]


def test_a_director_that_is_not_named_any_more_is_left():
    directors = Directors(A, (B, C), address)
    directors.next()
    assert directors.learn([C]) == (C,)
    assert after(directors, 2) == [A, C]


@pytest.mark.parametrize(
    "bad", ["http://192.168.1.11:8377", "ftp://x", "https://", "https://[", "https://" + "x" * 300, 7, None]
)
def test_an_address_that_does_not_fit_is_left_out(bad):
    directors = Directors(A, (), address)
    assert directors.learn([bad, B]) == (B,)
    assert after(directors, 2) == [B, A]


def test_directors_are_bounded():
    directors = Directors(A, (), address)
    assert len(directors.learn([f"https://192.168.1.{n}" for n in range(100)]) or ()) == MOST - 1


def test_the_first_must_be_an_address():
    with pytest.raises(LineError, match="192"):
        Directors("192.168.1.10", (), address)


def test_others_are_kept_with_the_secret(tmp_path):
    keep_door(tmp_path, Door(url=A, id="1", secret="2", table=7, others=[B]))
    kept = read_door(tmp_path, A)
    assert kept is not None and list(kept.others) == [B]


def test_what_was_found_is_tried_beside_what_is_known():
    directors = Directors(A, (B,), address)
    directors.add([C, "http://192.168.1.13:8377"])
    assert after(directors, 4) == [C, B, A, C], "nobody is led to show the secret in the open"
    directors.add([C])
    assert after(directors, 3) == [B, A, C]
