"""Figures on DP-SGD: membership inference, amplification by sampling, privacy cost and accuracy.

Parameters that several figures share:

inside, outside : array_like
    Losses of a model on members of its training set and on non-members, >= 0, in nats. All
    entries have equal weight.
runs : mapping
    Results of training runs at several values of epsilon, under these keys:

    - "epsilon": the increasing sequence of these values;
    - "step": the `PoissonSubsampled` step for each value of epsilon;
    - "steps": the number of steps;
    - "plain", "flexible": the accuracies in [0, 1] of two models, as matrices with a row for each
      epsilon and a column for each training run;
    - "without": the accuracies of the plain and of the flexible model after "steps" steps without
      noise;
    - "losses": pairs `inside`, `outside` of losses of the flexible model, as matrices with a row
      for each of at least two training runs. There is a pair for each epsilon, then a pair for
      "steps" steps without noise, and last a pair for long training without noise.
epsilon : float
    One of the values in `runs["epsilon"]`.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from numpy.typing import ArrayLike, NDArray

from dpteach import _check
from dpteach._language import N_, catalog
from dpteach.accountants import Accountant
from dpteach.amplification import PoissonSubsampled
from dpteach.composition import advanced_composition_tight
from dpteach.curves import renyi_epsilons
from dpteach.figures import _style
from dpteach.mechanisms import Gaussian
from dpteach.notions import FDP, ApproxDP, GaussianDP, RenyiDP

_, _n = catalog("figures")

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

#: the line styles. In `member_losses`, `_IN` is for members and `_OUT` for non-members. In
#: `accuracy_by_epsilon`, `_IN` is for the plain and `_OUT` for the flexible model. In
#: `attack_and_promise`, `_IN` is for DP-SGD, `_OUT` for long training without noise, `_STEPS` for
#: training without noise in as many steps as DP-SGD, and `_LIMIT` for the bound from the guarantee
_IN, _OUT, _STEPS, _LIMIT = (_style.line(i) for i in (0, 1, 2, 3))


def _percent(share: float, digits: int = 0) -> str:
    return f"{100 * share:.{digits}f}%"


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
    """Draw the losses on members and on non-members of a training set, and a threshold.

    Parameters
    ----------
    line : float
        Threshold in [0.0001, 10], in nats: a patient with a smaller loss is called a member.

    Examples
    --------
    >>> from dpteach.figures import alt_text
    >>> text = alt_text(member_losses(line=0.1, inside=[0.01, 0.02], outside=[0.05, 1.0]))
    >>> "50% of the non-members, so 75% of the guesses" in text
    True
    """
    line = _check.real("line", line, _LINE)
    found = [_losses("inside", inside), _losses("outside", outside)]
    axes = _style.new_axes(ax)
    axes.figure.subplots_adjust(left=0.145, right=0.947)
    edges = np.geomspace(1e-4, 10, 31)
    shares = []
    for losses, look in zip(found, (_IN, _OUT), strict=True):
        counts, _other = np.histogram(losses, edges)
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
        xlabel=_("loss on a patient (nats)"),
        ylabel=_("percentage of patients"),
        title=_(
            "accused: {shares} of members, {shares_2} of others; {hit} correct",
            shares=_percent(shares[0]),
            shares_2=_percent(shares[1]),
            hit=_percent(hit),
        ),
    )
    _style.ticks(axes.xaxis, [1e-4, 1e-3, 0.01, 0.1, 1, 10])
    axes.text(1.3e-4, 9.2, _("members"), color=_IN["color"])
    axes.text(1.3e-4, 8.4, _("non-members (dashed)"), color=_OUT["color"])
    _style.handle(axes, line=(line, 6.0))
    return _style.describe(
        axes,
        _(
            "Two histograms show a model's losses on members of the training set and "
            "on non-members, on a logarithmic axis. The loss is below the threshold "
            "of {line:g} nats for {shares} of the members and for {shares_2} of the "
            "non-members, so {hit} of the guesses are correct at even odds.",
            line=line,
            shares=_percent(shares[0]),
            shares_2=_percent(shares[1]),
            hit=_percent(hit),
        ),
    )


@_style.styled
def sampled_loss(*, rate: float, sigma: float = 1.0, ax: Axes | None = None) -> Axes:
    """Draw the privacy loss against the Gaussian mechanism's output, with and without sampling.

    The mechanism adds Gaussian noise to a sum that is 1 if a person is in the data and sampled,
    and 0 otherwise.

    Parameters
    ----------
    rate : float
        Probability with which the person is sampled, in [0.001, 1].
    sigma : float
        Standard deviation of the noise, in [0.5, 10].

    Examples
    --------
    >>> from dpteach.figures import alt_text
    >>> text = alt_text(sampled_loss(rate=0.1))
    >>> "it is never below −0.105" in text
    True
    """
    rate = _check.real("rate", rate, _RATE)
    sigma = _check.real("sigma", sigma, _SIGMA)
    axes = _style.new_axes(ax)
    axes.figure.subplots_adjust(left=0.158, right=0.762)
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
    axes.text(6.15, float(whole[-1]), _("no sampling"), color=_style.GREY, va="center")
    low = min(float(sampled[-1]), float(whole[-1]) - 0.75 / sigma)
    axes.text(6.15, low, _("sampling"), color=_style.BLUE, va="center")
    end = 6 / sigma
    axes.set(
        xlim=(-5, 6),
        ylim=(-5.6 / sigma, end),
        xlabel=_("output, in standard deviations of the noise"),
        ylabel=_("privacy loss (nats)"),
        title=_("sampling rate {rate:g}", rate=rate),
    )
    least = _("has no lower bound") if rate == 1 else _("is never below {floor:.3f}", floor=floor)
    if rate < 1:
        axes.text(
            -4.8,
            max(floor, -5 / sigma) - 0.75 / sigma,
            _("floor {floor:.3f}", floor=floor),
            color=_style.VERMILLION,
        )
    at = float(np.interp(5, z, sampled))
    _style.handle(axes, rate=(5.0, at))
    return _style.describe(
        axes,
        _(
            "The privacy loss is plotted against the output. Without sampling it is "
            "a straight line, which reaches {sigma:.2f} at 5 standard deviations. "
            "With sampling at rate {rate:g} it {least}, and at 5 standard deviations "
            "it is {at:.2f}.",
            sigma=(10 * sigma - 1) / (2 * sigma**2),
            rate=rate,
            least=least,
            at=at,
        ),
    )


@_style.styled
def training_bill(
    *, rate: float, sigma: float = 2.25, delta: float = 1e-5, ax: Axes | None = None
) -> Axes:
    """Draw five bounds on the epsilon of DP-SGD against the number of steps.

    Four bounds are by basic composition, by advanced composition (with half of delta for the steps
    and half as slack), by Rényi divergences, and by the library's accountant, whose bound
    allows for numerical errors ("certified"). The fifth is the exact epsilon of the same steps
    without sampling.

    Parameters
    ----------
    rate : float
        The sampling rate of a step, in [0.001, 1].
    sigma : float
        Noise multiplier: standard deviation over clipping norm, in [0.5, 10].
    delta : float
        The delta of all steps together, in [1e-10, 0.01].

    Examples
    --------
    >>> from dpteach.figures import alt_text
    >>> text = alt_text(training_bill(rate=0.1))
    >>> "After 100 steps: basic 48.6, advanced 38.4, Rényi 2.2, certified 1.998" in text
    True
    """
    rate = _check.real("rate", rate, _RATE)
    sigma = _check.real("sigma", sigma, _SIGMA)
    delta = _check.real("delta", delta, _DELTA)
    axes = _style.new_axes(ax)
    axes.figure.subplots_adjust(left=0.145, right=0.736)
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
    names = (N_("basic"), N_("advanced"), "Rényi", N_("certified"), N_("no sampling"))
    looks = (_style.line(1), _style.line(3), _style.line(2), _style.line(0), grey)
    curves = (added, advanced, renyi, certified, whole)
    ends = []
    for name, look, curve in zip(names, looks, curves, strict=True):
        axes.plot(k, curve, **look)
        ends.append((float(np.log10(curve[-1])), _(name), look["color"]))
    low, high = -2.5, 3.0
    places = _apart([y for y, _rest, _rest in ends], 0.075 * (high - low), low, high)
    for place, (_other, name, color) in zip(places, ends, strict=True):
        axes.text(1.12 * most, 10**place, name, color=color, va="center")
    at = {name: float(curve[k == 100][0]) for name, curve in zip(names, curves, strict=True)}
    # round the certified epsilon up (to four significant digits), because it is an upper bound
    digits = 3 - math.floor(math.log10(at["certified"]))
    certified_at = f"{math.ceil(at['certified'] * 10.0**digits) / 10.0**digits:.4g}"
    axes.plot(100, at["certified"], marker="o", color=_style.BLUE, ls="none")
    axes.set(
        xscale="log",
        yscale="log",
        xlim=(1, most),
        ylim=(10**low, 10**high),
        xlabel=_("number of steps"),
        ylabel=_("$\\varepsilon$ (nats)"),
        title=_(
            "rate {rate:g}: 100 steps cost ε = {certified_at}", rate=rate, certified_at=certified_at
        ),
    )
    _style.ticks(axes.xaxis, [1, 10, 100, 1000])
    _style.ticks(axes.yaxis, [0.01, 0.1, 1, 10, 100, 1000])
    _style.handle(axes, rate=(100.0, at["certified"]))
    return _style.describe(
        axes,
        _(
            "Five bounds on epsilon at delta {delta:g} are plotted against the "
            "number of steps on logarithmic axes, for noise multiplier {sigma:g} and "
            "sampling rate {rate:g}. After 100 steps: basic {at:.3g}, advanced "
            "{at_2:.3g}, Rényi {at_3:.3g}, certified {certified_at}; without "
            "sampling {at_4:.3g}.",
            delta=delta,
            sigma=sigma,
            rate=rate,
            at=at["basic"],
            at_2=at["advanced"],
            at_3=at["Rényi"],
            certified_at=certified_at,
            at_4=at["no sampling"],
        ),
    )


def _apart(heights: list[float], gap: float, low: float, high: float) -> list[float]:
    """Return the `heights` of labels, moved into [`low`, `high`] and at least `gap` apart."""
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
    """Draw the accuracy of two models on new patients against the epsilon of their training.

    The bands contain the middle 80% of the training runs. The points are all runs at the given
    epsilon.

    Parameters
    ----------
    baseline : float, optional
        Accuracy of always predicting the same label, in [0, 1]; by default it is not drawn.

    Examples
    --------
    >>> from dpteach.figures import alt_text
    >>> step = PoissonSubsampled(Gaussian(sigma=2.25), 0.1)
    >>> runs = {"epsilon": [1, 2], "step": [step, step], "steps": 100,
    ...         "plain": [[0.9, 0.9], [0.95, 0.95]], "flexible": [[0.7, 0.7], [0.8, 0.8]],
    ...         "without": (0.97, 0.87), "losses": []}
    >>> text = alt_text(accuracy_by_epsilon(epsilon=2, runs=runs))
    >>> "At epsilon 2 the median accuracy of the plain model is 95.0%" in text
    True
    """
    known, i = _place(runs, epsilon)
    if baseline is not None:
        baseline = _check.real("baseline", baseline, _check.PROBABILITY)
    axes = _style.new_axes(ax)
    axes.figure.subplots_adjust(left=0.145, right=0.762)
    # label each model's curve between two values of epsilon, where the label covers no points
    j = len(known) // 2
    beside = math.sqrt(known[j] * known[min(j + 1, len(known) - 1)])
    right = 1.6 * known[-1]
    told = []
    for name, look, without in zip(
        (N_("plain"), N_("flexible")), (_IN, _OUT), runs["without"], strict=True
    ):
        found = 100 * np.array(runs[name], dtype=float)
        low, middle, high = np.quantile(found, [0.1, 0.5, 0.9], axis=1)
        color = look["color"]
        axes.fill_between(known, low, high, color=color, alpha=0.18, lw=0)
        axes.plot(known, middle, **look)
        axes.plot(np.full(found.shape[1], known[i]), found[i], "o", color=color, ms=4, alpha=0.5)
        axes.plot([known[-1] * 1.15, right], [100 * without] * 2, color=color, lw=2)
        axes.text(
            1.08 * right,
            100 * without,
            _("{model},\nno noise", model=_(name)),
            color=color,
            va="center",
        )
        under = float(np.interp(math.log(beside), np.log(known), low)) - 1.5
        axes.text(beside, under, _(name), color=color, ha="center", va="top")
        told.append((float(middle[i]), float(low[i]), float(high[i])))
    axes.set(
        xscale="log",
        xlim=(0.8 * known[0], right),
        ylim=(40, 101),
        xlabel=_("$\\varepsilon$ of the training run (nats)"),
        ylabel=_("accuracy on new patients (%)"),
        title=_(
            "ε = {known:g}: plain {told:.0f}%, flexible {told_2:.0f}% correct",
            known=known[i],
            told=told[0][0],
            told_2=told[1][0],
        ),
    )
    if baseline is not None:
        axes.axhline(100 * baseline, color=_style.GREY, lw=1.2)
        axes.text(
            1.08 * right, 100 * baseline, _("constant\nguess"), color=_style.GREY, va="center"
        )
    _style.ticks(axes.xaxis, known)
    axes.axvline(known[i], color=_style.GREY, lw=1, ls=":", zorder=1)
    _style.handle(axes, epsilon=(known[i], 42.0))  # draggable point below those of the runs
    return _style.describe(
        axes,
        _(
            "The accuracy of two models on new patients is plotted against epsilon. "
            "At epsilon {known:g} the median accuracy of the plain model is "
            "{told:.1f}%, and 80% of its training runs lie between {told_2:.1f}% and "
            "{told_3:.1f}%. The flexible model has a median of {told_4:.1f}%, and "
            "80% of its runs lie between {told_5:.1f}% and {told_6:.1f}%. The same "
            "steps without noise give {percent:.1f}% and {percent_2:.1f}%.",
            known=known[i],
            told=told[0][0],
            told_2=told[0][1],
            told_3=told[0][2],
            told_4=told[1][0],
            told_5=told[1][1],
            told_6=told[1][2],
            percent=100 * runs["without"][0],
            percent_2=100 * runs["without"][1],
        ),
        ""
        if baseline is None
        else _("A constant guess is right {share} of the time.", share=_percent(baseline)),
    )


def _roc(
    inside: ArrayLike, outside: ArrayLike, of: tuple[ArrayLike, ArrayLike] | None = None
) -> tuple[Vector, Vector]:
    """Return the true and the false positive rate of a loss attack for each of 101 thresholds.

    The thresholds are the percentiles of the losses in `of`, by default of all given losses.
    """
    members, others = _losses("inside", inside), _losses("outside", outside)
    everybody = of or (members, others)
    at = np.quantile(np.concatenate([np.ravel(x) for x in everybody]), np.linspace(0, 1, 101))
    return (
        np.searchsorted(members, at, side="right") / members.size,
        np.searchsorted(others, at, side="right") / others.size,
    )


@_style.styled
def attack_and_promise(*, epsilon: float, runs: Mapping[str, Any], ax: Axes | None = None) -> Axes:
    """Draw ROC curves of the loss attack on models trained with and without noise, and a bound.

    The loss attack guesses that a patient is a member of the training set if the model's loss on
    the patient is below a threshold. Two kinds of training runs have no noise: runs with as many
    steps as DP-SGD, and long runs. The bound follows from the differential privacy of the runs with
    noise, and holds for every attack on them. The figure also states how often the loss attack is
    right: its threshold is chosen on the earlier half of the runs, and its success is measured on
    the later half.

    Examples
    --------
    >>> from dpteach.figures import alt_text
    >>> step = PoissonSubsampled(Gaussian(sigma=2.25), 0.1)
    >>> losses = ([[0.1, 0.2], [0.2, 0.3]], [[0.1, 0.3], [0.2, 0.4]])
    >>> runs = {"epsilon": [2], "step": [step], "steps": 100, "plain": [[0.9]],
    ...         "flexible": [[0.8]], "without": (0.97, 0.87), "losses": [losses] * 3}
    >>> text = alt_text(attack_and_promise(epsilon=2, runs=runs))
    >>> "a row was added is right more than 59.1% of the time" in text
    True
    """
    known, i = _place(runs, epsilon)
    if len(runs["losses"]) != len(known) + 2:
        raise ValueError(
            f"runs must have {len(known) + 2} pairs of losses, got {len(runs['losses'])}"
        )
    axes = _style.new_axes(ax)
    axes.figure.subplots_adjust(left=0.158, right=0.921)
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
        xlabel=_("false positive rate"),
        ylabel=_("true positive rate"),
        title=_(
            "ε = {known:g}: at most {percent:.1f}% correct, measured {percent_2:.1f}%",
            known=known[i],
            percent=100 * most,
            percent_2=100 * hits[2],
        ),
    )
    for axis in (axes.xaxis, axes.yaxis):
        axis.set_major_formatter(lambda value, place: f"{100 * value:g}%")
    for y, name, look in (
        (0.34, _("bound for any attack"), _LIMIT),
        (0.265, _("long, no noise"), _OUT),
        (0.19, _("control, no noise"), _STEPS),
        (0.115, "DP-SGD", _IN),
        (0.04, _("guessing"), guess),
    ):
        axes.plot([0.53, 0.61], [y + 0.015] * 2, **look)
        axes.text(0.63, y, name, color=look["color"])
    return _style.describe(
        axes,
        _(
            "The true positive rate of attacks is plotted against the false positive "
            "rate. By the guarantee with epsilon {known:g}, no attack that guesses "
            "whether a row was added is right more than {percent:.1f}% of the time "
            "at even odds. The loss attack is right {percent_2:.1f}% of the time, "
            "{percent_3:.1f}% after the same steps without noise, and "
            "{percent_4:.1f}% after long training without noise.",
            known=known[i],
            percent=100 * most,
            percent_2=100 * hits[2],
            percent_3=100 * hits[1],
            percent_4=100 * hits[0],
        ),
    )


def limit_of(step: PoissonSubsampled, steps: int) -> FDP:
    """Return a certified lower bound on the trade-off curve of all training steps together.

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
