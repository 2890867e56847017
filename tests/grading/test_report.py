"""Tests of the instructor's report on a class, and of its search for copied answers."""

from __future__ import annotations

import ast
import dataclasses
import itertools
import random
import re
import shutil
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from pseudo import untranslated
from test_feedback import ATTACK, example, item, structure, verdict, words

from dpteach._language import speaking
from dpteach.grading.author.mutants import read_bank
from dpteach.grading.author.source import read_source
from dpteach.grading.core.result import Notice, Result
from dpteach.grading.course.gradebook import Standing, unknown
from dpteach.grading.kinds.failures import odd
from dpteach.grading.pages import report, similarity
from dpteach.grading.pages.items import correlation, item_statistics, misconceptions, troubles
from dpteach.grading.pages.report import (
    report_page,
    run,
    write_report,
)
from dpteach.grading.pages.similarity import Pair, Prints, alike_lines, prints, similar, tokens

ROOT = Path(__file__).resolve().parents[2]
COURSE = ROOT / "course_src"
NAME = "renyi_dp"
SOURCE = read_source(COURSE / "assignments" / f"{NAME}.md", optional=True)
BANK = read_bank(COURSE / "mutants" / NAME)


def standing(scores: Any, penalty: float = 0.0) -> Standing:
    return dataclasses.replace(unknown("x"), scores=scores, penalty=penalty)


def answer(name: str, right: bool) -> Any:
    """Return the result of an item that earns all of its 2 points or none."""
    seen = verdict(name, failed=0 if right else 1, misconception="" if right else f"{name}: no.")
    return item(name, 2.0 if right else 0.0, visible=seen, hidden=verdict(name, hidden=True))


def result(*rights: bool, **changes: Any) -> Result:
    items = tuple(answer(f"item_{i}", right) for i, right in enumerate(rights))
    told = {"notices": (), "solutions": {}, "items": items}
    return dataclasses.replace(example(), **(told | changes))


def many(n: int) -> dict[str, Result]:
    rng = random.Random(1)
    skill = [rng.random() for _ in range(n)]
    return {
        f"student {i:04}": result(*(rng.random() < skill[i] for _ in range(12))) for i in range(n)
    }


def test_correlation_is_pearson_s() -> None:
    rng = np.random.default_rng(3)
    x, y = rng.integers(0, 2, 50), rng.integers(0, 20, 50)
    found, why = correlation(x.tolist(), y.tolist())
    assert found == pytest.approx(np.corrcoef(x, y)[0, 1], abs=1e-11) and why == ""
    assert correlation([1, 0], [1, 0]) == (None, "fewer than 5 submissions")
    assert correlation([1] * 9, list(range(9)))[0] is None
    assert correlation(list(range(9)), [1] * 9) == (
        None,
        "all have the same points for the other items",
    )


def test_how_many_submissions_make_a_correlation() -> None:
    assert correlation([1, 2, 3, 4], [1, 2, 3, 4])[0] is None
    assert correlation([1, 2, 3, 4, 5], [1, 2, 3, 4, 5]) == (1.0, "")
    assert correlation([1, 2, 3, 4, 5], [5, 4, 3, 2, 1]) == (-1.0, "")


def test_items_that_wait_for_a_person_are_in_no_total() -> None:
    """An item that waits for manual grading in one submission counts in no submission's total."""
    rights = [(1, 1, 1), (1, 1, 1), (0, 1, 0), (0, 0, 1), (0, 0, 0), (1, 0, 0)]
    class_ = {f"s{i}": result(*row) for i, row in enumerate(rights)}
    final = {"s0": standing({"item_2": None})}
    first, second, third = item_statistics(class_, final)
    a, b, c = ([2.0 * row[i] for row in rights] for i in range(3))
    assert first.discrimination == pytest.approx(np.corrcoef(a, b)[0, 1])
    assert second.discrimination == first.discrimination
    rest = np.add(a, b)[1:]
    assert third.discrimination == pytest.approx(np.corrcoef(c[1:], rest)[0, 1])
    assert (third.graded, third.waiting, third.mean, third.share) == (5, 1, 0.8, 0.4)
    # a result from an earlier version of the assignment may lack an item, here the third
    class_["s6"] = dataclasses.replace(result(1, 1), items=result(1, 1).items[:2])
    first, _, third = item_statistics(class_, {})
    assert (first.graded, third.graded, third.waiting) == (7, 6, 0)
    # an item that waits for manual grading in all submissions has no mean
    none = {f"s{i}": standing({"item_0": None}) for i in range(6)}
    (row,) = item_statistics({f"s{i}": result(True) for i in range(6)}, none)
    assert (row.mean, row.share, row.graded, row.waiting) == (None, None, 0, 6)


def test_what_goes_wrong_in_an_item_is_counted_once() -> None:
    bad, fine = verdict("a", failed=1), verdict("a")
    class_ = {}
    for i, (visible, hidden, reason) in enumerate(
        [(bad, bad, ""), (fine, bad, ""), (fine, fine, ""), (None, None, "time"), (bad, None, "")]
    ):
        told = {"visible": visible, "hidden": hidden, "reason": reason}
        class_[f"s{i}"] = dataclasses.replace(example(), items=(item("a", 0.0, **told),))
    class_["s9"] = dataclasses.replace(example(), items=(item("a", 0.0, reason="unanswered"),))
    (row,) = item_statistics(class_, {})
    assert (row.failed_visible, row.failed_hidden, row.trouble, row.unwritten) == (2, 1, 1, 0)
    assert list(troubles(class_)) == [("s3", "a", "the time ran out")]


def test_the_most_common_misconception_comes_first() -> None:
    def has(name: str, *said: tuple[str, int]) -> Any:
        parts = [
            verdict(name, hidden=i > 0, failed=failed, misconception=words)
            for i, (words, failed) in enumerate(said)
        ]
        return item(name, 0.0, visible=parts[0], hidden=parts[1] if len(parts) > 1 else None)

    def of(*items: Any) -> Result:
        return dataclasses.replace(example(), items=items)

    class_ = {
        "ann": of(has("b", ("Two.", 1)), has("a", ("", 1), ("One.", 1))),
        "ben": of(has("b", ("Two.", 1)), has("a", ("Not failed.", 0), ("Other.", 2))),
        "cy": of(has("b", ("", 1), ("", 1))),
    }
    assert misconceptions(class_) == [
        ("b", "Two.", ["ann", "ben"]),
        ("a", "One.", ["ann"]),
        ("a", "Other.", ["ben"]),
    ]


def test_the_statistics_of_items() -> None:
    class_ = {
        f"s{i}": result(*rights)
        for i, rights in enumerate(
            [(1, 1, 1), (1, 1, 1), (1, 1, 0), (1, 0, 0), (1, 0, 0), (1, 0, 1)]
        )
    }
    easy, middle, last = item_statistics(class_, {})
    assert (easy.mean, easy.share, easy.discrimination) == (2.0, 1.0, None)
    assert easy.undefined == "all have the same points"
    # the discrimination of `middle` is the correlation of its results (1 1 1 0 0 0) with the
    # points for the other items (4 4 2 2 2 4)
    assert middle.discrimination == pytest.approx(1 / 3)
    assert middle.share == 0.5 and middle.failed_visible == 3 and middle.failed_hidden == 0
    assert last.graded == 6


def test_a_person_s_points_count_and_who_waits_is_named() -> None:
    class_ = {f"s{i}": result(i % 2 == 0, True) for i in range(6)}
    final = {
        "s0": standing({"item_0": None, "item_1": 2.0}),
        "s1": standing({"item_0": 1.5, "item_1": 2.0}, penalty=1.0),
    }
    first, _ = item_statistics(class_, final)
    assert first.waiting == 1 and first.graded == 5 and first.mean == (1.5 + 2 + 0 + 2 + 0) / 5
    text = words(report_page(NAME, class_, final))
    assert "item_0: 1 submission s0" in text
    assert "1 lost points for late submission" in text
    assert "1 submission has items that wait for a person. They count as 0 points" in text
    assert "counts as 0 points" not in words(report_page(NAME, class_, {}))


def test_misconceptions_are_counted_once_a_student() -> None:
    seen = verdict("a", failed=2, misconception="No.")
    unseen = verdict("a", hidden=True, failed=1, misconception="Never.")
    one = dataclasses.replace(example(), items=(item("a", 0.0, visible=seen, hidden=unseen),))
    assert misconceptions({"s": one, "t": one}) == [("a", "No.", ["s", "t"])]


def test_root_causes_are_counted_and_no_cascades() -> None:
    root = item("a", 0.0, visible=verdict("a", failed=1, misconception="No."))
    later = item("b", 2.0, visible=verdict("b", failed=1, misconception="Of a."), given=("a",))
    partly = dataclasses.replace(later, name="c", score=1.0)
    class_ = {"s": dataclasses.replace(example(), items=(root, later, partly))}
    assert {name for name, *_ in misconceptions(class_)} == {"a", "c"}
    failed = {row.name: row.failed_visible for row in item_statistics(class_, {})}
    assert failed == {"a": 1, "b": 0, "c": 1}


def test_calls_that_were_ended_are_named_among_the_time_outs() -> None:
    """A call that took too long is listed as a timeout, and not under the misconceptions."""
    late = odd({"hidden": False, "call": "f"}, {"late": 10.0}, "")
    assert late is not None
    loop = {"misconception": late.misconception, "code": late.code}
    first = item("a", 0.0, visible=verdict("a", failed=1, **loop))
    later = item(
        "b",
        0.0,
        visible=verdict("b"),
        hidden=verdict("b", hidden=True, failed=2, returned="inf", failures=({}, loop)),
    )
    other = item("c", 0.0, visible=verdict("c", failed=1, returned="'nothing within'"))
    class_ = {"ann": dataclasses.replace(example(), items=(first, later, other))}
    assert misconceptions(class_) == []
    text = words(report_page(NAME, class_, {}))
    ended = "a call took too long (judged as not right)"
    assert f"Time-outs, memory, crashes 2 × {ended}." in text
    assert f"ann a {ended} ann b {ended} " in text


def test_counts_are_whole_numbers() -> None:
    text = report_page(NAME, {"ann": result(True), "ben": result(False)}, {})
    picture = text.partition("<svg")[2].partition("</svg>")[0]
    assert re.findall(r'text-anchor="end">([^<]+)<', picture) == ["0", "1"]


def test_an_empty_class() -> None:
    text = report_page(NAME, {}, {})
    structure(text)
    assert "There are no results yet" in words(text)


def test_one_submission() -> None:
    text = report_page(NAME, {"ada": example()}, {})
    structure(text)
    said = words(text)
    assert "1 submission 1 graded" in said and "fewer than 5 submissions" in said
    for sentence in ("ada grid_order the time ran out", "too much memory", "the kernel died"):
        assert sentence in said
    assert "additivity_proof: 1 submission ada" in said


def test_what_needs_a_person_is_named() -> None:
    class_ = {
        "eve": result(status="refused", notices=(Notice("empty", "The file is empty."),)),
        "bob": result(True, sandbox="none"),
        "ada": result(True, notices=(Notice("duplicate_cell", "Cell `a` was there twice."),)),
    }
    said = words(report_page(NAME, class_, {}, unreadable=["zoe"]))
    assert "eve: The file is empty." in said
    assert "Graded without a sandbox bob." in said
    assert "Results that cannot be read zoe." in said
    assert "duplicate_cell: 1 time ada: Cell a was there twice." in said
    assert "4 submissions 2 graded 2 not graded" in said


def test_what_comes_from_a_student_is_text() -> None:
    hostile = dataclasses.replace(
        example(),
        notices=(Notice(ATTACK, ATTACK, ATTACK),),
        solutions={ATTACK: "\n".join(f"x{i} = [{i}, {i}, '{ATTACK}']" for i in range(60))},
    )
    text = report_page(ATTACK, {ATTACK: hostile, ATTACK + "2": hostile}, {}, unreadable=[ATTACK])
    tags = structure(text).tags
    assert {tag for tag, _ in tags}.isdisjoint({"script", "img", "iframe", "link"})
    assert not [a for _, attrs in tags for a in attrs if a.startswith("on")]
    assert "Compare the code" in text and "{{ 7*7 }}" in text


def test_no_message_of_the_page_is_left_in_english() -> None:
    shared = "\n".join(f"x{i} = [{i}, {i}, {i}]" for i in range(60))
    items = (item("first", 1.0, visible=verdict("first")), item("second", 0.0, reason="time"))
    one = dataclasses.replace(example(), items=items, notices=(), solutions={"cell": shared})
    with speaking("en-XA"):
        text = words(report_page(NAME, {"ada": one, "ben": one}, {}, lost=["lost"]))
    code = set(re.findall(r"\w+", shared))
    assert untranslated(text, NAME, "ada", "ben", "first", "second", "cell", "lost", *code) == []


@pytest.mark.slow
def test_two_thousand_submissions_in_seconds() -> None:
    class_ = many(2000)
    start = time.monotonic()
    text = report_page(NAME, class_, {})
    assert time.monotonic() - start < 30
    assert "2000 submissions" in words(text)
    assert len(text) < 3_000_000
    numbers = [s.discrimination for s in item_statistics(class_, {})]
    assert all(number is not None and 0.3 < number < 0.8 for number in numbers)


def test_the_page_can_be_used_without_eyes_and_mouse() -> None:
    hostile = {"a": example(), "b": example(), "c": result(status="refused")}
    tags = structure(report_page(NAME, hostile, {}, unreadable=["d"])).tags
    levels = [int(tag[1]) for tag, _ in tags if re.fullmatch(r"h[1-6]", tag)]
    assert levels[0] == 1 and all(b <= a + 1 for a, b in itertools.pairwise(levels))
    names = [tag for tag, _ in tags]
    assert names.count("table") == names.count("caption") > 2
    assert all("scope" in attrs for tag, attrs in tags if tag == "th")
    assert all(a["aria-label"] for tag, a in tags if a.get("class") == "scroll")
    assert all(len(a["aria-label"] or "") > 30 for tag, a in tags if tag == "svg")


def test_functions_that_were_left_are_counted_apart() -> None:
    said = "`f` is not written yet: write it."
    left = item("f", 0.0, visible=verdict("f", failed=2, misconception=said, code="unwritten"))
    wrong = item("f", 0.0, visible=verdict("f", failed=2, misconception="No."))
    class_ = {
        "a": dataclasses.replace(example(), items=(left,)),
        "b": dataclasses.replace(example(), items=(wrong,)),
    }
    (row,) = item_statistics(class_, {})
    assert (row.unwritten, row.failed_visible) == (1, 1)
    assert misconceptions(class_) == [("f", "No.", ["b"])]


def test_points_and_penalties_of_a_class() -> None:
    class_ = {"ann": result(1, 1), "ben": result(0, 1), "cy": result(1, 1), "dan": result(0, 0)}
    points = {
        "ann": standing({}, 1.0),
        "ben": standing({"item_0": 1.5}, 0.0),
        "cy": standing({"item_0": None}, 0.25),
        "dan": standing({"item_0": 0.5}, 3.0),
    }
    told = report._totals(class_, points)
    # the totals after late penalties are 3, 3.5, 1.75 and 0: a negative total counts as 0
    assert (told["maximum"], told["mean"], told["median"]) == (4.0, 2.0625, 2.375)
    assert "from 0 to 3.5" in told["picture"][1]
    assert report._totals({}, {}) == dict.fromkeys(("mean", "median", "picture")) | {"maximum": 0.0}
    text = words(report_page(NAME, class_, points))
    assert "3 lost points for late submission" in text and "2.06 mean of 4 2.38 median" in text


@pytest.mark.parametrize(
    ("totals", "maximum", "counts", "said"),
    [
        ([0.0, 0.9, 1.0, 4.0], 4.0, [2, 1, 0, 1], "between 0 and 1 (2 submissions)"),
        ([2.0], 2.0, [0, 1], "between 1 and 2 (1 submission)"),
        # totals may exceed the maximum by bonus points; each bin is a whole number of points wide
        ([0.0, 50.5, 51.0], 30.0, [1, *[0] * 15, 2], "most often between 48 and 51"),
        ([0.0, 7.0, 8.0], 60.0, [1, 0, 2, *[0] * 17], "most often between 6 and 9 (2 submissions)"),
        ([1.0, 2.0], 2.5, [0, 1, 1], "from 1 to 2 of 2.5 points, most often between 2 and 3"),
    ],
)
def test_the_picture_of_the_points(
    totals: list[float],
    maximum: float,
    counts: list[int],
    said: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    drawn: list[Any] = []
    monkeypatch.setattr(report, "histogram", lambda *told, **more: drawn.append((told, more)))
    _, title = report._distribution(totals, maximum)
    ((edges, found), more) = drawn[0]
    assert found == counts and len(edges) == len(counts) + 1 and edges[0] == 0.0
    assert said in title and more["title"] == title
    for nothing in (([], 3.0), ([0.0], 0.0)):
        assert report._distribution(*nothing) is None


@pytest.mark.parametrize(
    ("last", "mark"),
    [
        ([1, 1, 1, 1, 1, 0, 0, 0, 0, 0], ""),
        ([1, 1, 1, 0, 0, 1, 1, 0, 0, 0], ""),
        ([1, 1, 1, 0, 0, 1, 1, 1, 0, 0], "low"),
        ([0, 0, 0, 0, 1, 1, 1, 1, 1, 1], "look"),
    ],
)
def test_items_that_deserve_a_look_are_marked(last: list[int], mark: str) -> None:
    """An item is marked "low" if it correlates below 0.2 with other items, "look" if below 0."""
    class_ = {f"s{i}": result(i < 5, i < 5, right) for i, right in enumerate(last)}
    text = words(report_page(NAME, class_, {}))
    row = re.search(r"item_2 2 10 [\d.]+ [\d.]+ -?[\d.]+ ?([a-z]*) 0 ", text)
    assert row and row[1] == mark, text


def test_refused_and_waiting_submissions_are_told_apart() -> None:
    essay = item("essay", None, 3.0, kind="manual")
    waits = dataclasses.replace(result(True), items=(*result(True).items, essay))
    class_ = {
        "zoe": result(status="refused", notices=(Notice("a", "One."), Notice("b", "Two."))),
        "ann": waits,
        "ben": dataclasses.replace(waits, sandbox="none"),
        "cy": result(status="refused"),
    }
    points = {"ben": standing({"essay": 1.0})}
    assert "Waiting for a person" not in words(report_page(NAME, {"s": result(True)}, {}))
    text = words(report_page(NAME, class_, points, lost=["x.zip is lost"] * 201))
    assert "4 submissions 2 graded 2 not graded" in text
    assert "cy: no reason was recorded zoe: One. Two." in text
    assert "Waiting for a person essay: 1 submission ann Graded" in text
    assert "1 submission has items that wait for a person" in text
    assert "Graded without a sandbox ben." in text
    assert text.count("x.zip") == 200 and "And 1 more." in text


# --- the search for copies


def pair(first: str, second: str, containment: float = 0.7, hashes: Any = ()) -> Pair:
    return Pair(first, second, 20, containment, 0.5, frozenset(hashes))


def test_the_closest_pairs_are_listed() -> None:
    source = "\n".join(f"c = [{j}, {j + 1}, {j * 7}] + c" for j in range(10))
    class_ = {f"s{i:02}": result(True, solutions={"f": source}) for i in range(21)}
    text = report_page(NAME, class_, {})
    said = words(text)
    assert "210 pairs, compared" in said and "The 200 closest pairs" in said
    assert text.count("<td>s00</td>") == 20 and "<td>s19</td><td>s20</td>" not in text
    del class_["s20"]
    assert "All pairs" in words(report_page(NAME, class_, {}))


def test_groups_hang_together_by_pairs() -> None:
    pairs = [pair("e", "f", 0.9), pair("a", "b", 0.7), pair("g", "h", 0.9), pair("b", "c", 0.8)]
    pairs += [pair("x", "y", 0.65), pair("d", "c", 0.6)]
    assert report._groups(pairs) == [
        (["a", "b", "c", "d"], 0.8),
        (["e", "f"], 0.9),
        (["g", "h"], 0.9),
        (["x", "y"], 0.65),
    ]
    assert report._groups([]) == []


def test_of_each_submission_one_pair_is_shown() -> None:
    pairs = [pair("a", "b"), pair("b", "c"), pair("d", "a"), pair("c", "d"), pair("e", "f")]
    assert report._spread(pairs) == [pairs[0], pairs[3], pairs[4]]
    twenty = [pair(f"a{i}", f"b{i}") for i in range(20)]
    assert report._spread(twenty) == twenty[:12]


def test_two_submissions_side_by_side() -> None:
    shared = "\n".join(f"c = [{j}, {j + 1}, {j * 7}] + c" for j in range(6))
    results = {
        "ann": result(True, solutions={"f": "\n" + shared, "g": "x = 1", "h": shared}),
        "ben": result(True, solutions={"h": "y = 2", "f": f"z = 3\n{shared}\n", "k": shared}),
    }
    told = report._sides(pair("ann", "ben", hashes=prints(shared).hashes), results)
    assert [name for name, _, _ in told["cells"]] == ["f", "h", "k"]
    (_, one, other), (_, _, last), _ = told["cells"]
    assert [text for text, _ in one] == shared.split("\n")
    assert [text for text, _ in other] == ["z = 3", *shared.split("\n")]
    assert [same for _, same in one] == [same for _, same in other[1:]]
    assert one[2][1] and not other[0][1] and last == [("y = 2", False)]


def test_long_code_is_shown_in_part() -> None:
    lines = report._lines("\n\n\tx\n" + "y\n" * 121, frozenset({3, 5}))
    assert lines[:3] == [("    x", True), ("y", False), ("y", True)]
    assert len(lines) == 121 and lines[-1] == ("... (2 more lines)", False)
    assert report._lines("x\n" * 120, frozenset())[-1] == ("x", False)
    assert report._lines("z" * 401, frozenset()) == [("z" * 400 + " ... (1 more character)", False)]


def test_what_everybody_has_is_code_of_both_versions(tmp_path: Path) -> None:
    import nbformat
    from nbformat import v4

    for known, version in (([], "source"), (["source"], "release")):
        assert report.known_texts(tmp_path, NAME) == known
        folder = tmp_path / version / NAME
        folder.mkdir(parents=True)
        cells = [v4.new_code_cell(version), v4.new_markdown_cell("text")]
        nbformat.write(v4.new_notebook(cells=cells), folder / f"{NAME}.ipynb")
    assert report.known_texts(tmp_path, NAME) == ["source", "release"]


@pytest.fixture
def numbers(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the text ``"1-12 20"`` have the fingerprints 1 to 12, and 20.

    Outside of these tests, a fingerprint is a hash of a few successive tokens of a text.
    """

    def told(source: str) -> Prints:
        found: list[int] = []
        for part in source.split():
            first, _, last = part.partition("-")
            found += range(int(first), int(last or first) + 1)
        return Prints(tuple(found), tuple((1, 1) for _ in found))

    monkeypatch.setattr(similarity, "prints", told)


def alike(class_: dict[str, str], known: Any = ()) -> list[tuple[str, str, int, float, float]]:
    pairs = similar({name: {"f": text} for name, text in class_.items()}, known)
    return [(p.first, p.second, p.shared, p.containment, p.jaccard) for p in pairs]


@pytest.mark.parametrize(
    ("one", "other", "known", "found"),
    [
        ("1-12 30", "1-12 40", [], (12, 12 / 13, 12 / 14)),
        ("1-11 30", "1-11 40", [], None),
        # two texts are alike if they share at least 12 fingerprints, and at least three fifths of
        # those of the smaller text
        ("1-12 31-38", "1-12 41-99", [], (12, 0.6, 12 / 79)),
        ("1-12 31-39", "1-12 41-99", [], None),
        # fingerprints (hashes of a few tokens) that are also in `known`, the released texts, do not
        # count, because all students have these texts
        ("1-13 30", "1-13 40", ["5"], (12, 12 / 13, 12 / 14)),
        ("1-13 30", "1-13 40", ["5", "7 99"], None),
        ("1-12", "1-12", [], (12, 1.0, 1.0)),
        ("1-11", "1-11", [], None),
        ("", "", [], None),
    ],
)
def test_from_where_on_two_are_alike(
    one: str, other: str, known: list[str], found: Any, numbers: None
) -> None:
    assert alike({"b": one, "a": other}, known) == ([("a", "b", *found)] if found else [])


@pytest.mark.parametrize(("size", "most"), [(10, 4), (99, 4), (120, 6), (1000, 40), (1600, 40)])
def test_how_many_may_have_what_is_not_common(size: int, most: int, numbers: None) -> None:
    """A fingerprint that more than max(4, min(40, 5 % of the class)) submissions have is ignored.

    A fingerprint, the hash of a few tokens, is then too common to be a sign of copying.
    """
    for holders in (most, most + 1):
        class_ = {
            f"s{i:04}": f"{'1-20 ' * (i < holders)}{100 + 20 * i}-{105 + 20 * i}"
            for i in range(size)
        }
        pairs = holders * (holders - 1) // 2 if holders == most else 0
        assert len(alike(class_)) == pairs


def test_copies_count_once_and_are_all_named(numbers: None) -> None:
    """Equal submissions count as one, so that copying does not make their fingerprints common.

    Common fingerprints (hashes of a few tokens) are no sign of copying, so they are ignored. The
    report names every pair of equal submissions.
    """
    class_ = {f"s{i}": "1-20" for i in range(6)} | {"part": "1-15 50-54", "other": "70-99"}
    found = alike(class_)
    whole = [(f"s{i}", f"s{j}", 20, 1.0, 1.0) for i, j in itertools.combinations(range(6), 2)]
    assert found[:15] == whole
    assert found[15:] == [("part", f"s{i}", 15, 0.75, 15 / 25) for i in range(6)]
    (one,) = similar({"a": {"f": "1-14 30"}, "b": {"f": "1-14 40", "g": "41"}})
    assert one.hashes == frozenset(range(1, 15))


def test_what_a_copy_changes_easily_is_made_equal() -> None:
    def read(source: str) -> list[str]:
        return [word for word, _ in tokens(source)]

    assert read("x = 1_000") == read("y = 1000.0") == ["V", "=", "1000.0"]
    assert read("0xff") == ["0xff"] and read("x = 'a'") == read('y = "b"')
    assert read("math.log(len(x))") == ["V", ".", "log", "(", "len", "(", "V", ")", ")"]
    # a statement that is only a string is left out like a docstring, but other strings are read
    assert read("'doc'\nx = 'a'\n'more'") == ["V", "=", "S"]
    assert read("'a' + 'b'") == ["S", "+", "S"]
    # from a line with a syntax error on, the text is read as words between spaces
    assert tokens("x = 1\n'''open me\nor not") == [
        ("V", 1), ("=", 1), ("1.0", 1), ("'''open", 2), ("me", 2), ("or", 3), ("not", 3),
    ]  # fmt: skip
    assert len(tokens("x " * 30_000)) == 25_000
    assert [line for _, line in tokens("x\n\ny = (\n1)")] == [1, 3, 3, 3, 4, 4]


def plain(cells: dict[str, str]) -> dict[str, str]:
    return {n: re.sub(r"(?m)^\s*### (BEGIN|END) SOLUTION\n?", "", s) for n, s in cells.items()}


SOLUTION = plain({cell.name: cell.source for cell in SOURCE.of_kind("solution")})
KNOWN = [*SOLUTION.values(), *(c.source for c in SOURCE.cells if c.kind == "given")]
ANSWERS = {m.name: SOLUTION | dict(m.cells) for m in BANK}
RIGHT = {m.name: ANSWERS[m.name] for m in BANK if not m.points}


def renamed(source: str) -> str:
    """Return code with other names, spaces and comments, as a student may disguise a copy."""
    names = sorted(set(re.findall(r"\b(?:[a-z]|[a-z]+_[a-z_]+|terms|total|losses)\b", source)))
    for i, name in enumerate(names):
        if name not in ("renyi_divergence", "is", "in"):
            source = re.sub(rf"(?<![.\w]){name}\b(?!\s*=\s*float)", f"var{i}", source)
    out = []
    for line in source.split("\n"):
        out += [line.replace("    ", "  ").replace(", ", ","), "  " * (line[:1] == " ") + "# mine"]
    return "\n".join(out)


def test_independent_right_answers_are_not_alike() -> None:
    assert len(RIGHT) >= 3
    assert similar(RIGHT, KNOWN) == []


def test_of_the_bank_only_what_shares_its_text_is_alike() -> None:
    """Of the example answers `ANSWERS`, only those derived from one another are found alike.

    Four wrong answers are one computation of a Rényi divergence with one change each. Two answers
    that choose the noise of a mechanism are equal except for a square root.
    """
    shared = {"missing_factor", "renyi_exchanged", "renyi_other_sign", "renyi_over_order"}
    shared |= {"design_by_renyi", "design_with_variance"}
    pairs = similar(ANSWERS, KNOWN)
    assert {name for pair in pairs for name in (pair.first, pair.second)} <= shared


@pytest.mark.parametrize("name", RIGHT)
def test_a_disguised_copy_is_found(name: str) -> None:
    copy = {cell: renamed(source) for cell, source in RIGHT[name].items()}
    assert copy != RIGHT[name]
    # also reverse the order of the functions in each cell
    for cell, source in copy.items():
        parts = re.split(r"(?m)^(?=def )", source)
        copy[cell] = "\n".join(reversed(parts))
    (pair,) = similar(RIGHT | {"copy": copy}, KNOWN)
    assert {pair.first, pair.second} == {"copy", name}
    assert pair.containment > 0.75


def test_a_part_of_a_long_answer_is_found() -> None:
    whole = RIGHT["right_in_plain_python"]
    part = SOLUTION | {"renyi_divergence": whole["renyi_divergence"]}
    (pair,) = similar({"whole": whole, "part": part}, KNOWN)
    assert pair.containment > 0.9 > pair.jaccard


def test_who_has_only_the_given_solution_copied_nobody() -> None:
    assert similar({f"s{i}": SOLUTION for i in range(9)}, KNOWN) == []


def test_what_many_have_proves_nothing() -> None:
    def own(i: int) -> str:
        return "\n".join(f"a{i * 40 + j} = {i} * [{j}, {i + j}] + [{i * j}]" for j in range(12))

    common = "\n".join(f"b = [{j}, {j}] + [{j}] * {j * j}" for j in range(40))
    class_ = {f"s{i}": {"f": f"{common}\n{own(i)}"} for i in range(30)}
    assert similar(class_, []) == []
    assert len(similar({name: class_[name] for name in ("s1", "s2")}, [])) == 1


def test_two_who_have_only_what_many_have_copied_nobody() -> None:
    common = "\n".join(f"b = [{j}, {j}] + [{j}] * {j * j}" for j in range(40))
    ends = ["\n".join(f"c{j} = {i} - {j} ** {i * j}" for j in range(12)) for i in range(8)]
    class_ = {f"s{i}": {"f": common, "g": end} for i, end in enumerate(ends)}
    bare = {name: {"f": common} for name in ("s8", "s9")}
    assert len(similar(bare)) == 1
    assert similar(class_ | bare) == []


@pytest.mark.parametrize(
    "source",
    [
        "",
        "def f(:\n  return (((",
        "'''never closed",
        "\x00\x01",
        "if x:\n        y\n   z",
        "\ud800 = 1",
        "é = 'ä' ? $ `",
        "(" * 500,
        "a" * 200_000,
        "'" * 9999,
    ],
)
def test_any_text_can_be_compared(source: str) -> None:
    tokens(source)
    assert similar({"a": {"f": source}, "b": {"f": source + " "}}) in ([], [*_any(source)])


def _any(source: str) -> Iterator[Any]:
    yield from similar({"a": {"f": source}, "b": {"f": source + " "}})


def test_docstrings_strings_and_comments_do_not_count() -> None:
    one = 'def f(x):\n    """One."""\n    raise ValueError("bad")  # no\n'
    two = "def g(y):\n    raise ValueError('worse')\n"
    assert [word for word, _ in tokens(one)] == [word for word, _ in tokens(two)]
    assert [word for word, _ in tokens("x = 'kept'")] == ["V", "=", "S"]


def test_winnowing_keeps_its_promise() -> None:
    """Two texts that share K + WINDOW - 1 successive tokens have a fingerprint in common.

    A fingerprint is the smallest of `WINDOW` successive hashes, each of `K` tokens.
    """
    rng = random.Random(5)
    run_ = [str(rng.randrange(1000)) for _ in range(similarity.K + similarity.WINDOW - 1)]
    for _ in range(50):
        around = [[str(rng.randrange(1000)) for _ in range(rng.randrange(40))] for _ in range(4)]
        one = prints(" ".join([*around[0], *run_, *around[1]]))
        two = prints(" ".join([*around[2], *run_, *around[3]]))
        assert set(one.hashes) & set(two.hashes)


def test_marked_lines_are_the_shared_ones() -> None:
    shared = "\n".join(f"c = [{j}, {j + 1}, {j * 7}] + c" for j in range(10))
    one, two = "x = 1\n" * 3 + shared, shared + "\ny = f(2, 3)"
    (pair,) = similar({"a": {"f": one}, "b": {"f": two}})
    assert alike_lines(one, pair.hashes) >= set(range(5, 13))
    assert not alike_lines(one, pair.hashes) & {1, 2}


@pytest.mark.slow
def test_a_large_class_of_different_texts_is_compared_quickly() -> None:
    rng = random.Random(2)

    def varied(source: str) -> str:
        lines = source.split("\n")
        for _ in range(3):
            place = rng.randrange(len(lines) + 1)
            lines.insert(place, f"    t{rng.randrange(9)} = {rng.randrange(999)} * t + 1")
        return "\n".join(lines)

    pool: dict[str, list[str]] = {name: [source] for name, source in SOLUTION.items()}
    for mutant in BANK:
        for name, source in mutant.cells.items():
            pool[name].append(source)
    class_ = {
        f"s{i}": {name: varied(rng.choice(those)) for name, those in pool.items()}
        for i in range(500)
    }
    start = time.monotonic()
    similar(class_, KNOWN)
    assert time.monotonic() - start < 60


# --- the command `dpteach report`


@pytest.fixture
def course(tmp_path: Path) -> Path:
    (tmp_path / "nbgrader_config.py").write_text("c = get_config()\n")
    (tmp_path / "assignments").mkdir()
    (tmp_path / "assignments" / f"{NAME}.md").write_text("")
    folder = tmp_path / ".grading" / NAME / "results"
    folder.mkdir(parents=True)
    for student in ("ada", "Zoë"):
        (folder / f"{student}.json").write_bytes(example().to_bytes())
    (folder / "bob.json").write_bytes(b"{")
    return tmp_path


@pytest.fixture
def recorded(course: Path) -> str:
    """Fill a gradebook with manual points and one late penalty, and return its database address."""
    from nbgrader.api import Gradebook

    from dpteach.grading.course.folder import course_api

    url: str = course_api(course).coursedir.db_url
    with Gradebook(url) as book:
        book.add_assignment(NAME)
        book.add_notebook(NAME, NAME)
        book.add_grade_cell("conversion", NAME, NAME, max_score=2, cell_type="code")
        book.add_grade_cell("essay", NAME, NAME, max_score=3, cell_type="markdown")
        book.add_solution_cell("essay", NAME, NAME)
        for student in ("ada", "Zoë"):
            book.add_student(student)
            submission = book.add_submission(NAME, student)
            auto = book.find_grade("conversion", NAME, NAME, student)
            auto.auto_score, auto.needs_manual_grade = 1.0, False
            essay = book.find_grade("essay", NAME, NAME, student)
            essay.needs_manual_grade = student == "ada"
            if student == "Zoë":
                essay.manual_score = 2.5
                book.find_comment("essay", NAME, NAME, student).manual_comment = "Nice."
                submission.notebooks[0].late_submission_penalty = 0.5
        book.db.commit()
    return url


@pytest.mark.slow
def test_a_course_without_a_gradebook_has_no_points_and_gets_none(course: Path) -> None:
    from dpteach.grading.course.folder import course_api

    assert report._standings(course_api(course), NAME) == {}
    assert [path.name for path in course.glob("*.db")] == []


@pytest.mark.slow
def test_the_gradebook_s_points_are_read(course: Path, recorded: str) -> None:
    from dpteach.grading.course.folder import course_api

    found = report._standings(course_api(course), NAME)
    assert {student: (one.scores, one.penalty) for student, one in found.items()} == {
        "ada": ({"conversion": 1.0, "essay": None}, 0.0),
        "Zoë": ({"conversion": 1.0, "essay": 2.5}, 0.5),
    }


@pytest.mark.slow
def test_the_exporter_takes_points_and_comments_from_the_gradebook(
    course: Path, recorded: str
) -> None:
    from nbformat import v4
    from traitlets.config import Config

    from dpteach.grading.pages.feedback import FeedbackExporter

    told = {"notebook": NAME, "assignment": NAME, "student": "Zoë", "db_url": recorded}
    notebook = v4.new_notebook()
    exporter = FeedbackExporter(config=Config({"CourseDirectory": {"root": str(course)}}))
    text, resources = exporter.from_notebook_node(notebook, {"nbgrader": told})
    assert resources["output_extension"] == ".html"
    said = words(text)
    assert "3 of 5 points, after a penalty of 0.5 points for late submission" in said
    assert "essay: graded by a person 2.5 of 3 points" in said and "Nice." in said
    text, _ = exporter.from_notebook_node(notebook, {"nbgrader": told | {"student": "nobody"}})
    assert "of 5 points" not in words(text), "nbgrader's own page"


class Told:
    def __init__(self, **values: Any) -> None:
        self.__dict__ |= values


def test_the_command_writes_the_page(course: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for student in ("zed", "cy", "al"):
        (course / ".grading" / NAME / "results" / f"{student}.json").write_bytes(b"")
    told: Any = Told(assignment=NAME, course=course, to=None)
    assert run(told) == 0
    file = Path(capsys.readouterr().out.strip())
    assert file == course / "reports" / f"{NAME}.html"
    assert file.stat().st_mode & 0o077 == 0, "it names students"
    said = words(file.read_text("utf-8"))
    assert "6 submissions 2 graded 4 not graded" in said
    assert "Results that cannot be read al, bob, cy, zed." in said
    assert write_report(course, NAME, course / "here").read_bytes() == file.read_bytes()
    # an assignment whose source in `assignments` is gone still gets a report on its results
    (course / "assignments" / f"{NAME}.md").rename(course / "assignments" / "other.md")
    (course / ".grading" / NAME / "run.json").touch()
    assert write_report(course, NAME).read_bytes() == file.read_bytes()


@pytest.mark.parametrize("name", ["nothing", "../x", ""])
def test_an_unknown_assignment_is_one_line(
    course: Path, name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    told: Any = Told(assignment=name, course=course, to=None)
    assert run(told) == 2
    said = capsys.readouterr().err
    assert said.startswith("dpteach report: ") and said.count("\n") == 1 and NAME in said


def test_a_folder_that_is_no_course_is_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    told: Any = Told(assignment=NAME, course=tmp_path, to=None)
    assert run(told) == 2
    assert "nbgrader_config.py" in capsys.readouterr().err


def test_the_guide_explains_every_notice() -> None:
    """The instructor's guide explains every code under which the report counts notices."""
    codes = {"cell_error", "fatal_cell"}
    for file in (ROOT / "dpteach" / "grading").rglob("*.py"):
        for node in ast.walk(ast.parse(file.read_text("utf-8"))):
            if isinstance(node, ast.Call) and node.args:
                called = getattr(node.func, "id", getattr(node.func, "attr", ""))
                if called in ("Notice", "note", "_RefusedError"):
                    codes |= {
                        part.value
                        for part in ast.walk(node.args[0])
                        if isinstance(part, ast.Constant) and isinstance(part.value, str)
                    }
    assert len(codes) > 20
    guide = (ROOT / "book" / "instructors.md").read_text("utf-8")
    assert [code for code in sorted(codes) if f"`{code}`" not in guide] == []


def test_the_command_says_that_nothing_is_graded_yet(
    course: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    shutil.rmtree(course / ".grading")
    told: Any = Told(assignment=NAME, course=course, to=None)
    assert run(told) == 1
    assert f"no submission of {NAME} is graded yet" in capsys.readouterr().err
