"""The start and end of sandboxed processes, which run one at a time in the same namespaces."""

from __future__ import annotations

import contextlib
import json
import os
import platform
import re
import select
import shutil
import signal
import socket
import sys
import tempfile
from collections.abc import Mapping
from typing import Any, NoReturn

from dpteach.grading.sandbox import _bubblewrap, _seccomp
from dpteach.grading.sandbox._warm import SandboxMissingError, check_started, warm
from dpteach.grading.sandbox.limits import Limits

#: the longest wait, in seconds, for the end of all processes of a sandbox after the grader has
#: killed the first of them
_END_SECONDS = 10.0

#: the longest wait, in seconds, for the error message of a process that failed to start
_WORDS_SECONDS = 5.0


class Jail:
    """The namespaces and mounts of a sandbox, in which `fork` starts processes one after the other.

    Parameters
    ----------
    unsafe
        Whether to run without bubblewrap.
    data
        The assignment's data files, by their path in the folder in which cells run. The processes
        cannot change them.
    alone
        Whether each process answers a single question about a function. It then gets no ``/proc``.
    lean
        Whether the processes need neither IPython nor scipy.

    Attributes
    ----------
    handle
        A file descriptor that becomes readable when the current sandboxed process has ended.

    Raises
    ------
    SandboxMissingError
        If bubblewrap is not installed or does not work, or system calls cannot be filtered on this
        machine.

    Notes
    -----
    The processes run in a separate session, so that Ctrl-C in a terminal ends only the grader,
    which then ends the processes. If Ctrl-C ended these directly, the student's code would seem to
    have crashed.
    """

    def __init__(
        self,
        limits: Limits,
        *,
        unsafe: bool = False,
        data: Mapping[str, bytes] | None = None,
        alone: bool = False,
        lean: bool = False,
    ) -> None:
        if sys.platform != "linux":
            raise SandboxMissingError(f"grading needs Linux, and this is {sys.platform}.")
        program = _seccomp.program(platform.machine())
        if not program and not unsafe:
            raise SandboxMissingError(
                "dpteach knows the numbers of the system calls on x86_64 and aarch64, but not on "
                f"{platform.machine()}, and so cannot forbid any here."
            )
        self._unsafe, self._cpu_seconds = unsafe, limits.cpu_seconds
        # file descriptors of the sandboxed process, of its parent process, and of the folder in
        # which cells run
        self._handles: dict[str, int] = {}
        self._number, self._place = 0, ""
        self._code: int | None = 0
        self._used = self._past = self._delayed = 0.0
        self._warm = warm(program, unsafe=unsafe, lean=lean)
        self._home = tempfile.mkdtemp(prefix="dpteach-") if unsafe else None
        self._line, line = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self.handle = self._line.fileno()
        self._error, error = os.pipe()
        try:
            orders = self._orders(limits, data or {}) | {"alone": alone}
            self._warm.fork(orders, list((data or {}).values()), line.fileno(), error)
        except BaseException:
            self.close()
            raise
        finally:
            line.close()
            os.close(error)

    def _orders(self, limits: Limits, data: Mapping[str, bytes]) -> dict[str, Any]:
        """Return settings for `inside.launcher`: the limits, user, data files and home folder."""
        root = _bubblewrap.is_root() and not self._unsafe
        restrict = {
            "AS": limits.memory,
            "CPU": limits.cpu_seconds,
            "FSIZE": limits.file_bytes,
            "NOFILE": limits.files,
            "CORE": 0,
            "MSGQUEUE": 0,
            "MEMLOCK": 0,
        }
        if root or (_counts_by_namespace() and not self._unsafe):
            restrict["NPROC"] = limits.processes
        return {
            "limits": restrict,
            "walls": not self._unsafe,
            "user": _bubblewrap.throwaway() if root else None,
            "disk_bytes": limits.disk_bytes,
            "disk_files": limits.disk_files,
            "data": {name: len(content) for name, content in data.items()},
            "home": self._home or "/tmp",
        }

    def fork(self) -> socket.socket:
        """End the current sandboxed process, and start a new one.

        Returns
        -------
        socket.socket
            The grader's end of a socket pair, over which it sends requests and receives answers.

        Raises
        ------
        SandboxMissingError
            If bubblewrap does not work here.
        RuntimeError
            If the process does not start for another reason.
        """
        self.end()
        self._release()
        self._past, self._delayed = self.delayed(), 0.0
        ours, theirs = socket.socketpair()
        self._code, descriptors = None, list[int]()
        with theirs, contextlib.suppress(OSError):  # `explain` below raises the error
            socket.send_fds(self._line, [b"fork"], [theirs.fileno()])
            if select.select([self._line], [], [], _END_SECONDS)[0]:
                said, descriptors, _, _ = socket.recv_fds(self._line, 1000, 3)
        if not descriptors:
            ours.close()
            self.explain()
        self._number = int(said)
        self._handles = dict(zip(("process", "parent", "folder"), descriptors, strict=True))
        found = re.search(rb"(?m)^Pid:\t(\d+)$", _read(f"/proc/self/fdinfo/{descriptors[0]}"))
        self._place = f"/proc/{int(found[1])}/schedstat" if found else ""
        return ours

    def explain(self) -> NoReturn:
        """Raise an error with the message of a process that failed to start.

        Raises
        ------
        SandboxMissingError
            If bubblewrap does not work here.
        RuntimeError
            If the process failed for another reason.
        """
        said, seconds = b"", _WORDS_SECONDS
        while len(said) < 20_000 and select.select([self._error], [], [], seconds)[0]:
            chunk = os.read(self._error, 20_000)
            said, seconds = said + chunk, 0.1
            if not chunk:
                break
        check_started(said.decode("utf-8", "replace"))

    def _wait(self, seconds: float) -> bool:
        """Wait at most `seconds` for the end of the process; return whether it has ended."""
        if self._code is None and select.select([self._line], [], [], seconds)[0]:
            self._code, self._used = -signal.SIGKILL, 0.0
            with contextlib.suppress(ConnectionError, ValueError):
                self._code, self._used = json.loads(self._line.recv(1000))
        return self._code is not None

    def files(self) -> int:
        """Return the number of files in the sandbox, which the grader checks against a limit."""
        if self._unsafe or not self._handles:
            return 0
        found = os.statvfs(self._handles["folder"])
        return found.f_files - found.f_ffree

    def delayed(self) -> float:
        """Return the seconds in which the processes were ready to run but had no processor."""
        told = _read(self._place).split()
        if len(told) == 3:  # otherwise the process has ended, and its last delay is kept
            self._delayed = int(told[1]) / 1e9
        return self._past + self._delayed

    def end(self) -> None:
        """Kill all processes of the sandbox, and wait until they have ended."""
        if self._wait(0):
            return
        if self._handles:
            with contextlib.suppress(ProcessLookupError):
                if self._unsafe:
                    os.killpg(self._number, signal.SIGKILL)
                # when the first process of a namespace is killed, the system kills all others in
                # it
                signal.pidfd_send_signal(self._handles["process"], signal.SIGKILL)
        if not self._wait(_END_SECONDS):
            self._warm.end()

    def close(self) -> None:
        """Kill all processes of the sandbox, close its descriptors, and remove its folder."""
        self.end()
        self._line.close()
        if self._handles:
            select.select([self._handles["parent"]], [], [], _END_SECONDS)
        self._release()
        os.close(self._error)
        if self._home is not None:
            shutil.rmtree(self._home, ignore_errors=True)

    def _release(self) -> None:
        while self._handles:
            os.close(self._handles.popitem()[1])

    def used_its_time(self) -> bool:
        """Wait for the end of the process, and return whether it ran out of processor time."""
        self._wait(_END_SECONDS)
        # Linux sends SIGXCPU when the processor time is used up. A process with PID 1, as in a
        # sandbox, ignores this signal, so Linux sends SIGKILL a second later
        if self._code == -signal.SIGKILL:
            return self._used >= self._cpu_seconds
        return self._code == -signal.SIGXCPU


def _read(path: str) -> bytes:
    """Return the content of a system file, or b"" if the file is missing."""
    try:
        with open(path, "rb", buffering=0) as file:
            return file.read()
    except OSError:
        return b""


def _counts_by_namespace() -> bool:
    """Return whether Linux counts a user's processes separately in each user namespace."""
    try:
        return tuple(map(int, platform.release().split(".")[:2])) >= (5, 14)
    except ValueError:
        return False
