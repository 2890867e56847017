"""Figures on faulty implementations: outputs that reveal the true count, and audits of epsilon."""

from __future__ import annotations

import functools
import math
from collections import Counter

import numpy as np
from matplotlib.axes import Axes
from numpy.typing import NDArray

from dpteach import _check
from dpteach._language import catalog
from dpteach.attacks import is_possible_laplace
from dpteach.audit.intervals import least, most
from dpteach.figures import _style
from dpteach.mechanisms import Laplace
from dpteach.notions import PureDP

_, _n = catalog("figures")

__all__ = ["lower_bounds_of_two_desks", "reachable_floats", "toy_answers"]

Vector = NDArray[np.float64]

_PLACE = _check.Domain("in [0.1, 300]", lambda x: 0.1 <= x <= 300)
_SCALE = _check.Domain("in [0.1, 1000]", lambda x: 0.1 <= x <= 1000)
_WRONG = _check.Domain("in [0.5, 0.98]", lambda x: 0.5 <= x <= 0.98)

#: the colors of outputs for a true count of 0 and of 1, the same in all figures of this module
_ZERO, _ONE = _style.BLUE, _style.VERMILLION
_FLOATS = 64


@_style.styled
def reachable_floats(*, place: float, scale: float = 10.0, ax: Axes | None = None) -> Axes:
    """Draw 64 consecutive floats, and mark the possible outputs for a true count of 0 and of 1.

    An output is the true count plus numpy's Laplace noise. Because of rounding, some floats are
    possible outputs for only one of the two counts. Such an output reveals the true count.

    Parameters
    ----------
    place : float
        The first of the floats, in [0.1, 300].
    scale : float
        The scale of the noise, in [0.1, 1000].

    Examples
    --------
    >>> from dpteach.figures import alt_text
    >>> text = alt_text(reachable_floats(place=12.0))
    >>> "15 for a true count of 0, 18 for a count of 1, and 4 for both" in text
    True
    """
    place = _check.real("place", place, _PLACE)
    scale = _check.real("scale", scale, _SCALE)
    axes = _style.new_axes(ax)
    axes.figure.subplots_adjust(left=0.03, right=0.96, top=0.87, bottom=0.03)
    floats = place + np.arange(_FLOATS) * math.ulp(place)
    zero, one = (is_possible_laplace(floats, value, scale) for value in (0.0, 1.0))
    both = zero & one
    x = np.arange(_FLOATS)
    axes.plot(x, np.zeros(_FLOATS), ls="none", marker="|", ms=7, color="#B5B5B5")
    for can, side, color in ((zero, 1, _ZERO), (one, -1, _ONE)):
        axes.vlines(x[can & ~both], 0.12 * side, side, color=color, lw=3)
        axes.vlines(x[both], 0.12 * side, side, color=_style.GREY, lw=1.2)
        axes.plot(
            x[can & ~both], np.full(int((can & ~both).sum()), side), "o" if side > 0 else "s",
            color=color, ms=5,
        )  # fmt: skip
    counts = int(zero.sum()), int(one.sum()), int(both.sum())
    axes.text(
        0,
        1.32,
        _("possible if the count is 0: {counts}", counts=counts[0]),
        color=_ZERO,
        va="center",
    )
    axes.text(
        0,
        -1.34,
        _("possible if the count is 1: {counts}", counts=counts[1]),
        color=_ONE,
        va="center",
    )
    axes.text(
        _FLOATS - 1,
        1.32,
        _("possible for both (thin): {counts}", counts=counts[2]),
        color=_style.GREY,
        va="center",
        ha="right",
    )
    axes.text(_FLOATS - 1, -1.34, _("gray marks: the 64 floats"), color=_style.GREY,
              va="center", ha="right")  # fmt: skip
    axes.set(xlim=(-1.5, _FLOATS + 0.5), ylim=(-1.65, 1.65))
    axes.set_xticks([])
    axes.set_yticks([])
    axes.grid(visible=False)
    for spine in axes.spines.values():
        spine.set_visible(False)
    step = math.frexp(math.ulp(place))[1] - 1
    axes.set_title(
        _(
            "64 consecutive floats starting at {place:g}, spaced $2^{{{step}}}$ apart",
            place=place,
            step=step,
        )
    )
    return _style.describe(
        axes,
        _(
            "The figure shows the 64 floats starting at {place:g}, spaced 2 to the "
            "{step} apart. With Laplace noise of scale {scale:g}, the number of "
            "possible outputs among them is {counts} for a true count of 0, "
            "{counts_2} for a count of 1, and {counts_3} for both. An output that is "
            "possible for only one of the two counts reveals the count.",
            place=place,
            step=step,
            scale=scale,
            counts=counts[0],
            counts_2=counts[1],
            counts_3=counts[2],
        ),
    )


@functools.lru_cache(maxsize=32)
def toy_law(bits: int) -> dict[int, int]:
    """Count how many of the 2^(bits + 1) equally likely draws of a toy sampler give each noise.

    The keys of the result are the noise in tenths. The noise has the absolute value -log u,
    rounded to tenths, for a uniform number u = i/2^bits with i from 1 to 2^bits, and a coin
    chooses its sign.
    """
    law: Counter[int] = Counter()
    for i in range(1, 2**bits + 1):
        size = round(-10 * math.log(i / 2**bits))
        law[size] += 1
        law[-size] += 1
    return dict(law)


@_style.styled
def toy_answers(*, bits: int, ax: Axes | None = None) -> Axes:
    """Draw the probabilities of a toy sampler's outputs for a true count of 0 and of 1.

    The sampler adds the noise -log u, with a random sign and rounded to a tenth, where u is a
    uniform number of a few bits. Outputs that are possible for only one of the two counts are in
    color, and the others in gray.

    Parameters
    ----------
    bits : int
        The number of bits of u, from 2 to 12.

    Examples
    --------
    >>> from dpteach.figures import alt_text
    >>> "50% of the outputs for 1 are impossible for 0" in alt_text(toy_answers(bits=4))
    True
    """
    bits = _check.count("bits", bits, minimum=2)
    if bits > 12:
        raise ValueError(f"bits must be at most 12, got bits={bits}")
    axes = _style.new_axes(ax)
    axes.figure.subplots_adjust(left=0.03, right=0.96, top=0.88)
    zero = toy_law(bits)
    one = {k + 10: count for k, count in zero.items()}
    draws = 2 ** (bits + 1)
    telling = {}
    for law, other, side, color, name in ((zero, one, 1, _ZERO, "0"), (one, zero, -1, _ONE, "1")):
        for only in (False, True):
            at = np.array([k for k in law if (k not in other) == only and -45 <= k <= 55])
            # the line of an output is as long as the square root of its probability, so that rare
            # outputs stay visible
            long = side * np.sqrt([law[k] / draws for k in at])
            width, shade = (3.0, color) if only else (2.0, "#C0C0C0")
            # draw all lines as one path, because one path per line would make the SVG file larger
            ends = np.column_stack([np.zeros_like(long), long, np.full_like(long, np.nan)])
            axes.plot(
                np.repeat(at / 10, 3), ends.ravel(),
                color=shade, lw=width, ls="-", marker="", solid_capstyle="butt",
            )  # fmt: skip
        telling[name] = sum(count for k, count in law.items() if k not in other) / draws
        axes.text(
            -4.4,
            0.5 * side,
            _("count {name}: {share} prove it", name=name, share=_percent(telling[name])),
            color=color, va="center",
        )  # fmt: skip
    axes.text(5.5, 0.5, _("gray: possible for both"), color=_style.GREY, va="center", ha="right")
    axes.axhline(0, color="#444444", lw=0.8, ls="-")
    axes.set(xlim=(-4.5, 5.6), ylim=(-0.58, 0.58), xlabel=_("output, in steps of a tenth"))
    axes.set_xticks(range(-4, 6))
    axes.set_yticks([])
    axes.grid(axis="y", visible=False)
    axes.spines["left"].set_visible(False)
    axes.set_title(
        _("{bits} bits: {bits_2} uniform numbers, noise of scale 1", bits=bits, bits_2=2**bits)
    )
    return _style.describe(
        axes,
        _(
            "The figure shows the outputs of a toy sampler with {bits} bits and "
            "scale 1. Lines for a true count of 0 point upward, and lines for a "
            "count of 1 point downward. {telling} of the outputs for 1 are "
            "impossible for 0.",
            bits=bits,
            telling=_percent(telling["1"]),
        ),
    )


def _percent(share: float) -> str:
    return f"{100 * share:.2g}%"


#: for simulated audits: the numbers of runs on each of two datasets, the number of audits for each
#: number of runs, and the error probability of each of an audit's two confidence bounds
_RUNS = np.unique(np.geomspace(100, 1e6, 61).round().astype(np.int64))
_AUDITS = 500
_ERROR = 0.025


@functools.lru_cache(maxsize=64)
def _bounds(scale: float) -> tuple[Vector, Vector, Vector]:
    """Return the 5%, 50% and 95% quantiles of audits' lower bounds on epsilon, by number of runs.

    The audited mechanism adds Laplace noise of the given scale to one of two true counts that
    differ by 1. An audit counts how often the output is at least the higher count.
    """
    rng = np.random.default_rng(17)
    p, q = 0.5, 0.5 * math.exp(-1 / scale)
    found = []
    for n in _RUNS:
        low, high = (
            limit(counts.astype(np.float64), int(n), _ERROR)[which]
            for limit, rate in ((least, p), (most, q))
            for counts, which in [np.unique(rng.binomial(n, rate, _AUDITS), return_inverse=True)]
        )
        bounds = np.maximum(0.0, np.log(np.maximum(low, 1e-300) / high))
        found.append(np.quantile(bounds, (0.05, 0.5, 0.95)))
    low_end, middle, high_end = np.array(found).T
    return low_end, middle, high_end


@_style.styled
def lower_bounds_of_two_desks(*, scale: float, ax: Axes | None = None) -> Axes:
    """Draw the lower bounds on epsilon, with 95% confidence, from audits of two query services.

    Both query services claim epsilon 1 for a count. The correct service adds Laplace noise of
    scale 1, and the faulty service noise of a smaller scale. An audit runs a service on two true
    counts that differ by 1, and computes how often the output is at least the higher true count.
    Each band contains the bounds of nine in ten audits, out of 500 audits for each number of runs.

    Parameters
    ----------
    scale : float
        The scale of the faulty service's noise, in [0.5, 0.98].

    Examples
    --------
    >>> from dpteach.figures import alt_text
    >>> text = alt_text(lower_bounds_of_two_desks(scale=0.5))
    >>> "above 1 in 19 of 20 audits with 180 or more runs" in text
    True
    """
    scale = _check.real("scale", scale, _WRONG)
    axes = _style.new_axes(ax)
    axes.figure.subplots_adjust(left=0.132, right=0.71)
    runs: Vector = _RUNS.astype(np.float64)
    wrong, right = _bounds(scale), _bounds(1.0)
    for band, color, dashes in ((right, _ZERO, "-"), (wrong, _ONE, "--")):
        axes.fill_between(runs, band[0], band[2], color=color, alpha=0.16, lw=0)
        axes.plot(runs, band[1], color=color, ls=dashes)
    truth = Laplace(scale=scale).guarantee(PureDP).epsilon
    axes.axhline(1, color=_style.BLACK, lw=1.2, ls=":")
    # place the labels right of the axes, with room for the draggable point at the edge
    end = 1.4 * runs[-1]
    for y, name, color in (
        (truth + 0.12, _("faulty service,\ntrue ε {truth:.2f}", truth=truth), _ONE),
        (0.88, _("claim"), _style.BLACK),
        (0.72, _("correct service"), _ZERO),
    ):
        axes.text(end, y, name, color=color, va="center" if y < 1 else "bottom")
    refuted = _from(wrong[0] > 1)
    axes.set(
        xscale="log",
        xlim=(100, 1e6),
        ylim=(0, 2.4),
        xlabel=_("runs on each of the two tables"),
        ylabel=_("lower bound on ε"),
        title=_(
            "scale {scale:g} instead of 1: refuted by {runs:,} or more runs",
            scale=scale,
            runs=_round(refuted),
        )
        if refuted
        else _("scale {scale:g} instead of 1: refuted by more than 1,000,000 runs", scale=scale),
    )
    _style.ticks(axes.xaxis, [100, 1000, 10_000, 100_000, 1_000_000])
    axes.xaxis.set_major_formatter(lambda value, place: f"{value:,.0f}")
    _style.handle(axes, scale=(1e6, truth))
    when = (
        _("above 1 in 19 of 20 audits with {refuted} or more runs", refuted=_round(refuted))
        if refuted
        else _("not above 1 in 19 of 20 audits with a million runs")
    )
    return _style.describe(
        axes,
        _(
            "Lower bounds on epsilon with 95% confidence are plotted against the "
            "number of runs on each of two tables. Two services claim epsilon 1. The "
            "bound for the faulty one, with noise of scale {scale:g} and true "
            "epsilon {truth:.3g}, is {when}. The bound for the correct one stays "
            "below 1: its median is {right:.2g} with 100 runs and {right_2:.3g} with "
            "a million.",
            scale=scale,
            truth=truth,
            when=when,
            right=right[1][0],
            right_2=right[1][-1],
        ),
    )


def _from(holds: NDArray[np.bool_]) -> int:
    """Return the least number of runs in `_RUNS` from which on `holds` is True, or 0 without one.

    `holds` has one truth value for each number in `_RUNS`.
    """
    failing = np.flatnonzero(~holds)
    if failing.size == 0:
        return int(_RUNS[0])
    return int(_RUNS[failing[-1] + 1]) if failing[-1] + 1 < len(_RUNS) else 0


def _round(n: int) -> int:
    """Round a number to two significant digits."""
    unit = 10 ** (len(str(n)) - 2)
    return int(round(n / unit) * unit)
