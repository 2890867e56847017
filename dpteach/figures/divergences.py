"""Figures on the privacy loss and the divergences of a pair of output distributions.

Parameters that several functions share:

epsilon : float
    The epsilon of randomized response and of Laplace noise, in (0, 20], in nats. The Gaussian
    noise has standard deviation 1/epsilon.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Sequence

import numpy as np
from matplotlib.axes import Axes

from dpteach import _check, conversions
from dpteach._language import N_, catalog
from dpteach.figures import _style
from dpteach.mechanisms import Gaussian, Laplace, Mechanism, RandomizedResponse
from dpteach.notions import ApproxDP, RenyiDP

_, _n = catalog("figures")

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
    """Return the mechanisms of the figures: two epsilon-DP mechanisms, and Gaussian noise."""
    return {
        N_("randomized response"): RandomizedResponse(epsilon=epsilon),
        N_("Laplace noise"): Laplace(scale=1 / epsilon),
        N_("Gaussian noise"): Gaussian(sigma=1 / epsilon),
    }


@functools.lru_cache(8)
def _tails(epsilon: float) -> tuple[tuple[float, ...], list[tuple[float, ...]]]:
    """Return levels of the privacy loss, and the probabilities of larger losses, by mechanism.

    The results are cached, because a figure is drawn again for each level that a reader marks.
    """
    jumps = [s * epsilon + e for s in (-1, 1) for e in (-1e-9, 1e-9)]
    levels = np.sort(np.concatenate((np.linspace(-3, 3, 121) * epsilon, jumps))).tolist()
    losses = [mechanism.privacy_loss() for mechanism in _mechanisms(epsilon).values()]
    return tuple(levels), [tuple(loss.tail(t) for t in levels) for loss in losses]


def _named(marked: Sequence[float]) -> str:
    names = (_("RR"), _("Laplace"), _("Gaussian"))
    return ", ".join(f"{name} {value:.3f}" for name, value in zip(names, marked, strict=True))


@_style.styled
def loss_tails(*, epsilon: float, level: float, ax: Axes | None = None) -> Axes:
    """Draw the probability that the privacy loss exceeds a level, for three mechanisms.

    The mechanisms are randomized response with parameter `epsilon`, Laplace noise of scale
    1/epsilon and Gaussian noise of standard deviation 1/epsilon. The noise is for a query of
    sensitivity 1.

    Parameters
    ----------
    level : float
        The level that is marked, in [-60, 60] nats.

    Examples
    --------
    >>> from dpteach.figures import alt_text
    >>> "above 1 nats are 0.000, 0.000 and 0.309." in alt_text(loss_tails(epsilon=1.0, level=1.0))
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
    named = (
        (_("randomized response"), -1.04, 0.69),
        (_("Laplace noise"), -1.08, 0.79),
        (_("Gaussian noise"), 1.4, 0.3),
    )
    for i, (name, x, y) in enumerate(named):
        side = "left" if x > 0 else "right"
        axes.text(x * epsilon, y, name, color=_style.COLORS[i], ha=side)
    axes.set(
        xlabel=_("level (nats)"),
        ylabel=_("P(privacy loss > level)"),
        title=_("P(loss > {level:.2g}): {marked}", level=level, marked=_named(marked)),
        xlim=(-3 * epsilon, 3 * epsilon),
        ylim=(-0.02, 1.05),
    )
    _style.handle(axes, level=(level, marked[2]))
    truth = RandomizedResponse(epsilon=epsilon).truth_probability
    return _style.describe(
        axes,
        _(
            "The figure shows the probability that the privacy loss exceeds a level. "
            "For randomized response it is 1 below minus {epsilon:g} nats, "
            "{truth:.3f} from there to {epsilon:g}, and 0 beyond. For Laplace noise "
            "it falls slowly between minus {epsilon:g} and {epsilon:g}, and it jumps "
            "from 0.5 to 0 at {epsilon:g}. For Gaussian noise it falls smoothly and "
            "never reaches 0. The probabilities of a loss above {level:g} nats are "
            "{marked:.3f}, {marked_2:.3f} and {marked_3:.3f}.",
            epsilon=epsilon,
            truth=truth,
            level=level,
            marked=marked[0],
            marked_2=marked[1],
            marked_3=marked[2],
        ),
    )


@_style.styled
def renyi_orders(*, epsilon: float, order: float, ax: Axes | None = None) -> Axes:
    """Draw the Rényi divergences of three mechanisms against the order, from order 1 (KL) on.

    The mechanisms are randomized response with parameter `epsilon`, Laplace noise of scale
    1/epsilon and Gaussian noise of standard deviation 1/epsilon. Queries have sensitivity 1.

    Parameters
    ----------
    order : float
        The order that is marked, in [1, 12].

    Examples
    --------
    >>> from dpteach.figures import alt_text
    >>> text = alt_text(renyi_orders(epsilon=1.0, order=2.0))
    >>> "at order 2 are 0.735, 0.619 and 1.000." in text
    True
    """
    epsilon = _check.real("epsilon", epsilon, _EPSILON)
    order = _check.real("order", order, _ORDER)
    axes = _style.new_axes(ax)
    orders = [float(a) for a in np.linspace(1, 12, 111)]
    at_one, marked = [], []
    for i, (name, mechanism) in enumerate(_mechanisms(epsilon).items()):
        curve = mechanism.guarantee(RenyiDP, orders=orders).epsilons
        at_one.append(curve[0])
        marked.append(mechanism.guarantee(RenyiDP, orders=order).epsilons[0])
        axes.plot(orders, curve, **_style.line(i), label=_(name))
    axes.axvline(order, color=_style.BLACK, linewidth=1.2, linestyle="-")
    for i, value in enumerate(marked):
        axes.plot([order], [value], **_style.mark(i), clip_on=False)
    axes.axhline(epsilon, color=_style.GREY, linewidth=1, linestyle=":")
    bound = _("largest loss of RR and Laplace noise")
    axes.text(11.9, 1.03 * epsilon, bound, color=_style.GREY, ha="right")
    axes.legend(loc="upper right")
    axes.set(
        xlabel=_("order $\\alpha$"),
        ylabel=_("Rényi divergence (nats)"),
        title=_("order {order:g}: {marked}", order=order, marked=_named(marked)),
        xlim=(1, 12),
        ylim=(0, 2 * epsilon),
        xticks=[1, 2, 4, 6, 8, 10, 12],
    )
    _style.handle(axes, order=(order, 0.12 * epsilon))
    return _style.describe(
        axes,
        _(
            "The figure shows the Rényi divergence as a function of the order. For "
            "randomized response it rises from {at_one:.3f} at order 1 toward "
            "{epsilon:g} nats, and for Laplace noise from {at_one_2:.3f} toward "
            "{epsilon:g}. For Gaussian noise it is a straight line through "
            "{at_one_3:.3f} at order 1 that grows without bound. The divergences at "
            "order {order:g} are {marked:.3f}, {marked_2:.3f} and {marked_3:.3f}.",
            at_one=at_one[0],
            epsilon=epsilon,
            at_one_2=at_one[1],
            at_one_3=at_one[2],
            order=order,
            marked=marked[0],
            marked_2=marked[1],
            marked_3=marked[2],
        ),
    )


@_style.styled
def privacy_profiles(*, epsilon: float, logarithmic: bool = False, ax: Axes | None = None) -> Axes:
    """Draw the hockey-stick divergences of three mechanisms against the level ε.

    The mechanisms are randomized response with parameter `epsilon`, Laplace noise of scale
    1/epsilon and Gaussian noise of standard deviation 1/epsilon. Queries have sensitivity 1.

    Parameters
    ----------
    logarithmic : bool
        Whether the axis of the divergences is logarithmic.

    Examples
    --------
    >>> from dpteach.figures import alt_text
    >>> "0.462, 0.393 and 0.383 at level 0" in alt_text(privacy_profiles(epsilon=1.0))
    True
    """
    epsilon = _check.real("epsilon", epsilon, _EPSILON)
    _check.instance("logarithmic", logarithmic, bool)
    axes = _style.new_axes(ax)
    near = 1 - 10.0 ** -np.arange(2, 9)  # add levels just below epsilon, where two curves reach 0
    levels = np.sort(np.concatenate((np.linspace(0, 4, 113), near))) * epsilon
    at_zero, at_end = [], []
    for name, mechanism in _mechanisms(epsilon).items():
        curve = [mechanism.guarantee(ApproxDP, epsilon=float(x)).delta for x in levels]
        at_zero.append(curve[0])
        at_end.append(curve[-1])
        axes.plot(levels, np.maximum(curve, 1e-9) if logarithmic else curve, label=_(name))
    axes.set(
        xlabel=_("level ε (nats)"),
        ylabel="δ(ε)",
        title=_("Privacy profiles, logarithmic axis") if logarithmic else _("Privacy profiles"),
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
            _(
                "The figure shows the same curves with a logarithmic vertical axis. "
                "Those of randomized response and Laplace noise fall steeply to 0 at "
                "level {epsilon:g}. The curve of Gaussian noise bends down slowly, to "
                "{at_end:.1e} at level {epsilon_2:g}.",
                epsilon=epsilon,
                at_end=at_end[2],
                epsilon_2=4 * epsilon,
            ),
        )
    return _style.describe(
        axes,
        _(
            "The figure shows the hockey-stick divergences of randomized response, "
            "Laplace noise and Gaussian noise against the level. The divergences are "
            "{at_zero:.3f}, {at_zero_2:.3f} and {at_zero_3:.3f} at level 0. The "
            "first two are 0 at levels of {epsilon:g} and above. That of Gaussian "
            "noise is never 0: at level {epsilon_2:g} it is {at_end:.1e}.",
            at_zero=at_zero[0],
            at_zero_2=at_zero[1],
            at_zero_3=at_zero[2],
            epsilon=epsilon,
            epsilon_2=4 * epsilon,
            at_end=at_end[2],
        ),
    )


@_style.styled
def merged_factors(*, curve: str, ax: Axes | None = None) -> Axes:
    """Draw how merging two outputs changes the mean of a function of the likelihood ratio.

    The likelihood ratio P/Q is 1 for one output and 2 for the other, and Q gives both the same
    probability. Before merging, the mean is the average of the function's values at 1 and 2, which
    is a point of the chord between these values. After merging, the mean is the function's value at
    the average ratio 1.5.

    Parameters
    ----------
    curve : str
        "mean of the loss" for the function u log u, or "tail" for the function that is u above
        exp(0.4) and 0 below.

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
        name = _("P(loss > 0.4): u if u > {step:.2f}, else 0", step=step)
        heights = [0.0, 2.0, 1.5]
        for piece, rise in ((u[u < step], 0.0), (u[u > step], 1.0)):
            axes.plot(piece, piece * rise, color=_style.BLUE, linestyle="-")
    else:
        name = _("mean of the loss: u log u")
        heights = [x * math.log(x) for x in (1.0, 2.0, 1.5)]
        axes.plot(u, u * np.log(u), color=_style.BLUE, linestyle="-")
    before, after = (heights[0] + heights[1]) / 2, heights[2]
    axes.plot([1, 2], heights[:2], color=_style.VERMILLION, linestyle="--")
    axes.plot([1, 2], heights[:2], **_style.mark(0))
    axes.plot([1.5], [before], **_style.mark(1))
    axes.plot([1.5], [after], **_style.mark(2))
    falls = after < before
    for height, word, color in (
        (before, _("before"), _style.VERMILLION),
        (after, _("after"), _style.GREEN),
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
        xlabel=_("likelihood ratio $u = p/q$"),
        ylabel=_("height of the curve"),
        title=name,
        xlim=(0.5, 2.25),
        ylim=(-0.5, 2.3),
        xticks=[0.5, 1, 1.5, 2],
    )
    return _style.describe(
        axes,
        _(
            "The figure shows the curve for the {curve} against the likelihood "
            "ratio, with a chord from ratio 1 to ratio 2. At ratio 1.5 the chord is "
            "{above_or_below} the curve. The heights are {before:.3f} before and {after:.3f} "
            "after merging.",
            curve=curve,
            above_or_below=_("above") if falls else _("below"),
            before=before,
            after=after,
        ),
    )


@_style.styled
def chord_bound(*, epsilon: float, ax: Axes | None = None) -> Axes:
    """Draw why no epsilon-DP mechanism has a larger KL divergence than randomized response.

    The KL divergence is the mean of u log u, where u is the likelihood ratio. Between e^-epsilon
    and e^epsilon, u log u is below its chord, so its mean is at most the chord's height at the mean
    ratio 1. This height, epsilon tanh(epsilon/2), is the KL divergence of randomized response.

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
    axes.plot([low, high], [-epsilon * low, epsilon * high], label=_("chord: randomized response"))
    axes.plot([1, 1], [0, height], color=_style.GREY, linestyle=":")
    axes.plot([1], [height], **_style.mark(2), label=_("chord at the mean ratio 1"))
    axes.set(
        xlabel=_("likelihood ratio $u = p/q$"),
        ylabel=_("nats"),
        title=_(
            "The KL divergence is at most {height:.3f} if ε = {epsilon:g}",
            height=height,
            epsilon=epsilon,
        ),
        xlim=(0, high * 1.03),
        ylim=(-0.5, epsilon * high * 1.03),
    )
    axes.legend(loc="upper left")
    return _style.describe(
        axes,
        _(
            "The figure shows the convex function u log u and its chord from u = "
            "{low:.3f} to u = {high:.3f}. The function is 0 at u = 1; at u = 1 the "
            "chord has the height {height:.4f} nats.",
            low=low,
            high=high,
            height=height,
        ),
    )
