"""Tests of running the book's notebooks: in parallel, with messages that locate a failed cell."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

EXTENSIONS = Path(__file__).parents[2] / "book" / "_ext"
CONF = """
import sys
sys.path.insert(0, {path!r})
extensions = ["myst_nb", "dpteach_execute"]
root_doc, nb_execution_mode, nb_execution_raise_on_error = "a", "force", True
"""
HEADER = "---\nkernelspec: {name: python3}\nfile_format: mystnb\n---\n"
PAGE = HEADER + "# Page {name}\n\n```{{code-cell}}\n{code}\n```\n"


def build(folder: Path, codes: dict[str, str], **more: str) -> subprocess.CompletedProcess[str]:
    (folder / "conf.py").write_text(CONF.format(path=str(EXTENSIONS)))
    for name, code in codes.items():
        page = PAGE.replace("{name: python3}", "{{name: python3}}").format(name=name, code=code)
        (folder / f"{name}.md").write_text(page)
    return subprocess.run(
        [sys.executable, "-m", "sphinx", "-q", str(folder), str(folder / "out")],
        env={"PATH": "/usr/bin:/bin", "HOME": str(folder), **more},
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.slow
def test_each_page_gets_the_outputs_of_its_own_notebook(tmp_path: Path) -> None:
    # each of the two notebooks waits until the other has started, so they can finish only if they
    # run at the same time
    meet = (
        "import pathlib, time\npathlib.Path('{0}.here').touch()\n"
        "while not pathlib.Path('{1}.here').exists(): time.sleep(.05)\nprint('said by', '{0}')"
    )
    codes = {"a": meet.format("a", "b"), "b": meet.format("b", "a")}
    done = build(tmp_path, codes)
    assert done.returncode == 0, done.stderr
    for name in codes:
        assert f"said by {name}" in (tmp_path / "out" / f"{name}.html").read_text("utf-8")
    assert "progress: 2 of 2 notebooks of the book" in done.stdout


@pytest.mark.slow
def test_a_cell_that_raises_is_named_and_fails_the_build(tmp_path: Path) -> None:
    done = build(tmp_path, {"a": "1", "b": "raise ValueError('no such\\nthing')"})
    assert done.returncode != 0
    assert "error: b, cell 2: ValueError: no such thing\n" in done.stderr


@pytest.mark.slow
def test_a_preview_runs_its_own_pages_only(tmp_path: Path) -> None:
    done = build(tmp_path, {"a": "print(6 * 7)", "b": "raise ValueError"}, DPTEACH_PREVIEW="a")
    assert done.returncode == 0, done.stderr
    assert "42" in (tmp_path / "out" / "a.html").read_text("utf-8")
    page = (tmp_path / "out" / "b.html").read_text("utf-8")
    assert "Page b" in page and "being built" in page and "ValueError" not in page
