"""Definition of a kind of item: its declaration, proof, questions, judge and messages.

The defaults of `Kind` are those of a function with one right answer for each case.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Any, Generic, Protocol, TypeAlias, TypeVar

import numpy as np

from dpteach._language import catalog
from dpteach.grading.core.observe import VALUE_SECONDS
from dpteach.grading.core.plain import decode, shown
from dpteach.grading.core.specification import Call, Outcome, Part
from dpteach.grading.kinds.declaration import Declaration
from dpteach.grading.kinds.failures import Failure

DeclarationT = TypeVar("DeclarationT", bound=Declaration)
PartT = TypeVar("PartT", bound=Part[Any])
CaseT = TypeVar("CaseT")

_, _n = catalog("kinds")

#: findings of a judge: for each case its failure, or None if the answer is right
Found: TypeAlias = Sequence[Failure | None]

#: for each implementation, whether it gave a student's test a wrong answer (`tests.replier`)
Witness: TypeAlias = Sequence[bool | str]


class Answering(Protocol):
    """Interface of an object that answers a student's test when it calls an implementation."""

    def about(self, number: int) -> AbstractContextManager[None]:
        """Answer the requests within a block as the implementation with this number."""

    @property
    def witness(self) -> Witness:
        """What the requests so far prove about each implementation (for `judging.judge.judge`)."""

    def __call__(self, request: Any, /) -> Any:
        """Return the reply to one request, which may be any JSON."""


def caught(part: Part[Any]) -> list[bool]:
    """Return for each declared mistake whether its answer to some case of the part is wrong."""
    kept = [case["mistakes"] for case in part["cases"]]
    return [any(wrongs[i] is not None for wrongs in kept) for i in range(len(part["messages"]))]


def asked(part: Part[Any], *more: str) -> dict[str, Any]:
    """Return the question about a part: the arguments of each case, and its fields named in `more`.

    The question goes into the sandbox, so it holds no right answer.
    """
    fields = ("args", "kwargs", *more)
    return {"cases": [{key: case[key] for key in fields} for case in part["cases"]]}


def patience(part: Part[Any]) -> float:
    """Return the seconds that the kernel may take for all cases of a part."""
    return 5.0 + VALUE_SECONDS * len(part["cases"])


def reads(part: Part[Any], case: Call) -> str:
    """Return the text that names a case to students: its call, or its words if it is hidden."""
    if part["hidden"]:
        return _("{call}(...) on a hidden case: {words}", call=part["call"], words=case["words"])
    return f"{part['call']}({', '.join(arguments(case))}){in_words(case)}"


def arguments(case: Call) -> list[str]:
    """Return the arguments of a case as they stand in a call."""
    parts = [shown(decode(arg)) for arg in case["args"]]
    return parts + [f"{key}={shown(decode(arg))}" for key, arg in case["kwargs"].items()]


def in_words(case: Call) -> str:
    """Return the words of a visible case in parentheses, which follow its call; or ""."""
    return f"   ({case['words']})" if case["words"] else ""


@dataclass(frozen=True, kw_only=True)
class Kind(Generic[DeclarationT, PartT]):
    """Definition of one kind of item, from its declaration to its messages.

    Attributes
    ----------
    name
        The name of its subpackage, which is also the ``kind`` of its parts.
    title
        Its name on the page on assignments.
    minutes
        The minutes allowed for an item in addition to reading it, or None for an allowance per
        point (`dpteach.grading.author.minutes`).
    declaration, words
        The class of its declarations, and the other classes whose instances a declaration takes.
    part
        A function of the declaration, of the fields that parts of all kinds have, and of a
        generator that belongs to check and exam. It returns the part with the right answers, and
        raises TypeError or ValueError if none can be made of the declaration.
    judged
        A function of the part, of the outcomes (one for each case, from `outcomes.cleaned`) and of
        the witness. It returns what is wrong with each case, or None, and repeats no number of a
        hidden case.

    caught
        A function of a part that tells for each mistake whether the part distinguishes it from a
        right answer; the build refuses a mistake that neither part distinguishes.
    proof
        A function of the declaration, the visible part, and the hidden part or None. It raises a
        ValueError if the check cannot do what it is for, for example because a constant passes.
    in_notebook
        A second proof, for what the check needs in the instructor's notebook: a function of the
        part and of the names that the notebook defines.
    unsolved
        A function of the part that returns what the author is told if the instructor's solution
        does not pass a hidden part.
    slow
        Whether the hidden cases take long to draw. Students then share those that do not depend on
        their own parameters.

    called
        A function of the part and the case that returns how the case reads.
    earning
        A function of the part and of the findings of `judged` that returns the earned share of the
        points as two whole numbers. Without it, a part earns all or nothing, except for the partial
        credit that a declaration may give.
    said
        A function of the part, the outcomes and the findings of `judged` that returns what a
        student is told even about a right answer; for the hidden part, after submission.
    form_only
        Whether the visible part judges the form of an answer, and not whether it is right.
    so_far
        Whether students are told the share that the visible part earns as their points so far.

    asked, seconds
        Functions of the part: what the kernel is asked, and how long it may take.
    alone
        Whether each question is asked in a process of its own, which runs only those cells of the
        notebook that the function needs.
    replier
        A function of the part and of ``apart`` (whether the questions may do harm) that returns an
        object which answers requests; each case of the questions is then about one implementation.
    text_alone, seen
        For a judge that also reads the text of the student's function, as ``source`` of the part: a
        function of that text and of the function's name that returns the text that is run, and a
        function of the student's function that returns what the notebook adds to the part.
    """

    name: str
    title: str
    declaration: type[DeclarationT]
    part: Callable[[DeclarationT, Part[Any], np.random.Generator], PartT]
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
    """Return a function for `Kind.judged` that judges each case by a function of one case."""

    def judged(part: PartT, outcomes: Sequence[Outcome], witness: Witness) -> list[Failure | None]:
        return [one(part, *both) for both in zip(part["cases"], outcomes, strict=True)]

    return judged
