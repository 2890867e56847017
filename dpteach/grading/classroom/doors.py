"""Replacements for the functions by which nbgrader itself collects and opens submitted files.

nbgrader opens and copies submitted files as if they were the instructor's. It follows links, so a
student could submit a link to any file that the instructor can read, and would get this file with
the feedback. The replacements do not copy submitted files to the folders ``autograded`` and
``feedback``, open files without following links, and collect only plain files, up to a limited
number and depth. They also refuse names that cannot be student ids, parse dates, and escape the
values on the formgrader's pages.

In ``nbgrader_config.py``, beside the settings of `dpteach.grading.classroom.plugin`::

    c.Autograde.exporter_class = "dpteach.grading.classroom.doors.UnreadExporter"
    c.ExchangeFactory.collect = "dpteach.grading.classroom.doors.PlainCollect"
    c.ZipCollectApp.collector_plugin = "dpteach.grading.classroom.doors.PlainCollector"
    guard()
"""

from __future__ import annotations

import fnmatch
import os
import re
from collections.abc import Callable, Mapping
from datetime import datetime
from pathlib import Path
from typing import Any, Final

from nbconvert.exporters import NotebookExporter
from nbgrader.converters import Autograde, GenerateFeedback
from nbgrader.exchange.default import ExchangeCollect
from nbgrader.plugins import FileNameCollectorPlugin

from dpteach._language import catalog
from dpteach.grading.classroom._upstream import NAMES, check, places, replace
from dpteach.grading.core.harmless import printable
from dpteach.grading.core.names import gradebook_assignment, student_id
from dpteach.grading.core.opening import open_plain, open_submitted
from dpteach.grading.course.gradebook import home_of, read_timestamp
from dpteach.grading.course.times import read_time
from dpteach.grading.pages.formgrader import escaping

_, _n = catalog("classroom")

_CHUNK = 1 << 20

#: how deeply the folders of a submission may be nested, and how many files and folders it may have
MAX_DEPTH: Final = 10
MAX_NAMES: Final = 10_000

#: up to this number of files that were not collected are listed by name in the log; further files
#: are only counted
_NAMED = 20


class UnreadExporter(NotebookExporter):
    """Exporter for autograding that does not read the submitted file: reading a pipe may not end.

    It returns an empty notebook, which `dpteach.grading.classroom.plugin.GradeSubmission` replaces
    by the graded notebook.
    """

    def from_filename(self, filename: str, resources: Any = None, **kw: Any) -> tuple[Any, Any]:
        """Return an empty notebook for any file."""
        from nbformat.v4 import new_notebook

        exporting: Any = self
        made: tuple[Any, Any] = exporting.from_notebook_node(new_notebook(), resources, **kw)
        return made


class PlainCollect(ExchangeCollect):  # type: ignore[misc]
    """``nbgrader collect`` that follows no links: a student's link could lead to the solution."""

    def init_src(self) -> None:
        """Find the submissions to collect; leave out those whose sender's name is no student id."""
        super().init_src()
        found: list[dict[str, Any]] = vars(self)["src_records"]
        self.src_records = [one for one in found if one["username"]]

    def _path_to_record(self, path: str) -> dict[str, Any]:
        """Return sender and time from a submitted folder's name; a wrong name gives sender ""."""
        folder = Path(path).name
        sender, _plus, rest = folder.rpartition(f"+{self.coursedir.assignment_id}+")
        record = {"username": sender, "filename": folder, "timestamp": datetime.min}
        problem = _wrong(sender) if sender else ""
        # in the rest of the name, a + begins either the offset of a time zone or random
        # characters, so try both
        texts = [rest, rest.rpartition("+")[0]] if "+" in rest else [rest]
        for text in [] if problem else texts:
            try:
                return record | {"timestamp": read_time(text, self.timezone)}
            except ValueError as error:
                problem = str(error)
        self.log.warning(
            _("Not collected: {folder}: {problem}", folder=printable(folder), problem=problem)
        )
        return record | {"username": ""}

    def do_copy(self, src: str, dest: str, log: object = None) -> None:
        """Copy the files of one submission, and log the names of files that are left out."""
        most = 1000 * min(self.coursedir.max_file_size, self.coursedir.max_dir_size)
        try:
            left_out = copy_plain(Path(src), Path(dest), most, self.coursedir.ignore)
        # go on, so that the submissions of other students are still collected
        except OSError as error:
            left_out = [f"{src} ({error.strerror})"]
        for name in left_out[:_NAMED]:
            self.log.warning(
                _(
                    "Not collected, because it is no plain file, too large or nested too deeply: "
                    "{file}",
                    file=printable(name),
                )
            )
        if len(left_out) > _NAMED:
            more = len(left_out) - _NAMED
            self.log.warning(
                _n("Not collected: {count} more file", "Not collected: {count} more files", more)
            )


class PlainCollector(FileNameCollectorPlugin):  # type: ignore[misc]
    """``nbgrader zip_collect`` that collects only plain files, and follows no links."""

    def collect(self, submitted_file: str) -> Any:
        """Return student, time and notebook name from a file's name; None to leave the file out."""
        path, file = Path(submitted_file), printable(submitted_file)
        try:
            os.close(open_submitted(path.parent, path.name))
        except OSError:
            self.log.warning(_("Not collected, because it is no plain file: {file}", file=file))
            return None
        found = super().collect(submitted_file)
        if found is None:
            return None
        if wrong := _wrong(found.get("student_id")):
            self.log.warning(_("Not collected: {folder}: {problem}", folder=file, problem=wrong))
            return None
        try:
            if found.get("timestamp"):
                found["timestamp"] = str(read_time(found["timestamp"]))
        except ValueError as error:
            problem = _("Collected without a time: {file}: {problem}", file=file, problem=error)
            self.log.warning(problem)
            found["timestamp"] = None
        return found


def copy_plain(source: Path, target: Path, most: int, ignore: list[str]) -> list[str]:
    """Copy the plain files of a folder and its subfolders without following links.

    Parameters
    ----------
    source, target
        The folder to copy, and the folder to create.
    most
        The most bytes that all files together may have.
    ignore
        Patterns of the names of files and folders that are left out and not reported.

    Returns
    -------
    list of str
        The paths that were left out: links, files with a second name elsewhere (hard links),
        everything else that is no plain file, and files or folders beyond the limits of size,
        depth and number.
    """
    left_out: list[str] = []
    room = MAX_NAMES
    target.mkdir(parents=True)
    if source.is_symlink():
        return [str(source)]
    for folder, folders, files, handle in os.fwalk(source):
        place = target / Path(folder).relative_to(source)
        # notebooks come first, so that other files cannot use up the allowed number of files
        files = sorted(files, key=lambda name: (not name.endswith(".ipynb"), name))
        files = [name for name in files if not _matches(name, ignore)]
        left_out += [f"{folder}/{name}" for name in files[room:]]
        files = files[:room]
        room -= len(files)
        found = [name for name in sorted(folders) if not _matches(name, ignore)]
        deep = len(place.relative_to(target).parts) >= MAX_DEPTH
        # os.fwalk enters only the folders that stay in this list, so shorten the list in place
        folders[:] = [] if deep else found[:room]
        room -= len(folders)
        left_out += [f"{folder}/{name}" for name in found if name not in set(folders)]
        for name in folders:
            if not (Path(folder) / name).is_symlink():
                (place / name).mkdir()
        left_out += [f"{folder}/{name}" for name in folders if not (place / name).is_dir()]
        for name in files:
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
    """Replace in this process the functions of nbgrader in `_CLOSED`, which no setting can replace.

    Raises
    ------
    dpteach.grading.classroom._upstream.UpstreamError
        If the installed nbgrader differs from the one for which the replacements were written.
    """
    check()
    for name, by in _CLOSED.items():
        replace(name, by)


def _copy_nothing(original: Any, converter: Any, assignment: str, student: str) -> None:
    """Prepare nbgrader's target folder for a submission without copying the student's files.

    The files are not needed there: `dpteach.grading.classroom.plugin` grades the submitted files
    themselves, and a feedback page is a single file. Only for a converter that neither grades nor
    makes feedback, nbgrader's `original` function is called.
    """
    if not isinstance(converter, (Autograde, GenerateFeedback)):
        original(converter, assignment, student)
        return
    student_id(student)
    source, folder = places(converter, assignment, student)
    folder.mkdir(parents=True, exist_ok=True)
    when, wrong = read_timestamp(source, home_of(converter))
    if wrong:
        converter.log.warning("%s: %s", student, wrong)
    if when is not None:
        # nbgrader compares this file with the submission's time to find outdated feedback
        (folder / "timestamp.txt").unlink(missing_ok=True)
        (folder / "timestamp.txt").write_text(f"{when} UTC")


def _existing_timestamp(original: Any, coursedir: Any, folder: str) -> datetime | None:
    """Return the time in a folder's ``timestamp.txt``; log a warning if the file cannot be read."""
    when, wrong = read_timestamp(Path(folder), home_of(coursedir))
    if wrong:
        coursedir.log.warning("%s: %s", printable(folder), wrong)
    return when


def _submitted_timestamp(original: Any, api: Any, assignment: str, student: str) -> datetime | None:
    """Return the time of a submission for the formgrader's lists, or None if it is not known."""
    coursedir = api.coursedir
    place = coursedir.format_path(coursedir.submitted_directory, student, assignment)
    return read_timestamp(Path(place), home_of(api))[0]


def _submitted_students(original: Any, api: Any, assignment: str) -> set[str]:
    found: set[str] = original(api, assignment)
    return {name for name in found if not _wrong(name)}


def _wrong(student: object) -> str:
    """Return why a name cannot be a student's id, or "" if it can."""
    try:
        student_id(student)
    except ValueError as error:
        return str(error)
    return ""


def _add_student(original: Any, gradebook: Any, student: str, **told: Any) -> Any:
    return original(gradebook, student_id(student), **told)


def _add_assignment(original: Any, gradebook: Any, name: str, **told: Any) -> Any:
    return original(gradebook, gradebook_assignment(name), **told)


def _escaping(original: Any, handler: Any, name: str, **told: Any) -> str:
    """Render a page of the formgrader, with all values escaped in HTML and in scripts."""
    escaping(handler.settings["nbgrader_jinja2_env"])
    return str(original(handler, name, **told))


def _parse_utc(original: Any, when: Any) -> Any:
    """Return the time in a text that nbgrader reads, such as a due date.

    A date without a time means the beginning of the day in UTC. If `when` is not a text, nbgrader's
    `original` function converts it.
    """
    if not isinstance(when, str):
        return original(when)
    date_only = re.fullmatch(r"\d{4}-\d\d-\d\d", when.strip(), re.ASCII)
    return read_time(f"{when.strip()} 00:00" if date_only else when)


#: for each function of nbgrader that is replaced, its replacement, which gets the original
#: function as its first argument
_CLOSED: Final[Mapping[str, Callable[..., Any]]] = {
    "converters.base:BaseConverter.init_assignment": _copy_nothing,
    "coursedir:CourseDirectory.get_existing_timestamp": _existing_timestamp,
    "apps.api:NbGraderAPI.get_submitted_timestamp": _submitted_timestamp,
    "apps.api:NbGraderAPI.get_submitted_students": _submitted_students,
    "api:Gradebook.add_student": _add_student,
    "api:Gradebook.add_assignment": _add_assignment,
    "server_extensions.formgrader.base:BaseHandler.render": _escaping,
    # modules that have imported `parse_utc` keep the old function, so replace it in each of them
    **{name: _parse_utc for name in NAMES if name.endswith(":parse_utc")},
}
