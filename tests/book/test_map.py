"""Tests of the map on the front page, which has every chapter with arcs to its prerequisites."""

from __future__ import annotations

import re

import yaml
from weigh import HTML, ROOT

PARTS = [part for part in yaml.safe_load((ROOT / "_toc.yml").read_text("utf-8"))["parts"]]
CHAPTERS = [c["file"] for part in PARTS if part.get("numbered") for c in part["chapters"]]


def test_each_chapter_is_a_link_with_arcs_to_what_it_needs() -> None:
    page = (HTML / "book" / "intro.html").read_text("utf-8")
    (picture,) = re.findall(r'<nav class="chapter-map".*?</nav>', page, re.DOTALL)
    found = re.findall(r"<g>(.*?)</g>", picture, re.DOTALL)
    assert len(found) == len(CHAPTERS)
    for i, (chapter, file) in enumerate(zip(found, CHAPTERS, strict=True)):
        assert f'href="{file.removeprefix("book/")}.html"' in chapter
        assert (chapter.count("<path") > 0) == (i > 0), file
        text = (ROOT / f"{file}.md").read_text("utf-8")
        (box,) = re.findall(r"^:::\{in-this-chapter\}\n(.*?)^:::$", text, re.DOTALL | re.MULTILINE)
        _, said, _ = box.split("\n\n")
        # there may be fewer arcs than prerequisites: a prerequisite of another prerequisite gets
        # none
        assert chapter.count("<path") <= len(set(re.findall(r"\]\(([a-z_]+)\.md\)", said)))
