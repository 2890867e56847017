"""Figures on tests of whether a person is in the data: type I and II errors, and bounds on both.

Unless a docstring says otherwise, these parameters have the following ranges:

epsilon : float
    The epsilon of the guarantee, in [0, 4], in nats.
sigma : float
    The standard deviation of Gaussian noise on a count, in [0.2, 10].
"""

from __future__ import annotations

import math

import numpy as np
from matplotlib.axes import Axes
from numpy.typing import NDArray

from dpteach import _check
from dpteach._language import N_, catalog
from dpteach.calibration import calibrate
from dpteach.figures import _style
from dpteach.figures._shared import WITH, WITHOUT
from dpteach.mechanisms import Gaussian, Laplace
from dpteach.notions import FDP, ApproxDP, GaussianDP, ProbabilisticDP

_, _n = catalog("figures")

__all__ = ["allowed_errors", "error_region", "roc_at_the_low_end", "two_errors"]

Vector = NDArray[np.float64]

_LINE = _check.Domain("in [133, 142]", lambda x: 133 <= x <= 142)
_EPSILON = _check.Domain("in [0, 4]", lambda x: 0 <= x <= 4)
_DELTA = _check.Domain("in [0, 0.9]", lambda x: 0 <= x <= 0.9)
_SIGMA = _check.Domain("in [0.2, 10]", lambda x: 0.2 <= x <= 10)
_SHARE = _check.Domain("in [0.001, 0.5]", lambda x: 0.001 <= x <= 0.5)

_PERMITTED = "#E4ECF4"
_FALSE_ALARMS = N_("probability of a false alarm, a")
_MISSES = N_("probability of a miss, b")
#: the epsilons of the guarantees that `error_region` draws in gray
_PAIRS = (0.25, 0.5, 0.75, 1.0, 1.5, 2.0, 3.0)


def _percent(share: float) -> str:
    return f"{100 * share:.3g}%"


@_style.styled
def two_errors(*, line: float, sigma: float = 1.0, ax: Axes | None = None) -> Axes:
    """Draw the error probabilities of a test of whether one person, Ada, is in a noisy count.

    The two probabilities are shown as areas under densities, and as the coordinates of a point.

    Parameters
    ----------
    line : float
        The threshold, in [133, 142]. The test decides that Ada is in the data if the noisy count
        is at least this threshold.

    Examples
    --------
    >>> from dpteach.figures import alt_text
    >>> "a false alarm has probability 30.9%, and a miss 30.9%" in alt_text(two_errors(line=137.5))
    True
    """
    from scipy.special import ndtr

    line = _check.real("line", line, _LINE)
    sigma = _check.real("sigma", sigma, _SIGMA)
    axes = _style.new_axes(ax)
    axes.figure.subplots_adjust(bottom=0.185)
    box = axes.get_position()
    axes.set_position((0.575, box.y0, 0.385, box.height))
    figure = axes.figure
    bells = figure.add_axes((0.03, box.y0, 0.4, box.height))

    y = np.union1d(np.linspace(132.5, 142.5, 201), [line])
    top = 1 / (sigma * math.sqrt(2 * math.pi))
    present, absent = (np.exp(-(((y - m) / sigma) ** 2) / 2) * top for m in (WITH, WITHOUT))
    bells.fill_between(
        y[y >= line], 0, absent[y >= line], color=_style.VERMILLION, alpha=0.45, lw=0
    )
    bells.fill_between(y[y <= line], 0, present[y <= line], color=_style.BLUE, alpha=0.45, lw=0)
    bells.plot(y, present, **_style.line(0))
    bells.plot(y, absent, **_style.line(1))
    bells.plot([line, line], [0, 1.12 * top], color=_style.BLACK, lw=1.4, ls="-")
    bells.text(132.6, 0.9 * top, _("137,\nwithout"), color=_style.COLORS[1])
    bells.text(142.4, 0.9 * top, _("138,\nwith Ada"), color=_style.COLORS[0], ha="right")
    bells.set(xlim=(132.5, 142.5), ylim=(0, 1.2 * top), yticks=[], xlabel=_("noisy count"))
    bells.set_title(_("threshold {line:g}", line=line))
    _style.ticks(bells.xaxis, [133, 135, 137, 139, 141])

    alarms = float(ndtr((WITHOUT - line) / sigma))
    misses = float(ndtr((line - WITH) / sigma))
    curve = Gaussian(sigma=sigma).guarantee(GaussianDP)
    grid = ndtr(np.linspace(-4, 4, 121))
    axes.plot([0, 1], [1, 0], color=_style.GREY, ls=":", lw=1.2)
    axes.plot(
        np.r_[0, grid, 1], np.r_[1, curve.trade_off(grid), 0], color=_style.GREEN, ls="-", lw=1.6
    )
    axes.text(0.55, 0.5, _("guessing"), color=_style.GREY)
    # draw each error probability as the length of a segment, in the color of its area in the left
    # panel
    axes.plot([0, alarms], [misses, misses], color=_style.VERMILLION, lw=3.0, ls="-")
    axes.plot([alarms, alarms], [0, misses], color=_style.BLUE, lw=3.0, ls="-")
    axes.plot(alarms, misses, color=_style.BLACK, marker="o", ls="none")
    axes.set(xlim=(0, 1), ylim=(0, 1))
    axes.set_xlabel(_("probability of\na false alarm, a"), color=_style.VERMILLION)
    axes.set_ylabel(_(_MISSES), color=_style.BLUE)
    axes.set_title(f"a = {_percent(alarms)}, b = {_percent(misses)}")
    for axis in (axes.xaxis, axes.yaxis):
        _style.ticks(axis, [0, 0.5, 1])
    _style.handle(bells, line=(line, 1.12 * top))
    return _style.describe(
        axes,
        _(
            "The left panel shows two Gaussian densities of the noisy count, with "
            "means 137 and 138 and standard deviation {sigma:g}, and a threshold at "
            "{line:g}. At or above it, the test decides that Ada is in the count. "
            "The right panel shows the two error probabilities of all such tests as "
            "a curve below the diagonal. For this threshold, a false alarm has "
            "probability {alarms}, and a miss {misses}.",
            sigma=sigma,
            line=line,
            alarms=_percent(alarms),
            misses=_percent(misses),
        ),
    )


def _laplace_curve(scale: float) -> tuple[Vector, Vector]:
    """Return the false alarm and miss probabilities of the best tests on a Laplace-noisy count.

    A test guesses whether a person is in the data (then the noisy count has the distribution P) or
    not (then Q). The best tests decide for P if the privacy loss L exceeds a level. Both errors
    follow from P(L > level) and from the privacy profile, which is
    P(L > level) - e^level Q(L > level). Levels from 0 on give half of the trade-off curve; the
    other half is its mirror image.
    """
    noise = Laplace(scale=scale)
    # the loss is at most 1/scale, and equal to it with probability 1/2 under P. Stop just below
    # it, before P(L > level) jumps to 0
    levels = np.linspace(0, (1 - 1e-12) / scale, 61).tolist()
    found = np.array([noise.guarantee(ProbabilisticDP, epsilon=x).delta for x in levels])
    beyond = np.array([noise.guarantee(ApproxDP, epsilon=x).delta for x in levels])
    alarms, misses = np.exp(np.negative(levels)) * (found - beyond), 1 - found
    return (
        np.r_[0, alarms[::-1], misses[1:], 1],
        np.r_[1, misses[::-1], alarms[1:], 0],
    )


@_style.styled
def allowed_errors(*, epsilon: float, delta: float, ax: Axes | None = None) -> Axes:
    """Draw the errors of membership tests that (epsilon, delta)-DP allows, and those of best tests.

    A membership test decides from an output whether a person is in the data. The best tests are
    shown for Laplace and for Gaussian noise, each the smallest noise that satisfies the guarantee.

    Parameters
    ----------
    delta : float
        The delta of the guarantee, in [0, 0.9].

    Examples
    --------
    >>> from dpteach.figures import alt_text
    >>> "corner at (0.269, 0.269)" in alt_text(allowed_errors(epsilon=1.0, delta=0.0))
    True
    """
    from scipy.special import ndtr

    epsilon = _check.real("epsilon", epsilon, _EPSILON)
    delta = _check.real("delta", delta, _DELTA)
    axes = _style.new_axes(ax)
    axes.figure.subplots_adjust(left=0.15, right=0.7, top=0.86, bottom=0.16)
    axes.set_aspect("equal", anchor="W")
    claim = ApproxDP(epsilon, delta)
    x, y = FDP(epsilon, delta).curve()
    # fill the region between the curve and its mirror image, because if a test has errors (x, y),
    # the test that decides the opposite has errors (1 - x, 1 - y)
    axes.fill(np.r_[x, (1 - x)], np.r_[y, (1 - y)], color=_PERMITTED, lw=0)
    axes.plot([0, 1], [1, 0], color=_style.GREY, ls=":", lw=1.2)
    axes.plot(1 - x, 1 - y, color=_style.BLACK, lw=1.0, ls="-")
    words = []
    if epsilon + delta > 0:
        scale = calibrate(Laplace, claim).scale
        axes.plot(*_laplace_curve(scale), **_style.line(1))
        words.append(_("Laplace noise of scale {scale:.2f}", scale=scale))
    if delta > 0:
        sigma = calibrate(Gaussian, claim).sigma
        grid = ndtr(np.linspace(-4, 4, 121))
        normal = GaussianDP(1 / sigma).trade_off(grid)
        axes.plot(np.r_[0, grid, 1], np.r_[1, normal, 0], **_style.line(0))
        words.append(_("Gaussian noise of standard deviation {sigma:.2f}", sigma=sigma))
    axes.plot(x, y, color=_style.BLACK, lw=1.6, ls="-")
    corner = (1 - claim.delta_at(0.0)) / 2
    axes.plot(corner, corner, color=_style.BLACK, marker="o", ls="none")
    axes.plot(0, 1 - delta, color=_style.BLACK, marker="s", ls="none", clip_on=False)
    axes.set(xlim=(0, 1), ylim=(0, 1), xlabel=_(_FALSE_ALARMS), ylabel=_(_MISSES))
    axes.set_title(
        _(
            "ε = {epsilon:.3g}, δ = {delta:g}: corner at {corner:.3f}",
            epsilon=epsilon,
            delta=delta,
            corner=corner,
        )
    )
    right = 1.05
    axes.text(
        right,
        0.9,
        _("shaded: permitted\nby ({epsilon:.3g}, {delta:g})-DP", epsilon=epsilon, delta=delta),
        color=_style.BLACK,
    )
    axes.text(right, 0.78, _("dotted: guessing"), color=_style.GREY)
    axes.text(right, 0.55, _("best tests\nagainst"), color=_style.BLACK)
    axes.text(
        right,
        0.36,
        _("Gaussian noise,\nσ = {sigma:.2f}", sigma=sigma)
        if delta
        else _("(impossible for\nGaussian noise)"),
        color=_style.COLORS[0],
    )
    if epsilon + delta > 0:
        axes.text(
            right, 0.16, _("Laplace noise,\nscale {scale:.2f}", scale=scale), color=_style.COLORS[1]
        )
    _style.handle(axes, epsilon=(corner, corner), delta=(0, 1 - delta))
    return _style.describe(
        axes,
        _(
            "The horizontal axis shows the probability of a false alarm, the "
            "vertical axis that of a miss. The errors permitted by epsilon "
            "{epsilon:.3g} and delta {delta:g} form a band around the diagonal of "
            "guessing, bounded from below by two lines from {delta_2:.3g} on the "
            "axes to a corner at ({corner:.3f}, {corner:.3f}).",
            epsilon=epsilon,
            delta=delta,
            delta_2=1 - delta,
            corner=corner,
        ),
        _("The band contains the trade-off curves of {noises}.", noises=_(" and of ").join(words))
        if words
        else _("No noise satisfies this guarantee."),
    )


@_style.styled
def error_region(*, epsilon: float, sigma: float, ax: Axes | None = None) -> Axes:
    """Draw the trade-off curve of Gaussian noise, and lines of its (epsilon, delta) guarantees.

    The axes are a membership test's probabilities of a false alarm and of a miss. Each guarantee
    gives two lines that touch the curve. No test lies below either line. The lines for the given
    epsilon are black.

    Examples
    --------
    >>> from dpteach.figures import alt_text
    >>> "meet in a corner at (0.235, 0.235)" in alt_text(error_region(epsilon=1.0, sigma=1.0))
    True
    """
    from scipy.special import ndtr

    epsilon = _check.real("epsilon", epsilon, _EPSILON)
    sigma = _check.real("sigma", sigma, _SIGMA)
    axes = _style.new_axes(ax)
    axes.figure.subplots_adjust(left=0.15, right=0.7, top=0.86, bottom=0.16)
    axes.set_aspect("equal", anchor="W")
    normal = Gaussian(sigma=sigma).guarantee(GaussianDP)
    for other in _PAIRS:
        axes.plot(*FDP(other, normal.delta_at(other)).curve(), color="#AAAAAA", lw=0.8, ls="-")
    delta = normal.delta_at(epsilon)
    x, y = FDP(epsilon, delta).curve()
    axes.fill(np.r_[x, 1, 0], np.r_[y, 1, 1], color=_PERMITTED, lw=0, zorder=0)
    grid = ndtr(np.linspace(-4, 4, 121))
    axes.plot(np.r_[0, grid, 1], np.r_[1, normal.trade_off(grid), 0], **_style.line(0))
    axes.plot(x, y, color=_style.BLACK, lw=1.6, ls="-")
    corner = (1 - ApproxDP(epsilon, delta).delta_at(0.0)) / 2
    axes.plot(corner, corner, color=_style.BLACK, marker="o", ls="none")
    axes.set(xlim=(0, 1), ylim=(0, 1), xlabel=_(_FALSE_ALARMS), ylabel=_(_MISSES))
    axes.set_title(f"ε = {epsilon:g}: δ = {delta:.3g}")
    right = 1.05
    axes.text(
        right,
        0.86,
        _("trade-off curve\nof Gaussian\nnoise, σ = {sigma:g}", sigma=sigma),
        color=_style.COLORS[0],
    )
    axes.text(
        right,
        0.62,
        _("shaded:\npermitted by\n(ε, δ)-DP"),
        color=_style.BLACK,
    )
    axes.text(right, 0.4, _("gray: other\nvalues of ε"), color=_style.GREY)
    _style.handle(axes, epsilon=(corner, corner))
    return _style.describe(
        axes,
        _(
            "The horizontal axis shows the probability of a false alarm, the "
            "vertical axis that of a miss. The two lines of epsilon {epsilon:g} and "
            "delta {delta:.4g} touch the trade-off curve of Gaussian noise of "
            "standard deviation {sigma:g} from below. They meet in a corner at "
            "({corner:.3f}, {corner:.3f}).",
            epsilon=epsilon,
            delta=delta,
            sigma=sigma,
            corner=corner,
        ),
    )


@_style.styled
def roc_at_the_low_end(*, share: float, ax: Axes | None = None) -> Axes:
    """Draw two ROC curves of equal accuracy, on logarithmic axes and, in an inset, on linear axes.

    One mechanism exposes each person with probability `share` and reveals nothing otherwise. The
    other mechanism adds Gaussian noise such that the best attacks on both mechanisms have the same
    accuracy.

    Parameters
    ----------
    share : float
        The probability with which a person is exposed, in [0.001, 0.5].

    Examples
    --------
    >>> from dpteach.figures import alt_text
    >>> text = alt_text(roc_at_the_low_end(share=0.01))
    >>> "the first attack detects 1.1%, the second 0.109%" in text
    True
    """
    share = _check.real("share", share, _SHARE)
    axes = _style.new_axes(ax)
    axes.figure.subplots_adjust(left=0.172, right=0.921)
    normal = GaussianDP(1 / calibrate(Gaussian, ApproxDP(0.0, share)).sigma)
    small = axes.inset_axes((0.64, 0.13, 0.34, 0.4))
    grids = (np.geomspace(1e-4, 1, 121), np.linspace(0, 1, 101))
    for i, (panel, x) in enumerate(zip((axes, small), grids, strict=True)):
        # if a mechanism exposes each person with probability `share`, the best attack detects all
        # exposed people, and each of the others with the probability x of a false alarm
        panel.plot(x, share + (1 - share) * x, **_style.line(0))
        panel.plot(x, 1 - np.asarray(normal.trade_off(x)), **_style.line(1))
        panel.plot(x, x, color=_style.GREY, ls=":", lw=1.2)
        if i:
            panel.set(xlim=(0, 1), ylim=(0, 1), xticks=[0, 1], yticks=[0, 1])
            panel.set_title(_("linear axes"), fontsize=12)
    axes.set(
        xscale="log",
        yscale="log",
        xlim=(1e-4, 1),
        ylim=(1e-4, 1),
        xlabel=_("probability of a false alarm"),
        ylabel=_("probability of a detection"),
        title=_("Both attacks have accuracy {share}", share=_percent((1 + share) / 2)),
    )
    _style.ticks(axes.xaxis, [1e-4, 1e-3, 1e-2, 0.1, 1])
    _style.ticks(axes.yaxis, [1e-4, 1e-3, 1e-2, 0.1, 1])
    for axis in (axes.xaxis, axes.yaxis):
        axis.set_major_formatter(lambda value, place: f"{100 * value:g}%")
    axes.text(
        1.3e-4,
        1.45 * share,
        _("exposes {share} of the people", share=_percent(share)),
        color=_style.BLUE,
    )
    axes.text(1.9e-3, 1.2e-3, _("Gaussian noise"), color=_style.VERMILLION)
    axes.text(9e-4, 2.2e-4, _("dotted: guessing"), color=_style.GREY)
    low = share + (1 - share) * 1e-3, 1 - float(normal.trade_off(1e-3))
    return _style.describe(
        axes,
        _(
            "The horizontal axis shows the probability of a false alarm, the "
            "vertical axis that of a detection. Both axes are logarithmic. As false "
            "alarms become rarer, the ROC curve of a mechanism that exposes {share} "
            "of the people stays near that percentage, whereas the ROC curve of "
            "Gaussian noise, with the same accuracy, falls along the line of "
            "guessing. At 1 false alarm in 1,000, the first attack detects {low}, "
            "the second {low_2}. In an inset with linear axes, both seem to lie on "
            "the diagonal.",
            share=_percent(share),
            low=_percent(low[0]),
            low_2=_percent(low[1]),
        ),
    )
