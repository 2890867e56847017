"""Figures on the audit of a paper: its printed numbers beside those of possible formulas.

The numbers in `PRINTED` are printed in the text and the captions of Liu and Wang (2025). Their
figures show compositions of a Gaussian mechanism of sensitivity 1. The wrong formulas in this
module are hypotheses about how the printed numbers were computed; we have not seen the paper's
code.

A parameter that several figures share:

suspect : int
    An index of `SUSPECTS`, from 0 (correct formulas) to 6 (a formula with a misplaced
    parenthesis).
"""

from __future__ import annotations

import math
from collections.abc import Callable
from itertools import product
from typing import NamedTuple

import numpy as np
from matplotlib.axes import Axes
from matplotlib.ticker import NullLocator
from numpy.typing import NDArray

from dpteach import _check
from dpteach._language import N_, catalog
from dpteach.figures import _style

_, _n = catalog("figures")

__all__ = ["leftover", "suspects", "variants_counted"]

Vector = NDArray[np.float64]

#: the orders among which Algorithm 1 of Liu and Wang (2025) searches, as their text recommends
ORDERS = np.arange(2, 301)

_SUSPECT = _check.Domain("in [0, 6]", lambda x: 0 <= x <= 6)
_ZOOM = _check.Domain("in [1, 300]", lambda x: 1 <= x <= 300)


class Printed(NamedTuple):
    """A curve in a figure of Liu and Wang (2025), and the numbers that they print for it.

    We chose `sigma`, `delta` and the number of releases `answers` such that the best order for
    Rényi DP is the printed `renyi_order`.
    """

    figure: int
    sigma: float
    delta: float
    answers: int
    renyi_order: int
    alpha_order: int
    #: the printed alpha-DP parameter of one release, with its sigma and its order; for the first
    #: two curves of Figure 7, this sigma and this order are not those of the curve
    single: float
    single_sigma: float
    single_order: int


PRINTED = (
    Printed(6, 100, 1e-5, 50, 69, 136, 5.00e-5, 100, 136),
    Printed(6, 100, 1e-10, 50, 97, 152, 5.05e-5, 100, 152),
    Printed(6, 100, 1e-15, 50, 119, 164, 5.24e-5, 100, 164),
    Printed(7, 10, 1e-15, 300, 6, 13, 5.29e-5, 100, 119),
    Printed(7, 50, 1e-15, 300, 25, 64, 5.19e-5, 100, 123),
    Printed(7, 100, 1e-15, 300, 49, 127, 5.12e-5, 100, 127),
    Printed(8, 10, 1e-25, 300, 7, 14, 5.02e-3, 10, 14),
    Printed(8, 50, 1e-25, 300, 32, 67, 2.01e-4, 50, 67),
    Printed(8, 100, 1e-25, 300, 63, 133, 5.04e-5, 100, 133),
)


def _exponent(sigma: float) -> Vector:
    return np.asarray(ORDERS * (ORDERS - 1) / (2 * sigma**2), dtype=np.float64)


def _added(moment: Vector, k: int) -> Vector:
    return np.asarray(np.logaddexp(0, math.log(k) + moment + np.log(-np.expm1(-moment))))


def _as_printed(moment: Vector, cost: float) -> Vector:
    with np.errstate(over="ignore"):
        number = np.exp(moment) / (ORDERS * (ORDERS - 1))
    top = np.logaddexp(0, number + np.log(ORDERS * (ORDERS - 1)))
    return np.asarray((top + cost) / (ORDERS - 1))


#: correct and wrong formulas for log(1 + a (a-1) D) of one release, as functions of sigma that
#: return the values at all orders a; D is the alpha divergence of order a
ONE: dict[str, Callable[[float], Vector]] = {
    "as proved": _exponent,
    "e^x": lambda s: np.log1p(np.exp(_exponent(s))),
    "e^(x-1)": lambda s: np.log1p(np.exp(_exponent(s) - 1)),
    "sigma for sigma^2": lambda s: s * _exponent(s),
    "sigma^2 for 2 sigma^2": lambda s: 2 * _exponent(s),
    "sensitivity 1/2": lambda s: _exponent(s) / 4,
    "a^2 for a (a-1)": lambda s: ORDERS**2 / (2 * s**2),
    "a for a (a-1)": lambda s: ORDERS / (2 * s**2),
}

#: correct and wrong formulas for log(1 + a (a-1) D) of k releases, as functions of `moment` and k,
#: where `moment` is log(1 + a (a-1) D) of one release; D is the alpha divergence of order a
COMPOSED: dict[str, Callable[[Vector, int], Vector]] = {
    "as proved": lambda moment, k: k * moment,
    "numbers added": _added,
}

#: correct and wrong formulas for the epsilon of k releases, as functions of `moment`, which is
#: log(1 + a (a-1) D) of the k releases, and of `cost`, which is log(1/delta)
CONVERTED: dict[str, Callable[[Vector, float], Vector]] = {
    "as proved": lambda moment, cost: (moment + cost) / (ORDERS - 1),
    "Proposition 4": _as_printed,
    "Algorithm 1": lambda moment, cost: moment * math.exp(cost) / (ORDERS - 1),
    "log of base 10": lambda moment, cost: (moment + cost / math.log(10)) / (ORDERS - 1),
    "over a": lambda moment, cost: (moment + cost) / ORDERS,
    "better": lambda moment, cost: (
        (moment + cost - np.log(ORDERS)) / (ORDERS - 1) + np.log1p(-1 / ORDERS)
    ),
}

Slips = tuple[str, str, str, int]

#: the correct formulas, and errors that may explain the numbers of Liu and Wang. Each entry has a
#: name, a key of `ONE`, a key of `COMPOSED`, a key of `CONVERTED`, and the number of releases that
#: Figure 6 is assumed to have in addition to those that the paper states
SUSPECTS: tuple[tuple[str, Slips], ...] = (
    (N_("correct formulas"), ("as proved", "as proved", "as proved", 0)),
    (
        N_("conversion as printed in Proposition 4"),
        ("as proved", "as proved", "Proposition 4", 0),
    ),
    (
        N_("composition without the product"),
        ("as proved", "numbers added", "as proved", 0),
    ),
    (
        N_("sensitivity 1/2 instead of 1"),
        ("sensitivity 1/2", "as proved", "as proved", 0),
    ),
    (N_("log(1/δ) to base 10"), ("as proved", "as proved", "log of base 10", 0)),
    (N_("1 omitted, $e^x$ for $e^x - 1$"), ("e^x", "as proved", "as proved", 0)),
    (
        N_("misplaced parenthesis, $e^{x-1}$ for $e^x - 1$"),
        ("e^(x-1)", "as proved", "as proved", 0),
    ),
)


def found_orders(slips: Slips) -> list[int]:
    """Return the order of alpha-DP with the smallest epsilon for each of nine curves in `PRINTED`.

    `slips` has the names of the three formulas for epsilon, and the number of releases that Figure
    6 is assumed to have in addition to those that the paper states.

    Examples
    --------
    >>> found_orders(("e^(x-1)", "as proved", "as proved", 0))
    [136, 152, 165, 13, 64, 127, 14, 67, 133]
    """
    one, composed, converted, extra = slips
    found = []
    for row in PRINTED:
        answers = row.answers + (extra if row.figure == 6 else 0)
        moment = COMPOSED[composed](ONE[one](row.sigma), answers)
        epsilon = CONVERTED[converted](moment, -math.log(row.delta))
        found.append(int(ORDERS[np.argmin(epsilon)]))
    return found


def _hits(found: list[int]) -> int:
    return sum(a == row.alpha_order for a, row in zip(found, PRINTED, strict=True))


def variants() -> dict[Slips, int]:
    """Return how many of nine printed orders each combination of formulas reproduces.

    `PRINTED` has these orders: for each of nine curves, the order of alpha-DP with the smallest
    epsilon.

    Examples
    --------
    >>> hits = variants()
    >>> len(hits), [slips for slips, n in hits.items() if n == 9]
    (192, [('e^(x-1)', 'as proved', 'as proved', 1)])
    """
    every = product(ONE, COMPOSED, CONVERTED, (0, 1))
    return {slips: _hits(found_orders(slips)) for slips in every}


def left_over(value: float, sigma: float, order: float) -> float:
    """Return `value` times a (a-1) e^(-x), for the order a and x = a (a-1)/(2 sigma^2).

    If `value` is the alpha-DP parameter of one release, the result is 1 - e^(-x) by the correct
    formula, and 1/e by the formula with a misplaced parenthesis. A result near one of these numbers
    suggests this formula but does not prove it.

    Examples
    --------
    >>> round(left_over(5.05e-5, 100.0, 152), 4)
    0.3679
    """
    return value * order * (order - 1) * math.exp(-order * (order - 1) / (2 * sigma**2))


def _rows(axes: Axes, height: float, va: str) -> list[float]:
    """Label the horizontal axis with the curves in `PRINTED`, by figure; return their positions."""
    for at, figure in zip((1, 4.8, 8.6), (6, 7, 8), strict=True):
        axes.text(at, height, _("Figure {figure}", figure=figure), ha="center", va=va)
    places = [i + 0.8 * (row.figure - 6) for i, row in enumerate(PRINTED)]
    axes.set_xlim(-0.6, 10.2)
    axes.set_xticks(places, ["a", "b", "c"] * 3)
    axes.xaxis.set_minor_locator(NullLocator())
    return places


@_style.styled
def suspects(*, suspect: int, ax: Axes | None = None) -> Axes:
    """Plot the best order of alpha-DP for nine curves of Liu and Wang (2025), printed and computed.

    The best order is that with the smallest epsilon.

    Parameters
    ----------
    suspect : int
        The index in `SUSPECTS` of the formula by which the figure computes epsilon.

    Examples
    --------
    >>> from dpteach.figures import alt_text
    >>> "137 for 136, 193 for 152" in alt_text(suspects(suspect=3))
    True
    """
    suspect = int(_check.real("suspect", _check.count("suspect", suspect, minimum=0), _SUSPECT))
    name, slips = SUSPECTS[suspect]
    found = found_orders(slips)
    axes = _style.new_axes(ax)
    places = _rows(axes, 312, "bottom")
    printed = [row.alpha_order for row in PRINTED]
    for place, one, other in zip(places, printed, found, strict=True):
        axes.plot([place, place], [one, other], color=_style.GREY, linewidth=1, linestyle="-")
    axes.plot(
        places,
        printed,
        color=_style.BLACK,
        marker="o",
        markersize=11,
        markerfacecolor="none",
        linestyle="none",
    )
    hit = [a == b for a, b in zip(printed, found, strict=True)]
    for wanted, color in ((True, _style.GREEN), (False, _style.VERMILLION)):
        chosen = [i for i, is_hit in enumerate(hit) if is_hit == wanted]
        axes.plot(
            [places[i] for i in chosen],
            [found[i] for i in chosen],
            color=color,
            marker="x",
            markersize=8,
            markeredgewidth=2.2,
            linestyle="none",
        )
    axes.set(
        ylabel=_("best order of alpha-DP"),
        title=_("{hit} of 9 match: {name}", hit=sum(hit), name=name),
        ylim=(0, 340),
    )
    _style.ticks(axes.yaxis, [0, 50, 100, 150, 200, 250, 300])
    pairs = ", ".join(_("{b} for {a}", b=b, a=a) for a, b in zip(printed, found, strict=True))
    return _style.describe(
        axes,
        _(
            "Rings show the nine best orders of alpha-DP that the paper prints. "
            "Crosses show the orders that a search finds with this setting: {value}. "
            "In each of the following pairs, the first order is found and the second "
            "is printed: {pairs}. {hit} of the 9 orders agree.",
            value=name.replace("$", ""),
            pairs=pairs,
            hit=sum(hit),
        ),
    )


@_style.styled
def leftover(*, zoom: float, ax: Axes | None = None) -> Axes:
    """Plot seven numbers printed by Liu and Wang (2025), scaled so that a wrong formula gives 1/e.

    Each number is the alpha-DP parameter of one Gaussian release at an order a. The figure
    multiplies it by a (a-1) e^(-x) for x = a (a-1)/(2 sigma^2). Then the correct formula gives
    1 - e^(-x), which crosses show. The formula with a misplaced parenthesis gives 1/e, which lies
    in the magnified range. The bars show the values that rounding of the printed numbers to three
    digits allows. Two curves of the paper are left out, because the numbers printed for them are
    for another sigma and order than the curves.

    Parameters
    ----------
    zoom : float
        The magnification, in [1, 300]; at 1 the axis runs from 0 to 1.

    Examples
    --------
    >>> from dpteach.figures import alt_text
    >>> "0.3666 (0.3662 to 0.3669)" in alt_text(leftover(zoom=100))
    True
    """
    zoom = _check.real("zoom", zoom, _ZOOM)
    axes = _style.new_axes(ax)
    axes.figure.subplots_adjust(right=0.789)
    center = math.exp(-1)
    low, high = center - center / zoom, center + (1 - center) / zoom
    every = _rows(axes, high - 0.02 * (high - low), "top")
    known = [i for i, r in enumerate(PRINTED) if r.single_order == r.alpha_order]
    places = [every[i] for i in known]
    rows = [(PRINTED[i].single, PRINTED[i].sigma, PRINTED[i].alpha_order) for i in known]
    values = [left_over(*row) for row in rows]
    margins = [
        left_over(0.005 * 10.0 ** math.floor(math.log10(value)), sigma, order)
        for value, sigma, order in rows
    ]
    theorem = [-math.expm1(-order * (order - 1) / (2 * sigma**2)) for _rest, sigma, order in rows]
    axes.axhline(center, color=_style.GREY, linewidth=1.2)
    axes.text(10.35, center, "1/e", color=_style.GREY, va="center")
    if theorem[-1] < high:
        axes.text(10.35, theorem[-1], _("theorem"), color=_style.GREEN, va="center")
    axes.plot(
        places, theorem, color=_style.GREEN, marker="x", linestyle="none", markeredgewidth=2.2
    )
    axes.errorbar(
        places,
        values,
        yerr=margins,
        color=_style.VERMILLION,
        marker=".",
        linestyle="none",
        capsize=4,
    )
    axes.set(
        title=_(
            "parameter $\\times\\ \\alpha(\\alpha - 1)\\,e^{{-x}}$, magnified {zoom:g} times",
            zoom=zoom,
        ),
        ylim=(low, high),
    )
    told = "; ".join(
        _("{v:.4f} ({m:.4f} to {m_2:.4f})", v=v, m=v - m, m_2=v + m)
        for v, m in zip(values, margins, strict=True)
    )
    return _style.describe(
        axes,
        _(
            "The figure shows the factors that remain when the seven printed "
            "parameters of one release (all except 7a and 7b) are multiplied by a (a "
            "- 1) and divided by e to the x. The ranges that rounding allows are in "
            "parentheses: {told}. By the theorem, the factors would lie between "
            "{theorem:.2f} and {theorem_2:.2f}. A line marks 1/e, 0.3679. The "
            "vertical axis runs from {low:.4f} to {high:.4f}.",
            told=told,
            theorem=min(theorem),
            theorem_2=max(theorem),
            low=low,
            high=high,
        ),
    )


@_style.styled
def variants_counted(*, ax: Axes | None = None) -> Axes:
    """Plot how many of 192 combinations of formulas reproduce 0, ..., 9 of a paper's nine orders.

    Liu and Wang (2025) print these orders as those of alpha-DP with the smallest epsilon.

    Examples
    --------
    >>> from dpteach.figures import alt_text
    >>> "9 orders: 0 without and 1 with" in alt_text(variants_counted())
    True
    """
    axes = _style.new_axes(ax)
    hits = variants()
    kinds = (
        (
            "without",
            [n for (one, *_rest), n in hits.items() if one != "e^(x-1)"],
            _style.BLUE,
            -0.2,
        ),
        (
            "with",
            [n for (one, *_rest), n in hits.items() if one == "e^(x-1)"],
            _style.VERMILLION,
            0.2,
        ),
    )
    counted = {}
    for name, found, color, shift in kinds:
        counts = [found.count(n) for n in range(10)]
        counted[name] = counts
        shown = [n for n in range(10) if counts[n]]
        axes.bar([n + shift for n in shown], [counts[n] for n in shown], width=0.38, color=color)
        for n in shown:
            axes.text(n + shift, counts[n] * 1.1, f"{counts[n]}", color=color, ha="center")
    axes.text(0.6, 190, _("168 variants without the error"), color=_style.BLUE, va="center")
    axes.text(4.2, 30, _("24 variants with it"), color=_style.VERMILLION, va="center")
    axes.set(
        xlabel=_("number of printed orders that the variant gives"),
        ylabel=_("number of variants (log scale)"),
        title=_("192 variants: matches among the nine printed orders"),
        xlim=(-0.6, 9.6),
        yscale="log",
        ylim=(0.7, 300),
    )
    _style.ticks(axes.xaxis, list(range(10)))
    _style.ticks(axes.yaxis, [1, 10, 100])
    told = "; ".join(
        _(
            "{n} orders: {counted} without and {counted_2} with",
            n=n,
            counted=counted["without"][n],
            counted_2=counted["with"][n],
        )
        for n in range(10)
        if counted["without"][n] + counted["with"][n]
    )
    return _style.describe(
        axes,
        _(
            "The bars count {hits} variants by how many of the nine printed orders "
            "they give, without and with the misplaced parenthesis. {told}.",
            hits=len(hits),
            told=told,
        ),
    )
