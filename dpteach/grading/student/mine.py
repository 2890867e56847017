"""``dpteach mine NOTEBOOK``, which turns a released notebook into a student's personal version.

In a personal version, the parameters of an assignment have values of the student's own. The release
contains the versions of all students in ``versions.json``, where the key of a version is computed
from the student's token. `mine` writes the values into the texts of a copy of the notebook, and the
checks for these values into the copy's ``checks.json``. It changes no text that the student wrote.
A copy that already is the student's version stays as it is, so a second call changes nothing.
"""

from __future__ import annotations

import argparse
import contextlib
import zlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from dpteach._language import catalog
from dpteach.grading.core.command import refusal
from dpteach.grading.core.harmless import printable, quoted
from dpteach.grading.core.plain import unsqueezed
from dpteach.grading.core.receipt import KEY, kept, name_of, source_of
from dpteach.grading.core.versions import MARK, TOKEN, VERSIONS, Version, entry, with_values
from dpteach.grading.student.files import (
    SIDECAR,
    StudentError,
    damaged,
    notebook_data,
    read_data,
    sidecar,
    write_data,
)
from dpteach.grading.submission.repair import checksum, tidy

_, _n = catalog("student")


@dataclass(frozen=True)
class Mine:
    """The outcome of `mine`, which turns a notebook into a student's personal version.

    Attributes
    ----------
    version
        The version: the student's own values of the assignment's parameters.
    left
        The names of cells that did not get these values, because the student had edited them.
    """

    version: Version
    left: tuple[str, ...]

    def text(self) -> str:
        """Return a text that tells the student the values and which cells did not get them."""
        lines = [
            _(
                "This notebook is your version, {name}: {numbers}.",
                name=self.version.name,
                numbers=self.version.brief(),
            )
        ]
        if self.left:
            lines.append(
                _n(
                    "You changed the cell {names}, so it still has other numbers. Fetch the "
                    "assignment again in another folder, and copy your answers.",
                    "You changed the cells {names}, so they still have other numbers. Fetch the "
                    "assignment again in another folder, and copy your answers.",
                    len(self.left),
                    names=", ".join(map(printable, self.left)),
                )
            )
        return "\n".join(lines)


def mine(path: str | Path, token: str | None = None) -> Mine:
    """Turn a student's copy of an assignment into the student's personal version.

    In this version, the parameters of the assignment have values of the student's own.

    Parameters
    ----------
    path
        The notebook; ``checks.json`` and ``versions.json`` lie next to it.
    token
        The student's token; None to read it from a file in the notebook's folder or above it.

    Raises
    ------
    StudentError
        If there is no version for the token, if the copy is another student's version, or if a
        file is missing.
    """
    notebook = Path(path).resolve()
    token = token or token_above(notebook.parent)
    table, own = _own(notebook.parent, token)
    version = Version(str(own["version"]), dict(own["values"]))
    data, released = notebook_data(notebook), sidecar(notebook.parent)
    before = kept(data, MARK)
    if before not in ("", version.name):
        raise StudentError(
            _(
                "{notebook} is the version {found}, and yours is {own}. Fetch the assignment again "
                "in another folder.",
                notebook=notebook.name,
                found=quoted(before),
                own=version.name,
            )
        )
    left = () if before else _fill(data, table, version, released["given"])
    try:
        released["checks"] |= unsqueezed(own["checks"])
    except (ValueError, KeyError, TypeError, zlib.error):
        raise damaged(VERSIONS) from None
    released[MARK] = version.name
    table["versions"] = {entry(str(table["assignment"]), token): own}
    try:
        write_data(notebook.parent / SIDECAR, released)
        write_data(notebook.parent / VERSIONS, table)
        write_data(notebook, data)
    except OSError as error:
        raise StudentError(
            _(
                "the folder {folder} cannot be written to: {why}",
                folder=notebook.parent,
                why=error.strerror,
            )
        ) from None
    return Mine(version, left)


def token_above(folder: Path) -> str:
    """Return the student's token from a file in a folder or in the nearest folder above it.

    Raises
    ------
    StudentError
        If no folder has a file with a token.
    """
    for place in (folder, *folder.parents):
        with contextlib.suppress(OSError):
            return (place / TOKEN).read_text("utf-8", "replace").strip()
    raise StudentError(
        _(
            "each student has their own numbers in this assignment, and yours need the file "
            "{file}. Ask your instructor for it, put it into {folder}, and try again.",
            file=TOKEN,
            folder=folder.parent,
        )
    )


def check_there(folder: Path, token: Callable[[], str]) -> None:
    """Raise an error if a release has personal versions, but none for the student.

    Parameters
    ----------
    folder
        The folder of the release.
    token
        A function that returns the student's token. It is called only if the release has personal
        versions.

    Raises
    ------
    StudentError
        If there is no version for the token, or a file of the release is missing or damaged.
    """
    if (folder / SIDECAR).is_file() and sidecar(folder).get("personal"):
        _own(folder, token())


def _own(folder: Path, token: str) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return the content of a release's ``versions.json``, and the entry for a token in it."""
    table = read_data(folder / VERSIONS)
    try:
        own = table["versions"].get(entry(str(table["assignment"]), token))
    except (KeyError, TypeError, AttributeError):
        raise damaged(VERSIONS) from None
    if own is None:
        raise StudentError(
            _(
                "this release has no version for your token. Fetch the assignment again. If that "
                "does not help, ask your instructor for your {file}, and whether you are enrolled.",
                file=TOKEN,
            )
        )
    return table, own


def _fill(
    data: dict[str, Any], table: Mapping[str, Any], version: Version, given: dict[str, str]
) -> tuple[str, ...]:
    """Write a version's values into a notebook's cells, except cells that the student edited.

    The names of the edited cells are returned.

    Parameters
    ----------
    data
        The notebook, which is changed.
    table
        The content of ``versions.json``, which has the texts with placeholders for the values.
    given
        The texts of the assignment's locked cells by name. The values are written into these texts,
        too, even if the student edited the cells.
    """
    left = []
    for i, cell in enumerate(data["cells"]):
        template = table["cells"].get(cell.get("id"))
        if template is None:
            continue
        if name_of(cell) in given:
            given[name_of(cell)] = with_values(template, version.values)
        if tidy(source_of(cell)) != tidy(with_values(template, table["without_seed"])):
            left.append(name_of(cell) or _("number {number}", number=i + 1))
            continue
        cell["source"] = with_values(template, version.values)
        told = cell["metadata"].get("nbgrader")
        if told and "checksum" in told:
            told["checksum"] = checksum(cell["cell_type"], cell["source"], told)
    data["metadata"].setdefault(KEY, {})[MARK] = version.name
    return tuple(left)


def login() -> str:
    """Return the user name by which nbgrader's *Submit* identifies the student."""
    from nbgrader.utils import get_username

    return str(get_username())


def add_parser(commands: Any) -> None:
    """Add the command ``mine`` to `commands`, which ``add_subparsers`` of argparse returned."""
    about = _("put your own numbers into a released notebook")
    parser: argparse.ArgumentParser = commands.add_parser("mine", help=about, description=about)
    parser.add_argument(
        "notebook", type=Path, metavar="NOTEBOOK", help=_("a notebook, such as renyi_dp.ipynb")
    )
    parser.add_argument(
        "--token",
        help=_(
            "the token that your instructor gave you (default: the content of the file {file} in "
            "the folder of the notebook or in one above it)",
            file=TOKEN,
        ),
    )


def run(told: argparse.Namespace) -> int:
    """Run ``dpteach mine``, and return its exit code."""
    try:
        found = mine(told.notebook, told.token)
    except StudentError as error:
        return refusal("mine", error)
    print(found.text())
    return int(bool(found.left))
