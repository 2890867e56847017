"""What every assignment says in the same words, said once: ``{{passage NAME}}`` in a text.

Each is one line, so that the lines of a cell stay those of its file.
"""

from __future__ import annotations

import re
from typing import Final

from dpteach.grading.core.reasons import SUBMISSION_SECONDS

#: by name
PASSAGES: Final = {
    "short_form": (
        "This is the short form of a longer assignment. Its parts keep the numbers that they have "
        "there, so some may be missing, and the book may speak of items that are not here."
    ),
    "how_it_works": (
        "**How it works.** Replace each `raise NotImplementedError()` by your code. The docstring "
        "says what the function gets, what it returns, and which special cases count. The cell "
        "below it runs the visible cases and tells you what differs. When the assignment is "
        "graded, the same checks run on further, hidden cases of the same kinds, so solve the "
        "problem and not the examples. Cells that are given, such as the imports, are put back as "
        "they were: import what else you need in a cell of your own."
    ),
    "limits": (
        "A function must not alter its arguments, and has 10 seconds for each case (an attack 30 "
        "for all its secrets, a mechanism 30 for all its draws). Each cell has 20 seconds when it "
        f"is run. Cells and cases together may take {SUBMISSION_SECONDS} seconds of computing. "
        "What a function prints is not looked at; in a function that is to be repaired a print is "
        "one more statement that differs."
    ),
    "by_hand": (
        "Numbers that you work out by hand are graded after you submit the assignment: each right "
        "number earns an equal share of its item's points. Before that, the check below the "
        "function says whether it can read your numbers, and it recognizes some misconceptions. It "
        "does not say whether a number is right, so a number about which it says nothing may still "
        "be wrong. Digits that you leave out count as zeros: where three digits are asked for, "
        "0.4 is read as 0.400. Try as often as you like."
    ),
    "hints": (
        "Below each function are three hints. Unfold as many as you like: it costs nothing, and "
        "nobody sees it."
    ),
    "hand_in": (
        "Before you hand it in, choose *Restart Kernel and Run All Cells*, then *Validate*: both "
        "must go through without a complaint."
    ),
}

_PLACE = re.compile(r"\{\{passage +(\w*)\}\}")


def with_passages(text: str) -> str:
    """A text with the passages in their places.

    Raises
    ------
    ValueError
        If there is no passage of a name.

    Examples
    --------
    >>> with_passages("{{passage hints}}")[:17]
    'Below each functi'
    """
    for at in _PLACE.finditer(text):
        if at[1] not in PASSAGES:
            raise ValueError(f"{at[0]}: there is no such passage; there are: {', '.join(PASSAGES)}")
    return _PLACE.sub(lambda at: PASSAGES[at[1]], text)
