"""Many submissions at once, each a task for one worker: on this machine, or on a cluster.

A worker is an executor (`concurrent.futures`) of one process, so that a process that dies takes one
task with it, and it is known which. What a task needs travels with it: a worker may die, or come
later, at any time.
"""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import queue
import signal
import tempfile
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import (
    BrokenExecutor,
    CancelledError,
    Executor,
    Future,
    ProcessPoolExecutor,
)
from dataclasses import dataclass, field, replace
from multiprocessing import resource_tracker
from pathlib import Path
from typing import Any, Final, Protocol

from dpteach.grading.core.scratch import scratch

#: grades a submission; it is told the exam and the files, and ``items`` by name
Work = Callable[..., bytes]

#: what runs on each worker first; returns "" or why the worker cannot grade
Probe = Callable[[], str]

#: a task whose worker died is tried on another one; not for ever, as it may be the cause
_WORKERS_LOST: Final = 2

#: seconds without any worker after which a run ends
PATIENCE: Final = 30.0

#: what a terminal sends to all processes that were started in it
_OF_TERMINALS: Final = (signal.SIGINT, signal.SIGHUP)

#: seconds in which processes of this machine that have nothing to do end by themselves
_END_SECONDS: Final = 5.0

#: bytes that a process of this machine may occupy; what students' code needs is not among them
_MEMORY: Final = 2 << 30


class WorkersError(RuntimeError):
    """The workers cannot be used (any more), in one line."""


@dataclass(frozen=True)
class Task:
    """One submission to grade.

    Attributes
    ----------
    student
        Its student's id, which does not travel.
    exam
        The exam, which may be that of the student's personal version.
    files
        The submitted files, by name.
    items
        The items to ask, or None for all of them.
    """

    student: str
    exam: bytes
    files: Mapping[str, bytes]
    items: Sequence[str] | None = None


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


@dataclass(frozen=True, eq=False)
class Worker:
    """A process that grades one submission at a time; its successor is another `Worker`.

    Attributes
    ----------
    executor
        By which it is given work.
    ready
        What its probe returns.
    name
        Its address in a cluster; "" for a process of this machine.
    """

    executor: Executor
    ready: Future[str]
    name: str = ""


class Crew(Protocol):
    """The workers of a run."""

    def workers(self) -> Sequence[Worker]:
        """Return the workers that there are now."""

    def end(self, worker: Worker) -> None:
        """End a worker at once, whatever it does; another one may take its place."""


class Local:
    """Processes of this machine; `local` starts and ends them."""

    def __init__(self, probe: Probe, folder: str) -> None:
        self._probe, self._folder = probe, folder
        self._processes: dict[Worker, multiprocessing.process.BaseProcess] = {}

    def workers(self) -> list[Worker]:
        """Return the processes; one that occupies too much memory is ended first."""
        for process in self._processes.values():
            if _occupied(process.pid) > _MEMORY:
                process.kill()
        return list(self._processes)

    def start(self) -> None:
        """Start a process, and do not wait for it."""
        context = multiprocessing.get_context("spawn")
        executor = ProcessPoolExecutor(1, context, _begin, (self._folder,))
        before = set(multiprocessing.active_children())
        with _inherited():
            ready = executor.submit(self._probe)
        (process,) = set(multiprocessing.active_children()) - before
        self._processes[Worker(executor, ready)] = process

    def end(self, worker: Worker) -> None:
        """End a process, and start another one in its place."""
        self._processes.pop(worker).kill()
        worker.executor.shutdown(cancel_futures=True)
        self.start()

    def finish(self) -> None:
        """Let processes that have nothing to do end, with what they have started."""
        for worker in self._processes:
            worker.executor.shutdown(wait=False)
        end = time.monotonic() + _END_SECONDS
        for process in self._processes.values():
            process.join(max(0.0, end - time.monotonic()))

    def close(self) -> None:
        """End all processes at once."""
        for process in self._processes.values():
            process.kill()
        for worker in self._processes:
            worker.executor.shutdown(cancel_futures=True)


@contextlib.contextmanager
def local(count: int, probe: Probe) -> Iterator[Local]:
    """Processes of this machine, which end with the block.

    Parameters
    ----------
    count
        How many, >= 1.
    probe
        Runs on each of them first.
    """
    with _inherited():  # by Python's own process that keeps count of semaphores, too
        resource_tracker.ensure_running()
    # what a process leaves there when it is ended goes with the folder
    with scratch() as folder, contextlib.closing(Local(probe, folder)) as crew:
        for _ in range(count):
            crew.start()
        yield crew
        crew.finish()


@contextlib.contextmanager
def _inherited() -> Iterator[None]:
    """Let a process that starts now compute in one thread, as each core has a worker, and hear
    what a terminal sends to all (Ctrl-C, its end) only when `_begin` says what becomes of it."""
    before = os.environ.get("OMP_NUM_THREADS")
    mask = signal.pthread_sigmask(signal.SIG_BLOCK, _OF_TERMINALS)
    os.environ["OMP_NUM_THREADS"] = "1"
    try:
        yield
    finally:
        del os.environ["OMP_NUM_THREADS"]
        if before is not None:
            os.environ["OMP_NUM_THREADS"] = before
        signal.pthread_sigmask(signal.SIG_SETMASK, mask)


def _begin(folder: str) -> None:
    """Runs first in a process of this machine: it writes into this folder only, leaves Ctrl-C to
    the process that started it, and ends with that, however that ends."""
    tempfile.tempdir = folder
    # handled and not ignored: what is ignored stays so in every program that is started
    signal.signal(signal.SIGINT, lambda number, frame: None)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, _OF_TERMINALS)
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    assert parent is not None
    parent.join()
    os._exit(1)


def _occupied(number: int | None) -> int:
    """Return how many bytes of memory a process occupies; 0 if it is gone."""
    try:
        pages = Path(f"/proc/{number}/statm").read_text("ascii").split()[1]
    except (OSError, IndexError):
        return 0
    return int(pages) * os.sysconf("SC_PAGE_SIZE")


def _attempt(
    work: Work, exam: bytes, files: Mapping[str, bytes], items: Sequence[str] | None
) -> tuple[bytes | None, str]:
    """Runs on a worker. Whatever goes wrong comes back in words."""
    try:
        return work(exam, files, items=items), ""
    except Exception as error:
        return None, _words(error)


def _words(error: Exception) -> str:
    text = " ".join(str(error).split())[:300]
    return f"{type(error).__name__}: {text}" if text else type(error).__name__


def answers(
    tasks: Iterator[Task],
    work: Work,
    *,
    seconds: float,
    crew: Crew,
    tick: Callable[[], None] = lambda: None,
) -> Iterator[Answer]:
    """Grade submissions on workers; yield what came of each, in the order they end.

    Parameters
    ----------
    tasks
        The submissions; the next is taken when a worker is free.
    work
        Grades one.
    seconds
        The most that a task may take; after that it is given up, and its worker ended.
    crew
        The workers.
    tick
        Called a few times a second.

    Raises
    ------
    WorkersError
        If there is no worker (any more), or one cannot grade.
    """
    try:
        yield from _Run(tasks, work, seconds, crew, tick).answers()
    except OSError as error:
        told = str(error) or type(error).__name__
        raise WorkersError(f"the workers cannot be used any more: {told}") from None


@dataclass
class _Job:
    """What a worker does: a task, or its probe.

    Attributes
    ----------
    future
        Its outcome.
    begun
        When it began, as a worker has one job at a time.
    task, lost
        The task and how many workers it has lost; None for a probe.
    """

    future: Future[Any]
    begun: float
    task: Task | None = None
    lost: int = 0


@dataclass
class _Run:
    """The tasks under way."""

    tasks: Iterator[Task]
    work: Work
    seconds: float
    crew: Crew
    tick: Callable[[], None]
    jobs: dict[Worker, _Job] = field(default_factory=dict)
    #: workers that there are now, and those of them whose probe has found nothing wrong
    here: Sequence[Worker] = ()
    ready: set[Worker] = field(default_factory=set)
    #: tasks whose worker died, and how many workers each has lost
    again: deque[tuple[Task, int]] = field(default_factory=deque)
    #: whether there may be further submissions
    left: bool = True
    #: when a worker was seen last, and how many died at the start since one has started
    seen: float = field(default_factory=lambda: time.monotonic())
    stillborn: int = 0
    ended: queue.SimpleQueue[None] = field(default_factory=queue.SimpleQueue)

    def answers(self) -> Iterator[Answer]:
        while self.left or self.again or any(job.task for job in self.jobs.values()):
            self._fill()
            self.tick()
            with contextlib.suppress(queue.Empty):
                self.ended.get(timeout=0.25)
            for worker, job in list(self.jobs.items()):
                answer = self._outcome(worker, job)
                self._fill()  # the worker has work while this answer is written down
                if answer is not None:
                    yield answer

    def _fill(self) -> None:
        """Give something to do to each worker that has nothing."""
        now, self.here = time.monotonic(), self.crew.workers()
        if self.here:
            self.seen = now
        elif now - self.seen > PATIENCE:
            raise WorkersError("there is no worker left")
        for worker in self.here:
            if worker in self.jobs:
                continue
            if worker not in self.ready:
                self._watch(worker, _Job(worker.ready, now))
            elif (found := self._next()) is not None:
                self._submit(worker, *found)

    def _next(self) -> tuple[Task, int] | None:
        if self.again:
            return self.again.popleft()
        task = next(self.tasks, None) if self.left else None
        self.left = task is not None
        return None if task is None else (task, 0)

    def _submit(self, worker: Worker, task: Task, lost: int) -> None:
        told = (task.exam, task.files, task.items)
        try:
            future = worker.executor.submit(_attempt, self.work, *told)
        except BrokenExecutor:  # it died while it had nothing to do
            self.again.append((task, lost))
            self.crew.end(worker)
        else:
            self._watch(worker, _Job(future, time.monotonic(), task, lost))

    def _watch(self, worker: Worker, job: _Job) -> None:
        self.jobs[worker] = job
        job.future.add_done_callback(lambda _: self.ended.put(None))

    def _outcome(self, worker: Worker, job: _Job) -> Answer | None:
        """Return what came of a task; None of a probe, and of what goes on or is tried again."""
        gone = worker not in self.here
        late = time.monotonic() - job.begun > self.seconds
        if not job.future.done() and not gone and not late:
            return None
        del self.jobs[worker]
        if job.future.done():
            return self._result(worker, job)
        if gone or job.task is None:
            return self._lost(worker, job)
        self.crew.end(worker)
        return Answer(job.task, None, f"it took more than {self.seconds:g} s")

    def _result(self, worker: Worker, job: _Job) -> Answer | None:
        try:
            found = job.future.result()
        except CancelledError:
            raise WorkersError("the scheduler is gone") from None
        except BrokenExecutor:
            return self._lost(worker, job)
        except Exception as error:  # of the cluster, or of what a worker there does not have
            if type(error).__name__ == "KilledWorker":
                return self._lost(worker, replace(job, lost=_WORKERS_LOST))
            if job.task is None:
                raise WorkersError(f"the workers cannot grade: {_words(error)}") from None
            return Answer(job.task, None, type(error).__name__)
        if job.task is not None:
            return Answer(job.task, *found)
        if found:
            whose = f"the worker {worker.name} cannot grade: " if worker.name else ""
            raise WorkersError(whose + found)
        self.ready.add(worker)
        self.stillborn = 0
        return None

    def _lost(self, worker: Worker, job: _Job) -> Answer | None:
        """Give what a worker did to another one, as it has died."""
        self.crew.end(worker)
        if job.task is None:
            self.stillborn += 1
            enough = self.stillborn > _WORKERS_LOST * max(1, len(self.here))
            if enough and self.ready.isdisjoint(self.here):
                raise WorkersError("the workers cannot grade: all of them died when they started")
        elif job.lost < _WORKERS_LOST:
            self.again.append((job.task, job.lost + 1))
        else:
            times = _WORKERS_LOST + 1
            error = f"every worker that took it died (at most {times} are tried)"
            return Answer(job.task, None, error)
        return None
