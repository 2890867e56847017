"""Tests of how calls of a student's function are made and their outcomes recorded."""

from __future__ import annotations

import json
import math
import random
import signal
import sys
import threading
import time
import types
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from dpteach.grading.core import observe
from dpteach.grading.core.exam import Exam, Item
from dpteach.grading.core.plain import (
    MAX_BITS,
    MAX_NUMBERS,
    NotPlainError,
    decode,
    reduce,
    shown,
    unpack,
)

CASE: dict[str, Any] = {"args": [], "kwargs": {}}


def outcome(function: Callable[..., Any], **case: Any) -> Any:
    (found,), _ = observe.observe(function, {"cases": [CASE | case], "seed": 5})
    return found


def raising(error: BaseException) -> Callable[..., Any]:
    def function(*args: Any, **kwargs: Any) -> None:
        raise error

    return function


@pytest.mark.parametrize(
    ("parts", "kept"),
    [
        (["x" * 2000], "x" * 2000),
        (["x" * 1999, "y"], "x" * 1999 + "y"),
        (["x" * 2001], "x" * 2000 + " ..."),
        (["x" * 1999, "yz", ""], "x" * 1999 + "y ..."),
        (["x" * 2000, "y"], "x" * 2000 + " ..."),
    ],
)
def test_what_is_printed_is_cut(parts: list[str], kept: str) -> None:
    def printing() -> None:
        for part in parts:
            assert sys.stdout.write(part) == len(part)

    assert observe.observe(printing, {"cases": [CASE]}) == ([{"value": None}], kept)


class OwnError(KeyError):
    pass


class BrokenError(ValueError):
    def __str__(self) -> str:
        raise LookupError


@pytest.mark.parametrize(
    ("error", "name", "message"),
    [
        (ValueError("x" * 300), "ValueError", "x" * 200),
        (OwnError("k"), "KeyError", "'k'"),
        (BrokenError(), "ValueError", ""),
        (SystemExit(3), "SystemExit", "3"),
    ],
)
def test_errors_are_written_down(error: BaseException, name: str, message: str) -> None:
    found = outcome(raising(error))
    assert (found["raises"], found["message"]) == (name, message)
    kinds = [kind.__name__ for kind in type(error).__mro__ if kind.__module__ == "builtins"]
    assert found["kinds"] == kinds


def test_the_key_that_interrupts_is_no_answer() -> None:
    with pytest.raises(KeyboardInterrupt):
        outcome(raising(KeyboardInterrupt()))
    with pytest.raises(KeyboardInterrupt):
        observe.observe(
            raising(KeyboardInterrupt()), {"cases": [{"test": True}]}, lambda data: None
        )


def test_the_alarm_is_left_as_it_was() -> None:
    def mine(signum: int, frame: Any) -> None:
        pass

    before = signal.signal(signal.SIGALRM, mine)
    try:
        seen: list[float] = []
        outcome(lambda: seen.append(signal.getitimer(signal.ITIMER_REAL)[0]))
        assert 9 < seen[0] <= 10
        assert signal.getsignal(signal.SIGALRM) is mine
        assert signal.getitimer(signal.ITIMER_REAL) == (0.0, 0.0)
        outcome(lambda rng: seen.append(signal.getitimer(signal.ITIMER_REAL)[0]), calls=1)
        assert 29 < seen[1] <= 30
        # an alarm that was set before the call stays set; in a thread, where no alarm can be set,
        # the call works nevertheless
        signal.setitimer(signal.ITIMER_REAL, 99)
        outcome(lambda: seen.append(signal.getitimer(signal.ITIMER_REAL)[0]))
        assert 90 < seen[2] <= 99
        signal.setitimer(signal.ITIMER_REAL, 0)
        thread = threading.Thread(target=lambda: seen.append(outcome(lambda: 7)["value"]))
        thread.start()
        thread.join()
        assert seen[3] == 7
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


@pytest.mark.parametrize(
    ("delay", "seconds", "said"),
    [(0.0, 0.3, "late"), (0.3, 0.3, "value"), (9.0, 0.3, "value"), (9.0, 2.0, "late")],
    ids=["quiet", "as much", "much more", "without end"],
)
def test_what_a_busy_machine_takes_is_not_counted(
    delay: float, seconds: float, said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Waiting for a processor extends a case's time limit, to at most three times the limit."""
    monkeypatch.setattr(observe, "VALUE_SECONDS", 0.15)
    delays = iter([2.0])
    monkeypatch.setattr(observe, "_delayed", lambda: next(delays, 2.0 + delay))
    begun = time.monotonic()

    def works() -> int:
        while time.monotonic() - begun < seconds:
            pass
        return 1

    found = outcome(works)
    assert said in found
    assert said == "value" or time.monotonic() - begun < 1.5


def test_what_the_grader_takes_to_answer_is_not_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(observe, "VALUE_SECONDS", 0.2)
    monkeypatch.setattr(observe, "_delayed", lambda: 0.0)

    def test(implementation: Callable[[int], int]) -> None:
        for x in range(4):
            implementation(x)

    def reply(data: Any) -> Any:
        time.sleep(0.1)
        return {"value": 0}

    assert observe.observe(test, {"cases": [{"test": True}]}, reply)[0] == [{"accepts": True}]

    def asks_long(implementation: Callable[[int], int]) -> None:
        for x in range(8):  # the replies take 0.8 s in all, four times the time limit
            implementation(x)

    assert observe.observe(asks_long, {"cases": [{"test": True}]}, reply)[0] == [{"accepts": True}]

    def slow(implementation: Callable[[int], int]) -> None:
        implementation(0)
        time.sleep(0.4)

    assert observe.observe(slow, {"cases": [{"test": True}]}, reply)[0] == [{"late": 0.2}]


def test_cases_after_one_that_took_too_long_are_not_tried(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(observe, "VALUE_SECONDS", 0.1)
    seen: list[int] = []

    def slow(x: int) -> int:
        seen.append(x)
        while x == 2:
            pass
        return x

    cases = [CASE | {"args": [x]} for x in (1, 2, 3)]
    found, _ = observe.observe(slow, {"cases": cases})
    assert (found, seen) == ([{"value": 1}, {"late": 0.1}], [1, 2])


@pytest.mark.parametrize("calls", [{}, {"calls": 3}])
def test_arguments_that_are_altered(calls: dict[str, int]) -> None:
    def positional(x: list[int], rng: Any = None, **more: Any) -> float:
        x.append(1)
        return 0.0

    def by_name(x: list[int], k: list[int], rng: Any = None) -> float:
        k[0] = 5
        return 0.0

    def unreadable(x: list[Any], rng: Any = None, **more: Any) -> float:
        x.append(print)
        return 0.0

    for function in (positional, by_name, unreadable):
        assert outcome(function, args=[[1]], kwargs={"k": [1]}, **calls) == {"changed": True}


def test_the_generators_of_a_random_function() -> None:
    """The four calls for "values" share one generator with the seed 5.

    For each seed of "first" and "second", the function gets a new generator. It is called once for
    seed 5, and several times for another seed, where only the last value is kept: a wrong function
    may use the generator in its first call only.
    """
    states: list[Any] = []
    case = {"calls": 4, "first": [5, 6, 7], "second": [7, 5, 6]}

    def noisy(rng: np.random.Generator) -> float:
        states.append((float(np.random.random()), random.random()))  # noqa: NPY002
        return float(rng.random())

    found = outcome(noisy, **case)
    values = unpack(found["values"]).tolist()
    assert values == np.random.default_rng(5).random(4).tolist()
    wanted = {5: 0, 6: 3, 7: 4}
    first = [np.random.default_rng(s).random(9)[wanted[s]] for s in case["first"]]  # type: ignore[attr-defined]
    assert unpack(found["first"]).tolist() == first
    assert unpack(found["second"]).tolist() == [first[2], first[0], first[1]]
    assert found["touched"] is True
    # Python's global generator is in a different state in each call
    assert len({python for _, python in states}) == len(states)
    # the calls for "first" come between the first and the second call for "values". numpy's global
    # generator is seeded with 5 before both of these, so its state is the same only in these two
    assert len({numpy for numpy, _ in states}) == len(states) - 1


def test_the_state_of_other_generators_is_left_alone() -> None:
    random.seed(3)
    np.random.seed(3)  # noqa: NPY002
    wanted = (random.random(), np.random.random())  # noqa: NPY002
    random.seed(3)
    np.random.seed(3)  # noqa: NPY002
    assert outcome(lambda rng: rng.random(), calls=3)["touched"] is False
    assert (random.random(), np.random.random()) == wanted  # noqa: NPY002


@pytest.mark.parametrize("many", [1, 312])
def test_any_draw_from_the_global_generator_is_seen(many: int) -> None:
    """Each use of numpy's global generator is noticed, however many numbers are drawn.

    312 floats use all 624 words of the generator's state, so its position is the same afterwards.
    """
    found = outcome(lambda rng: rng.random() + 0 * np.random.random(many).sum(), calls=3)  # noqa: NPY002
    assert found["touched"] is True


@pytest.mark.parametrize(
    ("answer", "labels", "found"),
    [
        ("text", False, {"value": "text"}),
        (None, False, {"value": None}),
        (True, False, {"value": True}),
        ([1, "a"], False, {"value": [1, "a"]}),
        (1, True, {"values": [1] * 3, "first": [1], "second": [1], "touched": False}),
        ("a", True, {"values": ["a"] * 3, "first": ["a"], "second": ["a"], "touched": False}),
    ],
)
def test_answers_that_are_no_block_of_floats(answer: Any, labels: bool, found: Any) -> None:
    assert outcome(lambda rng: answer, calls=3, labels=labels) == found


def test_answers_of_different_shapes() -> None:
    sizes = iter([1, 1, 2, 1, 1, 1])
    assert outcome(lambda rng: [0.5] * next(sizes), calls=3) == {"ragged": True}


@pytest.mark.parametrize(
    ("said", "found"),
    [
        (None, {"accepts": True}),
        (0, {"accepts": True, "last": "0"}),
        ("unsound", {"accepts": True, "last": "'unsound'"}),
        (True, {"accepts": True, "returned": True}),
        (False, {"accepts": False, "returned": True, "last": "False"}),
        (np.False_, {"accepts": False, "returned": True, "last": "False"}),
        (AssertionError(), {"accepts": False, "last": "AssertionError"}),
        (AssertionError("m"), {"accepts": False, "last": "AssertionError (m)"}),
        (SystemExit(), {"accepts": False, "last": "SystemExit"}),
        (BrokenError(), {"accepts": False, "last": "ValueError"}),
        (NotImplementedError("m"), {"raises": "NotImplementedError", "kinds": [], "message": ""}),
    ],
)
def test_what_a_test_says(said: Any, found: Any) -> None:
    function = raising(said) if isinstance(said, BaseException) else lambda f: said
    assert observe.observe(function, {"cases": [{"test": True}]}, lambda data: None)[0] == [found]


@pytest.mark.parametrize(
    ("reply", "said"),
    [
        (
            {"value": 0.25},
            "AssertionError (no) after call 2, which gave 0.25 for [0.5, inf], order=2",
        ),
        (
            {"raises": "KeyError", "message": "m"},
            "KeyError ('m') after call 1, which gave KeyError for [0.5, inf], order=2",
        ),
    ],
)
def test_the_last_call_of_a_test_that_rejects(reply: Any, said: str) -> None:
    def test(f: Callable[..., Any]) -> None:
        f([0.5, math.inf], order=2)
        if f([0.5, math.inf], order=2) != 1.0:
            raise AssertionError("no")

    (found,), _ = observe.observe(test, {"cases": [{"test": True}]}, lambda data: reply)
    assert found["last"] == said


def test_what_a_test_is_answered() -> None:
    requests: list[Any] = []
    replies = iter(
        [
            {"value": {"float": "inf"}},
            {"raises": "KeyError", "message": "m"},
            {"raises": "NoSuchError"},
            {"ended": "enough"},
        ]
    )

    def ask(data: Any) -> Any:
        requests.append(data)
        return next(replies)

    def test(f: Callable[..., Any]) -> None:
        assert f([0.5], k=math.inf) == math.inf
        with pytest.raises(KeyError, match="m"):
            f()
        with pytest.raises(Exception, match=r"^$"):
            f()
        f()

    assert observe.observe(test, {"cases": [{"test": True}]}, ask)[0] == [{"ended": "enough"}]
    assert requests[0] == {"args": [[0.5]], "kwargs": {"k": {"float": "inf"}}}


def test_what_is_remembered_with_a_function(monkeypatch: pytest.MonkeyPatch) -> None:
    """A function sees variables as they were when `remember` was called.

    Of large arrays, and of variables that did not exist then, it sees the present values.
    """
    main = types.ModuleType("__main__")
    monkeypatch.setitem(sys.modules, "__main__", main)
    space = vars(main)
    exec("def f():\n    return [small.size, large.size, name, other]", space)
    space |= {"small": np.zeros(1 << 17), "large": np.zeros((1 << 17) + 1), "name": 1}
    assert observe.remember("a", "f") == "function"
    space |= {"small": np.zeros(1), "large": np.zeros(2), "name": 2, "other": 3}

    def asked() -> Any:
        question = {"cases": [CASE]}
        text = json.dumps({"item": "a", "question": question})
        return json.loads(observe.answer(text))["outcomes"]

    assert asked() == [{"value": [1 << 17, 2, 1, 3]}]
    assert (space["small"].size, space["name"], space["other"]) == (1, 2, 3)
    # after `f` has become a number, the function that `f` was before is not called any more
    space["f"] = 3
    assert observe.remember("a", "f") == "uncallable"
    assert asked() == [{"missing": True}]
    del space["f"]
    assert observe.remember("a", "f") == "missing"


# --- encoding of plain data ------------------------------------------------------------------


def nested(depth: int) -> Any:
    return [nested(depth - 1)] if depth else 1


def test_answers_as_large_as_they_may_be() -> None:
    for fine, just_too_much, words in (
        ([0] * (MAX_NUMBERS - 1), [0] * MAX_NUMBERS, "more than 1000000 numbers"),
        ([[0] * (MAX_NUMBERS - 2)], [[0] * (MAX_NUMBERS - 1)], "more than 1000000 numbers"),
        (np.zeros(MAX_NUMBERS - 1), np.zeros(MAX_NUMBERS), "more than 1000000 numbers"),
        (
            [np.zeros(MAX_NUMBERS - 3), 0],
            [np.zeros(MAX_NUMBERS - 2), 0],
            "more than 1000000 numbers",
        ),
        (nested(8), nested(9), "lists nested more than 8 deep"),
        ((1 << MAX_BITS) - 1, 1 << MAX_BITS, "an integer of more than 4096 bits"),
    ):
        reduce(fine)
        with pytest.raises(NotPlainError, match=words):
            reduce(just_too_much)
    assert reduce("x" * 300) == "x" * 201


@pytest.mark.parametrize(
    ("value", "words"),
    [
        (1j, "a complex number"),
        (np.complex128(1), "a number of type complex128"),
        (np.array(["a"]), "an array of dtype <U1"),
        (OwnError(), "an object of the type test_observe.OwnError"),
        (type("X" * 80, (float,), {})(1), f"the class test_observe.{'X' * 47}, derived from"),
        (object(), "an object of the type object"),
        (len, "a function: is a call missing its brackets?"),
        ({}, "an object of the type dict"),
    ],
)
def test_what_came_in_place_of_numbers(value: Any, words: str) -> None:
    with pytest.raises(NotPlainError) as caught:
        reduce(value)
    assert words in str(caught.value)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (np.zeros(12), f"array({[0.0] * 12})"),
        (np.zeros(13), "array of shape (13,): 0.0, 0.0, 0.0, 0.0, ..."),
        ([1] * 12, str([1] * 12)),
        ([1, 2, 3, 4, 5, *[6] * 8], "[1, 2, 3, 4, ... 13 in all]"),
        ((1,), "(1,)"),
        ((1, [2]), "(1, [2])"),
        (np.float64(0.5), "0.5"),
        ("x" * 198, repr("x" * 198)),
        ("x" * 199, "'" + "x" * 196 + "..."),
    ],
)
def test_values_in_messages(value: Any, text: str) -> None:
    assert shown(value) == text


@pytest.mark.parametrize(
    ("data", "value"),
    [
        ({"array": [1]}, np.array([1.0])),
        ({"array": [1], "dtype": "int8"}, np.array([1], dtype=np.int8)),
        ({"complex": [1, {"float": "inf"}]}, complex(1, math.inf)),
        ({"dict": {"a": {"tuple": [1]}}}, {"a": (1,)}),
    ],
)
def test_tags(data: Any, value: Any) -> None:
    found = decode(data)
    assert type(found) is type(value) and np.all(found == value)
    assert getattr(found, "dtype", None) == getattr(value, "dtype", None)


@pytest.mark.parametrize(
    "data",
    [{"dict": [1]}, {"array": [1], "dtype": "O"}, {"float": "1", "tuple": []}, {}, {"dtype": "f8"}],
)
def test_tags_that_are_none(data: Any) -> None:
    with pytest.raises(ValueError, match="must be"):
        decode(data)


def test_a_block_is_as_large_as_its_shape() -> None:
    for data, fine in (
        ({"f8": "AAAAAAAAAAA=", "shape": [1]}, True),
        ({"f8": "AAAAAAAAAAA=", "shape": [1] * 8}, True),
        ({"f8": "AAAAAAAAAAA=", "shape": [1] * 9}, False),
        ({"f8": "AAAAAAAAAAA=", "shape": []}, True),
        ({"f8": "AAAAAAAAAAA=", "shape": [2]}, False),
        ({"f8": "AAAAAAAAAAA=", "shape": [1.0]}, False),
        ({"f8": "", "shape": [0, MAX_NUMBERS]}, True),
        ({"f8": "", "shape": [0, MAX_NUMBERS + 1]}, False),
        ({"f8": "AAAAAAAAAAA=\n", "shape": [1]}, False),
    ):
        if fine:
            assert list(unpack(data).shape) == data["shape"]
        else:
            with pytest.raises(ValueError, match="data must hold"):
                unpack(data)
    block = "A" * (4 * 8 * (MAX_NUMBERS + 2) // 3)
    with pytest.raises(ValueError, match="data must hold 1000002 numbers"):
        unpack({"f8": block, "shape": [2, (MAX_NUMBERS + 2) // 2]})


# --- exams as data ---------------------------------------------------------------------------


def test_exams_are_told_apart() -> None:
    item = Item("a", "check", 1.0, "b#c", "f", {"x": 1}, None)
    exam = Exam("small", 1, "{}", (item,))
    assert Exam.from_bytes(exam.to_bytes()) == exam
    others = [Exam("other", 1, "{}", (item,)), Exam("small", 2, "{}", (item,))]
    others += [Exam("small", 1, "[]", (item,)), Exam("small", 1, "{}", ())]
    assert len({one.key for one in (exam, *others)}) == 5
    assert len({one.instructor for one in (exam, *others)}) == 2
    changed = [Item("a", "check", 2.0, "b#c", "f", {"x": 1}, None)]
    changed += [Item("a", "check", 1.0, "b#c", "f", {"x": 2}, None)]
    changed += [Item("a", "check", 1.0, "b#c", "f", {"x": 1}, {})]
    assert len({one.key for one in (item, *changed)}) == 4
    assert Item("a", "check", 1.0, "b#c", "f", {"x": 1, "y": 2}).key == (
        Item("a", "check", 1.0, "b#c", "f", {"y": 2, "x": 1}).key
    )
