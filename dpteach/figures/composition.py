"""Figures on composition: the loss of many answers, what theorems say of it, noise for queries.

Their parameters, where they say no more:

epsilon : float
    In (0, 1], in nats; of all counts together, where there are several.
delta : float
    In [1e-30, 0.1]; of all answers together.
k : int
    The number of answers that is marked.
"""

from __future__ import annotations

import math
from itertools import pairwise

import numpy as np
from matplotlib.axes import Axes
from numpy.typing import NDArray

from dpteach import _check
from dpteach.calibration import calibrate
from dpteach.composition import (
    advanced_composition,
    many_gaussian_queries,
    many_laplace_queries,
    optimal_composition,
    worst_steps,
)
from dpteach.figures import _style
from dpteach.figures.approx import _one_in
from dpteach.mechanisms import Gaussian
from dpteach.notions import ApproxDP

__all__ = [
    "composed_epsilons",
    "gaussian_noise_for_queries",
    "laplace_noise_for_queries",
    "losses_of_coins",
]

Vector = NDArray[np.float64]

_EPSILON = _check.Domain("in (0, 1]", lambda x: 0 < x <= 1)
_STEP = _check.Domain("in [0.001, 5]", lambda x: 0.001 <= x <= 5)
_DELTA = _check.Domain("in [1e-30, 0.1]", lambda x: 1e-30 <= x <= 0.1)

#: each theorem, and each way to ask, has its look in all figures of the chapter
_ADDED, _ADVANCED, _OPTIMAL, _AT_ONCE = (_style.line(i) for i in (1, 2, 0, 3))
_TEXTBOOK = {"color": _style.GREY, "linestyle": (0, (5, 1, 1, 1, 1, 1))}
_MOST = 1000


def _most(name: str, value: int, most: int) -> int:
    count = _check.count(name, value)
    if count > most:
        raise ValueError(f"{name} must be at most {most}, got {name}={count}")
    return count


@_style.styled
def losses_of_coins(*, k: int, epsilon: float, ax: Axes | None = None) -> Axes:
    """The law of the privacy loss of k answers by coin, in shares of the worst case.

    Each answer is true with odds e^epsilon : 1. Marked are the mean, the least loss that at most
    1 in 100 exceed, and the worst case, k epsilon, with its probability.

    Parameters
    ----------
    k : int
        From 1 to 1000.

    Examples
    --------
    >>> from dpteach.figures import alt_text
    >>> text = alt_text(losses_of_coins(k=100, epsilon=0.1))
    >>> "the worst case, 10, comes with a probability of 1 in 10²⁸; 99 in 100 stay at 2.8" in text
    True
    """
    k = _most("k", k, _MOST)
    epsilon = _check.real("epsilon", epsilon, _EPSILON)
    axes = _style.new_axes(ax)
    law = worst_steps(ApproxDP(epsilon, 0.0), k).p[1:-1]  # from k true answers to none
    shares = 1 - 2 * np.arange(k + 1.0) / k
    # every picture has the same height: what matters is where the heap is
    axes.bar(shares, law / law.max(), width=min(0.1, 2 / k), color=_style.BLUE)
    # the first of the losses, from the worst down, that is passed by more than 1 in 100
    stay = float(shares[int(np.argmax(np.cumsum(law) > 0.01))])
    mean = math.tanh(epsilon / 2)
    worst = k * epsilon
    axes.plot([mean, mean], [0, 1.06], color=_style.BLACK, lw=1.2, ls="-")
    axes.text(mean, 1.08, f"mean {worst * mean:.2g}", ha="right", va="bottom")
    axes.plot([1, 1], [0, 1.06], **_ADDED | {"linewidth": 1.6})
    axes.text(1.03, 0.98, f"sum {worst:.3g}", color=_ADDED["color"])
    axes.plot([stay, stay], [0, 1.34], color=_style.GREEN, lw=1.6, ls="-.")
    axes.plot(stay, 1.34, color=_style.GREEN, marker="o", ls="none")
    left = stay > 0.5
    axes.text(
        stay + (-0.11 if left else 0.11),
        1.34,
        f"99 in 100 stay at {worst * stay:.3g} or below",
        color=_style.GREEN,
        ha="right" if left else "left",
        va="center",
    )
    rare = _one_in(float(law[0]))
    answers = f"{k} answer{'s' if k > 1 else ''}"
    axes.set(
        xlim=(-1.15, 1.35),
        ylim=(0, 1.45),
        yticks=[],
        xlabel="loss of all answers together, in shares of the worst case",
        title=f"{answers}, ε = {epsilon:g} each; all at their worst: {rare}",
    )
    axes.set_xticks([-1, -0.5, 0, 0.5, 1], ["−100 %", "−50 %", "0", "50 %", "100 %"])
    axes.grid(axis="y", visible=False)
    axes.spines["left"].set_visible(False)
    _style.handle(axes, k=(stay, 1.34))
    return _style.describe(
        axes,
        f"A heap of bars, the law of the privacy loss of {answers}, each of epsilon "
        f"{epsilon:g}, from minus to plus {worst:.3g}. The mean is {worst * mean:.3g}; the worst "
        f"case, {worst:.3g}, comes with a probability of {rare}; 99 in 100 stay at "
        f"{worst * stay:.3g} or below, {stay:.0%} of the worst case.",
    )


@_style.styled
def composed_epsilons(*, epsilon: float, delta: float, ax: Axes | None = None) -> Axes:
    """What theorems say of k answers, in multiples of the epsilon of one.

    By adding up, by advanced composition as in most books and with the least drift, and by
    optimal composition; each answer is epsilon-DP, and all together are (.., delta)-DP.

    Parameters
    ----------
    epsilon : float
        Of each answer, in [0.001, 5].

    Examples
    --------
    >>> from dpteach.figures import alt_text
    >>> text = alt_text(composed_epsilons(epsilon=0.1, delta=1e-6))
    >>> "below the sum from 31 answers on" in text
    True
    """
    epsilon = _check.real("epsilon", epsilon, _STEP)
    delta = _check.real("delta", delta, _DELTA)
    axes = _style.new_axes(ax)
    axes.figure.subplots_adjust(right=0.8)
    step = ApproxDP(epsilon, 0.0)
    counts = [int(n) for n in np.unique(np.geomspace(1, _MOST, 40).round())]

    # Kairouz, Oh and Viswanath (2015), theorem 3.4, without its middle formula
    def advanced(n: int) -> float:
        return min(n, n * math.tanh(epsilon / 2) + math.sqrt(-2 * n * math.log(delta)))

    curves = {
        "adding up": (np.array(counts, float), _ADDED),
        "as printed": (
            np.array([advanced_composition(step, n, slack=delta).epsilon for n in counts])
            / epsilon,
            _TEXTBOOK,
        ),
        "advanced": (np.array([advanced(n) for n in counts]), _ADVANCED),
        "optimal": (
            np.array([optimal_composition(step, n, delta=delta).epsilon for n in counts]) / epsilon,
            _OPTIMAL,
        ),
    }
    for values, look in curves.values():
        axes.plot(counts, values, **look)
    ends = _apart([min(float(values[-1]), 3000.0) for values, _ in curves.values()], 1.6)
    for (name, (_, look)), end in zip(curves.items(), ends, strict=True):
        axes.text(1.21 * _MOST, end, name, color=look["color"], va="center", clip_on=False)
    pays = next((n for n in range(2, _MOST + 1) if advanced(n) < n * (1 - 1e-9)), None)
    meet = float(pays or _MOST)
    if pays:
        axes.plot(meet, meet, color=_style.BLACK, marker="o", ls="none")
    found = f"from {pays} answers on" if pays else f"for no number up to {_MOST:,}"
    axes.set(
        xscale="log",
        yscale="log",
        xlim=(1, _MOST),
        ylim=(1, 3000),
        xlabel=r"answers $k$",
        ylabel=r"$\varepsilon$ of all, over that of one",
        title=f"ε = {epsilon:g} each, δ = {delta:g}: advanced pays {found}",
    )
    _style.ticks(axes.xaxis, [1, 10, 100, 1000])
    _style.ticks(axes.yaxis, [1, 10, 100, 1000])
    _style.handle(axes, epsilon=(meet, meet))
    said = [f"{name} {values[-1] * epsilon:.4g}" for name, (values, _) in curves.items()]
    return _style.describe(
        axes,
        f"Epsilon of k answers, each of epsilon {epsilon:g}, at delta {delta:g}, on logarithmic "
        f"axes. Adding up is the diagonal. Advanced composition is below the sum {found}. At "
        f"{_MOST:,} answers: {', '.join(said)}.",
    )


def _apart(values: list[float], factor: float) -> list[float]:
    """Places of labels on a logarithmic axis, near the values and apart by a factor."""
    order = sorted(range(len(values)), key=lambda i: -values[i])
    places = list(values)
    for above, below in pairwise(order):
        places[below] = min(places[below], places[above] / factor)
    return places


@_style.styled
def laplace_noise_for_queries(*, epsilon: float, shared: int = 10, ax: Axes | None = None) -> Axes:
    """The scale of Laplace noise for k counts under epsilon-DP: one by one, or as one vector.

    One by one each count gets epsilon/k; as one vector, one person moves it in L1 by as many
    counts as she may be in.

    Parameters
    ----------
    shared : int
        In how many of the counts one person may be, from 1 to 10.

    Examples
    --------
    >>> from dpteach.figures import alt_text
    >>> "at 10 counts both need scale 100." in alt_text(laplace_noise_for_queries(epsilon=0.1))
    True
    """
    epsilon = _check.real("epsilon", epsilon, _EPSILON)
    most = 10
    shared = _most("shared", shared, most)
    axes = _style.new_axes(ax)
    axes.figure.subplots_adjust(right=0.8)
    counts = range(1, most + 1)
    one_by_one = [many_laplace_queries(epsilon, n).composed for n in counts]
    at_once = [many_laplace_queries(epsilon, min(n, shared)).vectorised for n in counts]
    axes.plot(counts, one_by_one, **_ADDED | {"linewidth": 4, "alpha": 0.5, "linestyle": "-"})
    axes.plot(counts, at_once, color=_AT_ONCE["color"], ls="-", marker="o")
    top = 11.5 * most
    high, low = min(one_by_one[-1], top), min(at_once[-1], top)
    gap = 0.08 * top
    axes.text(10.5, max(high, low + gap), "one by one", color=_ADDED["color"], va="center")
    axes.text(10.5, min(low, high - gap), "at once", color=_AT_ONCE["color"], va="center")
    axes.set(
        xlabel=r"counts $k$",
        ylabel=r"scale $b$ of the noise",
        title=f"Laplace noise, ε = {epsilon:g}; a person is in up to {shared} of the counts",
        xlim=(0, most),
        ylim=(0, top),
    )
    _style.handle(axes, shared=(most, low))
    same = "both need scale" if shared == most else f"one by one needs {one_by_one[-1]:g}, at once"
    return _style.describe(
        axes,
        f"Scale of Laplace noise for k counts under {epsilon:g}-DP, if a person may be in up to "
        f"{shared} of them. One by one it is the straight line k/epsilon; at {most} counts {same} "
        f"{at_once[-1]:g}.",
    )


@_style.styled
def gaussian_noise_for_queries(
    *, epsilon: float, delta: float = 1e-5, k: int = 100, ax: Axes | None = None
) -> Axes:
    """The standard deviation of Gaussian noise for k counts under (epsilon, delta)-DP.

    One by one by advanced composition, simplified, and the textbook's formula; as one vector,
    which one person moves by sqrt(k) in L2, by the textbook's formula and exactly.

    Parameters
    ----------
    k : int
        From 1 to 1000.

    Examples
    --------
    >>> from dpteach.figures import alt_text
    >>> text = alt_text(gaussian_noise_for_queries(epsilon=0.1))
    >>> "advanced composition 5768, one vector 484, exact 307" in text
    True
    """
    epsilon = _check.real("epsilon", epsilon, _EPSILON)
    delta = _check.real("delta", delta, _DELTA)
    k = _most("k", k, _MOST)
    axes = _style.new_axes(ax)
    axes.figure.subplots_adjust(left=0.13, right=0.82)
    target = ApproxDP(epsilon, delta)
    counts = [int(n) for n in np.unique(np.geomspace(1, _MOST, 25).round())]
    both = [many_gaussian_queries(target, n) for n in counts]
    one = calibrate(Gaussian, target).sigma
    composed: Vector = np.array([sigma.composed for sigma in both])
    at_once: Vector = np.array([sigma.vectorised for sigma in both])
    exact: Vector = one * np.sqrt(counts)
    rows = (
        ("by pairs", composed, _ADVANCED),
        ("at once", at_once, _AT_ONCE),
        ("exact", exact, _OPTIMAL),
    )
    for (name, values, look), end in zip(
        rows, _apart([float(values[-1]) for _, values, _ in rows], 1.9), strict=True
    ):
        axes.plot(counts, values, **look)
        axes.text(1.21 * _MOST, end, name, color=look["color"], va="center")
    marked = many_gaussian_queries(target, k)
    least = one * math.sqrt(k)
    for value, (_, _, look) in zip((marked.composed, marked.vectorised, least), rows, strict=True):
        axes.plot(k, value, color=look["color"], marker="o", ls="none")
    axes.plot([k, k], [least, marked.composed], color=_style.GREY, lw=1, ls=":")
    axes.set(
        xlabel=r"counts $k$",
        ylabel=r"standard deviation $\sigma$",
        title=f"{k:,} count{'s' if k > 1 else ''}: {marked.composed:,.0f} by pairs, "
        f"{marked.vectorised:,.0f} at once, {least:,.0f} exactly",
        xscale="log",
        yscale="log",
        xlim=(1, _MOST),
        ylim=(2, 40_000),
    )
    _style.ticks(axes.xaxis, [1, 10, 100, 1000])
    _style.ticks(axes.yaxis, [10, 100, 1000, 10_000])
    axes.yaxis.set_major_formatter(lambda value, _: f"{value:,.0f}")
    _style.handle(axes, k=(k, marked.composed))
    return _style.describe(
        axes,
        f"Standard deviation of Gaussian noise for k counts under ({epsilon:g}, {delta:g})-DP, on "
        f"logarithmic axes. Two grow like the square root of k, the first a little faster. At "
        f"{k} counts: one by one with advanced composition {marked.composed:.0f}, one vector "
        f"{marked.vectorised:.0f}, exact {least:.0f}.",
    )
