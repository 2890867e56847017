"""Reasons why an item could not be judged or a cell was ended, for students and instructors.

Messages about wrong answers are in `dpteach.grading.kinds.failures`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import astuple, dataclass
from typing import Final

from dpteach._language import N_, catalog

_, _n = catalog("core")

#: the limit on the computing time of all cells and checks of a submission together, in seconds
SUBMISSION_SECONDS: Final = 60


@dataclass(frozen=True)
class Reason:
    """The texts, for students and instructors, about a reason why an item could not be judged.

    Attributes
    ----------
    clause
        The text in the notebook, after "the cell was ended:" or "not judged:".
    what, todo
        The sentences on the student's page: what happened, and what to do about it.
    trouble
        The text on the instructor's page; "" if the instructor need not do anything.
    """

    clause: str
    what: str
    todo: str
    trouble: str = ""


#: the reasons why an item could not be judged, in English, by their names in a result
#: (`core.result.ItemResult.reason`)
REASONS: Final[Mapping[str, Reason]] = {
    "died": Reason(
        N_("the kernel ended: the code called exit, or a library crashed"),
        N_("Python ended while this item was graded, so it earns no points."),
        N_(
            "Something in the code ends the process: a call of exit(), a crash inside a library, "
            "or recursion without an end. Restart the kernel, run the cells one by one, and look "
            "for the cell after which the kernel is gone."
        ),
        N_("the kernel died"),
    ),
    "time": Reason(
        N_("it took too long: a loop without an end, or far more work than is needed"),
        N_("The time for this item ran out before your function returned an answer."),
        N_(
            "Look for a loop whose condition never becomes false, and for work that grows faster "
            "than the input. The visible cases should take well under a second each."
        ),
        N_("the time ran out"),
    ),
    "spent": Reason(
        N_("all cells and cases together used up the time for a submission"),
        N_(
            "All your cells and cases together used up the time for a submission before this item "
            "was answered."
        ),
        N_(
            "Together they may take {seconds} seconds of computing. Look here and in the other "
            "cells for what takes long: a loop whose condition never becomes false, far more "
            "repetitions than are needed, or an attack or a test that takes seconds per case."
        ),
        N_("the time for the submission ran out"),
    ),
    "memory": Reason(
        N_("it needed more memory than a submission may use"),
        N_("The code asked for more memory than a submission may use."),
        N_(
            "Look for an array or a list whose length grows with a number, such as "
            "list(range(10**9)). A formula or a generator needs no such memory."
        ),
        N_("too much memory"),
    ),
    "output": Reason(
        N_("it printed far too much"),
        N_("The code printed more than the grader keeps."),
        N_("Remove print calls from loops: printed text earns no points."),
        N_("too much output"),
    ),
    "broken": Reason(
        N_("the kernel gave no answer that the grader can read"),
        N_("The connection to your code was lost, or its answers could not be read."),
        N_(
            "Usually the cause is code that replaces parts of Python or of the notebook. Define "
            "the functions that the items ask for, and leave sys, builtins and IPython unchanged."
        ),
        N_("the connection broke"),
    ),
    "missing": Reason(
        N_("the function does not exist"),
        N_("The function that this item asks for does not exist after the notebook has run."),
        N_(
            "Check that its cell still defines it under the same name, and that no earlier cell "
            "raises an error. Choose Restart Kernel and Run All Cells to see what happens."
        ),
        N_("the function is missing"),
    ),
    "unanswered": Reason(
        N_("there is no answer"),
        N_("There is no answer in this cell."),
        N_("Part of an argument earns part of the points, so write down what you have."),
    ),
}


def reason_of(name: str) -> Reason:
    """Return the texts, in the current language, about a reason why an item could not be judged.

    For an unknown name of a reason, for example from another release, the function returns general
    texts that fit any reason.

    Examples
    --------
    >>> reason_of("time").trouble, reason_of("moonlight").clause
    ('the time ran out', 'moonlight')
    """
    told = REASONS.get(name)
    if told is None:
        return Reason(
            name,
            _("This item could not be judged."),
            _("Choose Restart Kernel and Run All Cells. If that works, tell your instructor."),
        )
    return Reason(*(_(text, seconds=SUBMISSION_SECONDS) for text in astuple(told)))


def credited(score: float, points: float, prerequisites: Sequence[str]) -> str:
    """Return a message for an item that is (partly) right except for mistakes in earlier items.

    Examples
    --------
    >>> credited(2, 2, ["kl_values"])
    'right, if `kl_values` were right: it gets its points. Correct `kl_values`.'
    """
    names = enumerated([f"`{name}`" for name in prerequisites])
    if score == points:
        return _("right, if {names} were right: it gets its points. Correct {names}.", names=names)
    return _(
        "partly right, if {names} were right: it gets part of its points. Correct {names}.",
        names=names,
    )


def enumerated(words: Sequence[str]) -> str:
    """Join words with commas and a final "and".

    >>> enumerated(["a"]), enumerated(["a", "b", "c"])
    ('a', 'a, b and c')
    """
    if len(words) < 2:
        return "".join(words)
    return _("{first} and {last}", first=", ".join(words[:-1]), last=words[-1])


#: codes that identify a failure, whatever the language of its message
#: (`kinds.failures.Failure.code`): a function that the student has not written, a call that was
#: ended because it took too long, a student's own test that earns nothing because it rejects a
#: right implementation, and a function that uses an undefined name
UNWRITTEN: Final = "unwritten"
TOOK_TOO_LONG: Final = "took_too_long"
UNFAIR: Final = "unfair"
NAMELESS: Final = "nameless"
