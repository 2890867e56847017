"""The benchmark's jobs, solved with the accountants of Opacus.

The other modules of Opacus need torch, with which they train neural networks. The
accountants need only the name of one class in these modules, so here a placeholder replaces it.
"""

from __future__ import annotations

import sys
from importlib.util import find_spec
from types import ModuleType

from jobs import KS, RATE, SIGMA, STEPS

spec = find_spec("opacus")
assert spec is not None
bare, optimizers = ModuleType("opacus"), ModuleType("opacus.optimizers")
bare.__path__ = list(spec.submodule_search_locations or ())
optimizers.DPOptimizer = object  # type: ignore[attr-defined]
sys.modules |= {"opacus": bare, "opacus.optimizers": optimizers}

from opacus.accountants import IAccountant, PRVAccountant, RDPAccountant  # noqa: E402
from opacus.accountants.utils import get_noise_multiplier  # noqa: E402


def epsilon(
    method: type[IAccountant], sigma: float, rate: float, k: int, delta: float, **how: float
) -> float:
    accountant = method()
    accountant.history = [(sigma, rate, k)]
    return float(accountant.get_epsilon(delta=delta, **how))


def by_loss(delta: float) -> float:
    return epsilon(PRVAccountant, SIGMA, RATE, STEPS, delta, delta_error=delta / 1000)


def sigma(accountant: str) -> float:
    return get_noise_multiplier(
        target_epsilon=2.0,
        target_delta=1e-5,
        sample_rate=RATE,
        steps=STEPS,
        accountant=accountant,
        epsilon_tolerance=1e-3,
    )


JOBS = {
    "f.zcdp": lambda: [epsilon(RDPAccountant, 100.0, 1.0, k, 1e-6) for k in KS],
    "b.rdp": lambda: epsilon(RDPAccountant, SIGMA, RATE, STEPS, 1e-5),
    "b.rdp_calib": lambda: sigma("rdp"),
    "b.pld": lambda: by_loss(1e-5),
    "b.pld.1e-10": lambda: by_loss(1e-10),
    "b.pld.1e-15": lambda: by_loss(1e-15),
    "b.pld.1e-30": lambda: by_loss(1e-30),
    "b.pld_calib": lambda: sigma("prv"),
}
