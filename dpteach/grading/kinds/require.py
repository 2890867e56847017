"""What a declaration must hold: a function returns the value, or raises an error that names it."""

from __future__ import annotations

import math
import re

import numpy as np

from dpteach.grading.core.plain import shown


def text(name: str, value: object) -> str:
    if not isinstance(value, str):
        raise TypeError(f"{name} must be a string, got {name}={shown(value)}")
    if not value.strip():
        raise ValueError(f"{name} must not be empty, got {name}={value!r}")
    return value


def matching(name: str, value: object, pattern: re.Pattern[str], words: str) -> str:
    found = text(name, value)
    if not pattern.fullmatch(found):
        raise ValueError(f"{name} must be {words}, got {name}={found!r}")
    return found


def number(name: str, value: object, words: str, *, above: float, included: bool) -> float:
    if isinstance(value, bool) or not isinstance(value, (int, float, np.integer, np.floating)):
        raise TypeError(f"{name} must be a number {words}, got {name}={shown(value)}")
    found = float(value)
    if not math.isfinite(found) or found < above or (found == above and not included):
        raise ValueError(f"{name} must be {words}, got {name}={shown(value)}")
    return found


def function(name: str, value: object) -> None:
    if not callable(value):
        raise TypeError(f"{name} must be a function, got {name}={shown(value)}")


def points(value: object) -> float:
    return number("points", value, "finite and > 0", above=0.0, included=False)
