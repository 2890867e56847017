"""The build of the book and the course, run as a test."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from dpteach.grading.author.build import PROOFS
from dpteach.grading.course.store import write_atomically

ROOT = Path(__file__).parents[1]

pytestmark = [pytest.mark.slow, pytest.mark.build]


def run(*command: str, **more: str) -> subprocess.CompletedProcess[str]:
    """Run a command without the environment variables of a make or pytest that runs this test.

    The keywords are further environment variables of the command.
    """
    outer = ("MAKE", "MFLAGS", "PYTEST_")
    return subprocess.run(
        command,
        cwd=ROOT,
        env={k: v for k, v in os.environ.items() if not k.startswith(outer)} | more,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )


def test_the_book_and_the_assignments_are_built(
    request: pytest.FixtureRequest, everything: bool
) -> None:
    """The command ``make built`` succeeds.

    Without the option ``--all`` of pytest, the build tries the checks of each assignment with the
    hidden test cases of only one random seed.
    """
    # find the module by its path, because several folders of tests have a module of the name
    # conftest
    settings = request.config.pluginmanager.get_plugin(str(ROOT / "tests" / "conftest.py"))
    said = "it was ended"
    try:
        done = run("make", "-j", "2", "built", **({} if everything else {PROOFS: "1"}))
        said = done.stdout if done.returncode else ""
    finally:
        write_atomically(settings.OUTCOME, said.encode())
    if said:
        request.session.shouldfail = "the build failed"
        pytest.fail(said, pytrace=False)


def test_the_notebooks_of_the_book_say_the_same_again() -> None:
    """Every cell of a notebook gives the same output again, unless a tag says that it varies."""
    notebooks = sorted(map(str, (ROOT / "_build" / "jupyter_execute").rglob("*.ipynb")))
    assert len(notebooks) > 20
    done = run(sys.executable, "tests/again.py", *notebooks)
    assert done.returncode == 0, done.stdout
