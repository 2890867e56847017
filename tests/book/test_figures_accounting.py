"""Tests of the figures on numerical accounting, and of those on a benchmark of libraries."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from matplotlib.axes import Axes
from pictures import keep_the_frame, says
from scipy.stats import binom

from dpteach import Accountant, Laplace, figures
from dpteach.figures import _style
from dpteach.figures.accounting import benchmark_table, growth_table

CALLS: dict[str, tuple[Callable[[], Axes], str]] = {
    "a coarse mesh": (
        lambda: figures.year_by_mesh(mesh=0.01),
        "On a mesh of 0.01, the bounds extend from 0.00 to 18.70. The first accountant reported "
        "5.11 on a mesh of 0.001",
    ),
    "chords": (
        lambda: figures.year_by_mesh(mesh=0.0002, chords=True),
        "from 4.65 to 5.15. The first accountant reported 5.11 on a mesh of 0.001, and the second "
        "reported 4.94 on a mesh of 0.0002. With split losses, the bounds extend from 4.867 to "
        "4.896.",
    ),
    "one count": (
        lambda: figures.law_of_a_sum(k=1, epsilon=0.25),
        "At epsilon 0.25 delta is 0.118",
    ),
    "fifty counts": (
        lambda: figures.law_of_a_sum(k=50, epsilon=8.0),
        "At epsilon 8 delta is 0.137",
    ),
    "no tilt": (
        lambda: figures.tilted_transform(tilt=0.0),
        "has a relative error below 0.1% for 40 to 100 true answers",
    ),
    "a tilt": (
        lambda: figures.tilted_transform(tilt=-1.0),
        "has a relative error below 0.1% for 0 to 60 true answers",
    ),
    "a split loss": (
        lambda: figures.split_loss(loss=math.log(3), step=0.5),
        "0.0789 if 24% of the probability moves up to 1.5 and the rest down to 1, and 0.3306 if "
        "all of it moves up.",
    ),
    "a benchmark": (
        lambda: figures.benchmark(results=RESULTS),
        "the second 40 µs by dpteach, 75,000 times that by the slowest other",
    ),
    "growth": (
        lambda: figures.growth(results=RESULTS),
        "steps from 100 to 10⁶, 10 ms to 2 s; tolerance from 0.1 to 10⁻⁶",
    ),
}

KEPT = Path(__file__).parents[1] / "benchmarks" / "results.json"


def line(seconds: float, **more: Any) -> dict[str, Any]:
    return {"seconds": seconds, "memory": 80, "value": 1.0, **more}


def job(name: str, asks: str, peer: str = "old", limit: float | None = None) -> dict[str, Any]:
    return {"name": name, "asks": asks, "peer": peer, "reach": 20, "limit": limit}


RESULTS: dict[str, Any] = {
    "jobs": [
        job("a", "the first job, whose words are long enough for two lines"),
        job("b", "the second", limit=0.01),
        job("c", "a third that nobody was asked"),
        job("d", "one that only others do"),
    ],
    "results": {
        "new": {"a": {"error": "ValueError: no", "memory": 8, "wrong": "raises ValueError"}},
        "old": {"a": line(0.25, wrong="infinite"), "b": line(3.0), "d": line(1.0)},
        "dpteach": {"a": line(0.005), "b": line(4e-5)},
        "odd": {"a": line(0.001, loose="1e-02 too high")},
    },
    "growth": {
        "steps": [line(0.01, at=100, value=[1.0, 1.5]), line(2.0, at=1e6, value=[2.0, 2.5])],
        "tolerance": [line(0.01, at=0.1, value=[1, 2]), line(2.0, at=1e-6, value=[1, 1.1])],
    },
}


@pytest.mark.parametrize("call", CALLS)
def test_draws_and_says_its_numbers(call: str) -> None:
    says(*CALLS[call])


def test_no_slider_moves_the_frame() -> None:
    keep_the_frame(
        lambda: figures.year_by_mesh(mesh=0.01), lambda: figures.year_by_mesh(mesh=0.0001)
    )
    keep_the_frame(
        lambda: figures.law_of_a_sum(k=1, epsilon=0), lambda: figures.law_of_a_sum(k=50, epsilon=14)
    )
    keep_the_frame(
        lambda: figures.tilted_transform(tilt=-3), lambda: figures.tilted_transform(tilt=3)
    )


def test_the_truth_is_between_the_ends_on_every_mesh() -> None:
    widths = []
    for mesh in (0.01, 0.005, 0.002, 0.001, 0.0005, 0.0002, 0.0001):
        text = figures.alt_text(figures.year_by_mesh(mesh=mesh, chords=True))
        ends = [float(x) for x in re.findall(r"from (\S+) to ([0-9.]+[0-9])", text)[0]]
        chords = [float(x) for x in re.findall(r"from (\S+) to ([0-9.]+[0-9])", text)[1]]
        # the figure bounds the epsilon of a year's releases; the true value is in the certified
        # bracket [4.895178, 4.895262]
        assert ends[0] <= chords[0] <= 4.895178 and 4.895262 <= chords[1] <= ends[1] + 0.001
        widths.append(ends[1] - ends[0])
        assert widths[-1] <= 2429 * mesh + 0.02
    assert widths == sorted(widths, reverse=True)


@pytest.mark.parametrize(("k", "epsilon"), [(1, 0.25), (10, 3.75), (50, 12.0)])
def test_the_dark_part_is_delta(k: int, epsilon: float) -> None:
    axes = figures.law_of_a_sum(k=k, epsilon=epsilon)
    whole, charged = (patch.get_data().values.sum() for patch in axes.patches)  # type: ignore[attr-defined]
    delta = Accountant().compose(Laplace(scale=2.0), k).delta_at(epsilon).upper
    assert charged / whole == pytest.approx(delta, rel=0.03)


def test_the_truth_of_the_transform_is_binomial() -> None:
    truth, dots, *_ = figures.tilted_transform(tilt=-0.5).lines
    found, exact = np.array(dots.get_ydata()), binom.pmf(np.arange(101), 100, 0.75)
    assert np.allclose(np.array(truth.get_ydata()), exact)
    assert np.allclose(found[16:85] / exact[16:85], 1, atol=1e-3)


@pytest.mark.parametrize(
    ("draw", "said"),
    [
        (lambda: figures.year_by_mesh(mesh=0.003), "mesh must be one of 0.01"),
        (lambda: figures.law_of_a_sum(k=51, epsilon=1), "k must be at most 50"),
        (lambda: figures.law_of_a_sum(k=5, epsilon=16), "epsilon must be in"),
        (lambda: figures.tilted_transform(tilt=-4), "tilt must be in"),
    ],
)
def test_bad_values_raise(draw: Callable[[], Axes], said: str) -> None:
    with pytest.raises(ValueError, match=said):
        draw()


def test_the_table_says_who_is_asked_what_and_who_is_wrong() -> None:
    table = benchmark_table(RESULTS)
    heading, first, second, last = table.rows
    assert heading[:5] == ["job", "dpteach", "new", "old", "odd"]
    assert first[1:8] == ["5 ms", "-", "250 ms*", "1 ms", "50", "20", "80"]
    assert first[8] == "new: raises ValueError; old: infinite; odd: 10⁻² too high"
    assert second[1:8] == ["40 µs", "", "3 s", "", "", "≤ 10 ms", "80"]
    assert last[1:8] == ["", "", "1 s", "", "", "20", ""]
    some = table.only("job", "remarks")
    assert some.rows[1] == [first[0], first[8]]
    assert str(some).splitlines()[1].endswith("  " + first[8])
    assert some._repr_html_().count("<tr>") == 4
    with pytest.raises(ValueError, match="columns must be one of"):
        table.only("jobs")


def test_growth_is_told_line_by_line() -> None:
    rows = growth_table(RESULTS).rows
    assert rows[2] == ["steps", "1,000,000", "2 s", "80", "2 to 2.5"]
    assert len(rows) == 5


def test_pictures_of_a_benchmark_say_who_is_fastest() -> None:
    text = figures.alt_text(figures.benchmark(results=RESULTS))
    assert "dpteach is the fastest in 1 of 2" in text and "no bound" in text
    for draw in (figures.benchmark, figures.growth):
        left, _ = figures.panels(2)
        assert draw(results=RESULTS, ax=left) is left


def test_a_split_loss_runs_along_a_chord_above_its_corner() -> None:
    drawn = figures.split_loss(loss=math.log(3), step=0.5)
    rounded, split, truth = (np.asarray(line.get_ydata()) for line in drawn.lines[:3])
    x = np.asarray(drawn.lines[0].get_xdata())
    between = (x > math.e) & (x < math.exp(1.5))
    assert np.allclose(split[~between], truth[~between], atol=1e-12)
    assert np.all(split[between] > truth[between]) and np.all(rounded >= split - 1e-12)
    # `split` is a straight line in this interval, so the second differences of its values are 0
    assert np.abs(np.diff(split[between], 2)).max() < 1e-12
    with pytest.raises(ValueError, match=r"loss must be in \(0, 5\], got loss=0"):
        figures.split_loss(loss=0.0, step=0.5)
    with pytest.raises(ValueError, match=r"step must be in \(0, 1\], got step=2"):
        figures.split_loss(loss=1.0, step=2.0)
    left, _ = figures.panels(2)
    assert figures.split_loss(loss=1.0, step=0.8, ax=left) is left


def test_wrong_answers_are_hollow() -> None:
    axes: Axes = figures.benchmark(results=RESULTS)
    faces = [str(mark.get_markerfacecolor()) for mark in axes.lines if mark.get_marker() == "^"]
    assert faces == ["white", _style.GREEN]


@pytest.mark.parametrize("function", [figures.benchmark, figures.growth])
def test_what_is_no_benchmark_is_refused(function: Any) -> None:
    with pytest.raises(TypeError, match="results must be of type Mapping, got results=3"):
        function(results=3)
    with pytest.raises(ValueError, match="results must be those of a benchmark"):
        function(results={})
    with pytest.raises(ValueError, match="results must hold"):
        function(results={"jobs": [], "results": {}})


def test_kept_numbers_are_right_and_small() -> None:
    kept = json.loads(KEPT.read_text("utf-8"))
    own = kept["results"]["dpteach"]
    for name, answer in own.items():
        assert "wrong" not in answer and "loose" not in answer, name
        assert answer.get("memory", 0) <= 1024
    assert "dp-accounting" in kept["results"] and kept["versions"]["dp-accounting"] == "0.6.0"
    for lines in kept["growth"].values():
        for answer in lines:
            assert answer["memory"] <= 1024
            lower, upper = answer["value"]
            assert 0 < lower < upper < math.inf
