"""Signals and words on a loudspeaker: one contract for a fake and for aplay into a WAV file, by ALSA's own plugin."""

import io
import queue
import shutil
import threading
import wave

import numpy
import pytest

from hw.errors import SoundError
from hw.loudspeaker import (
    SIGNAL_STALE_S,
    WORDS_STALE_S,
    AlsaOutput,
    Loudspeaker,
    LoudspeakerState,
    Unheard,
    loudspeakers,
)
from hw.signals import SIGNALS
from hw.sound import RATE_HZ, speak, tone, wav
from kiosk.parcel.sounds import read_sounds, sound_of
from tests.parcel import made

pytestmark = pytest.mark.hardware

needs_alsa = pytest.mark.skipif(shutil.which("aplay") is None, reason="aplay is missing: apt install alsa-utils")
needs_espeak = pytest.mark.skipif(shutil.which("espeak-ng") is None, reason="apt install espeak-ng")


class FakeOutput:
    """An output that keeps what it is given; ``hold`` lets a sound go on until it is released or stopped."""

    def __init__(self):
        self.played, self.broken = [], False
        self.began, self.going = threading.Semaphore(0), threading.Event()
        self.stopped = 0
        self.going.set()

    def hold(self):
        self.going.clear()

    def play(self, sound, seconds):
        if self.broken:
            raise SoundError("unplugged: plug it in")
        self.played.append(sound)
        self.began.release()
        assert self.going.wait(60)

    def stop(self):
        self.stopped += 1
        self.going.set()

    def heard(self):
        return b"".join(samples_in(sound).astype("<i2").tobytes() for sound in self.played)


class AlsaFile(AlsaOutput):
    """aplay into a file, by ALSA's plugins ``file`` and ``null``."""

    def __init__(self, folder, monkeypatch):
        self.folder = folder
        monkeypatch.setenv("ALSA_CONFIG_PATH", f"/usr/share/alsa/alsa.conf:{folder / 'asound.conf'}")
        super().__init__("tape")
        self.number = 0

    def play(self, sound, seconds):
        self.number += 1
        config = self.folder / "asound.conf"
        file = self.folder / f"{self.number:03}.raw"
        config.write_text(f'pcm.tape {{ type file slave.pcm null file "{file}" format raw }}\n')
        super().play(sound, seconds)

    def heard(self):
        return b"".join(path.read_bytes() for path in sorted(self.folder.glob("*.raw")))


@pytest.fixture(params=["fake", pytest.param("alsa", marks=needs_alsa)])
def output(request, tmp_path, monkeypatch):
    return FakeOutput() if request.param == "fake" else AlsaFile(tmp_path, monkeypatch)


def samples_of(data):
    return numpy.frombuffer(data, "<i2").astype(float)


def samples_in(sound):
    with wave.open(io.BytesIO(sound)) as file:
        return samples_of(file.readframes(10**7))


# --- the contract of an output


@pytest.mark.parametrize("name", ["taken", "breach", "director"])
def test_what_is_played_comes_out_sample_by_sample(output, name):
    sound = wav(tone(SIGNALS[name]), 70)
    output.play(sound, 1.0)
    heard, wanted = samples_of(output.heard()), samples_in(sound)
    assert numpy.array_equal(heard[: len(wanted)], wanted)
    assert not heard[len(wanted) :].any(), "ALSA fills its last period with silence"


def test_stopping_what_does_not_sound_does_nothing(output):
    output.stop()
    output.play(wav(tone(SIGNALS["taken"]), 70), 1.0)
    output.stop()
    assert output.heard()


@needs_alsa
def test_a_device_that_is_not_there_is_named_with_the_way_out():
    with pytest.raises(SoundError, match=r"no sound by 'plughw:CARD=Nowhere'.*plug the loudspeaker in"):
        AlsaOutput("plughw:CARD=Nowhere").play(wav(tone(SIGNALS["taken"]), 70), 1.0)


def test_without_aplay_it_says_what_to_install(monkeypatch):
    monkeypatch.setenv("PATH", "/nowhere")
    with pytest.raises(SoundError, match="apt install alsa-utils"):
        AlsaOutput("default").play(b"", 0.0)


def test_cards_are_listed_as_alsa_names_them(tmp_path):
    assert loudspeakers(tmp_path) == ()
    (tmp_path / "card1").mkdir()
    (tmp_path / "Device").symlink_to("card1")
    assert loudspeakers(tmp_path) == ("default", "plughw:CARD=Device")


# --- the sounds


def spectrum_peak(samples):
    return numpy.argmax(numpy.abs(numpy.fft.rfft(samples))) * RATE_HZ / len(samples)


def test_every_signal_is_short_sounds_and_cracks_nowhere():
    for name, notes in SIGNALS.items():
        samples = numpy.array(tone(notes))
        assert 0.1 <= len(samples) / RATE_HZ <= 5, name
        assert 0.3 < numpy.abs(samples).max() <= 1, name
        assert abs(samples[0]) < 0.05 and abs(samples[-1]) < 0.05, name


@pytest.mark.parametrize("pitch", [392.0, 880.0, 1568.0])
def test_a_note_has_its_pitch(pitch):
    assert spectrum_peak(tone(((pitch, 0.5),))) == pytest.approx(pitch, abs=2.1)


@pytest.mark.parametrize("volume, share", [(0, 0.0), (50, 0.2375), (100, 0.95)])
def test_volume_scales_the_peak_by_squares(volume, share):
    peak = numpy.abs(samples_in(wav(tone(SIGNALS["director"]), volume))).max()
    assert peak / 32767 == pytest.approx(share, abs=0.001)


@needs_espeak
def test_words_are_spoken_in_both_languages_and_longer_ones_longer():
    short, long_, english = speak("Re", "de"), speak("Bernd: keine neunzig", "de"), speak("Bernd: no ninety", "en")
    assert len(long_) > len(short) > RATE_HZ * 0.1
    assert long_[: len(english)] != english[: len(long_)]


@needs_espeak
def test_what_people_are_called_is_no_option_of_the_program():
    assert len(speak("--help", "de")) > 0


def test_without_espeak_it_says_what_to_install(monkeypatch):
    monkeypatch.setenv("PATH", "/nowhere")
    with pytest.raises(SoundError, match="apt install espeak-ng"):
        speak("Re", "de")


# --- the player


class Time:
    def __init__(self):
        self.at = 0.0

    def __call__(self):
        return self.at


@pytest.fixture
def player():
    """A player on a fake output that has tried it out, its messages and its time."""
    output, messages, time = FakeOutput(), queue.Queue(), Time()
    with Loudspeaker(output, messages.put, clock=time) as speaker:
        assert messages.get(timeout=60) == LoudspeakerState(works=True)
        assert output.began.acquire(timeout=60)
        output.played.clear()
        yield speaker, output, messages, time


def played(output, count):
    for _ in range(count):
        assert output.began.acquire(timeout=60)
    return output.played


def test_signals_sound_in_order_each_once(player):
    speaker, output, _, _ = player
    output.hold()
    speaker.play("director", 50)
    played(output, 1)
    for name in ("breach", "taken", "breach"):
        speaker.play(name, 50)
    output.going.set()
    assert played(output, 2) == [wav(tone(SIGNALS[name]), 50) for name in ("director", "breach", "taken")]


@pytest.mark.parametrize("late, count", [(SIGNAL_STALE_S - 0.1, 2), (SIGNAL_STALE_S + 0.1, 1)], ids=["new", "stale"])
def test_a_signal_that_waited_too_long_is_not_played(player, late, count):
    speaker, output, _, time = player
    output.hold()
    speaker.play("director", 50)
    played(output, 1)
    speaker.play("breach", 50)
    time.at += late
    output.going.set()
    speaker.play("taken", 50)
    played(output, count)
    assert len(output.played) == 1 + count


def test_of_words_only_the_newest_wait_and_stale_ones_are_not_spoken(player, monkeypatch):
    speaker, output, _, time = player
    said = []
    monkeypatch.setattr("hw.loudspeaker.speak", lambda text, language: said.append(text) or tone(SIGNALS["taken"]))
    output.hold()
    speaker.play("director", 50)
    played(output, 1)
    speaker.say("Anna: Re", "de", 50)
    speaker.say("Bernd: Kontra", "de", 50)
    output.going.set()
    played(output, 1)
    assert said == ["Bernd: Kontra"]
    output.hold()
    speaker.play("breach", 50)
    played(output, 1)
    speaker.say("Cem: keine 90", "de", 50)
    time.at += WORDS_STALE_S + 0.1
    output.going.set()
    speaker.say("Dora: keine 60", "de", 50)
    played(output, 1)
    assert said == ["Bernd: Kontra", "Dora: keine 60"]


def test_a_signal_cuts_words_off(player, monkeypatch):
    speaker, output, _, _ = player
    monkeypatch.setattr("hw.loudspeaker.speak", lambda text, language: tone(SIGNALS["taken"]))
    output.hold()
    speaker.say("Anna: Re", "de", 50)
    played(output, 1)
    speaker.play("breach", 50)
    played(output, 1)
    assert output.stopped == 1
    assert output.played[-1] == wav(tone(SIGNALS["breach"]), 50)


def test_a_loudspeaker_pulled_out_is_told_once_and_the_signal_handed_back(player):
    speaker, output, messages, _ = player
    output.broken = True
    speaker.play("breach", 50)
    assert messages.get(timeout=60) == LoudspeakerState(works=False, why="unplugged: plug it in")
    assert messages.get(timeout=60) == Unheard(signal="breach")
    assert not speaker.works
    speaker.play("taken", 50)
    assert messages.get(timeout=60) == Unheard(signal="taken")
    output.broken = False
    speaker.play("doubt", 50)
    assert messages.get(timeout=60) == LoudspeakerState(works=True)


def test_without_espeak_signals_sound_all_the_same(player, monkeypatch):
    speaker, output, messages, _ = player

    def mute(text, language):
        raise SoundError("espeak-ng is missing")

    monkeypatch.setattr("hw.loudspeaker.speak", mute)
    speaker.say("Anna: Re", "de", 50)
    assert messages.get(timeout=60) == LoudspeakerState(works=True, why="espeak-ng is missing")
    speaker.play("taken", 50)
    played(output, 1)


def test_nobody_waits_for_a_sound(player):
    """While one sounds without end, calls return; closing cuts it off."""
    speaker, output, _, _ = player
    output.hold()
    speaker.play("time_up", 50)
    played(output, 1)
    for _ in range(100):
        speaker.play("breach", 50)
        speaker.say("Anna: Re", "de", 50)
    speaker.close()
    assert output.stopped


def test_an_unknown_signal_is_an_error(player):
    with pytest.raises(KeyError):
        player[0].play("fanfare", 50)


def test_a_signal_of_a_clubs_pack_sounds_like_it_and_another_like_its_notes():
    output, pack = FakeOutput(), read_sounds(made.zipped({"referee.wav": made.wav_file(0.4, rate=48_000, channels=2)}))
    with Loudspeaker(output, lambda message: None, own=lambda signal: sound_of(pack, signal)) as speaker:
        for signal in ("referee", "wrong"):
            speaker.play(signal, 70)
        _, own, other = played(output, 3)  # the first is the moment of silence that tries the loudspeaker out
    with wave.open(io.BytesIO(own)) as file:
        assert file.getnframes() / file.getframerate() == pytest.approx(0.4)
    assert other == wav(tone(SIGNALS["wrong"]), 70)
