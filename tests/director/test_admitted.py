"""Tables by the secrets of their devices: looked up together, and never later than somebody changes one."""

import asyncio
from pathlib import Path
from typing import Any

import pytest

from kiosk.director.access.admitted import AdmittedTables
from kiosk.director.access.devices import Device, KnownDevices
from kiosk.director.access.schema import METADATA
from kiosk.director.storage.store import Store


def _devices(folder: Path) -> KnownDevices:
    store = Store(f"sqlite:///{folder / 'd.sqlite'}")
    store.make(METADATA)
    return KnownDevices(store)


def _counted(devices: KnownDevices, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What the database is asked for from now on: all tables at once, or one of them."""
    asked: list[str] = []
    for name in ("tables", "who"):
        call = getattr(devices, name)

        def count(*args: Any, name: str = name, call: Any = call) -> Any:
            asked.append(name)
            return call(*args)

        monkeypatch.setattr(devices, name, count)
    return asked


def test_all_tables_that_come_at_once_are_looked_up_once(tmp_path, monkeypatch):
    devices = _devices(tmp_path)
    shown = [devices.issue(table)[1] for table in range(1, 21)]
    admitted, asked = AdmittedTables(devices), _counted(devices, monkeypatch)

    async def come() -> list[Device | None]:
        return await asyncio.gather(*(admitted.who(one) for one in shown))

    assert [one.table for one in asyncio.run(come())] == list(range(1, 21))
    assert asked == ["tables"]


@pytest.mark.parametrize("strange", ["nobody.secret", "nobody", ".", "{id}.wrong", "{id}", "{id}." + "a" * 300])
def test_a_secret_that_does_not_fit_is_nobodys(tmp_path, strange):
    devices = _devices(tmp_path)
    device, shown = devices.issue(3)
    admitted = AdmittedTables(devices)
    assert asyncio.run(admitted.who(shown)).table == 3
    assert asyncio.run(admitted.who(strange.format(id=device.id))) is None


def test_a_device_that_another_process_admits_is_a_table_at_once(tmp_path):
    devices = _devices(tmp_path)
    admitted = AdmittedTables(devices)
    assert asyncio.run(admitted.who(devices.issue(1)[1])).table == 1
    _, later = _devices(tmp_path).issue(2)
    assert asyncio.run(admitted.who(later)).table == 2


def test_a_device_that_was_withdrawn_is_forgotten_also_while_all_are_looked_up(tmp_path, monkeypatch):
    devices = _devices(tmp_path)
    device, shown = devices.issue(1)
    admitted = AdmittedTables(devices)
    read = devices.tables

    def withdrawn_meanwhile() -> Any:
        found = read()
        devices.change(device.id, {"withdrawn": True})
        admitted.forget()
        return found

    assert asyncio.run(admitted.who(shown)).table == 1
    admitted.forget()
    monkeypatch.setattr(devices, "tables", withdrawn_meanwhile)
    assert asyncio.run(admitted.who(shown)) is None
