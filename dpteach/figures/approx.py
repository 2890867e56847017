"""Figures on approximate differential privacy: Gaussian noise, delta, and noise for many counts.

Unless a docstring says otherwise, these parameters have the following ranges:

epsilon : float
    The epsilon of the guarantee, in (0, 5], in nats; in [0, 3] for ``sticking_out``.
delta : float
    The delta of the guarantee, in [1e-30, 0.1].
"""

from __future__ import annotations

import math

import numpy as np
from matplotlib.axes import Axes
from numpy.typing import NDArray

from dpteach import _check
from dpteach._language import catalog
from dpteach.calibration import calibrate
from dpteach.figures import _style
from dpteach.figures._shared import WITH, WITHOUT, one_in
from dpteach.mechanisms import Gaussian, Laplace
from dpteach.notions import ApproxDP, ProbabilisticDP, PureDP

_, _n = catalog("figures")

__all__ = ["factors_of_answers", "noise_for_counts", "sticking_out", "textbook_noise"]

Vector = NDArray[np.float64]

_ANSWER = _check.Domain("in [38, 238]", lambda x: 38 <= x <= 238)
_EPSILON = _check.Domain("in (0, 5]", lambda x: 0 < x <= 5)
_LEVEL = _check.Domain("in [0, 3]", lambda x: 0 <= x <= 3)
_SIGMA = _check.Domain("in [0.7, 3]", lambda x: 0.7 <= x <= 3)
_DELTA = _check.Domain("in [1e-30, 0.1]", lambda x: 1e-30 <= x <= 0.1)

#: in `factors_of_answers`, both the standard deviation of the Gaussian noise and the scale of the
#: Laplace noise
_NOISE = 10.0
_FAINT = "#D9E4EF"


def _bell(y: Vector | float, mean: float, sigma: float) -> Vector:
    return np.exp(-(((np.asarray(y) - mean) / sigma) ** 2) / 2) / (sigma * math.sqrt(2 * math.pi))


@_style.styled
def factors_of_answers(*, answer_at: float, ax: Axes | None = None) -> Axes:
    """Draw the density of a noisy count with the patient Ada, divided by the density without her.

    One curve is for Gaussian noise of standard deviation 10, and one for Laplace noise of scale
    10.

    Parameters
    ----------
    answer_at : float
        The noisy count that is marked, in [38, 238].
    ax : Axes, optional

    Examples
    --------
    >>> from dpteach.figures import alt_text
    >>> text = alt_text(factors_of_answers(answer_at=187.5))
    >>> "1 in 2.7 million noisy counts is higher than 187.5." in text
    True
    """
    from scipy.special import ndtr

    answer = _check.real("answer_at", answer_at, _ANSWER)
    axes = _style.new_axes(ax)
    grid = np.union1d(np.linspace(38.0, 238.0, 201), [WITHOUT, WITH])
    bottom, top = 0.3, 3.3
    heights = _bell(grid, WITH, _NOISE) / _bell(WITH, WITH, _NOISE)
    axes.fill_between(grid, bottom, bottom * 1.8**heights, color=_FAINT, lw=0)
    laplace = (np.abs(grid - WITHOUT) - np.abs(grid - WITH)) / _NOISE
    middle = (WITH + WITHOUT) / 2
    axes.plot(grid, np.exp((grid - middle) / _NOISE**2), **_style.line(0))
    axes.plot(grid, np.exp(laplace), **_style.line(1))
    loss = (answer - middle) / _NOISE**2
    axes.plot([answer, answer], [bottom, math.exp(loss)], color=_style.BLACK, lw=1.2, ls="-")
    axes.plot(answer, math.exp(loss), **_style.mark(0))
    axes.set(yscale="log", xlim=(38, 238), ylim=(bottom, top))
    _style.ticks(axes.yaxis, [0.4, 0.5, 0.7, 1, 1.4, 2, 3])
    axes.text(188, 2.0, _("Gaussian noise"), color=_style.COLORS[0], ha="right")
    axes.text(40, 0.98, _("Laplace noise"), color=_style.COLORS[1], va="bottom")
    axes.text(199, 0.315, _("density of noisy counts"), color=_style.GREY, ha="right")
    outside = float(ndtr(-abs(answer - WITH) / _NOISE))
    factor = math.exp(abs(loss))
    if loss == 0:
        short = likely = _("as likely with Ada as without her")
    else:
        if loss > 0:
            short = _("{factor:.2f} times as likely with Ada", factor=factor)
            likely = _("{factor:.2f} times as likely with Ada as without her", factor=factor)
        else:
            short = _("{factor:.2f} times as likely without her", factor=factor)
            likely = _("{factor:.2f} times as likely without Ada as with her", factor=factor)
    where = _("higher") if answer >= WITH else _("lower")
    if outside >= 0.01:
        share = _("{percent:.3g}% are {where}", percent=100 * outside, where=where)
        shares = _(
            "{percent:.3g}% of the noisy counts are {where}", percent=100 * outside, where=where
        )
    else:
        share = _("{rate} is {where}", rate=one_in(outside), where=where)
        shares = _("{rate} noisy counts is {where}", rate=one_in(outside), where=where)
    axes.set(
        xlabel=_("noisy count"),
        ylabel=_("likelihood ratio, with / without Ada"),
        title=f"{answer:g}: {short}; {share}",
    )
    _style.handle(axes, answer_at=(answer, math.exp(loss)))
    return _style.describe(
        axes,
        _(
            "The curves show, on a logarithmic axis, how many times as likely each "
            "noisy count is with Ada as without her. With Laplace noise of scale 10, "
            "this ratio is constant on both sides, at 1.105 and 1/1.105. With "
            "Gaussian noise of standard deviation 10, it is a straight line that "
            "rises without limit. A noisy count of {answer:g} is {likely}. If Ada is "
            "in the table, {shares} than {answer:g}.",
            answer=answer,
            likely=likely,
            shares=shares,
        ),
    )


@_style.styled
def sticking_out(*, epsilon: float, sigma: float, ax: Axes | None = None) -> Axes:
    """Draw delta as the area between one Gaussian density and e^epsilon times another.

    The densities are those of a noisy count with Ada, centered at 138, and without her, centered
    at 137. The raised curve is e^epsilon times the second density. To the right of the point where
    the raised curve and the first density cross, the area under the first density is the
    probability that the privacy loss exceeds epsilon. The part of this area that lies above the
    raised curve is delta.

    Parameters
    ----------
    sigma : float
        The standard deviation of the noise, in [0.7, 3].

    Examples
    --------
    >>> from dpteach.figures import alt_text
    >>> text = alt_text(sticking_out(epsilon=1.0, sigma=1.0))
    >>> "with probability 0.309; the filled area, delta, is 0.127." in text
    True
    """
    epsilon = _check.real("epsilon", epsilon, _LEVEL)
    sigma = _check.real("sigma", sigma, _SIGMA)
    axes = _style.new_axes(ax)
    noise = Gaussian(sigma=sigma)
    delta = noise.guarantee(ApproxDP, epsilon=epsilon).delta
    beyond = noise.guarantee(ProbabilisticDP, epsilon=epsilon).delta
    crossing = (WITH + WITHOUT) / 2 + epsilon * sigma**2
    y = np.union1d(np.linspace(132, 146, 169), [crossing])
    p, q = _bell(y, WITH, sigma), _bell(y, WITHOUT, sigma)
    raised = math.exp(epsilon) * q
    out = y >= crossing
    axes.fill_between(
        y[out], 0, raised[out], facecolor=_FAINT, edgecolor=_style.GREY, hatch="//", lw=0
    )
    axes.fill_between(y[out], raised[out], p[out], color=_style.BLUE, alpha=0.6, lw=0)
    axes.plot(y, p, **_style.line(0), label=_("$p$: with Ada"))
    axes.plot(y, raised, **_style.line(1), label=r"$e^{\varepsilon} q$")
    axes.plot(y, q, color=_style.GREY, ls=":", lw=1.4, label=_("$q$: without her"))
    height = float(_bell(crossing, WITH, sigma))
    axes.plot(crossing, height, color=_style.BLACK, marker="o", ls="none")
    axes.set(
        xlim=(132, 146),
        ylim=(0, 0.6),
        yticks=[],
        xlabel=_("noisy count"),
        title=_(
            "filled: δ = {delta:.3g}; filled and hatched: P(L > ε) = {beyond:.3g}",
            delta=delta,
            beyond=beyond,
        ),
    )
    axes.legend(loc="upper right", title=f"ε = {epsilon:g}, σ = {sigma:g}")
    _style.handle(axes, epsilon=(crossing, height))
    return _style.describe(
        axes,
        _(
            "Two Gaussian densities of standard deviation {sigma:g} are centered at "
            "138 and 137, and a third curve is e^epsilon times the second density, "
            "for epsilon = {epsilon:g}. The first density is higher than the third "
            "curve beyond {crossing:g}. The loss exceeds epsilon there, with "
            "probability {beyond:.3g}; the filled area, delta, is {delta:.3g}.",
            sigma=sigma,
            epsilon=epsilon,
            crossing=crossing,
            beyond=beyond,
            delta=delta,
        ),
    )


@_style.styled
def textbook_noise(*, delta: float, ax: Axes | None = None) -> Axes:
    """Draw the textbook's sigma of Gaussian noise, divided by the smallest valid sigma.

    The textbook formula is sigma = sqrt(2 log(1.25/delta))/epsilon for a query of sensitivity 1.
    The figure shows the ratio as a function of epsilon. The theorem behind the formula applies
    only up to epsilon 1; beyond that, the curve is dotted.

    Examples
    --------
    >>> from dpteach.figures import alt_text
    >>> text = alt_text(textbook_noise(delta=1e-5))
    >>> "1.58 times the smallest sigma at epsilon 0.1, 1.30 times at 1 and 0.97" in text
    True
    """
    delta = _check.real("delta", delta, _DELTA)
    axes = _style.new_axes(ax)
    factor = math.sqrt(2 * math.log(1.25 / delta))
    levels = np.geomspace(0.05, 20, 53)

    def multiple(epsilon: float) -> float:
        return factor / epsilon / calibrate(Gaussian, ApproxDP(epsilon, delta)).sigma

    times = np.array([multiple(float(x)) for x in levels])
    axes.axhspan(0.75, 1, color="#F6E3D8", lw=0)
    axes.axhline(1, color=_style.GREY, lw=1.2, ls="-")
    proved = levels <= 1.0001
    axes.plot(levels[proved], times[proved], color=_style.BLUE, ls="-")
    axes.plot(levels[~proved], times[~proved], color=_style.BLUE, ls=":")
    axes.text(0.055, 1.02, _("smallest σ"), color=_style.GREY)
    axes.text(0.055, 0.86, _("σ too small: not (ε, δ)-DP"), color=_style.BLACK)
    axes.text(0.34, 1.51, _("theorem applies"), color=_style.BLUE)
    axes.text(19, 1.3, _("theorem does not apply"), color=_style.BLUE, ha="right")
    axes.set(
        xscale="log",
        xlim=(0.05, 20),
        ylim=(0.75, 1.75),
        xlabel=r"$\varepsilon$",
        ylabel=_("textbook σ / smallest σ"),
        title=_("The textbook formula at δ = {delta:g}", delta=delta),
    )
    _style.ticks(axes.xaxis, [0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20])
    return _style.describe(
        axes,
        _(
            "The curve shows, for each epsilon and at delta {delta:g}, the sigma of "
            "the textbook formula divided by the smallest sigma. The formula’s sigma "
            "is {value:.2f} times the smallest sigma at epsilon 0.1, {value_2:.2f} "
            "times at 1 and {value_3:.2f} times at 10.",
            delta=delta,
            value=multiple(0.1),
            value_2=multiple(1),
            value_3=multiple(10),
        ),
    )


@_style.styled
def noise_for_counts(*, epsilon: float, delta: float, ax: Axes | None = None) -> Axes:
    """Draw the standard deviation of the noise for k counts, all of which one person may change.

    Laplace noise for epsilon-DP is calibrated to the L1 sensitivity k, and Gaussian noise for
    (epsilon, delta)-DP to the L2 sensitivity, the square root of k.

    Examples
    --------
    >>> from dpteach.figures import alt_text
    >>> text = alt_text(noise_for_counts(epsilon=0.5, delta=1e-5))
    >>> "For 7 or more counts, Gaussian noise has the smaller standard deviation." in text
    True
    """
    epsilon = _check.real("epsilon", epsilon, _EPSILON)
    delta = _check.real("delta", delta, _DELTA)
    axes = _style.new_axes(ax)
    target = ApproxDP(epsilon, delta)
    k = np.geomspace(1, 1000, 31)
    laplace = [math.sqrt(2) * calibrate(Laplace, PureDP(epsilon), sensitivity=x).scale for x in k]
    normal = [calibrate(Gaussian, target, sensitivity=math.sqrt(x)).sigma for x in k]
    first = math.floor((normal[0] / laplace[0]) ** 2) + 1
    axes.plot(k, normal, **_style.line(0))
    axes.plot(k, laplace, **_style.line(1))
    meet = (normal[0] / laplace[0]) ** 2
    axes.plot(meet, laplace[0] * meet, color=_style.BLACK, marker="o", ls="none")
    axes.text(150, normal[0] * 6.5, _("Gaussian"), color=_style.COLORS[0], va="top")
    axes.text(250, laplace[0] * 420, _("Laplace"), color=_style.COLORS[1], ha="right")
    axes.set(
        xscale="log",
        yscale="log",
        xlim=(1, 1000),
        ylim=(0.7 * laplace[0], 1.2 * laplace[-1]),
        xlabel=_("number of counts that one person may change"),
        ylabel=_("standard deviation of the noise"),
        title=_(
            "δ = {delta:g}: Gaussian noise is smaller for {first} or more counts",
            delta=delta,
            first=first,
        ),
    )
    _style.ticks(axes.xaxis, [1, 10, 100, 1000])
    _style.ticks(axes.yaxis, [x for x in (0.1, 1, 10, 100, 1000) if laplace[0] < 1.4 * x])
    _style.handle(axes, delta=(meet, laplace[0] * meet))
    return _style.describe(
        axes,
        _(
            "Two lines show, on logarithmic axes, the standard deviation of the "
            "noise for k counts, all of which one person may change by 1, at epsilon "
            "{epsilon:g}. For Laplace noise it grows like k, from {laplace:.3g} to "
            "{laplace_2:,.0f} at 1,000 counts. For Gaussian noise at delta "
            "{delta:g}, it grows like the square root of k, from {normal:.3g} to "
            "{normal_2:,.0f}. For {first} or more counts, Gaussian noise has the "
            "smaller standard deviation.",
            epsilon=epsilon,
            laplace=laplace[0],
            laplace_2=laplace[-1],
            delta=delta,
            normal=normal[0],
            normal_2=normal[-1],
            first=first,
        ),
    )
