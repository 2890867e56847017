"""Curves: formulas for arrays that broadcast, each number as safe as that of one point.

How k releases add up, over many k and by the tightest route, is `Accountant.epsilon_curve`.
"""

from dpteach.accounting.curves import (
    gaussian_deltas,
    gaussian_epsilons,
    renyi_epsilons,
    zcdp_epsilons,
)

__all__ = ["gaussian_deltas", "gaussian_epsilons", "renyi_epsilons", "zcdp_epsilons"]
