"""Conversions: theorems from one notion of privacy to another, and their registry.

Each function states a theorem as a formula for numbers. The registry `EDGES` holds an `Edge` for
every theorem from one notion to another, and `convert` applies one theorem. `convert` never chains
two theorems, because each step may loosen the bound. If no theorem leads directly to the target,
the error message lists the chains of theorems.

A theorem that cannot be improved has a *witness*: a pair of distributions that satisfies the
source claim but no smaller target claim. Every other theorem has a *gap*: the amount by which its
number exceeds that of a tighter theorem or of a known example.

The usual conversion from Rényi differential privacy to epsilon is a method of the claim:
``RenyiDP(orders, epsilons).epsilon_at(delta)`` applies the tightest theorem and takes the best
order. The alternatives are

- for numbers instead of claims, the same theorem: `renyi_to_epsilon_optimal`; for zCDP, whose
  `epsilon_at` is a closed formula, the search `zcdp_to_epsilon_optimal`;
- the closed formula, in microseconds: `renyi_to_epsilon`, `zcdp_to_epsilon` at the best order, and
  ``convert(claim, to=ApproxDP, by="Canonne-Kamath-Steinke", delta=...)`` for a claim;
- for comparisons, the formulas of the first papers: `renyi_to_epsilon_mironov`, `alpha_to_epsilon`
  and `zcdp_to_epsilon_bun_steinke`;
- for the best order and the theorem: ``claim.explain(delta=...)``.
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

# import each module to_NOTION, which registers the theorems whose target is NOTION
for _module in pkgutil.iter_modules(__path__):
    if _module.name.startswith("to_"):
        importlib.import_module(f"{__name__}.{_module.name}")
