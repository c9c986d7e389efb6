"""Serve photographs of lists on paper: taken in within bounds, made anew, and shown."""

import asyncio
import io
import struct
import threading

from fastapi import APIRouter, Request, Response
from PIL import Image, ImageOps, UnidentifiedImageError

from kiosk.director.key import ListKey
from kiosk.director.pages import guard
from kiosk.director.pages.listed import written_of
from kiosk.director.refusals import DirectorError, UnknownTable
from kiosk.director.tables.hall import Hall
from kiosk.director.web.body import read_bytes
from kiosk.director.web.paths import Number, Round, Table
from kiosk.errors import BadNote, shorten
from kiosk.table.scoresheet.berichtigung import PHOTO, opened_at

router = APIRouter()

_LARGEST_BYTES = 12 * 1024 * 1024  # a telephone's picture is 3 to 8 MB
_MOST_PIXELS = 52_000_000  # a telephone's 50 megapixels; looked at before anything is decoded: 156 MB of memory
_SIDE = 2400  # pixels of the longer side that are kept: an A4 sheet at 200 dpi
_MOST = 12  # of one list
_one_at_a_time = threading.Lock()  # ten at once would be gigabytes

Image.MAX_IMAGE_PIXELS = None  # the limit above is lower, and is told with the picture's size


@router.post("/api/{tournament}/{round_}/{table}/photos")
async def add(request: Request, tournament: str, round_: Round, table: Table) -> dict[str, int]:
    """Take in a photograph of the list: a JPEG or PNG file as the request's body."""
    guard.need(request, "order" if not guard.allowed(request, "enter") else "enter")
    hall: Hall = request.app.state.hall
    if tournament != hall.tournament:
        raise DirectorError(f"tournament {shorten(tournament)} is over; {hall.tournament!r} is held here")
    key = ListKey(tournament, round_, table)
    desk = hall.desks.get(key)
    written = written_of(hall.office.tournament, key, None if desk is None else desk.copy.round)
    if written is None:
        raise UnknownTable(f"table {table} has no list in round {round_}, and nobody was seated there")
    notes = hall.office.tournament.lists.get((round_, table), ())
    if sum(one.body.get("note") == PHOTO for one in notes) >= _MOST:
        raise BadNote("many_photos", f"the list has {_MOST} photographs already; undo one first", most=_MOST)
    picture = await asyncio.to_thread(made_anew, await read_bytes(request, _LARGEST_BYTES))
    number = await hall.threads.on_disk(hall.store.add_photo, key, picture)
    noted = {"note": PHOTO, "round": round_, "table": table, "of": opened_at(written), "photo": number}
    return {"photo": number, "number": (await hall.note(noted)).number}


@router.get("/api/{tournament}/{round_}/{table}/photos/{number}.jpg")
async def show(request: Request, tournament: str, round_: Round, table: Table, number: Number) -> Response:
    """Send a photograph of the list; signatures are on it: for those who enter lists."""
    guard.need(request, "order" if not guard.allowed(request, "enter") else "enter")
    hall: Hall = request.app.state.hall
    picture = await hall.threads.on_disk(hall.store.photo, ListKey(tournament, round_, table), number)
    if picture is None:
        raise UnknownTable(f"table {table} has no photograph {number} in round {round_}")
    return Response(picture, media_type="image/jpeg", headers={"X-Content-Type-Options": "nosniff"})


def made_anew(content: bytes, side: int = _SIDE) -> bytes:
    """Decode a picture and write it anew as JPEG, upright, without what else the file held.

    :param side: pixels that its longer side may have; what is transparent becomes white.

    :raises BadNote: it is no JPEG or PNG, cannot be decoded, or is larger than any telephone's.
    """
    try:
        with _one_at_a_time, Image.open(io.BytesIO(content), formats=("JPEG", "PNG")) as opened:
            if opened.width * opened.height > _MOST_PIXELS:
                raise BadNote(
                    "photo",
                    f"{opened.width} × {opened.height} pixels, at most {_MOST_PIXELS // 1_000_000} million are read; "
                    "take the photograph smaller",
                )
            opened.draft("RGB", (side, side))
            picture = opened if opened.mode in ("RGB", "RGBA", "L", "LA") else _plain(opened)
            picture.thumbnail((side, side))
            upright = _opaque(ImageOps.exif_transpose(picture))
    except (UnidentifiedImageError, OSError, ValueError, SyntaxError, struct.error) as error:
        if isinstance(error, BadNote):
            raise
        raise BadNote("photo", f"this is no JPEG or PNG picture that can be read ({error})") from None
    out = io.BytesIO()
    upright.save(out, "JPEG", quality=82)
    return out.getvalue()


def _plain(picture: Image.Image) -> Image.Image:
    """Convert a picture of a palette, of 16 bits and the like before it is made smaller: colours between are none."""
    return picture.convert("RGBA" if picture.has_transparency_data else "RGB")


def _opaque(picture: Image.Image) -> Image.Image:
    if not picture.has_transparency_data:
        return picture.convert("RGB")
    clear = picture.convert("RGBA")
    white = Image.new("RGBA", clear.size, "white")
    white.alpha_composite(clear)
    return white.convert("RGB")
