"""``dpteach publish FOLDER``, which writes the site and the student bundle of a course.

The folder then has ``site/``, the pages of the book, ``dpteach-student.zip``, the bundle, and, in a
course with the setting ``c.Publish.repository``, ``repository/``, the content of the students'
repository. All are made completely before they take the place of earlier ones, and nothing that
another program wrote is replaced.
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
from dpteach.publish import bundle, pushing, releases, repository
from dpteach.publish.problem import PublishError, Say
from dpteach.publish.site import write_site

_, _n = catalog("publish")

#: the clone of the repository
PROJECT: Final = Path(__file__).resolve().parents[2]

#: what is written, by the word that `--only` takes
PARTS: Final = {"site": "site", "bundle": f"{bundle.NAME}.zip", "repository": "repository"}

#: how the name of a folder begins in which the parts are made, beside their final places
_DRAFT: Final = ".dpteach-draft-"

#: the file that names what this command wrote in a folder
RECORD: Final = ".dpteach-publish.json"


def publish(folder: Path, course: Path, *, parts: Sequence[str], say: Say) -> list[Path]:
    """Write the site and the student bundle of a course.

    Parameters
    ----------
    folder
        The folder to write to, which need not exist.
    course
        The folder with ``nbgrader_config.py``.
    parts
        What to write, of ``"site"``, ``"bundle"`` and ``"repository"``.
    say
        A function that is called with a line about the progress.

    Returns
    -------
    list of pathlib.Path
        What was written.

    Raises
    ------
    PublishError
        If the folder has a file or folder in their place that this command did not write, or
        something cannot be published.
    """
    course = course_folder(course)
    check_own(folder, parts)
    folder.mkdir(parents=True, exist_ok=True)
    for old in folder.glob(f"{_DRAFT}*"):  # of interrupted runs
        shutil.rmtree(old)
    with TemporaryDirectory(prefix=_DRAFT, dir=folder, ignore_cleanup_errors=True) as name:
        draft = Path(name)
        made = [draft / PARTS[part] for part in parts]
        for part, target in zip(parts, made, strict=True):
            for line in _make(part, course, target, say):
                say(line)
        # from here on an interruption leaves each part either as it was or complete
        written = sorted({*_written(folder), *(path.name for path in made)})
        (draft / RECORD).write_text(json.dumps(written) + "\n", "utf-8")
        os.replace(draft / RECORD, folder / RECORD)
        return [_move(path, folder / path.name) for path in made]


def parts_of(course: Path) -> list[str]:
    """Return what is written of a course unless the command is told otherwise."""
    all_parts = installing.repository(settings_of(course)) is not None
    return [part for part in PARTS if all_parts or part != "repository"]


def check_own(folder: Path, parts: Sequence[str]) -> None:
    """Refuse a folder with something in the place of the parts that this command did not write."""
    for name in (PARTS[part] for part in parts):
        if os.path.lexists(folder / name) and name not in _written(folder):
            text = _(
                "{path} exists, and dpteach publish did not write it, so it stays as it is. "
                "Name another folder, or move it away.",
                path=folder / name,
            )
            raise PublishError(text)


def _written(folder: Path) -> list[str]:
    """Return the names of what this command wrote in a folder before."""
    try:
        found = json.loads((folder / RECORD).read_text("utf-8"))
    except (OSError, ValueError):
        return []
    return [name for name in found if name in PARTS.values()] if isinstance(found, list) else []


def _make(part: str, course: Path, target: Path, say: Say) -> list[str]:
    """Write one part of `PARTS`, and return messages for the instructor about it."""
    if part == "site":
        own = course / "_toc.yml"
        return write_site(PROJECT, target, say=say, toc=own if own.is_file() else None)
    if part == "repository":
        return repository.write_repository(PROJECT, course, target, say=say)
    bundle.write_bundle(PROJECT, course, target, say=say)
    return []


def _move(made: Path, target: Path) -> Path:
    """Put a file or a folder into the place of an earlier one."""
    if target.is_dir() and not target.is_symlink():
        os.replace(target, made.with_name(f"{made.name}.old"))
    os.replace(made, target)
    return target


def plan(told: argparse.Namespace, pushed: Iterable[tuple[Path, str, str]]) -> Iterator[str]:
    """Yield a line for each thing that the command would do."""
    names = assignment_names(told.course)
    check_own(told.folder, told.parts)
    if "bundle" in told.parts:
        for name in releases.stale(told.course, names):
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
    """Add the command to the parser of ``dpteach``."""
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
    """Run the command; return its exit code."""

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
            pushing.push(content.resolve(), address, branch, say=say)
    except (PublishError, BuildError, ValueError, OSError) as error:
        return refusal("publish", error)
    return 0


def to_push(course: Path, folder: Path, parts: Sequence[str]) -> list[tuple[Path, str, str]]:
    """Return what is pushed where: a folder, the address of a repository, and a branch.

    Raises
    ------
    PublishError
        If the course names no repository.
    """
    found = repository.named(course)
    branches = {"repository": found.branch, "site": pushing.PAGES}
    return [(folder / PARTS[p], found.address, branches[p]) for p in parts if p in branches]
