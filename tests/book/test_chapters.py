"""Tests of chapter titles, generated cross references to them, and descriptions of all pages."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest
import yaml
from bs4 import BeautifulSoup

ROOT = Path(__file__).parents[2]
BOOK = ROOT / "book"
HTML = ROOT / "_build" / "html"
TOC = yaml.safe_load((ROOT / "_toc.yml").read_text("utf-8"))
CHAPTERS = [
    Path(chapter["file"]).name
    for part in TOC["parts"]
    if part.get("numbered")
    for chapter in part["chapters"]
]
PAGES = sorted([*BOOK.glob("*.md"), *BOOK.glob("reference/*.md")])
CONF = f"""
import sys
sys.path.insert(0, {str(BOOK / "_ext")!r})
extensions = ["myst_parser", "sphinx_multitoc_numbering", "dpteach_chapters"]
root_doc = "front"
"""
SMALL = {
    "front": "# Front\n\n"
    "```{toctree}\n:numbered: 1\none\n```\n```{toctree}\n:numbered: 1\ntwo\n```\n"
    "```{toctree}\nwords\nmore/deep\n```\n",
    "one": "# Noise: how much, and `when`\n\n[](two.md), [](words.md), [typed text](two.md)\n",
    "two": "# Two notions\n\n## A section\n\nIt needs [](one.md).\n",
    "words": "---\nmyst:\n  html_meta:\n    description: Told.\n---\n\n"
    "# Words: a list\n\nSee [](two.md).\n",
    "more/deep": "# Deep\n\nSee [](../one.md).\n",
}


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("chapters")
    (folder / "more").mkdir()
    (folder / "conf.py").write_text(CONF)
    for name, text in SMALL.items():
        (folder / f"{name}.md").write_text(text)
    subprocess.run(
        [sys.executable, "-m", "sphinx", "-q", "-W", "-n", str(folder), str(folder / "out")],
        check=True,
    )
    return folder / "out"


def links(path: Path) -> list[tuple[str, str]]:
    """Return the address and the text of each link in a page's article."""
    found = re.findall(
        r'<a class="reference internal" href="([^"]*)"><span class="std std-doc">(.*?)</span></a>',
        path.read_text("utf-8"),
    )
    assert found
    return found


def test_a_link_without_text_names_the_chapter_by_number_and_topic(made: Path) -> None:
    # the numbers of chapters continue in the next part of the book, so the second part begins with
    # chapter 2
    assert links(made / "two.html") == [("one.html", "Chapter 1, Noise")]
    assert links(made / "words.html") == [("two.html", "Chapter 2, Two notions")]
    assert links(made / "more" / "deep.html") == [("../one.html", "Chapter 1, Noise")]


def test_front_matter_describes_a_page(made: Path) -> None:
    page = (made / "words.html").read_text("utf-8")
    assert re.findall(r'<meta content="(.*?)" name="description"', page) == ["Told."]


def test_typed_text_and_pages_without_a_number_keep_their_words(made: Path) -> None:
    assert links(made / "one.html") == [
        ("two.html", "Chapter 2, Two notions"),
        ("words.html", "Words: a list"),
        ("two.html", "typed text"),
    ]


TYPED = re.compile(r"\bchapters? (?:\d+|one|two|three|four|five|six|seven|eight|nine)\b", re.I)


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.stem)
def test_no_page_types_the_number_of_a_chapter(path: Path) -> None:
    # remove citations and the words after them, as in "{cite:t}`near2021`, chapter 3", which may
    # refer to a chapter of another book
    own = re.sub(r"\{cite:\w+\}`[^`]*`[^.\n]{0,40}", "", path.read_text("utf-8"))
    # remove the front page's button, which may say "chapter 1" because it always leads to the
    # first chapter
    own = own.replace(f"[Start chapter 1]({CHAPTERS[0]}.md)", "")
    assert TYPED.findall(own) == []


def title(name: str) -> str:
    found = re.search(r"^# (.+)$", (BOOK / f"{name}.md").read_text("utf-8"), re.MULTILINE)
    assert found
    return found[1]


def test_titles_are_short_and_so_are_the_names_in_cross_references() -> None:
    names = {title(chapter).partition(":")[0] for chapter in CHAPTERS}
    assert len(names) == len(CHAPTERS)
    assert max(len(title(chapter)) for chapter in CHAPTERS) <= 62
    assert max(map(len, names)) <= 50


def test_assignments_quote_the_titles_of_chapters() -> None:
    titles = {title(chapter) for chapter in CHAPTERS}
    for path in sorted((ROOT / "course_src" / "assignments").glob("*.md")):
        text = " ".join(path.read_text("utf-8").split())
        quoted = set(re.findall(r"\bchapter \*([^*]+)\*", text))
        assert quoted, path.stem
        assert quoted <= titles, path.stem


def description(path: Path) -> str:
    header = yaml.safe_load(path.read_text("utf-8").split("---\n")[1])
    return str(header["myst"]["html_meta"]["description"])


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.stem)
def test_each_page_has_a_description_of_one_or_two_sentences(path: Path) -> None:
    told = description(path)
    assert 70 <= len(told) <= 160
    assert re.fullmatch(r"[^\n]+\.", told)


def test_no_two_pages_have_the_same_description() -> None:
    assert len(set(map(description, PAGES))) == len(PAGES)


@pytest.mark.slow
@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.stem)
def test_the_built_page_has_its_title_and_description(path: Path) -> None:
    text = (HTML / path.relative_to(ROOT)).with_suffix(".html").read_text("utf-8")
    # parse only what stands above the end of the heading, because the rest takes seconds
    page = BeautifulSoup(text[: text.index("</h1>", text.index("<article"))], "html.parser")
    (meta,) = page.select('meta[name="description"]')
    assert meta["content"] == description(path)
    assert page.title and page.h1
    heading = page.select_one("article h1")
    assert heading
    for link in heading.select(".headerlink"):
        link.decompose()
    assert page.title.get_text().startswith(heading.get_text().strip())


@pytest.mark.slow
def test_the_front_page_names_its_chapters_by_number_and_topic() -> None:
    page = BeautifulSoup((HTML / "book" / "intro.html").read_text("utf-8"), "html.parser")
    told = {link.get_text() for link in page.select("article table a.reference.internal")}
    names = [title(chapter).partition(":")[0] for chapter in CHAPTERS]
    assert {f"Chapter {i + 1}, {name}" for i, name in enumerate(names)} <= told


def test_the_front_page_says_how_long_the_chapters_take() -> None:
    front = (BOOK / "intro.md").read_text("utf-8")
    # both numbers are computed by the build, so the page must not contain them as text
    assert "its {reading-time}`chapters` chapters take {reading-time}`hours`" in front
