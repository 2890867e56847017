"""nbgrader's own ways into a submission: by none of them a link or a pipe leads anywhere."""

from __future__ import annotations

import io
import os
import shutil
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest
from small_course import NAME, RIGHT, answered, fake_grade, grades, hand_in, make_course

from dpteach.grading.classroom.classroom import Settings, grade_class
from dpteach.grading.classroom.doors import copy_plain
from dpteach.grading.classroom.progress import Progress
from dpteach.grading.course.folder import course_api
from dpteach.grading.submission.intake import read_submission

pytestmark = [
    pytest.mark.slow,
    pytest.mark.filterwarnings("ignore::DeprecationWarning"),
    pytest.mark.filterwarnings("ignore::ResourceWarning"),
]

SECRET = "the words of somebody else"


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_course(tmp_path_factory.mktemp("doors") / "course")


@pytest.fixture
def course(built: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(built, tmp_path / "course"))


def nbgrader(course: Path, *told: str) -> subprocess.CompletedProcess[str]:
    """nbgrader's own command, in a process of its own."""
    run = [sys.executable, "-m", "nbgrader", *told]
    return subprocess.run(run, cwd=course, capture_output=True, text=True, timeout=120)


def where(course: Path, *steps: str) -> list[str]:
    """The files that hold the secret."""
    return [
        str(path)
        for step in steps
        for path in (course / step).rglob("*")
        if path.is_file() and SECRET in path.read_text("utf-8", "replace")
    ]


def links(course: Path, folder: Path) -> None:
    """All that a student can put beside a notebook."""
    outside = course.parent / "outside"
    outside.mkdir()
    (outside / "secret.html").write_text(SECRET)
    (folder / "leak.html").symlink_to(outside / "secret.html")
    (folder / "data").symlink_to(outside)
    (folder / "own").mkdir()
    (folder / "own" / "leak.html").symlink_to(outside / "secret.html")
    os.link(outside / "secret.html", folder / "hard.html")
    (folder / "page.html").write_text(f"<script>{SECRET}</script>")
    os.mkfifo(folder / "pipe.html")


@pytest.mark.requires("bubblewrap")
@pytest.mark.parametrize("way", ["command", "button"])
def test_nothing_beside_the_notebook_is_passed_on(course: Path, way: str) -> None:
    folder = hand_in(course, "anna").parent
    links(course, folder)
    (folder / "pipe.html").unlink()  # nbgrader as it is would wait for it
    if way == "command":
        for command in ("autograde", "generate_feedback"):
            done = nbgrader(course, command, NAME, "--student=anna")
            assert done.returncode == 0, done.stderr
    else:
        api = course_api(course)
        assert api.autograde(NAME, "anna")["success"]
        assert api.generate_feedback(NAME, "anna")["success"]
    assert where(course, "autograded", "feedback") == []
    there = {path.name for path in (course / "autograded" / "anna" / NAME).iterdir()}
    assert there == {f"{NAME}.ipynb", "checks.json"}
    assert [p.name for p in (course / "feedback" / "anna" / NAME).iterdir()] == [f"{NAME}.html"]


@pytest.mark.requires("bubblewrap")
def test_pipes_and_files_without_end_are_not_read(course: Path) -> None:
    for student in ("anna", "ben"):
        path = hand_in(course, student)
        path.unlink()
        if student == "anna":
            os.mkfifo(path)
        else:
            path.symlink_to("/dev/zero")
        os.mkfifo(path.parent / "timestamp.txt")
    done = nbgrader(course, "autograde", NAME)
    assert done.returncode == 1 and not where(course, "autograded")
    assert {name: told["score"] for name, told in grades(course).items()} == {"anna": 0, "ben": 0}


def test_a_folder_of_another_student_is_refused(course: Path) -> None:
    hand_in(course, "anna")
    (course / "submitted" / "ben").symlink_to("anna")
    settings = Settings(workers=1, grade=fake_grade)
    summary = grade_class(course, NAME, settings, Progress(io.StringIO()))
    assert set(summary.refused) == {"ben"} and set(grades(course)) == {"anna"}
    with pytest.raises(FileNotFoundError):
        read_submission(course / "submitted" / "ben" / NAME)


def test_a_file_with_two_names_is_not_opened(course: Path) -> None:
    path = hand_in(course, "anna")
    folder = course / "submitted" / "ben" / NAME
    folder.mkdir(parents=True)
    os.link(path, folder / path.name)
    files, notices = read_submission(folder)
    assert [notice.code for notice in notices] == ["not_a_file"] and path.name not in files


def test_a_time_that_cannot_be_read_stops_nobody(course: Path) -> None:
    times = {"anna": "yesterday", "ben": "99999-99-99", "carl": "\0" * 5000}
    folders = {student: hand_in(course, student).parent for student in times}
    for student, text in times.items():
        (folders[student] / "timestamp.txt").write_text(text)
    api = course_api(course)
    settings = Settings(workers=1, grade=fake_grade)
    assert grade_class(course, NAME, settings, Progress(io.StringIO())).graded == len(times)
    for student, folder in folders.items():
        assert api.get_submitted_timestamp(NAME, student) is None
        assert api.coursedir.get_existing_timestamp(str(folder)) is None
        assert api.generate_feedback(NAME, student)["success"]
    # what the formgrader shows first
    assert sorted(told["student"] for told in api.get_submissions(NAME)) == list(times)


def test_collecting_follows_no_link(course: Path) -> None:
    inbound = course / ".exchange" / "dpteach" / "inbound"
    folder = inbound / f"anna+{NAME}+2026-03-03 13:30:00 UTC"
    folder.mkdir(parents=True)
    (folder / f"{NAME}.ipynb").write_text(answered(course, RIGHT))
    (folder / "timestamp.txt").write_text("2026-03-03 13:30:00 UTC")
    (folder / "solution.ipynb").symlink_to(course / "source" / NAME / f"{NAME}.ipynb")
    links(course, folder)
    (folder / "page.html").unlink()
    (inbound / f"ben+{NAME}+2026-03-03 13:30:00 UTC").symlink_to(course / "source" / NAME)
    done = nbgrader(course, "collect", NAME)
    assert done.returncode == 0, done.stderr
    found = course / "submitted" / "anna" / NAME
    kept = {str(path.relative_to(found)) for path in found.rglob("*")}
    assert kept == {f"{NAME}.ipynb", "timestamp.txt", "own"}
    assert list((course / "submitted" / "ben" / NAME).iterdir()) == []
    assert "leak.html" in done.stderr and where(course, "submitted") == []


def test_collecting_takes_only_so_much(tmp_path: Path) -> None:
    folder = tmp_path / "in"
    (folder / "a").mkdir(parents=True)
    for name, size in (("a/1", 400), ("2", 700), ("3.pyc", 1)):
        (folder / name).write_bytes(b"x" * size)
    left_out = copy_plain(folder, tmp_path / "out", 1000, ["*.pyc"])
    assert left_out == [f"{folder}/a/1"]
    found = tmp_path / "out"
    assert [str(p.relative_to(found)) for p in found.rglob("*") if p.is_file()] == ["2"]


def test_archives_of_a_course_platform(course: Path) -> None:
    """What `zip_collect` takes from an archive is as before; of a link nobody has anything."""
    archive = course / "downloaded" / NAME / "archive"
    archive.mkdir(parents=True)
    with zipfile.ZipFile(archive / "all.zip", "w") as packed:
        packed.writestr(f"anna_{NAME}.ipynb", answered(course, RIGHT))
    (course / "downloaded" / NAME / "extracted").mkdir()
    link = course / f"ben_{NAME}.ipynb"
    link.symlink_to(course / "source" / NAME / f"{NAME}.ipynb")
    with tarfile.open(archive / "ben.tar.gz", "w:gz") as packed_links:
        packed_links.add(link, link.name)
    pattern = r".*/(?P<student_id>[a-z]+)_(?P<file_id>\w+)\.ipynb"
    told = f"--FileNameCollectorPlugin.named_regexp={pattern}"
    done = nbgrader(course, "zip_collect", NAME, "--force", told)
    assert done.returncode == 0, done.stderr
    assert [path.name for path in (course / "submitted").iterdir()] == ["anna"]


def test_a_link_among_what_was_unpacked_is_not_taken(tmp_path: Path) -> None:
    from dpteach.grading.classroom.doors import PlainCollector

    collector = PlainCollector(named_regexp=r".*/(?P<student_id>[a-z]+)_(?P<file_id>\w+)\.ipynb")
    (tmp_path / "anna_x.ipynb").write_text("{}")
    (tmp_path / "ben_x.ipynb").symlink_to("anna_x.ipynb")
    assert collector.collect(str(tmp_path / "anna_x.ipynb"))["student_id"] == "anna"
    assert collector.collect(str(tmp_path / "ben_x.ipynb")) is None
