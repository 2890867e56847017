"""Tests of the HTML of formulas and glossary terms, and of build errors for wrong ones."""

from __future__ import annotations

import io
import re
from pathlib import Path
from typing import Any

import pytest
from fontTools.pens.boundsPen import BoundsPen
from fontTools.ttLib import TTFont
from sphinx.application import Sphinx

BOOK = Path(__file__).parents[2] / "book"


def built(folder: Path, text: str) -> tuple[str, str]:
    """Build a page from Markdown text, and return its HTML and the warnings of the build."""
    if not (BOOK / "node_modules" / "temml").is_dir():
        pytest.fail("book/node_modules is missing: run `make book`")
    source = folder / "source"
    source.mkdir()
    (source / "conf.py").write_text("")
    (source / "index.md").write_text(f"# A page\n\n{text}\n")
    warnings = io.StringIO()
    config: dict[str, Any] = {
        "extensions": ["myst_parser", "dpteach_formulas", "dpteach_glossary"],
        "myst_enable_extensions": ["amsmath", "dollarmath"],
        "html_theme": "basic",
        "nitpicky": True,
        "numfig": True,
        "tex_macros": {"KL": r"\operatorname{KL}"},
    }
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(BOOK / "_ext"))
        app = Sphinx(
            str(source), str(source), str(folder / "html"), str(folder / "trees"), "html",
            confoverrides=config, status=None, warning=warnings, freshenv=True,
        )  # fmt: skip
        app.build()
    # remove colors; and drop Sphinx's warnings about its own nodes, which appear when Sphinx runs
    # twice in one process
    said = re.sub(r"\x1b\[[0-9;]*m", "", warnings.getvalue()).splitlines(keepends=True)
    page = (folder / "html" / "index.html").read_text("utf-8")
    return page, "".join(line for line in said if "already registered" not in line)


def test_what_belongs_together_stays_on_a_line(tmp_path: Path) -> None:
    page, said = built(
        tmp_path,
        "In 78 % of cases, $x$ % of them at ε = 2, 3 in all ($y$ in general), $a, \\dots, b$; "
        "`k = 1 %` is code, and a = b no number.",
    )
    assert said == ""
    assert (
        "78\u00a0% of" in page
        and "</math>\u00a0% of" in page
        and "<em>ε</em>\u00a0=\u00a02" in page
    )
    assert '<span class="unbroken">(<math' in page
    assert '<mo lspace="0" rspace="0.17em">…</mo>' in page
    assert ">k = 1 %<" in re.sub(r"</?span[^>]*>", "", page) and "a = b" in page


def test_a_variable_is_italic_in_the_text_as_in_a_formula(tmp_path: Path) -> None:
    page, said = built(tmp_path, "An **ε-DP** *level ε* of $\\varepsilon$, μ and `σ = 1`.")
    assert said == ""
    assert "<strong><em>ε</em>-DP</strong> <em>level ε</em>" in page and "<em>μ</em> and" in page
    assert ">σ = 1<" in re.sub(r"</?span[^>]*>", "", page) and "<mi>ε</mi>" in page


def test_formulas_are_mathml_with_numbers_and_macros(tmp_path: Path) -> None:
    page, said = built(
        tmp_path,
        "The mean, $\\KL(P\\,\\|\\,Q)$, and $x^2$; see {eq}`one`.\n\n$$a = \\frac{1}{2}$$ (one)\n\n"
        "$$\na &= 1 \\\\\nb &= 2\n$$\n",
    )
    assert said == ""
    assert page.count("<math") == 4
    assert "<mi>KL</mi>" in page
    assert re.search(r'<div class="math" id="equation-one">\s*<span class="eqno">\(1\)', page)
    assert re.search(r'href="#equation-one"[^>]*>\(?1\)?<', page)
    assert page.count("<mtr>") == 2
    assert "\\frac" not in page
    # punctuation after a formula must stay on the formula's line, and appear only once
    assert re.search(r'<span class="unbroken"><math.*?</math>,</span> and', page)
    assert re.search(r'<span class="unbroken"><math.*?</math>;</span> see', page)


def test_nothing_stands_behind_a_function_that_is_not_applied(tmp_path: Path) -> None:
    page, said = built(tmp_path, "From $D_1 = \\KL$, the mean.")
    assert said == ""
    assert re.search(r"<mi>KL</mi></mrow></math>,", page)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("Half of $\\frac{1}$.", "formula \\frac{1}: "),
        ("$$\\begin{aligned} a $$", "formula \\begin{aligned}"),
        ("The $\\Undefined$ sign.", "Undefined"),
        ("A {term}`frobnicator`.", "term not in glossary: 'frobnicator'"),
    ],
)
def test_what_has_no_meaning_is_an_error_of_the_build(text: str, why: str, tmp_path: Path) -> None:
    _, said = built(tmp_path, text)
    assert "WARNING" in said
    assert why in said


def test_a_term_carries_its_meaning(tmp_path: Path) -> None:
    page, said = built(
        tmp_path,
        "All {term}`orders <order>`.\n\n```{glossary}\norder\nexponent\n"
        "  A number,\n  *above* one.\n```\n",
    )
    assert said == ""
    link = re.search(r'<a class="([^"]*)" href="#term-order" title="([^"]*)">', page)
    assert link
    assert "term" in link[1].split()
    assert link[2] == "A number, above one."


def test_the_sign_of_a_root_stands_in_its_line(tmp_path: Path) -> None:
    """An invisible element inside each root is as high and deep as the root sign.

    Without this element, a browser would lower the sign until its bar is just above a low letter.
    """
    page, _ = built(tmp_path, "A root, $\\sqrt n$.")
    strut = re.search(r'<msqrt><mspace height="([0-9.]+)em" depth="([0-9.]+)em">', page)
    assert strut
    files = BOOK / "node_modules" / "@fontsource" / "stix-two-math" / "files"
    font = TTFont(files / "stix-two-math-latin-400-normal.woff2")
    box = BoundsPen(font.getGlyphSet())
    font.getGlyphSet()[font.getBestCmap()[ord("√")]].draw(box)
    _, bottom, _, top = box.bounds
    known = font["MATH"].table.MathConstants
    bar = known.RadicalVerticalGap.Value + known.RadicalRuleThickness.Value
    height, depth = (1000 * float(each) for each in strut.groups())
    assert abs(height + bar - top) < 60
    assert abs(depth + bottom) < 60
