"""Define the signals of a table: of each its notes, from which loudspeaker and buzzer make what they can.

A note is a pitch in Hz (0: silence) and a length in seconds. Two signals differ in melody and in rhythm, so that they
are told apart by a loudspeaker and by a buzzer, which has one pitch only. Short is up to 0.2 s, long from 0.35 s on.
"""

from typing import TypeAlias

Notes: TypeAlias = tuple[tuple[float, float], ...]

#: Pitches in Hz, of the tempered scale.
_C5, _E5, _G5, _A5, _C6, _E6, _G6 = 523.3, 659.3, 784.0, 880.0, 1046.5, 1318.5, 1568.0
_G4, _A4 = 392.0, 440.0

#: Name → notes. Nothing is shorter than a beat of the screen's loop can place on the buzzer.
SIGNALS: dict[str, Notes] = {
    "taken": ((_G5, 0.06), (_C6, 0.10)),  # an announcement is noted, a card's face is learned
    "doubt": ((_E6, 0.15), (0, 0.12), (_C6, 0.40)),
    "breach": ((_A4, 0.1), (0, 0.1), (_A4, 0.1), (0, 0.1), (_A4, 0.1), (0, 0.1), (_A4, 0.1)),
    "referee": ((_G5, 0.5), (0, 0.12), (_E5, 0.15)),  # the referee is called from here
    "comes": ((_C6, 0.12), (0, 0.1), (_E6, 0.12), (0, 0.1), (_G6, 0.5)),  # the referee is on his way
    "director": ((_C5, 0.6), (0, 0.2), (_G5, 0.2), (0, 0.2), (_C6, 0.6)),  # the direction calls
    "minutes_10": ((_A5, 0.2), (0, 0.2), (_A5, 0.2)),
    "minutes_5": ((_A5, 0.2), (0, 0.2), (_C6, 0.2), (0, 0.2), (_A5, 0.2)),
    "minutes_1": ((_C6, 0.4), (0, 0.2), (_C6, 0.4)),
    "time_up": ((_G5, 1.0), (0, 0.4), (_E5, 1.0), (0, 0.4), (_C5, 1.0)),
    "wrong": ((_G4, 0.35),),
    "test": ((_C5, 0.15), (0, 0.12), (_E5, 0.15), (0, 0.12), (_G5, 0.4), (0, 0.12), (_C6, 0.15)),
}


def rhythm(notes: Notes) -> tuple[float, ...]:
    """Compute the seconds sounding, silent, sounding …; notes without a rest between them are one sound."""
    lengths: list[float] = []
    sounding = False
    for pitch, seconds in notes:
        if lengths and (pitch > 0) == sounding:
            lengths[-1] += seconds
        else:
            lengths.append(seconds)
        sounding = pitch > 0
    return tuple(round(length, 3) for length in lengths)
