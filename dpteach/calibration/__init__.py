"""Calibration: the least noise that reaches a target.

Every theorem about a mechanism can be inverted, from the target guarantee to the noise.
`calibrate` does so for any notion, by a closed form where one exists and otherwise by a search that
uses only the theorem. The other functions compute the epsilon or the sigma of Gaussian noise by its
Rényi or alpha divergence at the best order. They are for comparison: `calibrate` needs less noise.
"""

from dpteach.calibration.best_order import (
    AtOrder,
    epsilon_at_best_order,
    epsilon_on_grid,
    sigma_at_best_order,
    sigma_on_grid,
)
from dpteach.calibration.least_noise import calibrate

__all__ = [
    "AtOrder",
    "calibrate",
    "epsilon_at_best_order",
    "epsilon_on_grid",
    "sigma_at_best_order",
    "sigma_on_grid",
]
