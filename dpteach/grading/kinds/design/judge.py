"""The verdict on a design: whether it satisfies the target guarantee, and how large its error is.

The student submits plain data. The instructor's function makes a mechanism of these data, and the
library's accountant computes the mechanism's privacy guarantee, so no code of the student takes
part. The accountant returns a lower and an upper bound on the mechanism's epsilon, and the target
is satisfied if the upper bound is small enough. The accountant runs in a separate process with a
time limit. If the guarantee is still unknown at this limit, or NaN, the target does not count as
satisfied, and the student reads this reason.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Any, Final, NotRequired, TypedDict

from dpteach._language import catalog
from dpteach.grading.core.plain import decode, encode, shown
from dpteach.grading.core.specification import Call, Compare, Outcome, Part
from dpteach.grading.kinds import failures
from dpteach.grading.kinds.comparing import close
from dpteach.grading.kinds.failures import Failure
from dpteach.grading.kinds.implementations import Implementations, allow, load
from dpteach.grading.kinds.kind import Found, reads

_, _n = catalog("kinds")

#: relative error by which a design's epsilon may exceed the target's, because both are floats with
#: rounding errors
SLACK: Final = 1e-6

#: time limit, in seconds, for computing the privacy guarantee of a student's design
ACCOUNTANT_SECONDS: Final = 30.0


class Mechanism(TypedDict):
    """A mechanism of a design check: the name and source of its function, and its entries.

    ``entries`` has the names of the numbers that a design with this mechanism must contain.
    """

    entry: str
    text: str
    entries: list[str]


class DesignCase(Call):
    """A case of a design check, with its privacy target (epsilon, delta) and its steps.

    A step is a pair: points, and the largest error with which a design earns these points.
    ``known`` tells whether the case is visible. ``ceiling`` states the least possible error and
    the errors of typical designs, for students after submission. ``mistakes`` has, as JSON data,
    the designs of typical mistakes that the author declared; None replaces a design that earns all
    points in this case.
    """

    record: bool
    target: list[float]
    steps: list[list[float]]
    known: bool
    mistakes: list[Any]
    ceiling: NotRequired[str]


class DesignPart(Part[DesignCase]):
    """The visible or the hidden part of a design check."""

    measure: str
    guarantee: str
    between: list[float]
    mechanisms: dict[str, Mechanism]
    recognise: list[Compare]


@dataclass(frozen=True)
class Standing:
    """The guarantee, the error and the points of a design on a case.

    Attributes
    ----------
    epsilon
        An upper bound on the design's epsilon at the target's delta. It is infinite if the design
        has no guarantee, and NaN if the accountant did not find the guarantee.
    met
        Whether the design satisfies the target guarantee.
    error
        The error of the design, such as the standard deviation of its noise.
    points
        The points that the design earns.
    """

    epsilon: float
    met: bool
    error: float
    points: float


def standing(
    part: DesignPart, case: DesignCase, design: Mapping[str, Any], *, limited: bool = False
) -> Standing:
    """Return the privacy guarantee, error and points of a well-formed design on a case.

    Parameters
    ----------
    design
        The entries of the design, including the name of the mechanism.
    limited
        Whether the time for computing the guarantee is limited, so that it may remain unknown.
    """
    mechanism = part["mechanisms"][design["mechanism"]]
    numbers = {name: design[name] for name in mechanism["entries"]}
    asked = json.dumps([case["args"], case["kwargs"], encode(numbers)])
    epsilon, delta = case["target"]
    work = _soon if limited else worked_out
    found, error = work(mechanism["entry"], mechanism["text"], asked, delta)
    met = found <= epsilon * (1 + SLACK)  # False if `found` is NaN
    reached = [points for points, at_most in case["steps"] if error <= at_most]
    return Standing(found, met, error, max(reached, default=0.0) if met else 0.0)


@lru_cache(maxsize=4096)
def worked_out(entry: str, text: str, asked: str, delta: float) -> tuple[float, float]:
    """Return epsilon and the error of a design; both are infinite if it has no privacy guarantee.

    Parameters
    ----------
    entry, text
        The name and the source of the mechanism's function
        (`dpteach.grading.kinds.implementations.source_of`).
    asked
        JSON text with the case's arguments, its keyword arguments and the design's entries.
    delta
        The delta of the target.
    """
    try:
        args, kwargs, numbers = json.loads(asked)
        released, error = _loaded(entry, text)(
            *decode(args), **decode({"dict": kwargs}), **decode(numbers)
        )
        found = released.epsilon_at(delta)
        return float(getattr(found, "upper", found)), float(error)
    except (ValueError, ArithmeticError):  # the design has no guarantee
        return math.inf, math.inf


@lru_cache(maxsize=4096)
def _soon(entry: str, text: str, asked: str, delta: float) -> tuple[float, float]:
    """Compute a design's epsilon and error in another process; return NaNs if this fails."""
    process = Implementations.of([(f"{__name__}.with_more_time", "")])
    reply = process.call(0, [entry, text, asked, delta], {})
    epsilon, error = decode(reply["value"]) if "value" in reply else (math.nan, math.nan)
    return epsilon, error


def with_more_time(entry: str, text: str, asked: str, delta: float) -> tuple[float, float]:
    """Raise the time limit of this process, and return the epsilon and the error of a design."""
    allow(ACCOUNTANT_SECONDS)
    return worked_out(entry, text, asked, delta)


_loaded = lru_cache(maxsize=64)(load)


def form_note(part: DesignPart, value: object) -> str:
    """Return a hint for the student about a malformed design, or "" if it has the right form."""
    mechanisms = part["mechanisms"]
    ordered = sorted(mechanisms)  # the JSON data do not keep the author's order
    if not isinstance(value, dict):
        entries = "".join(f', "{entry}": ...' for entry in mechanisms[ordered[0]]["entries"])
        example = f'{{"mechanism": "{ordered[0]}"{entries}}}'
        return _("Return a dict such as `{example}`.", example=example)
    chosen = value.get("mechanism")
    if not isinstance(chosen, str) or chosen not in mechanisms:
        names = _(" or ").join(f'"{name}"' for name in ordered)
        return _('The entry "mechanism" must be {names}.', names=names)
    wanted = mechanisms[chosen]["entries"]
    if set(value) != {"mechanism", *wanted}:
        entries = ", ".join(f'"{entry}"' for entry in ("mechanism", *wanted))
        return _(
            'A design with the mechanism "{name}" must have exactly the entries {entries}.',
            name=chosen,
            entries=entries,
        )
    least, most = part["between"]
    for entry in wanted:
        if type(value[entry]) not in (int, float) or not least <= value[entry] <= most:
            return _(
                'The entry "{entry}" must be a number from {least:g} to {most:g}.',
                entry=entry,
                least=least,
                most=most,
            )
    return ""


def reads_design(part: DesignPart, case: DesignCase) -> str:
    """Return the text that names a case in feedback, with arguments if the case is visible."""
    own: DesignPart = {**part, "hidden": not case["known"]}
    return reads(own, case)


def judge_design(part: DesignPart, case: DesignCase, outcome: Outcome) -> Failure | None:
    """Return what is wrong with a design on a case, or None if the design earns all points."""
    hidden = part["hidden"]
    known = not hidden or case["known"]
    expected = _expected(part, case) if known else failures.not_shown()
    failure = failures.unanswered(part, outcome, expected)
    if failure is not None:
        return failure
    design = outcome["value"]
    note = form_note(part, design)
    if note:
        return Failure(_("no design") if hidden else shown(design), expected, note)
    found = standing(part, case, design, limited=True)
    top = part["points"]
    if found.points >= top:
        return None
    rules = part["recognise"]
    mistakes = failures.recognised(case, lambda i, wrong: _alike(design, decode(wrong), rules[i]))
    if hidden:  # do not show the design, as it could contain the hidden case's arguments
        if found.met:
            returned = _("a design that keeps the target")
        elif math.isnan(found.epsilon):
            returned = _("a design whose guarantee is unknown")
        else:
            returned = _("a design that does not keep the target")
    else:
        facts = _facts(part, case, found)
        facts = _("the target is kept: {facts}", facts=facts) if found.met else facts
        returned = f"{shown(design)}: {facts}"
    if found.met and hidden and case["known"]:
        fallback = ""  # students see the case in the visible part, too, with this advice
    elif found.met:
        better = "" if hidden else _next_step(case, found)
        # for a case without arguments, `better` itself asks for a smaller error
        if not better or not _alone(case):
            smaller = _("There is a design with a smaller {measure}.", measure=part["measure"])
            better = f"{smaller} {better}".rstrip()
        earns = _(
            "This design earns {points:g} of {total:g} points.", points=found.points, total=top
        )
        fallback = " ".join(
            filter(None, [earns, "" if hidden else _spare(part, case, found), better])
        )
    elif math.isnan(found.epsilon):
        fallback = _(
            "This design earns nothing as long as its guarantee is unknown. Submit another design, "
            "or ask your instructor."
        )
    else:
        fallback = _(
            "A design that does not keep the target earns nothing, however small the {measure} is.",
            measure=part["measure"],
        )
    worth = Fraction(str(found.points)) / Fraction(str(top))
    return Failure(
        returned, expected, mistakes=mistakes, fallback=fallback, worth=worth, open=known
    )


def _spare(part: DesignPart, case: DesignCase, found: Standing) -> str:
    """Return a hint to reduce the noise if epsilon is clearly below the target's, otherwise ""."""
    target = case["target"][0]
    if found.epsilon > 0.99 * target:
        return ""
    return _(
        "Its {guarantee} is only {found:.4g}, below the target {target:g}, so the noise can be "
        "reduced.",
        guarantee=part["guarantee"] or _("exact epsilon"),
        found=found.epsilon,
        target=target,
    )


def _next_step(case: DesignCase, found: Standing) -> str:
    """Return a sentence on how many points a design with a smaller error would earn.

    The sentence states the error that is needed only if the case has arguments.
    """
    worth, at_most = min(step for step in case["steps"] if step[0] > found.points)
    lower = 100 * (1 - at_most / found.error)
    if _alone(case):
        return _n(
            "The next step, {count:g} point, requires a smaller error.",
            "The next step, {count:g} points, requires a smaller error.",
            worth,
        )
    return _n(
        "The next step, {count:g} point, begins {lower:.1f} % lower, at {at_most:.4g}.",
        "The next step, {count:g} points, begins {lower:.1f} % lower, at {at_most:.4g}.",
        worth,
        lower=lower,
        at_most=_rounded_down(at_most),
    )


def _alone(case: DesignCase) -> bool:
    """Return whether a case has no arguments.

    Visible feedback then does not state which errors earn points, because a student could copy
    such a number into the design instead of computing one.
    """
    return not case["args"] and not case["kwargs"]


def _alike(design: Mapping[str, Any], wrong: Mapping[str, Any], rule: Compare) -> bool:
    """Return whether a design is close to the design of a declared mistake."""
    numbers = set(wrong) - {"mechanism"}
    return bool(design["mechanism"] == wrong["mechanism"]) and all(
        close(design[name], wrong[name], **rule) for name in numbers
    )


def _facts(part: DesignPart, case: DesignCase, found: Standing) -> str:
    """Return a clause for feedback on the privacy guarantee and the error of a design."""
    epsilon, delta = case["target"]
    named = part["guarantee"]
    if not found.met and math.isinf(found.epsilon):
        if named:
            return _("its {guarantee} is inf", guarantee=named)
        return _("at delta = {delta:g} it guarantees no epsilon", delta=delta)
    if math.isnan(found.epsilon):
        return _(
            "the accountant did not find its guarantee within {seconds:g} seconds of computing",
            seconds=ACCOUNTANT_SECONDS,
        )
    text = _apart(found.epsilon, epsilon) if not found.met else f"{found.epsilon:.4g}"
    measure, error = part["measure"], found.error
    if named:
        return _(
            "its {guarantee} is {epsilon}, {measure} {error:.4g}",
            guarantee=named,
            epsilon=text,
            measure=measure,
            error=error,
        )
    return _(
        "its epsilon is {epsilon} at delta = {delta:g}, {measure} {error:.4g}",
        epsilon=text,
        delta=delta,
        measure=measure,
        error=error,
    )


def _apart(number: float, other: float) -> str:
    """Return a number as a text, with enough digits to show that it differs from another number."""
    texts = [f"{number:.{digits}g}" for digits in range(4, 17)]
    return next((text for text in texts if float(text) != other), texts[-1])


def _rounded_down(number: float) -> float:
    """Return a positive number rounded down to four digits, so that feedback does not overstate it.

    >>> _rounded_down(34.1379), _rounded_down(50.0)
    (34.13, 50.0)
    """
    unit = 10.0 ** (3 - math.floor(math.log10(number)))
    return math.floor(number * unit * (1 + 1e-12)) / unit


def _expected(part: DesignPart, case: DesignCase) -> str:
    epsilon, delta = case["target"]
    if part["guarantee"]:
        target = _("{guarantee} at most {epsilon:g}", guarantee=part["guarantee"], epsilon=epsilon)
    else:
        target = _("epsilon at most {epsilon:g} at delta = {delta:g}", epsilon=epsilon, delta=delta)
    if _alone(case) and not part["hidden"]:
        return _(
            "{target}; then points by the {measure}, in the steps of the text",
            target=target,
            measure=part["measure"],
        )
    steps = ", ".join(
        _("{points:g} up to {at_most:.4g}", points=points, at_most=_rounded_down(at_most))
        for points, at_most in case["steps"]
    )
    return _(
        "{target}; then points by the {measure}: {steps}",
        target=target,
        measure=part["measure"],
        steps=steps,
    )


def earning(part: DesignPart, found: Found) -> tuple[int, int]:
    """Return the fraction of the points that a design earns, as numerator and denominator.

    If there are several cases, the case with the smallest fraction counts.
    """
    worth = min(Fraction(1) if failure is None else failure.worth for failure in found)
    return worth.numerator, worth.denominator


def said(part: DesignPart, outcomes: Sequence[Outcome], found: Found) -> str:
    """Return sentences for the student on the errors of designs.

    For the visible part, the sentences are about the student's design if it earns all points;
    otherwise the text is "". For the hidden part, the sentences are about the best and the
    typical designs, and students read them after submission.
    """
    if part["hidden"]:
        return " ".join(case["ceiling"] for case in part["cases"] if case["known"])
    if any(failure is not None for failure in found):
        return ""
    facts = [
        _facts(part, case, standing(part, case, outcome["value"], limited=True))
        for case, outcome in zip(part["cases"], outcomes, strict=True)
    ]
    return _n(
        "the target is kept: {facts}. Here this earns all points.",
        "the target is kept: {facts}. Here this earns all points; the worst case counts.",
        len(facts),
        facts="; ".join(facts),
    )
