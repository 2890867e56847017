"""Personal versions: parameters in texts and checks, exams of students, last term's answers."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from dpteach.grading import Parameters
from dpteach.grading.author.build import build_source
from dpteach.grading.author.making import make_exam
from dpteach.grading.author.personal import Personal
from dpteach.grading.author.source import SourceError
from dpteach.grading.core.exam import Exam
from dpteach.grading.core.versions import Version, with_values
from dpteach.grading.course.folder import CourseError
from dpteach.grading.course.versions import SEED, Versions, personal

ROOT = Path(__file__).resolve().parents[3]
TEXT = Path(__file__).parent / "courses" / "versions.md"
NAME = "versions"
NUMBERS = ("alone_on_paper", "faults", "counted_well", "noise_design")


@pytest.fixture(scope="module")
def exam() -> Exam:
    return make_exam(TEXT, 3)


@pytest.fixture(scope="module")
def maker(exam: Exam) -> Personal:
    return Personal(TEXT, exam)


def seeded(root: Path, term: int = 1) -> Versions:
    """The versions of a course whose seed is known."""
    (root / ".grading").mkdir(mode=0o700, exist_ok=True)
    (root / ".grading" / SEED).write_text(f"{term:064x}\n")
    return Versions(root, NAME)


def of(maker: Personal, keeper: Versions, student: str) -> Exam:
    """The exam of a student."""
    assert maker.source.parameters is not None
    values = maker.source.parameters.drawn(keeper.generator(student))
    return maker.version(keeper.named(student, values), keeper.hidden_seed(student, 3))


def edited(folder: Path, *changes: tuple[str, str]) -> Path:
    """The text source with changes."""
    text = TEXT.read_text("utf-8")
    for old, new in changes:
        assert old in text
        text = text.replace(old, new)
    (folder / "assignments").mkdir(exist_ok=True)
    path = folder / "assignments" / TEXT.name
    path.write_text(text, "utf-8")
    return path


def refused(folder: Path, *changes: tuple[str, str]) -> str:
    """What the build says of the text source with changes."""
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
        ({"points": 1}, "means something else"),
        ({"sum": 1}, "means something else"),
        ({"for": 1}, "means something else"),
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
        (lambda rng: {"year": 1}, "must return the parameters year, name, got year"),
        (lambda rng: {"year": "1", "name": "a"}, "year must be a number as in without_seed"),
        (lambda rng: {"year": 1, "name": 2}, "name must be a text as in without_seed"),
        (lambda rng: 1 / 0, "draw: ZeroDivisionError"),
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
        ("DAYS = 365", "DAYS = 365\nstaff = 3", "'staff' is a parameter"),
        ('"staff": rng.integers(20, 400)', '"staff": np.nan', "staff must be a finite number"),
        ('"staff": 7, ', '"staff": 7, "year": 1, ', "must return the parameters"),
        (":kind: parameters\n", ":kind: parameters\n\nx = 1 +", "not Python"),
        ("Parameters(\n", "dict(\n", "must be Parameters"),
        ('1500, "others": 1499', 'math.nan, "others": 1499', "people must be a finite number"),
        # right for the version that the author reads, and for no other one
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
    assert "a second cell of kind parameters" in told


def test_all_that_the_notebook_shows_has_the_students_numbers(
    maker: Personal, exam: Exam, tmp_path: Path
) -> None:
    ours = of(maker, seeded(tmp_path), "anna")
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
    ours, theirs = of(maker, keeper, "anna"), of(maker, keeper, "ben")
    for one, other, both in zip(ours.items, theirs.items, exam.items, strict=True):
        if one.kind == "check":
            assert one.hidden != other.hidden
            assert one.hidden != both.hidden
    # in any order, and from the same seed elsewhere
    assert of(maker, seeded(tmp_path), "anna") == ours
    assert exam.with_own(ours.beyond(exam)) == ours
    assert Exam.from_bytes(ours.to_bytes()) == ours


def test_what_uses_no_parameter_is_drawn_where_it_is_cheap(tmp_path: Path) -> None:
    path = edited(
        tmp_path, ("- staff,", "- 7,"), ("secret + staff", "secret + 7"), ("- {{staff}}", "- 7")
    )
    whole = make_exam(path, 3)
    ours = of(Personal(path, whole), seeded(tmp_path), "anna")
    same = [item.name for item in whole.items if item in ours.items]
    assert same == ["counted_well"]


def test_statements_that_do_more_than_define_are_run_whole(tmp_path: Path) -> None:
    path = edited(
        tmp_path,
        ("EXPECTED = others / DAYS", "ALL = []\nALL.append(others / DAYS)"),
        ("return EXPECTED", "return sum(ALL)"),
    )
    maker = Personal(path, make_exam(path, 3))
    assert maker.again is None
    keeper = seeded(tmp_path)
    first = of(maker, keeper, "anna")
    of(maker, keeper, "ben")
    assert of(maker, keeper, "anna") == first
    (right,) = first.items[0].hidden["cases"][0]["expected"]  # type: ignore[index]
    assert right == round((int(first.values["people"]) - 1) / 365 * 10_000)


def test_a_version_needs_no_parameters(tmp_path: Path) -> None:
    source = ROOT / "tests" / "grading" / "kinds" / "courses" / "repair.md"
    whole = make_exam(source, 1)
    ours = Personal(source, whole).version(Version("one"), 7)
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
    others = [keeper.hidden_seed(*told) for told in [("ben", 1), ("anna", 2), ("anna", 1, 1)]]
    assert len({keeper.hidden_seed("anna", 1), *others}) == 4
    assert keeper.named("anna", {"x": 1}).name != keeper.named("anna", {"x": 2}).name


def test_a_record_holds(tmp_path: Path) -> None:
    keeper = Versions(tmp_path, NAME)
    version = keeper.named("anna/b", {"x": 1, "y": 0.1, "z": "a"})
    assert keeper.record("anna/b", version)
    assert not keeper.record("anna/b", version)
    assert Versions(tmp_path, NAME).given() == {"anna/b": version}
    with pytest.raises(CourseError, match=r"anna/b got the version \w{12} of versions \(x = 1, "):
        keeper.record("anna/b", keeper.named("anna/b", {"x": 2, "y": 0.1, "z": "a"}))
    (file,) = (tmp_path / ".grading" / NAME / "versions").glob("*.json")
    file.write_text("{}")
    with pytest.raises(CourseError, match="cannot be read"):
        keeper.given()


def test_a_lost_seed_is_missed(tmp_path: Path) -> None:
    keeper = Versions(tmp_path, NAME)
    file = tmp_path / ".grading" / SEED
    file.unlink()
    Versions(tmp_path, NAME)  # nobody had a version: a new one does
    file.unlink()
    keeper.record("anna", keeper.named("anna", {}))
    with pytest.raises(CourseError, match=r"versions\.seed is missing, and personal versions of"):
        Versions(tmp_path, NAME)
    file.write_text("abc")
    with pytest.raises(CourseError, match="must hold 64 hexadecimal digits"):
        Versions(tmp_path, NAME)
