"""Figures on approximate differential privacy: normal noise, delta, and noise for many counts.

Their parameters, where they say no more:

epsilon : float
    In (0, 5], in nats; [0, 3] where it is a level.
delta : float
    In [1e-30, 0.1].
"""

from __future__ import annotations

import math

import numpy as np
from matplotlib.axes import Axes
from numpy.typing import NDArray

from dpteach import _check
from dpteach._readable import number, ten_to
from dpteach.calibration import calibrate
from dpteach.figures import _style
from dpteach.figures.pure import WITH, WITHOUT
from dpteach.mechanisms import Gaussian, Laplace
from dpteach.notions import ApproxDP, ProbabilisticDP, PureDP

__all__ = ["factors_of_answers", "noise_for_counts", "sticking_out", "textbook_noise"]

Vector = NDArray[np.float64]

_ANSWER = _check.Domain("in [38, 238]", lambda x: 38 <= x <= 238)
_EPSILON = _check.Domain("in (0, 5]", lambda x: 0 < x <= 5)
_LEVEL = _check.Domain("in [0, 3]", lambda x: 0 <= x <= 3)
_SIGMA = _check.Domain("in [0.7, 3]", lambda x: 0.7 <= x <= 3)
_DELTA = _check.Domain("in [1e-30, 0.1]", lambda x: 1e-30 <= x <= 0.1)

#: the desk's noise in the first picture: its standard deviation, or its scale
_NOISE = 10.0
_FAINT = "#D9E4EF"


def _bell(y: Vector | float, mean: float, sigma: float) -> Vector:
    return np.exp(-(((np.asarray(y) - mean) / sigma) ** 2) / 2) / (sigma * math.sqrt(2 * math.pi))


def _one_in(probability: float) -> str:
    """As in "1 in 2.7 million"; from a billion on, the power of ten that is nearest."""
    n = 1 / probability
    if n >= 1e9:
        return f"1 in {ten_to(round(math.log10(n)))}"
    if n >= 1e6:
        return f"1 in {number(n / 1e6, 2)} million"
    return f"1 in {n:,.0f}" if n >= 10 else f"1 in {n:.2g}"


@_style.styled
def factors_of_answers(*, answer_at: float, ax: Axes | None = None) -> Axes:
    """How much likelier each answer is with Ada than without: normal and Laplace noise.

    Parameters
    ----------
    answer_at : float
        The answer that is marked, in [38, 238].
    ax : Axes, optional

    Examples
    --------
    >>> from dpteach.figures import alt_text
    >>> text = alt_text(factors_of_answers(answer_at=187.5))
    >>> "1.65 times as likely with Ada, and 1 in 2.7 million lies further out." in text
    True
    """
    from scipy.special import ndtr

    answer = _check.real("answer_at", answer_at, _ANSWER)
    axes = _style.new_axes(ax)
    grid = np.union1d(np.linspace(38.0, 238.0, 201), [WITHOUT, WITH])
    bottom, top = 0.3, 3.3
    heights = _bell(grid, WITH, _NOISE) / _bell(WITH, WITH, _NOISE)
    axes.fill_between(grid, bottom, bottom * 1.8**heights, color=_FAINT, lw=0)
    laplace = (np.abs(grid - WITHOUT) - np.abs(grid - WITH)) / _NOISE
    middle = (WITH + WITHOUT) / 2
    axes.plot(grid, np.exp((grid - middle) / _NOISE**2), **_style.line(0))
    axes.plot(grid, np.exp(laplace), **_style.line(1))
    loss = (answer - middle) / _NOISE**2
    axes.plot([answer, answer], [bottom, math.exp(loss)], color=_style.BLACK, lw=1.2, ls="-")
    axes.plot(answer, math.exp(loss), **_style.mark(0))
    axes.set(yscale="log", xlim=(38, 238), ylim=(bottom, top))
    _style.ticks(axes.yaxis, [0.4, 0.5, 0.7, 1, 1.4, 2, 3])
    axes.text(188, 2.0, "normal noise", color=_style.COLORS[0], ha="right")
    axes.text(40, 0.98, "Laplace noise", color=_style.COLORS[1], va="bottom")
    axes.text(161, 0.315, "where the answers are", color=_style.GREY)
    outside = float(ndtr(-abs(answer - WITH) / _NOISE))
    factor = math.exp(abs(loss))
    rare = _one_in(outside)
    which = "either way" if loss == 0 else "with Ada" if loss > 0 else "without her"
    axes.set(
        xlabel="answer",
        ylabel="factor on the odds for Ada",
        title=f"{answer:g}: {factor:.2f} times as likely {which}; {rare} is further out",
    )
    _style.handle(axes, answer_at=(answer, math.exp(loss)))
    return _style.describe(
        axes,
        f"How many times as likely each answer is with Ada as without her, on a logarithmic axis. "
        f"With Laplace noise of scale 10 it is level on both sides, at 1.105 and 1 in 1.105. With "
        f"normal noise of standard deviation 10 it is a straight line that rises without end. An "
        f"answer of {answer:g} is {factor:.2f} times as likely {which}, and {rare} lies "
        f"further out.",
    )


@_style.styled
def sticking_out(*, epsilon: float, sigma: float, ax: Axes | None = None) -> Axes:
    """Delta as the part of one bell that sticks out of e^epsilon times the other.

    The noisy counts of 138, with Ada, and 137. All of the first bell beyond the crossing is the
    probability that the loss exceeds epsilon; what sticks out is delta.

    Parameters
    ----------
    sigma : float
        The standard deviation of the noise, in [0.7, 3].

    Examples
    --------
    >>> from dpteach.figures import alt_text
    >>> text = alt_text(sticking_out(epsilon=1.0, sigma=1.0))
    >>> "with probability 0.309; what sticks out, delta, is 0.127." in text
    True
    """
    epsilon = _check.real("epsilon", epsilon, _LEVEL)
    sigma = _check.real("sigma", sigma, _SIGMA)
    axes = _style.new_axes(ax)
    noise = Gaussian(sigma=sigma)
    delta = noise.guarantee(ApproxDP, epsilon=epsilon).delta
    beyond = noise.guarantee(ProbabilisticDP, epsilon=epsilon).delta
    crossing = (WITH + WITHOUT) / 2 + epsilon * sigma**2
    y = np.union1d(np.linspace(132, 146, 169), [crossing])
    p, q = _bell(y, WITH, sigma), _bell(y, WITHOUT, sigma)
    raised = math.exp(epsilon) * q
    out = y >= crossing
    axes.fill_between(
        y[out], 0, raised[out], facecolor=_FAINT, edgecolor=_style.GREY, hatch="//", lw=0
    )
    axes.fill_between(y[out], raised[out], p[out], color=_style.BLUE, alpha=0.6, lw=0)
    axes.plot(y, p, **_style.line(0), label="138, with Ada")
    axes.plot(y, raised, **_style.line(1), label=r"137, times $e^{\varepsilon}$")
    axes.plot(y, q, color=_style.GREY, ls=":", lw=1.4, label="137, without her")
    height = float(_bell(crossing, WITH, sigma))
    axes.plot(crossing, height, color=_style.BLACK, marker="o", ls="none")
    axes.set(
        xlim=(132, 146),
        ylim=(0, 0.6),
        yticks=[],
        xlabel="answer",
        title=f"sticks out: δ = {delta:.3g}; all beyond the crossing: {beyond:.3g}",
    )
    axes.legend(loc="upper right", title=f"ε = {epsilon:g}, σ = {sigma:g}")
    _style.handle(axes, epsilon=(crossing, height))
    return _style.describe(
        axes,
        f"Two bells of standard deviation {sigma:g}, around 138 and 137, and the second one times "
        f"e^epsilon for epsilon = {epsilon:g}. The first is higher beyond {crossing:g}: the loss "
        f"exceeds epsilon there, with probability {beyond:.3g}; what sticks out, delta, is "
        f"{delta:.3g}.",
    )


@_style.styled
def textbook_noise(*, delta: float, ax: Axes | None = None) -> Axes:
    """The noise of the textbook's formula, in multiples of the least that keeps the promise.

    Examples
    --------
    >>> from dpteach.figures import alt_text
    >>> text = alt_text(textbook_noise(delta=1e-5))
    >>> "1.58 times the least at epsilon 0.1, 1.30 times at 1 and 0.97 times at 10" in text
    True
    """
    delta = _check.real("delta", delta, _DELTA)
    axes = _style.new_axes(ax)
    factor = math.sqrt(2 * math.log(1.25 / delta))
    levels = np.geomspace(0.05, 20, 53)

    def multiple(epsilon: float) -> float:
        return factor / epsilon / calibrate(Gaussian, ApproxDP(epsilon, delta)).sigma

    times = np.array([multiple(float(x)) for x in levels])
    axes.axhspan(0.75, 1, color="#F6E3D8", lw=0)
    axes.axhline(1, color=_style.GREY, lw=1.2, ls="-")
    proved = levels <= 1.0001
    axes.plot(levels[proved], times[proved], color=_style.BLUE, ls="-")
    axes.plot(levels[~proved], times[~proved], color=_style.BLUE, ls=":")
    axes.text(0.055, 1.02, "the least noise", color=_style.GREY)
    axes.text(0.055, 0.86, "too little: the promise is broken", color=_style.BLACK)
    axes.text(0.34, 1.51, "where it is proved", color=_style.BLUE)
    axes.text(2.0, 1.26, "where it is not", color=_style.BLUE)
    axes.set(
        xscale="log",
        xlim=(0.05, 20),
        ylim=(0.75, 1.75),
        xlabel=r"$\varepsilon$ of the promise",
        ylabel="noise, in multiples of the least",
        title=f"The textbook's formula at δ = {delta:g}",
    )
    _style.ticks(axes.xaxis, [0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20])
    return _style.describe(
        axes,
        f"The noise of the textbook's formula against epsilon, at delta {delta:g}: "
        f"{multiple(0.1):.2f} times the least at epsilon 0.1, {multiple(1):.2f} times at 1 and "
        f"{multiple(10):.2f} times at 10, where it is too little.",
    )


@_style.styled
def noise_for_counts(*, epsilon: float, delta: float, ax: Axes | None = None) -> Axes:
    """The standard deviation of the noise for k counts at once, which one person may all change.

    Laplace noise for epsilon-DP, which the sum of the changes sets, and normal noise for
    (epsilon, delta)-DP, which their Euclidean length sets.

    Examples
    --------
    >>> from dpteach.figures import alt_text
    >>> text = alt_text(noise_for_counts(epsilon=0.5, delta=1e-5))
    >>> "From 7 counts on normal noise is the smaller." in text
    True
    """
    epsilon = _check.real("epsilon", epsilon, _EPSILON)
    delta = _check.real("delta", delta, _DELTA)
    axes = _style.new_axes(ax)
    target = ApproxDP(epsilon, delta)
    k = np.geomspace(1, 1000, 31)
    laplace = [math.sqrt(2) * calibrate(Laplace, PureDP(epsilon), sensitivity=x).scale for x in k]
    normal = [calibrate(Gaussian, target, sensitivity=math.sqrt(x)).sigma for x in k]
    first = math.floor((normal[0] / laplace[0]) ** 2) + 1
    axes.plot(k, normal, **_style.line(0))
    axes.plot(k, laplace, **_style.line(1))
    meet = (normal[0] / laplace[0]) ** 2
    axes.plot(meet, laplace[0] * meet, color=_style.BLACK, marker="o", ls="none")
    axes.text(150, normal[0] * 6.5, "normal", color=_style.COLORS[0], va="top")
    axes.text(250, laplace[0] * 420, "Laplace", color=_style.COLORS[1], ha="right")
    axes.set(
        xscale="log",
        yscale="log",
        xlim=(1, 1000),
        ylim=(0.7 * laplace[0], 1.2 * laplace[-1]),
        xlabel="counts at once",
        ylabel="standard deviation of the noise",
        title=f"δ = {delta:g}: from {first} counts on normal noise is the smaller",
    )
    _style.ticks(axes.xaxis, [1, 10, 100, 1000])
    _style.ticks(axes.yaxis, [x for x in (0.1, 1, 10, 100, 1000) if laplace[0] < 1.4 * x])
    _style.handle(axes, delta=(meet, laplace[0] * meet))
    return _style.describe(
        axes,
        f"Standard deviation of the noise for k counts that one person may all change, at epsilon "
        f"{epsilon:g}, on logarithmic axes. Laplace noise grows like k, from {laplace[0]:.3g} to "
        f"{laplace[-1]:,.0f} at 1,000 counts; normal noise at delta {delta:g} like the square "
        f"root, from {normal[0]:.3g} to {normal[-1]:,.0f}. From {first} counts on normal noise is "
        f"the smaller.",
    )
