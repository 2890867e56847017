"""Audit: lower bounds on the privacy parameters of a mechanism from its outputs.

Run a mechanism many times on each of two neighboring datasets and choose a set S of outputs. Its
frequencies give, with a stated confidence, a lower bound p on its probability P(S) on one dataset
and an upper bound q on its probability Q(S) on the other.
(epsilon, delta)-differential privacy means P(S) <= e^epsilon Q(S) + delta, so epsilon is at least
log((p - delta)/q). This number is a *lower* bound that holds with the stated confidence, whereas
theorems give upper bounds. A lower bound can refute a claimed guarantee but never prove it.

It would be invalid to search for the set S with the largest bound and to compute the bound from
the same runs, because among many sets S one looks good by chance. Three corrections are available:

- ``"holdout"``: every other run is used to choose S, and the rest to count its frequency;
- ``"bonferroni"``: S holds the outputs with a score on one side of a threshold; several thresholds,
  chosen before the runs, share the error probability evenly;
- ``"dkw"``: one band around the whole empirical distribution function of the scores (Dvoretzky,
  Kiefer and Wolfowitz, 1956; Massart, 1990) holds for all thresholds simultaneously.
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
