"""What is particular to one kind of check where it is judged; `kinds` has them all.

What a kind leaves out is as for a function with one right answer a case.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Any, Final, Protocol

from dpteach.grading.core.plain import decode, shown
from dpteach.grading.kinds.failures import Failure
from dpteach.grading.kinds.outcomes import repeated

#: a part of a check as data, one of its cases, and what came back for a case
Part = Mapping[str, Any]
Case = Mapping[str, Any]
Outcome = Mapping[str, Any]


class Answering(Protocol):
    """What answers the requests that a test makes while it judges an implementation."""

    def about(self, number: int) -> AbstractContextManager[None]:
        """Let requests be about the suspect of this number."""

    @property
    def witness(self) -> Sequence[bool | str]:
        """What the requests prove, one entry a case; it goes to `judge.judge`."""

    def __call__(self, request: Any, /) -> Any:
        """The reply to a request, whatever it is."""


@dataclass(frozen=True)
class Kind:
    """How a kind of check is asked, judged and worth.

    Attributes
    ----------
    judged
        A function of the part, the outcomes (one a case, from `outcomes.cleaned`) and the witness
        that returns what is wrong with each case, or None. It repeats no number of a hidden case.
    called
        How a case reads: a function of the part and the case, as `reads`.
    earning
        If the part gives a share of the points: a function of the part and of what `judged`
        found that returns the share as two whole numbers. Else it is all or nothing, but for the
        partial credit that a part may give.
    said
        A sentence to whoever is right, too: a function of the part, the outcomes and what
        `judged` found. What it says in the hidden part is told after hand-in.
    asked, seconds
        Functions of the part: what the kernel is asked, and for how long it may take.
    alone
        Whether each question is asked in a process of its own, which knows nothing of the
        notebook but the cells that it needs.
    form_only
        Whether the visible part looks at the form of an answer, and not at whether it is right.
    so_far
        Whether the share that the visible part earns is told as points so far.
    replier
        A function of the part and of ``apart`` (whether what is asked may do harm) that makes
        what answers requests; then each case of the questions is about one suspect.
    """

    judged: Callable[[Part, Sequence[Outcome], Sequence[bool | str]], list[Failure | None]]
    called: Callable[[Part, Case], str] | None = None
    earning: Callable[[Part, Sequence[Failure | None]], tuple[int, int]] | None = None
    said: Callable[[Part, Sequence[Outcome], Sequence[Failure | None]], str] | None = None
    asked: Callable[[Part], dict[str, Any]] | None = None
    seconds: Callable[[Part], float] | None = None
    alone: bool = False
    form_only: bool = False
    so_far: bool = False
    replier: Callable[[Part, bool], Answering] | None = None


def each(
    one: Callable[[Part, Case, Outcome], Failure | None],
) -> Callable[[Part, Sequence[Outcome], Sequence[bool | str]], list[Failure | None]]:
    """A kind's `judged` from what judges one case by itself."""

    def judged(
        part: Part, outcomes: Sequence[Outcome], witness: Sequence[bool | str]
    ) -> list[Failure | None]:
        return [one(part, *both) for both in zip(part["cases"], outcomes, strict=True)]

    return judged


#: what the kernel is told of a case; never what is right
_TOLD: Final = ("args", "kwargs", "calls", "labels", "record", "trials")


def asked(part: Part) -> dict[str, Any]:
    """What the kernel is asked about a part: arguments, seeds and call counts only."""
    found: dict[str, Any] = {"cases": []}
    if "seed" in part:
        found["seed"] = part["seed"]
    for i, case in enumerate(part["cases"]):
        one = {key: case[key] for key in _TOLD if key in case}
        if "calls" in case:
            one["first"], one["second"] = repeated(int(part["seed"]) + i)
        found["cases"].append(one)
    return found


def reads(part: Part, case: Case) -> str:
    """How a case of a function reads: the call, or a hidden case in words."""
    call = str(part["call"])
    if part["hidden"] and not case.get("known"):
        return f"{call}(...) on a hidden case: {case['words']}"
    parts = [shown(decode(arg)) for arg in case["args"]]
    parts += [f"{key}={shown(decode(arg))}" for key, arg in case["kwargs"].items()]
    if "calls" in case:
        parts.append("rng=rng")
    words = f"   ({case['words']})" if case["words"] else ""
    times = f", {case['calls']} times" if "calls" in case else ""
    return f"{call}({', '.join(parts)}){times}{words}"
