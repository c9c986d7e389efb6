"""Play signals and spoken words on a loudspeaker, from a thread of its own; what is stale is not played.

Sound goes out by ``aplay`` of Debian's alsa-utils, a process for each sound: it needs no window, no sound server and no
Python while it sounds, finds a loudspeaker that was plugged in later, and can be cut off.
"""

import subprocess
import threading
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Protocol, Self, TypeAlias

from hw.clock import now
from hw.errors import SoundError
from hw.signals import SIGNALS
from hw.sound import RATE_HZ, Samples, speak, tone, wav

#: Seconds after which a signal, or words, have become stale while others sounded.
SIGNAL_STALE_S, WORDS_STALE_S = 4.0, 2.5
#: Seconds between two looks for a loudspeaker that is not there.
RETRY_INTERVAL_S = 5.0
#: Seconds that a sound may take beyond its own length until its process is ended.
_PATIENCE_S = 3.0

#: Sound cards that ALSA knows.
CARDS = Path("/proc/asound")


@dataclass(frozen=True, slots=True, kw_only=True)
class LoudspeakerState:
    """Whether the loudspeaker works; reported at the start and each time it changes."""

    works: bool
    why: str = ""  # what is wrong and the way out


@dataclass(frozen=True, slots=True, kw_only=True)
class Unheard:
    """A signal that the loudspeaker could not play: something else has to give it."""

    signal: str


LoudspeakerMessage: TypeAlias = LoudspeakerState | Unheard


class Output(Protocol):
    """A way out for sound."""

    def play(self, sound: bytes, seconds: float) -> None:
        """Play a WAV file of this length and return once it has sounded or was stopped.

        :raises SoundError: it cannot be played; the text says what to do.
        """

    def stop(self) -> None:
        """Cut off what sounds, from any thread; nothing sounds: nothing happens."""


class AlsaOutput:
    """ALSA's way out, by aplay.

    :param device: as ``aplay -L`` names it: ``default``, ``plughw:CARD=Device`` …
    """

    def __init__(self, device: str) -> None:
        self.device = device
        self._lock = threading.Lock()
        self._process: subprocess.Popen[bytes] | None = None
        self._stopped = False

    def play(self, sound: bytes, seconds: float) -> None:
        command = ["aplay", "-q", "-D", self.device, "-"]
        pipe = subprocess.PIPE
        try:
            with self._lock:
                self._stopped = False
                process = self._process = subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe)
        except OSError as error:
            raise SoundError(f"aplay cannot be started ({error}): apt install alsa-utils") from error
        try:
            _, told = process.communicate(sound, timeout=seconds + _PATIENCE_S)
        except subprocess.TimeoutExpired:
            process.kill()
            process.communicate()
            raise SoundError(f"the loudspeaker {self.device!r} hangs: plug it in again") from None
        finally:
            with self._lock:
                self._process = None
                stopped = self._stopped
        if process.returncode and not stopped:
            raise SoundError(
                f"no sound by {self.device!r} ({_last_line(told)}): plug the loudspeaker in, or choose another one"
            )

    def stop(self) -> None:
        with self._lock:
            if self._process is not None:
                self._stopped = True
                self._process.kill()


def _last_line(told: bytes) -> str:
    lines = told.decode(errors="replace").strip().splitlines()
    return lines[-1] if lines else "aplay gives no reason"


def loudspeakers(cards: Path = CARDS) -> tuple[str, ...]:
    """List the devices that sound may go to: ``default`` and each card, as ALSA names them; () without sound cards."""
    names = sorted(path.name for path in cards.glob("*") if path.is_symlink())  # card's name → card0 …
    return ("default", *(f"plughw:CARD={name}" for name in names)) if names else ()


@dataclass(frozen=True, slots=True)
class _Waiting:
    signal: str  # "" for words
    text: str
    language: str
    volume: int
    until: float


class Loudspeaker:
    """Player of signals and words until it is closed. No call waits for the sound.

    A signal cuts off words, and is played before words that wait. Of words only the newest wait: what was said before
    them nobody needs to hear any more.

    :param deliver: called from the player's own thread with each message.
    :param own: what a signal sounds like here; None: its notes.
    """

    def __init__(
        self,
        output: Output,
        deliver: Callable[[LoudspeakerMessage], None],
        *,
        own: Callable[[str], Samples | None] = lambda signal: None,
        clock: Callable[[], float] = now,
    ) -> None:
        self._output, self._deliver, self._own, self._clock = output, deliver, own, clock
        self._changed = threading.Condition()
        self._signals: list[_Waiting] = []
        self._words: _Waiting | None = None
        self._speaking = False
        self._closed = False
        self._works: bool | None = None
        self._told: str | None = None  # what was reported as wrong last
        self._tones: dict[str, Samples] = {}
        self._thread = threading.Thread(target=self._run, name="loudspeaker", daemon=True)
        self._thread.start()

    @property
    def works(self) -> bool:
        """Whether the last sound came out."""
        return self._works is True

    def play(self, signal: str, volume: int) -> None:
        """Play a signal of ``hw.signals.SIGNALS`` as soon as those before it are over.

        :raises KeyError: a signal that there is not.
        """
        SIGNALS[signal]
        with self._changed:
            if all(waiting.signal != signal for waiting in self._signals):
                self._signals.append(_Waiting(signal, "", "", volume, self._clock() + SIGNAL_STALE_S))
            if self._speaking:
                self._output.stop()
            self._changed.notify()

    def say(self, text: str, language: str, volume: int) -> None:
        """Speak a text in place of words that wait."""
        with self._changed:
            self._words = _Waiting("", text, language, volume, self._clock() + WORDS_STALE_S)
            self._changed.notify()

    def close(self) -> None:
        """Cut off what sounds and end; may be called twice."""
        with self._changed:
            self._closed = True
            self._changed.notify()
        self._output.stop()
        self._thread.join(timeout=2 * _PATIENCE_S)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _run(self) -> None:
        self._try_out()
        while True:
            with self._changed:
                nothing = not (self._closed or self._signals or self._words)
                if nothing and not self._changed.wait(None if self._works else RETRY_INTERVAL_S):
                    waiting = None
                elif self._closed:
                    return
                else:
                    waiting = self._next()
            if waiting is None:
                if not self._works:
                    self._try_out()
            elif self._clock() <= waiting.until:
                self._sound(waiting)

    def _next(self) -> _Waiting | None:
        if self._signals:
            return self._signals.pop(0)
        waiting, self._words = self._words, None
        self._speaking = waiting is not None
        return waiting

    def _try_out(self) -> None:
        """Play a moment of silence, to know whether there is a loudspeaker."""
        self._tell(self._played(tone(((0, 0.05),)), 0))

    def _sound(self, waiting: _Waiting) -> None:
        if waiting.signal:
            if waiting.signal not in self._tones:
                self._tones[waiting.signal] = self._own(waiting.signal) or tone(SIGNALS[waiting.signal])
            wrong = self._played(self._tones[waiting.signal], waiting.volume)
            self._tell(wrong)
            if wrong:
                self._deliver(Unheard(signal=waiting.signal))
            return
        try:
            samples = speak(waiting.text, waiting.language)
        except SoundError as error:
            self._speaking = False
            self._tell(str(error), works=self.works)  # signals sound all the same
            return
        if self._clock() <= waiting.until and not self._signals:
            self._tell(self._played(samples, waiting.volume))
        self._speaking = False

    def _played(self, samples: Samples, volume: int) -> str:
        """Play samples; return what is wrong, or ""."""
        try:
            self._output.play(wav(samples, volume), len(samples) / RATE_HZ)
        except SoundError as error:
            return str(error)
        return ""

    def _tell(self, wrong: str, works: bool | None = None) -> None:
        before, self._works = self._works, (not wrong if works is None else works)
        if wrong != self._told or before is not self._works:
            self._told = wrong
            self._deliver(LoudspeakerState(works=self._works, why=wrong))
