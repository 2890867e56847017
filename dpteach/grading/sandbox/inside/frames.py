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

#: kinds of messages from the grader: the text of a cell; a question about a student's function
#: (JSON); the reply to a request of the process (JSON)
CELL, QUESTION, REPLY = b"c", b"q", b"r"

#: kinds of messages from the sandboxed process: an output of a cell (JSON); the answer, which is
#: ``ok`` or ``error`` for a cell, and JSON for a question about a function; a request, which holds
#: the arguments with which a student's test calls an implementation (JSON)
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
