"""What was downloaded from a system: it is kept with the term's data, and never in git."""

from __future__ import annotations

import hashlib
import re
import shutil
from pathlib import Path
from typing import Final

from dpteach.term.backup import written_whole
from dpteach.term.lms.table import Table, read_table
from dpteach.term.log import Log

#: the folder of downloads, in that of the term
DOWNLOADS: Final = "downloads"


def kept_name(path: Path) -> str:
    """Return the name under which a file is kept, which says what it is and differs by content."""
    with open(path, "rb") as file:
        digest = hashlib.file_digest(file, "sha256").hexdigest()
    return f"{digest[:12]}-" + re.sub(r"[^\w.()-]+", "_", path.name)[-100:]


def latest_table(log: Log, kind: str, name: str, **about: str) -> Table | None:
    """Return the table that was kept last by an event of the log, or None if there is none.

    Parameters
    ----------
    kind, about
        The kind of the event, and data that it must have.
    name
        The key of the data of the event that holds the name under which a table is kept, or "".

    Raises
    ------
    dpteach.term.lms.table.TableError
        If it cannot be read any more.
    """
    told = [one.data for one in log.events() if one.kind == kind]
    names = [data[name] for data in told if all(data[key] == about[key] for key in about)]
    last = next(filter(None, reversed(names)), None)
    return read_table((log.folder / DOWNLOADS / last).read_bytes()) if last else None


def keep(log: Log, path: Path) -> str:
    """Copy a file into the folder of downloads, which git ignores, and return its name there.

    A file that is there already is left alone; a crash leaves no half of a file.

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
