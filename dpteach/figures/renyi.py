"""Figures on Rényi differential privacy: curves, orders, and the privacy cost of k answers.

Unless a docstring says otherwise, the parameters of the figures are:

epsilon : float
    The epsilon of one run of a mechanism, in (0, 1], in nats.
delta : float
    The total delta of all answers, in [1e-30, 0.1].
sigma : float
    The standard deviation of the noise, in [1, 1000]; answers have sensitivity 1.
order : float
    The order a, in (1, 1000].
steps : int
    The largest number of answers, at least 2.
"""

from __future__ import annotations

import math

import numpy as np
from matplotlib.axes import Axes
from numpy.typing import NDArray

from dpteach import _check, conversions
from dpteach._language import N_, catalog
from dpteach.calibration import calibrate
from dpteach.curves import gaussian_epsilons, renyi_epsilons, zcdp_epsilons
from dpteach.figures import _style
from dpteach.figures._shared import advanced_epsilon
from dpteach.mechanisms import Gaussian, Laplace, Mechanism, RandomizedResponse
from dpteach.mechanisms.classical import classical_gaussian_guarantee
from dpteach.notions import ZCDP, ApproxDP, GaussianDP, RenyiDP
from dpteach.notions._joint_range import delta_of_renyi
from dpteach.privacy_loss import DensityLoss

_, _n = catalog("figures")

__all__ = [
    "accountants",
    "cost_of_runs",
    "epsilon_by_order",
    "loss_laws",
    "loss_payoffs",
    "renyi_curves",
    "seven_bills",
]

Vector = NDArray[np.float64]

_EPSILON = _check.Domain("in (0, 1]", lambda x: 0 < x <= 1)
_SIGMA = _check.Domain("in [1, 1000]", lambda x: 1 <= x <= 1000)
_DELTA = _check.Domain("in [1e-30, 0.1]", lambda x: 1e-30 <= x <= 0.1)
_ORDER = _check.Domain("in (1, 1000]", lambda x: 1 < x <= 1000)
_TOP = _check.Domain("in [0.1, 100]", lambda x: 0.1 <= x <= 100)


def _counts(steps: int, size: int = 26) -> list[int]:
    """Return up to `size` numbers of runs to plot, from 1 to `steps`, denser near 1."""
    spread = 1 + (steps - 1) * np.linspace(0, 1, size) ** 2
    return [int(k) for k in np.unique(spread.round())]


def _three(epsilon: float, delta: float) -> dict[str, Mechanism]:
    """Return three (epsilon, delta)-DP mechanisms: two with pure DP, and Gaussian noise."""
    return {
        N_("randomized response"): RandomizedResponse(epsilon=epsilon),
        N_("Laplace noise"): Laplace(scale=1 / epsilon),
        N_("Gaussian noise"): calibrate(Gaussian, ApproxDP(epsilon, delta)),
    }


@_style.styled
def loss_laws(
    *, epsilon: float, runs: int = 1, most: int = 1000, delta: float = 1e-5, ax: Axes | None = None
) -> Axes:
    """Draw the distributions of the privacy loss of three mechanisms, each (epsilon, delta)-DP.

    The mechanisms are randomized response with parameter `epsilon`, Laplace noise of scale
    1/epsilon, and the least Gaussian noise that is (epsilon, delta)-DP. The loss is the total loss
    of all runs of a mechanism. Each mechanism has a row, and all rows are scaled to the same
    height: a stick for each possible loss of randomized response, a histogram for Laplace noise,
    and the density for Gaussian noise.

    Parameters
    ----------
    epsilon : float
        The epsilon of one run, in (0, 1], in nats.
    runs : int
        The number of runs, from 1 to `most`.
    most : int
        The number of runs for which the horizontal axis has room, from 1 to 1000. The axis stays
        the same while `runs` changes.
    delta : float
        The delta of one run, in [1e-30, 0.1].
    ax : Axes, optional

    Returns
    -------
    Axes

    Raises
    ------
    ValueError, TypeError
        If a parameter is outside its range.

    Examples
    --------
    >>> from dpteach.figures import alt_text
    >>> text = alt_text(loss_laws(epsilon=0.5, runs=100))
    >>> "Gaussian noise has mean 1.01 and standard deviation 1.42" in text
    True
    """
    epsilon = _check.real("epsilon", epsilon, _EPSILON)
    delta = _check.real("delta", delta, _DELTA)
    runs, most = _check.count("runs", runs), _check.count("most", most)
    if not runs <= most <= 1000:
        raise ValueError(
            f"runs and most must be runs <= most <= 1000, got runs={runs} and most={most}"
        )
    axes = _style.new_axes(ax)
    axes.figure.subplots_adjust(left=0.03)
    three = _three(epsilon, delta)
    once = [_moments(mechanism) for mechanism in three.values()]
    # the sum of a few bounded losses fills its range, but the sum of many losses stays near its
    # mean, so the axis ends where the range ends or at 3.5 standard deviations from the mean,
    # whichever is nearer
    end, counts = 1.3 * most * epsilon, np.arange(1, most + 1)
    low = max(-end, min(float((m * counts - 3.5 * s * counts**0.5).min()) for m, s in once))
    high = min(end, max(m * most + 3.5 * s * most**0.5 for m, s in once))
    bars = max(1, round(80 * epsilon / (high - low)))
    width, said = epsilon / bars, []
    for i, ((name, mechanism), (m, s)) in enumerate(zip(three.items(), once, strict=True)):
        base, color = 2.0 - i, _style.COLORS[i]
        mean, spread = runs * m, runs**0.5 * s
        if isinstance(mechanism, RandomizedResponse):
            true = np.arange(runs + 1.0)
            # import scipy.stats only here, because importing it takes a second
            from scipy.stats import binom

            law = binom.pmf(true, runs, mechanism.truth_probability)
            losses = (2 * true - runs) * epsilon
            axes.vlines(losses, base, base + 0.62 * law / law.max(), color=color, lw=1.6)
        elif isinstance(mechanism, Laplace):
            losses, law = _laplace_bars(mechanism, runs, bars)
            edges = np.append(losses - width / 2, losses[-1] + width / 2)
            heights = base + 0.62 * law / law.max()
            axes.stairs(heights, edges, baseline=base, fill=True, color=color)
        else:
            at = np.linspace(-5, 5, 201)
            heights = base + 0.62 * np.exp(-(at**2) / 2)
            axes.fill_between(mean + spread * at, base, heights, color=color, lw=0)
        axes.axhline(base, color="#444444", lw=0.8, ls="-")
        axes.text(high, base + 0.72, _(name), color=color, ha="right", va="center")
        axes.plot([mean, mean], [base - 0.06, base + 0.62], color=_style.BLACK, lw=1.2, ls="-")
        said.append(
            _(
                "{name} has mean {mean:.3g} and standard deviation {spread:.3g}",
                name=_(name),
                mean=mean,
                spread=spread,
            )
        )
    rows = np.arange(3.0)
    axes.vlines([0] * 3, rows, rows + 0.62, color=_style.GREY, lw=0.8)
    if runs * epsilon <= high:
        axes.vlines([runs * epsilon] * 3, rows, rows + 0.62, color=_style.GREY, lw=1.2, ls=":")
    axes.set(xlim=(low, high), ylim=(-0.1, 2.95), yticks=[])
    axes.spines["left"].set_visible(False)
    axes.grid(axis="y", visible=False)
    times = _("one release") if runs == 1 else _("{runs:,} releases together", runs=runs)
    axes.set_xlabel(_("privacy loss of {times}, in nats", times=times))
    return _style.describe(
        axes,
        _(
            "Three rows show the distributions of the privacy loss of {times}: "
            "{said}. A single release of each mechanism is ({epsilon:g}, "
            "{delta:g})-DP.",
            times=times,
            said="; ".join(said),
            epsilon=epsilon,
            delta=delta,
        ),
    )


def _moments(mechanism: Mechanism) -> tuple[float, float]:
    """Return the mean and the standard deviation of the privacy loss of one run."""
    if isinstance(mechanism, Gaussian):
        return 1 / (2 * mechanism.sigma**2), 1 / mechanism.sigma
    if isinstance(mechanism, RandomizedResponse):
        true = mechanism.truth_probability
        losses, law = np.array([-1.0, 1.0]) * mechanism.epsilon, np.array([1 - true, true])
    else:
        losses, law = _laplace_bars(mechanism, 1, 500)
    mean = float(losses @ law)
    return mean, float(((losses - mean) ** 2 @ law) ** 0.5)


def _laplace_bars(mechanism: Mechanism, runs: int, bars: int) -> tuple[Vector, Vector]:
    """Return the middles of a histogram's bars, and the probability of the total loss in each.

    The total loss is that of all `runs`. The middles are the multiples of epsilon / `bars`, where
    epsilon is the largest loss of one run. Some multiples of epsilon are total losses of positive
    probability, so each must be in the middle of a bar, not at the edge between two.
    """
    loss = mechanism.privacy_loss()
    assert isinstance(loss, DensityLoss)
    # the losses are first rounded to a finer grid, with this number of cells in each bar; it is
    # odd, so that one cell is in the middle
    cells = 2 * math.ceil(20 / bars) + 1
    size = bars * cells
    # a fine grid of noisy answers. Its shift by 0.3 steps keeps losses off the edges between
    # cells, where rounding errors would decide to which cell a loss belongs
    answers = loss.scale * 0.002 * np.arange(-9999.7, 10000)
    shares = (loss.log_p(answers) - loss.log_q(answers)) / loss.max()
    once = np.bincount(np.rint(size * (1 + shares)).astype(int), np.exp(loss.log_p(answers)))
    count = runs * 2 * size + 1
    fine = np.maximum(np.fft.irfft(np.fft.rfft(once / once.sum(), count) ** runs, count), 0)
    law = np.pad(fine, cells // 2).reshape(-1, cells).sum(axis=1)
    places = loss.max() / bars * np.arange(-runs * bars, runs * bars + 1)
    return np.asarray(places, dtype=np.float64), np.asarray(law / law.sum(), dtype=np.float64)


@_style.styled
def renyi_curves(*, epsilon: float, delta: float = 1e-5, ax: Axes | None = None) -> Axes:
    """Draw the Rényi divergences of three (epsilon, delta)-DP mechanisms against the order.

    The mechanisms are randomized response with parameter `epsilon`, Laplace noise of scale
    1/epsilon, and the least Gaussian noise that is (epsilon, delta)-DP. Answers have sensitivity
    1.

    Examples
    --------
    >>> from dpteach.figures import alt_text
    >>> "Gaussian noise 0.00106 and 0.529" in alt_text(renyi_curves(epsilon=0.1))
    True
    """
    epsilon = _check.real("epsilon", epsilon, _EPSILON)
    delta = _check.real("delta", delta, _DELTA)
    axes = _style.new_axes(ax)
    orders = [float(a) for a in np.geomspace(1, 1000, 60)]
    at = []
    for i, (name, mechanism) in enumerate(_three(epsilon, delta).items()):
        axes.plot(
            orders,
            mechanism.guarantee(RenyiDP, orders=orders).epsilons,
            **_style.series(i) | {"marker": _style.MARKERS[i]},
            markevery=12,
            label=_(name),
        )
        low, high = mechanism.guarantee(RenyiDP, orders=[2.0, 1000.0]).epsilons
        at.append(_("{name} {low:.3g} and {high:.3g}", name=_(name), low=low, high=high))
    axes.axhline(epsilon, color=_style.GREY, linewidth=1, linestyle=":")
    axes.set(
        xlabel=_("order $\\alpha$"),
        ylabel=_("Rényi divergence (nats)"),
        title=_("Three mechanisms, each ({epsilon:g}, {delta:g})-DP", epsilon=epsilon, delta=delta),
        xscale="log",
        yscale="log",
        xlim=(1, 1000),
        ylim=(epsilon**2 / 50, 20 * epsilon),
    )
    _style.ticks(axes.xaxis, [1, 10, 100, 1000])
    axes.minorticks_off()
    axes.legend(loc="upper left")
    return _style.describe(
        axes,
        _(
            "The figure shows the Rényi curves of three mechanisms that are all "
            "({epsilon:g}, {delta:g})-DP. At the orders 2 and 1000 the divergences "
            "are: {at}. The first two curves level off at {epsilon:g}; the third is "
            "a straight line that starts lowest and grows without bound.",
            epsilon=epsilon,
            delta=delta,
            at=", ".join(at),
        ),
    )


@_style.styled
def cost_of_runs(
    *, epsilon: float, delta: float = 1e-5, steps: int = 200, ax: Axes | None = None
) -> Axes:
    """Plot the epsilon of k runs of three (epsilon, delta)-DP mechanisms, by Rényi divergences.

    The mechanisms are randomized response with parameter `epsilon`, Laplace noise of scale
    1/epsilon, and the least Gaussian noise that is (epsilon, delta)-DP. The delta of all k runs
    together is also `delta`. The epsilon is the smallest over Rényi orders from 1.03 to 4001.
    For the first two mechanisms, the order infinity is also tried.

    Examples
    --------
    >>> from dpteach.figures import alt_text
    >>> text = alt_text(cost_of_runs(epsilon=0.1))
    >>> "After 200 runs the best orders give randomized response 6.99" in text
    True
    """
    epsilon = _check.real("epsilon", epsilon, _EPSILON)
    delta = _check.real("delta", delta, _DELTA)
    steps = _check.count("steps", steps, minimum=2)
    axes = _style.new_axes(ax)
    runs = _counts(steps)
    finite = [float(a) for a in 1 + np.geomspace(0.03, 4000, 90)]
    last = []
    for i, (name, mechanism) in enumerate(_three(epsilon, delta).items()):
        orders = finite if isinstance(mechanism, Gaussian) else [*finite, math.inf]
        once = mechanism.guarantee(RenyiDP, orders=orders)
        cost = renyi_epsilons(once, runs, delta)
        axes.plot(runs, cost, **_style.series(i), markevery=5, label=_(name))
        last.append(f"{_(name)} {cost[-1]:.3g}")
    axes.plot([0, steps], [0, steps * epsilon], color=_style.GREY, linewidth=1, linestyle=":")
    axes.annotate(
        r"$k\varepsilon$",
        (0.8 * steps, 0.8 * steps * epsilon),
        (-6, 4),
        textcoords="offset points",
        ha="right",
        color=_style.GREY,
    )
    axes.set(
        xlabel=_("runs $k$"),
        ylabel=_("$\\varepsilon$ (nats)"),
        title=_("What k runs cost, δ = {delta:g}", delta=delta),
        xlim=(0, steps),
        ylim=(0, steps * epsilon),
    )
    axes.legend(loc="upper left")
    return _style.describe(
        axes,
        _(
            "Epsilon at delta {delta:g} against the number of runs of three "
            "mechanisms that are all ({epsilon:g}, {delta:g})-DP. After {steps} runs "
            "the best orders give {last}; adding up gives {epsilon_2:g}.",
            delta=delta,
            epsilon=epsilon,
            steps=steps,
            last=", ".join(last),
            epsilon_2=steps * epsilon,
        ),
    )


@_style.styled
def loss_payoffs(*, order: float, ax: Axes | None = None) -> Axes:
    """Draw the penalty for a privacy loss L, and two upper bounds on this penalty.

    The penalty is (1 - e^(epsilon - L))+, and its mean is delta. For the Rényi order a, one bound,
    by Markov's inequality, is e^((a-1)(L - epsilon)). The better bound is the smallest multiple of
    this exponential that is nowhere below the penalty.

    Examples
    --------
    >>> from dpteach.figures import alt_text
    >>> "touches the penalty 0.405 nats above epsilon" in alt_text(loss_payoffs(order=3.0))
    True
    """
    order = _check.real("order", order, _ORDER)
    axes = _style.new_axes(ax)
    x = np.linspace(-2, 3, 151)
    with np.errstate(over="ignore"):
        markov = np.exp((order - 1) * x)
    factor = delta_of_renyi(order, 0.0, 0.0)
    touch = -math.log1p(-1 / order)
    axes.plot(x, np.maximum(0, -np.expm1(-x)), **_style.line(0), label=_("penalty of the loss"))
    axes.plot(x, markov, **_style.line(1), label=_("bound of Markov’s conversion"))
    axes.plot(x, factor * markov, **_style.line(2), label=_("bound of the better conversion"))
    axes.plot([touch], [-math.expm1(-touch)], **_style.mark(2))
    axes.step([-2, 0, 3], [0, 1, 1], color=_style.GREY, linewidth=1, linestyle=":", where="post")
    axes.annotate(_("1 if L > ε"), (2.95, 1.04), ha="right", color=_style.BLACK)
    axes.set(
        xlabel=_("privacy loss minus epsilon, $L - \\varepsilon$ (nats)"),
        ylabel=_("penalty"),
        title=_("Penalty of a privacy loss, and its bounds at order {order:g}", order=order),
        xlim=(-2, 3),
        ylim=(-0.03, 2),
    )
    axes.legend(loc="upper left")
    _style.handle(axes, order=(touch, -math.expm1(-touch)))
    return _style.describe(
        axes,
        _(
            "The penalty of a privacy loss is 0 up to epsilon and then rises toward "
            "1. Two exponentials of order {order:g} bound it from above. The bound "
            "of Markov's conversion is 1 at epsilon. The bound of the better "
            "conversion is {factor:.3f} times as high and touches the penalty "
            "{touch:.3f} nats above epsilon.",
            order=order,
            factor=factor,
            touch=touch,
        ),
    )


@_style.styled
def epsilon_by_order(
    *, sigma: float, k: int, delta: float = 1e-5, largest: float = 100, ax: Axes | None = None
) -> Axes:
    """Draw two bounds on the epsilon of k Gaussian releases against the Rényi order.

    One bound converts the Rényi divergence by Markov's inequality, the other by a better theorem.
    The bounds are drawn in multiples of the exact epsilon, so that one axis fits all k and sigma.

    Parameters
    ----------
    k : int
        The number of releases, at least 1.
    largest : float
        The largest order of a usual search, in (1, 1000]; larger orders are shaded.

    Examples
    --------
    >>> from dpteach.figures import alt_text
    >>> text = alt_text(epsilon_by_order(sigma=200.0, k=1))
    >>> "order 960.7, where it gives 0.0240" in text, "A search that ends at order 100" in text
    (True, True)
    """
    sigma = _check.real("sigma", sigma, _SIGMA)
    k = _check.count("k", k)
    delta = _check.real("delta", delta, _DELTA)
    largest = _check.real("largest", largest, _ORDER)
    axes = _style.new_axes(ax)
    mechanism = Gaussian(sigma=sigma)
    orders = [float(a) for a in 1 + np.geomspace(0.02, 4999, 120)]
    curve = mechanism.guarantee(RenyiDP, orders=orders).self_compose(k)
    pairs = list(zip(curve.orders, curve.epsilons, strict=True))
    markov = [conversions.renyi_to_epsilon_mironov(a, e, delta) for a, e in pairs]
    better = [conversions.renyi_to_epsilon(a, e, delta) for a, e in pairs]
    rho = mechanism.guarantee(ZCDP).self_compose(k).rho
    best = 1 + math.sqrt(-math.log(delta) / rho)
    least = conversions.zcdp_to_epsilon_bun_steinke(rho, delta)
    better_least = min(better)
    exact = mechanism.guarantee(GaussianDP).self_compose(k).epsilon_at(delta)
    axes.axvspan(largest, 5e3, color="#EEEEEE", zorder=0)
    axes.plot(
        orders,
        np.divide(markov, exact),
        **_style.line(0),
        label=_("Markov’s conversion: {least} at best", least=_digits(least)),
    )
    axes.plot([best], [least / exact], **_style.mark(0))
    axes.plot(
        orders,
        np.divide(better, exact),
        **_style.line(1),
        label=_("better conversion: {better_least} at best", better_least=_digits(better_least)),
    )
    axes.plot([orders[int(np.argmin(better))]], [better_least / exact], **_style.mark(1))
    axes.axhline(
        1,
        color=_style.BLACK,
        linewidth=1.2,
        linestyle=":",
        label=_("exact: {exact}", exact=_digits(exact)),
    )
    axes.set(
        xlabel=_("order $\\alpha$"),
        ylabel=_("bound on $\\varepsilon$ / exact $\\varepsilon$"),
        title=_(
            "{releases}, σ = {sigma:g}, δ = {delta:g}",
            releases=_n("{count} release", "{count} releases", k),
            sigma=sigma,
            delta=delta,
        ),
        xscale="log",
        yscale="log",
        xlim=(1, 5e3),
        ylim=(0.8, 12),
    )
    _style.ticks(axes.xaxis, [1, 2, 5, 10, 100, 1000])
    _style.ticks(axes.yaxis, [1, 1.5, 2, 3, 5, 10])
    _style.legend_above(axes)
    _style.handle(axes, k=(best, least / exact))
    inside = min(largest, best)
    bounded = conversions.renyi_to_epsilon_mironov(
        inside, mechanism.guarantee(RenyiDP, orders=inside).self_compose(k).epsilons[0], delta
    )
    search = (
        _(
            "A search that ends at order {largest:g} stops at {bounded:.3g}.",
            largest=largest,
            bounded=bounded,
        )
        if best > largest
        else _("A search that ends at order {largest:g} finds the best order.", largest=largest)
    )
    return _style.describe(
        axes,
        _(
            "The figure shows bounds on the epsilon of {releases} with "
            "Gaussian noise of standard deviation {sigma:g} at delta {delta:g}, "
            "against the order. Markov's conversion first falls and then rises; it "
            "is smallest at order {best:.1f}, where it gives {least}. The better "
            "conversion reaches {better_least}, and the exact value is {exact}. "
            "{search}",
            releases=_n("{count} release", "{count} releases", k),
            sigma=sigma,
            delta=delta,
            best=best,
            least=_digits(least),
            better_least=_digits(better_least),
            exact=_digits(exact),
            search=search,
        ),
    )


def _digits(value: float) -> str:
    """Return a number as text with three significant digits, and final zeros, as in 0.0240."""
    return f"{value:#.3g}".rstrip(".")


@_style.styled
def accountants(
    *,
    order: float,
    sigma: float = 200.0,
    delta: float = 1e-5,
    steps: int = 500,
    top: float = 1.5,
    ax: Axes | None = None,
) -> Axes:
    """Plot epsilon of k = 1, ..., steps Gaussian releases as computed by five accountants.

    The first accountant is advanced composition: half of delta is for the releases, each by the
    textbook formula for Gaussian noise, and half is the slack. The second is Rényi DP at one order,
    converted by Markov's inequality. The third is zCDP, which is Rényi DP at the best order for
    each k. The fourth is zCDP with a better conversion. The fifth is the exact value. The second
    curve touches the third at one number of releases.

    Parameters
    ----------
    top : float
        The upper end of the vertical axis, in [0.1, 100].

    Examples
    --------
    >>> from dpteach.figures import alt_text
    >>> text = alt_text(accountants(order=60))
    >>> "0.570 by Rényi DP at order 60, 0.543 by zCDP" in text
    True
    >>> "touches it at 264.6 releases" in text
    True
    """
    order = _check.real("order", order, _ORDER)
    sigma = _check.real("sigma", sigma, _SIGMA)
    delta = _check.real("delta", delta, _DELTA)
    steps = _check.count("steps", steps, minimum=2)
    top = _check.real("top", top, _TOP)
    axes = _style.new_axes(ax)
    mechanism = Gaussian(sigma=sigma)
    k = _counts(steps)
    advanced = [advanced_epsilon(mechanism, n, delta) for n in k]
    curve = mechanism.guarantee(RenyiDP, orders=order)
    concentrated = mechanism.guarantee(ZCDP)
    normal = mechanism.guarantee(GaussianDP)
    fixed = [
        conversions.renyi_to_epsilon_mironov(order, curve.self_compose(n).epsilons[0], delta)
        for n in k
    ]
    rhos = [concentrated.self_compose(n).rho for n in k]
    envelope = [conversions.zcdp_to_epsilon_bun_steinke(rho, delta) for rho in rhos]
    better = zcdp_epsilons(rhos, delta)
    exact = gaussian_epsilons(np.sqrt(k) * normal.mu, delta)
    axes.plot(k, advanced, **_style.line(3), label=_("advanced composition"))
    axes.plot(k, fixed, **_style.line(1), label=_("Rényi DP, order {order:g}", order=order))
    axes.plot(k, envelope, **_style.line(0), label=_("zCDP"))
    axes.plot(k, better, **_style.line(2), label=_("zCDP, better conversion"))
    axes.plot(k, exact, color=_style.BLACK, linewidth=1.2, label=_("exact"))
    touch = -math.log(delta) / (concentrated.rho * (order - 1) ** 2)
    at_touch = conversions.zcdp_to_epsilon_bun_steinke(touch * concentrated.rho, delta)
    seen = 1 <= touch <= 0.98 * steps and at_touch <= top
    if seen:
        axes.plot([touch], [at_touch], **_style.mark(1))
    axes.set(
        xlabel=_("number of releases $k$"),
        ylabel=_("$\\varepsilon$ (nats)"),
        title=_("σ = {sigma:g}, total δ = {delta:g}", sigma=sigma, delta=delta),
        xlim=(0, steps),
        ylim=(0, top),
    )
    _style.legend_above(axes)
    # put the draggable point where the curve of one order touches the curve of zCDP, or elsewhere
    # on the curve of one order if they touch outside the axes
    end = min(0.95 * steps, float(np.interp(0.95 * top, fixed, k)))
    _style.handle(axes, order=(touch, at_touch) if seen else (end, float(np.interp(end, k, fixed))))
    return _style.describe(
        axes,
        _(
            "The figure plots epsilon at a total delta of {delta:g} against the "
            "number of releases, for noise of standard deviation {sigma:g}. After "
            "{steps} releases, epsilon is {advanced:.3f} by advanced composition, "
            "{fixed:.3f} by Rényi DP at order {order:g}, {envelope:.3f} by zCDP, "
            "{better:.3f} by zCDP with the better conversion, and {exact:.3f} by "
            "exact computation. The straight line of order {order:g} is nowhere "
            "below the zCDP curve and touches it at {touch}.",
            delta=delta,
            sigma=sigma,
            steps=steps,
            advanced=advanced[-1],
            fixed=fixed[-1],
            order=order,
            envelope=envelope[-1],
            better=better[-1],
            exact=exact[-1],
            touch=_("{releases:.1f} releases", releases=touch)
            if seen
            else _("{releases:.1f} releases, outside the axes", releases=touch),
        ),
    )


@_style.styled
def seven_bills(*, sigma: float, k: int, delta: float = 1e-5, ax: Axes | None = None) -> Axes:
    """Plot epsilon of k Gaussian releases of sensitivity 1, as computed by seven accountants.

    The accountants are basic composition, advanced composition, Rényi DP at order 20 and at order
    60, zCDP, zCDP with a better conversion, and exact computation.

    Parameters
    ----------
    sigma : float
        The standard deviation of the noise, in [1, 1000].
    k : int
        The number of releases, from 2 to 10^6.
    delta : float
        The total delta of all releases, in [1e-30, 0.1].
    ax : Axes, optional

    Returns
    -------
    Axes

    Raises
    ------
    ValueError, TypeError
        If a parameter is outside its range, or if the epsilon of a single release is so large that
        the textbook formula for Gaussian noise does not hold.

    Examples
    --------
    >>> from dpteach.figures import alt_text
    >>> "basic composition: 14.979" in alt_text(seven_bills(sigma=200, k=500))
    True
    """
    sigma = _check.real("sigma", sigma, _SIGMA)
    delta = _check.real("delta", delta, _DELTA)
    k = _check.count("k", k, minimum=2)
    if k > 10**6:
        raise ValueError(f"k must be at most 10**6, got k={k}")
    axes = _style.new_axes(ax)
    axes.figure.subplots_adjust(left=0.396, right=0.908)
    count = Gaussian(sigma=sigma)
    line = count.guarantee(RenyiDP, orders=[20, 60]).self_compose(k)
    rho = count.guarantee(ZCDP).self_compose(k).rho
    by_order = [
        conversions.renyi_to_epsilon_mironov(order, renyi, delta)
        for order, renyi in zip(line.orders, line.epsilons, strict=True)
    ]
    bills = {
        N_("basic composition"): classical_gaussian_guarantee(count, delta=delta / k)
        .self_compose(k)
        .epsilon,
        N_("advanced composition"): advanced_epsilon(count, k, delta),
        N_("Rényi DP, order 20"): by_order[0],
        N_("Rényi DP, order 60"): by_order[1],
        "zCDP": conversions.zcdp_to_epsilon_bun_steinke(rho, delta),
        N_("zCDP, better conversion"): conversions.zcdp_to_epsilon(rho, delta),
        N_("exact"): count.guarantee(GaussianDP).self_compose(k).epsilon_at(delta),
    }
    for place, (name, bill) in zip(range(len(bills))[::-1], bills.items(), strict=True):
        color = _style.VERMILLION if name == "exact" else _style.BLUE
        axes.axhline(place, color="#BBBBBB", lw=0.8, ls=":")
        axes.plot(bill, place, marker="D" if name == "exact" else "o", color=color, ls="")
        axes.text(1.12 * bill, place, f"{bill:.3f}", va="center", color=color)
    axes.set_yticks(range(len(bills))[::-1], [_(name) for name in bills])
    axes.set(xscale="log", xlim=(bills["exact"] / 2, 2 * bills["basic composition"]))
    axes.set_xlabel(_("$\\varepsilon$ of all releases (nats)"))
    axes.xaxis.set_major_formatter(lambda value, place: f"{value:g}")
    axes.grid(axis="y", visible=False)
    return _style.describe(
        axes,
        _(
            "Seven accountants compute the epsilon of {k} Gaussian releases with "
            "standard deviation {sigma:g} at a total delta of {delta:g}. The results "
            "are as follows: {results}.",
            k=k,
            sigma=sigma,
            delta=delta,
            results="; ".join(f"{_(name)}: {bill:.3f}" for name, bill in bills.items()),
        ),
    )
