"""``dpteach backup FILE``: write the data of a term to one archive for ``dpteach restore``.

The archive is a compressed tar file. Its last member is the manifest, which lists the SHA-256
digest of every other member, so an archive that was cut off has no manifest. SQLite's own backup
copies the gradebook and waits for programs that write into the gradebook; no submission is graded
during a backup. Files that commands can make again (notebooks, reports, releases) are left out.
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

#: the version of the archive's format; increase it with each change of the format that older
#: versions of dpteach cannot read
FORMAT: Final = 1
MANIFEST: Final = "manifest.json"
#: the file of a course that lists the paths of its backups; backups do not contain this file
BACKUPS: Final = ".backups.json"


def write_backup(course: str | Path, file: Path, *, replace: bool = False) -> list[str]:
    """Write the data of a term to an archive that only the user's account can read.

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
    list of str
        The paths of links, sockets and the like in the course, which the archive leaves out.

    Raises
    ------
    CourseError
        If the course or its settings cannot be used, if `replace` is False and the file exists, or
        if the file lies in a folder that is backed up.
    BusyError
        If the course is being graded.
    OSError, sqlite3.Error
        If the data cannot be read, or the file cannot be written.
    """
    root, file = course_folder(course), Path(os.path.abspath(file))
    settings = settings_of(root)
    check_places(root, settings)
    if file.exists() and not replace:
        raise CourseError(_("{file} exists already: replace it with --yes", file=file))
    if any(file.is_relative_to(root / name) for name in KEPT):
        raise CourseError(_("FILE must not lie among the data of the term, got {file}", file=file))
    # `dpteach forget` lists the backups that still contain a student. Record the path before the
    # backup exists, so that even a killed command leaves no unlisted backup
    write_atomically(root / BACKUPS, json.dumps(sorted({*backups(root), str(file)})).encode())
    files: dict[str, tuple[str, int]] = {}
    skipped = []
    with (
        nobody_grades(root),
        written_whole(file) as handle,
        tarfile.open(fileobj=handle, mode="w:gz", compresslevel=6) as tar,
    ):
        for info, data in _members(root):
            if info.issym():
                skipped.append(info.name)
                continue
            info.size = len(data)
            tar.addfile(info, io.BytesIO(data))
            if info.isreg():
                files[info.name] = hashlib.sha256(data).hexdigest(), len(data)
        about = {
            "format": FORMAT,
            "dpteach": __version__,
            "course": settings.get("CourseDirectory", {}).get("course_id", ""),
            "time": datetime.now(UTC).isoformat(timespec="seconds"),
            "files": files,
        }
        data = json.dumps(about, indent=1).encode()
        info = tarfile.TarInfo(MANIFEST)
        info.size = len(data)
        tar.addfile(info, io.BytesIO(data))
    return skipped


def backups(root: Path) -> list[str]:
    """Return the paths of the backups of a course that were written on this machine."""
    try:
        return list(map(str, json.loads((root / BACKUPS).read_bytes())))
    except (OSError, ValueError, TypeError):
        return []


def _members(root: Path) -> Iterator[tuple[tarfile.TarInfo, bytes]]:
    """Yield an archive member and its content for each file and folder of a term's data.

    Anything else in a folder, such as a socket, is yielded as a symbolic link without content, so
    that the caller leaves it out.
    """
    # copy the gradebook before the grader's records, so that the records are never older than the
    # gradebook: after a restoration, `dpteach grade` can complete the gradebook from the records,
    # but not the records from the gradebook
    original, memory = root / GRADEBOOK, ":memory:"
    if original.exists():
        with reading(original) as book, contextlib.closing(sqlite3.connect(memory)) as copy:
            book.backup(copy)
            info = tarfile.TarInfo(GRADEBOOK)
            info.mode = 0o600
            yield info, copy.serialize()
    for name in (*KEPT, SETTINGS):
        for path in [root / name, *sorted((root / name).rglob("*"))]:
            # skip a file that another program removes meanwhile
            with contextlib.suppress(FileNotFoundError):
                found = path.lstat()
                info = tarfile.TarInfo(path.relative_to(root).as_posix())
                info.mode, info.mtime = stat.S_IMODE(found.st_mode) & 0o777, int(found.st_mtime)
                kinds = {stat.S_IFDIR: tarfile.DIRTYPE, stat.S_IFREG: tarfile.REGTYPE}
                info.type = kinds.get(stat.S_IFMT(found.st_mode), tarfile.SYMTYPE)
                yield info, path.read_bytes() if info.isreg() else b""


@contextlib.contextmanager
def written_whole(file: Path) -> Iterator[IO[bytes]]:
    """Open a temporary file for writing, and rename it to `file` after the block has ended.

    If the block raises an error, `file` stays as it was. Only the user's account can read the
    file.
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
    """Add the command ``backup`` to the parser of ``dpteach``."""
    about = _("write the data of a term to one archive, which only you can read")
    parser: argparse.ArgumentParser = commands.add_parser("backup", help=about, description=about)
    parser.add_argument("file", type=file_to_write, metavar="FILE", help=_("the archive"))
    parser.add_argument("--yes", action="store_true", help=_("replace FILE if it exists"))
    add_course(parser)


def run(told: argparse.Namespace) -> int:
    """Write the backup that the arguments ask for; return the exit code."""
    try:
        skipped = write_backup(told.course, told.file, replace=told.yes)
    except (OSError, ValueError, BusyError, sqlite3.Error) as error:
        return refusal("backup", error)
    print(_("the data of the term are in {file}", file=told.file))
    for name in map(printable, skipped):
        problem = _("left out, because it is a link or no file: {path}", path=name)
        print(f"dpteach backup: {problem}", file=sys.stderr)
    return 1 if skipped else 0
