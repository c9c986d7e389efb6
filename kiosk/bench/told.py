"""What rows of ``bench vision`` have in common: pieces of a line added up, shares with their intervals."""

import os
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from kiosk.bench.work import Done, together
from vision.intervals import share

#: Photographs that may lie beside the project; what needs them is left out without.
SHARED = Path(os.environ.get("STICHWART_SHARED", Path(__file__).parents[3] / "shared"))

Told = Iterable[tuple[str, str, str, bool | None]]  # what, value, wanted, met


def by_line(done: Iterable[Done]) -> dict[str, dict[str, Any]]:
    """Results of the pieces of each line as one."""
    lines: dict[str, list[dict[str, Any]]] = {}
    for piece in done:
        lines.setdefault(piece.piece.what, []).append(piece.result)
    return {what: together(results) for what, results in lines.items()}


def held(what: str, part: int, whole: int, least: float | None) -> tuple[str, str, str, bool | None]:
    """A share with its interval, and whether it reaches ``least``."""
    met = None if least is None or not whole else part / whole >= least
    return what, share(part, whole), "" if least is None else f"≥ {least}", met
