"""Functions with which the commands of a term read numbers, and show changes, lists and times."""

from __future__ import annotations

import argparse
import contextlib
from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Final

from dpteach._language import N_, catalog

_, _n = catalog("term")

#: the most lines that a command prints if it prints one line for each student
MOST_LINES: Final = 20


def number(least: float, most: float) -> Callable[[str], float]:
    """Return a function with which argparse reads a number between two bounds.

    >>> number(0, 10)("2.5")
    2.5
    """

    def convert(text: str) -> float:
        with contextlib.suppress(ValueError):
            if least <= (found := float(text)) <= most:
                return found
        told = N_("must be a number in {low:g}..{top:g}, got {text!r}")
        raise argparse.ArgumentTypeError(_(told, low=least, top=most, text=text))

    return convert


def change(what: str, before: object, after: object) -> str:
    """Return a line with the name of a changed value, and the value before and after.

    Examples
    --------
    >>> change("anna", 1, 2)
    'anna: 1 -> 2'
    """
    return _("{what}: {before} -> {after}", what=what, before=before, after=after)


def shortened(lines: Sequence[str]) -> list[str]:
    """Return the first `MOST_LINES` lines, one per student, and a line that counts the others."""
    rest = len(lines) - MOST_LINES
    more = [_n("and {count} more student", "and {count} more students", rest)] if rest > 0 else []
    return [*lines[:MOST_LINES], *more]


def instant(time: datetime | None) -> str:
    """Return a time in UTC as text, such as 2026-12-05 20:00 UTC; "no date" for None.

    Examples
    --------
    >>> instant(datetime(2026, 12, 5, 20)), instant(None)
    ('2026-12-05 20:00 UTC', 'no date')
    """
    return _("no date") if time is None else f"{time:%Y-%m-%d %H:%M} UTC"
