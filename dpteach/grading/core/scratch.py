"""Temporary folders: a later process removes the folders of processes that were killed."""

from __future__ import annotations

import contextlib
import fcntl
import os
import shutil
import stat
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Final

_PREFIX: Final = "dpteach-"

#: the name of a file in each temporary folder, on which the process that made the folder holds a
#: lock. The system releases the lock even if the process is killed
_LOCK: Final = "lock"


@contextlib.contextmanager
def scratch(place: str | None = None) -> Iterator[str]:
    """Make a temporary folder for a ``with`` block; also remove those of killed processes.

    Parameters
    ----------
    place
        The folder in which to make the temporary folder; None for the system's folder for
        temporary files.

    Yields
    ------
    str
        The path of the temporary folder.
    """
    # until its lock is held, the new folder has a name that begins with a dot, so that no other
    # process removes the folder
    new = tempfile.mkdtemp(prefix=f".{_PREFIX}", dir=place)
    folder = os.path.join(os.path.dirname(new), os.path.basename(new).removeprefix("."))
    _sweep(Path(folder).parent)
    with open(os.path.join(new, _LOCK), "wb") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        os.rename(new, folder)
        try:
            yield folder
        finally:
            shutil.rmtree(folder, ignore_errors=True)


def _sweep(place: Path) -> None:
    """Remove this user's temporary folders that were made by processes that have ended."""
    for folder in place.glob(f"{_PREFIX}*"):
        with contextlib.suppress(OSError):
            found = folder.lstat()
            if not stat.S_ISDIR(found.st_mode) or found.st_uid != os.geteuid():
                continue
            with open(folder / _LOCK, "rb") as lock:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
                shutil.rmtree(folder, ignore_errors=True)
