"""The build of the book and the assignments by ``make``, while a server already shows them.

The pages that readers open first are built first, as a preview outside of ``_build/html``, together
with the first assignment. Then the whole book is built strictly, so that a warning is an error.
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

from dpteach._language import catalog, language
from dpteach.demos import chapters

_, _n = catalog("cli")

#: the prefix of each line of the build's output that reports an error in a page or an assignment
ERROR: Final = "error: "
#: the prefix of each line of the build's output that reports progress
PROGRESS: Final = "progress: "

_NOTICE: Final = (
    '<div role="status" style="position:fixed;bottom:0;left:0;right:0;z-index:9999;'
    'padding:.4em 1em;background:#7a4a00;color:#fff;font:1rem sans-serif">{words}</div>'
)
_PAGE: Final = (
    '<!DOCTYPE html><html lang="{lang}"><meta charset="utf-8">'
    '<meta http-equiv="refresh" content="3"><title>{title}</title>'
    "<body><h1>{text}</h1></body></html>"
)


class Building:
    """The build of the book and the assignments, which runs in processes of its own.

    Parameters
    ----------
    project : Path
        The folder of the clone of the repository.
    course : Path, optional
        The absolute path of a course outside of the clone.
    slides : bool
        Whether to build the slides, too.

    Attributes
    ----------
    first_ready : bool
        Whether the pages that readers open first, and the first assignment, are built.
    done : bool
        Whether the build has ended, with or without an error.
    error : str
        The error, with the page and the cell if a cell raised it; empty if there was none.
    progress : str
        The latest report of progress; empty before the first report and after the build.
    first : str
        The name of the first chapter that has an assignment.
    """

    def __init__(self, project: Path, *, course: Path | None = None, slides: bool = False) -> None:
        self.project = project
        self.targets = ["pages", "assignments", *(["slides"] if slides else [])]
        texts = (course or project / "course_src") / "assignments"
        own = sorted(path.stem for path in texts.glob("*.md"))
        self.first = next((name for name in [*chapters(project), *own] if name in own), "")
        self._course = [] if course is None else [f"COURSE={course}"]
        self.error, self.progress = "", ""
        self._process: subprocess.Popen[str] | None = None
        self._ended = False
        self.done = self.first_ready = self._make("--question", *self.targets) == 0
        if not self.done:
            shutil.rmtree(self.preview.parents[2], ignore_errors=True)
            threading.Thread(target=self._run, daemon=True).start()

    @property
    def preview(self) -> Path:
        """The path of the first page of the preview."""
        return self.project / "_build" / "preview" / "_build" / "html" / "index.html"

    @property
    def whole(self) -> bool:
        """Whether the build has ended without an error."""
        return self.done and not self.error

    def pages(self) -> Path:
        """Return the folder of the pages to serve: the finished book, or else the preview."""
        return self.project / "_build" / "html" if self.whole else self.preview.parent

    def status(self) -> str:
        """Return a sentence about the build for readers: its progress or its result."""
        if self.error:
            return _("The build failed: {error}", error=self.error)
        if self.done:
            return _("Everything is built.")
        if self.progress:
            return _("The build is running: {progress}.", progress=self.progress)
        return _("The build has started.")

    def _run(self) -> None:
        cores = str(os.cpu_count() or 1)
        code = self._make("--jobs", cores, "first", f"FIRST={self.first}")
        self.first_ready = code == 0
        built = [f"BUILT={self.first}"] if self.first_ready else []
        code = self._make("--jobs", cores, "--keep-going", *self.targets, *built) or code
        if code and not self.error:
            self.error = "\n".join([_("make ended with an error:"), *self._last])
        self.progress, self.done = "", True

    def _make(self, *words: str) -> int:
        """Run make in its own session, and record its progress and errors; return its exit code."""
        if self._ended:
            return 1
        outer = ("MAKE", "MFLAGS")
        self._last: deque[str] = deque(maxlen=20)
        self._process = process = subprocess.Popen(
            ["make", "--no-print-directory", *self._course, *words],
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
                    self.progress = line[len(PROGRESS) :].strip()
        return process.returncode

    def end(self) -> None:
        """Stop the running build."""
        self._ended = True
        if self._process is not None and self._process.poll() is None:
            os.killpg(self._process.pid, signal.SIGTERM)

    def notice(self) -> str:
        """Return the notice about the build for all pages, as HTML; "" if the build succeeded."""
        if self.whole:
            return ""
        words = self.status()
        if not self.error:
            words = _(
                "This is a preview. {status} Reload the page to see newly built parts.",
                status=words,
            )
        return _NOTICE.format(words=html.escape(words))

    def placeholder(self) -> str:
        """Return the HTML of the page that is sent in place of a page that is not yet built."""
        text = self.status()
        if not self.error:
            text = _("This page is not built yet. {status}", status=text)
        title = html.escape(_("Not built yet"))
        return _PAGE.format(lang=language(), title=title, text=html.escape(text))


def progress(words: str) -> None:
    """Print a report of progress, in the form in which `Building` finds it in make's output."""
    print(f"{PROGRESS}{words}", flush=True)


def error(words: str) -> None:
    """Print an error, in the form in which `Building` finds it in make's output."""
    print(f"{ERROR}{' '.join(words.split())}", file=sys.stderr, flush=True)
