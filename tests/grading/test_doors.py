"""Tests that nbgrader's own commands follow no link in a submission and wait for no pipe."""

from __future__ import annotations

import io
import os
import shutil
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from small_course import NAME, RIGHT, answered, fake_grade, grades, hand_in, make_course

from dpteach.grading.classroom import _upstream, classroom, doors
from dpteach.grading.classroom._upstream import NAMES
from dpteach.grading.classroom.classroom import Settings, grade_class
from dpteach.grading.classroom.doors import PlainCollect, PlainCollector, copy_plain
from dpteach.grading.classroom.plugin import GradeSubmission
from dpteach.grading.classroom.progress import Progress
from dpteach.grading.core.result import Result
from dpteach.grading.course.folder import course_api
from dpteach.grading.submission.intake import NOTICED, read_submission

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
    """Run nbgrader's own command line in the folder of a course, in a separate process."""
    run = [sys.executable, "-m", "nbgrader", *told]
    return subprocess.run(run, cwd=course, capture_output=True, text=True, timeout=120)


def where(course: Path, *steps: str) -> list[str]:
    """Return the files in a course's folders `steps` whose content includes the text `SECRET`."""
    return [
        str(path)
        for step in steps
        for path in (course / step).rglob("*")
        if path.is_file() and SECRET in path.read_text("utf-8", "replace")
    ]


def links(course: Path, folder: Path) -> None:
    """Put a pipe, a page with `SECRET` and links to such pages into a student's folder."""
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
    (folder / "pipe.html").unlink()  # nbgrader's own code would wait for the pipe
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
    files = read_submission(folder)
    assert b"not_a_file" in files.pop(NOTICED) and not files


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
    # this call, which the formgrader makes for its first page, must not fail on an unreadable time
    assert sorted(told["student"] for told in api.get_submissions(NAME)) == list(times)


def test_collecting_follows_no_link(course: Path) -> None:
    inbound = course / ".exchange" / "dpteach" / "inbound"
    folder = inbound / f"anna+{NAME}+2026-03-03 13:30:00 UTC"
    folder.mkdir(parents=True)
    (folder.parent / "empty").mkdir()
    (folder / f"{NAME}.ipynb").write_text(answered(course, RIGHT))
    (folder / "timestamp.txt").write_text("2026-03-03 13:30:00 UTC")
    (folder / "solution.ipynb").symlink_to(course / "source" / NAME / f"{NAME}.ipynb")
    links(course, folder)
    (folder / "page.html").unlink()
    (inbound / f"ben+{NAME}+2026-03-03 13:30:00 UTC").symlink_to(course / "source" / NAME)
    deep(inbound / f"carl+{NAME}+2026-03-03 13:30:00 UTC", 3000)
    for sender in ("a<img src=x onerror=alert(1)>", "x\x1b[2J"):
        shutil.copytree(folder.parent / "empty", inbound / f"{sender}+{NAME}+2026-03-03 13:30 UTC")
    (inbound / f"dora+{NAME}+2026-03-03 13:30 XYZ").mkdir()
    late = inbound / f"O'Neil [é]+{NAME}+2026-03-03 13:30:00 +0900+abcdefghijkl"
    late.mkdir()
    (late / f"{NAME}.ipynb").write_text(answered(course, RIGHT))
    done = nbgrader(course, "collect", NAME)
    subprocess.run(["rm", "-rf", inbound], check=True)
    assert done.returncode == 0, done.stderr
    found = course / "submitted" / "anna" / NAME
    kept = {str(path.relative_to(found)) for path in found.rglob("*")}
    assert kept == {f"{NAME}.ipynb", "timestamp.txt", "own"}
    assert list((course / "submitted" / "ben" / NAME).iterdir()) == []
    assert "leak.html" in done.stderr and where(course, "submitted") == []
    collected = {path.name for path in (course / "submitted").iterdir()}
    assert collected == {"anna", "ben", "carl", "O'Neil [é]"}
    assert done.stderr.count("student must have") == 2 and "time zone 'XYZ'" in done.stderr
    assert "\x1b" not in done.stderr and "too deep" in done.stderr


def test_collecting_takes_only_so_much(tmp_path: Path) -> None:
    folder = tmp_path / "in"
    (folder / "a").mkdir(parents=True)
    for name, size in (("a/1", 400), ("2", 700), ("3.pyc", 1)):
        (folder / name).write_bytes(b"x" * size)
    left_out = copy_plain(folder, tmp_path / "out", 1000, ["*.pyc"])
    assert left_out == [f"{folder}/a/1"]
    found = tmp_path / "out"
    assert [str(p.relative_to(found)) for p in found.rglob("*") if p.is_file()] == ["2"]


def test_what_is_copied_of_a_folder(tmp_path: Path) -> None:
    folder = tmp_path / "in"
    for name in ("a/b/deep", "a/exact", "a/empty", "skipped/x", "x.pyc", "last"):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(b"" if name == "a/empty" else b"12345")
    (folder / "loop").symlink_to(folder)
    out = tmp_path / "out"
    # files of at most 15 bytes in total are copied; this folder has exactly 15 bytes
    assert copy_plain(folder, out, 15, ["skipped", "*.pyc"]) == [f"{folder}/loop"]
    found = {str(p.relative_to(out)): p.read_bytes() for p in out.rglob("*") if p.is_file()}
    assert found == {"a/b/deep": b"12345", "a/exact": b"12345", "a/empty": b"", "last": b"12345"}
    left_out = copy_plain(folder, tmp_path / "less", 14, ["skipped", "*.pyc"])
    assert len(left_out) == 2 and left_out[0] == f"{folder}/loop"
    assert sum(p.is_file() for p in (tmp_path / "less").rglob("*")) == 3
    # if the source is itself a link to a folder, nothing is copied
    (tmp_path / "link").symlink_to(folder)
    assert copy_plain(tmp_path / "link", tmp_path / "none", 99, []) == [str(tmp_path / "link")]
    assert list((tmp_path / "none").iterdir()) == []


def deep(folder: Path, depth: int) -> None:
    """Make `depth` nested folders; a large depth makes their path too long for the system."""
    folder.mkdir(parents=True)
    handle = os.open(folder, os.O_RDONLY)
    for _ in range(depth):
        os.mkdir("d", dir_fd=handle)
        inner = os.open("d", os.O_RDONLY, dir_fd=handle)
        os.close(handle)
        handle = inner
    os.close(handle)


def test_a_folder_without_end_is_left_out(tmp_path: Path) -> None:
    deep(tmp_path / "in", 3000)
    (tmp_path / "in" / "d" / "own.txt").write_text("x")
    (tmp_path / "in" / "last.ipynb").write_text("{}")
    (left_out,) = copy_plain(tmp_path / "in", tmp_path / "out", 100, [])
    assert left_out == f"{tmp_path}/in" + "/d" * (doors.MAX_DEPTH + 1)
    found = {str(p.relative_to(tmp_path / "out")) for p in (tmp_path / "out").rglob("*.*")}
    assert found == {"last.ipynb", "d/own.txt"}
    # shorten the path, because pytest cannot remove such a deep folder
    shutil.move(tmp_path / "in" / "d" / "d", tmp_path / "d")
    subprocess.run(["rm", "-r", tmp_path / "d"], check=True)


def test_of_many_files_the_notebooks_are_collected(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(doors, "MAX_NAMES", 3)
    (tmp_path / "in" / "a").mkdir(parents=True)
    for name in ("0", "1", "2", "z.ipynb", "a/b"):
        (tmp_path / "in" / name).write_bytes(b"x")
    left_out = copy_plain(tmp_path / "in", tmp_path / "out", 100, [])
    assert left_out == [f"{tmp_path}/in/{name}" for name in ("2", "a")]
    assert {path.name for path in (tmp_path / "out").iterdir()} == {"0", "1", "z.ipynb"}


def test_a_large_file_is_copied_in_pieces(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(doors, "_CHUNK", 4)
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "file").write_bytes(b"0123456789")
    assert copy_plain(tmp_path / "in", tmp_path / "out", 10, []) == []
    assert (tmp_path / "out" / "file").read_bytes() == b"0123456789"
    assert copy_plain(tmp_path / "in", tmp_path / "less", 9, []) == [f"{tmp_path}/in/file"]
    assert list((tmp_path / "less").iterdir()) == []


@pytest.mark.parametrize(("file", "folder"), [(1, 50), (50, 1)])
def test_what_is_not_collected_is_said(file: int, folder: int, tmp_path: Path) -> None:
    said: list[str] = []
    coursedir = SimpleNamespace(max_file_size=file, max_dir_size=folder, ignore=["*.pyc"])
    log = SimpleNamespace(warning=lambda text, *told: said.append(text % told))
    collect: Any = SimpleNamespace(coursedir=coursedir, log=log)
    (tmp_path / "in").mkdir()
    for name, size in (("large", 1001), ("fits.ipynb", 1000), ("x.pyc", 5)):
        (tmp_path / "in" / name).write_bytes(b"x" * size)
    PlainCollect.do_copy(collect, str(tmp_path / "in"), str(tmp_path / "out"))
    place = tmp_path / "in" / "large"
    assert said == [
        f"Not collected, because it is no plain file, too large or nested too deeply: {place}"
    ]
    assert [path.name for path in (tmp_path / "out").iterdir()] == ["fits.ipynb"]


def test_a_door_is_closed_once(monkeypatch: pytest.MonkeyPatch) -> None:
    class Converter:
        def name(self, word: str) -> str:
            """Return a word unchanged."""
            return word

    def shouted(original: Any, converter: Converter, word: str) -> str:
        return str(original(converter, word)).upper()

    monkeypatch.setattr(_upstream, "_place", lambda name: (Converter, name))
    for _ in range(2):
        _upstream.replace("name", shouted)
        assert Converter().name("anna") == "ANNA"
    _upstream.replace("name", lambda *told: "not again")
    assert Converter().name("anna") == "ANNA"
    assert Converter.name.__doc__ == "Return a word unchanged."


@pytest.mark.parametrize(
    ("name", "parameters"),
    [
        ("converters.base:BaseConverter.init_assignment", "self assignment_id"),
        ("converters.base:BaseConverter.no_such", "self"),
        ("no.such:thing", "self"),
        ("utils:os", "self"),
    ],
)
def test_another_nbgrader_is_refused_in_a_sentence(
    name: str, parameters: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    _upstream.check()
    monkeypatch.setattr(_upstream, "NAMES", {name: parameters})
    place = name.replace(":", ".")
    with pytest.raises(_upstream.UpstreamError, match=rf"^nbgrader .* has another {place} than"):
        doors.guard()
    assert set(doors._CLOSED) <= set(NAMES)


def test_ids_are_refused_by_nbgrader_s_own_ways(course: Path) -> None:
    bad = "<img src=x onerror=alert(1)>"
    api = course_api(course)
    folder = course / "submitted" / bad.replace("/", "") / NAME
    folder.mkdir(parents=True)
    assert api.get_submitted_students(NAME) == set()
    with api.gradebook as book:
        for add in (book.add_student, book.update_or_create_student):
            with pytest.raises(ValueError, match="student must"):
                add(bad)
        with pytest.raises(ValueError, match="assignment must"):
            book.add_assignment(bad)
        book.add_assignment("another", duedate="2026-07-01 12:00:00 +0200")
        assert str(book.find_assignment("another").duedate) == "2026-07-01 10:00:00"
        assert book.add_student("O'Neil", first_name="Ann", last_name="<i>").id == "O'Neil"
    (hand_in(course, "O'Neil").parent / "timestamp.txt").write_text("2026-12-05 20:30 CST")
    settings = Settings(workers=1, grade=fake_grade)
    summary = grade_class(course, NAME, settings, Progress(io.StringIO()))
    assert list(summary.refused) == [bad]
    from dpteach.grading.pages.report import write_report

    page = write_report(course, NAME).read_text()
    assert "&lt;img" in page and "<img" not in page and "student must have" in page
    # the report escapes students' names and ids, and mentions a timestamp that cannot be read
    assert "O&#39;Neil (Ann &lt;i&gt;): timestamp.txt was not understood" in page
    feedback = course / "feedback" / "O'Neil" / NAME / f"{NAME}.html"
    assert "for O&#39;Neil (Ann &lt;i&gt;)" in feedback.read_text()


def test_only_the_way_to_the_student_is_closed(tmp_path: Path) -> None:
    from nbgrader.converters import Autograde, GenerateFeedback, GenerateSolution

    passed: list[Any] = []

    def original(converter: Any, *told: str) -> None:
        passed.append(told)

    def converter(kind: type) -> Any:
        class Made(kind):  # type: ignore[misc]
            def __init__(self) -> None:
                """Skip nbgrader's constructor, which needs an application."""

            def _format_dest(self, *told: str) -> str:
                return str(tmp_path / "out")

            def _format_source(self, *told: str) -> str:
                return str(tmp_path / "in")

        return Made()

    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "page.html").write_text(SECRET)
    doors._copy_nothing(original, converter(GenerateSolution), NAME, "anna")
    assert passed.pop() == (NAME, "anna") and not (tmp_path / "out").exists()
    for kind in (Autograde, GenerateFeedback):
        doors._copy_nothing(original, converter(kind), NAME, "anna")
        assert passed == [] and list((tmp_path / "out").iterdir()) == []
    (tmp_path / "in" / "timestamp.txt").write_text("2026-03-01T12:00:00+02:00")
    (tmp_path / "out" / "timestamp.txt").touch(mode=0o444)
    doors._copy_nothing(original, converter(Autograde), NAME, "anna")
    stamp = tmp_path / "out" / "timestamp.txt"
    assert [stamp] == list((tmp_path / "out").iterdir())
    assert stamp.read_text() == "2026-03-01 10:00:00 UTC"


def test_nbgrader_s_notebook_is_not_what_is_graded(monkeypatch: pytest.MonkeyPatch) -> None:
    from nbformat import v4
    from traitlets.config import Configurable

    class Converter(Configurable):
        coursedir = "the course"

    asked: list[Any] = []
    graded = v4.writes(v4.new_notebook(cells=[v4.new_markdown_cell("as it was graded")]))
    result = Result(NAME, 1, "files", "notebook", "bubblewrap", "graded", (), (), graded)

    def grade_one(api: Any, assignment: str, student: str, *, unsafe: bool) -> Result:
        asked.append((api.coursedir, api.config, assignment, student, unsafe))
        return result

    monkeypatch.setattr(classroom, "grade_one", grade_one)
    resources = {"nbgrader": {"assignment": NAME, "student": "anna"}}
    handed_in = v4.new_notebook(cells=[v4.new_markdown_cell("as it was handed in")])
    for told, unsafe in (({}, False), ({"sandbox": False}, True)):
        ours = GradeSubmission(parent=Configurable(parent=Converter()), **told)
        notebook, after = ours.preprocess(handed_in, resources)
        assert asked.pop() == ("the course", ours.config, NAME, "anna", unsafe)
        assert [cell.source for cell in notebook.cells] == ["as it was graded"]
        assert after is resources and "dpteach" not in notebook.metadata


def test_archives_of_a_course_platform(course: Path) -> None:
    """nbgrader's `zip_collect` takes files from archives as usual, but no links."""
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
    collector = PlainCollector(named_regexp=r".*/(?P<student_id>[a-z]+)_(?P<file_id>\w+)\.ipynb")
    (tmp_path / "anna_x.ipynb").write_text("{}")
    (tmp_path / "ben_x.ipynb").symlink_to("anna_x.ipynb")
    assert collector.collect(str(tmp_path / "anna_x.ipynb"))["student_id"] == "anna"
    assert collector.collect(str(tmp_path / "ben_x.ipynb")) is None
