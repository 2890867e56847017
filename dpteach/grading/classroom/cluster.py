"""Many submissions at once, by dask.distributed: on this machine, or on a cluster.

One task grades one submission; what it needs travels with it, so that a worker may die, or come
later, at any time. As many are under way as there are workers, however large the class is.
"""

from __future__ import annotations

import contextlib
import logging
import os
import queue
import re
import shutil
import subprocess
import threading
import time
import uuid
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

from dpteach.grading.core.scratch import scratch

#: the signature of `dpteach.grading.classroom.session.grade_submission`
Grader = Callable[..., bytes]

#: a task whose worker died is tried on another one; not for ever, as it may be the cause
_WORKERS_LOST = 2

#: seconds until a scheduler must answer, and must have a worker
_PATIENCE = 30.0


#: what distributed takes for an address; from the rest it comes back after a minute, or never
_ADDRESS = re.compile(r"((tcp|tls|ucx|wss?)://)?(\[[0-9A-Fa-f:.%]+\]|[^\s:/\[\]@]+):([0-9]{1,5})")


class ClusterError(RuntimeError):
    """The workers cannot be used (any more), in one line."""


@dataclass(frozen=True)
class Task:
    """One submission to grade.

    Attributes
    ----------
    student
        Its student's id, which does not travel.
    files
        What was handed in, by name.
    items
        The items to ask, or None for all of them.
    own
        What differs in the student's personal version from the exam; nothing if there is none.
    """

    student: str
    files: Mapping[str, bytes]
    items: Sequence[str] | None = None
    own: bytes = b""

    def told(self) -> dict[str, Any]:
        """What `grade_submission` is told of it beside the files."""
        return {"items": self.items, **({"own": self.own} if self.own else {})}


@dataclass(frozen=True)
class Answer:
    """What came of a task.

    Attributes
    ----------
    task
        The task.
    result
        The result's bytes, or None if there is an error.
    error
        One line, or "".
    """

    task: Task
    result: bytes | None
    error: str = ""


def _grade(
    name: tuple[str, str],
    grade: Grader,
    exam: bytes,
    files: Mapping[str, bytes],
    settings: Mapping[str, Any],
) -> tuple[bytes | None, str]:
    """Runs on a worker. Whatever goes wrong comes back in words."""
    from distributed import get_worker

    topic, key = name
    worker = get_worker()
    worker.log_event(topic, {"key": key, "worker": worker.address})
    try:
        return grade(exam, files, **settings), ""
    except Exception as error:
        text = " ".join(str(error).split())[:300]
        return None, f"{type(error).__name__}: {text}" if text else type(error).__name__


def check_address(address: str) -> None:
    """Refuses what cannot be the address of a scheduler, without asking anybody.

    Parameters
    ----------
    address
        As ``"tcp://host:8786"``.

    Raises
    ------
    ClusterError
        Naming it and what is allowed.

    Examples
    --------
    >>> check_address("tcp://127.0.0.1:8786")
    >>> check_address("[::1]:8786")
    """
    found = _ADDRESS.fullmatch(address)
    if found is None or not 1 <= int(found[4]) <= 65535:
        raise ClusterError(
            "the scheduler (--scheduler) must be HOST:PORT, tcp://HOST:PORT or tls://HOST:PORT "
            f"with a port in 1..65535, got {address!r}"
        )


@contextlib.contextmanager
def _certificate() -> Iterator[Any]:
    """Encryption for workers of this machine; without it every user of the machine could give
    them orders, as they listen on a port of the loopback. None where there is no openssl."""
    from distributed import Security

    openssl = shutil.which("openssl")
    if openssl is None:
        yield None
        return
    with scratch() as folder:
        key, certificate = f"{folder}/key.pem", f"{folder}/certificate.pem"
        kind = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1"]
        command = [openssl, "req", "-x509", *kind, "-nodes", "-days", "30", "-subj", "/CN=dpteach"]
        made = subprocess.run(
            [*command, "-keyout", key, "-out", certificate], capture_output=True, check=False
        )
        if made.returncode:
            yield None
            return
        pair, secret = Path(certificate).read_text(), Path(key).read_text()
    roles = ("client", "scheduler", "worker")
    yield Security(  # type: ignore[no-untyped-call]
        tls_ca_file=pair,
        require_encryption=True,
        **{f"tls_{role}_cert": pair for role in roles},
        **{f"tls_{role}_key": secret for role in roles},
    )


def _patiently(make: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
    """Makes a part of distributed, which asserts that a thread starts within ten seconds.

    A machine at the end of its strength may not keep that; nothing has been started then.
    """
    for _ in range(3):
        with contextlib.suppress(AssertionError):
            return make(*args, **kwargs)
    return make(*args, **kwargs)


@contextlib.contextmanager
def _local(workers: int) -> Iterator[Any]:
    """A client of a cluster on this machine, seen by nobody else."""
    import dask
    from distributed import Client, LocalCluster

    settings = {
        "distributed.scheduler.allowed-failures": _WORKERS_LOST,
        "distributed.admin.tick.limit": "1 h",  # a busy machine is no reason for a warning
        "distributed.worker.daemon": True,
        "distributed.scheduler.http.routes": [],
        "distributed.worker.http.routes": [],
        "distributed.worker.preload": ["dpteach.grading.classroom._worker"],
    }
    with (
        _certificate() as security,
        scratch() as folder,
        dask.config.set(settings),
        _patiently(
            LocalCluster,
            n_workers=workers,
            threads_per_worker=1,
            processes=True,
            host="127.0.0.1",
            # no dashboard; what is left of its server has a port of its own, and no page
            dashboard_address="127.0.0.1:0",
            worker_dashboard_address="127.0.0.1:0",
            scheduler_kwargs={"dashboard": False},
            silence_logs=logging.CRITICAL,
            memory_limit="2GiB",
            local_directory=folder,
            security=security,
        ) as cluster,
        Client(cluster, set_as_default=False) as client,  # type: ignore[no-untyped-call]
    ):
        yield client


@contextlib.contextmanager
def _remote(address: str) -> Iterator[Any]:
    """A client of a cluster whose scheduler has this address."""
    check_address(address)
    client = _connected(address)
    try:
        try:
            client.wait_for_workers(1, timeout=_PATIENCE)
        except TimeoutError:
            raise ClusterError(f"the scheduler at {address} has no worker") from None
        yield client
    finally:
        # a scheduler that is gone cannot be told; what was to be said about it has been said
        with contextlib.suppress(OSError):
            client.close()


def _connected(address: str) -> Any:
    """A client that its scheduler has answered."""
    from distributed import Client

    client: Any = Client.__new__(Client)
    failed: list[Exception] = []

    def connect() -> None:
        try:
            _patiently(client.__init__, address, timeout=_PATIENCE, set_as_default=False)
        except Exception as error:  # of every library below, such as for encryption
            failed.append(error)

    # what answers and is no scheduler may keep the client waiting beyond its own limit
    thread = threading.Thread(target=connect, daemon=True)
    thread.start()
    thread.join(1.2 * _PATIENCE)
    if thread.is_alive():
        failed.append(TimeoutError("what answers does not speak as one"))
    if failed:
        # its end would be waited for, for a minute, and then be told as another error
        client.status = "closed"
        first = (str(failed[0]) or type(failed[0]).__name__).splitlines()[0]
        raise ClusterError(f"no scheduler answers at {address}: {first}")
    return client


@contextlib.contextmanager
def _quiet() -> Iterator[None]:
    """What distributed has to say about workers that come and go interests nobody here."""
    logger = logging.getLogger("distributed")
    level = logger.level
    logger.setLevel(logging.CRITICAL)
    try:
        yield
    finally:
        logger.setLevel(level)


class Ahead:
    """Workers of this machine that start in the background, while there is something else to do.

    A context manager: they end with it, as does one that has not started yet.

    Parameters
    ----------
    workers
        How many, >= 1.
    probe
        Runs on each of them first; returns "" or why it cannot grade.
    """

    def __init__(self, workers: int, probe: Callable[[], str]) -> None:
        self._workers, self._probe = workers, probe
        self._stack = contextlib.ExitStack()
        self._starter = ThreadPoolExecutor(1)

    def __enter__(self) -> Self:
        self._started = self._starter.submit(self._start)
        return self

    def __exit__(self, *_: object) -> None:
        self._starter.shutdown()
        self._stack.close()

    def _start(self) -> Any:
        self._stack.enter_context(_quiet())
        client = self._stack.enter_context(_local(self._workers))
        # as a task, by the thread that grades: what it starts there is started for all that come
        found = [
            client.submit(self._probe, workers=[worker], pure=False)
            for worker in client.scheduler_info(n_workers=-1)["workers"]
        ]
        for reason in client.gather(found):
            if reason:
                raise ClusterError(reason)
        return client

    def client(self) -> Any:
        """Waits for them.

        Raises
        ------
        ClusterError
            If one cannot grade.
        OSError
            If they cannot be started.
        """
        return self._started.result()


def answers(
    tasks: Iterator[Task],
    exam: bytes,
    *,
    grade: Grader,
    limits: Any,
    unsafe: bool,
    seconds: float,
    workers: int | None = None,
    scheduler: str | None = None,
    ahead: Ahead | None = None,
    probe: Callable[[], str] | None = None,
    tick: Callable[[], None] = lambda: None,
) -> Generator[Answer, None, None]:
    """Grades submissions on workers; yields what came of each, in the order they end.

    Parameters
    ----------
    tasks
        The submissions; the next is taken when a worker is about to be free.
    exam
        As `grade` takes it.
    grade
        `dpteach.grading.classroom.session.grade_submission`, or what stands in for it.
    limits, unsafe
        Handed on to `grade`.
    seconds
        The most that a task may take; after that it is given up, and its worker restarted.
    workers
        How many processes on this machine, >= 1; one a core if None.
    scheduler
        Address of a scheduler, as ``"tcp://host:8786"``, in place of workers on this machine.
    ahead
        Workers of this machine that were told to start before.
    probe
        Runs on each worker before the start; returns "" or why it cannot grade.
    tick
        Called a few times a second.

    Yields
    ------
    Answer

    Raises
    ------
    ClusterError
        If there is no scheduler or no worker (any more), or a worker cannot grade.
    """
    try:
        with contextlib.ExitStack() as stack:
            stack.enter_context(_quiet())
            if ahead is not None:
                client = ahead.client()
            elif scheduler is not None:
                client = stack.enter_context(_remote(scheduler))
            else:
                client = stack.enter_context(_local(workers or os.cpu_count() or 1))
            if probe is not None:
                _ask_all(client, probe)
            settings = {"limits": limits, "unsafe": unsafe}
            yield from _Run(client, tasks, (grade, exam), settings, seconds, tick).answers()
    except OSError as error:
        told = str(error) or type(error).__name__
        raise ClusterError(f"the workers cannot be used any more: {told}") from None


def _ask_all(client: Any, probe: Callable[[], str]) -> None:
    try:
        found = client.run(probe)
    except Exception as error:
        raise ClusterError(f"the workers cannot grade: {type(error).__name__}: {error}") from None
    for worker, reason in sorted(found.items()):
        if reason:
            raise ClusterError(f"the worker {worker} cannot grade: {reason}")


class _Run:
    """The tasks under way."""

    def __init__(
        self,
        client: Any,
        tasks: Iterator[Task],
        work: tuple[Grader, bytes],
        settings: Mapping[str, Any],
        seconds: float,
        tick: Callable[[], None],
    ) -> None:
        self.client, self.tasks, self.work, self.settings = client, tasks, work, settings
        self.seconds, self.tick = seconds, tick
        self.name = f"grade-{uuid.uuid4().hex}"
        self.count = 0
        self.done: queue.SimpleQueue[str] = queue.SimpleQueue()
        self.waiting: dict[str, tuple[Any, Task]] = {}
        self.started: dict[str, tuple[float, str]] = {}
        self.seen = time.monotonic()
        self.known, self.asked = 0, 0.0

    def answers(self) -> Iterator[Answer]:
        self.client.subscribe_topic(self.name, self._begun)
        try:
            self._fill()
            while self.waiting:
                self.tick()
                with contextlib.suppress(queue.Empty):
                    key = self.done.get(timeout=0.25)
                    if key in self.waiting:
                        finished = self.waiting.pop(key)
                        self._fill()  # the worker has work while this one is written down
                        yield self._answer(*finished)
                for answer in self._late():
                    self._fill()
                    yield answer
                self._fill()
        finally:
            with contextlib.suppress(Exception):
                self.client.cancel([future for future, _ in self.waiting.values()])
            with contextlib.suppress(Exception):
                self.client.unsubscribe_topic(self.name)

    def _begun(self, event: tuple[Any, dict[str, str]]) -> None:
        # by the clock of this machine; a task that begins anew elsewhere has its time again
        self.started[event[1]["key"]] = time.monotonic(), event[1]["worker"]

    def _workers(self) -> int:
        """How many there are; the scheduler is asked once a second."""
        if time.monotonic() > self.asked + 1.0 or not self.known:
            self.known = len(self.client.scheduler_info(n_workers=-1).get("workers", {}))
            self.asked = time.monotonic()
        return self.known

    def _fill(self) -> None:
        # one for each worker: those that wait on a worker that dies would be suspected as well
        room = max(1, self._workers()) - len(self.waiting)
        while room > 0 and (task := next(self.tasks, None)) is not None:
            self.count += 1
            room -= 1
            key = f"{self.name}-{self.count}"
            future = self.client.submit(
                _grade,
                (self.name, key),
                *self.work,
                dict(task.files),
                {**self.settings, **task.told()},
                key=key,
                pure=False,
            )
            self.waiting[key] = future, task
            future.add_done_callback(lambda future: self.done.put(future.key))

    def _answer(self, future: Any, task: Task) -> Answer:
        if future.status == "cancelled":
            raise ClusterError("the scheduler is gone")
        try:
            result, error = future.result(timeout=_PATIENCE)
        except Exception as failed:
            name = type(failed).__name__
            if name == "KilledWorker":
                times = _WORKERS_LOST + 1
                name = f"every worker that took it died (at most {times} are tried)"
            return Answer(task, None, name)
        return Answer(task, result, error)

    def _late(self) -> Iterator[Answer]:
        """Gives up what takes too long."""
        now = time.monotonic()
        if self._workers():
            self.seen = now
        elif now - self.seen > _PATIENCE:
            raise ClusterError("there is no worker left")
        for key, (start, worker) in list(self.started.items()):
            if key not in self.waiting:
                del self.started[key]
            elif now - start > self.seconds and not self.waiting[key][0].done():
                future, task = self.waiting.pop(key)
                with contextlib.suppress(Exception):
                    self.client.cancel([future], force=True)
                self._restart(worker)
                yield Answer(task, None, f"it took more than {self.seconds:g} s")

    def _restart(self, worker: str) -> None:
        try:
            self.client.restart_workers([worker], timeout=_PATIENCE)
        except Exception:  # it has no nanny that would start it again: it is out
            with contextlib.suppress(Exception):
                self.client.retire_workers([worker], close_workers=True, remove=True)
