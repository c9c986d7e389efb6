"""A direction that is put back from an old backup, and a table whose device dies: both go on with the whole list."""

import json
import time
from pathlib import Path

import pytest

from kiosk.bench.vm.machine import Machine
from kiosk.demo.play import simulate
from kiosk.director.key import ListKey
from tests.vm.booted import IMAGE, START, UP, WHY_NOT, changed, configure, drawn, lay_list, listed
from tests.vm.directed import Direction

pytestmark = [pytest.mark.slow, pytest.mark.skipif(bool(WHY_NOT), reason=WHY_NOT)]

KEY = ListKey("cup", 1, 7)
#: When the list was opened, ms since the epoch: by it its clock is kept.
OPENED = 1_790_000_000_000
ROUND = list(simulate("eppstein", 3, games=2, table=7))
ROUND[0]["at"] = OPENED
#: Events that the direction had when its backup was made.
EARLY = 20
#: Share of the pixels by which two devices with the same list may differ: their clocks.
_SAME = 0.05
#: Seconds that a clock may be beside what the first device showed: one that began anew is minutes beside it.
_SLACK_S = 20


def test_a_direction_from_an_old_backup_is_refilled_and_a_spare_takes_the_list_over(
    tmp_path: Path, direction: Direction, started: Path
) -> None:
    direction.service.app.state.hall.store.append(KEY, -1, "", ROUND[:EARLY])
    backup = direction.backup()
    with Machine(IMAGE, tmp_path / "table", like=started) as table:
        table.on()
        table.go_back(UP)
        configure(table, direction.table_file())
        lay_list(table, ROUND)
        table.shell.run("systemctl start --no-block stichwart-table")
        direction.until(lambda row: len(direction.noted()) == len(ROUND), START)

        table.network(plugged=False)
        direction.put_back(backup)
        assert len(direction.noted()) == EARLY
        table.network(plugged=True)
        direction.until(lambda row: row["connected"] and len(direction.noted()) == len(ROUND), START)
        assert list(map(json.loads, direction.noted())) == ROUND
        before = table.wait_for_screen(drawn, START)
        (left, at) = (direction.clock(KEY, OPENED)["remaining"], time.monotonic())

    with Machine(IMAGE, tmp_path / "spare", like=started) as spare:
        spare.on()
        spare.go_back(UP)
        configure(spare, direction.table_file())
        spare.shell.run("systemctl restart --no-block stichwart-table")
        spare.wait_for_screen(lambda now: changed(before, now) < _SAME, START)
        direction.until(lambda row: row["connected"], START)
        between = time.monotonic() - at
        assert left - between - _SLACK_S < direction.clock(KEY, OPENED)["remaining"] < left - between + _SLACK_S
        assert list(map(json.loads, listed(spare))) == ROUND  # last: it ends the table
