"""The explorer in a notebook with a kernel: the page's own script, with a kernel that draws."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import anywidget
import traitlets

from dpteach.figures import _style

if TYPE_CHECKING:
    from matplotlib.axes import Axes

FOLDER = Path(__file__).parent


class LiveExplorer(anywidget.AnyWidget):
    """An ipywidgets DOMWidget; its state is the picture, never anything that the figure needs.

    Parameters
    ----------
    draw
        `Explorer.figure`.
    spec
        `Explorer.spec`.
    """

    _esm = (FOLDER / "explorer.js").read_text("utf-8") + (
        "\nexport default { render: dpteachExplorer.render };\n"
    )
    _css = (FOLDER / "explorer.css").read_text("utf-8")

    spec = traitlets.Dict().tag(sync=True)
    indices = traitlets.List(traitlets.Int()).tag(sync=True)
    picture = traitlets.Unicode().tag(sync=True)
    alt = traitlets.Unicode().tag(sync=True)
    problem = traitlets.Unicode().tag(sync=True)

    def __init__(self, draw: Callable[[list[int]], Axes], spec: Mapping[str, Any]) -> None:
        self._draw = draw
        first = [slider["index"] for slider in spec["sliders"]]
        ax = draw(first)
        super().__init__(
            spec=spec,
            indices=first,
            picture=_style.svg(ax),
            alt=_style.alt_text(ax),
        )
        self.observe(self._moved, names="indices")

    def mimebundle(self) -> dict[str, Any]:
        """What a notebook shows."""
        bundle = self._repr_mimebundle_()
        return dict(bundle[0] if isinstance(bundle, tuple) else bundle or {})

    def _moved(self, change: Any) -> None:
        with self.hold_sync():
            try:
                ax = self._draw(change["new"])
                self.picture, self.alt, self.problem = _style.svg(ax), _style.alt_text(ax), ""
            except (
                ArithmeticError,
                TypeError,
                ValueError,
            ) as error:  # shown where the reader looks, not in a log
                self.problem = f"{type(error).__name__}: {error}"
