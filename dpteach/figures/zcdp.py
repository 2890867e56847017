"""Figures on zero-concentrated DP: dividing a budget, rare events, and the choice of Rényi orders.

Unless a docstring says otherwise, these parameters have the following meanings and ranges:

rho : float
    The parameter of the zCDP guarantee, in (0, 4], in nats.
delta : float
    The total delta of all releases, in [1e-30, 0.1].
sigma : float
    The standard deviation of the noise; queries have sensitivity 1.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from numpy.typing import NDArray
from scipy.special import log_ndtr

from dpteach import _check, conversions
from dpteach._language import N_, catalog
from dpteach.amplification import PoissonSubsampled
from dpteach.calibration import calibrate
from dpteach.curves import gaussian_epsilons
from dpteach.figures import _style
from dpteach.figures._shared import advanced_epsilon
from dpteach.mechanisms import Gaussian, Laplace, RandomizedResponse
from dpteach.notions import ZCDP, GaussianDP, RenyiDP

_, _n = catalog("figures")

__all__ = ["budget_of_tables", "rarity", "slopes_of_curves", "tried_orders"]

Vector = NDArray[np.float64]

_RHO = _check.Domain("in (0, 4]", lambda x: 0 < x <= 4)
_SHARE = _check.Domain("in [1, 90]", lambda x: 1 <= x <= 90)
_RATE = _check.Domain("in [0.0001, 1]", lambda x: 0.0001 <= x <= 1)
_SIGMA = _check.Domain("in [1, 1000]", lambda x: 1 <= x <= 1000)
_DELTA = _check.Domain("in [1e-30, 0.1]", lambda x: 1e-30 <= x <= 0.1)

#: the line styles of Gaussian noise, the bound of zCDP, pure DP, and Gaussian noise on a sample. In
#: `tried_orders`, `_NORMAL` is the style of the bound that the tried Rényi orders give
_NORMAL, _BOUND, _PURE, _SAMPLED = (_style.line(i) for i in range(4))
_LAPLACE = _NORMAL | {"color": _style.GREY, "linestyle": (0, (4, 1, 1, 1))}

_TABLES = (
    *(N_("diagnosis"), N_("ward"), N_("ZIP code"), N_("sex")),
    *(N_("age"), N_("nights"), N_("month"), N_("insurer")),
)


@_style.styled
def budget_of_tables(*, share: float, rho: float = 0.02, ax: Axes | None = None) -> Axes:
    """Draw the standard deviations of the noise in eight tables that share a budget.

    The first table gets the given share of the budget, and the other seven divide the rest
    equally. Each patient is counted in one cell of each table.

    Parameters
    ----------
    share : float
        The share of the first table, in percent, in [1, 90].

    Examples
    --------
    >>> from dpteach.figures import alt_text
    >>> text = alt_text(budget_of_tables(share=50))
    >>> "has standard deviation 7.07 and uses 50% of the budget" in text
    True
    """
    share = _check.real("share", share, _SHARE)
    rho = _check.real("rho", rho, _RHO)
    axes = _style.new_axes(ax)
    axes.figure.subplots_adjust(left=0.198, right=0.96)
    others = len(_TABLES) - 1
    rest = (100 - share) / others
    parts = [share] + [rest] * others
    sigmas = [calibrate(Gaussian, ZCDP(rho * part / 100)).sigma for part in parts]
    equal = calibrate(Gaussian, ZCDP(rho / len(_TABLES))).sigma
    places = list(range(len(_TABLES)))
    axes.barh(places, sigmas, height=0.62, color=_style.BLUE, alpha=0.55)
    axes.barh(0, sigmas[0], height=0.62, color=_style.BLUE)
    widest = 2.9 * equal
    for place, sigma, part in zip(places, sigmas, parts, strict=True):
        within = sigma > 0.6 * widest  # long bars have their labels inside, short bars beside them
        # the label of the first bar is farther from the bar's end, because readers can drag this
        # end
        apart = 0.02 if place else 0.045
        axes.text(
            sigma + (-apart if within else apart) * widest,
            place,
            (
                _("{sigma:.1f}, with {part:.3g}% of ρ", sigma=sigma, part=part),
                _("{sigma:.1f}, with {part:.3g}% each", sigma=sigma, part=part),
                f"{sigma:.1f}",
            )[min(place, 2)],
            color="white" if within else _style.BLUE,
            ha="right" if within else "left",
            va="center",
        )
    axes.plot([equal, equal], [0.4, 7.5], color=_style.BLACK, lw=1.2, ls=":")
    axes.plot(sigmas[0], 0, color=_style.BLUE, marker="o", ls="none")
    axes.set_yticks(places, [_(name) for name in _TABLES])
    axes.set(
        xlim=(0, widest),
        ylim=(7.6, -0.6),
        xlabel=_("standard deviation of the noise in each cell"),
        title=_("total ρ = {rho:g}; dotted: equal shares, {equal:.1f}", rho=rho, equal=equal),
    )
    axes.grid(axis="y", visible=False)
    _style.handle(axes, share=(sigmas[0], 0))
    return _style.describe(
        axes,
        _(
            "Eight bars show the standard deviations of the noise in eight tables "
            "that share a total budget of rho = {rho:g}. The first table has "
            "standard deviation {sigmas:.3g} and uses {share:.3g}% of the budget; "
            "each of the other seven has standard deviation {sigmas_2:.3g} and uses "
            "{rest:.3g}%. With equal shares, every table has standard deviation "
            "{equal:.3g}.",
            rho=rho,
            sigmas=sigmas[0],
            share=share,
            sigmas_2=sigmas[1],
            rest=rest,
            equal=equal,
        ),
    )


@_style.styled
def rarity(*, rho: float, epsilon: float = 1.0, ax: Axes | None = None) -> Axes:
    """Draw how far one patient's row can change an event's probability, on a scale of rarity.

    The rarity of an event of probability p is sqrt(log(1/p)). Under rho-zCDP the rarity changes by
    at most sqrt(rho). The figure also shows the events of large privacy loss under Gaussian noise
    with this rho, and the largest change under epsilon-DP. Two points show mechanisms that publish
    the patient's row, if it is in the data, with probability 10^-5. If it is not in the data, the
    first never publishes it; the second, the decoy mechanism, does so with probability 10^-10.

    Parameters
    ----------
    epsilon : float
        The epsilon of the pure-DP guarantee, in (0, 4].

    Examples
    --------
    >>> from dpteach.figures import alt_text
    >>> "The decoy mechanism lies outside the band." in alt_text(rarity(rho=1.9))
    True
    >>> "The decoy mechanism lies inside the band." in alt_text(rarity(rho=2.0))
    True
    """
    rho = _check.real("rho", rho, _RHO)
    epsilon = _check.real("epsilon", epsilon, _RHO)
    axes = _style.new_axes(ax)
    axes.figure.subplots_adjust(left=0.224, right=0.828)
    axes.yaxis.tick_right()
    axes.yaxis.set_label_position("right")
    end = 6.3
    width = math.sqrt(rho)
    x: Vector = np.linspace(0, end, 300)
    below, above = np.maximum(x - width, 0), x + width
    axes.fill_between(x, below, above, color=_style.BLUE, alpha=0.12, lw=0)
    for edge in (below, above):
        axes.plot(x, edge, **_BOUND)
    # draw the line on which an event is equally likely with and without the patient
    axes.plot(x, x, color=_style.GREY, lw=0.8)
    t: Vector = np.linspace(-3, 9.5, 300)
    without, with_her = (np.sqrt(-log_ndtr(move - t)) for move in (0, math.sqrt(2 * rho)))
    axes.plot(without, with_her, **_NORMAL)
    # under epsilon-DP, an event of probability p without the patient has at most the probability
    # e^epsilon p with the patient, and at most 1 - e^-epsilon (1 - p)
    p = np.exp(-(x**2))
    likeliest = np.minimum(np.exp(epsilon) * p, p * np.exp(-epsilon) - math.expm1(-epsilon))
    axes.plot(x, np.sqrt(-np.log(np.minimum(likeliest, 1))), **_PURE)
    decoy = math.sqrt(10 * math.log(10)), math.sqrt(5 * math.log(10))
    axes.plot(*decoy, color=_style.BLACK, marker="D", ls="none")
    axes.annotate(
        _("decoy"),
        decoy,
        xytext=(-5, 4),
        textcoords="offset points",
        ha="right",
        va="bottom",
    )
    axes.plot(end, decoy[1], color=_style.BLACK, marker="<", ls="none", clip_on=False)
    lower = min(end - width, end - 0.55)
    ends = {
        f"{epsilon:g}-DP": (math.sqrt(end**2 - epsilon) + 0.2, _PURE),
        "zCDP": (lower, _BOUND),
        N_("Gaussian"): (lower - 0.45, _NORMAL),
    }
    for name, (y, look) in ends.items():
        axes.text(end + 0.12, y, _(name), color=look["color"], va="center", ha="right")
    axes.text(end + 0.18, decoy[1], _("impossible\nwithout her"), va="center", ha="right")
    marks = {"½": 0.5, "1%": 1e-2, "$10^{-5}$": 1e-5, "$10^{-10}$": 1e-10, "$10^{-15}$": 1e-15}
    at = [math.sqrt(-math.log(p)) for p in marks.values()]
    axes.set_xticks(at, list(marks))
    axes.set_yticks(at, list(marks))
    axes.set(
        xlim=(end, 0),
        ylim=(end, 0),
        xlabel=_("probability without Ada’s row"),
        ylabel=_("probability with Ada’s row"),
        title=_("ρ = {rho:g}: rarity changes by at most {width:.2f}", rho=rho, width=width),
    )
    _style.handle(axes, rho=(3.2, 3.2 - width))  # the draggable point is on the band's edge
    held = "inside" if decoy[0] - decoy[1] <= width else "outside"
    return _style.describe(
        axes,
        _(
            "The probability of an event with Ada’s row is plotted against its "
            "probability without it. Both axes are scaled by the square root of "
            "log(1/p). The band permitted by rho = {rho:g} extends {width:.3g} to "
            "each side of the diagonal. The curve of Gaussian noise follows the "
            "upper edge; the curve of {epsilon:g}-DP approaches the diagonal as "
            "events become rarer. The decoy mechanism lies {held} the band. An event "
            "that is impossible without Ada’s row lies infinitely far to the left.",
            rho=rho,
            width=width,
            epsilon=epsilon,
            held=held,
        ),
    )


#: the Rényi orders at which curves are drawn
_ORDERS = np.unique(np.concatenate(([1.0, 2.0], 1 + np.geomspace(0.01, 999, 90))))


@_style.styled
def slopes_of_curves(*, rate: float, epsilon: float = 1.0, ax: Axes | None = None) -> Axes:
    """Draw Rényi divergences divided by the order; a curve's supremum is its mechanism's rho.

    The four mechanisms are Gaussian noise of standard deviation 1/epsilon, the same noise on a
    random sample of the patients, Laplace noise of scale 1/epsilon, and randomized response with
    parameter `epsilon`. Queries have sensitivity 1.

    Parameters
    ----------
    rate : float
        The probability with which a patient is in the sample, in [0.0001, 1].
    epsilon : float
        The parameter of the mechanisms, in (0, 4].

    Examples
    --------
    >>> from dpteach.figures import alt_text
    >>> text = alt_text(slopes_of_curves(rate=0.01))
    >>> "it is 8.6 · 10⁻⁵ at order 2 and 0.495 at order 1,000" in text
    True
    """
    rate = _check.real("rate", rate, _RATE)
    epsilon = _check.real("epsilon", epsilon, _RHO)
    axes = _style.new_axes(ax)
    axes.figure.subplots_adjust(left=0.145, right=0.736)
    normal = Gaussian(sigma=1 / epsilon)
    sampled = PoissonSubsampled(normal, rate)
    pure = {
        N_("randomized response"): RandomizedResponse(epsilon=epsilon),
        N_("Laplace noise"): Laplace(scale=1 / epsilon),
    }
    rho = normal.guarantee(ZCDP).rho

    def slopes(mechanism: object) -> Vector:
        curve = mechanism.guarantee(RenyiDP, orders=_ORDERS.tolist())  # type: ignore[attr-defined]
        quotients: Vector = np.array(curve.epsilons) / _ORDERS
        return quotients

    axes.plot(_ORDERS, slopes(normal), **_NORMAL)
    axes.text(1100, 1.04 * rho, _("Gaussian"), color=_NORMAL["color"], va="center")
    low = slopes(sampled)
    axes.plot(_ORDERS, low, **_SAMPLED)
    axes.text(1100, 0.88 * rho, _("with sampling"), color=_SAMPLED["color"], va="center")
    highest = {}
    for (name, mechanism), look, y in zip(
        pure.items(), (_PURE, _LAPLACE), (0.28, 0.1), strict=True
    ):
        curve = slopes(mechanism)
        axes.plot(_ORDERS, curve, **look)
        highest[name] = float(curve.max())
        top = float(_ORDERS[curve.argmax()])
        axes.plot(top, highest[name], color=look["color"], marker="o", ls="none", clip_on=False)
        axes.text(1100, y * rho, _(name).replace(" ", "\n"), color=look["color"], va="center")
    half = float(np.interp(rho / 2, low, _ORDERS)) if low[0] < rho / 2 else 1.0
    ring: dict[str, Any] = {
        "marker": "o",
        "markerfacecolor": "white",
        "markeredgewidth": 1.8,
        "ls": "none",
    }
    axes.plot(half, max(rho / 2, float(low[0])), color=_SAMPLED["color"], **ring)
    axes.set(
        xscale="log",
        xlim=(1, 1000),
        ylim=(0, 1.12 * rho),
        xlabel=_("order α"),
        ylabel=_("Rényi divergence divided by order"),
        title=_("one count, sampling rate {rate:g}", rate=rate),
    )
    _style.ticks(axes.xaxis, [1, 10, 100, 1000])
    _style.handle(axes, rate=(half, max(rho / 2, float(low[0]))))
    at_two = float(np.interp(2, _ORDERS, low))
    return _style.describe(
        axes,
        _(
            "The curves show the Rényi divergence divided by the order, for orders "
            "from 1 to 1,000. The curve of Gaussian noise is constant at {rho:g}. "
            "With sampling at rate {rate:g} it is {at_two:.2g} at order 2 and "
            "{low:.3f} at order 1,000.",
            rho=rho,
            rate=rate,
            at_two=at_two,
            low=low[-1],
        ),
        *(
            _("The curve of {name} never exceeds {top:.3f}.", name=_(name), top=top)
            for name, top in highest.items()
        ),
        _("Both of these curves fall toward 0 at high orders."),
    )


#: the Rényi orders that `tried_orders` adds one after the other. The first order is the one that
#: the course's sources use. Each further order lowers the bound on epsilon at the number of
#: releases at which the smallest bound from the earlier orders exceeds the bound from zCDP most
_TRIED = (60, 380, 720, 130, 40, 200, 90, 260, 960, 520, 35, 160)


@_style.styled
def tried_orders(
    *, orders: int, sigma: float = 200.0, delta: float = 1e-5, ax: Axes | None = None
) -> Axes:
    """Draw bounds on the epsilon of 1 to 1000 Gaussian releases, by Rényi orders and by zCDP.

    For each number of releases, the figure shows the smallest bound that one of a few fixed orders
    gives. Both the Rényi divergences at these orders and zCDP are converted to epsilon by Markov's
    inequality. The figure also shows advanced composition and the exact value.

    Parameters
    ----------
    orders : int
        The number of orders that are tried, from 1 to 12.
    sigma : float
        The standard deviation of the noise, in [1, 1000].

    Examples
    --------
    >>> from dpteach.figures import alt_text
    >>> text = alt_text(tried_orders(orders=1))
    >>> "The curve of the single order 60 is up to 716% above the zCDP curve" in text
    True
    """
    orders = _check.count("orders", orders)
    if orders > len(_TRIED):
        raise ValueError(f"orders must be at most {len(_TRIED)}, got orders={orders}")
    sigma = _check.real("sigma", sigma, _SIGMA)
    delta = _check.real("delta", delta, _DELTA)
    axes = _style.new_axes(ax)
    axes.figure.subplots_adjust(left=0.158, right=0.736)
    most = 1000
    k: Vector = np.unique(np.geomspace(1, most, 160).round())
    answer = Gaussian(sigma=sigma)
    rho = answer.guarantee(ZCDP).rho
    tried = sorted(_TRIED[:orders])
    curve = answer.guarantee(RenyiDP, orders=tried)
    lines = [
        [conversions.renyi_to_epsilon_mironov(order, n * one, delta) for n in k]
        for order, one in zip(curve.orders, curve.epsilons, strict=True)
    ]
    best: Vector = np.min(lines, axis=0)
    envelope: Vector = np.array(
        [conversions.zcdp_to_epsilon_bun_steinke(n * rho, delta) for n in k]
    )
    exact = gaussian_epsilons(np.sqrt(k) * answer.guarantee(GaussianDP).mu, delta)
    advanced = [advanced_epsilon(answer, int(n), delta) for n in k]
    axes.plot(k, advanced, color=_style.GREY, ls=":")
    axes.plot(k, best, **_NORMAL)
    axes.plot(k, envelope, **_BOUND)
    axes.plot(k, exact, color=_style.BLACK, lw=1.2)
    touch = [-math.log(delta) / (rho * (order - 1) ** 2) for order in tried]
    shown = [n for n in touch if 1 <= n <= most]
    at = [conversions.zcdp_to_epsilon_bun_steinke(n * rho, delta) for n in shown]
    axes.plot(shown, at, color=_style.BLUE, marker="o", ls="none")
    least = float(envelope[-1])
    ends = {
        N_("advanced\ncomposition"): (advanced[-1], _style.GREY),
        N_("best order\ntried") if orders > 1 else N_("one order"): (2.4 * least, _style.BLUE),
        "zCDP": (least, _style.VERMILLION),
        N_("exact"): (min(float(exact[-1]), least / 1.6), _style.BLACK),
    }
    for name, (y, color) in ends.items():
        axes.text(1.1 * most, y, _(name), color=color, va="center")
    above = float((best / envelope).max()) - 1
    count = _n("{count} order", "{count} orders", orders)
    axes.set(
        xscale="log",
        yscale="log",
        xlim=(1, most),
        ylim=(envelope[0] / 2.5, 12 * least),
        xlabel=_("number of releases $k$"),
        ylabel=_("$\\varepsilon$ (nats)"),
        title=_("{count}: up to {above:.0%} above zCDP", count=count, above=above),
    )
    _style.ticks(axes.xaxis, [1, 10, 100, 1000])
    axes.yaxis.set_major_formatter(lambda value, place: f"{value:g}")
    listed = ", ".join(map(str, tried))
    curve_of = _("The smallest epsilon of the orders {listed}", listed=listed)
    if orders == 1:
        curve_of = _("The curve of the single order {listed}", listed=listed)
    return _style.describe(
        axes,
        _(
            "The curves show epsilon, at a total delta of {delta:g}, against the "
            "number of releases, on logarithmic axes, for Gaussian noise of standard "
            "deviation {sigma:g}. {curve_of} is up to {above:.0%} above the zCDP "
            "curve, touches it at {value} releases, and never falls below it. At "
            "1,000 releases, zCDP gives epsilon {least:.3g}, advanced composition "
            "gives {advanced:.3g}, and the exact value is {exact:.3g}.",
            delta=delta,
            sigma=sigma,
            curve_of=curve_of,
            above=above,
            value=", ".join(f"{n:.3g}" for n in touch[::-1]),
            least=least,
            advanced=advanced[-1],
            exact=exact[-1],
        ),
    )
