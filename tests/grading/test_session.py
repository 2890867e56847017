"""Tests of grading one submission, including submissions that end the kernel."""

from __future__ import annotations

import copy
import json
import textwrap
import time
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, ClassVar

import nbformat
import pytest
from pseudo import untranslated
from small_course import DOUBLE, HALF, HEADER, WHY

from dpteach.grading.author.making import make_exam
from dpteach.grading.classroom import session
from dpteach.grading.classroom.session import RESTARTS, grade_submission
from dpteach.grading.core import harmless, observe
from dpteach.grading.core.exam import Exam
from dpteach.grading.core.reasons import REASONS
from dpteach.grading.core.result import ItemResult, Result
from dpteach.grading.sandbox.limits import Limits
from dpteach.grading.sandbox.sandbox import Execution, KernelGoneError
from dpteach.grading.submission import repair
from dpteach.grading.submission.intake import fingerprint

NAME = "small"
SOURCE = f'''{HEADER}
# A small assignment

```{{code-cell}} ipython3
:kind: given
:name: imports

import math
```

{DOUBLE}
```{{code-cell}} ipython3
:kind: check

Check(
    name="double_values", points=2, call="double", expected=lambda x: 2.0 * x,
    compare=Relative(1e-9), book="renyi_dp#renyi-dp",
    visible=[Case(1.5), Case(-2.25)],
    hidden=[Case(73519.25, words="a large number"), Case(-41837.5, words="a negative number")],
    mistakes=[Mistake(lambda x: x * x, "That is the square.")],
)
```

```{{code-cell}} ipython3
:kind: check

Check(
    name="double_errors", points=1, call="double", expected=lambda x: 2.0 * x,
    compare=Relative(1e-9), book="renyi_dp#renyi-dp",
    visible=[Case(0.125)],
    hidden=[Case(0.8126734, words="a small number")],
)
```

{HALF}
```{{code-cell}} ipython3
:kind: check

Check(
    name="half_values", points=2, call="half", expected=lambda x: x / 2.0,
    compare=Relative(1e-9), book="renyi_dp#renyi-dp",
    visible=[Case(1.5), Case(-2.25)],
    hidden=[Case(61234.75, words="a large number"), Case(-51234.5, words="a negative number")],
)
```

```{{code-cell}} ipython3
:kind: solution
:name: third

def third(x):
    """A third of x."""
    ### BEGIN SOLUTION
    return x / 3
    ### END SOLUTION
```

```{{code-cell}} ipython3
:kind: check

Check(
    name="third_values", points=4, call="third", expected=lambda x: x / 3.0, partial=True,
    compare=Relative(1e-9), book="renyi_dp#renyi-dp",
    visible=[Case(1.5)],
    hidden=[Case(11237.75, words="a large number"), Case(-91234.5, words="a negative number"),
            Case(41923.5, words="another large number")],
)
```

{WHY}
+++

The end.
'''
HIDDEN = ("73519", "147038", "41837", "83675", "8126", "625346", "61234", "30617", "51234", "25617")
HIDDEN += ("11237", "3745", "91234", "30411", "41923", "13974")

RIGHT = {
    "double": "def double(x):\n    return x + x",
    "half": "def half(x):\n    return 0.5 * x",
    "third": "def third(x):\n    return x / 3.0",
    "why": "Because $p<q$.",
}
FULL = {"double_values": 2, "double_errors": 1, "half_values": 2, "third_values": 4, "why": None}


@pytest.fixture(scope="module")
def exam(tmp_path_factory: pytest.TempPathFactory) -> Exam:
    path = tmp_path_factory.mktemp("exam") / f"{NAME}.md"
    path.write_text(SOURCE)
    return make_exam(path, 11)


def name_of(cell: Any) -> str:
    return str(cell["metadata"].get("nbgrader", {}).get("grade_id", ""))


def released(exam: Exam) -> dict[str, Any]:
    notebook: dict[str, Any] = json.loads(exam.notebook)
    named = [cell for cell in notebook["cells"] if name_of(cell)]
    for cell, place in zip(named, repair.shape(exam.notebook).places, strict=True):
        cell["source"] = place.released
        cell["metadata"] = json.loads(place.metadata)
    return notebook


def handed_in(exam: Exam, extra: Mapping[str, str] | None = None, **cells: str) -> dict[str, bytes]:
    """Return a right submission in which some cells are replaced and others are added.

    `cells` has new texts by the name of a cell, and `extra` the texts of added cells by the name of
    the cell below.
    """
    notebook = released(exam)
    done = []
    for cell in notebook["cells"]:
        if name_of(cell) in (extra or {}):
            done.append({**code(), "source": (extra or {})[name_of(cell)]})
        cell["source"] = (RIGHT | cells).get(name_of(cell), cell["source"])
        done.append(cell)
    return {f"{NAME}.ipynb": json.dumps(notebook | {"cells": done}).encode()}


def code() -> dict[str, Any]:
    return {"cell_type": "code", "metadata": {}, "outputs": [], "execution_count": None}


def points(result: Result) -> dict[str, float | None]:
    return {item.name: item.score for item in result.items}


def item(result: Result, name: str) -> ItemResult:
    return next(one for one in result.items if one.name == name)


def outputs(result: Result, name: str) -> list[Any]:
    cells = json.loads(result.notebook)["cells"]
    found: list[Any] = next(cell["outputs"] for cell in cells if name_of(cell) == name)
    return found


def words(result: Result, name: str) -> str:
    return "".join(output.get("text", "") for output in outputs(result, name))


class Fake:
    """A simulated kernel, which runs cells in this process.

    A cell can end the kernel by ``END(reason)`` and move the simulated clock by ``SLEEP(seconds)``.
    """

    log: ClassVar[list[str]] = []
    started: ClassVar[int] = 0
    clock: ClassVar[float] = 0.0
    delayed: float = 0.0

    def __init__(
        self, limits: Limits, *, unsafe: bool = False, data: Mapping[str, bytes] | None = None
    ) -> None:
        self.limits, self.kind = limits, "none" if unsafe else "bubblewrap"
        self.kept: dict[str, Any] = {}
        self.gone = ""

        def end(reason: str) -> None:
            self.gone = reason
            raise KernelGoneError(reason)

        start = Fake.clock

        def sleep(seconds: float) -> None:
            Fake.clock += seconds
            if Fake.clock > start + limits.wall_seconds:
                end("time")

        self.space: dict[str, Any] = {"END": end, "SLEEP": sleep, "KERNEL": Fake.started}
        self.space["FIRST"] = Fake.started == 0

    def __enter__(self) -> Fake:
        Fake.started += 1
        Fake.log.append("start")
        return self

    def __exit__(self, *found: object) -> None:
        self.gone = "closed"

    def execute(self, source: str, seconds: float | None = None) -> Execution:
        assert not self.gone
        Fake.log.append(f"cell {source[:20]}")
        try:
            exec(source, self.space)
        except KernelGoneError:
            raise
        except Exception as error:
            trace = [f"{type(error).__name__}: {error}"]
            name = type(error).__name__
            output = {"output_type": "error", "ename": name, "evalue": str(error)}
            return Execution("error", [output | {"traceback": trace}])
        cut = self.space.pop("CUT", False)
        return Execution("ok", self.space.pop("OUTPUTS", []), truncated=cut)

    def ask(self, question: Any, seconds: float, reply: Any = None) -> Any:
        assert not self.gone
        known = {}
        if "call" in question:
            if question["call"] not in self.space:
                return {"known": "missing"}
            self.kept[question["item"]] = self.space[question["call"]]
            known = {"known": "function"}
        if "question" not in question:
            return known
        kind = "visible" if not set(HIDDEN) & digits(question["question"]) else "hidden"
        Fake.log.append(f"{kind} {question['item']}")
        function = self.kept[question["item"]]
        if "FORGE" in self.space:
            return self.space["FORGE"]
        outcomes, printed = observe.observe(function, question["question"])
        if self.gone:
            raise KernelGoneError(self.gone)
        return known | {"outcomes": outcomes, "printed": printed}


def digits(question: Any) -> set[str]:
    text = json.dumps(question)
    return {number for number in HIDDEN if number in text}


@pytest.fixture
def fake(monkeypatch: pytest.MonkeyPatch) -> type[Fake]:
    Fake.log, Fake.started, Fake.clock = [], 0, 0.0
    monkeypatch.setattr(session, "Sandbox", Fake)
    monkeypatch.setattr(session.time, "monotonic", lambda: Fake.clock)
    return Fake


def graded(exam: Exam, files: Mapping[str, bytes], **options: Any) -> Result:
    data = grade_submission(exam.to_bytes(), files, Limits(), **options)
    result = Result.from_bytes(data)
    assert result.to_bytes() == data
    check_sound(exam, result)
    return result


def check_sound(exam: Exam, result: Result) -> None:
    """Assert what must hold for every result, whatever was submitted."""
    text = result.to_bytes().decode()
    for number in HIDDEN:
        assert number not in text, number
    if not result.notebook:
        assert result.status == "refused"
        assert result.score == 0
        return
    read: Any = nbformat
    notebook = read.reads(result.notebook, 4)
    nbformat.validate(notebook)


def test_right_and_blank(exam: Exam, fake: type[Fake]) -> None:
    result = graded(exam, handed_in(exam))
    assert points(result) == FULL
    assert (result.status, result.notices, result.sandbox) == ("graded", (), "bubblewrap")
    assert result.submission == fingerprint(handed_in(exam))
    assert result.instructor == exam.instructor
    assert [one.key for one in result.items] == [one.key for one in exam.items]
    assert result.solutions == {name: RIGHT[name] for name in ("double", "half", "third")}
    assert item(result, "why").score is None
    assert "right on 2 of 2 hidden cases" in words(result, "double_values")
    assert "printed" not in words(result, "double_values")
    for part in (item(result, "double_values").visible, item(result, "double_values").hidden):
        assert part is not None and (part["tried"], part["failed"]) == (2, 0)

    blank = graded(exam, {f"{NAME}.ipynb": json.dumps(released(exam)).encode()})
    assert set(points(blank).values()) == {0}
    assert item(blank, "why").reason == "unanswered"
    assert "`double` is not written yet" in words(blank, "double_values")
    assert item(blank, "double_values").hidden is None


def test_an_answer_of_nothing(exam: Exam, fake: type[Fake]) -> None:
    for answer in ("", "\n ", repair.STUBS["markdown"] + " "):
        assert item(graded(exam, handed_in(exam, why=answer)), "why").reason == "unanswered"
    for answer, blank in ((f"x\n  {repair.UNWRITTEN}", True), (f"# {repair.UNWRITTEN}\nx", False)):
        code = {"cell_type": "code", "source": answer}
        assert repair.is_unanswered(code) is blank, "a stub in a comment beside an answer is none"


@pytest.mark.slow
def test_nbgrader_reads_the_same_points(exam: Exam, fake: type[Fake]) -> None:
    from nbgrader.nbgraderformat import MetadataValidator
    from nbgrader.utils import compute_checksum, determine_grade

    read: Any = nbformat
    submissions = [
        handed_in(exam),
        handed_in(exam, why=""),
        handed_in(exam, third="def third(x):\n    return x / 3 if x > 0 else 0"),
        handed_in(exam, double="END('died')", half="def half(x):\n    END('memory')"),
        {f"{NAME}.ipynb": json.dumps(released(exam)).encode()},
    ]
    for files in submissions:
        result = graded(exam, files)
        notebook = read.reads(result.notebook, 4)
        MetadataValidator().validate_nb(notebook)
        for cell in notebook.cells:
            if cell.metadata.get("nbgrader", {}).get("grade"):
                one = item(result, name_of(cell))
                assert determine_grade(cell) == (one.score, one.points)
                if one.kind == "check":
                    assert cell.metadata.nbgrader.checksum == compute_checksum(cell)


def test_hidden_cases_come_when_all_cells_have_run(exam: Exam, fake: type[Fake]) -> None:
    graded(exam, handed_in(exam))
    kinds = [line.split()[0] for line in fake.log]
    assert kinds.index("hidden") > max(i for i, kind in enumerate(kinds) if kind != "hidden")
    assert kinds.count("hidden") == 4
    assert fake.started == 1


def test_the_function_is_the_one_at_the_check(exam: Exam, fake: type[Fake]) -> None:
    later = {"half": "def double(x):\n    return 0"}
    assert points(graded(exam, handed_in(exam, later))) == FULL


def test_checks_are_not_executed(exam: Exam, fake: type[Fake]) -> None:
    graded(exam, handed_in(exam))
    assert not [line for line in fake.log if "check" in line]


def test_partial_credit_is_read_by_nbgrader(exam: Exam, fake: type[Fake]) -> None:
    third = "def third(x):\n    return x / 3 if x > 0 else 0"
    result = graded(exam, handed_in(exam, third=third))
    score = item(result, "third_values").score
    assert score is not None and 0 <= score < 4
    assert outputs(result, "third_values")[-1]["data"] == {"text/plain": repr(score)}


def test_a_wrong_function(exam: Exam, fake: type[Fake]) -> None:
    result = graded(
        exam, handed_in(exam, double="def double(x):\n    print('hm')\n    return x * x")
    )
    assert points(result) == FULL | {"double_values": 0, "double_errors": 0}
    assert "That is the square." in words(result, "double_values")
    assert "(your function printed: hm\nhm)\n" in words(result, "double_values")
    seen = item(result, "double_values").visible
    assert seen is not None and seen["failures"][1]["returned"] == "5.0625"


def test_what_differs_from_run_to_run_is_left_out(exam: Exam, fake: type[Fake]) -> None:
    half = "def half(x):\n    return '<f at 0x7f0123456789>'"
    told = json.dumps(item(graded(exam, handed_in(exam, half=half)), "half_values").visible)
    assert "0x7f" not in told and told.count("0x...") >= 3


def test_errors_before_a_check(exam: Exam, fake: type[Fake]) -> None:
    result = graded(exam, handed_in(exam, double="import nowhere_to_be_found\n" + RIGHT["double"]))
    assert points(result) == FULL | {"double_values": 0, "double_errors": 0}
    one = item(result, "double_values")
    assert one.reason == "missing"
    assert one.note.startswith("Your cell `double` raised ModuleNotFoundError: No module named")
    assert one.note in words(result, "double_values")
    assert [(notice.code, notice.cell) for notice in result.notices] == [("cell_error", "double")]

    result = graded(
        exam, handed_in(exam, {"double": "k = 1 / 0"}, double="def double(x): return k*x")
    )
    note = item(result, "double_values").note
    assert note == "Your cell `k = 1 / 0` raised ZeroDivisionError: division by zero."

    result = graded(exam, handed_in(exam, half="print('nothing')"))
    assert item(result, "half_values").note == "No cell before the check defines a function `half`."


def test_the_cell_that_explains_is_the_one_that_defines(exam: Exam, fake: type[Fake]) -> None:
    """If the cell that defines a failed item's function raised an error, a note quotes it."""
    wrong = "def double(x):\n    return x"
    extra = {"double": "1 / 0"}
    result = graded(exam, handed_in(exam, extra, double=f"{wrong}\nraise ValueError('mine.')"))
    assert item(result, "double_values").note == "Your cell `double` raised ValueError: mine."
    result = graded(exam, handed_in(exam, extra, double=wrong))
    assert item(result, "double_values").note == ""
    # a note names no cell below the check, and a right answer needs no note
    result = graded(exam, handed_in(exam, {"half": "1 / 0"}, double="x = 1"))
    assert item(result, "double_values").note.startswith("No cell before the check defines")
    raising = f"{RIGHT['half']}\nraise ValueError('mine')"
    result = graded(exam, handed_in(exam, half=raising))
    assert points(result) == FULL and item(result, "half_values").note == ""
    assert [notice.cell for notice in result.notices] == ["half"]


def test_only_so_much_is_said(exam: Exam, fake: type[Fake]) -> None:
    notebook = json.loads(handed_in(exam)[f"{NAME}.ipynb"])
    notebook["cells"] += [{**code(), "source": f"raise ValueError({i})"} for i in range(25)]
    result = graded(exam, {f"{NAME}.ipynb": json.dumps(notebook).encode()})
    texts = [notice.text for notice in result.notices]
    assert texts == [
        f"Your cell `raise ValueError({i})` raised ValueError: {i}." for i in range(20)
    ]
    shown = json.loads(result.notebook)["cells"]
    counts = [cell["execution_count"] for cell in shown if cell["cell_type"] == "code"]
    assert counts == list(range(1, len(counts) + 1))


def test_cells_that_printed_too_much(exam: Exam, fake: type[Fake]) -> None:
    result = graded(exam, handed_in(exam, {"imports": "CUT = True", "half": " \n "}))
    assert [notice.code for notice in result.notices] == ["output_cut"]
    assert not [line for line in fake.log if line.split() == ["cell"]], "nothing is no cell"


def test_a_question_alone_needs_no_kernel(exam: Exam, fake: type[Fake]) -> None:
    assert points(graded(exam, handed_in(exam), items=["why"])) == {"why": None}
    assert fake.started == 0


def test_a_picture_is_an_answer(exam: Exam, fake: type[Fake]) -> None:
    notebook = json.loads(handed_in(exam, why="")[f"{NAME}.ipynb"])
    (cell,) = (cell for cell in notebook["cells"] if name_of(cell) == "why")
    cell["attachments"] = {"a.png": {"image/png": "iVBORw0KGgo="}}
    result = graded(exam, {f"{NAME}.ipynb": json.dumps(notebook).encode()})
    assert item(result, "why").score is None and item(result, "why").reason == ""


def test_what_was_judged_before_the_end_stays(exam: Exam, fake: type[Fake]) -> None:
    """An item keeps its verdict, even if later cells end all kernels that may be started."""
    names = ("half", "third", "why")
    extra = {name: f"{name} = END('died')" for name in names} | {"end": "END('died')"}
    files = handed_in(exam, extra, double="def double(x):\n    return x * x", half="END('memory')")
    result = graded(exam, files)
    assert fake.started == RESTARTS + 1
    one = item(result, "double_values")
    assert one.reason == "" and one.visible is not None and one.visible["failed"] == 2
    assert item(result, "third_values").reason == "died"


def told_as(reason: str) -> str:
    """Return the reason that a result states if the kernel ended for `reason`."""
    return "spent" if reason == "time" else reason


@pytest.mark.parametrize(("reason", "started"), [("time", 3), ("died", 2)])
def test_a_function_is_excused_once(
    exam: Exam, fake: type[Fake], reason: str, started: int
) -> None:
    """A function is called again if time ran out during its call, but not if the kernel died.

    Its first call may have had little time, because other functions had used most of it.
    """
    result = graded(exam, handed_in(exam, half=f"def half(x):\n    END({reason!r})"))
    assert points(result) == FULL | {"half_values": 0}
    assert item(result, "half_values").reason == told_as(reason) and fake.started == started
    fake.started = 0
    once = f"def half(x):\n    if FIRST:\n        END({reason!r})\n    return x / 2"
    result = graded(exam, handed_in(exam, half=once))
    assert points(result)["half_values"] == (2 if reason == "time" else 0)


@pytest.mark.parametrize(("reason", "started"), [("time", 3), ("died", 2)])
def test_a_kernel_that_ends_when_it_is_to_remember(
    exam: Exam, fake: type[Fake], reason: str, started: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    ask = Fake.ask

    def forgetful(self: Fake, question: Any, *told: Any) -> Any:
        if "call" in question and question["item"] == "half_values":
            raise KernelGoneError(reason)
        return ask(self, question, *told)

    monkeypatch.setattr(Fake, "ask", forgetful)
    result = graded(exam, handed_in(exam))
    assert points(result) == FULL | {"half_values": 0}
    assert item(result, "half_values").reason == told_as(reason) and fake.started == started


def test_each_is_excused_for_itself(exam: Exam, fake: type[Fake]) -> None:
    """A function that runs out of time gets one more try on visible, and one on hidden cases."""
    half = "def half(x):\n    if KERNEL == 0 and x == 1.5:\n        END('time')\n"
    for more in ("", "    if KERNEL == 1 and x > 50000:\n        END('time')\n"):
        third = "def third(x):\n    if KERNEL == 1:\n        END('time')\n    return x / 3"
        third = RIGHT["third"] if more else third
        fake.started = 0
        files = handed_in(exam, half=f"{half}{more}    return x / 2", third=third)
        assert points(graded(exam, files)) == FULL
        assert fake.started == 3


def test_in_the_last_kernel_nothing_is_risked(exam: Exam, fake: type[Fake]) -> None:
    """The last permitted kernel runs no slow cell and no function that ended an earlier kernel."""
    died = {name: f"{name} = END('died')" for name in ("half", "third")}
    double = "def double(x):\n    if x == 1.5:\n        END('died')\n    return 2 * x"
    result = graded(exam, handed_in(exam, died | {"imports": "SLEEP(2)"}, double=double))
    assert fake.started == RESTARTS + 1
    assert item(result, "double_errors").reason == "time"
    assert points(result)["half_values"] == 2 and points(result)["third_values"] == 4
    codes = [notice.code for notice in result.notices]
    assert codes == ["fatal_cell", "fatal_cell", "slow_cell"]


def test_cells_that_run_again(exam: Exam, fake: type[Fake]) -> None:
    """After a kernel has ended, the next one runs only some of the student's own cells again.

    It leaves out cells below the last check. It would leave out slow cells only if together they
    took more than 1/4 of the time limit.
    """
    notebook = json.loads(
        handed_in(
            exam, half="def half(x):\n    if x > 50000:\n        END('died')\n    return x / 2"
        )[f"{NAME}.ipynb"]
    )
    quick = [{**code(), "source": f"SLEEP(0.5); Q{i} = 1"} for i in range(40)]
    slow = [{**code(), "source": "SLEEP(2); SLOW = 1"}]
    last = [{**code(), "source": "AFTER = 1"}]
    notebook["cells"] = [*quick, *slow, *notebook["cells"], *last]
    result = graded(exam, {f"{NAME}.ipynb": json.dumps(notebook).encode()})
    assert points(result) == FULL | {"half_values": 0} and result.notices == ()
    assert fake.started == 2
    counts = [fake.log.count(f"cell {cell[0]['source'][:20]}") for cell in (quick, slow, last)]
    assert counts == [2, 2, 1]


def test_functions_that_use_up_their_share_of_time(exam: Exam, fake: type[Fake]) -> None:
    """Calls of functions that ended a kernel may use at most 40 % of a submission's time."""
    for seconds, asked in ((47, True), (49, False)):
        fake.started, fake.clock = 0, 0.0
        slow = "def double(x):\n    if x == 1.5:\n        END('died')\n"
        slow += f"    if x == 0.125:\n        SLEEP({seconds})\n    return 2 * x"
        result = graded(exam, handed_in(exam, double=slow))
        one = item(result, "double_errors")
        assert (one.score, one.reason) == ((1, "") if asked else (0, "time"))
        assert points(result)["third_values"] == 4


@pytest.mark.parametrize("reason", ["time", "died"])
def test_a_later_kernel_that_does_not_start(
    exam: Exam, fake: type[Fake], reason: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    enter = Fake.__enter__

    def second(self: Fake) -> Fake:
        if fake.started:
            raise KernelGoneError(reason)
        return enter(self)

    monkeypatch.setattr(Fake, "__enter__", second)
    files = handed_in(exam, half=f"END('memory')\n{RIGHT['half']}")
    if reason == "died":
        with pytest.raises(RuntimeError, match="the sandbox does not start: "):
            graded(exam, files)
        return
    result = graded(exam, files)
    assert {one.name for one in result.items if one.reason == "spent"} == {
        "double_values", "double_errors", "half_values", "third_values",
    }  # fmt: skip


def test_slow_cells_do_not_cost_the_checks(exam: Exam, fake: type[Fake]) -> None:
    """Every item is judged, even if there are more slow cells than kernels that may be started."""
    slow = "\n".join(["SLEEP(13)", "USED = globals().get('USED', 0) + 13"])
    slow += "\nif USED > 60:\n    END('time')"
    early = {**code(), "source": slow}
    late = {**code(), "source": "SLEEP(20)\nEND('time')"}
    files = handed_in(exam)
    notebook = json.loads(files[f"{NAME}.ipynb"])
    notebook["cells"] = [*[early] * 6, *notebook["cells"]]
    result = graded(exam, {f"{NAME}.ipynb": json.dumps(notebook).encode()})
    assert points(result) == FULL
    assert {notice.code for notice in result.notices} == {"slow_cell", "fatal_cell"}

    fake.started, fake.clock = 0, 0.0
    notebook["cells"] = [*notebook["cells"][6:], *[late] * 5]
    result = graded(exam, {f"{NAME}.ipynb": json.dumps(notebook).encode()})
    assert points(result) == FULL
    assert [notice.code for notice in result.notices] == ["fatal_cell"] * 3 + ["slow_cell"] * 2


@pytest.mark.parametrize("reason", ["died", "time", "memory", "output", "broken"])
def test_a_cell_that_ends_the_kernel(exam: Exam, fake: type[Fake], reason: str) -> None:
    source = f"SLEEP(15)\nEND({reason!r})\n" + RIGHT["half"]
    result = graded(exam, handed_in(exam, half=source))
    assert points(result) == FULL | {"half_values": 0}
    assert fake.started == 2
    assert item(result, "half_values").reason == "missing"
    assert item(result, "half_values").note.startswith("Your cell `half` was ended: ")
    assert words(result, "half") == f"The cell was ended: {REASONS[told_as(reason)].clause}.\n"
    assert [notice.code for notice in result.notices] == ["fatal_cell"]


@pytest.mark.parametrize("reason", ["died", "time", "memory", "output", "broken"])
@pytest.mark.parametrize("when", ["x > 0", "x > 50000"])
def test_a_function_that_ends_the_kernel(
    exam: Exam, fake: type[Fake], reason: str, when: str
) -> None:
    source = f"def half(x):\n    if {when}:\n        SLEEP(20); END({reason!r})\n    return x / 2"
    result = graded(exam, handed_in(exam, half=source))
    assert points(result) == FULL | {"half_values": 0}
    assert fake.started == 2
    assert item(result, "half_values").reason == told_as(reason)
    assert REASONS[told_as(reason)].clause in words(result, "half_values")
    # in the new kernel, items that are already judged are not called again
    assert fake.log.count("visible double_values") == fake.log.count("hidden double_values") == 1


def test_a_function_of_two_items_that_ends_the_kernel(exam: Exam, fake: type[Fake]) -> None:
    source = "def double(x):\n    END('died')"
    result = graded(exam, handed_in(exam, double=source, half="END('memory')"))
    assert points(result) == {"double_values": 0, "double_errors": 0, "half_values": 0} | {
        "third_values": 4,
        "why": None,
    }
    assert item(result, "double_errors").reason == "died"


def test_suspects_are_asked_last(exam: Exam, fake: type[Fake]) -> None:
    source = "def double(x):\n    if x == 1.5:\n        END('died')\n    return 2 * x"
    result = graded(exam, handed_in(exam, double=source))
    assert points(result) == FULL | {"double_values": 0}
    visible = [line for line in fake.log if line.startswith("visible")]
    assert visible[-1] == "visible double_errors" and fake.started == 2
    assert fake.log[-1] == "hidden double_errors"


def test_there_is_an_end_to_new_kernels(exam: Exam, fake: type[Fake]) -> None:
    extra = {
        name: f"{name} = END('died')" for name in ("imports", "double", "half", "third", "why")
    }
    result = graded(exam, handed_in(exam, extra))
    assert fake.started == RESTARTS + 1
    assert {one.reason for one in result.items} == {"died", ""}
    assert result.score == 0
    assert item(result, "why").score is None


def test_there_is_an_end_to_time(exam: Exam, fake: type[Fake]) -> None:
    slow = "SLEEP(45)\n"
    result = graded(
        exam, handed_in(exam, {"half": slow, "third": slow, "why": slow}, half="END('died')")
    )
    assert {one.reason for one in result.items} == {"spent", "missing", ""}


@pytest.mark.parametrize(("seconds", "reason"), [(14, "spent"), (15, "time")])
def test_whose_time_was_over(
    exam: Exam, fake: type[Fake], monkeypatch: pytest.MonkeyPatch, seconds: float, reason: str
) -> None:
    """A failed item's reason is "time" if its own time is over, "spent" if the submission's is."""
    monkeypatch.setattr(session, "patience", lambda part: 30.0)
    source = f"def half(x):\n    SLEEP({seconds}); END('time')  # of two cases"
    result = graded(exam, handed_in(exam, half=source))
    assert points(result) == FULL | {"half_values": 0}
    assert item(result, "half_values").reason == reason


@pytest.mark.parametrize(("delayed", "more"), [(0.0, 0.0), (30.0, 30.0), (1e9, 240.0)])
def test_what_a_busy_machine_takes_is_not_counted(
    exam: Exam, fake: type[Fake], monkeypatch: pytest.MonkeyPatch, delayed: float, more: float
) -> None:
    """Waiting for a processor extends a submission's time limit, to at most three times as much."""
    seconds: list[float] = []

    def sandbox(limits: Limits, **more: Any) -> Fake:
        seconds.append(limits.wall_seconds)
        return fake(limits, **more)

    monkeypatch.setattr(session, "Sandbox", sandbox)
    monkeypatch.setattr(Fake, "delayed", delayed)
    graded(exam, handed_in(exam, half="SLEEP(15)\nEND('died')"))
    assert seconds == [120.0, 105.0 + more]


def test_innocent_when_time_was_over_before(exam: Exam, fake: type[Fake]) -> None:
    source = "if FIRST:\n    END('time')\n" + RIGHT["half"]
    assert points(graded(exam, handed_in(exam, half=source))) == FULL
    assert fake.started == 2


@pytest.mark.parametrize(
    "forged",
    [
        None,
        [],
        3,
        {},
        {"outcomes": [{"value": 1e9}] * 2, "printed": 3},
        {"outcomes": "x" * 1000},
        {"outcomes": [{"passed": True, "late": "never"}]},
        {"outcomes": [{"raises": "<script>", "kinds": [3], "message": "\x1b[2J"}], "printed": []},
    ],
)
def test_forged_answers(exam: Exam, fake: type[Fake], forged: Any) -> None:
    result = graded(exam, handed_in(exam, {"double": f"FORGE = {forged!r}"}))
    assert result.score == 0


@pytest.mark.parametrize("known", [None, 3, [], {}, {"known": []}, {"known": {"function": 1}}])
def test_forged_memory(
    exam: Exam, fake: type[Fake], known: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Fake, "ask", lambda *_: known)
    result = graded(exam, handed_in(exam))
    assert result.score == 0
    assert item(result, "half_values").reason == "broken"


def test_items_alone(exam: Exam, fake: type[Fake]) -> None:
    files = handed_in(exam, third="def third(x):\n    return x")
    whole = graded(exam, files)
    fake.log.clear()
    for names in (["half_values"], ["third_values", "why"], []):
        some = graded(exam, files, items=names)
        assert [one.name for one in some.items] == names
        assert all(one == item(whole, one.name) for one in some.items)
        assert whole.updated(some).to_bytes() == whole.to_bytes()
    asked = {line.split()[1] for line in fake.log if line.split()[0] in ("visible", "hidden")}
    assert asked == {"half_values", "third_values"}


def test_an_item_whose_check_changed(exam: Exam, fake: type[Fake]) -> None:
    files = handed_in(exam)
    before = graded(exam, files)
    items = list(exam.items)
    items[2] = replace(items[2], points=5.0)
    changed = replace(exam, items=tuple(items))
    later = Result.from_bytes(
        grade_submission(changed.to_bytes(), files, Limits(), items=["half_values"])
    )
    whole = grade_submission(changed.to_bytes(), files, Limits())
    assert before.updated(later).to_bytes() == whole


def test_unknown_items(exam: Exam) -> None:
    with pytest.raises(ValueError, match=r"items must be among double_values, .*, got 'nothing'"):
        grade_submission(exam.to_bytes(), {}, Limits(), items=["nothing"])


def test_refused(exam: Exam) -> None:
    result = graded(exam, {})
    assert (result.status, result.notebook, result.solutions) == ("refused", "", {})
    assert [notice.code for notice in result.notices] == ["no_notebook"]
    assert {one.score for one in result.items} == {0.0}


def test_a_sandbox_that_does_not_start(
    exam: Exam, fake: type[Fake], monkeypatch: pytest.MonkeyPatch
) -> None:
    def enter(self: Fake) -> Fake:
        raise KernelGoneError("died")

    monkeypatch.setattr(Fake, "__enter__", enter)
    with pytest.raises(RuntimeError, match="the sandbox does not start"):
        graded(exam, handed_in(exam))


def test_what_pages_get(exam: Exam, fake: type[Fake]) -> None:
    show = """OUTPUTS = [
        {"output_type": "stream", "name": "stdout", "text": "<b>seen</b>" + "y" * 10**6},
        {"output_type": "display_data", "data": {"text/html": "<script>1</script>"}},
    ]"""
    answer = "<script>alert(1)</script> My proof."
    result = graded(exam, handed_in(exam, {"half": show}, why=answer))
    assert points(result) == FULL
    assert len(result.notebook) < 60_000
    assert "<b>seen</b>" in result.notebook
    assert [
        output["output_type"]
        for cell in json.loads(result.notebook)["cells"]
        if "OUTPUTS" in cell["source"]
        for output in cell["outputs"]
    ] == ["stream"]
    assert "<script>alert(1)</script> My proof." in result.notebook


def test_the_page_of_formgrader_runs_nothing(exam: Exam, fake: type[Fake]) -> None:
    from nbconvert.exporters import HTMLExporter

    filters = {"markdown2html": "dpteach.grading.pages.formgrader.rendered"}
    bad = "<img src=x onerror=alert(1)><script>alert(1)</script>"
    data = {"text/html": bad, "text/plain": bad, "image/png": bad}
    found = [
        {"output_type": "stream", "name": "stdout", "text": bad},
        {"output_type": "execute_result", "data": data},
        {"output_type": "error", "ename": bad, "evalue": bad, "traceback": [bad]},
    ]
    show = f"OUTPUTS = {found!r}"
    notebook = json.loads(
        handed_in(exam, {"half": show}, why=bad, third=f"# {bad}\nraise ValueError('{bad}')")[
            f"{NAME}.ipynb"
        ]
    )
    for kind in ("markdown", "raw"):
        notebook["cells"].append({"cell_type": kind, "source": bad, "metadata": {"x": bad}})
    notebook["metadata"] = {"title": bad, "widgets": {bad: bad}}
    result = graded(exam, {f"{NAME}{bad}.ipynb": json.dumps(notebook).encode()})
    read: Any = nbformat
    for template in ("basic", "lab", "classic"):
        exporter: Any = HTMLExporter(template_name=template, filters=filters)
        page, _ = exporter.from_notebook_node(read.reads(result.notebook, 4))
        assert "alert(1)" in page
        assert "<script>alert" not in page
        assert "<img src=x" not in page


def test_long_texts_are_shown_in_part(exam: Exam, fake: type[Fake]) -> None:
    """Long texts are shortened, so that nbgrader's formgrader shows every page quickly."""
    from nbconvert.exporters import HTMLExporter

    files = handed_in(exam, why="\\begin{a}" * 50_000, half=RIGHT["half"] + "\n#" + "." * 200_000)
    notebook = json.loads(files[f"{NAME}.ipynb"])
    for text in ("[", r"\\(") * 40:
        more = {"cell_type": "markdown", "source": text * 20_000, "metadata": {}}
        notebook["cells"].append(more)
    notebook["cells"] += [{**code(), "source": "# " + "." * 9_000} for _ in range(30)]
    result = graded(exam, {f"{NAME}.ipynb": json.dumps(notebook).encode()})
    cells = json.loads(result.notebook)["cells"]
    texts = [c["source"] for c in cells if c["cell_type"] == "markdown"]
    assert sum(map(len, texts)) < harmless.TEXTS_CHARACTERS + 10_000
    assert sum(len(c["source"]) for c in cells) < 300_000
    line = "[" * 40 + "..." + "[" * 40
    said = [notice.text for notice in result.notices if notice.code == "long_text"]
    assert said[1].startswith(f"Your text cell `{line}` has 20,000 characters, of which")
    assert len(said) <= 20
    told = {notice.cell: notice.text for notice in result.notices if notice.code == "long_text"}
    assert "450,000 characters" in told["why"] and "first 10,000" in told["why"]
    assert {n.cell for n in result.notices if n.code == "long_code"} >= {"half"}
    assert points(result)["half_values"] == item(result, "half_values").points
    start = time.process_time()
    read: Any = nbformat
    exporter: Any = HTMLExporter()
    exporter.from_notebook_node(read.reads(result.notebook, 4))
    assert time.process_time() - start < 30.0


def test_what_a_student_is_told_is_in_catalogs(exam: Exam, fake: type[Fake]) -> None:
    """All notices and notes on a submission can be translated."""
    extra = {"half": "1 / 0\n", "third": "CUT = True", "why": "END('died')", "end": "SLEEP(2)"}
    long = "word " * 3000
    files = handed_in(
        exam,
        {"imports": "SLEEP(40)"} | extra,
        double="END('memory')",
        half="def half(x):\n    if x > 0:\n        END('died')",
        third="x = 1\n" + "#" * 30_000,
        why=long,
    )
    result = graded(replace(exam, language="en-XA"), files)
    told = [(notice.code, notice.text) for notice in result.notices]
    told += [("note", one.note) for one in result.items if one.note]
    assert {code for code, _text in told} >= {"fatal_cell", "cell_error", "output_cut", "note"}
    assert {"long_text", "long_code"} <= {code for code, _text in told}
    data = ["ZeroDivisionError", "division by zero", *(one.clause for one in REASONS.values())]
    left = {code: untranslated(text, *data) for code, text in told if untranslated(text, *data)}
    assert left == {}


# --- tests in the real sandbox ---------------------------------------------------------------


def test_without_a_sandbox(exam: Exam) -> None:
    result = graded(exam, handed_in(exam), unsafe=True)
    assert (result.sandbox, points(result)) == ("none", FULL)


needs_sandbox = pytest.mark.requires("bubblewrap")


@needs_sandbox
def test_with_a_sandbox(exam: Exam) -> None:
    result = graded(exam, handed_in(exam))
    assert (result.sandbox, points(result)) == ("bubblewrap", FULL)


@needs_sandbox
@pytest.mark.slow
def test_twice_the_same_bytes(exam: Exam) -> None:
    show = "print(print, object(), {'a', 'b'})\nimport warnings\nwarnings.warn('careful')\nobject()"
    files = handed_in(exam, {"half": show, "third": "1 / 0"}, half="def half(x): return object()")
    once = grade_submission(exam.to_bytes(), files, Limits())
    assert once == grade_submission(exam.to_bytes(), files, Limits())
    result = Result.from_bytes(once)
    check_sound(exam, result)
    assert points(result) == FULL | {"half_values": 0}
    assert "/tmp" not in once.decode()


ODD_CELLS = [
    "def broken(:",
    "%%script bash\necho hello",
    "!ls /",
    "%run nowhere.py",
    'input("your name? ")',
    "raise SystemExit",
    "exit()",
    "import sys; sys.exit(3)",
    "get_ipython().kernel.do_shutdown(True)",
    "import os; os.fork()",
    "raise KeyboardInterrupt",
    "%reset -f",
    "import numpy; numpy.zeros(10**12)",
    "def f(): f()\nf()",
    "x = '\0'",
    "?print",
    "import time; time.sleep(1)",
]


@needs_sandbox
@pytest.mark.slow
def test_odd_cells_cost_nothing_else(exam: Exam) -> None:
    notebook = json.loads(handed_in(exam)[f"{NAME}.ipynb"])
    odd = [{**code(), "source": source} for source in ODD_CELLS]
    place = next(i for i, cell in enumerate(notebook["cells"]) if name_of(cell) == "double")
    notebook["cells"][place:place] = odd
    files = {f"{NAME}.ipynb": json.dumps(notebook).encode()}
    result = graded(exam, files)
    assert points(result) == FULL
    assert [notice.code for notice in result.notices].count("cell_error") >= 8


DEATHS = {
    "exit": "import os; os._exit(1)",
    "loop": "while True: pass",
    "stubborn loop": """
while True:
    try:
        while True: pass
    except BaseException: pass
""",
    "flood": "print('x' * 10**9)",
    "crash": "import ctypes; ctypes.string_at(0)",
    "memory": "y = [bytearray(10**9) for _ in range(9)]",
}
#: where the fatal code runs: in the cell itself (""), or in the cell's function, under a condition
#: on its argument x. The first condition is true in some visible cases, the second only in hidden
#: ones
PLACES = {"cell": "", "visible": "x > 0", "hidden": "x > 50000"}


#: the pairs of fatal code and its place that are tried even without pytest's option ``--all``
SOME = {
    ("exit", "cell"),
    ("loop", "hidden"),
    ("stubborn loop", "visible"),
    ("flood", "visible"),
    ("crash", "cell"),
    ("crash", "hidden"),
    ("memory", "cell"),
    ("memory", "visible"),
}


@needs_sandbox
@pytest.mark.slow
@pytest.mark.parametrize(
    "how, place",
    [
        pytest.param(how, place, marks=() if (how, place) in SOME else pytest.mark.exhaustive)
        for how in DEATHS
        for place in PLACES
        if (how, place) not in (("loop", "visible"), ("stubborn loop", "hidden"))
    ],
)
def test_what_ends_a_kernel_costs_one_item(
    exam: Exam, how: str, place: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(session, "patience", lambda part: 4.0)
    if place == "cell":
        source = f"{DEATHS[how]}\n{RIGHT['half']}"
    else:
        body = textwrap.indent(DEATHS[how].strip("\n"), " " * 8)
        source = f"def half(x):\n    if {PLACES[place]}:\n{body}\n    return x / 2"
    limits = Limits(cell_seconds=4)
    data = grade_submission(exam.to_bytes(), handed_in(exam, half=source), limits)
    result = Result.from_bytes(data)
    check_sound(exam, result)
    found = points(result)
    # a kernel may survive a flood of output or a cell's memory error: then `half` earns its points
    harmless = how == "flood" or (how, place) == ("memory", "cell")
    assert found.pop("half_values") in ((0, 2) if harmless else (0,))
    assert found == {name: score for name, score in FULL.items() if name != "half_values"}


THIEF = """
import os, sys
for place in ("/tmp/seen", "seen", "/dev/shm/seen"):
    try:
        print(open(place).read())
    except OSError:
        pass

def half(x):
    print("half of", x)
    sys.__stdout__.write(repr(x))
    os.environ["SEEN"] = repr(x)
    for place in ("/tmp/seen", "seen", "/dev/shm/seen"):
        try:
            open(place, "a").write(repr(x))
        except OSError:
            pass
    if x > 60000:
        os._exit(1)
    raise ValueError(f"it was {x}")
"""


@needs_sandbox
@pytest.mark.slow
def test_nothing_passes_from_one_kernel_to_the_next(exam: Exam) -> None:
    # `graded` asserts that the result has none of the hidden numbers
    right = THIEF.replace('raise ValueError(f"it was {x}")', "return x / 2")
    for source in (THIEF, right):
        result = graded(
            exam, handed_in(exam, {"why": "print(__import__('os').environ)"}, half=source)
        )
        assert points(result) == FULL | {"half_values": 0}


@needs_sandbox
@pytest.mark.slow
def test_the_instructors_solution_and_the_release_of_the_course() -> None:
    from dpteach.grading.author.mutants import submission
    from dpteach.grading.author.source import read_source

    path = Path(__file__).parents[2] / "course_src" / "assignments" / "renyi_dp.md"
    whole = make_exam(path, 3)
    read: Any = nbformat
    release = read.from_dict(released(whole))
    right = submission(release, read_source(path), {})
    name = "renyi_dp.ipynb"
    for notebook, best in ((right, True), (release, False)):
        files = {name: read.writes(copy.deepcopy(notebook)).encode()}
        result = Result.from_bytes(grade_submission(whole.to_bytes(), files, Limits()))
        assert result.notices == ()
        for one in result.items:
            if one.kind == "check":
                assert one.score == (one.points if best else 0), one.name
            else:
                assert one.score == (None if best else 0)
