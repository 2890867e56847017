"""Tests of marking schemes: their format, and how pages show them before and after marking."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from dpteach.grading.author.build import build_source
from dpteach.grading.author.making import make_exam
from dpteach.grading.author.scheme import as_lines, as_markdown, scheme_of
from dpteach.grading.author.source import Cell, SourceError, read_source
from dpteach.grading.classroom.session import grade_submission
from dpteach.grading.core.exam import Exam
from dpteach.grading.core.result import Result
from dpteach.grading.course.gradebook import unknown
from dpteach.grading.pages.feedback import feedback_page
from dpteach.grading.sandbox.limits import Limits
from dpteach.grading.submission.repair import STUBS

HEADER = """---
jupytext:
  text_representation:
    extension: .md
    format_name: myst
kernelspec:
  display_name: Python 3
  language: python
  name: python3
---
"""

SCHEME = """- 1: It says what adds up.
- 1.5: It says *why*, with the
  logarithm and `a > 1`.

- 0.5: It is <b>short</b>: three sentences."""

LINES = (
    (1.0, "It says what adds up."),
    (1.5, "It says *why*, with the logarithm and `a > 1`."),
    (0.5, "It is <b>short</b>: three sentences."),
)


def source(scheme: str = SCHEME, rubric: str = "", points: float = 3) -> str:
    region = f"### BEGIN SCHEME\n{scheme}\n### END SCHEME\n" if scheme else ""
    return f"""{HEADER}
Text.

+++ {{"kind": "manual", "name": "why", "points": {points}}}

Why? Three sentences.

{region}
{rubric}
### BEGIN SOLUTION
Because of the secret word.
### END SOLUTION
"""


RUBRIC = "### BEGIN RUBRIC\nA late hint for who marks.\n### END RUBRIC\n"


def cell_of(text: str, tmp_path: Path) -> Cell:
    path = tmp_path / "small.md"
    path.write_text(text, encoding="utf-8")
    (cell,) = read_source(path).of_kind("manual")
    return cell


def test_lines_and_points(tmp_path: Path) -> None:
    assert scheme_of(cell_of(source(), tmp_path)) == LINES
    assert scheme_of(cell_of(source(scheme="", rubric=RUBRIC), tmp_path)) == ()
    assert as_markdown(()) == as_lines(()) == ""
    assert as_lines(LINES).split("\n")[0] == "1 point: It says what adds up."
    assert as_lines(LINES).split("\n")[2].startswith("0.5 points: ")


def test_a_part_of_a_line(tmp_path: Path) -> None:
    scheme = (
        "- 2: For *each* x.\n- or 1: For one\n  of them.\n- or 0.5: On the average.\n- 1: Short."
    )
    lines = scheme_of(cell_of(source(scheme), tmp_path))
    parts = "For *each* x. Or 1 point: For one of them. Or 0.5 points: On the average."
    assert lines == ((2.0, parts), (1.0, "Short."))
    assert as_markdown(lines).split("\n")[2] == f"- 2 points: {parts}"


def test_lines_of_a_cell_of_code() -> None:
    lines = ["# - 2: The axes have names.", "# - 1: A curve falls,", "#   both do."]
    text = "\n".join(["### BEGIN SCHEME", *lines, "### END SCHEME"])
    cell = Cell("code", "manual", "plot", 3.0, text, Path("small.md"), 1)
    assert scheme_of(cell) == ((2.0, "The axes have names."), (1.0, "A curve falls, both do."))


@pytest.mark.parametrize(
    ("scheme", "words"),
    [
        ("- 1: One.\n- 1: Two.", "must be worth the points of the cell, 3, got 2"),
        ("- 3 points: One.", "a line of a scheme must have the form"),
        ("- three: One.", "a line of a scheme must have the form"),
        ("1: One.", "a line of a scheme must have the form"),
        ("- 3:", "a line of a scheme must have the form"),
        ("- 0: One.\n- 3: Two.", "a line of a scheme must have the form"),
        ("- -1: One.\n- 4: Two.", "a line of a scheme must have the form"),
        ("- 1.5: One.\n- 1.5: One.", "the scheme has the line 'One.' twice"),
        (" ", "must be worth the points of the cell, 3, got 0"),
        ("- or 1: One.\n- 3: Two.", "a line with 'or' must be worth less than the line above it"),
        ("- 3: One.\n- or 3: Two.", "a line with 'or' must be worth less than the line above it"),
        (
            "- 3: One.\n- or 1: Two.\n- or 2: Six.",
            "a line with 'or' must be worth less than the line",
        ),
        ("- 3: One.\n- or 0: Two.", "a line of a scheme must have the form"),
        ("- 2: One.\n- or 1: Two.", "must be worth the points of the cell, 3, got 2"),
    ],
)
def test_what_is_no_scheme_is_refused(scheme: str, words: str, tmp_path: Path) -> None:
    path = tmp_path / "small.md"
    path.write_text(source(scheme), encoding="utf-8")
    with pytest.raises(SourceError, match=words) as found:
        build_source(path, tmp_path / "built")
    assert str(found.value).startswith("small.md:16 (cell 'why')")
    with pytest.raises(SourceError, match=words):
        make_exam(path, 1)


def test_a_scheme_or_a_rubric_is_needed_and_has_an_end(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match="no line ### BEGIN RUBRIC"):
        cell_of(source(scheme=""), tmp_path)
    with pytest.raises(SourceError, match="no line ### END SCHEME"):
        cell_of(source().replace("### END SCHEME\n", ""), tmp_path)


@pytest.mark.parametrize("rubric", ["", RUBRIC])
def test_the_student_reads_it_and_who_marks_more(tmp_path: Path, rubric: str) -> None:
    path = tmp_path / "small.md"
    path.write_text(source(rubric=rubric), encoding="utf-8")
    assert build_source(path, tmp_path / "built") == {"why": 3.0}
    notebook = json.loads((tmp_path / "built" / "small.ipynb").read_text(encoding="utf-8"))
    question, answer, *_ = notebook["cells"][-4:]
    told, _, marker = "".join(question["source"]).partition("### BEGIN MARK SCHEME")
    assert "- 1.5 points: It says *why*, with the logarithm and `a > 1`." in told
    assert told.index("Why?") < told.index("**How it is marked.**")
    assert "secret" not in told
    assert "hint" not in told
    assert "SCHEME" not in told
    assert "secret word" in marker
    assert ("A late hint" in marker) == ("Rubric (3 points)" in marker) == bool(rubric)
    assert answer["metadata"]["nbgrader"]["points"] == 3


def graded(tmp_path: Path, answer: str) -> Result:
    path = tmp_path / "small.md"
    path.write_text(source(), encoding="utf-8")
    exam = make_exam(path, 1)
    assert Exam.from_bytes(exam.to_bytes()) == exam
    notebook = json.loads(exam.notebook)
    for cell in notebook["cells"]:
        if cell["metadata"].get("nbgrader", {}).get("solution"):
            cell["source"] = answer
    files = {"small.ipynb": json.dumps(notebook).encode()}
    result = Result.from_bytes(grade_submission(exam.to_bytes(), files, Limits(), unsafe=True))
    assert Result.from_bytes(result.to_bytes()) == result
    return result


@pytest.mark.parametrize(("answer", "score"), [("Because.", None), (STUBS["markdown"], 0.0)])
def test_it_stands_on_the_feedback_page(tmp_path: Path, answer: str, score: float | None) -> None:
    result = graded(tmp_path, answer)
    (item,) = result.items
    assert item.score == score
    assert item.scheme == as_lines(LINES)
    for final in (score, 0.0, 1.5, 3.0):
        standing = replace(unknown("ada", 3.0), scores={"why": final}, total=final or 0.0)
        page = feedback_page(result, standing)
        assert page.count("Each line is graded by yes or no") == 1
        assert "1.5 points: It says *why*, with the logarithm and <code>a &gt; 1</code>." in page
        assert "<b>short</b>" not in page
        assert "secret" not in page


def test_the_scheme_is_part_of_the_fingerprint(tmp_path: Path) -> None:
    path = tmp_path / "small.md"
    keys = []
    for text in (source(), source().replace("what adds up", "what does not")):
        path.write_text(text, encoding="utf-8")
        keys.append(make_exam(path, 1).items[0].key)
    assert keys[0] != keys[1]


def test_all_written_answers_of_the_course_have_one() -> None:
    folder = Path(__file__).resolve().parents[3] / "course_src" / "assignments"
    cells = [cell for path in folder.glob("*.md") for cell in read_source(path).of_kind("manual")]
    assert cells
    for cell in cells:
        assert len(scheme_of(cell)) >= 3, cell.name


CODE = """```{code-cell} ipython3
:kind: manual
:name: plot
:points: 2

# A plot of the answers.
### BEGIN SCHEME
# - 1: The axes are named.
# - 1: The values are those
#   of the table.
### END SCHEME
### BEGIN SOLUTION
print("plotted")
### END SOLUTION
```
"""


def test_what_is_shown_by_code_has_one(tmp_path: Path) -> None:
    path = tmp_path / "small.md"
    path.write_text(HEADER + CODE, encoding="utf-8")
    (cell,) = read_source(path).of_kind("manual")
    assert cell.answered() == '# A plot of the answers.\nprint("plotted")\n'
    build_source(path, tmp_path / "built")
    notebook = json.loads((tmp_path / "built" / "small.ipynb").read_text(encoding="utf-8"))
    question, answer, *_ = notebook["cells"][-4:]
    told, _, marker = "".join(question["source"]).partition("### BEGIN MARK SCHEME")
    assert "- 1 point: The values are those of the table." in told
    assert "Rubric" not in marker
    assert "axes" not in "".join(answer["source"])
    (item,) = make_exam(path, 1).items
    assert item.scheme.split("\n")[0] == "1 point: The axes are named."
    path.write_text(HEADER + CODE.replace("# - 1: The a", "- 1: The a"), encoding="utf-8")
    with pytest.raises(SourceError, match="between the marks of SCHEME must begin with #"):
        build_source(path, tmp_path / "again")


def test_a_scheme_is_refused_together_with_all_else(tmp_path: Path) -> None:
    path = tmp_path / "small.md"
    text = source("- 1: It is short.").replace("Text.", "This has 3 points.")
    path.write_text(text, encoding="utf-8")
    with pytest.raises(SourceError) as found:
        build_source(path, tmp_path / "built")
    told = str(found.value).split("\n")
    assert len(told) == 2
    assert "'3 points' would stay when the points" in told[0]
    assert "must be worth the points of the cell, 3, got 1" in told[1]


def test_points_in_a_scheme_are_filled_in(tmp_path: Path) -> None:
    path = tmp_path / "small.md"
    path.write_text(source("- 3: All {{points}} are for one sentence."), encoding="utf-8")
    (item,) = make_exam(path, 1).items
    assert item.scheme == "3 points: All 3 are for one sentence."
    assert f"- {item.scheme}" in "".join(
        json.loads(make_exam(path, 1).notebook)["cells"][-4]["source"]
    )
