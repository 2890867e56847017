"""The start of a process that has imported libraries and forks the processes for students' code.

Each thread of the grader starts such a warm process once, in bubblewrap unless the user chose to
grade without a sandbox. The warm process receives the folders of installed packages and, for each
sandbox, the settings that `Jail` writes. It never receives the right answers to exercises.
"""

from __future__ import annotations

import json
import os
import shutil
import socket
import subprocess
import sys
import threading
import weakref
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final, NoReturn

from dpteach.grading.sandbox import _bubblewrap
from dpteach.grading.sandbox.limits import START_SECONDS

#: the folder of the program that the warm process runs, and the folder of two modules that the
#: program imports, `plain` and `observe`
_INSIDE: Final = Path(__file__).parent / "inside"
_CORE: Final = Path(__file__).parents[1] / "core"

_REMEDY: Final = (
    "Students' code is run in bubblewrap and nowhere else. To install it: apt-get install "
    "bubblewrap (0.7 or later). Where user namespaces are forbidden, or have no rights: sysctl -w "
    "kernel.unprivileged_userns_clone=1, on Ubuntu sysctl -w "
    "kernel.apparmor_restrict_unprivileged_userns=0, or grade as root. In a container that masks "
    "/proc: docker run --security-opt systempaths=unconfined. To go on without it, so "
    "that students' code can do whatever you can: --no-sandbox (in Python, unsafe=True)."
)


class SandboxMissingError(RuntimeError):
    """Error for a machine without a working bubblewrap; the message says how to repair it."""

    def __init__(self, reason: str) -> None:
        super().__init__(f"{reason} {_REMEDY}")


def check_started(said: str) -> NoReturn:
    """Raise an error with the message `said` of a process that failed to start.

    Raises
    ------
    SandboxMissingError
        If bubblewrap does not work here.
    RuntimeError
        If the process failed for another reason.
    """
    said = said.strip()
    if said.startswith(("bwrap:", "usage:", "walls:")):
        raise SandboxMissingError(f"bubblewrap does not work here ({said.splitlines()[0]}).")
    raise RuntimeError(f"the kernel does not start: {said}")


class Warm:
    """A process that has imported libraries and forks on request.

    The process ends when the thread of the grader that started it ends.

    Parameters
    ----------
    bubblewrap
        The path of bubblewrap; None to run without it.
    filter
        The filter for system calls of the forked processes (`_seccomp.program`).
    lean
        Whether to import neither IPython nor scipy. Forks are then faster, but cannot execute cells
        with commands of IPython.
    """

    def __init__(self, bubblewrap: str | None, filter: bytes, *, lean: bool) -> None:
        self._control, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        with theirs:
            self.process, places = _started(theirs.fileno(), bubblewrap)
        self.end = weakref.finalize(self, _end, os.getpid(), self.process, self._control)
        said = b""
        try:
            common = {**places, "filter": filter.hex(), "lean": lean}
            self._control.settimeout(START_SECONDS)
            self._control.send(json.dumps(common).encode())
            said = self._control.recv(16)
        except TimeoutError:
            self.end()
            raise RuntimeError(f"the kernel does not start within {START_SECONDS} s") from None
        except OSError:
            pass  # `check_started` below raises the error
        assert self.process.stderr is not None
        if said != b"ready":
            words = self.process.communicate()[1]
            self.end()
            check_started(words.decode("utf-8", "replace"))
        self.process.stderr.close()

    def fork(self, orders: dict[str, Any], data: Sequence[bytes], *descriptors: int) -> None:
        """Make this process fork another one, which makes a sandbox and forks its kernels later.

        Parameters
        ----------
        orders
            JSON data that describe the sandbox for `inside.launcher`.
        data
            The contents of the assignment's data files.
        descriptors
            File descriptors that the process gets: a socket for reports about the kernels (the
            processes for students' code), and a pipe for the kernels' standard error.

        Raises
        ------
        RuntimeError
            If this process has ended.
        """
        try:
            with open(os.memfd_create("orders"), "wb") as file:
                file.write(json.dumps(orders).encode() + b"\n")
                file.writelines(data)
                file.flush()
                socket.send_fds(self._control, [b"fork"], [*descriptors, file.fileno()])
        except OSError as error:
            self.end()
            raise RuntimeError(f"the kernel does not start: {error}") from None


def _started(
    control: int, bubblewrap: str | None
) -> tuple[subprocess.Popen[bytes], dict[str, Any]]:
    """Start the process of a `Warm`; return it, and the folders from which it imports modules."""
    run = [sys.executable, *_bubblewrap.OPTIONS, "-c", _bubblewrap.START, str(_INSIDE)]
    site, core = _bubblewrap.site_folders(), str(_CORE)
    environment = dict(_bubblewrap.ENVIRONMENT)
    with open(os.memfd_create("arguments"), "wb") as file:
        if bubblewrap is not None:
            paths = [_INSIDE / name for name in ("frames.py", "launcher.py", "walls.py")]
            paths += [_CORE / name for name in ("plain.py", "observe.py")]
            core = _bubblewrap.FILES
            run, told, site = _bubblewrap.command({f"{core}/{p.name}": str(p) for p in paths})
            run = [bubblewrap, "--args", str(file.fileno()), "--", *run]
            file.write(told)
            file.seek(0)
            # pass no environment, because students' code could read it in /proc
            environment = {}
        process = subprocess.Popen(
            [*run, str(control)],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            pass_fds=[file.fileno(), control],
            env=environment,
            start_new_session=True,
        )
    return process, {"site": site, "core": core}


def _end(maker: int, process: subprocess.Popen[bytes], control: socket.socket) -> None:
    control.close()
    if os.getpid() != maker:
        return  # a fork of the grader must not end the grader's warm process
    process.kill()
    process.wait()
    if process.stderr is not None:
        process.stderr.close()


#: the warm processes of each thread. Threads share no warm process, because the system ends a warm
#: process with the thread that started it
_kept = threading.local()


def warm(filter: bytes, *, unsafe: bool, lean: bool = False) -> Warm:
    """Return this thread's process that has imported libraries; start it if it is not running.

    Parameters
    ----------
    filter
        The filter for system calls of the processes that are forked from the warm process.
    lean
        Whether the warm process imports neither IPython nor scipy.
    unsafe
        Whether to run without bubblewrap.

    Raises
    ------
    SandboxMissingError
        If bubblewrap is not installed, or does not work.
    RuntimeError
        If the warm process does not start for another reason.
    """
    bubblewrap = None if unsafe else shutil.which("bwrap")
    if bubblewrap is None and not unsafe:
        raise SandboxMissingError("bubblewrap is not installed.")
    key = os.getpid(), bubblewrap, lean
    kept: dict[tuple[int, str | None, bool], Warm] = vars(_kept).setdefault("warm", {})
    found = kept.get(key)
    if found is None or found.process.poll() is not None:
        if found is not None:
            found.end()
        found = kept[key] = Warm(bubblewrap, filter, lean=lean)
    return found
