"""A Sphinx extension that executes the pages' notebooks in parallel while Sphinx reads the pages.

Without this extension, MyST-NB executes each notebook when Sphinx reads its page, one after the
other. The extension executes several notebooks at once, each in its own kernel, in the order in
which Sphinx reads the pages.
"""

from __future__ import annotations

import copy
import os
import re
from collections.abc import Iterable
from concurrent.futures import Future, ThreadPoolExecutor, as_completed
from pathlib import Path
from threading import Thread
from typing import Any

import nbformat
from jupyter_cache.executors.utils import ExecutionResult, single_nb_execution
from myst_nb.core.execute import direct
from myst_nb.core.read import create_nb_reader
from nbformat import NotebookNode
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment

from dpteach.building import error, progress

#: the environment variable with the names of the pages in a preview, separated by commas; every
#: other page is reduced to its title and a note that the page is being built
PREVIEW = "DPTEACH_PREVIEW"
#: the environment variable with the folder of the notebooks that an earlier build executed; a page
#: whose code has not changed takes its outputs from these notebooks
EXECUTED = "DPTEACH_EXECUTED"

_Results = dict[tuple[str, ...], Future[ExecutionResult]]


def setup(app: Sphinx) -> dict[str, Any]:
    app.connect("source-read", shorten)
    app.connect("env-before-read-docs", run)
    return {"version": "1", "parallel_read_safe": False, "parallel_write_safe": True}


def shorten(app: Sphinx, name: str, source: list[str]) -> None:
    """Reduce a page to its title and a note if this build is a preview that omits the page."""
    shown = os.environ.get(PREVIEW)
    if shown and name not in shown.split(","):
        title = re.search(r"^# .+", source[0], re.MULTILINE)
        source[0] = f"{title[0] if title else '# …'}\n\nThis page is being built. Reload it later."


def run(app: Sphinx, env: BuildEnvironment, names: list[str]) -> None:
    """Start executing the notebooks of all pages, and make MyST-NB wait for their outputs."""
    pool = ThreadPoolExecutor(max(2, os.cpu_count() or 1))
    results, named = _Results(), dict[Future[ExecutionResult], str]()
    for name in names:
        path = Path(env.doc2path(name))
        if (notebook := read(app, env, name, path)) is not None:
            if (earlier := executed(notebook, name)) is not None:
                results[code(notebook)] = earlier
                continue
            settings = env.mystnb_config  # type: ignore[attr-defined]
            results[code(notebook)] = future = pool.submit(
                single_nb_execution,
                notebook,
                cwd=str(path.parent),
                timeout=settings.execution_timeout,
                allow_errors=settings.execution_allow_errors,
            )
            named[future] = name
    direct.single_nb_execution = lambda notebook, **told: taken(notebook, results, **told)
    app.connect("build-finished", lambda *_: pool.shutdown(cancel_futures=True))
    Thread(target=say, args=(named,), daemon=True).start()


def read(app: Sphinx, env: BuildEnvironment, name: str, path: Path) -> NotebookNode | None:
    """Return a page's notebook as MyST-NB reads it, or None if the page has no code."""
    source = [path.read_text("utf-8")]
    app.emit("source-read", name, source)
    reader = create_nb_reader(str(path), env.myst_config, env.mystnb_config, source[0])  # type: ignore[attr-defined]
    return None if reader is None else reader.read(source[0])


def executed(notebook: NotebookNode, name: str) -> Future[ExecutionResult] | None:
    """Return a page's outputs from an earlier build; None if there are none or the code changed."""
    folder = os.environ.get(EXECUTED)
    path = Path(folder or "", f"{name}.ipynb")
    if not folder or not path.is_file():
        return None
    earlier = nbformat.read(path, as_version=4)
    if code(earlier) != code(notebook) or len(earlier.cells) != len(notebook.cells):
        return None
    whole = copy.deepcopy(notebook)
    for cell, done in zip(whole.cells, earlier.cells, strict=True):
        if cell.cell_type == "code":
            cell.update(done)
    result: Future[ExecutionResult] = Future()
    result.set_result(ExecutionResult(whole, str(path.parent), 0.0))
    return result


def code(notebook: NotebookNode) -> tuple[str, ...]:
    """Return the code of a notebook's cells, which serves as the key of the notebook's outputs."""
    return tuple(cell.source for cell in notebook.cells if cell.cell_type == "code")


def taken(notebook: NotebookNode, results: _Results, **told: Any) -> ExecutionResult:
    """Write a notebook's outputs from `results` into it, or execute it now if `results` has none.

    MyST-NB calls this in place of its function `single_nb_execution`; `told` has the arguments of
    that function.
    """
    found = results.get(code(notebook))
    if found is None:
        return single_nb_execution(notebook, **told)
    result = found.result()
    ran = copy.deepcopy(result.nb)
    for cell, done in zip(notebook.cells, ran.cells, strict=True):
        cell.update(done)
    notebook.metadata.update(ran.metadata)
    return ExecutionResult(notebook, result.cwd, result.time, result.err, result.exc_string)


def say(named: dict[Future[ExecutionResult], str]) -> None:
    """Wait for the notebooks; after each execution, print progress and the errors in cells."""
    futures: Iterable[Future[ExecutionResult]] = as_completed(named)
    for i, future in enumerate(futures):
        if not future.cancelled() and future.exception() is None:
            progress(f"{i + 1} of {len(named)} notebooks of the book ({named[future]})")
            for number, cell in enumerate(future.result().nb.cells if future.result().err else ()):
                for output in cell.get("outputs", ()):
                    if output.output_type == "error":
                        what = f"{output.ename}: {output.evalue}"
                        error(f"{named[future]}, cell {number + 1}: {what}")
