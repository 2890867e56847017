"""Functions with many right answers: those between two bounds."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from dpteach.grading.kinds import require
from dpteach.grading.kinds.declaration import Declaration, require_share


@dataclass(frozen=True, kw_only=True)
class PropertyCheck(Declaration):
    """A function with many right answers: those between two bounds.

    Parameters
    ----------
    name, points, call, visible, hidden, partial, mistakes, builds_on, book
        As for `Check`.
    at_least, at_most
        Functions of a case's arguments that return the smallest and the largest right answer;
        None for no bound on that side. No single number may be right on all cases, or the build
        fails: it would be full marks for a constant.
    statement
        The property in a sentence: "The conversion is sound: ...".
    slack
        The relative error of the bounds that is forgiven, in [0, 1).

    Examples
    --------
    >>> from dpteach.grading import Case
    >>> PropertyCheck(
    ...     name="rounds_up", points=1, call="up", at_least=lambda x: x, at_most=lambda x: x + 1,
    ...     statement="up(x) is at least x and at most x + 1.",
    ...     visible=[Case(0.5), Case(7.5)], book="renyi_dp#x",
    ... ).slack
    1e-09
    """

    at_least: Callable[..., float] | None = None
    at_most: Callable[..., float] | None = None
    statement: str
    slack: float = 1e-9
    partial: bool = False

    def __post_init__(self) -> None:
        super().__post_init__()
        require_share(self.partial, self.hidden)
        require.text("statement", self.statement)
        if require.number("slack", self.slack, "in [0, 1)", above=0.0, included=True) >= 1:
            raise ValueError(f"slack must be in [0, 1), got slack={self.slack}")
        if self.at_least is None and self.at_most is None:
            raise ValueError("at_least or at_most must be given, got None for both")
        for name, bound in (("at_least", self.at_least), ("at_most", self.at_most)):
            if bound is not None:
                require.function(name, bound)
        if any(case.raises for case in (*self.visible, *self.hidden)):
            raise ValueError("raises must not be given in a PropertyCheck: use a Check for errors")
