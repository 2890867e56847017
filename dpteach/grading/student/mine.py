"""``dpteach mine NOTEBOOK``, which fills one student's numbers into a released notebook.

The release of an assignment with personal versions holds them in ``versions.json``, where a
student's token finds only that student's version. `mine` writes its values into the texts of a copy
of the release and into a file beside it, and changes nothing that the student wrote. A copy that
already has the student's numbers stays as it is, so fetching twice changes nothing.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
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
from dpteach.grading.student.runner import SIDECAR
from dpteach.grading.student.validate import ValidateError, notebook_data
from dpteach.grading.submission.repair import checksum, tidy

_, _n = catalog("student")


class MineError(RuntimeError):
    """Error that a notebook cannot get a student's numbers; its text says why."""


def _damaged(name: str) -> MineError:
    """Return an error about a file of the release that cannot be read."""
    return MineError(_("the file {file} is damaged. Fetch the assignment again.", file=name))


@dataclass(frozen=True)
class Mine:
    """A copy of a release with the numbers of one student.

    Attributes
    ----------
    version
        The student's version.
    left
        Cells that the student has edited, which therefore still hold other numbers.
    """

    version: Version
    left: tuple[str, ...]

    def text(self) -> str:
        """Return the outcome as lines of text for the student."""
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
    """Put a student's numbers into a copy of a release.

    Parameters
    ----------
    path
        The notebook; ``checks.json`` and ``versions.json`` lie next to it.
    token
        The student's token; by default that of `token_above`.

    Raises
    ------
    MineError
        If there is no version for the token, the copy is another student's, or a file is missing.
    """
    notebook = Path(path).resolve()
    token = token or token_above(notebook.parent)
    table, own = _own(notebook.parent, token)
    version = Version(str(own["version"]), dict(own["values"]))
    try:
        data = notebook_data(notebook)
        sidecar = _read(notebook.parent / SIDECAR)
    except ValidateError as error:
        raise MineError(str(error)) from None
    before = kept(data, MARK)
    if before not in ("", version.name):
        raise MineError(
            _(
                "{notebook} is the version {found}, and yours is {own}. Fetch the assignment again "
                "in another folder.",
                notebook=notebook.name,
                found=quoted(before),
                own=version.name,
            )
        )
    left = () if before else _fill(data, table, version, sidecar.get("given", {}))
    try:
        sidecar["checks"] |= unsqueezed(own["checks"])
    except (ValueError, KeyError, TypeError, zlib.error):
        raise _damaged(VERSIONS) from None
    sidecar[MARK] = version.name
    table["versions"] = {entry(str(table["assignment"]), token): own}
    try:
        write_data(notebook.parent / SIDECAR, sidecar)
        write_data(notebook.parent / VERSIONS, table)
        write_data(notebook, data)
    except OSError as error:
        raise MineError(
            _(
                "the folder {folder} cannot be written to: {why}",
                folder=notebook.parent,
                why=error.strerror,
            )
        ) from None
    return Mine(version, left)


def token_above(folder: Path) -> str:
    """Return the token in the folder of an assignment or in the nearest one above it.

    Raises
    ------
    MineError
        If there is no token.
    """
    for place in (folder, *folder.parents):
        with contextlib.suppress(OSError):
            return (place / TOKEN).read_text("utf-8", "replace").strip()
    raise MineError(
        _(
            "each student has their own numbers in this assignment, and yours need the file "
            "{file}. Ask your instructor for it, put it into {folder}, and try again.",
            file=TOKEN,
            folder=folder.parent,
        )
    )


def check_there(folder: Path, token: Callable[[], str]) -> None:
    """Refuse a release that has no version for a student, before anything is copied.

    Parameters
    ----------
    token
        Returns the student's token; called only if the release has versions.

    Raises
    ------
    MineError
        As for `mine`.
    """
    if (folder / VERSIONS).is_file():
        _own(folder, token())
    elif (folder / SIDECAR).is_file() and _read(folder / SIDECAR).get("personal"):
        raise MineError(_lost(folder))


def _lost(folder: Path) -> str:
    """Return a message about a release that lacks the file of its versions."""
    return _(
        "the file {file} is missing in {folder}. Fetch the assignment again.",
        file=VERSIONS,
        folder=folder,
    )


def _own(folder: Path, token: str) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return all versions of a release, and the version that belongs to a token."""
    if not (folder / VERSIONS).is_file():
        raise MineError(_lost(folder))
    table = _read(folder / VERSIONS)
    try:
        own = table["versions"].get(entry(str(table["assignment"]), token))
    except (KeyError, TypeError, AttributeError):
        raise _damaged(VERSIONS) from None
    if own is None:
        raise MineError(
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
    """Write the values into cells that the student has not changed; return the names of the others.

    The texts in `given`, which are those of given cells, get their values in any case.
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


def _read(file: Path) -> dict[str, Any]:
    try:
        found = json.loads(file.read_text(encoding="utf-8"))
        if isinstance(found, dict):
            return found
    except FileNotFoundError:
        raise MineError(
            _("the file {file} is missing. Fetch the assignment again.", file=file.name)
        ) from None
    except (OSError, ValueError):
        pass
    raise _damaged(file.name)


def write_data(file: Path, data: Any) -> None:
    """Write JSON data to a file by replacing it, so that no reader finds half of it."""
    part = file.with_name(f".{file.name}.part")
    indent = 1 if file.suffix == ".ipynb" else None
    part.write_text(json.dumps(data, indent=indent, ensure_ascii=False) + "\n", encoding="utf-8")
    os.replace(part, file)


def login() -> str:
    """Return the user name under which nbgrader's *Submit* knows the student."""
    from nbgrader.utils import get_username

    return str(get_username())


def add_parser(commands: Any) -> None:
    """Add the command to the parser of ``dpteach``."""
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
    """Run the command; return its exit code."""
    try:
        found = mine(told.notebook, told.token)
    except MineError as error:
        return refusal("mine", error)
    print(found.text())
    return int(bool(found.left))
