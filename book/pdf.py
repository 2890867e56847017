"""The whole book as a PDF: the built pages, one after the other, printed by Chromium.

    python book/pdf.py _build/html

writes ``_build/html/book.pdf`` and links it from the first page, which says until then that there
is none. Formulas, figures and type are those of the site. Explorers are the pictures that they
begin with; answers to exercises, questions and explorers stand at the end.
"""

from __future__ import annotations

import html
import io
import os
import re
import shutil
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urldefrag, urlparse

import yaml
from bs4 import BeautifulSoup, Comment, Tag

BOOK = Path(__file__).parent
BROWSERS = ("chromium", "chromium-browser", "google-chrome")
NAME = "book.pdf"
#: what the first page says of the PDF stands between these comments
PDF = "pdf"
MARKS = (f"<!-- {PDF} -->", f"<!-- /{PDF} -->")

#: of no use on paper
REMOVED = (
    "a.headerlink, button, script, noscript, .dpteach-downloads, .question-actions, "
    ".question-link, .question-verdict, .question-progress, details.hide"
)
#: what is answered at the end
ANSWERS = "div.solution, details, section.question-answers"


@dataclass
class Page:
    """A page of the book: its address below the folder of pages, and its article."""

    name: str
    number: int
    article: Tag
    answers: list[Tag] = field(default_factory=list)

    def anchor(self, identifier: str = "") -> str:
        return f"p{self.number}-{identifier}" if identifier else f"p{self.number}"


def names(toc: Any) -> Iterator[str]:
    """The pages of a table of contents, in order."""
    if isinstance(toc, dict):
        yield from (toc[key] for key in ("root", "file") if key in toc)
        for value in toc.values():
            yield from names(value)
    elif isinstance(toc, list):
        for value in toc:
            yield from names(value)


def read(folder: Path, toc: Path) -> list[Page]:
    pages = []
    for name in names(yaml.safe_load(toc.read_text("utf-8"))):
        soup = BeautifulSoup((folder / f"{name}.html").read_text("utf-8"), "html.parser")
        article = soup.select_one("article")
        assert article is not None
        pages.append(Page(name, len(pages), article))
    return pages


def is_mark(words: object) -> bool:
    return isinstance(words, Comment) and words.strip() == PDF


def prepare(page: Page, pages: dict[str, Page], root: str) -> None:
    """Make a page a part of one large page, which stands where the first of them does."""
    for each in page.article.select(REMOVED):
        each.decompose()
    for mark in page.article.find_all(string=is_mark):
        if mark.parent is not None:
            mark.parent.decompose()
    # each is a part of the tree that is read aloud, and these have no colour of their own
    for token in page.article.select(".highlight :is(.n, .p, .w)"):
        token.unwrap()
    page.article.smooth()
    for details in page.article.select("details"):
        details["open"] = ""
    for tag in page.article.find_all(True):
        for attribute in ("id", "for", "name"):
            if tag.get(attribute):
                tag[attribute] = page.anchor(str(tag[attribute]))
        for attribute in ("aria-labelledby", "aria-describedby"):
            if tag.get(attribute):
                tag[attribute] = " ".join(map(page.anchor, str(tag[attribute]).split()))
        if tag.get("src"):
            tag["src"] = moved(str(tag["src"]), page.name, root)
            tag["loading"] = "eager"
        if tag.name == "a" and tag.get("href"):
            relink(tag, page, pages)
    page.article["id"] = page.anchor()


def moved(address: str, name: str, root: str) -> str:
    """An address relative to one page, relative to another."""
    if urlparse(address).scheme:
        return address
    target = os.path.normpath(Path(name).parent / address)
    return os.path.relpath(target, Path(root).parent)


def relink(link: Tag, page: Page, pages: dict[str, Page]) -> None:
    """Let a link lead to the same place on paper; one to a page that is not there is words."""
    address, identifier = urldefrag(str(link["href"]))
    if urlparse(address).scheme:
        return
    target = page
    if address:
        name = os.path.normpath(Path(page.name).parent / unquote(address)).removesuffix(".html")
        if name not in pages:
            del link["href"]
            return
        target = pages[name]
    link["href"] = f"#{target.anchor(unquote(identifier))}"


def asks(tag: Tag) -> bool:
    """Whether a paragraph asks what an explorer is to answer."""
    return "dpteach-explorer-question" in tag.get("class", []) or (
        tag.name == "p" and tag.get_text().startswith("Play.")
    )


def take_answers(page: Page) -> None:
    """Move the answers out of a page; where an exercise or an explorer was, its page is named."""
    for each in page.article.select(ANSWERS):
        summary = each.find("summary")
        if each.name == "details" and (summary is None or words(summary) != "Answer"):
            continue
        identifier = str(each.get("id") or f"{page.anchor()}-answer-{len(page.answers)}")
        each["id"] = identifier
        place = BeautifulSoup(
            f'<p class="pdf-answer"><a href="#{identifier}">Answer: page '
            f'<span data-page-of="{identifier}"></span></a></p>',
            "html.parser",
        )
        if each.name == "section":
            each.extract()
        elif each.name == "details":
            asked = each.find_previous(asks)
            each.replace_with(place)
            summary.name, each.name = "p", "div"
            each["class"] = "pdf-answered"  # and not what pages hide on paper
            summary.clear()
            summary.append(BeautifulSoup(words(asked) if asked else "Explorer", "html.parser"))
        else:
            each.replace_with(place)
        page.answers.append(each)


def title(page: Page) -> str:
    heading = page.article.find("h1")
    return words(heading) if isinstance(heading, Tag) else page.name


def words(tag: Tag) -> str:
    return re.sub(r"\s+", " ", tag.decode_contents()).strip()


#: a line of the contents: where it leads, its words as HTML, and 1 for a chapter or 2 for a section
Entry = tuple[str, str, int]


def entries(pages: list[Page]) -> Iterator[Entry]:
    for page in pages:
        yield page.anchor(), title(page), 1
        for heading in page.article.find_all("h2"):
            section = heading.find_parent("section")
            if isinstance(section, Tag) and section.get("id") and section.find("h1") is None:
                yield str(section["id"]), words(heading), 2
    if any(page.answers for page in pages):
        yield "answers", "Answers", 1


def contents(lines: list[Entry]) -> str:
    items = "".join(
        f'<li class="level-{level}"><a href="#{identifier}"><span>{text}</span>'
        f'<span data-page-of="{identifier}"></span></a></li>\n'
        for identifier, text, level in lines
    )
    return (
        '<nav class="pdf-contents" aria-label="Contents"><h1>Contents</h1>\n'
        f"<ul>\n{items}</ul></nav>\n"
    )


@dataclass
class Assembled:
    """The large page, its contents, and the page beside which it stands."""

    root: str
    title: str
    text: str
    lines: list[Entry]


def assemble(folder: Path, toc: Path) -> Assembled:
    pages = read(folder, toc)
    root = pages[0].name
    by_name = {page.name: page for page in pages}
    for page in pages:
        prepare(page, by_name, root)
        take_answers(page)
    first = BeautifulSoup((folder / f"{root}.html").read_text("utf-8"), "html.parser")
    styles = [str(link) for link in first.select('link[rel="stylesheet"]')]
    heading, lines = plain(title(pages[0])), list(entries(pages[1:]))
    answers = "".join(
        f"<section><h2>{title(page)}</h2>{''.join(map(str, page.answers))}</section>\n"
        for page in pages
        if page.answers
    )
    style = (BOOK / "pdf.css").read_text("utf-8")
    body = "".join(str(page.article) for page in pages[1:])
    text = (
        '<!DOCTYPE html>\n<html lang="en" data-theme="light" data-mode="light"><head>'
        f'<meta charset="utf-8"><title>{html.escape(heading)}</title>\n'
        f"{''.join(styles)}<style>{style}</style></head>\n<body>"
        f"{pages[0].article}{contents(lines)}{body}"
        f'<article class="bd-article" id="answers"><h1>Answers</h1>{answers}</article>'
        "</body></html>\n"
    )
    return Assembled(root, heading, text, lines)


def plain(words: str) -> str:
    """HTML as the words that are read."""
    return html.unescape(re.sub(r"<[^>]*>", "", words))


PRINT: dict[str, Any] = {
    "format": "A4",
    "margin": {"top": "22mm", "bottom": "22mm", "left": "24mm", "right": "24mm"},
    "print_background": True,
    "display_header_footer": True,
    "header_template": "<span></span>",
    "footer_template": (
        '<div style="width: 100%; text-align: center; font: 9pt sans-serif">'
        '<span class="pageNumber"></span></div>'
    ),
}
#: writes page numbers where they belong
NUMBER = """(pages) => {
  for (const place of document.querySelectorAll("[data-page-of]")) {
    place.textContent = pages[place.dataset.pageOf] ?? "";
  }
}"""
READY = """async () => {
  await document.fonts.ready;
  await Promise.all([...document.images].map((image) => image.decode()));
}"""


def printed(source: Path, browser: str) -> tuple[bytes, dict[str, int]]:
    """The page as a PDF, printed until the page numbers that it names are true; and these."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        opened = playwright.chromium.launch(executable_path=browser, args=["--no-sandbox"])
        known: dict[str, int] = {}
        for i in range(4):
            # a page that was printed once may be broken elsewhere the next time
            page = opened.new_page()
            page.set_default_timeout(300_000)
            page.emulate_media(media="print")
            page.goto(source.resolve().as_uri(), wait_until="load")
            page.evaluate(READY)
            page.evaluate(NUMBER, known)
            # which page a place is on does not depend on the tags, of which there are many
            data = page.pdf(**PRINT, tagged=i > 0)
            page.close()
            found = places(data)
            if found == known:
                break
            known = found
        else:
            raise RuntimeError(f"{source}: each print has other page numbers than the one before")
        opened.close()
    return data, known


def places(data: bytes) -> dict[str, int]:
    """On which page each place stands to which something leads."""
    import pikepdf

    with pikepdf.open(io.BytesIO(data)) as pdf:
        numbers = {page.objgen: i + 1 for i, page in enumerate(pdf.pages)}
        found = pdf.Root.get("/Dests", {})
        return {name.lstrip("/"): numbers[place[0].objgen] for name, place in found.items()}


def finished(data: bytes, book: Assembled, known: dict[str, int]) -> tuple[bytes, int]:
    """With bookmarks and a title; and the number of pages."""
    import pikepdf

    buffer = io.BytesIO()
    with pikepdf.open(io.BytesIO(data)) as pdf:
        with pdf.open_outline() as outline:
            for identifier, text, level in book.lines:
                if identifier in known:
                    mark = pikepdf.OutlineItem(plain(text), known[identifier] - 1)
                    if level == 2 and outline.root:
                        outline.root[-1].children.append(mark)
                    else:
                        outline.root.append(mark)
        pdf.Root.PageMode = pikepdf.Name.UseOutlines
        pdf.docinfo = pdf.make_indirect(
            pikepdf.Dictionary(Title=book.title, Author="The dpteach authors")
        )
        pdf.save(buffer)
        return buffer.getvalue(), len(pdf.pages)


def link(page: Path, target: Path, count: int) -> None:
    """Say on the first page that there is a PDF."""
    size = f"{target.stat().st_size / 1e6:.1f} MB"
    address = os.path.relpath(target, page.parent)
    said = f'<a href="{address}">{count} pages</a>, {size}.'
    text = page.read_text("utf-8")
    before, mark, rest = text.partition(MARKS[0])
    if mark:
        page.write_text(f"{before}{mark}{said}{MARKS[1]}{rest.partition(MARKS[1])[2]}", "utf-8")


def main(folder: Path, toc: Path = BOOK.parent / "_toc.yml") -> int:
    browser = next(filter(None, map(shutil.which, BROWSERS)), None)
    if browser is None:
        print("The PDF needs Chromium, which is not installed here.", file=sys.stderr)
        return 1
    begin = time.monotonic()
    book = assemble(folder, toc)
    source = folder / Path(book.root).parent / ".print.html"
    source.write_text(book.text, "utf-8")
    try:
        data, known = printed(source, browser)
    finally:
        source.unlink()
    target = folder / NAME
    data, count = finished(data, book, known)
    target.write_bytes(data)
    link(folder / f"{book.root}.html", target, count)
    seconds = time.monotonic() - begin
    print(f"{target}: {count} pages, {len(data) / 1e6:.1f} MB, in {seconds:.0f} s")
    return 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]), *map(Path, sys.argv[2:])))
