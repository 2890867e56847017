"""Figures on the accuracy of noisy answers: clipping, sampling errors, histograms and intervals.

Parameters that the functions do not document themselves:

epsilon : float
    The ε to which the Laplace noise of each answer is calibrated, in [0.01, 2], in nats.
"""

from __future__ import annotations

import math

import numpy as np
from matplotlib.axes import Axes
from numpy.typing import NDArray

from dpteach import _check, hospital, sensitivity
from dpteach._language import catalog
from dpteach.calibration import calibrate
from dpteach.figures import _style
from dpteach.mechanisms import Laplace
from dpteach.notions import PureDP

_, _n = catalog("figures")

__all__ = ["covering_intervals", "cut_and_noise", "nights_added_up", "sampling_and_noise"]

Vector = NDArray[np.float64]

_EPSILON = _check.Domain("in [0.01, 2]", lambda x: 0.01 <= x <= 2)
_CUT = _check.Domain("in [10, 365]", lambda x: 10 <= x <= 365)
_SHARE = _check.Domain("in [0.01, 0.5]", lambda x: 0.01 <= x <= 0.5)

#: the largest possible number of nights of a stay within one year
_YEAR = 365
#: the number of hospitals whose intervals are drawn
_DRAWN = 50
#: the number of patients of each hospital, and the expected number of depressed patients
_PATIENTS, _DEPRESSED = 3000, 138
#: the 97.5th percentile of the standard normal distribution
_Z = 1.959964


def _noise(epsilon: float, change: float) -> Laplace:
    return calibrate(Laplace, PureDP(epsilon), sensitivity=change)


def _deviation(noise: Laplace) -> float:
    return math.sqrt(2) * noise.scale


@_style.styled
def cut_and_noise(*, cut: float, epsilon: float, ax: Axes | None = None) -> Axes:
    """Draw the bias and the noise of a mean number of hospital nights against the clipping bound.

    Laplace noise is added to the sum of the clipped stays. The sensitivity of this sum is the
    clipping bound. The noisy sum is divided by the number of patients, which is public.

    Parameters
    ----------
    cut : float
        The clipping bound that is marked by a point, in [10, 365] nights.

    Examples
    --------
    >>> from dpteach.figures import alt_text
    >>> text = alt_text(cut_and_noise(cut=30.0, epsilon=0.1))
    >>> "the bias is 0.37, the noise 0.14 and the combined error 0.39." in text
    True
    """
    cut = _check.real("cut", cut, _CUT)
    epsilon = _check.real("epsilon", epsilon, _EPSILON)
    axes = _style.new_axes(ax)
    nights = hospital.patients()["days"]

    def errors(at: float) -> tuple[float, float]:
        bias = nights.mean() - sensitivity.clip(nights, 0, at).mean()
        return float(bias), _deviation(_noise(epsilon, at)) / len(nights)

    grid = np.geomspace(10, _YEAR, 73)
    bias, noise = np.array([errors(float(at)) for at in grid]).T
    axes.plot(grid, np.hypot(bias, noise), color=_style.BLACK, lw=2.6, ls="-")
    axes.plot(grid, noise, **_style.line(1))
    axes.plot(grid, bias, **_style.line(3))
    sampling = float(nights.std(ddof=1)) / math.sqrt(len(nights))
    axes.axhline(sampling, color=_style.GREY, lw=1.2, ls="-")
    axes.text(10.2, sampling + 0.03, _("sampling error"), color=_style.GREY)
    axes.text(14.5, 0.9, _("bias"), color=_style.COLORS[3], ha="right")
    below = max(0.02, _deviation(_noise(epsilon, 290)) / len(nights) - 0.3)
    axes.text(325, below, _("noise"), color=_style.COLORS[1], ha="right")
    axes.text(16.5, 1.5, _("combined error"), color=_style.BLACK)
    here_bias, here_noise = errors(cut)
    total = math.hypot(here_bias, here_noise)
    axes.plot([cut, cut], [0, total], color=_style.BLACK, lw=1.0, ls=":")
    axes.plot(cut, total, color=_style.BLACK, marker="o", ls="none")
    axes.set(
        xscale="log",
        xlim=(10, _YEAR),
        ylim=(0, 2.4),
        xlabel=_("clipping bound, nights"),
        ylabel=_("error of the mean, nights"),
        title=_(
            "ε = {epsilon:g}, bound {cut:g}: bias {here_bias:.2f}, noise "
            "{here_noise:.2f}, combined {total:.2f}",
            epsilon=epsilon,
            cut=cut,
            here_bias=here_bias,
            here_noise=here_noise,
            total=total,
        ),
    )
    _style.ticks(axes.xaxis, [10, 20, 50, 100, 200, 365])
    _style.handle(axes, cut=(cut, total))
    return _style.describe(
        axes,
        _(
            "The curves show errors of the mean number of nights against the "
            "clipping bound, at epsilon {epsilon:g}. As the bound grows, the bias "
            "falls and the standard deviation of the noise rises. At a bound of "
            "{cut:g} nights, the bias is {here_bias:.2f}, the noise {here_noise:.2f} "
            "and the combined error {total:.2f}. The sampling error is "
            "{sampling:.2f}.",
            epsilon=epsilon,
            cut=cut,
            here_bias=here_bias,
            here_noise=here_noise,
            total=total,
            sampling=sampling,
        ),
    )


@_style.styled
def sampling_and_noise(*, epsilon: float, share: float = 0.35, ax: Axes | None = None) -> Axes:
    """Draw the sampling error and the noise of an estimated fraction, against the number of people.

    Parameters
    ----------
    share : float
        The true value of the estimated fraction, in [0.01, 0.5].

    Examples
    --------
    >>> from dpteach.figures import alt_text
    >>> text = alt_text(sampling_and_noise(epsilon=0.1))
    >>> "With 880 or more people, the noise is smaller than the sampling error." in text
    True
    """
    epsilon = _check.real("epsilon", epsilon, _EPSILON)
    share = _check.real("share", share, _SHARE)
    axes = _style.new_axes(ax)
    people = np.geomspace(10, 100_000, 41)
    spread = math.sqrt(share * (1 - share))
    deviation = _deviation(_noise(epsilon, sensitivity.count_sensitivity()))
    sampling, noise = 100 * spread / np.sqrt(people), 100 * deviation / people
    axes.plot(people, np.hypot(sampling, noise), color=_style.BLACK, lw=2.6, ls="-")
    axes.plot(people, sampling, color=_style.GREY, ls="-")
    axes.plot(people, noise, **_style.line(1))
    meet = (deviation / spread) ** 2
    height = 100 * spread / math.sqrt(meet)
    axes.plot(meet, height, color=_style.BLACK, marker="o", ls="none")
    axes.text(11, 5.4, _("sampling error"), color=_style.GREY, va="top")
    # place the label "noise" where its line leaves the frame, at the bottom or at the right
    at = min(100 * deviation / 0.012, 60_000)
    axes.text(
        at, 60 * deviation / at, _("noise") + " ", color=_style.COLORS[1], ha="right", va="bottom"
    )
    at = min(1.2 * meet, 12_000)
    above = 115 * math.hypot(spread / math.sqrt(at), deviation / at)
    axes.text(at, above, _("total error"), color=_style.BLACK, va="bottom")
    first = math.floor(meet) + 1
    axes.set(
        xscale="log",
        yscale="log",
        xlim=(10, 100_000),
        ylim=(0.005, 100),
        xlabel=_("number of people"),
        ylabel=_("standard error, percentage points"),
        title=_(
            "ε = {epsilon:g}: noise < sampling error for {first:,} or more people",
            epsilon=epsilon,
            first=first,
        ),
    )
    _style.ticks(axes.yaxis, [0.01, 0.1, 1, 10, 100])
    axes.xaxis.set_major_formatter(lambda value, place: f"{value:,.0f}" if value < 1e5 else "")
    _style.handle(axes, epsilon=(meet, height))
    return _style.describe(
        axes,
        _(
            "The curves show the standard errors of an estimated fraction of "
            "{percent:g}% against the number of people, on logarithmic axes. The "
            "sampling error falls like one over the square root of this number, and "
            "the noise at epsilon {epsilon:g} like one over the number. With "
            "{first:,} or more people, the noise is smaller than the sampling error.",
            percent=100 * share,
            epsilon=epsilon,
            first=first,
        ),
    )


@_style.styled
def nights_added_up(*, epsilon: float, ax: Axes | None = None) -> Axes:
    """Draw how many patients stayed at most a number of nights, according to three histograms.

    The first histogram has the true counts for each number of nights from 1 to 365. The second has
    Laplace noise on each count, and in the third the negative noisy counts are set to 0. The random
    numbers are the same at each call.

    Examples
    --------
    >>> from dpteach.figures import alt_text
    >>> text = alt_text(nights_added_up(epsilon=0.1))
    >>> "with noise 2,865; with negative counts set to 0, 4,437." in text
    True
    """
    epsilon = _check.real("epsilon", epsilon, _EPSILON)
    axes = _style.new_axes(ax)
    true = np.bincount(hospital.patients()["days"], minlength=_YEAR + 1)[1:]
    noise = _noise(epsilon, sensitivity.histogram_sensitivity())
    noisy = noise.release(true, rng=np.random.default_rng(8))
    nights = np.arange(1, _YEAR + 1)
    sums = [np.cumsum(counts) for counts in (true, noisy, np.maximum(noisy, 0))]
    looks = ({"color": _style.GREY, "ls": "-"}, _style.line(1), _style.line(3))
    for total, look in zip(sums, looks, strict=True):
        axes.plot(nights, total, **look)
    ends = [float(total[-1]) for total in sums]
    axes.text(
        _YEAR, ends[2] + 200, _("negative counts set to 0"), color=_style.COLORS[3], ha="right"
    )
    axes.text(_YEAR, 2050, _("with noise"), color=_style.COLORS[1], ha="right")
    axes.text(120, 2050, _("true counts"), color=_style.GREY)
    axes.set(
        xlim=(0, _YEAR),
        ylim=(0, 7000),
        xlabel=_("number of nights"),
        ylabel=_("cumulative number of patients"),
        title=_(
            "ε = {epsilon:g}: with negative counts set to 0, the total is {ends:,.0f}",
            epsilon=epsilon,
            ends=ends[2],
        ),
    )
    axes.yaxis.set_major_formatter(lambda value, place: f"{value:,.0f}")
    return _style.describe(
        axes,
        _(
            "The curves show how many patients stayed for at most a given number of "
            "nights, summed from a histogram with one count for each number from 1 "
            "to 365, at epsilon {epsilon:g}. The curves end at these totals: true "
            "{ends:,.0f}; with noise {ends_2:,.0f}; with negative counts set to 0, "
            "{ends_3:,.0f}.",
            epsilon=epsilon,
            ends=ends[0],
            ends_2=ends[1],
            ends_3=ends[2],
        ),
    )


@_style.styled
def covering_intervals(*, epsilon: float, ax: Axes | None = None) -> Axes:
    """Draw confidence intervals for fifty hospitals, without and with a correction for the noise.

    Each simulated hospital has 3,000 patients, each depressed with probability 4.6%, and adds
    Laplace noise to its count. The random numbers are the same at each call. The intervals are
    meant to cover the expected count, 138, with probability 95%.

    Examples
    --------
    >>> from dpteach.figures import alt_text
    >>> text = alt_text(covering_intervals(epsilon=0.1))
    >>> "if they ignore the noise, 40 of 50 cover 138; if they account for it, 48." in text
    True
    """
    epsilon = _check.real("epsilon", epsilon, _EPSILON)
    axes = _style.new_axes(ax)
    noise = _noise(epsilon, sensitivity.count_sensitivity())
    rng = np.random.default_rng(13)
    counts = noise.release(rng.binomial(_PATIENTS, _DEPRESSED / _PATIENTS, size=_DRAWN), rng=rng)
    variance = np.maximum(counts * (1 - counts / _PATIENTS), 0)
    widths = _Z * np.sqrt(variance), _Z * np.sqrt(variance + _deviation(noise) ** 2)
    found = []
    for side, width in enumerate(widths):
        covers = np.abs(counts - _DEPRESSED) <= width
        found.append(int(np.count_nonzero(covers)))
        at = np.arange(_DRAWN) + side * (_DRAWN + 6)
        for mask, color, weight in ((covers, _style.GREY, 1.6), (~covers, _style.PURPLE, 2.6)):
            axes.vlines(
                at[mask], (counts - width)[mask], (counts + width)[mask], color=color, lw=weight
            )
        axes.text(
            at[0], 290, (_("noise ignored"), _("noise accounted for"))[side], color=_style.BLACK
        )
    axes.axhline(_DEPRESSED, color=_style.BLACK, lw=1.2, ls="-")
    axes.set(
        xlim=(-2, 2 * _DRAWN + 8),
        ylim=(-30, 310),
        xticks=[],
        ylabel=_("number of depressed patients"),
        xlabel=_("{DRAWN} hospitals, the same on both sides", DRAWN=_DRAWN),
        title=_(
            "ε = {epsilon:g}: {found} of {DRAWN} intervals on the left cover 138, "
            "{found_2} on the right",
            epsilon=epsilon,
            found=found[0],
            DRAWN=_DRAWN,
            found_2=found[1],
        ),
    )
    axes.grid(visible=False)
    return _style.describe(
        axes,
        _(
            "The vertical lines are two sets of 95% confidence intervals around "
            "{DRAWN} noisy counts at epsilon {epsilon:g}: if they ignore the noise, "
            "{found} of {DRAWN} cover 138; if they account for it, {found_2}.",
            DRAWN=_DRAWN,
            epsilon=epsilon,
            found=found[0],
            found_2=found[1],
        ),
    )
