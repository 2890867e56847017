"""Tests of the downloads of the book: its notebooks and the PDF."""

from __future__ import annotations

import re
import sys
from functools import cache
from pathlib import Path
from typing import Any
from unicodedata import normalize

import nbformat
import pytest

import dpteach

ROOT = Path(__file__).parents[2]
BOOK = ROOT / "book"
HTML = ROOT / "_build" / "html"


@pytest.fixture
def notebooks(monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.syspath_prepend(str(BOOK / "_ext"))
    import dpteach_notebooks

    return dpteach_notebooks


@pytest.fixture
def pdf(monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.syspath_prepend(str(BOOK))
    sys.modules.pop("pdf", None)
    import pdf

    return pdf


# --- notebooks -------------------------------------------------------------------------------

PAGE = """
<a class="reference internal" href="other.html#thm-far"><span>Theorem 2.5</span></a>
<a class="reference internal" href="#fig-here">Fig. 1.2</a>
<div class="proof theorem admonition" id="thm-here"><p class="admonition-title">
<span class="caption-number">Theorem 1.1 </span> (Gibbs)</p></div>
"""
TEXT = """(a-label)=
# Title

````{prf:theorem} Gibbs
:label: thm-here

$\\KL \\ge 0$, see {prf:ref}`thm-far` and {numref}`fig-here`, by {cite:t}`mironov2017`
{cite:p}`dwork2006,bun2016b`, [](other_page.md#a-section), [this](other.md) and [that](https://a.org).

$$ x $$ (eq-x)
````

```{prf:proof}
It holds.
```

```{list-table}
:header-rows: 1

* - a
  - b
```

```{question} How long?
- a month :: You may have added up.
- 10 (right) :: So it is.
```

```{exercise-start} Try
:label: ex-try
```
Do it.
```{exercise-end}
```

```{unheard-of} thing
inside
```

```python
x = {"a": 1}
```
"""
WORDS = """# Title

**Theorem 1.1 (Gibbs).**

$\\KL \\ge 0$, see Theorem 2.5 and Fig. 1.2, by Mironov 2017
(Dwork 2006; Bun 2016), a section, this and [that](https://a.org).

$$ x $$

*Proof.*

It holds.

* - a
  - b

**Question.** How long?

- a month
- 10

**Exercise (Try).**

Do it.

**Unheard-of (thing).**

inside

```python
x = {"a": 1}
```"""


def test_text_is_words_that_every_notebook_shows(notebooks: Any) -> None:
    assert notebooks.in_words(TEXT, notebooks.references(PAGE)) == WORDS


def test_a_notebook_needs_nothing_of_the_site(notebooks: Any) -> None:
    explorer = {"text/html": ['<img src="dpteach-explorers:a/first.svg">'], "image/png": "x"}
    figure = {"text/html": ["<img>"], "image/svg+xml": ["<svg/>"], "image/png": "x"}
    code = {"cell_type": "code", "source": "1", "execution_count": 1}
    hidden = {"metadata": {"tags": ["hide-input"]}}
    outputs = [
        {"output_type": "display_data", "metadata": {}, "data": d} for d in (explorer, figure)
    ]
    notebook = {
        "cells": [
            {"cell_type": "markdown", "source": ["# A", "\n"], "metadata": {}},
            code | hidden | {"outputs": outputs},
        ],
        "metadata": {"source_map": [1, 2]},
    }
    made = notebooks.portable(notebook, {}, {"KL": r"\mathrm{KL}", "Pr": r"\mathrm{Pr}"})
    first, second = made["cells"]
    macros = r"$\newcommand{\KL}{\mathrm{KL}}\renewcommand{\Pr}{\mathrm{Pr}}$"
    assert first["source"] == f"# A\n\n{macros}"
    assert [set(output["data"]) for output in second["outputs"]] == [
        {"image/png"},
        {"text/html", "image/svg+xml"},
    ]
    assert second["metadata"]["jupyter"] == {"source_hidden": True}
    assert made["metadata"] == {}


def built() -> list[Path]:
    found = sorted((HTML / "_static" / "notebooks").glob("*.ipynb"))
    return found or [pytest.fail("the notebooks are missing: run `make book`")]


@pytest.mark.slow
def test_the_built_notebooks_are_whole() -> None:
    for path in built():
        notebook = nbformat.read(path, 4)
        nbformat.validate(notebook)
        text = path.read_text("utf-8")
        assert "dpteach-explorers:" not in text
        assert str(ROOT) not in text
        words = "\n".join(c.source for c in notebook.cells if c.cell_type == "markdown")
        assert not re.search(r"\{[a-z][\w:-]+\}`|^[`:]{3,}\{", words, re.MULTILINE)
        assert any(cell.get("outputs") for cell in notebook.cells)
        pages = [HTML / "book" / f"{path.stem}.html", HTML / f"book/reference/{path.stem}.html"]
        place = next(page for page in pages if page.is_file())
        page = place.read_text("utf-8")
        up = "../" * (len(place.relative_to(HTML).parts) - 1)
        assert f'href="{up}_static/notebooks/{path.name}" download' in page
        assert re.search(rf'<a data-notebook="{path.name}" hidden>', page)


@pytest.mark.slow
def test_a_built_notebook_runs_elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from nbclient import NotebookClient

    monkeypatch.delenv("DPTEACH_EXPLORER_DIR", raising=False)
    path = min((p for p in built() if "explore(" in p.read_text("utf-8")), key=lambda p: p.stem)
    notebook = nbformat.read(path, 4)
    NotebookClient(notebook, timeout=120, resources={"metadata": {"path": tmp_path}}).execute()
    kinds = {
        kind
        for cell in notebook.cells
        for o in cell.get("outputs", [])
        for kind in o.get("data", {})
    }
    assert "application/vnd.jupyter.widget-view+json" in kinds


# --- the PDF ---------------------------------------------------------------------------------

FIRST = """<html><head><link rel="stylesheet" href="../_static/a.css"></head><body>
<article class="bd-article"><section id="book"><h1>A book
<a class="headerlink" href="#book">#</a></h1>
<p><!-- pdf -->There is none: <code>make <span>pdf</span></code>.<!-- /pdf --></p>
<p><a href="one.html#fig">the figure</a>, <a href="../genindex.html">index</a></p>
</section></article></body></html>"""
ONE = """<html><body><article class="bd-article"><section id="one"><h1>1. One</h1>
<section id="part"><h2>1.1. Part &amp; more</h2>
<figure id="fig"><img alt="A dot." src="../_static/dot.svg"></figure>
<p><a href="deep/two.html">Two</a> <a href="https://a.org">far</a></p>
<div class="exercise admonition" id="ex"><p>Do it.</p></div>
<div class="solution dropdown admonition" id="ex-solution">
<p>It is <a href="#fig">done</a>.</p></div>
<figure><div class="dpteach-explorer">
<p class="dpteach-explorer-question">Drag the dot. Where is it? Move the slider: at what k?</p>
<div class="dpteach-explorer-row"><label>k</label><input type="range"><output>3</output></div>
<details class="dpteach-explorer-answer"><summary>Answer</summary><p>There.</p></details></div>
<figcaption><span class="caption-number">Fig. 1.2 </span>A dot.</figcaption></figure>
<details class="sd-dropdown"><summary>Proof</summary><p>Clear.</p></details>
</section></section></article></body></html>"""
TWO = """<html><body><article class="bd-article"><section id="two"><h1>2. Two</h1>
<p style="break-before: page">Back to <a href="../one.html#part">part</a>.</p>
<section class="question-answers"><h2>Answers to the questions</h2><p>Yes.</p></section>
</section></article></body></html>"""
THREE = """<html><body><article class="bd-article"><section id="reference"><h1>Reference</h1>
<p id="thing">See <a href="one.html#part">part</a> and <a href="#thing">thing</a>.</p>
</section></article></body></html>"""
DOT = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><circle r="4"/></svg>'


@pytest.fixture
def site(tmp_path: Path) -> Path:
    for name, text in {
        "html/book/first.html": FIRST,
        "html/book/one.html": ONE,
        "html/book/deep/two.html": TWO,
        "html/book/reference.html": THREE,
        "html/_static/dot.svg": DOT,
        "html/_static/a.css": "",
        "toc.yml": "root: book/first\nchapters:\n- file: book/one\n  sections:\n"
        "  - file: book/deep/two\n- file: book/reference\n",
    }.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    return tmp_path


def links(text: str) -> list[str]:
    return re.findall(r'href="([^"]*)"', text)


def test_pages_become_two_volumes_with_their_answers_in_the_second(pdf: Any, site: Path) -> None:
    root, (book, reference) = pdf.assemble(site / "html", site / "toc.yml")
    assert root == "book/first"
    assert (book.name, reference.name) == ("book.pdf", "reference.pdf")
    assert "<title>A book: Volume 1: Chapters</title>" in book.text
    contents = re.compile(r'<li class="level-(\d)"><a href="#([^"]*)"><span>(.*?)</span>')
    assert contents.findall(book.text) == [
        ("1", "p1", "1. One"),
        ("2", "p1-part", "1.1. Part &amp; more"),
        ("1", "p2", "2. Two"),
    ]
    assert contents.findall(reference.text) == [
        ("1", "p3", "Reference"),
        ("1", "answers", "Answers"),
    ]
    for volume in (book, reference):
        identifiers = set(re.findall(r'\bid="([^"]*)"', volume.text))
        assert {link[1:] for link in links(volume.text) if link.startswith("#")} <= identifiers
        assert "There is none" not in volume.text
    outer = [link for link in links(book.text) if not link.startswith("#")]
    assert outer == ["../_static/a.css", "https://a.org"]
    assert 'src="../_static/dot.svg"' in book.text
    assert '@page p1 { @top-left { content: "1. One"; } }' in book.text
    assert "Clear." in book.text
    assert "dpteach-explorer-answer" not in reference.text
    for answer in ("It is", "There.", "Yes."):
        assert answer not in book.text
        assert answer in reference.text
    assert 'Answer: volume 2, page <span data-page-of="p1-ex-solution">' in book.text
    assert "Shown for k: 3. Other settings: volume 2, page <span data-page-of=" in book.text
    assert "Fig. 1.2 for other settings (k). Where is it? At what k?" in reference.text
    for volume in (book, reference):
        assert "Drag" not in volume.text and "slider" not in volume.text


@pytest.mark.parametrize(
    ("question", "kept"),
    [
        (
            "Drag the level. At which levels is it 1? When is it 2?",
            "At which levels is it 1? When is it 2?",
        ),
        ("Where is it largest? Drag the point.", "Where is it largest?"),
        ("Drag the slider: at how many is it 1?", "At how many is it 1?"),
        ("First, guess. Then refine the mesh. Is it 5.11?", "Is it 5.11?"),
        (
            "The line is a bound. Between which values of the slider is it 1?",
            "The line is a bound.",
        ),
    ],
)
def test_on_paper_a_question_asks_nobody_to_move_anything(
    pdf: Any, question: str, kept: str
) -> None:
    assert pdf.without_instructions(question) == kept


@pytest.mark.slow
@pytest.mark.requires("chromium")
def test_the_printed_book_has_bookmarks_page_numbers_and_running_heads(
    pdf: Any, site: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    from pypdf import PdfReader

    assert pdf.main(site / "html", site / "toc.yml") == 0
    assert "reference.pdf (0." in capsys.readouterr().out
    book, reference = (PdfReader(site / "html" / f"{name}.pdf") for name in ("book", "reference"))
    assert book.metadata and book.metadata.title == "A book: Volume 1: Chapters"
    pages = [page.extract_text().strip() for page in book.pages]
    title, volume, *about, author, edition = pages[0].split("\n")
    assert (title, volume, author) == ("A book", "Volume 1: Chapters", "The dpteach authors")
    assert " ".join(about).startswith("A textbook with exercises and code.")
    assert re.fullmatch(rf"Version {re.escape(dpteach.__version__)}, [A-Z][a-z]+ 20\d\d", edition)
    marks = [mark for mark in book.outline if not isinstance(mark, list)]
    at = {mark.title: book.get_destination_page_number(mark) + 1 for mark in marks}
    assert at == {"A book": 2, "Contents": 3, "1. One": 4, "2. Two": 5}
    for number in range(2, len(pages) + 1):
        last = max((page, title) for title, page in at.items() if page <= number)[1]
        # each page begins with a line that has the chapter's title and the page number
        assert re.match(rf"{re.escape(last)}\s*{number}\b", pages[number - 1])
    contents = re.sub(r"\s+", " ", pages[2])
    for title, page in {"1. One": 4, "1.1. Part & more": 4, "2. Two": 5}.items():
        assert re.search(rf"{re.escape(title)} ?{page}\b", contents), contents
    others = [page.extract_text() for page in reference.pages]
    [answers] = [i + 1 for i, text in enumerate(others) if "It is done" in text]
    assert f"Answer: volume 2, page {answers}" in pages[3]
    for reader in (book, reference):
        # the PDF must have a structure tree, which screen readers use
        assert "/StructTreeRoot" in reader.trailer["/Root"]
    said = (site / "html" / "book" / "first.html").read_text()
    assert '<!-- pdf --><a href="../book.pdf">Volume 1: Chapters</a>, 6 pages, 0.' in said
    assert f'<a href="../reference.pdf">Volume 2: Reference and answers</a>, {len(others)}' in said
    assert "There is none" not in said
    assert sorted(p.name for p in (site / "html" / "book").iterdir()) == [
        "deep",
        "first.html",
        "one.html",
        "reference.html",
    ]


def test_without_a_browser_the_site_keeps_saying_that_there_is_none(
    pdf: Any, site: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("PATH", str(site))
    assert pdf.main(site / "html", site / "toc.yml") == 1
    assert "needs Chromium" in capsys.readouterr().err
    assert (site / "html" / "book" / "first.html").read_text() == FIRST


#: matches commands in a PDF page that Chromium wrote: choose a font, show character codes of this
#: font, or end a text
WRITTEN = re.compile(rb"/(F\d+) \S+ Tf|<(\w+)> Tj|\bET\b")


def signs(font: Any) -> tuple[int, dict[str, str]]:
    """Return how many hex digits a character code of a font has, and the character of each code."""
    told = font["/ToUnicode"].get_data().decode()
    (codes,), *blocks = (
        [re.findall(r"<(\w+)>", line) for line in block.split("\n")]
        for block in re.findall(r"(?s)begin(?:codespace|bf)\w+\n(.*?)\nend", told)
    )
    digits, found = len(codes[0]), {}
    for first, *last, sign in (line for block in blocks for line in block):
        begin, end = (int(code, 16) for code in (first, *(last or [first])))
        for i in range(begin, end + 1):
            written = f"{int(sign, 16) + i - begin:0{len(sign)}X}"
            found[f"{i:0{digits}X}"] = bytes.fromhex(written).decode("utf-16-be", "replace")
    return digits, found


@cache
def built_pdf(name: str) -> tuple[Any, list[str]]:
    """Return a pypdf reader of one volume of the built PDF, and the text of each page.

    pypdf's `extract_text` would return the same text apart from spaces, but would take a minute
    for both volumes, because it also reads the pictures.
    """
    from pypdf import PdfReader

    path = HTML / f"{name}.pdf"
    if not path.is_file():
        pytest.fail(f"{path} is missing: run `make book`")
    reader, fonts, pages = PdfReader(path), dict[Any, Any](), []
    for page in reader.pages:
        words = []
        for font, codes in WRITTEN.findall(page.get_contents().get_data()):
            if font:
                place = page["/Resources"]["/Font"].raw_get(f"/{font.decode()}")
                if place.idnum not in fonts:
                    fonts[place.idnum] = signs(place.get_object())
                digits, known = fonts[place.idnum]
            else:
                text = codes.decode()
                words += [known[text[i : i + digits]] for i in range(0, len(text), digits)] or " "
        pages.append(" ".join("".join(words).split()))
    return reader, pages


@pytest.mark.slow
@pytest.mark.requires("chromium")
@pytest.mark.parametrize(("name", "title"), [("book", "zCDP"), ("reference", "Answers")])
def test_links_and_contents_of_the_built_pdf_lead_to_what_they_name(name: str, title: str) -> None:
    reader, pages = built_pdf(name)
    known = set(reader.root_object["/Dests"])
    notes = [note.get_object() for page in reader.pages for note in page.get("/Annots", [])]
    assert {note["/Dest"] for note in notes if "/Dest" in note} <= known
    assert all(note["/A"]["/URI"].startswith("http") for note in notes if "/A" in note)
    assert len(notes) > 300
    chapters = [mark for mark in reader.outline if not isinstance(mark, list)]
    assert any(title in mark.title for mark in chapters)
    numbers = [reader.get_destination_page_number(mark) + 1 for mark in chapters]
    begin = next(i for i, mark in enumerate(chapters) if mark.title == "Contents")
    contents = " ".join(pages[: numbers[begin + 1] - 1])
    for chapter, number in list(zip(chapters, numbers, strict=True))[begin + 1 :]:
        title = " ".join(chapter.title.split())
        assert re.search(rf"{re.escape(title)} ?{number}\b", contents), title
        assert title[-20:] in pages[number - 1]


@pytest.mark.slow
@pytest.mark.requires("chromium")
@pytest.mark.parametrize("name", ["book", "reference"])
def test_the_built_pdf_has_a_title_page_running_heads_and_nothing_to_drag(name: str) -> None:
    reader, pages = built_pdf(name)
    assert f"Version {dpteach.__version__}, " in pages[0]
    chapters = [mark for mark in reader.outline if not isinstance(mark, list)]
    begin = {reader.get_destination_page_number(mark): mark.title for mark in chapters}
    head, told = "", []
    for i, page in enumerate(pages[1:], 1):
        head = " ".join(begin.get(i, head).split())
        # compare a title only up to its first formula, because a PDF can contain a formula's text
        # in many forms
        words = re.match(r"[\w. ,:-]*", head)
        # NFKC splits ligatures, because some versions of Chromium write the first two letters of
        # "filter" as the one character ﬁ
        assert words and normalize("NFKC", page).startswith(words[0].strip()), (i + 1, page[:80])
        assert len(page) > len(head) + 40, f"page {i + 1} is empty"
        assert re.search(rf"\b{i + 1}\b", page[:120]), (i + 1, page[:120])
        # a PDF has nothing to drag, so its text must not speak of dragging; only the guide for
        # instructors may, because it describes figures on a screen in a lecture
        if head != "For instructors":
            told += re.findall(
                r".{40}(?:\b[Dd]rag\b|\b[Mm]ove the point|\b[Tt]he sliders?\b)", page
            )
    assert told == []
