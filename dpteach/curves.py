"""Formulas for epsilon and delta that take arrays, such as many numbers of releases.

Each formula uses one theorem, and the results are rounded up. For both a lower and an upper bound
on the smallest epsilon of k releases, for many k, use `Accountant.epsilon_curve`.
"""

from dpteach.accounting.curves import (
    gaussian_deltas,
    gaussian_epsilons,
    renyi_epsilons,
    zcdp_epsilons,
)

__all__ = ["gaussian_deltas", "gaussian_epsilons", "renyi_epsilons", "zcdp_epsilons"]
