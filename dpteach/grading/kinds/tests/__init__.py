"""Tests that the student writes, judged by the wrong implementations that they catch."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar

from dpteach.grading.core.plain import shown
from dpteach.grading.kinds import require
from dpteach.grading.kinds.declaration import NINE_DIGITS, Declaration, Rule, require_rule


@dataclass(frozen=True)
class Suspect:
    """An implementation that a student's test must accept if it is right, else reject.

    Parameters
    ----------
    function
        The implementation: a plain function of a reference cell or of ``dpteach``, no lambda.
        It may use modules, constants and functions of reference cells.
    right
        Whether it is right.
    words
        What is wrong with it, told to a student whose test accepts it; or how a right one is
        made.
    """

    function: Callable[..., Any]
    right: bool = False
    words: str | None = None

    def __post_init__(self) -> None:
        require.function("function", self.function)
        if not getattr(self.function, "__name__", "<>").isidentifier():
            raise ValueError(f"function must have a name, got function={shown(self.function)}")
        if not isinstance(self.right, bool):
            raise TypeError(f"right must be True or False, got right={shown(self.right)}")
        if self.words is not None:
            require.text("words", self.words)


@dataclass(frozen=True, kw_only=True)
class TestsCheck(Declaration):
    """A test that the student writes, judged by the wrong implementations that it catches.

    The student's function gets an implementation as its one argument. It accepts by returning,
    and rejects by any error (an ``assert``) or by returning False. If it accepts all right
    implementations, it earns the share of the wrong ones that it rejects, else nothing. A wrong
    one counts as caught only if the test has asked it something that it answers wrongly.

    Parameters
    ----------
    name, points, call, book
        As for `Check`; `call` is the student's test.
    visible, hidden
        The suspects. The source of visible ones is the student's to read, unless they are
        functions of ``dpteach``; hidden ones are told in words. There must be at least one right
        and one wrong visible one and three right ones in all, and the instructor's test must
        judge all of them right, or the build fails.
    compare
        How far an implementation's answer must be from the right one to be wrong.
    """

    __test__: ClassVar[bool] = False  # pytest: this is no class of tests

    _visible_kinds: ClassVar[tuple[type, ...]] = (Suspect,)
    _hidden_kinds: ClassVar[tuple[type, ...]] = (Suspect,)

    compare: Rule = NINE_DIGITS

    def __post_init__(self) -> None:
        super().__post_init__()
        require_rule(self.compare)
        if self.mistakes:
            raise ValueError("mistakes must not be given in a TestsCheck: the suspects are these")
        if self.builds_on:
            raise ValueError(
                "builds_on must be empty in a TestsCheck: a test is judged with the student's own "
                f"functions, got builds_on={self.builds_on!r}"
            )
        if {suspect.right for suspect in self.visible} != {True, False}:
            raise ValueError("visible must hold a right and a wrong Suspect at least")
        everyone = (*self.visible, *self.hidden)
        if sum(suspect.right for suspect in everyone) < 3:
            raise ValueError("visible and hidden must hold at least three right ones in all")
        if self.hidden and all(suspect.right for suspect in self.hidden):
            raise ValueError("hidden must hold a wrong Suspect, or none at all")
        if not all(suspect.right or suspect.words for suspect in everyone):
            raise ValueError("words must be given for each wrong Suspect")
