"""The fingerprint of a notebook's cells, which shows whether a file arrived unchanged.

``dpteach hand-in`` stores the fingerprint in the submitted file and shows it to the student, and
the grader computes the fingerprint again. It depends on the texts, names and pictures of the
cells, but not on their outputs or on the file's layout.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Collection, Mapping
from typing import Any, Final

from dpteach._language import catalog
from dpteach.grading.core.harmless import quoted

_, _n = catalog("core")

_TITLE: Final = re.compile(r"(?m)^# +(.+)$")

#: the key in a notebook's metadata under which dpteach keeps its own data
KEY: Final = "dpteach"


def receipt(notebook: Mapping[str, Any]) -> str:
    """Return the SHA-256 of the types, names, texts and pictures of a notebook's cells, in order.

    Parameters
    ----------
    notebook
        JSON data of the notebook format 4.

    Examples
    --------
    >>> cell = {"cell_type": "code", "metadata": {}, "source": ["x = 1\\n", "x"], "outputs": []}
    >>> one, same = {"cells": [cell]}, {"cells": [cell | {"source": "x = 1\\nx"}]}
    >>> receipt(one) == receipt(same), receipt(one) == receipt({"cells": []})
    (True, False)
    """
    whole = hashlib.sha256()
    for cell in notebook["cells"]:
        found = cell if isinstance(cell, dict) else {}
        told = [found.get("cell_type"), name_of(found), source_of(found), found.get("attachments")]
        whole.update(json.dumps(told, sort_keys=True).encode() + b"\n")
    return whole.hexdigest()


def nested(data: object, *keys: str) -> Any:
    """Return the value at a sequence of keys in nested mappings, or None if a key is missing.

    Examples
    --------
    >>> nested({"metadata": {"nbgrader": 3}}, "metadata", "nbgrader", "grade_id") is None
    True
    """
    for key in keys:
        data = data.get(key) if isinstance(data, Mapping) else None
    return data


def name_of(cell: Mapping[str, Any]) -> str:
    """Return the name in a cell's metadata (nbgrader's ``grade_id``), or "" if there is none."""
    name = nested(cell, "metadata", "nbgrader", "grade_id")
    return name if isinstance(name, str) else ""


def role_of(cell: Mapping[str, Any]) -> str:
    """Return the role of a cell in the assignment, according to nbgrader's metadata.

    Returns
    -------
    str
        ``"check"``, ``"solution"``, ``"manual"`` (a question that a person grades), ``"locked"``,
        or "" for any other cell.
    """
    told = nested(cell, "metadata", "nbgrader") or {}
    if told.get("solution"):
        return "manual" if told.get("grade") else "solution"
    return "check" if told.get("grade") else "locked" if told.get("locked") else ""


def source_of(cell: Mapping[str, Any]) -> str:
    """Return the text of a notebook's cell, or "" if it has none."""
    source = cell.get("source")
    lines = source if isinstance(source, list) else [source]
    return "".join(line for line in lines if isinstance(line, str))


def is_foreign(names: Collection[str], wanted: Mapping[str, str]) -> bool:
    """Return whether the names of a notebook's cells show that it is of another assignment.

    The result is True if the notebook has fewer than half of this assignment's solutions, checks
    and answers, and if more of its cells have unknown names than known names.

    Parameters
    ----------
    names
        The names that the notebook's cells have.
    wanted
        The roles of the assignment's named cells, by name. ``locked`` cells, such as the imports,
        do not count, because many assignments share them.

    Examples
    --------
    >>> wanted = {"imports": "locked", "kl": "solution", "kl_values": "check"}
    >>> is_foreign(["imports", "zcdp", ""], wanted), is_foreign(["kl", "zcdp"], wanted)
    (True, False)
    """
    found = set(names) - {""}
    own = {name for name, role in wanted.items() if role != "locked"}
    known = len(found & own)
    return known < len(found - set(wanted)) and 2 * known < len(own)


def another_assignment(notebook: Mapping[str, Any], assignment: str) -> str:
    """Return a message for a student who submitted the notebook of another assignment."""
    name = kept(notebook, "assignment")
    if not name:  # older notebooks do not contain the name of their assignment, so use the title
        cells = notebook.get("cells")
        texts = [source_of(cell) for cell in cells or () if isinstance(cell, dict)]
        heading = _TITLE.search(next((text for text in texts if text.strip()), ""))
        name = heading[1] if heading else ""
    if not name or name == assignment:
        return _(
            "This is not the notebook of `{assignment}`: it has none of its cells, except for "
            "those that all notebooks share. Submit the notebook of this assignment.",
            assignment=assignment,
        )
    return _(
        "This is the notebook of {other}, not of `{assignment}`. Submit the notebook of "
        "`{assignment}`.",
        other=quoted(name),
        assignment=assignment,
    )


def kept(notebook: Mapping[str, Any], what: str) -> str:
    """Return the text that dpteach has stored under the key `what` in the metadata, or ""."""
    found = nested(notebook, "metadata", KEY, what)
    return found if isinstance(found, str) else ""


def label_of(cell: Mapping[str, Any]) -> str:
    """Return the quoted name of a cell, or its first line if it has no name.

    >>> label_of({"source": ["1 / 0\\n", "x = 1"], "metadata": {}})
    '`1 / 0`'
    """
    return quoted(name_of(cell) or next(iter(source_of(cell).strip().splitlines()), ""))
