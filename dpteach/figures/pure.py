"""Figures on pure differential privacy: posterior probabilities, and Laplace noise."""

from __future__ import annotations

import math

import numpy as np
from matplotlib.axes import Axes

from dpteach import _check
from dpteach._language import catalog
from dpteach.figures import _style
from dpteach.figures._shared import WITH, WITHOUT

_, _n = catalog("figures")

__all__ = ["belief", "two_laplace_laws"]

_EPSILON = _check.Domain("in (0, 10]", lambda x: 0 < x <= 10)
_BELIEF = _check.Domain("in (0, 1)", lambda x: 0 < x < 1)
_SCALE = _check.Domain("in [0.5, 100]", lambda x: 0.5 <= x <= 100)
_ANSWER = _check.Domain("in [100, 180]", lambda x: 100 <= x <= 180)


def _after(before: np.ndarray | float, epsilon: float) -> np.ndarray | float:
    """Return the probability whose odds are exp(epsilon) times the odds of ``before``."""
    return before / (before + (1 - before) * math.exp(-epsilon))


@_style.styled
def belief(*, epsilon: float, before: float, ax: Axes | None = None) -> Axes:
    """Draw how far one epsilon-DP output can raise or lower a prior probability.

    Parameters
    ----------
    epsilon : float
        The epsilon of the guarantee, in (0, 10], in nats.
    before : float
        The prior probability that is marked, in (0, 1).
    ax : Axes, optional

    Examples
    --------
    >>> from dpteach.figures import alt_text
    >>> text = alt_text(belief(epsilon=1.0986, before=0.35))
    >>> "A prior probability of 35% becomes at most 62% and at least 15%." in text
    True
    """
    epsilon = _check.real("epsilon", epsilon, _EPSILON)
    before = _check.real("before", before, _BELIEF)
    axes = _style.new_axes(ax)
    axes.figure.subplots_adjust(left=0.165, right=0.715, top=0.86, bottom=0.16)
    axes.set_aspect("equal")
    grid = np.linspace(0.0, 1.0, 201)
    high, low = _after(grid, epsilon), _after(grid, -epsilon)
    axes.fill_between(grid, low, high, color="#E4ECF4", lw=0)
    axes.plot(grid, high, **_style.line(0))
    axes.plot(grid, low, **_style.line(1))
    axes.plot(grid, grid, color=_style.GREY, lw=1.0, ls=":")
    most, least = float(_after(before, epsilon)), float(_after(before, -epsilon))
    axes.plot([before, before], [least, most], color=_style.BLACK, lw=1.2, ls="-")
    axes.plot(before, most, **_style.mark(0))
    axes.plot(before, least, **_style.mark(1))
    axes.text(1.03, 0.9, _("after a yes: {most:.0%}", most=most), color=_style.COLORS[0])
    axes.text(1.03, 0.72, _("before: {before:.0%}", before=before), color=_style.BLACK)
    axes.text(1.03, 0.54, _("after a no: {least:.0%}", least=least), color=_style.COLORS[1])
    axes.text(
        1.03,
        0.2,
        _("a yes multiplies\nthe odds by {epsilon:.3g}", epsilon=math.exp(epsilon)),
        color=_style.BLACK,
    )
    axes.set(
        xlim=(0, 1), ylim=(0, 1), xlabel=_("prior probability"), ylabel=_("posterior probability")
    )
    for axis in (axes.xaxis, axes.yaxis):
        axis.set_major_formatter(lambda value, place: f"{value:.0%}")
    _style.handle(axes, before=(before, most))
    return _style.describe(
        axes,
        _(
            "Two curves show the posterior probability as a function of the prior "
            "probability, for epsilon {epsilon:.3g}: the curve for a yes lies above "
            "the diagonal, and the curve for a no lies below it. A prior probability "
            "of {before:.0%} becomes at most {most:.0%} and at least {least:.0%}.",
            epsilon=epsilon,
            before=before,
            most=most,
            least=least,
        ),
    )


@_style.styled
def two_laplace_laws(*, scale: float, answer_at: float, ax: Axes | None = None) -> Axes:
    """Draw the densities of a noisy count whose true value is 137 or 138, with Laplace noise.

    Parameters
    ----------
    scale : float
        The scale of the noise, in [0.5, 100].
    answer_at : float
        The noisy count that is marked, in [100, 180].
    ax : Axes, optional

    Examples
    --------
    >>> from dpteach.figures import alt_text
    >>> "1.105 times as likely" in alt_text(two_laplace_laws(scale=10.0, answer_at=150.0))
    True
    """
    scale = _check.real("scale", scale, _SCALE)
    answer = _check.real("answer_at", answer_at, _ANSWER)
    axes = _style.new_axes(ax)
    grid = np.union1d(np.linspace(100.0, 180.0, 321), [WITHOUT, WITH])
    top = 1 / (2 * scale)
    for i, (count, words) in enumerate(
        ((WITH, _("138, with Ada")), (WITHOUT, _("137, without Ada")))
    ):
        density = np.exp(-np.abs(grid - count) / scale) * top
        axes.plot(grid, density, **_style.line(i), label=words)
    heights = [math.exp(-abs(answer - count) / scale) * top for count in (WITH, WITHOUT)]
    axes.plot([answer, answer], [0, max(heights)], color=_style.BLACK, lw=1.2, ls="-")
    for i, height in enumerate(heights):
        axes.plot(answer, height, **_style.mark(i))
    loss = (abs(answer - WITHOUT) - abs(answer - WITH)) / scale
    ratio = math.exp(abs(loss))
    if loss == 0:
        title = _("{answer:g} is equally likely with and without Ada", answer=answer)
        said = _(
            "A noisy count of {answer:g} is equally likely for both true counts.", answer=answer
        )
    elif loss > 0:
        title = _(
            "{answer:g} is {ratio:.3f} times as likely with Ada as without her",
            answer=answer,
            ratio=ratio,
        )
        said = _(
            "A noisy count of {answer:g} is {ratio:.3f} times as likely for a true count of 138 as "
            "for 137.",
            answer=answer,
            ratio=ratio,
        )
    else:
        title = _(
            "{answer:g} is {ratio:.3f} times as likely without Ada as with her",
            answer=answer,
            ratio=ratio,
        )
        said = _(
            "A noisy count of {answer:g} is {ratio:.3f} times as likely for a true count of 137 as "
            "for 138.",
            answer=answer,
            ratio=ratio,
        )
    axes.set(
        xlim=(100, 180),
        ylim=(0, 1.15 * top),
        yticks=[],
        xlabel=_("noisy count"),
        ylabel=_("probability density"),
        title=title,
    )
    axes.legend(title=_("true count"), loc="upper right")
    _style.handle(axes, answer_at=(answer, max(heights)))
    return _style.describe(
        axes,
        _(
            "Two curves of the same shape, each with one sharp peak, show the "
            "densities of the noisy count if the true count is 138 and if it is 137, "
            "with Laplace noise of scale {scale:g}.",
            scale=scale,
        ),
        said,
    )
