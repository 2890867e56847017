"""Optional sections of an assignment, which are released only if the course asks for them.

A section extends from a text cell that begins with a ``## `` heading to the next such cell. It is
optional if that cell is tagged, ``+++ {"tags": ["optional"]}``. The sections that are always
released, the core, come first; only a closing section of text may follow the optional sections.
`read_source` leaves out sections that are not released, so the notebook, the exam and the feedback
pages do not contain them.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Final

from dpteach._language import catalog

_, _n = catalog("author")

#: the only tag that a cell may have
TAG: Final = "optional"

_HEADING = re.compile(r"(?m)^## ")
#: matches what may name something that another section defines: code (in backquotes or in the HTML
#: element ``code``), a quoted name, or ``{{points NAME}}``
_CODE = re.compile(r"`[^`\n]+`|<code>.*?</code>|\"\w+\"|\{\{points +\w+\}\}")


def optional(cells: Iterable[Any]) -> list[bool]:
    """Return, for each cell of a notebook, whether the cell belongs to an optional section."""
    found, inside = [], False
    for cell in cells:
        if cell.cell_type == "markdown" and cell.source.startswith("## "):
            inside = TAG in cell.metadata.get("tags", ())
        found.append(inside)
    return found


def problems(cells: Sequence[Any]) -> Iterator[tuple[int, str]]:
    """Yield the index of each cell that breaks a rule on optional sections, and a message."""
    flags = optional(cells)
    left_out = [cell for cell, flag in zip(cells, flags, strict=True) if flag]
    core = [cell for cell, flag in zip(cells, flags, strict=True) if not flag]
    names = {name for cell in left_out for name in _names(cell)}
    names -= {name for cell in core for name in _names(cell)}
    for i, (cell, flag) in enumerate(zip(cells, flags, strict=True)):
        tags = cell.metadata.get("tags", [])
        if unknown := [tag for tag in tags if tag != TAG]:
            yield i, _("unknown tag {tag!r}; the only tag is {known!r}", tag=unknown[0], known=TAG)
        elif tags and not (cell.cell_type == "markdown" and cell.source.startswith("## ")):
            yield i, _("a cell tagged {tag!r} must be text that begins with a ## heading", tag=TAG)
        if flag and cell.cell_type == "markdown" and _HEADING.search(cell.source, 1):
            problem = _(
                "an optional section has a second ## heading: begin a new cell above that heading "
                "with +++"
            )
            yield i, problem
        if flag or cell.metadata.get("kind") == "reference":
            continue
        if any(flags[:i]) and (cell.cell_type == "code" or "kind" in cell.metadata):
            yield i, _("a core section is below an optional one: optional sections must come last")
        for name in sorted(names & set(_used(cell))):
            problem = _(
                "the core uses or names {name!r}, which only an optional section defines", name=name
            )
            yield i, problem


def _names(cell: Any) -> Iterator[str]:
    """Yield the names of the items, functions and constants that a cell defines."""
    kind = cell.metadata.get("kind")
    if kind == "manual":
        yield str(cell.metadata.get("name"))
    elif kind == "check":
        yield from re.findall(r"\bname=\"(\w+)\"", cell.source)[:1]
    for node in _statements(cell) if kind in ("given", "solution") else ():
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            yield node.name
        elif isinstance(node, ast.Assign):
            yield from (n.id for t in node.targets for n in ast.walk(t) if isinstance(n, ast.Name))


def _used(cell: Any) -> Iterator[str]:
    """Yield the names that a cell mentions in text, or that its code uses but does not define."""
    yield from (word for mark in _CODE.findall(cell.source) for word in re.findall(r"\w+", mark))
    nodes = [n for node in _statements(cell) for n in ast.walk(node) if isinstance(n, ast.Name)]
    own = {node.id for node in nodes if isinstance(node.ctx, ast.Store)}
    yield from (node.id for node in nodes if node.id not in own)


def _statements(cell: Any) -> list[ast.stmt]:
    """Return the statements of a code cell; [] for a text cell, or if the code is not Python."""
    try:
        return ast.parse(cell.source).body if cell.cell_type == "code" else []
    except SyntaxError:  # `Cell.functions` reports this error
        return []
