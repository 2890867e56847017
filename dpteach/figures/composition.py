"""Figures on composition: the total privacy loss, its bounds, and the noise for many queries.

Unless a function says otherwise, its parameters are:

epsilon : float
    The epsilon of one release, or the total epsilon of several counts, in (0, 1].
delta : float
    The total delta of all releases, in [1e-30, 0.1].
k : int
    The number of releases or counts that is marked in the figure.
"""

from __future__ import annotations

import math
from itertools import pairwise

import numpy as np
from matplotlib.axes import Axes
from numpy.typing import NDArray

from dpteach import _check
from dpteach._language import N_, catalog
from dpteach.calibration import calibrate
from dpteach.composition import (
    advanced_composition,
    many_gaussian_queries,
    many_laplace_queries,
    optimal_composition,
    worst_steps,
)
from dpteach.figures import _style
from dpteach.figures._shared import one_in
from dpteach.mechanisms import Gaussian
from dpteach.notions import ApproxDP

_, _n = catalog("figures")

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

#: the line styles in all figures of this module: basic composition, advanced composition, the
#: smallest valid epsilon or noise, and queries that are asked as one vector
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
    """Draw the distribution of the total privacy loss of k reports by randomized response.

    Each report is true with odds e^epsilon : 1. The loss is shown as a share of the worst case,
    k epsilon. The mean, the 99th percentile and the worst case are marked.

    Parameters
    ----------
    k : int
        The number of reports, from 1 to 1000.

    Examples
    --------
    >>> from dpteach.figures import alt_text
    >>> text = alt_text(losses_of_coins(k=100, epsilon=0.1))
    >>> "the worst case, 10, has probability 1 in 10²⁸; the 99th percentile is 2.8" in text
    True
    """
    k = _most("k", k, _MOST)
    epsilon = _check.real("epsilon", epsilon, _EPSILON)
    axes = _style.new_axes(ax)
    # the probabilities of k, k - 1, ..., 0 true reports
    distribution = worst_steps(ApproxDP(epsilon, 0.0), k).p[1:-1]
    shares = 1 - 2 * np.arange(k + 1.0) / k
    # scale the bars to the same height for every k, because only their positions matter
    axes.bar(shares, distribution / distribution.max(), width=min(0.1, 2 / k), color=_style.BLUE)
    # the smallest loss, as a share of k epsilon, that is exceeded with probability at most 1%
    stay = float(shares[int(np.argmax(np.cumsum(distribution) > 0.01))])
    mean = math.tanh(epsilon / 2)
    worst = k * epsilon
    axes.plot([mean, mean], [0, 1.06], color=_style.BLACK, lw=1.2, ls="-")
    axes.text(mean, 1.08, _("mean {mean:.2g}", mean=worst * mean), ha="right", va="bottom")
    axes.plot([1, 1], [0, 1.06], **_ADDED | {"linewidth": 1.6})
    axes.text(
        1.07, 1.06, _("worst\ncase\n{worst:.3g}", worst=worst), color=_ADDED["color"], va="top"
    )
    axes.plot([stay, stay], [0, 1.34], color=_style.GREEN, lw=1.6, ls="-.")
    axes.plot(stay, 1.34, color=_style.GREEN, marker="o", ls="none")
    left = stay > 0.5
    axes.text(
        stay + (-0.11 if left else 0.11),
        1.34,
        _("99th percentile {stay:.3g}", stay=worst * stay),
        color=_style.GREEN,
        ha="right" if left else "left",
        va="center",
    )
    rare = one_in(float(distribution[0]))
    reports = _n("{count} report", "{count} reports", k)
    axes.set(
        xlim=(-1.15, 1.35),
        ylim=(0, 1.45),
        yticks=[],
        xlabel=_("total privacy loss, as a percentage of the worst case"),
        title=_(
            "{reports}, ε = {epsilon:g} each; probability of the worst case: {rare}",
            reports=reports,
            epsilon=epsilon,
            rare=rare,
        ),
    )
    axes.set_xticks([-1, -0.5, 0, 0.5, 1], ["−100%", "−50%", "0", "50%", "100%"])
    axes.grid(axis="y", visible=False)
    axes.spines["left"].set_visible(False)
    _style.handle(axes, k=(stay, 1.34))
    return _style.describe(
        axes,
        _(
            "Bars show the distribution of the total privacy loss of {reports}, "
            "on an axis from −{worst:.3g} to "
            "{worst:.3g}. The mean is {mean:.3g}; the worst case, {worst:.3g}, has "
            "probability {rare}; the 99th percentile is {stay:.3g}, which is "
            "{stay_2:.0%} of the worst case.",
            reports=_n(
                "{count} report with epsilon {epsilon:g}",
                "{count} reports with epsilon {epsilon:g} each",
                k,
                epsilon=epsilon,
            ),
            worst=worst,
            mean=worst * mean,
            rare=rare,
            stay=worst * stay,
            stay_2=stay,
        ),
    )


@_style.styled
def composed_epsilons(*, epsilon: float, delta: float, ax: Axes | None = None) -> Axes:
    """Draw the total epsilon of k releases by four theorems, divided by one release's epsilon.

    The theorems are basic composition, advanced composition as most books state it, advanced
    composition with the best possible bound on the mean loss, and optimal composition. Each release
    is epsilon-DP, and delta is the total for all releases.

    Parameters
    ----------
    epsilon : float
        The epsilon of each release, in [0.001, 5].

    Examples
    --------
    >>> from dpteach.figures import alt_text
    >>> text = alt_text(composed_epsilons(epsilon=0.1, delta=1e-6))
    >>> "below basic composition for 31 or more releases" in text
    True
    """
    epsilon = _check.real("epsilon", epsilon, _STEP)
    delta = _check.real("delta", delta, _DELTA)
    axes = _style.new_axes(ax)
    axes.figure.subplots_adjust(right=0.736)
    step = ApproxDP(epsilon, 0.0)
    counts = [int(n) for n in np.unique(np.geomspace(1, _MOST, 40).round())]

    # the smaller of two bounds, divided by epsilon: basic composition, and advanced composition
    # with the exact mean loss. They are two of the three in theorem 3.4 of Kairouz, Oh and
    # Viswanath (2015)
    def advanced(n: int) -> float:
        return min(n, n * math.tanh(epsilon / 2) + math.sqrt(-2 * n * math.log(delta)))

    curves = {
        N_("basic"): (np.array(counts, float), _ADDED),
        N_("usual"): (
            np.array([advanced_composition(step, n, slack=delta).epsilon for n in counts])
            / epsilon,
            _TEXTBOOK,
        ),
        N_("advanced"): (np.array([advanced(n) for n in counts]), _ADVANCED),
        N_("optimal"): (
            np.array([optimal_composition(step, n, delta=delta).epsilon for n in counts]) / epsilon,
            _OPTIMAL,
        ),
    }
    for values, look in curves.values():
        axes.plot(counts, values, **look)
    ends = _apart([min(float(values[-1]), 3000.0) for values, _rest in curves.values()], 1.6)
    for (name, (_other, look)), end in zip(curves.items(), ends, strict=True):
        axes.text(1.32 * _MOST, end, _(name), color=look["color"], va="center", clip_on=False)
    pays = next((n for n in range(2, _MOST + 1) if advanced(n) < n * (1 - 1e-9)), None)
    meet = float(pays or _MOST)
    if pays:
        axes.plot(meet, meet, color=_style.BLACK, marker="o", ls="none")
    found = (
        _("for {pays} or more releases", pays=pays)
        if pays
        else _("for no number up to {MOST:,}", MOST=_MOST)
    )
    axes.set(
        xscale="log",
        yscale="log",
        xlim=(1, _MOST),
        ylim=(1, 3000),
        xlabel=_("number $k$ of releases"),
        ylabel=_("total $\\varepsilon$ / $\\varepsilon$ of one release"),
        title=_(
            "ε = {epsilon:g} each, δ = {delta:g}: advanced is better {found}",
            epsilon=epsilon,
            delta=delta,
            found=found,
        ),
    )
    _style.ticks(axes.xaxis, [1, 10, 100, 1000])
    _style.ticks(axes.yaxis, [1, 10, 100, 1000])
    _style.handle(axes, epsilon=(meet, meet))
    basic, usual, tight, best = (values[-1] * epsilon for values, _rest in curves.values())
    return _style.describe(
        axes,
        _(
            "The curves show the total epsilon of k releases with epsilon "
            "{epsilon:g} each, at delta {delta:g}, divided by {epsilon:g}, on "
            "logarithmic axes. Basic composition is the diagonal. Advanced "
            "composition is below basic composition {found}. At {MOST:,} releases "
            "the values of epsilon are {basic:.4g} by basic composition, {usual:.4g} "
            "by the usual formula, {tight:.4g} by advanced composition, and "
            "{best:.4g} by optimal composition.",
            epsilon=epsilon,
            delta=delta,
            found=found,
            MOST=_MOST,
            basic=basic,
            usual=usual,
            tight=tight,
            best=best,
        ),
    )


def _apart(values: list[float], factor: float) -> list[float]:
    """Return label positions on a logarithmic axis, lowered so that the labels do not overlap.

    The positions are near `values`, and each is at least `factor` times the next lower one.
    """
    order = sorted(range(len(values)), key=lambda i: -values[i])
    places = list(values)
    for above, below in pairwise(order):
        places[below] = min(places[below], places[above] / factor)
    return places


@_style.styled
def laplace_noise_for_queries(*, epsilon: float, shared: int = 10, ax: Axes | None = None) -> Axes:
    """Draw the scale of Laplace noise for k counts under epsilon-DP, asked singly or as a vector.

    If the queries are asked one at a time, each count gets epsilon/k. As one vector, the counts
    have an L1 sensitivity equal to the number of counts that can include the same patient.

    Parameters
    ----------
    shared : int
        The number of counts that can include the same patient, from 1 to 10.

    Examples
    --------
    >>> from dpteach.figures import alt_text
    >>> text = alt_text(laplace_noise_for_queries(epsilon=0.1))
    >>> "at 10 counts, both methods need scale 100." in text
    True
    """
    epsilon = _check.real("epsilon", epsilon, _EPSILON)
    most = 10
    shared = _most(_("shared"), shared, most)
    axes = _style.new_axes(ax)
    axes.figure.subplots_adjust(right=0.736)
    counts = range(1, most + 1)
    one_by_one = [many_laplace_queries(epsilon, n).composed for n in counts]
    at_once = [many_laplace_queries(epsilon, min(n, shared)).vectorised for n in counts]
    axes.plot(counts, one_by_one, **_ADDED | {"linewidth": 4, "alpha": 0.5, "linestyle": "-"})
    axes.plot(counts, at_once, color=_AT_ONCE["color"], ls="-", marker="o")
    top = 11.5 * most
    high, low = min(one_by_one[-1], top), min(at_once[-1], top)
    gap = 0.08 * top
    axes.text(10.5, max(high, low + gap), _("one at a time"), color=_ADDED["color"], va="center")
    axes.text(10.5, min(low, high - gap), _("one vector"), color=_AT_ONCE["color"], va="center")
    axes.set(
        xlabel=_("number $k$ of counts"),
        ylabel=_("scale $b$ of the Laplace noise"),
        title=_n(
            "total ε = {epsilon:g}; at most {count} count can include one patient",
            "total ε = {epsilon:g}; at most {count} counts can include one patient",
            shared,
            epsilon=epsilon,
        ),
        xlim=(0, most),
        ylim=(0, top),
    )
    _style.handle(axes, shared=(most, low))
    both = _("both methods need scale {at_once:g}", at_once=at_once[-1])
    apart = _(
        "one at a time needs scale {one_by_one:g}, and one vector {at_once:g}",
        one_by_one=one_by_one[-1],
        at_once=at_once[-1],
    )
    return _style.describe(
        axes,
        _(
            "The lines show the scale of Laplace noise for k counts under "
            "{epsilon:g}-DP, if at most {shared} of them can include the same "
            "patient. For one query at a time, the scale is the straight line "
            "k/epsilon; at {most} counts, {which}.",
            epsilon=epsilon,
            shared=shared,
            most=most,
            which=both if shared == most else apart,
        ),
    )


@_style.styled
def gaussian_noise_for_queries(
    *, epsilon: float, delta: float = 1e-5, k: int = 100, ax: Axes | None = None
) -> Axes:
    """Draw the standard deviation of Gaussian noise for k counts under (epsilon, delta)-DP.

    There are three lines. For the first, queries are asked one at a time, with a simplified form
    of advanced composition and the textbook formula for sigma. For the second, all counts are one
    vector of L2 sensitivity sqrt(k), with the textbook formula. The third is the smallest valid
    standard deviation.

    Parameters
    ----------
    k : int
        The number of counts that is marked, from 1 to 1000.

    Examples
    --------
    >>> from dpteach.figures import alt_text
    >>> text = alt_text(gaussian_noise_for_queries(epsilon=0.1))
    >>> "5768 by the recipe, 484 for one vector, and 307 for the smallest" in text
    True
    """
    epsilon = _check.real("epsilon", epsilon, _EPSILON)
    delta = _check.real("delta", delta, _DELTA)
    k = _most("k", k, _MOST)
    axes = _style.new_axes(ax)
    axes.figure.subplots_adjust(left=0.172, right=0.762)
    target = ApproxDP(epsilon, delta)
    counts = [int(n) for n in np.unique(np.geomspace(1, _MOST, 25).round())]
    both = [many_gaussian_queries(target, n) for n in counts]
    one = calibrate(Gaussian, target).sigma
    composed: Vector = np.array([sigma.composed for sigma in both])
    at_once: Vector = np.array([sigma.vectorised for sigma in both])
    exact: Vector = one * np.sqrt(counts)
    rows = (
        (N_("recipe"), composed, _ADVANCED),
        (N_("one vector"), at_once, _AT_ONCE),
        (N_("smallest"), exact, _OPTIMAL),
    )
    for (name, values, look), end in zip(
        rows, _apart([float(values[-1]) for _name, values, _look in rows], 1.9), strict=True
    ):
        axes.plot(counts, values, **look)
        axes.text(1.32 * _MOST, end, _(name), color=look["color"], va="center")
    marked = many_gaussian_queries(target, k)
    least = one * math.sqrt(k)
    for value, (_name, _curve, look) in zip(
        (marked.composed, marked.vectorised, least), rows, strict=True
    ):
        axes.plot(k, value, color=look["color"], marker="o", ls="none")
    axes.plot([k, k], [least, marked.composed], color=_style.GREY, lw=1, ls=":")
    axes.set(
        xlabel=_("number $k$ of counts"),
        ylabel=_("standard deviation $\\sigma$"),
        title=_(
            "{counts}: recipe {composed:,.0f}, one vector {vectorised:,.0f}, smallest {least:,.0f}",
            counts=_n("{count:,} count", "{count:,} counts", k),
            composed=marked.composed,
            vectorised=marked.vectorised,
            least=least,
        ),
        xscale="log",
        yscale="log",
        xlim=(1, _MOST),
        ylim=(2, 40_000),
    )
    _style.ticks(axes.xaxis, [1, 10, 100, 1000])
    _style.ticks(axes.yaxis, [10, 100, 1000, 10_000])
    axes.yaxis.set_major_formatter(lambda value, place: f"{value:,.0f}")
    _style.handle(axes, k=(k, marked.composed))
    return _style.describe(
        axes,
        _(
            "The lines show the standard deviation of Gaussian noise for k counts "
            "under ({epsilon:g}, {delta:g})-DP, on logarithmic axes. The textbook "
            "line for one vector and the line of the smallest valid values grow "
            "exactly like the square root of k; the recipe for one query at a time "
            "grows slightly faster. For {k} count{which}, the standard deviation is "
            "{composed:.0f} by the recipe, {vectorised:.0f} for one vector, and "
            "{least:.0f} for the smallest valid value.",
            epsilon=epsilon,
            delta=delta,
            k=k,
            which="s" if k > 1 else "",
            composed=marked.composed,
            vectorised=marked.vectorised,
            least=least,
        ),
    )
