"""A Sphinx extension that shows the meaning of a glossary term where a page uses `{term}`.

The meaning appears when the mouse is over the term and, by `course.js`, on keyboard focus. The
term is also a link to the glossary. An unknown term stops the build.
"""

from __future__ import annotations

from typing import Any

from docutils import nodes
from sphinx import addnodes
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment


def setup(app: Sphinx) -> dict[str, Any]:
    app.connect("doctree-read", collect)
    app.connect("env-merge-info", merge)
    app.connect("doctree-resolved", explain)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}


def meanings(env: BuildEnvironment) -> dict[str, str]:
    """Return the meanings of all terms by the ids of their entries in the glossary."""
    if not hasattr(env, "dpteach_meanings"):
        env.dpteach_meanings = {}  # type: ignore[attr-defined]
    found: dict[str, str] = env.dpteach_meanings
    return found


def collect(app: Sphinx, doctree: nodes.document) -> None:
    for glossary in doctree.findall(addnodes.glossary):
        for item in glossary.findall(nodes.definition_list_item):
            (definition,) = item.findall(nodes.definition)
            meaning = " ".join(definition.astext().split())
            for term in item.findall(nodes.term):
                meanings(app.env).update(dict.fromkeys(term["ids"], meaning))


def merge(app: Sphinx, env: BuildEnvironment, docnames: set[str], other: BuildEnvironment) -> None:
    meanings(env).update(meanings(other))


def explain(app: Sphinx, doctree: nodes.document, docname: str) -> None:
    for link in doctree.findall(nodes.reference):
        if any("std-term" in part["classes"] for part in link.findall(nodes.inline)):
            place = link.get("refid") or link.get("refuri", "").partition("#")[2]
            link["reftitle"] = meanings(app.env)[place]
            link["classes"].append("term")
