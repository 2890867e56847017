"""Explorers, which are figures of `dpteach.figures` with sliders.

An explorer is declared once, by a figure function and a slider for each parameter that moves. It
works with a kernel in JupyterLab, without a kernel on a page of the book, and as a picture in the
book's PDF::

    from dpteach.widgets import Slider, explore

    explore(
        figures.sticking_out,
        epsilon=Slider.linear(0, 2, 9, value=1, label="ε", unit="nats"),
        sigma=Slider([0.7, 1, 1.4, 2], value=1, label="standard deviation σ"),
    )
"""

from __future__ import annotations

from dpteach._extras import require

require("dpteach.widgets", "widgets", "matplotlib", "anywidget", "ipywidgets")

from dpteach.widgets._explorer import MAX_FRAMES, Explorer, Slider, explore

__all__ = ["MAX_FRAMES", "Explorer", "Slider", "explore"]
