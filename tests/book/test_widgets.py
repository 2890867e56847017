"""Tests, without a browser, of explorers (figures with sliders) in a page and in a notebook."""

from __future__ import annotations

import functools
import html
import json
import math
import re
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from matplotlib.axes import Axes

from dpteach._readable import FRAMES_VARIABLE
from dpteach.figures import _style
from dpteach.widgets import Explorer, Slider, explore
from dpteach.widgets._explorer import FIRST, FRAMES_SCHEME

inf, nan = math.inf, math.nan


@_style.styled
def curve(*, epsilon: float, order: float = 2, ax: Axes | None = None) -> Axes:
    axes = _style.new_axes(ax)
    axes.plot([1, 20], [0, epsilon * min(order, 30)])
    axes.set(xlim=(1, 20), ylim=(0, 60), xlabel=r"order $\alpha$", ylabel="nats")
    _style.handle(axes, order=(min(order, 30), 30.0))
    return _style.describe(axes, f'A "line" < {epsilon:g} & order {order:g}.')


@pytest.fixture
def explorer() -> Explorer:
    return explore(
        curve,
        epsilon=Slider.linear(0.1, 0.3, 3, value=0.2, label="epsilon", unit="nats"),
        order=Slider([1, 2.5, inf], label="order α"),
    )


@pytest.fixture
def book(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv(FRAMES_VARIABLE, str(tmp_path))
    return tmp_path


# --- sliders ---------------------------------------------------------------------------------


def test_a_slider_shows_the_very_values_that_the_figure_gets() -> None:
    linear = Slider.linear(0.1, 0.3, 3, label="epsilon", unit="nats")
    assert linear.values == (0.1, 0.2, 0.3)
    assert linear.texts == ("0.1 nats", "0.2 nats", "0.3 nats")
    assert linear.value == 0.1
    geometric = Slider.geometric(0.1, 1000, 9, value=1, label="sigma")
    assert geometric.values == (0.1, 0.316, 1, 3.16, 10, 31.6, 100, 316, 1000)
    assert geometric.index == 2
    assert [float(text) for text in geometric.texts] == list(geometric.values)
    fine = Slider([1, 1 + 1e-9, 2, inf], label="order")
    assert fine.texts == ("1", "1.000000001", "2", "∞")
    assert Slider([-inf, -2], label="loss").texts == ("−∞", "−2")
    assert Slider([2, 3], label="k").values == (2, 3)
    assert all(isinstance(x, int) for x in Slider(np.array([2, 3]), label="k").values)


@pytest.mark.parametrize(
    ("unit", "one", "two"),
    [
        ("nights", "1 night", "2 nights"),
        # for the value 1, a unit loses a final s; units without a final s do not change
        ("%", "1%", "2%"),
        ("m", "1 m", "2 m"),
        ("", "1", "2"),
    ],
)
def test_one_of_a_unit_is_told_in_the_singular(unit: str, one: str, two: str) -> None:
    assert Slider([1, 2], label="size", unit=unit).texts == (one, two)


def test_a_slider_is_a_value() -> None:
    assert Slider([1, 2], label="k") == Slider((1, 2), 1, label=" k ")
    assert Slider([1, 2], label="k") != Slider([1, 2], 2, label="k")
    assert hash(Slider([1], label="k")) == hash(Slider([1], label="k"))
    with pytest.raises(AttributeError):
        Slider([1, 2], label="k").value = 2  # type: ignore[misc]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (([],), "values must hold at least one number, got values="),
        (([1, nan],), r"values\[1\] must be a number .*got values\[1\]=nan"),
        (([2, 1],), r"values must be strictly increasing, got values\[0\]=2 before values\[1\]=1"),
        (([1, 1],), r"values must be strictly increasing, got values\[0\]=1 before values\[1\]=1"),
        (([1, 2], 3), r"value must be one of the slider's values \[1, 2\], got value=3"),
        (([1, 2], nan), "value must be a number .*, got value=nan"),
    ],
)
def test_bad_values(arguments: tuple[Any, ...], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        Slider(*arguments, label="order")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("12",), "values must be a sequence of numbers, got values='12' of type str"),
        ((3,), "values must be a sequence of numbers, got values=3 of type int"),
        ((["1"],), r"values\[0\] must be a real number .*got values\[0\]='1' of type str"),
        (([True],), r"values\[0\] must be a real number .* of type bool"),
        (([1j],), r"values\[0\] must be a real number .* of type complex"),
        (([1], "1"), "value must be a real number .*, got value='1' of type str"),
    ],
)
def test_values_of_the_wrong_type(arguments: tuple[Any, ...], message: str) -> None:
    with pytest.raises(TypeError, match=message):
        Slider(*arguments, label="order")


def test_a_slider_has_a_name() -> None:
    for label in ("", "  ", "$\\alpha$"):
        with pytest.raises(ValueError, match="label must be plain text that names the slider"):
            Slider([1], label=label)
    with pytest.raises(TypeError, match="label must be a str, got label=3 of type int"):
        Slider([1], label=3)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="unit must be a str, got unit=None"):
        Slider([1], label="k", unit=None)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((1, 1, 3), "stop must be > start, got start=1.0 and stop=1.0"),
        ((2, 1, 3), "stop must be > start, got start=2.0 and stop=1.0"),
        ((nan, 1, 3), "start must be finite"),
        ((0.5, inf, 3), "stop must be finite"),
        ((0.5, 1, 1), "count must be an integer >= 2, got count=1"),
    ],
)
def test_bad_ranges(arguments: tuple[Any, ...], message: str) -> None:
    for maker in (Slider.linear, Slider.geometric):
        with pytest.raises(ValueError, match=message):
            maker(*arguments, label="order")


def test_ranges_that_make_no_slider() -> None:
    with pytest.raises(ValueError, match="start must be finite and > 0, got start=0"):
        Slider.geometric(0, 1, 3, label="sigma")
    with pytest.raises(ValueError, match="values must be strictly increasing"):
        # 50 values from 1 to 1.01 are not all different in 3 digits
        Slider.geometric(1, 1.01, 50, label="sigma")
    with pytest.raises(TypeError, match=r"count must be an integer >= 2, got count=2\.0"):
        Slider.linear(0, 1, 2.0, label="sigma")  # type: ignore[arg-type]


# --- declarations ----------------------------------------------------------------------------

ORDER = Slider([1, 2], label="order")


@pytest.mark.parametrize(
    ("function", "sliders", "error", "message"),
    [
        (None, {"order": ORDER}, TypeError, "function must be a figure function, got function="),
        (curve, {}, ValueError, "sliders must hold at least one Slider"),
        (curve, {"epsilon": 1.0}, TypeError, "epsilon must be of type Slider, got epsilon=1.0"),
        (curve, {"epsilon": "0.1"}, TypeError, "epsilon must be of type Slider, got epsilon='0.1'"),
        (curve, {"sigma": ORDER}, ValueError, r"parameters of curve \(epsilon, order\), got sigma"),
        (curve, {"ax": ORDER}, ValueError, r"parameters of curve \(epsilon, order\), got ax"),
        (curve, {"order": ORDER}, ValueError, "cover the parameters of curve .* none for epsilon"),
    ],
)
def test_bad_declarations(
    function: Any, sliders: dict[str, Any], error: type[Exception], message: str
) -> None:
    with pytest.raises(error, match=message):
        explore(function, **sliders)


def test_there_are_not_too_many_pictures() -> None:
    twenty = Slider.linear(1, 20, 20, label="k")
    explore(curve, epsilon=twenty, order=twenty)
    more = Slider.linear(1, 21, 21, label="k")
    with pytest.raises(ValueError, match=r"at most 400 combinations of values, got 20 x 21 = 420"):
        explore(curve, epsilon=twenty, order=more)


def test_fixed_parameters() -> None:
    fixed = explore(functools.partial(curve, epsilon=1.0), order=ORDER)
    assert _style.alt_text(fixed.figure([1])) == 'A "line" < 1 & order 2.'
    assert repr(fixed) == "explore(partial(curve, epsilon=1.0), order)"


def test_a_figure_without_a_sentence_is_refused(book: Path) -> None:
    def silent(*, order: float, ax: Axes | None = None) -> Axes:
        return _style.new_axes(ax)

    with pytest.raises(ValueError, match=r"described with describe\(ax, sentence\)"):
        explore(silent, order=ORDER)._repr_mimebundle_()

    def nothing(*, order: float) -> Any:
        return None

    with pytest.raises(TypeError, match="ax must be a matplotlib Axes, got ax=None"):
        explore(nothing, order=ORDER)._repr_mimebundle_()


@pytest.mark.parametrize(
    ("words", "error", "message"),
    [
        ({"question": "Why?"}, ValueError, "must both be plain text, .* got question='Why\\?'"),
        ({"answer": "So."}, ValueError, "must both be plain text, .* and answer='So.'"),
        ({"question": "Is $x$?", "answer": "Yes."}, ValueError, "must both be plain text"),
        ({"question": "Is it?", "answer": 3}, TypeError, "answer must be a str, got answer=3"),
    ],
)
def test_a_question_has_an_answer(
    words: dict[str, Any], error: type[Exception], message: str
) -> None:
    with pytest.raises(error, match=message):
        explore(curve, **{"epsilon": ORDER}, **words)
    asked = explore(curve, epsilon=ORDER, question="Is it\n  < 2?", answer="It & no other.")
    markup = asked.markup("picture.svg")
    assert '<p class="dpteach-explorer-question">Is it &lt; 2?</p>' in markup
    assert "<summary>Answer</summary>\n<p>It &amp; no other.</p></details>" in markup
    assert "Answer" not in explore(curve, epsilon=ORDER).markup("picture.svg")


def test_an_explorer_that_plays_begins_at_the_first_value() -> None:
    first, later = (Slider([1, 2, 3], value=value, label="epsilon") for value in (1, 2))
    assert '"plays": true' in explore(curve, epsilon=first, plays=True).markup("picture.svg")
    assert "plays" not in explore(curve, epsilon=first).markup("picture.svg")
    with pytest.raises(
        ValueError, match="plays needs epsilon to stand at its first value 1, got 2"
    ):
        explore(curve, epsilon=later, plays=True)


def test_handles_stand_where_the_picture_says(explorer: Explorer) -> None:
    epsilon, (left, top) = explorer.handles(explorer.figure([0, 0]))
    assert epsilon is None
    # the handle of the second slider, a draggable point, is at the left edge of the axes and at
    # half their height
    assert (left, top) == (0.175, round(1 - (0.135 + 0.88) / 2, 4))
    # a handle that would be outside of the axes is put at their edge
    path = explorer.path(1, [0, 0])
    assert [place[0] for place in path if place] == [0.175, pytest.approx(0.237, abs=1e-3), 0.96]
    assert explorer.path(0, [0, 0]) == [None] * 3


def test_a_handle_needs_a_place() -> None:
    axes = _style.new_axes()
    with pytest.raises(TypeError, match=r"order must be a pair \(x, y\), got order=3"):
        _style.handle(axes, order=3)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match=r"order\[1\] must be finite, got order\[1\]=nan"):
        _style.handle(axes, order=(1.0, nan))
    assert _style.handles(axes) == {}


def test_places_of_the_sliders(explorer: Explorer) -> None:
    assert _style.alt_text(explorer.figure()) == 'A "line" < 0.2 & order 1.'
    assert _style.alt_text(explorer.figure([2, 2])) == 'A "line" < 0.3 & order inf.'
    with pytest.raises(ValueError, match=r"indices must hold 2 places, got indices=\[1\]"):
        explorer.figure([1])
    with pytest.raises(ValueError, match="place of order must be an integer < 3, got 3"):
        explorer.figure([0, 3])


# --- the page --------------------------------------------------------------------------------


@pytest.mark.slow
def test_the_page_has_all_frames_and_the_first_picture(explorer: Explorer, book: Path) -> None:
    bundle = explorer._repr_mimebundle_()
    assert set(bundle) == {"text/html", "text/plain", "image/png"}
    assert bundle["text/plain"] == 'A "line" < 0.2 & order 1.'
    page = bundle["text/html"]
    data = json.loads(re.search(r"<script[^>]*>(.*?)</script>", page)[1])  # type: ignore[index]
    assert data["sliders"] == [
        {
            "name": "epsilon",
            "label": "epsilon",
            "texts": ["0.1 nats", "0.2 nats", "0.3 nats"],
            "values": ["0.1", "0.2", "0.3"],
            "index": 1,
        },
        {
            "name": "order",
            "label": "order α",
            "texts": ["1", "2.5", "∞"],
            "values": ["1", "2.5", "inf"],
            "index": 0,
        },
    ]
    folder = re.search(rf'src="{FRAMES_SCHEME}(\w+)/{FIRST}"', page)[1]  # type: ignore[index]
    assert folder == data["frames"] == next(book.iterdir()).name
    assert f'alt="{html.escape(_style.alt_text(explorer.figure()))}"' in page
    assert "The sliders need JavaScript." in page
    assert "The figure shows the setting “epsilon: 0.2 nats, order α: 1.”" in page
    assert (book / folder / FIRST).read_text("utf-8") == _style.svg(explorer.figure())
    drawn = frames(book / folder)
    assert drawn == [_style.svg(explorer.figure([i // 3, i % 3])) for i in range(9)]


@pytest.mark.slow
def test_the_first_picture_is_that_of_the_explorer(explorer: Explorer, book: Path) -> None:
    pages = {
        explore(curve, epsilon=Slider([1, 2], value, label="epsilon")).page(book)
        for value in (1, 2)
    }
    assert len(pages) == len(list(book.iterdir())) == 2


def frames(folder: Path) -> list[str]:
    """Return an explorer's pictures, one per position of its sliders, from `folder`'s script."""
    text = (folder / "frames.js").read_text("utf-8")
    call = re.fullmatch(r'dpteachExplorer\.frames\("(\w+)",(.*)\);\n', text, re.DOTALL)
    assert call and call[1] == folder.name
    data = json.loads(call[2])
    assert len(data["frames"]) == len(data["places"])
    return [
        "".join(
            "".join(data["pieces"][first : last + 1])
            for first, last in zip(runs[::2], runs[1::2], strict=True)
        )
        for runs in data["frames"]
    ]


@pytest.mark.slow
def test_the_page_depends_on_what_is_declared_only(explorer: Explorer, book: Path) -> None:
    again = explore(curve, **explorer.sliders)
    assert explorer.page(book) == again.page(book)
    assert len(list(book.iterdir())) == 1
    other = explore(curve, epsilon=ORDER)
    assert other.page(book) != explorer.page(book)
    assert len(list(book.iterdir())) == 2


def test_frames_of_the_library_are_drawn_once(
    explorer: Explorer, book: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(curve, "__module__", "dpteach.figures.curves")
    monkeypatch.setattr(curve.__wrapped__, "__module__", "dpteach.figures.curves")  # type: ignore[attr-defined]
    page = explorer.page(book)
    drawn = explorer.figure()
    # any call with the positions of sliders now raises an error, so the page must use the stored
    # pictures
    monkeypatch.setattr(explorer, "figure", lambda: drawn)
    assert explorer.page(book) == page


@pytest.mark.slow
def test_a_frame_is_small_and_fast(book: Path) -> None:
    many = explore(curve, epsilon=Slider.linear(0.1, 1, 20, label="epsilon"))
    start = time.process_time()
    many.page(book)
    each = (time.process_time() - start) / 20
    folder = next(book.iterdir())
    assert len(frames(folder)) == 20
    assert (folder / "frames.js").stat().st_size < 60_000
    assert each < 0.5


# --- the notebook ----------------------------------------------------------------------------


def test_a_notebook_gets_a_widget(explorer: Explorer, monkeypatch: pytest.MonkeyPatch) -> None:
    from ipywidgets import DOMWidget

    monkeypatch.delenv(FRAMES_VARIABLE, raising=False)
    assert isinstance(explorer.widget, DOMWidget)
    bundle = explorer._repr_mimebundle_()
    view = bundle["application/vnd.jupyter.widget-view+json"]
    assert view["model_id"] == explorer.widget.model_id
    assert bundle["text/plain"] == 'A "line" < 0.2 & order 1.'
    assert "text/html" not in bundle


@pytest.mark.parametrize("saved", [True, False], ids=["with state", "without state"])
def test_a_notebook_as_html_has_the_picture(
    explorer: Explorer, saved: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A notebook converted to HTML shows the picture, with and without a saved widget state."""
    import nbformat
    from IPython.core import displaypub, interactiveshell
    from nbconvert import HTMLExporter

    monkeypatch.delenv(FRAMES_VARIABLE, raising=False)
    shell = interactiveshell.InteractiveShell()
    monkeypatch.setattr(interactiveshell.InteractiveShell, "initialized", lambda: True)
    monkeypatch.setattr(interactiveshell.InteractiveShell, "instance", lambda: shell)
    shell.display_pub = published = displaypub.CapturingDisplayPublisher()
    explorer._ipython_display_()
    outputs = [nbformat.v4.new_output("display_data", one["data"]) for one in published.outputs]
    cell = nbformat.v4.new_code_cell("e", outputs=outputs)
    notebook = nbformat.v4.new_notebook(cells=[cell])
    if saved:
        state = {explorer.widget.model_id: {"model_name": "AnyModel", "state": {}}}
        kind = "application/vnd.jupyter.widget-state+json"
        notebook.metadata["widgets"] = {kind: {"state": state, "version_major": 2}}
    page = HTMLExporter().from_notebook_node(notebook)[0]
    picture = explorer._repr_mimebundle_()["image/png"]
    shown = re.findall(r"<img[^>]*>", page)
    assert len(shown) == (1 if saved else 2) and all(picture in one for one in shown)
    assert "display: none" in shown[-1] and "display" not in "".join(shown[:-1])
    assert "widget-view+json" in page if saved else True


def test_a_move_draws_in_the_kernel(explorer: Explorer) -> None:
    widget = explorer.widget
    assert (widget.indices, widget.alt) == ([1, 0], 'A "line" < 0.2 & order 1.')
    assert widget.places == [None, (0.175, 0.4925)]
    widget.indices = [0, 1]
    assert widget.alt == 'A "line" < 0.1 & order 2.5.'
    assert widget.picture == _style.svg(explorer.figure([0, 1]))


def test_a_kernel_says_where_a_handle_would_go(
    explorer: Explorer, monkeypatch: pytest.MonkeyPatch
) -> None:
    widget, said = explorer.widget, []
    monkeypatch.setattr(widget, "send", said.append)
    widget._asked(widget, {"which": 1, "indices": [0, 0]}, [])
    assert said == [{"which": 1, "indices": [0, 0], "path": explorer.path(1, [0, 0])}]
    widget._asked(widget, {"which": 7, "indices": [0, 0]}, [])
    assert said[-1]["path"] == []


def test_an_error_in_a_figure_is_shown_and_goes_away() -> None:
    @_style.styled
    def picky(*, order: float, ax: Axes | None = None) -> Axes:
        if order == 1:
            raise ValueError("order must be > 1, got order=1")
        return _style.describe(_style.new_axes(ax), "A picture.")

    widget = explore(picky, order=Slider([1, 2], value=2, label="order")).widget
    widget.indices = [0]
    assert widget.problem == "ValueError: order must be > 1, got order=1"
    widget.indices = [1]
    assert widget.problem == ""


def test_places_from_a_page_are_checked(explorer: Explorer) -> None:
    explorer.widget.indices = [0, 99]
    assert explorer.widget.problem == "ValueError: place of order must be an integer < 3, got 99"
