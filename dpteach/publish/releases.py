"""The released assignments of a course: whether they are up to date, and which files they have."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from dpteach._language import catalog
from dpteach.grading.author.build import build_assignments
from dpteach.grading.author.data import present
from dpteach.grading.author.source import read_source
from dpteach.grading.core.versions import VERSIONS
from dpteach.grading.course.folder import SETTINGS
from dpteach.grading.student.runner import SIDECAR
from dpteach.publish.problem import PublishError, Say

_, _n = catalog("publish")

#: the library, from which the build takes the kinds of checks
_LIBRARY = Path(__file__).parents[1]


def stale(course: Path, names: Sequence[str]) -> list[str]:
    """Return which assignments have no release that is newer than all that it is built from."""
    library = max(path.stat().st_mtime for path in _LIBRARY.rglob("*.py"))
    common = max(library, (course / SETTINGS).stat().st_mtime)
    return [name for name in names if _built_at(course, name) < max(common, _changed(course, name))]


def _built_at(course: Path, name: str) -> float:
    """Return when the older of a release's two files was written; 0 if one is missing."""
    files = [course / "release" / name / file for file in (f"{name}.ipynb", SIDECAR)]
    return min(file.stat().st_mtime if file.is_file() else 0.0 for file in files)


def _changed(course: Path, name: str) -> float:
    """Return when the text of an assignment or its data were changed."""
    text = course / "assignments" / f"{name}.md"
    return max(path.stat().st_mtime for path in (text, *text.with_suffix("").rglob("*")))


def build(course: Path, names: Sequence[str], say: Say) -> None:
    """Build the release of those assignments whose release is missing or stale."""
    if wanted := stale(course, names):
        listed = ", ".join(wanted)
        say(_("building assignments that are missing or not up to date: {names}", names=listed))
        build_assignments(course, wanted, say=say)


def released(course: Path, name: str) -> Iterator[tuple[str, Path]]:
    """Yield the files of a release by their path in the folder of the assignment.

    Raises
    ------
    PublishError
        If the folder has a file that the build does not put there.
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
