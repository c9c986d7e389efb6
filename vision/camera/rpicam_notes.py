"""Read what ``rpicam-vid`` notes of its automatics, and make the options that hold it."""

import os
import re
from dataclasses import dataclass
from pathlib import Path

from vision.camera.mains import steady_exposure
from vision.messages import CameraSetting

#: Bytes that are read of the program's notes, the last ones: those of about twenty pictures.
MAX_NOTES_BYTES = 1 << 16


@dataclass(frozen=True, slots=True, kw_only=True)
class Noted:
    """What the program's automatics found last, as it noted it; None where the camera has or tells no such thing."""

    shutter_us: float | None = None
    gain: float = 1.0  # analogue and digital
    whites: tuple[float, float] | None = None  # gains of red and blue
    lens: float | None = None  # dioptres, 1 / distance in m

    @property
    def _lit(self) -> bool:
        """Whether exposure and white balance can be held."""
        return self.shutter_us is not None and self.whites is not None

    def shutter(self, longest_us: float) -> float:
        """Round the shutter to whole half waves of the mains, so that lamps do not beat against it; µs.

        ``longest_us``: the time from picture to picture. Gain makes up for what is taken or given.
        """
        return steady_exposure(self.shutter_us or 0.0, longest_us, self.gain)

    def options(self, longest_us: float) -> list[str]:
        """Make the options of ``rpicam-vid`` that hold all this; none if there is nothing to hold."""
        made = []
        if self.shutter_us is not None and self.whites is not None:
            shutter = self.shutter(longest_us)
            gain = max(self.gain * self.shutter_us / max(shutter, 1.0), 1.0)
            red, blue = self.whites
            made += ["--shutter", f"{shutter:.0f}", "--gain", f"{gain:.3f}", "--awbgains", f"{red},{blue}"]
        return [*made, *lens_options(self.lens)]

    def settings(self, longest_us: float) -> tuple[CameraSetting, ...]:
        """Describe what ``options`` hold, and what stays automatic."""
        focus = [] if self.lens is None else [CameraSetting(code="focus", held=True, value=self.lens)]
        ms = self.shutter(longest_us) / 1000 if self._lit else None
        exposure = CameraSetting(code="exposure", held=self._lit, value=ms)
        return (*focus, exposure, CameraSetting(code="white", held=self._lit))


def lens_options(lens: float | None) -> list[str]:
    """Make the options that keep the lens where it is, in dioptres; none of a camera without a lens that moves."""
    return [] if lens is None else ["--autofocus-mode", "manual", "--lens-position", f"{lens:g}"]


def read_notes(notes: Path) -> Noted:
    """Read what the program noted last; its notes may be long, or missing."""
    try:
        with notes.open("rb") as file:
            file.seek(max(0, file.seek(0, os.SEEK_END) - MAX_NOTES_BYTES))
            text = file.read(MAX_NOTES_BYTES).decode("ascii", errors="replace")
    except OSError:
        return Noted()
    number = r"(\d+(?:\.\d+)?)"

    def last(name: str) -> float | None:
        found = re.findall(rf"\b{name}\W+{number}", text)
        return float(found[-1]) if found else None

    whites = re.findall(rf"\bColourGains\W+{number}\s*,\s*{number}", text)
    gain = last("AnalogueGain")
    return Noted(
        shutter_us=last("ExposureTime") if gain is not None else None,
        gain=(gain or 1.0) * (last("DigitalGain") or 1.0),
        whites=(float(whites[-1][0]), float(whites[-1][1])) if whites else None,
        lens=last("LensPosition"),
    )
