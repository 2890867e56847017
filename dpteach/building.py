"""Building book and course with ``make`` while they are served.

First come the pages that a reader opens first, as a preview outside of ``_build/html``, and the
first assignment; then everything else, with the book's own strict build.
"""

from __future__ import annotations

import html
import os
import shutil
import signal
import subprocess
import sys
import threading
from collections import deque
from pathlib import Path
from typing import Final

from dpteach.demos import chapters

#: how a line of the build begins that names what is wrong with a page or an assignment
ERROR: Final = "error: "
#: how a line begins that says how far the build is
PROGRESS: Final = "The "

_NOTICE: Final = (
    '<div role="status" style="position:fixed;bottom:0;left:0;right:0;z-index:9999;'
    'padding:.4em 1em;background:#7a4a00;color:#fff;font:1rem sans-serif">{words}</div>'
)
_PAGE: Final = (
    '<!DOCTYPE html><html lang="en"><meta charset="utf-8"><meta http-equiv="refresh" content="3">'
    "<title>Being built</title><body><h1>{title}</h1></body></html>"
)


class Building:
    """The build of a project, in processes of its own.

    Attributes
    ----------
    first_ready : bool
        Whether the preview and the first assignment are there.
    done : bool
        Whether nothing is being built any more.
    error : str
        What went wrong: the page and the cell, if a cell raised; empty if nothing did.
    progress : str
        What is being built, and how far it is.
    first : str
        The name of the first chapter that has an assignment.
    """

    def __init__(self, project: Path, *, slides: bool = False) -> None:
        self.project = project
        self.targets = ["pages", "assignments", *(["slides"] if slides else [])]
        texts = project / "course_src" / "assignments"
        self.first = next(n for n in chapters(project) if (texts / f"{n}.md").is_file())
        self.error, self.progress = "", "The build begins"
        self._process: subprocess.Popen[str] | None = None
        self._ended = False
        self.done = self.first_ready = self._make("--question", *self.targets) == 0
        if not self.done:
            shutil.rmtree(self.preview.parents[2], ignore_errors=True)
            threading.Thread(target=self._run, daemon=True).start()

    @property
    def preview(self) -> Path:
        """The page with which the preview begins."""
        return self.project / "_build" / "preview" / "_build" / "html" / "index.html"

    @property
    def whole(self) -> bool:
        """Whether everything is built, by this library."""
        return self.done and not self.error

    def pages(self) -> Path:
        """The folder of the pages to serve now."""
        return self.project / "_build" / "html" if self.whole else self.preview.parent

    def status(self) -> str:
        """How far the build is, or how it ended, in a line."""
        if self.error:
            return f"The build failed: {self.error}"
        return "Everything is built." if self.done else self.progress

    def _run(self) -> None:
        cores = str(os.cpu_count() or 1)
        code = self._make("--jobs", cores, "first", f"FIRST={self.first}")
        self.first_ready = code == 0
        built = [f"BUILT={self.first}"] if self.first_ready else []
        code = self._make("--jobs", cores, "--keep-going", *self.targets, *built) or code
        if code and not self.error:
            self.error = "\n".join(["the build failed:", *self._last])
        self.progress, self.done = "", True

    def _make(self, *words: str) -> int:
        """Run make in a session of its own; keep what it says of its progress and of errors."""
        if self._ended:
            return 1
        outer = ("MAKE", "MFLAGS")
        self._last: deque[str] = deque(maxlen=20)
        self._process = process = subprocess.Popen(
            ["make", "--no-print-directory", *words],
            cwd=self.project,
            env={k: v for k, v in os.environ.items() if not k.startswith(outer)},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",
            start_new_session=True,
        )
        with process:
            for line in process.stdout or ():
                self._last.append(line.rstrip())
                if line.startswith(ERROR):
                    self.error = "; ".join(filter(None, [self.error, line[len(ERROR) :].strip()]))
                elif line.startswith(PROGRESS):
                    self.progress = line.strip()
        return process.returncode

    def end(self) -> None:
        """End what is being built."""
        self._ended = True
        if self._process is not None and self._process.poll() is None:
            os.killpg(self._process.pid, signal.SIGTERM)

    def notice(self) -> str:
        """What each page says while the book is not whole, as HTML; empty when it is."""
        if self.error:
            return _NOTICE.format(words=html.escape(f"The build failed: {self.error}"))
        if not self.done:
            words = f"A preview. {self.progress}. Reload the page for what is built since."
            return _NOTICE.format(words=html.escape(words))
        return ""

    def placeholder(self) -> str:
        """The page in place of one that is not there yet."""
        said = f"The build failed: {self.error}" if self.error else f"Being built. {self.progress}"
        return _PAGE.format(title=html.escape(said))


def progress(words: str) -> None:
    """Print a line that `Building` shows as progress."""
    print(f"{PROGRESS}{words}", flush=True)


def error(words: str) -> None:
    """Print a line that `Building` shows as what went wrong."""
    print(f"{ERROR}{' '.join(words.split())}", file=sys.stderr, flush=True)
