"""The command ``dpteach slides``, which makes slides and a notebook of each demo.

nbconvert makes the slides from the executed cells, with its template for reveal.js. Slides need
neither a kernel nor a network: scripts and fonts lie beside them, formulas are MathML, and
the pictures of all states of an explorer (an interactive figure) are stored in advance.
"""

from __future__ import annotations

import argparse
import contextlib
import html
import os
import re
import shutil
import sys
from collections.abc import Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from itertools import repeat
from multiprocessing import get_context
from pathlib import Path
from typing import Any, Final

import dpteach.widgets
from dpteach._kernels import private_kernels
from dpteach._readable import FRAMES_VARIABLE
from dpteach.demos import FOLDER, PROJECT, Demo, DemoError, Question, demos
from dpteach.widgets._explorer import FRAMES_SCHEME

MODULES: Final = PROJECT / "book" / "node_modules"
#: the folder into which `make slides` writes
SLIDES: Final = PROJECT / "_build" / "slides"
#: the folder with the pictures of explorers (interactive figures); builds of the book use this
#: folder too, because many explorers appear both in the book and on slides
FRAMES: Final = PROJECT / "_build" / "explorers"
#: the time limit in seconds for one cell
CELL_SECONDS: Final = 120
#: the smallest number of demos for which a second process with its own kernel saves time
_MANY: Final = 4

_ANSI = re.compile(r"\x1b\[[0-9;]*m")
_HERE: Final = Path(__file__).parent
_WIDGETS: Final = Path(dpteach.widgets.__file__).parent
_FONTS: Final = (
    *(f"stix-two-text-{part}" for part in ("latin-400-normal", "latin-400-italic")),
    *("stix-two-text-latin-600-normal", "stix-two-text-greek-400-normal"),
    *("stix-two-text-greek-400-italic", "stix-two-math-latin-400-normal"),
    *("source-code-pro-latin-400-normal", "source-code-pro-greek-400-normal"),
)
#: the files that slides load: for each the name in the folder ``beside`` next to the slides, and
#: the file that is copied there
_FILES: Final = {
    "reveal.js": MODULES / "reveal.js" / "dist" / "reveal.js",
    "reveal.css": MODULES / "reveal.js" / "dist" / "reveal.css",
    "notes.js": MODULES / "reveal.js" / "plugin" / "notes" / "notes.js",
    "reveal-LICENSE.txt": MODULES / "reveal.js" / "LICENSE",
    "explorer.js": _WIDGETS / "explorer.js",
    "explorer.css": _WIDGETS / "explorer.css",
    "slides.js": _HERE / "slides.js",
    "slides.css": _HERE / "slides.css",
}

#: the first cell of a demo's notebook, which tells the lecturer how to use the notebook
_FIRST: Final = (
    "Restart the kernel and run all cells before the lecture, and clear the outputs of the cells "
    "that you want to run before everybody. *View*, *Appearance*, *Presentation Mode* makes the "
    "letters larger. What to say is folded; the hall sees it when you unfold it."
)


# --- notebooks for JupyterLab -----------------------------------------------------------------


def notebook(demo: Demo) -> Any:
    """Return a demo as an unexecuted notebook, whose notes and hidden cells are folded."""
    import nbformat

    first = _folded("Before the lecture", _FIRST)
    cells = [_made("before-the-lecture", first, _slide("skip"))]
    for number, cell in enumerate(demo.cells):
        kind, source = cell["kind"], cell["source"]
        if kind == "question":
            source = _asked(cell["question"])
        elif kind == "notes":
            source = _folded("Notes", _said(demo, cell))
        metadata = _slide(_slide_type(demo, number))
        if kind in ("output", "hidden"):
            metadata["jupyter"] = {"source_hidden": True}
        if cell["live"]:
            metadata["tags"] = ["live"]
        name = f"{demo.name[:50].replace('_', '-')}-{number}"
        cells.append(_made(name, source, metadata, code=kind in ("code", "output", "hidden")))
    kernel = {"name": "python3", "display_name": "Python 3", "language": "python"}
    from_dict: Any = nbformat.from_dict
    return from_dict(
        {
            "cells": cells,
            "metadata": {"kernelspec": kernel, "title": demo.title},
            "nbformat": 4,
            "nbformat_minor": 5,
        }
    )


def _folded(name: str, source: str) -> str:
    """Return text that readers can unfold, as HTML, because JupyterLab cannot fold text cells."""
    return f"<details><summary>{name}</summary>\n\n{source}\n\n</details>"


def _slide(kind: str) -> dict[str, Any]:
    return {"slideshow": {"slide_type": kind}}


def _made(name: str, source: str, metadata: dict[str, Any], code: bool = False) -> dict[str, Any]:
    """Return a text or code cell of an unexecuted notebook as a dictionary."""
    cell = {"id": name, "cell_type": "markdown", "metadata": metadata, "source": source}
    return cell | ({"cell_type": "code", "execution_count": None, "outputs": []} if code else {})


def _slide_type(demo: Demo, number: int) -> str:
    cell = demo.cells[number]
    if cell["kind"] in ("notes", "hidden"):
        return "notes" if cell["kind"] == "notes" else "skip"
    return "slide" if re.match(r"#{1,2} ", cell["source"]) and cell["kind"] == "text" else "-"


def _asked(question: Question) -> str:
    """Return the question of a demo with its lettered options, as Markdown."""
    options = "\n".join(f"- **{option.letter}** {option.text}" for option in question.options)
    return f"**{question.text}**\n\n{options}"


def _said(demo: Demo, cell: dict[str, Any]) -> str:
    """Return a slide's notes as Markdown, with its start time, duration and the expected votes."""
    before = sum(slide.minutes for slide in demo.slides[: cell["slide"]])
    begins = f"{int(before)}:{60 * (before % 1):02.0f}"
    minutes = f"{cell['minutes']:g} {'minute' if cell['minutes'] == 1 else 'minutes'}"
    lines = [f"*From {begins}, {minutes}.*", cell["source"]]
    if any(c["kind"] == "question" and c["slide"] == cell["slide"] for c in demo.cells):
        options = demo.question.options
        lines.append("**Of a hundred hands expect:**")
        lines.append(
            "\n".join(
                f"- {option.letter}{', right' if option.right else ''}: {option.expected}. "
                f"{option.reply}"
                for option in options
            )
        )
    return "\n\n".join(lines)


# --- the slides ------------------------------------------------------------------------------


@contextlib.contextmanager
def kernel(frames: Path) -> Iterator[Any]:
    """Start a Jupyter kernel, yield its manager, and shut the kernel down at the end.

    Explorers (interactive figures) that run in the kernel write their pictures into the folder
    `frames`.
    """
    from jupyter_client.manager import KernelManager

    private_kernels()
    manager: Any = KernelManager(kernel_name="python3")
    # log only errors, because otherwise the kernel prints a message about how to connect to it
    manager.start_kernel(
        extra_arguments=["--log-level=40"], env=os.environ | {FRAMES_VARIABLE: str(frames)}
    )
    try:
        yield manager
    finally:
        manager.shutdown_kernel(now=True)


def executed(demo: Demo, manager: Any) -> Any:
    """Delete all variables of a kernel, run a demo's notebook there, and return the notebook."""
    from nbclient import NotebookClient

    made = notebook(demo)
    made.cells.insert(0, _made("forget", "%reset -f", {}, code=True))
    made.cells[0] = type(made)(made.cells[0])
    client = NotebookClient(made, km=manager, timeout=CELL_SECONDS)
    try:
        client.execute()
    finally:
        if client.kc is not None:
            client.kc.stop_channels()
    del made.cells[0]
    return made


def page(demo: Demo, done: Any) -> str:
    """Return the slides of a demo, from its executed notebook, as an HTML page."""
    from nbconvert import SlidesExporter

    shown = iter(done.cells[1:])
    for cell, made in zip(demo.cells, shown, strict=True):
        made.metadata["kind"] = cell["kind"]
        made.metadata["live"] = cell["live"]
        made.metadata["slideshow"]["data"] = {
            "timing": f"{60 * demo.slides[cell['slide']].minutes:.0f}"
        }
        if cell["kind"] == "question":
            made.source = _hands(cell["question"])
        elif cell["kind"] == "notes":
            made.source = _said(demo, cell)
    done.cells = [cell for cell in done.cells if cell.metadata.slideshow.slide_type != "skip"]
    making: Any = SlidesExporter
    exporter = making(
        template_name="slides",
        extra_template_basedirs=[str(_HERE / "template")],
        filters={"markdown2html": markdown},
        exclude_input_prompt=True,
        exclude_output_prompt=True,
    )
    done.metadata["question"] = demo.question.text
    text, _ = exporter.from_notebook_node(done)
    return str(text).replace(FRAMES_SCHEME, "explorers/")


def markdown(source: str) -> str:
    """Convert Markdown to HTML with formulas as MathML."""
    from latex2mathml.converter import convert
    from nbconvert.filters.markdown_mistune import IPythonRenderer, MarkdownWithMath

    class Renderer(IPythonRenderer):
        def inline_math(self, body: str) -> str:
            return str(convert(body, display="inline"))

        def block_math(self, body: str) -> str:
            return str(convert(body, display="block"))

    # do not escape HTML, because a demo's question is passed as HTML. This is safe, because all
    # texts are part of this repository
    renderer: Any = Renderer(escape=False, exclude_anchor_links=True)
    return str(MarkdownWithMath(renderer=renderer).render(source))


def _hands(question: Question) -> str:
    """Return the question with its options as HTML; a key press reveals the right option."""

    def words(text: str) -> str:
        return re.sub(r"^<p>(.*)</p>$", r"\1", markdown(text).strip(), flags=re.DOTALL)

    options = "".join(
        f'<li class="option{" fragment custom right" if option.right else ""}">'
        f"<b>{option.letter}</b><span>{words(option.text)}</span></li>"
        for option in question.options
    )
    return (
        f'<div class="question"><p>{words(question.text)}</p>'
        f'<ul class="options">{options}</ul></div>'
    )


def build(found: Iterable[Demo], folder: Path = SLIDES) -> list[Path]:
    """Write the slides and notebooks of demos to a folder, and return the HTML pages.

    Raises
    ------
    DemoError
        If a file that the slides load was not fetched, or a cell raises an error.
    """
    for file in _FILES.values():
        if not file.is_file():
            raise DemoError(f"{file} is missing: `make slides` fetches it")
    (folder / "notebooks").mkdir(parents=True, exist_ok=True)
    # use one process for few demos, because starting another kernel takes seconds
    some = list(found)
    if len(some) < _MANY:
        return _built(some, folder)
    with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as pool:
        halves = pool.map(_built, (some[::2], some[1::2]), repeat(folder))
        return sorted(path for pages in halves for path in pages)


def _built(some: list[Demo], folder: Path) -> list[Path]:
    import nbformat
    from nbclient.exceptions import CellExecutionError

    write: Any = nbformat.write
    pages = []
    with kernel(FRAMES) as manager:
        for demo in some:
            write(notebook(demo), folder / "notebooks" / f"{demo.name}.ipynb")
            try:
                done = executed(demo, manager)
            except CellExecutionError as error:
                raise DemoError(f"{demo.name}: {_ANSI.sub('', str(error))}") from error
            pages.append(folder / f"{demo.name}.html")
            pages[-1].write_text(page(demo, done), "utf-8")
    return pages


def finish(every: Iterable[Demo], folder: Path = SLIDES) -> None:
    """Write the page that lists the demos, copy the files that slides load, delete unused files.

    Unused files are the slides, notebooks and pictures of demos that are not in `every`.
    """
    beside = folder / "beside"
    beside.mkdir(parents=True, exist_ok=True)
    for name, file in _FILES.items():
        shutil.copyfile(file, beside / name)
    for name in _FONTS:
        family = re.sub(r"-(?:latin|greek|math)-400.*|-(?:latin|greek)-600.*", "", name)
        fonts = MODULES / "@fontsource" / family
        shutil.copyfile(fonts / "files" / f"{name}.woff2", beside / f"{name}.woff2")
        shutil.copyfile(fonts / "LICENSE", beside / f"{family}-LICENSE.txt")
    known = {demo.name: demo for demo in every}
    lines = []
    for demo in known.values():
        if (folder / f"{demo.name}.html").is_file():
            lines.append(
                f'<li><a href="{demo.name}.html">{html.escape(demo.title)}</a><br>'
                f"{html.escape(demo.topic)}, {demo.minutes:g} minutes</li>"
            )
    index = (_HERE / "index.html").read_text("utf-8").replace("{demos}", "\n".join(lines))
    (folder / "index.html").write_text(index, "utf-8")
    used = set()
    for path in folder.glob("*.html"):
        if path.stem not in {*known, "index"}:
            path.unlink()
        else:
            used.update(re.findall(r"explorers/([0-9a-f]{16})/", path.read_text("utf-8")))
    for path in (folder / "notebooks").glob("*.ipynb"):
        if path.stem not in known:
            path.unlink()
    explorers = folder / "explorers"
    for path in explorers.glob("*"):
        if path.name not in used:
            shutil.rmtree(path)
    for name in sorted(used):
        if not (explorers / name).is_dir():
            shutil.copytree(FRAMES / name, explorers / name)


# --- the command -----------------------------------------------------------------------------


def add_parser(commands: Any) -> None:
    """Add the command ``slides`` to ``commands``, the result of argparse's ``add_subparsers``."""
    command: argparse.ArgumentParser = commands.add_parser(
        "slides", help="make slides and notebooks of the demos for the lecture hall"
    )
    command.add_argument(
        "names", nargs="*", metavar="NAME", help="such as pure_dp_coin; default: all"
    )
    command.add_argument("--demos", type=Path, default=FOLDER, metavar="DIR")
    command.add_argument("--to", type=Path, default=SLIDES, metavar="DIR")


def run(told: argparse.Namespace) -> int:
    """Write the slides, print where they are, and return the exit code."""
    try:
        every = demos(told.demos)
        unknown = {*told.names} - {demo.name for demo in every}
        if unknown:
            raise DemoError(f"no demo has the name {', '.join(sorted(unknown))}")
        chosen = [demo for demo in every if demo.name in told.names or not told.names]
        for path in build(chosen, told.to):
            print(path)
        finish(every, told.to)
    except (DemoError, OSError) as error:
        print(f"dpteach slides: {error}", file=sys.stderr)
        return 2
    return 0
