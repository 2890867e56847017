"""Data structures shared by the lattice modules."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Vector = NDArray[np.float64]

EPS = float(np.finfo(np.float64).eps)

#: log of the share of the tilted distribution that may be truncated from each tail, or wrapped
#: around in the Fourier transform, when a bracket is first computed; refinements reduce it
CUT = -25.0
#: the largest number of lattice cells, or of integration panels, for the loss of one step
MOST_CELLS = 1 << 20


def dot(left: Vector, right: Vector) -> float:
    """Return the inner product, computed in one thread, because several threads take longer."""
    return float(np.einsum("i,i->", left, right))


class TooLarge(Exception):
    """An error: a lattice is so fine that it has too many points.

    The attribute `by` is the factor by which the lattice step must grow. It is 1 if no factor is
    known, and infinite if no lattice step helps.
    """

    def __init__(self, by: float) -> None:
        super().__init__(by)
        self.by = by


@dataclass(frozen=True)
class Cells:
    """The exponentially tilted loss distribution of one step on lattice cells [g_i, g_(i+1)].

    The lattice points are g_i = offset + i h. The masses of the point g_i, and of the cell above
    it, are stored times e^(theta g_i - log_moment), where theta is the tilt. The loss L of the
    step is that of the pair of distributions (P, Q).

    Attributes
    ----------
    start : int
        The index of the first lattice point.
    down, up : ndarray of shape (n,)
        The mass inside each cell, divided between its lower and its upper end such that the
        total masses under P and under Q are both preserved.
    atoms : ndarray of shape (n + 1,)
        The mass on each lattice point.
    log_moment : float
        An approximation of log E[e^(theta L)].
    lost : float
        A bound on the truncated share of the tilted distribution.
    rounding : float
        A bound on the relative error of each mass.
    shift : float
        A bound on the absolute error of each loss.
    log_missed : float
        The logarithm of a bound on the untilted mass of large losses that were left out.
    """

    start: int
    down: Vector
    up: Vector
    atoms: Vector
    log_moment: float
    lost: float
    rounding: float
    shift: float
    log_missed: float = -math.inf
