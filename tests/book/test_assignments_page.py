"""Tests of the book's page that lists all assignments of a course, including self-written ones."""

from __future__ import annotations

import logging
import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from dpteach.grading.author.new import new_assignment

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "book" / "assignments.md").read_text("utf-8")
CELLS = [
    re.sub(r"\A(?:---.*?---\n|(?::[^\n]*\n)+)", "", cell, flags=re.DOTALL)
    for cell in re.findall(r"```\{code-cell\} ipython3\n(.*?)```", PAGE, re.DOTALL)
]


@pytest.fixture
def page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[dict[str, Any]]:
    """Run the page's first cell for a course with one assignment; return the cell's variables."""
    (tmp_path / "pyproject.toml").touch()
    course = tmp_path / "course_src"
    course.mkdir()
    shutil.copy(ROOT / "course_src" / "nbgrader_config.py", course)
    new_assignment(course, "my_own")
    monkeypatch.chdir(tmp_path)
    names: dict[str, Any] = {}
    exec(CELLS[0], names)
    yield names
    logging.disable(logging.NOTSET)  # turn on log messages, which the page's code has turned off


def test_an_item_without_an_objective_is_listed(page: dict[str, Any]) -> None:
    items = re.findall(r"(?m)^\| \(`(\w+)`\)", page["table"]("my_own", {}).data)
    assert len(items) > 1
    first = items[0]
    text = page["assignment"]("my_own", {first: "what it is for"}).data
    # in an item's row, the title comes before the identifier; the totals come before the table
    assert re.search(rf"\| What it is for \(`{first}`\) \| [\w ]+ \| \d+ \| \d+ \|", text)
    assert re.search(rf"\| \(`{items[1]}`\) \| [\w ]+ \| \d+ \| \d+ \|", text)
    assert text.startswith(f"Core: {len(items)} items, ") and " hours." in text
    assert page["errors"]("my_own").data


def test_every_assignment_of_the_course_is_listed(page: dict[str, Any]) -> None:
    # run the cells that list certain assignments; the last cell lists all other assignments
    for cell in CELLS[1:-1]:
        exec(cell, page)
    *_, last = CELLS
    exec(last.replace("Markdown(", "told = Markdown("), page)
    assert "**my_own**" in page["told"].data and "| Points |" in page["told"].data
