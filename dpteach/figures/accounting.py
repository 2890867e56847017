"""Brackets of a privacy profile, and the benchmark of accountants, as pictures and as tables.

results : mapping
    What `make bench RECORD=1` writes to ``tests/benchmarks/results.json``.
"""

from __future__ import annotations

import html
import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from textwrap import fill
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.lines import Line2D

from dpteach import _check
from dpteach.accountants import enclosing_plds
from dpteach.figures import _style
from dpteach.mechanisms import Gaussian
from dpteach.notions import GaussianDP

__all__ = ["benchmark", "enclosing_curves", "growth"]

#: how the libraries are marked, dpteach first
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

_SIGMA = _check.Domain("in [0.5, 100]", lambda x: 0.5 <= x <= 100)


@_style.styled
def enclosing_curves(*, sigma: float, step: float, ax: Axes | None = None) -> Axes:
    """The privacy profile of Gaussian noise between those of two laws on a lattice.

    Parameters
    ----------
    sigma : float
        Of the noise, in [0.5, 100]; the sensitivity is 1.
    step : float
        The distance of the lattice's points, in (0, 1], in nats.

    Examples
    --------
    >>> text = _style.alt_text(enclosing_curves(sigma=1.0, step=0.5))
    >>> print(text)  # doctest: +ELLIPSIS
    The privacy profile of Gaussian noise of sigma 1, delta against epsilon, between that of an \
optimistic and that of a pessimistic law on a lattice of step 0.5. At epsilon 0.75 they are \
0.1..., 0.17763 and 0.18961.
    """
    sigma = _check.real("sigma", sigma, _SIGMA)
    optimistic, pessimistic = enclosing_plds(Gaussian(sigma=sigma), step=step)
    claims = {
        "pessimistic: the chords": pessimistic,
        "the truth": GaussianDP(1 / sigma),
        "optimistic: lowered chords": optimistic,
    }
    axes = _style.new_axes(ax)
    epsilons = np.linspace(0, 0.5 / sigma**2 + 2.2 / sigma, 301)
    for (name, claim), i in zip(claims.items(), (1, 0, 2), strict=True):
        curve = [claim.delta_at(float(e)) for e in epsilons]
        axes.plot(epsilons, curve, **_style.line(i), label=name)
    points = np.arange(0, epsilons[-1], step)
    axes.plot(
        points, [pessimistic.delta_at(float(e)) for e in points], "o", color=_style.VERMILLION
    )
    axes.set(xlabel="ε, nats", ylabel="δ", xlim=(0, epsilons[-1]), ylim=(0, None))
    axes.legend()
    at = 1.5 * step
    low, truth, high = (claim.delta_at(at) for claim in reversed(claims.values()))
    return _style.describe(
        axes,
        f"The privacy profile of Gaussian noise of sigma {sigma:g}, delta against epsilon, between "
        f"that of an optimistic and that of a pessimistic law on a lattice of step {step:g}. At "
        f"epsilon {at:g} they are {low:.5g}, {truth:.5g} and {high:.5g}.",
    )


@dataclass(frozen=True)
class Table:
    """Rows of words, which a notebook shows as a table and a terminal as columns.

    Parameters
    ----------
    caption : str
    rows : list of list of str
        The first one is the heading.

    Examples
    --------
    >>> Table("Times", [["job", "time", ""], ["one", "2 ms", "fast"]]).only("job", "time")
    job  time
    one  2 ms
    """

    caption: str
    rows: list[list[str]]

    def only(self, *columns: str) -> Table:
        """Some of the columns."""
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
        return (  # it scrolls in itself where it is wider than the page
            f'<div tabindex="0" role="region" aria-label="{caption}" style="overflow-x: auto; '
            f'font-size: 85%"><table class="table dataframe"><caption>{caption}</caption>'
            f"<thead>{heading}</thead><tbody>{body}</tbody></table></div>"
        )


def benchmark_table(results: Line) -> Table:
    """The benchmark's rows: for each job its times, the ratio to a peer and the ratio wanted.

    Returns
    -------
    Table
        A time with a star belongs to an answer that is no bound;
        remarks say how wrong answers are, or how loose. A cell is empty where a library has
        nothing to ask, "-" where it raised an error.

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
            ratio = f"{peer['seconds'] / own['seconds']:.3g}"
        said = {name: line.get("wrong") or line.get("loose") for name, line in lines.items()}
        remarks = [f"{name}: {remark}" for name, remark in said.items() if remark]
        times = [
            _time(line["seconds"]) + "*" * _wrong(line) if "seconds" in line else "-" * bool(line)
            for line in (lines.get(name, {}) for name in found)
        ]
        memory = str(own.get("memory", ""))
        rows.append([job["asks"], *times, ratio, wanted, memory, "; ".join(remarks)])
    return Table("Times of all libraries, and how they compare", rows)


def growth_table(results: Line) -> Table:
    """How time and memory grow: rows of what grows, how much of it, time, MiB, epsilon.

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
    rows = [["what grows", "to", "time", "MiB", "ε"]]
    for name, lines in results.get("growth", {}).items():
        for line in lines:
            bracket = " to ".join(f"{float(x):.7g}" for x in line["value"])
            at, memory = f"{line['at']:g}", f"{line['memory']}"
            rows.append([name, at, _time(line["seconds"]), memory, bracket])
    return Table("How time and memory of an accountant grow", rows)


@_style.styled
def benchmark(*, results: Line, ax: Axes | None = None) -> Axes:
    """The times of all libraries on all jobs, hollow where the answer is no bound.

    Raises
    ------
    ValueError
        If results hold no time of dpteach.

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
        figure.set_size_inches(7.6, height)  # type: ignore[union-attr]
        figure.subplots_adjust(left=0.41, top=1 - 0.72 / height, bottom=0.58 / height)
    words, first = [], 0
    for row, job in enumerate(jobs):
        lines = [of.get(job["name"], {}) for of in found.values()]
        mine, *others = _row_of_marks(axes, row, lines)
        first += all(mine <= time for time in others)
        text = f"{job['asks']} {_time(mine)} by dpteach"
        if others:
            text += f", {max(others) / mine:.3g} times that by the slowest other"
        words.append(text)
    axes.set_xscale("log")
    axes.set_yticks(range(len(jobs)), [fill(job["asks"], 34) for job in jobs], fontsize=11.6)
    axes.set_ylim(len(jobs) - 0.5, -0.5)
    axes.set_xlabel("seconds")
    handles = [
        Line2D([], [], linestyle="", color=color, marker=marker, label=name)
        for name, (color, marker) in zip(found, _marks(found), strict=True)
    ]
    axes.legend(handles=handles, loc="lower right", bbox_to_anchor=(1, 1), ncols=4, handlelength=1)
    rows = f"{len(jobs)} row{'s' * (len(jobs) > 1)} of marks, one for each job"
    hollow = any(_wrong(line) for of in found.values() for line in of.values())
    return _style.describe(
        axes,
        f"Times on a logarithmic axis, {rows}: {'; '.join(words)}. dpteach is the fastest in "
        f"{first} of {len(jobs)}." + " Hollow marks are answers that are no bound." * hollow,
    )


def _row_of_marks(axes: Axes, row: int, lines: Sequence[Line]) -> list[float]:
    """Draws the times of one job by each library, and returns those that there are."""
    times = [line["seconds"] for line in lines if "seconds" in line]
    axes.plot(times, [row] * len(times), "-", color="#CCCCCC", lw=1)
    for line, (color, marker) in zip(lines, _marks(lines), strict=True):
        if "seconds" in line:
            face = "white" if _wrong(line) else color
            axes.plot(line["seconds"], row, marker, color=color, mfc=face, ms=7.5)
    return times


@_style.styled
def growth(*, results: Line, ax: Axes | None = None) -> Axes:
    """How the time of an accountant grows with steps, with distinct events, with precision.

    Raises
    ------
    ValueError
        If results hold nothing that grows.

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
        # a smaller tolerance is more
        at = [line["at"] if line["at"] >= 1 else 1 / line["at"] for line in lines]
        axes.plot(at, [line["seconds"] for line in lines], label=name, **_style.series(i))
        ends = lines[0], lines[-1]
        words.append(
            f"{name} from {ends[0]['at']:g} to {ends[1]['at']:g}, "
            f"{_time(ends[0]['seconds'])} to {_time(ends[1]['seconds'])}"
        )
    axes.set(xscale="log", yscale="log", ylabel="seconds")
    axes.set_xlabel("steps, distinct events, or 1 / tolerance")
    axes.legend()
    return _style.describe(axes, f"Time against what grows, both logarithmic: {'; '.join(words)}.")


def _results(results: Line) -> dict[str, Line]:
    """The lines of each library, dpteach first."""
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


def _time(seconds: float) -> str:
    """Three digits, in the unit that a reader would take."""
    unit, factor = ("s", 1.0) if seconds >= 1 else ("ms", 1e3) if seconds >= 1e-3 else ("µs", 1e6)
    value = seconds * factor
    digits = max(0, 2 - math.floor(math.log10(value))) if value > 0 else 0
    return f"{float(f'{value:.{digits}f}'):g} {unit}"
