"""One library, one process: the jobs that it is given, timed.

`python measure.py LIBRARY`, by the Python of an environment where it is installed: it reads names
of jobs, one a line, and answers each with a line of JSON.
"""

from __future__ import annotations

import importlib
import json
import math
import resource
import subprocess
import sys
import time
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np

#: the module that each library is imported as
MODULES = {
    "dpteach": "dpteach",
    "dp-accounting": "dp_accounting",
    "prv-accountant": "prv_accountant",
    "opendp": "opendp",
    "autodp": "autodp",
    "opacus": "opacus",
    "diffprivlib": "diffprivlib",
}


def seconds(call: Callable[[], Any]) -> tuple[Any, list[float]]:
    """What a call returns, and the times of repeated ones: fewer of the longer ones."""
    times: list[float] = []
    while not times or (len(times) < 40 and sum(times) < 2):
        start = time.perf_counter()
        value = call()
        times.append(time.perf_counter() - start)
    return value, times


def plain(value: Any) -> Any:
    """What JSON holds: infinite numbers as words."""
    if isinstance(value, np.ndarray):
        value = value.tolist()
    if isinstance(value, (list, tuple)):
        return [plain(x) for x in value]
    value = float(value)
    return value if math.isfinite(value) else repr(value)


def import_seconds(module: str) -> list[float]:
    """Of fresh processes."""
    code = f"import time; t = time.perf_counter(); import {module}; print(time.perf_counter() - t)"
    run = [sys.executable, "-W", "ignore", "-c", code]
    return [
        float(subprocess.run(run, capture_output=True, text=True, check=True).stdout.split()[-1])
        for _ in range(5)
    ]


def measured(library: str, name: str, jobs: dict[str, Callable[[], Any]]) -> dict[str, Any]:
    if name == "import":
        times = import_seconds(MODULES[library])
        return {"seconds": min(times), "runs": len(times)}
    if name not in jobs:
        return {}
    line: dict[str, Any] = {}
    try:
        value, times = seconds(jobs[name])
        line = {"value": plain(value), "seconds": min(times), "runs": len(times)}
    except Exception as error:
        line = {"error": f"{type(error).__name__}: {error}"[:200]}
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    return line | {"memory": memory}  # MiB so far


def main(library: str) -> None:
    warnings.simplefilter("ignore")
    jobs = importlib.import_module("of_" + library.replace("-", "_")).JOBS
    for line in sys.stdin:
        print(json.dumps(measured(library, line.strip(), jobs)), flush=True)


if __name__ == "__main__":
    main(sys.argv[1])
