"""The common look of all figures of the course, and the text alternative of each figure.

A figure function draws results on matplotlib Axes. The function is decorated with `styled`, takes
its Axes from `new_axes` and ends by `describe`::

    @styled
    def loss_histogram(*, epsilon: float, ax: Axes | None = None) -> Axes:
        axes = new_axes(ax)
        ...
        return describe(axes, f"The loss takes two values, plus and minus {epsilon:g} nats.")

The look is set in a context of matplotlib's settings, never globally. Figures are made without
pyplot, so nothing has to be closed and no figure is shown twice; new Axes show their whole figure
when a notebook cell ends with them.
"""

from __future__ import annotations

import base64
import contextlib
import functools
import html
import io
import math
import os
import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Final, ParamSpec, cast
from weakref import WeakKeyDictionary

import matplotlib
from cycler import cycler
from matplotlib import cbook
from matplotlib.axes import Axes
from matplotlib.axis import Axis
from matplotlib.figure import Figure
from matplotlib.font_manager import fontManager
from matplotlib.text import Text
from matplotlib.textpath import TextToPath
from matplotlib.ticker import FixedLocator, FuncFormatter, NullLocator

from dpteach import _check
from dpteach._readable import FRAMES_VARIABLE, number, readable

P = ParamSpec("P")

#: the colors of Okabe and Ito (2008) that are dark enough for lines on white, the clearest first
BLUE, VERMILLION, GREEN, PURPLE, BLACK = "#0072B2", "#D55E00", "#007A5A", "#A9487F", "#000000"
GREY = "#6B6B6B"
COLORS = (BLUE, VERMILLION, GREEN, PURPLE, BLACK)
#: the line styles that go with the colors, so that no two lines differ by color alone
LINES: tuple[Any, ...] = ("-", "--", "-.", ":", (0, (6, 1, 1, 1, 1, 1)))
MARKERS = ("o", "s", "^", "D", "v")

#: width and height of a picture in inches. On a page an inch has 96 pixels, so letters of 12 points
#: have 16 pixels. A phone 360 pixels wide shows pictures at three quarters of this size, so these
#: letters then have 12 pixels; no letters may be smaller
SIZE = (5.0, 4.1)

#: load the font of the book's text; the font files hold only the letters that figures use
for _font in sorted((Path(__file__).parent / "fonts").glob("*.ttf")):
    fontManager.addfont(_font)

STYLE: dict[str, Any] = {
    "figure.figsize": SIZE,
    "figure.facecolor": "white",
    # fixed margins, so that the frame around the curves stays in place while a reader moves a
    # slider
    "figure.subplot.left": 0.175,
    "figure.subplot.right": 0.96,
    "figure.subplot.bottom": 0.135,
    "figure.subplot.top": 0.88,  # room for a title of two lines
    "figure.subplot.wspace": 0.28,
    "figure.subplot.hspace": 0.42,
    # characters that the text font lacks come from matplotlib's own fonts
    "font.family": ["STIX Two Text", "STIXGeneral", "DejaVu Serif"],
    "mathtext.fontset": "custom",
    "mathtext.fallback": "stix",
    "mathtext.rm": "STIX Two Text",
    "mathtext.it": "STIX Two Text:italic",
    "mathtext.bf": "STIX Two Text:bold",
    "mathtext.cal": "STIX Two Text:italic",
    "mathtext.sf": "STIX Two Text",
    "mathtext.tt": "STIX Two Text",
    "font.size": 12,
    "axes.titlesize": 12,
    "axes.titlelocation": "left",
    "axes.titley": 1.02,
    "axes.labelsize": 12,
    "axes.prop_cycle": cycler(color=COLORS, linestyle=LINES),
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.edgecolor": "#444444",
    "axes.grid": True,
    "axes.axisbelow": True,
    "grid.color": "#DDDDDD",
    "grid.linewidth": 0.8,
    "lines.linewidth": 2.0,
    "lines.markersize": 6.5,
    "hatch.linewidth": 0.6,
    "legend.frameon": True,
    "legend.framealpha": 0.9,
    "legend.edgecolor": "#CCCCCC",
    "legend.fontsize": 12,
    "legend.handlelength": 2.4,
    # a fixed salt makes the SVG of equal pictures identical
    "svg.hashsalt": "dpteach",
    "svg.fonttype": "path",
    "savefig.bbox": None,
}


def style() -> Any:
    """Return a context with matplotlib's defaults and the course's style for drawing figures."""
    # if the style is already set, one figure function has called another, so keep it
    if matplotlib.rcParams["svg.hashsalt"] == STYLE["svg.hashsalt"]:
        return contextlib.nullcontext()
    kept = ("backend", "backend_fallback", "interactive", "toolbar", "timezone", "webagg.")
    defaults = {k: v for k, v in matplotlib.rcParamsDefault.items() if not k.startswith(kept)}
    return matplotlib.rc_context(cast(Any, defaults | STYLE))


class FigureAxes(Axes):
    """Matplotlib Axes that a notebook displays as the picture of their whole figure."""

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> dict[str, Any]:
        text, picture = alt_text(self), svg(self)
        data = base64.b64encode(picture.encode("utf-8")).decode("ascii")
        return {
            "text/plain": text,
            # notebooks show a text alternative only for a picture in HTML
            "text/html": f'<img alt="{html.escape(text)}" src="data:image/svg+xml;base64,{data}">',
            "image/svg+xml": picture,
            # leave out the PNG in a build of the book, because the book shows the SVG
            **({} if FRAMES_VARIABLE in os.environ else {"image/png": png(self)}),
        }


def styled(function: Callable[P, Axes]) -> Callable[P, Axes]:
    """Wrap a figure function so that it draws in the course's style and must describe its Axes.

    Raises
    ------
    ValueError
        When the function is called and returns Axes without a description.
    """

    @functools.wraps(function)
    def drawn(*args: P.args, **kwargs: P.kwargs) -> Axes:
        with style():
            axes = function(*args, **kwargs)
            alt_text(axes)
            for text in axes.findobj(Text):
                text.set_text(readable(text.get_text()))
            _fit_title(axes)
        return axes

    return drawn


#: the least distance in points between a title and the edge of the picture
_EDGE = 4


def _fit_title(ax: Axes) -> None:
    """Break a long title of Axes into two lines, and left-align the title of a one-panel figure."""
    figure = ax.get_figure(root=True)
    title = ax.get_title(loc="left")
    if figure is None or not title or "\n" in title:
        return
    text = next(one for one in ax.findobj(Text) if one.get_text() == title)
    box, whole = ax.get_position(), 72 * figure.get_size_inches()[0]
    room = whole * box.width
    if len(figure.axes) == 1 and box.width < 1:
        text.set_x((_EDGE / whole - box.x0) / box.width)
        room = whole - 2 * _EDGE
    measure, prop = TextToPath(), text.get_fontproperties()

    def width(words: str) -> float:
        ismath = cbook.is_math_text(words)
        return float(measure.get_text_width_height_descent(words, prop, ismath)[0])

    if width(title) <= room:
        return
    words = title.split(" ")
    breaks = [(" ".join(words[:i]), " ".join(words[i:])) for i in range(1, len(words))]
    fits = [(a, b) for a, b in breaks if not (a.count("$") % 2) and max(width(a), width(b)) <= room]

    def badly(lines: tuple[str, str]) -> tuple[bool, int]:
        """Return a sort key: line breaks after punctuation first, then those near the middle."""
        return lines[0][-1] not in ":;,", abs(len(lines[0]) - len(lines[1]))

    if breaks:
        first, second = min(fits or breaks, key=badly)
        text.set_text(f"{first}\n{second}")


def new_axes(ax: Axes | None = None) -> Axes:
    """Return the Axes that were passed, or new ones on a new figure.

    Raises
    ------
    TypeError
        If ax is neither None nor matplotlib Axes.
    """
    if ax is None:
        return panels(1)[0]
    if not isinstance(ax, Axes):
        raise TypeError(
            f"ax must be a matplotlib Axes or None, got ax={_check.shown(ax)} "
            f"of type {type(ax).__name__}"
        )
    return ax


def panels(columns: int, rows: int = 1) -> tuple[Axes, ...]:
    """Return the Axes of a new figure that has panels in a grid, row by row.

    Pass each of the Axes to a figure function as `ax`. A cell that ends with one of them shows the
    whole figure, described by the sentences of all panels.

    Examples
    --------
    >>> left, right = panels(2)
    >>> left.figure is right.figure
    True
    """
    columns, rows = _check.count("columns", columns), _check.count("rows", rows)
    with style():
        width, height = SIZE
        figure = Figure(figsize=(width * (1 + 0.35 * (columns - 1)), height * (0.25 + 0.75 * rows)))
        figure.subplots_adjust(left=STYLE["figure.subplot.left"] / (1 + 0.35 * (columns - 1)))
        return tuple(
            figure.add_subplot(rows, columns, i + 1, axes_class=FigureAxes)
            for i in range(rows * columns)
        )


def series(i: int) -> dict[str, Any]:
    """Return color, line style and marker of the i-th series of a plot, the same in every figure.

    Examples
    --------
    >>> series(1)
    {'color': '#D55E00', 'linestyle': '--', 'marker': 's'}
    """
    k = _check.count("i", i, minimum=0) % len(COLORS)
    return {"color": COLORS[k], "linestyle": LINES[k], "marker": MARKERS[k]}


def line(i: int) -> dict[str, Any]:
    """Return color and line style of the i-th series of a plot, without its marker."""
    return series(i) | {"marker": ""}


def mark(i: int) -> dict[str, Any]:
    """Return color and marker of the i-th series of a plot, for points without a line."""
    return series(i) | {"linestyle": "none"}


def ticks(axis: Axis, at: Sequence[float]) -> None:
    """Put ticks at exactly the numbers `at`, in plain notation even on a logarithmic axis."""
    axis.set_major_locator(FixedLocator(at))
    axis.set_major_formatter(FuncFormatter(lambda value, place: number(value)))
    axis.set_minor_locator(NullLocator())


def legend_above(ax: Axes, columns: int = 2) -> None:
    """Draw a legend between title and axes of a one-panel figure, where it covers no curve."""
    count = len(ax.get_legend_handles_labels()[1])
    rows = math.ceil(count / columns)
    ax.set_title(ax.get_title(loc="left"), loc="left", pad=16 * rows + 6)
    ax.figure.subplots_adjust(top=0.9 - 0.05 * rows)
    box = ax.get_position()
    ax.legend(
        loc="lower left",
        bbox_to_anchor=(-box.x0 / box.width, 1.0),
        ncols=columns,
        frameon=False,
        borderaxespad=0.1,
        columnspacing=1.5,
    )


#: the characters with which a sentence can end: those of English, of Chinese (a translation), and
#: the bracket that ends each message in the artificial language of the tests
_ENDS: Final = ".!?\u3002\uff01\uff1f\u27e7"


def describe(ax: Axes, *sentences: str) -> Axes:
    """Store sentences that say what the Axes show, as the picture's text alternative.

    Parameters
    ----------
    ax
        The Axes.
    *sentences
        What a reader who cannot see the picture must know, with the values for which the picture
        was drawn; plain text, not LaTeX. Empty sentences are left out. Numbers are rewritten in
        readable form, such as 10⁻⁵ for 1e-5.

    Returns
    -------
    Axes
        The same Axes, so that a figure function can end with ``return describe(axes, ...)``.

    Raises
    ------
    TypeError, ValueError
        If a sentence is not a str, or the last sentence does not end with a full stop, an
        exclamation mark or a question mark.

    Examples
    --------
    >>> alt_text(describe(new_axes(), "An empty panel."))
    'An empty panel.'
    """
    for sentence in sentences:
        if not isinstance(sentence, str):
            raise TypeError(
                f"sentence must be a str, got sentence={_check.shown(sentence)} "
                f"of type {type(sentence).__name__}"
            )
    words = readable(" ".join(" ".join(sentences).split()))
    if len(words) < 2 or words[-1] not in _ENDS or "$" in words:
        raise ValueError(
            "sentence must be plain text (no $) that ends with a full stop, "
            f"got sentence={_check.shown(words)}"
        )
    ax.set_label(words)
    return ax


def alt_text(ax: Axes) -> str:
    """Return the sentences that describe the figure to which the Axes belong.

    Raises
    ------
    TypeError
        If ax is not matplotlib Axes.
    ValueError
        If the Axes have no description.

    Examples
    --------
    >>> alt_text(new_axes())
    Traceback (most recent call last):
    ValueError: ax must be Axes described with describe(ax, sentence), got ax=<FigureAxes: >
    """
    if not isinstance(ax, Axes):
        raise TypeError(
            f"ax must be a matplotlib Axes, got ax={_check.shown(ax)} of type {type(ax).__name__}"
        )
    own = str(ax.get_label())
    if not own:
        raise ValueError(
            f"ax must be Axes described with describe(ax, sentence), got ax={_check.shown(ax)}"
        )
    figure = ax.get_figure(root=True)
    labels = [str(a.get_label()) for a in figure.axes] if figure is not None else [own]
    # leave out labels that are not sentences, such as those of a color bar or a twin axis
    return " ".join(label for label in labels if label and label[-1] in _ENDS)


#: for each Axes, the points (in data coordinates) that a reader can drag to change a parameter, by
#: the parameter's name
_HANDLES: WeakKeyDictionary[Axes, dict[str, tuple[float, float]]] = WeakKeyDictionary()


def handle(ax: Axes, **places: tuple[float, float]) -> Axes:
    """Set the point that readers of an interactive figure can drag to change a parameter.

    Parameters
    ----------
    ax
        The Axes.
    **places
        For each parameter, by its name in the figure function: the point (x, y), in data
        coordinates, that moves with the parameter. The handle of a point outside of the Axes is
        shown at their edge.

    Returns
    -------
    Axes
        The same Axes.

    Raises
    ------
    TypeError, ValueError
        If a point is not a pair of finite numbers.

    Examples
    --------
    >>> axes = handle(new_axes(), slope=(0.5, 1.0))
    >>> handles(axes)
    {'slope': (0.5675, 0.12)}
    """
    for name, place in places.items():
        if not isinstance(place, tuple) or len(place) != 2:
            raise TypeError(f"{name} must be a pair (x, y), got {name}={_check.shown(place)}")
        x, y = (_check.real(f"{name}[{i}]", z, _check.FINITE) for i, z in enumerate(place))
        _HANDLES.setdefault(ax, {})[name] = x, y
    return ax


def handles(ax: Axes) -> dict[str, tuple[float, float]]:
    """Return the draggable points, as fractions of the figure's size from its left and its top."""
    figure = ax.get_figure(root=True)
    found = {}
    for axes in figure.axes if figure is not None else [ax]:
        # ask for the limits, because this makes matplotlib compute limits that depend on the data
        axes.get_xlim(), axes.get_ylim()
        inside = axes.get_position()
        for name, place in _HANDLES.get(axes, {}).items():
            x, y = (axes.transData - axes.transAxes).transform(place).clip(0, 1)
            found[name] = (
                round(float(inside.x0 + x * inside.width), 4),
                round(float(1 - inside.y0 - y * inside.height), 4),
            )
    return found


_COMMENT = re.compile("<!--.*?-->")
#: matches the parts of an SVG in which no digits may be cut off: scale factors and the description
_EXACT = re.compile(r"(scale\([^)]*\)|<dc:description>.*?</dc:description>)", re.DOTALL)
#: matches the digits of a number after its second decimal, which are cut off
_DECIMALS = re.compile(r"(\.\d\d)\d+")


def svg(ax: Axes) -> str:
    """Return the figure as SVG text with its description; equal figures give equal text.

    Coordinates are cut to a hundredth of a point, which makes the text a quarter smaller.
    """
    lines = _COMMENT.sub("", _saved(ax, "svg").decode("utf-8")).splitlines()
    text = " ".join(words for line in lines if (words := line.strip())).replace("> <", "><")
    # parts with odd indices matched _EXACT, so shorten only the numbers in the others
    parts = _EXACT.split(text)
    parts[::2] = (_DECIMALS.sub(lambda match: match[1], part) for part in parts[::2])
    return "".join(parts) + " \n"


def size(ax: Axes) -> tuple[int, int]:
    """Return width and height of the whole figure on a page, in pixels."""
    figure = ax.get_figure(root=True)
    width, height = figure.get_size_inches() if figure is not None else SIZE
    return round(96 * width), round(96 * height)


def png(ax: Axes, dpi: int = 200) -> bytes:
    """Return the figure as PNG bytes, for print and for programs without SVG."""
    return _saved(ax, "png", dpi=dpi)


def _saved(ax: Axes, kind: str, **options: Any) -> bytes:
    figure = ax.get_figure(root=True)
    if figure is None:
        raise ValueError("ax must belong to a figure, got Axes that were removed from theirs")
    metadata: dict[str, Any] = {"Description": alt_text(ax)}
    metadata |= (
        {"Date": None, "Creator": None, "Format": None, "Type": None}
        if kind == "svg"
        else {"Software": None}
    )
    buffer = io.BytesIO()
    with style():
        figure.savefig(buffer, format=kind, metadata=metadata, **options)
    return buffer.getvalue()
