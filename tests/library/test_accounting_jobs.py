"""Tests that brackets for hundreds of random jobs contain independently computed values.

A job is a composition of mechanisms, with an epsilon and the true delta at this epsilon, from
`data/accounting_jobs.json`. The script `data/make_accounting_jobs.py` computed the true deltas by
one of four methods, which depends on the kind of mechanisms: a sum over all values of the loss, a
sum of residues, the probability that the output of a single mechanism lies in a half-line, or a
contour integral, whose error was estimated by varying the contour, the step and the length of
integration. None of these methods uses a lattice, unlike the tested code.
"""

from __future__ import annotations

import json
import math
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from dpteach import Accountant, Gaussian, Laplace, Mechanism, PoissonSubsampled, RandomizedResponse
from dpteach.accounting.lattice import (
    GaussianBase,
    LaplaceBase,
    StepLoss,
    delta_bracket,
    epsilon_bracket,
)

DATA = Path(__file__).parent / "data"
Job = dict[str, Any]
JOBS: list[Job] = json.loads((DATA / "accounting_jobs.json").read_text())
TOLERANCES = (1e-2, 1e-3, 1e-4)
#: for each family of similar jobs, the indices of its jobs in `JOBS`
FAMILIES: dict[str, list[int]] = {}
for _index, _job in enumerate(JOBS):
    FAMILIES.setdefault(_job["family"], []).append(_index)
#: the indices of the jobs that a quick run tests: every seventh, without the two slowest families
FEW = [i for i in range(0, len(JOBS), 7) if not JOBS[i]["family"].startswith(("laplace", "mixed"))]
#: the largest error in a true value that comes from rounding the job's parameters, and from
#: rounding this value before it was written to the file
ROUNDING = 2e-12


def law(part: list[Any], forward: bool) -> StepLoss:
    kind, value, rate, _ = part
    if kind == "gaussian":
        return StepLoss(rate, base=GaussianBase(1 / value), forward=forward)
    if kind == "laplace":
        s = 1 / value
        logs = np.array([-s, 0.0]) - math.log(2)
        return StepLoss(rate, [s, -s], logs, LaplaceBase(s), forward=forward)
    if kind == "response":
        logs = np.array([-math.log1p(math.exp(value)), -math.log1p(math.exp(-value))])
        return StepLoss(rate, [value, -value], logs, forward=forward)
    p, q = np.array(value)
    seen = q > 0
    with np.errstate(divide="ignore"):
        losses = np.log(p[seen] / q[seen])
    escaped = float(p[~seen].sum())
    return StepLoss(rate, losses, np.log(q[seen]), escaped=escaped, forward=forward)


def steps(job: Job) -> tuple[list[list[tuple[StepLoss, int]]], float]:
    """Return the privacy losses of a job's steps in each direction, and the job's largest log
    delta.

    A job is a composition. The directions are (P, Q) and (Q, P), for the output distributions P and
    Q on two neighbors; directions whose log delta is unknown are left out. Each loss comes with the
    number of steps that have it.
    """
    known = {
        forward: -math.inf if value == "none" else value
        for forward, value in zip((True, False), job["log_delta"], strict=True)
        if value is not None
    }
    return [[(law(p, f), p[3]) for p in job["parts"]] for f in known], max(known.values())


def check(index: int, tolerance: float) -> None:
    job = JOBS[index]
    laws, log_delta = steps(job)
    epsilon, delta, error = job["epsilon"], math.exp(log_delta), job["error"] + ROUNDING
    begin = time.process_time()
    low, high = epsilon_bracket(laws, delta, tolerance)
    assert low <= epsilon * (1 + ROUNDING) <= high * (1 + 2 * ROUNDING) + error, job
    low, high = delta_bracket(laws, epsilon, tolerance)
    assert low * (1 - error) <= delta <= high * (1 + error), job
    assert 0 <= low <= high <= 1
    assert time.process_time() - begin < 20, job


@pytest.mark.parametrize("index", FEW)
def test_brackets_hold_the_truth(index: int) -> None:
    check(index, 1e-2)


@pytest.mark.slow
@pytest.mark.parametrize("family", FAMILIES)
@pytest.mark.parametrize("tolerance", TOLERANCES)
def test_brackets_of_a_family_hold_the_truth(family: str, tolerance: float, sample: Any) -> None:
    for index in sample(FAMILIES[family][TOLERANCES.index(tolerance) :: len(TOLERANCES)], 2):
        check(index, tolerance)


def mechanism(part: list[Any]) -> Mechanism | None:
    kind, value, rate, _ = part
    # the library has no mechanism for an arbitrary pair of distributions, and it cannot subsample
    # this randomized response, whose neighbors differ in the value of one person
    if kind == "pair" or (kind == "response" and rate < 1):
        return None
    if kind == "gaussian":
        inner: Mechanism = Gaussian(value)
    elif kind == "laplace":
        inner = Laplace(value)
    else:
        inner = RandomizedResponse(value)
    return inner if rate == 1 else PoissonSubsampled(inner, rate)


def askable(job: Job) -> bool:
    """Return whether an accountant can compose a job's parts, and the deltas of both directions
    are known.
    """
    events = [mechanism(part) for part in job["parts"]]
    alike = len({event and event.adjacency for event in events}) == 1
    return alike and None not in [*events, *job["log_delta"]]


def ask_accountant(index: int) -> None:
    job = JOBS[index]
    accountant = Accountant(tolerance=1e-3)
    for part in job["parts"]:
        accountant = accountant.compose(mechanism(part), part[3])
    log_delta = max(x for x in job["log_delta"] if x != "none")
    epsilon, delta, error = job["epsilon"], math.exp(log_delta), job["error"] + ROUNDING
    found = accountant.epsilon_at(delta)
    assert found.lower <= epsilon * (1 + ROUNDING) <= found.upper * (1 + 2 * ROUNDING) + error, job
    found = accountant.delta_at(epsilon)
    assert found.lower * (1 - error) <= delta <= found.upper * (1 + error), job


@pytest.mark.parametrize("index", [i for i in FEW[::2] if askable(JOBS[i])])
def test_an_accountant_holds_the_truth(index: int) -> None:
    ask_accountant(index)


@pytest.mark.slow
@pytest.mark.parametrize(
    "family", [name for name, jobs in FAMILIES.items() if any(askable(JOBS[i]) for i in jobs)]
)
def test_an_accountant_holds_the_truth_of_a_family(family: str, sample: Any) -> None:
    for index in sample([i for i in FAMILIES[family] if askable(JOBS[i])][::3], 3):
        ask_accountant(index)


def test_there_are_enough_jobs_and_their_truths_are_known() -> None:
    assert len(JOBS) >= 500
    assert max(job["error"] for job in JOBS) < 1e-9
    assert len(FAMILIES) == 12
