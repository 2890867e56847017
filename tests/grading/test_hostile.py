"""Tests that grade hostile submissions in one run: some of tests/hostile, or all with --all.

None may earn an undeserved point, read anything outside of the sandbox or reveal a hidden
case. The run must finish, and leave no processes or files behind.
"""

from __future__ import annotations

import csv
import io
import json
import os
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from hostile import harness
from hostile.harness import Batch
from hostile.reader import CATEGORIES, Attack, read_bank
from hostile.structure import STUDENTS

BANK = read_bank()
KEPT = Path(__file__).parents[1] / "hostile"

#: names of the attacks that are tried without pytest's option ``--all``: one of each kind, and all
#: submissions that are not notebooks, because these are refused quickly
PART = """
    always_equal always_raises another_law broken_messages design_of_lies execute_reply_forged
    expected_from_frames import_hook input_request_forged input_transformer lying_reduce
    memorised_visible
    messages_from_functions partial_credit patched_answer patched_builtins quantiles_in_order
    redefined_later repair_by_event replaced_modules signal_handlers startup_files
    test_answers_forged test_by_closure test_keeps_notes test_by_frames test_by_shared_memory
    test_looks_inside threads_answer_later

    environment gradebook hidden_by_reason hidden_in_displays hidden_in_files hidden_later
    hidden_returned import_reference locks_published locks_read memory_of_others network_loopback
    network_outside other_students privileges proc_root terminal unix_sockets whole_tree

    closed_sockets daemon_left_behind deep_answers dies_each_time disk_inodes endless_cell
    endless_when_hidden exit_everywhere fork_bomb garbage_on_pipes huge_integers kill_everybody
    memory_kept os_exit_in_function output_of_functions output_past_python parser_bomb
    segfault_in_function request_flood stops_all swallows_in_cell thread_bomb

    check_deleted errors_with_markup every_cell_duplicated given_cell_edited graded_cells_added
    grader_marks link_to_secrets lone_surrogates magics markup_everywhere metadata_of_other_types
    metadata_with_markup modules_beside names_exchanged names_of_bytes names_taken nbformat_3
    not_python nothing_written odd_characters other_kernel outputs_forged paths_in_names
    points_raised several slow_patterns solution_retyped

    all_cells_deleted binary cells_of_other_types deep_folders directory empty link_loop
    link_to_other_student link_to_passwd link_to_source link_without_end nested_json not_an_object
    nothing_at_all other_json outputs_too_large packed picture pipe python_file sparse_notebook
    truncated unix_socket white_space zip_bomb zip_of_the_notebook
"""
OF_EACH_KIND = set(PART.split())
#: the students with harmless submissions that are tried without --all: every third, to save time
SOME_STUDENTS = STUDENTS[::3]

pytestmark = [
    pytest.mark.requires("bubblewrap"),
    pytest.mark.filterwarnings("ignore::DeprecationWarning"),
    pytest.mark.filterwarnings("ignore::ResourceWarning"),
]


@pytest.fixture(scope="module")
def attacks(everything: bool) -> list[Attack]:
    return [attack for attack in BANK if everything or attack.name in OF_EACH_KIND]


@pytest.fixture(scope="module")
def students(everything: bool) -> tuple[str, ...]:
    return STUDENTS if everything else SOME_STUDENTS


@pytest.fixture(scope="module")
def batch(
    tmp_path_factory: pytest.TempPathFactory, attacks: list[Attack], students: tuple[str, ...]
) -> Batch:
    return harness.run_batch(tmp_path_factory.mktemp("hostile"), attacks, students)


def case(value: Any, name: str, *, tried: bool) -> Any:
    """Return a test case for pytest, which is left out without --all if `tried` is false."""
    return pytest.param(value, marks=() if tried else pytest.mark.exhaustive, id=name)


def test_the_bank_is_large() -> None:
    sizes = Counter(attack.category for attack in BANK)
    assert set(sizes) == set(CATEGORIES)
    assert min(sizes.values()) >= 25
    assert len({attack.name for attack in BANK}) == len(BANK) >= 200
    assert all(0 < len(attack.about) < 400 for attack in BANK)


def test_the_part_of_it_is_there() -> None:
    part = [attack for attack in BANK if attack.name in OF_EACH_KIND]
    assert {attack.name for attack in part} == OF_EACH_KIND
    assert min(Counter(attack.category for attack in part).values()) >= 19


@pytest.mark.parametrize("file", ["stock.json", "own.json"])
def test_the_guide_shows_numbers_of_this_bank(file: str) -> None:
    found = json.loads((KEPT / file).read_text("utf-8"))["submissions"]
    assert set(found) <= {f"{attack.category}/{attack.name}" for attack in BANK}
    # stock.json has results of attacks on an older assignment, which lacked these three items
    newer = {"max_tested", "vector_repaired", "counts_design"} if file == "stock.json" else set()
    assert len(found) >= 0.9 * sum(not newer & set(attack.points) for attack in BANK)


def test_markup_is_found() -> None:
    assert harness.dangerous("<script>window.HOSTILE_SCRIPT=1</script>")
    assert harness.dangerous('<img src=x onerror="HOSTILE_SCRIPT()">')
    assert harness.dangerous("<a href='javascript:HOSTILE_SCRIPT'>x</a>")
    assert not harness.dangerous("<pre>&lt;script&gt;HOSTILE_SCRIPT&lt;/script&gt;</pre>")


def test_secrets_are_found() -> None:
    hidden = {"314159265": "pi"}
    assert harness.told("it was 3.14159265!", hidden) == ["pi"]
    assert harness.told("E3_14159265_x", hidden) == ["pi"]
    assert harness.told("it was 3.14", hidden) == []


@pytest.mark.slow
def test_the_batch_goes_on_to_its_end(
    batch: Batch, attacks: list[Attack], students: tuple[str, ...]
) -> None:
    assert batch.report["code"] == 0, batch.report["log"][-3000:]
    everybody = {attack.name for attack in attacks} | {*students, "zzz_honest"}
    told_of = batch.report["said"] + batch.report["log"]
    missing = {name for name in everybody - set(batch.results) if name not in told_of}
    assert not missing


@pytest.mark.slow
def test_nothing_is_left(batch: Batch) -> None:
    assert batch.report["processes"] == []
    assert batch.report["files"] == []
    token = batch.place.words()["HOSTILE_TOKEN"]
    assert not list(Path("/tmp").glob(f"*{token}*"))
    for folder, _, names in os.walk(batch.root):
        if "submitted" not in Path(folder).parts:
            assert not [name for name in names if token in name], folder


@pytest.mark.slow
def test_nobody_came_to_the_listeners(batch: Batch) -> None:
    assert batch.met == []


@pytest.mark.slow
@pytest.mark.parametrize(
    "student",
    ["zzz_honest", *(case(name, ascii(name), tried=name in SOME_STUDENTS) for name in STUDENTS)],
)
def test_honest_students_get_all_points(batch: Batch, student: str) -> None:
    result = batch.results[student]
    for item in result.items:
        assert item.score == (None if item.kind == "manual" else item.points), item.name


@pytest.mark.slow
@pytest.mark.parametrize(
    "attack",
    [
        case(attack, f"{attack.category}/{attack.name}", tried=attack.name in OF_EACH_KIND)
        for attack in BANK
    ],
)
def test_attack(batch: Batch, attack: Attack) -> None:
    if attack.name not in batch.results:
        # this submission has no result, because its student id was refused
        assert attack.on_disk, batch.report["said"]
        return
    result = batch.results[attack.name]
    page = batch.page(attack.name)
    assert harness.undeserved(attack, batch.exam, result) == {}
    assert harness.lost(attack, batch.exam, result) == {}
    assert harness.reached(result, page) == []
    if attack.says:
        assert "attack ran" in harness.outputs(result.notebook)
    everything = result.to_bytes().decode() + page
    assert harness.told(everything, batch.secrets) == []
    assert page
    assert harness.dangerous(page) == []
    assert len(page) < 1_000_000
    assert len(everything) < 12_000_000


@pytest.mark.slow
@pytest.mark.parametrize("name", ["always_equal", "every_cell_duplicated", "partial_credit"])
def test_equal_bytes_without_the_batch(batch: Batch, name: str) -> None:
    """Grading a submission alone gives the same bytes as grading it in a run with all attacks."""
    from hostile.quick import grade_quickly

    from dpteach.grading.sandbox.limits import Limits
    from dpteach.grading.submission.intake import read_submission

    files = read_submission(batch.root / "submitted" / name / harness.NAME)
    limits = Limits(**harness.LIMITS | {"cell_seconds": 20.0, "wall_seconds": 100.0})
    again = grade_quickly(batch.place.exam, files, limits)
    assert again == batch.results[name].to_bytes()


@pytest.mark.slow
def test_the_report_and_the_export_of_such_a_class(batch: Batch, attacks: list[Attack]) -> None:
    from dpteach.grading.classroom.export import export
    from dpteach.grading.pages.report import write_report

    page = write_report(batch.root, harness.NAME, batch.root / "report.html").read_text("utf-8")
    assert harness.dangerous(page) == []
    assert harness.CANARY not in page
    assert harness.told(page, batch.secrets) == []
    rows = list(csv.reader(io.StringIO(export(batch.root, harness.NAME))))
    assert len(rows) > len(attacks)
    assert not [cell for row in rows for cell in row if cell.startswith(("=", "+", "@"))]
