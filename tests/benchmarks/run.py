"""Every library that is there, on the same jobs: a table, a chart, the numbers.

`make bench` runs it. A library has a process of its own and an environment of its own: the peers
theirs, dpteach that of the project. Answers are compared with `references.py`.
"""

from __future__ import annotations

import json
import math
import os
import platform
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from jobs import GROWTH, JOBS, Job
from references import references

from dpteach.figures import _style, benchmark, growth
from dpteach.figures.accounting import benchmark_table, growth_table

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
GENERATED = ROOT / "_build" / "benchmarks"
#: the numbers that the book shows
KEPT = HERE / "results.json"
LIBRARIES = [
    path.stem.removeprefix("of_").replace("_", "-") for path in sorted(HERE.glob("of_*.py"))
]
#: by how much an answer may be too low: dpteach where the reference has all digits, and else
ROUNDING, DIGITS = 1e-12, 1e-9
Lines = dict[str, dict[str, Any]]


def version(library: str, python: Path) -> str:
    """Of an installed library; "" where it is not installed."""
    code = f"from importlib.metadata import version; print(version({library!r}))"
    return subprocess.run([python, "-c", code], capture_output=True, text=True).stdout.strip()


def started(library: str, python: Path) -> subprocess.Popen[str]:
    """The process of a library."""
    return subprocess.Popen(
        [python, HERE / "measure.py", library],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,  # peers log
        text=True,
        # one thread each, and dpteach is this one, whatever is installed
        env=os.environ
        | {"PYTHONWARNINGS": "ignore", "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
        | ({"PYTHONPATH": str(ROOT)} if library == "dpteach" else {}),
    )


def asked(process: subprocess.Popen[str], job: str) -> dict[str, Any]:
    """What a library's process answers to a job; nothing where it has none."""
    assert process.stdin and process.stdout
    if process.poll() is not None:
        return {}
    print(job, file=process.stdin, flush=True)
    said = process.stdout.readline()
    answer: dict[str, Any] = json.loads(said) if said else {"error": "the process ended"}
    return answer


def verdict(library: str, job: Job, line: dict[str, Any], truth: Any) -> dict[str, str]:
    """What is wrong with an answer: nothing, or that it is no bound, or a loose one."""
    if "error" in line:
        return {"wrong": "raises " + line["error"].split(":")[0]}
    if truth is None or "value" not in line:
        return {}
    answer = line["value"]
    answers = answer if isinstance(answer, list) else [answer]
    truths = truth if isinstance(truth, list) else [truth]
    sharp = isinstance(truth, list) or job.name == "f.kov_optimal"
    known = ROUNDING if sharp and library == "dpteach" else DIGITS
    if isinstance(truth, float) and len(answers) == 2:  # a bracket
        if float(answers[0]) > truth * (1 + known):
            return {"wrong": "the truth is below the bracket"}
        answers = answers[1:]
    errors = [float(a) / t - 1 for a, t in zip(answers, truths, strict=True)]
    if not all(map(math.isfinite, errors)):
        return {"wrong": "infinite"}
    if min(errors) < -known:
        return {"wrong": f"{-min(errors):.0e} too low"}
    if max(errors) > job.tolerance + known:
        return {"loose": f"{max(errors):.0e} too high"}
    return {}


def measured(processes: dict[str, subprocess.Popen[str]], wanted: list[str]) -> dict[str, Lines]:
    """What each library answers to each job, and what is wrong with it."""
    truths = references()
    results: dict[str, Lines] = {name: {} for name in processes}
    for job in JOBS:
        if wanted and job.name not in wanted:
            continue
        print(job.name, "...", flush=True)
        # one right after the other: whatever else the machine does, it does to both
        for name, process in processes.items():
            if line := asked(process, job.name):
                results[name][job.name] = line
                line |= verdict(name, job, line, truths.get(job.name))
                if isinstance(value := line.get("value"), list) and len(value) > 8:
                    line["value"] = [value[0], value[len(value) // 2], value[-1]]
    return results


def grown(process: subprocess.Popen[str]) -> dict[str, list[dict[str, Any]]]:
    """How the cost of dpteach grows."""
    found: dict[str, list[dict[str, Any]]] = {}
    for growing in GROWTH:
        print(growing.of, "...", flush=True)
        lines = [asked(process, growing.name(at)) | {"at": at} for at in growing.values]
        found[growing.of] = [line for line in lines if "seconds" in line]
    return found


def main(peers: Path, wanted: list[str], *, record: bool = False) -> None:
    """Measures and shows; only if `record` says so, and by a whole run, does the book change."""
    pythons = {name: Path(sys.executable) if name == "dpteach" else peers for name in LIBRARIES}
    versions = {name: version(name, python) for name, python in pythons.items()}
    if missing := [name for name in LIBRARIES if not versions[name]]:
        print(f"not installed, left out: {', '.join(missing)}", flush=True)
    if record and (missing or wanted):
        # the book compares with all of them
        sys.exit("RECORD=1 needs all jobs and all peers: make bench PEERS=all RECORD=1")
    processes = {name: started(name, pythons[name]) for name in LIBRARIES if versions[name]}
    whole = {
        "when": datetime.now(UTC).strftime("%Y-%m-%d"),
        "where": f"{platform.machine()}, {os.cpu_count()} cores",
        "python": platform.python_version(),
        "versions": {name: versions[name] for name in processes},
        "jobs": [
            {"name": job.name, "asks": job.asks}
            | {"peer": job.peer, "reach": job.reach, "limit": job.limit}
            for job in JOBS
        ],
        "results": measured(processes, [name for name in wanted if name != "growth"])
        if wanted != ["growth"]
        else {},
        "growth": grown(processes["dpteach"]) if not wanted or "growth" in wanted else {},
    }
    for process in processes.values():
        process.communicate()
    whole["load"] = os.getloadavg()[1]  # besides one process at a time

    GENERATED.mkdir(parents=True, exist_ok=True)
    tables = [benchmark_table(whole), growth_table(whole)]
    text = "\n\n".join(str(table) for table in tables if len(table.rows) > 1)
    print(f"\n{text}\n\n* the answer is wrong: no bound. MiB: the most that dpteach held.")
    (GENERATED / "table.txt").write_text(text + "\n", "utf-8")
    numbers = json.dumps(whole, indent=1, ensure_ascii=False) + "\n"
    (GENERATED / "results.json").write_text(numbers, "utf-8")
    if record:
        KEPT.write_text(numbers, "utf-8")
    if whole["results"]:
        (GENERATED / "chart.svg").write_text(_style.svg(benchmark(results=whole)), "utf-8")
    if whole["growth"]:
        (GENERATED / "growth.svg").write_text(_style.svg(growth(results=whole)), "utf-8")
    print(f"In {GENERATED.relative_to(ROOT)}: the table, the charts, results.json")


if __name__ == "__main__":
    told = [name for name in sys.argv[2:] if name != "--record"]
    main(Path(sys.argv[1]), told, record="--record" in sys.argv)
