"""A kernel for code that nobody has read: it computes, answers, and cannot reach anything else.

`Sandbox` starts ipykernel in bubblewrap and talks to it over sockets that were connected before
the kernel started and that have no name any more. Everything that comes back is untrusted: it is
counted, parsed without faith, and handed on as plain data.

How `observe` calls out
-----------------------
While a question is being answered, and only then, ``input(text)`` in the sandbox reaches the
`reply` that was handed to `Sandbox.ask`: `observe.outside(data)` sends JSON text, and gets JSON
text back. A student's function may do the same, with any text.
"""

from __future__ import annotations

import json
import select
import socket
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from types import TracebackType
from typing import Any, Final, Literal, Self

from dpteach.grading.core.observe import BUSY
from dpteach.grading.core.scratch import scratch
from dpteach.grading.sandbox._jail import Jail
from dpteach.grading.sandbox._warm import SandboxMissingError
from dpteach.grading.sandbox._wire import LargeError, Wire, WireError, json_value, parsed, request
from dpteach.grading.sandbox.limits import START_SECONDS, Limits

__all__ = ["Execution", "KernelGoneError", "Limits", "Sandbox", "SandboxMissingError"]

#: what is spoken over; interrupts and heartbeats are of no use to somebody who can kill
_CHANNELS: Final = {"shell": "DEALER", "iopub": "SUB", "stdin": "DEALER"}

#: seconds after which it is looked what a busy kernel has done
_WATCH_SECONDS: Final = 0.25

#: seconds after the reply in which the end of the outputs must have come
_TAIL_SECONDS: Final = 2.0


class KernelGoneError(RuntimeError):
    """The kernel is no more.

    Attributes
    ----------
    reason
        ``"died"`` by itself, ``"time"`` was over, too many files in ``"memory"``, too much
        ``"output"``, or the protocol was ``"broken"``. What needs more memory than there is
        raises `MemoryError` in the kernel, and lets it live, or dies of it.
    """

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason

    def __str__(self) -> str:
        return f"the kernel is gone: {self.reason}"


@dataclass(frozen=True)
class Execution:
    """What came of a cell.

    Attributes
    ----------
    status
        ``"ok"``, or ``"error"``.
    outputs
        As in a notebook (nbformat 4).
    truncated
        Whether outputs were left out, because there were too many.
    """

    status: Literal["ok", "error"]
    outputs: list[dict[str, Any]] = field(default_factory=list)
    truncated: bool = False


class Sandbox:
    """A kernel in bubblewrap, as a context manager; it ends with the block.

    It also ends with the thread that has made it, whatever becomes of that.

    Parameters
    ----------
    unsafe
        Run it without bubblewrap, with limits only: whoever wrote the code can then read and
        write what you can.
    data
        Files that lie in the folder of the cells, by their path there, and cannot be changed.

    Attributes
    ----------
    kind
        ``"bubblewrap"`` or ``"none"``.
    delayed
        Seconds in which the kernel could have worked and had no processor, or waited for a reply,
        when that was looked at last.

    Raises
    ------
    SandboxMissingError
        On entering the block, if bubblewrap is missing or does not work.
    """

    def __init__(
        self,
        limits: Limits | None = None,
        *,
        unsafe: bool = False,
        data: Mapping[str, bytes] | None = None,
    ) -> None:
        self._data = data or {}
        self.limits = Limits() if limits is None else limits
        self.kind: Literal["bubblewrap", "none"] = "none" if unsafe else "bubblewrap"
        self._gone: str | None = "closed"
        self._jail: Jail | None = None
        self._wires: dict[str, Wire] = {}
        self._count = 0
        self._kept = 0
        self.delayed = self._answering = 0.0
        self._clock = Clock(self.limits.wall_seconds, self._delayed)

    def __enter__(self) -> Self:
        self._gone = None
        try:
            self._start()
        except BaseException:
            self.close()
            raise
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        value: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def execute(self, source: str, seconds: float | None = None) -> Execution:
        """Runs a cell.

        Parameters
        ----------
        source
            The cell's text.
        seconds
            After which the kernel is ended, counted as `Limits` says; by default the limit of a
            cell.

        Raises
        ------
        KernelGoneError
            If the kernel is gone, or goes.
        """
        outputs = _Outputs(self.limits.output_bytes - self._kept)
        content = {
            "code": source,
            "silent": False,
            "store_history": True,
            "user_expressions": {},
            "allow_stdin": False,
            "stop_on_error": False,
        }
        seconds = self.limits.cell_seconds if seconds is None else seconds
        answer = self._talk("execute", content, seconds, outputs=outputs)
        self._kept += outputs.bytes
        status = answer.get("status")
        return Execution("ok" if status == "ok" else "error", outputs.items, outputs.truncated)

    def ask(
        self,
        question: dict[str, Any],
        seconds: float,
        reply: Callable[[Any], Any] | None = None,
    ) -> Any:
        """Hands a question to `observe.answer` in the kernel.

        Parameters
        ----------
        question
            JSON data.
        seconds
            After which the kernel is ended.
        reply
            Answers what the kernel asks back meanwhile (``outside(data)``): JSON data to JSON
            data, the first of them untrusted.

        Returns
        -------
        JSON data, untrusted

        Raises
        ------
        KernelGoneError
            If the kernel is gone, or goes; ``"broken"`` if its answer is none.
        """
        content = {"question": json.dumps(question)}
        answer = self._talk("ask", content, seconds, reply=reply).get("answer")
        value = json_value(answer) if isinstance(answer, str) else None
        if value is None:
            raise self._end_it("broken")
        return value

    def close(self) -> None:
        """Ends the kernel and everything in its sandbox at once."""
        if self._gone is None:
            self._gone = "closed"
        for wire in self._wires.values():
            wire.close()
        self._wires.clear()
        jail, self._jail = self._jail, None
        if jail is not None:
            jail.kill()

    def _delayed(self) -> float:
        if self._jail is not None:
            self.delayed = max(self.delayed, self._jail.delayed() + self._answering)
        return self.delayed

    def _end_it(self, reason: str) -> KernelGoneError:
        self._gone = reason
        self.close()
        return KernelGoneError(reason)

    def _died(self) -> KernelGoneError:
        """The kernel ended by itself: says why, as far as that can be seen from outside."""
        assert self._jail is not None
        return self._end_it("time" if self._jail.used_its_time() else "died")

    def _start(self) -> None:
        listeners: dict[str, socket.socket] = {}
        try:
            # the path of a socket is short
            place = None if len(tempfile.gettempdir()) < 80 else "/tmp"
            with scratch(place) as folder:
                for name, kind in _CHANNELS.items():
                    listeners[name] = listener = socket.socket(socket.AF_UNIX)
                    listener.bind(f"{folder}/{name}")
                    listener.listen(1)
                    ours = socket.socket(socket.AF_UNIX)
                    ours.connect(f"{folder}/{name}")
                    self._wires[name] = Wire(ours, kind, self.limits.message_bytes)
            self._jail = Jail(self.limits, listeners, unsafe=self.kind == "none", data=self._data)
            # the first kernel of an installation may have had modules to compile
            self._clock = Clock(self.limits.wall_seconds, self._delayed)
        finally:
            for listener in listeners.values():
                listener.close()
        if not self._jail.wait_ready(min(START_SECONDS, self._clock.end() - time.monotonic())):
            raise self._end_it("time")
        # what is published before the subscription has arrived is lost
        try:
            while not self._subscribed():
                pass
        except WireError as error:
            raise RuntimeError(f"the kernel does not start: {error}") from None

    def _subscribed(self) -> bool:
        """Whether anything published has reached us: a welcome, or what the kernel is busy with."""
        self._count += 1
        number = f"{self._count}"
        self._wires["shell"].send(request("kernel_info_request", number, {}))
        end = time.monotonic() + 0.1
        while self._wait(end):
            for name in ("shell", "iopub"):
                for frames in self._wires[name].receive():
                    if name == "iopub" and parsed(frames):
                        return True
        if time.monotonic() > self._clock.end():
            raise self._end_it("time")
        return False

    def _wait(self, end: float) -> list[str]:
        """The channels on which something has arrived; none if the time is over."""
        assert self._jail is not None
        poll = select.poll()
        poll.register(self._jail.handle, select.POLLIN)
        names = {}
        for name, wire in self._wires.items():
            poll.register(wire, select.POLLIN | (select.POLLOUT if wire.unsent else 0))
            names[wire.fileno()] = name
        while True:
            left = end - time.monotonic()
            if left <= 0:
                return []
            ready = poll.poll(min(left, _WATCH_SECONDS) * 1000)
            if any(number == self._jail.handle for number, _ in ready):
                raise self._died()
            if self._jail.files() > self.limits.disk_files:
                raise self._end_it("memory")
            for number, event in ready:
                if event & select.POLLOUT:
                    self._wires[names[number]].flush()
            if ready:
                return [names[number] for number, event in ready if event & ~select.POLLOUT]

    def _talk(
        self,
        kind: str,
        content: dict[str, Any],
        seconds: float,
        *,
        outputs: _Outputs | None = None,
        reply: Callable[[Any], Any] | None = None,
    ) -> dict[str, Any]:
        """Sends a request and gives the content of its reply."""
        if self._gone is not None:
            raise KernelGoneError(self._gone)
        self._count += 1
        number = f"{self._count}"
        clock = Clock(seconds, self._delayed)
        try:
            return self._conversation(kind, number, content, clock, outputs, reply)
        except WireError:
            # a kernel that has died has closed its sockets, and is seen to be dead a little later
            if self._jail and select.select([self._jail.handle], [], [], 1.0)[0]:
                raise self._died() from None
            raise self._end_it("broken") from None
        except KernelGoneError:
            raise
        except BaseException:
            self._end_it("broken")
            raise

    def _conversation(
        self,
        kind: str,
        number: str,
        content: dict[str, Any],
        clock: Clock,
        outputs: _Outputs | None,
        reply: Callable[[Any], Any] | None,
    ) -> dict[str, Any]:
        wires = self._wires
        most = {name: wire.received + 2 * self.limits.message_bytes for name, wire in wires.items()}
        most["iopub"] = self.limits.flood_bytes
        wires["shell"].send(request(f"{kind}_request", number, content))
        answer: dict[str, Any] | None = None
        idle = outputs is None
        end = min(clock.soonest, self._clock.soonest)
        while answer is None or not idle:
            arrived = self._wait(end)
            if not arrived and time.monotonic() >= end:
                if answer is not None:
                    break
                end = min(clock.end(), self._clock.end())
                if time.monotonic() >= end:
                    raise self._end_it("time")
            for name in arrived:
                for sort, body, size in self._received(name, number, most):
                    if name == "shell" and sort == f"{kind}_reply" and answer is None:
                        answer = body
                        end = min(end, time.monotonic() + _TAIL_SECONDS)
                    elif name == "stdin" and sort == "input_request":
                        self._reply(body, reply)
                    elif name == "iopub" and sort == "status":
                        idle = idle or body.get("execution_state") == "idle"
                    elif name == "iopub" and outputs is not None:
                        outputs.take(sort, body, size)
        return answer

    def _received(
        self, name: str, number: str, most: Mapping[str, int]
    ) -> Iterator[tuple[str, dict[str, Any], int]]:
        """The messages on a channel that belong to a request: sort, content, bytes.

        More than so many bytes on a channel end the kernel.
        """
        wire = self._wires[name]
        try:
            messages = wire.receive()
        except LargeError:
            if name == "iopub":
                raise self._end_it("output") from None
            raise
        if wire.received > most[name]:
            if name == "iopub":
                raise self._end_it("output")
            raise WireError("too much of what nobody has asked for")
        for frames in messages:
            message = parsed(frames)
            if message is None and name == "shell":
                raise WireError("a reply is none")  # it will not come again
            if message is not None and message[1] == number:
                yield message[0], message[2], sum(map(len, frames))

    def _reply(self, body: dict[str, Any], reply: Callable[[Any], Any] | None) -> None:
        prompt = body.get("prompt")
        data = json_value(prompt) if isinstance(prompt, str) else None
        begun = time.monotonic()
        said = None if reply is None else reply(data)
        self._answering += time.monotonic() - begun
        self._count += 1
        content = {"value": json.dumps(said)}
        self._wires["stdin"].send(request("input_reply", f"{self._count}", content))


class Clock:
    """When some seconds are over that begin now; those in which a kernel is delayed do not count.

    Parameters
    ----------
    seconds
        How many.
    delayed
        Tells the seconds for which the kernel has been delayed so far.

    Attributes
    ----------
    soonest
        When they are over if the kernel is not delayed.
    """

    def __init__(self, seconds: float, delayed: Callable[[], float]) -> None:
        self._begun, self._seconds = time.monotonic(), seconds
        self._before, self._told = delayed(), delayed
        self.soonest = self._begun + seconds

    def end(self) -> float:
        """By the monotonic clock, as far as that can be told now."""
        more = max(0.0, self._told() - self._before)
        return self._begun + min(self._seconds + more, BUSY * self._seconds)


class _Outputs:
    """Collects the outputs of a cell, of what kernels may send only what a notebook may hold."""

    def __init__(self, room: int) -> None:
        self.items: list[dict[str, Any]] = []
        self.truncated = False
        self.bytes = 0
        self._room = room

    def take(self, kind: str, body: dict[str, Any], size: int) -> None:
        """Keeps an output, if it is one and there is room."""
        if kind == "clear_output":
            self.items.clear()
            return
        made = _output(kind, body)
        if made is None:
            return
        room = self._room - self.bytes
        if size > room:
            self.truncated = True
            size = max(0, room)
            if kind == "stream":
                made["text"] = made["text"][:size]
            elif kind == "error":
                made["evalue"], made["traceback"] = made["evalue"][:_KEPT], []
            else:
                return
            if not made.get("text", True):
                return
        self.bytes += size
        last = self.items[-1] if self.items else {}
        if kind == "stream" and last.get("name") == made["name"]:
            last["text"] += made["text"]
        else:
            self.items.append(made)


#: characters of an error for which there is no room
_KEPT: Final = 200


def _output(kind: str, body: dict[str, Any]) -> dict[str, Any] | None:
    """A message as an output of a notebook, or None if it is none."""
    if kind == "stream":
        name, text = body.get("name"), body.get("text")
        if name in ("stdout", "stderr") and isinstance(text, str):
            return {"output_type": "stream", "name": name, "text": text}
    elif kind in ("display_data", "execute_result"):
        data = body.get("data")
        if isinstance(data, dict):
            kept = {mime: value for mime, value in data.items() if isinstance(value, str)}
            if not kept:
                return None
            made: dict[str, Any] = {"output_type": kind, "data": kept, "metadata": {}}
            if kind == "execute_result":
                count = body.get("execution_count")
                made["execution_count"] = count if type(count) is int else None
            return made
    elif kind == "error":
        name, value, trace = body.get("ename"), body.get("evalue"), body.get("traceback")
        if (
            isinstance(name, str)
            and isinstance(value, str)
            and isinstance(trace, list)
            and all(isinstance(line, str) for line in trace)
        ):
            return {
                "output_type": "error",
                "ename": name[:_KEPT],
                "evalue": value,
                "traceback": trace,
            }
    return None
