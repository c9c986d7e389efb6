"""The buzzer's patterns, played with time as input."""

import pytest

from hw.buzzer import PATTERN_GAP_S, PATTERNS, Ringer


def played(ringer: Ringer, until: float, step: float = 0.01) -> list[tuple[str, float, float]]:
    """What sounded: pattern, from, to."""
    heard: list[list] = []
    sounding = False
    for tick in range(int(until / step)):
        at = tick * step
        pattern, sounds = ringer.advance(at)
        if sounds and not sounding:
            heard.append([pattern, at, at])
        if sounds:
            heard[-1][2] = at + step
        sounding = sounds
    return [tuple(beep) for beep in heard]


@pytest.mark.parametrize("pattern", PATTERNS)
def test_pattern_sounds_as_written(pattern):
    ringer = Ringer()
    ringer.ring(pattern)
    heard = played(ringer, 10)
    assert [name for name, _, _ in heard] == [pattern] * len(PATTERNS[pattern][::2])
    assert [end - start for _, start, end in heard] == pytest.approx(PATTERNS[pattern][::2], abs=0.021)
    assert ringer.advance(10) == ("", False)


def as_heard(lengths):
    """Short and long sounds, as somebody in a hall tells them apart."""
    return "".join("." if length <= 0.2 else "-" for length in lengths[::2])


def test_patterns_are_told_apart_and_short():
    assert len(set(map(as_heard, PATTERNS.values()))) == len(PATTERNS)
    for lengths in PATTERNS.values():
        assert len(lengths) % 2 == 1, "a pattern ends with a sound"
        assert min(lengths) >= 0.1
        assert sum(lengths) <= 5


def test_patterns_follow_each_other_with_a_gap():
    ringer = Ringer()
    ringer.ring("wrong")
    ringer.ring("time_up")
    heard = played(ringer, 10)
    assert [name for name, _, _ in heard] == ["wrong", "time_up", "time_up", "time_up"]
    assert heard[1][1] - heard[0][2] == pytest.approx(PATTERN_GAP_S, abs=0.03)


def test_waiting_pattern_is_not_put_in_twice_but_one_in_play_may_come_again():
    ringer = Ringer()
    ringer.ring("wrong")
    ringer.advance(0)
    for _ in range(3):
        ringer.ring("wrong")
    assert len(played(ringer, 10)) == 2


def test_long_pause_between_ticks_loses_nothing_and_does_not_hang():
    ringer = Ringer()
    ringer.ring("breach")
    ringer.ring("time_up")
    assert ringer.advance(0) == ("breach", True)
    assert ringer.advance(100) == ("time_up", True)
    assert ringer.advance(200) == ("", False)


def test_silence():
    ringer = Ringer()
    ringer.ring("time_up")
    ringer.ring("wrong")
    ringer.advance(0)
    ringer.silence()
    assert ringer.advance(0.1) == ("", False)


def test_unknown_pattern():
    with pytest.raises(KeyError, match="fanfare"):
        Ringer().ring("fanfare")
