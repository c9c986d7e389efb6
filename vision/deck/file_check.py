"""Check a deck's file that comes from elsewhere, without NumPy: what passes can be loaded and has a deck's size.

Nothing is unpacked that was not weighed before: a ZIP archive says how large its entries are, and no more than that is
read of each.
"""

import ast
import io
import math
import re
import struct
import zipfile
import zlib
from collections.abc import Mapping
from typing import Any

from vision.deck.folder import FACE_ENTRY, FORMAT
from vision.errors import DeckError

#: Bytes of all entries unpacked: 60 faces of 80 × 130 mm take 30 MB.
LARGEST_UNPACKED = 64_000_000

#: Faces that a pack may have.
_MOST_FACES = 64

#: Bytes of an entry's head, and millimetres that a card may measure.
_LARGEST_HEAD, _SMALLEST_MM, _LARGEST_MM = 4096, 20.0, 200.0

#: Pixels a millimetre of a face as stored, and how far a side may be off: it was rounded.
_SCALE, _ROUNDED_PX = 4.0, 1.0

_LABEL = re.compile(r"[A-Za-z0-9]{1,8}")
_BACK = "back"
_VALUES = frozenset({"format", "size_mm", "copies", "labels"})

#: What reading a broken or hostile ZIP archive raises.
BROKEN = (
    *(zipfile.BadZipFile, zipfile.LargeZipFile, zlib.error, struct.error, OSError, EOFError, MemoryError),
    *(KeyError, ValueError, TypeError, IndexError, SyntaxError, RuntimeError),
)


def check_deck_file(content: bytes) -> tuple[str, ...]:
    """Return the labels of a deck whose file this is, in the order in which they were learned.

    :raises DeckError: it is none, damaged, newer, or larger than any deck.
    """
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as stored:
            return _checked(stored)
    except BROKEN as why:
        raise DeckError(f"this is no deck's file, or is damaged ({why})") from why


def _checked(stored: zipfile.ZipFile) -> tuple[str, ...]:
    entries = stored.infolist()
    if len(entries) > _MOST_FACES + len(_VALUES) + 1:
        raise ValueError(f"{len(entries)} entries")
    if sum(entry.file_size for entry in entries) > LARGEST_UNPACKED:
        raise ValueError(f"more than {LARGEST_UNPACKED} bytes unpacked")
    names = [entry.filename for entry in entries]
    if len(set(names)) != len(names):
        raise ValueError("an entry stands there twice")
    values = {name: _array(stored.read(f"{name}.npy")) for name in _VALUES}
    if (format_ := _number(values["format"])) > FORMAT:
        raise ValueError(f"written by a newer version (format {format_})")
    _number(values["copies"])
    labels = _texts(values["labels"])
    if not labels or len(set(labels)) != len(labels) or not all(map(_LABEL.fullmatch, labels)):
        raise ValueError("its labels are none of cards")
    pictures = {name.removesuffix(".npy") for name in names} - _VALUES
    wanted = {f"{FACE_ENTRY}{label}" for label in labels}
    if not wanted <= pictures <= wanted | {_BACK}:
        raise ValueError(f"{', '.join(sorted(wanted ^ pictures))[:200]}: missing, or too many")
    sides = _sides_of_faces(values["size_mm"])
    for name in pictures:
        _check_face(name, _array(stored.read(f"{name}.npy")), sides)
    return labels


#: An array as stored: its kind, as NumPy names it, its shape, and its bytes.
_Array = tuple[str, tuple[int, ...], bytes]


def _array(entry: bytes) -> _Array:
    """Read an entry in NumPy's format (NEP 1), whose head is a literal of Python."""
    if entry[:6] != b"\x93NUMPY" or entry[6] not in (1, 2):
        raise ValueError("an entry is no array")
    begin = 10 if entry[6] == 1 else 12
    (length,) = struct.unpack("<H" if entry[6] == 1 else "<I", entry[8:begin])
    if length > _LARGEST_HEAD:
        raise ValueError(f"the head of an array has {length} bytes")
    head: Mapping[str, Any] = ast.literal_eval(entry[begin : begin + length].decode("ascii").strip())
    kind, shape, data = head["descr"], head["shape"], entry[begin + length :]
    if not isinstance(kind, str) or not isinstance(shape, tuple) or head["fortran_order"] is not False:
        raise ValueError("the head of an array says nothing that is known")
    if not all(type(side) is int and side >= 0 for side in shape):
        raise ValueError(f"an array has the shape {shape}")
    if math.prod(shape) * int(kind[2:]) * (4 if kind[1] == "U" else 1) != len(data):
        raise ValueError("an array is cut off")
    return kind, shape, data


def _number(array: _Array) -> int:
    kind, shape, data = array
    if kind not in ("<i8", "<i4") or shape != ():
        raise ValueError("a number is none")
    return int.from_bytes(data, "little", signed=True)


def _texts(array: _Array) -> tuple[str, ...]:
    kind, shape, data = array
    width = int(kind[2:]) * 4
    if kind[:2] != "<U" or len(shape) != 1 or not 0 < shape[0] <= _MOST_FACES:
        raise ValueError("the labels are none")
    return tuple(data[at : at + width].decode("utf-32-le").rstrip("\0") for at in range(0, len(data), width))


def _sides_of_faces(array: _Array) -> tuple[float, float]:
    """Height and width of a face in pixels, by the card's size."""
    kind, shape, data = array
    if kind != "<f8" or shape != (2,):
        raise ValueError("the card's size is none")
    width, height = struct.unpack("<2d", data)
    if not (_SMALLEST_MM <= width <= height <= _LARGEST_MM):
        raise ValueError(f"no card is {width} mm wide and {height} mm high")
    return height * _SCALE, width * _SCALE


def _check_face(name: str, array: _Array, sides: tuple[float, float]) -> None:
    kind, shape, _ = array
    right = kind == "|u1" and len(shape) == 3 and shape[2] == 3
    if not right or any(abs(side - wanted) > _ROUNDED_PX for side, wanted in zip(shape[:2], sides, strict=True)):
        raise ValueError(f"{name}: a picture of another size or kind")
