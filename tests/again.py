"""A pytest plugin that runs the built notebooks again, and compares new and saved outputs.

``pytest --nbval`` does the same, but starts a new kernel for each notebook, which costs about a
second of processor time for importing numpy and other packages. Here all notebooks run in one
kernel, whose variables are deleted before each notebook.
"""

from __future__ import annotations

import os
import sys
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from dpteach._kernels import private_kernels
from dpteach._readable import FRAMES_VARIABLE

#: the folder in which the build of the book has drawn the explorers' pictures
EXPLORERS = Path(__file__).parents[1] / "_build" / "explorers"


@cache
def kernel(name: str) -> Any:
    from nbval.kernel import RunningKernel

    return RunningKernel(name)


class Emptied:
    """The kernel that all notebooks share; creating an object deletes the kernel's variables."""

    def __init__(self, name: str, cwd: str, **told: object) -> None:
        self.kernel = kernel(name)
        code = f"%reset -f\nimport os\nos.chdir({cwd!r})\ndel os"
        asked = self.kernel.execute_cell_input(code)
        self.kernel.await_reply(asked, timeout=30)
        self.kernel.await_idle(asked, 30)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.kernel, name)

    def stop(self) -> None:
        """Ignore nbval's request to stop the kernel, because the next notebook needs it."""


@pytest.hookimpl(tryfirst=True)
def pytest_sessionfinish() -> None:
    kernel("python3").stop()


def pytest_configure() -> None:
    from nbval import plugin

    # set the variable that the build of the book sets: without it, each figure's output would also
    # contain PNG, and so would differ from the saved output
    os.environ[FRAMES_VARIABLE] = str(EXPLORERS)
    private_kernels()
    plugin.RunningKernel = Emptied


if __name__ == "__main__":
    options = ("-q", "-p", "no:cacheprovider", "--nbval")
    sys.exit(pytest.main([*options, *sys.argv[1:]], plugins=[sys.modules["__main__"]]))
