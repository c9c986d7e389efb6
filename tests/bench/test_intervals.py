"""Intervals against printed tables of the exact limits."""

import pytest

from kiosk.bench.intervals import at_most, interval, share


@pytest.mark.parametrize(
    ("part", "whole", "low", "high"),
    [
        (0, 10, 0.0, 0.3085), (1, 10, 0.0025, 0.4450), (5, 10, 0.1871, 0.8129), (10, 10, 0.6915, 1.0),
        (0, 1, 0.0, 0.975), (50, 100, 0.3983, 0.6017), (81, 263, 0.2527, 0.3676), (99, 100, 0.9455, 0.99975),
        (0, 10_000, 0.0, 0.00036882), (9_999, 10_000, 0.999443, 0.9999975),
    ],
)  # fmt: skip
def test_exact_limits(part: int, whole: int, low: float, high: float) -> None:
    assert interval(part, whole) == pytest.approx((low, high), abs=6e-5 if whole < 1000 else 1e-6)


@pytest.mark.parametrize("whole", [1, 7, 300, 2_000])
def test_nothing_found_and_all_found_are_each_others_mirror(whole: int) -> None:
    low, high = interval(0, whole)
    assert low == 0 and high == pytest.approx(1 - 0.025 ** (1 / whole))  # the limit in closed form
    assert interval(whole, whole) == pytest.approx((1 - high, 1.0))


@pytest.mark.parametrize(("part", "whole"), [(-1, 5), (6, 5), (0, 0)])
def test_what_is_no_share(part: int, whole: int) -> None:
    with pytest.raises(ValueError, match="no share"):
        interval(part, whole)


def test_in_words() -> None:
    assert share(197, 200) == "0.985 (197/200, 0.957–0.997)"
    assert share(1999, 2000) == "0.9995 (1999/2000, 0.9972–1.0000)"
    assert share(19999, 20000).startswith("0.99995 ")  # never rounded up to all
    assert share(0, 0) == "none" == at_most(0, 0)
    assert at_most(0, 10_000) == "0 of 10000 (≤ 3.7 in 10000)"
    assert at_most(1, 500).startswith("1 of 500 (≤ 1.1 in 100)")
