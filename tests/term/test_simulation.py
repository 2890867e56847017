"""Tests that all grades of a simulated term are right although commands were killed."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from pathlib import Path

import a_class
import pytest
import simulation


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    logging.disable(logging.ERROR)
    yield simulation.make_course(tmp_path_factory.mktemp("simulated") / "a course")
    logging.disable(logging.NOTSET)


@pytest.mark.slow
def test_every_grade_is_right_although_thirty_steps_were_killed(
    built: Path, tmp_path: Path
) -> None:
    term = simulation.Term(built, a_class.students(16), kills=30, seed=1)
    told: list[str] = []
    term.run(told.append)
    assert sum(line.endswith(": killed") for line in told) >= 15, told
    assert list(simulation.check(term, tmp_path)) == []


def test_a_wrong_grade_is_seen() -> None:
    right = {"anna": ("graded", 6.0, 6.0), "ben": ("refused", 0.0, 6.0)}
    assert simulation.differences(right, dict(right)) == []
    for wrong in (("graded", 5.0, 6.0), ("missing", 6.0, 6.0), ("graded", 6.0, 3.0)):
        assert len(simulation.differences(right, right | {"anna": wrong})) == 1
    assert len(simulation.differences(right, {"anna": right["anna"]})) == 1
