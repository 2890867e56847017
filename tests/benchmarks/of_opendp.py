"""The benchmark's jobs, solved with OpenDP."""

from __future__ import annotations

from collections.abc import Callable

import opendp.prelude as dp
from jobs import KS, SAMPLES

dp.enable_features("contrib", "floating-point", "honest-but-curious")

REAL = dp.atom_domain(T=float, nan=False)
WHOLE = dp.vector_domain(dp.atom_domain(T=int))
ZEROS = [0] * SAMPLES


def by_zcdp(k: int) -> float:
    once = dp.m.make_gaussian(REAL, dp.absolute_distance(T=float), scale=100.0)
    total = dp.c.make_zCDP_to_approxDP(dp.c.make_composition([once] * k))
    return float(total.map(1.0).epsilon(delta=1e-6))


def released(mechanism: Callable[[list[int]], list[int]]) -> Callable[[], int]:
    return lambda: len(mechanism(ZEROS))


JOBS = {
    "f.zcdp": lambda: [by_zcdp(k) for k in KS],
    "g.discrete_laplace": released(dp.m.make_laplace(WHOLE, dp.l1_distance(T=int), scale=1.0)),
    "g.discrete_gaussian": released(dp.m.make_gaussian(WHOLE, dp.l2_distance(T=int), scale=1.0)),
}
