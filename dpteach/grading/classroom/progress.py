"""The display of the number of graded submissions: on a terminal a bar, elsewhere lines of text."""

from __future__ import annotations

import shutil
import sys
import time
from collections import Counter
from typing import Final, TextIO

from dpteach._language import N_, catalog
from dpteach.grading.core.harmless import printable

_, _n = catalog("classroom")

#: the texts for the number of submissions with each outcome
_COUNTS: Final = {
    "failed": N_("{count} failed"),
    "graded": N_("{count} graded"),
    "refused": N_("{count} refused"),
}

#: the shortest time, in seconds, between two updates of the bar on a terminal; and between two
#: lines of text, which are written if there is no terminal
_BAR, _LINES = 0.2, 30.0


def duration(seconds: float) -> str:
    """Return a number of seconds as hours, minutes and seconds.

    Examples
    --------
    >>> duration(7), duration(754), duration(7200)
    ('0:07', '12:34', '2:00:00')
    """
    whole = round(seconds)
    hours, minutes = divmod(whole // 60, 60)
    return f"{hours}:{minutes:02}:{whole % 60:02}" if hours else f"{minutes}:{whole % 60:02}"


class Progress:
    """A counter of finished submissions that shows its counts while a class is graded.

    Parameters
    ----------
    stream
        Where to write: a progress bar if it is a terminal, otherwise lines of text. None means
        standard error.
    """

    def __init__(self, stream: TextIO | None = None) -> None:
        self.stream = sys.stderr if stream is None else stream
        self.bar = self.stream.isatty()
        self.counts: Counter[str] = Counter()
        self.ended = False
        self.begin(0)

    def begin(self, total: int) -> None:
        """Start the clock of a run that grades `total` submissions."""
        self.total = total
        self.start = time.monotonic()
        self.shown = 0.0 if self.bar else self.start

    def count(self, kind: str) -> None:
        """Count a finished submission, which was ``"graded"``, ``"refused"`` or ``"failed"``."""
        self.counts[kind] += 1
        self.tick(last=self.counts.total() == self.total)

    def text(self) -> str:
        """Return a text with the counts, and the time left at the average speed so far."""
        done = self.counts.total()
        passed = time.monotonic() - self.start
        parts = [f"{done}/{self.total}"]
        for kind, text in _COUNTS.items():
            if self.counts[kind]:
                parts.append(_(text, count=self.counts[kind]))
        if 0 < done < self.total:
            left = duration(passed / done * (self.total - done))
            parts.append(_("{time} left", time=left))
        elif done:
            parts.append(_("in {time}", time=duration(passed)))
        return ", ".join(parts)

    def end(self) -> None:
        """Raise KeyboardInterrupt now, and at each later `tick` in case it has been caught."""
        self.ended = True
        raise KeyboardInterrupt

    def tick(self, *, last: bool = False) -> None:
        """Show the counts if they were last shown long enough ago, or if `last` is true."""
        if self.ended:
            raise KeyboardInterrupt
        now = time.monotonic()
        if not last and now - self.shown < (_BAR if self.bar else _LINES):
            return
        self.shown = now
        if not self.bar:
            print(self.text(), file=self.stream, flush=True)
            return
        columns = shutil.get_terminal_size().columns
        text = self.text()
        width = max(0, min(40, columns - len(text) - 4))
        full = width * self.counts.total() // max(1, self.total)
        drawn = f"[{'#' * full}{'.' * (width - full)}] {text}" if width > 4 else text
        self.stream.write("\r\x1b[K" + drawn[: columns - 1])
        self.stream.flush()

    def line(self, text: str) -> None:
        """Write a line of text; on a terminal, the bar moves below this line."""
        clear = "\r\x1b[K" if self.bar else ""
        print(clear + printable(text), file=self.stream, flush=True)
        if self.bar:
            self.shown = 0.0

    def close(self) -> None:
        """Move the cursor below the bar, so that the bar stays on the screen."""
        if self.bar and self.counts:
            self.stream.write("\n")
            self.stream.flush()
