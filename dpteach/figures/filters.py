"""Figures on privacy filters and odometers: stopped losses, a year of queries, an odometer.

Their parameters, where they say no more:

delta : float
    In [1e-30, 0.1], of all answers together.
"""

from __future__ import annotations

import itertools
import math
from functools import cache

import numpy as np
from matplotlib.axes import Axes
from numpy.typing import NDArray

from dpteach import _check, conversions
from dpteach.calibration import calibrate
from dpteach.figures import _style
from dpteach.filters import Odometer, PrivacyFilter
from dpteach.mechanisms import Gaussian, Laplace, RandomizedResponse
from dpteach.notions import ZCDP, ApproxDP, GaussianDP, Guarantee, PureDP, RenyiDP

__all__ = ["next_question", "odometer_of_one_order", "stopped_losses"]

Vector = NDArray[np.float64]

_EPSILON = _check.Domain("in [0.05, 0.5]", lambda x: 0.05 <= x <= 0.5)
_DELTA = _check.Domain("in [1e-30, 0.1]", lambda x: 1e-30 <= x <= 0.1)
_NOISE = _check.Domain("in [5, 1000]", lambda x: 5 <= x <= 1000)
_ORDER = _check.Domain("in [2, 1000]", lambda x: 2 <= x <= 1000)
_TARGET = _check.Domain("in [0.1, 4]", lambda x: 0.1 <= x <= 4)

_YEAR = 365
_WALKS = 20


@cache
def _lines(epsilon: float, delta: float) -> tuple[Vector, Vector, Vector, Vector]:
    """By evening: the line of each evening, that of all; who was ever above each of them."""
    from scipy.stats import binom  # takes a second to import

    truth = RandomizedResponse(epsilon=epsilon).truth_probability
    k: Vector = np.arange(_YEAR + 1.0)
    each = (2 * binom.ppf(1 - delta, k, truth) - k) * epsilon
    odometer = Odometer(delta)
    always = np.array([0.0, *(odometer.spend(PureDP(epsilon)).epsilon for _ in range(_YEAR))])
    ever = [_ever_above(line / epsilon, truth) for line in (each, always)]
    return each, always, ever[0], ever[1]


def _ever_above(line: Vector, truth: float) -> Vector:
    """The probability that the walk of truths minus lies was above the line by each evening."""
    still = np.zeros(line.size)  # by the number of truths, where it never was
    still[0] = 1.0
    passed: Vector = np.zeros(line.size)
    for k in range(1, line.size):
        still[1:] = (1 - truth) * still[1:] + truth * still[:-1]
        still[0] *= 1 - truth
        beyond = 2 * np.arange(line.size) - k > line[k] + 1e-9
        passed[k] = passed[k - 1] + still[beyond].sum()
        still[beyond] = 0.0
    return passed


@_style.styled
def stopped_losses(
    *, evenings: int, epsilon: float = 0.1, delta: float = 0.05, ax: Axes | None = None
) -> Axes:
    """Ada's loss over a year of evenings, where somebody stops as soon as it looks bad for her.

    Each evening a coin of epsilon answers about her. One line is exceeded on no evening with a
    probability above delta; the other, an `Odometer`, not even on any evening of the year.

    Parameters
    ----------
    evenings : int
        The last evening that is shown, from 1 to 365.
    epsilon : float
        Of one answer, in [0.05, 0.5].

    Examples
    --------
    >>> from dpteach.figures import alt_text
    >>> "was above it on some evening with probability 28.7%" in alt_text(
    ...     stopped_losses(evenings=365)
    ... )
    True
    """
    evenings = _check.count("evenings", evenings)
    if evenings > _YEAR:
        raise ValueError(f"evenings must be at most {_YEAR}, got evenings={evenings}")
    epsilon = _check.real("epsilon", epsilon, _EPSILON)
    delta = _check.real("delta", delta, _DELTA)
    axes = _style.new_axes(ax)
    axes.figure.subplots_adjust(left=0.1, right=0.83)
    each, always, ever, never = _lines(epsilon, delta)
    truth = RandomizedResponse(epsilon=epsilon).truth_probability
    toss = np.random.default_rng(16).random((_WALKS, _YEAR)) < truth
    walks = np.cumsum(np.where(toss, epsilon, -epsilon), axis=1)
    walks = np.concatenate((np.zeros((_WALKS, 1)), walks), axis=1)
    stopped = 0
    for walk in walks:
        above = np.flatnonzero(walk[: evenings + 1] > each[: evenings + 1] + 1e-9)
        last = int(above[0]) if above.size else evenings
        at = np.unique(np.append(np.arange(0, last, 5), last))
        color = _style.VERMILLION if above.size else _style.GREY
        axes.plot(at, walk[at], color=color, lw=1.1 if above.size else 0.6, ls="-")
        if above.size:
            stopped += 1
            axes.plot(last, walk[last], color=color, marker="o", ls="none")
    k: Vector = np.arange(1.0, _YEAR + 1)
    # every other evening: in between the line is at odd multiples of epsilon
    axes.plot(k[::2], each[1::2], color=_style.BLUE, lw=1.6, ls="-")
    axes.plot(k[::4], always[1::4], color=_style.BLACK, ls="--")
    axes.plot([evenings, evenings], [-20, 20], color=_style.GREY, lw=1, ls=":")
    axes.plot(evenings, each[evenings], color=_style.BLUE, marker="o", ls="none")
    for name, line, color in (
        ("line of each\nevening", each, _style.BLUE),
        ("of all\nevenings", always, _style.BLACK),
    ):
        axes.text(_YEAR + 14, line[-1], name, color=color, va="center")
    from scipy.stats import binom  # takes a second to import

    tonight = float(binom.sf((evenings + round(each[evenings] / epsilon)) // 2, evenings, truth))
    height = max(always[-1] * 1.12, 1)
    axes.set(
        xlim=(0, _YEAR),
        ylim=(-0.36 * height, height),
        xlabel="evenings",
        ylabel="Ada’s loss (nats)",
        title=f"above the blue line: tonight {_percent(tonight)}, ever {_percent(ever[evenings])}",
    )
    _style.ticks(axes.xaxis, [0, 90, 180, 270, 365])
    _style.handle(axes, evenings=(evenings, float(each[evenings])))
    return _style.describe(
        axes,
        f"Walks of the loss, {_WALKS} of them over {evenings} evenings, and two rising lines. On "
        f"evening {evenings} the loss is above the line of each evening with probability "
        f"{tonight:.1%}; it was above it on some evening with probability {ever[evenings]:.1%}, "
        f"as {stopped} of "
        f"the walks were, which end there. At the end of the year that line is at {each[-1]:.2f} "
        f"and the line of all evenings at {always[-1]:.2f}, which is ever exceeded with "
        f"probability {never[-1]:.2g}.",
    )


def _percent(share: float) -> str:
    return f"{100 * share:.1f} %"


#: the standard deviations of what was asked so far
_ASKED = (60, 60, 40, 100, 100, 30, 80, 50)


@cache
def _tills(epsilon: float, delta: float) -> dict[str, PrivacyFilter[Guarantee]]:
    """Three filters with one promise, after the questions so far."""
    target = ApproxDP(epsilon, delta)
    budgets: dict[str, Guarantee] = {
        "pure": PureDP(epsilon),
        "zCDP": calibrate(Gaussian, target, via=ZCDP).guarantee(ZCDP),
        "Gaussian": calibrate(Gaussian, target).guarantee(GaussianDP),
    }
    tills = {name: PrivacyFilter(budget) for name, budget in budgets.items()}
    for noise in _ASKED:
        for till in tills.values():
            till.spend(_cost(till.budget, noise))
    return tills


def _cost(budget: Guarantee, noise: float) -> Guarantee:
    """What a count with noise of this standard deviation costs."""
    if isinstance(budget, PureDP):
        return Laplace(scale=noise / math.sqrt(2)).guarantee(PureDP)
    return Gaussian(sigma=noise).guarantee(type(budget))


def _share(claim: Guarantee, budget: Guarantee) -> float:
    parts = zip(claim._numbers(), budget._numbers(), strict=True)
    return max((a / b) ** budget._adds_as for a, b in parts)


@_style.styled
def next_question(
    *, noise: float, epsilon: float = 1.0, delta: float = 1e-9, ax: Axes | None = None
) -> Axes:
    """What eight questions have left of a year's budget under three filters, and the next one.

    The filters make one promise, (epsilon, delta); the pure one has Laplace noise, and keeps
    delta = 0. All noise of one question has the same standard deviation.

    Parameters
    ----------
    noise : float
        The standard deviation of the next answer, in [5, 1000].
    epsilon : float
        In [0.1, 4].

    Examples
    --------
    >>> from dpteach.figures import alt_text
    >>> "28 such answers fit" in alt_text(next_question(noise=50))
    True
    """
    noise = _check.real("noise", noise, _NOISE)
    epsilon = _check.real("epsilon", epsilon, _TARGET)
    delta = _check.real("delta", delta, _DELTA)
    axes = _style.new_axes(ax)
    axes.figure.subplots_adjust(left=0.13, right=0.8)
    told = []
    colors = (_style.GREEN, _style.VERMILLION, _style.BLUE)
    for place, (name, till) in enumerate(_tills(epsilon, delta).items()):
        claim = _cost(till.budget, noise)
        spent, part = _share(till.spent, till.budget), _share(claim, till.budget)
        left = _share(till.remaining, till.budget)
        fit = math.floor(left / part * (1 + 1e-12))
        color = colors[place]
        axes.barh(place, 100, height=0.6, color="white", edgecolor="#999999", lw=1)
        axes.barh(place, 100 * spent, height=0.6, color=_style.GREY, alpha=0.55)
        axes.barh(
            place,
            100 * min(part, left),
            left=100 * spent,
            height=0.6,
            color=color,
            hatch="" if fit else "///",
            alpha=1 if fit else 0.35,
        )
        words = f"{fit:,} fit" if fit else "refused"
        axes.text(103, place, words, color=color, va="center")
        if name == "zCDP":
            end = 100 * (spent + min(part, left))
            axes.plot(end, place, color=color, marker="o", ls="none")
            _style.handle(axes, noise=(end, place))
        told.append(
            f"{name}: {spent:.0%} spent, the next {part:.2g} of the budget, {fit} such answers fit"
        )
    axes.set_yticks([0, 1, 2], list(_tills(epsilon, delta)))
    axes.set(
        xlim=(0, 100),
        ylim=(2.55, -0.55),
        xlabel="share of the year’s budget (%)",
        title=f"How many answers with noise {noise:g} fit?",
    )
    axes.grid(axis="y", visible=False)
    return _style.describe(
        axes,
        f"Three bars, the budget of epsilon {epsilon:g} and delta {delta:g} under three filters "
        f"after eight questions, with noise of standard deviation {noise:g} for the next. "
        + "; ".join(told)
        + ".",
    )


def _apart(heights: list[float], least: float) -> list[float]:
    """Heights in the same order, the lowest where it was or below, with room between."""
    placed = list(heights)
    order = sorted(range(len(heights)), key=lambda i: heights[i])
    for below, above in itertools.pairwise(order):
        placed[above] = max(placed[above], placed[below] + least)
    return placed


@_style.styled
def odometer_of_one_order(
    *, order: float, epsilon: float = 1.0, delta: float = 1e-9, ax: Axes | None = None
) -> Axes:
    """What may be said of the loss after each answer: a filter, an odometer, one order, a moment.

    Normal noise of which a hundred answers use the budget rho whose formula gives epsilon.

    Parameters
    ----------
    order : float
        In [2, 1000], chosen beforehand.
    epsilon : float
        In [0.1, 4], of the filter.

    Examples
    --------
    >>> from dpteach.figures import alt_text
    >>> text = alt_text(odometer_of_one_order(order=42.9))
    >>> "After 100 answers the line of order 42.9 is at 1.000" in text
    True
    """
    order = _check.real("order", order, _ORDER)
    epsilon = _check.real("epsilon", epsilon, _TARGET)
    delta = _check.real("delta", delta, _DELTA)
    axes = _style.new_axes(ax)
    axes.figure.subplots_adjust(left=0.1, right=0.82)
    level = -math.log(delta)
    rho = (math.sqrt(level + epsilon) - math.sqrt(level)) ** 2 / 100
    k: Vector = np.arange(1.0, 151)
    moment = np.array([conversions.zcdp_to_epsilon_bun_steinke(n * rho, delta) for n in k])
    step = ZCDP(rho)
    curve = RenyiDP(order, order * rho)
    single, many = Odometer(delta, [order]), Odometer(delta)
    line = np.array([single.spend(curve).epsilon for _ in k])
    all_orders = np.array([many.spend(step).epsilon for _ in k])
    axes.plot([0, 100], [epsilon, epsilon], color=_style.BLACK, lw=1.6)
    axes.plot(100, epsilon, color=_style.BLACK, marker="|", ls="none", markersize=12)
    axes.plot(k, moment, color=_style.GREY, ls=":")
    axes.plot(k, all_orders, color=_style.VERMILLION, ls="--")
    axes.plot(k, line, color=_style.BLUE, ls="-")
    touch = level / (rho * (order - 1) ** 2)
    height = conversions.zcdp_to_epsilon_bun_steinke(touch * rho, delta)
    seen = touch <= 145
    if seen:
        axes.plot(touch, height, color=_style.BLUE, marker="o", ls="none")
    top = 1.9 * epsilon
    ends = [
        (float(moment[-1]), "one moment", _style.GREY),
        (min(float(line[-1]), 0.98 * top), "one order", _style.BLUE),
        (float(all_orders[-1]), "odometer", _style.VERMILLION),
    ]
    places = _apart([y for y, _, _ in ends], 0.068 * top)
    for y, (_, name, color) in zip(places, ends, strict=True):
        axes.text(152.5, y, name, color=color, va="center")
    axes.text(2, 0.975 * epsilon, "filter", color=_style.BLACK, va="top")
    axes.set(
        xlim=(0, 150),
        ylim=(0, top),
        xlabel="answers so far",
        ylabel="bound on the loss (nats)",
        title=f"order {order:g}: a line from {level / (order - 1):.2f}",
    )
    # where the lines touch outside the picture, the line itself can be held
    _style.handle(axes, order=(touch, float(height)) if seen else (140.0, float(line[139])))
    return _style.describe(
        axes,
        f"Bounds on the loss after up to 150 answers, at delta {delta:g}. A filter says "
        f"{epsilon:g} from the first answer to the hundredth. After 100 answers the line of order "
        f"{order:g} is at {line[99]:.3f}, the odometer of many orders at "
        f"{all_orders[99]:.3f}, and the bound "
        f"for one moment that is fixed beforehand at {moment[99]:.3f}. The line touches that one "
        f"at {touch:.3g} answers{'' if seen else ', outside the picture'}. After 10 answers they "
        f"are at {line[9]:.3f}, {all_orders[9]:.3f} and {moment[9]:.3f}.",
    )
