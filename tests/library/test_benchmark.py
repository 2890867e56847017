"""Tests of the benchmark that `make bench` runs on dpteach and other libraries.

They check the list of jobs, the verdicts on the libraries' answers, and which results are saved.
"""

from __future__ import annotations

import importlib
import re
from pathlib import Path
from typing import Any

import pytest

FOLDER = Path(__file__).parents[1] / "benchmarks"


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.syspath_prepend(str(FOLDER))
    return importlib.import_module("run")


def test_jobs_of_libraries_are_among_the_jobs(run: Any) -> None:
    known = {job.name for job in run.JOBS}
    for path in FOLDER.glob("of_*.py"):
        names = set(re.findall(r'^    "([a-z]\.[\w.-]+)": ', path.read_text("utf-8"), re.MULTILINE))
        assert names and names <= known, path.name
    assert {job.peer for job in run.JOBS} <= set(run.LIBRARIES)


def test_what_is_missing_is_left_out(run: Any) -> None:
    assert run.version("dpteach", Path(run.sys.executable))
    assert run.version("no-such-library", Path(run.sys.executable)) == ""


@pytest.mark.parametrize(
    ("answer", "truth", "expected"),
    [
        (2.0, 2.0, {}),
        ([1.9999, 2.0001], 2.0, {}),
        ([2.00001, 2.0001], 2.0, {"wrong": "the truth is below the bracket"}),
        ([1.9, 1.99], 2.0, {"wrong": "5e-03 too low"}),
        ([1.9, 2.2], 2.0, {"loose": "1e-01 too high"}),
        ("inf", 2.0, {"wrong": "infinite"}),
        ([1.0, 2.0, 3.3], [1.0, 2.0, 3.0], {"loose": "1e-01 too high"}),
        ([1.0, 1.5, 3.3], [1.0, 2.0, 3.0], {"wrong": "2e-01 too low"}),
        (2.0, None, {}),
    ],
)
def test_answers_are_judged(run: Any, answer: Any, truth: Any, expected: dict[str, str]) -> None:
    job = run.Job("x", "a question", 10, tolerance=1e-3)
    assert run.verdict("other", job, {"value": answer}, truth) == expected


def test_own_answers_are_judged_more_sharply_and_errors_are_told(run: Any) -> None:
    job = run.Job("x", "a question", 10, tolerance=1e-3)
    low = {"value": [1.0 - 1e-11, 2.0, 3.0]}
    assert run.verdict("other", job, low, [1.0, 2.0, 3.0]) == {}
    assert "too low" in run.verdict("dpteach", job, low, [1.0, 2.0, 3.0])["wrong"]
    raised = {"error": "ValueError: no"}
    assert run.verdict("other", job, raised, 2.0) == {"wrong": "raises ValueError"}


@pytest.fixture
def bench(run: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """Return the benchmark's module `run`, changed to measure nothing and to use a new folder."""
    monkeypatch.setattr(run, "ROOT", tmp_path)
    monkeypatch.setattr(run, "GENERATED", tmp_path / "generated")
    monkeypatch.setattr(run, "KEPT", tmp_path / "results.json")
    monkeypatch.setattr(run, "LIBRARIES", ["dpteach"])
    monkeypatch.setattr(run, "measured", lambda processes, wanted: {name: {} for name in processes})
    monkeypatch.setattr(run, "grown", lambda process: {})
    monkeypatch.setattr(run, "benchmark", lambda results: None)
    monkeypatch.setattr(run._style, "svg", lambda drawn: "")
    run.KEPT.write_text("the book's")
    return run


def test_measuring_leaves_the_numbers_of_the_book_alone(bench: Any) -> None:
    bench.main(Path("no python"), [])
    assert bench.KEPT.read_text() == "the book's"
    assert (bench.GENERATED / "results.json").exists()
    bench.main(Path("no python"), [], record=True)
    assert bench.KEPT.read_bytes() == (bench.GENERATED / "results.json").read_bytes()


@pytest.mark.parametrize("wanted", [["growth"], []])
def test_only_a_whole_run_is_recorded(
    bench: Any, wanted: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    if not wanted:
        monkeypatch.setattr(bench, "LIBRARIES", ["dpteach", "opendp"])
        monkeypatch.setattr(bench, "version", lambda library, python: "1" * (library == "dpteach"))
    with pytest.raises(SystemExit, match="PEERS=all RECORD=1"):
        bench.main(Path("no python"), wanted, record=True)
    assert bench.KEPT.read_text() == "the book's"
