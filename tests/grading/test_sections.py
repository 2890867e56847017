"""Tests of optional sections of assignments, and of the minutes that an item should take."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import nbformat
import pytest
from exams import PROJECT, SEED, SOURCES, SWITCH, course_of
from in_process import InProcess
from small_course import DOUBLE, HALF, HEADER, NAME, WHY, make_course

from dpteach import cli
from dpteach.grading.author.build import build_assignments, build_source
from dpteach.grading.author.making import make_exam
from dpteach.grading.author.minutes import minutes, total
from dpteach.grading.author.mutants import submission
from dpteach.grading.author.notebook import items, notebook_text
from dpteach.grading.author.proof import read_checks
from dpteach.grading.author.source import SourceError, read_source
from dpteach.grading.classroom.session import grade_submission
from dpteach.grading.core.result import Result
from dpteach.grading.course.folder import CourseError, course_api
from dpteach.grading.course.gradebook import Book
from dpteach.grading.sandbox.limits import Limits

pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning")

#: beginnings of the class names of checks in which students do more than implement a function
JUDGED = ("Witness", "Attack", "Repair", "Design", "Tests", "Hand", "Audit")

OPTIONAL = '+++ {"tags": ["optional"]}\n\n'
GIVEN = "```{code-cell} ipython3\n:kind: given\n:name: aid\n\ndef aided(x):\n    return x\n```\n\n"


def check(name: str, call: str, factor: float) -> str:
    return (
        f'\n```{{code-cell}} ipython3\n:kind: check\n\nCheck(name="{name}", call="{call}", '
        'points=2, visible=[Case(1.5), Case(-2.25)], book="", '
        f"expected=lambda x: {factor} * x)\n```\n\n"
    )


TEXT = (
    "# Small\n\n{{points}} points. {{minutes}}\n\n## 1. Doubling\n\nRead this.\n\n"
    + DOUBLE
    + check("double_values", "double", 2.0)
    + WHY
    + "\n"
    + OPTIONAL
    + "## 2. Optional: halving\n\nHalve it.\n\n"
    + GIVEN
    + HALF
    + check("half_values", "half", 0.5)
    + "+++\n\n## Before you submit\n\nThe end.\n"
)


def written(folder: Path, text: str = TEXT) -> Path:
    path = folder / "assignments" / f"{NAME}.md"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(HEADER + text, "utf-8")
    return path


def test_what_is_released_lacks_the_optional_sections(tmp_path: Path) -> None:
    path = written(tmp_path)
    for optional in (False, True):
        source = read_source(path, optional=optional)
        found = dict(items(source, read_checks(source)))
        assert list(found) == ["double_values", "why", *["half_values"] * optional]
        assert sum(found.values()) == (7 if optional else 5)
        assert source.optional == optional
        text = "\n".join(cell.source for cell in source.cells)
        assert "The end." in text and "Read this." in text
        for word in ("Halve", "aided", "def half", "half_values"):
            assert (word in text) == optional, word
    assert not read_source(path).optional, "a folder without settings releases the core"


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        (
            ("## Before you submit\n\nThe end.\n", "## 3. More\n\n" + GIVEN.replace("aid", "more")),
            r"small\.md:\d+: a core section is below an optional one",
        ),
        (
            (
                "## Before you submit",
                "## 3. Why\n\n+++\n\n" + WHY.replace("why", "how") + "\n+++\n\n",
            ),
            "a core",
        ),
        (("return 2 * x", "return 2 * aided(x)"), "the core uses or names 'aided'"),
        (("return 2 * x", "return 4 * half(x)"), "the core uses or names 'half'"),
        (('call="double"', 'call="half"'), "the core uses or names 'half'"),
        (("Read this.", "See `half_values`."), "the core uses or names 'half_values'"),
        (("Why?", "Why `half(1)`?"), r"small\.md:\d+: the core uses or names 'half'"),
        (("Why?", "Why <code>half</code>?"), "the core uses or names 'half'"),
        (("{{points}}", "{{points half_values}}"), "the core uses or names 'half_values'"),
        (("Twice x.", "Twice x, see `half`."), "the core uses or names 'half'"),
        (('"optional"', '"optinal"'), "unknown tag 'optinal'; the only tag is 'optional'"),
        (("## 2. Optional: halving", "Halving"), "must be text that begins with a ## heading"),
        (("Halve it.", "Halve it.\n\n## 3. Again"), "an optional section has a second ## heading"),
    ],
)
def test_what_the_build_refuses(changes: tuple[str, str], words: str, tmp_path: Path) -> None:
    assert changes[0] in TEXT
    path = written(tmp_path, TEXT.replace(*changes, 1))
    with pytest.raises(SourceError, match=words):
        build_source(path, tmp_path / "built")


def test_a_name_of_its_own_is_not_taken_for_an_optional_one(tmp_path: Path) -> None:
    text = TEXT.replace("return 2 * x", "half = 2\n    return half * x").replace("Read", "Half and")
    assert list(build_source(written(tmp_path, text), tmp_path / "built")) == [
        "double_values",
        "why",
    ]


@pytest.mark.slow
def test_one_switch(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """One setting puts optional sections into both the release and the data for grading.

    Once a student has submitted, the build refuses to add or remove them.
    """
    course = make_course(tmp_path / "course")
    path = written(course)
    settings = course / "nbgrader_config.py"
    before = settings.read_text("utf-8")
    assert before.count(SWITCH) == 1
    said = {}
    for told in ("False", "True", f'["{NAME}"]', '["another"]'):
        settings.write_text(before.replace(SWITCH, f"c.Assignments.optional = {told}"), "utf-8")
        assert cli.main(["assignments", "--course", str(course)]) == 0
        said[told] = capsys.readouterr().out.strip().split("\n")[-1]
        form = {item.name for item in make_exam(path, 1).items}
        notebook = (course / "release" / NAME / f"{NAME}.ipynb").read_text("utf-8")
        assert ("half" in notebook) == ("half_values" in form)
        sidecar = json.loads((course / "release" / NAME / "checks.json").read_text("utf-8"))
        assert set(sidecar["checks"]) == form - {"why"}
    assert said["False"] == said['["another"]'] == f"{NAME}: 2 graded items, 5 points"
    whole = f"{NAME}: 3 graded items, 7 points, with optional sections"
    assert said["True"] == said[f'["{NAME}"]'] == whole
    # once a student has submitted, the build refuses a release with other items
    with Book(course_api(course), NAME) as book:
        book.book.update_or_create_student("ada")
        book.book.update_or_create_submission(NAME, "ada")
    settings.write_text(before.replace(SWITCH, "c.Assignments.optional = True"), "utf-8")
    release = course / "release" / NAME / f"{NAME}.ipynb"
    released = release.read_bytes()
    assert cli.main(["assignments", "--course", str(course)]) == 2
    said_now = capsys.readouterr().err
    assert "assignment with 2 graded items, but the new one has 3" in said_now
    assert "c.Assignments.optional" in said_now and release.read_bytes() == released
    settings.write_text(before, "utf-8")
    assert cli.main(["assignments", "--course", str(course)]) == 0


def test_an_old_or_wrong_setting(tmp_path: Path) -> None:
    course = make_course(tmp_path / "course")
    path, settings = written(course), course / "nbgrader_config.py"
    before = settings.read_text("utf-8")
    for line, words in (
        ("c.Assignments.optional = 1", r"c\.Assignments\.optional in nbgrader_config\.py must"),
        (
            "c.Assignments.short = True",
            r"c\.Assignments\.short no longer.*c\.Assignments\.optional",
        ),
    ):
        settings.write_text(before.replace(SWITCH, line), "utf-8")
        for command in (lambda: build_assignments(course), lambda: make_exam(path, 1)):
            with pytest.raises(CourseError, match=words):
                command()


def test_the_notebook_announces_points_and_minutes(tmp_path: Path) -> None:
    path = written(tmp_path, TEXT.replace("Read this.", "Read this. " + "word " * 648))
    source = read_source(path, optional=True)
    checks = read_checks(source)
    # 652 words in the section and 2 in the docstring take 5 minutes to read, and 2 points take 12
    # minutes to earn; 17 minutes are rounded to 15
    assert minutes(source, checks) == {"double_values": 15, "why": 30, "half_values": 10}
    cells = json.loads(notebook_text(source, checks))["cells"]
    texts = ["".join(cell["source"]) for cell in cells]
    assert "7 points. Plan about 60 minutes for the whole assignment." in texts[0]
    assert "130 words per minute" in texts[0]
    at = texts.index("`double_values`: 2 points, about 15 minutes")
    assert texts[at + 1].startswith("def double")
    (question,) = (text for text in texts if text.startswith("Why?"))
    assert "\n`why`: 3 points, about 30 minutes\n" in question


# --- the assignments of the course -----------------------------------------------------------

of_each = pytest.mark.parametrize("path", SOURCES, ids=lambda path: path.stem)


def objectives() -> dict[str, set[str]]:
    """Return for each assignment the items that the book's page on assignments describes."""
    page = (PROJECT / "book" / "assignments.md").read_text("utf-8")
    tables = re.findall(r'(?s)\nassignment\(\n    "(\w+)",\n(.*?)\n\)\n', page)
    return {topic: set(re.findall(r'(?m)^ +"(\w+)": "', table)) for topic, table in tables}


@of_each
def test_the_core_is_whole_and_takes_three_hours_at_most(path: Path) -> None:
    whole, core = read_source(path, optional=True), read_source(path, optional=False)
    checks = read_checks(core)
    points = dict(items(core, checks))
    everything = dict(items(whole, read_checks(whole)))
    assert objectives()[path.stem] == set(everything)
    assert 6 <= len(points) <= len(everything)
    expected = minutes(core, checks)
    assert set(expected) == set(points) and total(expected) <= 180
    judged = sum(one.points for one in checks.values() if type(one).__name__.startswith(JUDGED))
    assert judged >= sum(points.values()) / 3
    assert len(core.of_kind("manual")) == len(whole.of_kind("manual")) == 1
    assert sum("{{minutes}}" in cell.source for cell in core.cells) == 1


def test_the_guide_counts_the_items() -> None:
    found = []
    for optional in (False, True):
        sources = [read_source(path, optional=optional) for path in SOURCES]
        found.append(sum(len(dict(items(source, read_checks(source)))) for source in sources))
    guide = (PROJECT / "book" / "instructors.md").read_text("utf-8")
    assert f"Together they have {found[0]} items" in guide and found[0] >= 160
    assert f"With all optional sections there are {found[1]} items" in guide


@pytest.fixture(scope="module")
def course(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a copy of the course in which the optional sections are left out."""
    return course_of(tmp_path_factory.mktemp("core"), "False")


@pytest.mark.slow
@pytest.mark.parametrize(
    "path",
    [
        path
        if path.stem in ("auditing_a_paper", "choosing", "composition", "renyi_dp")
        else pytest.param(path, marks=pytest.mark.exhaustive)
        for path in SOURCES
    ],
    ids=lambda path: path.stem,
)
def test_the_reference_answers_earn_all_points(
    path: Path, course: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without optional sections, the instructor's answers earn all points."""
    exam = make_exam(course / "assignments" / path.name, SEED)
    InProcess.put_in(monkeypatch)
    monkeypatch.chdir(path.with_suffix("") if path.with_suffix("").is_dir() else course)
    source = read_source(course / "assignments" / path.name)
    notebook: Any = submission(nbformat.reads(exam.notebook, 4), source, {})
    files = {path.with_suffix(".ipynb").name: nbformat.writes(notebook).encode()}
    result = Result.from_bytes(grade_submission(exam.to_bytes(), files, Limits()))
    assert [item.name for item in result.items] == [item.name for item in exam.items]
    for item in result.items:
        assert item.score == (None if item.kind == "manual" else item.points), item.name
