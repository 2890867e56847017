"""Figures on sampling and training: losses, a sample's loss, a bill, accuracy, an attack.

Their parameters, where they say no more:

inside, outside : array_like
    Losses of people who were in the training and of people who were not, >= 0, in nats; all
    entries count alike.
runs : mapping
    Trainings at several epsilons: "epsilon" is their increasing sequence, "step" the
    `PoissonSubsampled` step of each, "steps" how many there were, "plain" and "flexible" the
    accuracies, in [0, 1], a row for each epsilon and a column for each training, "without" two
    accuracies after the same steps without noise, in the same order, and "losses" for each
    epsilon a pair `inside`, `outside` of the flexible model's losses, after them a pair of the
    same steps without noise, and one of a long training without noise; each is a matrix with a
    row for each of at least two trainings.
epsilon : float
    One of those of the runs.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from numpy.typing import ArrayLike, NDArray

from dpteach import _check
from dpteach.accountants import Accountant
from dpteach.amplification import PoissonSubsampled
from dpteach.composition import advanced_composition_tight
from dpteach.curves import renyi_epsilons
from dpteach.figures import _style
from dpteach.mechanisms import Gaussian
from dpteach.notions import FDP, ApproxDP, GaussianDP, RenyiDP

__all__ = [
    "accuracy_by_epsilon",
    "attack_and_promise",
    "member_losses",
    "sampled_loss",
    "training_bill",
]

Vector = NDArray[np.float64]

_LINE = _check.Domain("in [0.0001, 10]", lambda x: 0.0001 <= x <= 10)
_RATE = _check.Domain("in [0.001, 1]", lambda x: 0.001 <= x <= 1)
_SIGMA = _check.Domain("in [0.5, 10]", lambda x: 0.5 <= x <= 10)
_DELTA = _check.Domain("in [1e-10, 0.01]", lambda x: 1e-10 <= x <= 0.01)

#: members, or a model with noise; others, or none; the same steps without; what a promise allows
_IN, _OUT, _STEPS, _LIMIT = (_style.line(i) for i in (0, 1, 2, 3))


def _percent(share: float, digits: int = 0) -> str:
    return f"{100 * share:.{digits}f} %"


def _losses(name: str, values: ArrayLike) -> Vector:
    found = _check.array(name, values).ravel()
    if found.size == 0 or found.min() < 0:
        raise ValueError(
            f"{name} must hold at least one number, all >= 0, got {name}={_check.shown(values)}"
        )
    return np.sort(found)


@_style.styled
def member_losses(
    *, line: float, inside: ArrayLike, outside: ArrayLike, ax: Axes | None = None
) -> Axes:
    """The losses of people who were in a training and of those who were not, and a line.

    Parameters
    ----------
    line : float
        Whoever has a loss below it is said to have been in, in [0.0001, 10], in nats.

    Examples
    --------
    >>> from dpteach.figures import alt_text
    >>> text = alt_text(member_losses(line=0.1, inside=[0.01, 0.02], outside=[0.05, 1.0]))
    >>> "50 % of the others: right 75 times in 100" in text
    True
    """
    line = _check.real("line", line, _LINE)
    found = [_losses("inside", inside), _losses("outside", outside)]
    axes = _style.new_axes(ax)
    axes.figure.subplots_adjust(left=0.11, right=0.96)
    edges = np.geomspace(1e-4, 10, 31)
    shares = []
    for losses, look in zip(found, (_IN, _OUT), strict=True):
        counts, _ = np.histogram(losses, edges)
        axes.stairs(
            100 * counts / losses.size,
            edges,
            color=look["color"],
            linestyle=look["linestyle"],
            linewidth=2,
        )
        shares.append(float(np.searchsorted(losses, line, side="right")) / losses.size)
    hit = (1 + shares[0] - shares[1]) / 2
    axes.axvline(line, color=_style.BLACK, lw=1.4)
    axes.axvspan(1e-4, line, color="#EEEEEE", zorder=0)
    axes.set(
        xscale="log",
        xlim=(1e-4, 10),
        ylim=(0, 10),
        xlabel="loss of a patient (nats)",
        ylabel="patients in 100",
        title=f"“in”: {_percent(shares[0])} of members, {_percent(shares[1])} of others; "
        f"right {100 * hit:.0f} of 100",
    )
    _style.ticks(axes.xaxis, [1e-4, 1e-3, 0.01, 0.1, 1, 10])
    axes.text(1.3e-4, 9.2, "in the training", color=_IN["color"])
    axes.text(1.3e-4, 8.4, "not in it (dashed)", color=_OUT["color"])
    _style.handle(axes, line=(line, 6.0))
    return _style.describe(
        axes,
        "Two histograms of losses, on a logarithmic axis, of patients who were in the training "
        f"and of others. Below {line:g} nats lie {_percent(shares[0])} of the members and "
        f"{_percent(shares[1])} of the others: right {100 * hit:.0f} times in 100 at even odds.",
    )


@_style.styled
def sampled_loss(*, rate: float, sigma: float = 1.0, ax: Axes | None = None) -> Axes:
    """The privacy loss of an answer, with everybody's data and on a sample.

    The answer is a sum, which one person raises by 1, with normal noise; it is 0 without her.

    Parameters
    ----------
    rate : float
        The probability with which she is in the sample, in [0.001, 1].
    sigma : float
        In [0.5, 10].

    Examples
    --------
    >>> from dpteach.figures import alt_text
    >>> text = alt_text(sampled_loss(rate=0.1))
    >>> "it never falls below −0.105" in text
    True
    """
    rate = _check.real("rate", rate, _RATE)
    sigma = _check.real("sigma", sigma, _SIGMA)
    axes = _style.new_axes(ax)
    axes.figure.subplots_adjust(left=0.12, right=0.84)
    z = np.linspace(-5, 6, 221)
    x = sigma * z
    whole = (2 * x - 1) / (2 * sigma**2)
    with np.errstate(divide="ignore"):
        sampled = np.log1p(-rate + rate * np.exp(whole)) if rate < 1 else whole
    axes.plot(z, whole, color=_style.GREY, ls=(0, (4, 1, 1, 1)), lw=1.8)
    axes.plot(z, sampled, **_IN)
    floor = math.log1p(-rate) if rate < 1 else -math.inf
    if floor > -5:
        axes.axhline(floor, color=_style.VERMILLION, ls="--", lw=1.4)
    axes.text(6.15, float(whole[-1]), "everybody", color=_style.GREY, va="center")
    low = min(float(sampled[-1]), float(whole[-1]) - 0.75 / sigma)
    axes.text(6.15, low, "a sample", color=_style.BLUE, va="center")
    end = 6 / sigma
    axes.set(
        xlim=(-5, 6),
        ylim=(-5.6 / sigma, end),
        xlabel="answer, in standard deviations of the noise",
        ylabel="privacy loss (nats)",
        title=f"in the sample with probability {rate:g}",
    )
    least = "has no least value" if rate == 1 else f"never falls below {floor:.3f}"
    if rate < 1:
        axes.text(
            -4.8,
            max(floor, -5 / sigma) - 0.75 / sigma,
            f"floor {floor:.3f}",
            color=_style.VERMILLION,
        )
    at = float(np.interp(5, z, sampled))
    _style.handle(axes, rate=(5.0, at))
    return _style.describe(
        axes,
        f"The privacy loss over the answer. With everybody's data it is a straight line, "
        f"{(10 * sigma - 1) / (2 * sigma**2):.2f} at 5 standard deviations. On a sample of rate "
        f"{rate:g} it {least}, and at 5 standard deviations it is {at:.2f}.",
    )


@_style.styled
def training_bill(
    *, rate: float, sigma: float = 2.25, delta: float = 1e-5, ax: Axes | None = None
) -> Axes:
    """Epsilon over the number of steps of a training, by five ways of reckoning.

    Adding up pairs of the steps, advanced composition (half of delta for the steps, half for the
    slack), Rényi divergences, the certified upper end; and without a sample, exactly.

    Parameters
    ----------
    rate : float
        The probability with which a person is in a step's sample, in [0.001, 1].
    sigma : float
        Noise over clipping norm, in [0.5, 10].
    delta : float
        Of all steps together, in [1e-10, 0.01].

    Examples
    --------
    >>> from dpteach.figures import alt_text
    >>> text = alt_text(training_bill(rate=0.1))
    >>> "After 100 steps: sum 48.6, advanced 38.4, Rényi 2.2, certified 1.998" in text
    True
    """
    rate = _check.real("rate", rate, _RATE)
    sigma = _check.real("sigma", sigma, _SIGMA)
    delta = _check.real("delta", delta, _DELTA)
    axes = _style.new_axes(ax)
    axes.figure.subplots_adjust(left=0.11, right=0.8)
    most = 1000
    k = np.unique(np.append(np.geomspace(1, most, 40).round(), 100)).astype(int)
    step = PoissonSubsampled(Gaussian(sigma=sigma), rate)
    added = np.array([n * step.guarantee(ApproxDP, delta=delta / n).epsilon for n in k])
    advanced = np.array(
        [
            advanced_composition_tight(
                step.guarantee(ApproxDP, delta=delta / (2 * n)), int(n), slack=delta / 2
            ).epsilon
            for n in k
        ]
    )
    orders = np.concatenate(([1.25, 1.5, 1.75], np.geomspace(2, 400, 60)))
    once = step.guarantee(RenyiDP, orders=orders.tolist())
    renyi = renyi_epsilons(once, k, delta)
    certified = Accountant().epsilon_curve(step, k, delta).upper
    mu = 1 / sigma
    whole = np.array([GaussianDP(mu * math.sqrt(n)).epsilon_at(delta) for n in k])
    grey = {"color": _style.GREY, "linestyle": (0, (4, 1, 1, 1)), "lw": 1.8}
    names = ("sum of the steps", "advanced", "Rényi", "certified", "no sample")
    looks = (_style.line(1), _style.line(3), _style.line(2), _style.line(0), grey)
    curves = (added, advanced, renyi, certified, whole)
    ends = []
    for name, look, curve in zip(names, looks, curves, strict=True):
        axes.plot(k, curve, **look)
        ends.append((float(np.log10(curve[-1])), name, look["color"]))
    low, high = -2.5, 3.0
    places = _apart([y for y, _, _ in ends], 0.075 * (high - low), low, high)
    for place, (_, name, color) in zip(places, ends, strict=True):
        axes.text(1.12 * most, 10**place, name, color=color, va="center")
    at = {name: float(curve[k == 100][0]) for name, curve in zip(names, curves, strict=True)}
    # an upper bound, rounded up to four figures
    digits = 3 - math.floor(math.log10(at["certified"]))
    certified_at = f"{math.ceil(at['certified'] * 10.0**digits) / 10.0**digits:.4g}"
    axes.plot(100, at["certified"], marker="o", color=_style.BLUE, ls="none")
    axes.set(
        xscale="log",
        yscale="log",
        xlim=(1, most),
        ylim=(10**low, 10**high),
        xlabel="steps",
        ylabel=r"$\varepsilon$ (nats)",
        title=f"rate {rate:g}: 100 steps cost ε = {certified_at}",
    )
    _style.ticks(axes.xaxis, [1, 10, 100, 1000])
    _style.ticks(axes.yaxis, [0.01, 0.1, 1, 10, 100, 1000])
    _style.handle(axes, rate=(100.0, at["certified"]))
    return _style.describe(
        axes,
        f"Epsilon at delta {delta:g} over the number of steps, on logarithmic axes, with noise "
        f"{sigma:g} and rate {rate:g}. After 100 steps: sum {at['sum of the steps']:.3g}, "
        f"advanced {at['advanced']:.3g}, Rényi {at['Rényi']:.3g}, certified "
        f"{certified_at}; without a sample {at['no sample']:.3g}.",
    )


def _apart(heights: list[float], gap: float, low: float, high: float) -> list[float]:
    """The heights, moved so that no two are nearer than the gap; their order is kept."""
    ranked = sorted(range(len(heights)), key=lambda i: heights[i])
    places = [0.0] * len(heights)
    last = low - gap
    for i in ranked:
        last = places[i] = max(heights[i], last + gap)
    top = high
    for i in reversed(ranked):
        top = places[i] = min(places[i], top)
        top -= gap
    return places


def _place(runs: Mapping[str, Any], epsilon: float) -> tuple[list[float], int]:
    _check.instance("runs", runs, Mapping)
    missing = {"epsilon", "step", "steps", "plain", "flexible", "without", "losses"} - set(runs)
    if missing:
        raise ValueError(f"runs must have {sorted(missing)}, got runs with {sorted(runs)}")
    known = [float(x) for x in runs["epsilon"]]
    epsilon = _check.real("epsilon", epsilon, _check.POSITIVE)
    if epsilon not in known:
        raise ValueError(f"epsilon must be one of {known}, got epsilon={epsilon}")
    return known, known.index(epsilon)


@_style.styled
def accuracy_by_epsilon(
    *,
    epsilon: float,
    runs: Mapping[str, Any],
    baseline: float | None = None,
    ax: Axes | None = None,
) -> Axes:
    """How often two models are right about new people, over the epsilon of their training.

    Bands hold the middle eight of ten trainings; the points are all trainings at one epsilon.

    Parameters
    ----------
    baseline : float, optional
        How often one is right who says the same of everybody, in [0, 1].

    Examples
    --------
    >>> from dpteach.figures import alt_text
    >>> step = PoissonSubsampled(Gaussian(sigma=2.25), 0.1)
    >>> runs = {"epsilon": [1, 2], "step": [step, step], "steps": 100,
    ...         "plain": [[0.9, 0.9], [0.95, 0.95]], "flexible": [[0.7, 0.7], [0.8, 0.8]],
    ...         "without": (0.97, 0.87), "losses": []}
    >>> text = alt_text(accuracy_by_epsilon(epsilon=2, runs=runs))
    >>> "At epsilon 2 the plain model is right about 95.0 %" in text
    True
    """
    known, i = _place(runs, epsilon)
    if baseline is not None:
        baseline = _check.real("baseline", baseline, _check.PROBABILITY)
    axes = _style.new_axes(ax)
    axes.figure.subplots_adjust(left=0.11, right=0.82)
    # between two epsilons, where no points stand
    j = len(known) // 2
    beside = math.sqrt(known[j] * known[min(j + 1, len(known) - 1)])
    right = 1.6 * known[-1]
    told = []
    for name, look, without in zip(
        ("plain", "flexible"), (_IN, _OUT), runs["without"], strict=True
    ):
        found = 100 * np.array(runs[name], dtype=float)
        low, middle, high = np.quantile(found, [0.1, 0.5, 0.9], axis=1)
        color = look["color"]
        axes.fill_between(known, low, high, color=color, alpha=0.18, lw=0)
        axes.plot(known, middle, **look)
        axes.plot(np.full(found.shape[1], known[i]), found[i], "o", color=color, ms=4, alpha=0.5)
        axes.plot([known[-1] * 1.15, right], [100 * without] * 2, color=color, lw=2)
        axes.text(1.08 * right, 100 * without, f"{name},\nno noise", color=color, va="center")
        under = float(np.interp(math.log(beside), np.log(known), low)) - 1.5
        axes.text(beside, under, name, color=color, ha="center", va="top")
        told.append((float(middle[i]), float(low[i]), float(high[i])))
    axes.set(
        xscale="log",
        xlim=(0.8 * known[0], right),
        ylim=(40, 101),
        xlabel=r"$\varepsilon$ of the training (nats)",
        ylabel="right about, of 100 new patients",
        title=f"ε = {known[i]:g}: {told[0][0]:.0f} and {told[1][0]:.0f} of 100 right",
    )
    if baseline is not None:
        axes.axhline(100 * baseline, color=_style.GREY, lw=1.2)
        axes.text(1.08 * right, 100 * baseline, "no model", color=_style.GREY, va="center")
    _style.ticks(axes.xaxis, known)
    axes.axvline(known[i], color=_style.GREY, lw=1, ls=":", zorder=1)
    _style.handle(axes, epsilon=(known[i], 42.0))  # below the trainings
    return _style.describe(
        axes,
        f"Accuracy over epsilon. At epsilon {known[i]:g} the plain model is right about "
        f"{told[0][0]:.1f} % of new patients in the median training, eight of ten trainings "
        f"between {told[0][1]:.1f} and {told[0][2]:.1f} %; the flexible one {told[1][0]:.1f} %, "
        f"between {told[1][1]:.1f} and {told[1][2]:.1f} %. The same steps without noise give "
        f"{100 * runs['without'][0]:.1f} and {100 * runs['without'][1]:.1f} %."
        + ("" if baseline is None else f" No model at all is right about {_percent(baseline)}."),
    )


def _roc(
    inside: ArrayLike, outside: ArrayLike, of: tuple[ArrayLike, ArrayLike] | None = None
) -> tuple[Vector, Vector]:
    """Shares of members and of others below each of 101 lines: percentiles of all losses."""
    members, others = _losses("inside", inside), _losses("outside", outside)
    everybody = of or (members, others)
    at = np.quantile(np.concatenate([np.ravel(x) for x in everybody]), np.linspace(0, 1, 101))
    return (
        np.searchsorted(members, at, side="right") / members.size,
        np.searchsorted(others, at, side="right") / others.size,
    )


@_style.styled
def attack_and_promise(*, epsilon: float, runs: Mapping[str, Any], ax: Axes | None = None) -> Axes:
    """An attack by the loss, without noise and with it, and what the promise allows any attack.

    Without noise there are two trainings: the same steps, and a long one. How often the attack
    is right is told of the later half of the trainings, with the line that is best for the
    earlier half.

    Examples
    --------
    >>> from dpteach.figures import alt_text
    >>> step = PoissonSubsampled(Gaussian(sigma=2.25), 0.1)
    >>> losses = ([[0.1, 0.2], [0.2, 0.3]], [[0.1, 0.3], [0.2, 0.4]])
    >>> runs = {"epsilon": [2], "step": [step], "steps": 100, "plain": [[0.9]],
    ...         "flexible": [[0.8]], "without": (0.97, 0.87), "losses": [losses] * 3}
    >>> text = alt_text(attack_and_promise(epsilon=2, runs=runs))
    >>> "added or not is right more than 59.1 times in 100" in text
    True
    """
    known, i = _place(runs, epsilon)
    if len(runs["losses"]) != len(known) + 2:
        raise ValueError(
            f"runs must have {len(known) + 2} pairs of losses, got {len(runs['losses'])}"
        )
    axes = _style.new_axes(ax)
    axes.figure.subplots_adjust(left=0.12, right=0.94)
    limit = limit_of(runs["step"][i], runs["steps"])
    x = np.linspace(0, 1, 201)
    top = 1 - np.asarray(limit.trade_off(x))
    axes.fill_between(x, top, 1, color="#EEEEEE", lw=0, zorder=0)
    axes.plot(x, top, **_LIMIT)
    hits = []
    looks = (_OUT, _STEPS, _IN)
    for pair, look in zip((*runs["losses"][:-3:-1], runs["losses"][i]), looks, strict=True):
        found, alarms = _roc(*pair)
        axes.plot(np.append(0, alarms), np.append(0, found), **look)
        one, two = (np.asarray(side) for side in pair)
        n, m = one.shape[0] // 2, two.shape[0] // 2
        tried = _roc(one[:n], two[:m], of=pair)
        best = int((tried[0] - tried[1]).argmax())
        other = _roc(one[n:], two[m:], of=pair)
        hits.append(float((1 + other[0][best] - other[1][best]) / 2))
    guess: dict[str, Any] = {"color": _style.GREY, "linestyle": "-", "lw": 0.9}
    axes.plot([0, 1], [0, 1], **guess)
    most = (1 + limit.delta_at(0.0)) / 2
    axes.set(
        xlim=(0, 1),
        ylim=(0, 1),
        xlabel="others who are accused",
        ylabel="members who are found",
        title=f"ε = {known[i]:g}: allowed {100 * most:.1f}, measured {100 * hits[2]:.1f} of 100",
    )
    for axis in (axes.xaxis, axes.yaxis):
        axis.set_major_formatter(lambda value, _: f"{100 * value:g} %")
    for y, name, look in (
        (0.34, "allowed by the promise", _LIMIT),
        (0.265, "long, no noise", _OUT),
        (0.19, "control, no noise", _STEPS),
        (0.115, "with noise", _IN),
        (0.04, "guessing", guess),
    ):
        axes.plot([0.53, 0.61], [y + 0.015] * 2, **look)
        axes.text(0.63, y, name, color=look["color"])
    return _style.describe(
        axes,
        f"Members who are found against others who are accused. By the promise with epsilon "
        f"{known[i]:g} no attack on a row that is added or not is right more than {100 * most:.1f} "
        "times in 100, at even odds. "
        f"The attack by the loss is right {100 * hits[2]:.1f} times, {100 * hits[1]:.1f} times "
        f"after the same steps without noise, and {100 * hits[0]:.1f} times after a long training "
        "without noise.",
    )


def limit_of(step: PoissonSubsampled, steps: int) -> FDP:
    """What all steps together allow any test: certified pairs, which make a trade-off curve.

    Examples
    --------
    >>> limit = limit_of(PoissonSubsampled(Gaussian(sigma=2.25), 0.1), 100)
    >>> round(1 - limit.trade_off(0.01), 3)
    0.033
    """
    bill = Accountant().compose(step, steps)
    top = max(0.01, bill.epsilon_at(1e-6).upper)
    epsilons = top * np.append(0, np.geomspace(0.01, 1, 16))
    return FDP(epsilons.tolist(), [bill.delta_at(e).upper for e in epsilons])
