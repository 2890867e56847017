"""The format of messages between the grader and a sandboxed process.

A message is a frame: a header and a body. The header holds the kind of the frame, the number of the
request to which it belongs, and the size of the body in bytes. The grader sends one request at a
time, a `CELL` or a `QUESTION`, and the process sends one `ANSWER`. Before the answer, the process
can send any number of `OUTPUT` frames for a cell. For a question, it can send `REQUEST` frames, and
the grader sends a `REPLY` to each.
"""

from __future__ import annotations

import struct

#: frames from the grader: the text of a cell; a question (JSON); the reply to a request (JSON)
CELL, QUESTION, REPLY = b"c", b"q", b"r"

#: frames from the process: an output of a cell (JSON); the answer, which is ``ok`` or ``error`` to
#: a cell and JSON to a question; a call of the implementation that a student's test judges (JSON)
OUTPUT, ANSWER, REQUEST = b"o", b"a", b"?"

HEADER = struct.Struct(">cII")


def framed(kind: bytes, number: int, body: bytes) -> bytes:
    """Return the bytes of a frame.

    Examples
    --------
    >>> framed(ANSWER, 1, b"ok")
    b'a\\x00\\x00\\x00\\x01\\x00\\x00\\x00\\x02ok'
    """
    return HEADER.pack(kind, number, len(body)) + body
