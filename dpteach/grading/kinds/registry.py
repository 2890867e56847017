"""Registry of all kinds of items: a new kind is a subpackage with a ``KIND``, named in `_NAMES`."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from typing import Any, Final

from dpteach.grading.core.specification import Part
from dpteach.grading.kinds.declaration import Declaration
from dpteach.grading.kinds.kind import Kind

_NAMES: Final = (
    "values",
    "property",
    "random",
    "tests",
    "attack",
    "witness",
    "repair",
    "hand",
    "design",
)

KINDS: Final[Mapping[str, Kind[Any, Any]]] = {
    name: import_module(f"{__package__}.{name}").KIND for name in _NAMES
}

_DECLARED: Final = {kind.declaration: kind for kind in KINDS.values()}


def of_part(part: Part[Any]) -> Kind[Any, Any]:
    """Return the kind of item to which a part (visible or hidden) belongs."""
    return KINDS[part["kind"]]


def of_declaration(check: Declaration) -> Kind[Any, Any]:
    """Return the kind of item that an author's declaration declares."""
    return _DECLARED[type(check)]
