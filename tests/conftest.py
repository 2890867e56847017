"""Settings of all tests: required programs, the selection and order of tests, and timing."""

from __future__ import annotations

import gc
import importlib.util
import os
import re
import shutil
import signal
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Generator, Iterator, Sequence
from pathlib import Path
from typing import Any

import hypothesis
import pytest

# a profile for `make mutation`, which compares test runs: hypothesis must generate the same
# examples each time, and need not search for a simpler failing example
hypothesis.settings.register_profile(
    "first failure",
    deadline=None,
    derandomize=True,
    database=None,
    phases=(hypothesis.Phase.explicit, hypothesis.Phase.generate),
)

# turn off hypothesis's time limits, which a busy machine may exceed; in continuous integration,
# hypothesis itself turns them off
hypothesis.settings.register_profile(
    "busy machine", deadline=None, suppress_health_check=[hypothesis.HealthCheck.too_slow]
)
if "CI" not in os.environ:
    hypothesis.settings.load_profile("busy machine")

#: do not collect the benchmarks, because they need libraries that the tests do not need; `make
#: bench` runs them
collect_ignore = ["benchmarks"]

#: the programs that a test may require, each with the names of executables, one of which suffices
PROGRAMS = {
    "bubblewrap": ("bwrap",),
    "chromium": ("chromium", "chromium-browser", "google-chrome"),
}

#: whether a skipped test is a failure: in continuous integration, where everything is installed
STRICT = os.environ.get("CI", "").lower() in ("1", "true")

ASSIGNMENTS = Path(__file__).parents[1] / "course_src" / "assignments"

#: the files whose tests may run in any worker, because they share no slow fixture. All tests of any
#: other file run in the same worker, except grading tests with an assignment as a parameter: for
#: these, all tests of one assignment run in the same worker
SPREAD = (
    "tests/book/test_browser.py",
    "tests/grading/test_false_alarms.py",
    "tests/library/test_accounting_jobs.py",
)

#: the slowest tests, which start first, so that all workers finish at about the same time
FIRST = (
    "tests/test_build.py",
    "tests/grading/test_hostile.py",
    "tests/grading/test_assignments.py",
    "tests/library/test_theorems.py",
    "tests/grading/test_classroom.py",
    "tests/grading/test_false_alarms.py",
    "tests/library/test_accounting_jobs.py",
)

#: the tests that start after all others, because they need the built book: first those of the
#: book, and last those in the browser
LAST = ("tests/book", "tests/book/test_browser.py")

#: matches the id of a grading test with an assignment as a parameter
OF_ASSIGNMENT = re.compile(
    r"tests/grading/.*?\[(?:.*-)?({})(?:-.*)?\]".format(
        "|".join(path.stem for path in ASSIGNMENTS.glob("*.md"))
    )
)

#: the file by which tests/test_build.py tells all workers of pytest that the build of the book has
#: ended: the file is empty after a success, and otherwise contains the error
OUTCOME = Path(__file__).parents[1] / "_build" / "outcome"

STARTED = time.time()

#: maps the beginning of a test's id to the part of the tests under which `say_minutes` reports its
#: time; the first beginning that matches decides
PARTS = {
    "tests/test_build.py::test_the_notebooks": "notebooks",
    "tests/test_build.py": "the build",
    "tests/grading": "grading",
    "dpteach/grading": "grading",
    "tests/book": "book and browser",
    "dpteach/figures": "book and browser",
    "dpteach/widgets": "book and browser",
    "": "library",
}


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--every",
        type=int,
        default=1,
        help="of the cases of each test only the first and every so many; `make check` does it",
    )
    parser.addoption(
        "--all",
        action="store_true",
        help="sweeps in full, of which there is a sample otherwise; `make test-all` does it",
    )
    parser.addoption(
        "--build",
        action="store_true",
        help="build book and assignments beside tests that need neither; `make test` does it",
    )


@pytest.fixture(scope="session")
def everything(pytestconfig: pytest.Config) -> bool:
    """Return whether the option ``--all`` was given, which makes long tests try every case."""
    return bool(pytestconfig.getoption("--all"))


@pytest.fixture(scope="session")
def sample(everything: bool) -> Callable[[Sequence[Any], int], list[Any]]:
    """Return a function that picks evenly spaced cases of a list; with ``--all``, all cases."""

    def chosen(cases: Sequence[Any], count: int) -> list[Any]:
        last = len(cases) - 1
        if everything or last < count:
            return list(cases)
        return [cases[round(i * last / (count - 1))] for i in range(count)]

    return chosen


def pytest_configure(config: pytest.Config) -> None:
    # make Python handle SIGINT (Ctrl-C) again: a shell that runs the tests in the background makes
    # them and their child processes ignore SIGINT, but some tests interrupt child processes by it
    if signal.getsignal(signal.SIGINT) == signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    # jupyter_client may be missing, as in the environment of `make mutation`
    if importlib.util.find_spec("jupyter_client"):
        from dpteach._kernels import private_kernels

        private_kernels()
    if config.getoption("--build") and not hasattr(config, "workerinput"):
        OUTCOME.unlink(missing_ok=True)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    every = config.getoption("--every")
    without = ["part"] if config.getoption("--all") else ["exhaustive"]
    without += [] if config.getoption("--build") else ["build"]
    without += [] if "not slow" in config.option.markexpr else ["quick"]
    seen: Counter[str] = Counter()
    kept, left = [], []
    for item in items:
        if any(map(item.get_closest_marker, without)):
            left.append(item)
            continue
        test = item.nodeid.partition("[")[0]
        (kept if seen[test] % every == 0 else left).append(item)
        seen[test] += 1
    if left:
        config.hook.pytest_deselected(items=left)
    items[:] = sorted(kept, key=lambda item: place(item.nodeid))


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, Any, Any]:
    # pause the garbage collector while pytest collects tests: otherwise it scans the thousands of
    # collected tests again and again, which takes half of the time
    gc.disable()
    try:
        return (yield)
    finally:
        gc.collect()
        gc.freeze()
        gc.enable()


def place(test: str) -> int:
    """Return the sort key of a test id: tests in `FIRST` come first, those in `LAST` come last."""
    first = (i for i, name in enumerate(FIRST) if test.startswith(name))
    return next(first, len(FIRST) + sum(map(test.startswith, LAST)))


def together(test: str) -> str:
    """Return the group of a test; all tests of a group run in order in the same worker."""
    if test.startswith(SPREAD):
        return test
    found = OF_ASSIGNMENT.fullmatch(test)
    return f"of {found[1]}" if found else test.partition("::")[0]


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    """Return a scheduler of pytest-xdist that gives each worker whole groups (see `together`)."""
    from xdist.scheduler import LoadScopeScheduling

    class Scheduling(LoadScopeScheduling):
        def _split_scope(self, nodeid: str) -> str:
            return together(nodeid)

    config.option.loadscopereorder = False
    return Scheduling(config, log)


def pytest_runtest_setup(item: pytest.Item) -> None:
    for mark in item.iter_markers("requires"):
        for program in mark.args:
            if not any(map(shutil.which, PROGRAMS[program])):
                pytest.skip(f"needs {program}: apt-get install {program}")
    if item.config.getoption("--build") and item.nodeid.startswith(LAST):
        wait_for_the_build(item.session)


def wait_for_the_build(session: pytest.Session, seconds: float = 1800.0) -> None:
    """Wait until the test of the build ends; fail if this takes too long or the build failed."""
    end = time.monotonic() + seconds
    while not OUTCOME.exists():
        if time.monotonic() > end:
            pytest.fail("the build has not ended", pytrace=False)
        time.sleep(0.2)
    if OUTCOME.read_text("utf-8"):
        session.shouldfail = "the build failed"
        pytest.fail("the build failed", pytrace=False)


def skipped(session: pytest.Session) -> list[pytest.TestReport | pytest.CollectReport]:
    reporter = session.config.pluginmanager.get_plugin("terminalreporter")
    return reporter.stats.get("skipped", []) if reporter else []


@pytest.hookimpl(tryfirst=True)
def pytest_sessionfinish(session: pytest.Session) -> None:
    if STRICT and skipped(session) and not session.exitstatus:
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


#: what `say_minutes` must know about each part of the tests: how many tests ran, their total
#: seconds, when the first one started, and when the last one ended
MINUTES: dict[str, list[float]] = defaultdict(lambda: [0, 0.0, float("inf"), 0.0])


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    if not report.start:  # the report of a worker that crashed has no start time
        return
    found = MINUTES[part_of(report.nodeid)]
    found[0] += report.when == "call"
    found[1] += report.duration
    found[2:] = min(found[2], report.start), max(found[3], report.stop)


def part_of(test: str) -> str:
    return next(name for begin, name in PARTS.items() if test.startswith(begin))


def minutes(seconds: float) -> str:
    whole, tenths = divmod(round(seconds, 1), 60)
    return f"{whole:.0f}:{tenths:04.1f}"


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    say_minutes(terminalreporter)
    say_skipped(terminalreporter)


def say_minutes(terminalreporter: pytest.TerminalReporter) -> None:
    """Print how many minutes each part of the tests took; do nothing without ``--build``."""
    config = terminalreporter.config
    if not config.getoption("--build") or hasattr(config, "workerinput") or not MINUTES:
        return
    terminalreporter.section("minutes of each part")
    line = "{:<18}{:>8}{:>12}{:>12}".format
    terminalreporter.line(line("", "tests", "in workers", "by clock"))
    for part, (tests, seconds, first, last) in sorted(MINUTES.items()):
        terminalreporter.line(line(part, int(tests), minutes(seconds), minutes(last - first)))
    tests, seconds = (sum(found[i] for found in MINUTES.values()) for i in (0, 1))
    terminalreporter.line(line("all", int(tests), minutes(seconds), minutes(time.time() - STARTED)))


def say_skipped(terminalreporter: pytest.TerminalReporter) -> None:
    """Print the names of the skipped tests with the reasons."""
    reports = terminalreporter.stats.get("skipped", [])
    if not reports:
        return
    consequence = ", and CI=true makes each a failure" if STRICT else ""
    terminalreporter.section(f"{len(reports)} skipped{consequence}")
    reasons = Counter(
        report.longrepr[2].removeprefix("Skipped: ")
        for report in reports
        if isinstance(report.longrepr, tuple)
    )
    for report in reports:
        terminalreporter.line(report.nodeid)
    for reason, count in reasons.most_common():
        terminalreporter.line(f"{count} x {reason}")


#: options with which Chromium runs in a container, asks the user nothing, and sends no requests to
#: the internet
FLAGS = [
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    """Yield one browser for all tests of a file."""
    from playwright.sync_api import sync_playwright

    path = next(filter(None, map(shutil.which, PROGRAMS["chromium"])), None)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=FLAGS)
        yield browser
        browser.close()
