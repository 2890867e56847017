"""Random test cases that several test files share."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import strategies as st

from dpteach import DiscreteLoss


def few_or_many(name: str, few: float, many: float, whole: float | None = None) -> Any:
    """Return a decorator that sets a test's parameter `name` to a number of random cases.

    The number is `few` in a quick run, `many` in a run that includes slow tests, and `whole`,
    unless it is None, in a run with ``--all``.
    """
    longer = [pytest.param(many, marks=pytest.mark.slow)]
    if whole is not None:
        longer = [
            pytest.param(many, marks=[pytest.mark.slow, pytest.mark.part]),
            pytest.param(whole, marks=[pytest.mark.slow, pytest.mark.exhaustive]),
        ]
    return pytest.mark.parametrize(name, [pytest.param(few, marks=pytest.mark.quick), *longer])


def log_uniform(rng: np.random.Generator, low: float, high: float) -> float:
    """Draw a number from [low, high] whose logarithm is uniform, so that all magnitudes are
    likely.
    """
    return float(math.exp(rng.uniform(math.log(low), math.log(high))))


@st.composite
def pairs(draw: st.DrawFn, outcomes: int = 5) -> DiscreteLoss:
    """Draw a pair of discrete distributions; some outcomes may have probability 0 under one or
    both.
    """
    size = draw(st.integers(2, outcomes))
    weight = st.one_of(st.floats(1e-6, 1.0), st.sampled_from([0.0, 0.25, 0.5, 1.0]))
    laws = []
    for _ in range(2):
        weights = np.array(draw(st.lists(weight, min_size=size, max_size=size)))
        weights[0] += 0.1
        laws.append(weights / weights.sum())
    return DiscreteLoss(*laws)


def worst_delta(loss: DiscreteLoss, epsilon: float) -> float:
    """Return the larger of the hockey-stick divergences at epsilon of (P, Q) and of (Q, P)."""
    return max(loss.hockey_stick(epsilon), loss.reversed().hockey_stick(epsilon))
