"""Tests of `dpteach hand-in`: the file that it makes, and the fingerprint of the answers."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest
import small_course
from small_course import NAME, answered

from dpteach import cli
from dpteach.grading.author.build import build_source
from dpteach.grading.author.making import make_exam
from dpteach.grading.core.receipt import name_of, receipt
from dpteach.grading.course.submitting import frame
from dpteach.grading.student.files import StudentError
from dpteach.grading.student.hand_in import compared, hand_in
from dpteach.grading.student.validate import validate
from dpteach.grading.submission.intake import intake, read_submission
from dpteach.grading.submission.repair import checksum

pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning")


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return small_course.make_course(tmp_path_factory.mktemp("course") / "course")


@pytest.fixture
def mine(built: Path, tmp_path: Path) -> Path:
    """Return the folder of a student, with the released files."""
    shutil.copytree(built / "release" / NAME, tmp_path / NAME)
    return tmp_path / NAME


def write(mine: Path, text: str) -> Path:
    path = mine / f"{NAME}.ipynb"
    path.write_text(text, "utf-8")
    return path


def changed(text: str, **changes: Any) -> str:
    """Return a notebook's JSON text with new texts for some cells; None removes a cell."""
    notebook = json.loads(text)
    cells = []
    for cell in notebook["cells"]:
        name = cell["metadata"].get("nbgrader", {}).get("grade_id")
        if name in changes:
            if changes[name] is None:
                continue
            cell["source"] = changes[name]
        cells.append(cell)
    return json.dumps(notebook | {"cells": cells})


def test_a_whole_notebook_becomes_the_file_that_is_graded(
    built: Path, mine: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = write(mine, answered(built))
    assert cli.main(["hand-in", str(path)]) == 0
    said = capsys.readouterr().out
    file = mine / "hand_in" / f"{NAME}.ipynb"
    assert f"Submit this file: {file}" in said
    fingerprint = receipt(json.loads(path.read_text("utf-8")))
    assert fingerprint in said and "Not answered" not in said and "missing" not in said
    assert compared(file) == (fingerprint, fingerprint)
    exam = make_exam(built / "assignments" / f"{NAME}.md", 1)
    taken = intake(read_submission(file.parent), exam)
    assert taken.notices == () and taken.notebook is not None


def test_outputs_stay_behind_and_do_not_count(built: Path, mine: Path) -> None:
    notebook = json.loads(answered(built))
    path = write(mine, json.dumps(notebook))
    before = hand_in(path).receipt
    for cell in notebook["cells"]:
        if cell["cell_type"] == "code":
            cell["outputs"] = [{"output_type": "stream", "name": "stdout", "text": "noise"}]
            cell["execution_count"] = 3
    found = hand_in(write(mine, json.dumps(notebook, indent=3)))
    assert found.receipt == before
    text = found.path.read_text("utf-8")
    assert "noise" not in text
    # the file to hand in does not have the execution counts that the notebook has
    code = [cell for cell in json.loads(text)["cells"] if cell["cell_type"] == "code"]
    assert code and {cell["execution_count"] for cell in code} == {None}


@pytest.mark.parametrize("metadata", [None, [], "kernel"])
def test_other_metadata_cost_nobody_the_answers(built: Path, mine: Path, metadata: Any) -> None:
    notebook = json.loads(answered(built))
    before = hand_in(write(mine, json.dumps(notebook))).receipt
    found = hand_in(write(mine, json.dumps(notebook | {"metadata": metadata})))
    assert compared(found.path) == (before, before)


def test_what_is_not_answered_is_named(
    built: Path, mine: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    release = (mine / f"{NAME}.ipynb").read_text("utf-8")
    assert cli.main(["hand-in", str(mine / f"{NAME}.ipynb")]) == 1
    assert "Not answered yet: double, half, why." in capsys.readouterr().out
    found = hand_in(write(mine, changed(release, double=small_course.RIGHT, why="Because.")))
    assert (found.missing, found.unanswered) == ((), ("half",))


def test_a_cell_that_is_missing_is_named(built: Path, mine: Path) -> None:
    found = hand_in(write(mine, changed(answered(built), double=None, half_values=None)))
    assert found.missing == ("double", "half_values")
    assert "Cells are missing: double, half_values." in found.text()


def test_a_given_cell_that_was_altered_is_named(built: Path, mine: Path) -> None:
    text = answered(built)
    given = {"cell_type": "code", "source": "import math", "outputs": [], "execution_count": None}
    mark = {"grade_id": "imports", "locked": True, "grade": False, "solution": False}
    mark["checksum"] = checksum("code", "import math", mark)
    notebook = json.loads(text)
    notebook["cells"].insert(0, given | {"id": "imports", "metadata": {"nbgrader": mark}})
    path = write(mine, json.dumps(notebook))
    assert hand_in(path).altered == ()
    found = hand_in(write(mine, changed(json.dumps(notebook), imports="import math, scipy")))
    assert found.altered == ("imports",)
    assert "You changed the cell `imports`, which belongs to the assignment." in found.text()


def test_a_file_that_was_changed_afterwards_is_seen(
    built: Path, mine: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = hand_in(write(mine, answered(built))).path
    file.write_text(changed(file.read_text("utf-8"), why="Because of something else."), "utf-8")
    before, now = compared(file)
    assert before != now
    assert cli.main(["hand-in", "--check", str(file)]) == 1
    assert before in capsys.readouterr().out
    exam = make_exam(built / "assignments" / f"{NAME}.md", 1)
    (notice,) = intake(read_submission(file.parent), exam).notices
    assert notice.code == "changed_file"
    assert before in notice.text and now in notice.text


def test_a_file_that_was_saved_in_an_old_format_is_seen(built: Path, mine: Path) -> None:
    notebook = json.loads(hand_in(write(mine, answered(built))).path.read_text("utf-8"))
    before = notebook["metadata"]["dpteach"]["handed_in"]
    notebook |= {"nbformat": 3, "worksheets": [{"cells": notebook.pop("cells")}]}
    exam = make_exam(built / "assignments" / f"{NAME}.md", 1)
    notices = intake({f"{NAME}.ipynb": json.dumps(notebook).encode()}, exam).notices
    (said,) = (notice.text for notice in notices if notice.code == "changed_file")
    assert before in said and "it is `none` now" in said


def test_a_photograph_is_an_answer_and_counts(built: Path, mine: Path) -> None:
    """A photograph counts as an answer, and a different one changes the fingerprint."""

    def with_photograph(text: str, data: str) -> str:
        notebook = json.loads(changed(text, why=""))
        (cell,) = (c for c in notebook["cells"] if name_of(c) == "why")
        cell["attachments"] = {"proof.png": {"image/png": data}}
        return json.dumps(notebook)

    found = hand_in(write(mine, with_photograph(answered(built), "iVBORw0KGgo=")))
    assert found.unanswered == ()
    other = with_photograph(found.path.read_text("utf-8"), "iVBORw0KGgoA")
    found.path.write_text(other, "utf-8")
    before, now = compared(found.path)
    assert before != now


@pytest.mark.parametrize("own", [{"handed_in": 3}, {"handed_in": "x" * 10_000}, [], "x"])
def test_nonsense_in_place_of_a_fingerprint_breaks_nothing(built: Path, own: Any) -> None:
    notebook = json.loads(answered(built))
    notebook["metadata"]["dpteach"] = own
    notebook["cells"] += [3, None, {"cell_type": "markdown", "source": [1], "attachments": [[]]}]
    exam = make_exam(built / "assignments" / f"{NAME}.md", 1)
    taken = intake({f"{NAME}.ipynb": json.dumps(notebook).encode()}, exam)
    assert taken.notebook is not None
    assert all(len(notice.text) < 500 for notice in taken.notices)


def test_what_is_not_this_assignment_is_refused(built: Path, mine: Path, tmp_path: Path) -> None:
    text = answered(built)
    path = write(mine, text)

    def refused(file: Path, words: str) -> None:
        with pytest.raises(StudentError, match=words):
            hand_in(file)

    refused(mine / "nothing.ipynb", r"nothing\.ipynb does not exist")
    copy = mine / f"{NAME}-Copy1.ipynb"
    copy.write_text(text)
    refused(copy, rf"must be named {NAME}\.ipynb, and this one .*Copy1")
    other = {"cells": [], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}
    path.write_text(json.dumps(other))
    refused(path, rf"not the notebook of `{NAME}`: it has none of its cells")
    meta = {"nbgrader": {"grade_id": "imports"}}, {"nbgrader": {"grade_id": "rho"}}
    cells = [{"cell_type": "code", "metadata": one, "source": "", "outputs": []} for one in meta]
    path.write_text(
        json.dumps(other | {"cells": cells, "metadata": {"dpteach": {"assignment": "zcdp"}}})
    )
    refused(path, rf"This is the notebook of `zcdp`, not of `{NAME}`\. Submit the notebook of")
    with pytest.raises(StudentError, match=rf"notebook of `zcdp`, not of `{NAME}`"):
        validate(path)
    path.write_text("no JSON")
    refused(path, "does not contain JSON")
    path.write_text(json.dumps({"worksheets": []}))
    refused(path, "an old format")
    path.write_text(text)
    (mine / "checks.json").write_text("{}")
    refused(path, r"checks\.json is damaged")
    (mine / "checks.json").unlink()
    refused(path, r"checks\.json is missing")
    assert not (mine / "hand_in").exists()
    assert cli.main(["hand-in", str(path)]) == 2
    assert cli.main(["hand-in", "--check", str(path)]) == 2, "it was not made by hand-in"


def test_the_notebook_ends_with_the_one_way_of_its_course(built: Path, tmp_path: Path) -> None:
    def last(folder: Path) -> str:
        notebook = json.loads((folder / f"{NAME}.ipynb").read_text("utf-8"))
        texts = [cell for cell in notebook["cells"] if cell["cell_type"] == "markdown"]
        return "".join(texts[-1]["source"])

    by_file = last(built / "release" / NAME)
    assert f"dpteach hand-in {NAME}.ipynb" in by_file and "Assignment List" not in by_file
    (tmp_path / "assignments").mkdir()
    text = tmp_path / "assignments" / f"{NAME}.md"
    text.write_text(small_course.SOURCE, "utf-8")
    (tmp_path / "nbgrader_config.py").write_text("c = get_config()\nc.HandIn.by = 'exchange'\n")
    build_source(text, tmp_path / "source")
    by_exchange = last(tmp_path / "source")
    assert "*Submit*" in by_exchange and "hand-in" not in by_exchange
    exam = json.loads(make_exam(text, 1).notebook)
    assert by_exchange == "".join(exam["cells"][-1]["source"]), "else it would be the student's own"
    (tmp_path / "nbgrader_config.py").write_text("c = get_config()\nc.HandIn.by = 3\n")
    with pytest.raises(ValueError, match=r"c\.HandIn\.by .*must be 'file' or 'exchange', got .*3"):
        frame(tmp_path, NAME, ["checks.json"])


def test_what_is_submitted_is_what_was_written(built: Path, tmp_path: Path) -> None:
    """A notebook that is submitted and collected by nbgrader's exchange arrives without changes."""
    from nbgrader.exchange.default import (
        ExchangeCollect,
        ExchangeList,
        ExchangeReleaseAssignment,
        ExchangeSubmit,
    )
    from traitlets.config import Config

    from dpteach.grading.course.folder import course_settings
    from dpteach.serve import student_settings, working_copies

    course = tmp_path / "course"
    shutil.copytree(built, course)
    file = course / "nbgrader_config.py"
    file.write_text(file.read_text().replace('HandIn.by = "file"', 'HandIn.by = "exchange"'))
    settings = course_settings(course)
    told = {"assignment_id": NAME, "student_id": "anna"}
    settings.CourseDirectory.update(told)
    (course / ".exchange").chmod(0o777)

    def do(app: Any, config: Config) -> Any:
        from nbgrader.auth import Authenticator
        from nbgrader.coursedir import CourseDirectory

        parts = {"coursedir": CourseDirectory(config=config), "config": config}
        return app(authenticator=Authenticator(config=config), **parts).start()

    do(ExchangeReleaseAssignment, settings)
    (mine,) = working_copies(course)[0]
    mine.write_text(answered(course), "utf-8")
    student_settings(course, tmp_path / "settings")
    found = json.loads((tmp_path / "settings" / "nbgrader_config.json").read_text())
    config = Config(found)
    config.CourseDirectory.update(told)
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(course / "work")
        patch.setenv("JUPYTER_DATA_DIR", str(tmp_path / "data"))
        (listed,) = do(ExchangeList, config)
        assert listed["status"] == "fetched", "there is nothing to fetch a second copy of"
        assert Path(listed["path"]) == mine.parent
        do(ExchangeSubmit, config)
    do(ExchangeCollect, settings)
    collected = course / "submitted" / "anna" / NAME / f"{NAME}.ipynb"
    assert collected.read_text("utf-8") == mine.read_text("utf-8")
