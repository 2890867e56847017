"""Tests that the feedback page has the right text, reveals no hidden case, and runs no code."""

from __future__ import annotations

import dataclasses
import html
import json
import math
import re
from html.parser import HTMLParser
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from pseudo import untranslated

from dpteach._language import speaking
from dpteach.grading.core.reasons import REASONS, UNFAIR, UNWRITTEN, reason_of
from dpteach.grading.core.result import ItemResult, Notice, Result
from dpteach.grading.course.gradebook import unknown
from dpteach.grading.judging.verdict import Verdict
from dpteach.grading.pages import feedback
from dpteach.grading.pages.feedback import FeedbackExporter, feedback_page
from dpteach.grading.pages.page import (
    _steps,
    code_lines,
    cut,
    histogram,
    number,
    only_visible,
    ticks,
)

ATTACK = "<script>alert(1)</script><img src=x onerror=alert(2)>\u202e'\"&{{ 7*7 }}"
SUPREMUM = "The supremum runs over the support of Q. It belongs over the support of P."
READ = "renyi_dp#renyi-conversion"


def verdict(name: str, *, hidden: bool = False, failed: int = 0, **more: Any) -> dict[str, Any]:
    found = Verdict(name, 2.0, READ, hidden, more.pop("tried", 4), failed, **more)
    return json.loads(json.dumps(found.to_data()))


def item(name: str, score: float | None, points: float = 2.0, **more: Any) -> ItemResult:
    kind = more.pop("kind", "check")
    return ItemResult(name, kind, points, more.pop("book", READ), "key", score, **more)


def bell(n: int, scale: float) -> list[float]:
    edges = [-4 + 0.25 * i for i in range(33)]
    heights = [math.exp(-(((a + b) / 2 / scale) ** 2) / 2) for a, b in pairwise(edges)]
    return [round(n * height / sum(heights)) for height in heights]


def example() -> Result:
    """Return a grading result with items of many outcomes, such as right, wrong and out of time."""
    items = (
        item(
            "kl_values",
            2.0,
            book="divergences#kl-divergence",
            visible=verdict("kl_values", tried=3),
            hidden=verdict("kl_values", hidden=True),
        ),
        item(
            "max_values",
            0.0,
            book="divergences#max-divergence",
            visible=verdict(
                "max_values",
                tried=3,
                failed=2,
                called="max_divergence([0.5, 0.5], [1.0, 0.0])   (p gives mass where q has none)",
                returned="0.6931471805599453",
                expected="inf",
                misconception=SUPREMUM,
                failures=(
                    {"called": "the first"},
                    {
                        "called": "max_divergence([0.4, 0.6], [0.5, 0.5])",
                        "returned": "None",
                        "expected": "0.18",
                        "misconception": "Is there a `return`?",
                        "picture": None,
                    },
                ),
            ),
            hidden=verdict(
                "max_values",
                hidden=True,
                failed=2,
                called="max_divergence(...) on a hidden case: q is 0 where p is small",
                returned="another finite number",
                expected="0.123456789 must never be shown",
                misconception=SUPREMUM,
                failures=(
                    {"called": "the first"},
                    {
                        "called": "max_divergence(...) on a hidden case: two",
                        "returned": "NaN",
                        "expected": "0.123456789",
                        "misconception": SUPREMUM,
                        "picture": {"edges": [0, 1], "counts": [7], "expected": [7]},
                    },
                ),
            ),
        ),
        item(
            "conversion",
            1.0,
            visible=verdict("conversion", tried=3),
            hidden=verdict(
                "conversion",
                hidden=True,
                tried=6,
                failed=3,
                called="rdp_to_epsilon(...) on a hidden case: delta NaN",
                returned="NaN, no error",
                earned=2,
                of=5,
                misconception="`delta` is not checked: NaN < 1 is false, and so is NaN > 0.",
            ),
        ),
        item(
            "grid_order",
            0.0,
            reason="time",
            note="Your cell `imports` raised ValueError: <b>no</b>.",
        ),
        item("real_order", 0.0, reason="memory"),
        item("touching", 0.0, reason="died"),
        item("sigma_vector", 0.0, reason="missing"),
        item(
            "composition",
            0.0,
            visible=verdict(
                "composition",
                tried=2,
                failed=2,
                called="compose_rdp([(8, 0.125), (8, 0.5)])",
                returned="nothing yet: NotImplementedError",
                expected="(8, 0.625)",
                misconception="`compose_rdp` is not written yet: write it.",
            ),
        ),
        item(
            "mechanism_law",
            0.0,
            points=4.0,
            visible=verdict(
                "mechanism_law",
                tried=1,
                failed=1,
                called="gaussian_mechanism_rdp([0.0, 10.0], 2.0, 8, 0.5, rng=rng), 10000 times",
                returned="10000 answers: the noise is too wide",
                expected="independent Gaussian noise, standard deviation 5.656854249492381",
                misconception="The noise is wider by sqrt(2): the factor 2 is missing.",
                picture={
                    "edges": [-4 + 0.25 * i for i in range(33)],
                    "counts": bell(10000, math.sqrt(2)),
                    "expected": bell(10000, 1.0),
                    "label": "noise: (answer - center) / scale",
                    "words": "A histogram of 10004 answers against the law: 16% are elsewhere.",
                },
            ),
        ),
        item(
            "catastrophe",
            0.0,
            visible=verdict(
                "catastrophe",
                failed=4,
                called="delta_floor([0.75, 0.25], [0.25, 0.75])",
                returned=f"a string: {ATTACK}" + "x" * 5000,
                expected="0.0",
            ),
        ),
        item("additivity_proof", None, points=5.0, kind="manual", book=""),
        item("essay", None, points=3.0, kind="manual", book="", reason=""),
        item(
            "own_test",
            1.6,
            visible=verdict("own_test", tried=2),
            hidden=verdict(
                "own_test",
                hidden=True,
                tried=8,
                failed=1,
                called="test_max(...) on a wrong implementation: the logarithm is missing",
                returned="no complaint",
                kind="tests",
                earned=4,
                of=5,
            ),
        ),
        item("sketch", 0.0, points=1.0, kind="manual", book="", reason="unanswered"),
    )
    return Result(
        assignment="renyi_dp",
        seed=20261121,
        submission="a" * 64,
        instructor="b" * 64,
        sandbox="bubblewrap",
        status="graded",
        notices=(
            Notice("duplicate_cell", "The cell `kl_values` was there twice: the first counts.", ""),
            Notice("edited_cell", f"A locked cell was edited {ATTACK}", "imports"),
        ),
        items=items,
        notebook="",
        solutions={
            "kl_divergence": "def kl_divergence(p, q):\n    return 0.5\n",
            "max_divergence": f"def max_divergence(p, q):\n    # {ATTACK}\n    return 1 < 2\n",
            "rdp_to_epsilon": "def rdp_to_epsilon(order, epsilon_bar, delta):\n    return 0\n",
        },
    )


def page(**changes: Any) -> str:
    told: dict[str, Any] = {
        "student": "Zoë Ångström",
        "scores": {"essay": 2.0},
        "comments": {"essay": "Good.\nSee <b>part 2</b>.", "rdp_to_epsilon": "Close!", "x": "Hi."},
        "penalty": 1.5,
        "late": "2 hours late",
        "total": 3.5,
        "maximum": 33.0,
    }
    result, book = changes.pop("result", example()), changes.pop("book", None)
    return feedback_page(result, dataclasses.replace(unknown(""), **(told | changes)), book)


def words(text: str) -> str:
    """Return the text that a reader of an HTML page sees, with single spaces."""
    text = re.sub(r"(?s)<(style|title|head)\b.*?</\1>", " ", text)
    text = re.sub(r"</?(span|code|strong|a)\b[^>]*>", "", text)
    return " ".join(html.unescape(re.sub(r"<[^>]+>", " ", text)).split())


class Structure(HTMLParser):
    """A parser that collects a page's elements with attributes, and wrong end tags."""

    VOID = ("meta", "br", "img", "link", "input", "hr")

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.wrong: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        if not self.open or self.open.pop() != tag:
            self.wrong.append(tag)


def structure(text: str) -> Structure:
    parsed = Structure()
    parsed.feed(text)
    assert not parsed.wrong and not parsed.open
    return parsed


def test_equal_arguments_give_equal_bytes() -> None:
    assert page() == page()


def test_the_top_says_points_and_what_to_do() -> None:
    text = words(page())
    assert "3.5 of 28 points, and 5 to be graded by hand, submitted 2 hours late, which" in text
    assert "2 hours late" in text
    top = text[text.index("What to do next") : text.index("What was not as it should be")]
    # the failed item with the most points (4) comes first, then the first failed item with 2
    # points
    assert top.index("The noise is wider by sqrt(2)") < top.index("The supremum runs over")
    assert "worth up to 4 points" in top and "mechanism_law" in top
    assert top.index("The supremum") < top.index("not written yet"), "what is begun comes first"
    failed = {item.name for item in example().items} - {"kl_values", "additivity_proof"}
    assert [name for name in failed if name not in top] == [], "none is left out"
    assert "catastrophe: 4 of 4 visible cases are not right, and no known mistake" in top


@pytest.mark.parametrize(
    "sentence",
    [
        "kl_values 2 of 2 passed (3 visible, 4 hidden)",
        "1 of 3 visible cases are right. 2 of 4 hidden cases are right.",
        "called max_divergence([0.5, 0.5], [1.0, 0.0]) (p gives mass where q has none)",
        "returned 0.6931471805599453 expected inf",
        "called max_divergence(...) on a hidden case: q is 0 where p is small",
        "Likely: The supremum runs over the support of Q.",
        "chapter “Divergences”, section “Max divergence”",
        "Partial credit: 1 of 2 points. 3 of 6 cases are right. A constant answer is right for 1 "
        "of them, so 2 of 5 count.",
        "Partial credit: 1.6 of 2 points. Your test accepts the right implementations and rejects "
        "4 of 5 wrong implementations.",
        "1 more visible case not right called max_divergence([0.4, 0.6], [0.5, 0.5]) returned None "
        "expected 0.18 likely Is there a `return`?".replace("`", ""),
        "1 more hidden case not right called max_divergence(...) on a hidden case: two returned",
        "Your cell imports raised ValueError: <b>no</b>.",
        "The time for this item ran out before your function returned an answer.",
        "The code asked for more memory than a submission may use",
        "Python ended while this item was graded, so it earns no points.",
        "The function that this item asks for does not exist",
        "a person will grade this",
        "essay: graded by a person 2 of 3 points",
        "not answered",
        "Good. See <b>part 2</b>.",
        "Close!",
        "Comments On the cell x: Hi.",
        "1 item waits for a person",
        "The cell kl_values was there twice: the first counts.",
        "A histogram of 10004 answers against the law: 16%",
    ],
)
def test_the_page_says(sentence: str) -> None:
    chapter, section = _titles("divergences", "max-divergence")
    sentence = sentence.replace("“Divergences”", f"“{chapter}”")
    assert sentence.replace("“Max divergence”", f"“{section}”") in words(page())


def _titles(page: str, label: str) -> tuple[str, str]:
    """Return the titles of the chapter `page` of the book and of its section with this label."""
    text = (Path(__file__).parents[2] / "book" / f"{page}.md").read_text("utf-8")
    chapter = re.search(r"(?m)^# (.+)$", text)
    section = re.search(rf"(?m)^\({label}\)=\n## (.+)$", text)
    assert chapter and section
    return chapter[1].replace("$", ""), section[1]


def test_every_reason_says_what_to_do() -> None:
    for reason in REASONS:
        told = reason_of(reason)
        result = dataclasses.replace(example(), items=(item("grid_order", 0.0, reason=reason),))
        text = words(page(result=result, scores={}, comments={}))
        assert told.what in text and told.todo in text
    odd = dataclasses.replace(example(), items=(item("grid_order", 0.0, reason="<x>"),))
    assert "could not be judged" in words(page(result=odd, scores={}, comments={}))


def test_nothing_of_a_hidden_case_but_words() -> None:
    text = page()
    assert "0.123456789" not in text
    assert "20261121" not in text, "the seed would let hidden cases be drawn again"
    hidden = verdict(
        "x", hidden=True, failed=1, picture={"edges": [0, 1], "counts": [7], "expected": [7]}
    )
    found = dataclasses.replace(example(), items=(item("x", 0.0, hidden=hidden),))
    assert "<svg" not in page(result=found)


def test_what_comes_from_a_student_is_text() -> None:
    text = page(student=ATTACK, comments={"essay": ATTACK}, late=ATTACK)
    tags = structure(text).tags
    assert {tag for tag, _ in tags}.isdisjoint({"script", "img", "iframe", "object", "link", "b"})
    assert not [a for _, attrs in tags for a in attrs if a.startswith("on")]
    assert "49" not in words(text)[:200]
    assert "{{ 7*7 }}" in text, "shown as it is, not run by the template"
    assert "\u202e" not in text, "nothing turns the direction of writing"
    assert "more characters" in text and "x" * 1000 not in text
    for wanted in (ATTACK[:25], "1 < 2"):
        assert wanted in html.unescape(text)


def test_nothing_is_loaded_from_elsewhere() -> None:
    text = page(book="https://host/book")
    tags = structure(text).tags
    for tag, attributes in tags:
        assert "src" not in attributes and tag not in ("link", "script", "base")
        href = attributes.get("href") or "#"
        assert href.startswith(("#", "https://host/book/")) and (href[0] == "#" or tag == "a")
    assert not re.search(r"url\(|@import|@font-face", text)
    assert "default-src 'none'" in html.unescape(text)


def test_links_to_the_book_need_an_address() -> None:
    assert 'href="https://host/book/renyi_dp.html#renyi-conversion"' in page(
        book="https://host/book/"
    )
    assert "renyi_dp.html" not in page()
    with pytest.raises(ValueError, match="book must be an address"):
        page(book="javascript:alert(1)")


def test_the_page_can_be_used_without_eyes_and_mouse() -> None:
    tags = structure(page()).tags
    assert ("html", {"lang": "en"}) in tags
    levels = [int(tag[1]) for tag, _ in tags if re.fullmatch(r"h[1-6]", tag)]
    assert levels[0] == 1 and levels.count(1) == 1
    assert all(b <= a + 1 for a, b in pairwise(levels))
    names = [tag for tag, _ in tags]
    assert names.count("table") == names.count("caption")
    assert all("scope" in attrs for tag, attrs in tags if tag == "th")
    ids = [attrs["id"] for _, attrs in tags if "id" in attrs]
    assert len(ids) == len(set(ids))
    links = {attrs["href"] for tag, attrs in tags if tag == "a"}
    assert {link[1:] for link in links if link and link[0] == "#"} <= set(ids)
    pictures = [attrs for tag, attrs in tags if tag == "svg"]
    assert len(pictures) == 1
    assert all(a["role"] == "img" and len(a["aria-label"] or "") > 30 for a in pictures)


def test_only_failed_items_show_the_own_code() -> None:
    text = page()
    assert "return 0.5" not in text
    assert "Your code in the cell max_divergence" in words(text)


def test_a_refused_submission_says_why() -> None:
    result = dataclasses.replace(
        example(),
        status="refused",
        items=(),
        notices=(Notice("not_a_notebook", "The file is not a notebook.", ""),),
    )
    text = words(page(result=result, scores={}, comments={}, penalty=0.0, total=0.0))
    assert "0 of 33 points" not in text
    assert "No points yet, because the submission could not be graded." in text
    assert "No notebook could be graded" in text and "The file is not a notebook." in text


def test_a_perfect_one_and_one_that_waits() -> None:
    right = example().items[0]
    proof = item("additivity_proof", None, points=5.0, kind="manual", book="")
    plain = dataclasses.replace(example(), items=(right,), notices=())
    told: dict[str, Any] = {"scores": {}, "comments": {}, "penalty": 0.0, "total": 2.0}
    assert "everything is right" in words(page(result=plain, maximum=2.0, **told))
    waits = dataclasses.replace(plain, items=(right, proof))
    assert "the rest waits for a person" in words(page(result=waits, maximum=7.0, **told))


def only(*items: ItemResult, **told: Any) -> str:
    """Return the text of the feedback page on a result with exactly these items."""
    result = dataclasses.replace(
        example(), items=items, notices=(), solutions=told.pop("solutions", {})
    )
    return words(page(result=result, **{"scores": {}, "comments": {}, "penalty": 0.0} | told))


def missed(name: str, hint: str = "", **more: Any) -> ItemResult:
    """Return the result of a failed item whose message on the misconception is `hint`."""
    return item(name, more.pop("score", 0.0), visible=verdict(name, failed=1, misconception=hint))


@pytest.mark.parametrize(
    ("about", "final", "failed", "state", "said"),
    [
        ({}, None, False, "waits", "a person will grade this"),
        ({"reason": "unanswered"}, 0.0, False, "failed", "not answered"),
        ({"reason": "unanswered", "kind": "manual"}, 0.5, False, "partly", "graded by a person"),
        ({"kind": "manual"}, 2.0, False, "passed", "graded by a person"),
        ({"kind": "manual"}, 0.5, False, "partly", "graded by a person"),
        ({"kind": "manual"}, 0.0, False, "failed", "graded by a person"),
        ({"reason": "time"}, 2.0, False, "failed", "could not be judged"),
        ({}, 2.0, False, "passed", "passed"),
        ({}, 2.5, False, "passed", "passed"),
        ({}, 2.0, True, "partly", "partly right"),
        ({}, 1.99, False, "partly", "partly right"),
        ({}, 0.0, True, "failed", "not right yet"),
    ],
)
def test_the_state_of_an_item(
    about: dict[str, Any], final: float | None, failed: bool, state: str, said: str
) -> None:
    parts = [{"failed": 1}] if failed else []
    assert feedback._state(item("a", None, **about), final, parts) == (state, said)


def test_why_an_item_has_some_of_its_points() -> None:
    def partly(score: float | None = 1.0, final: float | None = 1.0, **more: Any) -> str:
        kind = more.pop("kind", "check")
        hidden = more.pop("hidden", True)
        told = {"tried": 6, "failed": 3, "earned": 2, "of": 5} | more
        part = feedback._part(verdict("a", hidden=hidden, **told), hidden)
        first = feedback._part(verdict("a", tried=9, failed=9, of=9), False)
        return feedback._partly(item("a", score, kind=kind), final, [first, part])

    share = "Partial credit: 1 of 2 points. 3 of 6 cases are right."
    constant = " A constant answer is right for 1 of them, so 2 of 5 count."
    assert partly() == partly(hidden=False) == share + constant
    assert partly(of=6) == partly(of=1) == share
    assert partly(1.5, 1.5).startswith("Partial credit: 1.5 of 2 points.")
    third = "Partial credit: 2/3 of 2 points, rounded down to 1.33. "
    assert partly(1.33, 1.33, earned=2, of=3).startswith(third)
    attack = partly(0.66, 0.66, earned=3333, of=10_000)
    assert attack.startswith("Partial credit: 0.66 of 2 points.")
    for score, final in ((1.0, 0.5), (None, None), (0.0, 0.0), (2.0, 2.0)):
        assert partly(score, final) == ""
    assert partly(kind="manual") == ""
    assert feedback._partly(item("a", 1.0), 1.0, []) == ""


def test_who_changed_the_points_of_a_check() -> None:
    changed = "a person changed that"
    right = item("a", 2.0, visible=verdict("a"))
    for final, said in ((2.0, False), (1.5, True), (None, False)):
        assert (changed in only(right, scores={"a": final})) is said
    assert changed not in only(right)
    assert "The program gave 2;" in only(right, scores={"a": 0.0})
    essay = item("a", 0.0, kind="manual", reason="unanswered")
    assert changed not in only(essay, scores={"a": 1.0})
    assert changed not in only(item("a", None), scores={"a": 1.0})


def test_what_is_left_to_do() -> None:
    right, half = item("a", 2.0), item("b", 1.0)
    nothing, for_now = "everything is right", "the rest waits for a person"
    partly, by_hand = "b does not have all points", "e: A person graded this"
    for items, scores, said in (
        ((right,), {}, nothing),
        ((right, item("e", 3.0, 3.0, kind="manual")), {}, nothing),
        ((right, item("e", None, 3.0, kind="manual")), {}, for_now),
        # 3 of 2 points on item a do not hide that item b lacks a point
        ((right, half), {"a": 3.0}, partly),
        ((right, item("e", 2.5, 3.0, kind="manual")), {}, by_hand),
    ):
        text = only(*items, scores=scores)
        assert [words in text for words in (nothing, for_now, partly, by_hand)] == [
            said == words for words in (nothing, for_now, partly, by_hand)
        ]
        assert ("What to do next" in text) is bool(said)


def test_advice_is_about_what_is_worth_most() -> None:
    items = [missed("a", "One."), missed("b", "Two."), missed("c", "Three."), missed("d", "Two.")]
    text = only(*items).partition("The items")[0]
    assert "Two. (worth up to 4 points: b, d)" in text and "One. (worth up to 2 points: a)" in text
    assert text.index("Two.") < text.index("One.") < text.index("Three.")
    # the page advises nothing on an item that has full points (b), or waits for a person (d)
    text = only(*items[:2], items[3], scores={"b": 2.0, "d": None}).partition("The items")[0]
    assert "One." in text and "Two." not in text
    assert "worth up to" not in only(missed("a", "One."), scores={"a": 2.0})
    assert "worth up to 0.5 points" in only(missed("a", "One.", score=1.5))
    assert "worth up to 1 point:" in only(missed("a", "One.", score=1.0))
    # for items that were not judged, the page says why, and what the student should do
    late = [item(name, 0.0, reason="time") for name in "ab"]
    told = REASONS["time"]
    assert f"{told.what} {told.todo} (worth up to 4 points: a, b)" in only(*late)
    assert "Likely" in only(items[0]) and "Likely" not in only(missed("a"))
    for kind, mistake, label in (
        ("tests", None, "Why"),
        ("hand", 0, "Likely"),
        ("x", None, "Likely"),
    ):
        told = verdict("a", failed=1, misconception="So it is.", kind=kind, mistake=mistake)
        assert f"{label}: So it is." in only(item("a", 0.0, visible=told))
    # a function that is not written yet has a message of its own
    blank = missed("f", "`f` is not written yet: write it.")
    assert "f is not written yet: write it. (worth up to 2 points: f)" in only(blank)


def test_where_comments_stand() -> None:
    """Comments on an item or its cell are shown at the item, and others at the top, each once."""
    wrong = item("a", 0.0, visible=verdict("a", failed=1, called="f(1)"))
    solutions = {"other": "def g(x): f(x)", "cell": "x = 1\n  def f(x):\n    return x"}
    comments = {"a": "To the item.", "cell": "To the cell.", "other": "To another.", "b": ""}
    text = only(wrong, comments=comments | {"c": "No response."}, solutions=solutions)
    top, _, items = text.partition("The items")
    assert "Comments On the cell other: To another." in top and top.count("On the cell") == 1
    assert items.index("To the item.") < items.index("To the cell.")
    assert text.count("To the") == 2 and "No response." not in text
    assert "Your code in the cell cell x = 1" in items
    # the wrong cases of an item are shown even while a person still has to grade the item
    hidden = verdict("a", hidden=True, failed=1, called="f(...) on a hidden case")
    waits = item("a", 1.0, visible=verdict("a"), hidden=hidden)
    assert "A hidden case that is not right" in only(waits, scores={"a": None})
    # the code of a right answer is never shown, but a comment on the answer is
    right = item("a", 2.0, visible=verdict("a", called="f(1)"))
    assert "Comment of the grader" not in only(right)
    text = only(right, comments={"a": "Well done."}, solutions=solutions)
    assert "Comment of the grader Well done." in text and "Your code" not in text


def test_the_cell_of_a_function_is_the_one_that_defines_it() -> None:
    solutions = {"a": "def f2(x): ...\ndef g(f): ...", "b": "if 1:\n    def f(x): ..."}
    for called, cell in (
        ("f(1)", "b"), (" f(...) on a hidden case", "b"), ("f2(3)", "a"), ("h(1)", ""), ("3", ""),
    ):  # fmt: skip
        assert feedback._solution([{"called": ""}, {"called": called}], solutions) == (
            (cell, solutions[cell]) if cell else ("", "")
        )


def test_cases_that_read_the_same_stand_once() -> None:
    def case(called: str, hint: str = "No.") -> dict[str, str]:
        return {"called": called, "returned": "1", "expected": "2", "misconception": hint}

    failures = [case("f(0)"), case("f(1)"), case("f(1)"), case("f(2)", "Never.")]
    told = {"misconception": "No.", "failures": failures}
    shown = {"called": "f(1)", "returned": "1", "expected": "2", "hint": ""}
    assert feedback._others(told | {"failures": tuple(failures)}, False) == [
        shown,
        shown | {"called": "f(2)", "hint": "Never."},
    ]
    assert {other["expected"] for other in feedback._others(told, True)} == {""}
    assert feedback._others(told | {"failures": ()}, False) == []


def test_a_mistake_that_explains_some_cases_stands_with_their_number_and_at_each() -> None:
    failures = [
        {"called": f"f({i})", "returned": "1", "expected": "2", "misconception": hint}
        for i, hint in enumerate(["", "The sign.", "The sign."])
    ]
    told = {"misconception": "The sign.", "explains": 2, "failures": failures}
    text = words(only(item("x", 0.0, visible=verdict("x", tried=4, failed=3, **told))))
    assert (
        "Likely: In 2 of the 3 wrong cases, the answers agree with this mistake: The sign." in text
    )
    assert text.count("likely The sign.") == 2
    told["explains"] = 3
    text = words(only(item("x", 0.0, visible=verdict("x", tried=4, failed=3, **told))))
    assert "Likely: The sign." in text and "wrong cases" not in text


def test_the_caption_of_a_picture() -> None:
    data = {"edges": [0, 1, 2, 3], "counts": [1, 4, 2], "expected": [1, 2, 2]}
    ends = "The bars at both ends also count all answers further out."
    seven = "A histogram of 7 answers with the expected counts."
    for changes, caption in (
        ({}, seven),
        ({"words": "Seven."}, "Seven."),
        ({"counts": [3, 0, 0]}, f"{seven.replace('7', '3')} {ends}"),
        ({"counts": [0, 0, 3], "words": "Three."}, f"Three. {ends}"),
        ({"counts": [0, 9, 2]}, seven.replace("7", "11")),
    ):
        found = feedback._picture(data | changes)
        assert found is not None and found[1] == caption and caption in found[0]
        for label in ("answer", "count", "your answers", "expected"):
            assert f">{label}<" in found[0]
    named = feedback._picture(data | {"label": "noise"})
    assert named is not None and ">noise<" in named[0]


@pytest.mark.parametrize(
    ("book", "fine"),
    [
        ("http://host", True), ("https://host/book", True), ("file:///book", True), ("/book", True),
        ("./book", True), ("../book", True), ("book", False), ("", False), ("...//x", False),
        ("ftp://host", False), (" https://host", False),
    ],
)  # fmt: skip
def test_addresses_of_the_book(book: str, fine: bool) -> None:
    if fine:
        href = f'href="{book}/renyi_dp.html#renyi-conversion"'
        assert href in page(book=book) and href in page(book=book + "/")
        return
    with pytest.raises(ValueError, match="book must be an address"):
        page(book=book)


def test_sections_that_the_book_does_not_have() -> None:
    where = feedback._place("no_such_chapter#nothing", "../book")
    assert where["words"] == "chapter “no such chapter”, section nothing"
    assert where["href"] == "../book/no_such_chapter.html#nothing"
    assert feedback._place("no_such_chapter#nothing", None)["href"] == ""
    assert "Read again" not in only(item("a", 2.0, visible=verdict("a")), comments={"a": "Good."})


def test_no_message_of_the_page_is_left_in_english() -> None:
    hidden = verdict("one", hidden=True, tried=6, failed=3, earned=2, of=5)
    items = (
        item("one", 1.0, visible=verdict("one"), hidden=hidden),
        item("two", 0.0, reason="time", book=""),
        item("three", None, kind="manual", book="", scheme="line"),
    )
    with speaking("en-XA"):
        text = only(*items, penalty=1.0, late="late", student="ada", comments={"one": "good"})
    data = ("renyi_dp", "ada", "one", "two", "three", "line", "good", *_titles(*READ.split("#")))
    assert untranslated(text, *data) == []


def test_what_being_late_costs_is_said() -> None:
    right = item("a", 2.0)
    for penalty, late, said in (
        (1.0, "1 day late", "points, submitted 1 day late, which costs 1 point."),
        (1.5, "", "points, after a penalty of 1.5 points for late submission."),
    ):
        assert said in only(right, penalty=penalty, late=late)
    assert "late" not in only(right)


def test_a_blank_submission_is_told_to_begin() -> None:
    def blank(name: str) -> ItemResult:
        hint = f"`{name}` is not written yet: replace `raise NotImplementedError()`."
        seen = verdict(name, failed=4, misconception=hint, code=UNWRITTEN)
        return item(name, 0.0, visible=seen)

    result = dataclasses.replace(example(), items=(blank("a"), blank("b"), blank("c"), blank("c")))
    assert "3 functions are not written yet. Begin" in words(page(result=result))


def test_advice_begins_with_what_others_build_on() -> None:
    best = verdict("best", failed=1, misconception="Of the first.")
    first = item("first", 0.0, visible=verdict("first", failed=1, misconception="The sign."))
    later = item("best", 0.0, points=9.0, visible=best, uses=("first",))
    text = words(page(result=dataclasses.replace(example(), items=(first, later))))
    assert text.index("The sign.") < text.index("Of the first.")
    assert "It may use these earlier items, which are not right either: first." in text


def test_an_item_that_is_right_but_for_what_it_calls() -> None:
    """If an item fails only because it calls an earlier item's wrong function, the page says so."""
    best = verdict("best", tried=2, failed=1, called="best(7)", misconception="Of the first.")
    first = item("first", 0.0, visible=verdict("first", failed=1, misconception="The sign."))
    later = item("best", 2.0, visible=best, uses=("first",), given=("first",))
    text = words(page(result=dataclasses.replace(example(), items=(first, later))))
    assert "best 2 of 2 right, except for what it calls" in text
    assert "This item is right, if first were right: it gets its points. Correct first." in text
    assert "called best(7)" in text, "the evidence stays"
    assert "Of the first." not in text
    top = text[text.index("What to do next") : text.index("What was not as it should be")]
    assert "The sign." in top and "best" not in top
    partly = dataclasses.replace(later, score=1.0)
    text = words(page(result=dataclasses.replace(example(), items=(first, partly))))
    assert (
        "This item is partly right, if first were right: it gets part of its points. Correct first."
        in text
    )


def test_a_failure_that_no_mistake_explains_stands_on_top() -> None:
    hidden = verdict("x", hidden=True, tried=5, failed=2, called="x(...) on a hidden case: odd")
    wrong = item("x", 0.0, visible=verdict("x"), hidden=hidden)
    waits = item("proof", None, points=4.0, kind="manual", book="")
    result = dataclasses.replace(example(), items=(wrong, waits))
    text = words(page(result=result, penalty=0.0, total=0.0, maximum=6.0))
    assert "Nothing" not in text
    assert "0 of 2 points, and 4 to be graded by hand. 1 item waits for a person." in text
    assert "x: 2 of 5 hidden cases are not right, and no known mistake" in text
    next_step = (
        "The visible cases are right. The first case that is not right is x(...) on a hidden case: "
        "odd. Read about such cases in the docstring, try one yourself, and correct the function."
    )
    assert f"explains all of them. {next_step} (worth up to 2 points" in text
    assert f"Next: {next_step}" in text


def test_what_to_do_about_a_hidden_case_names_it() -> None:
    """The advice after "Next:" names the hidden case that is not right."""
    for called, told, more in (
        ("claim('m')", "Think again about claim('m'), and correct", {"form_only": True}),
        ("t(...) on a wrong one: b", "so that this is also true of t(...) on", {"kind": "tests"}),
        ("f(...) on a hidden case: c", "The first case that is not right is f(...)", {}),
    ):
        hidden = verdict("x", hidden=True, failed=1, called=called, **more)
        assert told in only(item("x", 0.0, visible=verdict("x"), hidden=hidden)).split("Next:")[1]


def test_a_test_that_rejects_a_right_implementation_has_that_on_top() -> None:
    cause = "Your test rejects a right implementation (a loop), so it earns nothing."
    seen = verdict("x", tried=2, failed=1, misconception="The test asks nothing of it.")
    told = {"misconception": cause, "code": UNFAIR}
    hidden = verdict("x", hidden=True, tried=2, failed=1, **told)
    text = only(item("x", 0.0, visible=seen, hidden=hidden))
    assert text.count(f"Likely: {cause}") == 1 and "The test asks nothing" not in text
    assert f"What to do next {cause}" in text


@pytest.mark.parametrize("refused", [False, True])
def test_an_answer_by_hand_is_told_who_judges_it(refused: bool) -> None:
    """The page says that the notebook's check finds only some faults of an answer found by hand.

    Only the grader judges whether such an answer is right.
    """
    seen = verdict("x", tried=1, failed=int(refused), form_only=True)
    hidden = verdict("x", hidden=True, tried=1, failed=1, form_only=True)
    text = only(item("x", 0.0, visible=seen, hidden=hidden))
    check = (
        "The check in the notebook, which recognizes a wrong form and some typical mistakes, did "
        "not accept the answer."
        if refused
        else "The check in the notebook, which recognizes a wrong form and some typical mistakes, "
        "found no fault."
    )
    assert f"{check} The grader also judged the answer itself: it is not right" in text
    again = "so only the next feedback tells whether the answer is right"
    assert (again in text) is not refused and ("until the check passes" in text) is refused


def test_numbers_of_a_witness_are_not_said_to_be_secret() -> None:
    """Numbers of hidden cases are called secret, except in items about a student's own answers."""

    def judged(name: str, **more: Any) -> ItemResult:
        return item(name, 0.0, hidden=verdict(name, hidden=True, failed=1, **more))

    def said(*items: ItemResult) -> str:
        return words(page(result=dataclasses.replace(example(), items=items)))

    secret = "The numbers of a hidden case are not shown"
    shown = "In the item seen, they are shown, because they are about your own answers."
    witness, code = judged("seen", form_only=True, kind="witness"), judged("code")
    assert secret in said(code) and "they are shown" not in said(code)
    assert secret not in said(witness) and "they are shown" not in said(witness)
    assert secret not in said(judged("on_paper", form_only=True, tried=1))
    assert f"{secret}, because" in said(witness, code) and shown in said(witness, code)
    assert shown.replace("item seen", "items seen, b") in said(
        witness, judged("b", form_only=True), code
    )


@pytest.mark.parametrize("is_open", [True, False])
def test_of_a_hidden_case_what_gives_nothing_away_is_expected(is_open: bool) -> None:
    told = {"expected": "never below the smallest", "open": is_open}
    hidden = verdict("x", hidden=True, failed=2, called="x(...)", failures=(told, told), **told)
    result = dataclasses.replace(example(), items=(item("x", 0.0, hidden=hidden),))
    assert ("expected never below the smallest" in words(page(result=result))) is is_open


def test_a_person_s_change_is_said() -> None:
    assert "The program gave 1; a person changed that." in words(page(scores={"conversion": 2.0}))


@pytest.mark.parametrize(
    "picture",
    [
        {},
        {"edges": [0, 1], "counts": [1], "expected": [1, 2]},
        {"edges": [0, math.nan], "counts": [1], "expected": [1]},
        {"edges": [1, 0], "counts": [1], "expected": [1]},
        {"edges": "ab", "counts": "a", "expected": "b"},
        {"edges": [0, 1], "counts": [math.inf], "expected": [1]},
    ],
)
def test_a_picture_that_is_none_is_left_out(picture: dict[str, Any]) -> None:
    seen = verdict("x", failed=1, picture=picture)
    result = dataclasses.replace(example(), items=(item("x", 0.0, visible=seen),))
    assert "<svg" not in page(result=result)


def test_a_histogram_stays_inside_its_frame() -> None:
    drawn = histogram(
        [0.0, 1.0, 2.0],
        [3.0, 0.0],
        expected=[2.0, 1e6],
        title="A & B.",
        x_label="<x>",
        y_label="<y>",
        legend=("<a>", "<b>"),
    )
    structure(drawn)
    for letter in "xyab":
        assert f">&lt;{letter}&gt;<" in drawn
    coordinates = [float(x) for x in re.findall(r'(?:x|y|x1|x2|y1|y2)="([-\d.]+)"', drawn)]
    assert min(coordinates) >= 0 and max(coordinates) <= 560


def test_what_a_histogram_shows() -> None:
    drawn = histogram([0.0, 1.0, 2.0, 4.0], [1, 0, 2], title="T.", x_label="x", y_label="y")
    place = r'class="bar" x="([\d.]+)" y="([\d.]+)" width="([\d.]+)" height="([\d.]+)"'
    # the plot spans x from 56 to 546 and y from 216 up to 36; the largest count, 2, has 1/1.05 of
    # this height
    bars = [("56.0", "130.3", "122.5", "85.7"), ("301.0", "44.6", "245.0", "171.4")]
    assert re.findall(place, drawn) == bars
    assert 'class="law"' not in drawn and 'aria-label="T."' in drawn
    for label in ("0", "1", "2", "3", "4"):
        assert f'y="232" text-anchor="middle">{label}<' in drawn
    # if expected counts are given, the first or last bar is cut if it exceeds the plot, and is
    # labeled with its count
    told: Any = {"title": "T.", "x_label": "x", "y_label": "y", "legend": ("ours", "theirs")}
    drawn = histogram([0, 1, 2, 3], [90, 2, 70], expected=[1, 2, 1], **told)
    assert 'x="56.0" y="33" text-anchor="start">90<' in drawn
    assert 'x="546.0" y="33" text-anchor="end">70<' in drawn
    assert re.findall(r' height="([\d.]+)"', drawn) == ["180.0", "171.4", "180.0", "11"]
    assert ">ours<" in drawn and ">theirs<" in drawn
    (law,) = re.findall(r'class="law" d="(M[^h"]*)"', drawn)
    assert law.startswith("M56.0 216.0 L56.0 130.3 L219.3 130.3 L219.3 44.6 ")
    assert law.endswith("L546.0 130.3 L546.0 216.0")
    # with only two bars, or without expected counts, no bar is cut
    for counts, expected in (([90, 2], [1, 2]), ([90, 2, 70], None)):
        ends = [float(i) for i in range(len(counts) + 1)]
        assert 'y="33"' not in histogram(ends, counts, expected=expected, **told)
    assert "</svg>" in histogram([0, 1], [0], **told)


@pytest.mark.parametrize(
    ("edges", "counts", "expected"),
    [
        ([0], [], None),
        ([0, 1], [1, 2], None),
        ([0, 1, 2, 3], [1, 2], None),
        ([0, 1, 1], [1, 2], None),
        ([0, 2, 1], [1, 2], None),
        ([0, 1, math.inf], [1, 2], None),
        ([0, 1, 2], [1, -1], None),
        ([0, 1, 2], [1, math.nan], None),
        ([0, 1, 2], [1, 2], [1]),
        ([0, 1, 2], [1, 2], [1, -1]),
        ([0, 1, 2], [1, 2], [1, math.inf]),
    ],
)
def test_what_is_no_histogram(edges: Any, counts: Any, expected: Any) -> None:
    with pytest.raises(ValueError, match="must be those of a histogram"):
        histogram(edges, counts, expected=expected, title="", x_label="", y_label="")


def test_small_things() -> None:
    assert number(7.0) == "7" and number(6.666) == "6.67" and number(0.004) == "0"
    assert number(99_999.4) == "99999.4" and number(123_456.78) == "123457"

    assert _steps(0, 48) == [0, 10, 20, 30, 40] and _steps(1, 9, 8) == list(range(1, 10))
    assert cut("\ud800") == "?" and cut("abc", 3) == "abc"
    assert cut("abcd", 3) == "abc ... (1 more character)" and "(1 more" in cut("x" * 601)
    assert only_visible("a\tb\nc") == "a\tb\nc"
    for odd in "\x00\x0b\r\x1f\x7f\x9f\u200b\u200f\u2028\u202e\u2060\u206f\ufeff":
        assert only_visible(odd) == "\ufffd"
    assert ticks("`a` < `b\nc`") == "<code>a</code> &lt; `b\nc`"
    assert ticks("x" * 2001) == "x" * 2000 + " ... (1 more character)"


def test_code_is_cut_by_lines() -> None:
    assert code_lines("\n\nx = 1\r\n\ty = 2\n\n") == ["x = 1", "    y = 2"]
    assert code_lines("x\n" * 120) == ["x"] * 120
    assert code_lines("x\n" * 122) == [*["x"] * 120, "... (2 more lines)"]
    assert code_lines("y" * 401) == ["y" * 400 + " ... (1 more character)"]


def test_a_submission_that_was_not_graded_here_gets_the_page_of_nbgrader() -> None:
    from nbformat import v4

    notebook = v4.new_notebook(cells=[v4.new_markdown_cell("Only nbgrader's page shows this.")])
    notebook.metadata["dpteach"] = {"items": [{"name": "forged", "points": 99}]}
    for resources in (None, {"nbgrader": {"student": "ada"}}):
        text, _ = FeedbackExporter().from_notebook_node(notebook, resources)
        assert "shows this" in text and "forged" not in text


def luminance(color: str) -> float:
    parts = (int(color[i : i + 2], 16) / 255 for i in (1, 3, 5))
    linear = [x / 12.92 if x <= 0.04045 else ((x + 0.055) / 1.055) ** 2.4 for x in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: str, other: str) -> float:
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("scheme", [0, 1], ids=["light", "dark"])
def test_colours_have_contrast(scheme: int) -> None:
    style = Path(__file__).parents[2] / "dpteach" / "grading" / "pages" / "templates" / "style.css"
    blocks = re.findall(r":root \{(.*?)\}", style.read_text("utf-8"), re.DOTALL)
    colours = dict(re.findall(r"--([a-z-]+): (#[0-9a-f]{6});", blocks[scheme]))
    for ground in ("paper", "panel"):
        for text in ("ink", "soft", "link", "good", "bad", "part"):
            assert contrast(colours[text], colours[ground]) >= 4.5, (text, ground)
    assert contrast(colours["ink"], colours["mark"]) >= 4.5
    for line in ("law", "bar-edge"):
        assert contrast(colours[line], colours["paper"]) >= 3, line
