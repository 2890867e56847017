"""Tests of ``dpteach validate``, which runs the visible checks of a student's notebook."""

from __future__ import annotations

import argparse
import json
import logging
import shutil
from pathlib import Path
from typing import Any

import nbformat
import pytest
from pseudo import untranslated

from dpteach._language import VARIABLE, speaking
from dpteach.grading.author.build import build_source
from dpteach.grading.author.mutants import submission
from dpteach.grading.author.source import read_source
from dpteach.grading.core.command import NOT_DONE
from dpteach.grading.student import validate as validate_module
from dpteach.grading.student.files import StudentError, released_language
from dpteach.grading.student.runner import check_cell
from dpteach.grading.student.validate import (
    FAILED,
    PASSED,
    Validation,
    _kernel,
    add_parser,
    altered,
    put_back,
    run,
    validate,
)
from dpteach.grading.submission.repair import checksum

read: Any = nbformat.read
write: Any = nbformat.write

pytestmark = [
    pytest.mark.filterwarnings("ignore::DeprecationWarning"),
    pytest.mark.filterwarnings("ignore::ResourceWarning"),
]

TEXT = '''---
jupytext:
  text_representation: {extension: .md, format_name: myst}
kernelspec: {display_name: Python 3, language: python, name: python3}
---

# Small

```{code-cell} ipython3
:kind: solution
:name: kl

def kl(p, q):
    """The Kullback-Leibler divergence."""
    ### BEGIN SOLUTION
    import math

    return sum(a * math.log(a / b) for a, b in zip(p, q))
    ### END SOLUTION
```

```{code-cell} ipython3
:kind: reference

from dpteach import divergences


def twice(p, q):
    return 2 * divergences.kl_divergence(p, q)


def kl_by_hand(p, q):
    return divergences.kl_divergence(p, q)
```

```{code-cell} ipython3
:kind: check

Check(
    name="kl_values", points=1, call="kl", expected=divergences.kl_divergence,
    visible=[Case([0.75, 0.25], [0.5, 0.5]), Case([0.5, 0.5], [0.25, 0.75])],
    mistakes=[Mistake(twice, "Twice as much.")], book="divergences#kl-divergence",
)
```

```{code-cell} ipython3
:kind: solution
:name: test_kl

def test_kl(implementation):
    """Accepts a right implementation of kl."""
    ### BEGIN SOLUTION
    assert abs(implementation([0.5, 0.5], [0.25, 0.75]) - 0.14384103622589042) < 1e-9
    ### END SOLUTION
```

```{code-cell} ipython3
:kind: check

TestsCheck(
    name="kl_tested", points=1, call="test_kl",
    visible=[
        Suspect(divergences.kl_divergence, right=True), Suspect(kl_by_hand, right=True),
        Suspect(divergences.kl_divergence, right=True), Suspect(twice, words="twice as much"),
    ],
    book="divergences#kl-divergence",
)
```
'''


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("built")
    (folder / "small.md").write_text(TEXT)
    build_source(folder / "small.md", folder / "out")
    return folder


def hand_in(built: Path, folder: Path, cells: dict[str, str]) -> Path:
    """Write a notebook with these answers, and the file ``checks.json``, into a folder."""
    notebook = submission(
        read(built / "out" / "small.ipynb", 4), read_source(built / "small.md"), cells
    )
    shutil.copy(built / "out" / "checks.json", folder)
    write(notebook, folder / "small.ipynb")
    return folder / "small.ipynb"


def exit_code(notebook: Path) -> int:
    parser = argparse.ArgumentParser()
    add_parser(parser.add_subparsers())
    return run(parser.parse_args(["validate", str(notebook)]))


@pytest.mark.slow
def test_right(built: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert exit_code(hand_in(built, tmp_path, {})) == PASSED
    assert capsys.readouterr().out.startswith("2 of 2 checks pass on the visible cases.")


@pytest.mark.slow
def test_wrong(built: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    cells = {
        "kl": "def kl(p, q):\n    return 2 * sum(a * np.log(a / b) for a, b in zip(p, q))\n"
        "import numpy as np",
        "test_kl": "def test_kl(implementation):\n    pass",
    }
    assert exit_code(hand_in(built, tmp_path, cells)) == FAILED
    text = " ".join(capsys.readouterr().out.split())
    assert "likely Twice as much." in text
    assert "test_kl(...) on a wrong implementation `twice`: twice as much" in text
    assert text.endswith("0 of 2 checks pass. Not yet: kl_values, kl_tested.")


@pytest.mark.slow
def test_an_error_names_the_line_of_the_student(built: Path, tmp_path: Path) -> None:
    """The message on an error quotes the student's line, even if numpy's code raised the error.

    The line may be in a helper function that the graded function calls.
    """
    cells = {
        "kl": "import numpy as np\n\ndef helper(p):\n    return np.linalg.inv(p)\n\n"
        "def kl(p, q):\n    return helper(p)",
        "test_kl": "def test_kl(implementation):\n    return 'unsound'",
    }
    failed = validate(hand_in(built, tmp_path, cells)).failed
    assert "raised in `return np.linalg.inv(p)`" in " ".join(failed["kl_values"].split())
    told = "Yours returned 'unsound', which counts as acceptance."
    assert told in " ".join(failed["kl_tested"].split())


@pytest.mark.slow
def test_a_text_that_is_too_long(built: Path, tmp_path: Path) -> None:
    path = hand_in(built, tmp_path, {})
    notebook = read(path, 4)
    cell = {"cell_type": "markdown", "id": "long", "metadata": {}, "source": "a" * 10_001}
    notebook.cells.append(nbformat.from_dict(cell))
    write(notebook, path)
    line = "a" * 40 + "..." + "a" * 40
    assert validate(path).notes == (
        f"Your text cell `{line}` is too long: the person who grades it sees only the first 10,000 "
        "characters. Shorten it.",
    )


@pytest.mark.slow
@pytest.mark.parametrize(
    ("source", "blank"),
    [("*Write your answer here.*", True), ("", True), ("Because it is convex.", False)],
)
def test_an_answer_for_a_person(built: Path, tmp_path: Path, source: str, blank: bool) -> None:
    path = hand_in(built, tmp_path, {})
    notebook = read(path, 4)
    told = {"grade": True, "solution": True, "locked": False, "task": False, "points": 3}
    told |= {"grade_id": "why", "schema_version": 3}
    metadata = {"nbgrader": told}
    cell = {"cell_type": "markdown", "id": "why", "metadata": metadata, "source": source}
    notebook.cells.append(nbformat.from_dict(cell))
    write(notebook, path)
    found = validate(path)
    assert (found.unanswered == ("why",)) is blank
    assert found.text().endswith("Not answered yet, and graded by a person: `why`.") is blank


@pytest.mark.slow
def test_altered_and_missing_cells(built: Path, tmp_path: Path) -> None:
    path = hand_in(built, tmp_path, {"kl": "def kl(p, q):\n    return 7.0"})
    notebook = read(path, 4)
    for cell in notebook.cells:
        if cell.metadata.get("nbgrader", {}).get("grade_id") == "kl_values":
            cell.source = "def check(name):\n    print('right')\n\ncheck('kl_values')"
    del notebook.cells[-3]  # the last check, below which are only two cells on how to submit
    write(notebook, path)
    found = validate(path)
    assert list(found.failed) == ["kl_values", "kl_tested"]
    assert "returned  7.0" in found.failed["kl_values"]
    assert found.failed["kl_tested"].startswith("kl_tested: its check cell is missing. Fetch the")
    assert found.notes == ("You changed the check cell of kl_values. It was run as released.",)


@pytest.mark.slow
def test_nothing_passes_where_a_cell_has_changed_its_type(built: Path, tmp_path: Path) -> None:
    path = hand_in(built, tmp_path, {})
    notebook = read(path, 4)
    for cell in notebook.cells:
        if cell.metadata.get("nbgrader", {}).get("grade_id") == "kl_values":
            # turn the check into a text cell, as a student may do; its metadata still name the
            # released type
            cell.metadata.nbgrader.cell_type = cell.cell_type
            cell.cell_type = "markdown"
            del cell["outputs"], cell["execution_count"]
    write(notebook, path)
    found = validate(path)
    assert "The cell `kl_values` has the type markdown, and was released as code." in found.notes[0]
    assert found.passed == ()
    assert found.failed["kl_tested"] == "kl_tested: not checked."


def test_a_check_that_is_no_code_is_not_passed(built: Path, tmp_path: Path) -> None:
    path = hand_in(built, tmp_path, {})
    notebook = read(path, 4)
    for cell in notebook.cells:
        if cell.metadata.get("nbgrader", {}).get("grade_id") == "kl_values":
            cell.metadata.nbgrader.pop("cell_type", None)  # the cell's type at its release
            cell.cell_type = "markdown"
            del cell["outputs"], cell["execution_count"]
    write(notebook, path)
    assert "kl_values" not in validate(path).passed


@pytest.mark.slow
@pytest.mark.parametrize(
    "cell",
    [
        "from dpteach.divergences import kl_divergence as kl",
        "import dpteach\n\ndef kl(p, q):\n    return dpteach.divergences.kl_divergence(p, q)",
        "from dpteach import divergences\n\ndef kl(p, q):\n    return 7.0",
        "def kl(p, q):\n    raise SystemExit",
        "def kl(p, q:",
    ],
)
def test_what_does_not_count_in_the_sandbox(built: Path, tmp_path: Path, cell: str) -> None:
    found = validate(hand_in(built, tmp_path, {"kl": cell}))
    assert found.passed == ("kl_tested",)
    assert list(found.failed) == ["kl_values"]
    if cell == "def kl(p, q:":
        said = found.text()
        assert said.startswith("Your cell `kl` raised SyntaxError: ")
        assert said.index("(line 1 of the cell)") < said.index("there is no function `kl` yet.")
    else:
        assert found.raised == ()
    if "dpteach" in cell:
        assert "The library is not available when" in found.failed["kl_values"]


@pytest.mark.slow
def test_a_kernel_that_ends(built: Path, tmp_path: Path) -> None:
    path = hand_in(built, tmp_path, {"kl": "import os\n\ndef kl(p, q):\n    os._exit(3)"})
    assert exit_code(path) == FAILED
    found = validate(path)
    assert found.passed == ()
    assert "the kernel ended before" in found.text()


def test_what_cannot_be_run(
    built: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = hand_in(built, tmp_path, {})
    assert exit_code(tmp_path / "none.ipynb") == NOT_DONE
    assert "none.ipynb does not exist" in capsys.readouterr().err
    for text in (
        "",
        "{",
        "[]",
        '{"nbformat": 4}',
        '{"cells": 3}',
        "\x00",
        "a,b\n1,2",
        "PK\x03\x04",
    ):
        path.write_text(text)
        assert exit_code(path) == NOT_DONE
        assert "is not a notebook that can be read" in capsys.readouterr().err
    assert exit_code(tmp_path) == NOT_DONE
    assert f"{tmp_path.name} is a folder. Name the file in it" in capsys.readouterr().err
    hand_in(built, tmp_path, {})
    for text in ("", "[]", '{"checks": 3}', "\x00"):
        (tmp_path / "checks.json").write_text(text)
        assert exit_code(path) == NOT_DONE
        assert "checks.json is damaged" in capsys.readouterr().err
    (tmp_path / "checks.json").unlink()
    with pytest.raises(StudentError, match=r"checks.json is missing"):
        validate(path)
    path.write_text("a,b\n1,2")
    with pytest.raises(StudentError, match="it does not contain JSON"):
        validate(path)


@pytest.mark.slow
def test_cells_that_raise_are_named_and_the_kernel_is_the_course_s(
    built: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = hand_in(built, tmp_path, {"kl": "word = input()\n\ndef kl(p, q):\n    return word"})
    data = json.loads(path.read_text())
    data["metadata"]["kernelspec"]["name"] = "cobol"
    data["cells"].append({**data["cells"][-1], "source": "1 / 0", "metadata": {}, "id": "mine"})
    path.write_text(json.dumps(data))
    assert exit_code(path) == FAILED
    said = capsys.readouterr().out
    assert said.startswith("Your cell `kl` raised StdinNotImplementedError: ")
    assert "\nYour cell `1 / 0` raised ZeroDivisionError: division by zero.\n" in said
    assert "The notebook names the kernel `cobol`, but grading uses python3" in said
    assert "1 of 2 checks pass. Not yet: kl_values." in said


def small(folder: Path, *cells: Any, kernel: str = "python3", given: Any = None) -> Path:
    """Write a notebook with these cells, and a ``checks.json`` of two checks, into a folder."""
    (folder / "checks.json").write_text(
        json.dumps({"checks": {"a": {}, "b": {}}, "given": given or {}})
    )
    metadata = {"kernelspec": {"name": kernel, "display_name": "x", "language": "python"}}
    data = {"cells": [*cells], "metadata": metadata, "nbformat": 4, "nbformat_minor": 5}
    (folder / "small.ipynb").write_text(json.dumps(data))
    return folder / "small.ipynb"


def a_cell(source: str, kind: str = "code", identity: str = "x", **meta: Any) -> dict[str, Any]:
    made: dict[str, Any] = {"cell_type": kind, "id": identity, "metadata": {}, "source": source}
    if meta:
        made["metadata"] = {"nbgrader": meta}
    return made | ({"outputs": [], "execution_count": None} if kind == "code" else {})


def checking(name: str, **more: Any) -> dict[str, Any]:
    return a_cell(check_cell(name), identity=name, grade_id=name, **more)


def raises(said: str, name: str = "CheckFailed") -> dict[str, Any]:
    return {"output_type": "error", "ename": name, "evalue": said, "traceback": [said]}


def prints(said: str, name: str = "stdout") -> dict[str, Any]:
    return {"output_type": "stream", "name": name, "text": said}


class Told:
    """A stand-in for nbgrader's ``Execute``: it keeps its options and sets cells' outputs by id."""

    outputs: Any = {}  # noqa: RUF012
    error: Any = None
    seen: Any = None

    def __init__(self, **options: Any) -> None:
        self.options, self.log = options, logging.getLogger("told")
        type(self).seen = self

    def preprocess(self, notebook: Any, resources: Any) -> None:
        if self.error:
            raise self.error
        self.notebook = notebook
        for cell in notebook.cells:
            if cell.cell_type == "code":
                cell.outputs = [nbformat.from_dict(one) for one in self.outputs.get(cell.id, [])]


@pytest.fixture
def told(monkeypatch: pytest.MonkeyPatch) -> type[Told]:
    monkeypatch.setattr("nbgrader.preprocessors.Execute", Told)
    Told.outputs, Told.error, Told.seen = {}, None, None
    return Told


@pytest.mark.parametrize(
    ("outputs", "passed", "told_of"),
    [
        ({}, ("a", "b"), {}),
        ({"a": [prints("fine")]}, ("a", "b"), {}),
        ({"b": [raises("\x1b[31mb: wrong\x1b[0m\n")]}, ("a",), {"b": "b: wrong"}),
        ({"b": [prints("b: odd\n", "stderr")]}, ("a",), {"b": "b: odd"}),
        (
            {"b": [raises("b: wrong")], "a": [raises("a: wrong")]},
            (),
            {"a": "a: wrong", "b": "b: wrong"},
        ),
    ],
)
def test_what_a_run_says(
    outputs: Any, passed: Any, told_of: Any, told: type[Told], tmp_path: Path
) -> None:
    told.outputs = outputs
    made = validate(small(tmp_path, checking("a"), checking("b")))
    assert (made.passed, made.failed, made.raised, made.notes) == (passed, told_of, (), ())
    assert list(made.failed) == list(told_of)
    assert told.seen.options == {
        "timeout": 300,
        "extra_arguments": ["--IPKernelApp.log_level=40"],
    }


def test_runs_that_end_early(told: type[Told], tmp_path: Path) -> None:
    from nbclient.exceptions import DeadKernelError
    from nbconvert.preprocessors import CellExecutionError

    path = small(tmp_path, checking("a"), checking("b"), kernel="cobol")
    told.error = DeadKernelError("dead")
    made = validate(path)
    assert made.passed == () and list(made.failed) == ["a", "b"]
    assert made.failed["b"].startswith("b: not checked, because the kernel ended")
    assert made.notes == (
        "The notebook names the kernel `cobol`, but grading uses python3, so it was run with "
        "python3.",
    )
    for error, words in (
        (CellExecutionError("t", "E", "its words"), "small.ipynb: its words"),
        (CellExecutionError("t", "E", ""), "small.ipynb: a cell cannot be run"),
        (RuntimeError("no kernel"), "small.ipynb cannot be run: 'no kernel'"),
    ):
        told.error = error
        with pytest.raises(StudentError) as caught:
            validate(path)
        assert str(caught.value) == words


def test_cells_as_they_were_handed_in(told: type[Told], tmp_path: Path) -> None:
    altered = checking("a") | {"source": check_cell("a") + "  # mine"}
    long, fits = "x" * 10_001, "x" * 10_000
    path = small(
        tmp_path,
        altered,
        checking("b") | {"source": f"\n{check_cell('b')}\n\n"},
        a_cell(long, "markdown", "c", grade_id="why", solution=True, grade=True),
        a_cell(fits, "markdown", "d", grade_id="how", solution=True, grade=True),
        a_cell(long, "markdown", "e", grade_id="text", locked=True),
        a_cell(long, "code", "f"),
        a_cell(long, "markdown", "g"),
    )
    end = "is too long: the person who grades it sees only the first 10,000 characters. Shorten it."
    made = validate(path)
    assert made.notes == (
        "You changed the check cell of a. It was run as released.",
        f"Your text cell `why` {end}",
        f"Your text cell `{'x' * 40}...{'x' * 40}` {end}",
    )
    assert made.passed == ("a", "b")
    # a text cell with the name of a check is not run, so this check is missing
    markdown = a_cell(check_cell("b"), "markdown", "b", grade_id="b")
    failed = validate(small(tmp_path, markdown)).failed
    assert list(failed) == ["a", "b"]
    assert all(told.startswith(f"{n}: its check cell is missing.") for n, told in failed.items())


def test_cells_are_put_back_before_they_are_run(told: type[Told], tmp_path: Path) -> None:
    mine = {"grade": False, "locked": False, "solution": True}
    sidecar = {"imports": "import math"}
    given = a_cell("import math", "code", "e", grade_id="imports", locked=True)
    mark = given["metadata"]["nbgrader"]
    mark["checksum"] = checksum("code", "import math", mark)
    cells = [
        given | {"source": "import math as m"},
        checking("a", points=3, **mine) | {"source": "print('right')"},
        checking("b") | {"source": ""},
        a_cell("mine", "code", "c", grade_id="c", **mine),
        a_cell("mine", "markdown", "d", grade_id="a"),
        a_cell("", "code", "f") | {"outputs": [raises("before")]},
    ]
    assert validate(small(tmp_path, *cells, kernel="cobol", given=sidecar)).raised == ()
    made = told.seen.notebook
    assert made.metadata.kernelspec.name == "python3"
    assert [cell.source for cell in made.cells] == [
        "import math",
        check_cell("a"),
        check_cell("b"),
        *["mine"] * 2,
        "",
    ]


def test_cells_that_raise_are_read(told: type[Told], tmp_path: Path) -> None:
    told.outputs = {
        "a": [raises("a: wrong")],
        "f": [raises("words.", "E")],
        "g": [prints("x"), raises("", "KeyError")],
        "h": [prints("x")],
    }
    found = validate(
        small(
            tmp_path,
            checking("a"),
            a_cell("1", identity="f", grade_id="f", solution=True),
            a_cell("1", identity="g"),
            a_cell("1", identity="h"),
            a_cell("text", "markdown", "i"),
        )
    )
    assert found.raised == (
        "Your cell `f` raised E: words.",
        "Your cell `1` raised KeyError.",
    )


@pytest.mark.parametrize(
    ("data", "name"),
    [
        ({"metadata": {"kernelspec": {"name": "r"}}}, "r"),
        ({"metadata": {"kernelspec": {"name": 3}}}, "python3"),
        ({"metadata": {"kernelspec": {}}}, "python3"),
        ({"metadata": {"kernelspec": 3}}, "python3"),
        ({"metadata": 3}, "python3"),
        ({}, "python3"),
    ],
)
def test_the_kernel_of_a_notebook(data: Any, name: str) -> None:
    assert _kernel(data) == name


def test_text_of_a_validation() -> None:
    found = Validation(("a",), {"b": "b: wrong"}, ("A note.",))
    assert found.text().splitlines() == [
        "b: wrong",
        "",
        "A note.",
        "1 of 2 checks pass. Not yet: b.",
    ]
    blank = "nothing yet"
    found = Validation(
        (), {"a": blank, "b": "b: wrong", "c": blank}, unwritten=frozenset({"a", "c"})
    )
    assert found.text().splitlines() == [
        "b: wrong",
        "",
        "2 items are not started, or call a function that is not: a, c.",
        "",
        "0 of 3 checks pass. Not yet: a, b, c.",
    ]
    said = {"c": "c: can be read, as 0.5."}
    found = Validation(("a", "c"), {"b": "b: wrong"}, form_only=frozenset("cb"), said=said)
    assert found.text().splitlines()[-3:] == [
        "c: can be read, as 0.5.",
        "1 of 3 checks pass. Not yet: b.",
        "1 further item has the required form. Only grading, not the notebook, can check whether "
        "it is right: c.",
    ]
    found = Validation(("a", "b", "c"), {}, form_only=frozenset("cb"))
    assert found.text() == (
        "The check passes on the visible cases. Grading tries further cases.\n"
        "2 further items have the required form. Only grading, not the notebook, can check whether "
        "they are right: b and c."
    )
    assert Validation(("c",), {}, form_only=frozenset("c")).text() == (
        "1 further item has the required form. Only grading, not the notebook, can check whether "
        "it is right: c."
    )
    found = Validation(("a",), {}, (), ("Your cell `x` raised E.",))
    assert found.text().splitlines()[:2] == ["Your cell `x` raised E.", ""]


def test_given_cells_that_were_altered_are_named(told: type[Told], tmp_path: Path) -> None:
    given = a_cell("import math", "code", "c", grade_id="imports", locked=True)
    mark = given["metadata"]["nbgrader"]
    mark["checksum"] = checksum("code", "import math", mark)
    notes: dict[str, tuple[str, ...]] = {}
    for source in ("import math", "import math  \n\n", "import math\nfrom scipy import stats"):
        notes[source] = validate(small(tmp_path, checking("a"), given | {"source": source})).notes
    *same, (said,) = notes.values()
    assert same == [(), ()]
    assert said == (
        "You changed the cell `imports`, which belongs to the assignment. Grading restores it, and "
        "what you wrote there is lost. Write it into a cell of your own."
    )
    assert put_back(["a", "b"]).startswith("You changed the cells `a`, `b`, which belong")


@pytest.mark.parametrize(
    "metadata",
    [None, {}, {"nbgrader": 1}, {"nbgrader": {"locked": True}}, {"nbgrader": {"checksum": "0"}}],
)
def test_a_cell_of_which_nothing_is_known_was_not_altered(metadata: Any) -> None:
    assert not altered({"cell_type": "code", "source": "x", "metadata": metadata})


@pytest.mark.parametrize(
    ("found", "code"),
    [
        # an error in a cell that the student added does not count
        (Validation(("a",), {}, ("A note.",), ("Your cell number 3 raised E.",)), PASSED),
        (Validation((), {"a": "a: wrong"}), FAILED),
        (Validation(("b",), {"a": "a: wrong"}), FAILED),
    ],
)
def test_the_exit_code_is_about_the_checks_alone(
    found: Validation, code: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(validate_module, "validate", lambda path: found)
    assert exit_code(Path("x.ipynb")) == code


@pytest.mark.slow
def test_all_that_a_student_reads_is_in_a_catalog(
    built: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """All messages of `dpteach validate` can be translated."""
    path = hand_in(built, tmp_path, {"kl": "def kl(p, q):\n    return 1 / 0"})
    data = json.loads(path.read_text())
    data["metadata"]["kernelspec"]["name"] = "cobol"
    data["cells"].append({**data["cells"][-1], "source": "1 / 0", "metadata": {}, "id": "mine"})
    path.write_text(json.dumps(data))
    with speaking("en-XA"):
        assert exit_code(path) == FAILED
        assert exit_code(tmp_path / "none.ipynb") == NOT_DONE
    told = capsys.readouterr()
    # leave out the indented lines: they are verdicts, which are tested elsewhere
    lines = [line for line in told.out.splitlines() if not line.startswith("  ")]
    assert any("⟦ñöţ ŕîĝĥţ" in line or "⟦ñöţ řîĝhţ" in line for line in lines), told.out
    names = ("kl_values", "kl_tested", "dpteach validate")
    assert untranslated("\n".join([*lines, told.err]), *names) == [], told.out + told.err


def test_a_notebook_speaks_the_language_of_its_course(
    told: type[Told], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv(VARIABLE, raising=False)
    path = small(tmp_path, checking("a"), checking("b"))
    sidecar = json.loads((tmp_path / "checks.json").read_text())
    for found, begins in (("en-XA", "⟦"), ("xx", "2 of"), (3, "2 of"), (None, "2 of")):
        (tmp_path / "checks.json").write_text(json.dumps(sidecar | {"language": found}))
        assert released_language(tmp_path) == ("en-XA" if begins == "⟦" else None)
        with speaking(released_language(tmp_path)):
            assert validate(path).text().startswith(begins)
    with speaking("en"):
        (tmp_path / "checks.json").write_text(json.dumps(sidecar | {"language": "en-XA"}))
        assert released_language(tmp_path) is None
