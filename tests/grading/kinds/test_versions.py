"""Tests of personal versions: each student's assignment has different numbers."""

from __future__ import annotations

import contextlib
import csv
import errno
import functools
import hashlib
import hmac
import io
import json
import os
import pwd
import shutil
import struct
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import nbformat
import numpy as np
import pytest
from exams import COURSE
from in_process import InProcess
from nbgrader.auth import Authenticator
from nbgrader.coursedir import CourseDirectory
from nbgrader.exchange import ExchangeError
from nbgrader.utils import compute_checksum
from small_course import result_files

from dpteach import serve
from dpteach.cli import main
from dpteach.grading import CheckFailed, Parameters, check
from dpteach.grading.author import distributing
from dpteach.grading.author.build import build_assignments, build_source
from dpteach.grading.author.distributing import distribute
from dpteach.grading.author.making import make_exam
from dpteach.grading.author.mutants import submission
from dpteach.grading.author.personal import DRAWS, OfStudents, Personal
from dpteach.grading.author.releasing import PersonalRelease, write_readable_by
from dpteach.grading.author.source import SourceError, read_source
from dpteach.grading.classroom import classroom
from dpteach.grading.classroom.classroom import (
    ClassroomError,
    Settings,
    grade_class,
    grade_one,
    stale,
)
from dpteach.grading.classroom.export import export
from dpteach.grading.classroom.progress import Progress
from dpteach.grading.classroom.session import grade_submission
from dpteach.grading.classroom.workers import Answer, Task
from dpteach.grading.core.exam import Exam, Item
from dpteach.grading.core.result import Result
from dpteach.grading.core.versions import TOKEN, VERSIONS, Version, with_values
from dpteach.grading.course.folder import CourseError, course_api, course_settings
from dpteach.grading.course.store import Store
from dpteach.grading.course.versions import SEED, Versions, all_recorded, personal
from dpteach.grading.student.fetching import PersonalFetch
from dpteach.grading.student.files import StudentError
from dpteach.grading.student.hand_in import hand_in as hand_in_file
from dpteach.grading.student.mine import mine
from dpteach.grading.student.validate import validate

ROOT = Path(__file__).resolve().parents[3]
TEXT = Path(__file__).parent / "courses" / "assignments" / "versions.md"
NAME = "versions"
NUMBERS = ("alone_on_paper", "faults", "counted_well", "noise_design")

#: nbformat has no type annotations, so strict mypy needs `Any`
reads: Any = nbformat.reads
writes: Any = nbformat.writes


@pytest.fixture(scope="module")
def exam() -> Exam:
    return make_exam(TEXT, 3)


@pytest.fixture(scope="module")
def maker() -> Personal:
    return Personal(TEXT)


def seeded(root: Path, term: int = 1) -> Versions:
    """Write a known seed for personal versions into a course; return `Versions` that use it."""
    (root / ".grading").mkdir(mode=0o700, exist_ok=True)
    (root / ".grading" / SEED).write_text(f"{term:064x}\n")
    return Versions(root, NAME)


def of(maker: Personal, exam: Exam, keeper: Versions, student: str) -> Exam:
    """Draw a student's personal version, without recording it; return the data for grading it."""
    version = keeper.named(student, maker.values(keeper.generator(student)))
    return maker.exam(exam, version, keeper.hidden_seed(student, 3))


def edited(folder: Path, *changes: tuple[str, str]) -> Path:
    """Write the assignment `TEXT` into a folder, with replacements, and return its new path."""
    text = TEXT.read_text("utf-8")
    for old, new in changes:
        assert old in text
        text = text.replace(old, new)
    (folder / "assignments").mkdir(exist_ok=True)
    path = folder / "assignments" / TEXT.name
    path.write_text(text, "utf-8")
    return path


def refused(folder: Path, *changes: tuple[str, str]) -> str:
    """Build the assignment `TEXT` after replacements that make it wrong, and return the error."""
    with pytest.raises(SourceError) as error:
        build_source(edited(folder, *changes), folder / "source")
    return str(error.value)


@pytest.mark.parametrize(
    ("told", "words"),
    [
        ({}, "at least one parameter"),
        ({"year": float("nan")}, "year must be a finite number"),
        ({"year": [1]}, r"got year=\[1\]"),
        ({"year": True}, "got year=True"),
        ({"year": 'a "b"'}, "without quotes"),
        ({"year": "a\nb"}, "in one line"),
        ({"year": "x" * 201}, "at most 200 characters"),
        ({"Year": 1}, "lower_case_2"),
        ({"points": 1}, "must not use .* as a name"),
        ({"sum": 1}, "must not use .* as a name"),
        ({"for": 1}, "must not use .* as a name"),
        (3, "must be a dict"),
    ],
)
def test_what_is_no_parameter_is_refused(told: Any, words: str) -> None:
    with pytest.raises((TypeError, ValueError), match=words):
        Parameters(without_seed=told, draw=lambda rng: {})


@pytest.mark.parametrize(
    ("draw", "words"),
    [
        (lambda rng: {"year": float("inf"), "name": "a"}, "year must be a finite number"),
        (
            lambda rng: {"year": 1},
            "must return .* without_seed, year, name, got year",
        ),
        (
            lambda rng: {"year": "1", "name": "a"},
            "year must be a text if .*, got year='1'",
        ),
        (lambda rng: {"year": 1, "name": 2}, "name must be a text if .*, got name=2"),
        (lambda rng: 1 / 0, "draw must return values, but it raised ZeroDivisionError"),
        (lambda rng: None, "draw must be a dict"),
    ],
)
def test_what_is_drawn_is_held_to_the_same(draw: Any, words: str) -> None:
    parameters = Parameters(without_seed={"year": 1987, "name": "Ada"}, draw=draw)
    with pytest.raises((TypeError, ValueError), match=words):
        parameters.drawn(np.random.default_rng(1))


def test_a_place_takes_a_format() -> None:
    assert (
        with_values("{{x:,}} {{x}} {{y:.2f}} {{z}}", {"x": 1500, "y": 0.5})
        == "1,500 1500 0.50 {{z}}"
    )
    with pytest.raises(ValueError, match="x='a'"):
        with_values("{{x:,}}", {"x": "a"})


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("{{people:,}} employees", "{{peopel:,}} employees", "there is no parameter 'peopel'"),
        ("{{people:,}} employees", "{{place:d}} employees", "place='west'"),
        ("PEOPLE = {{people}}", "PEOPLE = {{crowd}}", "there is no parameter 'crowd'"),
        (
            "DAYS = 365",
            "DAYS = 365\nstaff = 3",
            "redefines 'staff', which is a parameter",
        ),
        ('"staff": rng.integers(20, 400)', '"staff": np.nan', "staff must be a finite number"),
        ('"staff": 7, ', '"staff": 7, "year": 1, ', "must return the parameters"),
        (":kind: parameters\n", ":kind: parameters\n\nx = 1 +", "not Python"),
        ("Parameters(\n", "dict(\n", "must be Parameters"),
        ('1500, "others": 1499', 'math.nan, "others": 1499', "people must be a finite number"),
        # a number 7 in the text in place of `staff` is right in the version that the author reads,
        # where `staff` is 7, so only other versions fail
        ("- {{staff}}\n", "- 7\n", "the instructor's solution does not pass"),
    ],
)
def test_the_build_names_what_is_wrong(tmp_path: Path, old: str, new: str, words: str) -> None:
    told = refused(tmp_path, (old, new))
    assert words in told
    assert told.startswith("versions.md:")


def test_a_second_cell_of_parameters_is_refused(tmp_path: Path) -> None:
    cell = (
        "```{code-cell} ipython3\n:kind: parameters\n\n"
        "Parameters(without_seed={'x': 1}, draw=dict)\n```\n"
    )
    told = refused(
        tmp_path,
        (
            "```{code-cell} ipython3\n:kind: given",
            f"{cell}\n```{{code-cell}} ipython3\n:kind: given",
        ),
    )
    assert "only one cell may have the kind parameters" in told


def test_all_that_the_notebook_shows_has_the_students_numbers(
    maker: Personal, exam: Exam, tmp_path: Path
) -> None:
    ours = of(maker, exam, seeded(tmp_path), "anna")
    assert "{{" not in exam.notebook.replace("{{{", "")
    assert "1,500 employees" in exam.notebook
    people = int(ours.values["people"])
    assert people != 1500
    cells = ["".join(cell["source"]) for cell in json.loads(ours.notebook)["cells"]]
    for text in (
        f"Your company has {people:,} employees",
        f"PEOPLE = {people}",
        f"How many of the {people - 1:,} others",
        f"return {ours.values['known']}sum(table)",
        f"Why is one of {people:,} not alone?",
        f"There are {people - 1:,} others, and 365 days.",
    ):
        assert any(text in cell for cell in cells), text
    assert ours.items[-1].scheme == f"1 point: There are {people - 1:,} others."


def test_hidden_cases_are_the_students_own(maker: Personal, exam: Exam, tmp_path: Path) -> None:
    keeper = seeded(tmp_path)
    ours, theirs = of(maker, exam, keeper, "anna"), of(maker, exam, keeper, "ben")
    for one, other, both in zip(ours.items, theirs.items, exam.items, strict=True):
        if one.kind == "check":
            assert one.hidden != other.hidden
            assert one.hidden != both.hidden
    # a second `Versions` object with the same seed gives the same `Exam` (the data for grading)
    assert of(maker, exam, seeded(tmp_path), "anna") == ours
    assert Exam.from_bytes(ours.to_bytes()) == ours


def test_hidden_cases_that_are_no_exam_are_drawn_again(
    exam: Exam, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    students, made, seeds = OfStudents(TEXT, exam, seeded(tmp_path)), Personal.exam, []
    bad = 0

    def of_seed(maker: Personal, base: Exam, version: Version, seed: int) -> Exam:
        seeds.append(seed)
        if len(set(seeds)) <= bad:
            raise SourceError(f"no case tells a mistake, with {seed}")
        return made(maker, base, version, seed)

    monkeypatch.setattr(Personal, "exam", of_seed)
    first = students.exam("anna")
    for bad in range(1, DRAWS):
        seeds.clear()
        ours = students.exam("anna")
        assert len(seeds) == bad + 1 and ours.seed == seeds[-1]
        # the version stays, because the student's text already has its numbers; only the hidden
        # cases are drawn again
        assert (ours.version, ours.values) == (first.version, first.values)
        assert ours.items != first.items
    seeds.clear()
    bad = DRAWS
    with pytest.raises(SourceError, match=r"no exam .*: no case tells a mistake, with") as told:
        students.exam("anna")
    assert len(set(seeds)) == DRAWS and str(seeds[0]) in str(told.value)


@pytest.mark.parametrize("bad", range(DRAWS + 1))
def test_a_version_is_handed_out_by_the_first_draw_that_is_an_exam(
    bad: int, maker: Personal, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made, seeds, keeper = Personal.checked, [], seeded(tmp_path)

    def of_seed(maker: Personal, values: Any, seed: int, **told: Any) -> list[Item]:
        if not seed:  # this is the author's version, not a student's
            return made(maker, values, seed, **told)
        seeds.append(seed)
        if len(set(seeds)) <= bad:
            raise SourceError(f"no case tells a mistake, with {seed}")
        return made(maker, values, seed, **told)

    monkeypatch.setattr(Personal, "checked", of_seed)
    version = keeper.named("anna", maker.values(keeper.generator("anna")))
    if bad < DRAWS:
        (found,) = distributing.table(maker, keeper, ["anna"])["versions"].values()
        assert found["version"] == version.name and found["checks"]
        assert len(seeds) == bad + 1
    else:
        with pytest.raises(SourceError, match=f"^anna: no exam .* {version.name} .* no case"):
            distributing.table(maker, keeper, ["anna"])
        assert len(set(seeds)) == DRAWS


def test_what_uses_no_parameter_is_drawn_where_it_is_cheap(tmp_path: Path) -> None:
    path = edited(
        tmp_path, ("- staff,", "- 7,"), ("secret + staff", "secret + 7"), ("- {{staff}}", "- 7")
    )
    whole = make_exam(path, 3)
    ours = of(Personal(path), whole, seeded(tmp_path), "anna")
    same = [item.name for item in whole.items if item in ours.items]
    assert same == ["counted_well"]


def test_a_version_does_not_depend_on_those_made_before(tmp_path: Path) -> None:
    path = edited(
        tmp_path,
        ("EXPECTED = others / DAYS", "ALL = []\nALL.append(others / DAYS)"),
        ("return EXPECTED", "return sum(ALL)"),
    )
    exam, maker = make_exam(path, 3), Personal(path)
    keeper = seeded(tmp_path)
    first = of(maker, exam, keeper, "anna")
    of(maker, exam, keeper, "ben")
    assert of(maker, exam, keeper, "anna") == first
    (right,) = first.items[0].hidden["cases"][0]["expected"]  # type: ignore[index]
    assert right == round((int(first.values["people"]) - 1) / 365 * 10_000)


def test_a_version_needs_no_parameters(tmp_path: Path) -> None:
    source = ROOT / "tests" / "grading" / "kinds" / "courses" / "assignments" / "repair.md"
    whole = make_exam(source, 1)
    ours = Personal(source).exam(whole, Version("one"), 7)
    assert ours.notebook == whole.notebook
    assert ours.items != whole.items


@pytest.mark.parametrize(
    ("told", "found"),
    [(True, True), (False, False), (["versions"], True), (["other"], False), ([], False)],
)
def test_a_course_says_whether(told: Any, found: bool) -> None:
    assert personal({"Versions": {"personal": told}}, NAME) is found
    assert personal({}, NAME) is False


@pytest.mark.parametrize("told", ["versions", 1, None, [1]])
def test_another_setting_is_refused(told: Any) -> None:
    with pytest.raises(CourseError, match=r"c\.Versions\.personal in nbgrader_config\.py must be"):
        personal({"Versions": {"personal": told}}, NAME)


def test_the_seed_is_the_instructors(tmp_path: Path) -> None:
    keeper = Versions(tmp_path, NAME)
    file = tmp_path / ".grading" / SEED
    assert file.stat().st_mode & 0o777 == 0o600
    assert (tmp_path / ".grading").stat().st_mode & 0o777 == 0o700
    again = Versions(tmp_path, NAME)
    drawn = keeper.generator("anna").integers(1 << 60)
    assert again.generator("anna").integers(1 << 60) == drawn
    assert Versions(tmp_path, "other").generator("anna").integers(1 << 60) != drawn
    assert keeper.hidden_seed("anna", 1) == again.hidden_seed("anna", 1)
    told: list[Any] = [("anna", 1), ("ben", 1), ("anna", 2), ("anna", 1, 1)]
    assert len({keeper.hidden_seed(*one) for one in told}) == 4
    # personal versions with the same value of the parameter `x` have different names for different
    # students and terms, so that a name does not reveal the value
    told = [(keeper, "anna", 1), (keeper, "anna", 2), (keeper, "ben", 1)]
    told.append((seeded(tmp_path, 2), "anna", 1))
    assert len({one.named(student, {"x": x}).name for one, student, x in told}) == 4


def test_a_record_holds(tmp_path: Path) -> None:
    keeper = Versions(tmp_path, NAME)
    version = keeper.named("anna.b", {"x": 1, "y": 0.1, "z": "a"})
    assert keeper.record("anna.b", version)
    assert not keeper.record("anna.b", version)
    assert all_recorded(Versions(tmp_path, NAME).store) == {"anna.b": version}
    with pytest.raises(CourseError, match=r"anna.b got the version \w{12} of versions \(x = 1, "):
        keeper.record("anna.b", keeper.named("anna.b", {"x": 2, "y": 0.1, "z": "a"}))
    (file,) = (tmp_path / ".grading" / NAME / "versions").glob("*.json")
    file.write_text("{}")
    with pytest.raises(CourseError, match="cannot be read"):
        all_recorded(keeper.store)


def test_a_lost_seed_is_missed(tmp_path: Path) -> None:
    keeper = Versions(tmp_path, NAME)
    file = tmp_path / ".grading" / SEED
    file.unlink()
    # no recorded version depends on the deleted seed, so `Versions` draws a new seed without an
    # error
    Versions(tmp_path, NAME)
    file.unlink()
    keeper.record("anna", keeper.named("anna", {}))
    with pytest.raises(
        CourseError, match=r"versions\.seed is missing, and the personal versions of"
    ):
        Versions(tmp_path, NAME)
    for damaged in ("abc", "", "ab" * 31, "ab" * 33, "x" * 64):
        file.write_text(damaged)
        with pytest.raises(CourseError, match="must hold 64 hexadecimal digits"):
            Versions(tmp_path, NAME)


# the tests below use one built course with personal versions


@pytest.fixture(scope="module")
def course(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a built course whose personal versions were distributed to two students."""
    root = tmp_path_factory.mktemp("course")
    settings = (ROOT / "course_src" / "nbgrader_config.py").read_text("utf-8")
    assert "c.Versions.personal = False" in settings
    settings = settings.replace("c.Versions.personal = False", "c.Versions.personal = True")
    (root / "nbgrader_config.py").write_text(settings, "utf-8")
    edited(root)
    seeded(root)
    (built,) = build_assignments(root, [NAME])
    assert "the course has no students yet" in built.warnings[0]
    with pytest.raises(CourseError, match="the course has no students"):
        distribute(root, NAME)
    enrol(root, "anna", "ben")
    with pytest.raises(CourseError, match="carla is not a student of the course"):
        distribute(root, NAME, ["carla"])
    assert set(distribute(root, NAME)) == {"anna", "ben"}
    return root


def enrol(root: Path, *students: str) -> None:
    """Add students to the gradebook of the course in the folder `root`."""
    with course_api(root).gradebook as book:
        for student in students:
            book.add_student(student)


def handed_out(root: Path, student: str) -> Path:
    """Return the folder of files that `dpteach versions` writes for a student."""
    return root / "versions" / student / NAME


def answered(root: Path, student: str) -> bytes:
    """Return a student's notebook with the right answers to the student's personal version."""
    release = reads((handed_out(root, student) / f"{NAME}.ipynb").read_text("utf-8"), 4)
    values = all_recorded(Store(root, NAME))[student].values
    text = read_source(root / "assignments" / f"{NAME}.md").version(values)
    return str(writes(submission(release, text, {}))).encode()


def hand_in(root: Path, student: str, notebook: bytes) -> None:
    """Write a notebook into a student's folder in ``submitted``."""
    folder = root / "submitted" / student / NAME
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"{NAME}.ipynb").write_bytes(notebook)


@pytest.fixture
def in_process(monkeypatch: pytest.MonkeyPatch) -> None:
    InProcess.put_in(monkeypatch)


def scores(result: Result) -> dict[str, float | None]:
    return {item.name: item.score for item in result.items}


def notices(result: Result, code: str = "other_version") -> list[str]:
    return [notice.text for notice in result.notices if notice.code == code]


FULL = {
    "alone_on_paper": 2,
    "double_values": 1,
    "faults": 2,
    "counted_well": 2,
    "noise_design": 2,
    "why": None,
}
NOTHING = FULL | dict.fromkeys(NUMBERS, 0)


def test_each_student_gets_their_own(course: Path) -> None:
    seen = {}
    for student, version in all_recorded(Store(course, NAME)).items():
        folder = handed_out(course, student)
        notebook = json.loads((folder / f"{NAME}.ipynb").read_text("utf-8"))
        assert notebook["metadata"]["dpteach"]["version"] == version.name
        text = "".join(notebook["cells"][0]["source"])
        assert f"{version.values['people']:,} employees" in text
        assert "## Your own numbers" in "".join(notebook["cells"][-2]["source"])
        checks = json.loads((folder / "checks.json").read_text("utf-8"))
        assert checks["version"] == version.name
        seen[student] = (text, json.dumps(checks["checks"]))
        for cell in reads(json.dumps(notebook), 4).cells:
            if told := cell.metadata.get("nbgrader"):
                assert told["checksum"] == compute_checksum(cell), "Validate would complain"
    assert len({text for text, _ in seen.values()}) == len({c for _, c in seen.values()}) == 2


def test_the_release_says_nothing_of_hidden_cases_or_of_whose_versions_they_are(
    course: Path,
) -> None:
    for folder in (course / "release" / NAME, handed_out(course, "anna")):
        for file in folder.iterdir():
            text = file.read_text("utf-8")
            assert "SOLUTION" not in text and "MARK SCHEME" not in text
            if file.name == VERSIONS:
                for told in ('"anna"', '"ben"', '"hidden": true'):
                    assert told not in text
    table = json.loads((course / "release" / NAME / VERSIONS).read_text("utf-8"))
    assert len(table["versions"]) == 2
    own = json.loads((handed_out(course, "anna") / VERSIONS).read_text("utf-8"))
    assert len(own["versions"]) == 1
    seed = (course / ".grading" / SEED).read_text().strip()
    assert all(seed not in file.read_text("utf-8") for file in course.rglob("release/*/*"))


def test_it_is_the_same_however_often_it_is_handed_out(course: Path) -> None:
    def files() -> dict[str, bytes]:
        found = [*course.rglob("versions/*/*/*"), *course.rglob("release/*/*")]
        return {str(path): path.read_bytes() for path in found}

    before = files()
    distribute(course, NAME, ["anna"])
    distribute(course, NAME)
    assert files() == before


def test_a_student_is_graded_by_their_own_numbers(course: Path, in_process: None) -> None:
    api = course_api(course)
    versions = all_recorded(Store(course, NAME))
    hand_in(course, "anna", answered(course, "anna"))
    hand_in(course, "ben", answered(course, "anna"))
    right, wrong = (grade_one(api, NAME, student, unsafe=True) for student in ("anna", "ben"))
    assert scores(right) == FULL and not right.notices
    assert right.version == versions["anna"].name
    assert scores(wrong) == NOTHING
    (told,) = notices(wrong)
    assert told.startswith(f"This notebook is the version `{versions['anna'].name}`, and yours is")
    assert f"people = {versions['ben'].values['people']}, " in told
    page = (course / "feedback" / "ben" / NAME / f"{NAME}.html").read_text("utf-8")
    assert f"version {versions['ben'].name}" in page
    assert "Answers to other numbers are wrong." in page
    # a notebook that lacks the name of its personal version is graded, with a notice
    notebook = json.loads(answered(course, "ben"))
    del notebook["metadata"]["dpteach"]["version"]
    hand_in(course, "ben", json.dumps(notebook).encode())
    result = grade_one(api, NAME, "ben", unsafe=True)
    assert scores(result) == FULL
    assert "does not say which version it is" in notices(result)[0]


def test_last_terms_file_earns_nothing(course: Path, tmp_path: Path, in_process: None) -> None:
    """Answers to last term's version earn nothing, because each term has a new seed."""
    term = tmp_path / "term"
    shutil.copytree(course, term, ignore=shutil.ignore_patterns(".grading", "submitted"))
    seeded(term, 2)
    hand_in(term, "anna", answered(course, "anna"))
    result = grade_one(course_api(term), NAME, "anna", unsafe=True)
    assert scores(result) == NOTHING
    assert notices(result)
    distribute(term, NAME, ["ben"])
    hand_in(term, "ben", answered(course, "ben"))
    with pytest.raises(ClassroomError, match="ben got the version"):
        seeded(term, 3)
        grade_one(course_api(term), NAME, "ben", unsafe=True)


def test_another_seed_of_the_course_is_told(course: Path, tmp_path: Path) -> None:
    copy = tmp_path / "copy"
    shutil.copytree(course, copy)
    (copy / ".grading" / SEED).unlink()
    for command in (distribute, lambda root, name: build_assignments(root, [name])):
        with pytest.raises(CourseError, match=r"versions\.seed is missing"):
            command(copy, NAME)
    seeded(copy, 9)
    with pytest.raises(CourseError, match=r"anna got the version .* have changed since"):
        distribute(copy, NAME)


@pytest.mark.slow
@pytest.mark.requires("bubblewrap")
def test_a_class_is_graded_and_what_has_not_changed_is_not(
    course: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = tmp_path / "class"
    shutil.copytree(course, root, ignore=shutil.ignore_patterns("submitted"))
    enrol(root, "carla")
    for student, whose in (("anna", "anna"), ("ben", "anna"), ("carla", "ben")):
        hand_in(root, student, answered(root, whose))
    settings, told = Settings(workers=1), io.StringIO()
    assert grade_class(root, NAME, settings, Progress(told)).graded == 3
    assert "carla: no version was distributed to this student" in told.getvalue()
    assert "anna: got no" not in told.getvalue()
    with monkeypatch.context() as patch:
        # make `Personal.exam` fail if it is called: a run without changes must not call it
        patch.setattr(Personal, "exam", None)
        assert grade_class(root, NAME, settings).unchanged == 3
    results = {name: Result.from_bytes(data) for name, data in result_files(root, NAME).items()}
    assert [scores(results[f"{name}.json"]) for name in ("anna", "ben", "carla")] == [
        FULL,
        NOTHING,
        NOTHING,
    ]
    # after a change of one check, only this check's item is graded again
    path = root / "assignments" / f"{NAME}.md"
    keeper, anna = Versions(root, NAME), results["anna.json"]
    before = OfStudents(path, make_exam(path, keeper.store.seed() or 0), keeper)
    assert before.digest("anna") == keeper.store.recorded("anna")["exam"]
    path.write_text(path.read_text("utf-8").replace("rng.uniform(5, 9)", "rng.uniform(6, 9)"))
    after = OfStudents(path, make_exam(path, keeper.store.seed() or 0), keeper)
    assert after.digest("anna") != before.digest("anna")
    assert stale(anna, before.exam("anna"), anna.submission, settings) == ()
    assert stale(anna, after.exam("anna"), anna.submission, settings) == ("double_values",)
    header, *rows = csv.reader(export(root, NAME).splitlines())
    found = [dict(zip(header, row, strict=True)) for row in rows]
    versions = all_recorded(Store(root, NAME))
    assert [(row["student"], row["version"], row["total"]) for row in found] == [
        ("anna", versions["anna"].name, "9"),
        ("ben", versions["ben"].name, "1"),
        ("carla", versions["carla"].name, "1"),
    ]
    assert found[0]["parameters"] == versions["anna"].text()
    (handed_out(root, "anna") / f"{NAME}.ipynb").write_bytes(answered(root, "anna"))
    validation = validate(handed_out(root, "anna") / f"{NAME}.ipynb")
    assert not validation.failed and len(validation.passed) == 5 and not validation.notes


def test_what_is_asked_again_of_a_version_and_what_is_not(
    course: Path, tmp_path: Path, in_process: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[Any] = []

    def here(tasks: Iterable[Task], work: Any, **told: Any) -> Iterator[Answer]:
        for task in tasks:
            asked.append(task.items)
            yield Answer(task, work(task.exam, task.files, items=task.items))

    monkeypatch.setattr(classroom, "local", lambda *_: contextlib.nullcontext())
    monkeypatch.setattr(classroom, "answers", here)
    root = tmp_path / "class"
    left_out = shutil.ignore_patterns("submitted", "results", "recorded")
    shutil.copytree(course, root, ignore=left_out)
    hand_in(root, "anna", answered(root, "anna"))

    def graded(*items: str, force: bool = False, upgrade: bool = True) -> int:
        # pass a wrapper of `grade_submission`: if `grade` were this function itself, `grade_class`
        # would first test the sandbox of each worker
        by = functools.partial(grade_submission)
        settings = Settings(items=items, force=force, upgrade=upgrade, unsafe=True, grade=by)
        summary = grade_class(root, NAME, settings)
        assert summary.older == (set() if upgrade else {"anna"})
        return summary.graded

    assert graded() == 1
    path = root / "assignments" / f"{NAME}.md"
    changes = ("rng.uniform(5, 9)", "rng.uniform(6, 9)"), ("One of them is", "One of them may be")
    for old, new in changes:
        assert old in path.read_text("utf-8")
        path.write_text(path.read_text("utf-8").replace(old, new), "utf-8")
    # without `upgrade`, items whose checks have changed are not graded again
    assert graded(upgrade=False) == graded(upgrade=False) == 0 and asked == [None]
    # two items have changed: after one is graded alone, the next run grades the other
    assert graded("double_values") == graded() == 1 and graded() == 0
    assert asked == [None, ("double_values",), ("alone_on_paper",)]
    hand_in(root, "anna", answered(root, "anna") + b"\n")
    assert graded() == 1 and graded() == 0 and graded(force=True) == 1
    assert asked[3:] == [None, None]


def exchange(course: Path, app: Any, student: str, folder: Path) -> Any:
    """Run `app`, such as nbgrader's *Fetch*, as a student whose assignments are in `folder`."""
    config = course_settings(course)
    config.CourseDirectory.update({"assignment_id": NAME, "student_id": student})
    config.Exchange.assignment_dir = str(folder)
    parts = {"coursedir": CourseDirectory(config=config), "config": config}
    return app(authenticator=Authenticator(config=config), **parts).start()


@pytest.mark.parametrize("by_hand", [True, False])
def test_fetching_gives_each_their_own(
    course: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, by_hand: bool
) -> None:
    root = tmp_path / "course"
    shutil.copytree(course, root)
    config = course_settings(root)
    assert config.ExchangeFactory.fetch_assignment.endswith(PersonalFetch.__name__)
    assert config.ExchangeFactory.release_assignment.endswith(PersonalRelease.__name__)
    (root / ".exchange").chmod(0o777)
    account = pwd.getpwuid(os.getuid())
    if not by_hand:
        monkeypatch.setattr(pwd, "getpwnam", {"anna": account, "ben": account}.__getitem__)
    exchange(root, PersonalRelease, "*", tmp_path)
    (folder,) = (root / ".exchange").glob("*/versions")
    assert folder.stat().st_mode & 0o777 == 0o711
    assert {path.name for path in folder.iterdir()} == (set() if by_hand else {"anna", "ben"})
    for student in ("anna", "ben"):
        folder = tmp_path / student
        folder.mkdir()
        if by_hand:
            with pytest.raises(ExchangeError, match=rf"{TOKEN}. Ask your .* put it into {folder},"):
                exchange(root, PersonalFetch, student, folder)
            assert not (folder / NAME).exists()
            shutil.copy(root / "versions" / student / TOKEN, folder)
        exchange(root, PersonalFetch, student, folder)
        for file in handed_out(root, student).iterdir():
            fetched = (folder / NAME / file.name).read_bytes()
            assert json.loads(fetched) == json.loads(file.read_bytes()), "as in a plain release"
    (tmp_path / "zoe").mkdir()
    (tmp_path / "zoe" / TOKEN).write_text(Versions(root, NAME).token("zoe"))
    with pytest.raises(ExchangeError, match=r"no version for your token.* ask your instructor"):
        exchange(root, PersonalFetch, "zoe", tmp_path / "zoe")
    assert not (tmp_path / "zoe" / NAME).exists()


def test_a_token_in_the_exchange_is_for_one_to_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file, uid = tmp_path / "anna", 54321
    write_readable_by(file, "5e1f", uid)
    assert (file.read_text(), file.stat().st_mode & 0o777) == ("5e1f\n", 0o640)
    rights = [*struct.iter_unpack("<HHI", os.getxattr(file, "system.posix_acl_access")[4:])]
    # the five entries of the file's access list: owner, the account `uid`, group, mask, all others
    assert [one[:2] for one in rights] == [(1, 6), (2, 4), (4, 0), (16, 4), (32, 0)]
    assert rights[1][2] == uid

    def without(*told: Any) -> None:
        raise OSError(errno.ENOTSUP, "Operation not supported")

    monkeypatch.setattr(os, "setxattr", without)
    with pytest.raises(OSError):
        write_readable_by(file, "5e1f", uid)
    assert not file.exists()


def test_trying_all_ids_on_what_is_released_gives_no_names(course: Path) -> None:
    release = course / "release" / NAME
    table = json.loads((release / VERSIONS).read_text("utf-8"))
    told = {*_texts(table)}
    told |= {NAME, ""}
    for student in ("anna", "ben"):
        for salt in told:
            for text in (student, f"{salt} {student}", f"{student} {salt}", f"{salt}{student}"):
                for key in (b"", salt.encode()):
                    for name in ("sha256", "sha1", "md5"):
                        made = hashlib.new(name, text.encode()), hmac.new(key, text.encode(), name)
                        for one in made:
                            digest = one.hexdigest()
                            assert not any(digest.startswith(entry) for entry in table["versions"])


def _texts(data: Any) -> Iterator[str]:
    """Yield the keys of JSON data, and its strings of fewer than 100 characters."""
    if isinstance(data, dict):
        for name, value in data.items():
            yield name
            yield from _texts(value)
    elif isinstance(data, str) and len(data) < 100:
        yield data


def test_a_copy_of_the_release_becomes_mine(
    course: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    folder = tmp_path / NAME
    shutil.copytree(course / "release" / NAME, folder)
    notebook = folder / f"{NAME}.ipynb"
    monkeypatch.chdir(folder)
    with pytest.raises(
        CheckFailed, match=f"not have your own numbers yet.*dpteach mine {NAME}.ipynb"
    ):
        check("double_values")
    assert main(["mine", str(notebook)]) == 2
    assert f"the file {TOKEN}. Ask your instructor" in capsys.readouterr().err
    assert main(["mine", str(notebook), "--token", "anna"]) == 2
    assert "no version for your token" in capsys.readouterr().err
    shutil.copy(course / "versions" / "anna" / TOKEN, tmp_path)
    assert main(["mine", str(notebook)]) == 0
    version = all_recorded(Store(course, NAME))["anna"]
    assert f"your version, {version.name}: people = " in capsys.readouterr().out
    for file in handed_out(course, "anna").iterdir():
        assert json.loads((folder / file.name).read_text()) == json.loads(file.read_text())
    before = notebook.read_bytes()
    assert mine(notebook).left == ()
    assert notebook.read_bytes() == before
    ben = Versions(course, NAME).token("ben")
    with pytest.raises(StudentError, match="no version for your token"):
        mine(notebook, ben)  # the folder has only anna's version now
    shutil.copy(course / "release" / NAME / VERSIONS, folder)
    with pytest.raises(StudentError, match=f"is the version `{version.name}`, and yours is"):
        mine(notebook, ben)
    handed = hand_in_file(notebook).path
    assert json.loads(handed.read_text())["metadata"]["dpteach"]["version"] == version.name


def test_what_a_student_wrote_stays(course: Path, tmp_path: Path) -> None:
    folder = tmp_path / NAME
    shutil.copytree(course / "release" / NAME, folder)
    notebook = folder / f"{NAME}.ipynb"
    text = notebook.read_text("utf-8")
    assert text.count("others have one's birthday") == 1
    notebook.write_text(text.replace("others have one's birthday", "others have my birthday"))
    shutil.copy(course / "versions" / "anna" / TOKEN, tmp_path)
    found = mine(notebook)
    assert found.left == ("alone",)
    assert "You changed the cell alone" in found.text()
    assert "others have my birthday" in notebook.read_text("utf-8")
    (folder / VERSIONS).write_text("{}")
    with pytest.raises(StudentError, match=r"versions\.json is damaged"):
        mine(notebook)
    (folder / VERSIONS).unlink()
    with pytest.raises(StudentError, match=r"versions\.json is missing"):
        mine(notebook)


def test_make_course_gives_the_readers_own(
    course: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = tmp_path / "course"
    shutil.copytree(course / "release", root / "release")
    monkeypatch.setattr(serve, "login", lambda: "ben")
    (notebook,), (line,) = serve.working_copies(root)
    assert line.startswith(f"work/{NAME} does not have your own numbers yet") and TOKEN in line
    shutil.rmtree(root / "work")
    # a folder that has the seed of the personal versions is an instructor's: there, a working copy
    # gets the version of the user who is logged in, if the release contains this version
    seeded(root)
    monkeypatch.setattr(serve, "login", lambda: "zoe")
    (notebook,), (line,) = serve.working_copies(root)
    assert "this release has no version for" in line
    assert "(zoe is your account)" in line
    shutil.rmtree(root / "work")
    monkeypatch.setattr(serve, "login", lambda: "ben")
    assert serve.working_copies(root) == ([notebook], [])
    own = handed_out(course, "ben") / notebook.name
    assert json.loads(notebook.read_text()) == json.loads(own.read_text())
    assert serve.working_copies(root) == ([notebook], [])


def test_without_the_setting_nothing_is_personal(course: Path, tmp_path: Path) -> None:
    root = tmp_path / "course"
    shutil.copytree(course, root, ignore=shutil.ignore_patterns(".grading"))
    shutil.copy(ROOT / "course_src" / "nbgrader_config.py", root)
    (built,) = build_assignments(root, [NAME])
    assert built.warnings == ()
    names = {file.name for file in (root / "source" / NAME).iterdir()}
    assert names == {"checks.json", f"{NAME}.ipynb"}
    assert not (root / ".grading").exists()
    released = (root / "release" / NAME / f"{NAME}.ipynb").read_text("utf-8")
    assert "1,500 employees" in released and "Your own numbers" not in released
    with pytest.raises(CourseError, match=r"c\.Versions\.personal in .* must be True or a list"):
        distribute(root, NAME)


def test_nothing_that_belongs_to_an_answer_is_in_what_students_get() -> None:
    maker = Personal(COURSE / "assignments" / "removing_names.md")
    values = maker.values(np.random.default_rng(1))
    assert "weights" not in maker.shown and "question_1" in maker.shown
    assert "weights" in values and "weights" not in maker.told(values)
