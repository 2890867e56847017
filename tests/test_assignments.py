"""The round trip of each assignment: text source, release, hand-in, autograde, feedback.

The whole bank of answers is graded by nbgrader, in a course of its own with its own gradebook.
"""

from __future__ import annotations

import html
import json
import re
import shutil
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import nbformat
import pytest

from dpteach.grading.build import build_assignments, course_api, declared, read_checks
from dpteach.grading.mutants import Mutant, read_bank, submission
from dpteach.grading.runner import run
from dpteach.grading.source import read_source

ROOT = Path(__file__).resolve().parent.parent
COURSE = ROOT / "course_src"
NAME = "05_renyi_dp"
SOURCE = read_source(COURSE / "assignments" / f"{NAME}.md")
BANK = read_bank(COURSE / "mutants" / NAME)
WRONG = [mutant for mutant in BANK if mutant.points]
RIGHT = [mutant for mutant in BANK if not mutant.points]

pytestmark = [
    pytest.mark.slow,
    pytest.mark.filterwarnings("ignore::DeprecationWarning"),
    pytest.mark.filterwarnings("ignore::ResourceWarning"),
]


@dataclass
class Course:
    """A graded course."""

    root: Path
    points: dict[str, float]
    grades: dict[str, dict[str, tuple[float, bool]]]
    feedback: dict[str, str]
    api: Any

    def release(self) -> Any:
        return nbformat.read(self.root / "release" / NAME / f"{NAME}.ipynb", 4)


def grades(api: Any, student: str) -> dict[str, tuple[float, bool]]:
    """Score of each item, and whether a person must still grade it."""
    from nbgrader.api import Gradebook

    with Gradebook(api.coursedir.db_url, api.coursedir.course_id) as gradebook:
        notebook = gradebook.find_submission_notebook(NAME, NAME, student)
        return {g.name: (g.score, bool(g.needs_manual_grade)) for g in notebook.grades}


def hand_in(course: Path, student: str, notebook: Any) -> None:
    folder = course / "submitted" / student / NAME
    folder.mkdir(parents=True)
    nbformat.write(notebook, folder / f"{NAME}.ipynb")
    # a student's own copy of the visible checks must not matter
    (folder / "checks.json").write_text("{}")


def page(text: str) -> str:
    """The words of a page, without markup, each run of white space as one blank."""
    text = re.sub(r"(?s)<(script|style).*?</\1>", " ", text)
    return " ".join(html.unescape(re.sub(r"<[^>]+>", "", text)).split())


def grade(root: Path, students: list[str]) -> tuple[dict[str, Any], dict[str, str]]:
    """Autogrades students, all in this process; their grades and feedback pages."""
    import logging

    logging.disable(logging.WARNING)
    api = course_api(root)
    found, pages = {}, {}
    for student in students:
        result = api.autograde(NAME, student)
        assert result["success"], (student, result)
        found[student] = grades(api, student)
        result = api.generate_feedback(NAME, student)
        assert result["success"], (student, result)
        file = root / "feedback" / student / NAME / f"{NAME}.html"
        pages[student] = file.read_text(encoding="utf-8")
    return found, pages


@pytest.fixture(scope="module")
def course(tmp_path_factory: pytest.TempPathFactory) -> Course:
    root = tmp_path_factory.mktemp("course")
    shutil.copy(COURSE / "nbgrader_config.py", root)
    shutil.copytree(COURSE / "assignments", root / "assignments")
    (built,) = build_assignments(root, [NAME])
    release = nbformat.read(built.release / f"{NAME}.ipynb", 4)
    hand_in(root, "blank", release)
    hand_in(root, "instructor", submission(release, SOURCE, {}))
    for mutant in BANK:
        hand_in(root, mutant.name, submission(release, SOURCE, mutant.cells))
    # most of the time goes into starting kernels: two processes, each with its own gradebook
    second = tmp_path_factory.mktemp("second")
    shutil.copytree(root, second, dirs_exist_ok=True)
    students = ["blank", "instructor", *(mutant.name for mutant in BANK)]
    with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as pool:
        shares = pool.map(grade, (root, second), (students[::2], students[1::2]))
        found, pages = {}, {}
        for share_found, share_pages in shares:
            found |= share_found
            pages |= share_pages
    return Course(root, dict(built.points), found, pages, course_api(root))


def test_size() -> None:
    checks = read_checks(SOURCE)
    manual = SOURCE.of_kind("manual")
    assert len(checks) + len(manual) >= 10
    assert len(manual) >= 1
    assert len(WRONG) >= 15
    assert len(RIGHT) >= 3
    total = sum(check.points for check in checks.values()) + sum(cell.points for cell in manual)
    assert total == 40


def test_bank_names_items() -> None:
    items = {check.name for check in read_checks(SOURCE).values()}
    for mutant in BANK:
        assert set(mutant.points) <= items, mutant.name
    lost = {item for mutant in WRONG for item in mutant.points}
    assert lost == items, "each item is lost by some answer of the bank"


@pytest.mark.parametrize("mutant", BANK, ids=lambda mutant: mutant.name)
def test_points(course: Course, mutant: Mutant) -> None:
    graded = course.grades[mutant.name]
    for item, most in course.points.items():
        if item == "additivity_proof":
            assert graded[item] == (0.0, True)
        else:
            assert graded[item] == (mutant.points.get(item, most), False), item


def test_points_of_the_instructor(course: Course) -> None:
    graded = course.grades["instructor"]
    assert {item: score for item, (score, _) in graded.items() if item != "additivity_proof"} == {
        item: most for item, most in course.points.items() if item != "additivity_proof"
    }
    assert graded["additivity_proof"] == (0.0, True)


def test_blank_gets_nothing_and_needs_nobody(course: Course) -> None:
    assert course.grades["blank"] == dict.fromkeys(course.points, (0.0, False))
    words = page(course.feedback["blank"])
    assert "`kl_divergence` is not written yet" in words


def test_manual_grade(course: Course) -> None:
    from nbgrader.api import Gradebook

    right = next(m.name for m in RIGHT if (course.root / "autograded" / m.name).exists())
    with Gradebook(course.api.coursedir.db_url, course.api.coursedir.course_id) as gradebook:
        proof = gradebook.find_grade("additivity_proof", NAME, NAME, right)
        proof.manual_score, proof.needs_manual_grade = 4, False
        gradebook.db.commit()
        assert gradebook.find_submission(NAME, right).score == 39
        assert gradebook.find_submission(NAME, right).max_score == 40


@pytest.mark.parametrize("mutant", WRONG, ids=lambda mutant: mutant.name)
def test_feedback_names_the_misconception(course: Course, mutant: Mutant) -> None:
    """The page says what the same verdict says outside of nbgrader, misconception included."""
    words = page(course.feedback[mutant.name])
    namespace: dict[str, Any] = {"__name__": "student"}
    for cell in SOURCE.cells:
        if cell.kind in ("given", "solution"):
            exec(mutant.cells.get(cell.name, cell.source), namespace)
    parts = {check.name: declared(check) for check in read_checks(SOURCE).values()}
    for item in mutant.points:
        visible, hidden = parts[item]
        verdict, _ = run(namespace[visible["call"]], visible)
        if verdict.passed:
            assert hidden is not None
            verdict, _ = run(namespace[visible["call"]], hidden)
        assert not verdict.passed
        assert verdict.misconception, item
        assert " ".join(verdict.misconception.split()) in words, item
        assert verdict.book.partition("#")[2] in words


@pytest.mark.parametrize("student", ["blank", "instructor", *(m.name for m in BANK)])
def test_feedback_shows_nothing_hidden(course: Course, student: str) -> None:
    text, words = course.feedback[student], page(course.feedback[student])
    for word in ("HIDDEN TESTS", "hidden=", "MARK SCHEME", "Rubric", "dpteach/grading/"):
        assert word not in text
    assert "BEGIN SOLUTION" not in text
    checks = read_checks(SOURCE).values()
    shown = repr([(case.args, case.kwargs) for check in checks for case in check.visible])
    only_hidden = {
        repr(argument)
        for check in checks
        for case in check.hidden
        for argument in case.args
        # short numbers stand in the prose as well
        if len(repr(argument)) > 6 and repr(argument) not in shown
    }
    assert len(only_hidden) >= 30
    assert [text for text in only_hidden if text in words] == []


def test_release_has_neither_solutions_nor_hidden_cases(course: Course) -> None:
    folder = course.root / "release" / NAME
    assert sorted(path.name for path in folder.iterdir()) == [f"{NAME}.ipynb", "checks.json"]
    text = (folder / f"{NAME}.ipynb").read_text(encoding="utf-8")
    for word in ("SOLUTION", "HIDDEN", "MARK SCHEME", "Rubric", "hidden=", "Mistake", "Case("):
        assert word not in text
    code = "\n".join(cell.source for cell in course.release().cells if cell.cell_type == "code")
    assert code.count("raise NotImplementedError()") == len(SOURCE.of_kind("solution"))
    checks = json.loads((folder / "checks.json").read_text(encoding="utf-8"))["checks"]
    assert all(part["hidden"] is False for part in checks.values())
    everything = text + json.dumps(checks, ensure_ascii=False)
    checks = read_checks(SOURCE).values()
    shown = {case.words for check in checks for case in check.visible}
    told = {str(case.words) for check in checks for case in check.hidden} - shown
    assert len(told) >= 30
    assert [words for words in told if f'"{words}"' in everything] == []


def test_every_call_is_restored_from_the_gradebook(course: Course) -> None:
    """The rubric reaches the person who grades, the hidden cases the graded notebook."""
    path = course.root / "autograded" / "blank" / NAME / f"{NAME}.ipynb"
    text = path.read_text(encoding="utf-8")
    assert "Rubric (5 points)" in text
    assert text.count("BEGIN HIDDEN TESTS") == len(read_checks(SOURCE))


def test_release_runs_but_for_the_checks(course: Course, tmp_path: Path) -> None:
    """As nbval in lax mode: a cell raises only if it is a check."""
    from nbclient import NotebookClient

    shutil.copytree(course.root / "release" / NAME, tmp_path / NAME)
    notebook = course.release()
    NotebookClient(
        notebook, timeout=120, allow_errors=True, resources={"metadata": {"path": tmp_path / NAME}}
    ).execute()
    for cell in notebook.cells:
        if cell.cell_type == "code":
            errors = [out for out in cell.outputs if out.output_type == "error"]
            is_check = cell.metadata.get("nbgrader", {}).get("grade", False)
            assert bool(errors) == is_check
            assert all(out.ename == "CheckFailed" for out in errors)


@pytest.mark.parametrize("student", ["blank", "instructor", "grid_2_to_100", "supremum_over_q"])
def test_validate_agrees_on_visible_cases(course: Course, tmp_path: Path, student: str) -> None:
    """The student's own Validate button fails exactly the items that fail on visible cases."""
    from nbgrader.validator import Validator

    shutil.copytree(course.root / "release" / NAME, tmp_path / NAME)
    cells = {mutant.name: mutant.cells for mutant in BANK}.get(student, {})
    notebook = course.release()
    if student != "blank":
        notebook = submission(notebook, SOURCE, cells)
    nbformat.write(notebook, tmp_path / NAME / f"{NAME}.ipynb")
    result = Validator().validate(str(tmp_path / NAME / f"{NAME}.ipynb"))
    assert set(result) <= {"failed"}
    failed = {
        found[1]
        for cell in result.get("failed", [])
        if (found := re.search(r'check\("(\w+)"\)', cell["source"]))
    }
    wanted = {
        "blank": set(course.points) - {"additivity_proof"},
        "instructor": set(),
        "grid_2_to_100": {"real_order"},
        "supremum_over_q": {"max_values"},  # renyi_limits fails on a hidden case only
    }
    assert failed == wanted[student]


def test_the_book_has_what_the_checks_point_to() -> None:
    """A message sends the student to a section: it must be there."""
    for check in read_checks(SOURCE).values():
        chapter, _, label = check.book.partition("#")
        file = ROOT / "book" / f"{chapter}.md"
        if file.exists():
            assert f"({label})=" in file.read_text(encoding="utf-8"), check.book


def test_build_is_reproducible(course: Course, tmp_path: Path) -> None:
    from dpteach.grading.build import build_source

    build_source(COURSE / "assignments" / f"{NAME}.md", tmp_path / NAME)
    for file in (f"{NAME}.ipynb", "checks.json"):
        assert (tmp_path / NAME / file).read_bytes() == (
            course.root / "source" / NAME / file
        ).read_bytes()
