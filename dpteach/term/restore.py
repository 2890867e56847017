"""``dpteach restore FILE``: bring the data of a term back from an archive of ``dpteach backup``.

The archive is unpacked beside the data of the course and verified there. Only then the old data
move to ``terms/``, and the new ones take their place, file by file and folder by folder. A file
says meanwhile that this has begun: other commands refuse the course, and the next ``restore`` goes
on where a killed one ended.
"""

from __future__ import annotations

import argparse
import contextlib
import fcntl
import gzip
import hashlib
import json
import os
import shutil
import sys
import tarfile
import zlib
from collections.abc import Iterator, Mapping
from datetime import datetime
from pathlib import Path, PurePosixPath
from typing import IO, Any, Final

from dpteach._language import catalog
from dpteach.grading.core.command import add_course, refusal
from dpteach.grading.core.harmless import printable
from dpteach.grading.course.folder import SETTINGS, UNFINISHED, CourseError, settings_of
from dpteach.grading.course.store import BusyError, write_atomically
from dpteach.term.backup import FORMAT, MANIFEST
from dpteach.term.forget import returned
from dpteach.term.log import LogError
from dpteach.term.places import (
    AGAIN,
    DATABASE,
    GRADEBOOK,
    KEPT,
    TERMS,
    check_places,
    has_data,
    nobody_grades,
)

_, _n = catalog("term")

#: the folder in the course in which an archive is unpacked
STAGE: Final = UNFINISHED.partition("/")[0]
DATA: Final = f"{STAGE}/data"
#: the bytes that are unpacked at once
_CHUNK: Final = 1 << 20


class ArchiveError(ValueError):
    """The reason why an archive cannot be restored, in one line."""


def restore(course: str | Path, file: Path, *, replace: bool = False) -> Path | None:
    """Put the data of an archive in the place of a course's own.

    Parameters
    ----------
    course
        The course's folder, which need not exist.
    file
        The archive.
    replace
        Whether the course may have data, which are put away.

    Returns
    -------
    Path or None
        Where the course's own data are now; None if there were none.

    Raises
    ------
    ArchiveError
        If the archive is damaged, is none of this course, or holds anything but files and folders
        of a term.
    CourseError
        If the course has data and must keep them, or its settings cannot be used.
    BusyError
        If the course is being graded.
    OSError
        If a file cannot be read or written.
    """
    root = Path(course).resolve()
    root.mkdir(parents=True, exist_ok=True)
    with _alone(root):
        with open(file, "rb") as handle:
            digest = hashlib.file_digest(handle, "sha256").hexdigest()
            handle.seek(0)
            if (before := _begun(root)) is not None:
                aside = _finish(root, before)
                if before["archive"] == digest:
                    return aside
            settings = settings_of(root)
            check_places(root, settings)
            if has_data(root) and not replace:
                raise CourseError(
                    _(
                        "{folder} has data of a term. With --yes, they are kept in {terms}, and "
                        "those of the backup take their place",
                        folder=root,
                        terms=root / TERMS,
                    )
                )
            shutil.rmtree(root / STAGE, ignore_errors=True)
            (root / STAGE).mkdir(mode=0o700)
            (root / DATA).mkdir()
            try:
                about = _unpacked(handle, root / DATA)
                _check_course(settings, about)
            except BaseException:
                shutil.rmtree(root / STAGE, ignore_errors=True)
                raise
        os.sync()  # what is renamed below is on the disk
        place = f"{TERMS}/{datetime.now():%Y-%m-%d-%H%M%S}"
        told = {"archive": digest, "aside": place, "names": os.listdir(root / DATA)}
        with nobody_grades(root):
            write_atomically(root / UNFINISHED, json.dumps(told).encode())
            return _finish(root, told)


@contextlib.contextmanager
def _alone(root: Path) -> Iterator[None]:
    """Let only one process restore a course at a time."""
    handle = os.open(root, os.O_RDONLY)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        yield
    except BlockingIOError:
        raise BusyError(_("{folder} is being restored already", folder=root)) from None
    finally:
        os.close(handle)


def _begun(root: Path) -> dict[str, Any] | None:
    """Return what a killed run wrote before it moved anything; None if there is no such run."""
    try:
        told: dict[str, Any] = json.loads((root / UNFINISHED).read_bytes())
        return told
    except FileNotFoundError:
        return None


def _finish(root: Path, told: dict[str, Any]) -> Path | None:
    """Move the old data aside and the new ones into their place, as far as this is not done."""
    stage, aside = root / DATA, root / told["aside"]
    for name in (*KEPT, *AGAIN, *DATABASE):
        # a name of the archive that is no longer on the stage is in its place already
        if (stage / name).exists() or name not in told["names"]:
            _put_away(root / name, aside / name)
        if (stage / name).exists():
            os.rename(stage / name, root / name)
    new, old = stage / SETTINGS, root / SETTINGS
    if new.exists():  # at no time is there a course without settings
        if old.exists() and old.read_bytes() != new.read_bytes():
            aside.mkdir(parents=True, exist_ok=True)
            shutil.copy2(old, aside / SETTINGS)
        os.replace(new, old)
    os.sync()
    (root / UNFINISHED).unlink()
    shutil.rmtree(root / STAGE, ignore_errors=True)
    return aside if aside.exists() else None


def _put_away(place: Path, target: Path) -> None:
    """Move a file or a folder, if there is one, to a name that nothing else has."""
    while os.path.lexists(target):
        target = target.with_name(f"{target.name}~")
    if os.path.lexists(place):
        target.parent.mkdir(parents=True, exist_ok=True)
        os.rename(place, target)


def _unpacked(handle: IO[bytes], stage: Path) -> dict[str, Any]:
    """Unpack an archive into a folder, verify it, and return its manifest.

    Raises
    ------
    ArchiveError
        If it is damaged, or no archive of ``dpteach backup``.
    """
    try:
        with gzip.open(handle) as plain, tarfile.open(fileobj=plain, mode="r:") as tar:
            found, manifest = _members(tar, stage)
            while plain.read(_CHUNK):  # at its end, the checksum of the whole archive is verified
                pass
    except (tarfile.TarError, zlib.error, EOFError, gzip.BadGzipFile, OverflowError) as error:
        raise ArchiveError(
            _("the archive is damaged, or no archive of `dpteach backup`: {problem}", problem=error)
        ) from None
    try:
        about = dict(json.loads(manifest))
        form, files, version = about["format"], about["files"], str(about["dpteach"])
    except (KeyError, TypeError, ValueError):
        raise ArchiveError(_("the archive was cut off, or is none of `dpteach backup`")) from None
    if form != FORMAT:
        raise ArchiveError(
            _(
                "the archive was written by dpteach {version}: install that version to restore it",
                version=printable(version),
            )
        )
    if files != found:
        wrong = min(name for name in {*files, *found} if files.get(name) != found.get(name))
        raise ArchiveError(
            _(
                "the archive is damaged: {name} is missing, or is not what was backed up",
                name=printable(wrong),
            )
        )
    return about


def _members(tar: tarfile.TarFile, stage: Path) -> tuple[dict[str, list[Any]], bytes]:
    """Write the members of an archive; return what the manifest should say, and the manifest."""
    found: dict[str, list[Any]] = {}
    folders: dict[Path, int] = {}
    manifest = b""
    for member in tar:
        name = _name(member, found)
        if member.isdir():
            (stage / name).mkdir(parents=True)
            folders[stage / name] = member.mode & 0o777
        elif name == MANIFEST:
            manifest = _content(tar, member).read()
        else:
            found[name] = _written(_content(tar, member), stage / name, member)
    for folder, mode in reversed(folders.items()):
        folder.chmod(mode)
    return found, manifest


def _name(member: tarfile.TarInfo, found: Mapping[str, object]) -> str:
    """Return the name of a member that may be unpacked.

    Raises
    ------
    ArchiveError
        If it is a link, lies outside of the data of a term, or was there before.
    """
    name, parts = member.name, PurePosixPath(member.name).parts
    inside = bool(parts) and ".." not in parts and "\0" not in name and name == "/".join(parts)
    known = inside and (parts[0] in KEPT or name in (GRADEBOOK, SETTINGS, MANIFEST))
    if known and name not in found and (member.isdir() or member.isreg()):
        return name
    raise ArchiveError(
        _(
            "the archive is none of `dpteach backup`: it holds {name!r}, which is a link, stands "
            "there twice or is no file of a term",
            name=printable(name[:80]),
        )
    )


def _content(tar: tarfile.TarFile, member: tarfile.TarInfo) -> IO[bytes]:
    """Return the content of a regular file of an archive."""
    content = tar.extractfile(member)
    assert content is not None
    return content


def _written(content: IO[bytes], path: Path, member: tarfile.TarInfo) -> list[Any]:
    """Write a new file; return its SHA-256 and its size, as the manifest has them."""
    path.parent.mkdir(parents=True, exist_ok=True)
    digest, size = hashlib.sha256(), 0
    with open(path, "xb") as file:
        while chunk := content.read(_CHUNK):
            digest.update(chunk)
            size += file.write(chunk)
    path.chmod(member.mode & 0o777)
    os.utime(path, (member.mtime, member.mtime))
    return [digest.hexdigest(), size]


def _check_course(settings: Any, about: Mapping[str, Any]) -> None:
    """Refuse the archive of another course."""
    own = settings.get("CourseDirectory", {}).get("course_id", about["course"])
    if own != about["course"]:
        raise ArchiveError(
            _(
                "the archive is of the course {other!r}, and this one is {own!r}",
                other=printable(str(about["course"])),
                own=own,
            )
        )


def add_parser(commands: Any) -> None:
    """Add the command to the parser of ``dpteach``."""
    parser: argparse.ArgumentParser = commands.add_parser(
        "restore",
        help=_("bring the data of a term back from an archive of `dpteach backup`"),
        description=_(
            "Verify the archive FILE, and put its gradebook, submissions, feedback, records, log "
            "and settings into the course. The settings are a program that other commands run: "
            "restore only archives that you made."
        ),
    )
    parser.add_argument("file", type=Path, metavar="FILE", help=_("the archive"))
    parser.add_argument(
        "--yes",
        action="store_true",
        help=_("restore even if the course has data, which are kept in {terms}/DATE", terms=TERMS),
    )
    add_course(parser)


def run(told: argparse.Namespace) -> int:
    """Run the command; return its exit code."""
    root, again = Path(told.course), list[str]()
    try:
        aside = restore(root, told.file, replace=told.yes)
        if aside is not None:
            again = returned(aside, root)
    except (OSError, ValueError, BusyError, LogError) as error:
        return refusal("restore", error)
    print(_("{folder} has the data of {file} now", folder=root, file=told.file))
    if aside is not None:
        print(_("What was there before is in {folder}", folder=aside))
    print(
        _(
            "Start `make teach` anew if it runs. `dpteach grade ASSIGNMENT` writes the notebooks "
            "and pages again, and changes no grade."
        )
    )
    for student in map(printable, again):
        text = _(
            "{student} was forgotten since this backup: run `dpteach forget {student}`",
            student=student,
        )
        print(f"dpteach restore: {text}", file=sys.stderr)
    return 1 if again else 0
