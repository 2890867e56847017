"""Figures on the errors of noisy answers: cut values, samples, histograms and intervals.

Their parameters, where they say no more:

epsilon : float
    Of each answer with Laplace noise, in [0.01, 2], in nats.
"""

from __future__ import annotations

import math

import numpy as np
from matplotlib.axes import Axes
from numpy.typing import NDArray

from dpteach import _check, hospital, sensitivity
from dpteach.calibration import calibrate
from dpteach.figures import _style
from dpteach.mechanisms import Laplace
from dpteach.notions import PureDP

__all__ = ["covering_intervals", "cut_and_noise", "nights_added_up", "sampling_and_noise"]

Vector = NDArray[np.float64]

_EPSILON = _check.Domain("in [0.01, 2]", lambda x: 0.01 <= x <= 2)
_CUT = _check.Domain("in [10, 365]", lambda x: 10 <= x <= 365)
_SHARE = _check.Domain("in [0.01, 0.5]", lambda x: 0.01 <= x <= 0.5)

#: nobody stays longer in one year
_YEAR = 365
#: how many intervals are drawn, and whose question they answer: the patients with a depression
_DRAWN = 50
_PATIENTS, _DEPRESSED = 3000, 138
#: of a standard normal variable, half of the missing 5 % beyond it
_Z = 1.959964


def _noise(epsilon: float, change: float) -> Laplace:
    return calibrate(Laplace, PureDP(epsilon), sensitivity=change)


def _deviation(noise: Laplace) -> float:
    return math.sqrt(2) * noise.scale


@_style.styled
def cut_and_noise(*, cut: float, epsilon: float, ax: Axes | None = None) -> Axes:
    """The error of the mean number of nights, if stays are cut at a bound: bias and noise.

    The noise is that of the sum of the cut stays, which one patient changes by the cut at most,
    over the number of patients, which is public.

    Parameters
    ----------
    cut : float
        The bound that is marked, in [10, 365] nights.

    Examples
    --------
    >>> from dpteach.figures import alt_text
    >>> text = alt_text(cut_and_noise(cut=30.0, epsilon=0.1))
    >>> "Cut at 30 nights the bias is 0.37, the noise 0.14, both together 0.39." in text
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
    axes.text(10.2, sampling + 0.03, "sampling error", color=_style.GREY)
    axes.text(12.5, 0.9, "bias", color=_style.COLORS[3], ha="right")
    below = max(0.02, _deviation(_noise(epsilon, 290)) / len(nights) - 0.3)
    axes.text(325, below, "noise", color=_style.COLORS[1], ha="right")
    axes.text(16.5, 1.5, "both together", color=_style.BLACK)
    here_bias, here_noise = errors(cut)
    total = math.hypot(here_bias, here_noise)
    axes.plot([cut, cut], [0, total], color=_style.BLACK, lw=1.0, ls=":")
    axes.plot(cut, total, color=_style.BLACK, marker="o", ls="none")
    axes.set(
        xscale="log",
        xlim=(10, _YEAR),
        ylim=(0, 2.4),
        xlabel="longest stay that counts in full, nights",
        ylabel="error of the mean, nights",
        title=f"cut at {cut:g}: bias {here_bias:.2f}, noise {here_noise:.2f}, "
        f"together {total:.2f}; ε = {epsilon:g}",
    )
    _style.ticks(axes.xaxis, [10, 20, 50, 100, 200, 365])
    _style.handle(axes, cut=(cut, total))
    return _style.describe(
        axes,
        f"Errors of the mean number of nights against the bound at which stays are cut, at epsilon "
        f"{epsilon:g}. The bias falls and the noise rises with the bound. Cut at {cut:g} nights "
        f"the bias is {here_bias:.2f}, the noise {here_noise:.2f}, both together {total:.2f}. The "
        f"sampling error is {sampling:.2f}.",
    )


@_style.styled
def sampling_and_noise(*, epsilon: float, share: float = 0.35, ax: Axes | None = None) -> Axes:
    """Standard errors of a share that is estimated from n people: sampling, and Laplace noise.

    Parameters
    ----------
    share : float
        Of the people who have what is asked for, in [0.01, 0.5].

    Examples
    --------
    >>> from dpteach.figures import alt_text
    >>> "From 880 people on the noise is the smaller." in alt_text(sampling_and_noise(epsilon=0.1))
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
    axes.text(11, 5.4, "sampling", color=_style.GREY, va="top")
    # left of where the line leaves the frame, at its bottom or at its right
    at = min(100 * deviation / 0.012, 60_000)
    axes.text(at, 60 * deviation / at, "noise ", color=_style.COLORS[1], ha="right", va="bottom")
    at = min(1.2 * meet, 12_000)
    above = 115 * math.hypot(spread / math.sqrt(at), deviation / at)
    axes.text(at, above, "both together", color=_style.BLACK, va="bottom")
    first = math.floor(meet) + 1
    axes.set(
        xscale="log",
        yscale="log",
        xlim=(10, 100_000),
        ylim=(0.005, 100),
        xlabel="people",
        ylabel="standard error, percentage points",
        title=f"ε = {epsilon:g}: from {first:,} people on the noise is the smaller",
    )
    _style.ticks(axes.yaxis, [0.01, 0.1, 1, 10, 100])
    axes.xaxis.set_major_formatter(lambda value, _: f"{value:,.0f}" if value < 1e5 else "")
    _style.handle(axes, epsilon=(meet, height))
    return _style.describe(
        axes,
        f"Standard errors of a share of {100 * share:g} % against the number of people, on "
        f"logarithmic axes: that of sampling falls like one over the square root, that of the "
        f"noise at epsilon {epsilon:g} like one over the number. From {first:,} people on the "
        f"noise is the smaller.",
    )


@_style.styled
def nights_added_up(*, epsilon: float, ax: Axes | None = None) -> Axes:
    """How many patients stayed up to so many nights, added up from three histograms.

    One counts the patients with each number of nights, from 1 to 365. One has Laplace noise on
    each of the counts, and in the third each count below 0 has been made 0. The noise is the same
    at each call.

    Examples
    --------
    >>> from dpteach.figures import alt_text
    >>> text = alt_text(nights_added_up(epsilon=0.1))
    >>> "with noise 2,865; with negative counts made 0, 4,437." in text
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
    axes.text(_YEAR, ends[2] + 200, "negative counts made 0", color=_style.COLORS[3], ha="right")
    axes.text(_YEAR, 2050, "with noise", color=_style.COLORS[1], ha="right")
    axes.text(120, 2050, "true", color=_style.GREY)
    axes.set(
        xlim=(0, _YEAR),
        ylim=(0, 7000),
        xlabel="nights",
        ylabel="patients who stayed up to so long",
        title=f"ε = {epsilon:g}: of 3,000 patients the histogram makes {ends[2]:,.0f}",
    )
    axes.yaxis.set_major_formatter(lambda value, _: f"{value:,.0f}")
    return _style.describe(
        axes,
        f"Patients who stayed up to so many nights, added up from a histogram with one count for "
        f"each of 365 numbers of nights, at epsilon {epsilon:g}. At the end: true {ends[0]:,.0f}; "
        f"with noise {ends[1]:,.0f}; with negative counts made 0, {ends[2]:,.0f}.",
    )


@_style.styled
def covering_intervals(*, epsilon: float, ax: Axes | None = None) -> Axes:
    """Fifty hospitals, each with an interval around its noisy count: without the noise and with it.

    Each has 3,000 patients, drawn with a probability of 4.6 % of a depression, and adds Laplace
    noise to the count. What is drawn is the same at each call. Intervals are to cover the 138 that
    are expected 19 times in 20.

    Examples
    --------
    >>> from dpteach.figures import alt_text
    >>> text = alt_text(covering_intervals(epsilon=0.1))
    >>> "without the noise 40 of 50 cover 138, with it 48." in text
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
        axes.text(at[0], 290, ("without the noise", "with the noise")[side], color=_style.BLACK)
    axes.axhline(_DEPRESSED, color=_style.BLACK, lw=1.2, ls="-")
    axes.set(
        xlim=(-2, 2 * _DRAWN + 8),
        ylim=(-30, 310),
        xticks=[],
        ylabel="depressed patients",
        xlabel=f"the same {_DRAWN} hospitals on either side",
        title=f"ε = {epsilon:g}: {found[0]} of {_DRAWN} intervals cover 138 on the left, "
        f"{found[1]} on the right",
    )
    axes.grid(visible=False)
    return _style.describe(
        axes,
        f"Intervals around {_DRAWN} noisy counts at epsilon {epsilon:g}, twice: without the noise "
        f"{found[0]} of {_DRAWN} cover 138, with it {found[1]}.",
    )
