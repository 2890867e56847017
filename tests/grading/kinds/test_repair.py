"""Tests of repair checks, in which students repair a broken mechanism by a few changes.

The tests cover how much students may change, and the distribution of the repaired answers.
"""

from __future__ import annotations

import json
import linecache
import math
import re
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import nbformat
import numpy as np
import pytest
from in_process import InProcess

from dpteach.grading import Case, Law, Mistake, RepairCheck
from dpteach.grading.author.making import make_exam
from dpteach.grading.author.mutants import Mutant, read_bank, submission
from dpteach.grading.author.parts import declared
from dpteach.grading.author.source import read_source
from dpteach.grading.classroom.session import grade_submission
from dpteach.grading.core.exam import Exam
from dpteach.grading.core.observe import observe
from dpteach.grading.core.result import Result
from dpteach.grading.judging.credit import credit
from dpteach.grading.judging.judge import judge
from dpteach.grading.judging.questions import questions
from dpteach.grading.kinds.repair.judge import problem_with, text_alone
from dpteach.grading.sandbox.limits import Limits
from dpteach.grading.student.runner import run

TEXT = Path(__file__).parent / "courses" / "assignments" / "repair.md"
SOURCE = read_source(TEXT)
BANK = read_bank(TEXT.parents[1] / "mutants" / TEXT.stem)
SEED = 20_261_122


def broken(values: list[float], epsilon: float, rng: np.random.Generator) -> float:
    """Return a noisy sum of values cut at 1, whose noise wrongly depends on the largest value."""
    most = max(values)
    total = 0.0
    for value in values:
        total += min(value, 1.0)
    return float(total + rng.laplace(0.0, most / epsilon))


def a_repair_check(**changes: Any) -> RepairCheck:
    arguments: dict[str, Any] = {
        "name": "repaired",
        "points": 2,
        "call": "total",
        "broken": broken,
        "law": lambda values, epsilon: Law(
            "laplace", loc=sum(min(value, 1.0) for value in values), scale=1 / epsilon
        ),
        "draws": 2000,
        "visible": [Case([0.25, 3.0], 1.0)],
        "hidden": [Case([0.5, 0.25, 5.0], 0.5, words="three values")],
        "mistakes": [
            Mistake(
                lambda values, epsilon: Law("laplace", loc=sum(values), scale=1 / epsilon),
                "The values are not clipped.",
            )
        ],
        "book": "divergences#max-divergence",
    }
    return RepairCheck(**(arguments | changes))


REPAIRED = """def total(values, epsilon, rng):
    most = 1.0
    total = 0.0
    for value in values:
        total += min(value, 1.0)
    return float(total + rng.laplace(0.0, most / epsilon))
"""


@pytest.mark.parametrize(
    ("error", "words", "make"),
    [
        (TypeError, "broken must be a function", lambda: a_repair_check(broken="def f(): pass")),
        (TypeError, "changes must be an integer", lambda: a_repair_check(changes=1.0)),
        (TypeError, "changes must be an integer", lambda: a_repair_check(changes=True)),
        (ValueError, "builds_on must not be given", lambda: a_repair_check(builds_on=["other"])),
        (ValueError, "changes must be an integer >= 1", lambda: a_repair_check(changes=0)),
        (ValueError, "raises must not", lambda: a_repair_check(visible=[Case(raises=ValueError)])),
        (
            ValueError,
            "must be a plain function",
            lambda: declared(a_repair_check(broken=partial(broken, epsilon=1.0))),
        ),
        (
            ValueError,
            "broken must fail a visible case",
            lambda: declared(a_repair_check(visible=[Case([0.25, 1.0], 1.0)])),
        ),
    ],
)
def test_bad_declarations(error: type[Exception], words: str, make: Callable[[], object]) -> None:
    with pytest.raises(error, match=words):
        make()


# --- the number of changed statements


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("most = 1.0", "most = 1"),
        ("most = 1.0", "most = max(1.0, 0.5)  # whatever comes"),
        ("most = 1.0", "most = np.minimum(1.0, math.inf)"),
        ("most = 1.0", "most = pow(1.0, 2)"),
        ("most = 1.0", "most = [x for x in (1.0,)][0]"),
        ("total = 0.0", "total = (\n        0.0\n    )"),
        ("def total(values, epsilon, rng):", 'def total(values, epsilon, rng):\n    """Text."""'),
        ("def total(values", "import numpy as np\n\nLIMIT = 3\n\ndef total(values"),
    ],
)
def test_a_repair(old: str, new: str) -> None:
    part = declared(a_repair_check())[0]
    assert old in REPAIRED
    assert problem_with(REPAIRED.replace(old, new), part) == ""


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("most = 1.0", "most = max(values)", "no statement is different"),
        ("total = 0.0", "total = 0.5", "2 statements differ from the given code, but only 1 may"),
        ("total = 0.0", "total = 0.0\n    print(total)", "2 statements differ"),
        ("        total += min(value, 1.0)", "        pass", "2 statements differ"),
        ("for value in values:", "for value in values[1:]:", "2 statements differ"),
        ("    total = 0.0\n", "", "in place of `most = max.values.`; `total = 0.0`"),
        ("most = 1.0", "most = limit", "uses `limit`.*functions of Python: abs, .* zip"),
        ("most = 1.0", "most = eval('1.0')", "uses `eval`"),
        ("most = 1.0", "most = __import__('mine').x", "uses `__import__`"),
        ("most = 1.0", "most = rng.__class__", "uses `__class__`"),
        ("most = 1.0", "import mine as most", "uses something from elsewhere"),
        ("most = 1.0", "most = (lambda x: helper(x))(1.0)", "uses `helper`"),
        ("epsilon, rng)", "epsilon, rng, most=1.0)", "The first line of `total`"),
        ("def total", "@cache\ndef total", "no decorator"),
        ("def total", "async def total", "by one `def`"),
        ("def total", "def other", "must define `total`"),
        ("def total", "total = 3\n\ndef total", "give the name no other meaning"),
        ("def total", "from mine import total\n\ndef total", "give the name no other meaning"),
        ("def total", "for total in ():\n    pass\n\ndef total", "give the name no other meaning"),
        ("def total", "if True:\n    def total(): pass\n\ndef total", "give the name no other"),
        ("most = 1.0", "most = (", "cannot be read as Python"),
        ("most = 1.0", "most = " + "(" * 500 + "1.0" + ")" * 500, "cannot be read|differ"),
        ("most = 1.0", "most = '" + "x" * 30_000 + "'", "far longer"),
        ("most = 1.0", "most = 1.0\0", "cannot be read as Python"),
    ],
)
def test_no_repair(old: str, new: str, words: str) -> None:
    part = declared(a_repair_check())[0]
    assert old in REPAIRED
    found = problem_with(REPAIRED.replace(old, new), part)
    assert found
    assert re.search(words, found)
    assert len(found) < 600


def test_as_many_changes_as_are_announced() -> None:
    part = declared(a_repair_check(changes=2))[0]
    two = REPAIRED.replace("total = 0.0", "total = 0 * len(values)")
    assert problem_with(two, part) == ""
    assert "3 statements differ" in problem_with(two.replace("float(", "abs("), part)


def test_moved_statements_count() -> None:
    part = declared(a_repair_check())[0]
    lines = REPAIRED.splitlines()
    lines[1], lines[2] = "    total = 0.0", "    most = max(values)"
    assert "statements differ" in problem_with("\n".join(lines), part)


def test_the_text_that_is_judged_is_what_runs() -> None:
    """`text_alone` returns only a function's definition, without its annotations.

    It returns "" if the function has a decorator, so the grader refuses such a function.
    """
    cell = (
        "import os\n\ndef total(x: os.abort()) -> os.abort():\n    return x\n\ntotal.__code__ = 3"
    )
    assert text_alone(cell, "total") == "def total(x):\n    return x"
    assert text_alone("@os.abort\ndef total(x):\n    return x", "total") == ""


def test_a_name_that_is_taken_may_not_be_used() -> None:
    part = declared(a_repair_check())[0]
    # the repaired function uses `float` and `min`, although only in unchanged statements; it must
    # be refused if the notebook gives one of these names another meaning
    for name in ("float", "min"):
        assert f"`{name}`, which has another meaning" in problem_with(
            REPAIRED, part | {"taken": [name]}
        )
    assert problem_with(REPAIRED, part | {"taken": ["sum", "np"]}) == ""
    function = defined("def float(x):\n    return 0.0\n\n\n" + REPAIRED, "total")
    verdict, _ = run(function, part)
    assert "`float`, which has another meaning in this notebook" in verdict.misconception


# --- the answers of the repaired mechanism


def defined(text: str, name: str) -> Any:
    """Define a function from its text such that `inspect` finds the text, as in a notebook."""
    file = f"<cell {name} {hash(text)}>"
    linecache.cache[file] = (len(text), None, text.splitlines(keepends=True), file)
    names: dict[str, Any] = {"__name__": "student", "np": np, "math": math}
    exec(compile(text, file, "exec"), names)
    return names[name]


@pytest.fixture(scope="module")
def exam() -> Exam:
    return make_exam(TEXT, SEED)


@pytest.mark.parametrize("mutant", BANK, ids=lambda mutant: mutant.name)
def test_points(exam: Exam, mutant: Mutant) -> None:
    cells = {cell.name: cell.source for cell in SOURCE.of_kind("solution")} | dict(mutant.cells)
    for item in exam.items:
        function = defined(cells[item.call], item.call)
        verdicts = [run(function, part)[0] for part in (item.visible, item.hidden) if part]
        assert credit(item, *verdicts) == mutant.points.get(item.name, item.points)
        for verdict in verdicts:
            assert verdict.passed or verdict.misconception


def test_both_the_text_and_the_law_count() -> None:
    visible, hidden = declared(a_repair_check())
    assert hidden is not None
    good = defined(REPAIRED, "total")
    assert run(good, visible)[0].passed
    assert run(good, hidden)[0].passed
    # the right function's text does not pass with the outputs of another function
    outcomes, _ = observe(broken, questions(visible))
    assert not judge({**visible, "source": REPAIRED}, outcomes).passed
    # the right function's outputs do not pass with another function's text, or with a text that
    # has errors
    outcomes, _ = observe(good, questions(visible))
    assert judge({**visible, "source": REPAIRED}, outcomes).passed
    for text in ("", "def total(values, epsilon, rng):\n    return 1.0", "x = (", "\0"):
        verdict = judge({**visible, "source": text}, outcomes)
        assert not verdict.passed
        assert verdict.misconception
    assert not judge(visible, outcomes).passed


def test_nothing_and_constants_earn_nothing() -> None:
    visible, _ = declared(a_repair_check())
    blank = "def total(values, epsilon, rng):\n    raise NotImplementedError()"
    verdict = run(defined(blank, "total"), visible)[0]
    assert not verdict.passed
    assert "is not written yet" in verdict.misconception
    constant = REPAIRED.replace("float(total", "float(0 * total")
    assert not run(defined(constant, "total"), visible)[0].passed
    assert not run(partial(broken, epsilon=1.0), visible)[0].passed
    assert not run(len, visible)[0].passed


@pytest.mark.parametrize(
    "found", [None, [], [{}], [{"value": 1.0}], [{"values": "x"}], [{"source": REPAIRED}]]
)
def test_any_json_has_a_verdict(found: Any) -> None:
    visible, _ = declared(a_repair_check())
    verdict = judge({**visible, "source": REPAIRED}, found)
    assert (verdict.passed, verdict.earned) == (False, 0)
    json.dumps(verdict.to_data(), allow_nan=False)


#: a cell with a correct mechanism, which replaces the function that an earlier cell defines
LATER = """
def private_total(values, bound, epsilon, rng):
    return float(np.minimum(values, bound).sum() + rng.laplace(0.0, bound / epsilon))
"""


@pytest.mark.slow
@pytest.mark.requires("bubblewrap")
def test_the_function_that_counts_is_that_of_its_cell(
    exam: Exam, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The grader judges the function of the item's cell, not a later function of the same name."""
    reads: Any = nbformat.reads
    writes: Any = nbformat.writes
    release = reads(exam.notebook, 4)
    bank = {mutant.name: mutant.cells for mutant in BANK}
    worse = "def private_total(values, bound, epsilon, rng):\n    return 0.0"
    helper, _, function = bank["another_round"]["private_total"].partition("\n\n\n")
    graded = {}
    for name, cells, later in (
        ("dies", {"private_total": "import os\n\ndef private_total():\n    pass\nos._exit(1)"}, ""),
        ("right", {}, ""),
        ("better later", bank["unchanged"], LATER),
        ("worse later", {}, worse),
        ("helper", bank["helper"], ""),
        ("round elsewhere", {"private_total": function}, helper),
        ("raises", {"private_total": "def private_total(:"}, ""),
    ):
        notebook = submission(release, SOURCE, cells)
        if later:
            place = next(
                i
                for i, cell in enumerate(notebook.cells)
                if cell.metadata.get("nbgrader", {}).get("grade_id") == "private_total"
            )
            notebook.cells.insert(place + 1, nbformat.v4.new_code_cell(later))  # type: ignore[no-untyped-call]
        files = {"repair.ipynb": writes(notebook).encode()}
        result = Result.from_bytes(grade_submission(exam.to_bytes(), files, Limits()))
        graded[name] = [item.score for item in result.items]
        # to save time, only the first three submissions, up to "better later", use the sandbox
        if name == "better later":
            InProcess.put_in(monkeypatch)
    assert graded == {
        "right": [2, 2],
        "better later": [0, 0],
        "worse later": [2, 2],
        "helper": [0, 2],
        "round elsewhere": [0, 2],
        "dies": [0, 2],
        "raises": [0, 2],
    }
