"""Tests of the pictures of explorers (figures with sliders): their labels can be read."""

from __future__ import annotations

import ast
import functools
import itertools
import math
import re
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import jupytext
import numpy as np
import pytest
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.collections import Collection
from matplotlib.font_manager import FontProperties, findfont
from matplotlib.lines import Line2D
from matplotlib.patches import Patch
from matplotlib.spines import Spine
from matplotlib.text import Text
from matplotlib.transforms import Bbox
from numpy.typing import NDArray
from pseudo import untranslated
from test_figures_training import RUNS

from dpteach import figures
from dpteach._language import speaking
from dpteach.figures import _style
from dpteach.widgets import Explorer

Vector = NDArray[np.float64]

ROOT = Path(__file__).parents[2]
PAGES = [
    page
    for folder in (ROOT / "book", ROOT / "course_src" / "demos")
    for page in sorted(folder.glob("*.md"))
    if re.search(r"^explore\(", page.read_text("utf-8"), re.MULTILINE)
]
#: half the width, in pixels, of a handle (the point that readers drag) in a picture of full size;
#: see explorer.css
HANDLE = 9
#: matches what no text of a picture may contain: numbers in Python's notation, such as 1e-05, nan
#: and inf, and a hyphen in place of a minus sign
RAW = re.compile(r"\d[eE][+-]?\d|(?<![\w.)\]}])-\s?[\d.]|\b(nan|inf)\b")
#: invented values of variables that the figures of the chapter on training use: the chapter
#: computes these variables by training models, but these tests train none
TRAINED = {
    "inside": np.geomspace(1e-3, 1, 50),
    "outside": np.geomspace(1e-2, 8, 50),
    "runs": RUNS,
    "levels": RUNS["epsilon"],
}


def explorers(page: Path) -> Iterator[Explorer]:
    """Yield a page's explorers (figures with sliders); of its other code, run only the imports."""
    known: dict[str, Any] = dict(TRAINED)
    for cell in jupytext.read(page).cells:
        if cell.cell_type != "code" or not re.search(
            r"^(from|import|explore\()", cell.source, re.MULTILINE
        ):
            continue
        for part in ast.parse(cell.source).body:
            if isinstance(part, (ast.Import, ast.ImportFrom)):
                exec(compile(ast.Module([part], []), page.name, "exec"), known)
            elif ast.unparse(part).startswith("explore("):
                assert isinstance(part, ast.Expr)
                yield eval(compile(ast.Expression(part.value), page.name, "eval"), known)


def words(ax: Axes) -> list[tuple[str, Bbox]]:
    """Return all texts in the figure with their positions in pixels."""
    figure = ax.get_figure(root=True)
    assert figure is not None
    with _style.style():
        canvas: Any = FigureCanvasAgg(figure)
        figure.set_dpi(96)
        figure.draw_without_rendering()
        hidden = set()
        for axis in (one for axes in figure.axes for one in (axes.xaxis, axes.yaxis)):
            low, high = sorted(axis.get_view_interval())
            room = 1e-9 * (high - low)
            for tick in (*axis.get_major_ticks(), *axis.get_minor_ticks()):
                if not low - room <= tick.get_loc() <= high + room or not axis.axes.axison:
                    hidden |= {tick.label1, tick.label2}
        return [
            (text.get_text(), Text.get_window_extent(text, canvas.get_renderer()))
            for text in figure.findobj(Text)
            if text.get_visible() and text.get_text().strip() and text not in hidden
        ]


def lines(ax: Axes) -> Iterator[Vector]:
    """Yield each drawn line of a figure as points in pixels; leave out the borders of axes."""
    figure = ax.get_figure(root=True)
    assert figure is not None
    for axes in figure.axes:
        for part in axes.get_children():
            if isinstance(part, Spine) or part is axes.patch:
                continue
            drawn = part.get_paths() if isinstance(part, Collection) else ()
            if isinstance(part, (Line2D, Patch)):
                drawn = (part.get_path(),)
            for path in drawn:
                yield from map(
                    np.asarray, path.to_polygons(part.get_transform(), closed_only=False)
                )


def distance(point: tuple[float, float], line: Vector) -> float:
    """Return the distance of a point from a line, given as a sequence of points."""
    start, along = line[:-1], np.diff(line, axis=0)
    length = np.maximum(np.sum(along**2, axis=1), 1e-12)
    share = np.clip(np.sum((point - start) * along, axis=1) / length, 0, 1)
    nearest = start + share[:, None] * along
    return float(np.min(np.hypot(*(nearest - point).T), initial=math.inf))


def faults(ax: Axes) -> Iterator[str]:
    """Yield a figure's faults, such as overlapping or small texts and misplaced handles."""
    figure = ax.get_figure(root=True)
    assert figure is not None
    written = words(ax)
    width, height = figure.bbox.size
    for (one, a), (other, b) in itertools.combinations(written, 2):
        across, up = min(a.x1, b.x1) - max(a.x0, b.x0), min(a.y1, b.y1) - max(a.y0, b.y0)
        if across > 1 and up > 3:
            yield f"{one!r} and {other!r} are on each other"
    for name, (x, y) in _style.handles(ax).items():
        place = x * width, (1 - y) * height
        if min((distance(place, line) for line in lines(ax)), default=math.inf) > HANDLE:
            yield f"the handle of {name} is on nothing"
    for text, box in written:
        if min(box.x0, box.y0, width - box.x1, height - box.y1) < -0.5:
            yield f"{text!r} is cut"
        for name, (x, y) in _style.handles(ax).items():
            far = (
                max(box.x0 - x * width, 0, x * width - box.x1),
                max(box.y0 - (1 - y) * height, 0, (1 - y) * height - box.y1),
            )
            if math.hypot(*far) < HANDLE:
                yield f"the handle of {name} is on {text!r}"
    for part in figure.findobj(Text):
        # letters must have at least 12 points, which are 16 pixels: on a phone 360 pixels wide,
        # pictures have three quarters of their size, so such letters still have 12 pixels
        if part.get_visible() and part.get_text().strip() and part.get_fontsize() < 12:
            yield f"{part.get_text()!r} is small"
    for text in (*(re.sub(r"\$[^$]*\$", "", text) for text, _ in written), figures.alt_text(ax)):
        if found := RAW.search(text):
            yield f"{found[0]!r} in {text!r}"


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_what_is_written_in_a_frame_can_be_read(
    page: Path, sample: Callable[[Sequence[Any], int], list[Any]]
) -> None:
    found: dict[str, str] = {}
    for explorer in explorers(page):
        places = [range(len(slider.values)) for slider in explorer.sliders.values()]
        # try the ends of all sliders, where texts are closest to each other, and some other
        # positions; fewer ends in a demo, because its figures are in chapters, too
        few = 2 if page.parent.name == "demos" else 4
        ends = sample([*itertools.product(*({0, len(place) - 1} for place in places))], few)
        between = sample([*itertools.product(*places)], 3)
        for indices in dict.fromkeys((*ends, *between)):
            state = [s.texts[i] for s, i in zip(explorer.sliders.values(), indices, strict=True)]
            for fault in faults(explorer.figure(indices)):
                found.setdefault(f"{explorer}: {fault}", f"at {', '.join(state)}")
        for slider in explorer.sliders.values():
            choice = len(slider.values) == 2 and slider.values[1] - slider.values[0] == 1
            assert slider.names or slider.unit or not choice, (
                f"{explorer}: {slider.label} needs names"
            )
            for text in slider.texts:
                assert not RAW.search(text)
    assert not found, "\n".join(f"{fault}, {state}" for fault, state in found.items())


# --- the checks themselves -------------------------------------------------------------------


@_style.styled
def written(*, x: float, text: str = "word", size: float = 12, ax: Axes | None = None) -> Axes:
    axes = _style.new_axes(ax)
    axes.text(0.5, 0.5, "another word")
    axes.text(x, 0.5, text, fontsize=size)
    axes.plot([0, 1], [0 if x == 0.25 else 0.2] * 2)
    axes.set(xlim=(0, 1), ylim=(0, 1))
    _style.handle(axes, x=(x, 0.5 if x < 0.2 else 0.2))
    return _style.describe(axes, f"Words at {x:g}.")


@pytest.mark.parametrize(
    ("figure", "fault"),
    [
        (functools.partial(written, x=0.55), "on each other"),
        (functools.partial(written, x=0.98), "is cut"),
        (functools.partial(written, x=0.1), "handle of x is on 'word'"),
        (functools.partial(written, x=0.25), "handle of x is on nothing"),
        (functools.partial(written, x=0.3, size=11), "'word' is small"),
    ],
)
def test_a_fault_is_found(figure: Callable[[], Axes], fault: str) -> None:
    assert any(fault in one for one in faults(figure()))


def test_a_figure_has_the_font_of_the_text() -> None:
    found = FontProperties(family=_style.STYLE["font.family"][:1])
    for style, name in (("normal", "Regular"), ("italic", "Italic")):
        found.set_style(style)
        assert findfont(found).endswith(f"STIXTwoText-{name}.ttf")
    with _style.style():
        assert FontProperties().get_name() == "STIX Two Text"


def test_a_figure_writes_numbers_as_people_do() -> None:
    axes = written(x=0.2, text=f"δ = {1e-5:g}, {-0.5:g}")
    assert [*faults(axes)] == []
    assert "δ = 10⁻⁵, −0.5" in [text for text, _ in words(axes)]
    axes.texts[1].set_text("3e+02 million")
    assert any("3e+0" in one for one in faults(axes))


@pytest.mark.filterwarnings("ignore:Glyph")
@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_the_first_frame_of_a_translated_explorer_has_no_english(page: Path) -> None:
    for explorer in explorers(page):
        with speaking("en-XA"):
            axes = explorer.figure()
            told = [re.sub(r"\$[^$]*\$", " ", text) for text, _ in words(axes)]
            alternative = figures.alt_text(axes)
        assert alternative
        assert untranslated(alternative) == []
        assert [text for text in told if untranslated(text)] == []
