"""Tests of reading an assignment's bank of example answers, given as code or as edits of code."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from small_course import DOUBLE, HALF, HEADER

from dpteach.grading.author.mutants import Mutant, read_bank
from dpteach.grading.author.source import SourceError

#: a cell with a helper function above the item's function
TWICE = '''```{code-cell} ipython3
:kind: solution
:name: twice

import math


def each(x):
    """x, twice."""
    return [x, x]


def twice(x):
    """Twice x, in
    two lines."""
    ### BEGIN SOLUTION
    total = 0
    for y in each(x):
        total += y
    return total
    ### END SOLUTION
```
'''

#: the right solution of the item `twice`; the answers in these tests are edits of it
SOLUTION = """import math


def each(x):
    return [x, x]


def twice(x):
    total = 0
    for y in each(x):
        total += y
    return total"""

LOOSE = """# Answers to `twice`

## loose (twice_values: 0.5, others_2: 0)
One.

Two.
```python
def twice(x):
    return x
```
"""


def bank(folder: Path, text: str, solutions: str = DOUBLE + HALF + TWICE) -> list[Mutant]:
    """Return the answers in a bank of example answers whose only file has the given text."""
    for path, written in (
        ("assignments/topic.md", HEADER + solutions),
        ("mutants/topic/twice.md", text),
    ):
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(written, "utf-8")
    return read_bank(folder / "mutants" / "topic")


def edit(*lines: str, first: str = "diff", name: str = "other") -> str:
    """Return the Markdown text of one answer in a bank, with one block of code or edits."""
    return "\n".join([f"## {name}", "What it is.", f"```{first}", *lines, "```", ""])


def test_an_answer_has_a_name_points_words_and_code(tmp_path: Path) -> None:
    several = (
        edit("x = 1", first="python half")
        + "```diff double\n-    return 2 * x\n+    return x\n```\n"
    )
    first, other = bank(tmp_path, LOOSE + several)
    assert first == Mutant(
        "loose",
        "One.\n\nTwo.",
        {"twice_values": 0.5, "others_2": 0.0},
        {"twice": "def twice(x):\n    return x"},
    )
    assert (other.name, other.points) == ("other", {})
    assert other.cells == {"half": "x = 1", "double": "def double(x):\n    return x"}


def test_edits(tmp_path: Path) -> None:
    def code(*lines: str, first: str = "diff", above: str = "") -> str:
        answers = {one.name: one for one in bank(tmp_path, above + edit(*lines, first=first))}
        return answers["other"].cells["twice"]

    assert code(
        "-    total = 0", "+    total = 1", "@@ each", "-    return [x, x]", "+    return x"
    ) == (SOLUTION.replace("= 0", "= 1").replace("[x, x]", "x"))
    # `@@ each` limits an edit to the function `each` and the lines directly above it; the edit's
    # unchanged lines show where in this range it applies
    added = code("@@ each", "-import math", "+import cmath", "", "", " def each(x):")
    assert added == SOLUTION.replace("math", "cmath")
    of_loose = code("-    return x", "+    return 3", first="diff of loose", above=LOOSE)
    assert of_loose == "def twice(x):\n    return 3"
    own = "```python\ndef twice(x):\n    return x + x\n```\n"
    assert code("-    return x + x", "+    return x", above=own) == "def twice(x):\n    return x"


@pytest.mark.parametrize("text", ['"""Twice x."""', '"""Another.\n\n    total = 0\n    """'])
def test_a_docstring_may_change(tmp_path: Path, text: str) -> None:
    answer = edit("-    total = 0", "+    total = 1")
    before = bank(tmp_path, answer)
    assert bank(tmp_path, answer, re.sub(r'(?s)"""Twice x, in.*?"""', text, TWICE)) == before


TOTAL = "-    total = 0"


@pytest.mark.parametrize(
    ("text", "line", "said"),
    [
        (
            edit("-    total = 2"),
            4,
            "once in 'twice' of the right solution, and they occur 0 times:",
        ),
        (
            edit("@@ each", TOTAL),
            4,
            "in 'each' of the right solution, and they occur 0 times:",
        ),
        (
            edit("@@ each", "", "+x = 1"),
            4,
            "in 'each' of the right solution, and they occur 2 times",
        ),
        (edit("+    x = 0"), 4, "lines of an edit must occur exactly once in 'twice'"),
        (edit(TOTAL, "@@", TOTAL), 5, "lines of an edit must occur exactly once in 'twice'"),
        (edit("@@ thrice", TOTAL), 4, "the right solution has no function 'thrice'"),
        (edit(TOTAL, first="diff four"), 3, "the assignment has no solution cell 'four'"),
        (
            edit(TOTAL, first="diff of none"),
            3,
            "this edits the answer 'none', but no answer",
        ),
        (edit("return"), 4, "a line of an edit must begin with -, + or a blank, got 'return'"),
        (edit(TOTAL, "+ total = 0"), 3, "not Python: unexpected indent"),
        (edit("def (:", first="python"), 3, "not Python"),
        (
            edit(TOTAL, first="patch"),
            3,
            "`diff` or `diff of answer`, got 'patch'",
        ),
        (edit(TOTAL) + "```python\n```\n", 6, "the answer has two blocks for the cell 'twice'"),
        (LOOSE + edit(TOTAL, name="loose"), 13, "the bank has two answers with this name"),
        ("## other (twice)\nWrong.\n", 1, "a heading must be `name` or `name (item: points, ...)`"),
        ("## other\nWrong.\n", 1, "an answer must have a sentence"),
        (edit(TOTAL).replace("What it is.", ""), 1, "an answer must have a sentence"),
        (
            edit(TOTAL).removesuffix("```\n"),
            1,
            "an answer must have a sentence",
        ),
    ],
)
def test_what_is_wrong_is_said(tmp_path: Path, text: str, line: int, said: str) -> None:
    answer = r"( \(answer '(other|loose)'\))?: .*"
    with pytest.raises(SourceError, match=rf"^topic/twice\.md:{line}{answer}{re.escape(said)}"):
        bank(tmp_path, text)


def test_a_bank_is_a_folder(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match="folder must be a folder"):
        read_bank(tmp_path / "none")
