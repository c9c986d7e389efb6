"""A webcam's controls without a webcam, and a program that answers as ``v4l2-ctl`` does."""

import stat
import sys
import textwrap
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from vision.camera.controls import Control, ControlError, ControlId

#: Menus; other numbers go to the nearest that the driver has, as the kernel does it.
MENUS = {ControlId.MAINS, ControlId.EXPOSURE_AUTO}


def webcam() -> dict[int, Control]:
    """The controls of a webcam with autofocus as it is plugged in, by the kernel's names since 5.16."""
    return {
        ControlId.WHITE_AUTO: Control(name="white_balance_automatic", value=1, low=0, high=1, default=1),
        ControlId.MAINS: Control(name="power_line_frequency", value=2, low=0, high=2, default=2),
        ControlId.WHITE_KELVIN: Control(
            name="white_balance_temperature", value=4000, low=2000, high=6500, default=4000
        ),
        ControlId.EXPOSURE_AUTO: Control(name="auto_exposure", value=3, low=0, high=3, default=3),
        ControlId.EXPOSURE: Control(name="exposure_time_absolute", value=333, low=3, high=2047, default=250),
        ControlId.FOCUS: Control(name="focus_absolute", value=35, low=0, high=250, default=0),
        ControlId.FOCUS_AUTO: Control(name="focus_automatic_continuous", value=1, low=0, high=1, default=1),
    }


class FakeControls:
    """Controls that keep what they are told, as a driver does."""

    def __init__(self, controls: Mapping[int, Control] | None = None) -> None:
        self.controls = dict(controls if controls is not None else webcam())
        self.gone = False

    def read(self) -> Mapping[int, Control]:
        if self.gone:
            raise ControlError("the camera is gone")
        return dict(self.controls)

    def set(self, number: int, value: int) -> None:
        control = self.read().get(number)
        if control is None:
            raise ControlError(f"no control {number:#x}")
        assert control.low is not None and control.high is not None
        if number in MENUS and not control.low <= value <= control.high:
            raise ControlError(f"{control.name} has no {value}")
        self.controls[number] = replace(control, value=min(max(value, control.low), control.high))


PROGRAM = """\
    #!{python} -IS
    import json, sys
    device, what = sys.argv[2:]
    rows = json.load(open({state!r}))
    if device != "/dev/video7":
        sys.exit("Cannot open device " + device + ", exiting.")
    if what == "--list-ctrls":
        print("\\nUser Controls\\n")
        print("                     brightness 0x00980900 (int)    : min=-64 max=64 step=1 default=0 value=0")
        print("\\nCamera Controls\\n")
        for number, (name, kind, low, high, default, value) in rows.items():
            limits = "" if kind == "bool" else f"min={{low}} max={{high}} " + ("step=1 " if kind == "int" else "")
            shown = f"{{value}} (Manual Mode)" if kind == "menu" else value
            flags = " flags=inactive" if name == "exposure_time_absolute" else ""
            print(f"{{name:>31}} 0x{{int(number):08x}} ({{kind}}){{' ' * (7 - len(kind))}}: {{limits}}"
                  f"default={{default}} value={{shown}}{{flags}}")
        print("                  reset 0x009a0999 (button) : value=0 flags=write-only, execute-on-write")
        print("                  notes 0x009a0998 (str)    : min=0 max=63 step=1 value='value=3'")
        print("                   area 0x009a0997 (bitmask): max=0x000000ff default=0x00000000 value=0x00000001")
    else:
        name, value = what.removeprefix("--set-ctrl=").split("=")
        for row in rows.values():
            if row[0] == name:
                if row[1] == "menu" and not row[2] <= int(value) <= row[3]:
                    print("VIDIOC_S_EXT_CTRLS: failed: Numerical result out of range", file=sys.stderr)
                    sys.exit({refusal})
                row[5] = min(max(int(value), row[2]), row[3])
                break
        else:
            sys.exit("unknown control '" + name + "'")
        json.dump(rows, open({state!r}, "w"))
"""


def fake_v4l2_ctl(folder: Path, refusal: int = 255) -> str:
    """Write a program into a folder that answers of ``/dev/video7`` as ``v4l2-ctl`` 1.22 does; its path."""
    import json

    rows = {
        int(number): (
            one.name,
            "menu" if number in MENUS else "bool" if one.high == 1 else "int",
            one.low,
            one.high,
            one.default,
            one.value,
        )
        for number, one in webcam().items()
    }
    state = folder / "state.json"
    state.write_text(json.dumps(rows))
    program = folder / "v4l2-ctl"
    program.write_text(textwrap.dedent(PROGRAM).format(python=sys.executable, state=str(state), refusal=refusal))
    program.chmod(program.stat().st_mode | stat.S_IXUSR)
    return str(program)
