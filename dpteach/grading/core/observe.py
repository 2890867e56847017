"""Calls of a student's function on the cases of a check, and records of their outcomes.

Of dpteach, only this module and `plain` exist inside the sandbox. The grader sends messages to
`answer`, which runs cells, stores a student's function and reports what the function does on cases.
Each case gives one outcome, a dict of plain data:

- ``{"value": ...}``: the returned value, converted to built-in numbers and encoded
  (`dpteach.grading.core.plain.reduce`, then `encode`); for a case with ``record``, it may be a dict
  (`reduce_record` instead of `reduce`);
- ``{"raises": "ValueError", "kinds": [...], "message": "..."}``: an error that the function
  raised, and the names of the built-in classes of which the error is an instance; with ``"line":
  "..."``, the source of the notebook's line that raised it, if the kernel knows the source;
- ``{"unplain": "..."}``: a description of a returned object that is not made of plain numbers;
- ``{"late": 10}``: no answer within this number of seconds;
- ``{"changed": True}``: the function altered its arguments;
- ``{"missing": "..."}``: the notebook defines no function of this name;
- for a case with ``calls``, a random function: ``{"values": ..., "first": ..., "second": ...,
  "touched": ...}``. "values" are the returned values of all calls. "first" and "second" are the
  returned values for a few further seeds, before these calls and again after them. "touched" is
  whether the state of numpy's global generator changed. If the returned values do not fit into one
  array, the outcome is ``{"ragged": True}``;
- for a case with ``trials``, an attack: ``{"guesses": [...]}``, a guess for each run of the
  attacked mechanism;
- for a case with ``test``, a student's own test of one implementation: ``{"accepts": True}`` or
  ``{"accepts": False}``, with ``"returned": True`` if the test returned a bool instead of raising
  an error. ``"last": "..."`` describes the error and the last call that the test made. A returned
  value other than None and a bool counts as acceptance, and ``"last"`` describes it.

This module does not know the right answers. `judging.judge` compares outcomes with them, outside of
the sandbox, and trusts no outcome.
"""

from __future__ import annotations

import builtins
import contextlib
import io
import json
import linecache
import random
import signal
import sys
import threading
import time
import traceback
import warnings
from collections.abc import Callable, Iterator, Mapping
from types import FrameType
from typing import Any

import numpy as np

from dpteach.grading.core.plain import (
    SHOWN_CHARACTERS,
    NotPlainError,
    decode,
    encode,
    pack,
    reduce,
    reduce_record,
    shown,
    unsqueezed,
)

Outcome = dict[str, Any]

#: the time limits, in seconds, for a case: the first one for a single call of the student's
#: function, the second one for the many calls that judge a random function or an attack
VALUE_SECONDS = 10
RANDOM_SECONDS = 30

#: a time limit is extended by the seconds in which the student's code waits for a busy processor,
#: but at most to this multiple of the limit
BUSY = 3.0

#: the largest number of characters that are kept of the text that a student's function prints
KEPT_CHARACTERS = 2_000

#: `remember` stores no array that is larger than this number of bytes
LARGE_BYTES = 1 << 20

#: for the name of each item (exercise): the student's function, and the notebook's variables when
#: `remember` was called
_REMEMBERED: dict[str, tuple[Any, dict[str, Any]]] = {}


class _Asking:
    """Stopwatch for the time in which a student's test waits for the grader's replies."""

    def __init__(self) -> None:
        self._seconds, self._since = 0.0, float("inf")

    def __enter__(self) -> None:
        self._since = time.monotonic()

    def __exit__(self, *_: object) -> None:
        self._seconds, self._since = self.seconds(), float("inf")

    def seconds(self) -> float:
        return self._seconds + max(0.0, time.monotonic() - self._since)


_ASKING = _Asking()


class _LateError(BaseException):
    """Error that is raised in the student's function when its time is over."""


class _EndedError(BaseException):
    """Error that ends a student's test after too many or too large calls of the tested function."""


class _Kept(io.TextIOBase):
    """Stream that stores only the beginning of the text that is written to it."""

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


def _delayed() -> float:
    """Return the seconds that this thread has waited for a processor (0 except on Linux)."""
    try:
        with open("/proc/self/schedstat") as file:
            return int(file.read().split()[1]) / 1e9
    except (OSError, ValueError, IndexError):
        return 0.0


#: a function that `_limit` calls with the time limit if code takes too long. It is used only on
#: systems without timers, such as Windows, where `_limit` cannot raise an error in the running
#: code. If it is None, the code runs on
on_late: Callable[[float], object] | None = None


def _worked() -> float:
    """Return the seconds on a clock that stops while a student's test waits for the grader."""
    return time.monotonic() - _ASKING.seconds()


@contextlib.contextmanager
def _watched(seconds: float) -> Iterator[None]:
    """Call `on_late` from another thread if the ``with`` block takes longer than `seconds`."""
    begun, ended = _worked(), threading.Event()

    def watch() -> None:
        while (left := seconds - (_worked() - begun)) > 0.0:
            if ended.wait(left):
                return
        if on_late is not None:
            on_late(seconds)

    threading.Thread(target=watch, daemon=True).start()
    try:
        yield
    finally:
        ended.set()


@contextlib.contextmanager
def _limit(seconds: float) -> Iterator[None]:
    """Raise `_LateError` in the ``with`` block when it has used up a number of seconds.

    Time in which the block waits for the grader does not count. Time in which it waits for a busy
    processor extends the limit, at most to `BUSY` times `seconds`. On a system without timers,
    `on_late` is called instead. Outside of the main thread, or while another timer runs, there is
    no limit.
    """
    if not hasattr(signal, "SIGALRM"):
        with _watched(seconds):
            yield
        return
    if (
        threading.current_thread() is not threading.main_thread()
        or signal.getitimer(signal.ITIMER_REAL)[0] > 0
    ):
        yield
        return

    begun, before_it = _worked(), _delayed()

    def late(signum: int, frame: FrameType | None) -> None:
        elapsed, delayed = _worked() - begun, _delayed() - before_it
        left = min(seconds + delayed, BUSY * seconds) - elapsed
        if left <= 0.0:
            raise _LateError
        signal.setitimer(signal.ITIMER_REAL, left, 0.5)

    before = signal.signal(signal.SIGALRM, late)
    # let the timer repeat every 0.5 s, because the student's function may catch the first error
    signal.setitimer(signal.ITIMER_REAL, seconds, 0.5)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def _guarded(call: Callable[[], Outcome], seconds: float) -> Outcome:
    """Return the outcome of a call, even if the call raises an error or exceeds the time limit."""
    try:
        with _limit(seconds):
            return call()
    except KeyboardInterrupt:
        raise
    except _LateError:
        return {"late": seconds}
    except NotPlainError as error:
        return {"unplain": str(error)}
    except BaseException as error:  # also the SystemExit of a student's exit()
        kinds = _kinds(error)
        return {"raises": kinds[0], "kinds": kinds, "message": _message(error)} | _line()


def _kinds(error: BaseException) -> list[str]:
    """Return the names of the built-in classes of an error, the most specific class first."""
    found = [c.__name__ for c in type(error).__mro__ if c.__module__ == "builtins"]
    return found or ["Exception"]


def _message(error: BaseException) -> str:
    try:
        return str(error)[:SHOWN_CHARACTERS]
    except Exception:  # the __str__ of a student's class may raise an error
        return ""


def _line() -> Outcome:
    """Return the notebook's line that raised the current error, as ``{"line": ...}``, or {}."""
    source = ""
    for frame, number in traceback.walk_tb(sys.exc_info()[2]):
        if frame.f_globals is vars(sys.modules["__main__"]):
            source = linecache.getline(frame.f_code.co_filename, number).strip()
    return {"line": source[:SHOWN_CHARACTERS]} if source else {}


def _value(function: Callable[..., Any], case: Mapping[str, Any]) -> Outcome:
    args = decode(case["args"])
    kwargs = decode({"dict": case["kwargs"]})
    plain = reduce_record if case.get("record") else reduce
    value = encode(plain(function(*args, **kwargs)))
    return {"changed": True} if _changed(case, args, kwargs) else {"value": value}


def _guesses(function: Callable[..., Any], case: Mapping[str, Any]) -> Outcome:
    """Return the outcome of a student's attack: its guess for each run of a mechanism."""
    guesses = []
    for answers in unsqueezed(case["trials"]):
        one = {"args": [answers, *case["args"]], "kwargs": case["kwargs"]}
        found = _value(function, one)
        if "changed" in found:
            return found
        guesses.append(found["value"])
    return {"guesses": guesses}


def _changed(case: Mapping[str, Any], args: list[Any], kwargs: dict[str, Any]) -> bool:
    """Return whether a function changed its arguments, which then differ from those of the case."""
    try:
        return bool(encode(args) != case["args"] or encode(kwargs)["dict"] != case["kwargs"])
    except TypeError:
        return True


def _random(function: Callable[..., Any], case: Mapping[str, Any], seed: int) -> Outcome:
    args = decode(case["args"])
    kwargs = decode({"dict": case["kwargs"]})
    before = np.random.get_state(legacy=False)  # noqa: NPY002
    before_python = random.getstate()

    def called(rng: np.random.Generator, times: int) -> list[Any]:
        return [reduce(function(*args, **kwargs, rng=rng)) for _ in range(times)]

    def under(seeds: list[int], other: int) -> list[Any]:
        """Return, for each seed, what the student's function returns with an ``rng`` of this seed.

        For the case's own seed (`seed`), the function is called once. For any other seed, it is
        called two to five times with the same ``rng``, and only the last value is returned, because
        a wrong function may use ``rng`` in its first call only. The seed of the global generators
        is `other`.
        """
        np.random.seed(other % 2**32)  # noqa: NPY002
        random.seed(other)
        return [called(np.random.default_rng(s), 1 if s == seed else 2 + s % 4)[-1] for s in seeds]

    try:
        rng = np.random.default_rng(seed)
        np.random.seed(seed % 2**32)  # noqa: NPY002
        moved = np.random.get_state(legacy=False)  # noqa: NPY002
        values = called(rng, 1)
        # a case has `labels` if the function is a discrete mechanism, which may return strings or
        # other values that are no numbers, so report its values with their types
        labels = bool(case.get("labels"))
        if not labels and np.asarray(values[0]).dtype.kind not in "iuf":
            return {"value": encode(values[0])}
        if _changed(case, args, kwargs):
            return {"changed": True}
        first = under(case.get("first", [seed]), seed + 1)
        np.random.seed(seed % 2**32)  # noqa: NPY002
        values += called(rng, int(case["calls"]) - 1)
        touched = not _same_state(moved, np.random.get_state(legacy=False))  # noqa: NPY002
        second = under(case.get("second", [seed]), seed + 2)
    finally:
        np.random.set_state(before)  # noqa: NPY002
        random.setstate(before_python)
    if _changed(case, args, kwargs):
        return {"changed": True}
    every = {"values": values, "first": first, "second": second}
    written = encode if labels else pack
    try:
        return {name: written(some) for name, some in every.items()} | {"touched": touched}
    except (TypeError, ValueError, OverflowError):
        return {"ragged": True}


def _same_state(one: Any, other: Any) -> bool:
    return bool(
        np.array_equal(one["state"]["key"], other["state"]["key"])
        and one["state"]["pos"] == other["state"]["pos"]
    )


def _implementation(ask: Callable[[Any], Any], calls: list[Any]) -> Callable[..., Any]:
    """Return the function that a student's test examines; it asks the grader for each value.

    `ask` sends a call of this function to the grader and returns the reply. Each call replaces the
    content of `calls` by the number of calls so far, the arguments and the reply.
    """

    def implementation(*args: Any, **kwargs: Any) -> Any:
        try:
            given = [encode(arg) for arg in args], encode(kwargs)["dict"]
        except TypeError as error:
            # students do not know `encode`, so replace its message, but repeat the value that it
            # mentions
            found = str(error).partition("got value=")[2] or str(error)
            raise TypeError(
                "an implementation is called with plain numbers, strings, lists and arrays, "
                f"got {found}"
            ) from None
        with _ASKING:
            reply = ask({"args": given[0], "kwargs": given[1]})
        calls[:] = [calls[0] + 1 if calls else 1, args, kwargs, reply]
        if "value" in reply:
            return decode(reply["value"])
        if "raises" in reply:
            raise getattr(builtins, reply["raises"], Exception)(reply.get("message", ""))
        raise _EndedError(reply.get("ended", ""))

    return implementation


def _verdict_of_test(function: Callable[..., Any], ask: Callable[[Any], Any]) -> Outcome:
    calls: list[Any] = []
    try:
        said = function(_implementation(ask, calls))
        if isinstance(said, (bool, np.bool_)):
            return {"accepts": bool(said), "returned": True} | ({} if said else _last(calls))
        return {"accepts": True} | ({} if said is None else {"last": shown(said)})
    except (KeyboardInterrupt, _LateError):
        raise
    except NotImplementedError:
        return {"raises": "NotImplementedError", "kinds": [], "message": ""}
    except _EndedError as error:
        return {"ended": str(error)}
    except BaseException as error:  # a student's test may reject an implementation by any error
        return {"accepts": False} | _last(calls, error)


def _last(calls: list[Any], error: BaseException | None = None) -> Outcome:
    """Return, as ``{"last": text}``, how a student's test rejected an implementation.

    The text begins with "False" or the error by which the test rejected it. Then it names the last
    call of the implementation, if there was one.
    """
    text = "False" if error is None else _kinds(error)[0]
    if message := "" if error is None else _message(error):
        text += f" ({message})"
    if calls:
        count, args, kwargs, reply = calls
        gave = shown(decode(reply["value"])) if "value" in reply else str(reply.get("raises"))
        given = [shown(arg) for arg in args]
        given += [f"{name}={shown(arg)}" for name, arg in kwargs.items()]
        text += f" after call {count}, which gave {gave} for {', '.join(given)}"
    return {"last": text}


def observe(
    function: Callable[..., Any],
    question: Mapping[str, Any],
    ask: Callable[[Any], Any] | None = None,
) -> tuple[list[Outcome], str]:
    """Call a student's function on the cases of a check, and return the outcome of each case.

    Parameters
    ----------
    function
        The student's function.
    question
        The cases, as `dpteach.grading.judging.questions.questions` writes them.
    ask
        For a student's test: a function that sends the grader a call of the implementation that
        the test examines, and returns the reply. None for other functions.

    Returns
    -------
    list of dict, str
        An outcome for each case, and the beginning of the text that the function printed. This
        text does not appear in the notebook, nor do warnings: nbgrader gives no points to a cell
        that writes to stderr.

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
        for call, seconds in _calls(function, question, ask):
            outcomes.append(_guarded(call, seconds))
            if "late" in outcomes[-1]:
                break
    return outcomes, kept.text + (" ..." if kept.cut else "")


def _calls(
    function: Callable[..., Any], question: Mapping[str, Any], ask: Callable[[Any], Any] | None
) -> Iterator[tuple[Callable[[], Outcome], float]]:
    """Yield for each case a function that returns the outcome of the case, and its time limit."""
    for i, case in enumerate(question["cases"]):
        if "test" in case and ask is not None:
            yield (lambda: _verdict_of_test(function, ask)), VALUE_SECONDS
        elif "calls" in case:
            seed = int(question["seed"]) + i
            yield (lambda c=case, s=seed: _random(function, c, s)), RANDOM_SECONDS  # type: ignore[misc]
        elif "trials" in case:
            yield (lambda c=case: _guesses(function, c)), RANDOM_SECONDS  # type: ignore[misc]
        else:
            yield (lambda c=case: _value(function, c)), VALUE_SECONDS  # type: ignore[misc]


def remember(item: str, call: str) -> str:
    """Store a notebook's variables and one of its functions, which can then be called later.

    `item` is the name of the exercise that asks for the function, and `call` the function's name.

    Returns
    -------
    str
        ``"function"`` if it was stored, ``"missing"`` if there is no such name, or
        ``"uncallable"`` if the name is no function.
    """
    namespace = vars(sys.modules["__main__"])
    _REMEMBERED.pop(item, None)
    if call not in namespace:
        return "missing"
    if not callable(namespace[call]):
        return "uncallable"
    # do not store large arrays, so that their memory is freed when a later cell reuses their names
    then = {
        name: value
        for name, value in namespace.items()
        if not (type(value) is np.ndarray and value.nbytes > LARGE_BYTES)
    }
    _REMEMBERED[item] = namespace[call], then
    return "function"


@contextlib.contextmanager
def _names_of(item: str) -> Iterator[None]:
    """Restore, for a ``with`` block, the notebook's variables that `remember` stored.

    A later cell may reuse a name on which an earlier function relies.
    """
    namespace = vars(sys.modules["__main__"])
    then = _REMEMBERED[item][1]
    now = {name: namespace[name] for name in then if name in namespace}
    namespace.update(then)
    try:
        yield
    finally:
        namespace.update(now)


def answer(
    text: str,
    python: Callable[[str], str] = str,
    ask: Callable[[Any], Any] | None = None,
) -> str:
    """Answer a message of the grader, in the process that runs a student's code.

    Parameters
    ----------
    text
        JSON with the name of the ``"item"``, and any of these tasks, which are done in this order:
        ``"cells"`` to run; the ``"call"``, the name of a function to store; a ``"question"`` about
        the stored function.
    python
        A function that translates a cell with commands of IPython to plain Python.
    ask
        The argument ``ask`` of `observe`.

    Returns
    -------
    str
        JSON: after a ``"call"``, ``"known"`` is the value of `remember`; after a ``"question"``,
        ``"outcomes"`` and ``"printed"`` are the values of `observe`.
    """
    message = json.loads(text)
    item = message["item"]
    for cell in message.get("cells", ()):
        # ignore errors: the cells have already run in the student's notebook, which has shown the
        # errors
        with contextlib.suppress(Exception, SystemExit):
            exec(_compiled(cell, python), vars(sys.modules["__main__"]))
    reply: dict[str, Any] = {}
    if "call" in message:
        reply["known"] = remember(item, message["call"])
    if "question" not in message:
        return json.dumps(reply)
    if item not in _REMEMBERED:
        return json.dumps(reply | {"outcomes": [{"missing": True}], "printed": ""})
    with _names_of(item):
        outcomes, printed = observe(_REMEMBERED[item][0], message["question"], ask)
    return json.dumps(reply | {"outcomes": outcomes, "printed": printed}, allow_nan=False)


def _compiled(cell: str, python: Callable[[str], str]) -> Any:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return compile(cell, "<cell>", "exec", dont_inherit=True)
        except SyntaxError:
            return compile(python(cell), "<cell>", "exec", dont_inherit=True)
