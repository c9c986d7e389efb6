"""Measure in pieces and keep each piece's result as a line of a file, so that a long benchmark can be resumed."""

import hashlib
import importlib
import json
import multiprocessing
import os
import signal
import subprocess
import sys
import time
import traceback
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from kiosk.errors import BadConfig

ROOT = Path(__file__).parents[2]


@dataclass(frozen=True, slots=True)
class Piece:
    """A call of one of our functions by name; its arguments and its result can be written as JSON."""

    row: str
    what: str  # the line of the row that it belongs to
    call: str  # "module:function"
    options: dict[str, Any] = field(default_factory=dict)

    @property
    def key(self) -> str:
        """Its identity in a file of results."""
        return json.dumps([self.row, self.what, self.call, self.options], sort_keys=True)


@dataclass(frozen=True, slots=True)
class PieceResult:
    """A piece's counts; ``left_out`` holds the reason where it could not be measured, ``failed`` is set by a crash."""

    piece: Piece
    result: dict[str, Any]
    version: str


@cache
def code_hash() -> str:
    """Compute the hash of the measured code; another hash may mean other figures."""
    paths = [path for room in ("vision", "kiosk") for ext in ("py", "onnx") for path in (ROOT / room).rglob(f"*.{ext}")]
    return hashlib.sha256(b"".join(path.read_bytes() for path in sorted(paths))).hexdigest()[:12]


@cache
def version() -> str:
    """Return the commit, where this is a clone; else the hash of the code."""
    try:
        described = subprocess.run(
            ["git", "-C", str(ROOT), "describe", "--always", "--dirty"], capture_output=True, text=True, timeout=10
        )
    except (OSError, subprocess.SubprocessError):
        return code_hash()
    return described.stdout.strip() or code_hash()


class ResultsFile:
    """Results of pieces, in memory and, with a path, in a file of JSON lines.

    :param mixed: what other versions of the code measured counts too.
    :raises BadConfig: a file that is none of ours, or cannot be written.
    """

    def __init__(self, path: Path | None, *, mixed: bool = False) -> None:
        self._path = path
        self._done: dict[str, PieceResult] = {}
        if path is None:
            return
        try:
            with path.open("ab+") as file:
                file.seek(0)
                written = file.read()
                whole = written.rfind(b"\n") + 1
                if whole < len(written):  # cut off when it was written
                    file.truncate(whole)
            lines = written[:whole].decode(errors="replace").splitlines()
        except OSError as error:
            raise BadConfig(f"results cannot be kept in {path}: {error.strerror}; name another file") from error
        for number, line in enumerate(lines, start=1):
            try:
                kept = json.loads(line)
                piece = Piece(kept["row"], kept["what"], kept["call"], kept["options"])
                if mixed or kept["code"] == code_hash():
                    self._done[piece.key] = PieceResult(piece, kept["result"], kept["version"])
            except (ValueError, KeyError, TypeError) as error:
                raise BadConfig(f"{path}, line {number}: no result of a measurement; name another file") from error

    def of(self, piece: Piece) -> PieceResult | None:
        """Return the result of a piece, None if it has not been measured."""
        return self._done.get(piece.key)

    def add(self, piece: Piece, result: dict[str, Any], seconds: float) -> PieceResult:
        """Keep a result."""
        done = PieceResult(piece, result, version())
        self._done[piece.key] = done
        if self._path is not None:
            line = {
                "row": piece.row,
                "what": piece.what,
                "call": piece.call,
                "options": piece.options,
                "result": result,
                "seconds": round(seconds, 2),
                "version": version(),
                "code": code_hash(),
            }
            with self._path.open("a", encoding="utf-8") as file:
                file.write(json.dumps(line, ensure_ascii=False) + "\n")
        return done


def measure_pieces(
    pieces: Iterable[Piece], results: ResultsFile, jobs: int, log: Callable[[str], None] = lambda _: None
) -> Iterator[PieceResult]:
    """Measure all pieces without a result, ``jobs`` at a time in processes of their own, and yield every result.

    Lines take turns, so that an interrupted benchmark has some figures of each.

    :param jobs: 0: nothing is measured, only the results kept are yielded.
    :param log: called with a line of text for each piece that begins.
    """
    rest: list[Piece] = []
    for piece in pieces:
        known = results.of(piece)
        if known is None:
            rest.append(piece)
        else:
            yield known
    if not rest or not jobs:
        return
    rest = interleaved(rest)
    for name in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS"):
        os.environ.setdefault(name, "1")  # read when NumPy is loaded
    pool = ProcessPoolExecutor(jobs, multiprocessing.get_context("spawn"), _start_worker)
    running: dict[Future[tuple[dict[str, Any], float]], Piece] = {}
    try:
        while rest or running:
            while rest and len(running) < jobs:
                piece = rest.pop(0)
                log(f"{piece.row}: {piece.what} ({len(rest)} more)")
                running[pool.submit(_measure, piece)] = piece
            ended, _ = wait(running, return_when=FIRST_COMPLETED)
            for future in ended:
                piece = running.pop(future)
                result, seconds = future.result()
                if reason := result.get("left_out"):
                    log(f"{piece.row}: {piece.what} left out: {reason}")
                    yield PieceResult(piece, result, version())
                else:
                    yield results.add(piece, result, seconds)
    finally:
        pool.shutdown(wait=not running, cancel_futures=True)
        for process in multiprocessing.active_children() if running else ():
            process.terminate()
            process.join()


def interleaved(pieces: Iterable[Piece]) -> list[Piece]:
    """Order pieces so that lines take turns: the first piece of each line, then the second of each, and so on."""
    seen: Counter[str] = Counter()
    order = []
    for piece in pieces:
        seen[piece.what] += 1
        order.append((seen[piece.what], piece))
    return [piece for _, piece in sorted(order, key=lambda one: one[0])]


def _start_worker() -> None:
    import cv2

    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C goes to all; the parent ends us
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # what a piece has started ends with it
    cv2.setNumThreads(1)


def _measure(piece: Piece) -> tuple[dict[str, Any], float]:
    """Run a piece in a process of the pool; its result and its processor time in seconds."""
    from hw.errors import HardwareError
    from kiosk.errors import KioskError
    from vision.errors import VisionError

    module, _, name = piece.call.partition(":")
    start = time.process_time()
    try:
        result = getattr(importlib.import_module(module), name)(**piece.options)
    except (KioskError, VisionError, HardwareError) as why:
        result = {"left_out": str(why).splitlines()[0]}
    except SystemExit:
        os._exit(1)  # the pool would go on
    except Exception as why:  # noqa: BLE001 - a crash is a figure too, and the others are still to be measured
        traceback.print_exc()
        result = {"left_out": f"failed: {type(why).__name__}: {why}", "failed": True}
    return result, time.process_time() - start


def summed(results: Iterable[dict[str, Any]]) -> dict[str, Any]:
    """Sum the results of a kind into one: numbers added, lists one after the other."""
    whole: dict[str, Any] = {}
    for result in results:
        for key, value in result.items():
            whole[key] = whole[key] + value if key in whole else value
    return whole
