"""Be the open pages of a hall in one process: ``python -m kiosk.bench.hall_pages``.

Standard input holds one JSON object (``PagesTask``). The first page reads what it is sent and prints
``["shown", table, events, seconds]`` for each card; the others take their messages as they come. Some look at a table
of their own, as people who direct do. For each line ``open`` on standard input one more page is opened:
``["opened", seconds, bytes]`` is how long it waited for the whole hall.
"""

import asyncio
import json
import sys
import time
from dataclasses import dataclass

from websockets.asyncio.client import connect

from kiosk.sync.trust import trust


@dataclass(frozen=True, slots=True, kw_only=True)
class PagesTask:
    """Which pages are open."""

    url: str
    tournament: str
    count: int
    direct: int  # of them direct: they look at a table
    authority: str = ""  # by which the director is recognised, PEM; "": nothing is encrypted


def _page(task: PagesTask) -> connect:
    context = trust(task.authority) if task.authority else None
    return connect(task.url, proxy=None, max_size=None, compression=None, ping_interval=None, ssl=context)


def _wish(task: PagesTask, table: int | None) -> str:
    return json.dumps({"tournament": task.tournament, "round": 1, "table": table})


async def _first(task: PagesTask) -> None:
    async with _page(task) as socket:
        await socket.send(_wish(task, None))
        async for text in socket:
            now, message = time.monotonic(), json.loads(text)
            for card in message.get("cards") or message.get("hall") or ():
                print(json.dumps(["shown", card["table"], card["events"], now]))
            sys.stdout.flush()


async def _other(task: PagesTask, table: int | None) -> None:
    async with _page(task) as socket:
        await socket.send(_wish(task, table))
        async for _ in socket:
            pass


async def _openings(task: PagesTask) -> None:
    """Open the hall anew as often as standard input asks for it."""
    while await asyncio.get_running_loop().run_in_executor(None, sys.stdin.readline):
        begun = time.monotonic()
        async with _page(task) as socket:
            await socket.send(_wish(task, None))
            while "hall" not in json.loads(text := await socket.recv()):
                pass
        print(json.dumps(["opened", time.monotonic() - begun, len(text)]), flush=True)


async def _run(task: PagesTask) -> None:
    pages = [asyncio.create_task(_first(task))]
    for number in range(1, task.count):
        pages.append(asyncio.create_task(_other(task, number if number <= task.direct else None)))
        await asyncio.sleep(0.01)
    await _openings(task)
    for page in pages:
        page.cancel()


if __name__ == "__main__":
    asyncio.run(_run(PagesTask(**json.loads(sys.stdin.readline()))))
