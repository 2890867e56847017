"""Tests of attack checks, in which students' code guesses secrets from a mechanism's answers.

The tests cover points and feedback, and that students' code finds no secret in memory.
"""

from __future__ import annotations

import gc
import json
import math
from collections.abc import Callable
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any

import nbformat
import numpy as np
import pytest
from scipy import stats

from dpteach.grading import AttackCheck, Case, Fresh, Mistake
from dpteach.grading.author.making import make_exam
from dpteach.grading.author.mutants import Mutant, read_bank, submission
from dpteach.grading.author.parts import declared
from dpteach.grading.author.source import read_source
from dpteach.grading.classroom.session import grade_submission
from dpteach.grading.core.exam import Exam, Item
from dpteach.grading.core.plain import unsqueezed
from dpteach.grading.core.result import Result
from dpteach.grading.judging.credit import credit
from dpteach.grading.judging.judge import judge
from dpteach.grading.judging.questions import patience, questions
from dpteach.grading.judging.verdict import Verdict
from dpteach.grading.kinds.attack import MAX_TRIALS, MIN_TRIALS, VISIBLE_TRIALS, trials_needed
from dpteach.grading.kinds.attack.judge import _percent, earning, hit, secrets_of, worth
from dpteach.grading.kinds.failures import Failure
from dpteach.grading.sandbox.limits import Limits
from dpteach.grading.student.runner import run

TEXT = Path(__file__).parent / "courses" / "assignments" / "break_it.md"
SOURCE = read_source(TEXT)
BANK = read_bank(TEXT.parents[1] / "mutants" / TEXT.stem)
SEED = 20_261_122

#: the probability with which the mechanism, a randomized response, tells the truth
HONEST = 0.75


def one_answer(bit: int, rng: np.random.Generator) -> int:
    return bit if rng.random() < HONEST else 1 - bit


def an_attack_check(**changes: Any) -> AttackCheck:
    arguments: dict[str, Any] = {
        "name": "one_answer",
        "points": 2,
        "call": "guess",
        "secret": lambda rng: rng.integers(2),
        "mechanism": one_answer,
        "best": lambda answer: answer,
        "ceiling": lambda: HONEST,
        "nothing_at": 0.55,
        "full_at": 0.7,
        "visible": [Case()],
        "hidden": [Case(words="new secrets")],
        "mistakes": [Mistake(lambda answer: 1 - answer, "That is the other bit.")],
        "book": "removing_names#averaging",
    }
    return AttackCheck(**(arguments | changes))


@cache
def parts(seed: int = 1) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return the visible and the hidden data of a small attack check."""
    visible, hidden = declared(an_attack_check(), seed)
    assert hidden is not None
    return visible, hidden


def an_item(check: AttackCheck | None = None, seed: int = 1) -> Item:
    if check is None:
        return Item("x", "check", 2.0, "", "guess", *parts(seed))
    visible, hidden = declared(check, seed)
    return Item("x", "check", float(check.points), check.book, check.call, visible, hidden)


def points_of(item: Item, function: Callable[..., Any]) -> float:
    assert item.visible is not None
    assert item.hidden is not None
    return credit(item, run(function, item.visible)[0], run(function, item.hidden)[0])


# --- what an author may declare in an attack check


@pytest.mark.parametrize(
    ("error", "words", "make"),
    [
        (TypeError, "secret must be a function", lambda: an_attack_check(secret=3)),
        (TypeError, "mechanism must be a function", lambda: an_attack_check(mechanism=None)),
        (TypeError, "ceiling must be a function", lambda: an_attack_check(ceiling=0.75)),
        (TypeError, "full_at must be a number", lambda: an_attack_check(full_at="all")),
        (ValueError, "nothing_at must be in", lambda: an_attack_check(nothing_at=math.nan)),
        (
            ValueError,
            "full_at must be above nothing_at=0.7",
            lambda: an_attack_check(nothing_at=0.7),
        ),
        (ValueError, "full_at must be in", lambda: an_attack_check(full_at=1.5)),
        (ValueError, "hidden must hold a case", lambda: an_attack_check(hidden=[])),
        (
            ValueError,
            "raises must not be given",
            lambda: an_attack_check(visible=[Case(raises=ValueError)]),
        ),
        (ValueError, "ceiling must be in", lambda: declared(an_attack_check(ceiling=lambda: 1.5))),
        (TypeError, "ceiling must be a number", lambda: declared(an_attack_check(ceiling=str))),
        (
            ValueError,
            "ceiling must be near the mean hit of best, 0.7.*, got ceiling=0.8",
            lambda: declared(an_attack_check(ceiling=lambda: 0.8)),
        ),
        (
            ValueError,
            "ceiling must be near the mean hit of best, 0.7.*, got ceiling=1",
            lambda: declared(an_attack_check(ceiling=lambda: 1.0)),
        ),
        (
            ValueError,
            "full_at must be further below the ceiling of 0.75",
            lambda: declared(an_attack_check(full_at=0.749)),
        ),
        (
            ValueError,
            "full_at must be further below the ceiling of 0.75",
            lambda: declared(an_attack_check(full_at=0.8)),
        ),
        (
            ValueError,
            "nothing_at must be at least the mean hit of one guess for all secrets",
            lambda: declared(an_attack_check(nothing_at=0.4)),
        ),
        (
            ValueError,
            "best: ZeroDivisionError",
            lambda: declared(an_attack_check(best=lambda answer: 1 // 0)),
        ),
        (
            ValueError,
            "mistakes: no case of one_answer tells the mistake",
            lambda: declared(
                an_attack_check(mistakes=[Mistake(lambda answer: answer * 1.0, "None.")])
            ),
        ),
    ],
)
def test_bad_declarations(error: type[Exception], words: str, make: Callable[[], object]) -> None:
    with pytest.raises(error, match=words):
        make()


@pytest.mark.parametrize(
    ("full_at", "ceiling"),
    [(0.7, 0.75), (0.85, 0.8755), (0.86, 0.8755), (0.5, 0.99), (0.98, 0.999)],
)
def test_a_right_attack_is_failed_as_rarely_as_promised(full_at: float, ceiling: float) -> None:
    """With `trials_needed(..., level=level)` secrets, the best attack rarely loses points.

    It guesses each secret right with probability `ceiling`. Its share of right guesses is below
    `full_at`, the least share that earns all points, with probability at most `level`.
    """
    for level in (1e-9, 1e-3):
        n = trials_needed(full_at, ceiling, level=level)
        missed = math.ceil(full_at * n) - 1
        assert stats.binom.cdf(missed, n, ceiling) <= level
        assert MIN_TRIALS <= n <= MAX_TRIALS


def test_at_a_loose_level_right_attacks_do_fail() -> None:
    """With a tenth of `trials_needed` secrets, the best attack loses points too often.

    It guesses each secret right with probability 0.8755. Its share of right guesses is below 0.85,
    the least share that earns all points, with probability above 1e-4.
    """
    n = trials_needed(0.85, 0.8755, level=1e-9) // 10
    assert stats.binom.cdf(math.ceil(0.85 * n) - 1, n, 0.8755) > 1e-4


# --- the credit for one guess


@pytest.mark.parametrize(
    ("guess", "secret", "share"),
    [
        (1, 1, 1.0),
        (1.0, 1, 1.0),
        (True, 1, 1.0),
        (0, 1, 0.0),
        (None, 0, 0.0),
        ("1", 1, 0.0),
        (1, "1", 0.0),
        ("flu", "flu", 1.0),
        (math.nan, 0, 0.0),
        (10**400, 1, 0.0),
        ([1], 1, 0.0),
        (1, [1], 0.0),
        ([1, 0, 1, 1], [1, 1, 1, 1], 0.75),
        ([1, 1], [1, 1, 1], 0.0),
        ([[1, 0], [1, 1]], [[1, 1], [1, 1]], 0.75),
        ([], [], 0.0),
    ],
)
def test_hit(guess: object, secret: object, share: float) -> None:
    assert hit(guess, secret) == share


def test_credit_grows_in_proportion() -> None:
    part = {"nothing_at": 0.75, "full_at": 0.85}
    assert [worth(rate, part) for rate in (0.0, 0.75, 0.85, 1.0)] == [0.0, 0.0, 1.0, 1.0]
    assert worth(0.8, part) == pytest.approx(0.5)


def test_just_enough_is_enough() -> None:
    visible, _ = parts()
    (case,) = visible["cases"]
    secrets = secrets_of(case)
    for wrong in (1, 5):
        guesses = [1 - secret for secret in secrets[:wrong]] + secrets[wrong:]
        rate = sum(map(hit, guesses, secrets)) / len(secrets)
        for full_at, enough in ((rate, True), (rate + 1e-9, False)):
            assert judge(visible | {"full_at": full_at}, [{"guesses": guesses}]).passed is enough


@pytest.mark.parametrize("mutant", BANK, ids=lambda mutant: mutant.name)
def test_points(exam: Exam, mutant: Mutant) -> None:
    names: dict[str, Any] = {"__name__": "student"}
    for cell in SOURCE.of_kind("solution"):
        exec(mutant.cells.get(cell.name, cell.source), names)
    for item in exam.items:
        assert item.visible is not None
        assert item.hidden is not None
        verdicts = [run(names[item.call], part)[0] for part in (item.visible, item.hidden)]
        wanted = mutant.points.get(item.name, item.points)
        # points between 0 and 4 depend on the randomly drawn secrets, so compare them only roughly
        assert credit(item, *verdicts) == pytest.approx(wanted, abs=0.3 if 0 < wanted < 4 else 0)
        for verdict in verdicts:
            assert (item.name in mutant.points) is not verdict.passed
            assert bool(verdict.misconception) is not verdict.passed


@pytest.fixture(scope="module")
def exam() -> Exam:
    return make_exam(TEXT, SEED)


def test_nothing_and_constants_earn_nothing() -> None:
    item = an_item()

    def blank(answer: int) -> int:
        raise NotImplementedError

    assert points_of(item, lambda answer: answer) == 2
    for nothing in (
        blank,
        lambda answer: None,
        lambda answer: 0,
        lambda answer: 1,
        lambda answer: 0.5,
        lambda answer: 1 - answer,
        lambda answer: [answer],
        lambda: 1,
    ):
        assert points_of(item, nothing) == 0


def test_what_students_are_told() -> None:
    item = an_item()
    assert item.visible is not None
    assert item.hidden is not None
    right = run(lambda answer: answer, item.visible)[0].text()
    assert right.startswith("one_answer: Your attack finds 7")
    assert "The best possible" not in right
    told = " ".join(run(lambda answer: answer, item.hidden)[0].text().split())
    assert "The best possible attack finds 75.0 % on average." in told
    assert "That is the other bit." in told
    cases = [{**case, "ceiling": 0.5} for case in item.hidden["cases"]]
    lucky = run(lambda answer: answer, {**item.hidden, "cases": cases})[0].text()
    assert "Your attack found more by chance." in " ".join(lucky.split())
    assert told.endswith(
        "A share of up to 55.0 % earns nothing, and 70.0 % or more earns all points."
    )
    verdict = run(lambda answer: 1 - answer, item.hidden)[0]
    assert (verdict.mistake, verdict.misconception) == (0, "That is the other bit.")
    verdict = run(lambda answer: 1, item.hidden)[0]
    assert verdict.misconception.startswith("The guess is always the same")
    verdict = run(lambda answer: [answer], item.visible)[0]
    assert verdict.misconception.startswith("The function must return one number")
    verdict = run(lambda answer: answer + 0.1, item.visible)[0]
    assert verdict.misconception == (
        "The secrets are whole numbers, but some guesses are not. Round the guesses."
    )
    verdict = run(lambda answer: answer + 5, item.visible)[0]
    assert verdict.misconception.startswith("Some guesses are not possible secrets")
    left_out = iter(range(10**6))
    verdict = run(lambda answer: answer if next(left_out) % 3 else None, item.visible)[0]
    assert verdict.misconception.startswith("Some guesses, or entries of guesses, are None")
    calls = iter(range(10**6))
    verdict = run(lambda answer: answer if next(calls) % 3 else 1 - answer, item.visible)[0]
    assert (
        "all of these outputs" in verdict.misconception or "all of these outputs" in verdict.text()
    )
    assert 0 < verdict.earned < verdict.of or verdict.earned == 0


def test_right_entries_in_another_order_are_told() -> None:
    check = an_attack_check(
        secret=lambda rng: rng.integers(0, 9, 3).tolist(),
        mechanism=lambda secret, rng: secret,
        best=lambda answers: answers,
        ceiling=lambda: 1.0,
        mistakes=[],
    )
    visible = an_item(check).visible
    assert visible is not None

    def told(attack: Callable[[list[int]], Any]) -> str:
        return run(attack, visible)[0].misconception

    for attack in (sorted, lambda answers: [float(x) for x in answers[1:] + answers[:1]]):
        assert told(attack).startswith("The entries are right, but in another order")
    for attack in (
        lambda answers: [answers[0], answers[0], answers[0]],
        lambda answers: answers[:2],
        lambda answers: [[x] for x in answers],
        lambda answers: sum(answers),
    ):
        assert "another order" not in told(attack)


def test_a_share_is_between_nothing_and_all() -> None:
    item = an_item(an_attack_check(ceiling=lambda: 1.0, mechanism=lambda bit, rng: bit))
    calls = iter(range(10**6))
    # 5 of 8 guesses are right: this rate, 0.625, is between 0.55 (no points) and 0.7 (all points)
    found = points_of(item, lambda bit: bit if next(calls) % 8 < 5 else 1 - bit)
    assert found == pytest.approx(2 * (0.625 - 0.55) / 0.15, abs=0.01)


def test_parameters_of_a_case_are_known_to_the_attack() -> None:
    check = an_attack_check(
        secret=lambda rng, turned: rng.integers(2),
        mechanism=lambda bit, turned, rng: one_answer(bit, rng) ^ turned,
        best=lambda answer, turned: answer ^ turned,
        ceiling=lambda turned: HONEST,
        visible=[Case(0), Case(1, words="turned over")],
        hidden=[Fresh(lambda rng: Case(int(rng.integers(2))), words="either", count=3)],
        mistakes=[Mistake(lambda answer, turned: 1 - answer ^ turned, "That is the other bit.")],
    )
    item = an_item(check)
    assert points_of(item, lambda answer, turned: answer ^ turned) == 2
    assert points_of(item, lambda answer, turned: 1 - answer ^ turned) == 0


# --- attacks cannot read the secrets that they must guess


def test_the_kernel_is_sent_answers_and_nothing_else() -> None:
    visible, hidden = parts()
    for part in (visible, hidden):
        (case,) = questions(part)["cases"]
        assert set(case) == {"args", "kwargs", "trials"}
        assert len(unsqueezed(case["trials"])) == len(secrets_of(part["cases"][0]))
        assert patience(part) > 5
    assert declared(an_attack_check(), 1) == (visible, hidden)
    assert parts(8)[1]["cases"][0]["secrets"] != hidden["cases"][0]["secrets"]
    assert parts(8)[0] == visible, "what students get depends on no seed"


class EqualToAll(int):
    """An integer whose comparison with any value by ``==`` is true."""

    def __eq__(self, other: object) -> bool:
        return True

    __hash__ = int.__hash__


class EqualList(list[int]):
    def __eq__(self, other: object) -> bool:
        return True


def bottomless() -> list[Any]:
    inner: list[Any] = []
    inner.append(inner)
    return inner


@pytest.mark.parametrize(
    "guess",
    [
        EqualToAll(0),
        EqualList([1]),
        np.array([0, 1]),
        np.array(0, dtype=object),
        {0, 1},
        {"value": 1},
        range(2),
        (0, 1),
        "01",
        b"1",
        1j,
        10**5000,
        10**300,
        math.inf,
        math.nan,
        bottomless(),
        [[[[[[[[[[1]]]]]]]]]],
        type,
        lambda: 1,
        iter([1]),
    ],
    ids=lambda guess: type(guess).__name__,
)
def test_guesses_that_would_be_everything_at_once(guess: object) -> None:
    item = an_item()
    assert points_of(item, lambda answer: guess) == 0


def test_the_number_of_a_call_tells_nothing() -> None:
    """An attack earns no points if it guesses by counting its calls or from earlier outputs."""
    item = an_item()
    seen: list[int] = []

    def by_number(answer: int) -> int:
        seen.append(answer)
        return len(seen) % 2

    def by_the_last(answer: int) -> int:
        seen.append(answer)
        return seen[-2] if len(seen) > 1 else 0

    assert points_of(item, by_number) == 0
    assert points_of(item, by_the_last) == 0


def test_an_attack_that_alters_its_arguments_is_told_so() -> None:
    check = an_attack_check(
        mechanism=lambda bit, rng: [one_answer(bit, rng)],
        best=lambda answers: answers[0],
        mistakes=[],
    )

    def emptying(answers: list[int]) -> int:
        return answers.pop()

    def sparing(answers: list[int]) -> int:
        return list(answers).pop()

    item = an_item(check)
    assert (points_of(item, emptying), points_of(item, sparing)) == (0, 2)
    assert item.visible is not None
    said = run(emptying, item.visible)[0]
    assert said.returned == "an answer, but the function altered its arguments"
    assert "copy" in said.misconception
    with_case = an_attack_check(
        visible=[Case([1])],
        hidden=[Case([1], words="more")],
        secret=lambda rng, case: rng.integers(2),
        mechanism=lambda bit, case, rng: one_answer(bit, rng),
        best=lambda answer, case: answer,
        ceiling=lambda case: 0.75,
        mistakes=[],
    )
    assert points_of(an_item(with_case), lambda answer, case: case.clear() or answer) == 0
    assert points_of(an_item(with_case), lambda answer, case: answer) == 2


def test_visible_secrets_are_few_and_the_best_attack_finds_enough_of_them() -> None:
    """A visible check has only a few secrets to guess, and the best attack passes it.

    Students could read these secrets in their folders. So a visible check earns no points, and it
    need not measure the success rate accurately.
    """
    for name in "abcdefghijkl":
        visible, hidden = declared(an_attack_check(name=name))
        assert hidden is not None
        assert len(secrets_of(visible["cases"][0])) == VISIBLE_TRIALS
        assert len(secrets_of(hidden["cases"][0])) > 3000
        assert run(lambda answer: answer, visible)[0].passed
    assert len(json.dumps(visible)) < 4_000


def test_visible_secrets_are_of_no_use_for_the_hidden_ones() -> None:
    item = an_item()
    assert item.visible is not None
    learnt = iter(secrets_of(item.visible["cases"][0]) * 2)
    assert points_of(item, lambda answer: next(learnt)) == 0


@pytest.mark.parametrize(
    "found",
    [
        None,
        [],
        "x",
        [None],
        [{}],
        [{"guesses": 1}],
        [{"guesses": [1]}],
        [{"guesses": {"array": [1]}}],
        [{"guesses": [[[[[[[[[[1]]]]]]]]]]}],
        [{"guesses": [1] * 10**6}],
        [{"value": 1}],
        [{"values": "x", "first": "x", "second": "x"}],
        [{"late": "x"}],
        [{"raises": "S3CRET", "kinds": ["S3CRET"], "message": "S3CRET"}],
    ],
)
def test_any_json_has_a_verdict(found: Any) -> None:
    for part in parts():
        verdict = judge(part, found)
        assert verdict.earned == 0
        assert not verdict.passed
        data = json.dumps(verdict.to_data(), allow_nan=False)
        assert Verdict.from_data(json.loads(data)) == verdict
        assert "S3CRET" not in data or not part["hidden"]


@pytest.mark.parametrize("odd", [{"float": "nan"}, None, "text", [1], 10**300, {"dict": {}}, [[]]])
def test_odd_guesses_have_a_verdict(odd: Any) -> None:
    for part in parts():
        count = len(secrets_of(part["cases"][0]))
        verdict = judge(part, [{"guesses": [odd] * count}])
        assert verdict.earned == 0
        json.dumps(verdict.to_data(), allow_nan=False)


#: a student's dishonest attack: instead of guessing the secret bits, it searches its own process
#: for a list of them, and tries to draw them again with many seeds of a random generator
SEARCHING = """
import base64, gc, json, os, sys, zlib
import numpy as np

found = []


def candidates():
    for one in gc.get_objects():
        if isinstance(one, dict):
            for key in list(one):
                if isinstance(key, str) and any(w in key.lower() for w in ("secret", "ceiling")):
                    yield one[key]
    frame = sys._getframe()
    while frame is not None:
        for value in list(frame.f_locals.values()):
            if isinstance(value, dict):
                yield from (value[k] for k in value if k in ("secrets", "seed", "expected"))
        frame = frame.f_back


def bits(one):
    try:
        if isinstance(one, str):
            plain = one.startswith("[")
            one = json.loads(one if plain else zlib.decompress(base64.b64decode(one)))
    except (ValueError, zlib.error):
        return None
    fine = isinstance(one, list) and len(one) >= 1000 and all(x in (0, 1) for x in one)
    return one if fine else None


def stolen():
    if not found:
        for one in candidates():
            if bits(one):
                found.append(bits(one))
                return found[0]
        for seed in range(2000):
            for name in ("guess_bit", "guess_bit True 0", "guess_bit False 0"):
                rng = np.random.default_rng([seed, zlib.crc32(name.encode())])
                bit = int(rng.integers(2))
                answers = [bit if rng.random() < 0.7310585786300049 else 1 - bit for _ in range(5)]
                if answers == first[0]:
                    rng = np.random.default_rng([seed, zlib.crc32(name.encode())])
        found.append([0])
    return found[0]


first = []
calls = [0]


def guess(answers):
    first.append(list(answers))
    secrets = stolen()
    calls[0] += 1
    return secrets[(calls[0] - 1) % len(secrets)]
"""


@pytest.mark.slow
@pytest.mark.requires("bubblewrap")
def test_no_secret_and_no_seed_is_in_the_process(exam: Exam) -> None:
    read: Any = nbformat.reads
    write: Any = nbformat.writes
    release = read(exam.notebook, 4)
    graded = {}
    for name, cells in {"right": {}, "thief": {"guess": SEARCHING}}.items():
        files = {"break_it.ipynb": write(submission(release, SOURCE, cells)).encode()}
        result = Result.from_bytes(grade_submission(exam.to_bytes(), files, Limits()))
        graded[name] = {item.name: item.score for item in result.items}
        assert str(SEED) not in result.notebook
    assert graded["right"] == {"guess_bit": 4, "rebuild_table": 3}
    assert graded["thief"] == {"guess_bit": 0, "rebuild_table": 3}


def test_the_thief_would_find_secrets_that_lie_about() -> None:
    """The search in `SEARCHING` does find secrets if they are in the process that runs it."""
    kept = parts()
    names: dict[str, Any] = {"__name__": "thief"}
    exec(SEARCHING, names)
    gc.collect()
    assert any(names["bits"](one) for one in names["candidates"]()), kept


def test_the_mean_of_the_cases_counts() -> None:
    half, none = (Failure("few", "more", worth=Fraction(x)) for x in (0.5, 0))
    for found, earned in (([None, half], 7500), ([None, none], 5000), ([None, None], 10_000)):
        assert earning({}, found) == (earned, 10_000)


def test_a_share_is_told_rounded_down() -> None:
    shares = {0.8599: "85.9 %", 0.86: "86.0 %", 0.29: "29.0 %", 0.9999: "99.9 %", 1.0: "100.0 %"}
    assert {rate: _percent(rate) for rate in shares} == shares
