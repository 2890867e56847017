"""Where results wait between runs: one file a student, written whole or not at all.

``COURSE/.grading/ASSIGNMENT/`` is the grader's own folder, and nobody else's:

- ``run.json``: the seed of the hidden inputs, drawn at the first run and kept;
- ``results/STUDENT.json``: what `dpteach.grading.classroom.session.grade_submission` returned;
- ``recorded/STUDENT.json``: of which result the gradebook and the pages are made;
- ``versions/STUDENT.json``: which personal version each got (`dpteach.grading.course.versions`);
- ``lock``: held by the run that is under way.
"""

from __future__ import annotations

import contextlib
import fcntl
import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote, unquote

from dpteach.grading.core.names import assignment_name
from dpteach.grading.core.result import Result

#: what a file's name may hold in bytes, on the file systems in use
_LONGEST = 255

#: the folder of the grader in a course
FOLDER = ".grading"


class BusyError(RuntimeError):
    """Another process grades the same assignment."""


def write_atomically(path: Path, data: bytes, *, mode: int = 0o600) -> None:
    """Writes a file such that a crash leaves the one before, or this one.

    One process writes into a folder at a time: `Store.lock`.

    Parameters
    ----------
    path
        The file; its folder is made.
    data
        Its content.
    mode
        Its permissions.

    Raises
    ------
    OSError
        If it cannot be written.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    # always the same name: what a crash leaves behind is overwritten by the next run
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


def file_name(student: str) -> str:
    """A student id as the name of a file; `student_of` is its inverse.

    Raises
    ------
    ValueError
        If the name would be longer than file systems allow, or is not Unicode.

    Examples
    --------
    >>> file_name("Zoë 7"), file_name("../x"), file_name("a.b%c")
    ('Zoë 7.json', '%2E.%2Fx.json', 'a.b%25c.json')
    """
    safe = "".join(
        char if char.isprintable() and char not in '%/\\:*?"<>|' else quote(char, safe="")
        for char in student
    )
    if safe.startswith("."):
        safe = "%2E" + safe[1:]
    name = safe + ".json"
    if not student or len(name.encode()) > _LONGEST:
        raise ValueError(f"student must have 1 to {_LONGEST - 5} bytes, got {student[:40]!r}...")
    return name


def student_of(name: str) -> str:
    """The student id that `file_name` made this name of.

    Examples
    --------
    >>> student_of("%2E.%2Fx.json")
    '../x'
    """
    return unquote(name.removesuffix(".json"))


class Store:
    """What is known of the grading of one assignment."""

    def __init__(self, course: str | Path, assignment: str) -> None:
        self.assignment = assignment_name(assignment)
        self.root = Path(course).resolve() / FOLDER
        self.folder = self.root / assignment

    def open(self) -> None:
        """Makes the folders."""
        # hidden inputs follow from the seed, and results hold what students wrote
        self.root.mkdir(mode=0o700, parents=True, exist_ok=True)
        self.folder.mkdir(exist_ok=True)

    @contextlib.contextmanager
    def lock(self) -> Iterator[None]:
        """Keeps other processes out of this assignment; ends with the process, however it ends.

        Raises
        ------
        BusyError
            If another process is in; the text has its number.
        """
        self.open()
        with open(self.folder / "lock", "a+", encoding="utf-8") as file:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError:
                file.seek(0)
                holder = file.read().strip() or "unknown"
                raise BusyError(
                    f"{self.assignment} is being graded already, by process {holder}"
                ) from None
            file.seek(0)
            file.truncate()
            file.write(f"{os.getpid()}\n")
            file.flush()
            yield

    def seed(self) -> int | None:
        """The seed of the hidden inputs, or None before the first run.

        Raises
        ------
        ValueError
            If the record is damaged: another seed would mean other hidden inputs for those who
            are graded later, so a person has to decide.
        """
        path = self.folder / "run.json"
        try:
            seed = json.loads(path.read_bytes())["seed"]
        except FileNotFoundError:
            return None
        except (OSError, ValueError, KeyError, TypeError):
            seed = None
        if type(seed) is not int or seed < 0:
            raise ValueError(f"the seed in {path} cannot be read: name one with --seed")
        return seed

    def write_seed(self, seed: int) -> None:
        """Keeps the seed of the hidden inputs."""
        self.open()
        data = {"assignment": self.assignment, "seed": seed}
        write_atomically(self.folder / "run.json", json.dumps(data, indent=1).encode() + b"\n")

    def file(self, kind: str, student: str) -> Path:
        """Where something of a student lies, such as ``"results"``."""
        return self.folder / kind / file_name(student)

    def students(self, kind: str) -> list[str]:
        """Of whom something lies there, in order."""
        return sorted(student_of(path.name) for path in (self.folder / kind).glob("*.json"))

    def result(self, student: str) -> Result | None:
        """The result of a student, or None if there is none that can be read."""
        try:
            return Result.from_bytes(self.file("results", student).read_bytes())
        except (OSError, ValueError):
            return None

    def write_result(self, student: str, data: bytes) -> None:
        """Keeps what grading gave."""
        write_atomically(self.file("results", student), data)

    def results(self) -> Iterator[tuple[str, Result]]:
        """All results, in the order of the students' ids; those that cannot be read are left out.

        Yields
        ------
        str, Result
        """
        for student in self.students("results"):
            result = self.result(student)
            if result is not None:
                yield student, result

    def recorded(self, student: str) -> dict[str, Any]:
        """What `write_recorded` kept; empty if nothing."""
        try:
            data = json.loads(self.file("recorded", student).read_bytes())
        except (OSError, ValueError):
            return {}
        return data if isinstance(data, dict) else {}

    def write_recorded(self, student: str, data: dict[str, Any]) -> None:
        """Keeps of which result gradebook and pages are made."""
        text = json.dumps(data, sort_keys=True)
        write_atomically(self.file("recorded", student), text.encode())
