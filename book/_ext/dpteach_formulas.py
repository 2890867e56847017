"""A Sphinx extension that converts formulas to MathML at build time, so that pages need no script.

One Node process runs the npm package Temml, which converts the formulas. A formula that Temml does
not understand causes a warning, and a warning makes `make book` fail.
"""

from __future__ import annotations

import contextlib
import html
import json
import re
import shutil
import subprocess
import sys
from functools import cache
from pathlib import Path
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util import logging
from sphinx.util.math import get_node_equation_number

LOG = logging.getLogger(__name__)

BOOK = Path(__file__).parents[1]
MODULES = BOOK / "node_modules"
#: matches U+2061, the invisible sign of function application, at the end of a formula; the sign is
#: removed there, because no argument of the function follows
NOTHING_APPLIED = re.compile(r"<mo>\u2061</mo>(?:<mspace[^>]*></mspace>)?(?=(?:</mrow>)*</math>)")
#: an invisible element that gives the expression under each root at least the height and depth of
#: a tall letter. A browser lowers the root sign until its bar is just above the expression, so
#: over a low letter such as x the sign would reach below the line of text
STRUT = '<mspace height="0.74em" depth="0.27em"></mspace>'
#: matches punctuation directly after a formula, which must not begin the next line
CLOSING = re.compile(r"^[.,;:!?)\]’”]+")
#: matches opening brackets and quotes directly before a formula, which must not end a line
OPENING = re.compile(r"[(\[\u2018\u201c]+$")
#: matches spaces at which no line may break: before a percent sign, and around the equals sign in
#: "ε = 1"
TIED = re.compile(r"(?:(?<=\d)|^) (?=%)|(?<=\b[εδρσμαk]) (?== )|(?<=\b[εδρσμαk] =) (?=[\d−])")
#: matches Greek variables in running text, which are set in italics as in formulas
GREEK = re.compile("([α-ω]+)")
#: matches an ellipsis in MathML. A browser would put as much space around it as around an operator,
#: so the space is reduced
DOTS = re.compile("<mo>([…⋯])</mo>")

#: an inline formula with more characters than this may be wider than the screen of a phone, so it
#: gets a class that lets it scroll
LONG = 24


def setup(app: Sphinx) -> dict[str, Any]:
    # the setting `tex_macros` maps the name of a TeX macro (without backslash) to its definition,
    # for pages and PDF; the macros have no arguments
    app.add_config_value("tex_macros", {}, "env", dict)
    app.add_html_math_renderer("mathml", (visit_inline, None), (visit_display, None))
    app.connect("config-inited", configure)
    app.connect("doctree-resolved", keep_together)
    app.connect("doctree-resolved", slope_variables, priority=600)
    app.connect("build-finished", finish)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": False}


def configure(app: Sphinx, config: Any) -> None:
    config.html_math_renderer = "mathml"
    preamble = "\n".join(rf"\def\{name}{{{body}}}" for name, body in config.tex_macros.items())
    config.latex_elements["preamble"] = config.latex_elements.get("preamble", "") + preamble


class FormulaError(Exception):
    """An error for a formula that Temml cannot translate."""


@cache
def translator(macros: str) -> subprocess.Popen[str]:
    """Return the Node process that translates formulas; the first call starts it."""
    node = shutil.which("node", path=str(Path(sys.executable).parent)) or shutil.which("node")
    if node is None or not (MODULES / "temml").is_dir():
        raise FormulaError("Node or book/node_modules is missing: `make book` fetches both")
    return subprocess.Popen(
        [node, str(Path(__file__).with_name("formulas.mjs")), str(MODULES), macros],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        encoding="utf-8",
    )


@cache
def mathml(tex: str, display: bool, macros: str) -> str:
    """Return the MathML of a formula.

    Raises
    ------
    FormulaError
        If the npm package Temml cannot translate the formula, or Node is missing or has ended.
    """
    process = translator(macros)
    assert process.stdin and process.stdout
    with contextlib.suppress(BrokenPipeError):
        process.stdin.write(json.dumps({"tex": tex, "display": display}) + "\n")
        process.stdin.flush()
    line = process.stdout.readline()
    answer = json.loads(line) if line else {"error": "Node has ended"}
    if "error" in answer:
        raise FormulaError(answer["error"])
    found: str = NOTHING_APPLIED.sub("", answer["mathml"])
    found = DOTS.sub(r'<mo lspace="0" rspace="0.17em">\1</mo>', found)
    return found.replace("<msqrt>", f"<msqrt>{STRUT}")


def translated(self: Any, node: nodes.Element, tex: str, *, display: bool) -> str:
    macros = {f"\\{name}": body for name, body in self.builder.config.tex_macros.items()}
    try:
        return mathml(tex, display, json.dumps(macros))
    except FormulaError as error:
        LOG.warning("formula %s: %s", tex, error, location=node)
        return f"<code>{self.encode(tex)}</code>"


def keep_together(app: Sphinx, doctree: nodes.document, docname: str) -> None:
    """Prevent line breaks within "ε = 1" or "5 %", and between a formula and its punctuation."""
    if app.builder.format != "html":
        return
    code = (nodes.literal, nodes.literal_block, nodes.raw)
    for text in list(doctree.findall(nodes.Text)):
        if TIED.search(text) and not isinstance(text.parent, code):
            text.parent.replace(text, nodes.Text(TIED.sub("\u00a0", text)))
    for node in doctree.findall(nodes.math):
        at = node.parent.index(node)
        before = node.parent[at - 1] if at else None
        opening = OPENING.search(before) if isinstance(before, nodes.Text) else None
        if opening:
            node["opening"] = opening[0]
            node.parent.replace(before, nodes.Text(before[: opening.start()]))
        after = node.next_node(descend=False, siblings=True)
        closing = CLOSING.match(after.astext()) if isinstance(after, nodes.Text) else None
        if closing:
            node["closing"] = closing[0]
            after.parent.replace(after, nodes.Text(after.astext()[closing.end() :]))


def slope_variables(app: Sphinx, doctree: nodes.document, docname: str) -> None:
    """Set the Greek letters of running text in italics, as in formulas."""
    if app.builder.format != "html":
        return
    kept = (nodes.literal, nodes.literal_block, nodes.raw, nodes.math, nodes.math_block)
    for text in list(doctree.findall(nodes.Text)):
        if not GREEK.search(text):
            continue
        above = text.parent
        while above is not None and not isinstance(above, (*kept, nodes.emphasis)):
            above = above.parent
        if above is None:
            pieces = enumerate(GREEK.split(text))
            parts = [nodes.emphasis("", p) if i % 2 else nodes.Text(p) for i, p in pieces if p]
            text.parent.replace(text, parts)


def visit_inline(self: Any, node: nodes.math) -> None:
    formula = translated(self, node, node.astext(), display=False)
    if node["ids"]:
        formula = self.starttag(node, "span", "") + formula + "</span>"
    opening, closing = node.get("opening", ""), node.get("closing", "")
    if len(html.unescape(re.sub(r"<[^>]*>", "", formula))) > LONG:
        formula = f'<span class="math-long">{opening}{formula}{closing}</span>'
    elif opening or closing:
        formula = f'<span class="unbroken">{opening}{formula}{closing}</span>'
    self.body.append(formula)
    raise nodes.SkipNode


def visit_display(self: Any, node: nodes.math_block) -> None:
    self.body.append(self.starttag(node, "div", CLASS="math"))
    if node["number"]:
        self.body.append(f'<span class="eqno">({get_node_equation_number(self, node)})')
        self.add_permalink_ref(node, "Link to this equation")
        self.body.append("</span>")
    tex = node.astext() if node["nowrap"] else aligned(node.astext())
    self.body.append(translated(self, node, tex, display=True))
    self.body.append("</div>\n")
    raise nodes.SkipNode


def aligned(tex: str) -> str:
    """Return the TeX of a displayed formula; align its lines below each other if it has several."""
    parts = [part for part in tex.split("\n\n") if part.strip()]
    parts = [
        rf"\begin{{split}}{part}\end{{split}}"
        if r"\\" in part and not part.lstrip().startswith(r"\begin{")
        else part
        for part in parts
    ]
    if len(parts) == 1:
        return parts[0]
    lines = r"\\".join(parts)
    return rf"\begin{{aligned}}{lines}\end{{aligned}}"


def finish(app: Sphinx, exception: Exception | None) -> None:
    mathml.cache_clear()
    macros = {f"\\{name}": body for name, body in app.config.tex_macros.items()}
    if translator.cache_info().currsize:
        with contextlib.suppress(FormulaError):
            process = translator(json.dumps(macros))
            process.communicate()
    translator.cache_clear()
