"""The format of messages between the grader and a sandboxed process.

Each message has the form of a frame, that is, a header and a body. The header holds the kind of the
frame, the number of the request to which it belongs, and the size of the body in bytes. The grader
sends one request at a time, and the process answers with one `ANSWER`. A request is a `CELL` to
execute, or a `QUESTION` about a student's function. Before the answer to a cell, the process can
send any number of `OUTPUT` frames. Before the answer to a question, it can send `REQUEST` frames,
and the grader sends a `REPLY` to each.
"""

from __future__ import annotations

import struct

#: kinds of messages from the grader. `CELL` is the text of a cell to execute. `QUESTION` is a
#: question about a student's function (JSON). `REPLY` is the reply to a `REQUEST` (JSON)
CELL, QUESTION, REPLY = b"c", b"q", b"r"

#: kinds of messages from the sandboxed process. `OUTPUT` is an output of a cell (JSON). `ANSWER` is
#: ``ok`` or ``error`` after a cell, and JSON after a question. `REQUEST` asks the grader to call an
#: implementation that a student's test examines, and holds the arguments of the call (JSON)
OUTPUT, ANSWER, REQUEST = b"o", b"a", b"?"

HEADER = struct.Struct(">cII")


def framed(kind: bytes, number: int, body: bytes) -> bytes:
    """Return a message as bytes: a header (kind, number of the request, size), then the body.

    Examples
    --------
    >>> framed(ANSWER, 1, b"ok")
    b'a\\x00\\x00\\x00\\x01\\x00\\x00\\x00\\x02ok'
    """
    return HEADER.pack(kind, number, len(body)) + body
