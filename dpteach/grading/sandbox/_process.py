"""Messages to and from a sandboxed process: the grader sends requests and reads answers.

The grader and the process communicate over a socket pair, in the frames of `inside.frames`. A
hostile process may send anything at any time, because a student's code can find the socket, write
to it and close it. Therefore this module checks the size that the header of a frame announces
before it stores the frame, and counts all bytes that arrive. A messaging library would not be
safe, because it stores a message of any size until the message is complete.
"""

from __future__ import annotations

import contextlib
import json
import re
import select
import time
from collections.abc import Callable
from typing import Any, Final

from dpteach.grading.core.observe import BUSY
from dpteach.grading.sandbox._jail import Jail
from dpteach.grading.sandbox.inside.frames import (
    ANSWER,
    HEADER,
    OUTPUT,
    QUESTION,
    REPLY,
    REQUEST,
    framed,
)
from dpteach.grading.sandbox.limits import START_SECONDS, Limits

#: the interval in seconds at which the grader counts the files of a busy process
_WATCH_SECONDS: Final = 0.25

#: the longest wait, in seconds, for the end of a process that has closed its socket
_CLOSED_SECONDS: Final = 1.0

#: the largest number of values in one JSON text. It is limited because a value can take fifty times
#: the memory of its text
MAX_VALUES: Final = 4_000_000

_CHUNK: Final = 1 << 18


class KernelGoneError(RuntimeError):
    """Error for a kernel that has ended by itself or that the grader has ended.

    Attributes
    ----------
    reason
        ``"died"``: the kernel ended by itself; ``"time"``: its time was over; ``"spent"``: the
        time for all kernels together was over; ``"memory"``: it made too many files, which are kept
        in memory; ``"output"``: it wrote too much; ``"broken"``: it violated the protocol;
        ``"closed"``: the grader had ended it. Code that needs too much memory gets a `MemoryError`
        from Python, and the kernel need not end.
    """

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason

    def __str__(self) -> str:
        return f"the kernel is gone: {self.reason}"


class Clock:
    """A time limit on a sandboxed process, which excludes time in which the process could not run.

    Parameters
    ----------
    seconds
        The limit, which begins now. The excluded time extends it to at most `BUSY` times this
        number.
    delayed
        A function that returns the seconds for which the process has been ready to run but had no
        processor so far.
    """

    def __init__(self, seconds: float, delayed: Callable[[], float]) -> None:
        self._begun, self._seconds, self._idle = time.monotonic(), seconds, 0.0
        self._before, self._told = delayed(), delayed

    def leave_out(self, seconds: float) -> None:
        """Extend the time limit by seconds in which the process waited for the grader."""
        self._idle += seconds

    def _delayed(self) -> float:
        return self._idle + max(0.0, self._told() - self._before)

    def worked(self) -> float:
        """Return the seconds since the start of the clock that count toward the time limit."""
        return time.monotonic() - self._begun - self._delayed()

    def end(self) -> float:
        """Return the `time.monotonic` at which the limit is reached if no further delay follows."""
        most = min(self._seconds + self._delayed(), BUSY * self._seconds)
        return self._begun + most


class Process(contextlib.AbstractContextManager["Process"]):
    """A context manager that starts a sandboxed process, sends requests to it, and ends it.

    Parameters
    ----------
    jail
        The namespaces and mounts in which the process is started.
    limits
        The limits on the process, such as those on the bytes that it may send.
    clock
        The time limit for all requests together.

    Raises
    ------
    dpteach.grading.sandbox.sandbox.SandboxMissingError, RuntimeError
        If the process does not start (see `dpteach.grading.sandbox._jail.Jail.fork`).
    """

    def __init__(self, jail: Jail, limits: Limits, clock: Clock) -> None:
        self._jail, self._limits, self._clock = jail, limits, clock
        self._number = self._outputs = 0
        self._read = bytearray()
        self._socket = jail.fork()
        self._socket.settimeout(limits.cell_seconds)

    def __exit__(self, *error: object) -> None:
        self._socket.close()
        self._jail.end()

    def start(self) -> None:
        """Wait until the sandboxed process has started, that is, until it answers a first question.

        Raises
        ------
        dpteach.grading.sandbox.sandbox.SandboxMissingError
            If the namespaces and mounts of the sandbox cannot be made.
        KernelGoneError
            If the process does not start in time.
        RuntimeError
            If the process does not start for another reason.
        """
        try:
            self.ask(QUESTION, b'{"item": ""}', Clock(START_SECONDS, lambda: 0.0))
        except KernelGoneError as gone:
            if gone.reason == "died":
                self._jail.explain()
            raise

    def ask(
        self,
        kind: bytes,
        body: bytes,
        clock: Clock,
        *,
        output: Callable[[dict[str, Any], int], None] | None = None,
        reply: Callable[[Any], Any] | None = None,
    ) -> bytes:
        """Send a request to the process, and return its answer.

        Parameters
        ----------
        kind, body
            The kind and the body of the request (`inside.frames`).
        clock
            The time limit for the answer.
        output
            A function that is called with each output of a cell and its size in bytes; None to
            ignore outputs.
        reply
            A function that answers requests of the process, the calls that a student's test makes.
            It gets untrusted JSON data and returns JSON data.

        Returns
        -------
        bytes
            The answer, untrusted.

        Raises
        ------
        KernelGoneError
            If the process has ended, or violates a limit or the protocol.
        """
        self._number += 1
        self._send(kind, body)
        received = 0
        while True:
            self._wait(clock)
            for sort, number, said in self._arrived():
                size = HEADER.size + len(said)
                if sort == OUTPUT:
                    self._outputs += size
                else:
                    received += size
                if self._outputs > self._limits.flood_bytes:
                    raise KernelGoneError("output")
                if received > 2 * self._limits.message_bytes:
                    raise KernelGoneError("broken")
                if number != self._number:
                    continue  # the message answers an earlier request
                if sort == ANSWER:
                    return said
                if sort == REQUEST:
                    if reply is None:
                        raise KernelGoneError("broken")
                    began = time.monotonic()
                    self._send(REPLY, json.dumps(reply(json_value(said))).encode())
                    for counted in (clock, self._clock):
                        counted.leave_out(time.monotonic() - began)
                elif output is not None and isinstance(made := json_value(said), dict):
                    output(made, size)

    def _wait(self, clock: Clock) -> None:
        """Wait until the process sends bytes; raise an error if it ends or exceeds a limit."""
        while True:
            left = min(clock.end(), self._clock.end()) - time.monotonic()
            if left <= 0:
                raise KernelGoneError("time")
            arriving = self._socket.fileno()
            sources = [arriving, self._jail.handle]
            ready = select.select(sources, [], [], min(left, _WATCH_SECONDS))[0]
            if self._jail.files() > self._limits.disk_files:
                raise KernelGoneError("memory")
            if arriving in ready:
                return
            if ready:
                raise self._ended()

    def _arrived(self) -> list[tuple[bytes, int, bytes]]:
        """Read from the socket once; return the kind, number and body of each complete message."""
        try:
            chunk = self._socket.recv(_CHUNK)
        except OSError:
            chunk = b""
        if not chunk:
            raise self._ended()
        self._read += chunk
        found = []
        while len(self._read) >= HEADER.size:
            kind, number, size = HEADER.unpack_from(self._read)
            if kind not in (OUTPUT, ANSWER, REQUEST):
                raise KernelGoneError("broken")
            if size > self._limits.message_bytes:
                raise KernelGoneError("output" if kind == OUTPUT else "broken")
            end = HEADER.size + size
            if len(self._read) < end:
                break
            found.append((kind, number, bytes(self._read[HEADER.size : end])))
            del self._read[:end]
        return found

    def _send(self, kind: bytes, body: bytes) -> None:
        try:
            self._socket.sendall(framed(kind, self._number, body))
        except TimeoutError:
            raise KernelGoneError("time") from None
        except OSError:
            raise self._ended() from None

    def _ended(self) -> KernelGoneError:
        """Return an error that says why the process closed the connection."""
        if not select.select([self._jail.handle], [], [], _CLOSED_SECONDS)[0]:
            return KernelGoneError("broken")
        return KernelGoneError("time" if self._jail.used_its_time() else "died")


def json_value(text: bytes | str) -> Any:
    """Return the JSON value of an untrusted text, or None if the text is malformed or too large.

    A lone half of a surrogate pair, which UTF-8 cannot encode, becomes a question mark.

    Examples
    --------
    >>> json_value(b"[1]"), json_value(b"\\xff"), json_value("[" * 100_000)
    ([1], None, None)
    """
    if isinstance(text, bytes):
        try:
            text = text.decode("utf-8")
        except UnicodeDecodeError:
            return None
    if sum(map(text.count, ",[{")) > MAX_VALUES:
        return None
    try:
        value = json.loads(text)
        # the regular expression is slow on megabytes, so first exclude most texts by two fast
        # tests
        if ("\\u" in text or not text.isascii()) and _HALF.search(text):
            value = json.loads(json.dumps(value, ensure_ascii=False).encode("utf-8", "replace"))
        return value
    except (ValueError, RecursionError, MemoryError):
        return None


#: half of a surrogate pair in a JSON text, either escaped or as a character. The expression also
#: matches the halves of complete pairs, which `json_value` does not change
_HALF: Final = re.compile(r"\\u[dD][89a-fA-F]|[\ud800-\udfff]")
