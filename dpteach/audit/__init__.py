"""Audit: what a mechanism's answers prove that it reveals.

Run a mechanism many times on each of two neighbouring datasets and choose an event S. How often
it happens gives, with a stated confidence, a p that P(S) is not below and a q that Q(S) is not
above. A claim of (epsilon, delta)-differential privacy says P(S) <= e^epsilon Q(S) + delta, so
epsilon is at least log((p - delta)/q): a *lower* bound, true with that confidence, as the
theorems are upper bounds. It can refute a claim and never prove one.

Looking for the event that gives the most and believing its own numbers would be wrong: of many
events one looks good by chance. The three corrections here are

- ``"holdout"``: every other run helps to choose the event, and the rest are counted;
- ``"bonferroni"``: thresholds that were chosen before share the error evenly;
- ``"dkw"``: one band around the whole empirical distribution function (Dvoretzky, Kiefer and
  Wolfowitz, 1956; Massart, 1990) holds for every threshold at once.
"""

from dpteach.audit.bounds import (
    LowerBound,
    binomial_interval,
    delta_lower_bound,
    epsilon_lower_bound,
    mu_lower_bound,
    rho_lower_bound,
)
from dpteach.audit.events import Event
from dpteach.audit.runs import audit

__all__ = [
    "Event",
    "LowerBound",
    "audit",
    "binomial_interval",
    "delta_lower_bound",
    "epsilon_lower_bound",
    "mu_lower_bound",
    "rho_lower_bound",
]
