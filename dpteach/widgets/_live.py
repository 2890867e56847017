"""Explorers (figures with sliders) in a notebook, whose pictures are drawn by the kernel."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

import anywidget
import traitlets

from dpteach.figures import _style

if TYPE_CHECKING:
    from matplotlib.axes import Axes

FOLDER = Path(__file__).parent


class Drawn(Protocol):
    """The interface of an object that draws pictures, such as an `Explorer`."""

    def spec(self) -> dict[str, Any]: ...
    def markup(self, source: str) -> str: ...
    def figure(self, indices: Iterable[int] | None = None) -> Axes: ...
    def handles(self, ax: Axes) -> list[tuple[float, float] | None]: ...
    def path(self, which: int, indices: Iterable[int]) -> list[tuple[float, float] | None]: ...


class LiveExplorer(anywidget.AnyWidget):
    """An explorer as an ipywidgets DOMWidget, whose pictures the kernel draws on request."""

    _esm = (FOLDER / "explorer.js").read_text("utf-8") + (
        "\nexport default { render: dpteachExplorer.render };\n"
    )
    _css = (FOLDER / "explorer.css").read_text("utf-8")

    html = traitlets.Unicode().tag(sync=True)
    indices = traitlets.List(traitlets.Int()).tag(sync=True)
    picture = traitlets.Unicode().tag(sync=True)
    alt = traitlets.Unicode().tag(sync=True)
    places: traitlets.List[Any] = traitlets.List().tag(sync=True)
    problem = traitlets.Unicode().tag(sync=True)

    def __init__(self, explorer: Drawn) -> None:
        self._explorer = explorer
        ax = explorer.figure()
        super().__init__(
            html=explorer.markup("data:,"),
            indices=[slider["index"] for slider in explorer.spec()["sliders"]],
            picture=_style.svg(ax),
            alt=_style.alt_text(ax),
            places=explorer.handles(ax),
        )
        self.observe(self._moved, names="indices")
        self.on_msg(self._asked)

    def mimebundle(self) -> dict[str, Any]:
        """Return the widget as a MIME bundle, which a notebook shows."""
        bundle = self._repr_mimebundle_()
        return dict(bundle[0] if isinstance(bundle, tuple) else bundle or {})

    def _moved(self, change: Any) -> None:
        with self.hold_sync():
            try:
                ax = self._explorer.figure(change["new"])
                self.picture, self.alt, self.problem = _style.svg(ax), _style.alt_text(ax), ""
                self.places = self._explorer.handles(ax)
            except (
                ArithmeticError,
                TypeError,
                ValueError,
            ) as error:  # show the error to the reader, because ipywidgets would only log it
                self.problem = f"{type(error).__name__}: {error}"

    def _asked(self, widget: Any, content: Any, buffers: Any) -> None:
        """Answer a script that asks where the draggable point of a slider is at each value."""
        which, indices = content["which"], content["indices"]
        try:
            path = self._explorer.path(which, indices)
        except (ArithmeticError, IndexError, TypeError, ValueError):
            path = []
        self.send({"which": which, "indices": indices, "path": path})
