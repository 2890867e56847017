"""What was downloaded from a system: it is kept with the term's data, and never in git."""

from __future__ import annotations

import hashlib
import re
import shutil
from collections.abc import Sequence
from pathlib import Path

from dpteach.term.backup import written_whole
from dpteach.term.lms.table import Table, read_table
from dpteach.term.log import FOLDER


def downloads(course: Path) -> Path:
    """Return the folder of downloads."""
    return course / FOLDER / "downloads"


def kept_name(path: Path) -> str:
    """Return the name under which a file is kept, which says what it is and differs by content."""
    with open(path, "rb") as file:
        digest = hashlib.file_digest(file, "sha256").hexdigest()
    return f"{digest[:12]}-" + re.sub(r"[^\w.()-]+", "_", path.name)[-100:]


def latest_table(course: Path, names: Sequence[str]) -> Table | None:
    """Return the last of the tables that were kept under some names, or None if there is none.

    Raises
    ------
    dpteach.term.lms.table.TableError
        If it cannot be read any more.
    """
    last = next(filter(None, reversed(names)), None)
    return read_table((downloads(course) / last).read_bytes()) if last else None


def keep(course: Path, path: Path) -> str:
    """Copy a file into the folder of downloads, which git ignores, and return its name there.

    A file that is there already is left alone; a crash leaves no half of a file.

    Raises
    ------
    OSError
        If the file cannot be read or written.
    """
    folder, name = downloads(course), kept_name(path)
    folder.parent.mkdir(mode=0o700, exist_ok=True)
    folder.mkdir(exist_ok=True)
    (folder / ".gitignore").write_text("*\n")
    if not (folder / name).exists():
        with open(path, "rb") as source, written_whole(folder / name) as copy:
            shutil.copyfileobj(source, copy)
    return name
