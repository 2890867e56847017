"""The class `Explorer`, a figure with sliders, and its HTML for pages without a kernel."""

from __future__ import annotations

import base64
import contextlib
import functools
import gc
import hashlib
import html
import inspect
import itertools
import json
import math
import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import KW_ONLY, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

import dpteach
from dpteach import _check
from dpteach._language import catalog, of_script
from dpteach._readable import FRAMES_VARIABLE, number

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from dpteach.widgets._live import LiveExplorer

_, _n = catalog("widgets")

#: the JavaScript of explorers (figures with sliders), for pages of the book and for notebooks
SCRIPT = (Path(__file__).parent / "explorer.js").read_text("utf-8")

#: the largest number of pictures that one explorer may have
MAX_FRAMES = 400
#: the beginning of the addresses of an explorer's pictures; the book's build replaces it by a
#: relative URL
FRAMES_SCHEME = "dpteach-explorers:"
#: the file with the initial picture, shown before any slider moves
FIRST = "first.svg"

#: matches the pieces from which an explorer's pictures are assembled: SVG tags and the text
#: between tags
_PIECE = re.compile(r"[^>]*>|[^>]+$")

_NUMBER = _check.Domain("a number (inf and -inf are allowed)", lambda x: not math.isnan(x))


@dataclass(frozen=True)
class Slider:
    """A slider for one parameter of a figure, with the values that the parameter can take.

    Parameters
    ----------
    values
        Numbers, strictly increasing; inf is allowed.
    value
        The initial value; by default the first of `values`.
    label
        The name of the slider, on the page and for assistive technology; plain text.
    unit
        The unit shown after a value, in the plural, as in "nats"; after 1 and -1 its final s is
        left out.
    names
        Texts shown instead of the values, one for each value, if the values stand for choices.

    Raises
    ------
    TypeError, ValueError
        If the values are not strictly increasing numbers, the value is not one of them, or
        the label is empty; if there are names, but not one for each value.

    Examples
    --------
    >>> Slider([1, 2, 5.5], value=2, label="order").texts
    ('1', '2', '5.5')
    >>> Slider.linear(0.5, 1.5, 3, label="epsilon", unit="nats").texts
    ('0.5 nats', '1 nat', '1.5 nats')
    >>> Slider([0, 1], label="bracket", names=["in its place", "misplaced"]).texts
    ('in its place', 'misplaced')
    """

    values: tuple[float, ...]
    value: float = math.nan
    _: KW_ONLY
    label: str
    unit: str = ""
    names: tuple[str, ...] = ()

    def __init__(
        self,
        values: Iterable[float],
        value: float | None = None,
        *,
        label: str,
        unit: str = "",
        names: Iterable[str] = (),
    ) -> None:
        label, unit = _words("label", label), _words("unit", unit)
        if not label or "$" in label + unit:
            raise ValueError(
                f"label must be plain text that names the slider, got label={_check.shown(label)}"
            )
        numbers = _increasing(values)
        words = tuple(_words(f"names[{i}]", name) for i, name in enumerate(names))
        if words and (len(words) != len(numbers) or "" in words or "$" in "".join(words)):
            raise ValueError(
                f"names must be plain text, one for each of {len(numbers)} values, "
                f"got names={_check.shown(list(words))}"
            )
        chosen = numbers[0] if value is None else _number("value", value)
        if chosen not in numbers:
            raise ValueError(
                f"value must be one of the slider's values {_check.shown(list(numbers))}, "
                f"got value={chosen!r}"
            )
        object.__setattr__(self, "values", numbers)
        object.__setattr__(self, "value", chosen)
        object.__setattr__(self, "label", label)
        object.__setattr__(self, "unit", unit)
        object.__setattr__(self, "names", words)

    @classmethod
    def linear(
        cls,
        start: float,
        stop: float,
        count: int,
        value: float | None = None,
        *,
        label: str,
        unit: str = "",
    ) -> Self:
        """Return a slider with evenly spaced values from start to stop, both included.

        The values are rounded to 12 significant digits, so that a value shown as 0.3
        is 0.3, and not 0.30000000000000004.
        """
        first, last = _ends(start, stop, _check.FINITE)
        steps = _check.count("count", count, minimum=2) - 1
        values = [_rounded(first + (last - first) * i / steps, 12) for i in range(steps + 1)]
        return cls(values, value, label=label, unit=unit)

    @classmethod
    def geometric(
        cls,
        start: float,
        stop: float,
        count: int,
        value: float | None = None,
        *,
        label: str,
        unit: str = "",
    ) -> Self:
        """Return a slider from start to stop inclusive, about evenly spaced on a logarithmic scale.

        The values are rounded to 3 significant digits; the figure gets the rounded value that the
        slider shows.

        Examples
        --------
        >>> Slider.geometric(0.1, 10, 5, value=1, label="sigma").values
        (0.1, 0.316, 1.0, 3.16, 10.0)
        """
        first, last = _ends(start, stop, _check.POSITIVE)
        steps = _check.count("count", count, minimum=2) - 1
        ratio = last / first
        values = [_rounded(first * ratio ** (i / steps), 3) for i in range(steps + 1)]
        return cls(values, value, label=label, unit=unit)

    @property
    def index(self) -> int:
        """The position of the initial value among the values."""
        return self.values.index(self.value)

    @property
    def texts(self) -> tuple[str, ...]:
        """The text shown for each value: its name, or the number with its unit."""
        if self.names:
            return self.names
        one = self.unit.removesuffix("s")
        units = (one if abs(x) == 1 else self.unit for x in self.values)
        space = "" if self.unit == "%" else " "
        return tuple(
            f"{number(x, 15)}{space}{unit}".rstrip()
            for x, unit in zip(self.values, units, strict=True)
        )


def explore(
    function: Callable[..., Axes],
    /,
    *,
    question: str = "",
    answer: str = "",
    plays: bool = False,
    **sliders: Slider,
) -> Explorer:
    """Return a figure with sliders, and optionally a question that moving the sliders answers.

    Readers can also drag a point in the picture if the figure function declares by
    `_style.handle` that the point moves with a parameter.

    Parameters
    ----------
    function
        A function of `dpteach.figures`, or another function that takes its parameters by keyword
        and returns matplotlib Axes with a description. Fix parameters that have no slider by
        `functools.partial`.
    question, answer
        Plain text. The question is shown above the picture; the answer is folded below it.
    plays
        Whether the first slider moves by itself when a page of the book is opened: once, from its
        first value to its last, in four seconds, and only until the reader does something. The
        initial value of this slider must be its first one. Readers who ask for reduced motion see
        only the first picture.
    **sliders
        A `Slider` for each parameter that moves.

    Returns
    -------
    Explorer
        A notebook shows it if it is the last expression of a cell.

    Raises
    ------
    TypeError, ValueError
        If the function cannot be called, has no parameter of a slider's name or has a further
        parameter without a default value, a slider is no `Slider`, or there would be more than
        400 pictures; if one of question and answer is missing, or if `plays` is set and the
        initial value of the first slider is not its first one.
    """
    return Explorer(function, sliders, question, answer, plays)


#: HTML with a copy of an explorer's picture, for notebooks that nbconvert converts to HTML. In the
#: converted notebook, a script from another host draws the widget. If the script cannot be loaded,
#: the copy becomes visible; nbconvert itself keeps no picture of a widget
STILL = """\
<style>.jp-OutputArea-child:has(> .jupyter-widgets > [type$="widget-view+json"]):not(:has(\
.dpteach-explorer)) + .jp-OutputArea-child .dpteach-explorer-still {{\
 display: block !important }}</style>
<img class="dpteach-explorer-still" style="display: none" src="{source}" alt="{words}">"""


@contextlib.contextmanager
def _seldom_collected() -> Iterator[None]:
    """Make Python collect garbage less often while the pictures of an explorer are drawn.

    With the usual thresholds, collection takes a seventh of the drawing time but finds little,
    because the thousands of objects of a picture live as long as the picture.
    """
    kept = gc.get_threshold()
    gc.set_threshold(50_000)
    try:
        yield
    finally:
        gc.set_threshold(*kept)


class Explorer:
    """A figure function with its sliders, as returned by `explore`."""

    def __init__(
        self,
        function: Callable[..., Axes],
        sliders: Mapping[str, Slider],
        question: str = "",
        answer: str = "",
        plays: bool = False,
    ) -> None:
        if not callable(function):
            raise TypeError(
                "function must be a figure function, "
                f"got function={_check.shown(function)} of type {type(function).__name__}"
            )
        if not sliders:
            raise ValueError("sliders must hold at least one Slider, got none")
        for name, slider in sliders.items():
            _check.instance(name, slider, Slider)
        _match(function, sliders)
        total = math.prod(len(s.values) for s in sliders.values())
        if total > MAX_FRAMES:
            counts = " x ".join(str(len(s.values)) for s in sliders.values())
            raise ValueError(
                f"sliders must have at most {MAX_FRAMES} combinations of values, "
                f"got {counts} = {total}"
            )
        self.question, self.answer = _words("question", question), _words("answer", answer)
        if bool(self.question) != bool(self.answer) or "$" in self.question + self.answer:
            raise ValueError(
                "question and answer must both be plain text, or both be left out, "
                f"got question={_check.shown(question)} and answer={_check.shown(answer)}"
            )
        name, slider = next(iter(sliders.items()))
        if plays and slider.index:
            raise ValueError(
                f"plays needs {name} to stand at its first value {slider.values[0]!r}, "
                f"got {slider.value!r}"
            )
        self.plays = plays
        self.function = function
        self.sliders = dict(sliders)

    def __repr__(self) -> str:
        return f"explore({_name(self.function)}, {', '.join(self.sliders)})"

    def figure(self, indices: Iterable[int] | None = None) -> Axes:
        """Return the picture at the given slider positions; by default at the initial ones."""
        places = [s.index for s in self.sliders.values()] if indices is None else [*indices]
        if len(places) != len(self.sliders):
            raise ValueError(
                f"indices must hold {len(self.sliders)} places, got indices={places!r}"
            )
        arguments = {}
        for (name, slider), place in zip(self.sliders.items(), places, strict=True):
            at = _check.count(f"place of {name}", place, minimum=0)
            if at >= len(slider.values):
                raise ValueError(
                    f"place of {name} must be an integer < {len(slider.values)}, got {at}"
                )
            arguments[name] = slider.values[at]
        return self.function(**arguments)

    @functools.cached_property
    def _first(self) -> Axes:
        return self.figure()

    @functools.cached_property
    def widget(self) -> LiveExplorer:
        """Return the live widget, an ipywidgets DOMWidget whose pictures a kernel draws."""
        from dpteach.widgets._live import LiveExplorer

        return LiveExplorer(self)

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> dict[str, Any]:
        from dpteach.figures import _style

        ax = self._first
        bundle = {"text/plain": _style.alt_text(ax)}
        bundle["image/png"] = base64.b64encode(_style.png(ax)).decode("ascii")
        folder = os.environ.get(FRAMES_VARIABLE)
        if folder:
            return {"text/html": self.page(Path(folder))} | bundle
        return self.widget.mimebundle() | bundle

    def _ipython_display_(self) -> None:
        """Show the widget in a notebook, with its picture for pages that cannot run widgets."""
        if os.environ.get(FRAMES_VARIABLE):
            # an error of this class makes IPython call `_repr_mimebundle_` instead
            raise NotImplementedError
        from IPython.display import display

        bundle = self._repr_mimebundle_()
        source = f"data:image/png;base64,{bundle['image/png']}"
        still = STILL.format(source=source, words=html.escape(bundle["text/plain"]))
        display(bundle, raw=True)  # type: ignore[no-untyped-call]
        display({"text/html": still, "text/plain": ""}, raw=True)  # type: ignore[no-untyped-call]

    # --- the explorer on a page without a kernel ---------------------------------------------

    def page(self, folder: Path) -> str:
        """Write the pictures to a subfolder of the given folder; return HTML that shows them.

        The address of the initial picture starts with ``dpteach-explorers:``; the book's build
        replaces this beginning by the address of `folder`.
        """
        name = self._draw(folder)
        return self.markup(f"{FRAMES_SCHEME}{name}/{FIRST}", frames=name)

    def markup(self, source: str, frames: str = "") -> str:
        """Return the HTML of the explorer, which the page's script later makes interactive.

        `source` is the address of the initial picture. `frames` is the name of the folder in which
        the script finds the other pictures; a notebook has no such folder.
        """
        from dpteach.figures import _style

        ax = self._first
        width, height = _style.size(ax)
        state = ", ".join(f"{s.label}: {s.texts[s.index]}" for s in self.sliders.values())
        needs = _n(
            "The slider needs JavaScript. The figure shows the setting “{state}.”",
            "The sliders need JavaScript. The figure shows the setting “{state}.”",
            len(self.sliders),
            state=state,
        )
        page = {"frames": frames} | ({"plays": True} if self.plays else {})
        data = json.dumps(self.spec() | page, ensure_ascii=False)
        question = answer = ""
        fold = html.escape(_("Answer"))
        if self.question:
            question = f'<p class="dpteach-explorer-question">{_shown(self.question)}</p>\n'
            answer = (
                '<details class="dpteach-explorer-answer">'
                f"<summary>{fold}</summary>\n"
                f"<p>{_shown(self.answer)}</p></details>\n"
            )
        return (
            f'<div class="dpteach-explorer"{" data-dpteach-explorer" if frames else ""}>\n'
            f'<script type="application/json">{data.replace("<", chr(92) + "u003c")}</script>\n'
            f'<div class="dpteach-explorer-stage">\n{question}{self._controls()}'
            '<div class="dpteach-explorer-room dpteach-scroll">'
            f'<div class="dpteach-explorer-view" style="--ratio: {width / height:.4f}; '
            f'--width: {width}">'
            f'<img class="dpteach-explorer-picture" src="{source}" width="{width}" '
            f'height="{height}" loading="lazy" alt="{html.escape(_style.alt_text(ax))}">'
            f'</div></div>\n<div class="dpteach-explorer-actions"></div>\n{answer}</div>\n'
            f"<noscript><p>{html.escape(needs)}</p></noscript>\n"
            "</div>"
        )

    def _controls(self) -> str:
        """Return the HTML of the sliders, which stay disabled until the script runs.

        The first slider is always visible; the others are folded.
        """
        first, *others = (
            f'<div class="dpteach-explorer-row"><label>{html.escape(s.label)}</label>'
            f'<input type="range" min="0" max="{len(s.values) - 1}" step="1" value="{s.index}" '
            f'aria-label="{html.escape(s.label)}" disabled>'
            f"<output>{html.escape(s.texts[s.index])}</output></div>"
            for s in self.sliders.values()
        )
        shown = f'<div class="dpteach-explorer-controls">{first}</div>\n'
        if not others:
            return shown
        names = ", ".join(s.label for s in [*self.sliders.values()][1:])
        more = _("More settings: {names}", names=names)
        return (
            f'{shown}<details class="dpteach-explorer-more">'
            f"<summary>{html.escape(more)}</summary>"
            f'<div class="dpteach-explorer-controls">{"".join(others)}</div></details>\n'
        )

    def spec(self) -> dict[str, Any]:
        """Return the sliders' values and labels, and translated messages, for the page's script."""
        messages = of_script("widgets", SCRIPT)
        return ({"messages": messages} if messages else {}) | {
            "sliders": [
                {
                    "name": name,
                    "label": s.label,
                    "texts": s.texts,
                    "values": [str(x) for x in s.values],
                    "index": s.index,
                }
                for name, s in self.sliders.items()
            ]
        }

    def handles(self, ax: Axes) -> list[tuple[float, float] | None]:
        """Return for each slider its draggable point in fractions of the picture size, or None."""
        from dpteach.figures import _style

        found = _style.handles(ax)
        return [found.get(name) for name in self.sliders]

    def path(self, which: int, indices: Iterable[int]) -> list[tuple[float, float] | None]:
        """Return where the draggable point of slider number `which` is at each of its values."""
        places = [*indices]
        count = len([*self.sliders.values()][which].values)
        return [
            self.handles(self.figure([*places[:which], k, *places[which + 1 :]]))[which]
            for k in range(count)
        ]

    @_seldom_collected()
    def _draw(self, folder: Path) -> str:
        """Write all pictures of the explorer, and return the name of their folder.

        One file has all pictures; the initial picture is also in the file `FIRST`. The pictures
        have most pieces of SVG in common. Therefore the file with all pictures contains each piece
        once, and for each picture the numbers of its pieces, shortened by `_runs`. This file is a
        script, because a page that is opened as a local file can load no other data.
        """
        from dpteach.figures import _style

        name = self._key()[:16]
        target = folder / name
        script = target / "frames.js"
        if script.exists() and _module(self.function).startswith("dpteach."):
            return name
        target.mkdir(parents=True, exist_ok=True)
        first = tuple(s.index for s in self.sliders.values())
        pieces: dict[str, int] = {}
        frames, places = [], []
        for indices in itertools.product(*(range(len(s.values)) for s in self.sliders.values())):
            ax = self.figure(indices)
            picture = _style.svg(ax)
            if indices == first:
                (target / FIRST).write_text(picture, "utf-8")
            numbers = [pieces.setdefault(piece, len(pieces)) for piece in _PIECE.findall(picture)]
            frames.append(_runs(numbers))
            places.append(self.handles(ax))
        data = {"pieces": [*pieces], "frames": frames, "places": places}
        words = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
        # write to a temporary file and rename it when it is complete, because another kernel may
        # read or write the file at the same time
        made = target / f"{os.getpid()}.js"
        made.write_text(f'dpteachExplorer.frames("{name}",{words});\n', "utf-8")
        made.replace(script)
        return name

    def _key(self) -> str:
        """Return a hash of all code, versions and values on which the pictures depend."""
        import matplotlib
        import numpy as np

        digest = hashlib.sha256()
        root = Path(dpteach.__file__).parent
        for path in sorted(root.rglob("*.py")):
            digest.update(path.relative_to(root).as_posix().encode() + b"\0" + path.read_bytes())
        try:
            source = inspect.getsource(_unwrapped(self.function))
        except (OSError, TypeError):
            source = ""
        what = [matplotlib.__version__, np.__version__, _name(self.function), source]
        digest.update(
            repr((what, [(k, s.values, s.value) for k, s in self.sliders.items()])).encode()
        )
        return digest.hexdigest()


def _runs(numbers: Iterable[int]) -> list[int]:
    """Return the first and last number of each run of consecutive numbers, as one list.

    >>> _runs([0, 1, 2, 7, 4, 5])
    [0, 2, 7, 7, 4, 5]
    """
    runs: list[int] = []
    for piece in numbers:
        if runs and runs[-1] + 1 == piece:
            runs[-1] = piece
        else:
            runs += [piece, piece]
    return runs


def _words(name: str, words: object) -> str:
    if not isinstance(words, str):
        raise TypeError(
            f"{name} must be a str, got {name}={_check.shown(words)} of type {type(words).__name__}"
        )
    return " ".join(words.split())


def _shown(words: str) -> str:
    """Return plain text as HTML, with a no-break space between a number and a percent sign."""
    return html.escape(re.sub(r"(?<=\d) (?=%)", "\u00a0", words))


def _number(name: str, value: object) -> float:
    """Return a value as a Python number; an integer, such as 2, stays an int."""
    number = _check.real(name, value, _NUMBER)
    try:
        return _check.count(name, value, minimum=-(2**53))
    except (TypeError, ValueError):
        return number


def _increasing(values: object) -> tuple[float, ...]:
    if isinstance(values, (str, bytes)) or not isinstance(values, Iterable):
        raise TypeError(
            f"values must be a sequence of numbers, got values={_check.shown(values)} "
            f"of type {type(values).__name__}"
        )
    numbers = tuple(_number(f"values[{i}]", x) for i, x in enumerate(values))
    if not numbers:
        raise ValueError("values must hold at least one number, got values=()")
    for i, (left, right) in enumerate(itertools.pairwise(numbers)):
        if not left < right:
            raise ValueError(
                "values must be strictly increasing, "
                f"got values[{i}]={left!r} before values[{i + 1}]={right!r}"
            )
    return numbers


def _ends(start: object, stop: object, domain: _check.Domain) -> tuple[float, float]:
    first, last = _check.real("start", start, domain), _check.real("stop", stop, domain)
    if not first < last:
        raise ValueError(f"stop must be > start, got start={first!r} and stop={last!r}")
    return first, last


def _rounded(value: float, digits: int) -> float:
    return float(f"{value:.{digits}g}")


def _unwrapped(function: Callable[..., Any]) -> Callable[..., Any]:
    while isinstance(function, functools.partial):
        function = function.func
    bare: Callable[..., Any] = inspect.unwrap(function)
    return bare


def _module(function: Callable[..., Any]) -> str:
    return str(getattr(_unwrapped(function), "__module__", ""))


def _name(function: Callable[..., Any]) -> str:
    if isinstance(function, functools.partial):
        fixed = ", ".join(f"{k}={v!r}" for k, v in function.keywords.items())
        return f"partial({_name(function.func)}, {fixed})"
    return str(getattr(function, "__qualname__", type(function).__name__))


def _match(function: Callable[..., Any], sliders: Mapping[str, Slider]) -> None:
    """Check that the sliders cover all required parameters of the function, and no unknown ones."""
    parameters = inspect.signature(function).parameters
    by_name = {
        name: p
        for name, p in parameters.items()
        if p.kind in (p.KEYWORD_ONLY, p.POSITIONAL_OR_KEYWORD) and name != "ax"
    }
    for name in sliders:
        if name not in by_name:
            raise ValueError(
                f"sliders must be named after parameters of {_name(function)} "
                f"({', '.join(by_name) or 'it has none'}), got {name}"
            )
    for name, p in by_name.items():
        if p.default is p.empty and name not in sliders:
            raise ValueError(
                f"sliders must cover the parameters of {_name(function)} that have no default "
                f"(or fix them with functools.partial), got none for {name}"
            )
