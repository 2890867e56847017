"""The jobs of the benchmark: the computations that each library is asked to do.

A library's answer is a float, a pair (lower, upper) or a list of floats. The true answers are in
`references.py`: they are computed at 40 digits by a different method than in any of the libraries,
or quoted with their source.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

DELTAS = (1e-5, 1e-10, 1e-15)
SIGMA, RATE, STEPS = 1.0, 0.01, 10_000
KS = range(1, 1001)
#: the noise of the mechanisms in the job e.pld: the standard deviations of 1,000 Gaussian
#: mechanisms, and the scales of 100 Laplace mechanisms
SIGMAS, SCALES = np.linspace(20, 200, 1000), np.linspace(10, 50, 100)
SAMPLES = 1_000_000
#: the 165 Rényi orders, up to 1,024, of the job b.rdp
ORDERS = np.concatenate((1 + np.arange(1, 110) / 10, np.arange(12, 64), [128, 256, 512, 1024.0]))


@dataclass(frozen=True)
class Job:
    """A job of the benchmark: its name, a text on what is computed, and limits for dpteach."""

    name: str
    asks: str
    #: the wanted speed-up: how many times faster dpteach must be than the library `peer`
    reach: float
    #: the library with which dpteach is compared in `reach`
    peer: str = "dp-accounting"
    #: the most seconds that dpteach may take, for jobs that are compared with no other library
    limit: float | None = None
    #: the largest relative error permitted for an answer above the true value; an answer below the
    #: true value is always wrong, except for rounding
    tolerance: float = math.inf


@dataclass(frozen=True)
class Growth:
    """Jobs that only dpteach runs, to see how its costs grow with the quantity that `of` names.

    An `Accountant` computes epsilon for each of the quantity's `values`.
    """

    of: str
    values: tuple[float, ...]

    def name(self, value: float) -> str:
        return f"{self.of}={value:g}"


JOBS = (
    Job("f.analytic", "exact epsilon of Gaussian noise, 1,000 k", 80, tolerance=1e-12),
    Job("f.zcdp", "best real-order Rényi = zCDP, 1,000 k", 200, tolerance=1e-9),
    Job("b.rdp", "Rényi of sampled Gaussian noise, orders to 1,024", 20, tolerance=2e-3),
    Job("b.pld", "DP-SGD by loss distribution, delta = 1e-5", 5, tolerance=1e-4 / 6.187),
    Job("b.pld.1e-10", "the same, delta = 1e-10", 1, tolerance=1e-4),
    Job("b.pld.1e-15", "the same, delta = 1e-15", 1, tolerance=1e-4),
    Job("b.pld.1e-30", "the same, delta = 1e-30", 1, tolerance=1e-4),
    Job("b.pld_calib", "sigma for epsilon = 2 by loss distribution", 8, tolerance=1e-4),
    Job("b.rdp_calib", "sigma for epsilon = 2 by Rényi", 1, tolerance=5e-3),
    Job("e.pld", "1,000 different Gaussians and 100 Laplace", 10, tolerance=2.5e-5),
    Job("f.pld", "the accountant's epsilon of Gaussian noise, 1,000 k", 30, tolerance=1e-4),
    Job("f.kov_optimal", "optimal composition, k = 100,000", 1, limit=0.010, tolerance=1e-9),
    Job("g.discrete_laplace", "10^6 exact discrete Laplace", 9, "opendp"),
    Job("g.discrete_gaussian", "10^6 exact discrete Gaussian", 9, "opendp"),
    Job("g.snapping", "10^6 snapped Laplace", 90, "diffprivlib"),
    Job("import", "the import of the library", 1, limit=0.3),
)

GROWTH = (
    Growth("steps", (1e2, 1e3, 1e4, 1e5, 1e6)),
    Growth("tolerance", (1e-1, 1e-2, 1e-3, 1e-4, 1e-5, 1e-6)),
    Growth("distinct events", (1, 10, 100, 1000)),
)
