"""Limits on the time, memory, files and messages of the process that runs a student's code.

The process sees the system's libraries, Python and the installed packages except `dpteach`, all
read-only (`_bubblewrap`). The process can write only into its own ``/tmp``, which is empty at first
(`inside.walls`). It can start threads, but no other process or program, and it has no network
(`_seccomp`). It communicates with the grader over a socket that was connected before its start
(`_process`), and ends when the grader ends (`_jail`).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from dpteach.grading.core.reasons import SUBMISSION_SECONDS

#: the time limit, in seconds, for the start of a sandboxed process
START_SECONDS: Final = 60


@dataclass(frozen=True)
class Limits:
    """The limits on a kernel, that is, on a process that runs a student's code.

    Attributes
    ----------
    memory
        Bytes of address space.
    cpu_seconds
        Seconds of processor time of the kernel since its fork.
    wall_seconds
        Seconds from the start of the kernel to its end. The limit is extended by the seconds in
        which the kernel waits for a busy processor, but at most to
        `dpteach.grading.core.observe.BUSY` times its value.
    cell_seconds
        Seconds for one cell. This limit is extended in the same way.
    file_bytes
        Largest size of one file.
    disk_bytes, disk_files
        Largest total size and number of files.
    output_bytes
        Largest total size of the outputs of all cells that the grader keeps.
    flood_bytes
        Total size of the outputs of all cells above which the grader ends the kernel.
    message_bytes
        Largest size of one message to the grader.
    processes
        Largest number of threads of the kernel, which is a single process. If the grader is an
        ordinary user, the process that waits for the kernel's end counts as a thread.
    files
        Largest number of open files.
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
