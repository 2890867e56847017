"""Functions that open submitted files safely: they follow no links and do not wait for pipes."""

from __future__ import annotations

import contextlib
import os
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import Final

#: flags of os.open for untrusted files: follow no link, and do not wait for a pipe
UNTRUSTED: Final = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC


@contextlib.contextmanager
def opened_folder(folder: Path) -> Iterator[int]:
    """Open a student's folder for an assignment; yield its descriptor, and close it afterwards.

    Raises
    ------
    OSError
        If the folder or its parent, the student's folder, is a link or not a folder.
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
    """Return a descriptor for reading a file, if it is a regular file with one hard link.

    Parameters
    ----------
    name
        The file's name.
    folder
        A descriptor of the file's folder.

    Raises
    ------
    OSError
        If the file is a link, a pipe, or a file that also exists under another name.
    """
    fd = os.open(name, UNTRUSTED, dir_fd=folder)
    found = os.fstat(fd)
    if stat.S_ISREG(found.st_mode) and found.st_nlink == 1:
        return fd
    os.close(fd)
    raise OSError(f"{name} is no plain file")


def open_submitted(folder: Path, name: str) -> int:
    """Return a descriptor for reading a regular file (no link or pipe) in a student's folder."""
    with opened_folder(folder) as handle:
        return open_plain(name, handle)
