"""Frames, in which the grader and a sandboxed process talk over a socket.

A frame is a header and a body. The header holds the kind of the frame, the number of the request
that it belongs to, and the size of the body in bytes. The grader sends one request at a time, a
`CELL` or a `QUESTION`, and the process sends one `ANSWER` to it. Before the answer, the process can
send any number of `OUTPUT` frames for a cell, and of `REQUEST` frames for a question, each of which
gets a `REPLY`.
"""

from __future__ import annotations

import struct

#: from the grader: the text of a cell; a question (JSON); what was requested (JSON)
CELL, QUESTION, REPLY = b"c", b"q", b"r"

#: from the process: an output of a cell (JSON); ``ok`` or ``error`` for a cell, and JSON for a
#: question; a call of the implementation that a student's test judges (JSON)
OUTPUT, ANSWER, REQUEST = b"o", b"a", b"?"

HEADER = struct.Struct(">cII")


def framed(kind: bytes, number: int, body: bytes) -> bytes:
    """Return a frame.

    Examples
    --------
    >>> framed(ANSWER, 1, b"ok")
    b'a\\x00\\x00\\x00\\x01\\x00\\x00\\x00\\x02ok'
    """
    return HEADER.pack(kind, number, len(body)) + body
