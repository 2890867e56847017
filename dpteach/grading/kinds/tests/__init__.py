"""Tests that the student writes, judged by the wrong implementations that they reject."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from dpteach._language import N_, catalog
from dpteach.grading.core.observe import VALUE_SECONDS
from dpteach.grading.core.specification import Part
from dpteach.grading.kinds import require
from dpteach.grading.kinds.declaration import NINE_DIGITS, Declaration, Rule, require_rule
from dpteach.grading.kinds.implementations import source_of
from dpteach.grading.kinds.kind import Kind
from dpteach.grading.kinds.tests import judge
from dpteach.grading.kinds.tests.replier import Replier, SuspectData, TestsPart

_, _n = catalog("kinds")


@dataclass(frozen=True)
class Suspect:
    """An implementation that a student's own test must accept if it is right, and otherwise reject.

    Parameters
    ----------
    function
        The implementation: a plain function, no lambda, of ``dpteach`` or of a reference cell (a
        cell that only the checks use). It may use modules, constants and functions of such cells.
    right
        Whether the implementation is right.
    words
        For a wrong implementation, a text that says what is wrong with it, for a student whose
        test accepts it. For a right implementation, a text that says how it works.
    """

    function: Callable[..., Any]
    right: bool = False
    words: str | None = None

    def __post_init__(self) -> None:
        require.function("function", self.function)
        named = getattr(self.function, "__name__", "<>").isidentifier()
        require.that(named, "function", _("must have a name"), self.function)
        require.flag("right", self.right)
        if self.words is not None:
            require.text("words", self.words)


@dataclass(frozen=True, kw_only=True)
class TestsCheck(Declaration):
    """A test that the student writes, judged by the wrong implementations that it rejects.

    The student's function, called the test, gets an implementation as its only argument. The test
    accepts the implementation by returning, and rejects it by raising any error (such as that of an
    ``assert``) or by returning False. A test that accepts all right implementations earns a
    fraction of the points, which is the fraction of the wrong implementations that it rejects. Any
    other test earns nothing. The rejection of a wrong implementation counts only if the test has
    made a call to which the implementation gives a wrong answer.

    Parameters
    ----------
    name, points, call, book
        As for `Check`; `call` is the student's test.
    visible, hidden
        The implementations, each a `Suspect`. Students can read the source of visible
        implementations, except functions of ``dpteach``, and a description of the hidden ones. At
        least one right and one wrong implementation must be visible, and at least three
        implementations must be right. The build fails if the instructor's test accepts a wrong
        implementation or rejects a right one.
    compare
        The rule by which an implementation's answer is compared with the right one.
    """

    __test__: ClassVar[bool] = False  # pytest must not collect this class

    _visible_kinds: ClassVar[tuple[type, ...]] = (Suspect,)
    _hidden_kinds: ClassVar[tuple[type, ...]] = (Suspect,)

    _refused: ClassVar[Mapping[str, str]] = {
        "mistakes": N_("the suspects are these"),
        "builds_on": N_("a test is judged with the student's own functions"),
    }

    compare: Rule = NINE_DIGITS

    def __post_init__(self) -> None:
        super().__post_init__()
        require_rule(self.compare)
        both = {suspect.right for suspect in self.visible} == {True, False}
        words = _("must hold a right and a wrong Suspect at least")
        require.that(both, "visible", words, self.visible)
        everyone = (*self.visible, *self.hidden)
        if sum(suspect.right for suspect in everyone) < 3:
            raise ValueError(_("visible and hidden must hold at least three right ones in all"))
        if self.hidden and all(suspect.right for suspect in self.hidden):
            raise ValueError(_("hidden must hold a wrong Suspect, or none at all"))
        if not all(suspect.right or suspect.words for suspect in everyone):
            raise ValueError(_("words must be given for each wrong Suspect"))


def _part(check: TestsCheck, about: Part[Any], rng: np.random.Generator) -> TestsPart:
    """Return the visible or hidden part of a check, with its implementations in random order."""
    group = list(check.group(about["hidden"]))
    if about["hidden"]:
        # the hidden part includes the visible right implementations, because a test that rejects
        # one of them must earn nothing
        group += [suspect for suspect in check.visible if suspect.right]
    found: list[SuspectData] = []
    for place in rng.permutation(len(group)):
        suspect = group[place]
        entry, text = source_of(suspect.function)
        found.append({"entry": entry, "text": text, "right": suspect.right, "words": suspect.words})
    return {**about, "suspects": found, "compare": check.compare.to_data()}


KIND = Kind(
    name="tests",
    title="write a test",
    minutes=20,
    declaration=TestsCheck,
    words=(Suspect,),
    part=_part,
    judged=judge.judged,
    called=judge.called,
    earning=judge.earning,
    said=judge.said,
    asked=lambda part: {"cases": [{"test": True} for _ in part["suspects"]]},
    seconds=lambda part: 5.0 + VALUE_SECONDS,
    alone=True,
    replier=lambda part, apart: Replier(part, apart=apart),
)
