"""Checks of single fields of an item's declaration; errors state the field's name and its value."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable
from typing import Any, Final

import numpy as np

from dpteach._check import Domain
from dpteach._language import catalog
from dpteach.grading.core.plain import shown
from dpteach.grading.core.reasons import enumerated

_, _n = catalog("kinds")

BELOW_ONE: Final = Domain("in [0, 1)", lambda x: 0 <= x < 1)

_NAME: Final = re.compile(r"[a-z][a-z0-9_]*")


def that(
    holds: object, name: str, words: str, value: object, error: type[Exception] = ValueError
) -> None:
    """Raise an error about the field `name` unless `holds`; the text `words` begins with "must"."""
    if not holds:
        got = shown(value)
        raise error(_("{name} {words}, got {name}={value}", name=name, words=words, value=got))


def returned(
    holds: object, name: str, words: str, value: object, error: type[Exception] = ValueError
) -> None:
    """Raise an error that the function `name` must return `words`, unless `holds` is true."""
    if not holds:
        got = shown(value)
        raise error(_("{name} must return {words}, got {value}", name=name, words=words, value=got))


def text(name: str, value: Any) -> str:
    """Return a field's value; raise an error if it is not a string or is blank."""
    that(isinstance(value, str), name, _("must be a string"), value, TypeError)
    that(value.strip(), name, _("must not be empty"), value)
    return str(value)


def label(name: str, value: object, words: str) -> str:
    """Return a field's value; raise an error with `words` if it is not of the form lower_case_2."""
    found = text(name, value)
    that(_NAME.fullmatch(found), name, words, found)
    return found


def within(domain: Domain) -> str:
    """Return a clause for an error about a number that is outside of its domain."""
    return _("must be {domain}", domain=domain.words)


def number(name: str, value: Any, domain: Domain) -> float:
    """Return a field's value as a float; raise an error if it is not a number in the domain."""
    real = isinstance(value, (int, float, np.integer, np.floating)) and not isinstance(value, bool)
    that(real, name, _("must be a number {domain}", domain=domain.words), value, TypeError)
    that(domain.contains(float(value)), name, within(domain), value)
    return float(value)


def integer(name: str, value: Any, least: int, most: float = math.inf) -> int:
    """Return a field's value; raise an error if it is not an integer from `least` to `most`."""
    words = _("must be an integer >= {least}", least=least)
    if most < math.inf:
        words = _("must be an integer in {least}..{most}", least=least, most=most)
    that(isinstance(value, int) and not isinstance(value, bool), name, words, value, TypeError)
    that(least <= value <= most, name, words, value)
    return int(value)


def flag(name: str, value: object) -> None:
    """Raise an error if a field's value is neither True nor False."""
    that(isinstance(value, bool), name, _("must be True or False"), value, TypeError)


def function(name: str, value: object) -> None:
    """Raise an error if a field's value cannot be called."""
    that(callable(value), name, _("must be a function"), value, TypeError)


def items(name: str, values: Iterable[object], *kinds: type) -> None:
    """Raise an error if a field has an item that is not an instance of one of `kinds`."""
    names = enumerated([f"{kind.__name__}(...)" for kind in kinds])
    words = _("must hold {names} only", names=names)
    for value in values:
        that(isinstance(value, kinds), name, words, value, TypeError)
