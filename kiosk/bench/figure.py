"""Format counts as lines of the table that ``stichwart bench`` prints: shares with their confidence intervals."""

import os
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from kiosk.bench.intervals import share
from kiosk.bench.pieces import PieceResult, summed

#: Photographs that may stand beside the project; what needs them is left out without.
SHARED = Path(os.environ.get("STICHWART_SHARED", Path(__file__).parents[3] / "shared"))

FigureLine = tuple[str, str, str, bool | None]  # what, value, wanted, met
FigureLines = Iterable[FigureLine]


@dataclass(frozen=True, slots=True)
class Figure:
    """A line of the table; ``met`` is None where no target is set, or nothing was counted."""

    part: str
    what: str
    value: str
    wanted: str = ""
    met: bool | None = None


def by_line(done: Iterable[PieceResult]) -> dict[str, dict[str, Any]]:
    """Sum the results of the pieces of each line."""
    lines: dict[str, list[dict[str, Any]]] = {}
    for piece in done:
        lines.setdefault(piece.piece.what, []).append(piece.result)
    return {what: summed(results) for what, results in lines.items()}


def share_line(what: str, part: int, whole: int, least: float | None) -> FigureLine:
    """Format a share with its interval, and whether it reaches ``least``."""
    met = None if least is None or not whole else part / whole >= least
    return what, share(part, whole), "" if least is None else f"≥ {least}", met
