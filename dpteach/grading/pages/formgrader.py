"""The texts on the formgrader's pages: formulas become MathML, and unsafe markup is removed.

nbgrader makes the page of a graded notebook. ``nbgrader_config.py`` gives it another filter for
Markdown, and an empty template in place of the template that loads MathJax from another host::

    c.HTMLExporter.filters = {"markdown2html": "dpteach.grading.pages.formgrader.rendered"}
    c.HTMLExporter.template_paths = template_paths()

A student's text has already been cut to a length that can be rendered
(`dpteach.grading.core.harmless`). In this module, the HTML and the links of the student's text
become plain text, so that a person reads exactly what the student wrote, and a sanitizer filters
the HTML of every text cell. The page folds the hints of an assignment, as the student's
notebook does.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any, Final

import nbgrader
import nh3
from jinja2 import Environment, FileSystemLoader, pass_context
from latex2mathml.converter import convert
from markupsafe import escape
from nbconvert.exporters import HTMLExporter
from nbconvert.filters.markdown_mistune import IPythonRenderer, MarkdownWithMath
from nbconvert.preprocessors import Preprocessor

from dpteach.grading.core.harmless import attachment_name, data_picture
from dpteach.grading.core.receipt import name_of, nested

#: the folder with the template that replaces nbconvert's template for MathJax
_OURS: Final = Path(__file__).parent / "templates" / "formgrader"

#: the folder with nbgrader's templates for the formgrader
_THEIRS: Final = Path(nbgrader.__file__).parent / "server_extensions" / "formgrader" / "templates"

# fmt: off
_MATHML: Final = frozenset((
    "math", "menclose", "mfrac", "mi", "mmultiscripts", "mn", "mo", "mover", "mpadded", "mphantom",
    "mprescripts", "mroot", "mrow", "mspace", "msqrt", "mstyle", "msub", "msubsup", "msup",
    "mtable", "mtd", "mtext", "mtr", "munder", "munderover", "none",
))
_OF_MATHML: Final = frozenset((
    "accent", "columnalign", "depth", "display", "displaystyle", "fence", "form", "height",
    "linethickness", "lspace", "mathvariant", "maxsize", "minsize", "movablelimits", "notation",
    "rspace", "rowspacing", "scriptlevel", "separator", "stretchy", "width",
))
_TAGS: Final = _MATHML | frozenset((
    "a", "b", "blockquote", "br", "code", "del", "details", "div", "em", "h1", "h2", "h3", "h4",
    "h5", "h6", "hr", "i", "img", "li", "ol", "p", "pre", "s", "span", "strong", "sub", "summary",
    "sup", "table", "tbody", "td", "th", "thead", "tr", "ul",
))
# fmt: on
_ATTRIBUTES: Final = {name: set(_OF_MATHML) for name in _MATHML} | {
    "a": {"href", "title"},
    "code": {"class"},
    "div": {"class"},
    "img": {"alt", "src", "title"},
    "pre": {"class"},
    "span": {"class"},
}
_IN_SCRIPT = re.compile(r'(var \w+ = )"\{\{ (\w+) \}\}";')
#: matches the HTML of the first or the last line of a hint in an assignment
_FOLD = re.compile(
    r"\s*(?:<details><summary>[^<>]*(?:<code>[^<>]*</code>[^<>]*)*</summary>|</details>)\s*"
)
_LINK = re.compile(r"(?:https?://|mailto:|#).*", re.S)

#: environments of TeX that the translator to MathML does not know; ``align*`` replaces them
_ALIGNED = re.compile(r"\\(begin|end)\{(?:aligned|gathered|split)\}")


def template_paths() -> list[str]:
    """Return the folders of the formgrader's templates: this package's folder, then nbgrader's."""
    theirs = HTMLExporter(template_name="formgrade", extra_template_basedirs=[str(_THEIRS)])
    return [str(_OURS), *theirs.template_paths]


class _Renderer(IPythonRenderer):
    """Markdown renderer of nbconvert that writes MathML, and a note for each missing picture."""

    def image(self, text: str, url: str, title: str | None = None) -> str:
        if url.startswith("attachment:"):
            name = attachment_name(url.removeprefix("attachment:"), self.attachments)
            if not name:
                return f"(the picture {escape(url.removeprefix('attachment:'))} is not shown)"
            url = f"attachment:{name}"
        return str(super().image(text, url, title))

    def inline_math(self, body: str) -> str:
        return formula(body, "inline")

    def block_math(self, body: str) -> str:
        return formula(body, "block")

    def latex_environment(self, name: str, body: str) -> str:
        return formula(rf"\begin{{{name}}}{body}\end{{{name}}}", "block")


class _StudentsRenderer(_Renderer):
    """Markdown renderer for a student's text that shows HTML and links as plain text."""

    def __init__(self, **options: Any) -> None:
        super().__init__(escape=True, **options)

    def link(self, text: str, url: str, title: str | None = None) -> str:
        address = str(escape(url))
        return text if text == address else f"{text} ({address})"


class _HintsRenderer(_StudentsRenderer):
    """Markdown renderer that keeps the ``<details>`` element of each hint in a cell.

    It is used for cells without a name, and shows other HTML in them as plain text.
    """

    def block_html(self, html: str) -> str:
        return html if _FOLD.fullmatch(html) else str(super().block_html(html))


@pass_context
def rendered(context: Any, source: str) -> str:
    """Return the HTML of a text cell, for the filter ``markdown2html`` in formgrader's templates.

    Parameters
    ----------
    context
        The context of Jinja, which contains the ``cell``.
    source
        The text of the cell.
    """
    cell = context.get("cell", {})
    options = {"attachments": cell.get("attachments", {}), "exclude_anchor_links": True}
    renderer: _Renderer
    if nested(cell, "metadata", "nbgrader", "locked"):
        renderer = _Renderer(escape=False, **options)
    else:
        renderer = (_StudentsRenderer if name_of(cell) else _HintsRenderer)(**options)
    try:
        return sanitized(MarkdownWithMath(renderer=renderer).render(source))
    # catch errors of any class, so that a text that cannot be rendered is shown as it is
    except Exception:
        return f"<pre>{escape(source)}</pre>"


def formula(tex: str, display: str) -> str:
    """Return a formula as MathML, or its TeX as code if it cannot be translated.

    Parameters
    ----------
    tex
        TeX without dollar signs.
    display
        ``"inline"`` or ``"block"``.

    Examples
    --------
    >>> formula(r"x_1", "inline").partition("<mrow>")[2]
    '<msub><mi>x</mi><mn>1</mn></msub></mrow></math>'
    >>> formula(r"\\frac", "block")
    '<code class="tex">\\\\frac</code>'
    """
    try:
        return str(convert(_ALIGNED.sub(r"\\\1{align*}", tex), display=display))
    # catch errors of any class, because the translator has no class of errors for bad TeX
    except Exception:
        return f'<code class="tex">{escape(tex)}</code>'


class EscapedNames(Preprocessor):
    """Preprocessor of nbconvert that escapes HTML in ids and names on formgrader's pages.

    In ``nbgrader_config.py``: ``c.HTMLExporter.preprocessors = [EscapedNames]``.
    """

    def preprocess(self, nb: Any, resources: Any) -> tuple[Any, Any]:
        """Return the unchanged notebook, and nbconvert's resources with all strings escaped."""
        names = {key: str(escape(told)) for key, told in resources.items() if type(told) is str}
        resources.update(names)
        return nb, resources


class _ForScripts(FileSystemLoader):
    """Loader that changes templates, so that values in their scripts are JSON, not quoted HTML."""

    def get_source(self, environment: Environment, template: str) -> Any:
        source, *told = super().get_source(environment, template)
        return _IN_SCRIPT.sub(r"\1{{ \2 | tojson }};", source), *told


def escaping(environment: Environment) -> Environment:
    """Make the templates of the formgrader's list pages escape values; return the environment.

    Parameters
    ----------
    environment
        nbgrader's environment of Jinja, which by itself escapes no values. It is changed.
    """
    if not environment.autoescape:
        environment.autoescape = True
        loader = environment.loader
        if isinstance(loader, FileSystemLoader):
            environment.loader = _ForScripts(loader.searchpath)
        if environment.cache is not None:
            environment.cache.clear()
    return environment


def sanitized(html: str) -> str:
    """Return HTML without elements and attributes that could run code or load files.

    Examples
    --------
    >>> sanitized('<b onclick="x()">1</b><script>x()</script><img src="https://a.b/c">')
    '<b>1</b><img>'
    """
    return nh3.clean(
        html,
        tags=set(_TAGS),
        attributes=_ATTRIBUTES,
        attribute_filter=_kept,
        url_schemes={"http", "https", "mailto", "data"},
    )


def _kept(tag: str, attribute: str, value: str) -> str | None:
    """Return the value of an attribute; None removes a picture or link that is not allowed.

    The data of a picture must be contained in the page, and a link must lead to another page or to
    a label.
    """
    if (tag, attribute) == ("img", "src"):
        return value if data_picture(value) else None
    return value if (tag, attribute) != ("a", "href") or _LINK.fullmatch(value) else None
