"""Tests of which student ids, assignment names, file paths and times are accepted."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from jinja2 import Environment, FileSystemLoader

from dpteach.grading.core.exam import Exam
from dpteach.grading.core.names import (
    assignment_name,
    data_path,
    gradebook_assignment,
    student_id,
)
from dpteach.grading.core.plain import SHOWN_IN_ALL, shown
from dpteach.grading.core.result import ItemResult, Result
from dpteach.grading.course.store import Store
from dpteach.grading.course.times import read_time
from dpteach.grading.pages.formgrader import escaping

GOOD = [
    "O'Neil",
    "Zoë Müller",
    "[abc]",
    "anna b",
    "学生",
    "x.y",
    "-n",
    "100%",
    "=cmd()",
    "a+b",
    "é",
]
BAD = [
    "<img src=x onerror=alert(1)>",
    "a&b",
    'a"b',
    "a/b",
    "a\\b",
    "a\nb",
    "a\x1b[2J",
    "a\x7f",
    "a\u202eb",
    "a\u2028b",
    "a\ud800",
    "",
    ".",
    "..",
    "x" * 251,
    "é" * 126,
]


@pytest.mark.parametrize("name", GOOD)
def test_ids_that_are_valid(name: str) -> None:
    assert student_id(name) == gradebook_assignment(name) == name


@pytest.mark.parametrize("name", [*BAD, None, 7])
def test_ids_that_are_refused(name: Any) -> None:
    with pytest.raises(ValueError, match="student must") as error:
        student_id(name)
    assert str(error.value).isprintable()
    with pytest.raises(ValueError, match="assignment must"):
        gradebook_assignment(name)


@pytest.mark.parametrize("name", ["Pure", "a b", "../a", "1a", "a.md", "", "a\n", "a" * 101, None])
def test_names_of_assignments(name: Any, tmp_path: Path) -> None:
    assert assignment_name("renyi_dp") == "renyi_dp"
    for rule in (assignment_name, lambda name: Store(tmp_path, name)):
        with pytest.raises(ValueError, match="assignment must begin with a letter from a to z"):
            rule(name)


@pytest.mark.parametrize(
    "path", ["/etc/passwd", "../a", "a/../b", ".hidden", "a b", "a\n", "", None]
)
def test_paths_of_data(path: Any) -> None:
    assert data_path("data/visits.csv") == "data/visits.csv"
    with pytest.raises(ValueError, match="data must hold paths"):
        data_path(path)
    if path is not None:
        with pytest.raises(ValueError, match="data must hold paths"):
            Exam("a", 1, "{}", (), {path: ""}).data()


@pytest.mark.parametrize(
    ("text", "utc"),
    [
        ("2026-07-01 20:30:00 CEST", "2026-07-01 18:30:00"),
        ("2026-07-01 20:30:00 PDT", "2026-07-02 03:30:00"),
        ("2026-07-01 20:30:00 EDT", "2026-07-02 00:30:00"),
        ("2026-07-01 20:30:00 BST", "2026-07-01 19:30:00"),
        ("2026-12-05 20:30:00 JST", "2026-12-05 11:30:00"),
        ("2026-12-05 20:30:00 AEST", "2026-12-05 10:30:00"),
        ("2026-12-05 20:30:00 +0900", "2026-12-05 11:30:00"),
        ("2026-12-05 12:00:00 -03", "2026-12-05 15:00:00"),
        ("2026-12-05T12:00:00+05:30", "2026-12-05 06:30:00"),
        ("2026-12-05T12:00Z\n", "2026-12-05 12:00:00"),
        ("2026-12-05 12:00:00", "2026-12-05 12:00:00"),
        ("2015-02-02 14:58:23.948203 America/Los_Angeles", "2015-02-02 22:58:23.948203"),
        ("2026-10-25 02:30:00 CEST", "2026-10-25 00:30:00"),
        ("2026-10-25 02:30:00 CET", "2026-10-25 01:30:00"),
    ],
)
def test_times_are_the_right_instant(text: str, utc: str) -> None:
    assert str(read_time(text)) == utc


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("05.12.2026", "'05.12.2026'"),
        ("05.12.2026 20:30", "'05.12.2026 20:30'"),
        ("12/05/2026 20:30 UTC", "'12/05/2026 20:30 UTC'"),
        ("2026-12-05", "'2026-12-05'"),
        ("2026-02-30 12:00", "'2026-02-30 12:00'"),
        ("2026-12-05 20:30 XYZ", "time zone 'XYZ' is not known"),
        ("2026-12-05 20:30 CST", "time zone 'CST' has several meanings"),
        ("2026-12-05 20:30 IST", "time zone 'IST' has several meanings"),
        ("2026-12-05 20:30 PST", "time zone 'PST' has several meanings"),
        ("2026-12-05 20:30 +99", "'2026-12-05 20:30 \\+99'"),
        ("0001-01-01 00:00 +14:00", "'0001-01-01"),
        ("yesterday", "'yesterday'"),
    ],
)
def test_what_is_not_understood_of_a_time_is_named(text: str, named: str) -> None:
    with pytest.raises(ValueError, match=named):
        read_time(text)


def test_the_zone_of_the_course_decides() -> None:
    assert str(read_time("2026-12-05 20:30 PST", "America/Los_Angeles")) == "2026-12-06 04:30:00"
    assert str(read_time("2026-12-05 20:30 IST", "Asia/Kolkata")) == "2026-12-05 15:00:00"


def test_what_a_message_shows_of_a_value_is_bounded() -> None:
    deep: Any = 0.123456789
    for _ in range(8):
        deep = [deep] * 12
    empty: Any = []
    for _ in range(900):
        empty = (empty, empty)
    for value in (deep, empty, [["x" * 200] * 12] * 12):
        assert len(shown(value)) <= SHOWN_IN_ALL
    table = [[0.5] * 12] * 12
    assert shown(table) == repr(table)


def test_a_result_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    item = ItemResult("a", "check", 2.0, "", "key", 2.0, note="x" * 3000)
    result = Result("a", 1, "files", "notebook", "bubblewrap", "graded", (), (item,), "{}")
    assert result.bounded() is result
    monkeypatch.setattr("dpteach.grading.core.result.MOST_BYTES", 2000)
    refused = result.bounded()
    assert len(refused.to_bytes()) < 2000 and refused.status == "refused"
    assert (refused.items[0].score, refused.notices[0].code) == (0.0, "too_large")


def test_the_templates_of_the_formgrader_escape() -> None:
    from nbgrader.server_extensions.formgrader import handlers

    environment = Environment(loader=FileSystemLoader([handlers.template_path]))
    # load a template before escaping is turned on: the cached copy must be replaced, too
    environment.get_template("manage_submissions.tpl")
    assert escaping(escaping(environment)) is environment
    attack = "</script><img src=x onerror=alert(1)>\"'\\"
    told = {"base_url": "", "student_id": attack, "assignment_id": attack, "notebook_id": attack}
    for name in (
        "manage_students_assignments.tpl",
        "manage_students_notebook_submissions.tpl",
        "manage_submissions.tpl",
        "gradebook_notebooks.tpl",
        "gradebook_notebook_submissions.tpl",
    ):
        page = environment.get_template(name).render(**told)
        assert "<img" not in page and "_id = " in page
        page = environment.get_template(name).render(**told | {"student_id": "O'Neil"})
        assert 'student_id = "O\\u0027Neil"' in page or "var student_id" not in page
