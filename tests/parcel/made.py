"""Parcels for tests: small and whole."""

import io
import json
import wave
import zipfile
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from vision.deck.deck import Deck

#: A catalogue that says one word otherwise.
WORDS = b'msgctxt "values"\nmsgid "fuchs"\nmsgstr "Reineke"\n'

SETTINGS = json.dumps({"sound": {"volume": 40, "quiet": "22:00-07:00"}, "screen": {"language": "en"}}).encode()


def faces(count: int = 4, seed: int = 1) -> dict[str, Any]:
    """Pictures as of the smallest card."""
    chance = np.random.default_rng(seed)
    ranks = "A9TQKJ78"
    labels = [f"{suit}{rank}" for suit in "CSHD" for rank in ranks][:count]
    return {label: chance.integers(0, 255, (92, 80, 3), dtype=np.uint8) for label in labels}


def deck_file(folder: Path, count: int = 4, seed: int = 1, name: str = "vereinsblatt") -> bytes:
    """The file of a deck of as many faces."""
    return Deck(name, (20.0, 23.0), faces(count, seed), 1).save(folder).read_bytes()


def wav_file(seconds: float = 0.1, rate: int = 8000, channels: int = 1, width: int = 2) -> bytes:
    """A WAV file."""
    whole = io.BytesIO()
    with wave.open(whole, "wb") as file:
        file.setnchannels(channels)
        file.setsampwidth(width)
        file.setframerate(rate)
        file.writeframes(bytes([1, 16] * (width // 2) or [1]) * round(seconds * rate) * channels)
    return whole.getvalue()


@cache
def sounds(*names: str) -> bytes:
    """A pack with a file of these names each."""
    return zipped({name: wav_file() for name in names or ("referee.wav",)})


def zipped(files: dict[str, bytes]) -> bytes:
    """A ZIP archive."""
    whole = io.BytesIO()
    with zipfile.ZipFile(whole, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return whole.getvalue()
