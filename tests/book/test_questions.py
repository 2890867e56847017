"""Tests of questions in a page: how they are written and built, and how readers answer them."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page
from sphinx.application import Sphinx

BOOK = Path(__file__).parents[2] / "book"

ONE = """How long?

- a month :: You may have *added up*.
- three years (right) :: 1,118 days, about $\\sqrt{k}$.
- never :: Privacy is spent.
"""
SEVERAL = """Which are notions?

- pure (right) :: The first.
- loud :: That is none.
- Rényi (right) :: A later one.
"""
NUMBER = """On which day?

- 188 ± 2 (right) :: Of the exact law.
- 11 :: That is the sum's.
- otherwise :: Look where the curve meets 3/4.
"""


def fenced(text: str) -> str:
    return f"```{{question}} {text}```\n"


def built(folder: Path, *texts: str, builder: str = "html") -> tuple[Path, str]:
    """Build a small book with the given questions; return its folder and the build's warnings."""
    source, out = folder / "source", folder / builder
    source.mkdir(exist_ok=True)
    (source / "conf.py").write_text("")
    questions = "\n".join(fenced(text) for text in texts)
    (source / "page.md").write_text(f"# A page\n\nText.\n\n{questions}\n## After\n\nEnd.\n")
    (source / "index.md").write_text(
        "# Contents\n\n```{progress}\n```\n\n```{toctree}\npage\n```\n"
    )
    warnings = io.StringIO()
    config: dict[str, Any] = {
        "extensions": ["myst_parser", "dpteach_questions"],
        "myst_enable_extensions": ["dollarmath"],
        "html_static_path": [str(BOOK / "_static")],
        # questions.js needs messages.js, which the extension `dpteach_face` adds in the real book
        "html_js_files": [("messages.js", {"defer": "defer", "priority": 450})],
        "html_theme": "basic",
    }
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(BOOK / "_ext"))
        app = Sphinx(
            str(source), str(source), str(out), str(folder / "trees"), builder,
            confoverrides=config, status=None, warning=warnings, freshenv=True,
        )  # fmt: skip
        app.build()
    # remove colors; and drop Sphinx's warnings about its own nodes, which appear when Sphinx runs
    # twice in one process
    said = re.sub(r"\x1b\[[0-9;]*m", "", warnings.getvalue()).splitlines(keepends=True)
    return out, "".join(line for line in said if "already registered" not in line)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("Why?\n", "its choices must be one list"),
        ("Why?\n\n- a (right) :: A.\n- b :: B.\n\nMore.\n", "one list, at its end"),
        ("\n- a (right) :: A.\n- b :: B.\n", "it asks nothing"),
        ("Why?\n\n- a :: A.\n- b :: B.\n", "none of its choices is marked (right)"),
        ("Why?\n\n- a (right) :: A.\n", "it has one choice only"),
        ("Why?\n\n- a (right) :: A.\n- b\n", "the choice 'b' has no feedback"),
        ("Why?\n\n- a (right) :: A.\n- b ::\n", "the choice 'b' has no feedback"),
        ("Why?\n\n- a (right) :: A.\n- :: B.\n", "a choice has no words before ::"),
        ("Why?\n\n- a (right) :: A.\n- a :: B.\n", "the choice 'a' stands there twice"),
        ("Why?\n\n- 1 (right) :: A.\n- ten :: B.\n- otherwise :: C.\n", "'ten' must be a number"),
        ("Why?\n\n- 1 (right) :: A.\n- 2 (right) :: B.\n- otherwise :: C.\n", "exactly one of its"),
        ("Why?\n\n- 1 :: A.\n- otherwise (right) :: C.\n", "exactly one of its numbers"),
        (
            "Why?\n\n- 10 ± 2 (right) :: A.\n- 13 ± 1 :: B.\n- otherwise :: C.\n",
            "10 ± 2 and 13 ± 1",
        ),
    ],
)
def test_a_malformed_question_is_an_error_of_the_build(text: str, why: str, tmp_path: Path) -> None:
    _, said = built(tmp_path, text)
    assert "ERROR: question: " in said
    assert why in said


def test_the_answers_stand_once_and_at_the_end(tmp_path: Path) -> None:
    out, said = built(tmp_path, ONE, SEVERAL, NUMBER)
    assert said == ""
    page = (out / "page.html").read_text("utf-8")
    assert page.count("Privacy is spent.") == 1
    assert page.index("Privacy is spent.") > page.index("After")
    asked = page[page.index('<form class="question"') : page.rindex("</form>")]
    asked = asked[: asked.index("question-answers")]
    assert [kind[1] for kind in re.finditer(r'type="(radio|checkbox|text)"', asked)] == (
        ["radio"] * 3 + ["checkbox"] * 3 + ["text"]
    )
    ids = re.findall(r'\bid="([^"]+)"', page)
    assert len(ids) == len(set(ids))
    for attribute in ("aria-labelledby", "aria-describedby", 'href="#'):
        for used in re.findall(rf'{attribute}="?#?([^" ]+)"', page):
            assert used in ids, used


def test_on_paper_questions_are_lists_and_answers_follow(tmp_path: Path) -> None:
    out, said = built(tmp_path, ONE, NUMBER, builder="text")
    assert said == ""
    page = (out / "page.txt").read_text("utf-8")
    assert page.index("three years") < page.index("After") < page.index("Answers to the questions")
    assert page.count("Privacy is spent.") == 1
    assert "188" not in page[: page.index("After")]
    assert "(right)" in page[page.index("Answers") :]


# --- in a browser ----------------------------------------------------------------------------


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return built(tmp_path_factory.mktemp("book"), ONE, SEVERAL, NUMBER)[0]


@pytest.fixture
def page(browser: Any, site: Path) -> Iterator[Page]:
    context = browser.new_context()
    opened = context.new_page()
    opened.on("pageerror", lambda error: pytest.fail(str(error)))
    opened.goto((site / "page.html").as_uri())
    yield opened
    context.close()


browsers = pytest.mark.requires("chromium")


@browsers
def test_one_choice_by_keyboard(page: Page) -> None:
    form = page.locator("form").nth(0)
    verdict = form.get_by_role("status")
    assert form.get_by_role("group", name="How long?").count() == 1
    form.get_by_role("radio", name="a month").focus()
    page.keyboard.press("Enter")
    assert verdict.inner_text() == "Choose an answer first."
    page.keyboard.press("Space")
    page.keyboard.press("Enter")
    assert verdict.inner_text().split("\n\n") == ["Not so.", "You may have added up."]
    page.keyboard.press("ArrowDown")
    assert verdict.inner_text() == "", "an old verdict is none on a new choice"
    page.keyboard.press("Enter")
    assert "Right." in verdict.inner_text()
    assert "1,118 days" in verdict.inner_text()
    assert not page.get_by_text("Answers to the questions").is_visible()


@browsers
def test_several_choices(page: Page) -> None:
    form = page.locator("form").nth(1)
    verdict, check = form.get_by_role("status"), form.get_by_role("button", name="Check")
    form.get_by_label("pure").check()
    check.click()
    assert "other right answers are missing" in verdict.inner_text()
    form.get_by_label("loud").check()
    check.click()
    assert "That is none." in verdict.inner_text()
    assert "The first." not in verdict.inner_text()
    form.get_by_label("loud").uncheck()
    form.get_by_label("Rényi").check()
    check.click()
    for words in ("Right.", "The first.", "A later one."):
        assert words in verdict.inner_text()


@browsers
def test_a_number_and_its_tolerance(page: Page) -> None:
    form = page.locator("form").nth(2)
    field = form.get_by_role("textbox", name="On which day?")
    for typed, said in (
        ("188", "Of the exact law."),
        ("190.0", "Of the exact law."),
        ("376/2", "Of the exact law."),
        ("1.88e2", "Of the exact law."),
        ("190.1", "Look where the curve"),
        ("11", "That is the sum's."),
        ("1,118", "Look where the curve"),
        ("many", "Type a number"),
        ("", "Type a number"),
    ):
        field.fill(typed)
        page.keyboard.press("Enter")
        verdict = form.get_by_role("status").inner_text()
        assert said.replace("'", "’") in verdict.replace("'", "’"), typed
        assert ("Right." in verdict) == (said == "Of the exact law."), typed


@browsers
def test_what_was_answered_is_kept_shown_and_forgotten(page: Page) -> None:
    first = page.locator("form").nth(0)
    first.get_by_label("three years").check()
    page.keyboard.press("Enter")
    page.locator("form").nth(2).get_by_role("textbox").fill("12")
    page.keyboard.press("Enter")
    page.reload()
    assert first.get_by_label("three years").is_checked()
    assert "1,118 days" in first.get_by_role("status").inner_text()
    chapter = page.url
    page.goto(chapter.replace("page.html", "index.html"))
    listed = page.locator(".question-progress li")
    assert listed.inner_text().split("\n")[-1].endswith("1 of 3 answered right")
    page.get_by_role("button", name="Forget my answers").click()
    assert listed.inner_text().endswith("3 questions")
    assert not page.get_by_role("button", name="Forget").is_visible()
    page.goto(chapter)
    assert not first.get_by_label("three years").is_checked()
    assert first.get_by_role("status").inner_text() == ""


@browsers
def test_on_paper_and_without_scripts_the_answers_are_listed(page: Page, browser: Any) -> None:
    title = "Answers to the questions"
    page.emulate_media(media="print")
    assert page.get_by_role("heading", name=title).is_visible()
    assert not page.get_by_role("button", name="Check").first.is_visible()
    context = browser.new_context(java_script_enabled=False)
    plain = context.new_page()
    plain.goto(page.url)
    assert plain.get_by_role("heading", name=title).is_visible()
    assert not plain.get_by_role("button", name="Check").first.is_visible()
    plain.get_by_role("link", name="Answer").first.click()
    assert plain.url.endswith("-answer")
    context.close()
