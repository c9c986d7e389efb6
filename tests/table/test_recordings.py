"""Films and pictures that are kept: files that open, few, small and not for long."""

import os
from pathlib import Path

import cv2
import numpy as np
import pytest

from kiosk.table.avi import NoFilm, read_avi, write_avi
from kiosk.table.recordings import RESERVED_BYTES, PictureKey, RecordingError, Recordings, film


def jpeg(tone: int, size: tuple[int, int] = (48, 64)) -> bytes:
    return cv2.imencode(".jpg", np.full((*size, 3), tone, np.uint8))[1].tobytes()


#: A hand, a second in which nothing moves, a hand.
FILM = [(10.0, jpeg(50)), (10.2, jpeg(90)), (11.2, jpeg(130)), (11.4, jpeg(200))]

JPEG = jpeg(120)


def test_a_film_plays_elsewhere_as_long_as_it_took(tmp_path: Path) -> None:
    path = tmp_path / "film.avi"
    path.write_bytes(write_avi(FILM))
    video = cv2.VideoCapture(str(path))
    tones = []
    while True:
        ok, frame = video.read()
        if not ok:
            break
        tones.append(int(frame.mean()))
    assert video.get(cv2.CAP_PROP_FPS) == 15
    video.release()
    assert len(tones) == 22  # 1.4 s
    assert tones[0] == pytest.approx(50, abs=2)
    assert tones[10] == pytest.approx(90, abs=2), "a picture stands until the next"
    assert tones[-1] == pytest.approx(200, abs=2)


def test_what_was_written_is_read_again() -> None:
    found = read_avi(write_avi(FILM))
    assert [picture for _, picture in found] == [picture for _, picture in FILM]
    assert [at for at, _ in found] == pytest.approx([0.0, 0.2, 1.2, 1.4], abs=0.05)


def test_a_film_cut_off_shows_what_is_there() -> None:
    whole = write_avi(FILM)
    assert read_avi(whole[: len(whole) // 2])[0][1] == FILM[0][1]


@pytest.mark.parametrize("data", [b"", b"RIFF\0\0\0\0WAVE", write_avi(FILM)[:60]], ids=["empty", "sound", "header"])
def test_what_is_no_film_is_told(data: bytes) -> None:
    with pytest.raises(NoFilm):
        read_avi(data)


@pytest.mark.parametrize("pictures", [[], [(0.0, b"no jpeg")]], ids=["none", "no jpeg"])
def test_a_film_of_nothing_is_not_kept(tmp_path: Path, pictures: list[tuple[float, bytes]]) -> None:
    with pytest.raises(RecordingError, match="table-1-round-2-event-3"):
        Recordings(tmp_path).keep("t", 1, 2, 3, pictures)
    assert not list(tmp_path.rglob("*.avi"))


def test_films_are_found_by_round_and_event(tmp_path: Path) -> None:
    recordings = Recordings(tmp_path)
    path = recordings.keep("Herbst/Turnier 2026", 3, 1, 17, FILM)
    recordings.keep("Herbst/Turnier 2026", 3, 2, 18, FILM)
    assert path == tmp_path / "Herbst_Turnier_2026" / "table-3-round-1-event-17.avi"
    assert Recordings(tmp_path).of_round("Herbst/Turnier 2026", 3, 1) == {17: path}
    assert len(film(path)) == 4


def test_the_oldest_go_where_there_are_too_many(tmp_path: Path) -> None:
    recordings = Recordings(tmp_path, most=2)
    for number in range(4):
        os.utime(recordings.keep("t", 1, 1, number, FILM), (number, 1e9 + number))
        recordings._wall = lambda: 1e9
    assert list(recordings.of_round("t", 1, 1)) == [2, 3]


def test_the_folder_stays_small_but_keeps_the_newest(tmp_path: Path) -> None:
    recordings = Recordings(tmp_path, megabytes=0.0)
    for number in range(3):
        recordings.keep("t", 1, 1, number, FILM)
    assert list(recordings.of_round("t", 1, 1)) == [2]


def test_films_go_after_some_days_and_with_their_tournament(tmp_path: Path) -> None:
    now = 1e9
    recordings = Recordings(tmp_path, days=2, wall=lambda: now)
    old, new = (recordings.keep("t", 1, 1, number, FILM) for number in (1, 2))
    os.utime(old, (0, now - 3 * 86_400))
    os.utime(new, (0, now - 1 * 86_400))
    recordings.begin("t")
    assert list(recordings.of_round("t", 1, 1)) == [2]
    recordings.begin("another")
    assert recordings.of_round("t", 1, 1) == {}
    with pytest.raises(RecordingError, match="cannot be read"):
        film(new)


def test_a_disk_that_takes_nothing_is_told(tmp_path: Path) -> None:
    (tmp_path / "t").write_text("a file where a folder should be")
    with pytest.raises(RecordingError, match="not kept"):
        Recordings(tmp_path).keep("t", 1, 1, 1, FILM)


def test_pictures_are_found_by_event_and_its_time(tmp_path: Path) -> None:
    """Two lists of one round bear the same numbers: one was set aside, or its file was rescued from damage."""
    recordings = Recordings(tmp_path)
    for key, jpeg in ((PictureKey(17, 1000), JPEG), (PictureKey(17, 1000, mat=True), JPEG + b"m" + JPEG)):
        recordings.keep_picture("Herbst/Turnier 2026", 3, 1, key, jpeg)
        assert Recordings(tmp_path).picture("Herbst/Turnier 2026", 3, 1, key) == jpeg
    assert recordings.picture("Herbst/Turnier 2026", 3, 1, PictureKey(17, 2000)) is None
    assert recordings.picture("Herbst/Turnier 2026", 3, 2, PictureKey(17, 1000)) is None
    assert recordings.of_round("Herbst/Turnier 2026", 3, 1) == {}


@pytest.mark.parametrize("left", [b"", JPEG[:-3], b"\0" * 40], ids=["empty", "cut off", "zeros"])
def test_a_picture_that_the_power_cut_off_is_none(tmp_path: Path, left: bytes) -> None:
    recordings, key = Recordings(tmp_path), PictureKey(17, 1000)
    recordings.keep_picture("t", 1, 1, key, JPEG)
    next(tmp_path.rglob("*-card.jpg")).write_bytes(left)
    assert recordings.picture("t", 1, 1, key) is None
    recordings.keep_picture("t", 1, 1, key, JPEG)
    assert recordings.picture("t", 1, 1, key) == JPEG


def test_pictures_share_the_room_of_films_and_go_with_them(tmp_path: Path) -> None:
    recordings = Recordings(tmp_path, most=1, megabytes=3 * len(JPEG) / 1e6, wall=lambda: 1e9)
    for number in range(5):
        recordings.keep_picture("t", 1, 1, PictureKey(number, 1), JPEG)
        os.utime(tmp_path / "t" / f"table-1-round-1-event-{number}-at-1-card.jpg", (number, 1e9 + number))
    (tmp_path / "t" / "half.part").write_bytes(b"")
    os.utime(tmp_path / "t" / "half.part", (0, 0))
    recordings.tidy()
    found = [number for number in range(5) if recordings.picture("t", 1, 1, PictureKey(number, 1))]
    assert found == [2, 3, 4]
    assert not list(tmp_path.rglob("*.part"))
    recordings.begin("another")
    assert not list(tmp_path.rglob("*.jpg"))


def test_many_pictures_cost_no_film(tmp_path: Path) -> None:
    recordings = Recordings(tmp_path, most=2)
    recordings.keep("t", 1, 1, 1, FILM)
    for number in range(5):
        recordings.keep_picture("t", 1, 1, PictureKey(number, 1), JPEG)
    recordings.keep("t", 1, 1, 2, FILM)
    assert list(recordings.of_round("t", 1, 1)) == [1, 2]


def test_the_last_of_the_disk_is_left_to_the_list(tmp_path: Path) -> None:
    free = RESERVED_BYTES + len(JPEG)
    recordings, key = Recordings(tmp_path, free=lambda _: free), PictureKey(1, 1)
    recordings.keep_picture("t", 1, 1, key, JPEG)
    free -= 1
    with pytest.raises(RecordingError, match="nearly full"):
        recordings.keep_picture("t", 1, 1, PictureKey(2, 1), JPEG)
    with pytest.raises(RecordingError, match="nearly full"):
        recordings.keep("t", 1, 1, 1, FILM)
    assert recordings.picture("t", 1, 1, key) == JPEG
