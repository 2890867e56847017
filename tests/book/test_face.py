"""Tests of the book's icons, and of its fonts, which contain only the needed characters."""

from __future__ import annotations

import importlib
import logging
from pathlib import Path
from typing import Any

import pytest
from bs4 import BeautifulSoup

BOOK = Path(__file__).parents[2] / "book"


@pytest.fixture
def dpteach_face(monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.syspath_prepend(str(BOOK / "_ext"))
    return importlib.import_module("dpteach_face")


def test_fonts_are_cut_in_silence(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, dpteach_face: Any
) -> None:
    if not dpteach_face.MATH.is_file():
        pytest.skip("`make book` fetches the fonts")
    # `cut` must suppress the hundred lines that fontTools logs, because they would hide the error
    # message of a failed build of the book
    caplog.set_level(logging.INFO)
    dpteach_face.cut(dpteach_face.MATH, tmp_path / "cut.woff2", {ord("x"), ord("=")})
    assert (tmp_path / "cut.woff2").stat().st_size < 0.5 * dpteach_face.MATH.stat().st_size
    assert not [record for record in caplog.records if record.name.startswith("fontTools")]


@pytest.mark.parametrize(
    "element",
    [
        '<span class="fa-solid fa-bars"></span>',
        '<span class="fa-solid fa-list">\n</span >',
        '<i title="a > b" data-mode="light" class="theme-switch fa-solid fa-sun  fa-lg"></i>',
        "<i class='fas fa-file'></i>",
        '<a class="fa fa-download"></a>',
    ],
)
def test_an_icon_of_any_element_is_drawn(element: str, dpteach_face: Any) -> None:
    page = BeautifulSoup(f'<p class="fact">é\n{element}<b>x</b></p>', "html.parser")
    dpteach_face.draw_icons(page)
    text = page.decode(formatter=dpteach_face.FORMATTER)
    before, svg, after = text.partition("<svg ")
    assert before == '<p class="fact">é\n' and svg
    drawing, end, rest = after.partition("</svg>")
    assert end and rest == "<b>x</b></p>"
    assert "<path" in drawing and 'class="icon' in drawing and "fa-" not in drawing
    assert ('data-mode="light"' in drawing) == ("data-mode" in element)
    assert ("a &gt; b" in drawing) == ("a > b" in element)


def test_an_icon_without_a_drawing_fails_the_build(
    dpteach_face: Any, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(dpteach_face, "LOG", logging.getLogger("face"))
    page = BeautifulSoup('<span class="fa-solid fa-no-such"></span>', "html.parser")
    dpteach_face.draw_icons(page)
    assert "no icon is drawn for fa-solid fa-no-such" in caplog.text


def test_a_style_sheet_has_no_sign_of_an_icon_font(tmp_path: Path, dpteach_face: Any) -> None:
    sheet = tmp_path / "a.css"
    sheet.write_text(':root{--pst-icon-x:"\uf010";--kept:1}.a:after{content:"\\f107";top:0}')
    told = dpteach_face.style_sheet(sheet, tmp_path)
    assert told == ":root{--kept:1}.a:after{top:0}"
