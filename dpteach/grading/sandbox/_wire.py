"""A client of a kernel that trusts nothing it reads: ZMTP 3.0 over sockets that are connected.

A kernel speaks Jupyter's protocol on ZeroMQ sockets. libzmq bounds the size of a frame, but not
the number of frames of one message, so that a hostile kernel could fill the memory of whoever
listens. Here everything that arrives is counted before it is kept. The sockets are connected
before the kernel starts, and are never connected again.

References: ZeroMQ RFC 23 (ZMTP 3.0), RFC 28 (the order of frames); Jupyter's messaging protocol.
"""

from __future__ import annotations

import json
import re
import socket
from collections import deque
from typing import Any, Final

#: frames of one message; Jupyter's have seven, and one for each buffer
MAX_FRAMES: Final = 64

#: values in one JSON text: each can take some fifty times the memory of its text
MAX_VALUES: Final = 4_000_000

_GREETING: Final = b"\xff" + bytes(8) + b"\x7f\x03\x00" + b"NULL".ljust(20, b"\0") + bytes(32)
_MORE, _LONG, _COMMAND = 1, 2, 4
_CHUNK: Final = 1 << 18


class WireError(Exception):
    """The other side does not keep to the protocol, or has closed the connection."""


class LargeError(WireError):
    """A message is larger than may be."""


class Wire:
    """One socket of a kernel.

    Parameters
    ----------
    connected
        A stream socket, connected to one on which the kernel listens or will listen.
    kind
        ZeroMQ's name of our end: ``"DEALER"`` or ``"SUB"``.
    largest
        Bytes of one message.
    """

    def __init__(self, connected: socket.socket, kind: str, largest: int) -> None:
        connected.setblocking(False)
        self._socket = connected
        self._largest = largest
        self._read = bytearray()
        self._greeted = self._open = False
        self._frames: list[bytes] = []
        self._held = 0
        self._messages: deque[list[bytes]] = deque()
        self.received = 0
        ready = b"\x05READY" + _property("Socket-Type", kind) + _property("Identity", "grader")
        self._unsent = bytearray(_GREETING + _frame(ready, _COMMAND))
        #: what comes before libzmq has said that it is ready, it takes for an error
        self._later = bytearray(_frame(b"\x01", 0) if kind == "SUB" else b"")
        self.flush()

    def fileno(self) -> int:
        """For `select.poll`."""
        return self._socket.fileno()

    @property
    def unsent(self) -> bool:
        """Whether `flush` has something to do."""
        return bool(self._unsent)

    def close(self) -> None:
        """Closes the socket."""
        self._socket.close()

    def send(self, frames: list[bytes]) -> None:
        """Sends a message, as far as it goes without waiting; `flush` sends the rest."""
        waiting = self._unsent if self._open else self._later
        for i, frame in enumerate(frames):
            waiting += _frame(frame, _MORE if i + 1 < len(frames) else 0)
        self.flush()

    def flush(self) -> None:
        """Sends what can be sent without waiting.

        Raises
        ------
        WireError
            If the connection is closed.
        """
        try:
            while self._unsent:
                del self._unsent[: self._socket.send(memoryview(self._unsent)[:_CHUNK])]
        except BlockingIOError:
            pass
        except OSError as error:
            raise WireError(f"cannot send: {error}") from None

    def receive(self) -> list[list[bytes]]:
        """The messages that have arrived whole; reads once, and never waits.

        Raises
        ------
        WireError
            If the connection is closed, or what arrives is no message or too large.
        """
        try:
            chunk = self._socket.recv(_CHUNK)
        except BlockingIOError:
            return []
        except OSError as error:
            raise WireError(f"cannot receive: {error}") from None
        if not chunk:
            raise WireError("the connection is closed")
        self.received += len(chunk)
        self._read += chunk
        if not self._greeted:
            if len(self._read) < len(_GREETING):
                return []
            if self._read[0] != 0xFF or self._read[9] != 0x7F or self._read[10] < 3:
                raise WireError("the other side does not speak ZMTP 3")
            del self._read[: len(_GREETING)]
            self._greeted = True
        while self._frame_arrived():
            pass
        messages = list(self._messages)
        self._messages.clear()
        return messages

    def _frame_arrived(self) -> bool:
        """Takes one frame from what was read, if it is all there."""
        read = self._read
        if len(read) < 2:
            return False
        flags = read[0]
        if flags > 7 or (flags & _COMMAND and flags & _MORE):
            raise WireError(f"no frame has the flags {flags}")
        if flags & _LONG:
            if len(read) < 9:
                return False
            size, start = int.from_bytes(read[1:9], "big"), 9
        else:
            size, start = read[1], 2
        if size + self._held > self._largest or len(self._frames) >= MAX_FRAMES:
            raise LargeError(f"a message is larger than {self._largest} bytes")
        if len(read) < start + size:
            return False
        body = bytes(memoryview(read)[start : start + size])
        del read[: start + size]
        if flags & _COMMAND:
            if not self._open and body.startswith(b"\x05READY"):
                self._open = True
                self._unsent += self._later
                self._later = bytearray()
                self.flush()
            return True
        self._frames.append(body)
        self._held += size
        if not flags & _MORE:
            self._messages.append(self._frames)
            self._frames, self._held = [], 0
        return True


def _frame(body: bytes, flags: int) -> bytes:
    if len(body) > 255:
        return bytes([flags | _LONG]) + len(body).to_bytes(8, "big") + body
    return bytes([flags, len(body)]) + body


def _property(name: str, value: str) -> bytes:
    return (
        bytes([len(name)]) + name.encode() + len(value).to_bytes(4, "big") + value.encode("ascii")
    )


_DELIMITER: Final = b"<IDS|MSG>"


def request(kind: str, number: str, content: Any) -> list[bytes]:
    """A message of Jupyter's protocol, unsigned.

    Parameters
    ----------
    kind
        The message's type.
    number
        Its identity, which replies name as their parent's.
    content
        JSON data.
    """
    header = {
        "msg_id": number,
        "msg_type": kind,
        "session": "grader",
        "username": "",
        "date": "2000-01-01T00:00:00Z",
        "version": "5.3",
    }
    return [
        _DELIMITER,
        b"",
        json.dumps(header).encode(),
        b"{}",
        b"{}",
        json.dumps(content).encode(),
    ]


def parsed(frames: list[bytes]) -> tuple[str, str, dict[str, Any]] | None:
    """Type, parent's identity and content of a message, or None if it is not one.

    Examples
    --------
    >>> parsed(request("status", "1", {"execution_state": "idle"}))
    ('status', '', {'execution_state': 'idle'})
    >>> parsed([b"", b"[" * 100_000]) is None
    True
    """
    try:
        start = frames.index(_DELIMITER) + 1
    except ValueError:
        return None
    if len(frames) < start + 5:
        return None
    header, parent, content = (json_value(frames[start + i]) for i in (1, 2, 4))
    if not (isinstance(header, dict) and isinstance(parent, dict) and isinstance(content, dict)):
        return None
    kind, number = header.get("msg_type"), parent.get("msg_id", "")
    if not (isinstance(kind, str) and isinstance(number, str)):
        return None
    return kind, number, content


def json_value(text: bytes | str) -> Any:
    """The JSON value of a text, or None: also for one too deep or too large, or if it is ``null``.

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
        # the first two are quick, on answers of megabytes
        halves = ("\\u" in text or not text.isascii()) and _HALF.search(text)
        return _whole(value) if halves else value
    except (ValueError, RecursionError, MemoryError):
        return None


#: half a character, which cannot be written to a file
_HALF: Final = re.compile(r"\\u[dD][89a-fA-F]|[\ud800-\udfff]")


def _whole(value: Any) -> Any:
    """The value with a question mark for each half of a character."""
    if isinstance(value, str):
        return value.encode("utf-8", "replace").decode("utf-8")
    if isinstance(value, list):
        return [_whole(item) for item in value]
    if isinstance(value, dict):
        return {_whole(key): _whole(item) for key, item in value.items()}
    return value
