"""Name what strangers and broken files can feed to Stichwart: each takes bytes and may only refuse on purpose."""

import atexit
import contextlib
import json
import shutil
import tempfile
from collections.abc import Callable
from functools import cache
from pathlib import Path

from hw.scanned import Lines
from kiosk.app.config import load_director, load_table
from kiosk.director.pages.photo_routes import made_anew
from kiosk.director.refusals import DirectorError
from kiosk.director.tables.table_events import check_bounds
from kiosk.errors import BadEvent, KioskError
from kiosk.parcel.check import check_parcel
from kiosk.parcel.parcel import BadParcel
from kiosk.rules.books import BOOKS, DEFAULT
from kiosk.table.events.codec import decode, decode_request, encode
from kiosk.table.events.json_text import parsed
from kiosk.table.replay import read
from kiosk.table.scoresheet.spielliste import text
from kiosk.tournament.intake.columns import people_lines, told_columns
from kiosk.tournament.intake.entries import entries_of
from kiosk.tournament.intake.read import read_table
from kiosk.tournament.tournament import begin
from vision.camera.frame import JpegFrame
from vision.camera.jpeg import split_jpegs
from vision.errors import VisionError


def line(data: bytes) -> None:
    """A message of a table by the line: events that a stranger has made."""
    try:
        body = parsed(data)
    except ValueError:
        return
    events = body.get("events") if isinstance(body, dict) else None
    if not isinstance(events, list):
        return
    try:
        check_bounds(events)
    except DirectorError:
        return
    for one in events:
        try:
            event = decode(one)
        except BadEvent:
            continue
        json.dumps(encode(event))


def request(data: bytes) -> None:
    """An order or request as a page or another program sends it."""
    try:
        decode_request(parsed(data))
    except (KioskError, ValueError):
        return


def note(data: bytes) -> None:
    """A note of the direction: people, draws, prizes, as the body of a message."""
    try:
        body = parsed(data)
    except ValueError:
        return
    if isinstance(body, dict):
        try:
            begin("t", rules=DEFAULT).after(body, 1)
        except KioskError:
            return


def events(data: bytes) -> None:
    """An event file: read, folded, and its list printed."""
    try:
        found, _ = read(data)
    except BadEvent:
        return
    text(found)


def table_toml(data: bytes) -> None:
    """A table's configuration."""
    _config(data, load_table)


def director_toml(data: bytes) -> None:
    """The direction's configuration."""
    _config(data, load_director)


def _config(data: bytes, load: Callable[[Path], object]) -> None:
    path = _folder() / "fuzzed.toml"
    path.write_bytes(data)
    try:
        load(path)
    except KioskError:
        return


@cache
def _folder() -> Path:
    folder = tempfile.mkdtemp(prefix="stichwart-fuzz-")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return Path(folder)


def badge(data: bytes) -> None:
    """What a scanner sends: badges, cards, anything printed."""
    lines = Lines()
    half = len(data) // 2
    lines.feed(data[:half], 0.0)
    lines.feed(data[half:], 0.1)
    lines.give_up()


def people(data: bytes) -> None:
    """A list of people as text: CSV, tabs, anything saved by an office program.

    Workbooks (ZIP) are read in a process of their own, which has its own limits.
    """
    if data[:2] == b"PK" or data[:4] == b"\xd0\xcf\x11\xe0":
        return
    try:
        found = read_table(data)
        columns = told_columns(found)
        people_lines(found, columns)
        entries_of(found, columns)
    except KioskError:
        return


def photograph(data: bytes) -> None:
    """A picture that a telephone hands in."""
    try:
        made_anew(data, 64)
    except KioskError:
        return


def camera(data: bytes) -> None:
    """What a camera's pipe gives: pictures one after the other, cut anywhere."""
    buffer = bytearray(data)
    for picture in split_jpegs(buffer):
        try:
            frame = JpegFrame(picture, 0.0, "fuzz")
            if frame.size[0] * frame.size[1] < 4_000_000:
                _ = frame.image
        except VisionError:
            continue


def parcel(data: bytes) -> None:
    """What a direction gives its tables: a deck, words, sounds or settings."""
    for kind, name in (("deck", "a"), ("words", "de"), ("sounds", "a"), ("settings", "a")):
        with contextlib.suppress(BadParcel):
            check_parcel(kind, name, data)


assert BOOKS  # the rule books are read before anything is measured

TARGETS: dict[str, Callable[[bytes], None]] = {
    one.__name__: one
    for one in (line, request, note, events, table_toml, director_toml, badge, people, photograph, camera, parcel)
}
