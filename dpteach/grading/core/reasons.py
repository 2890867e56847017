"""Why an item could not be judged, or a cell was ended: in the words of all who are told.

What else a student reads: what is wrong with an answer (`kinds.failures`) and why probably (the
author's mistakes, found by `judging.judge`), what was mended in a submission (its notices, in
`submission` and `classroom.session`). `pages.feedback` puts it together.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

#: of computing, for all cells and cases of a submission together
SUBMISSION_SECONDS: Final = 60


@dataclass(frozen=True)
class Reason:
    """One reason, in the words of all who are told.

    Attributes
    ----------
    clause
        In the notebook, after "the cell was ended:" or "not judged:".
    what, todo
        On the student's page: what happened, what to do about it.
    trouble
        On the instructor's page; "" if it is nothing to look into.
    """

    clause: str
    what: str
    todo: str
    trouble: str = ""


#: by the words that a result has for them (`core.result.ItemResult.reason`)
REASONS: Final[Mapping[str, Reason]] = {
    "died": Reason(
        "the kernel ended: a call of exit, or a crash in a library",
        "Python ended while this item was graded.",
        "Something in the code ends the process: a call of exit(), a crash inside a library, or "
        "recursion without an end. Restart the kernel, run all cells, and look for the cell "
        "after which the kernel is gone.",
        "the kernel died",
    ),
    "time": Reason(
        "it took too long: a loop without end, or far more work than is needed",
        "The time for this item was over before there was an answer.",
        "Look for a loop whose condition never turns false, and for work that grows faster than "
        "the input. The visible cases should take well under a second each.",
        "time was over",
    ),
    "spent": Reason(
        "all cells and cases together used up the time for a submission",
        "All your cells and cases together used up the time for a submission before there was an "
        "answer.",
        f"Together they may take {SUBMISSION_SECONDS} seconds of computing. Look for what takes "
        "long, here or in another cell: a loop whose condition never turns false, far more "
        "repetitions than are needed, and an attack or a test that takes seconds a case.",
        "the time for the submission was over",
    ),
    "memory": Reason(
        "it needed more memory than there is",
        "The code asked for more memory than there is for one submission.",
        "Look for an array or a list that grows with a number, as range(10**9) made into a list, "
        "where a formula or a generator would do.",
        "too much memory",
    ),
    "output": Reason(
        "it printed far too much",
        "The code printed more than is kept.",
        "Take out print calls inside loops: what is printed earns no points.",
        "too much output",
    ),
    "broken": Reason(
        "the kernel gave no answer that can be read",
        "The connection to the code was lost or answered nonsense.",
        "Usually code that replaces parts of Python or of the notebook does this. Define the "
        "functions that are asked for, and leave sys, builtins and IPython as they are.",
        "the connection broke",
    ),
    "missing": Reason(
        "there is no such function",
        "The function that this item asks for is not there when the notebook has run.",
        "Is it still defined, under the same name, in its cell? Does an earlier cell raise an "
        "error? Choose Restart Kernel and Run All Cells and look.",
        "the function is missing",
    ),
    "unanswered": Reason(
        "there is no answer",
        "There is no answer in this cell.",
        "Part of an argument earns part of the points: write down what you have.",
    ),
}


def reason(name: str) -> Reason:
    """The reason of this name; words that are always true for one that nobody knows.

    Examples
    --------
    >>> reason("time").trouble, reason("moonlight").clause
    ('time was over', 'moonlight')
    """
    return REASONS.get(name) or Reason(
        name,
        "This item could not be judged.",
        "Choose Restart Kernel and Run All Cells. If all is well there, tell your instructor.",
    )


def credited(score: float, points: float, given: Sequence[str]) -> str:
    """That an item has its points because it is right when earlier items are.

    Examples
    --------
    >>> credited(2, 2, ["kl_values"])
    'right, given a right `kl_values`: credited. Mend `kl_values`.'
    """
    names = " and ".join(f"`{name}`" for name in given)
    right = "right" if score == points else "partly right"
    return f"{right}, given a right {names}: credited. Mend {names}."


#: by these words of a verdict the pages know a function that was left as it was released
NOT_WRITTEN: Final = "is not written yet"

#: and a student's own test that earns nothing, whatever else it accepts
REJECTS_RIGHT: Final = "Your test rejects a right implementation"

#: what comes back from a function that is not
NOTHING_YET: Final = "nothing yet: NotImplementedError"

#: begins what is expected of a hidden case, where that gives no number away
IN_WORDS: Final = "in words: "

#: and a call that was ended because it took too long
LATE: Final = "nothing within"
