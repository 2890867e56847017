"""Registry of all kinds of items: each subpackage of `kinds` defines one kind as its ``KIND``."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules
from typing import Any, Final

from dpteach.grading.core.specification import Part
from dpteach.grading.kinds.declaration import Declaration
from dpteach.grading.kinds.kind import Kind

KINDS: Final[Mapping[str, Kind[Any, Any]]] = {
    module.name: import_module(f"{__package__}.{module.name}").KIND
    for module in iter_modules([str(Path(__file__).parent)])
    if module.ispkg
}

_DECLARED: Final = {kind.declaration: kind for kind in KINDS.values()}


def of_part(part: Part[Any]) -> Kind[Any, Any]:
    """Return the kind of a check, given its visible or hidden part."""
    return KINDS[part["kind"]]


def of_declaration(check: Declaration) -> Kind[Any, Any]:
    """Return the kind of the item that an author has declared."""
    return _DECLARED[type(check)]
