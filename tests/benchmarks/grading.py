"""A comparison of ``dpteach grade`` and ``nbgrader autograde`` on the same submissions.

The submissions are copies of an assignment's solution, of the notebook without answers, and of
known wrong answers. Each copy gets an extra line, so that no two files are equal. `dpteach grade`
grades all of them with two workers. It runs them in the sandbox on visible and hidden test cases,
and writes the gradebook and the feedback pages. nbgrader, with its default settings, grades only
some of the copies: first with a command for each copy, then with one command for all. It runs only
the visible test cases and writes no feedback.

``make bench-grading RECORD=1`` writes ``tests/benchmarks/grading.json``, which the instructor's
guide shows. Without ``RECORD`` the numbers are written to ``_build``.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import platform
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from importlib.metadata import version
from pathlib import Path
from typing import Any

import nbformat
import psutil

from dpteach.grading.author.build import build_assignments
from dpteach.grading.author.mutants import read_bank, submission
from dpteach.grading.author.source import read_source

ROOT = Path(__file__).resolve().parents[2]
COURSE = ROOT / "course_src"
BIN = Path(sys.executable).parent

#: the limits for 200 submissions on two cores: dpteach's time in seconds, how many times slower
#: nbgrader must be, and dpteach's memory in bytes
MOST_SECONDS, LEAST_RATIO, MOST_BYTES = 60.0, 4.0, 4 << 30

STOCK = """
c = get_config()
c.CourseDirectory.root = {root!r}
c.CourseDirectory.course_id = "dpteach"
"""


def hand_in(course: Path, assignment: str, count: int) -> list[str]:
    """Write `count` submissions of an assignment, and return the ids of their students."""
    source = read_source(course / "assignments" / f"{assignment}.md")
    release = nbformat.read(course / "release" / assignment / f"{assignment}.ipynb", 4)
    answers = [release, submission(release, source, {})]
    released = {cell.metadata.get("nbgrader", {}).get("grade_id") for cell in release.cells}
    answers += [
        submission(release, source, mutant.cells)
        for mutant in read_bank(COURSE / "mutants" / assignment)
        # leave out wrong answers to optional items, which the students' notebook lacks
        if {*mutant.cells} <= released
    ]
    students = []
    for i in range(count):
        notebook = json.loads(nbformat.writes(answers[i % len(answers)]))
        for cell in notebook["cells"]:
            if cell["metadata"].get("nbgrader", {}).get("solution") and cell["cell_type"] == "code":
                cell["source"] = ["# submission " + str(i) + "\n", *cell["source"]]
                break
        student = f"student{i:04}"
        folder = course / "submitted" / student / assignment
        folder.mkdir(parents=True)
        (folder / f"{assignment}.ipynb").write_text(json.dumps(notebook))
        students.append(student)
    return students


def memory(process: psutil.Process) -> int:
    """Return the memory of a process and its descendants in bytes; shared pages count once."""
    total = 0
    for one in (process, *process.children(recursive=True)):
        with contextlib.suppress(psutil.Error, OSError):
            total += one.memory_full_info().pss
    return total


@contextlib.contextmanager
def watched(process: psutil.Process) -> Iterator[list[int]]:
    """Yield a list of one number, which becomes the peak memory of a process and its descendants.

    The memory is measured every two seconds until the block ends.
    """
    peak, done = [0], threading.Event()

    def watch() -> None:
        while not done.wait(2):
            with contextlib.suppress(psutil.Error):
                peak[0] = max(peak[0], memory(process))

    watcher = threading.Thread(target=watch, daemon=True)
    watcher.start()
    try:
        yield peak
    finally:
        done.set()
        watcher.join()


def timed(command: list[str], folder: Path) -> tuple[float, int]:
    """Run a command, and return its time in seconds and its peak memory in bytes.

    Raises
    ------
    SystemExit
        If the command fails; the message has the end of the command's output.
    """
    environment = {
        **os.environ,
        "PATH": f"{BIN}{os.pathsep}{os.environ['PATH']}",
        "PYTHONWARNINGS": "ignore",
        "OMP_NUM_THREADS": "1",
    }
    with tempfile.TemporaryFile("w+") as said:
        start = time.monotonic()
        process = subprocess.Popen(command, cwd=folder, stdout=said, stderr=said, env=environment)
        with watched(psutil.Process(process.pid)) as peak:
            code = process.wait()
        seconds = time.monotonic() - start
        if code:
            said.seek(0)
            raise SystemExit(f"{' '.join(command)}: exit code {code}\n{said.read()[-3000:]}")
    return seconds, peak[0]


def measure(assignment: str, count: int, workers: int, sample: int) -> dict[str, Any]:
    """Grade submissions with dpteach, and a sample with nbgrader; return the measured values."""
    with tempfile.TemporaryDirectory(prefix="dpteach-bench-") as folder:
        course, stock = Path(folder) / "course", Path(folder) / "stock"
        course.mkdir()
        shutil.copy(COURSE / "nbgrader_config.py", course)
        shutil.copytree(COURSE / "assignments", course / "assignments")
        build_assignments(course, [assignment])
        shutil.copytree(course, stock)
        (stock / "nbgrader_config.py").write_text(STOCK.format(root=str(stock)))
        hand_in(course, assignment, count)
        students = hand_in(stock, assignment, sample)

        grade = [str(BIN / "dpteach"), "grade", assignment, "--course", str(course)]
        seconds, peak = timed([*grade, "--workers", str(workers)], course)
        print(f"dpteach grade: {count} submissions in {seconds:.1f} s, {peak / 2**30:.2f} GiB")

        autograde = [str(BIN / "nbgrader"), "autograde", assignment]
        each = sum(timed([*autograde, "--student", s], stock)[0] for s in students) / sample
        print(f"nbgrader autograde, one command a submission: {each:.2f} s each")
        shutil.rmtree(stock / "autograded")
        batch = timed(autograde, stock)[0] / sample
        print(f"nbgrader autograde, one command for {sample}: {batch:.2f} s each")
    return {
        "assignment": assignment,
        "machine": f"{os.cpu_count()} cores, {platform.system()}, Python "
        f"{platform.python_version()}, nbgrader {version('nbgrader')}",
        "submissions": count,
        "workers": workers,
        "seconds": round(seconds, 1),
        "seconds_each": round(seconds / count, 3),
        "peak_gib": round(peak / 2**30, 2),
        "nbgrader_sample": sample,
        "nbgrader_command_seconds_each": round(each, 2),
        "nbgrader_batch_seconds_each": round(batch, 2),
        "times_faster_than_command": round(each / (seconds / count), 1),
        "times_faster_than_batch": round(batch / (seconds / count), 1),
    }


def main() -> int:
    """Measure ``dpteach grade`` and nbgrader, and write the results to a file.

    The exit code is 0 if dpteach is fast enough and needs little enough memory, else 1.
    """
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--assignment", default="renyi_dp")
    parser.add_argument("--submissions", type=int, default=200)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--sample", type=int, default=10)
    parser.add_argument("--to", type=Path, required=True, help="the file for the numbers")
    told = parser.parse_args()
    found = measure(told.assignment, told.submissions, told.workers, told.sample)
    told.to.parent.mkdir(parents=True, exist_ok=True)
    told.to.write_text(json.dumps(found, indent=1) + "\n")
    print(json.dumps(found, indent=1))
    reached = (
        found["seconds"] * 200 / max(200, told.submissions) < MOST_SECONDS
        and found["times_faster_than_command"] >= LEAST_RATIO
        and found["peak_gib"] < MOST_BYTES / 2**30
    )
    if not reached:
        print("not reached: 60 s for 200, 4 times faster, under 4 GiB", file=sys.stderr)
    return 0 if reached else 1


if __name__ == "__main__":
    sys.exit(main())
