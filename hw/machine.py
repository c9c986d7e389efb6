"""Look how the machine itself is: heat, power, space on the disk; from the kernel's files, without any program."""

import shutil
from dataclasses import dataclass
from pathlib import Path

#: From here on a Pi slows itself down (Raspberry Pi's documentation, "frequency management").
HOT_C = 80.0
#: With less space an evening's films and lists may not fit, MB.
LOW_DISK_MB = 500

#: Bits of a Pi's get_throttled (Raspberry Pi's documentation, vcgencmd): now, and since it was started.
_UNDER_VOLTAGE, _SLOWED, _EVER = 0x1, 0x2 | 0x4 | 0x8, 16

_THROTTLED = ("sys/devices/platform/soc/soc:firmware/get_throttled", "sys/devices/platform/*/*firmware/get_throttled")


@dataclass(frozen=True, slots=True, kw_only=True)
class MachineState:
    """How the machine is; None: it does not tell."""

    temperature_c: float | None
    under_voltage: bool | None  # now
    was_under_voltage: bool | None  # at any time since it was started
    slowed: bool | None  # for heat or want of power, now
    free_mb: int | None  # where the data lie
    up_s: float | None = None  # since it was started

    @property
    def hot(self) -> bool:
        """Whether it slows itself down for heat, or soon will."""
        return self.temperature_c is not None and self.temperature_c >= HOT_C

    @property
    def disk_low(self) -> bool:
        """Whether the disk is nearly full."""
        return self.free_mb is not None and self.free_mb < LOW_DISK_MB


def look_at_machine(data: Path, root: Path = Path("/")) -> MachineState:
    """Read the machine's state.

    :param data: a folder on the disk that is asked about.
    :param root: where the kernel's files lie, for tests.
    """
    throttled = _throttled(root)
    alarm = _voltage_alarm(root)
    try:
        free = shutil.disk_usage(data).free // 1_000_000
    except OSError:
        free = None
    ever = None if throttled is None else bool(throttled >> _EVER & _UNDER_VOLTAGE)
    return MachineState(
        temperature_c=_temperature(root),
        under_voltage=alarm if throttled is None else bool(throttled & _UNDER_VOLTAGE),
        was_under_voltage=alarm if ever is None else ever,
        slowed=None if throttled is None else bool(throttled & _SLOWED),
        free_mb=free,
        up_s=_up(root),
    )


def _up(root: Path) -> float | None:
    """Seconds since the machine was started."""
    words = _read(root / "proc" / "uptime").split()
    return float(words[0]) if words else None


def _temperature(root: Path) -> float | None:
    """The hottest of what the kernel measures."""
    found = []
    for zone in root.glob("sys/class/thermal/thermal_zone*/temp"):
        text = _read(zone)
        if text.lstrip("-").isdigit():
            found.append(int(text) / 1000)
    return max(found, default=None)


def _throttled(root: Path) -> int | None:
    for pattern in _THROTTLED:
        for path in root.glob(pattern):
            try:
                return int(_read(path), 16)
            except ValueError:
                continue
    return None


def _voltage_alarm(root: Path) -> bool | None:
    """The kernel's own watch on a Pi's voltage (raspberrypi-hwmon), where the firmware's file is missing."""
    for name in root.glob("sys/class/hwmon/hwmon*/name"):
        if _read(name) == "rpi_volt":
            return _read(name.with_name("in0_lcrit_alarm")) == "1"
    return None


def _read(path: Path) -> str:
    try:
        return path.read_text(encoding="ascii", errors="replace").strip()
    except OSError:
        return ""
