"""Tests of how tasks are given to workers: simulated ones, local processes, and a cluster."""

from __future__ import annotations

import contextlib
import functools
import logging
import multiprocessing
import os
import random
import signal
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from concurrent.futures import BrokenExecutor, Executor, Future
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from dpteach.grading.classroom import cluster, workers
from dpteach.grading.classroom.workers import Answer, Task, Worker, WorkersError, local

pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning")


class Pool(Executor):
    """A simulated executor of one worker; its tasks end only when a test ends them."""

    def __init__(self, crew: Crew) -> None:
        self.crew, self.broken = crew, False

    def submit(self, function: Any, *told: Any) -> Future[Any]:  # type: ignore[override]
        if self.broken:
            raise BrokenExecutor
        if told:
            assert function is workers._attempt
            self.crew.asked.append(told)
        future: Future[Any] = Future()
        self.crew.futures.append(future)
        return future


class Crew:
    """A set of simulated workers, with a record of their tasks and of the workers that ended."""

    def __init__(self, count: int = 2, *, ready: bool = True) -> None:
        self.ready, self.ended = ready, [0]
        self.asked: list[tuple[Any, ...]] = []
        self.futures: list[Future[Any]] = []
        self.ended.clear()
        self.made: list[Worker] = []
        self.here: list[Worker] = []
        for _ in range(count):
            self.start()

    def start(self) -> Worker:
        ready: Future[str] = Future()
        if self.ready:
            ready.set_result("")
        self.made.append(Worker(Pool(self), ready, f"w{len(self.made)}"))
        self.here.append(self.made[-1])
        return self.made[-1]

    def workers(self) -> list[Worker]:
        return list(self.here)

    def end(self, worker: Worker) -> None:
        self.ended.append(self.made.index(worker))
        if worker in self.here:
            self.here.remove(worker)
            self.start()

    def under_way(self) -> list[Future[Any]]:
        return [one for one in self.futures if not one.done()]


class Clock:
    """A simulated clock, whose time changes only when a test sets `now`."""

    now = 100.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    clock = Clock()
    monkeypatch.setattr(workers, "time", SimpleNamespace(monotonic=clock))
    return clock


TASKS = [Task(f"s{i}", b"exam", {"a.ipynb": b"%d" % i}, None if i else ("one",)) for i in range(5)]


def work(exam: bytes, files: Any, items: Any) -> bytes:
    return b""


def answers(crew: Crew, *steps: Callable[[], object], tasks: int = 5) -> Iterator[Answer]:
    """Yield the answers to `tasks` tasks, and call one of `steps` before each wait for an answer.

    The steps are called in order. Once only the last is left, it is called before every wait.
    """
    left = list(steps)

    def tick() -> None:
        (left.pop(0) if len(left) > 1 else left[0])()

    return workers.answers(iter(TASKS[:tasks]), work, seconds=5.0, crew=crew, tick=tick)


def nothing() -> None:
    """Do nothing; as a step of `answers`, it ends no task."""


def test_as_many_are_under_way_as_there_are_workers() -> None:
    crew, seen = Crew(2), []

    def one_ends() -> None:
        under_way = crew.under_way()
        seen.append(len(under_way))
        number = crew.futures.index(under_way[-1]) if under_way else 0
        for one in under_way[-1:]:
            one.set_result((b"%d" % number, ""))

    found = list(answers(crew, nothing, one_ends))
    assert seen == [2, 2, 2, 2, 1]
    assert [(one.task, one.result, one.error) for one in found] == [
        (TASKS[i], b"%d" % i, "") for i in (1, 2, 3, 4, 0)
    ]
    assert crew.asked == [(work, b"exam", task.files, task.items) for task in TASKS]
    assert crew.ended == []


def test_a_worker_that_comes_later_gets_a_task() -> None:
    crew, seen = Crew(0), []

    def step() -> None:
        seen.append(len(crew.under_way()))
        while len(crew.made) < 3:
            crew.start()
        if len(seen) > 3:
            crew.under_way()[0].set_result((b"", ""))

    assert len(list(answers(crew, step))) == 5
    assert max(seen) == 3, "one for each"


def died(name: str) -> Exception:
    return type(name, (Exception,), {})()


@pytest.mark.parametrize(
    ("found", "error"),
    [
        ((None, "RuntimeError: no way"), "RuntimeError: no way"),
        (died("KilledWorker"), "every worker that took it died (at most 3 are tried)"),
        (died("TimeoutError"), "TimeoutError"),
    ],
)
def test_what_went_wrong_is_an_answer(found: Any, error: str) -> None:
    crew = Crew(1)

    def ends() -> None:
        for one in crew.under_way():
            one.set_exception(found) if isinstance(found, Exception) else one.set_result(found)

    (answer,) = answers(crew, ends, tasks=1)
    assert (answer.task, answer.result, answer.error) == (TASKS[0], None, error)


def test_a_task_whose_worker_dies_is_tried_on_another_one_and_not_for_ever() -> None:
    crew = Crew(2)

    def step() -> None:
        for one in crew.under_way():
            files = crew.asked[crew.futures.index(one)][2]
            if files == TASKS[0].files:
                one.set_exception(BrokenExecutor())
            else:
                one.set_result((b"x", ""))

    found = {one.task.student: one for one in answers(crew, step)}
    assert len(crew.ended) == 3, "three workers are lost, and each has a successor"
    assert len(crew.asked) == 7 and len(found) == 5
    assert found["s0"].error == "every worker that took it died (at most 3 are tried)"
    assert {one.result for name, one in found.items() if name != "s0"} == {b"x"}


def test_a_worker_that_dies_while_it_has_nothing_to_do_costs_nothing() -> None:
    crew = Crew(1)
    crew.made[0].executor.broken = True  # type: ignore[attr-defined]

    def ends() -> None:
        for one in crew.under_way():
            one.set_result((b"x", ""))

    assert [one.result for one in answers(crew, ends, tasks=2)] == [b"x", b"x"]
    assert crew.ended == [0]


def test_a_scheduler_that_is_gone_ends_the_run() -> None:
    crew = Crew(2)
    run = answers(crew, nothing, lambda: crew.futures[0].cancel())
    with pytest.raises(WorkersError, match="the scheduler is gone"):
        next(run)


def test_what_takes_too_long_is_given_up(clock: Clock) -> None:
    """A task that exceeds its time limit fails, and its worker is ended."""
    crew = Crew(2)
    told: list[list[Any]] = []

    def time_passes() -> None:
        crew.futures[1].set_result((b"", ""))
        clock.now += 5.0

    def a_moment_later() -> None:
        told.append(list(crew.ended))
        clock.now += 0.1

    def others_end() -> None:
        for one in crew.under_way()[1:] or crew.under_way()[: len(told)]:
            one.set_result((b"", ""))

    found = {
        one.task.student: one
        for one in answers(crew, nothing, time_passes, a_moment_later, others_end, tasks=3)
    }
    assert told == [[]], "5 s are not more than 5 s"
    assert (found["s0"].result, found["s0"].error) == (None, "it took more than 5 s")
    # s2 is not late, because its time began when s1's worker became free
    assert [found[name].error for name in ("s1", "s2")] == ["", ""]
    assert crew.ended == [0]


def test_a_task_that_begins_again_elsewhere_has_its_time_again(clock: Clock) -> None:
    crew = Crew(2)

    def worker_leaves() -> None:
        clock.now += 4.0
        del crew.here[1:], crew.here[: len(crew.asked)]
        crew.here or crew.start()

    def ends() -> None:
        clock.now += 4.0
        for one in crew.under_way()[1:]:
            one.set_result((b"x", ""))

    run = answers(crew, nothing, worker_leaves, ends, tasks=1)
    assert [one.result for one in run] == [b"x"]
    assert len(crew.asked) == 2


def test_what_has_ended_is_not_late(clock: Clock) -> None:
    """A task that ended in time is not late, even if its answer is read after the time limit."""
    crew = Crew(2)

    def both_end() -> None:
        for one in crew.under_way():
            one.set_result((b"x", ""))
        clock.now += 1000.0

    run = answers(crew, nothing, both_end, tasks=2)
    assert [one.result for one in run] == [b"x", b"x"]


def test_a_run_without_workers_ends_after_a_while(clock: Clock) -> None:
    crew = Crew(1)
    passed: list[float] = []

    def gone(seconds: float, there: bool = False) -> Callable[[], None]:
        def step() -> None:
            passed.append(seconds)
            clock.now += seconds
            crew.here.clear()
            if there:
                crew.start()

        return step

    steps = [gone(0.0), gone(29.0), gone(0.0, True), gone(29.0), gone(1.0), gone(0.1)]
    run = answers(crew, *steps, lambda: pytest.fail("it went on"), tasks=1)
    with pytest.raises(WorkersError, match="there is no worker left"):
        next(run)
    assert len(passed) == 6, "30 s are not yet too long, and they begin anew with each worker"


@pytest.mark.parametrize(
    ("reason", "said"),
    [
        ("no bubblewrap", "the worker w1 cannot grade: no bubblewrap"),
        (OSError("no such module"), "the workers cannot grade: OSError: no such module"),
    ],
)
def test_a_worker_that_cannot_grade_is_named(reason: Any, said: str) -> None:
    crew = Crew(2, ready=False)

    def probed() -> None:
        assert crew.asked == [], "nothing is graded before the probe"
        if isinstance(reason, str):
            crew.made[1].ready.set_result(reason)
        else:
            crew.made[1].ready.set_exception(reason)

    with pytest.raises(WorkersError, match=said):
        list(answers(crew, probed))


def test_workers_that_die_when_they_start() -> None:
    """A worker that dies at its start is replaced; if all of them die, the run fails."""
    for living in (1, 0):
        crew = Crew(2, ready=False)

        def step(crew: Crew = crew, living: int = living) -> None:
            for worker in crew.here[living:]:
                worker.ready.done() or worker.ready.set_exception(BrokenExecutor())
            for worker in crew.here[:living]:
                worker.ready.done() or worker.ready.set_result("")
            for one in crew.under_way():
                one.set_result((b"", ""))

        run = answers(crew, step)
        if living:
            assert len(list(run)) == 5
        else:
            with pytest.raises(WorkersError, match="all of them died when they started"):
                list(run)
            assert len(crew.ended) == 5


def test_a_system_that_starts_nothing_more_ends_the_run(monkeypatch: pytest.MonkeyPatch) -> None:
    crew = Crew(1)
    monkeypatch.setattr(crew, "workers", lambda: os.kill(2**30, 0))
    with pytest.raises(WorkersError, match=r"the workers cannot be used any more: .*No such"):
        list(answers(crew, nothing))


def test_what_goes_wrong_on_a_worker_comes_back_in_words() -> None:
    def right(exam: bytes, files: Any, items: Any) -> bytes:
        return exam + "".join(files).encode() + repr(items).encode()

    assert workers._attempt(right, b"exam", {"a": b""}, None) == (b"examaNone", "")

    def wrong(exam: bytes, files: Any, items: Any) -> bytes:
        raise error

    for raised, said in (
        (ValueError("no\n  way"), "ValueError: no way"),
        (KeyError(), "KeyError"),
        (ValueError("x" * 400), "ValueError: " + "x" * 300),
    ):
        error = raised
        assert workers._attempt(wrong, b"", {}, None) == (None, said)


# --- local processes


def about(exam: bytes, files: Any, items: Any) -> bytes:
    """Do what `files` says, such as "die"; otherwise return facts about this process."""
    what = b"".join(files.values()).decode()
    if what == "die":
        os.kill(os.getpid(), signal.SIGKILL)
    if what == "hang":
        time.sleep(1000)
    if what == "grow":
        bytearray(b"x" * (300 << 20))
        time.sleep(1000)
    if what == "leave":
        Path(tempfile.mkdtemp(), "file").touch()
    if what == "ignored":
        return str(signal.getsignal(signal.SIGINT) == signal.SIG_IGN).encode()
    return f"{os.getpid()} {tempfile.gettempdir()} {os.environ['OMP_NUM_THREADS']}".encode()


def dies(chance: float) -> str:
    """Kill this process with probability `chance`; otherwise return "", which means "usable"."""
    if random.random() < chance:
        os.kill(os.getpid(), signal.SIGKILL)
    return ""


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Use `tmp_path` for temporary files; assert after the test that no file or process is left."""
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr(tempfile, "tempdir", None)
    before = set(multiprocessing.active_children())
    yield tmp_path
    assert list(tmp_path.iterdir()) == []
    assert set(multiprocessing.active_children()) <= before


def on_processes(count: int, *words: str, probe: Any = str, seconds: float = 60.0) -> list[Answer]:
    tasks = [Task(word, b"", {"a": word.encode()}) for word in words]
    with local(count, probe) as crew:
        return list(workers.answers(iter(tasks), about, seconds=seconds, crew=crew))


@pytest.mark.slow
def test_processes_that_die_hang_and_grow(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A worker that dies, hangs or uses too much memory harms no other task.

    Workers do not ignore Ctrl-C, because all programs that they start would then ignore it.
    """
    monkeypatch.setattr(workers, "_MEMORY", 250 << 20)
    monkeypatch.delenv("OMP_NUM_THREADS", raising=False)
    words = ["die", "a", "leave", "grow", "b", "ignored"]
    found = {one.task.student: one for one in on_processes(2, *words)}
    died = "every worker that took it died (at most 3 are tried)"
    assert [found[word].error for word in words] == [died, "", "", died, "", ""]
    number, folder, threads = (found["a"].result or b"").decode().split()
    assert int(number) != os.getpid() and Path(folder).parent == place and threads == "1"
    assert found["ignored"].result == b"False", "all programs it starts would ignore it"
    assert "OMP_NUM_THREADS" not in os.environ
    (late,) = on_processes(1, "hang", seconds=5.0)
    assert late.error == "it took more than 5 s"


@pytest.mark.slow
def test_processes_that_die_when_they_start(place: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """Worker processes that die at their start make the run neither hang nor print a traceback."""
    found = on_processes(2, *"abcd", probe=functools.partial(dies, 0.3))
    assert [one.error for one in found] == [""] * 4
    with pytest.raises(WorkersError, match="all of them died when they started"):
        on_processes(2, *"abcd", probe=functools.partial(dies, 1.0))
    # kill a worker process at different moments of its start
    for seconds in (0.0, 0.1, 0.3):
        with local(2, str) as crew:
            time.sleep(seconds)
            multiprocessing.active_children()[0].kill()
            tasks = iter([Task(word, b"", {"a": word.encode()}) for word in "abcd"])
            found = list(workers.answers(tasks, about, seconds=60.0, crew=crew))
        assert [one.error for one in found] == [""] * 4
    # an error in the `with` block ends workers that are still starting
    with pytest.raises(ZeroDivisionError), local(1, str):
        raise ZeroDivisionError
    assert capfd.readouterr() == ("", "")


@pytest.mark.slow
def test_a_process_that_is_killed_at_the_end_is_gone(
    place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A worker process that has no time to end by itself has ended when the `with` block ends."""
    monkeypatch.setattr(workers, "_END_SECONDS", 0.0)
    before = set(multiprocessing.active_children())
    with local(1, str):
        assert len(set(multiprocessing.active_children()) - before) == 1
    assert set(multiprocessing.active_children()) <= before


# --- a cluster


class Client:
    """A simulated client of a Dask scheduler whose workers have the given names."""

    def __init__(self, *names: str, nanny: bool = True) -> None:
        self.names, self.nanny = list(names), nanny
        self.told: list[Any] = []

    def wait_for_workers(self, number: int, timeout: float) -> None:
        assert (number, timeout) == (1, workers.PATIENCE)
        if not self.names:
            raise TimeoutError

    def close(self) -> None:
        self.told.append("closed")
        raise OSError("it is gone")

    def scheduler_info(self, n_workers: int) -> Any:
        assert n_workers == -1, "all of them"
        self.told.append("asked")
        return {"workers": dict.fromkeys(self.names)}

    def get_executor(self, workers: list[str], pure: bool) -> Any:
        assert not pure
        return SimpleNamespace(submit=lambda probe: ("probed", workers))

    def restart_workers(self, workers: list[str], timeout: float) -> None:
        self.told.append(("restarted", workers))
        if not self.nanny:
            raise ValueError("no nanny")

    def retire_workers(self, workers: list[str], **told: bool) -> None:
        self.told.append(("retired", workers, told))


def test_a_scheduler_needs_a_worker(monkeypatch: pytest.MonkeyPatch) -> None:
    logger = logging.getLogger("distributed")
    level = logger.level
    for client in (Client("w0"), Client()):
        monkeypatch.setattr(cluster, "_connected", lambda address, client=client: client)
        expected = (
            contextlib.nullcontext()
            if client.names
            else pytest.raises(WorkersError, match="the scheduler at h:1 has no worker")
        )
        with expected, cluster.cluster("h:1", str):
            assert client.told == [] and logger.level == logging.CRITICAL
        assert client.told == ["closed"] and logger.level == level
    with pytest.raises(WorkersError, match="must be HOST:PORT"), cluster.cluster("nonsense", str):
        pass


def test_workers_of_a_cluster_come_and_go(clock: Clock, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cluster, "time", workers.time)
    client = Client("w0", "w1")
    crew = cluster.Cluster(client, str)
    first, second = crew.workers()
    assert (first.name, first.ready) == ("w0", ("probed", ["w0"]))
    client.names = ["w1", "w2"]
    assert crew.workers() == [first, second] and client.told == ["asked"]
    clock.now += 1.1
    assert [one.name for one in crew.workers()] == ["w1", "w2"] and crew.workers()[0] is second
    client.told.clear()
    crew.end(second)
    assert client.told == [("restarted", ["w1"])]
    client.nanny = False
    crew.end(crew.workers()[0])
    out = ("retired", ["w2"], {"close_workers": True, "remove": True})
    assert client.told[1:] == [("restarted", ["w2"]), out]
    crew.end(first)
    assert len(client.told) == 3, "it is gone already"


def test_why_no_scheduler_answers(monkeypatch: pytest.MonkeyPatch) -> None:
    import distributed

    class Refusing:
        def __init__(self, address: str, *, timeout: float, set_as_default: bool) -> None:
            assert (address, timeout, set_as_default) == ("h:1", workers.PATIENCE, False)
            if error is not None:
                raise error

    async def identity(address: str) -> None:
        pass

    monkeypatch.setattr(cluster, "_identity", identity)
    monkeypatch.setattr(distributed, "Client", Refusing)
    error: Exception | None
    for raised, said in ((OSError("refused\nlong"), "refused"), (KeyError(), "KeyError")):
        error = raised
        with pytest.raises(WorkersError, match=f"no scheduler answers at h:1: {said}$"):
            cluster._connected("h:1")
    error = None
    assert isinstance(cluster._connected("h:1"), Refusing)
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(WorkersError, match=r"^--scheduler needs distributed, .*'dpteach\[cluster"):
        cluster._connected("h:1")
