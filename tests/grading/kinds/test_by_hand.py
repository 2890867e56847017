"""Tests of checks of numbers computed by hand: how numbers are read, and what messages reveal."""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from dpteach import divergences
from dpteach.grading import Case, Fresh, HandCheck, Mistake, Relative
from dpteach.grading.author.parts import declared, same_answers
from dpteach.grading.core.exam import Item
from dpteach.grading.judging.credit import credit
from dpteach.grading.judging.judge import judge
from dpteach.grading.judging.questions import questions
from dpteach.grading.judging.verdict import Verdict
from dpteach.grading.kinds.hand.judge import near, units
from dpteach.grading.student.runner import run

RIGHT = [0.143841, 0.693147]


def both(p: list[float], q: list[float]) -> list[float]:
    return [divergences.kl_divergence(p, q), divergences.max_divergence(p, q)]


def in_bits(p: list[float], q: list[float]) -> list[float]:
    return [number / math.log(2) for number in both(p, q)]


def a_check(**changes: Any) -> HandCheck:
    arguments: dict[str, Any] = {
        "name": "on_paper",
        "points": 2,
        "call": "by_hand",
        "visible": [Case([0.5, 0.5], [0.75, 0.25])],
        "expected": both,
        "digits": 6,
        "mistakes": [
            Mistake(in_bits, "In bits."),
            Mistake(lambda p, q: both(q, p), "Exchanged."),
        ],
        "book": "divergences#kl-divergence",
    }
    return HandCheck(**(arguments | changes))


def one_number(value: Any, **changes: Any) -> HandCheck:
    """Return a check of numbers computed by hand whose right answer is `value`."""
    mistakes = changes.pop("mistakes", [])
    return a_check(visible=[Case()], expected=lambda: value, mistakes=mistakes, **changes)


def judged(function: Callable[[], Any], check: HandCheck | None = None) -> tuple[Verdict, Verdict]:
    """Return the verdict of the visible and that of the hidden check on a function."""
    visible, hidden = declared(check or a_check())
    assert hidden is not None
    return run(function, visible)[0], run(function, hidden)[0]


def points(function: Callable[[], Any], check: HandCheck | None = None) -> float:
    visible, hidden = declared(check or a_check())
    item = Item("on_paper", "check", 2.0, "", "by_hand", visible, hidden)
    return credit(item, *judged(function, check))


class Lying(float):
    def __eq__(self, other: object) -> bool:
        return True

    def __round__(self, digits: Any = None) -> Any:
        return 143841

    __hash__ = float.__hash__


class Numbers(list):  # type: ignore[type-arg]
    pass


@pytest.mark.parametrize(
    "answer",
    [
        RIGHT,
        (0.143841, 0.693147),
        np.array(RIGHT),
        [np.float64(0.143841), np.float32(0.693147)],
        [math.log(4 / 3) / 2, math.log(2)],
        [0.1438404, 0.6931479],
        [0.143840, 0.693148],
        [0.14384103622589045, 0.6931471805599453],
    ],
)
def test_right_in_any_style(answer: Any) -> None:
    visible, hidden = judged(lambda: answer)
    assert visible.passed
    assert hidden.passed
    assert points(lambda: answer) == 2


@pytest.mark.parametrize(
    ("answer", "told"),
    [
        ([0.207519, 1.0], "In bits."),
        ([0.207519, 0.5], "Number 1: In bits."),
        ([0.207520, 7.0], "Number 1: In bits."),
        ([0.130812, 0.405465], "Exchanged."),
        ([0.5, 0.405465], "Number 2: Exchanged."),
        ([0.207519, 0.405465], "Number 1: In bits. Number 2: Exchanged."),
        (0.143841, "The answer must be a list of 2 numbers."),
        ([0.143841], "The answer must be a list of 2 numbers."),
        ([0.143841, 0.693147, 0.0], "The answer must be a list of 2 numbers."),
        ([RIGHT], "The answer must be a list of 2 numbers."),
        ([[0.143841], [0.693147]], "The answer must be a list of 2 numbers."),
        ([], "The answer must be a list of 2 numbers."),
        (None, "there is a `return`"),
        ([0.143841, None], "there is a `return`"),
        ("0.143841, 0.693147", "A string is not a number"),
        (["0.143841", "0.693147"], "A string is not a number"),
        ([0.143841, "ln 2"], "A string is not a number"),
        ([True, 0.693147], "The function returned True or False"),
        ([math.nan, 0.693147], "NaN"),
        ({"kl": 0.143841, "max": 0.693147}, "Return plain numbers"),
        ([1j, 0.693147], "Return plain numbers"),
        ([Lying(0.143841), 0.693147], "Return plain numbers"),
        (Numbers(RIGHT), "Return plain numbers"),
        (np.array(RIGHT, dtype=object), "Return plain numbers"),
        (iter(RIGHT), "Return plain numbers"),
        (lambda: RIGHT, "Return plain numbers"),
        ([0.0] * 2_000_000, "Return plain numbers"),
    ],
    ids=lambda value: str(value).partition(" at 0x")[0][:40],
)
def test_what_is_told_at_once(answer: Any, told: str) -> None:
    visible, hidden = judged(lambda: answer)
    assert told in visible.misconception
    assert told in hidden.misconception
    assert points(lambda: answer) == 0


@pytest.mark.parametrize(
    ("answer", "told"),
    [
        ([0.143843, 0.69315], "none of the 2 numbers is right"),
        ([0.14, 0.69], "none of the 2 numbers is right"),
        ([-0.143841, -0.693147], "none of the 2 numbers is right"),
        ([0.693147, 0.143841], "in the wrong order"),
        ([0.0, 0.0], "none of the 2 numbers is right"),
        ([math.inf, -math.inf], "none of the 2 numbers is right"),
        ([10**1000, -(10**1000)], "none of the 2 numbers is right"),
        ([1e308, 5e-324], "none of the 2 numbers is right"),
    ],
    ids=lambda value: str(value).partition(" at 0x")[0][:40],
)
def test_other_numbers_are_told_when_it_is_graded(answer: Any, told: str) -> None:
    visible, hidden = judged(lambda: answer)
    assert visible.passed
    assert "on_paper: can be read, as" in visible.text()
    assert len(visible.text()) < 250
    assert told in f"{hidden.returned}; {hidden.misconception}"
    assert points(lambda: answer) == 0


@pytest.mark.parametrize(
    ("answer", "at_once", "which"),
    [
        ([0.143841, 0.7], "", "number 1 is right (1 of 2), and number 2 is not"),
        ([0.7, 0.693147], "", "number 2 is right (1 of 2), and number 1 is not"),
        ([0.207519, 0.693147], "Number 1: In bits.", "number 2 is right (1 of 2)"),
        ([0.143841, 0.405465], "Number 2: Exchanged.", "number 1 is right (1 of 2)"),
        ([-0.5, 0.693147], "Number 1 cannot be negative", "number 2 is right (1 of 2)"),
    ],
)
def test_each_right_number_earns_its_share(answer: Any, at_once: str, which: str) -> None:
    """If one of two numbers is right, it earns half of the points, whatever the other number is."""
    check = a_check(sorts=["positive", "positive"])
    visible, hidden = judged(lambda: answer, check)
    assert visible.misconception.startswith(at_once) and visible.passed == (not at_once)
    assert hidden.returned.startswith(which)
    assert points(lambda: answer, check) == 1


def test_a_share_is_rounded_down_to_hundredths() -> None:
    check = one_number([2.5, 3.5, 4.5], digits=1)
    assert points(lambda: [2.5, 3.5, 0], check) == 1.33
    assert points(lambda: [2.5, 0, 0], check) == 0.66
    assert points(lambda: [2.5, 3.5, 4.5], check) == 2


def test_zeros_earn_nothing_where_the_text_says_how_many_there_are() -> None:
    wrong = Mistake(lambda: [1, 1, -1, 0, 0], "Twice.")
    check = one_number([0.5, 0.5, -0.5, 0, 0], nonzero=3, digits=1, mistakes=[wrong])
    for answer, earned, returned in (
        ([0, 0, 0, 0, 0], 0, "a list"),
        ([0.5, 0.5, 0, 0, 0], 0, "a list"),
        ([0.5, 0.5, -0.5, 0.5, 0], 0, "a list"),
        ([1, 1, -1, 0, 0], 0, "none of the 3 numbers that are not 0 is right"),
        ([0.5, 0, 0, 1, 1], 0.66, "of the 3 numbers that are not 0, number 1 is right"),
        (
            [0.5, 0.5, 0, 0, 1],
            1.33,
            "of the 3 numbers that are not 0, numbers 1 and 2 are right",
        ),
    ):
        assert points(lambda answer=answer: answer, check) == earned, answer  # type: ignore[misc]
        verdict = judged(lambda answer=answer: answer, check)[1]  # type: ignore[misc]
        assert verdict.returned.startswith(returned), answer
    assert judged(lambda: [1, 1, -1, 0, 0], check)[1].misconception == "Numbers 1, 2 and 3: Twice."


@pytest.mark.parametrize("answer", [[71.23456, 0.0], 71.23456, "71.23456", [[71.23456]]], ids=str)
def test_what_comes_back_when_hidden_cases_are_known_is_not_shown(answer: Any) -> None:
    """The hidden verdict does not repeat the returned number, which may be from a hidden case."""
    visible, hidden = judged(lambda: answer)
    assert "71.23456" in visible.text()
    assert "71.23456" not in json.dumps(hidden.to_data())


def test_the_visible_check_says_how_it_was_read() -> None:
    said = judged(lambda: [0.14, -7])[0].text()
    assert said == (
        "on_paper: can be read, as 0.140000, -7.000000. The notebook cannot check whether it is "
        "right; the feedback after grading tells you."
    )
    assert "a number with 995 digits" in judged(lambda: 10**994, one_number(1.5))[0].text()


@pytest.mark.parametrize("answer", [[0.1838, 0.693147], [0.5, 0.25], [0.300, 2]], ids=str)
def test_zeros_at_the_end_of_a_number_are_not_missed(answer: list[float]) -> None:
    """Digits are not reported missing if they may be final zeros, which a float does not record."""
    said = judged(lambda: answer)[0].said
    assert said.endswith("whether it is right; the feedback after grading tells you.")


def test_a_decimal_comma() -> None:
    visible, _ = judged(lambda: (0, 5), one_number(0.5))
    assert "Python reads 0,5 as two numbers" in visible.misconception


def test_nothing_yet() -> None:
    def blank() -> Any:
        raise NotImplementedError

    visible, hidden = judged(blank)
    assert "not written yet" in visible.misconception
    assert not hidden.passed
    assert points(blank) == 0
    assert "ZeroDivisionError" in judged(lambda: [1 / 0, 0])[0].returned


def test_an_answer_that_changes_is_what_it_is_when_graded() -> None:
    answers = [RIGHT, [0.5, 0.5]]
    visible, hidden = judged(lambda: answers.pop(0))
    assert visible.passed
    assert not hidden.passed


@pytest.mark.parametrize("constant", [0, 1, -1, math.inf, [0, 0], [1, 1], [0.5, 0.5], None, ""])
def test_a_constant_earns_nothing(constant: Any) -> None:
    assert points(lambda: constant) == 0


def test_the_number_is_not_in_what_students_get() -> None:
    visible, hidden = declared(a_check(), seed=3)
    assert hidden is not None
    text = json.dumps(visible)
    # students must see neither the right numbers nor the wrong numbers that known mistakes give,
    # from which the right ones can be computed
    for number in (0.143841, 0.693147, 0.207519, 0.130812, 0.405465):
        assert str(number)[1:] not in text
        assert str(units(number, 6)) not in text
    assert "expected" not in text
    assert hidden["cases"][0]["expected"] == [143841, 693147]
    assert questions(hidden) == {"cases": [{"args": [], "kwargs": {}}]}


def test_an_exam_has_fingerprints_of_its_own() -> None:
    parts = [declared(a_check(), seed) for seed in (1, 2)]
    assert parts[0][0] == parts[1][0]
    assert parts[0][1] != parts[1][1]
    assert all(part is not None for _, part in parts)


@pytest.mark.parametrize(
    "outcomes", [None, [], "x", [{"value": {"dict": {}}}], [{}], [{"value": []}]]
)
def test_any_outcome_has_a_verdict(outcomes: Any) -> None:
    for part in declared(a_check()):
        assert part is not None
        assert not judge(part, outcomes).passed


def test_infinity_is_a_number() -> None:
    check = a_check(
        visible=[Case([0.5, 0.5], [1.0, 0.0])],
        expected=lambda p, q: [divergences.total_variation(p, q), math.inf],
        mistakes=[Mistake(lambda p, q: [0.5, 0.0], "Left out.")],
    )
    assert judged(lambda: [0.5, math.inf], check)[1].passed
    assert not judged(lambda: [0.5, -math.inf], check)[1].passed
    assert not judged(lambda: [0.5, 1e308], check)[1].passed
    assert judged(lambda: [0.5, 0.0], check)[0].misconception.startswith("Number 2: Left out.")
    wrong = one_number(2.0, mistakes=[Mistake(lambda: math.inf, "It ends.")])
    assert judged(lambda: math.inf, wrong)[0].misconception == "It ends."


def test_tables_and_whole_numbers() -> None:
    table = [[1, 2, 3], [4, 5, 6]]
    check = one_number(table, digits=0, tolerance=0)
    assert judged(lambda: np.array(table), check)[1].passed
    assert "place" not in judged(lambda: table, check)[1].text()
    wrong = judged(lambda: [[1, 2, 3], [4, 5, 7]], check)[1]
    assert wrong.returned == (
        "Counted row by row: numbers 1, 2, 3, 4 and 5 are right (5 of 6), and number 6 is not"
    )
    assert (wrong.earned, wrong.of) == (5, 6)
    assert judged(lambda: [1, 2, 3], check)[0].misconception == (
        "The answer must be a list of 2 rows of 3 numbers."
    )


@pytest.mark.parametrize(("tolerance", "most"), [(0, 0), (1, 1), (5, 5)])
def test_tolerance_is_in_units_of_the_last_digit(tolerance: int, most: int) -> None:
    check = one_number(0.2503, digits=4, tolerance=tolerance)
    for off in range(-7, 8):
        right = judged(lambda off=off: (2503 + off) / 10_000, check)[1].passed  # type: ignore[misc]
        assert right == (abs(off) <= most)


def test_a_right_number_is_no_mistake_however_near() -> None:
    """A number within the tolerance of the right one passes, even if a known wrong number is close.

    The build refuses a known wrong number (`Mistake`) within twice the tolerance of the right
    number, because an answer between the two would match both.
    """
    near_by = [Mistake(lambda: 0.2505, "Near."), Mistake(lambda: 0.2506, "Apart.")]
    with pytest.raises(ValueError, match=r"tells the mistake 'Near\.' from the right"):
        declared(one_number(0.2503, digits=4, mistakes=near_by))
    check = one_number(0.2503, digits=4, mistakes=near_by[1:])
    for number in (0.2502, 0.2503, 0.2504):
        assert judged(lambda number=number: number, check)[1].passed  # type: ignore[misc]
        assert judged(lambda number=number: number, check)[0].passed  # type: ignore[misc]
    assert judged(lambda: 0.2505, check)[0].misconception == "Apart."


def test_of_two_mistakes_the_one_with_more_of_the_numbers_is_named() -> None:
    mistakes = [Mistake(lambda: [0.5, 0.25], "One order."), Mistake(lambda: [0.5, 0.125], "Two.")]
    check = one_number([0.75, 0.25], mistakes=mistakes)
    told = "Number 1: One order. Or: Two."
    assert judged(lambda: [0.5, 0.25], check)[0].misconception == told
    both = judged(lambda: [0.5, 0.125], check)[0]
    assert both.mistake == 1
    assert both.misconception == "Two."
    assert judged(lambda: [0.5, 0.3], check)[0].misconception == told


@pytest.mark.parametrize(
    ("answer", "told"),
    [
        ([2.0, 2.0, 2.0], ""),
        ([0.0, 0.0, 0.0], "Numbers 1 and 2: Zeros."),
        ([2.0, 0.5, 0.125], "Number 1: Two."),
        ([0.123456, 0.123456, 0.123456], "Number 3: Third."),
    ],
)
def test_equal_round_numbers_name_only_a_mistake_that_explains_most_of_them(
    answer: list[float], told: str
) -> None:
    mistakes = [
        Mistake(lambda: [2.0, 0.2, 0.3], "Two."),
        Mistake(lambda: [0.0, 0.0, 0.3], "Zeros."),
        Mistake(lambda: [0.1, 0.2, 0.123456], "Third."),
    ]
    check = one_number([0.1, 0.2, 0.3], mistakes=mistakes)
    visible, _ = judged(lambda: answer, check)
    assert visible.misconception.startswith(told) and bool(visible.misconception) == bool(told)


def test_next_to_a_known_mistake_an_impossible_number_is_named() -> None:
    mistakes = [Mistake(lambda: [0.512345, 0.25], "Known.")]
    check = one_number([0.754321, 0.25], mistakes=mistakes, sorts=["probability", "probability"])
    told = judged(lambda: [0.512345, 28.712345], check)[0].misconception
    assert told == "Number 1: Known. Number 2 is a probability, from 0 to 1; yours is 28.712345."
    sorts = ["probability", "positive"]
    check = one_number(
        [0.754321, 0.25], mistakes=[Mistake(lambda: [5.0, 0.25], "Known.")], sorts=sorts
    )
    assert judged(lambda: [5.0, 0.3], check)[0].misconception == "Number 1: Known."


def test_what_the_text_gives_may_be_left_out() -> None:
    check = HandCheck(name="two", points=1, call="two", expected=lambda: 2.5, digits=1)
    assert check.visible == (Case(),)
    assert judged(lambda: 2.5, check)[1].passed


@pytest.mark.parametrize(("digits", "same"), [(1, True), (2, False)])
def test_two_mistakes_with_the_same_numbers_are_named(digits: int, same: bool) -> None:
    mistakes = [Mistake(lambda: 3.5, "A."), Mistake(lambda: 3.51, "B.")]
    check = one_number(2.5, mistakes=mistakes, digits=digits)
    assert ("'A.' and 'B.' give the same" in same_answers(check, *declared(check))) == same


def test_mistakes_may_be_recognised_by_all_their_numbers_only() -> None:
    changes: dict[str, Any] = {
        "digits": 1,
        "tolerance": 0,
        "mistakes": [
            Mistake(lambda: [1, 1, -1], "Twice."),
            Mistake(lambda: [0.5, 0.5, 0.5], "Added."),
        ],
    }
    check = one_number([0.5, 0.5, -0.5], together=True, **changes)
    for answer, told in (([1.0, 1, -1], "Twice."), ([0.5] * 3, "Added."), ([0.5, 0.5, -1], "")):
        visible, hidden = judged(lambda answer=answer: answer, check)
        assert visible.misconception == told
        assert not hidden.passed
        if told:
            assert hidden.misconception == told
        else:
            assert hidden.returned == "numbers 1 and 2 are right (2 of 3), and number 3 is not"
            assert hidden.misconception.startswith("Compute the wrong numbers again")
    assert points(lambda: [0.5, 0.5, -0.5], check) == 2
    # without `together`, each number is judged alone: -1 is the third number of the mistake
    # "Twice.", so its message is shown, although the first two numbers differ from this mistake's
    (alone, _) = judged(lambda: [0.5, 0.5, -1], one_number([0.5, 0.5, -0.5], **changes))
    assert alone.misconception == "Number 3: Twice."
    same = changes | {"mistakes": [Mistake(lambda: [0.5, 0.5, -0.5], "Right.")]}
    with pytest.raises(ValueError, match="no case of on_paper tells the mistake"):
        declared(one_number([0.5, 0.5, -0.5], together=True, **same))


def test_how_many_numbers_are_not_0_is_said_at_once_unless_a_mistake_is_known() -> None:
    wrong = Mistake(lambda: [0.5, 0.0, 0.5], "Only two.")
    check = one_number(
        [0.5, 0.5, -0.5], together=True, nonzero=3, tolerance=0, digits=1, mistakes=[wrong]
    )
    for verdict in judged(lambda: [1, 0, 0.25], check):
        told = "Exactly 3 of the numbers must differ from 0, and 2 of yours do."
        assert (verdict.passed, verdict.misconception) == (False, told)
    assert judged(lambda: [0.5, 0, 0.5], check)[0].misconception == "Only two."
    assert [verdict.passed for verdict in judged(lambda: [1, 1, 1], check)] == [True, False]
    assert all(verdict.passed for verdict in judged(lambda: [0.5, 0.5, -0.5], check))


def test_a_number_that_cannot_be_one_of_its_sort_is_told_at_once() -> None:
    wrong = Mistake(lambda: [47, 8.0, -3], "Sixteen times.")
    sorts = ["whole", "probability", "any"]
    check = one_number([47, 0.5, -3], digits=2, sorts=sorts, mistakes=[wrong])
    runs = "Number 1 must be a whole number; yours is "
    chance = "Number 2 is a probability, from 0 to 1; yours is "
    for answer, told in (
        ([46.76, 0.5, 1], f"{runs}46.76."),
        ([46.02, 0.5, 1], f"{runs}46.02."),
        ([math.inf, 0.5, 1], f"{runs}inf."),
        ([46, 50.0, 1], f"{chance}50.00."),
        ([46, -0.5, 1], f"{chance}-0.50."),
    ):
        visible, hidden = judged(lambda answer=answer: answer, check)  # type: ignore[misc]
        assert (visible.passed, visible.misconception) == (False, told)
        # the hidden verdict does not repeat a returned number, which may be from a hidden case
        assert not hidden.passed
        assert told.rsplit(" ", 1)[1][:-1] not in json.dumps(hidden.to_data())
    visible, hidden = judged(lambda: [46.76, 8, 1], check)
    assert visible.misconception == f"Number 2: Sixteen times. {runs}46.76."
    assert hidden.misconception == "Number 2: Sixteen times."
    for answer in ([46.0, 1, 9], [45.99, 1.01, 9], [46.01, -0.01, 9]):
        assert judged(lambda answer=answer: answer, check)[0].passed
    assert all(verdict.passed for verdict in judged(lambda: [47, 0.5, -3], check))
    alone = one_number(47, digits=0, sorts=["whole"])
    told = "The number must be a whole number; yours is inf."
    assert judged(lambda: math.inf, alone)[0].misconception == told


def test_units() -> None:
    assert units(0.5, 0) == 0
    assert units(1.5, 0) == 2
    assert units(-0.0000004, 6) == 0
    assert units(1e300, 12) == round(1e300) * 10**12
    assert near(5, 6, 1)
    assert not near(5, 7, 1)
    assert not near("inf", "-inf", 5)


@pytest.mark.parametrize(
    ("error", "words", "make"),
    [
        (ValueError, "visible must hold one case", lambda: a_check(visible=[Case(), Case()])),
        (ValueError, "visible must hold at least one", lambda: a_check(visible=[])),
        (ValueError, "hidden must not be given", lambda: a_check(hidden=[Case(1, words="x")])),
        (
            ValueError,
            "hidden must not be given",
            lambda: a_check(hidden=[Fresh(lambda rng: Case(1), words="x")]),
        ),
        (
            ValueError,
            "raises must not be given",
            lambda: a_check(visible=[Case(raises=ValueError)]),
        ),
        (TypeError, "expected must be a function", lambda: a_check(expected=[0.5])),
        (TypeError, r"digits must be an integer in 0\.\.12", lambda: a_check(digits=6.0)),
        (TypeError, r"digits must be an integer in 0\.\.12", lambda: a_check(digits=True)),
        (ValueError, r"digits must be an integer in 0\.\.12", lambda: a_check(digits=13)),
        (ValueError, r"tolerance must be an integer in 0\.\.5", lambda: a_check(tolerance=-1)),
        (TypeError, "together must be True or False", lambda: a_check(together=1)),
        (ValueError, "tolerance must be 0 if", lambda: a_check(together=True)),
        (TypeError, "nonzero must be an integer", lambda: a_check(nonzero="all")),
        (ValueError, "nonzero must be 2, the number of", lambda: declared(a_check(nonzero=1))),
        (ValueError, "sorts must be a list", lambda: a_check(sorts="whole")),
        (ValueError, "sorts must be a list", lambda: a_check(sorts=["natural", "any"])),
        (ValueError, "sorts must be a list of 2 prop", lambda: declared(a_check(sorts=["any"]))),
        (
            ValueError,
            "sorts must be properties of the numbers of",
            lambda: declared(a_check(sorts=["any", "whole"])),
        ),
        (
            ValueError,
            "compare must not be given",
            lambda: a_check(mistakes=[Mistake(in_bits, "x", compare=Relative(0.1))]),
        ),
        (ValueError, "easily guessed, got 0.0", lambda: declared(one_number(0.0))),
        (ValueError, "not easily guessed", lambda: declared(one_number([1, 1.0]))),
        (ValueError, "easily guessed, got inf", lambda: declared(one_number(math.inf))),
        (ValueError, "must return 1 to 20 numbers", lambda: declared(one_number([]))),
        (ValueError, "must return 1 to 20 numbers", lambda: declared(one_number([0.5] * 21))),
        (ValueError, "must return 1 to 20 numbers", lambda: declared(one_number(math.nan))),
        (ValueError, "must return 1 to 20 numbers", lambda: declared(one_number("x"))),
        (ValueError, "must return 1 to 20 numbers", lambda: declared(one_number([True, 2]))),
        (ValueError, "expected: NotPlainError", lambda: declared(one_number({"a": 1}))),
        (ValueError, "rows of equal length", lambda: declared(one_number([[1, 2], [3]]))),
        (ValueError, "rows of equal length", lambda: declared(one_number([1, [2]]))),
        (ValueError, "rows of equal length", lambda: declared(one_number([[[1]], [[2]]]))),
        (ValueError, "expected: ZeroDivisionError", lambda: declared(a_check(expected=fails))),
        (
            ValueError,
            "must return numbers in the form of",
            lambda: declared(one_number(2.0, mistakes=[Mistake(lambda: [1.0], "x")])),
        ),
        (
            ValueError,
            "no case of on_paper tells the mistake",
            lambda: declared(one_number(2.0, mistakes=[Mistake(lambda: 2.0, "x")])),
        ),
    ],
)
def test_bad_declarations(error: type[Exception], words: str, make: Callable[[], object]) -> None:
    with pytest.raises(error, match=words):
        make()


def fails(*arguments: Any) -> float:
    return 1 / 0


@pytest.mark.parametrize(
    ("value", "told"),
    [
        (5.571, ""),
        (5.61, "The number is within 1 % of the right one: keep all digits of intermediate"),
        (
            5.60,
            "The number agrees with the right one as far as it goes. Give more digits, to 3 dec",
        ),
        (-5.571, "The number has the wrong sign."),
        (-5.60, "The number has the wrong sign."),
        (6.0, "Compute the number again, step by step."),
    ],
)
def test_a_number_that_is_nearly_right_is_told_why(value: float, told: str) -> None:
    visible, hidden = judged(lambda: value, one_number(39 / 7, digits=3))
    assert visible.passed, "whether it is right is told when it is graded"
    assert hidden.misconception.startswith(told) and hidden.passed == (not told)
    assert "case" not in hidden.text()


def test_of_several_numbers_each_near_miss_is_told() -> None:
    _, hidden = judged(lambda: [5.61, -3.0, 2.0, 7.0], one_number([5.571, 3.0, 2.0, 1.0], digits=3))
    assert "Number 1 is within 1 % of the right one" in hidden.misconception
    assert "Number 2 has the wrong sign." in hidden.misconception
    assert "Number 3" not in hidden.misconception and "Number 4" not in hidden.misconception


@pytest.mark.parametrize(
    ("value", "short"),
    [
        (0.7, True),
        (0.66, True),
        (0.67, True),
        (0.667, True),
        (0.65, False),
        (0.662, False),
        (0.668, False),
        (1, False),
        (10**1000, False),
    ],
)
def test_a_number_with_too_few_places_is_told_to_have_more(value: float, short: bool) -> None:
    """For a number that is right but has too few decimal places, the message asks for more."""
    _, hidden = judged(lambda: value, one_number(2 / 3, digits=4))
    told = (
        "The number agrees with the right one as far as it goes. Give more digits, to 4 decimal "
        "places, as `round(x, 4)` returns them."
    )
    assert not hidden.passed and (hidden.misconception == told) is short
    assert judged(lambda: 2 / 3, one_number(2 / 3, digits=4))[1].passed
    _, hidden = judged(lambda: [0.66, -0.14], one_number([2 / 3, -0.143841], digits=6))
    assert hidden.misconception == (
        "Numbers 1 and 2 agree with the right ones as far as they go. Give more digits, to 6 "
        "decimal places, as `round(x, 6)` returns them."
    )
    _, hidden = judged(lambda: [0.03, 0.4], one_number([0.02713, 0.3616], digits=4))
    assert hidden.misconception.startswith("Numbers 1 and 2 agree with the right ones")
    assert "again" not in hidden.misconception
    _, hidden = judged(lambda: [0.66, -0.5], one_number([2 / 3, 0.5], digits=4))
    assert hidden.misconception.endswith("returns them. Number 2 has the wrong sign.")


def test_what_cannot_be_negative_is_refused_by_its_form() -> None:
    check = one_number([1.027, 3.0, 0.5], digits=2, sorts=["positive", "whole", "any"])
    for value, told in (
        ([-1.03, 3, 0.5], "Number 1 cannot be negative; yours is -1.03."),
        ([1.03, -3, 0.5], "Number 2 cannot be negative; yours is -3.00."),
        ([-math.inf, 3, 0.5], "Number 1 cannot be negative; yours is -inf."),
    ):
        assert judged(lambda v=value: v, check)[0].misconception == told  # type: ignore[misc]
    assert judged(lambda: [math.inf, 3, -0.5], check)[0].passed
    assert points(lambda: [1.03, 3, 0.5], check) == 2
