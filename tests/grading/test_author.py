"""Tests of what authors may write in an assignment's text, and of the errors of the build."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import nbformat
import pytest
import small_course
from exams import SOURCES, exam_of, in_sandbox
from small_course import DOUBLE, HEADER, NAME, WHY, deserved, hand_in, make_course

from dpteach import cli
from dpteach.grading import Check
from dpteach.grading.author import references
from dpteach.grading.author.build import build_assignments, build_source
from dpteach.grading.author.making import make_exam
from dpteach.grading.author.mutants import submission
from dpteach.grading.author.passages import PASSAGES
from dpteach.grading.author.source import SourceError, read_source
from dpteach.grading.classroom import classroom
from dpteach.grading.classroom.session import grade_submission
from dpteach.grading.core.exam import Exam
from dpteach.grading.core.result import Result
from dpteach.grading.course.folder import course_api
from dpteach.grading.course.gradebook import Book, unknown
from dpteach.grading.course.store import Store
from dpteach.grading.pages.feedback import feedback_page
from dpteach.grading.sandbox.limits import Limits
from dpteach.grading.sandbox.sandbox import Sandbox

pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning")

read: Any = nbformat.read
writes: Any = nbformat.writes


def a_check(name: str = "double_values", call: str = "double", **more: str) -> str:
    told = {"points": "2", "book": '"renyi_dp#renyi-dp"', "expected": "lambda x: 2.0 * x"} | more
    options = ", ".join(f"{key}={value}" for key, value in told.items())
    return f"""
```{{code-cell}} ipython3
:kind: check

Check(name="{name}", call="{call}", visible=[Case(1.5), Case(-2.25)], {options})
```

"""


def refused(text: str, tmp_path: Path) -> list[str]:
    """Return the lines that the build prints when it refuses an assignment's text."""
    path = tmp_path / "assignments" / f"{NAME}.md"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, "utf-8")
    with pytest.raises(SourceError) as caught:
        build_source(path, tmp_path / "source" / NAME)
    return str(caught.value).split("\n")


def graded(exam: Exam, text: str, **more: Any) -> Result:
    data = grade_submission(exam.to_bytes(), {f"{NAME}.ipynb": text.encode()}, Limits(), **more)
    return Result.from_bytes(data)


# --- all errors of a source are reported together --------------------------------------------


def test_all_errors_of_a_build_come_together_each_with_its_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = HEADER.replace("---\n", "---\ndata: [lost.csv]\n", 1)
    text += "\nThis is worth 40 points, {{points nothing}} of them for nothing.\n\n"
    text += DOUBLE + a_check(points="-1") + a_check("other", call="half")
    text += a_check("third", book='"renyi_dp#no-such-section"')
    text += a_check("fourth", expected="lambda x: 3.0 * x")
    text += "```{code-cell} ipython3\n:kind: answer\n\n1\n```\n"
    lines = [line for line in refused(text, tmp_path) if line.startswith(f"{NAME}.md:")]
    expected = (
        "there is no such file: .*lost.csv",
        "'40 points' would stay when the points of an item change",
        "there is no item 'nothing'",
        "points must be finite and > 0",
        "no cell of kind solution defines the function 'half'",
        r"the page 'renyi_dp' has no section \(no-such-section\)=",
        "kind must be one of",
    )
    for words in expected:
        assert [line for line in lines if re.search(words, line)], words
    numbers = [int(re.match(rf"{NAME}\.md:(\d+)", line)[1]) for line in lines]  # type: ignore[index]
    assert numbers == sorted(numbers) and len(lines) == len(expected)
    # a build of several assignments reports the errors of each assignment
    course = tmp_path / "course"
    make_course(course)
    for name in ("one", "two"):
        (course / "assignments" / f"{name}.md").write_text(
            HEADER + DOUBLE + a_check(expected="lambda x: 3.0 * x"), "utf-8"
        )
    assert cli.main(["assignments", "--course", str(course)]) == 2
    said = capsys.readouterr().err
    assert said.count("solution does not pass") == 2 and "one.md:" in said and "two.md:" in said


@pytest.mark.parametrize(
    ("text", "line", "words"),
    [
        (WHY.removeprefix("+++ "), 1, r"after \+\+\+ on the line"),
        ("Some text.\n\n" + WHY.removeprefix("+++ "), 3, r"after \+\+\+ on the line"),
        (WHY + "\n## The next part\n", 13, r"with a line \+\+\+"),
        ('+++ {"kind": "manual", name: "why"}\n\nWhy?\n', 1, "could not be read"),
        ("```{code-cell} ipython3\n:kind: [check\n\n1\n```\n", 1, "could not be read"),
    ],
)
def test_a_forgotten_mark_is_an_error_with_a_line(
    text: str, line: int, words: str, tmp_path: Path
) -> None:
    begin = HEADER + "\n"
    (told,) = refused(begin + text, tmp_path)
    assert re.search(words, told), told
    assert told.startswith(f"{NAME}.md:{begin.count(chr(10)) + line}"), told


# --- references to sections of the book ------------------------------------------------------


@pytest.mark.parametrize(
    "book", ["", "renyi_dp#renyi-dp", "doi:10.1109/CSF.2017.11", "arXiv:1702.07476"]
)
def test_a_source_is_a_section_a_paper_or_none(book: str, tmp_path: Path) -> None:
    (tmp_path / "references.bib").write_text(
        "doi = {10.1109/CSF.2017.11},\nurl = {https://arxiv.org/abs/1702.07476}\n"
    )
    (tmp_path / "renyi_dp.md").write_text("(renyi-dp)=\n## Rényi DP\n")
    assert references.problem(book, tmp_path) == ""
    text = HEADER + DOUBLE + a_check(book=repr(book))
    path = tmp_path / f"{NAME}.md"
    path.write_text(text, "utf-8")
    (item,) = make_exam(path, 1).items
    assert item.book == book
    wrong = json.loads(json.dumps(submission_of(path, "def double(x):\n    return x")))
    result = graded(make_exam(path, 1), wrong, unsafe=True)
    page = feedback_page(result, unknown("anna", 2.0))
    address = {"doi": "https://doi.org/10.1109/CSF.2017.11", "arXiv": "https://arxiv.org/abs/"}
    assert ("Read again" in page) is bool(book)
    assert address.get(book.partition(":")[0], "") in page


def submission_of(path: Path, double: str) -> str:
    notebook = json.loads(make_exam(path, 1).notebook)
    for cell in notebook["cells"]:
        if cell["metadata"].get("nbgrader", {}).get("grade_id") == "double":
            cell["source"] = double
    return json.dumps(notebook)


def test_a_source_that_is_none_is_an_error(tmp_path: Path) -> None:
    for book in ("99_nowhere#nothing", "somewhere", "Mironov (2017)", "doi:11", "arXiv:17"):
        with pytest.raises(ValueError, match="book must be of the form chapter#section, a paper"):
            Check(name="x", points=1, call="x", visible=[], book=book)
    for book, words in (
        ("nowhere#nothing", "the book has no page 'nowhere'. Its pages are .*renyi_dp"),
        ("renyi_dp#nothing", r"has no section \(nothing\)=. Its sections are .*renyi-dp"),
        ("doi:10.1109/CSF.2017", "the bibliography, book/references.bib, has no such paper"),
        ("arXiv:1702.0747", "has no such paper"),
    ):
        assert re.search(words, references.problem(book)), book
    (told,) = refused(HEADER + DOUBLE + a_check(book='"nowhere#x"'), tmp_path)
    assert "double_values" in told and "no page 'nowhere'" in told
    (tmp_path / "bare.md").write_text("# A page\n", "utf-8")
    told = references.problem("bare#x", tmp_path)
    assert told.endswith("the page 'bare' has no labels of sections. Add (x)= above the section")


def test_two_mistakes_with_the_same_answers_are_refused(tmp_path: Path) -> None:
    """Two declared mistakes with equal answers are refused: only one message would be shown."""
    mistakes = '[Mistake(lambda x: x * x, "A."), Mistake(lambda x: x**2, "B.")]'
    (told,) = refused(HEADER + DOUBLE + a_check(mistakes=mistakes), tmp_path)
    assert "double_values: mistakes: 'A.' and 'B.' give the same answers on all cases" in told


def test_a_solution_with_too_few_digits_is_told_in_numbers(tmp_path: Path) -> None:
    """If a solution has too few digits, the build's error states the right number."""
    solution = DOUBLE.replace("double(x)", "double()").replace("2 * x", "0.693")
    check = """```{code-cell} ipython3
:kind: check

HandCheck(name="on_paper", points=1, call="double", expected=lambda: 0.6932, digits=4)
```
"""
    (told,) = refused(HEADER + solution + check, tmp_path)
    assert "on_paper: the instructor's solution does not return the numbers of expected" in told
    assert "0.6932: to 4 decimal places, the last of which may be off by 1" in told
    assert "hidden" not in told


# --- points that the text mentions -----------------------------------------------------------


def test_points_in_the_text_come_from_the_items(tmp_path: Path) -> None:
    text = (
        f"{HEADER}\nThere are {{{{points}}}} points, {{{{points why}}}} for why.\n\n"
        f"{DOUBLE}{a_check(points='2.5')}{WHY}"
    )
    path = tmp_path / f"{NAME}.md"
    path.write_text(text, "utf-8")
    build_source(path, tmp_path / "out")
    first = read(tmp_path / "out" / f"{NAME}.ipynb", 4).cells[0].source
    assert first == "There are 5.5 points, 3 for why."
    for words in ("There are 40 points.", "It is worth 1 point.", "A line, 2.5\npoints."):
        (told,) = refused(f"{HEADER}\n{words}\n", tmp_path)
        assert "Write {{points}}" in told
    path.write_text(f"{HEADER}\n{WHY.replace('Points for', '2 points for')}", "utf-8")
    build_source(path, tmp_path / "rubric")


def test_passages_of_all_assignments_are_put_in(tmp_path: Path) -> None:
    path = tmp_path / f"{NAME}.md"
    path.write_text(f"{HEADER}\n- {{{{passage limits}}}}\n\n{DOUBLE}{a_check()}", "utf-8")
    build_source(path, tmp_path / "out")
    first = read(tmp_path / "out" / f"{NAME}.ipynb", 4).cells[0].source
    assert first == f"- {PASSAGES['limits']}"
    assert not any("\n" in text for text in PASSAGES.values())
    (told,) = refused(f"{HEADER}\n{{{{passage limit}}}}\n", tmp_path)
    assert "limits" in told and told.startswith(f"{NAME}.md:")


def test_points_changed_below_a_persons_are_asked_about(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    course = make_course(tmp_path / "course")
    api = course_api(course)
    result = None
    for student, points in (("anna", 2.5), ("ben", None), ("cleo", 1.0)):
        path = hand_in(course, student)
        exam = make_exam(course / "assignments" / f"{NAME}.md", 1)
        result = Result.from_bytes(
            small_course.fake_grade(exam.to_bytes(), {path.name: path.read_bytes()}, Limits())
        )
        with Book(api, NAME) as book:
            book.record(student, result, timestamp=None, fresh=True)
            grade = book.book.find_grade("why", NAME, NAME, student)
            if points is not None:
                grade.manual_score, grade.needs_manual_grade = points, False
            book.book.db.commit()
    text = course / "assignments" / f"{NAME}.md"
    build = ["assignments", "--course", str(course)]
    assert cli.main(build) == 0
    assert "warning" not in capsys.readouterr().err
    worth = text.read_text("utf-8").replace('"why", "points": 3', '"why", "points": 2')
    text.write_text(worth.replace('"half_values", points=1', '"half_values", points=2'))
    before = small_course.grades(course)
    assert cli.main(build) == 2
    assert "the points of half_values, why would change" in capsys.readouterr().err
    assert small_course.grades(course) == before, "nothing is changed unasked"
    assert cli.main([*build, "--yes"]) == 0
    said = capsys.readouterr().err
    assert "why was worth 3 points and is worth 2 now" in said
    assert said.count("was worth") == 1, "nobody marked the other one"
    assert "anna, cleo" in said and "ben" not in said
    with Book(course_api(course), NAME) as book:
        assert book.submitted()["anna"].scores["why"] is None, "it counts when it was confirmed"
        grade = book.book.find_grade("why", NAME, NAME, "anna")
        assert grade.manual_score == 2.5, "and stays as it was given"
        assert book.submitted()["ben"].scores["why"] is None, "nobody has marked that so far"
    assert cli.main(build) == 0
    assert "warning" not in capsys.readouterr().err, "once is enough"


# --- data files ------------------------------------------------------------------------------

DATA = HEADER.replace("---\n", "---\ndata:\n  - data/visits.csv\n", 1)
SUM = '''```{code-cell} ipython3
:kind: solution
:name: visits

def visits(k):
    """k times the sum of data/visits.csv."""
    ### BEGIN SOLUTION
    return k * float(np.loadtxt("data/visits.csv", delimiter=",").sum())
    ### END SOLUTION
```

```{code-cell} ipython3
:kind: reference

from pathlib import Path

total = sum(map(float, Path("data/visits.csv").read_text().split(",")))
```
'''
IMPORTS = "```{code-cell} ipython3\n:kind: given\n:name: imports\n\nimport numpy as np\n```\n\n"
WITH_DATA = DATA + IMPORTS + SUM + a_check("visits_sum", "visits", expected="lambda k: k * total")


@pytest.fixture
def with_data(tmp_path: Path) -> Path:
    """Return the folder of a course whose assignment has a data file."""
    course = tmp_path / "course"
    (course / "assignments" / NAME / "data").mkdir(parents=True)
    shutil.copy(small_course.ROOT / "course_src" / "nbgrader_config.py", course)
    (course / "assignments" / f"{NAME}.md").write_text(WITH_DATA, "utf-8")
    (course / "assignments" / NAME / "data" / "visits.csv").write_text("1.5,2,3\n")
    return course


def test_data_are_released_and_there_in_grading(with_data: Path) -> None:
    build_assignments(with_data)
    release = with_data / "release" / NAME
    assert (release / "data" / "visits.csv").read_text() == "1.5,2,3\n"
    text = with_data / "assignments" / f"{NAME}.md"
    exam = make_exam(text, 1)
    notebook = writes(submission(read(release / f"{NAME}.ipynb", 4), read_source(text), {}))
    for unsafe in (False, True):
        result = graded(exam, notebook, unsafe=unsafe)
        assert [item.score for item in result.items] == [2.0], result.notices
    other = with_data / "assignments" / NAME / "data" / "visits.csv"
    other.write_text("1.5,2,4\n")
    assert make_exam(text, 1).instructor != exam.instructor, "it is graded again"


def test_a_process_that_stays_sees_that_a_file_has_changed(with_data: Path) -> None:
    """A long-running process, such as the formgrader's server, notices a changed data file."""
    text, store = with_data / "assignments" / f"{NAME}.md", Store(with_data, NAME)

    def exam() -> Exam:
        return classroom._exam(text, store, classroom.Settings(seed=1))

    first = exam()
    assert exam() is first, "it is made once"
    (with_data / "assignments" / NAME / "data" / "visits.csv").write_text("1.5,2,4\n")
    second = exam()
    assert second.data() == {"data/visits.csv": b"1.5,2,4\n"}
    assert second.items != first.items, "another sum is right"
    with open(with_data / "nbgrader_config.py", "a", encoding="utf-8") as settings:
        settings.write('\nc.HandIn.by = "exchange"\n')
    assert exam().notebook != second.notebook


@pytest.mark.requires("bubblewrap")
def test_data_cannot_be_changed_in_the_sandbox() -> None:
    with Sandbox(data={"data/x.csv": b"1,2\n", "y.txt": b"y" * 100_000}) as made:
        code = """
import os
print(open("data/x.csv").read(), len(open("y.txt").read()))
for what in (
    lambda: open("data/x.csv", "a"), lambda: os.remove("y.txt"), lambda: os.chmod("y.txt", 0o777),
    lambda: os.rename("y.txt", "z.txt"), lambda: os.truncate("y.txt", 0),
):
    try:
        what()
        print("changed")
    except OSError:
        print("no")
open("mine.txt", "w").write("fine")
print(len(open("y.txt").read()))
"""
        done = made.execute(code)
    assert done.outputs[0]["text"].split() == ["1,2", "100000", *["no"] * 5, "100000"], done


def test_what_is_not_declared_or_not_there_is_an_error(with_data: Path) -> None:
    text, folder = with_data / "assignments" / f"{NAME}.md", with_data / "assignments" / NAME

    def told() -> str:
        with pytest.raises(SourceError) as caught:
            build_assignments(with_data)
        return str(caught.value)

    (folder / "more.csv").write_text("1")
    assert re.search(r"small\.md:2: .*more\.csv is not declared", told())
    (folder / "more.csv").unlink()
    build_assignments(with_data)
    (with_data / "source" / NAME / "beside.csv").write_text("1")
    assert "beside.csv would be released, but would be missing in grading" in told()
    (with_data / "source" / NAME / "beside.csv").unlink()
    (folder / "data" / "visits.csv").unlink()
    assert re.search(r"small\.md:2: .*there is no such file: .*visits\.csv", told())
    for wrong, words in {
        "[../x.csv]": "paths such as",
        "[/etc/passwd]": "paths such as",
        "x.csv": "must be a list of paths",
        "[checks.json]": "must not name a notebook",
        "[3]": "paths such as",
        "[x.csv, x.csv]": "must name each file only once",
    }.items():
        text.write_text(WITH_DATA.replace("data:\n  - data/visits.csv", f"data: {wrong}"), "utf-8")
        assert words in told(), wrong


# --- code that a person grades ---------------------------------------------------------------

PLOT = """Draw the counts.

```{code-cell} ipython3
:kind: manual
:name: picture
:points: 4

import matplotlib.pyplot as plt

### BEGIN RUBRIC
# 2 points for bars,
# 2 for their labels.
### END RUBRIC
### BEGIN SOLUTION
plt.bar([1, 2], [3, 4])
### END SOLUTION
```
"""


def test_code_and_its_plot_are_graded_by_a_person(tmp_path: Path) -> None:
    course = tmp_path / "course"
    make_course(course)
    text = course / "assignments" / f"{NAME}.md"
    text.write_text(HEADER + DOUBLE + a_check() + PLOT, "utf-8")
    (built,) = build_assignments(course)
    assert built.points == {"double_values": 2.0, "picture": 4.0}
    release = read(built.release / f"{NAME}.ipynb", 4)
    shown = "".join(cell.source for cell in release.cells)
    assert "plt.bar" not in shown and "their labels" not in shown
    assert "import matplotlib" in shown, "what stands outside of the marks is the student's"
    exam = make_exam(text, 1)
    notebook = writes(submission(release, read_source(text), {}))
    result = graded(exam, notebook)
    scores = {item.name: item.score for item in result.items}
    assert scores == {"double_values": 2.0, "picture": None} and result.notices == ()
    cells = named(result.notebook)
    kinds = [set(output.get("data", ())) for output in cells["picture"]["outputs"]]
    assert any("image/png" in kind for kind in kinds), "the person sees the plot"
    assert "2 for their labels." in "".join(cells["picture_question"]["source"])
    only = graded(exam, notebook, items=["picture"])
    assert named(only.notebook)["picture"]["outputs"], "it is run also where nothing else is asked"
    blank = graded(exam, writes(release))
    assert {item.name: item.score for item in blank.items} == {"double_values": 0, "picture": 0}
    assert {item.name: item.reason for item in blank.items}["picture"] == "unanswered"
    with Book(course_api(course), NAME) as book:
        assert book.record("anna", result, timestamp=None, fresh=True).needs_person
        assert not book.record("ben", blank, timestamp=None, fresh=True).needs_person


def named(notebook: str) -> Mapping[str, Any]:
    cells = json.loads(notebook)["cells"]
    return {cell["metadata"].get("nbgrader", {}).get("grade_id"): cell for cell in cells}


def test_a_rubric_in_code_is_of_comments(tmp_path: Path) -> None:
    (told,) = refused(HEADER + PLOT.replace("# 2 for", "2 for"), tmp_path)
    assert "in a code cell, the lines between the marks of RUBRIC must begin with #" in told


# --- edits by users to files that the build makes --------------------------------------------


def test_an_edit_in_source_is_not_written_over(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    course = make_course(tmp_path / "course")
    file = course / "source" / NAME / f"{NAME}.ipynb"
    build = ["assignments", "--course", str(course)]
    as_built = file.read_text("utf-8")
    # a notebook that JupyterLab saved after a run counts as unedited, so the build replaces it
    notebook = json.loads(as_built)
    notebook["metadata"]["language_info"] = {"name": "python", "version": "3.13"}
    for cell in notebook["cells"]:
        if cell["cell_type"] == "code":
            cell |= {"execution_count": 3, "outputs": []}
    file.write_text(json.dumps(notebook, indent=3), "utf-8")
    assert cli.main(build) == 0
    capsys.readouterr()

    def edited_text(found: Any) -> None:
        found["cells"][0]["source"] = "# Another title"

    def edited_points(found: Any) -> None:
        graded = [c for c in found["cells"] if c["metadata"].get("nbgrader", {}).get("grade")]
        graded[0]["metadata"]["nbgrader"]["points"] = 7

    def somebody_elses(found: Any) -> None:
        del found["metadata"]["dpteach"]

    for edit in (edited_text, edited_points, somebody_elses):
        notebook = json.loads(as_built)
        edit(notebook)
        file.write_text(json.dumps(notebook), "utf-8")
        before = file.read_bytes()
        assert cli.main(build) == 2, edit
        said = capsys.readouterr().err
        assert f"{file} was edited" in said and f"{NAME}.md" in said
        assert file.read_bytes() == before
    file.unlink()
    assert cli.main(build) == 0
    assert file.read_text("utf-8") == as_built


# --- new assignments -------------------------------------------------------------------------


def test_a_new_assignment_builds_and_its_bank_gets_what_it_deserves(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    from dpteach.grading.author.mutants import read_bank

    course = tmp_path / "course"
    course.mkdir()
    shutil.copy(small_course.ROOT / "course_src" / "nbgrader_config.py", course)
    new = ["new", "first_steps", "--course", str(course)]
    assert cli.main(new) == 0
    text = course / "assignments" / "first_steps.md"
    assert str(text) in capsys.readouterr().out
    (built,) = build_assignments(course)
    assert built.points == {"clipped_values": 2.0, "why_clipped": 2.0}
    release = read(built.release / "first_steps.ipynb", 4)
    title, *_ = (cell.source for cell in release.cells)
    assert title.startswith("# First steps") and "There are 4 points, 2 of them" in title
    source, exam = read_source(text), make_exam(text, 1)
    bank = read_bank(course / "mutants" / "first_steps")
    assert {bool(answer.points) for answer in bank} == {True, False}
    for answer in bank:
        notebook = writes(submission(release, source, answer.cells))
        result = grade_submission(
            exam.to_bytes(), {"first_steps.ipynb": notebook.encode()}, Limits()
        )
        items = {item.name: item for item in Result.from_bytes(result).items}
        assert items["clipped_values"].score == answer.points.get("clipped_values", 2.0)
        assert items["why_clipped"].score is None
    before = text.read_text("utf-8")
    assert cli.main(new) == 2
    assert "the assignment 'first_steps' exists already" in capsys.readouterr().err
    assert text.read_text("utf-8") == before
    assert cli.main(["new", "05-steps", "--course", str(course)]) == 2
    assert "TOPIC: assignment must begin with a letter from a to z" in capsys.readouterr().err


@pytest.mark.slow
@pytest.mark.requires("bubblewrap")
@pytest.mark.parametrize("path", SOURCES, ids=lambda path: path.stem)
def test_the_bank_of_each_assignment_gets_what_it_deserves(path: Path, everything: bool) -> None:
    """One wrong answer of each assignment (with --all, every answer) earns the points due to it.

    An assignment's bank lists right and wrong answers with these points. Here, they are graded in
    the sandbox, in which ``test_assignments.py`` grades the instructor's solution.
    """
    from dpteach.grading.author.mutants import read_bank

    exam = exam_of(path)
    bank = read_bank(path.parents[1] / "mutants" / path.stem)
    wrong = [answer for answer in bank if answer.points]
    right = [answer for answer in bank if not answer.points]
    assert wrong and right, "an assignment has a bank of wrong and right answers"
    checks = {item.name: item.points for item in exam.items if item.kind == "check"}
    for answer in bank:
        gone = set(answer.points) - set(checks)
        assert not gone, (
            f"course_src/mutants/{path.stem}, {answer.name}: the assignment has no "
            f"{', '.join(sorted(gone))}: with an item its answers in the bank go, too"
        )
    differ = {}
    for answer in bank if everything else wrong[:1]:
        result = Result.from_bytes(in_sandbox(path, answer.cells))
        found = {item.name: item.score for item in result.items if item.kind == "check"}
        due = checks | deserved(exam, answer.points)
        if found != due:
            differ[answer.name] = {
                name: (found.get(name), due.get(name))
                for name in found | due
                if found.get(name) != due.get(name)
            }
    assert not differ, "the points found and those deserved, of each answer that differs"
