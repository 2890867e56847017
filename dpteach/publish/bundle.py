"""The student bundle: one zip file with all that a student needs to work on the assignments.

The zip file contains the released notebooks with their data and visible checks, the wheel of
``dpteach``, the list of the packages that students install, and the script `dpteach.publish.start`,
which installs these packages and opens JupyterLab. Two bundles of an unchanged course have exactly
the same bytes. The students' repository contains the same releases and the same wheel.

The list of packages is an excerpt of the lock ``requirements.txt``, in which uv names after each
package (``# via ...``) the packages that need it.
"""

from __future__ import annotations

import ast
import json
import re
import sys
import tempfile
import tomllib
import zipfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from dpteach._language import catalog
from dpteach.grading.author.build import build_assignments
from dpteach.grading.author.data import present
from dpteach.grading.author.source import read_source
from dpteach.grading.core.versions import VERSIONS
from dpteach.grading.course.folder import SETTINGS, assignment_names
from dpteach.grading.student.files import SIDECAR
from dpteach.publish.problem import PublishError, Say, run
from dpteach.serve import student_extensions

_, _n = catalog("publish")

#: the name of the zip file without its ending, and of the only folder in the zip file
NAME: Final = "dpteach-student"

#: the folder of the package dpteach: if a file in it is newer than the release of an assignment,
#: the release is outdated
_LIBRARY: Final = Path(__file__).parents[1]

_START: Final = Path(__file__).with_name("start.py")
#: the README of the zip file: about ten lines on how students start the course
_README: Final = (Path(__file__).parent / "templates" / "README.txt").read_text("utf-8")

#: the same date for all files in the zip file, so that its bytes do not depend on when it is made.
#: It is the earliest date that the format of zip files permits
_TIME: Final = (1980, 1, 1, 0, 0, 0)

#: the date of all files in the wheel, in seconds since 1970. It is the default of hatchling, which
#: builds the wheel. It is passed explicitly, because an environment variable might set another
#: date
_WHEEL_TIME: Final = "1580601600"

#: packages that students need besides those of the project's extra ``student``
_ALSO: Final = ("jupyterlab",)

_PACKAGE: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*")
#: matches one entry of the lock ``requirements.txt``: a line that begins with a package's name,
#: and the indented lines after it
_ENTRY: Final = re.compile(r"^[A-Za-z0-9].*(?:\n[ \t].*)*", re.MULTILINE)


def write_bundle(project: Path, course: Path, target: Path, *, say: Say) -> Path:
    """Write the student bundle of a course, after building missing or outdated releases.

    Parameters
    ----------
    project
        The clone of this project's repository, from which the wheel is built.
    course
        The folder with ``nbgrader_config.py``.
    target
        The zip file to write; an existing file is replaced.
    say
        A function that shows one line about the progress.

    Returns
    -------
    pathlib.Path
        The path of the zip file, which is `target`.

    Raises
    ------
    PublishError
        If the wheel cannot be built, or a release has a file that the build did not write.
    dpteach.grading.author.build.BuildError, ValueError
        If an assignment cannot be built.
    """
    names = build_releases(course, say)
    say(_("packing the student bundle"))
    files = contents(project, course, names)
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as packed:
        for path in sorted(files):
            entry = zipfile.ZipInfo(f"{NAME}/{path}", _TIME)
            entry.external_attr = 0o100644 << 16
            packed.writestr(entry, files[path], zipfile.ZIP_DEFLATED)
    return target


def contents(project: Path, course: Path, names: list[str]) -> dict[str, bytes]:
    """Return the contents of all files of the student bundle, by their path in the bundle."""
    called, code = wheel(project)
    about = {"wheel": called, "assignments": names}
    files = {
        "README.txt": _(_README).encode(),
        "start.py": _start().encode(),
        "course/bundle.json": _json(about),
        "course/requirements.txt": student_requirements(project).encode(),
        f"course/{called}": code,
    }
    for name, data in student_extensions(exchange=False).items():
        files[f"course/jupyter/{name}"] = _json(data)
    for name in names:
        for path, file in released(course, name):
            files[f"course/assignments/{name}/{path}"] = file.read_bytes()
    return files


def _json(data: Mapping[str, Any]) -> bytes:
    return f"{json.dumps(data, indent=1)}\n".encode()


def stale(course: Path, names: Sequence[str]) -> list[str]:
    """Return the assignments whose release is missing or older than a file it is built from."""
    # include the Markdown files of the library, because their text is copied into releases
    files = (*_LIBRARY.rglob("*.py"), *_LIBRARY.rglob("*.md"))
    library = max(path.stat().st_mtime for path in files)
    common = max(library, (course / SETTINGS).stat().st_mtime)
    return [name for name in names if _built_at(course, name) < max(common, _changed(course, name))]


def _built_at(course: Path, name: str) -> float:
    """Return when the release of an assignment was built; 0 if one of its two files is missing.

    The two files are the notebook and `SIDECAR`, which contains the test cases that students may
    see. The older one counts.
    """
    files = [course / "release" / name / file for file in (f"{name}.ipynb", SIDECAR)]
    return min(file.stat().st_mtime if file.is_file() else 0.0 for file in files)


def _changed(course: Path, name: str) -> float:
    """Return when the text source of an assignment or one of its data files last changed."""
    text = course / "assignments" / f"{name}.md"
    return max(path.stat().st_mtime for path in (text, *text.with_suffix("").rglob("*")))


def build_releases(course: Path, say: Say) -> list[str]:
    """Build the missing and outdated releases of a course; return the names of all assignments."""
    names = assignment_names(course)
    if wanted := stale(course, names):
        listed = ", ".join(wanted)
        say(_("building assignments that are missing or not up to date: {names}", names=listed))
        build_assignments(course, wanted, say=say)
    return names


def released(course: Path, name: str) -> Iterator[tuple[str, Path]]:
    """Yield each file of a release: its path within the assignment's folder, and its full path.

    Raises
    ------
    PublishError
        If the folder of the release has a file that the build did not write there.
    """
    folder = course / "release" / name
    data = read_source(course / "assignments" / f"{name}.md").data
    for path in present(folder):
        if path not in (f"{name}.ipynb", SIDECAR, VERSIONS, *data):
            text = _(
                "{path} is no file of this assignment, so it might hold a solution. Remove it, "
                "or declare it in the header of {name}.md under data:",
                path=folder / path,
                name=name,
            )
            raise PublishError(text)
        yield path, folder / path


def wheel(project: Path) -> tuple[str, bytes]:
    """Build the wheel of ``dpteach`` from a clone; return its file name and its bytes."""
    with tempfile.TemporaryDirectory() as folder:
        words = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", folder]
        run(_("the wheel cannot be built:"), *words, cwd=project, SOURCE_DATE_EPOCH=_WHEEL_TIME)
        (made,) = Path(folder).glob("*.whl")
        return made.name, made.read_bytes()


def _names(requirements: Iterable[str]) -> set[str]:
    """Return, in lower case, the name of the package at the beginning of each requirement."""
    return {found[0].lower() for line in requirements if (found := _PACKAGE.match(line))}


def _needed_by(entry: str) -> set[str]:
    """Return the packages that need the package of a lock entry, according to the comment in it."""
    _package, _mark, comment = entry.partition("# via")
    return _names(line.strip(" \t#") for line in comment.splitlines())


def student_requirements(project: Path) -> str:
    """Return, as text, the lock's entries for the packages that students install.

    These are the dependencies of dpteach and of its extra ``student``, JupyterLab, and all
    packages that they need in turn. Students thus install exactly the versions that were tested.
    Like the lock, the text is valid for all platforms and versions of Python.

    Raises
    ------
    PublishError
        If the lock lacks JupyterLab or a dependency that ``pyproject.toml`` names.
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


def _start() -> str:
    """Return the text of the script `start.py`, with translations into the current language."""
    text = _START.read_text("utf-8")
    words = {told: _(told) for told in _messages(text) if _(told) != told}
    return re.sub(r"^(WORDS: .* = )\{\}$", lambda at: f"{at[1]}{words!r}", text, flags=re.MULTILINE)


def _messages(text: str) -> list[str]:
    """Return the messages in a module's source code: the first argument of each call of `_`."""
    calls = (node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Call))
    named = (call for call in calls if isinstance(call.func, ast.Name) and call.func.id == "_")
    return [str(told.value) for call in named if isinstance(told := call.args[0], ast.Constant)]
