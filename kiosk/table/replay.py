"""``stichwart replay``: event files in, the list out."""

import json
from collections.abc import Iterable
from pathlib import Path
from typing import TextIO

from kiosk.errors import BadEvent
from kiosk.table.events import decode
from kiosk.table.fold import Round, open_round
from kiosk.table.spielliste import replay_data, text


def read(lines: Iterable[bytes]) -> Round:
    """The round of the lines of a file (JSON Lines, UTF-8). Empty lines are skipped but counted.

    :raises BadEvent: ``line N: what is wrong``, N counted from 0 over all lines.
    """
    result: Round | None = None
    number = 0
    for number, line in enumerate(lines):
        try:
            decoded = line.decode("utf-8-sig" if number == 0 else "utf-8")
            if not decoded.strip():
                continue
            event = decode(decoded)
            result = open_round(event, number) if result is None else result.apply(event, number)
        except UnicodeDecodeError as error:
            raise BadEvent(f"line {number}: not UTF-8: {error}") from error
        except BadEvent as error:
            raise BadEvent(f"line {number}: {error}") from error
    if result is None:
        raise BadEvent("line 0: the file is empty; the first line must be an open event")
    return result


def replay_files(paths: Iterable[str | Path], as_json: bool, out: TextIO, err: TextIO) -> int:
    """Replays each file to ``out``; what is wrong goes to ``err``.

    A broken file prints nothing to ``out``, the others are replayed all the same. With several files each message
    ends with the file's name.

    :returns: the exit status: 0, or 2 if a file could not be replayed.
    """
    files = [Path(path) for path in paths]
    status = 0
    for path in files:
        name = f" ({path})" if len(files) > 1 else ""
        try:
            result = read(path.read_bytes().splitlines())
        except OSError as error:
            print(f"cannot read {path}: {error.strerror or error}", file=err)
            status = 2
            continue
        except BadEvent as error:
            print(f"{error}{name}", file=err)
            status = 2
            continue
        if as_json:
            for data in replay_data(result):
                print(json.dumps(data, ensure_ascii=False), file=out)
        else:
            out.write(text(result))
    return status
