"""Tests that the weekly plans are complete, and mention only existing demos and assignments."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from dpteach import demos

ROOT = Path(__file__).parents[2]
GUIDE = (ROOT / "book" / "instructors.md").read_text("utf-8")
CHAPTERS = re.findall(
    r"^      - file: book/(\w+)$", (ROOT / "_toc.yml").read_text("utf-8"), re.MULTILINE
)
ASSIGNMENTS = {path.stem for path in (ROOT / "course_src" / "assignments").glob("*.md")}


def weeks(plan: int) -> list[list[str]]:
    """Return the table cells of each week in weekly plan number `plan`, counted from 0."""
    section = GUIDE.split("(instructors-plans)=")[1].split("\n(")[0]
    table = re.findall(r"(?:^\|.*\n)+", section, re.MULTILINE)[plan]
    return [
        [cell.strip() for cell in line.strip("|\n").split("|")] for line in table.splitlines()[2:]
    ]


@pytest.mark.parametrize(("plan", "length"), [(0, 12), (1, 4)])
def test_a_plan_names_what_exists(plan: int, length: int) -> None:
    known = {demo.name: demo.topic for demo in demos.demos()}
    found = weeks(plan)
    assert [week[0] for week in found] == [str(n) for n in range(1, length + 1)]
    read: list[str] = []
    for _, chapters, shown, due in found:
        read += re.findall(r"\[\]\((\w+)\.md\)", chapters)
        assert set(re.findall(r"`(\w+)`", shown)) <= set(known)
        for assignment in re.findall(r"`(\w+)`", due):
            assert assignment in ASSIGNMENTS
            # an assignment must be due in the week of its chapter or later
            assert assignment in read, assignment
    # the plan must have the chapters in the order of the book
    assert read == sorted(read, key=CHAPTERS.index)


def test_a_term_has_everything() -> None:
    found = weeks(0)
    names = re.findall(r"\[\]\((\w+)\.md\)", " ".join(week[1] for week in found))
    first, *_, last = names
    assert names == CHAPTERS[CHAPTERS.index(first) : CHAPTERS.index(last) + 1]
    due = re.findall(r"`(\w+)`", " ".join(week[3] for week in found))
    assert sorted(due) == sorted(ASSIGNMENTS)
