"""The benchmark's jobs, solved with diffprivlib, whose mechanisms draw one number per call."""

from __future__ import annotations

from collections.abc import Callable

from diffprivlib import mechanisms
from jobs import SAMPLES


def released(mechanism: mechanisms.DPMechanism, value: float) -> Callable[[], int]:
    return lambda: len([mechanism.randomise(value) for _ in range(SAMPLES)])


JOBS = {
    "g.discrete_laplace": released(mechanisms.Geometric(epsilon=1, sensitivity=1), 0),
    "g.snapping": released(mechanisms.Snapping(epsilon=1, sensitivity=1, lower=-10, upper=10), 0.0),
}
