"""Audit: lower bounds on the privacy parameters of a mechanism from its outputs.

Run a mechanism many times on each of two neighboring datasets and choose an event S. Its
frequencies give, with a stated confidence, a lower bound p on P(S) and an upper bound q on Q(S).
(epsilon, delta)-differential privacy means P(S) <= e^epsilon Q(S) + delta, so epsilon is at least
log((p - delta)/q). This number is a *lower* bound that holds with the stated confidence, whereas
theorems give upper bounds. A lower bound can refute a claimed guarantee but never prove it.

It would be invalid to search for the event with the largest bound and to compute the bound from
the same runs, because among many events one looks good by chance. Three corrections are available:

- ``"holdout"``: every other run is used to choose the event, and the rest to count it;
- ``"bonferroni"``: thresholds chosen before the runs share the error probability evenly;
- ``"dkw"``: one band around the whole empirical distribution function (Dvoretzky, Kiefer and
  Wolfowitz, 1956; Massart, 1990) holds for all thresholds simultaneously.
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
