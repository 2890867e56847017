"""Extract the messages of the source into templates for translators: ``make messages``.

A domain is a catalog of messages. Each domain gets one template, ``_build/messages/DOMAIN.pot``,
and its translations are the files ``dpteach/locale/LANGUAGE/LC_MESSAGES/DOMAIN.po``.
"""

from __future__ import annotations

import ast
import functools
import sys
from collections import defaultdict
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import IO, Any

from babel.messages.catalog import Catalog
from babel.messages.extract import extract_from_file
from babel.messages.pofile import write_po

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "dpteach"

#: the functions whose calls mark messages for Babel; the first two arguments of `_n` are a
#: singular and a plural
KEYWORDS: dict[str, Any] = {"_": None, "_n": (1, 2), "N_": None}


#: the files of JavaScript that have messages
SCRIPTS = [
    PACKAGE / "widgets" / "explorer.js",
    *(ROOT / "book" / "_static" / f"{name}.js" for name in ("course", "questions", "search")),
]


@functools.cache
def domain_of(path: Path) -> str:
    """Return the domain (the catalog) of the messages in a source file; "" if it has none.

    A Python file names its domain in a call of `catalog`. The domain of a file of HTML or text is
    the name of the subpackage whose folder ``templates`` has the file. The domain of a JavaScript
    file is the name of its folder or, in a folder ``_static``, of the folder above.
    """
    if path.suffix == ".js":
        return path.parts[-3] if path.parent.name == "_static" else path.parent.name
    if path.suffix in (".html", ".txt"):
        return path.parts[path.parts.index("templates") - 1] if "templates" in path.parts else ""
    for node in ast.parse(path.read_text("utf-8")).body:
        call = node.value if isinstance(node, ast.Assign) else None
        if isinstance(call, ast.Call) and isinstance(call.func, ast.Name):
            argument = call.args[0] if call.args else None
            if call.func.id == "catalog" and isinstance(argument, ast.Constant):
                return str(argument.value)
    return ""


def files() -> Iterator[tuple[str, Path]]:
    """Yield the domain and the path of each source file that has messages."""
    texts = [path for suffix in ("py", "html", "txt") for path in PACKAGE.rglob(f"*.{suffix}")]
    for path in sorted([*texts, *SCRIPTS]):
        if domain := domain_of(path):
            yield domain, path


def whole_text(file: IO[bytes], *_: object, **__: object) -> list[tuple[int, None, str, list[str]]]:
    """Return the whole text of a file as its only message, in the form that Babel expects."""
    return [(1, None, file.read().decode(), [])]


@functools.cache
def catalogs() -> dict[str, Catalog]:
    """Extract the messages of all source files; return a catalog for each domain.

    All callers share the catalogs, because the extraction takes seconds.
    """
    found: defaultdict[str, Catalog] = defaultdict(
        lambda: Catalog(project="dpteach", copyright_holder="The dpteach authors", charset="utf-8")
    )
    for domain, path in files():
        method: str | Callable[..., Any] = "python"
        if path.suffix == ".js":
            method = "javascript"
        if path.suffix == ".txt":
            method = whole_text
        if path.suffix == ".html":
            from jinja2.ext import babel_extract as method
        place = path.relative_to(ROOT).as_posix()
        for line, text, comments, _ in extract_from_file(method, path, KEYWORDS, ["Translators:"]):
            found[domain].add(text, locations=[(place, line)], auto_comments=comments)
    return dict(found)


def main() -> None:
    """Write the template of each domain (a catalog of messages), and print the paths."""
    target = ROOT / "_build" / "messages"
    target.mkdir(parents=True, exist_ok=True)
    for domain, catalog in catalogs().items():
        with (target / f"{domain}.pot").open("wb") as file:
            write_po(file, catalog, width=100, sort_output=True)
        print(f"_build/messages/{domain}.pot: {len(catalog)} messages", file=sys.stderr)


if __name__ == "__main__":
    main()
