"""The files in the folder of a student's notebook: reading, checking and replacing them."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any, Final

from dpteach._language import catalog, is_chosen, languages

_, _n = catalog("student")

#: the name of the file with the visible cases of an assignment's checks, next to the notebook
SIDECAR: Final = "checks.json"


class StudentError(RuntimeError):
    """Error for a command that cannot do its work; the message tells the student what to do."""


def damaged(name: str) -> StudentError:
    """Return an error about a damaged file of the release, such as ``checks.json``."""
    return StudentError(_("the file {file} is damaged. Fetch the assignment again.", file=name))


def read_data(file: Path) -> dict[str, Any]:
    """Return the JSON data in a file of the release.

    Raises
    ------
    StudentError
        If the file is missing or damaged.
    """
    try:
        found = json.loads(file.read_text(encoding="utf-8"))
    except FileNotFoundError:
        text = _(
            "the file {file} is missing in {folder}. Fetch the assignment again.",
            file=file.name,
            folder=file.absolute().parent,
        )
        raise StudentError(text) from None
    except (OSError, ValueError, RecursionError):
        found = None
    if not isinstance(found, dict):
        raise damaged(file.name)
    return found


def sidecar(folder: Path) -> dict[str, Any]:
    """Return the data in the ``checks.json`` of a folder.

    Returns
    -------
    dict
        ``checks`` has the visible part of each check, ``cells`` the role of each of the
        assignment's cells, and ``given`` the texts of locked cells with code, all by name. The dict
        can also have the keys ``assignment``, ``language``, ``personal`` and ``version``.

    Raises
    ------
    StudentError
        If the file is missing or damaged.
    """
    found = read_data(folder / SIDECAR)
    checks = found.get("checks")
    parts = list(checks.values()) if isinstance(checks, dict) else [None]
    tables = [found.setdefault("cells", {}), found.setdefault("given", {}), *parts]
    if not all(isinstance(one, dict) for one in tables):
        raise damaged(SIDECAR)
    return found


def released_language(folder: Path) -> str | None:
    """Return the language that ``checks.json`` names for messages in the student's notebook.

    Returns
    -------
    str or None
        None if the file is missing or names no language, if this package has no translation into
        that language, or if the environment variable ``DPTEACH_LANGUAGE`` is set.
    """
    if is_chosen():
        return None
    try:
        found = read_data(folder / SIDECAR).get("language")
    except StudentError:
        return None
    return found if found in languages() else None


def notebook_data(notebook: Path) -> dict[str, Any]:
    """Return a notebook as JSON data.

    Raises
    ------
    StudentError
        If there is no such notebook, or it cannot be read.
    """
    name = notebook.name
    if notebook.is_dir():
        raise StudentError(
            _("notebook must be a file, and {name} is a folder. Name the file in it.", name=name)
        )
    if not notebook.is_file():
        raise StudentError(_("notebook must be a file, and {name} does not exist.", name=name))
    try:
        found = json.loads(notebook.read_bytes())
    except OSError as error:
        raise unreadable(name, str(error.strerror)) from None
    except (ValueError, RecursionError):
        raise unreadable(name, _("it does not contain JSON, as notebooks do")) from None
    if not isinstance(found, dict) or not {"cells", "worksheets"} & set(found):
        raise unreadable(name, _("it contains JSON, but no cells"))
    return found


def unreadable(name: str, why: str) -> StudentError:
    """Return an error about a file that is no readable notebook, with the reason `why`."""
    return StudentError(_("{name} is not a notebook that can be read: {why}", name=name, why=why))


def write_data(file: Path, data: Any) -> None:
    """Write JSON data by replacing a file, so that no program reads only a part of the data."""
    part, is_notebook = file.with_name(f".{file.name}.part"), file.suffix == ".ipynb"
    # a student's text may hold characters that UTF-8 cannot encode, so escape it
    text = json.dumps(data, indent=1 if is_notebook else None, ensure_ascii=is_notebook)
    part.write_text(f"{text}\n", encoding="utf-8")
    os.replace(part, file)
