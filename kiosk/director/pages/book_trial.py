"""Have a club's book tried on simulated games, beside the service: one at a time, ended when nobody waits for it."""

import asyncio
import json
import os
import sys
from collections.abc import AsyncIterator, Mapping
from pathlib import Path
from typing import Any

import kiosk
from kiosk.errors import LocalisedError

#: What such a process runs.
MODULE = "kiosk.demo.trial_process"

#: Seconds after which a trial is given up, and seconds between two signs of life while others' is waited for.
LONGEST_S, _SIGN_S = 600.0, 1.0

#: Trials that wait for the one that runs, of all clubs of a service.
MOST_WAITING = 3

_queue: list[object] = []  # the first one is being tried


def need_room() -> None:
    """:raises LocalisedError: as many wait as may."""
    if len(_queue) > MOST_WAITING:
        raise LocalisedError("trial_many", "other books are being tried now; press again in a minute")


async def trial_lines(asked: Mapping[str, Any]) -> AsyncIterator[bytes]:
    """Yield what the process says line by line, ``{"waiting": true}`` before its turn; closing ends the process."""
    mine = object()
    _queue.append(mine)
    try:
        while _queue[0] is not mine:
            yield b'{"waiting": true}\n'
            await asyncio.sleep(_SIGN_S)
        async for line in _lines(asked):
            yield line
    finally:
        _queue.remove(mine)


async def _lines(asked: Mapping[str, Any]) -> AsyncIterator[bytes]:
    ours = str(Path(next(iter(kiosk.__path__))).parent)
    path = os.pathsep.join([ours, *filter(None, [os.environ.get("PYTHONPATH")])])
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", MODULE),
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": path, "OPENBLAS_NUM_THREADS": "1"},
        limit=1 << 20,
    )
    assert process.stdin is not None and process.stdout is not None
    try:
        process.stdin.write(json.dumps(asked).encode())
        process.stdin.close()
        ended = False
        async with asyncio.timeout(LONGEST_S):
            while line := await process.stdout.readline():
                ended = b'"rows"' in line or b'"refused"' in line
                yield line
        if not ended:
            yield b'{"failed": true}\n'
    except TimeoutError:
        yield b'{"failed": true}\n'
    finally:
        if process.returncode is None:
            process.kill()
        await asyncio.shield(process.wait())
