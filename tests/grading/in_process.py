"""Replacements for the sandbox that run harmless submissions in the test's own process."""

from __future__ import annotations

import contextlib
import io
from collections.abc import Sequence
from typing import Any

import pytest

from dpteach.grading.classroom import session
from dpteach.grading.core import observe
from dpteach.grading.sandbox.limits import Limits
from dpteach.grading.sandbox.sandbox import Execution


class InProcess:
    """A stand-in for `dpteach.grading.sandbox.sandbox.Sandbox` that runs cells in this process.

    Attributes
    ----------
    started
        How many instances have been entered as context managers; tests set it to 0.
    """

    started = 0
    delayed = 0.0

    def __init__(self, limits: Limits, *, unsafe: bool = False, data: object = None) -> None:
        self.names: dict[str, Any] = {"__name__": "student"}
        self.kept: dict[str, Any] = {}

    @classmethod
    def put_in(cls, monkeypatch: pytest.MonkeyPatch) -> None:
        """Make the grader run submissions in the test's own process instead of in sandboxes."""
        monkeypatch.setattr(session, "Sandbox", cls)
        monkeypatch.setattr(session, "Alone", AloneInProcess)

    def __enter__(self) -> InProcess:
        InProcess.started += 1
        return self

    def __exit__(self, *found: object) -> None:
        pass

    def execute(self, source: str, seconds: float | None = None) -> Execution:
        with contextlib.redirect_stdout(io.StringIO()):
            try:
                exec(source, self.names)
            except Exception as error:
                name = type(error).__name__
                output = {"output_type": "error", "ename": name, "evalue": str(error)}
                return Execution("error", [output | {"traceback": []}])
        return Execution("ok")

    def ask(self, question: Any, seconds: float, reply: Any = None) -> Any:
        known = {}
        if "call" in question:
            self.kept[question["item"]] = self.names.get(question["call"])
            known = {"known": "function" if self.kept[question["item"]] else "missing"}
        function = self.kept[question["item"]]
        if "question" not in question or function is None:
            return known
        outcomes, printed = observe.observe(function, question["question"], reply)
        return known | {"outcomes": outcomes, "printed": printed}


class AloneInProcess:
    """A stand-in for `dpteach.grading.sandbox.alone.Alone` that runs cells in this process."""

    def __init__(self, limits: Limits, *, unsafe: bool = False, data: object = None) -> None:
        pass

    def __enter__(self) -> AloneInProcess:
        return self

    def __exit__(self, *found: object) -> None:
        pass

    def ask(
        self, cells: Sequence[str], call: str, question: Any, seconds: float, reply: Any = None
    ) -> Any:
        names: dict[str, Any] = {"__name__": "student"}
        with contextlib.redirect_stdout(io.StringIO()):
            for cell in cells:
                with contextlib.suppress(Exception):
                    exec(cell, names)
        if call not in names:
            return {"known": "missing"}
        outcomes, printed = observe.observe(names[call], question, reply)
        return {"known": "function", "outcomes": outcomes, "printed": printed}
