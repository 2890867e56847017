"""Calibration: the least noise that reaches a target.

Every theorem about a mechanism can be read backwards: from the guarantee wanted to the noise.
`calibrate` does so for any notion, by a closed form where there is one and else by a search
that uses nothing but the theorem. The other functions stand at the best order of a divergence, for
Gaussian noise: `calibrate` needs less, and they show by how much.
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
