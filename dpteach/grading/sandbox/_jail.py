"""The process in which a kernel lives, in bubblewrap or, if that is told so, without it."""

from __future__ import annotations

import contextlib
import json
import os
import platform
import select
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from dpteach.grading.sandbox import _bubblewrap, _seccomp
from dpteach.grading.sandbox.limits import Limits

#: what is run inside: the launcher, and what it makes `dpteach` of
_INSIDE: Final = Path(__file__).parent / "inside"
_CORE: Final = Path(__file__).parents[1] / "core"

_REMEDY: Final = (
    "Students' code is run in bubblewrap and nowhere else. To install it: apt-get install "
    "bubblewrap (0.7 or later; it needs setpriv of util-linux too if you are root). Where user "
    "namespaces are forbidden: sysctl -w kernel.unprivileged_userns_clone=1, on Ubuntu sysctl -w "
    "kernel.apparmor_restrict_unprivileged_userns=0, or grade as root. To go on without it, so "
    "that students' code can do whatever you can: --no-sandbox (in Python, unsafe=True)."
)


class SandboxMissingError(RuntimeError):
    """There is no bubblewrap, or it does not work here; the text says what to do about it."""


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

    Raises
    ------
    SandboxMissingError
        If bubblewrap is not installed, or system calls cannot be filtered on this machine.

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
    ) -> None:
        self._data = data or {}
        if sys.platform != "linux":
            raise SandboxMissingError(f"grading needs Linux, and this is {sys.platform}")
        program = _seccomp.program(platform.machine())
        if not program and not unsafe:
            raise SandboxMissingError(
                "dpteach knows the numbers of the system calls on x86_64 and aarch64, but not on "
                f"{platform.machine()}, and so cannot forbid any here. " + _REMEDY
            )
        self._unsafe = unsafe
        self._started, self._cpu_seconds = time.monotonic(), limits.cpu_seconds
        self._disk = -1
        self._home: str | None = None
        self._init = -1  # the first process of the sandbox, with which all others end
        self._info = -1
        orders: dict[str, Any] = {
            "listeners": {name: listener.fileno() for name, listener in listeners.items()},
            "filter": program.hex(),
            "limits": {
                "AS": limits.memory,
                "CPU": limits.cpu_seconds,
                "FSIZE": limits.file_bytes,
                "NOFILE": limits.files,
                "CORE": 0,
                "MSGQUEUE": 0,
                "MEMLOCK": 0,
            },
        }
        if not unsafe and (_bubblewrap.is_root() or _counts_by_namespace()):
            orders["limits"]["NPROC"] = limits.processes
        passed = list(orders["listeners"].values())
        start = self._start_plainly if unsafe else self._start
        self.process = start(orders, passed, limits)
        self.handle = os.pidfd_open(self.process.pid)
        assert self.process.stdin is not None
        with contextlib.suppress(BrokenPipeError):
            self.process.stdin.write(json.dumps(orders).encode())
            self.process.stdin.close()

    def _start(
        self, orders: dict[str, Any], passed: list[int], limits: Limits
    ) -> subprocess.Popen[bytes]:
        bubblewrap = shutil.which("bwrap")
        if bubblewrap is None:
            raise SandboxMissingError("bubblewrap is not installed. " + _REMEDY)
        files = {
            f"{_bubblewrap.FILES}/launcher.py": str(_INSIDE / "launcher.py"),
            f"{_bubblewrap.FILES}/plain.py": str(_CORE / "plain.py"),
            f"{_bubblewrap.FILES}/observe.py": str(_CORE / "observe.py"),
        }
        data = {name: _in_memory(content) for name, content in self._data.items()}
        try:
            return self._start_with(orders, passed, limits, files, data, bubblewrap)
        finally:
            for descriptor in data.values():
                os.close(descriptor)

    def _start_with(
        self,
        orders: dict[str, Any],
        passed: list[int],
        limits: Limits,
        files: Mapping[str, str],
        data: Mapping[str, int],
        bubblewrap: str,
    ) -> subprocess.Popen[bytes]:
        try:
            run, told, orders["site"] = _bubblewrap.command(
                disk_bytes=limits.disk_bytes, files=files, data=data
            )
        except FileNotFoundError:
            raise SandboxMissingError("setpriv is not installed. " + _REMEDY) from None
        orders["sources"] = {
            name: f"{_bubblewrap.FILES}/{name}.py" for name in ("plain", "observe")
        }
        self._info, info = os.pipe()
        arguments, writing = os.pipe()
        try:
            with open(writing, "wb") as file:
                file.write(told)
            return subprocess.Popen(
                [bubblewrap, "--args", str(arguments), "--info-fd", str(info), "--", *run],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                pass_fds=[arguments, info, *data.values(), *passed],
                env={},  # it could be read from inside
                start_new_session=True,
            )
        finally:
            os.close(arguments)
            os.close(info)

    def _start_plainly(
        self, orders: dict[str, Any], passed: list[int], limits: Limits
    ) -> subprocess.Popen[bytes]:
        self._home = tempfile.mkdtemp(prefix="dpteach-")
        for name, content in self._data.items():
            place = Path(self._home, name)
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_bytes(content)
            place.chmod(0o444)
        orders["site"] = _bubblewrap.site_folders()
        orders["sources"] = {name: str(_CORE / f"{name}.py") for name in ("plain", "observe")}
        run = [sys.executable, *_bubblewrap.OPTIONS, "-c", _bubblewrap.START]
        return subprocess.Popen(
            [*run, str(_INSIDE)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            pass_fds=passed,
            cwd=self._home,
            env={**_bubblewrap.ENVIRONMENT, "HOME": self._home, "MPLCONFIGDIR": self._home},
            start_new_session=True,
        )

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
        process = self.process
        assert process.stdout is not None and process.stderr is not None
        if not select.select([process.stdout], [], [], seconds)[0]:
            return False
        if os.read(process.stdout.fileno(), 16) != b"ready\n":
            # whoever has written this has ended, or is about to
            said = b""
            while len(said) < 20_000 and select.select([process.stderr], [], [], 5)[0]:
                chunk = os.read(process.stderr.fileno(), 20_000)
                said += chunk
                if not chunk:
                    break
            text = said.decode("utf-8", "replace").strip()
            if text.startswith(("bwrap:", "usage:", "setpriv:")):
                first = text.splitlines()[0]
                raise SandboxMissingError(f"bubblewrap does not work here ({first}). " + _REMEDY)
            raise RuntimeError(f"the kernel does not start: {text}")
        self._meet()
        return True

    def _meet(self) -> None:
        """Takes hold of the sandbox's first process, which bubblewrap has told the number of."""
        if self._info < 0 or self._init >= 0 or not select.select([self._info], [], [], 0)[0]:
            return
        with contextlib.suppress(OSError, ValueError, KeyError, TypeError):
            child = int(json.loads(os.read(self._info, 1000))["child-pid"])
            self._init = os.pidfd_open(child)
            self._disk = os.open(f"/proc/{child}/root/tmp", os.O_PATH | os.O_DIRECTORY)

    def files(self) -> int:
        """How many files there are in the sandbox: each takes memory that nothing else limits."""
        if self._disk < 0:
            return 0
        found = os.statvfs(self._disk)
        return found.f_files - found.f_ffree

    def end(self) -> None:
        """Ends all processes of the sandbox, and waits until none is left."""
        if self.process.returncode is None:
            self._meet()
            if self._init >= 0:
                # the system ends a namespace with its first process, and that waits for the rest
                with contextlib.suppress(ProcessLookupError):
                    signal.pidfd_send_signal(self._init, signal.SIGKILL)
                with contextlib.suppress(subprocess.TimeoutExpired):
                    self.process.wait(10)
            if self._unsafe and self.process.poll() is None:
                os.killpg(self.process.pid, signal.SIGKILL)
            self.process.kill()
            self.process.wait()

    def kill(self) -> None:
        """Ends all processes of the sandbox, and gives back everything else."""
        self.end()
        for stream in (self.process.stdin, self.process.stdout, self.process.stderr):
            if stream is not None:
                stream.close()
        for name in ("handle", "_init", "_info", "_disk"):
            if getattr(self, name) >= 0:
                os.close(getattr(self, name))
                setattr(self, name, -1)
        if self._home is not None:
            shutil.rmtree(self._home, ignore_errors=True)
            self._home = None

    def used_its_time(self) -> bool:
        """Waits for the end; says whether it came when the processor time was used up."""
        code = self.process.wait()
        # bubblewrap tells of a signal as shells do
        number = -code if code < 0 else code - 128
        if number == signal.SIGKILL:  # the signal for who passes over the first
            elapsed = time.monotonic() - self._started
            return elapsed * (os.cpu_count() or 1) >= self._cpu_seconds
        return number == signal.SIGXCPU


def _in_memory(content: bytes) -> int:
    """A descriptor from which bubblewrap reads a file that lies nowhere."""
    descriptor = os.memfd_create("data")
    with open(descriptor, "wb", closefd=False) as file:
        file.write(content)
    os.lseek(descriptor, 0, os.SEEK_SET)
    return descriptor


def _counts_by_namespace() -> bool:
    """Whether the system counts a user's processes in each user namespace by themselves."""
    try:
        major, minor = platform.release().split(".")[:2]
        return (int(major), int(minor)) >= (5, 14)
    except ValueError:
        return False
