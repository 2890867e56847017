"""A benchmark that gives the same computations (jobs) to dpteach and to other libraries.

`make bench` runs it; the results are a table, charts and a JSON file. Each library has its own
process. dpteach runs in the project's environment, and the libraries that it is compared with (the
peers) run in another one. The answers are compared with the true answers in `references.py`.
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
#: the results that the book shows, which are kept in git
KEPT = HERE / "results.json"
LIBRARIES = [
    path.stem.removeprefix("of_").replace("_", "-") for path in sorted(HERE.glob("of_*.py"))
]
#: an upper bound counts as wrong if it is below the true value by more than this relative amount:
#: ROUNDING for dpteach's answers if the true value is known to all digits of a float, and DIGITS
#: otherwise
ROUNDING, DIGITS = 1e-12, 1e-9
Lines = dict[str, dict[str, Any]]


def version(library: str, python: Path) -> str:
    """Return the version of an installed library, or "" if it is not installed."""
    code = f"from importlib.metadata import version; print(version({library!r}))"
    return subprocess.run([python, "-c", code], capture_output=True, text=True).stdout.strip()


def started(library: str, python: Path) -> subprocess.Popen[str]:
    """Start a process that runs the benchmark's jobs with one library."""
    return subprocess.Popen(
        [python, HERE / "measure.py", library],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,  # drop the log messages of some libraries
        text=True,
        # permit only one thread, because processor times are compared; PYTHONPATH selects the
        # project's own dpteach even if another one is installed
        env=os.environ
        | {"PYTHONWARNINGS": "ignore", "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
        | ({"PYTHONPATH": str(ROOT)} if library == "dpteach" else {}),
    )


def asked(process: subprocess.Popen[str], job: str) -> dict[str, Any]:
    """Send a job to a library's process; return the answer, or {} if the process ended before."""
    assert process.stdin and process.stdout
    if process.poll() is not None:
        return {}
    print(job, file=process.stdin, flush=True)
    said = process.stdout.readline()
    answer: dict[str, Any] = json.loads(said) if said else {"error": "the process ended"}
    return answer


def verdict(library: str, job: Job, line: dict[str, Any], truth: Any) -> dict[str, str]:
    """Return {"wrong": why} for errors and false bounds, {"loose": why} for loose bounds, or {}."""
    if "error" in line:
        return {"wrong": "raises " + line["error"].split(":")[0]}
    if truth is None or "value" not in line:
        return {}
    answer = line["value"]
    answers = answer if isinstance(answer, list) else [answer]
    truths = truth if isinstance(truth, list) else [truth]
    sharp = isinstance(truth, list) or job.name == "f.kov_optimal"
    known = ROUNDING if sharp and library == "dpteach" else DIGITS
    if isinstance(truth, float) and len(answers) == 2:  # the answers are a pair (lower, upper)
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
    """Return, by library and job, the library's answer to the job together with its `verdict`."""
    truths = references()
    results: dict[str, Lines] = {name: {} for name in processes}
    for job in JOBS:
        if wanted and job.name not in wanted:
            continue
        print(job.name, "...", flush=True)
        # the libraries take turns, so that other programs on the machine slow all of them equally
        for name, process in processes.items():
            if line := asked(process, job.name):
                results[name][job.name] = line
                line |= verdict(name, job, line, truths.get(job.name))
                if isinstance(value := line.get("value"), list) and len(value) > 8:
                    line["value"] = [value[0], value[len(value) // 2], value[-1]]
    return results


def grown(process: subprocess.Popen[str]) -> dict[str, list[dict[str, Any]]]:
    """Return, for each job in `GROWTH`, dpteach's times and memory at each of the job's values."""
    found: dict[str, list[dict[str, Any]]] = {}
    for growing in GROWTH:
        print(growing.of, "...", flush=True)
        lines = [asked(process, growing.name(at)) | {"at": at} for at in growing.values]
        found[growing.of] = [line for line in lines if "seconds" in line]
    return found


def main(peers: Path, wanted: list[str], *, record: bool = False) -> None:
    """Run the benchmark; if `record` is set and all jobs were run, update the book's numbers."""
    pythons = {name: Path(sys.executable) if name == "dpteach" else peers for name in LIBRARIES}
    versions = {name: version(name, python) for name, python in pythons.items()}
    if missing := [name for name in LIBRARIES if not versions[name]]:
        print(f"not installed, left out: {', '.join(missing)}", flush=True)
    if record and (missing or wanted):
        # the book shows all jobs and all libraries, so incomplete results must not replace the
        # recorded ones
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
    # a load near 1 means that the machine was otherwise idle, because this run keeps one process
    # busy
    whole["load"] = os.getloadavg()[1]

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
