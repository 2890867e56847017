"""The grader's side of a sandboxed process: requests, and answers that are not trusted.

The grader and the process communicate over a socket pair, in the frames of `inside.frames`.
Libraries for messages keep what arrives until a message is complete. Here the size of a frame is
checked before it is kept, and everything that arrives is counted. A hostile process may send
anything at any time, because a student's code can find the socket, write to it and close it.
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

#: seconds after which the grader looks at how many files a busy process has made
_WATCH_SECONDS: Final = 0.25

#: seconds within which a process that has closed its socket must have ended
_CLOSED_SECONDS: Final = 1.0

#: most values in one JSON text, since each can take fifty times the memory of its text
MAX_VALUES: Final = 4_000_000

_CHUNK: Final = 1 << 18


class KernelGoneError(RuntimeError):
    """Error of a kernel that has ended, or that was ended.

    Attributes
    ----------
    reason
        ``"died"``: it ended by itself; ``"time"``: its time was over; ``"memory"``: it made too
        many files; ``"output"``: it wrote too much; ``"broken"``: it did not keep to the protocol.
        Code that needs too much memory gets a `MemoryError`, which the kernel may survive.
    """

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason

    def __str__(self) -> str:
        return f"the kernel is gone: {self.reason}"


class Clock:
    """Time limit that begins now and excludes the time in which a kernel could not work.

    Parameters
    ----------
    seconds
        The limit.
    delayed
        A function that returns the seconds for which the kernel has been delayed so far.

    Attributes
    ----------
    soonest
        The time, by the monotonic clock, at which a kernel without delays reaches the limit.
    """

    def __init__(self, seconds: float, delayed: Callable[[], float]) -> None:
        self._begun, self._seconds, self._idle = time.monotonic(), seconds, 0.0
        self._before, self._told = delayed(), delayed
        self.soonest = self._begun + seconds

    def leave_out(self, seconds: float) -> None:
        """Exclude some seconds in which the kernel had to wait for the grader."""
        self._idle += seconds

    def _delayed(self) -> float:
        return self._idle + max(0.0, self._told() - self._before)

    def worked(self) -> float:
        """Return the seconds that have been counted."""
        return time.monotonic() - self._begun - self._delayed()

    def end(self) -> float:
        """Return the time, by the monotonic clock, at which the limit is reached as of now."""
        most = min(self._seconds + self._delayed(), BUSY * self._seconds)
        return self._begun + most


class Process(contextlib.AbstractContextManager["Process"]):
    """A process in a jail, as a context manager; the jail ends it.

    Parameters
    ----------
    jail
        The walls that make and end it.
    limits
        The limits on what it may send.
    clock
        The limit on its whole time.

    Raises
    ------
    dpteach.grading.sandbox.sandbox.SandboxMissingError, RuntimeError
        As `dpteach.grading.sandbox._jail.Jail.fork`.
    """

    def __init__(self, jail: Jail, limits: Limits, clock: Clock) -> None:
        self._jail, self._limits, self._clock = jail, limits, clock
        self._number = self._outputs = 0
        self._read = bytearray()
        self._socket = jail.fork()
        self._socket.settimeout(limits.cell_seconds)

    def __exit__(self, *error: object) -> None:
        self.close()

    def close(self) -> None:
        """End the process."""
        self._socket.close()
        self._jail.end()

    def start(self) -> None:
        """Wait until the process answers.

        Raises
        ------
        dpteach.grading.sandbox.sandbox.SandboxMissingError
            If its walls cannot be made.
        KernelGoneError
            If it does not start in time.
        RuntimeError
            If it does not start for another reason.
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
        """Send a request.

        Parameters
        ----------
        kind, body
            The request, as `inside.frames` describes it.
        clock
            The limit on the time for the answer.
        output
            A function that gets each output and its size in bytes.
        reply
            A function that answers requests of the process: it gets untrusted JSON data and returns
            JSON data.

        Returns
        -------
        bytes
            The answer, untrusted.

        Raises
        ------
        KernelGoneError
            If the process must be ended, or has ended.
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
                    continue  # about a request that is over
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
        """Wait until something has arrived."""
        while True:
            left = min(clock.soonest, self._clock.soonest) - time.monotonic()
            if left <= 0:
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
        """Read once, and return the frames that are complete: kind, number and body."""
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
        """Return why the connection is closed, as far as that can be seen from outside."""
        if not select.select([self._jail.handle], [], [], _CLOSED_SECONDS)[0]:
            return KernelGoneError("broken")
        return KernelGoneError("time" if self._jail.used_its_time() else "died")


def json_value(text: bytes | str) -> Any:
    """Return the JSON value of a text; None if it is malformed, too deep or too large, or ``null``.

    A question mark replaces half of a surrogate pair, which cannot be written to a file.

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
        # the first two conditions are fast even for answers of megabytes
        if ("\\u" in text or not text.isascii()) and _HALF.search(text):
            value = json.loads(json.dumps(value, ensure_ascii=False).encode("utf-8", "replace"))
        return value
    except (ValueError, RecursionError, MemoryError):
        return None


#: half of a surrogate pair
_HALF: Final = re.compile(r"\\u[dD][89a-fA-F]|[\ud800-\udfff]")
