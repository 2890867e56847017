"""Tests of ``tests/conftest.py``, which orders, samples, groups and times all tests."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[1]

# load the file by its path, because several folders of tests have a module of the name conftest
_FOUND = importlib.util.spec_from_file_location("settings_of_all_tests", ROOT / "tests/conftest.py")
assert _FOUND is not None and _FOUND.loader is not None
conftest: Any = importlib.util.module_from_spec(_FOUND)
_FOUND.loader.exec_module(conftest)


@pytest.mark.parametrize("name", sorted({*conftest.FIRST, *conftest.SPREAD, *conftest.LAST}))
def test_the_files_that_it_names_are_there(name: str) -> None:
    assert (ROOT / name).exists()


def test_what_needs_the_book_comes_after_all_others_and_the_build_before() -> None:
    files = (
        "tests/test_build.py",
        "tests/grading/test_hostile.py",
        "tests/library/test_pld.py",
        "tests/book/test_book.py",
        "tests/book/test_browser.py",
    )
    places = [conftest.place(f"{file}::test_x") for file in files]
    assert places == sorted(set(places))


def test_a_sample_has_the_first_and_the_last(sample: Any, everything: bool) -> None:
    assert sample([], 3) == []
    assert sample([5, 6, 7], 3) == [5, 6, 7]
    assert sample(range(10), 4) == (list(range(10)) if everything else [0, 3, 6, 9])


@pytest.mark.parametrize(
    ("test", "part"),
    [
        ("dpteach/notions/pure.py::dpteach.notions.pure.PureDP", "library"),
        ("tests/test_layers.py::test_x", "library"),
        ("tests/grading/test_intake.py::test_x", "grading"),
        ("dpteach/widgets/_live.py::x", "book and browser"),
        ("tests/test_build.py::test_the_book_and_the_assignments_are_built", "the build"),
        ("tests/test_build.py::test_the_notebooks_of_the_book_say_the_same_again", "notebooks"),
    ],
)
def test_every_test_belongs_to_a_part(test: str, part: str) -> None:
    assert conftest.part_of(test) == part


@pytest.mark.parametrize(
    ("test", "scope"),
    [
        ("tests/library/test_pld.py::test_x[renyi_dp]", "tests/library/test_pld.py"),
        ("tests/grading/test_exam.py::test_x", "tests/grading/test_exam.py"),
        ("tests/grading/test_exam.py::test_x[renyi_dp]", "of renyi_dp"),
        ("tests/grading/test_assignments.py::test_x[wrong-renyi_dp]", "of renyi_dp"),
        ("tests/grading/test_assignments.py::test_x[renyi_dp-a-b]", "of renyi_dp"),
        ("tests/grading/test_exam.py::test_x[renyi_dp#a]", "tests/grading/test_exam.py"),
        ("tests/book/test_browser.py::test_x[a]", "tests/book/test_browser.py::test_x[a]"),
    ],
)
def test_what_stays_together(test: str, scope: str) -> None:
    assert conftest.together(test) == scope


def test_minutes() -> None:
    assert conftest.minutes(0.04) == "0:00.0"
    assert conftest.minutes(59.97) == "1:00.0"
    assert conftest.minutes(754.25) == "12:34.2"
