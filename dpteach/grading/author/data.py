"""The files of data of an assignment: declared in its header, and kept beside its text.

.. code-block:: yaml

   data:
     - data/visits.csv

The file is ``assignments/topic/data/visits.csv``. It is released, and a cell opens
``data/visits.csv``: in the student's notebook, in the sandbox, and while the assignment is built.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from dpteach.grading.core.names import data_path
from dpteach.grading.core.plain import shown
from dpteach.grading.student.runner import SIDECAR

#: bytes of all files of an assignment: they go to each sandbox
MOST_BYTES: Final = 5_000_000


def problems(declared: Any, folder: Path) -> list[str]:
    """What is wrong with the declared files; none if nothing is.

    Parameters
    ----------
    declared
        What the header says under ``data``.
    folder
        Where the files lie.
    """
    if not isinstance(declared, list):
        return [f"data must be a list of paths such as data/visits.csv, got data={shown(declared)}"]
    found = []
    for name in declared:
        try:
            data_path(name)
        except ValueError as error:
            found.append(str(error))
            continue
        if name == SIDECAR or name.endswith(".ipynb"):
            found.append(f"data must not have the name of a file of the assignment, got {name!r}")
        elif declared.count(name) > 1:
            found.append(f"data must name a file once, got {name!r} {declared.count(name)} times")
        elif (folder / name).is_symlink() or not (folder / name).is_file():
            found.append(f"data names {name}, and there is no such file: {folder / name}")
    if not found:
        size = sum((folder / name).stat().st_size for name in declared)
        if size > MOST_BYTES:
            found.append(f"data must have at most {MOST_BYTES:,} bytes in all, got {size:,}")
        for path in present(folder):
            if path not in declared:
                found.append(
                    f"{folder / path} is not declared, so nobody would get it: name it in the "
                    "header, under data:, or take it away"
                )
    return list(dict.fromkeys(found))


def present(folder: Path) -> list[str]:
    """The files in a folder, by their path in it; no hidden ones."""
    found = [path.relative_to(folder) for path in sorted(folder.rglob("*")) if path.is_file()]
    return [
        path.as_posix()
        for path in found
        if not any(part.startswith((".", "__pycache__")) for part in path.parts)
    ]


@contextlib.contextmanager
def beside(folder: Path, names: tuple[str, ...]) -> Iterator[None]:
    """Lets code that is run meanwhile find the files as a student's does."""
    if not names:
        yield
        return
    with contextlib.chdir(folder):
        yield
