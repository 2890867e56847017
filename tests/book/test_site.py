"""Tests that the public site lacks the instructor's pages, and that its build runs no notebook."""

from __future__ import annotations

import json
import re
import zlib
from pathlib import Path

import pytest
import unpacking
import yaml
from canaries import secret_lines
from test_book import PAGE, ROOT, build, copy

from dpteach.publish.site import LEFT_OUT, problems, write_site

FRONT = """# A book

It has [a page](page.md), and [a bibliography](bibliography.md).

:::{only} instructors
The [guide](instructors.md) is a *canary*.
:::

:::{only} not instructors
This is for students.
:::
"""
#: a cell that writes one letter per execution, so that a test can count its executions
COUNTED = """
```{code-cell} ipython3
with open("count.txt", "a") as file:
    file.write("x")
```
"""
CONTENTS = {
    "format": "jb-book",
    "root": "book/intro",
    "parts": [
        {"caption": "Chapters", "numbered": 1, "chapters": [{"file": "book/page"}]},
        {"caption": "Reference", "chapters": [{"file": "book/bibliography"}]},
        {
            "caption": LEFT_OUT,
            "chapters": [
                {"file": f"book/{name}"} for name in ("instructors", "term", "assignments")
            ],
        },
    ],
}


def inventory(file: Path) -> str:
    """Return the text of Sphinx's inventory: all names to which other books could link."""
    data = file.read_bytes()
    return zlib.decompress(data.split(b"\n", 4)[4]).decode()


@pytest.mark.slow
def test_the_site_never_had_the_pages_for_instructors(tmp_path: Path) -> None:
    project = tmp_path / "a project"
    copy(project)
    (project / "_toc.yml").write_text(yaml.safe_dump(CONTENTS))
    (project / "book" / "intro.md").write_text(FRONT)
    (project / "book" / "page.md").write_text(PAGE + COUNTED)
    for name in ("instructors", "term", "assignments"):
        (project / "book" / f"{name}.md").write_text(f"# Canary {name}\n\nAs [above](page.md).\n")
    code, said = build(project)
    assert code == 0, said
    book = project / "_build" / "html"
    assert "canary" in (book / "book" / "intro.html").read_text("utf-8")

    site = tmp_path / "site"
    (note,) = write_site(project, site, say=lambda words: None)
    assert "no PDF" in note
    assert (project / "book" / "count.txt").read_text() == "x", "a page was executed again"
    pages = {path.stem for path in (site / "book").glob("*.html")}
    assert pages >= {"intro", "page", "bibliography"}
    assert not pages & {"instructors", "term", "assignments"}
    assert (site / ".nojekyll").exists() and not list(problems(site))
    page = (site / "book" / "page.html").read_text("utf-8")
    assert "PureDP(epsilon=2.0)" in re.sub(r"<[^>]+>", "", page)
    front = (site / "book" / "intro.html").read_text("utf-8")
    assert "This is for students." in front and "{only}" not in front
    for path in sorted(site.rglob("*")):
        if path.suffix in (".html", ".js", ".ipynb", ".json", ".xml", ".txt"):
            text = path.read_text("utf-8")
            assert "anary" not in text and "instructors.html" not in text, path
    assert "book/instructors" in inventory(book / "objects.inv")
    assert "book/instructors" not in inventory(site / "objects.inv")


@pytest.mark.slow
@pytest.mark.exhaustive
def test_the_site_of_the_book_has_all_other_pages(tmp_path: Path) -> None:
    site = tmp_path / "site"
    write_site(ROOT, site, say=lambda words: None)
    contents = yaml.safe_load((ROOT / "_toc.yml").read_text("utf-8"))
    listed = {
        file
        for part in contents["parts"]
        if part["caption"] != LEFT_OUT
        for chapter in part["chapters"]
        for file in re.findall(r"'file': '([\w/]+)'", str(chapter))
    }
    there = {
        path.relative_to(site).with_suffix("").as_posix() for path in site.glob("book/**/*.html")
    }
    moved = yaml.safe_load((ROOT / "_config.yml").read_text("utf-8"))["sphinx"]["config"]
    assert there == listed | {"book/intro"} | set(moved["moved_pages"])
    index = (site / "_static" / "search_index.js").read_text("utf-8")
    found = json.loads(index.removeprefix("BookSearch.load(").removesuffix(");\n"))
    assert {address.removesuffix(".html") for address, *_ in found["pages"]} <= there
    assert not list(problems(site))
    # no published file may contain one of the eight longest secret lines of an assignment
    texts = (ROOT / "course_src" / "assignments").glob("*.md")
    longest = [line for path in texts for line in sorted(secret_lines(path), key=len)[-8:]]
    assert unpacking.found(site, {line: line for line in longest}) == []
