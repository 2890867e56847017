"""Figures on the privacy loss and the divergences of a pair of output laws.

Their parameters, where they say no more:

epsilon : float
    In (0, 20], in nats; [0, 20] where it is a level and not that of a mechanism.
sigma : float
    The standard deviation of the noise, in [0.05, 100]; answers have sensitivity 1.
"""

from __future__ import annotations

import math

import numpy as np
from matplotlib.axes import Axes
from numpy.typing import NDArray

from dpteach import _check, conversions
from dpteach.figures import _style
from dpteach.mechanisms import Gaussian, Laplace, Mechanism, RandomizedResponse
from dpteach.notions import ApproxDP, RenyiDP
from dpteach.privacy_loss import DensityLoss, DiscreteLoss, PrivacyLoss

__all__ = [
    "chord_bound",
    "hockey_stick_area",
    "loss_tails",
    "privacy_profiles",
    "renyi_orders",
]

Vector = NDArray[np.float64]

_EPSILON = _check.Domain("in (0, 20]", lambda x: 0 < x <= 20)
_LEVEL = _check.Domain("in [0, 20]", lambda x: 0 <= x <= 20)
_SIGMA = _check.Domain("in [0.05, 100]", lambda x: 0.05 <= x <= 100)


def _mechanisms(epsilon: float) -> dict[str, Mechanism]:
    """The three examples of the course: two that are epsilon-DP, and normal noise as wide."""
    return {
        "randomized response": RandomizedResponse(epsilon=epsilon),
        "Laplace noise": Laplace(scale=1 / epsilon),
        "Gaussian noise": Gaussian(sigma=1 / epsilon),
    }


def _law(loss: PrivacyLoss) -> tuple[Vector, Vector]:
    """Values of the privacy loss and their probabilities; densities on a fine grid."""
    if isinstance(loss, DiscreteLoss):
        shared = (loss.p > 0) & (loss.q > 0)
        return np.log(loss.p[shared] / loss.q[shared]), loss.p[shared]
    assert isinstance(loss, DensityLoss)
    x: Vector = loss.scale * 0.004 * np.arange(-2999.5, 3000.0)
    weights = np.exp(loss.log_p(x))
    return loss.log_p(x) - loss.log_q(x), weights / weights.sum()


def _tail(loss: PrivacyLoss, levels: Vector) -> Vector:
    """The probability that the privacy loss exceeds each level."""
    values, weights = _law(loss)
    order = np.argsort(values)
    below = np.concatenate(([0.0], np.cumsum(weights[order])))
    return 1 - below[np.searchsorted(values[order], levels, side="right")]


@_style.styled
def loss_tails(*, epsilon: float, ax: Axes | None = None) -> Axes:
    """How likely the privacy loss exceeds a level, for three mechanisms.

    Randomized response at epsilon, Laplace noise of scale 1/epsilon and Gaussian noise of
    standard deviation 1/epsilon, both for an answer of sensitivity 1.

    Examples
    --------
    >>> from dpteach.figures import alt_text
    >>> "still exceeds 1 nats with probability 0.309" in alt_text(loss_tails(epsilon=1.0))
    True
    """
    epsilon = _check.real("epsilon", epsilon, _EPSILON)
    axes = _style.new_axes(ax)
    jumps = [s * epsilon + e for s in (-1, 1) for e in (-1e-9, 1e-9)]
    levels = np.sort(np.concatenate((np.linspace(-3, 3, 121) * epsilon, jumps)))
    for name, mechanism in _mechanisms(epsilon).items():
        axes.plot(levels, _tail(mechanism.privacy_loss(), levels), label=name)
    axes.axvline(epsilon, color=_style.GREY, linewidth=1, linestyle=":")
    axes.annotate("ε", (epsilon, 1.0), (4, -4), textcoords="offset points", color=_style.GREY)
    axes.set(
        xlabel=r"level $t$ (nats)",
        ylabel=r"$P(L > t)$",
        title="How likely the privacy loss exceeds a level",
        xlim=(-3 * epsilon, 3 * epsilon),
        ylim=(-0.02, 1.05),
    )
    axes.legend(loc="lower left")
    truth = RandomizedResponse(epsilon=epsilon).truth_probability
    exceeds = float(_tail(Gaussian(sigma=1 / epsilon).privacy_loss(), np.array([epsilon]))[0])
    return _style.describe(
        axes,
        f"Probability that the privacy loss exceeds a level. Randomized response: "
        f"1 below minus {epsilon:g} nats, {truth:.3f} from there to {epsilon:g}, then 0. "
        f"Laplace noise: it falls slowly between minus {epsilon:g} and {epsilon:g}, and from "
        f"0.5 to 0 at {epsilon:g}. Gaussian noise: it falls smoothly and still exceeds "
        f"{epsilon:g} nats with probability {exceeds:.3f}.",
    )


@_style.styled
def renyi_orders(*, epsilon: float, ax: Axes | None = None) -> Axes:
    """The Rényi divergences of three mechanisms against the order, from KL to max divergence.

    The mechanisms are those of `loss_tails`.

    Examples
    --------
    >>> from dpteach.figures import alt_text
    >>> "Randomized response rises from 0.462 at order 1" in alt_text(renyi_orders(epsilon=1.0))
    True
    """
    epsilon = _check.real("epsilon", epsilon, _EPSILON)
    axes = _style.new_axes(ax)
    orders = [float(a) for a in np.linspace(1, 12, 111)]
    at_one = []
    for i, (name, mechanism) in enumerate(_mechanisms(epsilon).items()):
        curve = mechanism.guarantee(RenyiDP, orders=orders).epsilons
        at_one.append(curve[0])
        axes.plot(orders, curve, **_style.line(i), label=name)
        axes.plot(orders[:1], curve[:1], **_style.series(i), clip_on=False)
    axes.axhline(epsilon, color=_style.GREY, linewidth=1, linestyle=":")
    axes.annotate(
        "max divergence ε of the first two",
        (12, epsilon),
        (-4, 5),
        textcoords="offset points",
        ha="right",
        color=_style.GREY,
    )
    axes.set(
        xlabel=r"order $\alpha$",
        ylabel=r"$D_\alpha(P\,\|\,Q)$ (nats)",
        title="From the mean of the privacy loss to its maximum",
        xlim=(1, 12),
        ylim=(0, 2 * epsilon),
        xticks=[1, 2, 4, 6, 8, 10, 12],
    )
    axes.legend(loc="lower right")
    return _style.describe(
        axes,
        f"Rényi divergence against the order. Randomized response rises from {at_one[0]:.3f} at "
        f"order 1 towards {epsilon:g} nats, Laplace noise from {at_one[1]:.3f} towards "
        f"{epsilon:g}. Gaussian noise is a straight line through {at_one[2]:.3f} at order 1 "
        f"that grows without bound.",
    )


@_style.styled
def hockey_stick_area(*, epsilon: float, sigma: float, ax: Axes | None = None) -> Axes:
    """Normal densities p and q, of means 0 and 1, and where p exceeds e^epsilon q: delta.

    Examples
    --------
    >>> from dpteach.figures import alt_text
    >>> "has the area delta = 0.1269" in alt_text(hockey_stick_area(epsilon=1.0, sigma=1.0))
    True
    """
    epsilon = _check.real("epsilon", epsilon, _LEVEL)
    sigma = _check.real("sigma", sigma, _SIGMA)
    axes = _style.new_axes(ax)
    loss = Gaussian(sigma=sigma).privacy_loss()
    delta = loss.hockey_stick(epsilon)
    y = np.linspace(-5, 5, 141)
    p, raised = np.exp(loss.log_p(y)), np.exp(epsilon + loss.log_q(y))
    axes.fill_between(
        y,
        p,
        np.minimum(p, raised),
        facecolor=_style.BLUE,
        alpha=0.25,
        linewidth=0,
        label=f"δ = {delta:.2g}",
    )
    axes.plot(y, p, label=r"$p(y)$")
    axes.plot(y, raised, label=r"$e^{\varepsilon}q(y)$")
    axes.plot(y, np.exp(loss.log_q(y)), color=_style.GREY, linestyle=":", label=r"$q(y)$")
    axes.set(
        xlabel=r"output $y$",
        ylabel="density",
        title=f"What $e^{{\\varepsilon}}Q$ cannot cover: ε = {epsilon:g}, σ = {sigma:g}",
        xlim=(-5, 5),
        ylim=(0, 0.65),
    )
    axes.legend(loc="upper right")
    crossing = 0.5 - epsilon * sigma**2  # where p is e^epsilon q
    _style.handle(axes, epsilon=(crossing, float(np.exp(loss.log_p(np.array([crossing])))[0])))
    return _style.describe(
        axes,
        f"Two normal densities with standard deviation {sigma:g} and means 0 and 1. The part of "
        f"p above e^epsilon times q, for epsilon = {epsilon:g} nats, has the area "
        f"delta = {delta:.4g}.",
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
    axes.plot([low, high], [-epsilon * low, epsilon * high], label="chord")
    axes.plot([1, 1], [0, height], color=_style.GREY, linestyle=":")
    axes.plot([1], [height], **_style.mark(2), label="chord at the mean")
    axes.set(
        xlabel=r"likelihood ratio $u = p/q$",
        ylabel="nats",
        title=f"All ratios of an ε-DP pair, ε = {epsilon:g}, have mean 1 under Q",
        xlim=(0, high * 1.03),
        ylim=(-0.5, epsilon * high * 1.03),
    )
    axes.legend(loc="upper left")
    return _style.describe(
        axes,
        f"The convex function u log u and its chord from u = {low:.3f} to u = {high:.3f}. The "
        f"function is 0 at u = 1; at u = 1 the chord has the height {height:.4f} nats.",
    )
