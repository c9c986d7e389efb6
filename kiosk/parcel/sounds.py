"""Read a pack of sounds: a ZIP archive with a WAV file for each signal that shall sound otherwise."""

import io
import wave
import zipfile
from array import array
from collections.abc import Mapping
from pathlib import PurePosixPath

from hw.signals import SIGNALS
from hw.sound import RATE_HZ, Samples
from kiosk.errors import shorten
from kiosk.parcel.parcel import BadParcel
from vision.deck.file_check import BROKEN

#: Seconds that a signal may take, its samples a second, and bytes of a file: 5 s in stereo at 48 kHz.
_LONGEST_S, _RATES_HZ, _LARGEST = 5.0, (8_000, 48_000), 1_000_000

#: What archives made on other systems hold besides.
_BESIDE = ("__MACOSX", ".")


def read_sounds(content: bytes) -> dict[str, bytes]:
    """Return the WAV files of a pack by signal, each looked through.

    :raises BadParcel: it is no such pack; the name of the file is told.
    """
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as stored:
            entries = [one for one in stored.infolist() if not one.is_dir() and not _beside(one.filename)]
            found: dict[str, bytes] = {}
            for entry in entries:
                signal = _signal_of(entry.filename)
                if signal in found:
                    raise BadParcel("parcel_sounds_twice", f"{signal}.wav stands there twice", name=f"{signal}.wav")
                if entry.file_size > _LARGEST:
                    raise BadParcel("parcel_sounds_wav", f"{signal}.wav: too large", name=f"{signal}.wav")
                found[signal] = stored.read(entry)
    except BadParcel:
        raise
    except BROKEN as error:
        raise BadParcel("parcel_sounds", f"no ZIP archive that can be read: {error}") from error
    if not found:
        raise BadParcel("parcel_sounds", "nothing is in it")
    for signal, sound in found.items():
        samples_of(sound, signal)
    return found


def samples_of(sound: bytes, signal: str) -> Samples:
    """Read a WAV file of 16 bits, one or two channels: samples between -1 and 1 at ``RATE_HZ``, one channel.

    :raises BadParcel: it is none, or lasts too long.
    """
    name = f"{signal}.wav"
    try:
        with wave.open(io.BytesIO(sound)) as file:
            channels, rate, count = file.getnchannels(), file.getframerate(), file.getnframes()
            right = file.getsampwidth() == 2 and channels in (1, 2) and _RATES_HZ[0] <= rate <= _RATES_HZ[1]
            if not right or not 0 < count <= _LONGEST_S * rate:
                raise BadParcel("parcel_sounds_wav", f"{name}: not 16 bits, 8 to 48 kHz, at most 5 s", name=name)
            data = file.readframes(count)
    except BadParcel:
        raise
    except (wave.Error, ZeroDivisionError, *BROKEN) as error:
        raise BadParcel("parcel_sounds_wav", f"{name}: {error}", name=name) from error
    whole = array("h", data[: len(data) // 2 * 2])
    one = whole[::channels]
    if not one:
        raise BadParcel("parcel_sounds_wav", f"{name}: nothing is in it", name=name)
    step = rate / RATE_HZ
    return array("f", (one[int(at * step)] / 32768 for at in range(int(len(one) / step))))


def _beside(name: str) -> bool:
    return any(part.startswith(_BESIDE) for part in PurePosixPath(name).parts)


def _signal_of(name: str) -> str:
    """The signal that a file of the archive is for, whatever folder it lies in there."""
    path = PurePosixPath(name)
    if path.suffix.lower() != ".wav" or path.stem not in SIGNALS:
        known = ", ".join(f"{signal}.wav" for signal in SIGNALS)
        raise BadParcel("parcel_sounds_name", f"{shorten(name)} is for no signal", name=name[:80], known=known)
    return path.stem


def sound_of(pack: Mapping[str, bytes], signal: str) -> Samples | None:
    """Return what a pack has for a signal; None: the usual notes."""
    return samples_of(pack[signal], signal) if signal in pack else None
