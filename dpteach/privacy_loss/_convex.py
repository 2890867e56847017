"""A convex function f for an f-divergence: its values, its limits and a check of convexity."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpteach import _check

Vector = NDArray[np.float64]


class Convex:
    """A convex function f of a likelihood ratio u > 0 with f(1) = 0; both properties are checked.

    Convexity is checked at many points, so a violation between them may remain unnoticed.
    """

    _GRID = np.concatenate(([0.0], 2.0 ** (np.arange(-160, 161) / 4)))

    def __init__(
        self, f: Callable[[float], float], at_zero: float | None, slope: float | None
    ) -> None:
        if not callable(f):
            raise TypeError(f"f must be callable, got f={_check.shown(f)}")
        self.f = f
        self._at_zero, self._slope = (
            None if value is None else _check.real(name, value, _check.EXTENDED_REAL)
            for name, value in (("at_zero", at_zero), ("slope_at_infinity", slope))
        )
        at_one = self(1.0)
        # a typical size of f, relative to which its rounding errors are small
        self._size = max(abs(self(0.5)), abs(self(2.0)))
        if not abs(at_one) <= 1e-9 * self._size:
            raise ValueError(f"f must be 0 at 1, got f with f(1.0)={at_one:g}")
        self.check_convexity(np.empty(0))

    def __call__(self, u: float) -> float:
        """Return f(u), or inf where f overflows."""
        value: Any
        try:
            with np.errstate(all="ignore"):
                value = self.f(u)
        except OverflowError:
            return math.inf
        except Exception as error:
            raise ValueError(
                f"f must give a number at every u > 0, got f={_check.shown(self.f)}, which at "
                f"u={u:g} raises {type(error).__name__}: {error}"
            ) from error
        if isinstance(value, np.ndarray) and value.size == 1:
            value = value.item()
        try:
            number = _check.real("f", value, _check.EXTENDED_REAL)
        except (ValueError, TypeError):
            raise ValueError(
                f"f must give a number at every u > 0, got f({u:g})={_check.shown(value)}"
            ) from None
        if number == -math.inf:
            raise ValueError(f"f must be above -inf, got f({u:g})=-inf")
        return number

    def at_zero(self) -> float:
        """Return the limit of f at 0."""
        if self._at_zero is not None:
            return self._at_zero
        return self._limit(self._value_at_zero, lambda k: self(2.0**-k), "at_zero", "f(u) at u = 0")

    def slope_at_infinity(self) -> float:
        """Return the limit of f(u)/u as u grows.

        It is computed from f(u)/(u - 1), which has the same limit and increases with u, because f
        is convex with f(1) = 0.
        """
        if self._slope is not None:
            return self._slope
        name, words = "slope_at_infinity", "f(u)/u at u = inf"
        return self._limit(lambda: None, lambda k: self(2.0**k) / (2.0**k - 1), name, words)

    def _value_at_zero(self) -> float | None:
        try:
            return self(0.0)
        except ValueError:
            return None

    def _limit(
        self,
        direct: Callable[[], float | None],
        value: Callable[[float], float],
        name: str,
        words: str,
    ) -> float:
        """Return the limit of value(k) for k -> inf, or the result of `direct()` if it is not None.

        The limit is inf if the values keep growing: if they grow from k/2 to k about twice as much
        as from k/4 to k/2. A linear function of k does so, for example log u at u = 2^k; a
        function with a finite limit grows more slowly. If the values do not show the limit, the
        method raises ValueError. The message contains `name`, the parameter by which users can give
        the limit, and `words`, which describe the limit.
        """
        known = direct()
        if known is not None:
            return known
        k = 1000.0
        while k > 8 and math.isinf(value(k)):
            k /= 2
        quarter, half, whole = value(k / 4), value(k / 2), value(k)
        if math.isinf(whole) or whole - half >= 1.99 * (half - quarter) > 0:
            return math.inf
        if abs(whole - half) <= 1e-13 * max(abs(whole), self._size):
            return whole
        raise ValueError(
            f"{name} must be given, as the limit of {words} cannot be told from the values of f, "
            f"got {name}=None"
        )

    def check_convexity(self, ratios: Vector) -> None:
        """Raise an error if three of the points (a grid and `ratios`) show that f is not convex."""
        u = np.union1d(self._GRID, ratios)
        values = []
        for x in u.tolist():
            value = self._at_zero if x == 0 else self(x)
            values.append(self._value_at_zero() if value is None else value)
        if values[0] is None:
            u, values = u[1:], values[1:]
        y = np.array(values, dtype=np.float64)
        n = len(u)
        # compare neighboring points last, because an error message that shows points farther apart
        # is clearer
        for step in (4, 8, 16, 32, 64, 2, 1):
            middle = np.arange(step, n - step)
            self._compare(u, y, middle - step, middle, middle + step)
        ends = np.arange(1, n - 1)
        one = int(np.searchsorted(u, 1.0))
        self._compare(u, y, np.zeros(n - 2, dtype=int), ends, np.full(n - 2, n - 1))
        for a, b in ((0, one), (one, n - 1)):
            inner = np.arange(a + 1, b)
            self._compare(u, y, np.full(inner.size, a), inner, np.full(inner.size, b))

    def _compare(self, u: Vector, y: Vector, a: Any, b: Any, c: Any) -> None:
        with np.errstate(invalid="ignore", over="ignore"):
            left, right = (u[c] - u[b]) / (u[c] - u[a]), (u[b] - u[a]) / (u[c] - u[a])
            line = left * y[a] + right * y[c]
            # allow for rounding errors of f. The summand `_size` covers points such as u = 1,
            # where f is small only because its terms cancel
            terms = left * np.abs(y[a]) + right * np.abs(y[c])
            slack = 1e-10 * (np.maximum(np.abs(y[b]), terms) + self._size)
            excess = np.where(y[b] > line + slack, (y[b] - line) / slack, 0.0)
        if excess.max(initial=0.0) > 0:
            i = int(np.argmax(excess))
            points = [f"f({u[j[i]]:.9g})={y[j[i]]:.9g}" for j in (a, b, c)]
            raise ValueError(
                f"f must be convex, got {points[0]}, {points[1]} and {points[2]}: "
                "the middle one is above the line through the others"
            )
