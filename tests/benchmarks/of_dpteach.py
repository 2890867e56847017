"""The jobs, by dpteach."""

from __future__ import annotations

import numpy as np
from jobs import KS, ORDERS, RATE, SAMPLES, SIGMA, STEPS

from dpteach import (
    ApproxDP,
    DiscreteGaussian,
    DiscreteLaplace,
    Gaussian,
    PoissonSubsampled,
    RenyiDP,
    Snapping,
    calibrate,
)
from dpteach.composition import optimal_composition
from dpteach.curves import gaussian_epsilons, renyi_epsilons, zcdp_epsilons

K = np.array(KS)
STEP = PoissonSubsampled(Gaussian(SIGMA), RATE)
ZEROS = np.zeros(SAMPLES, dtype=np.int64)


def renyi() -> float:
    claim = STEP.guarantee(RenyiDP, orders=ORDERS)
    return float(renyi_epsilons(claim, STEPS, 1e-5))


def sigma(**how: object) -> float:
    made = calibrate(
        lambda noise: PoissonSubsampled(Gaussian(noise), RATE),
        ApproxDP(2.0, 1e-5),
        k=STEPS,
        **how,
    )
    return made.mechanism.sigma


JOBS = {
    "f.analytic": lambda: gaussian_epsilons(np.sqrt(K) / 100, 1e-6),
    "f.zcdp": lambda: zcdp_epsilons(K / 20000, 1e-6),
    "b.rdp": renyi,
    "b.rdp_calib": lambda: sigma(via=RenyiDP),
    "f.kov_optimal": lambda: optimal_composition(ApproxDP(0.05, 0.0), 100_000, delta=1e-6).epsilon,
    "g.discrete_laplace": lambda: len(
        DiscreteLaplace(scale=1.0).release(ZEROS, rng=np.random.default_rng())
    ),
    "g.discrete_gaussian": lambda: len(
        DiscreteGaussian(sigma=1.0).release(ZEROS, rng=np.random.default_rng())
    ),
    "g.snapping": lambda: len(
        Snapping(scale=1.0, bound=10.0).release(ZEROS, rng=np.random.default_rng())
    ),
}
