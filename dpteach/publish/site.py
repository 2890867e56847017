"""The public site: the book without the pages for instructors.

The site is a second build of the book, whose table of contents lacks the pages for instructors.
Therefore its menus, its search, its cross references and its links from page to page do not mention
these pages. The second build executes no notebook: `book/_ext/dpteach_execute.py` takes the outputs
from the first build. All links within the site are relative, so the site works at any address.
"""

from __future__ import annotations

import functools
import os
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final
from urllib.parse import unquote, urlsplit

from dpteach._language import catalog
from dpteach.publish.problem import PublishError, Say, run

_, _n = catalog("publish")

#: the caption of the part of the table of contents that is not public
LEFT_OUT: Final = "For instructors"

#: the pages for instructors, which must not be in a public part of the table of contents
_PAGES: Final = ("book/instructors", "book/term", "book/assignments")

#: the environment variable by which `book/_ext/dpteach_execute.py` finds the executed notebooks
_EXECUTED: Final = "DPTEACH_EXECUTED"

#: options by which jupyter-book builds all pages and fails on a warning, as in the Makefile
_STRICT: Final = ("--all", "-W", "-n", "--keep-going", "-qq")

#: the attributes of HTML elements that contain the address of another file
_LINKS: Final = ("href", "src", "action", "poster")


def write_site(project: Path, target: Path, *, say: Say, toc: Path | None = None) -> list[str]:
    """Write the public site of a built book.

    Parameters
    ----------
    project
        The clone of this project's repository, in which ``make book`` has built the book.
    target
        The folder to write, which does not exist yet.
    say
        A function that shows one line about the progress.
    toc
        The table of contents with which the book was built; by default that of the clone.

    Returns
    -------
    list of str
        Messages for the instructor, for example that the site has no PDF.

    Raises
    ------
    PublishError
        If the book is not built, the build fails, or a link of the site leads to no file.
    """
    book, folder = project / "_build", project / "_build" / "site"
    if not (book / "html" / "index.html").is_file():
        raise PublishError(_("the book is not built yet: run `make book`, and publish again"))
    say(_("building the site from the book"))
    folder.mkdir(exist_ok=True)
    contents = folder / "_toc.yml"
    contents.write_text(_public((toc or project / "_toc.yml").read_text("utf-8")), "utf-8")
    pages, notes = folder / "_build" / "html", []
    shutil.rmtree(pages, ignore_errors=True)
    environment = {_EXECUTED: str(book / "jupyter_execute"), "DPTEACH_TOC": str(contents)}
    build = functools.partial(run, _("the site could not be built:"), cwd=project, **environment)
    book_builder = Path(sys.executable).with_name("jupyter-book")
    build(book_builder, "build", ".", "--path-output", folder, "--toc", contents, *_STRICT)
    # remove the theme's templates: they are not pages, but `problems` would check their links
    for template in (pages / "_static").glob("*-macros.html"):
        template.unlink()
    if (book / "html" / "book.pdf").is_file():
        say(_("printing the PDF of the site"))
        build(sys.executable, project / "book" / "pdf.py", pages, contents)
    else:
        notes.append(_("The site has no PDF, because none was built. `make pdf` builds it."))
    if found := list(problems(pages)):
        raise PublishError("\n".join([_("links of the site lead nowhere:"), *found]))
    shutil.copytree(pages, target)
    # without this file, GitHub Pages leaves out folders whose names begin with _, such as _static
    (target / ".nojekyll").touch()
    return notes


def _public(contents: str) -> str:
    """Return a table of contents (the text of _toc.yml) without the pages for instructors.

    Raises
    ------
    PublishError
        If a page for instructors is in a public part of the table of contents.
    """
    import yaml

    found = yaml.safe_load(contents)
    parts: list[Any] = found.get("parts") or []
    found["parts"] = [part for part in parts if part.get("caption") != LEFT_OUT]
    text = str(yaml.safe_dump(found, sort_keys=False, allow_unicode=True))
    if left := [page for page in _PAGES if page in text.split()]:
        told = _(
            "the public site leaves out the part {caption} of _toc.yml, and these pages are for "
            "instructors, but in no such part: {pages}",
            caption=LEFT_OUT,
            pages=", ".join(left),
        )
        raise PublishError(told)
    return text


def problems(folder: Path) -> Iterator[str]:
    """Yield a message for each link of a site that leads to no file in its folder.

    Parameters
    ----------
    folder
        The folder with the pages.
    """
    from bs4 import BeautifulSoup

    for path in sorted(folder.rglob("*.html")):
        page = BeautifulSoup(path.read_text("utf-8"), "html.parser")
        for name in _LINKS:
            for tag in page.select(f"[{name}]"):
                address = str(tag[name])
                if not _leads_somewhere(address, path, folder):
                    where = path.relative_to(folder).as_posix()
                    yield _("{page} links to {address}", page=where, address=address)


def _leads_somewhere(address: str, page: Path, folder: Path) -> bool:
    """Return whether an address on a page leads to the web, into the same page, or to a file.

    Parameters
    ----------
    address
        The address, as it is written on the page.
    page
        The file of the page.
    folder
        The folder of the site. An address of a file outside of this folder leads nowhere.
    """
    parts = urlsplit(address)
    if parts.scheme or parts.netloc or not parts.path:
        return True
    target = Path(os.path.normpath(page.parent / unquote(parts.path)))
    inside = not parts.path.startswith("/") and target.is_relative_to(folder)
    return inside and target.is_file()
