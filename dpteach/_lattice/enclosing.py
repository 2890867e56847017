"""One step's hockey-stick curve between two curves that belong to losses on the lattice."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from dpteach._lattice.cells import Cells, Vector


@dataclass(frozen=True)
class Lattice:
    """A loss on the lattice: weights p_i e^(theta g_i - log_moment) from index `start` on."""

    start: int
    weights: Vector
    cells: Cells


def above(cells: Cells, h: float, theta: float) -> Lattice:
    """The chords of the hockey-stick curve."""
    return Lattice(cells.start, cells.atoms + _chords(cells, math.exp(theta * h)), cells)


def _chords(cells: Cells, tilt: float) -> Vector:
    weights = np.zeros(cells.atoms.size)
    weights[:-1] += cells.down
    weights[1:] += cells.up * tilt
    return weights


def below(cells: Cells, h: float, theta: float) -> Lattice:
    """The chords of lowered points, below the hockey-stick curve.

    Curves add up as laws do: what lies on lattice points stays as it is. Of the rest, the curve
    lies in a cell between its chord and the tangents that its end masses give: the chord is too
    high by at most a b/(a + b) (x_(i+1) - x_i), a and b the parts of the cell's Q mass that go
    to its ends. At its left end the curve is a line, at its right end it is 0; points there are
    lowered onto these lines. A curve that is then not convex is replaced by its envelope.

    What belongs to the point i is in units of e^(-theta g_i).
    """
    tilt = math.exp(theta * h)
    both = tilt * math.exp(h)
    top = _chords(cells, tilt)
    down, up = cells.down, cells.up * math.exp(-h)
    whole = down + up
    gap = np.divide(down * up, whole, out=np.zeros_like(whole), where=whole > 0) * math.expm1(h)
    least = np.zeros(top.size)  # by how much a point must be lowered for the chords at it
    least[:-1] = gap
    least[1:] = np.maximum(least[1:], gap * tilt)
    lowered = least.copy()
    # how far the curve lies above the line on the left, which is the slope's change added up
    excess, slope, left, right = 0.0, 0.0, 0, top.size - 1
    while left < right:
        lowered[left] = excess
        slope = slope * both + top[left]
        following = (excess + slope * math.expm1(h)) * tilt
        if excess >= gap[left] and following >= least[left + 1]:
            break
        excess, left = following, left + 1
    # and above 0, from the right
    excess, slope = 0.0, 0.0
    while right > left:
        lowered[right] = excess
        slope = slope / both + top[right]
        following = (excess - slope * math.expm1(-h)) / tilt
        if excess >= gap[right - 1] * tilt and following >= least[right - 1]:
            break
        excess, right = following, right - 1
    slopes = (lowered[1:] / tilt - lowered[:-1]) / math.expm1(h)
    weights = top.copy()
    weights[:-1] -= slopes
    weights[1:] += slopes * both
    weights[:left] = weights[right + 1 :] = 0.0  # on the lines, up to rounding
    if left >= right or not _make_convex(weights, h, theta):
        weights = np.append(cells.down + cells.up, 0.0)  # every loss rounded down
    return Lattice(cells.start, cells.atoms + weights, cells)


def _make_convex(weights: Vector, h: float, theta: float) -> bool:
    """Drop the points of negative weight, in place; False if one is at an end, or too far."""
    queue = [int(i) for i in np.flatnonzero(weights < 0)]
    if not queue:
        return True
    n = weights.size
    left, right = np.arange(-1, n - 1), np.arange(1, n + 1)
    while queue:
        i = queue.pop()
        if weights[i] >= 0:
            continue
        before, after = int(left[i]), int(right[i])
        if before < 0 or after >= n:
            return False
        back, ahead = (i - before) * h, (after - i) * h
        if (theta + 1) * ahead > 600:
            return False
        share = math.expm1(ahead) / (math.exp(ahead) - math.exp(-back))
        weights[before] += weights[i] * share * math.exp(-(theta + 1) * back)
        weights[after] += weights[i] * (1 - share) * math.exp((theta + 1) * ahead)
        weights[i] = 0.0
        right[before], left[after] = after, before
        queue.extend(j for j in (before, after) if weights[j] < 0)
    return True
