"""The error of a course that cannot be published, and a function that runs another program."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable
from pathlib import Path

#: the type of a function that shows one line about the progress
Say = Callable[[str], object]


class PublishError(RuntimeError):
    """The error of a course that cannot be published; its text tells the instructor why."""


def run(failed: str, *words: str | Path, cwd: Path, **environment: str) -> str:
    """Run a program until it ends, and return what it printed.

    Parameters
    ----------
    failed
        A sentence that tells the instructor that the program failed. The error continues with the
        last lines that the program printed.
    words
        The program and its arguments.
    cwd
        The folder in which the program runs.
    environment
        Environment variables to set, besides those of this process.

    Raises
    ------
    PublishError
        If the program cannot be started or fails.
    """
    command, variables = [*map(str, words)], os.environ | environment
    try:
        done = subprocess.run(
            command, cwd=cwd, env=variables, capture_output=True, encoding="utf-8", errors="replace"
        )
    except OSError as error:
        raise PublishError(f"{failed} {command[0]}: {error.strerror}") from None
    if done.returncode:
        last = (done.stdout + done.stderr).strip().splitlines()[-20:]
        raise PublishError("\n".join([failed, *last]))
    return done.stdout.strip()
