"""Tests of the files that bring grades and feedback to each LMS, read as the LMS reads them."""

from __future__ import annotations

import contextlib
import csv
import io
import json
import re
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path

import a_class
import nbformat
import pytest
import small_course
from pseudo import untranslated
from small_course import NAME

from dpteach import cli
from dpteach._language import speaking
from dpteach.grading.classroom import classroom
from dpteach.grading.course.folder import course_api
from dpteach.term.collecting import Facts, Sheet
from dpteach.term.lms import blackboard, canvas, moodle, plain
from dpteach.term.lms.archive import Report
from dpteach.term.lms.system import Grade, Known, System, Upload
from dpteach.term.lms.table import read_table
from dpteach.term.log import Log
from dpteach.term.sending import place_of
from dpteach.term.state import Person

Send = Callable[..., tuple[int, str, bytes]]

PEOPLE = a_class.students(16)
TITLE = "A small assignment"

#: students with ids of Moodle or Blackboard, and one whose name looks like a spreadsheet formula
KNOWN = {
    "M11": Person("M11", "Anna", "Berg", "s000@example.org", keys={"moodle_idnumber": "M11"}),
    "s001": Person("s001", "Zoë", "Müller", keys={"blackboard_username": "s001"}),
    "evil": Person("evil", "=cmd()", "Smith, Jr.", "e@x.org"),
}


@pytest.fixture(scope="module")
def course(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a course with graded submissions from Canvas.

    Only the written answer of the student s000 has no points from a marker yet.
    """
    root = small_course.make_course(tmp_path_factory.mktemp("sending") / "a course")
    answered = small_course.answered(root).encode()
    files, said = a_class.canvas_submissions(PEOPLE, NAME, lambda one: answered)
    gradebook = a_class.canvas_gradebook(PEOPLE, TITLE)
    for name, data in (("gradebook.csv", gradebook), ("submissions.zip", files)):
        (root.parent / name).write_bytes(data)
    term(root, "roster", str(root.parent / "gradebook.csv"))
    term(root, "collect", NAME, str(root.parent / "submissions.zip"))
    settings = classroom.Settings(grade=small_course.fake_grade, unsafe=True)
    with classroom._classroom(course_api(root), NAME, settings, None) as room:
        for student, kind in said.items():
            if kind != "missing":
                with contextlib.suppress(classroom.ClassroomError):
                    room.run_here(student)
    mark(root, {one.login for one in PEOPLE[1:]}, 2.0)
    return root


def mark(course: Path, students: set[str], points: float) -> None:
    """Give students points for the item that is marked by hand, as nbgrader's formgrader does."""
    from nbgrader.api import Gradebook

    with Gradebook(f"sqlite:///{course / 'gradebook.db'}", "dpteach") as book:
        for submission in book.assignment_submissions(NAME):
            for grade in submission.notebooks[0].grades:
                if submission.student.id in students and grade.name == "why":
                    grade.manual_score, grade.needs_manual_grade = points, False
        book.db.commit()


def term(course: Path, *words: str) -> tuple[int, str]:
    """Run a command of ``dpteach term`` in this process; return its exit code and output."""
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        code = cli.main(["term", *words, "--course", str(course)])
    return code, out.getvalue() + err.getvalue()


@pytest.fixture
def send(course: Path, tmp_path: Path) -> Send:
    """Return a function that runs a command which writes a file for an LMS.

    The function returns the exit code, the output, and the bytes of the file (b"" without a file).
    """

    def send(what: str, system: str, *told: str) -> tuple[int, str, bytes]:
        target = tmp_path / "written"
        code, said = term(course, what, *told, "--for", system, "--to", str(target))
        return (
            code,
            said.replace(str(target), "FILE"),
            target.read_bytes() if target.exists() else b"",
        )

    return send


def rows(data: bytes, encoding: str = "utf-8", separator: str = ",") -> list[list[str]]:
    return list(csv.reader(io.StringIO(data.decode(encoding)), delimiter=separator))


#: matches the names of columns that Canvas's importer ignores (gradebook_importer.rb, commit
#: 00b222d7)
LEFT_OUT = re.compile(
    "Current Score|Current Points|Current Grade|Final Score|Final Points|Final Grade|Override Score"
    "|Override Grade|Override Status"
)


def test_canvas_imports_the_grades_by_its_own_ids(
    send: Send,
) -> None:
    code, said, data = send("grades", "canvas", NAME)
    header, *body = rows(data)
    # Canvas's importer requires that the columns for name, ids and section come before the columns
    # of assignments
    assert (
        "Student" in header[0]
        and "ID" in header[1]
        and header[2:5]
        == [
            "SIS User ID",
            "SIS Login ID",
            "Section",
        ]
    )
    assert [name for name in header[5:] if not LEFT_OUT.search(name)] == [f"{TITLE} (900)"]
    assert body[0][0] == "    Points Possible" and body[0][5] == "6"
    grades = {row[1]: row[5:] for row in body[1:]}
    assert grades["12"] == ["5", ""] and "99999" not in grades
    assert grades["13"][0] == "" and grades["13"][1].startswith("refused: `small.ipynb` is empty")
    assert grades["19"][1].endswith("It has only `text.html`.")
    # students without a final grade must have no row, so that the import erases no grade in Canvas
    assert "11" not in grades and "21" not in grades and len(grades) == 14
    assert code == 1 and "not graded to the end, so without a grade: s000" in said
    assert "without a submission, so without a grade: s010" in said
    assert "s002: refused: `small.ipynb` is empty" in said
    assert "FILE: 9 grades in A small assignment (900)" in said


def test_the_column_is_found_by_its_title_or_named(send: Send, course: Path) -> None:
    code, said, data = send("grades", "canvas", NAME, "--column", "nonsense")
    assert code == 2 and data == b""
    assert f"one of: {TITLE} (900), Another one (901)" in said and "Final" not in said
    code, said, data = send("grades", "canvas", NAME, "--column", "901")
    assert code == 2 and "Another one (901) has 10 points, and must have 6" in said and data == b""
    assert "in Canvas, download this table again, and read it by dpteach term roster" in said
    code, said, data = send("grades", "blackboard", NAME)
    assert code == 2 and "read its gradebook first, by dpteach term roster: Blackboard" in said


def test_sent_grades_are_recorded_and_a_dry_run_writes_nothing(send: Send, course: Path) -> None:
    before = len(Log(course).events())
    _, said, data = send("grades", "canvas", NAME, "--dry-run")
    assert data == b"" and f"FILE would have 9 grades in {TITLE} (900)" in said
    _, said, data = send("feedback", "canvas", NAME, "--dry-run")
    assert data == b"" and "FILE would have the feedback of " in said
    assert len(Log(course).events()) == before
    send("grades", "canvas", NAME)
    event = Log(course).events()[-1]
    assert (event.kind, event.data["assignment"], event.data["form"]) == ("sent", NAME, "canvas")
    assert event.data["column"] == f"{TITLE} (900)"


def test_a_student_who_withdrew_is_named_as_left_out(send: Send, course: Path) -> None:
    term(course, "withdraw", "s001")
    try:
        for what in ("grades", "feedback"):
            assert "withdrew, so left out: s001" in send(what, "canvas", NAME, "--dry-run")[1]
    finally:
        term(course, "rejoin", "s001")
    assert "withdrew" not in send("grades", "canvas", NAME, "--dry-run")[1]


def test_a_table_for_people_has_everybody(send: Send) -> None:
    data = send("grades", "plain", NAME)[2]
    header, *body = rows(data, "utf-8-sig")
    assert header == ["student", "first", "last", "email", TITLE, "status", "comment"]
    found = {row[0]: row[4:6] for row in body}
    assert len(found) == 16 and found["s001"] == ["5", "graded"]
    assert [found[who] for who in ("s000", "s002", "s010")] == [
        ["", "to be graded"],
        ["", "refused"],
        ["", "missing"],
    ]
    assert {row[2] for row in body} >= {"Smith, Jr.", "O'Neil", "Müller"}


def test_the_final_grade_goes_out_and_is_empty_where_something_is_refused(
    send: Send,
) -> None:
    code, said, data = send("grades", "plain", "--final")
    found = {row[0]: row[4:] for row in rows(data, "utf-8-sig")}
    assert found["student"][0] == "final grade" and found["s001"] == ["83.33", "graded", ""]
    assert found["s010"] == ["0", "graded", ""]
    assert found["s002"][:2] == ["", "refused"] and "small: refused" in found["s002"][2]
    assert found["s000"][:2] == ["", "to be graded"]
    code, said, data = send("grades", "canvas", "--final")
    assert code == 2 and "name the column by --column" in said
    assert (
        send("grades", "canvas")[:1] == (2,) and send("grades", "canvas", NAME, "--final")[0] == 2
    )


def context_in_canvas(name: str) -> tuple[str, str] | None:
    """Return the ids of user and attachment that Canvas reads from a feedback file's name.

    As in ``infer_comment_context_from_filename`` of ``app/models/assignment.rb``, these are the
    first two numbers among the parts of the name between ``_``; None if there are fewer than two.
    """
    numbers = [part for part in name.split("_") if re.fullmatch(r"\d+", part)]
    return (numbers[0], numbers[1]) if len(numbers) > 1 else None


def test_canvas_takes_the_feedback_back(send: Send, course: Path) -> None:
    code, said, data = send("feedback", "canvas", NAME)
    with zipfile.ZipFile(io.BytesIO(data)) as found:
        pages = {context_in_canvas(name): found.read(name) for name in found.namelist()}
    assert None not in pages and ("12", "70012") in pages and ("13", "70013") in pages
    # the feedback file has the name of a submitted notebook, so it must be a notebook, too
    notebook = nbformat.reads(pages["12", "70012"], as_version=4)
    nbformat.validate(notebook)
    page = (course / "feedback" / "s001" / NAME / f"{NAME}.html").read_text("utf-8")
    assert notebook.cells[1].outputs[0].data["text/html"] == page
    assert code == 1 and "not in the archive (it is not graded to the end): s000" in said
    why = "not in the archive (Canvas shows it under the name of the submitted file"
    assert f"{why}, report.pdf): s004" in said
    assert "of a submitted file, and it has none): s008" in said
    assert send("feedback", "canvas", NAME)[2] == data


def test_feedback_shows_points_that_a_person_gave_since(send: Send, course: Path) -> None:
    def page(data: bytes) -> str:
        with zipfile.ZipFile(io.BytesIO(data)) as found:
            return found.read(f"s006/{NAME}.html").decode()

    before = page(send("feedback", "plain", NAME)[2])
    mark(course, {"s006"}, 3.0)
    assert page(send("feedback", "plain", NAME)[2]) != before
    mark(course, {"s006"}, 2.0)
    assert page(send("feedback", "plain", NAME)[2]) == before


def context_in_moodle(path: str) -> tuple[str, str] | None:
    """Return the participant and the file name that Moodle reads from a feedback file's path.

    As in ``is_valid_filename_for_import`` of ``mod/assign/feedback/file/importziplib.php``, Moodle
    takes the first folder or file name that has at least four parts between ``_``, a number as the
    second part, and *assignsubmission* as the third. The result is None if there is none.
    """
    parts = path.split("/")
    for index, part in enumerate(parts):
        told = part.split("_", 4)
        if len(told) >= 4 and told[1].isdigit() and told[2] == "assignsubmission":
            rest = told[4] if len(told) == 5 else ""
            return told[1], "/".join([rest, *parts[index + 1 :]])
    return None


def test_moodle_takes_the_feedback_back() -> None:
    one = Person("anna", "Anna_Lena", "Berg/Lee")
    of_download = moodle.SYSTEM.submitted("Anna Berg_5011_assignsubmission_file_/part/small.ipynb")
    assert of_download is not None
    for facts in (Facts(place=of_download.place), Facts(participant="5011")):
        path, why = place_of("moodle", NAME, one, facts)
        assert why == "" and context_in_moodle(path) == ("5011", f"/{NAME}.html")
    assert place_of("moodle", NAME, one, Facts())[1].startswith("its number in Moodle is not known")


def test_a_grading_worksheet_comes_back_with_grades_and_nothing_else_changed() -> None:
    people = [PEOPLE[0], PEOPLE[1], a_class.Student(3, "=cmd()", "Smith, Jr.", "evil")]
    before = read_table(a_class.moodle_worksheet(people, {}))
    known = {
        **KNOWN,
        "evil": Person("evil", keys={"moodle_idnumber": "M3"}),
        "s001": Person("s001", email="s001@example.org"),
    }
    grades = {
        "M11": Grade(4.5, "graded"),
        "s001": Grade(None, "refused", "=it is empty"),
        "evil": Grade(None, "missing"),
    }
    data = moodle.SYSTEM.upload(
        Upload(known, grades, table=before, column=before.header.index("Grade"))
    )
    after = read_table(data)
    grade, comments = after.where("grade"), after.where("feedback comments")
    assert after.header == before.header and grade is not None and comments is not None
    assert [row[grade] for row in after.rows] == ["4.5", "", ""]
    assert [row[comments] for row in after.rows] == ["", "refused: =it is empty", ""]
    pairs = zip(before.rows, after.rows, strict=True)
    changed = [{n for n, cell in enumerate(old) if cell != new[n]} for old, new in pairs]
    # the name that looks like a formula gets a quote, so that no spreadsheet runs it; this does no
    # harm, because Moodle reads only the identifier
    assert changed == [{grade}, {comments}, {1}] and after.rows[2][1] == "'=cmd() Smith, Jr."
    sheet = Sheet(Known(known.values()), Report())
    assert sheet.read(data, "sheet.csv")
    assert sheet.participants == {"5011": "M11", "5012": "s001", "5003": "evil"}


def test_the_gradebook_of_moodle_imports_a_table_of_addresses() -> None:
    grades = {"M11": Grade(4.5, "graded"), "evil": Grade(None, "refused", "it is empty")}
    grades["s001"] = Grade(None, "to be graded")
    data = moodle.SYSTEM.upload(Upload(KNOWN, grades, TITLE))
    assert rows(data) == [
        ["First name", "Last name", "ID number", "Email address", TITLE, f"Feedback: {TITLE}"],
        ["Anna", "Berg", "M11", "s000@example.org", "4.5", ""],
        ["'=cmd()", "Smith, Jr.", "", "e@x.org", "", "refused: it is empty"],
    ]


def test_blackboard_reads_its_own_columns_in_utf_16() -> None:
    table = read_table(a_class.blackboard_gradebook(PEOPLE[:3], TITLE))
    people = {
        one.login: Person(one.login, keys={"blackboard_username": one.login}) for one in PEOPLE
    }
    grades = {
        "s000": Grade(None, "missing"),
        "s001": Grade(2.25, "graded"),
        "s002": Grade(None, "refused", "a < b"),
    }
    column = f"{TITLE} [Total Pts: 6 Score] |4711"
    told = Upload(people, grades, table=table, column=table.header.index(column))
    data = blackboard.SYSTEM.upload(told)
    assert data.startswith(b"\xff\xfe")
    header, *body = rows(data, "utf-16", "\t")
    assert header[2:4] == ["Username", "Student ID"]
    assert header[-3:] == [column, "Feedback to Learner", "Feedback Format"]
    assert [[row[2], *row[-3:]] for row in body] == [
        ["s001", "2.25", "", ""],
        ["s002", "", "refused: a &lt; b", "HTML"],
    ]
    assert blackboard.SYSTEM.maximum(table, table.header.index(column)) == "6"
    assert blackboard.SYSTEM.maximum(read_table(b'"a [Total Pts: 1,000] |1",b\n'), 0) == "1000"


@pytest.mark.parametrize("system", [canvas.SYSTEM, moodle.SYSTEM, plain.SYSTEM])
def test_a_name_that_a_spreadsheet_computes_leaves_as_text(system: System) -> None:
    head = "Student,ID,SIS Login ID,Section,Small (9)\n"
    table = read_table(f'{head}"=cmd()",13,evil,A,\n'.encode())
    people = {"evil": Person("evil", "=cmd()", "+x", keys={"canvas_id": "13"})}
    grades = {"evil": Grade(1.0, "graded", "@late")}
    told = Upload(people, grades, "Small")
    if system is canvas.SYSTEM:
        told = told._replace(table=table, column=4)
    cells = [cell for row in rows(system.upload(told), "utf-8-sig") for cell in row]
    assert "'@late" in cells and not [cell for cell in cells if cell.startswith(("=", "+", "@"))]


def test_every_sentence_comes_from_the_catalog(send: Send) -> None:
    with speaking("en-XA"):
        said = send("grades", "canvas", NAME)[1] + send("feedback", "canvas", NAME)[1]
    reasons = [json.loads(line)["told"] for line in _reasons(said)]
    assert untranslated(said, "FILE", TITLE, "Canvas", *reasons) == []


def _reasons(said: str) -> Iterator[str]:
    """Yield, as JSON {"told": reason}, each reason in a command's output for refusing a submission.

    Grading stored the reasons in English, so they are not translated.
    """
    for found in re.finditer(r"(?:`[^`]+` is|The submission has)[^⟦⟧]*", said):
        yield json.dumps({"told": found[0]})
