"""Tests of the promise that a check fails a right random mechanism with probability at most 1e-9.

Each run follows the steps of a right mechanism to draw its answers, for all calls at once. It does
not sample from the distribution that the check declares, so that a mistake in this distribution
would show. The answers are brought into the form in which a kernel records answers, and are then
judged as in grading.
"""

from __future__ import annotations

import math
import zlib
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy import stats

from dpteach.grading import Case, Categorical, DiscreteLaplace, Law, RandomCheck
from dpteach.grading.author.data import beside
from dpteach.grading.author.parts import declared
from dpteach.grading.author.proof import read_checks
from dpteach.grading.author.source import AssignmentSource, read_source
from dpteach.grading.core.plain import pack
from dpteach.grading.judging.judge import judge
from dpteach.grading.kinds.declaration import FALSE_ALARM
from dpteach.grading.kinds.outcomes import repeated

ROOT = Path(__file__).resolve().parents[2]
ASSIGNMENTS = sorted((ROOT / "course_src" / "assignments").glob("*.md"))
BOOK = "renyi_dp#section"
Rng = np.random.Generator
#: the type of a function that takes a random generator, a number of calls and a case's arguments,
#: and returns an answer of a right mechanism for each call
Sampler = Callable[..., Any]


@dataclass(frozen=True)
class Kind:
    """A check of random answers, a sampler of right answers, and how often to try the check.

    The check is tried `runs` times at its own false alarm probability, and `inflated` times at the
    much larger probability `LEVEL`.
    """

    check: RandomCheck
    sampler: Sampler
    runs: int
    inflated: int


def of(law: Callable[..., Any], *cases: Case, draws: int = 2000) -> RandomCheck:
    return RandomCheck(
        name="law", points=1, call="mechanism", law=law, draws=draws, visible=cases, book=BOOK
    )


def two_sided_geometric(rng: Rng, scale: float, size: Any) -> Any:
    p = -math.expm1(-1 / scale)
    return rng.geometric(p, size) - rng.geometric(p, size)


def response(rng: Rng, calls: int, bits: list[int], epsilon: float) -> Any:
    flip = rng.random((calls, len(bits))) >= 1 / (1 + math.exp(-epsilon))
    return np.where(flip, 1 - np.asarray(bits), bits)


def response_law(bits: list[int], epsilon: float) -> Categorical:
    p = 1 / (1 + math.exp(-epsilon))
    return Categorical([0, 1], [[1 - p, p] if bit else [p, 1 - p] for bit in bits])


LETTERS = ["a", "b", "c", "d", "e"]


def letters(rng: Rng, calls: int, scores: list[float], epsilon: float) -> Any:
    noisy = epsilon * np.asarray(scores) / 2 + rng.gumbel(size=(calls, len(scores)))
    return [LETTERS[i] for i in noisy.argmax(axis=1)]


def letters_law(scores: list[float], epsilon: float) -> Categorical:
    weights = np.exp(epsilon * np.asarray(scores) / 2)
    return Categorical(LETTERS, weights / weights.sum())


def gaussian_sigma(sensitivity: float, order: float, epsilon_bar: float) -> float:
    return sensitivity * math.sqrt(order / (2 * epsilon_bar))


def refused_below_two(noisy: Any) -> Any:
    return np.where(noisy < 2, -1, noisy)


def by_a_till(
    rng: Rng, calls: int, secrets: list[int], epsilons: list[float], budget: float
) -> Any:
    answers = np.full((calls, len(secrets)), -1)
    for i, (secret, epsilon) in enumerate(zip(secrets, epsilons, strict=True)):
        if epsilon <= budget:
            budget -= epsilon
            answers[:, i] = response(rng, calls, [secret], epsilon)[:, 0]
    return answers


#: vectorized right mechanisms for checks of random answers in the assignments, by the check's
#: name; these checks are tried 200 times. Checks without such a mechanism are tried 10 times, with
#: the instructor's solution, which is slower
OF_ASSIGNMENTS: dict[str, Sampler] = {
    "vector_repaired": lambda rng, calls, vector, sigma: rng.normal(
        vector, sigma, (calls, len(vector))
    ),
    "service_repaired": lambda rng, calls, table: refused_below_two(
        np.clip(sum(table) + rng.geometric(2 / 3, calls) - rng.geometric(2 / 3, calls), 0, 3)
    ),
    "toss_repaired": lambda rng, calls, smokes, drinks, truth: (
        (2 * smokes + drinks) ^ ((rng.random((calls, 2)) >= truth) @ [2, 1])
    ),
    "counts_released": lambda rng, calls, patients, wards, epsilon, replaced: rng.laplace(
        np.bincount(patients, minlength=wards), (1 + replaced) / epsilon, (calls, wards)
    ),
    "days_repaired": lambda rng, calls, visits, most, epsilon: rng.laplace(
        np.bincount([day for days in visits for day in days[:most]], minlength=3),
        most / epsilon,
        (calls, 3),
    ),
    "phone_repaired": by_a_till,
    "counts_repaired": lambda rng, calls, counts, scale: (
        np.array(counts)
        + rng.geometric(-math.expm1(-1 / scale), (calls, len(counts)))
        - rng.geometric(-math.expm1(-1 / scale), (calls, len(counts)))
    ),
    "mechanism_law": lambda rng, calls, vector, *rdp: rng.normal(
        vector, gaussian_sigma(*rdp), (calls, len(vector))
    ),
}


def solution(source: AssignmentSource, call: str) -> Sampler:
    """Return a sampler that calls the instructor's function `call` once per answer."""
    names: dict[str, Any] = {"__name__": "__main__"}
    with beside(source.folder, source.data):
        for cell in source.cells:
            if cell.kind in ("given", "solution"):
                exec(cell.source, names)

    def sampler(rng: Rng, calls: int, *args: Any) -> Any:
        answers = [names[call](*args, rng=rng) for _ in range(calls)]
        return answers if isinstance(answers[0], str) else np.array(answers)

    return sampler


@cache
def kinds() -> dict[str, Kind]:
    """Return the checks to try, by name: five small ones, and those in the assignments."""
    found = {
        "gaussian": Kind(
            of(
                lambda v, s: Law("norm", loc=v, scale=s),
                Case([0.0, 10.0, -3.0], 2.0),
                Case([1e6], 0.5),
            ),
            lambda rng, calls, v, s: np.asarray(v) + s * rng.standard_normal((calls, len(v))),
            2400,
            400,
        ),
        "laplace": Kind(
            of(
                lambda v, s: Law("laplace", loc=v, scale=s),
                Case([0.0, 5.0], 1.0),
                Case([0.0] * 40, 0.1),
            ),
            lambda rng, calls, v, s: (
                np.asarray(v)
                + s * (rng.exponential(size=(2, calls, len(v))) * [[[1]], [[-1]]]).sum(axis=0)
            ),
            2200,
            400,
        ),
        "response": Kind(
            of(response_law, Case([0, 1, 1], 1.0), Case([1], 3.0)), response, 1500, 400
        ),
        "exponential": Kind(
            of(letters_law, Case([1.0, 3.0, 0.0, 2.0, 9.0], 1.5)), letters, 1000, 400
        ),
        "discrete laplace": Kind(
            of(
                lambda v, s: DiscreteLaplace(s, loc=v),
                Case([3, -4], 2.0),
                Case(10**9, 0.3),
            ),
            lambda rng, calls, v, s: (
                np.asarray(v) + two_sided_geometric(rng, s, (calls, *np.shape(v)))
            ),
            1200,
            400,
        ),
    }
    for path in ASSIGNMENTS:
        found |= of_assignment(path)
    return found


def of_assignment(path: Path) -> dict[str, Kind]:
    """Return an assignment's checks of random answers, each with a sampler of right answers.

    A key has the names of the assignment and of the check, such as "renyi_dp mechanism_law".
    """
    source = read_source(path, optional=True)
    found = {}
    for check in read_checks(source).values():
        if isinstance(check, RandomCheck):
            fast = OF_ASSIGNMENTS.get(check.name)
            runs = (fast, 200) if fast else (solution(source, check.call), 10)
            found[f"{source.name} {check.name}"] = Kind(check, *runs, 0)
    return found


def outcome(kind: Kind, case: dict[str, Any], args: tuple[Any, ...], seed: int, rng: Rng) -> Any:
    """Return drawn answers to a case, in the form in which `observe` records a function's answers.

    `observe` calls a function twice with some seeds, so the second answer to such a seed repeats
    the first one.
    """
    answers = kind.sampler(rng, case["calls"], *args)
    before, after = repeated(seed)
    order = [before.index(s) for s in after]
    if case.get("labels"):
        values = answers if isinstance(answers, list) else answers.tolist()
        first = values[: len(before)]
        return {
            "values": values,
            "first": first,
            "second": [first[i] for i in order],
            "touched": False,
        }
    first = answers[: len(before)]
    packed = {"values": pack(answers), "first": pack(first), "second": pack(first[order])}
    return {**packed, "touched": False}


@cache
def parts(name: str) -> list[tuple[dict[str, Any], list[tuple[Any, ...]]]]:
    """Return the visible and the hidden data of a check, each with the arguments of its cases.

    The distributions of known wrong answers are removed from the data, because only right answers
    are judged here.
    """
    check = kinds()[name].check.drawn(1)
    found = []
    for part, group in zip(declared(check, 1), (check.visible, check.hidden), strict=True):
        if part is not None:
            # a repair check also limits how much of a given function's text may change; leave this
            # out, and judge only the random answers
            part["kind"] = part["kind"].replace("repair", "random")
            for case in part["cases"]:
                case["mistakes"] = [None] * len(case["mistakes"])
            found.append((part, [case.args for case in group]))
    return found


def failed(name: str, run: int, level: float) -> str:
    """Draw answers of a right mechanism and judge them; return the message on a failure, or ""."""
    rng = np.random.default_rng([zlib.crc32(name.encode()), run])
    for part, arguments in parts(name):
        if level != FALSE_ALARM:
            part = {**part, "false_alarm": part["false_alarm"] * level / FALSE_ALARM}
        outcomes = [
            outcome(kinds()[name], case, args, part["seed"] + i, rng)
            for i, (case, args) in enumerate(zip(part["cases"], arguments, strict=True))
        ]
        verdict = judge(part, outcomes)
        if not verdict.passed:
            return verdict.text()
    return ""


def test_every_statistical_check_of_an_assignment_is_tried(tmp_path: Path) -> None:
    """`kinds()` contains every check of random answers in the assignments.

    The instructor's solution draws the answers to be judged, unless `OF_ASSIGNMENTS` has a faster
    mechanism for the check.
    """
    for path in ASSIGNMENTS:
        for check in read_checks(read_source(path, optional=True)).values():
            if isinstance(check, RandomCheck):
                assert f"{path.stem} {check.name}" in kinds()
    (tmp_path / "noisy.md").write_text(NOISY)
    (kind,) = of_assignment(tmp_path / "noisy.md").values()
    drawn = kind.sampler(np.random.default_rng(1), 1000, 5.0)
    assert abs(drawn.mean() - 5) < 0.2 and 0.9 < drawn.std() < 1.1


NOISY = """---
jupytext:
  text_representation: {extension: .md, format_name: myst}
kernelspec: {display_name: Python 3, language: python, name: python3}
---

```{code-cell} ipython3
:kind: solution
:name: noisy

def noisy(x, rng):
    'x with noise.'
    ### BEGIN SOLUTION
    return x + rng.normal()
    ### END SOLUTION
```

```{code-cell} ipython3
:kind: check

RandomCheck(name="unheard_of", points=1, call="noisy", visible=[Case(5.0)],
            law=lambda x: Law("norm", loc=x))
```
"""


@pytest.mark.parametrize("name", list(kinds()))
def test_right_mechanisms_of_each_kind(name: str) -> None:
    assert [failed(name, run, FALSE_ALARM) for run in range(3)] == [""] * 3


@pytest.mark.slow
@pytest.mark.parametrize("name", list(kinds()))
def test_right_mechanisms_by_the_hundred(name: str, everything: bool) -> None:
    """Right mechanisms pass all runs: at least 10,000 with --all, otherwise a tenth of these."""
    runs = kinds()[name].runs // (1 if everything else 10)
    assert {failed(name, run, FALSE_ALARM) for run in range(runs)} == {""}


def test_it_is_ten_thousand_runs() -> None:
    assert sum(kind.runs for kind in kinds().values()) >= 10_000


#: a false alarm probability so large that a test sees some false alarms and can count them
LEVEL = 0.05


@pytest.mark.slow
def test_the_bound_is_real_and_not_empty(everything: bool) -> None:
    """At a false alarm level of 5 %, right mechanisms fail in some runs, but in at most 5 %.

    In total, at least five runs must fail. Each check's number of failures is tested against the
    hypothesis that a run fails with probability 5 %: the p-value must exceed 1e-6. The real failure
    rates are 0.5 % to 2 %, because the level is divided among many statistical tests, whose bounds
    (Chernoff's) are not tight.
    """
    tried = {name: kind.inflated for name, kind in kinds().items() if kind.inflated}
    if not everything:
        tried = {name: runs // 2 for name, runs in tried.items()}
    failures = {
        name: sum(bool(failed(name, run, LEVEL)) for run in range(runs))
        for name, runs in tried.items()
    }
    print({name: f"{failures[name] / runs:.1%}" for name, runs in tried.items()})
    for name, runs in tried.items():
        assert stats.binom.sf(failures[name] - 1, runs, LEVEL) > 1e-6, name
    assert sum(failures.values()) >= 5, failures
