"""Figures on private selection, the sparse vector technique and local differential privacy.

A parameter of all figures:

epsilon : float
    The epsilon of the whole release, in nats.
"""

from __future__ import annotations

import functools
import math

import numpy as np
from matplotlib.axes import Axes
from numpy.typing import NDArray

from dpteach import _check
from dpteach._language import N_, catalog
from dpteach.calibration import calibrate
from dpteach.figures import _style
from dpteach.mechanisms import (
    ExponentialMechanism,
    KaryRandomizedResponse,
    Laplace,
    RandomizedResponse,
    ReportNoisyMax,
    SparseVector,
)
from dpteach.notions import ZCDP, Adjacency, PureDP, RenyiDP

_, _n = catalog("figures")

__all__ = [
    "alarm_days",
    "lead_for_a_name",
    "local_and_central",
    "named_wards",
    "renyi_of_a_name",
]

Vector = NDArray[np.float64]

_EPSILON = _check.Domain("in [0.01, 2]", lambda x: 0.01 <= x <= 2)
_COUNT = _check.Domain("in [40, 95]", lambda x: 40 <= x <= 95)
_THRESHOLD = _check.Domain("in [80, 130]", lambda x: 80 <= x <= 130)
_ORDER = _check.Domain("in [1, 12]", lambda x: 1 <= x <= 12)

#: the line styles of the mechanisms: publishing only the selected candidate, publishing all counts,
#: selection with exponential noise, and randomized response. `local_and_central` uses the third
#: style for a report of one bit for each category
_NAME, _NUMBERS, _EXPONENTIAL, _COIN = (_style.line(i) for i in (0, 1, 2, 3))
#: in `named_wards`: the labels of the rows, the counts of the third to fifth ward, and then the
#: number of all other wards and the count of each of them
_WARDS = (N_("X-ray"), N_("Eyes"), N_("Skin"), N_("Heart"), N_("Ear"), N_("35 others"))
_BELOW = (70.0, 64.0, 51.0)
_OTHERS, _OF_OTHERS = 35, 40.0
#: how many patients wait for an operation on each of thirty days
_WAITING = (
    71, 74, 69, 78, 80, 75, 72, 81, 77, 84, 79, 82, 76, 85, 83,
    80, 88, 84, 91, 87, 112, 95, 90, 99, 97, 104, 93, 101, 98, 96,
)  # fmt: skip
#: in `lead_for_a_name`: the probability with which the best candidate is to be selected, and the
#: largest number of candidates
_SURE = 0.95
_MOST = 120


@_style.styled
def named_wards(
    *, epsilon: float, first: float = 82.0, second: float = 75.0, ax: Axes | None = None
) -> Axes:
    """Draw the probability with which the exponential mechanism selects each of forty wards.

    The score of a ward is its count, which is shown beside the probability. An added person may
    increase all counts and decreases none, so the scores are monotonic. The first two wards have
    the given counts, the next three have the counts 70, 64 and 51, and 35 others have the count
    40.

    Parameters
    ----------
    epsilon : float
        The epsilon of the whole release, in [0.01, 2].
    first, second : float
        The counts of the first two wards, in [40, 95].

    Examples
    --------
    >>> from dpteach.figures import alt_text
    >>> "X-ray with 82 is selected with probability 73%" in alt_text(named_wards(epsilon=0.2))
    True
    """
    epsilon = _check.real("epsilon", epsilon, _EPSILON)
    first = _check.real("first", first, _COUNT)
    second = _check.real("second", second, _COUNT)
    axes = _style.new_axes(ax)
    axes.figure.subplots_adjust(left=0.185, top=0.86)
    counts = [first, second, *_BELOW, _OF_OTHERS]
    law = ExponentialMechanism(epsilon, monotonic=True).law(
        [first, second, *_BELOW, *[_OF_OTHERS] * _OTHERS]
    )
    chances = [*map(float, law[:5]), float(law[5:].sum())]
    # the left part of the horizontal axis shows the counts, up to 100; to the right of them, the
    # bars of the probabilities extend from `zero` (0%) to `hundred` (100%)
    zero, hundred = 108.0, 168.0
    rows = range(len(_WARDS) - 1, -1, -1)
    axes.hlines(rows, 30, counts, color="#C9C9C9", linewidth=3)
    axes.plot(counts, rows, color=_style.BLACK, marker="o", linestyle="none")
    widths = [(hundred - zero) * chance for chance in chances]
    axes.barh(rows, widths, left=zero, height=0.55, color=_NAME["color"])
    for row, width, chance in zip(rows, widths, chances, strict=True):
        axes.text(zero + width + 2, row, _percent(chance), color=_NAME["color"], va="center")
    axes.axvline(zero, color="#444444", linewidth=0.8, linestyle="-")
    axes.text(30, 5.75, _("names on the list"), color=_style.BLACK)
    axes.text(zero, 5.75, _("probability of selection"), color=_NAME["color"])
    axes.set(
        xlim=(30, 187),
        ylim=(-0.6, 5.6),
        yticks=list(rows),
        yticklabels=[_(ward) for ward in _WARDS],
    )
    axes.set_xticks(
        [40, 60, 80, zero, (zero + hundred) / 2, hundred],
        ["40", "60", "80", "0%", "50%", "100%"],
    )
    axes.set_title(
        _(
            "ε = {epsilon:g}: X-ray is selected {chances}",
            epsilon=epsilon,
            chances=_in_a_hundred(chances[0]),
        ),
        pad=20,
    )
    axes.grid(axis="y", visible=False)
    _style.handle(axes, first=(first, 5.0), second=(second, 4.0))
    said = [
        _(
            "{ward} with {count:g} is selected with probability {chance}",
            ward=_(ward),
            count=count,
            chance=_percent(chance),
        )
        for ward, count, chance in zip(_WARDS[:-1], counts, chances, strict=False)
    ]
    return _style.describe(
        axes,
        _(
            "Bars beside the true counts of forty wards show, for epsilon "
            "{epsilon:g}, the probability of each selection: {said}; one of the "
            "{OTHERS} others with {OF_OTHERS:g} each is selected with probability "
            "{chances}.",
            epsilon=epsilon,
            said="; ".join(said),
            OTHERS=_OTHERS,
            OF_OTHERS=_OF_OTHERS,
            chances=_percent(chances[-1]),
        ),
    )


def _percent(chance: float) -> str:
    """Return a percentage such as "73%", with one decimal below one percent."""
    share = 100 * chance
    if share < 0.05:
        return "0%"
    return f"{share:.0f}%" if share >= 0.95 else f"{share:.1f}%"


def _in_a_hundred(chance: float) -> str:
    return _("{percent} times in 100", percent=round(100 * chance))


@_style.styled
def lead_for_a_name(*, candidates: int, epsilon: float = 0.2, ax: Axes | None = None) -> Axes:
    """Draw the lead with which the best of n candidates is selected with probability 95%, by n.

    The lead is the difference between the best count and the other counts, which are all equal.
    One person may be in all counts. The curves are for publishing only the selected candidate,
    with Gumbel noise (the exponential mechanism) or exponential noise, and for publishing all
    counts with Laplace noise.

    Parameters
    ----------
    candidates : int
        The number of candidates that is marked, from 2 to 120.
    epsilon : float
        The epsilon of the whole release, in [0.01, 2].

    Examples
    --------
    >>> from dpteach.figures import alt_text
    >>> text = alt_text(lead_for_a_name(candidates=40))
    >>> "With 40 candidates, it is 1,369 for all counts" in text
    True
    """
    candidates = _check.count("candidates", candidates, minimum=2)
    if candidates > _MOST:
        raise ValueError(f"candidates must be at most {_MOST}, got candidates={candidates}")
    epsilon = _check.real("epsilon", epsilon, _EPSILON)
    axes = _style.new_axes(ax)
    axes.figure.subplots_adjust(left=0.172, right=0.67)
    counts = [2, 3, 4, 6, 8, 12, 20, 30, 40, 60, 80, _MOST]
    rows = (
        (_("all counts"), "laplace", _NUMBERS),
        (_("selection, Gumbel"), "gumbel", _NAME),
        (_("selection, exp."), "exponential", _EXPONENTIAL),
    )
    marked = []
    for place, (name, noise, look) in enumerate(rows):

        def lead(n: int, noise: str = noise, place: int = place) -> float:
            # if all n counts are published, each count gets epsilon / n, so the noise is n times
            # as large
            return _lead_in_units(noise, n) * (n if place == 0 else 1) / epsilon

        values = [lead(n) for n in counts]
        marked.append(lead(candidates))
        axes.plot(counts, values, **look)
        axes.plot(candidates, marked[-1], **look | {"marker": "o", "linestyle": "none"})
        end = values[-1] * (1.0, 1.3, 0.75)[place]
        axes.text(1.25 * _MOST, end, name, color=look["color"], va="center")
    axes.plot([candidates] * 2, [marked[2], marked[0]], color=_style.GREY, lw=1, ls=":")
    axes.set(
        xscale="log",
        yscale="log",
        xlim=(2, _MOST),
        ylim=(1 / epsilon, 4000 / epsilon),
        xlabel=_("number of candidates"),
        ylabel=_("required lead"),
        title=_(
            "{candidates} candidates: lead {marked:,.0f} for all counts, "
            "{marked_2:.0f} for the selection",
            candidates=candidates,
            marked=marked[0],
            marked_2=marked[1],
        ),
    )
    _style.ticks(axes.xaxis, [2, 5, 10, 20, 40, _MOST])
    _style.ticks(axes.yaxis, [10, 100, 1000, 10_000, 100_000])
    axes.yaxis.set_major_formatter(lambda value, place: f"{value:,.0f}")
    _style.handle(axes, candidates=(candidates, marked[0]))
    return _style.describe(
        axes,
        _(
            "Curves show the lead at which the best candidate is selected 95 times "
            "in 100, for epsilon {epsilon:g}, on logarithmic axes. With {candidates} "
            "candidates, it is {marked:,.0f} for all counts, {marked_2:.1f} for the "
            "selection with Gumbel noise, and {marked_3:.1f} with exponential noise. "
            "The first curve grows faster than the number of candidates, and the "
            "other two grow like the logarithm of this number.",
            epsilon=epsilon,
            candidates=candidates,
            marked=marked[0],
            marked_2=marked[1],
            marked_3=marked[2],
        ),
    )


@functools.cache
def _lead_in_units(noise: str, candidates: int) -> float:
    """Return by how many noise scales the best score must lead to be selected 95% of the time."""
    from scipy.optimize import brentq

    mechanism = ReportNoisyMax(1.0, monotonic=True, noise=noise)
    others = [0.0] * (candidates - 1)
    return float(brentq(lambda x: mechanism.law([x, *others])[0] - _SURE, 0.0, 40.0, xtol=1e-10))


@_style.styled
def renyi_of_a_name(*, order: float, epsilon: float = 1.0, ax: Axes | None = None) -> Axes:
    """Draw Rényi divergences of the exponential mechanism and randomized response, by order.

    Both mechanisms have the same epsilon. No epsilon-DP mechanism has a larger Rényi divergence
    than randomized response. The straight line is the bound by zCDP on the divergence of the
    exponential mechanism: the order times rho.

    Parameters
    ----------
    order : float
        The order that is marked, in [1, 12].
    epsilon : float
        The epsilon of the whole release, in [0.01, 2].

    Examples
    --------
    >>> from dpteach.figures import alt_text
    >>> "At order 2, they are at 0.735 and 0.240" in alt_text(renyi_of_a_name(order=2.0))
    True
    """
    order = _check.real("order", order, _ORDER)
    epsilon = _check.real("epsilon", epsilon, _EPSILON)
    axes = _style.new_axes(ax)
    axes.figure.subplots_adjust(right=0.617)
    orders = [float(a) for a in np.linspace(1, 12, 111)]
    coin, name = RandomizedResponse(epsilon), ExponentialMechanism(epsilon)
    slope = name.guarantee(ZCDP).rho
    axes.plot(orders, [slope * a for a in orders], color=_style.GREY, lw=1.2, ls=":")
    marked = []
    for words, mechanism, look in (
        (_("randomized response"), coin, _COIN),
        (_("exponential mechanism"), name, _NAME),
    ):
        curve = mechanism.guarantee(RenyiDP, orders=orders).epsilons
        marked.append(mechanism.guarantee(RenyiDP, orders=order).epsilons[0])
        axes.plot(orders, curve, **look | {"linestyle": "-"})
        axes.plot(order, marked[-1], **look | {"marker": "o", "linestyle": "none"})
        axes.text(12.5, curve[-1], words, color=look["color"], va="center")
    axes.text(12.5, slope * 12, _("zCDP, αρ"), color=_style.GREY, va="center")
    axes.plot([order] * 2, [marked[1], marked[0]], color=_style.BLACK, lw=1.2, ls="-")
    axes.set(
        xlabel=_("order $\\alpha$"),
        ylabel=_("Rényi divergence (nats)"),
        title=_(
            "order {order:g}: {marked:.3f} and {marked_2:.3f}, a factor of {marked_3:.1f}",
            order=order,
            marked=marked[0],
            marked_2=marked[1],
            marked_3=marked[0] / marked[1],
        ),
        xlim=(1, 12),
        ylim=(0, 1.6 * epsilon),
        xticks=[1, 2, 4, 6, 8, 10, 12],
    )
    _style.handle(axes, order=(order, marked[1]))
    return _style.describe(
        axes,
        _(
            "Two curves show the Rényi divergence against the order, for epsilon "
            "{epsilon:g}. The curve of randomized response rises quickly toward "
            "{epsilon:g}; that of the exponential mechanism rises slowly, below a "
            "straight line of slope {slope:.4g}. At order {order:g}, they are at "
            "{marked:.3f} and {marked_2:.3f}.",
            epsilon=epsilon,
            slope=slope,
            order=order,
            marked=marked[0],
            marked_2=marked[1],
        ),
    )


@_style.styled
def alarm_days(*, threshold: float, epsilon: float, ax: Axes | None = None) -> Axes:
    """Draw how likely each of thirty days is to get the sparse vector technique's only alarm.

    Points show how many patients wait for an operation, and bars the probability of the alarm on
    each day. An added person may wait on all days and lowers no count, so the counts are
    monotonic.

    Parameters
    ----------
    threshold : float
        The number of patients above which there should be an alarm, in [80, 130].
    epsilon : float
        The epsilon of the whole release, in [0.01, 2].

    Examples
    --------
    >>> from dpteach.figures import alt_text
    >>> text = alt_text(alarm_days(threshold=100.0, epsilon=0.5))
    >>> "on day 21 with probability 71%, before it with 23%, never with 3%" in text
    True
    """
    threshold = _check.real("threshold", threshold, _THRESHOLD)
    epsilon = _check.real("epsilon", epsilon, _EPSILON)
    axes = _style.new_axes(ax)
    mechanism = SparseVector(epsilon=epsilon, threshold=threshold, monotonic=True)
    # the probability that the alarm comes on each of the 30 days, and last that it does not come
    law = mechanism.law([float(count) for count in _WAITING])
    days = np.arange(1, 31)
    right = int(np.argmax(_WAITING))
    # the bars of probabilities share the vertical axis with the counts, which are above 60: the
    # bars are drawn between the heights `zero` (0%) and `hundred` (100%)
    zero, hundred = 0.0, 50.0
    axes.bar(days, (hundred - zero) * law[:-1], bottom=zero, color=_NAME["color"], width=0.7)
    axes.plot(days, _WAITING, color=_style.BLACK, marker="o", markersize=4, ls="none")
    axes.plot([0.2, 31], [threshold] * 2, color=_style.VERMILLION, lw=1.6, ls="--")
    axes.text(
        0.6,
        threshold + 2,
        _("threshold {threshold:g}", threshold=threshold),
        color=_style.VERMILLION,
    )
    axes.axhline(57, color="#444444", linewidth=0.8, linestyle="-")
    axes.text(0.6, 59.5, _("number of waiting patients"), color=_style.BLACK)
    axes.text(0.6, 44, _("probability of the alarm"), color=_NAME["color"])
    first, before, never = float(law[right]), float(law[:right].sum()), float(law[-1])
    axes.set(
        xlim=(0.2, 31),
        ylim=(0, 131),
        xlabel=_("day"),
        xticks=[1, 5, 10, 15, 20, 25, 30],
        title=_(
            "alarm on day {right}: {first}, earlier: {before}, never: {never}",
            right=right + 1,
            first=_percent(first),
            before=_percent(before),
            never=_percent(never),
        ),
    )
    axes.set_yticks(
        [zero, (zero + hundred) / 2, hundred, 60, 80, 100, 120],
        ["0%", "50%", "100%", "60", "80", "100", "120"],
    )
    axes.grid(axis="x", visible=False)
    _style.handle(axes, threshold=(31.0, threshold))
    return _style.describe(
        axes,
        _(
            "Points show thirty counts of waiting patients, of which only those of "
            "days 21 (112), 26 (104) and 28 (101) are above 100. Bars show the "
            "probability of the alarm on each day, for a threshold of {threshold:g} "
            "and epsilon {epsilon:g}: the alarm comes on day {right} with "
            "probability {first}, before it with {before}, never with {never}.",
            threshold=threshold,
            epsilon=epsilon,
            right=right + 1,
            first=_percent(first),
            before=_percent(before),
            never=_percent(never),
        ),
    )


@_style.styled
def local_and_central(*, categories: int, epsilon: float = 1.0, ax: Axes | None = None) -> Axes:
    """Draw the standard error of a count under local and central DP, against the number of people.

    The count is the number of people in a rare category. Neighboring data differ in one person's
    answer. In the local model, each person reports one of the k categories by k-ary randomized
    response, or reports a bit for each category by randomized response with epsilon/2. In the
    central model, a query service adds Laplace noise to a histogram.

    Parameters
    ----------
    categories : int
        The number k of categories, from 2 to 1000.
    epsilon : float
        The epsilon of the whole release, in [0.01, 2].

    Examples
    --------
    >>> from dpteach.figures import alt_text
    >>> text = alt_text(local_and_central(categories=40))
    >>> "For 3,000 people, it is 203 with one of k, 108 with one bit each" in text
    True
    """
    categories = _check.count("categories", categories, minimum=2)
    if categories > 1000:
        raise ValueError(f"categories must be at most 1000, got categories={categories}")
    epsilon = _check.real("epsilon", epsilon, _EPSILON)
    axes = _style.new_axes(ax)
    axes.figure.subplots_adjust(left=0.178, right=0.749)
    people: Vector = np.geomspace(100, 1e6, 41)
    one = KaryRandomizedResponse(epsilon, categories)
    bit = RandomizedResponse(epsilon / 2)
    by_one = _deviation(one.truth_probability, one.lie_probability)
    by_bits = _deviation(bit.truth_probability, 1 - bit.truth_probability)
    noise = calibrate(
        Laplace, PureDP(epsilon, adjacency=Adjacency.REPLACE_ONE), sensitivity=2.0
    ).scale * math.sqrt(2)
    curves = (
        (_("one of k"), by_one * np.sqrt(people), _COIN),
        (_("one bit each"), by_bits * np.sqrt(people), _EXPONENTIAL),
        (_("query service"), np.full(people.size, noise), _NUMBERS),
    )
    ends = [float(values[-1]) for _name, values, _look in curves]
    # if the first two curves end close together, move their labels apart
    if ends[0] > ends[1]:
        ends[0] = max(ends[0], 2.2 * ends[1])
    else:
        ends[1] = max(ends[1], 2.2 * ends[0])
    for (words, values, look), end in zip(curves, ends, strict=True):
        axes.plot(people, values, **look)
        axes.text(1.2e6, min(end, 2.5e5), words, color=look["color"], va="center")
    at = 3000
    marked = (by_one * math.sqrt(at), by_bits * math.sqrt(at), noise)
    for value, (_name, _curve, look) in zip(marked, curves, strict=True):
        axes.plot(at, value, **look | {"marker": "o", "linestyle": "none"})
    axes.set(
        xscale="log",
        yscale="log",
        xlim=(100, 1e6),
        ylim=(1, 3e5),
        xlabel=_("number of people"),
        ylabel=_("standard error of a count"),
        title=_(
            "{categories} categories, 3,000 people: one of k {marked:,.0f}, bits "
            "{marked_2:,.0f}, service {marked_3:.1f}",
            categories=categories,
            marked=marked[0],
            marked_2=marked[1],
            marked_3=marked[2],
        ),
    )
    _style.ticks(axes.xaxis, [100, 1000, 10_000, 100_000, 1_000_000])
    axes.xaxis.set_major_formatter(lambda value, place: f"{value:,.0f}")
    _style.ticks(axes.yaxis, [1, 10, 100, 1000, 10_000, 100_000])
    axes.yaxis.set_major_formatter(lambda value, place: f"{value:,.0f}")
    _style.handle(axes, categories=(at, marked[0]))
    return _style.describe(
        axes,
        _(
            "Lines show the standard error of a count against the number of people, "
            "on logarithmic axes, for epsilon {epsilon:g} and {categories} "
            "categories. Two lines grow like the square root of the number of "
            "people, and that of the query service is level. For 3,000 people, it is "
            "{marked:,.0f} with one of k, {marked_2:,.0f} with one bit each and "
            "{marked_3:.1f} for the query service.",
            epsilon=epsilon,
            categories=categories,
            marked=marked[0],
            marked_2=marked[1],
            marked_3=marked[2],
        ),
    )


def _deviation(truth: float, lie: float) -> float:
    """Return the standard error of a rare category's count, divided by sqrt(number of people).

    A person reports this category with probability `truth` if it is the person's own, and with
    probability `lie` otherwise.
    """
    return math.sqrt(lie * (1 - lie)) / (truth - lie)
