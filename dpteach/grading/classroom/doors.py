"""nbgrader's own ways into a submission, each of them as careful as ``dpteach grade``.

nbgrader opens and copies what a student handed in as if it were the instructor's: links are
followed, and what they lead to passes through ``autograded`` and ``feedback`` to the student. Here
no file of a submission is passed on, none is opened but by `dpteach.grading.core.opening`, and
what is collected is plain files, not too many and not too deep. Names that are no student ids are
refused, times are read by `dpteach.grading.course.gradebook.read_time`, and the formgrader's
templates escape what they are given.

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

from dpteach.grading.classroom._upstream import NAMES, check, places, replace
from dpteach.grading.core.harmless import printable
from dpteach.grading.core.names import gradebook_assignment, student_id
from dpteach.grading.core.opening import open_plain, open_submitted
from dpteach.grading.course.gradebook import home_of, read_timestamp
from dpteach.grading.course.times import read_time
from dpteach.grading.pages.formgrader import escaping

_CHUNK = 1 << 20

#: how deep folders may lie in each other, and how many names a submission may have
MAX_DEPTH: Final = 10
MAX_NAMES: Final = 10_000

#: how many of the things that were left out are named
_NAMED = 20


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

    def init_src(self) -> None:
        """Find the submissions; those of senders who can be no student are left where they are."""
        super().init_src()
        found: list[dict[str, Any]] = vars(self)["src_records"]
        self.src_records = [one for one in found if self._known(one["username"])]

    def _path_to_record(self, path: str) -> dict[str, Any]:
        """Return who sent a folder and when; without a sender, what cannot be read."""
        folder = Path(path).name
        sender, _, rest = folder.rpartition(f"+{self.coursedir.assignment_id}+")
        record = {"username": sender, "filename": folder, "timestamp": datetime.min}
        problem = ""
        # an offset has a sign, and in newer folders some letters follow the time
        for text in (rest, *([rest.rpartition("+")[0]] if "+" in rest else [])):
            try:
                return record | {"timestamp": read_time(text, self.timezone)}
            except ValueError as error:
                problem = str(error)
        self.log.warning("Not collected: %s: %s", printable(folder), problem)
        return record | {"username": ""}

    def _known(self, username: str) -> bool:
        wrong = _wrong(username) if username else ""
        if wrong:
            self.log.warning("Not collected: %s", wrong)
        return bool(username) and not wrong

    def do_copy(self, src: str, dest: str, log: object = None) -> None:
        """Copies what was handed in, and names what was left out."""
        most = 1000 * min(self.coursedir.max_file_size, self.coursedir.max_dir_size)
        try:
            left_out = copy_plain(Path(src), Path(dest), most, self.coursedir.ignore)
        except OSError as error:  # of one student; the others are collected
            left_out = [f"{src} ({error.strerror})"]
        for name in left_out[:_NAMED]:
            self.log.warning(
                "Not collected, as it is no plain file, too large or too deep: %s", printable(name)
            )
        if len(left_out) > _NAMED:
            self.log.warning("Not collected: %d more", len(left_out) - _NAMED)


class PlainCollector(FileNameCollectorPlugin):  # type: ignore[misc]
    """``nbgrader zip_collect``, which takes plain files only."""

    def collect(self, submitted_file: str) -> Any:
        """What the file's name tells, or None for a file that is left out."""
        path = Path(submitted_file)
        try:
            os.close(open_submitted(path.parent, path.name))
        except OSError:
            self.log.warning("Not collected, as it is no plain file: %s", printable(str(path)))
            return None
        found = super().collect(submitted_file)
        if found is None:
            return None
        if wrong := _wrong(found.get("student_id")):
            self.log.warning("Not collected: %s: %s", printable(submitted_file), wrong)
            return None
        try:
            if found.get("timestamp"):
                found["timestamp"] = str(read_time(found["timestamp"]))
        except ValueError as error:
            self.log.warning("Collected without a time: %s: %s", printable(submitted_file), error)
            found["timestamp"] = None
        return found


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
        large, too deep or too much.
    """
    left_out: list[str] = []
    room = MAX_NAMES
    target.mkdir(parents=True)
    if source.is_symlink():
        return [str(source)]
    for folder, folders, files, handle in os.fwalk(source):
        place = target / Path(folder).relative_to(source)
        # notebooks first: other files must not use up what there is room for
        files = sorted(files, key=lambda name: (not name.endswith(".ipynb"), name))
        files = [name for name in files if not _matches(name, ignore)]
        left_out += [f"{folder}/{name}" for name in files[room:]]
        files = files[:room]
        room -= len(files)
        found = [name for name in sorted(folders) if not _matches(name, ignore)]
        deep = len(place.relative_to(target).parts) >= MAX_DEPTH
        # what the walk is not told of here it does not enter
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
    """Closes the ways for which nbgrader has no setting, in this process.

    Raises
    ------
    dpteach.grading.classroom._upstream.UpstreamError
        If this nbgrader has other ways than those that are closed here.
    """
    check()
    for name, by in _CLOSED.items():
        replace(name, by)


def _nothing_passed_on(original: Any, converter: Any, assignment: str, student: str) -> None:
    """A page is one file, and grading makes the notebook: nothing else of a student's is copied."""
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
        # by which nbgrader knows whether a page is older than a submission
        (folder / "timestamp.txt").unlink(missing_ok=True)
        (folder / "timestamp.txt").write_text(f"{when} UTC")


def _existing_timestamp(original: Any, coursedir: Any, folder: str) -> datetime | None:
    when, wrong = read_timestamp(Path(folder), home_of(coursedir))
    if wrong:
        coursedir.log.warning("%s: %s", printable(folder), wrong)
    return when


def _submitted_timestamp(original: Any, api: Any, assignment: str, student: str) -> datetime | None:
    coursedir = api.coursedir
    place = coursedir.format_path(coursedir.submitted_directory, student, assignment)
    return read_timestamp(Path(place), home_of(api))[0]


def _submitted_students(original: Any, api: Any, assignment: str) -> set[str]:
    found: set[str] = original(api, assignment)
    return {name for name in found if not _wrong(name)}


def _wrong(student: object) -> str:
    """Return why a name can be no student's id; "" if it can be one."""
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
    """The formgrader's pages: a name in one of them is text, in HTML and in a script."""
    escaping(handler.settings["nbgrader_jinja2_env"])
    return str(original(handler, name, **told))


def _parse_utc(original: Any, when: Any) -> Any:
    """A time that nbgrader is given: of a due date, in the name of a folder."""
    if not isinstance(when, str):
        return original(when)
    date_only = re.fullmatch(r"\d{4}-\d\d-\d\d", when.strip(), re.ASCII)
    return read_time(f"{when.strip()} 00:00" if date_only else when)


#: what takes the place of nbgrader's own functions
_CLOSED: Final[Mapping[str, Callable[..., Any]]] = {
    "converters.base:BaseConverter.init_assignment": _nothing_passed_on,
    "coursedir:CourseDirectory.get_existing_timestamp": _existing_timestamp,
    "apps.api:NbGraderAPI.get_submitted_timestamp": _submitted_timestamp,
    "apps.api:NbGraderAPI.get_submitted_students": _submitted_students,
    "api:Gradebook.add_student": _add_student,
    "api:Gradebook.add_assignment": _add_assignment,
    "server_extensions.formgrader.base:BaseHandler.render": _escaping,
    # by the modules that have imported it, too
    **{name: _parse_utc for name in NAMES if name.endswith(":parse_utc")},
}
