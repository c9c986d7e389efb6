"""A Raspberry Pi's header in a virtual machine: pins that its kernel simulates, and a bus with a clock display's chip.

The table drives them by gpiozero, lgpio and smbus2 as on a Pi, out of its unit's sandbox. What it does is read at the
other side: the levels of gpio-sim's lines, the memory of the kernel's stub of a bus (i2c-stub). Nothing else stands for
the board but its name in ``/proc/cpuinfo``, by which gpiozero knows a header's pins.
"""

from pathlib import Path

from hw.chips.ht16k33 import COLON, COLON_DOTS, DIGITS
from hw.display import SEGMENTS
from kiosk.bench.vm.errors import MachineError
from kiosk.bench.vm.machine import Machine

_PLACE = "/run/pins"
_CHIP = "/sys/kernel/config/gpio-sim/header"
_DISPLAY = 0x70
#: The program looks for the header's chip by its label (``hw/factory.py``); a Pi 4's has as many lines.
_MAKE_CHIP = f"""\
modprobe configfs && insmod {_PLACE}/gpio-sim-for-tests.ko
mountpoint -q /sys/kernel/config || mount -t configfs configfs /sys/kernel/config
mkdir -p {_CHIP}/bank && echo 54 >{_CHIP}/bank/num_lines && echo pinctrl-simulated >{_CHIP}/bank/label
echo 1 >{_CHIP}/live
modprobe -a i2c-dev && modprobe i2c-stub chip_addr={_DISPLAY:#x} && udevadm settle
"""
#: Revision code of a Raspberry Pi 4 with 2 GB.
_CPUINFO = f"{{ cat /proc/cpuinfo; echo 'Revision : b03115'; }} >{_PLACE}/cpuinfo"
_UNIT = "/run/systemd/system/stichwart-table.service.d/pins.conf"
#: And time to darken the display when it is stopped: without acceleration more than the unit's seconds.
_DROP_IN = (
    f"[Service]\\nEnvironment=GPIOZERO_PIN_FACTORY=lgpio\\nBindReadOnlyPaths={_PLACE}/cpuinfo:/proc/cpuinfo\\n"
    "TimeoutStopSec=600\\n"
)
_PYTHON = "/opt/stichwart/current/.venv/bin/python"
_READ = f"from smbus2 import SMBus; print(*SMBus(1).read_i2c_block_data({_DISPLAY:#x}, 0, 16))"
_SIGNS = {pattern: sign for sign, pattern in SEGMENTS.items()}


class Pins:
    """The header of a machine that is on; its table has it from its next start on.

    :param kit: what :func:`kiosk.bench.vm.pin_kit.make_kit` made for its kernel.
    :param timeout: for what takes it longest, seconds.
    :raises MachineError: the kernel takes the module not, or the bus has another number than a Pi's.
    """

    def __init__(self, machine: Machine, kit: Path, timeout: float) -> None:
        self._shell = machine.shell
        machine.plug_in_stick(kit)
        unpack = f"mkdir -p {_PLACE} && tar -xf /dev/sda -C {_PLACE}"
        self._shell.run(f"until [ -b /dev/sda ]; do sleep 0.5; done; {unpack}")
        machine.pull_out_stick()
        site = f"$({_PYTHON} -c 'import sysconfig; print(sysconfig.get_path(\"platlib\"))')"
        self._shell.run(f"cp {_PLACE}/*lgpio* {site}")
        self._shell.run(f"(set -e; {_MAKE_CHIP})")
        stub = self._shell.run("grep -l '^SMBus stub' /sys/class/i2c-dev/*/name").strip()
        if "/i2c-1/" not in stub:
            raise MachineError(f"the display's bus is {stub}, and a Raspberry Pi's is i2c-1")
        device, bank = f"$(cat {_CHIP}/dev_name)", f"$(cat {_CHIP}/bank/chip_name)"
        self._lines = self._shell.run(f"echo /sys/devices/platform/{device}/{bank}").strip()
        self._shell.run(f"{_CPUINFO}; mkdir -p {Path(_UNIT).parent}")
        # Without acceleration systemd takes minutes to read its units anew.
        self._shell.run(f"printf '{_DROP_IN}' >{_UNIT} && systemctl daemon-reload", timeout=timeout)

    def high(self, pin: int) -> bool:
        """Report whether a line is high."""
        return self._shell.run(f"cat {self._value(pin)}").strip() == "1"

    def until(self, pin: int, *, high: bool, first: str = "", timeout: float) -> None:
        """Wait until a line is high or low.

        :param first: a command of the machine's shell just before. :raises MachineError: not in this time, seconds.
        """
        wait = f"until read level <{self._value(pin)} && [ $level = {int(high)} ]; do sleep 0.02; done"
        self._shell.run(f"{first or ':'}; {wait}", timeout=timeout)

    def push(self, pin: int) -> str:
        """Return the command by which a finger pushes the button at a pin, which leads it to ground."""
        return f"echo pull-down >{self._lines}/sim_gpio{pin}/pull"

    def let_go(self, pin: int) -> str:
        """Return the command by which it lets the button go."""
        return f"echo pull-up >{self._lines}/sim_gpio{pin}/pull"

    def display(self) -> str:
        """Return what the clock display shows, ``12:34``; the chip's memory holds it.

        :raises MachineError: no characters that a clock shows.
        """
        told = self._shell.run(f"{_PYTHON} -c '{_READ}'")
        memory = [int(word) for word in told.split()]
        try:
            signs = [_SIGNS[memory[place]] for place in DIGITS]
        except KeyError as error:
            raise MachineError(f"the display shows no characters: {memory}") from error
        return "".join(signs[:2]) + (":" if memory[COLON] == COLON_DOTS else "") + "".join(signs[2:])

    def _value(self, pin: int) -> str:
        return f"{self._lines}/sim_gpio{pin}/value"
