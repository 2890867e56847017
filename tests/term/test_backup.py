"""Tests that ``dpteach backup`` and ``dpteach restore`` neither lose nor damage data."""

from __future__ import annotations

import contextlib
import io
import json
import os
import random
import shutil
import signal
import sqlite3
import tarfile
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest
import small_course
from graded_course import grade_here
from small_course import NAME

from dpteach import cli
from dpteach.grading.core.command import NOT_DONE
from dpteach.grading.course.folder import SETTINGS, UNFINISHED, CourseError, course_folder
from dpteach.grading.course.store import Store
from dpteach.term import places
from dpteach.term.backup import MANIFEST, write_backup
from dpteach.term.places import has_data
from dpteach.term.restore import ArchiveError, restore

#: DATA: files that only a backup can bring back; AGAIN: files that commands can make again
DATA = {
    ".grading/small/run.json": b'{"assignment": "small", "seed": 7}',
    ".grading/small/results/anna.json": b"{}",
    ".term/log.jsonl": b'{"number": 1}\n',
    "submitted/anna/small/small.ipynb": b"{}" * 4000,
    "submitted/Zo\xc3\xab M\xc3\xbcller/small/=a b.ipynb".encode().decode("latin-1"): b"x",
    "feedback/anna/small/small.html": b"<p>",
    ".exchange/dpteach/inbound/anna+small+2026/small.ipynb": b"{}",
}
AGAIN = {"autograded/anna/small/small.ipynb": b"{}", "reports/small.html": b"<p>"}


def fill(root: Path, points: int) -> None:
    """Write a term's files and a gradebook of two students; `points` determines the contents."""
    for name, data in {**DATA, **AGAIN}.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data + str(points).encode())
    with contextlib.closing(sqlite3.connect(root / "gradebook.db")) as book, book:
        book.execute("create table if not exists student (id text primary key, points integer)")
        book.execute("create table if not exists submitted_assignment (id text)")
        both = [("anna", points), ("ben", 100 - points)]
        book.executemany("insert or replace into student values (?, ?)", both)


@pytest.fixture
def course(tmp_path: Path) -> Path:
    """Return a course with data of a term; the course's path contains a space."""
    root = tmp_path / "a course"
    root.mkdir()
    (root / SETTINGS).write_text("c = get_config()\nc.CourseDirectory.course_id = 'dp'\n")
    fill(root, 30)
    return root


def state(root: Path) -> dict[str, object]:
    """Return the content of all files of a term that a backup contains."""
    found: dict[str, object] = {
        str(path.relative_to(root)): path.read_bytes()
        for name in (*places.KEPT, SETTINGS)
        for path in [root / name, *(root / name).rglob("*")]
        if path.is_file() and path.name != "lock"
    }
    if (root / "gradebook.db").exists():
        with contextlib.closing(sqlite3.connect(root / "gradebook.db")) as book:
            found["students"] = book.execute("select * from student order by id").fetchall()
    return found


def test_a_backup_gives_the_grades_of_its_day(course: Path, tmp_path: Path) -> None:
    before = state(course)
    file = tmp_path / "to be made" / "day 1.tar.gz"
    assert cli.main(["backup", str(file), "--course", str(course)]) == 0
    assert file.stat().st_mode & 0o777 == 0o600
    fill(course, 99)
    (course / "submitted/ben/small").mkdir(parents=True)
    after = state(course)
    assert cli.main(["restore", str(file), "--course", str(course)]) == NOT_DONE
    assert state(course) == after
    assert cli.main(["restore", str(file), "--course", str(course), "--yes"]) == 0
    assert state(course) == before
    assert not (course / "autograded").exists() and not (course / "reports").exists()
    (aside,) = (course / "terms").iterdir()
    assert {**state(aside), SETTINGS: after[SETTINGS]} == after
    assert (aside / "submitted/ben/small").is_dir() and (aside / "reports/small.html").exists()
    for folder in (tmp_path / "new", tmp_path / "empty"):
        if folder.name == "empty":
            folder.mkdir()
        assert restore(folder, file) is None
        assert state(folder) == before


def test_the_exported_grades_are_those_of_the_day(
    term: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def exported() -> str:
        assert cli.main(["export", NAME, "--course", str(term)]) == 0
        return capsys.readouterr().out

    override = ["term", "override", NAME, "anna", "1.5", "--item", "why", "--why", "an idea"]
    assert cli.main([*override, "--course", str(term)]) == 0
    capsys.readouterr()
    before = exported()
    assert "1.5" in before
    write_backup(term, tmp_path / "day 1.tar.gz")
    override[4] = "3"
    assert cli.main([*override, "--course", str(term)]) == 0
    small_course.hand_in(term, "ben")
    assert grade_here(term).graded == 1
    capsys.readouterr()
    assert exported() != before
    restore(term, tmp_path / "day 1.tar.gz", replace=True)
    assert exported() == before
    # the backup lacks the notebooks for the formgrader. Grading must write them, but must not grade
    # again a submission whose result was restored
    summary = grade_here(term)
    assert (summary.graded, summary.unchanged) == (0, 3)
    assert (term / "autograded/ben" / NAME / f"{NAME}.ipynb").exists()
    assert exported() == before


def test_what_can_be_made_again_and_links_are_left_out(
    course: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (course / "submitted/anna/small/link").symlink_to("/etc")
    (course / "submitted/empty").mkdir(mode=0o750)
    file = tmp_path / "b.tar.gz"
    assert cli.main(["backup", str(file), "--course", str(course)]) == 1
    assert "submitted/anna/small/link" in capsys.readouterr().err
    with tarfile.open(file) as tar:
        names = tar.getnames()
        assert all(member.isreg() or member.isdir() for member in tar)
    assert not [n for n in names if n.startswith(("autograded", "reports"))]
    restore(tmp_path / "new", file)
    assert (tmp_path / "new/submitted/empty").stat().st_mode & 0o777 == 0o750


def test_a_backup_replaces_no_file_and_holds_not_itself(course: Path, tmp_path: Path) -> None:
    file = tmp_path / "b.tar.gz"
    write_backup(course, file)
    old = file.read_bytes()
    with pytest.raises(CourseError, match="exists already"):
        write_backup(course, file)
    assert file.read_bytes() == old
    write_backup(course, file, replace=True)
    with pytest.raises(CourseError, match="among the data"):
        write_backup(course, course / "submitted" / "b.tar.gz")
    (course / SETTINGS).write_text(
        "c = get_config()\nc.CourseDirectory.db_url = 'postgresql://x'\n"
    )
    with pytest.raises(CourseError, match="db_url = "):
        write_backup(course, tmp_path / "c.tar.gz")


def test_while_a_grader_works_there_is_no_backup(course: Path, tmp_path: Path) -> None:
    with Store(course, "small").lock():
        assert cli.main(["backup", str(tmp_path / "b"), "--course", str(course)]) == NOT_DONE
    assert not (tmp_path / "b").exists()


def test_the_gradebook_is_consistent_while_another_program_writes(
    course: Path, tmp_path: Path
) -> None:
    end = threading.Event()

    def write() -> None:
        with contextlib.closing(sqlite3.connect(course / "gradebook.db", timeout=60)) as book:
            while not end.is_set():
                points = random.randrange(100)
                with book:
                    book.execute("update student set points = ? where id = 'anna'", [points])
                    book.execute("update student set points = ? where id = 'ben'", [100 - points])
                time.sleep(0.005)

    writer = threading.Thread(target=write)
    writer.start()
    try:
        for i in range(3):
            write_backup(course, tmp_path / f"{i}.tar.gz")
            restore(tmp_path / f"new{i}", tmp_path / f"{i}.tar.gz")
            with contextlib.closing(sqlite3.connect(tmp_path / f"new{i}/gradebook.db")) as book:
                assert book.execute("select sum(points) from student").fetchone() == (100,)
    finally:
        end.set()
        writer.join()


def archive(file: Path, members: list[tarfile.TarInfo | tuple[str, bytes]]) -> Path:
    """Write an archive with the given members and a manifest that lists the files among them."""
    from hashlib import sha256

    files: dict[str, object] = {}
    with tarfile.open(file, "w:gz") as tar:
        for one in members:
            if isinstance(one, tarfile.TarInfo):
                tar.addfile(one)
                continue
            name, data = one
            if name != MANIFEST:
                files[name] = [sha256(data).hexdigest(), len(data)]
            info = tarfile.TarInfo(name)
            info.size = len(data)
            tar.addfile(info, io.BytesIO(data))
        about = {"format": 1, "dpteach": "1", "course": "dp", "files": files}
        data = json.dumps(about).encode()
        info = tarfile.TarInfo(MANIFEST)
        info.size = len(data)
        tar.addfile(info, io.BytesIO(data))
    return file


def special(kind: bytes, name: str = "submitted/x", target: str = "/etc") -> tarfile.TarInfo:
    """Return an archive's member of a kind other than a file, such as a link to `target`."""
    info = tarfile.TarInfo(name)
    info.type, info.linkname = kind, target
    return info


@pytest.mark.parametrize(
    "members",
    [
        [("../evil", b"")],
        [("/evil", b"")],
        [("submitted/../../evil", b"")],
        [("submitted//evil", b"")],
        [("assignments/small.md", b"")],
        [("evil", b"")],
        [special(tarfile.SYMTYPE), ("submitted/x/evil", b"")],
        [special(tarfile.LNKTYPE, target="gradebook.db")],
        [special(tarfile.CHRTYPE)],
        [special(tarfile.FIFOTYPE)],
    ],
    ids=[
        *("up", "root", "inside up", "double slash", "text source", "elsewhere"),
        *("through a link", "hard link", "device", "pipe"),
    ],
)
def test_unsafe_members_are_refused(members: list[object], course: Path, tmp_path: Path) -> None:
    before = state(course)
    file = archive(tmp_path / "evil.tar.gz", members)  # type: ignore[arg-type]
    with pytest.raises((ArchiveError, FileExistsError)):
        restore(course, file, replace=True)
    assert state(course) == before
    assert {path.name for path in tmp_path.iterdir()} == {"a course", "evil.tar.gz"}
    assert not (course / ".restore").exists()


def test_damage_anywhere_is_refused(course: Path, tmp_path: Path) -> None:
    file = tmp_path / "b.tar.gz"
    write_backup(course, file)
    whole, before = file.read_bytes(), state(course)
    fill(course, 44)
    now = state(course)
    for data in (b"", b"PK\3\4", *(whole[:n] for n in range(0, len(whole) - 1, len(whole) // 20))):
        file.write_bytes(data)
        with pytest.raises(ArchiveError):
            restore(course, file, replace=True)
    refused = 0
    for n in range(10, len(whole), len(whole) // 40):
        file.write_bytes(whole[:n] + bytes([whole[n] ^ 4]) + whole[n + 1 :])
        try:
            restore(course, file, replace=True)
        except ArchiveError:
            refused += 1
            assert state(course) == now
        # if the changed byte does not affect the data, as in the header, restoring may succeed
        else:
            assert state(course) == before
            shutil.rmtree(course / "terms")
            fill(course, 44)
    assert refused > 30
    assert not (course / "terms").exists() and not (course / ".restore").exists()


def test_a_foreign_archive_is_refused(course: Path, tmp_path: Path) -> None:
    member = ("submitted/a/small/small.ipynb", b"{}")
    with tarfile.open(tmp_path / "no manifest", "w:gz") as tar:
        tar.addfile(tarfile.TarInfo("submitted/x"))
    with pytest.raises(ArchiveError, match=r"manifest\.json"):
        restore(course, tmp_path / "no manifest", replace=True)
    assert restore(course, archive(tmp_path / "ours", [member]), replace=True)
    (course / SETTINGS).write_text("c = get_config()\nc.CourseDirectory.course_id = 'other'\n")
    with pytest.raises(CourseError, match="course 'dp', not of 'other'"):
        restore(course, tmp_path / "ours", replace=True)


def test_a_course_without_students_has_no_data(tmp_path: Path) -> None:
    with contextlib.closing(sqlite3.connect(tmp_path / "gradebook.db")) as book, book:
        book.execute("create table student (id text primary key, points integer)")
        book.execute("create table submitted_assignment (id text)")
    (tmp_path / "submitted").mkdir()
    assert not has_data(tmp_path)
    fill(tmp_path, 1)
    assert has_data(tmp_path)


def killed(do: Callable[[], object], *, at: int | None = None, after: float = 0.0) -> bool:
    """Run a function in a child process, and kill the process.

    Return whether the function ended before the kill.

    Parameters
    ----------
    at
        The process is killed before its `at`-th call that renames or removes a file or makes a
        folder.
    after
        The seconds until the process is killed, if `at` is None.
    """
    child = os.fork()
    if child == 0:
        with contextlib.suppress(BaseException):
            if at is not None:
                _die_before(at)
            do()
            os._exit(0)
        os._exit(3)
    if at is None:
        time.sleep(after)
        os.kill(child, signal.SIGKILL)
    _pid, status = os.waitpid(child, 0)
    if os.WIFEXITED(status):
        assert os.WEXITSTATUS(status) == 0
        return True
    return False


def _die_before(number: int) -> None:
    """Let this process kill itself before the `number`-th call that changes files or folders."""
    calls = [0]
    for name in ("rename", "replace", "unlink", "mkdir"):
        original = getattr(os, name)

        def counted(
            *told: object, original: Callable[..., object] = original, **more: object
        ) -> object:
            calls[0] += 1
            if calls[0] == number:
                os.kill(os.getpid(), signal.SIGKILL)
            return original(*told, **more)

        setattr(os, name, counted)


def test_a_restore_that_is_killed_leaves_old_or_new_or_is_finished(
    course: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "sync", lambda: None)
    file = tmp_path / "b.tar.gz"
    write_backup(course, file)
    new = state(course)
    fill(course, 77)
    old = state(course)
    seen, number, done = set(), 0, False
    rng = random.Random(5)
    while not done:
        number += 1
        at = number if number <= 60 else None
        done = killed(lambda: restore(course, file, replace=True), at=at, after=rng.random() / 50)
        unfinished = (course / UNFINISHED).exists()
        seen.add("unfinished" if unfinished else "new" if state(course) == new else "old")
        if unfinished:
            with pytest.raises(CourseError, match="half restored"):
                course_folder(course)
            restore(course, file)
            assert state(course) == new
        assert state(course) in (old, new) and not (course / UNFINISHED).exists()
        kept = [state(path) for path in sorted((course / "terms").glob("*"))]
        assert state(course) == old or any({**one, SETTINGS: old[SETTINGS]} == old for one in kept)
        fill(course, 77)
    assert seen == {"old", "unfinished", "new"}
    assert number > 20


def test_a_backup_that_is_killed_leaves_no_half_archive(course: Path, tmp_path: Path) -> None:
    file = tmp_path / "b.tar.gz"
    rng = random.Random(3)
    old = b""
    for _trial in range(15):
        killed(lambda: write_backup(course, file, replace=True), after=rng.random() / 50)
        if file.exists() and file.read_bytes() != old:
            old = file.read_bytes()
            restore(tmp_path / f"new{_trial}", file)
            assert state(tmp_path / f"new{_trial}") == state(course)
    write_backup(course, file, replace=True)
    assert {path.name for path in tmp_path.iterdir() if "new" not in path.name} == {
        "a course",
        "b.tar.gz",
    }
