"""Compare what a table's device reports of itself: a clock that only runs on is nothing new."""

from collections.abc import Mapping
from typing import Any

#: Seconds by which a clock may differ from one that ran on.
_DRIFT_S = 1.5


def clock_by_now(told: Any, age: float) -> dict[str, Any] | None:
    """Return the clock of a report that is ``age`` seconds old as it shows now; None without one."""
    if not isinstance(told, dict):
        return None
    remaining = told.get("remaining")
    if told.get("running") and isinstance(remaining, int | float):
        return {**told, "remaining": remaining - age}
    return told


def with_clock_by_now(status: Mapping[str, Any], age: float) -> dict[str, Any]:
    """Return a report that is ``age`` seconds old with its clock as it shows now."""
    return {**status, "clock": clock_by_now(status["clock"], age)} if "clock" in status else dict(status)


def shows_otherwise(before: Mapping[str, Any], after: Mapping[str, Any]) -> bool:
    """Report whether anybody would see something else in the later report; both with their clock as of now."""
    old, new = before.get("clock") or {}, after.get("clock") or {}
    if abs((old.get("remaining") or 0.0) - (new.get("remaining") or 0.0)) > _DRIFT_S:
        return True
    runs = ("remaining", "extra")
    return {k: v for k, v in old.items() if k not in runs} != {k: v for k, v in new.items() if k not in runs} or {
        k: v for k, v in before.items() if k != "clock"
    } != {k: v for k, v in after.items() if k != "clock"}
