"""The tasks under way on workers, held against a cluster here that does as it is told."""

from __future__ import annotations

import contextlib
import logging
import os
import shutil
import signal
import subprocess
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from dpteach.grading.classroom import _worker, cluster
from dpteach.grading.classroom.cluster import Answer, ClusterError, Task

pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning")


class Future:
    """A task on a worker."""

    def __init__(self, key: str) -> None:
        self.key, self.status, self.found = key, "pending", None
        self.calls: list[Callable[[Future], None]] = []

    def done(self) -> bool:
        return self.status != "pending"

    def result(self, timeout: float) -> Any:
        if isinstance(self.found, Exception):
            raise self.found
        return self.found

    def add_done_callback(self, call: Callable[[Future], None]) -> None:
        self.calls.append(call)

    def end(self, found: Any, status: str = "finished") -> None:
        self.found, self.status = found, status
        for call in self.calls:
            call(self)


class Client:
    """What is asked of a client of distributed, and what it was asked."""

    def __init__(self, workers: int = 2) -> None:
        self.workers = [f"w{i}" for i in range(workers)]
        self.told: list[Any] = []
        self.asked: list[tuple[Any, ...]] = []
        self.futures: list[Future] = []
        self.restarts = True

    def subscribe_topic(self, topic: str, handler: Any) -> None:
        self.topic, self.handler = topic, handler

    def unsubscribe_topic(self, topic: str) -> None:
        self.told.append(("unsubscribed", topic == self.topic))

    def scheduler_info(self, n_workers: int) -> Any:
        assert n_workers == -1, "all of them"
        return {"workers": dict.fromkeys(self.workers)}

    def submit(self, function: Any, *told: Any, key: str, pure: bool) -> Future:
        assert function is cluster._grade and told[0] == (self.topic, key) and not pure
        self.asked.append(told[1:])
        self.futures.append(Future(key))
        return self.futures[-1]

    def cancel(self, futures: list[Future], force: bool = False) -> None:
        self.told.append(("cancelled", [self.futures.index(one) for one in futures], force))

    def restart_workers(self, workers: list[str], timeout: float) -> None:
        self.told.append(("restarted", workers))
        if not self.restarts:
            raise ValueError("no nanny")

    def retire_workers(self, workers: list[str], **told: bool) -> None:
        self.told.append(("retired", workers, told))

    def under_way(self) -> list[Future]:
        return [one for one in self.futures if not one.done()]

    def begin(self, number: int, worker: str) -> None:
        self.handler((0.0, {"key": self.futures[number].key, "worker": worker}))


class Clock:
    """The time of day, which passes when it is told to."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    clock = Clock()
    monkeypatch.setattr(cluster, "time", SimpleNamespace(monotonic=clock))
    return clock


TASKS = [Task(f"s{i}", {"a.ipynb": b"%d" % i}, None if i else ("one",)) for i in range(5)]


def answers(client: Client, *steps: Callable[[], object], tasks: int = 5) -> Iterator[Answer]:
    """The answers of a run that takes a step whenever it ticks; the last one again and again."""
    left = list(steps)

    def tick() -> None:
        (left.pop(0) if len(left) > 1 else left[0])()

    grade: Any = "the grader"
    settings = {"limits": 3, "unsafe": False}
    work: Any = (grade, b"the exam")
    return cluster._Run(client, iter(TASKS[:tasks]), work, settings, 5.0, tick).answers()


def nothing() -> None:
    """A moment in which no task ends."""


def test_as_many_are_under_way_as_there_are_workers() -> None:
    client, seen = Client(2), []

    def one_ends() -> None:
        under_way = client.under_way()
        seen.append(len(under_way))
        number = client.futures.index(under_way[-1])
        under_way[-1].end((b"%d" % number, ""))

    found = list(answers(client, one_ends))
    assert seen == [2, 2, 2, 2, 1]
    assert [(one.task, one.result, one.error) for one in found] == [
        (TASKS[i], b"%d" % i, "") for i in (1, 2, 3, 4, 0)
    ]
    assert client.asked == [
        ("the grader", b"the exam", dict(task.files), {"limits": 3, "unsafe": False} | items)
        for task in TASKS
        for items in [{"items": task.items}]
    ]
    assert len({one.key for one in client.futures}) == 5
    assert client.told == [("cancelled", [], False), ("unsubscribed", True)]


def test_a_worker_that_comes_later_gets_a_task() -> None:
    client, seen = Client(0), []

    def step() -> None:
        seen.append(len(client.under_way()))
        client.workers = ["w0", "w1", "w2"]
        if len(seen) > 2:
            client.under_way()[0].end((b"", ""))

    assert len(list(answers(client, step))) == 5
    assert seen[:3] == [1, 3, 3], "one waits for the first worker, and then one for each"


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
    client = Client(1)
    (answer,) = answers(client, lambda: client.futures[0].end(found), tasks=1)
    assert (answer.task, answer.result, answer.error) == (TASKS[0], None, error)


def test_a_scheduler_that_is_gone_ends_the_run() -> None:
    client = Client(2)
    run = answers(client, lambda: client.futures[0].end(None, "cancelled"))
    with pytest.raises(ClusterError, match="the scheduler is gone"):
        next(run)
    # what is still under way is ended with it
    assert client.told == [("cancelled", [1, 2], False), ("unsubscribed", True)]


def test_whoever_stops_listening_ends_what_is_under_way() -> None:
    client = Client(2)
    run = answers(client, lambda: client.futures[0].end((b"", "")))
    next(run)
    run.close()  # type: ignore[attr-defined]
    assert client.told == [("cancelled", [1, 2], False), ("unsubscribed", True)]


@pytest.mark.parametrize("restarts", [True, False])
def test_what_takes_too_long_is_given_up(clock: Clock, restarts: bool) -> None:
    """By the time since it began; its worker is started again, or is out."""
    client = Client(2)
    client.restarts = restarts
    told: list[list[Any]] = []

    def first_begins() -> None:
        client.begin(0, "w1")
        clock.now += 5.0

    def a_moment_later() -> None:
        told.append(list(client.told))
        clock.now += 0.1

    def others_end() -> None:
        for one in client.under_way()[1:] if len(client.futures) > 2 else ():
            one.end((b"", ""))

    run = answers(client, first_begins, a_moment_later, others_end, tasks=3)
    late, second, third = run
    assert told == [[]], "5 s are not more than 5 s"
    assert (late.task, late.result, late.error) == (TASKS[0], None, "it took more than 5 s")
    # the others had not begun, however long they had waited
    assert [one.task for one in (second, third)] == TASKS[1:3]
    assert client.told[:2] == [("cancelled", [0], True), ("restarted", ["w1"])]
    out = ("retired", ["w1"], {"close_workers": True, "remove": True})
    assert (out in client.told) is not restarts


def test_a_task_that_begins_again_elsewhere_has_its_time_again(clock: Clock) -> None:
    client = Client(2)

    def begins(worker: str) -> Callable[[], None]:
        def step() -> None:
            client.begin(0, worker)
            clock.now += 4.0

        return step

    run = answers(
        client, begins("w0"), begins("w1"), lambda: client.futures[0].end((b"x", "")), tasks=1
    )
    assert [one.result for one in run] == [b"x"]


def test_what_has_ended_is_not_late(clock: Clock) -> None:
    """Though nobody has looked at it yet."""
    client = Client(2)

    def both_end() -> None:
        for number in (0, 1):
            client.begin(number, "w0")
            client.futures[number].end((b"x", ""))
        clock.now += 1000.0

    run = answers(client, both_end, nothing, tasks=2)
    assert [one.result for one in run] == [b"x", b"x"]


def test_a_run_without_workers_ends_after_a_while(clock: Clock) -> None:
    client = Client(1)

    passed: list[float] = []

    def gone(seconds: float, *workers: str) -> Callable[[], None]:
        def step() -> None:
            passed.append(seconds)
            clock.now += seconds
            client.workers = list(workers)

        return step

    steps = [gone(30.0), gone(0.0, "w1"), gone(29.0), gone(1.0), gone(0.1)]
    run = answers(client, *steps, lambda: pytest.fail("it went on"), tasks=1)
    with pytest.raises(ClusterError, match="there is no worker left"):
        next(run)
    assert len(passed) == 5, "30 s are not yet too long, and they begin anew with each worker"


# --- what a worker does


def graded(monkeypatch: pytest.MonkeyPatch, grade: Any) -> tuple[Any, list[Any]]:
    import distributed

    events: list[Any] = []
    worker = SimpleNamespace(address="w7", log_event=lambda *told: events.append(told))
    monkeypatch.setattr(distributed, "get_worker", lambda: worker)
    return cluster._grade(("topic", "key"), grade, b"exam", {"a": b""}, {"items": None}), events


def test_a_worker_says_that_it_begins_and_what_went_wrong(monkeypatch: pytest.MonkeyPatch) -> None:
    def right(exam: bytes, files: Any, *, items: Any) -> bytes:
        return exam + "".join(files).encode() + repr(items).encode()

    found, events = graded(monkeypatch, right)
    assert found == (b"examaNone", "")
    assert events == [("topic", {"key": "key", "worker": "w7"})]

    def wrong(*told: Any, **more: Any) -> bytes:
        raise error

    for raised, said in (
        (ValueError("no\n  way"), "ValueError: no way"),
        (KeyError(), "KeyError"),
        (ValueError("x" * 400), "ValueError: " + "x" * 300),
    ):
        error = raised
        assert graded(monkeypatch, wrong)[0] == (None, said)


def test_ctrl_c_does_not_end_a_worker() -> None:
    before = signal.getsignal(signal.SIGINT)
    try:
        _worker.dask_setup(None)
        os.kill(os.getpid(), signal.SIGINT)
        # what is ignored would be ignored by every program that is started
        assert signal.getsignal(signal.SIGINT) != signal.SIG_IGN
    finally:
        signal.signal(signal.SIGINT, before)


# --- the workers themselves


def test_workers_of_this_machine_listen_to_nobody_else(monkeypatch: pytest.MonkeyPatch) -> None:
    import dask
    import distributed

    told: dict[str, Any] = {}

    class Cluster(contextlib.AbstractContextManager["Cluster"]):
        def __init__(self, **found: Any) -> None:
            told.update(found)

        def __exit__(self, *found: object) -> None:
            told["closed"] = True

    @contextlib.contextmanager
    def client(cluster: Any, set_as_default: bool) -> Iterator[Any]:
        assert isinstance(cluster, Cluster) and not set_as_default
        yield "a client"

    monkeypatch.setattr(distributed, "LocalCluster", Cluster)
    monkeypatch.setattr(distributed, "Client", client)
    with cluster._local(3) as found:
        assert found == "a client" and "closed" not in told
        assert (told["n_workers"], told["threads_per_worker"], told["processes"]) == (3, 1, True)
        assert told["host"] == "127.0.0.1"
        assert (told["security"] is None) is (shutil.which("openssl") is None)
        assert told["dashboard_address"] == told["worker_dashboard_address"] == "127.0.0.1:0"
        assert told["scheduler_kwargs"] == {"dashboard": False}
        assert Path(told["local_directory"]).is_dir() and told["memory_limit"] == "2GiB"
        for name, value in (
            ("scheduler.allowed-failures", 2),
            ("scheduler.http.routes", []),
            ("worker.http.routes", []),
            ("worker.daemon", True),
            ("worker.preload", ["dpteach.grading.classroom._worker"]),
        ):
            assert dask.config.get(f"distributed.{name}") == value
    assert told["closed"] and not Path(told["local_directory"]).exists()
    assert dask.config.get("distributed.worker.http.routes") != []


@pytest.mark.skipif(shutil.which("openssl") is None, reason="needs openssl")
def test_a_certificate_is_for_this_run_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    with cluster._certificate() as one, cluster._certificate() as other:
        assert one.require_encryption
        secrets = [getattr(one, f"tls_{role}_key") for role in ("client", "scheduler", "worker")]
        assert len(set(secrets)) == 1 and "PRIVATE KEY" in secrets[0]
        assert other.tls_client_key != one.tls_client_key
        for role in ("client", "scheduler", "worker"):
            assert getattr(one, f"tls_{role}_cert") == one.tls_ca_file
        assert "CERTIFICATE" in one.tls_ca_file and "PRIVATE" not in one.tls_ca_file
    failed = subprocess.CompletedProcess([], 1)
    monkeypatch.setattr(cluster.subprocess, "run", lambda *told, **more: failed)
    with cluster._certificate() as none:
        assert none is None
    monkeypatch.setattr(cluster.shutil, "which", lambda name: None)
    monkeypatch.setattr(cluster.subprocess, "run", lambda *told, **more: pytest.fail("it ran"))
    with cluster._certificate() as none:
        assert none is None


@pytest.mark.parametrize("failures", [0, 3, 4])
def test_threads_that_start_late_are_waited_for(failures: int) -> None:
    calls = []

    def make(*told: Any, **more: Any) -> Any:
        calls.append((told, more))
        if len(calls) <= failures:
            raise AssertionError
        return "made"

    expected = pytest.raises(AssertionError) if failures > 3 else contextlib.nullcontext()
    with expected:
        assert cluster._patiently(make, 1, x=2) == "made"
    assert calls == [((1,), {"x": 2})] * min(failures + 1, 4)


class Remote:
    """A client of a scheduler, which has a worker or not."""

    def __init__(self, working: bool) -> None:
        self.working, self.closed = working, False

    def wait_for_workers(self, number: int, timeout: float) -> None:
        assert (number, timeout) == (1, cluster._PATIENCE)
        if not self.working:
            raise TimeoutError

    def close(self) -> None:
        self.closed = True
        raise OSError("it is gone")


def test_a_scheduler_needs_a_worker(monkeypatch: pytest.MonkeyPatch) -> None:
    for working in (True, False):
        client = Remote(working)
        monkeypatch.setattr(cluster, "_connected", lambda address, client=client: client)
        expected = (
            contextlib.nullcontext()
            if working
            else pytest.raises(ClusterError, match="the scheduler at h:1 has no worker")
        )
        with expected, cluster._remote("h:1") as found:
            assert found is client and not client.closed
        assert client.closed
    with pytest.raises(ClusterError, match="must be HOST:PORT"), cluster._remote("nonsense"):
        pass


def test_why_no_scheduler_answers(monkeypatch: pytest.MonkeyPatch) -> None:
    import distributed

    class Refusing:
        def __init__(self, address: str, *, timeout: float, set_as_default: bool) -> None:
            assert (address, timeout, set_as_default) == ("h:1", cluster._PATIENCE, False)
            if error is not None:
                raise error

    monkeypatch.setattr(distributed, "Client", Refusing)
    error: Exception | None
    for raised, said in ((OSError("refused\nlong"), "refused"), (KeyError(), "KeyError")):
        error = raised
        with pytest.raises(ClusterError, match=f"no scheduler answers at h:1: {said}$"):
            cluster._connected("h:1")
    error = None
    assert isinstance(cluster._connected("h:1"), Refusing)


# --- a whole run


def test_all_workers_are_asked_first(monkeypatch: pytest.MonkeyPatch) -> None:
    def probe() -> str:
        return "unused"

    class Asked:
        def __init__(self, found: Any) -> None:
            self.found = found

        def run(self, function: Any) -> Any:
            assert function is probe
            if isinstance(self.found, Exception):
                raise self.found
            return self.found

    cluster._ask_all(Asked({"w0": "", "w1": ""}), probe)
    for found, said in (
        ({"w2": "no bubblewrap", "w0": "", "w1": "too old"}, "the worker w1 cannot grade: too old"),
        (OSError("gone"), "the workers cannot grade: OSError: gone"),
    ):
        with pytest.raises(ClusterError, match=said):
            cluster._ask_all(Asked(found), probe)


def test_a_run_has_the_workers_that_it_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[Any] = []
    logger = logging.getLogger("distributed")
    level = logger.level

    def workers(found: Any) -> Any:
        asked.append(found)
        assert logger.level == logging.CRITICAL
        if found == 7:
            raise OSError("no room")
        return contextlib.nullcontext(Client())

    monkeypatch.setattr(cluster, "_local", workers)
    monkeypatch.setattr(cluster, "_remote", workers)
    monkeypatch.setattr(cluster, "_ask_all", lambda client, probe: asked.append(probe))
    monkeypatch.setattr(cluster.os, "cpu_count", lambda: 5)

    def run(**told: Any) -> list[Answer]:
        grade: Any = None
        common = {"grade": grade, "limits": None, "unsafe": False, "seconds": 1.0}
        return list(cluster.answers(iter(()), b"", **common, **told))

    assert run(workers=2) == run() == run(scheduler="h:1", workers=2) == run(probe=str) == []
    assert asked == [2, 5, "h:1", 5, str]
    with pytest.raises(ClusterError, match="the workers cannot be used any more: no room"):
        run(workers=7)
    assert logger.level == level


@pytest.mark.parametrize("reason", ["", "no bubblewrap"])
def test_workers_that_start_ahead(monkeypatch: pytest.MonkeyPatch, reason: str) -> None:
    """They start while who has asked for them goes on, each is tried, and they end with it."""
    may_start, told = threading.Event(), []

    class Started(Client):
        def submit(self, function: Any, *, workers: list[str], pure: bool) -> Any:  # type: ignore[override]
            assert function is probe and not pure
            return workers, function()

        def gather(self, found: Any) -> list[str]:
            told.append([workers for workers, _ in found])
            return [reason for _, reason in found]

    def probe() -> str:
        return reason

    @contextlib.contextmanager
    def local(count: int) -> Iterator[Client]:
        assert may_start.wait(10)
        yield Started(count)
        told.append("ended")

    monkeypatch.setattr(cluster, "_local", local)
    level = logging.getLogger("distributed").level
    grade: Any = None
    with cluster.Ahead(2, probe) as ahead:
        assert told == []
        may_start.set()
        run = cluster.answers(
            iter(()), b"", grade=grade, limits=None, unsafe=False, seconds=1.0, ahead=ahead
        )
        if reason:
            with pytest.raises(ClusterError, match=f"^{reason}$"):
                list(run)
        else:
            assert list(run) == []
        assert told == [[["w0"], ["w1"]]]
    assert told[1:] == ["ended"]
    assert logging.getLogger("distributed").level == level


def test_workers_that_nobody_waits_for_end(monkeypatch: pytest.MonkeyPatch) -> None:
    told = []

    @contextlib.contextmanager
    def local(count: int) -> Iterator[Client]:
        told.append(count)
        yield Client(0)
        told.append("ended")

    monkeypatch.setattr(cluster, "_local", local)
    monkeypatch.setattr(Client, "gather", lambda self, found: [], raising=False)
    with pytest.raises(ZeroDivisionError), cluster.Ahead(3, str):
        raise ZeroDivisionError
    assert told == [3, "ended"]
