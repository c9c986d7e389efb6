"""A process that is silent: slow is not hung, whatever else the machine does."""

import subprocess
import sys
from multiprocessing import Pipe

import pytest

from vision.messages import VisionSettings
from vision.service import process
from vision.service.process import VisionProcess
from vision.service.silence import WHILE_WORKING, Silence, processor_s

PATIENCE = 10.0
LONGEST = PATIENCE * WHILE_WORKING


@pytest.mark.parametrize(
    ("looks", "hangs"),
    [
        pytest.param([(9.0, 5.0)], False, id="idle for a while"),
        pytest.param([(10.0, 5.0)], True, id="idle for too long"),
        pytest.param([(at, 5 + at / 100) for at in range(1, int(LONGEST), 9)], False, id="slow, and at work"),
        pytest.param([(8.0, 5.1), (17.0, 5.1)], False, id="at work a moment ago"),
        pytest.param([(8.0, 5.1), (18.0, 5.1)], True, id="at work, then stuck"),
        pytest.param([(at, 5 + at) for at in range(1, int(LONGEST) + 9, 9)], True, id="in circles"),
    ],
)
def test_who_works_does_not_hang(looks: list[tuple[float, float]], hangs: bool) -> None:
    silence = Silence(PATIENCE, 1000.0, 5.0)
    *before, last = [silence.hangs(1000.0 + at, spent) for at, spent in looks]
    assert not any(before)
    assert last == hangs


#: Works in its main thread, and after a word in another one. The kernel tells user and system time apart, each in whole
#: ticks of 10 ms: up to two ticks of what a thread has used are not told yet.
PROGRAM = """
import threading, time
def work(begun):
    while time.thread_time() < begun + 0.3: pass
work(time.thread_time())
print(1, flush=True)
input()
other = threading.Thread(target=work, args=(0.0,)); other.start(); other.join()
print(2, flush=True)
input()
"""


@pytest.mark.slow
def test_only_what_its_main_thread_does_counts_as_work() -> None:
    with subprocess.Popen([sys.executable, "-c", PROGRAM], stdin=-1, stdout=-1, text=True) as child:
        assert child.stdout is not None and child.stdin is not None
        child.stdout.readline()
        worked = processor_s(child.pid)
        assert worked >= 0.2
        child.stdin.write("\n")
        child.stdin.flush()
        child.stdout.readline()
        assert processor_s(child.pid) < worked + 0.2
        child.kill()
    assert processor_s(child.pid) == 0.0


@pytest.mark.slow
def test_an_idle_child_is_given_up_and_one_that_speaks_is_not(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(process, "LOOK_S", 0.05)
    vision = VisionProcess(VisionSettings(deck=""), lambda _: None)
    words, child_words = Pipe(duplex=False)
    with subprocess.Popen([sys.executable, "-c", "input()"], stdin=-1) as child:
        vision._child = child
        assert vision._silence(words, 2.0) >= 2.0
        child_words.send("alive")
        assert vision._silence(words, 2.0) == 0.0
        child.kill()
