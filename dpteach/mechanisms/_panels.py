"""Quadrature for output distributions of mechanisms that compare noisy numbers."""

from __future__ import annotations

import functools
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

Vector = NDArray[np.float64]


@functools.cache
def gauss(nodes: int) -> tuple[Vector, Vector]:
    """Return Gauss-Legendre nodes and weights on [0, 1]."""
    x, w = np.polynomial.legendre.leggauss(nodes)
    return (x + 1) / 2, w / 2


def graded(points: Vector, rate: float) -> tuple[Vector, Vector]:
    """Return nodes and log weights for an integral from the first of some points to the last.

    The integrand must be smooth between the points, grow or decay at most like e^(rate |x|),
    and have each peak within a few multiples of 1/rate of a point. Laplace densities times
    Laplace distribution functions are of this kind. Panels have width 2/rate next to the points
    and double in width away from them.

    Parameters
    ----------
    points : ndarray of shape (n,)
        Increasing.
    rate : float

    Returns
    -------
    x, log_weights : ndarrays
    """
    first = 2 / rate
    cuts = []
    for left, right in pairwise(points):
        half = (right - left) / 2
        if half <= first:
            inner = np.array([0.0, half])
        else:
            inner = first * (2.0 ** np.arange(int(np.log2(half / first + 1)) + 1) - 1)
            inner = np.append(inner[inner < half * (1 - 1e-9)], half)
        cuts += [left + inner, right - inner[::-1]]
    edges = np.unique(np.concatenate(cuts))
    nodes, weights = gauss(16)
    widths = np.diff(edges)
    x = edges[:-1, None] + widths[:, None] * nodes
    with np.errstate(divide="ignore"):  # a panel too narrow for floats has weight 0
        return x.ravel(), np.log(widths[:, None] * weights).ravel()


def log_laplace_cdf(x: Vector) -> Vector:
    """Return log P(noise <= x) for Laplace noise of scale 1."""
    tail = np.exp(-np.abs(x)) / 2
    return np.asarray(np.where(x < 0, x - np.log(2), np.log1p(-tail)))


def log_laplace_density(x: Vector) -> Vector:
    """Return the logarithm of the density of Laplace noise of scale 1."""
    return np.asarray(-np.abs(x) - np.log(2))
