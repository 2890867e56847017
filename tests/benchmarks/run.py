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

from jobs import JOBS, Job
from references import references

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
GENERATED = ROOT / "_build" / "benchmarks"
#: the numbers that the book shows
KEPT = HERE / "results.json"
LIBRARIES = [
    path.stem.removeprefix("of_").replace("_", "-") for path in sorted(HERE.glob("of_*.py"))
]
#: rounding that a true answer may show
ROUNDING = 1e-12


def started(library: str, python: Path) -> subprocess.Popen[str] | None:
    """The process of a library; None where it is not installed."""
    module = library.replace("-", "_")
    there = subprocess.run([python, "-c", f"import {module}"], capture_output=True)
    if there.returncode:
        print(f"{library} is not installed: left out", flush=True)
        return None
    return subprocess.Popen(
        [python, HERE / "measure.py", library],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,  # peers log
        text=True,
        env=os.environ | {"PYTHONWARNINGS": "ignore"},
    )


def asked(process: subprocess.Popen[str], job: str) -> dict[str, Any]:
    """What a library's process answers to a job; nothing where it has none."""
    assert process.stdin and process.stdout
    print(job, file=process.stdin, flush=True)
    answer: dict[str, Any] = json.loads(process.stdout.readline())
    return answer


def verdict(job: Job, line: dict[str, Any], truth: Any) -> str:
    """Whether an answer is right: "", or what is wrong with it."""
    if "error" in line:
        return "raises"
    if truth is None or "value" not in line:
        return ""
    answer = line["value"]
    answers = answer if isinstance(answer, list) else [answer]
    truths = truth if isinstance(truth, list) else [truth]
    if isinstance(truth, float) and len(answers) == 2:  # a bracket
        answers = answers[1:]
    errors = [float(a) / t - 1 for a, t in zip(answers, truths, strict=True)]
    if not all(map(math.isfinite, errors)):
        return "infinite"
    # references with a source of their own have some seven digits
    known = ROUNDING if isinstance(truth, list) or job.name == "f.kov_optimal" else 2e-6
    if min(errors) < -known:
        return f"{-min(errors):.0e} too low"
    if max(errors) > job.tolerance + known:
        return f"{max(errors):.0e} too high"
    return ""


def shown(seconds: float) -> str:
    return f"{seconds * 1e3:.3g} ms" if seconds < 1 else f"{seconds:.3g} s"


def table(results: dict[str, dict[str, dict[str, Any]]]) -> str:
    """Rows of jobs: times, ratios, what is wrong; MiB at most."""
    truths = references()
    rows = [["job", "", "dpteach", "peer", "ratio", "wanted", "remarks"]]
    for job in JOBS:
        own = results["dpteach"].get(job.name)
        peer = results.get(job.peer, {}).get(job.name)
        remarks = []
        for name, lines in results.items():
            if job.name in lines and (said := verdict(job, lines[job.name], truths.get(job.name))):
                remarks.append(f"{name}: {said}")
        ratio, wanted = "", f"{job.reach:g} x"
        if job.limit is not None:
            wanted = f"<= {shown(job.limit)}"
        elif own and peer and "seconds" in own and "seconds" in peer:
            ratio = f"{peer['seconds'] / own['seconds']:.3g} x"
        times = [
            shown(line["seconds"]) if line and "seconds" in line else "-" for line in (own, peer)
        ]
        rows.append([job.name, job.asks, *times, ratio, wanted, "; ".join(remarks)])
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return "\n".join(
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
        for row in rows
    )


def chart(results: dict[str, dict[str, dict[str, Any]]], path: Path) -> None:
    """Seconds, on a logarithmic axis: a row of points for each job."""
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot as plt

    timed = [job for job in JOBS if "seconds" in results["dpteach"].get(job.name, {})][::-1]
    figure, axes = plt.subplots(figsize=(7.5, 0.42 * len(timed) + 1.2), layout="constrained")
    for library, marker in zip(results, "osD^vP*", strict=False):
        points = [
            (results[library][job.name]["seconds"], row)
            for row, job in enumerate(timed)
            if "seconds" in results[library].get(job.name, {})
        ]
        if points:
            axes.plot(*zip(*points, strict=True), marker, label=library, zorder=3)
    axes.set_xscale("log")
    axes.set_yticks(range(len(timed)), [job.asks for job in timed])
    axes.set_xlabel("seconds")
    axes.grid(axis="x", alpha=0.3)
    axes.legend()
    figure.savefig(path, metadata={"Date": None})
    plt.close(figure)


def main(peers: Path, wanted: list[str]) -> None:
    pythons = {name: Path(sys.executable) if name == "dpteach" else peers for name in LIBRARIES}
    found = {name: started(name, python) for name, python in pythons.items()}
    processes = {name: process for name, process in found.items() if process}
    results: dict[str, dict[str, dict[str, Any]]] = {name: {} for name in processes}
    for job in JOBS:
        if wanted and job.name not in wanted:
            continue
        print(job.name, "...", flush=True)
        # one right after the other: whatever else the machine does, it does to both
        for name, process in processes.items():
            if line := asked(process, job.name):
                results[name][job.name] = line
    for process in processes.values():
        process.communicate()
    GENERATED.mkdir(parents=True, exist_ok=True)
    text = table(results)
    print(text)
    (GENERATED / "table.txt").write_text(text + "\n", "utf-8")
    for lines in results.values():
        for line in lines.values():
            if isinstance(value := line.get("value"), list) and len(value) > 8:
                line["value"] = [value[0], value[len(value) // 2], value[-1]]
    whole = {
        "when": datetime.now(UTC).strftime("%Y-%m-%d"),
        "where": f"{platform.machine()}, {os.cpu_count()} cores",
        "python": platform.python_version(),
        "load": os.getloadavg()[1],  # besides one process at a time
        "results": results,
    }
    numbers = json.dumps(whole, indent=1) + "\n"
    (GENERATED / "results.json").write_text(numbers, "utf-8")
    if not wanted:
        KEPT.write_text(numbers, "utf-8")
    chart(results, GENERATED / "chart.svg")
    print(f"\nIn {GENERATED.relative_to(ROOT)}: table.txt, results.json, chart.svg")


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2:])
