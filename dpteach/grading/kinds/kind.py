"""The class `Kind`, which defines how items of one kind are declared, run, judged and explained.

The defaults of `Kind` fit a kind in which a function has one right answer for each case.
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

#: for each case of a check, what is wrong with the answer, or None if the answer is right
Found: TypeAlias = Sequence[Failure | None]

#: For each implementation that a student's own test calls, what its replies in this test prove.
#: False: they do not prove that it is wrong. "differs": it is right, but another right
#: implementation gave another reply to the same call. In the other cases a reply was wrong. It is
#: "between" if each wrong reply is a number between the replies of two right implementations. Of
#: the other wrong replies, the first one decides: "nan" if it contains NaN, and otherwise True.
Witness: TypeAlias = Sequence[bool | str]


class Answering(Protocol):
    """Interface of an object that replies when a student's test calls an implementation."""

    def about(self, number: int) -> AbstractContextManager[None]:
        """Let the implementation with this number answer a test's calls in the ``with`` block."""

    @property
    def witness(self) -> Witness:
        """For each implementation, what its replies so far prove (see `Witness`)."""

    def __call__(self, request: Any, /) -> Any:
        """Return the reply to a request from a student's test; the request may be any JSON data."""


def caught(part: Part[Any]) -> list[bool]:
    """Return for each declared mistake whether it gives a wrong answer to some case of a part."""
    kept = [case["mistakes"] for case in part["cases"]]
    return [any(wrongs[i] is not None for wrongs in kept) for i in range(len(part["messages"]))]


def asked(part: Part[Any], *more: str) -> dict[str, Any]:
    """Return the question for the sandbox: the arguments and the fields `more` of each case.

    The student's code runs in the sandbox, so the question contains no right answer.
    """
    fields = ("args", "kwargs", *more)
    return {"cases": [{key: case[key] for key in fields} for case in part["cases"]]}


def patience(part: Part[Any]) -> float:
    """Return the time limit, in seconds, for a student's function on all cases of a part."""
    return 5.0 + VALUE_SECONDS * len(part["cases"])


def reads(part: Part[Any], case: Call) -> str:
    """Return how a message refers to a case: by its call, or by its description if hidden."""
    if part["hidden"]:
        return _("{call}(...) on a hidden case: {words}", call=part["call"], words=case["words"])
    return f"{part['call']}({', '.join(arguments(case))}){in_words(case)}"


def arguments(case: Call) -> list[str]:
    """Return the texts of a case's arguments as Python code for a call."""
    parts = [shown(decode(arg)) for arg in case["args"]]
    return parts + [f"{key}={shown(decode(arg))}" for key, arg in case["kwargs"].items()]


def in_words(case: Call) -> str:
    """Return the author's description of a case in parentheses, or "" if it has none."""
    return f"   ({case['words']})" if case["words"] else ""


@dataclass(frozen=True, kw_only=True)
class Kind(Generic[DeclarationT, PartT]):
    """Definition of one kind of item, from its declaration to its messages.

    Attributes
    ----------
    name
        The name of the kind's subpackage, which is also the field ``kind`` of a `Part`.
    title
        The name of the kind on the page on assignments.
    minutes
        The minutes that a student gets for an item in addition to reading it; None to compute them
        from its points (`dpteach.grading.author.minutes`).
    declaration, words
        The class of its declarations, and other classes that authors need in these declarations.
    part
        A function of the declaration, of the fields that parts of all kinds have, and of a random
        generator with a seed for this check. It returns the visible or hidden part of the check,
        with the right answers, and raises TypeError or ValueError if the declaration is
        unsuitable.
    judged
        A function of the part, of the outcomes (one for each case, from `outcomes.cleaned`) and of
        a `Witness`. It returns for each case what is wrong with the answer, or None. For hidden
        cases these descriptions contain no numbers.

    caught
        A function of a part that tells for each mistake whether the part distinguishes it from a
        right answer. The build raises an error for a mistake that neither part distinguishes.
    proof
        A function of the declaration, the visible part, and the hidden part or None. It raises a
        ValueError if the check is useless, for example because a constant function passes.
    in_notebook
        A second proof, which examines the instructor's notebook: a function of the part and of the
        names that the notebook defines. It raises a ValueError, too.
    unsolved
        A function of the part that returns a message for the author if the instructor's solution
        does not pass a hidden part.
    slow
        Whether the build needs a long time for the hidden cases. Students with personal versions
        then share the hidden cases that do not depend on their parameters.

    called
        A function of the part and the case. It returns the text that names the case in feedback.
    earning
        A function of the part and of the values of `judged` that returns the earned fraction of the
        points as numerator and denominator. Without it, a part earns all or nothing, except for the
        partial credit that a declaration may give.
    said
        A function of the part, the outcomes and the values of `judged` that returns a comment that
        a student reads even about a right answer; for the hidden part, after submission.
    form_only
        Whether the visible part judges the form of an answer, and not whether it is right.
    so_far
        Whether students are told how many points the visible part earns, as their points so far.

    asked, seconds
        Functions of the part that return the question for the student's process, and its time
        limit.
    alone
        Whether each question needs a new process, which runs only those cells of the notebook that
        the function needs.
    replier
        For students' own tests: a function of the part and of ``apart`` (whether the
        implementations must run in a separate process) that returns an object which replies to a
        test's calls of implementations. Each case of the question is then about one implementation.
    text_alone, seen
        For a judge that also reads the source of the student's function, which is then the field
        ``source`` of the part. `text_alone` is a function of the source and of the function's name
        that returns the code that is run. `seen` is a function of the student's function that
        returns the fields that the notebook adds to the part.
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
    """Return a function for `Kind.judged` that judges each case by itself, by calling `one`."""

    def judged(part: PartT, outcomes: Sequence[Outcome], witness: Witness) -> list[Failure | None]:
        return [one(part, *both) for both in zip(part["cases"], outcomes, strict=True)]

    return judged
