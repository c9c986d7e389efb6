"""Set the brightness of the screen's backlight, where the kernel has one."""

from pathlib import Path

#: Backlights of the kernel (Documentation/ABI/stable/sysfs-class-backlight).
BACKLIGHTS = Path("/sys/class/backlight")

#: Less than this nobody finds the screen again, percent.
DIMMEST = 5


class Backlight:
    """The first backlight that this user may set."""

    def __init__(self, folder: Path = BACKLIGHTS) -> None:
        self._light = next(
            (path for path in sorted(folder.glob("*")) if _number(path / "max_brightness") and _settable(path)), None
        )

    @property
    def there(self) -> bool:
        """Whether there is one."""
        return self._light is not None

    def set(self, percent: int) -> bool:
        """Set the brightness; report whether it could be set."""
        if self._light is None:
            return False
        steps = _number(self._light / "max_brightness")
        value = max(1, round(steps * max(DIMMEST, min(100, percent)) / 100))
        try:
            (self._light / "brightness").write_text(f"{value}\n")
        except OSError:  # the panel was unplugged, or its rights have changed
            self._light = None
            return False
        return True


def _settable(path: Path) -> bool:
    try:
        with (path / "brightness").open("r+"):
            return True
    except OSError:
        return False


def _number(path: Path) -> int:
    try:
        return int(path.read_text())
    except (OSError, ValueError):
        return 0
