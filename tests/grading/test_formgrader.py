"""Tests of texts on the pages of nbgrader's formgrader: formulas, pictures, and harmful HTML."""

from __future__ import annotations

import re
import time
from pathlib import Path
from typing import Any

import bs4
import nbformat
import pytest
from nbconvert.exporters import HTMLExporter
from nbgrader.server_extensions.formgrader import handlers
from test_intake import HOSTILE, PNG, SLOW
from traitlets.config import Config, PyFileConfigLoader

from dpteach.grading.author.source import read_source
from dpteach.grading.core import harmless
from dpteach.grading.pages.formgrader import formula, rendered, sanitized

COURSE = Path(__file__).parents[2] / "course_src"
SOURCES = sorted((COURSE / "assignments").glob("*.md"))

#: an assignment that is listed here must have more formulas than this number
FORMULAS = {"removing_names": 20, "renyi_dp": 20}


@pytest.fixture(scope="module")
def exporter() -> Any:
    """Return the nbconvert exporter of the formgrader's pages, with the course's settings."""
    config = PyFileConfigLoader("nbgrader_config.py", path=str(COURSE)).load_config()
    # these are the options that the formgrader adds in its `build_extra_config`
    config.merge(
        Config(
            HTMLExporter={
                "template_name": "formgrade",
                "extra_template_basedirs": [handlers.template_path],
            }
        )
    )
    return HTMLExporter(config=config)


def page_of(exporter: Any, *texts: str, locked: bool = False) -> Any:
    """Return the formgrader's page of a notebook with these text cells.

    Every second cell, from the first on, is a student's answer or, if `locked`, a locked cell.
    """
    made: Any = nbformat.v4
    cells = [made.new_markdown_cell(text) for text in texts]
    for i, cell in enumerate(cells[::2]):
        about = {"grade_id": f"a{i}", "grade": True, "solution": not locked, "points": 1}
        about["locked"] = locked
        cell.metadata["nbgrader"] = about
    names = ("notebook_id", "submission_id", "assignment_id", "first_name", "last_name", "base_url")
    resources = {"index": 0, "total": 1, "metadata": {}} | dict.fromkeys(names, "")
    html, _ = exporter.from_notebook_node(made.new_notebook(cells=cells), resources)
    return bs4.BeautifulSoup(html, "html.parser")


def as_shown(text: str) -> str:
    """Return the HTML of a single text cell with the attached picture ``a.png``."""
    return rendered({"cell": {"attachments": {"a.png": {"image/png": PNG}}}}, text)


def test_the_page_asks_no_other_host(exporter: Any) -> None:
    page = page_of(exporter, "$x_1$", "$$x$$")
    loaded = [tag.get("src") or tag.get("href") for tag in page.select("script, link, img")]
    assert any("formgrade.js" in str(one) for one in loaded), "it is the formgrader's page"
    assert not [one for one in loaded if re.match(r"[a-z]+:|//", str(one or ""))]
    assert len(page.select(".text_cell_render math")) == 2
    # the page does not load MathJax, but defines a substitute, because nbgrader's script sets the
    # keyboard shortcuts only after MathJax reports that it has started
    (stub,) = [str(one.string) for one in page.select("script") if "MathJax" in one.text]
    assert "src" not in stub and "Interest" in stub and '"End"' in stub


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: path.stem)
def test_all_formulas_of_an_assignment_are_mathml(path: Path, exporter: Any) -> None:
    texts = [
        cell.source
        for cell in read_source(path, optional=True).cells
        if cell.cell_type == "markdown"
    ]
    page = page_of(exporter, *texts)
    shown = page.select_one("#notebook-container")
    assert len(shown.select("math")) > FORMULAS.get(path.stem, -1)
    assert not shown.select("code.tex"), "none is shown as its text"
    words = "".join(one for one in shown.find_all(string=True) if not one.find_parents("code"))
    assert "$" not in words
    assert not re.search(r"\\[a-zA-Z]", words), "no macro is left as it is"


@pytest.mark.parametrize("locked", [False, True])
def test_what_attacks_is_text(locked: bool, exporter: Any) -> None:
    """A page of harmful texts has no scripts, styles, event handlers or unsafe addresses."""
    macros = r"$\text{<script>alert(3)</script><img src=x onerror=alert(1)>}$ $\unicode{x41}$"
    texts = (HOSTILE, "", macros, "", f"x\n\n{macros}{HOSTILE}")
    page = page_of(exporter, *texts, locked=locked)
    assert locked or not page.select(".text_cell_render :is(a, img[src])")
    for cell in page.select(".text_cell_render"):
        for tag in cell.find_all():
            assert tag.name not in ("script", "svg", "style", "iframe", "object", "annotation-xml")
            for name, value in tag.attrs.items():
                assert not name.startswith("on")
                assert name != "style"
                assert name != "src" or value.startswith("data:image/png;base64,")
                assert name != "href" or re.match(r"https?://|mailto:|#", value)
    assert "alert(" in page.text


@pytest.mark.parametrize(
    ("html", "left"),
    [
        ("<script>x()</script>", ""),
        ('<a href="javascript:x()">a</a>', '<a rel="noopener noreferrer">a</a>'),
        ('<a href="data:text/html,x">a</a>', '<a rel="noopener noreferrer">a</a>'),
        ('<img src="//a.b/c" alt="d">', '<img alt="d">'),
        (f'<img src="data:image/png;base64,{PNG}">', f'<img src="data:image/png;base64,{PNG}">'),
        ('<img src="data:image/svg+xml;base64,AAAA">', "<img>"),
        ('<p id="notebook" style="top: 0">b</p>', "<p>b</p>"),
        ("<math><mtext><b>x</b></mtext></math>", None),
        ('<math href="https://a.b"><mi>x</mi></math>', "<math><mi>x</mi></math>"),
        ("<form><input><textarea>x</textarea></form>", "x"),
    ],
)
def test_what_is_left_of_html(html: str, left: str | None) -> None:
    found = sanitized(html)
    assert "script" not in found
    assert left is None or found == left


HINT = """<details><summary>Hint 1 for <code>f</code></summary>

Look at $x_1$ **first**.

</details>

<details onclick="alert(1)"><summary>no hint</summary>

<details><summary>not closed <b onclick="alert(1)">x</b></summary>

<details><summary>not closed</summary>

end"""


def test_hints_are_folded(exporter: Any) -> None:
    """Hints in cells of the author are folded; the same text in a student's answer is not."""
    page = page_of(exporter, "answer", HINT, HINT)
    hints, answer = page.select(".text_cell_render")[1:]
    first, second = hints.select("details")
    assert str(first.summary) == "<summary>Hint 1 for <code>f</code></summary>"
    assert first.select("math, strong") and not first.attrs
    assert "summary { display: list-item" in str(page), "the triangle is shown"
    assert second.summary.text == "not closed" and "end" in second.text
    assert "<details onclick=" in hints.text and "<details><summary>not closed <b" in hints.text
    assert not answer.select("details") and "<details><summary>Hint 1" in answer.text


def test_a_proof_with_its_pictures() -> None:
    shown = as_shown("Let $a \\le b$, **so** `x`:\n\n$$\\sum_i p_i$$\n\n![](attachment:a.png)")
    page = bs4.BeautifulSoup(shown, "html.parser")
    assert [tag.name for tag in page.select("strong, code, img")] == ["strong", "code", "img"]
    assert page.img["src"] == f"data:image/png;base64,{PNG}"
    assert [tag["display"] for tag in page.select("math")] == ["inline", "block"]
    assert "≤" in page.text


def test_lines_that_are_aligned() -> None:
    made = formula(r"\begin{aligned} a &= b\\ c &= d \end{aligned}", "block")
    assert made.count("<mtr>") == 2
    assert "&" not in bs4.BeautifulSoup(made, "html.parser").text


@pytest.mark.parametrize("text", [*SLOW, "$", "{", "\\frac", "x_{", "\\left(", "&", "\\text{", "'"])
def test_a_text_is_rendered_in_no_time(text: str) -> None:
    many = text * (harmless.TEXT_CHARACTERS // len(text))
    for whole in (many, f"${many}$"):
        start = time.process_time()
        as_shown(harmless.markdown(whole))
        assert time.process_time() - start < 5.0


@pytest.mark.parametrize(
    "text", ["![a](attachment:lost.png)", "x ![](attachment:a%20b.png)", '<img src="attachment:c">']
)
def test_a_missing_picture_is_no_error(text: str, exporter: Any) -> None:
    for made in (text, harmless.markdown(text, attached=())):
        page = page_of(exporter, made)
        cell = page.select_one(".text_cell_render")
        assert not cell.select("img[src]")
    assert "is not shown" in as_shown("![a](attachment:lost.png)")


def test_no_error_of_rendering_reaches_the_page(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(self: Any, source: str) -> str:
        raise RecursionError(source)

    monkeypatch.setattr("dpteach.grading.pages.formgrader.MarkdownWithMath.render", broken)
    assert as_shown("<b>1</b>") == "<pre>&lt;b&gt;1&lt;/b&gt;</pre>"


def test_names_on_the_page_of_a_submission_are_text(exporter: Any) -> None:
    made: Any = nbformat.v4
    attack = "</script><img src=x onerror=alert(1)>"
    names = ("notebook_id", "submission_id", "assignment_id", "first_name", "last_name", "student")
    resources = {"index": 0, "total": 1, "metadata": {}, "base_url": ""}
    resources |= dict.fromkeys(names, attack)
    html, _ = exporter.from_notebook_node(made.new_notebook(), resources)
    assert "<img" not in html and html.count("&lt;img") > 4
