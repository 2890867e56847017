"""A Sphinx extension that redirects the old addresses of renamed pages to the new pages.

The label of a section begins with the name of its page, so a redirect renames the label as well:
`budgets.html#budgets-price` leads to `filters.html#filters-price`.
"""

from __future__ import annotations

import html
import os
from pathlib import Path
from typing import Any

from sphinx.application import Sphinx
from sphinx.util import logging

LOG = logging.getLogger(__name__)

PAGE = """<!DOCTYPE html>
<html lang="en">
<meta charset="utf-8">
<title>Moved: {title}</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<link rel="canonical" href="{address}">
<script>location.replace("{address}" + location.hash.replace("{before}-", "{after}-"))</script>
<noscript><meta http-equiv="refresh" content="0; url={address}"></noscript>
<p>This page is now <a href="{address}">{title}</a>.</p>
</html>
"""


def setup(app: Sphinx) -> dict[str, Any]:
    # `moved_pages` maps the old names of renamed pages to the new ones, without file extensions
    app.add_config_value("moved_pages", {}, "html", dict)
    app.connect("build-finished", lead_on)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}


def lead_on(app: Sphinx, exception: Exception | None) -> None:
    if exception is not None or app.builder.format != "html":
        return
    for old, new in app.config.moved_pages.items():
        if old in app.env.all_docs:
            LOG.warning("moved_pages: %s is a page of the book", old)
        elif new in app.env.all_docs:  # a small book, as in tests, may lack the page
            write(Path(app.outdir), old, new, app.env.titles[new].astext())


def write(folder: Path, old: str, new: str, title: str) -> None:
    target = folder / f"{old}.html"
    target.parent.mkdir(parents=True, exist_ok=True)
    address = html.escape(os.path.relpath(f"{new}.html", Path(old).parent))
    names = {"before": Path(old).name, "after": Path(new).name}
    page = PAGE.format(address=address, title=html.escape(title), **names)
    target.write_text(page, "utf-8")
