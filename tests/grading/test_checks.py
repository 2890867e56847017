"""Tests of checks, which judge a student's function by calling it.

The tests cover declarations and their data, outcomes of calls, verdicts, the statistics of random
answers, and the text sources of assignments.
"""

from __future__ import annotations

import contextlib
import json
import math
import sys
import time
import types
from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from dpteach.grading import (
    Absolute,
    Case,
    Check,
    CheckFailed,
    Exact,
    Fresh,
    Law,
    Mistake,
    PropertyCheck,
    RandomCheck,
    Relative,
    check,
)
from dpteach.grading.author.build import BuildError, build_assignments, build_source
from dpteach.grading.author.making import make_exam
from dpteach.grading.author.mutants import submission
from dpteach.grading.author.parts import declared, same_answers
from dpteach.grading.author.proof import read_checks
from dpteach.grading.author.source import SourceError, read_source
from dpteach.grading.core import observe
from dpteach.grading.core.plain import NotPlainError, decode, encode, reduce, shown
from dpteach.grading.course.folder import CourseError, course_api
from dpteach.grading.judging.judge import judge
from dpteach.grading.judging.verdict import WIDTH, Verdict
from dpteach.grading.kinds import outcomes as judged
from dpteach.grading.kinds.comparing import close
from dpteach.grading.kinds.random import distributions, statistics
from dpteach.grading.kinds.registry import of_declaration
from dpteach.grading.student.runner import check_cell, run

ROOT = Path(__file__).resolve().parents[2]
ASSIGNMENTS = sorted((ROOT / "course_src" / "assignments").glob("*.md"))

BOOK = "renyi_dp#section"


def ratio(a: float, b: float) -> float:
    """Return a / b, or infinity if b is 0; raise an error if b < 0.

    This is the right answer in the checks that `a_check` declares.
    """
    if b < 0:
        raise ValueError("b must be >= 0")
    return math.inf if b == 0 else a / b


def a_check(**changes: Any) -> Check:
    arguments: dict[str, Any] = {
        "name": "ratio_values",
        "points": 2,
        "call": "ratio",
        "visible": [Case(1.5, 2.0), Case(1.0, 0.0, words="b is 0")],
        "hidden": [
            Case(314.159, 27.1828, words="two large numbers"),
            Case(7.25, -12.5, raises=ValueError, words="b is negative"),
        ],
        "expected": ratio,
        "mistakes": [Mistake(lambda a, b: b / a, "a and b are exchanged.")],
        "book": BOOK,
    }
    return Check(**(arguments | changes))


def verdict_on(function: Callable[..., Any], declared_check: Any = None) -> Verdict:
    """Return the verdict on visible cases if they fail, otherwise the verdict on hidden cases."""
    visible, hidden = declared(declared_check or a_check())
    verdict, _ = run(function, visible)
    if verdict.passed and hidden is not None:
        verdict, _ = run(function, hidden)
    return verdict


# --- encoding of plain data ------------------------------------------------------------------


@pytest.mark.parametrize(
    "value",
    [
        None,
        True,
        3,
        -0.5,
        math.inf,
        -math.inf,
        "text",
        [1, [2.0, "x"]],
        (1, (2,)),
        {"p": [0.5, math.inf]},
        2 + 3j,
        10**400,
    ],
)
def test_arguments_survive_json(value: object) -> None:
    assert decode(json.loads(json.dumps(encode(value), allow_nan=False))) == value


def test_nan_and_arrays_survive_json() -> None:
    def through(value: object) -> Any:
        return decode(json.loads(json.dumps(encode(value), allow_nan=False)))

    assert math.isnan(through(math.nan))
    assert type(through(np.float64(0.1))) is float
    for array in (np.array([[1.5, np.inf]]), np.array([True]), np.arange(3), np.array(2.5)):
        again = through(array)
        assert again.dtype == array.dtype
        np.testing.assert_array_equal(again, array)


@pytest.mark.parametrize("value", [object(), {1}, b"x", np.array(["a"]), {1: 2}, print])
def test_encode_refuses_what_is_not_plain(value: object) -> None:
    with pytest.raises(TypeError, match="value must"):
        encode(value)


def test_decode_refuses_unknown_tags() -> None:
    with pytest.raises(ValueError, match="float, complex, tuple, array, dict"):
        decode({"pickle": "x"})


class AlwaysEqual(float):
    def __eq__(self, other: object) -> bool:
        return True

    def __sub__(self, other: object) -> float:
        return 0.0

    __hash__ = float.__hash__


class LyingArray(np.ndarray):  # type: ignore[type-arg]
    def tolist(self) -> Any:
        return [42.0]


class LyingNumber(np.float64):
    def item(self) -> Any:
        return 42.0


@pytest.mark.parametrize(
    ("value", "plain"),
    [
        (np.float64(0.5), 0.5),
        (np.float32(0.5), 0.5),
        (np.int64(3), 3),
        (np.bool_(True), True),
        (np.longdouble(0.5), 0.5),
        ((1, [2.0]), [1, [2.0]]),
        (np.eye(2), [[1.0, 0.0], [0.0, 1.0]]),
        (np.array(2.5), 2.5),
        (None, None),
        ("infinity", "infinity"),
        ([Fraction(27, 52)], [27 / 52]),
        (Decimal("0.125"), 0.125),
    ],
)
def test_reduce(value: object, plain: object) -> None:
    found = reduce(value)
    assert found == plain
    assert type(found) is type(plain)


@pytest.mark.parametrize(
    "value",
    [
        AlwaysEqual(1.0),
        LyingNumber(1.0),
        np.zeros(3).view(LyingArray),
        1j,
        np.complex128(1j),
        np.array(["a"]),
        np.array([None]),
        object(),
        print,
        {"a": 1},
        iter([1.0]),
        [[1.0, AlwaysEqual(2.0)]],
        Fraction(10**400),
        type("Fraction", (Fraction,), {})(1, 2),
        np.zeros(2_000_000),
        [0.0] * 2_000_000,
        [[[[[[[[[[1.0]]]]]]]]]],
    ],
    ids=lambda value: type(value).__name__,
)
def test_reduce_refuses(value: object) -> None:
    with pytest.raises(NotPlainError):
        reduce(value)


def test_reduce_refuses_a_list_in_itself() -> None:
    loop: list[Any] = []
    loop.append(loop)
    with pytest.raises(NotPlainError, match="deep"):
        reduce(loop)


def test_shown_is_short() -> None:
    for value in (np.zeros(10_000), [0.5] * 10_000, "x" * 10_000, ["y" * 500] * 3):
        assert len(shown(value)) < 1000


# --- comparison of answers -------------------------------------------------------------------


@pytest.mark.parametrize(
    ("value", "expected", "right"),
    [
        (1.0 + 1e-10, 1.0, True),
        (1.0 + 1e-8, 1.0, False),
        (1, 1.0, True),
        (math.inf, math.inf, True),
        (math.inf, -math.inf, False),
        (math.inf, 1e308, False),
        (math.nan, math.nan, False),
        (math.nan, 1.0, False),
        (1e-13, 0.0, True),
        (1e-11, 0.0, False),
        (-0.0, 0.0, True),
        (True, 1.0, False),
        (True, True, True),
        (1, True, False),
        (False, True, False),
        (None, 0.0, False),
        ("1.0", 1.0, False),
        ([1.0, 2.0], [1.0, 2.0], True),
        ([1.0, 2.0], [1.0, 2.5], False),
        ([1.0, 2.0], [1.0], False),
        ([1.0], 1.0, False),
        (1.0, [1.0], False),
        ([[1.0], [2.0]], [[1.0], [2.0]], True),
        ([1.0, 2.0], (1.0, 2.0), True),
        ([1.0, 2.0], np.array([1.0, 2.0]), True),
        ([1.0, math.nan], [1.0, math.nan], False),
        (10**400, 1.0, False),
    ],
)
def test_close(value: object, expected: object, right: bool) -> None:
    assert close(value, expected, relative=1e-9, absolute=1e-12) is right


def test_exact() -> None:
    rule = Exact().to_data()
    assert close(7.0, 7, **rule)
    assert not close(7.0000000001, 7, **rule)


# --- declarations of checks ------------------------------------------------------------------


def test_parts_are_json_and_know_their_cases() -> None:
    visible, hidden = declared(a_check())
    assert hidden is not None
    for part in (visible, hidden):
        assert json.loads(json.dumps(part, allow_nan=False)) == part
    assert [case["args"] for case in visible["cases"]] == [[1.5, 2.0], [1.0, 0.0]]
    assert [case.get("expected") for case in visible["cases"]] == [0.75, {"float": "inf"}]
    assert hidden["cases"][1]["raises"] == ["ValueError"]
    text = json.dumps(visible)
    assert "314.159" not in text
    assert "27.1828" not in text
    assert "large numbers" not in text


def test_without_hidden_cases() -> None:
    assert declared(a_check(hidden=[]))[1] is None


def test_a_mistake_that_no_case_catches_is_refused() -> None:
    silent = Mistake(lambda a, b: a / b if b > 0 else ratio(a, b), "not a mistake at all")
    with pytest.raises(ValueError, match="no case of ratio_values tells the mistake") as refused:
        declared(a_check(mistakes=[silent]))
    assert "Add a case where the two differ; make it visible if" in str(refused.value)


def refused(check: Check | PropertyCheck) -> None:
    """Test a check as the build does; an error means that the build would refuse the check."""
    proof = of_declaration(check).proof
    assert proof is not None
    proof(check, *declared(check))


def test_a_mistake_that_is_broken_code_is_refused() -> None:
    """A check is refused if one of its known mistakes raises errors on all cases.

    Other wrong code could raise the same errors, and would get this mistake's message.
    """
    forgotten = Mistake(lambda a, b: math.exp(), "The logarithm.")
    words = r"wrong of 'The logarithm\.' must .*TypeError: .*exp\(\) takes exactly one"
    with pytest.raises(ValueError, match=words):
        refused(a_check(mistakes=[forgotten]))
    bounds = PropertyCheck(
        name="bounds", points=1, call="f", statement="It is at least 0.", at_least=lambda a: 0.0,
        visible=[Case(1.0), Case(2.0)], mistakes=[forgotten],
    )  # fmt: skip
    with pytest.raises(ValueError, match=r"wrong of 'The logarithm\.' must return an answer"):
        refused(bounds)
    on_one = Mistake(lambda a, b: b / a if b > 1 else math.exp(), "x")
    assert declared(a_check(mistakes=[on_one]))[0]["cases"][1]["mistakes"] == [
        {"raises": "TypeError"}
    ]


@pytest.mark.parametrize("factor", [1.0, 1.0 + 2**-50])
def test_two_mistakes_with_the_same_answers_are_named(factor: float) -> None:
    """`same_answers` reports two mistakes whose answers differ only by rounding."""
    one = Mistake(lambda a, b: b / a, "Exchanged.")
    same = Mistake(lambda a, b: factor * b / a, "Upside down.")
    check = a_check(mistakes=[one, same])
    assert "'Exchanged.' and 'Upside down.' give the" in same_answers(check, *declared(check))
    on_one = Mistake(lambda a, b: b / a if b > 1 else b / a + 1, "Upside down.")
    check = a_check(mistakes=[one, on_one])
    assert not same_answers(check, *declared(check))


def test_a_reference_that_fails_is_refused() -> None:
    with pytest.raises(ValueError, match="expected must return the right answer to Case"):
        declared(a_check(expected=lambda a, b: a / b))
    with pytest.raises(ValueError, match="expected must return the right answer to Case"):
        declared(a_check(expected=lambda a, b: math.nan))


@pytest.mark.parametrize(
    ("error", "words", "make"),
    [
        (ValueError, "name must be of the form", lambda: a_check(name="Ratio values")),
        (TypeError, "name must be a string", lambda: a_check(name=3)),
        (ValueError, "points must be finite and > 0", lambda: a_check(points=0)),
        (ValueError, "points must be finite and > 0", lambda: a_check(points=math.nan)),
        (ValueError, "points must be finite and > 0", lambda: a_check(points=math.inf)),
        (ValueError, "points must be finite and > 0", lambda: a_check(points=-1)),
        (TypeError, "points must be a number", lambda: a_check(points="2")),
        (TypeError, "points must be a number", lambda: a_check(points=True)),
        (ValueError, "call must be the name", lambda: a_check(call="a b")),
        (ValueError, "call must be the name", lambda: a_check(call=3)),
        (ValueError, "book must be of the form", lambda: a_check(book="chapter five")),
        (ValueError, "visible must hold at least one", lambda: a_check(visible=[])),
        (TypeError, r"visible must hold Case\(", lambda: a_check(visible=[(1, 2)])),
        (ValueError, r"hidden\[0\] must have words", lambda: a_check(hidden=[Case(1, 2)])),
        (
            ValueError,
            r"hidden\[1\] must have words",
            lambda: a_check(hidden=[a_check().hidden[0], Case(1, 2)]),
        ),
        (
            TypeError,
            r"hidden must hold Case\(\.\.\.\) and Fresh\(\.\.\.\) only",
            lambda: a_check(hidden=["x"]),
        ),
        (
            TypeError,
            r"visible must hold Case\(\.\.\.\) only",
            lambda: a_check(visible=[Fresh(lambda rng: Case(1, 2), "x")]),
        ),
        (TypeError, "mistakes must hold", lambda: a_check(mistakes=["x"])),
        (TypeError, "builds_on must be a list", lambda: a_check(builds_on="kl")),
        (ValueError, "builds_on must be a list of names", lambda: a_check(builds_on=["kl", "K l"])),
        (TypeError, "expected must be a function", lambda: a_check(expected=3)),
        (ValueError, "expected must be given", lambda: a_check(expected=None)),
        (
            ValueError,
            "expected must be given",
            lambda: a_check(expected=None, visible=[Case(1, raises=ValueError)]),
        ),
        (TypeError, "compare must be", lambda: a_check(compare=1e-9)),
        (TypeError, "raises must be a class of errors", lambda: Case(1, raises="ValueError")),
        (TypeError, "raises must be a class of errors", lambda: Case(1, raises=KeyboardInterrupt)),
        (TypeError, "raises must be a class", lambda: Case(1, raises=(ValueError, "x"))),  # type: ignore[arg-type]
        (ValueError, "words must not be empty", lambda: Case(1, words=" ")),
        (TypeError, "value must be None", lambda: Case(object())),
        (TypeError, "value must be None", lambda: Case(x=object())),
        (ValueError, "tolerance must be in", lambda: Relative(0.0)),
        (ValueError, "tolerance must be in", lambda: Relative(1.0)),
        (ValueError, "tolerance must be in", lambda: Relative(math.nan)),
        (TypeError, "tolerance must be a number", lambda: Relative("x")),  # type: ignore[arg-type]
        (TypeError, "tolerance must be a number", lambda: Relative(True)),
        (ValueError, "absolute must be finite", lambda: Relative(0.1, absolute=-1.0)),
        (ValueError, "absolute must be finite", lambda: Relative(0.1, absolute=math.inf)),
        (ValueError, "tolerance must be finite and > 0", lambda: Absolute(math.inf)),
        (ValueError, "tolerance must be finite and > 0", lambda: Absolute(0.0)),
        (TypeError, "wrong must be a function", lambda: Mistake(3, "x")),  # type: ignore[arg-type]
        (ValueError, "message must not be empty", lambda: Mistake(ratio, "")),
        (TypeError, "compare must be", lambda: Mistake(ratio, "x", compare=3)),  # type: ignore[arg-type]
        (ValueError, "scale must be finite and > 0", lambda: Law("norm", scale=0.0)),
        (ValueError, "scale must be finite and > 0", lambda: Law("norm", scale=[1.0, math.inf])),
        (ValueError, "loc must be finite", lambda: Law("norm", loc=[math.nan])),
        (ValueError, "shape mismatch", lambda: Law("norm", loc=[1.0, 2.0], scale=[1.0] * 3)),
        (ValueError, "family must be one of norm, laplace", lambda: Law("__class__")),
        (TypeError, "check must be a Check", lambda: declared("x")),  # type: ignore[arg-type]
        (TypeError, "function must be callable", lambda: run(3, declared(a_check())[0])),
    ],
)
def test_bad_declarations(error: type[Exception], words: str, make: Callable[[], object]) -> None:
    with pytest.raises(error, match=words):
        make()


def test_what_may_just_be_declared() -> None:
    """Unusual values that authors may declare, such as a tolerance near 0 or 1, are accepted."""
    assert Relative(0.999).to_data() == {"relative": 0.999, "absolute": 0.0}
    assert Relative(1e-9, absolute=0.5).to_data() == {"relative": 1e-9, "absolute": 0.5}
    assert Absolute(5e-324).to_data() == {"relative": 0.0, "absolute": 5e-324}
    assert a_check(points=np.float64(0.5)).points == 0.5 and a_check(points=np.int64(3)).points == 3
    errors = [Case(1.0, raises=(ValueError, KeyError), words="x")]
    check = a_check(expected=None, visible=errors, hidden=errors, mistakes=[])
    assert declared(check)[0]["cases"][0]["raises"] == ["ValueError", "KeyError"]
    assert declared(check)[0]["cases"][0]["words"] == "x"


def test_what_a_part_says() -> None:
    """The visible and the hidden data of a check have exactly these entries."""
    wrong = [
        Mistake(lambda a, b: b / a, "Exchanged."),
        Mistake(lambda a, b: 1 / 0, "It raises.", compare=Absolute(0.5)),
        Mistake(lambda a, b: ratio(a, abs(b)), "The sign.", compare=Exact()),
    ]
    check = a_check(mistakes=wrong, builds_on=["kl"], compare=Relative(1e-6), partial=False)
    visible, hidden = declared(check)
    assert hidden is not None
    common = {
        "kind": "values",
        "name": "ratio_values",
        "points": 2,
        "call": "ratio",
        "book": BOOK,
        "place": "chapter “Rényi differential privacy”, section section",
        "builds_on": ["kl"],
        "messages": ["Exchanged.", "It raises.", "The sign."],
        "partial": False,
        "compare": {"relative": 1e-6, "absolute": 0.0},
        "recognise": [
            {"relative": 1e-6, "absolute": 0.0},
            {"relative": 0.0, "absolute": 0.5},
            {"relative": 0.0, "absolute": 0.0},
        ],
        "for_nothing": 1,
    }
    for part, is_hidden in ((visible, False), (hidden, True)):
        assert {key: part[key] for key in part if key != "cases"} == common | {"hidden": is_hidden}
    assert [case["mistakes"] for case in (*visible["cases"], *hidden["cases"])] == [
        # a row for each case: what each mistake returns or raises, None if it is right on the case
        [{"value": 2 / 1.5}, {"raises": "ZeroDivisionError"}, None],
        [{"value": 0.0}, {"raises": "ZeroDivisionError"}, None],
        [{"value": 27.1828 / 314.159}, {"raises": "ZeroDivisionError"}, None],
        [{"value": -12.5 / 7.25}, {"raises": "ZeroDivisionError"}, {"value": 7.25 / 12.5}],
    ]
    assert hidden["cases"][1] == {
        "args": [7.25, -12.5],
        "kwargs": {},
        "words": "b is negative",
        "raises": ["ValueError"],
        "mistakes": hidden["cases"][1]["mistakes"],
    }
    named = declared(a_check(visible=[Case(1.5, b=2.0), Case(1.0, 0.0)]))[0]["cases"][0]
    assert (named["args"], named["kwargs"], named["expected"]) == ([1.5], {"b": 2.0}, 0.75)


def test_a_mistake_that_raises_may_be_right() -> None:
    """A declared mistake that raises an error counts as right on a case that demands this error."""
    refuse = Case(1.0, -1.0, raises=(KeyError, ArithmeticError), words="b is negative")

    def wrong(a: float, b: float) -> float:
        return 1 / 0 if b < 0 else b / a

    check = a_check(visible=[Case(1.5, 2.0), refuse], hidden=[], mistakes=[Mistake(wrong, "x")])
    cases = declared(check)[0]["cases"]
    assert [case["mistakes"] for case in cases] == [[{"value": 2 / 1.5}], [None]]
    odd = Mistake(lambda a, b: object(), "No number.")
    with pytest.raises(ValueError, match=r"wrong of 'No number.' must return .* to \[1.5, 2.0\]"):
        declared(a_check(mistakes=[odd]))


# --- outcomes of calls, and the verdicts on them ---------------------------------------------


def test_right() -> None:
    verdict = verdict_on(ratio)
    assert verdict.passed
    assert verdict.text() == "ratio_values: right on 2 of 2 hidden cases."


def test_visible_failure_says_everything() -> None:
    text = verdict_on(lambda a, b: b / a).text()
    assert "called    ratio(1.5, 2.0)" in text
    assert "returned  1.3333333333333333" in text
    assert "expected  0.75" in text
    assert "likely    a and b are exchanged." in text
    assert "chapter “Rényi differential privacy”, section section" in text
    assert "Wrong: 2 of 2 visible cases, first:" in text
    assert max(map(len, text.split("\n"))) <= WIDTH + 12


def wrong_when_hidden(answer: Any) -> Callable[[float, float], Any]:
    """Return a function that is right on visible cases, and calls `answer` on hidden ones."""

    def function(a: float, b: float) -> Any:
        if (a, b) in ((1.5, 2.0), (1.0, 0.0)):
            return ratio(a, b)
        return answer(a, b)

    return function


def raise_arguments(a: float, b: float) -> Any:
    raise KeyError(f"{a} {b} {a / b}")


def raise_own(a: float, b: float) -> Any:
    raise type(f"E{a}_{b}", (Exception,), {})(a, b)


def print_arguments(a: float, b: float) -> Any:
    print(a, b, a / b)
    print(a, b, a / b, file=sys.stderr)


@pytest.mark.parametrize(
    "answer",
    [
        lambda a, b: a,
        lambda a, b: [a, b],
        lambda a, b: f"{a} {b}",
        lambda a, b: 1j * a,
        lambda a, b: type(f"X{a}", (float,), {})(b),
        lambda a, b: ratio(a, abs(b)),
        raise_arguments,
        raise_own,
        print_arguments,
    ],
)
def test_hidden_failure_says_nothing_in_numbers(
    answer: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    verdict = verdict_on(wrong_when_hidden(answer))
    assert not verdict.passed
    assert verdict.hidden
    text = verdict.text() + capsys.readouterr().out + capsys.readouterr().err
    for number in ("314", "27.18", "7.25", "12.5", "11.55"):
        assert number not in text
    assert "a hidden case: " in text
    assert "two large numbers" in text or "b is negative" in text


@pytest.mark.parametrize(
    ("function", "returned", "likely"),
    [
        (lambda a, b: None, "None", "that there is a `return` on every path"),
        (lambda a, b: print(a), "None", "there is a `return`"),
        (lambda a, b: "0.75", "'0.75'", "A string is not a number"),
        (lambda a, b: math.nan, "nan", "The answer is NaN"),
        (lambda a, b: [0.75], "[0.75]", "The function must return one number"),
        (lambda a, b: np.array([0.75, 1]), "[0.75, 1.0]", "The function must return one number"),
        (lambda a, b: True, "True", "instead of a number"),
        (lambda a, b: 0.75 + 0j, "a complex number", "Return plain numbers"),
        (lambda a, b: AlwaysEqual(3.0), "derived from a built-in one", "Return plain numbers"),
        (lambda a, b: ratio, "a function", "missing its brackets"),
        (lambda a, b: 1 / 0, "ZeroDivisionError: division by zero", ""),
        (lambda: 1, "TypeError", ""),
        (lambda a, b: sys.exit(0), "SystemExit", ""),
        (lambda a, b: np.float64(0.76), "0.76", ""),
    ],
)
def test_odd_answers(function: Callable[..., Any], returned: str, likely: str) -> None:
    verdict = verdict_on(function)
    text = " ".join(verdict.text().split())
    assert not verdict.passed
    assert returned in text
    assert likely in text


def test_not_written_yet() -> None:
    def empty(a: float, b: float) -> float:
        raise NotImplementedError

    assert "`ratio` is not written yet" in verdict_on(empty).text()


def test_infinite_recursion() -> None:
    def down(a: float, b: float) -> float:
        return down(a, b)

    assert "RecursionError" in verdict_on(down).returned


def test_a_loop_without_end(monkeypatch: pytest.MonkeyPatch) -> None:
    def loop(a: float, b: float) -> float:
        while True:
            with contextlib.suppress(Exception):
                time.sleep(0.01)

    for module in (observe, judged):
        monkeypatch.setattr(module, "VALUE_SECONDS", 0.2)
    start = time.monotonic()
    verdict = verdict_on(loop)
    assert time.monotonic() - start < 5
    assert "nothing within 0.2 seconds" in verdict.text()
    assert verdict.failed == 2


def test_printing_a_lot() -> None:
    def loud(a: float, b: float) -> float:
        for _ in range(200_000):
            print("x" * 100)
        return ratio(a, b)

    verdict, printed = run(loud, declared(a_check())[0])
    assert verdict.passed
    assert len(printed) <= observe.KEPT_CHARACTERS + 10


def test_warnings_are_no_mistake(capsys: pytest.CaptureFixture[str]) -> None:
    def warning(a: float, b: float) -> Any:
        return np.float64(a) / np.float64(b)

    visible, _ = declared(a_check())
    verdict, _ = run(warning, visible)
    assert verdict.passed
    assert capsys.readouterr().err == ""


def test_altering_the_arguments() -> None:
    total = Check(
        name="total",
        points=1,
        call="total",
        visible=[Case([3.0, 1.0])],
        expected=math.fsum,
        book=BOOK,
    )

    def sorting(numbers: list[float]) -> float:
        numbers.sort()
        return sum(numbers)

    assert "altered its arguments" in verdict_on(sorting, total).returned
    assert verdict_on(sum, total).passed


def test_an_error_of_a_subclass_is_right() -> None:
    class OwnError(ValueError):
        pass

    def own(a: float, b: float) -> float:
        if b < 0:
            raise OwnError
        return ratio(a, b)

    assert verdict_on(own).passed


def test_no_error_where_one_was_asked_for() -> None:
    refuse = a_check(visible=[Case(1.0, -1.0, raises=(ValueError, TypeError))], mistakes=[])
    verdict = verdict_on(lambda a, b: a / b, refuse)
    assert verdict.returned == "-1.0, no error"
    assert verdict.expected == "an error: ValueError or TypeError"


def test_the_mistake_that_explains_most_is_named() -> None:
    doubled = a_check(
        visible=[Case(1.0, 2.0), Case(3.0, 4.0)],
        mistakes=[
            Mistake(lambda a, b: 7.0, "seven"),
            Mistake(lambda a, b: 7.0 if a == 1.0 else a * b, "product after seven"),
        ],
    )
    assert verdict_on(lambda a, b: 7.0 if a == 1.0 else a * b, doubled).misconception == (
        "product after seven"
    )
    assert verdict_on(lambda a, b: 7.0, doubled).misconception == "seven"
    assert verdict_on(lambda a, b: 8.0, doubled).misconception == ""
    follow = a_check(builds_on=["earlier"])
    assert verdict_on(lambda a, b: 8.0, follow).misconception == "", "the earlier one may pass"


def test_an_earlier_item_is_named_only_if_it_fails(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    later = a_check(name="later", call="best", builds_on=["ratio_values"])
    checks = {part["name"]: part for part in (declared(a_check())[0], declared(later)[0])}
    (tmp_path / "checks.json").write_text(json.dumps({"checks": checks}))
    monkeypatch.chdir(tmp_path)
    names: dict[str, Any] = {"check": check, "best": lambda a, b: 8.0, "ratio": ratio}
    with pytest.raises(CheckFailed) as caught:
        exec("check('later')", names)
    assert "ratio_values" not in str(caught.value)
    for wrong in (lambda a, b: 8.0, None):
        names["ratio"] = wrong
        with pytest.raises(CheckFailed, match="Correct `ratio` first if your function calls it"):
            exec("check('later')", names)


def test_a_mistake_with_a_rule_of_its_own() -> None:
    noisy = a_check(
        mistakes=[Mistake(lambda a, b: ratio(a, b) + 1e-3, "digits", compare=Relative(0.05))]
    )
    assert verdict_on(lambda a, b: ratio(a, b) + 1.7e-3, noisy).misconception == "digits"


def test_judging_needs_no_reference_and_no_function() -> None:
    """Judging needs only JSON data, so another process than the student's can judge."""
    visible, _ = declared(a_check())
    outcomes, _ = observe.observe(lambda a, b: b / a, visible)
    again = judge(json.loads(json.dumps(visible)), json.loads(json.dumps(outcomes)))
    assert again == judge(visible, outcomes)


# --- check(), as the notebook calls it -------------------------------------------------------


@pytest.fixture
def notebook_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    visible, _ = declared(a_check())
    (tmp_path / "checks.json").write_text(json.dumps({"checks": {"ratio_values": visible}}))
    monkeypatch.chdir(tmp_path)
    return tmp_path


def call_check(name: Any, function: Any = None, **further: Any) -> None:
    """Call `check` as a notebook's cell does, where `function` has the name ``ratio``."""
    namespace = {"check": check, "name": name, "further": further}
    if function is not None:
        namespace["ratio"] = function
    exec("check(name, **further)", namespace)


@pytest.mark.usefixtures("notebook_folder")
def test_check_passes(capsys: pytest.CaptureFixture[str]) -> None:
    call_check("ratio_values", ratio)
    assert capsys.readouterr().out == "ratio_values: right on 2 of 2 visible cases.\n"


@pytest.mark.usefixtures("notebook_folder")
def test_check_fails_without_a_traceback(capsys: pytest.CaptureFixture[str]) -> None:
    def wrong(a: float, b: float) -> None:
        print("a =", a)

    with pytest.raises(CheckFailed) as caught:
        call_check("ratio_values", wrong)
    rendered = "\n".join(caught.value._render_traceback_())
    assert "Traceback" not in rendered
    assert ".py" not in rendered
    assert "returned  None" in rendered
    assert "your function printed: a = 1.5" in capsys.readouterr().out


def test_check_says_what_is_missing(notebook_folder: Path) -> None:
    with pytest.raises(CheckFailed, match="there is no function `ratio` yet"):
        call_check("ratio_values")
    with pytest.raises(CheckFailed, match="`ratio` is no longer a function"):
        call_check("ratio_values", 3)
    with pytest.raises(CheckFailed, match="are: ratio_values"):
        call_check("other", ratio)
    with pytest.raises(TypeError, match="name must be a string"):
        call_check(ratio, ratio)
    (notebook_folder / "checks.json").write_text("{")
    with pytest.raises(CheckFailed, match="damaged"):
        call_check("ratio_values", ratio)
    (notebook_folder / "checks.json").unlink()
    with pytest.raises(CheckFailed, match="missing"):
        call_check("ratio_values", ratio)


# --- checks of random answers ----------------------------------------------------------------


def a_random_check(**changes: Any) -> RandomCheck:
    arguments: dict[str, Any] = {
        "name": "noise_law",
        "points": 3,
        "call": "noisy",
        "visible": [Case([0.0, 5.0, -2.0], 2.0)],
        "hidden": [Case([1.0], 0.5, words="one entry")],
        "law": lambda vector, scale: Law("laplace", loc=vector, scale=scale),
        "mistakes": [
            Mistake(lambda v, s: Law("laplace", loc=v, scale=s * s), "The scale is squared."),
            Mistake(lambda v, s: Law("laplace", loc=v, scale=s, shared=True), "One draw for all."),
            Mistake(lambda v, s: Law("norm", loc=v, scale=s), "Gaussian noise."),
        ],
        "book": BOOK,
    }
    return RandomCheck(**(arguments | changes))


def noisy(vector: list[float], scale: float, rng: np.random.Generator) -> Any:
    return np.asarray(vector) + rng.laplace(scale=scale, size=len(vector))


def one_draw(vector: list[float], scale: float, rng: np.random.Generator) -> Any:
    return np.asarray(vector) + rng.laplace(scale=scale)


def seeded(vector: list[float], scale: float, rng: np.random.Generator) -> Any:
    return noisy(vector, scale, np.random.default_rng(1))


def fresh(vector: list[float], scale: float, rng: np.random.Generator) -> Any:
    return noisy(vector, scale, np.random.default_rng())


def global_noise(vector: list[float], scale: float, rng: np.random.Generator) -> Any:
    return np.asarray(vector) + np.random.laplace(scale=scale, size=len(vector))  # noqa: NPY002


def both_sources(vector: list[float], scale: float, rng: np.random.Generator) -> Any:
    np.random.random()  # noqa: NPY002
    return noisy(vector, scale, rng)


def clipped(vector: list[float], scale: float, rng: np.random.Generator) -> Any:
    noise = rng.laplace(scale=scale, size=len(vector))
    return np.asarray(vector) + np.clip(noise, -7 * scale, 7 * scale)


def rounded(vector: list[float], scale: float, rng: np.random.Generator) -> Any:
    return np.round(noisy(vector, scale, rng), 3)


def shifted(vector: list[float], scale: float, rng: np.random.Generator) -> Any:
    return noisy(vector, scale, rng) + 0.1 * scale


def one_sided(vector: list[float], scale: float, rng: np.random.Generator) -> Any:
    return np.asarray(vector) + rng.exponential(scale=scale, size=len(vector))


class Remembering:
    """A wrong mechanism, which uses the same noise in two successive calls."""

    def __init__(self) -> None:
        self.kept: Any = None

    def __call__(self, vector: list[float], scale: float, rng: np.random.Generator) -> Any:
        if self.kept is None or len(self.kept) != len(vector):
            self.kept = rng.laplace(scale=scale, size=len(vector))
            return np.asarray(vector) + self.kept
        kept, self.kept = self.kept, None
        return np.asarray(vector) + kept


@pytest.mark.parametrize(
    ("function", "words"),
    [
        (lambda v, s, rng: noisy(v, s * s, rng), "The scale is squared."),
        (one_draw, "One draw for all."),
        (lambda v, s, rng: np.asarray(v) + rng.normal(0, s, len(v)), "Gaussian noise."),
        (seeded, "the same answer for every call"),
        (fresh, "the seed of `rng` does not determine"),
        (global_noise, "the seed of `rng` does not determine"),
        (both_sources, "global generator was altered"),
        (clipped, "Is the noise clipped"),
        (rounded, "repeat exactly"),
        (shifted, "not centered"),
        (one_sided, "not centered"),
        (lambda v, s, rng: noisy(v, 1.1 * s, rng), "too wide"),
        (lambda v, s, rng: noisy(v, 0.9 * s, rng), "too narrow"),
        (lambda v, s, rng: np.asarray(v), "Add the noise"),
        (lambda v, s, rng: noisy(v, s, rng)[:2], "shape"),
        (lambda v, s, rng: noisy(v, s, rng).reshape(-1, 1), "shape"),
        (lambda v, s, rng: rng.laplace(), "shape"),
        (lambda v, s, rng: None, "`return`"),
        (lambda v, s, rng: "noise", "A string is not a number"),
        (lambda v, s, rng: noisy(v, s, rng) * np.nan, "NaN or infinity"),
        (lambda v, s: v, "must take the keyword argument `rng`"),
        (lambda v, s, rng: v.append(1.0) or noisy(v[:-1], s, rng), "altered its arguments"),
    ],
)
def test_wrong_mechanisms(function: Callable[..., Any], words: str) -> None:
    verdict = verdict_on(function, a_random_check())
    assert not verdict.passed
    assert words in " ".join(verdict.text().split())


def test_arguments_that_a_later_call_alters() -> None:
    calls = []

    def late(vector: list[float], scale: float, rng: np.random.Generator) -> Any:
        answer = noisy(vector[:3], scale, rng)
        calls.append(answer)
        if len(calls) == 100:
            vector.append(1.0)
        return answer

    visible, _ = declared(a_random_check())
    assert "altered its arguments" in run(late, visible)[0].returned


def test_noise_that_is_used_in_two_calls() -> None:
    visible, _ = declared(a_random_check())
    verdict, _ = run(Remembering(), visible)
    assert not verdict.passed
    # the failure that is reported depends on which of the repeated calls use the same noise
    assert any(word in verdict.returned for word in ("calls", "repeat", "the seed of `rng`"))


@pytest.mark.parametrize(
    "right",
    [
        noisy,
        lambda v, s, rng: [x + rng.laplace(0, s) for x in v],
        lambda v, s, rng: tuple(x + s * (rng.exponential() - rng.exponential()) for x in v),
        lambda v, s, rng: (
            np.asarray(v) - s * np.sign(u := rng.random(len(v)) - 0.5) * np.log1p(-2 * abs(u))
        ),
    ],
)
def test_right_mechanisms(right: Callable[..., Any]) -> None:
    assert verdict_on(right, a_random_check()).passed


def test_the_global_generator_is_left_as_it_was() -> None:
    np.random.seed(3)  # noqa: NPY002
    wanted = np.random.random(2)  # noqa: NPY002
    np.random.seed(3)  # noqa: NPY002
    verdict_on(global_noise, a_random_check())
    np.testing.assert_array_equal(np.random.random(2), wanted)  # noqa: NPY002


def test_hidden_random_failure_says_nothing_in_numbers() -> None:
    secret = a_random_check(hidden=[Case([123.456], 0.789, words="one entry")])

    def wrong(vector: list[float], scale: float, rng: np.random.Generator) -> Any:
        return noisy(vector, scale if len(vector) > 1 else 2 * scale, rng)

    verdict = verdict_on(wrong, secret)
    assert verdict.hidden
    for number in ("123", "789", "0.7", "1.5"):
        assert number not in verdict.text()


def test_threshold_is_the_inequality() -> None:
    """The threshold t for n draws solves 2 exp(-2 n t^2) = false_alarm."""
    for n in (1, 1000, 50_000):
        for false_alarm in (1e-9, 0.05):
            t = statistics.distance_threshold(n, false_alarm)
            assert math.isclose(2 * math.exp(-2 * n * t * t), false_alarm, rel_tol=1e-12)


@pytest.mark.parametrize("family", ["norm", "laplace"])
def test_false_alarms_are_as_rare_as_promised(family: str) -> None:
    """At level 0.05, at most 50 of 400 right samples fail, except with probability below 1e-8."""
    law = Law(family, loc=[0.0, 10.0, -3.0], scale=[1.0, 2.0, 0.5]).to_data()
    rng = np.random.default_rng(7)
    alarms = sum(
        statistics.findings(distributions.read(law).draw(200, rng), law, 0.05) is not None
        for _ in range(400)
    )
    assert alarms <= 50


@pytest.mark.slow
def test_no_false_alarm_at_the_level_in_use() -> None:
    visible, _ = declared(a_random_check(draws=3000))
    for seed in range(200):
        verdict, _ = run(noisy, visible | {"seed": seed})
        assert verdict.passed


def test_standard_laws_agree_with_scipy() -> None:
    from scipy import stats

    x = np.array([[-40.0, -3.0, -0.1], [0.0, 2.0, 9.0]])
    for family in ("norm", "laplace"):
        standard = distributions.FAMILIES[family]
        other = getattr(stats, family)
        np.testing.assert_allclose(standard.cdf(x), other.cdf(x), rtol=1e-12)
        for u in (0.01, 0.25, 0.5, 0.9):
            assert math.isclose(standard.ppf(u), other.ppf(u), rel_tol=1e-9, abs_tol=1e-12)


@pytest.mark.parametrize("path", ASSIGNMENTS, ids=lambda path: path.stem)
def test_power_against_every_declared_law(path: Path, everything: bool) -> None:
    """Checks of random answers detect the wrong distribution of each known mistake in all runs.

    The visible and the hidden part of a check are tested separately. There are 10 runs with --all,
    and 3 without.
    """
    source = read_source(path, optional=True)
    checks = [one for one in read_checks(source).values() if isinstance(one, RandomCheck)]
    for part in (part for one in checks for part in declared(one) if part is not None):
        for i, message in enumerate(part["messages"]):
            cases = [case for case in part["cases"] if differs(case["law"], case["mistakes"][i])]
            for seed in range(10 if everything else 3) if cases else ():
                caught = []
                for case in cases:
                    wrong = distributions.read(case["mistakes"][i])
                    sample = wrong.draw(case["calls"], np.random.default_rng(seed))
                    assert statistics.fits(sample, case["mistakes"][i]), message
                    caught.append(statistics.findings(sample, case["law"], part["false_alarm"]))
                assert any(caught), message


def differs(law: Any, wrong: Any) -> bool:
    """Return whether `wrong` is a distribution, not None, and differs from the distribution `law`.

    In `wrong`, all entries of the output may share one noise value. If the output has only one
    entry, this is no difference.
    """
    single = math.prod(distributions.read(law).shape) == 1
    return wrong is not None and (not single or {**wrong, "shared": False} != law)


# --- text sources of assignments -------------------------------------------------------------

HEAD = """---
jupytext:
  text_representation: {extension: .md, format_name: myst}
kernelspec: {display_name: Python 3, language: python, name: python3}
---

# Title

"""
SOLUTION = """```{code-cell} ipython3
:kind: solution
:name: double

def double(x):
    \"\"\"Twice x.\"\"\"
    ### BEGIN SOLUTION
    return 2 * x
    ### END SOLUTION
```

"""
CHECK = """```{code-cell} ipython3
:kind: check

Check(
    name="double_values",
    points=1,
    call="double",
    expected=lambda x: 2 * x,
    visible=[Case(1.0), Case(2.0)],
    book="renyi_dp#renyi-dp",
)
```
"""


WHY = """+++ {"kind": "manual", "name": "why", "points": 2.5}

Why?

### BEGIN RUBRIC
Points for the truth.
### END RUBRIC

Say it in a sentence.

### BEGIN SOLUTION
Because.
### END SOLUTION

+++

The end.
"""
GIVEN = "```{code-cell} ipython3\n:kind: given\n:name: imports\n\nimport math\n```\n\n"
HELPERS = "```{code-cell} ipython3\n:kind: reference\n\ndef twice(x):\n    return 2 * x\n```\n\n"
FREE = "```{code-cell} ipython3\nprint(1)\n```\n\n"


def small(tmp_path: Path, text: str) -> Any:
    path = tmp_path / "small.md"
    path.write_text(text)
    return read_source(path)


def test_what_nbgrader_is_told_of_each_cell(tmp_path: Path) -> None:
    """The metadata for nbgrader say which cells are graded, solutions or locked, and the points."""
    import nbformat

    check = CHECK.replace("2 * x", "twice(x)")
    small(tmp_path, HEAD + GIVEN + HELPERS + SOLUTION + check + "\n" + FREE + WHY)
    points = build_source(tmp_path / "small.md", tmp_path / "out")
    assert list(points.items()) == [("double_values", 1.0), ("why", 2.5)]
    notebook = nbformat.read(tmp_path / "out" / "small.ipynb", 4)
    told = [
        (
            cell.cell_type,
            meta.get("grade_id"),
            *(meta.get(word) for word in ("grade", "solution", "locked", "points")),
        )
        for cell in notebook.cells
        for meta in [cell.metadata.get("nbgrader", {})]
    ]
    assert told == [
        ("markdown", None, None, None, None, None),
        # this cell installs the course's package
        ("code", None, None, None, None, None),
        ("code", "imports", False, False, True, None),
        # this cell states the points and the minutes of the item below
        ("markdown", None, None, None, None, None),
        ("code", "double", False, True, False, None),
        ("code", "double_values", True, False, True, 1),
        ("code", None, None, None, None, None),
        ("markdown", "why_question", False, False, True, None),
        ("markdown", "why", True, True, False, 2.5),
        ("markdown", None, None, None, None, None),
        # these two cells explain how to submit
        ("markdown", None, None, None, None, None),
        ("code", None, None, None, None, None),
    ]
    assert type(notebook.cells[5].metadata.nbgrader.points) is int
    assert len({cell.id for cell in notebook.cells}) == 12
    sources = [cell.source for cell in notebook.cells[1:]]
    assert sources[2] == "`double_values`: 1 point, about 5 minutes"
    assert sources[4] == check_cell("double_values", 1) and sources[5] == "print(1)"
    assert sources[6] == (
        "Why?\n\n\nSay it in a sentence.\n\n`why`: 2.5 points, about 30 minutes\n\n"
        "### BEGIN MARK SCHEME\n\n**Rubric (2.5 points)**\n\n"
        "Points for the truth.\n\n**A model answer**\n\nBecause.\n\n### END MARK SCHEME"
    )
    assert sources[7] == "### BEGIN SOLUTION\nBecause.\n### END SOLUTION"
    checks = json.loads((tmp_path / "out" / "checks.json").read_text())
    assert checks["assignment"] == "small" and list(checks["checks"]) == ["double_values"]
    assert checks["checks"]["double_values"]["hidden"] is False


def test_an_exam_has_the_items_in_order(tmp_path: Path) -> None:
    hidden = CHECK.replace("    book", '    hidden=[Case(3.5, words="x")],\n    book')
    twice = hidden.replace("double_values", "more").replace("points=1", "points=2")
    small(tmp_path, HEAD + SOLUTION + CHECK + "\n" + WHY + "\n" + twice)
    exam = make_exam(tmp_path / "small.md", 0)
    assert (exam.assignment, exam.seed) == ("small", 0)
    assert [
        (i.name, i.kind, i.points, i.book, i.call, i.visible is None, i.hidden is None)
        for i in exam.items
    ] == [
        ("double_values", "check", 1.0, "renyi_dp#renyi-dp", "double", False, True),
        ("why", "manual", 2.5, "", "", True, True),
        ("more", "check", 2.0, "renyi_dp#renyi-dp", "double", False, False),
    ]
    assert exam.items[2].visible["hidden"] is False and exam.items[2].hidden["hidden"] is True
    build_source(tmp_path / "small.md", tmp_path / "out")
    assert exam.notebook == (tmp_path / "out" / "small.ipynb").read_text()


def test_the_notebook_that_is_handed_in(tmp_path: Path) -> None:
    from nbformat import v4

    source = small(tmp_path, HEAD + GIVEN + SOLUTION + SOLUTION.replace("double", "half") + WHY)
    names = ("imports", "double", "half", "why", "why_question", None)
    release = v4.new_notebook(
        cells=[
            v4.new_code_cell("released", metadata={"nbgrader": {"grade_id": n}} if n else {})
            for n in names
        ]
    )
    made = submission(release, source, {"half": "mine"})
    released = ["released"] * 6
    double = 'def double(x):\n    """Twice x."""\n    return 2 * x\n'
    assert [c.source for c in made.cells] == ["released", double, "mine", "Because.", *released[4:]]
    assert [c.source for c in release.cells] == released
    with pytest.raises(ValueError, match=r"cells \(double, half, why\), got a, imports"):
        submission(release, source, {"imports": "", "a": "", "why": ""})


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("x = 1\nx = 2", "must be one expression"),
        ("1\n2", "must be one expression"),
        ("Check", "must be one Check"),
        ("", "must be one expression"),
    ],
)
def test_a_check_is_one_expression(tmp_path: Path, text: str, words: str) -> None:
    cell = "```{code-cell} ipython3\n:kind: check\n\n" + text + "\n```\n"
    with pytest.raises(SourceError, match=words):
        read_checks(small(tmp_path, HEAD + SOLUTION + cell))


def test_a_constant_is_refused_by_all_cases_together(tmp_path: Path) -> None:
    """All visible cases may have the same answer if a hidden case has another one."""
    one = CHECK.replace(", Case(2.0)", "")
    hidden = '    hidden=[Case({}, words="x")],\n    book'
    for x, fine in (("3.5", True), ("1.0", False)):
        text = HEAD + SOLUTION + one.replace("    book", hidden.format(x))
        if fine:
            make_exam(small(tmp_path, text).cells[0].path, 1)
            continue
        with pytest.raises(SourceError, match="always gives the same answer"):
            make_exam(small(tmp_path, text).cells[0].path, 1)


def test_checks_build_on_earlier_ones(tmp_path: Path) -> None:
    later = CHECK.replace("double_values", "later")
    build = "    builds_on=[{}],\n    book"
    checks = [CHECK, later.replace("    book", build.format('"double_values"'))]
    source = small(tmp_path, HEAD + SOLUTION + "\n".join(checks))
    assert [check.name for check in read_checks(source).values()] == ["double_values", "later"]
    assert list(read_checks(source)) == [2, 3]
    with pytest.raises(SourceError, match="no earlier check has the name 'double_values'"):
        read_checks(small(tmp_path, HEAD + SOLUTION + "\n".join(reversed(checks))))
    # an author's function, in a cell of kind "given", cannot be checked: it is not the student's
    given = SOLUTION.replace("solution", "given").replace("double", "triple")
    with pytest.raises(SourceError, match="no cell of kind solution defines the function 'triple'"):
        text = HEAD + SOLUTION + given + CHECK.replace('"double"', '"triple"')
        read_checks(small(tmp_path, text))


def test_a_function_has_one_name_in_a_notebook(tmp_path: Path) -> None:
    """Two functions of one name are refused: the later one would replace the student's function."""
    later = SOLUTION.replace("solution", "given").replace(":name: double", ":name: helpers")
    with pytest.raises(SourceError, match=r"'helpers'.*the function 'double' is defined on line"):
        read_checks(small(tmp_path, HEAD + SOLUTION + CHECK + later))


def test_cells_know_their_kinds_and_lines(tmp_path: Path) -> None:
    source = small(tmp_path, HEAD + FREE + FREE + SOLUTION + WHY)
    assert [(c.cell_type, c.kind, c.name, c.points, c.line) for c in source.cells] == [
        ("markdown", "", "", 0.0, 7),
        ("code", "", "", 0.0, 10),
        ("code", "", "", 0.0, 14),
        ("code", "solution", "double", 0.0, 21),
        ("markdown", "manual", "why", 2.5, 30),
        ("markdown", "", "", 0.0, 44),
    ]
    assert [cell.name for cell in source.of_kind("manual")] == ["why"]
    # the header is optional: without it, the cells begin on line 2
    plain = small(tmp_path, FREE + SOLUTION)
    assert [cell.line for cell in plain.cells] == [2, 9]
    # the cell's text also occurs in the header; the reported line must be that of the cell, 7
    assert small(tmp_path, HEAD.replace("# Title", "jupytext:")).cells[0].line == 7


@pytest.mark.parametrize(
    ("options", "line", "words"),
    [
        (":name: [", 9, "Code cell 1 at line 9 could not be read"),
        (":name: 3", 1, "3 is not of type"),
    ],
)
def test_what_is_no_notebook(tmp_path: Path, options: str, line: int, words: str) -> None:
    text = f"small.md:{line}: the text cannot be read as a notebook: {words}"
    with pytest.raises(SourceError, match=text):
        small(tmp_path, HEAD + SOLUTION.replace(":name: double", options))


def test_a_small_assignment(tmp_path: Path) -> None:
    import nbformat

    (tmp_path / "small.md").write_text(HEAD + SOLUTION + CHECK)
    assert build_source(tmp_path / "small.md", tmp_path / "out") == {"double_values": 1.0}
    notebook = nbformat.read(tmp_path / "out" / "small.ipynb", 4)
    assert [cell.metadata.get("nbgrader", {}).get("grade_id") for cell in notebook.cells] == [
        None,
        None,
        None,
        "double",
        "double_values",
        None,
        None,
    ]
    assert "HIDDEN" not in notebook.cells[2].source


@pytest.mark.parametrize(
    ("text", "line", "words"),
    [
        (HEAD + SOLUTION.replace("solution\n", "answer\n"), 13, "kind must be one of"),
        (HEAD + SOLUTION.replace(":name: double\n", ""), 12, "must have name"),
        (HEAD + SOLUTION.replace(": double\n", ": Double\n"), 13, "name must be of the form"),
        (
            HEAD + SOLUTION.replace(":name", ":points: 3\n:name"),
            14,
            r"\(cell 'double'\): a cell of kind solution must not have .* points",
        ),
        (HEAD + SOLUTION.replace("### END SOLUTION", "#"), 13, "no line ### END SOLUTION"),
        (HEAD + SOLUTION.replace("### BEGIN", "### END"), 13, "END SOLUTION has no ### BEGIN"),
        (HEAD + SOLUTION.replace('"""Twice x."""', "pass"), 13, "double has no docstring"),
        (HEAD + SOLUTION.replace("def double(x)", "def double(x"), 13, "not Python"),
        (HEAD + SOLUTION + SOLUTION, 24, "the cell on line 13 has the same name"),
        (HEAD + SOLUTION + CHECK.replace(", Case(2.0)", ""), 23, "always gives the same answer"),
        (HEAD + SOLUTION + CHECK.replace("points=1", "points=-1"), 23, "points must be finite"),
        (HEAD + SOLUTION + CHECK.replace("points=1,", "points=1,,"), 25, "not Python"),
        (
            HEAD + SOLUTION + CHECK.replace("2 * x", "undefined"),
            23,
            "expected must return the right",
        ),
        (HEAD + SOLUTION + CHECK.replace("[Case(1.0)", "[Cases(1.0)"), 28, "NameError: .*Cases"),
        (HEAD + SOLUTION + CHECK.replace('"double"', '"triple"'), 23, "no cell .* 'triple'"),
        (HEAD + SOLUTION + CHECK.replace("2 * x", "3 * x"), 23, "solution does not pass"),
        (HEAD + SOLUTION + CHECK + "\n" + CHECK, 36, "'double_values' is used already"),
        (HEAD + SOLUTION + CHECK.replace("Check(", "dict("), 23, "must be one Check"),
        (
            HEAD + SOLUTION + CHECK.replace("double_values", "double"),
            23,
            "'double' is used already",
        ),
        (
            HEAD + SOLUTION + CHECK.replace("    book", '    builds_on=["kl"],\n    book'),
            23,
            "no earlier check has the name",
        ),
        (HEAD + '+++ {"kind": "check"}\n\ntext\n', 11, "must be code, got markdown"),
        (HEAD + '+++ {"kind": "manual", "name": "proof"}\n\ntext\n', 11, "must have points"),
        (
            HEAD + '+++ {"kind": "manual", "name": "proof", "points": 0}\n\ntext\n',
            11,
            "points must be a number > 0",
        ),
        (
            HEAD + '+++ {"kind": "manual", "name": "proof", "points": 2}\n\ntext\n',
            11,
            "no line ### BEGIN RUBRIC",
        ),
        (HEAD + "```{code-cell} ipython3\n:kind: reference\n\n1 / 0\n```\n", 12, "ZeroDivision"),
        (HEAD + SOLUTION.replace("return 2", "return = 2"), 16, "not Python"),
        (HEAD + SOLUTION.replace("def double(x):", "if 1:"), 13, "must define a function"),
        (
            HEAD + SOLUTION.replace("return", "### BEGIN SOLUTION\n    return"),
            13,
            "two lines ### B",
        ),
        (
            HEAD + FREE.replace("print", ":points: 3\n\nprint"),
            12,
            r"a cell without a kind must not have the options points",
        ),
        (HEAD + WHY.replace("2.5", '"2"'), 11, "points must be a number > 0, got points='2'"),
        (HEAD + WHY.replace("2.5", "true"), 11, "points must be a number > 0, got points=True"),
        (HEAD + WHY.replace("### END SOLUTION", ""), 11, "no line ### END SOLUTION"),
        (HEAD + '+++ {"kind": "manual", "points": 2}\n\ntext\n', 11, "must have name"),
        (HEAD + "```{raw-cell}\nx\n```\n", 10, "must be code or markdown, got raw"),
        (
            # the error is reported for the helper's cell, on line 13, although the check's cell
            # calls the helper
            HEAD
            + HELPERS.replace("return 2 * x", "return 1 / 0")
            + SOLUTION
            + CHECK.replace("expected=lambda", "expected=twice(1) or (lambda").replace(
                "2 * x,", "2 * x),"
            ),
            13,
            "ZeroDivisionError: division by zero",
        ),
    ],
)
def test_build_errors_name_line_and_cell(tmp_path: Path, text: str, line: int, words: str) -> None:
    path = tmp_path / "small.md"
    path.write_text(text)
    with pytest.raises(SourceError, match=words) as caught:
        build_source(path, tmp_path / "out")
    assert str(caught.value).startswith(f"small.md:{line}"), str(caught.value)
    assert not (tmp_path / "out").exists()


def test_name_of_the_file(tmp_path: Path) -> None:
    for name in ("Small.md", "05_small.md", "small-one.md"):
        (tmp_path / name).write_text(HEAD)
        with pytest.raises(SourceError, match=f"{name}: assignment must begin with"):
            read_source(tmp_path / name)
    with pytest.raises(FileNotFoundError):
        read_source(tmp_path / "none_such.md")


def test_kinds_of_cells() -> None:
    with pytest.raises(ValueError, match="kind must be one of"):
        read_source(ASSIGNMENTS[0]).of_kind("exercise")


# --- courses and banks of answers ------------------------------------------------------------


@pytest.mark.slow
def test_bad_courses(tmp_path: Path) -> None:
    with pytest.raises(CourseError, match="must be a folder with nbgrader_config"):
        course_api(tmp_path)
    with pytest.raises(CourseError, match="must be a folder with nbgrader_config"):
        build_assignments(tmp_path)
    course = ROOT / "course_src"
    with pytest.raises(TypeError, match="names must be a list"):
        build_assignments(course, "renyi_dp")
    with pytest.raises(TypeError, match="names must hold strings"):
        build_assignments(course, [5])  # type: ignore[list-item]
    with pytest.raises(
        CourseError, match=r"there is no assignment 'none_such'; there are: .*renyi_dp"
    ):
        build_assignments(course, ["none_such"])


def test_what_nbgrader_refuses_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    class Refusing:
        config: dict[str, Any] = {}  # noqa: RUF012
        coursedir = types.SimpleNamespace(root=str(tmp_path))

        def generate_assignment(self, name: str, **options: object) -> dict[str, object]:
            return {"success": False, "log": "it would not", "error": ""}

    (tmp_path / "assignments").mkdir()
    (tmp_path / "assignments" / "small.md").write_text(HEAD + SOLUTION + CHECK)
    (tmp_path / "nbgrader_config.py").write_text("")
    monkeypatch.setattr("dpteach.grading.author.build.course_api", lambda root: Refusing())
    monkeypatch.setattr("dpteach.grading.author.build._check_gradebook", lambda api, names: None)
    nobody = types.SimpleNamespace(points=dict, has_submissions=bool)
    monkeypatch.setattr(
        "dpteach.grading.author.build.Book", lambda api, name: contextlib.nullcontext(nobody)
    )
    with pytest.raises(
        BuildError, match="small: nbgrader could not make the release version:\nit would"
    ):
        build_assignments(tmp_path)


def test_nothing_in_the_course_depends_on_a_machine() -> None:
    config = (ROOT / "course_src" / "nbgrader_config.py").read_text()
    assert str(ROOT) not in config
    assert "/home" not in config
