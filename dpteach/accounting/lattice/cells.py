"""Data structures shared by the lattice modules."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Vector = NDArray[np.float64]

EPS = float(np.finfo(np.float64).eps)

#: log of what is cut from a tail or wrapped around at first, relative to the tilted law
CUT = -25.0
#: the most cells and panels of one step's law
MOST_CELLS = 1 << 20


def dot(left: Vector, right: Vector) -> float:
    """Return the inner product, in one thread: others would take longer to wake up."""
    return float(np.einsum("i,i->", left, right))


class TooLarge(Exception):
    """A lattice so fine has too many points; `by` is the factor that its step must grow by."""

    def __init__(self, by: float) -> None:
        super().__init__(by)
        self.by = by


@dataclass(frozen=True)
class Cells:
    """A step's tilted distribution on the cells [g_i, g_(i+1)] of the lattice g_i = offset + i h.

    Attributes
    ----------
    start : int
        The index of the first lattice point.
    down, up : ndarray of shape (n,)
        The mass inside each cell that goes to its lower and to its upper end, such that P and
        Q both keep theirs; times e^(theta g_i - log_moment) for the lower end g_i.
    atoms : ndarray of shape (n + 1,)
        The mass on each lattice point g_i, times e^(theta g_i - log_moment).
    log_moment : float
        About log E[e^(theta L)].
    lost : float
        A bound on the truncated share of the tilted distribution.
    rounding : float
        A bound on the relative errors of the masses.
    shift : float
        A bound on the errors of the losses themselves.
    log_missed : float
        Log of a bound on the untilted mass of losses that were left out as too large.
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
