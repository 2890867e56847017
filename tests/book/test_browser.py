"""Tests of the built pages and JupyterLab in headless Chromium, as a reader meets them.

The book is served as static files in a subfolder of the site, and no other host can be reached.
"""

from __future__ import annotations

import html
import json
import math
import os
import re
import socket
import subprocess
import sys
import textwrap
import threading
import time
import urllib.request
from collections.abc import Callable, Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
import yaml
from playwright.sync_api import Browser, Locator, Page
from playwright.sync_api import TimeoutError as TimeOver

pytestmark = [pytest.mark.requires("chromium"), pytest.mark.slow]

ROOT = Path(__file__).parents[2]
HTML = ROOT / "_build" / "html"
AXE = ROOT / "book" / "node_modules" / "axe-core" / "axe.min.js"
PREFIX = "/a/sub-path/"


CONTENTS = yaml.safe_load((ROOT / "_toc.yml").read_text("utf-8"))


def documents() -> list[str]:
    """Return the names of all pages that `_toc.yml` lists."""
    found: list[str] = []

    def walk(node: object) -> None:
        if isinstance(node, dict):
            found.extend(node[key] for key in ("root", "file") if key in node)
            for value in node.values():
                walk(value)
        elif isinstance(node, list):
            for value in node:
                walk(value)

    walk(CONTENTS)
    return found


PAGES = documents()
CHAPTERS = [
    chapter["file"]
    for part in CONTENTS["parts"]
    if part.get("numbered")
    for chapter in part["chapters"]
]
REFERENCE = "book/reference/notions"
#: pages that are generated from docstrings and all look alike, so their accessibility is checked
#: only on a narrow screen
LIKE = [
    page
    for page in PAGES
    if page.startswith("book/reference/")
    # these two pages are checked on a wide screen, too, as examples; the second one has tables
    and page not in (REFERENCE, "book/reference/accountants")
]
#: the pages of which axe-core checks on a wide screen more than the contrast. For all other pages
#: it does so only on a narrow screen, because a page has nearly the same elements on both
TWICE = ("book/intro", CHAPTERS[0], REFERENCE)


class Host(ThreadingHTTPServer):
    # allow a long queue of requests: the browser requests dozens of files at once, most of which a
    # busy machine with the usual queue would refuse
    request_queue_size = 128


class Quiet(SimpleHTTPRequestHandler):
    """A request handler that serves the book's files below the path `PREFIX` and logs nothing."""

    def translate_path(self, path: str) -> str:
        if not path.startswith(PREFIX):
            return str(HTML / "no such file")
        return super().translate_path("/" + path.removeprefix(PREFIX))

    def log_message(self, *args: object) -> None:
        pass


@pytest.fixture(scope="module")
def site() -> Iterator[str]:
    if not (HTML / "index.html").is_file() or not AXE.is_file():
        pytest.fail(f"{HTML} or {AXE} is missing: run `make book`")
    server = Host(("127.0.0.1", 0), partial(Quiet, directory=str(HTML)))
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}{PREFIX}"
    server.shutdown()
    server.server_close()


class Visit:
    """An open page, and the errors that occurred on it."""

    def __init__(self, page: Page, address: str, allowed: str) -> None:
        self.asked: list[str] = []
        self.allowed = allowed
        self.problems: list[str] = []
        self.page = page
        self.listeners: dict[Any, Callable[[Any], object]] = {
            "request": lambda request: self.asked.append(request.url),
            "console": lambda m: m.type == "error" and self.problems.append(m.text),
            "pageerror": lambda error: self.problems.append(str(error)),
            "response": lambda r: r.status >= 400 and self.problems.append(r.url),
        }
        for event, listener in self.listeners.items():
            page.on(event, listener)
        page.goto(address)

    def leave(self) -> None:
        """Remove listeners and stored data from the tab, which is then used for the next page."""
        for event, listener in self.listeners.items():
            self.page.remove_listener(event, listener)
        self.page.evaluate("localStorage.clear(), sessionStorage.clear()")

    def foreign(self) -> list[str]:
        """Wait until the page makes no more requests; return its requests to other hosts.

        The method does not wait for the browser's own event "networkidle", which never comes if
        one response is lost.
        """
        known = -1
        while known < len(self.asked):
            known = len(self.asked)
            self.page.wait_for_timeout(500)
        return [url for url in self.asked if not url.startswith((self.allowed, "data:", "blob:"))]

    def rest(self) -> None:
        """Wait until the page has been drawn twice and has reacted to any change of its width."""
        self.page.evaluate(
            "() => new Promise((done) =>"
            " requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done))))"
        )


SCREEN = {"width": 1300, "height": 900}


@pytest.fixture
def visit(browser: Browser, site: str) -> Iterator[Any]:
    """Return a function that opens a page in a fresh browser context."""
    contexts = []

    def start(name: str, **options: Any) -> Visit:
        contexts.append(browser.new_context(**{"viewport": SCREEN, **options}))
        return Visit(contexts[-1].new_page(), f"{site}{name}.html", site)

    yield start
    for context in contexts:
        context.close()


@pytest.fixture(scope="module")
def tabs() -> dict[bool, Page]:
    """Return the tabs that `turn_to` reuses: under True with JavaScript, under False without."""
    return {}


@pytest.fixture
def turn_to(browser: Browser, site: str, tabs: dict[bool, Page]) -> Iterator[Any]:
    """Return a function that opens a page in a reused tab, which is faster for tests of all pages.

    The tab keeps nothing of the previous page, except for files in the browser's cache.
    """
    visits = []

    def start(
        name: str, *, viewport: Any = SCREEN, color_scheme: Any = "light", scripts: bool = True
    ) -> Visit:
        page = (
            tabs.pop(scripts, None) or browser.new_context(java_script_enabled=scripts).new_page()
        )
        page.set_viewport_size(viewport)
        page.emulate_media(color_scheme=color_scheme)
        visits.append((scripts, Visit(page, f"{site}{name}.html", site)))
        return visits[-1][1]

    yield start
    for scripts, each in visits:
        each.leave()
        tabs[scripts] = each.page


# --- every page ------------------------------------------------------------------------------


#: JavaScript that loads all pictures of a page and returns the width, description and URL of each
PICTURES = """
async () => {
  const found = [];
  for (const picture of document.querySelectorAll("main img")) {
    picture.scrollIntoView();
    await picture.decode();
    found.push([picture.naturalWidth, picture.alt.trim(), picture.getAttribute("src")]);
  }
  return found;
}
"""


#: JavaScript that returns the elements and pseudo-elements that use an icon font; none may exist,
#: because the site has no icon font: the build replaces icons by SVG drawings
UNDRAWN = """
() => {
  const found = [];
  for (const element of document.querySelectorAll("body, body *")) {
    const family = (name) => /^fa([srb]?$|-)/.test(name);
    if ([...element.classList].some(family)) found.push(element.outerHTML.slice(0, 200));
    for (const part of ["::before", "::after"]) {
      const { content, fontFamily } = getComputedStyle(element, part);
      const sign = /[\\ue000-\\uf8ff]/.test(content) || /Awesome/.test(fontFamily);
      if (!["none", "normal", '""'].includes(content) && sign) {
        found.push(`${part} of ${element.outerHTML.slice(0, 200)}`);
      }
    }
  }
  return found;
}
"""

#: JavaScript that returns the accessible names that several controls of an article share, and an
#: empty text for each control without a name
ALIKE = """
() => {
  const names = [...document.querySelectorAll("article :is(button, summary)")].map(
    (control) => (control.getAttribute("aria-label") || control.textContent).trim());
  return names.filter((name, i) => !name || names.indexOf(name) !== i);
}
"""


@pytest.fixture(scope="module")
def looks(everything: bool) -> set[str] | None:
    """Return an empty set, or None with --all: an argument of `grave`, the accessibility check.

    `grave` adds each combination of colors and font that has enough contrast to the set, and does
    not check it again. With None, it checks the contrast of every element.
    """
    return None if everything else set()


@pytest.mark.parametrize("name", [*PAGES, "search", "genindex", "prf-prf", "py-modindex"])
def test_a_page_is_whole_without_any_other_host_and_fits_and_is_accessible(
    turn_to: Any, name: str, looks: set[str] | None
) -> None:
    """A page has all its pictures, needs no other host, fits on all screens and is accessible.

    One test checks all of this, so that the page is loaded only once.
    """
    opened = turn_to(name, viewport={"width": 360, "height": 844})
    page = opened.page
    if name in CHAPTERS:
        formulas_have_their_font(page)
    for width in (360, 390):
        fits_on_a_telephone(opened, width)
        if name in CHAPTERS:
            fits_on_a_screen(page, width)
    page.set_viewport_size(SCREEN)
    opened.rest()
    if name in CHAPTERS:
        fits_on_a_screen(page, SCREEN["width"])
        assert page.evaluate(TOO_WIDE) == []
        formulas_are_drawn(page)
    for width, alt, address in page.evaluate(PICTURES):
        assert width > 0 and alt, address
    if name in PAGES:
        page_fits(page)
        if name not in LIKE:
            is_accessible(page, "light", looks, looks is None or name in TWICE)
        page.emulate_media(color_scheme="dark")
        page.set_viewport_size({"width": 390, "height": 900})
        is_accessible(page, "dark", looks)
    assert page.evaluate(UNDRAWN) == []
    assert page.evaluate(ALIKE) == []
    # press the button that switches between dark and light, because only then the theme requests
    # some files
    page.locator(".theme-switch-button").locator("visible=true").first.click()
    assert opened.foreign() == []
    assert opened.problems == []


def wears(page: Page, theme: str) -> None:
    # wait, because the theme's script replaces "auto" a moment after the page has loaded, and then
    # colors change gradually
    page.wait_for_function(
        "(theme) => document.documentElement.dataset.theme === theme"
        " && document.getAnimations().every((one) => one.playState !== 'running')",
        arg=theme,
    )


def is_accessible(page: Page, theme: str, looks: set[str] | None, structure: bool = True) -> None:
    wears(page, theme)
    assert grave(page, looks=looks, structure=structure) == []
    page_fits(page)


def page_fits(page: Page) -> None:
    """Check that the page is not wider than the screen."""
    overflow = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
    assert page.evaluate(overflow) <= 0


def formulas_are_drawn(page: Page) -> None:
    assert page.locator("article math").count() > 50
    assert page.locator("math merror, .temml-error").count() == 0
    text = page.locator("article").inner_text()
    for sign in ("\\(", "\\frac", "\\varepsilon", "$$"):
        assert sign not in text.replace("\\(\\", "")


#: all chapters; only every third is tested without the option --all, because the formulas and
#: explorers of all chapters are made by the same functions
SOME_CHAPTERS = [
    pytest.param(name, marks=pytest.mark.exhaustive if i % 3 else ())
    for i, name in enumerate(CHAPTERS)
]


@pytest.mark.parametrize("name", SOME_CHAPTERS)
def test_without_scripts_the_formulas_and_first_pictures_are_there(turn_to: Any, name: str) -> None:
    page = turn_to(name, scripts=False).page
    formulas_are_drawn(page)
    roots = page.locator(".dpteach-explorer").all()
    assert roots
    for root in roots:
        picture = root.locator("img")
        picture.scroll_into_view_if_needed()
        assert picture.is_visible()
        assert (picture.get_attribute("alt") or "").endswith(".")
        box = picture.bounding_box()
        assert box is not None
        assert box["height"] > 100
        assert re.search("needs? JavaScript", root.locator("noscript").inner_text())
        # without JavaScript nobody could move a slider, so it must be hidden
        for slider in root.locator("input").all():
            assert not slider.is_visible()


def fits_on_a_screen(page: Page, width: int) -> None:
    what_is_wider_scrolls_and_only_that_is_a_tab_stop(page, width)
    words_in_pictures_can_be_read(page)


#: JavaScript that returns the tables whose last column is cut off on a large screen
TOO_WIDE = (
    "[...document.querySelectorAll('article table')]"
    ".filter((e) => e.checkVisibility())"
    ".filter((e) => e.scrollWidth - e.parentElement.clientWidth > 1).map((e) => e.innerText)"
)


def formulas_have_their_font(page: Page) -> None:
    page.evaluate("document.fonts.ready")
    family = "getComputedStyle(document.querySelector('article math')).fontFamily"
    assert page.evaluate(family).startswith('"STIX Two Math"')
    assert page.evaluate("document.fonts.check('1em \"STIX Two Math\"', '\U0001d6fc\u2211\u221a')")


def what_is_wider_scrolls_and_only_that_is_a_tab_stop(page: Page, width: int) -> None:
    parts = page.evaluate(
        "[...document.querySelectorAll('div.math, div.highlight pre')]"
        ".filter((e) => e.checkVisibility())"
        ".map((e) => [e.scrollWidth - e.clientWidth > 1, e.tabIndex,"
        " e.classList.contains('has-more'), e.scrollLeft])"
    )
    assert parts
    for wide, stop, hint, left in parts:
        assert (stop == 0) == wide
        assert hint == wide
        assert left == 0
    assert page.locator("math[tabindex], math [tabindex]").count() == 0
    assert any(wide for wide, *_ in parts) or width > 390


def words_in_pictures_can_be_read(page: Page) -> None:
    scales = page.evaluate(
        "[...document.querySelectorAll('.figure-scroll img, .dpteach-explorer-picture')]"
        ".filter((e) => e.offsetParent)"
        ".map((e) => [e.closest('figure').id,"
        " e.getBoundingClientRect().width / e.getAttribute('width')])"
    )
    assert scales
    for figure, scale in scales:
        # in a picture of full size, letters have at least 12 points (see test_frames.py), which
        # are 16 pixels; on the screen they must have at least 12 pixels. Allow 0.01 pixels less,
        # because a border may take a fraction of a pixel
        assert scale * 12 * 4 / 3 >= 11.99, figure


#: JavaScript that finds the words that a table breaks in the middle, across two lines
BROKEN = """
() => {
  const found = [];
  for (const cell of document.querySelectorAll("article :is(td, th, table.indextable li)")) {
    if (!cell.checkVisibility()) continue;
    const walker = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
      const node = walker.currentNode, range = document.createRange();
      if (node.parentElement.closest("math")) continue;
      for (const { 0: word, index } of node.data.matchAll(/[\\p{L}\\p{N}]+/gu)) {
        range.setStart(node, index);
        range.setEnd(node, index + word.length);
        const tops = new Set([...range.getClientRects()].map((box) => Math.round(box.top)));
        if (tops.size > 1) found.push(word);
      }
    }
  }
  return found;
}
"""

#: JavaScript that finds elements, such as tables, that are cut off without a hint that they scroll
WITHOUT_HINT = """
() => [...document.querySelectorAll(
  "article :is(pre, .pst-scrollable-table-container, .wide-table, .figure-scroll, " +
    ".dpteach-explorer-room)")]
  .filter((part) => part.checkVisibility() && part.scrollWidth - part.clientWidth > 1)
  .filter((part) => {
    const hint = part.parentElement.querySelector(":scope > .scroll-hint:not([hidden])");
    return !(hint?.getBoundingClientRect().height > 10);
  })
  .map((part) => part.outerHTML.slice(0, 200))
"""


def fits_on_a_telephone(opened: Visit, width: int) -> None:
    page = opened.page
    page.set_viewport_size({"width": width, "height": 844})
    opened.rest()
    # unfold the folded assignments, so that their content is checked; the last line of this
    # function folds them again
    folded = page.evaluate_handle(
        "[...document.querySelectorAll('article details.assignment:not([open])')]"
    )
    unfold = "(folded, open) => folded.forEach((part) => { part.open = open; })"
    folded.evaluate(unfold, True)
    opened.rest()
    page_fits(page)
    assert page.evaluate(BROKEN) == []
    assert page.evaluate(WITHOUT_HINT) == []
    folded.evaluate(unfold, False)


#: JavaScript that returns, for each section, its text, whether each of its foldable parts is open,
#: and the first column of the table in the first foldable part
SECTIONS = """
() => [...document.querySelectorAll("article section:has(> h2)")].map((section) => {
  const folded = [...section.querySelectorAll("details.assignment")];
  const cells = folded[0]?.querySelectorAll("tbody td:first-child") ?? [];
  return [
    section.innerText, folded.map((part) => part.open), [...cells].map((cell) => cell.textContent),
  ];
})
"""


def test_the_assignments_are_found_within_eight_screens(visit: Any) -> None:
    page = visit("book/assignments", viewport={"width": 390, "height": 844}).page
    assert page.evaluate("document.documentElement.scrollHeight") <= 8 * 844
    sections = page.evaluate(SECTIONS)
    assert len(sections) > 10
    for words, opened, cells in sections[:-1]:
        assert 0 < words.index("Core: ") < words.index("Items")
        assert len(opened) == 2 and not opened[0]
        # a cell of the first column has an item's title, and after it the identifier in
        # parentheses
        assert cells
        for cell in cells:
            assert re.fullmatch(r"[^()]+.* \(\w+\)", cell.strip())


#: JavaScript that returns, for each wide table and figure, how far it extends beyond the text,
#: whether it overlaps the list of contents, how far it leaves the screen, and how much of it is
#: cut off
BESIDE = """
async () => {
  const found = [];
  const text = document.querySelector("article section > p").getBoundingClientRect().right;
  const contents = document.querySelector(".bd-sidebar-secondary > *");
  for (const part of document.querySelectorAll(".beside")) {
    if (!part.checkVisibility()) continue;
    part.scrollIntoView({ block: "center" });
    for (let i = 0; i < 3; i++) await new Promise(requestAnimationFrame);
    const own = part.getBoundingClientRect(), other = contents?.getBoundingClientRect();
    const seen = Boolean(contents?.checkVisibility({ visibilityProperty: true }));
    const apart = own.right <= other?.left || own.top >= other?.bottom || own.bottom <= other?.top;
    const outside = own.right - document.documentElement.clientWidth;
    const middle = (Math.max(own.top, 0) + Math.min(own.bottom, innerHeight)) / 2;
    const covered = !part.contains(document.elementFromPoint(own.right - 4, middle));
    const cut = part.scrollWidth - part.clientWidth;
    found.push([own.right - text, covered || (seen && !apart), outside, cut]);
  }
  return found;
}
"""


@pytest.mark.parametrize(
    "name", ["book/sources", "book/divergences", "book/instructors", "book/reference/accountants"]
)
def test_what_is_wide_stands_in_the_third_beside_the_text(turn_to: Any, name: str) -> None:
    opened = turn_to(name)
    for width in (1200, 1280, 1440):
        opened.page.set_viewport_size({"width": width, "height": 800})
        opened.rest()
        found = opened.page.evaluate(BESIDE)
        assert max(beyond for beyond, *_ in found) > 100
        for _, meets, outside, cut in found:
            assert not meets
            assert outside <= 0
            assert cut <= 1


#: JavaScript that groups elements by the color, size and weight of their letters and by their
#: background, which determine the contrast. `told` lists the names of the groups whose contrast is
#: known to suffice. The result has the names of all other groups on the page, and the first and the
#: last element of each
LOOKS = """
(told) => {
  const behind = new Map(), looks = new Map();
  const ground = (element) => {
    if (!element) return "";
    if (!behind.has(element)) {
      const s = getComputedStyle(element), around = ground(element.parentElement);
      const paint = [s.backgroundColor, s.backgroundImage, s.opacity, s.filter, s.mixBlendMode];
      behind.set(element, around.endsWith(`|${paint}`) ? around : `${around}|${paint}`);
    }
    return behind.get(element);
  };
  const without = ":not(math, math *, script, style)";
  for (const element of document.querySelectorAll(`body ${without}`)) {
    const words = [...element.childNodes].some((n) => n.nodeType === 3 && n.data.trim());
    if (!words && !element.matches("input, button, select, textarea")) continue;
    const s = getComputedStyle(element);
    const letters = [s.color, s.fontSize, s.fontWeight, s.textShadow, s.visibility];
    const look = `${innerWidth}${element.tagName}${letters}${ground(element)}`;
    const known = looks.get(look);
    looks.set(look, known ? [known[0], element] : [element]);
  }
  const fresh = [...looks].filter(([look]) => !told.includes(look));
  return { names: fresh.map(([look]) => look), elements: fresh.flatMap(([, some]) => some) };
}
"""

#: JavaScript that replaces formulas by their text, because checking their thousands of elements
#: takes long
EMPTY_FORMULAS = """
() => {
  for (const math of document.querySelectorAll("math")) math.replaceChildren(math.textContent);
}
"""

#: JavaScript that checks a page by those rules of axe-core whose violation is serious or critical
GRAVE = """
async ([part, sampled, structure]) => {
  const grave = ["critical", "serious"], contrast = "color-contrast";
  const rules = axe._audit.rules.filter((rule) => !rule.impact || grave.includes(rule.impact));
  const names = rules.filter((rule) => rule.enabled).map((rule) => rule.id);
  if (!names.includes(contrast)) throw new Error(names);
  const ask = (include, values) => axe.run(
    {include},
    {runOnly: {type: "rule", values}, resultTypes: ["violations"]},
  );
  const rest = names.filter((name) => name !== contrast), found = [];
  if (!sampled) found.push(await ask(part, names));
  if (sampled && structure) found.push(await ask(part, rest));
  if (sampled?.length) found.push(await ask(sampled, [contrast]));
  return found.flatMap((all) => all.violations.filter((v) => grave.includes(v.impact)));
}
"""


def grave(
    page: Page, part: str = "html", looks: set[str] | None = None, structure: bool = True
) -> list[str]:
    """Return the serious problems that axe-core finds in an element of the page.

    Parameters
    ----------
    looks
        The looks (combinations of colors and font) whose contrast is known to suffice. To save
        time, the contrast is checked only for looks that are not in this set, on two elements of
        each; a formula counts as one element. If the page has no problem, these looks are added to
        the set. If None, the contrast of every element is checked.
    structure
        Whether to check axe-core's other rules, too; if `looks` is None, they are always checked.
    """
    page.evaluate(AXE.read_text("utf-8"))
    sampled, names = None, list[str]()
    if looks is not None:
        page.evaluate(EMPTY_FORMULAS)
        fresh = page.evaluate_handle(LOOKS, sorted(looks))
        sampled, names = fresh.get_property("elements"), fresh.get_property("names").json_value()
    found = [
        f"{v['id']} ({v['impact']}): {v['help']}: {[node['html'][:200] for node in v['nodes']]}"
        for v in page.evaluate(GRAVE, [part, sampled, structure])
    ]
    if looks is not None and not found:
        looks.update(names)
    return found


#: changes that damage an article's accessibility, each with the rule of axe-core that must report
#: the damage
BAD = [
    ("page.style.background = '#333'", "color-contrast"),
    ("page.querySelectorAll('p')[1].style.color = '#bbb'", "color-contrast"),
    ("page.querySelectorAll('p')[1].style.opacity = 0.3", "color-contrast"),
    ("page.querySelector('p').innerHTML = '<button></button>'", "button-name"),
    ("page.querySelector('p').setAttribute('aria-checked', 'true')", "aria-allowed-attr"),
]


def test_a_sample_finds_what_is_bad(visit: Any) -> None:
    page = visit("book/reference/curves", color_scheme="light").page
    # `grave` checks the contrast only of combinations of colors and font that are not in `looks`,
    # to which it adds those of the undamaged page; damage makes a new combination, which is checked
    looks = set[str]()
    assert grave(page, looks=looks) == [] and looks
    page.evaluate("kept = document.querySelector('article').cloneNode(true)")
    for change, found in BAD:
        page.evaluate(f"const page = document.querySelector('article'); {change}")
        assert {text.partition(" ")[0] for text in grave(page, looks=looks)} == {found}
        page.evaluate("document.querySelector('article').replaceWith(kept.cloneNode(true))")


def test_the_contents_in_a_telephone_s_drawer_are_accessible(visit: Any) -> None:
    page = visit(REFERENCE, color_scheme="light", viewport={"width": 390, "height": 900}).page
    page.locator(".primary-toggle").locator("visible=true").first.click()
    drawer = page.locator("dialog[open]")
    drawer.get_by_role("link", name="Notions").wait_for()
    assert drawer.locator("summary").get_attribute("aria-label") == "Pages of Reference"
    assert page.evaluate(UNDRAWN) == []
    for theme in ("light", "dark"):
        page.emulate_media(color_scheme=theme)
        wears(page, theme)
        assert grave(page, "dialog[open]") == []


#: JavaScript that finds buttons without words and without a drawing
EMPTY = """
() => [...document.querySelectorAll("button")].filter((button) => {
  if (!button.checkVisibility() || button.innerText.trim()) return false;
  const drawing = [...button.querySelectorAll("svg")].find((one) => one.checkVisibility());
  return !drawing || drawing.getBoundingClientRect().width < 12;
}).map((button) => button.outerHTML)
"""


@pytest.mark.parametrize("width", [390, 820])
def test_every_button_of_a_telephone_and_a_tablet_is_drawn(visit: Any, width: int) -> None:
    page = visit(CHAPTERS[0], viewport={"width": width, "height": 900}).page
    for opener in (".primary-toggle", ".secondary-toggle", ".search-button__button"):
        button = page.locator(opener).locator("visible=true").first
        if not button.count():  # skip a button that exists only on tablets
            continue
        button.click()
        page.wait_for_timeout(400)
        assert (page.evaluate(EMPTY), page.evaluate(UNDRAWN)) == ([], [])
        page.keyboard.press("Escape")
        # closing a menu must return the focus to the button that opened it
        assert button.evaluate("(button) => button === document.activeElement")
        # remove the button's tooltip, which would cover the next button
        button.blur()
        page.mouse.move(width / 2, 600)


#: JavaScript that finds controls that look the same with and without the keyboard focus
WITHOUT_RING = """
() => [...document.querySelectorAll(
  "button, summary, input, [role=slider], [tabindex='0'], a[href]")].filter((control) => {
  if (!control.checkVisibility() || control.disabled) return false;
  const look = () => [control, control.closest("form")].map((part) => {
    const { outline, boxShadow } = getComputedStyle(part || control);
    return outline + boxShadow;
  }).join();
  const before = look();
  control.focus({ focusVisible: true, preventScroll: true });
  const seen = look() !== before && Number(getComputedStyle(control).opacity) > 0.9;
  const reached = document.activeElement === control;
  control.blur();
  return reached && !seen;
}).map((control) => control.outerHTML.slice(0, 200))
"""


@pytest.mark.parametrize("name", [CHAPTERS[1], REFERENCE, "search"])
def test_every_control_shows_the_focus(visit: Any, name: str) -> None:
    page = visit(name, reduced_motion="reduce").page
    assert page.evaluate(WITHOUT_RING) == []


def test_a_solution_s_button_says_of_which_exercise(visit: Any) -> None:
    page = visit(CHAPTERS[1]).page
    buttons = page.locator("article button.toggle-button").all()
    assert len(buttons) >= 4
    for button in buttons:
        title = button.evaluate("(b) => b.closest('.admonition-title').innerText").strip()
        assert title.startswith("Solution to Exercise ")
        assert button.get_attribute("aria-label") == title


def test_a_console_s_copy_is_the_command_alone(visit: Any) -> None:
    opened = visit("book/instructors", permissions=["clipboard-read", "clipboard-write"])
    page = opened.page
    block = page.locator("div.highlight-console", has_text="$ mkdir /tmp/demo").first
    button, code = block.locator("button").element_handle(), block.locator("pre").element_handle()
    block.hover()
    button.click()
    copied = page.evaluate("navigator.clipboard.readText()")
    assert copied.startswith("mkdir /tmp/demo\ncp -r ")
    # from code with prompts, the copy button must copy only the commands after the prompts; code
    # without prompts is copied whole
    for prompts, commands in [
        ("$ dpteach a\nit says so\n\n$ b \\\n    --more\n", "dpteach a\nb \\\n    --more"),
        (">>> f(1)\n2\n>>> def g():\n...     return 1\n...\n>>> g()\n1\n",
         "f(1)\ndef g():\n    return 1\n\ng()"),
        ("x = 1\n\ny = 2\n", "x = 1\n\ny = 2"),
    ]:  # fmt: skip
        code.evaluate("(pre, text) => (pre.textContent = text)", prompts)
        button.click()
        assert page.evaluate("navigator.clipboard.readText()").rstrip("\n") == commands


#: JavaScript that makes the page's storage raise an error, as in a browser that blocks cookies
BLOCKED = """
for (const name of ["localStorage", "sessionStorage"]) {
  Object.defineProperty(window, name, {
    configurable: true,
    get() { throw new DOMException("Access is denied for this document.", "SecurityError"); },
  });
}
"""


def test_without_storage_everything_works_and_nothing_is_remembered(visit: Any, site: str) -> None:
    opened = visit(CHAPTERS[0], color_scheme="light")
    page = opened.page
    page.add_init_script(BLOCKED)
    page.reload()
    page.keyboard.press("Control+k")
    page.locator("#pst-search-dialog input").wait_for()
    page.keyboard.press("Escape")
    page.locator(".theme-switch-button").locator("visible=true").first.click()
    wears(page, "dark")
    page.reload()
    wears(page, "light")
    page.goto(f"{site}search.html?q=hockey")
    page.locator("#search-results p.context").first.wait_for()
    assert opened.problems == []


def test_in_a_frame_that_is_shut_off_a_search_finds_pages(visit: Any, site: str) -> None:
    opened = visit("search")
    page = opened.page
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.set_content(f'<iframe sandbox="allow-scripts" src="{site}search.html?q=renyi"></iframe>')
    page.frame_locator("iframe").locator("#search-results .search-page").first.wait_for()
    assert page.frame_locator("iframe").locator("#search-results li").count() > 5
    assert errors == []


def test_a_printed_chapter_begins_at_the_top_of_its_page(visit: Any) -> None:
    page = visit(CHAPTERS[1]).page
    page.emulate_media(media="print")
    assert not page.locator("#jb-print-docs-body").is_visible()
    box = page.locator("article h1").bounding_box()
    assert box and box["y"] < 150


def test_a_solution_opens_by_a_click_anywhere_on_its_title(visit: Any) -> None:
    started = visit("book/renyi_dp", color_scheme="light")
    title = started.page.locator(".solution.toggle > .admonition-title").first
    here = title.evaluate("title => title.querySelector('a').offsetLeft - title.offsetLeft")
    address = started.page.url
    for opened in (True, False):
        title.click(position={"x": here + 5, "y": 10})
        hidden = title.evaluate("title => title.parentElement.classList.contains('toggle-hidden')")
        assert hidden is not opened
    assert started.page.url == address and started.problems == []


def test_a_name_that_a_link_has_led_to_can_be_read(visit: Any) -> None:
    page = visit(REFERENCE, color_scheme="light").page
    link = page.locator("dt.sig:has(.default_value) > a.headerlink").first
    page.goto(page.url + str(link.get_attribute("href")))
    assert page.locator("dt:target").count() == 1
    for theme in ("light", "dark"):
        page.emulate_media(color_scheme=theme)
        wears(page, theme)
        assert grave(page, "dt:target") == []


def test_the_theme_button_makes_the_page_dark(visit: Any) -> None:
    page = visit(PAGES[0], color_scheme="light").page
    button = page.get_by_role("button", name="Color mode").locator("visible=true").first

    def background() -> str:
        return str(page.evaluate("getComputedStyle(document.body).backgroundColor"))

    seen = {background()}
    for _ in range(3):
        button.click()
        page.wait_for_timeout(300)
        seen.add(background())
    assert "rgb(255, 255, 255)" in seen
    assert len(seen) == 2
    # the button must keep the focus after the keyboard presses it, so that it can be pressed again
    button.focus()
    modes = []
    for _ in range(3):
        page.keyboard.press("Enter")
        modes.append(page.evaluate("document.documentElement.dataset.mode"))
    assert sorted(modes) == ["auto", "dark", "light"]


def test_a_search_shows_the_words_around_what_was_found(visit: Any, site: str) -> None:
    page = visit("search").page
    page.goto(f"{site}search.html?q=hockey")
    results(page)
    places = page.locator("#search-results li li").all_inner_texts()
    assert len(places) > 3
    assert all("hockey" in place.lower() for place in places)
    for text in page.locator("#search-results p.context").all_inner_texts():
        assert len(text) > 40
        assert "\n" not in text
        assert ".md" not in text
    marks = page.locator("#search-results mark").all_inner_texts()
    assert {mark.lower() for mark in marks} <= {"hockey", "hockey-stick", "hockey stick"}


def results(page: Page) -> list[str]:
    links = page.locator("#search-results .search-page")
    links.first.wait_for()
    return links.all_inner_texts()


def test_a_search_takes_letters_without_their_accents(visit: Any, site: str) -> None:
    page = visit("search").page
    found = []
    for query in ("renyi divergence", "Rényi divergence"):
        page.goto(f"{site}search.html?q={query}")
        found.append(results(page))
    assert found[0] == found[1]
    assert any("Rényi" in title for title in found[0])


def test_what_was_looked_for_is_marked_on_the_page_that_was_found_and_on_no_other(
    visit: Any, site: str
) -> None:
    page = visit("search").page
    page.goto(f"{site}search.html?q=renyi")
    results(page)
    page.goto(f"{site}{CHAPTERS[0]}.html")
    page.wait_for_timeout(100)
    assert page.locator(".highlighted, .highlight-link").count() == 0
    page.goto(f"{site}search.html?q=renyi")
    results(page)
    page.locator("#search-results").get_by_role("link", name="Rényi differential").first.click()
    page.locator("article .highlighted", has_text="Rényi").first.wait_for()
    assert page.get_by_text("Hide Search Matches").is_visible()


def test_a_search_leads_to_a_theorem_and_begins_anew_as_the_reader_types(
    visit: Any, site: str
) -> None:
    opened = visit("search")
    page = opened.page
    page.goto(f"{site}search.html?q=renyi")
    results(page)
    field = page.locator(".bd-search-container input")
    assert field.input_value() == "renyi"
    field.fill("parallel composition")
    theorem = page.locator("#search-results .search-place", has_text="Parallel composition").first
    theorem.wait_for()
    assert page.url.endswith("?q=parallel+composition")
    assert re.match(r"Theorem [\d.]+ Parallel composition", theorem.inner_text())
    theorem.click()
    assert page.url.endswith("#thm-parallel")
    assert opened.problems == []


def test_the_field_over_a_page_finds_by_the_keyboard_and_loads_the_index_only_then(
    visit: Any,
) -> None:
    opened = visit(CHAPTERS[1])
    page = opened.page
    page.keyboard.press("Control+k")
    page.locator("#pst-search-dialog input").wait_for()
    opened.foreign()
    assert not any("search" in address for address in opened.asked)
    page.keyboard.type("hockey stik")
    page.locator(
        ".search-quick .search-status", has_text="hockey stik”, read as “stick”"
    ).wait_for()
    assert sum("search_index.js" in address for address in opened.asked) == 1
    # the focus moves from the search field to the first result and back to the field. There,
    # ArrowUp has no effect, and ArrowDown moves the focus to the first result again
    for key in ("ArrowDown", "ArrowUp", "ArrowUp", "ArrowDown"):
        page.keyboard.press(key)
    page.keyboard.press("Enter")
    page.wait_for_url(re.compile("#"))
    assert page.url.endswith("#def-hockey-stick")
    assert opened.problems == []


def test_escape_closes_the_field_over_a_page_from_every_place(visit: Any) -> None:
    page = visit(CHAPTERS[1]).page
    dialog = page.locator("#pst-search-dialog")
    for key in ("ArrowDown", "Tab"):
        # remove the results of the first search, so that the test waits for those of the second
        # search
        page.reload()
        page.keyboard.press("Control+k")
        dialog.locator("input").wait_for()
        dialog.locator("input").fill("hockey stick")
        page.locator(".search-quick .search-place").first.wait_for()
        page.keyboard.press(key)
        page.keyboard.press("Escape")
        dialog.wait_for(state="hidden")


def test_a_search_marks_only_the_part_that_it_leads_to(visit: Any, site: str) -> None:
    page = visit(CHAPTERS[1]).page
    page.goto(f"{site}book/divergences.html?highlight=divergence+stick#def-hockey-stick")
    page.locator("#def-hockey-stick .highlighted").first.wait_for()
    marks = page.locator(".highlighted").count()
    assert marks == page.locator("#def-hockey-stick .highlighted").count()
    assert page.url.endswith("divergences.html#def-hockey-stick")
    page.goto(f"{site}book/divergences.html?highlight=divergence")
    page.locator("article .highlighted").first.wait_for()
    assert page.locator("article section section .highlighted").count() == 0


@pytest.mark.parametrize("width", [390, 1280])
def test_a_link_to_a_formula_shows_its_row_alone_below_the_bar(
    visit: Any, site: str, width: int
) -> None:
    page = visit("book/intro", viewport={"width": width, "height": 900}).page
    for name in ("look-zcdp", "look-sparse-vector", "look-subsampled"):
        page.goto(f"{site}book/look_it_up.html#{name}")
        row = page.locator(f"tr#{name}:target")
        page.wait_for_function(
            "name => document.getElementById(name).getBoundingClientRect().top < 100", arg=name
        )
        bar, box = page.locator(".bd-header-article").bounding_box(), row.bounding_box()
        assert bar and box
        below = box["y"] - bar["y"] - bar["height"]
        assert 0 <= below < (10 if width > 1000 else 30)
        colors = "row => [row, row.nextElementSibling].map("
        colors += "(one) => getComputedStyle(one.cells[0]).backgroundColor)"
        assert len(set(row.evaluate(colors))) == 2


@pytest.mark.parametrize("width", [390, 1300])
def test_what_a_search_shows_can_be_read_by_all(visit: Any, site: str, width: int) -> None:
    page = visit("search", viewport={"width": width, "height": 800}, color_scheme="light").page
    page.goto(f"{site}search.html?q=privacy loss")
    results(page)
    for theme in ("light", "dark"):
        page.emulate_media(color_scheme=theme)
        wears(page, theme)
        assert grave(page, "#search-results") == []
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    page.locator("#search-results").get_by_role("button", name="Show all").click()
    assert page.locator("#search-results .search-page").count() > 10


def test_the_magnifier_stands_beside_the_letters(visit: Any) -> None:
    page = visit("search").page
    icon = page.locator("article, .bd-search-container").locator(".bd-search .icon").bounding_box()
    field = page.locator(".bd-search-container .bd-search input").bounding_box()
    assert icon and field and icon["x"] + icon["width"] <= field["x"]


@pytest.mark.parametrize(("width", "height"), [(1280, 900), (390, 844)])
def test_the_first_screen_says_what_this_is_and_where_to_go(
    visit: Any, width: int, height: int
) -> None:
    page = visit(
        "book/intro", viewport={"width": width, "height": height}, reduced_motion="reduce"
    ).page
    article = page.locator("article")
    where = {
        "Start chapter 1": "removing_names.html",
        "Learn": "#front-chapters",
        "Look something up": "look_it_up.html",
        "Teach": "instructors.html",
    }
    links = article.locator(".front-ways").get_by_role("link")
    assert {link.inner_text(): link.get_attribute("href") for link in links.all()} == where
    sentence = article.locator(".front-lead p")
    assert sentence.inner_text().count(".") == 1
    for seen in (sentence, *links.all(), article.locator(".dpteach-explorer-picture")):
        box = seen.bounding_box()
        assert box and box["y"] >= 0 and box["y"] + box["height"] <= height
    article.get_by_role("link", name="Look something up").click()
    page.locator(".look-jumps").get_by_role("link", name="zCDP").click()
    row = page.locator("#look-zcdp").bounding_box()
    assert row and 0 < row["y"] < height / 2


@pytest.mark.parametrize("width", [390, 1280])
def test_a_term_says_what_it_means_to_mouse_and_keyboard(visit: Any, width: int) -> None:
    page = visit("book/intro", viewport={"width": width, "height": 800}).page
    term = page.locator("article").get_by_role("link", name="privacy loss").first
    assert term.get_attribute("href") == "glossary.html#term-privacy-loss"
    tip = page.locator(f"#{term.get_attribute('aria-describedby')}")
    assert not tip.is_visible()
    term.focus()
    assert tip.is_visible()
    assert "logarithm of the ratio" in tip.inner_text()
    box = tip.bounding_box()
    assert box and box["x"] >= 0 and box["x"] + box["width"] <= width
    page.keyboard.press("Escape")
    assert not tip.is_visible()
    term.hover()
    assert tip.is_visible()


#: JavaScript that returns three lists, each with the address of at most one section: the section
#: that the list of contents highlights for the eye, the section that it marks for screen readers,
#: and the last section whose heading is in the upper third of the screen or further up
MARKED = """
() => {
  const marked = (how) =>
    [...document.querySelectorAll(`#pst-page-toc-nav a${how}`)].map((link) => link.hash);
  const begun = [...document.querySelectorAll("article section[id] > :is(h2, h3)")]
    .filter((heading) => heading.getBoundingClientRect().top < innerHeight / 3)
    .map((heading) => `#${heading.parentElement.id}`);
  return [marked(".active"), marked("[aria-current=true]"), begun.slice(-1)];
}
"""

#: JavaScript that returns whether a link's section is at the top of the screen, or is visible
#: further down because the page cannot be scrolled any more
LED = """
(link) => {
  const top = document.querySelector(link).getBoundingClientRect().top;
  const rest = document.documentElement.scrollHeight - innerHeight - scrollY;
  return top >= 0 && (top < 100 || (rest < 1 && top < innerHeight));
}
"""


@pytest.mark.parametrize(
    ("name", "height", "motion"),
    [("book/zcdp", 800, "no-preference"), ("book/renyi_dp", 1200, "reduce")],
)
def test_the_contents_mark_the_section_that_is_read(
    visit: Any, name: str, height: int, motion: str
) -> None:
    opened = visit(name, viewport={"width": 1280, "height": height}, reduced_motion=motion)
    page = opened.page
    contents = page.locator("#pst-page-toc-nav a")
    links = [str(link.get_attribute("href")) for link in contents.all()]

    def are_marked(expected: list[str] | None = None) -> list[str]:
        opened.rest()
        seen, said, begun = page.evaluate(MARKED)
        assert seen == said == (begun if expected is None else expected)
        return list(seen)

    def scroll(step: int) -> bool:
        """Scroll by `step` pixels; return whether the page could be scrolled that far."""
        before = page.evaluate("scrollY")
        page.evaluate("(top) => scrollBy({top, behavior: 'instant'})", step)
        return bool(page.evaluate("scrollY") - before == step)

    # scroll by nearly a whole screen at a time: even if a section's heading is never at the top of
    # the screen, the right entries must be marked
    assert are_marked() == []
    passed = []
    while scroll(700):
        passed += are_marked()
    assert len(set(passed)) > len(links) / 2
    are_marked(links[-1:])
    while scroll(-700):
        are_marked()
    assert are_marked() == []
    scroll(1_000_000)
    are_marked(links[-1:])

    # in the list of contents, click the links to a section in the middle, the last two sections and
    # the first section, and after each click scroll up. The clicked link must be marked even if the
    # page is too short for its section to be at the top of the screen
    for which in (len(links) // 2, -2, -1, 0):
        while not contents.nth(which).is_visible() and scroll(-300):
            # scroll until the list of contents appears, which is hidden while a wide element is
            # beside it
            opened.rest()
        contents.nth(which).click()
        page.wait_for_function(LED, arg=links[which])
        are_marked([links[which]])
        scroll(-700)
        are_marked()

    # open all folded elements: this moves the sections below them. Although the page is not
    # scrolled, another entry in the list of contents must then be highlighted
    page.evaluate("document.body.style.overflowAnchor = 'none'")
    page.evaluate("(link) => document.querySelector(link).scrollIntoView()", links[len(links) // 2])
    page.wait_for_function(LED, arg=links[len(links) // 2])
    before = are_marked()
    page.evaluate(
        "document.querySelectorAll('article details').forEach((fold) => fold.open = true)"
    )
    assert are_marked() != before


def test_an_old_address_leads_to_the_page_and_the_section(visit: Any, site: str) -> None:
    page = visit("book/05_renyi_dp").page
    page.goto(f"{site}book/05_renyi_dp.html#renyi-conversion")
    page.wait_for_url(f"{site}book/renyi_dp.html#renyi-conversion")
    page.goto(f"{site}book/budgets.html#budgets-price")
    page.wait_for_url(f"{site}book/filters.html#filters-price")


# --- explorers on a page ---------------------------------------------------------------------


def explorers(page: Page) -> list[tuple[Locator, dict[str, Any]]]:
    # an explorer (a figure with sliders) may be in the folded solution of an exercise, so unfold
    # everything
    page.evaluate(
        "for (const part of document.querySelectorAll('article .toggle-hidden'))"
        " part.classList.remove('toggle-hidden')"
    )
    roots = page.locator(".dpteach-explorer").all()
    return [(root, json.loads(root.locator("script").text_content() or "")) for root in roots]


def drawn(data: dict[str, Any]) -> Callable[[int], tuple[str, str]]:
    """Return a function that maps the number of an explorer's picture to it and its description.

    An explorer is a figure with sliders. It has one picture for each combination of the sliders'
    values; `data` names the file of the built site that contains the pictures.
    """
    script = HTML / "_static" / "explorers" / data["frames"] / "frames.js"
    held = json.loads(script.read_text("utf-8").partition(",")[2].removesuffix(");\n"))

    def frame(number: int) -> tuple[str, str]:
        runs = held["frames"][number]
        pairs = zip(runs[::2], runs[1::2], strict=True)
        picture = "".join("".join(held["pieces"][a : b + 1]) for a, b in pairs)
        sentence = re.search(r"<dc:description>(.*?)</dc:description>", picture, re.DOTALL)
        assert sentence
        return picture, html.unescape(sentence[1])

    return frame


def shows(
    root: Locator,
    data: dict[str, Any],
    places: list[int],
    frames: Callable[[int], tuple[str, str]],
) -> None:
    """Wait until an explorer (a figure with sliders) shows the picture for the positions `places`.

    `frames` is the result of `drawn`, which maps the picture's number to it and its description.
    """
    frame = 0
    for place, slider in zip(places, data["sliders"], strict=True):
        frame = frame * len(slider["texts"]) + place
    root.page.wait_for_function(
        """async ([image, picture, sentence]) => {
          if (image.alt !== sentence) return false;
          const shown = image.src.startsWith("data:")
            ? decodeURIComponent(image.src.slice(image.src.indexOf(",") + 1))
            : await (await fetch(image.src)).text();
          if (shown !== picture) return false;
          // a picture that is replaced meanwhile is looked at again
          return image.decode().then(() => image.naturalWidth > 0, () => false);
        }""",
        arg=[root.locator("img").element_handle(), *frames(frame)],
        timeout=20_000,
    )


#: for each key, by how many positions it moves a slider whose positions are 0 to `last`, unless an
#: end of the slider stops the move
KEYS = {
    "Home": lambda last: -last,
    "ArrowRight": lambda last: 1,
    "ArrowUp": lambda last: 1,
    "ArrowLeft": lambda last: -1,
    "End": lambda last: last,
    "PageDown": lambda last: -max(1, round(last / 10)),
    "PageUp": lambda last: max(1, round(last / 10)),
    "ArrowDown": lambda last: -1,
}


@pytest.mark.parametrize("name", CHAPTERS)
def test_an_explorer_has_a_picture_for_each_state(site: str, name: str) -> None:
    page = (HTML / f"{name}.html").read_text("utf-8")
    found = re.findall(
        r'<div class="dpteach-explorer"[^>]*>\s*<script type="application/json">(.*?)</script>',
        page,
        re.DOTALL,
    )
    assert found, "a chapter has at least one explorer"
    for data in map(json.loads, found):
        states = math.prod(len(slider["texts"]) for slider in data["sliders"])
        frames = drawn(data)
        for number in (0, states - 1):
            assert all(frames(number))
        with pytest.raises(IndexError):
            frames(states)


#: every second chapter; the other chapters are tested with --all only, because the same script
#: moves the explorers (figures with sliders) of all chapters
HALF_OF_THE_CHAPTERS = [
    pytest.param(name, marks=pytest.mark.exhaustive if i % 2 else ())
    for i, name in enumerate(CHAPTERS)
]


@pytest.mark.parametrize("name", HALF_OF_THE_CHAPTERS)
def test_explorers_move_by_keyboard_and_mouse(turn_to: Any, name: str, everything: bool) -> None:
    """Every key in `KEYS` and the mouse move every slider, and then the right picture is shown.

    Without --all, only a page's first slider is moved by all keys, every other slider is moved by
    one key, and the mouse moves only the sliders of the first explorer (figure with sliders).
    """
    opened = turn_to(name)
    page = opened.page
    found = explorers(page)
    assert found, "a chapter has at least one explorer"
    first = True
    for root, data in found:
        picture, frames = root.locator("img"), drawn(data)
        picture.scroll_into_view_if_needed()
        places = [slider["index"] for slider in data["sliders"]]
        shows(root, data, places, frames)
        # only the first slider is visible; the others are folded
        assert root.locator("input[type=range]").locator("visible=true").count() == 1
        for more in root.locator(".dpteach-explorer-more summary").all():
            more.press("Enter")
        for which, slider in enumerate(data["sliders"]):
            control = root.get_by_role("slider", name=slider["label"], exact=True)
            control.focus()
            last = len(slider["texts"]) - 1
            moves = "End" if places[which] < last else "Home"
            for key in KEYS if everything or first else [moves]:
                old = places[which]
                page.keyboard.press(key)
                new = int(control.input_value())
                expected = min(max(old + KEYS[key](last), 0), last)
                # PageUp and PageDown move a slider by a tenth of its range, which browsers round
                # differently
                assert new == expected or (key[:4] == "Page" and abs(new - expected) <= 1)
                places[which] = new
                text = slider["texts"][new]
                assert root.locator("output").nth(which).inner_text() == text
                assert control.get_attribute("aria-valuetext") == text
                shows(root, data, places, frames)
            first = False
        # when the slider has stopped moving, the description must be announced to screen readers
        page.wait_for_function(
            "([status, image]) => status.innerText === image.alt",
            arg=[root.locator("p[role=status]").element_handle(), picture.element_handle()],
            timeout=20_000,
        )
        if everything or root is found[0][0]:
            move_by_mouse(root, data)
    assert opened.foreign() == []
    assert opened.problems == []


def move_by_mouse(root: Locator, data: dict[str, Any]) -> None:
    for which, slider in enumerate(data["sliders"]):
        control = root.get_by_role("slider", name=slider["label"], exact=True)
        control.scroll_into_view_if_needed()
        for side, text in (("left", slider["texts"][0]), ("right", slider["texts"][-1])):
            box = control.bounding_box()
            assert box is not None
            x = 4 if side == "left" else box["width"] - 4
            root.page.mouse.click(box["x"] + x, box["y"] + box["height"] / 2)
            assert root.locator("output").nth(which).inner_text() == text


def test_an_explorer_works_from_a_file_too(browser: Browser, site: str) -> None:
    page = browser.new_page()
    page.goto((HTML / f"{CHAPTERS[0]}.html").as_uri())
    root, data = explorers(page)[0]
    picture, old = root.locator("img"), root.locator("img").get_attribute("src")
    root.get_by_role("slider").first.press("End" if not data["sliders"][0]["index"] else "Home")
    page.wait_for_function(
        "([image, old]) => image.src !== old", arg=[picture.element_handle(), old]
    )
    assert root.locator("img").evaluate("async (i) => (await i.decode(), i.naturalWidth)") > 0
    page.close()


# --- JupyterLab ------------------------------------------------------------------------------

CELLS = [
    """
    from dpteach.figures import _style
    from dpteach.widgets import Slider, explore


    @_style.styled
    def line(*, slope, ax=None):
        axes = _style.new_axes(ax)
        axes.plot([0, 1], [0, slope])
        axes.set(xlim=(0, 1), ylim=(0, 5))
        _style.handle(axes, slope=(0.5, slope / 2))
        return _style.describe(axes, f"A line of slope {slope:g}.")


    line(slope=1.0)
    """,
    'explore(line, slope=Slider([1, 2, 3, 4, 5], value=2, label="slope of the line", unit="nats"))',
]


@pytest.fixture(scope="module")
def lab(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    import nbformat

    folder = tmp_path_factory.mktemp("lab")
    notebook = nbformat.v4.new_notebook()
    notebook.cells = [nbformat.v4.new_code_cell(textwrap.dedent(text).strip()) for text in CELLS]
    notebook.metadata["kernelspec"] = {
        "name": "python3",
        "display_name": "Python 3",
        "language": "python",
    }
    nbformat.write(notebook, folder / "explorer.ipynb")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    token = "a-token-for-this-test"
    command = [
        *(sys.executable, "-m", "jupyterlab", "--no-browser", "--allow-root"),
        *("--ServerApp.ip=127.0.0.1", f"--ServerApp.port={port}", "--ServerApp.port_retries=0"),
        *(f"--IdentityProvider.token={token}", f"--ServerApp.root_dir={folder}"),
        "--LabApp.news_url=",
        "--LabApp.check_for_updates_class=jupyterlab.NeverCheckForUpdate",
    ]
    settings = {
        f"JUPYTER_{kind}_DIR": str(tmp_path_factory.mktemp(kind))
        for kind in ("CONFIG", "DATA", "RUNTIME")
    } | {"IPYTHONDIR": str(tmp_path_factory.mktemp("ipython"))}
    environment = {k: v for k, v in os.environ.items() if k != "DPTEACH_EXPLORER_DIR"} | settings
    with (folder / "server.log").open("wb") as log:
        server = subprocess.Popen(command, stdout=log, stderr=log, env=environment, cwd=folder)
    address = f"http://127.0.0.1:{port}/"
    try:
        for _ in range(300):
            try:
                with urllib.request.urlopen(f"{address}api", timeout=5):
                    break
            except OSError:
                if server.poll() is not None:
                    break
                time.sleep(0.1)
        else:
            pytest.fail("JupyterLab did not start in time")
        if server.poll() is not None:
            pytest.fail(f"JupyterLab ended: {(folder / 'server.log').read_text()[-2000:]}")
        yield f"{address}lab/tree/explorer.ipynb?token={token}"
    finally:
        server.terminate()
        try:
            server.wait(20)
        except subprocess.TimeoutExpired:
            server.kill()
            server.wait()


def test_an_explorer_is_live_in_jupyterlab(browser: Browser, lab: str) -> None:
    allowed = lab.partition("lab/")[0]
    context = browser.new_context(viewport={"width": 1200, "height": 1300})
    foreign: list[str] = []
    context.on("request", lambda request: foreign.append(request.url))
    page = context.new_page()
    page.goto(lab)
    page.locator(".jp-Notebook .jp-CodeCell").nth(1).wait_for(timeout=60_000)
    page.locator('.jp-Notebook-ExecutionIndicator[data-status="idle"]').wait_for(timeout=60_000)
    slider = page.get_by_role("slider", name="slope of the line", exact=True)
    for last in (False, False, True):
        page.get_by_role("menuitem", name="Run", exact=True).click()
        page.get_by_text("Run All Cells", exact=True).click()
        try:
            slider.wait_for(timeout=60_000 if last else 15_000)
            break
        # try again, because a kernel that has just started may lose its first request
        except TimeOver:
            if last:
                raise
    picture, output = (
        page.locator(".dpteach-explorer img"),
        page.locator(".dpteach-explorer output"),
    )
    # the last cell's figure, which is no explorer, must be shown with its description, too
    assert page.get_by_role("img", name="A line of slope 1.").is_visible()
    assert output.inner_text() == "2 nats"
    assert picture.get_attribute("alt") == "A line of slope 2."
    slider.focus()
    for key, slope in (
        ("ArrowRight", 3),
        ("ArrowRight", 4),
        ("Home", 1),
        ("PageUp", 2),
        ("End", 5),
    ):
        source = picture.get_attribute("src")
        page.keyboard.press(key)
        assert output.inner_text() == f"{slope} nat{'s' * (slope > 1)}"
        page.wait_for_function(
            "([image, alt]) => image.alt === alt && image.complete && image.naturalWidth > 0",
            arg=[picture.element_handle(), f"A line of slope {slope}."],
            timeout=20_000,
        )
        assert picture.get_attribute("src") != source
    assert slider.evaluate("(element) => element === document.activeElement")

    # drag the handle (the movable point) again and again: it moves only after the kernel has
    # computed its possible positions
    handle = page.get_by_role("slider", name="slope of the line, in the picture")
    box, frame = handle.bounding_box(), picture.bounding_box()
    assert box
    assert frame
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    for _ in range(100):
        page.mouse.move(x, y + 0.149 * frame["height"])
        page.wait_for_timeout(100)
        page.mouse.move(x, y + 0.151 * frame["height"])
        if output.inner_text() != "5 nats":
            break
    assert output.inner_text() == "3 nats"
    page.mouse.up()

    # in lecture mode, the notebook's own keyboard shortcuts must be off
    page.get_by_role("button", name="Figure menu").press("Enter")
    page.get_by_role("button", name="Lecture mode").press("Enter")
    dialog = page.get_by_role("dialog", name="Lecture")
    dialog.wait_for()
    box = dialog.bounding_box()
    assert box
    assert (box["width"], box["height"]) == (1200, 1300)
    cells = page.locator(".jp-Notebook .jp-Cell").count()
    for key, slope in (("PageDown", 4), ("a", 4), ("b", 4), ("ArrowLeft", 3), ("1", 3)):
        page.keyboard.press(key)
        assert output.inner_text() == f"{slope} nat{'s' * (slope > 1)}"
    page.keyboard.press("Escape")
    dialog.wait_for(state="hidden")
    assert page.locator(".jp-Notebook .jp-Cell").count() == cells
    assert [url for url in foreign if not url.startswith((allowed, "data:", "blob:"))] == []
    context.close()
