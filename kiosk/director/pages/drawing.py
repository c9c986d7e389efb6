"""Draw outside the service: what takes long is sought by a process of its own, so that the tables' line goes on."""

import asyncio
import json
import os
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import kiosk
from kiosk.director.refusals import DirectorError
from kiosk.tournament.draws.draw import draw, is_long
from kiosk.tournament.draws.tables import NoDraw
from kiosk.tournament.draws.wish import Drawn, Wish

#: Seconds after which a draw is given up; 1,000 people take one on a slow machine.
LONGEST_S = 60.0


async def drawn(wish: Wish) -> Drawn:
    """Return the result of a draw.

    :raises NoDraw: it cannot be.
    :raises DirectorError: it took too long, or its process died.
    """
    if not is_long(wish):
        return draw(wish)
    return _result(await _in_process(wish))


async def _in_process(wish: Wish) -> Mapping[str, Any]:
    ours = str(Path(next(iter(kiosk.__path__))).parent)
    path = os.pathsep.join([ours, *filter(None, [os.environ.get("PYTHONPATH")])])
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        "-m",
        "kiosk.tournament.draws.process",
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": path, "OPENBLAS_NUM_THREADS": "1"},
    )
    try:
        told, _ = await asyncio.wait_for(process.communicate(json.dumps(wish.as_note()).encode()), LONGEST_S)
    except TimeoutError:
        raise DirectorError(f"the draw took longer than {LONGEST_S:g} s; nothing was drawn, try it by lot") from None
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()
    if process.returncode:
        raise DirectorError(f"the draw failed (status {process.returncode}); nothing was drawn, try again")
    found: Mapping[str, Any] = json.loads(told)
    return found


def _result(told: Mapping[str, Any]) -> Drawn:
    if "refused" in told:
        raise NoDraw(told["refused"]["code"], told["refused"]["text"], **told["refused"]["values"])
    return Drawn(
        seats={int(table): tuple(names) for table, names in told["seats"].items()},
        met_again=told["met_again"],
        together=tuple((one, other) for one, other in told["together"]),
        moved=tuple(told["moved"]),
    )
