"""Integrals over the real line of positive functions that are given by their logarithms."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from dpteach import _numerics

Vector = NDArray[np.float64]
LogDensity = Callable[[Vector], Vector]

_NODES, _WEIGHTS = np.polynomial.legendre.leggauss(16)


def log_integral(log_integrand: LogDensity, edges: Sequence[float], scale: float) -> float:
    """Return the log of the integral of e^log_integrand from the first edge to the last.

    Every piece between two edges is narrowed to where the integrand exceeds e^-60 times its
    maximum on the piece, and divided at the peaks of the integrand. Gauss-Legendre quadrature
    integrates the resulting intervals.
    """
    logs: list[float] = []
    for left, right in pairwise(edges):
        logs += _of_piece(log_integrand, left, right, scale)
    return _numerics.logsumexp(np.array(logs))


def _of_piece(log_integrand: LogDensity, left: float, right: float, scale: float) -> list[float]:
    """Return the logs of integrals of e^log_integrand that add up to the one over an interval.

    Return [] if the integrand is 0 on the interval, and [inf] if it grows toward an infinite end.
    """
    grid = _grid(left, right, scale)
    values = log_integrand(grid)
    if not values.max() > -np.inf:
        return []
    top = int(np.argmax(values))
    # if the integrand increases up to infinity, its values at the last 30 points can be so nearly
    # equal that rounding puts the maximum at any of them
    margin = 30
    if (math.isinf(left) and top < margin) or (math.isinf(right) and top >= grid.size - margin):
        # even 10^14 * scale away from the finite end, the integrand still grows
        return [math.inf]
    peaks = [_peak(log_integrand, grid, top) for top in _tops(values)]
    floor = max(height for _, height in peaks) - 60
    high = [x for x, height in peaks if height >= floor]
    begin, end = _region(log_integrand, grid, values, high, floor)
    inner = [x for x in high if begin < x < end]
    cuts = [begin, *_with_middles(inner), end]
    return [_log_panels(log_integrand, a, b) for a, b in pairwise(cuts) if b > a]


def _tops(values: Vector) -> list[int]:
    """Return the index of the highest point of each hill of the values.

    Two hills are separated by a dip of more than 0.5.
    """
    tops, top, dip = [], 0, math.inf  # `dip` is the lowest value since the last hill
    rising = True
    for i, value in enumerate(values.tolist()):
        if rising:
            if value >= values[top]:
                top = i
            elif value < values[top] - 0.5:
                tops.append(top)
                rising, dip = False, value
        elif value > dip + 0.5:
            rising, top = True, i
        else:
            dip = min(dip, value)
    if rising:
        tops.append(top)
    return [i for i in tops if values[i] > -np.inf] or [int(np.argmax(values))]


def _peak(log_integrand: LogDensity, grid: Vector, top: int) -> tuple[float, float]:
    """Return the maximizer between the neighbors of grid point `top`, and the log value there."""
    low, high = grid[max(top - 1, 0)], grid[min(top + 1, grid.size - 1)]
    for _ in range(4):
        fine = np.linspace(low, high, 101)
        values = log_integrand(fine)
        best = int(np.argmax(values))
        low, high = fine[max(best - 1, 0)], fine[min(best + 1, 100)]
    return float(fine[best]), float(values[best])


def _region(
    log_integrand: LogDensity,
    grid: Vector,
    values: Vector,
    peaks: list[float],
    floor: float,
) -> tuple[float, float]:
    """Return the first and the last point where the log integrand is above the floor."""
    high = grid[values >= floor].tolist()
    inside = (min([*peaks, *high]), max([*peaks, *high]))
    below, above = grid[grid < inside[0]], grid[grid > inside[1]]
    outside = (below[-1] if below.size else inside[0], above[0] if above.size else inside[1])
    begin, end = (
        _edge_of_region(log_integrand, a, float(b), floor)
        for a, b in zip(inside, outside, strict=True)
    )
    return begin, end


def _with_middles(points: list[float]) -> list[float]:
    """Return the peaks of an integrand and the midpoints between neighboring peaks, in order.

    These points divide an interval into parts, which are integrated one by one in panels that are
    narrowest at both ends of a part. Therefore each peak must be an end of a part. The midpoints
    keep the panels narrow on both sides of every peak.
    """
    middles = [a + (b - a) / 2 for a, b in pairwise(points)]
    return sorted([*points, *middles])


def _grid(left: float, right: float, scale: float) -> Vector:
    """Return 1501 points: equally spaced, or exponentially sparser toward an end at infinity."""
    steps = scale * np.sinh(np.linspace(0, 34, 1501))
    if math.isinf(left):
        return right - steps[::-1]
    if math.isinf(right):
        return left + steps
    return np.linspace(left, right, 1501)


def crossings(
    exceeds: Callable[[Vector], NDArray[np.bool_]], edges: Sequence[float], scale: float
) -> list[float]:
    """Return the points where `exceeds` changes between true and false, as seen on a grid.

    Two changes between neighboring points of the grid remain unnoticed.
    """
    found = []
    for left, right in pairwise(edges):
        grid = _grid(left, right, scale)
        above = exceeds(grid)
        for i in np.flatnonzero(above[1:] != above[:-1]):
            a, b, state = float(grid[i]), float(grid[i + 1]), bool(above[i])
            while a < (middle := a + (b - a) / 2) < b:
                if bool(exceeds(np.array([middle]))[0]) == state:
                    a = middle
                else:
                    b = middle
            found.append(b)
    return found


def _edge_of_region(log_integrand: LogDensity, peak: float, far: float, floor: float) -> float:
    if log_integrand(np.array([far]))[0] >= floor:
        return far
    inside, outside = peak, far
    for _ in range(200):
        middle = inside + (outside - inside) / 2
        if log_integrand(np.array([middle]))[0] >= floor:
            inside = middle
        else:
            outside = middle
        if abs(outside - inside) <= 1e-3 * abs(inside - peak):
            break
    return outside


def _log_panels(log_integrand: LogDensity, a: float, b: float) -> float:
    # the integrand may have a kink or a peak at each end of the interval, so panels are narrow
    # there and double in width toward the middle
    half = np.concatenate(([0.0], 0.5 ** np.arange(12, 0, -1.0)))
    cuts = np.concatenate((half, 1 - half[-2::-1]))
    cuts = np.unique(np.concatenate((cuts, np.linspace(0, 1, 33))))
    x = a + (b - a) * cuts
    middles, halves = (x[1:] + x[:-1]) / 2, (x[1:] - x[:-1]) / 2
    nodes = middles[:, None] + halves[:, None] * _NODES
    with np.errstate(divide="ignore"):
        logs = log_integrand(nodes.ravel()) + np.log(np.outer(halves, _WEIGHTS).ravel())
    return _numerics.logsumexp(logs)
