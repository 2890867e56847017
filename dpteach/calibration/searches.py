"""Searches: where a condition changes, and where a decreasing function passes a target."""

from __future__ import annotations

import math
from collections.abc import Callable

from dpteach.calibration.theorems import Enough


def edge(enough: Enough, start: float, *, rising: bool) -> float | None:
    """Return the least noise for which `enough` holds; None if it holds for all noise or none.

    The search begins at `start`. If `rising`, a larger argument of `enough` means more noise. The
    result is verified to suffice.
    """
    reached = enough(start)
    # multiply the noise by growing factors until the result of `enough` changes
    towards_more = rising is not reached
    here, factor = start, 2.0
    while True:
        there = here * factor if towards_more else here / factor
        # beyond this range, squares overflow or underflow
        if not 1e-100 <= there / start <= 1e100:
            return None
        if not reached and enough.mechanism(there) is None:  # `there` is not a valid parameter
            there = _between(here, there, lambda amount: enough.mechanism(amount) is not None)
            if not enough(there):
                return None
        if enough(there) is not reached:
            break
        here, factor = there, min(factor * factor, 65536.0)
    good, bad = (here, there) if reached else (there, here)
    return _between(good, bad, enough)


def _between(good: float, bad: float, condition: Callable[[float], bool]) -> float:
    """Return the last float from `good` towards `bad` at which a monotone condition holds."""
    while True:
        middle = good + (bad - good) / 2
        if middle in (good, bad):
            return good
        if max(good, bad) > 4 * min(good, bad):
            middle = math.sqrt(good) * math.sqrt(bad)
        if condition(middle):
            good = middle
        else:
            bad = middle


def secant(
    number: Callable[[float], float], goal: float, start: float, *, tolerance: float = 1e-12
) -> float | None:
    """Return the least argument at which a decreasing function is verified to be at most a goal.

    The secant method, inside a bracket, treats the logarithm of the function as a nearly linear
    function of the logarithm of the argument. The first step assumes that the function decreases
    as 1/x above the start, and as 1/x^3 below it. Each step aims slightly below the goal, because
    the search must end at a value that does not exceed it. The result is None if the function does
    not cross the goal.
    """
    low, high = -math.inf, math.inf  # the logarithms of insufficient and of sufficient noise
    x, before, reach = math.log(start), None, 1.0
    for _ in range(200):
        value = number(math.exp(x))
        y = math.log(value / goal) if 0 < value < math.inf else math.copysign(1e300, value - goal)
        if y <= 0:
            high = min(high, x)
        else:
            low = max(low, x)
        moved = x + max(y, y / 3) if before is None else math.nan
        if before is not None and before[1] != y and abs(y) + abs(before[1]) < 1e299:
            moved = x - y * (x - before[0]) / (y - before[1])
        if high - low <= tolerance or (y <= 0 and abs(moved - x) <= tolerance):
            return math.exp(high)
        before = (x, y)
        moved += tolerance / 2
        if low == -math.inf or high == math.inf:
            reach *= 2
            if reach > 200:
                return None
            outwards = x + (reach if high == math.inf else -reach)
            near = math.isfinite(moved) and abs(moved - x) <= reach
            x = moved if near else outwards
        else:
            x = moved if low < moved < high else (low + high) / 2
    return math.exp(high) if high < math.inf else None
