"""Conversions: theorems from one claim about the privacy loss to another, and their registry.

The functions state a theorem about numbers. The registry `EDGES` holds an `Edge` for every
theorem from one notion to another, and `convert` applies one of them. It never chains two:
where there is no direct edge it says which routes there are, because each step may lose.

Each theorem shows what it is worth: one that cannot be improved has a *witness*, a pair of laws
that satisfies the claim and no smaller one of the other kind, and each other one a *gap*, by how
much its number exceeds one that is known to be possible.

From Rényi differential privacy to epsilon the front door is the claim itself:
``RenyiDP(orders, epsilons).epsilon_at(delta)``, which takes the best of its orders. The other
doors are for those who want

- the least number that the claim implies, by a search: ``convert(claim, to=ApproxDP, delta=...)``;
- the same for numbers instead of claims: `renyi_to_epsilon_optimal`, `zcdp_to_epsilon_optimal`;
- the formula of the front door by itself: `renyi_to_epsilon`, and `zcdp_to_epsilon` at the best
  order;
- the formula of the first papers, to compare: `renyi_to_epsilon_mironov`, `alpha_to_epsilon` and
  `zcdp_to_epsilon_bun_steinke`;
- to see which order gave the number, and why: ``claim.explain(delta=...)``.
"""

# each registers its theorems
from dpteach.conversions import (
    to_alpha,
    to_approx,
    to_f,
    to_gaussian,
    to_mutual_information,
    to_probabilistic,
    to_pure,
    to_renyi,
    to_zero_concentrated,
)
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
