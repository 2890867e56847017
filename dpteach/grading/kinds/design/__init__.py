"""Checks of designs: the student chooses a mechanism and its noise, and submits both as data."""

from __future__ import annotations

import inspect
import itertools
import math
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, Final

import numpy as np

from dpteach import _check
from dpteach._language import N_, catalog
from dpteach.grading.core.plain import encode, reduce_record
from dpteach.grading.core.specification import Part
from dpteach.grading.kinds import require
from dpteach.grading.kinds.declaration import Case, Declaration, Relative
from dpteach.grading.kinds.design import judge
from dpteach.grading.kinds.implementations import source_of
from dpteach.grading.kinds.kind import Kind, asked, each

_, _n = catalog("kinds")

#: The build measures how long it takes to compute the privacy guarantees of several designs. The
#: time limit for each design is `ANSWER_SECONDS`, a sixth of the limit during grading. The build
#: tries `TRIED` values of each entry of a design.
ANSWER_SECONDS: Final = judge.ACCOUNTANT_SECONDS / 6
TRIED: Final = 5


@dataclass(frozen=True)
class Step:
    """A number of points, and the largest error with which a design earns these points.

    Parameters
    ----------
    points
        The points, > 0.
    at_most
        The largest error for these points: a number, or a function of a case's arguments.

    Examples
    --------
    >>> Step(2, at_most=50).points
    2
    """

    points: float
    at_most: float | Callable[..., float]

    def __post_init__(self) -> None:
        require.number("points", self.points, _check.POSITIVE)
        if not callable(self.at_most):
            require.number("at_most", self.at_most, _check.POSITIVE)


@dataclass(frozen=True, kw_only=True)
class DesignCheck(Declaration):
    """A check in which the student chooses a mechanism and its noise, and submits them as data.

    The student's function returns a design, such as ``{"mechanism": "Gaussian", "sigma": 33.9}``.
    The library's accountant computes the design's privacy guarantee, outside of the student's
    process. A design that does not satisfy the target guarantee earns nothing. Any other design
    earns the points of the best step whose `at_most` is at least the design's error, such as the
    standard deviation of its noise. If there are several cases, the worst case counts. The text of
    the assignment must state mechanisms, target and steps.

    Parameters
    ----------
    name, points, call, visible, hidden, builds_on, book
        As for `Check`; `points` are those of the last step. Visible cases count for the grade like
        hidden cases.
    mechanisms
        For each name of a mechanism, a function of a case's arguments and, as keywords, of the
        other entries of the design. It returns two objects: the privacy guarantee, as an
        `Accountant` or another object whose ``epsilon_at`` returns a `Bracket` or a number; and the
        error. The function must be a plain function, no lambda, of a reference cell, that is, of a
        cell that only the checks use; students may read its source. Whatever the entries are, the
        function and ``epsilon_at`` together must take at most five seconds.
    target
        A function of a case's arguments that returns the guarantee (epsilon, delta) that a design
        must satisfy.
    measure
        The name of the error for messages, such as "standard deviation of a count".
    guarantee
        The name of the target's first number for messages, if it is not an epsilon, such as "larger
        divergence of order 2". Messages then leave out the target's delta.
    steps
        The steps, each with more points and less error than the step before.
    best
        A function of a case's arguments that returns the least possible error. Students read it
        after submission.
    typical
        Other designs that satisfy the target: a dict from a description of each design to a
        function of a case's arguments that returns the design. Students read the errors of these
        designs after submission.
    between
        The least and the largest value of each number of a design.
    mistakes
        As for `Check`; a mistake returns a design, and is recognized if each number of the
        student's design is within 1 % of the mistake's number.

    Examples
    --------
    >>> from dpteach import Accountant, Laplace
    >>> def one_count(epsilon, *, scale):
    ...     return Accountant().compose(Laplace(scale=scale)), 2**0.5 * scale
    >>> check = DesignCheck(
    ...     name="noise", points=2, call="noise_for", visible=[Case(0.5)],
    ...     mechanisms={"Laplace": one_count}, target=lambda epsilon: (epsilon, 0.0),
    ...     measure="standard deviation of the count", best=lambda epsilon: 2**0.5 / epsilon,
    ...     steps=[Step(1, at_most=6.0), Step(2, at_most=2.9)], book="renyi_dp#x",
    ... )
    >>> [step.points for step in check.steps]
    [1, 2]
    """

    mechanisms: Mapping[str, Callable[..., Any]]
    target: Callable[..., tuple[float, float]]
    measure: str
    steps: Sequence[Step]
    best: Callable[..., float]
    typical: Mapping[str, Callable[..., Any]] = field(default_factory=dict)
    guarantee: str = ""
    between: tuple[float, float] = (1e-3, 1e6)

    asked_again = True
    _refused: ClassVar[Mapping[str, str]] = {"raises": N_("use a Check for errors")}

    def __post_init__(self) -> None:
        super().__post_init__()
        for name in ("target", "best"):
            require.function(name, getattr(self, name))
        require.text("measure", self.measure)
        if self.guarantee:
            require.text("guarantee", self.guarantee)
        for where in ("mechanisms", "typical"):
            for words, function in getattr(self, where).items():
                require.text(where, words)
                require.function(f"{where}[{words!r}]", function)
        require.that(self.mechanisms, "mechanisms", _("must hold at least one"), self.mechanisms)
        for words, function in self.mechanisms.items():
            told = _("must have keyword-only parameters, the entries of its designs")
            require.that(entries_of(function), f"mechanisms[{words!r}]", told, function)
        require.items("steps", self.steps, Step)
        points = [step.points for step in self.steps]
        rising = points == sorted(set(points)) and points[-1:] == [self.points]
        told = _("must have rising points, at the end {points:g}", points=self.points)
        require.that(rising, "steps", told, points)
        least, most = self.between
        require.number(
            "between", least, _check.Domain("of finite numbers > 0", _check.POSITIVE.contains)
        )
        larger = _check.Domain("of a smaller and a larger number", lambda x: least < x < math.inf)
        require.number("between", most, larger)


def entries_of(function: Callable[..., Any]) -> list[str]:
    """Return the names of a design's entries: the function's keyword-only parameters."""
    parameters = inspect.signature(function).parameters.values()
    return [one.name for one in parameters if one.kind is one.KEYWORD_ONLY]


def _part(check: DesignCheck, about: Part[Any], rng: np.random.Generator) -> judge.DesignPart:
    """Return the visible or hidden part of a design check.

    Only the hidden part has the texts that tell students the least possible error.

    Raises
    ------
    ValueError
        If a function of the declaration raises an error or returns an unsuitable value, a step
        allows less than the least possible error, a design in `check.typical` does not satisfy the
        target, or a guarantee takes too long to compute.
    """
    part: judge.DesignPart = {
        **about,
        "measure": check.measure,
        "guarantee": check.guarantee,
        "between": list(check.between),
        "mechanisms": {name: _mechanism(one) for name, one in check.mechanisms.items()},
        "recognise": check.recognise(Relative(0.01)),
    }
    hidden = about["hidden"]
    part["cases"] = [_case(check, part, case, known=True) for case in check.visible]
    if hidden:
        for case, data in zip(check.visible, part["cases"], strict=True):
            data["ceiling"] = _ceiling(check, part, case, data)
        part["cases"] += [_case(check, part, case, known=False) for case in check.hidden]
    else:
        _answers_soon(check, part)
    return part


def _mechanism(function: Callable[..., Any]) -> judge.Mechanism:
    entry, text = source_of(function)
    return {"entry": entry, "text": text, "entries": entries_of(function)}


def _case(
    check: DesignCheck, part: judge.DesignPart, case: Case, *, known: bool
) -> judge.DesignCase:
    target = case.of("target", check.target)
    is_pair = isinstance(target, tuple) and len(target) == 2
    require.returned(is_pair, "target", _("a pair (epsilon, delta)"), target)
    epsilon = require.number("epsilon", target[0], _check.POSITIVE)
    delta = require.number("delta", target[1], require.BELOW_ONE)
    data: judge.DesignCase = {
        **case.to_data(),  # type: ignore[typeddict-item]  # `_part` adds ``ceiling``
        "record": True,
        "target": [epsilon, delta],
        "steps": _steps(check, case),
        "known": known,
        "mistakes": [],
    }
    for mistake in check.mistakes:
        design = _design("mistakes", mistake.wrong, case, part)
        wrong = judge.standing(part, data, design).points < check.points
        data["mistakes"].append(encode(design) if wrong else None)
    return data


def _steps(check: DesignCheck, case: Case) -> list[list[float]]:
    best, steps = _best(check, case), []
    for step in check.steps:
        at_most = case.of("at_most", step.at_most) if callable(step.at_most) else step.at_most
        require.number("at_most", at_most, _check.POSITIVE)
        words = _("must be at least the least possible error, {best:g}", best=best)
        require.that(at_most >= best, "at_most", words, at_most)
        steps.append([float(step.points), float(at_most)])
    falls = all(one[1] > other[1] for one, other in itertools.pairwise(steps))
    require.that(falls, "steps", _("must ask for less error each"), steps)
    return steps


def _best(check: DesignCheck, case: Case) -> float:
    return require.number("best", case.of("best", check.best), _check.POSITIVE)


def _design(name: str, function: Callable[..., Any], case: Case, part: judge.DesignPart) -> Any:
    """Return an author's design for a case, or raise an error if the design is malformed."""
    design = case.of(name, lambda *args, **kwargs: reduce_record(function(*args, **kwargs)))
    note = judge.form_note(part, design)
    require.returned(not note, name, _("a design ({note})", note=note), design)
    return design


def _ceiling(check: DesignCheck, part: judge.DesignPart, case: Case, data: judge.DesignCase) -> str:
    """Return sentences on the least possible error and on the errors of typical designs."""
    text = _(
        "The least possible {measure} is {least:.4g}.",
        measure=check.measure,
        least=_best(check, case),
    )
    reached = []
    for words, function in check.typical.items():
        found = judge.standing(part, data, _design("typical", function, case, part))
        told = _("must keep the target on {case}", case=case)
        require.that(found.met, f"typical[{words!r}]", told, function)
        reached.append(_("{error:.4g} ({design})", design=words, error=found.error))
    if not reached:
        return text
    others = _(
        "The {measure} of other designs: {designs}.",
        measure=check.measure,
        designs="; ".join(reached),
    )
    return f"{text} {others}"


def _answers_soon(check: DesignCheck, part: judge.DesignPart) -> None:
    """Raise an error if computing the privacy guarantee takes too long for some design."""
    case = part["cases"][0]
    for name, mechanism in part["mechanisms"].items():
        entries = mechanism["entries"]
        numbers = np.geomspace(*check.between, TRIED).tolist()
        # try designs with equal entries and designs with entries that are far apart, because an
        # accountant may be slow for only one of these two
        for first, apart in itertools.product(range(TRIED), (0, 2) if len(entries) > 1 else (0,)):
            chosen = [numbers[(first + apart * i) % TRIED] for i in range(len(entries))]
            design = {"mechanism": name} | dict(zip(entries, chosen, strict=True))
            begun = time.thread_time()
            found = judge.standing(part, case, design)
            seconds = time.thread_time() - begun
            words = _("must give a guarantee that is not NaN to {design}", design=design)
            require.that(not math.isnan(found.epsilon), "mechanisms", words, found.epsilon)
            words = _(
                "must give a guarantee to {design} within {most:g} seconds",
                design=design,
                most=ANSWER_SECONDS,
            )
            require.that(seconds <= ANSWER_SECONDS, "mechanisms", words, round(seconds, 1))


def no_design_for_nothing(
    check: DesignCheck, visible: judge.DesignPart, hidden: judge.DesignPart | None
) -> None:
    """Raise an error if a design with the least or the largest possible noise earns points.

    Raises
    ------
    ValueError
        If a mechanism with the least noise satisfies the target, or the error of a mechanism with
        the largest noise is small enough for a step.
    """
    for part in (visible, hidden or visible):
        for name, mechanism in part["mechanisms"].items():
            corners = itertools.product(part["between"], repeat=len(mechanism["entries"]))
            for case, corner in itertools.product(part["cases"], list(corners)):
                design = {"mechanism": name} | dict(zip(mechanism["entries"], corner, strict=True))
                earned = judge.standing(part, case, design).points
                words = _("must give no points to the design {design}", design=design)
                require.that(not earned, "steps", words, earned)


KIND = Kind(
    name="design",
    title="design",
    minutes=15,
    declaration=DesignCheck,
    words=(Step,),
    part=_part,
    proof=no_design_for_nothing,
    slow=True,
    judged=each(judge.judge_design),
    called=judge.reads_design,
    earning=judge.earning,
    said=judge.said,
    so_far=True,
    asked=lambda part: asked(part, "record"),
)
