"""The directive `{map-of-chapters}`: all chapters in order, with arcs to their prerequisites.

The prerequisites of a chapter are the pages to which the box under its title links (see
`dpteach_minutes`), except pages that are already prerequisites of another prerequisite.
"""

from __future__ import annotations

from dataclasses import dataclass
from html import escape
from typing import Any

import dpteach_minutes
from docutils import nodes
from sphinx import addnodes
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment
from sphinx.util.docutils import SphinxDirective
from sphinx.util.logging import getLogger

logger = getLogger(__name__)

#: in units of the SVG: the height of a line of text, the x-coordinate of the chapters' dots, and
#: the width of a letter
LINE, DOTS, LETTER = 27, 100, 7.4


class chapter_map(nodes.Element):
    """A placeholder node for the map of the numbered chapters."""


@dataclass(frozen=True)
class Chapter:
    """A chapter on the map.

    `part` is the title of the part of the book that begins with this chapter, or empty if the
    chapter begins no part. `needs` has the positions of the chapter's prerequisites in the list of
    all chapters on the map.
    """

    page: str
    title: str
    part: str
    needs: tuple[int, ...]


def setup(app: Sphinx) -> dict[str, Any]:
    app.add_node(chapter_map, html=(visit, depart))
    app.add_directive("map-of-chapters", Map)
    app.connect("doctree-read", collect)
    app.connect("env-purge-doc", purge)
    app.connect("env-merge-info", merge)
    app.connect("doctree-resolved", resolve)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}


class Map(SphinxDirective):
    def run(self) -> list[nodes.Node]:
        return [chapter_map()]


def needs(env: BuildEnvironment) -> dict[str, list[str]]:
    """Return each page's prerequisites, from the environment that Sphinx keeps between builds."""
    if not hasattr(env, "dpteach_needs"):
        env.dpteach_needs = {}  # type: ignore[attr-defined]
    found: dict[str, list[str]] = env.dpteach_needs
    return found


def collect(app: Sphinx, doctree: nodes.document) -> None:
    for paragraph in doctree.findall(nodes.paragraph):
        if dpteach_minutes.NEEDS in paragraph["classes"]:
            links = [link.get("reftarget", "") for link in paragraph.findall(addnodes.pending_xref)]
            pages = [link for link in links if link in app.env.found_docs]
            needs(app.env)[app.env.docname] = list(dict.fromkeys(pages))
            return


def purge(app: Sphinx, env: BuildEnvironment, docname: str) -> None:
    needs(env).pop(docname, None)


def merge(app: Sphinx, env: BuildEnvironment, docnames: set[str], other: BuildEnvironment) -> None:
    needs(env).update({name: needs(other)[name] for name in docnames if name in needs(other)})


def chapters(env: BuildEnvironment) -> list[Chapter]:
    """Return all numbered chapters in order; warn if a chapter comes before its prerequisite."""
    found: list[Chapter] = []
    lines: dict[str, int] = {}
    below: list[set[int]] = []
    for tree in env.get_doctree(env.config.master_doc).findall(addnodes.toctree):
        if not tree.get("numbered"):
            continue
        for i, (_, page) in enumerate(tree["entries"]):
            lines[page] = len(found)
            late = [one for one in needs(env).get(page, []) if one not in lines]
            if late:
                logger.warning("%s needs %s, which comes later", page, late[0])
            known = {lines[one] for one in needs(env).get(page, []) if one in lines}
            further = set().union(*(below[one] for one in known))
            below.append(known | further)
            title = env.titles[page].astext()
            part = (tree.get("caption") or "") if i == 0 else ""
            found.append(Chapter(page, title, part, tuple(sorted(known - further))))
    return found


def resolve(app: Sphinx, doctree: nodes.document, docname: str) -> None:
    for node in list(doctree.findall(chapter_map)):
        if app.builder.format == "html":
            known = chapters(app.env)
            address = [app.builder.get_relative_uri(docname, one.page) for one in known]
            node["picture"] = drawn(known, address)
        else:
            node.parent.remove(node)


def drawn(known: list[Chapter], address: list[str]) -> str:
    """Return the map of the chapters as SVG with links.

    >>> one = Chapter("a", "First", "Part", ())
    >>> two = Chapter("b", "Second & last", "", (0,))
    >>> picture = drawn([one, two], ["a.html", "b.html"])
    >>> picture.count("<path"), "2. Second &amp; last" in picture
    (1, True)
    """
    places, y = [], 0.0
    words = []
    for chapter in known:
        if chapter.part:
            y += 1.3 * LINE
            words.append(
                f'<text class="part" x="{DOTS + 14}" y="{y + 5:g}">{escape(chapter.part)}</text>'
            )
        y += LINE
        places.append(y)
    for i, chapter in enumerate(known):
        arcs = ""
        for need in chapter.needs:
            out = DOTS - min(DOTS, 14 + 0.24 * (places[i] - places[need]))
            arcs += (
                f'<path d="M{DOTS} {places[need]:g}C{out:.0f} {places[need]:g} '
                f'{out:.0f} {places[i]:g} {DOTS} {places[i]:g}"/>'
            )
        wanted = ", ".join(known[need].title for need in chapter.needs)
        told = f"<title>needs: {escape(wanted)}</title>" if wanted else ""
        words.append(
            f'<g>{told}{arcs}<circle cx="{DOTS}" cy="{places[i]:g}" r="4"/>'
            f'<a href="{escape(address[i])}"><text x="{DOTS + 14}" y="{places[i] + 5:g}">'
            f"{i + 1}. {escape(chapter.title)}</text></a></g>"
        )
    longest = max((len(chapter.title) for chapter in known), default=0) + 4
    width, height = DOTS + 14 + LETTER * longest, y + LINE
    return (
        f'<nav class="chapter-map" aria-label="Map of the chapters">'
        f'<svg viewBox="0 0 {width:.0f} {height:.0f}">{"".join(words)}</svg></nav>'
    )


def visit(self: Any, node: chapter_map) -> None:
    self.body.append(node["picture"])
    raise nodes.SkipNode


def depart(self: Any, node: chapter_map) -> None:
    """Do nothing at the end of a map, because its whole HTML was written at its beginning."""
