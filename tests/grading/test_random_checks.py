"""Tests of what an author may declare in a check of a random mechanism, and of its verdicts.

Some tests measure how often the check detects a wrong mechanism.
"""

from __future__ import annotations

import json
import math
import time
from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from scipy import stats

from dpteach.grading import (
    Case,
    Categorical,
    DiscreteLaplace,
    Law,
    Mistake,
    RandomCheck,
)
from dpteach.grading.author.parts import declared
from dpteach.grading.core.observe import observe
from dpteach.grading.core.plain import pack
from dpteach.grading.judging.judge import judge
from dpteach.grading.judging.questions import questions
from dpteach.grading.judging.verdict import Verdict
from dpteach.grading.kinds.declaration import FALSE_ALARM
from dpteach.grading.kinds.random import _LOOKED_AT, DRAWS, distributions, promise, statistics
from dpteach.grading.kinds.random.judge import picture

BOOK = "renyi_dp#section"
Rng = np.random.Generator


# --- one small check of each kind, as an author would write it -------------------------------


def kept(epsilon: float) -> float:
    """Return the probability with which randomized response reports the true bit."""
    return 1 / (1 + math.exp(-epsilon))


def response_law(bits: list[int], epsilon: float, truth: Callable[..., float] = kept) -> Any:
    p = truth(epsilon)
    return Categorical([0, 1], [[1 - p, p] if bit else [p, 1 - p] for bit in bits])


def response(bits: list[int], epsilon: float, rng: Rng) -> Any:
    stay = rng.random(len(bits)) < kept(epsilon)
    return np.where(stay, bits, 1 - np.asarray(bits))


def response_check(**changes: Any) -> RandomCheck:
    arguments: dict[str, Any] = {
        "name": "response_law",
        "points": 2,
        "call": "response",
        "law": response_law,
        "visible": [Case([0, 1, 1], 1.0)],
        "hidden": [Case([1], 0.7310585, words="a single bit")],
        "mistakes": [
            Mistake(
                lambda bits, epsilon: response_law(bits, epsilon, lambda e: kept(-e)),
                "Bits are flipped with the probability that keeps them.",
            ),
            Mistake(
                lambda bits, epsilon: response_law(bits, epsilon, lambda e: kept(2 * e)),
                "The ratio of the two probabilities is e^(2 epsilon), not e^epsilon.",
            ),
        ],
        "book": BOOK,
    }
    return RandomCheck(**(arguments | changes))


def geometric_noise(scale: float, size: Any, rng: Rng) -> Any:
    p = -math.expm1(-1 / scale)
    return rng.geometric(p, size) - rng.geometric(p, size)


def counts(values: list[int], epsilon: float, rng: Rng) -> Any:
    return np.asarray(values) + geometric_noise(1 / epsilon, len(values), rng)


def counts_check(**changes: Any) -> RandomCheck:
    def law(values: list[int], epsilon: float) -> DiscreteLaplace:
        return DiscreteLaplace(1 / epsilon, loc=values)

    arguments: dict[str, Any] = {
        "name": "counts_law",
        "points": 2,
        "call": "counts",
        "law": law,
        "visible": [Case([3, -4, 10], 0.5)],
        "hidden": [Case([7654321], 0.31, words="one large count")],
        "mistakes": [
            Mistake(
                lambda values, epsilon: DiscreteLaplace(epsilon, loc=values),
                "The scale is 1/epsilon, not epsilon.",
            ),
            Mistake(
                lambda values, epsilon: DiscreteLaplace(1 / epsilon, loc=values, shared=True),
                "One draw is added to all counts.",
            ),
        ],
        "book": BOOK,
    }
    return RandomCheck(**(arguments | changes))


MENU = ["bread", "cake", "soup", "stew"]


def choice_masses(scores: list[float], epsilon: float, factor: float = 0.5) -> Any:
    weights = np.exp(epsilon * factor * (np.asarray(scores) - max(scores)))
    return weights / weights.sum()


def choose(scores: list[float], epsilon: float, rng: Rng) -> Any:
    return MENU[rng.choice(len(scores), p=choice_masses(scores, epsilon))]


def choice_check(**changes: Any) -> RandomCheck:
    arguments: dict[str, Any] = {
        "name": "choice_law",
        "points": 2,
        "call": "choose",
        "law": lambda scores, epsilon: Categorical(MENU, choice_masses(scores, epsilon)),
        "visible": [Case([1.0, 3.0, 0.0, 2.5], 1.0)],
        "hidden": [Case([2.0, 2.0, 9.0, 1.0], 0.6180339, words="one score far above")],
        "mistakes": [
            Mistake(
                lambda scores, epsilon: Categorical(MENU, choice_masses(scores, epsilon, 1.0)),
                "The factor 2 in epsilon score / (2 sensitivity) is missing.",
            )
        ],
        "book": BOOK,
    }
    return RandomCheck(**(arguments | changes))


CHECKS: dict[str, tuple[Callable[[], Any], Callable[..., Any]]] = {
    "response": (response_check, response),
    "counts": (counts_check, counts),
    "choice": (choice_check, choose),
}


def through(function: Callable[..., Any], part: dict[str, Any]) -> Verdict:
    """Return the verdict on a function by `part`, the visible or hidden data of a check.

    The data are converted to JSON and back, as if they were sent to the sandbox and returned.
    """
    asked = json.loads(json.dumps(questions(part), allow_nan=False))
    outcomes, _ = observe(function, asked)
    return judge(json.loads(json.dumps(part)), json.loads(json.dumps(outcomes, allow_nan=False)))


@cache
def declarations(kind: str) -> tuple[dict[str, Any], dict[str, Any] | None]:
    """Return the visible and the hidden data of the small check that `CHECKS` has for a kind."""
    return declared(CHECKS[kind][0](), seed=5)


def verdict_on(function: Callable[..., Any], kind: str) -> Verdict:
    visible, hidden = declarations(kind)
    verdict = through(function, visible)
    return through(function, hidden) if verdict.passed and hidden is not None else verdict


@pytest.mark.parametrize("kind", CHECKS)
def test_right_mechanisms_pass(kind: str) -> None:
    verdict = verdict_on(CHECKS[kind][1], kind)
    assert verdict.hidden
    assert verdict.passed, verdict.text()


@pytest.mark.parametrize("kind", CHECKS)
def test_the_kernel_sees_arguments_only(kind: str) -> None:
    for part in declarations(kind):
        assert part is not None
        for case in questions(part)["cases"]:
            assert set(case) <= {"args", "kwargs", "calls", "labels", "first", "second"}


KEPT: dict[str, Any] = {}


def remembered(values: list[int], epsilon: float, rng: Rng) -> Any:
    """Return noisy values; wrongly, two successive calls use the same noise."""
    fresh = geometric_noise(1 / epsilon, len(values), rng)
    noise = KEPT.pop("noise", None)
    if noise is None or len(noise) != len(values):
        KEPT["noise"] = noise = fresh
    return np.asarray(values) + noise


def both_sources(bits: list[int], epsilon: float, rng: Rng) -> Any:
    np.random.random()  # noqa: NPY002
    return response(bits, epsilon, rng)


@pytest.mark.parametrize(
    ("kind", "wrong", "words"),
    [
        ("response", lambda b, e, rng: 1 - response(b, e, rng), "Bits are flipped with"),
        ("response", lambda b, e, rng: response(b, 2 * e, rng), "e^(2 epsilon), not"),
        ("response", lambda b, e, rng: response(b, 1.1 * e, rng), "one of the answers comes too"),
        (
            "response",
            lambda b, e, rng: np.abs(np.asarray(b) - int(rng.random() > kept(e))),
            "one entry depends on the noise of another",
        ),
        ("response", lambda b, e, rng: response(b, e, rng).astype(float), "must be an integer"),
        ("response", lambda b, e, rng: response(b, e, rng) + 1, "impossible for a right mechanism"),
        (
            "response",
            lambda b, e, rng: response(b, e, rng) + 1,
            "An answer came that must never come",
        ),
        ("response", lambda b, e, rng: response(b, e, rng)[:1], "another shape"),
        ("response", lambda b, e, rng: b, "the same answer for every call"),
        ("response", lambda b, e, rng: response(b, e, np.random.default_rng()), "the seed of"),
        ("response", both_sources, "global generator was altered"),
        ("response", lambda b, e, rng: ["yes" for _ in b], "A string is not a number"),
        ("response", lambda b, e, rng: None, "another shape"),
        ("response", lambda b, e: b, "must take the keyword argument `rng`"),
        ("counts", lambda v, e, rng: counts(v, 1 / e, rng), "The scale is 1/epsilon"),
        (
            "counts",
            lambda v, e, rng: np.asarray(v) + geometric_noise(1 / e, 1, rng),
            "One draw is added to all counts",
        ),
        ("counts", lambda v, e, rng: np.asarray(v) + rng.laplace(0, 1 / e, len(v)), "an integer"),
        (
            "counts",
            lambda v, e, rng: np.round(np.asarray(v) + rng.laplace(0, 1 / e, len(v))).astype(int),
            "answers: the noise is",
        ),
        (
            "counts",
            lambda v, e, rng: np.asarray(v) + np.clip(counts([0] * len(v), e, rng), -12, 12),
            "Is the noise clipped",
        ),
        ("counts", lambda v, e, rng: counts(v, e, rng) + 1, "not centered"),
        ("counts", lambda v, e, rng: counts(v, 1.1 * e, rng), "too narrow"),
        (
            "counts",
            lambda v, e, rng: counts(v, e, rng) + 1,
            "what is added, and whether anything is clipped",
        ),
        (
            "counts",
            lambda v, e, rng: counts(v, 1.1 * e, rng),
            "noise of every entry has the size that is asked for",
        ),
        (
            "counts",
            lambda v, e, rng: np.asarray(v) + rng.geometric(-math.expm1(-e), len(v)),
            "not centered",
        ),
        ("counts", remembered, "the seed of `rng`"),
        ("counts", lambda v, e, rng: [10**400] * len(v), "the same answer for every call"),
        ("choice", lambda s, e, rng: choose(s, 2 * e, rng), "The factor 2 in"),
        ("choice", lambda s, e, rng: choose(s, e, rng).upper(), "impossible for a right mechanism"),
        ("choice", lambda s, e, rng: MENU.index(choose(s, e, rng)), "one of the names"),
        ("choice", lambda s, e, rng: MENU[int(np.argmax(s))], "the same answer for every call"),
        ("choice", lambda s, e, rng: choose(s, e, np.random.default_rng(3)), "same answer"),
    ],
)
def test_wrong_mechanisms_are_told_why(kind: str, wrong: Callable[..., Any], words: str) -> None:
    KEPT.clear()
    verdict = verdict_on(wrong, kind)
    assert not verdict.passed
    assert words in " ".join(verdict.text().split()), verdict.text()


# --- what messages on failed cases reveal


@pytest.mark.parametrize("kind", CHECKS)
def test_hidden_failures_have_no_numbers_and_no_pictures(kind: str) -> None:
    """Messages on hidden cases have no numbers or pictures: they could reveal the arguments."""
    check, _ = CHECKS[kind]
    _, hidden = declarations(kind)
    assert hidden is not None

    def telling(first: Any, epsilon: float, rng: Rng) -> Any:
        return np.full((2, max(1, abs(int(np.sum(first))) % 97)), float(np.sum(first)))

    def raising(first: Any, epsilon: float, rng: Rng) -> Any:
        raise ValueError(f"{first} {epsilon}")

    def naming(first: Any, epsilon: float, rng: Rng) -> Any:
        return [f"{first} {epsilon}"]

    def off(first: Any, epsilon: float, rng: Rng) -> Any:
        return first + rng.random() if kind != "choice" else str(epsilon)

    secrets = [str(x) for case in check().hidden for x in np.ravel([case.args[1]])]
    secrets += ["314", "271", "7654", "0.61", "0.73", "0.31", "2.718", "3.14"]
    for wrong in (telling, raising, naming, off):
        verdict = through(wrong, hidden)
        assert not verdict.passed
        told = json.dumps(verdict.to_data())
        assert not [number for number in secrets if number in told], verdict.text()
        assert "picture" not in told or verdict.picture is None
        assert all(failure["picture"] is None for failure in verdict.failures)


def test_the_shape_of_a_hidden_answer_is_not_told() -> None:
    """Messages on hidden cases do not state an answer's shape: it could reveal an argument."""
    _, hidden = declarations("response")
    assert hidden is not None
    verdict = through(lambda bits, epsilon, rng: np.zeros(int(1e9 * epsilon) % 97), hidden)
    assert {one["returned"] for one in verdict.failures} == {"answers of another shape"}


@pytest.mark.parametrize("kind", CHECKS)
def test_the_promise_says_the_bound_which_all_cases_share(kind: str) -> None:
    for part in declarations(kind):
        assert part is not None
        assert "at most 1e-09" in part["promise"]
        total = sum(len(p["cases"]) for p in declarations(kind) if p is not None)
        assert math.isclose(part["false_alarm"] * total, FALSE_ALARM)


def test_the_promise_says_what_is_tested() -> None:
    words = promise([Law("norm").to_data()])
    assert words == (
        "A right mechanism fails by chance with probability at most 1e-09. The check looks at all "
        "answers together, their center, their spread, whether the entries of an answer depend on "
        "each other, the lowest answers, the highest answers and answers that repeat exactly."
    )
    assert {test for tests in statistics.TESTS.values() for test in tests} == set(_LOOKED_AT)


@pytest.mark.parametrize(
    ("law", "label"),
    [
        (Law("norm", loc=[1.0, 2.0], scale=3.0), "noise: (answer - center) / scale"),
        (DiscreteLaplace(40.0, loc=[5, 6]), "noise: answer - center"),
        (Categorical([4, 7], [[0.5, 0.5], [0.1, 0.9]]), "answer: 0 4, 1 7"),
    ],
)
def test_pictures(law: Any, label: str) -> None:
    data = law.to_data()
    sample = distributions.read(data).draw(2000, np.random.default_rng(0))
    drawn = picture(sample, data)
    assert drawn == picture(sample, data)
    json.dumps(drawn, allow_nan=False)
    assert drawn["kind"] == "histogram"
    assert drawn["label"] == label
    size = 2000 * math.prod(distributions.read(data).shape)
    assert sum(drawn["counts"]) == size
    assert math.isclose(sum(drawn["expected"]), size, rel_tol=1e-3)
    assert len(drawn["edges"]) == len(drawn["counts"]) + 1 <= 42
    assert all(a < b for a, b in zip(drawn["edges"], drawn["edges"][1:], strict=False))
    # a random count has a standard deviation of about the square root of its expectation
    off = np.abs(np.subtract(drawn["counts"], drawn["expected"]))
    assert np.all(off <= 6 * np.sqrt(np.maximum(drawn["expected"], 4)))


def test_a_visible_failure_has_a_picture() -> None:
    visible, _ = declarations("counts")
    verdict = through(lambda v, e, rng: counts(v, 2 * e, rng), visible)
    assert verdict.picture is not None
    assert verdict.failures[0]["picture"] == verdict.picture


# --- any answer, even a malformed one, gets a verdict

NUMBERS = st.sampled_from(
    [0, 1, -1, True, False, 0.0, 1.0, 5e-324, 1e308, -1e308, math.nan, math.inf, 2**63, 10**400]
)
LEAVES = st.one_of(NUMBERS, st.none(), st.text(max_size=5), st.floats(), st.integers())
ANYTHING = st.recursive(
    LEAVES,
    lambda inner: st.one_of(
        st.lists(inner, max_size=4),
        st.dictionaries(
            st.sampled_from(["values", "first", "second", "touched", "f8", "shape", "labels"]),
            inner,
            max_size=4,
        ),
    ),
    max_leaves=12,
)


@st.composite
def nearly_right(draw: Any) -> Any:
    """Draw one of the small checks, and outcomes of its cases that are nearly well-formed."""
    kind = draw(st.sampled_from(list(CHECKS)))
    part = declarations(kind)[draw(st.integers(0, 1))]
    assert part is not None
    outcomes: list[Any] = []
    for case in part["cases"]:
        shape = np.shape(case["args"][0]) if kind in ("response", "counts") else ()
        calls = case["calls"] if draw(st.integers(0, 3)) else draw(st.integers(0, 3))
        one = draw(st.one_of(LEAVES, ANYTHING))
        many = [one] * calls
        if draw(st.booleans()):
            many = np.broadcast_to(np.array(0), (calls, *shape)).tolist()
            for entry in draw(st.lists(LEAVES, max_size=2)):
                if many and shape:
                    many[0][0] = entry
                elif many:
                    many[0] = entry
        answer = {"values": many, "first": many[:5], "second": many[:5], "touched": False}
        if draw(st.booleans()):
            numbers = draw(st.lists(st.sampled_from([0.0, 1.0, 1e308, -1e308, 5e-324]), max_size=3))
            filler = np.resize(np.array(numbers or [math.nan]), (calls, *shape))
            answer = {"touched": draw(LEAVES)}
            for key, size in (("values", calls), ("first", 5), ("second", 5)):
                answer[key] = pack(np.resize(filler, (size, *shape)) if calls else [])
        outcomes.append(draw(st.sampled_from([answer, one])))
    return part, draw(st.sampled_from([outcomes, outcomes[:1], outcomes * 2, outcomes[0]]))


@settings(max_examples=150, deadline=None, suppress_health_check=list(HealthCheck))
@given(nearly_right())
def test_hostile_answers_are_findings(found: tuple[dict[str, Any], Any]) -> None:
    part, outcomes = found
    verdict = judge(part, outcomes)
    assert not verdict.passed
    told = verdict.text()
    if part["hidden"]:
        assert "1e+308" not in told
        assert "9223372036854775808" not in told
    json.dumps(verdict.to_data(), allow_nan=False)


@settings(max_examples=150, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.sampled_from(list(CHECKS)), st.integers(0, 1), ANYTHING)
def test_any_json_is_a_finding(kind: str, hidden: int, outcomes: Any) -> None:
    part = declarations(kind)[hidden]
    assert part is not None
    assert not judge(part, outcomes).passed


@pytest.mark.parametrize("value", [1e308, -1e308, 5e-324, 2.0**1023])
def test_extreme_noise(value: float) -> None:
    law = Law("norm", loc=[0.0, 1.0], scale=[1.0, 1e-9]).to_data()
    sample = distributions.read(law).draw(3000, np.random.default_rng(0))
    sample[::2] = value * np.linspace(0.9, 1, 3000).reshape(-1, 2)
    with np.errstate(all="raise"):
        assert statistics.findings(sample, law, 1e-9) is not None


@pytest.mark.parametrize(
    ("law", "mechanism"),
    [
        # discrete noise that is nearly always 0
        (
            lambda x: DiscreteLaplace(0.02, loc=x),
            lambda x, rng: x + geometric_noise(0.02, np.shape(x) or 1, rng).reshape(np.shape(x)),
        ),
        # answers of two entries, of which the first is always 0
        (
            lambda x: Categorical([0, 1], [[1.0, 0.0], [0.5, 0.5]]),
            lambda x, rng: [0, int(rng.integers(2))],
        ),
        # an answer with 3000 numbers, although `draws` below asks for only 2000 numbers in all
        # calls together
        (
            lambda x: Law("laplace", loc=np.zeros(3000)),
            lambda x, rng: rng.laplace(size=3000),
        ),
    ],
)
def test_unusual_right_mechanisms(law: Any, mechanism: Any) -> None:
    check = RandomCheck(
        name="law",
        points=1,
        call="mechanism",
        law=law,
        draws=2000,
        visible=[Case(7), Case([5, 6])],
        book=BOOK,
    )
    part = declared(check)[0]
    for seed in range(4):
        verdict = through(mechanism, {**part, "seed": seed})
        assert verdict.passed, verdict.text()


# --- the power to detect wrong mechanisms at the default number of draws ---------------------


def power(wrong: Callable[[Rng], Any], law: Any, runs: int) -> float:
    """Return the share of samples of `wrong` that are rejected as samples of `law`."""
    data = law.to_data()
    return (
        sum(
            statistics.findings(wrong(np.random.default_rng(i)), data, FALSE_ALARM / 3, seed=i)
            is not None
            for i in range(runs)
        )
        / runs
    )


def gaussian(rng: Rng) -> Any:
    return rng.standard_normal((DRAWS // 5, 5))


def laplace(rng: Rng) -> Any:
    return rng.laplace(size=(DRAWS // 5, 5))


def single(rng: Rng) -> Any:
    return rng.standard_normal((20_000, 1))


def twice(sample: Any, rng: Rng) -> Any:
    """Replace 100 answers (rows) by copies of 100 others, then shuffle each column by itself."""
    sample[:100] = sample[100:200]
    return rng.permuted(sample, axis=0)


def steps(rng: Rng) -> Any:
    return geometric_noise(4.0, 50_000, rng).reshape(-1, 5)


GAUSSIAN, LAPLACE = Law("norm", loc=[0.0] * 5), Law("laplace", loc=[0.0] * 5)
STEPS = DiscreteLaplace(4.0, loc=[0] * 5)
FOUR = Categorical(["a", "b", "c", "d"], [0.4, 0.3, 0.2, 0.1])

#: by name: a wrong mechanism, the right distribution, and the smallest share of runs in which the
#: statistical tests must detect that the mechanism is wrong
POWER: dict[str, tuple[Callable[[Rng], Any], Any, float]] = {
    "scale 2": (lambda rng: 2 * gaussian(rng), GAUSSIAN, 1.0),
    "scale 1.1": (lambda rng: 1.1 * gaussian(rng), GAUSSIAN, 1.0),
    "scale 0.9": (lambda rng: 0.9 * laplace(rng), LAPLACE, 1.0),
    "shift 0.05": (lambda rng: gaussian(rng) + 0.05, GAUSSIAN, 0.99),
    "shift -0.05": (lambda rng: laplace(rng) - 0.05, LAPLACE, 0.99),
    "Laplace for Gaussian": (lambda rng: laplace(rng) / math.sqrt(2), GAUSSIAN, 1.0),
    "Gaussian for Laplace": (lambda rng: gaussian(rng) * math.sqrt(2), LAPLACE, 1.0),
    "logistic for Gaussian": (
        lambda rng: rng.logistic(size=(DRAWS // 5, 5)) * math.sqrt(3) / math.pi,
        GAUSSIAN,
        1.0,
    ),
    "Laplace clipped at 4": (lambda rng: np.clip(laplace(rng), -4, 4), LAPLACE, 1.0),
    "Gaussian clipped at 3": (lambda rng: np.clip(gaussian(rng), -3, 3), GAUSSIAN, 1.0),
    "Gaussian clipped at 3.5": (lambda rng: np.clip(gaussian(rng), -3.5, 3.5), GAUSSIAN, 0.99),
    "three digits": (lambda rng: np.round(gaussian(rng), 3), GAUSSIAN, 1.0),
    "one in fifty repeated": (lambda rng: twice(gaussian(rng), rng), GAUSSIAN, 1.0),
    "opposite coordinates": (
        lambda rng: (lambda x: np.concatenate([x[:, :4], -x[:, :1]], axis=1))(gaussian(rng)),
        GAUSSIAN,
        1.0,
    ),
    "one draw for all": (
        lambda rng: np.repeat(rng.standard_normal((DRAWS // 5, 1)), 5, axis=1),
        GAUSSIAN,
        1.0,
    ),
    "single entry, scale 1.1": (lambda rng: 1.1 * single(rng), Law("norm", loc=[0.0]), 1.0),
    "single entry, shift 0.1": (lambda rng: single(rng) + 0.1, Law("norm", loc=[0.0]), 1.0),
    "rounded Laplace": (
        lambda rng: np.round(2.0 * laplace(rng)).astype(int).tolist(),
        DiscreteLaplace(2.0, loc=[0] * 5),
        1.0,
    ),
    "integers, scale 1.1": (
        lambda rng: geometric_noise(4.4, 50_000, rng).reshape(-1, 5).tolist(),
        STEPS,
        1.0,
    ),
    "integers clipped at 4 scales": (
        lambda rng: np.clip(steps(rng), -16, 16).tolist(),
        STEPS,
        1.0,
    ),
    "integers, zero twice as often": (
        lambda rng: np.where(rng.random((10_000, 5)) < 0.05, 0, steps(rng)).tolist(),
        STEPS,
        1.0,
    ),
    "categories, 0.4 and 0.3 exchanged": (
        lambda rng: list(np.array(list("bacd"))[rng.choice(4, 20_000, p=[0.4, 0.3, 0.2, 0.1])]),
        FOUR,
        1.0,
    ),
    "categories, one by 0.03": (
        lambda rng: rng.choice(list("abcd"), 20_000, p=[0.37, 0.3, 0.2, 0.13]).tolist(),
        FOUR,
        1.0,
    ),
}


@pytest.mark.parametrize("name", POWER)
def test_power(name: str) -> None:
    wrong, law, _ = POWER[name]
    assert power(wrong, law, 2) == 1


@pytest.mark.slow
@pytest.mark.parametrize("name", POWER)
def test_power_table(name: str, everything: bool) -> None:
    """Each wrong mechanism in `POWER` is detected in at least the share of the runs stated there.

    There are 200 runs, or 20 without pytest's option ``--all``. `POWER` leaves out two wrong
    distributions that 50,000 draws cannot show: Gaussian noise clipped at 4 scales, which changes 3
    of the draws (detected in 1 run of 10), and a shift by 0.05 in 20,000 draws of one entry, which
    is 7 standard errors (detected in half of the runs).
    """
    wrong, law, least = POWER[name]
    rate = power(wrong, law, 200 if everything else 20)
    print(f"{name}: {rate:.1%}")
    assert rate >= least


# --- inequalities and tables of the statistical tests ----------------------------------------


def test_means_of_uniform_numbers() -> None:
    """The mean of n uniform numbers is at least t from 1/2 with probability <= 2 exp(-6 n t^2).

    The test compares this bound with the exact probability, from the Irwin-Hall distribution.
    """
    for n in (1, 2, 5, 12):
        for t in np.linspace(0.01, 0.5, 50):
            exact = 2 * stats.irwinhall.sf(n * (0.5 + t), n)
            assert exact <= 2 * math.exp(-6 * n * t * t) * (1 + 1e-9)
    t = statistics.mean_threshold(100, 1e-3)
    assert math.isclose(2 * math.exp(-6 * 100 * t * t), 1e-3)


@pytest.mark.parametrize("false_alarm", [1e-9, 1e-4])
def test_a_case_has_its_false_alarms_once_for_all_of_its_tests(false_alarm: float) -> None:
    """The seven statistical tests of a case share its probability of a false alarm equally.

    The test of the mean shows this: a sample passes if its mean is just inside the threshold for a
    seventh of this probability, and fails if its mean is just outside.
    """
    n = 5000
    law = Law("norm", loc=0.0).to_data()
    share = statistics.USED * false_alarm / len(statistics.TESTS["continuous"])
    u = np.random.default_rng(8).permutation((np.arange(n) + 0.5) / n)
    for part, test in ((0.99, None), (1.01, "centre")):
        moved = part * statistics.mean_threshold(n, share)
        # shift the middle of the distribution most, so that only the mean changes, and not the
        # tails
        sample = stats.norm.ppf(u + 6 * moved * u * (1 - u))
        finding = statistics.findings(sample, law, false_alarm)
        assert (finding and finding.test) == test


def test_counts_of_coins() -> None:
    """`unlikely` rejects a binomial count with probability at most `level`."""
    for n, p, level in ((100, 0.5, 0.05), (1000, 0.03, 1e-3), (50, 0.99, 0.2), (10, 0.1, 0.01)):
        counts_ = [k for k in range(n + 1) if statistics.unlikely(k, n, p, level)]
        assert counts_
        assert sum(stats.binom.pmf(counts_, n, p)) <= level
    assert not statistics.unlikely(5, 5, 1.0, 0.1)
    assert statistics.unlikely(1, 5, 0.0, 0.1)


def test_the_table_agrees_with_scipy() -> None:
    law = distributions.read(DiscreteLaplace(2.5).to_data())
    assert isinstance(law, distributions.Table)
    z = np.arange(law.masses.shape[1]) + law.first
    np.testing.assert_allclose(law.masses[0], stats.dlaplace(1 / 2.5).pmf(z), rtol=1e-9, atol=1e-22)


@pytest.mark.parametrize(
    "law",
    [
        Law("laplace", loc=[0.0, 1.0]),
        STEPS,
        Categorical([0, 1], [[0.25, 0.75], [0.5, 0.5]]),
    ],
)
def test_fifty_thousand_numbers_are_judged_quickly(law: Any) -> None:
    """Judging 50,000 numbers takes less than 0.1 s, ten times what an idle machine needs."""
    data = law.to_data()
    calls = 50_000 // math.prod(distributions.read(data).shape)
    sample = distributions.read(data).draw(calls, np.random.default_rng(0))
    if not isinstance(law, Law):
        sample = np.asarray(sample).tolist()
    times = []
    for _ in range(5):
        start = time.process_time()
        assert statistics.findings(sample, data, 1e-9) is None
        times.append(time.process_time() - start)
    assert min(times) < 0.1


# --- errors for authors ----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("error", "words", "make"),
    [
        (
            ValueError,
            "scale must be in",
            lambda: DiscreteLaplace(1e5),
        ),
        (
            ValueError,
            "loc must hold integers",
            lambda: DiscreteLaplace(2.0, loc=0.5),
        ),
        (
            ValueError,
            "scale must be in",
            lambda: DiscreteLaplace(10_001),
        ),
        (
            ValueError,
            "loc must hold integers of at most",
            lambda: DiscreteLaplace(2.0, loc=[1, -(2**54)]),
        ),
        (
            ValueError,
            "loc must hold integers",
            lambda: DiscreteLaplace(2.0, loc=True),
        ),
        (ValueError, "atoms must be at least two", lambda: Categorical([1], [1.0])),
        (ValueError, "atoms must be at least two", lambda: Categorical("ab", [0.5, 0.5])),
        (
            ValueError,
            "atoms must be at least two different",
            lambda: Categorical([1.5, 2.5], [0.5, 0.5]),
        ),
        (ValueError, "one probability for each", lambda: Categorical([1, 2], 1.0)),
        (ValueError, "sum to 1", lambda: Categorical([1, 2], [[0.5, 0.5], [0.5, 0.4]])),
        (ValueError, "sum to 1", lambda: Categorical([1, 2], [0.5, 0.5 + 2e-9])),
        (
            ValueError,
            "atoms must be at least two different",
            lambda: Categorical([1, 1], [0.5, 0.5]),
        ),
        (
            ValueError,
            "atoms must be at least two different",
            lambda: Categorical([1, "a"], [0.5, 0.5]),
        ),
        (ValueError, "one probability for each", lambda: Categorical([1, 2], [1.0])),
        (ValueError, "sum to 1", lambda: Categorical([1, 2], [0.5, 0.6])),
        (ValueError, "sum to 1", lambda: Categorical([1, 2], [-0.5, 1.5])),
        (ValueError, "draws must be an integer >= 1000", lambda: counts_check(draws=999)),
        (TypeError, "draws must be an integer", lambda: counts_check(draws=1e4)),
        (TypeError, "law must be a function", lambda: counts_check(law=3)),
        (
            ValueError,
            "raises must not be given in RandomCheck",
            lambda: counts_check(visible=[Case(1, raises=ValueError)]),
        ),
        (
            TypeError,
            "wrong of 'Wrong.' must return a law .* got 3",
            lambda: declared(counts_check(mistakes=[Mistake(lambda v, e: 3, "Wrong.")])),
        ),
        (
            ValueError,
            "law must return 1 to 50000 coordinates, got 0",
            lambda: declared(counts_check(law=lambda v, e: Law("norm", loc=[]))),
        ),
        (
            ValueError,
            "law must return 1 to 50000 coordinates, got 50001",
            lambda: declared(counts_check(law=lambda v, e: Law("norm", loc=[0.0] * 50_001))),
        ),
        (
            TypeError,
            r"law must return Law\(\.\.\.\), DiscreteLaplace",
            lambda: declared(counts_check(law=lambda v, e: None)),
        ),
        (
            ValueError,
            "independent coordinates",
            lambda: declared(
                counts_check(law=lambda v, e: DiscreteLaplace(2.0, loc=v, shared=True))
            ),
        ),
        (
            ValueError,
            "at most 1e9 times scale",
            lambda: declared(counts_check(law=lambda v, e: Law("norm", loc=1e12))),
        ),
    ],
)
def test_bad_declarations(error: type[Exception], words: str, make: Callable[[], Any]) -> None:
    with pytest.raises(error, match=words):
        make()


def test_what_may_just_be_declared() -> None:
    """Values at the limits of what authors may declare are accepted."""
    data = DiscreteLaplace(10_000, loc=[2**53, 0]).to_data()
    assert (data["scale"], data["loc"]) == (10_000, [2**53, 0])
    thirds = Categorical([1, 0], [[1 / 3, 2 / 3 + 5e-10], [0.0, 1.0]]).to_data()
    assert thirds["atoms"] == [1, 0]
    assert all(math.isclose(sum(row), 1.0, abs_tol=1e-15) for row in thirds["masses"])
    assert counts_check(draws=1000).draws == 1000


@pytest.mark.parametrize(
    ("draws", "size", "calls"),
    [
        (1000, 1, 1000),
        (1000, 2, 500),
        (1000, 3, 334),
        (1000, 49, 21),
        (1000, 50, 20),
        (1000, 3000, 20),
        (20_000, 1, 20_000),
        (20_001, 1, 20_000),
    ],
)
def test_how_often_a_mechanism_is_called(draws: int, size: int, calls: int) -> None:
    check = counts_check(
        law=lambda v, e: Law("norm", loc=[0.0] * size), draws=draws, hidden=[], mistakes=[]
    )
    (case,) = declared(check)[0]["cases"]
    assert (case["calls"], case["labels"]) == (calls, False)


def test_what_a_part_of_a_random_check_says() -> None:
    def exchanged(values: list[int], epsilon: float) -> Any:
        return DiscreteLaplace(epsilon, loc=values)

    check = counts_check(
        visible=[Case([3, -4], 0.5), Case([3], epsilon=1.0)],
        mistakes=[Mistake(exchanged, "The scale.")],
    )
    visible, hidden = declared(check)
    assert hidden is not None
    first, second = visible["cases"]
    assert (first["args"], first["kwargs"], first["words"]) == ([[3, -4], 0.5], {}, None)
    assert (second["args"], second["kwargs"], second["labels"]) == ([[3]], {"epsilon": 1.0}, True)
    assert hidden["cases"][0]["words"] == "one large count"
    assert first["law"]["scale"] == 2.0 and first["law"]["loc"] == [3, -4]
    # in the second case, epsilon is 1, so the mistaken scale, epsilon, equals the right one,
    # 1/epsilon: the mistake cannot be recognized there, and None takes its place
    assert [case["mistakes"][0] is None for case in visible["cases"]] == [False, True]
    assert first["mistakes"][0]["scale"] == 0.5
    assert visible["seed"] != hidden["seed"] and visible["kind"] == "random"


def test_a_mistake_must_be_caught_and_recognized() -> None:
    """A declared mistake is refused if the check cannot tell it from the right distribution."""

    def near(factor: float) -> Mistake:
        return Mistake(lambda v, e: DiscreteLaplace(factor / e, loc=v), "Nearly.")

    declared(counts_check(mistakes=[near(1.2)]))
    with pytest.raises(ValueError, match=r"no case of counts_law tells the mistake 'Nearly.'"):
        declared(counts_check(mistakes=[near(1.0005)]))


@pytest.mark.parametrize(
    "wrong",
    [
        lambda v, e: Law("laplace", loc=v, scale=1 / e),
        lambda v, e: DiscreteLaplace(1 / e, loc=[*v, 0]),
    ],
)
def test_a_mistake_of_another_form_is_refused(wrong: Any) -> None:
    """A declared mistake whose answers have a wrong type or shape is refused.

    Such answers fail before they are compared with distributions, so the check could never
    recognize the mistake.
    """
    with pytest.raises(ValueError, match=r"^wrong of 'Other.' must return a law whose answers"):
        declared(counts_check(mistakes=[Mistake(wrong, "Other.")]))


def test_a_promise_for_each_kind_of_part() -> None:
    # the text that `promise` returns mentions each statistical test once, even if several
    # distributions need the test
    two = [Law("norm").to_data(), Law("norm", loc=[1.0]).to_data()]
    assert promise(two).count("all answers together") == 1


def test_the_verdict_repeats_the_promise_where_chance_has_a_part() -> None:
    visible, _ = declarations("counts")
    verdict = through(lambda v, e, rng: counts(v, 2 * e, rng), visible)
    assert verdict.promise == visible["promise"]
    assert "fails by chance with probability at most 1e-09" in " ".join(verdict.text().split())
    verdict = through(lambda v, e, rng: 0, visible)
    assert not verdict.promise
    assert through(counts, visible).promise == visible["promise"]


def test_what_fails_in_a_declaration_is_named() -> None:
    def broken(*args: Any, **kwargs: Any) -> Any:
        raise KeyError("no such thing")

    with pytest.raises(ValueError, match="law: KeyError"):
        declared(counts_check(law=broken))
