"""Figures on the choice of a privacy notion: required noise, attackers' success, implications."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable

import numpy as np
from matplotlib.axes import Axes
from matplotlib.patches import FancyArrowPatch, FancyBboxPatch, Rectangle
from numpy.typing import NDArray
from scipy.special import ndtr, ndtri

from dpteach import _check, conversions
from dpteach._language import N_, catalog
from dpteach.calibration import calibrate
from dpteach.conversions import convert
from dpteach.figures import _style
from dpteach.mechanisms import Gaussian, Laplace
from dpteach.notions import (
    FDP,
    PLD,
    ZCDP,
    AlphaDP,
    ApproxDP,
    GaussianDP,
    Guarantee,
    MutualInformationDP,
    ProbabilisticDP,
    PureDP,
    RenyiDP,
)

_, _n = catalog("figures")

__all__ = ["follows_from", "noise_of_routes", "room_for_epsilon", "same_number"]

Vector = NDArray[np.float64]

_EPSILON = _check.Domain("in [0.1, 5]", lambda x: 0.1 <= x <= 5)
_DELTA = _check.Domain("in [1e-30, 0.01]", lambda x: 1e-30 <= x <= 0.01)
_VALUE = _check.Domain("in [0.001, 5]", lambda x: 0.001 <= x <= 5)
_ERROR = _check.Domain("in [2, 60]", lambda x: 2 <= x <= 60)
_HIT = _check.Domain("in [0.52, 0.9]", lambda x: 0.52 <= x <= 0.9)

#: the only numbers k of counts for which Laplace noise is calibrated by its exact privacy loss
#: distribution, because each of these calibrations takes long
_SEARCHED = (20, 50, 200, 1000)


@functools.lru_cache(maxsize=32)
def _laplace_by_law(epsilon: float, delta: float) -> tuple[float, ...]:
    """Return the least standard deviation of Laplace noise on k counts, for each k in `_SEARCHED`.

    With this noise, all k counts together satisfy (epsilon, delta)-DP.
    """
    target = ApproxDP(epsilon, delta)
    return tuple(math.sqrt(2) * calibrate(Laplace, target, k=k).scale for k in _SEARCHED)


@_style.styled
def noise_of_routes(*, delta: float, epsilon: float = 1.0, ax: Axes | None = None) -> Axes:
    """Plot the noise that each of k counts needs if one person contributes to all of them.

    The figure shows the standard deviation in three cases. For Laplace noise with basic
    composition, no delta is needed. For Laplace noise that is calibrated by its exact privacy loss
    distribution, a few numbers k are shown. For Gaussian noise, the smallest valid standard
    deviation is shown.

    Parameters
    ----------
    delta : float
        The total delta of all counts, in [1e-30, 0.01].
    epsilon : float
        The total epsilon of all counts, in [0.1, 5].

    Examples
    --------
    >>> from dpteach.figures import alt_text
    >>> "Laplace noise is better for up to 15 counts" in alt_text(noise_of_routes(delta=1e-9))
    True
    """
    delta = _check.real("delta", delta, _DELTA)
    epsilon = _check.real("epsilon", epsilon, _EPSILON)
    axes = _style.new_axes(ax)
    axes.figure.subplots_adjust(left=0.145, right=0.604)
    k: Vector = np.geomspace(1, 1000, 61)
    one = calibrate(Gaussian, ApproxDP(epsilon, delta)).sigma
    adding: Vector = math.sqrt(2) * k / epsilon
    normal: Vector = np.sqrt(k) * one
    law = _laplace_by_law(epsilon, delta)
    axes.plot(k, adding, **_style.line(1))
    axes.plot(_SEARCHED, law, **_style.mark(2), clip_on=False)
    axes.plot(k, normal, **_style.line(0))
    for at, name in ((12, _("hospital")), (150, _("bank"))):
        axes.axvline(at, color=_style.GREY, lw=1, ls=":")
        axes.text(1.08 * at, 1.15 / epsilon, name, color=_style.GREY)
    crossing = (epsilon * one) ** 2 / 2
    last = math.ceil(crossing) - 1
    height = math.sqrt(2) * crossing / epsilon
    axes.plot([crossing], [height], color=_style.BLACK, marker="o", ls="none")
    for name, y, color in (
        (_("Laplace, basic comp.\n(needs no δ)"), adding[-1], _style.VERMILLION),
        (_("Laplace, exact"), 1.15 * law[-1], _style.GREEN),
        (_("Gaussian noise"), 0.83 * normal[-1], _style.BLUE),
    ):
        axes.text(1120, y, name, color=color, va="center")
    axes.set(
        xscale="log",
        yscale="log",
        xlim=(1, 1000),
        ylim=(1 / epsilon, 2500 / epsilon),
        xlabel=_("number of counts that one person contributes to"),
        ylabel=_("standard deviation per count"),
        title=_(
            "ε = {epsilon:g}, δ = {delta:g}: Laplace is better for up to {last} counts",
            epsilon=epsilon,
            delta=delta,
            last=last,
        ),
    )
    _style.ticks(axes.xaxis, [1, 10, 100, 1000])
    axes.yaxis.set_major_formatter(lambda value, place: f"{value:g}")
    _style.handle(axes, delta=(crossing, height))
    return _style.describe(
        axes,
        _(
            "The figure shows the standard deviation of the noise in each count "
            "against the number of counts, on logarithmic axes, for a total epsilon "
            "of {epsilon:g} and a total delta of {delta:g}. Laplace noise is better "
            "for up to {last} counts, and Gaussian noise for more. At 12 counts: "
            "Laplace {epsilon_2:.3g}, Gaussian {one:.3g}. At 150 counts: Laplace "
            "with basic composition {epsilon_3:.3g}, Gaussian {one_2:.3g}. At 1000 "
            "counts: Laplace by the distribution of its privacy loss {law:.3g}, "
            "Gaussian {normal:.3g}.",
            epsilon=epsilon,
            delta=delta,
            last=last,
            epsilon_2=math.sqrt(2) * 12 / epsilon,
            one=math.sqrt(12) * one,
            epsilon_3=math.sqrt(2) * 150 / epsilon,
            one_2=math.sqrt(150) * one,
            law=law[-1],
            normal=normal[-1],
        ),
    )


#: for each notion that `same_number` compares: its label, and a function from a number to the
#: guarantee with this parameter
_NUMBERED: tuple[tuple[str, Callable[[float], Guarantee]], ...] = (
    (N_("Gaussian DP, μ"), GaussianDP),
    (N_("pure DP, ε"), PureDP),
    (N_("zCDP, ρ"), ZCDP),
    (N_("Rényi, order 2"), lambda x: RenyiDP([2.0], [x])),
    (N_("alpha, order 2"), lambda x: AlphaDP(2.0, x)),
    (N_("mutual information"), MutualInformationDP),
)


@functools.lru_cache(maxsize=64)
def _delta(claim: Guarantee) -> float:
    """Return the smallest delta at epsilon 0 that the library derives from a guarantee."""
    return min(1.0, convert(claim, to=ApproxDP, epsilon=0.0).delta)


@_style.styled
def same_number(*, value: float, ax: Axes | None = None) -> Axes:
    """Plot an attacker's success under six privacy notions whose parameters are the same number.

    Each bar is an upper bound on the probability that the best guess between two neighboring
    tables at even odds is correct, by the tightest theorem that the library knows.

    Parameters
    ----------
    value : float
        The parameter of all six notions, in [0.001, 5].

    Examples
    --------
    >>> from dpteach.figures import alt_text
    >>> "pure DP, ε 52.5%" in alt_text(same_number(value=0.1))
    True
    """
    value = _check.real("value", value, _VALUE)
    axes = _style.new_axes(ax)
    axes.figure.subplots_adjust(left=0.356)
    claims = [(_(name), make(value)) for name, make in _NUMBERED]
    hits = [(1 + _delta(claim)) / 2 for _rest, claim in claims]
    places = list(range(len(claims)))[::-1]
    axes.barh(places, [100 * hit - 50 for hit in hits], left=50, height=0.6, color=_style.BLUE)
    for place, hit in zip(places, hits, strict=True):
        inside = hit > 0.8
        axes.text(
            100 * hit + (-1 if inside else 1),
            place,
            f"{100 * hit:.1f}%",
            color="white" if inside else _style.BLUE,
            va="center",
            ha="right" if inside else "left",
        )
    axes.set(
        xlim=(50, 100),
        ylim=(-0.5, len(claims) - 0.4),
        title=_("the parameter {value:g} in six notions", value=value),
    )
    axes.set_xlabel(_("upper bound on the success of the best guess (%)"), loc="right")
    axes.set_yticks(places, [name for name, _rest in claims])
    axes.grid(axis="y", visible=False)
    return _style.describe(
        axes,
        _(
            "Upper bound on the probability that the best guess at even odds is "
            "correct, if the parameter is {value:g}: {hits}.",
            value=value,
            hits="; ".join(
                f"{name} {100 * hit:.1f}%" for (name, _rest), hit in zip(claims, hits, strict=True)
            ),
        ),
    )


#: the notions on the map that `follows_from` draws, with their labels, and their positions on a
#: ring
_MAP: tuple[tuple[type[Guarantee], str, tuple[float, float]], ...] = (
    (PureDP, N_("pure"), (0.15, 0.9)),
    (GaussianDP, N_("Gaussian"), (0.5, 0.93)),
    (PLD, N_("distribution of loss"), (0.85, 0.9)),
    (ZCDP, N_("zCDP"), (0.87, 0.64)),
    (RenyiDP, N_("Rényi, one order"), (0.87, 0.36)),
    (AlphaDP, N_("alpha, one order"), (0.85, 0.1)),
    (MutualInformationDP, N_("mutual information"), (0.5, 0.07)),
    (ProbabilisticDP, N_("probabilistic"), (0.15, 0.1)),
    (ApproxDP, N_("approximate"), (0.13, 0.36)),
    (FDP, N_("f-DP"), (0.13, 0.64)),
)

#: width and height of a notion's box on the map
_WIDTH, _HEIGHT = 0.285, 0.145


def _arrows() -> set[tuple[type[Guarantee], type[Guarantee]]]:
    """Return the pairs of notions for which a theorem says that the first implies the second."""
    pairs = {(edge.source, edge.target) for edge in conversions.EDGES}
    return {(one, other) for one, other in pairs if one is not other}


def _reached(notion: type[Guarantee]) -> set[type[Guarantee]]:
    """Return the notions that follow from a given notion, by one theorem or by several."""
    arrows, found = _arrows(), {notion}
    while True:
        more = {other for one, other in arrows if one in found} - found
        if not more:
            return found - {notion}
        found |= more


def _witness(source: type[Guarantee], target: type[Guarantee]) -> str:
    """Return the name of a mechanism that satisfies `source` but not `target`, for `follows_from`.

    The result is "" if `source` implies `target`, and also if no such mechanism is known here.
    Gaussian noise does not satisfy pure DP, because its privacy loss is unbounded. The lottery,
    which publishes a row with a small probability, satisfies no notion that needs a finite Rényi
    divergence. The mechanisms called decoys all have small divergences of order 2, but no rho is
    large enough for all of them to satisfy rho-zCDP, and no mu for mu-Gaussian DP.
    """
    if target is PLD or target in _reached(source):
        return ""
    if target is PureDP:
        return _("Gaussian noise")
    if source in (RenyiDP, AlphaDP) and target in (ZCDP, GaussianDP):
        return "decoys"
    if target in (ZCDP, GaussianDP, RenyiDP, AlphaDP) and source is not ZCDP:
        return _("the lottery")
    return ""


@_style.styled
def follows_from(*, notion: int, ax: Axes | None = None) -> Axes:
    """Draw which notions follow from a given notion, and which of them imply it in turn.

    The notions are on a ring. An arrow stands for an implication that the library knows: solid for
    a theorem that cannot be improved, dashed for a theorem that perhaps can, dotted for two
    theorems in a row. The box of a notion that follows says whether this notion implies the given
    notion, or names a mechanism that refutes this.

    Parameters
    ----------
    notion : int
        The position of the notion on the ring, from 1 to 10: pure, Gaussian, distribution of loss,
        zCDP, Rényi, alpha, mutual information, probabilistic, approximate, f-DP.

    Examples
    --------
    >>> from dpteach.figures import alt_text
    >>> "zCDP (not back: Gaussian noise)" in alt_text(follows_from(notion=1))
    True
    """
    notion = _check.count("notion", notion)
    if notion > len(_MAP):
        raise ValueError(f"notion must be at most {len(_MAP)}, got notion={notion}")
    axes = _style.new_axes(ax)
    if ax is None:
        axes.figure.set_size_inches(5.0, 5.4)  # type: ignore[union-attr]
    axes.figure.subplots_adjust(left=0.01, right=0.99, bottom=0.01, top=0.91)
    source, name, start = _MAP[notion - 1]
    name = _(name)
    arrows, reached = _arrows(), _reached(source)
    tight = {(e.source, e.target) for e in conversions.EDGES if e.tight}
    boxes, said, blocked = {}, [], []
    for target, text, (x, y) in _MAP:
        label = _(text)
        direct = (source, target) in arrows
        lines, color = [label], _style.GREY
        if target is source:
            color = _style.BLACK
        elif target in reached:
            color = _style.BLUE
            note = _way_back(source, target)
            lines.append(note)
            if direct:
                said.append(f"{label} ({note})")
            else:
                said.append(_("{notion} (in two steps, {note})", notion=label, note=note))
        else:
            witness = _witness(source, target)
            lines.append(_("barred: {witness}", witness=witness) if witness else _("no theorem"))
            blocked.append(f"{label} ({lines[1]})")
        boxes[target] = _box(axes, lines, x, y, color, bold=target is source)
    starts = _starts(notion - 1, [i for i, (t, _text, _place) in enumerate(_MAP) if t in reached])
    for i, (target, _other, place) in enumerate(_MAP):
        if target not in reached:
            continue
        solid = (source, target) in tight
        line = "-" if solid else (0, (4, 3)) if (source, target) in arrows else (0, (1, 2))
        axes.add_patch(
            FancyArrowPatch(
                starts[i],
                place,
                shrinkA=3,
                patchB=boxes[target],
                connectionstyle=f"arc3,rad={_bend(start, place):.2f}",
                arrowstyle="-|>",
                mutation_scale=14,
                linewidth=1.8,
                color=_style.BLUE if solid else _style.VERMILLION,
                linestyle=line,
                zorder=1,
            )
        )
    axes.set(
        xlim=(0, 1),
        ylim=(0, 1.02),
        xticks=[],
        yticks=[],
        title=_("What follows from: {name}", name=name),
    )
    for spine in axes.spines.values():
        spine.set_visible(False)
    axes.grid(visible=False)
    # put the draggable point above the box, so that it does not hide the text
    _style.handle(axes, notion=(start[0], start[1] + _HEIGHT / 2 + 0.02))
    return _style.describe(
        axes,
        _(
            "What follows from {name}: {implied}. What does not: {other}.",
            name=name,
            implied=", ".join(said) or _("nothing"),
            other=", ".join(blocked) or _("nothing"),
        ),
    )


def _way_back(source: type[Guarantee], target: type[Guarantee]) -> str:
    """Return a note on whether `target`, a notion that follows from `source`, implies `source`."""
    if source in _reached(target):
        return _("and back")
    witness = _witness(target, source)
    return _("not back: {witness}", witness=witness) if witness else _("no theorem back")


def _bend(start: tuple[float, float], place: tuple[float, float]) -> float:
    """Return how far an arrow bends towards the middle of the ring, so that it crosses no box."""
    (x0, y0), (x1, y1) = start, place
    side = (x1 - x0) * (0.5 - y0) - (y1 - y0) * (0.5 - x0)
    near = abs(side) / math.hypot(x1 - x0, y1 - y0)
    beside = abs(x1 - x0) < 0.1 and abs(y1 - y0) > 0.4 and x0 != 0.5
    wide = 0.7 if abs(y1 - y0) > 0.7 else 1.1
    return math.copysign(wide if beside else 0.03 if near < 0.2 and x0 != 0.5 else 0.16, -side)


def _starts(source: int, targets: list[int]) -> dict[int, tuple[float, float]]:
    """Return where the arrows to `targets` leave the box of `source`, by the index of the target.

    All boxes are on a ring. The points are spread along the edge of the box of `source` in the
    order of the targets on the ring, so that the arrows do not cross.
    """
    x, y = _MAP[source][2]
    ring = sorted(targets, key=lambda i: (i - source) % len(_MAP))
    angles = [math.atan2(_MAP[i][2][1] - y, _MAP[i][2][0] - x) for i in ring]
    turns = np.unwrap(angles)
    found = {}
    for i, angle in zip(ring, np.linspace(turns[0], turns[-1], len(ring)), strict=True):
        across, up = math.cos(angle), math.sin(angle)
        # dividing by `far` gives a point on the edge of a square, which the next line scales to
        # the size of the box
        far = max(abs(across), abs(up))
        found[i] = x + across / far * _WIDTH / 2, y + up / far * _HEIGHT / 2
    return found


def _box(
    axes: Axes, lines: list[str], x: float, y: float, color: str, *, bold: bool
) -> FancyBboxPatch:
    """Draw a box with the first line as a label, and the second, if any, as a note below it."""
    box = FancyBboxPatch(
        (x - _WIDTH / 2, y - _HEIGHT / 2),
        _WIDTH,
        _HEIGHT,
        boxstyle="round,pad=0.005",
        facecolor="white",
        edgecolor=color,
        linewidth=2.2 if bold else 1.2,
        zorder=2,
    )
    axes.add_patch(box)
    top = len(lines) > 1
    axes.text(
        x,
        y + (0.045 if top else 0),
        lines[0],
        color=color,
        ha="center",
        va="center",
        zorder=3,
        fontweight="bold" if bold else "normal",
    )
    if top:
        axes.text(
            x,
            y - 0.023,
            lines[1].replace(": ", ":\n"),
            color=color,
            fontsize=12,
            ha="center",
            va="center",
            zorder=3,
        )
    return box


@_style.styled
def room_for_epsilon(
    *,
    k: int,
    error: float = 20.0,
    hit: float = 0.6,
    delta: float = 1e-9,
    ax: Axes | None = None,
) -> Axes:
    """Plot the error of a count against an attacker's success probability, for Gaussian noise.

    Each point of the curve belongs to one standard deviation of the noise. The shaded rectangle
    shows where both the error and the attacker's success stay within their limits.

    Parameters
    ----------
    k : int
        The number of counts to which one person contributes, from 1 to 1000.
    error : float
        The error that each count must stay within with probability 95%, in [2, 60].
    hit : float
        The limit on the probability that an attacker, at even prior odds, guesses correctly
        whether a person is in the data, in [0.52, 0.9].
    delta : float
        The delta for the values of epsilon that are written in the figure, in [1e-30, 0.01].

    Examples
    --------
    >>> from dpteach.figures import alt_text
    >>> text = alt_text(room_for_epsilon(k=12))
    >>> "A standard deviation from 6.84 to 10.2 meets both limits" in text
    True
    """
    k = _check.count("k", k)
    if k > 1000:
        raise ValueError(f"k must be at most 1000, got k={k}")
    error, hit = _check.real("error", error, _ERROR), _check.real("hit", hit, _HIT)
    delta = _check.real("delta", delta, _DELTA)
    axes = _style.new_axes(ax)
    counts = _n("{count} count", "{count} counts", k)
    quantile = float(ndtri(0.975))
    mu: Vector = np.geomspace(1e-3, 3.3, 241)
    axes.add_patch(
        Rectangle((50, 1), 100 * hit - 50, error - 1, facecolor=_style.GREEN, alpha=0.14, lw=0)
    )
    axes.text(50.6, 1.12, _("both limits hold"), color=_style.GREEN)
    sigma: Vector = math.sqrt(k) / mu
    axes.plot(100 * ndtr(mu / 2), quantile * sigma, **_style.line(0))
    loosest = 2 * float(ndtri(hit))
    least, most = math.sqrt(k) / loosest, error / quantile
    if least <= most:
        inside = (sigma >= least) & (sigma <= most)
        axes.plot(100 * ndtr(mu[inside] / 2), quantile * sigma[inside], color=_style.GREEN, lw=5)
        strict, loose = (GaussianDP(math.sqrt(k) / s).epsilon_at(delta) for s in (most, least))
        room = _(
            "A standard deviation from {least:.3g} to {most:.3g} meets both limits, with "
            "epsilon from {strict:.3g} to {loose:.3g} at delta {delta:g}.",
            least=least,
            most=most,
            strict=strict,
            loose=loose,
            delta=delta,
        )
        title = _(
            "{counts}: ε from {strict:.2f} to {loose:.2f}",
            counts=counts,
            strict=strict,
            loose=loose,
        )
    else:
        room = _(
            "No standard deviation meets both limits: one limit requires at least {least:.3g}, "
            "the other at most {most:.3g}.",
            least=least,
            most=most,
        )
        title = _("{counts}: no σ meets both limits", counts=counts)
    for epsilon in (0.5, 1, 2, 4, 8):
        shift = math.sqrt(k) / calibrate(Gaussian, ApproxDP(epsilon, delta), k=k).sigma
        x, y = 100 * float(ndtr(shift / 2)), quantile * math.sqrt(k) / shift
        axes.plot([x], [y], color=_style.BLUE, marker="o", ls="none", clip_on=True)
        if 1.5 < y < 200:
            axes.text(x + 0.7, y * 1.1, f"ε = {epsilon:g}", color=_style.BLUE)
    axes.set(
        yscale="log",
        xlim=(50, 90),
        ylim=(1, 300),
        xlabel=_("attacker’s best guess is correct (%)"),
        ylabel=_("error of each count (95%)"),
        title=title,
    )
    axes.yaxis.set_major_formatter(lambda value, place: f"{value:g}")
    # put the draggable point on the curve where the attacker's success is 68%, away from the edge
    # of the shaded area
    beside = 2 * float(ndtri(0.68))
    _style.handle(axes, k=(68.0, quantile * math.sqrt(k) / beside))
    return _style.describe(
        axes,
        _(
            "The error that each of {counts} exceeds with probability 5%, against "
            "the probability that the attacker's best guess is correct, for all "
            "standard deviations of Gaussian noise. Both limits hold for errors up "
            "to {error:g} and probabilities up to {hit:.0%}. {room}",
            counts=counts,
            error=error,
            hit=hit,
            room=room,
        ),
    )
