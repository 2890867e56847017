"""Tests of drawing hidden cases from a seed, and of calling and judging students' functions."""

from __future__ import annotations

import json
import math
import subprocess
import sys
import time
import types
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from exams import SEED, SOURCES, built, exam_of
from hypothesis import given, settings
from hypothesis import strategies as st

from dpteach import divergences
from dpteach.grading import (
    Absolute,
    Case,
    Categorical,
    Check,
    Fresh,
    Law,
    Mistake,
    PropertyCheck,
    RandomCheck,
    Relative,
    Suspect,
    TestsCheck,
    Verdict,
)
from dpteach.grading.author.build import build_source
from dpteach.grading.author.making import make_exam
from dpteach.grading.author.parts import declared
from dpteach.grading.author.proof import proved, read_checks
from dpteach.grading.author.source import SourceError, read_source
from dpteach.grading.core.exam import Exam, Item
from dpteach.grading.core.observe import answer, observe, remember
from dpteach.grading.core.plain import MAX_BITS, NotPlainError, pack, reduce, unpack
from dpteach.grading.judging.credit import credit
from dpteach.grading.judging.judge import judge
from dpteach.grading.judging.questions import patience, questions, replier
from dpteach.grading.kinds import implementations, property, values
from dpteach.grading.kinds.attack import AttackCheck
from dpteach.grading.kinds.outcomes import cleaned, readable, repeated
from dpteach.grading.kinds.tests import replier as replier_module
from dpteach.grading.kinds.tests.replier import MAX_REQUESTS
from dpteach.grading.student import reach
from dpteach.grading.student.runner import run

BOOK = "renyi_dp#section"


def ratio(a: float, b: float) -> float:
    return math.inf if b == 0 else a / b


def a_check(**changes: Any) -> Check:
    arguments: dict[str, Any] = {
        "name": "ratio_values",
        "points": 2,
        "call": "ratio",
        "visible": [Case(1.5, 2.0), Case(1.0, 0.0, words="b is 0")],
        "hidden": [
            Fresh(lambda rng: Case(*rng.uniform(1, 9, 2)), words="two numbers", count=3),
            Fresh(lambda rng: Case(rng.uniform(1, 9), 0.0), words="b is 0"),
            Case(7.25, "x", raises=TypeError, words="b is no number"),
        ],
        "expected": ratio,
        "mistakes": [Mistake(lambda a, b: b / a, "a and b are exchanged.")],
        "book": BOOK,
    }
    return Check(**(arguments | changes))


def noisy(value: float, rng: np.random.Generator) -> float:
    return float(value + rng.normal())


def a_random_check() -> RandomCheck:
    return RandomCheck(
        name="noise",
        points=2,
        call="noisy",
        visible=[Case(0.0)],
        hidden=[Fresh(lambda rng: Case(rng.uniform(5, 6)), words="another value")],
        law=lambda value: Law("norm", loc=value),
        draws=2000,
        book=BOOK,
    )


def up(x: float) -> float:
    return float(math.ceil(x) + 0.5)


def a_property(**changes: Any) -> PropertyCheck:
    arguments: dict[str, Any] = {
        "name": "rounds_up",
        "points": 3,
        "call": "up",
        "at_least": lambda x: x,
        "at_most": lambda x: x + 2,
        "statement": "up(x) lies between x and x + 2.",
        "visible": [Case(0.5), Case(7.5)],
        "hidden": [Fresh(lambda rng: Case(10 * rng.uniform(1, 2)), words="large", count=3)],
        "mistakes": [Mistake(lambda x: x - 1, "That is rounded down.")],
        "book": BOOK,
    }
    return PropertyCheck(**(arguments | changes))


# right and wrong implementations of max_divergence, and then two tests that students might write

TWO = 2.0


def by_loop(p: Any, q: Any) -> float:
    return max(math.inf if b == 0 else math.log(a / b) for a, b in zip(p, q, strict=True) if a > 0)


def by_arrays(p: Any, q: Any) -> Any:
    p, q = np.asarray(p, dtype=float), np.asarray(q, dtype=float)
    with np.errstate(divide="ignore"):
        return np.max(np.log(p[p > 0]) - np.log(q[p > 0]))


def in_bits(p: Any, q: Any) -> float:
    return by_loop(p, q) / math.log(TWO)


def exchanged(p: Any, q: Any) -> float:
    return by_loop(q, p)


def ratio_itself(p: Any, q: Any) -> float:
    return math.exp(by_loop(p, q))


def endless(p: Any, q: Any) -> float:
    while True:
        pass


def hungry(p: Any, q: Any) -> Any:
    return np.ones(10**11)


def a_tests_check(**changes: Any) -> TestsCheck:
    arguments: dict[str, Any] = {
        "name": "max_tested",
        "points": 3,
        "call": "test_max",
        "visible": [
            Suspect(divergences.max_divergence, right=True),
            Suspect(ratio_itself, words="forgets the logarithm"),
        ],
        "hidden": [
            Suspect(by_loop, right=True, words="a loop"),
            Suspect(by_arrays, right=True, words="arrays"),
            Suspect(in_bits, words="base 2"),
            Suspect(exchanged, words="P and Q are exchanged"),
        ],
        "book": BOOK,
    }
    return TestsCheck(**(arguments | changes))


def good_test(f: Callable[..., Any]) -> None:
    assert math.isclose(f([0.75, 0.25], [0.5, 0.5]), math.log(1.5))
    assert math.isclose(f([0.5, 0.5], [0.75, 0.25]), math.log(2))


def weak_test(f: Callable[..., Any]) -> bool:
    """Test `f` on one pair (P, Q) only, for which exchanging P and Q does not change the value."""
    return math.isclose(f([0.8, 0.2], [0.2, 0.8]), math.log(4))


# --- drawing of hidden inputs ----------------------------------------------------------------


of_each = pytest.mark.parametrize("path", SOURCES, ids=lambda path: path.stem)


#: two assignments that together have checks of all kinds; without --all, only these are tried
ALL_KINDS = ("renyi_dp", "trade_offs")


def test_the_sample_has_all_kinds() -> None:
    def kinds(paths: Iterable[Path]) -> set[type]:
        return {type(one) for path in paths for one in read_checks(read_source(path)).values()}

    assert kinds(path for path in SOURCES if path.stem in ALL_KINDS) == kinds(SOURCES)


@pytest.mark.parametrize(
    "path",
    [
        pytest.param(
            path, marks=() if path.stem in ALL_KINDS else pytest.mark.exhaustive, id=path.stem
        )
        for path in SOURCES
    ],
)
def test_an_exam_depends_on_text_and_seed_alone(path: Path) -> None:
    one, other = exam_of(path), make_exam(path, 2)
    assert make_exam(path, SEED).to_bytes() == one.to_bytes()
    assert Exam.from_bytes(one.to_bytes()) == one
    assert one.key != other.key
    assert one.notebook == other.notebook
    assert one.instructor == other.instructor
    for a, b in zip(one.items, other.items, strict=True):
        assert a.visible == b.visible
        # skip checks whose hidden part is not random: a witness check uses mechanisms that students
        # see, and a design check may have only `known` hidden cases, which repeat visible ones
        if a.hidden is None or a.hidden["kind"] == "witness":
            continue
        if not all(case.get("known") for case in a.hidden["cases"]):
            assert a.key != b.key


#: in an assignment with at least this many items, at most a quarter of the points may belong to
#: items whose hidden inputs are not drawn at random
MANY = 10


@of_each
def test_nearly_all_hidden_inputs_are_fresh(path: Path) -> None:
    """At least 90% of hidden inputs are random, and at least 90% of these differ between seeds."""
    same = tried = 0
    for check in read_checks(read_source(path)).values():
        for position, case in enumerate(check.hidden):
            if isinstance(check, AttackCheck) and not isinstance(case, Fresh):
                tried += 1  # the secrets of an attack are always drawn at random
            if isinstance(case, Fresh):
                one, other = (case.cases(check.name, position, seed=seed) for seed in (1, 2))
                assert len(one) == len(other)
                tried += len(one)
                same += sum(repr(a) == repr(b) for a, b in zip(one, other, strict=True))
    assert same <= 0.1 * tried
    # items that ask for hand-computed numbers (HandCheck) or counterexamples (WitnessCheck) need no
    # random inputs, but may be worth at most a quarter of all points; with fewer than `MANY` items,
    # even one such item could exceed this
    every = exam_of(path).items
    items = [item for item in every if item.hidden is not None]
    drawn = [item for item in items if item.hidden["kind"] not in ("hand", "witness")]
    known = sum(item.points for item in items if item not in drawn)
    total = sum(item.points for item in every)
    assert len(every) < MANY or known <= 0.25 * total, (
        f"HandChecks and WitnessChecks are worth {known:g} of {total:g} points, a quarter at most "
        "may be, for all students have the same numbers: give them fewer, or other items more"
    )
    # do not count the hidden cases of a design check that repeat its visible cases
    hidden = [case for item in drawn for case in cases_of(item) if not case.get("known")]
    assert tried >= 0.9 * len(hidden), (
        f"{tried} of {len(hidden)} hidden cases are drawn: write them as Fresh(...)"
    )


def cases_of(item: Item) -> list[Any]:
    return [] if item.hidden is None else item.hidden["cases"]


@of_each
def test_the_kernel_is_told_arguments_seeds_and_counts_only(path: Path) -> None:
    for item in exam_of(path).items:
        for part in (item.visible, item.hidden):
            if part is None:
                continue
            asked = questions(part)
            assert set(asked) <= {"cases", "seed"}
            for case in asked.get("cases", ()):
                # the kernel gets the outputs of an attacked mechanism ("trials"), but not the
                # secret inputs that the student's attack must guess
                answers = {"trials"} if part["kind"] == "attack" else set()
                flags = {"calls", "labels", "record", "test", *answers}
                assert set(case) <= {"args", "kwargs", *flags, "first", "second"}
            assert patience(part) > 5


@of_each
def test_no_hidden_case_is_in_what_students_get(path: Path) -> None:
    exam, folder = exam_of(path), built(path).root / "source" / path.stem
    made = (folder / f"{path.stem}.ipynb", folder / "checks.json")
    text = "".join(file.read_text("utf-8") for file in made) + exam.notebook
    told = text + json.dumps([item.visible for item in exam.items])
    for item in exam.items:
        if item.hidden is None:
            continue
        assert item.visible is not None
        known = {suspect["entry"] for suspect in item.visible.get("suspects", ())}
        for suspect in item.hidden.get("suspects", ()):
            if suspect["entry"] in known:
                continue
            if suspect["text"]:
                assert f"def {suspect['entry']}(" not in text
        for case in item.hidden["cases"]:
            for number in _floats(case["args"]):
                if len(repr(number)) > 8:
                    assert repr(number) not in told
            if "expected" in case:
                assert all(
                    repr(x) not in told for x in _floats(case["expected"]) if len(repr(x)) > 8
                )
    assert "HIDDEN" not in text
    assert "hidden=" not in text


def _floats(data: Any) -> list[float]:
    if isinstance(data, float):
        return [data]
    if isinstance(data, dict):
        data = list(data.values())
    return [x for item in data for x in _floats(item)] if isinstance(data, list) else []


@pytest.mark.parametrize(
    ("error", "words", "make"),
    [
        (TypeError, "seed must be an integer >= 0", lambda: make_exam(SOURCES[0], 1.5)),  # type: ignore[arg-type]
        (TypeError, "seed must be an integer >= 0", lambda: make_exam(SOURCES[0], True)),
        (ValueError, "seed must be an integer >= 0", lambda: make_exam(SOURCES[0], -1)),
        (FileNotFoundError, "none_such", lambda: make_exam("none_such.md", 1)),
        (TypeError, "make must be a function", lambda: Fresh(3, words="x")),  # type: ignore[arg-type]
        (TypeError, "words must be a string", lambda: Fresh(lambda rng: Case(1), words=None)),  # type: ignore[arg-type]
        (ValueError, "count must be an integer", lambda: Fresh(lambda r: Case(1), "x", count=0)),
        (TypeError, "count must be an integer", lambda: Fresh(lambda r: Case(1), "x", count=1.0)),  # type: ignore[arg-type]
        (TypeError, "count must be an integer", lambda: Fresh(lambda r: Case(1), "x", count=True)),
        (ValueError, "count must be an integer", lambda: Fresh(lambda r: Case(1), "x", count=21)),
        (ValueError, "words must not be empty", lambda: Fresh(lambda r: Case(1), " ")),
        (TypeError, "raises must be a class", lambda: Fresh(lambda r: Case(1), "x", raises=3)),  # type: ignore[arg-type]
        (
            TypeError,
            "make must return a Case",
            lambda: declared(a_check(hidden=[Fresh(lambda rng: 3, "x")])),  # type: ignore[arg-type,return-value]
        ),
        (
            TypeError,
            "make must return a Case",
            lambda: declared(a_check(hidden=[Fresh(lambda rng: [Case(1, 2), 3], "x")])),  # type: ignore[list-item,return-value]
        ),
        (
            ValueError,
            "make: ZeroDivisionError: division by zero, on 'one number'",
            lambda: declared(a_check(hidden=[Fresh(lambda rng: 1 / 0, "one number")])),  # type: ignore[arg-type,return-value]
        ),
        (TypeError, "partial must be True or False", lambda: a_check(partial=1)),
        (
            ValueError,
            "partial must be False for fewer",
            lambda: a_check(partial=True, hidden=[Fresh(lambda r: Case(1), "x", count=2)]),
        ),
        (TypeError, "partial must be True or False", lambda: a_property(partial=1)),
        (
            ValueError,
            "partial must be False for fewer",
            lambda: a_property(partial=True, hidden=[]),
        ),
        (ValueError, "slack must be in", lambda: a_property(slack=-1e-9)),
        (TypeError, "at_least must be a function", lambda: a_property(at_least=3)),
        (
            ValueError,
            "raises must not be given",
            lambda: a_property(hidden=[Fresh(lambda r: Case(1), "x", raises=ValueError)]),
        ),
        (
            ValueError,
            "at_most must return a bound of the answers to",
            lambda: declared(a_property(at_most=lambda x: math.nan)),
        ),
        (
            ValueError,
            "at_least must return a bound of the answers to",
            lambda: declared(a_property(at_least=lambda x: True)),
        ),
        (
            ValueError,
            "no case of rounds_up tells",
            lambda: declared(a_property(mistakes=[Mistake(lambda x: x + 1, "none")])),
        ),
        (TypeError, "compare must be", lambda: a_tests_check(compare=1e-9)),
        (ValueError, "words must not be empty", lambda: Suspect(by_loop, words="")),
        (
            ValueError,
            "three right ones",
            lambda: a_tests_check(hidden=a_tests_check().hidden[1:]),
        ),
        (
            ValueError,
            "a right and a wrong",
            lambda: a_tests_check(visible=[Suspect(ratio_itself, words="forgets")]),
        ),
        (ValueError, "partial must be False for fewer", lambda: a_check(partial=True, hidden=[])),
        (ValueError, "statement must not be empty", lambda: a_property(statement="")),
        (ValueError, "slack must be in", lambda: a_property(slack=1.0)),
        (ValueError, "at_least or at_most", lambda: a_property(at_least=None, at_most=None)),
        (TypeError, "at_most must be a function", lambda: a_property(at_most=3)),
        (
            ValueError,
            "raises must not be given",
            lambda: a_property(visible=[Case(1, raises=ValueError)]),
        ),
        (ValueError, "must return a bound of", lambda: declared(a_property(at_most=lambda x: "x"))),
        (
            ValueError,
            "must return bounds between which",
            lambda: declared(a_property(at_most=lambda x: x - 5, mistakes=[])),
        ),
        (TypeError, "function must be a function", lambda: Suspect(3)),  # type: ignore[arg-type]
        (ValueError, "function must have a name", lambda: Suspect(lambda p, q: 1)),
        (TypeError, "right must be True or False", lambda: Suspect(by_loop, right=1)),  # type: ignore[arg-type]
        (
            ValueError,
            "a right and a wrong",
            lambda: a_tests_check(visible=[Suspect(by_loop, True)]),
        ),
        (ValueError, "three right ones", lambda: a_tests_check(hidden=[])),
        (
            ValueError,
            "hidden must hold a wrong",
            lambda: a_tests_check(
                hidden=[Suspect(by_loop, True, "x"), Suspect(by_arrays, True, "y")]
            ),
        ),
        (TypeError, r"visible must hold Suspect\(", lambda: a_tests_check(visible=[Case(1)])),
        (ValueError, "builds_on must not be given", lambda: a_tests_check(builds_on=["ratio"])),
        (
            ValueError,
            "mistakes must not be given",
            lambda: a_tests_check(mistakes=[Mistake(ratio, "x")]),
        ),
        (
            ValueError,
            "words must be given for each wrong",
            lambda: a_tests_check(
                visible=[Suspect(divergences.max_divergence, True), Suspect(ratio_itself)]
            ),
        ),
    ],
)
def test_bad_declarations(error: type[Exception], words: str, make: Callable[[], object]) -> None:
    with pytest.raises(error, match=words):
        make()


def test_fresh_cases_are_those_of_their_seed() -> None:
    parts = [declared(a_check(), seed)[1] for seed in (1, 1, 2)]
    args = [[case["args"] for case in part["cases"]] for part in parts if part is not None]
    assert args[0] == args[1]
    assert args[0][:4] != args[2][:4]
    assert args[0][4] == args[2][4]
    assert len({json.dumps(a) for a in args[0]}) == 5


def test_a_fresh_case_keeps_what_it_says_itself() -> None:
    own = Case(2, words="its own", raises=KeyError, b=3)
    fresh = Fresh(lambda rng: Case(1), words="drawn", raises=ValueError)
    (one,) = fresh.cases("name", 0, seed=1)
    (two,) = Fresh(lambda rng: own, words="drawn", raises=ValueError).cases("name", 0, seed=1)
    assert (one.args, one.words, one.raises) == ((1,), "drawn", (ValueError,))
    assert (two.args, two.kwargs) == ((2,), {"b": 3})
    assert (two.words, two.raises) == ("its own", (KeyError,))
    check = a_check(hidden=[Case(1, 2, words="first"), fresh, Case(3, 4, words="last")])
    assert [case.words for case in check.drawn(1).hidden] == ["first", "drawn", "last"]
    assert len(Fresh(lambda rng: Case(1), "x", count=20).cases("name", 0, seed=1)) == 20


def test_each_draw_is_another_one() -> None:
    """Draws for different checks, cases or seeds differ, and so do several draws for one case."""
    fresh = Fresh(lambda rng: Case(rng.uniform()), words="x", count=2)
    told = [("a", 0, 1), ("b", 0, 1), ("a", 1, 1), ("a", 0, 2)]
    for _ in range(2):
        found = [c.args for name, place, seed in told for c in fresh.cases(name, place, seed=seed)]
        assert len(set(found)) == 8
    noise = [declared(a_random_check(), seed) for seed in (1, 1, 2)]
    assert len({visible["seed"] for visible, _ in noise}) == 1
    hidden = [part["seed"] for _, part in noise if part is not None]
    assert hidden[0] == hidden[1] != hidden[2]


@pytest.mark.parametrize(
    ("bounds", "slack", "most"),
    [
        ([(0.0, 1.0), (2.0, 3.0)], 0.0, 1),
        ([(0.0, 1.0), (1.0, 3.0), (5.0, 6.0)], 0.0, 2),
        ([(0.0, 1.0), (1.1, 3.0)], 0.2, 2),
        ([(0.0, None), (2.0, None), (7.0, None)], 0.0, 3),
        ([(None, 1.0), (None, -2.0)], 0.0, 2),
        ([(0.0, 1.0)], 0.0, 1),
    ],
)
def test_what_a_constant_between_bounds_gets(
    bounds: list[tuple[float | None, float | None]], slack: float, most: int
) -> None:
    cases = [{"at_least": low, "at_most": high} for low, high in bounds]
    assert property.for_nothing({"slack": slack}, cases) == most


@pytest.mark.parametrize(
    ("right", "errors", "most"),
    [
        ([1.0, 2.0, 3.0], 0, 1),
        ([1.0, 1.15, 3.0], 0, 2),
        ([1.0, 1.25, 3.0], 0, 1),
        ([1.0, 1.0, 3.0], 2, 2),
        ([1.0, 1.0, 3.0], 3, 3),
        ([[1.0, 2.0], [1.0, 2.0], 3.0], 1, 2),
    ],
)
def test_what_a_constant_gets(right: list[Any], errors: int, most: int) -> None:
    """`for_nothing` is how many cases the best constant, or code that always raises, gets right."""
    part = {"kind": "values", "compare": {"relative": 0.0, "absolute": 0.1}}
    cases: list[dict[str, Any]] = [{"expected": x} for x in right]
    cases[1:1] = [{"raises": ["ValueError"]}] * errors
    assert values.for_nothing(part, cases) == most


def test_the_parts_of_a_property() -> None:
    check = a_property(slack=0.06, partial=True, points=6)
    for part in declared(check, 1):
        assert part is not None
        assert (part["kind"], part["slack"], part["partial"]) == ("property", 0.06, True)
        assert part["statement"] == "up(x) lies between x and x + 2."
        for case in part["cases"]:
            x = case["args"][0]
            assert (case["at_least"], case["at_most"]) == (x, x + 2)
            # the declared mistake returns x - 1 instead of at least x; this is right if the slack,
            # 0.06 x, is at least 1
            assert case["mistakes"] == [None if 0.06 * x >= 1 else {"value": x - 1}]
    one_sided = declared(a_property(at_most=None, mistakes=[]))[0]["cases"][0]
    assert (one_sided["at_least"], one_sided["at_most"]) == (0.5, None)


def test_the_parts_of_a_test() -> None:
    """The hidden part of a `TestsCheck` also contains the visible right implementation.

    A `TestsCheck` judges a test that students write: the test must accept right implementations
    and reject wrong ones.
    """
    visible, hidden = declared(a_tests_check(compare=Absolute(0.5)), 1)
    assert hidden is not None
    assert visible["compare"] == hidden["compare"] == {"relative": 0.0, "absolute": 0.5}
    for part, names in (
        (visible, {"dpteach.divergences.max_divergence": True, "ratio_itself": False}),
        (
            hidden,
            {
                "dpteach.divergences.max_divergence": True,
                "by_loop": True,
                "by_arrays": True,
                "in_bits": False,
                "exchanged": False,
            },
        ),
    ):
        assert {one["entry"]: one["right"] for one in part["suspects"]} == names
        assert len(part["suspects"]) == len(names) and part["kind"] == "tests"
    words = {one["entry"]: one["words"] for one in hidden["suspects"]}
    assert words["in_bits"] == "base 2" and words["by_loop"] == "a loop"
    # the visible check does not depend on the seed, so it is the same for all students
    assert {json.dumps(declared(a_tests_check(), seed)[0]) for seed in range(4)} == {
        json.dumps(declared(a_tests_check())[0])
    }


# --- replies from inside the sandbox ---------------------------------------------------------


def in_kernel(lines: list[str], messages: list[dict[str, Any]]) -> list[Any]:
    """Return the replies of `observe.answer` to messages, in a new process that has run `lines`."""
    script = "\n".join(
        [
            "import json, sys",
            *lines,
            "from dpteach.grading.core.observe import answer",
            "for line in sys.stdin:",
            "    print(answer(line), flush=True)",
        ]
    )
    text = "".join(json.dumps(message) + "\n" for message in messages)
    done = subprocess.run(
        [sys.executable, "-c", script], input=text, capture_output=True, text=True, check=True
    )

    def strict(constant: str) -> float:
        raise AssertionError(f"{constant} is not JSON")

    return [json.loads(line, parse_constant=strict) for line in done.stdout.splitlines()]


def test_the_protocol_of_the_sandbox() -> None:
    lines = [
        "import math",
        "def ratio(a, b):",
        "    print('hello', a)",
        "    return math.nan if a == 1.0 else a / b",
        "def noisy(value, rng):",
        "    return value + rng.normal()",
        "other = 3",
    ]
    visible, _ = declared(a_check())
    noise, _ = declared(a_random_check())
    asked = questions(visible)
    messages: list[dict[str, Any]] = [
        {"item": "a", "call": "ratio"},
        {"item": "b", "call": "nothing"},
        {"item": "c", "call": "other"},
        {"item": "a", "question": asked},
        {"item": "b", "question": asked},
        {"item": "d", "call": "noisy"},
        {"item": "d", "question": questions(noise)},
        {"item": "e", "call": "ratio", "question": asked},
        {"item": "f", "call": "nothing", "question": asked},
    ]
    found = in_kernel(lines, messages)
    assert [reply["known"] for reply in found[:3]] == ["function", "missing", "uncallable"]
    assert found[3]["outcomes"] == [{"value": 0.75}, {"value": {"float": "nan"}}]
    assert found[3]["printed"].startswith("hello 1.5")
    verdict = judge(visible, found[3]["outcomes"])
    assert (verdict.failed, verdict.returned) == (1, "nan")
    assert "there is no function `ratio`" in judge(visible, found[4]["outcomes"]).text()
    assert judge(noise, found[6]["outcomes"]).passed
    # `found[7]` and `found[8]` reply to messages that have both a "call" and a "question"
    assert found[7] == {**found[3], "known": "function"}
    assert (found[8]["known"], found[8]["outcomes"]) == ("missing", [{"missing": True}])


def test_many_answers_travel_as_one_block() -> None:
    noise, _ = declared(a_random_check())
    outcomes, _ = observe(noisy, questions(noise))
    assert len(json.dumps(outcomes)) < 12 * 2_000
    assert unpack(pack(np.eye(2))).tolist() == np.eye(2).tolist()
    for bad in (
        None,
        {},
        {"f8": "AAAA", "shape": [1]},
        {"f8": "é", "shape": [0]},
        {"f8": "!!", "shape": [0]},
        {"f8": "", "shape": [-1]},
        {"f8": "", "shape": [True]},
        {"f8": "", "shape": [0] * 20},
        {"f8": "", "shape": [10**9, 10**9]},
    ):
        with pytest.raises(ValueError, match="data must"):
            unpack(bad)
    with pytest.raises(NotPlainError, match="bits"):
        reduce(1 << MAX_BITS)


def test_the_grader_compares_repeated_answers_itself() -> None:
    noise, _ = declared(a_random_check())
    before, after = repeated(noise["seed"])
    assert before != after
    outcome = observe(noisy, questions(noise))[0][0]
    assert judge(noise, [outcome]).passed
    lies = [
        {"second": outcome["first"]},
        {"second": pack(unpack(outcome["second"]) + 1)},
        {"first": pack(unpack(outcome["first"])[::-1])},
    ]
    for lie in lies:
        assert "the seed of `rng` does not determine" in judge(noise, [outcome | lie]).returned
    for touched in (True, None):
        assert "global generator" in judge(noise, [outcome | {"touched": touched}]).returned
    short = outcome | {"values": pack(unpack(outcome["values"])[:-1])}
    assert not judge(noise, [short]).passed


# --- any answer gets a verdict, and none raises an error -------------------------------------


def a_categorical_check() -> RandomCheck:
    return RandomCheck(
        name="answer",
        points=1,
        call="respond",
        visible=[Case("yes"), Case("no")],
        law=lambda bit: Categorical(["yes", "no"], [0.75, 0.25] if bit == "yes" else [0.25, 0.75]),
        draws=2000,
        book=BOOK,
    )


CHECKS = (
    a_check(),
    a_random_check(),
    a_property(),
    a_tests_check(),
    a_categorical_check(),
)
PARTS = [part for check in CHECKS for part in declared(check, 3) if part is not None]

MARK = "S3CRET"
texts = st.one_of(st.just(MARK), st.text(max_size=5), st.just("\ud800\x1b[31m"))
numbers = st.one_of(
    st.integers(),
    st.just(10**400),
    st.none().map(lambda _: -(1 << 20_000)),
    st.floats(),
    st.booleans(),
    st.none(),
)
keys = st.sampled_from(
    [
        "value",
        "raises",
        "kinds",
        "message",
        "unplain",
        "late",
        "changed",
        "missing",
        "values",
        "first",
        "second",
        "touched",
        "ragged",
        "accepts",
        "ended",
        "skipped",
        "again",
        "float",
        "array",
        "dict",
        "f8",
        "shape",
    ]
)
anything = st.recursive(
    st.one_of(numbers, texts),
    lambda inner: st.one_of(
        st.lists(inner, max_size=4),
        st.dictionaries(st.one_of(keys, texts), inner, max_size=4),
    ),
    max_leaves=20,
)


@pytest.mark.parametrize("part", PARTS, ids=lambda part: f"{part['name']}-{part['hidden']}")
@given(found=st.one_of(anything, st.lists(st.dictionaries(keys, anything, max_size=4), max_size=7)))
@settings(max_examples=150, deadline=None)
def test_any_json_has_a_verdict(part: dict[str, Any], found: Any) -> None:
    verdict = judge(part, found, [True] * 10)
    assert len(cleaned(found, part)) == verdict.tried
    data = json.dumps(verdict.to_data(), allow_nan=False)
    assert Verdict.from_data(json.loads(data)) == verdict
    text = verdict.text() + data
    text.encode()
    assert "\x1b" not in text
    if part["hidden"]:
        assert MARK not in text
    assert 0 <= verdict.earned <= verdict.of


@pytest.mark.parametrize(
    "found",
    [
        None,
        [],
        {},
        "x" * 10**6,
        [None],
        [{}],
        [[]],
        [{"value": {"a": 1}}],
        [{"value": {"float": "1.0"}}],
        [{"value": {"float": "__import__('os')"}}],
        [{"value": {"array": [1], "dtype": "object"}}],
        [{"value": 0.75, "raises": "Exit"}],
        [{"raises": MARK, "kinds": [MARK], "message": MARK * 1000}],
        [{"raises": ["ValueError"], "kinds": "ValueError", "message": None}],
        [{"raises": {"x": 1}}],
        [{"late": "x"}],
        [{"late": float("nan")}],
        [{"late": -1}],
        [{"unplain": MARK * 1000}],
        [{"unplain": 3}],
        [{"value": [[[[[[[[[[[[[1]]]]]]]]]]]]]}],
        [{"value": [0] * 1_100_000}],
        [{"value": 1 << 100_000}],
        [{"value": "\ud800"}],
        [{"accepts": "yes"}],
        [{"accepts": 1}],
        [{"values": MARK, "first": MARK, "second": MARK, "touched": False}],
        [{"value": 0.75}] * 1000,
    ],
    ids=lambda found: type(found).__name__,
)
def test_hostile_outcomes(found: Any) -> None:
    for part in PARTS:
        verdict = judge(part, found)
        assert not verdict.passed
        assert verdict.earned == 0
        text = verdict.text() + json.dumps(verdict.to_data(), allow_nan=False)
        assert len(text) < 20_000
        if part["hidden"]:
            assert MARK not in text


@pytest.mark.parametrize("value", [0.0, -0.0, 1e308, -1e308, 5e-324, math.inf, math.nan, 2.0**60])
@pytest.mark.parametrize("shape", [(), (1,), (3,), (2, 2)])
def test_blocks_of_odd_numbers(value: float, shape: tuple[int, ...]) -> None:
    for part in PARTS:
        if "calls" not in (part["cases"] or [{}])[0]:
            continue
        outcomes = []
        for i, case in enumerate(part["cases"]):
            answers = np.full((case["calls"], *shape), value)
            answers[1::2] /= 2 + i  # make every second answer another number
            five = pack(np.full((5, *shape), value))
            outcome = {"values": pack(answers), "first": five, "second": five, "touched": False}
            outcomes.append(outcome)
        verdict = judge(part, outcomes)
        assert not verdict.passed
        json.dumps(verdict.to_data(), allow_nan=False)


def test_what_is_missing_counts_as_wrong() -> None:
    visible, hidden = declared(a_check())
    assert hidden is not None
    assert judge(visible, [{"value": 0.75}]).failed == 1
    assert judge(visible, [{"late": 10}]).failures[1]["returned"].startswith("not called")
    assert judge(hidden, [{"missing": True}]).failed == 5
    assert "no longer a function" in judge(visible, [{"missing": "uncallable"}]).returned
    assert readable(None) == ""


def test_all_visible_failures_are_listed() -> None:
    visible, hidden = declared(a_check())
    verdict, _ = run(lambda a, b: b / a, visible)
    assert (verdict.mistake, verdict.misconception) == (0, "a and b are exchanged.")
    assert [one["called"] for one in verdict.failures] == [
        "ratio(1.5, 2.0)",
        "ratio(1.0, 0.0)   (b is 0)",
    ]
    assert [one["returned"] for one in verdict.failures] == ["1.3333333333333333", "0.0"]
    assert verdict.failures[0]["misconception"] == "a and b are exchanged."
    assert hidden is not None
    verdict, _ = run(lambda a, b: b / a, hidden)
    assert verdict.failures[0]["called"].endswith("case: two numbers")
    assert run(ratio, visible)[0].mistake is None


# --- partial credit --------------------------------------------------------------------------


def an_item(check: Any, seed: int = 1) -> Item:
    visible, hidden = declared(check, seed)
    return Item("x", "check", float(check.points), BOOK, check.call, visible, hidden)


def points_of(item: Item, function: Callable[..., Any]) -> float:
    assert item.visible is not None
    visible = run(function, item.visible)[0]
    hidden = None if item.hidden is None else run(function, item.hidden)[0]
    return credit(item, visible, hidden)


def test_all_or_nothing() -> None:
    item = an_item(a_check())
    assert points_of(item, ratio) == 2
    assert points_of(item, lambda a, b: 0.75 if a == 1.5 else math.inf) == 0
    assert points_of(item, lambda a, b: b / a) == 0
    passed = run(ratio, item.visible or {})[0]
    assert credit(item, passed, None) == 0
    assert credit(item, None, passed) == 0
    assert points_of(an_item(a_check(hidden=[])), ratio) == 2


def test_partial_credit_is_corrected_for_guessing() -> None:
    item = an_item(a_check(partial=True, points=3))
    assert item.hidden is not None
    assert item.hidden["for_nothing"] == 1
    assert points_of(item, ratio) == 3
    # this function is right in 3 of 5 cases, and the best constant answer is right in 1, so the
    # function earns the share (3 - 1) / (5 - 1) of 3 points
    assert points_of(item, lambda a, b: None if b in (0, "x") else a / b) == 1.5
    assert points_of(item, lambda a, b: math.inf if b == 0 else b / a) == 0.75
    for constant in (math.inf, 0.75, None, math.nan):
        assert points_of(item, lambda a, b, constant=constant: constant) == 0

    def refuse(a: float, b: float) -> float:
        raise TypeError

    assert points_of(item, refuse) == 0
    three = an_item(a_check(partial=True, points=1, hidden=a_check().hidden[:2]))
    assert points_of(three, lambda a, b: None if b == 0 else a / b) == 0.66


def test_partial_credit_for_a_constant_is_refused() -> None:
    same = [Case(float(i), 0.0, words="b is 0") for i in range(1, 4)]
    with pytest.raises(ValueError, match="one constant answer is right on all hidden"):
        declared(a_check(partial=True, hidden=same))


def test_a_constant_between_two_answers_is_near_both() -> None:
    part = {"kind": "values", "compare": Relative(1e-9).to_data()}
    assert values.for_nothing(part, [{"expected": 1.0}, {"expected": 1.0 + 1.5e-9}]) == 2
    assert values.for_nothing(part, [{"expected": 1.0}, {"expected": 1.0 + 3e-9}]) == 1


@given(
    right=st.lists(st.sampled_from([0.0, 1.0, 1.0 + 5e-10, 2.0, math.inf]), min_size=3, max_size=8),
    guess=st.sampled_from([0.0, 1.0, 1.0 + 2e-10, 2.0, math.inf]),
)
@settings(max_examples=100, deadline=None)
def test_no_constant_earns_a_share(right: list[float], guess: float) -> None:
    cases = [
        {"args": [i], "kwargs": {}, "expected": {"float": repr(x)}} for i, x in enumerate(right)
    ]
    part = {"kind": "values", "compare": Relative(1e-9).to_data()}
    close_to_it = sum(
        x == guess or (math.isfinite(x) and abs(x - guess) <= 1e-9 * abs(x)) for x in right
    )
    assert close_to_it <= values.for_nothing(part, cases)


# --- checks of properties --------------------------------------------------------------------


def test_property() -> None:
    item = an_item(a_property())
    assert points_of(item, up) == 3
    assert points_of(item, lambda x: x + 2) == 3
    assert points_of(item, lambda x: x + 2.1) == 0
    verdict, _ = run(lambda x: x - 1, item.visible or {})
    assert verdict.misconception == "That is rounded down."
    assert verdict.expected == "at least 0.5 and at most 2.5: up(x) lies between x and x + 2."
    verdict, _ = run(lambda x: x - 1, item.hidden or {})
    assert verdict.expected == "up(x) lies between x and x + 2."
    assert verdict.returned == "another finite number"
    for odd in (None, "1", True, [1.0], math.nan, 1 << 5000):
        assert points_of(item, lambda x, odd=odd: odd) == 0
    assert "there is a `return`" in run(lambda x: None, item.visible or {})[0].text()


def test_property_bounds_may_be_one_sided_or_infinite() -> None:
    least = a_property(at_most=None, mistakes=[])
    # a build would refuse this check, because any large number passes it, but it can judge answers
    assert points_of(an_item(least), lambda x: math.inf) == 3
    wide = a_property(at_most=lambda x: math.inf, mistakes=[])
    assert points_of(an_item(wide), lambda x: x * 2) == 3


# --- a student's own test --------------------------------------------------------------------


def test_own_test_earns_the_share_that_it_catches() -> None:
    item = an_item(a_tests_check())
    assert points_of(item, good_test) == 3
    assert points_of(item, weak_test) == 1.5
    assert points_of(item, lambda f: None) == 0
    assert points_of(item, lambda f: False) == 0
    assert points_of(item, lambda f: f([0.5, 0.5], [0.75, 0.25]) and 1 / 0) == 0
    text = run(weak_test, item.hidden or {})[0].text()
    assert "a wrong implementation: P and Q are exchanged" in text
    assert "exchanged(" not in text
    text = run(lambda f: 1 / 0, item.visible or {})[0].text()
    assert "an error of the test itself" in " ".join(text.split())


def test_a_right_implementation_that_is_rejected_is_told_first() -> None:
    """If a student's test rejects a right implementation, the message says so first.

    Rejecting a right implementation costs all points.
    """
    item = an_item(a_tests_check())
    told = "Your test rejects a right implementation"
    for part in (item.visible, item.hidden):
        assert part is not None
        verdict = run(lambda f: 1 / 0, part)[0]
        assert verdict.misconception.startswith(told)
        right = [one["called"].count("a right") for one in verdict.failures]
        assert right == sorted(right, reverse=True) and 0 < sum(right) < len(right)
    assert item.hidden is not None
    (loop,) = (i for i, one in enumerate(item.hidden["suspects"]) if one["words"] == "a loop")
    found = [{"accepts": i != loop} for i in range(5)]
    verdict = judge(item.hidden, found, [True] * 5)
    assert verdict.misconception.startswith(f"{told} (a loop), so it earns nothing. Check")
    assert verdict.failed == 3 and verdict.earned == 0


def to_nan(p: list[float], q: list[float]) -> float:
    return math.nan


def test_a_wrong_answer_that_was_accepted_is_told_as_what_it_was() -> None:
    """If a test accepts a wrong implementation, the message says why the test should reject it."""
    right = [Suspect(f, right=True, words="x") for f in (by_loop, by_arrays)]
    wrong = [Suspect(to_nan, words="nan"), Suspect(in_bits, words="bits")]
    item = an_item(a_tests_check(hidden=[*right, *wrong]))

    def far(f: Callable[..., Any]) -> None:
        if abs(f([0.75, 0.25], [0.5, 0.5]) - math.log(1.5)) > 2:
            raise AssertionError

    assert item.hidden is not None
    for test, words in (
        (
            far,
            {
                "nan": "The implementation returned nan for a call",
                "bits": "gave a wrong answer to a call",
            },
        ),
        (lambda f: None, {"nan": "No call of your test", "bits": "No call of your test"}),
    ):
        failures = run(test, item.hidden)[0].failures
        assert len(failures) == 2
        for one in failures:
            assert words[one["called"].rpartition(": ")[2]] in one["misconception"]


def between_both(x: float) -> float:
    return 2.0 * x if x < 1 else 9.0


def twice(x: float) -> float:
    return 2.0 * x + 1.0


def once(x: float) -> float:
    return x


def test_an_answer_between_right_ones_is_told_apart_from_a_wrong_one() -> None:
    """If a test accepts a wrong implementation, the message says whether any answer was wrong."""
    both = [Suspect(twice, right=True), Suspect(once, right=True, words="x itself")]
    wrong = Suspect(between_both, words="9")
    check = a_tests_check(
        visible=[*both, wrong], hidden=[Suspect(once, right=True, words="x"), wrong]
    )
    part = declared(check, 1)[1]
    assert part is not None
    for test, told in (
        (lambda f: f(0.5) < 9, "No call of your test exposes this implementation: its answers lie"),
        (lambda f: f(0.5) + f(3) < 99, "The implementation gave a wrong answer to a call"),
        (lambda f: None, "No call of your test exposes this implementation: all its answers"),
    ):
        (failure,) = run(test, part)[0].failures
        assert failure["misconception"].startswith(told)

    def only_once(f: Callable[..., Any]) -> None:
        assert f(0.5) == 0.5

    verdict = run(only_once, part)[0]
    assert verdict.earned == 0
    assert "several answers are right there" in verdict.misconception


def test_rejecting_needs_a_reason() -> None:
    """Rejecting a wrong implementation earns points only if it gave the test a wrong answer."""
    _, part = declared(a_tests_check(), 1)
    assert part is not None
    guess = [{"accepts": suspect["right"]} for suspect in part["suspects"]]
    assert judge(part, guess).earned == 0
    assert judge(part, guess, [False] * 9).earned == 0
    assert judge(part, guess, [True] * 9).earned == 2
    assert judge(part, [{"accepts": False}] * 5, [True] * 9).earned == 0


def test_the_order_of_suspects_is_drawn() -> None:
    orders = set()
    for seed in range(6):
        part = declared(a_tests_check(), seed)[1]
        assert part is not None
        orders.add(tuple(suspect["entry"] for suspect in part["suspects"]))
        assert questions(part) == {"cases": 5 * [{"test": True}]}
    assert len(orders) > 1


def test_the_replier_takes_any_request() -> None:
    part = declared(a_tests_check(), 1)[1]
    assert part is not None
    answering = replier(part)
    assert answering is not None
    ended = {"ended": "too many or too large calls"}
    good = {"args": [[0.5, 0.5], [0.5, 0.5]], "kwargs": {}}
    assert "value" in answering(good)
    odd: tuple[Any, ...] = (
        None,
        [],
        "x",
        {},
        good | {"args": {}},
        good | {"kwargs": []},
        good | {"args": [{"pickle": 1}]},
        good | {"args": [{"float": {}}]},
        good | {"args": [{"array": [1], "dtype": "O"}]},
        good | {"args": [{"complex": []}]},
        good | {"args": [10**30]},
        good | {"args": [float("nan")]},
        good | {"args": [[0.0] * 20_000]},
        good | {"args": ["x" * 10**6]},
        good | {"kwargs": {"self": {"dict": 3}}},
    )
    for bad in odd:
        reply = answering(bad)
        assert reply == ended or "raises" in reply, bad
    assert answering(good | {"args": [[1.0]]})["raises"] == "TypeError"
    for _ in range(MAX_REQUESTS):
        answering(good)
    assert answering(good) == ended
    with answering.about(1):
        assert answering(good) != ended, "each implementation has its own calls"


@given(request=anything)
@settings(max_examples=100, deadline=None)
def test_the_replier_survives_any_json(request: Any) -> None:
    part = declared(a_tests_check(), 1)[1]
    assert part is not None
    answering = replier_module.Replier(part, apart=False)
    assert isinstance(answering(request), dict)
    assert isinstance(answering({"args": [request, request], "kwargs": {}}), dict)


def test_implementations_have_limits(monkeypatch: pytest.MonkeyPatch) -> None:
    check = a_tests_check(
        hidden=[*a_tests_check().hidden, Suspect(endless, words="x"), Suspect(hungry, words="y")]
    )
    part = declared(check, 1)[1]
    assert part is not None
    names = [suspect["entry"] for suspect in part["suspects"]]
    answering = replier(part)
    assert answering is not None
    laws = {"args": [[0.5, 0.5], [0.5, 0.5]], "kwargs": {}}
    start = time.monotonic()
    with answering.about(names.index("endless")):
        assert "ended" in answering(laws)
    assert time.monotonic() - start < 30
    with answering.about(names.index("hungry")):
        reply = answering(laws)
    assert reply.get("raises") == "MemoryError" or "ended" in reply
    # after an implementation was ended, the other ones still reply
    for _ in range(2):
        with answering.about(names.index("by_loop")):
            assert answering(laws) == {"value": 0.0}
        implementations.close_all()


def helper_with_closure() -> Callable[..., Any]:
    x = 3

    def inside(p: Any, q: Any) -> int:
        return x

    return inside


def test_source_of_an_implementation() -> None:
    entry, text = implementations.source_of(in_bits)
    assert entry == "in_bits"
    assert implementations.load(entry, text)([0.5, 0.5], [0.25, 0.75]) == 1.0
    assert "TWO = 2.0" in text
    assert "import math" in text
    assert implementations.source_of(divergences.max_divergence) == (
        "dpteach.divergences.max_divergence",
        "",
    )
    assert implementations.load("dpteach.divergences.max_divergence", "")([1.0], [1.0]) == 0.0
    for bad in (helper_with_closure(), len):
        with pytest.raises(ValueError, match="must be a"):
            implementations.source_of(bad)


# --- students' functions that call dpteach


def notebook(text: str) -> dict[str, Any]:
    """Return the variables of a notebook that has run one cell with this text."""
    import linecache

    name = f"<cell {hash(text)}>"
    linecache.cache[name] = (len(text), None, text.splitlines(keepends=True), name)
    names: dict[str, Any] = {"__name__": "__main__"}
    exec(compile(text, name, "exec"), names)
    return names


KL = "divergences.kl_divergence(p, p)"
HELPER = f"def g(p):\n    import dpteach.divergences as d\n    return d.{KL[12:]}\n"


@pytest.mark.parametrize(
    ("text", "used"),
    [
        ("def f(p): return p", False),
        ("from dpteach.grading import check\ndef f(p): return p", False),
        ("import dpteach\ndef f(p): return p", False),
        ("def f(p): return p\nfrom dpteach import divergences", False),
        ("from dpteach import divergences\ndef f(p): return p", True),
        ("import dpteach.divergences as d\ndef f(p): return p", True),
        (f"import dpteach\ndef f(p): return dpteach.{KL}", True),
        (f"def f(p):\n    from dpteach import divergences\n    return {KL}", True),
        (
            "def f(p):\n    import importlib\n"
            "    d = importlib.import_module('dpteach.divergences')\n"
            "    return d.kl_divergence(p, p)",
            True,
        ),
        (HELPER + "def f(p): return g(p)", True),
        (HELPER + "def f(p): return p or g(p)", False),
        (
            "import dpteach\nclass C:\n    def __call__(self, p):\n"
            f"        return dpteach.{KL}\nf = C()",
            True,
        ),
        ("import dpteach\ndef f(p, d=dpteach.divergences): return d.kl_divergence(p, p)", True),
    ],
)
def test_the_library_behind_an_answer(text: str, used: bool) -> None:
    function = notebook(text)["f"]
    _, words = reach.watched(function, lambda: function([0.5, 0.5]))
    assert bool(words) is used


def test_a_library_function_by_another_name() -> None:
    _, words = reach.watched(divergences.kl_divergence, lambda: divergences.kl_divergence([1], [1]))
    assert words == "Your function uses `kl_divergence` of dpteach."
    assert reach._reach(math.log)[0] == ""


# --- errors that the build reports -----------------------------------------------------------


HEAD = """---
jupytext:
  text_representation: {extension: .md, format_name: myst}
kernelspec: {display_name: Python 3, language: python, name: python3}
---

```{code-cell} ipython3
:kind: solution
:name: double

def double(x):
    \"\"\"Twice x.\"\"\"
    ### BEGIN SOLUTION
    return 2 * x
    ### END SOLUTION
```

```{code-cell} ipython3
:kind: check

"""


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (
            'PropertyCheck(name="d", points=1, call="double", statement="s", at_least=lambda x: x,'
            ' visible=[Case(1), Case(2)], book="x#y")',
            "always gives the same answer",
        ),
        (
            'Check(name="d", points=1, call="double", visible=[Case("x", raises=TypeError)],'
            ' book="x#y")',
            "always gives the same answer",
        ),
        (
            'Check(name="d", points=1, call="double", visible=[Case(1), Case(2)],'
            ' hidden=[Fresh(lambda rng: Case(rng.uniform()), words="x")],'
            ' expected=lambda x: 2 * x if x == int(x) else 3 * x, book="x#y")',
            "solution does not pass",
        ),
        (
            'Check(name="d", points=1, call="double", visible=[Case(1), Case(2)],'
            ' hidden=[Fresh(lambda rng: 1 / 0, words="x")], expected=lambda x: 2 * x,'
            ' book="x#y")',
            "small.md",
        ),
    ],
)
def test_the_build_refuses(text: str, words: str, tmp_path: Path) -> None:
    (tmp_path / "small.md").write_text(f"{HEAD}{text}\n```\n")
    with pytest.raises(SourceError, match=words):
        build_source(tmp_path / "small.md", tmp_path / "out")
    with pytest.raises(SourceError, match=words):
        make_exam(tmp_path / "small.md", 5)


def test_every_exam_that_is_asked_for_is_tried(tmp_path: Path) -> None:
    (tmp_path / "small.md").write_text(
        f'{HEAD}Check(name="d", points=1, call="double", visible=[Case(1), Case(2)],'
        ' hidden=[Fresh(lambda rng: Case(rng.uniform()), words="x")],'
        ' expected=lambda x: 2 * x if x < 0.5 or x >= 1 else 3 * x, book="x#y")\n```\n'
    )
    source = read_source(tmp_path / "small.md")
    checks = read_checks(source)
    (check,) = checks.values()
    drawn = {seed: check.drawn(seed).hidden[0].args[0] for seed in range(20)}
    fine = [seed for seed, x in drawn.items() if x < 0.5]
    (wrong, *_) = sorted(set(drawn) - set(fine))
    proved(source, checks, fine)
    with pytest.raises(SourceError, match="solution does not pass"):
        proved(source, checks, [*fine, wrong])


def test_absolute_rule_and_zero() -> None:
    part, _ = declared(a_check(compare=Absolute(1e-6), hidden=[]))
    assert run(lambda a, b: ratio(a, b) + 1e-7, part)[0].passed


def test_hidden_answers_are_not_repeated() -> None:
    """Messages on hidden cases state no shapes or times, which could reveal hidden arguments."""
    case = {"args": [2], "kwargs": {}, "words": "a number", "expected": [4, 4], "mistakes": []}
    part = {
        "kind": "values",
        "name": "square",
        "points": 1,
        "call": "square",
        "book": "renyi_dp#x",
        "place": "",
        "compare": {"relative": 1e-9, "absolute": 0.0},
        "recognise": [],
        "builds_on": [],
        "messages": [],
        "cases": [case, case],
    }
    for outcome in ({"late": 0.002173}, {"value": [[0.0] * 2173]}, {"value": [0] * 2173}):
        verdict = judge({**part, "hidden": True}, [outcome, {"value": [4, 4]}])
        assert not verdict.passed and "2173" not in str(verdict.to_data())
    assert "2173 numbers" in judge({**part, "hidden": False}, [{"value": [0] * 2173}]).misconception


def test_a_mistake_is_named_only_if_no_right_answer_refutes_it() -> None:
    def case(expected: float | None, wrong: float | None) -> dict[str, Any]:
        mistakes = [None if wrong is None else {"value": wrong}]
        rest = {"raises": ["ValueError"]} if expected is None else {"expected": expected}
        return {"args": [2], "kwargs": {}, "words": "", "mistakes": mistakes, **rest}

    part = {
        "kind": "values",
        "name": "square",
        "points": 1,
        "call": "square",
        "hidden": False,
        "book": "renyi_dp#x",
        "place": "",
        "compare": {"relative": 1e-9, "absolute": 0.0},
        "recognise": [{"relative": 1e-9, "absolute": 0.0}],
        "builds_on": [],
        "messages": ["That is the cube."],
        "cases": [case(4, 8), case(None, 3)],
    }
    refusal = {"raises": "ValueError", "kinds": ["ValueError"], "message": ""}
    assert judge(part, [{"value": 4}, {"value": 3}]).misconception == ""
    assert judge(part, [{"value": 8}, {"value": 3}]).misconception == "That is the cube."
    assert judge(part, [{"value": 8}, refusal]).misconception == "That is the cube."


def test_a_name_that_a_later_cell_uses_again(monkeypatch: pytest.MonkeyPatch) -> None:
    main = types.ModuleType("__main__")
    monkeypatch.setitem(sys.modules, "__main__", main)
    exec("factor = 2\ndef double(x):\n    return factor * x", vars(main))
    assert remember("item", "double") == "function"
    main.factor = 3  # type: ignore[attr-defined]
    question = {"cases": [{"args": [5], "kwargs": {}}]}
    text = json.dumps({"item": "item", "question": question})
    assert json.loads(answer(text))["outcomes"] == [{"value": 10}]
    assert main.factor == 3
