"""What the student's process may do: compute, write small files, and answer the grader.

How much it may use of everything is said here. It sees the system's libraries, Python and the
installed packages, read-only and without `dpteach` (`_bubblewrap`), and an empty ``/tmp`` of its
own, as all that it can write is (`inside.walls`). It may start threads, but no process and no
program, and has no network (`_seccomp`). It speaks over a socket that was connected before it began
(`_process`), and ends with the grader (`_jail`).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from dpteach.grading.core.reasons import SUBMISSION_SECONDS

#: seconds in which a kernel must have started
START_SECONDS: Final = 60


@dataclass(frozen=True)
class Limits:
    """What a kernel may use.

    Attributes
    ----------
    memory
        Bytes of address space.
    cpu_seconds
        Of the whole kernel, since it was forked.
    wall_seconds
        From its start to its end, without those in which it waits for a processor that others use;
        with them at most `dpteach.grading.core.observe.BUSY` times as many.
    cell_seconds
        Of one cell, counted in the same way.
    file_bytes
        Size of one file.
    disk_bytes, disk_files
        Size and number of all files.
    output_bytes
        What is kept of all that its cells write. Of what is beyond, nothing is kept; a kernel
        that sends more than `flood_bytes` is ended.
    flood_bytes
        See `output_bytes`.
    message_bytes
        One message, an answer too.
    processes
        Threads: there is only one process. Of an ordinary user's, the process that waits for the
        kernel's end counts as one.
    files
        Open files.
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
