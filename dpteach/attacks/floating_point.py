"""Attacks on floating-point implementations, which proofs about real numbers do not cover.

The Laplace mechanism is private on the real line. In floating point its noise is the scale
times the logarithm of a multiple of 2^-53, and most floats are not of this form. Suppose the true
value is 0 or 1. An output that equals 1 plus such a noise value, but not 0 plus such a value,
reveals the secret, whatever epsilon is (Mironov, 2012).
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dpteach import _check
from dpteach.mechanisms import Mechanism

__all__ = [
    "FloatingPointAttack",
    "floating_point_attack",
    "is_possible_laplace",
    "rounded_laplace_counts",
]

#: numpy.random computes Laplace noise from a uniform number i 2^-53; i = _HALF gives 1/2
_HALF = 2**52
#: the scale of the noise is limited, because `rounded_laplace_counts` lists all possible integers,
#: whose range is about 75 times the scale
_SCALE = _check.Domain("in [0.01, 10000]", lambda x: 0.01 <= x <= 10_000)
_VALUE = _check.Domain("in [-2**40, 2**40]", lambda x: abs(x) <= 2.0**40)
#: a bound on the rounding error of the number i that `_place` returns
_SLACK = 8


@dataclass(frozen=True)
class FloatingPointAttack:
    """The success of a floating-point attack that guesses from one output at a time.

    Each output comes from a value or from its neighbor. The attacker guesses "neighbor" if the
    output is a float that noise on the value cannot give.

    Parameters
    ----------
    trials : int
        The number of outputs on each of the two values, >= 1.
    caught, false_alarms : int
        How often the guess is "neighbor" for an output on the neighbor, and for one on the value;
        each from 0 to trials.

    Examples
    --------
    >>> result = FloatingPointAttack(trials=1000, caught=750, false_alarms=0)
    >>> result.caught_rate, result.false_alarm_rate, result.epsilon_estimate
    (0.75, 0.0, inf)
    """

    trials: int
    caught: int
    false_alarms: int

    def __post_init__(self) -> None:
        trials = _check.count("trials", self.trials)
        object.__setattr__(self, "trials", trials)
        for name in ("caught", "false_alarms"):
            number = _check.count(name, getattr(self, name), minimum=0)
            if number > trials:
                raise ValueError(
                    f"{name} must be at most trials={trials}, got {name}={_check.shown(number)}"
                )
            object.__setattr__(self, name, number)

    @property
    def caught_rate(self) -> float:
        """The share of outputs on the neighbor that make the attacker guess "neighbor", correctly.

        >>> FloatingPointAttack(100, 40, 0).caught_rate
        0.4
        """
        return self.caught / self.trials

    @property
    def false_alarm_rate(self) -> float:
        """The share of outputs on the value that make the attacker guess "neighbor", wrongly.

        >>> FloatingPointAttack(100, 40, 30).false_alarm_rate
        0.3
        """
        return self.false_alarms / self.trials

    @property
    def epsilon_estimate(self) -> float:
        """|log(caught / false alarms)|; under epsilon-DP, its limit for many trials is <= epsilon.

        This estimate is infinite if exactly one of the two counts is 0, and 0 if both are 0. For a
        bound with stated confidence, use `dpteach.audit.binomial_interval` for each count.

        >>> round(FloatingPointAttack(1000, 400, 300).epsilon_estimate, 6)
        0.287682
        """
        if self.caught == self.false_alarms:
            return 0.0
        if min(self.caught, self.false_alarms) == 0:
            return math.inf
        return abs(math.log(self.caught / self.false_alarms))


def floating_point_attack(
    mechanism: Mechanism,
    value: float,
    neighbour: float,
    *,
    trials: int = 1000,
    scale: float | None = None,
    rng: np.random.Generator,
) -> FloatingPointAttack:
    """Try to distinguish outputs on a value and on a neighbor by their low-order bits.

    Parameters
    ----------
    mechanism : Mechanism
        The attack targets `Laplace`, which computes in floats. `Snapping` and the mechanisms
        with integer noise are immune: on them it succeeds no better than epsilon allows.
    value, neighbour : float
        Two finite true values, such as 0 and 1.
    trials : int
        The number of outputs on each value, from 1 to 10^6. The time is proportional to it.
    scale : float, optional
        The scale of the Laplace noise that the attacker assumes, > 0; by default the
        mechanism's scale.
    rng : numpy.random.Generator

    Returns
    -------
    FloatingPointAttack

    Raises
    ------
    TypeError
        If the mechanism has no scale and none is given.

    References
    ----------
    Mironov (2012), section 4.

    Examples
    --------
    >>> from dpteach import Laplace, Snapping
    >>> rng = np.random.default_rng(0)
    >>> floating_point_attack(Laplace(scale=2.0), 0.0, 1.0, rng=rng)
    FloatingPointAttack(trials=1000, caught=818, false_alarms=0)
    >>> floating_point_attack(Snapping(scale=2.0, bound=100.0), 0.0, 1.0, rng=rng)
    FloatingPointAttack(trials=1000, caught=242, false_alarms=213)
    """
    _check.instance("mechanism", mechanism, Mechanism)
    value = _check.real("value", value, _check.FINITE)
    neighbour = _check.real("neighbour", neighbour, _check.FINITE)
    trials = _check.count("trials", trials)
    if trials > 10**6:
        raise ValueError(f"trials must be at most 10**6, got trials={trials}")
    if scale is None:
        scale = getattr(mechanism, "scale", None)
        if scale is None:
            raise TypeError(
                f"scale must be given, because {type(mechanism).__name__} has none, got scale=None"
            )
    scale = _check.real("scale", scale, _check.POSITIVE)
    _check.generator(rng)
    caught, false_alarms = (
        int(np.count_nonzero(~is_possible_laplace(answers, value, scale)))
        for answers in (
            mechanism.release(np.full(trials, truth), rng=rng) for truth in (neighbour, value)
        )
    )
    return FloatingPointAttack(trials, caught, false_alarms)


def is_possible_laplace(answers: ArrayLike, value: float, scale: float) -> NDArray[np.bool_]:
    """Return whether each answer is a float that a value plus numpy's Laplace noise can give.

    Parameters
    ----------
    answers : array_like of real numbers, of any shape
    value : float
        The true value, finite.
    scale : float
        The scale of the noise, > 0.

    Returns
    -------
    ndarray of bool, of the same shape

    Notes
    -----
    numpy computes the noise from a uniform random number, a multiple of 2^-53. If only few of these
    numbers give noise near y - value for an answer y, each of them is checked with numpy's own
    arithmetic. If many do, the answer is possible.

    Examples
    --------
    >>> is_possible_laplace([0.0, 0.1, math.log(2)], value=0.0, scale=1.0)
    array([ True, False,  True])
    """
    seen = _check.array("answers", answers)
    value = _check.real("value", value, _check.FINITE)
    scale = _check.real("scale", scale, _check.POSITIVE)
    possible = [_is_possible(float(y), value, scale) for y in seen.flat]
    return np.array(possible, dtype=bool).reshape(seen.shape)


def rounded_laplace_counts(value: float, scale: float) -> dict[int, int]:
    """Return the exact distribution of a value plus numpy's Laplace noise, rounded to integers.

    numpy computes the noise from one of 2^53 - 1 equally likely uniform numbers. Rounding is to the
    nearest integer, with ties to even.

    Parameters
    ----------
    value : float
        The true value, in [-2^40, 2^40].
    scale : float
        The scale of the noise, in [0.01, 10000].

    Returns
    -------
    dict of int to int
        The number of uniform numbers that give each possible answer, from the smallest answer to
        the largest. The numbers sum to 2^53 - 1.

    Notes
    -----
    The noise increases with the uniform number, so bisection finds each count. This also holds in
    floats: logarithms of consecutive uniform numbers differ by more than two units in the last
    place and have an error below one unit, so that they keep their order. Multiplication by the
    scale, addition of the value and rounding keep the order, too.

    Examples
    --------
    >>> zero, one = (rounded_laplace_counts(value, scale=10.0) for value in (0.0, 1.0))
    >>> max(zero), max(one)  # 368 is possible only from 1
    (367, 368)
    >>> round(math.log(one[20] / zero[20]), 12)
    0.1
    """
    value = _check.real("value", value, _VALUE)
    scale = _check.real("scale", scale, _SCALE)

    def answer(i: int) -> int:
        return round(value + _noise(i, scale))

    counts: dict[int, int] = {}
    before, largest = 0, 2 * _HALF - 1
    while before < largest:
        now = answer(before + 1)
        # in each step of the bisection, answer(low) is `now`, and answer(high) is larger
        low, high = before + 1, largest + 1
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (middle, high) if answer(middle) == now else (low, middle)
        counts[now], before = low - before, low
    return counts


def _is_possible(y: float, value: float, scale: float) -> bool:
    difference, half = y - value, math.ulp(y) / 2
    first = math.floor(_place(difference - half, scale))
    last = math.ceil(_place(difference + half, scale))
    if last - first > 8 * _SLACK:
        # so many uniform numbers give noise near y - value that the output of some of them rounds
        # to y
        return True
    return any(
        value + _noise(i, scale) == y
        for i in range(max(1, first - _SLACK), min(2 * _HALF - 1, last + _SLACK) + 1)
    )


def _place(noise: float, scale: float) -> float:
    """Return the real number i for which the noise of the uniform number i 2^-53 is `noise`."""
    weight = _HALF * math.exp(-abs(noise) / scale)
    return weight if noise < 0 else 2 * _HALF - weight


def _noise(i: int, scale: float) -> float:
    """Return numpy's Laplace noise for the uniform number u = i 2^-53, rounded as numpy does."""
    u = i * 2.0**-53
    return -(scale * math.log(2.0 - u - u)) if i >= _HALF else scale * math.log(u + u)
