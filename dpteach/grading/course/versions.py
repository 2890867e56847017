"""The seed of a course's personal versions, and the version of each student.

In a personal version, an assignment has parameters and hidden cases of its own for each student.
``c.Versions.personal`` in ``nbgrader_config.py`` is True (personal versions of all assignments) or
a list of assignments; by default there are none. The parameters, the hidden cases and the name of a
version are computed from the student, the assignment and the seed. The student's token, a secret
text, is computed from the student and the seed; a student who fetches a released assignment gets
the version that belongs to their token. The seed is drawn at the first use and kept in
``.grading/versions.seed``. ``.grading/ASSIGNMENT/versions/`` records the version that each student
got.
"""

from __future__ import annotations

import hmac
import json
import secrets
from pathlib import Path
from typing import Any, Final

import numpy as np

from dpteach._language import catalog
from dpteach.grading.core.names import student_id
from dpteach.grading.core.versions import TOKEN, Value, Version
from dpteach.grading.course.folder import CourseError, is_among
from dpteach.grading.course.store import FOLDER, Store, write_atomically

_, _n = catalog("course")

#: the file with the seed of all personal versions, in the grader's own folder
SEED: Final = "versions.seed"

_BYTES = 32


def personal(settings: Any, assignment: str) -> bool:
    """Return whether each student has a personal version of an assignment.

    Parameters
    ----------
    settings
        The course's settings (`dpteach.grading.course.folder.course_settings`).

    Raises
    ------
    CourseError
        If ``c.Versions.personal`` is neither True, False nor a list.
    """
    return is_among(settings, "Versions.personal", assignment)


class Versions:
    """The personal versions of one assignment.

    Parameters
    ----------
    course
        The course's folder.

    Raises
    ------
    CourseError
        If the course's seed of personal versions is damaged, or missing although versions were
        released.
    """

    def __init__(self, course: str | Path, assignment: str) -> None:
        self.assignment = assignment
        self.store = Store(course, assignment)
        self._seed = self._kept()

    def _kept(self) -> bytes:
        file = self.store.root / SEED
        try:
            seed = bytes.fromhex(file.read_text("ascii"))
        except FileNotFoundError:
            released = sorted(path.parent.name for path in self.store.root.glob("*/versions"))
            if released:
                raise CourseError(
                    _(
                        "{file} is missing, and the personal versions of {assignments} follow from "
                        "it: bring it back from a backup. To begin anew with other numbers, put "
                        "away {folder} (make new-term)",
                        file=file,
                        assignments=", ".join(released),
                        folder=FOLDER,
                    )
                ) from None
            seed = secrets.token_bytes(_BYTES)
            self.store.open()
            write_atomically(file, seed.hex().encode() + b"\n")
        except (OSError, ValueError):
            seed = b""
        if len(seed) != _BYTES:
            raise CourseError(
                _(
                    "{file} must hold {count} hexadecimal digits, the seed of the personal "
                    "versions: bring it back from a backup",
                    file=file,
                    count=2 * _BYTES,
                )
            )
        return seed

    def _derived(self, what: str, *told: object) -> bytes:
        text = json.dumps([what, self.assignment, *told])
        return hmac.digest(self._seed, text.encode(), "sha256")

    def generator(self, student: str) -> np.random.Generator:
        """Return the generator from which a student's parameters are drawn."""
        return np.random.default_rng(int.from_bytes(self._derived("parameters", student), "big"))

    def hidden_seed(self, student: str, seed: int, attempt: int = 0) -> int:
        """Return the seed from which a student's hidden cases are drawn.

        Parameters
        ----------
        seed
            The assignment's seed, which is drawn at its first grading (`Store.seed`).
        attempt
            How often hidden cases were drawn for this student and could not be used; another
            number gives another seed.
        """
        return int.from_bytes(self._derived("hidden", student, seed, attempt)[:6], "big")

    def token(self, student: str) -> str:
        """Return a student's token, computed from the seed; it is the same in all assignments."""
        text = json.dumps(["token", student])
        return hmac.digest(self._seed, text.encode(), "sha256").hex()[:32]

    def write_token(self, folder: Path, student: str) -> None:
        """Write a student's token into a file in a folder; only the file's owner can read it."""
        write_atomically(folder / TOKEN, f"{self.token(student)}\n".encode())

    def named(self, student: str, values: dict[str, Value]) -> Version:
        """Return a student's version with the parameters `values`, and with a hash as its name."""
        return Version(self._derived("version", student, values).hex()[:12], values)

    def record(self, student: str, version: Version) -> bool:
        """Record a student's version; return False if it was recorded already, otherwise True.

        Raises
        ------
        CourseError
            If the student got another version before.
        """
        before = recorded(self.store, student)
        if before == version:
            return False
        if before is not None:
            raise CourseError(
                _(
                    "{student} got the version {before} of {assignment} ({parameters_before}), and "
                    "it is now {now} ({parameters_now}), because {seed} or the assignment's "
                    "parameters have changed since. Bring them back, or remove {record} to "
                    "distribute the new version",
                    student=student,
                    before=before.name,
                    assignment=self.assignment,
                    parameters_before=before.text() or _("no parameters"),
                    now=version.name,
                    parameters_now=version.text() or _("no parameters"),
                    seed=self.store.root / SEED,
                    record=_file(self.store, student),
                )
            )
        self.store.open()
        data = {"version": version.name, "parameters": dict(version.values)}
        text = json.dumps(data, indent=1) + "\n"
        write_atomically(_file(self.store, student), text.encode())
        return True


def _file(store: Store, student: str) -> Path:
    return store.file("versions", student_id(student))


def all_recorded(store: Store) -> dict[str, Version]:
    """Return the recorded versions by student id, in the order of the ids.

    Raises
    ------
    CourseError
        If a record is damaged.
    """
    found = {student: recorded(store, student) for student in store.students("versions")}
    return {student: version for student, version in found.items() if version is not None}


def recorded(store: Store, student: str) -> Version | None:
    """Return the version that a student got, or None if no version is recorded.

    Raises
    ------
    CourseError
        If the record is damaged.
    """
    file = _file(store, student)
    try:
        data = json.loads(file.read_bytes())
        return Version(str(data["version"]), dict(data["parameters"]))
    except FileNotFoundError:
        return None
    except (OSError, ValueError, KeyError, TypeError):
        raise CourseError(
            _("{file} cannot be read: bring it back from a backup", file=file)
        ) from None
