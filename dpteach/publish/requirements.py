"""The packages that a student installs: those entries of requirements.txt that students need.

The lock ``requirements.txt`` lists all packages of the project with versions and hashes. In each
entry, a comment of uv (``# via ...``) names the packages that need the entry.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable
from pathlib import Path
from typing import Final

from dpteach._language import catalog
from dpteach.publish.problem import PublishError

_, _n = catalog("publish")

#: packages that students need, although the extra ``student`` of the project does not name them
_ALSO: Final = ("jupyterlab",)

_NAME: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*")
#: one entry of the lock: a line that begins with a name, and the indented lines after it
_ENTRY: Final = re.compile(r"^[A-Za-z0-9].*(?:\n[ \t].*)*", re.MULTILINE)


def _names(requirements: Iterable[str]) -> set[str]:
    """Return the names of the packages with which lines of requirements begin, in lower case."""
    return {found[0].lower() for line in requirements if (found := _NAME.match(line))}


def _needed_by(entry: str) -> set[str]:
    """Return the packages that need the package of an entry of the lock, by the comment of uv."""
    _package, _mark, comment = entry.partition("# via")
    return _names(line.strip(" \t#") for line in comment.splitlines())


def student_requirements(project: Path) -> str:
    """Return the entries of the lock that the extra ``student`` or JupyterLab needs, as text.

    An entry is needed directly or by another needed package. Students thus install exactly the
    versions that were tested. Like the lock, the text is valid for all platforms and versions of
    Python.

    Raises
    ------
    PublishError
        If the lock has no entry for one of the packages that the extra names.
    """
    told = tomllib.loads((project / "pyproject.toml").read_text("utf-8"))["project"]
    needed = _names([*told["dependencies"], *told["optional-dependencies"]["student"], *_ALSO])
    entries = _ENTRY.findall((project / "requirements.txt").read_text("utf-8"))
    by_name = {name: _needed_by(entry) for entry in entries for name in _names([entry])}
    if missing := sorted(needed - set(by_name)):
        names = ", ".join(missing)
        text = _("requirements.txt has no entry for {names}: run `make lock`", names=names)
        raise PublishError(text)
    while more := {name for name, by in by_name.items() if by & needed} - needed:
        needed |= more
    return "\n".join(entry for entry in entries if _names([entry]) <= needed) + "\n"
