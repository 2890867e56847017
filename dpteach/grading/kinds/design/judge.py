"""The verdict on designs: a mechanism and its noise as plain data, by their guarantee, then error.

What a design releases is built here from the plain data, by the instructor's function, and the
library's accountant says what it guarantees: nothing of the student's takes part in it. A guarantee
counts if its epsilon, of a bracket the upper end, keeps the target. The accountant has a time
limit, in a process of its own, several times what the build lets an accountant take. A guarantee
that is not known by then, or that is NaN, does not count as kept, and the page says so.
"""

from __future__ import annotations

import json
import math
import signal
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Any, Final

from dpteach.grading.core.plain import decode, encode, shown
from dpteach.grading.kinds.failures import Failure, error_text, odd
from dpteach.grading.kinds.kind import Kind, each
from dpteach.grading.kinds.suspects import Implementations, load

#: the relative error of epsilon that is forgiven: brackets and least noises have digits to lose
SLACK: Final = 1e-6


#: seconds of computing that the accountant has for one design
ACCOUNTANT_SECONDS: Final = 30.0

#: what is told where the accountant came to no end, or to no number
_UNKNOWN: Final = (
    f"the accountant did not find its guarantee within {ACCOUNTANT_SECONDS:g} seconds of computing"
)


@dataclass(frozen=True)
class Standing:
    """What a design comes to.

    Attributes
    ----------
    epsilon
        What it guarantees at the target's delta, from above; infinite if nothing is, NaN if
        the accountant did not find out.
    met
        Whether that is the target.
    error
        Its error.
    points
        What it is worth.
    """

    epsilon: float
    met: bool
    error: float
    points: float


def standing(
    part: Mapping[str, Any],
    case: Mapping[str, Any],
    design: Mapping[str, Any],
    *,
    limited: bool = False,
) -> Standing:
    """What a design of the right form comes to on a case.

    Parameters
    ----------
    part
        A part of a `DesignCheck` as data.
    design
        Its entries, the name of the mechanism included.
    limited
        Whether the accountant has so much time only, in which case its answer may be missing.
    """
    mechanism = part["mechanisms"][design["mechanism"]]
    numbers = {name: design[name] for name in mechanism["entries"]}
    asked = json.dumps([case["args"], case["kwargs"], encode(numbers)])
    epsilon, delta = case["target"]
    work = _soon if limited else worked_out
    found, error = work(mechanism["entry"], mechanism["text"], asked, delta)
    met = found <= epsilon * (1 + SLACK)  # NaN is not
    reached = [points for points, at_most in case["steps"] if error <= at_most]
    return Standing(found, met, error, max(reached, default=0.0) if met else 0.0)


@lru_cache(maxsize=4096)
def worked_out(entry: str, text: str, asked: str, delta: float) -> tuple[float, float]:
    """The epsilon that is guaranteed, and the error; infinite where there is no guarantee.

    Parameters
    ----------
    entry, text
        The mechanism's function, as `dpteach.grading.kinds.suspects.source_of` gives it.
    asked
        JSON: the arguments of the case, its keywords and the design's entries.
    delta
        The target's.
    """
    try:
        args, kwargs, numbers = json.loads(asked)
        released, error = _loaded(entry, text)(
            *decode(args), **decode({"dict": kwargs}), **decode(numbers)
        )
        found = released.epsilon_at(delta)
        return float(getattr(found, "upper", found)), float(error)
    except (ValueError, ArithmeticError):  # numbers for which the library has no guarantee
        return math.inf, math.inf


@lru_cache(maxsize=4096)
def _soon(entry: str, text: str, asked: str, delta: float) -> tuple[float, float]:
    """The same as `worked_out` in a process of its own, with NaN where that comes to no end."""
    process = Implementations.of([(f"{__name__}.with_more_time", "")])
    reply = process.call(0, [entry, text, asked, delta], {})
    epsilon, error = decode(reply["value"]) if "value" in reply else (math.nan, math.nan)
    return epsilon, error


def with_more_time(entry: str, text: str, asked: str, delta: float) -> tuple[float, float]:
    """The same as `worked_out`, in a process whose limit on the time of a call it raises."""
    signal.setitimer(signal.ITIMER_PROF, ACCOUNTANT_SECONDS)
    return worked_out(entry, text, asked, delta)


@lru_cache(maxsize=64)
def _loaded(entry: str, text: str) -> Any:
    return load(entry, text)


def form_note(part: Mapping[str, Any], value: object) -> str:
    """What a design of the wrong form should be told, or ""."""
    mechanisms = part["mechanisms"]
    ordered = sorted(mechanisms)  # an exam that was sent to a worker has another order
    if not isinstance(value, dict):
        entries = "".join(f', "{entry}": ...' for entry in mechanisms[ordered[0]]["entries"])
        return f'Return a dict such as {{"mechanism": "{ordered[0]}"{entries}}}.'
    chosen = value.get("mechanism")
    if not isinstance(chosen, str) or chosen not in mechanisms:
        names = " or ".join(f'"{name}"' for name in ordered)
        return f'Its entry "mechanism" must be {names}.'
    wanted = mechanisms[chosen]["entries"]
    if set(value) != {"mechanism", *wanted}:
        entries = " and ".join(f'"{entry}"' for entry in wanted)
        return f'Beside "mechanism", "{chosen}" has the entries {entries}, and no others.'
    least, most = part["between"]
    for entry in wanted:
        if type(value[entry]) not in (int, float) or not least <= value[entry] <= most:
            return f'"{entry}" must be a number from {least:g} to {most:g}.'
    return ""


def _judge(
    declaration: Mapping[str, Any], case: Mapping[str, Any], outcome: Mapping[str, Any]
) -> Failure | None:
    hidden = bool(declaration["hidden"])
    known = not hidden or case["known"]
    expected = _expected(declaration, case) if known else "(not shown for a hidden case)"
    failure = odd(declaration, outcome, expected)
    if failure is not None:
        return failure
    if "raises" in outcome:
        return Failure(error_text(declaration, outcome), expected)
    design = outcome["value"]
    note = form_note(declaration, design)
    if note:
        return Failure("no design" if hidden else shown(design), expected, note)
    found = standing(declaration, case, design, limited=True)
    top = declaration["points"]
    if found.points >= top:
        return None
    mistakes = frozenset(
        i
        for i, wrong in enumerate(case["mistakes"])
        if wrong is not None and _alike(design, decode(wrong), declaration["recognise"][i])
    )
    if hidden:  # by then the function may know hidden cases, and could return what it knows
        kept = "not known" if math.isnan(found.epsilon) else "kept" if found.met else "not kept"
        returned = f"a design; the guarantee is {kept}"
    else:
        returned = f"{shown(design)}: {_facts(declaration, case, found)}"
    fallback = (
        f"That is worth {found.points:g} of {top:g} points: there is a design with a smaller "
        f"{declaration['measure']}."
        if found.met
        else "A guarantee that is not kept earns nothing, however small the error is."
        if not math.isnan(found.epsilon)
        else "Hand in another design, or ask your instructor: this one earns nothing as long as "
        "its guarantee is not known."
    )
    if found.met and not hidden:
        fallback += _next_step(case, found)
    worth = Fraction(str(found.points)) / Fraction(str(top))
    return Failure(returned, expected, mistakes=mistakes, fallback=fallback, worth=worth)


def _next_step(case: Mapping[str, Any], found: Standing) -> str:
    """How far the next step is, in a sentence, or that there is one: no number to be typed in."""
    worth, at_most = min(step for step in case["steps"] if step[0] > found.points)
    lower = 100 * (1 - at_most / found.error)
    points = f"{worth:g} point{'s' * (worth != 1)}"
    if _alone(case):
        return f" The next step, {points}, asks for less."
    return f" The next step, {points}, begins {lower:.1f} % lower, at {at_most:.4g}."


def _alone(case: Mapping[str, Any]) -> bool:
    """Whether a case has no arguments: then one design is all, and a step could be typed in."""
    return not case["args"] and not case["kwargs"]


def _alike(design: Mapping[str, Any], wrong: Mapping[str, Any], rule: Mapping[str, float]) -> bool:
    """Whether a design is that of a declared mistake."""
    if set(design) != set(wrong) or design["mechanism"] != wrong["mechanism"]:
        return False
    return all(
        abs(design[name] - number) <= max(rule["absolute"], rule["relative"] * abs(number))
        for name, number in wrong.items()
        if name != "mechanism"
    )


def _facts(part: Mapping[str, Any], case: Mapping[str, Any], found: Standing) -> str:
    """The guarantee and the error in words."""
    epsilon, delta = case["target"]
    named = part.get("guarantee")
    if not found.met and math.isinf(found.epsilon):
        return f"its {named} is inf" if named else f"at delta = {delta:g} it guarantees no epsilon"
    if math.isnan(found.epsilon):
        return _UNKNOWN
    text = _apart(found.epsilon, epsilon) if not found.met else f"{found.epsilon:.4g}"
    kept = f"{named} is {text}" if named else f"epsilon is {text} at delta = {delta:g}"
    return f"its {kept}, {part['measure']} {found.error:.4g}"


def _apart(number: float, other: float) -> str:
    """A number with so many digits that it is seen to be another one."""
    texts = [f"{number:.{digits}g}" for digits in range(4, 17)]
    return next((text for text in texts if float(text) != other), texts[-1])


def _expected(part: Mapping[str, Any], case: Mapping[str, Any]) -> str:
    epsilon, delta = case["target"]
    steps = ", ".join(f"{points:g} from {at_most:.4g} down" for points, at_most in case["steps"])
    named = part.get("guarantee")
    kept = f"epsilon at most {epsilon:g} at delta = {delta:g}"
    kept = f"{named} at most {epsilon:g}" if named else kept
    if _alone(case) and not part["hidden"]:
        return f"{kept}; then points by the {part['measure']}, in the steps of the text"
    return f"{kept}; then points by the {part['measure']}: {steps}"


def _earning(declaration: Mapping[str, Any], found: Sequence[Failure | None]) -> tuple[int, int]:
    """What the worst case is worth."""
    worth = min(Fraction(1) if failure is None else failure.worth for failure in found)
    return worth.numerator, worth.denominator


def _said(
    declaration: Mapping[str, Any],
    outcomes: Sequence[Mapping[str, Any]],
    found: Sequence[Failure | None],
) -> str:
    wrong = any(failure is not None for failure in found)
    designs = [
        (case, standing(declaration, case, outcome["value"], limited=True))
        for case, outcome in zip(declaration["cases"], outcomes, strict=True)
        if "value" in outcome and not form_note(declaration, outcome["value"])
    ]
    if declaration["hidden"]:
        return " ".join(case["ceiling"] for case in declaration["cases"] if case["known"])
    if wrong:
        return ""
    facts = [_facts(declaration, case, design) for case, design in designs]
    worst = "; the worst of all cases counts" if len(facts) > 1 else ""
    return f"the guarantee is kept: {'; '.join(facts)}. Here that is worth all points{worst}."


DESIGN = Kind(each(_judge), earning=_earning, said=_said, so_far=True)
