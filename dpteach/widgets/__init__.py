"""Sliders over the functions of `dpteach.figures`.

An explorer is declared once, over a figure function and a slider for each of its parameters,
and works live in JupyterLab, on a built page with no kernel, and as a picture on paper::

    from dpteach.widgets import Slider, explore

    explore(
        figures.hockey_stick_area,
        epsilon=Slider.linear(0.5, 3.0, 6, value=1.0, label="epsilon", unit="nats"),
        sigma=Slider([0.5, 1, 2, 5], value=2, label="sigma"),
    )
"""

from __future__ import annotations

from dpteach.widgets._explorer import MAX_FRAMES, Explorer, Slider, explore

__all__ = ["MAX_FRAMES", "Explorer", "Slider", "explore"]
