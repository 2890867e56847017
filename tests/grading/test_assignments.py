"""Tests of each assignment's round trip: text source, release, submission, grading, feedback.

Each assignment has a bank of right and wrong answers with the points that they deserve. These
tests grade the answers without a sandbox: all of them with --all, and otherwise, for most
assignments, a sample in which each item is wrong at least once. They grade the notebook without
answers, the instructor's solution and one wrong answer in the sandbox, as ``dpteach grade`` does,
and two answers by nbgrader's autograde.
"""

from __future__ import annotations

import ast
import csv
import html
import io
import json
import linecache
import math
import re
import shutil
import textwrap
from collections.abc import Callable, Mapping, Sequence
from contextlib import redirect_stdout
from dataclasses import dataclass, field, replace
from functools import cache, cached_property
from pathlib import Path
from typing import Any

import nbformat
import numpy as np
import pytest
from exams import COURSE, PROJECT, SOURCES, built, in_sandbox
from in_process import InProcess
from small_course import deserved

from dpteach import hospital
from dpteach.grading.author.mutants import Mutant, read_bank, submission
from dpteach.grading.author.parts import declared
from dpteach.grading.author.personal import Personal
from dpteach.grading.author.proof import read_checks
from dpteach.grading.author.scheme import as_markdown, scheme_of
from dpteach.grading.author.source import AssignmentSource, read_source
from dpteach.grading.classroom.lending import prerequisites
from dpteach.grading.classroom.session import grade_submission
from dpteach.grading.core import harmless
from dpteach.grading.core.exam import Exam
from dpteach.grading.core.plain import decode, reduce
from dpteach.grading.core.result import ItemResult, Result
from dpteach.grading.core.versions import Value
from dpteach.grading.course.folder import course_api
from dpteach.grading.course.gradebook import unknown
from dpteach.grading.judging.credit import credit
from dpteach.grading.kinds.attack import AttackCheck
from dpteach.grading.kinds.comparing import same
from dpteach.grading.kinds.declaration import Absolute, Exact, Relative
from dpteach.grading.kinds.design import DesignCheck
from dpteach.grading.kinds.hand import HandCheck
from dpteach.grading.kinds.tests import TestsCheck
from dpteach.grading.kinds.values import Check
from dpteach.grading.kinds.witness import WitnessCheck
from dpteach.grading.pages.feedback import feedback_page
from dpteach.grading.sandbox.limits import Limits
from dpteach.grading.student.runner import run

ROOT = Path(__file__).resolve().parents[2]


@dataclass(frozen=True)
class Facts:
    """What the tests expect of an assignment.

    Attributes
    ----------
    total
        The points of all items.
    manual
        The name of the item that a person grades.
    both
        A wrong answer that the tests grade also by nbgrader, and the items whose visible cases this
        answer fails.
    sandboxes
        For some wrong answers, by name: how many sandboxes their grading starts. Right answers
        need one.
    told
        How many hidden cases, at least, are described in words.
    secret
        How many values that students must not see (hidden inputs and right answers) the checks
        have at least. An encoded list or distribution counts as one value.
    uses
        For functions that may call those of earlier items: the names of the earlier functions.
    sampled
        Whether, without --all, only a sample of the bank is tried and the slowest tests are left
        out.
    alarms
        Whether formulas may have the letter a, for a false alarm probability. In all other
        assignments it could be taken for an order, which chapters call alpha.
    computed
        Parameters that the rubric states because students compute them from their own data, each
        with an expression that computes it from the functions of the notebook.
    """

    total: float
    manual: str
    both: tuple[str, set[str]]
    sandboxes: Mapping[str, int]
    told: int
    secret: int
    uses: Mapping[str, Sequence[str]] = field(default_factory=dict)
    sampled: bool = True
    alarms: bool = False
    computed: Mapping[str, str] = field(default_factory=dict)


#: the tested assignments with their expected properties
FACTS = {
    "renyi_dp": Facts(
        total=31,
        manual="additivity_proof",
        # the answer also fails the item renyi_limits, but only on a hidden case, so renyi_limits is
        # not in the set
        both=("supremum_over_q", {"max_values"}),
        sandboxes={"kl_in_bits": 2, "log_base_ten": 2, "supremum_over_q": 2},
        told=30,
        secret=80,
        uses={
            "renyi_divergence": ["kl_divergence", "max_divergence"],
            "epsilon_of_pair": [
                "kl_divergence",
                "max_divergence",
                "renyi_divergence",
                "rdp_to_epsilon",
            ],
            "gaussian_mechanism_rdp": ["rdp_sigma"],
        },
        sampled=False,
        computed={
            "epsilon_once": "best_order(1)[1]",
            "epsilon_hundred": "best_order(100)[1]",
            "growth": "best_order(100)[1] / best_order(1)[1]",
            "epsilon_better": "min(100 * renyi_divergence(*my_pair(), a)"
            " + (math.log(1e6) - math.log(a)) / (a - 1) + math.log1p(-1 / a)"
            " for a in [1 + 1.1**j for j in range(-60, 80)])",
        },
    ),
    "removing_names": Facts(
        total=30,
        manual="new_rules",
        both=("given_away_alone", {"diagnoses_given_away"}),
        sandboxes={"given_away_alone": 1, "average_plain": 1},
        told=10,
        secret=6,
        computed={
            "share_10": "right_share(10)",
            "share_40": "right_share(40)",
            "share_160": "right_share(160)",
        },
    ),
    "pure_dp": Facts(
        total=32,
        manual="told_to_ada",
        both=("least_in_one_direction", {"least_of_table"}),
        sandboxes={"least_in_one_direction": 1, "books_one_person": 1},
        told=30,
        secret=40,
        computed={
            "epsilon_number": "least_epsilon(report_distributions()[0], [[0, 1]])",
            "epsilon_majority": "least_epsilon(report_distributions()[1], [[0, 1]])",
            "share_all": "survey(sum(ward_answers(), []), 0.5, 0.2)[0]",
        },
    ),
    "approx_dp": Facts(
        total=31,
        manual="delta_letter",
        both=("delta_one_order", {"delta_of_table"}),
        sandboxes={"delta_one_order": 1, "family_composed_first": 1},
        told=30,
        secret=30,
        computed={
            "ratio": "delta_needed(run_distributions()[1], [[0, 1]], 2.0)"
            " / delta_needed(run_distributions()[0], [[0, 1]], 1.0)",
            "plug_in": "delta_needed(all_frequencies(), [[0, 1]], 0.1)",
            "estimate": "estimate_by_halves()[0]",
        },
    ),
    "useful_answers": Facts(
        total=35,
        manual="report_read",
        both=("people_scale", {"people_counted"}),
        sandboxes={"people_scale": 1, "total_replaced": 1},
        told=30,
        secret=25,
        computed={
            "error_small": "best_bound(county_report(), 500, 0.1)[1]",
            "error_large": "best_bound(county_report(), 8000, 0.1)[1]",
            "noisy_mean_stay": "clinic_release()[0]",
            "reached": "reach(*clinic_release()[1:], 0.05)",
        },
    ),
    "trade_offs": Facts(
        total=29,
        manual="average_letter",
        both=("pairs_each_alone", {"pairs_together"}),
        sandboxes={"audit_one_inequality": 1, "pairs_each_alone": 1},
        told=25,
        secret=20,
        alarms=True,
        computed={
            "accuracy": "best_accuracy()",
            "bound": "epsilon_at_least(*[[n] for n in counts_above_three()], 2000, 1e-5)",
        },
    ),
    "composition": Facts(
        total=31,
        manual="data_sheet",
        both=("plan_adds_everything", {"plan_priced"}),
        sandboxes={"plan_adds_everything": 1, "apps_majority": 1},
        told=30,
        secret=30,
        computed={
            "epsilon_hundred": "smallest_epsilon(100)",
            "epsilon_four_hundred": "smallest_epsilon(400)",
        },
    ),
    "divergences": Facts(
        total=33,
        manual="three_concerns",
        both=("bet_even_odds", {"guesses_made"}),
        sandboxes={"bet_even_odds": 1, "words_neighbours": 1},
        told=40,
        secret=30,
        computed={
            "prior": "my_insurer()[0]",
            "accuracy_one": "accuracy_after(1)",
            "accuracy_twenty": "accuracy_after(20)",
            "limit_fixed": "limit_from(0)",
            "limit_chosen": "limit_from(1)",
        },
    ),
    "zcdp": Facts(
        total=31,
        manual="wrong_number",
        both=("bill_family_linear", {"year_billed"}),
        sandboxes={"bill_family_linear": 1, "audit_steps_linear": 1},
        told=25,
        secret=20,
        computed={
            "slope": "slope_above(*distributions()[::2])",
            "slope_sampled": "slope_above(*distributions()[1:])",
            "bound_together": "rho_at_least(*audit_counts(), 10_000, 1)",
            "bound_alone": "max(rho_at_least([x], [y], 10**4, 1) for x, y in zip(*audit_counts()))",
        },
    ),
    "alpha_dp": Facts(
        total=34,
        manual="referee_letter",
        both=("family_number_kept", {"family_followed"}),
        sandboxes={"family_number_kept": 1, "table_never_false": 1},
        told=40,
        secret=30,
        computed={
            "all_together": "alpha_parameters()[0]",
            "sum_of_singles": "alpha_parameters()[1]",
            "epsilon_twelve": "epsilon_at(12)",
            "epsilon_best": "best_epsilon()",
            "epsilon_exact": "exact_epsilon()",
        },
    ),
    "mutual_information": Facts(
        total=31,
        manual="nats_letter",
        both=("level_kl", {"level_found"}),
        sandboxes={"level_kl": 1, "measured_in_bits": 1},
        told=25,
        secret=20,
        computed={
            "own": "nats_of(my_answers()[0])",
            "shuffled_mean": "np.mean(shuffled_nats())",
            "shuffled_largest": "max(shuffled_nats())",
        },
    ),
    "choosing": Facts(
        total=33,
        manual="vendor_letter",
        both=("audit_one_event", {"statement_audited"}),
        sandboxes={"audit_one_event": 1, "ways_whole_delta": 1},
        told=30,
        secret=20,
        computed={
            "growth_ratio": "growth(10.0)",
            "sigma_all": "noise_against_belief(*my_release())[0]",
            "sigma_one": "noise_against_belief(*my_release()[:2], 1, my_release()[3])[0]",
        },
    ),
    "selection": Facts(
        total=30,
        manual="two_offers",
        both=("median_left_out", {"median_drawn"}),
        sandboxes={"median_left_out": 1, "heard_more_than_half": 1},
        told=25,
        secret=20,
        computed={
            "usual_quantile": "upper_quantile(120)",
            "wide_quantile": "upper_quantile(10_000)",
            "fixed_estimate": "survey_numbers()[0]",
            "largest_estimate": "survey_numbers()[1]",
        },
    ),
    "accounting": Facts(
        total=34,
        manual="press_release",
        both=("enclosed_exchanged", {"sum_enclosed"}),
        sandboxes={"enclosed_exchanged": 1, "attack_turned": 1},
        told=30,
        secret=30,
        computed={
            "fine_high": "brackets()[1][1]",
            "low_ratio": "sampling_ratios(0.5, 0.5)[0]",
            "high_ratio": "sampling_ratios(0.5, 0.5)[1]",
        },
    ),
    "breaking": Facts(
        total=34,
        manual="passed_audit",
        both=("moved_worst_answer", {"moved_priced"}),
        sandboxes={"moved_worst_answer": 1, "planned_single": 1},
        told=25,
        secret=20,
        computed={
            "snap_ratio": "snapping_error(1.0)",
            "bound_separate": "epsilon_shown(*audit_runs(), 0)",
            "bound_same": "epsilon_shown(*map(each_twice, audit_runs()), 0)",
        },
    ),
    "auditing_a_paper": Facts(
        total=29,
        manual="figure_letter",
        both=("stage_from_settings", {"stage_found"}),
        sandboxes={"stage_from_settings": 1, "digits_zeros_lost": 4},
        told=30,
        secret=20,
        uses={
            "stages_at_fault": ["printed_range"],
            "times_delta": ["printed_range"],
        },
        computed={
            "my_factor": "times_delta(RELEASES, my_report()[0], 1e-15, my_report()[1])",
        },
    ),
}


@dataclass(frozen=True, eq=False)
class Assignment:
    """An assignment with its bank of right and wrong answers."""

    name: str
    bank: list[Mutant]

    @property
    def facts(self) -> Facts:
        return FACTS[self.name]

    @property
    def path(self) -> Path:
        return COURSE / "assignments" / f"{self.name}.md"

    @property
    def text(self) -> str:
        return self.path.read_text("utf-8")

    @cached_property
    def source(self) -> AssignmentSource:
        return read_source(self.path)

    @cached_property
    def checks(self) -> Mapping[int, Any]:
        return read_checks(self.source)

    @property
    def wrong(self) -> list[Mutant]:
        return [mutant for mutant in self.bank if mutant.points]

    @property
    def right(self) -> list[Mutant]:
        return [mutant for mutant in self.bank if not mutant.points]

    @property
    def lost(self) -> list[str]:
        return sorted({item for mutant in self.wrong for item in mutant.points})

    @property
    def sample(self) -> set[str]:
        """The names of a few answers; each item is answered wrongly by at least one of them."""
        first = {next(m.name for m in self.wrong if item in m.points) for item in self.lost}
        return {self.right[0].name, self.wrong[0].name, self.facts.both[0]} | first

    @property
    def judged(self) -> set[str]:
        """The names of the answers that are graded in this process if --all is not given."""
        return self.sample if self.facts.sampled else {mutant.name for mutant in self.bank}

    @property
    def sandboxed(self) -> set[str]:
        """The names of the wrong answers graded in the sandbox, for most assignments only one.

        One suffices, because the sandbox treats all wrong answers alike. ``test_author.py`` uses
        the same answer, so that it is graded only once. Right answers are graded without a sandbox.
        """
        few = {self.wrong[0].name}
        return few if self.facts.sampled else self.sample

    def answer(self, name: str) -> Mutant:
        return next(mutant for mutant in self.bank if mutant.name == name)

    def items_of(self, function: str) -> set[str]:
        return {check.name for check in self.checks.values() if check.call == function}

    def touched(self, course: Course, mutant: Mutant) -> list[str]:
        """Return the items whose functions an answer replaces, and the items that build on them."""
        cells = [cell for cell in self.source.cells if cell.name in mutant.cells]
        written = {
            node.name
            for cell in cells
            for node in ast.walk(ast.parse(cell.source))
            if isinstance(node, ast.FunctionDef)
        }
        mine = {check.name for check in self.checks.values() if check.call in written}
        uses = prerequisites(course.exam)
        return sorted(mine | {name for name, before in uses.items() if mine & set(before)})

    def replacing(self, function: str) -> list[Mutant]:
        """Return the wrong answers that replace only the cell of this function."""
        return [mutant for mutant in self.wrong if set(mutant.cells) == {function}]


ASSIGNMENTS = [Assignment(name, read_bank(COURSE / "mutants" / name)) for name in FACTS]

#: the type of a function that grades the given cells; a second argument may select the items
Grader = Callable[..., Result]

pytestmark = [
    pytest.mark.slow,
    pytest.mark.filterwarnings("ignore::DeprecationWarning"),
    pytest.mark.filterwarnings("ignore::ResourceWarning"),
]


#: a decorator that runs a test once for each assignment
of_each = pytest.mark.parametrize("assignment", ASSIGNMENTS, ids=lambda one: one.name)


#: a decorator that runs a test once for each assignment, but without --all only for the
#: assignments whose `sampled` is false
of_some = pytest.mark.parametrize(
    "assignment",
    [
        pytest.param(one, marks=pytest.mark.exhaustive if one.facts.sampled else (), id=one.name)
        for one in ASSIGNMENTS
    ],
)


def answers(*, right: bool = True, sandbox: bool = True) -> Any:
    """Return a decorator that runs a test for each wrong answer and, if `right`, each right answer.

    Without --all, the test runs only for the answers in `Assignment.sandboxed`, or in
    `Assignment.judged` if `sandbox` is false.
    """
    return pytest.mark.parametrize(
        ("assignment", "mutant"),
        [
            pytest.param(
                one,
                mutant,
                marks=()
                if mutant.name in (one.sandboxed if sandbox else one.judged)
                else pytest.mark.exhaustive,
                id=f"{one.name}-{mutant.name}",
            )
            for one in ASSIGNMENTS
            for mutant in (one.bank if right else one.wrong)
        ],
    )


@dataclass
class Course:
    """A course with one built assignment, and the results of grading example answers to it."""

    of: Assignment
    root: Path
    points: dict[str, float]
    exam: Exam
    results: dict[str, bytes]

    def release(self) -> Any:
        return read(self.root / "release" / self.of.name / f"{self.of.name}.ipynb", 4)

    def result(self, student: str) -> Result:
        return Result.from_bytes(self.results[student])

    def items(self, student: str) -> dict[str, ItemResult]:
        return {item.name: item for item in self.result(student).items}

    def page(self, student: str) -> str:
        """Return the text of a student's feedback page without markup and with single spaces."""
        result = self.result(student)
        maximum = sum(self.points.values())
        text = feedback_page(result, replace(unknown(student, maximum), total=result.score))
        text = re.sub(r"(?s)<(script|style).*?</\1>", " ", text)
        return " ".join(html.unescape(re.sub(r"<[^>]+>", "", text)).split())


#: nbformat has no type annotations, so strict mypy needs `Any`
read: Any = nbformat.read
write: Any = nbformat.write
writes: Any = nbformat.writes


def graded_course(assignment: Assignment, everything: bool) -> Course:
    made = built(assignment.path)
    cells = {"blank": None, "instructor": dict[str, str]()} | {
        mutant.name: mutant.cells
        for mutant in assignment.bank
        if everything or mutant.name in assignment.sandboxed
    }
    results = {student: in_sandbox(assignment.path, those) for student, those in cells.items()}
    return Course(assignment, made.root, dict(made.points), made.exam, results)


@pytest.fixture(scope="module")
def courses(everything: bool) -> Callable[[Assignment], Course]:
    """Return a function that returns the course of an assignment, made at the first call."""
    return cache(lambda one: graded_course(one, everything))


@pytest.fixture
def course(courses: Callable[[Assignment], Course], assignment: Assignment) -> Course:
    return courses(assignment)


def test_each_assignment_is_tried() -> None:
    assert {path.stem for path in SOURCES} == set(FACTS), "give it an entry in FACTS"


@of_each
def test_size(assignment: Assignment) -> None:
    manual = assignment.source.of_kind("manual")
    checks = assignment.checks.values()
    assert len(checks) + len(manual) >= 10
    assert [cell.name for cell in manual] == [assignment.facts.manual]
    assert len(assignment.wrong) >= 15
    assert len(assignment.right) >= 3
    total = sum(check.points for check in checks) + sum(cell.points for cell in manual)
    assert total == assignment.facts.total


def test_the_length_of_a_text_is_announced() -> None:
    said = f"{harmless.TEXT_CHARACTERS:,} characters"
    for path in sorted((COURSE / "assignments").glob("*.md")):
        if read_source(path).of_kind("manual"):
            assert said in path.read_text("utf-8"), path


@of_each
def test_bank_names_items(assignment: Assignment) -> None:
    items = {check.name for check in assignment.checks.values()}
    for mutant in assignment.bank:
        assert set(mutant.points) <= items, mutant.name
    assert set(assignment.lost) == items, "each item is lost by some answer of the bank"


def wanted(course: Course, mutant: Mutant) -> dict[str, Any]:
    """Return the points that an answer deserves on each item that the grader grades."""
    most = {
        item: points for item, points in course.points.items() if item != course.of.facts.manual
    }
    return most | deserved(course.exam, mutant.points)


@pytest.fixture
def here(course: Course, monkeypatch: pytest.MonkeyPatch) -> Grader:
    """Return a function that grades given cells in this process: all items, or only some."""
    InProcess.put_in(monkeypatch)
    # change to the folder with the assignment's data files, because answers read them
    monkeypatch.chdir(course.root / "release" / course.of.name)
    release = course.release()

    def graded(cells: Mapping[str, str], items: Sequence[str] | None = None) -> Result:
        text = writes(submission(release, course.of.source, cells))
        files = {f"{course.of.name}.ipynb": text.encode()}
        return Result.from_bytes(
            grade_submission(course.exam.to_bytes(), files, Limits(), items=items)
        )

    return graded


@answers(sandbox=False)
def test_points(
    assignment: Assignment, course: Course, here: Grader, mutant: Mutant, everything: bool
) -> None:
    """Each answer earns what it deserves; without --all, only items that it affects are graded."""
    asked = None if everything else assignment.touched(course, mutant)
    result = here(mutant.cells, asked)
    items = {item.name: item for item in result.items if item.kind == "check"}
    assert set(mutant.points) <= set(items)
    for name in mutant.points:
        assert misconception(items[name]), name
    deserved = wanted(course, mutant)
    assert {name: item.score for name, item in items.items()} == {
        name: deserved[name] for name in items
    }


def misconception(item: ItemResult) -> str:
    """Return the misconception in an item's first failed verdict; "" if none was recognized."""
    verdict = item.visible if item.visible and item.visible["failed"] else item.hidden
    assert verdict is not None
    assert verdict["failed"]
    return str(verdict["misconception"] or "")


def styles(assignment: Assignment) -> dict[str, Mapping[str, str]]:
    """Return, for each right answer, its cells that differ from those of the instructor."""
    return {"instructor": {}, **{mutant.name: mutant.cells for mutant in assignment.right}}


#: a decorator that runs a test for each function that may call functions of earlier items
of_each_use = pytest.mark.parametrize(
    ("assignment", "function"),
    [pytest.param(one, f, id=f"{one.name}-{f}") for one in ASSIGNMENTS for f in one.facts.uses],
)


@pytest.mark.parametrize(
    ("assignment", "function", "style"),
    [
        pytest.param(one, function, style, id=f"{one.name}-{function}-{style}")
        for one in ASSIGNMENTS
        for function in one.facts.uses
        for style in styles(one)
    ],
)
def test_a_right_item_keeps_its_points_whatever_it_uses(
    assignment: Assignment,
    course: Course,
    here: Grader,
    function: str,
    style: str,
    sample: Callable[[Sequence[Any], int], list[Any]],
) -> None:
    """A right function earns its points even if it calls a wrong function of an earlier item."""
    tried = 0
    cells = styles(assignment)[style]
    for used in assignment.facts.uses[function]:
        items = sorted(assignment.items_of(function) | assignment.items_of(used))
        for wrong in sample(assignment.replacing(used), 2):
            # keep the right cell, whose helper functions may be needed, above the wrong one
            cell = f"{cells.get(used, '')}\n\n{wrong.cells[used]}"
            result = here({**cells, used: cell}, items)
            scores = {item.name: item.score for item in result.items}
            for name in assignment.items_of(function):
                assert scores[name] == course.points[name], (wrong.name, name)
            for name in assignment.items_of(used):
                assert scores[name] == wanted(course, wrong)[name], (wrong.name, name)
            tried += 1
    assert tried


@of_each_use
def test_a_wrong_item_gets_no_more_whatever_it_uses(
    assignment: Assignment,
    course: Course,
    here: Grader,
    function: str,
    sample: Callable[[Sequence[Any], int], list[Any]],
) -> None:
    """A wrong function earns no more points if it calls a wrong function of an earlier item."""
    items = sorted(assignment.items_of(function))
    for used in assignment.facts.uses[function]:
        for other in sample(assignment.replacing(used), 2):
            for mutant in sample(assignment.replacing(function), 2):
                result = here({**mutant.cells, **other.cells}, items)
                scores = {item.name: item.score for item in result.items}
                deserved = wanted(course, mutant)
                assert scores == {name: deserved[name] for name in scores}, (
                    mutant.name,
                    other.name,
                )


@of_some
def test_one_item_asked_again_gives_the_same(assignment: Assignment, here: Grader) -> None:
    for name in list(assignment.facts.sandboxes)[:4]:
        cells = assignment.answer(name).cells
        whole = here(cells)
        for item in whole.items:
            again = here(cells, [item.name])
            (alone,) = again.items
            assert alone == item
            assert whole.updated(again) == whole


@of_some
def test_only_what_can_matter_is_asked_again(
    assignment: Assignment, course: Course, here: Grader, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Grading starts one sandbox for a right answer or a notebook without answers.

    For a wrong answer it may start more, to grade later items again with a right function in place
    of the wrong one; `Facts.sandboxes` says how many.
    """
    sandboxes = assignment.facts.sandboxes
    for mutant in (*map(assignment.answer, sandboxes), *assignment.right):
        monkeypatch.setattr(InProcess, "started", 0)
        here(mutant.cells)
        assert InProcess.started == sandboxes.get(mutant.name, 1), mutant.name
    monkeypatch.setattr(InProcess, "started", 0)
    text = writes(course.release())
    files = {f"{assignment.name}.ipynb": text.encode()}
    grade_submission(course.exam.to_bytes(), files, Limits())
    assert InProcess.started == 1


@answers()
def test_graded_points(assignment: Assignment, course: Course, mutant: Mutant) -> None:
    result = course.result(mutant.name)
    assert (result.status, result.notices, result.sandbox) == ("graded", (), "bubblewrap")
    scores = {item.name: item.score for item in result.items}
    assert list(scores) == list(course.points)
    assert scores.pop(assignment.facts.manual) is None
    assert scores == wanted(course, mutant)


@of_each
def test_points_of_the_instructor(assignment: Assignment, course: Course) -> None:
    scores = {item.name: item.score for item in course.items("instructor").values()}
    assert scores == course.points | {assignment.facts.manual: None}


@of_each
def test_blank_gets_nothing_and_needs_nobody(assignment: Assignment, course: Course) -> None:
    assert {i.name: i.score for i in course.items("blank").values()} == dict.fromkeys(
        course.points, 0.0
    )
    first = next(iter(assignment.checks.values())).call
    assert f"{first} is not written yet" in course.page("blank")


def in_the_students_notebook(assignment: Assignment, mutant: Mutant) -> dict[str, Any]:
    """Run the notebook's code cells with an answer filled in; return the variables they define."""
    names: dict[str, Any] = {"__name__": "student"}
    with redirect_stdout(io.StringIO()):
        for cell in assignment.source.cells:
            if cell.kind in ("given", "solution"):
                text = mutant.cells.get(cell.name, cell.source)
                # put the text where `inspect` looks for the text of a function
                file = f"<{mutant.name} {cell.name}>"
                linecache.cache[file] = (len(text), None, text.splitlines(keepends=True), file)
                exec(compile(text, file, "exec"), names)
    return names


def in_twelve_digits(data: object) -> str:
    """Return data as JSON text, with each decimal number rounded to twelve significant digits."""
    return re.sub(
        r"\d+\.\d+(e[-+]\d+)?",
        lambda number: f"{float(number[0]):.12g}",
        json.dumps(data, sort_keys=True),
    )


@answers()
def test_the_graded_verdict_is_the_students_own(
    assignment: Assignment, course: Course, mutant: Mutant, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The grader's verdict on visible cases is that of `check` in the student's notebook.

    Numbers are rounded before they are compared, because the order in which BLAS adds numbers
    depends on an array's memory address.
    """
    monkeypatch.chdir(course.root / "release" / assignment.name)
    names = in_the_students_notebook(assignment, mutant)
    graded = course.items(mutant.name)
    for item in course.exam.items:
        if item.visible is not None:
            verdict, _ = run(names[item.call], item.visible)
            said = in_twelve_digits(graded[item.name].visible)
            assert said == in_twelve_digits(verdict.to_data()), item.name


@answers(right=False)
def test_feedback_names_the_misconception(
    assignment: Assignment, course: Course, mutant: Mutant
) -> None:
    words = course.page(mutant.name)
    graded = course.items(mutant.name)
    for name in mutant.points:
        item = graded[name]
        assert item.visible is not None
        verdict = item.visible if item.visible["failed"] else item.hidden
        assert verdict is not None
        assert verdict["failed"]
        assert verdict["misconception"], name
        # the page shows code spans by HTML markup, so its text has no backquotes
        assert " ".join(verdict["misconception"].replace("`", "").split()) in words, name


#: common wrong answers, each with its item and the beginning of what the student must read
COMMON = {
    "trade_offs-curve_only_diagonal": ("curves_judged", "You compared the curve only with the"),
    "trade_offs-curve_only_convex": ("curves_judged", "You tested only whether the curve"),
    "trade_offs-curve_two_ends": ("curves_judged", "It is neither necessary nor sufficient"),
    "trade_offs-curve_falling_probabilities": ("curves_judged", "It is not enough that"),
    "trade_offs-curve_to_the_last_bit_of_the_diagonal": ("curves_judged", "You compared heights"),
    "pure_dp-released_euclidean": ("counts_released", "For replace-one neighbors, you used"),
    "pure_dp-released_all_wards_replaced": ("counts_released", "You divided the budget by"),
    "pure_dp-released_twice_as_wide": ("counts_released", "Your scale is twice as large"),
    "pure_dp-released_number_of_patients": ("counts_released", "Your scale grows with the number"),
    "renyi_dp-max_skips_q": ("max_values", "You took the maximum over the outcomes with q_i > 0"),
    "renyi_dp-max_in_bits": ("max_values", "You used the logarithm to base 2"),
    "renyi_dp-max_added": ("max_values", "You added the losses"),
    "renyi_dp-max_without_cases": ("max_values", "You applied the formula to zeros, too"),
    "renyi_dp-design_textbook_gaussian": ("counts_design", "You used the classical bound"),
    "renyi_dp-design_textbook_for_one_count": (
        "counts_design",
        "You calibrated the noise to a single count. One person can change all counts",
    ),
    "renyi_dp-design_textbook_composed": ("counts_design", "You split epsilon and delta evenly"),
    "renyi_dp-first_impossible_only": ("catastrophe", "You returned the probability of only one"),
}


@pytest.mark.parametrize("row", COMMON)
def test_a_common_wrong_answer_is_named(row: str) -> None:
    """The feedback on each answer in `COMMON` names the mistake."""
    name, _, answer = row.partition("-")
    assignment = next(one for one in ASSIGNMENTS if one.name == name)
    item, told = COMMON[row]
    part = next(one.hidden for one in built(assignment.path).exam.items if one.name == item)
    assert part is not None
    namespace: dict[str, Any] = {"math": math, "np": np}
    exec("\n".join(assignment.answer(answer).cells.values()), namespace)
    verdict, _ = run(namespace[part["call"]], part)
    assert verdict.misconception.startswith(told)


#: answers that are the same number for all arguments, or that return the first argument
CONSTANTS: dict[str, Callable[..., Any]] = {
    "0": lambda *args, **kwargs: 0,
    "0.5": lambda *args, **kwargs: 0.5,
    "1": lambda *args, **kwargs: 1,
    "the first argument": lambda *args, **kwargs: args[0],
}


@of_each
def test_a_constant_answer_names_a_mistake_only_if_it_is_like_it(assignment: Assignment) -> None:
    """A function in `CONSTANTS` gets a known mistake's message only if it returns the same values.

    A function that returns a constant number must agree with the mistake in all failed cases. For
    the function that returns its first argument, half of the failed cases suffice.
    """
    exam = built(assignment.path).exam
    parts = [part for item in exam.items for part in (item.visible, item.hidden) if part]
    values = [part for part in parts if part["kind"] in ("values", "property")]
    assert values
    for part in values:
        for name, function in CONSTANTS.items():
            verdict, _ = run(function, part)
            assert verdict.failed, (part["name"], name)
            if verdict.mistake is not None:
                like = sum(
                    _is_like(function, case, part, verdict.mistake) for case in part["cases"]
                )
                enough = 0.5 if name == "the first argument" else 1
                assert verdict.explains == like >= enough * verdict.failed, (part["name"], name)


def _is_like(function: Callable[..., Any], case: Any, part: Any, mistake: int) -> bool:
    """Return whether a function gives the answer of one of a check's known mistakes on a case.

    Only mistake number `mistake` and mistakes with the same message are considered.
    """
    args, kwargs = decode(case["args"]), decode({"dict": case["kwargs"]})
    answer, message = reduce(function(*args, **kwargs)), part["messages"][mistake]
    return any(
        wrong is not None and "value" in wrong and same(answer, decode(wrong["value"]), rule)
        for wrong, rule, told in zip(
            case["mistakes"], part["recognise"], part["messages"], strict=True
        )
        if told == message
    )


def numbers(data: Any) -> set[str]:
    """Return, as text, the floats in data with enough digits to be recognized in another text."""
    if isinstance(data, float):
        return {repr(data)} if len(repr(data)) > 8 else set()
    if isinstance(data, dict):
        data = list(data.values())
    return set().union(*map(numbers, data)) if isinstance(data, list) else set()


@of_each
def test_nothing_hidden_is_shown(assignment: Assignment, course: Course) -> None:
    """No grading result contains a hidden input, right answer or implementation."""
    text = "\n".join(course.results[student].decode() for student in course.results)
    hidden = [item.hidden for item in course.exam.items if item.hidden is not None]
    cases = [case for part in hidden for case in part["cases"]]
    secret = numbers([[case["args"], case.get("expected")] for case in cases])
    secret |= {case[block] for case in cases for block in ("trials", "secrets") if block in case}
    secret |= {case["law"] for case in cases if isinstance(case.get("law"), str)}
    assert len(secret) >= assignment.facts.secret
    assert [number for number in secret if number in text] == []
    suspects = [suspect for part in hidden for suspect in part.get("suspects", ())]
    assert bool(suspects) == any(isinstance(c, TestsCheck) for c in assignment.checks.values())
    for suspect in suspects:
        assert not suspect["text"] or f"def {suspect['entry']}(" not in text
    for word in ("HIDDEN TESTS", "hidden=", "Mistake(", "dpteach/grading/"):
        assert word not in text


@of_some
def test_nbgrader_comes_to_the_same_points(
    assignment: Assignment, course: Course, tmp_path: Path
) -> None:
    """nbgrader's autograde records the same points in the gradebook as grading in the sandbox."""
    from nbgrader.api import Gradebook

    root = shutil.copytree(course.root, tmp_path / "course")

    name, manual, both = assignment.name, assignment.facts.manual, assignment.facts.both[0]
    students = {"instructor": dict[str, str](), both: assignment.answer(both).cells}
    api = course_api(root)
    for student, cells in students.items():
        folder = root / "submitted" / student / name
        folder.mkdir(parents=True)
        notebook = submission(course.release(), assignment.source, cells)
        write(notebook, folder / f"{name}.ipynb")
        result = api.autograde(name, student)
        assert result["success"], result
    maximum = course.points[manual]
    with Gradebook(api.coursedir.db_url, api.coursedir.course_id) as gradebook:
        for student in students:
            found = gradebook.find_submission_notebook(name, name, student)
            scores = {grade.name: grade.score for grade in found.grades}
            assert scores == {
                item.name: item.score or 0.0 for item in course.items(student).values()
            }
            question = gradebook.find_grade(manual, name, name, student)
            assert question.needs_manual_grade
        question = gradebook.find_grade(manual, name, name, "instructor")
        question.manual_score, question.needs_manual_grade = maximum - 1, False
        gradebook.db.commit()
        whole = gradebook.find_submission(name, "instructor")
        assert (whole.score, whole.max_score) == (
            assignment.facts.total - 1,
            assignment.facts.total,
        )
    text = (root / "autograded" / "instructor" / name / f"{name}.ipynb").read_text()
    assert f"Rubric ({maximum:g} points)" in text, "the rubric reaches the person who grades"
    assert "HIDDEN" not in text


@of_each
def test_release_has_neither_solutions_nor_hidden_cases(
    assignment: Assignment, course: Course
) -> None:
    folder = course.root / "release" / assignment.name
    files = {str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file()}
    assert files == {f"{assignment.name}.ipynb", "checks.json", *assignment.source.data}
    text = (folder / f"{assignment.name}.ipynb").read_text(encoding="utf-8")
    for word in ("SOLUTION", "HIDDEN", "MARK SCHEME", "Rubric", "hidden=", "Mistake", "Case("):
        assert word not in text
    code = "\n".join(cell.source for cell in course.release().cells if cell.cell_type == "code")
    assert code.count("raise NotImplementedError()") == len(assignment.source.of_kind("solution"))
    checks = json.loads((folder / "checks.json").read_text(encoding="utf-8"))["checks"]
    assert all(part["hidden"] is False for part in checks.values())
    everything = text + json.dumps(checks, ensure_ascii=False)
    declared = [
        check for check in assignment.checks.values() if not isinstance(check, WitnessCheck)
    ]
    shown = {case.words for check in declared for case in check.visible}
    told = {str(case.words) for check in declared for case in check.hidden} - shown
    assert len(told) >= assignment.facts.told
    assert [words for words in told if f'"{words}"' in everything] == []


@of_some
def test_release_runs_but_for_the_checks(
    assignment: Assignment, course: Course, tmp_path: Path
) -> None:
    """If the blank release is run, exactly the check cells raise errors."""
    from nbclient import NotebookClient

    folder = tmp_path / assignment.name
    shutil.copytree(course.root / "release" / assignment.name, folder)
    notebook = course.release()
    NotebookClient(
        notebook, timeout=120, allow_errors=True, resources={"metadata": {"path": folder}}
    ).execute()
    for cell in notebook.cells:
        if cell.cell_type == "code":
            errors = [out for out in cell.outputs if out.output_type == "error"]
            is_check = cell.metadata.get("nbgrader", {}).get("grade", False)
            assert bool(errors) == is_check
            assert all(out.ename in ("CheckFailed", "NotWritten") for out in errors)


@of_some
@pytest.mark.parametrize("wrong", [False, True], ids=["blank", "wrong"])
def test_validate_agrees_on_visible_cases(
    assignment: Assignment, course: Course, tmp_path: Path, wrong: bool
) -> None:
    """nbgrader's Validate button fails exactly the items whose visible cases fail."""
    from nbgrader.validator import Validator

    name, (answer, failing) = assignment.name, assignment.facts.both
    shutil.copytree(course.root / "release" / name, tmp_path / name)
    notebook = course.release()
    if wrong:
        notebook = submission(notebook, assignment.source, assignment.answer(answer).cells)
    write(notebook, tmp_path / name / f"{name}.ipynb")
    result = Validator().validate(str(tmp_path / name / f"{name}.ipynb"))
    assert set(result) <= {"failed"}
    failed = {
        found[1]
        for cell in result.get("failed", [])
        if (found := re.search(r'check\("(\w+)"\)', cell["source"]))
    }
    assert failed == (failing if wrong else set(course.points) - {assignment.facts.manual})


@of_each
def test_the_book_has_what_the_checks_point_to(assignment: Assignment) -> None:
    """The book has each section to which a check refers."""
    for check in assignment.checks.values():
        chapter, _, label = check.book.partition("#")
        file = ROOT / "book" / f"{chapter}.md"
        if file.exists():
            assert f"({label})=" in file.read_text(encoding="utf-8"), check.book


@of_some
def test_build_is_reproducible(assignment: Assignment, course: Course, tmp_path: Path) -> None:
    from dpteach.grading.author.build import build_source

    name = assignment.name
    build_source(COURSE / "assignments" / f"{name}.md", tmp_path / name)
    for file in (f"{name}.ipynb", "checks.json"):
        assert (tmp_path / name / file).read_bytes() == (
            course.root / "source" / name / file
        ).read_bytes()


#: kinds of checks that give a share of their points to answers that are partly right
SHARES = (TestsCheck, AttackCheck, WitnessCheck, DesignCheck)

_NEAR_ZERO = "or within an absolute error of 1e-12"
#: for each rule of comparison, the pattern by which an assignment's text announces it
ANNOUNCED = {
    Relative(1e-9, absolute=1e-12): f"within a relative error of 1e-9, {_NEAR_ZERO}",
    Exact(): "Integers and bits must be exact",
    Relative(1e-6, absolute=1e-12): f"within a relative error of 1e-6, {_NEAR_ZERO}",
    Relative(1e-6, absolute=1e-6): "within a relative or absolute error of 1e-6",
}


@of_each
def test_what_is_right_is_announced(assignment: Assignment) -> None:
    """An assignment's text states the tolerances and the rules for partial credit."""
    text = assignment.text
    said = " ".join(text.split())
    announced = {rule for rule, pattern in ANNOUNCED.items() if re.search(pattern, said)}
    assert announced
    docstrings = {
        name: ast.get_docstring(node) or ""
        for cell in assignment.source.of_kind("solution")
        for name, node in cell.functions().items()
    }
    for check in assignment.checks.values():
        if isinstance(check, Check) and check.compare not in announced:
            assert isinstance(check.compare, Relative | Absolute)
            kind = "relative" if isinstance(check.compare, Relative) else "absolute"
            told = f"{kind} error of (at most )?{check.compare.tolerance:g}".replace("e-0", "e-")
            assert re.search(told, " ".join(docstrings[check.call].split())), check.name
        if getattr(check, "partial", False) or isinstance(check, SHARES):
            before = text[: text.index(f'name="{check.name}"')]
            own = before.rsplit(":kind: check", 2)[-2]
            told = re.search(r"is (judged|graded):\*\*", own)
            assert told or f"`{check.name}`" in text[: text.index("## 1.")], check.name
        if isinstance(check, TestsCheck):
            pattern = "test that rejects a (right|correct) (implementation|program) earns nothing"
            assert re.search(pattern, said), check.name
        if isinstance(check, AttackCheck):
            least, most = (f"{100 * share:g}%" for share in (check.nothing_at, check.full_at))
            pattern = f"rate of {least} or less earns nothing"
            assert re.search(pattern, said), check.name
            full = "all of them" if check.full_at == 1 else f"{most} or more"
            points = re.escape(f"{{{{points {check.name}}}}}")
            assert re.search(f"{full} earns? all {points} points", said), check.name


#: kinds of checks on which the right answers to another student's version earn few points
OWN = (AttackCheck, DesignCheck, HandCheck, WitnessCheck)

_ARGUMENTS = "the function gets its numbers as arguments: a right one is right for all"

#: exceptions to `OWN`, by assignment: items with the same right answer in all versions, and why
FOR_ALL = {
    "accounting": {"patient_found": _ARGUMENTS, "training_planned": _ARGUMENTS},
    "breaking": {"floats_read": _ARGUMENTS, "seconds_read": _ARGUMENTS},
    "choosing": {"offices_served": _ARGUMENTS},
    "composition": {"apps_attacked": _ARGUMENTS},
    "divergences": {"papers_read": _ARGUMENTS},
    "mutual_information": {"ties_used": _ARGUMENTS},
    "pure_dp": {"smoker_guessed": _ARGUMENTS},
    "selection": {"alarms_attacked": _ARGUMENTS},
    "useful_answers": {"stay_guessed": _ARGUMENTS},
    "zcdp": {"patient_found": _ARGUMENTS},
}

#: seeds of two personal versions that differ in all assignments; other seeds may draw equal ones
SEEDS = (34, 36)


def makes_only(maker: Personal, names: set[str]) -> None:
    """Make `maker` build only the items `names` of a version, because building all takes long."""
    maker.using = frozenset(i for i in maker.using if maker.checks[i].name in names)


@of_each
def test_answers_of_another_seed_earn_little(
    assignment: Assignment, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The right answers to one personal version earn few points in another version.

    The test submits the answers to each of two versions in the other one. An item with numbers
    computed by hand must earn less than half of its points in both versions. Any other item must
    earn nothing in at least one of them: it may be right in the other, because more noise than
    necessary also satisfies a guarantee.
    """
    maker = Personal(assignment.path)
    if assignment.source.data:
        monkeypatch.chdir(assignment.path.with_suffix(""))
    kinds = {check.name: check for check in maker.checks.values() if isinstance(check, OWN)}
    own = kinds.keys() - FOR_ALL.get(assignment.name, {}).keys()
    drawn = {maker.checks[i].name for i in maker.using}
    assert own <= drawn, "depends on no parameter"
    assert FOR_ALL.get(assignment.name, {}).keys() <= kinds.keys()
    makes_only(maker, own)

    def points(values: Mapping[str, Value], items: Mapping[str, Any]) -> dict[str, float]:
        """Return the points that the right answers to the version with `values` earn on `items`."""
        names: dict[str, Any] = {"__name__": "__main__"}
        for cell in maker.source.version(values).cells:
            if cell.cell_type == "code" and cell.kind in ("given", "solution"):
                exec(cell.source, names)
        verdicts = {
            name: [run(names[item.call], part)[0] for part in (item.visible, item.hidden)]
            for name, item in items.items()
        }
        return {name: float(credit(items[name], *both)) for name, both in verdicts.items()}

    one, other = (maker.values(np.random.default_rng(seed)) for seed in SEEDS)
    earned: dict[str, list[float]] = {name: [] for name in own}
    for old, new in ((one, other), (other, one)):
        items = {item.name: item for item in maker.checked(new, 3, fresh=False)}
        assert items.keys() == own
        for name, found in points(old, items).items():
            earned[name].append(found)
    assert points(one, items) == {name: kinds[name].points for name in own}
    for name, both in earned.items():
        if isinstance(kinds[name], HandCheck):
            assert max(both) < kinds[name].points / 2, name
        else:
            assert min(both) == 0, name


@pytest.mark.parametrize(
    "assignment", [one for one in ASSIGNMENTS if one.facts.computed], ids=lambda one: one.name
)
def test_the_rubric_has_the_numbers_that_students_compute(
    assignment: Assignment, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The rubric's values of numbers that students compute are right in three versions."""
    # in this folder lie the data files that some assignments read
    if (folder := COURSE / "assignments" / assignment.name).is_dir():
        monkeypatch.chdir(folder)
    maker = Personal(assignment.path)
    rubrics = [cell.template for cell in assignment.source.of_kind("manual")]
    seen: dict[str, set[float]] = {name: set() for name in assignment.facts.computed}
    drawn = [maker.values(np.random.default_rng(seed)) for seed in SEEDS]
    for values in (assignment.source.values, *drawn):
        names: dict[str, Any] = {"__name__": "__main__"}
        for cell in maker.source.version(values).cells:
            if cell.cell_type == "code" and cell.kind in ("given", "solution"):
                exec(cell.source, names)
        for name, expression in assignment.facts.computed.items():
            found = eval(expression, names)
            assert found == pytest.approx(values[name], rel=1e-3), name
            seen[name].add(round(found, 3))
    for name, numbers in seen.items():
        assert any(f"{{{{{name}:" in text for text in rubrics), name
        assert len(numbers) == 3, name


def test_the_claim_of_renyi_dp_needs_the_better_conversion() -> None:
    """A vendor claims an epsilon, which depends on the student.

    For no student, Markov's inequality proves it; for some, a better bound does.
    """
    maker = Personal(COURSE / "assignments" / "renyi_dp.md")
    proved = set()
    for seed in range(40):
        values = maker.values(np.random.default_rng(seed))
        claimed, better = float(values["claimed"]), float(values["epsilon_better"])
        assert 1.005 * claimed < float(values["epsilon_hundred"])
        assert abs(better / claimed - 1) > 0.005
        assert (values["conclusion"] == "proved") is (better < claimed)
        proved.add(better < claimed)
    assert proved == {False, True}


@of_each
def test_numbers_by_hand_are_a_check_in_each_version(
    assignment: Assignment, everything: bool
) -> None:
    """No known mistake in a computation by hand gives the right number in any tried version.

    A version is an assignment with a student's own numbers. `Personal.checked` raises an error if
    a mistake gives the right number.
    """
    maker = Personal(assignment.path)
    makes_only(maker, {c.name for c in maker.checks.values() if isinstance(c, HandCheck)})
    for seed in range(30 if everything else 3):
        maker.checked(maker.values(np.random.default_rng(seed)), 3, fresh=False)


@of_each
def test_exchanged_laws_show_on_visible_cases(assignment: Assignment) -> None:
    assert assignment.name != "renyi_dp" or "swapped P and Q" in assignment.text
    for check in assignment.checks.values():
        exchanged = [i for i, m in enumerate(check.mistakes) if "swapped P and Q" in m.message]
        if not exchanged:
            continue
        visible, _ = declared(check)
        for i in exchanged:
            assert any(case["mistakes"][i] is not None for case in visible["cases"]), check.name


@of_each
def test_each_function_has_three_hints_and_each_proof_its_scheme(
    assignment: Assignment, course: Course
) -> None:
    text = "\n".join(cell.source for cell in course.release().cells)
    for cell in assignment.source.of_kind("solution"):
        for level in (1, 2, 3):
            opened = f"<details><summary>Hint {level} for <code>{cell.name}</code></summary>\n\n"
            assert text.count(opened) == 1, (cell.name, level)
    assert (
        text.count("<details>")
        == text.count("\n\n</details>")
        == 3 * len(assignment.source.of_kind("solution"))
    )
    for cell in assignment.source.of_kind("manual"):
        scheme = scheme_of(cell)
        assert sum(points for points, _ in scheme) == cell.points, cell.name
        assert as_markdown(scheme) in text, cell.name


@of_each
def test_orders_are_called_as_in_the_chapter(assignment: Assignment) -> None:
    for cell in assignment.source.cells:
        if cell.cell_type == "markdown" and not assignment.facts.alarms:
            for formula in re.findall(r"(?s)\$\$.*?\$\$|\$[^$]+\$", cell.source):
                assert not re.search(r"(?<![\\A-Za-z])a(?![A-Za-z])", formula), formula
    for check in assignment.checks.values():
        for mistake in check.mistakes:
            assert not re.search(r"\ba - 1\b|\ba \*|\*\*a\b", mistake.message), mistake.message


def test_the_released_table_is_the_hospitals() -> None:
    """The data file of the first assignment is the table that `hospital.patients` returns."""
    patients = hospital.patients()
    with (COURSE / "assignments" / "removing_names" / "data" / "released.csv").open() as file:
        rows = list(csv.DictReader(file))
    assert set(rows[0]) == {"sex", "born", "postcode", "admitted", "days", "ward", "diagnosis"}
    for name in rows[0]:
        assert [row[name] for row in rows] == patients[name].astype(str).tolist(), name


@pytest.mark.slow
@pytest.mark.parametrize("name", ["renyi_dp"])
def test_the_class_of_the_guide(name: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """The code in the guide's ten-minute tour submits each answer in the assignment's bank."""
    guide = (PROJECT / "book" / "instructors.md").read_text("utf-8")
    ten = guide.partition("## A ten-minute tour")[2].partition("\n## ")[0]
    assert 'echo "c.Assignments.optional = True" >> /tmp/demo/nbgrader_config.py' in ten
    code = textwrap.dedent(ten.partition("```python\n")[2].partition("```")[0])
    assert code.count('"/tmp/demo"') == 1 and f'"{name}"' in code
    shutil.copytree(built(COURSE / "assignments" / f"{name}.md").root, tmp_path / "demo")
    monkeypatch.chdir(PROJECT)
    exec(code.replace("/tmp/demo", str(tmp_path / "demo")), {})
    handed_in = {path.name for path in (tmp_path / "demo" / "submitted").iterdir()}
    assert handed_in == {answer.name for answer in read_bank(COURSE / "mutants" / name)}
    (shown,) = re.findall(rf"/tmp/demo/feedback/(\w+)/{name}", ten)
    assert shown in handed_in
