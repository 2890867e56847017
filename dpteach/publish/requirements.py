"""The packages that a student installs: the part of the project's lock that the bundle needs."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable
from pathlib import Path
from typing import Final

from dpteach._language import catalog
from dpteach.publish.problem import PublishError

_, _n = catalog("publish")

#: what students use besides the extra ``student``
_ALSO: Final = ("jupyterlab",)

_NAME: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*")
#: an entry of the lock: lines up to the next one that is not indented
_ENTRY: Final = re.compile(r"^[A-Za-z0-9].*(?:\n[ \t].*)*", re.MULTILINE)


def _names(requirements: Iterable[str]) -> set[str]:
    return {found[0].lower() for line in requirements if (found := _NAME.match(line))}


def _needed_by(entry: str) -> set[str]:
    """Return the packages for which an entry of the lock is there, by the comment of uv."""
    _package, _mark, comment = entry.partition("# via")
    return _names(line.strip(" \t#") for line in comment.splitlines())


def student_requirements(project: Path) -> str:
    """Return the requirements of the extra ``student`` and JupyterLab, with versions and hashes.

    They are those entries of the project's ``requirements.txt`` that the extra needs, directly or
    through others, so that students run what was tested. They hold for all platforms and versions
    of Python, as the lock does.

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
