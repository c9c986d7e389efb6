"""Which pins are taken, and what is said where they cannot be had."""

import sys
from types import ModuleType

import pytest
from gpiozero.pins.mock import MockFactory

from hw.errors import PinError
from hw.factory import _open_header, on_a_pi, open_factory


class Chips:
    """lgpio with these chips: number → label."""

    def __init__(self, chips):
        self.chips, self.open = chips, set()

    def gpiochip_open(self, number):
        if number not in self.chips:
            raise RuntimeError("can not open gpiochip")
        self.open.add(number)
        return number + 100

    def gpiochip_close(self, handle):
        self.open.remove(handle - 100)

    def gpio_get_chip_info(self, handle):
        return 0, 54, f"gpiochip{handle - 100}", self.chips[handle - 100]


def devices(folder, numbers):
    for number in numbers:
        (folder / f"gpiochip{number}").touch()
    return folder


@pytest.mark.parametrize(
    ("chips", "header"),
    [
        ({0: "pinctrl-bcm2835"}, 0),
        ({0: "pinctrl-bcm2711", 1: "raspberrypi-exp-gpio"}, 0),
        ({0: "gpio-brcmstb@107d508500", 4: "pinctrl-rp1"}, 4),
        ({0: "pinctrl-rp1", 10: "gpio-brcmstb@107d508500"}, 0),
    ],
    ids=["Pi 3", "Pi 4", "Pi 5 before kernel 6.6.45", "Pi 5"],
)
def test_header_is_found_by_its_label(tmp_path, chips, header):
    lgpio = Chips(chips)
    assert _open_header(lgpio, devices(tmp_path, chips)) == (header + 100, header)
    assert lgpio.open == {header}


def test_machine_without_header_is_told(tmp_path):
    lgpio = Chips({0: "INT34C6:00"})
    with pytest.raises(PinError, match="INT34C6:00") as caught:
        _open_header(lgpio, devices(tmp_path, [0, 3]))
    assert "gpiochip3: can not open gpiochip" in str(caught.value)
    assert "GPIOZERO_PIN_FACTORY=mock" in str(caught.value)
    assert lgpio.open == set()


def test_mock_by_name_and_elsewhere(monkeypatch):
    assert isinstance(open_factory("mock"), MockFactory)
    monkeypatch.setenv("GPIOZERO_PIN_FACTORY", "mock")
    assert isinstance(open_factory(), MockFactory)


def test_unknown_factory_is_told(monkeypatch):
    monkeypatch.setenv("GPIOZERO_PIN_FACTORY", "rpigpio")
    with pytest.raises(PinError, match="GPIOZERO_PIN_FACTORY=rpigpio"):
        open_factory()


def test_missing_lgpio_is_told(monkeypatch):
    monkeypatch.setitem(sys.modules, "lgpio", None)
    with pytest.raises(PinError, match="apt install python3-lgpio"):
        open_factory("lgpio")


def test_empty_lgpio_is_told(monkeypatch):
    monkeypatch.setitem(sys.modules, "lgpio", ModuleType("lgpio"))
    with pytest.raises(PinError, match="empty package"):
        open_factory("lgpio")


def test_pi_is_known_by_its_model(tmp_path):
    model = tmp_path / "model"
    assert not on_a_pi(model)
    model.write_bytes(b"Raspberry Pi 5 Model B Rev 1.0\0")
    assert on_a_pi(model)
    model.write_bytes(b"Radxa ROCK 5B\0")
    assert not on_a_pi(model)
