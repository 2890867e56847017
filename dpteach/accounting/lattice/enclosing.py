"""Lattice losses that bound the loss of one step: their hockey-stick curves enclose its curve."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np

from dpteach.accounting.lattice.cells import Cells, Vector


@dataclass(frozen=True)
class LatticeLoss:
    """A loss that takes the value of the lattice point g_i with probability p_i, i >= `start`.

    The weights are the exponentially tilted probabilities p_i e^(theta g_i - log_moment), in the
    order of i, for the tilt theta and the `log_moment` of `cells`.
    """

    start: int
    weights: Vector
    cells: Cells


def above(cells: Cells, h: float, theta: float) -> LatticeLoss:
    """Return a lattice loss whose hockey-stick curve lies above that of the loss in `cells`.

    The curve of the loss in `cells` is convex, so the chords between its points at the lattice
    points lie above it. The curve of the result consists of these chords. The lattice points have
    the distance h, and theta is the exponential tilt of `cells`.
    """
    return LatticeLoss(cells.start, cells.atoms + _chords(cells, math.exp(theta * h)), cells)


def _chords(cells: Cells, tilt: float) -> Vector:
    weights = np.zeros(cells.atoms.size)
    weights[:-1] += cells.down
    weights[1:] += cells.up * tilt
    return weights


def below(cells: Cells, h: float, theta: float) -> LatticeLoss:
    """Return a lattice loss whose hockey-stick curve lies below that of the loss on the cells.

    The curve of the result consists of the chords of `above`, lowered until they lie below the
    curve of the loss. This curve is the sum of the curves of the masses on the lattice points,
    which need no change, and inside the cells. Consider the mass inside the cell from g_i to
    g_(i+1), where x = e^epsilon grows by w = x_(i+1) - x_i. Let a (`down`) and b (`up`) be the
    parts of this mass under Q that go to the lower and the upper end. The curve of this mass lies
    above its tangents at these ends. A chord whose ends are lowered by d and e lies below the
    tangents if a d + b e >= a b w. So d = e = a b w/(a + b) suffices. The curve of the loss begins
    and ends with a straight line, and no point is lowered below these lines. If the result is not
    convex, its convex envelope replaces it.

    Numbers that belong to the lattice point i are in units of e^(-theta g_i).
    """
    tilt, length = math.exp(theta * h), math.expm1(h)
    top = _chords(cells, tilt)
    down, up = cells.down, cells.up * math.exp(-h)
    whole = down + up
    gap = np.divide(down * up, whole, out=np.zeros_like(whole), where=whole > 0) * length
    lowered = np.zeros(top.size)
    lowered[:-1] = gap
    lowered[1:] = np.maximum(lowered[1:], gap * tilt)
    left, right = _above_lines(top, h, theta)
    lowered = np.minimum(lowered, np.minimum(left, right))
    # the hockey-stick curve begins and ends with a straight line, and no end of a chord may be
    # lowered below these lines; if a line stops one end of a chord, lower the other end more
    d, e = lowered[:-1], lowered[1:]
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        for_right = np.where(up > 0, tilt * down * (length - d / up), 0.0)
        for_left = np.where(down > 0, up * (length - e / (tilt * down)), 0.0)
    on_left = left[1:] <= right[1:]
    lowered[1:] = np.maximum(e, np.where(on_left, for_right, 0.0))
    lowered[:-1] = np.maximum(lowered[:-1], np.where(on_left, 0.0, for_left))
    slopes = (lowered[1:] / tilt - lowered[:-1]) / length
    weights = top.copy()
    weights[:-1] -= slopes
    weights[1:] += slopes * (tilt * math.exp(h))
    # the weight of a lattice point is proportional to the change of slope of the lowered curve. Set
    # it to 0 where the curve runs along its straight first or last line: only rounding and
    # truncation make it differ from 0
    on_left, on_right = lowered >= left, lowered >= right
    flat = np.append(on_left[:-1] & on_left[1:], False)
    flat[1:-1] &= on_left[:-2]
    last = np.append(False, on_right[1:] & on_right[:-1])
    last[1:-1] &= on_right[2:]
    flat |= last
    raised = -float(np.minimum(weights[flat], 0.0).sum())
    weights[flat] = 0.0
    raised += _make_convex(weights, h, theta)
    if raised > 1e-7:
        # the negative weights set to 0 have too large a sum, so round all losses down instead
        weights, raised = np.append(cells.down + cells.up, 0.0), 0.0
    if raised > 0:
        cells = replace(cells, lost=cells.lost + raised)
    return LatticeLoss(cells.start, cells.atoms + weights, cells)


def _above_lines(top: Vector, h: float, theta: float) -> tuple[Vector, Vector]:
    """Return how far a hockey-stick curve lies above the two straight lines at its ends.

    The line at the right end is 0. `top` holds the weights of the loss to which the curve belongs.
    """
    n, length = top.size, math.expm1(h)
    steep = _accumulated(top, (theta + 1) * h)
    left = np.zeros(n)
    left[1:] = _accumulated(steep[:-1] * (length * math.exp(theta * h)), theta * h)
    steep = _accumulated(top[::-1], -(theta + 1) * h)
    right = np.zeros(n)
    right[1:] = _accumulated(steep[:-1] * (-math.expm1(-h) * math.exp(-theta * h)), -theta * h)
    return left, right[::-1]


def _accumulated(values: Vector, rate: float) -> Vector:
    """Return the sums of e^(rate (i - j)) values[j] over j <= i, each capped at 1e250."""
    n = values.size
    block = max(1, min(n, int(300 / abs(rate)) if abs(rate) * n > 300 else n))
    growth = np.exp(rate * np.arange(block))
    sums, before = np.empty(n), 0.0
    for begin in range(0, n, block):
        some = values[begin : begin + block]
        grown = growth[: some.size]
        with np.errstate(over="ignore"):
            total = (before * math.exp(rate) + np.cumsum(some / grown)) * grown
        sums[begin : begin + block] = total = np.minimum(total, 1e250)
        before = float(total[-1])
    return sums


def _make_convex(weights: Vector, h: float, theta: float) -> float:
    """Make the hockey-stick curve of `weights` convex: move negative weights to their neighbors.

    `weights` is changed in place. A negative weight at an end of the curve lacks one neighbor, and
    is set to 0. Return the sum of the absolute values of these weights at the ends, or inf if
    floats overflow.
    """
    queue = [int(i) for i in np.flatnonzero(weights < 0)]
    raised = 0.0
    if not queue:
        return raised
    n = weights.size
    left, right = np.arange(-1, n - 1), np.arange(1, n + 1)
    while queue:
        i = queue.pop()
        if weights[i] >= 0:
            continue
        before, after = int(left[i]), int(right[i])
        if before < 0 or after >= n:
            raised -= float(weights[i])
            weights[i] = 0.0
            continue
        back, ahead = (i - before) * h, (after - i) * h
        if max(theta + 1, 1.0) * max(back, ahead) > 600:
            return math.inf
        share = math.expm1(ahead) / (math.exp(ahead) - math.exp(-back))
        weights[before] += weights[i] * share * math.exp(-(theta + 1) * back)
        weights[after] += weights[i] * (1 - share) * math.exp((theta + 1) * ahead)
        weights[i] = 0.0
        right[before], left[after] = after, before
        queue.extend(j for j in (before, after) if weights[j] < 0)
    return raised
