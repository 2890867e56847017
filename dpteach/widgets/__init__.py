"""Sliders over the functions of `dpteach.figures`.

An explorer is declared once, over a figure function and a slider for each of its parameters,
and works live in JupyterLab, on a built page with no kernel, and as a picture on paper::

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
