"""The code that the grader's pages share: templates, formats of texts, histograms as inline SVG.

A page is one file that loads no scripts, fonts or pictures. Its content security policy forbids
the browser to load or run any. So markup from a student does no harm even if it is, by mistake,
not escaped.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup, escape

from dpteach._language import catalog, language

_, _n = catalog("pages")

#: the most characters that a page shows of a student's text
LONGEST_TEXT = 600

#: the most lines, and the most characters in a line, that a page shows of a student's code
LONGEST_CODE = 120
LONGEST_LINE = 400

#: the width and height of a picture in pixels, and the margins around the plot in it
_WIDTH, _HEIGHT = 560, 260
_LEFT, _RIGHT, _TOP, _BOTTOM = 56, 14, 36, 44

_FOLDER = Path(__file__).parent / "templates"
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]")


def only_visible(text: object) -> str:
    """Replace characters in a text that are invisible or change the direction of writing.

    Examples
    --------
    >>> only_visible("a\\u202eb\\x1b[31m")
    'a�b�[31m'
    """
    # replace lone surrogates, which cannot be written to a file
    plain = str(text).encode("utf-8", "replace").decode("utf-8")
    return _CONTROL.sub("\N{REPLACEMENT CHARACTER}", plain)


def cut(text: object, longest: int = LONGEST_TEXT) -> str:
    """Return a text, or its first `longest` characters with a note of how many are left out.

    Examples
    --------
    >>> cut("abcdef", 4)
    'abcd ... (2 more characters)'
    """
    whole = str(text)
    if len(whole) <= longest:
        return only_visible(whole)
    more = _n("({count} more character)", "({count} more characters)", len(whole) - longest)
    return f"{only_visible(whole[:longest])} ... {more}"


def code_lines(text: object) -> list[str]:
    """Return the lines of a program, each cut if too long.

    If there are more than `LONGEST_CODE` lines, return the first ones and a line that counts the
    others.
    """
    lines = str(text).replace("\r\n", "\n").strip("\n").split("\n")
    kept = [cut(line.expandtabs(4), LONGEST_LINE) for line in lines[:LONGEST_CODE]]
    if len(lines) > LONGEST_CODE:
        more = _n("({count} more line)", "({count} more lines)", len(lines) - LONGEST_CODE)
        kept.append(f"... {more}")
    return kept


def ticks(text: object) -> Markup:
    """Return a sentence as escaped HTML in which words between backquotes are set as code.

    Examples
    --------
    >>> ticks("`a < b` holds")
    Markup('<code>a &lt; b</code> holds')
    """
    return Markup(re.sub(r"`([^`\n]+)`", r"<code>\1</code>", str(escape(cut(text, 2000)))))


def number(value: float) -> str:
    """Return a number of points as a text with at most two decimals.

    Examples
    --------
    >>> number(2.0), number(1 / 3), number(-0.001)
    ('2', '0.33', '0')
    """
    rounded = round(float(value), 2)
    return f"{rounded + 0.0:g}" if abs(rounded) < 1e5 else f"{rounded:.0f}"


@lru_cache
def _environment() -> Environment:
    """Return the environment of Jinja with the filters and functions that the templates use."""
    environment = Environment(
        loader=FileSystemLoader(_FOLDER),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    environment.filters |= {
        "cut": cut,
        "code_lines": code_lines,
        "ticks": ticks,
        "number": number,
    }
    style = Markup((_FOLDER / "style.css").read_text(encoding="utf-8"))
    environment.globals |= {"_": _, "_n": _n, "language": language, "style": style}
    environment.globals["Markup"] = Markup
    return environment


def render(template: str, **values: Any) -> str:
    """Return the page that a template in the folder ``templates`` makes from values."""
    return _environment().get_template(template).render(**values)


def _steps(low: float, high: float, most: int = 6, *, least: float = 0.0) -> list[float]:
    """Return round numbers for an axis's ticks: about `most` or fewer, at least `least` apart.

    >>> _steps(0, 2, 5), _steps(0, 2, 5, least=1)
    ([0.0, 0.5, 1.0, 1.5, 2.0], [0, 1, 2])
    """
    raw = (high - low) / most
    unit = 10.0 ** math.floor(math.log10(raw))
    step = next(unit * m for m in (1, 2, 5, 10) if unit * m >= raw * (1 - 1e-9))
    step = max(step, least)
    first = math.ceil(low / step - 1e-9)
    return [(first + i) * step for i in range(int((high - first * step) / step + 1e-9) + 1)]


@dataclass(frozen=True)
class _Plane:
    """Conversion of numbers to the coordinates in a histogram's picture, as texts for SVG.

    Attributes
    ----------
    first, last
        The numbers at the left and the right end of the plot.
    most
        The highest count that the plot must show.
    """

    first: float
    last: float
    most: float

    def x(self, value: float) -> str:
        wide = _WIDTH - _LEFT - _RIGHT
        return f"{_LEFT + wide * (value - self.first) / (self.last - self.first):.1f}"

    def y(self, value: float) -> str:
        high = _HEIGHT - _TOP - _BOTTOM
        return f"{_TOP + high * (1 - value / self.room):.1f}"

    @property
    def room(self) -> float:
        """The count at the top edge of the plot."""
        return 1.05 * self.most


def _grid(plane: _Plane) -> list[str]:
    """Return the SVG of the horizontal grid lines of a plot and of the counts beside them."""
    parts = []
    for step in _steps(0, plane.most, 5, least=1):
        y = plane.y(step)
        parts.append(f'<line class="grid" x1="{_LEFT}" x2="{_WIDTH - _RIGHT}" y1="{y}" y2="{y}"/>')
        parts.append(f'<text x="{_LEFT - 6}" y="{y}" dy="4" text-anchor="end">{step:,g}</text>')
    return parts


def _bars(plane: _Plane, ends: Sequence[float], bins: Sequence[float]) -> list[str]:
    """Return the SVG of the bars, and of a count above each bar that is too high for the plot."""
    parts = []
    for low, end, count in zip(ends, ends[1:], bins, strict=False):
        if count:
            x0, x1, y0 = plane.x(low), plane.x(end), plane.y(min(count, plane.room))
            parts.append(
                f'<rect class="bar" x="{x0}" y="{y0}" width="{float(x1) - float(x0):.1f}" '
                f'height="{float(plane.y(0)) - float(y0):.1f}"/>'
            )
        if count > plane.room:
            at, anchor = (plane.x(low), "start") if low == ends[0] else (plane.x(end), "end")
            parts.append(f'<text x="{at}" y="{_TOP - 3}" text-anchor="{anchor}">{count:,g}</text>')
    return parts


def _expected(plane: _Plane, ends: Sequence[float], expected: Sequence[float]) -> list[str]:
    """Return the SVG of the step line that shows the expected counts."""
    points = [f"M{plane.x(ends[0])} {plane.y(0)}"]
    for low, end, count in zip(ends, ends[1:], expected, strict=False):
        points += [f"L{plane.x(low)} {plane.y(count)}", f"L{plane.x(end)} {plane.y(count)}"]
    points.append(f"L{plane.x(ends[-1])} {plane.y(0)}")
    return [f'<path class="law" d="{" ".join(points)}"/>']


def _axis(plane: _Plane, x_label: str, y_label: str) -> list[str]:
    """Return the SVG of the horizontal axis with its numbers, and of the names of both axes."""
    y, below = plane.y(0), _HEIGHT - _BOTTOM + 16
    middle = _LEFT + (_WIDTH - _LEFT - _RIGHT) / 2
    return [
        *(
            f'<text x="{plane.x(step)}" y="{below}" text-anchor="middle">{step:,g}</text>'
            for step in _steps(plane.first, plane.last, 8)
        ),
        f'<line class="axis" x1="{_LEFT}" x2="{_WIDTH - _RIGHT}" y1="{y}" y2="{y}"/>',
        f'<text x="{middle:.1f}" y="{_HEIGHT - 8}" text-anchor="middle">{escape(x_label)}</text>',
        f'<text x="{_LEFT}" y="14">{escape(y_label)}</text>',
    ]


def _legend(bars: str, law: str) -> list[str]:
    """Return the SVG of the legend, which names the bars and the line of expected counts."""
    place = _WIDTH - _RIGHT
    return [
        f'<rect class="bar" x="{place - 236}" y="5" width="16" height="11"/>',
        f'<text x="{place - 214}" y="15">{escape(bars)}</text>',
        f'<path class="law" d="M{place - 112} 11h20"/>',
        f'<text x="{place - 86}" y="15">{escape(law)}</text>',
    ]


def histogram(
    edges: Sequence[float],
    counts: Sequence[float],
    *,
    title: str,
    x_label: str,
    y_label: str,
    expected: Sequence[float] | None = None,
    legend: tuple[str, str] = ("", ""),
) -> Markup:
    """Return a histogram as inline SVG, with the expected counts as a step line.

    The colors, for light and dark screens, are in the page's style sheet. Equal arguments give
    equal bytes.

    Parameters
    ----------
    edges
        The edges of the bins, increasing and finite: one more than there are bins.
    counts
        A number >= 0 for each bin. If the first or last bar is too high for the plot, it is cut,
        and the count is written above the bar.
    title
        A sentence that describes the picture, for its text alternative.
    x_label, y_label
        The names of the axes.
    expected
        The expected counts, or None.
    legend
        The names of the bars and of the step line.

    Raises
    ------
    ValueError
        If the numbers are not a histogram.
    """
    bins = [float(x) for x in counts]
    ends = [float(x) for x in edges]
    line = [] if expected is None else [float(x) for x in expected]
    if (
        not bins
        or len(ends) != len(bins) + 1
        or len(line) not in (0, len(bins))
        or not all(math.isfinite(x) and x >= 0 for x in (*bins, *line))
        or not all(math.isfinite(x) for x in ends)
        or not all(a < b for a, b in pairwise(ends))
    ):
        raise ValueError("edges and counts must be those of a histogram: finite, one edge more")
    # if there are expected counts, the scale ignores the first and last bin: these bins also count
    # all answers outside the plot, which could be so many that the other bars would not be visible
    inner = bins[1:-1] if line and len(bins) > 2 else bins
    plane = _Plane(ends[0], ends[-1], max([*inner, *line]) or 1.0)
    parts = _grid(plane) + _bars(plane, ends, bins)
    if line:
        parts += _expected(plane, ends, line)
    parts += _axis(plane, x_label, y_label)
    if line:
        parts += _legend(*legend)
    sentence = escape(title)
    return Markup(
        f'<svg class="picture" role="img" viewBox="0 0 {_WIDTH} {_HEIGHT}" aria-label="{sentence}">'
        f"<title>{sentence}</title>{''.join(parts)}</svg>"
    )
