"""The grading of many submissions at once, by workers on this machine or in a cluster.

A worker is an executor (`concurrent.futures`) with one process. If this process dies, only the
task that it is grading is lost, and another worker can get this task. A task contains the exam
(the data for grading) and all files of the submission, so that any worker can do it.
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

#: a function that grades a submission and returns the result as bytes, given the exam (the data
#: for grading), the submitted files and, as the keyword ``items``, the items to grade
Work = Callable[..., bytes]

#: a function that runs first on each worker, and returns the reason why the worker cannot grade,
#: or ""
Probe = Callable[[], str]

#: how many workers may die while they grade the same task; if one more dies, the task is probably
#: at fault
_WORKERS_LOST: Final = 2

#: the number of seconds after which a run ends if it has no worker, or no answer of the scheduler
PATIENCE: Final = 30.0

#: the signals that a terminal sends to its processes on Ctrl-C and when it is closed
_OF_TERMINALS: Final = (signal.SIGINT, signal.SIGHUP)

#: the seconds that idle workers of this machine get to end by themselves
_END_SECONDS: Final = 5.0

#: the bytes of memory above which a worker of this machine is killed. This does not limit
#: students' code, which runs in other processes
_MEMORY: Final = 2 << 30


class WorkersError(RuntimeError):
    """Error for workers that cannot grade, or can no longer grade; its message is one line."""


@dataclass(frozen=True)
class Task:
    """One submission to grade.

    Attributes
    ----------
    student
        The student's id, which is not sent to the worker.
    exam
        The data for grading, as bytes; if students have different versions of the assignment, those
        for the student's version.
    files
        The submitted files, by name.
    items
        The names of the items to grade, or None for all of them.
    """

    student: str
    exam: bytes
    files: Mapping[str, bytes]
    items: Sequence[str] | None = None


@dataclass(frozen=True)
class Answer:
    """The outcome of grading one submission: a result or an error.

    Attributes
    ----------
    task
        The task with the submission.
    result
        The result as bytes, or None after an error.
    error
        The error message in one line, or "".
    """

    task: Task
    result: bytes | None
    error: str = ""


@dataclass(frozen=True, eq=False)
class Worker:
    """A process that grades one submission at a time; after its death, a new `Worker` replaces it.

    Attributes
    ----------
    executor
        The executor that passes work to the process.
    ready
        The future result of the function that runs first on the worker (`Probe`).
    name
        The address of the process in a cluster; "" for a process of this machine.
    """

    executor: Executor
    ready: Future[str]
    name: str = ""


class Crew(Protocol):
    """Interface of a group of workers: of processes on this machine, or of a cluster's workers."""

    def workers(self) -> Sequence[Worker]:
        """Return the workers that exist now; workers may join and leave during a run."""

    def end(self, worker: Worker) -> None:
        """End a worker at once, even if it is busy; a new worker may take its place."""


class Local:
    """The worker processes on this machine; the function `local` starts and ends them."""

    def __init__(self, probe: Probe, folder: str) -> None:
        self._probe, self._folder = probe, folder
        self._processes: dict[Worker, multiprocessing.process.BaseProcess] = {}

    def workers(self) -> list[Worker]:
        """Return the present workers, and kill those that occupy too much memory."""
        for process in self._processes.values():
            if _occupied(process.pid) > _MEMORY:
                process.kill()
        return list(self._processes)

    def start(self) -> None:
        """Start a worker process with the probe as its first job; do not wait for its result."""
        context = multiprocessing.get_context("spawn")
        executor = ProcessPoolExecutor(1, context, _begin, (self._folder,))
        before = set(multiprocessing.active_children())
        with _inherited():
            ready = executor.submit(self._probe)
        (process,) = set(multiprocessing.active_children()) - before
        self._processes[Worker(executor, ready)] = process

    def end(self, worker: Worker) -> None:
        """End a worker process, and start another one in its place."""
        self._processes.pop(worker).kill()
        worker.executor.shutdown(cancel_futures=True)
        self.start()

    def finish(self) -> None:
        """Let worker processes end by themselves, and wait for them at most `_END_SECONDS`."""
        for worker in self._processes:
            worker.executor.shutdown(wait=False)
        end = time.monotonic() + _END_SECONDS
        for process in self._processes.values():
            process.join(max(0.0, end - time.monotonic()))

    def close(self) -> None:
        """Kill all worker processes, and wait until they have ended."""
        for process in self._processes.values():
            process.kill()
            process.join()
        for worker in self._processes:
            worker.executor.shutdown(cancel_futures=True)


@contextlib.contextmanager
def local(count: int, probe: Probe) -> Iterator[Local]:
    """Start worker processes on this machine, which end with the ``with`` block.

    Parameters
    ----------
    count
        The number of processes, >= 1.
    probe
        The function that runs first in each process, to find out whether it can grade.
    """
    # Python's resource tracker is a separate process. Start it with blocked signals, so that Ctrl-C
    # does not end it
    with _inherited():
        resource_tracker.ensure_running()
    # a process that is killed leaves temporary files behind, so all processes write these into one
    # folder, which is removed at the end
    with scratch() as folder, contextlib.closing(Local(probe, folder)) as crew:
        for _ in range(count):
            crew.start()
        yield crew
        crew.finish()


@contextlib.contextmanager
def _inherited() -> Iterator[None]:
    """Let processes that start in the ``with`` block use one thread and block signals at first.

    A new process uses one thread for linear algebra, because each core has a worker. The signals
    of a terminal (Ctrl-C, closing it) stay blocked in the new process until `_begin` unblocks them.
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
    """Set up a worker process on this machine, which runs this function first.

    The process keeps its temporary files in the given folder. It ignores Ctrl-C, which its parent
    handles, and ends as soon as its parent has ended for any reason.
    """
    tempfile.tempdir = folder
    # handle the signal by a function that does nothing: with SIG_IGN, the programs that this
    # process starts would ignore the signal, too
    signal.signal(signal.SIGINT, lambda number, frame: None)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, _OF_TERMINALS)
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    """Wait until the parent process has ended, and then end this process."""
    parent = multiprocessing.parent_process()
    assert parent is not None
    parent.join()
    os._exit(1)


def _occupied(number: int | None) -> int:
    """Return the bytes of memory that a process occupies, given its id; 0 if it has ended."""
    try:
        pages = Path(f"/proc/{number}/statm").read_text("ascii").split()[1]
    except (OSError, IndexError):
        return 0
    return int(pages) * os.sysconf("SC_PAGE_SIZE")


def _attempt(
    work: Work, exam: bytes, files: Mapping[str, bytes], items: Sequence[str] | None
) -> tuple[bytes | None, str]:
    """Grade a submission on a worker; return the result and "", or None and the error message."""
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
    """Grade submissions on workers, and yield the outcome of each as soon as it is known.

    Parameters
    ----------
    tasks
        The submissions; the next one is taken when a worker is free.
    work
        The function that grades one submission.
    seconds
        The most seconds that a task may take; a task that takes longer fails, and its worker is
        ended.
    crew
        The workers.
    tick
        A function that is called a few times per second, for example to update a progress bar.

    Raises
    ------
    WorkersError
        If no worker is left, or a worker cannot grade.
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
    """The job that a worker is doing: a task, or the probe, which is each worker's first job.

    Attributes
    ----------
    future
        The future result of the job.
    begun
        The time at which the job was submitted. It began at once, because a worker has one job at
        a time.
    task, lost
        The task, or None for a probe; and how many workers died while they graded the task.
    """

    future: Future[Any]
    begun: float
    task: Task | None = None
    lost: int = 0


@dataclass
class _Run:
    """The state of one call of `answers`, whose arguments are the first five attributes.

    Attributes
    ----------
    jobs
        For each busy worker, the job that it is doing.
    here, ready
        The present workers, and the workers whose probe has succeeded.
    again
        The tasks to try again because their worker died, each with the number of workers that died
        while they graded it.
    left
        Whether `tasks` may have further tasks.
    seen
        The last time at which there was a worker.
    stillborn
        How many workers have died during their probe since a probe last succeeded.
    ended
        A queue that gets an entry whenever a job ends.
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
        """Yield the outcome of each task."""
        while self.left or self.again or any(job.task for job in self.jobs.values()):
            self._fill()
            self.tick()
            with contextlib.suppress(queue.Empty):
                self.ended.get(timeout=0.25)
            for worker, job in list(self.jobs.items()):
                answer = self._outcome(worker, job)
                # if the worker has become idle, give it a job now, so that it works while the
                # caller records the answer
                self._fill()
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
        """Return the next task, and how many workers died grading it; None if no task is left."""
        if self.again:
            return self.again.popleft()
        task = next(self.tasks, None) if self.left else None
        self.left = task is not None
        return None if task is None else (task, 0)

    def _submit(self, worker: Worker, task: Task, lost: int) -> None:
        """Give a task to a worker; if the worker has died, keep the task for another worker."""
        told = (task.exam, task.files, task.items)
        try:
            future = worker.executor.submit(_attempt, self.work, *told)
        # the worker died before it got the task, so the task is not at fault
        except BrokenExecutor:
            self.again.append((task, lost))
            self.crew.end(worker)
        else:
            self._watch(worker, _Job(future, time.monotonic(), task, lost))

    def _watch(self, worker: Worker, job: _Job) -> None:
        self.jobs[worker] = job
        job.future.add_done_callback(lambda _: self.ended.put(None))

    def _outcome(self, worker: Worker, job: _Job) -> Answer | None:
        """Return the outcome of a worker's task if the task has ended, otherwise None.

        The value is None also if the worker died and another one will get the task, and if the job
        was no task but the probe, which is the first job of each worker.
        """
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
        """Return the outcome of a job whose future is done, or None as described in `_outcome`."""
        try:
            found = job.future.result()
        except CancelledError:
            raise WorkersError(_("the scheduler is gone")) from None
        except BrokenExecutor:
            return self._lost(worker, job)
        # `_attempt`, which runs on the worker, catches all errors that grading raises. Other errors
        # come from dask or from an import on the worker, and may be of any class
        except Exception as error:
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
        """Keep a dead worker's task for another worker, and return None.

        If too many workers died while they graded this task, return the task's failure instead. If
        too many died in their first job, the probe, and it succeeded on no present worker, raise an
        error.
        """
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
