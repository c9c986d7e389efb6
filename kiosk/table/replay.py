"""Run ``stichwart replay``: read event files, print their lists."""

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any, TextIO

from kiosk.errors import BadEvent
from kiosk.table.events.codec import decode, parse_json
from kiosk.table.round.fold import Round, open_round
from kiosk.table.scoresheet.spielliste import replay_data, text


def read(data: bytes) -> tuple[Round, str]:
    """Read a file's round (JSON Lines, UTF-8) and a warning: "" unless the last line was cut off while it was written.

    Such a line has no line end and is no JSON; the round is that of all lines before it. Empty lines are skipped but
    counted.

    :raises BadEvent: ``line N: what is wrong``, N counted from 0 over all lines.
    """
    lines = data.splitlines()
    unended = -1 if data.endswith((b"\n", b"\r")) else len(lines) - 1
    result: Round | None = None
    whole = 0  # the last line that was an event
    for number, line in enumerate(lines):
        try:
            body = _body(line, number)
        except BadEvent as error:
            if number == unended and result is not None:
                return result, f"line {number} is cut off; replayed to line {whole}"
            raise BadEvent(f"line {number}: {error}") from error
        if body is None:
            continue
        try:
            event = decode(body)
            result = open_round(event, number) if result is None else result.apply(event, number)
        except BadEvent as error:
            raise BadEvent(f"line {number}: {error}") from error
        whole = number
    if result is None:
        raise BadEvent("line 0: the file is empty; the first line must be an open event")
    return result, ""


def _body(line: bytes, number: int) -> Any:
    """What a line says; None if it is empty."""
    try:
        text = line.decode("utf-8-sig" if number == 0 else "utf-8")
    except UnicodeDecodeError as error:
        raise BadEvent(f"not UTF-8: {error}") from error
    return parse_json(text) if text.strip() else None


def replay_files(paths: Iterable[str | Path], as_json: bool, out: TextIO, err: TextIO) -> int:
    """Replay each file to ``out``; errors go to ``err``.

    A broken file prints nothing to ``out``, the others are replayed all the same; of a file that is cut off in its
    last line all whole events are replayed, with a warning. With several files each message ends with the file's name.

    :returns: the exit status: 0, also with a warning, or 2 if a file could not be replayed.
    """
    files = [Path(path) for path in paths]
    status = 0
    for path in files:
        name = f" ({path})" if len(files) > 1 else ""
        try:
            result, warning = read(path.read_bytes())
        except OSError as error:
            print(f"cannot read {path}: {error.strerror or error}", file=err)
            status = 2
            continue
        except BadEvent as error:
            print(f"{error}{name}", file=err)
            status = 2
            continue
        if warning:
            print(f"{warning}{name}", file=err)
        if as_json:
            for data in replay_data(result):
                print(json.dumps(data, ensure_ascii=False), file=out)
        else:
            out.write(text(result))
    return status
