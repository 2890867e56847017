"""Processes that each answer one question, and know of nothing else.

`Sandbox` keeps a kernel in which the whole notebook runs. Where an answer must depend on one thing
only, on the text of a cell or on a single implementation, `Alone` asks a process that was made for
this question: it runs the cells that it is given, answers, and ends. The next process has a memory,
a folder and a number of its own, and no ``/proc``, so that nothing of the one before reaches it.
Cells that need neither IPython nor scipy run in processes that have imported neither, because these
are forked in half the time.
"""

from __future__ import annotations

import ast
import contextlib
import functools
import json
import random
import re
import select
import socket
import time
from collections.abc import Callable, Mapping, Sequence
from types import TracebackType
from typing import Any, Final, Self

from dpteach.grading.sandbox._jail import Jail
from dpteach.grading.sandbox._wire import json_value
from dpteach.grading.sandbox.limits import Limits
from dpteach.grading.sandbox.sandbox import Clock, KernelGoneError

#: seconds that a process may take without any pause after it
QUICK: Final = 0.02

#: characters of cells that are read here to find out what they need
MOST_CHARACTERS: Final = 100_000

_CHUNK = 1 << 16


@functools.lru_cache(maxsize=1)
def _lean(cells: tuple[str, ...]) -> bool:
    """Whether cells need neither IPython nor scipy; if that is not certain, they do."""
    if sum(map(len, cells)) > MOST_CHARACTERS:
        return False
    try:
        for cell in cells:
            ast.parse(cell)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    return not any(re.search("scipy|display|ipython", cell, re.IGNORECASE) for cell in cells)


class Alone:
    """Answers questions in a sandboxed process each, as a context manager.

    Parameters
    ----------
    limits
        What each process may use; ``wall_seconds`` is for all of them together.
    unsafe, data
        As for `dpteach.grading.sandbox.sandbox.Sandbox`.

    Raises
    ------
    dpteach.grading.sandbox.sandbox.SandboxMissingError
        From `ask`, if bubblewrap is missing.
    """

    def __init__(
        self, limits: Limits, *, unsafe: bool = False, data: Mapping[str, bytes] | None = None
    ) -> None:
        self.limits, self._unsafe, self._data = limits, unsafe, data
        self._past = self._pause = 0.0
        self._jails: dict[bool, Jail] = {}
        self._jail: Jail | None = None
        self._chance = random.SystemRandom()

    def __enter__(self) -> Self:
        self._clock = Clock(self.limits.wall_seconds, self._delayed)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        value: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        for jail in self._jails.values():
            jail.kill()

    def ask(
        self,
        cells: Sequence[str],
        call: str,
        question: Mapping[str, Any],
        seconds: float,
        reply: Callable[[Any], Any] | None = None,
    ) -> Any:
        """Run cells in a new process, and ask it about a function that they define.

        Parameters
        ----------
        cells
            The text of code cells; one that raises is left there.
        call
            The name of the function.
        question
            What `dpteach.grading.core.observe.observe` takes.
        seconds
            After which the process is ended, counted as `Limits` says.
        reply
            As for `dpteach.grading.sandbox.sandbox.Sandbox.ask`.

        Returns
        -------
        JSON data, untrusted
            What `dpteach.grading.core.observe.answer_alone` gave.

        Raises
        ------
        KernelGoneError
            If the process ended before it answered, or its answer is none.
        """
        time.sleep(self._pause)
        self._past += self._pause
        jail = self._jail = self._jail_for(_lean(tuple(cells)))
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_STREAM)
        with ours:
            with theirs:
                jail.fork(theirs)
            asked = {"cells": list(cells), "call": call, "question": question}
            began, before = time.monotonic(), self._delayed()
            try:
                return self._conversation(ours, asked, Clock(seconds, self._delayed), reply)
            finally:
                self._past = self._delayed()
                took = time.monotonic() - began - (self._past - before)
                # else the time at which the next one begins could tell what this one has found
                self._pause = self._chance.uniform(0.0, 2.0 * took) if took > QUICK else 0.0
                jail.end()

    def _jail_for(self, lean: bool) -> Jail:
        if lean not in self._jails:
            self._jails[lean] = Jail(
                self.limits, {}, unsafe=self._unsafe, data=self._data, alone=True, lean=lean
            )
        return self._jails[lean]

    def _delayed(self) -> float:
        return self._past + (self._jail.delayed() if self._jail else 0.0)

    def _conversation(
        self,
        line: socket.socket,
        asked: Mapping[str, Any],
        clock: Clock,
        reply: Callable[[Any], Any] | None,
    ) -> Any:
        self._send(line, asked)
        received, rest = 0, b""
        while True:
            while b"\n" not in rest:
                chunk = self._chunk(line, clock)
                received += len(chunk)
                if received > 2 * self.limits.message_bytes:
                    raise KernelGoneError("output")
                rest += chunk
            text, _, rest = rest.partition(b"\n")
            said = json_value(text)
            if not isinstance(said, dict):
                raise KernelGoneError("broken")
            if "request" not in said:
                return said
            begun = time.monotonic()
            answer = None if reply is None else reply(said["request"])
            self._past += time.monotonic() - begun
            self._send(line, answer)

    def _send(self, line: socket.socket, data: Any) -> None:
        line.settimeout(self.limits.cell_seconds)
        try:
            line.sendall(json.dumps(data).encode() + b"\n")
        except OSError:
            raise KernelGoneError("broken") from None

    def _chunk(self, line: socket.socket, clock: Clock) -> bytes:
        """What has arrived next."""
        while True:
            left = min(clock.soonest, self._clock.soonest) - time.monotonic()
            if left <= 0:
                left = min(clock.end(), self._clock.end()) - time.monotonic()
            if left <= 0:
                raise KernelGoneError("time" if clock.end() <= self._clock.end() else "spent")
            if select.select([line], [], [], left)[0]:
                break
        chunk = b""
        with contextlib.suppress(OSError):
            chunk = line.recv(_CHUNK)
        if not chunk:
            assert self._jail is not None
            raise KernelGoneError("time" if self._jail.used_its_time() else "died")
        return chunk
