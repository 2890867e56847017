"""What the pages of the book need beyond the theme: they ask no other host for anything,
explorers move without a kernel, and every picture has a text alternative."""

from __future__ import annotations

import functools
import gc
import html
import os
import re
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pybtex.plugin
from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util import logging

import dpteach.widgets
from dpteach._kernels import private_kernels
from dpteach._readable import FRAMES_VARIABLE
from dpteach.widgets._explorer import FRAMES_SCHEME

LOG = logging.getLogger(__name__)

BOOK = Path(__file__).parents[1]
WIDGETS = Path(dpteach.widgets.__file__).parent
DESCRIPTION = "{http://purl.org/dc/elements/1.1/}description"
FRAMES = re.compile(re.escape(FRAMES_SCHEME) + r"([0-9a-f]{16})/")


def setup(app: Sphinx) -> dict[str, Any]:
    private_kernels()
    # Sphinx makes millions of objects and few cycles, so looking for cycles less often costs little
    # memory, and saves a quarter of the time of this process
    gc.set_threshold(50_000)
    # for each citation pybtex would look through all installed packages for its plugins
    pybtex.plugin._load_entry_point = functools.cache(pybtex.plugin._load_entry_point)
    app.connect("config-inited", configure)
    app.connect("builder-inited", prepare)
    app.connect("doctree-read", describe_images)
    app.connect("html-page-context", finish_context, priority=900)
    app.connect("build-finished", finish_pages)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": False}


def configure(app: Sphinx, config: Any) -> None:
    # explorers are frames, so that no page needs the widgets' own scripts
    config.nb_ipywidgets_js = {}
    # a figure is a file of its own on a page; HTML is for explorers
    config.nb_mime_priority_overrides = [("html", "image/svg+xml", 25)]
    config.html_context.setdefault("default_mode", "auto")
    # the search field stands in the side bar; once is enough
    config.html_theme_options.setdefault("navbar_persistent", [])
    config.html_static_path += [
        str(BOOK / "_static"),
        str(WIDGETS / "explorer.js"),
        str(WIDGETS / "explorer.css"),
    ]


def prepare(app: Sphinx) -> None:
    # the kernels that run the notebooks inherit this
    os.environ[FRAMES_VARIABLE] = str(frames_folder(app))
    if app.builder.format != "html":
        return
    app.add_css_file("explorer.css")
    app.add_js_file("explorer.js", loading_method="defer")


def frames_folder(app: Sphinx) -> Path:
    """Where explorers put their pictures: a preview, the book and the slides share them."""
    return BOOK.parent / "_build" / "explorers"


def describe_images(app: Sphinx, doctree: nodes.document) -> None:
    """Take each picture's text alternative from the picture itself."""
    for image in doctree.findall(nodes.image):
        if not image.get("alt"):
            image["alt"] = described(Path(app.srcdir, image["uri"]))
        if not image["alt"]:
            LOG.warning("picture without a text alternative: %s", image["uri"], location=image)


def described(path: Path) -> str:
    if path.suffix == ".svg":
        node = ElementTree.parse(path).find(f".//{DESCRIPTION}")
        return (node.text or "") if node is not None else ""
    if path.suffix == ".png":
        from PIL import Image

        with Image.open(path) as image:
            return str(image.info.get("Description", ""))
    return ""


def finish_context(
    app: Sphinx, pagename: str, templatename: str, context: dict[str, Any], doctree: Any
) -> None:
    """Make the frames' addresses relative to the page."""
    body = context.get("body", "")
    for name in sorted(set(FRAMES.findall(body))):
        if not (frames_folder(app) / name).is_dir():
            LOG.warning("the frames of an explorer are gone: `make clean`", location=pagename)
    if FRAMES_SCHEME in body:
        where = context["pathto"]("_static/explorers/", 1)
        context["body"] = body.replace(FRAMES_SCHEME, where)


def finish_pages(app: Sphinx, exception: Exception | None) -> None:
    """Mend the theme's markup where it fails assistive technology; copy what the pages ask for."""
    if exception is not None or app.builder.format != "html":
        return
    static = Path(app.outdir) / "_static"
    shutil.rmtree(static / "explorers", ignore_errors=True)
    used: set[str] = set()
    for path in Path(app.outdir).rglob("*.html"):
        page = path.read_text("utf-8")
        used.update(re.findall(r"_static/explorers/([0-9a-f]{16})/", page))
        mended = mend(page)
        if mended != page:
            path.write_text(mended, "utf-8")
    for name in sorted(used):
        copy(frames_folder(app) / name, static / "explorers" / name)


def name_toggle(match: re.Match[str]) -> str:
    """Name the arrow that opens a part of the contents after the link that stands before it."""
    title = html.unescape(re.sub(r"<[^>]*>", "", match["title"]))
    return f'{match["before"]}<summary aria-label="{html.escape(f"Pages of {title}")}">'


#: what is wrong in the markup of the theme and of the bibliography; axe-core found the first four
MENDED: tuple[tuple[str, str | Callable[[re.Match[str]], str]], ...] = (
    # what can be pressed has a name, an arrow too
    (
        r'(?P<before><a class="[^"]*\breference internal"[^>]*>(?P<title>(?:(?!</a>).)*)</a>'
        r"<details[^>]*>)<summary>",
        name_toggle,
    ),
    # a list must have list items
    (r'(<div class="citation"[^>]*) role="doc-biblioentry"', r'\1 role="listitem"'),
    # the name of a button must hold the text that is seen on it
    (r'(<button class="btn search-button-field[^>]*?) title="Search" aria-label="Search"', r"\1"),
    (r'(<i class="theme-switch [^>]*?)\s+title="[^"]*"', r"\1"),
    # a long name or call breaks behind its underscores, dots and so on, where it breaks at all
    (
        r'(?<=<span class="pre">)[\w.,=()\[\]]+(?=</span>)',
        lambda at: re.sub(r"(?<=[\w)\]])([_(=,]|\.(?!\d))(?=\w)", r"\1<wbr>", at[0]),
    ),
    # the title of the front page would be that of the book, twice
    (r"<title>(.*?) &#8212; \1</title>", r"<title>\1</title>"),
    # without scripts nobody resolves "auto", and the page has half of each theme
    (r'(<html[^>]*) data-theme="auto"', r'\1 data-theme="light"'),
)


def mend(page: str) -> str:
    for pattern, replacement in MENDED:
        page = re.sub(pattern, replacement, page)
    return CARDS.sub(labelled, page)


#: a table whose rows are cards on a telephone
CARDS = re.compile(
    r'<table class="[^"]*\bcards\b.*?</table>'
    r"|(?<=<summary>Items</summary>).*?</table>",
    re.DOTALL,
)


def labelled(match: re.Match[str]) -> str:
    """Say of each cell of a table under which heading it stands."""
    heads = [
        re.sub(r"<[^>]*>", "", head).strip()
        for head in re.findall(r"<th\b.*?</th>", match[0], re.S)
    ]

    def row(cells: re.Match[str]) -> str:
        names = iter(heads)
        return re.sub(
            r"<td\b(?=[^>]*>(?!\s*</td>))|<td\b",
            lambda cell: f'{cell[0]} data-label="{next(names, "")}"',
            cells[0],
        )

    return re.sub(r"<tr\b.*?</tr>", row, match[0], flags=re.DOTALL)


def copy(source: Path, target: Path) -> None:
    if source.is_dir():
        shutil.copytree(source, target, dirs_exist_ok=True)
    elif source.is_file():
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(source, target)
