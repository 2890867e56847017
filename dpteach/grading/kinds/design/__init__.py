"""Checks of designs: the student chooses a mechanism and its noise, and hands them in as data."""

from __future__ import annotations

import inspect
import itertools
import math
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

import numpy as np

from dpteach.grading.core.plain import NotPlainError, encode, reduce_record, shown
from dpteach.grading.kinds import require
from dpteach.grading.kinds.declaration import Case, Declaration, Relative
from dpteach.grading.kinds.design.judge import ACCOUNTANT_SECONDS, form_note, standing
from dpteach.grading.kinds.suspects import source_of

#: seconds of computing in which a mechanism and its accountant must answer, a sixth of the time
#: that a judge gives them; and how many numbers of the range are tried for each entry
ANSWER_SECONDS: Final = ACCOUNTANT_SECONDS / 6
TRIED: Final = 5


@dataclass(frozen=True)
class Step:
    """What a design is worth whose guarantee holds and whose error is small enough.

    Parameters
    ----------
    points
        What it is worth, > 0.
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
        require.points(self.points)
        if not callable(self.at_most):
            require.number("at_most", self.at_most, "finite and > 0", above=0.0, included=False)


@dataclass(frozen=True, kw_only=True)
class DesignCheck(Declaration):
    """A mechanism and its noise, chosen by the student and handed in as plain data.

    The student's function returns a dict: ``{"mechanism": "Gaussian", "sigma": 33.9}``. The
    library's accountant says what that guarantees, outside of the student's process. A design
    that does not keep the target earns nothing; one that does earns the points of the best step
    that its error reaches. Over several cases the worst counts. The assignment's text names
    mechanisms, target and steps.

    Parameters
    ----------
    name, points, call, visible, hidden, builds_on, book
        As for `Check`; `points` are those of the last step. Visible cases are asked once more when
        it is graded.
    mechanisms
        By the name in the design a function of a case's arguments, and of the design's other
        entries as keywords, that returns a pair: what is released, as an `Accountant` or
        whatever has an ``epsilon_at`` that returns a `Bracket` or a number, and the error. A plain
        function of a reference cell, no lambda; students may read its source. It and the
        accountant must be done in five seconds, whatever the entries are.
    target
        A function of a case's arguments that returns the pair (epsilon, delta) to be kept.
    measure
        What the error is, in words: "standard deviation of a count".
    guarantee
        What the target's epsilon is, in words, if it is none: "larger divergence of order 2". The
        target's delta is not told then.
    steps
        Each with more points and less error than the one before.
    best
        A function of a case's arguments that returns the least error there is: told after
        hand-in.
    typical
        Designs, by their name in words, as functions of a case's arguments: what they reach is
        told after hand-in. They must keep the target.
    between
        The range of each number of a design.
    mistakes
        As for `Check`; a mistake returns a design, and is recognised when each number is within 1 %
        of its own.

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
        if not self.mechanisms:
            raise ValueError("mechanisms must hold at least one, got mechanisms={}")
        for words, function in self.mechanisms.items():
            if not entries_of(function):
                raise ValueError(f"mechanisms: {words} needs keywords, the entries of its designs")
        if not self.steps or not all(isinstance(step, Step) for step in self.steps):
            raise TypeError(f"steps must hold Step(...) only, got {shown(self.steps)}")
        points = [step.points for step in self.steps]
        if points != sorted(set(points)) or points[-1] != self.points:
            raise ValueError(
                f"steps must have rising points, the last {self.points:g}, got {shown(points)}"
            )
        least, most = self.between
        require.number("between", least, "of finite numbers > 0", above=0.0, included=False)
        require.number(
            "between", most, "of a smaller and a larger number", above=least, included=False
        )
        if any(case.raises for case in (*self.visible, *self.hidden)):
            raise ValueError("raises must not be given in a DesignCheck: use a Check for errors")


def entries_of(function: Callable[..., Any]) -> list[str]:
    """The keywords of a mechanism's function: what a design has beside its name."""
    parameters = inspect.signature(function).parameters.values()
    return [one.name for one in parameters if one.kind is one.KEYWORD_ONLY]


def design_part(
    check: DesignCheck, hidden: bool, caught: list[bool], rng: np.random.Generator
) -> dict[str, Any]:
    """What is particular to one part of a `DesignCheck`, as JSON data.

    Parameters
    ----------
    check
        The declaration; its hidden cases are drawn already.
    hidden
        Which part: this one alone tells the least error.
    caught
        One entry a mistake, set to True if it earns less than all points on a case.
    rng
        Not used: nothing is drawn.

    Raises
    ------
    ValueError
        If what the declaration's functions return is not what they should, a step asks for less
        error than there can be, what is `typical` does not keep the target, or a mechanism's
        guarantee takes too long to compute.
    """
    part: dict[str, Any] = {
        "kind": "design",
        "points": check.points,
        "measure": check.measure,
        "guarantee": check.guarantee,
        "between": list(check.between),
        "mechanisms": {
            name: dict(zip(("entry", "text"), source_of(function), strict=True))
            | {"entries": entries_of(function)}
            for name, function in check.mechanisms.items()
        },
        "recognise": [(m.compare or Relative(0.01)).to_data() for m in check.mistakes],
        "cases": [],
    }
    cases = [(case, True) for case in check.visible]
    if hidden:
        cases += [(case, False) for case in check.hidden]
    for case, known in cases:
        data = _case(check, case) | {"known": known}
        data["mistakes"] = list(_mistakes(check, part, case, data, caught))
        if hidden and known:
            data["ceiling"] = _ceiling(check, part, case, data)
        part["cases"].append(data)
    if not hidden:
        _answers_soon(check, part)
    return part


def _of(name: str, function: Callable[..., Any], case: Case) -> Any:
    """What a function of the declaration says about a case."""
    try:
        return function(*case.args, **case.kwargs)
    except Exception as error:
        raise ValueError(f"{name}: {type(error).__name__}: {error}, on {case}") from error


def _case(check: DesignCheck, case: Case) -> dict[str, Any]:
    target = _of("target", check.target, case)
    if not isinstance(target, tuple) or len(target) != 2:
        raise ValueError(f"target must return a pair (epsilon, delta), got {shown(target)}")
    epsilon = require.number("epsilon", target[0], "finite and > 0", above=0.0, included=False)
    delta = require.number("delta", target[1], "in [0, 1)", above=0.0, included=True)
    best = _best(check, case)
    steps = []
    for step in check.steps:
        at_most = _of("at_most", step.at_most, case) if callable(step.at_most) else step.at_most
        require.number("at_most", at_most, "finite and > 0", above=0.0, included=False)
        if at_most < best:
            raise ValueError(f"steps: no design has an error of {at_most:g}, the least is {best:g}")
        steps.append([float(step.points), float(at_most)])
    if any(one[1] <= other[1] for one, other in itertools.pairwise(steps)):
        raise ValueError(f"steps must ask for less error each, got {shown(steps)}")
    return {
        "args": [encode(arg) for arg in case.args],
        "kwargs": encode(case.kwargs)["dict"],
        "words": case.words,
        "record": True,
        "target": [epsilon, delta],
        "steps": steps,
    }


def _best(check: DesignCheck, case: Case) -> float:
    return require.number(
        "best", _of("best", check.best, case), "finite and > 0", above=0.0, included=False
    )


def _design(name: str, function: Callable[..., Any], case: Case, part: dict[str, Any]) -> Any:
    """A design that a function of the declaration returns."""
    try:
        design = reduce_record(_of(name, function, case))
    except NotPlainError as error:
        raise ValueError(f"{name} must return a design, got {error}") from None
    note = form_note(part, design)
    if note:
        raise ValueError(f"{name} must return a design, got {shown(design)}: {note}")
    return design


def _mistakes(
    check: DesignCheck,
    part: dict[str, Any],
    case: Case,
    data: Mapping[str, Any],
    caught: list[bool],
) -> Iterator[Any]:
    """The design of each mistake; None if it earns all points."""
    for i, mistake in enumerate(check.mistakes):
        design = _design("mistakes", mistake.wrong, case, part)
        wrong = standing(part, data, design).points < check.points
        caught[i] = caught[i] or wrong
        yield encode(design) if wrong else None


def _ceiling(check: DesignCheck, part: dict[str, Any], case: Case, data: Mapping[str, Any]) -> str:
    """The least error and what typical designs reach, in words."""
    text = f"The least possible {check.measure} is {_best(check, case):.4g}."
    reached = []
    for words, function in check.typical.items():
        found = standing(part, data, _design("typical", function, case, part))
        if not found.met:
            raise ValueError(f"typical: {words!r} does not keep the target on {case}")
        reached.append(f"{words} has {found.error:.4g}")
    return f"{text} Of other designs {', '.join(reached)}." if reached else text


def _answers_soon(check: DesignCheck, part: Mapping[str, Any]) -> None:
    """Refuses a mechanism of which an accountant says too slowly what it guarantees."""
    case = part["cases"][0]
    for name, mechanism in part["mechanisms"].items():
        entries = mechanism["entries"]
        numbers = np.geomspace(*check.between, TRIED).tolist()
        # the entries are equal first, then far apart: an accountant may be slow for either
        for first, apart in itertools.product(range(TRIED), (0, 2) if len(entries) > 1 else (0,)):
            chosen = [numbers[(first + apart * i) % TRIED] for i in range(len(entries))]
            design = {"mechanism": name} | dict(zip(entries, chosen, strict=True))
            begun = time.thread_time()
            found = standing(part, case, design)
            seconds = time.thread_time() - begun
            if math.isnan(found.epsilon):
                raise ValueError(f"mechanisms: the guarantee of {shown(design)} is NaN")
            if seconds > ANSWER_SECONDS:
                raise ValueError(
                    f"mechanisms: to say what {shown(design)} guarantees takes {seconds:.1f} s, "
                    f"and may take {ANSWER_SECONDS:g}"
                )


def no_design_for_nothing(visible: Mapping[str, Any], hidden: Mapping[str, Any] | None) -> None:
    """Refuses a check in which a design at the ends of its range earns points.

    Parameters
    ----------
    visible, hidden
        The parts as data.

    Raises
    ------
    ValueError
        If a mechanism without noise to speak of keeps the target, or one with noise beyond measure
        reaches a step.
    """
    for part in (visible, hidden or visible):
        for name, mechanism in part["mechanisms"].items():
            corners = itertools.product(part["between"], repeat=len(mechanism["entries"]))
            for case, corner in itertools.product(part["cases"], list(corners)):
                design = {"mechanism": name} | dict(zip(mechanism["entries"], corner, strict=True))
                if standing(part, case, design).points:
                    raise ValueError(f"a design without thought earns points: {shown(design)}")
