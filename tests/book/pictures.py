"""Checks that apply to the figures of all chapters."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from matplotlib.axes import Axes

from dpteach import figures
from dpteach.figures import _style


def says(draw: Callable[[], Axes], said: str, *, most: int = 60_000) -> None:
    """Check that a figure's description contains `said`, and that its SVG is short.

    A second drawing must give the same SVG, which has fewer than `most` characters.
    """
    axes = draw()
    assert said in figures.alt_text(axes)
    picture = _style.svg(axes)
    assert picture == _style.svg(draw())
    assert len(picture) < most


def keep_the_frame(one: Callable[[], Axes], other: Callable[[], Axes]) -> None:
    """Check that the axes have the same limits in two drawings of a figure."""
    left, right = one(), other()
    assert left.get_xlim() == right.get_xlim()
    assert left.get_ylim() == right.get_ylim()


def names_fit(axes: Axes, tops: dict[str, float]) -> None:
    """Check that each label has the color of its line: the line whose maximum is `tops[label]`."""
    for name, top in tops.items():
        (text,) = (one for one in axes.texts if one.get_text() == name)
        lines = [line for line in axes.lines if np.size(line.get_ydata()) > 10]
        ours = {one.get_color() for one in lines if max(one.get_ydata()) == pytest.approx(top)}
        assert ours == {text.get_color()}, name
