"""What tests need from the system, and the count of what was skipped for want of it."""

from __future__ import annotations

import os
import shutil
import signal
from collections import Counter

import hypothesis
import pytest

# for `make mutation`: the same examples each time, and the first that fails is enough
hypothesis.settings.register_profile(
    "first failure",
    deadline=None,
    derandomize=True,
    database=None,
    phases=(hypothesis.Phase.explicit, hypothesis.Phase.generate),
)

#: `make bench` runs them, with libraries that tests do not need
collect_ignore = ["benchmarks"]

#: the executables, one of which is enough, of what a test may require
PROGRAMS = {
    "bubblewrap": ("bwrap",),
    "chromium": ("chromium", "chromium-browser", "google-chrome"),
}

#: continuous integration has everything: what is skipped there was not tested
STRICT = os.environ.get("CI", "").lower() in ("1", "true")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--every",
        type=int,
        default=1,
        help="of the cases of each test only the first and every so many; `make check` does it",
    )


def pytest_configure(config: pytest.Config) -> None:
    # a shell makes what it runs in the background deaf to Ctrl-C, and all that starts from there
    if signal.getsignal(signal.SIGINT) == signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    every = config.getoption("--every")
    seen: Counter[str] = Counter()
    kept, left = [], []
    for item in items:
        test = item.nodeid.partition("[")[0]
        (kept if seen[test] % every == 0 else left).append(item)
        seen[test] += 1
    if left:
        config.hook.pytest_deselected(items=left)
        items[:] = kept


def pytest_runtest_setup(item: pytest.Item) -> None:
    for mark in item.iter_markers("requires"):
        for program in mark.args:
            if not any(map(shutil.which, PROGRAMS[program])):
                pytest.skip(f"needs {program}: apt-get install {program}")


def skipped(session: pytest.Session) -> list[pytest.TestReport | pytest.CollectReport]:
    reporter = session.config.pluginmanager.get_plugin("terminalreporter")
    return reporter.stats.get("skipped", []) if reporter else []


@pytest.hookimpl(tryfirst=True)
def pytest_sessionfinish(session: pytest.Session) -> None:
    if STRICT and skipped(session) and not session.exitstatus:
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
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
