"""``dpteach mine NOTEBOOK``: a released notebook gets the numbers of one student.

The release of an assignment with personal versions carries them in ``versions.json``, where each
student's token finds theirs and nobody else's. `mine` puts those of one student into the texts of a
copy and beside it; nothing that the student wrote is changed. It does nothing to a copy that is
theirs already, so every fetch gives the same.
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
from typing import Any, Final

from dpteach.grading.core.command import refusal
from dpteach.grading.core.harmless import printable, quoted
from dpteach.grading.core.plain import unsqueezed
from dpteach.grading.core.receipt import KEY, kept, name_of, source_of
from dpteach.grading.core.versions import MARK, TOKEN, VERSIONS, Version, entry, with_values
from dpteach.grading.student.runner import SIDECAR
from dpteach.grading.student.validate import ValidateError, notebook_data
from dpteach.grading.submission.repair import checksum, tidy

_DAMAGED: Final = f"the file {VERSIONS} is damaged: get the assignment anew"


class MineError(RuntimeError):
    """The notebook cannot get a student's numbers; the text says why."""


@dataclass(frozen=True)
class Mine:
    """A copy with the numbers of a student.

    Attributes
    ----------
    version
        The student's.
    left
        Cells with text of the student's own, which still hold other numbers.
    """

    version: Version
    left: tuple[str, ...]

    def text(self) -> str:
        """The outcome for a student, in lines."""
        lines = [f"This notebook is your version, {self.version.name}: {self.version.brief()}."]
        if self.left:
            lines.append(
                f"You have written into {', '.join(map(printable, self.left))}, which still hold "
                "other numbers: get the assignment anew in another folder, and copy your answers."
            )
        return "\n".join(lines)


def mine(path: str | Path, token: str | None = None) -> Mine:
    """Puts a student's numbers into a copy of a release.

    Parameters
    ----------
    path
        The notebook; ``checks.json`` and ``versions.json`` lie next to it.
    token
        The student's; by default that of `token_above`.

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
            f"{notebook.name} is the version {quoted(before)}, and yours is {version.name}: get "
            "the assignment anew in another folder"
        )
    left = () if before else _fill(data, table, version, sidecar.get("given", {}))
    try:
        sidecar["checks"] |= unsqueezed(own["checks"])
    except (ValueError, KeyError, TypeError, zlib.error):
        raise MineError(_DAMAGED) from None
    sidecar[MARK] = version.name
    table["versions"] = {entry(str(table["assignment"]), token): own}
    try:
        write_data(notebook.parent / SIDECAR, sidecar)
        write_data(notebook.parent / VERSIONS, table)
        write_data(notebook, data)
    except OSError as error:
        raise MineError(f"{notebook.parent} cannot be written to: {error.strerror}") from None
    return Mine(version, left)


def token_above(folder: Path) -> str:
    """Return the token in the folder of an assignment or in the nearest one above it.

    Raises
    ------
    MineError
        If there is none.
    """
    for place in (folder, *folder.parents):
        with contextlib.suppress(OSError):
            return (place / TOKEN).read_text("utf-8", "replace").strip()
    raise MineError(
        f"this assignment has numbers of each student's own, and yours need the file {TOKEN}: ask "
        f"your instructor for it, put it into {folder.parent}, and try again"
    )


def check_there(folder: Path, token: Callable[[], str]) -> None:
    """Refuses a release that has no version for a student, before anything is copied.

    Parameters
    ----------
    token
        Gives the student's token; it is asked only where there are versions.

    Raises
    ------
    MineError
        As `mine`.
    """
    if (folder / VERSIONS).is_file():
        _own(folder, token())
    elif (folder / SIDECAR).is_file() and _read(folder / SIDECAR).get("personal"):
        raise MineError(_lost(folder))


def _lost(folder: Path) -> str:
    return f"the file {VERSIONS} is missing in {folder}: get the assignment anew"


def _own(folder: Path, token: str) -> tuple[dict[str, Any], dict[str, Any]]:
    """The versions of a release, and the one of a token's student."""
    if not (folder / VERSIONS).is_file():
        raise MineError(_lost(folder))
    table = _read(folder / VERSIONS)
    try:
        own = table["versions"].get(entry(str(table["assignment"]), token))
    except (KeyError, TypeError, AttributeError):
        raise MineError(_DAMAGED) from None
    if own is None:
        raise MineError(
            f"this release has no version for your token: get the assignment anew; if that does "
            f"not help, ask your instructor for your {TOKEN}, and whether you are on the list of "
            "the course"
        )
    return table, own


def _fill(
    data: dict[str, Any], table: Mapping[str, Any], version: Version, given: dict[str, str]
) -> tuple[str, ...]:
    """Writes the values into the cells that nobody has changed; returns the names of the others.

    Those of `given`, the texts of given cells, get their values in any case.
    """
    left = []
    for i, cell in enumerate(data["cells"]):
        template = table["cells"].get(cell.get("id"))
        if template is None:
            continue
        if name_of(cell) in given:
            given[name_of(cell)] = with_values(template, version.values)
        if tidy(source_of(cell)) != tidy(with_values(template, table["without_seed"])):
            left.append(name_of(cell) or f"cell number {i + 1}")
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
        raise MineError(f"the file {file.name} is missing: get the assignment anew") from None
    except (OSError, ValueError):
        pass
    raise MineError(f"the file {file.name} is damaged: get the assignment anew")


def write_data(file: Path, data: Any) -> None:
    """Write JSON data to a file by replacing it, so that no reader finds half of it."""
    part = file.with_name(f".{file.name}.part")
    indent = 1 if file.suffix == ".ipynb" else None
    part.write_text(json.dumps(data, indent=indent, ensure_ascii=False) + "\n", encoding="utf-8")
    os.replace(part, file)


def login() -> str:
    """The name by which nbgrader's *Submit* knows who works here."""
    from nbgrader.utils import get_username

    return str(get_username())


def add_parser(commands: Any) -> None:
    """Adds the command to the parser of ``dpteach``."""
    parser: argparse.ArgumentParser = commands.add_parser(
        "mine", help="put your own numbers into a released notebook"
    )
    parser.add_argument("notebook", type=Path, metavar="NOTEBOOK", help="such as renyi_dp.ipynb")
    parser.add_argument(
        "--token",
        help=f"what your instructor gave you (default: what the file {TOKEN} holds, in the folder "
        "of the notebook or in one above it)",
    )


def run(told: argparse.Namespace) -> int:
    """Runs the command; returns its exit code."""
    try:
        found = mine(told.notebook, told.token)
    except MineError as error:
        return refusal("mine", error)
    print(found.text())
    return int(bool(found.left))
