"""The kind of item for functions with many right answers: all numbers between two bounds."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, cast

import numpy as np

from dpteach._language import N_, catalog
from dpteach.grading.core.plain import decode, encode
from dpteach.grading.core.specification import Part
from dpteach.grading.kinds import require, values
from dpteach.grading.kinds.comparing import is_nan, within
from dpteach.grading.kinds.declaration import NINE_DIGITS, Case
from dpteach.grading.kinds.kind import Kind, each
from dpteach.grading.kinds.property import judge
from dpteach.grading.kinds.values import Answered

_, _n = catalog("kinds")


@dataclass(frozen=True, kw_only=True)
class PropertyCheck(Answered):
    """Declaration of an item for a function whose right answers are all numbers between bounds.

    Parameters
    ----------
    name, points, call, visible, hidden, partial, mistakes, builds_on, book
        As for `Check`.
    at_least, at_most
        Functions of a case's arguments that return the smallest and the largest right answer, or
        None if there is no bound on that side. The build fails if one number is right for all
        cases, because a constant function would then earn all points.
    statement
        A sentence that states the property, such as "The conversion is sound: ...".
    slack
        The relative error by which an answer may exceed the bounds, in [0, 1).

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

    _refused = {"raises": N_("use a Check for errors")}  # noqa: RUF012

    def __post_init__(self) -> None:
        super().__post_init__()
        require.text("statement", self.statement)
        require.number("slack", self.slack, require.BELOW_ONE)
        if self.at_least is None and self.at_most is None:
            raise ValueError(_("at_least or at_most must be given, got None for both"))
        for name, bound in (("at_least", self.at_least), ("at_most", self.at_most)):
            if bound is not None:
                require.function(name, bound)


def _part(check: PropertyCheck, about: Part[Any], rng: np.random.Generator) -> judge.PropertyPart:
    part: judge.PropertyPart = {
        **about,
        "partial": check.partial,
        "recognise": check.recognise(NINE_DIGITS),
        "statement": check.statement,
        "slack": check.slack,
        "for_nothing": 0,
    }
    part["cases"] = [_case(check, part, case) for case in check.group(about["hidden"])]
    return values.with_constants(part, for_nothing)


def _case(check: PropertyCheck, part: judge.PropertyPart, case: Case) -> judge.PropertyCase:
    bounds = [_bound(check, name, case) for name in ("at_least", "at_most")]
    some = any(within(bound, *bounds, slack=check.slack) for bound in bounds)
    words = _("bounds between which an answer to {case} can lie", case=case)
    require.returned(some, "at_least, at_most", words, bounds)
    at_least, at_most = map(encode, bounds)
    data: judge.PropertyCase = {
        **case.to_data(),
        "at_least": at_least,
        "at_most": at_most,
        "mistakes": [],
    }
    data["mistakes"] = values.wrongs(check, part, data, judge.judge_property)
    return data


def _bound(check: PropertyCheck, name: str, case: Case) -> float | None:
    function = getattr(check, name)
    if function is None:
        return None
    outcome = values.once(function, case.to_data())
    bound = outcome.get("value")
    number = type(bound) in (int, float) and not is_nan(bound)
    require.returned(number, name, _("a bound of the answers to {case}", case=case), outcome)
    return cast("float", bound)


def for_nothing(part: judge.PropertyPart, cases: Sequence[judge.PropertyCase]) -> int:
    """Return the largest number of cases that a constant function passes."""
    bounds = [(decode(case["at_least"]), decode(case["at_most"])) for case in cases]
    # try only the ends of the intervals: if some intervals have a common point, one of their ends
    # is a common point, too
    ends = {x for pair in bounds for x in pair if x is not None}
    counts = (sum(within(x, *pair, slack=part["slack"]) for pair in bounds) for x in ends)
    return values.best_constant(cases, counts)


KIND = Kind(
    name="property",
    title="function",
    declaration=PropertyCheck,
    part=_part,
    judged=each(judge.judge_property),
    proof=values.proof(for_nothing),
)
