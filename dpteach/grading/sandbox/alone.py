"""Sandboxed processes that each answer a single question about a student's function.

`Sandbox` keeps a kernel in which the whole notebook runs. Some answers, however, must not depend on
other cells or on earlier questions. For example, a student's own test of a function must judge each
implementation of the function without knowing the other implementations. For such answers, `Alone`
starts a process for each question, which runs the given cells, answers, and ends. The next process
has its own memory, folder and process number, and no ``/proc``, so that no information reaches it
from the previous process. Cells that need neither IPython nor scipy run in processes that have not
imported them, because forking such a process takes only half as long.

One covert channel is known and open. A process can choose the time at which it ends. The next
process can read the clock and so learn a few bits about the previous question. After a process that
took longer than `QUICK`, a pause of random length hides this time. After a quicker process there is
no pause, because pauses would double the time of grading. No way is known to earn a point through
this channel: a student's test earns something for the rejection of an implementation only if the
implementation gave a wrong answer to one of the test's own calls.
"""

from __future__ import annotations

import ast
import functools
import json
import random
import re
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, Self

from dpteach.grading.sandbox._jail import Jail
from dpteach.grading.sandbox._process import Clock, KernelGoneError, Process, json_value
from dpteach.grading.sandbox.inside.frames import QUESTION
from dpteach.grading.sandbox.limits import Limits

#: after a process that took more than this number of seconds, the grader pauses before it starts
#: the next one, which could otherwise learn from the clock how long the process took
QUICK: Final = 0.02

#: the largest number of characters of code that `_lean` parses. Longer code runs in a process with
#: IPython
MOST_CHARACTERS: Final = 100_000


@functools.lru_cache(maxsize=1)
def _lean(cells: tuple[str, ...]) -> bool:
    """Return whether code cells need neither IPython nor scipy; False if in doubt."""
    if sum(map(len, cells)) > MOST_CHARACTERS:
        return False
    try:
        for cell in cells:
            ast.parse(cell)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    return not any(re.search("scipy|display|ipython", cell, re.IGNORECASE) for cell in cells)


class Alone:
    """A context manager that starts a new sandboxed process for each question about a function.

    Parameters
    ----------
    limits
        The limits on each process. Of these, ``wall_seconds`` limits the total time of all
        processes.
    unsafe
        Whether to run without bubblewrap.
    data
        The assignment's data files, by their path in the folder in which cells run.

    Raises
    ------
    dpteach.grading.sandbox.sandbox.SandboxMissingError
        From `ask`, if bubblewrap is missing or does not work.
    """

    def __init__(
        self, limits: Limits, *, unsafe: bool = False, data: Mapping[str, bytes] | None = None
    ) -> None:
        self.limits, self._unsafe, self._data = limits, unsafe, data
        self._pause = 0.0
        self._jails: dict[bool, Jail] = {}
        self._chance = random.SystemRandom()

    def __enter__(self) -> Self:
        self._clock = Clock(self.limits.wall_seconds, self._delayed)
        return self

    def __exit__(self, *error: object) -> None:
        for jail in self._jails.values():
            jail.close()

    def ask(
        self,
        cells: Sequence[str],
        call: str,
        question: Mapping[str, Any],
        seconds: float,
        reply: Callable[[Any], Any] | None = None,
    ) -> Any:
        """Run cells in a new process, and ask it a question about a function that they define.

        Parameters
        ----------
        cells
            The source code of cells. If a cell raises an error, the cells after it run
            nevertheless.
        call
            The name of the function that the question is about.
        question
            The question as `dpteach.grading.core.observe.observe` expects it.
        seconds
            The time limit of the process, not counting waits for a busy processor (see `Limits`).
        reply
            A function that answers requests of the process; None if it may send none. In each
            request, a student's test calls the implementation that it examines. The function gets
            untrusted JSON data and returns JSON data.

        Returns
        -------
        JSON data, untrusted
            The answer of `dpteach.grading.core.observe.answer`.

        Raises
        ------
        KernelGoneError
            If the process ended before it answered, or the answer is malformed. The reason is
            ``"spent"`` if the time for all processes together was over.
        """
        time.sleep(self._pause)
        self._clock.leave_out(self._pause)
        asked = json.dumps({"item": "", "cells": list(cells), "call": call, "question": question})
        jail = self._jail_for(_lean(tuple(cells)))
        with Process(jail, self.limits, self._clock) as process:
            clock = Clock(seconds, jail.delayed)
            try:
                said = process.ask(QUESTION, asked.encode(), clock, reply=reply)
            except KernelGoneError as gone:
                spent = gone.reason == "time" and self._clock.end() < clock.end()
                raise KernelGoneError("spent") if spent else gone from None
            finally:
                took = clock.worked()
                # without a pause, the next process could learn from the clock how long this process
                # took
                self._pause = self._chance.uniform(0.0, 2.0 * took) if took > QUICK else 0.0
        found = json_value(said)
        if not isinstance(found, dict):
            raise KernelGoneError("broken")
        return found

    def _jail_for(self, lean: bool) -> Jail:
        if lean not in self._jails:
            self._jails[lean] = Jail(
                self.limits, unsafe=self._unsafe, data=self._data, alone=True, lean=lean
            )
        return self._jails[lean]

    def _delayed(self) -> float:
        return sum(jail.delayed() for jail in self._jails.values())
