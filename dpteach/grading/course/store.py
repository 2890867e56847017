"""The grader's own records of an assignment: a file per student, written whole or not at all.

``COURSE/.grading/ASSIGNMENT/`` belongs to the grader alone:

- ``run.json``: the seed of the hidden inputs, drawn at the first run and kept;
- ``results/STUDENT.json``: the result of `dpteach.grading.classroom.session.grade_submission`;
- ``recorded/STUDENT.json``: hashes of what the gradebook and the feedback pages show of the
  student, by which a later run notices changes;
- ``versions/STUDENT.json``: the student's personal version (`dpteach.grading.course.versions`);
- ``lock``: a file that is locked while a process grades the assignment.
"""

from __future__ import annotations

import contextlib
import fcntl
import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from dpteach._language import catalog
from dpteach.grading.core.names import assignment_name, student_id
from dpteach.grading.core.result import Result

_, _n = catalog("course")

#: the folder of the grader's own records in a course
FOLDER = ".grading"


class BusyError(RuntimeError):
    """Error for an assignment that cannot be graded now, because another process is grading it."""


def write_atomically(path: Path, data: bytes, *, mode: int = 0o600) -> None:
    """Write a file so that a crash leaves either the whole old file or the whole new file.

    Only one process may write into a folder at a time, because all use the same temporary name.

    Parameters
    ----------
    path
        The path of the file; its folder is created if it is missing.
    data
        The content of the file.
    mode
        The permissions of the file.

    Raises
    ------
    OSError
        If the file cannot be written.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    # write to a file that always has the same name, so that the next run overwrites a file that a
    # crash left behind
    name = path.with_name(".writing")
    handle = os.open(name, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_NOFOLLOW, 0o600)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
            os.fchmod(file.fileno(), mode)
        os.replace(name, path)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(name)
        raise


class Store:
    """The grader's records of one assignment, as files in the course."""

    def __init__(self, course: str | Path, assignment: str) -> None:
        self.assignment = assignment_name(assignment)
        self.root = Path(course).resolve() / FOLDER
        self.folder = self.root / assignment

    def open(self) -> None:
        """Make the folders ``.grading`` and ``.grading/ASSIGNMENT`` in the course."""
        # only the owner may read the folders, because the seed determines hidden inputs, and the
        # results contain answers
        self.root.mkdir(mode=0o700, parents=True, exist_ok=True)
        self.folder.mkdir(exist_ok=True)

    @contextlib.contextmanager
    def lock(self) -> Iterator[None]:
        """Keep other processes from grading this assignment until the ``with`` block ends.

        Raises
        ------
        BusyError
            If another process holds the lock; the message has the number of that process.
        """
        self.open()
        with open(self.folder / "lock", "a+", encoding="utf-8") as file:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError:
                file.seek(0)
                raise BusyError(
                    _(
                        "{assignment} is being graded already, by process {process}",
                        assignment=self.assignment,
                        process=file.read().strip() or _("unknown"),
                    )
                ) from None
            file.seek(0)
            file.truncate()
            file.write(f"{os.getpid()}\n")
            file.flush()
            yield

    def seed(self) -> int | None:
        """Return the seed of the hidden inputs, or None before the first run.

        Raises
        ------
        ValueError
            If the record is damaged. Then a person has to decide what to do, because with another
            seed the remaining students would be graded on other hidden inputs.
        """
        path = self.folder / "run.json"
        try:
            seed = json.loads(path.read_bytes())["seed"]
        except FileNotFoundError:
            return None
        except (OSError, ValueError, KeyError, TypeError):
            seed = None
        if type(seed) is not int or seed < 0:
            raise ValueError(
                _("the seed in {file} cannot be read: name one with --seed", file=path)
            )
        return seed

    def write_seed(self, seed: int) -> None:
        """Write the seed of the hidden inputs into ``run.json``."""
        self.open()
        data = {"assignment": self.assignment, "seed": seed}
        write_atomically(self.folder / "run.json", json.dumps(data, indent=1).encode() + b"\n")

    def file(self, kind: str, student: str) -> Path:
        """Return the path of a student's record.

        Parameters
        ----------
        kind
            The folder of the record, such as ``"results"``.

        Raises
        ------
        ValueError
            If `student` is no student id.
        """
        return self.folder / kind / f"{student_id(student)}.json"

    def students(self, kind: str) -> list[str]:
        """Return the ids of the students who have a record of this kind, in order."""
        return sorted(path.stem for path in (self.folder / kind).glob("*.json"))

    def result(self, student: str) -> Result | None:
        """Return a student's result, or None if it is missing or cannot be read."""
        try:
            return Result.from_bytes(self.file("results", student).read_bytes())
        except (OSError, ValueError):
            return None

    def write_result(self, student: str, data: bytes) -> None:
        """Write a student's result, given as the bytes from `Result.to_bytes`."""
        write_atomically(self.file("results", student), data)

    def results(self) -> Iterator[tuple[str, Result]]:
        """Yield the results that can be read, in the order of the students' ids."""
        for student in self.students("results"):
            result = self.result(student)
            if result is not None:
                yield student, result

    def recorded(self, student: str) -> dict[str, Any]:
        """Return the data that `write_recorded` wrote for a student; {} if there are none."""
        try:
            data = json.loads(self.file("recorded", student).read_bytes())
        except (OSError, ValueError):
            return {}
        return data if isinstance(data, dict) else {}

    def write_recorded(self, student: str, data: dict[str, Any]) -> None:
        """Record what the gradebook and the feedback pages now show of a student's result.

        `data` has hashes, by which a later run notices that the submission, the grades or the data
        for grading a personal version have changed. It also has the reason why the submission was
        refused, or "".
        """
        text = json.dumps(data, sort_keys=True)
        write_atomically(self.file("recorded", student), text.encode())

    def refused(self) -> dict[str, str]:
        """Return the reasons why submissions were refused, by student."""
        found = {}
        for student in self.students("recorded"):
            told = self.recorded(student).get("refused")
            if told is None and (result := self.result(student)):
                # older versions of dpteach recorded no reason
                told = result.refusal
            if told:
                found[student] = str(told)
        return found
