"""Figures on alpha-DP: the comparison with Rényi DP, best orders, and the audit of a paper.

A figure that names no other mechanism is about k answers of a Gaussian mechanism of sensitivity 1.
Valid bounds come from the rest of the library. The one formula in this module, `wrong_log_moment`,
is a hypothesis about how the numbers in Liu and Wang (2025) were computed.

Unless a docstring says otherwise, the parameters of the figures are:

delta : float
    The delta of the guarantee, in (0, 1).
k : int
    The number of answers, at least 1.
steps : int
    The largest number k of answers, at least 2.
sigma : float
    The standard deviation of the Gaussian noise, in [1, 1000]; the sensitivity is 1.
slipped : float
    0 for the correct formula, 1 for the formula with a misplaced parenthesis, or a number between
    0 and 1 (see `wrong_log_moment`).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise

import numpy as np
from matplotlib.axes import Axes
from matplotlib.ticker import FixedLocator, NullLocator
from numpy.typing import ArrayLike, NDArray

from dpteach import _check, conversions
from dpteach._language import catalog
from dpteach._readable import number
from dpteach.calibration import calibrate, epsilon_at_best_order, sigma_at_best_order
from dpteach.figures import _style
from dpteach.mechanisms import Gaussian, Laplace, RandomizedResponse
from dpteach.notions import AlphaDP, ApproxDP, GaussianDP, RenyiDP

_, _n = catalog("figures")

__all__ = [
    "epsilon_valleys",
    "noise_valleys",
    "one_answer_by_order",
    "order_search",
    "possible_gain",
    "two_scales",
]

Vector = NDArray[np.float64]

#: the orders among which `_best_order` searches
ORDERS = np.arange(2, 1001)

_ORDER = _check.Domain("in (1, 1000]", lambda x: 1 < x <= 1000)
_SIGMA = _check.Domain("in [1, 1000]", lambda x: 1 <= x <= 1000)
_SCALE = _check.Domain("in [0.1, 100]", lambda x: 0.1 <= x <= 100)
_GOAL = _check.Domain("in [0.1, 10]", lambda x: 0.1 <= x <= 10)
_GAIN = _check.Domain("in [0, 40]", lambda x: 0 <= x <= 40)
_SMALL_DELTA = _check.Domain("in [1e-30, 0.1]", lambda x: 1e-30 <= x <= 0.1)

#: the color of curves shown for comparison
_PALE = "#9A9A9A"


def wrong_log_moment(order: ArrayLike, sigma: float, slipped: float = 1.0) -> Vector:
    """Return log(1 + a (a-1) D) for a WRONG D, whose formula has a misplaced parenthesis.

    Let x = a (a-1)/(2 sigma^2), and let s be `slipped`. The right D is (e^x - 1)/(a (a-1)), the
    alpha divergence of order a of Gaussian noise. This function takes
    (e^(x - s) - (1 - s))/(a (a-1)) as D instead. If s is 1, e^(x - 1) replaces e^x - 1. If s is 0,
    the formula is right, and the result is x.

    Parameters
    ----------
    order : array_like
        a > 1.
    sigma : float
        The standard deviation of the noise, > 0; the sensitivity is 1.
    slipped : float
        s in [0, 1].

    Returns
    -------
    ndarray
        log(s + e^(x - s)). For s > 0 this number does not bound any privacy loss.

    Examples
    --------
    >>> wrong_log_moment([2, 100], sigma=100.0, slipped=0.0).tolist()
    [0.0001, 0.495]
    >>> round(float(wrong_log_moment(164, sigma=100.0)), 6), 164 * 163 / 2 / 100**2
    (0.875543, 1.3366)
    """
    orders = _check.array("order", order)
    if not np.all(orders > 1):
        raise ValueError(f"order must hold numbers > 1, got order={_check.shown(order)}")
    sigma = _check.real("sigma", sigma, _check.POSITIVE)
    slipped = _check.real("slipped", slipped, _check.PROBABILITY)
    x = np.asarray(orders * (orders - 1) / (2 * sigma**2), dtype=np.float64)
    if slipped == 0:
        return x
    return np.asarray(np.logaddexp(math.log(slipped), x - slipped), dtype=np.float64)


def claimed_epsilon(
    order: ArrayLike, k: ArrayLike, sigma: float, delta: float, slipped: float
) -> Vector:
    """Return epsilon of k Gaussian releases at each order of alpha-DP, by a right or wrong formula.

    Epsilon follows by Markov's inequality from k times `wrong_log_moment`, which is correct only
    if `slipped` is 0.
    """
    moments = wrong_log_moment(order, sigma, slipped)
    return np.asarray((np.asarray(k) * moments - math.log(delta)) / (np.asarray(order) - 1))


def _best_order(k: int, sigma: float, delta: float, slipped: float) -> int:
    """Return the integer order with the smallest `claimed_epsilon`."""
    return int(ORDERS[np.argmin(claimed_epsilon(ORDERS, k, sigma, delta, slipped))])


def _composed(k: int, sigma: float) -> GaussianDP:
    return Gaussian(sigma=sigma).guarantee(GaussianDP).self_compose(k)


def _name(slipped: float) -> str:
    if slipped == 0:
        return _("correct formula")
    return (
        _("misplaced parenthesis")
        if slipped == 1
        else _("{slipped:g} of the 1 in the exponent", slipped=slipped)
    )


def _apart(places: Sequence[float], factor: float) -> list[float]:
    """Return label positions on a logarithmic axis, lowered so that the labels do not overlap.

    Each position is at least `factor` times the next one. The given `places` are sorted from the
    highest to the lowest.
    """
    found = list(places)
    for i, j in pairwise(range(len(found))):
        found[j] = min(found[j], found[i] / factor)
    return found


@_style.styled
def two_scales(
    *,
    order: float,
    k: int = 50,
    sigma: float = 100.0,
    delta: float = 1e-15,
    ax: Axes | None = None,
) -> Axes:
    """Draw the parameters of alpha-DP and Rényi DP after 1, ..., k outputs, and epsilon from each.

    The parameter of alpha-DP bounds the alpha divergence, and the parameter of Rényi DP bounds the
    Rényi divergence of the same order. Each of the two parameters gives an epsilon by Markov's
    inequality.

    Parameters
    ----------
    order : float
        The order of both divergences, in (1, 1000].

    Examples
    --------
    >>> from dpteach.figures import alt_text
    >>> text = alt_text(two_scales(order=119))
    >>> "and 1.3 · 10¹¹ and 0.3 after 50 outputs. Epsilon is 0.590 by alpha-DP" in text
    True
    """
    order = _check.real("order", order, _ORDER)
    k = _check.count("k", k, minimum=2)
    sigma = _check.real("sigma", sigma, _SIGMA)
    delta = _check.real("delta", delta, _SMALL_DELTA)
    axes = _style.new_axes(ax)
    axes.figure.subplots_adjust(right=0.776)
    noise = Gaussian(sigma=sigma)
    alpha, renyi = noise.guarantee(AlphaDP, order=order), noise.guarantee(RenyiDP, orders=order)
    counts = range(1, k + 1)
    alphas = [alpha.self_compose(n).epsilon for n in counts]
    if alphas[-1] == math.inf:
        raise ValueError(
            "k must leave the number of alpha-DP in the range of floats, "
            f"got k={k} at order={order:g} and sigma={sigma:g}"
        )
    renyis = [renyi.self_compose(n).epsilons[0] for n in counts]
    by_alpha = [conversions.alpha_to_epsilon(order, a, delta) for a in alphas]
    by_renyi = [conversions.renyi_to_epsilon_mironov(order, e, delta) for e in renyis]
    axes.plot(counts, by_alpha, color=_style.GREEN, linewidth=6, alpha=0.35, linestyle="-")
    axes.plot(counts, by_renyi, color=_style.GREEN, linewidth=1.6, linestyle="-")
    axes.plot(counts, alphas, color=_style.PURPLE, linestyle="--")
    axes.plot(counts, renyis, color=_style.BLUE, linestyle="-.")
    low, high = 1e-5, 1e16
    rows = sorted(
        (
            (min(alphas[-1], high), "alpha-DP", _style.PURPLE),
            (by_renyi[-1], _("ε, by both"), _style.GREEN),
            (renyis[-1], _("Rényi DP"), _style.BLUE),
        ),
        reverse=True,
    )
    places = _apart([place for place, _rest, _rest in rows], 30)
    for (_other, name, color), place in zip(rows, places, strict=True):
        axes.text(1.07 * k, place, name, color=color, va="center")
    axes.set(
        xlabel=_("outputs $k$"),
        ylabel=_("parameter or ε (logarithmic)"),
        title=_(
            "order {order:g}, {k} outputs: ε = {by_alpha:.3f} by alpha-DP, "
            "{by_renyi:.3f} by Rényi DP",
            order=order,
            k=k,
            by_alpha=by_alpha[-1],
            by_renyi=by_renyi[-1],
        ),
        yscale="log",
        xlim=(0, k),
        ylim=(low, high),
    )
    axes.yaxis.set_major_locator(FixedLocator([1e-4, 1, 1e4, 1e8, 1e12, 1e16]))
    axes.yaxis.set_minor_locator(NullLocator())
    _style.handle(axes, order=(k, min(alphas[-1], high)))
    return _style.describe(
        axes,
        _(
            "The figure shows the parameters of alpha-DP and Rényi DP for 1 to {k} "
            "outputs, at order {order:g}, on a logarithmic axis. On the alpha scale "
            "and the Rényi scale they are {alphas:.2g} and {renyis:.2g} after one "
            "output, and {alphas_2:.2g} and {renyis_2:.2g} after {k} outputs. "
            "Epsilon is {by_alpha:.3f} by alpha-DP and {by_renyi:.3f} by Rényi DP; "
            "the two curves of epsilon coincide.",
            k=k,
            order=order,
            alphas=alphas[0],
            renyis=renyis[0],
            alphas_2=alphas[-1],
            renyis_2=renyis[-1],
            by_alpha=by_alpha[-1],
            by_renyi=by_renyi[-1],
        ),
    )


@_style.styled
def one_answer_by_order(*, scale: float, delta: float = 1e-5, ax: Axes | None = None) -> Axes:
    """Draw epsilon of one output by Rényi DP against the order, for three mechanisms.

    Randomized response tells the truth with odds e^(1/scale) : 1, the Laplace noise has the scale
    `scale`, and the Gaussian noise has the standard deviation `scale`. Horizontal lines mark the
    pure epsilon of the first two mechanisms, and the exact epsilon of the third at delta.

    Parameters
    ----------
    scale : float
        The size of the noise, in [0.1, 100].

    Examples
    --------
    >>> from dpteach.figures import alt_text
    >>> text = alt_text(one_answer_by_order(scale=1.0))
    >>> "randomized response is at 1.113 and Laplace noise at 1.109, above their limit 1" in text
    True
    >>> "lowest at order 5.8, where epsilon is 5.299; the exact value is 4.377" in text
    True
    """
    scale = _check.real("scale", scale, _SCALE)
    delta = _check.real("delta", delta, _SMALL_DELTA)
    axes = _style.new_axes(ax)
    axes.figure.subplots_adjust(right=0.657)
    orders = [*(float(a) for a in 1 + np.geomspace(0.5, 999, 70)), 1000.5]
    named = (
        (_("randomized response"), RandomizedResponse(epsilon=1 / scale), _style.line(0)),
        (_("Laplace noise"), Laplace(scale=scale), _style.line(1)),
        (_("Gaussian noise"), Gaussian(sigma=scale), _style.line(2)),
    )

    def converted(mechanism: RandomizedResponse | Laplace | Gaussian, order: float) -> float:
        renyi = mechanism.guarantee(RenyiDP, orders=order).epsilons[0]
        return conversions.renyi_to_epsilon_mironov(order, renyi, delta)

    low, high = 0.05, 100.0
    for _other, mechanism, look in named:
        axes.plot(orders, [converted(mechanism, a) for a in orders], **look)
    pure = 1 / scale
    exact = Gaussian(sigma=scale).guarantee(GaussianDP).epsilon_at(delta)
    best = epsilon_at_best_order(scale, delta=delta)
    axes.axhline(pure, color=_style.GREY, linewidth=1.2, linestyle=":")
    axes.axhline(exact, color=_style.BLACK, linewidth=1.2, linestyle=":")
    axes.plot([best.order], [best.value], **_style.mark(2))
    ends = _apart(
        [min(converted(named[2][1], 1000), high / 1.2), 1.2 * pure, pure / 1.3],
        1.5,
    )
    for (name, _mechanism, look), place in zip((named[2], named[0], named[1]), ends, strict=True):
        axes.text(1080, place, name, color=look["color"], va="center")
    axes.text(900, exact * 1.06, _("exact"), ha="right", va="bottom")
    name = _("the other two, δ = 0")
    axes.text(900, pure / 1.08, name, ha="right", va="top", color=_style.GREY)
    axes.set(
        xlabel=_("order $\\alpha$"),
        ylabel=_("$\\varepsilon$ (nats)"),
        title=_(
            "size {scale:g}: Gaussian noise {value:.3f} at the best order, exact {exact:.3f}",
            scale=scale,
            value=best.value,
            exact=exact,
        ),
        xscale="log",
        yscale="log",
        xlim=(1.5, 1000),
        ylim=(low, high),
    )
    _style.ticks(axes.xaxis, [2, 10, 100, 1000])
    _style.ticks(axes.yaxis, [0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50])
    _style.handle(axes, scale=(best.order, best.value))
    coin, laplace = (converted(mechanism, 100.0) for _name, mechanism, _look in named[:2])
    return _style.describe(
        axes,
        _(
            "The figure shows the epsilon of one output at delta {delta:g} against "
            "the order, on logarithmic axes. The curves of randomized response and "
            "Laplace noise fall and level off: at order 100, randomized response is "
            "at {coin:.3f} and Laplace noise at {laplace:.3f}, above their limit "
            "{pure:g}. The curve of Gaussian noise is lowest at order {order:.1f}, "
            "where epsilon is {value:.3f}; the exact value is {exact:.3f}.",
            delta=delta,
            coin=coin,
            laplace=laplace,
            pure=pure,
            order=best.order,
            value=best.value,
            exact=exact,
        ),
    )


def _valleys(
    axes: Axes,
    curves: Mapping[float, tuple[Callable[[Vector], Vector], float, float]],
    chosen: float,
    sign: str,
) -> None:
    """Draw functions of the order of Rényi DP, and mark the minimum of each function.

    Each function belongs to one value of a parameter, whose symbol is `sign`. `curves` maps this
    value to the function, the order where the function is smallest, and its value there. The curve
    of the value `chosen` is emphasized.
    """
    axes.figure.subplots_adjust(right=0.815)
    orders = np.geomspace(1.02, 400, 160)
    for value, (curve, best, least) in curves.items():
        one = value == chosen
        color = _style.GREEN if one else _PALE
        with np.errstate(divide="ignore", invalid="ignore"):
            axes.plot(orders, curve(orders), color=color, linestyle="-", lw=2.4 if one else 1.2)
        axes.plot([best], [least], color=color, marker="^" if one else ".", linestyle="none")
        end = float(curve(np.array([400.0]))[0])
        axes.text(
            425, end, f"{sign} = {value:g}", color=_style.GREEN if one else _style.GREY, va="center"
        )


@_style.styled
def epsilon_valleys(
    *,
    sigma: float,
    sigmas: Sequence[float] = (50, 100, 200, 500),
    k: int = 1000,
    delta: float = 1e-5,
    ax: Axes | None = None,
) -> Axes:
    """Draw epsilon of k outputs by Rényi DP against the order, for several standard deviations.

    Parameters
    ----------
    sigma : float
        The standard deviation of the Gaussian noise whose curve is emphasized and whose exact
        epsilon is drawn too: one of `sigmas`, in [1, 1000].
    sigmas : sequence of float
        At most 5 standard deviations of the noise.

    Examples
    --------
    >>> from dpteach.figures import alt_text
    >>> text = alt_text(epsilon_valleys(sigma=100))
    >>> "smallest at order 16.2, where it is 1.567; the exact value is 1.199" in text
    True
    """
    chosen, values = _one_of("sigma", sigma, sigmas, _SIGMA)
    k = _check.count("k", k)
    delta = _check.real("delta", delta, _SMALL_DELTA)
    axes = _style.new_axes(ax)

    def curve(value: float) -> tuple[Callable[[Vector], Vector], float, float]:
        best = epsilon_at_best_order(value, delta=delta, k=k)
        return lambda a: claimed_epsilon(a, k, value, delta, 0.0), best.order, best.value

    curves = {value: curve(value) for value in values}
    _valleys(axes, curves, chosen, "σ")
    _other, order, least = curves[chosen]
    exact = _composed(k, chosen).epsilon_at(delta)
    axes.axhline(exact, color=_style.BLACK, linewidth=1.2, linestyle=":")
    axes.text(1.25, exact / 1.06, _("exact {exact:.3f}", exact=exact), va="top")
    axes.set(
        xlabel=_("order $\\alpha$"),
        ylabel=_("$\\varepsilon$ (nats)"),
        title=_(
            "{k:,} outputs, σ = {chosen:g}: {least:.3f} at order {order:.1f}",
            k=k,
            chosen=chosen,
            least=least,
            order=order,
        ),
        xscale="log",
        yscale="log",
        xlim=(1.2, 400),
        ylim=(0.1, 100),
    )
    _style.ticks(axes.xaxis, [2, 5, 10, 20, 50, 100, 200])
    _style.ticks(axes.yaxis, [0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50])
    _style.handle(axes, sigma=(order, least))
    return _style.describe(
        axes,
        _(
            "The figure shows the epsilon of {k} outputs at delta {delta:g} against "
            "the order, on logarithmic axes. The curves of {values} standard "
            "deviations each have one minimum. For the standard deviation "
            "{chosen:g}, epsilon is smallest at order {order:.1f}, where it is "
            "{least:.3f}; the exact value is {exact:.3f}.",
            k=k,
            delta=delta,
            values=len(values),
            chosen=chosen,
            order=order,
            least=least,
            exact=exact,
        ),
    )


@_style.styled
def noise_valleys(
    *,
    epsilon: float,
    epsilons: Sequence[float] = (0.5, 1, 2, 5),
    k: int = 1000,
    delta: float = 1e-5,
    ax: Axes | None = None,
) -> Axes:
    """Draw the sigma with which k Gaussian outputs are (epsilon, delta)-DP by Rényi DP, by order.

    Parameters
    ----------
    epsilon : float
        The epsilon whose curve is emphasized: one of `epsilons`, in [0.1, 10]. Two lines are drawn
        for it: the exact smallest sigma, and the order up to which no sigma is enough, because the
        conversion from Rényi DP adds log(1/delta)/(order - 1), which is >= epsilon there.
    epsilons : sequence of float
        At most 5 values of epsilon.

    Examples
    --------
    >>> from dpteach.figures import alt_text
    >>> text = alt_text(noise_valleys(epsilon=1))
    >>> "smallest at order 24.5, where it is 155.0; the exact value is 118.0" in text
    True
    """
    chosen, values = _one_of("epsilon", epsilon, epsilons, _GOAL)
    k = _check.count("k", k)
    delta = _check.real("delta", delta, _SMALL_DELTA)
    axes = _style.new_axes(ax)
    log_term = -math.log(delta)

    def curve(value: float) -> tuple[Callable[[Vector], Vector], float, float]:
        best = sigma_at_best_order(value, delta=delta, k=k)

        def noise(a: Vector) -> Vector:
            # epsilon minus the conversion term: k a/(2 sigma^2) must be at most this number
            left = value - log_term / (a - 1)
            return np.asarray(np.sqrt(k * a / (2 * np.where(left > 0, left, math.nan))))

        return noise, best.order, best.value

    curves = {value: curve(value) for value in values}
    _valleys(axes, curves, chosen, "ε")
    _other, order, least = curves[chosen]
    exact = calibrate(Gaussian, ApproxDP(chosen, delta), sensitivity=math.sqrt(k)).sigma
    pole = 1 + log_term / chosen
    axes.axhline(exact, color=_style.BLACK, linewidth=1.2, linestyle=":")
    axes.axvline(pole, color=_style.GREY, linewidth=1.2, linestyle="--")
    axes.text(1.25, exact / 1.03, _("exact {exact:.1f}", exact=exact), va="top")
    axes.text(pole / 1.05, 1500, f"{pole:.1f}", color=_style.GREY, ha="right", va="center")
    axes.set(
        xlabel=_("order $\\alpha$"),
        ylabel=_("standard deviation $\\sigma$"),
        title=_(
            "{k:,} outputs, ε = {chosen:g}: σ = {least:.1f} at order {order:.1f}",
            k=k,
            chosen=chosen,
            least=least,
            order=order,
        ),
        xscale="log",
        yscale="log",
        xlim=(1.2, 400),
        ylim=(15, 2000),
    )
    _style.ticks(axes.xaxis, [2, 5, 10, 20, 50, 100, 200])
    _style.ticks(axes.yaxis, [20, 50, 100, 200, 500, 1000, 2000])
    _style.handle(axes, epsilon=(order, least))
    return _style.describe(
        axes,
        _(
            "The figure shows the standard deviation that {k} outputs need at delta "
            "{delta:g}, against the order, on logarithmic axes. The curves of "
            "{values} values of epsilon each have one minimum. For epsilon "
            "{chosen:g}, no amount of noise suffices up to order {pole:.1f}. The "
            "standard deviation is smallest at order {order:.1f}, where it is "
            "{least:.1f}; the exact value is {exact:.1f}.",
            k=k,
            delta=delta,
            values=len(values),
            chosen=chosen,
            pole=pole,
            order=order,
            least=least,
            exact=exact,
        ),
    )


def _one_of(
    name: str, value: float, values: Sequence[float], domain: _check.Domain
) -> tuple[float, tuple[float, ...]]:
    among = _check.reals(f"{name}s", values, domain)
    chosen = _check.real(name, value, domain)
    if len(among) > 5 or chosen not in among:
        raise ValueError(
            f"{name} must be one of at most 5 {name}s, got {name}={chosen:g} and "
            f"{name}s={_check.shown(values)}"
        )
    return chosen, tuple(among)


@_style.styled
def possible_gain(
    *,
    gain: float,
    delta: float,
    deltas: Sequence[float] = (1e-25, 1e-15, 1e-10, 1e-5),
    k: int = 50,
    sigma: float = 100.0,
    ax: Axes | None = None,
) -> Axes:
    """Draw the true delta divided by the claimed delta, against the claimed gain over Rényi DP.

    For k outputs with Gaussian noise of standard deviation sigma, Rényi DP at the best real order
    gives, by Markov's inequality, epsilon = rho + 2 sqrt(rho log(1/delta)), where rho is
    k/(2 sigma^2). A gain of x percent is the claim that an epsilon smaller by x percent is valid
    for the same delta. Where the ratio of the deltas is above 1, this claim is false.

    Parameters
    ----------
    gain : float
        The claimed gain in percent, in [0, 40].
    delta : float
        The claimed delta for which the gain is marked: one of `deltas`, in [1e-30, 0.1].
    deltas : sequence of float
        At most 5 values of delta.

    Examples
    --------
    >>> from dpteach.figures import alt_text
    >>> text = alt_text(possible_gain(gain=20, delta=1e-15))
    >>> "epsilon 0.472, where the true delta is 156 times the claimed delta" in text
    True
    >>> "true up to a gain of 11.7%" in text
    True
    """
    gain = _check.real("gain", gain, _GAIN)
    chosen, values = _one_of("delta", delta, deltas, _SMALL_DELTA)
    k = _check.count("k", k)
    sigma = _check.real("sigma", sigma, _SIGMA)
    axes = _style.new_axes(ax)
    axes.figure.subplots_adjust(right=0.934)
    truth = _composed(k, sigma)
    low, high = 1e-3, 1e7
    gains = np.linspace(0, 40, 81)

    def excess(percent: float, promised: float) -> float:
        reported = epsilon_at_best_order(sigma, delta=promised, k=k).value
        return truth.delta_at(reported * (1 - percent / 100)) / promised

    axes.axhspan(1, high, facecolor="#F3E3DA", zorder=0)
    for value in values:
        one = value == chosen
        broken = np.array([excess(float(g), value) for g in gains])
        color = _style.GREEN if one else _PALE
        axes.plot(gains, broken, color=color, linestyle="-", linewidth=2.4 if one else 1.2)
        # put the label of a curve at its last point well below the top, away from the draggable
        # point
        inside = np.flatnonzero(broken < high / 30)[-1]
        axes.text(
            gains[inside] - 1.4,
            broken[inside],
            f"δ = {value:g}",
            color=_style.GREEN if one else _style.GREY,
            ha="right",
            va="bottom",
        )
    reported = epsilon_at_best_order(sigma, delta=chosen, k=k).value
    most = 100 * (1 - truth.epsilon_at(chosen) / reported)
    axes.plot([most], [1], color=_style.BLACK, marker="o", linestyle="none")
    axes.plot([most, most], [low, 1], color=_style.BLACK, linewidth=1.2, linestyle=":")
    axes.text(most + 0.4, 1.3 * low, f"{most:.1f} %", va="bottom")
    now = excess(gain, chosen)
    axes.plot([gain], [now], **_style.mark(2))
    # draw a vertical line at the chosen gain, because the curve's point may lie outside the figure
    axes.axvline(gain, color=_style.GREEN, lw=1, ls=":", zorder=1)
    axes.text(0.5, 1.35, _("false"), va="bottom", color=_style.VERMILLION)
    axes.text(0.5, 0.7, _("true"), va="top")
    claimed = reported * (1 - gain / 100)
    axes.set(
        xlabel=_("reported gain over Rényi DP (%)"),
        ylabel=_("true δ / claimed δ"),
        title=_(
            "gain of {gain:g}%: ε = {claimed:.3f}, true δ is {now} the claimed δ",
            gain=gain,
            claimed=claimed,
            now=_times(now),
        ),
        yscale="log",
        xlim=(0, 40),
        ylim=(low, high),
    )
    axes.yaxis.set_major_locator(FixedLocator([1e-2, 1, 1e2, 1e4, 1e6]))
    axes.yaxis.set_minor_locator(NullLocator())
    _style.handle(axes, gain=(gain, now))
    return _style.describe(
        axes,
        _(
            "The figure plots the true delta divided by the claimed delta, on a "
            "logarithmic axis, against the reported gain over Rényi DP, for {k} "
            "outputs with Gaussian noise of standard deviation {sigma:g}. At delta "
            "{chosen:g}, a gain of {gain:g}% means epsilon {claimed:.3f}, where the "
            "true delta is {now} the claimed delta. A report is true up to a gain of "
            "{most:.1f}%.",
            k=k,
            sigma=sigma,
            chosen=chosen,
            gain=gain,
            claimed=claimed,
            now=_times(now),
            most=most,
        ),
    )


def _times(value: float) -> str:
    if 1000 <= value < 1e6:
        return _("{value:,.0f} times", value=value)
    return _("{value} times", value=number(value, 3 if value < 1000 else 1))


@_style.styled
def order_search(
    *,
    delta: float,
    steps: int = 50,
    sigma: float = 100.0,
    slipped: float = 1.0,
    ax: Axes | None = None,
) -> Axes:
    """Plot epsilon of k releases against the order of alpha-DP, by a correct and a wrong formula.

    Both formulas use the alpha divergence of Gaussian noise, the wrong one with a misplaced
    parenthesis (see `wrong_log_moment`). For each formula, the smallest epsilon at an integer order
    is marked. The gray line is the exact epsilon; a smaller epsilon is not a valid guarantee.

    Parameters
    ----------
    steps : int
        The number k of releases, at least 1.

    Examples
    --------
    >>> from dpteach.figures import alt_text
    >>> text = alt_text(order_search(delta=1e-15))
    >>> "least at order 119, 0.590" in text, "least at order 165, 0.480" in text
    (True, True)
    """
    delta = _check.real("delta", delta, _check.OPEN_PROBABILITY)
    steps = _check.count("steps", steps)
    sigma = _check.real("sigma", sigma, _SIGMA)
    slipped = _check.real("slipped", slipped, _check.PROBABILITY)
    axes = _style.new_axes(ax)
    orders = np.concatenate((np.arange(2, 40), np.arange(40, 301, 4)))
    words = []
    for i, share in enumerate((0.0, slipped) if slipped else (0.0,)):
        best = _best_order(steps, sigma, delta, share)
        least = float(claimed_epsilon(best, steps, sigma, delta, share))
        axes.plot(
            orders,
            claimed_epsilon(orders, steps, sigma, delta, share),
            **_style.line(i),
            label=_(
                "{share}: {least:.3f} at order {best}", share=_name(share), least=least, best=best
            ),
        )
        axes.plot([best], [least], **_style.mark(i))
        words.append(
            _(
                "{share}, least at order {best}, {least:.3f}",
                share=_name(share),
                best=best,
                least=least,
            )
        )
    exact = _composed(steps, sigma).epsilon_at(delta)
    axes.axhline(
        exact, color=_style.GREY, linewidth=1.2, label=_("exact: {exact:.3f}", exact=exact)
    )
    axes.set(
        xlabel=_("order $\\alpha$"),
        ylabel=_("$\\varepsilon$ (nats)"),
        title=_(
            "{steps} releases, δ = {delta:g}, σ = {sigma:g}", steps=steps, delta=delta, sigma=sigma
        ),
        xlim=(0, 300),
        yscale="log",
        ylim=(0.1, 5),
    )
    _style.ticks(axes.yaxis, [0.1, 0.2, 0.5, 1, 2, 5])
    axes.legend(loc="upper right")
    return _style.describe(
        axes,
        _(
            "Epsilon of {steps} releases at delta {delta:g} is shown as a function "
            "of the order. Each curve is U-shaped: {words}. The exact value is "
            "{exact:.3f}.",
            steps=steps,
            delta=delta,
            words="; ".join(words),
            exact=exact,
        ),
    )
