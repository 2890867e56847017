"""Tests of final grades: their computation, their table, and ``dpteach term final``."""

from __future__ import annotations

import csv
import io
import itertools
import random
from fractions import Fraction

import pytest
from small_course import NAME, hand_in
from term_course import Class

from dpteach.term import final
from dpteach.term.deciding import Term
from dpteach.term.final import AssignmentGrade, Policy, final_grades, table
from dpteach.term.log import Log


def grade(name: str, points: float, weight: float = 1.0, status: str = "graded") -> AssignmentGrade:
    return AssignmentGrade(name, points, 8.0, status, "", weight)


@pytest.mark.parametrize("seed", range(30))
def test_final_grades_equal_a_recomputation(seed: int) -> None:
    """A final grade is the weighted mean of the best grades; the policy says how many count."""
    rng = random.Random(seed)
    count = rng.randrange(1, 6)
    equal = seed % 2 == 0
    grades = [
        grade(f"a{i}", rng.randrange(9), 1.0 if equal else rng.randrange(1, 5))
        for i in range(count)
    ]
    keep = rng.randrange(1, count + 1)
    policy = Policy(best=keep) if seed % 3 else Policy(lowest=count - keep)
    counted = policy.counted(grades)
    assert len(counted) == keep
    those = [one for one in grades if one.assignment in counted]
    weight = sum(Fraction(one.weight) for one in those)
    mean = sum(Fraction(one.weight) * Fraction(one.points) / 8 * 100 for one in those) / weight
    assert final._mean(those) == pytest.approx(float(mean), abs=1e-9)
    rest = [one.percent for one in grades if one.assignment not in counted]
    assert max(rest, default=0) <= min(one.percent for one in those)
    if equal:
        best = max(sum(one.points for one in some) for some in itertools.combinations(grades, keep))
        assert best == sum(one.points for one in those)


def test_what_is_dropped_among_equal_ones_comes_first() -> None:
    grades = [grade("b", 2), grade("a", 2), grade("c", 1)]
    assert Policy(lowest=2).counted(grades) == {"b"}
    assert Policy(lowest=9).counted(grades) == {"b"}
    assert Policy(best=9).counted(grades) == {"a", "b", "c"}
    assert Policy().counted([]) == set()
    assert final._mean([]) == 0.0


def test_the_table_says_what_does_not_count() -> None:
    grades = {"a": grade("a", 2), "b": grade("b", 0, status="missing")}
    dropped = AssignmentGrade(**vars(grades["b"]) | {"counts": False})
    one = final.FinalGrade("=x", "", 25.0, "complete", "", grades | {"b": dropped})
    rows = [*csv.reader(io.StringIO(table([one])))]
    assert rows == [
        ["student", "name", "percent", "status", "reason", "a", "b"],
        ["'=x", "", "25.00", "complete", "", "25.00", "missing (dropped)"],
    ]


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
@pytest.mark.filterwarnings("ignore::ResourceWarning")
def test_final_grades_of_a_term(room: Class) -> None:
    """Each student's final grade and grade in the assignment have the right status."""
    room.term("override", NAME, "anna", "3", "--why", "x")
    room.term("add", "lea")
    room.term("add", "max")
    room.term("withdraw", "max")
    hand_in(room.course, "lea")
    found = {one.student: one for one in final_grades(room.course)}
    assert {name: one.status for name, one in found.items()} == {
        "anna": "complete",
        "ben": "open",
        "kim": "open",
        "lea": "open",
        "max": "withdrawn",
        "zoe": "complete",
    }
    assert {name: one.grades[NAME].status for name, one in found.items()} == {
        "anna": "graded",
        "ben": "to be graded",
        "kim": "refused",
        "lea": "not graded yet",
        "max": "withdrawn",
        "zoe": "missing",
    }
    assert [found[name].percent for name in ("anna", "zoe", "max")] == [50.0, 0.0, None]
    assert found["zoe"].name == "Zoe O'Hara"
    assert found["kim"].reason.startswith("small: refused `small.ipynb` is not a notebook")
    told = room.run("term", "final").out
    rows = {row["student"]: row for row in csv.DictReader(io.StringIO(told))}
    assert [rows[name][NAME] for name in ("anna", "kim", "zoe")] == ["50.00", "refused", "missing"]
    file = room.course / "final.csv"
    assert room.run("term", "final", "--to", str(file)).out == ""
    assert file.read_bytes().decode() == told.replace("\n", "\r\n").replace("\r\r", "\r")


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
@pytest.mark.filterwarnings("ignore::ResourceWarning")
def test_the_rule_is_recorded_and_undone(room: Class, monkeypatch: pytest.MonkeyPatch) -> None:
    points = {"small": 6.0, "other": 3.0}
    monkeypatch.setattr(final, "check_assignment", lambda *told, **named: None)
    monkeypatch.setattr(final, "assignment_names", lambda *told, **named: [*points])
    monkeypatch.setattr(
        final,
        "_of_assignment",
        lambda term, name, weight: {
            student: grade(name, points[name] * (student == "anna"), weight)
            for student in term.students
        },
    )
    words = ["final", "--weight", "small=1", "--weight", "other=2"]
    before = room.files()
    tried = room.term(*words, "--dry-run").out
    assert "equal weights; all count -> weights: other 2, small 1; all count" in tried
    assert "anna: 56.25 % -> 50.00 %" in tried and "ben" not in tried
    assert room.files() == before
    room.term(*words, "--why", "As announced.")
    assert "the best 1 count" in room.term("final", "--best", "1").out
    assert Policy(**Term(room.course).state.policy) == Policy({"small": 1.0, "other": 2.0}, 1, 0)
    assert [one.percent for one in final_grades(room.course)] == [75.0, 0.0, 0.0, 0.0]
    assert "the lowest 1 dropped" in room.term("final", "--drop-lowest", "1").out
    room.term("undo", "3")
    room.term("undo", "2")
    assert Policy(**Term(room.course).state.policy) == Policy({"small": 1.0, "other": 2.0})
    Log(room.course).add("sent", {"assignment": "final", "form": "x", "file": "x"}, who="x")
    assert "the grades of the course went out after it" in room.run("term", "undo", "1").err
