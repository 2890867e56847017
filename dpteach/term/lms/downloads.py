"""What was downloaded from a system: it is kept with the term's data, and never in git."""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import zipfile
from pathlib import Path
from typing import Final

from dpteach.grading.course.store import write_atomically
from dpteach.term.log import FOLDER

#: the folder of downloads in that of the term
DOWNLOADS: Final = "downloads"

#: the most bytes of a file's name that are kept
_MOST: Final = 100


def downloads(course: Path) -> Path:
    """Return the folder of downloads, which is made and which git ignores."""
    folder = course / FOLDER / DOWNLOADS
    (course / FOLDER).mkdir(mode=0o700, exist_ok=True)
    folder.mkdir(exist_ok=True)
    if not (folder / ".gitignore").exists():
        write_atomically(folder / ".gitignore", b"*\n")
    return folder


def kept_name(path: Path) -> str:
    """Return the name under which a file is kept, which says what it is and differs by content."""
    whole = hashlib.sha256()
    with open(path, "rb") as file:
        while part := file.read(1 << 20):
            whole.update(part)
    base = re.sub(r"[^\w.()-]+", "_", path.name)[-_MOST:]
    return f"{whole.hexdigest()[:12]}-{base}"


def keep(course: Path, path: Path) -> str:
    """Copy a file into the folder of downloads, and return its name there.

    A file that is there already is left alone; a crash leaves no half of a file.

    Raises
    ------
    OSError
        If the file cannot be read or written.
    """
    folder = downloads(course)
    name = kept_name(path)
    if not (folder / name).exists():
        part = folder / ".part"
        with open(path, "rb") as source, open(part, "wb") as copy:
            shutil.copyfileobj(source, copy)
            copy.flush()
            os.fsync(copy.fileno())
        os.replace(part, folder / name)
    return name


def packed(folder: Path, target: Path) -> Path:
    """Pack a folder into a zip file, as browsers unpack downloads, and return the file.

    Links are left out.
    """
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED, strict_timestamps=False) as archive:
        for path in sorted(folder.rglob("*")):
            if path.is_file() and not any(
                one.is_symlink() for one in (path, *path.parents) if one.is_relative_to(folder)
            ):
                archive.write(path, path.relative_to(folder))
    return target
