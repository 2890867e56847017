"""Files that a student made, opened: no link is followed, and no pipe waited for."""

from __future__ import annotations

import contextlib
import os
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import Final

#: how to open what may be anything
UNTRUSTED: Final = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC


@contextlib.contextmanager
def opened_folder(folder: Path) -> Iterator[int]:
    """Open a student's folder for an assignment, and close it at the end; yield its descriptor.

    Raises
    ------
    OSError
        If it or the folder that it lies in, the student's, is a link or no folder.
    """
    student = os.open(folder.parent, UNTRUSTED | os.O_DIRECTORY)
    try:
        handle = os.open(folder.name, UNTRUSTED | os.O_DIRECTORY, dir_fd=student)
    finally:
        os.close(student)
    try:
        yield handle
    finally:
        os.close(handle)


def open_plain(name: str, folder: int) -> int:
    """A descriptor of a plain file that has one name only.

    Parameters
    ----------
    name
        The file's name.
    folder
        A descriptor of its folder.

    Raises
    ------
    OSError
        If it is something else: a link, a pipe, a file that stands elsewhere too.
    """
    fd = os.open(name, UNTRUSTED, dir_fd=folder)
    found = os.fstat(fd)
    if stat.S_ISREG(found.st_mode) and found.st_nlink == 1:
        return fd
    os.close(fd)
    raise OSError(f"{name} is no plain file")


def open_submitted(folder: Path, name: str) -> int:
    """A descriptor of a plain file in a student's folder; errors as for the two of which it is."""
    with opened_folder(folder) as handle:
        return open_plain(name, handle)
