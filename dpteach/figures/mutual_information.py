"""Figures on mutual-information differential privacy: the information in an answer, in nats.

Unless a docstring says otherwise, the parameter `belief` of the functions is:

belief : float
    The prior probability that a patient smokes, in (0, 1).
"""

from __future__ import annotations

import functools
import math

import numpy as np
from matplotlib.axes import Axes
from matplotlib.patches import FancyArrowPatch, FancyBboxPatch

from dpteach import _check, channels, conversions, divergences
from dpteach._language import catalog
from dpteach.figures import _style
from dpteach.notions import MutualInformationDP, PureDP

_, _n = catalog("figures")

__all__ = [
    "information_of_a_coin",
    "order_of_information",
    "permitted_by_information",
    "search_for_capacity",
]

#: the font size, in points, of the text in a figure without axes
_LARGE = 13

_BELIEF = _check.Domain("in (0, 1)", lambda x: 0 < x < 1)
_TRUTH = _check.Domain("in [0.5, 1)", lambda x: 0.5 <= x < 1)
_SHARE = _check.Domain("in [0.01, 1)", lambda x: 0.01 <= x < 1)
_STEPS = _check.Domain("an integer from 0 to 20", lambda x: 0 <= x <= 20 and x == math.floor(x))
_EPSILON = _check.Domain("in [0.01, 5]", lambda x: 0.01 <= x <= 5)
_INFORMATION = _check.Domain("in [1e-6, 0.1]", lambda x: 1e-6 <= x <= 0.1)


@_style.styled
def information_of_a_coin(*, belief: float, truth: float, ax: Axes | None = None) -> Axes:
    """Plot the entropy of whether a patient smokes, and the information in a randomized response.

    The horizontal axis is the patient's prior probability of smoking. A third curve is the
    information in the answer together with the first coin toss, which decides whether the patient
    answers truthfully or at random.

    Parameters
    ----------
    truth : float
        The probability of a true answer, in [0.5, 1).

    Examples
    --------
    >>> from dpteach.figures import alt_text
    >>> text = alt_text(information_of_a_coin(belief=0.5, truth=0.75))
    >>> "carries 0.131 of 0.693 nats" in text
    True
    """
    belief = _check.real("belief", belief, _BELIEF)
    truth = _check.real("truth", truth, _TRUTH)
    axes = _style.new_axes(ax)
    coin = channels.binary_symmetric_channel(1 - truth)
    grid = np.linspace(0.0, 1.0, 101)
    unknown = np.array([divergences.binary_entropy(float(w)) for w in grid])
    carried = [channels.mutual_information([1 - w, w], coin) for w in grid]
    axes.plot(grid, unknown, color=_style.GREY, ls="-", lw=1.5)
    axes.plot(grid, (2 * truth - 1) * unknown, **_style.line(1))
    axes.plot(grid, carried, **_style.line(0))
    here = channels.mutual_information([1 - belief, belief], coin)
    left = divergences.binary_entropy(belief)
    axes.plot([belief, belief], [0, left], color=_style.BLACK, lw=1.2, ls="-")
    axes.plot(belief, here, **_style.mark(0), clip_on=False)
    axes.plot(belief, left, marker="o", color=_style.GREY, clip_on=False)
    heights = [math.log(2), (2 * truth - 1) * math.log(2), max(carried)]
    # move the labels apart, so that they do not overlap where the curves nearly meet
    heights[1] = min(max(heights[1], 0.16), heights[0] - 0.13)
    heights[2] = min(heights[2], heights[1] - 0.13)
    for words, height, color in zip(
        (_("entropy"), _("answer and\nfirst toss"), _("answer")),
        heights,
        (_style.GREY, _style.COLORS[1], _style.COLORS[0]),
        strict=True,
    ):
        axes.text(1.03, height, words, color=color, va="center")
    axes.figure.subplots_adjust(right=0.683)
    axes.set(
        xlim=(0, 1),
        ylim=(0, 0.74),
        xlabel=_("prior probability that Ada smokes"),
        ylabel=_("nats"),
        xticks=[0, 0.25, 0.5, 0.75, 1],
        title=_(
            "prior {belief:.0%}: the answer carries {here:.3f} of {left:.3f} nats",
            belief=belief,
            here=here,
            left=left,
        ),
    )
    axes.xaxis.set_major_formatter(lambda value, place: f"{value:.0%}")
    _style.handle(axes, belief=(belief, here))
    return _style.describe(
        axes,
        _(
            "Three curves plot nats against the prior probability that Ada smokes. "
            "The top curve is the entropy of the prior. The middle curve is what an "
            "observer learns from the answer and the first toss together, and the "
            "lowest curve is what the answer alone carries if it is true with "
            "probability {truth:g}. At a prior probability of {belief:.0%}, the "
            "answer carries {here:.3f} of {left:.3f} nats.",
            truth=truth,
            belief=belief,
            here=here,
            left=left,
        ),
    )


@functools.lru_cache(1024)
def _moves(belief: float, admit: float) -> tuple[float, float, float]:
    """Return the mutual information of a Z-channel, and a divergence for each of its two inputs.

    The input is whether a patient smokes, which has the prior probability `belief`. Patients who
    smoke say yes with probability `admit`, and all others say no. The divergence of an input is
    the KL divergence of P from Q, where P is the distribution of the output for this input, and Q
    is the distribution of the output under the prior. The divergence for nonsmokers is returned
    first. The results are cached, because many pictures use the same priors.
    """
    prior, channel = [1 - belief, belief], [[1.0, 0.0], [1 - admit, admit]]
    law = channels.output_law(prior, channel)
    other, smoker = (divergences.kl_divergence(row, law) for row in channel)
    return channels.mutual_information(prior, channel), other, smoker


@_style.styled
def search_for_capacity(
    *, belief: float, steps: int, admit: float = 0.5, ax: Axes | None = None
) -> Axes:
    """Plot the search of Blahut and Arimoto for the capacity of a Z-channel.

    Patients who do not smoke say no, and patients who smoke say yes with probability `admit`. Each
    step multiplies the prior probability of each input, smoker or nonsmoker, by e^d and
    normalizes. Here d is the KL divergence of P from Q, where P is the distribution of the output
    for this input, and Q is the distribution of the output under the prior.

    Parameters
    ----------
    belief : float
        The prior probability at which the search begins, in (0, 1).
    steps : int
        The number of steps, from 0 to 20.
    admit : float
        The probability that a patient who smokes says yes, in [0.01, 1).

    Examples
    --------
    >>> from dpteach.figures import alt_text
    >>> text = alt_text(search_for_capacity(belief=0.5, steps=0))
    >>> "0.216 nats, and the divergences are 0.144 (smokes) and 0.288 (does not)" in text
    True
    """
    belief = _check.real("belief", belief, _BELIEF)
    steps = int(_check.real("steps", steps, _STEPS))
    admit = _check.real("admit", admit, _SHARE)
    axes = _style.new_axes(ax)
    grid = np.linspace(0.005, 0.995, 100)
    carried, other, smoker = np.array([_moves(float(w), admit) for w in grid]).T
    axes.plot(grid, smoker, **_style.line(2))
    axes.plot(grid, other, **_style.line(4))
    axes.plot(grid, carried, color=_style.PURPLE, ls="-")
    walk = [belief]
    for _other in range(steps):
        _mean, far, near = _moves(walk[-1], admit)
        odds = walk[-1] / (1 - walk[-1]) * math.exp(near - far)
        walk.append(odds / (1 + odds))
    heights = [_moves(w, admit)[0] for w in walk]
    axes.plot(walk, heights, color=_style.PURPLE, ls=":", marker="o", ms=4, lw=0.8)
    now, d_other, d_smoker = _moves(walk[-1], admit)
    axes.plot([walk[-1]] * 2, [now, max(d_other, d_smoker)], color="#BBBBBB", ls="-", lw=5)
    axes.plot(walk[-1], d_smoker, **_style.mark(2))
    axes.plot(walk[-1], d_other, **_style.mark(4))
    axes.plot(walk[-1], now, marker="o", color=_style.PURPLE)
    top = 0.7
    axes.text(0.03, 0.66, _("smokes"), color=_style.GREEN)
    axes.text(0.84, 0.6, _("does not smoke"), color=_style.BLACK, ha="right")
    axes.text(0.02, 0.16, _("mean"), color=_style.PURPLE)
    axes.set(
        xlim=(0, 1),
        ylim=(0, top),
        xlabel=_("prior probability that Ada smokes"),
        ylabel=_("nats"),
        title=_(
            "prior {walk:.1%}: capacity from {now:.4f} to {d_other:.4f}",
            walk=walk[-1],
            now=now,
            d_other=max(d_other, d_smoker),
        ),
    )
    axes.xaxis.set_major_formatter(lambda value, place: f"{value:.0%}")
    _style.handle(axes, belief=(belief, heights[0]))
    return _style.describe(
        axes,
        _(
            "Three curves plot nats against the prior probability that Ada smokes. "
            "The divergence from the mixture falls for the row of patients who smoke "
            "and rises for the row of patients who do not. Their mean, the mutual "
            "information, first rises and then falls. After {moves} from "
            "{belief:.0%}, the prior probability is {walk:.1%}. The mutual "
            "information is {now:.3f} nats, and the divergences are {d_smoker:.3f} "
            "(smokes) and {d_other:.3f} (does not).",
            moves=_n("{count} step", "{count} steps", steps),
            belief=belief,
            walk=walk[-1],
            now=now,
            d_smoker=d_smoker,
            d_other=d_other,
        ),
    )


def _box(axes: Axes, x: float, y: float, words: str) -> FancyBboxPatch:
    box = FancyBboxPatch(
        (x - 0.27, y - 0.06), 0.54, 0.12, boxstyle="round,pad=0.01", fc="white", ec=_style.GREY
    )
    axes.add_patch(box)
    axes.text(x, y, words, ha="center", va="center", fontsize=_LARGE)
    return box


@_style.styled
def order_of_information(*, epsilon: float = 1.0, ax: Axes | None = None) -> Axes:
    """Draw which of pure DP, mutual-information DP and approximate DP imply each other.

    Solid arrows show implications with the best parameters. Dashed arrows show the converse
    implications, and their labels say when these hold or why they fail.

    Parameters
    ----------
    epsilon : float
        The parameter of pure DP, in [0.01, 5], for replace-one neighbors.

    Examples
    --------
    >>> from dpteach.figures import alt_text
    >>> text = alt_text(order_of_information())
    >>> "1-DP implies 0.123-MI-DP, which implies (0, 0.486)-DP" in text
    True
    """
    epsilon = _check.real("epsilon", epsilon, _EPSILON)
    axes = _style.new_axes(ax)
    axes.figure.subplots_adjust(left=0.02, right=0.98, bottom=0.03, top=0.97)
    nats = channels.pure_capacity(epsilon)
    delta = conversions.mutual_information_to_total_variation(nats)
    names = (f"{epsilon:g}-DP", f"{nats:.3f}-MI-DP", _("(0, {delta:.3f})-DP", delta=delta))
    heights = (0.9, 0.5, 0.1)
    boxes = [
        _box(axes, 0.5, y, f"{kind}: {name}")
        for y, kind, name in zip(
            heights, (_("each output"), _("on average"), _("sets of outputs")), names, strict=True
        )
    ]
    for upper, lower in ((0, 1), (1, 2)):
        for x, ends, look, color in (
            (0.45, (upper, lower), "-", _style.BLACK),
            (0.55, (lower, upper), "--", _style.GREY),
        ):
            axes.add_patch(
                FancyArrowPatch(
                    (x, heights[ends[0]]),
                    (x, heights[ends[1]]),
                    patchA=boxes[ends[0]],
                    patchB=boxes[ends[1]],
                    arrowstyle="-|>",
                    mutation_scale=16,
                    ls=look,
                    color=color,
                    lw=1.5,
                )
            )
    for y, there, back in (
        (0.7, _("for small ε,\nabout ε²/8 nats"), _("never: a rare output\nmay prove a secret")),
        (0.3, _("δ is at most\n√(2 · nats)"), _("only for few values\nor few outputs")),
    ):
        axes.text(0.42, y, there, color=_style.BLACK, ha="right", va="center", fontsize=_LARGE)
        axes.text(0.58, y, back, color=_style.GREY, ha="left", va="center", fontsize=_LARGE)
    axes.set(xlim=(0, 1), ylim=(0, 1))
    axes.set_axis_off()
    return _style.describe(
        axes,
        _(
            "Three boxes are stacked vertically. {names} implies {names_2}, which "
            "implies {names_3}. MI-DP never implies pure DP, because a rare output "
            "may prove a secret. (0, δ)-DP implies a bound in nats only if there are "
            "few values or few outputs.",
            names=names[0],
            names_2=names[1],
            names_3=names[2],
        ),
    )


def _plain(number: float) -> str:
    """Return a number below 1 as text, with two significant digits and without an exponent."""
    return f"{number:.{1 - math.floor(math.log10(number))}f}".rstrip("0")


@functools.lru_cache(32)
def _permitted(information: float) -> tuple[tuple[float, ...], tuple[float, ...], float]:
    """Return some epsilons, the smallest delta at each, and the smallest delta at epsilon = inf.

    The deltas hold for all mechanisms of the level `information` of mutual-information DP. The
    results are cached, because the computation takes a second and each picture is drawn repeatedly.
    """
    claim = MutualInformationDP(information)
    # take denser points near 0, where the curve is steep
    levels = 2 * np.linspace(0.0, 1.0, 41) ** 2
    permitted = tuple(claim.delta_at(float(e)) for e in levels)
    return tuple(levels.tolist()), permitted, claim.delta_at(math.inf)


@_style.styled
def permitted_by_information(*, information: float, ax: Axes | None = None) -> Axes:
    """Plot delta as a function of epsilon, as it follows from a level of mutual-information DP.

    Two more curves show delta as a function of epsilon for mechanisms of exactly this level: for
    randomized response, and for the Z-channel, which sometimes answers "yes" for one input, and
    always "no" for the other.

    Parameters
    ----------
    information : float
        The level in nats, in [1e-6, 0.1].

    Examples
    --------
    >>> from dpteach.figures import alt_text
    >>> text = alt_text(permitted_by_information(information=0.01))
    >>> "0.14 at epsilon 0" in text and "0.027 at epsilon 2" in text
    True
    """
    information = _check.real("information", information, _INFORMATION)
    axes = _style.new_axes(ax)
    levels, permitted, shown = _permitted(information)
    flip = divergences.binary_entropy_inverse(math.log(2) - information)
    coin = PureDP(math.log((1 - flip) / flip))
    # take denser points near `coin.epsilon`, where the curve of randomized response is steep
    inside = coin.epsilon * (1 - np.geomspace(1.0, 1e-7, 57))
    tossed = [
        divergences.hockey_stick([1 - flip, flip], [flip, 1 - flip], float(e)) for e in inside
    ]
    floor, top = 1e-6, 1.0
    axes.axhline(1 / 3000, color=_style.GREY, lw=1, ls=":")
    above = shown > 1 / 3000
    for place, words, color, side in (
        (1 / 3000, _("1 in 3,000"), _style.GREY, not above),
        (shown, "Z-channel", _style.PURPLE, above),
    ):
        axes.text(
            1.98,
            place * (1.25 if side else 0.8),
            words,
            color=color,
            ha="right",
            va="bottom" if side else "top",
        )
    axes.text(0.06, permitted[0] * 1.15, _("smallest δ for this level"), va="bottom")
    axes.text(coin.epsilon + 0.04, 3e-6, _("randomized\nresponse"), color=_style.COLORS[0])
    axes.plot(levels, permitted, color=_style.BLACK, ls="-", lw=3.2, alpha=0.35)
    axes.plot(levels, [shown] * len(levels), color=_style.PURPLE, ls="--")
    axes.plot(inside, np.maximum(tossed, floor / 10), **_style.line(0))
    axes.plot(0, permitted[0], marker="o", color=_style.BLACK, clip_on=False)
    words = _plain(information)
    axes.set(
        yscale="log",
        xlim=(0, 2),
        ylim=(floor, top),
        xlabel="ε",
        ylabel="δ",
        title=_(
            "level {words} nats: δ = {permitted} at ε = 0, {permitted_2} at ε = 2",
            words=words,
            permitted=_plain(permitted[0]),
            permitted_2=_plain(permitted[-1]),
        ),
    )
    axes.minorticks_off()
    _style.handle(axes, information=(0, permitted[0]))
    return _style.describe(
        axes,
        _(
            "Three curves plot delta on a logarithmic axis against epsilon, for a "
            "level of {words} nats. The delta of every mechanism of this level lies "
            "on or below a curve that falls from {permitted} at epsilon 0 to "
            "{permitted_2} at epsilon 2. The delta of randomized response with this "
            "level begins at the same value and falls to 0 at epsilon {epsilon:.3f}. "
            "The delta of the Z-channel is {shown} for every epsilon.",
            words=words,
            permitted=_plain(permitted[0]),
            permitted_2=_plain(permitted[-1]),
            epsilon=coin.epsilon,
            shown=_plain(shown),
        ),
    )
