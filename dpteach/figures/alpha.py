"""Figures of the audit of alpha-DP: a claim, what holds, and one misplaced bracket.

All of them are about k answers of a Gaussian mechanism of sensitivity 1. What holds comes from
the library. The one formula written here, `wrong_log_moment`, is a hypothesis about how printed
numbers came about; it is no theorem, and so it stands with the pictures and nowhere else.

The parameters of the figures, where they say no more:

delta : float
    In (0, 1).
steps : int
    The largest number k of answers, at least 2.
sigma : float
    In [1, 1000]; the sensitivity is 1.
slipped : float
    See `wrong_log_moment`: 0 for the right formula, 1 for the misplaced bracket.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import numpy as np
from matplotlib.axes import Axes
from matplotlib.ticker import FixedLocator, FuncFormatter, NullLocator
from numpy.typing import ArrayLike, NDArray

from dpteach import _check, conversions
from dpteach.figures import _style
from dpteach.mechanisms import Gaussian
from dpteach.notions import GaussianDP

__all__ = [
    "alpha_lines",
    "broken_promise",
    "hidden_constant",
    "order_search",
    "orders_reproduced",
]

Vector = NDArray[np.float64]

#: orders among which the search of a figure looks for the best one
ORDERS = np.arange(2, 1001)

_ORDER = _check.Domain("in (1, 1000]", lambda x: 1 < x <= 1000)
_SIGMA = _check.Domain("in [1, 1000]", lambda x: 1 <= x <= 1000)
_CONSTANT = _check.Domain("in (0, 10]", lambda x: 0 < x <= 10)


def wrong_log_moment(order: ArrayLike, sigma: float, slipped: float = 1.0) -> Vector:
    """WRONG on purpose: log(1 + a (a-1) D) with the 1 of e^x - 1 slipped into the exponent.

    For x = a (a-1)/(2 sigma^2) the alpha divergence of Gaussian noise is (e^x - 1)/(a (a-1)).
    This computes with (e^(x - s) - (1 - s))/(a (a-1)) in its place. The share s is 1 for
    exp(x - 1) where exp(x) - 1 is meant; 0 gives the right formula, and then the result is x.

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
        log(s + e^(x - s)). A guarantee of nothing unless s = 0.

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


def _claim(order: ArrayLike, k: ArrayLike, sigma: float, delta: float, slipped: float) -> Vector:
    """(k log(1 + a (a-1) D) + log(1/delta))/(a - 1): composed, then converted."""
    moments = wrong_log_moment(order, sigma, slipped)
    return np.asarray((np.asarray(k) * moments - math.log(delta)) / (np.asarray(order) - 1))


def _best_order(k: int, sigma: float, delta: float, slipped: float) -> int:
    """The integer order of the least claim: where slipped is 0, the best for Rényi DP."""
    return int(ORDERS[np.argmin(_claim(ORDERS, k, sigma, delta, slipped))])


def _composed(k: int, sigma: float) -> GaussianDP:
    return Gaussian(sigma=sigma).guarantee(GaussianDP).self_compose(k)


def _short(delta: float) -> str:
    """The number without the zero that `g` puts into the exponent: 1e-5."""
    return f"{delta:g}".replace("e-0", "e-")


def _name(slipped: float) -> str:
    if slipped == 0:
        return "right formula"
    return "bracket misplaced" if slipped == 1 else f"{slipped:g} of the 1 in the exponent"


@_style.styled
def alpha_lines(
    *,
    delta: float,
    order: float,
    steps: int = 50,
    sigma: float = 100.0,
    slipped: float = 0.0,
    ax: Axes | None = None,
) -> Axes:
    """Epsilon of k = 1, ..., steps answers: alpha-DP at one order, Rényi DP, zCDP, the truth.

    The Rényi line keeps the integer order that is best after all steps. Where the alpha line
    lies below the exact curve it is hatched: there it is no guarantee.

    Parameters
    ----------
    order : float
        Of the alpha line, in (1, 1000].

    Examples
    --------
    >>> from dpteach.figures import alt_text
    >>> text = alt_text(alpha_lines(delta=1e-15, order=164, slipped=1.0))
    >>> "alpha-DP at order 164 (bracket misplaced) 0.480" in text, "exact value 0.521" in text
    (True, True)
    """
    delta = _check.real("delta", delta, _check.OPEN_PROBABILITY)
    order = _check.real("order", order, _ORDER)
    steps = _check.count("steps", steps, minimum=2)
    sigma = _check.real("sigma", sigma, _SIGMA)
    slipped = _check.real("slipped", slipped, _check.PROBABILITY)
    axes = _style.new_axes(ax)
    k = np.unique(np.linspace(1, steps, 25).round().astype(int))
    renyi_order = _best_order(steps, sigma, delta, 0.0)
    rho = 1 / (2 * sigma**2)
    renyi = [
        conversions.renyi_to_epsilon_mironov(renyi_order, n * renyi_order * rho, delta) for n in k
    ]
    zcdp = [conversions.zcdp_to_epsilon_bun_steinke(n * rho, delta) for n in k]
    exact = np.array([_composed(int(n), sigma).epsilon_at(delta) for n in k])
    claim = _claim(order, k, sigma, delta, slipped)

    axes.plot(k, renyi, **_style.line(0), label=f"Rényi DP, order {renyi_order}")
    axes.plot(k, claim, **_style.line(1), label=f"alpha-DP, order {order:g}")
    axes.plot(k, zcdp, **_style.line(2), label="zCDP, best orders")
    axes.plot(k, exact, color=_style.BLACK, linewidth=1.2, label="exact")
    axes.fill_between(
        k, claim, exact, where=claim < exact, facecolor="none", edgecolor=_style.GREY, hatch="////"
    )
    axes.set(
        xlabel=r"answers $k$",
        ylabel=r"$\varepsilon$ (nats)",
        title=f"δ = {_short(delta)}, {_name(slipped)}",
        xlim=(0, steps),
        ylim=(0, 0.8),
    )
    axes.legend(loc="upper left")
    below = k[claim < exact]
    promise = (
        f"The alpha-DP line lies below the exact one from about {below[0]} answers to "
        f"{below[-1]}, where it cannot hold."
        if below.size
        else "The alpha-DP line lies nowhere below the exact one."
    )
    return _style.describe(
        axes,
        f"Epsilon at delta {_short(delta)} against the number of answers, for noise of standard "
        f"deviation {sigma:g}. After {steps} answers: Rényi DP at order {renyi_order} "
        f"{renyi[-1]:.3f}, zCDP {zcdp[-1]:.3f}, alpha-DP at order {order:g} ({_name(slipped)}) "
        f"{claim[-1]:.3f}, exact value {exact[-1]:.3f}. {promise}",
    )


@_style.styled
def order_search(
    *,
    delta: float,
    steps: int = 50,
    sigma: float = 100.0,
    slipped: float = 1.0,
    ax: Axes | None = None,
) -> Axes:
    """Epsilon of k answers against the order, by the right and by a wrong formula.

    Both least values among integer orders are marked; the grey line is the exact epsilon, below
    which nothing holds.

    Parameters
    ----------
    steps : int
        The number k of answers, at least 1.

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
        least = float(_claim(best, steps, sigma, delta, share))
        axes.plot(
            orders,
            _claim(orders, steps, sigma, delta, share),
            **_style.line(i),
            label=f"{_name(share)}: {least:.3f} at order {best}",
        )
        axes.plot([best], [least], **_style.mark(i))
        words.append(f"{_name(share)}, least at order {best}, {least:.3f}")
    exact = _composed(steps, sigma).epsilon_at(delta)
    axes.axhline(exact, color=_style.GREY, linewidth=1.2, label=f"exact: {exact:.3f}")
    axes.set(
        xlabel=r"order $\alpha$",
        ylabel=r"$\varepsilon$ (nats)",
        title=f"{steps} answers, δ = {_short(delta)}, σ = {sigma:g}",
        xlim=(0, 300),
        yscale="log",
        ylim=(0.1, 5),
    )
    _style.ticks(axes.yaxis, [0.1, 0.2, 0.5, 1, 2, 5])
    axes.legend(loc="upper right")
    return _style.describe(
        axes,
        f"Epsilon of {steps} answers at delta {_short(delta)} against the order, U-shaped: "
        f"{'; '.join(words)}. The exact value is {exact:.3f}.",
    )


@_style.styled
def hidden_constant(
    *,
    sigmas: Sequence[float],
    orders: Sequence[float],
    printed: Sequence[float],
    labels: Sequence[str],
    digits: int = 3,
    ax: Axes | None = None,
) -> Axes:
    """Printed alpha divergences of Gaussian noise, times a (a-1) e^(-x).

    With x = a (a-1)/(2 sigma^2) the result would be 1 - e^(-x) by the right formula, and is the
    constant c if c e^x/(a (a-1)) was computed. Bars show what rounding leaves open.

    Parameters
    ----------
    sigmas, orders, printed : sequence of float
        One of each for every printed value, > 0; orders > 1.
    labels : sequence of str
    digits : int
        To how many significant digits the values were printed.

    Examples
    --------
    >>> from dpteach.figures import alt_text
    >>> one = dict(sigmas=[100.0], orders=[152], printed=[5.05e-5], labels=["152"])
    >>> "152: 0.3679 (0.3675 to 0.3683)" in alt_text(hidden_constant(**one))
    True
    """
    sigma = np.array(_check.reals("sigmas", sigmas, _check.POSITIVE))
    order = np.array(_check.reals("orders", orders, _check.ORDER_ABOVE_ONE))
    value = np.array(_check.reals("printed", printed, _check.POSITIVE))
    digits = _check.count("digits", digits)
    if not sigma.size == order.size == value.size == len(labels):
        raise ValueError(
            "sigmas, orders, printed and labels must have one length, "
            f"got {sigma.size}, {order.size}, {value.size} and {len(labels)}"
        )
    axes = _style.new_axes(ax)
    factor = order * (order - 1) * np.exp(-order * (order - 1) / (2 * sigma**2))
    constant = value * factor
    margin = 0.5 * 10.0 ** (np.floor(np.log10(value)) + 1 - digits) * factor
    place = np.arange(value.size)
    axes.axhline(math.exp(-1), color=_style.GREY, linewidth=1.2, label="1/e")
    axes.errorbar(
        place, constant, yerr=margin, **_style.mark(0), capsize=4, label="from the printed value"
    )
    axes.set(
        ylabel=r"constant $\times$ 1000",
        title=r"Printed value $\cdot\ \alpha(\alpha-1)\,e^{-x}$",
        xlim=(-0.6, value.size - 0.4),
        ylim=(0.3655, 0.3695),
    )
    axes.xaxis.set_major_locator(FixedLocator([float(i) for i in place]))
    axes.set_xticklabels(labels, fontsize=11.6)
    axes.yaxis.set_major_locator(FixedLocator([0.366, 0.367, 0.368, 0.369]))
    axes.yaxis.set_major_formatter(FuncFormatter(lambda y, _: f"{1000 * y:.0f}"))
    axes.legend(loc="upper left", ncols=2)
    rows = "; ".join(
        f"{' '.join(name.split())}: {c:.4f} ({c - m:.4f} to {c + m:.4f})"
        for name, c, m in zip(labels, constant, margin, strict=True)
    )
    return _style.describe(
        axes,
        "The printed single-answer values times a (a - 1) over e to the x, with what rounding "
        f"leaves open. {rows}. A line marks 1/e, 0.3679.",
    )


#: a printed best order: (sigma, delta, answers, order)
Row = tuple[float, float, int, int]


def _rows(rows: Sequence[Row]) -> list[Row]:
    checked = []
    for i, row in enumerate(rows):
        if len(row) != 4:
            raise ValueError(
                f"rows[{i}] must be (sigma, delta, answers, order), got {_check.shown(row)}"
            )
        sigma, delta, k, order = row
        checked.append(
            (
                _check.real(f"sigma of rows[{i}]", sigma, _SIGMA),
                _check.real(f"delta of rows[{i}]", delta, _check.OPEN_PROBABILITY),
                _check.count(f"answers of rows[{i}]", k),
                _check.count(f"order of rows[{i}]", order, minimum=2),
            )
        )
    if not checked:
        raise ValueError("rows must hold at least one row, got none")
    return checked


@_style.styled
def orders_reproduced(
    *,
    rows: Sequence[Row],
    low: float = 0.32,
    high: float = 0.42,
    ax: Axes | None = None,
) -> Axes:
    """How many printed orders come out if 1 + c e^x is composed, against the constant c.

    Parameters
    ----------
    rows : sequence of (sigma, delta, answers, order)
        The settings of each printed order, and the order.
    low, high : float
        The range of c, in (0, 10].

    Examples
    --------
    >>> from dpteach.figures import alt_text
    >>> "At most 0 of 1 come out" in alt_text(orders_reproduced(rows=[(100.0, 1e-15, 51, 2)]))
    True
    """
    checked = _rows(rows)
    low = _check.real("low", low, _CONSTANT)
    high = _check.real("high", high, _CONSTANT)
    if not low < high:
        raise ValueError(f"high must be > low, got low={low} and high={high}")
    axes = _style.new_axes(ax)
    constants = np.linspace(low, high, 201)
    hits = np.zeros(constants.size)
    for sigma, delta, k, order in checked:
        x = wrong_log_moment(ORDERS, sigma, 0.0)
        moments = np.logaddexp(0.0, np.log(constants)[:, None] + x)
        best = ORDERS[np.argmin((k * moments - math.log(delta)) / (ORDERS - 1), axis=1)]
        hits += best == order
    axes.plot(constants, hits, **_style.line(0), drawstyle="steps-mid", label="orders that fit")
    axes.axvline(math.exp(-1), color=_style.GREY, linewidth=1.2, label="1/e")
    axes.set(
        xlabel=r"constant $c$ in $1 + c\,e^x$",
        ylabel="printed orders that come out",
        title="One constant for all printed orders",
        xlim=(low, high),
        ylim=(0, len(checked) + 0.5),
    )
    axes.yaxis.set_major_locator(FixedLocator([float(i) for i in range(len(checked) + 1)]))
    axes.legend(loc="lower right")
    all_fit = constants[hits == len(checked)]
    found = (
        f"All {len(checked)} come out for c from {all_fit[0]:.4f} to {all_fit[-1]:.4f}"
        if all_fit.size
        else f"At most {hits.max():.0f} of {len(checked)} come out"
    )
    return _style.describe(
        axes,
        "How many printed orders come out as best against the constant c. "
        f"{found}. A line marks 1/e, 0.3679.",
    )


@_style.styled
def broken_promise(
    *,
    orders: Mapping[float, float],
    steps: int = 50,
    sigma: float = 100.0,
    slipped: float = 1.0,
    ax: Axes | None = None,
) -> Axes:
    """True delta at the claimed epsilon, over the delta that was promised, against the answers.

    Above 1 the claim is false.

    Parameters
    ----------
    orders : mapping of float to float
        For each delta that is promised, the order of the claim; at most 5 of them.

    Examples
    --------
    >>> from dpteach.figures import alt_text
    >>> "delta 1e-15 (order 164): 68.9" in alt_text(broken_promise(orders={1e-15: 164}))
    True
    """
    if not isinstance(orders, Mapping) or not 1 <= len(orders) <= 5:
        raise TypeError(
            "orders must be a mapping from delta to order with 1 to 5 entries, "
            f"got orders={_check.shown(orders)}"
        )
    steps = _check.count("steps", steps, minimum=2)
    sigma = _check.real("sigma", sigma, _SIGMA)
    slipped = _check.real("slipped", slipped, _check.PROBABILITY)
    axes = _style.new_axes(ax)
    k = np.arange(1, steps + 1)
    words = []
    axes.axhspan(1, 1e5, facecolor="none", edgecolor="#DDDDDD", hatch="////")
    for i, (delta, order) in enumerate(orders.items()):
        delta = _check.real("delta", delta, _check.OPEN_PROBABILITY)
        order = _check.real("order", order, _ORDER)
        claim = _claim(order, k, sigma, delta, slipped)
        true = [
            _composed(int(n), sigma).delta_at(max(e, 0.0)) for n, e in zip(k, claim, strict=True)
        ]
        excess = np.array(true) / delta
        label = f"δ = {_short(delta)}, order {order:g}"
        axes.plot(k, excess, **_style.line(i), label=label)
        words.append(
            f"delta {_short(delta)} (order {order:g}): {excess[-1]:.3g} after {steps} answers, "
            f"at most {excess.max():.3g}, after {k[excess.argmax()]}"
        )
    axes.axhline(1, color=_style.GREY, linewidth=1.2)
    axes.set(
        xlabel=r"answers $k$",
        ylabel=r"true $\delta$ / promised $\delta$",
        title="True δ over promised δ: false above 1",
        xlim=(0, steps),
        yscale="log",
        ylim=(1e-3, 1e5),
    )
    axes.yaxis.set_minor_locator(NullLocator())
    axes.legend(loc="upper left")
    return _style.describe(
        axes,
        "True delta at the claimed epsilon over the promised delta, against the number of "
        f"answers; above 1 the claim is false. {'; '.join(words)}.",
    )
