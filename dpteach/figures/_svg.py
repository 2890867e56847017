"""matplotlib's SVG, with a memory for text: an explorer draws hundreds of pictures with nearly the
same words, and to measure and set them takes a third of the time. The pictures are the same."""

from __future__ import annotations

import io
from typing import Any

from matplotlib.backends.backend_mixed import MixedModeRenderer
from matplotlib.backends.backend_svg import FigureCanvasSVG, RendererSVG
from matplotlib.textpath import TextToPath

#: texts that are remembered; a figure has some dozens
MOST = 5_000


class _Texts(TextToPath):
    """Text as paths; the same text in the same font is set once."""

    def __init__(self) -> None:
        super().__init__()
        self._sizes: dict[Any, tuple[float, float, float]] = {}
        self._set: dict[Any, tuple[list[Any], dict[str, Any]]] = {}

    def get_text_width_height_descent(
        self, s: str, prop: Any, ismath: Any
    ) -> tuple[float, float, float]:
        key = s, hash(prop), ismath  # two properties are equal if their hashes are
        if key not in self._sizes:
            _forget(self._sizes)
            self._sizes[key] = super().get_text_width_height_descent(s, prop, ismath)
        return self._sizes[key]

    def get_glyphs_with_font(
        self,
        font: Any,
        s: str,
        glyph_map: Any = None,
        return_new_glyphs_only: bool = False,
        **more: Any,
    ) -> tuple[list[Any], dict[str, Any], list[Any]]:
        key = font, s, *(repr(value) for value in more.values())
        if key not in self._set:
            _forget(self._set)
            places, glyphs, _ = super().get_glyphs_with_font(font, s, **more)
            self._set[key] = places, glyphs
        places, glyphs = self._set[key]
        known = {} if glyph_map is None else glyph_map
        new = {name: path for name, path in glyphs.items() if name not in known}
        if not return_new_glyphs_only:
            known.update(new)
            new = known
        return list(places), new, []


def _forget(memory: dict[Any, Any]) -> None:
    """Empties a memory that is full."""
    if len(memory) >= MOST:
        memory.clear()


_TEXTS = _Texts()


class FigureCanvas(FigureCanvasSVG):
    """What ``savefig(backend="module://dpteach.figures._svg")`` draws on."""

    def print_svg(self, filename: Any, *, metadata: Any = None, **_: object) -> None:
        """As in matplotlib, but for the memory."""
        figure: Any = self.figure
        dpi, figure.dpi = figure.dpi, 72
        width, height = figure.get_size_inches()
        text = io.StringIO()
        of_svg: Any = RendererSVG
        of_both: Any = MixedModeRenderer
        drawn = of_svg(72 * width, 72 * height, text, image_dpi=dpi, metadata=metadata)
        drawn._text2path = _TEXTS
        both = of_both(figure, width, height, dpi, drawn)
        figure.draw(both)
        both.finalize()
        filename.write(text.getvalue().encode())
