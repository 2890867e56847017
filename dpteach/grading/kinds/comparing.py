"""Comparison of a student's answers with right answers and with bounds."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import numpy as np

from dpteach.grading.core.specification import Compare


def close(value: object, expected: object, *, relative: float, absolute: float) -> bool:
    """Return whether a student's answer is close enough to the expected answer.

    inf is close only to inf, and NaN is not close to any value. True counts as 1 if an integer is
    expected, but 1 does not count as True. Lists must have the same shape.

    Parameters
    ----------
    value, expected
        Built-in numbers, or nested lists of them; an array or a tuple counts as a list.
    relative, absolute
        The allowed error: the larger of `absolute` and `relative` times ``abs(expected)``.

    Examples
    --------
    >>> close(0.1 + 0.2, 0.3, relative=1e-9, absolute=0.0)
    True
    >>> close([1.0], 1.0, relative=1e-9, absolute=0.0)
    False
    >>> [close(x, y, relative=0.0, absolute=0.0) for x, y in (([True], [1]), ([1], [True]))]
    [True, False]
    """
    if isinstance(expected, np.ndarray):
        expected = expected.tolist()
    if isinstance(expected, (list, tuple)):
        return (
            type(value) in (list, tuple)
            and len(value) == len(expected)  # type: ignore[arg-type]
            and all(
                close(x, y, relative=relative, absolute=absolute)
                for x, y in zip(value, expected, strict=True)  # type: ignore[call-overload]
            )
        )
    if isinstance(expected, bool) or isinstance(value, bool):
        return type(value) is bool and type(expected) in (bool, int) and value == expected
    if type(value) not in (int, float) or not isinstance(expected, (int, float)):
        return False
    try:
        x, y = float(value), float(expected)  # type: ignore[arg-type]
    except OverflowError:
        return False
    if math.isnan(x) or math.isnan(y):
        return False
    if math.isinf(x) or math.isinf(y):
        return x == y
    return abs(x - y) <= max(absolute, relative * abs(y))


def same(value: object, other: object, compare: Compare) -> bool:
    """Return whether two values are close numbers or lists, both None, both NaN, or equal texts."""
    if is_nan(value) and is_nan(other):
        return True
    if value is None or isinstance(value, str):
        return type(value) is type(other) and value == other
    return close(value, other, **compare)


def is_nan(value: object) -> bool:
    """Return whether a value is the number NaN."""
    return type(value) is float and math.isnan(value)


def within(value: object, at_least: float | None, at_most: float | None, *, slack: float) -> bool:
    """Return whether an answer is a number between two bounds, up to a relative error `slack`.

    A bound that is None does not limit the number.

    Examples
    --------
    >>> within(1.0, 0.5, 1.0, slack=0.0), within(True, 0.5, 1.0, slack=0.0)
    (True, False)
    """
    if type(value) not in (int, float):
        return False
    try:
        number = float(value)  # type: ignore[arg-type]
    except OverflowError:
        return False
    low = -math.inf if at_least is None else at_least
    high = math.inf if at_most is None else at_most
    low -= 0.0 if math.isinf(low) else slack * abs(low)
    high += 0.0 if math.isinf(high) else slack * abs(high)
    return low <= number <= high


def entries(value: Any) -> Iterator[Any]:
    """Yield the numbers and texts of a nested list, row by row."""
    if isinstance(value, list):
        for item in value:
            yield from entries(item)
    else:
        yield value
