"""Tests of the book: complete chapters, descriptions of figures, and builds with failing cells."""

from __future__ import annotations

import ast
import doctest
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import jupytext
import nbformat
import pytest
import yaml
from nbclient import NotebookClient
from playwright.sync_api import Browser
from pseudo import untranslated
from readme_picture import PICTURE, drawn

from dpteach._language import PSEUDO, pseudo, speaking

ROOT = Path(__file__).parents[2]
BOOK = ROOT / "book"
BUILT = ROOT / "_build"
CONTENTS = yaml.safe_load((ROOT / "_toc.yml").read_text("utf-8"))
NUMBERED = [
    ROOT / f"{chapter['file']}.md"
    for part in CONTENTS["parts"]
    if part.get("numbered")
    for chapter in part["chapters"]
]

each_chapter = pytest.mark.parametrize("chapter", NUMBERED, ids=lambda path: path.stem)


def code_cells(chapter: Path) -> list[Any]:
    return [
        cell for cell in jupytext.read(chapter, fmt="md:myst").cells if cell.cell_type == "code"
    ]


def figure_of(cell: Any) -> dict[str, str]:
    figure = cell.metadata.get("mystnb", {}).get("figure", {})
    return dict(figure) if figure else {}


def test_contents_are_the_pages() -> None:
    listed = re.findall(r"\b(?:root|file): (\S+)", (ROOT / "_toc.yml").read_text("utf-8"))
    pages = [*BOOK.glob("*.md"), *BOOK.glob("reference/*.md")]
    assert sorted(listed) == sorted(str(page.relative_to(ROOT).with_suffix("")) for page in pages)


def test_no_name_has_a_number_that_an_insertion_would_change() -> None:
    for page in (*BOOK.glob("*.md"), *(ROOT / "course_src" / "assignments").glob("*.md")):
        assert re.fullmatch(r"[a-z][a-z_]*", page.stem)


@each_chapter
def test_a_chapter_is_executed(chapter: Path) -> None:
    # without this header, the build would show the page but not run its code
    header = next(yaml.safe_load_all(chapter.read_text("utf-8")))
    assert header["jupytext"]["text_representation"]["format_name"] == "myst"
    assert header["kernelspec"]["name"] == "python3"
    assert code_cells(chapter)


PARTS = {
    "objectives": r"^:::\{in-this-chapter\}",
    "prerequisites": r"^You need ",
    "question": r"question",
    "theorem": r"^`{3,}\{prf:theorem\}",
    "proof": r"^`{3,}(\{prf:proof\}|\{dropdown\} Proof)",
    "explorer": r"^explore\(",
    "exercises": r"^## Exercises",
    "summary": r"^## Summary",
    "further reading": r"^## Further reading",
    "citation": r"\{cite[:}]",
}


@each_chapter
@pytest.mark.parametrize("part", PARTS)
def test_a_chapter_has(part: str, chapter: Path) -> None:
    assert re.search(PARTS[part], chapter.read_text("utf-8"), re.MULTILINE)


@each_chapter
def test_objectives_first_and_further_reading_last(chapter: Path) -> None:
    text = chapter.read_text("utf-8")
    headings = re.findall(r"^## (.*)", text, re.MULTILINE)
    assert headings[-1].startswith("Further reading")
    first = re.search(r"^`{3,}\{prf:(definition|theorem)\}", text, re.MULTILINE)
    assert first
    objectives = re.search(PARTS["objectives"], text, re.MULTILINE)
    assert objectives and objectives.start() < first.start()


@each_chapter
def test_every_exercise_has_a_hidden_solution(chapter: Path) -> None:
    text = chapter.read_text("utf-8")
    directive = r"^(`{3,})\{%s(?:-start)?\}([^\n]*)\n((?:[^`\n].*\n)*)"
    labels = []
    for match in re.finditer(directive % "exercise", text, re.MULTILINE):
        label = re.search(r"^:label: (\S+)", match[3], re.MULTILINE)
        assert label, f"an exercise without a label: {match[0]}"
        labels.append(label[1])
    solved = []
    for match in re.finditer(directive % "solution", text, re.MULTILINE):
        assert ":class: dropdown" in match[3], f"a solution in plain view: {match[0]}"
        solved.append(match[2].strip())
    assert sorted(labels) == sorted(solved)
    assert len(labels) >= 3


@each_chapter
def test_brackets_are_balanced(chapter: Path) -> None:
    cells = jupytext.read(chapter, fmt="md:myst").cells
    texts = [cell.source for cell in cells if cell.cell_type == "markdown"]
    texts += [figure_of(cell).get("caption", "") for cell in cells]
    for paragraph in re.split(r"\n\s*\n|\n(?=- )", "\n\n".join(texts)):
        words = re.sub(r"(?m)^`{3,}.*$", "", paragraph)
        words = re.sub(r"(?s)\$\$.*?\$\$|\$[^$]*\$|`[^`]*`", "", words)
        for one, other in ("()", "[]"):
            assert words.count(one) == words.count(other), paragraph


@each_chapter
def test_figures_have_a_name_and_a_caption(chapter: Path) -> None:
    names = []
    for cell in code_cells(chapter):
        figure = figure_of(cell)
        if figure:
            assert re.fullmatch(r"fig-[a-z0-9-]+", figure["name"])
            assert re.search(r"\w{3,}.*[.!?]\s*$", figure["caption"], re.DOTALL)
            assert "image" not in cell.metadata["mystnb"], "the picture describes itself"
            names.append(figure["name"])
    assert names
    assert len(names) == len(set(names))


def test_names_of_figures_are_the_book_s_own() -> None:
    names = [
        figure_of(cell)["name"]
        for chapter in NUMBERED
        for cell in code_cells(chapter)
        if figure_of(cell)
    ]
    assert len(names) == len(set(names))


@each_chapter
def test_an_explorer_is_a_figure_too(chapter: Path) -> None:
    for cell in code_cells(chapter):
        if re.search(r"^explore\(", cell.source, re.MULTILINE):
            assert figure_of(cell)
            # the output of an explorer (a figure with sliders) is a picture in the book and a
            # widget in a notebook, so this tag tells nbval, which compares outputs, to ignore it
            tags = cell.metadata.get("tags", [])
            assert "nbval-ignore-output" in tags
            # an explorer's code is hidden, because it may contain the answer to the explorer's
            # question
            assert {"hide-input", "remove-input"} & set(tags)


def test_the_words_of_an_explorer_are_plain_text() -> None:
    """No text of a figure with sliders has a formula: its $ signs would be shown as they are."""
    for page in (*BOOK.glob("*.md"), *(ROOT / "course_src" / "demos").glob("*.md")):
        for cell in code_cells(page):
            if not re.search(r"^explore\(", cell.source, re.MULTILINE):
                continue
            words = [
                n.value for n in ast.walk(ast.parse(cell.source)) if isinstance(n, ast.Constant)
            ]
            wrong = [word for word in words if isinstance(word, str) and "$" in word]
            assert not wrong, (
                f"{page.name}: question, answer and label of an explorer must be plain text; "
                f"formulas stand in the text beside it, got {wrong}"
            )


def is_hidden(cell: Any) -> bool:
    tags = cell.metadata.get("tags", [])
    return any(tag.startswith(("hide-", "remove-")) for tag in tags)


#: the most characters of a line of code. On a screen 1,280 pixels wide, no more fit into a
#: solution or an unfolded cell, though 74 fit elsewhere
LINE = 71


def test_code_fits_on_the_page() -> None:
    long = []
    for page in BOOK.glob("*.md"):
        for cell in code_cells(page):
            if not {"remove-cell", "remove-input"} & set(cell.metadata.get("tags", [])):
                long += [line for line in cell.source.splitlines() if len(line) > LINE]
    assert long == []


@each_chapter
def test_hidden_cells_hide_nothing_that_is_needed(chapter: Path) -> None:
    hidden: set[str] = set()
    shown: set[str] = set()
    for cell in code_cells(chapter):
        tree = ast.parse(cell.source)
        names = [node for node in ast.walk(tree) if isinstance(node, ast.Name)]
        stored = {node.id for node in names if isinstance(node.ctx, ast.Store)}
        stored |= {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}
        if is_hidden(cell):
            hidden |= stored
        else:
            shown |= stored
            # readers must see where a name is defined, so a visible cell uses no names from hidden
            # cells
            assert not {node.id for node in names} & (hidden - shown), cell.source


@each_chapter
def test_chapters_assert_what_they_say(chapter: Path) -> None:
    asserts = sum(cell.source.count("assert ") for cell in code_cells(chapter))
    assert asserts >= 10


#: a chapter that runs quickly and whose hidden cells assert words of a figure's description
QUICK = "useful_answers"


@pytest.mark.slow
@pytest.mark.parametrize(
    "chapter",
    [
        pytest.param(chapter, marks=() if chapter.stem == QUICK else pytest.mark.exhaustive)
        for chapter in (*NUMBERED, *sorted((ROOT / "course_src" / "demos").glob("*.md")))
    ],
    ids=lambda path: path.stem,
)
def test_a_chapter_or_demo_runs_in_another_language(chapter: Path) -> None:
    """No cell fails in the pseudo-language, although hidden cells assert words of messages."""
    notebook = jupytext.read(chapter, fmt="md:myst")
    with speaking(PSEUDO):
        NotebookClient(notebook, timeout=120, resources={"metadata": {"path": BOOK}}).execute()
    # the kernel has shown a message in the pseudo-language
    assert "⟦" in str([cell.get("outputs") for cell in notebook.cells])


@pytest.mark.slow
@each_chapter
def test_no_markup_is_left_unread(chapter: Path) -> None:
    page = built(f"html/book/{chapter.stem}.html").read_text("utf-8")
    article = page[page.index("<article") : page.index("</article>")]
    # if a directive or role has a mistake, its raw markup appears on the page
    for sign in ("```", ":header-rows:", "{prf:", "{ref}", "{term}", "{cite"):
        assert sign not in article


def built(path: str) -> Path:
    file = BUILT / path
    if not file.is_file():
        pytest.fail(f"{file.relative_to(ROOT)} is missing: run `make book`")
    return file


@pytest.mark.slow
@each_chapter
def test_every_picture_comes_from_a_named_figure(chapter: Path) -> None:
    notebook = nbformat.read(built(f"jupyter_execute/book/{chapter.stem}.ipynb"), 4)
    for cell in notebook.cells:
        for output in cell.get("outputs", []):
            assert output.output_type != "error"
            kinds = output.get("data", {})
            if any(kind.startswith("image/") for kind in kinds):
                assert figure_of(cell), f"a picture without name and caption: {cell.source}"


@pytest.mark.slow
@each_chapter
def test_every_picture_has_a_sentence_that_says_what_it_shows(chapter: Path) -> None:
    page = built(f"html/book/{chapter.stem}.html").read_text("utf-8")
    article = page[page.index("<article") : page.index("</article>")]
    pictures = re.findall(r"<img\b[^>]*>", article)
    assert pictures
    for picture in pictures:
        alt = re.search(r'\balt="([^"]*)"', picture)
        assert alt, picture
        assert re.fullmatch(r"[A-Z].{30,}\.", alt[1], re.DOTALL), picture
        assert "$" not in alt[1]


def build(project: Path, **variables: str) -> tuple[int, str]:
    """Run `make book` in a copy of the project; return the exit code and the printed messages.

    Parameters
    ----------
    variables
        Environment variables that the build gets besides those of this process.
    """
    made = (".venv/.installed", "book/node_modules/.package-lock.json")
    run = subprocess.run(
        [
            "make",
            "book",
            f"BIN={Path(sys.executable).parent}",
            "CHROMIUM=",  # without a path of Chromium, no PDF is made
            *(word for target in made for word in ("-o", target)),
        ],
        cwd=project,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=300,
        # leave out make's own variables: they exist if make runs these tests, and the make that
        # this test runs would read options from them
        env={k: v for k, v in os.environ.items() if not k.startswith(("MAKE", "MFLAGS"))}
        | variables,
    )
    return run.returncode, re.sub(r"\x1b\[[0-9;]*m", "", run.stdout)


def copy(project: Path) -> None:
    """Copy the settings and extensions of this book to the folder `project`, without chapters."""
    if not (BOOK / "node_modules").is_dir():
        pytest.fail("book/node_modules is missing: run `make book`")
    for folder in ("dpteach", "book", ".venv"):
        (project / folder).mkdir(parents=True)
    for file in ("Makefile", "_config.yml", "LICENSES.md"):
        shutil.copy(ROOT / file, project)
    for folder in ("_ext", "_static"):
        shutil.copytree(
            BOOK / folder, project / "book" / folder, ignore=shutil.ignore_patterns("__pycache__")
        )
    (project / "book" / "node_modules").symlink_to(BOOK / "node_modules")
    others = {page.name for page in BOOK.glob("*.md")} - {page.name for page in NUMBERED}
    for file in (*others, "references.bib"):
        shutil.copy(BOOK / file, project / "book")
    shutil.copytree(BOOK / "reference", project / "book" / "reference")


PAGE = """---
jupytext:
  text_representation:
    extension: .md
    format_name: myst
kernelspec:
  display_name: Python 3
  language: python
  name: python3
---

# A page

{cite:t}`mironov2017` and {eq}`one`.

$$x = 1$$ (one)

```{prf:theorem} It holds
It does.
```

```{code-cell} ipython3
from dpteach import PureDP, figures
from dpteach.widgets import Slider, explore

PureDP(1.0).self_compose(2)
```

```{code-cell} ipython3
assert PureDP(0.1).self_compose(64).epsilon == 6.4
```

```{question} 1?

- 1 (right) :: 1.
- 2 :: 2.
```

```{code-cell} ipython3
---
tags: [remove-input, nbval-ignore-output]
mystnb:
  figure:
    name: fig-page
    caption: |
      A figure.
---
explore(
    figures.belief,
    epsilon=Slider([0.5, 1.0], label="1"),
    before=Slider([0.1, 0.5], label="2"),
    question="?",
    answer="!",
)
```
"""


def small(project: Path, *pages: str) -> None:
    """Reduce the book to the given pages and a front page, which links to the first given page."""
    listed = "".join(f"  - file: book/{page}\n" for page in pages)
    (project / "_toc.yml").write_text(f"format: jb-book\nroot: book/intro\nchapters:\n{listed}")
    (project / "book" / "intro.md").write_text(f"# A book\n\nIt has [a page]({pages[0]}.md).\n")


def shows_no_english(browser: Browser, html: Path) -> None:
    """Check that the scripts of a book show no untranslated message.

    The book is in ``en-XA``, a test language in which every translated text has accents.

    Parameters
    ----------
    html
        The folder of the built book; its page book/page.html has an explorer (a figure with
        sliders) and a quiz.
    """
    page = browser.new_page()
    problems: list[str] = []
    page.on("pageerror", lambda error: problems.append(str(error)))
    page.goto((html / "book" / "page.html").as_uri())
    explorer = page.locator(".dpteach-explorer")
    explorer.get_by_role("button").first.click()
    menu = explorer.get_by_role("button").all()
    shown = [button.get_attribute("aria-label") or button.inner_text() for button in menu]
    assert len(shown) >= 3
    explorer.get_by_role("button", name=pseudo("Lecture mode")).click()
    shown.append(page.locator(".dpteach-lecture-hint").inner_text())
    page.keyboard.press("Escape")
    shown += [part.inner_text() for part in explorer.locator("summary").all()]
    for choose, word in (("", "Choose an answer first."), ("0", "Right."), ("1", "Not so.")):
        if choose:
            page.locator(f'.question input[value="{choose}"]').check()
        page.locator(".question [type=submit]").click()
        shown.append(page.locator(".question-word").inner_text())
        assert shown[-1] == pseudo(word)
    page.goto((html / "search.html").as_uri() + "?q=page")
    status = page.locator("#search-results .search-status")
    shown.append(status.inner_text())
    assert untranslated("\n".join(shown), "page") == []
    assert problems == []
    page.close()


@pytest.mark.slow
@pytest.mark.requires("chromium")
def test_a_small_book_builds_in_another_language_until_a_cell_raises(
    browser: Browser, tmp_path: Path
) -> None:
    copy(tmp_path)
    small(tmp_path, "page", "bibliography")
    page = tmp_path / "book" / "page.md"

    page.write_text(PAGE)
    config = tmp_path / "_config.yml"
    config.write_text(config.read_text("utf-8").replace("book/renyi_dp", "book/page"))
    code, said = build(tmp_path, DPTEACH_LANGUAGE="en-XA")
    assert code == 0, said
    shows_no_english(browser, tmp_path / "_build" / "html")
    moved = (tmp_path / "_build" / "html" / "book" / "05_renyi_dp.html").read_text("utf-8")
    assert '<a href="page.html">A page</a>' in moved
    to = 'location.replace("page.html" + location.hash.replace("05_renyi_dp-", "page-"))'
    assert to in moved
    html = (tmp_path / "_build" / "html" / "book" / "page.html").read_text("utf-8")
    assert "PureDP(epsilon=2.0)" in re.sub(r"<[^>]+>", "", html)

    # replace the page by a real chapter with an inserted cell that fails, for the next build
    text = NUMBERED[0].read_text("utf-8")
    start = re.search(r"^```\{code-cell\} ipython3\n(?![:-])", text, re.MULTILINE)
    assert start
    broken = 'raise RuntimeError("broken " + "on purpose")\n'
    page.write_text(text[: start.end()] + broken + text[start.end() :])
    code, said = build(tmp_path)
    assert code != 0, said
    assert "RuntimeError: broken on purpose" in said
    assert "book/page" in said

    page.write_text(PAGE.replace("{eq}`one`", "{eq}`two`"))
    code, said = build(tmp_path)
    assert code != 0, "a reference to nothing is an error too"
    assert "two" in said


def test_the_readme_computes_what_it_shows() -> None:
    failed, tried = doctest.testfile(str(ROOT / "README.md"), module_relative=False)
    assert tried >= 5
    assert not failed


def test_the_readme_shows_a_picture_that_the_library_draws() -> None:
    picture, sentence = drawn()
    assert f"![{sentence}](.github/{PICTURE.name})" in (ROOT / "README.md").read_text("utf-8")
    assert PICTURE.read_text("utf-8") == picture, "run tests/book/readme_picture.py"
