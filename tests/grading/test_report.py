"""The instructor's page and the search for copies, for classes of 0, 1 and 2,000."""

from __future__ import annotations

import ast
import dataclasses
import itertools
import random
import re
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from test_feedback import ATTACK, example, item, structure, verdict, words

from dpteach.grading.author.mutants import read_bank
from dpteach.grading.author.source import read_source
from dpteach.grading.core.result import Notice, Result
from dpteach.grading.course.points import Points, points_of
from dpteach.grading.judging._failures import odd
from dpteach.grading.pages import similarity
from dpteach.grading.pages.items import correlation, item_statistics, misconceptions
from dpteach.grading.pages.report import (
    report_page,
    run,
    write_report,
)
from dpteach.grading.pages.similarity import alike_lines, prints, similar, tokens

ROOT = Path(__file__).resolve().parents[2]
COURSE = ROOT / "course_src"
NAME = "renyi_dp"
SOURCE = read_source(COURSE / "assignments" / f"{NAME}.md")
BANK = read_bank(COURSE / "mutants" / NAME)


def answer(name: str, right: bool) -> Any:
    """An item that is all or nothing."""
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
    assert correlation(list(range(9)), [1] * 9) == (None, "all have the same points elsewhere")


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
    # item 1 against the points of items 0 and 2: 4 4 2 2 2 4 over 1 1 1 0 0 0
    assert middle.discrimination == pytest.approx(1 / 3)
    assert middle.share == 0.5 and middle.failed_visible == 3 and middle.failed_hidden == 0
    assert last.graded == 6


def test_a_person_s_points_count_and_who_waits_is_named() -> None:
    class_ = {f"s{i}": result(i % 2 == 0, True) for i in range(6)}
    final = {
        "s0": Points({"item_0": None, "item_1": 2.0}),
        "s1": Points({"item_0": 1.5, "item_1": 2.0}, penalty=1.0),
    }
    first, _ = item_statistics(class_, final)
    assert first.waiting == 1 and first.graded == 5 and first.mean == (1.5 + 2 + 0 + 2 + 0) / 5
    text = words(report_page(NAME, class_, final))
    assert "item_0: 1 submission s0" in text
    assert "1 lost points for being late" in text
    assert "counts as 0 points here and in the picture: 1 submission has such items" in text
    assert "counts as 0 points" not in words(report_page(NAME, class_, {}))


def test_misconceptions_are_counted_once_a_student() -> None:
    seen = verdict("a", failed=2, misconception="No.")
    unseen = verdict("a", hidden=True, failed=1, misconception="Never.")
    one = dataclasses.replace(example(), items=(item("a", 0.0, visible=seen, hidden=unseen),))
    assert misconceptions({"s": one, "t": one}) == [("a", "No.", ["s", "t"])]


def test_calls_that_were_ended_are_named_among_the_time_outs() -> None:
    """Whichever case it was: the item was judged, and no misconception is behind it."""
    late = odd({"hidden": False, "call": "f"}, {"late": 10.0}, "")
    assert late is not None
    loop = {"returned": late.returned, "misconception": late.misconception}
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
    for sentence in ("ada grid_order time was over", "too much memory", "the kernel died"):
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
    left = item("f", 0.0, visible=verdict("f", failed=2, misconception=said))
    wrong = item("f", 0.0, visible=verdict("f", failed=2, misconception="No."))
    class_ = {
        "a": dataclasses.replace(example(), items=(left,)),
        "b": dataclasses.replace(example(), items=(wrong,)),
    }
    (row,) = item_statistics(class_, {})
    assert (row.unwritten, row.failed_visible) == (1, 1)
    assert misconceptions(class_) == [("f", "No.", ["b"])]


# --- copies


def plain(cells: dict[str, str]) -> dict[str, str]:
    return {n: re.sub(r"(?m)^\s*### (BEGIN|END) SOLUTION\n?", "", s) for n, s in cells.items()}


SOLUTION = plain({cell.name: cell.source for cell in SOURCE.of_kind("solution")})
KNOWN = [*SOLUTION.values(), *(c.source for c in SOURCE.cells if c.kind == "given")]
ANSWERS = {m.name: SOLUTION | dict(m.cells) for m in BANK}
RIGHT = {m.name: ANSWERS[m.name] for m in BANK if not m.points}


def renamed(source: str) -> str:
    """Other names for what the student chose to call so, another layout, comments, docstrings."""
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
    """Three wrong answers of the bank are the same log-sum-exp with one thing changed.

    One other has the formula of another, and checks before it.
    """
    shared = {"digits_lost_near_one", "missing_factor", "renyi_exchanged"}
    shared |= {"sums_loosely", "trusts_its_arguments"}
    pairs = similar(ANSWERS, KNOWN)
    assert {name for pair in pairs for name in (pair.first, pair.second)} <= shared


@pytest.mark.parametrize("name", RIGHT)
def test_a_disguised_copy_is_found(name: str) -> None:
    copy = {cell: renamed(source) for cell, source in RIGHT[name].items()}
    assert copy != RIGHT[name]
    # the functions of a cell in another order, too
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
    """A shared run of K + WINDOW - 1 tokens has a shared fingerprint, wherever it stands."""
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


# --- the command


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
    """A gradebook in which a person gave points and one submission was late; its address."""
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
def test_the_gradebook_s_points_are_read_at_once(course: Path, recorded: str) -> None:
    assert points_of(course, NAME) == {
        "ada": Points({"conversion": 1.0, "essay": None}, 0.0),
        "Zoë": Points({"conversion": 1.0, "essay": 2.5}, 0.5),
    }
    assert points_of(course, "other") == {}


@pytest.mark.slow
def test_the_exporter_takes_points_and_comments_from_the_gradebook(recorded: str) -> None:
    from nbformat import v4

    from dpteach.grading.pages.feedback import FeedbackExporter

    told = {"notebook": NAME, "assignment": NAME, "student": "Zoë", "db_url": recorded}
    notebook = v4.new_notebook()
    notebook.metadata["dpteach"] = dataclasses.asdict(example())
    text, _ = FeedbackExporter().from_notebook_node(notebook, {"nbgrader": told})
    said = words(text)
    assert "3 of 5 points, after a penalty for handing in late of 0.5 points" in said
    assert "essay: graded by a person 2.5 of 3 points" in said and "Nice." in said
    text, _ = FeedbackExporter().from_notebook_node(
        notebook, {"nbgrader": told | {"student": "nobody"}}
    )
    assert "4.6 of 33 points" in words(text), "the result's own points"


class Told:
    def __init__(self, **values: Any) -> None:
        self.__dict__ |= values


def test_the_command_writes_the_page(course: Path, capsys: pytest.CaptureFixture[str]) -> None:
    told: Any = Told(assignment=NAME, course=course, to=None)
    assert run(told) == 0
    file = Path(capsys.readouterr().out.strip())
    assert file == course / "reports" / f"{NAME}.html"
    assert file.stat().st_mode & 0o077 == 0, "it names students"
    said = words(file.read_text("utf-8"))
    assert "3 submissions 2 graded 1 not graded" in said
    assert write_report(course, NAME, course / "here").read_bytes() == file.read_bytes()


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
    """A code that the report counts by stands in the instructor's guide."""
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
