"""The command ``dpteach publish FOLDER``, which writes what students get of a course.

The folder then contains ``site/`` with the pages of the book, the student bundle
``dpteach-student.zip``, and, if the course has the setting ``c.Publish.repository``,
``repository/`` with the content of the students' repository. The command completes all of these
parts before it replaces parts of an earlier run. It never replaces a file or folder that it did not
write itself.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

from dpteach._language import catalog
from dpteach.grading.author.build import BuildError
from dpteach.grading.core.command import add_course, folder_to_fill, refusal
from dpteach.grading.course import installing
from dpteach.grading.course.folder import assignment_names, course_folder, settings_of
from dpteach.publish import bundle, repository
from dpteach.publish.problem import PublishError, Say
from dpteach.publish.site import write_site

_, _n = catalog("publish")

#: the folder of the clone of this project's repository
PROJECT: Final = Path(__file__).resolve().parents[2]

#: for each part that the option `--only` can name, the name of its file or folder in FOLDER, the
#: argument of the command
PARTS: Final = {"site": "site", "bundle": f"{bundle.NAME}.zip", "repository": "repository"}

#: the beginning of the name of the temporary folder in FOLDER in which the site, the bundle and
#: the repository are made. It is in FOLDER because a finished file or folder can be moved in one
#: step only within one file system
_DRAFT: Final = ".dpteach-draft-"

#: the name of the file in FOLDER that lists which files and folders there were written by this
#: command
RECORD: Final = ".dpteach-publish.json"


def publish(folder: Path, course: Path, *, parts: Sequence[str], say: Say) -> list[Path]:
    """Write the site, the student bundle and the students' repository of a course to a folder.

    Parameters
    ----------
    folder
        The folder to write to; it is made if it does not exist.
    course
        The folder with ``nbgrader_config.py``.
    parts
        The parts to write, out of ``"site"``, ``"bundle"`` and ``"repository"``.
    say
        A function that shows one line about the progress.

    Returns
    -------
    list of pathlib.Path
        The paths of the parts in the folder.

    Raises
    ------
    PublishError
        If a part cannot be made, or if something that this command did not write already has the
        name of a part in the folder.
    """
    course = course_folder(course)
    check_own(folder, parts)
    folder.mkdir(parents=True, exist_ok=True)
    for old in folder.glob(f"{_DRAFT}*"):  # left by interrupted runs
        shutil.rmtree(old)
    with TemporaryDirectory(prefix=_DRAFT, dir=folder, ignore_cleanup_errors=True) as name:
        draft = Path(name)
        made = [draft / PARTS[part] for part in parts]
        for part, target in zip(parts, made, strict=True):
            for line in _make(part, course, target, say):
                say(line)
        # all new files and folders are complete now: if the moves below are interrupted, FOLDER
        # has the old or the new version of each, and the record already names the new ones
        written = sorted({*_written(folder), *(path.name for path in made)})
        (draft / RECORD).write_text(json.dumps(written) + "\n", "utf-8")
        os.replace(draft / RECORD, folder / RECORD)
        return [_move(path, folder / path.name) for path in made]


def parts_of(course: Path) -> list[str]:
    """Return the parts (see `PARTS`) that are written without the option ``--only``."""
    all_parts = installing.repository(settings_of(course)) is not None
    return [part for part in PARTS if all_parts or part != "repository"]


def check_own(folder: Path, parts: Sequence[str]) -> None:
    """Raise an error if writing the parts would replace a file that this command did not write.

    Raises
    ------
    PublishError
        If a file or folder with the name of a part was not written by this command; the message
        contains its path.
    """
    for name in (PARTS[part] for part in parts):
        if os.path.lexists(folder / name) and name not in _written(folder):
            text = _(
                "{path} exists, and dpteach publish did not write it, so it stays as it is. "
                "Name another folder, or move it away.",
                path=folder / name,
            )
            raise PublishError(text)


def _written(folder: Path) -> list[str]:
    """Return the names of the files and folders that earlier runs of this command wrote."""
    try:
        found = json.loads((folder / RECORD).read_text("utf-8"))
    except (OSError, ValueError):
        return []
    return [name for name in found if name in PARTS.values()] if isinstance(found, list) else []


def _make(part: str, course: Path, target: Path, say: Say) -> list[str]:
    """Write the site, the bundle or the repository; return messages for the instructor."""
    if part == "site":
        own = course / "_toc.yml"
        return write_site(PROJECT, target, say=say, toc=own if own.is_file() else None)
    if part == "repository":
        return repository.write_repository(PROJECT, course, target, say=say)
    bundle.write_bundle(PROJECT, course, target, say=say)
    return []


def _move(made: Path, target: Path) -> Path:
    """Move a complete file or folder to its final place, replacing an older version."""
    if target.is_dir() and not target.is_symlink():
        os.replace(target, made.with_name(f"{made.name}.old"))
    os.replace(made, target)
    return target


def plan(told: argparse.Namespace, pushed: Iterable[tuple[Path, str, str]]) -> Iterator[str]:
    """Yield a line for each file or folder that the command would write, build or push.

    Parameters
    ----------
    told
        The arguments of the command.
    pushed
        The folders to push, each with the address of the repository and the branch; empty without
        the option ``--push``.
    """
    names = assignment_names(told.course)
    check_own(told.folder, told.parts)
    if "bundle" in told.parts:
        for name in bundle.stale(told.course, names):
            yield _("would build the assignment {name}", name=name)
        path, all_names = told.folder / PARTS["bundle"], ", ".join(names)
        yield _("would write {path} with the assignments: {names}", path=path, names=all_names)
    if "repository" in told.parts:
        path = told.folder / PARTS["repository"]
        yield _("would write {path}, the content of the students' repository", path=path)
    if "site" in told.parts:
        yield _("would write {path}, the pages of the book", path=told.folder / PARTS["site"])
    for path, address, branch in pushed:
        yield _("would push {path} to {to}, branch {branch}", path=path, to=address, branch=branch)


def add_parser(commands: Any) -> None:
    """Add the command ``publish`` and its options to the parser of ``dpteach``."""
    about = _("write the site and the student bundle, without solutions")
    parser: argparse.ArgumentParser = commands.add_parser("publish", help=about, description=about)
    about = _("the folder to write to")
    parser.add_argument("folder", type=folder_to_fill, metavar="FOLDER", help=about)
    about = _("write only this part (default: all, the repository if c.Publish.repository is set)")
    parser.add_argument("--only", choices=sorted(PARTS), help=about)
    about = _("push to the students' repository, too: the site to its branch gh-pages")
    parser.add_argument("--push", action="store_true", help=about)
    about = _("say what would be written, and write nothing")
    parser.add_argument("--dry-run", action="store_true", help=about)
    add_course(parser)


def run(told: argparse.Namespace) -> int:
    """Run ``dpteach publish`` with the given arguments, and return its exit code."""

    def say(line: str) -> None:
        print(f"dpteach publish: {line}", flush=True)

    try:
        told.parts = [told.only] if told.only else parts_of(told.course)
        pushed = to_push(told.course, told.folder, told.parts) if told.push else []
        if told.dry_run:
            for line in plan(told, pushed):
                say(line)
            return 0
        for path in publish(told.folder, told.course, parts=told.parts, say=say):
            say(_("wrote {path}", path=path))
        for content, address, branch in pushed:
            repository.push(content.resolve(), address, branch, say=say)
    except (PublishError, BuildError, ValueError, OSError) as error:
        return refusal("publish", error)
    return 0


def to_push(course: Path, folder: Path, parts: Sequence[str]) -> list[tuple[Path, str, str]]:
    """Return the folders to push, each with the address of the repository and the branch.

    Raises
    ------
    PublishError
        If the settings of the course do not name the students' repository.
    """
    found = repository.named(course)
    branches = {"repository": found.branch, "site": repository.PAGES}
    return [(folder / PARTS[p], found.address, branches[p]) for p in parts if p in branches]
