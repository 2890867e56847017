"""Tests that the book covers the items in the list of sources; tests of the list of errata."""

from __future__ import annotations

import importlib
import re
from functools import reduce
from pathlib import Path

ROOT = Path(__file__).parents[2]
SOURCES = (ROOT / "book" / "sources.md").read_text("utf-8")
ERRATA = (ROOT / "book" / "errata.md").read_text("utf-8")

#: how many items book/sources.md lists from each source, such as R1 to R6 from source R
ITEMS = {"R": 6, "N": 7, "V": 7, "M": 13, "A": 18, "B": 6}


#: items that the book does not cover yet, so book/sources.md must mark them as open
OPEN = {"N7"}


def rows() -> dict[str, list[str]]:
    """Map the name of each item in book/sources.md, such as R1, to the cells of its row."""
    found = re.findall(r"^\* - ([A-Z]\d+)\n((?:  - .*\n)+)", SOURCES, re.MULTILINE)
    assert len(found) == len(dict(found))
    return {name: re.findall(r"^  - (.*)$", cells, re.MULTILINE) for name, cells in found}


def has_question(label: str) -> bool:
    """Return whether the section with this label asks the reader a question."""
    for page in (ROOT / "book").glob("*.md"):
        _, found, after = page.read_text("utf-8").partition(f"\n({label})=\n")
        if found:
            return "```{question}" in re.split(r"\n\([a-z0-9-]+\)=\n|\n## Exercises", after)[0]
    return False


def test_every_item_has_its_row() -> None:
    names = [f"{letter}{n}" for letter, last in ITEMS.items() for n in range(1, last + 1)]
    assert list(rows()) == names


def test_every_item_is_in_code_taught_and_asked() -> None:
    for name, (what, code, taught, asked) in rows().items():
        assert what
        if name in OPEN:
            assert code == taught == asked == "*open*"
            continue
        named = re.findall(r"\{py:obj\}`~dpteach\.([\w.]+)`", code)
        assert named, name
        for path in named:
            steps = path.split(".")
            module = importlib.import_module("dpteach")
            if steps[0].islower() and len(steps) > 1:
                module, steps = importlib.import_module(f"dpteach.{steps[0]}"), steps[1:]
            assert reduce(getattr, steps, module), path
        # check only that `taught` refers to some label: the build refuses labels that do not exist
        assert re.search(r"\{(ref|numref|prf:ref)\}`[a-z0-9-]+`", taught), name
        questions = re.findall(r"a question in \{ref\}`([a-z0-9-]+)`", asked)
        assert all(map(has_question, questions)), name
        exercises = re.findall(r"\{ref\}`ex-[a-z0-9-]+`", asked)
        items = re.findall(r"`([a-z_]+)`: ((?:`[a-z_]+`(?:, (?!`[a-z_]+`:))?)+)", asked)
        assert exercises or items or questions, name
        for assignment, names in items:
            text = (ROOT / "course_src/assignments" / f"{assignment}.md").read_text("utf-8")
            for item in re.findall(r"`([a-z_]+)`", names):
                assert re.search(rf'^(    name="{item}",|:name: {item})$', text, re.MULTILINE), item


def test_every_erratum_has_its_test() -> None:
    named = [int(n) for n in re.findall(r"^\(e(\d+)\)=$", ERRATA, re.MULTILINE)]
    assert sorted(named) == list(range(1, len(named) + 1))
    assert [int(n) for n in re.findall(r"^\*\*E(\d+)\*\*, ", ERRATA, re.MULTILINE)] == named
    tests = "".join(
        path.read_text("utf-8") for path in (ROOT / "tests/library").glob("test_errata*.py")
    )
    assert set(named) == {int(n) for n in re.findall(r"^def test_e(\d+)_", tests, re.MULTILINE)}
