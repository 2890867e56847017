"""Make two PDF volumes of the built book with Chromium.

    python book/pdf.py _build/html

writes ``book.pdf`` (the chapters) and ``reference.pdf`` (the reference, and the answers to
exercises, questions and explorers) into ``_build/html``. It also writes links to both files into
the front page, which says until then that there is no PDF. All pages of a volume are joined to one
large page, which Chromium prints to PDF with the site's fonts and formulas. An explorer (an
interactive figure) becomes the picture of its first setting, without the sentences that ask
readers to move a slider.
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
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urldefrag, urlparse

import yaml
from bs4 import BeautifulSoup, Comment, Tag

import dpteach

BOOK = Path(__file__).parent
BROWSERS = ("chromium", "chromium-browser", "google-chrome")
#: for each volume the file name, and the subtitle on the title page
VOLUMES = (("book.pdf", "Volume 1: Chapters"), ("reference.pdf", "Volume 2: Reference and answers"))
#: for each volume the description on the title page
ABOUT = (
    "A textbook with exercises and code. Figures that are interactive on the book's website are "
    "printed in one setting each. Answers and solutions are in volume 2.",
    "The reference of the software library dpteach, and the answers to the questions and exercises "
    "of volume 1.",
)
#: the two HTML comments on the front page between which the links to the PDFs are written
PDF = "pdf"
MARKS = (f"<!-- {PDF} -->", f"<!-- /{PDF} -->")

AUTHOR = "The dpteach authors"

#: a table with more characters than this may continue on the next page
LONG = 700

#: the CSS selector of the elements that the PDFs omit
REMOVED = (
    "a.headerlink, button, script, noscript, .dpteach-downloads, .question-actions, "
    ".question-link, .question-verdict, .question-progress, details.hide"
)
#: the CSS selector of the answers, which are moved to the end of volume 2
ANSWERS = "div.solution, details, section.question-answers"


@dataclass
class Page:
    """A page of the book, read from its HTML file.

    Attributes
    ----------
    name
        The path of the file below the folder of pages, without ".html".
    number
        The position of the page in the book, from 0.
    article
        The element with the content of the page.
    answers
        The elements that `take_answers` moved out of the page.
    """

    name: str
    number: int
    article: Tag
    answers: list[Tag] = field(default_factory=list)

    @property
    def in_reference(self) -> bool:
        """Whether the page belongs to the reference, which is printed in volume 2."""
        return f"{self.name}/".startswith("book/reference/")

    def anchor(self, identifier: str = "") -> str:
        """Return an id for an element of this page that differs from the ids of all other pages."""
        return f"p{self.number}-{identifier}" if identifier else f"p{self.number}"


def names(toc: Any) -> Iterator[str]:
    """Yield the names of all pages in a table of contents, in order."""
    if isinstance(toc, dict):
        yield from (toc[key] for key in ("root", "file") if key in toc)
        for value in toc.values():
            yield from names(value)
    elif isinstance(toc, list):
        for value in toc:
            yield from names(value)


def read(folder: Path, toc: Path) -> list[Page]:
    """Return the built pages that a table of contents names."""
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
    """Change the HTML of a page so that it can be joined with the other pages to one large page.

    Ids become distinct from those of other pages, links between pages become links within the large
    page, and addresses of pictures become relative to `root`, the first page.
    """
    for each in page.article.select(REMOVED):
        each.decompose()
    for mark in page.article.find_all(string=is_mark):
        if mark.parent is not None:
            mark.parent.decompose()
    # each highlighted word of code adds a tag for screen readers to the PDF, so remove the
    # elements around words that have no color of their own
    for token in page.article.select(".highlight :is(.n, .p, .w)"):
        token.unwrap()
    for number in page.article.select(".section-number"):
        # separate number and title by a no-break space, because bookmarks would drop a usual one
        number.string = f"{number.get_text().strip()}\N{NO-BREAK SPACE}"
    for table in page.article.find_all("table"):
        if len(table.get_text()) > LONG:
            table["class"] = [*table.get("class", []), "pdf-long"]
    for paragraph in page.article.find_all("p"):
        if paragraph.get_text() == "Guess before you read on.":
            paragraph["class"] = "pdf-lead"  # pdf.css permits no page break after this paragraph
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
    """Make an address relative to the page `root` instead of `name`; keep absolute addresses."""
    if urlparse(address).scheme:
        return address
    target = os.path.normpath(Path(name).parent / address)
    return os.path.relpath(target, Path(root).parent)


def relink(link: Tag, page: Page, pages: dict[str, Page]) -> None:
    """Let a link lead to its target in the PDFs; make it text if the PDFs lack the target."""
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


#: matches a sentence that tells readers to use a control, which they cannot do on paper
INSTRUCTION = re.compile(
    r"\b(drag|sliders?|click|press)\b|^(before you|first|now|then|move|push|play|make|set|keep"
    r"|lower|increase|try|choose|use|refine|repeat|check)\b",
    re.IGNORECASE,
)


def without_instructions(question: str) -> str:
    """Return the sentences of an interactive figure's question that make sense on paper."""
    found = []
    for sentence in re.split(r"(?<=[.?!])\s+(?=[A-Z0-9])", question.strip()):
        # keep the question of a sentence such as "Drag the slider: at what order is it 1?"
        before, colon, asked = sentence.partition(": ")
        if colon and asked.endswith("?") and INSTRUCTION.search(before):
            sentence = asked[:1].upper() + asked[1:]
        if not INSTRUCTION.search(sentence):
            found.append(sentence)
    return " ".join(found)


def settle(page: Page) -> None:
    """Reduce each interactive figure to a picture.

    The figure's question and the names of its settings become the heading of its answer, which
    `take_answers` moves to the end of volume 2.
    """
    for explorer in page.article.select(".dpteach-explorer"):
        state = [
            f"{words(row.label)}: {words(row.output)}"
            for row in explorer.select(".dpteach-explorer-row")
            if row.label is not None and row.output is not None
        ]
        labels = ", ".join(each.partition(":")[0] for each in state)
        figure = explorer.find_parent("figure")
        number = figure.select_one(".caption-number") if isinstance(figure, Tag) else None
        called = words(number).rstrip(".") if number is not None else "The figure"
        answer = explorer.select_one("details.dpteach-explorer-answer")
        question = explorer.select_one(".dpteach-explorer-question")
        for each in explorer.select(
            ".dpteach-explorer-controls, .dpteach-explorer-more, .dpteach-explorer-actions"
        ):
            each.decompose()
        if answer is not None and answer.summary is not None:
            asked = without_instructions(words(question)) if question is not None else ""
            settings = f" for other settings ({labels})" if labels else ""
            answer.summary.clear()
            answer.summary.append(
                BeautifulSoup(f"{called}{settings}. {asked}".strip(), "html.parser")
            )
            answer["data-setting"] = "; ".join(state)
        if question is not None:
            question.decompose()


def take_answers(page: Page) -> None:
    """Move the answers of a page to `page.answers`; leave references to volume 2 in their place."""
    for each in page.article.select(ANSWERS):
        summary = each.find("summary")
        of_explorer = "dpteach-explorer-answer" in each.get("class", [])
        if each.name == "details" and (summary is None or not of_explorer):
            continue
        identifier = str(each.get("id") or f"{page.anchor()}-answer-{len(page.answers)}")
        each["id"] = identifier
        setting = f"Shown for {each['data-setting']}. " if each.get("data-setting") else ""
        what = f"{setting}Other settings" if of_explorer else "Answer"
        place = BeautifulSoup(
            f'<p class="pdf-answer">{what}: volume 2, page '
            f'<span data-page-of="{identifier}"></span></p>',
            "html.parser",
        )
        if each.name == "section":
            each.extract()
        elif each.name == "details":
            each.replace_with(place)
            summary.name, each.name = "p", "div"
            each["class"] = "pdf-answered"  # drop its former classes, which CSS hides in print
            del each["data-setting"]
        else:
            each.replace_with(place)
        page.answers.append(each)


def title(page: Page) -> str:
    """Return the heading of a page as HTML, or the page's name if it has no heading."""
    heading = page.article.find("h1")
    return words(heading) if isinstance(heading, Tag) else page.name


def words(tag: Tag) -> str:
    """Return the content of an element as one line of HTML."""
    return re.sub(r"\s+", " ", tag.decode_contents()).strip()


#: a line of the table of contents: the id of its target, its text as HTML, and its level: 1 for a
#: chapter, 2 for a section
Entry = tuple[str, str, int]


def entries(pages: list[Page]) -> Iterator[Entry]:
    """Yield the lines of the table of contents for these pages."""
    for page in pages:
        yield page.anchor(), title(page), 1
        for heading in page.article.find_all("h2"):
            section = heading.find_parent("section")
            if isinstance(section, Tag) and section.get("id") and section.find("h1") is None:
                yield str(section["id"]), words(heading), 2


def contents(lines: list[Entry]) -> str:
    """Return the table of contents as HTML; `printed` fills in the page numbers."""
    items = "".join(
        f'<li class="level-{level}"><a href="#{identifier}"><span>{text}</span>'
        f'<span data-page-of="{identifier}"></span></a></li>\n'
        for identifier, text, level in lines
    )
    return (
        '<nav class="pdf-contents" id="contents" aria-label="Contents"><h1>Contents</h1>\n'
        f"<ul>\n{items}</ul></nav>\n"
    )


@dataclass
class Volume:
    """A PDF of the book: its file name, and the HTML of the large page from which it is printed."""

    name: str
    text: str


def assemble(folder: Path, toc: Path) -> tuple[str, list[Volume]]:
    """Return the front page's name, and the two volumes made from all pages.

    Addresses in the volumes' HTML are relative to the front page.
    """
    pages = read(folder, toc)
    root = pages[0].name
    by_name = {page.name: page for page in pages}
    for page in pages:
        prepare(page, by_name, root)
        settle(page)
        take_answers(page)
    first = BeautifulSoup((folder / f"{root}.html").read_text("utf-8"), "html.parser")
    styles = "".join(str(link) for link in first.select('link[rel="stylesheet"]'))
    chapters = [page for page in pages if not page.in_reference]
    reference = [page for page in pages if page.in_reference]
    answered = [page for page in pages if page.answers]
    cut_links([page.article for page in chapters])
    cut_links([*(page.article for page in reference), *(a for p in answered for a in p.answers)])
    # Chromium records the page number of an element only if a link leads to the element. The page
    # numbers of all answers are needed after printing, so add an invisible link to each answer
    targets = [answer["id"] for page in answered for answer in page.answers]
    places = "".join(f'<a href="#{target}">.</a>' for target in targets)
    first_heading = f'<h1>Answers</h1><p class="pdf-places" aria-hidden="true">{places}</p>'
    answers = "".join(
        f'<section id="answers-{page.anchor()}">{"" if i else first_heading}'
        f"<h2>{title(page)}</h2>{''.join(map(str, page.answers))}</section>\n"
        for i, page in enumerate(answered)
    )
    # for each volume: the pages before the table of contents, the pages after it, and the lines of
    # the table
    parts = [
        (chapters[:1], chapters[1:], list(entries(chapters[1:]))),
        ([], reference, [*entries(reference), ("answers", "Answers", 1)]),
    ]
    heading, volumes = html.escape(plain(title(pages[0]))), []
    made = datetime.fromtimestamp((folder / f"{root}.html").stat().st_mtime, UTC)
    edition = f"Version {dpteach.__version__}, {made:%B %Y}"
    for (name, subtitle), about, (before, after, lines) in zip(VOLUMES, ABOUT, parts, strict=True):
        heads = {"contents": "Contents"}
        heads |= {page.anchor(): plain(title(page)) for page in (*before, *after)}
        body = "".join(str(page.article) for page in after)
        if name != VOLUMES[0][0]:
            heads |= {
                f"answers-{page.anchor()}": f"Answers: {plain(title(page))}" for page in answered
            }
            body += f'<article class="bd-article" id="answers">{answers}</article>'
        volumes.append(
            Volume(
                name,
                '<!DOCTYPE html>\n<html lang="en" data-theme="light" data-mode="light"><head>'
                f'<meta charset="utf-8"><title>{heading}: {subtitle}</title>\n'
                f"{styles}<style>{(BOOK / 'pdf.css').read_text('utf-8')}{running(heads)}</style>"
                f'</head>\n<body><div class="pdf-title"><p class="pdf-title-book">{heading}</p>'
                f'<p class="pdf-title-volume">{subtitle}</p>'
                f'<p class="pdf-title-about">{about}</p>'
                f'<p class="pdf-title-author">{AUTHOR}</p><p>{edition}</p></div>'
                f"{''.join(str(page.article) for page in before)}"
                f"{contents(lines)}{body}</body></html>\n",
            )
        )
    return root, volumes


def running(heads: dict[str, str]) -> str:
    """Return CSS that prints a heading above each page; `heads` maps a part's id to its heading."""

    def rule(identifier: str, words: str) -> str:
        quoted = words.replace("\\", r"\\").replace('"', r"\"")
        return (
            f"#{identifier} {{ page: {identifier}; }}\n"
            f'@page {identifier} {{ @top-left {{ content: "{quoted}"; }} }}\n'
        )

    return "".join(rule(*head) for head in heads.items())


def cut_links(parts: list[Tag]) -> None:
    """Turn links in the parts of one volume into text if they lead to the other volume."""
    known = {str(tag["id"]) for part in parts for tag in (part, *part.find_all(id=True))}
    known.add("answers")
    for part in parts:
        for link in part.select('a[href^="#"]'):
            if str(link["href"])[1:] not in known:
                del link["href"]


def plain(words: str) -> str:
    """Return HTML as plain text."""
    return html.unescape(re.sub(r"<[^>]*>", "", words))


#: options for printing with Chromium; `pdf.css` sets the size of the paper, its margins, and the
#: text in the margins
PRINT: dict[str, Any] = {"prefer_css_page_size": True, "print_background": True}
#: a script that fills in page numbers. The attribute data-page-of of an element contains the id of
#: another element, and the script writes the page number of this other element into the first
NUMBER = """(pages) => {
  for (const place of document.querySelectorAll("[data-page-of]")) {
    place.textContent = pages[place.dataset.pageOf] ?? "";
  }
}"""
#: a script that waits until fonts and pictures are loaded
READY = """async () => {
  await document.fonts.ready;
  await Promise.all([...document.images].map((image) => image.decode()));
}"""


def printed(source: Path, browser: str, others: dict[str, int]) -> tuple[bytes, dict[str, int]]:
    """Print an HTML page to PDF, repeatedly until the page numbers in its text are right.

    The numbers are known only after printing, and writing them may move text to another page.

    Parameters
    ----------
    others
        The page numbers of elements in the other volume, by the elements' ids.

    Returns
    -------
    data, known
        The PDF, and the page numbers of its elements by the elements' ids.
    """
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        opened = playwright.chromium.launch(executable_path=browser, args=["--no-sandbox"])
        known: dict[str, int] = {}
        for i in range(4):
            # open the HTML page anew for each print, because Chromium may place page breaks
            # differently when it prints the same opened page again
            page = opened.new_page()
            page.set_default_timeout(300_000)
            page.emulate_media(media="print")
            page.goto(source.resolve().as_uri(), wait_until="load")
            page.evaluate(READY)
            page.evaluate(NUMBER, others | known)
            # tags and bookmarks take long and change no page number, so the first print omits them
            data = page.pdf(**PRINT, tagged=i > 0, outline=i > 0)
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
    """Return, by id, the page number of each element that is the target of a link in the PDF."""
    from pypdf import PdfReader

    reader = PdfReader(io.BytesIO(data))
    numbers = {
        page.indirect_reference.idnum: i + 1
        for i, page in enumerate(reader.pages)
        if page.indirect_reference is not None
    }
    found = reader.root_object.get("/Dests", {})
    return {name.lstrip("/"): numbers[place[0].idnum] for name, place in found.items()}


def link(page: Path, targets: list[Path]) -> None:
    """Write links to the PDFs, with their numbers of pages and sizes, into the front page."""
    from pypdf import PdfReader

    told = []
    for target, (_, subtitle) in zip(targets, VOLUMES, strict=True):
        address, size = os.path.relpath(target, page.parent), target.stat().st_size / 1e6
        pages = len(PdfReader(target).pages)
        told.append(f'<a href="{address}">{subtitle}</a>, {pages} pages, {size:.1f} MB')
    text = page.read_text("utf-8")
    before, mark, rest = text.partition(MARKS[0])
    if mark:
        said = f"{mark}{'; '.join(told)}.{MARKS[1]}"
        page.write_text(f"{before}{said}{rest.partition(MARKS[1])[2]}", "utf-8")


def main(folder: Path, toc: Path = BOOK.parent / "_toc.yml") -> int:
    """Write both PDF volumes of the built pages in a folder; return the exit code."""
    browser = next(filter(None, map(shutil.which, BROWSERS)), None)
    if browser is None:
        print("The PDF needs Chromium, which is not installed here.", file=sys.stderr)
        return 1
    begin = time.monotonic()
    root, volumes = assemble(folder, toc)
    source = folder / Path(root).parent / ".print.html"
    known: dict[str, int] = {}
    # print the second volume first, because the first states page numbers of the second
    for volume in reversed(volumes):
        source.write_text(volume.text, "utf-8")
        try:
            data, known = printed(source, browser, known)
        finally:
            source.unlink()
        (folder / volume.name).write_bytes(data)
    targets = [folder / volume.name for volume in volumes]
    link(folder / f"{root}.html", targets)
    said = " and ".join(f"{path} ({path.stat().st_size / 1e6:.1f} MB)" for path in targets)
    print(f"{said}, in {time.monotonic() - begin:.0f} s")
    return 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]), *map(Path, sys.argv[2:])))
