"""Tests of lecture demos: their parts, and their slides in a browser without a network."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import nbformat
import pytest
from playwright.sync_api import Browser, Page

from dpteach import demos
from dpteach.demos import slides
from dpteach.serve import serve_pages

ROOT = Path(__file__).parents[2]
SLIDES = ROOT / "_build" / "slides"
TEXTS = sorted((ROOT / "course_src" / "demos").glob("*.md"))

each_demo = pytest.mark.parametrize("text", TEXTS, ids=lambda path: path.stem)

#: the text of the shortest valid lecture demo
SMALL = """\
---
jupytext:
  text_representation:
    extension: .md
    format_name: myst
kernelspec:
  display_name: Python 3
  language: python
  name: python3
---

# A title

About it.

:::{notes} 0.5
Say it.

**What can go wrong.** All of it.
:::

## Twice

```{code-cell} ipython3
:tags: [live]

2 * 21
```

:::{question} How many are $2 \\cdot 21$?
- 42 (right) | 60 :: So it is.
- 40,
  or so | 40 :: Nearly.
:::

:::{notes} 1 minute
Ask.

**If they are split.** Count.
:::

## Take home

> Twice 21
> is 42.

:::{notes} 2
Leave it there.
:::

```{code-cell} ipython3
:tags: [remove-cell]

assert 2 * 21 == 42
```
"""


def small(folder: Path, text: str = SMALL, name: str = "pure_dp_small") -> demos.Demo:
    path = folder / f"{name}.md"
    path.write_text(text, "utf-8")
    return demos.read(path)


# --- the text ----------------------------------------------------------------------------------


@each_demo
def test_a_demo_is_whole(text: Path) -> None:
    demo = demos.read(text)  # raises an error if a section of the demo is missing or unknown
    assert 6 <= len(demo.slides) <= 9
    assert 9 <= demo.minutes <= 10
    assert len(demo.question.options) >= 3
    assert demo.question.right.expected <= 50, "what all know is not worth a show of hands"
    assert len(demo.home.split()) <= 30
    assert demo.slides[-1].heading == "Take home"
    hidden = [cell["source"] for cell in demo.cells if cell["kind"] == "hidden"]
    assert any("assert " in source for source in hidden[1:]), "which cell proves its numbers?"


@each_demo
def test_a_demo_moves_before_everybody(text: Path) -> None:
    live = [cell for cell in demos.read(text).cells if cell["live"]]
    assert any(cell["source"].startswith("explore(") for cell in live)
    for cell in live:
        assert cell["kind"] == ("output" if cell["source"].startswith("explore(") else "code")


def test_each_topic_that_has_demos_has_two() -> None:
    topics = Counter(demo.topic for demo in demos.demos())
    assert set(topics.values()) == {2}
    assert list(topics) == [name for name in demos.chapters() if name in topics]


def test_a_text_is_read(tmp_path: Path) -> None:
    demo = small(tmp_path)
    assert (demo.topic, demo.title, demo.minutes) == ("pure_dp", "A title", 3.5)
    assert [slide.heading for slide in demo.slides] == ["A title", "Twice", "Take home"]
    assert demo.home == "Twice 21 is 42."
    assert demo.question.right.letter == "A"
    assert [option.text for option in demo.question.options] == ["42", "40, or so"]
    kinds = [(cell["kind"], cell["slide"]) for cell in demo.cells]
    assert kinds == [
        *[("text", 0), ("notes", 0), ("text", 1), ("code", 1), ("question", 1), ("notes", 1)],
        *[("text", 2), ("notes", 2), ("hidden", 2)],
    ]


@pytest.mark.parametrize(
    "old, new, told",
    [
        ("{notes} 0.5", "{notes}", "need their minutes"),
        ("{notes} 2", "{notes} 9", "takes 10.5 minutes"),
        (":tags: [live]", ":tags: [remove-cell]", "no cell has the tag live"),
        ("[live]", "[lively]", "the tag lively has no meaning"),
        ("2 * 21\n```", "2 * 21\n" * 11 + "```", "more than 10 lines"),
        ("2 * 21\n```", f"{'2 * ' * 20}21\n```", "more than 60 characters"),
        (" (right)", "", "one option that is (right)"),
        ("| 60", "| 70", "do not add up to 100"),
        ("| 60 ::", "::", "an option is `- what (right)"),
        (":::{question}", ":::{quest}", "0 questions for the hall"),
        ("**If they are split.**", "If not:", "do not tell **If they are split.**"),
        ("**What can go wrong.**", "", "no notes tell **What can go wrong.**"),
        ("> Twice 21\n> is 42.", "Twice.", "no sentence to take home"),
        ("## Take home", "## More\n\n## Take home", "the slide 'More' has 0 notes"),
        ("Leave it there.\n:::", "Leave it there.", "is not whole"),
        ("## Twice", "## A\n\n:::{notes} 0\n:::\n\n" * 8 + "## Twice", "has 11 slides"),
    ],
)
def test_what_is_wrong_is_told(tmp_path: Path, old: str, new: str, told: str) -> None:
    assert old in SMALL
    with pytest.raises(demos.DemoError, match=re.escape(told)):
        small(tmp_path, SMALL.replace(old, new, 1))


def test_a_demo_belongs_to_a_chapter(tmp_path: Path) -> None:
    with pytest.raises(demos.DemoError, match="does not begin with that of a chapter"):
        small(tmp_path, name="pure_small")


# --- the notebook ------------------------------------------------------------------------------


def test_a_notebook_shows_the_hall_neither_notes_nor_asserts(tmp_path: Path) -> None:
    made = slides.notebook(small(tmp_path))
    nbformat.validate(made)
    folded = [
        bool(cell.metadata.get("jupyter", {}).get("source_hidden"))
        or re.fullmatch(r"<details><summary>.*</details>", cell.source, re.DOTALL) is not None
        for cell in made.cells
    ]
    assert folded == [True, False, True, False, False, False, True, False, True, True]
    shown = "\n".join(
        cell.source for cell, hidden in zip(made.cells, folded, strict=True) if not hidden
    )
    assert "- **B** 40, or so" in shown and "Nearly" not in shown and "right" not in shown
    notes = made.cells[6].source
    assert "\n\n*From 0:30, 1 minute.*\n\n" in notes
    assert "- A, right: 60. So it is." in notes and "- B: 40. Nearly." in notes


def test_formulas_are_mathml() -> None:
    page = slides.markdown("So $e^{0.1}$ and\n\n$$\\tfrac12$$\n")
    assert page.count("<math") == 2 and "$" not in page and "<msup>" in page


def test_slides_of_one_demo_are_made_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from dpteach.cli import main

    monkeypatch.setattr(slides, "executed", lambda demo, frames: slides.notebook(demo))
    texts, to = tmp_path / "texts", tmp_path / "to"
    texts.mkdir()
    small(texts)
    told = ["slides", "--demos", str(texts), "--to", str(to)]
    assert main([*told, "pure_dp_small"]) == 0
    (to / "explorers" / "0123456789abcdef").mkdir(parents=True)
    (to / "pure_dp_old.html").write_text("of a text that is gone", "utf-8")
    assert main(told) == 0
    assert {path.name for path in to.glob("*.html")} == {"index.html", "pure_dp_small.html"}
    assert not [*(to / "explorers").iterdir()]
    assert "A title" in (to / "index.html").read_text("utf-8")
    assert main([*told, "pure_dp_large"]) == 2
    assert "no demo has the name pure_dp_large" in capsys.readouterr().err


def test_a_cell_that_raises_ends_it(tmp_path: Path) -> None:
    demo = small(tmp_path, SMALL.replace("== 42", "== 43"))
    with pytest.raises(demos.DemoError, match=r"pure_dp_small: [^\x1b]*AssertionError"):
        slides.build([demo], tmp_path)


# --- the slides, opened as files, so that any request to a server would be seen ----------------


@pytest.fixture(scope="module")
def tab(browser: Browser) -> Page:
    """Return one tab for all slides, because opening a tab takes longer than showing them."""
    return browser.new_context(viewport={"width": 1280, "height": 720}).new_page()


@pytest.fixture
def opened(tab: Page) -> Iterator[Any]:
    asked: list[str] = []
    problems: list[str] = []
    listeners: dict[Any, Any] = {
        "request": lambda request: asked.append(request.url),
        "console": lambda m: m.type == "error" and problems.append(m.text),
        "pageerror": lambda error: problems.append(str(error)),
        "requestfailed": lambda request: problems.append(request.url),
    }
    for event, listener in listeners.items():
        tab.on(event, listener)

    def start(address: str) -> Page:
        tab.goto(address)
        tab.wait_for_function("window.Reveal && Reveal.isReady()")
        tab.evaluate("document.fonts.ready")
        return tab

    yield start
    own = tab.url.partition(":")[0]
    for event, listener in listeners.items():
        tab.remove_listener(event, listener)
    assert [url for url in asked if not url.startswith((f"{own}:", "data:", "about:"))] == []
    assert problems == []


def built(text: Path) -> Path:
    path = SLIDES / f"{text.stem}.html"
    if not path.is_file():
        pytest.fail(f"{path} is missing: run `make slides`")
    return path


#: JavaScript that returns the color of the slide's background and that of its text
COLOURS = """() => {
  const numbers = (text) => text.match(/\\d+/g).map(Number).slice(0, 3);
  const word = document.querySelector("section.present .text p");
  return [
    numbers(getComputedStyle(document.body).backgroundColor), numbers(getComputedStyle(word).color)
  ];
}"""

#: JavaScript that finds parts of the current slide that are cut off or reach the page number
OUTSIDE = """() => {
  const slide = Reveal.getCurrentSlide();
  return [...slide.querySelectorAll("*")]
    .filter((e) => !e.closest("aside, .dpteach-explorer-status, script, noscript"))
    // where a finger may miss the point that can be dragged; nothing is seen of it
    .filter((e) => !e.matches(".dpteach-explorer-handle"))
    .map((e) => [e, e.getBoundingClientRect()])
    .filter(([e, box]) => box.width && box.height)
    .filter(([e, box]) => box.left < 30 || box.right > 1250 || box.top < 20 || box.bottom > 695
      || (e.matches("pre") && e.scrollWidth > e.clientWidth))
    .map(([e, box]) => `${e.tagName}.${e.className} ${box.right} ${box.bottom}`);
}"""


@pytest.mark.slow
@pytest.mark.requires("chromium")
@each_demo
def test_slides_work_without_kernel_and_network(opened: Any, text: Path) -> None:
    demo = demos.read(text)
    page = opened(f"{built(text).as_uri()}?dark")
    dark = page.evaluate(COLOURS)
    page.keyboard.press("d")
    light = page.evaluate(COLOURS)
    assert [sum(dark[0]) < 90, sum(dark[1]) > 690] == [True, True]
    assert [sum(light[0]) > 690, sum(light[1]) < 90] == [True, True]
    assert page.evaluate("Reveal.getTotalSlides()") == len(demo.slides)
    moved = asked = 0
    for number, slide in enumerate(demo.slides):
        assert page.evaluate("Reveal.getIndices().h") == number
        current = page.locator("section.present section.present")
        assert current.locator("h1, h2").inner_text() == slide.heading
        assert current.get_attribute("data-timing") == f"{60 * slide.minutes:.0f}"
        assert current.locator("aside.notes").count() == 1
        if current.locator(".dpteach-explorer").count():
            moved += push(page)
        if current.locator(".question").count():
            asked += 1
            assert current.locator(".option.visible").count() == 0
            page.keyboard.press("ArrowRight")
            said = current.locator(".option.visible b").inner_text()
            assert said == demo.question.right.letter
        while page.evaluate("Reveal.availableFragments().next"):
            page.keyboard.press("ArrowRight")
        assert page.evaluate(OUTSIDE) == [], slide.heading
        page.keyboard.press("ArrowRight")
    assert moved and asked == 1


def push(page: Page) -> int:
    """Move a slide's sliders by keys, and unfold the answer; return the number of sliders."""
    explorer = page.locator("section.present section.present .dpteach-explorer")
    picture = explorer.locator("img")
    sliders = explorer.locator("input[type=range]")
    for which in range(sliders.count()):
        page.keyboard.press(str(which + 1))
        slider = sliders.nth(which)
        begins = slider.input_value() == slider.get_attribute("min")
        for key in ("End", "Home") if begins else ("Home", "End"):
            before = picture.get_attribute("alt")
            page.keyboard.press(key)
            page.wait_for_function(
                "([image, before]) => image.alt !== before && image.naturalWidth > 0",
                arg=[picture.element_handle(), before],
                timeout=20_000,
            )
    room, box = explorer.locator(".dpteach-explorer-room").bounding_box(), picture.bounding_box()
    assert room and box and room["height"] >= 450, "the words leave the picture too little room"
    spare = min(room["width"] - box["width"], room["height"] - box["height"])
    assert abs(spare) < 3, "the picture is as large as its room"
    page.keyboard.press("a")
    assert explorer.locator("details.dpteach-explorer-answer").get_attribute("open") is not None
    page.keyboard.press("Escape")
    assert not page.evaluate("document.activeElement.closest('.dpteach-explorer')")
    return sliders.count()


@pytest.mark.slow
@pytest.mark.requires("chromium")
def test_the_speaker_has_notes_and_the_list_has_all_demos(opened: Any) -> None:
    built(TEXTS[0])
    cells = demos.read(TEXTS[0]).cells
    asked = next(cell["slide"] for cell in cells if cell["kind"] == "question")
    server, address = serve_pages(SLIDES, "127.0.0.1", 18000)
    try:
        page = opened(f"{address}{TEXTS[0].stem}.html#/{asked}")
        with page.context.expect_page() as popup:
            page.keyboard.press("s")
        notes = popup.value.locator(".speaker-controls-notes .value")
        notes.get_by_text("If they are split.").wait_for()
        assert "Of a hundred hands expect" in notes.inner_text()
        # wait until the speaker's window shows how long the slide should take
        popup.value.locator(".pacing-title").wait_for()
        popup.value.close()
        listed = (SLIDES / "index.html").read_text("utf-8")
        assert re.findall(r'href="(\w+)\.html"', listed) == [d.name for d in demos.demos()]
    finally:
        server.shutdown()
        server.server_close()
