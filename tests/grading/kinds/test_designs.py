"""Tests of design checks, in which students choose a mechanism and its noise for a guarantee."""

from __future__ import annotations

import json
import math
import time
import types
from collections import OrderedDict
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from dpteach import Accountant, ApproxDP, Gaussian, Laplace, calibrate
from dpteach.grading import Case, DesignCheck, Fresh, Mistake, Relative, Step
from dpteach.grading.author.parts import declared
from dpteach.grading.core.exam import Item
from dpteach.grading.core.observe import observe
from dpteach.grading.core.plain import MAX_ENTRIES, NotPlainError, reduce_record
from dpteach.grading.core.result import ItemResult, Result
from dpteach.grading.course.gradebook import unknown
from dpteach.grading.judging.credit import by_share, credit
from dpteach.grading.judging.judge import judge
from dpteach.grading.judging.questions import questions
from dpteach.grading.judging.verdict import Verdict
from dpteach.grading.kinds import design as design_kind
from dpteach.grading.kinds.design import no_design_for_nothing
from dpteach.grading.kinds.implementations import CALL_SECONDS
from dpteach.grading.kinds.outcomes import cleaned
from dpteach.grading.pages.feedback import feedback_page
from dpteach.grading.student.runner import run

Design = Callable[..., Any]


def laplace_counts(k: int, epsilon: float, delta: float, *, scale: float) -> Any:
    return Accountant().compose(Laplace(scale=scale), k), math.sqrt(2) * scale


def gaussian_counts(k: int, epsilon: float, delta: float, *, sigma: float) -> Any:
    return Accountant().compose(Gaussian(sigma=sigma), k), sigma


def least(k: int, epsilon: float, delta: float) -> float:
    return float(calibrate(Gaussian, ApproxDP(epsilon, delta), sensitivity=math.sqrt(k)).sigma)


def gaussian(sigma: Any) -> dict[str, Any]:
    return {"mechanism": "Gaussian", "sigma": sigma}


def laplace(scale: Any) -> dict[str, Any]:
    return {"mechanism": "Laplace", "scale": scale}


def a_check(**changes: Any) -> DesignCheck:
    arguments: dict[str, Any] = {
        "name": "counts",
        "points": 4,
        "call": "design",
        "visible": [Case(64, 1.0, 1e-6)],
        "mechanisms": {"Laplace": laplace_counts, "Gaussian": gaussian_counts},
        "target": lambda k, epsilon, delta: (epsilon, delta),
        "measure": "standard deviation of a count",
        "steps": [Step(2, at_most=50), Step(3, at_most=43), Step(4, at_most=34)],
        "best": least,
        "typical": {"the budget split evenly": lambda k, epsilon, delta: laplace(k / epsilon)},
        "mistakes": [
            Mistake(lambda k, epsilon, delta: laplace(1 / epsilon), "One count only."),
            Mistake(lambda k, epsilon, delta: laplace(k / epsilon), "No use of delta."),
        ],
        "book": "renyi_dp#x",
    }
    return DesignCheck(**(arguments | changes))


def for_others(**changes: Any) -> DesignCheck:
    """Return a design check with hidden cases, and limits on the error that depend on the case."""
    return a_check(
        steps=[Step(2, at_most=lambda *case: 1.5 * least(*case)), Step(4, at_most=near_best)],
        hidden=[
            Fresh(lambda rng: Case(int(rng.integers(90, 110)), 0.7123456789, 1e-7), words="more")
        ],
        **changes,
    )


def near_best(k: int, epsilon: float, delta: float) -> float:
    return 1.01 * least(k, epsilon, delta)


VISIBLE, HIDDEN = declared(a_check())
OTHERS = declared(for_others(), seed=3)


def judged(
    answer: Any, parts: tuple[Any, Any] = (VISIBLE, HIDDEN)
) -> tuple[float, Verdict, Verdict]:
    """Return an answer's points, and the verdicts of the visible and of the hidden check on it."""
    function = answer if isinstance(answer, types.FunctionType) else lambda *case: answer
    visible, hidden = (run(function, part)[0] for part in parts)
    item = Item("counts", "check", 4.0, "", "design", *parts)
    return credit(item, visible, hidden), visible, hidden


def endless_for_some(k: int, epsilon: float, delta: float, *, sigma: float) -> Any:
    """Return an accountant that fails for some values of `sigma`, and `sigma` itself.

    The accountant never returns for `sigma` between 30 and 31, raises between 35 and 36, and
    returns NaN between 36 and 37. Between 40 and 41, this function itself exceeds the time limit.
    """

    def epsilon_at(at: float) -> Any:
        while 30 < sigma < 31:
            pass
        if 35 < sigma < 36:
            raise MemoryError
        return Accountant().compose(Gaussian(sigma=sigma), k).epsilon_at(at)

    begun = time.process_time()
    while 40 < sigma < 41 and time.process_time() < begun + CALL_SECONDS + 0.3:
        pass
    if 36 < sigma < 37:
        return types.SimpleNamespace(epsilon_at=lambda at: math.nan), sigma
    return types.SimpleNamespace(epsilon_at=epsilon_at), sigma


def test_a_guarantee_that_is_not_known_earns_nothing() -> None:
    alone = {"mechanisms": {"Gaussian": endless_for_some}, "typical": {}, "mistakes": []}
    parts = declared(a_check(**alone))
    told = "the accountant did not find its guarantee within 30 seconds of computing"
    for sigma in (35.5, 36.5):
        points, visible, hidden = judged(gaussian(sigma), parts)
        assert points == 0
        assert told in visible.returned
        assert hidden.returned == "a design whose guarantee is unknown"
        assert "ask your instructor" in visible.misconception
    points, *verdicts = judged(gaussian(29.5), parts)
    assert points == 0
    assert not any("accountant" in verdict.returned for verdict in verdicts)
    assert judged(gaussian(40.5), parts)[0] == 3, "late, and known"


@pytest.mark.slow
@pytest.mark.exhaustive
def test_an_accountant_that_comes_to_no_end_is_ended() -> None:
    alone = {"mechanisms": {"Gaussian": endless_for_some}, "typical": {}, "mistakes": []}
    assert judged(gaussian(30.5), declared(a_check(**alone)))[0] == 0


def epsilon_as_number(k: int, epsilon: float, delta: float, *, scale: float) -> Any:
    """Return an accountant and the error of the mechanism, a standard deviation.

    The accountant's epsilon is a number; the library's accountants return two bounds instead.
    """
    return types.SimpleNamespace(epsilon_at=lambda at: k / scale), math.sqrt(2) * scale


def test_what_is_released_may_have_an_epsilon_that_is_a_number() -> None:
    alone = {"mechanisms": {"Laplace": epsilon_as_number}, "typical": {}, "mistakes": []}
    parts = declared(
        a_check(**alone, points=2, steps=[Step(2, at_most=100)], best=lambda *case: 90.0)
    )
    points, visible, _ = judged(laplace(64.0), parts)
    assert points == 4  # `judged` makes an item of 4 points
    assert "its epsilon is 1 at delta = 1e-06" in visible.said
    points, visible, _ = judged(laplace(60.0), parts)
    assert points == 0
    assert "its epsilon is 1.067 at delta = 1e-06" in visible.returned


@pytest.mark.parametrize(
    ("design", "points"),
    [
        (gaussian(33.9), 4),
        (gaussian(34), 4),
        (gaussian(np.float64(33.9)), 4),
        ({"sigma": 33.9, "mechanism": "Gaussian"}, 4),
        (gaussian(34.001), 3),
        (gaussian(42.8), 3),
        (gaussian(43), 3),
        (laplace(32.95), 2),
        (gaussian(50.0), 2),
        (gaussian(50.01), 0),
        (laplace(64.0), 0),
        (gaussian(33.79), 0),
        (laplace(32.8), 0),
        (laplace(1.0), 0),
        (gaussian(1e-3), 0),
        (gaussian(1e6), 0),
    ],
    ids=str,
)
def test_what_a_design_is_worth(design: Any, points: float) -> None:
    found, visible, hidden = judged(design)
    assert found == points
    assert visible.passed == hidden.passed == (points == 4)
    assert (visible.earned, visible.of) == (hidden.earned, hidden.of)


def test_the_least_noise_counts_in_spite_of_rounding() -> None:
    sigma = least(64, 1.0, 1e-6)
    for near in (math.nextafter(sigma, 0), sigma, sigma * (1 - 1e-9), sigma * (1 + 1e-9)):
        assert judged(gaussian(near))[0] == 4
    assert judged(gaussian(sigma * (1 - 1e-5)))[0] == 0


def test_what_is_told() -> None:
    told = judged(laplace(1.0))[1]
    assert "its epsilon is 50.44 at delta = 1e-06" in told.returned
    assert told.misconception == "One count only."
    assert "epsilon at most 1 at delta = 1e-06; then points" in told.expected
    assert "2 up to 50, 3 up to 43, 4 up to 34" in told.expected
    assert judged(laplace(64.3))[1].misconception == "No use of delta."
    near = judged(gaussian(33.797))[1]
    assert "its epsilon is 1.00001" in near.returned, "so many digits that it is not 1"
    assert (
        near.misconception
        == "A design that does not keep the target earns nothing, however small the standard "
        "deviation of a count is."
    )
    assert judged(gaussian(40.0))[1].misconception == (
        "This design earns 3 of 4 points. Its exact epsilon is only 0.8341, below the target 1, so "
        "the noise can be reduced. There is a design with a smaller standard deviation of a count. "
        "The next step, 4 points, begins 15.0 % lower, at 34."
    )
    kept = judged(gaussian(40.0))[1].returned
    assert "the target is kept: its epsilon is 0.8341 at delta = 1e-06" in kept
    so_far = "counts: 3 of 4 points so far. Less than all on 1 of 1 visible case, such as:"
    assert judged(gaussian(40.0))[1].text().startswith(so_far)
    assert judged(laplace(1.0))[1].text().startswith("counts: not right yet. Wrong: 1 of 1 visible")
    assert judged(gaussian(33.9))[1].text() == (
        "counts: the target is kept: its epsilon is 0.9967 at delta = 1e-06, standard deviation "
        "of a count 33.9. Here this earns all points."
    )


def test_a_guarantee_that_is_no_epsilon_has_its_own_name() -> None:
    named = {"guarantee": "largest loss", "mistakes": [], "typical": {}}
    parts = declared(a_check(**named, target=lambda k, epsilon, delta: (epsilon, 0.0)))
    told = judged(laplace(64.0), parts)[1]
    assert "its largest loss is 1, standard deviation of a count 90.51" in told.returned
    assert told.expected.startswith("largest loss at most 1; then points by the standard")
    assert told.misconception.endswith("The next step, 2 points, begins 44.8 % lower, at 50.")
    none = judged(gaussian(40.0), parts)[1]
    assert none.returned.endswith("its largest loss is inf")
    with pytest.raises(TypeError, match="guarantee"):
        a_check(guarantee=3)


def laplace_once(*, scale: float) -> Any:
    return laplace_counts(64, 1.0, 1e-6, scale=scale)


def test_a_step_that_could_be_typed_in_is_not_told_before_hand_in() -> None:
    """If a function has no arguments, the visible check does not say how small the error must be.

    Such a function always returns the same design, so students could find it by trying numbers.
    """
    parts = declared(
        a_check(
            mechanisms={"Laplace": laplace_once}, target=lambda: (1.0, 1e-6), visible=[Case()],
            best=lambda: 90.0, steps=[Step(2, at_most=95.25), Step(4, at_most=91.5)],
            typical={}, mistakes=[],
        )
    )  # fmt: skip
    _, visible, hidden = judged(laplace(66.0), parts)
    assert visible.misconception.endswith("The next step, 4 points, requires a smaller error.")
    assert visible.expected.endswith("standard deviation of a count, in the steps of the text")
    assert "91.5" not in visible.text() and "95.25" not in visible.text()
    assert "2 up to 95.25, 4 up to 91.5" in hidden.expected


@pytest.mark.parametrize(("worth", "told"), [(1, "1 point,"), (0.5, "0.5 points,")])
def test_the_next_step_may_be_worth_a_point(worth: float, told: str) -> None:
    parts = declared(a_check(steps=[Step(worth, at_most=50), Step(4, at_most=34)]))
    assert f"The next step, {told} begins " in judged(gaussian(60.0), parts)[1].misconception


def test_the_least_error_is_told_after_hand_in_only() -> None:
    said = (
        "The least possible standard deviation of a count is 33.8. "
        "The standard deviation of a count of other designs: 90.51 (the budget split evenly)."
    )
    for design in (gaussian(33.9), gaussian(40.0), laplace(1.0), None):
        _, visible, hidden = judged(design)
        assert said not in visible.text()
        assert hidden.said == said
    assert "ceiling" not in json.dumps(VISIBLE)
    assert "33.79" not in json.dumps(VISIBLE)
    assert judged(gaussian(33.9))[2].text() == f"counts: right on 1 of 1 hidden case. {said}"


@pytest.mark.parametrize(
    ("part", "state"), [(gaussian(33.9), "passed"), (gaussian(40.0), "partly right")]
)
def test_the_page_tells_it_too(part: Any, state: str) -> None:
    points, visible, hidden = judged(part)
    item = ItemResult(
        "counts", "check", 4.0, "renyi_dp#x", "", points, visible.to_data(), hidden.to_data()
    )
    result = Result("renyi_dp", 1, "", "", "bubblewrap", "graded", (), (item,), "")
    page = feedback_page(result, replace(unknown("ada", 4.0), total=points))
    assert "The least possible standard deviation of a count is 33.8." in page
    assert state in page
    assert ("Partial credit: 3 of 4 points." in page) == (state != "passed")
    assert "0 of 1 visible case is right" not in page
    steps = "2 up to 50, 3 up to 43, 4 up to 34"
    assert page.count(steps) == (2 if state != "passed" else 0), "also with the hidden part"
    assert page.count("earns 3 of 4 points") == page.count("so the noise can be reduced")


def bisected(k: int, epsilon: float, delta: float) -> dict[str, Any]:
    def excess(mu: float) -> float:
        near, far = epsilon / mu - mu / 2, epsilon / mu + mu / 2
        tails = math.erfc(near / 2**0.5) - math.exp(epsilon) * math.erfc(far / 2**0.5)
        return tails / 2 - delta

    low, high = 1e-3, 10.0
    for _ in range(100):
        middle = (low + high) / 2
        low, high = (middle, high) if excess(middle) <= 0 else (low, middle)
    return gaussian(math.sqrt(k) / low)


def test_hidden_cases_count_and_give_nothing_away() -> None:
    assert judged(bisected, OTHERS)[0] == 4
    points, visible, hidden = judged(gaussian(33.9), OTHERS)
    assert visible.passed
    assert (points, hidden.failed, hidden.tried) == (0, 1, 2)
    assert hidden.returned == "a design that does not keep the target"
    assert hidden.called == "design(...) on a hidden case: more"
    text = json.dumps(hidden.to_data())
    assert "0.7123" not in text
    assert "1e-07" not in text

    def leaks(k: int, epsilon: float, delta: float) -> Any:
        return gaussian(33.9) if k == 64 else gaussian(1000 + epsilon)

    _, _, hidden = judged(leaks, OTHERS)
    assert hidden.returned == "a design that keeps the target"
    assert "0.7123" not in json.dumps(hidden.to_data())
    _, _, hidden = judged(lambda *case: gaussian(33.9) if case[0] == 64 else str(case), OTHERS)
    assert "0.7123" not in json.dumps(hidden.to_data())


def test_what_comes_back_when_hidden_cases_are_known_is_not_shown() -> None:
    """A hidden check's message repeats no number that a function returns.

    Such a number may be a hidden argument that the function learned during another item's calls.
    """
    for answer in (gaussian(712.3456), laplace(712.3456), "712.3456", {"712.3456": 1.0}):
        _, visible, hidden = judged(answer)
        assert "712.3456" in visible.returned
        assert "712.3456" not in json.dumps(hidden.to_data())


def test_the_worst_case_counts() -> None:
    def half_right(k: int, epsilon: float, delta: float) -> Any:
        return gaussian((1.0001 if k == 64 else 1.3) * least(k, epsilon, delta))

    points, visible, hidden = judged(half_right, OTHERS)
    assert visible.passed
    assert (hidden.earned, hidden.of, points) == (1, 2, 2.0)


def test_what_changes_between_calls_is_what_it_is_when_graded() -> None:
    designs = [gaussian(33.9), gaussian(42.0)]
    points, visible, _ = judged(lambda *case: designs.pop(0))
    assert visible.passed
    assert points == 3
    designs = [gaussian(42.0), gaussian(33.9)]
    assert judged(lambda *case: designs.pop(0))[0] == 4, "a share is that of the hidden part"


class Lying(float):
    def __eq__(self, other: object) -> bool:
        return True

    def __le__(self, other: object) -> bool:
        return True

    __hash__ = float.__hash__


class Own(dict):  # type: ignore[type-arg]
    pass


class Name(str):
    __slots__ = ()


@pytest.mark.parametrize(
    ("answer", "told"),
    [
        (None, 'Return a dict such as `{"mechanism": "Gaussian", "sigma": ...}`.'),
        (33.9, "Return a dict"),
        ("Gaussian", "Return a dict"),
        (("Gaussian", 33.9), "Return a dict"),
        ([gaussian(33.9)], "Return plain numbers"),
        ({}, '"mechanism" must be "Gaussian" or "Laplace"'),
        ({"sigma": 33.9}, '"mechanism" must be'),
        ({"mechanism": "gaussian", "sigma": 33.9}, '"mechanism" must be'),
        ({"mechanism": ["Gaussian"], "sigma": 33.9}, '"mechanism" must be'),
        ({"mechanism": None, "sigma": 33.9}, '"mechanism" must be'),
        ({"mechanism": "Accountant", "sigma": 33.9}, '"mechanism" must be'),
        (
            {"mechanism": "Gaussian"},
            '"Gaussian" must have exactly the entries "mechanism", "sigma".',
        ),
        ({"mechanism": "Gaussian", "scale": 33.9}, "must have exactly the entries"),
        ({"mechanism": "Gaussian", "sigma": 33.9, "k": 1}, "must have exactly the entries"),
        (gaussian(0.0), '"sigma" must be a number from 0.001 to 1e+06'),
        (gaussian(-33.9), "must be a number from"),
        (gaussian(math.nan), "must be a number from"),
        (gaussian(math.inf), "must be a number from"),
        (gaussian(10**400), "must be a number from"),
        (gaussian(1e-300), "must be a number from"),
        (gaussian(True), "must be a number from"),
        (gaussian("33.9"), "must be a number from"),
        (gaussian(None), "must be a number from"),
        (gaussian([33.9]), "must be a number from"),
        (gaussian({"float": "inf"}), "Return plain numbers"),
        (gaussian(33.9j), "Return plain numbers"),
        (gaussian(Lying(33.9)), "Return plain numbers"),
        ({Name("mechanism"): "Gaussian", "sigma": 33.9}, "Return plain numbers"),
        ({"mechanism": Name("Gaussian"), "sigma": 33.9}, "Return plain numbers"),
        (Own(gaussian(33.9)), "Return plain numbers"),
        (OrderedDict(gaussian(33.9)), "Return plain numbers"),
        (types.MappingProxyType(gaussian(33.9)), "Return plain numbers"),
        ({1: 2}, "Return plain numbers"),
        ({str(i): 1.0 for i in range(100)}, "Return plain numbers"),
        ({"mechanism": "Gaussian", "sigma": [0.0] * 2_000_000}, "Return plain numbers"),
        ({"x" * 10_000: 1.0}, '"mechanism" must be'),
        (Gaussian(33.9), "Return plain numbers"),
    ],
    ids=lambda value: str(value)[:50],
)
def test_what_is_no_design_earns_nothing(answer: Any, told: str) -> None:
    points, visible, hidden = judged(answer)
    assert points == 0
    assert told in visible.misconception
    assert not hidden.passed
    assert len(visible.text()) < 2_000


def test_a_part_that_was_sent_to_a_worker_says_the_same() -> None:
    sent = json.loads(json.dumps(VISIBLE, sort_keys=True))
    for answer in (None, {}, gaussian(0), laplace(1.0), gaussian(40.0), gaussian(33.9)):
        verdicts = [run(lambda *case, a=answer: a, part)[0] for part in (VISIBLE, sent)]
        assert verdicts[0] == verdicts[1]


def test_errors_and_nothing_yet() -> None:
    def blank(*case: Any) -> Any:
        raise NotImplementedError

    def fails(*case: Any) -> Any:
        raise ZeroDivisionError(case)

    points, visible, _ = judged(blank)
    assert points == 0
    assert "not written yet" in visible.misconception
    points, visible, hidden = judged(fails)
    assert points == 0
    assert "ZeroDivisionError" in visible.returned
    assert "64" not in hidden.returned


@pytest.mark.parametrize(
    "outcomes",
    [
        None,
        [],
        "x",
        [{}],
        [{"value": {"dict": {"mechanism": "Gaussian", "sigma": {"dict": {}}}}}],
        [{"value": {"dict": []}}],
        [{"value": {"dict": {}, "sigma": 1}}],
        [{"value": {"dict": {str(i): 1 for i in range(MAX_ENTRIES + 1)}}}],
        [{"value": {"dict": {"mechanism": {"tuple": []}}}}],
        [{"value": {"dict": {"mechanism": "Gaussian\x1b", "sigma\x1b": 33.9}}}],
        [{"value": 33.9}],
        [{"late": 1}],
        [{"accepts": True}],
    ],
)
def test_any_outcome_has_a_verdict(outcomes: Any) -> None:
    assert HIDDEN is not None
    for part in (VISIBLE, HIDDEN):
        verdict = judge(part, outcomes)
        assert not verdict.passed
        assert verdict.text().isprintable() or "\x1b" not in verdict.text()


def test_the_kernel_is_told_arguments_only() -> None:
    assert questions(VISIBLE) == {
        "cases": [{"args": [64, 1.0, 1e-6], "kwargs": {}, "record": True}]
    }
    found, _ = observe(lambda *case: gaussian(np.float32(34)), questions(VISIBLE))
    assert found == [{"value": {"dict": {"mechanism": "Gaussian", "sigma": 34.0}}}]
    assert cleaned(found, VISIBLE) == [{"value": gaussian(34.0)}]
    assert by_share(VISIBLE)


def test_a_dict_is_an_answer_only_where_a_case_says_so() -> None:
    assert reduce_record({"a": (1, np.int64(2))}) == {"a": [1, 2]}
    with pytest.raises(NotPlainError, match="no strings"):
        reduce_record({1: 2})
    found, _ = observe(lambda: {"a": 1}, {"cases": [{"args": [], "kwargs": {}}]})
    assert "unplain" in found[0]
    assert "unplain" in cleaned([{"value": {"dict": {}}}], {"cases": [{"args": []}]})[0]


def test_a_design_that_the_library_refuses_guarantees_nothing() -> None:
    check = a_check(mechanisms={"Odd": odd_mechanism}, mistakes=[], typical={})
    visible, hidden = declared(check)
    points, told, _ = judged({"mechanism": "Odd", "x": 2.0}, (visible, hidden))
    assert points == 0
    assert "it guarantees no epsilon" in told.returned


def odd_mechanism(k: int, epsilon: float, delta: float, *, x: float) -> Any:
    return Gaussian(sigma=-x), x


# --- what the build refuses in a design check


def test_noise_without_measure_and_none_are_worth_nothing() -> None:
    no_design_for_nothing(a_check(), VISIBLE, HIDDEN)
    no_design_for_nothing(a_check(), *OTHERS)


@pytest.mark.parametrize(
    "changes",
    [
        {"between": (1e-3, 45.0)},
        {"between": (33.9, 1e6)},
        {"steps": [Step(2, at_most=1e7), Step(4, at_most=34)]},
    ],
)
def test_a_check_that_gives_points_for_nothing_is_refused(changes: Mapping[str, Any]) -> None:
    check = a_check(**{"mistakes": [], "typical": {}, **changes})
    with pytest.raises(ValueError, match="must give no points to the design"):
        no_design_for_nothing(check, *declared(check))


def closing(free: float) -> Callable[..., Any]:
    def mechanism(k: int, epsilon: float, delta: float, *, sigma: float) -> Any:
        return Accountant().compose(Gaussian(sigma=sigma), k), sigma + free

    return mechanism


@pytest.mark.parametrize(
    ("error", "words", "make"),
    [
        (TypeError, "steps must hold Step", lambda: a_check(steps=[(2, 50)])),
        (ValueError, "steps must have rising points", lambda: a_check(steps=[])),
        (ValueError, "steps must have rising points", lambda: a_check(steps=[Step(2, 50)])),
        (
            ValueError,
            "steps must have rising points",
            lambda: a_check(steps=[Step(4, 50), Step(2, 43), Step(4, 34)]),
        ),
        (
            ValueError,
            "steps must ask for less error",
            lambda: declared(a_check(steps=[Step(2, 40), Step(4, 41)])),
        ),
        (
            ValueError,
            "at_most must be at least the least possible error",
            lambda: declared(a_check(steps=[Step(4, 33)])),
        ),
        (TypeError, "at_most must be a number", lambda: Step(2, at_most="50")),  # type: ignore[arg-type]
        (ValueError, "at_most must be finite", lambda: Step(2, at_most=0)),
        (ValueError, "points must be finite", lambda: Step(0, at_most=3)),
        (ValueError, "mechanisms must hold at least one", lambda: a_check(mechanisms={})),
        (TypeError, "mechanisms.* must be a function", lambda: a_check(mechanisms={"a": 3})),
        (ValueError, "must have keyword-only parameters", lambda: a_check(mechanisms={"a": least})),
        (
            ValueError,
            "closure|plain function|of its own",
            lambda: declared(a_check(mechanisms={"a": closing(0.0)}, mistakes=[], typical={})),
        ),
        (TypeError, "target must be a function", lambda: a_check(target=(1.0, 1e-6))),
        (ValueError, "target must return a pair", lambda: declared(a_check(target=least))),
        (
            ValueError,
            "epsilon must be finite",
            lambda: declared(a_check(target=lambda *case: (0.0, 1e-6))),
        ),
        (ValueError, "measure must not be empty", lambda: a_check(measure="")),
        (TypeError, "best must be a function", lambda: a_check(best=33.8)),
        (ValueError, "best: ZeroDivisionError", lambda: declared(a_check(best=lambda *c: 1 / 0))),
        (TypeError, "typical.* must be a function", lambda: a_check(typical={"x": gaussian(34)})),
        (
            ValueError,
            r"typical\['x'\] must keep the target",
            lambda: declared(a_check(typical={"x": lambda *case: gaussian(3.0)})),
        ),
        (
            ValueError,
            "typical must return a design",
            lambda: declared(a_check(typical={"x": lambda *case: ("Gaussian", 40.0)})),
        ),
        (
            ValueError,
            "mistakes must return a design",
            lambda: declared(a_check(mistakes=[Mistake(lambda *case: {"sigma": 3.0}, "x")])),
        ),
        (
            ValueError,
            "no case of counts tells the mistake",
            lambda: declared(a_check(mistakes=[Mistake(lambda *case: gaussian(33.9), "x")])),
        ),
        (ValueError, "between must be of finite", lambda: a_check(between=(0.0, 1.0))),
        (ValueError, "between must be of a smaller", lambda: a_check(between=(1.0, 1.0))),
        (
            ValueError,
            "raises must not be given",
            lambda: a_check(visible=[Case(raises=ValueError)]),
        ),
    ],
)
def test_bad_declarations(error: type[Exception], words: str, make: Callable[[], object]) -> None:
    with pytest.raises(error, match=words):
        make()


def slow_counts(k: int, epsilon: float, delta: float, *, scale: float) -> Any:
    import time

    from dpteach import Accountant, Laplace

    end = time.thread_time() + (0.5 if 10 < scale < 100 else 0.0)
    while time.thread_time() < end:
        pass
    return Accountant().compose(Laplace(scale=scale), k), 2**0.5 * scale


def test_a_guarantee_that_takes_long_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    check = a_check(mechanisms={"Laplace": slow_counts}, mistakes=[])
    monkeypatch.setattr(design_kind, "ANSWER_SECONDS", 0.4)
    with pytest.raises(ValueError, match=r"to .*31.6.* within 0.4 seconds, got mechanisms=0.5"):
        declared(check)


def slow_where_unequal(k: int, epsilon: float, delta: float, *, one: float, other: float) -> Any:
    """Return an accountant and the mechanism's error, after 0.5 s unless `one` equals `other`."""
    begun = time.thread_time()
    while one != other and time.thread_time() < begun + 0.5:
        pass
    return laplace_counts(k, epsilon, delta, scale=one)


def not_a_number(k: int, epsilon: float, delta: float, *, scale: float) -> Any:
    return types.SimpleNamespace(epsilon_at=lambda at: math.nan), scale


def test_designs_with_unequal_entries_and_nan_are_tried(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(design_kind, "ANSWER_SECONDS", 0.4)
    alone: dict[str, Any] = {"mistakes": [], "typical": {}}
    with pytest.raises(ValueError, match=r"within 0.4 seconds, got mechanisms=0.[5-9]"):
        declared(a_check(mechanisms={"Laplace": slow_where_unequal}, **alone))
    with pytest.raises(ValueError, match=r"a guarantee that is not NaN to "):
        declared(a_check(mechanisms={"Laplace": not_a_number}, **alone))


def test_how_near_a_mistake_must_be() -> None:
    strict = a_check(
        mistakes=[Mistake(lambda *case: gaussian(40.0), "Forty.", compare=Relative(1e-6))]
    )
    parts = declared(strict)
    assert judged(gaussian(40.0), parts)[1].misconception == "Forty."
    assert "earns 3 of 4" in judged(gaussian(40.1), parts)[1].misconception
    # a mistake is recognized within the larger of the two tolerances, 0.4 and 0.1, not their sum
    both = Relative(0.01, absolute=0.1)
    parts = declared(a_check(mistakes=[Mistake(lambda *case: gaussian(40.0), "Forty.", both)]))
    assert judged(gaussian(40.39), parts)[1].misconception == "Forty."
    assert "earns 3 of 4" in judged(gaussian(40.45), parts)[1].misconception
