"""A Sphinx extension that adds interactive figures and text alternatives of pictures to the pages.

The pages send no requests to other hosts, and their interactive figures need no Jupyter kernel.
"""

from __future__ import annotations

import functools
import gc
import os
import re
import shutil
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pybtex.plugin
from docutils import nodes
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment
from sphinx.util import logging

import dpteach.widgets
from dpteach._kernels import private_kernels
from dpteach._readable import FRAMES_VARIABLE
from dpteach.widgets._explorer import FRAMES_SCHEME

LOG = logging.getLogger(__name__)

BOOK = Path(__file__).parents[1]
WIDGETS = Path(dpteach.widgets.__file__).parent
DESCRIPTION = "{http://purl.org/dc/elements/1.1/}description"
#: the guide for instructors, which the public site leaves out; only a book with this page shows
#: the blocks ``{only} instructors``
INSTRUCTORS_PAGE = "book/instructors"
ONLY = re.compile(r"^(:{3,})\{only\} (.+)\n((?s:.*?)\n)\1$", re.MULTILINE)
FRAMES = re.compile(re.escape(FRAMES_SCHEME) + r"([0-9a-f]{16})/")


def setup(app: Sphinx) -> dict[str, Any]:
    private_kernels()
    # collect garbage less often: Sphinx makes millions of objects but few reference cycles, so
    # this costs little memory and saves a quarter of this process's time
    gc.set_threshold(50_000)
    # without this cache pybtex would search all installed packages for plugins at each citation
    pybtex.plugin._load_entry_point = functools.cache(pybtex.plugin._load_entry_point)
    app.connect("config-inited", configure)
    app.connect("builder-inited", prepare)
    # a low priority number runs `tag_instructors` first. At the same event another extension,
    # `dpteach_execute`, reads the pages, so the tag "instructors" must already be set
    app.connect("env-before-read-docs", tag_instructors, priority=100)
    app.connect("source-read", keep_only)
    app.connect("doctree-read", describe_images)
    app.connect("html-page-context", finish_context, priority=900)
    app.connect("build-finished", finish_pages)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": False}


def configure(app: Sphinx, config: Any) -> None:
    # an interactive figure on a page is a set of pictures drawn in advance, so the page needs no
    # script of ipywidgets
    config.nb_ipywidgets_js = {}
    # the output of a static figure has two forms, SVG and HTML: prefer the SVG, which becomes a
    # separate file; an interactive figure has only HTML
    config.nb_mime_priority_overrides = [("html", "image/svg+xml", 25)]
    config.html_context.setdefault("default_mode", "auto")
    # the search field is already in the side bar, so do not repeat it in the header
    config.html_theme_options.setdefault("navbar_persistent", [])
    config.html_static_path += [
        str(BOOK / "_static"),
        str(WIDGETS / "explorer.js"),
        str(WIDGETS / "explorer.css"),
    ]


def prepare(app: Sphinx) -> None:
    # the kernels that execute the notebooks inherit this variable, so interactive figures write
    # their pictures to this folder
    os.environ[FRAMES_VARIABLE] = str(frames_folder(app))
    if app.builder.format != "html":
        return
    app.add_css_file("explorer.css")
    app.add_js_file("explorer.js", loading_method="defer")


def tag_instructors(app: Sphinx, env: BuildEnvironment, names: list[str]) -> None:
    """Set the tag "instructors" if the book has the instructors' page, unlike the public site."""
    if INSTRUCTORS_PAGE in env.found_docs:
        app.tags.add("instructors")


def keep_only(app: Sphinx, name: str, source: list[str]) -> None:
    """Remove blocks ``{only} TAG`` whose tag is not set; of the others, remove only the fences.

    Sphinx itself would first resolve the links in a block and remove it later, so it would report
    links to pages that this book lacks.
    """
    source[0] = ONLY.sub(
        lambda block: block[3] if app.tags.eval_condition(block[2]) else "", source[0]
    )


def frames_folder(app: Sphinx) -> Path:
    """Return the folder with the pictures of interactive figures, for the pages and the slides."""
    return BOOK.parent / "_build" / "explorers"


def describe_images(app: Sphinx, doctree: nodes.document) -> None:
    """Copy each picture's text alternative from the picture file into the page."""
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
    """Make the addresses of interactive figures' pictures relative to the page with the figures."""
    body = context.get("body", "")
    for name in sorted(set(FRAMES.findall(body))):
        if not (frames_folder(app) / name).is_dir():
            LOG.warning("the frames of an explorer are gone: `make clean`", location=pagename)
    if FRAMES_SCHEME in body:
        where = context["pathto"]("_static/explorers/", 1)
        context["body"] = body.replace(FRAMES_SCHEME, where)


def finish_pages(app: Sphinx, exception: Exception | None) -> None:
    """Copy the pictures of interactive figures into the folder of the built pages."""
    if exception is not None or app.builder.format != "html":
        return
    # exempt all objects that Sphinx has made so far from garbage collection, because they live
    # until the end of the build and take long to visit
    gc.freeze()
    static = Path(app.outdir) / "_static"
    shutil.rmtree(static / "explorers", ignore_errors=True)
    used: set[str] = set()
    for path in Path(app.outdir).rglob("*.html"):
        used.update(re.findall(r"_static/explorers/([0-9a-f]{16})/", path.read_text("utf-8")))
    for name in sorted(used):
        copy(frames_folder(app) / name, static / "explorers" / name)


def copy(source: Path, target: Path) -> None:
    if source.is_dir():
        shutil.copytree(source, target, dirs_exist_ok=True)
    elif source.is_file():
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(source, target)
