"""The reference, from the docstrings: autodoc and napoleon, set so that no name is a dead link."""

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

#: where a name without its module is looked for first
HOME = "dpteach"
#: the pages that are made of docstrings
PAGES = "book/reference"


def setup(app: Sphinx) -> dict[str, Any]:
    app.connect("config-inited", configure)
    app.connect("autodoc-process-docstring", prepare, priority=100)  # before napoleon
    app.connect("autodoc-process-signature", shorten)
    app.connect("missing-reference", find)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}


def configure(app: Sphinx, config: Any) -> None:
    # types are told in the docstrings, in words; in signatures they would say the same again
    config.autodoc_typehints = "none"
    config.autodoc_member_order = "bysource"
    config.autodoc_class_signature = "mixed"
    # what a method inherits stands with the class that says it, once
    config.autodoc_inherit_docstrings = False
    # a default is shown as it is written, a name as a name
    config.autodoc_preserve_defaults = True
    config.autodoc_default_options = {"no-value": True}
    config.autosummary_generate = False
    config.add_module_names = False
    # the list of contents is too narrow for them
    config.add_function_parentheses = False
    config.toc_object_entries_show_parents = "hide"
    # the words of a type are prose, such as "float or sequence of float", and no links
    config.napoleon_google_docstring = False
    config.napoleon_custom_sections = [("Attributes", "params_style")]
    config.napoleon_use_param = False
    config.napoleon_use_rtype = False
    # `name` in a docstring is a link if it names an object, and emphasised if not
    config.default_role = "autolink"


def prepare(app: Sphinx, what: str, name: str, obj: Any, options: Any, lines: list[str]) -> None:
    """What a docstring has that the parsers would take for something else."""
    prepared: list[str] = []
    code = False
    for line in lines:
        code = line.lstrip().startswith(">>>") or (code and bool(line.strip()))
        if code:
            prepared.append(line)
            continue
        # |x| is an absolute value
        parts = re.split(r"(``.*?``)", line)
        line = "".join(p if p.startswith("``") else p.replace("|", r"\|") for p in parts)
        # a footnote of one docstring among many on a page: a numbered remark at its end
        line = re.sub(r"\[(\d+)\]_", r"[\1]", line)
        if remark := re.match(r"\.\. (\[\d+\]) (.*)", line):
            prepared += ["", f"{remark[1]} {remark[2]}"]
        elif line.startswith("   ") and prepared and re.match(r"\[\d+\] ", prepared[-1]):
            prepared[-1] += " " + line.strip()
        else:
            prepared.append(line)
    if what == "property":  # its first words before a colon are no type
        prepared[:0] = ["..", ""]
    lines[:] = prepared


def shorten(
    app: Sphinx, what: str, name: str, obj: Any, options: Any, signature: str | None, result: Any
) -> tuple[str, None] | None:
    """Defaults as one would write them."""
    if inspect.isclass(obj) and (inspect.isabstract(obj) or issubclass(obj, Enum)):
        return "", None
    if signature is None:
        return None
    return re.sub(r"<(\w+\.\w+): [^>]*>", r"\1", signature), None


def find(
    app: Sphinx, env: BuildEnvironment, node: pending_xref, contnode: Element
) -> Element | None:
    """What a name without its module means; words, such as those of a type, are no links."""
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
