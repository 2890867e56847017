"""The grading of many submissions at once, by workers on this machine or in a cluster.

A worker is an executor (`concurrent.futures`) with one process. If this process dies, it takes one
task with it, and it is known which. A task carries everything that it needs, because a worker may
die or join at any time.
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

from dpteach._language import catalog
from dpteach.grading.core.scratch import scratch

_, _n = catalog("classroom")

#: a function that grades a submission, from the exam, the files and the keyword ``items``
Work = Callable[..., bytes]

#: a function that runs first on each worker; it returns "" or why the worker cannot grade
Probe = Callable[[], str]

#: how many workers a task may lose before it is given up, because it may be what kills them
_WORKERS_LOST: Final = 2

#: seconds without any worker after which a run ends
PATIENCE: Final = 30.0

#: the signals that a terminal sends to all processes that were started in it
_OF_TERMINALS: Final = (signal.SIGINT, signal.SIGHUP)

#: seconds that idle processes of this machine get to end by themselves
_END_SECONDS: Final = 5.0

#: bytes that a process of this machine may occupy; students' code runs in other processes
_MEMORY: Final = 2 << 30


class WorkersError(RuntimeError):
    """The reason why the workers cannot be used (any more), in one line."""


@dataclass(frozen=True)
class Task:
    """One submission to grade.

    Attributes
    ----------
    student
        The student's id, which is not sent to the worker.
    exam
        The exam, which may be the one of the student's personal version.
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
    """The outcome of a task.

    Attributes
    ----------
    task
        The task.
    result
        The result's bytes, or None if there is an error.
    error
        The error in one line, or "".
    """

    task: Task
    result: bytes | None
    error: str = ""


@dataclass(frozen=True, eq=False)
class Worker:
    """A process that grades one submission at a time; what replaces it is another `Worker`.

    Attributes
    ----------
    executor
        The executor that passes it work.
    ready
        The future value of its probe.
    name
        Its address in a cluster; "" for a process of this machine.
    """

    executor: Executor
    ready: Future[str]
    name: str = ""


class Crew(Protocol):
    """The workers of a run."""

    def workers(self) -> Sequence[Worker]:
        """Return the present workers."""

    def end(self, worker: Worker) -> None:
        """End a worker at once, even if it is busy; another one may take its place."""


class Local:
    """The processes of this machine; `local` starts and ends them."""

    def __init__(self, probe: Probe, folder: str) -> None:
        self._probe, self._folder = probe, folder
        self._processes: dict[Worker, multiprocessing.process.BaseProcess] = {}

    def workers(self) -> list[Worker]:
        """Return the processes, after ending those that occupy too much memory."""
        for process in self._processes.values():
            if _occupied(process.pid) > _MEMORY:
                process.kill()
        return list(self._processes)

    def start(self) -> None:
        """Start a process without waiting for it."""
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
        """Let idle processes end by themselves, with the processes that they have started."""
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
    """Start processes of this machine, which end with the block.

    Parameters
    ----------
    count
        The number of processes, >= 1.
    probe
        The function that runs first on each of them.
    """
    with _inherited():  # Python's own resource tracker must inherit the settings, too
        resource_tracker.ensure_running()
    # a process that is killed leaves files behind, which are removed with this folder
    with scratch() as folder, contextlib.closing(Local(probe, folder)) as crew:
        for _ in range(count):
            crew.start()
        yield crew
        crew.finish()


@contextlib.contextmanager
def _inherited() -> Iterator[None]:
    """Set what a process inherits that starts in the block: one thread, and blocked signals.

    It computes in one thread because each core has a worker. Signals of a terminal (Ctrl-C, its
    end) stay blocked until `_begin` has set how they are handled.
    """
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
    """Set up a process of this machine, in which this runs first.

    Its temporary files go into a folder, it leaves Ctrl-C to the process that started it, and it
    ends when that process ends, in whatever way.
    """
    tempfile.tempdir = folder
    # programs that this process starts would inherit an ignored signal, but not a handled one
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
    """Grade on a worker; return the result and "", or None and the error in words."""
    try:
        return work(exam, files, items=items), ""
    except Exception as error:
        return None, _error_text(error)


def _error_text(error: Exception) -> str:
    """Return the type and the message of an error in one line."""
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
        The submissions; the next one is taken when a worker is free.
    work
        The function that grades one.
    seconds
        The most that a task may take; after that it is given up, and its worker is ended.
    crew
        The workers.
    tick
        A function that is called a few times per second.

    Raises
    ------
    WorkersError
        If no worker is left, or one of them cannot grade.
    """
    try:
        yield from _Run(tasks, work, seconds, crew, tick).answers()
    except OSError as error:
        problem = str(error) or type(error).__name__
        raise WorkersError(
            _("the workers cannot be used any more: {problem}", problem=problem)
        ) from None


@dataclass
class _Job:
    """The job of a worker: a task, or its probe.

    Attributes
    ----------
    future
        Its outcome.
    begun
        When it was submitted, which is when it began, because a worker has one job at a time.
    task, lost
        The task and how many workers it has lost; None for a probe.
    """

    future: Future[Any]
    begun: float
    task: Task | None = None
    lost: int = 0


@dataclass
class _Run:
    """The tasks of one call of `answers`.

    Attributes
    ----------
    jobs
        The jobs under way.
    here, ready
        The present workers, and those of them whose probe found nothing wrong.
    again
        Tasks whose worker died, and how many workers each has lost.
    left
        Whether there may be further submissions.
    seen
        When there was a worker last.
    stillborn
        How many workers have died before their probe ended since one has passed it.
    ended
        Gets an entry when a job ends.
    """

    tasks: Iterator[Task]
    work: Work
    seconds: float
    crew: Crew
    tick: Callable[[], None]
    jobs: dict[Worker, _Job] = field(default_factory=dict)
    here: Sequence[Worker] = ()
    ready: set[Worker] = field(default_factory=set)
    again: deque[tuple[Task, int]] = field(default_factory=deque)
    left: bool = True
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
                self._fill()  # the worker goes on while the caller records this answer
                if answer is not None:
                    yield answer

    def _fill(self) -> None:
        """Give each idle worker a job."""
        now, self.here = time.monotonic(), self.crew.workers()
        if self.here:
            self.seen = now
        elif now - self.seen > PATIENCE:
            raise WorkersError(_("there is no worker left"))
        for worker in self.here:
            if worker in self.jobs:
                continue
            if worker not in self.ready:
                self._watch(worker, _Job(worker.ready, now))
            elif (found := self._next()) is not None:
                self._submit(worker, *found)

    def _next(self) -> tuple[Task, int] | None:
        """Return the next task and how many workers it has lost; None if no task is waiting."""
        if self.again:
            return self.again.popleft()
        task = next(self.tasks, None) if self.left else None
        self.left = task is not None
        return None if task is None else (task, 0)

    def _submit(self, worker: Worker, task: Task, lost: int) -> None:
        told = (task.exam, task.files, task.items)
        try:
            future = worker.executor.submit(_attempt, self.work, *told)
        except BrokenExecutor:  # the worker died while it was idle
            self.again.append((task, lost))
            self.crew.end(worker)
        else:
            self._watch(worker, _Job(future, time.monotonic(), task, lost))

    def _watch(self, worker: Worker, job: _Job) -> None:
        self.jobs[worker] = job
        job.future.add_done_callback(lambda _: self.ended.put(None))

    def _outcome(self, worker: Worker, job: _Job) -> Answer | None:
        """Return the outcome of a task; None for a probe, or if the task goes on or is retried."""
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
        return Answer(job.task, None, _("it took more than {seconds:g} s", seconds=self.seconds))

    def _result(self, worker: Worker, job: _Job) -> Answer | None:
        """Return the outcome of a job whose future is done, as `_outcome` does."""
        try:
            found = job.future.result()
        except CancelledError:
            raise WorkersError(_("the scheduler is gone")) from None
        except BrokenExecutor:
            return self._lost(worker, job)
        except Exception as error:  # an error of the cluster, or of an import on its worker
            if type(error).__name__ == "KilledWorker":
                return self._lost(worker, replace(job, lost=_WORKERS_LOST))
            if job.task is None:
                problem = _error_text(error)
                raise WorkersError(
                    _("the workers cannot grade: {problem}", problem=problem)
                ) from None
            return Answer(job.task, None, type(error).__name__)
        if job.task is not None:
            return Answer(job.task, *found)
        if found:
            if worker.name:
                found = _(
                    "the worker {name} cannot grade: {problem}", name=worker.name, problem=found
                )
            raise WorkersError(found)
        self.ready.add(worker)
        self.stillborn = 0
        return None

    def _lost(self, worker: Worker, job: _Job) -> Answer | None:
        """Give the task of a worker that died to another one, at most so many times."""
        self.crew.end(worker)
        if job.task is None:
            self.stillborn += 1
            enough = self.stillborn > _WORKERS_LOST * max(1, len(self.here))
            if enough and self.ready.isdisjoint(self.here):
                raise WorkersError(
                    _("the workers cannot grade, because all of them died when they started")
                )
        elif job.lost < _WORKERS_LOST:
            self.again.append((job.task, job.lost + 1))
        else:
            error = _(
                "every worker that took it died (at most {most} are tried)", most=_WORKERS_LOST + 1
            )
            return Answer(job.task, None, error)
        return None
