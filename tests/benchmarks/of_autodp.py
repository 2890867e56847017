"""The benchmark's jobs, solved with autodp."""

from __future__ import annotations

from autodp.mechanism_zoo import (
    ExactGaussianMechanism,
    GaussianMechanism,
    NoisySGD_Mechanism,
    zCDP_Mechanism,
)
from autodp.transformer_zoo import ComposeAFA, ComposeGaussian, Composition
from jobs import KS, RATE, SIGMA, STEPS


def exact(k: int) -> float:
    return ComposeGaussian()([ExactGaussianMechanism(100.0)], [k]).get_approxDP(1e-6)


def by_zcdp(k: int) -> float:
    return Composition()([zCDP_Mechanism(1 / 20000)], [k]).get_approxDP(1e-6)


def by_characteristic_function(k: int) -> float:
    once = GaussianMechanism(100.0, phi_off=False, RDP_off=True, approxDP_off=True)
    return ComposeAFA()([once], [k]).get_approxDP(1e-6)


JOBS = {
    "f.analytic": lambda: [exact(k) for k in KS],
    "f.zcdp": lambda: [by_zcdp(k) for k in KS],
    "f.pld": lambda: [by_characteristic_function(k) for k in KS],
    "b.rdp": lambda: NoisySGD_Mechanism(prob=RATE, sigma=SIGMA, niter=STEPS).get_approxDP(1e-5),
}
