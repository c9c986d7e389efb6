"""A touch panel that is plugged in anew is read again, whatever number it gets; a folder stands for the devices."""

import os
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from kiosk.ui.panels import Panels, plugged_panels, watched

MULTI_TOUCH = "260800000000003"  # as the kernel tells it: ABS_MT_POSITION_X is bit 0x35
KEYBOARD = "0"


class Reader:
    """Stands for Kivy's reader of one panel."""

    def __init__(self, path: str) -> None:
        self.input_fn, self.device, self.started = path, f"panel {path}", 0
        self.alive = False
        self.thread = SimpleNamespace(is_alive=lambda: self.alive)
        self.queue: list[str] = []

    def start(self) -> None:
        self.started, self.alive = self.started + 1, True


class Events:
    """Stands for Kivy's EventLoop."""

    def __init__(self) -> None:
        self.input_providers: list[Any] = [SimpleNamespace()]  # the mouse
        self.touches: list[Any] = []
        self.lifted: list[Any] = []

    def add_input_provider(self, reader: Any) -> None:
        self.input_providers.append(reader)

    def remove_input_provider(self, reader: Any) -> None:
        if reader in self.input_providers:
            self.input_providers.remove(reader)

    def post_dispatch_input(self, what: str, touch: Any) -> None:
        assert what == "end"
        self.touches.remove(touch)
        self.lifted.append(touch)

    @property
    def read(self) -> list[str]:
        return [one.input_fn for one in self.input_providers[1:]]


class Machine:
    """Devices as folders and files; the panel is at event2 when the program starts."""

    def __init__(self, root: Path) -> None:
        self.sys, self.dev = root / "sys", root / "dev"
        self.dev.mkdir()
        self.plug(0, KEYBOARD)
        self.plug(2)
        self.events = Events()
        self.events.add_input_provider(Reader(self.node(2)))
        self.events.input_providers[1].start()
        self.panels = Panels(self.events, self.present, self.make)

    def present(self) -> dict[str, tuple[int, int]]:
        return plugged_panels(str(self.sys), str(self.dev))

    def make(self, path: str) -> None:
        self.events.add_input_provider(Reader(path))

    def node(self, number: int) -> str:
        return str(self.dev / f"event{number}")

    def plug(self, number: int, abilities: str = MULTI_TOUCH) -> None:
        folder = self.sys / f"event{number}" / "device" / "capabilities"
        folder.mkdir(parents=True)
        (folder / "abs").write_text(abilities + "\n")
        Path(self.node(number)).touch()

    def unplug(self, number: int, thread_ends: bool = False) -> None:
        for path in (self.sys / f"event{number}" / "device" / "capabilities" / "abs", Path(self.node(number))):
            path.unlink()
        for folder in ("device/capabilities", "device", ""):
            (self.sys / f"event{number}" / folder).rmdir()
        for one in self.events.input_providers[1:]:
            one.alive = one.alive and not thread_ends


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    return Machine(tmp_path)


def test_what_is_plugged_in_from_the_start_is_left_alone(machine: Machine) -> None:
    reader = machine.events.input_providers[1]
    machine.panels.look()
    machine.panels.look()
    assert machine.events.input_providers[1:] == [reader] and reader.started == 1


@pytest.mark.parametrize("looks_between", [True, False], ids=["away for a while", "at once"])
@pytest.mark.parametrize("ends", [True, False], ids=["hidinput", "mtdev"])
@pytest.mark.parametrize("number", [2, 3, 17])
def test_a_panel_that_was_plugged_in_again_is_read_by_one_reader(
    machine: Machine, number: int, ends: bool, looks_between: bool
) -> None:
    finger = SimpleNamespace(device=machine.events.input_providers[1].device)
    another = SimpleNamespace(device="mouse")
    machine.events.touches += [finger, another]
    first = machine.events.input_providers[1]
    machine.unplug(2, ends)
    first.queue.append("what nobody has looked at")
    if looks_between:
        machine.panels.look()
        assert machine.events.read == []
    machine.plug(number)
    machine.panels.look()
    machine.panels.look()
    assert machine.events.read == [machine.node(number)]
    (reader,) = machine.events.input_providers[1:]
    assert reader.alive and (reader is first) is (number == 2)
    assert reader.started == (2 if reader is first and ends else 1)
    assert machine.events.lifted == [finger] and machine.events.touches == [another]
    if reader is first and not ends:
        assert reader.queue == []


def test_it_may_wander_and_come_back_as_often_as_it_likes(machine: Machine) -> None:
    number = 2
    for following in (3, 2, 3, 4, 2):
        machine.unplug(number)
        machine.plug(following)
        machine.panels.look()
        number = following
        assert machine.events.read == [machine.node(number)]


def test_another_device_in_its_place_is_no_panel(machine: Machine) -> None:
    machine.unplug(2)
    machine.plug(2, KEYBOARD)
    machine.plug(5)
    machine.panels.look()
    assert machine.events.read == [machine.node(5)]


def test_a_node_that_may_not_be_read_yet_waits_for_its_rights(
    machine: Machine, monkeypatch: pytest.MonkeyPatch
) -> None:
    machine.unplug(2)
    machine.plug(3)
    with monkeypatch.context() as patch:
        patch.setattr(os, "access", lambda *_: False)
        machine.panels.look()
        assert machine.events.read == []
    machine.panels.look()
    assert machine.events.read == [machine.node(3)]


@pytest.mark.parametrize(
    ("wanted", "kind"), [("probesysfs", "MTD"), ("probesysfs,provider=hidinput", "HIDInput"), ("", None)]
)
def test_kivy_makes_the_reader_that_is_configured(
    wanted: str, kind: str | None, machine: Machine, monkeypatch: pytest.MonkeyPatch
) -> None:
    from kivy import base
    from kivy.config import Config
    from kivy.input.providers import probesysfs

    monkeypatch.setattr(base.EventLoop, "input_providers", [])
    monkeypatch.setattr(Config, "getdefault", lambda *_: wanted)
    panels = watched(base.EventLoop)
    assert (panels is None) is (kind is None)
    if panels is None:
        return
    monkeypatch.setattr(probesysfs.Input, "has_capability", lambda *_: True)
    monkeypatch.setattr(probesysfs.Input, "name", "panel")
    panels._make("/dev/input/event77")
    (reader,) = base.EventLoop.input_providers
    assert (reader.input_fn, reader.device) == ("/dev/input/event77", "event77")
    assert any(one.__name__ == f"{kind}MotionEventProvider" for one in type(reader).__mro__)


@pytest.mark.skipif(
    not os.access("/dev/uinput", os.W_OK), reason="this machine makes no devices: /dev/uinput is not there"
)
def test_a_panel_that_the_kernel_makes_is_found() -> None:
    import evdev
    from evdev import AbsInfo, UInput, ecodes

    before = plugged_panels()
    axis = AbsInfo(0, 0, 799, 0, 0, 0)
    codes = (ecodes.ABS_MT_SLOT, ecodes.ABS_MT_POSITION_X, ecodes.ABS_MT_POSITION_Y, ecodes.ABS_MT_TRACKING_ID)
    with UInput({ecodes.EV_ABS: [(code, axis) for code in codes]}, name="panel of a test") as panel:
        assert panel.device.path in set(evdev.list_devices())
        assert panel.device.path in plugged_panels().keys() - before.keys()
