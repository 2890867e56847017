"""Copies of files downloaded from an LMS, which are kept in the term's folder but not in git."""

from __future__ import annotations

import hashlib
import re
import shutil
from pathlib import Path
from typing import Final

from dpteach.term.backup import written_whole
from dpteach.term.lms.table import Table, read_table
from dpteach.term.log import Log

#: the subfolder of the term's folder that keeps copies of downloads
DOWNLOADS: Final = "downloads"


def kept_name(path: Path) -> str:
    """Return the name for the copy of a file: a digest of its content and its own name."""
    with open(path, "rb") as file:
        digest = hashlib.file_digest(file, "sha256").hexdigest()
    return f"{digest[:12]}-" + re.sub(r"[^\w.()-]+", "_", path.name)[-100:]


def latest_table(log: Log, kind: str, name: str, **about: str) -> Table | None:
    """Return the table that the latest matching event of the log names, or None without one.

    Parameters
    ----------
    kind, about
        The kind of the event, and values that its data must have.
    name
        The key under which the data of the event have the name of the table's copy, or "".

    Raises
    ------
    dpteach.term.lms.table.TableError
        If the copy of the table cannot be read any more.
    """
    told = [one.data for one in log.events() if one.kind == kind]
    names = [data[name] for data in told if all(data[key] == about[key] for key in about)]
    last = next(filter(None, reversed(names)), None)
    return read_table((log.folder / DOWNLOADS / last).read_bytes()) if last else None


def keep(log: Log, path: Path) -> str:
    """Copy a file into the folder of downloads, which git ignores; return the copy's name.

    A copy with the same content is not written again, and a crash leaves no incomplete copy.

    Raises
    ------
    OSError
        If the file cannot be read or written.
    """
    folder, name = log.folder / DOWNLOADS, kept_name(path)
    log.folder.mkdir(mode=0o700, exist_ok=True)
    folder.mkdir(exist_ok=True)
    (folder / ".gitignore").write_text("*\n")
    if not (folder / name).exists():
        with open(path, "rb") as source, written_whole(folder / name) as copy:
            shutil.copyfileobj(source, copy)
    return name
