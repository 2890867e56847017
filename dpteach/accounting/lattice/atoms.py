"""Sums of a few discrete losses, computed without a lattice, by listing all values of the sum."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from dpteach.accounting.lattice.cells import EPS, Vector
from dpteach.accounting.lattice.loss import StepLoss

#: the largest number of values of a sum that are listed
_MOST = 20_000


def few_values(steps: Sequence[tuple[StepLoss, int]]) -> bool:
    """Return whether all losses are discrete and their sum has at most `_MOST` values."""
    ways = 1
    for loss, k in steps:
        n = loss.atoms.size
        if loss.base is not None or (n > 2 and k > 200) or k > _MOST:
            return False
        ways *= math.comb(k + n - 1, n - 1) if n else 1
        if ways > _MOST:
            return False
    return True


class AtomSum:
    """The distribution of the finite values of a sum of independent discrete losses.

    Parameters
    ----------
    steps : sequence of (StepLoss, int)
        Discrete losses whose sum has at most `_MOST` values, and the count of each.

    Notes
    -----
    Cost: proportional to the number of values of the sum.
    """

    def __init__(self, steps: Sequence[tuple[StepLoss, int]]) -> None:
        losses, logs = np.zeros(1), np.zeros(1)
        size, terms = 0.0, 0.0
        for loss, k in steps:
            own = _power(loss.atoms, loss.log_masses, k)
            losses = np.add.outer(losses, own[0]).ravel()
            logs = np.add.outer(logs, own[1]).ravel()
            size += k * float(np.abs(loss.atoms).max(initial=0.0))
            kept = loss.log_masses[loss.log_masses > -800]
            terms += 3 * math.lgamma(k + 1) + k * float(np.abs(kept).max(initial=0.0))
        order = np.argsort(losses)[::-1]
        self.losses, self.logs = losses[order], logs[order]
        #: bounds on the rounding errors of the values of the sum (`shift`) and of the logarithms
        #: of their probabilities (`slip`)
        self.shift = 16 * EPS * size
        self.slip = 8 * EPS * (terms + 4) + EPS * losses.size

    def log_delta(self, epsilon: float, *, sign: int) -> float:
        """Return log E[(1 - e^(epsilon - S))+] for the sum S, rounded up (sign 1) or down (-1)."""
        epsilon -= sign * (self.shift + 4 * EPS * abs(epsilon))
        some = slice(0, int(np.searchsorted(-self.losses, -epsilon)))
        if some.stop == 0:
            return -math.inf
        with np.errstate(divide="ignore"):
            terms = self.logs[some] + np.log(-np.expm1(epsilon - self.losses[some]))
        top = float(terms.max())
        if top == -math.inf:
            return top
        return top + math.log(float(np.exp(terms - top).sum())) + sign * self.slip

    def epsilon(self, log_delta: float, *, sign: int) -> float:
        """Return an upper (sign 1) or lower (-1) bound on the least epsilon >= 0 at a delta."""
        if self.log_delta(0.0, sign=sign) <= log_delta:
            return 0.0
        low, high = 0.0, float(self.losses[0]) + 2 * self.shift + 1e-300
        high += 8 * EPS * abs(high)
        for _ in range(200):
            middle = (low + high) / 2
            if not low < middle < high or high - low <= 2 * EPS * high:
                break
            if self.log_delta(middle, sign=sign) <= log_delta:
                high = middle
            else:
                low = middle
        return high if sign > 0 else low


def _power(losses: Vector, logs: Vector, k: int) -> tuple[Vector, Vector]:
    """Return all values of a sum of k independent copies of a loss, and their log masses."""
    from scipy.special import gammaln

    rest = np.full(1, float(k))
    sums, total = np.zeros(1), np.full(1, float(gammaln(k + 1.0)))
    for i in range(losses.size):
        last = i == losses.size - 1
        many = np.ones(rest.size, dtype=np.int64) if last else rest.astype(np.int64) + 1
        row = np.repeat(np.arange(rest.size), many)
        count = np.arange(row.size) - np.repeat(np.cumsum(many) - many, many)
        j = rest[row] if last else count.astype(np.float64)
        sums = sums[row] + j * losses[i]
        total = total[row] + j * logs[i] - gammaln(j + 1)
        rest = rest[row] - j
    return sums, total
