"""One rule for each kind of name that comes from outside; every door asks here.

Pictures have theirs in `dpteach.grading.core.harmless.picture`.
"""

from __future__ import annotations

import re
import unicodedata
from typing import Final

#: bytes of a student id: it names a folder, and a file with an ending
MOST_BYTES: Final = 250

_ASSIGNMENT: Final = re.compile(r"[a-z][a-z0-9_]{0,99}")
_PATH: Final = re.compile(r"(?:[A-Za-z0-9_][A-Za-z0-9_.-]*/){0,3}[A-Za-z0-9_][A-Za-z0-9_.-]*")

#: control and formatting characters, surrogates, ends of lines and paragraphs
_UNSEEN: Final = frozenset({"Cc", "Cf", "Cs", "Zl", "Zp"})


def student_id(text: object) -> str:
    """Return a student id that can name a folder and stand in a page; letters of any script,
    spaces, ``'``, ``[`` and ``]`` are allowed.

    Raises
    ------
    ValueError
        If it is empty, ``.`` or ``..``, longer than 250 bytes, or holds ``/``, a backslash, ``<``,
        ``>``, ``&``, ``"`` or a control character.

    Examples
    --------
    >>> [student_id(name) for name in ("O'Neil", "Zoë Müller", "[abc]")]
    ["O'Neil", 'Zoë Müller', '[abc]']
    """
    return _folder_name("student", text)


def gradebook_assignment(text: object) -> str:
    """Return the name of any assignment of nbgrader's; the rule and the errors are those of
    `student_id`. The assignments that this course builds have a stricter one: `assignment_name`.
    """
    return _folder_name("assignment", text)


def _folder_name(parameter: str, text: object) -> str:
    if not isinstance(text, str):
        raise ValueError(f"{parameter} must be a string, got {parameter}={text!r}")
    wrong = next((c for c in text if c in '/\\<>&"' or unicodedata.category(c) in _UNSEEN), "")
    size = len(text.encode("utf-8", "surrogatepass"))
    if text in ("", ".", "..") or wrong or size > MOST_BYTES:
        raise ValueError(
            f'{parameter} must have 1 to {MOST_BYTES} bytes without /, \\, <, >, &, " and control '
            f"characters, and not be . or .., got {parameter}={text[:40]!a}"
        )
    return text


def assignment_name(text: object) -> str:
    """Return the name of an assignment of this course.

    Raises
    ------
    ValueError
        If it is anything else than a lower-case letter followed by at most 99 lower-case letters,
        digits and _.

    Examples
    --------
    >>> assignment_name("renyi_dp")
    'renyi_dp'
    """
    if isinstance(text, str) and _ASSIGNMENT.fullmatch(text):
        return text
    raise ValueError(
        "assignment must have letters a to z, digits and _, a letter first, 100 at most, got "
        f"assignment={ascii(text)[:60]}"
    )


def data_path(text: object) -> str:
    """Return the path of a file of data, relative to the notebook and without hidden parts.

    Raises
    ------
    ValueError
        If it is anything else than at most four names of ASCII letters, digits, _, - and .,
        joined by / and each beginning with a letter, digit or _.

    Examples
    --------
    >>> data_path("data/visits.csv")
    'data/visits.csv'
    """
    if isinstance(text, str) and len(text) <= MOST_BYTES and _PATH.fullmatch(text):
        return text
    raise ValueError(
        "data must hold paths such as data/visits.csv, of letters, digits, _, - and ., got "
        f"{ascii(text)[:60]}"
    )
