"""The round trip of each assignment: text source, release, hand-in, grading, what a student reads.

The whole bank of answers is judged here as the grader judges it. Of the answers some are graded in
the sandbox, as ``dpteach grade`` does it, so many that each item is lost by one of them (with --all
the whole bank); two by nbgrader as well, in a course of its own with its own gradebook.
"""

from __future__ import annotations

import ast
import html
import io
import json
import linecache
import re
import shutil
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import redirect_stdout
from dataclasses import dataclass
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import nbformat
import pytest
from in_process import InProcess

from dpteach.grading.author.build import build_assignments
from dpteach.grading.author.declare import Check, Relative, TestsCheck
from dpteach.grading.author.making import make_exam
from dpteach.grading.author.mutants import Mutant, read_bank, submission
from dpteach.grading.author.parts import declared
from dpteach.grading.author.proof import read_checks
from dpteach.grading.author.scheme import as_markdown, scheme_of
from dpteach.grading.author.source import read_source
from dpteach.grading.classroom import session
from dpteach.grading.classroom.session import grade_submission
from dpteach.grading.core import harmless
from dpteach.grading.core.exam import Exam
from dpteach.grading.core.result import ItemResult, Result
from dpteach.grading.course.folder import course_api
from dpteach.grading.pages.feedback import feedback_page
from dpteach.grading.sandbox.limits import Limits
from dpteach.grading.student.runner import run

ROOT = Path(__file__).resolve().parents[2]
COURSE = ROOT / "course_src"
NAME = "renyi_dp"
TEXT = COURSE / "assignments" / f"{NAME}.md"
SOURCE = read_source(TEXT)
CHECKS = read_checks(SOURCE)
BANK = read_bank(COURSE / "mutants" / NAME)
WRONG = [mutant for mutant in BANK if mutant.points]
RIGHT = [mutant for mutant in BANK if not mutant.points]
LOST = sorted({item for mutant in WRONG for item in mutant.points})
#: of each item the first answer that loses it, a right one, and the one that nbgrader grades too
SANDBOXED = {next(m.name for m in WRONG if item in m.points) for item in LOST} | {
    RIGHT[0].name,
    "supremum_over_q",
}
MANUAL = "additivity_proof"
SEED = 20_261_121

#: cells and, if not all, items to what grading gives
Grader = Callable[..., Result]

pytestmark = [
    pytest.mark.slow,
    pytest.mark.filterwarnings("ignore::DeprecationWarning"),
    pytest.mark.filterwarnings("ignore::ResourceWarning"),
]


def answers(bank: list[Mutant]) -> Any:
    """Tests of answers that were graded in the sandbox."""
    return pytest.mark.parametrize(
        "mutant",
        [
            pytest.param(m, marks=() if m.name in SANDBOXED else pytest.mark.exhaustive, id=m.name)
            for m in bank
        ],
    )


@dataclass
class Course:
    """A built course, and what grading answers of the bank gave."""

    root: Path
    points: dict[str, float]
    exam: Exam
    results: dict[str, bytes]

    def release(self) -> Any:
        return read(self.root / "release" / NAME / f"{NAME}.ipynb", 4)

    def result(self, student: str) -> Result:
        return Result.from_bytes(self.results[student])

    def items(self, student: str) -> dict[str, ItemResult]:
        return {item.name: item for item in self.result(student).items}

    def page(self, student: str) -> str:
        """The words of a feedback page, without markup, each run of white space as one blank."""
        result = self.result(student)
        maximum = sum(self.points.values())
        text = feedback_page(
            result,
            student=student,
            scores={},
            comments={},
            late=None,
            total=result.score,
            maximum=maximum,
        )
        text = re.sub(r"(?s)<(script|style).*?</\1>", " ", text)
        return " ".join(html.unescape(re.sub(r"<[^>]+>", "", text)).split())


#: nbformat has no types
read: Any = nbformat.read
write: Any = nbformat.write
writes: Any = nbformat.writes


def grade(exam: bytes, notebook: str) -> bytes:
    # a student's own copy of the visible checks must not matter
    files = {f"{NAME}.ipynb": notebook.encode(), "checks.json": b"{}"}
    return grade_submission(exam, files, Limits(wall_seconds=600, cpu_seconds=600))


@pytest.fixture(scope="module")
def course(tmp_path_factory: pytest.TempPathFactory, everything: bool) -> Course:
    root = tmp_path_factory.mktemp("course")
    shutil.copy(COURSE / "nbgrader_config.py", root)
    shutil.copytree(COURSE / "assignments", root / "assignments")
    (built,) = build_assignments(root, [NAME])
    exam = make_exam(root / "assignments" / f"{NAME}.md", SEED)
    release = read(built.release / f"{NAME}.ipynb", 4)
    notebooks = {"blank": writes(release), "instructor": writes(submission(release, SOURCE, {}))}
    for mutant in (m for m in BANK if everything or m.name in SANDBOXED):
        notebooks[mutant.name] = writes(submission(release, SOURCE, mutant.cells))
    with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as pool:
        count = len(notebooks)
        graded = list(pool.map(grade, [exam.to_bytes()] * count, notebooks.values()))
    return Course(root, dict(built.points), exam, dict(zip(notebooks, graded, strict=True)))


def test_size() -> None:
    manual = SOURCE.of_kind("manual")
    assert len(CHECKS) + len(manual) >= 10
    assert len(manual) >= 1
    assert len(WRONG) >= 15
    assert len(RIGHT) >= 3
    total = sum(check.points for check in CHECKS.values()) + sum(cell.points for cell in manual)
    assert total == 40


def test_the_length_of_a_text_is_announced() -> None:
    said = f"{harmless.TEXT_CHARACTERS:,} characters"
    for path in sorted((COURSE / "assignments").glob("*.md")):
        if read_source(path).of_kind("manual"):
            assert said in path.read_text("utf-8"), path


def test_bank_names_items() -> None:
    items = {check.name for check in CHECKS.values()}
    for mutant in BANK:
        assert set(mutant.points) <= items, mutant.name
    assert set(LOST) == items, "each item is lost by some answer of the bank"


def wanted(course: Course, mutant: Mutant) -> dict[str, float]:
    """The points that an answer deserves where a program grades."""
    most = {item: points for item, points in course.points.items() if item != MANUAL}
    return most | mutant.points


@pytest.fixture
def here(course: Course, monkeypatch: pytest.MonkeyPatch) -> Grader:
    """Grades a submission with these cells in this process, as the sandbox does it."""
    monkeypatch.setattr(session, "Sandbox", InProcess)
    release = course.release()

    def graded(cells: Mapping[str, str], items: Sequence[str] | None = None) -> Result:
        text = writes(submission(release, SOURCE, cells))
        files = {f"{NAME}.ipynb": text.encode()}
        return Result.from_bytes(
            grade_submission(course.exam.to_bytes(), files, Limits(), items=items)
        )

    return graded


@pytest.mark.parametrize("mutant", BANK, ids=lambda mutant: mutant.name)
def test_points(course: Course, here: Grader, mutant: Mutant) -> None:
    items = {item.name: item for item in here(mutant.cells).items if item.kind == "check"}
    for name in mutant.points:
        assert misconception(items[name]), name
    assert {name: item.score for name, item in items.items()} == wanted(course, mutant)


def misconception(item: ItemResult) -> str:
    """What the first verdict that is no good one says about the mistake, or ""."""
    verdict = item.visible if item.visible and item.visible["failed"] else item.hidden
    assert verdict is not None
    assert verdict["failed"]
    return str(verdict["misconception"] or "")


#: the functions that right answers of each style call, by the items that call them
STYLES = {"instructor": dict[str, str](), **{mutant.name: mutant.cells for mutant in RIGHT}}
USES = {
    "renyi_divergence": ["kl_divergence", "max_divergence"],
    "randomized_response_renyi": ["kl_divergence", "max_divergence", "renyi_divergence"],
    "best_in_grid": ["rdp_to_epsilon"],
    "epsilon_of_pair": ["renyi_divergence", "rdp_to_epsilon"],
    "gaussian_mechanism_rdp": ["rdp_sigma"],
}


def replacing(function: str) -> list[Mutant]:
    """The wrong answers of the bank that replace one cell, that of this function."""
    return [mutant for mutant in WRONG if set(mutant.cells) == {function}]


def items_of(function: str) -> set[str]:
    return {check.name for check in CHECKS.values() if check.call == function}


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize("function", USES)
def test_a_right_item_keeps_its_points_whatever_it_uses(
    course: Course, here: Grader, function: str, style: str
) -> None:
    """Each wrong answer of each item that it uses, beside a right one in each style."""
    tried = 0
    for used in USES[function]:
        for wrong in replacing(used):
            # what else stands in the cell, as helpers, stays
            cell = f"{STYLES[style].get(used, '')}\n\n{wrong.cells[used]}"
            result = here({**STYLES[style], used: cell})
            scores = {item.name: item.score for item in result.items}
            for name in items_of(function):
                assert scores[name] == course.points[name], (wrong.name, name)
            for name in items_of(used):
                assert scores[name] == wanted(course, wrong)[name], (wrong.name, name)
            tried += 1
    assert tried


@pytest.mark.parametrize("function", USES)
def test_a_wrong_item_gets_no_more_whatever_it_uses(
    course: Course, here: Grader, function: str
) -> None:
    """Each wrong answer, beside each wrong answer of each item that it uses."""
    for used in USES[function]:
        for other in replacing(used):
            for mutant in replacing(function):
                result = here({**mutant.cells, **other.cells}, sorted(items_of(function)))
                scores = {item.name: item.score for item in result.items}
                deserved = wanted(course, mutant)
                assert scores == {name: deserved[name] for name in scores}, (
                    mutant.name,
                    other.name,
                )


def test_one_item_asked_again_gives_the_same(course: Course, here: Grader) -> None:
    for name in ("kl_in_bits", "missing_factor", "log_delta_sign", "typed_in_definition"):
        cells = next(mutant.cells for mutant in WRONG if mutant.name == name)
        whole = here(cells)
        for item in whole.items:
            (alone,) = here(cells, [item.name]).items
            assert alone == item
            assert whole.updated(here(cells, [item.name])) == whole


def test_only_what_can_matter_is_asked_again(
    course: Course, here: Grader, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A right, a blank and an independently wrong submission need one sandbox each."""
    sandboxes = {"kl_in_bits": 3, "log_base_ten": 3, "supremum_over_q": 2}
    sandboxes |= dict.fromkeys([mutant.name for mutant in RIGHT], 1)
    cells = {mutant.name: mutant.cells for mutant in BANK}
    for name, count in sandboxes.items():
        monkeypatch.setattr(InProcess, "started", 0)
        here(cells[name])
        assert InProcess.started == count, name
    monkeypatch.setattr(InProcess, "started", 0)
    text = writes(course.release())
    grade_submission(course.exam.to_bytes(), {f"{NAME}.ipynb": text.encode()}, Limits())
    assert InProcess.started == 1


@answers(BANK)
def test_graded_points(course: Course, mutant: Mutant) -> None:
    result = course.result(mutant.name)
    assert (result.status, result.notices, result.sandbox) == ("graded", (), "bubblewrap")
    scores = {item.name: item.score for item in result.items}
    assert list(scores) == list(course.points)
    assert scores.pop(MANUAL) is None
    assert scores == wanted(course, mutant)


def test_points_of_the_instructor(course: Course) -> None:
    scores = {item.name: item.score for item in course.items("instructor").values()}
    assert scores == course.points | {MANUAL: None}


def test_blank_gets_nothing_and_needs_nobody(course: Course) -> None:
    assert {i.name: i.score for i in course.items("blank").values()} == dict.fromkeys(
        course.points, 0.0
    )
    assert "kl_divergence is not written yet" in course.page("blank")


def in_the_students_notebook(mutant: Mutant) -> dict[str, Any]:
    """The names that the answer defines, as in a notebook's kernel."""
    names: dict[str, Any] = {"__name__": "student"}
    with redirect_stdout(io.StringIO()):
        for cell in SOURCE.cells:
            if cell.kind in ("given", "solution"):
                text = mutant.cells.get(cell.name, cell.source)
                file = f"<{mutant.name} {cell.name}>"  # where the text of a function is looked up
                linecache.cache[file] = (len(text), None, text.splitlines(keepends=True), file)
                exec(compile(text, file, "exec"), names)
    return names


@answers(BANK)
def test_the_graded_verdict_is_the_students_own(course: Course, mutant: Mutant) -> None:
    """What `check` says in the student's notebook on the visible cases, to the letter."""
    names = in_the_students_notebook(mutant)
    graded = course.items(mutant.name)
    for item in course.exam.items:
        if item.visible is not None:
            verdict, _ = run(names[item.call], item.visible)
            assert graded[item.name].visible == verdict.to_data(), item.name


@answers(WRONG)
def test_feedback_names_the_misconception(course: Course, mutant: Mutant) -> None:
    words = course.page(mutant.name)
    graded = course.items(mutant.name)
    for name in mutant.points:
        item = graded[name]
        assert item.visible is not None
        verdict = item.visible if item.visible["failed"] else item.hidden
        assert verdict is not None
        assert verdict["failed"]
        assert verdict["misconception"], name
        # the page sets code as code
        assert " ".join(verdict["misconception"].replace("`", "").split()) in words, name


def numbers(data: Any) -> set[str]:
    """Numbers of some length in data, as they are written."""
    if isinstance(data, float):
        return {repr(data)} if len(repr(data)) > 8 else set()
    if isinstance(data, dict):
        data = list(data.values())
    return set().union(*map(numbers, data)) if isinstance(data, list) else set()


def test_nothing_hidden_is_shown(course: Course) -> None:
    """No hidden input, right answer or implementation in a result, so neither in any page."""
    text = "\n".join(course.results[student].decode() for student in course.results)
    hidden = [item.hidden for item in course.exam.items if item.hidden is not None]
    cases = [case for part in hidden for case in part["cases"]]
    secret = numbers([[case["args"], case.get("expected")] for case in cases])
    assert len(secret) >= 80
    assert [number for number in secret if number in text] == []
    suspects = [suspect for part in hidden for suspect in part.get("suspects", ())]
    assert suspects
    for suspect in suspects:
        assert not suspect["text"] or f"def {suspect['entry']}(" not in text
    for word in ("HIDDEN TESTS", "hidden=", "Mistake(", "dpteach/grading/"):
        assert word not in text


def test_nbgrader_comes_to_the_same_points(course: Course) -> None:
    """Its autograde, its gradebook, a person's points on top of it, its feedback."""
    from nbgrader.api import Gradebook

    students = {"instructor": {}, "supremum_over_q": dict[str, str]()}
    students["supremum_over_q"] = dict(next(m.cells for m in BANK if m.name == "supremum_over_q"))
    api = course_api(course.root)
    for student, cells in students.items():
        folder = course.root / "submitted" / student / NAME
        folder.mkdir(parents=True)
        notebook = submission(course.release(), SOURCE, cells)
        write(notebook, folder / f"{NAME}.ipynb")
        result = api.autograde(NAME, student)
        assert result["success"], result
    with Gradebook(api.coursedir.db_url, api.coursedir.course_id) as gradebook:
        for student in students:
            found = gradebook.find_submission_notebook(NAME, NAME, student)
            scores = {grade.name: grade.score for grade in found.grades}
            wanted = {item.name: item.score or 0.0 for item in course.items(student).values()}
            assert scores == wanted
            proof = gradebook.find_grade(MANUAL, NAME, NAME, student)
            assert proof.needs_manual_grade
        proof = gradebook.find_grade(MANUAL, NAME, NAME, "instructor")
        proof.manual_score, proof.needs_manual_grade = 4, False
        gradebook.db.commit()
        assert gradebook.find_submission(NAME, "instructor").score == 39
        assert gradebook.find_submission(NAME, "instructor").max_score == 40
    text = (course.root / "autograded" / "instructor" / NAME / f"{NAME}.ipynb").read_text()
    assert "Rubric (5 points)" in text, "the rubric reaches the person who grades"
    assert "HIDDEN" not in text


def test_release_has_neither_solutions_nor_hidden_cases(course: Course) -> None:
    folder = course.root / "release" / NAME
    assert {path.name for path in folder.iterdir()} == {f"{NAME}.ipynb", "checks.json"}
    text = (folder / f"{NAME}.ipynb").read_text(encoding="utf-8")
    for word in ("SOLUTION", "HIDDEN", "MARK SCHEME", "Rubric", "hidden=", "Mistake", "Case("):
        assert word not in text
    code = "\n".join(cell.source for cell in course.release().cells if cell.cell_type == "code")
    assert code.count("raise NotImplementedError()") == len(SOURCE.of_kind("solution"))
    checks = json.loads((folder / "checks.json").read_text(encoding="utf-8"))["checks"]
    assert all(part["hidden"] is False for part in checks.values())
    everything = text + json.dumps(checks, ensure_ascii=False)
    shown = {case.words for check in CHECKS.values() for case in check.visible}
    told = {str(case.words) for check in CHECKS.values() for case in check.hidden} - shown
    assert len(told) >= 30
    assert [words for words in told if f'"{words}"' in everything] == []


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


@pytest.mark.parametrize("student", ["blank", "supremum_over_q"])
def test_validate_agrees_on_visible_cases(course: Course, tmp_path: Path, student: str) -> None:
    """The student's own Validate button fails exactly the items that fail on visible cases."""
    from nbgrader.validator import Validator

    shutil.copytree(course.root / "release" / NAME, tmp_path / NAME)
    cells = {mutant.name: mutant.cells for mutant in BANK}.get(student, {})
    notebook = course.release()
    if student != "blank":
        notebook = submission(notebook, SOURCE, cells)
    write(notebook, tmp_path / NAME / f"{NAME}.ipynb")
    result = Validator().validate(str(tmp_path / NAME / f"{NAME}.ipynb"))
    assert set(result) <= {"failed"}
    failed = {
        found[1]
        for cell in result.get("failed", [])
        if (found := re.search(r'check\("(\w+)"\)', cell["source"]))
    }
    wanted = {
        "blank": set(course.points) - {MANUAL},
        "supremum_over_q": {"max_values"},  # renyi_limits fails on a hidden case only
    }
    assert failed == wanted[student]


def test_the_book_has_what_the_checks_point_to() -> None:
    """A message sends the student to a section: it must be there."""
    for check in CHECKS.values():
        chapter, _, label = check.book.partition("#")
        file = ROOT / "book" / f"{chapter}.md"
        if file.exists():
            assert f"({label})=" in file.read_text(encoding="utf-8"), check.book


def test_build_is_reproducible(course: Course, tmp_path: Path) -> None:
    from dpteach.grading.author.build import build_source

    build_source(COURSE / "assignments" / f"{NAME}.md", tmp_path / NAME)
    for file in (f"{NAME}.ipynb", "checks.json"):
        assert (tmp_path / NAME / file).read_bytes() == (
            course.root / "source" / NAME / file
        ).read_bytes()


def test_what_is_right_is_announced() -> None:
    """A tolerance other than the text's stands in the docstring; a part of a share is named."""
    text = TEXT.read_text("utf-8")
    assert "within a relative error of 1e-9, and next to 0 within 1e-12" in " ".join(text.split())
    docstrings = {
        name: ast.get_docstring(node) or ""
        for cell in SOURCE.of_kind("solution")
        for name, node in cell.functions().items()
    }
    for check in CHECKS.values():
        if isinstance(check, Check) and check.compare != Relative(1e-9, absolute=1e-12):
            assert isinstance(check.compare, Relative)
            told = f"relative error of {check.compare.tolerance:g}".replace("e-0", "e-")
            assert told in " ".join(docstrings[check.call].split()), check.name
        if getattr(check, "partial", False) or isinstance(check, TestsCheck):
            assert f"`{check.name}`" in text[: text.index("## 1.")], check.name
        if isinstance(check, TestsCheck):
            assert "a test that rejects a right implementation earns nothing" in text


def test_exchanged_laws_show_on_visible_cases() -> None:
    for check in CHECKS.values():
        exchanged = [i for i, m in enumerate(check.mistakes) if "P and Q are exch" in m.message]
        visible, _ = declared(check)
        for i in exchanged:
            assert any(case["mistakes"][i] is not None for case in visible["cases"]), check.name


def test_each_function_has_three_hints_and_each_proof_its_scheme(course: Course) -> None:
    text = "\n".join(cell.source for cell in course.release().cells)
    for cell in SOURCE.of_kind("solution"):
        for level in (1, 2, 3):
            opened = f"<details><summary>Hint {level} for <code>{cell.name}</code></summary>\n\n"
            assert text.count(opened) == 1, (cell.name, level)
    assert (
        text.count("<details>")
        == text.count("\n\n</details>")
        == 3 * len(SOURCE.of_kind("solution"))
    )
    for cell in SOURCE.of_kind("manual"):
        scheme = scheme_of(cell)
        assert sum(points for points, _ in scheme) == cell.points, cell.name
        assert as_markdown(scheme) in text, cell.name


def test_orders_are_called_as_in_the_chapter() -> None:
    for cell in SOURCE.cells:
        if cell.cell_type == "markdown":
            for formula in re.findall(r"(?s)\$\$.*?\$\$|\$[^$]+\$", cell.source):
                assert not re.search(r"(?<![\\A-Za-z])a(?![A-Za-z])", formula), formula
    for check in CHECKS.values():
        for mistake in check.mistakes:
            assert not re.search(r"\ba - 1\b|\ba \*|\*\*a\b", mistake.message), mistake.message
