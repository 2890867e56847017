"""A Sphinx extension that makes the reference pages of the library from docstrings, by autodoc."""

from __future__ import annotations

import inspect
import re
from enum import Enum
from typing import Any

from docutils.nodes import Element
from sphinx.addnodes import pending_xref
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment
from sphinx.util.nodes import make_refnode

#: the package in which a name without its module is looked up first
HOME = "dpteach"
#: the folder of the pages that are generated from docstrings
PAGES = "book/reference"


def setup(app: Sphinx) -> dict[str, Any]:
    app.connect("config-inited", configure)
    # a lower priority number than that of napoleon runs `prepare` first
    app.connect("autodoc-process-docstring", prepare, priority=100)
    app.connect("autodoc-process-signature", shorten)
    app.connect("missing-reference", find)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}


def configure(app: Sphinx, config: Any) -> None:
    # leave types out of signatures, because docstrings describe them in words
    config.autodoc_typehints = "none"
    config.autodoc_member_order = "bysource"
    config.autodoc_class_signature = "mixed"
    # do not copy docstrings to inherited methods, because the class that defines them documents
    # them
    config.autodoc_inherit_docstrings = False
    # show default values as the source writes them, such as the name of a constant
    config.autodoc_preserve_defaults = True
    config.autodoc_default_options = {"no-value": True}
    config.autosummary_generate = False
    config.add_module_names = False
    # do not write parentheses after a function's name, because the table of contents is too narrow
    # for them
    config.add_function_parentheses = False
    config.toc_object_entries_show_parents = "hide"
    # make no links from types in docstrings, because they are prose, such as "float or sequence of
    # float"
    config.napoleon_google_docstring = False
    config.napoleon_custom_sections = [("Attributes", "params_style")]
    config.napoleon_use_param = False
    config.napoleon_use_rtype = False
    # `name` in a docstring becomes a link if it names an object, otherwise emphasized text
    config.default_role = "autolink"


def prepare(app: Sphinx, what: str, name: str, obj: Any, options: Any, lines: list[str]) -> None:
    """Rewrite the parts of a docstring that the parsers of autodoc would misread."""
    prepared: list[str] = []
    code = False
    for line in lines:
        code = line.lstrip().startswith(">>>") or (code and bool(line.strip()))
        if code:
            prepared.append(line)
            continue
        # escape the bars of an absolute value |x|, which would be read as a substitution
        parts = re.split(r"(``.*?``)", line)
        line = "".join(p if p.startswith("``") else p.replace("|", r"\|") for p in parts)
        # each docstring counts its footnotes from 1, so on a page with several docstrings the
        # numbers would collide; turn footnotes into plain text
        line = re.sub(r"\[(\d+)\]_", r"[\1]", line)
        if remark := re.match(r"\.\. (\[\d+\]) (.*)", line):
            prepared += ["", f"{remark[1]} {remark[2]}"]
        elif line.startswith("   ") and prepared and re.match(r"\[\d+\] ", prepared[-1]):
            prepared[-1] += " " + line.strip()
        else:
            prepared.append(line)
    # begin a property's docstring with an empty comment, because napoleon would read the words
    # before the first colon of the docstring as a type
    if what == "property":
        prepared[:0] = ["..", ""]
    lines[:] = prepared


def shorten(
    app: Sphinx, what: str, name: str, obj: Any, options: Any, signature: str | None, result: Any
) -> tuple[str, None] | None:
    """Shorten default values such as ``<Kind.ONE: 1>`` in a signature to ``Kind.ONE``.

    Omit the whole signature of an abstract class or an enumeration.
    """
    if inspect.isclass(obj) and (inspect.isabstract(obj) or issubclass(obj, Enum)):
        return "", None
    if signature is None:
        return None
    return re.sub(r"<(\w+\.\w+): [^>]*>", r"\1", signature), None


def find(
    app: Sphinx, env: BuildEnvironment, node: pending_xref, contnode: Element
) -> Element | None:
    """Return a link to the object of the library that `node` names, or the text without a link.

    The name may lack its module; it is not linked if no object or several objects have this name.
    On pages that are not made from docstrings the result is None, so that Sphinx reports a missing
    target as usual.
    """
    if node.get("refdomain") != "py" or not node.get("refdoc", "").startswith(PAGES):
        return None
    objects = env.get_domain("py").objects
    target = node["reftarget"]
    short = ".".join(target.split(".")[-2:])
    for name in (target, short, target.split(".")[-1]):
        found = [full for full in objects if full == f"{HOME}.{name}"]
        found = found or [full for full in objects if full.endswith(f".{name}")]
        if len(found) == 1:
            entry = objects[found[0]]
            where = node["refdoc"], entry.docname, entry.node_id
            return make_refnode(app.builder, *where, contnode)
    return contnode
