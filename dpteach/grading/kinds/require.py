"""Checks of single values of a declaration; each error names the field and the bad value."""

from __future__ import annotations

import re
from typing import Final

import numpy as np

from dpteach._check import Domain
from dpteach.grading.core.plain import shown

BELOW_ONE: Final = Domain("in [0, 1)", lambda x: 0 <= x < 1)

_NAME: Final = re.compile(r"[a-z][a-z0-9_]*")


def text(name: str, value: object) -> str:
    """Return a value that must be a string and not blank."""
    if not isinstance(value, str):
        raise TypeError(f"{name} must be a string, got {name}={shown(value)}")
    if not value.strip():
        raise ValueError(f"{name} must not be empty, got {name}={value!r}")
    return value


def label(name: str, value: object, words: str) -> str:
    """Return a name that must be of the form lower_case_2; `words` state this form in the error."""
    found = text(name, value)
    if not _NAME.fullmatch(found):
        raise ValueError(f"{name} must be {words}, got {name}={found!r}")
    return found


def number(name: str, value: object, domain: Domain) -> float:
    """Return a number, which must be in the domain, as a float."""
    if isinstance(value, bool) or not isinstance(value, (int, float, np.integer, np.floating)):
        raise TypeError(f"{name} must be a number {domain.words}, got {name}={shown(value)}")
    if not domain.contains(float(value)):
        raise ValueError(f"{name} must be {domain.words}, got {name}={shown(value)}")
    return float(value)


def integer(name: str, value: object, least: int, most: int | None = None) -> int:
    """Return an integer that must be at least `least`, and at most `most` unless `most` is None."""
    words = f"an integer >= {least}" if most is None else f"an integer in {least}..{most}"
    if isinstance(value, bool) or not isinstance(value, int):
        raise TypeError(f"{name} must be {words}, got {name}={shown(value)}")
    if value < least or (most is not None and value > most):
        raise ValueError(f"{name} must be {words}, got {name}={value}")
    return value


def flag(name: str, value: object) -> None:
    """Refuse a value that is neither True nor False."""
    if not isinstance(value, bool):
        raise TypeError(f"{name} must be True or False, got {name}={shown(value)}")


def function(name: str, value: object) -> None:
    """Refuse a value that cannot be called."""
    if not callable(value):
        raise TypeError(f"{name} must be a function, got {name}={shown(value)}")
