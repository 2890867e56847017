"""The benchmark's jobs, solved with dpteach."""

from __future__ import annotations

from functools import partial

import numpy as np
from jobs import GROWTH, KS, ORDERS, RATE, SAMPLES, SCALES, SIGMA, SIGMAS, STEPS

from dpteach import (
    ApproxDP,
    DiscreteGaussian,
    DiscreteLaplace,
    Gaussian,
    Laplace,
    PoissonSubsampled,
    RenyiDP,
    Snapping,
    calibrate,
)
from dpteach.accountants import Accountant, Bracket
from dpteach.composition import optimal_composition
from dpteach.curves import gaussian_epsilons, renyi_epsilons, zcdp_epsilons

K = np.array(KS)
STEP = PoissonSubsampled(Gaussian(SIGMA), RATE)
ZEROS = np.zeros(SAMPLES, dtype=np.int64)


def renyi() -> float:
    claim = STEP.guarantee(RenyiDP, orders=ORDERS)
    return float(renyi_epsilons(claim, STEPS, 1e-5))


def ends(bracket: Bracket) -> tuple[float, float]:
    return bracket.lower, bracket.upper


def dp_sgd(delta: float) -> tuple[float, float]:
    return ends(Accountant().compose(STEP, STEPS).epsilon_at(delta))


def mixed() -> tuple[float, float]:
    total = Accountant()
    for noise in SIGMAS:
        total.compose(Gaussian(float(noise)))
    for scale in SCALES:
        total.compose(Laplace(float(scale)))
    return ends(total.epsilon_at(1e-6))


def sigma(**how: object) -> float:
    made = calibrate(
        lambda noise: PoissonSubsampled(Gaussian(noise), RATE),
        ApproxDP(2.0, 1e-5),
        k=STEPS,
        **how,
    )
    return made.mechanism.sigma


def of_steps(k: float) -> tuple[float, float]:
    return ends(Accountant().compose(STEP, int(k)).epsilon_at(1e-5))


def of_tolerance(tolerance: float) -> tuple[float, float]:
    return ends(Accountant(tolerance=tolerance).compose(STEP, STEPS).epsilon_at(1e-5))


def of_events(distinct: float) -> tuple[float, float]:
    """Return bounds on epsilon of `STEPS` DP-SGD steps with `distinct` sigmas from 1 to 2."""
    total = Accountant()
    for noise in np.linspace(1.0, 2.0, int(distinct)):
        total.compose(PoissonSubsampled(Gaussian(float(noise)), RATE), STEPS // int(distinct))
    return ends(total.epsilon_at(1e-5))


JOBS = {
    "f.analytic": lambda: gaussian_epsilons(np.sqrt(K) / 100, 1e-6),
    "f.zcdp": lambda: zcdp_epsilons(K / 20000, 1e-6),
    "b.rdp": renyi,
    "b.rdp_calib": lambda: sigma(via=RenyiDP),
    "b.pld": lambda: dp_sgd(1e-5),
    "b.pld.1e-10": lambda: dp_sgd(1e-10),
    "b.pld.1e-15": lambda: dp_sgd(1e-15),
    "b.pld.1e-30": lambda: dp_sgd(1e-30),
    "b.pld_calib": sigma,
    "e.pld": mixed,
    "f.pld": lambda: Accountant().epsilon_curve(Gaussian(100.0), K, 1e-6).upper,
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
JOBS |= {
    growing.name(value): partial(function, value)
    for growing, function in zip(GROWTH, (of_steps, of_tolerance, of_events), strict=True)
    for value in growing.values
}
