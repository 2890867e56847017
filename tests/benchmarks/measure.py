"""A process that runs and times the jobs of one library.

`python measure.py LIBRARY` runs in an environment where the library is installed. It reads names
of jobs, one per line, and answers each with a line of JSON.
"""

from __future__ import annotations

import contextlib
import importlib
import json
import math
import resource
import subprocess
import sys
import time
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

#: by library, the module whose import is timed; opacus is left out, because the benchmark
#: imports only a part of it (see of_opacus.py)
MODULES = {
    "dpteach": "dpteach",
    "dp-accounting": "dp_accounting",
    "prv-accountant": "prv_accountant",
    "opendp": "opendp.prelude",
    "autodp": "autodp.transformer_zoo",
    "diffprivlib": "diffprivlib",
}


def seconds(call: Callable[[], Any]) -> tuple[Any, list[float]]:
    """Call a function up to 40 times, fewer if slow; return its result and the processor times."""
    times: list[float] = []
    while not times or (len(times) < 40 and (sum(times) < 2 or (len(times) < 3 and times[0] < 5))):
        start = time.process_time()
        value = call()
        times.append(time.process_time() - start)
    return value, times


def plain(value: Any) -> Any:
    """Return a number or an array as JSON data, with "inf", "-inf" and "nan" as strings."""
    if isinstance(value, np.ndarray):
        value = value.tolist()
    if isinstance(value, (list, tuple)):
        return [plain(x) for x in value]
    value = float(value)
    return value if math.isfinite(value) else repr(value)


def import_seconds(module: str) -> list[float]:
    """Return the processor times in seconds for importing a module, in five new processes."""
    clock = "time.process_time()"
    code = f"import time; t = {clock}; import {module}; print({clock} - t)"
    run = [sys.executable, "-W", "ignore", "-c", code]
    return [
        float(subprocess.run(run, capture_output=True, text=True, check=True).stdout.split()[-1])
        for _ in range(5)
    ]


def forget_peak() -> None:
    """Reset the peak memory of this process, so that `peak` measures only the next job.

    Where the system cannot do this, `peak` measures all jobs so far.
    """
    with contextlib.suppress(OSError):
        Path("/proc/self/clear_refs").write_text("5")


def peak() -> int:
    """Return the peak memory of this process in MiB."""
    with contextlib.suppress(OSError):
        status = Path("/proc/self/status").read_text()
        return next(int(x.split()[1]) for x in status.splitlines() if "VmHWM" in x) // 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024


def measured(library: str, name: str, jobs: dict[str, Callable[[], Any]]) -> dict[str, Any]:
    if name == "import":
        if library not in MODULES:
            return {}
        times = import_seconds(MODULES[library])
        return {"seconds": min(times), "runs": len(times)}
    if name not in jobs:
        return {}
    forget_peak()
    try:
        value, times = seconds(jobs[name])
    except Exception as error:
        return {"error": f"{type(error).__name__}: {error}"[:200], "memory": peak()}
    line = {"value": plain(value), "seconds": min(times), "runs": len(times)}
    return line | {"memory": peak()}


def main(library: str) -> None:
    warnings.simplefilter("ignore")
    # send what a library prints to standard error, because standard output is for the answers
    with contextlib.redirect_stdout(sys.stderr):
        jobs = importlib.import_module("of_" + library.replace("-", "_")).JOBS
    for line in sys.stdin:
        with contextlib.redirect_stdout(sys.stderr):
            answer = measured(library, line.strip(), jobs)
        print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    main(sys.argv[1])
