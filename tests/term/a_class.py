"""Imitations of files that learning management systems (LMS) export for a difficult class.

Names, columns and layouts follow the systems' own code:

- Canvas (instructure/canvas-lms): ``lib/gradebook_exporter.rb`` (commit 0140a2ef) for the columns
  and the rows *Points Possible* and *Manual Posting*, ``lib/gradebook_importer.rb`` (00b222d7) and
  ``spec/lib/gradebook_importer_spec.rb`` (023d890d) for rows in unusual places, and
  ``lib/content_zipper.rb`` (05e9653c) for the names in the download of submissions;
- Moodle (moodle/moodle): ``user/action_redir.php`` (0919a043) for participants,
  ``grade/import/csv/tests/load_data_test.php`` (0eca060f) for the gradebook,
  ``mod/assign/gradingtable.php`` (003699db) for worksheets, and
  ``mod/assign/classes/downloader.php`` (da545523) for the download of submissions;
- Blackboard: its documentation of *Work Offline With Grade Data* and *Assignment File Download*.

Run as a program, ``a_class.py FOLDER NAME NOTEBOOK POINTS`` writes two files of Canvas for 60
students into FOLDER: ``gradebook.csv`` and ``submissions.zip``. Each student submits NOTEBOOK, a
faulty file or nothing.
"""

from __future__ import annotations

import csv
import io
import re
import sys
import zipfile
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

#: first and last names, some of them difficult: umlauts in two Unicode forms, commas, apostrophes
FIRST = ("Anna", "Zoe\u0308", "Bob", "Mu\u0308ge", "José", "Eve", "Li", "Noor", "Tom", "Ines")
LAST = ("Berg", "Müller", "Smith, Jr.", "O'Neil", "de la Cruz", "Strauß", "Kim", "Abd", "Lee", "Ng")


@dataclass(frozen=True)
class Student:
    """A student with the identifiers that learning management systems use.

    Attributes
    ----------
    number
        The student's id in Canvas, from which the ids in the other systems are derived.
    login
        The login, which becomes the student's id in the course.
    """

    number: int
    first: str
    last: str
    login: str

    @property
    def email(self) -> str:
        """The e-mail address, which is made from the login."""
        return f"{self.login}@example.org"

    @property
    def sortable(self) -> str:
        """The student's name with the last name first, as Canvas writes it."""
        return f"{self.last}, {self.first}"

    @property
    def slug(self) -> str:
        """The name with which Canvas begins a student's file names: ``berganna`` for Anna Berg."""
        return re.sub(r"[^\w]", "", self.sortable.lower())


def students(count: int) -> list[Student]:
    """Return `count` students with different logins; names repeat after 100 students."""
    return [
        Student(11 + n, FIRST[n % 10], LAST[(n // 10 + n) % 10], f"s{n:03d}") for n in range(count)
    ]


def table(rows: Iterable[Sequence[object]], separator: str = ",", encoding: str = "utf-8") -> bytes:
    """Return the bytes of a CSV file with the given rows."""
    text = io.StringIO()
    csv.writer(text, delimiter=separator).writerows(rows)
    return text.getvalue().encode(encoding)


def canvas_gradebook(
    people: Iterable[Student], title: str, points: float = 6, **form: str
) -> bytes:
    """Return Canvas's export of the gradebook, which also has rows that are not about students."""
    about = ["Student", "ID", "SIS User ID", "SIS Login ID", "Section"]
    rows: list[list[object]] = [
        [*about, f"{title} (900)", "Another one (901)", "Current Score", "Final Score"],
        ["", "", "", "", "", "Manual Posting", "", "", ""],
        ["    Points Possible", "", "", "", "", points, 10, "(read only)", "(read only)"],
    ]
    for one in people:
        names = [one.sortable, one.number, f"SIS{one.number}", one.login, "Section 1"]
        rows.append([*names, "", "7.5", "75", "40"])
    rows.append(["Student, Test", 99999, "", "0" * 40, "Section 1", "", "", "", ""])
    return table(rows, **form)


def moodle_participants(people: Iterable[Student], **form: str) -> bytes:
    """Return Moodle's export of the participants of a course."""
    head = ["First name", "Last name", "ID number", "Email address", "Groups"]
    rows = [[one.first, one.last, f"M{one.number}", one.email, "A"] for one in people]
    return table([head, *rows], **form)


def moodle_worksheet(
    people: Iterable[Student], times: Mapping[str, str], points: float = 6, **form: str
) -> bytes:
    """Return Moodle's grading worksheet; `times` gives the times of submission by login."""
    head = ["Identifier", "Full name", "ID number", "Email address", "Status", "Grade"]
    head += ["Maximum Grade", "Grade can be changed", "Last modified (submission)"]
    head += ["Last modified (grade)", "Feedback comments"]
    rows: list[list[object]] = [head]
    for one in people:
        status = "Submitted for grading" if one.login in times else "No submission"
        about = [f"Participant {one.number + 5000}", f"{one.first} {one.last}", f"M{one.number}"]
        when = [f"{points:.2f}", "Yes", times.get(one.login, "-"), "-", ""]
        rows.append([*about, one.email, status, "", *when])
    return table(rows, **form)


def blackboard_gradebook(people: Iterable[Student], title: str, points: float = 6) -> bytes:
    """Return Blackboard's export of the Grade Center, a tab-separated table in UTF-16."""
    head = ["Last Name", "First Name", "Username", "Student ID", "Last Access", "Availability"]
    rows: list[list[object]] = [[*head, f"{title} [Total Pts: {points:g} Score] |4711"]]
    for one in people:
        rows.append([one.last, one.first, one.login, f"B{one.number}", "2026-11-29", "Yes", ""])
    return table(rows, separator="\t", encoding="utf-16")


def archive(files: Mapping[str, bytes], when: tuple[int, ...] = (2026, 12, 6, 9, 0, 0)) -> bytes:
    """Return a zip file with the given files; each is dated `when`, the time of the download."""
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as found:
        for path, data in files.items():
            info = zipfile.ZipInfo(path, when)  # type: ignore[arg-type]
            found.writestr(info, data, zipfile.ZIP_DEFLATED)
    return target.getvalue()


def canvas_name(
    one: Student, name: str, *, late: bool = False, attachment: int | None = None
) -> str:
    """Return the name that Canvas gives a submitted file in its download of submissions."""
    number = 70_000 + one.number if attachment is None else attachment
    mark = "LATE_" if late else ""
    return f"{one.slug}_{mark}{one.number}_{number}_{name}"


def moodle_name(one: Student, name: str, *, ending: str = "") -> str:
    """Return a file's path in Moodle's download; `ending` is ``_`` before Moodle 4.1, else ""."""
    return f"{one.first} {one.last}_{one.number + 5000}_assignsubmission_file{ending}/{name}"


def blackboard_files(
    one: Student, title: str, when: str, name: str, data: bytes
) -> dict[str, bytes]:
    """Return the two files of an attempt in Blackboard's download: the submission and a receipt."""
    head = f"{title}_{one.login}_attempt_{when}"
    told = (
        f"Name: {one.first} {one.last} ({one.login})\nAssignment: {title}\n"
        f"Date Submitted: {when}\nCurrent Grade: Needs Grading\n\nFiles:\n"
        f"\tOriginal filename: {name}\n\tFilename: {head}_{name}\n"
    )
    return {f"{head}_{name}": data, f"{head}.txt": told.encode()}


def canvas_submissions(
    people: Sequence[Student], name: str, answered: Callable[[Student], bytes]
) -> tuple[bytes, dict[str, str]]:
    """Return Canvas's download of submissions, and by login how each student submitted.

    A student's value is "right" or a kind of fault, such as "late" or "missing".

    Parameters
    ----------
    people
        At least 15 students, so that each kind of fault occurs.
    name
        The name of the assignment.
    answered
        A function that returns the notebook of a student.
    """
    files: dict[str, bytes] = {}
    said: dict[str, str] = {}
    for number, one in enumerate(people):
        data, file, late = answered(one), f"{name}.ipynb", False
        kind = said[one.login] = KINDS.get(number, "late" if number % 10 == 9 else "right")
        if kind == "missing":
            continue
        late = kind == "late"
        if kind == "misnamed":
            file = "my homework (1).ipynb"
        elif kind == "again":
            file = f"{name}-2.ipynb"
        elif kind == "zipped":
            file, data = "all.zip", archive({f"folder/{name}.ipynb": data, "__MACOSX/._a": b"x"})
        elif kind == "blank":
            data = b""
        elif kind == "cut":
            data = data[: len(data) // 2]
        elif kind == "wrong":
            file, data = "report.pdf", b"%PDF-1.7 not a notebook"
        elif kind == "bomb":
            file, data = "big.zip", archive({f"{n}.bin": b"" for n in range(1_001)})
        if kind == "text":
            files[f"{one.slug}_{one.number}_text.html"] = b"<p>My answer is 42."
        else:
            files[canvas_name(one, file, late=late)] = data
    stranger = Student(4242, "Nobody", "Known", "nobody")
    files[canvas_name(stranger, f"{name}.ipynb")] = b"{}"
    return archive(files), said


#: the faults of submissions, by the student's place in the class, counted from 0
KINDS = {
    1: "late",
    2: "blank",
    3: "misnamed",
    4: "wrong",
    5: "cut",
    6: "again",
    7: "zipped",
    8: "text",
    10: "missing",
    12: "bomb",
}


def main(folder: Path, name: str, notebook: Path, points: float) -> None:
    """Write Canvas's files for 60 students to a folder, and print each student's kind of fault."""
    people = students(60)
    folder.mkdir(parents=True, exist_ok=True)
    gradebook = canvas_gradebook(people, name.replace("_", " "), points)
    (folder / "gradebook.csv").write_bytes(gradebook)
    data, said = canvas_submissions(people, name, lambda one: notebook.read_bytes())
    (folder / "submissions.zip").write_bytes(data)
    print("\n".join(f"{login}: {kind}" for login, kind in said.items() if kind != "right"))


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2], Path(sys.argv[3]), float(sys.argv[4]))
