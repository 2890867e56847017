"""A Sphinx extension that offers each executed page as a notebook, for download and in JupyterLab.

The notebook contains the page's outputs. Directives and roles, which only the book can render, are
converted to plain Markdown. A static web site has no JupyterLab, so the link to JupyterLab is
hidden, except while `dpteach serve` runs JupyterLab and sends its address in ``lab.js``.
"""

from __future__ import annotations

import copy
import html
import json
import posixpath
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import dpteach_chapters
import dpteach_minutes
from bs4 import BeautifulSoup
from dpteach_face import among
from myst_nb.core import render
from myst_nb.core.utils import coalesce_streams
from sphinx.application import Sphinx

from dpteach.widgets._explorer import FRAMES_SCHEME

#: the folder of the notebooks for download, relative to the folder of the built pages
FOLDER = "_static/notebooks"


def setup(app: Sphinx) -> dict[str, Any]:
    # MyST-NB joins pieces of a printed output by changing its first piece; let it change a copy,
    # because otherwise the notebook for download would contain the later pieces twice
    render.coalesce_streams = lambda outputs: coalesce_streams(copy.deepcopy(outputs))
    app.connect("builder-inited", add_script)
    app.connect("html-page-context", link, priority=901)
    app.connect("build-finished", write)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}


def add_script(app: Sphinx) -> None:
    """Add the script that shows a link to JupyterLab on each page if JupyterLab is running."""
    if app.builder.format == "html":
        app.add_js_file("lab.js", loading_method="defer")


def executed(app: Sphinx, name: str) -> Path:
    """Return the path of the notebook that MyST-NB executed for a page."""
    return Path(app.outdir).parent / "jupyter_execute" / f"{name}.ipynb"


def link(
    app: Sphinx, pagename: str, templatename: str, context: dict[str, Any], doctree: Any
) -> None:
    """Add links to the notebook below the page and in the download menu."""
    if doctree is None or not executed(app, pagename).is_file():
        return
    file = f"{Path(pagename).name}.ipynb"
    address = context["pathto"](f"{FOLDER}/{file}", 1)
    context["body"] += (
        f'<p class="dpteach-downloads"><a href="{html.escape(address)}" download>This page as a '
        f'notebook</a>, with its outputs. <a data-notebook="{html.escape(file)}" hidden>Open it in '
        "JupyterLab</a></p>\n"
    )
    for group in context.get("header_buttons", []):
        if group.get("label") == "download-buttons":
            group["buttons"].insert(
                0,
                {
                    "type": "link",
                    "url": address,
                    "text": ".ipynb",
                    "icon": "fas fa-file",
                    "tooltip": "Download the executed notebook",
                    "label": "download-notebook-button",
                },
            )


def write(app: Sphinx, exception: Exception | None) -> None:
    """Write the notebooks of all executed pages at the end of the build."""
    if exception is not None or app.builder.format != "html":
        return
    folder = Path(app.outdir) / FOLDER
    folder.mkdir(parents=True, exist_ok=True)
    macros = app.config.tex_macros
    for name in app.env.all_docs:
        source = executed(app, name)
        if source.is_file():
            page = (Path(app.outdir) / f"{name}.html").read_text("utf-8")
            named = references(page) | dpteach_chapters.names(app.env, name)
            source_of_page = Path(app.env.doc2path(name)).read_text("utf-8")
            named[dpteach_minutes.BOX] = str(dpteach_minutes.minutes(source_of_page))
            notebook = portable(json.loads(source.read_text("utf-8")), named, macros)
            target = folder / f"{Path(name).name}.ipynb"
            target.write_text(json.dumps(notebook, ensure_ascii=False, indent=1) + "\n", "utf-8")


def references(page: str) -> dict[str, str]:
    """Return the texts of a page's references, such as "Theorem 3.2", by their labels."""
    soup = BeautifulSoup(page, "html.parser")
    for box in soup.find_all(class_="in-this-chapter"):
        # drop this box, because its links to theorems have other texts than the theorems' numbers
        box.decompose()
    found = {}
    for anchor in among(soup, "a", ".reference.internal[href*='#']"):
        if label := str(anchor["href"]).partition("#")[2]:
            found.setdefault(label, anchor.get_text(" ", strip=True))
    for number in among(soup, "span", ".admonition .caption-number"):
        owner = number.find_parent(class_="admonition")
        if owner is not None and owner.get("id"):
            found[str(owner["id"])] = number.get_text(strip=True)
    return found


def portable(notebook: Any, names: dict[str, str], macros: dict[str, str]) -> Any:
    """Make an executed notebook readable and runnable without the book, and return the notebook."""
    opened = [cell for cell in notebook["cells"] if cell["cell_type"] == "markdown"]
    for cell in opened:
        cell["source"] = in_words("".join(cell["source"]), names)
    if opened and macros:
        definitions = "".join(rf"\newcommand{{\{key}}}{{{body}}}" for key, body in macros.items())
        definitions = definitions.replace(r"\newcommand{\Pr}", r"\renewcommand{\Pr}")
        opened[0]["source"] += f"\n\n${definitions}$"
    for cell in notebook["cells"]:
        if HIDDEN & set(cell["metadata"].get("tags", [])):
            cell["metadata"]["jupyter"] = {"source_hidden": True}
        for output in cell.get("outputs", []):
            data = output.get("data", {})
            if FRAMES_SCHEME in "".join(data.get("text/html", "")):
                # remove the HTML of an interactive figure, which needs pictures that only the site
                # has
                del data["text/html"]
            if "image/svg+xml" in data:
                data.pop("image/png", None)
    notebook["metadata"].pop("source_map", None)
    return notebook


#: tags of cells whose code the book does not show
HIDDEN = {"hide-input", "remove-input"}

OPEN = re.compile(r"(`{3,}|:{3,})\{([\w:-]+)\} ?(.*)")
OPTION = re.compile(r":([\w-]+):(?: (.*))?")
ROLE = re.compile(r"\{([\w:-]+)\}`([^`]+)`")
KEY = re.compile(r"([a-z]+)(\d{4})([a-z]*)")
#: directives whose content is copied unchanged, without a title
BARE = ("list-table", "figure", "table", "div")


def in_words(text: str, names: dict[str, str]) -> str:
    """Convert MyST Markdown to plain Markdown; `names` has the texts of references by label."""
    text = re.sub(r"^\([\w-]+\)=\n", "", text, flags=re.MULTILINE)
    text = re.sub(r"^(.*\$\$) *\([\w-]+\)$", r"\1", text, flags=re.MULTILINE)
    text = ROLE.sub(lambda role: named(role[1], role[2], names), text)
    text = re.sub(r"\[\]\(([^)#]*)(?:#([\w-]+))?\)", lambda link: page_name(link, names), text)
    text = re.sub(r"\[([^\]]+)\]\((?!\w+:)[^)]*\)", r"\1", text)
    return re.sub(r"\n{3,}", "\n\n", "\n".join(unfenced(text.split("\n"), names))).strip("\n")


def page_name(link: re.Match[str], names: dict[str, str]) -> str:
    """Return a text for a link without text: a name from `names`, or the words of its address."""
    place = link[2] or link[1]
    words = Path(place).stem.replace("_", " ").replace("-", " ")
    return names.get(posixpath.normpath(place), words)


def named(role: str, body: str, names: dict[str, str]) -> str:
    """Return the text that replaces a role, which is a citation, a reference or a reading time."""
    if role == "reading-time":
        return dpteach_minutes.told(body)
    if role.startswith("cite"):
        keys = (KEY.fullmatch(key.strip()) for key in body.split(","))
        said = "; ".join(f"{key[1].capitalize()} {key[2]}" for key in keys if key)
        return said if role == "cite:t" else f"({said})"
    target = re.fullmatch(r"(.*)<([^>]+)>", body, re.DOTALL)
    if target and "%s" not in target[1]:
        return target[1].strip()
    label = target[2] if target else body
    return names.get(label, label)


def unfenced(lines: list[str], names: dict[str, str]) -> Iterator[str]:
    """Yield a page's lines, with the titles of directives in bold type instead of their fences."""
    stack: list[tuple[str, str]] = []
    i = 0
    while i < len(lines):
        line = lines[i]
        i += 1
        start = OPEN.fullmatch(line)
        if start:
            options = {}
            while i < len(lines) and (option := OPTION.fullmatch(lines[i])):
                options[option[1]] = option[2] or ""
                i += 1
            stack.append((start[1], start[2]))
            if start[2] == dpteach_minutes.BOX and start[2] in names:
                yield from (f"*{names[start[2]]} ({dpteach_minutes.ESTIMATED}).*", "")
            yield from heading(start[2], start[3].strip(), options.get("label", ""), names)
        elif stack and line == stack[-1][0]:
            stack.pop()
            yield ""
        elif stack and stack[-1][1] == "question":
            yield re.sub(r"(\s*\(right\))?\s+::(\s.*)?$", "", line)
        else:
            yield line


def heading(kind: str, words: str, label: str, names: dict[str, str]) -> Iterator[str]:
    """Yield a directive's title, such as "Theorem 3.2 (composition)", and an empty line.

    Yield nothing for directives that have no title (`BARE`) or that only end another directive.
    """
    if kind.endswith("-end") or kind in BARE:
        return
    kind = kind.removeprefix("prf:").removesuffix("-start")
    if kind == "solution":
        yield f"**Solution to {names.get(words, 'the exercise')}.**"
    elif kind in ("admonition", "note", "tip", "warning", "important"):
        yield f"**{words or kind.capitalize()}**"
    elif kind == dpteach_minutes.BOX:
        yield f"**{dpteach_minutes.GOALS}**"
    elif kind == "proof":
        yield f"*Proof{f' ({words})' if words else ''}.*"
    elif kind == "question":
        yield f"**Question.** {words}"
    else:
        number = names.get(label, kind.capitalize())
        yield f"**{number}{f' ({words})' if words else ''}.**"
    yield ""
