"""A Sphinx extension that generates the text of links to chapters.

``[](zcdp.md)`` becomes "Chapter 10, zCDP": the number that the table of contents gives the chapter,
and its title up to the colon. A link to a page without a number shows the whole title of the page.
A link with its own text keeps this text.
"""

from __future__ import annotations

import posixpath
from typing import Any

from docutils import nodes
from sphinx import addnodes
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment
from sphinx.transforms.post_transforms import SphinxPostTransform


def setup(app: Sphinx) -> dict[str, Any]:
    app.add_post_transform(NameChapters)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}


def name(env: BuildEnvironment, page: str) -> str:
    """Return a page's name in links: "Chapter 10, zCDP", or the title of a page without a number.

    Chapters are numbered from 1 through all parts of the book.
    """
    title = env.titles[page].astext()
    number = env.toc_secnumbers.get(page, {}).get("")
    return f"Chapter {number[0]}, {title.partition(':')[0]}" if number else title


def names(env: BuildEnvironment, page: str) -> dict[str, str]:
    """Map the address of each page, relative to the given page, to the name shown in links."""
    folder = posixpath.dirname(page)
    return {f"{posixpath.relpath(to, folder)}.md": name(env, to) for to in env.titles}


class NameChapters(SphinxPostTransform):
    """A transform that inserts the names of chapters into links that have no text of their own.

    It runs before MyST's transform (priority 9), which would insert the whole title.
    """

    default_priority = 8

    def run(self, **kwargs: Any) -> None:
        for link in self.document.findall(addnodes.pending_xref):
            page = link["reftarget"]
            if (
                (link["refdomain"], link["reftype"]) == ("doc", "myst")
                and not link["refexplicit"]
                and not link["reftargetid"]
                and page in self.env.titles
            ):
                link["refexplicit"] = True
                link.children = []
                link += nodes.inline("", name(self.env, page))
