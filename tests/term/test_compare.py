"""Tests of ``dpteach check``: how new assignment texts or a new grader would change grades."""

from __future__ import annotations

import hashlib
from pathlib import Path

import pytest
from small_course import NAME

from dpteach import cli
from dpteach.grading.classroom import classroom
from dpteach.grading.core.command import NOT_DONE
from dpteach.term import compare
from dpteach.term.places import GRADEBOOK

EXTRA = """
```{code-cell} ipython3
:kind: check

Check(
    name="again", points=4, call="half", expected=lambda x: x / 2.0,
    compare=Relative(1e-9), book="renyi_dp#renyi-dp", visible=[Case(7.5), Case(-2.5)],
    hidden=[Case(61.75, words="a large number")],
)
```
"""


def snapshot(root: Path) -> dict[str, str]:
    """Return, by path, a digest and the modification time of each file of a course."""
    return {
        str(path): f"{hashlib.sha256(path.read_bytes()).hexdigest()} {path.stat().st_mtime_ns}"
        for path in root.rglob("*")
        if path.is_file()
    }


def check(root: Path, capsys: pytest.CaptureFixture[str], *names: str) -> tuple[int, list[str]]:
    """Run ``dpteach check``, check that no file changed, and return exit code and output lines."""
    before = snapshot(root)
    code = cli.main(["check", *names, "--course", str(root)])
    assert snapshot(root) == before
    return code, capsys.readouterr().out.splitlines()


def test_nothing_would_change(graded: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert check(graded, capsys) == (0, [f"{NAME}: nothing would change"])


@pytest.mark.parametrize(
    ("old", "new", "lines"),
    [
        (
            "Case(61234.75",
            "Case(61235.75",
            [
                "the hidden cases or the judging of these items have changed: half_values",
                "3 of 3 graded submissions would be judged again by `dpteach grade small "
                "--upgrade`",
            ],
        ),
        (
            "points=2",
            "points=2.5",
            [
                "the item double_values would have 2.5 points instead of 2 points",
                "cells of the notebook: 2 would be new, 2 gone",
                "the hidden cases or the judging of these items have changed: double_values",
                "3 of 3 graded submissions would be judged again by `dpteach grade small "
                "--upgrade`",
            ],
        ),
        (
            "# A small assignment",
            "# A small but different assignment",
            [
                "cells of the notebook: 1 would be new, 1 gone",
                "3 of 3 graded submissions would be judged again by `dpteach grade small "
                "--upgrade`",
            ],
        ),
        ("points=2", "points=-1", ["it could not be built: "]),
    ],
    ids=["hidden", "points", "text", "broken"],
)
def test_what_another_text_would_change(
    old: str, new: str, lines: list[str], term: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = term / "assignments" / f"{NAME}.md"
    assert old in text.read_text("utf-8")
    text.write_text(text.read_text("utf-8").replace(old, new), "utf-8")
    code, said = check(term, capsys)
    assert code == 1 and len(said) >= len(lines)
    for line, wanted in zip(said, lines, strict=False):
        assert line.startswith(f"{NAME}: {wanted}")


def test_items_that_come_and_go(term: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = term / "assignments" / f"{NAME}.md"
    whole = text.read_text("utf-8")
    first, _rest = whole.split('+++ {"kind": "manual"')
    text.write_text(first + EXTRA, "utf-8")
    code, said = check(term, capsys, NAME)
    assert code == 1
    assert said[:2] == [
        f"{NAME}: the item again would have 4 points instead of 0 points",
        f"{NAME}: the item why would be removed",
    ]
    text.unlink()
    code, said = check(term, capsys)
    assert code == 1 and "could not be built: " in said[0] and f"{NAME}.md" in said[0]


def test_a_newer_grader_is_seen_and_only_graded_assignments_are_compared(
    term: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for module in (classroom, compare):
        monkeypatch.setattr(module, "graded_by", lambda: "a newer version")
    (term / "assignments/other.md").write_text("# not built", "utf-8")
    code, said = check(term, capsys)
    assert code == 1
    assert said == [
        f"{NAME}: dpteach judges by other code than before",
        f"{NAME}: 3 of 3 graded submissions would be judged again by `dpteach grade small "
        "--upgrade`",
    ]
    assert check(term, capsys, "other") == (0, ["other: it was not built yet"])
    (term / GRADEBOOK).unlink()
    assert check(term, capsys) == (0, [])
    assert check(term, capsys, "none")[0] == NOT_DONE
