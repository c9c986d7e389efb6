"""Compute exact binomial confidence intervals, so that no failure found among few is not taken for none.

Clopper and Pearson, "The use of confidence or fiducial limits", Biometrika 26 (1934): the limits are quantiles of the
beta distribution. For no failure among n the upper limit is about 3.7 / n. ``scipy.stats`` has the same; it is not used
because ``stichwart bench`` measures the machine of a table as well, which would have to install 100 MB for it.
"""

import math

#: Probability that the true share is outside of its interval.
OUTSIDE_SHARE = 0.05


def interval(part: int, whole: int) -> tuple[float, float]:
    """Compute limits of the 95 % confidence interval of a share, for ``part`` found among ``whole``.

    :raises ValueError: ``part`` is not between 0 and ``whole``, or there is nothing.
    """
    if not 0 <= part <= whole or whole == 0:
        raise ValueError(f"{part} of {whole} is no share; count again")
    low = 0.0 if part == 0 else _quantile(OUTSIDE_SHARE / 2, part, whole - part + 1)
    high = 1.0 if part == whole else _quantile(1 - OUTSIDE_SHARE / 2, part + 1, whole - part)
    return low, high


def share(part: int, whole: int) -> str:
    """Format a share with its interval: ``0.985 (197/200, 0.957–0.997)``, more digits where more was counted."""
    if not whole:
        return "none"
    digits = max(3, len(str(whole - 1)))
    low, high = (f"{limit:.{digits}f}" for limit in interval(part, whole))
    return f"{_cut(part / whole, digits)} ({part}/{whole}, {low}–{high})"


def at_most(part: int, whole: int) -> str:
    """Format the count of a failure and its upper limit: ``0 of 10000 (≤ 3.7 in 10000)``."""
    if not whole:
        return "none"
    base = 10 ** max(2, len(str(whole)) - 1)
    return f"{part} of {whole} (≤ {interval(part, whole)[1] * base:.2g} in {base})"


def _cut(value: float, digits: int) -> str:
    """Rounded down: 0.9996 is not 1.000."""
    return f"{math.floor(value * 10**digits + 1e-9) / 10**digits:.{digits}f}"


def _quantile(chance: float, a: int, b: int) -> float:
    """Quantile of the beta distribution, by bisection."""
    low, high = 0.0, 1.0
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if _below(middle, a, b) < chance else (low, middle)
    return (low + high) / 2


def _below(x: float, a: int, b: int) -> float:
    """The regularised incomplete beta function by its continued fraction (Abramowitz and Stegun 26.5.8)."""
    if x <= 0 or x >= 1:
        return float(x >= 1)
    if x > (a + 1) / (a + b + 2):
        return 1 - _below(1 - x, b, a)
    front = math.exp(math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b) + a * math.log(x) + b * math.log1p(-x)) / a
    c, d = 1.0, 1 / (1 - (a + b) * x / (a + 1))
    value = d
    for m in range(1, 1000):  # Lentz's algorithm
        for term in (
            m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m)),
            -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1)),
        ):
            d = 1 / (1 + term * d)
            c = 1 + term / c
            value *= c * d
        if abs(c * d - 1) < 1e-12:
            break
    return front * value
