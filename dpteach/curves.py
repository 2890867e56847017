"""Curves: formulas for epsilon and delta on arrays that broadcast, rounded up like single numbers.

For the cost of k releases by the tightest route, over many k, use `Accountant.epsilon_curve`.
"""

from dpteach.accounting.curves import (
    gaussian_deltas,
    gaussian_epsilons,
    renyi_epsilons,
    zcdp_epsilons,
)

__all__ = ["gaussian_deltas", "gaussian_epsilons", "renyi_epsilons", "zcdp_epsilons"]
