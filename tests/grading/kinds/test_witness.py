"""Tests of checks for witnesses: events that prove that a mechanism violates its guarantee."""

from __future__ import annotations

import itertools
import json
import math
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from dpteach import RandomizedResponse
from dpteach.grading import Case, Exhibit, Mistake, WitnessCheck
from dpteach.grading.author.build import build_source
from dpteach.grading.author.making import make_exam
from dpteach.grading.author.mutants import Mutant, read_bank
from dpteach.grading.author.parts import declared
from dpteach.grading.author.source import SourceError, read_source
from dpteach.grading.core.exam import Exam, Item
from dpteach.grading.judging.credit import credit
from dpteach.grading.judging.judge import judge
from dpteach.grading.judging.questions import questions
from dpteach.grading.judging.verdict import Verdict
from dpteach.grading.kinds.witness import judge as witnesses
from dpteach.grading.kinds.witness.judge import excess
from dpteach.grading.student.runner import run

TEXT = Path(__file__).parent / "courses" / "assignments" / "find_the_fault.md"
SOURCE = read_source(TEXT)
BANK = read_bank(TEXT.parents[1] / "mutants" / TEXT.stem)


def response(table: list[int]) -> dict[int, float]:
    """Return the distribution of randomized response: 0.7 for the true bit, so epsilon = 0.847."""
    return {table[0]: 0.7, 1 - table[0]: 0.3}


def truth(table: list[int]) -> dict[int, float]:
    return {table[0]: 1.0}


def only_ones(table: list[int]) -> list[float]:
    """Return the distribution of a mechanism that reports a 1 as 1, and a 0 as 0 or 1 at random."""
    return [0.0, 1.0] if table[0] else [0.5, 0.5]


def a_witness_check(**changes: Any) -> WitnessCheck:
    arguments: dict[str, Any] = {
        "name": "faults",
        "points": 2,
        "call": "witness",
        "tables": [[0], [1]],
        "outcomes": [0, 1],
        "neighbours": lambda one, other: one != other,
        "epsilon": 1.0,
        "visible": [Exhibit("example", truth, "it tells the truth.")],
        "hidden": [
            Exhibit("tells", truth, "it tells the truth."),
            Exhibit("tells_ones", only_ones, "a zero gives itself away."),
            Exhibit("responds", response),
            Exhibit("is_silent", lambda table: {0: 1.0}),
        ],
        "book": "divergences#max-divergence",
    }
    return WitnessCheck(**(arguments | changes))


RIGHT = {"example": [[1], [0], [1]], "tells": [[1], [0], [1]], "tells_ones": [[0], [1], [0]]}


def an_item(check: WitnessCheck) -> Item:
    visible, hidden = declared(check, 1)
    return Item("x", "check", float(check.points), check.book, check.call, visible, hidden)


def points_of(item: Item, function: Callable[..., Any]) -> float:
    assert item.visible is not None
    assert item.hidden is not None
    return credit(item, run(function, item.visible)[0], run(function, item.hidden)[0])


def exhibits(*laws: Any) -> list[Exhibit]:
    return [Exhibit(f"m{i}", law, "x") for i, law in enumerate(laws)]


@pytest.mark.parametrize(
    ("error", "words", "make"),
    [
        (ValueError, "name must be the name of a function", lambda: Exhibit("a b", truth)),
        (TypeError, "law must be a function", lambda: Exhibit("a", {0: 1.0})),  # type: ignore[arg-type]
        (TypeError, "words must be a string", lambda: Exhibit("a", truth, None)),  # type: ignore[arg-type]
        (TypeError, r"hidden must hold Exhibit\(", lambda: a_witness_check(hidden=[Case(1)])),
        (TypeError, "neighbours must be a function", lambda: a_witness_check(neighbours=None)),
        (TypeError, "tables must be a list", lambda: a_witness_check(tables="ab")),
        (TypeError, "tables must hold lists", lambda: a_witness_check(tables=[1, 2])),
        (ValueError, "tables must differ", lambda: a_witness_check(tables=[[0], [1], [0]])),
        (ValueError, "tables must hold 2 to 300", lambda: a_witness_check(tables=[[0]])),
        (
            ValueError,
            "outcomes must hold 2 to 12",
            lambda: a_witness_check(outcomes=list(range(13))),
        ),
        (
            ValueError,
            "atoms must be at least two different",
            lambda: a_witness_check(outcomes=[0, 0]),
        ),
        (ValueError, "epsilon must be", lambda: a_witness_check(epsilon=-1.0)),
        (ValueError, "delta must be in", lambda: a_witness_check(delta=1.0)),
        (ValueError, "delta must be 0 with an order", lambda: a_witness_check(delta=0.1, order=2)),
        (ValueError, "order must be > 1", lambda: a_witness_check(order=1.0)),
        (ValueError, "hidden must hold the mechanisms", lambda: a_witness_check(hidden=[])),
        (
            ValueError,
            "mistakes must not be given",
            lambda: a_witness_check(mistakes=[Mistake(truth, "x")]),
        ),
        (
            ValueError,
            "name must differ between mechanisms",
            lambda: a_witness_check(hidden=[Exhibit("example", truth, "x")]),
        ),
        (
            ValueError,
            "neighbours must be symmetric",
            lambda: declared(a_witness_check(neighbours=lambda a, b: a > b)),
        ),
        (
            ValueError,
            "neighbours must hold for some",
            lambda: declared(a_witness_check(neighbours=lambda a, b: False)),
        ),
        (
            ValueError,
            "law of responds must keep the claim, or break it by at least 0.01",
            lambda: declared(a_witness_check(epsilon=math.log(7 / 3) - 0.001)),
        ),
        (ValueError, "all are wrong", lambda: declared(a_witness_check(hidden=exhibits(truth)))),
        (
            ValueError,
            "all are right",
            lambda: declared(a_witness_check(hidden=exhibits(response))),
        ),
        (
            ValueError,
            "as many right mechanisms as one witness proves wrong, 2, got hidden=1",
            lambda: declared(a_witness_check(hidden=exhibits(truth, truth, response))),
        ),
        (
            ValueError,
            "words must not be empty",
            lambda: declared(a_witness_check(hidden=[Exhibit("a", truth), Exhibit("b", response)])),
        ),
        (
            ValueError,
            "law of m0: ZeroDivisionError",
            lambda: declared(a_witness_check(hidden=exhibits(lambda table: 1 // 0))),
        ),
        (
            ValueError,
            "must return the declared outcomes only, got .7",
            lambda: declared(a_witness_check(hidden=exhibits(lambda table: {7: 1.0}))),
        ),
        (
            ValueError,
            "with the sum 1 on .*, got 0.5",
            lambda: declared(a_witness_check(hidden=exhibits(lambda table: {1: 0.5}))),
        ),
        (
            ValueError,
            "a probability for each",
            lambda: declared(a_witness_check(hidden=exhibits(lambda table: [1.5, -0.5]))),
        ),
    ],
)
def test_bad_declarations(error: type[Exception], words: str, make: Callable[[], object]) -> None:
    with pytest.raises(error, match=words):
        make()


def test_excess_is_what_the_library_says() -> None:
    """`excess`, by how much a claim is violated, agrees with the library's divergences."""
    from dpteach import divergences

    rng = np.random.default_rng(3)
    for _ in range(20):
        p, q = (rng.dirichlet(np.ones(4)).tolist() for _ in range(2))
        part = {"epsilon": 0.3, "delta": 0.05, "order": None}
        worst = excess(part, p, q)
        assert worst == pytest.approx(divergences.hockey_stick(p, q, 0.3) - 0.05, abs=1e-12)
        events = [e for r in range(5) for e in itertools.combinations(range(4), r)]
        assert worst == pytest.approx(max(excess(part, p, q, event) for event in events))
        of_order = excess({"epsilon": 0.3, "order": 3.0}, p, q)
        assert of_order == pytest.approx(divergences.renyi_divergence(p, q, 3.0) - 0.3)


@pytest.fixture(scope="module")
def exam() -> Exam:
    return make_exam(TEXT, 3)


@pytest.mark.parametrize("mutant", BANK, ids=lambda mutant: mutant.name)
def test_points(exam: Exam, mutant: Mutant) -> None:
    names: dict[str, Any] = {"__name__": "student"}
    for cell in SOURCE.cells:
        if cell.kind in ("given", "solution"):
            exec(mutant.cells.get(cell.name, cell.source), names)
    (item,) = exam.items
    assert points_of(item, names["witness"]) == mutant.points.get(item.name, item.points)
    verdict = run(names["witness"], item.hidden or {})[0]
    assert verdict.passed is not bool(mutant.points)
    assert all(failure["misconception"] for failure in verdict.failures)


def test_a_claim_that_fails_by_just_the_margin_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    part = an_item(a_witness_check()).hidden
    assert part is not None
    found = [{"value": RIGHT.get(case["args"][0])} for case in part["cases"]]
    broken = []
    for case, outcome in zip(part["cases"], found, strict=True):
        if case["wrong"]:
            first, second, *event = witnesses._places(part, outcome["value"])[0]
            law = json.loads(case["law"])
            broken.append(excess(part, law[first], law[second], event))
    for margin, failed in ((min(broken), 0), (math.nextafter(min(broken), 1), 1)):
        monkeypatch.setattr(witnesses, "MARGIN", margin)
        assert judge(part, found).failed == failed


def test_each_mechanism_has_its_share() -> None:
    item = an_item(a_witness_check())
    assert points_of(item, RIGHT.get) == 2
    assert points_of(item, (RIGHT | {"tells": None}).get) == 1
    # accusing one mechanism that satisfies its claimed guarantee costs 1 of 2 points, and accusing
    # two such mechanisms costs both points
    assert points_of(item, (RIGHT | {"responds": [[1], [0], [1]]}).get) == 1
    both = {"responds": [[1], [0], [1]], "is_silent": [[1], [0], [0, 1]]}
    assert points_of(item, (RIGHT | both).get) == 0


@pytest.mark.parametrize("odd", ["nonsense", [[1], [0], []], 0, NotImplementedError(), KeyError(3)])
def test_an_error_or_a_malformed_witness_is_no_verdict(odd: Any) -> None:
    """An answer that is an error or malformed does not accuse the mechanism.

    A valid answer is None or a witness: two tables and an event that show that the mechanism
    violates its claim. The message names the mechanisms without a valid answer.
    """
    item = an_item(a_witness_check())
    assert item.hidden is not None

    def answers(silent: str) -> Callable[[str], Any]:
        def witness(name: str) -> Any:
            if name in silent and isinstance(odd, Exception):
                raise odd
            return odd if name in silent else RIGHT.get(name)

        return witness

    told = {}
    for silent, points in (("responds is_silent", 2), ("tells", 1)):
        assert points_of(item, answers(silent)) == points
        verdict = run(answers(silent), item.hidden)[0]
        assert not verdict.passed
        told[silent] = " ".join(verdict.text().split())
        assert "You accused" not in told[silent]
    assert "There is no verdict on tells, because an error, or a witness" in told["tells"]
    named = re.search(r"no verdict on (\w+), (\w+), because", told["responds is_silent"])
    assert named and {*named.groups()} == {"responds", "is_silent"}


def test_nothing_and_constants_earn_nothing() -> None:
    item = an_item(a_witness_check())

    def blank(name: str) -> None:
        raise NotImplementedError

    assert points_of(item, blank) == 0
    assert points_of(item, lambda name: None) == 0
    for table, other in itertools.permutations([[0], [1]]):
        for event in ([], [0], [1], [0, 1]):
            assert points_of(item, lambda name, w=[table, other, event]: w) == 0


class EqualToAll(list[int]):
    def __eq__(self, other: object) -> bool:
        return True


@pytest.mark.parametrize(
    "odd",
    [
        EqualToAll([1]),
        [EqualToAll([1]), [0], [1]],
        [[1], [0], EqualToAll([1])],
        [[1], [0]],
        [[1], [0], [1], [1]],
        [[1], [0], 1],
        [[1], [0], []],
        [[1], [0], [1, 1]],
        [[1], [0], ["1"]],
        [[1], [0], [None]],
        [[1], [0], [math.nan]],
        [[1], [1], [1]],
        [[2], [0], [1]],
        [[10**300], [0], [1]],
        [[math.nan], [0], [1]],
        [1, 0, [1]],
        [None, None, None],
        [[[1]], [0], [1]],
        [[1] * 10_000, [0], [1]],
        [[1], [0], [[1]] * 1_000],
        [[[1] * 12] * 12, [[1] * 12] * 12, []],
        {"table": [1]},
        "tells",
        False,
        0,
        object(),
        np.ones((3, 1)),
        iter([[1], [0], [1]]),
    ],
    ids=lambda odd: type(odd).__name__,
)
def test_what_is_no_witness(odd: object) -> None:
    item = an_item(a_witness_check())
    assert points_of(item, lambda name: odd) == 0
    visible, hidden = (run(lambda name: odd, part)[0] for part in (item.visible, item.hidden))
    for verdict in (visible, hidden):
        assert verdict.failed == verdict.tried, "an accusation of another form is wrong everywhere"
        assert all(failure["misconception"] for failure in verdict.failures)
        assert len(verdict.text()) < 2_000


def test_equal_numbers_of_other_types_are_the_same_table() -> None:
    item = an_item(a_witness_check())
    for one in ((1,), [1.0], np.array([1]), [True]):
        found = RIGHT | {"tells": (one, [0], (np.int64(1),))}
        assert points_of(item, found.get) == 2


def test_a_claim_of_an_order_needs_no_event() -> None:
    """To refute a mechanism's claim of Rényi DP, a student names two tables, but no event.

    The claim is false if the Rényi divergence of the outputs on the two tables exceeds epsilon.
    """

    def responding(epsilon: float) -> Callable[[list[int]], dict[int, float]]:
        p = RandomizedResponse(epsilon=epsilon).truth_probability
        return lambda table: {table[0]: p, 1 - table[0]: 1 - p}

    weak, strong = responding(0.5), responding(1.0)
    check = a_witness_check(
        epsilon=0.7,
        order=2,
        hidden=[Exhibit("weak", weak), Exhibit("strong", strong, "its divergence is 0.735.")],
    )
    item = an_item(check)
    right = {"example": [[1], [0]], "strong": [[0], [1]]}
    assert points_of(item, right.get) == 2
    assert points_of(item, (right | {"weak": [[0], [1]]}).get) == 0
    verdict = run((right | {"weak": [[0], [1]]}).get, item.hidden or {})[0]
    assert "The divergence of the distributions is 0." in verdict.misconception
    assert points_of(item, lambda name: [[0], [1], [0]]) == 0


def test_what_students_are_told() -> None:
    item = an_item(a_witness_check())
    assert item.visible is not None
    assert item.hidden is not None
    passed = run(RIGHT.get, item.visible)[0].text()
    passed_in_one_line = " ".join(passed.split())
    assert (
        "This check can judge only the form of 4 answers; the feedback after grading tells you "
        "whether they are right."
    ) in passed_in_one_line
    assert "A witness counts if the claim fails by at least 0.01." in passed_in_one_line
    # the visible check refuses an empty event, because such an event proves nothing
    empty = run((RIGHT | {"tells": [[1], [0], []]}).get, item.visible)[0]
    assert not empty.passed and "The event is empty" in empty.text()
    # the visible check passes answers that accuse a right mechanism or spare a wrong one, because
    # it must not reveal which mechanisms are wrong
    assert run({"example": RIGHT["example"]}.get, item.visible)[0].passed
    assert run((RIGHT | {"responds": [[1], [0], [1]]}).get, item.visible)[0].passed
    told = " ".join(run((RIGHT | {"tells": [[0], [1], [1]]}).get, item.hidden)[0].text().split())
    assert "With the two tables exchanged, it is a witness." in told
    told = " ".join(run((RIGHT | {"responds": [[1], [0], [1]]}).get, item.hidden)[0].text().split())
    assert (
        "`responds`: The event has the probability 0.7 on the first table and 0.3 on the second"
        in told
    )
    assert (
        "Of 2 wrong mechanisms, 2 are proved wrong. You accused right mechanisms: responds." in told
    )
    assert run(RIGHT.get, item.hidden)[0].text() == (
        "faults: right on 4 of 4 hidden cases. Of 2 wrong mechanisms, 2 are proved wrong."
    )


def test_a_weak_witness_is_told_whether_the_claim_is_true() -> None:
    """If a witness proves nothing, the hint says whether the claim is true or fails elsewhere."""

    def told(check: WitnessCheck, **answers: Any) -> dict[str, Any]:
        verdict = run((RIGHT | answers).get, an_item(check).hidden or {})[0]
        assert verdict.failed == 1
        return verdict.failures[0]

    false = told(a_witness_check(), tells=[[1], [0], [0, 1]])
    assert false["misconception"].endswith(
        "The claim holds here, but it fails for other tables or for another event."
    )
    assert false["expected"] == "a witness that breaks the claim"
    true = told(a_witness_check(), responds=[[1], [0], [1]])
    assert true["misconception"].endswith(
        "The claim holds here and everywhere else, so the right answer is None."
    )
    assert true["expected"] == "None: it keeps its claim"
    laws = [
        Exhibit("tells", told_of_two, "it tells."),
        Exhibit("is_silent", lambda table: {0: 1.0}),
    ]
    example = [Exhibit("example", told_of_two, "it tells.")]
    renyi = a_witness_check(tables=[[0], [1], [2]], order=2, visible=example, hidden=laws)
    answers = {"example": [[0], [2]], "tells": [[0], [1]]}
    verdict = run(answers.get, an_item(renyi).hidden or {})[0]
    assert verdict.misconception.endswith("holds for these tables, but it fails for others.")


def told_of_two(table: list[int]) -> dict[int, float]:
    """Return the distribution of a mechanism's output, which differs only for the table [2]."""
    return {0: 0.1, 1: 0.9} if table == [2] else {0: 0.9, 1: 0.1}


def test_the_student_has_no_law_but_the_examples() -> None:
    visible, hidden = declared(a_witness_check(), 1)
    assert hidden is not None
    assert [case["law"] is None for case in visible["cases"]] == [False, True, True, True, True]
    assert [case["wrong"] for case in visible["cases"]] == [True, None, None, None, None]
    assert "gives itself away" not in json.dumps(visible)
    for part in (visible, hidden):
        for case in questions(part)["cases"]:
            assert set(case) == {"args", "kwargs"}


@pytest.mark.parametrize(
    "found",
    [
        None,
        [],
        [{}],
        [{"value": {"a": 1}}] * 4,
        [{"value": [[[[[[[[[[[1]]]]]]]]]]]}] * 4,
        [{"value": [[1], [0], [{"float": "nan"}]]}] * 4,
        [{"value": [[1 << 100_000], [0], [1]]}] * 4,
        [{"accepts": True}] * 4,
        [{"guesses": []}] * 4,
        [{"raises": "S3CRET", "kinds": [], "message": "S3CRET"}] * 4,
    ],
)
def test_any_json_has_a_verdict(found: Any) -> None:
    part = declared(a_witness_check(), 1)[1]
    assert part is not None
    verdict = judge(part, found)
    assert verdict.earned == 0
    data = json.dumps(verdict.to_data(), allow_nan=False)
    assert Verdict.from_data(json.loads(data)) == verdict
    assert "S3CRET" not in data


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        (
            "return sum(honest(bit, rng) for bit in table)",
            "return sum(table)",
            "asked_once must be that",
        ),
        ("def asked_once(", "def asked_never(", "defines, got name='asked_once'"),
        (
            "rng.integers(-1, 2)",
            "rng.integers(-1, 3)",
            "law of small_noise must be that of its code",
        ),
        ("[1, 0, 0], [-1]]", "[1, 0, 0], [1]]", "solution does not pass"),
    ],
)
def test_the_build_refuses(tmp_path: Path, old: str, new: str, words: str) -> None:
    """The build refuses wrong solutions, and wrong declared distributions of mechanisms."""
    text = TEXT.read_text("utf-8")
    assert text.count(old) == 1
    path = tmp_path / "find_the_fault.md"
    path.write_text(text.replace(old, new), encoding="utf-8")
    with pytest.raises(SourceError, match=words):
        build_source(path, tmp_path / "out")
