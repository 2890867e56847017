"""Downloads of submissions: zip files whose names, sizes and contents are not trusted.

Nothing is unpacked to a path from the archive. Files are read one after the other, each up to
`FILE_BYTES`, and all together up to `ALL_BYTES`, whatever sizes the archive declares. A file that
is not read is named with the reason.
"""

from __future__ import annotations

import contextlib
import io
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

_, _n = catalog("term")

#: how many bytes of a file are read; the grader refuses notebooks of more than 20 MB
FILE_BYTES: Final = 20_000_001

#: how many bytes of all files of a download, and of an archive in it, are read
ALL_BYTES: Final = 8_000_000_000
INNER_BYTES: Final = 200_000_000

#: how many files a download, and an archive in it, may have
MOST_FILES: Final = 50_000
MOST_INNER_FILES: Final = 1_000

#: how deep archives may be nested in a submission
DEPTH: Final = 3

#: what Python raises for a file that is damaged or encrypted
_DAMAGED = (zipfile.BadZipFile, zlib.error, NotImplementedError, RuntimeError, EOFError, OSError)

_JUNK = ("__macosx", ".ipynb_checkpoints", "__pycache__")


class ArchiveError(CourseError):
    """The reason why an archive is not read at all, in one line."""


@dataclass
class Report:
    """The files that were not taken, each with the reason.

    Attributes
    ----------
    room
        How many more bytes may be read.
    problems
        A sentence for each file.
    """

    room: int = field(default_factory=lambda: ALL_BYTES)
    problems: list[str] = field(default_factory=list)

    def note(self, path: str, why: str) -> None:
        """Add a file that was not taken."""
        self.problems.append(f"{printable(path)[:200]}: {why}")


class Member(NamedTuple):
    """A file in a download.

    Attributes
    ----------
    path
        Its path in the archive, with ``/`` between the parts.
    time
        When the archive says that it was written, which is the time of the download, or "".
    archive, info
        The archive, and its entry there.
    """

    path: str
    time: str
    archive: zipfile.ZipFile
    info: zipfile.ZipInfo

    def read(self, most: int) -> bytes:
        """Return the first bytes of the file."""
        with self.archive.open(self.info) as file:
            return file.read(most)


def is_zip(data: bytes) -> bool:
    """Whether the bytes are those of a zip file."""
    return data.startswith((b"PK\x03\x04", b"PK\x05\x06"))


def is_archive(path: Path) -> bool:
    """Whether a file is a zip file, by its first bytes."""
    with path.open("rb") as file:
        return is_zip(file.read(4))


@contextlib.contextmanager
def opened(source: Path | IO[bytes], report: Report, most: int) -> Iterator[list[Member]]:
    """Open a zip file, and give the files that may be read; links and unsafe paths are reported.

    Parameters
    ----------
    source
        The file; one that is no archive is given as an archive with this file.
    most
        How many files it may have.

    Raises
    ------
    ArchiveError
        If it is damaged, or holds too many files.
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
    """Return a file of an archive, or None if it is not to be read."""
    path = info.filename
    if not info.flag_bits & 0x800:  # names in UTF-8 that are not marked as such
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
    time = "" if info.date_time[0] == 1980 else time  # the first year of the format: no time
    return Member(path, time, archive, info)


def content(member: Member, report: Report) -> bytes | None:
    """Return the bytes of a file; None, with the reason, if it is unreadable.

    They are at most `FILE_BYTES`, and of an archive at most `INNER_BYTES`.

    Raises
    ------
    ArchiveError
        If the files together are too large.
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
    """Return the files of an archive that a student submitted, by path; {} if it is refused.

    Parameters
    ----------
    path
        Its name, for messages.
    depth
        How many more archives may be nested in it.
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
    """Whether a file is hidden, or was left by a system or an editor.

    Examples
    --------
    >>> is_junk("__MACOSX/._a.ipynb"), is_junk("a.ipynb")
    (True, False)
    """
    *folders, name = path.casefold().split("/")
    return name.startswith(".") or any(part in _JUNK for part in folders)
