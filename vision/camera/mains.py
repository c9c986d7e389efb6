"""Fit exposure times to lamps on the mains, whose light swells and fades twice a wave: 100 times a second at 50 Hz."""

import math

#: Frequency of the mains, Hz.
MAINS_HZ = 50
#: Half a wave of it, µs: lamps flicker at this period, and an exposure of whole periods sees none of it.
HALF_WAVE_US = 500_000 // MAINS_HZ


def steady_exposure(exposure_us: float, longest_us: float, brighter: float) -> float:
    """Find the exposure time of whole half waves nearest to the one that automatics found, by their ratio; µs.

    ``longest_us``: the time from picture to picture; ``brighter``: the factor by which it may be longer, since gain
    makes up for it or a brighter picture does no harm. Where no half wave fits, as in daylight, which does not flicker,
    the exposure stays as it is.
    """
    most = math.floor(min(longest_us, exposure_us * brighter) / HALF_WAVE_US + 1e-6)
    if exposure_us <= 0 or most < 1:
        return exposure_us
    return HALF_WAVE_US * min(range(1, most + 1), key=lambda waves: abs(math.log(waves * HALF_WAVE_US / exposure_us)))
