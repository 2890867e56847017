"""The data files of an assignment, which are declared in its header and kept beside its text.

.. code-block:: yaml

   data:
     - data/visits.csv

In this example, the file is ``assignments/topic/data/visits.csv``. It is released with the
assignment, and a cell opens it as ``data/visits.csv``: in the student's notebook, in the sandbox,
and while the assignment is built.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import AbstractContextManager, chdir, nullcontext
from pathlib import Path
from typing import Any, Final

from dpteach._language import catalog
from dpteach.grading.core.names import data_path
from dpteach.grading.core.plain import shown
from dpteach.grading.student.files import SIDECAR

_, _n = catalog("author")

#: the largest size of all data files of an assignment in bytes; every sandbox gets a copy of them
MOST_BYTES: Final = 5_000_000


def problems(declared: Any, folder: Path) -> Iterator[str]:
    """Yield a message for each problem with the data files that an assignment's header declares.

    Parameters
    ----------
    declared
        The entry ``data`` of the header.
    folder
        The folder of the assignment's files.
    """
    if not isinstance(declared, list):
        yield _(
            "data must be a list of paths such as data/visits.csv, got data={value}",
            value=shown(declared),
        )
        return
    wrong = [problem for name in declared if (problem := _problem(name, declared, folder))]
    yield from wrong
    if wrong:
        return
    size = sum((folder / name).stat().st_size for name in declared)
    if size > MOST_BYTES:
        yield _(
            "the files of data must have at most {most:,} bytes together, got {size:,}",
            most=MOST_BYTES,
            size=size,
        )
    for name in present(folder):
        if name not in declared:
            yield _(
                "{path} is not declared, so students would not get it. Add it to the header under "
                "data:, or remove it",
                path=folder / name,
            )


def _problem(name: Any, declared: list[Any], folder: Path) -> str:
    """Return a message about the declared file `name`; "" if the file can be used."""
    try:
        data_path(name)
    except ValueError as error:
        return str(error)
    if name == SIDECAR or name.endswith(".ipynb"):
        return _("data must not name a notebook or a file that the build writes, got {x!r}", x=name)
    if declared.count(name) > 1:
        return _("data must name each file only once, got {name!r} twice", name=name)
    if (path := folder / name).is_symlink() or not path.is_file():
        return _("data names {name}, but there is no such file: {path}", name=name, path=path)
    return ""


def present(folder: Path) -> list[str]:
    """Return the relative paths of all files in a folder and its subfolders, except hidden ones."""
    found = [path.relative_to(folder) for path in sorted(folder.rglob("*")) if path.is_file()]
    return [
        path.as_posix()
        for path in found
        if not any(part.startswith((".", "__pycache__")) for part in path.parts)
    ]


def beside(folder: Path, names: tuple[str, ...]) -> AbstractContextManager[None]:
    """Return a context in which code can open the data files `names` of `folder` by these names."""
    return chdir(folder) if names else nullcontext()
