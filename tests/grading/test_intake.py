"""Tests of how a submission is read, how its notebook is repaired, and which notices it gets."""

from __future__ import annotations

import base64
import copy
import gzip
import hashlib
import io
import json
import os
import sys
import time
import unicodedata
import zipfile
import zlib
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import nbformat
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pseudo import untranslated

from dpteach._language import speaking
from dpteach.grading.core import harmless, opening
from dpteach.grading.core.exam import Exam
from dpteach.grading.core.result import ItemResult, Notice, Notices, Result, notebook_text
from dpteach.grading.submission import intake, repair
from dpteach.grading.submission.intake import MAX_BYTES, Intake, fingerprint, read_submission

NAME = "small"
FILE = f"{NAME}.ipynb"
NOT_DRAWN = harmless._not_drawn()
PNG = base64.b64encode(b"\x89PNG\r\n\x1a\n" + b"0" * 20).decode()


def cell(kind: str, source: str, identity: str = "", **meta: Any) -> dict[str, Any]:
    """Return a cell in notebook format 4.5; `meta` becomes its metadata for nbgrader."""
    made: dict[str, Any] = {
        "cell_type": kind,
        "id": identity or f"c{zlib.crc32((kind + source).encode('utf-8', 'surrogatepass')):08x}",
        "metadata": {},
        "source": source,
    }
    if meta:
        made["metadata"]["nbgrader"] = {
            "schema_version": 3,
            "grade": False,
            "solution": False,
            "locked": False,
            "task": False,
            **meta,
        }
    if kind == "code":
        made |= {"execution_count": None, "outputs": []}
    return made


def checked(name: str) -> dict[str, Any]:
    source = f'from dpteach.grading import check\n\ncheck("{name}")'
    return cell("code", source, f"id-{name}", grade_id=name, grade=True, locked=True, points=2)


def solved(name: str, body: str) -> dict[str, Any]:
    source = f"def {name}(x):\n    ### BEGIN SOLUTION\n    {body}\n    ### END SOLUTION"
    return cell("code", source, f"id-{name}", grade_id=name, solution=True)


STUB = "*Write your answer here.*"
MODEL = "### BEGIN SOLUTION\nA model answer.\n### END SOLUTION"
INSTRUCTOR: dict[str, Any] = {
    "cells": [
        cell("markdown", "# A small assignment", "title"),
        cell("code", "import math", "id-imports", grade_id="imports", locked=True),
        cell("markdown", "Now write.", "prose"),
        solved("double", "return 2 * x"),
        checked("double_values"),
        solved("half", "return x / 2"),
        checked("half_values"),
        cell(
            "markdown",
            "Why?\n\n### BEGIN MARK SCHEME\n5 points for the truth\n### END MARK SCHEME\n",
            "id-why_question",
            grade_id="why_question",
            locked=True,
        ),
        cell("markdown", MODEL, "id-why", grade_id="why", grade=True, solution=True, points=3),
        cell("markdown", "The end.", "end"),
    ],
    "metadata": {
        "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
        "language_info": {"name": "python"},
    },
    "nbformat": 4,
    "nbformat_minor": 5,
}
EXAM = Exam(NAME, 1, json.dumps(INSTRUCTOR), ())
NAMES = ["imports", "double", "double_values", "half", "half_values", "why_question", "why"]
DOUBLE = "def double(x):\n    return x + x"
HALF = "def half(x):\n    return 0.5 * x"
ANSWER = "Because $p<q$."


def released() -> dict[str, Any]:
    """Return the notebook that students receive, made from `INSTRUCTOR`."""
    made = copy.deepcopy(INSTRUCTOR)
    for one, place in zip(named(made), repair.shape(EXAM.notebook).places, strict=True):
        one["source"] = place.released
        one["metadata"] = json.loads(place.metadata)
    return made


def answered() -> dict[str, Any]:
    """Return a submission with all answers and no other changes."""
    made = released()
    found = {grade_id(one): one for one in made["cells"]}
    found["double"]["source"] = DOUBLE
    found["half"]["source"] = HALF
    found["why"]["source"] = ANSWER
    return made


def grade_id(one: Any) -> str:
    return str(one["metadata"].get("nbgrader", {}).get("grade_id", ""))


def named(notebook: Any) -> list[Any]:
    return [one for one in notebook["cells"] if grade_id(one)]


def take(notebook: Any, name: str = FILE) -> Intake:
    data = notebook if isinstance(notebook, bytes) else json.dumps(notebook).encode()
    return intake.intake({name: data}, EXAM)


def codes(taken: Intake) -> list[str]:
    return [notice.code for notice in taken.notices]


def sources(taken: Intake) -> dict[str, str]:
    return {grade_id(one): one.source for one in taken.notebook.cells if grade_id(one)}


def check_sound(taken: Intake) -> None:
    """Assert what must hold for a repaired notebook and its notices, whatever was submitted."""
    notebook = taken.notebook
    nbformat.validate(notebook)
    assert (notebook.nbformat, notebook.nbformat_minor) == (4, 5)
    assert [grade_id(one) for one in notebook.cells if grade_id(one)] == NAMES
    by_name = {place.name: place for place in repair.shape(EXAM.notebook).places}
    for one in notebook.cells:
        assert not one.get("outputs")
        if not grade_id(one):
            assert one.metadata == {}
            continue
        place = by_name[grade_id(one)]
        assert one.metadata == json.loads(place.metadata)
        assert one.cell_type == place.cell_type
        if place.role in ("check", "locked"):
            assert one.source == place.source
    for notice in taken.notices:
        assert notice.text.isprintable()
        assert len(notice.text) < 700
        assert notice.text[-1] in "."


def test_the_students_version_has_no_solution_and_no_scheme() -> None:
    text = json.dumps(released())
    assert "return 2 * x" not in text
    assert "5 points" not in text
    assert "model answer" not in text
    assert text.count("raise NotImplementedError()") == 2


def test_nothing_to_repair() -> None:
    for notebook in (released(), answered()):
        taken = take(notebook)
        check_sound(taken)
        assert codes(taken) == []
        assert [one.source for one in taken.notebook.cells if not grade_id(one)] == [
            one["source"] for one in notebook["cells"] if not grade_id(one)
        ]
    assert sources(taken)["double"] == DOUBLE
    assert sources(taken)["why"] == ANSWER


@pytest.mark.slow
def test_checksums_are_those_of_nbgrader() -> None:
    from nbgrader.nbgraderformat import MetadataValidator
    from nbgrader.utils import compute_checksum

    notebook = take(released()).notebook
    MetadataValidator().validate_nb(notebook)
    for one in notebook.cells:
        if grade_id(one):
            if grade_id(one) == "why_question":
                assert "5 points" in one.source  # words of the rubric, for the person who grades
            assert one.metadata.nbgrader.checksum == compute_checksum(one)


# --- files of a submission -------------------------------------------------------------------


def test_no_file() -> None:
    taken = intake.intake({}, EXAM)
    assert taken.notebook is None
    assert codes(taken) == ["no_notebook"]
    taken = intake.intake({"thoughts.pdf": b"", "x.py": b""}, EXAM)
    assert codes(taken) == ["no_notebook"]
    assert "`thoughts.pdf`, `x.py`" in taken.notices[0].text


@pytest.mark.parametrize(
    "name",
    [
        "Untitled.ipynb",
        f"{NAME} (1).ipynb",
        f"{NAME}.ipynb.txt",
        f"{NAME.upper()}.IPYNB",
        "../../../../etc/passwd.ipynb",
        "a\nb\x1b[31m\u202e.ipynb",
        "наследник.ipynb",
        "\udcff.ipynb",
        "x" * 5000 + ".ipynb",
    ],
)
def test_a_notebook_of_another_name(name: str) -> None:
    taken = take(answered(), name)
    check_sound(taken)
    assert codes(taken) == ["wrong_name"]
    assert sources(taken)["half"] == HALF


def test_several_notebooks() -> None:
    good, empty = json.dumps(answered()).encode(), b""
    taken = intake.intake({"a.ipynb": empty, FILE: good}, EXAM)
    assert codes(taken) == ["other_notebook"]
    assert sources(taken)["half"] == HALF
    taken = intake.intake({"a.ipynb": good, "b.ipynb": good}, EXAM)
    assert codes(taken) == ["several_notebooks"]
    assert "`a.ipynb`, `b.ipynb`" in taken.notices[0].text
    taken = intake.intake({"a.ipynb": good, FILE.upper(): good}, EXAM)
    assert codes(taken) == ["wrong_name"]
    taken = intake.intake({FILE: good, f".{FILE}": empty, "a-checkpoint.ipynb": empty}, EXAM)
    assert codes(taken) == []


def zipped() -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr(FILE, json.dumps(answered()))
    return file.getvalue()


@pytest.mark.parametrize(
    "name, data",
    [
        ("work.zip", zipped()),
        (FILE, zipped()),
        (FILE, gzip.compress(b"{}")),
        ("work.tar.gz", b""),
        ("work.7z", b"7z\xbc\xaf\x27\x1c"),
        (FILE, b"7z\xbc\xaf\x27\x1c"),
    ],
    # set the names of the cases: pytest would make them from the archives, which contain the time
    # of packing, but the names must be the same in all of pytest's processes
    ids=["zip", "zip named notebook", "gzip named notebook", "tar.gz", "7z", "7z named notebook"],
)
def test_archives_are_not_opened(name: str, data: bytes) -> None:
    taken = intake.intake({name: data}, EXAM)
    assert taken.notebook is None
    assert codes(taken) == ["archive"]
    # `dpteach term collect` unpacks archives before grading; the grader itself opens none
    assert "no notebook was taken out of it. Unpack it" in taken.notices[0].text


def test_an_archive_next_to_the_notebook() -> None:
    taken = intake.intake({FILE: json.dumps(answered()).encode(), "w.zip": zipped()}, EXAM)
    assert codes(taken) == ["archive_ignored"]


GOOD = json.dumps(answered(), ensure_ascii=False)


@pytest.mark.parametrize(
    "data, code",
    [
        (b"", "empty_file"),
        (b" \n\t", "empty_file"),
        (b"\0" * 1000, "empty_file"),
        (b"\xef\xbb\xbf", "empty_file"),
        (b"print('hello')", "not_json"),
        (b"<html>", "not_json"),
        (b"{'cells': []}", "not_json"),
        (GOOD.encode()[:-5], "truncated"),
        (GOOD.encode()[: len(GOOD) // 2], "truncated"),
        (b"{", "truncated"),
        (b"[" * 100_000 + b"]" * 100_000, "not_a_notebook"),
        (b'{"cells":' * 100_000, "not_a_notebook"),
        (b"1" * 10_000, "not_a_notebook"),
        (b"[]", "not_a_notebook"),
        (b"null", "not_a_notebook"),
        (b'{"cells": {}}', "not_a_notebook"),
        (b'{"worksheets": 3}', "not_a_notebook"),
        (b'{"cells": [], "nbformat": 5}', "format_too_new"),
        (b'{"cells": [], "nbformat": 1' + b"0" * 1000 + b"}", "format_too_new"),
        (b" " * (MAX_BYTES + 1), "too_large"),
        (json.dumps({"cells": [{}] * 3000}).encode(), "too_many_cells"),
        (json.dumps({"cells": [cell("code", "x" * 10**6)] * 6}).encode(), "too_large"),
    ],
)
def test_what_cannot_be_read_is_refused_by_name(data: bytes, code: str) -> None:
    taken = take(data)
    assert taken.notebook is None
    assert codes(taken) == [code]
    assert len(taken.notices[0].text) < 500


@pytest.mark.parametrize(
    "encoding", ["utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "utf-32", "utf-8"]
)
def test_encodings(encoding: str) -> None:
    taken = take(GOOD.encode(encoding))
    check_sound(taken)
    assert codes(taken) == (["encoding"] if "8" not in encoding else [])
    assert sources(taken)["half"] == HALF


def test_bytes_that_are_no_text() -> None:
    taken = take(GOOD.encode().replace(b"Because", b"Bec\xff\xfeause"))
    check_sound(taken)
    assert codes(taken) == ["bad_bytes"]
    assert sources(taken)["why"].startswith("Bec\ufffd\ufffdause")


# --- notebook formats ------------------------------------------------------------------------


def test_all_formats_that_nbformat_knows() -> None:
    for minor in range(6):
        notebook = answered() | {"nbformat_minor": minor}
        for one in notebook["cells"] if minor < 5 else ():
            del one["id"]
        taken = take(notebook)
        check_sound(taken)
        assert codes(taken) == []


@pytest.mark.parametrize("version", [3, 2, 1])
def test_old_formats(version: int) -> None:
    old = copy.deepcopy(answered()["cells"])
    for one in old:
        if one["cell_type"] == "code":
            one["input"] = one.pop("source").splitlines(keepends=True)
    old.insert(0, {"cell_type": "heading", "level": 2, "source": "Mine"})
    old.insert(0, {"cell_type": "heading", "level": "many", "source": 3})
    notebook = {"worksheets": [{"cells": old}, 5], "metadata": 3, "nbformat": version}
    taken = take(notebook)
    check_sound(taken)
    assert codes(taken) == ["old_format"]
    assert sources(taken)["half"] == HALF
    assert "## Mine" in [one.source for one in taken.notebook.cells]


@pytest.mark.parametrize("version", [None, "4", 4.0, True, [], -1, 0])
def test_odd_version_numbers(version: object) -> None:
    taken = take(answered() | {"nbformat": version, "nbformat_minor": version})
    check_sound(taken)
    assert codes(taken) == []
    assert sources(taken)["half"] == HALF


@pytest.mark.parametrize(
    "metadata",
    [None, 3, [], {"kernelspec": 3}, {"kernelspec": {"language": 3}}, {"widgets": {"x": "y" * 9}}],
)
def test_odd_metadata_of_the_notebook(metadata: object) -> None:
    taken = take(answered() | {"metadata": metadata})
    check_sound(taken)
    assert codes(taken) == []
    assert taken.notebook.metadata == INSTRUCTOR["metadata"]


@pytest.mark.parametrize("version", [1, 2, 3])
def test_an_old_format_with_cells_at_the_top(version: int) -> None:
    cells = copy.deepcopy(answered()["cells"])
    for one in cells:
        if one["cell_type"] == "code":
            one["input"] = one.pop("source")
    taken = take({"cells": cells, "metadata": {}, "nbformat": version})
    check_sound(taken)
    assert codes(taken) == ["old_format"]
    assert sources(taken)["half"] == HALF


@pytest.mark.parametrize("language", ["R", "python", "Python", "ipython", "", 3])
def test_languages(language: object) -> None:
    kernel = {"kernelspec": {"language": language, "name": "x", "display_name": "x"}}
    assert codes(take(answered() | {"metadata": kernel})) == ["other_kernel"] * (language == "R")


def test_another_kernel() -> None:
    kernel = {"kernelspec": {"language": "R", "name": "ir", "display_name": "R"}}
    taken = take(answered() | {"metadata": kernel})
    check_sound(taken)
    assert codes(taken) == ["other_kernel"]
    assert taken.notebook.metadata == INSTRUCTOR["metadata"]


# --- repair of cells -------------------------------------------------------------------------


Change = Callable[[dict[str, Any]], None]


def find(notebook: dict[str, Any], name: str) -> dict[str, Any]:
    (found,) = [one for one in notebook["cells"] if grade_id(one) == name]
    return found


def taken_with(change: Change) -> Intake:
    notebook = answered()
    change(notebook)
    taken = take(notebook)
    check_sound(taken)
    return taken


@pytest.mark.parametrize("name", NAMES)
def test_deleted_cell(name: str) -> None:
    taken = taken_with(lambda notebook: notebook["cells"].remove(find(notebook, name)))
    assert [(notice.code, notice.cell) for notice in taken.notices] == [("missing_cell", name)]
    # a deleted solution cell is restored without its stub, because the stub would replace a
    # function that the student has defined in another cell
    order = [one.source if not grade_id(one) else grade_id(one) for one in taken.notebook.cells]
    whole = [
        one.source if not grade_id(one) else grade_id(one)
        for one in take(answered()).notebook.cells
    ]
    assert [x for x in order if x in NAMES] == [x for x in whole if x in NAMES]
    assert "NotImplementedError" not in sources(taken)["double"]


def read(folder: Path) -> tuple[dict[str, bytes], tuple[Notice, ...]]:
    """Return the files that the grader reads in a submission's folder, and its notices on them."""
    files = read_submission(folder)
    return files, tuple(intake._noticed(files.get(intake.NOTICED, b"[]")))


def test_many_files_do_not_hide_the_notebook(tmp_path: Path) -> None:
    folder = tmp_path / "anna" / NAME
    folder.mkdir(parents=True)
    for i in range(intake.MAX_FILES + 50):
        (folder / f"a{i:04}.txt").touch()
    (folder / "b.ipynb").write_text("{}")
    (folder / FILE).write_text("{}")
    files, notices = read(folder)
    assert {FILE, "b.ipynb"} <= set(files) and [one.code for one in notices] == ["too_many_files"]


@pytest.mark.parametrize("people", [1300, 1500])
def test_a_forged_mark_of_a_version_silences_no_notice(people: int) -> None:
    def numbered(count: int) -> dict[str, Any]:
        made = copy.deepcopy(INSTRUCTOR)
        made["cells"][2]["source"] = f"There are {count:,} people."
        return made

    exam = replace(EXAM, notebook=json.dumps(numbered(1300)), version="mine", values={"people": 1})
    handed_in = answered() | {"metadata": {"dpteach": {"version": "mine"}}}
    handed_in["cells"][2]["source"] = f"There are {people:,} people."
    taken = intake.intake({FILE: json.dumps(handed_in).encode()}, exam)
    told = [one.text for one in taken.notices if one.code == "other_version"]
    assert bool(told) == (people != 1300)
    assert all("holds other numbers than its version mine" in text for text in told)


@pytest.mark.parametrize("kept", [True, False])
def test_a_notebook_of_another_assignment_is_one_sentence(kept: bool) -> None:
    """A notebook of another assignment gets only one notice.

    This holds even if both assignments have a cell with the same name, here `imports`.
    """
    cells = [
        cell("markdown", "# zCDP: one number"),
        cell("code", "import math", grade_id="imports"),
    ]
    cells += [cell("code", f"def f{i}(): pass", grade_id=f"f{i}") for i in range(31)]
    notebook = {"cells": cells, "nbformat": 4}
    if kept:
        notebook["metadata"] = {"dpteach": {"assignment": "zcdp", "built": "x"}}
    data = json.dumps(notebook).encode()
    for file in (f"{NAME}.ipynb", "zcdp.ipynb"):
        taken = intake.intake({file: data}, EXAM)
        assert taken.notebook is None and codes(taken) == ["foreign_notebook"]
        told = f"notebook of `{'zcdp' if kept else 'zCDP: one number'}`, not of `{NAME}`"
        assert told in taken.notices[0].text


@pytest.mark.parametrize("n", [0, 1])
def test_nothing_of_the_assignment_is_refused(n: int) -> None:
    cells = [cell("code", "x = 1"), cell("markdown", "other", grade_id="foreign")] * n
    taken = take({"cells": cells, "nbformat": 4})
    assert taken.notebook is None
    assert codes(taken) == ["foreign_notebook"]
    assert "Submit the notebook of this assignment." in taken.notices[0].text


def test_function_in_a_cell_of_its_own() -> None:
    def change(notebook: dict[str, Any]) -> None:
        notebook["cells"].remove(find(notebook, "half"))
        notebook["cells"].insert(3, cell("code", HALF + "\n\nprint(half(2))"))

    taken = taken_with(change)
    assert codes(taken) == ["lost_names", "moved_cells"]
    assert sources(taken)["half"] == HALF + "\n\nprint(half(2))"


def test_both_functions_in_one_cell() -> None:
    def change(notebook: dict[str, Any]) -> None:
        notebook["cells"].remove(find(notebook, "half"))
        find(notebook, "double")["source"] = DOUBLE + "\n\n" + HALF

    taken = taken_with(change)
    assert codes(taken) == ["missing_cell"]
    assert sources(taken)["double"] == DOUBLE + "\n\n" + HALF
    assert "def " not in sources(taken)["half"]


def test_duplicated_solution() -> None:
    def change(notebook: dict[str, Any]) -> None:
        i = notebook["cells"].index(find(notebook, "double"))
        first = copy.deepcopy(notebook["cells"][i]) | {"source": "def double(x): return 1"}
        stub = copy.deepcopy(released()["cells"][3])
        late = first | {"source": "def double(x): return 2"}
        notebook["cells"][i:i] = [first]
        notebook["cells"] += [stub, late]

    taken = taken_with(change)
    assert codes(taken) == ["duplicate_cell"]
    assert "The last one before its check was taken" in taken.notices[0].text
    assert sources(taken)["double"] == DOUBLE
    others = [one.source for one in taken.notebook.cells if not grade_id(one)]
    assert "def double(x): return 1" in others


@pytest.mark.parametrize("below", [True, False])
def test_a_stub_beside_an_answer_is_not_taken(below: bool) -> None:
    def change(notebook: dict[str, Any]) -> None:
        i = notebook["cells"].index(find(notebook, "double"))
        stub = find(released(), "double")
        notebook["cells"].insert(i + below, stub)

    taken = taken_with(change)
    assert codes(taken) == ["duplicate_cell"]
    assert sources(taken)["double"] == DOUBLE


@pytest.mark.parametrize("name", NAMES)
def test_duplicated_cell(name: str) -> None:
    def change(notebook: dict[str, Any]) -> None:
        notebook["cells"].append(copy.deepcopy(find(notebook, name)))
        notebook["cells"].insert(0, copy.deepcopy(notebook["cells"][-1]))

    taken = taken_with(change)
    assert "duplicate_cell" in codes(taken)
    assert sources(taken)["double"] == DOUBLE
    assert sources(taken)["why"] == ANSWER
    text = next(n.text for n in taken.notices if n.code == "duplicate_cell")
    assert "3 cells" in text and "was taken" in text


def test_duplicated_answer() -> None:
    def change(notebook: dict[str, Any]) -> None:
        longer = copy.deepcopy(find(notebook, "why")) | {"source": ANSWER + " And more."}
        notebook["cells"].insert(2, longer)

    taken = taken_with(change)
    assert sources(taken)["why"] == ANSWER + " And more."
    assert ANSWER in [one.source for one in taken.notebook.cells if not grade_id(one)]


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("kind", ["code", "markdown", "raw"])
def test_retyped_cell(name: str, kind: str) -> None:
    def change(notebook: dict[str, Any]) -> None:
        one = find(notebook, name)
        one["cell_type"] = kind
        one.pop("outputs", None)

    taken = taken_with(change)
    changed = find(answered(), name)["cell_type"] != kind
    assert codes(taken) == (["retyped_cell"] if changed else [])
    assert sources(taken)["double"] == DOUBLE
    assert sources(taken)["why"] == ANSWER


def test_locked_cells_edited() -> None:
    def change(notebook: dict[str, Any]) -> None:
        find(notebook, "imports")["source"] = "import math as m"
        find(notebook, "half_values")["source"] += "\nraise SystemExit"

    taken = taken_with(change)
    assert codes(taken) == ["locked_edited", "locked_edited"]
    assert sources(taken)["imports"] == "import math"


def test_a_function_in_the_cell_of_its_check() -> None:
    def change(notebook: dict[str, Any]) -> None:
        find(notebook, "half")["source"] = sources(take(released()))["half"]
        one = find(notebook, "half_values")
        one["source"] = HALF + "\n" + one["source"]

    taken = taken_with(change)
    assert codes(taken) == ["locked_edited"]
    order = [one.source for one in taken.notebook.cells]
    assert order[order.index(sources(taken)["half_values"]) - 1].startswith(HALF)


def test_edits_of_locked_cells_that_do_not_matter() -> None:
    def change(notebook: dict[str, Any]) -> None:
        find(notebook, "imports")["source"] = "# mine\nimport  math  \n\n"
        find(notebook, "why_question")["source"] = "  Why?   \r\n"

    assert codes(taken_with(change)) == []


def test_all_metadata_lost() -> None:
    def change(notebook: dict[str, Any]) -> None:
        for one in notebook["cells"]:
            del one["metadata"]

    taken = taken_with(change)
    assert codes(taken) == ["answer_elsewhere", "lost_names"]
    assert sources(taken) == sources(take(answered()))


def test_answer_in_a_new_cell() -> None:
    def change(notebook: dict[str, Any]) -> None:
        one = find(notebook, "why")
        notebook["cells"].insert(-1, cell("markdown", ANSWER))
        one["source"] = STUB

    taken = taken_with(change)
    assert codes(taken) == ["answer_elsewhere"]
    assert sources(taken)["why"] == ANSWER
    assert [one.source for one in taken.notebook.cells].count(ANSWER) == 1


def test_answer_in_the_question() -> None:
    def change(notebook: dict[str, Any]) -> None:
        find(notebook, "why_question")["source"] += ANSWER
        find(notebook, "why")["source"] = ""

    taken = taken_with(change)
    assert codes(taken) == ["answer_elsewhere", "locked_edited"]
    assert ANSWER in sources(taken)["why"]


def test_no_answer_stays_none() -> None:
    for source in ("", STUB, STUB + "  \n"):

        def change(notebook: dict[str, Any], source: str = source) -> None:
            find(notebook, "why")["source"] = source

        taken = taken_with(change)
        assert codes(taken) == []
        assert sources(taken)["why"] == source


def test_helpers_of_moved_cells() -> None:
    def change(notebook: dict[str, Any]) -> None:
        one = find(notebook, "double")
        notebook["cells"].remove(one)
        notebook["cells"] += [cell("code", "helper = 1"), one, cell("code", "after = 1")]

    taken = taken_with(change)
    assert codes(taken) == ["moved_cells"]
    cells = [one.source for one in taken.notebook.cells]
    place = cells.index(sources(taken)["double"])
    assert cells[place - 1 : place + 2 : 2] == ["helper = 1", "after = 1"]


def test_moved_cells() -> None:
    def change(notebook: dict[str, Any]) -> None:
        one = find(notebook, "double")
        notebook["cells"].remove(one)
        helper = cell("code", "helper = 1")
        notebook["cells"] += [one, helper]

    taken = taken_with(change)
    assert codes(taken) == ["moved_cells"]
    order = [one.source for one in taken.notebook.cells]
    assert order.index("helper = 1") == order.index(DOUBLE) + 1


def test_unknown_names() -> None:
    def change(notebook: dict[str, Any]) -> None:
        for i in range(20):
            notebook["cells"].append(cell("code", "1", grade_id=f"x{i}\n`<script>", grade=True))

    taken = taken_with(change)
    assert codes(taken) == ["unknown_cell"] * 9
    assert "12 more" in taken.notices[-1].text


ODD: list[Any] = [None, True, 3, -1.5, "x", [], [[]], {}, {"a": [1]}, [None], "\ud800\0", "9" * 9]


@pytest.mark.parametrize("odd", ODD, ids=repr)
def test_odd_values_in_cells(odd: object) -> None:
    for key in ("source", "metadata", "id", "outputs", "execution_count", "attachments", "x"):
        for name in ("half", "why", "half_values"):
            notebook = answered()
            find(notebook, name)[key] = odd
            taken = take(notebook)
            check_sound(taken)
            assert sources(taken)["double"] == DOUBLE
    notebook = answered()
    for key in ("grade_id", "points", "grade", "schema_version", "locked", "checksum"):
        find(notebook, "half")["metadata"]["nbgrader"][key] = odd
        taken = take(notebook)
        check_sound(taken)
        assert sources(taken)["half"] == HALF
        notebook = answered()
    notebook["cells"].insert(1, odd)
    notebook["cells"].append({"cell_type": odd, "source": "x"})
    check_sound(take(notebook))


def test_megabytes_of_outputs_are_dropped() -> None:
    def change(notebook: dict[str, Any]) -> None:
        find(notebook, "half")["outputs"] = [
            {"output_type": "stream", "name": "stdout", "text": "x" * 5_000_000}
        ]
        notebook["cells"].append(cell("raw", "<script>alert(1)</script>"))

    taken = taken_with(change)
    assert len(nbformat.writes(taken.notebook)) < 20_000
    assert "raw" not in [one.cell_type for one in taken.notebook.cells]


def test_cell_ids_are_distinct_and_the_exams_stay() -> None:
    def change(notebook: dict[str, Any]) -> None:
        for one in notebook["cells"]:
            one["id"] = "id-half"
        notebook["cells"].append(cell("code", "1", "own-0"))

    taken = taken_with(change)
    assert [one.id for one in taken.notebook.cells if grade_id(one)] == [f"id-{x}" for x in NAMES]


def test_pictures_of_answers_stay() -> None:
    def change(notebook: dict[str, Any]) -> None:
        find(notebook, "why")["attachments"] = {
            "proof.png": {"image/png": PNG},
            "evil.svg": {"image/svg+xml": "<svg onload='alert(1)'>"},
            '"><script>': {"image/png": PNG},
            "large.png": {"image/png": PNG[:12] + "A" * 13_000_000},
            "my photo.webp": {"image/webp": base64.b64encode(b"RIFF1234WEBP").decode()},
            "a.gif": {"image/gif": base64.b64encode(b"GIF89a").decode()},
            # this picture is as large as a screenshot and must be kept
            "b.png": {"image/png": PNG[:12] + "A" * 4_600_000},
        }

    taken = taken_with(change)
    (one,) = [one for one in taken.notebook.cells if grade_id(one) == "why"]
    assert set(one.attachments) == {"proof.png", "my photo.webp", "a.gif", "b.png"}
    (notice,) = [one for one in taken.notices if one.code == "lost_picture"]
    assert "`evil.svg`" in notice.text and "`large.png`" in notice.text and "6 MB" in notice.text


def test_a_picture_that_is_not_kept_becomes_words() -> None:
    text = "![a](attachment:a.png) ![b](attachment:my%20b.gif) ![c](attachment:c.svg)"
    kept = harmless.markdown(text, attached={"a.png": {}, "my b.gif": {}})
    assert kept == text.replace("![c](attachment:c.svg)", "(the picture `c.svg` is not shown here)")
    # a second reference to an attachment is removed, because each one would enlarge the page
    twice = harmless.markdown(text * 2, attached=["a.png"])
    assert twice.count("attachment:a.png") == 1 and twice.count("attachment:") == 1
    svg = f"![x](data:image/svg+xml;base64,{PNG})![y](data:image/jpeg;base64,{PNG})"
    assert "](data:" not in harmless.markdown(svg)


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(
                ["cells", "metadata", "source", "cell_type", "nbgrader", "grade_id", "nbformat"]
            ),
            inner,
            max_size=4,
        )
    ),
    max_leaves=8,
)


@given(
    json_values, json_values, st.integers(0, 9), st.sampled_from(["cells", "source", "metadata"])
)
def test_any_json_is_repaired_or_refused(one: Any, other: Any, i: int, key: str) -> None:
    for data in (one, {"cells": [one, other], "nbformat": 4}, {"worksheets": [one, other]}):
        taken = take(data)
        assert taken.notices
        if taken.notebook is not None:
            check_sound(taken)
    notebook = answered()
    notebook["cells"][i][key] = one
    notebook["cells"][(i * 7) % 10] = other
    check_sound(take(notebook))


@given(st.binary(max_size=200), st.text(max_size=20))
def test_any_bytes_and_names(data: bytes, name: str) -> None:
    for content in (data, GOOD.encode()[: len(data) * 20] + data):
        taken = intake.intake({name + ".ipynb": content, name: data}, EXAM)
        assert taken.notebook is not None or taken.notices


def test_intake_is_a_function_of_bytes() -> None:
    once, again = take(answered()), take(answered())
    assert nbformat.writes(once.notebook) == nbformat.writes(again.notebook)


# --- folders of submissions ------------------------------------------------------------------


def test_reading_a_folder(tmp_path: Path) -> None:
    (tmp_path / "secret").write_text("the key")
    folder = tmp_path / "work"
    folder.mkdir()
    (folder / FILE).write_bytes(b"{}")
    (folder / "link.ipynb").symlink_to(tmp_path / "secret")
    (folder / "dir.ipynb").symlink_to(tmp_path)
    (folder / "sub").mkdir()
    (folder / "sub" / "x.ipynb").write_text("{}")
    (folder / ".ipynb_checkpoints").mkdir()
    (folder / "notes.pdf").write_bytes(b"%PDF")
    (folder / "timestamp.txt").write_text("2026")
    (folder / "checks.json").write_text("{}")
    os.mkfifo(folder / "pipe.ipynb")
    with open(folder / "huge.ipynb", "wb") as file:
        file.truncate(10**12)
    files, notices = read(folder)
    noted = files.pop(intake.NOTICED)
    assert {name: len(data) for name, data in files.items()} == {
        FILE: 2,
        "huge.ipynb": MAX_BYTES + 1,
        "notes.pdf": 0,
    }
    assert [notice.code for notice in notices] == ["not_a_file"] * 4
    taken = intake.intake({FILE: GOOD.encode(), intake.NOTICED: noted}, EXAM)
    assert taken.notices == notices
    assert "`pipe.ipynb` was not read, because it is a folder, a link" in " ".join(
        notice.text for notice in notices
    )
    assert codes(intake.intake({"huge.ipynb": files["huge.ipynb"]}, EXAM)) == [
        "wrong_name",
        "too_large",
    ]


def test_what_lies_there_in_place_of_a_notebook_is_said_once(tmp_path: Path) -> None:
    (tmp_path / FILE).symlink_to("/etc/hostname")
    for names in ([], ["notes.txt"]):
        for name in names:
            (tmp_path / name).touch()
        taken = intake.intake(read_submission(tmp_path), EXAM)
        assert codes(taken) == ["no_notebook"]
        assert "was not read, because it is a folder, a link" in taken.notices[0].text
        assert "no file at all" not in taken.notices[0].text
        assert ("It has only `notes.txt`." in taken.notices[0].text) == bool(names)


def test_a_folder_that_is_none(tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to("/")
    for path in (tmp_path / "missing", tmp_path / "link"):
        with pytest.raises(FileNotFoundError, match="folder must be"):
            read_submission(path)


def test_names_that_are_no_text(tmp_path: Path) -> None:
    with open(os.fsencode(tmp_path) + b"/\xff\xfe.ipynb", "wb") as file:
        file.write(GOOD.encode())
    files, notices = read(tmp_path)
    taken = intake.intake(files, EXAM)
    assert codes(taken) == ["wrong_name"]
    assert notices == ()
    assert len(fingerprint(files)) == 64


def test_many_files(tmp_path: Path) -> None:
    for i in range(intake.MAX_FILES + 5):
        (tmp_path / f"{i:04}.txt").write_text("")
    files, notices = read(tmp_path)
    assert len(files) == intake.MAX_FILES + 1
    assert [notice.code for notice in notices] == ["too_many_files"]


@pytest.mark.parametrize("noted", [b"", b"[", b"[3]", b"[[1, 2]]", b"[" * 100_000, b"{}"])
def test_notices_that_are_none(noted: bytes) -> None:
    assert sources(intake.intake({FILE: GOOD.encode(), intake.NOTICED: noted}, EXAM))


def test_many_huge_files(tmp_path: Path) -> None:
    for i in range(6):
        with open(tmp_path / f"{i}.ipynb", "wb") as file:
            file.truncate(10**12)
    files, notices = read(tmp_path)
    assert sum(map(len, files.values())) < intake.MAX_ALL_BYTES + 1000
    assert {notice.code for notice in notices} == {"too_large"}
    assert codes(intake.intake(files, EXAM))[-1] == "several_notebooks"


def test_fingerprint_tells_submissions_apart() -> None:
    different = [{}, {"a": b""}, {"a": b"1"}, {"a1": b""}, {"a": b"", "1": b""}]
    assert len({fingerprint(files) for files in different}) == len(different)


# --- texts and outputs that pages show -------------------------------------------------------


def test_outputs_keep_text_and_small_pictures() -> None:
    found = [
        {"output_type": "stream", "name": "stdout", "text": "a\x1b[31mred\x1b[0m\x1b]0;title\x07b"},
        {"output_type": "stream", "name": "stdout", "text": "c"},
        {
            "output_type": "execute_result",
            "execution_count": 3,
            "metadata": {"x": 1},
            "data": {"text/html": "<script>", "text/plain": ["4", "2"], "image/png": PNG},
        },
        {"output_type": "display_data", "data": {"application/javascript": "alert(1)"}},
        {"output_type": "display_data", "data": {"image/png": '"><script>'}, "metadata": {}},
        {"output_type": "error", "ename": "E", "evalue": "v\0", "traceback": ["one", "\x1b[2Jtwo"]},
        {"output_type": "update_display_data", "data": {"text/plain": "x"}},
        3,
        None,
        {},
    ]
    kept, room = harmless.outputs(found, 10_000)
    assert kept == [
        {"output_type": "stream", "name": "stdout", "text": "a\x1b[31mred\x1b[0mbc"},
        {
            "output_type": "display_data",
            "data": {"image/png": PNG, "text/plain": "42"},
            "metadata": {},
        },
        {"output_type": "display_data", "data": {"text/plain": NOT_DRAWN}, "metadata": {}},
        {"output_type": "error", "ename": "E", "evalue": "v", "traceback": ["one", "two"]},
    ]
    assert 9_700 < room < 10_000
    cells: Any = nbformat.v4
    nbformat.validate(
        cells.new_notebook(
            cells=[cells.new_code_cell("", outputs=[nbformat.from_dict(x) for x in kept])]
        )
    )


def test_outputs_have_an_end() -> None:
    stream = {"output_type": "stream", "name": "stdout", "text": "y" * 10**6}
    kept, room = harmless.outputs([stream] * 100, harmless.NOTEBOOK_BYTES)
    assert len(json.dumps(kept)) < harmless.CELL_BYTES + 100
    assert room == harmless.NOTEBOOK_BYTES - len(kept[0]["text"])
    assert harmless.outputs([stream], 0) == ([], 0)


@given(json_values, json_values)
def test_any_outputs(one: Any, other: Any) -> None:
    found = [
        one,
        {"output_type": "stream", "name": one, "text": other},
        {"output_type": "error", "ename": one, "evalue": other, "traceback": one},
        {"output_type": "display_data", "data": one, "metadata": other},
        {"output_type": "execute_result", "data": {"text/plain": one, "image/png": other}},
    ]
    kept, _ = harmless.outputs(found, 1000)
    cells: Any = nbformat.v4
    nbformat.validate(
        cells.new_notebook(
            cells=[cells.new_code_cell("", outputs=[nbformat.from_dict(x) for x in kept])]
        )
    )


HOSTILE = """<img src=x onerror="alert(1)"> <script>alert(1)</script> <!-- x --> <?php ?>
[a](javascript:alert(1)) [b](java&#115;cript:alert(1)) ![c](javascript:alert(1))
[d][e] <javascript:alert(1)>

[e]: javascript:alert(1)

$\\href{javascript:alert(1)}{x}$ $\\style{x}{y}$ $\\require{html}$
$\\mmlToken{mi}[href="javascript:alert(1)"]{x}$ $\\bbox[background: url(//example.org/x)]{x}$
`<b>` <svg/onload=alert(1)> https://example.org HTTP://example.org ftp://example.org www.example.org
```
<script>
```
"""


#: texts that, when repeated, take a parser of Markdown or a highlighter quadratic time
SLOW = (r"\begin{a}", "[", "![", "[^1]", "[[a", r"\\(", r"\\[", "# a\n", "|a|\n|-|\n", "* * ", "a|")


@pytest.mark.parametrize("text", SLOW)
def test_a_text_is_rendered_in_no_time(text: str) -> None:
    from nbconvert.filters import markdown2html

    start = time.process_time()
    markdown2html(harmless.markdown(text * 50_000))
    assert time.process_time() - start < 5.0


@pytest.mark.parametrize("text", [".", "1.", "(", "a.\n"])
def test_code_is_coloured_in_no_time(text: str) -> None:
    from nbconvert.filters.highlight import Highlight2HTML

    start = time.process_time()
    Highlight2HTML()(harmless.code(text * 200_000))
    assert time.process_time() - start < 5.0


def test_how_much_of_a_text_is_kept() -> None:
    data = base64.b64encode(b"\x89PNG\r\n\x1a\n" + b"0" * 2998).decode()
    picture = f"![](data:image/png;base64,{data})"
    most = harmless.TEXT_CHARACTERS
    text = "x" * (most - 150) + picture
    assert harmless.markdown(text) == text and harmless.markdown_length(text) == most - 50
    assert len(harmless.markdown("x" * 450_000)) < most + 20
    assert len(harmless.markdown(picture * 1000)) < most // 100 * len(picture) + 20
    line = "y = " + "1 + " * 30
    assert harmless.code("\n".join([line] * 100)) == "\n".join([line] * 100)


def test_of_all_characters_those_go_that_are_no_text() -> None:
    turns = {"LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI"}
    every = [chr(i) for i in range(sys.maxunicode + 1) if not 0xD800 <= i < 0xE000]
    kept = set(every) - {
        c
        for c in every
        if unicodedata.category(c) in ("Cc", "Zl", "Zp") or unicodedata.bidirectional(c) in turns
    }
    # leave out the characters for colors and for line ends of Windows, which have rules of their
    # own
    found = harmless.clean("".join(c for c in every if c not in "\r\x1b"))
    assert set(found) == kept | set("\n\t")


def test_markdown_of_a_proof_stays_what_it_is() -> None:
    proof = "Let $a \\le b$.\n\n* $\\sum_i p_i > 0$ and **so** `x > 1`\n\n![x](attachment:a.png)"
    proof += f"\n\n![](data:image/png;base64,{PNG})"
    assert harmless.markdown(proof) == proof


@pytest.mark.parametrize(
    ("text", "cleaned"),
    [
        (3, ""),
        ("a\r\nb\rc\td\n", "a\nb\nc\td\n"),
        ("é\x85\u2028\u2029\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\x7fb", "éb"),
        ("\ud83d\ude00 \ud800", "😀 �"),
        ("\x1b[1;31mred\x1b[0m \x1b[2Kx\x1b]0;title\x07y\x1b", "\x1b[1;31mred\x1b[0m xy"),
        ("\x1b[?25mx\x1b[" + "1" * 21 + "m", "x1m"),
        ("a 0x7f01 at 0x7f01 at 0x7", "a 0x7f01 at 0x... at 0x7"),
        ("/tmp/ipykernel_12/345.py:3", "cell:3"),
        ("(12.py, line 3) (x.py, line 3)", "(line 3 of the cell) (x.py, line 3)"),
    ],
)
def test_what_is_left_of_a_text(text: object, cleaned: str) -> None:
    assert harmless.clean(text) == cleaned


def test_texts_are_cut_where_they_are_too_long() -> None:
    assert harmless.clean("abcde", 5) == "abcde"
    assert harmless.clean("abcdef", 5) == "abcde\n... (cut)"
    assert harmless.quoted("x" * 80) == f"`{'x' * 80}`"
    assert harmless.quoted("x" * 40 + "y" * 41) == f"`{'x' * 40}...{'y' * 40}`"
    assert harmless.quoted("a\tb`c\x1b[31md\n") == "`a b'c[31md`"
    assert harmless.one_line("x" * 300) == "x" * 300
    assert harmless.one_line("x" * 301) == "x" * 297 + "..."
    assert harmless.one_line("\x1b[31ma\x1b[0m \n b") == "a b"
    # only the first characters of a very long text are read, and here these are all empty lines
    assert harmless.one_line("\n" * 3000 + "x") == "... (cut)"
    assert harmless.code("a" * 300 + "\n" + "b" * 301) == f"{'a' * 300}\n{'b' * 300} ... (cut)"
    assert harmless.code("abcde", 5) == "abcde"
    assert harmless.code("abcdef", 5) == "abcde\n... (cut)"
    assert harmless.code("ab", -1) == "\n... (cut)"
    assert harmless.markdown("abcde", 5) == "abcde"
    assert harmless.markdown("ab![](attachment:a)cd", 21) == "ab![](attachment:a)cd"
    assert harmless.markdown("ab![](attachment:a)cd", 20) == "ab![](attachment:a)c\n... (cut)"
    assert harmless.markdown("ab![](attachment:a)cd", 18) == "ab\n... (cut)"
    start = PNG[:12]
    picture = f"![](data:image/png;base64,{start}{'A' * (harmless.ATTACHED_BYTES - 40)})"
    assert len(picture) == harmless.ATTACHED_BYTES - 1
    assert harmless.markdown(picture + "![](attachment:a)") == picture + "(a picture is not shown)"
    assert harmless.markdown(picture) == picture
    assert harmless.markdown_length(picture + "text") == 104


def test_pictures_are_as_large_as_they_may_be() -> None:
    jpeg = base64.b64encode(b"\xff\xd8\xff" + b"0" * 30).decode()
    size = len(PNG)
    assert harmless.picture("image/jpeg", jpeg, 100) == jpeg
    assert harmless.picture("image/png", jpeg, 100) == harmless.picture("image/gif", PNG, 99) == ""
    assert harmless.picture("image/png", PNG, size) == PNG
    assert harmless.picture("image/png", PNG, size - 1) == ""
    # line breaks in base64 data do not count toward the size, but data with too many are refused
    assert harmless.picture("image/png", [PNG[:20] + "\n", PNG[20:] + "\n"], size) == PNG
    assert harmless.picture("image/png", PNG + "\n" * (size // 20 + 1), size) == ""
    for odd in ([PNG, 3], 3, None, PNG[:-1], PNG + "é"):
        assert harmless.picture("image/png", odd, 100) == ""


def test_attachments_have_an_end() -> None:
    size, one = len(PNG), {"image/png": PNG}
    longest = "x" * 80
    assert harmless.attachments({"a": one, longest: one}, 2 * size) == ({"a": one, longest: one}, 0)
    assert harmless.attachments({"a": one, "b": one}, 2 * size - 1) == ({"a": one}, size - 1)
    odd: dict[Any, Any] = {longest * 2: one, 'a"b': one, 3: one, "c": [PNG], "d": {"x": PNG}}
    assert harmless.attachments(odd, 9999) == harmless.attachments(None, 9999) == ({}, 9999)
    two = {"image/gif": PNG, "image/png": PNG, "image/jpeg": PNG}
    assert harmless.attachments({"a": two}, 9999) == ({"a": one}, 9999 - size)


def test_outputs_that_just_fit() -> None:
    def stream(text: str, name: str = "stdout") -> dict[str, Any]:
        return {"output_type": "stream", "name": name, "text": text}

    most = harmless.CELL_BYTES
    assert harmless.outputs([stream("a" * 5), stream("b" * 5)], 10) == (
        [stream("a" * 5 + "b" * 5)],
        0,
    )
    assert harmless.outputs([stream("a", "other"), stream("b", "stderr")], 10) == (
        [stream("a"), stream("b", "stderr")],
        8,
    )
    # a cell may not use more than `CELL_BYTES`, even if more bytes are left for the notebook
    found, room = harmless.outputs([stream("a" * most), stream("b")], 2 * most)
    assert (found, room) == ([stream("a" * most)], most)
    shown = {"output_type": "display_data", "data": {"image/png": PNG, "text/plain": "text"}}
    (kept,), room = harmless.outputs([shown], 1000)
    assert kept["data"] == shown["data"] and room == 1000 - len(PNG) - 4
    (kept,), room = harmless.outputs([shown], len(PNG) - 1)
    assert kept["data"] == {"text/plain": ("text" + NOT_DRAWN)[: len(PNG) - 1] + "\n... (cut)"}
    large = base64.b64encode(b"\x89PNG\r\n\x1a\n" + b"0" * 44_992).decode()
    assert len(large) == harmless.PICTURE_BYTES
    shown = {"output_type": "display_data", "data": {"image/png": large}}
    assert harmless.outputs([shown], 99_999)[0]
    shown["data"] = {"image/png": large + PNG[:4]}
    assert harmless.outputs([shown], 99_999)[0][0]["data"] == {"text/plain": NOT_DRAWN}
    error = {
        "output_type": "error",
        "ename": "E" * 81,
        "evalue": "v" * 301,
        "traceback": ["a", "b"],
    }
    (kept,), room = harmless.outputs([error, stream("c")], 3)
    assert kept["ename"] == "E" * 80 + "\n... (cut)" and kept["evalue"] == "v" * 300 + "\n... (cut)"
    assert kept["traceback"] == ["a", "b"] and room == 0


# --- sizes just below and just above each limit ----------------------------------------------


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("a.ipynb", "notebook"),
        ("A.IPYNB", "notebook"),
        ("a.ipynb.txt", "notebook"),
        ("a.ipynb.zip", "archive"),
        *((f"a{end.upper()}", "archive") for end in intake._ARCHIVES),
        ("a.txt", "file"),
        ("__MACOSX", "ignored"),
        (".a.ipynb", "ignored"),
        ("a-checkpoint.ipynb", "ignored"),
        ("a-Checkpoint", "ignored"),
        ("a~.ipynb", "ignored"),
        ("a.ipynb~", "ignored"),
        ("a.PYC", "ignored"),
        ("checks.json", "ignored"),
        ("timestamp.txt", "ignored"),
        ("feedback_info.txt", "ignored"),
    ],
)
def test_names_of_files(name: str, kind: str) -> None:
    told = {"notebook": intake._is_notebook, "archive": intake._is_archive}
    told["ignored"] = intake._ignored
    found = [word for word, test in told.items() if test(name)]
    assert kind in found or (kind == "file" and not found)
    assert kind == "ignored" or found == [kind] * (kind != "file")


def test_files_of_many_names_and_sizes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Files that just reach the limits are all read; if some are not read, notices say why."""
    monkeypatch.setattr(intake, "MAX_FILES", 3)
    monkeypatch.setattr(intake, "MAX_BYTES", 10)
    monkeypatch.setattr(intake, "MAX_ALL_BYTES", 15)
    for name in ("a", "b", "c"):
        (tmp_path / f"{name}.ipynb").write_bytes(b"x" * 5)
    files, notices = read(tmp_path)
    assert [*files.values()] == [b"x" * 5] * 3 and notices == ()
    (tmp_path / "a.ipynb").write_bytes(b"x" * 6)
    files, notices = read(tmp_path)
    files.pop(intake.NOTICED)
    assert sorted(files) == ["a.ipynb", "b.ipynb"]
    assert [n.text for n in notices] == [
        "`c.ipynb` was not read, because the other files are too large."
    ]
    (tmp_path / "a.ipynb").write_bytes(b"x" * 12)
    (tmp_path / "b.ipynb").write_bytes(b"")
    (tmp_path / "d.ipynb").write_bytes(b"")
    files, notices = read(tmp_path)
    files.pop(intake.NOTICED)
    assert {name: len(data) for name, data in files.items()} == {
        "a.ipynb": 11,
        "b.ipynb": 0,
    }
    assert [n.text for n in notices] == [
        "The submission has 4 files, and only the first 3 were read. Submit the notebook alone.",
        "`c.ipynb` was not read, because the other files are too large.",
    ]


def test_a_file_that_stands_elsewhere_too(tmp_path: Path) -> None:
    folder = tmp_path / "work"
    folder.mkdir()
    (tmp_path / "secret.ipynb").write_text("the key")
    os.link(tmp_path / "secret.ipynb", folder / FILE)
    files, (notice,) = read(folder)
    assert FILE not in files and "it is a folder, a link" in notice.text


def test_the_folder_around_a_submission_is_no_link(tmp_path: Path) -> None:
    (tmp_path / "anna" / NAME).mkdir(parents=True)
    (tmp_path / "link").symlink_to("anna")
    (tmp_path / "anna" / "file").touch()
    assert read_submission(tmp_path / "anna" / NAME) == {}
    for path in (tmp_path / "link" / NAME, tmp_path / "anna" / "file"):
        with pytest.raises(FileNotFoundError, match="folder must be a folder of files"):
            read_submission(path)


def test_as_large_as_it_may_be() -> None:
    assert take({"cells": [{}] * 2000, "nbformat": 4}).notices[-1].code == "foreign_notebook"
    assert codes(take({"cells": [{}] * 2001, "nbformat": 4})) == ["too_many_cells"]
    for more, code in ((0, "foreign_notebook"), (1, "too_large")):
        cells = [cell("code", "x" * 4_000_000), cell("markdown", "y" * (1_000_000 + more))]
        assert codes(take({"cells": cells, "nbformat": 4})) == [code]
    assert codes(take(b" " * MAX_BYTES)) == ["empty_file"]
    assert codes(take(b" " * (MAX_BYTES + 1))) == ["too_large"]


def test_what_is_said_of_many() -> None:
    def named(n: int) -> dict[str, bytes]:
        return {f"{i}.txt": b"" for i in range(n)}

    (told,) = intake.intake(named(5), EXAM).notices
    assert told.text.endswith("It has only `0.txt`, `1.txt`, `2.txt`, `3.txt`, `4.txt`.")
    (told,) = intake.intake(named(7), EXAM).notices
    assert told.text.endswith("`4.txt` and 2 more.")
    (told,) = intake.intake({}, EXAM).notices
    assert told.text == f"The submission has no notebook `{FILE}`. It has no file at all."
    left = [["not_a_file", f"`{i}` is a folder."] for i in range(4)]
    noted = [["too_many_files", "There are more."], *left]
    *rest, told = intake.intake({intake.NOTICED: json.dumps(noted).encode()}, EXAM).notices
    assert [n.text for n in rest] == ["There are more.", "`3` is a folder."]
    assert all(text in told.text for _, text in left[:3]) and left[3][1] not in told.text


@pytest.mark.parametrize(
    ("data", "text", "said"),
    [
        (b"abc", "abc", []),
        (b"\xef\xbb\xbfabc", "abc", []),
        (b"\xff\xfea\0b\0", "ab", ["UTF-16"]),
        (b"\xfe\xff\0a\0b", "ab", ["UTF-16"]),
        (b"\xff\xfe\0\0a\0\0\0", "a", ["UTF-32"]),
        (b"\0\0\xfe\xff\0\0\0a", "a", ["UTF-32"]),
        (b"a\0b\0", "ab", ["UTF-16-LE"]),
        (b"\0a\0b", "ab", ["UTF-16-BE"]),
        (b"\0\0\0\0", "\0\0\0\0", []),
        (b"\0", "\0", []),
        (b"a", "a", []),
        (b"a\xff", "a\ufffd", ["bytes that are not UTF-8"]),
        (b"a\0b\0c", "ab\ufffd", ["UTF-16-LE", "bytes that are not UTF-16-LE"]),
    ],
)
def test_which_encoding_it_is(data: bytes, text: str, said: list[str]) -> None:
    notices = Notices()
    assert intake._decoded("x", data, notices) == text
    assert len(notices) == len(said)
    assert all(word in notice.text for word, notice in zip(said, notices, strict=True))


ONE_CELL = [
    "One cell was left out, because its type is unknown.",
    "One cell was emptied, because its content is not text.",
]
TWO_CELLS = [
    "2 cells were left out, because their types are unknown.",
    "2 cells were emptied, because their content is not text.",
]


@pytest.mark.parametrize("n", [1, 2])
def test_cells_that_are_none_are_counted(n: int) -> None:
    def change(notebook: dict[str, Any]) -> None:
        notebook["cells"] += [{"cell_type": "table", "source": "x"}, *[3] * (n - 1)]
        notebook["cells"] += [{"cell_type": "code", "source": 3, "metadata": {}}] * n

    told = [notice.text for notice in taken_with(change).notices]
    assert told == [ONE_CELL, TWO_CELLS][n - 1]


def test_texts_of_cells() -> None:
    assert intake._text("a\r\nb\rc\0\ud83d\ude00\udc00") == "a\nb\nc\ufffd😀\ufffd"
    assert intake._text(["a\n", "b"]) == "a\nb"
    assert intake._text(["a", 3]) == intake._text(None) == intake._text({"a": "b"}) == ""


def test_old_headings_and_raw_cells() -> None:
    kinds = [("heading", level) for level in (1, 6, 0, 7, "2", None)]
    cells = [{"cell_type": kind, "level": level, "source": "x"} for kind, level in kinds]
    cells += [{"cell_type": kind, "source": "y"} for kind in ("raw", "html", "code", 3)]
    made = intake._old_cells({"cells": cells, "worksheets": [{"cells": [3]}]})
    assert [one["source"].count("#") for one in made[:6]] == [1, 6, 1, 1, 1, 1]
    assert [one["cell_type"] for one in made[6:]] == ["raw", "markdown", "code"]
    assert made[-1]["source"] == "y"


#: what is shown in place of 0, 1 or 2 further notices of the same kind: nothing, or one notice
MORE = [[], ["There is 1 more notice like this."], ["There are 2 more notices like this."]]


@pytest.mark.parametrize("many", [8, 9, 10])
def test_notices_of_one_kind_have_an_end(many: int) -> None:
    notice = intake.Notice
    given = [notice("a", f"{i}.") for i in range(many)] + [notice("b", "last.")]
    kept = repair._capped(given)
    assert [one.text for one in kept[:8]] == [f"{i}." for i in range(8)]
    assert kept[8].text == "last."
    more = [notice("a", text) for text in MORE[many - 8]]
    assert kept[9:] == more


@pytest.mark.parametrize(
    ("source", "found"),
    [
        ("def f(x):\n  def g(y): pass\nasync  def h (x): pass", {"f", "h"}),
        ("f = lambda x: x\ng == 3\n h = 1\nk=2", {"f", "k"}),
        ("# def f(x):\n'def g(x):'", set()),
    ],
)
def test_what_a_cell_defines(source: str, found: set[str]) -> None:
    assert repair.Piece("code", source).defined == found


def test_what_a_cell_checks() -> None:
    source = "check(\"a\")\n  check ( 'b' )\n  check( 'c' )\n# check('d')\nx = check('e')"
    assert repair.Piece("code", source).checked == {"a", "c"}


@pytest.mark.parametrize(
    ("text", "same"),
    [
        ("import math", True),
        ("  import math  \n\n", True),
        ("import  math # mine", True),
        ("import math as m", False),
        ("import (", False),
    ],
)
def test_locked_code_says_the_same(text: str, same: bool) -> None:
    place = next(p for p in repair.shape(EXAM.notebook).places if p.name == "imports")
    assert repair._is_unchanged(place, repair.Piece("code", text)) is same


def test_locked_text_says_the_same() -> None:
    place = next(p for p in repair.shape(EXAM.notebook).places if p.name == "why_question")
    assert (place.released.strip(), place.role) == ("Why?", "locked")
    for text, same in (
        ("Why?", True),
        (place.source, True),
        (" ".join(place.source.split()), True),
        ("Why ?", False),
        ("Why?" + " \n" * 500 + "Why?", False),
    ):
        assert repair._is_unchanged(place, repair.Piece("markdown", text)) is same, text
    long = "x = 1  # " + "c" * repair._PARSED_CHARACTERS
    assert repair._meaning(long) == long
    assert repair._meaning("x = 1 # c") == repair._meaning("x=1")
    assert repair._meaning("x = (") == "x = ("


def test_a_copy_is_no_other_cell() -> None:
    """A copy of a cell, with the same name, does not take the place of another, missing cell."""

    def change(notebook: dict[str, Any]) -> None:
        notebook["cells"].remove(find(notebook, "half"))
        i = notebook["cells"].index(find(notebook, "double"))
        copied = copy.deepcopy(notebook["cells"][i]) | {"source": DOUBLE + "\n\n" + HALF}
        notebook["cells"].insert(i, copied)

    assert codes(taken_with(change)) == ["duplicate_cell", "missing_cell"]


def question(name: str) -> list[dict[str, Any]]:
    text = cell("markdown", f"About {name}?", f"id-{name}-q", grade_id=f"{name}_q", locked=True)
    answer = {"grade": True, "solution": True, "points": 1}
    return [text, cell("markdown", MODEL, f"id-{name}", grade_id=name, **answer)]


TWO = {**INSTRUCTOR, "cells": [*question("one"), cell("markdown", "Prose."), *question("two")]}
TWO_EXAM = Exam(NAME, 1, json.dumps(TWO), ())


def answers_of(*own: tuple[int, str, str], given: str = STUB) -> dict[str, str]:
    """Return the answers that count for two questions if a student adds cells.

    `own` has the index, type and text of each added cell; both answer cells have the text `given`.
    """
    notebook = copy.deepcopy(TWO)
    for one in notebook["cells"]:
        if grade_id(one) in ("one", "two"):
            one["source"] = given
    for place, kind, source in sorted(own, reverse=True):
        notebook["cells"].insert(place, cell(kind, source))
    data = json.dumps(notebook).encode()
    found = sources(intake.intake({FILE: data}, TWO_EXAM))
    return {name: found[name] for name in ("one", "two")}


@pytest.mark.parametrize(
    ("own", "one", "two"),
    [
        ([], STUB, STUB),
        ([(1, "markdown", "Mine.")], "Mine.", STUB),
        ([(2, "markdown", "Mine.")], "Mine.", STUB),
        ([(3, "markdown", "Mine.")], "Mine.", STUB),
        ([(4, "markdown", "Mine.")], STUB, "Mine."),
        ([(5, "markdown", "Mine.")], STUB, "Mine."),
        ([(0, "markdown", "Mine.")], STUB, STUB),
        ([(1, "code", "mine = 1")], STUB, STUB),
        ([(1, "raw", "Mine.")], "Mine.", STUB),
        ([(1, "markdown", "Mine."), (2, "markdown", "Mine is longer.")], "Mine is longer.", STUB),
        ([(1, "markdown", "Mine is longer."), (2, "markdown", "Mine.")], "Mine is longer.", STUB),
        ([(1, "markdown", "Prose.")], STUB, STUB),
        ([(1, "markdown", f" {STUB}\n")], STUB, STUB),
    ],
)
def test_answers_next_to_their_cells(own: Any, one: str, two: str) -> None:
    assert answers_of(*own) == {"one": one, "two": two}
    # if the answer cell has a text, this text counts, and no added cell
    assert answers_of(*own, given="Given.") == {"one": "Given.", "two": "Given."}


def test_an_answer_written_into_its_question() -> None:
    for text, found in (
        ("About one?\n\nThis is mine.", "About one?\n\nThis is mine."),
        ("About  one?", ""),
        ("About", ""),
    ):
        notebook = copy.deepcopy(TWO)
        for one in notebook["cells"]:
            if grade_id(one) in ("one", "two"):
                one["source"] = ""
            if grade_id(one) == "one_q":
                one["source"] = text
        taken = intake.intake({FILE: json.dumps(notebook).encode()}, TWO_EXAM)
        assert sources(taken)["one"] == found
        assert ("answer_elsewhere" in codes(taken)) is bool(found)
        assert sources(taken)["two"] == ""


def test_files_that_a_student_made_are_opened_with_care(tmp_path: Path) -> None:
    folder = tmp_path / "anna" / NAME
    folder.mkdir(parents=True)
    (folder / "a").write_text("mine")
    (folder / "twice").write_text("")
    os.link(folder / "twice", tmp_path / "again")
    (folder / "link").symlink_to("a")
    (folder / "sub").mkdir()
    os.mkfifo(folder / "pipe")
    (tmp_path / "other").symlink_to("anna")
    before = os.listdir("/proc/self/fd")
    handle = opening.open_submitted(folder, "a")
    assert os.read(handle, 9) == b"mine" and not os.get_inheritable(handle)
    os.close(handle)
    for place, name in [(folder, "twice"), (folder, "link"), (folder, "sub"), (folder, "pipe")]:
        with pytest.raises(OSError, match=rf"{name}"):
            opening.open_submitted(place, name)
    for place in (tmp_path / "other" / NAME, folder / "a", folder / "link"):
        with pytest.raises(OSError, match=r"\[Errno"):
            opening.open_submitted(place, "a")
    assert os.listdir("/proc/self/fd") == before


def test_what_may_be_done_with_the_exam_s_cells() -> None:
    for place in repair.shape(EXAM.notebook).places:
        meta = json.loads(place.metadata)
        assert meta["deletable"] is False
        assert meta.get("editable") is (False if place.role in ("check", "locked") else None)
    bare = {**INSTRUCTOR, "metadata": {"language_info": {"name": "python"}, "more": 1}}
    assert repair.shape(json.dumps(bare)).metadata == '{"language_info": {"name": "python"}}'
    roles = {place.name: place.role for place in repair.shape(EXAM.notebook).places}
    assert roles == {
        **{"imports": "locked", "why_question": "locked", "why": "manual"},
        **{name: "solution" for name in ("double", "half")},
        **{f"{name}_values": "check" for name in ("double", "half")},
    }


@pytest.mark.parametrize(
    ("meta", "counts"),
    [
        ({"grade": True, "points": 2}, "x = 1codeTrueFalseTruen2.0"),
        ({"grade": True, "solution": True, "points": 2}, "x = 1codeTrueTrueFalsen2.0"),
        ({"solution": True, "locked": True}, "x = 1codeFalseTrueFalsen"),
        ({"locked": True}, "x = 1codeFalseFalseTruen"),
        ({"locked": False}, "x = 1codeFalseFalseFalsen"),
    ],
)
def test_what_a_checksum_is_of(meta: Any, counts: str) -> None:
    wanted = hashlib.md5(counts.encode(), usedforsecurity=False).hexdigest()
    assert repair.checksum("code", "x = 1", {"grade_id": "n", **meta}) == wanted


@pytest.mark.parametrize(
    ("source", "released"),
    [
        ("a\n  ### BEGIN SOLUTION x\n  b\n  ### END SOLUTION\nc", "a\n  stub\n  more\nc"),
        ("### BEGIN SOLUTION\n### END SOLUTION", "stub\nmore"),
        ("### BEGIN SOLUTION\nb\n### END SOLUTION\n" * 2, "stub\nmore\nstub\nmore\n"),
        ("no region", "stub\nmore"),
    ],
)
def test_solutions_are_taken_out(
    source: str, released: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(repair.STUBS, "code", "stub\nmore")
    metadata = {"nbgrader": {"solution": True}}
    cell = {"cell_type": "code", "source": source, "metadata": metadata}
    assert repair._cleared(cell) == released


def moved(order: str, named: str = "ABCD") -> tuple[list[str], list[str]]:
    """Return the order of a notebook's cells after repair, and the texts of the notices.

    `order` is the submitted order. The letters of `named` stand for the cells of the assignment,
    in the right order, and any other letter for a cell that the student added.
    """
    text = [cell("code", f"{x} = 1", f"id-{x}", grade_id=x, locked=True) for x in named]
    exam = Exam(NAME, 1, json.dumps({**INSTRUCTOR, "cells": text}), ())
    shown = {one["metadata"]["nbgrader"]["grade_id"]: one for one in text}
    cells = [shown[x] if x in shown else cell("code", x) for x in order]
    made = intake.intake({FILE: json.dumps({"cells": cells, "nbformat": 4}).encode()}, exam)
    ids = [one.id for one in made.notebook.cells]
    assert len(set(ids)) == len(ids)
    return [one.source[0] for one in made.notebook.cells], [n.text for n in made.notices]


@pytest.mark.parametrize(
    ("order", "after", "said"),
    [
        ("xAyBCzD", "xAyBCzD", ""),
        ("ABDxC", "ABxCD", "Cells were moved (`C`)"),
        ("BxAyCD", "xAyBCD", "Cells were moved (`A`)"),
        ("DCBA", "ABCD", "Cells were moved (`C`, `B`, `A`)"),
        ("AByD", "AByCD", "`C` was deleted"),
        ("xBCD", "AxBCD", "`A` was deleted"),
    ],
)
def test_the_order_of_cells(order: str, after: str, said: str) -> None:
    cells, notices = moved(order)
    assert "".join(cells) == after
    assert len(notices) == bool(said) and all(said in text for text in notices)


@pytest.mark.parametrize(
    ("order", "said"),
    [
        ("FEDCBA", "Cells were moved (`E`, `D`, `C`, `B`, `A`). They"),
        ("GFEDCBA", "Cells were moved (`F`, `E`, `D`, `C`, `B`, ...). They"),
    ],
)
def test_five_moved_cells_are_named(order: str, said: str) -> None:
    (told,) = moved(order, "".join(sorted(order)))[1]
    assert told.startswith(said)


@pytest.mark.parametrize(
    "begin",
    [b"PK\3\4", b"PK\5\6", b"\x1f\x8b", b"Rar!", b"BZh", b"\xfd7zXZ\0", b"\x28\xb5\x2f\xfd"],
)
def test_archives_are_known_by_their_beginning(begin: bytes) -> None:
    assert codes(take(begin + b"x" * 50)) == ["archive"]


def test_of_equal_cells_the_first_is_kept() -> None:
    text = [cell("code", f"{x} = 1", f"id-{x}", grade_id=x, locked=True) for x in "AB"]
    exam = Exam(NAME, 1, json.dumps({**INSTRUCTOR, "cells": text}), ())
    given = [text[0], cell("code", "mine"), text[0], text[1]]
    made = intake.intake({FILE: json.dumps({"cells": given, "nbformat": 4}).encode()}, exam)
    assert [grade_id(one) for one in made.notebook.cells] == ["A", "", "", "B"]
    assert made.notices[0].text.startswith("There are 2 cells called `A`. The first one was taken")


def test_results_are_read_back() -> None:
    about = ("a", "check", 2.0, "b#c", "key")
    items = (ItemResult(*about, 1.5), ItemResult("b", *about[1:], None))
    cells = [
        cell("code", "x", "1", grade_id="a") | {"outputs": ["old"]},
        cell("code", "y", "2", grade_id="b") | {"outputs": ["old"]},
        cell("markdown", "z", "3", grade_id="c"),
        cell("code", "own", "4") | {"outputs": ["old"]},
    ]
    book = notebook_text({"cells": cells})
    notices = (Notice("code", "text."),)
    made = Result(NAME, 1, "s", "i", "none", "graded", notices, items, book, {"d": "text"})
    assert Result.from_bytes(made.to_bytes()) == made
    assert made.score == 1.5
    for text in (b"", b"[]", b"3", b"{}", made.to_bytes().replace(b'"format": 3', b'"format": 2')):
        with pytest.raises(ValueError, match="data must be a result of format 3"):
            Result.from_bytes(text)
    # after a later grading of item a only, `updated` replaces only a's score and a's cell output
    for one in cells:
        one["outputs"] = ["new"]
    newer = (ItemResult(*about, 2.0), ItemResult("c", *about[1:], 9.0))
    later = replace(made, items=newer, notebook=notebook_text({"cells": cells}), status="refused")
    whole = made.updated(later)
    assert [(item.name, item.score) for item in whole.items] == [("a", 2.0), ("b", None)]
    outputs = [one.get("outputs") for one in json.loads(whole.notebook)["cells"]]
    assert outputs == [["new"], ["old"], None, ["old"]]
    assert whole.status == "graded"
    assert made.updated(replace(later, notebook="")).notebook == book
    assert replace(made, notebook="").updated(later).notebook == ""


def test_ids_that_are_none_are_made_anew() -> None:
    text = [cell("code", f"{x} = 1", x, grade_id=f"n{i}", locked=True) for i, x in enumerate("ab")]
    text[0]["id"], text[1]["id"] = "a b", "x" * 65
    exam = Exam(NAME, 1, json.dumps({**INSTRUCTOR, "cells": text}), ())
    made = intake.intake({FILE: json.dumps({"cells": text, "nbformat": 4}).encode()}, exam)
    assert [one.id for one in made.notebook.cells] == ["own-0", "own-1"]


def test_of_two_solutions_the_last_before_its_own_check_counts() -> None:
    def change(notebook: dict[str, Any]) -> None:
        late = copy.deepcopy(find(notebook, "half")) | {"source": "def half(x): return 7"}
        notebook["cells"].append(late)

    taken = taken_with(change)
    assert codes(taken) == ["duplicate_cell"]
    assert sources(taken)["half"] == HALF


# --- the messages in another language


def broken() -> dict[str, Any]:
    """Return a submission that needs nearly all kinds of repairs."""
    made = answered()
    cells = {grade_id(one): one for one in made["cells"]}
    cells["imports"]["source"] = "import math as m"
    cells["half_values"]["source"] = HALF
    cells["double"]["metadata"] = {}
    cells["why"]["cell_type"] = "raw"
    cells["why_question"]["source"] += " " + ANSWER
    cells["why"]["source"] = ""
    own = [cell("code", "1", grade_id=f"x{i}") for i in range(10)]
    copies = [copy.deepcopy(cells["half"]) for _ in range(2)]
    odd = [{"cell_type": "table"}, {"cell_type": "code", "source": 3}]
    made["cells"] = [cells["half"], *made["cells"], *copies, *own, *odd]
    made["cells"].remove(cells["double_values"])
    made["metadata"] |= {"kernelspec": {"language": "R"}, "dpteach": {"handed_in": "0"}}
    return made


SUBMITTED: list[dict[str, bytes]] = [
    {FILE: json.dumps(broken()).encode("utf-16"), "other.ipynb": b"", "a.zip": b""},
    {FILE: json.dumps({"worksheets": [], "nbformat": 3, "x": "y"}).encode() + b"\xff"},
    {"one.ipynb": b"{}", "two.ipynb": b"{}"},
    {"a.zip": b""},
    {"one.txt": b""},
    {},
    *({FILE: data} for data in (b"PK\3\4", b"", b"{", b"[" * 100_000, b"[]", b"<html>")),
    {FILE: json.dumps({"cells": [{}] * 3000}).encode()},
    {FILE: json.dumps({"cells": [cell("code", "x" * 10**6)] * 6}).encode()},
    {"my.ipynb": json.dumps({"cells": [], "nbformat": 5}).encode()},
    {FILE: b" " * (MAX_BYTES + 1)},
]


@pytest.mark.parametrize("files", SUBMITTED, ids=lambda files: "-".join(files) or "none")
def test_no_notice_is_left_in_english(files: dict[str, bytes]) -> None:
    with speaking("en-XA"):
        notices = intake.intake(files, EXAM).notices
    english = [code for code, text in notices_of(notices) if untranslated(text)]
    # this test does not check the text of `foreign_notebook`, which is from another module,
    # `dpteach.grading.core.receipt`
    assert notices and set(english) <= {"foreign_notebook"}


def notices_of(notices: tuple[Notice, ...]) -> list[tuple[str, str]]:
    return [(notice.code, notice.text) for notice in notices]


def test_no_notice_of_a_folder_is_left_in_english(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(intake, "MAX_FILES", 5)
    monkeypatch.setattr(intake, "MAX_ALL_BYTES", 1)
    (tmp_path / "a.ipynb").symlink_to("b")
    (tmp_path / "b.ipynb").mkdir()
    os.mkfifo(tmp_path / "c.ipynb")
    (tmp_path / "d.ipynb").write_text("{}")
    (tmp_path / "e.ipynb").write_text("{}")
    os.link(tmp_path / "e.ipynb", tmp_path / "f.ipynb")
    with speaking("en-XA"):
        _, notices = read(tmp_path)
    assert [notice.code for notice in notices] == [
        "too_many_files", *["not_a_file"] * 3, "too_large", "not_a_file",
    ]  # fmt: skip
    assert [word for notice in notices for word in untranslated(notice.text)] == []
