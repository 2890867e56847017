"""Tests of judging answers: which are right, and which points and messages the others get."""

from __future__ import annotations

import json
import linecache
import math
import os
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from dpteach.grading import Categorical, DiscreteLaplace, Law, kinds
from dpteach.grading.core.exam import Item
from dpteach.grading.core.observe import observe
from dpteach.grading.core.plain import MAX_BITS, pack
from dpteach.grading.judging import credit, judge, questions
from dpteach.grading.judging.verdict import Verdict, hint
from dpteach.grading.kinds import comparing, implementations, outcomes
from dpteach.grading.kinds import failures as _failures
from dpteach.grading.kinds.failures import Failure
from dpteach.grading.kinds.outcomes import BROKEN, REPEATED, SKIPPED
from dpteach.grading.kinds.random import judge as _judge_random
from dpteach.grading.kinds.registry import KINDS, of_part
from dpteach.grading.kinds.tests import replier as replier_module
from dpteach.grading.kinds.values import judge as values

# --- outcomes of calls, as a student's kernel sends them -------------------------------------


PLAIN: dict[str, Any] = {"args": [], "kwargs": {}}
CALLS = {**PLAIN, "calls": 4, "labels": False}
LABELS = {**CALLS, "labels": True}
SUSPECT = {"right": True}


@pytest.mark.parametrize(
    ("found", "case", "made"),
    [
        (None, PLAIN, BROKEN),
        ([], PLAIN, BROKEN),
        ({}, PLAIN, BROKEN),
        ({"missing": True}, PLAIN, {"missing": True}),
        ({"missing": "uncallable"}, PLAIN, {"missing": "uncallable"}),
        ({"missing": "what it likes"}, PLAIN, {"missing": True}),
        ({"late": 3}, PLAIN, {"late": 10}),
        ({"late": 3}, CALLS, {"late": 30}),
        ({"changed": "yes"}, PLAIN, {"changed": True}),
        ({"unplain": "a\nb"}, PLAIN, {"unplain": "a b"}),
        ({"accepts": True}, SUSPECT, {"accepts": True}),
        ({"accepts": False}, SUSPECT, {"accepts": False}),
        ({"accepts": False, "returned": True}, SUSPECT, {"accepts": False, "returned": True}),
        ({"accepts": True, "returned": "x"}, SUSPECT, {"accepts": True}),
        ({"accepts": True, "last": "x\n"}, SUSPECT, {"accepts": True, "last": "x"}),
        ({"accepts": False, "last": "x\n" * 300}, SUSPECT, {"accepts": False, "last": "x " * 100}),
        ({"accepts": False, "last": 7}, SUSPECT, {"accepts": False}),
        ({"accepts": 0}, SUSPECT, BROKEN),
        ({"value": 1}, SUSPECT, BROKEN),
        ({"ended": "", "accepts": True}, SUSPECT, {"ended": True}),
        ({"accepts": True}, PLAIN, BROKEN),
        ({"value": 3}, PLAIN, {"value": 3}),
        ({"value": 3}, CALLS, {"value": 3}),
        ({"value": "x" * 300}, PLAIN, {"value": "x" * 201}),
        ({"value": {"float": "-inf"}}, PLAIN, {"value": -math.inf}),
        ({"value": [1, None, True, 0.5]}, PLAIN, {"value": [1, None, True, 0.5]}),
        ({"value": [[[[[[[[1]]]]]]]]}, PLAIN, {"value": [[[[[[[[1]]]]]]]]}),
        ({"value": [[[[[[[[[1]]]]]]]]]}, PLAIN, BROKEN),
        ({"value": (1 << MAX_BITS) - 1}, PLAIN, {"value": (1 << MAX_BITS) - 1}),
        ({"value": 1 << MAX_BITS}, PLAIN, BROKEN),
        ({"value": {"float": "inf", "more": 1}}, PLAIN, BROKEN),
        ({"value": {"tuple": [1]}}, PLAIN, BROKEN),
        ({"values": pack([1.0] * 4)}, PLAIN, BROKEN),
    ],
)
def test_an_outcome_has_one_of_the_forms(found: Any, case: Any, made: Any) -> None:
    part = {"suspects": [case]} if case is SUSPECT else {"cases": [case], "seed": 5}
    assert outcomes.cleaned([found], part) == [made]


def test_as_many_numbers_as_may_be() -> None:
    assert outcomes.cleaned([{"value": [0] * 999_999}], {"cases": [PLAIN]}) != [BROKEN]
    assert outcomes.cleaned([{"value": [0] * 1_000_000}], {"cases": [PLAIN]}) == [BROKEN]


@pytest.mark.parametrize(
    ("found", "made"),
    [
        ([], [BROKEN] * 3),
        ({"value": 1}, [BROKEN] * 3),
        ([{"value": 1}] * 4, [BROKEN] * 3),
        ([{"value": 1}], [{"value": 1}, BROKEN, BROKEN]),
        ([{"value": 1}] * 3, [{"value": 1}] * 3),
        (({"value": 1},) * 3, [{"value": 1}] * 3),
        ([{"value": 1}, {"late": 1}], [{"value": 1}, {"late": 10}, SKIPPED]),
        ([{"late": 1}, {"value": 1}], [{"late": 10}, {"value": 1}, BROKEN]),
        ([{"missing": 1}], [{"missing": True}] * 3),
        ([{"value": {}}, {"value": 2}], [BROKEN, {"value": 2}, BROKEN]),
    ],
)
def test_each_case_has_an_outcome(found: Any, made: Any) -> None:
    assert outcomes.cleaned(found, {"cases": [PLAIN] * 3}) == made


@pytest.mark.parametrize(
    ("found", "name", "kinds"),
    [
        (
            {"raises": "KeyError"},
            "KeyError",
            ["BaseException", "Exception", "KeyError", "LookupError"],
        ),
        ({"raises": "Own"}, "Exception", []),
        ({"raises": ["KeyError"]}, "Exception", []),
        ({"raises": "Own", "kinds": ["OSError", "Own", 3, ["x"]]}, "Exception", ["OSError"]),
        ({"raises": "Own", "kinds": "OSError"}, "Exception", []),
        ({"raises": "Own", "kinds": ["x"] * 49 + ["OSError"]}, "Exception", ["OSError"]),
        ({"raises": "Own", "kinds": ["x"] * 50 + ["OSError"]}, "Exception", []),
    ],
)
def test_errors_are_built_in_ones(found: Any, name: str, kinds: list[str]) -> None:
    (made,) = outcomes.cleaned([{**found, "message": "a\x00b"}], {"cases": [PLAIN]})
    assert made == {"raises": name, "kinds": kinds, "message": "a?b"}


def test_readable_texts() -> None:
    assert outcomes.readable("  a\n\tb\x7f ") == "a b?"
    assert outcomes.readable("x" * 300) == "x" * 200
    assert outcomes.readable(" " * 799 + "xy") == "x"
    assert outcomes.readable(3) == ""


def test_seeds_are_repeated_in_another_order() -> None:
    for seed in range(50):
        before, after = outcomes.repeated(seed)
        assert before[0] == seed and len(set(before)) == len(before) == REPEATED
        assert sorted(after) == sorted(before)
        assert all(type(s) is int and 0 <= s < 2**31 for s in (*before, *after))
    assert len({tuple(outcomes.repeated(seed)[0][1:]) for seed in range(50)}) == 50


def answers(shape: tuple[int, ...] = ()) -> dict[str, Any]:
    """Return what a kernel records for a right random function, for 4 calls and seed 5."""
    before, after = outcomes.repeated(5)
    first = np.arange(REPEATED * math.prod(shape), dtype=float).reshape(REPEATED, *shape)
    values = np.concatenate([first[:1], 10 + first[:3]])
    second = first[[before.index(s) for s in after]]
    return {"values": values, "first": first, "second": second}


@pytest.mark.parametrize("shape", [(), (2,)])
def test_blocks_of_answers(shape: tuple[int, ...]) -> None:
    part = {"cases": [CALLS], "seed": 5}
    right = answers(shape)

    def made(touched: Any = False, **changed: Any) -> Any:
        data = {name: pack(value) for name, value in (right | changed).items()}
        (found,) = outcomes.cleaned([{**data, "touched": touched}], part)
        return found

    found = made()
    assert found["values"].tolist() == right["values"].tolist() and found["touched"] is False
    assert found["same"]
    assert [made(touched)["touched"] for touched in (True, None, 0)] == [True] * 3
    for name in ("first", "second"):
        for place in range(REPEATED):
            other = right[name].copy()
            other[place] += 1
            assert not made(**{name: other})["same"], (name, place)
        assert made(**{name: right[name][:4]}) == BROKEN
        assert made(**{name: right[name][..., np.newaxis]}) == BROKEN
    assert made(values=right["values"][:3]) == made(values=np.float64(1)) == BROKEN
    nan = {name: value * np.nan for name, value in right.items()}
    assert not made(**nan)["same"]
    assert outcomes.cleaned([{"ragged": True}], part) == [{"ragged": True}]


def test_labels() -> None:
    part = {"cases": [LABELS], "seed": 5}
    right = {name: value.astype(int).tolist() for name, value in answers().items()}

    def made(touched: Any = False, **changed: Any) -> Any:
        (found,) = outcomes.cleaned([{**right, **changed, "touched": touched}], part)
        return found

    assert made() == {"labels": right["values"], "same": True, "touched": False}
    assert made(touched=None)["touched"] is True
    for name in ("first", "second"):
        for place in range(REPEATED):
            other = [*right[name]]
            other[place] = 99
            assert made(**{name: other})["same"] is False
        assert made(**{name: right[name][:4]})["same"] is False
        assert made(**{name: [*right[name], 1]})["same"] is False
    assert made(values=[7, *right["values"][1:]])["same"] is False
    for name in right:
        assert made(**{name: "text"}) == BROKEN


# --- descriptions of failures ----------------------------------------------------------------


def part_of(*, hidden: bool = False, **more: Any) -> dict[str, Any]:
    part: dict[str, Any] = {"kind": "values", "name": "f_values", "points": 2, "call": "f"}
    part |= {"hidden": hidden, "book": "chapter#section", "builds_on": [], "messages": []}
    part["place"] = ""
    exact = {"relative": 0.0, "absolute": 0.0}
    return part | {"compare": exact, "recognise": [], "cases": []} | more


@pytest.mark.parametrize("hidden", [False, True])
@pytest.mark.parametrize(
    ("outcome", "returned", "note"),
    [
        ({"missing": True}, "nothing: there is no function `f`", "Run the cell that defines"),
        ({"missing": "uncallable"}, "nothing: `f` is no longer a function", "another meaning."),
        ({"skipped": True}, "not called: an earlier case took too long", ""),
        ({"late": 10}, "nothing within 10 seconds", "A loop does not end"),
        ({"changed": True}, "an answer, but the function altered its", "so work on a copy"),
        ({"unplain": "S3CRET"}, "S3CRET|an answer of an unexpected type", "Return plain numbers"),
        (
            {"raises": "NotImplementedError", "message": ""},
            "nothing yet: NotImplementedError",
            "`f` is not written yet",
        ),
        ({"raises": "RecursionError", "message": ""}, "without end", "with the same arguments."),
    ],
)
def test_what_is_no_answer(outcome: Any, returned: str, note: str, hidden: bool) -> None:
    failure = _failures.odd(part_of(hidden=hidden), outcome, "expected")
    assert failure is not None and failure.expected == "expected"
    assert returned.split("|")[hidden if "|" in returned else 0] in failure.returned
    assert note in failure.misconception and bool(note) == bool(failure.misconception)


@pytest.mark.parametrize("outcome", [{"value": None}, {"raises": "ValueError", "message": ""}])
def test_what_is_an_answer(outcome: Any) -> None:
    assert _failures.odd(part_of(), outcome, "") is None


def test_the_message_of_an_error() -> None:
    outcome = {"raises": "KeyError", "message": "3"}
    for part, message, returned in (
        (part_of(), "3", "an error: KeyError: 3"),
        (part_of(), "", "an error: KeyError"),
        (part_of(hidden=True), "3", "an error: KeyError"),
    ):
        failure = _failures.error(part, outcome | {"message": message}, "expected")
        assert failure.returned == returned
    lined = outcome | {"line": "f[3]"}
    returned = _failures.error(part_of(), lined, "expected").returned
    assert returned == "an error: KeyError: 3, raised in `f[3]`"
    failure = _failures.error(part_of(hidden=True), lined, "expected")
    assert failure.returned == "an error: KeyError"


@pytest.mark.parametrize("said", ["math domain error", "expected a positive input, got 0.0"])
def test_the_logarithm_of_nothing_is_named(said: str) -> None:
    outcome = {"raises": "ValueError", "message": said}
    note = _failures.error_note(part_of(), outcome)
    assert "a logarithm of 0" in note and "compute with logarithms" in note
    assert _failures.error_note(part_of(hidden=True), outcome) == ""
    assert _failures.error_note(part_of(), outcome | {"message": "no such name"}) == ""
    assert _failures.error_note(part_of(), outcome | {"raises": "KeyError"}) == ""


@pytest.mark.parametrize("hidden", [False, True])
def test_a_number_beyond_floats_is_named(hidden: bool) -> None:
    outcome = {"raises": "OverflowError", "message": "math range error"}
    assert "too large for a float" in _failures.error_note(part_of(hidden=hidden), outcome)


@pytest.mark.parametrize(
    ("value", "expected", "note"),
    [
        (None, 1.0, "The function returns None"),
        ("1", 1.0, "A string is not a number"),
        (True, 1.0, "The function returned True or False"),
        (1.0, True, "The function must return True or False."),
        (True, False, ""),
        (math.nan, 1.0, "The answer is NaN, which comes, for example, from 0 * inf"),
        ([1.0, [math.nan]], [1.0, [2.0]], "The answer contains NaN"),
        ([1.0], 1.0, "The function must return one number"),
        ([1.0], [1.0, 2.0], "The answer must be a list of 2 numbers, not a list of 1 number."),
        ("True", True, "Return True or False without quotation marks."),
        ([[1.0], [1.0, 2.0]], [1.0, 2.0], "The answer does not have the right shape."),
        ([10**400], [1.0, 2.0], "The answer does not have the right shape."),
        ([1.0, 3.0], np.array([1.0, 2.0]), ""),
        (2, 1.0, ""),
        (math.inf, 1.0, ""),
    ],
)
def test_hints_for_the_wrong_kind(value: Any, expected: Any, note: str) -> None:
    told = _failures.kind_note(value, expected, hidden=False)
    assert told.startswith(note) and bool(told) == bool(note)
    told = _failures.kind_note(value, expected, hidden=True)
    if note.startswith("The answer must be"):
        note = "The answer does not have the right shape."
    assert told.startswith(note) and bool(told) == bool(note)


@pytest.mark.parametrize(
    ("value", "words"),
    [
        (None, "None"),
        (False, "True or False"),
        ("x", "a string"),
        ([1], "a list or an array with other numbers or of another shape"),
        ((1,), "a list or an array with other numbers or of another shape"),
        (10**400, "a number beyond all floats"),
        (math.nan, "NaN"),
        (math.inf, "inf"),
        (-math.inf, "-inf"),
        (3, "another finite number"),
        (-2.5, "another finite number"),
    ],
)
def test_values_in_words(value: Any, words: str) -> None:
    assert _failures.rough(value) == words


# --- the kinds of checks ---------------------------------------------------------------------


def test_each_kind_is_registered_under_its_own_name() -> None:
    folders = {path.parent.name for path in Path(kinds.__file__).parent.glob("*/__init__.py")}
    assert {name: kind.name for name, kind in KINDS.items()} == {name: name for name in folders}
    assert len({kind.declaration for kind in KINDS.values()}) == len(KINDS)


# --- rules of the judge ----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("value", "least", "most", "slack", "right"),
    [
        (1.0, 1.0, 1.0, 0.0, True),
        (0.999, 1.0, None, 0.0, False),
        (1.001, None, 1.0, 0.0, False),
        (0.91, 1.0, 2.0, 0.1, True),
        (0.89, 1.0, 2.0, 0.1, False),
        (2.19, 1.0, 2.0, 0.1, True),
        (2.21, 1.0, 2.0, 0.1, False),
        (-1.09, -1.0, 0.0, 0.1, True),
        (-1.11, -1.0, 0.0, 0.1, False),
        (-0.91, -2.0, -1.0, 0.1, True),
        (-0.89, -2.0, -1.0, 0.1, False),
        (math.inf, 1.0, math.inf, 0.1, True),
        (math.inf, 1.0, None, 0.0, True),
        (math.inf, 1.0, 1e308, 0.0, False),
        (-math.inf, -math.inf, 0.0, 0.1, True),
        (1e308, math.inf, None, 0.1, False),
        (3, 1.0, 4.0, 0.0, True),
        (math.nan, None, None, 0.0, False),
        (True, None, None, 0.0, False),
        ("1", None, None, 0.0, False),
        (10**400, None, None, 0.0, False),
    ],
)
def test_between_two_bounds(value: Any, least: Any, most: Any, slack: float, right: bool) -> None:
    assert comparing.within(value, least, most, slack=slack) is right


@pytest.mark.parametrize(
    ("value", "expected", "relative", "absolute", "right"),
    [
        (110.0, 100.0, 0.1, 0.0, True),
        (111.0, 100.0, 0.1, 0.0, False),
        (90.0, -100.0, 0.1, 0.0, False),
        (-110.0, -100.0, 0.1, 0.0, True),
        # the tolerance is relative to the expected value, not to the answer
        (100.0, 90.0, 0.1, 0.0, False),
        (90.0, 100.0, 0.1, 0.0, True),
        (1.5, 1.0, 0.1, 0.5, True),
        # an answer may deviate by the larger of the two tolerances, not by their sum
        (1.55, 1.0, 0.1, 0.5, False),
        (1.55, 1.0, 0.5, 0.1, False),
        (1.6, 1.0, 0.1, 0.5, False),
        (1.5, 1.0, 0.5, 0.1, True),
        (1e308, -1e308, 0.1, 0.0, False),
        ([[1.0], [2.0]], [[1.0], [2.1]], 0.1, 0.0, True),
        ((1.0,), [1.0], 0.1, 0.0, True),
        ({1.0: 0}, [1.0], 0.1, 0.0, False),
        # where a bit is expected, True and False may stand for 1 and 0; but a number is wrong
        # where True or False is expected
        (False, 0, 0.1, 0.0, True),
        ([True, False], [1, 0], 0.0, 0.0, True),
        (True, 0, 0.1, 0.0, False),
        (True, 2, 0.1, 0.0, False),
        (True, 1.0, 0.1, 0.0, False),
        (1, True, 0.1, 0.0, False),
        (0.0, False, 0.1, 0.1, False),
        (-math.inf, -math.inf, 0.1, 0.0, True),
        (1.0, None, 0.1, 0.0, False),
    ],
)
def test_close(value: Any, expected: Any, relative: float, absolute: float, right: bool) -> None:
    assert comparing.close(value, expected, relative=relative, absolute=absolute) is right


@pytest.mark.parametrize(
    ("outcome", "wrong", "same"),
    [
        ({"value": 1.05}, {"value": 1.0}, True),
        ({"value": 1.2}, {"value": 1.0}, False),
        ({"value": math.nan}, {"value": {"float": "nan"}}, True),
        ({"value": math.nan}, {"value": 1.0}, False),
        ({"value": 1.0}, {"value": {"float": "nan"}}, False),
        ({"value": None}, {"value": None}, True),
        ({"value": None}, {"value": "None"}, False),
        ({"value": "a"}, {"value": "a"}, True),
        ({"value": "a"}, {"value": "b"}, False),
        ({"value": 1.0}, {"raises": "ValueError"}, False),
        ({"raises": "ValueError"}, {"raises": "ValueError"}, True),
        ({"raises": "ValueError"}, {"raises": "TypeError"}, False),
        ({"raises": "ValueError"}, {"value": 1.0}, False),
    ],
)
def test_the_outcome_of_a_mistake(outcome: Any, wrong: Any, same: bool) -> None:
    assert values._same_outcome(outcome, wrong, {"relative": 0.1, "absolute": 0.0}) is same


#: the rule of comparison under which an answer must equal a mistake's answer exactly
EXACTLY = {"relative": 0.0, "absolute": 0.0}


def case_of(**more: Any) -> dict[str, Any]:
    return {"args": [2], "kwargs": {}, "words": "", "expected": 4.0, "mistakes": []} | more


@pytest.mark.parametrize(
    ("part", "case", "called"),
    [
        ({}, {"args": [2, [0.5]], "kwargs": {"k": 3}}, "f(2, [0.5], k=3)"),
        ({}, {"words": "two"}, "f(2)   (two)"),
        ({"hidden": True}, {"words": "two"}, "f(...) on a hidden case: two"),
        ({"kind": "random"}, {"calls": 7, "words": "two"}, "f(2, rng=rng), 7 times   (two)"),
        (
            {"kind": "tests"},
            {"entry": "g", "right": False, "words": "two"},
            "f(...) on a wrong implementation `g`: two",
        ),
        ({"kind": "tests"}, {"entry": "", "right": True}, "f(...) on a right implementation"),
        (
            {"kind": "tests", "hidden": True},
            {"entry": "g", "right": False, "words": "two"},
            "f(...) on a wrong implementation: two",
        ),
    ],
)
def test_the_call_in_words(part: Any, case: Any, called: str) -> None:
    whole = part_of(**part)
    assert of_part(whole).called(whole, case_of(**case)) == called


@pytest.mark.parametrize(
    ("compare", "expected", "text"),
    [
        ((0.01, 0.5), 4.0, "4.0   (relative error at most 0.01, or absolute error at most 0.5)"),
        ((0.01, 0.01), 4.0, "4.0   (relative or absolute error at most 0.01)"),
        ((0.01, 0.0), 4.0, "4.0   (relative error at most 0.01)"),
        ((0.01, 0.5), 0.0, "0.0   (absolute error at most 0.5)"),
        ((0.01, 0.0), 0.0, "0.0   (relative error at most 0.01)"),
        ((0.0, 0.5), 4.0, "4.0   (absolute error at most 0.5)"),
        ((0.0, 0.0), 4.0, "4.0   (exactly)"),
        ((0.01, 0.0), {"float": "inf"}, "inf"),
        ((0.01, 0.0), {"float": "-inf"}, "-inf"),
        ((0.0, 0.0), True, "True"),
        ((0.0, 0.0), False, "False"),
    ],
)
def test_the_expected_answer_in_words(compare: Any, expected: Any, text: str) -> None:
    rule = dict(zip(("relative", "absolute"), compare, strict=True))
    part = part_of(compare=rule, cases=[case_of(expected=expected)])
    assert judge.judge(part, [{"value": 3.0}]).expected == text
    hidden = judge.judge({**part, "hidden": True}, [{"value": 3.0}])
    assert hidden.expected == "(not shown for a hidden case)"


@pytest.mark.parametrize(
    ("outcome", "hidden", "returned"),
    [
        ({"value": 4.0}, False, "4.0, no error"),
        ({"value": 4.0}, True, "another finite number, no error"),
        ({"raises": "KeyError", "message": "m"}, False, "an error: KeyError: m"),
        ({"raises": "ValueError"}, False, ""),
        ({"raises": "UnicodeError"}, False, ""),
        ({"raises": "Own", "kinds": ["OSError"]}, False, ""),
    ],
)
def test_where_an_error_is_asked_for(outcome: Any, hidden: bool, returned: str) -> None:
    case = case_of(raises=["ValueError", "OSError"])
    verdict = judge.judge(part_of(hidden=hidden, cases=[case]), [outcome])
    assert (verdict.passed, verdict.returned) == (not returned, returned)
    if returned:
        assert verdict.expected == "an error: ValueError or OSError"


@pytest.mark.parametrize(
    ("wrong", "named", "told"),
    [
        # each wrong case has a list with an entry for each mistake, "a" and "b": an entry 7 means
        # that the mistake explains the case.
        # A mistake that explains all wrong cases is named; if two do, both are named
        ([[7], [7]], 0, ["a", "a", "a"]),
        ([[7, 7], [7, 7]], 0, ["a Or: b"] * 3),
        # a mistake is named if it explains at least half of the wrong cases, and at least two of
        # them
        ([[7], [7], [1]], 0, ["In 2 of the 3 wrong cases: a", "a", "a", ""]),
        ([[1], [7], [7]], 0, ["In 2 of the 3 wrong cases: a", "", "a", "a"]),
        ([[7], [7], [1], [1]], 0, ["In 2 of the 4 wrong cases: a", "a", "a", "", ""]),
        # no mistake is named if it explains only one of several wrong cases, or fewer than half
        ([[7], [1]], None, ["", "", ""]),
        ([[7], [1], [1], [1], [1]], None, [""] * 6),
        ([[7], [7], [1], [1], [1]], None, [""] * 6),
        # of two mistakes, the one that explains more wrong cases is named
        ([[7, 1], [7, 7], [1, 7], [1, 7]], 1, ["In 3 of the 4 wrong cases: b", "", "b", "b", "b"]),
        # no mistake is named if two explain equally many wrong cases, but not the same ones
        ([[7, 1], [7, 7], [1, 7]], None, [""] * 4),
        ([[7, 1], [7, 1], [1, 7], [1, 7]], None, [""] * 5),
        # None stands for a mistake that is right on the case, so it explains no wrong answer there
        ([[7, None], [7, 7], [None, 7]], None, [""] * 4),
        ([[None], [7]], None, ["", "", ""]),
        # for a single wrong case, one explained case suffices
        ([[7, 1]], 0, ["a", "a"]),
    ],
)
def test_which_mistake_is_named(wrong: Any, named: int | None, told: list[str]) -> None:
    """The mistake that explains the most wrong cases is named, if it explains enough of them.

    The comments above say how many are enough. `wrong` has a list for each case: what the mistakes
    "a" and "b" return, where 7 stands for the student's answer.
    """
    cases = [
        case_of(mistakes=[x and {"value": 10.0 * place + x} for x in one])
        for place, one in enumerate(wrong)
    ]
    part = part_of(cases=cases, messages=["a", "b"], recognise=[EXACTLY] * 2)
    verdict = judge.judge(part, [{"value": 10.0 * place + 7} for place in range(len(cases))])
    said = hint(verdict.to_data()).replace(", the answers agree with this mistake", "")
    failures = [one["misconception"] for one in verdict.failures]
    assert (verdict.mistake, [said, *failures]) == (named, told)
    assert verdict.explains == (0 if named is None else sum(one[named] == 7 for one in wrong))
    assert hint(verdict.to_data()) in " ".join(verdict.text().split())


@pytest.mark.parametrize(
    ("wrong", "told"), [([7, 7, 7], "a"), ([7, 7, 1], ""), ([7, 7, None], ""), ([7, 1, 1], "")]
)
def test_a_constant_answer_names_only_a_mistake_that_explains_all_wrong_cases(
    wrong: Any, told: str
) -> None:
    cases = [case_of(mistakes=[x and {"value": float(x)}]) for x in wrong]
    part = part_of(cases=cases, messages=["a"], recognise=[EXACTLY])
    assert judge.judge(part, [{"value": 7.0}] * 3).misconception == told


@pytest.mark.parametrize("right", [True, False])
def test_a_right_case_speaks_for_no_mistake_and_against_those_that_are_wrong_there(
    right: bool,
) -> None:
    """A declared mistake is named only if it returns the right answer wherever the student does."""
    mistakes = [None if right else {"value": 5.0}]
    cases = [case_of(mistakes=[{"value": 7.0}]), case_of(mistakes=mistakes)]
    part = part_of(cases=cases, messages=["a"], recognise=[EXACTLY])
    verdict = judge.judge(part, [{"value": 7.0}, {"value": cases[1]["expected"]}])
    assert (verdict.failed, verdict.misconception) == (1, "a" if right else "")


def test_a_recognized_mistake_may_have_a_section_of_its_own() -> None:
    """A verdict names a section of the book: the recognized mistake's, or otherwise the check's."""
    part = part_of(cases=[case_of(mistakes=[{"value": 7.0}])], messages=["a"], recognise=[EXACTLY])
    part["sections"] = {"a": ["page#label", "chapter “A page”, section “A label”"]}
    seven, eight = (judge.judge(part, [{"value": value}]) for value in (7.0, 8.0))
    assert (seven.book, eight.book) == ("page#label", "chapter#section")
    assert "section “A label”" in seven.text() and "A label" not in eight.text()


def test_a_hint_stands_before_a_mistake() -> None:
    """The hint on a time-out replaces the message on a declared mistake.

    The hint on a wrong shape is shown only if no declared mistake explains the answer. A declared
    mistake is a wrong answer that the author of the check expects, with a message on it.
    """
    rule = {"relative": 0.0, "absolute": 0.0}
    late = part_of(cases=[case_of(mistakes=[{"value": 3.0}])] * 2, messages=["a"], recognise=[rule])
    verdict = judge.judge(late, [{"late": 1}])
    told = [verdict.misconception, *(one["misconception"] for one in verdict.failures)]
    assert told[0] == told[1] and told[0].startswith("A loop does not end")
    assert verdict.mistake is None and told[2] == ""
    shape = part_of(cases=[case_of(mistakes=[{"value": [3.0]}])], messages=["a"], recognise=[rule])
    # [3.0] is the answer of the declared mistake, so its message "a" is shown, and not the hint on
    # the wrong shape
    assert judge.judge(shape, [{"value": [3.0]}]).misconception == "a"
    assert judge.judge(shape, [{"value": [4.0]}]).misconception.startswith(
        "The function must return one"
    )
    # on the second case, the declared mistake gives a wrong answer, but the student a right one. So
    # the student made another mistake, and the hint on the shape is shown
    twice = part_of(
        cases=[case_of(mistakes=[{"value": x}]) for x in ([3.0], 3.0)],
        messages=["a"],
        recognise=[rule],
    )
    refuted = judge.judge(twice, [{"value": [3.0]}, {"value": twice["cases"][1]["expected"]}])
    assert refuted.failed == 1 and refuted.misconception.startswith("The function must return one")


def test_what_builds_on_others() -> None:
    part = part_of(cases=[case_of()], builds_on=["one", "two"])
    # the author of the check has declared no mistakes that could explain a wrong number, so it gets
    # no message; the answer None gets a message about `return`
    assert judge.judge(part, [{"value": 3.0}]).misconception == ""
    assert "return" in judge.judge(part, [{"value": None}]).misconception


@pytest.mark.parametrize(
    ("right", "outcome", "asked", "returned"),
    [
        (True, {"accepts": True}, False, ""),
        (True, {"accepts": False}, True, "rejected"),
        (False, {"accepts": True}, True, "accepted"),
        (False, {"accepts": False}, True, ""),
        (False, {"accepts": False}, False, "rejected before any answer was wrong"),
        (False, {"accepts": False}, 1, "rejected before any answer was wrong"),
        (False, {"ended": True}, True, "the test made too many or too large calls"),
        (True, {"raises": "KeyError", "message": "m"}, True, "an error: KeyError: m"),
    ],
)
def test_a_student_s_own_test(right: bool, outcome: Any, asked: Any, returned: str) -> None:
    suspect = {"right": right, "entry": "g", "words": "", "mistakes": []}
    part = part_of(kind="tests", suspects=[suspect])
    verdict = judge.judge(part, [outcome], [asked])
    assert (verdict.passed, verdict.returned) == (not returned, returned)
    if returned:
        reason = " for a wrong answer" if returned.startswith("rejected before") else ""
        assert verdict.expected == ("accepted" if right else f"rejected{reason}")
    if "ended" in outcome:
        assert "each implementation 1,000 times" in verdict.misconception


def test_a_right_implementation_that_is_rejected_is_told_first() -> None:
    suspects = [
        {"right": right, "entry": "g", "words": words, "mistakes": []}
        for right, words in ((False, "wrong"), (True, "right"), (False, "wrong, too"))
    ]
    part = part_of(kind="tests", suspects=suspects)
    outcomes = [{"accepts": True}, {"accepts": False}, {"accepts": True}]
    verdict = judge.judge(part | {"hidden": True}, outcomes, [True] * 3)
    assert [one["called"].rpartition(": ")[2] for one in verdict.failures] == [
        "right",
        "wrong",
        "wrong, too",
    ]
    assert verdict.misconception.startswith("Your test rejects a right implementation (right)")


def test_the_call_by_which_a_test_rejects_is_told_of_visible_suspects() -> None:
    suspect = {"right": True, "entry": "g", "words": "", "mistakes": []}
    part = part_of(kind="tests", suspects=[suspect])
    outcome = {"accepts": False, "last": "False after call 1, which gave 0.5 for 2"}
    told = judge.judge(part, [outcome], [False]).returned
    assert told == "rejected by False after call 1, which gave 0.5 for 2"
    assert judge.judge(part | {"hidden": True}, [outcome], [False]).returned == "rejected"
    wrong = part | {"suspects": [suspect | {"right": False}]}
    assert judge.judge(wrong, [outcome], [False]).returned == (
        f"{told}, before any answer was wrong"
    )


def test_a_test_that_calls_with_what_is_not_plain_is_told_that_it_is_its_call() -> None:
    def of_thirds(implementation: Any) -> None:
        implementation([Fraction(1, 3)])

    outcomes, _ = observe(of_thirds, {"cases": [{"test": True}]}, lambda request: {"value": 0})
    assert outcomes[0]["accepts"] is False
    assert outcomes[0]["last"] == (
        "TypeError (an implementation is called with plain numbers, strings, lists and arrays, got "
        "Fraction(1, 3) of type Fraction)"
    )


def test_a_test_that_returns_its_verdict_is_told_so() -> None:
    suspects = [{"right": right, "entry": "g", "words": "", "mistakes": []} for right in (1, 0)]
    part = part_of(kind="tests", suspects=suspects)
    returned = [{"accepts": right, "returned": True} for right in (True, False)]
    text = judge.judge(part, returned, [False, True]).text()
    assert text.startswith(
        "f_values: right on 2 of 2 visible cases. The test returns True or False."
    )
    failing = judge.judge(part, returned[:1] * 2, [False, True]).text()
    assert "besides   The test returns True or False." in failing
    raised = [{"accepts": True}, {"accepts": False}]
    assert judge.judge(part, raised, [False, True]).said == ""
    assert judge.judge(part | {"hidden": True}, returned, [False, True]).said == ""


def test_the_text_of_a_verdict() -> None:
    about = {"name": "f_values", "points": 2.0, "book": "divergences#kl", "hidden": False}
    verdict = Verdict(
        **about,
        tried=3,
        failed=2,
        called="f(2)",
        returned="3.0",
        expected="4.0",
        misconception="word " * 30,
        promise="Rarely.",
    )
    assert verdict.text().split("\n") == [
        "f_values: not right yet. Wrong: 2 of 3 visible cases, first:",
        "  called    f(2)",
        "  returned  3.0",
        "  expected  4.0",
        "  likely    " + " ".join(["word"] * 16),
        "            " + " ".join(["word"] * 14),
        "  chance    Rarely.",
        "  read      the book, chapter divergences, section kl",
    ]
    one = Verdict(**about | {"hidden": True}, tried=1, failed=1, called="f", returned="x")
    assert one.text().split("\n")[0] == "f_values: not right yet. Wrong: 1 of 1 hidden case:"
    assert len(one.text().split("\n")) == 5
    assert not one.passed and Verdict(**about, tried=3, failed=0).passed
    assert Verdict.from_data(json.loads(json.dumps(verdict.to_data()))) == verdict


# --- points and questions --------------------------------------------------------------------


def verdict_of(tried: int, failed: int, earned: int, of: int) -> Verdict:
    return Verdict("x", 1.0, "a#b", False, tried, failed, earned=earned, of=of)


@pytest.mark.parametrize(
    ("points", "visible", "hidden", "score"),
    [
        (1.0, (2, 0, 1, 1), (3, 1, 2, 3), 0.66),
        (1.0, (2, 2, 0, 1), (3, 1, 2, 3), 0.66),
        (0.1, (2, 0, 1, 1), (3, 1, 2, 3), 0.06),
        (0.29, (2, 0, 1, 1), (2, 1, 1, 1), 0.29),
        (1 / 3, (2, 0, 1, 1), (3, 0, 3, 3), 1 / 3),
        (3.0, (2, 0, 1, 1), (3, 1, 1, 2), 1.5),
        (3.0, (2, 0, 1, 1), (3, 3, 0, 2), 0.0),
    ],
)
def test_a_share_of_the_points(points: float, visible: Any, hidden: Any, score: float) -> None:
    part = {"kind": "tests"}
    item = Item("x", "check", points, "a#b", "f", part, part)
    assert credit.credit(item, verdict_of(*visible), verdict_of(*hidden)) == score
    only = Item("x", "check", points, "a#b", "f", part, None)
    assert credit.credit(only, verdict_of(*hidden), None) == score


def test_points_need_both_parts() -> None:
    right, wrong = verdict_of(2, 0, 1, 1), verdict_of(2, 1, 0, 1)
    part = {"kind": "values"}
    item = Item("x", "check", 2.0, "a#b", "f", part, part)
    assert credit.credit(item, right, right) == 2.0
    for visible, hidden in ((wrong, right), (right, wrong), (right, None), (None, right)):
        assert credit.credit(item, visible, hidden) == 0.0
    shared = Item("x", "check", 2.0, "a#b", "f", {"kind": "tests"}, {"kind": "tests"})
    for visible, hidden in ((right, None), (None, right)):
        assert credit.credit(shared, visible, hidden) == 0.0


@pytest.mark.parametrize(
    ("part", "right", "earned"),
    [
        ({"kind": "values"}, [True, True], (1, 1)),
        ({"kind": "values"}, [True, False], (0, 1)),
        ({"kind": "values", "partial": True, "for_nothing": 2}, [True, False, False], (0, 1)),
        ({"kind": "values", "partial": True, "for_nothing": 2}, [True, True, True], (1, 1)),
        ({"kind": "values", "partial": True, "for_nothing": 0}, [True, False], (1, 2)),
        ({"kind": "tests", "suspects": "rwrw"}, [True, True, True, False], (1, 2)),
        ({"kind": "tests", "suspects": "rwrw"}, [True, True, False, True], (0, 2)),
        ({"kind": "tests", "suspects": "rwrw"}, [True] * 4, (2, 2)),
    ],
)
def test_what_right_cases_earn(part: Any, right: list[bool], earned: tuple[int, int]) -> None:
    if "suspects" in part:
        part = part | {"suspects": [{"right": letter == "r"} for letter in part["suspects"]]}
    found = [None if one else Failure("5", "4") for one in right]
    assert credit.earning(part, found) == earned


def test_what_the_kernel_is_asked() -> None:
    case = {**case_of(law={}, words="w"), "calls": 7, "labels": True}
    asked = questions.questions({"kind": "random", "seed": 5, "cases": [case]})
    before, after = outcomes.repeated(5)
    first = {
        "args": [2],
        "kwargs": {},
        "calls": 7,
        "labels": True,
        "first": before,
        "second": after,
    }
    assert asked == {"seed": 5, "cases": [first]}
    assert questions.questions({"kind": "values", "cases": [case]}) == {
        "cases": [{"args": [2], "kwargs": {}}]
    }
    again = questions.questions({"kind": "random", "seed": 4, "cases": [case, case]})
    assert again["cases"][1] == first
    assert questions.questions({"kind": "values", "cases": []}) == {"cases": []}
    assert questions.patience({"kind": "random", "cases": [case, case]}) == 65
    assert questions.patience({"kind": "tests", "suspects": [1, 2, 3]}) == 15
    assert questions.replier({"kind": "values"}) is None


def test_a_test_that_returns_neither_none_nor_a_bool_is_told_what_it_returned() -> None:
    suspect = {"right": False, "entry": "g", "words": "", "mistakes": []}
    part = part_of(kind="tests", suspects=[suspect])
    outcome = {"accepts": True, "last": "'unsound'"}
    told = judge.judge(part, [outcome], [True]).misconception
    assert told.endswith("Yours returned 'unsound', which counts as acceptance.")
    hidden = judge.judge(part | {"hidden": True}, [outcome], [True])
    assert "Yours returned something other than these" in hidden.misconception
    assert "unsound" not in str(hidden)
    assert "returned" not in judge.judge(part, [{"accepts": True}], [True]).misconception
    right = part | {"suspects": [suspect | {"right": True}]}
    assert judge.judge(right, [outcome], [False]).passed


# --- calls by which a student's test judges implementations


def cube(x: Any, *, times: int = 1) -> Any:
    return [x**3] * times if times > 1 else x**3


def own_test(*right: bool) -> dict[str, Any]:
    kinds = [{"entry": "f", "text": "def f(x, k=0): return x * x", "right": True}]
    wrong = {"entry": "g", "text": "def g(x, k=0): return x ** 3", "right": False}
    return part_of(kind="tests", suspects=[kinds[0] if one else wrong for one in right])


def asked(*args: Any, **kwargs: Any) -> dict[str, Any]:
    return {"args": list(args), "kwargs": kwargs}


def replied(replier: replier_module.Replier, suspect: int, *args: Any, **kwargs: Any) -> Any:
    """Return the reply of an implementation to a call by a student's test.

    The grader runs the test on a list of right and wrong implementations of a function; `suspect`
    is the place of this one in the list, from 0 on.
    """
    with replier.about(suspect):
        return replier(asked(*args, **kwargs))


def test_a_witness_is_a_wrong_answer() -> None:
    nan = {"entry": "f", "text": "def f(x): return [1.0, x * float('inf')]", "right": False}
    part = own_test(True, False)
    replier = replier_module.Replier(part | {"suspects": [*part["suspects"], nan]}, apart=False)
    replied(replier, 2, 0)
    assert replier.witness == [False, False, replier_module.NAN]
    replier = replier_module.Replier(own_test(True, False, False), apart=False)
    assert replied(replier, 1, 1) == {"value": 1}
    assert replied(replier, 0, 2) == {"value": 4}
    assert replier.witness == [False, False, False]
    assert replied(replier, 2, 2) == {"value": 8}
    assert replier.witness == [False, False, True]


def test_where_lists_differ_is_told_of_visible_cases() -> None:
    case = {"args": [], "kwargs": {}, "words": None, "expected": [0, 1] * 10, "mistakes": []}
    about = {
        "kind": "values",
        "name": "f_values",
        "points": 1,
        "call": "f",
        "book": "",
        "place": "",
        "compare": {"relative": 0.0, "absolute": 0.0},
        "recognise": [],
        "builds_on": [],
        "messages": [],
        "cases": [case],
    }
    wrong = [0, 1] * 9 + [1, 1]
    told = "   (1 of 20 entries differ, the first at index 18)"
    assert judge.judge(about | {"hidden": False}, [{"value": wrong}]).returned.endswith(told)
    assert "differ" not in judge.judge(about | {"hidden": False}, [{"value": wrong[1:]}]).returned
    assert "differ" not in judge.judge(about | {"hidden": False}, [{"value": 3}]).returned
    assert "index" not in judge.judge(about | {"hidden": True}, [{"value": wrong}]).returned


def test_where_right_ones_differ_each_of_them_is_right() -> None:
    part = own_test(True, True, False)
    part["suspects"][1] = {"entry": "h", "text": "def h(x): return max(x * x, 1)", "right": True}
    replier = replier_module.Replier(part, apart=False)
    assert [replied(replier, i, 0) for i in range(3)] == [{"value": 0}, {"value": 1}, {"value": 0}]
    differs = replier_module.DIFFERS
    assert replier.witness == [differs, differs, False]
    # for a call with wrong arguments, right implementations may raise different errors
    part["suspects"][1] = {"entry": "h", "text": "def h(x): return x.real + [1][x]", "right": True}
    replier = replier_module.Replier(part, apart=False)
    replies = [replied(replier, i, "text") for i in range(2)]
    assert [one["raises"] for one in replies] == ["TypeError", "AttributeError"]
    assert replier.witness == [False] * 3


def test_arguments_that_are_not_trusted_go_elsewhere() -> None:
    """The functions that a student's test judges run in a process of their own.

    Their arguments come from the student and are not trusted. Only if `apart` is False do the
    functions run in this process.
    """
    where = {"entry": "f", "text": "import os\ndef f(): return os.getpid()", "right": True}
    part = own_test() | {"suspects": [where]}
    assert replier_module.Replier(part, apart=False)(asked()) == {"value": os.getpid()}
    try:
        there = replier_module.Replier(part)(asked())
        assert there["value"] != os.getpid()
        assert replier_module.Replier(part)(asked()) == there
    finally:
        implementations.close_all()


def test_the_time_of_a_reply_tells_nothing() -> None:
    """A wrong implementation's response time does not give it away to a student's test.

    Replies are compared with those of a right implementation only after the test has ended.
    """
    replier = replier_module.Replier(own_test(True, False, False), apart=False)
    calls: list[int] = []
    original = replier._call
    replier._call = lambda number, *rest: (calls.append(number), original(number, *rest))[1]
    for suspect in (0, 1, 2):
        with replier.about(suspect):
            for _ in range(2):
                replier(asked(1))
                assert calls[-1] == suspect
    assert calls == [0, 0, 1, 1, 2, 2]
    assert len(replier.witness) == 3
    assert calls[6:] == [0], "right ones are asked once for the same"
    replier._spare = 0
    with replier.about(1):
        replier(asked(2))
    assert calls[7:] == [1]
    assert replier.witness[1] and replier.witness[1] and calls[8:] == [0, 0]


def test_how_much_a_call_may_be_given() -> None:
    """Arguments in a student's test are limited in size and depth; integers to +/- 2^53."""
    most = replier_module.MAX_ARGUMENTS
    for request, fine in (
        (asked([0] * (most - 4)), True),
        (asked([0] * (most - 3)), False),
        (asked("x" * (8 * (most - 4) + 7)), True),
        (asked("x" * (8 * (most - 3))), False),
        (asked(2**53), True),
        (asked(-(2**53)), True),
        (asked(2**53 + 1), False),
        (asked(-(2**53) - 1), False),
        (asked(k=2**53 + 1), False),
        (asked(k=2**53), True),
        (asked(nested(14)), True),
        (asked(nested(15)), False),
        (asked(math.inf), False),
        (asked({"float": "inf"}), True),
        ([], False),
        ({**asked(), "args": (1,)}, False),
        ({**asked(), "kwargs": [1]}, False),
    ):
        assert (replier_module._request(request) is not None) is fine, str(request)[:80]
    assert replier_module._request(asked(3, k=4)) == ([3], {"k": 4})


def nested(depth: int) -> Any:
    return [nested(depth - 1)] if depth else 0


@pytest.mark.parametrize(
    ("one", "other", "agree"),
    [
        ({"value": 1.0}, {"value": 1.0 + 1e-12}, True),
        ({"value": 1.0}, {"value": 1.1}, False),
        ({"value": None}, {"value": None}, True),
        ({"value": None}, {"value": 0.0}, False),
        ({"value": "a"}, {"value": "a"}, True),
        ({"value": "a"}, {"value": "b"}, False),
        ({"value": {"float": "nan"}}, {"value": {"float": "nan"}}, True),
        ({"value": {"float": "nan"}}, {"value": 1.0}, False),
        ({"value": 1.0}, {"value": {"float": "nan"}}, False),
        ({"value": [1.0]}, {"value": [1.0]}, True),
        ({"raises": "A"}, {"raises": "A"}, True),
        ({"raises": "A"}, {"raises": "B"}, False),
        ({"raises": "A"}, {"value": 1.0}, False),
        ({"value": 1.0}, {"raises": "A"}, False),
    ],
)
def test_answers_that_agree(one: Any, other: Any, agree: bool) -> None:
    assert replier_module._agree(one, other, {"relative": 1e-9, "absolute": 0.0}) is agree


def raising(error: BaseException) -> Any:
    def function() -> None:
        raise error

    return function


class OwnError(KeyError):
    pass


@pytest.mark.parametrize(
    ("function", "made"),
    [
        (lambda: (1, 2.5), {"value": [1, 2.5]}),
        (lambda: math.inf, {"value": {"float": "inf"}}),
        (lambda: np.float64(1) / 0, {"value": {"float": "inf"}}),
        (lambda: 1j, {"raises": "TypeError", "message": "a complex number"}),
        (raising(ValueError("a\nb")), {"raises": "ValueError", "message": "a b"}),
        (raising(OwnError("k")), {"raises": "KeyError", "message": "'k'"}),
        (raising(UnicodeDecodeError("u", b"", 0, 1, "r")), {"raises": "UnicodeError"}),
    ],
)
def test_a_call_as_data(function: Any, made: Any) -> None:
    found = implementations.called(function, [], {})
    assert found == {"message": found.get("message"), **made} if "raises" in made else found == made


def test_arguments_of_a_call() -> None:
    assert implementations.called(cube, [{"tuple": []}], {})["raises"] == "TypeError"
    assert implementations.called(cube, [2], {"times": 3}) == {"value": [8, 8, 8]}


USES = """
import math
import math as m
from math import sqrt
PLACES = [1, (2.5, "x")]
def second(x):
    return first(x) + PLACES[0]
def first(x):
    # a comment
    if x > 0:
        return second(x - 1)

    return sqrt(m.pow(math.floor(x), 2))
def again(x): return [again(y) for y in x]
def unused(x): return 3
alias = second
def closed():
    def inside(x): return closed
    return inside
inner = closed()
def uses_alias(x): return alias(x)
def uses_object(x): return thing
thing = object()
"""


def names_of(text: str) -> dict[str, Any]:
    name = f"<text {hash(text)}>"
    linecache.cache[name] = (len(text), None, text.splitlines(keepends=True), name)
    names: dict[str, Any] = {"__name__": "elsewhere"}
    exec(compile(text, name, "exec"), names)
    return names


def test_the_text_of_an_implementation() -> None:
    """The source text of an implementation has each helper that it needs once, and no others."""
    names = names_of(USES)
    entry, text = implementations.source_of(names["second"])
    assert entry == "second"
    assert text.split("\n\n")[0] == "PLACES = [1, (2.5, 'x')]"
    for line in ("import math as m\n", "from math import sqrt\n", "    # a comment\n"):
        assert text.count(line) == 1
    assert text.count("def first") == text.count("def second") == 1
    assert text.index("def first") < text.index("def second")
    assert "unused" not in text
    assert implementations.load(entry, text)(0) == names["second"](0) == 1.0
    entry, text = implementations.source_of(names["again"])
    assert text == "def again(x): return [again(y) for y in x]\n"
    for name, words in (
        ("inner", "the source of inside cannot be read"),
        ("uses_alias", "alias must be a function of its own: no lambda, no closure, no other name"),
        ("uses_object", "thing must be a function, a module or a plain constant"),
    ):
        with pytest.raises(ValueError, match=f"^{words}"):
            implementations.source_of(names[name])


def test_a_process_that_has_ended_is_replaced() -> None:
    text = "import os\ndef f(x): return os._exit(3) if x else 7"
    one = implementations.Implementations([("f", text)])
    try:
        assert one.call(0, [0], {}) == {"value": 7}
        assert one._process is not None
        first = one._process
        first.kill()
        first.wait()
        assert one.call(0, [0], {}) == {"value": 7}
        # a call that ends its process is tried again in a new process, but not a third time
        assert one.call(0, [1], {}) == {"ended": "too many or too large calls"}
        assert one._process is None and first.returncode is not None
        assert one.call(0, [0], {}) == {"value": 7}
    finally:
        one.close()
    same = implementations.Implementations.of([("f", "")])
    assert implementations.Implementations.of([("f", "")]) is same
    assert implementations.Implementations.of([("g", "")]) is not same


def test_who_ends_the_process_costs_the_others_nothing() -> None:
    texts = ("import os\ndef f(x): return os._exit(3) if x else 7", "def g(x): return x + 1")
    one = implementations.Implementations([("f", texts[0]), ("g", texts[1])])
    ended = {"ended": "too many or too large calls"}
    try:
        for _ in range(2):  # the first round starts the process of the implementations
            assert [one.call(i, [0], {}) for i in (0, 1)] == [{"value": 7}, {"value": 1}]
        told = [one.call(i, [4], {}) for i in (1, 0, 1)]
        assert told == [{"value": 5}, ended, {"value": 5}]
    finally:
        one.close()


def test_the_limits_of_a_process_of_implementations() -> None:
    text = "import resource\ndef f(): return [*resource.getrlimit(9), *resource.getrlimit(4)]"
    one = implementations.Implementations([("f", text)])
    try:
        assert one.call(0, [], {}) == {"value": [2 * 2**30, 2 * 2**30, 0, 0]}
    finally:
        one.close()


# --- random answers --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("law", "told"),
    [
        (
            Law("norm", loc=[1.0, 2.0], scale=3.0),
            "independent Gaussian noise, standard deviation 3.0, center [1.0, 2.0]   "
            "(14 numbers drawn)",
        ),
        (Law("laplace"), "independent Laplace noise, scale 1.0, center 0.0   (7 numbers drawn)"),
        (
            DiscreteLaplace(2.0, loc=3),
            "independent discrete Laplace noise, scale 2, center 3   (7 numbers drawn)",
        ),
        (
            Categorical(["a", "b"], [0.25, 0.75]),
            "the answers ['a', 'b'] with probabilities [0.25, 0.75]   (7 answers drawn)",
        ),
        (
            Categorical([0, 1], [[0.25, 0.75]] * 2),
            "independent entries, each one of [0, 1] with its own probabilities   "
            "(14 answers drawn)",
        ),
    ],
)
def test_what_is_expected_of_a_law(law: Any, told: str) -> None:
    data = law.to_data()
    assert _judge_random._law_text(data, {"law": data, "calls": 7}) == told


@pytest.mark.parametrize(
    ("values", "shape", "right"),
    [
        ([1, 2], (), True),
        ([[1, 2], [3, 4]], (2,), True),
        ([[[1], [2]]], (2, 1), True),
        ([[1, 2], [3]], (2,), False),
        ([[1, 2]], (), False),
        ([1, 2], (2,), False),
        ([{}], (), False),
        ([], (), False),
    ],
)
def test_shapes_of_labels(values: Any, shape: tuple[int, ...], right: bool) -> None:
    law = DiscreteLaplace(1.0, loc=np.zeros(shape, dtype=int))
    case: Any = {"calls": max(1, len(values)), "law": law.to_data()}
    found = _judge_random._labels(case, {"labels": values}, "expected", hidden=False)
    assert isinstance(found, Failure) != right
    assert right or getattr(found, "returned", "") == "answers of another shape"


@pytest.mark.parametrize("hidden", [False, True])
@pytest.mark.parametrize(
    ("values", "atoms", "returned", "note"),
    [
        (["a", "b"], ["a", "b"], "", ""),
        (["a", 7], ["a", "b"], "an answer 7", "The answer must be one of the names"),
        ([1, 2], [], "", ""),
        ([1, 2.0], [], "an answer 2.0", "The answer must be an integer"),
        ([1, True], [], "an answer True", "The function returned True or False"),
        ([1, None], [], "an answer None", "The function returns None"),
        ([0, True], [0, 1], "", ""),
        ([0, True], [0, 2], "an answer True", "The function returned True or False"),
    ],
)
def test_types_of_labels(values: Any, atoms: Any, returned: str, note: str, hidden: bool) -> None:
    law: Any = Categorical(atoms, [1.0, 0.0]) if atoms else DiscreteLaplace(1.0)
    case: Any = {"calls": len(values), "law": law.to_data()}
    found = _judge_random._labels(case, {"labels": values}, "expected", hidden)
    if returned:
        assert isinstance(found, Failure)
        assert found.returned == ("answers of another type" if hidden else returned)
        assert found.misconception.startswith(note)
    else:
        assert not isinstance(found, Failure) and found.tolist() == values


@pytest.mark.parametrize(
    ("law", "calls", "may"),
    [
        (Law("norm"), 1, True),
        (Law("norm"), 2, False),
        (Categorical([0, 1], [0.5, 0.5]), 73, True),
        (Categorical([0, 1], [0.5, 0.5]), 74, False),
        (Categorical([0, 1], [[0.5, 0.5]] * 2), 37, True),
        (Categorical([0, 1], [[0.5, 0.5]] * 2), 38, False),
        (Categorical([0, 1], [[1.0, 0.0], [0.5, 0.5]]), 73, True),
        (Categorical([0, 1], [1.0, 0.0]), 10_000, True),
    ],
)
def test_answers_that_may_all_be_equal(law: Any, calls: int, may: bool) -> None:
    """Equal answers are allowed if their probability is above e^-50: 0.5^72 is, 0.5^73 is not."""
    assert _judge_random._may_be_constant(law.to_data(), calls) is may


def test_answers_that_are_all_equal() -> None:
    def constant(answers: Any, value: Any = None) -> bool:
        return _judge_random._constant(np.array(answers, dtype=object), value)

    assert constant([1, 1]) and constant(np.ones((3, 2))) and constant(["a", "a"], "a")
    assert not constant([1, 2]) and not constant(np.arange(3.0)) and not constant(["a", "a"], "b")
    assert constant(np.array([[1.0, 2.0]] * 3), [1.0, 2.0])
    assert not constant(np.array([[1.0, 2.0]] * 3), [1.0, 3.0])


@pytest.mark.parametrize("hidden", [False, True])
@pytest.mark.parametrize(
    ("outcome", "returned", "note"),
    [
        (
            {"raises": "TypeError", "message": "no rng"},
            "an error: TypeError: no rng|an error: TypeError",
            "The function must take the keyword argument `rng`.",
        ),
        (
            {"raises": "ValueError", "message": "no rng"},
            "an error: ValueError: no rng|an error: V",
            "",
        ),
        ({"value": "S3"}, "'S3'|a string", "A string is not a number"),
        ({"value": 3.0}, "3.0|another finite number", "The answer must have one number for each"),
        (
            {"values": np.ones((4, 1))},
            "an answer of shape (1,)|an answer of another shape",
            "The answer",
        ),
        ({"values": np.ones(3)}, "an answer of shape ()|an answer of another shape", "The answer"),
        (
            {"values": np.array([1.0, 2.0, 3.0, math.inf])},
            "an answer that contains NaN or infinity",
            "",
        ),
        ({"same": False}, "answers that the seed of `rng` does not determine", "Draw every random"),
        ({"values": np.ones(4), "same": False}, "the same answer for every call", "Each call must"),
        ({"touched": True}, "answers, and the state of numpy's global", "Draw every random"),
    ],
)
def test_random_answers_that_are_none(outcome: Any, returned: str, note: str, hidden: bool) -> None:
    case = {"calls": 4, "labels": False, "law": Law("norm").to_data()}
    right = {"values": np.array([1.0, 2.0, 3.0, 4.0]), "same": True, "touched": False}
    part = part_of(kind="random", hidden=hidden)
    assert isinstance(_judge_random._answers(part, case, right, ""), np.ndarray)
    given = outcome if {"raises", "value"} & set(outcome) else right | outcome
    failure = _judge_random._answers(part, case, given, "expected")
    told = returned.split("|")[hidden if "|" in returned else 0]
    assert failure.returned.startswith(told) and failure.expected == "expected"
    assert failure.misconception.startswith(note) and bool(note) == bool(failure.misconception)
    if hidden:
        assert not {"S3", "no rng", "3.0", "(1,)"} & {failure.returned, *failure.returned.split()}
