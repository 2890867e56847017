"""The benchmark's jobs, solved with prv-accountant, which returns (lower, estimate, upper)."""

from __future__ import annotations

from jobs import KS, RATE, SIGMA, STEPS
from prv_accountant import (
    GaussianMechanism,
    PoissonSubsampledGaussianMechanism,
    PRVAccountant,
)

#: half the distance between the accountant's lower and upper bound on epsilon; with a tenth of
#: this value, the accountant takes eighteen times as long
WIDTH = 0.01


def dp_sgd(delta: float) -> tuple[float, float]:
    step = PoissonSubsampledGaussianMechanism(sampling_probability=RATE, noise_multiplier=SIGMA)
    total = PRVAccountant(
        [step], eps_error=WIDTH, delta_error=delta / 1000, max_self_compositions=[STEPS]
    )
    lower, _, upper = total.compute_epsilon(delta, [STEPS])
    return lower, upper


def by_loss() -> list[float]:
    total = PRVAccountant(
        [GaussianMechanism(noise_multiplier=100.0)],
        eps_error=WIDTH,
        delta_error=1e-9,
        max_self_compositions=[KS[-1]],
    )
    return [total.compute_epsilon(1e-6, [k])[2] for k in KS]


JOBS = {
    "b.pld": lambda: dp_sgd(1e-5),
    "b.pld.1e-10": lambda: dp_sgd(1e-10),
    "b.pld.1e-15": lambda: dp_sgd(1e-15),
    "b.pld.1e-30": lambda: dp_sgd(1e-30),
    # the job e.pld is left out, because prv-accountant would take two minutes and 5 GiB for it
    "f.pld": by_loss,
}
