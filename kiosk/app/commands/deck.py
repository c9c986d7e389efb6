"""List decks and show the contents of one."""

import sys
from pathlib import Path
from typing import TextIO

import cv2
import numpy as np

from vision.deck.deck import Deck
from vision.deck.folder import deck_names, default_folder
from vision.errors import DeckError
from vision.images import Picture


def list_decks(folder: Path | str | None = None, out: TextIO | None = None) -> int:
    """Print one line per deck in ``folder``: name, faces, size. Return exit status 0, also where there is none."""
    out = out or sys.stdout
    names = deck_names(folder)
    if not names:
        print(f"no decks in {folder or default_folder()}; learn one with `stichwart deck learn NAME`", file=out)
    for name in names:
        try:
            print(_facts(Deck.load(name, folder)), file=out)
        except DeckError as why:
            print(f"{name}: {why}", file=out)
    return 0


def show_deck(
    name: str, folder: Path | str | None = None, picture: Path | str | None = None, out: TextIO | None = None
) -> Path:
    """Print a deck's facts and write its contact sheet as PNG; return the sheet's path.

    ``picture`` is where the sheet goes, by default ``NAME.png`` in the current folder.

    :raises DeckError: no such deck, or the sheet cannot be written
    """
    out = out or sys.stdout
    deck = Deck.load(name, folder)
    path = Path(picture) if picture is not None else Path(f"{deck.name}.png")
    encoded = cv2.imencode(".png", contact_sheet(deck))[1]
    try:
        path.write_bytes(encoded.tobytes())
    except OSError as why:
        raise DeckError(f"{path}: the contact sheet cannot be written ({why.strerror or why})") from why
    print(_facts(deck), file=out)
    for suit in deck.suits:
        print(f"  {suit}: " + " ".join(label for label in deck.labels if label[0] == suit), file=out)
    print(f"  contact sheet: {path}", file=out)
    return path


def contact_sheet(deck: Deck, width: int = 150) -> Picture:
    """Draw all faces, one row per suit, each with its label below, the back last: (H, W, 3) uint8 BGR."""
    height, text, gap = round(width * deck.size_mm[1] / deck.size_mm[0]), 24, 8
    rows = [[label for label in deck.labels if label[0] == suit] for suit in deck.suits]
    pictures: dict[str, Picture] = dict(deck.faces)
    if deck.back is not None:
        pictures["back"] = deck.back
        rows.append(["back"])
    columns = max(len(row) for row in rows)
    sheet = np.full((len(rows) * (height + text + gap) + gap, columns * (width + gap) + gap, 3), 48, np.uint8)
    for r, row in enumerate(rows):
        for c, label in enumerate(row):
            y, x = gap + r * (height + text + gap), gap + c * (width + gap)
            sheet[y : y + height, x : x + width] = cv2.resize(
                pictures[label], (width, height), interpolation=cv2.INTER_AREA
            )
            cv2.putText(
                sheet, label, (x, y + height + 18), cv2.FONT_HERSHEY_SIMPLEX, 0.55, (230, 230, 230), 1, cv2.LINE_AA
            )
    return sheet


def _facts(deck: Deck) -> str:
    width, height = deck.size_mm
    parts = [f"{deck.name}: {len(deck.faces)} faces, {width:g} × {height:g} mm"]
    parts.append(f"suits {''.join(deck.suits)}, ranks {' '.join(deck.ranks)}")
    if deck.copies:
        parts.append(f"{deck.copies} of each")
    parts.append("with back" if deck.back is not None else "no back")
    missing = [s + r for s in deck.suits for r in deck.ranks if s + r not in deck.faces]
    if missing:
        parts.append("missing " + " ".join(missing))
    return ", ".join(parts)
