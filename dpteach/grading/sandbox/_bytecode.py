"""Compiled modules for kernels: without them a kernel spends most of its start on compiling.

Installers such as pip compile what they install, and then nothing is done here. Where that was
left out (``PYTHONDONTWRITEBYTECODE``, installers that do not), the modules that a kernel and
students' code import are compiled once into a folder of the user's cache, which kernels see
read-only. Nothing that a kernel writes gets there.
"""

from __future__ import annotations

import fcntl
import functools
import hashlib
import importlib.util
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Final

#: what a kernel loads, and what students' code is likely to load
_MODULES: Final = (
    "ipykernel.kernelapp",
    "ipykernel.iostream",
    "IPython.core.completerlib",
    "IPython.core.oinspect",
    "IPython.core.ultratb",
    "IPython.extensions.storemagic",
    "tornado.platform.asyncio",
    "ctypes",
    "numpy.testing",
    "scipy.integrate",
    "scipy.optimize",
    "scipy.special",
    "scipy.stats",
    "matplotlib.pyplot",
    "pandas",
    "collections.abc",
    "concurrent.futures",
    "cProfile",
    "csv",
    "dataclasses",
    "decimal",
    "doctest",
    "fractions",
    "multiprocessing",
    "pickle",
    "statistics",
    "timeit",
    "unittest",
)

_FIND: Final = """
import importlib, sys
sys.path += sys.argv[1].split("\\n")
for name in sys.argv[2].split():
    try:
        importlib.import_module(name)
    except Exception:
        pass
"""


@functools.cache
def folder(interpreter: str, places: tuple[tuple[str, str], ...]) -> str | None:
    """The folder to hand to a kernel as ``PYTHONPYCACHEPREFIX``; None if it needs none.

    Parameters
    ----------
    interpreter
        Python, as it is called outside.
    places
        The folders from which it imports, as they are called outside, and as they are called in
        the sandbox.
    """
    if all(map(_compiled, ("ipykernel.kernelapp", "numpy", "asyncio", "tornado.ioloop"))):
        return None
    facts = [sys.version, __file__, *(f"{k} {v} {os.stat(k).st_mtime_ns}" for k, v in places)]
    name = hashlib.sha256("\n".join(facts).encode()).hexdigest()[:16]
    try:
        home = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "dpteach"
        home.mkdir(mode=0o700, parents=True, exist_ok=True)
        if home.stat().st_uid != os.geteuid() or home.stat().st_mode & 0o022:
            return None
        made = home / f"bytecode-{name}"
        with (home / "lock").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            if not made.is_dir():
                _make(made, interpreter, places)
    except (OSError, RuntimeError, subprocess.SubprocessError):
        return None
    return str(made)


def _compiled(name: str) -> bool:
    """Whether the compiled module lies beside its source."""
    spec = importlib.util.find_spec(name)
    if spec is None or spec.origin is None:
        return False
    if spec.origin == "frozen":
        return True
    source = Path(spec.origin)
    return (
        source.parent / "__pycache__" / f"{source.stem}.{sys.implementation.cache_tag}.pyc"
    ).exists()


def _make(made: Path, interpreter: str, places: Sequence[tuple[str, str]]) -> None:
    site = [path for path, _ in places if path.endswith("-packages")]
    work = Path(tempfile.mkdtemp(prefix="new-", dir=made.parent))
    try:
        subprocess.run(
            [interpreter, "-s", "-S", "-P", "-c", _FIND, "\n".join(site), " ".join(_MODULES)],
            env={
                "PYTHONPYCACHEPREFIX": str(work / "outside"),
                "HOME": str(work),
                "MPLBACKEND": "Agg",
            },
            cwd=work,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            timeout=300,
            check=True,
        )
        inside = work / "inside"
        # the deepest first: a folder with packages can lie in that of the standard library
        for there, here in sorted(places, key=lambda place: -len(place[0])):
            compiled = work / "outside" / there.lstrip("/")
            if compiled.is_dir():
                target = inside / here.lstrip("/")
                target.parent.mkdir(parents=True, exist_ok=True)
                compiled.rename(target)
        for path in inside.rglob("*"):
            path.chmod(0o755 if path.is_dir() else 0o644)
        inside.chmod(0o755)
        inside.rename(made)
    finally:
        shutil.rmtree(work, ignore_errors=True)
