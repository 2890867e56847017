"""The rules for names that come from outside: student ids, assignments, and paths of data files.

Every function that reads a name from a file, a command line or a learning management system checks
the name by a function of this module.
"""

from __future__ import annotations

import re
import unicodedata
from typing import Final

from dpteach._language import catalog

_, _n = catalog("core")

#: the largest number of bytes of a student id. File systems allow 255 bytes for the name of a file
#: or folder, and some file names are an id with a suffix
MOST_BYTES: Final = 250

_ASSIGNMENT: Final = re.compile(r"[a-z][a-z0-9_]{0,99}")
_PATH: Final = re.compile(r"(?:[A-Za-z0-9_][A-Za-z0-9_.-]*/){0,3}[A-Za-z0-9_][A-Za-z0-9_.-]*")

#: the Unicode categories of control and formatting characters, surrogates and line separators
_INVISIBLE: Final = frozenset({"Cc", "Cf", "Cs", "Zl", "Zp"})


def student_id(text: object) -> str:
    """Return a student id if it is safe as a folder's name and in HTML, otherwise raise an error.

    Letters of any script, spaces, ``'``, ``[`` and ``]`` are allowed.

    Raises
    ------
    ValueError
        If the id is empty, ``.`` or ``..``, longer than 250 bytes, or contains ``/``, a backslash,
        ``<``, ``>``, ``&``, ``"`` or a control character.

    Examples
    --------
    >>> [student_id(name) for name in ("O'Neil", "Zoë Müller", "[abc]")]
    ["O'Neil", 'Zoë Müller', '[abc]']
    """
    return _folder_name("student", text)


def gradebook_assignment(text: object) -> str:
    """Return a text if it may name an assignment in nbgrader's gradebook; otherwise raise an error.

    The rule is the same as for student ids. The stricter rule of `assignment_name` need not hold,
    because the assignment may have been made without this program.
    """
    return _folder_name("assignment", text)


def _folder_name(parameter: str, text: object) -> str:
    """Return a text if it can name a folder; otherwise raise an error that mentions `parameter`."""
    if not isinstance(text, str):
        raise ValueError(
            _("{name} must be a string, got {name}={value}", name=parameter, value=repr(text))
        )
    wrong = next((c for c in text if c in '/\\<>&"' or unicodedata.category(c) in _INVISIBLE), "")
    size = len(text.encode("utf-8", "surrogatepass"))
    if text in ("", ".", "..") or wrong or size > MOST_BYTES:
        raise ValueError(
            _(
                '{name} must have 1 to {most} bytes without /, \\, <, >, &, " and control '
                "characters, and must not be . or .., got {name}={value}",
                name=parameter,
                most=MOST_BYTES,
                value=ascii(text[:40]),
            )
        )
    return text


def assignment_name(text: object) -> str:
    """Return a text if it is a valid name of an assignment, and otherwise raise an error.

    Raises
    ------
    ValueError
        If the text is not a lower-case letter followed by at most 99 lower-case letters, digits and
        _.

    Examples
    --------
    >>> assignment_name("renyi_dp")
    'renyi_dp'
    """
    if isinstance(text, str) and _ASSIGNMENT.fullmatch(text):
        return text
    raise ValueError(
        _(
            "assignment must begin with a letter from a to z and have at most 100 letters a to z, "
            "digits and _, got assignment={value}",
            value=ascii(text)[:60],
        )
    )


def data_path(text: object) -> str:
    """Return a text if it is an allowed relative path of a data file, otherwise raise an error.

    Raises
    ------
    ValueError
        If the text has more than 250 characters, or is not one to four names joined by /. A name
        has only ASCII letters, digits, _, - and ., and begins with a letter, digit or _.

    Examples
    --------
    >>> data_path("data/visits.csv")
    'data/visits.csv'
    """
    if isinstance(text, str) and len(text) <= MOST_BYTES and _PATH.fullmatch(text):
        return text
    raise ValueError(
        _(
            "data must hold paths such as data/visits.csv, made of letters, digits, _, - and ., "
            "got {value}",
            value=ascii(text)[:60],
        )
    )
