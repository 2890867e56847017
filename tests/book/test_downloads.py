"""What can be taken away from the book: its notebooks, and the PDF."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import Any

import nbformat
import pytest

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
<div class="dpteach-explorer"><p class="dpteach-explorer-question">Where?</p>
<details class="dpteach-explorer-answer"><summary>Answer</summary><p>There.</p></details></div>
<p><strong>Play.</strong> Which?</p>
<details class="sd-dropdown"><summary>Answer</summary><p>That one.</p></details>
<details class="sd-dropdown"><summary>Proof</summary><p>Clear.</p></details>
</section></section></article></body></html>"""
TWO = """<html><body><article class="bd-article"><section id="two"><h1>2. Two</h1>
<p style="break-before: page">Back to <a href="../one.html#part">part</a>.</p>
<section class="question-answers"><h2>Answers to the questions</h2><p>Yes.</p></section>
</section></article></body></html>"""
DOT = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><circle r="4"/></svg>'


@pytest.fixture
def site(tmp_path: Path) -> Path:
    for name, text in {
        "html/book/first.html": FIRST,
        "html/book/one.html": ONE,
        "html/book/deep/two.html": TWO,
        "html/_static/dot.svg": DOT,
        "html/_static/a.css": "",
        "toc.yml": "root: book/first\nchapters:\n- file: book/one\n  sections:\n"
        "  - file: book/deep/two\n",
    }.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    return tmp_path


def test_pages_become_one_with_their_answers_at_the_end(pdf: Any, site: Path) -> None:
    book = pdf.assemble(site / "html", site / "toc.yml")
    assert (book.root, book.title) == ("book/first", "A book")
    assert book.lines == [
        ("p1", "1. One", 1),
        ("p1-part", "1.1. Part &amp; more", 2),
        ("p2", "2. Two", 1),
        ("answers", "Answers", 1),
    ]
    identifiers = set(re.findall(r'\bid="([^"]*)"', book.text))
    links = re.findall(r'href="([^"]*)"', book.text)
    assert {link[1:] for link in links if link.startswith("#")} <= identifiers
    assert [link for link in links if not link.startswith("#")] == [
        "../_static/a.css",
        "https://a.org",
    ]
    assert 'src="../_static/dot.svg"' in book.text
    assert "There is none" not in book.text
    before, answers = book.text.split('id="answers"')
    assert "Clear." in before
    assert "dpteach-explorer-answer" not in answers
    for answer in ("It is", "There.", "That one.", "Yes."):
        assert answer not in before
        assert answer in answers
    assert '<a href="#p1-ex-solution">Answer: page' in before
    for question in ("Where?", "Which?"):
        assert question in before and question in answers


@pytest.mark.slow
@pytest.mark.requires("chromium")
def test_the_printed_book_has_bookmarks_and_page_numbers(
    pdf: Any, site: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    from pypdf import PdfReader

    assert pdf.main(site / "html", site / "toc.yml") == 0
    assert "book.pdf: 6 pages" in capsys.readouterr().out
    reader = PdfReader(site / "html" / "book.pdf")
    assert reader.metadata and reader.metadata.title == "A book"
    one, [part], two, answers = reader.outline
    at = {
        mark.title: reader.get_destination_page_number(mark) + 1
        for mark in (one, part, two, answers)
    }
    assert at == {"1. One": 3, "1.1. Part & more": 3, "2. Two": 4, "Answers": 6}
    contents = re.sub(r"\s+", " ", reader.pages[1].extract_text())
    for title, page in at.items():
        assert re.search(rf"{re.escape(title)} ?{page}\b", contents), contents
    assert "Answer: page 6" in reader.pages[2].extract_text()
    assert "It is done" in reader.pages[5].extract_text()
    assert "/StructTreeRoot" in reader.trailer["/Root"]  # for screen readers
    said = (site / "html" / "book" / "first.html").read_text()
    assert '<!-- pdf --><a href="../book.pdf">6 pages</a>, 0.' in said
    assert "There is none" not in said
    assert sorted(p.name for p in (site / "html" / "book").iterdir()) == [
        "deep",
        "first.html",
        "one.html",
    ]


def test_without_a_browser_the_site_keeps_saying_that_there_is_none(
    pdf: Any, site: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("PATH", str(site))
    assert pdf.main(site / "html", site / "toc.yml") == 1
    assert "needs Chromium" in capsys.readouterr().err
    assert (site / "html" / "book" / "first.html").read_text() == FIRST


@pytest.mark.slow
@pytest.mark.requires("chromium")
def test_every_link_of_the_built_pdf_leads_somewhere() -> None:
    import pikepdf

    path = HTML / "book.pdf"
    if not path.is_file():
        pytest.fail(f"{path} is missing: run `make book`")
    count = 0
    with pikepdf.open(path) as pdf, pdf.open_outline() as outline:
        known = set(pdf.Root.Dests.keys())
        for page in pdf.pages:
            for note in page.get("/Annots", []):
                if "/Dest" in note:
                    assert str(note.Dest) in known
                    count += 1
                elif "/A" in note:
                    assert str(note.A.get("/URI")).startswith("http")
        chapters = [mark.title for mark in outline.root]
    assert count > 300
    assert any("Divergences" in title for title in chapters) and "Answers" in chapters


@pytest.mark.slow
@pytest.mark.requires("chromium")
def test_the_contents_of_the_built_pdf_name_the_pages_that_chapters_are_on() -> None:
    from pypdf import PdfReader

    reader = PdfReader(HTML / "book.pdf")
    chapters = [mark for mark in reader.outline if not isinstance(mark, list)]
    numbers = [reader.get_destination_page_number(mark) + 1 for mark in chapters]
    before = [page.extract_text() for page in reader.pages[: numbers[0] - 1]]
    contents = re.sub(r"\s+", " ", " ".join(before))
    assert len(chapters) > 30
    for chapter, number in zip(chapters, numbers, strict=True):
        assert re.search(rf"{re.escape(chapter.title)} ?{number}\b", contents), chapter.title
        assert chapter.title[-20:] in " ".join(reader.pages[number - 1].extract_text().split())
