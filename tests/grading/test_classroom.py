"""`dpteach grade`: parallel, resumable, one writer; and what it does when something goes wrong."""

from __future__ import annotations

import contextlib
import csv
import gc
import http.server
import io
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import small_course
from small_course import NAME, RIGHT, WRONG, grades, hand_in, pages, result_files

from dpteach import cli
from dpteach.grading.classroom import classroom, cluster
from dpteach.grading.classroom.classroom import ClassroomError, Settings, Summary, grade_class
from dpteach.grading.classroom.progress import Progress
from dpteach.grading.course.misplaced import misplaced
from dpteach.grading.course.store import Store, file_name, student_of, write_atomically

TESTS = Path(__file__).resolve().parent
PROGRAM = [sys.executable, "-W", "ignore", str(TESTS / "small_course.py"), NAME]

pytestmark = [
    pytest.mark.filterwarnings("ignore::DeprecationWarning"),
    pytest.mark.filterwarnings("ignore::ResourceWarning"),
    pytest.mark.filterwarnings("ignore:.*:pytest.PytestUnhandledThreadExceptionWarning"),
]
slow = pytest.mark.slow

#: what a file system allows and a program stumbles over
NAMES = ["Zoë Ünï", "anna b", "x.y", "=cmd()", "-n", "[x]", "100%", "学生", "o'neil", '"q"']
#: submissions of a course that is graded for a while
MANY = 12
#: with these a spreadsheet takes a cell for a formula
FORMULA = ("=", "+", "-", "@")


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return small_course.make_course(tmp_path_factory.mktemp("built") / "course")


@pytest.fixture(scope="module")
def two_workers() -> Iterator[Any]:
    """A client of two workers of this machine, for all tests that leave them alive."""
    with own_workers(2) as client:
        client.wait_for_workers(2)
        yield client


@pytest.fixture(scope="module")
def whole(built: Path, two_workers: Any, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A course with the submissions of `hand_in_many`, graded without anything going wrong."""
    course = Path(shutil.copytree(built, tmp_path_factory.mktemp("whole") / "course"))
    hand_in_many(course)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(cluster, "_local", lambda count: contextlib.nullcontext(two_workers))
        assert grade(course, seed=3).graded == MANY
    return course


def hand_in_many(course: Path) -> None:
    for i in range(MANY):
        hand_in(course, f"s{i:02}", double=RIGHT if i % 3 else WRONG)


def is_like(course: Path, other: Path) -> None:
    """All that grading makes is the same in both."""
    assert result_files(course) == result_files(other)
    assert grades(course) == grades(other)
    assert pages(course) == pages(other)


own_workers = cluster._local


@pytest.fixture
def course(built: Path, two_workers: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A course of its own for each test, without submissions."""

    def local(count: int) -> Any:
        return contextlib.nullcontext(two_workers) if count <= 2 else own_workers(count)

    monkeypatch.setattr(cluster, "_local", local)
    return Path(shutil.copytree(built, tmp_path / "course"))


@pytest.fixture
def log(two_workers: Any, tmp_path: Path) -> Iterator[Callable[[], list[str]]]:
    """What the graders were asked since the last call, in alphabetical order."""
    path = tmp_path / "log"

    def read() -> list[str]:
        lines = path.read_text().splitlines() if path.exists() else []
        path.unlink(missing_ok=True)
        return sorted(line.split()[1] for line in lines)

    two_workers.run(small_course.log_to, str(path))
    yield read
    two_workers.run(small_course.log_to, "")


def grade(course: Path, stream: Any = None, **told: Any) -> Summary:
    """Grades with the grader that needs no sandbox."""
    settings = Settings(**{"workers": 2, "grade": small_course.fake_grade} | told)
    return grade_class(course, NAME, settings, Progress(stream or io.StringIO()))


def program(course: Path, *told: str, seconds: float = 0.0) -> subprocess.Popen[str]:
    """``dpteach grade`` with that grader, as a process in a group of its own."""
    return subprocess.Popen(
        [*PROGRAM, "--course", str(course), *told],
        env={**os.environ, "FAKE_SECONDS": str(seconds)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )


def until(condition: Callable[[], bool], seconds: float = 120.0) -> None:
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "it did not happen in time"
        time.sleep(0.05)


def group_is_empty(group: int) -> bool:
    try:
        os.killpg(group, 0)
    except ProcessLookupError:
        return True
    return False


def number_of_results(course: Path) -> int:
    folder = course / ".grading" / NAME / "results"
    return len(list(folder.glob("*.json"))) if folder.exists() else 0


@slow
@pytest.mark.requires("bubblewrap")
def test_a_class_at_1_2_and_3_workers(
    course: Path, everything: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Everything real: the same bytes whoever grades, odd submissions named, the others graded."""
    shared = cluster._local

    def local(count: int) -> Any:
        return shared(count) if count == 2 else own_workers(count)

    monkeypatch.setattr(cluster, "_local", local)
    hand_in(course, "right")
    hand_in(course, "wrong", double=WRONG)
    hand_in(course, "blank", why="*Write your answer here.*", double="raise NotImplementedError()")
    hand_in(course, "ends", double="import os\nos._exit(0)")
    hand_in(course, "empty", "")
    hand_in(course, "no json", "{")
    os.rename(hand_in(course, "renamed"), course / "submitted" / "renamed" / NAME / "mine.ipynb")
    (course / "submitted" / "nothing" / NAME).mkdir(parents=True)
    (course / "submitted" / "file").mkdir()
    (course / "submitted" / "file" / NAME).write_text("not a folder")
    (course / "submitted" / "link").mkdir()
    (course / "submitted" / "link" / NAME).symlink_to(course / "submitted" / "right" / NAME)
    os.mkdir(os.path.join(os.fsencode(course / "submitted"), b"caf\xe9"))
    os.mkdir(os.path.join(os.fsencode(course / "submitted"), b"caf\xe9", NAME.encode()))
    seen = []
    for workers in (1, 2, 3) if everything else (1, 2):
        shutil.rmtree(course / ".grading", ignore_errors=True)
        settings = Settings(workers=workers, seed=5)
        summary = grade_class(course, NAME, settings, Progress(io.StringIO()))
        assert summary.graded == 5
        assert set(summary.refused) == {
            "empty", "no json", "nothing", "file", "link", "caf\udce9"
        }  # fmt: skip
        assert "is empty" in summary.refused["empty"]
        assert "not a folder" in summary.refused["link"]
        assert "UTF-8" in summary.refused["caf\udce9"]
        assert not summary.failed
        seen.append((result_files(course), grades(course), pages(course)))
    assert all(found == seen[0] for found in seen)
    points = {name: data["score"] for name, data in seen[0][1].items()}
    assert points == {
        "right": 3.0, "wrong": 1.0, "blank": 1.0, "ends": 1.0, "renamed": 3.0,
        "empty": 0.0, "no json": 0.0, "nothing": 0.0,
    }  # fmt: skip
    assert seen[0][1]["blank"]["grades"]["why"] == (0.0, None, False)
    assert seen[0][1]["right"]["grades"]["why"] == (None, None, True)
    assert f"autograded/renamed/{NAME}/{NAME}.ipynb" in seen[0][2]
    assert f"autograded/empty/{NAME}/{NAME}.ipynb" not in seen[0][2]
    assert f"feedback/empty/{NAME}/{NAME}.html" in seen[0][2]


@slow
@pytest.mark.parametrize(
    "number",
    # a polite end is tried once more below
    [signal.SIGKILL, signal.SIGINT, pytest.param(signal.SIGTERM, marks=pytest.mark.exhaustive)],
)
def test_a_run_that_is_ended_half_way_is_finished_by_the_next(
    course: Path,
    whole: Path,
    number: signal.Signals,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    (temporary := tmp_path / "temporary").mkdir()
    monkeypatch.setenv("TMPDIR", str(temporary))
    monkeypatch.setattr(tempfile, "tempdir", None)
    hand_in_many(course)
    run = program(course, "--workers", "2", "--seed", "3", seconds=0.5)
    until(lambda: number_of_results(course) >= 4)
    if number == signal.SIGINT:
        os.killpg(run.pid, number)  # as a terminal does
    else:
        run.send_signal(number)
    _, said = run.communicate(timeout=120)
    until(lambda: group_is_empty(run.pid))
    done = number_of_results(course)
    assert 4 <= done < MANY
    if number == signal.SIGKILL:
        assert run.returncode == -signal.SIGKILL
    else:
        assert run.returncode == 130
        assert "nothing is lost" in said
        assert "Traceback" not in said
    if number == signal.SIGKILL:
        # workers of its own, whose folders sweep away those of a run that was killed
        monkeypatch.setattr(cluster, "_local", own_workers)
    summary = grade(course)
    assert summary.unchanged == done
    assert summary.graded == MANY - done
    assert not list(temporary.glob("dpteach-*"))
    is_like(course, whole)


@slow
def test_a_forced_run_that_is_ended_says_how_to_go_on(course: Path) -> None:
    for i in range(6):
        hand_in(course, f"s{i}")
    grade(course, seed=3)
    folder = course / ".grading" / NAME / "results"
    before = {path: path.stat().st_mtime_ns for path in folder.iterdir()}
    run = program(course, "--workers", "2", "--force", seconds=1.0)
    until(lambda: any(path.stat().st_mtime_ns != time for path, time in before.items()))
    run.send_signal(signal.SIGTERM)
    _, said = run.communicate(timeout=120)
    assert run.returncode == 130
    assert "nothing is lost, give --force again" in said
    assert "goes on from here" not in said
    assert "Traceback" not in said
    until(lambda: group_is_empty(run.pid))
    assert grade(course).unchanged == 6


@slow
def test_what_a_crash_left_out_is_made_good(course: Path) -> None:
    """A result that did not reach the gradebook or the pages reaches them at the next start."""
    hand_in(course, "anna")
    hand_in(course, "ben", double=WRONG)
    grade(course)
    before = result_files(course), grades(course), pages(course)
    from nbgrader.api import Gradebook

    with Gradebook(f"sqlite:///{course / 'gradebook.db'}", "dpteach") as book:
        book.remove_submission(NAME, "anna")
    (course / "autograded" / "ben" / NAME / f"{NAME}.ipynb").unlink()
    shutil.rmtree(course / "feedback")
    summary = grade(course)
    assert (summary.graded, summary.unchanged) == (0, 2)
    assert (result_files(course), grades(course), pages(course)) == before
    # a result that was cut off by a full disk is none
    path = course / ".grading" / NAME / "results" / "anna.json"
    path.write_bytes(path.read_bytes()[:100])
    assert grade(course).graded == 1
    assert (result_files(course), grades(course), pages(course)) == before


@slow
def test_only_what_has_changed_is_graded_again(course: Path, log: Callable[[], list[str]]) -> None:
    for student in ("anna", "ben"):
        hand_in(course, student)
    assert grade(course).graded == 2
    assert log() == ["all", "all"]
    assert grade(course).unchanged == 2
    assert log() == []
    # a submission
    hand_in(course, "ben", double=WRONG)
    assert grade(course).graded == 1
    assert log() == ["all"]
    assert grades(course)["ben"]["score"] == 1.0
    # a check
    source = course / "assignments" / f"{NAME}.md"
    source.write_text(source.read_text().replace("Case(61234.75", "Case(61235.75"))
    assert grade(course).graded == 2
    assert log() == ["half_values", "half_values"]
    assert grade(course).unchanged == 2
    # one item of one student, changed or not
    assert grade(course, students=["anna"], items=["double_values"]).unchanged == 1
    grade(course, students=["anna"], items=["double_values"], force=True)
    assert log() == ["double_values"]
    # everything, by force and by another seed
    grade(course, force=True)
    assert log() == ["all", "all"]
    grade(course, seed=77)
    assert log() == ["all", "all"]
    assert grade(course).unchanged == 2
    assert Store(course, NAME).seed() == 77
    # a result without a sandbox counts as long as there is none
    grade(course, unsafe=True, force=True)
    assert grade(course, unsafe=True).unchanged == 2
    assert grade(course).graded == 2


@slow
@pytest.mark.requires("bubblewrap")
def test_one_item_again_gives_the_bytes_of_a_whole_run(course: Path) -> None:
    hand_in(course, "anna")
    hand_in(course, "ben", double=WRONG)
    settings = Settings(workers=2, seed=1)
    grade_class(course, NAME, settings, Progress(io.StringIO()))
    source = course / "assignments" / f"{NAME}.md"
    source.write_text(source.read_text().replace("Case(73519.25", "Case(73520.25"))
    summary = grade_class(course, NAME, settings, Progress(io.StringIO()))
    assert summary.graded == 2
    parts = result_files(course), grades(course), pages(course)
    shutil.rmtree(course / ".grading")
    grade_class(course, NAME, settings, Progress(io.StringIO()))
    assert (result_files(course), grades(course), pages(course)) == parts


@slow
def test_workers_that_die_and_graders_that_fail_are_named(
    course: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cluster, "_local", own_workers)
    limits = classroom.Limits(wall_seconds=-25.0)  # 10 s for a task
    hand_in(course, "a dies", double=f"# die\n{RIGHT}")
    hand_in(course, "b hangs", double=f"# hang\n{RIGHT}")
    hand_in(course, "c raises", double=f"# raise\n{RIGHT}")
    hand_in(course, "d lies", double=f"# nonsense\n{RIGHT}")
    for i in range(6):
        hand_in(course, f"s{i}")
    shown = io.StringIO()
    summary = grade(course, shown, limits=limits)
    assert summary.graded == 6
    assert set(summary.failed) == {"a dies", "b hangs", "c raises", "d lies"}
    assert "died" in summary.failed["a dies"]
    assert summary.failed["b hangs"] == "it took more than 10 s"
    assert summary.failed["c raises"] == "RuntimeError: no way"
    assert "c raises: failed: RuntimeError: no way" in shown.getvalue()
    assert "10/10, 4 failed, 6 graded" in shown.getvalue()
    # nothing stands for them: the next run tries again
    hand_in(course, "c raises")
    assert grade(course, students=["c raises"]).graded == 1


def free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        port: int = found.getsockname()[1]
        return port


@pytest.fixture
def scheduler(tmp_path: Path) -> Iterator[tuple[str, list[subprocess.Popen[bytes]]]]:
    """A scheduler and two workers on the loopback, each a process of its own, without nannies."""
    address = f"tcp://127.0.0.1:{free_port()}"
    environment = {**os.environ, "PYTHONPATH": str(TESTS), "FAKE_SECONDS": "0.3"}
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL, "env": environment}
    quiet["cwd"] = tmp_path
    module = [sys.executable, "-W", "ignore", "-m"]
    listen = ["--no-dashboard", "--host", "127.0.0.1"]
    port = ["--port", address.rpartition(":")[2]]
    worker = [address, "--nthreads", "1", "--no-nanny", "--local-directory", str(tmp_path)]
    processes = [
        subprocess.Popen([*module, *command, *listen], **quiet)
        for command in (
            ["distributed.cli.dask_scheduler", *port],
            ["distributed.cli.dask_worker", *worker],
            ["distributed.cli.dask_worker", *worker],
        )
    ]
    yield address, processes
    for process in processes:
        process.kill()
        process.wait()


@slow
def test_a_scheduler_and_two_workers_one_of_which_is_killed_and_then_all(
    built: Path,
    course: Path,
    whole: Path,
    scheduler: tuple[str, list[subprocess.Popen[bytes]]],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    address, processes = scheduler
    _, first, second = processes
    hand_in_many(course)
    from distributed import Client

    with Client(address, set_as_default=False) as client:
        client.wait_for_workers(2, timeout=120)
    run = program(course, "--seed", "3", "--scheduler", address)
    until(lambda: number_of_results(course) >= 3)
    first.kill()
    _, said = run.communicate(timeout=120)
    assert run.returncode == 0, said
    assert second.poll() is None
    assert number_of_results(course) == MANY
    is_like(course, whole)
    other = Path(shutil.copytree(built, course.parent / "other"))
    the_end_of_a_cluster_is_said_and_nothing_is_lost(other, address, processes, monkeypatch)


def the_end_of_a_cluster_is_said_and_nothing_is_lost(
    course: Path,
    address: str,
    processes: list[subprocess.Popen[bytes]],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for i in range(8):
        hand_in(course, f"s{i}")

    class Killer(io.StringIO):
        """Kills the cluster when the first line is written, by whichever submission."""

        def write(self, text: str) -> int:
            for process in processes:
                process.kill()
            # from here on there is nothing to wait for
            monkeypatch.setattr(cluster, "_PATIENCE", 3.0)
            return super().write(text)

    hand_in(course, "a raises", double=f"# raise\n{RIGHT}")
    patience = cluster._PATIENCE
    with pytest.raises(ClassroomError, match=r"scheduler is gone|no worker left|cannot grade"):
        grade(course, Killer(), workers=None, scheduler=address)
    monkeypatch.setattr(cluster, "_PATIENCE", patience)
    done = number_of_results(course)
    assert done < 8
    (course / "submitted" / "a raises").rename(course.parent / "gone")
    summary = grade(course)
    assert (summary.unchanged, summary.graded) == (done, 8 - done)


@slow
@pytest.mark.parametrize("address", ["tcp://127.0.0.1:1", "tls://127.0.0.1:1"])
def test_a_scheduler_that_is_none(
    course: Path,
    address: str,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr(cluster, "_PATIENCE", 2.0)
    hand_in(course, "anna")
    with pytest.raises(ClassroomError, match="no scheduler answers at"):
        grade(course, workers=None, scheduler=address)
    # collecting takes no time of the processor's to speak of; waiting took ten seconds
    start = time.monotonic()
    gc.collect()
    assert time.monotonic() - start < 8, "the client that came to nothing is waited for"
    assert "Traceback" not in capfd.readouterr().err


@slow
def test_a_scheduler_that_is_a_web_server(course: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cluster, "_PATIENCE", 2.0)
    hand_in(course, "anna")
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), http.server.BaseHTTPRequestHandler)
    monkeypatch.setattr(server.RequestHandlerClass, "log_message", lambda *_: None)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        start = time.monotonic()
        with pytest.raises(ClassroomError, match="no scheduler answers at"):
            grade(course, workers=None, scheduler=f"127.0.0.1:{server.server_port}")
        assert time.monotonic() - start < 20
    finally:
        server.shutdown()
        server.server_close()


@slow
def test_one_run_at_a_time(course: Path) -> None:
    hand_in(course, "anna")
    run = program(course, "--workers", "2", seconds=600)
    lock = course / ".grading" / NAME / "lock"
    until(lambda: lock.exists() and lock.read_text().strip() == str(run.pid))
    with pytest.raises(ClassroomError, match=f"graded already, by process {run.pid}"):
        grade(course)
    run.kill()
    run.communicate()
    # the file is still there and names a process that is gone
    assert lock.read_text().strip() == str(run.pid)
    assert grade(course).graded == 1


def test_what_lies_in_the_wrong_place_is_found(tmp_path: Path) -> None:
    for name in (NAME, "other"):
        (tmp_path / "assignments").mkdir(exist_ok=True)
        (tmp_path / "assignments" / f"{name}.md").touch()
    (tmp_path / "release" / "old").mkdir(parents=True)
    submitted = tmp_path / "submitted"
    for path in (
        # in its place, or of another assignment, or nothing that was handed in
        f"anna/{NAME}/{NAME}.ipynb",
        f"anna/other/{NAME}.ipynb",
        "ben/old/old.ipynb",
        "ben/Other.ipynb",
        "ben/notes.txt",
        "ben/.ipynb_checkpoints/x.ipynb",
        "roster.csv",
        # one folder off
        f"loose/{NAME}.ipynb",
        "loose/all.zip",
        "stray.ipynb",
        f"ty/{NAME.title()}/{NAME}.ipynb",
        f"wrong/01/{NAME}.ipynb",
    ):
        (submitted / path).parent.mkdir(parents=True, exist_ok=True)
        (submitted / path).touch()
    (submitted / "ben" / "empty").mkdir()
    (submitted / "link").mkdir()
    (submitted / "link" / "elsewhere").symlink_to(tmp_path)
    found = misplaced(tmp_path, NAME, submitted)
    assert [(one.student, one.found) for one in found] == [
        ("link", "submitted/link/elsewhere"),
        ("loose", "submitted/loose/all.zip"),
        ("loose", f"submitted/loose/{NAME}.ipynb"),
        ("", "submitted/stray.ipynb"),
        ("ty", f"submitted/ty/{NAME.title()}"),
        ("wrong", "submitted/wrong/01"),
    ]
    assert found[4].expected == f"submitted/ty/{NAME}"
    assert misplaced(tmp_path, NAME, tmp_path / "none") == []


@slow
def test_what_lies_in_the_wrong_place_is_named(
    course: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    hand_in(course, "loose").rename(course / "submitted" / "loose" / f"{NAME}.ipynb")
    (course / "submitted" / "loose" / NAME).rmdir()
    with pytest.raises(ClassroomError, match=rf"no submissions: .*; submitted/loose/{NAME}.ipynb"):
        grade(course)
    hand_in(course, "anna")
    with pytest.raises(ClassroomError, match=r"'loose' has not handed in .*; submitted/loose/"):
        grade(course, students=["loose"])
    for i in range(25):
        (course / "submitted" / f"stray {i:02}.ipynb").touch()
    shown = io.StringIO()
    assert grade(course, shown, workers=1).graded == 1
    said = shown.getvalue().splitlines()
    assert said[-21] == (
        f"warning: submitted/loose/{NAME}.ipynb was not graded: it is expected in "
        f"submitted/loose/{NAME}"
    )
    assert said[-1] == "warning: and 6 more in the wrong place"
    assert cli.main(["report", NAME, "--course", str(course)]) == 0
    page = Path(capsys.readouterr().out.strip()).read_text("utf-8")
    needs = page.partition("What needs you")[2].partition("Waiting for a person")[0]
    assert "submitted/stray 24.ipynb was not graded" in needs


@slow
def test_students_of_all_names(course: Path, capsys: pytest.CaptureFixture[str]) -> None:
    from hostile.structure import STUDENTS

    students = {*NAMES, *STUDENTS}
    for student in students:
        hand_in(course, student)
    assert grade(course).graded == len(students)
    assert grade(course).unchanged == len(students)
    found = grades(course)
    assert set(found) == students
    assert {data["score"] for data in found.values()} == {3.0}
    assert {student for student, _ in Store(course, NAME).results()} == students
    assert cli.main(["export", NAME, "--course", str(course)]) == 0
    table = capsys.readouterr().out
    assert not [row for row in csv.reader(io.StringIO(table)) if row[0].startswith(FORMULA)]
    assert "\n'=cmd()," in table
    assert "\n'-n," in table
    assert "\nZoë Ünï,3,6,0,,to be graded,2,1,\n" in table.replace("\r", "")


@slow
def test_what_cannot_be_done_is_said_in_a_line(
    course: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def said(*told: str) -> str:
        code = cli.main(["grade", *told])
        out, line = capsys.readouterr()
        assert (code, out) == (2, "")
        assert line.startswith("dpteach grade: ")
        assert line.count("\n") == 1
        return line

    where = ["--course", str(course)]
    assert "there is no assignment 'other'; there are: small" in said("other", *where)
    assert "nbgrader_config.py" in said(NAME, "--course", str(course / "source"))
    assert "there are no submissions" in said(NAME, *where)
    hand_in(course, "anna")
    assert "'ben' has not handed in small" in said(NAME, *where, "--student", "ben")
    assert "there is no item 'x'" in said(NAME, *where, "--item", "x")
    assert "exclude each other" in said(NAME, *where, "--workers", "2", "--scheduler", "")
    monkeypatch.setenv("PATH", str(course))
    assert "bubblewrap" in said(NAME, *where)
    # the text source has another check than the gradebook
    source = course / "assignments" / f"{NAME}.md"
    text = source.read_text()
    source.write_text(text.replace("points=2", "points=5"))
    assert "double_values: 5 points in the text source, 2 points in" in said(NAME, *where)
    source.write_text(text.replace("double_values", "double_value"))
    assert "dpteach assignments small" in said(NAME, *where)
    source.write_text(text.replace("Case(73519.25", "Case(nothing"))
    assert "small.md:" in said(NAME, *where)
    (course / ".grading" / NAME / "run.json").write_text("{")
    source.write_text(text)
    assert "--seed" in said(NAME, *where)
    for word in ("0", "-1", "x", "1.5"):
        with pytest.raises(SystemExit, match="2"):
            cli.main(["grade", NAME, "--workers", word])
        assert "must be an integer >= 1" in capsys.readouterr().err


def test_progress() -> None:
    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    for stream in (Terminal(), io.StringIO()):
        progress = Progress(stream)
        progress.begin(3)
        progress.count("graded")
        progress.line("anna\x1b[2J: refused")
        assert progress.text().startswith("1/3, 1 graded, 0:0")
        assert progress.text().endswith(" left")
        progress.count("refused")
        progress.count("graded")
        progress.close()
        shown = stream.getvalue()
        assert "anna\N{REPLACEMENT CHARACTER}[2J: refused" in shown
        assert "3/3, 2 graded, 1 refused, in 0:0" in shown
        assert ("\r" in shown) == stream.isatty()


def test_names_of_files() -> None:
    for student in [*NAMES, "../x", ".", "..", "a/b", "a\\b", "x" * 250, "\n", "a\x00", "%2E", "A"]:
        assert student_of(file_name(student)) == student
        assert "/" not in file_name(student)
        assert not file_name(student).startswith(".")
    for student in ("", "x" * 251, "学" * 84):
        with pytest.raises(ValueError, match="student must have"):
            file_name(student)


def test_files_are_whole_or_not_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "a" / "b.json"
    write_atomically(path, b"1")
    monkeypatch.setattr(os, "replace", lambda *_: (_ for _ in ()).throw(OSError("full")))
    with pytest.raises(OSError, match="full"):
        write_atomically(path, b"2")
    assert path.read_bytes() == b"1"
    assert [found.name for found in path.parent.iterdir()] == ["b.json"]


def test_the_seed_is_kept(tmp_path: Path) -> None:
    store = Store(tmp_path, NAME)
    assert store.seed() is None
    store.write_seed(12)
    assert Store(tmp_path, NAME).seed() == 12
    assert oct((tmp_path / ".grading").stat().st_mode & 0o777) == "0o700"
    for text in ("", "{}", '{"seed": -1}', '{"seed": true}', '{"seed": "1"}', "[]"):
        (store.folder / "run.json").write_text(text)
        with pytest.raises(ValueError, match="cannot be read"):
            store.seed()


@slow
def test_json_of_the_run(course: Path) -> None:
    hand_in(course, "anna", "{}")
    assert grade(course, workers=1).refused
    found = json.loads((course / ".grading" / NAME / "run.json").read_bytes())
    assert found["assignment"] == NAME
    assert 0 <= found["seed"] < 1 << 48
