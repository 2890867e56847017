"""The implementations that a student's test has to judge, on the trusted side.

The test runs in the sandbox and never gets an implementation: it gets a stand-in whose calls are
answered here (`Replier`). So nothing that the student's code can look at tells a right suspect
from a wrong one, except the answers. The implementations are the instructor's, but their arguments
are the student's: they run in a process of their own, with limits on time and memory.
"""

from __future__ import annotations

import ast
import atexit
import contextlib
import hashlib
import importlib
import inspect
import json
import linecache
import math
import os
import selectors
import subprocess
import sys
import threading
import types
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final, TypedDict

from dpteach.grading.core.plain import MAX_DEPTH, NotPlainError, decode, encode, reduce, shown
from dpteach.grading.core.specification import Compare, Part
from dpteach.grading.kinds.comparing import close
from dpteach.grading.kinds.outcomes import ERRORS, readable

#: how many calls a student's test may make of one implementation
MAX_REQUESTS: Final = 1_000

#: seconds of computing and bytes for one call of an implementation
CALL_SECONDS: Final = 2.0
MEMORY: Final = 2 * 2**30

#: seconds after which an idle process of implementations ends
IDLE_SECONDS: Final = 60

#: numbers in the arguments of one call, and the largest integer among them
MAX_ARGUMENTS: Final = 10_000
MAX_INTEGER: Final = 2**53

#: characters of the calls of one test, and of calls whose right answers are kept
KEPT_BYTES: Final = 16 * 2**20

#: in the place of True for an implementation whose wrong answer is NaN
NAN: Final = "nan"

_ENDED = {"ended": "too many or too large calls"}


class SuspectData(TypedDict):
    """An implementation: its name and text as `source_of` gives them, and what it is."""

    entry: str
    text: str
    right: bool
    words: str | None


class TestsPart(Part[Any]):
    """A part of a `TestsCheck`."""

    suspects: list[SuspectData]
    compare: Compare


def source_of(function: Callable[..., Any]) -> tuple[str, str]:
    """Return the name of an implementation and the text that defines it and what it uses.

    Parameters
    ----------
    function
        A function of a reference cell or a module.

    Returns
    -------
    str, str
        A dotted name and "" for a function of ``dpteach``; else its name and Python source.

    Raises
    ------
    ValueError
        If the function is a lambda or closes over variables, or uses what has no source.
    """
    if _of_library(function):
        return f"{function.__module__}.{function.__qualname__}", ""
    if not inspect.isfunction(function):
        raise ValueError(f"function must be a plain function, got {shown(function)}")
    texts: dict[str, str] = {}
    _collect(function.__name__, function, function.__globals__, texts)
    return function.__name__, "\n\n".join(texts.values()) + "\n"


def _of_library(function: Any) -> bool:
    module = getattr(function, "__module__", None)
    return isinstance(module, str) and module.startswith("dpteach.")


def _collect(name: str, value: Any, home: Mapping[str, Any], texts: dict[str, str]) -> None:
    """Adds the text that defines a name, after the texts of the names that it uses."""
    if name in texts:
        return
    module = sys.modules.get(getattr(value, "__module__", None) or "")
    if inspect.isfunction(value) and value.__globals__ is home:
        if value.__name__ != name or value.__closure__:
            raise ValueError(f"{name} must be a function of its own, no lambda and no other's name")
        texts[name] = ""  # a function may call itself
        for used in sorted(_names(value.__code__) & set(home)):
            _collect(used, home[used], home, texts)
        del texts[name]
        texts[name] = text_of(value)
    elif isinstance(value, types.ModuleType):
        same_name = value.__name__ == name
        texts[name] = f"import {name}" if same_name else f"import {value.__name__} as {name}"
    elif module is not None and getattr(module, name, None) is value:
        texts[name] = f"from {module.__name__} import {name}"
    else:
        try:
            same = bool(ast.literal_eval(repr(value)) == value)
        except (ValueError, SyntaxError):
            same = False
        if not same:
            raise ValueError(f"{name} must be a function, a module or a plain constant")
        texts[name] = f"{name} = {value!r}"


def _names(code: types.CodeType) -> set[str]:
    inner = [const for const in code.co_consts if isinstance(const, types.CodeType)]
    return set(code.co_names).union(*map(_names, inner))


def text_of(function: Any) -> str:
    """Return the lines of a function, wherever they stand: also in a cell of a text source.

    Raises
    ------
    ValueError
        If it is no plain function, or its lines are not kept anywhere.
    """
    if not inspect.isfunction(function):
        raise ValueError(f"function must be a plain function, got {shown(function)}")
    code = function.__code__
    lines = linecache.getlines(code.co_filename)[code.co_firstlineno - 1 :]
    for end in range(1, len(lines) + 1):
        if end < len(lines) and (not lines[end].strip() or lines[end][0] in " \t)#"):
            continue
        try:
            ast.parse("".join(lines[:end]))
        except SyntaxError:
            continue
        return "".join(lines[:end]).rstrip()
    raise ValueError(f"the source of {function.__name__} cannot be read")


def load(entry: str, text: str) -> Callable[..., Any]:
    """Return the implementation that `source_of` described."""
    if not text:
        module, _, name = entry.rpartition(".")
        function: Callable[..., Any] = getattr(importlib.import_module(module), name)
        return function
    namespace: dict[str, Any] = {"__name__": "suspects"}
    exec(compile(text, "<suspect>", "exec"), namespace)
    return namespace[entry]  # type: ignore[no-any-return]


def called(function: Callable[..., Any], args: Any, kwargs: Any) -> dict[str, Any]:
    """Return what a call gives: ``{"value": ...}``, or ``{"raises": ..., "message": ...}``."""
    import warnings

    import numpy as np

    try:
        with warnings.catch_warnings(), np.errstate(all="ignore"):
            warnings.simplefilter("ignore")
            return {"value": encode(reduce(function(*decode(args), **decode({"dict": kwargs}))))}
    except NotPlainError as error:
        return {"raises": "TypeError", "message": str(error)}
    except Exception as error:
        names = [kind.__name__ for kind in type(error).__mro__ if kind.__name__ in _RAISED]
        return {"raises": names[0], "message": readable(str(error))}


#: errors that can be made from a message alone
_RAISED: Final = frozenset(
    name
    for name, kinds in ERRORS.items()
    if "Exception" in kinds and "UnicodeError" not in kinds[1:] and "ExceptionGroup" not in kinds
)


class Implementations:
    """The implementations of one check, called in a process with limits.

    Parameters
    ----------
    suspects
        Pairs as `source_of` gives them.
    """

    _shared: dict[str, Implementations] = {}  # noqa: RUF012
    _lock = threading.Lock()

    def __init__(self, suspects: list[tuple[str, str]]) -> None:
        self._suspects = suspects
        self._process: subprocess.Popen[bytes] | None = None
        self._busy = threading.Lock()

    @classmethod
    def of(cls, suspects: list[tuple[str, str]]) -> Implementations:
        """Return the ones of these suspects, which all students of a worker share."""
        # a forked process must not talk into the pipe of its parent
        key = hashlib.sha256(json.dumps([os.getpid(), suspects]).encode()).hexdigest()
        with cls._lock:
            return cls._shared.setdefault(key, cls(suspects))

    def call(self, number: int, args: Any, kwargs: Any) -> dict[str, Any]:
        """Return what a call gives; ``{"ended": ...}`` if it takes too much time or memory."""
        with self._busy:
            # an idle process may have ended by itself: only a new one that goes tells
            for new in (True,) if self._process is None else (False, True):
                if new:
                    self._start()
                try:
                    return self._ask([number, args, kwargs])  # type: ignore[no-any-return]
                except OSError:
                    self.close()
            return dict(_ENDED)

    def _start(self) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-P", "-c", f"from {__name__} import serve; serve()"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env={**os.environ, "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"},
        )
        try:
            self._ask(self._suspects)
        except OSError:
            raise RuntimeError("the implementations of a test cannot be loaded") from None

    def _ask(self, data: Any) -> Any:
        """Return what the process answers to JSON data; OSError if it is gone."""
        process = self._process
        assert process is not None and process.stdin is not None and process.stdout is not None
        process.stdin.write(json.dumps(data, allow_nan=False).encode() + b"\n")
        process.stdin.flush()
        line = process.stdout.readline()
        if not line.endswith(b"\n"):
            raise BrokenPipeError
        return json.loads(line)

    def close(self) -> None:
        """End the process."""
        if self._process is not None:
            self._process.kill()
            self._process.communicate()
            self._process = None


@atexit.register
def close_all() -> None:
    """Ends all processes of implementations that this process has started."""
    with Implementations._lock:
        for one in Implementations._shared.values():
            one.close()


class Replier:
    """Answers the calls that a student's test makes, and finds what they prove.

    A request does not say which implementation it is about: `about` does. Right and wrong ones are
    called in the same way, and the right answers are looked up when the test has ended, so that
    not even the time of a reply tells them apart.

    Parameters
    ----------
    part
        A part of a `TestsCheck` as data.
    apart
        Whether the implementations run in a process of their own, as they must where the
        arguments are not trusted.

    Attributes
    ----------
    witness
        For each suspect: whether it was asked something that it answers as no right one does;
        `NAN` if the first such answer was NaN, or a list with one in it.
    """

    def __init__(self, part: TestsPart, *, apart: bool = True) -> None:
        suspects = part["suspects"]
        self._compare = part["compare"]
        self._right = [i for i, one in enumerate(suspects) if one["right"]]
        self._known: dict[str, list[dict[str, Any]]] = {}
        self._number, self._room, self._spare = 0, KEPT_BYTES, KEPT_BYTES
        self._asked: list[tuple[Any, Any, dict[str, Any]]] = []
        self._all: list[list[tuple[Any, Any, dict[str, Any]]]] = [[] for _ in suspects]
        sources = [(one["entry"], one["text"]) for one in suspects]
        self._call: Callable[[int, Any, Any], dict[str, Any]]
        if apart:
            self._call = Implementations.of(sources).call
        else:
            functions = [load(*source) for source in sources]
            self._call = lambda number, args, kwargs: called(functions[number], args, kwargs)

    @contextlib.contextmanager
    def about(self, number: int) -> Iterator[None]:
        """Let requests be about the suspect of this number."""
        self._number, self._room = number, KEPT_BYTES
        self._asked = self._all[number] = []
        yield

    @property
    def witness(self) -> list[bool | str]:
        """Return what the requests so far prove; the right implementations are called now."""
        return [i not in self._right and self._proof(asked) for i, asked in enumerate(self._all)]

    def __call__(self, request: Any) -> dict[str, Any]:
        """Return the reply to a request, whatever it is.

        Parameters
        ----------
        request
            JSON from the sandbox: ``{"args": [...], "kwargs": {...}}``.
        """
        found = _request(request)
        if found is None or len(self._asked) >= MAX_REQUESTS:
            return dict(_ENDED)
        self._room -= len(json.dumps(found))
        if self._room < 0:
            return dict(_ENDED)
        reply = self._call(self._number, *found)
        self._asked.append((*found, reply))
        return reply

    def _proof(self, asked: list[tuple[Any, Any, dict[str, Any]]]) -> bool | str:
        """Whether an answer was wrong, and if it was NaN."""
        for args, kwargs, reply in asked:
            if "ended" not in reply and not any(
                _agree(reply, one, self._compare) for one in self._rightly(args, kwargs)
            ):
                return NAN if _has_nan(reply.get("value")) else True
        return False

    def _rightly(self, args: Any, kwargs: Any) -> list[dict[str, Any]]:
        """What the right implementations say: they are asked once."""
        key = json.dumps([args, kwargs])
        if key in self._known:
            return self._known[key]
        found = [self._call(number, args, kwargs) for number in self._right]
        if len(key) <= self._spare:
            self._spare -= len(key)
            self._known[key] = found
        return found


def _request(request: Any) -> tuple[Any, Any] | None:
    """Return the arguments of a request in order, or None."""
    if not isinstance(request, dict):
        return None
    args, kwargs = request.get("args"), request.get("kwargs")
    if not isinstance(args, list) or not isinstance(kwargs, dict):
        return None
    try:
        _measured([args, kwargs], 0, [MAX_ARGUMENTS])
        decode(args)
        decode({"dict": kwargs})
        json.dumps([args, kwargs], allow_nan=False)
    except (ValueError, TypeError, KeyError, IndexError, OverflowError, RecursionError):
        return None
    return args, kwargs


def _measured(data: Any, depth: int, budget: list[int]) -> None:
    budget[0] -= 1 + (len(data) // 8 if isinstance(data, str) else 0)
    if budget[0] < 0 or depth > 2 * MAX_DEPTH:
        raise ValueError("too large")
    if type(data) is int and abs(data) > MAX_INTEGER:
        raise ValueError("too large")
    for item in data.values() if isinstance(data, dict) else data if type(data) is list else ():
        _measured(item, depth + 1, budget)


def _has_nan(value: Any) -> bool:
    """Whether an encoded value is NaN, or a list that holds one."""
    if isinstance(value, list):
        return any(map(_has_nan, value))
    return bool(value == {"float": "nan"})


def _agree(one: Mapping[str, Any], other: Mapping[str, Any], compare: Compare) -> bool:
    if "value" in one and "value" in other:
        a, b = decode(one["value"]), decode(other["value"])
        if a is None or isinstance(a, str):
            return type(a) is type(b) and bool(a == b)
        if type(a) is float and type(b) is float and math.isnan(a) and math.isnan(b):
            return True
        return close(a, b, **compare)
    return "raises" in one and one["raises"] == other.get("raises")


def serve() -> None:
    """The process of implementations: a line of JSON in, a line out."""
    import resource
    import signal

    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    out = sys.stdout
    sys.stdout = sys.stderr
    functions = [load(*suspect) for suspect in json.loads(sys.stdin.buffer.readline())]
    out.write('"ready"\n')
    out.flush()
    waiting = selectors.DefaultSelector()
    waiting.register(sys.stdin.buffer, selectors.EVENT_READ)
    while waiting.select(IDLE_SECONDS):
        line = sys.stdin.buffer.readline()
        if not line.endswith(b"\n"):
            return
        number, args, kwargs = json.loads(line)
        # unhandled, the alarm ends the process, whatever the implementation is busy with
        signal.setitimer(signal.ITIMER_PROF, CALL_SECONDS)
        reply = called(functions[number], args, kwargs)
        signal.setitimer(signal.ITIMER_PROF, 0)
        out.write(json.dumps(reply, allow_nan=False) + "\n")
        out.flush()
