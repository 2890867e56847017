"""Figures on the privacy loss and the divergences of a pair of output laws.

Their parameters, where they say no more:

epsilon : float
    In (0, 20], in nats.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Sequence

import numpy as np
from matplotlib.axes import Axes

from dpteach import _check, conversions
from dpteach.figures import _style
from dpteach.mechanisms import Gaussian, Laplace, Mechanism, RandomizedResponse
from dpteach.notions import ApproxDP, RenyiDP

__all__ = [
    "chord_bound",
    "loss_tails",
    "merged_factors",
    "privacy_profiles",
    "renyi_orders",
]

_EPSILON = _check.Domain("in (0, 20]", lambda x: 0 < x <= 20)
_MARKED = _check.Domain("in [-60, 60]", lambda x: -60 <= x <= 60)
_ORDER = _check.Domain("in [1, 12]", lambda x: 1 <= x <= 12)


def _mechanisms(epsilon: float) -> dict[str, Mechanism]:
    """The three examples of the course: two that are epsilon-DP, and normal noise as wide."""
    return {
        "coin": RandomizedResponse(epsilon=epsilon),
        "Laplace noise": Laplace(scale=1 / epsilon),
        "normal noise": Gaussian(sigma=1 / epsilon),
    }


@functools.lru_cache(8)
def _tails(epsilon: float) -> tuple[tuple[float, ...], list[tuple[float, ...]]]:
    """Levels, and how often the losses of the three are above: the same wherever a mark stands."""
    jumps = [s * epsilon + e for s in (-1, 1) for e in (-1e-9, 1e-9)]
    levels = np.sort(np.concatenate((np.linspace(-3, 3, 121) * epsilon, jumps))).tolist()
    losses = [mechanism.privacy_loss() for mechanism in _mechanisms(epsilon).values()]
    return tuple(levels), [tuple(loss.tail(t) for t in levels) for loss in losses]


def _named(marked: Sequence[float]) -> str:
    names = ("coin", "Laplace", "normal")
    return ", ".join(f"{name} {value:.3f}" for name, value in zip(names, marked, strict=True))


@_style.styled
def loss_tails(*, epsilon: float, level: float, ax: Axes | None = None) -> Axes:
    """How likely the privacy loss exceeds a level, for three mechanisms.

    Randomized response at epsilon, Laplace noise of scale 1/epsilon and Gaussian noise of
    standard deviation 1/epsilon, both for an answer of sensitivity 1.

    Parameters
    ----------
    level : float
        The level that is marked, in [-60, 60] nats.

    Examples
    --------
    >>> from dpteach.figures import alt_text
    >>> "Above 1 nats: 0.000, 0.000 and 0.309." in alt_text(loss_tails(epsilon=1.0, level=1.0))
    True
    """
    epsilon = _check.real("epsilon", epsilon, _EPSILON)
    level = _check.real("level", level, _MARKED)
    axes = _style.new_axes(ax)
    levels, tails = _tails(epsilon)
    marked = []
    for i, mechanism in enumerate(_mechanisms(epsilon).values()):
        axes.plot(levels, tails[i], **_style.line(i))
        marked.append(mechanism.privacy_loss().tail(level))
    axes.axvline(level, color=_style.BLACK, linewidth=1.2, linestyle="-")
    for i, value in enumerate(marked):
        axes.plot([level], [value], **_style.mark(i))
    named = (("coin", -1.08, 0.69), ("Laplace noise", -1.08, 0.79), ("normal noise", 1.35, 0.26))
    for i, (name, x, y) in enumerate(named):
        side = "left" if x > 0 else "right"
        axes.text(x * epsilon, y, name, color=_style.COLORS[i], ha=side)
    axes.set(
        xlabel="level (nats)",
        ylabel="how often the loss is above it",
        title=f"above {level:.2g} nats: {_named(marked)}",
        xlim=(-3 * epsilon, 3 * epsilon),
        ylim=(-0.02, 1.05),
    )
    _style.handle(axes, level=(level, marked[2]))
    truth = RandomizedResponse(epsilon=epsilon).truth_probability
    return _style.describe(
        axes,
        f"Probability that the privacy loss exceeds a level. Randomized response: "
        f"1 below minus {epsilon:g} nats, {truth:.3f} from there to {epsilon:g}, then 0. "
        f"Laplace noise: it falls slowly between minus {epsilon:g} and {epsilon:g}, and from "
        f"0.5 to 0 at {epsilon:g}. Gaussian noise: it falls smoothly and without end. Above "
        f"{level:g} nats: {marked[0]:.3f}, {marked[1]:.3f} and {marked[2]:.3f}.",
    )


@_style.styled
def renyi_orders(*, epsilon: float, order: float, ax: Axes | None = None) -> Axes:
    """The Rényi divergences of three mechanisms against the order, from KL to max divergence.

    The mechanisms are those of `loss_tails`.

    Parameters
    ----------
    order : float
        The order that is marked, in [1, 12].

    Examples
    --------
    >>> from dpteach.figures import alt_text
    >>> text = alt_text(renyi_orders(epsilon=1.0, order=2.0))
    >>> "At order 2: 0.735, 0.619 and 1.000." in text
    True
    """
    epsilon = _check.real("epsilon", epsilon, _EPSILON)
    order = _check.real("order", order, _ORDER)
    axes = _style.new_axes(ax)
    orders = [float(a) for a in np.linspace(1, 12, 111)]
    at_one, marked = [], []
    for i, mechanism in enumerate(_mechanisms(epsilon).values()):
        curve = mechanism.guarantee(RenyiDP, orders=orders).epsilons
        at_one.append(curve[0])
        marked.append(mechanism.guarantee(RenyiDP, orders=order).epsilons[0])
        axes.plot(orders, curve, **_style.line(i))
    axes.axvline(order, color=_style.BLACK, linewidth=1.2, linestyle="-")
    for i, value in enumerate(marked):
        axes.plot([order], [value], **_style.mark(i), clip_on=False)
    axes.axhline(epsilon, color=_style.GREY, linewidth=1, linestyle=":")
    axes.text(11.9, 1.03 * epsilon, "largest loss of the first two", color=_style.GREY, ha="right")
    named = (("coin", 3.6, 0.915), ("Laplace noise", 6.0, 0.76), ("normal noise", 3.7, 1.75))
    for i, (name, x, y) in enumerate(named):
        side = "right" if i == 0 else "left"
        axes.text(x, y * epsilon, name, color=_style.COLORS[i], ha=side)
    axes.set(
        xlabel=r"order $\alpha$",
        ylabel="Rényi divergence (nats)",
        title=f"order {order:g}: {_named(marked)}",
        xlim=(1, 12),
        ylim=(0, 2 * epsilon),
        xticks=[1, 2, 4, 6, 8, 10, 12],
    )
    _style.handle(axes, order=(order, 0.12 * epsilon))
    return _style.describe(
        axes,
        f"Rényi divergence against the order. Randomized response rises from {at_one[0]:.3f} at "
        f"order 1 towards {epsilon:g} nats, Laplace noise from {at_one[1]:.3f} towards "
        f"{epsilon:g}. Gaussian noise is a straight line through {at_one[2]:.3f} at order 1 "
        f"that grows without bound. At order {order:g}: {marked[0]:.3f}, {marked[1]:.3f} and "
        f"{marked[2]:.3f}.",
    )


@_style.styled
def privacy_profiles(*, epsilon: float, logarithmic: bool = False, ax: Axes | None = None) -> Axes:
    """The hockey-stick divergence of three mechanisms against its level.

    The mechanisms are those of `loss_tails`.

    Parameters
    ----------
    logarithmic : bool
        Whether delta has a logarithmic axis.

    Examples
    --------
    >>> from dpteach.figures import alt_text
    >>> "0.462, 0.393 and 0.383 at level 0" in alt_text(privacy_profiles(epsilon=1.0))
    True
    """
    epsilon = _check.real("epsilon", epsilon, _EPSILON)
    _check.instance("logarithmic", logarithmic, bool)
    axes = _style.new_axes(ax)
    near = 1 - 10.0 ** -np.arange(2, 9)  # the last steps before a fall to 0
    levels = np.sort(np.concatenate((np.linspace(0, 4, 113), near))) * epsilon
    at_zero, at_end = [], []
    for name, mechanism in _mechanisms(epsilon).items():
        curve = [mechanism.guarantee(ApproxDP, epsilon=float(x)).delta for x in levels]
        at_zero.append(curve[0])
        at_end.append(curve[-1])
        axes.plot(levels, np.maximum(curve, 1e-9) if logarithmic else curve, label=name)
    axes.set(
        xlabel="level ε (nats)",
        ylabel="δ(ε)",
        title="The same, δ on a log axis" if logarithmic else "Privacy profiles",
        xlim=(0, 4 * epsilon),
    )
    if logarithmic:
        axes.set(yscale="log", ylim=(1e-6, 1))
        axes.minorticks_off()
    else:
        axes.set(ylim=(0, 0.5 if max(at_zero) < 0.5 else 1))
        axes.legend(loc="upper right")
    if logarithmic:
        return _style.describe(
            axes,
            f"The same on a logarithmic axis: the first two fall steeply to 0 at level "
            f"{epsilon:g}, the Gaussian bends down slowly, to {at_end[2]:.1e} at level "
            f"{4 * epsilon:g}.",
        )
    return _style.describe(
        axes,
        f"Hockey-stick divergence of randomized response, Laplace and Gaussian noise against "
        f"the level: {at_zero[0]:.3f}, {at_zero[1]:.3f} and {at_zero[2]:.3f} at level 0. The "
        f"first two are 0 from level {epsilon:g} on; the Gaussian is never 0, at level "
        f"{4 * epsilon:g} it is {at_end[2]:.1e}.",
    )


@_style.styled
def merged_factors(*, curve: str, ax: Axes | None = None) -> Axes:
    """What merging two answers of factors 1 and 2, equally likely under Q, does to a mean.

    Before, the mean of the heights at both factors counts, which is on the chord; after, the
    height at their mean 1.5.

    Parameters
    ----------
    curve : str
        "mean of the loss", which is u log u, or "tail", which is u above exp(0.4) and 0 below.

    Examples
    --------
    >>> from dpteach.figures import alt_text
    >>> "0.693 before and 0.608 after" in alt_text(merged_factors(curve="mean of the loss"))
    True
    """
    _check.one_of("curve", curve, ("mean of the loss", "tail"))
    axes = _style.new_axes(ax)
    u = np.linspace(0.5, 2.25, 141)
    if curve == "tail":
        step = math.exp(0.4)
        name = f"{curve}: u above {step:.2f}, else 0"
        heights = [0.0, 2.0, 1.5]
        for piece, rise in ((u[u < step], 0.0), (u[u > step], 1.0)):
            axes.plot(piece, piece * rise, color=_style.BLUE, linestyle="-")
    else:
        name = f"{curve}: u log u"
        heights = [x * math.log(x) for x in (1.0, 2.0, 1.5)]
        axes.plot(u, u * np.log(u), color=_style.BLUE, linestyle="-")
    before, after = (heights[0] + heights[1]) / 2, heights[2]
    axes.plot([1, 2], heights[:2], color=_style.VERMILLION, linestyle="--")
    axes.plot([1, 2], heights[:2], **_style.mark(0))
    axes.plot([1.5], [before], **_style.mark(1))
    axes.plot([1.5], [after], **_style.mark(2))
    falls = after < before
    for height, word, color in (
        (before, "before", _style.VERMILLION),
        (after, "after", _style.GREEN),
    ):
        above = (height == before) == falls
        axes.annotate(
            f"{word}: {height:.3f}",
            (1.5, height),
            (-8 if above else 8, 8 if above else -8),
            textcoords="offset points",
            ha="right" if above else "left",
            va="bottom" if above else "top",
            color=color,
        )
    axes.set(
        xlabel="factor $u = p/q$",
        ylabel="height",
        title=name,
        xlim=(0.5, 2.25),
        ylim=(-0.5, 2.3),
        xticks=[0.5, 1, 1.5, 2],
    )
    return _style.describe(
        axes,
        f"The curve of the {curve} against the factor, with a chord from factor 1 to factor 2. "
        f"At factor 1.5 the chord is {'above' if falls else 'below'} the curve: {before:.3f} "
        f"before and {after:.3f} after.",
    )


@_style.styled
def chord_bound(*, epsilon: float, ax: Axes | None = None) -> Axes:
    """Why randomized response has the largest KL divergence under epsilon-DP: a chord.

    u log u lies below its chord over [e^-epsilon, e^epsilon]; at u = 1 the chord has the
    height epsilon tanh(epsilon/2).

    Examples
    --------
    >>> from dpteach.figures import alt_text
    >>> "at u = 1 the chord has the height 0.4621" in alt_text(chord_bound(epsilon=1.0))
    True
    """
    epsilon = _check.real("epsilon", epsilon, _EPSILON)
    axes = _style.new_axes(ax)
    height = conversions.pure_to_kl(epsilon)
    low, high = math.exp(-epsilon), math.exp(epsilon)
    u = np.linspace(0, high, 142)[1:]
    axes.plot(u, u * np.log(u), label=r"$u\,\log u$")
    axes.plot([low, high], [-epsilon * low, epsilon * high], label="chord: the coin")
    axes.plot([1, 1], [0, height], color=_style.GREY, linestyle=":")
    axes.plot([1], [height], **_style.mark(2), label="chord at the mean")
    axes.set(
        xlabel=r"factor $u = p/q$",
        ylabel="nats",
        title=f"All factors of an ε-DP pair, ε = {epsilon:g}, have mean 1 under Q",
        xlim=(0, high * 1.03),
        ylim=(-0.5, epsilon * high * 1.03),
    )
    axes.legend(loc="upper left")
    return _style.describe(
        axes,
        f"The convex function u log u and its chord from u = {low:.3f} to u = {high:.3f}. The "
        f"function is 0 at u = 1; at u = 1 the chord has the height {height:.4f} nats.",
    )
