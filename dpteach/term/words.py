"""How the commands of a term read numbers, and tell values before and after and points of time."""

from __future__ import annotations

import argparse
import math
from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Final

from dpteach._language import N_, catalog

_, _n = catalog("term")

#: the most students that a command names with what changes for them
MOST_LINES: Final = 20


def number(least: float, most: float) -> Callable[[str], float]:
    """Return a converter for argparse that refuses all but numbers in a range.

    >>> number(0, 10)("2.5")
    2.5
    """

    def convert(text: str) -> float:
        try:
            found = float(text)
        except ValueError:
            found = math.nan
        if least <= found <= most:
            return found
        told = N_("must be a number in {low:g}..{top:g}, got {text!r}")
        raise argparse.ArgumentTypeError(_(told, low=least, top=most, text=text))

    return convert


def change(what: str, before: object, after: object) -> str:
    """Return the line about a change, with the values before and after.

    Examples
    --------
    >>> change("anna", 1, 2)
    'anna: 1 -> 2'
    """
    return _("{what}: {before} -> {after}", what=what, before=before, after=after)


def shortened(lines: Sequence[str]) -> list[str]:
    """Return lines about students, the first ones and how many more there are."""
    rest = len(lines) - MOST_LINES
    more = [_n("and {count} more student", "and {count} more students", rest)] if rest > 0 else []
    return [*lines[:MOST_LINES], *more]


def instant(time: datetime | None) -> str:
    """Return a time in UTC as people write it.

    Examples
    --------
    >>> instant(datetime(2026, 12, 5, 20)), instant(None)
    ('2026-12-05 20:00 UTC', 'no date')
    """
    return _("no date") if time is None else f"{time:%Y-%m-%d %H:%M} UTC"
