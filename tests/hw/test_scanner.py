"""The scanner's thread, on pseudo terminals: closing the master pulls the scanner out."""

import os
import queue
import threading
import tty

import pytest

from hw import scanner as module
from hw.scanned import Badge, CardCode, Unreadable
from hw.scanner import Plugged, Scanner, Unplugged


class Stand:
    """A folder like /dev/serial/by-id in which scanners are plugged in and pulled out."""

    def __init__(self, folder):
        self.folder = folder
        self.masters = {}

    def plug(self, name="usb-Scanner"):
        master, slave = os.openpty()
        tty.setraw(slave)
        (self.folder / name).symlink_to(os.ttyname(slave))
        self.masters[name] = master, slave
        return self.folder / name

    def pull(self, name="usb-Scanner"):
        (self.folder / name).unlink()
        for end in self.masters.pop(name):
            os.close(end)

    def send(self, data, name="usb-Scanner"):
        os.write(self.masters[name][0], data)


@pytest.fixture
def stand(tmp_path, monkeypatch):
    monkeypatch.setattr(module, "RETRY_INTERVAL_S", 0.02)
    monkeypatch.setattr(module, "READ_TIMEOUT_S", 0.05)
    made = Stand(tmp_path)
    yield made
    for name in list(made.masters):
        made.pull(name)


@pytest.fixture
def listen():
    started = []

    def start(port):
        reports = queue.Queue()
        started.append(Scanner(str(port), 9600, reports.put))

        def heard(timeout=5):
            return reports.get(timeout=timeout)

        return heard

    yield start
    for scanner in started:
        scanner.close()
    assert "scanner" not in [thread.name for thread in threading.enumerate()]


def test_reads_lines(stand, listen):
    heard = listen(stand.plug())
    assert isinstance(heard(), Plugged)
    stand.send(b"P:1234 Anna Muster\r\nht\r")
    badge = heard()
    assert isinstance(badge, Badge)
    assert (badge.number, badge.name) == (1234, "Anna Muster")
    assert heard().card == "HT"
    stand.send(b"4006381333931\r")
    assert heard().text == "4006381333931"


def test_unplug_and_replug_under_another_number(stand, listen):
    path = stand.plug()
    heard = listen(path)
    assert isinstance(heard(), Plugged)
    stand.send(b"HT\r")
    assert isinstance(heard(), CardCode)
    stand.send(b"P:12")
    # the half line, or a part of it, may still be on its way when the cable is pulled; each end is right
    stand.pull()
    reports = [heard()]
    if isinstance(reports[0], Unreadable):
        assert reports[0].text and "P:12".startswith(reports[0].text)
        reports.append(heard())
    assert isinstance(reports[-1], Unplugged)
    assert "plug the scanner in" in reports[-1].why
    spare = os.openpty()  # takes the old number
    stand.plug()
    assert isinstance(heard(), Plugged)  # gone, then not there, is one message
    stand.send(b"DK\n")
    assert heard().card == "DK"
    for end in spare:
        os.close(end)


def test_missing_at_the_start_and_plugged_later_by_a_pattern(stand, listen):
    heard = listen(stand.folder / "usb-*")
    missing = heard()
    assert isinstance(missing, Unplugged)
    assert "no port matches" in missing.why
    stand.plug()
    assert isinstance(heard(), Plugged)


def test_several_scanners_match(stand, listen):
    stand.plug("usb-A")
    stand.plug("usb-B")
    heard = listen(stand.folder / "usb-*")
    assert "2 ports match" in heard().why
    stand.pull("usb-A")
    assert isinstance(heard(), Plugged)


def test_missing_is_told_once(stand, listen):
    heard = listen(stand.folder / "usb-Scanner")
    assert "is not there" in heard().why
    with pytest.raises(queue.Empty):
        heard(timeout=0.3)


def test_port_that_is_no_serial_line(stand, listen, tmp_path):
    path = tmp_path / "file"
    path.write_text("no port")
    report = listen(path)()
    assert isinstance(report, Unplugged)
    assert f"{path} is no serial port" in report.why


def test_second_scanner_on_the_same_port_is_told(stand, listen):
    path = stand.plug()
    first, second = listen(path), None
    assert isinstance(first(), Plugged)
    second = listen(path)
    assert "in use" in second().why
