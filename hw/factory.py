"""Open the pins' factory: a Raspberry Pi's header by lgpio, anywhere else gpiozero's mock."""

import atexit
import os
import shutil
import tempfile
from pathlib import Path

from gpiozero.pins import Factory
from gpiozero.pins.mock import MockFactory

from hw.errors import PinError

MODEL = Path("/proc/device-tree/model")


def on_a_pi(model: Path = MODEL) -> bool:
    """Report whether this machine is a Raspberry Pi."""
    try:
        return model.read_bytes().startswith(b"Raspberry Pi")
    except OSError:
        return False


def open_factory(name: str | None = None) -> Factory:
    """Open the pins' factory.

    :param name: ``lgpio`` or ``mock``; left out: what GPIOZERO_PIN_FACTORY says, else lgpio on a Pi and mock elsewhere.
    :raises PinError: another name, or a Pi whose pins cannot be had. There is no falling back: a table whose lamps stay
        dark without a word would be worse.
    """
    name = name or os.environ.get("GPIOZERO_PIN_FACTORY") or ("lgpio" if on_a_pi() else "mock")
    if name == "mock":
        return MockFactory()
    if name == "lgpio":
        return _lgpio_factory()
    raise PinError(f"GPIOZERO_PIN_FACTORY={name}: take lgpio on a Raspberry Pi, or mock")


def _lgpio_factory() -> Factory:
    # lgpio goes to its working folder as soon as it is imported, makes a pipe there, and fails where it may not.
    if "LG_WD" not in os.environ:
        os.environ["LG_WD"] = tempfile.mkdtemp(prefix="stichwart-lgpio-")
        atexit.register(shutil.rmtree, os.environ["LG_WD"], ignore_errors=True)
    here = os.getcwd()
    try:
        import lgpio

        os.chdir(here)
    except ImportError as error:
        raise PinError(f"lgpio is missing ({error}): apt install python3-lgpio, then start stichwart again") from error
    if not hasattr(lgpio, "gpiochip_open"):  # pip's 0.0.0.2, the only one it finds for Python 3.13, is empty
        raise PinError(
            f"lgpio at {getattr(lgpio, '__file__', '?')} is an empty package: pip uninstall lgpio and "
            "apt install python3-lgpio, then start stichwart again"
        )
    from gpiozero.pins.lgpio import LGPIOFactory, LGPIOPin
    from gpiozero.pins.local import LocalPiFactory

    class HeaderFactory(LGPIOFactory):
        """gpiozero's, on the chip that carries the header.

        gpiozero 2.0.1 takes chip 4 on every Pi 5; since kernel 6.6.45 it is chip 0 there (gpiozero #1166).
        """

        def __init__(self) -> None:
            LocalPiFactory.__init__(self)
            self._handle, self._chip = _open_header(lgpio)
            self.pin_class = LGPIOPin

    return HeaderFactory()


def _open_header(lgpio: object, devices: Path = Path("/dev")) -> tuple[int, int]:
    """Handle and number of the chip whose label is ``pinctrl-…``: pinctrl-bcm2835, pinctrl-bcm2711, pinctrl-rp1."""
    told = []
    for device in sorted(devices.glob("gpiochip*")):
        number = int(device.name.removeprefix("gpiochip"))
        try:
            handle = lgpio.gpiochip_open(number)  # type: ignore[attr-defined]
        except Exception as error:  # noqa: BLE001 - lgpio.error is a plain Exception of its own
            told.append(f"{device}: {error}")
            continue
        _, _, _, label = lgpio.gpio_get_chip_info(handle)  # type: ignore[attr-defined]
        if label.startswith("pinctrl-"):
            return handle, number
        lgpio.gpiochip_close(handle)  # type: ignore[attr-defined]
        told.append(f"{device}: {label}")
    raise PinError(
        f"no chip carries the header's pins ({'; '.join(told) or 'no /dev/gpiochip*'}): put this user into the group "
        "gpio, or start with GPIOZERO_PIN_FACTORY=mock"
    )
