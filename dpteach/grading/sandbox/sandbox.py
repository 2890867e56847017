"""Execution of a notebook's cells in a sandboxed process.

`Sandbox` starts a process in bubblewrap that executes the cells of a notebook in IPython, and
answers questions about the functions that the cells define. All data from the process are
untrusted: the grader limits their size, and parses them as JSON.
"""

from __future__ import annotations

import contextlib
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final, Literal, Self

from dpteach.grading.sandbox._jail import Jail
from dpteach.grading.sandbox._process import Clock, KernelGoneError, Process, json_value
from dpteach.grading.sandbox._warm import SandboxMissingError
from dpteach.grading.sandbox.inside.frames import CELL, QUESTION
from dpteach.grading.sandbox.limits import Limits

__all__ = ["Execution", "KernelGoneError", "Limits", "Sandbox", "SandboxMissingError"]


@dataclass(frozen=True)
class Execution:
    """The status and the outputs of an executed cell.

    Attributes
    ----------
    status
        ``"ok"``, or ``"error"``.
    outputs
        The outputs in the format of a notebook (nbformat 4), untrusted.
    truncated
        Whether outputs were left out because they exceed ``Limits.output_bytes``.
    """

    status: Literal["ok", "error"]
    outputs: list[dict[str, Any]] = field(default_factory=list)
    truncated: bool = False


class Sandbox:
    """A context manager that runs a process for student code, and ends the process on exit.

    The process, called the kernel, runs in bubblewrap unless `unsafe`. It also ends when the
    thread that started it ends.

    Parameters
    ----------
    unsafe
        Whether to run the kernel without bubblewrap, only with limits. The student's code can then
        read and write everything that you can.
    data
        The assignment's data files, by their path in the folder in which cells run. Cells cannot
        change them.

    Raises
    ------
    SandboxMissingError
        On entry into the ``with`` block, if bubblewrap is missing or does not work.
    """

    def __init__(
        self,
        limits: Limits | None = None,
        *,
        unsafe: bool = False,
        data: Mapping[str, bytes] | None = None,
    ) -> None:
        self.limits = limits or Limits()
        self._unsafe, self._data = unsafe, data
        self._gone, self._kept = "closed", 0
        self._open = contextlib.ExitStack()

    def __enter__(self) -> Self:
        with contextlib.ExitStack() as stack:
            self._jail = Jail(self.limits, unsafe=self._unsafe, data=self._data)
            stack.callback(self._jail.close)
            clock = Clock(self.limits.wall_seconds, self._jail.delayed)
            self._process = stack.enter_context(Process(self._jail, self.limits, clock))
            self._process.start()
            self._open, self._gone = stack.pop_all(), ""
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def execute(self, source: str, seconds: float | None = None) -> Execution:
        """Execute a notebook's cell in the sandbox, and return its outputs.

        Parameters
        ----------
        source
            The cell's text.
        seconds
            The time limit, after which the grader ends the kernel. Waits for a busy processor do
            not count (see `Limits`). None for ``Limits.cell_seconds``.

        Raises
        ------
        KernelGoneError
            If the kernel ended before the cell, or ends during it.
        """
        outputs = _Outputs(self.limits.output_bytes - self._kept)
        seconds = self.limits.cell_seconds if seconds is None else seconds
        body = source.encode("utf-8", "surrogatepass")
        with self._requesting(seconds) as clock:
            status = self._process.ask(CELL, body, clock, output=outputs.take)
        self._kept += outputs.bytes
        return Execution("ok" if status == b"ok" else "error", outputs.items, outputs.truncated)

    def ask(self, question: dict[str, Any], seconds: float) -> Any:
        """Send the kernel a question about the cells' functions, and return the answer.

        Parameters
        ----------
        question
            The question, in the format of `dpteach.grading.core.observe.answer`.
        seconds
            The time limit, after which the grader ends the kernel.

        Returns
        -------
        JSON data, untrusted

        Raises
        ------
        KernelGoneError
            If the kernel has ended, or ends before it answers. The error's ``reason`` is
            ``"broken"`` if the answer is not JSON.
        """
        with self._requesting(seconds) as clock:
            value = json_value(self._process.ask(QUESTION, json.dumps(question).encode(), clock))
            if value is None:
                raise KernelGoneError("broken")
        return value

    def close(self) -> None:
        """Kill the student's process, and remove its sandbox."""
        self._gone = self._gone or "closed"
        self._open.close()

    @property
    def delayed(self) -> float:
        """The seconds for which the process was ready to run but had no processor."""
        return self._jail.delayed()

    @contextlib.contextmanager
    def _requesting(self, seconds: float) -> Iterator[Clock]:
        """Yield a clock for a time limit; end the student's process if the ``with`` block fails."""
        if self._gone:
            raise KernelGoneError(self._gone)
        try:
            yield Clock(seconds, self._jail.delayed)
        except BaseException as error:
            self._gone = error.reason if isinstance(error, KernelGoneError) else "broken"
            self.close()
            raise


#: the types of outputs that nbformat allows
_KINDS: Final = ("stream", "display_data", "execute_result", "error")

#: the number of characters that the grader keeps of an error's message once the limit on outputs
#: is reached
_KEPT: Final = 200


class _Outputs:
    """Collector of a cell's outputs, which `dpteach.grading.core.harmless` sanitizes later."""

    def __init__(self, room: int) -> None:
        self.items: list[dict[str, Any]] = []
        self.truncated = False
        self.bytes = 0
        self._room = room

    def take(self, output: dict[str, Any], size: int) -> None:
        """Store as much of an output as the size limit allows; ignore unknown types of outputs."""
        kind, text = output.get("output_type"), output.get("text")
        if kind == "clear_output":
            self.items.clear()
        if kind not in _KINDS or (kind == "stream" and not isinstance(text, str)):
            return
        room = max(0, self._room - self.bytes)
        if size > room:
            self.truncated, size = True, room
            if kind == "error":
                output |= {"evalue": str(output.get("evalue"))[:_KEPT], "traceback": []}
            elif kind == "stream" and room:
                output["text"] = text = str(text)[:room]
            else:
                return
        self.bytes += size
        last = self.items[-1] if self.items else {}
        if kind == last.get("output_type") == "stream" and output.get("name") == last.get("name"):
            last["text"] += text
        else:
            self.items.append(output)
