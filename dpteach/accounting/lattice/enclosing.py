"""One step's hockey-stick curve between two curves that belong to losses on the lattice."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np

from dpteach.accounting.lattice.cells import Cells, Vector


@dataclass(frozen=True)
class Lattice:
    """A loss on the lattice: weights p_i e^(theta g_i - log_moment) from index `start` on."""

    start: int
    weights: Vector
    cells: Cells


def above(cells: Cells, h: float, theta: float) -> Lattice:
    """Return the chords of the hockey-stick curve."""
    return Lattice(cells.start, cells.atoms + _chords(cells, math.exp(theta * h)), cells)


def _chords(cells: Cells, tilt: float) -> Vector:
    weights = np.zeros(cells.atoms.size)
    weights[:-1] += cells.down
    weights[1:] += cells.up * tilt
    return weights


def below(cells: Cells, h: float, theta: float) -> Lattice:
    """Return the chords of lowered points, below the hockey-stick curve.

    Curves add up as laws do: what lies on lattice points stays as it is. Of the rest, the curve
    lies in a cell between its chord and the tangents that its end masses give. With the parts a
    and b of the cell's Q mass that go to its ends, and ends lowered by d and e, the chord lies
    below these tangents if a d + b e >= a b (x_(i+1) - x_i): a b/(a + b) times this length does
    for both. No point is lowered below the lines that the curve ends in. A curve that is then
    not convex is replaced by its envelope.

    What belongs to the point i is in units of e^(-theta g_i).
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
    # where a point may not be lowered so far, the next one is, away from the end
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
    # on the lines there are no weights, but for rounding and what was cut from the law
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
        weights, raised = np.append(cells.down + cells.up, 0.0), 0.0  # every loss rounded down
    if raised > 0:
        cells = replace(cells, lost=cells.lost + raised)
    return Lattice(cells.start, cells.atoms + weights, cells)


def _above_lines(top: Vector, h: float, theta: float) -> tuple[Vector, Vector]:
    """Return how far the curve of some weights lies above the line on its left and above 0."""
    n, length = top.size, math.expm1(h)
    steep = _accumulated(top, (theta + 1) * h)
    left = np.zeros(n)
    left[1:] = _accumulated(steep[:-1] * (length * math.exp(theta * h)), theta * h)
    steep = _accumulated(top[::-1], -(theta + 1) * h)
    right = np.zeros(n)
    right[1:] = _accumulated(steep[:-1] * (-math.expm1(-h) * math.exp(-theta * h)), -theta * h)
    return left, right[::-1]


def _accumulated(values: Vector, rate: float) -> Vector:
    """Return the sums of e^(rate (i - j)) values[j] over j <= i; at most 1e250."""
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
    """Drop the points of negative weight, in place, and return the total of those at the ends."""
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
