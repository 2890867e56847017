"""One kernel's process: forked behind walls of its own, watched, and ended."""

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
from typing import Any

from dpteach.grading.sandbox import _bubblewrap, _seccomp
from dpteach.grading.sandbox._warm import SandboxMissingError, check_started, warm
from dpteach.grading.sandbox.limits import Limits

#: seconds in which the system takes down a sandbox whose first process was killed
_END_SECONDS = 10.0


class Jail:
    """A process that has become a kernel, or will, on sockets that listen already.

    Parameters
    ----------
    listeners
        By the names of the kernel's channels, as sockets that listen. They can be closed here
        afterwards.
    unsafe
        Without bubblewrap.
    data
        Files that lie in the folder of the cells, by their path there, and cannot be changed.
    alone
        Make processes one by one (`fork`), each for a single question, in place of a kernel.
    lean
        With `alone`: those processes need neither IPython nor scipy.

    Attributes
    ----------
    handle
        A descriptor from which, once the kernel is ready, something can be read when it has ended.

    Raises
    ------
    SandboxMissingError
        If bubblewrap is not installed or does not work, or system calls cannot be filtered on this
        machine.
    RuntimeError
        If the kernel does not start for another reason.

    Notes
    -----
    It has a session of its own, so that Ctrl-C in a terminal ends the grader only, which then
    ends it: a kernel that is ended by the same key would look as if the student's code had died.
    """

    def __init__(
        self,
        limits: Limits,
        listeners: Mapping[str, socket.socket],
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
        self._unsafe, self._alone, self._cpu_seconds = unsafe, alone, limits.cpu_seconds
        # the first process, with which all others end; the one that tells of it; where it writes
        self._init = self._teller = self._disk = -1
        self._number, self._place = 0, ""
        self._code: int | None = 0 if alone else None
        self._used = 0.0
        self._warm = warm(program, unsafe=unsafe, lean=lean)
        self._home = tempfile.mkdtemp(prefix="dpteach-") if unsafe else None
        self._line, line = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self.handle = self._line.fileno()
        self._out, out = os.pipe()
        self._error, error = os.pipe()
        passed = [line.fileno(), out, error, *(one.fileno() for one in listeners.values())]
        try:
            orders = self._orders(limits, data or {})
            orders |= {"alone": alone, "lean": lean}
            orders |= {"listeners": ["line"] if alone else list(listeners)}
            self._warm.fork(orders, list((data or {}).values()), *passed)
        except BaseException:
            self.kill()
            raise
        finally:
            line.close()
            os.close(out)
            os.close(error)

    def _orders(self, limits: Limits, data: Mapping[str, bytes]) -> dict[str, Any]:
        """What `inside.launcher` reads."""
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
        home = {} if self._home is None else {"HOME": self._home, "MPLCONFIGDIR": self._home}
        return {
            "limits": restrict,
            "walls": not self._unsafe,
            "user": _bubblewrap.throwaway() if root else None,
            "disk_bytes": limits.disk_bytes,
            "disk_files": limits.disk_files,
            "data": {name: len(content) for name, content in data.items()},
            "home": self._home or "/tmp",
            "environment": home,
        }

    def wait_ready(self, seconds: float) -> bool:
        """Waits until the kernel listens.

        Returns
        -------
        bool
            False if the time was over before.

        Raises
        ------
        SandboxMissingError
            If bubblewrap does not work here.
        RuntimeError
            If the kernel does not start for another reason.
        """
        if not select.select([self._out], [], [], seconds)[0]:
            return False
        if os.read(self._out, 16) != b"ready\n":
            check_started(self._last_words())
        self._meet()
        return True

    def _last_words(self) -> str:
        """What was said by who has ended, or is about to."""
        said = b""
        while len(said) < 20_000 and select.select([self._error], [], [], 5)[0]:
            chunk = os.read(self._error, 20_000)
            said += chunk
            if not chunk:
                break
        return said.decode("utf-8", "replace")

    def fork(self, line: socket.socket) -> None:
        """Make the next process of those that are made one by one.

        Parameters
        ----------
        line
            The end of a socket pair over which it is asked and answers.

        Raises
        ------
        SandboxMissingError, RuntimeError
            As `wait_ready`.
        """
        self.end()
        self._release()
        with contextlib.suppress(OSError):  # why it is gone is said below
            socket.send_fds(self._line, [b"fork"], [line.fileno()])
        self._code = None
        self._meet()
        if self._init < 0:
            check_started(self._last_words())

    def _meet(self) -> None:
        """Takes hold of the sandbox's first process, of which is told when there is one."""
        known = self._init >= 0 or self._code is not None
        if known or not select.select([self._line], [], [], _END_SECONDS)[0]:
            return
        said, descriptors, _, _ = socket.recv_fds(self._line, 1000, 3)
        if descriptors:
            self._number, (self._init, self._teller, self._disk) = int(said), descriptors
            found = re.search(rb"(?m)^Pid:\t(\d+)$", _read(f"/proc/self/fdinfo/{self._init}"))
            self._place = f"/proc/{int(found[1])}/schedstat" if found else ""

    def _wait(self, seconds: float) -> bool:
        """Waits for the end; false if there was none."""
        if self._code is None and select.select([self._line], [], [], seconds)[0]:
            self._code, self._used = -signal.SIGKILL, 0.0
            with contextlib.suppress(ConnectionError, ValueError):
                self._code, self._used = json.loads(self._line.recv(1000))
            if self._teller >= 0 and not self._alone:
                select.select([self._teller], [], [], _END_SECONDS)
        return self._code is not None

    def files(self) -> int:
        """How many files there are in the sandbox: each takes memory that nothing else limits."""
        if self._unsafe or self._disk < 0:
            return 0
        found = os.statvfs(self._disk)
        return found.f_files - found.f_ffree

    def delayed(self) -> float:
        """Seconds in which the kernel could have worked and had no processor; 0 if nobody knows."""
        told = _read(self._place).split()
        return int(told[1]) / 1e9 if len(told) == 3 else 0.0

    def end(self) -> None:
        """Ends all processes of the sandbox, and waits until none is left."""
        # what tells of the first process comes before what tells of its end
        self._meet()
        if self._wait(0):
            return
        if self._init >= 0:
            with contextlib.suppress(ProcessLookupError):
                if self._unsafe:
                    os.killpg(self._number, signal.SIGKILL)
                # the system ends a namespace with its first process, and that waits for the rest
                signal.pidfd_send_signal(self._init, signal.SIGKILL)
        if not self._wait(_END_SECONDS):
            self._warm.end()

    def kill(self) -> None:
        """Ends all processes of the sandbox, and gives back everything else."""
        self.end()
        self._release()
        self._line.close()
        os.close(self._out)
        os.close(self._error)
        if self._home is not None:
            shutil.rmtree(self._home, ignore_errors=True)
            self._home = None

    def _release(self) -> None:
        for name in ("_init", "_teller", "_disk"):
            if getattr(self, name) >= 0:
                os.close(getattr(self, name))
                setattr(self, name, -1)

    def used_its_time(self) -> bool:
        """Waits for the end; says whether it came when the processor time was used up."""
        self._wait(_END_SECONDS)
        if self._code == -signal.SIGKILL:  # the first process of a sandbox does not hear the other
            return self._used >= self._cpu_seconds
        return self._code == -signal.SIGXCPU


def _read(path: str) -> bytes:
    """A file of the system's, or nothing if there is none; it is read some ten times a cell."""
    try:
        with open(path, "rb", buffering=0) as file:
            return file.read()
    except OSError:
        return b""


def _counts_by_namespace() -> bool:
    """Whether the system counts a user's processes in each user namespace by themselves."""
    try:
        major, minor = platform.release().split(".")[:2]
        return (int(major), int(minor)) >= (5, 14)
    except ValueError:
        return False
