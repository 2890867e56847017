"""Tests of the style of figures, and of the description that every figure has."""

from __future__ import annotations

import ast
import importlib
import io
import pkgutil
import re
import struct
from itertools import pairwise
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import matplotlib
import numpy as np
import pytest
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle, StepPatch

from dpteach import figures
from dpteach._readable import FRAMES_VARIABLE
from dpteach.figures import _style


@_style.styled
def line(*, slope: float, ax: Axes | None = None) -> Axes:
    axes = _style.new_axes(ax)
    axes.plot([0, 1], [0, slope], label=r"$\alpha$")
    axes.legend(loc="upper left")
    return _style.describe(axes, f"A line of slope {slope:g}.")


def test_a_cell_that_ends_with_a_figure_shows_it_once_with_its_sentence() -> None:
    data = line(slope=2.0)._repr_mimebundle_()  # type: ignore[operator]
    assert set(data) == {"text/plain", "text/html", "image/svg+xml", "image/png"}
    assert data["text/html"].startswith('<img alt="A line of slope 2." src="data:image/svg+xml')
    assert data["text/plain"] == "A line of slope 2."
    root = ElementTree.fromstring(data["image/svg+xml"])
    (node,) = root.iter("{http://purl.org/dc/elements/1.1/}description")
    assert node.text == "A line of slope 2."
    assert data["image/png"][:4] == b"\x89PNG"


def test_a_page_of_the_book_gets_the_svg_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(FRAMES_VARIABLE, "anywhere")
    data = line(slope=2.0)._repr_mimebundle_()  # type: ignore[operator]
    assert set(data) == {"text/plain", "text/html", "image/svg+xml"}


def test_the_same_picture_is_the_same_file() -> None:
    assert _style.svg(line(slope=2.0)) == _style.svg(line(slope=2.0))
    assert _style.png(line(slope=2.0)) == _style.png(line(slope=2.0))
    assert "date>" not in _style.svg(line(slope=2.0))


def test_compact_coordinates_change_no_word() -> None:
    sentence = "Two lines: 0.123456, scale(0.5). <!-- -->."
    text = _style.svg(_style.describe(_style.new_axes(), sentence))
    root = ElementTree.fromstring(text)
    (node,) = root.iter("{http://purl.org/dc/elements/1.1/}description")
    assert node.text == sentence
    assert "scale(0.015625)" in text
    assert "\n" not in text.strip()


def test_global_settings_change_nothing_and_are_not_changed() -> None:
    before = dict(matplotlib.rcParams)
    plain = _style.svg(line(slope=2.0))
    assert dict(matplotlib.rcParams) == before
    with matplotlib.rc_context({"font.size": 30, "axes.facecolor": "red", "savefig.bbox": "tight"}):
        assert _style.svg(line(slope=2.0)) == plain


def test_the_frame_does_not_move_with_the_data() -> None:
    small, large = line(slope=0.001), line(slope=1e6)
    assert small.get_position().bounds == large.get_position().bounds


def test_a_figure_function_draws_on_the_axes_it_is_given() -> None:
    own = Figure().add_subplot()
    assert line(slope=1.0, ax=own) is own
    left, right = figures.panels(2)
    line(slope=1.0, ax=left)
    line(slope=2.0, ax=right)
    assert figures.alt_text(left) == "A line of slope 1. A line of slope 2."
    assert _style.svg(left) == _style.svg(right)


def test_no_two_series_differ_by_colour_alone() -> None:
    looks = [_style.series(i) for i in range(len(_style.COLORS))]
    for key in ("color", "linestyle", "marker"):
        assert len({str(look[key]) for look in looks}) == len(looks)
    cycle = list(_style.STYLE["axes.prop_cycle"])
    assert [c["color"] for c in cycle] == list(_style.COLORS)
    assert [c["linestyle"] for c in cycle] == list(_style.LINES)


def luminance(color: str) -> float:
    channels = [int(color[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


@pytest.mark.parametrize("color", [*_style.COLORS, _style.GREY])
def test_colours_stand_out_from_white(color: str) -> None:
    """Colors have a contrast of at least 3 to 1 with white, as WCAG 2.1 (1.4.11) demands."""
    assert 1.05 / (luminance(color) + 0.05) >= 3


def test_a_figure_function_must_say_what_it_shows() -> None:
    @_style.styled
    def silent(*, ax: Axes | None = None) -> Axes:
        return _style.new_axes(ax)

    with pytest.raises(ValueError, match=r"ax must be Axes described with describe\(ax, sentence"):
        silent()


@pytest.mark.parametrize("sentence", ["", " ", ".", "no full stop", "A $formula$."])
def test_a_description_is_a_plain_sentence(sentence: str) -> None:
    with pytest.raises(ValueError, match="sentence must be plain text"):
        _style.describe(_style.new_axes(), sentence)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: _style.describe(_style.new_axes(), 3), "sentence must be a str, got sentence=3"),
        (lambda: _style.new_axes("axes"), "ax must be a matplotlib Axes or None, got ax='axes'"),
        (lambda: figures.alt_text(None), "ax must be a matplotlib Axes, got ax=None"),
        (lambda: figures.panels("2"), "columns must be an integer >= 1, got columns='2'"),
        (lambda: _style.series(1.5), "i must be an integer >= 0, got i=1.5"),
    ],
)
def test_wrong_types(call: Any, message: str) -> None:
    with pytest.raises(TypeError, match=message):
        call()


def test_panels_need_a_positive_number() -> None:
    with pytest.raises(ValueError, match="columns must be an integer >= 1, got columns=0"):
        figures.panels(0)
    assert len(figures.panels(2, 3)) == 6


def test_a_png_is_sharp_in_print() -> None:
    width, height = struct.unpack(">II", io.BytesIO(_style.png(line(slope=1.0))).getvalue()[16:24])
    assert (width, height) == (1000, 820)


def test_panels_do_not_overlap() -> None:
    boxes = [ax.get_position() for ax in figures.panels(3)]
    for left, right in pairwise(boxes):
        assert left.x1 < right.x0


MODULES = [m.name for m in pkgutil.iter_modules(figures.__path__) if not m.name.startswith("_")]


@pytest.mark.parametrize("module", MODULES)
def test_every_figure_has_an_example(module: str) -> None:
    path = Path(__file__).with_name(f"test_figures_{module}.py")
    assert path.is_file(), f"the figures of {module} need a test, tests/book/{path.name}"
    parts = ast.parse(path.read_text("utf-8")).body
    # every figure must be called in CALLS, the test file's list of example calls, or in a helper of
    # CALLS, because some tests draw all of CALLS; a call within a test function does not suffice
    told = [ast.unparse(p) for p in parts if not getattr(p, "name", "").startswith("test_")]
    names = importlib.import_module(f"{figures.__name__}.{module}").__all__
    missing = [n for n in names if not re.search(rf"\bfigures\.{n}\b", "\n".join(told))]
    assert not missing, f"CALLS of tests/book/{path.name} must have an example of {missing}"


#: for each histogram of a distribution whose atoms (possible values) are equally spaced: a
#: function that draws it, the number of atoms per bar, and the distance between atoms
LATTICES: dict[str, tuple[Any, int, float]] = {
    "a sum of rounded losses": (lambda: figures.law_of_a_sum(k=20, epsilon=2.0), 5, 0.05),
    "coins": (lambda: figures.losses_of_coins(k=500, epsilon=0.1), 1, 2 / 500),
    "a few coins": (lambda: figures.losses_of_coins(k=3, epsilon=0.1), 1, 2 / 3),
    "days": (lambda: figures.alarm_days(threshold=100.0, epsilon=0.5), 1, 1.0),
}


@pytest.mark.parametrize("name", LATTICES)
def test_each_bar_of_a_lattice_has_as_many_atoms(name: str) -> None:
    """All bars cover equally many possible values; otherwise the histogram shows false peaks."""
    draw, atoms, apart = LATTICES[name]
    axes = draw()
    bars = [patch for patch in axes.patches if isinstance(patch, Rectangle)]
    middles = np.array([bar.get_x() + bar.get_width() / 2 for bar in bars])
    for patch in (each for each in axes.patches if isinstance(each, StepPatch)):
        edges = patch.get_data().edges
        middles = (edges[1:] + edges[:-1]) / 2
        # no atom may lie on the edge between two bars, where it could be counted in either bar
        assert np.abs(edges / apart - np.round(edges / apart)).min() > 0.4 or atoms == 1
        break
    steps = np.abs(np.diff(middles)) / apart
    assert steps == pytest.approx(np.full(steps.size, atoms), rel=1e-6)
