"""Folders for what is needed for a while, and what dead processes left of theirs."""

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

#: held by the process that the folder belongs to: however that ends, nobody holds it afterwards
_LOCK: Final = "lock"


@contextlib.contextmanager
def scratch(place: str | None = None) -> Iterator[str]:
    """A new folder that goes when it is no longer needed, as do those that dead processes left.

    Parameters
    ----------
    place
        Where it lies; the folder for temporary files if None.

    Yields
    ------
    str
        Its path.
    """
    # under this name it is nobody's yet: no other process shall find it without its holder
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
    """Removes this user's folders whose holder is no more."""
    for folder in place.glob(f"{_PREFIX}*"):
        with contextlib.suppress(OSError):
            found = folder.lstat()
            if not stat.S_ISDIR(found.st_mode) or found.st_uid != os.geteuid():
                continue
            with open(folder / _LOCK, "rb") as lock:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
                shutil.rmtree(folder, ignore_errors=True)
