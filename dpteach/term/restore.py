"""``dpteach restore FILE``: replace the data of a term by those in a backup.

The command unpacks an archive of ``dpteach backup`` into a temporary folder of the course, and
verifies the files. Only then does it move the old data to ``terms/``, and the new data into their
place. Before the first move it writes the file `UNFINISHED`. While this file exists, other
commands refuse the course. If the command is killed, the next ``dpteach restore`` completes its
moves.
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
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import IO, Any, Final

from dpteach._language import catalog
from dpteach.grading.core.command import add_course, refusal
from dpteach.grading.core.harmless import printable
from dpteach.grading.course.folder import SETTINGS, UNFINISHED, CourseError, settings_of
from dpteach.grading.course.store import BusyError, write_atomically
from dpteach.term import places
from dpteach.term.backup import FORMAT, MANIFEST
from dpteach.term.forget import returned
from dpteach.term.places import GRADEBOOK, KEPT, TERMS

_, _n = catalog("term")

#: the course's subfolder that exists only during a restoration, and its subfolder for the unpacked
#: archive
STAGE: Final = UNFINISHED.partition("/")[0]
DATA: Final = f"{STAGE}/data"


class ArchiveError(ValueError):
    """The error of an archive that cannot be restored; its text is the reason, in one line."""

    def __init__(self, problem: object) -> None:
        text = _("the archive is damaged, or none of `dpteach backup`: {problem}", problem=problem)
        super().__init__(printable(text))


def restore(course: str | Path, file: Path, *, replace: bool = False) -> Path | None:
    """Replace the data of a course's term by those of an archive.

    Parameters
    ----------
    course
        The course's folder, which need not exist.
    file
        The archive.
    replace
        Whether data that the course already has are moved to ``terms/``; if False, such data lead
        to an error.

    Returns
    -------
    Path or None
        The folder to which the course's earlier data were moved; None if it had none.

    Raises
    ------
    ArchiveError
        If the archive is damaged, or contains members other than files and folders of a term.
    CourseError
        If the course has data and `replace` is False, the archive is of another course, or the
        settings cannot be used.
    BusyError
        If the course is being graded or restored.
    OSError
        If a file cannot be read or written.
    """
    root = Path(course).resolve()
    root.mkdir(parents=True, exist_ok=True)
    with _alone(root), open(file, "rb") as handle:
        digest = hashlib.file_digest(handle, "sha256").hexdigest()
        handle.seek(0)
        if (root / UNFINISHED).exists():
            told = json.loads((root / UNFINISHED).read_bytes())
            aside = _finish(root, told)
            if told["archive"] == digest:
                return aside
        settings = settings_of(root)
        places.check_places(root, settings)
        if places.has_data(root) and not replace:
            terms = root / TERMS
            raise CourseError(_("the course has data: with --yes, they go to {terms}", terms=terms))
        shutil.rmtree(root / STAGE, ignore_errors=True)
        (root / STAGE).mkdir(mode=0o700)
        try:
            _unpack(handle, root / DATA)
            _check_manifest(root / DATA, settings)
        except BaseException:
            shutil.rmtree(root / STAGE, ignore_errors=True)
            raise
        # write the unpacked files to the disk before `_finish` moves them into place, so that a
        # later power failure cannot lose their content
        os.sync()
        place = f"{TERMS}/{datetime.now():%Y-%m-%d-%H%M%S-%f}"
        told = {"archive": digest, "aside": place, "names": os.listdir(root / DATA)}
        with places.nobody_grades(root):
            write_atomically(root / UNFINISHED, json.dumps(told).encode())
            return _finish(root, told)


@contextlib.contextmanager
def _alone(root: Path) -> Iterator[None]:
    """Keep other processes from restoring the same course until the block ends."""
    handle = os.open(root, os.O_RDONLY)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        yield
    except BlockingIOError:
        raise BusyError(_("{folder} is being restored already", folder=root)) from None
    finally:
        os.close(handle)


def _finish(root: Path, told: dict[str, Any]) -> Path | None:
    """Move the old data away and the new data into place; skip moves that an earlier run made.

    Parameters
    ----------
    told
        The content of the file `UNFINISHED`.

    Returns
    -------
    Path or None
        The folder to which the old data were moved; None if there were none.
    """
    stage, aside = root / DATA, root / told["aside"]
    for name in (*KEPT, *places.AGAIN, *places.DATABASE):
        # if the archive had `name` but `stage` has it no longer, an earlier run moved it into
        # place
        if (stage / name).exists() or name not in told["names"]:
            _put_away(root / name, aside / name)
        if (stage / name).exists():
            os.rename(stage / name, root / name)
    new, old = stage / SETTINGS, root / SETTINGS
    # replace the settings by one rename: if they were missing even for a moment, another command
    # could report that the folder is not a course
    if new.exists():
        if old.exists() and old.read_bytes() != new.read_bytes():
            aside.mkdir(parents=True, exist_ok=True)
            shutil.copy2(old, aside / SETTINGS)
        os.replace(new, old)
    os.sync()
    (root / UNFINISHED).unlink()
    shutil.rmtree(root / STAGE, ignore_errors=True)
    return aside if aside.exists() else None


def _put_away(place: Path, target: Path) -> None:
    """Move a file or a folder, if it exists; add ~ to the target's name until the name is free."""
    while os.path.lexists(target):
        target = target.with_name(f"{target.name}~")
    if os.path.lexists(place):
        target.parent.mkdir(parents=True, exist_ok=True)
        os.rename(place, target)


def _unpack(handle: IO[bytes], stage: Path) -> None:
    """Unpack an archive into a folder.

    Raises
    ------
    ArchiveError
        If the archive is damaged, or a member is a link or lies outside of a term's data.
    """
    try:
        with gzip.open(handle) as plain, tarfile.open(fileobj=plain, mode="r:") as tar:
            members = tar.getmembers()
            while plain.read(1 << 20):  # reading to the end makes gzip verify its checksum
                pass
            for member in members:
                top, *inner = member.name.split("/")
                known = top in KEPT or member.name in (GRADEBOOK, SETTINGS, MANIFEST)
                inside = not {"", ".", ".."} & {*inner}
                if not (known and inside and (member.isreg() or member.isdir())):
                    raise ArchiveError(member.name[:80])
            # accept all members, because the loop above has checked them; Python 3.11.3 and older
            # ignore this attribute
            tar.extraction_filter = lambda member, _path: member
            tar.extractall(stage)
    except (tarfile.TarError, zlib.error, EOFError, gzip.BadGzipFile, OverflowError) as error:
        raise ArchiveError(error) from None


def _check_manifest(stage: Path, settings: Any) -> None:
    """Check that the unpacked files match the manifest, and that the archive is of this course.

    Raises
    ------
    ArchiveError, CourseError
        If the files or the course differ, or a newer dpteach wrote the archive; the message names
        the first difference.
    """
    try:
        about = dict(json.loads((stage / MANIFEST).read_bytes()))
        form, files, course = about["format"], dict(about["files"]), about["course"]
    except (FileNotFoundError, KeyError, TypeError, ValueError):
        raise ArchiveError(MANIFEST) from None
    (stage / MANIFEST).unlink()
    if form != FORMAT:
        raise CourseError(_("the archive needs dpteach {version}", version=about.get("dpteach")))
    for path in sorted(path for path in stage.rglob("*") if path.is_file()):
        name, data = path.relative_to(stage).as_posix(), path.read_bytes()
        if files.pop(name, None) != [hashlib.sha256(data).hexdigest(), len(data)]:
            raise ArchiveError(name)
    if files:
        raise ArchiveError(min(files))
    own = settings.get("CourseDirectory", {}).get("course_id", course)
    if own != course:
        text = _("the archive is of the course {other!r}, not of {own!r}", other=course, own=own)
        raise CourseError(printable(text))


def add_parser(commands: Any) -> None:
    """Add the command ``restore`` to the parser of ``dpteach``."""
    about = _("verify an archive that you made by `dpteach backup`, and put its data in place")
    parser: argparse.ArgumentParser = commands.add_parser("restore", help=about, description=about)
    parser.add_argument("file", type=Path, metavar="FILE", help=_("the archive"))
    about = _("restore even if the course has data, which are kept in {terms}/DATE", terms=TERMS)
    parser.add_argument("--yes", action="store_true", help=about)
    add_course(parser)


def run(told: argparse.Namespace) -> int:
    """Restore the archive that the arguments name; return the exit code.

    The code is 1 if the archive brings back students whose data ``dpteach forget`` had removed. The
    user must then run ``dpteach forget`` again for each of them.
    """
    root = Path(told.course)
    try:
        aside = restore(root, told.file, replace=told.yes)
        again = returned(root)
    except (OSError, ValueError, BusyError) as error:
        return refusal("restore", error)
    print(_("{folder} has the data of {file} now", folder=root, file=told.file))
    if aside is not None:
        print(_("what was there before is in {folder}", folder=aside))
    print(_("start `make teach` anew if it runs; `dpteach grade` writes the notebooks again"))
    for student in map(printable, again):
        text = _("{student} was forgotten before: run `dpteach forget {student}`", student=student)
        print(f"dpteach restore: {text}", file=sys.stderr)
    return 1 if again else 0
