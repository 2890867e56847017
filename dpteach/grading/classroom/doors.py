"""nbgrader's own ways into a submission, each of them as careful as ``dpteach grade``.

nbgrader opens and copies what a student handed in as if it were the instructor's: links are
followed, and what they lead to passes through ``autograded`` and ``feedback`` to the student. Here
no file of a submission is passed on, none is opened but by `dpteach.grading.core.opening`, and
what is collected is plain files.

In ``nbgrader_config.py``, beside the settings of `dpteach.grading.classroom.plugin`::

    c.Autograde.exporter_class = "dpteach.grading.classroom.doors.UnreadExporter"
    c.ExchangeFactory.collect = "dpteach.grading.classroom.doors.PlainCollect"
    c.ZipCollectApp.collector_plugin = "dpteach.grading.classroom.doors.PlainCollector"
    guard()
"""

from __future__ import annotations

import fnmatch
import functools
import os
from datetime import datetime
from pathlib import Path
from typing import Any

from nbconvert.exporters import NotebookExporter
from nbgrader.apps import NbGraderAPI
from nbgrader.converters import Autograde, GenerateFeedback
from nbgrader.converters.base import BaseConverter
from nbgrader.coursedir import CourseDirectory
from nbgrader.exchange.default import ExchangeCollect
from nbgrader.plugins import FileNameCollectorPlugin

from dpteach.grading.core.opening import open_plain, open_submitted
from dpteach.grading.course.gradebook import read_timestamp

_CHUNK = 1 << 20


class UnreadExporter(NotebookExporter):
    """Begins with an empty notebook, in place of a file that may be a pipe or have no end.

    `dpteach.grading.classroom.plugin.GradeSubmission` makes the graded one.
    """

    def from_filename(self, filename: str, resources: Any = None, **kw: Any) -> tuple[Any, Any]:
        """An empty notebook, whatever the file."""
        import nbformat.v4

        made: Any = nbformat.v4
        exporting: Any = self
        found: tuple[Any, Any] = exporting.from_notebook_node(made.new_notebook(), resources, **kw)
        return found


class PlainCollect(ExchangeCollect):  # type: ignore[misc]
    """``nbgrader collect``, which copies plain files only: a link could lead to the solution."""

    def do_copy(self, src: str, dest: str, log: object = None) -> None:
        """Copies what was handed in, and names what was left out."""
        most = 1000 * min(self.coursedir.max_file_size, self.coursedir.max_dir_size)
        for name in copy_plain(Path(src), Path(dest), most, self.coursedir.ignore):
            self.log.warning("Not collected, as it is no plain file or too large: %s", name)


class PlainCollector(FileNameCollectorPlugin):  # type: ignore[misc]
    """``nbgrader zip_collect``, which takes plain files only."""

    def collect(self, submitted_file: str) -> Any:
        """What the file's name tells, or None for a file that is left out."""
        path = Path(submitted_file)
        try:
            os.close(open_submitted(path.parent, path.name))
        except OSError:
            self.log.warning("Not collected, as it is no plain file: %s", path)
            return None
        return super().collect(submitted_file)


def copy_plain(source: Path, target: Path, most: int, ignore: list[str]) -> list[str]:
    """Copies the plain files of a folder and of those in it, and follows no link.

    Parameters
    ----------
    source, target
        The folders; the second is made.
    most
        How many bytes all of them may have.
    ignore
        Patterns of names that are left out in silence.

    Returns
    -------
    list of str
        What was left out: links, files with a second name elsewhere, what is no file, what is too
        large.
    """
    left_out = []
    target.mkdir(parents=True)
    if source.is_symlink():
        return [str(source)]
    for folder, folders, files, handle in os.fwalk(source):
        place = target / Path(folder).relative_to(source)
        folders[:] = [name for name in folders if not _matches(name, ignore)]
        for name in folders:
            if not (Path(folder) / name).is_symlink():
                (place / name).mkdir()
        left_out += [f"{folder}/{name}" for name in folders if not (place / name).is_dir()]
        for name in files:
            if _matches(name, ignore):
                continue
            try:
                file = open_plain(name, handle)
            except OSError:
                left_out.append(f"{folder}/{name}")
                continue
            with open(file, "rb") as reading, open(place / name, "xb") as writing:
                while (data := reading.read(_CHUNK)) and len(data) <= most:
                    writing.write(data)
                    most -= len(data)
            if data:
                (place / name).unlink()
                left_out.append(f"{folder}/{name}")
    return left_out


def _matches(name: str, patterns: list[str]) -> bool:
    return any(fnmatch.fnmatch(name, pattern) for pattern in patterns)


def guard() -> None:
    """Closes the ways for which nbgrader has no setting, in this process.

    Raises
    ------
    AttributeError
        If this nbgrader has other ways than those that are closed here.
    """
    _replace(BaseConverter, "init_assignment", _nothing_passed_on)
    _replace(CourseDirectory, "get_existing_timestamp", _existing_timestamp)
    _replace(NbGraderAPI, "get_submitted_timestamp", _submitted_timestamp)


def _replace(owner: type, name: str, by: Any) -> None:
    original = getattr(owner, name)
    if getattr(original, "guarded", False):
        return

    @functools.wraps(original)
    def guarded(self: Any, *told: Any) -> Any:
        return by(original, self, *told)

    guarded.guarded = True  # type: ignore[attr-defined]
    setattr(owner, name, guarded)


def _nothing_passed_on(original: Any, converter: Any, assignment: str, student: str) -> None:
    """A page is one file, and grading makes the notebook: nothing else of a student's is copied."""
    if not isinstance(converter, (Autograde, GenerateFeedback)):
        original(converter, assignment, student)
        return
    folder = Path(converter._format_dest(assignment, student))
    folder.mkdir(parents=True, exist_ok=True)
    when, _ = read_timestamp(Path(converter._format_source(assignment, student)))
    if when is not None:
        # by which nbgrader knows whether a page is older than a submission
        (folder / "timestamp.txt").unlink(missing_ok=True)
        (folder / "timestamp.txt").write_text(f"{when} UTC")


def _existing_timestamp(original: Any, coursedir: Any, folder: str) -> datetime | None:
    return read_timestamp(Path(folder))[0]


def _submitted_timestamp(original: Any, api: Any, assignment: str, student: str) -> datetime | None:
    coursedir = api.coursedir
    place = coursedir.format_path(coursedir.submitted_directory, student, assignment)
    return read_timestamp(Path(place))[0]
