"""What a kind of item consists of: declaration, proof, questions, judge and what is told.

Where a kind leaves something out it is as for a function with one right answer for each case.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Any, Generic, Protocol, TypeAlias, TypeVar

import numpy as np

from dpteach.grading.core.observe import VALUE_SECONDS
from dpteach.grading.core.plain import decode, shown
from dpteach.grading.core.specification import About, Call, Outcome, Part
from dpteach.grading.kinds.declaration import Declaration
from dpteach.grading.kinds.failures import Failure

DeclarationT = TypeVar("DeclarationT", bound=Declaration)
PartT = TypeVar("PartT", bound=Part[Any])
CaseT = TypeVar("CaseT")

#: what the judge found: for each case what is wrong with it, or None
Found: TypeAlias = Sequence[Failure | None]

#: what the requests of a student's test prove, one entry for each implementation
Witness: TypeAlias = Sequence[bool | str]


class Answering(Protocol):
    """What answers the requests that a test makes while it judges an implementation."""

    def about(self, number: int) -> AbstractContextManager[None]:
        """Let requests be about the suspect of this number."""

    @property
    def witness(self) -> Witness:
        """What the requests prove, one entry a case; it goes to `judging.judge.judge`."""

    def __call__(self, request: Any, /) -> Any:
        """Return the reply to a request, whatever it is."""


def caught(part: Part[Any]) -> list[bool]:
    """Return for each declared mistake whether some case tells it from the right answer."""
    kept = [case["mistakes"] for case in part["cases"]]
    return [any(wrongs[i] is not None for wrongs in kept) for i in range(len(part["messages"]))]


def asked(part: Part[Any], *more: str) -> dict[str, Any]:
    """Return what the kernel is asked about a part: arguments, and `more` of each case.

    Never what is right.
    """
    told = ("args", "kwargs", *more)
    return {"cases": [{key: case[key] for key in told} for case in part["cases"]]}


def patience(part: Part[Any]) -> float:
    """Return the seconds after which nobody can still be answering honestly."""
    return 5.0 + VALUE_SECONDS * len(part["cases"])


def reads(part: Part[Any], case: Call) -> str:
    """Return how a case of a function reads: the call, or a hidden case in words."""
    if part["hidden"]:
        return f"{part['call']}(...) on a hidden case: {case['words']}"
    return f"{part['call']}({', '.join(arguments(case))}){in_words(case)}"


def arguments(case: Call) -> list[str]:
    """Return the arguments of a case as they stand in a call."""
    parts = [shown(decode(arg)) for arg in case["args"]]
    return parts + [f"{key}={shown(decode(arg))}" for key, arg in case["kwargs"].items()]


def in_words(case: Call) -> str:
    """Return what a visible case is about, to stand behind its call."""
    return f"   ({case['words']})" if case["words"] else ""


@dataclass(frozen=True, kw_only=True)
class Kind(Generic[DeclarationT, PartT]):
    """A kind of item.

    Attributes
    ----------
    name
        The word ``kind`` of its parts, and the name of its subpackage.
    title
        What the page on assignments calls it.
    minutes
        The allowance for an item, beside the time to read it; None: an allowance per point
        (`dpteach.grading.author.minutes`).
    declaration, words
        What an author writes: the check, and other classes that it takes.
    part
        A function of the declaration, of what a part of each kind holds and of a generator that
        belongs to check and exam; it returns the part with the right answers, or raises
        TypeError or ValueError if the declaration is no check.
    judged
        A function of the part, the outcomes (one a case, from `outcomes.cleaned`) and the witness
        that returns what is wrong with each case, or None. It repeats no number of a hidden case.

    caught
        A function of a part that says of each mistake whether the part tells it from what is
        right; the build refuses a mistake that neither part tells.
    proof
        Refuses a check that is none, by a ValueError: a function of declaration, visible part and
        hidden part or None.
    in_notebook
        The same for what else must be in the instructor's notebook: a function of the part and of
        the names there.
    unsolved
        What the author is told if the instructor's solution does not pass a hidden part.
    slow
        Whether an exam takes long to draw, so that students share hidden cases which do not depend
        on their own parameters.

    called
        How a case reads: a function of the part and the case.
    earning
        If the part gives a share of the points: a function of the part and of what `judged`
        found that returns the share as two whole numbers. Else it is all or nothing, but for the
        partial credit that a part may give.
    said
        A sentence to whoever is right, too: a function of the part, the outcomes and what
        `judged` found. What it says in the hidden part is told after hand-in.
    form_only
        Whether the visible part looks at the form of an answer, and not at whether it is right.
    so_far
        Whether the share that the visible part earns is told as points so far.

    asked, seconds
        Functions of the part: what the kernel is asked, and for how long it may take.
    alone
        Whether each question is asked in a process of its own, which knows nothing of the
        notebook but the cells that it needs.
    replier
        A function of the part and of ``apart`` (whether what is asked may do harm) that makes
        what answers requests; then each case of the questions is about one suspect.
    text_alone, seen
        If the judge reads the text of the student's function, too, as ``source`` of the part: a
        function of that text and of the function's name that returns the text that runs, and one
        of the function that returns what the student's notebook adds to the part.
    """

    name: str
    title: str
    declaration: type[DeclarationT]
    part: Callable[[DeclarationT, About[Any], np.random.Generator], PartT]
    judged: Callable[[PartT, Sequence[Outcome], Witness], list[Failure | None]]
    words: tuple[type, ...] = ()
    minutes: float | None = None

    caught: Callable[[PartT], list[bool]] = caught
    proof: Callable[[DeclarationT, PartT, PartT | None], None] | None = None
    in_notebook: Callable[[PartT, Mapping[str, Any]], None] | None = None
    unsolved: Callable[[PartT], str] | None = None
    slow: bool = False

    called: Callable[[PartT, Any], str] = reads
    earning: Callable[[PartT, Found], tuple[int, int]] | None = None
    said: Callable[[PartT, Sequence[Outcome], Found], str] | None = None
    form_only: bool = False
    so_far: bool = False

    asked: Callable[[PartT], dict[str, Any]] = asked
    seconds: Callable[[PartT], float] = patience
    alone: bool = False
    replier: Callable[[PartT, bool], Answering] | None = None
    text_alone: Callable[[str, str], str] | None = None
    seen: Callable[[Callable[..., Any]], dict[str, Any]] | None = None


def each(
    one: Callable[[PartT, Any, Outcome], Failure | None],
) -> Callable[[PartT, Sequence[Outcome], Witness], list[Failure | None]]:
    """Return a kind's `judged` from what judges one case by itself."""

    def judged(part: PartT, outcomes: Sequence[Outcome], witness: Witness) -> list[Failure | None]:
        return [one(part, *both) for both in zip(part["cases"], outcomes, strict=True)]

    return judged
