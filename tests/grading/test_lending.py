"""Tests of grading a function again after right functions replace the wrong ones that it calls."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest
from in_process import InProcess
from small_course import HEADER

from dpteach.grading.author.making import make_exam
from dpteach.grading.classroom.classroom import Settings, stale
from dpteach.grading.classroom.lending import prerequisites, with_lent_functions
from dpteach.grading.classroom.session import grade_submission
from dpteach.grading.core.exam import Exam
from dpteach.grading.core.result import ItemResult, Result
from dpteach.grading.sandbox.limits import Limits

NAME = "chain"
#: a word that only the instructor's solutions contain; a result with this word would leak one
SECRET = "made_of_wax"


def solution(name: str, body: str) -> str:
    return f'''```{{code-cell}} ipython3
:kind: solution
:name: {name}

def {name}(x):
    """{name} of x."""
    ### BEGIN SOLUTION
    {SECRET}_{name} = {body}
    return {SECRET}_{name}
    ### END SOLUTION
```

'''


def check(name: str, expected: str, builds_on: str, more: str = "") -> str:
    return f"""```{{code-cell}} ipython3
:kind: check

Check(
    name="{name}_values", points=2, call="{name}", expected=lambda x: {expected},
    visible=[Case(1.5), Case(-2.25)], hidden=[Case(8.5, words="one"), Case(3.25, words="two"),
    Case(7.75, words="three")], builds_on={builds_on}, book="renyi_dp#x", {more}
)
```

"""


SOURCE = (
    f"{HEADER}\n"
    + solution("double", "2 * x")
    + check("double", "2 * x", "[]")
    + solution("quadruple", "double(double(x))")
    + check("quadruple", "4 * x", '["double_values"]', "partial=True")
    + solution("octuple", "2 * quadruple(x)")
    + check("octuple", "8 * x", '["quadruple_values"]')
)
RIGHT = {
    "double": "def double(x):\n    return x + x",
    "quadruple": "def quadruple(x):\n    return double(double(x))",
    "octuple": "def octuple(x):\n    return quadruple(double(x))",
}
WRONG = "def double(x):\n    return x * x"


@pytest.fixture(scope="module")
def exam(tmp_path_factory: pytest.TempPathFactory) -> Exam:
    path = tmp_path_factory.mktemp("exam") / f"{NAME}.md"
    path.write_text(SOURCE)
    return make_exam(path, 3)


@pytest.fixture
def here(monkeypatch: pytest.MonkeyPatch) -> None:
    InProcess.put_in(monkeypatch)
    monkeypatch.setattr(InProcess, "started", 0)


def cells(exam: Exam, first: str = "", before_check: str = "", **answers: str) -> list[Any]:
    """Return the cells of a submission whose functions are right, except for those in `answers`.

    The code `first` stands in a cell at the top, `before_check` in a cell above the last check.
    """
    made = json.loads(exam.notebook)["cells"]
    for cell in made:
        name = cell["metadata"].get("nbgrader", {}).get("grade_id")
        cell["source"] = (RIGHT | answers).get(name, "".join(cell["source"]))
    own: Any = {
        "cell_type": "code",
        "metadata": {},
        "outputs": [],
        "execution_count": None,
        "id": "own",
    }
    last = {**own, "source": before_check, "id": "last"}
    # find the last check by its name, because cells on how to submit follow it
    names = [cell["metadata"].get("nbgrader", {}).get("grade_id") for cell in made]
    place = names.index("octuple_values")
    return [{**own, "source": first}, *made[:place], last, *made[place:]]


def grade(exam: Exam, made: list[Any], **options: Any) -> dict[str, ItemResult]:
    notebook = {**json.loads(exam.notebook), "cells": made}
    files = {f"{NAME}.ipynb": json.dumps(notebook).encode()}
    data = grade_submission(exam.to_bytes(), files, Limits(wall_seconds=300), **options)
    assert SECRET not in data.decode()
    return {item.name: item for item in Result.from_bytes(data).items}


def points(items: dict[str, ItemResult]) -> list[float | None]:
    return [item.score for item in items.values()]


def test_uses(exam: Exam) -> None:
    both = ("double_values", "quadruple_values")
    found = prerequisites(exam)
    assert found == {"double_values": (), "quadruple_values": both[:1], "octuple_values": both}
    # two checks of one function do not depend on each other
    double, quadruple, octuple = exam.items
    again = replace(double, name="double_again")
    limits = replace(
        quadruple, name="limits", visible={"builds_on": ["quadruple_values"]}, hidden=None
    )
    found = prerequisites(replace(exam, items=(double, again, quadruple, limits, octuple)))
    assert found["quadruple_values"] == ("double_values", "double_again")
    assert found["limits"] == ("double_values", "double_again")
    assert found["octuple_values"] == (
        "double_values",
        "double_again",
        "quadruple_values",
        "limits",
    )


@pytest.mark.usefixtures("here")
def test_credited(exam: Exam) -> None:
    assert points(grade(exam, cells(exam))) == [2, 2, 2]
    assert InProcess.started == 1
    items = grade(exam, cells(exam, double=WRONG))
    assert points(items) == [0, 2, 2]
    assert InProcess.started == 1 + 3
    for name in ("quadruple_values", "octuple_values"):
        assert items[name].given == ("double_values",)
        first = items[name].visible
        assert first is not None
        assert first["failed"] == 2, "the first verdict is the evidence"
    # a function that is wrong itself earns nothing, whether the functions that it calls are right,
    # as in `own`, or wrong, as in `both` below
    own = grade(exam, cells(exam, quadruple="def quadruple(x):\n    return 3 * double(x)"))
    assert points(own) == [2, 0, 2]
    assert InProcess.started == 4 + 2
    stub = "def {}(x):\n    # YOUR CODE HERE\n    raise NotImplementedError()"
    blank = cells(exam, **{name: stub.format(name) for name in RIGHT})
    assert points(grade(exam, blank)) == [0, 0, 0]
    assert InProcess.started == 6 + 1, "what nobody has written is not asked again"
    assert own["octuple_values"].given == ("quadruple_values",)
    both = cells(exam, double=WRONG, octuple="def octuple(x):\n    return double(quadruple(x)) + 1")
    assert points(grade(exam, both)) == [0, 2, 0]


@pytest.mark.usefixtures("here")
def test_a_share_is_credited(exam: Exam) -> None:
    half = "def quadruple(x):\n    return double(double(x)) if x < 8 else 0"
    items = grade(exam, cells(exam, double=WRONG, quadruple=half))
    share = grade(exam, cells(exam, quadruple=half))["quadruple_values"].score
    assert points(items) == [0, share, 2]
    assert 0 < (share or 0) < 2
    assert items["octuple_values"].given == ("double_values", "quadruple_values")


@pytest.mark.usefixtures("here")
def test_helpers_stay_and_later_definitions_do_not(exam: Exam) -> None:
    helper = f"SCALE = 4\n{WRONG}"
    octuple = "def octuple(x):\n    return SCALE * double(x)"
    assert points(grade(exam, cells(exam, double=helper, octuple=octuple))) == [0, 2, 2]
    again = cells(exam, double=WRONG, before_check=WRONG)
    assert points(grade(exam, again))[-1] == 2
    # the grader replaces the student's wrong `double` by the instructor's and runs the cell `bound`
    # again, whose first line then makes `twice` the instructor's function, too
    bound = "twice = double\ndef octuple(x):\n    return 4 * twice(x)"
    assert points(grade(exam, cells(exam, double=WRONG, octuple=bound)))[-1] == 2
    # the instructor's `quadruple`, which replaces the student's, calls the instructor's `double`,
    # not a function of this name in the student's notebook
    taken = cells(exam, quadruple="def quadruple(x):\n    return 0", first="double = print")
    assert points(grade(exam, taken)) == [2, 0, 2]


@pytest.mark.usefixtures("here")
def test_one_item_alone_gives_the_same(exam: Exam) -> None:
    made = cells(exam, double=WRONG)
    whole = grade(exam, made)
    for name, item in whole.items():
        assert grade(exam, made, items=[name]) == {name: item}


@pytest.mark.usefixtures("here")
def test_a_changed_item_takes_those_with_it_that_use_it(exam: Exam) -> None:
    notebook = {**json.loads(exam.notebook), "cells": cells(exam, double=WRONG)}
    files = {f"{NAME}.ipynb": json.dumps(notebook).encode()}
    result = Result.from_bytes(grade_submission(exam.to_bytes(), files, Limits()))
    result = replace(result, sandbox="bubblewrap")
    names = [item.name for item in exam.items]
    for i, wanted in ((0, names), (1, names[1:]), (2, names[2:])):
        changed = replace(exam.items[i], book="renyi_dp#y")
        items = tuple(changed if item.name == names[i] else item for item in exam.items)
        now = replace(exam, items=items)
        assert stale(result, now, result.submission, Settings()) == tuple(wanted)


def test_neither_its_own_solution_nor_a_later_one_is_there(exam: Exam) -> None:
    item = next(item for item in exam.items if item.name == "quadruple_values")
    text = json.dumps(with_lent_functions(cells(exam, double=WRONG), exam, item, ["double_values"]))
    assert f"{SECRET}_double" in text
    assert f"{SECRET}_quadruple" not in text
    assert f"{SECRET}_octuple" not in text


#: code of a dishonest student, which searches the process for the text of the instructor's
#: functions
READS = """
import builtins, functools, gc, inspect, linecache, sys
FOUND = []
WORD = "made_" + "of_wax"

def look(*more):
    texts = [one for one in (*gc.get_objects(), *more) if isinstance(one, str)]
    texts += [str(one) for one in globals().get("In", [])]
    for one in gc.get_objects():
        if inspect.isfunction(one):
            texts += map(str, (one.__code__.co_consts, one.__code__.co_varnames))
            try:
                texts.append(inspect.getsource(one))
            except Exception:
                pass
    for lines in list(linecache.cache.values()):
        texts += map(str, lines)
    for frame in sys._current_frames().values():
        while frame:
            texts += [one for one in list(frame.f_locals.values()) if isinstance(one, str)]
            frame = frame.f_back
    FOUND.extend(one for one in texts if WORD in one and one != WORD)
    return FOUND

original = builtins.exec
def spying(text, *rest):
    FOUND.append(str(text))
    return original(text, *rest)
builtins.exec = spying
print("attack", "ran")
"""
PUBLISHES = {
    "returns": "return ''.join(look())",
    "raises": "print(look()); raise type('E' + look()[-1][:900], (ValueError,), {})(look()[-1])",
    "right where it reads": "return 8 * x if look() else 0",
}


@pytest.mark.slow
@pytest.mark.requires("bubblewrap")
@pytest.mark.parametrize("way", PUBLISHES)
def test_no_reference_is_carried_out(exam: Exam, way: str) -> None:
    """Code that searches for the instructor's functions gets none of their text into the result."""
    octuple = f"def octuple(x):\n    double(x)\n    {PUBLISHES[way]}"
    made = cells(exam, first=READS, before_check="print(look())", double=WRONG, octuple=octuple)
    items = grade(exam, made)
    # a function that is right only if it finds the instructor's text may earn its points, because
    # the points reveal only that the text exists, and not what it says
    assert points(items) == [0, 2, 2 if way == "right where it reads" else 0]


@pytest.mark.slow
@pytest.mark.requires("bubblewrap")
def test_a_reference_earns_nothing_elsewhere(exam: Exam) -> None:
    """Finding the instructor's functions in memory and calling them earns nothing."""
    steals = """
def thief(name):
    for one in gc.get_objects():
        if inspect.isfunction(one) and one.__name__ == name:
            if WORD in str(one.__code__.co_varnames):
                return one
    raise ValueError

def double(x):
    return thief("double")(x)
"""
    octuple = "def octuple(x):\n    double\n    return thief('octuple')(x)"
    quadruple = "def quadruple(x):\n    double\n    return thief('quadruple')(x)"
    items = grade(exam, cells(exam, READS, "", double=steals, quadruple=quadruple, octuple=octuple))
    assert points(items) == [0, 0, 0]
