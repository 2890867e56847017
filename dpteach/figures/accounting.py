"""Figures and tables on sums of privacy losses, accountants' bounds, and a benchmark of libraries.

The functions on the benchmark have the parameter:

results : mapping
    The measurements that `make bench RECORD=1` writes to ``tests/benchmarks/results.json``.
"""

from __future__ import annotations

import functools
import html
import math
import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from textwrap import fill
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.lines import Line2D
from numpy.typing import NDArray

from dpteach import _check
from dpteach._language import catalog
from dpteach._readable import ten_to
from dpteach.accountants import Accountant, enclosing_plds, rounded_plds
from dpteach.amplification import PoissonSubsampled
from dpteach.figures import _style
from dpteach.mechanisms import Gaussian, Laplace, RandomizedResponse
from dpteach.notions import PLD, Adjacency

_, _n = catalog("figures")

__all__ = [
    "benchmark",
    "growth",
    "law_of_a_sum",
    "split_loss",
    "tilted_transform",
    "year_by_mesh",
]

Vector = NDArray[np.float64]

#: the colors and markers of the compared libraries in the plots, dpteach first
_MARKS = (
    (_style.BLUE, "o"),
    (_style.VERMILLION, "s"),
    (_style.GREEN, "^"),
    (_style.PURPLE, "D"),
    (_style.BLACK, "v"),
    (_style.GREY, "P"),
    (_style.VERMILLION, "X"),
)
Line = Mapping[str, Any]

_LOSS = _check.Domain("in (0, 5]", lambda x: 0 < x <= 5)
_STEP = _check.Domain("in (0, 1]", lambda x: 0 < x <= 1)


@_style.styled
def split_loss(*, loss: float, step: float, ax: Axes | None = None) -> Axes:
    """Plot the penalty of one privacy loss: exact, rounded up, or split between two grid points.

    A loss L with probability p contributes p times a penalty to delta. The penalty is the larger of
    0 and 1 - e^(epsilon - L), plotted as a function of e^epsilon. To split L, p is divided between
    the multiples of `step` below and above L, so that the mean of e^-L stays the same.

    Parameters
    ----------
    loss : float
        The privacy loss in nats, in (0, 5].
    step : float
        The distance of the grid points in nats, in (0, 1].

    Examples
    --------
    >>> text = _style.alt_text(split_loss(loss=1.0986, step=0.5))
    >>> print(text)  # doctest: +NORMALIZE_WHITESPACE
    The contribution of a privacy loss of 1.099 nats to delta, as a fraction of its probability,
    is plotted against x, e to the epsilon. At x = 3 the exact contribution is 0. The contribution
    becomes 0.0789 if 24% of the probability moves up to 1.5 and the rest down to 1, and 0.3306 if
    all of it moves up.
    """
    loss = _check.real("loss", loss, _LOSS)
    step = _check.real("step", step, _STEP)
    low = step * math.floor(loss / step)
    high = low + step
    up = (math.exp(-low) - math.exp(-loss)) / (math.exp(-low) - math.exp(-high))

    def charge(at: Vector, where: float) -> Vector:
        return np.maximum(0.0, 1.0 - at * math.exp(-where))

    x = np.linspace(0, 1.25 * math.exp(high), 501)
    corner = np.array([math.exp(loss)])
    ends = np.exp([low, high])

    def split(at: Vector) -> Vector:
        return up * charge(at, high) + (1 - up) * charge(at, low)

    axes = _style.new_axes(ax)
    axes.plot(x, charge(x, high), color=_style.BLUE, ls="-.", label=_("rounded up"))
    axes.plot(x, split(x), color=_style.VERMILLION, ls="--", label=_("split"))
    axes.plot(x, charge(x, loss), color=_style.BLACK, label=_("exact"))
    axes.plot(ends, split(ends), "o", color=_style.VERMILLION)
    axes.set(xlabel=_("x = exp(ε)"), ylabel=_("penalty of the loss"))
    axes.set(xlim=(0, x[-1]), ylim=(0, 1))
    axes.legend()
    halved, rounded = (float(line[0]) for line in (split(corner), charge(corner, high)))
    return _style.describe(
        axes,
        _(
            "The contribution of a privacy loss of {loss:.4g} nats to delta, as a "
            "fraction of its probability, is plotted against x, e to the epsilon. At "
            "x = {corner:.3g} the exact contribution is 0. The contribution becomes "
            "{halved:.3g} if {up:.0%} of the probability moves up to {high:g} and "
            "the rest down to {low:g}, and {rounded:.4g} if all of it moves up.",
            loss=loss,
            corner=corner[0],
            halved=halved,
            up=up,
            high=high,
            low=low,
            rounded=rounded,
        ),
    )


#: the values of `mesh` that `year_by_mesh` accepts
_MESHES = (0.01, 0.005, 0.002, 0.001, 0.0005, 0.0002, 0.0001)
_MESH = _check.Domain(f"one of {', '.join(map(str, _MESHES))}", lambda x: x in _MESHES)
#: for `year_by_mesh`: the delta of all releases in the year together, and for each of two
#: accountants in the book's story, the mesh (distance of grid points) used and the epsilon reported
_YEAR_DELTA = 1e-6
_TOLD = {"first": (0.001, 5.1140), "second": (0.0002, 4.9385)}


@functools.cache
def _year() -> dict[str, tuple[tuple[float, float], ...]]:
    """Return lower and upper bounds on the epsilon of all releases that `year_by_mesh` describes.

    The key "rounded" has the bounds for which each privacy loss is rounded to a grid point, and the
    key "chords" those for which its probability is split between two grid points. Each key has a
    pair of bounds for each distance of grid points in `_MESHES`.
    """
    events = (
        (Gaussian(sigma=20.0), 12),
        (Laplace(scale=60.0), 52),
        (RandomizedResponse(math.log(51 / 49), adjacency=Adjacency.ADD_REMOVE), 365),
        (PoissonSubsampled(Gaussian(sigma=1.0), 0.01), 2000),
    )
    brackets: dict[str, list[tuple[float, float]]] = {"rounded": [], "chords": []}
    for mesh in _MESHES:
        rounded = [rounded_plds(event, step=mesh) for event, _rest in events]
        chords = [enclosing_plds(event, step=mesh) for event, _rest in events]
        for name, laws in (("rounded", rounded), ("chords", chords)):
            ends = []
            for side in (0, 1):
                accountant = Accountant()
                for law, (_other, count) in zip(laws, events, strict=True):
                    accountant.compose(law[side], count)
                bracket = accountant.epsilon_at(_YEAR_DELTA)
                ends.append((bracket.lower, bracket.upper)[side])
            brackets[name].append((ends[0], ends[1]))
    return {name: tuple(found) for name, found in brackets.items()}


def _down(lower: float, digits: int = 2) -> str:
    """Return a lower bound as text, rounded down."""
    return f"{math.floor(lower * 10**digits) / 10**digits:.{digits}f}"


def _up(upper: float, digits: int = 2) -> str:
    """Return an upper bound as text, rounded up."""
    return f"{math.ceil(upper * 10**digits) / 10**digits:.{digits}f}"


@_style.styled
def year_by_mesh(*, mesh: float, chords: bool = False, ax: Axes | None = None) -> Axes:
    """Plot bounds on the epsilon of a year of releases against the spacing of the grid of losses.

    In the year, a hospital releases 12 tables with Gaussian noise of sigma 20, 52 counts with
    Laplace noise of scale 60, 365 answers by randomized response that are true with probability
    0.51, and 2,000 training steps with sigma 1 and sampling rate 0.01; delta is 1e-6. Each privacy
    loss is rounded down to a grid point for the lower bound, and up for the upper bound. The
    diamonds show the values of epsilon that two accountants in the book's story report.

    Parameters
    ----------
    mesh : float
        The distance of grid points that is marked, in nats: one of 0.01, 0.005, 0.002, 0.001,
        0.0005, 0.0002 and 0.0001.
    chords : bool
        Whether to draw also the bounds for which each loss is split between two grid points (see
        `split_loss`).

    Examples
    --------
    >>> text = _style.alt_text(year_by_mesh(mesh=0.001))
    >>> "On a mesh of 0.001, the bounds extend from 3.71 to 6.15." in text
    True
    """
    mesh = _check.real("mesh", mesh, _MESH)
    _check.instance("chords", chords, bool)
    axes = _style.new_axes(ax)
    axes.figure.subplots_adjust(left=0.132, right=0.96)
    brackets = _year()
    up, down = _style.line(1), _style.line(0)
    low, high = (np.array(ends) for ends in zip(*brackets["rounded"], strict=True))
    axes.fill_between(_MESHES, low, high, color=_style.GREY, alpha=0.15, lw=0)
    pale: dict[str, Any] = {"alpha": 0.5, "lw": 1.4} if chords else {}
    axes.plot(_MESHES, high, **up, **pale)
    axes.plot(_MESHES, low, **down, **pale)
    top, bottom = (6.2, 3.75) if chords else (9.5, 1.4)
    end = 0.0011 if chords else 0.0022
    axes.text(end, top, _("rounded up"), color=up["color"], ha="right", va="center")
    axes.text(end, bottom, _("rounded down"), color=down["color"], ha="right", va="center")
    at = _MESHES.index(mesh)
    if chords:
        under, over = (np.array(ends) for ends in zip(*brackets["chords"], strict=True))
        axes.plot(_MESHES, over, **up)
        axes.plot(_MESHES, under, **down)
        axes.text(0.0098, 5.2, _("split: upper bound"), color=up["color"], ha="right", va="center")
        axes.text(
            0.0036, 4.0, _("split: lower bound"), color=down["color"], ha="right", va="center"
        )
    axes.plot([mesh, mesh], [low[at], high[at]], color=_style.BLACK, lw=1.4)
    axes.plot([mesh, mesh], [low[at], high[at]], color=_style.BLACK, marker="_", ms=14, ls="none")
    for name, (told, epsilon) in _TOLD.items():
        axes.plot(told, epsilon, color=_style.BLACK, marker="D", ls="none")
        axes.annotate(
            _("first: {epsilon:.2f}", epsilon=epsilon)
            if name == "first"
            else _("second: {epsilon:.2f}", epsilon=epsilon),
            (told, epsilon),
            xytext=(-7, 10 * chords) if name == "first" else (12 * chords, 13),
            textcoords="offset points",
            ha="right" if name == "first" else "left" if chords else "center",
            va="center",
        )
    axes.set(
        xscale="log",
        xlim=(0.0001, 0.011),
        ylim=(3.5, 6.5) if chords else (-0.9, 12),
        xlabel=_("mesh in nats (finer to the left)"),
        ylabel=_("ε for the year"),
        title=_(
            "mesh {mesh:g}: ε is between {low} and {high}",
            mesh=mesh,
            low=_down(low[at]),
            high=_up(high[at]),
        ),
    )
    _style.ticks(axes.xaxis, _MESHES)
    _style.handle(axes, mesh=(mesh, float(low[at])))
    words = _(
        "Lower and upper bounds on the year's epsilon, computed with every loss "
        "rounded down or up, are plotted against the mesh. On a mesh of "
        "{mesh:g}, the bounds extend from {low} to {high}. The first accountant "
        "reported {first:.2f} on a mesh of 0.001, and the second reported "
        "{second:.2f} on a mesh of 0.0002.",
        mesh=mesh,
        low=_down(low[at]),
        high=_up(high[at]),
        first=_TOLD["first"][1],
        second=_TOLD["second"][1],
    )
    more = ""
    if chords:
        more = _(
            "With split losses, the bounds extend from {under} to {over}.",
            under=_down(under[at], 3),
            over=_up(over[at], 3),
        )
    return _style.describe(axes, words, more)


_SUM_STEP = 0.05
_SUM_SCALE = 2.0


@functools.cache
def _sum(k: int) -> PLD:
    """Return a pessimistic distribution of the total privacy loss of k counts, to bound delta."""
    return enclosing_plds(Laplace(scale=_SUM_SCALE), step=_SUM_STEP)[1].self_compose(k)


@_style.styled
def law_of_a_sum(*, k: int, epsilon: float, ax: Axes | None = None) -> Axes:
    """Plot the distribution of the total privacy loss of k counts, and each loss's part of delta.

    Each count has Laplace noise of scale 2. A loss L above epsilon contributes its probability
    times 1 - e^(epsilon - L) to delta.

    Parameters
    ----------
    k : int
        The number of counts, from 1 to 50.
    epsilon : float
        The epsilon for which delta is shown, in [0, 15], in nats.

    Examples
    --------
    >>> "At epsilon 2 delta is 0.125." in _style.alt_text(law_of_a_sum(k=10, epsilon=2.0))
    True
    """
    k = _check.count("k", k)
    if k > 50:
        raise ValueError(f"k must be at most 50, got k={k}")
    epsilon = _check.real("epsilon", epsilon, _check.Domain("in [0, 15]", lambda x: 0 <= x <= 15))
    axes = _style.new_axes(ax)
    axes.figure.subplots_adjust(left=0.04, right=0.96)
    law = _sum(k)
    # draw columns of the same width for every k
    width = 0.25
    losses, masses = np.array(law.losses), np.array(law.masses)
    edges: Vector = np.arange(-6 - width / 2, 16 + width, width)
    whole, _other = np.histogram(losses, edges, weights=masses)
    charge = masses * np.maximum(0.0, -np.expm1(epsilon - losses))
    charged, _other = np.histogram(losses, edges, weights=charge)
    top = float(whole.max())
    axes.stairs(whole / top, edges, fill=True, color=_style.BLUE, alpha=0.4)
    axes.stairs(charged / top, np.maximum(edges, epsilon), fill=True, color=_style.VERMILLION)
    delta = 0.0
    # delta is 0 if epsilon is at least the largest possible loss, k/2, so skip the accountant,
    # which would take a second
    if epsilon < k / _SUM_SCALE:
        delta = Accountant().compose(Laplace(scale=_SUM_SCALE), k).delta_at(epsilon).upper
    axes.plot([epsilon, epsilon], [0, 1.12], color=_style.BLACK, lw=1.2)
    axes.plot(epsilon, 1.12, color=_style.BLACK, marker="o", ls="none")
    axes.text(epsilon, 1.24, f"ε = {epsilon:g}", ha="center", va="bottom")
    axes.text(-5.9, 0.92, _("blue: distribution"), color=_style.BLUE)
    axes.text(-5.9, 0.82, _("orange: δ(ε)"), color=_style.VERMILLION)
    counts = _n("{count} count", "{count} counts", k)
    axes.set(
        xlim=(-6, 16),
        ylim=(0, 1.4),
        yticks=[],
        xlabel=_("total privacy loss of all counts, nats"),
        title=_(
            "{counts} with ε = 0.5 each: δ({epsilon:g}) = {delta:.3g}",
            counts=counts,
            epsilon=epsilon,
            delta=delta,
        ),
    )
    _style.ticks(axes.xaxis, [-5, 0, 5, 10, 15])
    axes.grid(axis="y", visible=False)
    axes.spines["left"].set_visible(False)
    _style.handle(axes, epsilon=(epsilon, 1.12))
    return _style.describe(
        axes,
        _(
            "The columns show the distribution of the total privacy loss of {counts} "
            "with Laplace noise of scale 2. At epsilon {epsilon:g} delta is "
            "{delta:.3g}.",
            counts=counts,
            epsilon=epsilon,
            delta=delta,
        ),
    )


@_style.styled
def tilted_transform(*, tilt: float, ax: Axes | None = None) -> Axes:
    """Plot a binomial distribution, exact and as a tilted fast Fourier transform computes it.

    The distribution is that of the number of true answers among 100 by randomized response that is
    truthful with probability 3/4. First, the probability of each privacy loss of one answer is
    multiplied by e^(tilt loss), and these products are normalized. Then a fast Fourier transform
    computes the distribution of the sum of 100 losses. Last, the tilt is undone.

    Parameters
    ----------
    tilt : float
        The tilt, in [-3, 3]; 0 is the Fourier transform without a tilt.

    Examples
    --------
    >>> text = _style.alt_text(tilted_transform(tilt=0.0))
    >>> "has a relative error below 0.1% for 40 to 100 true answers" in text
    True
    """
    tilt = _check.real("tilt", tilt, _check.Domain("in [-3, 3]", lambda x: -3 <= x <= 3))
    axes = _style.new_axes(ax)
    axes.figure.subplots_adjust(left=0.172, right=0.96)
    k, size = 100, 128
    true: NDArray[np.int64] = np.arange(k + 1)
    # import scipy.stats only here, because importing it takes a second
    from scipy.stats import binom

    truth = binom.pmf(true, k, 0.75)
    # the loss of a true randomized response is log 3, and that of a false one is -log 3. After each
    # probability is multiplied by e^(tilt loss), the true response has these log odds
    odds = math.log(3) * (1 + 2 * tilt)
    share = 1 / (1 + math.exp(-odds))
    once = np.zeros(size)
    once[0], once[1] = 1 - share, share
    summed = np.fft.irfft(np.fft.rfft(once) ** k, size)[: k + 1]
    log_moment = math.log(0.75 * 3**tilt + 0.25 * 3**-tilt)
    back = k * log_moment - tilt * math.log(3) * (2.0 * true - k)
    logs = np.log(np.maximum(np.abs(summed), 1e-300)) + back
    found = np.where(logs <= 0, np.exp(np.minimum(logs, 0.0)), np.nan)
    right = np.flatnonzero((summed > 0) & (np.abs(logs - np.log(truth)) < 1e-3))
    axes.plot(true, truth, color=_style.BLACK)
    axes.plot(true, found, color=_style.VERMILLION, marker=".", ls="none")
    axes.text(56, 1e-24, _("curve: exact"), color=_style.BLACK)
    axes.text(98, 1e-52, _("dots: computed\nby transform"), color=_style.VERMILLION, ha="right")
    peak = k * share
    axes.plot([peak, peak], [1e-66, 1], color=_style.BLACK, lw=1, ls=":")
    axes.plot(peak, 1, color=_style.BLACK, marker="o", ls="none", clip_on=False)
    axes.set(
        yscale="log",
        xlim=(0, 100),
        ylim=(1e-66, 1),
        xlabel=_("number of true answers among 100"),
        ylabel=_("probability"),
        title=_(
            "θ = {tilt:g}: correct for {min} to {max} true answers",
            tilt=tilt,
            min=right.min(),
            max=right.max(),
        ),
    )
    axes.set_yticks([10.0**-n for n in range(0, 67, 12)])
    _style.handle(axes, tilt=(peak, 1.0))
    return _style.describe(
        axes,
        _(
            "The probability of each number of true answers among 100 is plotted on "
            "a logarithmic axis, together with the value that a transform with tilt "
            "{tilt:g} computes. This value has a relative error below 0.1% for {min} "
            "to {max} true answers and consists only of rounding errors elsewhere.",
            tilt=tilt,
            min=right.min(),
            max=right.max(),
        ),
    )


@dataclass(frozen=True)
class Table:
    """Rows of text that a notebook shows as a table and a terminal as columns.

    Parameters
    ----------
    caption : str
    rows : list of list of str
        The first row has the headings of the columns.

    Examples
    --------
    >>> Table("Times", [["job", "time", ""], ["one", "2 ms", "fast"]]).only("job", "time")
    job  time
    one  2 ms
    """

    caption: str
    rows: list[list[str]]

    def only(self, *columns: str) -> Table:
        """Return a table that has only the columns with the given headings."""
        at = [self.rows[0].index(_check.one_of("columns", x, self.rows[0])) for x in columns]
        return Table(self.caption, [[row[i] for i in at] for row in self.rows])

    def __repr__(self) -> str:
        widths = [max(map(len, column)) for column in zip(*self.rows, strict=True)]
        return "\n".join(
            "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
            for row in self.rows
        )

    def _repr_html_(self) -> str:
        def line(cells: Sequence[str], tag: str) -> str:
            return f"<tr>{''.join(f'<{tag}>{html.escape(x)}</{tag[:2]}>' for x in cells)}</tr>"

        caption, heading = html.escape(self.caption), line(self.rows[0], 'th scope="col"')
        body = "".join(line(row, "td") for row in self.rows[1:])
        return (  # a table that is wider than the page scrolls inside its own box
            f'<div class="wide-table" tabindex="0" role="region" aria-label="{caption}" '
            'style="overflow-x: auto; font-size: 85%"><table class="table dataframe">'
            f"<caption>{caption}</caption><thead>{heading}</thead><tbody>{body}</tbody>"
            "</table></div>"
        )


def benchmark_table(results: Line) -> Table:
    """Return the benchmark's results as a table with one row for each job.

    Returns
    -------
    Table
        The first columns are the job and the time of each library. The column "ratio" is another
        library's time divided by dpteach's time; the job names this library as "peer". The column
        "wanted" is the goal for this ratio or for dpteach's time, "MiB" is dpteach's memory, and
        "remarks" says how wrong or how loose results are. A star marks the time of a result that
        is not a valid bound. A cell is empty where a library has no function for the job, and "-"
        where the library raised an error.

    Examples
    --------
    >>> line = {"seconds": 0.002, "memory": 80}
    >>> jobs = [{"name": "a", "asks": "one thing", "peer": "p", "reach": 10, "limit": None}]
    >>> both = {"dpteach": {"a": line}, "p": {"a": line | {"seconds": 0.05, "wrong": "infinite"}}}
    >>> benchmark_table({"jobs": jobs, "results": both})
    job        dpteach  p       ratio  wanted  MiB  remarks
    one thing  2 ms     50 ms*  25     10      80   p: infinite
    """
    found = _results(results)
    rows = [["job", *found, "ratio", "wanted", "MiB", "remarks"]]
    for job in results["jobs"]:
        lines = {name: of[job["name"]] for name, of in found.items() if job["name"] in of}
        if not lines:
            continue
        own, peer = lines.get("dpteach", {}), lines.get(job["peer"], {})
        ratio, wanted = "", f"{job['reach']:g}"
        if job["limit"] is not None:
            wanted = f"≤ {_time(job['limit'])}"
        elif "seconds" in own and "seconds" in peer:
            ratio = _number(peer["seconds"] / own["seconds"])
        said = {name: line.get("wrong") or line.get("loose") for name, line in lines.items()}
        remarks = [f"{name}: {_readable(remark)}" for name, remark in said.items() if remark]
        times = [
            _time(line["seconds"]) + "*" * _wrong(line) if "seconds" in line else "-" * bool(line)
            for line in (lines.get(name, {}) for name in found)
        ]
        memory = str(own.get("memory", ""))
        rows.append([_readable(job["asks"]), *times, ratio, wanted, memory, "; ".join(remarks)])
    return Table(_("Times of all libraries, and how they compare"), rows)


def growth_table(results: Line) -> Table:
    """Return a table of the time and memory of dpteach's accountant, with a row per problem size.

    Returns
    -------
    Table

    Examples
    --------
    >>> line = {"at": 100, "seconds": 0.5, "memory": 80, "value": [1.0, 1.25]}
    >>> growth_table({"jobs": [], "results": {}, "growth": {"steps": [line]}})
    what grows  to   time    MiB  ε
    steps       100  500 ms  80   1 to 1.25
    """
    _results(results)
    rows = [[_("what grows"), "to", "time", "MiB", "ε"]]
    for name, lines in results.get("growth", {}).items():
        for line in lines:
            bracket = " to ".join(f"{float(x):.7g}" for x in line["value"])
            at, memory = _number(line["at"]), f"{line['memory']}"
            rows.append([name, at, _time(line["seconds"]), memory, bracket])
    return Table(_("How time and memory of an accountant grow"), rows)


@_style.styled
def benchmark(*, results: Line, ax: Axes | None = None) -> Axes:
    """Plot each library's time for each job; a hollow marker means the result is no valid bound.

    Raises
    ------
    ValueError
        If `results` has no measured time of dpteach.

    Examples
    --------
    >>> line = {"seconds": 0.002, "memory": 80}
    >>> jobs = [{"name": "a", "asks": "one thing", "peer": "p", "reach": 10, "limit": None}]
    >>> both = {"dpteach": {"a": line}, "p": {"a": line | {"seconds": 0.05}}}
    >>> print(_style.alt_text(benchmark(results={"jobs": jobs, "results": both})))
    Times on a logarithmic axis, 1 row of marks, one for each job: one thing 2 ms by dpteach, \
25 times that by the slowest other. dpteach is the fastest in 1 of 1.
    """
    found = _results(results)
    own = found.get("dpteach", {})
    jobs = [job for job in results["jobs"] if "seconds" in own.get(job["name"], {})]
    if not jobs:
        raise ValueError("results must hold a time of dpteach, got results without one")
    axes = _style.new_axes(ax)
    if ax is None:
        height = 1.5 + 0.47 * len(jobs)
        figure = axes.figure
        figure.set_size_inches(6.4, height)  # type: ignore[union-attr]
        figure.subplots_adjust(left=0.45, top=1 - 0.72 / height, bottom=0.58 / height)
    words, first = [], 0
    for row, job in enumerate(jobs):
        lines = [of.get(job["name"], {}) for of in found.values()]
        mine, *others = _row_of_marks(axes, row, lines)
        first += all(mine <= time for time in others)
        if others:
            text = _(
                "{job} {time} by dpteach, {ratio:.3g} times that by the slowest other",
                job=job["asks"],
                time=_time(mine),
                ratio=max(others) / mine,
            )
        else:
            text = _("{job} {time} by dpteach", job=job["asks"], time=_time(mine))
        words.append(text)
    axes.set_xscale("log")
    names = [fill(_readable(job["asks"]), 32) for job in jobs]
    axes.set_yticks(range(len(jobs)), names)
    axes.set_ylim(len(jobs) - 0.5, -0.5)
    axes.set_xlabel(_("seconds"))
    handles = [
        Line2D([], [], linestyle="", color=color, marker=marker, label=name)
        for name, (color, marker) in zip(found, _marks(found), strict=True)
    ]
    axes.legend(handles=handles, loc="lower right", bbox_to_anchor=(1, 1), ncols=4, handlelength=1)
    rows = _n(
        "{count} row of marks, one for each job",
        "{count} rows of marks, one for each job",
        len(jobs),
    )
    hollow = any(_wrong(line) for of in found.values() for line in of.values())
    return _style.describe(
        axes,
        _(
            "Times on a logarithmic axis, {rows}: {words}. dpteach is the fastest in "
            "{first} of {jobs}.",
            rows=rows,
            words="; ".join(words),
            first=first,
            jobs=len(jobs),
        ),
        _("Hollow marks are outputs that are no bound.") if hollow else "",
    )


def _row_of_marks(axes: Axes, row: int, lines: Sequence[Line]) -> list[float]:
    """Draw the time of each library on one job, and return the times that were measured."""
    times = [line["seconds"] for line in lines if "seconds" in line]
    axes.plot(times, [row] * len(times), "-", color="#CCCCCC", lw=1)
    for line, (color, marker) in zip(lines, _marks(lines), strict=True):
        if "seconds" in line:
            face = "white" if _wrong(line) else color
            axes.plot(line["seconds"], row, marker, color=color, mfc=face, ms=7.5)
    return times


@_style.styled
def growth(*, results: Line, ax: Axes | None = None) -> Axes:
    """Plot how the time of dpteach's accountant grows with the size of a problem.

    There is a curve for each kind of size, such as the number of steps, of distinct mechanisms,
    or the inverse of the tolerance.

    Raises
    ------
    ValueError
        If `results` has no measurements at growing problem sizes.

    Examples
    --------
    >>> lines = [{"at": k, "seconds": k / 1e4, "memory": 80, "value": [1, 2]} for k in (10, 1000)]
    >>> results = {"jobs": [], "results": {}, "growth": {"steps": lines}}
    >>> print(_style.alt_text(growth(results=results)))
    Time against what grows, both logarithmic: steps from 10 to 1000, 1 ms to 100 ms.
    """
    _results(results)
    grown = results.get("growth", {})
    if not grown:
        raise ValueError("results must hold what grows, got results without growth")
    axes = _style.new_axes(ax)
    words = []
    for i, (name, lines) in enumerate(grown.items()):
        # a size below 1 is a tolerance; plot its inverse, because a smaller tolerance means more
        # work
        at = [line["at"] if line["at"] >= 1 else 1 / line["at"] for line in lines]
        axes.plot(at, [line["seconds"] for line in lines], label=name, **_style.series(i))
        ends = lines[0], lines[-1]
        words.append(
            _(
                "{name} from {ends:g} to {ends_2:g}, {ends_3} to {ends_4}",
                name=name,
                ends=ends[0]["at"],
                ends_2=ends[1]["at"],
                ends_3=_time(ends[0]["seconds"]),
                ends_4=_time(ends[1]["seconds"]),
            )
        )
    axes.set(xscale="log", yscale="log", ylabel=_("seconds"))
    axes.set_xlabel(_("steps, distinct events, or 1 / tolerance"))
    axes.legend()
    return _style.describe(
        axes, _("Time against what grows, both logarithmic: {words}.", words="; ".join(words))
    )


def _results(results: Line) -> dict[str, Line]:
    """Return the benchmark's results by library, dpteach first."""
    _check.instance("results", results, Mapping)
    if "jobs" not in results or "results" not in results:
        raise ValueError(
            "results must be those of a benchmark, with jobs and results, "
            f"got results={_check.shown(results)}"
        )
    found = dict(results["results"])
    return {name: found[name] for name in sorted(found, key=lambda name: name != "dpteach")}


def _marks(found: Collection[object]) -> Sequence[tuple[str, str]]:
    return [_MARKS[i % len(_MARKS)] for i in range(len(found))]


def _wrong(line: Line) -> bool:
    return bool(line.get("wrong"))


def _number(x: float) -> str:
    """Return a number as text with three significant digits, and with commas from 1,000 on."""
    return f"{float(f'{x:.3g}'):,.0f}" if x >= 1000 else f"{x:.3g}"


def _readable(text: str) -> str:
    """Return a remark of the benchmark with powers of ten in readable form, such as 10⁻⁵."""

    def product(at: re.Match[str]) -> str:
        power = f"{at[1]}·{ten_to(int(at[2]))}" if int(at[2]) else at[1]
        return power.removeprefix("1·")

    text = re.sub(r"\b(\d)e([-+]\d+)", product, text)
    return re.sub(r"\b10\^(\d+)", lambda at: ten_to(int(at[1])), text)


def _time(seconds: float) -> str:
    """Return a time in s, ms or µs as text with three significant digits."""
    unit, factor = ("s", 1.0) if seconds >= 1 else ("ms", 1e3) if seconds >= 1e-3 else ("µs", 1e6)
    value = seconds * factor
    digits = max(0, 2 - math.floor(math.log10(value))) if value > 0 else 0
    return f"{float(f'{value:.{digits}f}'):g} {unit}"
