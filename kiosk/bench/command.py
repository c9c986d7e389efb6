"""Run ``stichwart bench``: measure the requested parts and print one table."""

import json
import os
import platform
import signal
import subprocess
import sys
from collections.abc import Iterable, Sequence
from dataclasses import asdict, replace
from pathlib import Path

from rich.console import Console
from rich.table import Table as Printed

from kiosk.bench.claims import CLAIM_ROW
from kiosk.bench.figure import Figure
from kiosk.bench.parts import PARTS
from kiosk.bench.pieces import ResultsFile, measure_pieces, version
from kiosk.bench.rounds import ROUNDS
from kiosk.bench.vision_rows import ROWS, FigureRow
from kiosk.bench.watched import WATCHED
from kiosk.errors import BadConfig

#: Parts that are made up of pieces, with their rows.
IN_PIECES = {"vision": ROWS, "rounds": {**ROUNDS, **WATCHED, CLAIM_ROW.name: CLAIM_ROW}}


def run(
    parts: Sequence[str],
    *,
    quick: bool = False,
    only: Sequence[str] = (),
    jobs: int = 1,
    results: Path | None = None,
    mixed: bool = False,
    json_file: Path | None = None,
    by: Sequence[str] = (),
    minutes: float = 0.0,
    seed: int | None = None,
) -> int:
    """Measure ``parts`` (none: all, but ``vision`` and ``rounds`` quickly) and print one table.

    :param only: rows of ``vision`` and ``rounds`` to be measured.
    :param jobs: pieces of ``vision`` and ``rounds`` that are measured at a time; 0: what ``results`` holds is told.
    :param results: file to which each piece is written as it is done, and from which a measurement goes on.
    :param mixed: what other versions of the code have measured counts too.
    :param json_file: the figures go into this file too.
    :param minutes: ``rest`` plays rounds at least so long.
    :param seed: ``faults`` come as they did with this seed; None: others each time.
    :param by: evenings are played by ``finger``, ``camera`` or ``mixed`` alone; none: in each way.
    :returns: 1 if a part failed, or something that is wanted was not reached; else 0.
    :raises BadConfig: a part or row that does not exist; a file that cannot be used.
    """
    names = [*PARTS, *IN_PIECES]
    _refuse_unknown(parts, names, "part {!r} to measure")
    _refuse_unknown(only, [row for rows in IN_PIECES.values() for row in rows], "row {!r} of figures")
    kept = ResultsFile(results, mixed=mixed)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # what was started ends too
    if json_file is not None:
        _writable(json_file)  # now, not after hours
    table = Printed(title=f"{machine()}; {version()}", title_justify="left")
    for column in ("part", "what", "measured", "wanted", ""):
        table.add_column(column, overflow="fold")
    status, figures = 0, []
    for name in parts or names:
        if name in IN_PIECES:
            rows = [row for row in IN_PIECES[name].values() if not only or row.name in only]
            found = list(_in_pieces(rows, quick or not parts, kept, jobs))
        else:
            further = {
                "evenings": [f"--by={way}" for way in by],
                "rest": [f"--minutes={minutes}"] if minutes else [],
                "faults": [] if seed is None else [f"--seed={seed}"],
            }
            found, failed = _part(name, quick, further.get(name, []))
            status |= failed
        for figure in found:
            mark = "" if figure.met is None else "✓" if figure.met else "✗"
            table.add_row(figure.part, figure.what, figure.value, figure.wanted, mark)
        table.add_section()
        figures += found
    Console(width=150 if not sys.stdout.isatty() else None).print(table)
    if json_file is not None:
        told = {"machine": machine(), "version": version(), "figures": [asdict(figure) for figure in figures]}
        json_file.write_text(json.dumps(told, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    return status | any(figure.met is False for figure in figures)


def _refuse_unknown(asked: Iterable[str], known: Sequence[str], what: str) -> None:
    for name in asked:
        if name not in known:
            raise BadConfig(f"there is no {what.format(name)}; there are {', '.join(known)}")


def _writable(path: Path) -> None:
    try:
        path.open("a").close()
    except OSError as error:
        raise BadConfig(f"the figures cannot be written to {path}: {error.strerror}; name another file") from error


def _in_pieces(rows: Iterable[FigureRow], quick: bool, kept: ResultsFile, jobs: int) -> Iterable[Figure]:
    for row in rows:
        pieces = row.pieces(quick)
        done = {
            one.piece.key: one for one in measure_pieces(pieces, kept, jobs, lambda text: print(text, file=sys.stderr))
        }
        for figure in row.figures([done[piece.key] for piece in pieces if piece.key in done]):
            yield replace(figure, met=None) if quick else figure  # so few prove nothing
        if len(done) < len(pieces):
            yield Figure(row.name, "measured so far", f"{len(done)} of {len(pieces)} pieces")
        if versions := {one.version for one in done.values()} - {version()}:
            yield Figure(row.name, "measured by other versions too", ", ".join(sorted(versions)))


#: Parts that draw the screen, offscreen unless another driver is named.
DRAWN = ("screen", "latency", "touch", "rest", "evenings")


def _part(name: str, quick: bool, further: Sequence[str]) -> tuple[list[Figure], int]:
    """A part in a process of its own, and its exit status."""
    print(f"measuring: {name}", file=sys.stderr)
    command = [sys.executable, "-m", "kiosk.bench.parts", name, *(["--quick"] if quick else [])]
    command += further
    env = (
        {"SDL_VIDEODRIVER": "offscreen", **os.environ}
        if name in ("screen", "latency", "touch", "rest", "evenings")
        else None
    )
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, env=env)
    return [Figure(**json.loads(line)) for line in done.stdout.splitlines() if line.startswith("{")], done.returncode


def machine() -> str:
    """Describe this machine in a line."""
    board, processor = Path("/proc/device-tree/model"), Path("/proc/cpuinfo")
    model = platform.machine()
    if board.exists():
        model = board.read_text(errors="replace").strip("\0\n ")
    elif processor.exists():
        lines = processor.read_text(errors="replace").splitlines()
        model = next((line.partition(":")[2].strip() for line in lines if line.startswith("model name")), model)
    return f"{platform.node()}: {model}, {os.cpu_count()} processors, Python {platform.python_version()}"
