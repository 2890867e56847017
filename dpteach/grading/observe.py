"""Calls a student's function on the cases of a check and writes down what came back.

What is written down is plain data, one outcome a case:

- ``{"value": ...}``: what was returned, made of built-in numbers (`dpteach.grading.plain.reduce`);
- ``{"raises": "ValueError", "kinds": [...], "message": "..."}``: an error, and the names of the
  classes that it belongs to;
- ``{"unplain": "..."}``: something that is not made of plain numbers, in words;
- ``{"late": 10}``: no answer within so many seconds;
- ``{"changed": True}``: the function altered its arguments;
- for a random check ``{"values": ..., "again": ..., "touched": ...}``: the answers of all calls,
  the answer of the first call repeated with the same seed, and whether numpy's global state moved.

Nothing here knows what is right: that is `dpteach.grading.judge`.
"""

from __future__ import annotations

import contextlib
import io
import random
import signal
import threading
import warnings
from collections.abc import Callable, Iterator, Mapping
from types import FrameType
from typing import Any

import numpy as np

from dpteach.grading.plain import SHOWN_CHARACTERS, NotPlainError, decode, encode, reduce

Outcome = dict[str, Any]

#: seconds for one case
VALUE_SECONDS = 10
RANDOM_SECONDS = 30

#: characters printed by a student's function that are kept
KEPT_CHARACTERS = 2_000


class _LateError(BaseException):
    """Raised in the student's function when its time is over."""


class _Kept(io.TextIOBase):
    """A stream that keeps the beginning of what is written to it."""

    def __init__(self) -> None:
        super().__init__()
        self.text = ""
        self.cut = False

    def writable(self) -> bool:
        return True

    def write(self, text: str) -> int:
        room = KEPT_CHARACTERS - len(self.text)
        self.text += text[:room]
        self.cut = self.cut or len(text) > room
        return len(text)


@contextlib.contextmanager
def _limit(seconds: float) -> Iterator[None]:
    """Ends the block with `_LateError` after so many seconds, where the system can do that."""
    if (
        not hasattr(signal, "SIGALRM")
        or threading.current_thread() is not threading.main_thread()
        or signal.getitimer(signal.ITIMER_REAL)[0] > 0
    ):
        yield
        return

    def late(signum: int, frame: FrameType | None) -> None:
        raise _LateError

    before = signal.signal(signal.SIGALRM, late)
    # the interval repeats the alarm for a function that swallows the first one
    signal.setitimer(signal.ITIMER_REAL, seconds, 0.5)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def _guarded(call: Callable[[], Outcome], seconds: float) -> Outcome:
    """The outcome of a call, whatever it does."""
    try:
        with _limit(seconds):
            return call()
    except KeyboardInterrupt:
        raise
    except _LateError:
        return {"late": seconds}
    except NotPlainError as error:
        return {"unplain": str(error)}
    except BaseException as error:  # SystemExit too: a student's exit() is an answer like another
        kinds = [c.__name__ for c in type(error).__mro__ if c.__module__ == "builtins"]
        try:
            message = str(error)[:SHOWN_CHARACTERS]
        except Exception:  # a broken __str__
            message = ""
        return {"raises": kinds[0] if kinds else "Exception", "kinds": kinds, "message": message}


def _value(function: Callable[..., Any], case: Mapping[str, Any]) -> Outcome:
    args = decode(case["args"])
    kwargs = decode({"dict": case["kwargs"]})
    value = reduce(function(*args, **kwargs))
    return {"changed": True} if _changed(case, args, kwargs) else {"value": value}


def _changed(case: Mapping[str, Any], args: list[Any], kwargs: dict[str, Any]) -> bool:
    """Whether the arguments are no longer those of the case."""
    return bool(encode(args) != case["args"] or encode(kwargs)["dict"] != case["kwargs"])


def _random(
    function: Callable[..., Any], case: Mapping[str, Any], seed: int, calls: int
) -> Outcome:
    args = decode(case["args"])
    kwargs = decode({"dict": case["kwargs"]})
    before = np.random.get_state(legacy=False)  # noqa: NPY002
    before_python = random.getstate()
    try:
        np.random.seed(seed)  # noqa: NPY002
        moved = np.random.get_state(legacy=False)  # noqa: NPY002
        rng = np.random.default_rng(seed)
        values = [reduce(function(*args, **kwargs, rng=rng))]
        first = np.asarray(values[0])
        if first.dtype.kind not in "iuf":
            return {"value": values[0]}
        if _changed(case, args, kwargs):
            return {"changed": True}
        for _ in range(calls - 1):
            values.append(reduce(function(*args, **kwargs, rng=rng)))
        now = np.random.get_state(legacy=False)  # noqa: NPY002
        touched = not _same_state(moved, now)
        np.random.seed(seed + 1)  # noqa: NPY002
        again = reduce(function(*args, **kwargs, rng=np.random.default_rng(seed)))
    finally:
        np.random.set_state(before)  # noqa: NPY002
        random.setstate(before_python)
    if _changed(case, args, kwargs):
        return {"changed": True}
    return {"values": values, "again": again, "touched": touched}


def _same_state(one: Any, other: Any) -> bool:
    return bool(
        np.array_equal(one["state"]["key"], other["state"]["key"])
        and one["state"]["pos"] == other["state"]["pos"]
    )


def observe(
    function: Callable[..., Any], declaration: Mapping[str, Any]
) -> tuple[list[Outcome], str]:
    """What a function does on the cases of a check.

    Parameters
    ----------
    function
        The student's function.
    declaration
        The check as data: one part (visible or hidden) of what
        `dpteach.grading.build.declared` writes.

    Returns
    -------
    list of dict, str
        One outcome a case, and the beginning of what the function printed. Neither prints nor
        warnings reach the notebook: nbgrader takes the points of a cell that writes to stderr.

    Raises
    ------
    TypeError
        If `function` cannot be called.
    """
    if not callable(function):
        raise TypeError(f"function must be callable, got function={type(function).__name__}")
    kept = _Kept()
    outcomes = []
    with (
        contextlib.redirect_stdout(kept),
        contextlib.redirect_stderr(kept),
        warnings.catch_warnings(),
    ):
        warnings.simplefilter("ignore")
        for i, case in enumerate(declaration["cases"]):
            if declaration["kind"] == "random":
                seed = int(declaration["seed"]) + i
                calls = int(case["calls"])
                outcome = _guarded(
                    lambda case=case, seed=seed, calls=calls: _random(function, case, seed, calls),  # type: ignore[misc]
                    RANDOM_SECONDS,
                )
            else:
                outcome = _guarded(lambda case=case: _value(function, case), VALUE_SECONDS)  # type: ignore[misc]
            outcomes.append(outcome)
            if "late" in outcome:
                break
    return outcomes, kept.text + (" ..." if kept.cut else "")
