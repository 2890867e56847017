"""The releases of a course: which assignments must be built again, and the files of a release."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from dpteach._language import catalog
from dpteach.grading.author.build import build_assignments
from dpteach.grading.author.data import present
from dpteach.grading.author.source import read_source
from dpteach.grading.core.versions import VERSIONS
from dpteach.grading.course.folder import SETTINGS
from dpteach.grading.student.files import SIDECAR
from dpteach.publish.problem import PublishError, Say

_, _n = catalog("publish")

#: the folder of the package dpteach: after a change of its code, each release is outdated
_LIBRARY = Path(__file__).parents[1]


def stale(course: Path, names: Sequence[str]) -> list[str]:
    """Return the assignments whose release is missing or older than a file it is built from."""
    # the Markdown files of the library are templates, whose text a release contains
    files = (*_LIBRARY.rglob("*.py"), *_LIBRARY.rglob("*.md"))
    library = max(path.stat().st_mtime for path in files)
    common = max(library, (course / SETTINGS).stat().st_mtime)
    return [name for name in names if _built_at(course, name) < max(common, _changed(course, name))]


def _built_at(course: Path, name: str) -> float:
    """Return when the older of the two files of a release was written; 0 if a file is missing."""
    files = [course / "release" / name / file for file in (f"{name}.ipynb", SIDECAR)]
    return min(file.stat().st_mtime if file.is_file() else 0.0 for file in files)


def _changed(course: Path, name: str) -> float:
    """Return when the text source of an assignment or one of its data files last changed."""
    text = course / "assignments" / f"{name}.md"
    return max(path.stat().st_mtime for path in (text, *text.with_suffix("").rglob("*")))


def build(course: Path, names: Sequence[str], say: Say) -> None:
    """Build the releases that are missing or outdated, out of those of the named assignments."""
    if wanted := stale(course, names):
        listed = ", ".join(wanted)
        say(_("building assignments that are missing or not up to date: {names}", names=listed))
        build_assignments(course, wanted, say=say)


def released(course: Path, name: str) -> Iterator[tuple[str, Path]]:
    """Yield each file of a release: its path within the folder of the assignment, and its path.

    Raises
    ------
    PublishError
        If the folder of the release has a file that the build did not write there.
    """
    folder = course / "release" / name
    data = read_source(course / "assignments" / f"{name}.md").data
    for path in present(folder):
        if path not in (f"{name}.ipynb", SIDECAR, VERSIONS, *data):
            text = _(
                "{path} is no file of this assignment, so it might hold a solution. Remove it, "
                "or declare it in the header of {name}.md under data:",
                path=folder / path,
                name=name,
            )
            raise PublishError(text)
        yield path, folder / path
