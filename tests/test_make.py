"""Tests of the files that the cleaning commands of the Makefile delete or keep."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]

#: files of a running term, such as submissions and grades, which cleaning must keep
TERM = (
    "submitted/anna/01_x/01_x.ipynb",
    "autograded/anna/01_x/01_x.ipynb",
    "feedback/anna/01_x/01_x.html",
    "reports/01_x.html",
    ".exchange/dpteach/inbound/anna+01_x+2026-01-01/01_x.ipynb",
    ".grading/01_x/run.json",
    ".grading/01_x/results/anna.json",
    ".term/log.jsonl",
    "gradebook.db",
    "gradebook.db.2026-01-01",
)
#: files that people wrote, which no command of the Makefile may delete
WRITTEN = (
    "assignments/01_x.md",
    "assignments/01_x/data/a b.csv",
    "work/01_x/01_x.ipynb",
    "source/01_x/data.csv",
)
BUILT = (
    "source/01_x/01_x.ipynb",
    "source/01_x/data/a b.csv",
    "release/01_x/01_x.ipynb",
    "release/01_x/checks.json",
    "release/01_x/data/a b.csv",
)


@pytest.fixture
def course(tmp_path: Path) -> Path:
    """Return a course's folder beside a Makefile; the folder has all files listed above."""
    shutil.copy(ROOT / "Makefile", tmp_path)
    for folder in ("dpteach", ".venv", "_build"):
        (tmp_path / folder).mkdir()
    course = tmp_path / "course_src"
    for name in (*TERM, *WRITTEN, *BUILT, "release/.built"):
        (course / name).parent.mkdir(parents=True, exist_ok=True)
        (course / name).write_text(name)
    return course


def make(course: Path, *words: str) -> str:
    run = ["make", "-C", str(course.parent), *words]
    return subprocess.run(run, capture_output=True, text=True, check=True).stdout


def files(course: Path) -> set[str]:
    return {str(p.relative_to(course)) for p in course.rglob("*") if p.is_file()}


def test_clean_removes_what_is_made_again_and_nothing_else(course: Path) -> None:
    said = make(course, "clean")
    assert files(course) == {*TERM, *WRITTEN}
    assert not (course / "release").exists()
    assert not (course.parent / ".venv").exists() and not (course.parent / "_build").exists()
    for name in {name.partition("/")[0] for name in TERM} - {"gradebook.db.2026-01-01"}:
        assert name in said
    assert "new-term" in said


def test_clean_of_a_fresh_clone_says_nothing_of_terms(course: Path) -> None:
    for name in {name.partition("/")[0] for name in TERM}:
        path = course / name
        shutil.rmtree(path) if path.is_dir() else path.unlink()
    shutil.rmtree(course / "source")
    shutil.rmtree(course / "release")
    assert "kept" not in make(course, "clean")
    make(course, "clean")


def test_a_new_term_puts_the_last_one_away(course: Path) -> None:
    make(course, "new-term")
    (place,) = (course / "terms").iterdir()
    assert files(place) == set(TERM)
    assert files(course) - {f"terms/{place.name}/{name}" for name in TERM} == {*WRITTEN, *BUILT}
    make(course, "clean")
    assert files(place) == set(TERM)


def test_a_course_elsewhere_is_the_one_that_is_meant(course: Path, tmp_path: Path) -> None:
    outside = Path(shutil.copytree(course, tmp_path.with_name(f"{tmp_path.name} my course")))
    told = f"COURSE={outside}"
    make(course, "new-term", told)
    (place,) = (outside / "terms").iterdir()
    assert files(place) == set(TERM) and not (course / "terms").exists()
    make(course, "clean", told)
    assert files(outside) - {f"terms/{place.name}/{name}" for name in TERM} == {*WRITTEN}
    assert {*TERM, *BUILT} <= files(course)
