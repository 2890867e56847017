"""Paragraphs that all assignments share; a text source includes one by ``{{passage NAME}}``.

Each paragraph is a single line, so that errors still name the right lines of the text source.
"""

from __future__ import annotations

import re
from typing import Final

from dpteach.grading.core.reasons import SUBMISSION_SECONDS

#: the paragraphs by name
PASSAGES: Final = {
    "how_it_works": (
        "**How it works.** Replace each `raise NotImplementedError()` with your code. The "
        "docstring says which arguments the function takes, what it returns, and which special "
        "cases matter. The cell below your code runs the visible cases and tells you which results "
        "differ. For the grade, the same checks also run on hidden cases of the same kinds, so "
        "write a general solution instead of treating the visible examples. Given cells, such as "
        "the imports, are restored before grading; put further imports into a cell of your own. "
        "{{minutes}}"
    ),
    "limits": (
        "A function must not change its arguments. It has 10 seconds for each case; an attack has "
        "30 seconds for all secrets together, and a mechanism has 30 seconds for all its outputs. "
        "Each cell may run for 20 seconds, and all cells and cases together for "
        f"{SUBMISSION_SECONDS} seconds of processor time. Printed output is ignored, except that "
        "in a function to be repaired, an added print counts as a changed statement. If you write "
        "a test, it must call the programs that it receives only with arguments in the stated "
        "ranges: outside of them, a correct program may return anything or raise an error, and a "
        "test that rejects a correct program earns nothing."
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
        "Below each function are three hints. Open as many as you like: hints cost no points, and "
        "nobody sees which ones you opened."
    ),
    "hand_in": (
        "Before you submit, choose *Restart Kernel and Run All Cells*, then *Validate*. Both must "
        "finish without errors."
    ),
}

_PLACE = re.compile(r"\{\{passage +(\w*)\}\}")


def with_passages(text: str) -> str:
    """Return a text with paragraphs in place of each ``{{passage NAME}}``.

    Raises
    ------
    ValueError
        If there is no passage with one of the names.

    Examples
    --------
    >>> with_passages("{{passage hints}}")[:17]
    'Below each functi'
    """
    for at in _PLACE.finditer(text):
        if at[1] not in PASSAGES:
            raise ValueError(f"{at[0]}: there is no such passage; there are: {', '.join(PASSAGES)}")
    return _PLACE.sub(lambda at: PASSAGES[at[1]], text)
