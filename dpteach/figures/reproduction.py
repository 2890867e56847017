"""Figures 6 to 8 of Liu and Wang (2025), recomputed: four accountants for Gaussian noise.

Rényi DP and alpha-DP are used at the orders that the paper prints as the best ones. We chose sigma,
delta and the numbers of releases such that the best orders for Rényi DP are the printed ones.
Each figure has two curves of alpha-DP: one by the correct formula, and one by a formula with a
misplaced parenthesis. The printed numbers suggest that the paper's curves were computed by the
wrong formula; we have not seen the paper's code.
"""

from __future__ import annotations

import math
from functools import cache

import numpy as np
from matplotlib.axes import Axes
from numpy.typing import NDArray

from dpteach import _check, composition, conversions
from dpteach._language import N_, catalog
from dpteach.figures import _style
from dpteach.figures.alpha import claimed_epsilon
from dpteach.figures.paper import PRINTED, Printed
from dpteach.mechanisms import Gaussian
from dpteach.notions import ApproxDP, GaussianDP

_, _n = catalog("figures")

__all__ = ["four_accountants"]

Vector = NDArray[np.float64]

_SHOWN = _check.Domain("3 or 4", lambda x: x in (3, 4))

#: for Figures 6, 7 and 8, the top of the vertical axis at sigma = 100 if `four_accountants` is
#: called with shown=3
_NEAR = {6: 0.8, 7: 2.4, 8: 2.8}


def _settings() -> dict[tuple[int, float, float], Printed]:
    """Return the curves in the figures of Liu and Wang (2025), by figure, sigma and delta.

    The curves of Figure 7 are listed for two values of delta, because both lead to the orders of
    Rényi DP that the paper prints.
    """
    found = {(row.figure, row.sigma, row.delta): row for row in PRINTED}
    for row in PRINTED:
        if row.figure == 7:
            found[7, row.sigma, 1e-5] = row._replace(delta=1e-5, answers=100)
    return found


def advanced(sigma: float, delta: float, k: int) -> float:
    """Return epsilon of k Gaussian steps by advanced composition, with half of delta as slack.

    The other half of delta is divided equally among the steps. The theorem is that of Dwork,
    Rothblum and Vadhan (2010).

    Examples
    --------
    >>> round(advanced(100.0, 1e-15, 50), 3)
    5.679
    """
    share = delta / (2 * k)
    step = ApproxDP(math.sqrt(2 * math.log(1.25 / share)) / sigma, share)
    return composition.advanced_composition(step, k, slack=delta / 2).epsilon


@cache
def curves(figure: int, sigma: float, delta: float) -> dict[str, Vector]:
    """Return epsilon of 1, 2, ... releases by each accountant, for a plot in Liu and Wang (2025).

    Examples
    --------
    >>> panel = curves(8, 100.0, 1e-25)
    >>> {name: round(float(epsilon[-1]), 3) for name, epsilon in panel.items()}
    ... # doctest: +NORMALIZE_WHITESPACE
    {'advanced': 25.261, 'alpha-DP': 2.431, 'Rényi DP': 1.873, 'zCDP': 1.873,
     'with the error': 1.877, 'exact': 1.751}
    """
    row = _settings()[figure, sigma, delta]
    one = Gaussian(sigma=sigma).guarantee(GaussianDP)
    rho = 1 / (2 * sigma**2)
    ks = range(1, row.answers + 1)
    mironov, zcdp = conversions.renyi_to_epsilon_mironov, conversions.zcdp_to_epsilon_bun_steinke
    order = row.renyi_order
    found = {
        N_("advanced"): [advanced(sigma, delta, k) for k in ks],
        "alpha-DP": claimed_epsilon(row.alpha_order, ks, sigma, delta, 0.0),
        N_("Rényi DP"): [mironov(order, k * order * rho, delta) for k in ks],
        "zCDP": [zcdp(k * rho, delta) for k in ks],
        N_("with the error"): claimed_epsilon(row.alpha_order, ks, sigma, delta, 1.0),
        N_("exact"): [one.self_compose(k).epsilon_at(delta) for k in ks],
    }
    return {name: np.asarray(epsilon) for name, epsilon in found.items()}


def false_range(figure: int, sigma: float, delta: float) -> tuple[int, int] | None:
    """Return the first and last number of releases at which a wrong epsilon is below the exact one.

    Both belong to a figure of Liu and Wang (2025). The wrong epsilon is that of alpha-DP by a
    formula with a misplaced parenthesis. If it is never below the exact one, the result is None.

    Examples
    --------
    >>> false_range(8, 100.0, 1e-25), false_range(6, 100.0, 1e-5)
    ((40, 222), None)
    """
    panel = curves(figure, sigma, delta)
    below = np.flatnonzero(panel["with the error"] < panel["exact"]) + 1
    return (int(below[0]), int(below[-1])) if below.size else None


def _round_up(value: float) -> float:
    """Return a round number >= `value` as the end of an axis that has a tick at each quarter."""
    unit = 10.0 ** math.floor(math.log10(value))
    return next(n * unit for n in (1, 1.2, 1.6, 2, 2.4, 3.2, 4, 6, 8, 10) if n * unit >= value)


def _labels(axes: Axes, ends: dict[str, float], looks: dict[str, str], right: float) -> None:
    """Write the name of each curve near the curve's right end, without overlaps of names."""
    top = axes.get_ylim()[1]
    place = -math.inf
    for name, end in sorted(ends.items(), key=lambda item: item[1]):
        place = max(min(end, top), place + 0.065 * top)
        text = _(name) if end <= top else f"{_(name)}: {end:.3g}"
        axes.text(right, place, text, color=looks[name], va="center")


@_style.styled
def four_accountants(
    *, figure: int, sigma: float, delta: float, shown: int = 3, ax: Axes | None = None
) -> Axes:
    """Plot epsilon against the number of releases, as in Figures 6 to 8 of Liu and Wang (2025).

    The four accountants are advanced composition, alpha-DP, Rényi DP and zCDP. Two more curves
    show the exact epsilon, and that of alpha-DP by a formula with a misplaced parenthesis. In the
    hatched area, the latter is below the exact epsilon, so the wrong formula gives no valid
    guarantee.

    Parameters
    ----------
    figure : int
        6, 7 or 8.
    sigma : float
        100 for Figure 6; 10, 50 or 100 for Figures 7 and 8. The sensitivity is 1.
    delta : float
        1e-5, 1e-10 or 1e-15 for Figure 6; 1e-15 (300 releases) or 1e-5 (100 releases) for
        Figure 7, because both lead to its printed orders; 1e-25 for Figure 8.
    shown : int
        4 if the vertical axis shows all four accountants, 3 if advanced composition may exceed it.

    Examples
    --------
    >>> from dpteach.figures import alt_text
    >>> text = alt_text(four_accountants(figure=6, sigma=100, delta=1e-10))
    >>> "alpha-DP at order 152 0.532" in text, "from 25 to 42 releases" in text
    (True, True)
    """
    shown = int(_check.real("shown", shown, _SHOWN))
    settings = _settings()
    if (figure, sigma, delta) not in settings:
        known = ", ".join(f"({f}, {s:g}, {d:g})" for f, s, d in settings)
        given = f"({figure}, {sigma}, {delta})"
        raise ValueError(f"(figure, sigma, delta) must be one of {known}, got {given}")
    row = settings[figure, sigma, delta]
    panel = curves(figure, sigma, delta)
    last = {name: float(epsilon[-1]) for name, epsilon in panel.items()}
    axes = _style.new_axes(ax)
    axes.figure.subplots_adjust(right=0.71)

    k = np.unique(np.linspace(1, row.answers, 26).round().astype(int))
    blue, red, green, purple = (_style.line(i) for i in range(4))
    thin = {"color": _style.BLACK, "linewidth": 1.2}
    slip = red | {"linestyle": ":", "linewidth": 2.4}
    styles = (purple, red, blue, green, slip, thin)
    looks = {name: str(style["color"]) for name, style in zip(panel, styles, strict=True)}
    for (_other, epsilon), style in zip(panel.items(), styles, strict=True):
        axes.plot(k, epsilon[k - 1], **style)
    claim, exact = (panel[name][k - 1] for name in ("with the error", "exact"))
    axes.fill_between(
        k, claim, exact, where=claim < exact, facecolor="none", edgecolor=_style.GREY, hatch="////"
    )

    near = _NEAR[figure] * (100 / sigma) * (row.answers / (50 if figure == 6 else 300))
    whole = 6.0 if figure == 6 else _round_up(last["advanced"])
    top = near if shown == 3 else whole
    axes.set(
        xlabel=_("releases $k$"),
        ylabel=_("$\\varepsilon$ (nats)"),
        title=_(
            "Figure {figure}: σ = {sigma:g}, δ = {delta:g}; orders {renyi_order} and {alpha_order}",
            figure=figure,
            sigma=sigma,
            delta=delta,
            renyi_order=row.renyi_order,
            alpha_order=row.alpha_order,
        ),
        xlim=(0, row.answers),
        ylim=(0, top),
    )
    _style.ticks(axes.xaxis, [row.answers * i / 5 for i in range(6)])
    _style.ticks(axes.yaxis, [top * i / 4 for i in range(5)])
    _labels(axes, last, looks, 1.02 * row.answers)

    false = false_range(figure, sigma, delta)
    where = (
        _(
            "It is below the exact curve from {false} to {false_2} releases, where "
            "it is not a guarantee.",
            false=false[0],
            false_2=false[1],
        )
        if false
        else _("It is nowhere below the exact curve.")
    )
    return _style.describe(
        axes,
        _(
            "Figure {figure} of the paper, recomputed for standard deviation "
            "{sigma:g} and delta {delta:g}. After {answers} releases, epsilon is: "
            "advanced composition {last:.3f}, Rényi DP at order {renyi_order} "
            "{last_2:.3f}, zCDP {last_3:.3f}, alpha-DP at order {alpha_order} "
            "{last_4:.3f}, exact value {last_5:.3f}. With the misplaced parenthesis, "
            "alpha-DP would have {last_6:.3f}. {where}",
            figure=figure,
            sigma=sigma,
            delta=delta,
            answers=row.answers,
            last=last["advanced"],
            renyi_order=row.renyi_order,
            last_2=last["Rényi DP"],
            last_3=last["zCDP"],
            alpha_order=row.alpha_order,
            last_4=last["alpha-DP"],
            last_5=last["exact"],
            last_6=last["with the error"],
            where=where,
        ),
    )
