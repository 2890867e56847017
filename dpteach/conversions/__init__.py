"""Conversions: theorems from one claim about the privacy loss to another, and their registry.

The functions state a theorem about numbers. The registry `EDGES` holds an `Edge` for every
theorem from one notion to another, and `convert` applies one of them. It never chains two:
where there is no direct edge it says which routes there are, because each step may lose.

Each theorem shows what it is worth: one that cannot be improved has a *witness*, a pair of laws
that satisfies the claim and no smaller one of the other kind, and each other one a *gap*, by how
much its number exceeds one that is known to be possible.

The usual way from Rényi differential privacy to epsilon is the claim itself:
``RenyiDP(orders, epsilons).epsilon_at(delta)`` applies the tightest theorem and takes the best of
the orders. Use the others for

- the same theorem on numbers instead of claims: `renyi_to_epsilon_optimal`; for zCDP, whose
  `epsilon_at` is a closed formula, the search `zcdp_to_epsilon_optimal`;
- the closed formula, in microseconds: `renyi_to_epsilon`, `zcdp_to_epsilon` at the best order, and
  ``convert(claim, to=ApproxDP, by="Canonne-Kamath-Steinke", delta=...)`` for a claim;
- the formula of the first papers, to compare: `renyi_to_epsilon_mironov`, `alpha_to_epsilon` and
  `zcdp_to_epsilon_bun_steinke`;
- the order that gave the number, and why: ``claim.explain(delta=...)``.
"""

import importlib
import pkgutil

from dpteach.conversions.formulas import (
    alpha_to_epsilon,
    alpha_to_renyi,
    approx_to_approx_delta,
    approx_to_probabilistic_delta,
    mutual_information_to_total_variation,
    pinsker_total_variation,
    pure_to_gaussian,
    pure_to_kl,
    renyi_to_alpha,
    renyi_to_delta_optimal,
    renyi_to_epsilon,
    renyi_to_epsilon_mironov,
    renyi_to_epsilon_optimal,
    total_variation_to_mutual_information,
    zcdp_to_delta_bun_steinke,
    zcdp_to_epsilon,
    zcdp_to_epsilon_bun_steinke,
    zcdp_to_epsilon_optimal,
)
from dpteach.conversions.registry import EDGES, Edge, convert, explain, table

__all__ = [
    "EDGES",
    "Edge",
    "alpha_to_epsilon",
    "alpha_to_renyi",
    "approx_to_approx_delta",
    "approx_to_probabilistic_delta",
    "convert",
    "explain",
    "mutual_information_to_total_variation",
    "pinsker_total_variation",
    "pure_to_gaussian",
    "pure_to_kl",
    "renyi_to_alpha",
    "renyi_to_delta_optimal",
    "renyi_to_epsilon",
    "renyi_to_epsilon_mironov",
    "renyi_to_epsilon_optimal",
    "table",
    "total_variation_to_mutual_information",
    "zcdp_to_delta_bun_steinke",
    "zcdp_to_epsilon",
    "zcdp_to_epsilon_bun_steinke",
    "zcdp_to_epsilon_optimal",
]

# each module to_NOTION registers the theorems that lead to that notion
for _module in pkgutil.iter_modules(__path__):
    if _module.name.startswith("to_"):
        importlib.import_module(f"{__name__}.{_module.name}")
