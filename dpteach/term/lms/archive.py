"""Files downloaded from an LMS: reading zip files of submissions, and copies of all downloads.

The names, sizes and contents of the zip files are not trusted. No file is unpacked to a path that
the archive names. Files are read one after the other, each up to `FILE_BYTES`, and all together up
to `ALL_BYTES`, whatever sizes the archive declares. Each file that is not read is reported with the
reason. The copies are kept in the term's folder, but not in git. (An LMS is a learning management
system, such as Canvas.)
"""

from __future__ import annotations

import contextlib
import hashlib
import io
import re
import shutil
import stat
import zipfile
import zlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Final, NamedTuple

from dpteach._language import catalog
from dpteach.grading.core.harmless import printable
from dpteach.grading.course.folder import CourseError
from dpteach.term.backup import written_whole
from dpteach.term.lms.table import Table, read_table
from dpteach.term.log import Log

_, _n = catalog("term")

#: the subfolder of the term's folder that keeps copies of downloads
DOWNLOADS: Final = "downloads"

#: the most bytes that are read of a file: one more than the 20 MB that the grader accepts, so that
#: a larger file is noticed
FILE_BYTES: Final = 20_000_001

#: the most bytes that are read in total from a download, and from an archive inside a download
ALL_BYTES: Final = 8_000_000_000
INNER_BYTES: Final = 200_000_000

#: the most files that a download, and an archive inside a download, may contain
MOST_FILES: Final = 50_000
MOST_INNER_FILES: Final = 1_000

#: how many levels deep archives inside archives are opened in a submission
DEPTH: Final = 3

#: the errors that ``zipfile`` raises for a file that is damaged or encrypted
_DAMAGED = (zipfile.BadZipFile, zlib.error, NotImplementedError, RuntimeError, EOFError, OSError)

#: folders that operating systems and Jupyter create, and that hold no work of a student
_JUNK = ("__macosx", ".ipynb_checkpoints", "__pycache__")


class ArchiveError(CourseError):
    """The error of an archive that cannot be used at all; its text is the reason, in one line."""


@dataclass
class Report:
    """A list of the files of a download that were not taken, each with the reason.

    Attributes
    ----------
    room
        The number of bytes that may still be read from the download.
    problems
        A sentence for each file that was not taken.
    """

    room: int = field(default_factory=lambda: ALL_BYTES)
    problems: list[str] = field(default_factory=list)

    def note(self, path: str, why: str) -> None:
        """Add to the report that a file or a student's submission was not taken, and why."""
        self.problems.append(f"{printable(path)[:200]}: {why}")


class Member(NamedTuple):
    """A file in an open zip archive.

    Attributes
    ----------
    path
        The path of the file in the archive, with ``/`` between the parts.
    time
        The time that the archive states for the file, usually that of the download; "" if none.
    archive, info
        The archive, and the file's entry in the archive.
    """

    path: str
    time: str
    archive: zipfile.ZipFile
    info: zipfile.ZipInfo

    def read(self, most: int) -> bytes:
        """Return the bytes of the file, but only the first `most` of them if there are more."""
        with self.archive.open(self.info) as file:
            return file.read(most)


def is_zip(data: bytes) -> bool:
    """Return whether some bytes begin like a zip file."""
    return data.startswith((b"PK\x03\x04", b"PK\x05\x06"))


def is_archive(path: Path) -> bool:
    """Return whether the file at a path begins like a zip file."""
    with path.open("rb") as file:
        return is_zip(file.read(4))


@contextlib.contextmanager
def opened(source: Path | IO[bytes], report: Report, most: int) -> Iterator[list[Member]]:
    """Open a zip file and yield a list of its files, without links and unsafe paths.

    Parameters
    ----------
    source
        The zip file. A path to another file counts as an archive that contains only this file.
    report
        The report to which links and unsafe paths are added.
    most
        The most files that the archive may contain.

    Raises
    ------
    ArchiveError
        If the archive is damaged, or contains too many files.
    """
    if isinstance(source, Path) and not is_archive(source):
        single = io.BytesIO()
        with zipfile.ZipFile(single, "w") as made:
            made.writestr(zipfile.ZipInfo(source.name), source.read_bytes())
        source = single
    try:
        archive = zipfile.ZipFile(source)
    except _DAMAGED as error:
        raise ArchiveError(_("it is damaged or no zip file: {problem}", problem=error)) from None
    with archive:
        count = len(archive.infolist())
        if count > most:
            text = _("it has {n:,} files, and at most {most:,} are read", n=count, most=most)
            raise ArchiveError(text)
        found = (_member(archive, info, report) for info in archive.infolist())
        yield [one for one in found if one is not None]


def _member(archive: zipfile.ZipFile, info: zipfile.ZipInfo, report: Report) -> Member | None:
    """Return a file of an archive; None for folders, links, unsafe paths and junk (`is_junk`)."""
    path = info.filename
    # without the flag 0x800 for UTF-8, the name should be in cp437, but some programs write UTF-8
    if not info.flag_bits & 0x800:
        with contextlib.suppress(UnicodeError):
            path = path.encode("cp437").decode("utf-8")
    path = path.replace("\\", "/")
    if info.is_dir() or is_junk(path):
        return None
    if stat.S_ISLNK(info.external_attr >> 16):
        report.note(path, _("refused, because it is a link"))
        return None
    if path.startswith("/") or ".." in path.split("/") or path[1:2] == ":":
        report.note(path, _("refused, because its path leads out of the archive"))
        return None
    time = "{}-{:02}-{:02} {:02}:{:02}:{:02}".format(*info.date_time)
    # programs that know no time write the earliest possible date, in 1980
    time = "" if info.date_time[0] == 1980 else time
    return Member(path, time, archive, info)


def content(member: Member, report: Report) -> bytes | None:
    """Return the bytes of a file in a download; if it cannot be read, report it and return None.

    At most `FILE_BYTES` are read, or `INNER_BYTES` if the file is itself an archive.

    Raises
    ------
    ArchiveError
        If no more bytes may be read from the download, because its files together are too large.
    """
    if report.room <= 0:
        raise ArchiveError(_("the files in it are too large together"))
    try:
        data = member.read(FILE_BYTES)
        if len(data) == FILE_BYTES and is_zip(data):
            data = member.read(INNER_BYTES)
    except _DAMAGED as error:
        report.note(member.path, _("cannot be read: {problem}", problem=error))
        return None
    report.room -= len(data)
    return data


def unpacked(data: bytes, path: str, report: Report, depth: int = DEPTH) -> dict[str, bytes]:
    """Return, by path, the files in an archive that a student submitted; {} if none can be read.

    Parameters
    ----------
    path
        The name of the archive, for messages.
    depth
        The number of levels of archives that are opened, this one included.
    """
    found: dict[str, bytes] = {}
    inside = Report(min(INNER_BYTES, report.room))
    before = inside.room
    try:
        with opened(io.BytesIO(data), inside, MOST_INNER_FILES) as files:
            for member in files:
                one = content(member, inside)
                if one is not None and is_zip(one) and depth > 1:
                    found |= unpacked(one, member.path, inside, depth - 1)
                elif one is not None:
                    found[member.path] = one
    except ArchiveError as error:
        found = {}
        report.note(path, _("the archive was not opened: {reason}", reason=error))
    report.room -= before - inside.room
    report.problems += [f"{printable(path)}/{problem}" for problem in inside.problems]
    return found


def is_junk(path: str) -> bool:
    """Return whether a file is hidden, or in a folder that an operating system or Jupyter created.

    Examples
    --------
    >>> is_junk("__MACOSX/._a.ipynb"), is_junk("a.ipynb")
    (True, False)
    """
    *folders, name = path.casefold().split("/")
    return name.startswith(".") or any(part in _JUNK for part in folders)


def kept_name(path: Path) -> str:
    """Return the name for the copy of a file: a digest of its content, and the file's name."""
    with open(path, "rb") as file:
        digest = hashlib.file_digest(file, "sha256").hexdigest()
    return f"{digest[:12]}-" + re.sub(r"[^\w.()-]+", "_", path.name)[-100:]


def latest_table(log: Log, kind: str, name: str, **about: str) -> Table | None:
    """Return the table that was read last, according to the log; None if none was read.

    Parameters
    ----------
    kind
        The kind of the log's events that record a table, such as ``"roster"``.
    name
        The key in an event's data under which the file name of the table's copy is stored. Events
        with the file name "" are skipped.
    **about
        Values that an event's data must contain, by key.

    Raises
    ------
    dpteach.term.lms.table.TableError
        If the copy of the table cannot be read as a table any more.
    """
    told = [one.data for one in log.events() if one.kind == kind]
    names = [data[name] for data in told if all(data[key] == about[key] for key in about)]
    last = next(filter(None, reversed(names)), None)
    return read_table((log.folder / DOWNLOADS / last).read_bytes()) if last else None


def keep(log: Log, path: Path) -> str:
    """Copy a file into the folder of downloads, which git ignores; return the copy's name.

    If a copy with the same name and content exists, nothing is written. A crash leaves no
    incomplete copy.

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
