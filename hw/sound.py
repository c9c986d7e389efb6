"""Synthesise signals and speech as samples, and write them as WAV.

Without NumPy, which would cost the table's process 25 MB for a few seconds of tones that are made once.
"""

import io
import math
import subprocess
import wave
from array import array
from collections.abc import Iterable
from typing import TYPE_CHECKING, TypeAlias

from hw.errors import SoundError
from hw.signals import Notes

#: Between -1 and 1.
if TYPE_CHECKING:
    Samples: TypeAlias = array[float]
else:  # Python 3.11 knows no ``array[float]`` when it runs
    Samples = array

#: Samples a second, mono, 16 bit: what espeak-ng gives, and enough for notes below 5 kHz.
RATE_HZ = 22_050

#: Shares of a tone's first partials; a pure sine is hard to place in a loud room.
_PARTIALS = (1.0, 0.35, 0.15)
#: Seconds in which a note swells and ends, so that it does not crack.
_EDGE_S = 0.008
#: A note falls to this share of its start until its end, as a struck bar does.
_FALL = 0.35

#: Seconds that espeak-ng may take for some words; a Pi 4 needs 0.1.
_SPEAK_TIMEOUT_S = 4.0
_VOICES = {"de": "de", "en": "en"}


def tone(notes: Notes) -> Samples:
    """Synthesise notes by a few partials with a falling envelope: samples between -1 and 1."""
    samples = array("f")
    for pitch, seconds in notes:
        samples.extend(_note(pitch, seconds))
    return samples


def _note(pitch: float, seconds: float) -> Iterable[float]:
    count = round(seconds * RATE_HZ)
    if pitch <= 0:
        return bytes(count)
    turn, fall, edge = 2 * math.pi * pitch / RATE_HZ, _FALL ** (1 / count), _EDGE_S * RATE_HZ
    first, second, third = (share / sum(_PARTIALS) for share in _PARTIALS)
    sin = math.sin
    return (
        (first * sin(turn * at) + second * sin(2 * turn * at) + third * sin(3 * turn * at))
        * fall**at
        * min(1.0, at / edge, (count - at) / edge)
        for at in range(count)
    )


def speak(text: str, language: str) -> Samples:
    """Speak a text by espeak-ng: samples between -1 and 1.

    :raises SoundError: espeak-ng is not there, or gives no sound.
    """
    words = ["espeak-ng", "-v", _VOICES[language], "-s", "150", "--stdin", "--stdout"]
    try:
        done = subprocess.run(words, input=text.encode(), capture_output=True, timeout=_SPEAK_TIMEOUT_S, check=True)
    except FileNotFoundError as error:
        raise SoundError("espeak-ng is missing: apt install espeak-ng, or switch the spoken words off") from error
    except (OSError, subprocess.SubprocessError) as error:
        raise SoundError(f"espeak-ng does not speak {text!r}: {error}") from error
    begin = done.stdout.find(b"data")  # it writes to a pipe, so the lengths in its header are not true
    if begin < 0:
        raise SoundError(f"espeak-ng gave no sound for {text!r}: {done.stderr.decode(errors='replace').strip()}")
    data = done.stdout[begin + 8 :]
    return array("f", (sample / 32768 for sample in array("h", data[: len(data) // 2 * 2])))


def wav(samples: Samples, volume: int) -> bytes:
    """Write samples as a WAV file; ``volume`` in percent is made louder by squares, as ears hear it."""
    peak = max(map(abs, samples), default=0.0)
    gain = (volume / 100) ** 2 * 0.95 / peak * 32767 if peak else 0.0
    whole = io.BytesIO()
    with wave.open(whole, "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(RATE_HZ)
        file.writeframes(array("h", (round(sample * gain) for sample in samples)).tobytes())
    return whole.getvalue()
