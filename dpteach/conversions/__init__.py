"""Conversions: theorems from one notion of privacy to another, and their registry.

Each function states a theorem as a formula for numbers. The registry `EDGES` holds an `Edge` for
every theorem from one notion to another, and `convert` applies one theorem. `convert` never chains
two theorems, because each step may loosen the bound. If no theorem leads directly to the target,
the error message lists the chains of theorems.

A theorem that cannot be improved has a *witness*: a pair of distributions that satisfies the
source guarantee but no smaller target guarantee. Every other theorem has a *gap*: the amount by
which its bound exceeds that of a tighter theorem or the exact value for a known example.

The usual conversion from Rényi differential privacy to epsilon is a method:
``RenyiDP(orders, epsilons).epsilon_at(delta)`` applies the tightest theorem at the best order, and
``RenyiDP(orders, epsilons).explain(delta=...)`` names the theorem and the order. The alternatives
are

- the tightest theorem for numbers, by a search: `renyi_to_epsilon_optimal` and
  `zcdp_to_epsilon_optimal`;
- the best closed formula, which is faster: `renyi_to_epsilon`, `zcdp_to_epsilon`, and
  ``convert(RenyiDP(...), to=ApproxDP, by="Canonne-Kamath-Steinke", delta=...)``;
- for comparisons, the formulas of the first papers: `renyi_to_epsilon_mironov`, `alpha_to_epsilon`
  and `zcdp_to_epsilon_bun_steinke`.
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
