"""Tests of ``dpteach term collect`` with intact, damaged and hostile archives of each LMS."""

from __future__ import annotations

import io
import stat
import zipfile
from collections.abc import Callable, Iterator
from datetime import datetime
from pathlib import Path

import a_class
import pytest
from pseudo import untranslated
from small_course import NAME, SOURCE

from dpteach import cli
from dpteach._language import speaking
from dpteach.grading.course.folder import SETTINGS
from dpteach.grading.course.gradebook import read_timestamp
from dpteach.grading.course.store import Store
from dpteach.grading.submission.intake import read_submission
from dpteach.term import project
from dpteach.term.collect import recorded
from dpteach.term.lms import archive
from dpteach.term.log import Log
from dpteach.term.sending import place_of
from dpteach.term.state import Person

PEOPLE = a_class.students(16)
ANNA, ZOE, BOB = PEOPLE[:3]
NOTEBOOK = b'{"cells": []}'
FILE = f"{NAME}.ipynb"


@pytest.fixture
def course(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a course with students from a Canvas roster and an assignment that is not built."""
    monkeypatch.setattr(project, "project", lambda *_: [])
    root = tmp_path / "a course"
    (root / "assignments").mkdir(parents=True)
    (root / "assignments" / f"{NAME}.md").write_text(SOURCE, encoding="utf-8")
    (root / SETTINGS).write_text("c = get_config()\nc.CourseDirectory.course_id = 'dp'\n")
    roster(root, a_class.canvas_gradebook(PEOPLE, "A small assignment"))
    return root


def roster(course: Path, data: bytes) -> None:
    file = course.parent / "roster.csv"
    file.write_bytes(data)
    assert cli.main(["term", "roster", str(file), "--course", str(course)]) == 0


@pytest.fixture
def collect(course: Path, capsys: pytest.CaptureFixture[str]) -> Callable[..., tuple[int, str]]:
    """Return a function that collects the given archives and returns the exit code and output."""

    def collect(*files: bytes | Path, told: tuple[str, ...] = ()) -> tuple[int, str]:
        paths = []
        for number, data in enumerate(files):
            path = data if isinstance(data, Path) else course.parent / f"file {number}.zip"
            if isinstance(data, bytes):
                path.write_bytes(data)
            paths.append(str(path))
        capsys.readouterr()
        code = cli.main(["term", "collect", NAME, *paths, "--course", str(course), *told])
        return code, "".join(capsys.readouterr())

    return collect


def submission(course: Path, one: a_class.Student | str) -> dict[str, bytes]:
    """Return the files of a student's submission by name; {} if there is none."""
    student = one if isinstance(one, str) else one.login
    folder = course / "submitted" / student / NAME
    return {path.name: path.read_bytes() for path in folder.glob("*")}


def of_canvas(*people: a_class.Student, data: bytes = NOTEBOOK, name: str = FILE) -> bytes:
    return a_class.archive({a_class.canvas_name(one, name): data for one in people})


def linked(path: str, target: str) -> zipfile.ZipInfo:
    info = zipfile.ZipInfo(path)
    info.create_system, info.external_attr = 3, (stat.S_IFLNK | 0o777) << 16
    return info


def test_a_class_of_canvas_comes_in_with_all_that_goes_wrong(
    course: Path, collect: Callable[..., tuple[int, str]]
) -> None:
    data, said = a_class.canvas_submissions(PEOPLE, NAME, lambda one: NOTEBOOK)
    code, told = collect(data)
    assert code == 1 and "file_0.zip: a download of Canvas" in told
    files = {login: sorted(submission(course, login)) for login in said}
    right = {
        login for login, kind in said.items() if kind in ("right", "late", "cut", "again", "zipped")
    }
    assert {login for login, names in files.items() if names == [FILE]} == right | {"s002"}
    assert files["s003"] == ["my homework (1).ipynb"] and files["s004"] == ["report.pdf"]
    assert files["s008"] == ["text.html"] and files["s012"] == ["big.zip"] and files["s010"] == []
    assert submission(course, "s007")[FILE] == NOTEBOOK and submission(course, "s002")[FILE] == b""
    assert "knownnobody_4242_74242_small.ipynb: no student of the roster is called so" in told
    assert "smithjrbob_13_70013_small.ipynb: is empty" in told
    assert "big.zip: the archive was not opened: it has 1,001 files" in told
    assert "15 new" in told and "nothing was submitted by: s010" in told
    # Canvas says only that a submission is late, not when it came, so no time may be written
    assert "LATE without a time, so in time until a table tells it: s001, s009" in told
    assert not list((course / "submitted").rglob("timestamp.txt"))
    assert recorded(Log(course), NAME)["s001"].late
    assert not (course / "submitted" / ".collecting").exists()
    (kept,) = (course / ".term" / "downloads").glob("*.zip")
    assert kept.read_bytes() == data


def test_collecting_twice_changes_nothing(
    course: Path, collect: Callable[..., tuple[int, str]]
) -> None:
    data = of_canvas(ANNA, ZOE)
    collect(data)
    inode = (course / "submitted" / "s000" / NAME).stat().st_ino
    code, told = collect(data)
    assert code == 0 and "2 unchanged" in told
    assert (course / "submitted" / "s000" / NAME).stat().st_ino == inode
    assert [event.kind for event in Log(course).events()] == ["roster", "collected"]


def test_only_a_later_submission_replaces_another(
    course: Path, collect: Callable[..., tuple[int, str]]
) -> None:
    def attempt(attachment: int, data: bytes) -> bytes:
        return a_class.archive({a_class.canvas_name(ANNA, FILE, attachment=attachment): data})

    collect(attempt(500, b"middle"))
    code, told = collect(attempt(400, b"early"))
    assert code == 1 and "s000: not replaced: it is not later than the one that is there" in told
    assert submission(course, ANNA) == {FILE: b"middle"}
    code, told = collect(attempt(600, b"late"), told=("--dry-run",))
    assert code == 0 and "replaced: s000" in told
    assert submission(course, ANNA) == {FILE: b"middle"}
    code, told = collect(attempt(600, b"late"))
    assert code == 0 and "replaced: s000" in told and submission(course, ANNA) == {FILE: b"late"}
    (old,) = (course / ".term" / "replaced" / NAME / "s000").iterdir()
    assert (old / FILE).read_bytes() == b"middle"


def test_what_is_graded_is_replaced_with_yes_only(
    course: Path, collect: Callable[..., tuple[int, str]]
) -> None:
    collect(of_canvas(ANNA, ZOE))
    Store(course, NAME).write_result("s000", b"{}")
    later = a_class.archive(
        {a_class.canvas_name(one, FILE, attachment=99_000): b"later" for one in (ANNA, ZOE)}
    )
    code, told = collect(later)
    assert code == 1 and "s000: not replaced: it is graded already: add --yes" in told
    assert submission(course, ANNA) == {FILE: NOTEBOOK}
    assert submission(course, ZOE) == {FILE: b"later"}
    code, _told = collect(later, told=("--yes",))
    assert code == 0 and submission(course, ANNA) == {FILE: b"later"}


def test_one_later_file_of_one_student(
    course: Path, collect: Callable[..., tuple[int, str]]
) -> None:
    collect(of_canvas(ANNA))
    Store(course, NAME).write_result("s000", b"{}")
    file = course.parent / f"s000_{FILE}"
    file.write_bytes(b"by mail")
    times = course.parent / "times.csv"
    times.write_bytes(b"id,submitted\ns000,2026-12-08 10:00\n")
    code, told = collect(file, times)
    assert code == 1 and "it is graded already" in told
    code, told = collect(file, times, told=("--yes",))
    # the file is stored without the "s000_" that the instructor added to its name. The feedback
    # still gets the name under which Canvas knows the first submission, so Canvas can tell whose it
    # is
    assert code == 0 and sorted(submission(course, ANNA)) == [FILE, "timestamp.txt"]
    place = a_class.canvas_name(ANNA, FILE)
    facts = recorded(Log(course), NAME)["s000"]
    assert place_of("canvas", NAME, Person("s000"), facts) == (place, "")
    assert submission(course, ANNA)["timestamp.txt"] == b"2026-12-08 10:00:00 UTC\n"
    (course.parent / FILE).write_bytes(b"whose?")
    code, told = collect(course.parent / FILE)
    assert code == 1 and "small.ipynb: no student of the roster is called so" in told


@pytest.mark.parametrize("ending", ["", "_"])
def test_moodle_with_its_worksheet_tells_times_and_twins_apart(
    course: Path, collect: Callable[..., tuple[int, str]], ending: str
) -> None:
    twin = a_class.Student(300, ANNA.first, ANNA.last, "twin")
    people = [ANNA, twin, ZOE]
    (course / ".term" / "log.jsonl").unlink()
    roster(course, a_class.moodle_participants(people))
    files = {
        a_class.moodle_name(one, f"part/{FILE}", ending=ending): one.login.encode()
        for one in people
    }
    code, told = collect(a_class.archive(files))
    assert code == 1 and told.count("several students are called so") == 2
    assert submission(course, "M12") == {FILE: b"s001"}
    times = {"s000": "Sunday, 29 November 2026, 4:17 PM", "twin": "Sunday, 29. November 2026"}
    sheet = course.parent / "worksheet.csv"
    sheet.write_bytes(a_class.moodle_worksheet(people, times))
    code, told = collect(a_class.archive(files), sheet)
    assert code == 1 and "M300: the time 'Sunday, 29. November 2026' is not understood" in told
    assert submission(course, "M300") == {FILE: b"twin"}
    assert submission(course, "M11")[FILE] == b"s000" and "times were read as UTC" in told
    assert read_timestamp(course / "submitted" / "M11" / NAME) == (
        datetime(2026, 11, 29, 16, 17),
        "",
    )
    facts = recorded(Log(course), NAME)["M11"]
    assert facts.place == "Anna Berg_5011_assignsubmission_file" and facts.participant == "5011"


def test_times_are_those_of_the_course_and_decide_what_is_later(
    course: Path, collect: Callable[..., tuple[int, str]]
) -> None:
    with (course / SETTINGS).open("a") as file:
        file.write("c.Exchange.timezone = 'Europe/Berlin'\n")
    (course / ".term" / "log.jsonl").unlink()
    roster(course, a_class.blackboard_gradebook([ANNA, ZOE], "Small one"))
    under = a_class.Student(1, "U", "U", "a_b")
    roster(course, a_class.blackboard_gradebook([under], "Small one"))
    files = {
        **a_class.blackboard_files(ANNA, "Small_one", "2026-07-02-00-30-00", FILE, b"second"),
        **a_class.blackboard_files(ANNA, "Small_one", "2026-07-01-09-00-00", FILE, b"first"),
        **a_class.blackboard_files(under, "Small_one", "2026-07-01-09-00-00", FILE, b"under"),
        "Small_one_s001_attempt_2026-07-01-09-00-00.txt": b"Name: Zoe (s001)\n",
    }
    code, told = collect(a_class.archive(files))
    assert code == 0 and "a download of Blackboard" in told
    assert "s000: an earlier attempt stays in " in told and "Europe/Berlin" in told
    assert submission(course, ANNA) == {
        FILE: b"second",
        "timestamp.txt": b"2026-07-01 22:30:00 UTC\n",
    }
    assert submission(course, "a_b")[FILE] == b"under"
    assert sorted(submission(course, ZOE)) == ["submission.txt", "timestamp.txt"]
    earlier = a_class.blackboard_files(ANNA, "Small_one", "2026-07-01-20-00-00", FILE, b"between")
    code, told = collect(a_class.archive(earlier))
    assert code == 1 and "not later than the one that is there" in told


def test_a_table_of_times_tells_when_a_late_submission_came(
    course: Path, collect: Callable[..., tuple[int, str]]
) -> None:
    data = a_class.archive({a_class.canvas_name(ANNA, FILE, late=True): NOTEBOOK})
    collect(data)
    times = course.parent / "times.csv"
    times.write_bytes(b"id,submitted\ns000,2026-12-02 09:30\nnobody,2026-12-02 09:30\n")
    code, told = collect(data, times)
    assert code == 1 and "nobody, 2026-12-02 09:30: no student of the roster" in told
    assert submission(course, ANNA)["timestamp.txt"] == b"2026-12-02 09:30:00 UTC\n"
    # if the archive is collected again without the table, the time from the table must be kept
    code, told = collect(data)
    assert code == 0 and "1 unchanged" in told
    assert recorded(Log(course), NAME)["s000"].time == "2026-12-02 09:30:00"


def test_plain_archives_and_archives_in_archives(
    course: Path, collect: Callable[..., tuple[int, str]]
) -> None:
    inner = a_class.archive({"deep/deeper/work.ipynb": NOTEBOOK, "deep/notes.txt": b"x"})
    twice = a_class.archive({"again.zip": inner})
    code, told = collect(
        a_class.archive({"s000/all.zip": twice, f"s001/{FILE}": b"z", "s002_x.ipynb": b"b"})
    )
    assert code == 0 and "a download of CSV" in told
    assert submission(course, ANNA) == {"work.ipynb": NOTEBOOK, "notes.txt": b"x"}
    assert submission(course, ZOE) == {FILE: b"z"} and submission(course, BOB) == {
        "s002_x.ipynb": b"b"
    }


def test_paths_that_lead_out_and_links_are_refused_by_name(
    course: Path, collect: Callable[..., tuple[int, str]]
) -> None:
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w") as found:
        found.writestr(a_class.canvas_name(ANNA, FILE), NOTEBOOK)
        for path in ("../../evil_12_1_x.ipynb", "/tmp/evil_12_1_x.ipynb", "C:\\evil_12_1_x.ipynb"):
            found.writestr(path, b"evil")
        found.writestr(linked("muellerzoe_12_5_small.ipynb", "/etc/passwd"), "/etc/passwd")
    before = sorted(course.parent.rglob("*evil*"))
    code, told = collect(target.getvalue())
    assert code == 1 and told.count("its path leads out of the archive") == 3
    assert "muellerzoe_12_5_small.ipynb: refused, because it is a link" in told
    assert submission(course, ANNA) == {FILE: NOTEBOOK} and submission(course, ZOE) == {}
    assert sorted(course.parent.rglob("*evil*")) == before


def test_what_students_put_beside_the_notebook_does_not_reach_the_grader(
    course: Path, collect: Callable[..., tuple[int, str]]
) -> None:
    files = {
        FILE: NOTEBOOK,
        "timestamp.txt": b"2020-01-01 00:00 UTC",
        "checks.json": b"{}",
        ".hidden": b"x",
        ".ipynb_checkpoints/small-checkpoint.ipynb": b"{}",
        f"other/{FILE}": b"{}",
        "evil\x1b[2J\n.txt": b"x",
        f"{'x' * 300}.txt": b"x",
    }
    code, told = collect(of_canvas(ANNA, data=a_class.archive(files), name="all.zip"))
    names = sorted(submission(course, ANNA))
    assert code == 1 and told.count("left out, because the grader has a file of that name") == 2
    assert names[1:3] == ["small-2.ipynb", FILE] and len(names) == 4
    assert all(name.isprintable() and len(name) <= 200 for name in names)
    assert sorted(read_submission(course / "submitted" / "s000" / NAME)) == names


@pytest.fixture
def small_bounds(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Lower the limits on the sizes of files and archives, so that tests of the limits are fast."""
    monkeypatch.setattr(archive, "FILE_BYTES", 1_000)
    monkeypatch.setattr("dpteach.term.collecting.FILE_BYTES", 1_000)
    monkeypatch.setattr(archive, "INNER_BYTES", 5_000)
    yield


@pytest.mark.usefixtures("small_bounds")
def test_a_bomb_is_not_unpacked(course: Path, collect: Callable[..., tuple[int, str]]) -> None:
    bomb = a_class.archive({f"{number}.bin": bytes(900) for number in range(9)})
    large = a_class.archive({"large.txt": bytes(10**6), FILE: NOTEBOOK})
    files = {
        a_class.canvas_name(ANNA, "all.zip"): bomb,
        a_class.canvas_name(ZOE, "all.zip"): large,
        a_class.canvas_name(BOB, FILE): bytes(10**6),
    }
    code, told = collect(a_class.archive(files))
    assert code == 1
    assert "all.zip: the archive was not opened: the files in it are too large together" in told
    assert sorted(submission(course, ANNA)) == ["all.zip"]
    assert submission(course, ZOE) == {FILE: NOTEBOOK} and "large.txt: is larger than" in told
    # `FILE_BYTES` is one byte more than the grader accepts. The stored file is cut off at this
    # size, so the grader still refuses it
    assert len(submission(course, BOB)[FILE]) == 1_000


def test_a_download_that_is_too_large_as_a_whole_ends_and_says_so(
    course: Path, collect: Callable[..., tuple[int, str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        archive.Report, "__init__", lambda self: vars(self).update(problems=[], room=20)
    )
    code, told = collect(of_canvas(ANNA, ZOE, BOB))
    assert code == 1 and "s002: the files in it are too large together" in told
    assert submission(course, ANNA) and submission(course, ZOE) and not submission(course, BOB)


def test_damaged_files_are_named_and_the_others_taken(
    course: Path, collect: Callable[..., tuple[int, str]]
) -> None:
    data = bytearray(of_canvas(ANNA, ZOE, data=b"0123456789" * 50))
    where = data.index(b"small.ipynb") + len("small.ipynb")
    data[where : where + 6] = b"\xff" * 6
    code, told = collect(bytes(data))
    assert (
        code == 1
        and "bergana" not in told
        and "berganna_11_70011_small.ipynb: cannot be read" in told
    )
    assert "s000: nothing of the submission could be read" in told
    assert submission(course, ZOE) and not submission(course, ANNA)
    code, told = collect(bytes(data[:-30]))
    assert code == 2 and "it is damaged or no zip file" in told


def test_an_encrypted_file_is_named(course: Path, collect: Callable[..., tuple[int, str]]) -> None:
    data = bytearray(of_canvas(ANNA))
    for mark, offset in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        data[data.index(mark) + offset] |= 1
    code, told = collect(bytes(data))
    assert code == 1 and "is encrypted" in told


def test_anonymous_grading_hides_the_student_which_is_said(
    course: Path, collect: Callable[..., tuple[int, str]]
) -> None:
    code, told = collect(a_class.archive({"LATE_anon_aB1x_77_small.ipynb": NOTEBOOK}))
    assert code == 1 and "the system hides whose it is" in told


def test_ten_thousand_files(
    course: Path, collect: Callable[..., tuple[int, str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    files = {f"s{number % 15:03d}/part_{number}.ipynb": b"{}" for number in range(10_000)}
    data = a_class.archive(files)
    code, told = collect(data)
    assert code == 1 and told.count("only 100 of its files were taken") == 15
    assert len(submission(course, ANNA)) == 100
    monkeypatch.setattr(archive, "MOST_FILES", 9_999)
    code, told = collect(data)
    assert code == 2 and "it has 10,000 files, and at most 9,999 are read" in told


def test_students_who_withdrew_and_a_term_without_students(
    course: Path, collect: Callable[..., tuple[int, str]]
) -> None:
    Log(course).add("withdraw", {"students": ["s000"]}, who="x")
    code, told = collect(of_canvas(ANNA, ZOE))
    assert code == 1 and "s000: has withdrawn, so the submission was not taken" in told
    assert "by: s000" not in told and not submission(course, ANNA)
    (course / ".term" / "log.jsonl").unlink()
    code, told = collect(of_canvas(ANNA))
    assert code == 2 and "use dpteach term roster first" in told


def test_a_submission_that_came_otherwise_is_not_overwritten(
    course: Path, collect: Callable[..., tuple[int, str]]
) -> None:
    folder = course / "submitted" / "s000" / NAME
    folder.mkdir(parents=True)
    (folder / FILE).write_bytes(b"by hand")
    code, told = collect(of_canvas(ANNA))
    assert code == 1 and "nothing says which of the two is later: add --yes" in told
    assert submission(course, ANNA) == {FILE: b"by hand"}
    (course / "submitted" / "s001").mkdir()
    (course / "submitted" / "s001" / NAME).symlink_to("/etc")
    code, told = collect(of_canvas(ZOE), told=("--yes",))
    assert code == 0 and submission(course, ZOE) == {FILE: NOTEBOOK}


def test_a_run_that_was_killed_is_completed_by_the_next(
    course: Path, collect: Callable[..., tuple[int, str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    data = of_canvas(*PEOPLE)
    for times in range(3):
        left = [times * 4]

        def rename(old: Path, new: Path, left: list[int] = left) -> None:
            if not left[0]:
                raise KeyboardInterrupt
            left[0] -= 1
            old.rename(new)

        with monkeypatch.context() as patch:
            patch.setattr("dpteach.term.collect.os.rename", rename)
            with pytest.raises(KeyboardInterrupt):
                collect(data)
    code, told = collect(data)
    assert code == 0 and "12 unchanged" not in told.partition("new")[0]
    assert all(submission(course, one) == {FILE: NOTEBOOK} for one in PEOPLE)
    assert len(recorded(Log(course), NAME)) == len(PEOPLE)


def test_every_sentence_comes_from_the_catalog(
    course: Path, collect: Callable[..., tuple[int, str]]
) -> None:
    data, said = a_class.canvas_submissions(PEOPLE, NAME, lambda one: NOTEBOOK)
    with speaking("en-XA"):
        code, told = collect(data)
    assert code == 1
    names = [path for path in zipfile.ZipFile(io.BytesIO(data)).namelist()]
    assert untranslated(told, *names, *said, "file_0.zip", "Canvas") == []
