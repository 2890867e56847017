"""Figures on privacy filters and odometers: bounds on the privacy loss, and shares of a budget.

Parameters that the functions share:

delta : float
    The δ of all answers together, in [1e-30, 0.1].
"""

from __future__ import annotations

import itertools
import math
from functools import cache

import numpy as np
from matplotlib.axes import Axes
from numpy.typing import NDArray

from dpteach import _check, conversions
from dpteach._language import N_, catalog
from dpteach.calibration import calibrate
from dpteach.figures import _style
from dpteach.filters import Odometer, PrivacyFilter
from dpteach.mechanisms import Gaussian, Laplace, RandomizedResponse
from dpteach.notions import ZCDP, ApproxDP, GaussianDP, Guarantee, PureDP, RenyiDP

_, _n = catalog("figures")

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
    """Return two bounds on the total loss of daily queries, and the probabilities that they fail.

    Each vector has an entry for each evening of a year, and before them one for the start. The
    first bound is valid for each evening separately, the second for all evenings at once. The
    third and fourth vectors are, for these two bounds, the probability that the loss has exceeded
    the bound on at least one evening so far.
    """
    from scipy.stats import binom  # imported only here, because importing it takes a second

    truth = RandomizedResponse(epsilon=epsilon).truth_probability
    k: Vector = np.arange(_YEAR + 1.0)
    each = (2 * binom.ppf(1 - delta, k, truth) - k) * epsilon
    odometer = Odometer(delta)
    always = np.array([0.0, *(odometer.spend(PureDP(epsilon)).epsilon for _rest in range(_YEAR))])
    ever = [_ever_above(line / epsilon, truth) for line in (each, always)]
    return each, always, ever[0], ever[1]


def _ever_above(line: Vector, truth: float) -> Vector:
    """Return the probability, for each evening, that a random walk has by then exceeded `line`.

    The walk is the number of true answers so far minus the number of false answers. Each evening
    has one answer, which is true with probability `truth`.
    """
    # still[n] is the probability that n answers so far were true and the walk never passed the line
    still = np.zeros(line.size)
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
    """Draw the privacy loss of Ada, a patient, over a year of daily queries, with two bounds.

    Each evening, randomized response answers one question about Ada. On each of the simulated
    paths, an analyst stops when the loss exceeds the first bound. The first bound holds for one
    fixed evening: the loss exceeds it on this evening with probability at most delta. The second
    bound, from an `Odometer`, holds on all evenings at once: the probability that the loss ever
    exceeds it is at most delta.

    Parameters
    ----------
    evenings : int
        The last evening that is shown, from 1 to 365.
    epsilon : float
        The ε of one answer, in [0.05, 0.5].

    Examples
    --------
    >>> from dpteach.figures import alt_text
    >>> text = alt_text(stopped_losses(evenings=365))
    >>> "With probability 28.7% it has been above the line on at least one evening" in text
    True
    """
    evenings = _check.count("evenings", evenings)
    if evenings > _YEAR:
        raise ValueError(f"evenings must be at most {_YEAR}, got evenings={evenings}")
    epsilon = _check.real("epsilon", epsilon, _EPSILON)
    delta = _check.real("delta", delta, _DELTA)
    axes = _style.new_axes(ax)
    axes.figure.subplots_adjust(left=0.132, right=0.776)
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
    # plot only odd evenings, because the bound for one evening is alternately an odd and an even
    # multiple of epsilon, so a line through all evenings would be jagged
    axes.plot(k[::2], each[1::2], color=_style.BLUE, lw=1.6, ls="-")
    axes.plot(k[::4], always[1::4], color=_style.BLACK, ls="--")
    axes.plot([evenings, evenings], [-20, 20], color=_style.GREY, lw=1, ls=":")
    axes.plot(evenings, each[evenings], color=_style.BLUE, marker="o", ls="none")
    for name, line, color in (
        (_("for one\nevening"), each, _style.BLUE),
        (_("for all\nevenings"), always, _style.BLACK),
    ):
        axes.text(_YEAR + 14, line[-1], name, color=color, va="center")
    from scipy.stats import binom  # imported only here, because importing it takes a second

    tonight = float(binom.sf((evenings + round(each[evenings] / epsilon)) // 2, evenings, truth))
    height = max(always[-1] * 1.12, 1)
    axes.set(
        xlim=(0, _YEAR),
        ylim=(-0.36 * height, height),
        xlabel=_("evening"),
        ylabel=_("Ada’s loss (nats)"),
        title=_(
            "above the blue line: this evening {tonight:.1%}, so far {ever:.1%}",
            tonight=tonight,
            ever=ever[evenings],
        ),
    )
    _style.ticks(axes.xaxis, [0, 90, 180, 270, 365])
    _style.handle(axes, evenings=(evenings, float(each[evenings])))
    return _style.describe(
        axes,
        _(
            "The figure shows {WALKS} simulated paths of Ada’s privacy loss up to "
            "evening {evenings}, and two rising bounds. On evening {evenings} the "
            "loss is above the line for that evening with probability {tonight:.1%}. "
            "With probability {ever:.1%} it has been above the line on at least one "
            "evening by then. This has happened on {stopped} of the {WALKS} paths, "
            "each of which ends on the first such evening. At the end of the year "
            "the line for a single evening is at {each:.2f}. The dashed line, which "
            "is valid for all evenings simultaneously, is at {always:.2f}; the loss "
            "exceeds it at some time during the year with probability {never:.2g}.",
            WALKS=_WALKS,
            evenings=evenings,
            tonight=tonight,
            ever=ever[evenings],
            stopped=stopped,
            each=each[-1],
            always=always[-1],
            never=never[-1],
        ),
    )


#: the standard deviations of the noise in the eight answers that the filters of `next_question`
#: have already allowed
_ASKED = (60, 60, 40, 100, 100, 30, 80, 50)


@cache
def _filters(epsilon: float, delta: float) -> dict[str, PrivacyFilter[Guarantee]]:
    """Return filters in pure DP, zCDP and Gaussian DP that have allowed the answers in `_ASKED`.

    The budget of each filter is chosen such that it implies (epsilon, delta)-DP.
    """
    target = ApproxDP(epsilon, delta)
    budgets: dict[str, Guarantee] = {
        N_("pure\nDP"): PureDP(epsilon),
        "zCDP": calibrate(Gaussian, target, via=ZCDP).guarantee(ZCDP),
        N_("Gaussian\nDP"): calibrate(Gaussian, target).guarantee(GaussianDP),
    }
    filters = {name: PrivacyFilter(budget) for name, budget in budgets.items()}
    for noise in _ASKED:
        for one in filters.values():
            one.spend(_cost(one.budget, noise))
    return filters


def _cost(budget: Guarantee, noise: float) -> Guarantee:
    """Return a noisy count's guarantee in `budget`'s notion; `noise` is the standard deviation."""
    if isinstance(budget, PureDP):
        return Laplace(scale=noise / math.sqrt(2)).guarantee(PureDP)
    return Gaussian(sigma=noise).guarantee(type(budget))


def _share(claim: Guarantee, budget: Guarantee) -> float:
    """Return the share of a budget that an answer with a given guarantee uses up."""
    parts = zip(claim._numbers(), budget._numbers(), strict=True)
    return max((a / b) ** budget._adds_as for a, b in parts)


@_style.styled
def next_question(
    *, noise: float, epsilon: float = 1.0, delta: float = 1e-9, ax: Axes | None = None
) -> Axes:
    """Draw the shares of a budget that eight past queries and a next query use, for three filters.

    The filters account in pure DP, zCDP and Gaussian DP. Each filter guarantees (epsilon,
    delta)-DP, the pure-DP filter with delta = 0. The answers have Laplace noise for the pure-DP
    filter and Gaussian noise for the others. The standard deviation of an answer's noise is the
    same for all filters.

    Parameters
    ----------
    noise : float
        The standard deviation of the next answer's noise, in [5, 1000].
    epsilon : float
        The ε of the guarantee, in [0.1, 4].

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
    axes.figure.subplots_adjust(left=0.172, right=0.736)
    told = []
    colors = (_style.GREEN, _style.VERMILLION, _style.BLUE)
    filters = _filters(epsilon, delta)
    for place, (name, one) in enumerate(filters.items()):
        claim = _cost(one.budget, noise)
        spent, part = _share(one.spent, one.budget), _share(claim, one.budget)
        left = _share(one.remaining, one.budget)
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
        words = _("{fit:,} fit", fit=fit) if fit else _("refused")
        axes.text(106, place, words, color=color, va="center")
        if name == "zCDP":
            end = 100 * (spent + min(part, left))
            axes.plot(end, place, color=color, marker="o", ls="none")
            _style.handle(axes, noise=(end, place))
        told.append(
            _(
                "Under {notion}, {spent:.0%} of the budget is used, the next answer would "
                "use {percent:.2g}%, and {number}.",
                notion=_(name).replace("\n", " "),
                spent=spent,
                percent=100 * part,
                number=_n("{count} such answer fits", "{count} such answers fit", fit),
            )
        )
    axes.set_yticks([0, 1, 2], [_(name) for name in filters])
    axes.set(
        xlim=(0, 100),
        ylim=(2.55, -0.55),
        xlabel=_("share of the year’s budget (%)"),
        title=_("How many answers with standard deviation {noise:g} fit?", noise=noise),
    )
    axes.grid(axis="y", visible=False)
    return _style.describe(
        axes,
        _(
            "Three bars show how much of the budget (epsilon {epsilon:g}, delta "
            "{delta:g}) each of three filters has used after eight queries. The "
            "noise of the next answer has standard deviation {noise:g}.",
            epsilon=epsilon,
            delta=delta,
            noise=noise,
        ),
        *told,
    )


def _apart(heights: list[float], least: float) -> list[float]:
    """Return the heights of labels, moved up so that they are at least `least` apart."""
    placed = list(heights)
    order = sorted(range(len(heights)), key=lambda i: heights[i])
    for below, above in itertools.pairwise(order):
        placed[above] = max(placed[above], placed[below] + least)
    return placed


@_style.styled
def odometer_of_one_order(
    *, order: float, epsilon: float = 1.0, delta: float = 1e-9, ax: Axes | None = None
) -> Axes:
    """Draw four bounds on the privacy loss after each answer, one of them at a single order.

    The bound at a single Rényi order is the reading of an odometer that uses only this order. The
    other bounds are a filter's guarantee, the reading of an odometer of many orders, and a bound
    that holds after one number of answers that is fixed in advance. The noise is Gaussian. A
    hundred answers use up the filter's budget, which is a rho of zCDP that converts to
    (epsilon, delta)-DP.

    Parameters
    ----------
    order : float
        The single order, fixed in advance, in [2, 1000].
    epsilon : float
        The ε that the filter guarantees, in [0.1, 4].

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
    axes.figure.subplots_adjust(left=0.132, right=0.762)
    level = -math.log(delta)
    rho = (math.sqrt(level + epsilon) - math.sqrt(level)) ** 2 / 100
    k: Vector = np.arange(1.0, 151)
    moment = np.array([conversions.zcdp_to_epsilon_bun_steinke(n * rho, delta) for n in k])
    step = ZCDP(rho)
    curve = RenyiDP(order, order * rho)
    single, many = Odometer(delta, [order]), Odometer(delta)
    line = np.array([single.spend(curve).epsilon for _rest in k])
    all_orders = np.array([many.spend(step).epsilon for _rest in k])
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
        (float(moment[-1]), _("one moment"), _style.GREY),
        (min(float(line[-1]), 0.98 * top), _("one order"), _style.BLUE),
        (float(all_orders[-1]), _("odometer"), _style.VERMILLION),
    ]
    places = _apart([y for y, _rest, _rest in ends], 0.068 * top)
    for y, (_other, name, color) in zip(places, ends, strict=True):
        axes.text(152.5, y, name, color=color, va="center")
    axes.text(2, 0.975 * epsilon, _("filter"), color=_style.BLACK, va="top")
    axes.set(
        xlim=(0, 150),
        ylim=(0, top),
        xlabel=_("answers so far"),
        ylabel=_("bound on the privacy loss (nats)"),
        title=_(
            "order {order:g}: the line starts at {order_2:.2f}",
            order=order,
            order_2=level / (order - 1),
        ),
    )
    # put the draggable point on the curve of one order, where it touches the curve of `moment`, or
    # at 140 answers if the two curves touch outside the figure
    _style.handle(axes, order=(touch, float(height)) if seen else (140.0, float(line[139])))
    return _style.describe(
        axes,
        _(
            "The curves are bounds on the privacy loss after up to 150 answers, at "
            "delta {delta:g}. A filter guarantees {epsilon:g} from the first answer "
            "to the hundredth. After 100 answers the line of order {order:g} is at "
            "{line:.3f}, the odometer that combines {orders} orders is at "
            "{all_orders:.3f}, and the bound for a single moment fixed in advance is "
            "at {moment:.3f}. The line of order {order:g} touches the single-moment "
            "bound at {touch}. After 10 answers the three bounds "
            "are at {line_2:.3f}, {all_orders_2:.3f} and {moment_2:.3f}.",
            delta=delta,
            epsilon=epsilon,
            order=order,
            line=line[99],
            orders=len(many.orders),
            all_orders=all_orders[99],
            moment=moment[99],
            touch=_("{answers:.3g} answers", answers=touch)
            if seen
            else _("{answers:.3g} answers, outside the figure", answers=touch),
            line_2=line[9],
            all_orders_2=all_orders[9],
            moment_2=moment[9],
        ),
    )
