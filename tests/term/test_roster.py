"""Tests of reading rosters from each LMS, in each encoding, with difficult names, ids and rows."""

from __future__ import annotations

import shutil
import unicodedata
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import a_class
import pytest
import small_course
from pseudo import untranslated

from dpteach import cli
from dpteach._language import speaking
from dpteach.grading.course.folder import SETTINGS
from dpteach.term import project
from dpteach.term.deciding import Term
from dpteach.term.lms.table import TableError, read_table, write_table
from dpteach.term.log import Log
from dpteach.term.roster import system_of
from dpteach.term.state import Person, person_data, read_person

PEOPLE = a_class.students(12)


@pytest.fixture
def course(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a course without assignments; its path contains a space.

    Commands do not update nbgrader's gradebook in these tests, because that would take most of the
    time.
    """
    monkeypatch.setattr(project, "project", lambda *_: [])
    root = tmp_path / "a course"
    root.mkdir()
    (root / SETTINGS).write_text("c = get_config()\nc.CourseDirectory.course_id = 'dp'\n")
    return root


@pytest.fixture
def read(course: Path, tmp_path: Path) -> Callable[..., int]:
    """Return a function that runs ``dpteach term roster`` on bytes and returns its exit code."""

    def read(data: bytes, *told: str, name: str = "roster.csv") -> int:
        file = tmp_path / name
        file.write_bytes(data)
        return cli.main(["term", "roster", str(file), "--course", str(course), *told])

    return read


def people(course: Path) -> dict[str, Person]:
    return Term(course).state.people


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "cp1252"])
@pytest.mark.parametrize("separator", [",", ";", "\t"])
def test_a_table_is_read_in_each_encoding_and_with_each_separator(
    encoding: str, separator: str
) -> None:
    one = a_class.Student(7, "Zoë", "Müller, Jr.", "zoe")
    data = a_class.canvas_gradebook([one], "Small", encoding=encoding, separator=separator)
    table = read_table(data)
    assert system_of(table).name == "canvas"
    assert table.rows[2][0] == "Müller, Jr., Zoë"


def test_latin_1_with_control_characters_is_still_text() -> None:
    table = read_table("id,name\nä\x81,B\n".encode("latin-1"))
    assert (table.encoding, table.rows[0][0]) == ("latin-1", "ä\x81")


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"", "it is empty"),
        (b"\n \n", "it is empty"),
        (b"PK\x03\x04rest", "save it as CSV"),
        (b"a,b\n1,2\n", "the header has the columns a, b, and a roster needs"),
        (b'id,name\n"' + b"x" * 1_100_000 + b'",y\n', "field larger than field limit"),
    ],
)
def test_what_is_no_roster_is_refused_with_the_reason(data: bytes, words: str) -> None:
    with pytest.raises(TableError, match=words):
        system_of(read_table(data))


def test_no_cell_that_is_written_is_computed() -> None:
    rows = [["name", "note"], ["=cmd()", "-"], [" @x", "+1;=2"]]
    assert write_table(rows).decode().splitlines()[1:] == ["'=cmd(),-", "' @x,'+1;'=2"]


def test_canvas_has_rows_that_are_no_students(
    read: Callable[..., int], course: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert read(a_class.canvas_gradebook(PEOPLE, "Small")) == 0
    assert "the roster has 12 students" in capsys.readouterr().out
    found = people(course)
    assert sorted(found) == sorted(one.login for one in PEOPLE)
    jr, zoe = found["s011"], found["s001"]
    assert (jr.first, jr.last) == (unicodedata.normalize("NFC", PEOPLE[11].first), "Smith, Jr.")
    assert zoe.name == "Zoë Müller" and zoe.section == "Section 1"
    assert zoe.keys == {"canvas_id": "12", "sis_user_id": "SIS12", "sis_login_id": "s001"}


def test_a_person_called_test_student_who_has_a_login_stays(
    read: Callable[..., int], course: Path
) -> None:
    real = a_class.Student(5, "Test", "Student", "tstudent")
    assert read(a_class.canvas_gradebook([real], "Small")) == 0
    assert list(people(course)) == ["tstudent"]


def test_canvas_may_export_first_and_last_names_and_groups(course: Path) -> None:
    apart = a_class.table(
        [
            ["LastName", "FirstName", "ID", "SIS Login ID", "Section", "Small (9)"],
            ["Smith, Jr.", "Bob", 12, "bob", "A", ""],
        ]
    )
    groups = a_class.table(
        [
            ["name", "canvas_user_id", "user_id", "login_id", "sections", "group_name"],
            ["Bob Smith", 12, "SIS12", "bob", "A", "Team 1"],
        ]
    )
    for data, last in ((apart, "Smith, Jr."), (groups, "Smith")):
        table = read_table(data)
        system = system_of(table)
        one = system.person(system.fields(table, table.rows[0]))
        assert (system.name, one.id, one.first, one.last) == ("canvas", "bob", "Bob", last)
        assert one.keys["canvas_id"] == "12"


def test_a_formula_that_canvas_quotes_is_a_name_again(
    read: Callable[..., int], course: Path
) -> None:
    evil = a_class.Student(5, "", '="=cmd|calc"', "evil")
    data = a_class.table(
        [["Student", "ID", "SIS Login ID", "Section"], ['="=cmd|calc"', 5, evil.login, "A"]]
    )
    assert read(data) == 0
    assert people(course)["evil"].last == "=cmd|calc"


@pytest.mark.parametrize(
    ("data", "system", "ids"),
    [
        (a_class.moodle_participants(PEOPLE[:2]), "moodle", ["M11", "M12"]),
        (
            a_class.table(
                [
                    ["Vorname", "Nachname", "E-Mail-Adresse", "Gruppen"],
                    ["Jörg", "Weiß", "j@x.de", ""],
                ],
                separator=";",
                encoding="cp1252",
            ),
            "moodle",
            ["j@x.de"],
        ),
        (a_class.blackboard_gradebook(PEOPLE[:2], "Small"), "blackboard", ["s000", "s001"]),
        (b"id,first_name,last_name,email\nanna,Anna,Berg,a@x.org\n", "plain", ["anna"]),
        (b"id,name,section\nanna,Anna Berg,B\n", "plain", ["anna"]),
    ],
)
def test_each_system_is_recognized_by_its_header(
    read: Callable[..., int], course: Path, data: bytes, system: str, ids: list[str]
) -> None:
    assert read(data) == 0
    (event,) = Log(course).events()
    assert event.data["source"] == system
    assert sorted(people(course)) == ids


def test_from_forces_a_system(
    read: Callable[..., int], course: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert read(b"id,first,last\nanna,A,B\n", "--from", "moodle") == 2
    assert "a roster needs Moodle: email address, first name, last name" in capsys.readouterr().err
    assert read(a_class.moodle_participants(PEOPLE[:1]), "--from", "plain") == 0
    assert sorted(people(course)) == [PEOPLE[0].email]


def test_the_same_canvas_id_is_the_same_person(
    read: Callable[..., int], course: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert read(a_class.canvas_gradebook(PEOPLE, "Small")) == 0
    moved = [replace(PEOPLE[0], login="anna.new@x.org", last="Berg-Lee"), *PEOPLE[1:]]
    capsys.readouterr()
    assert read(a_class.canvas_gradebook(moved, "Small")) == 0
    told = capsys.readouterr().out
    assert "s000: last Berg -> Berg-Lee, email - -> anna.new@x.org, sis_login_id s000 ->" in told
    assert len(people(course)) == 12 and people(course)["s000"].last == "Berg-Lee"
    # a new student with a login that another student had before must not get that student's id
    other = replace(PEOPLE[0], number=999, first="New", last="Person")
    assert read(a_class.canvas_gradebook([*moved, other], "Small")) == 0
    assert people(course)["SIS999"].name == "New Person"
    assert people(course)["s000"].last == "Berg-Lee"


def test_reading_a_roster_twice_changes_nothing(
    read: Callable[..., int], course: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    composed = [replace(one, first=unicodedata.normalize("NFC", one.first)) for one in PEOPLE]
    data = a_class.canvas_gradebook(PEOPLE, "Small")
    assert read(data) == 0
    capsys.readouterr()
    assert read(data) == 0
    told = capsys.readouterr().out
    assert "the roster has 12 students" in told and "new" not in told and "->" not in told
    # a file with other bytes must be recorded even if its students are the same, because the
    # command `dpteach term grades` makes its file for the LMS from the latest recorded file
    assert read(a_class.canvas_gradebook(composed, "Small")) == 0
    assert [len(event.data["people"]) for event in Log(course).events()] == [12, 0, 0]


def test_a_changed_address_in_moodle_is_asked_about(
    read: Callable[..., int], course: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    head = ["First name", "Last name", "Email address"]
    old = [head, ["Anna", "Berg", "a@x.org"], ["Ben", "Ng", "b@x.org"]]
    new = [head, ["Anna", "Berg", "anna@y.org"], ["Ben", "Ng", "B@X.org"]]
    assert read(a_class.table(old)) == 0
    capsys.readouterr()
    assert read(a_class.table(new)) == 1
    told = capsys.readouterr().out
    assert "problem: anna@y.org may be a@x.org, who is not in the roster" in told
    assert "columns id and email" in told and len(people(course)) == 3
    assert cli.main(["term", "undo", "2", "--course", str(course)]) == 0
    assert read(b"id,email\na@x.org,anna@y.org\n") == 0
    assert read(a_class.table(new)) == 0
    assert people(course)["a@x.org"].email == "anna@y.org" and len(people(course)) == 2


def test_a_roster_with_fewer_columns_is_of_the_same_people(
    read: Callable[..., int], course: Path
) -> None:
    assert read(a_class.moodle_participants(PEOPLE[:2])) == 0
    head = ["First name", "Last name", "Email address"]
    rows = [[one.first, one.last, one.email] for one in PEOPLE[:2]]
    assert read(a_class.table([head, *rows])) == 0
    assert sorted(people(course)) == ["M11", "M12"]
    assert people(course)["M11"].keys == {"moodle_idnumber": "M11"}


def test_people_of_the_same_name_are_two_and_a_person_in_two_sections_is_one(
    read: Callable[..., int], course: Path
) -> None:
    twin = replace(PEOPLE[0], number=500, login="twin")
    rows = a_class.canvas_gradebook([PEOPLE[0], twin, PEOPLE[0]], "Small").decode()
    first, last = rows.rsplit("Section 1", 2)[0], rows.rsplit("Section 1", 2)[1]
    assert (
        read((first + "Section 2" + last + "Section 1" + rows.rsplit("Section 1", 2)[2]).encode())
        == 0
    )
    assert sorted(people(course)) == ["s000", "twin"]
    assert people(course)["s000"].section == "Section 1 and Section 2"


def test_nobody_is_removed_and_rows_without_an_id_are_named(
    read: Callable[..., int], course: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert read(b"id,name\nanna,Anna\nben,Ben\n") == 0
    capsys.readouterr()
    assert read(b"id,name,email\nanna,Anna,\n,Carl,\n../x,Dora,d@x.org\n") == 1
    told = capsys.readouterr().out
    assert "not in the roster, and still in the term until they withdraw: ben" in told
    assert "problem: row 3: student must have 1 to 250 bytes" in told
    assert sorted(people(course)) == ["anna", "ben", "d@x.org"]


def test_a_dry_run_says_what_would_change_and_changes_nothing(
    read: Callable[..., int], course: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert read(a_class.canvas_gradebook(PEOPLE[:2], "Small"), "--dry-run") == 0
    told = capsys.readouterr().out
    assert "new: s000 (Anna Berg), s001 (Zoë Müller)" in told
    assert not (course / ".term").exists()


def test_a_missing_file_and_a_file_of_rubbish_are_refused(
    read: Callable[..., int], course: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.main(["term", "roster", "nowhere.csv", "--course", str(course)]) == 2
    assert capsys.readouterr().err.startswith("dpteach term roster: nowhere.csv: No such file")
    assert read(bytes(range(256)) * 40) == 2
    assert "and a roster needs Canvas: id, section, student" in capsys.readouterr().err


def test_what_was_read_is_kept_where_git_ignores_it(read: Callable[..., int], course: Path) -> None:
    data = a_class.canvas_gradebook(PEOPLE[:2], "Small")
    assert read(data, name="a grade;book.csv") == 0
    folder = course / ".term" / "downloads"
    (kept,) = folder.glob("*.csv")
    assert kept.read_bytes() == data and kept.name.endswith("-a_grade_book.csv")
    assert (folder / ".gitignore").read_text() == "*\n"
    assert "course_src/.term/" in (small_course.ROOT / ".gitignore").read_text()
    assert (course / ".term").stat().st_mode & 0o077 == 0


def test_a_person_is_read_as_it_was_written() -> None:
    one = Person("anna", "Anna", "Berg", keys={"canvas_id": "7"})
    assert read_person(person_data(one)) == one
    for wrong in ({"id": 7}, {"id": "a", "keys": {"x": 1}}, {"id": "a/b"}, {}):
        with pytest.raises(ValueError, match=r"person|student"):
            read_person(wrong)


def test_every_sentence_comes_from_the_catalog(
    read: Callable[..., int], course: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with speaking("en-XA"):
        assert read(a_class.canvas_gradebook(PEOPLE[:3], "Small")) == 0
        assert read(a_class.canvas_gradebook(PEOPLE[1:2], "Small")) == 0
    out, err = capsys.readouterr()
    names = [
        f"{one.login} ({unicodedata.normalize('NFC', one.first)} {one.last})" for one in PEOPLE
    ]
    assert untranslated(out + err, *names) == []


def test_the_example_class_can_be_written(tmp_path: Path) -> None:
    notebook = tmp_path / "small.ipynb"
    notebook.write_text("{}")
    a_class.main(tmp_path / "files", "small", notebook, 6)
    assert sorted(path.name for path in (tmp_path / "files").iterdir()) == [
        "gradebook.csv",
        "submissions.zip",
    ]
    shutil.rmtree(tmp_path / "files")
