"""The benchmark's jobs, solved with dp-accounting."""

from __future__ import annotations

import math

import dp_accounting as da
from dp_accounting import gaussian_mechanism, pld, rdp
from dp_accounting.pld import accountant, common
from jobs import KS, RATE, SCALES, SIGMA, SIGMAS, STEPS


def step(sigma: float) -> da.DpEvent:
    return da.PoissonSampledDpEvent(RATE, da.GaussianDpEvent(sigma))


def dp_sgd(method: type, delta: float) -> float:
    return method().compose(step(SIGMA), STEPS).get_epsilon(delta)


def sigma(method: type) -> float:
    return da.calibrate_dp_mechanism(
        method,
        lambda noise: da.SelfComposedDpEvent(step(noise), STEPS),
        2.0,
        1e-5,
        da.ExplicitBracketInterval(0.3, 20.0),
        tol=1e-4,
    )


def mixed() -> float:
    total = pld.PLDAccountant()
    for noise in SIGMAS:
        total.compose(da.GaussianDpEvent(float(noise)))
    for scale in SCALES:
        total.compose(da.LaplaceDpEvent(float(scale)))
    return total.get_epsilon(1e-6)


def by_zcdp(k: int) -> float:
    return rdp.RdpAccountant().compose(da.ZCDpEvent(rho=k / 20000)).get_epsilon(1e-6)


def by_loss(k: int) -> float:
    return pld.PLDAccountant().compose(da.GaussianDpEvent(100.0), k).get_epsilon(1e-6)


JOBS = {
    "f.analytic": lambda: [
        gaussian_mechanism.get_epsilon_gaussian(100 / math.sqrt(k), 1e-6) for k in KS
    ],
    "f.zcdp": lambda: [by_zcdp(k) for k in KS],
    "b.rdp": lambda: dp_sgd(rdp.RdpAccountant, 1e-5),
    "b.pld": lambda: dp_sgd(pld.PLDAccountant, 1e-5),
    "b.pld.1e-10": lambda: dp_sgd(pld.PLDAccountant, 1e-10),
    "b.pld.1e-15": lambda: dp_sgd(pld.PLDAccountant, 1e-15),
    "b.pld.1e-30": lambda: dp_sgd(pld.PLDAccountant, 1e-30),
    "b.rdp_calib": lambda: sigma(rdp.RdpAccountant),
    "b.pld_calib": lambda: sigma(pld.PLDAccountant),
    "e.pld": mixed,
    "f.pld": lambda: [by_loss(k) for k in KS],
    "f.kov_optimal": lambda: accountant.advanced_composition(
        common.DifferentialPrivacyParameters(0.05, 0.0), 100_000, 1e-6
    ),
}
