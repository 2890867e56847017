"""Tests of `dpteach grade`: several workers, interrupted runs, failures, and what a run writes."""

from __future__ import annotations

import contextlib
import csv
import functools
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
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import small_course
from pseudo import untranslated
from small_course import NAME, RIGHT, WRONG, fake_grade, grades, hand_in, pages, result_files

from dpteach import cli
from dpteach._language import speaking
from dpteach.grading.author.source import SourceError
from dpteach.grading.classroom import classroom, cluster, progress, workers
from dpteach.grading.classroom.classroom import (
    ClassroomError,
    Settings,
    Summary,
    grade_class,
    grade_one,
    stale,
)
from dpteach.grading.classroom.progress import Progress, duration
from dpteach.grading.classroom.publish import Publisher
from dpteach.grading.classroom.workers import Answer, Local, local
from dpteach.grading.core.exam import Exam, Item
from dpteach.grading.core.result import ItemResult, Notice, Result, graded_by
from dpteach.grading.course.folder import course_api
from dpteach.grading.course.gradebook import Book, GradebookError, Standing
from dpteach.grading.course.misplaced import Misplaced, misplaced
from dpteach.grading.course.store import Store, write_atomically

TESTS = Path(__file__).resolve().parent
PROGRAM = [sys.executable, "-W", "ignore", str(TESTS / "small_course.py"), NAME]

pytestmark = [
    pytest.mark.filterwarnings("ignore::DeprecationWarning"),
    pytest.mark.filterwarnings("ignore::ResourceWarning"),
    pytest.mark.filterwarnings("ignore:.*:pytest.PytestUnhandledThreadExceptionWarning"),
]
slow = pytest.mark.slow

#: student names that a file system allows, but that often break programs
NAMES = ["Zoë Ünï", "anna b", "x.y", "=cmd()", "-n", "[x]", "100%", "学生", "o'neil", "(q)"]
#: the number of submissions in a course whose grading takes long enough to be interrupted
MANY = 12
#: a spreadsheet takes a cell for a formula if the cell begins with one of these characters
FORMULA = ("=", "+", "-", "@")


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return small_course.make_course(tmp_path_factory.mktemp("built") / "course")


@pytest.fixture(scope="module")
def two_workers() -> Iterator[Local]:
    """Start two workers on this machine, which all tests share except those that end workers."""
    with local(2, str) as crew:
        yield crew


@pytest.fixture(scope="module")
def whole(built: Path, two_workers: Local, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a course with the submissions of `hand_in_many`, graded by one uninterrupted run."""
    course = Path(shutil.copytree(built, tmp_path_factory.mktemp("whole") / "course"))
    hand_in_many(course)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(classroom, "local", lambda *_: contextlib.nullcontext(two_workers))
        assert grade(course, seed=3).graded == MANY
    return course


def hand_in_many(course: Path) -> None:
    for i in range(MANY):
        hand_in(course, f"s{i:02}", double=RIGHT if i % 3 else WRONG)


def is_like(course: Path, other: Path) -> None:
    """Assert that two courses have the same result files, grades and feedback pages."""
    assert result_files(course) == result_files(other)
    assert grades(course) == grades(other)
    assert pages(course) == pages(other)


@pytest.fixture
def course(
    built: Path, two_workers: Local, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Path:
    """Return a new course without submissions; runs with `fake_grade` share `two_workers`."""

    def shared(count: int, probe: Any) -> Any:
        return contextlib.nullcontext(two_workers) if probe is str else local(count, probe)

    monkeypatch.setattr(classroom, "local", shared)
    return Path(shutil.copytree(built, tmp_path / "course"))


@pytest.fixture
def log(two_workers: Local, tmp_path: Path) -> Iterator[Callable[[], list[str]]]:
    """Yield a function that lists what was graded since its last call.

    The list has an entry for each graded submission: the items graded again, or "all".
    """
    path = tmp_path / "log"

    def read() -> list[str]:
        lines = path.read_text().splitlines() if path.exists() else []
        path.unlink(missing_ok=True)
        return sorted(line.split()[1] for line in lines)

    def log_to(path: str) -> None:
        for worker in two_workers.workers():
            worker.executor.submit(small_course.log_to, path).result()

    log_to(str(path))
    yield read
    log_to("")


def grade(course: Path, stream: Any = None, **told: Any) -> Summary:
    """Grade a course by `fake_grade`, without a sandbox, and return the run's summary."""
    settings = Settings(**{"workers": 2, "grade": small_course.fake_grade} | told)
    return grade_class(course, NAME, settings, Progress(stream or io.StringIO()))


def program(course: Path, *told: str, tickets: int = MANY) -> subprocess.Popen[str]:
    """Start ``dpteach grade`` with `fake_grade` in a separate process group.

    Each graded submission uses up one of `tickets` files. When no file is left, each further
    submission takes 10 s, so that a test can stop the run before its end.
    """
    (folder := course / "tickets").mkdir()
    for i in range(tickets):
        (folder / str(i)).touch()
    return subprocess.Popen(
        [*PROGRAM, "--course", str(course), *told],
        env={**os.environ, "FAKE_TICKETS": str(folder)},
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
def test_a_class_at_1_2_and_3_workers(course: Path, everything: bool) -> None:
    """Any number of workers gives the same results; submissions that cannot be read are refused."""
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
    for count in (1, 2, 3) if everything else (1, 2):
        shutil.rmtree(course / ".grading", ignore_errors=True)
        settings = Settings(workers=count, seed=5)
        summary = grade_class(course, NAME, settings, Progress(io.StringIO()))
        assert summary.graded == 5
        assert set(summary.refused) == {
            "empty", "no json", "nothing", "file", "link", "caf\udce9"
        }  # fmt: skip
        assert "is empty" in summary.refused["empty"]
        assert "not a folder" in summary.refused["link"]
        assert "no student id" in summary.refused["caf\udce9"]
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
    # SIGTERM is tried only with --all, because `test_a_forced_run_that_is_ended` also sends it
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
    # only 4 of the 12 submissions are graded without delay; each other one takes 10 s (see
    # `program`), so that the run can be stopped midway
    run = program(course, "--workers", "2", "--seed", "3", tickets=4)
    until(lambda: number_of_results(course) >= 4)
    if number == signal.SIGINT:
        os.killpg(run.pid, number)  # Ctrl-C in a terminal reaches the whole process group
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
        # use new workers: starting them removes the temporary folder that the killed run left
        monkeypatch.setattr(classroom, "local", local)
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
    run = program(course, "--workers", "2", "--force", tickets=1)
    until(lambda: any(path.stat().st_mtime_ns != time for path, time in before.items()))
    run.send_signal(signal.SIGTERM)
    _, said = run.communicate(timeout=120)
    assert run.returncode == 130
    assert "nothing is lost, give --force again" in said
    assert "goes on from here" not in said
    assert "Traceback" not in said
    until(lambda: group_is_empty(run.pid))
    assert grade(course).unchanged == 6


def test_a_newer_grader_judges_new_submissions_only_unless_it_is_asked(
    course: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    hand_in(course, "anna")
    hand_in(course, "ben", double=WRONG)
    grade(course)
    before = result_files(course), grades(course), pages(course)
    monkeypatch.setattr(classroom, "graded_by", lambda: "a newer version")
    assert grade(course).older == {"anna", "ben"}
    assert (result_files(course), grades(course), pages(course)) == before
    hand_in(course, "carla")
    hand_in(course, "ben")
    summary = grade(course)
    assert (summary.graded, summary.unchanged) == (2, 1)
    assert grades(course)["anna"] == before[1]["anna"]
    # all three results still name the older version, because the worker processes do not see the
    # replaced `graded_by`; so all three submissions are graded again
    assert grade(course, items=["double_values"]).graded == 3
    assert not grade(course, students=["anna"], upgrade=True).older


@slow
def test_what_a_crash_left_out_is_made_good(course: Path) -> None:
    """If a crash kept a result out of the gradebook or the pages, the next run writes it there."""
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
    # a result file that was cut off, for example by a full disk, counts as missing
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
    # a changed submission is graded again
    hand_in(course, "ben", double=WRONG)
    assert grade(course).graded == 1
    assert log() == ["all"]
    assert grades(course)["ben"]["score"] == 1.0
    # an item whose check has changed is graded again only with `upgrade`
    source = course / "assignments" / f"{NAME}.md"
    source.write_text(source.read_text().replace("Case(61234.75", "Case(61235.75"))
    before = result_files(course), grades(course), pages(course)
    summary = grade(course)
    assert (summary.graded, summary.unchanged, summary.older) == (0, 2, {"anna", "ben"})
    assert "2 were judged by an earlier version" in summary.text()
    assert (result_files(course), grades(course), pages(course)) == before
    assert log() == []
    assert grade(course, upgrade=True).graded == 2
    assert log() == ["half_values", "half_values"]
    assert grade(course).unchanged == 2
    # even for a single student and item, an unchanged submission is graded again only with `force`
    assert grade(course, students=["anna"], items=["double_values"]).unchanged == 1
    grade(course, students=["anna"], items=["double_values"], force=True)
    assert log() == ["double_values"]
    # with `force` or another seed, all items are graded again
    grade(course, force=True)
    assert log() == ["all", "all"]
    grade(course, seed=77)
    assert log() == ["all", "all"]
    assert grade(course).unchanged == 2
    assert Store(course, NAME).seed() == 77
    # a result made without a sandbox (`unsafe`) is valid only for runs without a sandbox
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
def test_workers_that_die_and_graders_that_fail_are_named(course: Path) -> None:
    # a task may take 60 s + 6 * wall_seconds, here only 10 s
    limits = classroom.Limits(wall_seconds=-25 / 3)
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
    # a failed submission has no stored result, so the next run grades it again
    hand_in(course, "c raises")
    assert grade(course, students=["c raises"]).graded == 1


def free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        port: int = found.getsockname()[1]
        return port


@pytest.fixture
def scheduler(tmp_path: Path) -> Iterator[tuple[str, list[subprocess.Popen[bytes]]]]:
    """Start a Dask scheduler and two Dask workers on this machine as separate processes."""
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
    connected, clients = cluster._connected, []

    def connect(address: str) -> Any:
        clients.append(connected(address))
        return clients[0]

    class Killer(io.StringIO):
        """A stream that kills the scheduler and the workers at a run's first message."""

        def write(self, text: str) -> int:
            for process in processes:
                process.kill()
            # no new worker can come now, so shorten the wait for one
            monkeypatch.setattr(workers, "PATIENCE", 3.0)
            clients[0].rpc.timeout = 3.0
            return super().write(text)

    hand_in(course, "a raises", double=f"# raise\n{RIGHT}")
    patience = workers.PATIENCE
    monkeypatch.setattr(cluster, "_connected", connect)
    with pytest.raises(ClassroomError, match=r"scheduler is gone|no worker left|cannot grade"):
        grade(course, Killer(), workers=None, scheduler=address)
    monkeypatch.setattr(workers, "PATIENCE", patience)
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
    monkeypatch.setattr(cluster, "PATIENCE", 2.0)
    hand_in(course, "anna")
    with pytest.raises(ClassroomError, match="no scheduler answers at"):
        grade(course, workers=None, scheduler=address)
    # garbage collection must not wait for the client that could not connect
    start = time.monotonic()
    gc.collect()
    assert time.monotonic() - start < 8, "the client that came to nothing is waited for"
    assert "Traceback" not in capfd.readouterr().err


@slow
def test_a_scheduler_that_is_a_web_server(course: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cluster, "PATIENCE", 2.0)
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
    run = program(course, "--workers", "2", tickets=0)
    lock = course / ".grading" / NAME / "lock"
    until(lambda: lock.exists() and lock.read_text().strip() == str(run.pid))
    with pytest.raises(ClassroomError, match=f"graded already, by process {run.pid}"):
        grade(course)
    run.kill()
    run.communicate()
    # the lock file still names the killed process, but does not stop another run
    assert lock.read_text().strip() == str(run.pid)
    assert grade(course).graded == 1


def test_what_lies_in_the_wrong_place_is_found(tmp_path: Path) -> None:
    for name in (NAME, "other"):
        (tmp_path / "assignments").mkdir(exist_ok=True)
        (tmp_path / "assignments" / f"{name}.md").touch()
    (tmp_path / "release" / "old").mkdir(parents=True)
    (tmp_path / "source" / "older").mkdir(parents=True)
    submitted = tmp_path / "submitted"
    for path in (
        # `misplaced` must not report the files down to roster.csv: they lie where they belong, or
        # are not submissions
        f"anna/{NAME}/{NAME}.ipynb",
        f"anna/other/{NAME}.ipynb",
        "ben/old/old.ipynb",
        "ben/older/old.ipynb",
        "ben/__MACOSX/old.ipynb",
        "ben/Other.ipynb",
        "ben/notes.txt",
        "ben/.ipynb_checkpoints/x.ipynb",
        "roster.csv",
        # `misplaced` must report all files from here on; the first is in no assignment's folder
        f"loose/{NAME}.ipynb",
        "loose/ALL.zip",
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
        ("loose", "submitted/loose/ALL.zip"),
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
    with pytest.raises(ClassroomError, match=r"'loose' has not submitted .*; submitted/loose/"):
        grade(course, students=["loose"])
    for i in range(25):
        (course / "submitted" / f"stray {i:02}.ipynb").touch()
    shown = io.StringIO()
    assert grade(course, shown, workers=1).graded == 1
    said = shown.getvalue().splitlines()
    assert said[-21] == (
        f"warning: submitted/loose/{NAME}.ipynb was not graded, because it is expected in "
        f"submitted/loose/{NAME}"
    )
    assert said[-1] == "warning: 6 more submissions in the wrong place"
    assert cli.main(["report", NAME, "--course", str(course)]) == 0
    page = Path(capsys.readouterr().out.strip()).read_text("utf-8")
    needs = page.partition("What needs your attention")[2].partition("Waiting for a person")[0]
    assert "submitted/stray 24.ipynb was not graded" in needs
    # leave 20 misplaced files, which is how many a run lists by name
    for i in range(19, 25):
        (course / "submitted" / f"stray {i:02}.ipynb").unlink()
    shown = io.StringIO()
    assert grade(course, shown, workers=1).unchanged == 1
    said = shown.getvalue().splitlines()
    assert len(said) == 20 and "submitted/stray 18.ipynb was not graded" in said[-1]


@slow
def test_students_of_all_names(course: Path, capsys: pytest.CaptureFixture[str]) -> None:
    from hostile.structure import NO_STUDENTS, STUDENTS

    students = {*NAMES, *STUDENTS}
    for student in {*students, *NO_STUDENTS}:
        hand_in(course, student)
    summary = grade(course)
    assert summary.graded == len(students)
    assert set(summary.refused) == {*NO_STUDENTS}
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
    assert "\nZoë Ünï,3,6,0,,to be graded,,2,1,\n" in table.replace("\r", "")


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
    assert "'ben' has not submitted small" in said(NAME, *where, "--student", "ben")
    assert "there is no item 'x'" in said(NAME, *where, "--item", "x")
    assert "exclude each other" in said(NAME, *where, "--workers", "2", "--scheduler", "")
    monkeypatch.setenv("PATH", str(course))
    assert "bubblewrap" in said(NAME, *where)
    # let the points in the text source differ from those in the gradebook
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


def test_the_outcome_of_a_run_is_in_catalogs() -> None:
    stream = io.StringIO()
    with speaking("en-XA"):
        summary = Summary(1, 2, {"ann": "why"}, {"ben": "why"})
        assert untranslated(summary.text(), "ann", "ben") == []
        progress = Progress(stream)
        progress.begin(4)
        for kind in ("graded", "refused", "failed", "graded"):
            progress.count(kind)
            assert untranslated(progress.text()) == []
        lost = Misplaced("ann", "submitted/ann/x.ipynb", "submitted/ann/x")
        assert untranslated(lost.text) == []


def test_names_of_files(tmp_path: Path) -> None:
    store = Store(tmp_path, NAME)
    students = sorted({*NAMES, "x" * 250, "%2E", "A", "a.json", ".hidden"})
    for student in students:
        store.write_result(student, b"")
        assert store.file("results", student).parent == store.folder / "results"
    assert store.students("results") == students
    for student in ("", ".", "..", "../x", "a/b", "\n", "a\x00", "x" * 251, "学" * 84):
        with pytest.raises(ValueError, match="student must have"):
            store.file("results", student)


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
    for seed in (0, 12):
        store.write_seed(seed)
        assert Store(tmp_path, NAME).seed() == seed
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


# --- which items of an earlier result must be graded again

ITEMS = tuple(Item(name, "check", 1.0, "a#b", "f", {"x": i}) for i, name in enumerate("abc"))
EXAM = Exam(NAME, 3, "the notebook", ITEMS)
STANDS = Result(
    NAME, 3, "the files", EXAM.instructor, "bubblewrap", "graded", (),
    tuple(ItemResult(item.name, "check", 1.0, "a#b", item.key, 1.0) for item in ITEMS), "",
    program=graded_by(),
)  # fmt: skip
REFUSED = replace(STANDS, status="refused")
UNSAFE = replace(STANDS, sandbox="none")


def another(*names: str) -> Result:
    """Return the result `STANDS`, as if the checks of the items `names` had changed later."""
    return replace(
        STANDS, items=tuple(replace(i, key="x") if i.name in names else i for i in STANDS.items)
    )


@pytest.mark.parametrize(
    ("result", "settings", "items"),
    [
        (None, {}, None),
        (STANDS, {}, ()),
        (replace(STANDS, submission="other files"), {}, None),
        (replace(STANDS, instructor="another notebook"), {}, None),
        (replace(STANDS, program="that of last year"), {}, None),
        (replace(STANDS, seed=4), {}, None),
        (UNSAFE, {}, None),
        (UNSAFE, {"unsafe": True}, ()),
        (STANDS, {"unsafe": True}, ()),
        (REFUSED, {}, ()),
        (replace(another("b"), status="refused"), {}, ()),
        (REFUSED, {"force": True}, None),
        (STANDS, {"force": True}, None),
        # if the items of a result are not those of the assignment, all items are graded again
        (replace(STANDS, items=STANDS.items[:2]), {}, None),
        (replace(STANDS, items=(*STANDS.items, replace(STANDS.items[0], name="d"))), {}, None),
        (another("b"), {}, ("b",)),
        (another("c", "a"), {}, ("a", "c")),
        (another("a", "c"), {"items": ["c", "b"]}, ("c",)),
        (another("a"), {"items": ["c"]}, ()),
        (STANDS, {"items": ["c", "b"], "force": True}, ("b", "c")),
        # a result says for all items together whether a sandbox was used, so one item from an
        # unsafe run cannot be put into a result from a sandbox
        (another("b"), {"unsafe": True}, None),
        (replace(another("b"), sandbox="none"), {"unsafe": True}, ("b",)),
    ],
)
def test_what_must_be_graded_again(
    result: Result | None, settings: dict[str, Any], items: tuple[str, ...] | None
) -> None:
    assert stale(result, EXAM, "the files", Settings(**settings)) == items


def test_where_nothing_can_be_graded(monkeypatch: pytest.MonkeyPatch) -> None:
    made = []

    def sandbox(*, unsafe: bool) -> Any:
        made.append(unsafe)
        if unsafe:
            return contextlib.nullcontext()
        raise classroom.SandboxMissingError("no bubblewrap")

    monkeypatch.setattr(classroom, "Sandbox", sandbox)
    here = classroom.dpteach.__version__
    assert classroom._probe(False, here).startswith("no bubblewrap Students' code is run in")
    assert classroom._probe(True, here) == ""
    assert classroom._probe(True, "0.0") == f"it has dpteach {here}, and this is 0.0"
    assert made == [False, True]


def test_a_draw_that_is_no_exam_is_drawn_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / f"{NAME}.md").write_text("text")
    seeds: list[int] = []
    good = 3

    def make(path: Path, seed: int) -> Exam:
        seeds.append(seed)
        if len(seeds) < good:
            raise SourceError("a mistake is not caught")
        return replace(EXAM, seed=seed)

    monkeypatch.setattr(classroom, "make_exam", make)
    store = Store(tmp_path, NAME)

    def drawn(**told: Any) -> Exam:
        return classroom._exam(tmp_path / f"{NAME}.md", store, Settings(**told))

    assert drawn().seed == seeds[2] == store.seed()
    assert len(set(seeds)) == 3
    # the stored seed is used until the instructor chooses another one
    assert drawn().seed == store.seed() == seeds[2]
    assert drawn(seed=0).seed == store.seed() == drawn().seed == 0
    with pytest.raises(ClassroomError, match="there is no item 'x'; there are: a, b, c"):
        drawn(seed=9, items=["a", "x"])
    assert store.seed() == 0
    # `make` would accept only the fourth seed, but a run tries at most three
    seeds.clear()
    good = 4
    (tmp_path / ".grading" / NAME / "run.json").unlink()
    with pytest.raises(ClassroomError, match="a mistake is not caught"):
        drawn()
    assert len(seeds) == 3 and store.seed() is None


# --- the command `dpteach grade`


def test_the_command_hands_on_what_it_is_told(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    found: list[Any] = []
    before = signal.getsignal(signal.SIGTERM)
    summary: Any = Summary(graded=2, unchanged=3)

    def grade_class(course: Path, assignment: str, settings: Settings, shown: Progress) -> Summary:
        found.append((str(course), assignment, settings))
        assert signal.getsignal(signal.SIGTERM) != before, "a kill ends it politely"
        shown.begin(7)
        shown.count("graded")
        if isinstance(summary, BaseException):
            raise summary
        return summary

    monkeypatch.setattr(classroom, "grade_class", grade_class)
    told = ["--student", "a", "--student", "b", "--item", "x", "--seed", "0", "--force"]
    told += ["--no-sandbox", "--workers", "1", "--upgrade"]
    assert cli.main(["grade", NAME, "--course", "here", *told]) == 0
    assert capsys.readouterr().out == "2 graded, 3 had not changed\n"
    settings = Settings(1, None, ["a", "b"], ["x"], 0, True, True, True)
    assert found.pop() == ("here", NAME, settings)
    assert cli.main(["grade", NAME, "--scheduler", "h:1"]) == 0
    assert found.pop()[2] == Settings(scheduler="h:1", students=[], items=[])
    capsys.readouterr()
    for reasons in ("refused", "failed"):
        summary = Summary(**{reasons: {"zoe\x1b": "why", "ann": "why"}})  # type: ignore[arg-type]
        assert cli.main(["grade", NAME]) == 1
        said = capsys.readouterr().out
        assert said == f"0 graded, 0 had not changed; 2 {reasons}: ann, zoe\ufffd\n"
    summary = ClassroomError("nobody is there")
    assert cli.main(["grade", NAME]) == 2
    assert "dpteach grade: nobody is there\n" in capsys.readouterr().err
    summary = KeyboardInterrupt()
    for force, then in (
        ([], "the next run goes on"),
        (["--force"], "give --force again"),
        (["--upgrade"], "give --upgrade again"),
    ):
        assert cli.main(["grade", NAME, *force]) == 130
        assert f"ended after 1 of 7; nothing is lost, {then}" in capsys.readouterr().err


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_kill_ends_a_run_as_ctrl_c_does(number: signal.Signals) -> None:
    before = signal.getsignal(number)
    with pytest.raises(KeyboardInterrupt), classroom._ends_politely(Progress(io.StringIO())):
        os.kill(os.getpid(), number)
    assert signal.getsignal(number) is before


def test_a_kill_ends_a_run_where_a_library_catches_what_it_raises(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    class Destroyed:
        def __init__(self, act: Callable[[], object]) -> None:
            self.act = act

        def __del__(self) -> None:
            self.act()

    shown: list[type[BaseException]] = []
    monkeypatch.setattr(sys, "unraisablehook", lambda told: shown.append(told.exc_type))
    progress = Progress(io.StringIO())
    with classroom._ends_politely(progress):
        progress.tick()
        Destroyed(lambda: os.kill(os.getpid(), signal.SIGTERM))
        with pytest.raises(KeyboardInterrupt):
            progress.tick()
        Destroyed(lambda: {}["missing"])  # type: ignore[misc]
    assert shown == [KeyError], "nobody is shown the interrupt that was dropped, all else is"
    Destroyed(lambda: {}["missing"])  # type: ignore[misc]
    assert shown == [KeyError] * 2


# --- a class that is graded in the test's process


def here(tasks: Iterator[Any], work: Any, **told: Any) -> Iterator[Answer]:
    """Grade tasks one by one in this process; tests put this in the place of `workers.answers`."""
    for task in tasks:
        told["tick"]()
        data = work(task.exam, task.files, items=task.items)
        yield Answer(task, data) if data else Answer(task, None, "no result")


@pytest.fixture
def own(built: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a new course whose submissions are graded in this process."""
    monkeypatch.setattr(classroom, "answers", here)
    monkeypatch.setattr(classroom, "local", lambda *_: contextlib.nullcontext())
    return Path(shutil.copytree(built, tmp_path / "course"))


@slow
def test_only_who_is_asked_for_is_graded(own: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    closed: list[Progress] = []
    monkeypatch.setattr(Progress, "close", lambda self: closed.append(self))
    hand_in(own, "loose").rename(own / "submitted" / "loose" / f"{NAME}.ipynb")
    (own / "submitted" / "loose" / NAME).rmdir()
    for student in ("anna", "ben", "carl"):
        hand_in(own, student)
    shown = io.StringIO()
    assert grade(own, shown, students=["ben", "anna"]).graded == 2
    assert set(grades(own)) == {"anna", "ben"}
    assert shown.getvalue().splitlines()[-2].startswith("2/2, 2 graded, in ")
    assert shown.getvalue().splitlines()[-1].startswith("warning: submitted/loose/")
    assert len(closed) == 1
    with pytest.raises(ClassroomError, match=r"'dora' has not submitted small$"):
        grade(own, students=["eve", "anna", "dora"])


@slow
def test_how_the_workers_are_asked(own: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Local workers start early if there are at least as many new submissions as workers.

    Early means while the data for grading are still being made. Each worker is first asked whether
    it can use the sandbox.
    """
    told: list[Any] = []

    def crew(what: Any, probe: Any) -> Any:
        told.append((what, probe()))
        return contextlib.nullcontext((what, probe))

    def answers(tasks: Iterator[Any], work: Any, **asked: Any) -> Iterator[Answer]:
        told.append(asked["seconds"])
        return here(tasks, functools.partial(fake_grade, **work.keywords), **asked)

    def runs(settings: Settings) -> list[Any]:
        told.clear()
        with contextlib.suppress(ClassroomError):
            grade_class(own, NAME, settings, Progress(io.StringIO()))
        return list(told)

    monkeypatch.setattr(classroom, "answers", answers)
    monkeypatch.setattr(classroom, "local", crew)
    monkeypatch.setattr(classroom, "cluster", crew)
    monkeypatch.setattr(classroom, "_probe", lambda unsafe, version: f"{unsafe} {version}")
    monkeypatch.setattr(classroom.os, "cpu_count", lambda: 4)
    for student in ("anna", "ben", "carl"):
        hand_in(own, student)
    safe, unsafe = (f"{unsafe} {classroom.dpteach.__version__}" for unsafe in (False, True))
    limits = classroom.Limits(wall_seconds=100)
    assert runs(Settings(workers=4, limits=limits)) == [(3, safe), 660]
    assert runs(Settings(workers=2)) == []  # all submissions have results, so no worker is started
    assert runs(Settings(force=True, unsafe=True)) == [(3, unsafe), 780]
    assert runs(Settings(workers=2, force=True)) == [(2, safe), 780]
    assert runs(Settings(force=True, grade=fake_grade)) == [(3, ""), 780]
    for student in ("dora", "eve"):
        hand_in(own, student)
    # on a cluster, or for chosen students, workers start only after the data for grading are made,
    # so an unknown item ends the run before any worker starts
    assert runs(Settings(students=["dora"], scheduler="h:1")) == [("h:1", safe), 780]
    assert runs(Settings(workers=1, students=["eve"], items=["nothing"])) == []
    assert runs(Settings(workers=1, items=["nothing"])) == [(1, safe)]
    assert runs(Settings(workers=1)) == [(1, safe), 780]


@slow
def test_a_result_that_cannot_be_used(own: Path) -> None:
    """A worker's result for another submission, or in another format, is refused and not stored."""
    given: dict[str, Any] = {}

    def odd(exam: bytes, files: Any, *told: Any, **more: Any) -> bytes:
        first = fake_grade(exam, files, *told, **more)
        if b"lent" in files[f"{NAME}.ipynb"]:
            return fake_grade(exam, {"other": b""}, *told, **more)
        return given.get(str(files[f"{NAME}.ipynb"]), first)

    hand_in(own, "anna")
    hand_in(own, "lent", double=f"# lent\n{RIGHT}")
    path = hand_in(own, "none", double=f"# none\n{RIGHT}")
    given[str(path.read_bytes())] = b""
    path = hand_in(own, "odd", double=f"# odd\n{RIGHT}")
    given[str(path.read_bytes())] = b"[]"
    shown = io.StringIO()
    summary = grade(own, shown, grade=odd)
    cannot = "the worker's result cannot be used: "
    assert summary.graded == 1
    assert summary.failed["lent"] == f"{cannot}it belongs to another submission"
    assert summary.failed["odd"].startswith(f"{cannot}data must be a result")
    assert summary.failed["none"] == "no result"
    assert f"lent: failed: {cannot}it belongs to another submission\n" in shown.getvalue()
    assert "4/4, 3 failed, 1 graded" in shown.getvalue()
    assert set(result_files(own)) == {"anna.json"} and set(grades(own)) == {"anna"}
    assert grade(own).graded == 3


@slow
def test_what_is_said_while_a_class_is_graded(own: Path) -> None:
    def noticing(*told: Any, **more: Any) -> bytes:
        result = Result.from_bytes(fake_grade(*told, **more))
        notices = tuple(
            Notice(code, f"The {code}.")
            for code in ("moved_cell", "cell_error", "slow_cell", "output_cut")
        )
        return replace(result, notices=notices).to_bytes()

    (hand_in(own, "anna").parent / "timestamp.txt").write_text("yesterday")
    hand_in(own, "ben", "{")
    shown = io.StringIO()
    summary = grade(own, shown, grade=noticing)
    said = shown.getvalue().splitlines()
    assert (
        "anna: timestamp.txt has no date and time, so the submission counts as submitted in time: "
        "'yesterday'"
    ) in said
    # a run does not print notices that only the student needs, and prints a refusal once
    assert [line for line in said if "The " in line] == [
        "anna: The moved_cell.",
        "ben: refused: The output_cut.",
    ]
    assert "2/2, 1 graded, 1 refused, in " in shown.getvalue()
    assert summary.refused == {"ben": "The output_cut."}
    # the next run grades nothing, but reports the refused submission again
    again = grade(own, grade=noticing)
    assert (again.graded, again.unchanged, again.refused) == (0, 2, summary.refused)


@slow
def test_what_is_not_recorded_is_one_student_s(own: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for student in ("anna", "ben"):
        hand_in(own, student)
    written: list[str] = []
    write = Publisher.write

    def full(self: Publisher, result: Result, standing: Standing) -> None:
        written.append(standing.student)
        if broken == standing.student:
            raise OSError("full")
        write(self, result, standing)

    monkeypatch.setattr(Publisher, "write", full)
    broken, shown = "anna", io.StringIO()
    summary = grade(own, shown)
    assert summary.failed == {"anna": "graded, but not recorded: OSError: full"}
    assert "2/2, 1 failed, 1 graded" in shown.getvalue()
    # the next run writes only anna's page, the writing of which failed
    broken = ""
    assert grade(own).unchanged == 2
    assert written == ["anna", "ben", "anna"]
    assert grade(own).unchanged == 2 and len(written) == 3
    # a gradebook that cannot be written stops the whole run
    record = Book.record

    def locked(*told: Any, **more: Any) -> Standing:
        raise GradebookError("it is locked")

    monkeypatch.setattr(Book, "record", locked)
    with pytest.raises(ClassroomError, match="it is locked"):
        grade(own)
    monkeypatch.setattr(Book, "record", record)


@slow
def test_a_submission_that_goes_while_others_are_graded(own: Path) -> None:
    for student in ("anna", "ben"):
        hand_in(own, student)

    def removing(*told: Any, **more: Any) -> bytes:
        shutil.rmtree(own / "submitted" / "ben", ignore_errors=True)
        return fake_grade(*told, **more)

    shown = io.StringIO()
    summary = grade(own, shown, grade=removing)
    assert summary.refused == {"ben": "its small is not a folder that can be read"}
    assert summary.graded == 1 and "2/2, 1 graded, 1 refused" in shown.getvalue()


@slow
def test_one_submission_by_nbgrader_s_way(own: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """`grade_one` grades even an unchanged submission again; if it cannot grade, it raises."""
    calls: list[tuple[str, bool]] = []

    def counting(exam: bytes, files: Any, *, unsafe: bool, **told: Any) -> bytes:
        calls.append((Exam.from_bytes(exam).assignment, unsafe))
        return fake_grade(exam, files, unsafe=unsafe, **told)

    monkeypatch.setattr(classroom, "Settings", lambda **told: Settings(**told, grade=counting))
    api = course_api(own)
    hand_in(own, "anna")
    for unsafe in (False, True, False):
        result = grade_one(api, NAME, "anna", unsafe=unsafe)
        assert result.sandbox == ("none" if unsafe else "bubblewrap")
        assert grades(own)["anna"]["score"] == 3.0
    assert calls == [(NAME, False), (NAME, True), (NAME, False)]
    assert set(pages(own)) == {f"feedback/anna/{NAME}/{NAME}.html"}, "nbgrader writes the notebook"
    hand_in(own, "ben", "")
    with pytest.raises(ClassroomError, match=r"ben: .* is empty"):
        grade_one(api, NAME, "ben")
    with pytest.raises(ClassroomError, match="carl: its small is not a folder"):
        grade_one(api, NAME, "carl")
    source = own / "assignments" / f"{NAME}.md"
    source.write_text(source.read_text().replace("points=2", "points=5"))
    with pytest.raises(ClassroomError, match="double_values: 5 points in the text source"):
        grade_one(api, NAME, "anna")


# --- the graded notebook and the feedback page


def publisher(root: Path, **config: Any) -> Publisher:
    """Return a `Publisher`, which writes graded notebooks and feedback pages below `root`."""
    from nbgrader.coursedir import CourseDirectory

    api: Any = SimpleNamespace(coursedir=CourseDirectory(root=str(root)), config=config)
    return Publisher(api, NAME)


def standing(**changes: Any) -> Standing:
    from datetime import datetime

    told: dict[str, Any] = {
        "student": "anna", "submitted": True, "timestamp": datetime(2026, 3, 1, 12),
        "scores": {"a": 0.5}, "comments": {"a": "Nearly."}, "penalty": 0.25,
        "late": "2 hours late", "total": 1.5, "maximum": 3.0,
    }  # fmt: skip
    return Standing(**(told | changes))


NOTEBOOK = json.dumps({"cells": [], "metadata": {}, "nbformat": 4, "nbformat_minor": 5})


def test_pages_are_written_and_go_again(tmp_path: Path) -> None:
    result = replace(STANDS, notebook=NOTEBOOK)
    ours = publisher(tmp_path)
    graded, page = (tmp_path / step / "anna" / NAME for step in ("autograded", "feedback"))
    names = f"{NAME}.ipynb", "timestamp.txt"
    assert not ours.exists("anna", result)
    for _ in range(2):  # the second call must replace the read-only files of the first
        ours.write(result, standing())
        assert sorted(path.name for path in graded.iterdir()) == sorted(names)
    assert {(graded / name).stat().st_mode & 0o777 for name in names} == {0o444}
    assert (page / f"{NAME}.html").stat().st_mode & 0o777 == 0o644
    assert (graded / names[0]).read_text() == result.notebook
    assert (graded / names[1]).read_text() == "2026-03-01 12:00:00 UTC"
    assert ours.exists("anna", result) and not ours.exists("ben", result)
    assert not ours.exists("anna", STANDS), "a notebook that belongs to no result"
    # without a time of submission, timestamp.txt is deleted; without a notebook, both
    # timestamp.txt and the notebook's file are deleted
    ours.write(result, standing(timestamp=None))
    assert [path.name for path in graded.iterdir()] == [names[0]]
    ours.write(result, standing())
    ours.write(STANDS, standing())
    assert list(graded.iterdir()) == [] and ours.exists("anna", STANDS)
    assert not ours.exists("anna", result)
    (page / f"{NAME}.html").unlink()
    assert not ours.exists("anna", STANDS)
    # a folder in the place of the timestamp file does not stop the page from being written
    (graded / names[1]).mkdir()
    ours.write(result, standing())
    assert (page / f"{NAME}.html").exists() and (graded / names[1]).is_dir()
    (graded / names[1]).rmdir()
    (graded / names[0]).unlink()
    (page / f"{NAME}.html").unlink()
    # if `notebooks` is False, no notebook is written, as when nbgrader's autograde writes it itself
    ours.notebooks = False
    ours.write(result, standing())
    assert list(graded.iterdir()) == [] and (page / f"{NAME}.html").exists()


def test_the_page_has_what_the_gradebook_says(tmp_path: Path) -> None:
    # a result that an older dpteach stored may lack fields that verdicts have now
    items = (replace(STANDS.items[0], visible={"tried": 1, "failed": 1, "called": "f(1)"}),)
    result = replace(STANDS, items=items)
    page = tmp_path / "feedback" / "anna" / NAME / f"{NAME}.html"
    publisher(tmp_path, FeedbackExporter={"book": "https://host/book"}).write(result, standing())
    text = page.read_text("utf-8")
    for words in (
        "for anna<",
        "<strong>1.5 of 3 points</strong>, submitted 2 hours late, which costs 0.25 points",
        "Nearly.",
        "The program gave 1; a person changed that.",
        'href="https://host/book/a.html#b"',
    ):
        assert words in text
    publisher(tmp_path).write(result, standing(penalty=0.0))
    text = page.read_text("utf-8")
    assert "late" not in text.partition("<main>")[2] and "a.html" not in text


# --- the progress of a run


def test_when_the_state_is_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    """The state of a run is shown every 0.2 s as a bar in a terminal, and every 30 s in a file."""

    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return bar

    now = 1000.0
    monkeypatch.setattr(progress, "time", SimpleNamespace(monotonic=lambda: now))
    for bar, wait in ((False, 30.0), (True, 0.2)):
        stream = Terminal()
        shown = Progress(stream)
        shown.begin(4)

        def news(stream: io.StringIO = stream) -> str:
            text = stream.getvalue()
            stream.seek(0)
            stream.truncate()
            return text

        shown.tick()
        assert bool(news()) is bar, "a bar is there at once"
        now += 0.99 * wait
        shown.count("graded")
        assert not news()
        now += 0.02 * wait
        shown.tick()
        assert "1/4, 1 graded" in news()
        shown.tick()
        assert not news()
        shown.line("a line")
        assert news() == ("\r\x1b[K" if bar else "") + "a line\n"
        # the printed line has erased the bar, so the next tick draws the bar again
        shown.tick()
        assert bool(news()) is bar
        for kind in ("graded", "failed", "graded"):
            shown.count(kind)
        assert "4/4, 1 failed, 3 graded, in 0:" in news()
        shown.close()
        assert news() == ("\n" if bar else "")


def test_the_time_that_is_left(monkeypatch: pytest.MonkeyPatch) -> None:
    now = 50.0
    monkeypatch.setattr(progress, "time", SimpleNamespace(monotonic=lambda: now))
    shown = Progress(io.StringIO())
    shown.begin(10)
    assert shown.text() == "0/10"
    now += 60
    shown.counts["graded"] = 4
    assert shown.text() == "4/10, 4 graded, 1:30 left"
    shown.counts["refused"] = 6
    assert shown.text() == "10/10, 4 graded, 6 refused, in 1:00"
    assert [duration(x) for x in (0.4, 59.6, 3599, 3600, 36_061)] == [
        "0:00", "1:00", "59:59", "1:00:00", "10:01:01",
    ]  # fmt: skip


@pytest.mark.parametrize(("columns", "marks"), [(80, 40), (40, 20), (20, 0)])
def test_the_bar_fits_the_terminal(
    columns: int, marks: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", str(columns))
    stream = io.StringIO()
    shown = Progress(stream)
    shown.bar, shown.shown = True, 0.0
    shown.begin(4)
    shown.counts["graded"] = 2
    monkeypatch.setattr(shown, "text", lambda: "2/4, 2 graded, 0")
    shown.tick()
    drawn = stream.getvalue().removeprefix("\r\x1b[K")
    assert drawn.count("#") == marks // 2
    assert drawn.count("#") + drawn.count(".") == marks
    assert len(drawn) < columns and "2/4, 2 graded" in drawn


# --- the folder in which results are stored


def test_a_lock_names_who_holds_it(tmp_path: Path) -> None:
    store = Store(tmp_path, NAME)
    store.folder.mkdir(parents=True)
    (store.folder / "lock").write_text("a longer line of another process\n")
    with store.lock():
        assert (store.folder / "lock").read_text() == f"{os.getpid()}\n"
        with pytest.raises(classroom.BusyError, match=f"by process {os.getpid()}$"):
            Store(tmp_path, NAME).lock().__enter__()
        with Store(tmp_path, "other").lock():
            pass
        (store.folder / "lock").write_text("")
        with pytest.raises(classroom.BusyError, match=r"by process unknown$"):
            store.lock().__enter__()
    with store.lock():
        pass


def test_what_the_store_cannot_read_is_not_there(tmp_path: Path) -> None:
    store = Store(tmp_path, NAME)
    assert store.recorded("anna") == {} and store.result("anna") is None
    assert list(store.results()) == []
    for student in ("ben", "anna", ".x"):
        store.write_result(student, STANDS.to_bytes())
        store.write_recorded(student, {"pages": student})
    assert [student for student, _ in store.results()] == [".x", "anna", "ben"]
    assert store.recorded(".x") == {"pages": ".x"}
    for text in (b"[]", b"{", b""):
        (store.folder / "results" / "anna.json").write_bytes(text)
        (store.folder / "recorded" / "anna.json").write_bytes(text)
        assert store.result("anna") is None and store.recorded("anna") == {}
    assert [student for student, _ in store.results()] == [".x", "ben"]
    files = [*(store.folder / "results").iterdir(), *(store.folder / "recorded").iterdir()]
    assert {path.stat().st_mode & 0o777 for path in files} == {0o600}


def test_writing_follows_no_link(tmp_path: Path) -> None:
    (tmp_path / "mine").write_text("mine")
    (tmp_path / ".writing").symlink_to("mine")
    with pytest.raises(OSError, match="symbolic links"):
        write_atomically(tmp_path / "new", b"x")
    assert (tmp_path / "mine").read_text() == "mine"
