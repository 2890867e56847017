"""Composition of approximate guarantees: epsilon grows with the square root of the steps.

`Guarantee.self_compose` adds the steps up one by one. The theorems here buy a smaller epsilon
with a larger delta. They take a claim and return a claim, so that the whole delta, that of the
steps and the slack, stands in the result and nobody can leave a part of it out.
"""

from __future__ import annotations

import math

from dpteach import _check, _numerics
from dpteach.notions import ApproxDP

__all__ = [
    "advanced_composition",
    "advanced_composition_simplified",
    "advanced_composition_step",
]


def advanced_composition(step: ApproxDP, k: int, *, slack: float) -> ApproxDP:
    """The guarantee of k adaptive steps of (epsilon, delta)-DP, by the advanced theorem.

    epsilon sqrt(2 k log(1/slack)) + k epsilon (e^epsilon - 1), at k delta + slack.

    Parameters
    ----------
    step : ApproxDP
        The guarantee of each step, with epsilon at most 700.
    k : int
        The number of steps, at least 1.
    slack : float
        The delta that is spent on top of the steps' own, in (0, 1].

    Returns
    -------
    ApproxDP
        An upper bound. For few steps ``step.self_compose(k)`` has a smaller epsilon.

    Raises
    ------
    ValueError, TypeError
        If an argument is outside its range or of another type.

    References
    ----------
    Dwork, Rothblum and Vadhan (2010), theorem III.3; Dwork and Roth (2014), theorem 3.20.

    Examples
    --------
    >>> whole = advanced_composition(ApproxDP(0.01, 1e-8), 100, slack=1e-6)
    >>> round(whole.epsilon, 12), round(whole.delta, 12)
    (0.53570234406, 2e-06)
    """
    step, k, slack = _checked(step, k, slack)
    spread = step.epsilon * math.sqrt(-2 * k * math.log(slack))
    epsilon = _numerics.sum_up(spread, k * step.epsilon * math.expm1(step.epsilon))
    return _total(step, k, slack, epsilon)


def advanced_composition_simplified(step: ApproxDP, k: int, *, slack: float) -> ApproxDP:
    """The guarantee of k adaptive steps, by the simplified form for small epsilon.

    2 epsilon sqrt(2 k log(1/slack)), at k delta + slack. It is the advanced theorem with its
    second term bounded by the first, which is true only where
    e^epsilon - 1 <= sqrt(2 log(1/slack) / k).

    Parameters
    ----------
    step : ApproxDP
        The guarantee of each step.
    k : int
        The number of steps, at least 1.
    slack : float
        The delta that is spent on top of the steps' own, in (0, 1].

    Returns
    -------
    ApproxDP
        An upper bound, no smaller than `advanced_composition`.

    Raises
    ------
    ValueError, TypeError
        If an argument is outside its range or of another type, or the step's epsilon is too
        large for the simplified form.

    References
    ----------
    Dwork, Rothblum and Vadhan (2010), theorem III.3, simplified as in Near and Abuah (2021).

    Examples
    --------
    >>> whole = advanced_composition_simplified(ApproxDP(0.01, 1e-8), 100, slack=1e-6)
    >>> round(whole.epsilon, 12), round(whole.delta, 12)
    (1.051304353951, 2e-06)
    """
    step, k, slack = _checked(step, k, slack)
    _check_small("step", step, k, slack)
    epsilon = _numerics.up(2 * step.epsilon * math.sqrt(-2 * k * math.log(slack)))
    return _total(step, k, slack, epsilon)


def advanced_composition_step(target: ApproxDP, k: int) -> ApproxDP:
    """What each of k steps may spend so that all of them reach a target.

    The inverse of `advanced_composition_simplified` with half of delta as the slack:
    epsilon / (2 sqrt(2 k log(2/delta))) and delta / (2 k).

    Parameters
    ----------
    target : ApproxDP
        The guarantee wanted for the whole, with epsilon > 0 and delta in (0, 1).
    k : int
        The number of steps, at least 1.

    Returns
    -------
    ApproxDP
        The guarantee of each step, rounded down.

    Raises
    ------
    ValueError, TypeError
        If an argument is outside its range or of another type, or the step's epsilon comes out
        too large for the simplified form.

    References
    ----------
    Near and Abuah (2021), the chapter on variants.

    Examples
    --------
    >>> step = advanced_composition_step(ApproxDP(0.1, 1e-5), 100)
    >>> round(step.epsilon, 12), round(step.delta, 12)
    (0.001011968586, 5e-08)
    """
    _check.instance("target", target, ApproxDP)
    k = _check.count("k", k)
    if target.epsilon == 0 or target.delta in (0.0, 1.0):
        raise ValueError(f"target must have epsilon > 0 and delta in (0, 1), got target={target!r}")
    slack = target.delta / 2
    epsilon = target.epsilon / (2 * math.sqrt(-2 * k * math.log(slack)))
    down = 1 - 2 * _numerics.MARGIN
    step = ApproxDP(epsilon * down, slack / k * down, adjacency=target.adjacency)
    _check_small("target", step, k, slack)
    return step


def _checked(step: object, k: object, slack: object) -> tuple[ApproxDP, int, float]:
    _check.instance("step", step, ApproxDP)
    assert isinstance(step, ApproxDP)
    if step.epsilon > 700:
        raise ValueError(f"step must have epsilon <= 700, got step={step!r}")
    slack = _check.real("slack", slack, _check.POSITIVE_PROBABILITY)
    return step, _check.count("k", k), slack


def _check_small(name: str, step: ApproxDP, k: int, slack: float) -> None:
    most = math.log1p(math.sqrt(-2 * math.log(slack) / k))
    if step.epsilon > most:
        raise ValueError(
            f"{name} must allow steps with epsilon <= {most:.6g} for the simplified form at k={k} "
            f"and slack={slack:g}, got a step with epsilon={step.epsilon:.6g}"
        )


def _total(step: ApproxDP, k: int, slack: float, epsilon: float) -> ApproxDP:
    delta = _numerics.up(k * step.delta + slack) if step.delta > 0 else slack
    return ApproxDP(epsilon, min(1.0, delta), adjacency=step.adjacency)
