"""Measure two and four directors on one PostgreSQL: all tables on each page, orders to any, and one that is killed."""

import os
import signal
import tempfile
import time
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from kiosk.bench.figure import Figure
from kiosk.bench.hall import delays
from kiosk.bench.hall_pages import PagesTask
from kiosk.bench.hall_place import PACE, PIN, ROUNDS, TOURNAMENT, Helper, issue, settings_file
from kiosk.bench.hall_rounds import keep_rounds, round_of
from kiosk.bench.hall_tables import TablesTask
from kiosk.bench.postgresql import PROGRAMS, own_server
from kiosk.bench.waiting import until
from kiosk.director.client import DirectorClient
from kiosk.director.key import ListKey
from kiosk.director.process import DirectorProcess
from kiosk.director.storage.store import Store

_BEGUN = 0.2  # share of a round that has been played


class _Place:
    """A director with tables and a page of its own."""

    def __init__(self, stack: ExitStack, folder: Path, database: str) -> None:
        self._stack, self._rounds = stack, folder.parent / ROUNDS
        file = settings_file(folder, PIN, database)
        self.director = DirectorProcess(["--config", file, "--data", folder, "--port", "0"], log_file=folder / "log")
        stack.callback(self.director.stop)

    def begin(self, first: int, secrets: list[str], seconds: float) -> None:
        """Connect its tables, and open a page that shows all."""
        self.player = self._helper(
            "kiosk.bench.hall_tables",
            TablesTask(
                url=self.director.url,
                secrets=secrets,
                tournament=TOURNAMENT,
                rounds=str(self._rounds),
                first=first,
                count=len(secrets),
                begun=_BEGUN,
                pace=PACE,
                seconds=seconds,
            ),
        )
        self.page = self._helper(
            "kiosk.bench.hall_pages",
            PagesTask(
                url=self.director.url.replace("http", "ws", 1) + "/live", tournament=TOURNAMENT, count=2, direct=1
            ),
        )

    def shows(self) -> set[int]:
        """Tables of which its page has shown events."""
        return {table for table, events, _ in list(self.page.said.get("shown", ())) if events}

    def _helper(self, module: str, task: object) -> Helper:
        helper = Helper(module, task)
        self._stack.callback(helper.stop)
        return helper


@contextmanager
def _hall(directors: int, tables: int, seconds: float) -> Iterator[tuple[list[_Place], str]]:
    with own_server(durable=True) as server, tempfile.TemporaryDirectory() as name, ExitStack() as stack:
        database = server.new_database()
        keep_rounds(Path(name) / ROUNDS)
        places = []
        for number in range(directors):
            folder = Path(name) / str(number)
            folder.mkdir()
            places.append(_Place(stack, folder, database))
        store = Store(database)
        secrets = issue(store, tables)
        store.close()
        each = tables // directors
        for number, place in enumerate(places):
            place.begin(number * each + 1, secrets[number * each : (number + 1) * each], seconds)
        until(lambda: all(place.player.count("caught up") for place in places), 300)
        until(lambda: all(len(place.shows()) == tables for place in places), 300)
        yield places, database


def measure(directors: int, tables: int, seconds: float) -> Iterable[Figure]:
    """Measure so many directors that share the tables evenly."""
    what = f"{directors} directors, {tables} tables"
    with _hall(directors, tables, seconds) as (places, database):
        for place in places:
            place.player.ask("play")
        time.sleep(seconds / 3)
        with DirectorClient(places[-1].director.url, PIN) as client:
            begun = time.monotonic()
            client.order(TOURNAMENT, 1, None, {"call": "director", "text": "?"})
        until(lambda: all(place.player.count("order") >= tables // directors for place in places), 60)
        took = 1000 * (max(float(at) for place in places for _, _, at in place.player.said["order"]) - begun)
        until(lambda: all(place.player.count("all stored") for place in places), 300)
        time.sleep(1)
        laid = [values for place in places for values in place.player.said["laid"]]
        for number, place in enumerate(places):
            found = delays(place.page.said["shown"], laid)
            share = found[int(0.95 * len(found))]
            label = f"{what}: event → page of director {number + 1}, ms, median / 95 % / worst"
            value = f"{found[len(found) // 2]:.0f} / {share:.0f} / {found[-1]:.0f}"
            yield Figure("hall", label, value, "95 %: ≤ 500", share <= 500 and len(found) == len(laid))
        yield Figure("hall", f"{what}: order of one → all tables of all, ms", f"{took:.0f}", "≤ 500", took <= 500)
        yield _killed(what, places, database, tables)


def _killed(what: str, places: list[_Place], database: str, tables: int) -> Figure:
    """Kill the first director; its tables must be with another, with what they had and nothing twice."""
    begun = time.monotonic()
    os.kill(places[0].director.pid, signal.SIGKILL)
    with DirectorClient(places[1].director.url, PIN) as client:
        client.order(TOURNAMENT, 1, None, {"call": "director", "text": "!"})
    moved = places[0].player
    each = tables // len(places)
    until(lambda: moved.count("order") >= 2 * each, 120)
    took = max(float(at) for _, _, at in moved.said["order"]) - begun
    store = Store(database)
    whole = 0
    for place_number, place in enumerate(places):
        laid: dict[int, int] = {}
        for table, number, _ in place.player.said["laid"]:
            laid[int(table)] = max(laid.get(int(table), -1), int(number))
        for table in range(place_number * each + 1, (place_number + 1) * each + 1):
            events = round_of(table)
            count = max(laid.get(table, -1) + 1, max(2, int(len(events) * _BEGUN)))
            whole += store.read(ListKey(TOURNAMENT, 1, table)) == events[:count]
    store.close()
    label = f"{what}: one killed, an order reaches all its tables after, s; lists whole, of all"
    return Figure("hall", label, f"{took:.1f}; {whole} of {tables}", "≤ 15; all", took <= 15 and whole == tables)


def figures(quick: bool) -> Iterable[Figure]:
    """Measure two directors, and four, where PostgreSQL is installed."""
    if not PROGRAMS:
        yield Figure("hall", "several directors", "PostgreSQL is not installed", "")
        return
    yield from measure(2, 20 if quick else 100, 10 if quick else 30)
    if not quick:
        yield from measure(4, 100, 30)
