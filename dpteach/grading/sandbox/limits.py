"""Limits on the student's process, which may compute, write small files and answer the grader.

The process sees the system's libraries, Python and the installed packages, read-only and without
`dpteach` (`_bubblewrap`). It can write only into a ``/tmp`` of its own, which is empty at first
(`inside.walls`). It may start threads, but no process and no program, and it has no network
(`_seccomp`). It communicates over a socket that was connected before it began (`_process`), and
ends with the grader (`_jail`).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from dpteach.grading.core.reasons import SUBMISSION_SECONDS

#: seconds within which a kernel must have started
START_SECONDS: Final = 60


@dataclass(frozen=True)
class Limits:
    """Limits on a kernel.

    Attributes
    ----------
    memory
        Bytes of address space.
    cpu_seconds
        Seconds of computing of the whole kernel, since it was forked.
    wall_seconds
        Seconds from its start to its end, without those in which it waits for a processor that
        others use; including these, at most `dpteach.grading.core.observe.BUSY` times as many.
    cell_seconds
        Seconds for one cell, counted in the same way.
    file_bytes
        Size of one file.
    disk_bytes, disk_files
        Size and number of all files.
    output_bytes
        Number of bytes that are kept of all outputs of its cells.
    flood_bytes
        Number of bytes of outputs after which a kernel is ended.
    message_bytes
        Size of one message, including an answer.
    processes
        Number of threads, since there is only one process. For an ordinary user, the process that
        waits for the kernel's end counts as well.
    files
        Number of open files.
    """

    memory: int = 2 << 30
    cpu_seconds: int = SUBMISSION_SECONDS
    wall_seconds: float = 120.0
    cell_seconds: float = 20.0
    file_bytes: int = 64 << 20
    disk_bytes: int = 128 << 20
    disk_files: int = 10_000
    output_bytes: int = 1 << 20
    flood_bytes: int = 32 << 20
    message_bytes: int = 32 << 20
    processes: int = 64
    files: int = 256
