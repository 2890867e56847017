"""``dpteach backup FILE``: the data of a term in one archive, for ``dpteach restore``.

The archive is a compressed tar file. Its last member is the manifest, with the SHA-256 of each of
the others, so an archive that was cut off has none. The gradebook is copied by SQLite's own backup,
which waits for a program that writes, and no submission is graded meanwhile. What commands make
again (notebooks, reports, releases) is left out.
"""

from __future__ import annotations

import argparse
import contextlib
import hashlib
import io
import json
import os
import sqlite3
import stat
import sys
import tarfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import IO, Any, Final

from dpteach import __version__
from dpteach._language import catalog
from dpteach.grading.core.command import add_course, file_to_write, refusal
from dpteach.grading.core.harmless import printable
from dpteach.grading.course.folder import SETTINGS, CourseError, course_folder, settings_of
from dpteach.grading.course.store import BusyError, write_atomically
from dpteach.term.places import GRADEBOOK, KEPT, check_places, nobody_grades, reading

_, _n = catalog("term")

#: the version of the archive's form, raised when an older program cannot restore it
FORMAT: Final = 1
MANIFEST: Final = "manifest.json"
#: the file of a course that knows where its backups were written; no backup holds it
BACKUPS: Final = ".backups.json"


@dataclass
class Archive:
    """An archive that is being written.

    Attributes
    ----------
    files
        The SHA-256 and the size of each file, by its name in the archive.
    skipped
        Links and other entries that are no files, which an archive does not hold.
    """

    tar: tarfile.TarFile
    files: dict[str, tuple[str, int]] = field(default_factory=dict)
    skipped: list[str] = field(default_factory=list)

    def add(self, name: str, data: bytes, *, mode: int = 0o600, time: float = 0.0) -> None:
        """Add a file."""
        info = tarfile.TarInfo(name)
        info.size, info.mode, info.mtime = len(data), mode, int(time)
        self.tar.addfile(info, io.BytesIO(data))
        self.files[name] = hashlib.sha256(data).hexdigest(), len(data)

    def add_tree(self, root: Path, name: str) -> None:
        """Add a file or a folder of the course with everything in it; follow no link."""
        path = root / name
        try:
            found = path.lstat()
            if stat.S_ISDIR(found.st_mode):
                info = tarfile.TarInfo(name)
                info.type, info.mode, info.mtime = tarfile.DIRTYPE, found.st_mode & 0o777, 0
                entries = sorted(os.listdir(path))
                self.tar.addfile(info)
                for entry in entries:
                    # a record that is just being written has this name until it is complete
                    if entry != ".writing":
                        self.add_tree(root, f"{name}/{entry}")
            elif stat.S_ISREG(found.st_mode):
                data = path.read_bytes()
                self.add(name, data, mode=found.st_mode & 0o777, time=found.st_mtime)
            else:
                self.skipped.append(name)
        except FileNotFoundError:
            return  # it was removed meanwhile


def write_backup(course: str | Path, file: Path, *, replace: bool = False) -> Archive:
    """Write the data of a term to an archive that only its owner can read.

    Parameters
    ----------
    course
        The course's folder.
    file
        The archive, which is written whole or not at all.
    replace
        Whether an existing file may be replaced.

    Returns
    -------
    Archive
        What was written.

    Raises
    ------
    CourseError
        If the course or its settings cannot be used, or the file exists or lies among the data.
    BusyError
        If the course is being graded.
    OSError, sqlite3.Error
        If the data cannot be read, or the file cannot be written.
    """
    root, file = course_folder(course), Path(os.path.abspath(file))
    settings = settings_of(root)
    check_places(root, settings)
    if file.exists() and not replace:
        raise CourseError(
            _("{file} exists already: name another file, or replace it with --yes", file=file)
        )
    if any(file.is_relative_to(root / name) for name in (*KEPT, GRADEBOOK, SETTINGS)):
        raise CourseError(_("FILE must not lie among the data of the term, got {file}", file=file))
    # `forget` lists the backups; recorded first, so that none is missing there
    write_atomically(
        root / BACKUPS, json.dumps(sorted({*backups(root), str(file)})).encode(), mode=0o600
    )
    with (
        nobody_grades(root),
        written_whole(file) as handle,
        tarfile.open(fileobj=handle, mode="w:gz", compresslevel=6) as tar,
    ):
        archive = Archive(tar)
        # before the records: a result that the gradebook lacks is recorded by the next run
        if (root / GRADEBOOK).exists():
            archive.add(GRADEBOOK, _gradebook(root / GRADEBOOK))
        for name in (*KEPT, SETTINGS):
            archive.add_tree(root, name)
        about = {
            "format": FORMAT,
            "dpteach": __version__,
            "course": settings.get("CourseDirectory", {}).get("course_id", ""),
            "time": datetime.now(UTC).isoformat(timespec="seconds"),
            "files": dict(archive.files),
        }
        archive.add(MANIFEST, json.dumps(about, indent=1).encode())
    return archive


def backups(root: Path) -> list[str]:
    """Return the paths of the backups of a course that were written on this machine."""
    try:
        return [str(path) for path in json.loads((root / BACKUPS).read_bytes())]
    except (OSError, ValueError, TypeError):
        return []


def _gradebook(path: Path) -> bytes:
    """Return a consistent copy of a gradebook that other programs may be writing."""
    with reading(path) as book, contextlib.closing(sqlite3.connect(":memory:")) as copy:
        book.backup(copy)
        return copy.serialize()


@contextlib.contextmanager
def written_whole(file: Path) -> Iterator[IO[bytes]]:
    """Open a file that has its name only when it is complete.

    Yields
    ------
    IO
    """
    file.parent.mkdir(parents=True, exist_ok=True)
    part = file.with_name(f".{file.name}.writing")
    flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_NOFOLLOW
    try:
        with open(os.open(part, flags, 0o600), "wb") as handle:
            os.fchmod(handle.fileno(), 0o600)
            yield handle
            handle.flush()
            os.fsync(handle.fileno())
        os.replace(part, file)
    except BaseException:
        part.unlink(missing_ok=True)
        raise


def add_parser(commands: Any) -> None:
    """Add the command to the parser of ``dpteach``."""
    parser: argparse.ArgumentParser = commands.add_parser(
        "backup",
        help=_("write the data of a term to one archive"),
        description=_(
            "Write gradebook, submissions, feedback, the grader's records, the log and the "
            "settings to FILE, which only you can read. Texts of assignments belong in git, and "
            "are not in it."
        ),
    )
    parser.add_argument(
        "file", type=file_to_write, metavar="FILE", help=_("the archive, such as term.tar.gz")
    )
    parser.add_argument("--yes", action="store_true", help=_("replace FILE if it exists"))
    add_course(parser)


def run(told: argparse.Namespace) -> int:
    """Run the command; return its exit code."""
    try:
        archive = write_backup(told.course, told.file, replace=told.yes)
    except (OSError, ValueError, BusyError, sqlite3.Error) as error:
        return refusal("backup", error)
    count = len(archive.files) - 1
    print(_n("{count} file in {file}", "{count} files in {file}", count, file=told.file))
    for name in archive.skipped:
        problem = _("left out, because it is a link or no file: {path}", path=printable(name))
        print(f"dpteach backup: {problem}", file=sys.stderr)
    return 1 if archive.skipped else 0
