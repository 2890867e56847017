"""The student bundle: one zip file with all that a student needs to work on the assignments.

The zip file contains the released notebooks with their data and visible checks, the wheel of
``dpteach``, the list of the packages that students install, and the script `dpteach.publish.start`,
which installs these packages and opens JupyterLab. Two bundles of an unchanged course have exactly
the same bytes.
"""

from __future__ import annotations

import ast
import json
import re
import sys
import tempfile
import zipfile
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, Final

from dpteach._language import catalog
from dpteach.grading.course.folder import assignment_names
from dpteach.publish import releases
from dpteach.publish.problem import Say, run
from dpteach.publish.requirements import student_requirements
from dpteach.serve import student_extensions

_, _n = catalog("publish")

#: the name of the zip file without its ending, and of the only folder in the zip file
NAME: Final = "dpteach-student"

_START: Final = Path(__file__).with_name("start.py")

#: the same date for all files in the zip file, so that its bytes do not depend on when it is made.
#: It is the earliest date that the format of zip files permits
_TIME: Final = (1980, 1, 1, 0, 0, 0)

#: the date of all files in the wheel, in seconds since 1970, as hatchling sets it by default. It is
#: passed to hatchling, because a variable of the environment might ask for another date
_WHEEL_TIME: Final = "1580601600"


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
        If the wheel cannot be built, or a release has a file that must not be published.
    dpteach.grading.author.build.BuildError, ValueError
        If an assignment cannot be built.
    """
    names = assignment_names(course)
    releases.build(course, names, say)
    say(_("packing the student bundle"))
    files = contents(project, course, names)
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as packed:
        for path in sorted(files):
            entry = zipfile.ZipInfo(f"{NAME}/{path}", _TIME)
            entry.external_attr = 0o100644 << 16
            packed.writestr(entry, files[path], zipfile.ZIP_DEFLATED)
    return target


def contents(project: Path, course: Path, names: Iterable[str]) -> dict[str, bytes]:
    """Return the contents of all files of the student bundle, by their path in the bundle."""
    called, code = wheel(project)
    about = {"wheel": called, "assignments": [*names]}
    files = {
        "README.txt": _readme().encode(),
        "start.py": _start().encode(),
        "course/bundle.json": _json(about),
        "course/requirements.txt": student_requirements(project).encode(),
        f"course/{called}": code,
    }
    for name, data in student_extensions(exchange=False).items():
        files[f"course/jupyter/{name}"] = _json(data)
    for name in about["assignments"]:
        for path, file in releases.released(course, name):
            files[f"course/assignments/{name}/{path}"] = file.read_bytes()
    return files


def _json(data: Mapping[str, Any]) -> bytes:
    return f"{json.dumps(data, indent=1)}\n".encode()


def wheel(project: Path) -> tuple[str, bytes]:
    """Build the wheel of ``dpteach`` from a clone; return its file name and its bytes."""
    with tempfile.TemporaryDirectory() as folder:
        words = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", folder]
        run(_("the wheel cannot be built:"), *words, cwd=project, SOURCE_DATE_EPOCH=_WHEEL_TIME)
        (made,) = Path(folder).glob("*.whl")
        return made.name, made.read_bytes()


def _start() -> str:
    """Return the text of the start script, with its messages in the current language."""
    text = _START.read_text("utf-8")
    words = {told: _(told) for told in _messages(text)}
    words = {told: translated for told, translated in words.items() if told != translated}
    return re.sub(r"^(WORDS: .* = )\{\}$", lambda at: f"{at[1]}{words!r}", text, flags=re.MULTILINE)


def _messages(text: str) -> list[str]:
    """Return the messages in a module's source code: the first argument of each call of `_`."""
    calls = (node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Call))
    named = (call for call in calls if isinstance(call.func, ast.Name) and call.func.id == "_")
    return [str(told.value) for call in named if isinstance(told := call.args[0], ast.Constant)]


def _readme() -> str:
    """Return the text of README.txt: ten lines that tell students how to start the course."""
    return _(
        """The course on your own computer (Windows, macOS 13 or later, Linux; about 500 MB)

1. Install Python 3.11, 3.12, 3.13 or 3.14, 64 bit: https://www.python.org/downloads/
2. Unpack the whole zip file. Open a terminal in the unpacked folder, and run: python start.py
   (on macOS and Linux: python3 start.py). The first start installs packages from the internet.
3. JupyterLab opens in your browser with your assignments. Work there, and save often.
4. Your work lies in the folder "assignments", and what you change there is not overwritten: unpack
   a newer zip file over this folder, run start.py again, and it says which assignment is new.
5. The last section of each notebook says how to hand it in.
Not yet tried on a real Windows or Mac. If something fails, send your instructor what you read.
"""
    )
