"""An exam: everything that grading a submission needs, as bytes that can be sent to a worker.

`make_exam` draws the hidden inputs from a seed and computes what the right answers are, with
`dpteach`, where the instructor's text source is. A worker needs neither the text source nor the
reference; the sandbox gets `questions`, which hold arguments and nothing else.
"""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from fractions import Fraction
from functools import cached_property
from pathlib import Path
from typing import Any

from dpteach.grading._outcomes import repeated
from dpteach.grading.judge import Verdict
from dpteach.grading.observe import RANDOM_SECONDS, VALUE_SECONDS
from dpteach.grading.plain import shown
from dpteach.grading.suspects import Replier


@dataclass(frozen=True)
class Item:
    """One item of an exam.

    Attributes
    ----------
    name, kind, points, book
        As in `dpteach.grading.result.ItemResult`.
    call
        The student's function; "" for a manual item.
    visible, hidden
        The two parts of the check as data, or None.
    """

    name: str
    kind: str
    points: float
    book: str
    call: str = ""
    visible: dict[str, Any] | None = None
    hidden: dict[str, Any] | None = None

    @cached_property
    def key(self) -> str:
        """Fingerprint of the item, seed and right answers included."""
        return hashlib.sha256(json.dumps(asdict(self), sort_keys=True).encode()).hexdigest()


@dataclass(frozen=True)
class Exam:
    """An assignment, ready to be graded.

    Attributes
    ----------
    assignment
        Its name.
    seed
        From which the hidden inputs were drawn.
    notebook
        The instructor's notebook as JSON text.
    items
        In the assignment's order.
    """

    assignment: str
    seed: int
    notebook: str
    items: tuple[Item, ...]

    @property
    def instructor(self) -> str:
        """SHA-256 of the instructor's notebook."""
        return hashlib.sha256(self.notebook.encode()).hexdigest()

    @property
    def key(self) -> str:
        """Fingerprint of the whole."""
        return hashlib.sha256(self.to_bytes()).hexdigest()

    def to_bytes(self) -> bytes:
        """The exam as JSON."""
        return json.dumps(asdict(self), sort_keys=True).encode()

    @classmethod
    def from_bytes(cls, data: bytes) -> Exam:
        """The exam that `to_bytes` wrote."""
        found = json.loads(data)
        found["items"] = tuple(Item(**item) for item in found["items"])
        return cls(**found)


def make_exam(path: str | Path, seed: int) -> Exam:
    """Draws an exam: the hidden inputs from the seed, the right and the mistaken answers to them.

    Parameters
    ----------
    path
        The text source of the assignment.
    seed
        An integer >= 0. The same text source and seed give the same exam.

    Raises
    ------
    FileNotFoundError
        If there is no such text source.
    dpteach.grading.source.SourceError
        If the text source is not right, or what was drawn is no exam: the reference fails, a
        mistake is not caught, or the instructor's solution does not pass.
    TypeError, ValueError
        If the seed is no such integer.
    """
    from dpteach.grading.build import notebook_text, proved, read_checks
    from dpteach.grading.source import read_source

    if isinstance(seed, bool) or not isinstance(seed, int):
        raise TypeError(f"seed must be an integer >= 0, got seed={shown(seed)}")
    if seed < 0:
        raise ValueError(f"seed must be an integer >= 0, got seed={seed}")
    assignment = read_source(path)
    checks = read_checks(assignment)
    parts = proved(assignment, checks, [seed])
    items = []
    for i, cell in enumerate(assignment.cells):
        if i in checks:
            check, (visible, hidden) = checks[i], parts[i]
            about = (check.name, "check", float(check.points), check.book, check.call)
            items.append(Item(*about, visible=visible, hidden=hidden))
        elif cell.kind == "manual":
            items.append(Item(cell.name, "manual", cell.points, ""))
    return Exam(assignment.name, seed, notebook_text(assignment, checks), tuple(items))


def questions(part: Mapping[str, Any]) -> dict[str, Any]:
    """What the kernel is asked about one part of a check: arguments, seeds and call counts only.

    Parameters
    ----------
    part
        The visible or the hidden part as data.

    Returns
    -------
    dict
        What `dpteach.grading.observe.observe` takes.

    Examples
    --------
    >>> part = {"kind": "values", "cases": [{"args": [2], "kwargs": {}, "expected": 4}]}
    >>> questions(part)
    {'cases': [{'args': [2], 'kwargs': {}}]}
    """
    if part["kind"] == "tests":
        return {"suspects": len(part["suspects"])}
    asked: dict[str, Any] = {"cases": []}
    if "seed" in part:
        asked["seed"] = part["seed"]
    for i, case in enumerate(part["cases"]):
        one = {key: case[key] for key in ("args", "kwargs", "calls", "labels") if key in case}
        if "calls" in case:
            one["first"], one["second"] = repeated(int(part["seed"]) + i)
        asked["cases"].append(one)
    return asked


def patience(part: Mapping[str, Any]) -> float:
    """Seconds after which no kernel can still be answering the questions of a part honestly.

    Examples
    --------
    >>> patience({"kind": "values", "cases": [{}, {}]})
    25.0
    """
    if part["kind"] == "tests":
        return 5.0 + VALUE_SECONDS * len(part["suspects"])
    return 5.0 + sum(RANDOM_SECONDS if "calls" in c else VALUE_SECONDS for c in part["cases"])


def replier(part: Mapping[str, Any]) -> Replier | None:
    """What answers the requests that the kernel sends while it is asked about a part.

    Parameters
    ----------
    part
        The visible or the hidden part as data.

    Returns
    -------
    Replier or None
        None if the kernel has nothing to request. Its ``witness`` goes to
        `dpteach.grading.judge.judge`.
    """
    return Replier(part) if part["kind"] == "tests" else None


def credit(item: Item, visible: Verdict | None, hidden: Verdict | None) -> float:
    """The points of an item.

    All or nothing, over both parts; but for a check with partial credit, and for a student's own
    test, the share that the hidden part earns (the visible one if nothing is hidden).

    Parameters
    ----------
    item
        The item.
    visible, hidden
        The verdicts; None if a part was not judged, which earns nothing if the item has it.

    Returns
    -------
    float
        Between 0 and the item's points, rounded down to 0.01.
    """
    if visible is None or (item.hidden is not None and hidden is None):
        return 0.0
    part = item.visible if item.hidden is None else item.hidden
    assert part is not None
    if part["kind"] == "tests" or part.get("partial"):
        last = visible if hidden is None else hidden
        share = Fraction(last.earned, last.of)
    else:
        share = Fraction(int(visible.passed and (hidden is None or hidden.passed)))
    if share == 1:
        return item.points
    return math.floor(Fraction(str(item.points)) * share * 100) / 100
