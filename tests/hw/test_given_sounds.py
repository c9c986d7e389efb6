"""A loudspeaker whose signals sound as a club wants them; the others have their notes."""

import importlib.util
import wave
from io import BytesIO
from pathlib import Path

from hw.loudspeaker import Loudspeaker
from hw.signals import SIGNALS
from hw.sound import RATE_HZ, tone
from kiosk.parcel.sounds import read_sounds, sound_of
from tests.parcel import made


def seconds(sound: bytes) -> float:
    with wave.open(BytesIO(sound)) as file:
        return file.getnframes() / file.getframerate()


def test_a_signal_of_the_pack_sounds_like_it_and_another_like_its_notes() -> None:
    spec = importlib.util.spec_from_file_location("loud", Path(__file__).with_name("test_loudspeaker.py"))
    assert spec is not None and spec.loader is not None
    loud = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(loud)
    output = loud.FakeOutput()
    pack = read_sounds(made.zipped({"referee.wav": made.wav_file(0.4, rate=48_000, channels=2)}))
    with Loudspeaker(output, lambda message: None, own=lambda signal: sound_of(pack, signal)) as player:
        for signal in ("referee", "wrong"):
            player.play(signal, 70)
        for _ in range(3):  # the first is the moment of silence that tries the loudspeaker out
            assert output.began.acquire(timeout=20)
    heard = [round(seconds(sound), 2) for sound in output.played[1:]]
    assert heard == [0.4, round(len(tone(SIGNALS["wrong"])) / RATE_HZ, 2)]
