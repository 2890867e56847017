"""Formulas for epsilon and delta that take arrays, such as many numbers of releases; rounded up.

For the cost of k releases by the tightest route, over many k, use `Accountant.epsilon_curve`.
"""

from dpteach.accounting.curves import (
    gaussian_deltas,
    gaussian_epsilons,
    renyi_epsilons,
    zcdp_epsilons,
)

__all__ = ["gaussian_deltas", "gaussian_epsilons", "renyi_epsilons", "zcdp_epsilons"]
