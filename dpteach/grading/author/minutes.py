"""An estimate of the minutes that an assignment and each of its items take.

The estimate for an item is the time to read its statement and docstrings, plus an allowance for its
kind or its points, rounded. The estimate for an assignment is the sum over its items, plus a few
minutes to get started. The allowances are fitted to the authors' estimates for single items; no
class has been timed. ``book/assignments.md`` tells instructors how the estimate is computed.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

from dpteach._language import catalog
from dpteach.grading.kinds.declaration import Declaration
from dpteach.grading.kinds.registry import of_declaration

if TYPE_CHECKING:
    from dpteach.grading.author.source import AssignmentSource, Cell

_, _n = catalog("author")

#: the speed of reading that the estimate assumes
WORDS_PER_MINUTE: Final = 130
#: the allowance in minutes for answering a question that a person grades, including the
#: experiments whose results it asks for
WRITTEN: Final = 28
#: the allowance in minutes per point of an item whose kind has no allowance of its own
PER_POINT: Final = 6
#: the minutes to get started with an assignment
START: Final = 5
#: the estimate for an item is rounded to a multiple of this number of minutes
ROUNDING: Final = 5

_NOT_READ = re.compile(r"<details>.*?</details>|```.*?```", re.DOTALL)


def minutes(assignment: AssignmentSource, checks: Mapping[int, Declaration]) -> dict[str, int]:
    """Return the minutes that each item is expected to take, by name, in order.

    Parameters
    ----------
    checks
        The checks by the index of their cell, as `read_checks` returns them.
    """
    found: dict[str, int] = {}
    words, in_section = 0, False
    for i, cell in enumerate(assignment.templates().cells):
        in_section |= cell.cell_type == "markdown" and bool(re.search(r"(?m)^## ", cell.source))
        words += _words(cell) if in_section else 0
        if i in checks:
            own = of_declaration(checks[i]).minutes
            allowance = PER_POINT * checks[i].points if own is None else own
            name = checks[i].name
        elif cell.kind == "manual":
            allowance, name = WRITTEN, cell.name
        else:
            continue
        estimate = words / WORDS_PER_MINUTE + allowance
        found[name] = max(ROUNDING, ROUNDING * round(estimate / ROUNDING))
        words = 0
    return found


def total(of_items: Mapping[str, int]) -> int:
    """Return the estimated minutes of an assignment, given the minutes of its items.

    >>> total({"kl_values": 15, "kl_on_paper": 10})
    30
    """
    return START + sum(of_items.values())


def sentence(of_items: Mapping[str, int]) -> str:
    """Return the sentences that tell students how long the assignment takes."""
    return _(
        "Plan about {total} minutes for the whole assignment. Each item states its own time: "
        "{speed} words per minute for reading its statement, plus an allowance for its kind; "
        "{start} minutes to get started are added. The time of a question that a person grades "
        "includes running the experiments that it asks about. The times are estimated, not "
        "measured.",
        total=total(of_items),
        speed=WORDS_PER_MINUTE,
        start=START,
    )


def _words(cell: Cell) -> int:
    """Return the number of words that a student reads in a cell, as text or as docstrings."""
    if cell.cell_type == "markdown":
        text = _NOT_READ.sub("", cell.without("SCHEME", "RUBRIC", "SOLUTION"))
    elif cell.kind == "solution":
        text = " ".join(re.findall(r'"""(.*?)"""', cell.without("SOLUTION"), re.DOTALL))
    else:
        text = ""
    return len(text.split())
